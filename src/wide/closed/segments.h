/* A segment against a box or another segment, in closed form, one pair per lane.
 *
 * The squared distance of the point c + s u from a box is convex in s and made of parabolas, which meet where a coordinate passes
 * a face. Its slope rises, and is zero where a vertex of the box has its foot, or where the line passes an edge; for another
 * segment that is the case of two segments (Ericson 2005, sec. 5.1.9). What counts is not the point of least distance but the
 * normal of the features it lies on, and the support planes along it: where both bounds do not meet, as for cores that touch or
 * cross, the pair is left to GJK. */
#ifndef WP_WIDE_CLOSED_SEGMENTS_H
#define WP_WIDE_CLOSED_SEGMENTS_H

#include "wide/closed/boxes.h"
#include "wide/job/store.h"

/* Bounds that differ by more are left to GJK. */
#define WP_SEGMENT_BRACKET 2e-7f

/* Length along the segment by which a gap that is meant to stand upright on it may lean: rounding moves its
 * foot by no more. */
#define WP_SEGMENT_LEAN_MAX 1e-6f

/* Of the product of the normal and both directions, below which lines may have more than a point in common: rounding moves
 * their crossing by 1e-7 over that, half of WP_PATCH_APART. */
#define WP_SEGMENT_TURN_MIN 1e-2f

/* The same where the nearest points may be inside of both: rounding moves them by 1e-7 over its square, a third of
 * WP_PATCH_TOLERANCE. */
#define WP_SEGMENT_TURN_INSIDE 0.25f

/* Share of the normal along a segment from which on its end is nearest. */
#define WP_SEGMENT_RISE_MIN 1e-2f

/* Share of a segment's direction below which a coordinate of a box stays as it is along it, up to rounding; and half of the
 * stretch where it is within its faces then. */
#define WP_SEGMENT_FLAT 3e-8f
#define WP_SEGMENT_FAR 1e18f

/* A box in its own frame, and a segment of half length `reach` around `centre`. */
typedef struct wp_box_segment {
	vf half[3];
	vf centre[3], along[3]; /* unit */
	vf reach;
} wp_box_segment;

/* Where along its line each coordinate of a box is between its faces, and the square of the line's share in it. Half the slope of
 * the squared distance is the sum of how far the coordinates are outside, as lengths along the line, by these shares. */
typedef struct wp_segment_slabs {
	vf enter[3], leave[3], share[3];
} wp_segment_slabs;

WP_INLINE wp_segment_slabs wp_segment_slabs_of(const wp_box_segment *b)
{
	wp_segment_slabs k;
	for (int i = 0; i < 3; i++) {
		const vf lean = vf_abs(b->along[i]), back = vf_div(vf_set(-1.0f), lean);
		const vf half = vf_select(vf_lt(lean, vf_set(WP_SEGMENT_FLAT)), vf_set(WP_SEGMENT_FAR), b->half[i]);
		const vf centre = vf_flip_sign(b->centre[i], b->along[i]);
		k.enter[i] = vf_mul(vf_add(centre, half), back);
		k.leave[i] = vf_mul(vf_sub(centre, half), back);
		k.share[i] = vf_mul(b->along[i], b->along[i]);
	}
	return k;
}

WP_INLINE vf wp_segment_slope(const wp_segment_slabs *k, vf s)
{
	vf outside[3];
	for (int i = 0; i < 3; i++)
		outside[i] = vf_sub(s, vf_max(vf_min(s, k->leave[i]), k->enter[i]));
	return wp_box_dot(k->share, outside);
}

/* Places along a segment, the lower one first. */
typedef struct wp_segment_places {
	vf low, high;
} wp_segment_places;

/* Between which places on the segment the line's nearest feature is an edge, if it is one that the line passes by.
 *
 * No coordinate is beyond its slab before the first one leaves, none is short of it after the last one has entered: the slope is
 * zero between. There the line is beyond one slab and short of another, so it can pass no faces but the third coordinate's: it
 * passes the edge along that while it is within, before and after the edge's ends. Where the last one enters before the first one
 * leaves, it is within all between: then these are the places. */
WP_INLINE wp_segment_places wp_segment_beside(const vf enter[3], const vf leave[3], vf reach)
{
	const vf early = vf_min(leave[0], leave[1]), late = vf_max(enter[0], enter[1]);
	const vf first = vf_min(early, leave[2]), last = vf_max(late, enter[2]);
	const vf then = vf_max(early, vf_min(vf_max(leave[0], leave[1]), leave[2]));
	const vf before = vf_min(late, vf_max(vf_min(enter[0], enter[1]), enter[2]));
	return (wp_segment_places){wp_clamp(vf_max(before, first), reach), wp_clamp(vf_min(then, last), reach)};
}

/* Where the slope is zero, which is a line between two places, and rises by one before and after them; the middle of a stretch
 * that is level. */
WP_INLINE vf wp_segment_level(wp_segment_places at, vf slope_low, vf slope_high, vf reach)
{
	const vf zero = vf_zero(), rise = vf_sub(slope_high, slope_low);
	const vf part = vf_select(vf_gt(rise, zero), vf_div(vf_neg(slope_low), rise), vf_set(0.5f));
	const vf between = vf_add(at.low, vf_mul(vf_sub(at.high, at.low), part));
	const vf after = vf_select(vf_lt(slope_high, zero), vf_sub(at.high, slope_high), between);
	return wp_clamp(vf_select(vf_gt(slope_low, zero), vf_sub(at.low, slope_low), after), reach);
}

/* Where on the segment the distance from the box is least. */
WP_INLINE vf wp_segment_nearest(const wp_box_segment *b)
{
	const wp_segment_slabs k = wp_segment_slabs_of(b);
	const wp_segment_places at = wp_segment_beside(k.enter, k.leave, b->reach);
	return wp_segment_level(at, wp_segment_slope(&k, at.low), wp_segment_slope(&k, at.high), b->reach);
}

/* The same from a segment along Y. The two feet of its ends enclose the foot of its line where its inside is nearest; else the
 * foot of the nearest end is the nearer to that. `across` and `turn2` are of the centre and the direction, without Y. */
WP_INLINE vf wp_segment_foot(vf across, vf turn2, vf centre, vf along, vf half, vf reach)
{
	const vf middle = vf_neg(vf_add(across, vf_mul(centre, along))), half_shadow = vf_mul(half, vf_abs(along));
	const vf low = vf_sub(middle, half_shadow), high = vf_add(middle, half_shadow);
	const vf overlap = vf_mul(vf_add(vf_max(low, vf_neg(reach)), vf_min(high, reach)), vf_set(0.5f));
	const vm turns = vf_gt(turn2, vf_set(WP_SEGMENT_FLAT * WP_SEGMENT_FLAT));
	const vf foot = vf_select(turns, vf_div(vf_neg(across), turn2), overlap);
	return wp_clamp(vf_min(vf_max(foot, low), high), reach);
}

WP_INLINE vf wp_segment_nearest_segment(const wp_box_segment *b)
{
	const vf *const c = b->centre, *const u = b->along;
	const vf across = vf_add(vf_mul(c[0], u[0]), vf_mul(c[2], u[2]));
	const vf turn2 = vf_add(vf_mul(u[0], u[0]), vf_mul(u[2], u[2]));
	return wp_segment_foot(across, turn2, c[1], u[1], b->half[1], b->reach);
}

/* The point at s: of its position the part that lies outside the box, and the nearest point of the box. All that is across a
 * segment is gap. */
WP_INLINE void wp_segment_gap(const wp_box_segment *b, vf s, bool box_is_segment, vf gap[3], vf on_box[3])
{
	for (int i = 0; i < 3; i++) {
		const vf x = vf_add(b->centre[i], vf_mul(b->along[i], s));
		const bool across = box_is_segment && i != 1;
		on_box[i] = across ? vf_zero() : wp_clamp(x, b->half[i]);
		gap[i] = across ? x : vf_sub(x, on_box[i]);
	}
}

/* Normal of the features that are nearest to each other, from the box to the segment: along the gap, and
 * upright on the segment where its inside is nearest. Coordinates in which they overlap have no part in it. */
WP_INLINE vf3 wp_segment_normal(const wp_box_segment *b, vf s, bool box_is_segment, const vf gap[3])
{
	const vf zero = vf_zero();
	vf gapped[3];
	for (int i = 0; i < 3; i++) {
		const vm overlap = vm_andnot(vf_gt(b->half[i], zero), vf_gt(vf_abs(gap[i]), zero));
		const bool across = box_is_segment && i != 1;
		gapped[i] = across ? b->along[i] : vf_select(overlap, zero, b->along[i]);
	}
	const vf lean = wp_box_dot(gap, gapped), length2 = wp_box_dot(gapped, gapped);
	const vf most = vf_set(WP_SEGMENT_LEAN_MAX * WP_SEGMENT_LEAN_MAX);
	const vm upright = vm_and(vf_lt(vf_abs(s), b->reach), vf_lt(vf_mul(lean, lean), vf_mul(most, length2)));
	const vf part = vf_select(upright, vf_div(lean, vf_select(upright, length2, vf_set(1.0f))), zero);
	const vf3 n = vf3_set(vf_sub(gap[0], vf_mul(gapped[0], part)), vf_sub(gap[1], vf_mul(gapped[1], part)),
		vf_sub(gap[2], vf_mul(gapped[2], part)));
	return vf3_unit(n, vf3_zero());
}

/* Witness points of a box A and a segment B, and the normal, all in A's frame. */
WP_INLINE void wp_segment_of_b(const wp_boxes *b, bool a_is_segment, wp_solved *solved)
{
	wp_box_segment v = {.reach = b->half_b[1]};
	for (int i = 0; i < 3; i++) {
		v.half[i] = b->half_a[i];
		v.centre[i] = b->offset[i];
		v.along[i] = b->axis_b[1][i];
	}
	const vf s = a_is_segment ? wp_segment_nearest_segment(&v) : wp_segment_nearest(&v);
	vf gap[3], on_box[3];
	wp_segment_gap(&v, s, a_is_segment, gap, on_box);
	solved->n = wp_segment_normal(&v, s, a_is_segment, gap);
	const vf3 point_a = vf3_set(on_box[0], on_box[1], on_box[2]);
	solved->witness = wp_witness_of(point_a, vf3_add(point_a, vf3_set(gap[0], gap[1], gap[2])));
}

/* The same of a segment A and a box B, whose frame the distance is least in. */
WP_INLINE void wp_segment_of_a(const wp_boxes *b, wp_solved *solved)
{
	wp_box_segment v = {.reach = b->half_a[1]};
	for (int j = 0; j < 3; j++) {
		v.half[j] = b->half_b[j];
		v.centre[j] = vf_neg(wp_box_dot(b->offset, b->axis_b[j]));
		v.along[j] = b->axis_b[j][1];
	}
	const vf s = wp_segment_nearest(&v);
	vf gap[3], on_box[3];
	wp_segment_gap(&v, s, false, gap, on_box);
	const vf3 local = wp_segment_normal(&v, s, false, gap);
	const vf share[3] = {local.x, local.y, local.z};
	vf3 n = vf3_zero();
	for (int j = 0; j < 3; j++)
		n = vf3_sub(n, vf3_scale(wp_box_axis_b(b, j), share[j]));
	solved->n = n;
	solved->witness = wp_witness_of(vf3_set(vf_zero(), s, vf_zero()), wp_box_point_b(b, on_box));
}

/* How far a core reaches along a direction in its own frame. */
WP_INLINE vf wp_segment_extent(const vf half[3], const vf along[3], bool is_segment)
{
	return is_segment ? vf_mul(half[1], vf_abs(along[1])) : wp_box_extent(half, along);
}

/* Separation of the support planes along n: a lower bound of the cores' separation. */
WP_INLINE vf wp_segment_bound(const wp_boxes *b, vf3 n, bool a_is_segment, bool b_is_segment)
{
	const vf along[3] = {n.x, n.y, n.z};
	vf along_b[3];
	for (int j = 0; j < 3; j++)
		along_b[j] = wp_box_dot(along, b->axis_b[j]);
	return vf_sub(wp_box_dot(along, b->offset),
		vf_add(wp_segment_extent(b->half_a, along, a_is_segment), wp_segment_extent(b->half_b, along_b, b_is_segment)));
}

/* Solve one block of jobs of two segments, or of a box on one side and a segment on the other, where they are apart. Returns
 * the lanes that are done. */
WP_INLINE vm wp_segments_solve(const wp_jobs *jobs, const wp_prepared *prepared, const wp_boxes *b, bool has_box,
	bool b_is_segment, wp_solved *solved)
{
	const bool a_is_segment = !has_box || !b_is_segment;
	if (!has_box || b_is_segment)
		wp_segment_of_b(b, !has_box, solved);
	else
		wp_segment_of_a(b, solved);
	const vf3 between = solved->witness.between;
	solved->core_upper = vf3_length(between);
	solved->core_lower = wp_segment_bound(b, solved->n, a_is_segment, b_is_segment);
	const vf radii = wp_radii_of(prepared->scale, prepared->radius_a, prepared->radius_b);
	const vm beyond = vf_gt(solved->core_lower, wp_limit_of(jobs, prepared->terms, prepared->scale, radii));
	const vm met = vf_le(vf_sub(solved->core_upper, solved->core_lower), vf_set(WP_SEGMENT_BRACKET));
	const vm apart = vm_and(vf_gt(solved->core_lower, vf_set(WP_GJK_TOUCH)), met);
	solved->state = vi_select(beyond, vi_set(WP_JOB_BEYOND), vi_set(WP_JOB_GAP));
	return vm_or(beyond, apart);
}

/* ---- manifolds ---------------------------------------------------------------------------------- */

/* Of a segment, scaled: how far from its middle the nearest point is, and how long it is. */
typedef struct wp_met_segment {
	vf place, half;
} wp_met_segment;

/* What of a segment that point is on. */
WP_INLINE vi wp_feature_of_segment(wp_met_segment m, vf tolerance)
{
	const vf to_end = vf_abs(vf_sub(m.place, m.half)), to_start = vf_abs(vf_add(m.place, m.half));
	return wp_feature_of_ends(vf_le(to_end, tolerance), vf_le(to_start, tolerance));
}

/* Where a manifold of two segments has one point, the contact: its features, as wp_job_output has them. `along` is the direction of
 * B in A's frame.
 *
 * Seen along the normal the nearest points are one over the other. So are two lines that cross there, and no other places of
 * them. A sphere has no other point either, nor have segments that lean too much for a patch. Where the normal is upright on
 * both, neither point need be an end: where they are then depends on the turn between the segments, too. */
WP_INLINE wp_features wp_name_only_point(vf3 n, vf3 along, wp_met_segment a, wp_met_segment b, vf tolerance)
{
	const vf turn = vf_sub(vf_mul(n.x, along.z), vf_mul(n.z, along.x)), zero = vf_zero();
	const vf rise = vf_max(vf_abs(n.y), vf_abs(vf3_dot(n, along)));
	const vf least = vf_select(
		vf_lt(rise, vf_set(WP_SEGMENT_RISE_MIN)), vf_set(WP_SEGMENT_TURN_INSIDE), vf_set(WP_SEGMENT_TURN_MIN));
	const vf steep = vf_set(1.0f - WP_PATCH_SLOPE_MIN * WP_PATCH_SLOPE_MIN);
	const vm is_ball = vm_or(vf_le(a.half, zero), vf_le(b.half, zero));
	const vm is_face = vm_or(is_ball, vf_gt(vf_mul(rise, rise), steep));
	const vm is_known = vm_or(is_face, vf_ge(vf_abs(turn), least));
	const vi flip = vi_set((int32_t)WP_ONLY_POINT), face = vi_set(-1);
	const vi of_a = vi_select(is_face, face, wp_feature_of_segment(a, tolerance));
	const vi of_b = vi_select(is_face, face, wp_feature_of_segment(b, tolerance));
	return (wp_features){
		vi_select(is_known, vi_xor(of_a, flip), vi_zero()), vi_select(is_known, vi_xor(of_b, flip), vi_zero())};
}

/* Name the only points of a block of segments that has been solved. */
WP_INLINE wp_features wp_name_only_points(const wp_prepared *p, const wp_solved *s)
{
	const vf scale = p->scale, tolerance = vf_mul(vf_set(WP_PATCH_TOLERANCE), vf_mul(p->reach, scale));
	const vf3 along = vf33_axis(&p->rotation, 1), from_b = vf3_sub(s->witness.b, p->translation);
	const wp_met_segment a = {s->witness.a.y, vf_mul(p->half_a.y, scale)};
	const wp_met_segment b = {vf3_dot(from_b, along), vf_mul(p->half_b.y, scale)};
	return wp_name_only_point(s->n, along, a, b, tolerance);
}

#endif
