/* The entry points of one variant: this file is compiled once per variant, and exports one table.
 *
 * GJK and EPA know two kinds of cores: hulls, whose supports are searched for, and all others, whose supports are a formula
 * in lanes. Where a core is smooth a polytope is never the whole difference, so both searches end at a bracket as narrow as
 * WP_SMOOTH_TOLERANCE, and the answer is a witness of both its ends: a support plane, and points of both shapes. EPA needs
 * no more than that around the nearest face, which its choice of faces sees to: faces further off than the best support
 * plane are never touched again. A bracket that does not close within WP_SMOOTH_FACE_MAX faces (nearly concentric balls
 * have no nearest face) is left to the strong path. */
#include "wide/closed/closed.h"
#include "wide/closed/half_space.h"
#include "wide/closed/spheres.h"
#include "wide/lane/exact.h"
#include "wide/method/sampled.h"
#include "wide/search/search.h"

#define WP_KERNEL_TABLE WP_JOIN(wp_kernels_, WP_VARIANT)
#define WP_MANIFOLD_TABLE WP_JOIN(wp_manifold_kernels_, WP_VARIANT)

extern const wp_kernels WP_KERNEL_TABLE;
extern const wp_manifold_kernels WP_MANIFOLD_TABLE; /* manifolds.c */

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

/* Prepare a bucket, answer what has a closed form, list the rest. Returns how many they are. Shapes that will be shrunk
 * are separated by the boxes around them, as hulls and smooth cores are, since GJK is what they are shrunk for. */
static uint32_t begin(wp_jobs *jobs, int32_t list[WP_JOB_MAX])
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

static void solve(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work)
{
	const bool smooth = jobs->kind_a == WP_CORE_SMOOTH || jobs->kind_b == WP_CORE_SMOOTH;
	const int other = smooth ? WP_CORE_SMOOTH : WP_CORE_BOX;
	const int kind_a = jobs->kind_a == WP_CORE_HULL ? WP_CORE_HULL : other;
	const int kind_b = jobs->kind_b == WP_CORE_HULL ? WP_CORE_HULL : other;
	jobs->terms = smooth ? &wp_smooth_terms : &wp_exact_terms;
	if (jobs->method == WP_JOB_SAMPLED) {
		wp_sampled_run(jobs, scratch, work, kind_a, kind_b);
		return;
	}
	int32_t list[WP_JOB_MAX];
	const uint32_t total = begin(jobs, list);
	if (total != 0)
		wp_search_run(jobs, list, total, scratch, work, kind_a, kind_b);
}

static void solve_half_space(wp_jobs *jobs)
{
	jobs->terms = &wp_smooth_terms;
	wp_ground_run(jobs, jobs->kind_b);
}

static void solve_spheres(wp_jobs *jobs)
{
	jobs->terms = &wp_smooth_terms;
	wp_spheres_run(jobs);
}

const wp_kernels WP_KERNEL_TABLE = {.width = WP_WIDTH,
	.solve = solve,
	.solve_half_space = solve_half_space,
	.solve_spheres = solve_spheres,
	.manifolds = &WP_MANIFOLD_TABLE,
	.is_exact = wp_is_exact};
