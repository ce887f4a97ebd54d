/* Reduces all points that a patch could have to the few that hold a body up: one of the deepest, the farthest from it, the
 * one that spans the largest triangle with both, then the ones that add most to the area. The deepest joins them at last. */
#ifndef WP_WIDE_MANIFOLD_REDUCE_H
#define WP_WIDE_MANIFOLD_REDUCE_H

#include "wide/manifold/clip.h"
#include "wide/manifold/nearest_chosen.h"

/* The points chosen so far. */
typedef struct wp_chosen {
	vi slot[WP_POINT_MAX];                       /* in the order of choice; -1: the witness points */
	vf at_u[WP_POINT_MAX], at_v[WP_POINT_MAX];   /* where they are; 0 without a slot */
	vf u[WP_POINT_MAX + 1], v[WP_POINT_MAX + 1]; /* the same, counter-clockwise */
	vi count;
	vf span;  /* from the first to the second */
	vf apart; /* WP_PATCH_APART, scaled */
	vm open;  /* more points may follow */
} wp_chosen;

/* The best of the candidates by some measure, which is not negative; of those as good the first. What is better exceeds the
 * bar. */
typedef struct wp_best {
	vf bar;
	vi found; /* slot << WP_PLACE_BITS | place, see wp_insert; -1: none */
} wp_best;

#define WP_PLACE_BITS 3
_Static_assert(WP_POINT_MAX <= 1 << WP_PLACE_BITS, "a place is a corner of the chosen ones");

/* What must exceed a value by enough to be better. */
WP_INLINE vf wp_bar_of(vf value) { return vf_mul(value, vf_set(WP_PATCH_BETTER)); }

WP_INLINE wp_best wp_none_better(vf value) { return (wp_best){wp_bar_of(value), vi_set(-1)}; }

WP_INLINE void wp_keep_best(wp_best *best, vf value, vi candidate)
{
	const vm better = vf_gt(value, best->bar);
	best->bar = vf_select(better, wp_bar_of(value), best->bar);
	best->found = vi_select(better, candidate, best->found);
}

/* The next slot's candidates. */
WP_INLINE vi wp_next_slot(vi candidate) { return vi_add(candidate, vi_set(1 << WP_PLACE_BITS)); }

/* Make the best the choice `k` of the lanes `m`, if there is one; others have none. */
WP_INLINE void wp_take_best(const wp_lane_candidates *c, const wp_best *best, vm m, int32_t k, wp_chosen *chosen)
{
	const vm has = vm_and(m, vi_gt(best->found, vi_set(-1)));
	const vi slot = vi_select(has, vi_shift_right(best->found, WP_PLACE_BITS), vi_zero()), at = vi_element(slot);
	chosen->slot[k] = vi_select(has, slot, vi_set(-1));
	chosen->at_u[k] = vf_select(has, vf_gather(c->u, at), vf_zero());
	chosen->at_v[k] = vf_select(has, vf_gather(c->v, at), vf_zero());
}

WP_INLINE vf wp_least_separation(const wp_lane_candidates *c, int32_t total)
{
	vf least = vf_set(WP_INFINITY);
	for (int32_t slot = 0; slot < total; slot++)
		least = vf_min(vf_load(c->separation + slot * WP_WIDTH), least);
	return least;
}

/* Of the points up to a separation the one farthest along a direction that is fixed in A, counted from `far` behind all of them. */
WP_NOINLINE wp_best wp_outermost(const wp_lane_candidates *c, int32_t total, vf limit, vf far)
{
	wp_best best = wp_none_better(vf_zero());
	vi candidate = vi_zero();
	for (int32_t slot = 0; slot < total; slot++) {
		const vf u = vf_load(c->u + slot * WP_WIDTH), v = vf_load(c->v + slot * WP_WIDTH);
		const vf sideways = vf_add(vf_mul(u, vf_set(0.8f)), vf_mul(v, vf_set(0.6f)));
		const vm is_deep = vf_le(vf_load(c->separation + slot * WP_WIDTH), limit);
		wp_keep_best(&best, vf_select(is_deep, vf_add(far, sideways), vf_zero()), candidate);
		candidate = wp_next_slot(candidate);
	}
	return best;
}

/* One of the deepest points: bodies at rest rock, so the outermost one within WP_PATCH_REST. The witness points take its place if
 * there is no point, or if they are deeper than all. */
WP_INLINE void wp_choose_first(
	const wp_lane_candidates *c, int32_t total, vf least, vf witness, vf reach, vf far, wp_chosen *chosen)
{
	const vf deeper = vf_mul(vf_set(WP_PATCH_DEEPER), reach), rest = vf_mul(vf_set(WP_PATCH_REST), reach);
	const wp_best best = wp_outermost(c, total, vf_add(least, rest), far);
	/* A pair that does not fit has no candidates, and its witness's separation, scaled, may be infinite. */
	const vm has_any = vf_lt(least, vf_set(WP_INFINITY));
	const vm whole = vm_and(has_any, vf_le(vf_sub(least, deeper), witness));
	wp_take_best(c, &best, whole, 0, chosen);
	chosen->u[0] = chosen->at_u[0];
	chosen->v[0] = chosen->at_v[0];
	chosen->count = vi_set(1);
}

/* Let one of the deepest points, which are up to a separation, take the place of the nearest one in lanes that chose none. No lane
 * chose more than `most`. */
WP_NOINLINE void wp_choose_deepest(
	const wp_lane_candidates *c, int32_t total, int32_t most, vf limit, vf far, wp_chosen *chosen)
{
	vm lacks = vi_gt(chosen->slot[0], vi_set(-1));
	WP_ROLLED
	for (int32_t k = 0; k < most; k++) {
		if (!vm_any(lacks))
			return;
		const vi slot = vi_select(vi_gt(chosen->slot[k], vi_set(-1)), chosen->slot[k], chosen->slot[0]);
		const vf separation = vf_gather(c->separation, vi_element(vi_max(slot, vi_zero())));
		lacks = vm_and(lacks, vf_gt(separation, limit));
	}
	if (!vm_any(lacks))
		return;
	const wp_best best = wp_outermost(c, total, limit, far);
	const vi slot = vi_select(lacks, vi_shift_right(best.found, WP_PLACE_BITS), vi_zero()), at = vi_element(slot);
	const vf u = vf_gather(c->u, at), v = vf_gather(c->v, at);
	wp_nearest nearest = wp_none_near();
	WP_ROLLED
	for (int32_t k = 0; k < most; k++) {
		const vf du = vf_sub(u, chosen->at_u[k]), dv = vf_sub(v, chosen->at_v[k]);
		wp_keep_nearest(&nearest, vf_add(vf_mul(du, du), vf_mul(dv, dv)), chosen->count, k);
	}
	WP_ROLLED
	for (int32_t k = 0; k < most; k++) {
		const vm here = vm_and(lacks, vi_eq(nearest.place, vi_set(k)));
		chosen->slot[k] = vi_select(here, slot, chosen->slot[k]);
		chosen->at_u[k] = vf_select(here, u, chosen->at_u[k]);
		chosen->at_v[k] = vf_select(here, v, chosen->at_v[k]);
	}
}

/* The point farthest from the first. */
WP_INLINE void wp_choose_farthest(const wp_lane_candidates *c, int32_t total, wp_chosen *chosen)
{
	wp_best best = wp_none_better(vf_mul(chosen->apart, chosen->apart));
	vi candidate = vi_zero();
	for (int32_t slot = 0; slot < total; slot++) {
		const vf u = vf_load(c->u + slot * WP_WIDTH), v = vf_load(c->v + slot * WP_WIDTH);
		const vf du = vf_sub(u, chosen->u[0]), dv = vf_sub(v, chosen->v[0]);
		const vf value = vf_mul(vf_add(vf_mul(du, du), vf_mul(dv, dv)), vf_load(c->weight + slot * WP_WIDTH));
		wp_keep_best(&best, value, candidate);
		candidate = wp_next_slot(candidate);
	}
	wp_take_best(c, &best, vm_all(), 1, chosen);
	chosen->u[1] = chosen->at_u[1];
	chosen->v[1] = chosen->at_v[1];
	const vf du = vf_sub(chosen->u[1], chosen->u[0]), dv = vf_sub(chosen->v[1], chosen->v[0]);
	chosen->open = vi_gt(chosen->slot[1], vi_set(-1));
	chosen->span = vf_sqrt(vf_add(vf_mul(du, du), vf_mul(dv, dv)));
	chosen->count = vi_select(chosen->open, vi_set(2), chosen->count);
}

/* Put choice `count` into the polygon of those before it, after its corner `place`. */
WP_INLINE void wp_insert(wp_chosen *chosen, int32_t count, vi place)
{
	const vf u = chosen->at_u[count], v = chosen->at_v[count];
	WP_ROLLED
	for (int32_t k = count; k > 0; k--) {
		const vm here = vi_eq(place, vi_set(k - 1)), behind = vi_gt(vi_set(k - 1), place);
		chosen->u[k] = vf_select(here, u, vf_select(behind, chosen->u[k - 1], chosen->u[k]));
		chosen->v[k] = vf_select(here, v, vf_select(behind, chosen->v[k - 1], chosen->v[k]));
	}
	chosen->open = vi_gt(chosen->slot[count], vi_set(-1));
	chosen->count = vi_select(chosen->open, vi_set(count + 1), chosen->count);
}

/* Loops over edges of the chosen ones, which one lane has no copies of. */
#if WP_WIDTH == 1
#define WP_EDGE_LOOP WP_ROLLED
#else
#define WP_EDGE_LOOP
#endif

/* The weight of a point among the `count` chosen ones: none where one of them is. Witness points chosen first may lie inside
 * of the others; then the polygon is concave there from four corners on, and a corner lies beyond the edge of another. */
WP_INLINE vf wp_weight_apart(const wp_chosen *chosen, int32_t count, vf u, vf v, vf weight)
{
	const vf apart2 = vf_mul(chosen->apart, chosen->apart);
	WP_ROLLED
	for (int32_t k = 0; k < count; k++) {
		const vf du = vf_sub(u, chosen->u[k]), dv = vf_sub(v, chosen->v[k]);
		weight = vf_select(vf_gt(vf_add(vf_mul(du, du), vf_mul(dv, dv)), apart2), weight, vf_zero());
	}
	return weight;
}

/* The point that adds the largest triangle beyond an edge of the chosen ones. Two points have an edge there and one
 * back, so the third may lie on either side. Lanes that found none before choose none: they wait for others. */
WP_INLINE_NATIVE void wp_choose_widest(const wp_lane_candidates *c, int32_t total, int32_t count, wp_chosen *chosen)
{
	wp_best best = wp_none_better(vf_mul(chosen->apart, chosen->span));
	vf2 edge[WP_POINT_MAX];
	WP_EDGE_LOOP
	for (int32_t k = 0; k < count; k++) {
		const int32_t next = wp_after(k, count);
		edge[k] = (vf2){vf_sub(chosen->u[next], chosen->u[k]), vf_sub(chosen->v[next], chosen->v[k])};
	}
	vi first = vi_zero();
	for (int32_t slot = 0; slot < total; slot++) {
		const vf u = vf_load(c->u + slot * WP_WIDTH), v = vf_load(c->v + slot * WP_WIDTH);
		vf weight = vf_load(c->weight + slot * WP_WIDTH);
		if (count > 3)
			weight = wp_weight_apart(chosen, count, u, v, weight);
		WP_EDGE_LOOP
		for (int32_t k = 0; k < count; k++) {
			const vf2 way = {vf_sub(u, chosen->u[k]), vf_sub(v, chosen->v[k])};
			wp_keep_best(&best, vf_mul(vf2_cross(way, edge[k]), weight), vi_add(first, vi_set(k)));
		}
		first = wp_next_slot(first);
	}
	wp_take_best(c, &best, chosen->open, count, chosen);
	wp_insert(chosen, count, vi_and(best.found, vi_set((1 << WP_PLACE_BITS) - 1)));
}

/* The patch of a segment has its two ends and, where they are the first, the witness points. This is a limit of the kind: with the
 * number of a block's candidates as one, what a lane has would depend on other lanes. */
#define WP_LINE_POINT_MAX 3

WP_INLINE uint32_t wp_patch_most(bool has_line, uint32_t most)
{
	return has_line && most > WP_LINE_POINT_MAX ? WP_LINE_POINT_MAX : most;
}

/* Choose up to `most` points. `witness` is the separation of the witness points, scaled. */
WP_NOINLINE void wp_reduce(
	const wp_lane_candidates *c, int32_t total, uint32_t most, vf witness, vf reach, wp_chosen *chosen)
{
	for (int32_t k = 0; k < WP_POINT_MAX; k++) {
		chosen->slot[k] = vi_set(-1);
		chosen->at_u[k] = chosen->at_v[k] = vf_zero();
	}
	for (int32_t k = 0; k <= WP_POINT_MAX; k++)
		chosen->u[k] = chosen->v[k] = vf_zero();
	chosen->open = vm_false();
	chosen->span = vf_zero();
	chosen->apart = vf_mul(vf_set(WP_PATCH_APART), reach);
	const vf least = wp_least_separation(c, total), far = vf_mul(vf_set(4.0f), reach);
	wp_choose_first(c, total, least, witness, reach, far, chosen);
	if (most > 1)
		wp_choose_farthest(c, total, chosen);
	int32_t count = 2;
	/* Most have up to four points: loops over two and three edges need no counter. */
	if (WP_WIDTH > 1 && most > 3 && vm_any(chosen->open)) {
		wp_choose_widest(c, total, 2, chosen);
		wp_choose_widest(c, total, 3, chosen);
		count = 4;
	}
	for (; count < (int32_t)most && vm_any(chosen->open); count++)
		wp_choose_widest(c, total, count, chosen);
	const vf as_deep = vf_add(least, vf_mul(vf_set(WP_PATCH_TOLERANCE), reach));
	wp_choose_deepest(c, total, count, as_deep, far, chosen);
}

#endif
