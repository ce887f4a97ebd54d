/* The caches of a call's rows, on their way to the jobs and back. */
#ifndef WP_BATCH_CACHE_H
#define WP_BATCH_CACHE_H

#include "batch/call.h"

/* Give jobs caches in an array of the caller's, `stride` bytes from row to row; NULL: none. */
WP_INLINE void wp_cache_lend(wp_jobs *jobs, const void *first, size_t stride)
{
	/* Vertices of smooth cores have no ids to keep, and half-spaces have no vertices. */
	const bool keeps_none = jobs->kind_a >= WP_CORE_SMOOTH || jobs->kind_b >= WP_CORE_SMOOTH;
	jobs->cache = keeps_none ? NULL : first;
	jobs->cache_of = jobs->row;
	jobs->cache_stride = stride;
	jobs->polytopes = NULL;
}

/* Give jobs the caches of their call. `tracked`: room for the tracked pair of each job. */
void wp_cache_offer(const wp_call *call, wp_jobs *jobs, uint32_t tracked[WP_JOB_MAX]);

/* Whether a solved job found a feature for a cache. */
WP_INLINE bool wp_has_feature(const wp_jobs *jobs, uint32_t job)
{
	return jobs->cache != NULL && jobs->state[job] != WP_JOB_STRONG && jobs->vertex_count[job] != WP_NO_FEATURE;
}

WP_INLINE void wp_put_word(void *to, uint32_t word) { memcpy(to, &word, sizeof word); }

/* Into the wp_cache that holds it, aligned or not. A gap or an overlap is found again from its feature, a proof that shapes are far apart from its axis. */
WP_INLINE void wp_cache_write(const wp_jobs *jobs, uint32_t job, void *kept)
{
	const int32_t state = jobs->state[job];
	const int32_t in_depth = 3 + (jobs->vertex[3][job] != jobs->vertex[0][job]);
	const int32_t count = state == WP_JOB_DEPTH ? in_depth : state == WP_JOB_BEYOND ? 0 : jobs->vertex_count[job];
	unsigned char *const to = kept;
	/* Word by word: to read a cache as a whole that was just written so would wait. */
	for (int32_t i = 0; i < 4; i++)
		wp_put_word(to + 4 * i, (uint32_t)jobs->vertex[i][job] & -(uint32_t)(i < count));
	for (uint32_t i = 0; i < 3; i++)
		memcpy(to + 4 * (WP_CACHE_AXIS + i), &jobs->direction[i][job], sizeof(float));
	wp_put_word(to + 4 * WP_CACHE_COUNT, (uint32_t)count);
}

/* Write what a job has found to a cache; a job left to the strong path has found nothing. */
void wp_cache_take(const wp_jobs *jobs, uint32_t job, void *cache);

/* Write what all jobs have found to the caches of their call. */
void wp_cache_keep(const wp_call *call, const wp_jobs *jobs);

/* Empty the cache of a row, if it has one. */
void wp_cache_clear(const wp_call *call, uint32_t row);

#endif
