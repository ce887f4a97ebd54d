/* Two circles in closed form. Their cores are the origins of their bodies, so all that there is between them is
 * the way from one to the other, in world axes; it takes no step of GJK, and no rounding but its own. */
#ifndef WP_WIDE_2D_CIRCLES_2D_H
#define WP_WIDE_2D_CIRCLES_2D_H

#include "wide/2d/manifold_2d.h"

/* Rounding of the offset's length besides the rounding of any gap, and of what is taken from it, relative to it: twice half
 * the spacing of floats. */
#define WP2D_CENTRES_ROUNDING 1.2e-7f

/* A row of what one pass leaves to the next, and two. */
WP_INLINE vf wp2d_load_row(const wp2d_jobs *jobs, uint32_t at, int row)
{
	return vf_load(jobs->circles + at + row * WP2D_JOB_MAX);
}
WP_INLINE vf2 wp2d_load_rows(const wp2d_jobs *jobs, uint32_t at, int row)
{
	return (vf2){wp2d_load_row(jobs, at, row), wp2d_load_row(jobs, at, row + 1)};
}
WP_INLINE void wp2d_store_row(wp2d_jobs *jobs, uint32_t at, int row, vf a)
{
	vf_store(jobs->circles + at + row * WP2D_JOB_MAX, a);
}
WP_INLINE void wp2d_store_rows(wp2d_jobs *jobs, uint32_t at, int row, vf2 a)
{
	wp2d_store_row(jobs, at, row, a.x);
	wp2d_store_row(jobs, at, row + 1, a.y);
}

/* ---- the first pass: the way from A to B ---------------------------------------------------------- */

/* The root and the quotient come last: all that waits for them is in the second pass. */
WP_INLINE void wp2d_place_circles(wp2d_jobs *jobs, uint32_t at)
{
	const wp2d_bodies in = wp2d_load_bodies(jobs, at);
	const vf radius_a = vf_load(jobs->radius[WP2D_SIDE_A] + at), radius_b = vf_load(jobs->radius[WP2D_SIDE_B] + at);
	const vf size = vf_max(vf_max(radius_a, radius_b), vf_max(vf_abs(in.offset.x), vf_abs(in.offset.y)));
	const vf scale = wp_scale_of(size);
	const vf2 offset = vf2_scale(in.offset, scale);
	const vm fit = vm_and(in.valid, wp_is_in_range(size));
	const vf apart = vf_select(fit, vf2_length(offset), vf_set(WP_NAN));
	wp2d_store_rows(jobs, at, WP2D_CIRCLE_ORIGIN, in.position_a);
	wp2d_store_rows(jobs, at, WP2D_CIRCLE_TURN_A, in.turn_a);
	wp2d_store_rows(jobs, at, WP2D_CIRCLE_TURN_B, in.turn_b);
	wp2d_store_rows(jobs, at, WP2D_CIRCLE_OFFSET, offset);
	wp2d_store_row(jobs, at, WP2D_CIRCLE_SCALE, scale);
	wp2d_store_row(jobs, at, WP2D_CIRCLE_APART, apart);
	wp2d_store_row(jobs, at, WP2D_CIRCLE_INVERSE, vf_div(vf_set(1.0f), vf_max(apart, vf_set(WP2D_FLAT_DEPTH))));
}

/* ---- the points of the second pass ---------------------------------------------------------------- */

/* The manifolds of a block that all have their contact as a point, to rows of the caller's, in the order of a
 * wp2d_manifold_point; stores overlap where that saves one. */
WP_INLINE void wp2d_put_points_of_circles(const wp2d_jobs *jobs, uint32_t at, const wp2d_result *r)
{
	const int number = sizeof(float);
	unsigned char *to[WP_WIDTH] = {jobs->point_rows + at * jobs->points_stride};
	for (int lane = 1; lane < WP_WIDTH; lane++)
		to[lane] = to[lane - 1] + jobs->points_stride;
	vf4_put(to, 0, (vf4){r->a.x, r->a.y, r->b.x, r->b.y});
	vf4_put(to, 4 * number, (vf4){r->local_a.x, r->local_a.y, r->local_b.x, r->local_b.y});
	vf4_put(to, 7 * number, (vf4){r->local_b.y, r->separation, vf_zero(), vf_zero()});
}

/* The local points of a block, some of whose lanes have a point or that requests them. Never inlined: most blocks that are apart
 * have none, and their constants need the registers. */
WP_NOINLINE void wp2d_add_points_of_circles(wp2d_jobs *jobs, uint32_t at, uint32_t points)
{
	const vf2 unturned = {vf_set(1.0f), vf_zero()}, origin = wp2d_load_rows(jobs, at, WP2D_CIRCLE_ORIGIN);
	const vf unscale = wp_inverse_scale(wp2d_load_row(jobs, at, WP2D_CIRCLE_SCALE));
	const vf2 turn_a = vf2_unit(wp2d_load_rows(jobs, at, WP2D_CIRCLE_TURN_A), unturned);
	const vf2 turn_b = vf2_unit(wp2d_load_rows(jobs, at, WP2D_CIRCLE_TURN_B), unturned);
	const vf2 a = vf2_scale(wp2d_load_rows(jobs, at, WP2D_CIRCLE_A), unscale),
			  b = wp2d_load_rows(jobs, at, WP2D_CIRCLE_B);
	const vf2 from_b = vf2_sub(b, wp2d_load_rows(jobs, at, WP2D_CIRCLE_OFFSET));
	wp2d_result result = {.a = vf2_add(origin, a),
		.b = vf2_add(origin, vf2_scale(b, unscale)),
		.separation = wp2d_load_row(jobs, at, WP2D_CIRCLE_SEPARATION),
		.local_a = vf2_turn_back(turn_a, a),
		.local_b = vf2_scale(vf2_turn_back(turn_b, from_b), unscale)};
	if (jobs->query == WP_QUERY_OVERLAP)
		result.local_b = vf2_zero();
	if (points == WP_ALL_LANES && jobs->point_rows != NULL && at + WP_WIDTH <= jobs->count) {
		wp2d_put_points_of_circles(jobs, at, &result);
		points = 0;
	}
	jobs->unwritten[at / 32] |= points << at % 32;
	if (points != 0 || jobs->wants_details)
		wp2d_store_local_points(jobs, at, &result);
}

/* ---- the second pass: answers --------------------------------------------------------------------- */

/* A block of circles after the first pass, in kernel units. */
typedef struct wp2d_centres {
	vf2 offset, n; /* from A to B */
	vf scale, apart, radius_a, radius_b, radii;
	vf separation, lower, upper;
	vf sharpen; /* what makes n unit to the last digit */
	vm open;    /* left to the strong path, which has the normal of circles about one centre */
} wp2d_centres;

/* The bracket, which stands whatever the numbers: with u = 2^-24, the gap g of the centres, the sum r of the radii, and e, the
 * sum of the larger radius and the separation's size, the bracket is at most 16 u g + 7 u r wide, and offset and
 * normal * g differ by 5 u g at most; both are less than the contract, 50 u e, as g <= 2 e and r <= 2 e. Where the bracket has
 * zero in it, g and r differ by half its width at most, so that offset and normal * r differ by 13 u g + 4 u r at most. */
WP_INLINE wp2d_centres wp2d_load_centres(const wp2d_jobs *jobs, uint32_t at)
{
	wp2d_centres c;
	c.offset = wp2d_load_rows(jobs, at, WP2D_CIRCLE_OFFSET);
	c.scale = wp2d_load_row(jobs, at, WP2D_CIRCLE_SCALE);
	c.apart = wp2d_load_row(jobs, at, WP2D_CIRCLE_APART);
	c.n = vf2_scale(c.offset, wp2d_load_row(jobs, at, WP2D_CIRCLE_INVERSE));
	c.radius_a = vf_mul(vf_load(jobs->radius[WP2D_SIDE_A] + at), c.scale);
	c.radius_b = vf_mul(vf_load(jobs->radius[WP2D_SIDE_B] + at), c.scale);
	c.radii = vf_add(c.radius_a, c.radius_b);
	c.sharpen = wp_inverse_near_one(vf2_dot(c.n, c.n));
	const vf rounding = vf_add(vf_mul(c.apart, vf_set(WP2D_CENTRES_ROUNDING)),
		vf_add(vf_mul(vf_set(WP2D_RADIUS_ROUNDING), c.radii), vf_mul(vf_set(WP_GAP_ROUNDING), c.apart)));
	c.separation = vf_sub(c.apart, c.radii);
	c.lower = vf_sub(vf_sub(vf_min(c.apart, vf_mul(c.apart, c.sharpen)), c.radii), rounding);
	c.upper = vf_add(c.separation, rounding);
	c.open = vf_not_gt(c.apart, vf_set(WP2D_FLAT_DEPTH));
	return c;
}

/* Write the answers, and the points if there are or may be any; of lanes of a contact that are not `beyond`. */
WP_INLINE void wp2d_store_centres(
	wp2d_jobs *jobs, uint32_t at, const wp2d_centres *c, vf2 a, vf2 b, vi status, bool is_contact, vm beyond)
{
	const vf unscale = wp_inverse_scale(c->scale);
	const vf2 origin = wp2d_load_rows(jobs, at, WP2D_CIRCLE_ORIGIN);
	wp2d_result r = {.separation = vf_mul(c->separation, unscale),
		.lower = vf_mul(c->lower, unscale),
		.upper = vf_mul(c->upper, unscale),
		.normal = vf2_scale(c->n, c->sharpen),
		.a = vf2_scale(a, unscale),
		.b = vf2_scale(b, unscale),
		.status = vi_select(c->open, vi_zero(), status)};
	if (jobs->has_float_points && (is_contact || jobs->query != WP_QUERY_OVERLAP)) {
		r.a = vf2_add(origin, r.a);
		r.b = vf2_add(origin, r.b);
	}
	wp2d_put_result(jobs, at, &r, vi_zero());
	vi_store(jobs->status + at, r.status);
	vi_store(jobs->iterations + at, vi_zero());
	jobs->open |= vm_bits(c->open);
	/* The manifold of circles is the contact, which is there already, or nothing. */
	uint32_t points = 0;
	if (is_contact && jobs->wants_manifolds) {
		const vm has_point = vm_andnot(vf_le(r.separation, vf_set(jobs->max_separation)), vm_or(beyond, c->open));
		vi_store(jobs->point_count + at, vi_select(has_point, vi_set(1), vi_zero()));
		points = vm_bits(has_point);
	}
	if (points == 0 && !jobs->wants_details)
		return;
	wp2d_store_rows(jobs, at, WP2D_CIRCLE_A, a);
	wp2d_store_rows(jobs, at, WP2D_CIRCLE_B, b);
	wp2d_store_row(jobs, at, WP2D_CIRCLE_SEPARATION, r.separation);
	wp2d_add_points_of_circles(jobs, at, points);
}

/* The contact: only the proof that a pair is beyond may fail. */
WP_INLINE void wp2d_touch_circles(wp2d_jobs *jobs, uint32_t at)
{
	wp2d_centres c = wp2d_load_centres(jobs, at);
	const vf reach = vf_mul(vf_set(jobs->max_separation), c.scale);
	const vf limit = wp_query_limit(
		WP_QUERY_CONTACT, jobs->max_separation, c.scale, c.radii, WP_KERNEL_ROUNDING, WP2D_RADIUS_ROUNDING);
	const vm beyond = vf_gt(c.apart, limit);
	const vi status = vi_or(
		wp_state_bits(c.lower, c.upper), vi_select(beyond, vi_set(WP_JOB_PROVEN_BEYOND), vi_zero()));
	const vf2 a = vf2_add(vf2_zero(), vf2_scale(c.n, c.radius_a)), b = vf2_sub(c.offset, vf2_scale(c.n, c.radius_b));
	c.separation = vf_select(beyond, c.lower, c.separation);
	c.open = vm_or(c.open, vm_andnot(beyond, vf_gt(c.lower, reach)));
	wp2d_store_centres(jobs, at, &c, a, b, status, true, beyond);
}

/* Overlap, which has no points, or distance, which has zeros and a common point where circles overlap. */
WP_INLINE void wp2d_part_circles(wp2d_jobs *jobs, uint32_t at)
{
	const vf zero = vf_zero();
	wp2d_centres c = wp2d_load_centres(jobs, at);
	const vm apart = vf_gt(c.lower, zero);
	vf2 a = vf2_zero(), b = vf2_zero();
	vi status = wp_state_bits(c.lower, c.upper);
	if (jobs->query == WP_QUERY_OVERLAP) {
		c.upper = vf_select(apart, vf_set(WP_INFINITY), c.upper);
		c.separation = vf_select(apart, c.lower, c.upper);
		c.n = vf2_select(apart, c.n, vf2_zero());
	} else {
		const vm overlap = vf_le(c.upper, zero);
		const vf2 common = vf2_add(a, vf2_scale(c.offset, wp_common_share(c.apart, c.radius_a, c.radius_b)));
		a = vf2_select(overlap, common, vf2_add(a, vf2_scale(c.n, c.radius_a)));
		b = vf2_select(overlap, common, vf2_sub(c.offset, vf2_scale(c.n, c.radius_b)));
		c.n = vf2_select(overlap, vf2_zero(), c.n);
		c.separation = vf_select(overlap, zero, vf_max(c.separation, zero));
		c.lower = vf_select(overlap, zero, vf_max(c.lower, zero));
		c.upper = vf_max(c.upper, zero);
		status = vi_select(overlap, vi_set(WP_JOB_PENETRATING), status);
	}
	wp2d_store_centres(jobs, at, &c, a, b, status, false, vm_false());
}

#endif
