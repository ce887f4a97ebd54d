#include "batch/bucket_2d.h"
#include "batch/manifold_2d.h"

/* ---- packing ------------------------------------------------------------------------------------ */

_Static_assert(offsetof(wp2d_core, bound) == offsetof(wp2d_core, radius) + sizeof(float) &&
				   offsetof(wp2d_core, count) == offsetof(wp2d_core, radius) + 2 * sizeof(float) &&
				   sizeof(wp2d_core) == offsetof(wp2d_core, radius) + 4 * sizeof(float),
	"a core ends with one row of its job's input");

/* The core of the body that a row names; NULL where the body or its shape is invalid. */
WP_INLINE const wp2d_core *core_of_row(
	const wp_call *call, const wp_bodies *bodies, const wp_const_uint32_column *pair, size_t row, size_t *body)
{
	*body = pair->data != NULL ? wp_read_once(wp_offset(pair->data, row * pair->stride)) : row;
	if (*body >= bodies->count)
		return NULL;
	const size_t shape = bodies->shape.data != NULL
	                       ? wp_read_once(wp_offset(bodies->shape.data, *body * bodies->shape.stride))
	                       : *body;
	return shape < call->core_count && call->cores_2d[shape].count != 0 ? &call->cores_2d[shape] : NULL;
}

/* The positions of both bodies, as inputs of a job. Floats are copied: their differences and sums have the bits of double
 * ones rounded. */
WP_INLINE void put_positions(
	const wp_call *call, const size_t body[2], bool has_floats, double origin[3], float *at_a, float *at_b)
{
	const wp_bodies *const a = &call->a, *const b = &call->b;
	if (has_floats) {
		memcpy(at_a, wp_offset(a->position.data, body[0] * a->position.stride), WP_2D * sizeof(float));
		memcpy(at_b, wp_offset(b->position.data, body[1] * b->position.stride), WP_2D * sizeof(float));
		return;
	}
	double to[3];
	const bool inside_a = wp_read_position(a, body[0], WP_2D, a->position_real, origin);
	const bool inside_b = wp_read_position(b, body[1], WP_2D, b->position_real, to);
	for (int i = 0; i < WP_2D; i++) {
		at_a[i] = 0.0f;
		at_b[i] = inside_a && inside_b ? (float)(to[i] - origin[i]) : __builtin_nanf("");
	}
}

/* Make a row a job. Returns its bucket; NULL, and nothing done, where a body or a shape is invalid. Kernels leave jobs with
 * invalid positions and rotations open. */
WP_INLINE wp2d_jobs *pack_row(const wp_call *call, uint32_t row, wp2d_jobs buckets[WP2D_BUCKET_COUNT], bool has_floats)
{
	size_t body[2];
	const wp2d_core *const a = core_of_row(call, &call->a, &call->pair_a, call->first + row, &body[0]);
	const wp2d_core *const b = core_of_row(call, &call->b, &call->pair_b, call->first + row, &body[1]);
	if (a == NULL || b == NULL)
		return NULL;
	wp2d_jobs *const jobs = &buckets[a->bucket > b->bucket ? a->bucket : b->bucket];
	WP_ASSERT(jobs->count < WP2D_JOB_MAX);
	const uint32_t job = jobs->count++;
	float *const input = jobs->input + (size_t)4 * WP2D_INPUT_COUNT * job;
	float *const body_a = input + 4 * WP2D_INPUT_BODY_A, *const body_b = input + 4 * WP2D_INPUT_BODY_B;
	jobs->row[job] = row;
	jobs->core[0][job] = a;
	jobs->core[1][job] = b;
	put_positions(call, body, has_floats, jobs->origin[job], body_a, body_b);
	memcpy(body_a + 2, wp_offset(call->a.rotation.data, body[0] * call->a.rotation.stride), 2 * sizeof(float));
	memcpy(body_b + 2, wp_offset(call->b.rotation.data, body[1] * call->b.rotation.stride), 2 * sizeof(float));
	memcpy(input + 4 * WP2D_INPUT_CORE_A, &a->radius, 4 * sizeof(float));
	memcpy(input + 4 * WP2D_INPUT_CORE_B, &b->radius, 4 * sizeof(float));
	return jobs;
}

/* Make jobs of the rows from `row` on, `count` being the end of them, until a bucket is full or a row has no job.
 * Returns the row after the last job; *full is the bucket, or NULL. */
WP_INLINE uint32_t pack_rows(const wp_call *call, uint32_t row, uint32_t count, wp2d_jobs buckets[WP2D_BUCKET_COUNT],
	bool has_floats, wp2d_jobs **full)
{
	for (*full = NULL; row < count; row++) {
		wp2d_jobs *const jobs = pack_row(call, row, buckets, has_floats);
		if (jobs == NULL)
			return row;
		if (jobs->count == WP2D_JOB_MAX) {
			*full = jobs;
			return row + 1;
		}
	}
	return row;
}

_Static_assert(WP2D_JOB_MAX % WP_WIDTH_MAX == 0, "the last block is a whole one");

/* The lanes past the last job do what the first one does. */
static void fill_block(wp2d_jobs *jobs)
{
	const size_t size = (size_t)4 * WP2D_INPUT_COUNT, end = wp_round_up(jobs->count, WP_WIDTH_MAX);
	for (size_t job = jobs->count; job < end; job++) {
		memcpy(jobs->input + size * job, jobs->input, size * sizeof(float));
		jobs->core[0][job] = jobs->core[0][0];
		jobs->core[1][job] = jobs->core[1][0];
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
	jobs->has_float_points = wp_has_float_points(call);
	jobs->wants_manifolds = call->manifolds.points != NULL;
	jobs->wants_details = wp_wants_details(&call->results) || (jobs->wants_manifolds && jobs->are_circles);
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
	/* A copy that no function is given: its fields need not be read again for each row. */
	const wp_call own = *call;
	const bool has_floats = wp_has_float_points(call);
	wp2d_jobs *const buckets = workspace->memory_2d->buckets, *full = NULL;
	do {
		row = has_floats ? pack_rows(&own, row, count, buckets, true, &full)
		                 : pack_rows(&own, row, count, buckets, false, &full);
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
