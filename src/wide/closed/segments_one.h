/* A segment against a box or another segment in one lane: the same as in segments.h, with the same bits. Coordinates of a vector
 * are side by side in a quad. */
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

/* wp_segment_nearest */
WP_INLINE float wp_one_nearest(const wp_one_segment *b)
{
	const wp_quad lean = wp_quad_abs(b->along), back = wp_quad_over(wp_quad_set(-1.0f), lean);
	const wp_quad_mask is_flat = wp_quad_above(wp_quad_set(WP_SEGMENT_FLAT), lean);
	const wp_quad half = wp_quad_select(is_flat, wp_quad_set(WP_SEGMENT_FAR), b->half);
	const wp_quad centre = wp_quad_flip_sign(b->centre, b->along), share = wp_quad_mul(b->along, b->along);
	const wp_quad enter = wp_quad_mul(wp_quad_add(centre, half), back);
	const wp_quad leave = wp_quad_mul(wp_quad_sub(centre, half), back);
	float enters[4], leaves[4], slope[2];
	wp_quad_store(enters, enter);
	wp_quad_store(leaves, leave);
	const wp_segment_places at = wp_segment_beside(enters, leaves, b->reach);
	for (int i = 0; i < 2; i++) {
		const wp_quad s = wp_quad_set(i == 0 ? at.low : at.high);
		slope[i] = wp_quad_dot(share, wp_quad_sub(s, wp_quad_max(wp_quad_min(s, leave), enter)));
	}
	/* Most are ends: a branch that is foreseen does not wait for quotients. An end at 0 has the sign that wp_clamp gives it. */
	if (slope[0] > 0.0f && at.low - slope[0] <= -b->reach)
		return vf_min(-b->reach, b->reach);
	if (slope[1] < 0.0f && at.high - slope[1] >= b->reach)
		return b->reach;
	return wp_segment_level(at, slope[0], slope[1], b->reach);
}

/* wp_segment_nearest_segment */
WP_INLINE float wp_one_nearest_segment(const wp_one_segment *b)
{
	const wp_quad across = wp_quad_mul(b->centre, b->along), square = wp_quad_mul(b->along, b->along);
	return wp_segment_foot(wp_quad_get(across, 0) + wp_quad_get(across, 2),
		wp_quad_get(square, 0) + wp_quad_get(square, 2), wp_quad_get(b->centre, 1), wp_quad_get(b->along, 1),
		wp_quad_get(b->half, 1), b->reach);
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
	const float s = a_is_segment ? wp_one_nearest_segment(&v) : wp_one_nearest(&v);
	const wp_quad x = wp_quad_add(v.centre, wp_quad_scale(v.along, s)), on_box = wp_box_clamp(x, v.half);
	solved->a = a_is_segment ? wp_quad_of(0.0f, wp_quad_get(on_box, 1), 0.0f, 0.0f) : on_box;
	const wp_quad gap = wp_quad_sub(x, solved->a);
	solved->b = wp_quad_add(solved->a, gap);
	solved->n = wp_one_normal(&v, s, gap);
}

/* wp_segment_of_a */
WP_INLINE void wp_one_segment_of_a(const wp_box_quads *b, wp_one_solved *solved)
{
	const wp_one_segment v = {
		b->half_b, wp_quad_neg(wp_quad_mixed(b->row, b->offset)), b->row[1], wp_quad_get(b->half_a, 1)};
	const float s = wp_one_nearest(&v);
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
