/* A point or a sphere against a cylinder, a cone or an ellipsoid, in closed form, one pair per lane, whichever of them is A.
 *
 * Seen from the shape there is one point, the sphere's centre, and a surface to which it is near. A cylinder and a cone are
 * round: in the half-plane through their axis and the point they are a quadrangle, and the point is nearest to one of its
 * sides or corners. The nearest point of an ellipsoid is the root of one equation, which Newton's steps approach from one
 * side. However a normal was found, its support plane bounds the separation from below. The point of the shape bounds a gap
 * from above; all sides of the quadrangle, or a ball inside the ellipsoid, bound a depth. If the two bounds do not meet, the
 * pair is left to GJK. */
#ifndef WP_WIDE_CLOSED_POINTS_H
#define WP_WIDE_CLOSED_POINTS_H

#include "wide/job/answer.h"
#include "wide/lane/quad3.h"
#include "wide/support/support.h"

/* Bounds of a separation that are no further apart than this, in kernel units, have met: four times where searches end, as far
 * as rounding may keep the two bounds of a depth apart. */
#define WP_POINT_BRACKET (4.0f * WP_SMOOTH_TOLERANCE)

/* Newton's steps to an ellipsoid. Measured: 3 to 4 on average; of points at features of ellipsoids whose semi-axes differ by a
 * factor of 560, one in 3000 takes more than 12. */
#define WP_POINT_STEP_MAX 16

/* How far above 1 the squared length of p may be for Newton's last step to take it to 1. After that, p is as far below 1 where
 * the point is so near to the plane across the shortest axis that the root is at the end of its range, or further. */
#define WP_POINT_LENGTH_SLACK 3e-7f

/* That end, relative to the square of the shortest semi-axis. */
#define WP_POINT_ROOT_MIN 1e-7f

/* Semi-axes so much longer, down to the smallest float, have inverses whose squares are floats. */
#define WP_POINT_SHORT_SCALE 0x1p100f

/* A point and a shape, in the frame of the shape, scaled. */
typedef struct wp_point_pair {
	vf3 half, point;
	vi form;
} wp_point_pair;

/* What is known of such a pair. */
typedef struct wp_point_near {
	vf3 n;     /* unit, from the shape to the point */
	vf3 at;    /* the nearest point of the shape's surface */
	vf3 gap;   /* the way from there to the point */
	vf reach;  /* how far the shape reaches along n */
	vf inside; /* where the point is inside, an upper bound of the separation; above 0 elsewhere */
} wp_point_near;

/* ---- cylinders and cones ------------------------------------------------------------------------ */

/* A vector of the half-plane through the axis: away from it, and along it. */
typedef struct wp_upright {
	vf out, up;
} wp_upright;

WP_INLINE vf wp_upright_dot(wp_upright a, wp_upright b) { return vf_add(vf_mul(a.out, b.out), vf_mul(a.up, b.up)); }

WP_INLINE wp_upright wp_upright_select(vm m, wp_upright a, wp_upright b)
{
	return (wp_upright){vf_select(m, a.out, b.out), vf_select(m, a.up, b.up)};
}

WP_INLINE wp_upright wp_upright_less(wp_upright a, wp_upright b)
{
	return (wp_upright){vf_sub(a.out, b.out), vf_sub(a.up, b.up)};
}

WP_INLINE wp_upright wp_upright_scale(wp_upright a, vf s) { return (wp_upright){vf_mul(a.out, s), vf_mul(a.up, s)}; }

/* A vector at length 1; `fallback` where it has no direction. */
WP_INLINE wp_upright wp_upright_unit(wp_upright a, wp_upright fallback)
{
	const vf length2 = wp_upright_dot(a, a), one = vf_set(1.0f);
	const vm usable = vf_gt(length2, vf_set(WP_DIRECTION_MIN_SQUARED));
	const vf inverse = vf_div(one, vf_sqrt(vf_select(usable, length2, one)));
	return wp_upright_select(usable, wp_upright_scale(a, inverse), fallback);
}

_Static_assert(WP_FORM_COUNT == 4, "smooth cores that are no ellipsoids are cylinders or cones");

/* A cylinder, or a cone, which is one whose top has no width. */
WP_INLINE wp_point_near wp_near_upright(const wp_point_pair *p)
{
	const vf zero = vf_zero(), one = vf_set(1.0f), base = p->half.x, half = p->half.y;
	const vf top = vf_select(vi_eq(p->form, vi_set(WP_FORM_CONE)), zero, base);
	const vf3 across = {p->point.x, zero, p->point.z}, away = vf3_unit(across, (vf3){one, zero, zero});
	const wp_upright point = {vf3_dot(across, away), p->point.y};
	const wp_upright low = {vf_sub(point.out, base), vf_add(point.up, half)};
	const wp_upright high = {vf_sub(point.out, top), vf_sub(point.up, half)};

	/* The slope from the rim of the base to the top's, and how high above it, above the top and below the base. */
	const wp_upright slope = wp_upright_unit(
		(wp_upright){vf_sub(top, base), vf_add(half, half)}, (wp_upright){zero, one});
	const wp_upright outward = {slope.up, vf_neg(slope.out)};
	const vf above_slope = wp_upright_dot(outward, wp_upright_select(vf_gt(point.up, zero), high, low));
	const vf above_top = high.up, below_base = vf_neg(low.up);
	const vf above_end = vf_max(above_top, below_base), above = vf_max(above_slope, above_end);
	const vm is_slope = vf_ge(above_slope, above_end);
	const wp_upright end = {zero, vf_select(vf_ge(above_top, below_base), one, vf_set(-1.0f))};
	const wp_upright facing = wp_upright_select(is_slope, outward, end);

	/* From outside, what projects into the slope from above is nearest to it, everything else to an end or its rim. */
	const vm is_past = vf_gt(wp_upright_dot(slope, low), zero), is_beyond = vf_ge(wp_upright_dot(slope, high), zero);
	const vm is_high = vm_or(is_beyond, vm_and(is_past, vf_gt(above_top, zero)));
	const vm is_beside = vm_and(vm_andnot(is_past, is_beyond), vf_gt(above_slope, zero));
	const wp_upright onto = wp_upright_scale(outward, above_slope), from = wp_upright_select(is_high, high, low);
	const wp_upright off_end = {vf_max(from.out, zero), from.up};
	const wp_upright on_end = {
		vf_min(point.out, vf_select(is_high, top, base)), vf_select(is_high, half, vf_neg(half))};
	const wp_upright off = wp_upright_select(is_beside, onto, off_end);
	const wp_upright on = wp_upright_select(is_beside, wp_upright_less(point, onto), on_end);

	/* Inside, the least depth counts. */
	const vm is_outside = vf_gt(above, zero);
	const wp_upright deep = wp_upright_scale(facing, above);
	const wp_upright gap = wp_upright_select(is_outside, off, deep);
	const wp_upright at = wp_upright_select(is_outside, on, wp_upright_less(point, deep));
	const wp_upright n = wp_upright_select(is_outside, wp_upright_unit(off, facing), facing);
	const vf out = vf_abs(n.out), rise = vf_mul(half, n.up);
	return (wp_point_near){.n = {vf_mul(away.x, n.out), n.up, vf_mul(away.z, n.out)},
		.at = {vf_mul(away.x, at.out), at.up, vf_mul(away.z, at.out)},
		.gap = {vf_mul(away.x, gap.out), gap.up, vf_mul(away.z, gap.out)},
		.reach = vf_max(vf_sub(vf_mul(base, out), rise), vf_add(vf_mul(top, out), rise)),
		.inside = above};
}

/* ---- ellipsoids --------------------------------------------------------------------------------- */

/* An ellipsoid of semi-axes a: x of its surface is nearest to c, or farthest or level, where c - x is some t times the normal
 * x / a^2, that is x = a p with p = a c / (a^2 + t), of length 1. The nearest has the largest t, which is at least
 * minus the square of the shortest semi-axis: above that by `root`. The squares of the others are larger by `more`. */
typedef struct wp_ellipsoid {
	vf3 half, pull; /* a, a c */
	vf least, least2;
	vf3 more;
	vf root_min;
} wp_ellipsoid;

WP_INLINE wp_ellipsoid wp_ellipsoid_of(const wp_point_pair *p)
{
	const vf3 half = p->half;
	const vf least = vf_min(vf_min(half.x, half.y), half.z), least2 = vf_mul(least, least);
	const vf3 all = {least, least, least};
	return (wp_ellipsoid){.half = half,
		.pull = vf3_times(half, p->point),
		.least = least,
		.least2 = least2,
		.more = vf3_times(vf3_sub(half, all), vf3_add(half, all)),
		.root_min = vf_mul(least2, vf_set(WP_POINT_ROOT_MIN))};
}

WP_INLINE vf3 wp_ellipsoid_offsets(const wp_ellipsoid *e, vf root) { return vf3_add(e->more, (vf3){root, root, root}); }

/* A step of Newton's. 1 / |p| is concave, so that steps from below the root stay there (More and Sorensen 1983, Computing a
 * Trust Region Step). Returns by how much the square of |p| was above 1. */
WP_INLINE vf wp_ellipsoid_step(const wp_ellipsoid *e, vf *root)
{
	const vf one = vf_set(1.0f);
	const vf3 offsets = wp_ellipsoid_offsets(e, *root), p = vf3_over(e->pull, offsets), p2 = vf3_times(p, p);
	const vf length2 = vf3_dot(p, p), fall = vf3_dot(p2, vf3_over((vf3){one, one, one}, offsets));
	const vf on = vf_div(vf_mul(length2, vf_sub(vf_sqrt(length2), one)), fall);
	*root = vf_max(vf_add(*root, on), e->root_min);
	return vf_sub(length2, one);
}

/* The root, from where one coordinate of p alone has length 1. The last step takes what is left to rounding. */
WP_INLINE vf wp_ellipsoid_root(const wp_ellipsoid *e, vm wanted)
{
	const vf3 pull = {vf_abs(e->pull.x), vf_abs(e->pull.y), vf_abs(e->pull.z)};
	vf root = vf_max(vf3_most(vf3_sub(pull, e->more)), e->root_min);
	vm goes_on = wanted;
	for (int step = 0; step < WP_POINT_STEP_MAX && vm_bits(goes_on) != 0; step++) {
		vf next = root;
		const vf excess = wp_ellipsoid_step(e, &next);
		root = vf_select(goes_on, next, root);
		goes_on = vm_and(goes_on, vf_gt(excess, vf_set(WP_POINT_LENGTH_SLACK)));
	}
	return root;
}

/* p at length 1. At the end of the root's range, what is missing is along the shortest axis, on either side. */
WP_INLINE vf3 wp_ellipsoid_place(const wp_ellipsoid *e, vf3 offsets)
{
	const vf3 p = vf3_over(e->pull, offsets);
	const vf length2 = vf3_dot(p, p), zero = vf_zero(), one = vf_set(1.0f);
	const vm is_x = vf_le(e->half.x, e->least), is_y = vm_andnot(vf_le(e->half.y, e->least), is_x);
	const vm is_z = vm_not(vm_or(is_x, is_y));
	const vf3 rest = {vf_select(is_x, zero, p.x), vf_select(is_y, zero, p.y), vf_select(is_z, zero, p.z)};
	const vf part = vf_sqrt(vf_max(vf_sub(one, vf3_dot(rest, rest)), zero));
	const vf3 filled = {vf_select(is_x, vf_with_sign(part, p.x), p.x), vf_select(is_y, vf_with_sign(part, p.y), p.y),
		vf_select(is_z, vf_with_sign(part, p.z), p.z)};
	const vm is_short = vf_lt(length2, vf_set(1.0f - 4.0f * WP_POINT_LENGTH_SLACK));
	return vf3_select(is_short, filled, vf3_scale(p, vf_div(one, vf_sqrt(length2))));
}

/* The normal at a place, p / a at length 1. Of an axis that is far shorter than others its square may be no float. */
WP_INLINE vf3 wp_ellipsoid_normal(vf3 half, vf3 place)
{
	const vf3 along = vf3_over(place, half), normal = vf3_unit(along, vf3_zero());
	const vm is_long = vf_not_gt(vf_set(WP_INFINITY), vf3_dot(along, along));
	if (!vm_any(is_long))
		return normal;
	return vf3_select(
		is_long, vf3_unit(vf3_over(place, vf3_scale(half, vf_set(WP_POINT_SHORT_SCALE))), vf3_zero()), normal);
}

/* A ball about c that the ellipsoid holds has, for each q from 0 to the square of the shortest semi-axis, a squared radius of
 * at least q (1 - sum of c^2 / (a^2 - q)): the dual of the least distance, which is as large at the root. Of flat ellipsoids the
 * end of the roots' range may have no inverse, where steps end; a negative share is no ball. */
WP_INLINE wp_point_near wp_near_ellipsoid(const wp_point_pair *p, vm wanted)
{
	const wp_ellipsoid e = wp_ellipsoid_of(p);
	const vf root = wp_ellipsoid_root(&e, wanted), zero = vf_zero();
	const vf3 offsets = wp_ellipsoid_offsets(&e, root), place = wp_ellipsoid_place(&e, offsets);
	const vf3 n = wp_ellipsoid_normal(e.half, place), at = vf3_times(e.half, place);
	const vf below = vf_sub(e.least2, root);
	const vf share = vf_sub(vf_set(1.0f), vf3_dot(p->point, vf3_over(p->point, offsets)));
	const vm is_held = vm_and(vf_gt(below, zero), vf_ge(share, zero));
	return (wp_point_near){.n = n,
		.at = at,
		.gap = vf3_sub(p->point, at),
		.reach = vf3_length(vf3_times(e.half, n)),
		.inside = vf_select(is_held, vf_neg(vf_sqrt(vf_mul(below, share))), vf_set(1.0f))};
}

/* ---- pairs -------------------------------------------------------------------------------------- */

WP_INLINE vm wp_is_nothing(vf3 half) { return vf_le(vf3_most(half), vf_zero()); }

/* Of pairs with a smooth core, the lanes of which one side is a point but for its radius. */
WP_INLINE uint32_t wp_points_among(const wp_prepared *p)
{
	return vm_bits(vm_or(wp_is_nothing(p->half_a), wp_is_nothing(p->half_b)));
}

/* The forms of the shapes of each lane's job. */
WP_INLINE vi wp_point_forms(const wp_core *const *core_a, const wp_core *const *core_b, uint32_t turned)
{
	const wp_core *shape[WP_WIDTH];
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		shape[lane] = turned >> lane & 1 ? core_b[lane] : core_a[lane];
	return wp_forms_of(shape);
}

/* The shape is A, or, where A is the point, B. */
WP_INLINE wp_point_pair wp_point_pair_of(
	const wp_core *const *core_a, const wp_core *const *core_b, const wp_prepared *p, vm turned)
{
	const vf3 back = vf3_neg(vf33_apply_transposed(&p->rotation, p->translation));
	return (wp_point_pair){.half = vf3_scale(vf3_select(turned, p->half_b, p->half_a), p->scale),
		.point = vf3_select(turned, back, p->translation),
		.form = wp_point_forms(core_a, core_b, vm_bits(turned))};
}

/* The same in A's frame. */
WP_INLINE void wp_point_turn(const wp_prepared *p, vm turned, const wp_point_near *near, wp_solved *solved)
{
	const vf3 n = vf3_neg(vf33_apply(&p->rotation, near->n));
	const vf3 b = vf3_add(p->translation, vf33_apply(&p->rotation, near->at));
	solved->n = vf3_select(turned, n, near->n);
	solved->witness.a = vf3_select(turned, vf3_zero(), near->at);
	solved->witness.b = vf3_select(turned, b, p->translation);
	solved->witness.between = vf3_select(turned, b, near->gap);
}

/* The state of a pair whose bounds meet, or that the support plane alone proves as far apart as the query requests. */
WP_INLINE vm wp_point_state(
	const wp_jobs *jobs, const wp_prepared *p, const wp_point_pair *pair, vf inside, wp_solved *s)
{
	const vf zero = vf_zero(), radii = wp_radii_of(p->scale, p->radius_a, p->radius_b);
	const vm is_inside = vf_le(inside, zero);
	s->core_upper = vf_select(is_inside, inside, vf3_length(s->witness.between));
	const vf separation = vf_select(is_inside, s->core_lower, s->core_upper);
	const vf unit = vf_add(vf_mul(p->reach, p->scale), vf_abs(vf_sub(separation, radii)));
	const vm met = vm_and(vf_le(vf_sub(s->core_upper, s->core_lower), vf_set(WP_POINT_BRACKET)),
		wp_points_meet(p->terms, s, separation, unit));

	/* What has no volume has no depth. */
	const vf3 half = pair->half;
	const vm has_volume = vm_and(vm_and(vf_gt(half.x, zero), vf_gt(half.y, zero)), vf_gt(half.z, zero));
	const vm is_known = vm_and(met, vm_or(has_volume, vf_gt(s->core_lower, vf_set(WP_GJK_TOUCH))));
	const vm beyond = vf_gt(s->core_lower, wp_limit_of(jobs, p->terms, p->scale, radii));
	const vm sure = vf_lt(vf_add(s->core_upper, wp_rounding_of(p, radii, separation)), zero);
	const vi deep = jobs->query == WP_QUERY_CONTACT ? vi_set(WP_JOB_DEPTH)
	                                                : vi_select(sure, vi_set(WP_JOB_INSIDE), vi_set(WP_JOB_GAP));
	s->state = vi_select(beyond, vi_set(WP_JOB_BEYOND), vi_select(is_inside, deep, vi_set(WP_JOB_GAP)));
	return vm_or(beyond, is_known);
}

/* A distance needs one common point of those that surely overlap: the sphere's centre. */
WP_INLINE void wp_point_share(vm turned, wp_solved *s)
{
	const vm common = vi_eq(s->state, vi_set(WP_JOB_INSIDE));
	s->witness.a = vf3_select(vm_andnot(common, turned), s->witness.b, s->witness.a);
	s->witness.between = vf3_select(common, vf3_zero(), s->witness.between);
}

/* Few blocks have a point, so that the rest of them keeps its registers; one lane has a point or has none. */
#if WP_ONE_LANE_QUADS
#define WP_POINTS_FORM WP_INLINE
#else
#define WP_POINTS_FORM WP_NOINLINE
#endif

/* Solve the pairs of these cores as far as they are `wanted`: a point against a smooth core. Returns the lanes that are
 * done. */
WP_POINTS_FORM uint32_t wp_points_solve(const wp_jobs *jobs, const wp_core *const *core_a, const wp_core *const *core_b,
	const wp_prepared *prepared, uint32_t wanted, wp_solved *solved)
{
	const vm turned = vm_andnot(wp_is_nothing(prepared->half_a), wp_is_nothing(prepared->half_b));
	const wp_point_pair pair = wp_point_pair_of(core_a, core_b, prepared, turned);
	const vm is_ellipsoid = vm_and(vi_eq(pair.form, vi_set(WP_FORM_ELLIPSOID)), vm_from_bits(wanted));
	const uint32_t ellipsoids = vm_bits(is_ellipsoid);
	wp_point_near near = {vf3_zero(), vf3_zero(), vf3_zero(), vf_zero(), vf_zero()};
	if (ellipsoids != wanted)
		near = wp_near_upright(&pair);
	if (ellipsoids != 0) {
		const wp_point_near other = wp_near_ellipsoid(&pair, is_ellipsoid);
		near.n = vf3_select(is_ellipsoid, other.n, near.n);
		near.at = vf3_select(is_ellipsoid, other.at, near.at);
		near.gap = vf3_select(is_ellipsoid, other.gap, near.gap);
		near.reach = vf_select(is_ellipsoid, other.reach, near.reach);
		near.inside = vf_select(is_ellipsoid, other.inside, near.inside);
	}
	wp_point_turn(prepared, turned, &near, solved);
	solved->core_lower = vf_sub(vf3_dot(solved->n, prepared->translation), near.reach);
	const vm known = wp_point_state(jobs, prepared, &pair, near.inside, solved);
	wp_point_share(turned, solved);
	return vm_bits(vm_andnot(known, vi_eq(pair.form, vi_set(WP_FORM_BOX)))) & wanted;
}

#endif
