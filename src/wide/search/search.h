/* All that a bucket takes after its closed forms: GJK, EPA and witness points. */
#ifndef WP_WIDE_SEARCH_SEARCH_H
#define WP_WIDE_SEARCH_SEARCH_H

#include "wide/search/epa.h"
#include "wide/search/gjk.h"
#include "wide/search/witness.h"

/* Whether one lane takes less time for so many jobs. */
WP_INLINE bool wp_are_few(const wp_jobs *jobs, uint32_t count)
{
	return WP_WIDTH > 1 && jobs->few != NULL && count <= WP_FEW_SEARCHED;
}

/* List the jobs whose cores overlap. Returns how many they are. */
WP_NOINLINE uint32_t wp_list_inside(
	const wp_jobs *jobs, const int32_t *list, uint32_t total, int32_t inside[WP_JOB_MAX])
{
	uint32_t deep = 0;
	for (uint32_t i = 0; i < total; i++)
		if (jobs->state[list[i]] == WP_JOB_INSIDE)
			inside[deep++] = list[i];
	return deep;
}

/* What closed forms left of one bucket, by its core kinds: hulls, and any others. */
WP_INLINE void wp_search_run(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, int kind_a,
	int kind_b, wp_kernel_work *work)
{
	wp_gjk_run(jobs, list, total, scratch, kind_a, kind_b, work);

	/* Only a contact needs the depth of an overlap. */
	int32_t inside[WP_JOB_MAX];
	const uint32_t deep = jobs->query == WP_QUERY_CONTACT ? wp_list_inside(jobs, list, total, inside) : 0;
	if (wp_are_few(jobs, deep))
		jobs->few->expand(jobs, inside, deep, scratch, kind_a, kind_b, work);
	else if (WP_WIDTH == 16 && jobs->half != NULL && wp_fill_half(deep))
		jobs->half->expand(jobs, inside, deep, scratch, kind_a, kind_b, work);
	else
		wp_epa_run(jobs, inside, deep, scratch, kind_a, kind_b, work);
	wp_witness_run(jobs, list, total, kind_a, kind_b);
}

#endif
