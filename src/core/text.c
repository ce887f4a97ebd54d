/* Numbers of the public interface as words. */
#include "core/base.h"
#include "widephase/query.h"

#define TEXT_OF(number) #number
#define TEXT_OF_MACRO(macro) TEXT_OF(macro)

uint32_t wp_version_number(void) { return WP_VERSION_NUMBER; }

const char *wp_version(void)
{
	return TEXT_OF_MACRO(WP_VERSION_MAJOR) "." TEXT_OF_MACRO(WP_VERSION_MINOR) "." TEXT_OF_MACRO(WP_VERSION_PATCH);
}

static const char *const error_texts[] = {
	[WP_OK] = "no error",
	[WP_ERROR_NULL_NAME] = "name is NULL",
	[WP_ERROR_NULL_VARIANT] = "variant is NULL",
	[WP_ERROR_NULL_MEMORY] = "memory is NULL",
	[WP_ERROR_NULL_WORKSPACE] = "workspace is NULL",
	[WP_ERROR_NULL_INPUT] = "input is NULL",
	[WP_ERROR_NULL_VERTICES] = "input->vertices.data is NULL",
	[WP_ERROR_NULL_FACE_SIZES] = "input->face_sizes is NULL",
	[WP_ERROR_NULL_FACE_INDICES] = "input->face_indices is NULL",
	[WP_ERROR_NULL_HULL] = "hull is NULL",
	[WP_ERROR_NULL_SHAPES] = "shapes is NULL",
	[WP_ERROR_NULL_SHAPE] = "shape is NULL",
	[WP_ERROR_NULL_TABLE] = "table is NULL",
	[WP_ERROR_NULL_BATCH] = "batch is NULL",
	[WP_ERROR_NULL_BATCH_SHAPES] = "batch->shapes is NULL",
	[WP_ERROR_NULL_RESULTS] = "results is NULL",
	[WP_ERROR_NULL_SHAPE_A] = "shape_a is NULL",
	[WP_ERROR_NULL_POSE_A] = "pose_a is NULL",
	[WP_ERROR_NULL_SHAPE_B] = "shape_b is NULL",
	[WP_ERROR_NULL_POSE_B] = "pose_b is NULL",
	[WP_ERROR_NULL_ROW] = "row is NULL",
	[WP_ERROR_NULL_ROWS] = "rows is NULL",
	[WP_ERROR_NULL_PAIR] = "pair is NULL",
	[WP_ERROR_NULL_PAIR_SHAPES] = "pair->shapes is NULL",
	[WP_ERROR_PAIR_POSITION_A] = "pair->position_a is NULL",
	[WP_ERROR_PAIR_ROTATION_A] = "pair->rotation_a is NULL",
	[WP_ERROR_PAIR_POSITION_B] = "pair->position_b is NULL",
	[WP_ERROR_PAIR_ROTATION_B] = "pair->rotation_b is NULL",
	[WP_ERROR_PAIR_REAL] = "pair->position_real is not a wp_real",
	[WP_ERROR_NULL_FRACTION] = "fraction is NULL",
	[WP_ERROR_NULL_DIRECTION] = "direction is NULL",
	[WP_ERROR_NULL_DIRECTION_DATA] = "direction->data is NULL",
	[WP_ERROR_NULL_MANIFOLDS] = "manifolds is NULL",
	[WP_ERROR_NULL_MANIFOLDS_COUNT] = "manifolds->count.data is NULL",
	[WP_ERROR_NULL_MANIFOLDS_POINTS] = "manifolds->points.data is NULL",
	[WP_ERROR_NULL_POINTS] = "points is NULL",
	[WP_ERROR_NULL_COUNT] = "count is NULL",
	[WP_ERROR_NULL_MANIFOLD] = "manifold is NULL",
	[WP_ERROR_NULL_NORMAL] = "normal is NULL",
	[WP_ERROR_NULL_POINT] = "point is NULL",
	[WP_ERROR_NULL_THRESHOLDS] = "thresholds is NULL",
	[WP_ERROR_NULL_POSITION_A] = "position_a is NULL",
	[WP_ERROR_NULL_ROTATION_A] = "rotation_a is NULL",
	[WP_ERROR_NULL_POSITION_B] = "position_b is NULL",
	[WP_ERROR_NULL_ROTATION_B] = "rotation_b is NULL",
	[WP_ERROR_NULL_MASS] = "mass is NULL",
	[WP_ERROR_MEMORY_TOO_SMALL] = "the memory is smaller than the matching size function returns",
	[WP_ERROR_MEMORY_MISALIGNED] = "the memory is not aligned to WP_ALIGNMENT",
	[WP_ERROR_WORKSPACE_INVALID] = "workspace was not made by wp_workspace_init",
	[WP_ERROR_SHAPE_TABLE_INVALID] = "the shape table was not made by wp_shape_table_build or wp_shape_table_init",
	[WP_ERROR_SHAPE_INDEX] = "index is not below the count of the shape table",
	[WP_ERROR_SHAPE] = "the shape is invalid",
	[WP_ERROR_VARIANT_UNKNOWN] = "variant names no kernel variant",
	[WP_ERROR_VARIANT_NOT_BUILT] = "variant is not in this build of the library",
	[WP_ERROR_VARIANT_NOT_SUPPORTED] = "variant cannot run on this processor or operating system",
	[WP_ERROR_BODIES_A_POSITION] = "batch->a.position.data is NULL",
	[WP_ERROR_BODIES_A_ROTATION] = "batch->a.rotation.data is NULL",
	[WP_ERROR_BODIES_A_REAL] = "batch->a.position_real is not a wp_real",
	[WP_ERROR_BODIES_B_POSITION] =
		"batch->b.position.data is NULL while another field of batch->b is set, or its bodies are meshes",
	[WP_ERROR_BODIES_B_ROTATION] = "batch->b.rotation.data is NULL while batch->b.position.data is set",
	[WP_ERROR_BODIES_B_REAL] = "batch->b.position_real is not a wp_real, or differs from batch->a.position_real",
	[WP_ERROR_PAIR_RANGE] =
		"batch->first + batch->count overflows, exceeds changes->rows or the bodies of boxes, or is 2^32 or more",
	[WP_ERROR_MAX_SEPARATION] = "options->max_separation is NaN or negative",
	[WP_ERROR_MANIFOLDS_POINT_MAX] =
		"manifolds->point_max is above WP_MANIFOLD_POINT_MAX, in 2D WP2D_MANIFOLD_POINT_MAX",
	[WP_ERROR_RESULTS_REAL] = "results->point_real is not a wp_real",
	[WP_ERROR_HULL_VERTEX_COUNT] = "the number of hull vertices is 0 or above WP_HULL_VERTEX_MAX",
	[WP_ERROR_HULL_VERTEX] = "a hull vertex is not finite or beyond WP_COORDINATE_MAX",
	[WP_ERROR_HULL_FACE] = "a hull face has fewer than 3 vertices, or an index out of range",
	[WP_ERROR_HULL_FACE_REPEATS] = "a hull face has a vertex twice",
	[WP_ERROR_HULL_FACE_WINDING] = "a hull face is clockwise seen from outside, and others are not",
	[WP_ERROR_HULL_FACE_PLANE] = "the vertices of a hull face are not in one plane",
	[WP_ERROR_HULL_FACE_CONVEX] = "a hull vertex is outside a face, or a face is not convex",
	[WP_ERROR_HULL_FACE_OPEN] = "an edge of a hull face has no face on its other side",
	[WP_ERROR_HULL_FACES] = "the faces of a hull overlap each other, lie apart, or have no area at all",
	[WP_ERROR_HULL_CORRUPT] = "the memory does not hold an intact hull",
	[WP_ERROR_HULL_COOK] = "no hull could be computed from the points",
	[WP_ERROR_POSE] = "a pose is not finite or beyond WP_COORDINATE_MAX, or its rotation is invalid",
	[WP_ERROR_NORMAL] = "a normal is not finite or not of unit length",
	[WP_ERROR_THRESHOLD] = "a threshold is NaN or negative",
	[WP_ERROR_CONTACT_POINT] = "a contact point is not finite or beyond WP_COORDINATE_MAX, or there are too many",
	[WP_ERROR_PERSISTENT_MANIFOLD] = "a persistent manifold has more than WP_PERSISTENT_POINT_MAX points",
	[WP_ERROR_MAX_VERTICES] = "max_vertices is below 4",
	[WP_ERROR_HULL_VOLUME] = "the faces of the hull enclose no volume",
	[WP_ERROR_NULL_METHOD] = "method is NULL",
	[WP_ERROR_METHOD] = "method->method is not a wp_method",
	[WP_ERROR_METHOD_MARGIN] = "method->margin is NaN, negative or beyond WP_COORDINATE_MAX",
	[WP_ERROR_METHOD_DIRECTIONS] =
		"method->directions is below WP_METHOD_DIRECTIONS_MIN or above WP_METHOD_DIRECTIONS_MAX",
	[WP_ERROR_PAIR_A_STRIDE] =
		"batch->pair_a.stride is smaller than an index, or 0 where pair_a and pair_b are one index apart",
	[WP_ERROR_PAIR_B_STRIDE] =
		"batch->pair_b.stride is smaller than an index, or 0 where pair_a and pair_b are one index apart",
	[WP_ERROR_BODIES_A_POSITION_STRIDE] = "batch->a.position.stride is smaller than a position",
	[WP_ERROR_BODIES_A_ROTATION_STRIDE] = "batch->a.rotation.stride is smaller than a rotation",
	[WP_ERROR_BODIES_A_SHAPE_STRIDE] = "batch->a.shape.stride is smaller than an index",
	[WP_ERROR_BODIES_B_POSITION_STRIDE] = "batch->b.position.stride is smaller than a position",
	[WP_ERROR_BODIES_B_ROTATION_STRIDE] = "batch->b.rotation.stride is smaller than a rotation",
	[WP_ERROR_BODIES_B_SHAPE_STRIDE] = "batch->b.shape.stride is smaller than an index",
	[WP_ERROR_RESULTS_CACHE_STRIDE] = "results->cache.stride is smaller than a wp_cache",
	[WP_ERROR_RESULTS_SEPARATION_STRIDE] = "results->separation.stride is smaller than a float",
	[WP_ERROR_RESULTS_NORMAL_STRIDE] = "results->normal.stride is smaller than a vector",
	[WP_ERROR_RESULTS_POINT_A_STRIDE] = "results->point_a.stride is smaller than a point of point_real",
	[WP_ERROR_RESULTS_POINT_B_STRIDE] = "results->point_b.stride is smaller than a point of point_real",
	[WP_ERROR_RESULTS_LOWER_STRIDE] = "results->lower.stride is smaller than a float",
	[WP_ERROR_RESULTS_UPPER_STRIDE] = "results->upper.stride is smaller than a float",
	[WP_ERROR_RESULTS_STATUS_STRIDE] = "results->status.stride is smaller than a uint32_t",
	[WP_ERROR_RESULTS_ITERATIONS_STRIDE] = "results->iterations.stride is smaller than a uint32_t",
	[WP_ERROR_RESULTS_LOCAL_A_STRIDE] = "results->local_a.stride is smaller than a vector",
	[WP_ERROR_RESULTS_LOCAL_B_STRIDE] = "results->local_b.stride is smaller than a vector",
	[WP_ERROR_RESULTS_TANGENT_1_STRIDE] = "results->tangent_1.stride is smaller than a vector",
	[WP_ERROR_RESULTS_TANGENT_2_STRIDE] = "results->tangent_2.stride is smaller than a vector",
	[WP_ERROR_FRACTION_STRIDE] = "fraction->stride is smaller than a float",
	[WP_ERROR_MANIFOLDS_COUNT_STRIDE] = "manifolds->count.stride is smaller than a uint32_t",
	[WP_ERROR_MANIFOLDS_POINTS_STRIDE] = "manifolds->points.stride is smaller than the points of a row",
	[WP_ERROR_MOTIONS_A_TRANSLATION_STRIDE] = "motions_a->translation.stride is smaller than a translation",
	[WP_ERROR_MOTIONS_A_ROTATION_STRIDE] = "motions_a->rotation.stride is smaller than a rotation",
	[WP_ERROR_MOTIONS_B_TRANSLATION_STRIDE] = "motions_b->translation.stride is smaller than a translation",
	[WP_ERROR_MOTIONS_B_ROTATION_STRIDE] = "motions_b->rotation.stride is smaller than a rotation",
	[WP_ERROR_DIRECTION_STRIDE] = "direction->stride is smaller than a direction",
	[WP_ERROR_HULL_VERTEX_STRIDE] = "input->vertices.stride is smaller than a vertex",
	[WP_ERROR_POINT_STRIDE] = "point_stride is smaller than a point",
	[WP_ERROR_NULL_OPTIONS] = "options is NULL",
	[WP_ERROR_NULL_TRACKED] = "tracked is NULL",
	[WP_ERROR_NULL_TRACKED_PAIRS] = "tracked->pairs is NULL",
	[WP_ERROR_NULL_TRACKED_MANIFOLDS] = "tracked->manifolds is NULL",
	[WP_ERROR_NULL_TRACKED_ANCHORS] = "tracked->anchors is NULL, and options->reuse_error is above 0",
	[WP_ERROR_NULL_PAIRS] = "pairs is NULL",
	[WP_ERROR_NULL_POOL] = "pool is NULL",
	[WP_ERROR_NULL_CHANGES_ROWS] = "changes->rows is NULL, and changes->capacity is not 0",
	[WP_ERROR_TRACKED_COUNT] = "tracked->count is 2^32 or more",
	[WP_ERROR_TRACKED_INDEX_STRIDE] = "tracked->index.stride is smaller than an index",
	[WP_ERROR_TRACKED_INDEX] = "the index names no pair of the pool that is in use",
	[WP_ERROR_POOL_CAPACITY] = "the capacity of the pool is above 2^32 - 2",
	[WP_ERROR_REUSE_ERROR] = "options->reuse_error is NaN or negative",
	[WP_ERROR_MERGING] = "options->merging is NaN or negative",
	[WP_ERROR_VERSION] = "the program was compiled with headers of another version",
	[WP_ERROR_VARIANT_ARITHMETIC] =
		"the library was compiled with flags that change floating-point results, such as -funsafe-math-optimizations",
	[WP_ERROR_NULL_MESH] = "mesh is NULL",
	[WP_ERROR_NULL_LOWER] = "lower is NULL",
	[WP_ERROR_NULL_UPPER] = "upper is NULL",
	[WP_ERROR_NULL_CURSOR] = "cursor is NULL",
	[WP_ERROR_NULL_TRIANGLES] = "triangles is NULL, and capacity is not 0",
	[WP_ERROR_NULL_START] = "start is NULL, or has no data",
	[WP_ERROR_NULL_WAY] = "way is NULL, or has no data",
	[WP_ERROR_NULL_HIT] = "hit is NULL, or has no data",
	[WP_ERROR_MESH_CORRUPT] = "the memory does not hold an intact mesh",
	[WP_ERROR_MESH_BOX] = "the box is NaN, or its lower corner is above its upper one",
	[WP_ERROR_MESH_RAY] = "start or way is not finite or beyond WP_COORDINATE_MAX",
	[WP_ERROR_MESH_VERTEX] = "a vertex of the mesh is not finite or beyond WP_COORDINATE_MAX",
	[WP_ERROR_MESH_INDEX] = "a triangle of the mesh has an index out of range",
	[WP_ERROR_MESH_COUNT] = "the mesh has more triangles or distinct vertices than WP_MESH_TRIANGLE_MAX",
	[WP_ERROR_MESH_EMPTY] = "the mesh has no triangle with an area",
	[WP_ERROR_MESH_MEMORY] = "no memory for the mesh",
	[WP_ERROR_MESH_VERTEX_STRIDE] = "input->vertices.stride is smaller than a vertex of a mesh",
	[WP_ERROR_MESH_TRIANGLE_STRIDE] = "input->triangles.stride is smaller than three indices",
	[WP_ERROR_NULL_MESHES] = "batch->meshes is NULL",
	[WP_ERROR_MESH_FLAGS] = "options->flags has a bit that is not a wp_mesh_flag",
	[WP_ERROR_MESH_PATCH_MAX] = "results->patch_max is above WP_MESH_PATCH_MAX",
	[WP_ERROR_NULL_PATCH_COUNT] = "results->patch_count has no data",
	[WP_ERROR_PATCH_COUNT_STRIDE] = "results->patch_count.stride is smaller than a uint32_t",
	[WP_ERROR_PATCHES_STRIDE] = "results->patches.stride is smaller than the patches of a row",
	[WP_ERROR_TRIANGLE_COUNT_STRIDE] = "results->triangle_count.stride is smaller than a uint32_t",
	[WP_ERROR_NULL_HEIGHT_FIELD] = "field is NULL",
	[WP_ERROR_NULL_HEIGHT_FIELDS] = "batch->height_fields is NULL",
	[WP_ERROR_NULL_HEIGHT_SAMPLES] = "field->samples is NULL",
	[WP_ERROR_HEIGHT_COUNT] =
		"the height field has fewer than two columns or rows, or more cells than WP_HEIGHT_CELL_MAX",
	[WP_ERROR_HEIGHT_FORMAT] =
		"field->format is no wp_height_format, or field->flags has a bit that is no wp_height_flag",
	[WP_ERROR_HEIGHT_STRIDE] = "field->row_stride is smaller than a row of samples",
	[WP_ERROR_HEIGHT_SPACING] = "a spacing is not finite and positive, or leads beyond WP_COORDINATE_MAX",
	[WP_ERROR_HEIGHT_SCALE] =
		"field->scale is zero, or field->scale or offset is not finite or leads beyond WP_COORDINATE_MAX",
	[WP_ERROR_HEIGHT_SAMPLE] = "a sample is no hole, and not finite or beyond WP_COORDINATE_MAX",
	[WP_ERROR_TRIANGLE_STRIDE] = "triangle->stride is smaller than a uint32_t",
	[WP_ERROR_MAX_DISTANCE] = "options->max_distance is NaN or negative",
	[WP_ERROR_NULL_CHILDREN] = "children is NULL",
	[WP_ERROR_NULL_COMPOUND] = "compound is NULL",
	[WP_ERROR_NULL_COMPOUNDS] = "batch->compounds is NULL",
	[WP_ERROR_NULL_PATCHES] = "patches is NULL",
	[WP_ERROR_NULL_COMPOUND_PATCHES] = "patches->patches.data is NULL",
	[WP_ERROR_NULL_COMPOUND_PATCH_COUNT] = "patches->patch_count.data is NULL",
	[WP_ERROR_COMPOUND_COUNT] = "a compound has no child, or more than WP_COMPOUND_CHILD_MAX",
	[WP_ERROR_COMPOUND_POSE] =
		"the pose of a child is not finite or leads beyond WP_COORDINATE_MAX, or its rotation is invalid",
	[WP_ERROR_COMPOUND_SHAPE] =
		"the shape of a child is not in the table, invalid, a half-space, or larger than it was",
	[WP_ERROR_COMPOUND_CORRUPT] = "the memory does not hold an intact compound",
	[WP_ERROR_COMPOUND_PATCH_MAX] = "patches->patch_max is above WP_COMPOUND_PATCH_MAX",
	[WP_ERROR_PAIR_COUNT_STRIDE] = "patches->pair_count.stride is smaller than a uint32_t",
	[WP_ERROR_COMPOUND_PATCH_COUNT_STRIDE] = "patches->patch_count.stride is smaller than a uint32_t",
	[WP_ERROR_COMPOUND_PATCHES_STRIDE] = "patches->patches.stride is smaller than the patches of a row",
	[WP_ERROR_CHILD_A_STRIDE] = "children->a.stride is smaller than a uint32_t",
	[WP_ERROR_CHILD_B_STRIDE] = "children->b.stride is smaller than a uint32_t",
	[WP_ERROR_NULL_MESH_ANCHORS] = "tracked->anchors is NULL, of pairs with meshes",
	[WP_ERROR_NULL_TRACKED_PATCHES] = "tracked->patches is NULL",
	[WP_ERROR_TRACKED_PATCH_MAX] =
		"tracked->patch_max is above WP_MESH_PATCH_MAX, or results->patch_max another number",
	[WP_ERROR_MANIFOLDS_BOTH_POINTS] = "manifolds->points and manifolds->solver_points both have data",
	[WP_ERROR_MANIFOLDS_SOLVER_POINTS_STRIDE] = "manifolds->solver_points.stride is smaller than the points of a row",
	[WP_ERROR_START_STRIDE] = "start->stride is smaller than a vector",
	[WP_ERROR_WAY_STRIDE] = "way->stride is smaller than a vector",
	[WP_ERROR_HIT_STRIDE] = "hit->stride is smaller than a wp_mesh_hit",
	[WP_ERROR_NULL_TRACKED_CHILDREN] = "tracked_children is NULL",
	[WP_ERROR_NULL_COMPOUND_ANCHORS] = "tracked->anchors is NULL, of pairs with compounds",
	[WP_ERROR_NULL_COMPOUND_ROOM] = "tracked->room is NULL",
	[WP_ERROR_COMPOUND_TRACKED_MAX] =
		"tracked->patch_max is above WP_COMPOUND_TRACKED_MAX, or patches->patch_max another number",
	[WP_ERROR_SHAPE_MASS] = "the mass of the shape has no formula here",
	[WP_ERROR_SHAPE_VOLUME] = "the shape has no volume",
	[WP_ERROR_DENSITY] = "a density is NaN, infinite or negative",
	[WP_ERROR_DENSITY_STRIDE] = "density->stride is smaller than a float",
	[WP_ERROR_NULL_BOUNDS] = "bounds is NULL, or lower or upper has no data",
	[WP_ERROR_BOUNDS_STRIDE] = "bounds: a stride is smaller than a vector of bounds->real",
	[WP_ERROR_BOUNDS_REAL] = "bounds->real is not a wp_real",
};

_Static_assert(WP_COUNT_OF(error_texts) == WP_ERROR_COUNT, "a text for each error");

const char *wp_error_text(wp_error error)
{
	return (size_t)error < WP_COUNT_OF(error_texts) ? error_texts[error] : "unknown error";
}

/* ---- status ------------------------------------------------------------------------------------- */

typedef struct status_word {
	uint32_t bit;
	const char *word;
} status_word;

static const status_word status_words[] = {
	{WP_STATUS_SEPARATED, "separated"},
	{WP_STATUS_TOUCHING, "touching"},
	{WP_STATUS_PENETRATING, "penetrating"},
	{WP_STATUS_BEYOND, "beyond"},
	{WP_STATUS_STRONG, "strong"},
	{WP_STATUS_ITERATION_CAP, "iteration_cap"},
	{WP_STATUS_CAPACITY, "capacity"},
	{WP_STATUS_DEGENERATE, "degenerate"},
	{WP_STATUS_WIDE_BRACKET, "wide_bracket"},
	{WP_STATUS_HIT, "hit"},
	{WP_STATUS_INVALID, "invalid"},
	{WP_STATUS_INVALID_BODY_A, "invalid_body_a"},
	{WP_STATUS_INVALID_SHAPE_A, "invalid_shape_a"},
	{WP_STATUS_INVALID_POSITION_A, "invalid_position_a"},
	{WP_STATUS_INVALID_ROTATION_A, "invalid_rotation_a"},
	{WP_STATUS_INVALID_BODY_B, "invalid_body_b"},
	{WP_STATUS_INVALID_SHAPE_B, "invalid_shape_b"},
	{WP_STATUS_INVALID_POSITION_B, "invalid_position_b"},
	{WP_STATUS_INVALID_ROTATION_B, "invalid_rotation_b"},
	{WP_STATUS_INVALID_TRACKED, "invalid_tracked"},
};

/* Appends what fits of `word`, leaving room for the closing NUL; returns the length uncut. */
static size_t append(char *text, size_t size, size_t length, const char *word)
{
	const size_t word_length = strlen(word);
	if (size > 0 && length < size - 1) {
		const size_t room = size - 1 - length;
		memcpy(text + length, word, word_length < room ? word_length : room);
	}
	return length + word_length;
}

size_t wp_status_text(uint32_t status, char *text, size_t size)
{
	size_t length = 0;
	for (size_t i = 0; i < WP_COUNT_OF(status_words); i++) {
		if ((status & status_words[i].bit) == 0)
			continue;
		if (length != 0)
			length = append(text, size, length, "|");
		length = append(text, size, length, status_words[i].word);
	}
	if (size != 0)
		text[length < size ? length : size - 1] = '\0';
	return length;
}

/* ---- variants ----------------------------------------------------------------------------------- */

typedef struct variant_words {
	const char *name;
	uint32_t width;
} variant_words;

static const variant_words variants[] = {
	[WP_VARIANT_AUTO] = {"auto", 0},
	[WP_VARIANT_SCALAR] = {"scalar", 1},
	[WP_VARIANT_SSE2] = {"sse2", 4},
	[WP_VARIANT_AVX2] = {"avx2", 8},
	[WP_VARIANT_AVX512] = {"avx512", 16},
	[WP_VARIANT_NEON] = {"neon", 4},
	[WP_VARIANT_WASM] = {"wasm", 4},
};

_Static_assert(WP_COUNT_OF(variants) == WP_VARIANT_COUNT, "a row for each variant");

const char *wp_variant_name(wp_variant variant)
{
	return (size_t)variant < WP_COUNT_OF(variants) ? variants[variant].name : "unknown";
}

wp_error wp_variant_from_name(const char *name, wp_variant *variant)
{
	if (name == NULL)
		return WP_ERROR_NULL_NAME;
	if (variant == NULL)
		return WP_ERROR_NULL_VARIANT;
	for (size_t i = 0; i < WP_COUNT_OF(variants); i++) {
		if (strcmp(name, variants[i].name) == 0) {
			*variant = (wp_variant)i;
			return WP_OK;
		}
	}
	return WP_ERROR_VARIANT_UNKNOWN;
}

uint32_t wp_variant_width(wp_variant variant)
{
	return (size_t)variant < WP_COUNT_OF(variants) ? variants[variant].width : 0;
}
