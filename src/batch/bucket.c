#include "batch/bucket.h"
#include "batch/cache.h"
#include "batch/manifold.h"
#include "batch/pack.h"
#include "batch/single.h"

/* What the kernels left open. */
static void run_open_jobs(wp_workspace *workspace, const wp_call *call, wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	for (uint32_t i = 0; i < jobs->count; i++) {
		if (jobs->state[i] != WP_JOB_STRONG)
			continue;
		wp_input input;
		wp_output output;
		wp_run_single(workspace, call, jobs->row[i], &input, &output, statistics);
		if (wp_makes_points(call))
			wp_keep_output(call, input.a.position, &output, jobs, i);
	}
}

static bool is_half_space(const wp_jobs *jobs) { return jobs->kind_a == WP_CORE_HALF_SPACE; }

/* Hand the jobs of a bucket to the kernels. */
static void take_jobs(wp_jobs *jobs, const wp_call *call, wp_bucket *bucket, uint32_t count)
{
	wp_pad_cores(bucket, count);
	jobs->count = count;
	jobs->query = call->query;
	jobs->wants_details = wp_wants_details(&call->results) || wp_makes_points(call);
	jobs->wants_tangents = call->results.tangent_1.data != NULL || call->results.tangent_2.data != NULL;
	jobs->max_separation = call->max_separation;
	jobs->method = (uint32_t)call->by.method;
	jobs->margin = call->by.margin;
	jobs->directions = call->by.directions;
	jobs->input = bucket->input;
	jobs->core_a = bucket->core_a;
	jobs->core_b = bucket->core_b;
	jobs->row = bucket->row;
	jobs->origin_body = bucket->origin_body;
}

/* Run them. Returns the kernels that did. */
static const wp_kernels *solve_jobs(
	wp_workspace *workspace, const wp_call *call, bool are_apart, wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	wp_kernel_work work = {0, 0};
	/* Wide kernels take as long for one pair as for many; one lane has the same bits. */
	const wp_kernels *kernels = jobs->count <= WP_FEW_JOBS ? workspace->few : workspace->kernels;
	jobs->methods = call->by.tables != NULL ? call->by.tables[kernels->width]->table : NULL;
	if (are_apart)
		kernels->closed->solve_spheres(jobs);
	else if (is_half_space(jobs))
		kernels->solve_half_space(jobs);
	else
		kernels->solve(jobs, workspace->scratch, &work);
	statistics->lanes_issued += work.lanes_issued;
	statistics->lanes_live += work.lanes_live;
	return kernels;
}

/* Write what they found. */
static void write_jobs(
	wp_workspace *workspace, const wp_call *call, const wp_kernels *kernels, wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	wp_write_jobs(call, jobs, statistics);
	if (call->cache != NULL)
		wp_cache_keep(call, jobs);
	run_open_jobs(workspace, call, statistics);
	if (call->turn != NULL)
		call->turn(call, jobs);
	if (wp_makes_points(call))
		wp_write_manifolds(call, jobs, kernels->manifolds, kernels->width, workspace->manifold);
}

/* Run a bucket through the kernels and empty it. */
static void run_bucket(wp_workspace *workspace, const wp_call *call, uint32_t index, wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	wp_bucket *const bucket = &workspace->buckets.bucket[index];
	const uint32_t count = workspace->buckets.count[index];
	wp_kinds_of_bucket(index, &jobs->kind_a, &jobs->kind_b);
	take_jobs(jobs, call, bucket, count);
	if (is_half_space(jobs))
		jobs->down = workspace->buckets.down[index - WP_HALF_SPACE_BUCKETS];
	wp_cache_offer(call, jobs, workspace->tracked);
	const wp_kernels *const kernels = solve_jobs(workspace, call, index == WP_APART_BUCKET, statistics);
	write_jobs(workspace, call, kernels, statistics);
	workspace->buckets.count[index] = 0;
}

void wp_solve_bucket(wp_workspace *workspace, const wp_call *call, wp_bucket *bucket, uint32_t index, uint32_t count,
	wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	wp_kinds_of_bucket(index, &jobs->kind_a, &jobs->kind_b);
	take_jobs(jobs, call, bucket, count);
	wp_cache_offer(call, jobs, workspace->tracked);
	solve_jobs(workspace, call, false, statistics);
	if (call->counts_rows)
		wp_count_jobs(jobs, statistics);
	run_open_jobs(workspace, call, statistics);
}

uint32_t wp_run_jobs(
	wp_workspace *workspace, const wp_call *call, uint32_t at, uint32_t count, wp_statistics *statistics)
{
	uint32_t full;
	do {
		at = wp_pack_rows(call, at, count, &workspace->buckets, &full);
		if (full != WP_NO_BUCKET)
			run_bucket(workspace, call, full, statistics);
	} while (full != WP_NO_BUCKET);
	return at;
}

void wp_run_waiting(wp_workspace *workspace, const wp_call *call, wp_statistics *statistics)
{
	for (uint32_t i = 0; i < WP_BUCKET_COUNT; i++)
		if (workspace->buckets.count[i] != 0)
			run_bucket(workspace, call, i, statistics);
}
