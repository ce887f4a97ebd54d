/* W2: what is known of a pair from another call: GJK on the few vertices that it left, before any support. */
#ifndef WP_WIDE_RECALL_H
#define WP_WIDE_RECALL_H

#include "wide/simplex.h"

/* Where GJK stands after it has run on known vertices alone. Whatever they are, this is a state that it may be in:
 * a feature of the difference, the direction from it to the origin, its distance. */
typedef struct wp_recall {
	wp_simplex simplex;
	vf3 n;
	vf upper;
	vm inside;        /* the simplex and `last` hold the origin */
	wp_vertex last;
} wp_recall;

WP_INLINE vf3 wp_up(void) { return (vf3){vf_zero(), vf_set(1.0f), vf_zero()}; }

/* The known vertex that is farthest along n. */
WP_INLINE wp_vertex wp_known_support(const wp_vertex known[4], vf3 n)
{
	wp_vertex best = known[0];
	vf most = vf3_dot(n, known[0].w);
	for (int i = 1; i < 4; i++) {
		const vf along = vf3_dot(n, known[i].w);
		best = wp_vertex_select(vf_gt(along, most), known[i], best);
		most = vf_max(along, most);
	}
	return best;
}

/* One step of it. A vertex that brings no progress beyond rounding stays out, and so does one that puts the simplex on
 * the origin: that is for supports to decide. Returns the lanes that go on. */
WP_INLINE vm wp_recall_step(wp_recall *r, const wp_vertex known[4], vm open)
{
	const wp_vertex w = wp_known_support(known, r->n);
	const vf lower = vf_neg(vf3_dot(r->n, w.w));
	const wp_simplex_step next = wp_simplex_next(&r->simplex, w, r->n, vf_le(lower, vf_zero()));
	const vm progress = vm_and(open, vf_gt(vf_sub(r->upper, lower), vf_set(WP_GJK_SLACK)));
	const vm inside = vm_and(progress, next.inside);
	r->inside = vm_or(r->inside, inside);
	r->last = wp_vertex_select(inside, w, r->last);
	const vm clear = vm_andnot(vf_gt(next.upper, vf_set(WP_GJK_TOUCH)), next.touching);
	const vm moves = vm_andnot(vm_and(progress, vm_and(clear, vf_lt(next.upper, r->upper))), inside);
	for (int i = 0; i < 3; i++)
		r->simplex.v[i] = wp_vertex_select(moves, next.feature.v[i], r->simplex.v[i]);
	r->simplex.size = vi_select(moves, next.feature.size, r->simplex.size);
	r->n = vf3_select(moves, next.direction, r->n);
	r->upper = vf_select(moves, next.upper, r->upper);
	return moves;
}

/* GJK on the known vertices of the lanes `wanted`, where they are now. */
WP_INLINE wp_recall wp_recall_simplex(const wp_jobs *jobs, const wp_lanes *lanes, uint32_t wanted, int kind_a, int kind_b)
{
	const vi count = vi_gather(jobs->vertex_count, lanes->job_v), first = vi_gather(jobs->vertex[0], lanes->job_v);
	wp_vertex known[4];
	for (int i = 0; i < 4; i++) {
		const vi id = vi_select(vi_gt(count, vi_set(i)), vi_gather(jobs->vertex[i], lanes->job_v), first);
		vf3 a, b;
		known[i] = wp_vertex_of_id(lanes, wanted, kind_a, kind_b, id, &a, &b);
	}
	const vf3 w = known[0].w;
	wp_recall r = {.n = vf3_unit(vf3_neg(w), wp_up()), .upper = vf_sqrt(vf3_dot(w, w)), .inside = vm_false(),
		.last = known[0]};
	r.simplex.v[0] = r.simplex.v[1] = r.simplex.v[2] = known[0];
	r.simplex.size = vi_set(1);
	vm open = vm_from_bits(wanted);
	for (int i = 0; i < WP_RECALL_STEP_MAX && vm_any(open); i++)
		open = wp_recall_step(&r, known, open);
	return r;
}

#endif
