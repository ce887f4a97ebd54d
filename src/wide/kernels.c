/* W4: the entry points of one variant: this file is compiled once per variant and exports one table. */
#include "wide/closed.h"
#include "wide/exact.h"
#include "wide/manifold.h"
#include "wide/sampled.h"
#include "wide/solve.h"

#define WP_JOIN_(a, b) a##b
#define WP_JOIN(a, b) WP_JOIN_(a, b)
#define WP_KERNEL_TABLE WP_JOIN(wp_kernels_, WP_VARIANT)
#define WP_FORM_TABLE WP_JOIN(wp_form_kernels_, WP_VARIANT)

extern const wp_kernels WP_KERNEL_TABLE;
extern const wp_form_kernels WP_FORM_TABLE; /* smooth.c */

static void solve_box_box(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, wp_kernel_work *work)
{
	wp_solve_listed(jobs, list, total, scratch, work, WP_CORE_BOX, WP_CORE_BOX);
}

static void solve_box_hull(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, wp_kernel_work *work)
{
	wp_solve_listed(jobs, list, total, scratch, work, WP_CORE_BOX, WP_CORE_HULL);
}

static void solve_hull_box(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, wp_kernel_work *work)
{
	wp_solve_listed(jobs, list, total, scratch, work, WP_CORE_HULL, WP_CORE_BOX);
}

static void solve_hull_hull(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, wp_kernel_work *work)
{
	wp_solve_listed(jobs, list, total, scratch, work, WP_CORE_HULL, WP_CORE_HULL);
}

static uint32_t close_box_box(wp_jobs *jobs, int32_t *list) { return wp_closed_run(jobs, list, WP_CORE_BOX, WP_CORE_BOX); }

static uint32_t close_box_segment(wp_jobs *jobs, int32_t *list)
{
	return wp_closed_run(jobs, list, WP_CORE_BOX, WP_CORE_SEGMENT);
}

static uint32_t close_segment_box(wp_jobs *jobs, int32_t *list)
{
	return wp_closed_run(jobs, list, WP_CORE_SEGMENT, WP_CORE_BOX);
}

static uint32_t close_segments(wp_jobs *jobs, int32_t *list)
{
	return wp_closed_run(jobs, list, WP_CORE_SEGMENT, WP_CORE_SEGMENT);
}

static uint32_t close_hulls(wp_jobs *jobs, int32_t *list) { return wp_closed_run(jobs, list, WP_CORE_HULL, WP_CORE_HULL); }

/* Answer a bucket by sampled directions. */
static void sample(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work)
{
	if (jobs->kind_a != WP_CORE_HULL) {
		if (jobs->kind_b != WP_CORE_HULL)
			wp_sampled_run(jobs, scratch, work, WP_CORE_BOX, WP_CORE_BOX);
		else
			wp_sampled_run(jobs, scratch, work, WP_CORE_BOX, WP_CORE_HULL);
	} else {
		if (jobs->kind_b != WP_CORE_HULL)
			wp_sampled_run(jobs, scratch, work, WP_CORE_HULL, WP_CORE_BOX);
		else
			wp_sampled_run(jobs, scratch, work, WP_CORE_HULL, WP_CORE_HULL);
	}
}

/* Prepare a bucket, answer what has a closed form, list the rest. Returns how many they are. Shapes that will be shrunk
 * are told apart by the boxes around them, as hulls are, since GJK is what they are shrunk for. */
static uint32_t begin(wp_jobs *jobs, int32_t list[WP_JOB_MAX])
{
	if (jobs->method == WP_JOB_GJK_EPA)
		return wp_prepare_run(jobs, list);
	if (jobs->kind_a == WP_CORE_SEGMENT && jobs->kind_b == WP_CORE_SEGMENT)
		return close_segments(jobs, list);
	if (jobs->method == WP_JOB_CORE)
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

/* GJK and EPA know segments as boxes. */
static void solve(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work)
{
	if (jobs->method == WP_JOB_SAMPLED) {
		sample(jobs, scratch, work);
		return;
	}
	int32_t list[WP_JOB_MAX];
	const uint32_t total = begin(jobs, list);
	if (total == 0)
		return;
	if (jobs->kind_a != WP_CORE_HULL) {
		if (jobs->kind_b != WP_CORE_HULL)
			solve_box_box(jobs, list, total, scratch, work);
		else
			solve_box_hull(jobs, list, total, scratch, work);
	} else {
		if (jobs->kind_b != WP_CORE_HULL)
			solve_hull_box(jobs, list, total, scratch, work);
		else
			solve_hull_hull(jobs, list, total, scratch, work);
	}
}

static void clip(const wp_jobs *jobs, const int32_t *list, uint32_t total, uint32_t most, wp_manifold_scratch *scratch)
{
	wp_clip_block(jobs, list, total, most, scratch);
}

const wp_kernels WP_KERNEL_TABLE = {
	.width = WP_WIDTH, .solve = solve, .clip = clip, .forms = &WP_FORM_TABLE, .is_exact = wp_is_exact};
