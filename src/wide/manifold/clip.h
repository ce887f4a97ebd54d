/* What two faces have in common across the normal: every corner that their overlap can have.
 *
 * Both polygons are convex. Each edge of A is cut by all edges of B (Cyrus and Beck 1978), and each corner of B is
 * tested whether it is inside A. Of a segment, whichever side it is, the one edge is cut and nothing else: what it has in
 * common with a face is a part of it, so corners of the face that are as near to it are no other points. When a point is
 * tested, the other face counts as WP_PATCH_TOLERANCE larger than it is, measured along it; but edges are cut where they
 * cross. */
#ifndef WP_WIDE_MANIFOLD_CLIP_H
#define WP_WIDE_MANIFOLD_CLIP_H

#include "wide/manifold/round.h"

/* The pairs of faces of a block. */
typedef struct wp_facing {
	const wp_lane_polygons *a, *b;
	wp_face face_a, face_b;
	wp_whole_hulls whole_a, whole_b; /* which they refer to */
	vm both;                         /* there are two faces */
	vf tolerance;                    /* WP_PATCH_TOLERANCE, scaled */
	vf contact;                      /* separation of the contact, which starts at height 0, scaled */
	vf limit;                        /* points further apart are none, scaled */
	vf least; /* nor are those that are deeper: the contact proves that the shapes do not reach there */
} wp_facing;

typedef struct wp_edge {
	vf u, v, to_u, to_v; /* from where to where: at its end it is the next one to the last digit, or corners get lost */
	vf du, dv;           /* and how far */
} wp_edge;

/* The part of an edge that is inside, from one share of it to another, and where it is cut. */
typedef struct wp_span {
	vf from, to;
	vf cut_at_from, cut_at_to; /* while it is cut, WP_CUT_NOWHERE or its negative where the edge's own end is */
	vm is_cut_from, is_cut_to; /* not there */
} wp_span;

/* More than any share of an edge. A part that begins there is none. */
#define WP_CUT_NOWHERE 2.0f

WP_INLINE vi wp_vertex_feature(vi vertex) { return vi_or(vertex, vi_shift_left(vertex, 16)); }

WP_INLINE vi wp_edge_feature(vi i, vi j)
{
	const vm descends = vi_gt(i, j);
	return vi_or(vi_select(descends, j, i), vi_shift_left(vi_select(descends, i, j), 16));
}

/* Keep the features of the edges of a face. */
WP_INLINE void wp_name_edges(wp_lane_polygons *polygon, const wp_face *f)
{
	const vi none = vi_set(-1);
	for (int32_t k = 0, own = wp_own_places(f); k < own; k++) {
		const int32_t at = k * WP_WIDTH, next = wp_after(k, f->most) * WP_WIDTH;
		const vi edge = wp_edge_feature(vi_load(polygon->vertex + at), vi_load(polygon->vertex + next));
		vi_store(polygon->edge + at, vi_select(vi_gt(f->count, vi_set(k)), edge, none));
	}
}

/* What of a face a place in it is on: the first corner within the tolerance, else the first edge, else the face itself. It
 * is measured where the place was chosen, whatever made it a candidate: of corners and edges that meet there, rounding
 * decides which are candidates, and in which order. Of a sliver a place may be on the lines of several edges: it is on one between
 * whose ends it is, from which the ways to it go against each other. */
WP_NOINLINE vi wp_feature_at(const wp_lane_polygons *polygon, const wp_face *f, vf u, vf v, vf tolerance)
{
	const vi face = vi_set(-1);
	const vf near2 = vf_mul(tolerance, tolerance);
	const int32_t last = wp_own_places(f) - 1, end = wp_after(last, f->most) * WP_WIDTH;
	vi corner = face, edge = face;
	vf2 beyond = {vf_sub(u, vf_load(polygon->u + end)), vf_sub(v, vf_load(polygon->v + end))};
	WP_ROLLED
	for (int32_t k = last; k >= 0; k--) {
		const int32_t at = k * WP_WIDTH;
		const vf2 way = {vf_sub(u, vf_load(polygon->u + at)), vf_sub(v, vf_load(polygon->v + at))};
		const vf2 inward = vf2_load(polygon->inward_u + at, polygon->inward_v + at);
		const vm on_corner = vf_le(vf2_dot(way, way), near2), on_line = vf_le(vf_abs(vf2_dot(way, inward)), tolerance);
		const vm on_edge = vm_and(on_line, vf_le(vf2_dot(way, beyond), near2));
		corner = vi_select(on_corner, vi_load(polygon->vertex + at), corner);
		edge = vi_select(on_edge, vi_load(polygon->edge + at), edge);
		beyond = way;
	}
	return vi_select(vi_eq(corner, face), edge, wp_vertex_feature(corner));
}

WP_INLINE wp_edge wp_load_edge(const wp_lane_polygons *polygon, const wp_face *f, int32_t k)
{
	const int32_t at = k * WP_WIDTH, next = wp_after(k, f->most) * WP_WIDTH;
	wp_edge edge = {.u = vf_load(polygon->u + at),
		.v = vf_load(polygon->v + at),
		.to_u = vf_load(polygon->u + next),
		.to_v = vf_load(polygon->v + next)};
	edge.du = vf_sub(edge.to_u, edge.u);
	edge.dv = vf_sub(edge.to_v, edge.v);
	return edge;
}

/* How far outside of an edge a place still counts as inside, and how near to it as on it: a face that leans is seen
 * narrower than it is. */
WP_INLINE vf wp_tolerance_of(const wp_facing *facing, const wp_face *f) { return vf_mul(facing->tolerance, f->lean); }

/* Cut a part by a line: how far inside of it the edge's ends are, and how far outside of it is still inside. Where the edge
 * does not cross the line, the division has no meaning and no use: where both ends are out, nothing is left, wherever that
 * is cut. */
WP_INLINE void wp_cut_by(wp_span *span, vf first, vf last, vf outside)
{
	const vm starts_out = vf_lt(first, outside), ends_out = vf_lt(last, outside);
	const vf inverse = vf_div(vf_set(1.0f), vf_sub(first, last));
	const vf share = vf_mul(vf_sub(first, outside), inverse), at = vf_mul(first, inverse);
	/* An end that is out by less than the share can express is cut all the same: the next edge does not begin there. */
	const vf begin = vf_select(ends_out, vf_set(WP_CUT_NOWHERE), share);
	const vm enters = vm_and(starts_out, vf_ge(begin, span->from)), leaves = vm_and(ends_out, vf_le(share, span->to));
	span->from = vf_select_evenly(enters, begin, span->from);
	span->to = vf_select_evenly(leaves, share, span->to);
	span->cut_at_from = vf_select_evenly(enters, at, span->cut_at_from);
	span->cut_at_to = vf_select_evenly(leaves, at, span->cut_at_to);
}

/* The part of an edge that is inside the face b. */
WP_INLINE wp_span wp_cut_edge(
	const wp_facing *facing, const wp_lane_polygons *polygon, const wp_face *b, const wp_edge *edge, vm wanted)
{
	const vf zero = vf_zero(), one = vf_set(1.0f), nowhere = vf_set(WP_CUT_NOWHERE);
	const vf outside = vf_neg(wp_tolerance_of(facing, b));
	wp_span span = {
		.from = vf_select(wanted, zero, nowhere), .to = one, .cut_at_from = vf_neg(nowhere), .cut_at_to = nowhere};
	for (int32_t k = 0; k < b->most; k++)
		wp_cut_by(&span, wp_inside_by(polygon, k, edge->u, edge->v), wp_inside_by(polygon, k, edge->to_u, edge->to_v),
			outside);

	/* Beside a sharp corner, where B ends. */
	if (vm_any(vf_lt(b->blunt, one))) {
		const vf first = wp_place_along(b, edge->u, edge->v), last = wp_place_along(b, edge->to_u, edge->to_v);
		wp_cut_by(&span, vf_sub(first, b->low), vf_sub(last, b->low), outside);
		wp_cut_by(&span, vf_sub(b->high, first), vf_sub(b->high, last), outside);
	}

	/* If a part is no longer than the tolerance, its cuts may lie outside, as at a sharp corner. */
	span.is_cut_from = vf_ge(span.cut_at_from, zero);
	span.is_cut_to = vf_lt(span.cut_at_to, nowhere);
	span.cut_at_from = vf_max(vf_min(span.cut_at_from, span.to), zero);
	span.cut_at_to = vf_select(span.is_cut_to, vf_max(span.cut_at_to, span.from), one);
	return span;
}

/* Add a point of the patch, in the lanes where it is one. Returns the slot after it; one that no lane would fill is left
 * to the next point. */
WP_INLINE_NATIVE int32_t wp_put_candidate(
	wp_lane_candidates *c, int32_t slot, const wp_facing *facing, vm wanted, vf u, vf v, vf weight)
{
	const int32_t at = slot * WP_WIDTH;
	if (!vm_any(wanted))
		return slot;
	const vf height_a = wp_surface_at(facing->a, &facing->face_a, u, v, facing->tolerance, wanted);
	const vf height_b = wp_surface_at(facing->b, &facing->face_b, u, v, facing->tolerance, wanted);
	/* The contact proves where both shapes end, which heights of faces that lean much may miss. */
	const vf height = vf_min(height_a, facing->tolerance);
	const vf separation = vf_sub(vf_max(height_b, vf_sub(facing->contact, facing->tolerance)), height);
	const vm deep_enough = vf_ge(vf_sub(height_b, height_a), facing->least);
	const vm near = vm_and(vm_and(wanted, deep_enough), vf_le(separation, facing->limit));
	if (!vm_any(near))
		return slot;

	vf_store(c->u + at, u);
	vf_store(c->v + at, v);
	vf_store(c->height + at, height);
	vf_store(c->separation + at, vf_select(near, separation, vf_set(WP_INFINITY)));
	vf_store(c->weight + at, vf_select(near, weight, vf_zero()));
	return slot + 1;
}

/* A face that is cut, and the one that cuts it. */
typedef struct wp_cut {
	const wp_lane_polygons *of, *by;
	const wp_face *face_of, *face_by;
} wp_cut;

/* Where edge `k` of a face begins and ends inside the other one. Corners are the beginnings of edges, and of a line the end of its
 * only edge too. */
WP_INLINE int32_t wp_cut_at_edge(
	const wp_facing *facing, const wp_cut *cut, int32_t k, bool is_line, wp_lane_candidates *c, int32_t slot)
{
	const vf crossing = vf_set(WP_PATCH_WEIGHT_CROSSING), own = vf_set(1.0f);
	const wp_edge edge = wp_load_edge(cut->of, cut->face_of, k);
	const vm wanted = vm_and(facing->both, vi_gt(cut->face_of->count, vi_set(k)));
	const wp_span span = wp_cut_edge(facing, cut->by, cut->face_by, &edge, wanted);
	const vm some = vf_le(span.from, span.to), ends = is_line ? some : vm_and(some, span.is_cut_to);
	slot = wp_put_candidate(c, slot, facing, some, vf_add(edge.u, vf_mul(edge.du, span.cut_at_from)),
		vf_add(edge.v, vf_mul(edge.dv, span.cut_at_from)), vf_select(span.is_cut_from, crossing, own));
	return wp_put_candidate(c, slot, facing, ends, vf_add(edge.u, vf_mul(edge.du, span.cut_at_to)),
		vf_add(edge.v, vf_mul(edge.dv, span.cut_at_to)), is_line ? vf_select(span.is_cut_to, crossing, own) : crossing);
}

/* The corners of B inside A. */
WP_INLINE int32_t wp_keep_corners(const wp_facing *facing, wp_lane_candidates *c, int32_t slot)
{
	const wp_face *const a = &facing->face_a;
	const vf tolerance = wp_tolerance_of(facing, a);
	for (int32_t k = 0; k < facing->face_b.most; k++) {
		const int32_t at = k * WP_WIDTH;
		const vf u = vf_load(facing->b->u + at), v = vf_load(facing->b->v + at);
		const vm is_corner = vm_and(facing->both, vi_gt(facing->face_b.count, vi_set(k)));
		const vm inside = vm_and(is_corner, wp_is_inside(facing->a, a, u, v, tolerance));
		slot = wp_put_candidate(c, slot, facing, inside, u, v, vf_set(WP_PATCH_WEIGHT_B));
	}
	return slot;
}

/* All candidates but the witness points. Returns how many places there are, in each lane some of them filled. */
WP_INLINE int32_t wp_clip_faces(const wp_facing *facing, wp_lane_candidates *c)
{
	const wp_face *const a = &facing->face_a, *const b = &facing->face_b;
	int32_t slot = 0;
	if (!vm_any(facing->both))
		return 0;
	if (a->is_line || b->is_line) {
		const wp_cut cut = {a->is_line ? facing->a : facing->b, a->is_line ? facing->b : facing->a, a->is_line ? a : b,
			a->is_line ? b : a};
		return wp_cut_at_edge(facing, &cut, 0, true, c, 0);
	}
	const wp_cut cut = {facing->a, facing->b, a, b};
	for (int32_t k = 0; k < a->most; k++)
		slot = wp_cut_at_edge(facing, &cut, k, false, c, slot);
	return wp_keep_corners(facing, c, slot);
}

#endif
