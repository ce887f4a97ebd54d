/* A segment against a box or another segment in one lane: the same as in segments.h, with the same bits. Coordinates of a vector
 * are side by side in a quad, and so are places along the segment whose slopes are wanted. */
#ifndef WP_WIDE_CLOSED_SEGMENTS_ONE_H
#define WP_WIDE_CLOSED_SEGMENTS_ONE_H

#include "wide/closed/boxes_one.h"
#include "wide/closed/segments.h"

#if WP_ONE_LANE_QUADS

/* wp_box_segment */
typedef struct wp_one_segment {
	wp_quad half, centre, along;
	float reach;
} wp_one_segment;

/* wp_segment_slope at four places. */
WP_INLINE wp_quad wp_one_slopes(const wp_one_segment *b, wp_quad s, bool box_is_segment)
{
	wp_quad slope = wp_quad_zero();
	for (int i = 0; i < 3; i++) {
		const wp_quad along = wp_quad_spread(b->along, i);
		const wp_quad x = wp_quad_add(wp_quad_spread(b->centre, i), wp_quad_mul(along, s));
		const bool across = box_is_segment && i != 1;
		const wp_quad gap = across ? x : wp_quad_sub(x, wp_box_clamp(x, wp_quad_spread(b->half, i)));
		const wp_quad part = wp_quad_mul(gap, along);
		slope = i == 0 ? part : wp_quad_add(slope, part);
	}
	return slope;
}

/* The two places next to the least distance, of those that were looked at, and the slopes there. */
typedef struct wp_one_bracket {
	float low, high, slope_low, slope_high;
} wp_one_bracket;

WP_INLINE void wp_one_narrow(wp_one_bracket *k, float s, float slope)
{
	const bool falls = slope <= 0.0f;
	if (falls && s > k->low) {
		k->low = s;
		k->slope_low = slope;
	}
	if (!falls && s < k->high) {
		k->high = s;
		k->slope_high = slope;
	}
}

/* wp_segment_nearest */
WP_INLINE float wp_one_nearest(const wp_one_segment *b, bool box_is_segment)
{
	const wp_quad inverse = wp_quad_over(wp_quad_set(1.0f), b->along), reach = wp_quad_set(b->reach);
	const wp_quad above = wp_box_clamp(wp_quad_mul(wp_quad_sub(b->half, b->centre), inverse), reach);
	const wp_quad below = wp_box_clamp(wp_quad_mul(wp_quad_sub(wp_quad_neg(b->half), b->centre), inverse), reach);
	const wp_quad ends = wp_quad_zip(wp_quad_neg(reach), reach), first = wp_quad_zip(above, below);
	const wp_quad second = WP_QUAD_MIX(above, below, 2, 2, 2, 2);
	_Alignas(16) float s[8], slope[8];
	const wp_quad early = box_is_segment ? WP_QUAD_MIX(ends, first, 0, 1, 2, 3) : WP_QUAD_MIX(ends, first, 0, 1, 0, 1);
	wp_quad_store(s, early);
	wp_quad_store(slope, wp_one_slopes(b, early, box_is_segment));
	if (!box_is_segment) {
		const wp_quad late = WP_QUAD_MIX(first, second, 2, 3, 0, 2);
		wp_quad_store(s + 4, late);
		wp_quad_store(slope + 4, wp_one_slopes(b, late, false));
	}
	if (slope[0] > 0.0f)
		return s[0];
	if (slope[1] < 0.0f)
		return s[1];
	wp_one_bracket k = {s[0], s[1], slope[0], slope[1]};
	for (int i = 2; i < (box_is_segment ? 4 : 8); i++)
		wp_one_narrow(&k, s[i], slope[i]);
	const float rise = k.slope_high - k.slope_low;
	const float part = rise > 0.0f ? vf_min(vf_max(-k.slope_low / rise, 0.0f), 1.0f) : 0.5f;
	return k.low + (k.high - k.low) * part;
}

/* vf3_unit without another direction to fall back on. */
WP_INLINE wp_quad wp_one_unit(wp_quad v)
{
	const float length2 = wp_quad_dot(v, v);
	return length2 > WP_DIRECTION_MIN_SQUARED ? wp_quad_scale(v, 1.0f / wp_sqrt_float(length2)) : wp_quad_zero();
}

/* wp_segment_normal */
WP_INLINE wp_quad wp_one_normal(const wp_one_segment *b, float s, wp_quad gap)
{
	const wp_quad zero = wp_quad_zero();
	const wp_quad_mask is_flat = wp_quad_at_most(b->half, zero), is_apart = wp_quad_above(wp_quad_abs(gap), zero);
	const wp_quad gapped = wp_quad_select(is_flat, b->along, wp_quad_where(is_apart, b->along));
	const float lean = wp_quad_dot(gap, gapped), length2 = wp_quad_dot(gapped, gapped);
	const float most = WP_SEGMENT_LEAN_MAX * WP_SEGMENT_LEAN_MAX;
	const bool upright = wp_abs_float(s) < b->reach && lean * lean < most * length2;
	/* Also by nothing: zeros get their signs from that. */
	const float part = upright ? lean / length2 : 0.0f;
	return wp_one_unit(wp_quad_sub(gap, wp_quad_scale(gapped, part)));
}

/* wp_segment_of_b */
WP_INLINE void wp_one_segment_of_b(const wp_box_quads *b, bool a_is_segment, wp_one_solved *solved)
{
	const wp_one_segment v = {b->half_a, b->offset, b->axis_b[1], wp_quad_get(b->half_b, 1)};
	const float s = wp_one_nearest(&v, a_is_segment);
	const wp_quad x = wp_quad_add(v.centre, wp_quad_scale(v.along, s));
	solved->a = wp_box_clamp(x, v.half);
	const wp_quad gap = wp_quad_sub(x, solved->a);
	solved->b = wp_quad_add(solved->a, gap);
	solved->n = wp_one_normal(&v, s, gap);
}

/* wp_segment_of_a */
WP_INLINE void wp_one_segment_of_a(const wp_box_quads *b, wp_one_solved *solved)
{
	const wp_one_segment v = {
		b->half_b, wp_quad_neg(wp_quad_mixed(b->row, b->offset)), b->row[1], wp_quad_get(b->half_a, 1)};
	const float s = wp_one_nearest(&v, false);
	const wp_quad x = wp_quad_add(v.centre, wp_quad_scale(v.along, s)), on_box = wp_box_clamp(x, v.half);
	const wp_quad local = wp_one_normal(&v, s, wp_quad_sub(x, on_box));
	wp_quad n = wp_quad_zero();
	for (int j = 0; j < 3; j++)
		n = wp_quad_sub(n, wp_quad_mul(b->axis_b[j], wp_quad_spread(local, j)));
	solved->n = n;
	solved->a = wp_quad_of(0.0f, s, 0.0f, 0.0f);
	solved->b = wp_box_place_b(b, on_box);
}

WP_INLINE float wp_one_extent_a(const wp_box_quads *b, wp_quad n, bool is_segment)
{
	const wp_quad along = wp_quad_abs(n);
	return is_segment ? wp_quad_get(b->half_a, 1) * wp_quad_get(along, 1) : wp_quad_dot(b->half_a, along);
}

/* Of a segment's shares only one counts. */
WP_INLINE float wp_one_extent_b(const wp_box_quads *b, wp_quad n, bool is_segment)
{
	return is_segment ? wp_quad_get(b->half_b, 1) * wp_abs_float(wp_quad_dot(b->axis_b[1], n))
	                  : wp_quad_dot(b->half_b, wp_quad_abs(wp_quad_mixed(b->row, n)));
}

/* wp_segments_solve */
WP_INLINE bool wp_one_segments_solve(
	const wp_jobs *jobs, const wp_one_prepared *p, bool has_box, bool b_is_segment, wp_one_solved *solved)
{
	const bool a_is_segment = !has_box || !b_is_segment;
	const wp_box_quads b = wp_box_quads_of(p);
	if (!has_box || b_is_segment)
		wp_one_segment_of_b(&b, !has_box, solved);
	else
		wp_one_segment_of_a(&b, solved);
	solved->between = wp_quad_sub(solved->b, solved->a);
	solved->core_upper = wp_quad_length(solved->between);
	solved->core_lower = wp_quad_dot(solved->n, b.offset) -
	                     (wp_one_extent_a(&b, solved->n, a_is_segment) + wp_one_extent_b(&b, solved->n, b_is_segment));
	const float radii = wp_radii_of(p->scale, p->radius_a, p->radius_b);
	const bool beyond = solved->core_lower > wp_limit_of(jobs, p->terms, p->scale, radii);
	const bool met = solved->core_upper - solved->core_lower <= WP_SEGMENT_BRACKET;
	solved->state = beyond ? WP_JOB_BEYOND : WP_JOB_GAP;
	return beyond || (solved->core_lower > WP_GJK_TOUCH && met);
}

/* wp_name_only_points */
WP_INLINE void wp_one_name_only_point(wp_jobs *jobs, uint32_t job, const wp_one_prepared *p, const wp_one_solved *s)
{
	const wp_quad along = p->rotation.column[1], from_b = wp_quad_sub(s->b, p->translation);
	const wp_met_segment a = {wp_quad_get(s->a, 1), wp_quad_get(p->core_a, 1) * p->scale};
	const wp_met_segment b = {wp_quad_dot(from_b, along), wp_quad_get(p->core_b, 1) * p->scale};
	const float tolerance = WP_PATCH_TOLERANCE * (p->reach * p->scale);
	const wp_features of = wp_name_only_point(vf3_of_quad(s->n), vf3_of_quad(along), a, b, tolerance);
	float *const output = jobs->output + (size_t)WP_OUTPUT_COUNT * job;
	output[WP_OUTPUT_FEATURE_A] = vf_from_bits(of.a);
	output[WP_OUTPUT_FEATURE_B] = vf_from_bits(of.b);
}

#endif

#endif
