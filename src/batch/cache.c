#include "batch/cache.h"

#define IS_WORD(field, word) (offsetof(wp_cache, field) == sizeof(uint32_t) * word)
_Static_assert(IS_WORD(vertex, WP_CACHE_VERTEX) && IS_WORD(axis, WP_CACHE_AXIS) && IS_WORD(count, WP_CACHE_COUNT) &&
				   sizeof(wp_cache) == sizeof(uint32_t) * WP_CACHE_WORDS,
	"kernels and API share the layout of a cache");

static unsigned char *cache_of_row(const wp_call *call, uint32_t row)
{
	return (unsigned char *)call->cache + (call->first + row) * call->cache_stride;
}

void wp_cache_lend(wp_jobs *jobs, const void *first, size_t stride)
{
	/* Vertices of smooth cores have no ids to keep, and half-spaces have no vertices. */
	const bool keeps_none = jobs->kind_a >= WP_CORE_SMOOTH || jobs->kind_b >= WP_CORE_SMOOTH;
	jobs->cache = keeps_none ? NULL : first;
	jobs->cache_of = jobs->row;
	jobs->cache_stride = stride;
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
}

bool wp_has_feature(const wp_jobs *jobs, uint32_t job)
{
	return jobs->cache != NULL && jobs->state[job] != WP_JOB_STRONG && jobs->vertex_count[job] != WP_NO_FEATURE;
}

/* Keep all vertices of a depth, of cores with few enough of them. */
static void keep_all(const wp_jobs *jobs, uint32_t job, wp_cache *kept)
{
	kept->count = WP_KNOWN_MAX;
	kept->vertex[0] = (uint32_t)wp_short_ids(jobs->vertex[0][job], jobs->vertex[1][job]);
	kept->vertex[1] = (uint32_t)wp_short_ids(jobs->vertex[2][job], 0);
	kept->vertex[2] = (uint32_t)jobs->beside[0][job];
	kept->vertex[3] = (uint32_t)jobs->beside[1][job];
}

static bool has_short(const wp_core *core) { return core->kind != WP_CORE_HULL || core->count <= WP_SHORT_COUNT; }

/* A gap or an overlap is found again from its feature, a proof that shapes are far apart from its axis. */
wp_cache wp_cache_of_job(const wp_jobs *jobs, uint32_t job)
{
	wp_cache kept = {.count = 0};
	const int32_t state = jobs->state[job];
	if (state == WP_JOB_DEPTH)
		kept.count = jobs->vertex[3][job] != jobs->vertex[0][job] ? 4 : 3;
	else if (state != WP_JOB_BEYOND)
		kept.count = (uint32_t)jobs->vertex_count[job];
	for (uint32_t i = 0; i < 3; i++)
		kept.axis[i] = jobs->direction[i][job];
	for (uint32_t i = 0; i < kept.count; i++)
		kept.vertex[i] = (uint32_t)jobs->vertex[i][job];
	if (state == WP_JOB_DEPTH && kept.count == 4 && has_short(jobs->core_a[job]) && has_short(jobs->core_b[job]))
		keep_all(jobs, job, &kept);
	return kept;
}

void wp_cache_take(const wp_jobs *jobs, uint32_t job, void *cache)
{
	if (!wp_has_feature(jobs, job))
		return;
	const wp_cache kept = wp_cache_of_job(jobs, job);
	memcpy(cache, &kept, sizeof kept);
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
