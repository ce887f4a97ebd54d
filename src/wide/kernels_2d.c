/* The entry point of one variant in 2D: this file is compiled once per variant and exports one
 * table. */
#include "wide/2d/circles_2d.h"
#include "wide/lane/exact.h"

#define WP2D_KERNEL_TABLE WP_JOIN(wp2d_kernels_, WP_VARIANT)

extern const wp2d_kernels WP2D_KERNEL_TABLE;

/* What GJK found; where a contact needs the depth of an overlap, EPA's answer in its place. */
WP_INLINE void wp2d_solve_cores(
	wp2d_solved *s, const wp2d_block *b, uint32_t query, wp2d_rings *rings, wp_kernel_work *work)
{
	wp2d_gjk g;
	wp2d_gjk_run(&g, b, work);

	/* A simplex on the origin with a bound that proves it already is a touch; otherwise the cores overlap. */
	const vm on_origin = vm_and(
		vf_le(g.upper, vf_set(WP_GJK_TOUCH)), vf_gt(vf_sub(g.upper, g.lower), vf_set(WP_GJK_SLACK)));
	s->beyond = g.beyond;
	s->inside = vm_andnot(vm_or(g.inside, on_origin), g.beyond);
	for (int i = 0; i < 3; i++)
		s->v[i] = g.v[i];
	s->size = g.size;
	s->n = g.n;
	s->top = g.top;
	s->core_lower = g.lower;
	s->core_upper = g.upper;
	s->depth = vm_false();
	s->steps = g.steps;
	s->failed = vm_or(vm_not(b->fit), vi_gt(g.steps, vi_set(WP2D_GJK_STEP_MAX)));
	const vm deep = vm_and(vm_and(s->inside, b->present), b->fit);
	if (query != WP_QUERY_CONTACT || !vm_any(deep))
		return;

	wp2d_epa e;
	wp2d_epa_run(&e, rings, b, &g, deep, work);
	s->v[0] = wp2d_vertex_select(deep, e.v[0], s->v[0]);
	s->v[1] = wp2d_vertex_select(deep, e.v[1], s->v[1]);
	s->size = vi_select(deep, e.size, s->size);
	s->n = vf2_select(deep, e.n, s->n);
	s->top = vi_select(deep, e.top, s->top);
	s->core_lower = vf_select(deep, vf_neg(e.reach), s->core_lower);
	s->core_upper = vf_select(deep, vf_neg(e.distance), s->core_upper);
	s->depth = deep;
	s->failed = vm_or(s->failed, vm_andnot(deep, e.closed));
	s->steps = vi_add(s->steps, vi_select(deep, e.steps, vi_zero()));
}

WP_INLINE void wp2d_solve_block(wp2d_jobs *jobs, uint32_t at, wp2d_scratch *scratch, wp_kernel_work *work)
{
	wp2d_block b;
	wp2d_solved s;
	wp2d_load_block(&b, jobs, at, scratch->core);
	wp2d_solve_cores(&s, &b, jobs->query, &scratch->rings, work);
	wp2d_find_witnesses(&b, &s);

	/* The strong path finds the normal of a difference without area that holds the origin. */
	const vf apart = vf_select(s.depth, vf_neg(s.core_lower), s.core_upper);
	const vm flat = vm_and(vm_andnot(b.thin, s.beyond), vf_le(apart, vf_set(WP2D_FLAT_DEPTH)));
	s.failed = jobs->query == WP_QUERY_CONTACT ? vm_or(s.failed, flat) : s.failed;
	const wp2d_answer answer = wp2d_answer_of(jobs, &b, &s);
	wp2d_result result = wp2d_result_of(jobs, &b, &answer);
	wp2d_add_local_points(&result, jobs, &b, &answer);
	wp2d_store_result(jobs, at, &result, s.steps);
	if (jobs->wants_details)
		wp2d_store_local_points(jobs, at, &result);
	if (jobs->wants_manifolds)
		wp2d_make_manifolds(jobs, at, &b, &s, &answer, &result);
}

static void solve(wp2d_jobs *jobs, wp2d_scratch *scratch, wp_kernel_work *work)
{
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH)
		wp2d_solve_block(jobs, at, scratch, work);
}

/* Circles in two passes: a block is one chain of steps, each of which waits for the one before, and about as long as what a core has
 * under way at once. Of two short chains it has several blocks under way. A function each: loops in one keep each other's
 * constants. */
WP_NOINLINE void place_circles(wp2d_jobs *jobs)
{
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH)
		wp2d_place_circles(jobs, at);
}

WP_NOINLINE void touch_circles(wp2d_jobs *jobs)
{
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH)
		wp2d_touch_circles(jobs, at);
}

WP_NOINLINE void part_circles(wp2d_jobs *jobs)
{
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH)
		wp2d_part_circles(jobs, at);
}

static void solve_circles(wp2d_jobs *jobs)
{
	place_circles(jobs);
	if (jobs->query == WP_QUERY_CONTACT)
		touch_circles(jobs);
	else
		part_circles(jobs);
}

const wp2d_kernels WP2D_KERNEL_TABLE = {
	.width = WP_WIDTH, .solve = solve, .solve_circles = solve_circles, .is_exact = wp_is_exact};
