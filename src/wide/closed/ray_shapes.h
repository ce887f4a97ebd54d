/* Where rays end at shapes that formulas describe. The shape fills a span of the ray's time, or its hull by planes and a
 * cylinder does; where the ray enters it decides. */
#ifndef WP_WIDE_CLOSED_RAY_SHAPES_H
#define WP_WIDE_CLOSED_RAY_SHAPES_H

#include "wide/closed/ray.h"

/* Where a ray whose span is known ends, which may touch at a radius from a core: `to` is from the core's nearest point to where it
 * is looked at. */
WP_INLINE wp_ray_end wp_ray_at_radius(const wp_ray *r, wp_ray_span s, vdm missed, vd3 to)
{
	wp_ray_end end = wp_ray_missed(r, missed, to);
	const vdm comes = vdm_andnot(vd_ge(s.enters, vd_zero()), missed);
	wp_ray_touch(&end, vdm_and(comes, wp_ray_is_there(to, r->radius)), s.enters);
	return end;
}

/* What rays meet: both halves of a block find it before either ends. */
typedef struct wp_ray_meets {
	wp_ray_span inside;    /* the shape; of segments and cylinders the round side, as if it had no ends */
	wp_ray_span high, low; /* segment: the balls at its ends */
	vd height, rise;       /* segment: of the start and the way along its axis */
	wp_ray_span between;   /* cylinder, cone: the slab between its ends */
	vd3 from, way;         /* ellipsoid: the ray where its axes are 1, at the time `shift` */
	vd shift;              /* cone, ellipsoid: the time that spans are seen from */
	vd slope, depth;       /* cone: radius over depth; how far below the apex the ray is at the time `shift` */
	vdm is_known;          /* cone: the span is */
	vdm after_x, by_z;     /* box: entered through Y after X, and last through Z */
} wp_ray_meets;

/* Ball: no direction is like another. */
WP_INLINE void wp_ray_meet_ball(const wp_ray *r, wp_ray_meets *meets)
{
	meets->inside = wp_ray_span_ball(r->radius, r->from, r->way);
}

WP_INLINE wp_ray_end wp_ray_at_ball(const wp_ray *r, const wp_ray_meets *meets)
{
	const wp_ray_span s = meets->inside;
	const vdm missed = wp_ray_span_missed(s);
	return wp_ray_at_radius(r, s, missed, wp_ray_at(r, wp_ray_time(missed, s.enters)));
}

/* Segment along its axis: within the cylinder about the line of the segment the ray comes to the segment or to the ball at the
 * end beside which it entered. Both balls are met, so that none waits for the cylinder. */
WP_INLINE void wp_ray_meet_segment(const wp_ray *r, wp_ray_meets *meets)
{
	const vd3 axis = r->axes.y, to_end = vd3_scale(axis, r->half.y);
	meets->height = vd3_dot(axis, r->from);
	meets->rise = vd3_dot(axis, r->way);
	const vd3 across = vd3_sub(r->from, vd3_scale(axis, meets->height));
	const vd3 drift = vd3_sub(r->way, vd3_scale(axis, meets->rise));
	meets->inside = wp_ray_span_ball(r->radius, across, drift);
	meets->high = wp_ray_span_ball(r->radius, vd3_sub(r->from, to_end), r->way);
	meets->low = wp_ray_span_ball(r->radius, vd3_add(r->from, to_end), r->way);
}

WP_INLINE wp_ray_end wp_ray_at_segment(const wp_ray *r, const wp_ray_meets *meets)
{
	const vd3 axis = r->axes.y;
	const vd half = r->half.y;
	const wp_ray_span round = meets->inside, high = meets->high, low = meets->low;
	const vd y = vd_add(meets->height, vd_mul(meets->rise, vd_max(round.enters, vd_zero())));
	const vdm beside = vd_gt(vd_abs(y), half);

	/* What misses the cylinder misses the ball too. */
	const vdm to_ball = vdm_andnot(beside, wp_ray_span_missed(round)), is_high = vd_gt(y, vd_zero());
	const wp_ray_span ball = {vd_select(is_high, high.enters, low.enters), vd_select(is_high, high.leaves, low.leaves)};
	const wp_ray_span s = {
		vd_select(to_ball, ball.enters, round.enters), vd_select(to_ball, ball.leaves, round.leaves)};
	const vdm missed = wp_ray_span_missed(s);
	const vd3 p = wp_ray_at(r, wp_ray_time(missed, s.enters));
	return wp_ray_at_radius(r, s, missed, vd3_sub(p, vd3_scale(axis, wp_within(vd3_dot(axis, p), half))));
}

/* The way across the axis Y. */
WP_INLINE vd3 wp_across_y(vd3 v) { return vd3_set(v.x, vd_zero(), v.z); }

/* Box: within the box that the radius makes larger. Where the ray enters through one of the faces as they were, it touches
 * there; beside them edges and corners are round, and it is clear yet. */
WP_INLINE void wp_ray_meet_box(const wp_ray *r, wp_ray_meets *meets)
{
	const wp_ray_span x = wp_ray_span_slab(vd_add(r->half.x, r->radius), r->from.x, r->way.x);
	const wp_ray_span y = wp_ray_span_slab(vd_add(r->half.y, r->radius), r->from.y, r->way.y);
	const wp_ray_span z = wp_ray_span_slab(vd_add(r->half.z, r->radius), r->from.z, r->way.z);
	wp_ray_span s = wp_ray_span_always();
	wp_ray_span_both(&s, x);
	meets->after_x = wp_ray_span_both(&s, y);
	meets->by_z = wp_ray_span_both(&s, z);
	meets->inside = s;
}

WP_INLINE wp_ray_end wp_ray_at_box(const wp_ray *r, const wp_ray_meets *meets)
{
	const vd zero = vd_zero();
	const wp_ray_span s = meets->inside;
	const vdm after_x = meets->after_x, by_z = meets->by_z;
	const vdm by_y = vdm_andnot(after_x, by_z), by_x = vdm_not(vdm_or(by_y, by_z));
	const vdm missed = wp_ray_span_missed(s);
	const vd3 out = wp_out_of_box(wp_ray_at(r, wp_ray_time(missed, s.enters)), r->half);
	wp_ray_end end = wp_ray_missed(r, missed, out);

	const vd3 along = {vd_except(by_x, out.x), vd_except(by_y, out.y), vd_except(by_z, out.z)};
	const vdm is_face = vdm_or(vd_le(r->radius, zero), vd_le(vd3_dot(along, along), zero));
	const vdm comes = vdm_andnot(vd_ge(s.enters, zero), missed);
	const vd3 normal = {vd_where(by_x, wp_slab_side(r->way.x)), vd_where(by_y, wp_slab_side(r->way.y)),
		vd_where(by_z, wp_slab_side(r->way.z))};
	wp_ray_hit(&end, vdm_and(comes, is_face), s.enters, normal);
	wp_ray_free(&end, vdm_andnot(comes, is_face), s.enters);
	return end;
}

/* How far a point is out of a cylinder. */
WP_INLINE vd3 wp_out_of_cylinder(vd3 p, vd radius, vd half)
{
	const vd across = vd_sqrt(vd_add(vd_mul(p.x, p.x), vd_mul(p.z, p.z)));
	const vd share = vd_where(vd_gt(across, radius), vd_div(vd_sub(across, radius), across));
	return vd3_set(vd_mul(p.x, share), wp_beyond(p.y, half), vd_mul(p.z, share));
}

/* Cylinder along Y: as with boxes, its rims are round where there is a radius. */
WP_INLINE void wp_ray_meet_cylinder(const wp_ray *r, wp_ray_meets *meets)
{
	meets->between = wp_ray_span_slab(vd_add(r->half.y, r->radius), r->from.y, r->way.y);
	const wp_ray_span round = wp_ray_span_ball(vd_add(r->half.x, r->radius), wp_across_y(r->from), wp_across_y(r->way));
	meets->inside = wp_ray_span_where(vd_le(round.enters, round.leaves), round);
}

WP_INLINE wp_ray_end wp_ray_at_cylinder(const wp_ray *r, const wp_ray_meets *meets)
{
	const vd own = r->half.x, half = r->half.y, wide = vd_add(own, r->radius), zero = vd_zero();
	wp_ray_span s = wp_ray_span_always();
	wp_ray_span_both(&s, meets->between);
	const vdm by_side = wp_ray_span_both(&s, meets->inside);
	const vdm missed = wp_ray_span_missed(s);
	const vd3 p = wp_ray_at(r, wp_ray_time(missed, s.enters)), radial = wp_across_y(p);
	wp_ray_end end = wp_ray_missed(r, missed, wp_out_of_cylinder(p, own, half));

	const vdm off_side = vdm_and(by_side, vd_gt(vd_abs(p.y), half));
	const vdm off_end = vdm_andnot(vd_gt(vd3_length(radial), own), by_side);
	const vdm at_rim = vdm_and(vd_gt(r->radius, zero), vdm_or(off_side, off_end));
	const vdm comes = vdm_andnot(vdm_and(vd_ge(s.enters, zero), vd_gt(own, zero)), missed);
	const vdm there = vdm_or(vdm_not(by_side), wp_ray_is_there(radial, wide));
	const vd3 normal = vd3_select(by_side, vd3_unit(radial), vd3_set(zero, wp_slab_side(r->way.y), zero));
	wp_ray_hit(&end, vdm_and(vdm_andnot(comes, at_rim), there), s.enters, normal);
	wp_ray_free(&end, vdm_and(comes, at_rim), s.enters);
	return end;
}

/* What the gap may be larger by where a ray misses: that is not known; and where it hits, nothing. */
WP_INLINE vd wp_ray_any_more(const wp_ray_end *end) { return vd_except(end->hits, vd_set((double)WP_INFINITY)); }

/* A span whose times are seen from another: an empty one stays empty, also where rounding leaves one time of both. */
WP_INLINE wp_ray_span wp_ray_span_shifted(wp_ray_span s, vd shift)
{
	const wp_ray_span shifted = {vd_add(s.enters, shift), vd_add(s.leaves, shift)};
	return wp_ray_span_where(vd_le(s.enters, s.leaves), shifted);
}

/* Ellipsoid: a ball once its axes are scaled to 1. Nearest points have no closed form, tangent planes do. Where the ellipsoid is
 * flat, rounding of the place along its short axis would hide the others: the ray is seen from where its fastest coordinate is
 * 0. */
WP_INLINE void wp_ray_meet_ellipsoid(const wp_ray *r, wp_ray_meets *meets)
{
	const vd3 half = r->half;
	meets->from = (vd3){vd_div(r->from.x, half.x), vd_div(r->from.y, half.y), vd_div(r->from.z, half.z)};
	meets->way = (vd3){vd_div(r->way.x, half.x), vd_div(r->way.y, half.y), vd_div(r->way.z, half.z)};
	const vd x = vd_abs(meets->way.x), y = vd_abs(meets->way.y), z = vd_abs(meets->way.z);
	const vdm by_x = vdm_and(vd_ge(x, y), vd_ge(x, z)), by_y = vdm_andnot(vd_ge(y, z), by_x);
	const vdm by_z = vdm_not(vdm_or(by_x, by_y));
	const vd fastest = vd_select(by_x, meets->way.x, vd_select(by_y, meets->way.y, meets->way.z));
	const vd place = vd_select(by_x, meets->from.x, vd_select(by_y, meets->from.y, meets->from.z));
	meets->shift = vd_except(vd_is_zero(fastest), vd_div(vd_neg(place), fastest));
	const vd3 there = vd3_add(meets->from, vd3_scale(meets->way, meets->shift));
	meets->from = (vd3){vd_except(by_x, there.x), vd_except(by_y, there.y), vd_except(by_z, there.z)};
	meets->inside = wp_ray_span_ball(vd_set(1.0), meets->from, meets->way);
}

WP_INLINE wp_ray_end wp_ray_at_ellipsoid(const wp_ray *r, const wp_ray_meets *meets, vd *more)
{
	const vd3 half = r->half;
	const wp_ray_span s = wp_ray_span_shifted(meets->inside, meets->shift);
	const vdm missed = wp_ray_span_missed(s);
	const vd time = wp_ray_time(missed, s.enters);
	const vd since = vd_select(missed, vd_sub(time, meets->shift), meets->inside.enters);
	const vd3 p = vd3_add(meets->from, vd3_scale(meets->way, since));
	const vd3 normal = vd3_unit(vd3_set(vd_div(p.x, half.x), vd_div(p.y, half.y), vd_div(p.z, half.z)));
	const vd reach = vd3_length(vd3_set(vd_mul(half.x, normal.x), vd_mul(half.y, normal.y), vd_mul(half.z, normal.z)));
	wp_ray_end end = wp_ray_above(r, missed, vd_sub(vd3_dot(normal, wp_ray_at(r, time)), reach), normal);
	const vdm comes = vdm_andnot(vd_ge(s.enters, vd_zero()), missed);
	wp_ray_hit(&end, vdm_and(comes, wp_ray_is_there(p, vd_set(1.0))), s.enters, normal);
	*more = wp_ray_any_more(&end);
	return end;
}

/* The times at which a ray is inside the cone below its apex, without a base: of the two cones that meet at the apex, as the
 * quadratic has them, the lower one. `o`: from the apex, downwards along the axis, to the ray at the time that spans are seen from;
 * `d`: its way alike; `slope2`: square of radius over depth; `a`: of the quadratic. */
WP_INLINE wp_ray_span wp_ray_span_cone(vd slope2, vd3 o, vd3 d, vd a)
{
	const vd zero = vd_zero();
	const vd b = vd_sub(vd_add(vd_mul(o.x, d.x), vd_mul(o.z, d.z)), vd_mul(vd_mul(slope2, o.y), d.y));
	const vd k = vd_sub(vd_add(vd_mul(o.x, o.x), vd_mul(o.z, o.z)), vd_mul(vd_mul(slope2, o.y), o.y));
	const vd root2 = vd_sub(vd_mul(b, b), vd_mul(a, k));

	/* The root that adds, then the other by their product. */
	const vd root = vd_sqrt(root2), sum = vd_select(vd_gt(b, zero), vd_sub(vd_neg(b), root), vd_sub(root, b));
	const vd first = vd_div(sum, a), second = vd_select(vd_is_zero(sum), first, vd_div(k, sum));
	const vdm in_order = vd_lt(first, second);
	const vd low = vd_select(in_order, first, second), high = vd_select(in_order, second, first);
	const vdm is_steep = vd_lt(a, zero), goes_down = vd_gt(d.y, zero);
	const wp_ray_span always = wp_ray_span_always();
	const vd middle = vd_add(o.y, vd_mul(vd_mul(d.y, vd_set(0.5)), vd_add(first, second)));
	const wp_ray_span steep = {vd_select(goes_down, high, always.enters), vd_select(goes_down, always.leaves, low)};
	const wp_ray_span flat = wp_ray_span_where(vd_gt(middle, zero), (wp_ray_span){low, high});
	const wp_ray_span found = {
		vd_select(is_steep, steep.enters, flat.enters), vd_select(is_steep, steep.leaves, flat.leaves)};
	return wp_ray_span_where(vd_ge(root2, zero), found);
}

/* Cone along Y, its apex up. A ray that is steeper than the slope is seen from where it is as high as the apex: where the cone is
 * flat, rounding of heights would hide the rest. Others are seen from where they are nearest to its axis: elsewhere differences of
 * squares would lose it, the more so the thinner it is. */
WP_INLINE void wp_ray_meet_cone(const wp_ray *r, wp_ray_meets *meets)
{
	const vd zero = vd_zero(), half = r->half.y;
	const vd slope_of = vd_div(r->half.x, vd_mul(vd_set(2.0), half)), slope2 = vd_mul(slope_of, slope_of);
	const vd3 d = {r->way.x, vd_neg(r->way.y), r->way.z};
	const vd across2 = vd_add(vd_mul(d.x, d.x), vd_mul(d.z, d.z));
	const vd a = vd_sub(across2, vd_mul(vd_mul(slope2, d.y), d.y));
	const vdm is_steep = vd_lt(a, zero);
	const vd nearer = vd_neg(vd_add(vd_mul(r->from.x, d.x), vd_mul(r->from.z, d.z)));
	const vd rise = vd_select(is_steep, vd_sub(half, r->from.y), nearer), run = vd_select(is_steep, r->way.y, across2);
	meets->shift = vd_div(rise, run);
	const vd3 from = wp_ray_at(r, meets->shift);
	const vd y = vd_select(is_steep, half, from.y);
	meets->slope = vd_sqrt(slope2);
	meets->is_known = vdm_or(is_steep, vd_gt(a, zero));
	meets->depth = vd_sub(half, y);
	meets->inside = wp_ray_span_cone(slope2, (vd3){from.x, meets->depth, from.z}, d, a);
	meets->between = wp_ray_span_slab(half, y, r->way.y);
}

WP_INLINE wp_ray_end wp_ray_at_cone(const wp_ray *r, const wp_ray_meets *meets, vd *more)
{
	const vd half = r->half.y, zero = vd_zero(), slope = meets->slope;
	wp_ray_span seen = meets->inside;
	const vdm is_known = meets->is_known;
	const vdm by_base = wp_ray_span_both(&seen, meets->between);
	const wp_ray_span s = wp_ray_span_shifted(seen, meets->shift);
	const vdm missed = wp_ray_span_missed(s);
	const vd3 p = wp_ray_at(r, wp_ray_time(missed, s.enters));
	const vd across = vd_sqrt(vd_add(vd_mul(p.x, p.x), vd_mul(p.z, p.z)));

	/* The plane that touches the slope on the side of the point. */
	const vd3 up = {zero, vd_set(1.0), zero}, base = {zero, vd_set(-1.0), zero};
	const vd3 tilted = vd3_unit(vd3_set(vd_div(p.x, across), slope, vd_div(p.z, across)));
	const vd3 side = vd3_select(vd_gt(across, zero), tilted, up);
	const vd x = vd_mul(r->half.x, side.x), y = vd_mul(half, side.y), z = vd_mul(r->half.z, side.z);
	const vd below_rim = vd_sub(vd_sqrt(vd_add(vd_mul(x, x), vd_mul(z, z))), y);
	const vd above = vd_sub(vd3_dot(side, p), vd_select(vd_gt(y, below_rim), y, below_rim));
	const vd below = vd_sub(vd_neg(half), p.y);
	const vdm is_above = vd_gt(above, below);
	wp_ray_end end = wp_ray_above(
		r, vdm_and(is_known, missed), vd_select(is_above, above, below), vd3_select(is_above, side, base));
	const vdm comes = vdm_andnot(vdm_and(is_known, vd_ge(s.enters, zero)), missed);
	const vdm from_below = vdm_and(by_base, vd_gt(r->way.y, zero));
	const vd off = vd_sub(across, vd_mul(slope, vd_sub(meets->depth, vd_mul(r->way.y, seen.enters))));
	const vdm on_slope = vd_le(vd_abs(off), vd_mul(vd_set(WP_RAY_SLOPE_GAP), r->half.x));
	wp_ray_hit(&end, vdm_and(comes, vdm_or(from_below, on_slope)), s.enters, vd3_select(from_below, base, side));
	*more = wp_ray_any_more(&end);
	return end;
}

/* Half-space: the ball is above its surface until it comes down to it. */
WP_INLINE wp_ray_end wp_ray_at_half_space(const wp_ray *r)
{
	const vd3 up = r->axes.y;
	const vd zero = vd_zero(), rise = vd3_dot(up, r->way), height = vd_sub(vd3_dot(up, r->from), r->radius);
	const vd last = vd_add(height, rise);
	const vdm is_free = vd_gt(height, zero), misses = vdm_and(is_free, vd_gt(last, zero));
	wp_ray_end end = {.hits = vdm_false(),
		.misses = misses,
		.beyond = vdm_false(),
		.time = vd_where(misses, vd_set(1.0)),
		.gap = last,
		.normal = up};
	wp_ray_touch(&end, vdm_andnot(is_free, misses), vd_div(height, vd_neg(rise)));
	return end;
}

#endif
