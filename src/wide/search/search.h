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

/* Sizes of hulls, by eights of vertices. The last one is of all larger hulls too. */
#define WP_HULL_SIZES 8

/* The size of the larger hull of a job. What is no hull has a form in place of a number of vertices, a small number. */
WP_INLINE uint32_t wp_hulls_size(const wp_jobs *jobs, int32_t job)
{
	const uint32_t a = jobs->core_a[job]->count, b = jobs->core_b[job]->count, eights = ((a > b ? a : b) - 1) / 8;
	return eights < WP_HULL_SIZES ? eights : WP_HULL_SIZES - 1;
}

/* Jobs with small hulls first, since all lanes look at as many vertices as the largest hull has that has been in one. Returns the
 * list itself where all are of one size. */
WP_NOINLINE const int32_t *wp_sort_by_size(
	const wp_jobs *jobs, const int32_t *list, uint32_t total, int32_t sorted[WP_JOB_MAX])
{
	uint32_t size[WP_JOB_MAX], place[WP_HULL_SIZES + 1] = {0}, others = 0;
	for (uint32_t i = 0; i < total; i++) {
		size[i] = wp_hulls_size(jobs, list[i]);
		others |= size[i] ^ size[0];
	}
	if (others == 0)
		return list;
	for (uint32_t i = 0; i < total; i++)
		place[size[i] + 1]++;
	for (uint32_t k = 1; k < WP_HULL_SIZES; k++)
		place[k] += place[k - 1];
	for (uint32_t i = 0; i < total; i++)
		sorted[place[size[i]]++] = list[i];
	return sorted;
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
	int32_t sorted[WP_JOB_MAX];
	const bool has_hull = WP_WIDTH > 1 && (kind_a == WP_CORE_HULL || kind_b == WP_CORE_HULL);
	const int32_t *const order = has_hull && total > WP_WIDTH ? wp_sort_by_size(jobs, list, total, sorted) : list;
	wp_gjk_run(jobs, order, total, scratch, kind_a, kind_b, work);

	/* Only a contact needs the depth of an overlap. */
	int32_t inside[WP_JOB_MAX];
	const uint32_t deep = jobs->query == WP_QUERY_CONTACT ? wp_list_inside(jobs, order, total, inside) : 0;
	if (wp_are_few(jobs, deep))
		jobs->few->expand(jobs, inside, deep, scratch, kind_a, kind_b, work);
	else if (WP_WIDTH == 16 && jobs->half != NULL && wp_fill_half(deep))
		jobs->half->expand(jobs, inside, deep, scratch, kind_a, kind_b, work);
	else
		wp_epa_run(jobs, inside, deep, scratch, kind_a, kind_b, work);
	wp_witness_run(jobs, list, total, kind_a, kind_b);
}

#endif
