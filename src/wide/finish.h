/* W3: from where GJK and EPA left a job to its answer: witness points, radii, world axes and lengths,
 * bracket and status; and the check that decides whether the answer stands or the strong path is asked. */
#ifndef WP_WIDE_FINISH_H
#define WP_WIDE_FINISH_H

#include "wide/simplex.h"

/* The nearest feature of a job, in A's frame, scaled. */
typedef struct wp_feature {
	vf3 a[4], b[4], w[4];
	vi size;
} wp_feature;

/* Vertices past the feature's are its first one again. Of a contact at most three are asked for: a
 * tetrahedron around the origin has become a face or is left to the strong path. */
WP_INLINE wp_feature wp_load_feature(const wp_jobs *jobs, const wp_lanes *lanes, uint32_t at, int kind_a, int kind_b)
{
	wp_feature f;
	f.size = vi_load(jobs->vertex_count + at);
	const vi first = vi_load(jobs->vertex[0] + at);
	const int most = jobs->query == WP_QUERY_CONTACT ? 3 : 4;
	for (int i = 0; i < most; i++) {
		const vi id = vi_select(vi_gt(f.size, vi_set(i)), vi_load(jobs->vertex[i] + at), first);
		f.w[i] = wp_vertex_of_id(lanes, lanes->live, kind_a, kind_b, id, &f.a[i], &f.b[i]).w;
	}
	if (most == 3) {
		f.a[3] = f.a[0];
		f.b[3] = f.b[0];
		f.w[3] = f.w[0];
	}
	return f;
}

/* Weights of a tetrahedron's corners for the origin, as shares of its volume; none is negative. */
WP_INLINE void wp_tetrahedron_weights(const vf3 w[4], vf weight[4])
{
	const vf3 n01 = vf3_cross(w[0], w[1]), n23 = vf3_cross(w[2], w[3]);
	const vf3 e01 = vf3_sub(w[1], w[0]), e23 = vf3_sub(w[3], w[2]);
	/* Signed volumes of the four tetrahedra that the origin makes with the faces. */
	const vf v0 = vf3_dot(n23, w[1]), v1 = vf_neg(vf3_dot(n23, w[0]));
	const vf v2 = vf3_dot(n01, w[3]), v3 = vf_neg(vf3_dot(n01, w[2]));
	const vf volume = vf3_dot(vf3_cross(e01, vf3_sub(w[2], w[0])), e23);
	const vf zero = vf_zero(), one = vf_set(1.0f);
	const vf part[4] = {vf_max(vf_flip_sign(v0, volume), zero), vf_max(vf_flip_sign(v1, volume), zero),
		vf_max(vf_flip_sign(v2, volume), zero), vf_max(vf_flip_sign(v3, volume), zero)};
	const vf sum = vf_add(vf_add(part[0], part[1]), vf_add(part[2], part[3]));
	const vm flat = vm_not(vf_gt(sum, zero));
	const vf inverse = vf_div(one, vf_select(flat, one, sum));
	for (int i = 0; i < 4; i++)
		weight[i] = vf_select(flat, i == 0 ? one : zero, vf_mul(part[i], inverse));
}

WP_INLINE vf3 wp_weighted(const vf3 p[4], const vf weight[4])
{
	return vf3_add(vf3_add(vf3_scale(p[0], weight[0]), vf3_scale(p[1], weight[1])),
		vf3_add(vf3_scale(p[2], weight[2]), vf3_scale(p[3], weight[3])));
}

/* The points of both cores that the jobs' features say are nearest. */
WP_INLINE void wp_witnesses(const wp_jobs *jobs, const wp_lanes *lanes, uint32_t at, int kind_a, int kind_b, vf3 *a,
	vf3 *b)
{
	const wp_feature f = wp_load_feature(jobs, lanes, at, kind_a, kind_b);
	vf weight[4];
	wp_feature_weights(f.w, f.size, weight);
	weight[3] = vf_zero();
	/* What was solved in closed form has no feature; its points are here already. */
	const vm closed_form = vi_eq(f.size, vi_zero());
	*a = vf3_select(closed_form, vf3_load(jobs->point_a[0] + at, jobs->point_a[1] + at, jobs->point_a[2] + at),
		wp_weighted(f.a, weight));
	*b = vf3_select(closed_form, vf3_load(jobs->point_b[0] + at, jobs->point_b[1] + at, jobs->point_b[2] + at),
		wp_weighted(f.b, weight));
}

WP_INLINE vi wp_state_bits(vf lower, vf upper)
{
	const vm apart = vf_gt(lower, vf_zero()), overlap = vf_lt(upper, vf_zero());
	return vi_select(apart, vi_set(WP_JOB_SEPARATED),
		vi_select(overlap, vi_set(WP_JOB_PENETRATING), vi_set(WP_JOB_TOUCHING)));
}

/* Where two shapes that overlap share a point on the segment between the witness points of their cores:
 * the middle of the part that both radii cover, as a share of the way from A's to B's. */
WP_INLINE vf wp_common_share(vf gap, vf radius_a, vf radius_b)
{
	const vf from = vf_max(vf_sub(gap, radius_b), vf_zero()), to = vf_min(radius_a, gap);
	const vf reach = vf_mul(vf_set(0.5f), vf_add(from, to));
	const vm apart = vf_gt(gap, vf_zero());
	return vf_select(apart, vf_div(reach, vf_select(apart, gap, vf_set(1.0f))), vf_zero());
}

/* Store a vector of A's frame, scaled, as one of the world. */
WP_INLINE void wp_store_world(float (*field)[WP_JOB_MAX], uint32_t at, const vf33 *frame, vf3 v, vf unscale)
{
	const vf3 world = vf3_scale(vf33_apply(frame, v), unscale);
	vf3_store(field[0] + at, field[1] + at, field[2] + at, world);
}

/* What rounding may have done to a bracket: to poses and supports, to the radii, to the gap itself. */
WP_INLINE vf wp_rounding_of(const wp_jobs *jobs, uint32_t at, vf radii, vf core_separation)
{
	const vf lengths = vf_add(vf_mul(vf_set(WP_RADIUS_ROUNDING), radii),
		vf_mul(vf_set(WP_GAP_ROUNDING), vf_abs(core_separation)));
	return vf_add(vf_load(jobs->rounding + at), lengths);
}

/* Contact of one block of jobs. */
WP_INLINE void wp_finish_contact(wp_jobs *jobs, const wp_lanes *lanes, uint32_t at, int kind_a, int kind_b)
{
	const vf scale = vf_load(jobs->scale + at), unscale = vf_div(vf_set(1.0f), scale);
	const vf radius_a = vf_mul(vf_load(jobs->radius_a + at), scale);
	const vf radius_b = vf_mul(vf_load(jobs->radius_b + at), scale);
	const vf radii = vf_add(radius_a, radius_b);
	const vi state = vi_load(jobs->state + at);
	const vm beyond = vi_eq(state, vi_set(WP_JOB_BEYOND)), depth = vi_eq(state, vi_set(WP_JOB_DEPTH));
	const vf core_lower = vf_load(jobs->core_lower + at);
	const vf3 n = vf3_load(jobs->direction[0] + at, jobs->direction[1] + at, jobs->direction[2] + at);

	vf3 a, b;
	wp_witnesses(jobs, lanes, at, kind_a, kind_b, &a, &b);
	const vf3 between = vf3_sub(b, a);

	/* A gap is what the witness points say, which bounds it from above whatever the feature's shape, and
	 * converges faster; a depth is what the support plane says, which is exact to rounding. */
	const vf core_upper = vf_select(depth, vf_load(jobs->core_upper + at), vf_sqrt(vf3_dot(between, between)));
	const vf core_separation = vf_select(vm_or(depth, beyond), core_lower, core_upper);
	const vf rounding = wp_rounding_of(jobs, at, radii, core_separation);
	const vf separation = vf_sub(core_separation, radii);
	/* A bound above the distance of two points, by the rounding of a unit normal, is not to be believed. */
	const vf lower = vf_sub(vf_sub(vf_min(core_lower, core_separation), radii), rounding);
	const vf upper = vf_add(vf_sub(core_upper, radii), rounding);
	const vf3 point_a = vf3_add(a, vf3_scale(n, radius_a)), point_b = vf3_sub(b, vf3_scale(n, radius_b));
	const vf3 miss = vf3_sub(between, vf3_scale(n, core_separation));
	const vf residual = vf_sqrt(vf3_dot(miss, miss));

	/* The answer stands where its bracket and its witness points meet the contract. */
	const vf unit = vf_add(vf_mul(vf_load(jobs->reach + at), scale), vf_abs(separation));
	const vf allowed = vf_mul(vf_set((float)WP_CONTRACT), unit);
	const vm closed = vm_and(vf_le(lower, upper), vf_le(vf_sub(upper, lower), allowed));
	const vm wide = vm_not(vm_and(closed, vf_le(residual, allowed)));
	const vm solved = vm_or(vi_eq(state, vi_set(WP_JOB_GAP)), depth);
	const vm proven = vm_and(beyond, vf_gt(lower, vf_mul(vf_set(jobs->max_separation), scale)));
	const vm strong = vm_not(vm_or(proven, vm_andnot(solved, wide)));
	vi_store(jobs->state + at, vi_select(strong, vi_set(WP_JOB_STRONG), state));

	vf33 frame;
	for (int i = 0; i < 3; i++)
		frame.row[i] = vf3_load(jobs->frame_a[3 * i] + at, jobs->frame_a[3 * i + 1] + at, jobs->frame_a[3 * i + 2] + at);
	const vf3 normal = vf33_apply(&frame, n);
	const vf3 unit_normal = vf3_unit(normal, normal);
	vf3_store(jobs->normal[0] + at, jobs->normal[1] + at, jobs->normal[2] + at, unit_normal);
	wp_store_world(jobs->point_a, at, &frame, point_a, unscale);
	wp_store_world(jobs->point_b, at, &frame, point_b, unscale);
	vf_store(jobs->lower + at, vf_mul(lower, unscale));
	vf_store(jobs->upper + at, vf_mul(upper, unscale));
	vf_store(jobs->separation + at, vf_mul(vf_select(beyond, lower, separation), unscale));
	const vi bits = vi_or(wp_state_bits(lower, upper), vi_select(beyond, vi_set(WP_JOB_PROVEN_BEYOND), vi_zero()));
	vi_store(jobs->status + at, vi_or(vi_load(jobs->status + at), bits));
}

/* Distance of one block of jobs: like contact for a gap; for an overlap a common point and zeros. */
WP_INLINE void wp_finish_distance(wp_jobs *jobs, const wp_lanes *lanes, uint32_t at, int kind_a, int kind_b)
{
	const vi state = vi_load(jobs->state + at);
	const vm inside = vi_eq(state, vi_set(WP_JOB_INSIDE));
	const vf scale = vf_load(jobs->scale + at), unscale = vf_div(vf_set(1.0f), scale);
	const vf radius_a = vf_mul(vf_load(jobs->radius_a + at), scale);
	const vf radius_b = vf_mul(vf_load(jobs->radius_b + at), scale);
	const vf core_upper = vf_load(jobs->core_upper + at);
	wp_finish_contact(jobs, lanes, at, kind_a, kind_b);

	/* A common point: of the cores where they meet, else between them, within both radii. */
	const wp_feature f = wp_load_feature(jobs, lanes, at, kind_a, kind_b);
	vf flat[4], solid[4];
	wp_feature_weights(f.w, f.size, flat);
	flat[3] = vf_zero();
	wp_tetrahedron_weights(f.w, solid);
	const vm whole = vi_gt(f.size, vi_set(3));
	for (int i = 0; i < 4; i++)
		flat[i] = vf_select(whole, solid[i], flat[i]);
	const vf3 a = wp_weighted(f.a, flat), b = wp_weighted(f.b, flat);
	const vf share = vf_select(inside, vf_zero(), wp_common_share(core_upper, radius_a, radius_b));
	const vf3 common = vf3_add(a, vf3_scale(vf3_sub(b, a), share));

	/* An overlap needs no exact depth, so the strong path is asked only where a sliver's weights do not
	 * lead to one and the same point of both cores. */
	const vf upper = vf_load(jobs->upper + at);
	const vm overlap = vm_or(inside, vm_and(vi_eq(state, vi_set(WP_JOB_GAP)), vf_le(upper, vf_zero())));
	const vf3 between = vf3_sub(b, a);
	const vf allowed = vf_mul(vf_set(WP_COMMON_POINT_TOLERANCE), vf_mul(vf_load(jobs->reach + at), scale));
	const vm apart = vm_and(inside, vm_not(vf_le(vf3_dot(between, between), vf_mul(allowed, allowed))));
	const vi met_state = vi_select(apart, vi_set(WP_JOB_STRONG), vi_set(WP_JOB_GAP));
	vi_store(jobs->state + at, vi_select(overlap, met_state, vi_load(jobs->state + at)));
	vf33 frame;
	for (int i = 0; i < 3; i++)
		frame.row[i] = vf3_load(jobs->frame_a[3 * i] + at, jobs->frame_a[3 * i + 1] + at, jobs->frame_a[3 * i + 2] + at);
	const vf3 world = vf3_scale(vf33_apply(&frame, common), unscale);
	for (int i = 0; i < 3; i++) {
		const vf c = i == 0 ? world.x : i == 1 ? world.y : world.z;
		vf_store(jobs->point_a[i] + at, vf_select(overlap, c, vf_load(jobs->point_a[i] + at)));
		vf_store(jobs->point_b[i] + at, vf_select(overlap, c, vf_load(jobs->point_b[i] + at)));
		vf_store(jobs->normal[i] + at, vf_select(overlap, vf_zero(), vf_load(jobs->normal[i] + at)));
	}

	/* Distances end at zero. Cores that meet do so up to the touch tolerance and rounding, which the upper
	 * bound still says; radii take it below zero. */
	const vf zero = vf_zero();
	const vf meeting = vf_select(whole, zero, vf_max(core_upper, zero));
	const vf met = vf_mul(vf_add(vf_sub(meeting, vf_add(radius_a, radius_b)), vf_load(jobs->rounding + at)), unscale);
	vf_store(jobs->lower + at, vf_select(overlap, zero, vf_max(vf_load(jobs->lower + at), zero)));
	vf_store(jobs->upper + at, vf_max(vf_select(inside, met, upper), zero));
	vf_store(jobs->separation + at, vf_select(overlap, zero, vf_max(vf_load(jobs->separation + at), zero)));
	vi_store(jobs->status + at, vi_select(overlap, vi_set(WP_JOB_PENETRATING), vi_load(jobs->status + at)));
}

/* Overlap of one block of jobs: what GJK proved by the time it stopped. */
WP_INLINE void wp_finish_overlap(wp_jobs *jobs, const wp_lanes *lanes, uint32_t at, int kind_a, int kind_b)
{
	const vi state = vi_load(jobs->state + at), size = vi_load(jobs->vertex_count + at);
	const vm inside = vi_eq(state, vi_set(WP_JOB_INSIDE));
	const vf scale = vf_load(jobs->scale + at), unscale = vf_div(vf_set(1.0f), scale);
	const vf radii = vf_mul(vf_add(vf_load(jobs->radius_a + at), vf_load(jobs->radius_b + at)), scale);
	const vf rounding = wp_rounding_of(jobs, at, radii, vf_load(jobs->core_lower + at));
	const vf lower = vf_sub(vf_sub(vf_load(jobs->core_lower + at), radii), rounding);
	const vm apart = vf_gt(lower, vf_zero());

	/* The distance of the simplex, as GJK has it, is no bound where its edges are nearly parallel; that of
	 * its witness points is. Shapes that are apart need none. */
	const vm whole = vm_and(inside, vi_gt(size, vi_set(3))), closed_form = vi_eq(size, vi_zero());
	vf core_upper = vf_select(whole, vf_zero(), vf_load(jobs->core_upper + at));
	const vm open = vm_andnot(vm_from_bits(lanes->live), vm_or(apart, vm_or(whole, closed_form)));
	if (vm_any(open)) {
		vf3 a, b;
		wp_witnesses(jobs, lanes, at, kind_a, kind_b, &a, &b);
		const vf3 between = vf3_sub(b, a);
		core_upper = vf_select(open, vf_sqrt(vf3_dot(between, between)), core_upper);
	}
	const vf upper = vf_select(apart, vf_set(__builtin_inff()), vf_add(vf_sub(core_upper, radii), rounding));
	const vm overlap = vm_or(inside, vf_lt(upper, vf_zero()));

	/* Neither proven apart nor met: only a bracket as narrow as the contract may be called a touch. */
	const vf allowed = vf_mul(vf_set((float)WP_CONTRACT), vf_mul(vf_load(jobs->reach + at), scale));
	const vm unsure = vm_andnot(vm_not(vm_or(apart, overlap)), vf_le(vf_sub(upper, lower), allowed));
	vi_store(jobs->state + at, vi_select(unsure, vi_set(WP_JOB_STRONG), state));

	vf33 frame;
	for (int i = 0; i < 3; i++)
		frame.row[i] = vf3_load(jobs->frame_a[3 * i] + at, jobs->frame_a[3 * i + 1] + at, jobs->frame_a[3 * i + 2] + at);
	const vf3 n = vf3_load(jobs->direction[0] + at, jobs->direction[1] + at, jobs->direction[2] + at);
	const vf3 normal = vf3_select(apart, vf33_apply(&frame, n), vf3_zero());
	const vf3 unit_normal = vf3_unit(normal, vf3_zero());
	vf3_store(jobs->normal[0] + at, jobs->normal[1] + at, jobs->normal[2] + at, unit_normal);
	for (int i = 0; i < 3; i++) {
		vf_store(jobs->point_a[i] + at, vf_zero());
		vf_store(jobs->point_b[i] + at, vf_zero());
	}
	vf_store(jobs->lower + at, vf_mul(lower, unscale));
	vf_store(jobs->upper + at, vf_mul(upper, unscale));
	vf_store(jobs->separation + at, vf_mul(vf_select(apart, lower, upper), unscale));
	const vi bits = vi_select(apart, vi_set(WP_JOB_SEPARATED),
		vi_select(overlap, vi_set(WP_JOB_PENETRATING), vi_set(WP_JOB_TOUCHING)));
	vi_store(jobs->status + at, vi_or(vi_load(jobs->status + at), bits));
}

/* Finish every job of the bucket. */
WP_INLINE void wp_finish_run(wp_jobs *jobs, int kind_a, int kind_b)
{
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH) {
		wp_lanes lanes;
		for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
			lanes.job[lane] = (int32_t)(at + lane);
		lanes.job_v = vi_load(lanes.job);
		lanes.live = jobs->count - at < WP_WIDTH ? (1u << (jobs->count - at)) - 1u : WP_ALL_LANES;
		wp_lanes_load(&lanes, jobs, kind_a, kind_b);
		if (jobs->query == WP_QUERY_OVERLAP)
			wp_finish_overlap(jobs, &lanes, at, kind_a, kind_b);
		else if (jobs->query == WP_QUERY_DISTANCE)
			wp_finish_distance(jobs, &lanes, at, kind_a, kind_b);
		else
			wp_finish_contact(jobs, &lanes, at, kind_a, kind_b);
	}
}

#endif
