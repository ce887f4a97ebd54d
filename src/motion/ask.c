#include "motion/ask.h"
#include "batch/bucket.h"
#include "batch/run.h"
#include "batch/strong_row.h"

/* The first `count` rows in cast->open, where they are, as a batch; then where their contacts go, and their request. */
static wp_batch batch_of(const wp_call *call, wp_cast_memory *cast, uint32_t count)
{
	const wp_cast_body *const body = cast->body;
	for (uint32_t k = 0; k < count; k++)
		memcpy(&cast->open_pair[2 * k], &cast->pair[2 * cast->open[k]], 2 * sizeof *cast->pair);
	return (wp_batch){.shapes = call->shapes,
		.a = {.position = {body->position, sizeof *body},
			.rotation = {body->rotation, sizeof *body},
			.shape = {&body->shape, sizeof *body},
			.count = (size_t)2 * WP_CAST_ROWS,
			.position_real = WP_REAL_DOUBLE},
		.pair_a = {cast->open_pair, 2 * sizeof *cast->open_pair},
		.pair_b = {cast->open_pair + 1, 2 * sizeof *cast->open_pair},
		.count = count};
}

static wp_results results_of(const wp_call *call, wp_cast_memory *cast)
{
	return wp_cast_results_of(cast->contact, wp_wants_details(&call->results));
}

static wp_request request_of(const wp_call *call)
{
	return (wp_request){.dimension = call->dimension, .query = WP_QUERY_CONTACT, .max_separation = WP_INFINITY};
}

/* ---- buckets ------------------------------------------------------------------------------------ */

/* The number of the bucket of a row's kinds, or none: it has no such bodies or shapes, or a half-space, or is custom. */
static uint32_t bucket_of(const wp_call *call, const wp_cast_memory *cast, uint32_t i)
{
	if (cast->pair[2 * i] == WP_NO_BODY || cast->pair[2 * i + 1] == WP_NO_BODY)
		return WP_NO_BUCKET;
	const uint32_t a = cast->body[2 * i].shape, b = cast->body[2 * i + 1].shape;
	if (a >= call->core_count || b >= call->core_count)
		return WP_NO_BUCKET;
	const uint32_t kind_a = call->cores[a].kind, kind_b = call->cores[b].kind;
	if (kind_a >= WP_CORE_HALF_SPACE || kind_b >= WP_CORE_HALF_SPACE)
		return WP_NO_BUCKET;
	return wp_bucket_of_kinds(kind_a, kind_b);
}

/* Write the contact of a job. Kernels count its points from the position of A. */
static void put_contact(const wp_jobs *jobs, uint32_t job, const wp_cast_body *a, wp_cast_contact *to)
{
	const float *const from = jobs->output + (size_t)WP_OUTPUT_COUNT * job;
	to->separation = from[WP_OUTPUT_SEPARATION];
	to->lower = from[WP_OUTPUT_LOWER];
	to->upper = from[WP_OUTPUT_UPPER];
	memcpy(&to->status, from + WP_OUTPUT_STATUS, sizeof to->status);
	memcpy(&to->iterations, from + WP_OUTPUT_ITERATIONS, sizeof to->iterations);
	for (int k = 0; k < 3; k++) {
		to->normal[k] = from[WP_OUTPUT_NORMAL + k];
		to->point[0][k] = a->position[k] + (double)from[WP_OUTPUT_POINT_A + k];
		to->point[1][k] = a->position[k] + (double)from[WP_OUTPUT_POINT_B + k];
	}
	if (jobs->wants_details) {
		const float *const detail = jobs->detail + (size_t)WP_DETAIL_COUNT * job;
		memcpy(to->local[0], detail + WP_DETAIL_LOCAL_A, sizeof to->local[0]);
		memcpy(to->local[1], detail + WP_DETAIL_LOCAL_B, sizeof to->local[1]);
	}
}

/* Answer `count` rows of a bucket, numbers of cast->open. */
static void run_rows(wp_workspace *workspace, const wp_call *asked, uint32_t index, const uint32_t *row, uint32_t count,
	wp_statistics *work)
{
	wp_cast_memory *const cast = &workspace->cast;
	const wp_jobs *const jobs = &workspace->jobs;
	for (uint32_t job = 0; job < count; job++)
		wp_cast_put_job(workspace, asked, cast->open[row[job]], job, row[job]);
	wp_solve_running(workspace, asked, index, count, work);
	for (uint32_t job = 0; job < count; job++)
		if (jobs->state[job] != WP_JOB_STRONG)
			put_contact(jobs, job, &cast->body[2 * cast->open[row[job]]], &cast->contact[row[job]]);
}

/* The numbers of rows in cast->open, sorted by their buckets: the rows of bucket b end at end[b]. */
static void sort_rows(const wp_call *asked, const wp_cast_memory *cast, uint32_t count, uint32_t row[WP_CAST_ROWS],
	uint32_t end[WP_NO_BUCKET + 1])
{
	uint8_t bucket[WP_CAST_ROWS];
	uint32_t rows[WP_NO_BUCKET + 1] = {0}, before = 0;
	for (uint32_t k = 0; k < count; k++) {
		bucket[k] = (uint8_t)bucket_of(asked, cast, cast->open[k]);
		rows[bucket[k]]++;
	}
	for (uint32_t b = 0; b <= WP_NO_BUCKET; b++) {
		end[b] = before;
		before += rows[b];
	}
	for (uint32_t k = 0; k < count; k++)
		row[end[bucket[k]]++] = k;
}

/* Rows whose kinds have a bucket go there from where they are; the others are rows of a batch. */
static void ask_3d(wp_workspace *workspace, wp_call *asked, uint32_t count, wp_statistics *work)
{
	uint32_t row[WP_CAST_ROWS], end[WP_NO_BUCKET + 1], first = 0;
	sort_rows(asked, &workspace->cast, count, row, end);
	for (uint32_t b = 0; b < WP_HALF_SPACE_BUCKETS; b++) {
		if (end[b] != first)
			run_rows(workspace, asked, b, row + first, end[b] - first, work);
		first = end[b];
	}
	if (first == count)
		return;
	asked->list = row + first;
	wp_run_rows(workspace, asked, count - first, work);
	wp_run_waiting(workspace, asked, work);
}

void wp_cast_ask(wp_workspace *workspace, const wp_call *call, uint32_t count, wp_statistics *work)
{
	wp_cast_memory *const cast = &workspace->cast;
	if (count == 0)
		return;
	const wp_batch batch = batch_of(call, cast, count);
	const wp_results results = results_of(call, cast);
	const wp_request request = request_of(call);
	if (call->dimension != WP_3D) {
		wp_run_batch(workspace, &batch, &request, &results, call->counts_rows ? work : NULL);
		return;
	}
	wp_call asked = wp_make_call(&batch, &results, &request);
	asked.counts_rows = call->counts_rows;
	ask_3d(workspace, &asked, count, work);
}

void wp_cast_ask_strongly(wp_workspace *workspace, const wp_call *call, wp_statistics *work)
{
	wp_cast_memory *const cast = &workspace->cast;
	const wp_batch batch = batch_of(call, cast, 1);
	const wp_results results = results_of(call, cast);
	const wp_request request = request_of(call);
	const wp_call asked = wp_make_call(&batch, &results, &request);
	wp_input input;
	wp_output output;
	wp_run_strong_row(workspace, &asked, 0, &input, &output, work);
}
