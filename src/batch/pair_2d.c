/* The calls of one pair in 2D. Most enter the kernels alone, without buckets. */
#include "batch/bucket_2d.h"
#include "batch/manifold_2d.h"
#include "batch/one.h"
#include "batch/pair.h"
#include "batch/run.h"
#include "core/environment.h"

/* ---- by the kernels ----------------------------------------------------------------------------- */

_Static_assert(sizeof(wp2d_pose) == 4 * sizeof(float), "a pose is the row of a job's body");

/* Make the pair the only job of its bucket. */
static void take_job(wp2d_jobs *jobs, const wp_one_question *question, const wp2d_core cores[WP2D_SIDE_COUNT],
	const wp2d_pose *pose_a, const wp2d_pose *pose_b)
{
	jobs->count = 1;
	jobs->row[0] = 0;
	jobs->query = question->query;
	jobs->max_separation = question->max_separation;
	jobs->has_float_points = true;
	jobs->wants_details = false;
	jobs->wants_manifolds = question->manifold != NULL;
	jobs->rows = jobs->output;
	jobs->point_rows = NULL;
	memcpy(jobs->body, pose_a, sizeof *pose_a);
	memcpy(jobs->body + 4, pose_b, sizeof *pose_b);
	for (int side = 0; side < WP2D_SIDE_COUNT; side++)
		wp2d_put_core(jobs, 0, side, &cores[side], jobs->are_circles);
}

static void write_manifold(wp2d_jobs *jobs, const wp_one_question *question)
{
	const wp_call call = {.dimension = WP_2D, .manifolds = *question->manifold};
	wp2d_write_manifolds(&call, jobs);
}

/* Answer the pair, with the bits that buckets give. False, and nothing written, where a core is of an invalid shape or the kernels
 * have no answer. */
static bool run_one(wp_workspace *workspace, const wp_one_question *question, const wp2d_core cores[WP2D_SIDE_COUNT],
	const wp2d_pose *pose_a, const wp2d_pose *pose_b, wp2d_row *row)
{
	const uint32_t bucket = cores[0].bucket > cores[1].bucket ? cores[0].bucket : cores[1].bucket;
	if (bucket == WP2D_BUCKET_COUNT)
		return false;
	wp2d_jobs *const jobs = &workspace->memory_2d->buckets[bucket];
	jobs->are_circles = bucket == WP2D_BUCKET_CIRCLES;
	take_job(jobs, question, cores, pose_a, pose_b);
	wp_kernel_work work = {0, 0};
	wp2d_solve_jobs(workspace, jobs, &work);
	if (jobs->status[0] == 0)
		return false;
	memcpy(row, jobs->output, sizeof *row);
	if (question->manifold != NULL)
		write_manifold(jobs, question);
	return true;
}

/* ---- the calls ---------------------------------------------------------------------------------- */

/* The same question about a batch of one. */
static wp_error run_batch_of_one(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, const wp_one_question *question, wp2d_row *row)
{
	wp_pair_batch pair;
	wp_pair_make(&pair, WP_2D, shape_a, pose_a, shape_b, pose_b);
	wp_request request = {.dimension = WP_2D, .query = question->query, .max_separation = question->max_separation};
	if (question->manifold != NULL)
		request.manifolds = *question->manifold;
	const wp_results results = wp_results_of(WP_2D, row);
	return wp_run_batch(workspace, &pair.batch, &request, &results, NULL);
}

static wp_error run_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, const wp_one_question *question, wp2d_row *row)
{
	const wp_error error = wp_check_pair(shape_a, pose_a, shape_b, pose_b, row);
	if (error != WP_OK)
		return error;
	if (wp_is_in_order(workspace, question)) {
		const wp_environment before = wp_environment_enter();
		wp2d_core cores[WP2D_SIDE_COUNT];
		wp2d_corners corners[WP2D_SIDE_COUNT];
		wp2d_core_of_shape(shape_a, &cores[0], &corners[0]);
		wp2d_core_of_shape(shape_b, &cores[1], &corners[1]);
		const bool done = run_one(workspace, question, cores, pose_a, pose_b, row);
		wp_environment_leave(before);
		if (done)
			return WP_OK;
	}
	return run_batch_of_one(workspace, shape_a, pose_a, shape_b, pose_b, question, row);
}

wp_error wp2d_overlap_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, wp2d_row *row)
{
	const wp_one_question question = {.query = WP_QUERY_OVERLAP};
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, &question, row);
}

wp_error wp2d_distance_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, wp2d_row *row)
{
	const wp_one_question question = {.query = WP_QUERY_DISTANCE};
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, &question, row);
}

wp_error wp2d_contact_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, const wp_contact_options *options, wp2d_row *row)
{
	const wp_one_question question = wp_question_of_contact(options);
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, &question, row);
}

wp_error wp2d_contact_manifold_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, const wp_contact_options *options, wp2d_row *row,
	wp2d_manifold_point *points, uint32_t point_max, uint32_t *count)
{
	const wp2d_manifolds manifolds = {.count.data = count, .points.data = points, .point_max = point_max};
	wp_point_rows rows;
	wp_one_question question = wp_question_of_contact(options);
	const wp_error error = points == NULL ? WP_ERROR_NULL_POINTS
	                     : count == NULL  ? WP_ERROR_NULL_COUNT
	                                      : wp2d_manifold_rows(&manifolds, &rows);
	question.manifold = &rows;
	return error != WP_OK ? error : run_pair(workspace, shape_a, pose_a, shape_b, pose_b, &question, row);
}
