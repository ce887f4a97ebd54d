/* What the JavaScript wrapper cannot find out by itself: where the fields of structs lie, the numbers behind
 * names, and memory. The queries are exported as they are. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <widephase/2d.h>
#include <widephase/cook.h>
#include <widephase/widephase.h>

/* A name and its number: the offset of a field or the size of a struct, without wp_, or a constant. */
typedef struct web_name {
	const char *name;
	uint32_t number;
} web_name;

/* clang-format off */
#define FIELD(type, field) {#type "." #field, offsetof(wp_##type, field)}
#define SIZE(type) {#type, sizeof(wp_##type)}
#define CONSTANT(name) {#name, name}
/* What has the same name in 2D, where this is the module of 2D. */
#ifdef WP_WITHOUT_3D
#define FIELD_OF(type, field) {#type "." #field, offsetof(wp2d_##type, field)}
#define SIZE_OF(type) {#type, sizeof(wp2d_##type)}
#define CONSTANT_OF(name) {"WP_" #name, WP2D_##name}
#else
#define FIELD_OF(type, field) FIELD(type, field)
#define SIZE_OF(type) SIZE(type)
#define CONSTANT_OF(name) {"WP_" #name, WP_##name}
#endif

static const web_name names[] = {
	SIZE_OF(shape), FIELD_OF(shape, kind), FIELD_OF(shape, radius), FIELD_OF(shape, half_height),
	FIELD_OF(shape, points),
	SIZE_OF(pose), FIELD_OF(pose, position), FIELD_OF(pose, rotation),
	FIELD(bodies, position), FIELD(bodies, rotation), FIELD(bodies, shape),
	FIELD(bodies, count), FIELD(bodies, position_real),
	SIZE_OF(batch), FIELD_OF(batch, shapes), FIELD_OF(batch, a), FIELD_OF(batch, b), FIELD_OF(batch, pair_a),
	FIELD_OF(batch, pair_b), FIELD_OF(batch, first), FIELD_OF(batch, count), SIZE(cache),
	SIZE(results), FIELD(results, separation), FIELD(results, normal), FIELD(results, point_a),
	FIELD(results, point_b), FIELD(results, lower), FIELD(results, upper), FIELD(results, status),
	FIELD(results, iterations), FIELD(results, overlap), FIELD(results, local_a),
	FIELD(results, local_b), FIELD(results, tangent_1), FIELD(results, tangent_2),
	FIELD(results, cache), FIELD(results, point_real),
	SIZE(float_column), FIELD(float_column, data), FIELD(float_column, stride),
	SIZE(contact_options), FIELD(contact_options, max_separation),
	SIZE_OF(row), FIELD_OF(row, separation), FIELD_OF(row, normal), FIELD_OF(row, point_a), FIELD_OF(row, point_b),
	FIELD_OF(row, lower), FIELD_OF(row, upper), FIELD_OF(row, status), FIELD_OF(row, iterations),
	SIZE(motions), FIELD(motions, translation), FIELD(motions, rotation),
	SIZE_OF(manifolds), FIELD_OF(manifolds, count), FIELD_OF(manifolds, points), FIELD_OF(manifolds, point_max),
	SIZE_OF(manifold_point), FIELD_OF(manifold_point, point_a), FIELD_OF(manifold_point, point_b),
	FIELD_OF(manifold_point, local_a), FIELD_OF(manifold_point, local_b), FIELD_OF(manifold_point, separation),
	FIELD_OF(manifold_point, feature_a), FIELD_OF(manifold_point, feature_b),
	SIZE(statistics), FIELD(statistics, rows), FIELD(statistics, separated), FIELD(statistics, touching),
	FIELD(statistics, penetrating), FIELD(statistics, beyond), FIELD(statistics, strong),
	FIELD(statistics, iteration_cap), FIELD(statistics, capacity), FIELD(statistics, degenerate),
	FIELD(statistics, wide_bracket), FIELD(statistics, invalid), FIELD(statistics, gjk_iterations),
	FIELD(statistics, gjk_iterations_max), FIELD(statistics, epa_rows), FIELD(statistics, epa_iterations),
	FIELD(statistics, epa_iterations_max), FIELD(statistics, lanes_issued), FIELD(statistics, lanes_live),
	FIELD(statistics, first_invalid_row),
	CONSTANT(WP_VERSION_NUMBER), CONSTANT(WP_REAL_FLOAT), CONSTANT(WP_REAL_DOUBLE),
	CONSTANT(WP_ERROR_MEMORY_TOO_SMALL), CONSTANT(WP_VARIANT_COUNT), CONSTANT_OF(MANIFOLD_POINT_MAX),
	CONSTANT(WP_STATUS_SEPARATED), CONSTANT(WP_STATUS_TOUCHING), CONSTANT(WP_STATUS_PENETRATING),
	CONSTANT(WP_STATUS_BEYOND), CONSTANT(WP_STATUS_STRONG), CONSTANT(WP_STATUS_ITERATION_CAP),
	CONSTANT(WP_STATUS_CAPACITY), CONSTANT(WP_STATUS_DEGENERATE), CONSTANT(WP_STATUS_WIDE_BRACKET),
	CONSTANT(WP_STATUS_INVALID), CONSTANT(WP_STATUS_HIT), CONSTANT(WP_STATUS_INVALID_BODY_A),
	CONSTANT(WP_STATUS_INVALID_SHAPE_A), CONSTANT(WP_STATUS_INVALID_POSITION_A),
	CONSTANT(WP_STATUS_INVALID_ROTATION_A), CONSTANT(WP_STATUS_INVALID_BODY_B),
	CONSTANT(WP_STATUS_INVALID_SHAPE_B), CONSTANT(WP_STATUS_INVALID_POSITION_B),
	CONSTANT(WP_STATUS_INVALID_ROTATION_B), CONSTANT(WP_STATUS_INVALID_TRACKED),
#ifdef WP_WITHOUT_3D
	FIELD_OF(shape, vertices), FIELD_OF(shape, vertex_count), CONSTANT_OF(POLYGON_VERTEX_MAX),
	CONSTANT_OF(SHAPE_CIRCLE), CONSTANT_OF(SHAPE_CAPSULE), CONSTANT_OF(SHAPE_SEGMENT), CONSTANT_OF(SHAPE_POLYGON),
#else
	FIELD(shape, half_extents), FIELD(shape, base_radius), FIELD(shape, hull),
	SIZE(hull_input), FIELD(hull_input, vertices), FIELD(hull_input, vertex_count),
	FIELD(hull_input, face_sizes), FIELD(hull_input, face_indices), FIELD(hull_input, face_count),
	SIZE(pair), FIELD(pair, shapes), FIELD(pair, shape_a), FIELD(pair, shape_b),
	FIELD(pair, position_a), FIELD(pair, rotation_a), FIELD(pair, position_b), FIELD(pair, rotation_b),
	SIZE(tracked), FIELD(tracked, separation), FIELD(tracked, status), FIELD(tracked, event),
	SIZE(tracked_anchor),
	SIZE(tracked_pairs), FIELD(tracked_pairs, pairs), FIELD(tracked_pairs, manifolds),
	FIELD(tracked_pairs, anchors), FIELD(tracked_pairs, count), FIELD(tracked_pairs, index),
	SIZE(track_options), FIELD(track_options, max_separation), FIELD(track_options, merging),
	FIELD(track_options, reuse_error),
	SIZE(track_changes), FIELD(track_changes, rows), FIELD(track_changes, capacity),
	FIELD(track_changes, count),
	SIZE(persistent_thresholds), FIELD(persistent_thresholds, breaking), FIELD(persistent_thresholds, sideways),
	FIELD(persistent_thresholds, merging),
	SIZE(persistent_manifold), FIELD(persistent_manifold, count), FIELD(persistent_manifold, normal),
	FIELD(persistent_manifold, points),
	SIZE(persistent_point), FIELD(persistent_point, local_a), FIELD(persistent_point, local_b),
	FIELD(persistent_point, arm_a), FIELD(persistent_point, arm_b), FIELD(persistent_point, separation),
	FIELD(persistent_point, feature_a), FIELD(persistent_point, feature_b), FIELD(persistent_point, age),
	FIELD(persistent_point, impulse),
	SIZE(mesh_batch), FIELD(mesh_batch, shapes), FIELD(mesh_batch, meshes), FIELD(mesh_batch, mesh_count),
	FIELD(mesh_batch, height_fields), FIELD(mesh_batch, height_field_count), FIELD(mesh_batch, a), FIELD(mesh_batch, b),
	FIELD(mesh_batch, pair_a), FIELD(mesh_batch, pair_b), FIELD(mesh_batch, first), FIELD(mesh_batch, count),
	SIZE(mesh_options), FIELD(mesh_options, max_separation), FIELD(mesh_options, flags),
	SIZE(mesh_distance_options), FIELD(mesh_distance_options, max_distance),
	SIZE(mesh_results), FIELD(mesh_results, separation), FIELD(mesh_results, normal), FIELD(mesh_results, status),
	FIELD(mesh_results, triangle_count), FIELD(mesh_results, patch_count), FIELD(mesh_results, patches),
	FIELD(mesh_results, patch_max),
	SIZE(mesh_patch), FIELD(mesh_patch, normal), FIELD(mesh_patch, separation), FIELD(mesh_patch, point_count),
	FIELD(mesh_patch, points),
	SIZE(mesh_point), FIELD(mesh_point, point_a), FIELD(mesh_point, point_b), FIELD(mesh_point, local_a),
	FIELD(mesh_point, local_b), FIELD(mesh_point, separation), FIELD(mesh_point, triangle), FIELD(mesh_point, feature_a),
	FIELD(mesh_point, feature_b),
	SIZE(mesh_statistics), FIELD(mesh_statistics, rows), FIELD(mesh_statistics, touching), FIELD(mesh_statistics, invalid),
	FIELD(mesh_statistics, first_invalid_row), FIELD(mesh_statistics, triangles), FIELD(mesh_statistics, behind),
	FIELD(mesh_statistics, beyond), FIELD(mesh_statistics, solved), FIELD(mesh_statistics, touched),
	FIELD(mesh_statistics, turned), FIELD(mesh_statistics, dropped), FIELD(mesh_statistics, strong),
	SIZE(mesh_hit), FIELD(mesh_hit, triangle), FIELD(mesh_hit, is_front), FIELD(mesh_hit, fraction),
	FIELD(mesh_hit, weights),
	SIZE(height_field), FIELD(height_field, samples), FIELD(height_field, row_stride), FIELD(height_field, columns),
	FIELD(height_field, rows), FIELD(height_field, format), FIELD(height_field, flags), FIELD(height_field, spacing),
	FIELD(height_field, scale), FIELD(height_field, offset),
	CONSTANT(WP_MESH_PATCH_MAX), CONSTANT(WP_MESH_TWO_SIDED), CONSTANT(WP_MESH_GHOSTS), CONSTANT(WP_MESH_SOUP), CONSTANT(WP_MESH_MISS),
	CONSTANT(WP_HEIGHT_OTHER_DIAGONAL), CONSTANT(WP_HEIGHT_INT16),
	CONSTANT(WP_TRACK_BEGAN), CONSTANT(WP_TRACK_ENDED), CONSTANT(WP_TRACK_KEPT), CONSTANT(WP_TRACK_REUSED),
	CONSTANT(WP_SHAPE_POINT), CONSTANT(WP_SHAPE_SPHERE), CONSTANT(WP_SHAPE_SEGMENT), CONSTANT(WP_SHAPE_CAPSULE),
	CONSTANT(WP_SHAPE_TRIANGLE), CONSTANT(WP_SHAPE_BOX), CONSTANT(WP_SHAPE_HULL),
	CONSTANT(WP_SHAPE_CYLINDER), CONSTANT(WP_SHAPE_CONE), CONSTANT(WP_SHAPE_ELLIPSOID), CONSTANT(WP_SHAPE_HALF_SPACE),
#ifndef WP_WITHOUT_2D /* neither the module of 3D nor of 2D, but the one that cooks */
	SIZE(mesh_input), FIELD(mesh_input, vertices), FIELD(mesh_input, vertex_count), FIELD(mesh_input, triangles),
	FIELD(mesh_input, triangle_count),
	SIZE(mesh_report), FIELD(mesh_report, bad_index), FIELD(mesh_report, welded), FIELD(mesh_report, dropped),
	FIELD(mesh_report, unused), FIELD(mesh_report, boundary_edges), FIELD(mesh_report, crowded_edges),
	FIELD(mesh_report, turned_edges),
	CONSTANT(WP_ERROR_MESH_VERTEX), CONSTANT(WP_ERROR_MESH_INDEX),
#endif
#endif
};
/* clang-format on */

WP_API size_t wp_web_name_count(void);
WP_API const char *wp_web_name(size_t index);
WP_API uint32_t wp_web_number(size_t index);
WP_API void *wp_web_allocate(size_t size);
WP_API void wp_web_release(void *memory);

size_t wp_web_name_count(void) { return sizeof names / sizeof names[0]; }

/* Name and number of `index`, which is below the count. */
const char *wp_web_name(size_t index) { return names[index].name; }
uint32_t wp_web_number(size_t index) { return names[index].number; }

/* Memory aligned to WP_ALIGNMENT, or NULL where there is none. */
void *wp_web_allocate(size_t size)
{
	/* aligned_alloc wants a multiple of the alignment, and a size of 0 may give NULL. */
	return size <= SIZE_MAX - WP_ALIGNMENT ? aligned_alloc(WP_ALIGNMENT, (size / WP_ALIGNMENT + 1) * WP_ALIGNMENT)
	                                       : NULL;
}

/* NULL is legal. */
void wp_web_release(void *memory) { free(memory); }
