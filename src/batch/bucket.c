#include "batch/bucket.h"
#include "batch/cache.h"
#include "batch/chunk.h"
#include "batch/ground.h"
#include "batch/manifold.h"
#include "batch/pack.h"
#include "batch/strong_row.h"

/* A sum, which compilers make of vectors. */
static bool has_open_jobs(const wp_jobs *jobs)
{
	uint32_t open = 0;
	for (uint32_t i = 0; i < jobs->count; i++)
		open += jobs->state[i] == WP_JOB_STRONG;
	return open != 0;
}

/* What the kernels left open: mostly nothing. */
static void run_open_jobs(wp_workspace *workspace, const wp_call *call, wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	if (!has_open_jobs(jobs))
		return;
	for (uint32_t i = 0; i < jobs->count; i++) {
		if (jobs->state[i] != WP_JOB_STRONG)
			continue;
		wp_input input;
		wp_output output;
		wp_run_strong_row(workspace, call, jobs->row[i], &input, &output, statistics);
		if (wp_makes_points(call))
			wp_keep_output(call, input.a.position, &output, jobs, i);
	}
}

static bool is_half_space(const wp_jobs *jobs) { return jobs->kind_a == WP_CORE_HALF_SPACE; }

/* The jobs whose inputs are known, with what is known of them besides. */
static void take_running(wp_workspace *workspace, uint32_t count)
{
	wp_jobs *const jobs = &workspace->jobs;
	wp_running *const running = &workspace->running;
	wp_pad_cores(running, count);
	jobs->find_farthest = workspace->find_farthest;
	jobs->count = count;
	jobs->core_a = running->core_a;
	jobs->core_b = running->core_b;
	jobs->row = running->row;
}

/* Collect what is known of a bucket's jobs besides their inputs. The last block is copied with what is left in it: as cheaply,
 * and there is room. */
static void collect(wp_workspace *workspace, uint32_t index)
{
	const wp_buckets *const buckets = &workspace->buckets;
	wp_jobs *const jobs = &workspace->jobs;
	wp_running *const running = &workspace->running;
	const uint32_t count = wp_count_of_bucket(buckets, index);
	for (uint32_t at = 0; at < count; at += WP_WIDTH_MAX) {
		const wp_chunk *const chunk = wp_chunk_of_bucket(buckets, index, at / WP_CHUNK_JOBS);
		const uint32_t from = at % WP_CHUNK_JOBS;
		jobs->input[at / WP_CHUNK_JOBS] = chunk->input;
		memcpy(running->core_a + at, chunk->core_a + from, WP_WIDTH_MAX * sizeof *chunk->core_a);
		memcpy(running->core_b + at, chunk->core_b + from, WP_WIDTH_MAX * sizeof *chunk->core_b);
		memcpy(running->row + at, chunk->row + from, WP_WIDTH_MAX * sizeof *chunk->row);
	}
	take_running(workspace, count);
}

/* What the call tells the kernels. */
static void take_call(wp_jobs *jobs, const wp_call *call)
{
	jobs->query = call->query;
	jobs->wants_details = wp_wants_details(&call->results) || wp_makes_points(call);
	jobs->wants_points = wp_makes_points(call);
	jobs->wants_tangents = call->results.tangent_1.data != NULL || call->results.tangent_2.data != NULL;
	jobs->max_separation = call->max_separation;
	jobs->method = (uint32_t)call->by.method;
	jobs->margin = call->by.margin;
	jobs->directions = call->by.directions;
}

/* Run them. Returns the kernels that did. */
static const wp_kernels *solve_jobs(
	wp_workspace *workspace, const wp_call *call, bool are_apart, wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	wp_kernel_work work = {0, 0};
	/* Wide kernels take as long for one pair as for many; one lane has the same bits. */
	const wp_kernels *kernels = wp_kernels_for(workspace, jobs->count);
	jobs->methods = call->by.tables != NULL ? call->by.tables[kernels->width]->table : NULL;
	jobs->few = jobs->methods == NULL ? workspace->few_searches : NULL;
	jobs->half = jobs->methods == NULL ? workspace->half->searches : NULL;
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
		wp_write_manifolds(
			call, jobs, kernels, kernels == workspace->kernels ? workspace->half : kernels, workspace->manifold);
}

/* Run a bucket through the kernels and empty it. */
static void run_bucket(wp_workspace *workspace, const wp_call *call, uint32_t index, wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	wp_kinds_of_bucket(index, &jobs->kind_a, &jobs->kind_b);
	collect(workspace, index);
	take_call(jobs, call);
	if (is_half_space(jobs))
		wp_find_down(jobs);
	wp_cache_offer(call, jobs, workspace->tracked);
	const wp_kernels *const kernels = solve_jobs(workspace, call, index == WP_APART_BUCKET, statistics);
	write_jobs(workspace, call, kernels, statistics);
	wp_empty_bucket(&workspace->buckets, index);
}

void wp_take_running(wp_workspace *workspace, uint32_t count)
{
	wp_jobs *const jobs = &workspace->jobs;
	for (uint32_t at = 0; at < count; at += WP_CHUNK_JOBS)
		jobs->input[at / WP_CHUNK_JOBS] = wp_input_of_running(&workspace->buckets, at);
	take_running(workspace, count);
}

void wp_solve_running(
	wp_workspace *workspace, const wp_call *call, uint32_t index, uint32_t count, wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	wp_kinds_of_bucket(index, &jobs->kind_a, &jobs->kind_b);
	wp_take_running(workspace, count);
	take_call(jobs, call);
	wp_cache_offer(call, jobs, workspace->tracked);
	(void)solve_jobs(workspace, call, false, statistics);
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
		if (wp_count_of_bucket(&workspace->buckets, i) != 0)
			run_bucket(workspace, call, i, statistics);
	wp_allow_chunks(&workspace->buckets, WP_FEW_CHUNKS);
}
