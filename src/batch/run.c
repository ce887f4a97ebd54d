/* The queries: check the call, take its rows through buckets or alone, run what is left. */
#include "batch/run.h"
#include "batch/bucket.h"
#include "batch/bucket_2d.h"
#include "batch/chunk.h"
#include "batch/keep.h"
#include "batch/manifold.h"
#include "batch/manifold_2d.h"
#include "batch/one.h"
#include "batch/strong_row.h"
#include "core/environment.h"

#define POINT_MAX_DEFAULT 4

static void run_alone(wp_workspace *workspace, const wp_call *call, uint32_t row, wp_statistics *statistics)
{
	wp_input input;
	wp_output output;
	wp_run_strong_row(workspace, call, row, &input, &output, statistics);
	if (call->tracked.pairs != NULL)
		wp_keep_strong_row(call, row, &input, &output);
	if (call->manifolds.points == NULL)
		return;
	if (call->dimension == WP_3D)
		wp_write_manifold_of_strong_row(call, row, input.a.position, &output);
	else
		wp2d_write_manifold(call, row, &input, &output);
}

void wp_run_rows(wp_workspace *workspace, const wp_call *call, uint32_t count, wp_statistics *statistics)
{
	for (uint32_t at = 0; at < count;) {
		at = wp_run_jobs(workspace, call, at, count, statistics);
		if (at == count)
			break;
		run_alone(workspace, call, call->list != NULL ? call->list[at] : at, statistics);
		at++;
	}
}

static void run_rows_2d(wp_workspace *workspace, const wp_call *call, uint32_t count, wp_statistics *statistics)
{
	wp2d_empty_buckets(workspace->memory_2d);
	for (uint32_t row = 0; row < count;) {
		row = wp2d_run_jobs(workspace, call, row, count, statistics);
		if (row < count)
			run_alone(workspace, call, row++, statistics);
	}
	wp2d_run_waiting(workspace, call, statistics);
}

static void run_all(wp_workspace *workspace, const wp_call *call, uint32_t count, wp_statistics *statistics)
{
	if (call->dimension == WP_3D) {
		/* Queries of meshes and compounds ask no more rows at once, and have their memory where the other chunks are. */
		if (count > WP_MESH_QUERY_RING)
			wp_allow_chunks(&workspace->buckets, WP_CHUNK_COUNT);
		wp_run_rows(workspace, call, count, statistics);
		wp_run_waiting(workspace, call, statistics);
	} else {
		run_rows_2d(workspace, call, count, statistics);
	}
}

static void run_call(wp_workspace *workspace, const wp_batch *batch, const wp_request *request,
	const wp_results *results, wp_statistics *statistics)
{
	wp_statistics unused = {0};
	wp_call call = wp_make_call(batch, results, request);
	call.counts_rows = statistics != NULL;
	run_all(workspace, &call, (uint32_t)batch->count, statistics != NULL ? statistics : &unused);
}

/* One row after the other. What the kernels leave of them runs as a batch. */
static void run_few(wp_workspace *workspace, const wp_batch *batch, const wp_request *request,
	const wp_results *results, wp_statistics *statistics)
{
	for (size_t row = 0; row < batch->count; row++) {
		if (wp_run_row(workspace, batch, request, results, batch->first + row, statistics))
			continue;
		wp_batch rest = *batch;
		rest.first += row;
		rest.count = 1;
		run_call(workspace, &rest, request, results, statistics);
	}
}

wp_error wp_run_batch(wp_workspace *workspace, const wp_batch *batch, const wp_request *request,
	const wp_results *results, wp_statistics *statistics)
{
	const wp_environment before = wp_environment_enter();
	const wp_error error = wp_check_call(workspace, batch, results, request);
	if (error == WP_OK && batch->count != 0) {
		if (wp_are_few_rows(workspace, batch, request, results))
			run_few(workspace, batch, request, results, statistics);
		else
			run_call(workspace, batch, request, results, statistics);
	}
	wp_environment_leave(before);
	return error;
}

/* ---- in 3D -------------------------------------------------------------------------------------- */

wp_error wp_overlap(
	wp_workspace *workspace, const wp_batch *batch, const wp_results *results, wp_statistics *statistics)
{
	return wp_run_batch(
		workspace, batch, &(wp_request){.dimension = WP_3D, .query = WP_QUERY_OVERLAP}, results, statistics);
}

wp_error wp_distance(
	wp_workspace *workspace, const wp_batch *batch, const wp_results *results, wp_statistics *statistics)
{
	return wp_run_batch(
		workspace, batch, &(wp_request){.dimension = WP_3D, .query = WP_QUERY_DISTANCE}, results, statistics);
}

wp_error wp_contact(wp_workspace *workspace, const wp_batch *batch, const wp_contact_options *options,
	const wp_results *results, wp_statistics *statistics)
{
	const wp_request request = wp_request_of_contact(WP_3D, options);
	return wp_run_batch(workspace, batch, &request, results, statistics);
}

/* Where points of `size` bytes go, up to `point_max` of a row, or `usual` where this is 0; `most` is what there may be. */
static wp_error rows_of_points(const wp_uint32_column *count, void *points, size_t stride, uint32_t point_max,
	uint32_t usual, uint32_t most, size_t size, wp_point_rows *rows)
{
	*rows = (wp_point_rows){.count = count->data,
		.points = points,
		.count_stride = count->stride,
		.points_stride = stride,
		.point_max = point_max != 0 ? point_max : usual};
	return count->data == NULL                                 ? WP_ERROR_NULL_MANIFOLDS_COUNT
	     : points == NULL                                      ? WP_ERROR_NULL_MANIFOLDS_POINTS
	     : rows->point_max > most                              ? WP_ERROR_MANIFOLDS_POINT_MAX
	     : WP_IS_SHORT(*count, sizeof *count->data)            ? WP_ERROR_MANIFOLDS_COUNT_STRIDE
	     : wp_is_short(points, stride, rows->point_max * size) ? WP_ERROR_MANIFOLDS_POINTS_STRIDE
	                                                           : WP_OK;
}

wp_error wp_manifold_rows(const wp_manifolds *m, wp_point_rows *rows)
{
	if (m == NULL)
		return WP_ERROR_NULL_MANIFOLDS;
	if (m->solver_points.data == NULL)
		return rows_of_points(&m->count, m->points.data, m->points.stride, m->point_max, POINT_MAX_DEFAULT,
			WP_MANIFOLD_POINT_MAX, sizeof *m->points.data, rows);
	if (m->points.data != NULL)
		return WP_ERROR_MANIFOLDS_BOTH_POINTS;
	const wp_error error = rows_of_points(&m->count, m->solver_points.data, m->solver_points.stride, m->point_max,
		POINT_MAX_DEFAULT, WP_MANIFOLD_POINT_MAX, sizeof *m->solver_points.data, rows);
	rows->left_out = WP_POINT_WORLD_BYTES;
	return error == WP_ERROR_MANIFOLDS_POINTS_STRIDE ? WP_ERROR_MANIFOLDS_SOLVER_POINTS_STRIDE : error;
}

wp_error wp_contact_manifold(wp_workspace *workspace, const wp_batch *batch, const wp_contact_options *options,
	const wp_results *results, const wp_manifolds *manifolds, wp_statistics *statistics)
{
	wp_request request = wp_request_of_contact(WP_3D, options);
	const wp_error error = wp_manifold_rows(manifolds, &request.manifolds);
	return error != WP_OK ? error : wp_run_batch(workspace, batch, &request, results, statistics);
}

/* ---- in 2D -------------------------------------------------------------------------------------- */

static wp_error run_2d(wp_workspace *workspace, const wp2d_batch *batch, const wp_request *request,
	const wp2d_results *results, wp_statistics *statistics)
{
	wp_batch memory;
	return wp_run_batch(workspace, wp_batch_of_2d(batch, &memory), request, results, statistics);
}

wp_error wp2d_overlap(
	wp_workspace *workspace, const wp2d_batch *batch, const wp2d_results *results, wp_statistics *statistics)
{
	return run_2d(workspace, batch, &(wp_request){.dimension = WP_2D, .query = WP_QUERY_OVERLAP}, results, statistics);
}

wp_error wp2d_distance(
	wp_workspace *workspace, const wp2d_batch *batch, const wp2d_results *results, wp_statistics *statistics)
{
	return run_2d(workspace, batch, &(wp_request){.dimension = WP_2D, .query = WP_QUERY_DISTANCE}, results, statistics);
}

wp_error wp2d_contact(wp_workspace *workspace, const wp2d_batch *batch, const wp_contact_options *options,
	const wp2d_results *results, wp_statistics *statistics)
{
	const wp_request request = wp_request_of_contact(WP_2D, options);
	return run_2d(workspace, batch, &request, results, statistics);
}

wp_error wp2d_manifold_rows(const wp2d_manifolds *m, wp_point_rows *rows)
{
	return m == NULL ? WP_ERROR_NULL_MANIFOLDS
	                 : rows_of_points(&m->count, m->points.data, m->points.stride, m->point_max,
						   WP2D_MANIFOLD_POINT_MAX, WP2D_MANIFOLD_POINT_MAX, sizeof *m->points.data, rows);
}

wp_error wp2d_contact_manifold(wp_workspace *workspace, const wp2d_batch *batch, const wp_contact_options *options,
	const wp2d_results *results, const wp2d_manifolds *manifolds, wp_statistics *statistics)
{
	wp_request request = wp_request_of_contact(WP_2D, options);
	const wp_error error = wp2d_manifold_rows(manifolds, &request.manifolds);
	return error != WP_OK ? error : run_2d(workspace, batch, &request, results, statistics);
}
