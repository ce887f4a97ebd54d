/* The calls of one pair. */
#include "batch/pair.h"
#include "batch/one.h"
#include "batch/read.h"
#include "batch/run.h"
#include "core/environment.h"

wp_error wp_check_pair(
	const void *shape_a, const void *pose_a, const void *shape_b, const void *pose_b, const void *row)
{
	return shape_a == NULL ? WP_ERROR_NULL_SHAPE_A
	     : pose_a == NULL  ? WP_ERROR_NULL_POSE_A
	     : shape_b == NULL ? WP_ERROR_NULL_SHAPE_B
	     : pose_b == NULL  ? WP_ERROR_NULL_POSE_B
	     : row == NULL     ? WP_ERROR_NULL_ROW
	                       : WP_OK;
}

wp_error wp_check_pair_of_table(const wp_pair *pair, const void *row)
{
	return pair == NULL                         ? WP_ERROR_NULL_PAIR
	     : pair->shapes == NULL                 ? WP_ERROR_NULL_PAIR_SHAPES
	     : pair->position_a == NULL             ? WP_ERROR_PAIR_POSITION_A
	     : pair->rotation_a == NULL             ? WP_ERROR_PAIR_ROTATION_A
	     : pair->position_b == NULL             ? WP_ERROR_PAIR_POSITION_B
	     : pair->rotation_b == NULL             ? WP_ERROR_PAIR_ROTATION_B
	     : pair->position_real > WP_REAL_DOUBLE ? WP_ERROR_PAIR_REAL
	     : row == NULL                          ? WP_ERROR_NULL_ROW
	                                            : WP_OK;
}

/* ---- batches of one ----------------------------------------------------------------------------- */

static void make_cores(wp_pair_batch *pair, const void *shape_a, const void *shape_b, wp_find_checksum *find)
{
	wp_core_of_shape(shape_a, &pair->cores[0], pair->small[0], find);
	wp_core_of_shape(shape_b, &pair->cores[1], pair->small[1], find);
}

static void make_table(wp_pair_batch *pair)
{
	pair->table = (wp_shape_table){.magic = WP_SHAPE_TABLE_MAGIC, .count = 2, .cores = pair->cores};
}

static void make_table_2d(wp_pair_batch *pair, const void *shape_a, const void *shape_b)
{
	wp2d_core_of_shape(shape_a, &pair->cores_2d[0], &pair->corners[0]);
	wp2d_core_of_shape(shape_b, &pair->cores_2d[1], &pair->corners[1]);
	pair->table = (wp_shape_table){.magic = WP2D_SHAPE_TABLE_MAGIC, .count = 2, .cores_2d = pair->cores_2d};
}

static void make_batch(wp_pair_batch *pair, size_t dimension, const void *pose_a, const void *pose_b)
{
	pair->shape[0] = 0;
	pair->shape[1] = 1;
	const float *const at_a = pose_a, *const at_b = pose_b;
	pair->batch = (wp_batch){.shapes = &pair->table,
		.a = {.position.data = at_a, .rotation.data = at_a + dimension, .shape.data = &pair->shape[0], .count = 1},
		.b = {.position.data = at_b, .rotation.data = at_b + dimension, .shape.data = &pair->shape[1], .count = 1},
		.count = 1};
}

void wp_pair_make(wp_pair_batch *pair, size_t dimension, const void *shape_a, const void *pose_a, const void *shape_b,
	const void *pose_b)
{
	const wp_environment before = wp_environment_enter();
	if (dimension == WP_3D) {
		make_cores(pair, shape_a, shape_b, NULL);
		wp_core_keep_rays(&pair->cores[0]);
		wp_core_keep_rays(&pair->cores[1]);
		make_table(pair);
	} else {
		make_table_2d(pair, shape_a, shape_b);
	}
	wp_environment_leave(before);
	make_batch(pair, dimension, pose_a, pose_b);
}

wp_batch wp_batch_of_pair(const wp_pair *pair)
{
	const uint32_t real = pair->position_real;
	return (wp_batch){.shapes = pair->shapes,
		.a = {.position.data = pair->position_a,
			.rotation.data = pair->rotation_a,
			.shape.data = &pair->shape_a,
			.count = 1,
			.position_real = real},
		.b = {.position.data = pair->position_b,
			.rotation.data = pair->rotation_b,
			.shape.data = &pair->shape_b,
			.count = 1,
			.position_real = real},
		.count = 1};
}

/* ---- results of rows ---------------------------------------------------------------------------- */

#define ROW_NUMBERS(dimension) (5 + 3 * (dimension))
#define IS_ROW(row, dimension)                                             \
	(sizeof(row) == ROW_NUMBERS(dimension) * sizeof(float) &&              \
		offsetof(row, point_b) == (1 + 2 * (dimension)) * sizeof(float) && \
		offsetof(row, iterations) == (ROW_NUMBERS(dimension) - 1) * sizeof(float))
_Static_assert(IS_ROW(wp_row, WP_3D) && IS_ROW(wp2d_row, WP_2D), "numbers of four bytes, in the order of wp_row");

wp_results wp_results_of(size_t dimension, void *rows)
{
	if (rows == NULL)
		return (wp_results){.point_real = WP_REAL_FLOAT};
	float *const row = rows, *const bounds = row + 1 + 3 * dimension;
	uint32_t *const words = (uint32_t *)rows + 3 + 3 * dimension;
	wp_results results = {.separation.data = row,
		.normal.data = row + 1,
		.point_a.data = row + 1 + dimension,
		.point_b.data = row + 1 + 2 * dimension,
		.lower.data = bounds,
		.upper.data = bounds + 1,
		.status.data = words,
		.iterations.data = words + 1};
	wp_stride_results(&results, ROW_NUMBERS(dimension) * sizeof(float));
	return results;
}

/* ---- the calls ---------------------------------------------------------------------------------- */

/* The same question about a batch of one. */
static wp_error run_batch_of_one(
	wp_workspace *workspace, const wp_batch *batch, const wp_one_question *question, wp_cache *cache, wp_row *row)
{
	wp_request request = {.dimension = WP_3D, .query = question->query, .max_separation = question->max_separation};
	if (question->manifold != NULL)
		request.manifolds = *question->manifold;
	wp_results results = wp_results_of_rows(row);
	results.cache.data = cache;
	return wp_run_batch(workspace, batch, &request, &results, NULL);
}

static wp_one one_of(const wp_core *core_a, const wp_pose *pose_a, const wp_core *core_b, const wp_pose *pose_b)
{
	return (wp_one){.core_a = core_a,
		.core_b = core_b,
		.position_a = pose_a->position,
		.position_b = pose_b->position,
		.rotation_a = pose_a->rotation,
		.rotation_b = pose_b->rotation};
}

static wp_error run_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const wp_one_question *question, wp_row *row)
{
	wp_error error = wp_check_pair(shape_a, pose_a, shape_b, pose_b, row);
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	wp_pair_batch pair;
	const bool in_order = wp_is_in_order(workspace, question);
	make_cores(&pair, shape_a, shape_b, in_order ? workspace->find_checksum : NULL);
	const wp_one one = one_of(&pair.cores[0], pose_a, &pair.cores[1], pose_b);
	if (!in_order || !wp_run_one(workspace, question, &one, row, NULL)) {
		make_table(&pair);
		make_batch(&pair, WP_3D, pose_a, pose_b);
		error = run_batch_of_one(workspace, &pair.batch, question, NULL, row);
	}
	wp_environment_leave(before);
	return error;
}

wp_error wp_overlap_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, wp_row *row)
{
	const wp_one_question question = {.query = WP_QUERY_OVERLAP};
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, &question, row);
}

wp_error wp_distance_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, wp_row *row)
{
	const wp_one_question question = {.query = WP_QUERY_DISTANCE};
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, &question, row);
}

wp_error wp_contact_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const wp_contact_options *options, wp_row *row)
{
	const wp_one_question question = wp_question_of_contact(options);
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, &question, row);
}

/* Where the manifold of one pair goes. */
static wp_error rows_of_manifold(wp_manifold_point *points, uint32_t point_max, uint32_t *count, wp_point_rows *rows)
{
	const wp_manifolds manifolds = {.count.data = count, .points.data = points, .point_max = point_max};
	return points == NULL ? WP_ERROR_NULL_POINTS
	     : count == NULL  ? WP_ERROR_NULL_COUNT
	                      : wp_manifold_rows(&manifolds, rows);
}

wp_error wp_contact_manifold_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const wp_contact_options *options, wp_row *row,
	wp_manifold_point *points, uint32_t point_max, uint32_t *count)
{
	wp_point_rows rows;
	wp_one_question question = wp_question_of_contact(options);
	const wp_error error = rows_of_manifold(points, point_max, count, &rows);
	question.manifold = &rows;
	return error != WP_OK ? error : run_pair(workspace, shape_a, pose_a, shape_b, pose_b, &question, row);
}

/* ---- pairs of a table --------------------------------------------------------------------------- */

static wp_error run_pair_of_table(
	wp_workspace *workspace, const wp_pair *pair, const wp_one_question *question, wp_cache *cache, wp_row *row)
{
	wp_error error = wp_check_pair_of_table(pair, row);
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	bool done = false;
	if (wp_is_in_order(workspace, question) && wp_is_table(pair->shapes, WP_3D)) {
		const wp_one one = {.core_a = wp_core_of_table(pair->shapes, pair->shape_a),
			.core_b = wp_core_of_table(pair->shapes, pair->shape_b),
			.position_a = pair->position_a,
			.position_b = pair->position_b,
			.rotation_a = pair->rotation_a,
			.rotation_b = pair->rotation_b,
			.cache = cache,
			.position_real = pair->position_real};
		done = wp_run_one(workspace, question, &one, row, NULL);
	}
	if (!done) {
		const wp_batch batch = wp_batch_of_pair(pair);
		error = run_batch_of_one(workspace, &batch, question, cache, row);
	}
	wp_environment_leave(before);
	return error;
}

wp_error wp_overlap_prepared(wp_workspace *workspace, const wp_pair *pair, wp_cache *cache, wp_row *row)
{
	const wp_one_question question = {.query = WP_QUERY_OVERLAP};
	return run_pair_of_table(workspace, pair, &question, cache, row);
}

wp_error wp_distance_prepared(wp_workspace *workspace, const wp_pair *pair, wp_cache *cache, wp_row *row)
{
	const wp_one_question question = {.query = WP_QUERY_DISTANCE};
	return run_pair_of_table(workspace, pair, &question, cache, row);
}

wp_error wp_contact_prepared(
	wp_workspace *workspace, const wp_pair *pair, const wp_contact_options *options, wp_cache *cache, wp_row *row)
{
	const wp_one_question question = wp_question_of_contact(options);
	return run_pair_of_table(workspace, pair, &question, cache, row);
}

wp_error wp_contact_manifold_prepared(wp_workspace *workspace, const wp_pair *pair, const wp_contact_options *options,
	wp_cache *cache, wp_row *row, wp_manifold_point *points, uint32_t point_max, uint32_t *count)
{
	wp_point_rows rows;
	wp_one_question question = wp_question_of_contact(options);
	const wp_error error = rows_of_manifold(points, point_max, count, &rows);
	question.manifold = &rows;
	return error != WP_OK ? error : run_pair_of_table(workspace, pair, &question, cache, row);
}
