/* Brackets of a separation, in 3D and in 2D: how far apart is far enough, how much of a lower bound is sure, and the
 * status of a bracket. */
#ifndef WP_WIDE_JOB_BRACKET_H
#define WP_WIDE_JOB_BRACKET_H

#include "wide/job/terms.h"
#include "wide/lane/vec.h"

/* Cores further apart than this are proven to be as far apart as the query requests, after the bound has been lowered by all
 * rounding, including the rounding of the radii, relative to them. */
WP_INLINE vf wp_query_limit(
	uint32_t query, float max_separation, vf scale, vf radii, float kernel_rounding, float radius_rounding)
{
	const vf reach = query == WP_QUERY_CONTACT ? vf_mul(vf_set(max_separation), scale)
	               : query == WP_QUERY_OVERLAP ? vf_zero()
	                                           : vf_set(WP_INFINITY);
	const vf rounding = vf_add(vf_set(kernel_rounding), vf_mul(vf_set(3.0f * radius_rounding), radii));
	return vf_mul(vf_add(vf_add(radii, reach), rounding), vf_set(1.0f + 2.0f * WP_GAP_ROUNDING));
}

/* Cores nearer than this overlap, radii included, which is enough for all but a contact. */
WP_INLINE vf wp_query_enough(uint32_t query, vf radii, float kernel_rounding)
{
	return query == WP_QUERY_CONTACT ? vf_set(-1.0f) : vf_sub(radii, vf_set(kernel_rounding));
}

/* 1 / length of a vector that is unit to a few roundings, by its squared length: a step of Newton's. */
WP_INLINE vf wp_inverse_near_one(vf length2) { return vf_sub(vf_set(1.5f), vf_mul(vf_set(0.5f), length2)); }

/* A lower bound as far as it is to be believed: along a normal that rounding has made longer than 1 it is too high, and it
 * cannot be above the distance of two points. */
WP_INLINE vf wp_believe_lower(vf lower, vf normal2, vf upper)
{
	return vf_min(vf_min(lower, vf_mul(lower, wp_inverse_near_one(normal2))), upper);
}

WP_INLINE vi wp_state_of(vm apart, vm overlap)
{
	return vi_select(
		apart, vi_set(WP_JOB_SEPARATED), vi_select(overlap, vi_set(WP_JOB_PENETRATING), vi_set(WP_JOB_TOUCHING)));
}

/* The state that a bracket proves. */
WP_INLINE vi wp_state_bits(vf lower, vf upper) { return wp_state_of(vf_gt(lower, vf_zero()), vf_lt(upper, vf_zero())); }

/* Where two shapes that overlap share a point on the segment between the witness points of their cores: the middle of the
 * part that both radii cover, as a share of the way from A's to B's. */
WP_INLINE vf wp_common_share(vf gap, vf radius_a, vf radius_b)
{
	const vf from = vf_max(vf_sub(gap, radius_b), vf_zero()), to = vf_min(radius_a, gap);
	const vf middle = vf_mul(vf_set(0.5f), vf_add(from, to));
	const vm apart = vf_gt(gap, vf_zero());
	return vf_select(apart, vf_div(middle, vf_select(apart, gap, vf_set(1.0f))), vf_zero());
}

#endif
