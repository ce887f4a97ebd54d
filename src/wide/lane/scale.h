/* What kernels in 3D and in 2D count lengths in, which lengths they are made for, and which lanes
 * of a block hold a job. */
#ifndef WP_WIDE_LANE_SCALE_H
#define WP_WIDE_LANE_SCALE_H

#include "core/capacity.h"
#include "wide/lane/vec.h"

/* The power of two that brings a size into [1/2, 1). Exact, so that scaling both shapes and their poses by a
 * power of two scales the answer bit for bit. */
WP_INLINE vf wp_scale_of(vf size)
{
	const vi exponent = vi_and(vi_shift_right(vi_from_bits(size), 23), vi_set(0xff));
	return vf_from_bits(vi_shift_left(vi_sub(vi_set(253), exponent), 23));
}

/* 1 / scale, exact as both are powers of two. */
WP_INLINE vf wp_inverse_scale(vf scale) { return vf_from_bits(vi_sub(vi_set(254 << 23), vi_from_bits(scale))); }

/* Whether a size is in the kernels' range. */
WP_INLINE vm wp_is_in_range(vf size)
{
	return vm_and(vf_ge(size, vf_set(WP_SIZE_MIN)), vf_le(size, vf_set(WP_POSITION_MAX)));
}

/* And whether radii are, which cores of that size are rounded by. */
WP_INLINE vm wp_are_in_range(vf size, vf radii)
{
	return vm_and(wp_is_in_range(size), vf_le(radii, vf_mul(size, vf_set(WP_RADIUS_RATIO_MAX))));
}

/* Whether a squared length belongs to a vector whose length is within 1e-2 of 1; not where it is NaN or infinite. */
WP_INLINE vm wp_is_about_unit(vf length2)
{
	return vm_and(vf_ge(length2, vf_set(WP_UNIT_SQUARED_MIN)), vf_le(length2, vf_set(WP_UNIT_SQUARED_MAX)));
}

/* Lanes of the block at `at` that hold one of `count` jobs. */
WP_INLINE uint32_t wp_present_lanes(uint32_t count, uint32_t at)
{
	return count - at < WP_WIDTH ? (1u << (count - at)) - 1u : WP_ALL_LANES;
}

#endif
