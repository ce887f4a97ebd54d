/* What the JavaScript wrapper cannot know by itself: where the fields of structs lie, the numbers behind
 * names, and memory. The queries are exported as they are. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <widephase/widephase.h>

/* A name and its number: the offset of a field, the size of a struct, or a constant. */
typedef struct web_name {
	const char *name;
	uint32_t number;
} web_name;

/* clang-format off */
#define FIELD(type, field) {#type "." #field, offsetof(type, field)}
#define COLUMN(type, field) FIELD(type, field.data), FIELD(type, field.stride)
#define SIZE(type) {#type, sizeof(type)}
#define CONSTANT(name) {#name, name}

static const web_name names[] = {
	SIZE(wp_shape), FIELD(wp_shape, kind), FIELD(wp_shape, radius), FIELD(wp_shape, half_height),
	FIELD(wp_shape, half_extents), FIELD(wp_shape, points), FIELD(wp_shape, base_radius), FIELD(wp_shape, hull),
	SIZE(wp_hull_input), COLUMN(wp_hull_input, vertices), FIELD(wp_hull_input, vertex_count),
	FIELD(wp_hull_input, face_sizes), FIELD(wp_hull_input, face_indices), FIELD(wp_hull_input, face_count),
	SIZE(wp_shape_report), FIELD(wp_shape_report, invalid_count), FIELD(wp_shape_report, reason),
	SIZE(wp_pose), FIELD(wp_pose, position), FIELD(wp_pose, rotation),
	SIZE(wp_bodies), COLUMN(wp_bodies, position), COLUMN(wp_bodies, rotation), COLUMN(wp_bodies, shape),
	FIELD(wp_bodies, count), FIELD(wp_bodies, position_real),
	SIZE(wp_batch), FIELD(wp_batch, shapes), FIELD(wp_batch, a), FIELD(wp_batch, b), COLUMN(wp_batch, pair_a),
	COLUMN(wp_batch, pair_b), FIELD(wp_batch, first), FIELD(wp_batch, count), SIZE(wp_cache),
	SIZE(wp_results), COLUMN(wp_results, separation), COLUMN(wp_results, normal), COLUMN(wp_results, point_a),
	COLUMN(wp_results, point_b), COLUMN(wp_results, lower), COLUMN(wp_results, upper), COLUMN(wp_results, status),
	COLUMN(wp_results, iterations), COLUMN(wp_results, overlap), COLUMN(wp_results, local_a),
	COLUMN(wp_results, local_b), COLUMN(wp_results, tangent_1), COLUMN(wp_results, tangent_2),
	COLUMN(wp_results, cache), FIELD(wp_results, point_real),
	SIZE(wp_float_column), FIELD(wp_float_column, data), FIELD(wp_float_column, stride),
	SIZE(wp_contact_options), FIELD(wp_contact_options, max_separation),
	SIZE(wp_row), FIELD(wp_row, separation), FIELD(wp_row, normal), FIELD(wp_row, point_a), FIELD(wp_row, point_b),
	FIELD(wp_row, lower), FIELD(wp_row, upper), FIELD(wp_row, status), FIELD(wp_row, iterations),
	SIZE(wp_motions), COLUMN(wp_motions, translation), COLUMN(wp_motions, rotation),
	SIZE(wp_manifolds), COLUMN(wp_manifolds, count), COLUMN(wp_manifolds, points), FIELD(wp_manifolds, point_max),
	SIZE(wp_manifold_point), FIELD(wp_manifold_point, point_a), FIELD(wp_manifold_point, point_b),
	FIELD(wp_manifold_point, local_a), FIELD(wp_manifold_point, local_b), FIELD(wp_manifold_point, separation),
	FIELD(wp_manifold_point, feature_a), FIELD(wp_manifold_point, feature_b),
	SIZE(wp_statistics), FIELD(wp_statistics, rows), FIELD(wp_statistics, separated), FIELD(wp_statistics, touching),
	FIELD(wp_statistics, penetrating), FIELD(wp_statistics, beyond), FIELD(wp_statistics, strong),
	FIELD(wp_statistics, iteration_cap), FIELD(wp_statistics, capacity), FIELD(wp_statistics, degenerate),
	FIELD(wp_statistics, wide_bracket), FIELD(wp_statistics, invalid), FIELD(wp_statistics, gjk_iterations),
	FIELD(wp_statistics, gjk_iterations_max), FIELD(wp_statistics, epa_rows), FIELD(wp_statistics, epa_iterations),
	FIELD(wp_statistics, epa_iterations_max), FIELD(wp_statistics, lanes_issued), FIELD(wp_statistics, lanes_live),
	FIELD(wp_statistics, first_invalid_row),
	CONSTANT(WP_SHAPE_POINT), CONSTANT(WP_SHAPE_SPHERE), CONSTANT(WP_SHAPE_SEGMENT), CONSTANT(WP_SHAPE_CAPSULE),
	CONSTANT(WP_SHAPE_TRIANGLE), CONSTANT(WP_SHAPE_BOX), CONSTANT(WP_SHAPE_HULL),
	CONSTANT(WP_SHAPE_CYLINDER), CONSTANT(WP_SHAPE_CONE), CONSTANT(WP_SHAPE_ELLIPSOID), CONSTANT(WP_SHAPE_HALF_SPACE),
	CONSTANT(WP_VERSION_NUMBER), CONSTANT(WP_REAL_FLOAT), CONSTANT(WP_REAL_DOUBLE),
	CONSTANT(WP_ERROR_MEMORY_TOO_SMALL), CONSTANT(WP_VARIANT_COUNT), CONSTANT(WP_MANIFOLD_POINT_MAX),
	CONSTANT(WP_STATUS_SEPARATED), CONSTANT(WP_STATUS_TOUCHING), CONSTANT(WP_STATUS_PENETRATING),
	CONSTANT(WP_STATUS_BEYOND), CONSTANT(WP_STATUS_STRONG), CONSTANT(WP_STATUS_ITERATION_CAP),
	CONSTANT(WP_STATUS_CAPACITY), CONSTANT(WP_STATUS_DEGENERATE), CONSTANT(WP_STATUS_WIDE_BRACKET),
	CONSTANT(WP_STATUS_INVALID), CONSTANT(WP_STATUS_HIT), CONSTANT(WP_STATUS_INVALID_BODY_A),
	CONSTANT(WP_STATUS_INVALID_SHAPE_A), CONSTANT(WP_STATUS_INVALID_POSITION_A),
	CONSTANT(WP_STATUS_INVALID_ROTATION_A), CONSTANT(WP_STATUS_INVALID_BODY_B),
	CONSTANT(WP_STATUS_INVALID_SHAPE_B), CONSTANT(WP_STATUS_INVALID_POSITION_B),
	CONSTANT(WP_STATUS_INVALID_ROTATION_B),
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
