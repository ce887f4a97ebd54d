/* From what is known of two cores to the answer for their shapes: radii, world axes and lengths, bracket
 * and status; and the check that decides whether the answer stands or goes to the strong path. */
#ifndef WP_WIDE_JOB_ANSWER_H
#define WP_WIDE_JOB_ANSWER_H

#include "wide/job/prepare.h"

/* A point of each core, and the way from A's to B's. The difference of two points rounds by their distance from the
 * origin; the same share of vertices of A - B is exact to their own lengths, which are small where the points are far off
 * and near each other. */
typedef struct wp_witness {
	vf3 a, b, between;
} wp_witness;

WP_INLINE wp_witness wp_witness_of(vf3 a, vf3 b) { return (wp_witness){a, b, vf3_sub(b, a)}; }

/* What a block of jobs is known to be, in A's frame, scaled. */
typedef struct wp_solved {
	vi state;                  /* wp_job_state */
	vf core_lower, core_upper; /* bracket of the cores' separation */
	vf3 n;                     /* unit, from A to B */
	wp_witness witness;
} wp_solved;

/* Answers of one block of jobs: world axes and lengths, points relative to the position of A. */
typedef struct wp_answer {
	vf separation, lower, upper;
	vf3 normal, point_a, point_b;
	vi state, status;        /* WP_JOB_STRONG where it does not stand; wp_status bits */
	vi feature_a, feature_b; /* of the only point of a manifold, as wp_job_output has them */
} wp_answer;

/* The status of a method whose brackets may be wider than the contract: then it sets WP_STATUS_WIDE_BRACKET. Bounds in world
 * lengths. */
WP_INLINE vi wp_loose_bits(const wp_prepared *p, vf separation, vf lower, vf upper, vm beyond)
{
	const vf allowed = vf_mul(vf_set(p->terms->bracket_max), vf_add(p->reach, vf_abs(separation)));
	const vm wide = vm_andnot(vm_not(vf_le(vf_sub(upper, lower), allowed)), beyond);
	return vi_or(wp_state_bits(lower, upper), vi_or(vi_select(beyond, vi_set(WP_JOB_PROVEN_BEYOND), vi_zero()),
												  vi_select(wide, vi_set(WP_JOB_WIDE_BRACKET), vi_zero())));
}

/* What rounding may have done to a bracket: to poses and supports, to the radii, to the gap itself. */
WP_INLINE vf wp_rounding_of(const wp_prepared *p, vf radii, vf core_separation)
{
	const vf lengths = vf_add(
		vf_mul(vf_set(WP_RADIUS_ROUNDING), radii), vf_mul(vf_set(WP_GAP_ROUNDING), vf_abs(core_separation)));
	const vf surface = vf_mul(vf_set(WP_SURFACE_ROUNDING), vf_abs(vf_sub(core_separation, radii)));
	return vf_add(p->rounding, vf_add(lengths, surface));
}

/* A vector that is unit to a few roundings, made unit to one. */
WP_INLINE vf3 wp_sharpen(vf3 n) { return vf3_scale(n, wp_inverse_near_one(vf3_dot(n, n))); }

WP_INLINE vf wp_credible_lower(const wp_solved *s, vf core_upper)
{
	return wp_believe_lower(s->core_lower, vf3_dot(s->n, s->n), core_upper);
}

/* Whether the witness points are where a separation of the cores puts them, within the contract for shapes of that size. */
WP_INLINE vm wp_points_meet(const wp_terms *terms, const wp_solved *s, vf core_separation, vf unit)
{
	const vf3 apart = vf3_sub(s->witness.b, s->witness.a), miss = vf3_sub(apart, vf3_scale(s->n, core_separation));
	const vf allowed = vf_mul(vf_set(terms->residual_max), unit);
	return vf_le(vf3_dot(miss, miss), vf_mul(allowed, allowed));
}

/* Contact, and distance of shapes that are apart. Distances are proven beyond nothing: their `max_separation` is 0. */
WP_INLINE wp_answer wp_contact_answer(const wp_prepared *p, const wp_solved *s, vf max_separation)
{
	const vf unscale = wp_inverse_scale(p->scale);
	const vf radius_a = vf_mul(p->radius_a, p->scale), radius_b = vf_mul(p->radius_b, p->scale);
	const vf radii = vf_add(radius_a, radius_b);
	const vm beyond = vi_eq(s->state, vi_set(WP_JOB_BEYOND)), depth = vi_eq(s->state, vi_set(WP_JOB_DEPTH));
	const vf3 n = s->n, between = s->witness.between;

	/* A gap is the distance of the witness points, which bounds it from above whatever the feature's shape,
	 * and converges faster; a depth is the support plane's, which is exact to rounding. */
	const vf core_upper = vf_select(vm_or(depth, beyond), s->core_upper, vf3_length(between));
	const vf core_separation = vf_select(vm_or(depth, beyond), s->core_lower, core_upper);
	const vf rounding = wp_rounding_of(p, radii, core_separation);
	const vf separation = vf_sub(core_separation, radii);
	const vf lower = vf_sub(vf_sub(wp_credible_lower(s, core_upper), radii), rounding);
	const vf upper = vf_add(vf_sub(core_upper, radii), rounding);
	const vf3 point_a = vf3_add(s->witness.a, vf3_scale(n, radius_a));
	const vf3 point_b = vf3_sub(s->witness.b, vf3_scale(n, radius_b));

	/* The answer stands where its bracket and its witness points meet the contract. */
	const vf unit = vf_add(vf_mul(p->reach, p->scale), vf_abs(separation));
	const vf allowed = vf_mul(vf_set(p->terms->bracket_max), unit);
	const vm closed = vm_and(vf_le(lower, upper), vf_le(vf_sub(upper, lower), allowed));
	const vm wide = vm_not(vm_and(closed, wp_points_meet(p->terms, s, core_separation, unit)));
	const vm solved = vm_or(vi_eq(s->state, vi_set(WP_JOB_GAP)), depth);
	const vm proven = vm_and(beyond, vf_gt(lower, vf_mul(max_separation, p->scale)));
	const vm strong = vm_not(vm_or(proven, vm_andnot(solved, wide)));

	const vi bits = vi_or(wp_state_bits(lower, upper), vi_select(beyond, vi_set(WP_JOB_PROVEN_BEYOND), vi_zero()));
	return (wp_answer){.separation = vf_mul(vf_select(beyond, lower, separation), unscale),
		.lower = vf_mul(lower, unscale),
		.upper = vf_mul(upper, unscale),
		.normal = wp_sharpen(vf33_apply(&p->frame, n)),
		.point_a = vf3_scale(vf33_apply(&p->frame, point_a), unscale),
		.point_b = vf3_scale(vf33_apply(&p->frame, point_b), unscale),
		.state = vi_select(strong, vi_set(WP_JOB_STRONG), s->state),
		.status = bits};
}

/* Make a contact a distance: the same for a gap; for an overlap a common point and zeros. `meeting` has the nearest points of
 * cores that are apart, and one and the same where they overlap. Both queries share the code of contacts. */
WP_INLINE void wp_make_distance(const wp_prepared *p, const wp_solved *s, const wp_witness *meeting, wp_answer *contact)
{
	wp_answer answer = *contact;
	const vm inside = vi_eq(s->state, vi_set(WP_JOB_INSIDE));
	const vf unscale = wp_inverse_scale(p->scale);
	const vf radius_a = vf_mul(p->radius_a, p->scale), radius_b = vf_mul(p->radius_b, p->scale);

	/* A common point: of the cores where they meet, else between these two points of theirs, within both radii. GJK's distance is no
	 * length for that: the points of a simplex with nearly parallel edges are further apart. */
	const vf3 between = meeting->between;
	const vf gap = vf3_length(between);
	const vf share = vf_select(inside, vf_zero(), wp_common_share(gap, radius_a, radius_b));
	const vf3 common = vf3_add(meeting->a, vf3_scale(between, share));

	/* An overlap needs no exact depth, so the strong path takes only pairs where a sliver's weights do not
	 * lead to one and the same point of both cores. */
	const vm overlap = vm_or(inside, vm_and(vi_eq(s->state, vi_set(WP_JOB_GAP)), vf_le(answer.upper, vf_zero())));
	const vf allowed = vf_mul(vf_set(p->terms->common_tolerance), vf_mul(p->reach, p->scale));
	const vm apart = vm_and(inside, vm_not(vf_le(vf3_dot(between, between), vf_mul(allowed, allowed))));
	const vi met_state = vi_select(apart, vi_set(WP_JOB_STRONG), vi_set(WP_JOB_GAP));
	const vf3 world = vf3_scale(vf33_apply(&p->frame, common), unscale);
	answer.state = vi_select(overlap, met_state, answer.state);
	answer.point_a = vf3_select(overlap, world, answer.point_a);
	answer.point_b = vf3_select(overlap, world, answer.point_b);
	answer.normal = vf3_select(overlap, vf3_zero(), answer.normal);

	/* Distances end at zero. Cores that meet do so up to the distance of the two points that stand for one point; the
	 * upper bound still holds that distance, and radii take it below zero. */
	const vf zero = vf_zero();
	const vf met = vf_mul(vf_add(vf_sub(gap, vf_add(radius_a, radius_b)), p->rounding), unscale);
	answer.lower = vf_select(overlap, zero, vf_max(answer.lower, zero));
	answer.upper = vf_max(vf_select(inside, met, answer.upper), zero);
	const vm raised = vm_andnot(vf_lt(answer.separation, zero), overlap);
	answer.separation = vf_select(overlap, zero, vf_max(answer.separation, zero));
	answer.status = vi_select(overlap, vi_set(WP_JOB_PENETRATING), answer.status);

	/* Where shapes touch, the points must be where a separation of zero puts them. */
	const vm off = vm_andnot(
		raised, wp_points_meet(p->terms, s, vf_add(radius_a, radius_b), vf_mul(p->reach, p->scale)));
	answer.state = vi_select(off, vi_set(WP_JOB_STRONG), answer.state);
	*contact = answer;
}

/* Lower bound of the shapes' separation by the best support plane; `radii` scaled. */
WP_INLINE vf wp_overlap_lower(const wp_prepared *p, const wp_solved *s, vf radii)
{
	return vf_sub(vf_sub(wp_credible_lower(s, s->core_upper), radii), wp_rounding_of(p, radii, s->core_lower));
}

/* Overlap: what is proven of two shapes. */
WP_INLINE wp_answer wp_overlap_answer(const wp_prepared *p, const wp_solved *s)
{
	const vm inside = vi_eq(s->state, vi_set(WP_JOB_INSIDE));
	const vf unscale = wp_inverse_scale(p->scale);
	const vf radii = vf_mul(vf_add(p->radius_a, p->radius_b), p->scale);
	const vf rounding = wp_rounding_of(p, radii, s->core_lower), lower = wp_overlap_lower(p, s, radii);
	const vm apart = vf_gt(lower, vf_zero());
	const vf upper = vf_select(apart, vf_set(WP_INFINITY), vf_add(vf_sub(s->core_upper, radii), rounding));
	const vm overlap = vm_or(inside, vf_lt(upper, vf_zero()));

	/* Neither proven apart nor met: only a bracket as narrow as the contract may be called a touch. */
	const vf allowed = vf_mul(vf_set(p->terms->bracket_max), vf_mul(p->reach, p->scale));
	const vm unsure = vm_andnot(vm_not(vm_or(apart, overlap)), vf_le(vf_sub(upper, lower), allowed));
	const vf3 normal = vf3_select(apart, wp_sharpen(vf33_apply(&p->frame, s->n)), vf3_zero());
	return (wp_answer){.separation = vf_mul(vf_select(apart, lower, upper), unscale),
		.lower = vf_mul(lower, unscale),
		.upper = vf_mul(upper, unscale),
		.normal = normal,
		.point_a = vf3_zero(),
		.point_b = vf3_zero(),
		.state = vi_select(unsure, vi_set(WP_JOB_STRONG), s->state),
		.status = wp_state_of(apart, overlap)};
}

#endif
