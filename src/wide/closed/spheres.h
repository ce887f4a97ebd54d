/* Pairs that the spheres around both shapes separate, whatever the shapes are.
 *
 * Points of a core are no further from its origin than its bounding radius, so the distance of the two origins brackets
 * the distance of the cores. Found in world axes: no rotation is made a matrix of but for local points. */
#ifndef WP_WIDE_CLOSED_SPHERES_H
#define WP_WIDE_CLOSED_SPHERES_H

#include "wide/job/store.h"

/* What is known of a block of such jobs, as far as spheres have it. */
typedef struct wp_spheres {
	vfq turn_a, turn_b;
	vf3 offset;    /* from A's origin to B's, world axes, unscaled */
	vf bounds;     /* of both cores, unscaled */
	wp_prepared p; /* but for what is in A's frame, and extents */
} wp_spheres;

WP_INLINE void wp_load_spheres(const wp_jobs *jobs, uint32_t at, wp_spheres *s)
{
	const float *const input = wp_input_of_job(jobs, at);
	const vi quad = vi_scaled_lanes(WP_INPUT_COUNT);
	const vf4 pa = wp_load_input(input, quad, WP_INPUT_POSITION_A),
			  pb = wp_load_input(input, quad, WP_INPUT_POSITION_B);
	const vf3 from = {pa.x, pa.y, pa.z}, to = {pb.x, pb.y, pb.z};
	s->turn_a = vfq_of(wp_load_input(input, quad, WP_INPUT_ROTATION_A));
	s->turn_b = vfq_of(wp_load_input(input, quad, WP_INPUT_ROTATION_B));
	s->offset = wp_offset_of(from, to);
	s->bounds = vf_add(pa.w, pb.w);
	s->p.origin = from;
	s->p.radius_a = wp_load_cores(jobs->core_a + at).w;
	s->p.radius_b = wp_load_cores(jobs->core_b + at).w;
	const vf size = wp_size_of(pa.w, pb.w, s->offset);
	s->p.scale = wp_scale_of(size);
	s->p.fit = wp_is_fit(s->turn_a, s->turn_b, from, to, size, vf_add(s->p.radius_a, s->p.radius_b));
}

/* The answer, its points relative to the position of A. */
WP_INLINE wp_answer wp_spheres_answer(const wp_jobs *jobs, wp_spheres *s)
{
	const vf scale = s->p.scale, unscale = wp_inverse_scale(scale);
	const vf3 way = vf3_scale(s->offset, scale);
	const vf distance = vf3_length(way), bounds = vf_mul(s->bounds, scale);
	const vf radii = wp_radii_of(scale, s->p.radius_a, s->p.radius_b);
	s->p.rounding = wp_pose_rounding(jobs->terms, bounds, distance);
	const vf core_lower = vf_sub(distance, bounds), rounding = wp_rounding_of(&s->p, radii, distance);
	const vf lower = vf_sub(vf_sub(core_lower, radii), rounding);
	const vf upper = vf_add(vf_sub(vf_add(distance, bounds), radii), rounding);
	const bool is_contact = jobs->query == WP_QUERY_CONTACT;
	const vm proven = vm_and(s->p.fit, vf_gt(lower, vf_mul(vf_set(jobs->max_separation), scale)));
	const vf3 n = wp_sharpen(vf3_scale(way, vf_div(vf_set(1.0f), distance))), zero = vf3_zero();
	const vf world = vf_mul(lower, unscale);
	return (wp_answer){.separation = world,
		.lower = world,
		.upper = is_contact ? vf_mul(upper, unscale) : vf_set(WP_INFINITY),
		.normal = n,
		.point_a = is_contact ? vf3_scale(n, s->p.radius_a) : zero,
		.point_b = is_contact ? vf3_sub(s->offset, vf3_scale(n, s->p.radius_b)) : zero,
		.state = vi_select(proven, vi_set(WP_JOB_BEYOND), vi_set(WP_JOB_STRONG)),
		.status = vi_set(is_contact ? WP_JOB_SEPARATED | WP_JOB_PROVEN_BEYOND : WP_JOB_SEPARATED)};
}

WP_INLINE void wp_spheres_details(wp_jobs *jobs, uint32_t at, const wp_spheres *s, const wp_answer *r)
{
	const vf33 frame_a = vfq_to_matrix(s->turn_a), frame_b = vfq_to_matrix(s->turn_b);
	vf3 local_a = vf3_zero(), local_b = vf3_zero();
	if (jobs->query == WP_QUERY_CONTACT) {
		local_a = vf33_apply_transposed(&frame_a, r->point_a);
		local_b = vf33_apply_transposed(&frame_b, vf3_sub(r->point_b, s->offset));
	}
	wp_put_details(jobs, at, WP_ALL_LANES, local_a, local_b, r->normal);
}

WP_INLINE void wp_spheres_block(wp_jobs *jobs, uint32_t at)
{
	wp_spheres spheres;
	spheres.p.terms = jobs->terms;
	wp_load_spheres(jobs, at, &spheres);
	wp_answer answer = wp_spheres_answer(jobs, &spheres);
	vi_store(jobs->gjk_steps + at, vi_zero());
	vi_store(jobs->epa_steps + at, vi_zero());
	if (jobs->wants_details)
		wp_spheres_details(jobs, at, &spheres, &answer);
	wp_put_answer(jobs, at, WP_ALL_LANES, &spheres.p, &answer);
}

/* Answer every job. Lanes past the last one compute on whatever is there; nobody reads them. */
WP_INLINE void wp_spheres_run(wp_jobs *jobs)
{
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH)
		wp_spheres_block(jobs, at);
}

#endif
