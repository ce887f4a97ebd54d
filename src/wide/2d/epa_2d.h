/* 2D EPA, one pair per lane: depth of the origin inside the Minkowski difference A - B.
 *
 * van den Bergen 2001; in 2D the polytope is a ring of vertices, its faces are the edges, and a vertex
 * beyond an edge takes its place between the two: there is no horizon, and the ring keeps its winding. The
 * ring starts as GJK's triangle around the origin, or, where GJK ended with the origin on a vertex or an
 * edge, as the support vertices of four directions. Each of its corners is a vertex of the difference, so it
 * ends at the latest when it is all of it. */
#ifndef WP_WIDE_2D_EPA_2D_H
#define WP_WIDE_2D_EPA_2D_H

#include "wide/2d/gjk_2d.h"

/* The edge of each lane that the answer lies on. */
typedef struct wp2d_epa {
	wp2d_vertex v[2];
	vi size;     /* 1 where the nearest point is v[0] */
	vf2 n;       /* unit, outwards: from A to B */
	vf reach;    /* how far the difference goes along n: the depth is no larger */
	vi top;      /* the vertex that does */
	vf distance; /* of the ring from the origin: the depth is no smaller */
	vi steps;
	vm closed; /* both are equal up to the tolerance */
} wp2d_epa;

/* How an edge of a counter-clockwise ring lies to the origin. */
typedef struct wp2d_edge {
	vf2 n;     /* where to look beyond it */
	vf rank;   /* distance from the origin, negative where that is outside; infinite without a length */
	vm inner;  /* the nearest point is between its ends */
	vm second; /* else: whether it is the second one */
} wp2d_edge;

WP_INLINE wp2d_edge wp2d_edge_of(vf2 p, vf2 q)
{
	const vf2 e = vf2_sub(q, p);
	const vf2 outward = vf2_unit(vf2_right(e), (vf2){vf_zero(), vf_zero()});
	const wp2d_side s = wp2d_side_of(p, q, outward);
	const vf height = vf2_dot(outward, vf2_select(s.second, q, p));
	const vm is_out = vf_lt(height, vf_zero()), by_line = vm_or(is_out, s.inner);
	const vm has_length = vf_gt(vf2_dot(outward, outward), vf_zero());
	const vf rank = vf_select(by_line, height, s.distance);
	return (wp2d_edge){.n = vf2_select(by_line, outward, vf2_neg(s.n)),
		.rank = vf_select(has_length, rank, vf_set(WP_INFINITY)),
		.inner = s.inner,
		.second = s.second};
}

WP_INLINE wp2d_vertex wp2d_ring_vertex(const wp2d_rings *r, vi slot)
{
	const vi at = vi_element(slot);
	return (wp2d_vertex){{vf_gather(r->x, at), vf_gather(r->y, at)}, vi_gather(r->id, at)};
}

/* Put a vertex, the edge that begins there and what comes next into the same slot of all lanes. */
WP_INLINE void wp2d_ring_put(wp2d_rings *r, int32_t slot, wp2d_vertex v, vf rank, vi next)
{
	const int32_t at = slot * WP_WIDTH;
	vf_store(r->x + at, v.w.x);
	vf_store(r->y + at, v.w.y);
	vf_store(r->rank + at, rank);
	vi_store(r->id + at, v.id);
	vi_store(r->next + at, next);
}

/* The first ring of each lane: a triangle in slots 0 to 2, or four vertices of the directions of an edge. */
WP_INLINE void wp2d_ring_start(wp2d_rings *r, const wp2d_block *b, const wp2d_gjk *g)
{
	const vf2 e = g->n;
	const vm left = vf_ge(vf2_cross(vf2_sub(g->v[1].w, g->v[0].w), vf2_sub(g->v[2].w, g->v[0].w)), vf_zero());
	wp2d_vertex v[4] = {
		g->v[0], wp2d_vertex_select(left, g->v[1], g->v[2]), wp2d_vertex_select(left, g->v[2], g->v[1]), g->v[0]};
	const vm four = vm_not(g->inside);
	if (vm_any(four)) {
		const vf2 right = vf2_right(e);
		v[0] = wp2d_vertex_select(four, wp2d_support(b, e), v[0]);
		v[1] = wp2d_vertex_select(four, wp2d_support(b, vf2_neg(right)), v[1]);
		v[2] = wp2d_vertex_select(four, wp2d_support(b, vf2_neg(e)), v[2]);
		v[3] = wp2d_vertex_select(four, wp2d_support(b, right), v[3]);
	}
	/* The fourth edge of a triangle has no length and is never looked at. */
	for (int i = 0; i < 4; i++)
		wp2d_ring_put(r, i, v[i], wp2d_edge_of(v[i].w, v[(i + 1) % 4].w).rank, vi_set((i + 1) % 4));
}

/* The slot whose edge is nearest to the origin; the first of equals. */
WP_INLINE vi wp2d_nearest_edge(const wp2d_rings *r, int32_t count)
{
	vf nearest = vf_load(r->rank);
	vi slot = vi_zero();
	for (int32_t k = 1; k < count; k++) {
		const vf rank = vf_load(r->rank + k * WP_WIDTH);
		const vm nearer = vf_lt(rank, nearest);
		nearest = vf_select(nearer, rank, nearest);
		slot = vi_select(nearer, vi_set(k), slot);
	}
	return slot;
}

/* Depths of the lanes in `live`. Each step adds a vertex to all rings, so those of live lanes have the same number of them; what is
 * in the ring of a lane that has ended is of no matter. */
WP_INLINE void wp2d_epa_run(
	wp2d_epa *out, wp2d_rings *r, const wp2d_block *b, const wp2d_gjk *g, vm live, wp_kernel_work *work)
{
	wp2d_ring_start(r, b, g);
	*out = (wp2d_epa){.v = {g->v[0], g->v[1]},
		.size = g->size,
		.n = g->n,
		.reach = vf_zero(),
		.top = vi_zero(),
		.distance = vf_zero(),
		.steps = vi_zero(),
		.closed = vm_false()};
	for (int32_t count = 4; vm_any(live); count++) {
		work->lanes_issued += WP_WIDTH;
		work->lanes_live += wp_count_bits(vm_bits(live));
		const vi at = wp2d_nearest_edge(r, count), next = vi_gather(r->next, vi_element(at));
		const wp2d_vertex p = wp2d_ring_vertex(r, at), q = wp2d_ring_vertex(r, next);
		const wp2d_edge edge = wp2d_edge_of(p.w, q.w);
		const wp2d_vertex w = wp2d_support(b, edge.n);
		const vf reach = vf2_dot(edge.n, w.w);
		const vm repeat = vm_or(vi_eq(w.id, p.id), vi_eq(w.id, q.id));
		const vm closed = vf_not_gt(vf_sub(reach, edge.rank), vf_set(WP_EPA_TOLERANCE));
		const vm ends = count < WP2D_RING_MAX ? vm_or(repeat, closed) : vm_all(), now = vm_and(live, ends);

		const vm at_second = vm_andnot(edge.second, edge.inner);
		out->v[0] = wp2d_vertex_select(now, wp2d_vertex_select(at_second, q, p), out->v[0]);
		out->v[1] = wp2d_vertex_select(now, q, out->v[1]);
		out->size = vi_select(now, vi_select(edge.inner, vi_set(2), vi_set(1)), out->size);
		out->n = vf2_select(now, edge.n, out->n);
		out->reach = vf_select(now, reach, out->reach);
		out->top = vi_select(now, w.id, out->top);
		out->distance = vf_select(now, edge.rank, out->distance);
		out->closed = vm_or(out->closed, vm_and(now, closed));
		out->steps = vi_select(live, vi_add(out->steps, vi_set(1)), out->steps);

		live = vm_andnot(live, ends);
		if (count == WP2D_RING_MAX)
			return;
		/* The edge becomes two. */
		vf_scatter(r->rank, vi_element(at), wp2d_edge_of(p.w, w.w).rank);
		vi_scatter(r->next, vi_element(at), vi_set(count));
		wp2d_ring_put(r, count, w, wp2d_edge_of(w.w, q.w).rank, next);
	}
}

#endif
