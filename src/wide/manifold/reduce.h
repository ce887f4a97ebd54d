/* Reduces all points that a patch could have to the few that hold a body up: the deepest, the farthest from it, the
 * one that spans the largest triangle with both, then the ones that add most to the area. */
#ifndef WP_WIDE_MANIFOLD_REDUCE_H
#define WP_WIDE_MANIFOLD_REDUCE_H

#include "wide/manifold/clip.h"

/* The points chosen so far. */
typedef struct wp_chosen {
	vi slot[WP_POINT_MAX];                       /* in the order of choice; -1: the witness points */
	vf u[WP_POINT_MAX + 1], v[WP_POINT_MAX + 1]; /* counter-clockwise */
	vi count;
	vf span;  /* from the first to the second */
	vf apart; /* WP_PATCH_APART, scaled */
	vm open;  /* more points may follow */
} wp_chosen;

/* The best of the candidates by some measure, which is not negative; of those as good the first. */
typedef struct wp_best {
	vf value, u, v;
	vi slot, place;
} wp_best;

WP_INLINE void wp_keep_best(wp_best *best, vm usable, vf value, vf u, vf v, int32_t slot, vi place)
{
	const vm better = vm_and(usable, vf_gt(value, vf_mul(best->value, vf_set(WP_PATCH_BETTER))));
	best->value = vf_select(better, value, best->value);
	best->u = vf_select(better, u, best->u);
	best->v = vf_select(better, v, best->v);
	best->slot = vi_select(better, vi_set(slot), best->slot);
	best->place = vi_select(better, place, best->place);
}

/* The deepest point. If several are as deep within the tolerance of patches, it is the one farthest along a direction
 * that is fixed in A, counted from `far` behind all of them. The witness points take its place if there is no point, or
 * if they are deeper than all. */
WP_INLINE void wp_choose_deepest(const wp_lane_candidates *c, int32_t total, vf witness, vf reach, wp_chosen *chosen)
{
	const vf deeper = vf_mul(vf_set(WP_PATCH_DEEPER), reach), tolerance = vf_mul(vf_set(WP_PATCH_TOLERANCE), reach);
	const vf far = vf_mul(vf_set(4.0f), reach);
	wp_best best = {.slot = vi_set(-1)};
	vf least = vf_set(WP_INFINITY);
	for (int32_t slot = 0; slot < total; slot++)
		least = vf_min(vf_load(c->separation + slot * WP_WIDTH), least);
	const vf as_deep = vf_add(least, tolerance);
	for (int32_t slot = 0; slot < total; slot++) {
		const vf u = vf_load(c->u + slot * WP_WIDTH), v = vf_load(c->v + slot * WP_WIDTH);
		const vf sideways = vf_add(vf_mul(u, vf_set(0.8f)), vf_mul(v, vf_set(0.6f)));
		const vm is_deep = vf_le(vf_load(c->separation + slot * WP_WIDTH), as_deep);
		wp_keep_best(&best, is_deep, vf_add(far, sideways), u, v, slot, vi_zero());
	}
	/* A pair that does not fit has no candidates, and its witness's separation, scaled, may be infinite. */
	const vm has_any = vf_lt(least, vf_set(WP_INFINITY));
	const vm whole = vm_and(has_any, vf_le(vf_sub(least, deeper), witness));
	chosen->slot[0] = vi_select(whole, best.slot, vi_set(-1));
	chosen->u[0] = vf_select(whole, best.u, vf_zero());
	chosen->v[0] = vf_select(whole, best.v, vf_zero());
	chosen->count = vi_set(1);
}

/* The point farthest from the first. */
WP_INLINE void wp_choose_farthest(const wp_lane_candidates *c, int32_t total, wp_chosen *chosen)
{
	wp_best best = {.value = vf_mul(chosen->apart, chosen->apart), .slot = vi_set(-1)};
	for (int32_t slot = 0; slot < total; slot++) {
		const vf u = vf_load(c->u + slot * WP_WIDTH), v = vf_load(c->v + slot * WP_WIDTH);
		const vf du = vf_sub(u, chosen->u[0]), dv = vf_sub(v, chosen->v[0]);
		const vf value = vf_mul(vf_add(vf_mul(du, du), vf_mul(dv, dv)), vf_load(c->weight + slot * WP_WIDTH));
		const vm is_point = vf_lt(vf_load(c->separation + slot * WP_WIDTH), vf_set(WP_INFINITY));
		wp_keep_best(&best, is_point, value, u, v, slot, vi_zero());
	}
	const vf du = vf_sub(best.u, chosen->u[0]), dv = vf_sub(best.v, chosen->v[0]);
	chosen->open = vi_gt(best.slot, vi_set(-1));
	chosen->slot[1] = best.slot;
	chosen->u[1] = best.u;
	chosen->v[1] = best.v;
	chosen->span = vf_sqrt(vf_add(vf_mul(du, du), vf_mul(dv, dv)));
	chosen->count = vi_select(chosen->open, vi_set(2), chosen->count);
}

/* Put a point into the polygon of the chosen ones, after its corner `place`; there were `count`. */
WP_INLINE void wp_insert(wp_chosen *chosen, int32_t count, const wp_best *best)
{
	WP_ROLLED
	for (int32_t k = count; k > 0; k--) {
		const vm here = vi_eq(best->place, vi_set(k - 1)), behind = vi_gt(vi_set(k - 1), best->place);
		chosen->u[k] = vf_select(here, best->u, vf_select(behind, chosen->u[k - 1], chosen->u[k]));
		chosen->v[k] = vf_select(here, best->v, vf_select(behind, chosen->v[k - 1], chosen->v[k]));
	}
	chosen->slot[count] = best->slot;
	chosen->open = vm_and(chosen->open, vi_gt(best->slot, vi_set(-1)));
	chosen->count = vi_select(chosen->open, vi_set(count + 1), chosen->count);
}

/* The point that adds the largest triangle beyond an edge of the chosen ones. Two points have an edge there and one
 * back, so the third may lie on either side. */
WP_INLINE void wp_choose_widest(const wp_lane_candidates *c, int32_t total, int32_t count, wp_chosen *chosen)
{
	wp_best best = {.value = vf_mul(chosen->apart, chosen->span), .slot = vi_set(-1)};
	for (int32_t slot = 0; slot < total; slot++) {
		const vf u = vf_load(c->u + slot * WP_WIDTH), v = vf_load(c->v + slot * WP_WIDTH);
		const vf weight = vf_load(c->weight + slot * WP_WIDTH);
		const vm is_point = vf_lt(vf_load(c->separation + slot * WP_WIDTH), vf_set(WP_INFINITY));
		WP_ROLLED
		for (int32_t k = 0; k < count; k++) {
			const int32_t next = wp_after(k, count);
			const vf2 way = {vf_sub(u, chosen->u[k]), vf_sub(v, chosen->v[k])};
			const vf2 edge = {vf_sub(chosen->u[next], chosen->u[k]), vf_sub(chosen->v[next], chosen->v[k])};
			wp_keep_best(&best, is_point, vf_mul(vf2_cross(way, edge), weight), u, v, slot, vi_set(k));
		}
	}
	wp_insert(chosen, count, &best);
}

/* Choose up to `most` points. `witness` is the separation of the witness points, scaled. */
WP_NOINLINE void wp_reduce(
	const wp_lane_candidates *c, int32_t total, uint32_t most, vf witness, vf reach, wp_chosen *chosen)
{
	for (int32_t k = 0; k < WP_POINT_MAX; k++)
		chosen->slot[k] = vi_set(-1);
	for (int32_t k = 0; k <= WP_POINT_MAX; k++)
		chosen->u[k] = chosen->v[k] = vf_zero();
	chosen->open = vm_false();
	chosen->span = vf_zero();
	chosen->apart = vf_mul(vf_set(WP_PATCH_APART), reach);
	wp_choose_deepest(c, total, witness, reach, chosen);
	if (most > 1)
		wp_choose_farthest(c, total, chosen);
	for (int32_t count = 2; count < (int32_t)most && vm_any(chosen->open); count++)
		wp_choose_widest(c, total, count, chosen);
}

#endif
