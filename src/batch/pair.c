/* The calls of one pair. */
#include "batch/pair.h"
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

void wp_pair_make(
	wp_pair *pair, size_t dimension, const void *shape_a, const void *pose_a, const void *shape_b, const void *pose_b)
{
	const float *const at_a = pose_a, *const at_b = pose_b;
	const wp_environment before = wp_environment_enter();
	if (dimension == WP_3D) {
		wp_core_of_shape(shape_a, &pair->cores[0], pair->small[0]);
		wp_core_of_shape(shape_b, &pair->cores[1], pair->small[1]);
		pair->table = (wp_shape_table){.magic = WP_SHAPE_TABLE_MAGIC, .count = 2, .cores = pair->cores};
	} else {
		wp2d_core_of_shape(shape_a, &pair->cores_2d[0], &pair->corners[0]);
		wp2d_core_of_shape(shape_b, &pair->cores_2d[1], &pair->corners[1]);
		pair->table = (wp_shape_table){.magic = WP2D_SHAPE_TABLE_MAGIC, .count = 2, .cores_2d = pair->cores_2d};
	}
	wp_environment_leave(before);
	pair->shape[0] = 0;
	pair->shape[1] = 1;
	pair->batch = (wp_batch){.shapes = &pair->table,
		.a = {.position = at_a, .rotation = at_a + dimension, .shape = &pair->shape[0], .count = 1},
		.b = {.position = at_b, .rotation = at_b + dimension, .shape = &pair->shape[1], .count = 1},
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
		return (wp_results){.separation = NULL};
	float *const row = rows, *const bounds = row + 1 + 3 * dimension;
	uint32_t *const words = (uint32_t *)rows + 3 + 3 * dimension;
	wp_results results = {.separation = row,
		.normal = row + 1,
		.point_a = row + 1 + dimension,
		.point_b = row + 1 + 2 * dimension,
		.lower = bounds,
		.upper = bounds + 1,
		.status = words,
		.iterations = words + 1};
	wp_stride_results(&results, ROW_NUMBERS(dimension) * sizeof(float));
	return results;
}

wp_results wp_results_of_rows(wp_row *rows) { return wp_results_of(WP_3D, rows); }

wp2d_results wp2d_results_of_rows(wp2d_row *rows) { return wp_results_of(WP_2D, rows); }

/* ---- the calls ---------------------------------------------------------------------------------- */

/* Shapes, poses and row are of the request's dimension. */
static wp_error run_pair(wp_workspace *workspace, const void *shape_a, const void *pose_a, const void *shape_b,
	const void *pose_b, const wp_request *request, void *row)
{
	const wp_error error = wp_check_pair(shape_a, pose_a, shape_b, pose_b, row);
	if (error != WP_OK)
		return error;
	wp_pair pair;
	wp_pair_make(&pair, request->dimension, shape_a, pose_a, shape_b, pose_b);
	const wp_results results = wp_results_of(request->dimension, row);
	return wp_run_batch(workspace, &pair.batch, request, &results, NULL);
}

wp_error wp_overlap_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, wp_row *row)
{
	return run_pair(
		workspace, shape_a, pose_a, shape_b, pose_b, &(wp_request){.dimension = WP_3D, .query = WP_QUERY_OVERLAP}, row);
}

wp_error wp_distance_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, wp_row *row)
{
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b,
		&(wp_request){.dimension = WP_3D, .query = WP_QUERY_DISTANCE}, row);
}

wp_error wp_contact_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, float max_separation, wp_row *row)
{
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b,
		&(wp_request){.dimension = WP_3D, .query = WP_QUERY_CONTACT, .max_separation = max_separation}, row);
}

wp_error wp_contact_manifold_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, float max_separation, wp_row *row, wp_manifold_point *points,
	uint32_t point_max, uint32_t *count)
{
	const wp_manifolds manifolds = {.count = count, .points = points, .point_max = point_max};
	wp_request request = {.dimension = WP_3D, .query = WP_QUERY_CONTACT, .max_separation = max_separation};
	const wp_error error = points == NULL ? WP_ERROR_NULL_POINTS
	                     : count == NULL  ? WP_ERROR_NULL_COUNT
	                                      : wp_manifold_rows(&manifolds, &request.manifolds);
	return error != WP_OK ? error : run_pair(workspace, shape_a, pose_a, shape_b, pose_b, &request, row);
}

wp_error wp2d_overlap_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, wp2d_row *row)
{
	return run_pair(
		workspace, shape_a, pose_a, shape_b, pose_b, &(wp_request){.dimension = WP_2D, .query = WP_QUERY_OVERLAP}, row);
}

wp_error wp2d_distance_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, wp2d_row *row)
{
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b,
		&(wp_request){.dimension = WP_2D, .query = WP_QUERY_DISTANCE}, row);
}

wp_error wp2d_contact_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, float max_separation, wp2d_row *row)
{
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b,
		&(wp_request){.dimension = WP_2D, .query = WP_QUERY_CONTACT, .max_separation = max_separation}, row);
}

wp_error wp2d_contact_manifold_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, float max_separation, wp2d_row *row,
	wp2d_manifold_point *points, uint32_t *count)
{
	const wp2d_manifolds manifolds = {.count = count, .points = points};
	wp_request request = {.dimension = WP_2D, .query = WP_QUERY_CONTACT, .max_separation = max_separation};
	const wp_error error = points == NULL ? WP_ERROR_NULL_POINTS
	                     : count == NULL  ? WP_ERROR_NULL_COUNT
	                                      : wp2d_manifold_rows(&manifolds, &request.manifolds);
	return error != WP_OK ? error : run_pair(workspace, shape_a, pose_a, shape_b, pose_b, &request, row);
}
