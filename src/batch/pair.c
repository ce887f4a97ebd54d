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

/* Two bodies, each with its own shape. */
static void make_batch(wp_pair *pair, const float *const position[2], const float *const rotation[2])
{
	pair->shape[0] = 0;
	pair->shape[1] = 1;
	pair->batch = (wp_batch){.shapes = &pair->table,
		.a = {.position = position[0], .rotation = rotation[0], .shape = &pair->shape[0], .count = 1},
		.b = {.position = position[1], .rotation = rotation[1], .shape = &pair->shape[1], .count = 1},
		.count = 1};
}

/* Results that fill an array of rows. */
#define RESULTS_OF(rows)                                                                                         \
	(wp_results)                                                                                                 \
	{                                                                                                            \
		.separation = &(rows)->separation, .normal = (rows)->normal, .point_a = (rows)->point_a,                 \
		.point_b = (rows)->point_b, .lower = &(rows)->lower, .upper = &(rows)->upper, .status = &(rows)->status, \
		.iterations = &(rows)->iterations, .separation_stride = sizeof *(rows), .normal_stride = sizeof *(rows), \
		.point_a_stride = sizeof *(rows), .point_b_stride = sizeof *(rows), .lower_stride = sizeof *(rows),      \
		.upper_stride = sizeof *(rows), .status_stride = sizeof *(rows), .iterations_stride = sizeof *(rows)     \
	}

wp_results wp_results_of_rows(wp_row *rows)
{
	return rows != NULL ? RESULTS_OF(rows) : (wp_results){.separation = NULL};
}

void wp_pair_make(
	wp_pair *pair, const wp_shape *shape_a, const wp_pose *pose_a, const wp_shape *shape_b, const wp_pose *pose_b)
{
	const wp_environment before = wp_environment_enter();
	wp_core_of_shape(shape_a, &pair->cores[0], pair->small[0]);
	wp_core_of_shape(shape_b, &pair->cores[1], pair->small[1]);
	wp_environment_leave(before);
	pair->table = (wp_shape_table){.magic = WP_SHAPE_TABLE_MAGIC, .count = 2, .cores = pair->cores};
	make_batch(pair, (const float *const[2]){pose_a->position, pose_b->position},
		(const float *const[2]){pose_a->rotation, pose_b->rotation});
}

wp2d_results wp2d_results_of_rows(wp2d_row *rows)
{
	return rows != NULL ? RESULTS_OF(rows) : (wp2d_results){.separation = NULL};
}

void wp2d_pair_make(wp_pair *pair, const wp2d_shape *shape_a, const wp2d_pose *pose_a, const wp2d_shape *shape_b,
	const wp2d_pose *pose_b)
{
	const wp_environment before = wp_environment_enter();
	wp2d_core_of_shape(shape_a, &pair->cores_2d[0], &pair->corners[0]);
	wp2d_core_of_shape(shape_b, &pair->cores_2d[1], &pair->corners[1]);
	wp_environment_leave(before);
	pair->table = (wp_shape_table){.magic = WP2D_SHAPE_TABLE_MAGIC, .count = 2, .cores_2d = pair->cores_2d};
	make_batch(pair, (const float *const[2]){pose_a->position, pose_b->position},
		(const float *const[2]){pose_a->rotation, pose_b->rotation});
}

/* ---- the calls ---------------------------------------------------------------------------------- */

/* Shapes, poses and row are of the request's dimension. */
static wp_error run_pair(wp_workspace *workspace, const void *shape_a, const void *pose_a, const void *shape_b,
	const void *pose_b, const wp_request *request, void *row)
{
	const wp_error error = wp_check_pair(shape_a, pose_a, shape_b, pose_b, row);
	if (error != WP_OK)
		return error;
	wp_pair pair;
	wp_results results;
	if (request->dimension == WP_3D) {
		wp_pair_make(&pair, shape_a, pose_a, shape_b, pose_b);
		results = wp_results_of_rows(row);
	} else {
		wp2d_pair_make(&pair, shape_a, pose_a, shape_b, pose_b);
		results = wp2d_results_of_rows(row);
	}
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
