/* From where 2D GJK and EPA left a block to its answers: witness points, radii, world axes and
 * lengths, bracket and status; and the check that decides whether an answer stands or goes to the strong
 * path. */
#ifndef WP_WIDE_2D_ANSWER_2D_H
#define WP_WIDE_2D_ANSWER_2D_H

#include "wide/2d/epa_2d.h"

/* What is known of the cores of a block, in A's frame, scaled. */
typedef struct wp2d_solved {
	wp2d_vertex v[3];
	vi size;                   /* of the feature: 1 to 3 vertices */
	vf2 n;                     /* unit, from A to B */
	vi top;                    /* vertex of the difference farthest along n */
	vf core_lower, core_upper; /* bracket of the cores' separation */
	vm beyond;                 /* proven further apart than the limit */
	vm inside;                 /* the cores have a point in common */
	vm depth;                  /* the bracket is EPA's */
	vm failed;                 /* left to the strong path whatever the bracket */
	vi steps;
	vf2 a, b;    /* witness points of the cores */
	vf2 between; /* from a to b, which far from the origin is known better than their difference */
} wp2d_solved;

/* Points in A's frame, scaled; bounds scaled. */
typedef struct wp2d_answer {
	vf separation, lower, upper;
	vf2 n, a, b;
	vi status; /* wp_status bits; 0 where the answer does not stand */
} wp2d_answer;

/* Weights of the feature's vertices in its point nearest to the origin; of a triangle, in the origin. */
WP_INLINE void wp2d_weights(const wp2d_solved *s, vf weight[3])
{
	const vf zero = vf_zero(), one = vf_set(1.0f);
	const vf2 p = s->v[0].w, q = s->v[1].w, r = s->v[2].w, e = vf2_sub(q, p);
	const vf length2 = vf2_dot(e, e), along = vf_neg(vf2_dot(p, e));
	const vm has_length = vm_and(vi_gt(s->size, vi_set(1)), vf_gt(length2, zero));
	const vf share = vf_div(along, vf_select(has_length, length2, one));
	const vf second = vf_select(has_length, vf_min(vf_max(share, zero), one), zero);

	const vf area_p = vf_abs(wp2d_area_to(q, r)), area_q = vf_abs(wp2d_area_to(r, p));
	const vf area_r = vf_abs(wp2d_area_to(p, q)), area = vf_add(vf_add(area_p, area_q), area_r);
	const vm whole = vm_and(vi_gt(s->size, vi_set(2)), vf_gt(area, zero));
	const vf inverse = vf_div(one, vf_select(whole, area, one));
	weight[0] = vf_select(whole, vf_mul(area_p, inverse), vf_sub(one, second));
	weight[1] = vf_select(whole, vf_mul(area_q, inverse), second);
	weight[2] = vf_select(whole, vf_mul(area_r, inverse), zero);
}

WP_INLINE void wp2d_find_witnesses(const wp2d_block *b, wp2d_solved *s)
{
	vf weight[3];
	wp2d_weights(s, weight);
	s->a = vf2_scale(wp2d_point_a(b, s->v[0].id), weight[0]);
	s->b = vf2_scale(wp2d_point_b(b, s->v[0].id), weight[0]);
	s->between = vf2_scale(vf2_neg(s->v[0].w), weight[0]);
	for (int i = 1; i < 3; i++) {
		s->a = vf2_add(s->a, vf2_scale(wp2d_point_a(b, s->v[i].id), weight[i]));
		s->b = vf2_add(s->b, vf2_scale(wp2d_point_b(b, s->v[i].id), weight[i]));
		s->between = vf2_sub(s->between, vf2_scale(s->v[i].w, weight[i]));
	}
}

/* What rounding may have done to a bracket: to poses and supports, to the radii, to the gap itself. */
WP_INLINE vf wp2d_rounding_of(const wp2d_block *b, vf core_separation)
{
	const vf lengths = vf_add(vf_mul(vf_set(WP2D_RADIUS_ROUNDING), vf_add(b->radius_a, b->radius_b)),
		vf_mul(vf_set(WP_GAP_ROUNDING), vf_abs(core_separation)));
	return vf_add(b->rounding, lengths);
}

WP_INLINE vf wp2d_credible_lower(const wp2d_solved *s, vf core_upper)
{
	return wp_believe_lower(s->core_lower, vf2_dot(s->n, s->n), core_upper);
}

/* Whether the witness points are where a separation of the cores puts them, but for a length. */
WP_INLINE vm wp2d_points_meet(const wp2d_solved *s, vf core_separation, vf allowed)
{
	return vf_le(vf2_length(vf2_sub(vf2_sub(s->b, s->a), vf2_scale(s->n, core_separation))), allowed);
}

/* The answer between bounds; a pair beyond is as far apart as they prove. */
WP_INLINE wp2d_answer wp2d_answer_between(const wp2d_block *b, const wp2d_solved *s, vf separation, vf lower, vf upper)
{
	const vi bits = vi_or(wp_state_bits(lower, upper), vi_select(s->beyond, vi_set(WP_JOB_PROVEN_BEYOND), vi_zero()));
	return (wp2d_answer){.separation = vf_select(s->beyond, lower, separation),
		.lower = lower,
		.upper = upper,
		.n = s->n,
		.a = vf2_add(s->a, vf2_scale(s->n, b->radius_a)),
		.b = vf2_sub(s->b, vf2_scale(s->n, b->radius_b)),
		.status = bits};
}

/* Contact, and distance of shapes that are apart. */
WP_INLINE wp2d_answer wp2d_contact_answer(const wp2d_block *b, const wp2d_solved *s, vf max_separation)
{
	const vf radii = vf_add(b->radius_a, b->radius_b);
	const vf2 between = s->between;

	/* A gap is the distance of the witness points, which bounds it from above whatever the feature's shape; a
	 * depth is the support line's, which is exact to rounding. The ring proves an overlap where it surely is
	 * around the origin. */
	const vm around = vf_lt(s->core_upper, vf_set(-2.0f * WP_HEIGHT_ROUNDING));
	const vm beyond = vm_opaque(s->beyond);
	const vf core_upper = vf_select(vm_and(s->depth, around), s->core_upper, vf2_length(between));
	const vf core_separation = vf_select(vm_or(s->depth, beyond), s->core_lower, core_upper);
	const vf rounding = wp2d_rounding_of(b, core_separation);
	const vf separation = vf_sub(core_separation, radii);
	const vf lower = vf_sub(vf_sub(wp2d_credible_lower(s, core_upper), radii), rounding);
	const vf upper = vf_add(vf_sub(core_upper, radii), rounding);

	/* The answer stands where its bracket and its witness points meet the contract. */
	const vf allowed = vf_mul(vf_set((float)WP_CONTRACT), vf_add(b->reach, vf_abs(separation)));
	const vm closed = vm_and(vf_le(lower, upper), vf_le(vf_sub(upper, lower), allowed));
	const vm near = vm_and(closed, wp2d_points_meet(s, core_separation, allowed));
	const vm proven = vm_and(s->beyond, vf_gt(lower, vf_mul(max_separation, b->scale)));
	const vm stands = vm_or(proven, vm_andnot(near, s->beyond));
	wp2d_answer answer = wp2d_answer_between(b, s, separation, lower, upper);
	answer.status = vi_select(stands, answer.status, vi_zero());
	return answer;
}

/* Make a contact a distance: the same for a gap; for an overlap a common point and zeros. */
WP_INLINE void wp2d_make_distance(const wp2d_block *b, const wp2d_solved *s, wp2d_answer *contact)
{
	const vf zero = vf_zero();
	wp2d_answer answer = *contact;
	const vf2 between = s->between;
	const vf gap = vf2_length(between);
	const vm overlap = vm_or(s->inside, vm_andnot(vf_le(answer.upper, zero), s->beyond));

	/* The strong path takes pairs whose weights do not lead to one and the same point of both cores. */
	const vm missed = vm_and(s->inside, vm_not(vf_le(gap, vf_mul(vf_set(WP_COMMON_POINT_TOLERANCE), b->reach))));
	const vf share = vf_select(s->inside, zero, wp_common_share(gap, b->radius_a, b->radius_b));
	const vf2 common = vf2_add(s->a, vf2_scale(between, share));
	answer.a = vf2_select(overlap, common, answer.a);
	answer.b = vf2_select(overlap, common, answer.b);
	answer.n = vf2_select(overlap, vf2_zero(), answer.n);
	/* Where shapes touch, the points must be where a separation of zero puts them. */
	const vf allowed = vf_mul(vf_set((float)WP_CONTRACT), b->reach);
	const vm met = wp2d_points_meet(s, vf_add(b->radius_a, b->radius_b), allowed);
	const vm off = vm_andnot(vm_andnot(vf_lt(answer.separation, zero), overlap), met);
	answer.status = vi_select(off, vi_zero(), answer.status);
	answer.separation = vf_select(overlap, zero, vf_max(answer.separation, zero));
	answer.lower = vf_select(overlap, zero, vf_max(answer.lower, zero));
	answer.upper = vf_max(answer.upper, zero);
	answer.status = vi_select(overlap, vi_set(WP_JOB_PENETRATING), answer.status);
	answer.status = vi_select(missed, vi_zero(), answer.status);
	*contact = answer;
}

/* Overlap: what is proven of two shapes. */
WP_INLINE wp2d_answer wp2d_overlap_answer(const wp2d_block *b, const wp2d_solved *s)
{
	const vf zero = vf_zero(), radii = vf_add(b->radius_a, b->radius_b);
	const vf core_upper = vf2_length(s->between), rounding = wp2d_rounding_of(b, s->core_lower);
	const vf lower = vf_sub(vf_sub(wp2d_credible_lower(s, core_upper), radii), rounding);
	const vm apart = vf_gt(lower, zero);
	const vf upper = vf_select(apart, vf_set(WP_INFINITY), vf_add(vf_sub(core_upper, radii), rounding));
	const vm missed = vm_and(s->inside, vm_not(vf_le(core_upper, vf_mul(vf_set(WP_COMMON_POINT_TOLERANCE), b->reach))));
	const vm overlap = vm_or(s->inside, vf_lt(upper, zero));

	/* Neither proven apart nor met: only a bracket as narrow as the contract may be called a touch. */
	const vm narrow = vf_le(vf_sub(upper, lower), vf_mul(vf_set((float)WP_CONTRACT), b->reach));
	const vm stands = vm_andnot(vm_or(vm_or(apart, overlap), narrow), missed);
	return (wp2d_answer){.separation = vf_select(apart, lower, upper),
		.lower = lower,
		.upper = upper,
		.n = vf2_select(apart, s->n, vf2_zero()),
		.a = vf2_zero(),
		.b = vf2_zero(),
		.status = vi_select(stands, wp_state_of(apart, overlap), vi_zero())};
}

/* What the query requests. */
WP_INLINE wp2d_answer wp2d_answer_of(const wp2d_jobs *jobs, const wp2d_block *b, const wp2d_solved *s)
{
	const bool is_distance = jobs->query == WP_QUERY_DISTANCE;
	wp2d_answer answer;
	if (jobs->query == WP_QUERY_OVERLAP)
		answer = wp2d_overlap_answer(b, s);
	else
		answer = wp2d_contact_answer(b, s, vf_set(is_distance ? 0.0f : jobs->max_separation));
	if (is_distance)
		wp2d_make_distance(b, s, &answer);
	answer.status = vi_select(s->failed, vi_zero(), answer.status);
	return answer;
}

/* An answer in world lengths: normal and points in world axes, local points in the frames of their bodies. */
typedef struct wp2d_result {
	vf separation, lower, upper;
	vf2 normal, a, b, local_a, local_b;
	vi status;
} wp2d_result;

/* A point relative to the position of A, counted from where results count it. */
WP_INLINE vf2 wp2d_counted(const wp2d_jobs *jobs, const wp2d_block *b, vf2 point)
{
	return jobs->has_float_points ? vf2_add(b->origin, point) : point;
}

/* All but the local points. */
WP_INLINE wp2d_result wp2d_result_of(const wp2d_jobs *jobs, const wp2d_block *b, const wp2d_answer *r)
{
	const vf unscale = wp_inverse_scale(b->scale);
	wp2d_result result = {.separation = vf_mul(r->separation, unscale),
		.lower = vf_mul(r->lower, unscale),
		.upper = vf_mul(r->upper, unscale),
		.normal = vf2_scale(vf2_turn(b->frame, r->n), wp_inverse_near_one(vf2_dot(r->n, r->n))),
		.a = vf2_zero(),
		.b = vf2_zero(),
		.local_a = vf2_zero(),
		.local_b = vf2_zero(),
		.status = r->status};
	if (jobs->query == WP_QUERY_OVERLAP)
		return result;
	result.a = wp2d_counted(jobs, b, vf2_turn(b->frame, vf2_scale(r->a, unscale)));
	result.b = wp2d_counted(jobs, b, vf2_turn(b->frame, vf2_scale(r->b, unscale)));
	return result;
}

/* The points in the frames of their bodies. */
WP_INLINE void wp2d_add_local_points(
	wp2d_result *result, const wp2d_jobs *jobs, const wp2d_block *b, const wp2d_answer *r)
{
	const vf unscale = wp_inverse_scale(b->scale);
	if (jobs->query == WP_QUERY_OVERLAP)
		return;
	result->local_a = vf2_scale(r->a, unscale);
	result->local_b = vf2_scale(vf2_turn_back(b->turn, vf2_sub(r->b, b->translation)), unscale);
}

WP_INLINE void wp2d_put_result(wp2d_jobs *jobs, uint32_t at, const wp2d_result *r, vi iterations)
{
	const int number = sizeof(float);
	unsigned char *const first = (unsigned char *)(jobs->rows + (size_t)WP2D_OUTPUT_COUNT * at), *to[WP_WIDTH];
	for (int lane = 0; lane < WP_WIDTH; lane++)
		to[lane] = first + lane * WP2D_OUTPUT_COUNT * number;
	vf4_put(to, WP2D_OUTPUT_SEPARATION * number, (vf4){r->separation, r->normal.x, r->normal.y, r->a.x});
	vf4_put(to, (WP2D_OUTPUT_POINT_A + 1) * number, (vf4){r->a.y, r->b.x, r->b.y, r->lower});
	vf4_put(
		to, WP2D_OUTPUT_LOWER * number, (vf4){r->lower, r->upper, vf_from_bits(r->status), vf_from_bits(iterations)});
}

WP_INLINE void wp2d_store_result(wp2d_jobs *jobs, uint32_t at, const wp2d_result *r, vi iterations)
{
	wp2d_put_result(jobs, at, r, iterations);
	vi_store(jobs->status + at, r->status);
	vi_store(jobs->iterations + at, iterations);
	jobs->open |= vm_bits(vi_eq(r->status, vi_zero()));
}

WP_INLINE void wp2d_store_local_points(wp2d_jobs *jobs, uint32_t at, const wp2d_result *r)
{
	vf4_store(jobs->detail + (size_t)WP2D_DETAIL_COUNT * at, WP2D_DETAIL_COUNT / 4,
		(vf4){r->local_a.x, r->local_a.y, r->local_b.x, r->local_b.y});
}

#endif
