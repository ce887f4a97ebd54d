/* W4: the entry points of one variant for pairs with a smooth core or a half-space: this file is compiled once per
 * variant too, and exports one table.
 *
 * The algorithms are those of kernels.c, from the same headers; WP_SMOOTH says what is different. A polytope is never
 * the whole difference there, so both searches end at a bracket as narrow as WP_SMOOTH_TOLERANCE, and the answer is a
 * witness of both its ends: a support plane, and points of both shapes. EPA needs no more than that around the nearest
 * face, which its choice of faces sees to: faces further off than the best support plane are never touched again. A
 * bracket that does not close within WP_SMOOTH_FACE_MAX faces (nearly concentric balls have no nearest face) is left to
 * the strong path.
 *
 * Segments and boxes are forms here, as cylinders are, so there are three pairs of kinds; and half-spaces have two, hulls
 * and forms. */
#define WP_SMOOTH

#include "wide/apart.h"
#include "wide/closed.h"
#include "wide/half_space_manifold.h"
#include "wide/sampled.h"
#include "wide/solve.h"

#define WP_JOIN_(a, b) a##b
#define WP_JOIN(a, b) WP_JOIN_(a, b)
#define WP_FORM_TABLE WP_JOIN(wp_form_kernels_, WP_VARIANT)

extern const wp_form_kernels WP_FORM_TABLE;

static void solve_smooth_smooth(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_smooth_scratch *scratch,
	wp_kernel_work *work)
{
	wp_solve_listed(jobs, list, total, scratch, work, WP_CORE_SMOOTH, WP_CORE_SMOOTH);
}

static void solve_smooth_hull(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_smooth_scratch *scratch,
	wp_kernel_work *work)
{
	wp_solve_listed(jobs, list, total, scratch, work, WP_CORE_SMOOTH, WP_CORE_HULL);
}

static void solve_hull_smooth(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_smooth_scratch *scratch,
	wp_kernel_work *work)
{
	wp_solve_listed(jobs, list, total, scratch, work, WP_CORE_HULL, WP_CORE_SMOOTH);
}

/* Answer a bucket by sampled directions. */
static void sample(wp_jobs *jobs, wp_smooth_scratch *scratch, wp_kernel_work *work)
{
	if (jobs->kind_a == WP_CORE_HULL)
		wp_sampled_run(jobs, scratch, work, WP_CORE_HULL, WP_CORE_SMOOTH);
	else if (jobs->kind_b == WP_CORE_HULL)
		wp_sampled_run(jobs, scratch, work, WP_CORE_SMOOTH, WP_CORE_HULL);
	else
		wp_sampled_run(jobs, scratch, work, WP_CORE_SMOOTH, WP_CORE_SMOOTH);
}

static void solve_smooth(wp_jobs *jobs, wp_smooth_scratch *scratch, wp_kernel_work *work)
{
	if (jobs->method == WP_JOB_SAMPLED) {
		sample(jobs, scratch, work);
		return;
	}
	/* The boxes around smooth cores prove what those around hulls do. */
	int32_t list[WP_JOB_MAX];
	const bool searches = jobs->query == WP_QUERY_DISTANCE || jobs->method == WP_JOB_GJK_EPA;
	const uint32_t total = searches ? wp_prepare_run(jobs, list) : wp_closed_run(jobs, list, WP_CORE_HULL, WP_CORE_HULL);
	if (total == 0)
		return;
	if (jobs->kind_a == WP_CORE_HULL)
		solve_hull_smooth(jobs, list, total, scratch, work);
	else if (jobs->kind_b == WP_CORE_HULL)
		solve_smooth_hull(jobs, list, total, scratch, work);
	else
		solve_smooth_smooth(jobs, list, total, scratch, work);
}

static void solve_half_space_hull(wp_jobs *jobs) { wp_ground_run(jobs, WP_CORE_HULL); }

static void solve_half_space_form(wp_jobs *jobs) { wp_ground_run(jobs, WP_CORE_SMOOTH); }

static void solve_half_space(wp_jobs *jobs)
{
	if (jobs->kind_b == WP_CORE_HULL)
		solve_half_space_hull(jobs);
	else
		solve_half_space_form(jobs);
}

static void clip_smooth(const wp_jobs *jobs, const int32_t *list, uint32_t total, uint32_t most,
	wp_manifold_scratch *scratch)
{
	wp_clip_block(jobs, list, total, most, scratch);
}

static void clip_half_space(const wp_jobs *jobs, const int32_t *list, uint32_t total, uint32_t most,
	wp_manifold_scratch *scratch)
{
	wp_ground_clip(jobs, list, total, most, scratch);
}

static void solve_apart(wp_jobs *jobs) { wp_apart_run(jobs); }

const wp_form_kernels WP_FORM_TABLE = {.solve_smooth = solve_smooth, .solve_half_space = solve_half_space,
	.clip_smooth = clip_smooth, .clip_half_space = clip_half_space, .solve_apart = solve_apart};
