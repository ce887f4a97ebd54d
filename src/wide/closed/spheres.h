/* Pairs that the spheres around both shapes separate, whatever the shapes are.
 *
 * Points of a core are no further from its origin than its bounding radius, so the distance of the two origins brackets
 * the distance of the cores. Found in world axes: no rotation is made a matrix of but for local points. */
#ifndef WP_WIDE_CLOSED_SPHERES_H
#define WP_WIDE_CLOSED_SPHERES_H

#include "wide/job/store.h"

/* What the first pass over such jobs leaves to the second: a block of them. */
typedef struct wp_spheres {
	vf3 origin;            /* position of A */
	vf3 offset;            /* from A's origin to B's, world axes, unscaled */
	vf bounds;             /* of both cores, unscaled */
	vf radius_a, radius_b; /* unscaled */
	vf scale;
	vf distance, inverse; /* length of the offset, scaled, and one by that */
	vm fit;
} wp_spheres;

/* The root and the quotient come last: all that waits for them is in the second pass. */
WP_INLINE void wp_load_spheres(const wp_jobs *jobs, uint32_t at, wp_spheres *s)
{
	const float *const input = wp_input_of_job(jobs, at);
	const vi quad = vi_scaled_lanes(WP_INPUT_COUNT);
	const vf4 pa = wp_load_input(input, quad, WP_INPUT_POSITION_A),
			  pb = wp_load_input(input, quad, WP_INPUT_POSITION_B);
	const vf3 from = {pa.x, pa.y, pa.z}, to = {pb.x, pb.y, pb.z};
	const vfq turn_a = vfq_of(wp_load_input(input, quad, WP_INPUT_ROTATION_A));
	const vfq turn_b = vfq_of(wp_load_input(input, quad, WP_INPUT_ROTATION_B));
	s->origin = from;
	s->offset = wp_offset_of(from, to);
	s->bounds = vf_add(pa.w, pb.w);
	s->radius_a = wp_load_cores(jobs->core_a + at).w;
	s->radius_b = wp_load_cores(jobs->core_b + at).w;
	const vf size = wp_size_of(pa.w, pb.w, s->offset);
	s->scale = wp_scale_of(size);
	s->fit = wp_is_fit(turn_a, turn_b, from, to, size, vf_add(s->radius_a, s->radius_b));
	s->distance = vf3_length(vf3_scale(s->offset, s->scale));
	s->inverse = vf_div(vf_set(1.0f), s->distance);
}

/* The answer, its points relative to the position of A. */
WP_INLINE wp_answer wp_spheres_answer(const wp_jobs *jobs, const wp_spheres *s, const wp_prepared *p)
{
	const vf scale = s->scale, unscale = wp_inverse_scale(scale), distance = s->distance;
	const vf bounds = vf_mul(s->bounds, scale), radii = wp_radii_of(scale, s->radius_a, s->radius_b);
	const vf core_lower = vf_sub(distance, bounds), rounding = wp_rounding_of(p, radii, distance);
	const vf lower = vf_sub(vf_sub(core_lower, radii), rounding);
	const vf upper = vf_add(vf_sub(vf_add(distance, bounds), radii), rounding);
	const bool is_contact = jobs->query == WP_QUERY_CONTACT;
	const vm proven = vm_and(s->fit, vf_gt(lower, vf_mul(vf_set(jobs->max_separation), scale)));
	const vf3 n = wp_sharpen(vf3_scale(vf3_scale(s->offset, scale), s->inverse)), zero = vf3_zero();
	const vf world = vf_mul(lower, unscale);
	return (wp_answer){.separation = world,
		.lower = world,
		.upper = is_contact ? vf_mul(upper, unscale) : vf_set(WP_INFINITY),
		.normal = n,
		.point_a = is_contact ? vf3_scale(n, s->radius_a) : zero,
		.point_b = is_contact ? vf3_sub(s->offset, vf3_scale(n, s->radius_b)) : zero,
		.state = vi_select(proven, vi_set(WP_JOB_BEYOND), vi_set(WP_JOB_STRONG)),
		.status = vi_set(is_contact ? WP_JOB_SEPARATED | WP_JOB_PROVEN_BEYOND : WP_JOB_SEPARATED)};
}

WP_INLINE void wp_spheres_details(wp_jobs *jobs, uint32_t at, const wp_spheres *s, const wp_answer *r)
{
	const float *const input = wp_input_of_job(jobs, at);
	const vi quad = vi_scaled_lanes(WP_INPUT_COUNT);
	const vf33 frame_a = vfq_to_matrix(vfq_of(wp_load_input(input, quad, WP_INPUT_ROTATION_A)));
	const vf33 frame_b = vfq_to_matrix(vfq_of(wp_load_input(input, quad, WP_INPUT_ROTATION_B)));
	vf3 local_a = vf3_zero(), local_b = vf3_zero();
	if (jobs->query == WP_QUERY_CONTACT) {
		local_a = vf33_apply_transposed(&frame_a, r->point_a);
		local_b = vf33_apply_transposed(&frame_b, vf3_sub(r->point_b, s->offset));
	}
	wp_put_details(jobs, at, WP_ALL_LANES, local_a, local_b, r->normal);
}

WP_INLINE void wp_spheres_block(wp_jobs *jobs, uint32_t at, const wp_spheres *s)
{
	const vf bounds = vf_mul(s->bounds, s->scale);
	wp_prepared p;
	p.origin = s->origin;
	p.scale = s->scale;
	p.radius_a = s->radius_a;
	p.radius_b = s->radius_b;
	p.rounding = wp_pose_rounding(jobs->terms, bounds, s->distance);
	p.terms = jobs->terms;
	wp_answer answer = wp_spheres_answer(jobs, s, &p);
	vi_store(jobs->gjk_steps + at, vi_zero());
	vi_store(jobs->epa_steps + at, vi_zero());
	if (jobs->wants_details)
		wp_spheres_details(jobs, at, s, &answer);
	wp_put_answer(jobs, at, WP_ALL_LANES, &p, &answer);
}

#if WP_WIDTH == 1

/* Answer every job. */
WP_INLINE void wp_spheres_run(wp_jobs *jobs)
{
	for (uint32_t at = 0; at < jobs->count; at++) {
		wp_spheres spheres;
		wp_load_spheres(jobs, at, &spheres);
		wp_spheres_block(jobs, at, &spheres);
	}
}

#else

/* Jobs that are passed twice, for a core to have several blocks under way: one is a long chain of steps that wait for each
 * other. Of single lanes it has so already. */
#define WP_SPHERES_JOBS 64

WP_NOINLINE void wp_spheres_first(const wp_jobs *jobs, uint32_t at, uint32_t end, wp_spheres *s)
{
	for (; at < end; at += WP_WIDTH)
		wp_load_spheres(jobs, at, s++);
}

WP_NOINLINE void wp_spheres_second(wp_jobs *jobs, uint32_t at, uint32_t end, const wp_spheres *s)
{
	for (; at < end; at += WP_WIDTH)
		wp_spheres_block(jobs, at, s++);
}

/* Answer every job. Lanes past the last one compute on whatever is there; nobody reads them. */
WP_INLINE void wp_spheres_run(wp_jobs *jobs)
{
	wp_spheres spheres[WP_SPHERES_JOBS / WP_WIDTH];
	for (uint32_t at = 0; at < jobs->count; at += WP_SPHERES_JOBS) {
		const uint32_t left = jobs->count - at, end = at + (left < WP_SPHERES_JOBS ? left : WP_SPHERES_JOBS);
		wp_spheres_first(jobs, at, end, spheres);
		wp_spheres_second(jobs, at, end, spheres);
	}
}

#endif

#endif
