/* W4: the entry points of one variant: this file is compiled once per variant and exports one table. */
#include "wide/boxes.h"
#include "wide/epa.h"
#include "wide/finish.h"
#include "wide/gjk.h"
#include "wide/prepare.h"

#define WP_JOIN_(a, b) a##b
#define WP_JOIN(a, b) WP_JOIN_(a, b)
#define WP_KERNEL_TABLE WP_JOIN(wp_kernels_, WP_VARIANT)

extern const wp_kernels WP_KERNEL_TABLE;

/* One bucket with its core kinds known at compile time. */
WP_INLINE void wp_solve_kinds(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work, int kind_a, int kind_b)
{
	int32_t list[WP_JOB_MAX], inside[WP_JOB_MAX];
	const bool has_axes = kind_a == WP_CORE_BOX && kind_b == WP_CORE_BOX && jobs->query != WP_QUERY_DISTANCE;
	const uint32_t total = has_axes ? wp_boxes_run(jobs, list) : wp_prepare_run(jobs, list);
	wp_gjk_run(jobs, list, total, scratch, kind_a, kind_b, work);

	/* Only a contact asks how deep an overlap is. */
	uint32_t deep = 0;
	if (jobs->query == WP_QUERY_CONTACT)
		for (uint32_t i = 0; i < total; i++)
			if (jobs->state[list[i]] == WP_JOB_INSIDE)
				inside[deep++] = list[i];
	wp_epa_run(jobs, inside, deep, scratch, kind_a, kind_b, work);
	wp_finish_run(jobs, list, total, kind_a, kind_b);
}

static void solve_box_box(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work)
{
	wp_solve_kinds(jobs, scratch, work, WP_CORE_BOX, WP_CORE_BOX);
}

static void solve_box_hull(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work)
{
	wp_solve_kinds(jobs, scratch, work, WP_CORE_BOX, WP_CORE_HULL);
}

static void solve_hull_box(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work)
{
	wp_solve_kinds(jobs, scratch, work, WP_CORE_HULL, WP_CORE_BOX);
}

static void solve_hull_hull(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work)
{
	wp_solve_kinds(jobs, scratch, work, WP_CORE_HULL, WP_CORE_HULL);
}

static void solve(wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work)
{
	if (jobs->kind_a == WP_CORE_BOX) {
		if (jobs->kind_b == WP_CORE_BOX)
			solve_box_box(jobs, scratch, work);
		else
			solve_box_hull(jobs, scratch, work);
	} else {
		if (jobs->kind_b == WP_CORE_BOX)
			solve_hull_box(jobs, scratch, work);
		else
			solve_hull_hull(jobs, scratch, work);
	}
}

const wp_kernels WP_KERNEL_TABLE = {.width = WP_WIDTH, .solve = solve};
