#include "cache.h"

#define CACHE_VERTEX_MAX WP_COUNT_OF(((wp_cache *)NULL)->vertex_a)

_Static_assert(sizeof(wp_cache) == 32, "two caches per cache line");
_Static_assert(CACHE_VERTEX_MAX == WP_COUNT_OF(((wp_jobs *)NULL)->vertex), "a cache holds what a job does");

static wp_cache *cache_of_row(const wp_call *call, uint32_t row)
{
	return (wp_cache *)((char *)call->cache + (call->first + row) * call->cache_stride);
}

/* An id that support might give of this core: bits that mean nothing there are dropped, so that equal points have
 * equal ids. */
static uint32_t safe_id(const wp_core *core, uint32_t id)
{
	if (core->kind == WP_CORE_HULL)
		return id < core->count ? id : core->count - 1;
	uint32_t signs = 0;
	for (uint32_t axis = 0; axis < 3; axis++)
		signs |= core->half[axis] > 0.0f ? id & 1u << axis : 0u;
	return signs;
}

/* False for NaN and infinity too. */
static bool is_unit(const float axis[3])
{
	const float length2 = (axis[0] * axis[0] + axis[1] * axis[1]) + axis[2] * axis[2];
	return length2 >= 0.99f * 0.99f && length2 <= 1.01f * 1.01f;
}

void wp_cache_recall(const wp_call *call, const wp_bucket *bucket, wp_jobs *jobs)
{
	for (uint32_t job = 0; job < jobs->count; job++) {
		wp_cache known;
		memcpy(&known, cache_of_row(call, bucket->row[job]), sizeof known);
		const uint32_t count = known.count <= CACHE_VERTEX_MAX ? known.count : 0;
		const bool has_axis = is_unit(known.axis);
		jobs->vertex_count[job] = (int32_t)count;
		for (uint32_t i = 0; i < 3; i++)
			jobs->axis[i][job] = has_axis ? known.axis[i] : 0.0f;
		for (uint32_t i = 0; i < count; i++)
			jobs->vertex[i][job] = (int32_t)(safe_id(jobs->core_a[job], known.vertex_a[i]) << 16 |
				safe_id(jobs->core_b[job], known.vertex_b[i]));
	}
}

/* A gap or an overlap is found again from its feature, a proof that shapes are far apart from its axis. */
static wp_cache cache_of_job(const wp_jobs *jobs, uint32_t job)
{
	wp_cache kept = {.count = 0};
	const int32_t state = jobs->state[job];
	if (state == WP_JOB_DEPTH)
		kept.count = jobs->vertex[3][job] != jobs->vertex[0][job] ? 4 : 3;
	else if (state != WP_JOB_BEYOND)
		kept.count = (uint32_t)jobs->vertex_count[job];
	for (uint32_t i = 0; i < 3; i++)
		kept.axis[i] = jobs->direction[i][job];
	for (uint32_t i = 0; i < kept.count; i++) {
		kept.vertex_a[i] = (uint16_t)((uint32_t)jobs->vertex[i][job] >> 16);
		kept.vertex_b[i] = (uint16_t)((uint32_t)jobs->vertex[i][job] & 0xffffu);
	}
	return kept;
}

void wp_cache_keep(const wp_call *call, const wp_bucket *bucket, const wp_jobs *jobs)
{
	for (uint32_t job = 0; job < jobs->count; job++) {
		if (jobs->state[job] == WP_JOB_STRONG || jobs->vertex_count[job] == WP_NO_FEATURE)
			continue;
		const wp_cache kept = cache_of_job(jobs, job);
		memcpy(cache_of_row(call, bucket->row[job]), &kept, sizeof kept);
	}
}

void wp_cache_clear(const wp_call *call, uint32_t row)
{
	if (call->cache != NULL)
		memset(cache_of_row(call, row), 0, sizeof(wp_cache));
}
