/* The entry points of one variant for closed forms: this file is compiled once per variant, and exports one table. */
#include "wide/closed/closed.h"
#include "wide/closed/reuse.h"
#include "wide/closed/spheres.h"

#define WP_CLOSED_TABLE WP_JOIN(wp_closed_kernels_, WP_VARIANT)

extern const wp_closed_kernels WP_CLOSED_TABLE;

WP_NOINLINE uint32_t close_box_box(wp_jobs *jobs, int32_t *list)
{
	return wp_closed_run(jobs, &wp_exact_terms, list, WP_CORE_BOX, WP_CORE_BOX);
}

WP_NOINLINE uint32_t close_box_segment(wp_jobs *jobs, int32_t *list)
{
	return wp_closed_run(jobs, &wp_exact_terms, list, WP_CORE_BOX, WP_CORE_SEGMENT);
}

WP_NOINLINE uint32_t close_segment_box(wp_jobs *jobs, int32_t *list)
{
	return wp_closed_run(jobs, &wp_exact_terms, list, WP_CORE_SEGMENT, WP_CORE_BOX);
}

WP_NOINLINE uint32_t close_segments(wp_jobs *jobs, int32_t *list)
{
	return wp_closed_run(jobs, &wp_exact_terms, list, WP_CORE_SEGMENT, WP_CORE_SEGMENT);
}

WP_NOINLINE uint32_t close_hulls(wp_jobs *jobs, int32_t *list)
{
	return wp_closed_run(jobs, jobs->terms, list, WP_CORE_HULL, WP_CORE_HULL);
}

static uint32_t solve(wp_jobs *jobs, int32_t list[WP_JOB_MAX])
{
	const bool smooth = jobs->terms->smooth;
	if (jobs->method == WP_JOB_GJK_EPA || (smooth && jobs->query == WP_QUERY_DISTANCE))
		return wp_prepare_run(jobs, list);
	if (jobs->kind_a == WP_CORE_SEGMENT && jobs->kind_b == WP_CORE_SEGMENT)
		return close_segments(jobs, list);
	if (jobs->method == WP_JOB_CORE || smooth)
		return close_hulls(jobs, list);
	if (jobs->kind_a == WP_CORE_BOX && jobs->kind_b == WP_CORE_SEGMENT)
		return close_box_segment(jobs, list);
	if (jobs->kind_a == WP_CORE_SEGMENT && jobs->kind_b == WP_CORE_BOX)
		return close_segment_box(jobs, list);
	/* The distance of two boxes is no matter of axes. */
	if (jobs->query == WP_QUERY_DISTANCE)
		return wp_prepare_run(jobs, list);
	if (jobs->kind_a == WP_CORE_BOX && jobs->kind_b == WP_CORE_BOX)
		return close_box_box(jobs, list);
	return close_hulls(jobs, list);
}

static void solve_spheres(wp_jobs *jobs)
{
	jobs->terms = &wp_smooth_terms;
	wp_spheres_run(jobs);
}

static void bound_kept(wp_kept_pairs *pairs, uint32_t count, float *bound) { wp_kept_run(pairs, count, bound); }

static void reuse_points(wp_kept_pairs *pairs, uint32_t count, const wp_reuse_limits *limits, float *output)
{
	wp_reuse_run(pairs, count, limits, output);
}

const wp_closed_kernels WP_CLOSED_TABLE = {
	.solve = solve, .solve_spheres = solve_spheres, .bound_kept = bound_kept, .reuse_points = reuse_points};
