/* 2D GJK, one pair per lane: distance of the origin from the Minkowski difference A - B.
 *
 * Gilbert, Johnson, Keerthi 1988. Search directions are perpendicular to edges, by their own winding and
 * never by a triple product, which vanishes where the origin is on the edge. They are unit: then -n . w of a
 * support vertex bounds the separation from below and the distance of the simplex from above, and both bounds
 * decide. */
#ifndef WP_WIDE_2D_GJK_2D_H
#define WP_WIDE_2D_GJK_2D_H

#include "wide/2d/lanes_2d.h"

/* Where the origin is beside a segment from p to q. */
typedef struct wp2d_side {
	vf distance;
	vf2 n;     /* unit, from the nearest point to the origin */
	vm inner;  /* the nearest point is between the ends */
	vm second; /* else: whether it is q */
} wp2d_side;

WP_INLINE wp2d_side wp2d_side_of(vf2 p, vf2 q, vf2 fallback)
{
	const vf2 e = vf2_sub(q, p);
	const vf length2 = vf2_dot(e, e), along = vf_neg(vf2_dot(p, e)), zero = vf_zero();
	wp2d_side s;
	s.inner = vm_and(vf_gt(along, zero), vf_lt(along, length2));
	s.second = vf_gt(vf_add(along, along), length2);

	/* Heights from the nearer end cost the fewest digits. */
	const vf2 end = vf2_select(s.second, q, p);
	const vf length = vf_sqrt(vf_select(s.inner, length2, vf_set(1.0f)));
	const vf2 across = vf2_unit_of(vf2_right(e), length, fallback);
	const vf height = vf2_dot(across, end);
	const vf end_distance = vf2_length(end);
	s.distance = vf_select(s.inner, vf_abs(height), end_distance);
	const vf2 towards = {vf_flip_sign(across.x, vf_neg(height)), vf_flip_sign(across.y, vf_neg(height))};
	s.n = vf2_select(s.inner, towards, vf2_unit_of(vf2_neg(end), end_distance, fallback));
	return s;
}

typedef struct wp2d_gjk {
	wp2d_vertex v[3]; /* the feature nearest to the origin, of `size` vertices; three of them hold it */
	vi size;
	vf2 n;    /* search direction, from the feature to the origin, from A to B */
	vf upper; /* distance of the feature from the origin */
	vf lower; /* best lower bound so far, its direction, and the id of the support vertex there */
	vf2 lower_n;
	vi top;
	vi steps;
	vm live;
	vm inside, beyond;
} wp2d_gjk;

WP_INLINE void wp2d_gjk_start(wp2d_gjk *g, const wp2d_block *b)
{
	const vf2 up = {vf_zero(), vf_set(1.0f)};
	g->lower_n = vf2_unit(b->translation, up);
	g->v[0] = wp2d_support(b, g->lower_n);
	g->v[1] = g->v[2] = g->v[0];
	g->top = g->v[0].id;
	g->size = g->steps = vi_set(1);
	g->upper = vf2_length(g->v[0].w);
	g->n = vf2_unit_of(vf2_neg(g->v[0].w), g->upper, g->lower_n);
	g->lower = vf_neg(vf2_dot(g->lower_n, g->v[0].w));
	g->live = vm_and(b->present, b->fit);
	g->inside = g->beyond = vm_false();
}

/* Twice the signed area of the triangle that the origin makes with an edge: positive where it is to the left of it. */
WP_INLINE vf wp2d_area_to(vf2 p, vf2 q) { return vf2_cross(p, vf2_sub(q, p)); }

/* Whether a triangle holds the origin; its corners are in one order or the other. */
WP_INLINE vm wp2d_holds_origin(vf2 p, vf2 q, vf2 r)
{
	const vf pq = wp2d_area_to(p, q), qr = wp2d_area_to(q, r), rp = wp2d_area_to(r, p);
	const vf zero = vf_zero();
	const vm left = vm_and(vm_and(vf_ge(pq, zero), vf_ge(qr, zero)), vf_ge(rp, zero));
	const vm right = vm_and(vm_and(vf_le(pq, zero), vf_le(qr, zero)), vf_le(rp, zero));
	return vm_or(left, right);
}

/* The simplex with another vertex, reduced to its feature nearest to the origin. */
typedef struct wp2d_next {
	wp2d_vertex v[2];
	vi size;
	vf2 n;
	vf upper;
} wp2d_next;

WP_INLINE wp2d_next wp2d_next_of(const wp2d_gjk *g, wp2d_vertex w)
{
	const wp2d_side first = wp2d_side_of(g->v[0].w, w.w, g->n), other = wp2d_side_of(g->v[1].w, w.w, g->n);
	const vm by_other = vm_and(vi_gt(g->size, vi_set(1)), vf_lt(other.distance, first.distance));
	const wp2d_vertex old = wp2d_vertex_select(by_other, g->v[1], g->v[0]);
	const vm inner = vm_or(vm_and(by_other, other.inner), vm_andnot(first.inner, by_other));
	const vm second = vm_or(vm_and(by_other, other.second), vm_andnot(first.second, by_other));
	wp2d_next next;
	next.size = vi_select(inner, vi_set(2), vi_set(1));
	next.v[0] = wp2d_vertex_select(vm_or(inner, vm_not(second)), old, w);
	next.v[1] = w;
	next.n = vf2_select(by_other, other.n, first.n);
	next.upper = vf_select(by_other, other.distance, first.distance);
	return next;
}

/* One step of the live lanes. */
WP_INLINE void wp2d_gjk_step(wp2d_gjk *g, const wp2d_block *b)
{
	const wp2d_vertex w = wp2d_support(b, g->n);
	const vf lower = vf_neg(vf2_dot(g->n, w.w)), tolerance = vf_set(WP_GJK_TOLERANCE);
	const vm rose = vf_gt(lower, g->lower), better = vm_opaque(vm_and(g->live, rose));
	g->lower = vf_select(better, lower, g->lower);
	g->lower_n = vf2_select(better, g->n, g->lower_n);
	g->steps = vi_select(g->live, vi_add(g->steps, vi_set(1)), g->steps);

	/* Settled by this direction's own bound only: an older one may be as good a bound, but the witness points
	 * would not lie along it. */
	const vm is_pair = vi_gt(g->size, vi_set(1));
	const vm repeat = vm_or(vi_eq(w.id, g->v[0].id), vm_and(is_pair, vi_eq(w.id, g->v[1].id)));
	const vm beyond = vf_gt(g->lower, b->limit);
	const vm settled = vm_or(vm_or(repeat, vf_lt(g->upper, b->enough)), vf_not_gt(vf_sub(g->upper, lower), tolerance));
	const vm passed = vm_and(is_pair, vf_le(lower, vf_zero()));
	const vm inside = vm_andnot(vm_and(passed, wp2d_holds_origin(g->v[0].w, g->v[1].w, w.w)), vm_or(settled, beyond));

	/* No progress: the distance did not fall and the bound did not rise, or the distance rose. The new vertex
	 * then stays out of the simplex. */
	const wp2d_next next = wp2d_next_of(g, w);
	const vm rebound = vf_gt(next.upper, vf_add(g->upper, vf_add(tolerance, tolerance)));
	const vm stalled = vm_or(vm_not(vm_or(vf_lt(next.upper, g->upper), rose)), rebound);
	const vm capped = vi_gt(g->steps, vi_set(WP2D_GJK_STEP_MAX));
	const vm ends = vm_or(vm_or(beyond, settled), vm_or(inside, vm_or(stalled, capped)));

	g->beyond = vm_or(g->beyond, vm_and(g->live, beyond));
	g->inside = vm_or(g->inside, vm_and(g->live, inside));
	g->v[2] = wp2d_vertex_select(vm_and(g->live, inside), w, g->v[2]);
	g->size = vi_select(vm_and(g->live, inside), vi_set(3), g->size);

	/* The feature's own normal is the better one unless its bound is the worse one. */
	const vm own = vm_andnot(vf_ge(vf_add(lower, vf_set(WP_GJK_SLACK)), g->lower), beyond);
	const vm is_last = vm_and(g->live, ends);
	g->lower = vf_select(vm_and(is_last, own), lower, g->lower);
	g->top = vi_select(vm_or(better, vm_and(is_last, own)), w.id, g->top);
	g->n = vf2_select(vm_andnot(is_last, own), g->lower_n, g->n);

	const vm moves = vm_andnot(g->live, ends);
	g->v[0] = wp2d_vertex_select(moves, next.v[0], g->v[0]);
	g->v[1] = wp2d_vertex_select(moves, next.v[1], g->v[1]);
	g->size = vi_select(moves, next.size, g->size);
	g->n = vf2_select(moves, next.n, g->n);
	g->upper = vf_select(moves, next.upper, g->upper);
	g->live = moves;
}

/* GJK on every job of the block. Afterwards n, lower and top belong to the answer. */
WP_INLINE void wp2d_gjk_run(wp2d_gjk *g, const wp2d_block *b, wp_kernel_work *work)
{
	wp2d_gjk_start(g, b);
	while (vm_any(g->live)) {
		work->lanes_issued += WP_WIDTH;
		work->lanes_live += wp_count_bits(vm_bits(g->live));
		wp2d_gjk_step(g, b);
	}
}

#endif
