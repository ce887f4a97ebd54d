/* The entry points of one variant for closed forms: this file is compiled once per variant, and exports one table. */
#include "wide/closed/closed.h"
#include "wide/closed/cull.h"
#include "wide/closed/reuse.h"
#include "wide/closed/spheres.h"

#define WP_CLOSED_TABLE WP_JOIN(wp_closed_kernels_, WP_VARIANT)

extern const wp_closed_kernels WP_CLOSED_TABLE;

WP_NOINLINE uint32_t close_boxes(wp_jobs *jobs, int32_t *list)
{
	return wp_closed_run_cores(jobs, list, WP_CLOSED_BOXES);
}

/* In either order: most of the code is the same. */
WP_NOINLINE uint32_t close_box_segment(wp_jobs *jobs, int32_t *list)
{
	return wp_closed_run_cores(jobs, list, WP_CLOSED_BOX_SEGMENT);
}

WP_NOINLINE uint32_t close_segments(wp_jobs *jobs, int32_t *list)
{
	return wp_closed_run_cores(jobs, list, WP_CLOSED_SEGMENTS);
}

WP_NOINLINE uint32_t close_others(wp_jobs *jobs, int32_t *list) { return wp_closed_run_others(jobs, list); }

static uint32_t solve(wp_jobs *jobs, int32_t list[WP_JOB_MAX])
{
	const bool smooth = jobs->terms->smooth, both = jobs->kind_a == WP_CORE_SMOOTH && jobs->kind_b == WP_CORE_SMOOTH;
	/* Of distances with a smooth core only a point's has a closed form, which share a bucket with others. */
	if (jobs->method == WP_JOB_GJK_EPA || (smooth && !both && jobs->query == WP_QUERY_DISTANCE))
		return wp_prepare_run_cores(jobs, list);
	if (jobs->kind_a == WP_CORE_SEGMENT && jobs->kind_b == WP_CORE_SEGMENT)
		return close_segments(jobs, list);
	if (jobs->method == WP_JOB_CORE || smooth)
		return close_others(jobs, list);
	if ((jobs->kind_a == WP_CORE_BOX && jobs->kind_b == WP_CORE_SEGMENT) ||
		(jobs->kind_a == WP_CORE_SEGMENT && jobs->kind_b == WP_CORE_BOX))
		return close_box_segment(jobs, list);
	/* The distance of two boxes is no matter of axes. */
	if (jobs->query == WP_QUERY_DISTANCE)
		return wp_prepare_run_cores(jobs, list);
	if (jobs->kind_a == WP_CORE_BOX && jobs->kind_b == WP_CORE_BOX)
		return close_boxes(jobs, list);
	return close_others(jobs, list);
}

static void solve_spheres(wp_jobs *jobs)
{
	jobs->terms = &wp_smooth_terms;
	wp_spheres_run(jobs);
}

static uint64_t bound_kept(const wp_kept_rows *rows, uint32_t count, float *known)
{
	return wp_kept_run(rows, count, known);
}

static uint64_t reuse_points(const wp_kept_rows *rows, uint32_t count, float *known)
{
	return wp_reuse_run(rows, count, known);
}

static void cull_triangles(const wp_cull *cull, uint32_t count, uint64_t *behind, uint64_t *beyond)
{
	wp_cull_run(cull, count, behind, beyond);
}

static void cull_edges(const wp_cull *cull, uint32_t count, uint64_t *beyond)
{
	wp_cull_edges_run(cull, count, beyond);
}

static uint32_t prepare(wp_jobs *jobs, int32_t list[WP_JOB_MAX]) { return wp_prepare_run_cores(jobs, list); }

const wp_closed_kernels WP_CLOSED_TABLE = {.solve = solve,
	.prepare = prepare,
	.solve_spheres = solve_spheres,
	.bound_kept = bound_kept,
	.reuse_points = reuse_points,
	.cull_triangles = cull_triangles,
	.cull_edges = cull_edges};
