/* The caches of a call's rows, on their way to the jobs and back. */
#ifndef WP_BATCH_CACHE_H
#define WP_BATCH_CACHE_H

#include "batch/call.h"

/* Give jobs caches in an array of the caller's, `stride` bytes from row to row; NULL: none. */
void wp_cache_lend(wp_jobs *jobs, const void *first, size_t stride);

/* Give jobs the caches of their call. `tracked`: room for the tracked pair of each job. */
void wp_cache_offer(const wp_call *call, wp_jobs *jobs, uint32_t tracked[WP_JOB_MAX]);

/* Whether a solved job found a feature for a cache, and the cache that holds it. */
bool wp_has_feature(const wp_jobs *jobs, uint32_t job);
wp_cache wp_cache_of_job(const wp_jobs *jobs, uint32_t job);

/* Write what a job has found to a cache; a job left to the strong path has found nothing. */
void wp_cache_take(const wp_jobs *jobs, uint32_t job, void *cache);

/* Write what all jobs have found to the caches of their call. */
void wp_cache_keep(const wp_call *call, const wp_jobs *jobs);

/* Empty the cache of a row, if it has one. */
void wp_cache_clear(const wp_call *call, uint32_t row);

#endif
