/* Shapes shrunk by a margin and rounded by it again, one pair per lane, so that GJK alone answers overlaps of no more
 * than the margins.
 *
 * A box whose extents are less by m, with a ball of m around each of its points, is a box without its edges and corners.
 * A hull about the origin that holds a ball of radius r there, scaled by 1 - t, with a ball of t r around each of its
 * points, lies within itself, since it is convex. So the rounded shapes lie within the true ones: they are apart or
 * overlap as their cores and radii do, which bounds the true separation from above; and the true ones' support planes
 * across the normal that was found, which have closed forms, bound it from below. */
#ifndef WP_WIDE_METHOD_SHRINK_H
#define WP_WIDE_METHOD_SHRINK_H

#include "wide/job/answer.h"
#include "wide/support/support.h"

/* The most that a core is shrunk by: this share of the ball inside, so that it stays a body. */
#define WP_SHRINK_MAX 0.5f

/* Distance of the corner of a cube from its middle, rounded up. */
#define WP_CUBE_CORNER 1.7320511f

/* What shrinking adds to the rounding of a bracket: to vertices of hulls and to radii, relative to them; to how much
 * further true planes are, relative to the margins, and to the support points that hulls are measured by. */
#define WP_SHRINK_ROUNDING 6.5e-8f
#define WP_SHRINK_PLANE_ROUNDING 4e-7f
#define WP_SHRINK_SUPPORT_ROUNDING 3e-7f

/* One side of a block. */
typedef struct wp_shrink_side {
	vf inner, bound; /* of the cores, unscaled */
	bool is_hull;
} wp_shrink_side;

WP_INLINE wp_shrink_side wp_shrink_side_of(const wp_jobs *jobs, uint32_t at, const wp_core *const *cores, uint32_t kind)
{
	WP_VECTOR_ALIGN float inner[WP_WIDTH], bound[WP_WIDTH];
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		const wp_core *const core = cores[at + lane < jobs->count ? at + lane : at];
		inner[lane] = core->inner;
		bound[lane] = core->bound;
	}
	return (wp_shrink_side){vf_load(inner), vf_load(bound), kind == WP_CORE_HULL};
}

/* What is left of the hulls of each pair, as a share of them: of two hulls the same, since lanes have one scale for
 * both. 1 where a ball inside is not known. */
WP_INLINE vf wp_shrink_share(const wp_shrink_side *a, const wp_shrink_side *b, vf margin)
{
	const vf zero = vf_zero(), one = vf_set(1.0f);
	if (!a->is_hull && !b->is_hull)
		return one;
	const vf least = !a->is_hull ? b->inner : !b->is_hull ? a->inner : vf_min(a->inner, b->inner);
	const vf most = !a->is_hull ? b->inner : !b->is_hull ? a->inner : vf_max(a->inner, b->inner);
	const vm holds = vf_gt(least, zero);
	const vf lost = vf_min(vf_div(margin, vf_select(holds, most, one)), vf_set(WP_SHRINK_MAX));
	return vf_sub(one, vf_select(holds, lost, zero));
}

/* By how much a side is shrunk and rounded. For boxes a multiple of the spacing of their largest extent, so that their
 * extents stay exact. */
WP_INLINE vf wp_shrink_margin(const wp_shrink_side *side, vf3 half, vf margin, vf share)
{
	if (side->is_hull)
		return vf_mul(side->inner, vf_sub(vf_set(1.0f), share));
	const vf wanted = vf_min(margin, vf_mul(side->inner, vf_set(WP_SHRINK_MAX)));
	const vf largest = vf_max(vf_max(half.x, half.y), half.z);
	const vf even = vf_sub(vf_add(largest, wanted), largest);
	return vf_select(vf_le(even, vf_add(wanted, wanted)), even, vf_zero());
}

/* How far a true support plane may at most be from the plane of the shrunk core. */
WP_INLINE vf wp_shrink_reach(const wp_shrink_side *side, vf radius, vf margin, vf share)
{
	const vf most = side->is_hull ? vf_mul(side->bound, vf_sub(vf_set(1.0f), share))
	                              : vf_mul(margin, vf_set(WP_CUBE_CORNER));
	return vf_add(radius, most);
}

/* Shrink a block that was kept for GJK, EPA and witness points. GJK sees the radii as far as true planes may reach: what it
 * then leaves as far enough apart is so without edges and corners lost. */
WP_INLINE void wp_shrink_block(wp_jobs *jobs, uint32_t at)
{
	const vf scale = vf_load(jobs->scale + at);
	const vf radius_a = vf_load(jobs->radius_a + at), radius_b = vf_load(jobs->radius_b + at);
	const vf3 half_a = vf3_load(jobs->half_a[0] + at, jobs->half_a[1] + at, jobs->half_a[2] + at);
	const vf3 half_b = vf3_load(jobs->half_b[0] + at, jobs->half_b[1] + at, jobs->half_b[2] + at);
	const wp_shrink_side a = wp_shrink_side_of(jobs, at, jobs->core_a, jobs->kind_a);
	const wp_shrink_side b = wp_shrink_side_of(jobs, at, jobs->core_b, jobs->kind_b);
	const vf margin = vf_set(jobs->margin), share = wp_shrink_share(&a, &b, margin);
	const vf margin_a = wp_shrink_margin(&a, half_a, margin, share);
	const vf margin_b = wp_shrink_margin(&b, half_b, margin, share);
	const vf reach_a = wp_shrink_reach(&a, radius_a, margin_a, share);
	const vf reach_b = wp_shrink_reach(&b, radius_b, margin_b, share);
	if (!a.is_hull)
		vf3_store(jobs->half_a[0] + at, jobs->half_a[1] + at, jobs->half_a[2] + at,
			vf3_sub(half_a, vf3_set(margin_a, margin_a, margin_a)));
	if (!b.is_hull)
		vf3_store(jobs->half_b[0] + at, jobs->half_b[1] + at, jobs->half_b[2] + at,
			vf3_sub(half_b, vf3_set(margin_b, margin_b, margin_b)));
	vf_store(jobs->radius_a + at, vf_add(radius_a, margin_a));
	vf_store(jobs->radius_b + at, vf_add(radius_b, margin_b));
	vf4_store(jobs->pose + 16 * (size_t)at + 12, 4, (vf4){scale, reach_a, reach_b, vf_mul(scale, share)});
	vf_store(jobs->margin_a + at, margin_a);
	vf_store(jobs->margin_b + at, margin_b);
	vf_store(jobs->share + at, share);
}

/* A block that is not shrunk. */
WP_INLINE void wp_leave_whole(wp_jobs *jobs, uint32_t at)
{
	vf_store(jobs->margin_a + at, vf_zero());
	vf_store(jobs->margin_b + at, vf_zero());
	vf_store(jobs->share + at, vf_set(1.0f));
}

/* Shrink the jobs of a list, which is in ascending order, block by block: all that closed forms left but segments. Their
 * margins are none, which witness points count on. */
WP_INLINE void wp_shrink_run(wp_jobs *jobs, const int32_t *list, uint32_t total)
{
	const bool are_segments = jobs->kind_a == WP_CORE_SEGMENT && jobs->kind_b == WP_CORE_SEGMENT;
	uint32_t done = 0;
	for (uint32_t i = 0; i < total; i++) {
		const uint32_t at = (uint32_t)list[i] & ~(uint32_t)(WP_WIDTH - 1);
		if (at < done)
			continue;
		if (are_segments)
			wp_leave_whole(jobs, at);
		else
			wp_shrink_block(jobs, at);
		done = at + WP_WIDTH;
	}
}

/* ---- the answer --------------------------------------------------------------------------------- */

/* How much further a true shape reaches along a direction of its own frame than its rounded core does. */
WP_INLINE vf wp_shrink_lack(
	const wp_lanes *lanes, int kind, vf3 half, const wp_lane_side *side, vf3 direction, vf margin, vf share)
{
	const vf one = vf_set(1.0f), zero = vf_zero();
	if (kind != WP_CORE_HULL) {
		const vf sum = vf_add(vf_add(vf_abs(direction.x), vf_abs(direction.y)), vf_abs(direction.z));
		return vf_mul(margin, vf_max(vf_sub(sum, one), zero));
	}
	vi id;
	const vf height = vf3_dot(wp_support_side(lanes, lanes->live, kind, half, side, direction, &id), direction);
	return vf_max(vf_sub(vf_mul(height, vf_div(vf_sub(one, share), share)), margin), zero);
}

/* From the answer of a block for the rounded shapes, but for its normal and points, to that for the true ones. */
WP_INLINE void wp_answer_whole(
	const wp_jobs *jobs, wp_lanes *lanes, uint32_t at, int kind_a, int kind_b, wp_answer *answer)
{
	lanes->a.rows = lanes->b.rows = 0;
	const wp_prepared prepared = wp_load_prepared(jobs, at), *const p = &prepared;
	const vi state = vi_load(jobs->state + at);
	const vf3 found = vf3_load(jobs->direction[0] + at, jobs->direction[1] + at, jobs->direction[2] + at);
	const vf unscale = wp_inverse_scale(p->scale), share = vf_load(jobs->share + at);
	const vf margin_a = vf_mul(vf_load(jobs->margin_a + at), p->scale);
	const vf margin_b = vf_mul(vf_load(jobs->margin_b + at), p->scale);
	/* Jobs of the block that are not finished here have no normal. */
	const vf3 n = vf3_select(vm_from_bits(lanes->live), found, vf3_up());
	const vf3 n_b = vf33_apply_transposed(&lanes->rotation, vf3_neg(n));
	const vf lack = vf_add(wp_shrink_lack(lanes, kind_a, lanes->half_a, &lanes->a, n, margin_a, share),
		wp_shrink_lack(lanes, kind_b, lanes->half_b, &lanes->b, n_b, margin_b, share));

	vf rounding = vf_add(vf_mul(vf_mul(vf_add(p->radius_a, p->radius_b), p->scale), vf_set(WP_SHRINK_ROUNDING)),
		vf_mul(vf_add(margin_a, margin_b), vf_set(WP_SHRINK_PLANE_ROUNDING)));
	if (kind_a == WP_CORE_HULL || kind_b == WP_CORE_HULL) {
		const vf lost = vf_div(vf_sub(vf_set(1.0f), share), share);
		const vf of_reach = vf_add(vf_set(WP_SHRINK_ROUNDING), vf_mul(lost, vf_set(WP_SHRINK_SUPPORT_ROUNDING)));
		const vf sides = vf_set(kind_a == kind_b ? 2.0f : 1.0f);
		rounding = vf_add(rounding, vf_mul(vf_mul(p->reach, p->scale), vf_mul(of_reach, sides)));
	}
	const vm beyond = vi_eq(state, vi_set(WP_JOB_BEYOND));
	answer->lower = vf_sub(answer->lower, vf_mul(vf_add(lack, rounding), unscale));
	answer->upper = vf_add(answer->upper, vf_mul(rounding, unscale));
	answer->separation = vf_select(beyond, answer->lower, answer->separation);

	const vm unproven = vm_andnot(beyond, vf_gt(answer->lower, vf_set(jobs->max_separation)));
	answer->state = vi_select(unproven, vi_set(WP_JOB_STRONG), answer->state);
	answer->status = wp_loose_bits(p, answer->separation, answer->lower, answer->upper, beyond);
}

#endif
