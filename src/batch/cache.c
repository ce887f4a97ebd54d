#include "batch/cache.h"

#define IS_WORD(field, word) (offsetof(wp_cache, field) == sizeof(uint32_t) * word)
_Static_assert(IS_WORD(vertex, WP_CACHE_VERTEX) && IS_WORD(axis, WP_CACHE_AXIS) && IS_WORD(count, WP_CACHE_COUNT) &&
				   sizeof(wp_cache) == sizeof(uint32_t) * WP_CACHE_WORDS,
	"kernels and API share the layout of a cache");

static unsigned char *cache_of_row(const wp_call *call, uint32_t row)
{
	return (unsigned char *)call->cache + (call->first + row) * call->cache_stride;
}

void wp_cache_offer(const wp_call *call, wp_jobs *jobs, uint32_t tracked[WP_JOB_MAX])
{
	if (call->tracked.pairs == NULL) {
		wp_cache_lend(jobs, call->cache != NULL ? cache_of_row(call, 0) : NULL, call->cache_stride);
		return;
	}
	wp_cache_lend(jobs, &call->tracked.pairs[0].known, sizeof(wp_tracked));
	for (uint32_t job = 0; job < jobs->count; job++)
		tracked[job] = (uint32_t)wp_tracked_of_row(call, jobs->row[job]);
	jobs->cache_of = tracked;
	if (jobs->cache != NULL && call->tracked.polytopes != NULL) {
		jobs->polytopes = (unsigned char *)call->tracked.polytopes;
		jobs->shapes = call->cores;
		jobs->serials = call->shapes->serials;
	}
}

void wp_cache_take(const wp_jobs *jobs, uint32_t job, void *cache)
{
	if (wp_has_feature(jobs, job))
		wp_cache_write(jobs, job, cache);
}

void wp_cache_keep(const wp_call *call, const wp_jobs *jobs)
{
	for (uint32_t job = 0; jobs->cache != NULL && job < jobs->count; job++)
		wp_cache_take(jobs, job, cache_of_row(call, jobs->row[job]));
}

void wp_cache_clear(const wp_call *call, uint32_t row)
{
	if (call->cache != NULL)
		memset(cache_of_row(call, row), 0, sizeof(wp_cache));
}
