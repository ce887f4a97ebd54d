/* W5: what two faces have in common across the normal: every corner that their overlap can have.
 *
 * Both polygons are convex. Each edge of A is cut by all edges of B (Cyrus and Beck 1978), and each corner of B asked
 * whether it is inside A. The other face counts as WP_PATCH_TOLERANCE larger than it is, measured along it, where it
 * is asked what is inside; but edges are cut where they cross. */
#ifndef WP_WIDE_CLIP_H
#define WP_WIDE_CLIP_H

#include "wide/round.h"

/* The pairs of faces of a block. */
typedef struct wp_facing {
	const wp_lane_polygons *a, *b;
	wp_face face_a, face_b;
	vm both;             /* there are two faces */
	vf tolerance;        /* WP_PATCH_TOLERANCE, scaled */
	vf contact;          /* separation of the contact, which starts at height 0, scaled */
	vf limit;            /* points further apart are none, scaled */
	vf least;            /* nor are those that are deeper: the contact proves that the shapes do not reach there */
} wp_facing;

typedef struct wp_edge {
	vf u, v, du, dv;     /* from where, and how far */
	vi feature;
} wp_edge;

/* The part of an edge that is inside, from one share of it to another, where it is cut, and the edges that cut it. */
typedef struct wp_span {
	vf from, to;
	vf cut_at_from, cut_at_to;
	vi cut_from, cut_to; /* -1: the edge's own end */
} wp_span;

WP_INLINE vi wp_vertex_feature(vi vertex) { return vi_or(vertex, vi_shift_left(vertex, 16)); }

WP_INLINE vi wp_edge_feature(vi i, vi j)
{
	const vm descends = vi_gt(i, j);
	return vi_or(vi_select(descends, j, i), vi_shift_left(vi_select(descends, i, j), 16));
}

WP_INLINE void wp_name_edges(wp_lane_polygons *polygon, const wp_face *f)
{
	const vi first = vi_load(polygon->vertex);
	for (int32_t k = 0; k < f->most; k++) {
		const vm is_last = vm_not(vi_gt(f->count, vi_set(k + 1)));
		const vi next = vi_load(polygon->vertex + wp_after(k, f->most) * WP_WIDTH);
		const vi feature = wp_edge_feature(vi_load(polygon->vertex + k * WP_WIDTH), vi_select(is_last, first, next));
		vi_store(polygon->edge + k * WP_WIDTH, feature);
	}
}

WP_INLINE wp_edge wp_load_edge(const wp_lane_polygons *polygon, const wp_face *f, int32_t k)
{
	const int32_t at = k * WP_WIDTH;
	wp_edge edge = {.u = vf_load(polygon->u + at), .v = vf_load(polygon->v + at),
		.feature = vi_load(polygon->edge + at)};
	wp_edge_way(polygon, f, k, &edge.du, &edge.dv);
	return edge;
}

/* How far outside of an edge a place still counts as inside: a face that leans is seen narrower than it is. */
WP_INLINE vf wp_tolerance_of(const wp_facing *facing, const wp_face *f)
{
	return vf_mul(facing->tolerance, vf_mul(f->lean, f->blunt));
}

/* Cut a part by a line: how far inside of it the edge's ends are, and how far outside of it is still inside. A feature
 * below -1 leaves those of the part as they are. */
WP_INLINE void wp_cut_by(wp_span *span, vm is_edge, vf first, vf last, vf outside, vi feature)
{
	const vf zero = vf_zero(), one = vf_set(1.0f), never = vf_set(2.0f);
	const vm starts_out = vm_and(is_edge, vf_lt(first, outside)), ends_out = vm_and(is_edge, vf_lt(last, outside));
	const vm crosses = vm_xor(starts_out, ends_out);
	const vf inverse = vf_div(one, vf_select(crosses, vf_sub(first, last), one));
	const vf share = vf_mul(vf_sub(first, outside), inverse), at = vf_mul(first, inverse);
	const vm enters = vm_andnot(vm_and(starts_out, vf_gt(share, span->from)), ends_out);
	const vm leaves = vm_andnot(vm_and(ends_out, vf_lt(share, span->to)), starts_out);
	const vm is_named = vi_gt(feature, vi_set(-2));
	span->from = vf_select(enters, share, vf_select(vm_and(starts_out, ends_out), never, span->from));
	span->to = vf_select(leaves, share, span->to);
	span->cut_at_from = vf_select(enters, vf_min(at, one), span->cut_at_from);
	span->cut_at_to = vf_select(leaves, vf_max(at, zero), span->cut_at_to);
	span->cut_from = vi_select(vm_and(enters, is_named), feature, span->cut_from);
	span->cut_to = vi_select(vm_and(leaves, is_named), feature, span->cut_to);
}

/* The part of an edge of A that is inside B. */
WP_INLINE wp_span wp_cut_edge(const wp_facing *facing, const wp_edge *edge, vm wanted)
{
	const wp_face *const b = &facing->face_b;
	const vf outside = vf_neg(wp_tolerance_of(facing, b));
	const vf end_u = vf_add(edge->u, edge->du), end_v = vf_add(edge->v, edge->dv);
	wp_span span = {.from = vf_select(wanted, vf_zero(), vf_set(2.0f)), .to = vf_set(1.0f), .cut_at_from = vf_zero(),
		.cut_at_to = vf_set(1.0f), .cut_from = vi_set(-1), .cut_to = vi_set(-1)};
	for (int32_t k = 0; k < b->most; k++)
		wp_cut_by(&span, vi_gt(b->count, vi_set(k)), wp_inside_by(facing->b, k, edge->u, edge->v),
			wp_inside_by(facing->b, k, end_u, end_v), outside, vi_load(facing->b->edge + k * WP_WIDTH));

	/* Beside a sharp corner, where B ends. */
	if (vm_any(vf_lt(b->blunt, vf_set(1.0f)))) {
		const vf first = wp_place_along(b, edge->u, edge->v), last = wp_place_along(b, end_u, end_v);
		const vi unnamed = vi_set(-2);
		wp_cut_by(&span, wanted, vf_sub(first, b->low), vf_sub(last, b->low), outside, unnamed);
		wp_cut_by(&span, wanted, vf_sub(b->high, first), vf_sub(b->high, last), outside, unnamed);
	}

	/* Of a part no longer than the tolerance the cuts may lie outside, as those at a sharp corner do. */
	span.cut_at_from = vf_min(span.cut_at_from, span.to);
	span.cut_at_to = vf_max(span.cut_at_to, span.from);
	return span;
}

/* Add a point of the patch, in the lanes where it is one. Returns the slot after it; one that no lane would fill is left
 * to the next point. */
WP_INLINE int32_t wp_put_candidate(wp_lane_candidates *c, int32_t slot, const wp_facing *facing, vm wanted, vf u, vf v,
	vi feature_a, vi feature_b, vf weight)
{
	const int32_t at = slot * WP_WIDTH;
	if (!vm_any(wanted))
		return slot;
	const vf height_a = wp_surface_at(facing->a, &facing->face_a, u, v, facing->tolerance);
	const vf height_b = wp_surface_at(facing->b, &facing->face_b, u, v, facing->tolerance);
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
	vf_store(c->separation + at, vf_select(near, separation, vf_set(__builtin_inff())));
	vf_store(c->weight + at, weight);
	vi_store(c->feature_a + at, feature_a);
	vi_store(c->feature_b + at, feature_b);
	return slot + 1;
}

/* Where the edges of A begin and end inside B. Corners of A are the beginnings of their edges. */
WP_INLINE int32_t wp_cut_edges(const wp_facing *facing, wp_lane_candidates *c, int32_t slot)
{
	const vi face = vi_set(-1);
	const vf crossing = vf_set(WP_PATCH_WEIGHT_CROSSING);
	for (int32_t k = 0; k < facing->face_a.most; k++) {
		const wp_edge edge = wp_load_edge(facing->a, &facing->face_a, k);
		const wp_span span = wp_cut_edge(facing, &edge, vm_and(facing->both, vi_gt(facing->face_a.count, vi_set(k))));
		const vm some = vf_le(span.from, span.to), whole = vi_eq(span.cut_from, face);
		const vi corner = wp_vertex_feature(vi_load(facing->a->vertex + k * WP_WIDTH));
		slot = wp_put_candidate(c, slot, facing, some, vf_add(edge.u, vf_mul(edge.du, span.cut_at_from)),
			vf_add(edge.v, vf_mul(edge.dv, span.cut_at_from)), vi_select(whole, corner, edge.feature), span.cut_from,
			vf_select(whole, vf_set(1.0f), crossing));
		slot = wp_put_candidate(c, slot, facing, vm_andnot(some, vi_eq(span.cut_to, face)),
			vf_add(edge.u, vf_mul(edge.du, span.cut_at_to)), vf_add(edge.v, vf_mul(edge.dv, span.cut_at_to)), edge.feature,
			span.cut_to, crossing);
	}
	return slot;
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
		slot = wp_put_candidate(c, slot, facing, inside, u, v, vi_set(-1), wp_vertex_feature(vi_load(facing->b->vertex + at)),
			vf_set(WP_PATCH_WEIGHT_B));
	}
	return slot;
}

/* All candidates but the witness points. Returns how many places there are, in each lane some of them filled. */
WP_INLINE int32_t wp_clip_faces(const wp_facing *facing, wp_lane_candidates *c)
{
	if (!vm_any(facing->both))
		return 0;
	return wp_keep_corners(facing, c, wp_cut_edges(facing, c, 0));
}

#endif
