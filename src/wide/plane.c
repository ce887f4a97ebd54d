/* The entry point of one variant in the plane: this file is compiled once per variant and exports one
 * table. */
#include "wide/plane_circles.h"

#define WP2_KERNEL_TABLE WP_JOIN(wp2_kernels_, WP_VARIANT)

extern const wp2_kernels WP2_KERNEL_TABLE;

/* What GJK found; where a contact asks how deep an overlap is, EPA's answer in its place. */
WP_INLINE void wp2_solve_cores(
	wp2_solved *s, const wp2_block *b, uint32_t query, wp2_rings *rings, wp_kernel_work *work)
{
	wp2_gjk g;
	wp2_gjk_run(&g, b, work);

	/* A simplex on the origin with a bound that says so already is a touch; otherwise the cores overlap. */
	const vm on_origin = vm_and(
		vf_le(g.upper, vf_set(WP_GJK_TOUCH)), vf_gt(vf_sub(g.upper, g.lower), vf_set(WP_GJK_SLACK)));
	s->beyond = g.beyond;
	s->inside = vm_andnot(vm_or(g.inside, on_origin), g.beyond);
	for (int i = 0; i < 3; i++)
		s->v[i] = g.v[i];
	s->size = g.size;
	s->n = g.n;
	s->core_lower = g.lower;
	s->core_upper = g.upper;
	s->depth = vm_false();
	s->steps = g.steps;
	s->failed = vm_or(vm_not(b->fit), vi_gt(g.steps, vi_set(WP2_GJK_STEP_MAX)));
	const vm deep = vm_and(vm_and(s->inside, b->present), b->fit);
	if (query != WP_QUERY_CONTACT || !vm_any(deep))
		return;

	wp2_epa e;
	wp2_epa_run(&e, rings, b, &g, deep, work);
	s->v[0] = wp2_vertex_select(deep, e.v[0], s->v[0]);
	s->v[1] = wp2_vertex_select(deep, e.v[1], s->v[1]);
	s->size = vi_select(deep, e.size, s->size);
	s->n = vf2_select(deep, e.n, s->n);
	s->core_lower = vf_select(deep, vf_neg(e.reach), s->core_lower);
	s->core_upper = vf_select(deep, vf_neg(e.distance), s->core_upper);
	s->depth = deep;
	s->failed = vm_or(s->failed, vm_andnot(deep, e.closed));
	s->steps = vi_add(s->steps, vi_select(deep, e.steps, vi_zero()));
}

WP_INLINE void wp2_solve_block(wp2_jobs *jobs, uint32_t at, wp2_scratch *scratch, wp_kernel_work *work)
{
	wp2_block b;
	wp2_solved s;
	wp2_load_block(&b, jobs, at, scratch->core);
	wp2_solve_cores(&s, &b, jobs->query, &scratch->rings, work);
	wp2_find_witnesses(&b, &s);

	/* A difference without area that holds the origin has a normal that the strong path knows. */
	const vf apart = vf_select(s.depth, vf_neg(s.core_lower), s.core_upper);
	const vm flat = vm_and(vm_andnot(b.thin, s.beyond), vf_le(apart, vf_set(WP2_FLAT_DEPTH)));
	s.failed = jobs->query == WP_QUERY_CONTACT ? vm_or(s.failed, flat) : s.failed;
	const wp2_answer answer = wp2_answer_of(jobs, &b, &s);
	wp2_store_answer(jobs, at, &b, &answer);
	vi_store(jobs->iterations + at, s.steps);
}

static void solve(wp2_jobs *jobs, wp2_scratch *scratch, wp_kernel_work *work)
{
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH) {
		if (jobs->are_circles)
			wp2_solve_circles(jobs, at);
		else
			wp2_solve_block(jobs, at, scratch, work);
	}
}

const wp2_kernels WP2_KERNEL_TABLE = {.solve = solve};
