#include "batch/bucket_2d.h"
#include "batch/manifold_2d.h"

/* ---- packing ------------------------------------------------------------------------------------ */

WP_INLINE enum wp2d_bucket bucket_of(const wp2d_core *a, const wp2d_core *b)
{
	const uint32_t most = a->count > b->count ? a->count : b->count;
	if (most > 2)
		return most <= WP2D_FEW_VERTICES ? WP2D_BUCKET_FEW : WP2D_BUCKET_MANY;
	return a->bound == 0.0f && b->bound == 0.0f ? WP2D_BUCKET_CIRCLES : WP2D_BUCKET_SEGMENTS;
}

/* Add a valid row to the jobs, which have room for it. */
WP_INLINE void pack_job(wp2d_jobs *jobs, uint32_t row, const wp_input *input, const wp2d_core *a, const wp2d_core *b)
{
	WP_ASSERT(jobs->count < WP2D_JOB_MAX);
	const uint32_t job = jobs->count++;
	jobs->row[job] = row;
	memcpy(jobs->origin[job], input->a.position, WP_2D * sizeof(double));
	jobs->core[0][job] = a;
	jobs->core[1][job] = b;
	jobs->vertices[0][job] = (int32_t)a->count;
	jobs->vertices[1][job] = (int32_t)b->count;
	jobs->input[WP2D_INPUT_COSINE_A][job] = input->a.rotation[0];
	jobs->input[WP2D_INPUT_SINE_A][job] = input->a.rotation[1];
	jobs->input[WP2D_INPUT_COSINE_B][job] = input->b.rotation[0];
	jobs->input[WP2D_INPUT_SINE_B][job] = input->b.rotation[1];
	jobs->input[WP2D_INPUT_OFFSET_X][job] = (float)(input->b.position[0] - input->a.position[0]);
	jobs->input[WP2D_INPUT_OFFSET_Y][job] = (float)(input->b.position[1] - input->a.position[1]);
	jobs->input[WP2D_INPUT_RADIUS_A][job] = a->radius;
	jobs->input[WP2D_INPUT_RADIUS_B][job] = b->radius;
	jobs->input[WP2D_INPUT_BOUND_A][job] = a->bound;
	jobs->input[WP2D_INPUT_BOUND_B][job] = b->bound;
}

WP_INLINE uint32_t pack_rows_of(const wp_call *call, uint32_t row, uint32_t count, wp2d_jobs buckets[WP2D_BUCKET_COUNT],
	uint32_t real, wp2d_jobs **full)
{
	for (*full = NULL; row < count; row++) {
		wp_input input;
		wp_read_row_of(call, WP_2D, real, row, &input);
		if (input.invalid)
			return row;
		const wp2d_core *const a = &call->cores_2d[input.a.shape], *const b = &call->cores_2d[input.b.shape];
		wp2d_jobs *const jobs = &buckets[bucket_of(a, b)];
		pack_job(jobs, row, &input, a, b);
		if (jobs->count == WP2D_JOB_MAX) {
			*full = jobs;
			return row + 1;
		}
	}
	return row;
}

/* Make jobs of the rows from `row` on, `count` being the end of them, until a bucket is full or a row is invalid.
 * Returns the row after the last job; *full is the bucket, or NULL. Both forms of positions are compiled on their own: a
 * row is read in one go. */
static uint32_t pack_rows(
	const wp_call *call, uint32_t row, uint32_t count, wp2d_jobs buckets[WP2D_BUCKET_COUNT], wp2d_jobs **full)
{
	const wp_call own = *call;
	return own.a.position_real == WP_REAL_FLOAT ? pack_rows_of(&own, row, count, buckets, WP_REAL_FLOAT, full)
	                                            : pack_rows_of(&own, row, count, buckets, WP_REAL_DOUBLE, full);
}

_Static_assert(WP2D_JOB_MAX % WP_WIDTH_MAX == 0, "the last block is a whole one");

/* Give the lanes past the last job numbers to compute on. */
static void fill_block(wp2d_jobs *jobs)
{
	const size_t end = wp_round_up(jobs->count, WP_WIDTH_MAX);
	for (size_t job = jobs->count; job < end; job++) {
		for (int i = 0; i < WP2D_INPUT_COUNT; i++)
			jobs->input[i][job] = 0.0f;
		jobs->input[WP2D_INPUT_COSINE_A][job] = jobs->input[WP2D_INPUT_COSINE_B][job] = 1.0f;
		jobs->vertices[0][job] = jobs->vertices[1][job] = 1;
	}
}

/* ---- running ------------------------------------------------------------------------------------ */

/* Solve a job that the kernels left open. */
static void run_strongly(wp_workspace *workspace, const wp_call *call, uint32_t row, wp_statistics *statistics)
{
	wp_input input;
	wp_output output;
	wp_run_single(workspace, call, row, &input, &output, statistics);
	if (call->manifolds.points != NULL)
		wp2d_write_manifold(call, row, &input, &output);
}

/* Run a bucket through the kernels and empty it. */
static void run_bucket(wp_workspace *workspace, const wp_call *call, wp2d_jobs *jobs, wp_statistics *statistics)
{
	wp_kernel_work work = {0, 0};
	jobs->query = call->query;
	jobs->max_separation = call->max_separation;
	jobs->are_circles = jobs == &workspace->memory_2d->buckets[WP2D_BUCKET_CIRCLES];
	jobs->wants_manifolds = call->manifolds.points != NULL;
	fill_block(jobs);
	/* Wide kernels take as long for one pair as for many; one lane has the same bits. */
	const wp2d_kernels *const kernels = jobs->count <= WP_FEW_JOBS ? workspace->few_2d : workspace->kernels_2d;
	kernels->solve(jobs, &workspace->memory_2d->scratch, &work);
	statistics->lanes_issued += work.lanes_issued;
	statistics->lanes_live += work.lanes_live;
	wp2d_write_jobs(call, jobs, statistics);
	if (jobs->wants_manifolds)
		wp2d_write_manifolds(call, jobs);
	for (uint32_t job = 0; job < jobs->count; job++)
		if (jobs->status[job] == 0)
			run_strongly(workspace, call, jobs->row[job], statistics);
	jobs->count = 0;
}

void wp2d_empty_buckets(wp2d_memory *memory)
{
	for (uint32_t i = 0; i < WP2D_BUCKET_COUNT; i++)
		memory->buckets[i].count = 0;
}

uint32_t wp2d_run_jobs(
	wp_workspace *workspace, const wp_call *call, uint32_t row, uint32_t count, wp_statistics *statistics)
{
	wp2d_jobs *full = NULL;
	do {
		row = pack_rows(call, row, count, workspace->memory_2d->buckets, &full);
		if (full != NULL)
			run_bucket(workspace, call, full, statistics);
	} while (full != NULL);
	return row;
}

void wp2d_run_waiting(wp_workspace *workspace, const wp_call *call, wp_statistics *statistics)
{
	for (uint32_t i = 0; i < WP2D_BUCKET_COUNT; i++)
		if (workspace->memory_2d->buckets[i].count != 0)
			run_bucket(workspace, call, &workspace->memory_2d->buckets[i], statistics);
}
