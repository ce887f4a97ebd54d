/* W2: from the caller's two world poses to one relative pose in the frame of A, scaled. */
#ifndef WP_WIDE_PREPARE_H
#define WP_WIDE_PREPARE_H

#include "bundle.h"
#include "wide/vec3.h"

WP_INLINE vfq wp_load_quaternion(float (*field)[WP_JOB_MAX], uint32_t at)
{
	return (vfq){vf_load(field[0] + at), vf_load(field[1] + at), vf_load(field[2] + at), vf_load(field[3] + at)};
}

WP_INLINE void wp_store_matrix(float (*field)[WP_JOB_MAX], uint32_t at, const vf33 *m)
{
	for (int i = 0; i < 3; i++)
		vf3_store(field[3 * i] + at, field[3 * i + 1] + at, field[3 * i + 2] + at, m->row[i]);
}

/* The power of two that brings a size into [1/2, 1). Exact, so that scaling both shapes and their poses
 * by a power of two scales the answer bit for bit. */
WP_INLINE vf wp_scale_of(vf size)
{
	const vi exponent = vi_and(vi_shift_right(vi_from_bits(size), 23), vi_set(0xff));
	return vf_from_bits(vi_shift_left(vi_sub(vi_set(253), exponent), 23));
}

/* Put the poses of jobs from `at` on to where lanes take them from. */
WP_INLINE void wp_store_poses(wp_jobs *jobs, uint32_t at, const vf33 *rotation, vf3 translation, vf scale)
{
	const vi job = vi_shift_left(vi_add(vi_set((int32_t)at), vi_lanes()), 2);
	const vf t[3] = {translation.x, translation.y, translation.z};
	for (int i = 0; i < 3; i++) {
		const vf3 row = rotation->row[i];
		vf4_scatter(jobs->pose + 4 * i, job, (vf4){row.x, row.y, row.z, t[i]});
	}
	vf4_scatter(jobs->pose + 12, job,
		(vf4){scale, vf_load(jobs->radius_a + at), vf_load(jobs->radius_b + at), vf_zero()});
}

/* Prepare all jobs. Lanes past the last job compute on whatever is there; nobody reads them. */
WP_INLINE void wp_prepare_run(wp_jobs *jobs)
{
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH) {
		const vfq qa = wp_load_quaternion(jobs->rotation_a, at), qb = wp_load_quaternion(jobs->rotation_b, at);
		const vf33 frame = vfq_to_matrix(qa);
		const vf33 rotation = vfq_to_matrix(vfq_relative(qa, qb));
		const vf3 offset = vf3_load(jobs->offset[0] + at, jobs->offset[1] + at, jobs->offset[2] + at);
		const vf far = vf_max(vf_abs(offset.x), vf_max(vf_abs(offset.y), vf_abs(offset.z)));
		const vf size = vf_max(vf_load(jobs->bound + at), far);
		const vf scale = wp_scale_of(size);
		const vf3 translation = vf33_apply_transposed(&frame, vf3_scale(offset, scale));
		vf_store(jobs->scale + at, scale);
		const vf distance = vf_sqrt(vf3_dot(translation, translation));
		vf_store(jobs->rounding + at, vf_add(vf_mul(vf_mul(vf_load(jobs->bounds + at), scale), vf_set(WP_SHAPE_ROUNDING)),
			vf_mul(distance, vf_set(WP_OFFSET_ROUNDING))));
		wp_store_matrix(jobs->frame_a, at, &frame);
		wp_store_poses(jobs, at, &rotation, translation, scale);
	}
}

/* Both radii, scaled. */
WP_INLINE vf wp_radii_of(vf scale, vf radius_a, vf radius_b) { return vf_mul(vf_add(radius_a, radius_b), scale); }

/* Cores further apart than this are proven to be as far apart as the query asks, after the bound has been
 * lowered by all rounding. */
WP_INLINE vf wp_limit_of(const wp_jobs *jobs, vf scale, vf radii)
{
	const vf reach = jobs->query == WP_QUERY_CONTACT ? vf_mul(vf_set(jobs->max_separation), scale)
		: jobs->query == WP_QUERY_OVERLAP ? vf_zero() : vf_set(__builtin_inff());
	const vf rounding = vf_add(vf_set(WP_KERNEL_ROUNDING), vf_mul(vf_set(3.0f * WP_RADIUS_ROUNDING), radii));
	return vf_mul(vf_add(vf_add(radii, reach), rounding), vf_set(1.0f + 2.0f * WP_GAP_ROUNDING));
}

/* The same for a block of jobs. */
WP_INLINE vf wp_limit_of_jobs(const wp_jobs *jobs, uint32_t at)
{
	const vf scale = vf_load(jobs->scale + at);
	return wp_limit_of(jobs, scale, wp_radii_of(scale, vf_load(jobs->radius_a + at), vf_load(jobs->radius_b + at)));
}

#endif
