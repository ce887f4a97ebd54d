/* The queries of the plane. Validate the call, gather rows of like size, run the kernels on them, solve
 * again what they leave open, write every row. */
#include "plane_batch.h"
#include "batch.h"
#include "environment.h"
#include "plane_manifold.h"

/* ---- the call ----------------------------------------------------------------------------------- */

static wp_error check_results(const wp2_results *r)
{
	const size_t number = sizeof(float), vector = 2 * sizeof(float), word = sizeof(uint32_t);
	const size_t point = wp2_point_size(r->point_real);
	return wp_is_short(r->separation, r->separation_stride, number) ? WP_ERROR_RESULTS_SEPARATION_STRIDE
	     : wp_is_short(r->normal, r->normal_stride, vector)         ? WP_ERROR_RESULTS_NORMAL_STRIDE
	     : wp_is_short(r->point_a, r->point_a_stride, point)        ? WP_ERROR_RESULTS_POINT_A_STRIDE
	     : wp_is_short(r->point_b, r->point_b_stride, point)        ? WP_ERROR_RESULTS_POINT_B_STRIDE
	     : wp_is_short(r->lower, r->lower_stride, number)           ? WP_ERROR_RESULTS_LOWER_STRIDE
	     : wp_is_short(r->upper, r->upper_stride, number)           ? WP_ERROR_RESULTS_UPPER_STRIDE
	     : wp_is_short(r->status, r->status_stride, word)           ? WP_ERROR_RESULTS_STATUS_STRIDE
	     : wp_is_short(r->iterations, r->iterations_stride, word)   ? WP_ERROR_RESULTS_ITERATIONS_STRIDE
	     : wp_is_short(r->local_a, r->local_a_stride, vector)       ? WP_ERROR_RESULTS_LOCAL_A_STRIDE
	     : wp_is_short(r->local_b, r->local_b_stride, vector)       ? WP_ERROR_RESULTS_LOCAL_B_STRIDE
	     : wp_is_short(r->fraction, r->fraction_stride, number)     ? WP_ERROR_RESULTS_FRACTION_STRIDE
	                                                                : WP_OK;
}

wp_error wp2_check_call(
	const wp_workspace *workspace, const wp2_batch *batch, const wp2_results *results, float max_separation)
{
	if (workspace == NULL)
		return WP_ERROR_NULL_WORKSPACE;
	if (batch == NULL)
		return WP_ERROR_NULL_BATCH;
	if (results == NULL)
		return WP_ERROR_NULL_RESULTS;
	wp_error error = wp_check_ranges(workspace, batch->first, batch->count, results->point_real, max_separation);
	if (error != WP_OK || batch->count == 0)
		return error;
	if (batch->shapes == NULL)
		return WP_ERROR_NULL_BATCH_SHAPES;
	if (batch->shapes->magic != WP2_SHAPE_TABLE_MAGIC)
		return WP_ERROR_SHAPE_TABLE_INVALID;
	error = wp_check_bodies(&batch->a, &batch->b, 2);
	if (error == WP_OK)
		error = wp_check_pairs(batch->pair_a, batch->pair_b, batch->pair_stride, batch->first + batch->count);
	return error == WP_OK ? check_results(results) : error;
}

static void fill(size_t *stride, size_t packed)
{
	if (*stride == 0)
		*stride = packed;
}

static void fill_bodies(wp2_bodies *bodies)
{
	fill(&bodies->position_stride, wp2_point_size(bodies->position_real));
	fill(&bodies->rotation_stride, 2 * sizeof(float));
	fill(&bodies->shape_stride, sizeof(uint32_t));
}

static void fill_results(wp2_results *r)
{
	const size_t point = wp2_point_size(r->point_real);
	fill(&r->separation_stride, sizeof(float));
	fill(&r->normal_stride, 2 * sizeof(float));
	fill(&r->point_a_stride, point);
	fill(&r->point_b_stride, point);
	fill(&r->lower_stride, sizeof(float));
	fill(&r->upper_stride, sizeof(float));
	fill(&r->status_stride, sizeof(uint32_t));
	fill(&r->iterations_stride, sizeof(uint32_t));
	fill(&r->overlap_stride, sizeof(uint8_t));
	fill(&r->local_a_stride, 2 * sizeof(float));
	fill(&r->local_b_stride, 2 * sizeof(float));
	fill(&r->fraction_stride, sizeof(float));
}

wp2_call wp2_make_call(const wp2_batch *batch, const wp2_results *results, const wp2_manifolds *manifolds,
	wp_query query, float max_separation)
{
	wp2_call call = {.cores = batch->shapes->cores,
		.core_count = batch->shapes->count,
		.a = batch->a,
		.b = wp_is_no_view(&batch->b) ? batch->a : batch->b,
		.pair_a = batch->pair_a,
		.pair_b = batch->pair_b,
		.pair_stride = batch->pair_stride,
		.first = batch->first,
		.results = *results,
		.query = query,
		.max_separation = max_separation};
	if (manifolds != NULL)
		call.manifolds = *manifolds;
	fill(&call.pair_stride, sizeof(uint32_t));
	fill_bodies(&call.a);
	fill_bodies(&call.b);
	fill_results(&call.results);
	fill(&call.manifolds.count_stride, sizeof(uint32_t));
	fill(&call.manifolds.points_stride, WP2_MANIFOLD_POINT_MAX * sizeof(wp2_manifold_point));
	return call;
}

/* ---- running ------------------------------------------------------------------------------------ */

static void write_manifold(const wp2_call *call, uint32_t row, const wp2_input *input, const wp2_output *output)
{
	const wp2_manifolds *const m = &call->manifolds;
	const size_t at = call->first + row;
	wp2_manifold_point points[WP2_MANIFOLD_POINT_MAX];
	uint32_t count = 0;
	if (!(output->status & (WP_STATUS_INVALID | WP_STATUS_BEYOND)))
		count = wp2_make_manifold(input, output, call->max_separation, points);
	memcpy((char *)m->count + at * m->count_stride, &count, sizeof count);
	memcpy((char *)m->points + at * m->points_stride, points, count * sizeof points[0]);
}

/* Write a row and count it. */
static void finish_row(
	const wp2_call *call, uint32_t row, const double origin[2], const wp2_output *output, wp_statistics *statistics)
{
	wp2_write_row(call, row, origin, output);
	wp_count_row(statistics, (uint64_t)call->first + row, output->status);
	statistics->gjk_iterations += output->iterations;
	if (output->iterations > statistics->gjk_iterations_max)
		statistics->gjk_iterations_max = output->iterations;
}

/* What a job takes in one lane after the kernels: the strong path, if they left it open, and its manifold. */
static void finish_job(const wp2_call *call, const wp2_jobs *jobs, uint32_t job, wp_statistics *statistics)
{
	const uint32_t row = jobs->row[job];
	wp2_input input;
	wp2_output output;
	wp2_read_row(call, row, &input);
	if (input.invalid) {
		/* Another thread has written there since. */
		wp2_invalid_output(input.invalid, &output);
		finish_row(call, row, jobs->origin[job], &output, statistics);
	} else if (jobs->status[job] == 0) {
		wp2_solve_strong(call, &input, &output);
		finish_row(call, row, jobs->origin[job], &output, statistics);
	} else {
		wp2_read_output(jobs, job, &output);
	}
	if (call->manifolds.points != NULL)
		write_manifold(call, row, &input, &output);
}

/* Run a bucket through the kernels and empty it. */
static void run_bucket(wp_workspace *workspace, const wp2_call *call, wp2_jobs *jobs, wp_statistics *statistics)
{
	const bool wants_manifold = call->manifolds.points != NULL;
	wp_kernel_work work = {0, 0};
	jobs->query = call->query;
	jobs->max_separation = call->max_separation;
	jobs->are_circles = jobs == &workspace->plane->buckets[WP2_BUCKET_CIRCLES];
	wp2_fill_block(jobs);
	/* Wide kernels take as long for one pair as for many; one lane has the same bits. */
	const wp2_kernels *const kernels = jobs->count <= WP_FEW_JOBS ? workspace->plane_few : workspace->plane_kernels;
	kernels->solve(jobs, &workspace->plane->scratch, &work);
	statistics->lanes_issued += work.lanes_issued;
	statistics->lanes_live += work.lanes_live;
	wp2_write_jobs(call, jobs, statistics);
	for (uint32_t job = 0; job < jobs->count; job++)
		if (wants_manifold || jobs->status[job] == 0)
			finish_job(call, jobs, job, statistics);
	jobs->count = 0;
}

static void run_invalid(const wp2_call *call, uint32_t row, wp_statistics *statistics)
{
	const double nowhere[2] = {0.0, 0.0};
	wp2_input input;
	wp2_output output;
	wp2_read_row(call, row, &input);
	/* Another thread may have made it valid since it was read. */
	wp2_invalid_output(input.invalid | WP_STATUS_INVALID, &output);
	finish_row(call, row, nowhere, &output, statistics);
	if (call->manifolds.points != NULL)
		write_manifold(call, row, &input, &output);
}

static void run_rows(wp_workspace *workspace, const wp2_call *call, uint32_t count, wp_statistics *statistics)
{
	wp2_memory *const memory = workspace->plane;
	for (uint32_t i = 0; i < WP2_BUCKET_COUNT; i++)
		memory->buckets[i].count = 0;
	for (uint32_t row = 0; row < count;) {
		wp2_jobs *full;
		row = wp2_pack_rows(call, row, count, memory->buckets, &full);
		if (full != NULL)
			run_bucket(workspace, call, full, statistics);
		else if (row < count)
			run_invalid(call, row++, statistics);
	}
	for (uint32_t i = 0; i < WP2_BUCKET_COUNT; i++)
		if (memory->buckets[i].count != 0)
			run_bucket(workspace, call, &memory->buckets[i], statistics);
}

static wp_error run_query(wp_workspace *workspace, const wp2_batch *batch, wp_query query, float max_separation,
	const wp2_results *results, const wp2_manifolds *manifolds, wp_statistics *statistics)
{
	const wp_environment before = wp_environment_enter();
	const wp_error error = wp2_check_call(workspace, batch, results, max_separation);
	if (error == WP_OK && batch->count != 0) {
		wp_statistics unused = {0};
		const wp2_call call = wp2_make_call(batch, results, manifolds, query, max_separation);
		run_rows(workspace, &call, (uint32_t)batch->count, statistics != NULL ? statistics : &unused);
	}
	wp_environment_leave(before);
	return error;
}

wp_error wp2_overlap(
	wp_workspace *workspace, const wp2_batch *batch, const wp2_results *results, wp_statistics *statistics)
{
	return run_query(workspace, batch, WP_QUERY_OVERLAP, 0.0f, results, NULL, statistics);
}

wp_error wp2_distance(
	wp_workspace *workspace, const wp2_batch *batch, const wp2_results *results, wp_statistics *statistics)
{
	return run_query(workspace, batch, WP_QUERY_DISTANCE, 0.0f, results, NULL, statistics);
}

wp_error wp2_contact(wp_workspace *workspace, const wp2_batch *batch, float max_separation, const wp2_results *results,
	wp_statistics *statistics)
{
	return run_query(workspace, batch, WP_QUERY_CONTACT, max_separation, results, NULL, statistics);
}

static wp_error check_manifolds(const wp2_manifolds *manifolds)
{
	const size_t points = WP2_MANIFOLD_POINT_MAX * sizeof(wp2_manifold_point);
	if (manifolds == NULL)
		return WP_ERROR_NULL_MANIFOLDS;
	if (manifolds->count == NULL)
		return WP_ERROR_NULL_MANIFOLDS_COUNT;
	if (manifolds->points == NULL)
		return WP_ERROR_NULL_MANIFOLDS_POINTS;
	if (wp_is_short(manifolds->count, manifolds->count_stride, sizeof(uint32_t)))
		return WP_ERROR_MANIFOLDS_COUNT_STRIDE;
	return wp_is_short(manifolds->points, manifolds->points_stride, points) ? WP_ERROR_MANIFOLDS_POINTS_STRIDE : WP_OK;
}

wp_error wp2_contact_manifold(wp_workspace *workspace, const wp2_batch *batch, float max_separation,
	const wp2_results *results, const wp2_manifolds *manifolds, wp_statistics *statistics)
{
	const wp_error error = check_manifolds(manifolds);
	if (error != WP_OK)
		return error;
	return run_query(workspace, batch, WP_QUERY_CONTACT, max_separation, results, manifolds, statistics);
}

/* ---- one pair ----------------------------------------------------------------------------------- */

void wp2_pair_make(
	wp2_pair *pair, const wp2_shape *shape_a, const wp2_pose *pose_a, const wp2_shape *shape_b, const wp2_pose *pose_b)
{
	const wp_environment before = wp_environment_enter();
	wp2_core_of_shape(shape_a, &pair->cores[0], &pair->corners[0]);
	wp2_core_of_shape(shape_b, &pair->cores[1], &pair->corners[1]);
	wp_environment_leave(before);
	pair->shape[0] = 0;
	pair->shape[1] = 1;
	pair->table = (wp2_shape_table){.magic = WP2_SHAPE_TABLE_MAGIC, .count = 2, .cores = pair->cores};
	pair->batch = (wp2_batch){.shapes = &pair->table,
		.a = {.position = pose_a->position, .rotation = pose_a->rotation, .shape = &pair->shape[0], .count = 1},
		.b = {.position = pose_b->position, .rotation = pose_b->rotation, .shape = &pair->shape[1], .count = 1},
		.count = 1};
}

static wp_error run_pair(wp_workspace *workspace, const wp2_shape *shape_a, const wp2_pose *pose_a,
	const wp2_shape *shape_b, const wp2_pose *pose_b, wp_query query, float max_separation, wp2_row *row,
	const wp2_manifolds *manifolds)
{
	const wp_error error = wp_check_pair(shape_a, pose_a, shape_b, pose_b, row);
	if (error != WP_OK)
		return error;
	wp2_pair pair;
	wp2_pair_make(&pair, shape_a, pose_a, shape_b, pose_b);
	const wp2_results results = wp2_results_of_rows(row);
	return run_query(workspace, &pair.batch, query, max_separation, &results, manifolds, NULL);
}

wp_error wp2_overlap_pair(wp_workspace *workspace, const wp2_shape *shape_a, const wp2_pose *pose_a,
	const wp2_shape *shape_b, const wp2_pose *pose_b, wp2_row *row)
{
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, WP_QUERY_OVERLAP, 0.0f, row, NULL);
}

wp_error wp2_distance_pair(wp_workspace *workspace, const wp2_shape *shape_a, const wp2_pose *pose_a,
	const wp2_shape *shape_b, const wp2_pose *pose_b, wp2_row *row)
{
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, WP_QUERY_DISTANCE, 0.0f, row, NULL);
}

wp_error wp2_contact_pair(wp_workspace *workspace, const wp2_shape *shape_a, const wp2_pose *pose_a,
	const wp2_shape *shape_b, const wp2_pose *pose_b, float max_separation, wp2_row *row)
{
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, WP_QUERY_CONTACT, max_separation, row, NULL);
}

wp_error wp2_contact_manifold_pair(wp_workspace *workspace, const wp2_shape *shape_a, const wp2_pose *pose_a,
	const wp2_shape *shape_b, const wp2_pose *pose_b, float max_separation, wp2_row *row, wp2_manifold_point *points,
	uint32_t *count)
{
	const wp2_manifolds manifolds = {.count = count, .points = points};
	if (points == NULL)
		return WP_ERROR_NULL_POINTS;
	if (count == NULL)
		return WP_ERROR_NULL_COUNT;
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, WP_QUERY_CONTACT, max_separation, row, &manifolds);
}

wp2_results wp2_results_of_rows(wp2_row *rows)
{
	wp2_results results = {0};
	if (rows == NULL)
		return results;
	results.separation = &rows->separation;
	results.normal = rows->normal;
	results.point_a = rows->point_a;
	results.point_b = rows->point_b;
	results.lower = &rows->lower;
	results.upper = &rows->upper;
	results.status = &rows->status;
	results.iterations = &rows->iterations;
	results.separation_stride = results.normal_stride = results.point_a_stride = results.point_b_stride =
		results.lower_stride = results.upper_stride = results.status_stride = results.iterations_stride = sizeof *rows;
	return results;
}
