/* The C interface of the last release: users of then are compiled with it. Made of the headers by
 * check_interface.py --renew. */
#ifndef WIDEPHASE_BASE_H
#define WIDEPHASE_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(WP_SHARED)
#ifdef WP_BUILDING
#define WP_API __declspec(dllexport)
#else
#define WP_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define WP_API __attribute__((visibility("default")))
#else
#define WP_API
#endif

#define WP_VERSION_MAJOR 0
#define WP_VERSION_MINOR 1
#define WP_VERSION_PATCH 0

#define WP_VERSION_NUMBER (WP_VERSION_MAJOR * 10000 + WP_VERSION_MINOR * 100 + WP_VERSION_PATCH)

WP_API const char *wp_version(void);

WP_API uint32_t wp_version_number(void);

typedef struct wp_const_float_column {
	const float *data;
	size_t stride;
} wp_const_float_column;

typedef struct wp_const_uint32_column {
	const uint32_t *data;
	size_t stride;
} wp_const_uint32_column;

typedef struct wp_const_real_column {
	const void *data;
	size_t stride;
} wp_const_real_column;

typedef struct wp_float_column {
	float *data;
	size_t stride;
} wp_float_column;

typedef struct wp_uint32_column {
	uint32_t *data;
	size_t stride;
} wp_uint32_column;

typedef struct wp_uint8_column {
	uint8_t *data;
	size_t stride;
} wp_uint8_column;

typedef struct wp_real_column {
	void *data;
	size_t stride;
} wp_real_column;

typedef enum wp_real { WP_REAL_FLOAT = 0, WP_REAL_DOUBLE = 1 } wp_real;

typedef enum wp_error {
	WP_OK = 0,
	WP_ERROR_NULL_NAME,
	WP_ERROR_NULL_VARIANT,
	WP_ERROR_NULL_MEMORY,
	WP_ERROR_NULL_WORKSPACE,
	WP_ERROR_NULL_INPUT,
	WP_ERROR_NULL_VERTICES,
	WP_ERROR_NULL_FACE_SIZES,
	WP_ERROR_NULL_FACE_INDICES,
	WP_ERROR_NULL_HULL,
	WP_ERROR_NULL_SHAPES,
	WP_ERROR_NULL_SHAPE,
	WP_ERROR_NULL_TABLE,
	WP_ERROR_NULL_BATCH,
	WP_ERROR_NULL_BATCH_SHAPES,
	WP_ERROR_NULL_RESULTS,
	WP_ERROR_NULL_SHAPE_A,
	WP_ERROR_NULL_POSE_A,
	WP_ERROR_NULL_SHAPE_B,
	WP_ERROR_NULL_POSE_B,
	WP_ERROR_NULL_ROW,
	WP_ERROR_NULL_ROWS,
	WP_ERROR_NULL_PAIR,
	WP_ERROR_NULL_PAIR_SHAPES,
	WP_ERROR_PAIR_POSITION_A,
	WP_ERROR_PAIR_ROTATION_A,
	WP_ERROR_PAIR_POSITION_B,
	WP_ERROR_PAIR_ROTATION_B,
	WP_ERROR_PAIR_REAL,
	WP_ERROR_NULL_FRACTION,
	WP_ERROR_NULL_DIRECTION,
	WP_ERROR_NULL_DIRECTION_DATA,
	WP_ERROR_NULL_MANIFOLDS,
	WP_ERROR_NULL_MANIFOLDS_COUNT,
	WP_ERROR_NULL_MANIFOLDS_POINTS,
	WP_ERROR_NULL_POINTS,
	WP_ERROR_NULL_COUNT,
	WP_ERROR_NULL_MANIFOLD,
	WP_ERROR_NULL_NORMAL,
	WP_ERROR_NULL_POINT,
	WP_ERROR_NULL_THRESHOLDS,
	WP_ERROR_NULL_POSITION_A,
	WP_ERROR_NULL_ROTATION_A,
	WP_ERROR_NULL_POSITION_B,
	WP_ERROR_NULL_ROTATION_B,
	WP_ERROR_NULL_MASS,
	WP_ERROR_MEMORY_TOO_SMALL,
	WP_ERROR_MEMORY_MISALIGNED,
	WP_ERROR_WORKSPACE_INVALID,
	WP_ERROR_SHAPE_TABLE_INVALID,
	WP_ERROR_SHAPE_INDEX,
	WP_ERROR_SHAPE,
	WP_ERROR_VARIANT_UNKNOWN,
	WP_ERROR_VARIANT_NOT_BUILT,
	WP_ERROR_VARIANT_NOT_SUPPORTED,
	WP_ERROR_BODIES_A_POSITION,
	WP_ERROR_BODIES_A_ROTATION,
	WP_ERROR_BODIES_A_REAL,
	WP_ERROR_BODIES_B_POSITION,
	WP_ERROR_BODIES_B_ROTATION,
	WP_ERROR_BODIES_B_REAL,
	WP_ERROR_PAIR_RANGE,
	WP_ERROR_MAX_SEPARATION,
	WP_ERROR_RESULTS_REAL,
	WP_ERROR_MANIFOLDS_POINT_MAX,
	WP_ERROR_HULL_VERTEX_COUNT,
	WP_ERROR_HULL_VERTEX,
	WP_ERROR_HULL_FACE,
	WP_ERROR_HULL_FACE_REPEATS,
	WP_ERROR_HULL_FACE_WINDING,
	WP_ERROR_HULL_FACE_PLANE,
	WP_ERROR_HULL_FACE_CONVEX,
	WP_ERROR_HULL_FACE_OPEN,
	WP_ERROR_HULL_FACES,
	WP_ERROR_HULL_CORRUPT,
	WP_ERROR_HULL_COOK,
	WP_ERROR_POSE,
	WP_ERROR_NORMAL,
	WP_ERROR_THRESHOLD,
	WP_ERROR_CONTACT_POINT,
	WP_ERROR_PERSISTENT_MANIFOLD,
	WP_ERROR_MAX_VERTICES,
	WP_ERROR_HULL_VOLUME,
	WP_ERROR_NULL_METHOD,
	WP_ERROR_METHOD,
	WP_ERROR_METHOD_MARGIN,
	WP_ERROR_METHOD_DIRECTIONS,
	WP_ERROR_PAIR_A_STRIDE,
	WP_ERROR_PAIR_B_STRIDE,
	WP_ERROR_BODIES_A_POSITION_STRIDE,
	WP_ERROR_BODIES_A_ROTATION_STRIDE,
	WP_ERROR_BODIES_A_SHAPE_STRIDE,
	WP_ERROR_BODIES_B_POSITION_STRIDE,
	WP_ERROR_BODIES_B_ROTATION_STRIDE,
	WP_ERROR_BODIES_B_SHAPE_STRIDE,
	WP_ERROR_RESULTS_CACHE_STRIDE,
	WP_ERROR_RESULTS_SEPARATION_STRIDE,
	WP_ERROR_RESULTS_NORMAL_STRIDE,
	WP_ERROR_RESULTS_POINT_A_STRIDE,
	WP_ERROR_RESULTS_POINT_B_STRIDE,
	WP_ERROR_RESULTS_LOWER_STRIDE,
	WP_ERROR_RESULTS_UPPER_STRIDE,
	WP_ERROR_RESULTS_STATUS_STRIDE,
	WP_ERROR_RESULTS_ITERATIONS_STRIDE,
	WP_ERROR_RESULTS_LOCAL_A_STRIDE,
	WP_ERROR_RESULTS_LOCAL_B_STRIDE,
	WP_ERROR_RESULTS_TANGENT_1_STRIDE,
	WP_ERROR_RESULTS_TANGENT_2_STRIDE,
	WP_ERROR_FRACTION_STRIDE,
	WP_ERROR_MANIFOLDS_COUNT_STRIDE,
	WP_ERROR_MANIFOLDS_POINTS_STRIDE,
	WP_ERROR_MOTIONS_A_TRANSLATION_STRIDE,
	WP_ERROR_MOTIONS_A_ROTATION_STRIDE,
	WP_ERROR_MOTIONS_B_TRANSLATION_STRIDE,
	WP_ERROR_MOTIONS_B_ROTATION_STRIDE,
	WP_ERROR_DIRECTION_STRIDE,
	WP_ERROR_HULL_VERTEX_STRIDE,
	WP_ERROR_POINT_STRIDE,
	WP_ERROR_NULL_OPTIONS,
	WP_ERROR_NULL_TRACKED,
	WP_ERROR_NULL_TRACKED_PAIRS,
	WP_ERROR_NULL_TRACKED_MANIFOLDS,
	WP_ERROR_NULL_TRACKED_ANCHORS,
	WP_ERROR_NULL_PAIRS,
	WP_ERROR_NULL_POOL,
	WP_ERROR_NULL_CHANGES_ROWS,
	WP_ERROR_TRACKED_COUNT,
	WP_ERROR_TRACKED_INDEX_STRIDE,
	WP_ERROR_TRACKED_INDEX,
	WP_ERROR_POOL_CAPACITY,
	WP_ERROR_REUSE_ERROR,
	WP_ERROR_MERGING,
	WP_ERROR_VARIANT_ARITHMETIC,
	WP_ERROR_VERSION,
	WP_ERROR_NULL_MESH,
	WP_ERROR_NULL_LOWER,
	WP_ERROR_NULL_UPPER,
	WP_ERROR_NULL_CURSOR,
	WP_ERROR_NULL_TRIANGLES,
	WP_ERROR_NULL_START,
	WP_ERROR_NULL_WAY,
	WP_ERROR_NULL_HIT,
	WP_ERROR_MESH_CORRUPT,
	WP_ERROR_MESH_BOX,
	WP_ERROR_MESH_RAY,
	WP_ERROR_MESH_VERTEX,
	WP_ERROR_MESH_INDEX,
	WP_ERROR_MESH_COUNT,
	WP_ERROR_MESH_EMPTY,
	WP_ERROR_MESH_MEMORY,
	WP_ERROR_MESH_VERTEX_STRIDE,
	WP_ERROR_MESH_TRIANGLE_STRIDE,
	WP_ERROR_NULL_MESHES,
	WP_ERROR_MESH_FLAGS,
	WP_ERROR_MESH_PATCH_MAX,
	WP_ERROR_NULL_PATCH_COUNT,
	WP_ERROR_PATCH_COUNT_STRIDE,
	WP_ERROR_PATCHES_STRIDE,
	WP_ERROR_TRIANGLE_COUNT_STRIDE,
	WP_ERROR_NULL_HEIGHT_FIELD,
	WP_ERROR_NULL_HEIGHT_FIELDS,
	WP_ERROR_NULL_HEIGHT_SAMPLES,
	WP_ERROR_HEIGHT_COUNT,
	WP_ERROR_HEIGHT_FORMAT,
	WP_ERROR_HEIGHT_STRIDE,
	WP_ERROR_HEIGHT_SPACING,
	WP_ERROR_HEIGHT_SCALE,
	WP_ERROR_HEIGHT_SAMPLE,
	WP_ERROR_TRIANGLE_STRIDE,
	WP_ERROR_MAX_DISTANCE,
	WP_ERROR_COUNT
} wp_error;

WP_API const char *wp_error_text(wp_error error);

#define WP_ALIGNMENT 64

typedef enum wp_variant {
	WP_VARIANT_AUTO = 0,
	WP_VARIANT_SCALAR,
	WP_VARIANT_SSE2,
	WP_VARIANT_AVX2,
	WP_VARIANT_AVX512,
	WP_VARIANT_NEON,
	WP_VARIANT_WASM,
	WP_VARIANT_COUNT
} wp_variant;

WP_API const char *wp_variant_name(wp_variant variant);

WP_API wp_error wp_variant_from_name(const char *name, wp_variant *variant);

WP_API wp_error wp_variant_available(wp_variant variant);

WP_API wp_variant wp_variant_best(void);

WP_API uint32_t wp_variant_width(wp_variant variant);

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_SHAPE_H
#define WIDEPHASE_SHAPE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wp_shape_kind {
	WP_SHAPE_POINT = 0,
	WP_SHAPE_SPHERE,
	WP_SHAPE_SEGMENT,
	WP_SHAPE_CAPSULE,
	WP_SHAPE_TRIANGLE,
	WP_SHAPE_BOX,
	WP_SHAPE_HULL,
	WP_SHAPE_CYLINDER,
	WP_SHAPE_CONE,
	WP_SHAPE_ELLIPSOID,
	WP_SHAPE_CUSTOM,
	WP_SHAPE_HALF_SPACE,
	WP_SHAPE_KIND_COUNT
} wp_shape_kind;

typedef struct wp_hull wp_hull;

typedef struct wp_custom {

	void (*support)(const void *context, const double direction[3], double point[3]);
	const void *context;
	float bound;
} wp_custom;

typedef struct wp_shape {
	uint32_t kind;
	float radius;
	float half_height;
	float half_extents[3];
	float points[3][3];
	float base_radius;
	const wp_hull *hull;
	const wp_custom *custom;
} wp_shape;

WP_API wp_shape wp_shape_point(void);
WP_API wp_shape wp_shape_sphere(float radius);
WP_API wp_shape wp_shape_segment(const float start[3], const float end[3]);
WP_API wp_shape wp_shape_capsule(float radius, float half_height);
WP_API wp_shape wp_shape_triangle(const float a[3], const float b[3], const float c[3]);
WP_API wp_shape wp_shape_box(float half_x, float half_y, float half_z);
WP_API wp_shape wp_shape_hull(const wp_hull *hull);
WP_API wp_shape wp_shape_cylinder(float base_radius, float half_height);
WP_API wp_shape wp_shape_cone(float base_radius, float half_height);
WP_API wp_shape wp_shape_ellipsoid(float semi_x, float semi_y, float semi_z);
WP_API wp_shape wp_shape_custom(const wp_custom *custom);

WP_API wp_shape wp_shape_half_space(void);

WP_API const char *wp_shape_kind_name(wp_shape_kind kind);

#define WP_HULL_VERTEX_MAX 65535

WP_API size_t wp_hull_size(size_t vertex_count, size_t face_count, size_t face_index_count);

typedef struct wp_hull_input {
	wp_const_float_column vertices;
	size_t vertex_count;
	const uint32_t *face_sizes;
	const uint32_t *face_indices;
	size_t face_count;
} wp_hull_input;

WP_API wp_error wp_hull_build(
	const wp_hull_input *input, void *memory, size_t memory_size, const wp_hull **hull, size_t *bad_index);

WP_API wp_error wp_hull_from_memory(const void *memory, size_t size, const wp_hull **hull);

WP_API size_t wp_hull_byte_size(const wp_hull *hull);
WP_API size_t wp_hull_vertex_count(const wp_hull *hull);
WP_API size_t wp_hull_face_count(const wp_hull *hull);

WP_API int wp_hull_turned(const wp_hull *hull);

WP_API void wp_hull_vertex(const wp_hull *hull, size_t index, float vertex[3]);

WP_API const uint32_t *wp_hull_face(const wp_hull *hull, size_t index, size_t *size);

WP_API void wp_hull_face_normal(const wp_hull *hull, size_t index, float normal[3]);

typedef struct wp_shape_table wp_shape_table;

typedef struct wp_shape_report {
	size_t invalid_count;
	size_t first_invalid;
	const char *reason;
} wp_shape_report;

WP_API size_t wp_shape_table_size(size_t count);

WP_API wp_error wp_shape_table_build(const wp_shape *shapes, size_t count, void *memory, size_t memory_size,
	const wp_shape_table **table, wp_shape_report *report);

WP_API wp_error wp_shape_table_init(void *memory, size_t memory_size, size_t count, wp_shape_table **table);

WP_API wp_error wp_shape_table_set(wp_shape_table *table, size_t index, const wp_shape *shape, const char **reason);

WP_API wp_error wp_shape_table_remove(wp_shape_table *table, size_t index);

WP_API size_t wp_shape_table_count(const wp_shape_table *table);

WP_API float wp_shape_table_bound(const wp_shape_table *table, size_t index);

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_WORKSPACE_H
#define WIDEPHASE_WORKSPACE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wp_workspace wp_workspace;

#define WP_WORKSPACE_SIZE (400 * 1024)
WP_API size_t wp_workspace_size(void);

WP_API wp_error wp_workspace_init_of(
	void *memory, size_t size, wp_variant variant, uint32_t version, wp_workspace **workspace);

static inline wp_error wp_workspace_init(void *memory, size_t size, wp_variant variant, wp_workspace **workspace)
{
	return wp_workspace_init_of(memory, size, variant, WP_VERSION_NUMBER, workspace);
}

WP_API wp_variant wp_workspace_variant(const wp_workspace *workspace);

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_QUERY_H
#define WIDEPHASE_QUERY_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wp_bodies {
	wp_const_real_column position;
	wp_const_float_column rotation;
	wp_const_uint32_column shape;
	size_t count;
	uint32_t position_real;
} wp_bodies;

typedef struct wp_batch {
	const wp_shape_table *shapes;
	wp_bodies a;
	wp_bodies b;
	wp_const_uint32_column pair_a;
	wp_const_uint32_column pair_b;
	size_t first;
	size_t count;
} wp_batch;

typedef struct wp_cache {
	uint32_t vertex[4];
	float axis[3];
	uint32_t count;
} wp_cache;

typedef struct wp_cache_column {
	wp_cache *data;
	size_t stride;
} wp_cache_column;

typedef struct wp_results {
	wp_float_column separation;
	wp_float_column normal;
	wp_real_column point_a;
	wp_real_column point_b;
	wp_float_column lower;
	wp_float_column upper;
	wp_uint32_column status;
	wp_uint32_column iterations;
	wp_uint8_column overlap;
	wp_float_column local_a;
	wp_float_column local_b;
	wp_float_column tangent_1;
	wp_float_column tangent_2;
	wp_cache_column cache;
	uint32_t point_real;
} wp_results;

WP_API void wp_tangents(const float normal[3], float tangent_1[3], float tangent_2[3]);

typedef struct wp_row {

	float separation;
	float normal[3];
	float point_a[3];
	float point_b[3];
	float lower;
	float upper;
	uint32_t status;
	uint32_t iterations;
} wp_row;

static inline wp_results wp_results_of_rows(wp_row *rows)
{
	if (rows == NULL) {
		const wp_results none = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0},
			{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, WP_REAL_FLOAT};
		return none;
	}
	const size_t size = sizeof *rows;
	const wp_results all = {{&rows->separation, size}, {rows->normal, size}, {rows->point_a, size},
		{rows->point_b, size}, {&rows->lower, size}, {&rows->upper, size}, {&rows->status, size},
		{&rows->iterations, size}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, WP_REAL_FLOAT};
	return all;
}

typedef enum wp_status {
	WP_STATUS_SEPARATED = 1 << 0,
	WP_STATUS_TOUCHING = 1 << 1,
	WP_STATUS_PENETRATING = 1 << 2,
	WP_STATUS_BEYOND = 1 << 3,
	WP_STATUS_STRONG = 1 << 4,
	WP_STATUS_ITERATION_CAP = 1 << 5,
	WP_STATUS_CAPACITY = 1 << 6,
	WP_STATUS_DEGENERATE = 1 << 7,
	WP_STATUS_WIDE_BRACKET = 1 << 8,
	WP_STATUS_INVALID = 1 << 9,
	WP_STATUS_HIT = 1 << 10,
	WP_STATUS_INVALID_BODY_A = 1 << 16,
	WP_STATUS_INVALID_SHAPE_A = 1 << 17,
	WP_STATUS_INVALID_POSITION_A = 1 << 18,
	WP_STATUS_INVALID_ROTATION_A = 1 << 19,
	WP_STATUS_INVALID_BODY_B = 1 << 20,
	WP_STATUS_INVALID_SHAPE_B = 1 << 21,
	WP_STATUS_INVALID_POSITION_B = 1 << 22,
	WP_STATUS_INVALID_ROTATION_B = 1 << 23,
	WP_STATUS_INVALID_TRACKED = 1 << 24
} wp_status;

#define WP_COORDINATE_MAX 1e30f

WP_API size_t wp_status_text(uint32_t status, char *text, size_t size);

#define WP_STATUS_TEXT_MAX 320

typedef struct wp_statistics {
	uint64_t rows;
	uint64_t separated, touching, penetrating;

	uint64_t beyond, strong, iteration_cap, capacity, degenerate, wide_bracket, invalid;
	uint64_t gjk_iterations, gjk_iterations_max;
	uint64_t epa_rows;
	uint64_t epa_iterations, epa_iterations_max;
	uint64_t lanes_issued, lanes_live;
	uint64_t first_invalid_row;
} wp_statistics;

typedef struct wp_contact_options {
	float max_separation;
} wp_contact_options;

WP_API wp_error wp_overlap(
	wp_workspace *workspace, const wp_batch *batch, const wp_results *results, wp_statistics *statistics);
WP_API wp_error wp_distance(
	wp_workspace *workspace, const wp_batch *batch, const wp_results *results, wp_statistics *statistics);
WP_API wp_error wp_contact(wp_workspace *workspace, const wp_batch *batch, const wp_contact_options *options,
	const wp_results *results, wp_statistics *statistics);

typedef struct wp_pose {
	float position[3];
	float rotation[4];
} wp_pose;

WP_API wp_error wp_overlap_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, wp_row *row);
WP_API wp_error wp_distance_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, wp_row *row);
WP_API wp_error wp_contact_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const wp_contact_options *options, wp_row *row);

typedef struct wp_pair {
	const wp_shape_table *shapes;
	uint32_t shape_a;
	uint32_t shape_b;
	const void *position_a;
	const float *rotation_a;
	const void *position_b;
	const float *rotation_b;
	uint32_t position_real;
} wp_pair;

WP_API wp_error wp_overlap_prepared(wp_workspace *workspace, const wp_pair *pair, wp_cache *cache, wp_row *row);
WP_API wp_error wp_distance_prepared(wp_workspace *workspace, const wp_pair *pair, wp_cache *cache, wp_row *row);
WP_API wp_error wp_contact_prepared(
	wp_workspace *workspace, const wp_pair *pair, const wp_contact_options *options, wp_cache *cache, wp_row *row);

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_METHOD_H
#define WIDEPHASE_METHOD_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wp_method {

	WP_METHOD_AUTO = 0,

	WP_METHOD_GJK_EPA,

	WP_METHOD_CORE,

	WP_METHOD_SAMPLED,

	WP_METHOD_COUNT
} wp_method;

#define WP_METHOD_DIRECTIONS_MIN 6
#define WP_METHOD_DIRECTIONS_MAX 256

typedef struct wp_method_options {
	uint32_t method;
	uint32_t directions;
	float margin;
} wp_method_options;

WP_API wp_error wp_contact_by_method(wp_workspace *workspace, const wp_batch *batch, const wp_contact_options *options,
	const wp_method_options *method, const wp_results *results, wp_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_CAST_H
#define WIDEPHASE_CAST_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wp_motions {
	wp_const_float_column translation;
	wp_const_float_column rotation;
} wp_motions;

#define WP_CAST_STEP_MAX 64

WP_API wp_error wp_cast(wp_workspace *workspace, const wp_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction, wp_statistics *statistics);

WP_API wp_error wp_cast_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const wp_pose *end_a, const wp_pose *end_b, wp_row *row,
	float *fraction);

WP_API wp_error wp_cast_prepared(wp_workspace *workspace, const wp_pair *pair, const wp_motions *motion_a,
	const wp_motions *motion_b, wp_row *row, float *fraction);

WP_API wp_error wp_depth_along(wp_workspace *workspace, const wp_batch *batch, const wp_const_float_column *direction,
	const wp_results *results, wp_statistics *statistics);

WP_API wp_error wp_depth_along_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const float direction[3], wp_row *row);

WP_API wp_error wp_depth_along_prepared(
	wp_workspace *workspace, const wp_pair *pair, const float direction[3], wp_row *row);

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_MANIFOLD_H
#define WIDEPHASE_MANIFOLD_H

#ifdef __cplusplus
extern "C" {
#endif

#define WP_MANIFOLD_POINT_MAX 8

#define WP_FEATURE_FACE 0xffffffffu

typedef struct wp_manifold_point {
	float point_a[3], point_b[3];
	float local_a[3], local_b[3];
	float separation;
	uint32_t feature_a;
	uint32_t feature_b;
} wp_manifold_point;

typedef struct wp_solver_point {
	float local_a[3], local_b[3];
	float separation;
	uint32_t feature_a, feature_b;
} wp_solver_point;

typedef struct wp_manifold_point_column {
	wp_manifold_point *data;
	size_t stride;
} wp_manifold_point_column;

typedef struct wp_solver_point_column {
	wp_solver_point *data;
	size_t stride;
} wp_solver_point_column;

typedef struct wp_manifolds {
	wp_uint32_column count;
	wp_manifold_point_column points;
	uint32_t point_max;
	wp_solver_point_column solver_points;
} wp_manifolds;

#define WP_FACE_VERTEX_MAX 32

#define WP_CAP_VERTEX_COUNT 8

WP_API wp_error wp_contact_manifold(wp_workspace *workspace, const wp_batch *batch, const wp_contact_options *options,
	const wp_results *results, const wp_manifolds *manifolds, wp_statistics *statistics);

WP_API wp_error wp_contact_manifold_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const wp_contact_options *options, wp_row *row,
	wp_manifold_point *points, uint32_t point_max, uint32_t *count);

WP_API wp_error wp_contact_manifold_prepared(wp_workspace *workspace, const wp_pair *pair,
	const wp_contact_options *options, wp_cache *cache, wp_row *row, wp_manifold_point *points, uint32_t point_max,
	uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_PERSIST_H
#define WIDEPHASE_PERSIST_H

#ifdef __cplusplus
extern "C" {
#endif

#define WP_PERSISTENT_POINT_MAX 4

typedef struct wp_persistent_point {
	float arm_a[3];
	float separation;
	float arm_b[3];
	uint32_t age;
} wp_persistent_point;

typedef struct wp_persistent_place {
	float local_a[3];
	uint32_t feature_a;
	float local_b[3];
	uint32_t feature_b;
} wp_persistent_place;

typedef struct wp_persistent_manifold {
	wp_persistent_place places[WP_PERSISTENT_POINT_MAX];
	wp_persistent_point points[WP_PERSISTENT_POINT_MAX];
	float impulses[WP_PERSISTENT_POINT_MAX][3];
	float normal[3];
	uint32_t count;
} wp_persistent_manifold;

typedef struct wp_persistent_thresholds {
	float breaking;
	float sideways;
	float merging;
} wp_persistent_thresholds;

WP_API wp_persistent_thresholds wp_persistent_thresholds_of(float size);

WP_API wp_error wp_persistent_poses(const double position_a[3], const float rotation_a[4], const double position_b[3],
	const float rotation_b[4], wp_pose *pose_a, wp_pose *pose_b);

WP_API wp_error wp_persistent_refresh(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_persistent_thresholds *thresholds);

WP_API wp_error wp_persistent_update(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_manifold_point *points, uint32_t count, const wp_persistent_thresholds *thresholds);

WP_API wp_error wp_persistent_add(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_manifold_point *point, const wp_persistent_thresholds *thresholds);

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_TRACK_H
#define WIDEPHASE_TRACK_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wp_track_event {
	WP_TRACK_BEGAN = 1 << 0,
	WP_TRACK_ENDED = 1 << 1,
	WP_TRACK_KEPT = 1 << 2,
	WP_TRACK_REUSED = 1 << 3
} wp_track_event;

typedef struct wp_tracked {
	wp_cache known;
	uint32_t body[2];
	uint32_t shape[2];
	float lever;
	float separation;
	uint32_t status;
	uint16_t event;
	uint16_t count;
} wp_tracked;

typedef struct wp_tracked_anchor {
	float plane[8];
	float position[4];
	float rotation[4];
} wp_tracked_anchor;

typedef struct wp_tracked_polytope {
	uint32_t vertex[4];
	float position[3];
	float room;
	float rotation[4];
	uint32_t shape[2];
	uint32_t edge;
	float scale;
} wp_tracked_polytope;

typedef struct wp_tracked_pairs {
	wp_tracked *pairs;

	wp_persistent_manifold *manifolds;

	wp_tracked_anchor *anchors;

	size_t count;

	wp_const_uint32_column index;
	wp_tracked_polytope *polytopes;
} wp_tracked_pairs;

typedef struct wp_track_options {
	float max_separation;
	float merging;
	float reuse_error;
} wp_track_options;

typedef struct wp_track_changes {
	uint32_t *rows;
	size_t capacity;
	size_t count;
} wp_track_changes;

WP_API wp_error wp_track(wp_workspace *workspace, const wp_batch *batch, const wp_track_options *options,
	const wp_tracked_pairs *tracked, const wp_results *results, wp_track_changes *changes, wp_statistics *statistics);

#define WP_TRACK_NONE 0xffffffffu

typedef struct wp_track_pool {
	wp_tracked *pairs;
	uint32_t capacity;
	uint32_t used;
	uint32_t available;
} wp_track_pool;

WP_API wp_error wp_track_pool_init(wp_track_pool *pool, wp_tracked *pairs, uint32_t capacity);

WP_API uint32_t wp_track_pool_take(wp_track_pool *pool);

WP_API wp_error wp_track_pool_give(wp_track_pool *pool, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_MESH_H
#define WIDEPHASE_MESH_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wp_mesh wp_mesh;

#define WP_MESH_TRIANGLE_MAX 268435456

typedef enum wp_edge_kind {
	WP_EDGE_FLAT = 0,
	WP_EDGE_CONVEX,
	WP_EDGE_CONCAVE,
	WP_EDGE_BOUNDARY,
	WP_EDGE_KIND_COUNT
} wp_edge_kind;

typedef struct wp_mesh_edge {
	uint32_t kind;
	uint32_t neighbour;
	uint32_t neighbour_edge;
} wp_mesh_edge;

WP_API wp_error wp_mesh_from_memory(const void *memory, size_t size, const wp_mesh **mesh);

WP_API size_t wp_mesh_byte_size(const wp_mesh *mesh);
WP_API size_t wp_mesh_vertex_count(const wp_mesh *mesh);
WP_API size_t wp_mesh_triangle_count(const wp_mesh *mesh);
WP_API size_t wp_mesh_node_count(const wp_mesh *mesh);
WP_API size_t wp_mesh_depth(const wp_mesh *mesh);

WP_API void wp_mesh_bounds(const wp_mesh *mesh, float lower[3], float upper[3]);

WP_API void wp_mesh_vertex(const wp_mesh *mesh, size_t index, float vertex[3]);

WP_API void wp_mesh_triangle(const wp_mesh *mesh, size_t index, uint32_t corners[3]);

WP_API uint32_t wp_mesh_source(const wp_mesh *mesh, size_t index);

WP_API void wp_mesh_normal(const wp_mesh *mesh, size_t index, float normal[3]);

WP_API wp_mesh_edge wp_mesh_edge_of(const wp_mesh *mesh, size_t index, size_t edge);

WP_API int wp_mesh_is_face_only(const wp_mesh *mesh, size_t index);

WP_API wp_error wp_mesh_overlap_box(const wp_mesh *mesh, const float lower[3], const float upper[3], uint32_t *cursor,
	uint32_t *triangles, size_t capacity, size_t *count);

typedef struct wp_mesh_hit {
	uint32_t triangle;
	uint32_t is_front;
	float fraction;
	float weights[3];
} wp_mesh_hit;

#define WP_MESH_MISS UINT32_MAX

WP_API wp_error wp_mesh_ray(const wp_mesh *mesh, const float start[3], const float way[3], wp_mesh_hit *hit);

#define WP_HEIGHT_CELL_MAX 268435456

#define WP_HEIGHT_HOLE 3.402823466e38f
#define WP_HEIGHT_HOLE_INT16 (-32768)

typedef enum wp_height_format { WP_HEIGHT_FLOAT = 0, WP_HEIGHT_INT16, WP_HEIGHT_FORMAT_COUNT } wp_height_format;

typedef enum wp_height_flag { WP_HEIGHT_OTHER_DIAGONAL = 1 << 0 } wp_height_flag;

typedef struct wp_height_field {
	const void *samples;
	size_t row_stride;
	uint32_t columns, rows;
	uint32_t format;
	uint32_t flags;
	float spacing[2];
	float scale, offset;
} wp_height_field;

WP_API wp_error wp_height_field_check(const wp_height_field *field);

WP_API size_t wp_height_field_triangle_count(const wp_height_field *field);

WP_API int wp_height_field_triangle(const wp_height_field *field, size_t index, float corners[3][3]);

WP_API void wp_height_field_normal(const wp_height_field *field, size_t index, float normal[3]);

WP_API wp_error wp_height_field_ray(
	const wp_height_field *field, const float start[3], const float way[3], wp_mesh_hit *hit);

typedef struct wp_mesh_batch {
	const wp_shape_table *shapes;
	const wp_mesh *const *meshes;
	size_t mesh_count;
	const wp_height_field *const *height_fields;
	size_t height_field_count;
	wp_bodies a;
	wp_bodies b;
	wp_const_uint32_column pair_a;
	wp_const_uint32_column pair_b;
	size_t first;
	size_t count;
} wp_mesh_batch;

typedef enum wp_mesh_flag { WP_MESH_TWO_SIDED = 1 << 0, WP_MESH_GHOSTS = 1 << 1 } wp_mesh_flag;

typedef struct wp_mesh_options {
	float max_separation;
	uint32_t flags;
} wp_mesh_options;

#define WP_MESH_PATCH_MAX 8
#define WP_MESH_POINT_MAX 4

typedef struct wp_mesh_point {
	float point_a[3], point_b[3];
	float local_a[3], local_b[3];
	float separation;
	uint32_t triangle;
	uint32_t feature_a;
	uint32_t feature_b;
} wp_mesh_point;

typedef struct wp_mesh_patch {
	float normal[3];
	float separation;
	uint32_t point_count;
	wp_mesh_point points[WP_MESH_POINT_MAX];
} wp_mesh_patch;

typedef struct wp_mesh_patch_column {
	wp_mesh_patch *data;
	size_t stride;
} wp_mesh_patch_column;

typedef struct wp_mesh_results {
	wp_float_column separation;
	wp_float_column normal;
	wp_uint32_column status;
	wp_uint32_column triangle_count;
	wp_uint32_column patch_count;
	wp_mesh_patch_column patches;
	uint32_t patch_max;
} wp_mesh_results;

typedef struct wp_mesh_statistics {
	uint64_t rows;
	uint64_t touching;
	uint64_t invalid;
	uint64_t first_invalid_row;
	uint64_t triangles;
	uint64_t behind;
	uint64_t beyond;
	uint64_t solved;
	uint64_t touched;
	uint64_t turned;
	uint64_t dropped;
	uint64_t strong;
} wp_mesh_statistics;

WP_API wp_error wp_mesh_contact(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_options *options,
	const wp_mesh_results *results, wp_mesh_statistics *statistics);

WP_API wp_error wp_mesh_overlap(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_results *results,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics);

typedef struct wp_mesh_distance_options {
	float max_distance;
} wp_mesh_distance_options;

WP_API wp_error wp_mesh_distance(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_mesh_distance_options *options, const wp_results *results, const wp_uint32_column *triangle,
	wp_mesh_statistics *statistics);

WP_API wp_error wp_mesh_cast(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_PLANE_H
#define WIDEPHASE_PLANE_H

#ifdef __cplusplus
extern "C" {
#endif

#define WP2D_POLYGON_VERTEX_MAX 64

typedef enum wp2d_shape_kind {
	WP2D_SHAPE_CIRCLE = 0,
	WP2D_SHAPE_CAPSULE,
	WP2D_SHAPE_SEGMENT,
	WP2D_SHAPE_POLYGON,
	WP2D_SHAPE_KIND_COUNT
} wp2d_shape_kind;

typedef struct wp2d_shape {
	uint32_t kind;
	float radius;
	float half_height;
	float points[2][2];
	const float *vertices;
	uint32_t vertex_count;
} wp2d_shape;

WP_API wp2d_shape wp2d_shape_circle(float radius);
WP_API wp2d_shape wp2d_shape_capsule(float radius, float half_height);
WP_API wp2d_shape wp2d_shape_segment(const float start[2], const float end[2]);
WP_API wp2d_shape wp2d_shape_polygon(const float *vertices, uint32_t vertex_count);

WP_API const char *wp2d_shape_kind_name(wp2d_shape_kind kind);

typedef struct wp2d_shape_table wp2d_shape_table;

WP_API size_t wp2d_shape_table_size(const wp2d_shape *shapes, size_t count);

WP_API wp_error wp2d_shape_table_build(const wp2d_shape *shapes, size_t count, void *memory, size_t memory_size,
	const wp2d_shape_table **table, wp_shape_report *report);

WP_API size_t wp2d_shape_table_init_size(size_t count, uint32_t vertex_max);

WP_API wp_error wp2d_shape_table_init(
	void *memory, size_t memory_size, size_t count, uint32_t vertex_max, wp2d_shape_table **table);

WP_API wp_error wp2d_shape_table_set(
	wp2d_shape_table *table, size_t index, const wp2d_shape *shape, const char **reason);
WP_API wp_error wp2d_shape_table_remove(wp2d_shape_table *table, size_t index);

WP_API size_t wp2d_shape_table_count(const wp2d_shape_table *table);

WP_API float wp2d_shape_table_bound(const wp2d_shape_table *table, size_t index);

typedef wp_bodies wp2d_bodies;

typedef struct wp2d_batch {
	const wp2d_shape_table *shapes;
	wp2d_bodies a;
	wp2d_bodies b;
	wp_const_uint32_column pair_a;
	wp_const_uint32_column pair_b;
	size_t first;
	size_t count;
} wp2d_batch;

typedef wp_results wp2d_results;

typedef struct wp2d_row {

	float separation;
	float normal[2];
	float point_a[2];
	float point_b[2];
	float lower;
	float upper;
	uint32_t status;
	uint32_t iterations;
} wp2d_row;

static inline wp2d_results wp2d_results_of_rows(wp2d_row *rows)
{
	if (rows == NULL)
		return wp_results_of_rows(NULL);
	const size_t size = sizeof *rows;
	const wp2d_results all = {{&rows->separation, size}, {rows->normal, size}, {rows->point_a, size},
		{rows->point_b, size}, {&rows->lower, size}, {&rows->upper, size}, {&rows->status, size},
		{&rows->iterations, size}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, WP_REAL_FLOAT};
	return all;
}

WP_API wp_error wp2d_overlap(
	wp_workspace *workspace, const wp2d_batch *batch, const wp2d_results *results, wp_statistics *statistics);
WP_API wp_error wp2d_distance(
	wp_workspace *workspace, const wp2d_batch *batch, const wp2d_results *results, wp_statistics *statistics);
WP_API wp_error wp2d_contact(wp_workspace *workspace, const wp2d_batch *batch, const wp_contact_options *options,
	const wp2d_results *results, wp_statistics *statistics);

#define WP2D_MANIFOLD_POINT_MAX 2

typedef struct wp2d_manifold_point {
	float point_a[2], point_b[2];
	float local_a[2], local_b[2];
	float separation;

	uint32_t feature_a, feature_b;
} wp2d_manifold_point;

typedef struct wp2d_manifold_point_column {
	wp2d_manifold_point *data;
	size_t stride;
} wp2d_manifold_point_column;

typedef struct wp2d_manifolds {
	wp_uint32_column count;
	wp2d_manifold_point_column points;
	uint32_t point_max;
} wp2d_manifolds;

WP_API wp_error wp2d_contact_manifold(wp_workspace *workspace, const wp2d_batch *batch,
	const wp_contact_options *options, const wp2d_results *results, const wp2d_manifolds *manifolds,
	wp_statistics *statistics);

typedef wp_motions wp2d_motions;

WP_API wp_error wp2d_cast(wp_workspace *workspace, const wp2d_batch *batch, const wp2d_motions *motions_a,
	const wp2d_motions *motions_b, const wp2d_results *results, const wp_float_column *fraction,
	wp_statistics *statistics);

typedef struct wp2d_pose {
	float position[2];
	float rotation[2];
} wp2d_pose;

WP_API wp_error wp2d_overlap_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, wp2d_row *row);
WP_API wp_error wp2d_distance_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, wp2d_row *row);
WP_API wp_error wp2d_contact_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, const wp_contact_options *options, wp2d_row *row);
WP_API wp_error wp2d_contact_manifold_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, const wp_contact_options *options, wp2d_row *row,
	wp2d_manifold_point *points, uint32_t point_max, uint32_t *count);

WP_API wp_error wp2d_cast_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, const wp2d_pose *end_a, const wp2d_pose *end_b, wp2d_row *row,
	float *fraction);

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_REFERENCE_H
#define WIDEPHASE_REFERENCE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wp_reference_row {

	double separation;
	double normal[3];
	double point_a[3];
	double point_b[3];
	double lower;
	double upper;
	uint32_t status;
	uint32_t iterations;
} wp_reference_row;

WP_API wp_error wp_reference_contact_pair(const wp_shape *shape_a, const double position_a[3],
	const float rotation_a[4], const wp_shape *shape_b, const double position_b[3], const float rotation_b[4],
	wp_reference_row *row);

WP_API wp_error wp_reference_contact_of(
	const wp_batch *batch, const wp_shape *shapes, size_t shape_count, uint32_t version, wp_reference_row *rows);

static inline wp_error wp_reference_contact(
	const wp_batch *batch, const wp_shape *shapes, size_t shape_count, wp_reference_row *rows)
{
	return wp_reference_contact_of(batch, shapes, shape_count, WP_VERSION_NUMBER, rows);
}

#ifdef __cplusplus
}
#endif

#endif

#ifndef WIDEPHASE_WIDEPHASE_H
#define WIDEPHASE_WIDEPHASE_H

#endif

#ifndef WIDEPHASE_COOK_H
#define WIDEPHASE_COOK_H

#ifdef __cplusplus
extern "C" {
#endif

WP_API wp_error wp_cook_points(
	const float *points, size_t point_stride, size_t count, const wp_hull **hull, size_t *bad_index);

WP_API wp_error wp_cook_simplified(const float *points, size_t point_stride, size_t count, size_t max_vertices,
	const wp_hull **hull, float *error, size_t *bad_index);

typedef struct wp_mass {
	double volume;
	double centroid[3];
	double inertia[3][3];
} wp_mass;

WP_API wp_error wp_cook_mass(const wp_hull *hull, wp_mass *mass);

WP_API void wp_cook_free(const wp_hull *hull);

typedef struct wp_mesh_input {
	wp_const_float_column vertices;
	size_t vertex_count;
	wp_const_uint32_column triangles;
	size_t triangle_count;
} wp_mesh_input;

typedef struct wp_mesh_report {
	size_t bad_index;
	size_t welded;
	size_t dropped;
	size_t unused;
	size_t boundary_edges;
	size_t crowded_edges;
	size_t turned_edges;
} wp_mesh_report;

WP_API wp_error wp_cook_mesh(const wp_mesh_input *input, const wp_mesh **mesh, wp_mesh_report *report);

WP_API void wp_cook_free_mesh(const wp_mesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
