/* The terms on which a bucket is solved. They are others with a smooth core: polytopes never end there, so searches
 * end at a bracket, and the answer is a witness of both its ends. */
#ifndef WP_WIDE_JOB_TERMS_H
#define WP_WIDE_JOB_TERMS_H

#include "job/job.h"

/* The most that rounding of points and poses can be in kernel units, where cores and each coordinate of the distance are
 * below 1, by the rounding of points. */
#define WP_KERNEL_ROUNDING_OF(points) (2.0f * (points) + 1.7320509f * WP_OFFSET_ROUNDING)
#define WP_KERNEL_ROUNDING WP_KERNEL_ROUNDING_OF(WP_SHAPE_ROUNDING)

/* Points of overlapping smooth cores that count as one: with the rounding of both, no further apart than the contract has it. */
#define WP_SMOOTH_COMMON_TOLERANCE (0.9f * (float)WP_CONTRACT_SMOOTH)

static const wp_terms wp_exact_terms = {.smooth = false,
	.gap_tolerance = WP_GJK_TOLERANCE,
	.gap_rebound = 2.0f * WP_GJK_TOLERANCE,
	.gap_slack = WP_GJK_SLACK,
	.depth_tolerance = WP_EPA_TOLERANCE,
	.full_tolerance = WP_EPA_TOLERANCE,
	.bracket_max = (float)WP_CONTRACT,
	.residual_max = (float)WP_CONTRACT,
	.common_tolerance = WP_COMMON_POINT_TOLERANCE,
	.common_good2 = 0.25f * WP_COMMON_POINT_TOLERANCE * WP_COMMON_POINT_TOLERANCE,
	.point_rounding = WP_SHAPE_ROUNDING,
	.kernel_rounding = WP_KERNEL_ROUNDING,
	.face_max = WP_EPA_FACE_MAX,
	.vertex_max = WP_EPA_VERTEX_MAX};

static const wp_terms wp_smooth_terms = {.smooth = true,
	.gap_tolerance = WP_SMOOTH_TOLERANCE,
	.gap_rebound = 2.0f * WP_SMOOTH_TOLERANCE,
	.gap_slack = 2.0f * WP_SMOOTH_TOLERANCE,
	.depth_tolerance = WP_SMOOTH_TOLERANCE,
	.full_tolerance = 2.0f * WP_SMOOTH_TOLERANCE,
	.bracket_max = (float)WP_CONTRACT_SMOOTH,
	.residual_max = WP_SMOOTH_RESIDUAL,
	.common_tolerance = WP_SMOOTH_COMMON_TOLERANCE,
	.common_good2 = 0.25f * (float)WP_CONTRACT_SMOOTH * (float)WP_CONTRACT_SMOOTH,
	.point_rounding = WP_SMOOTH_SHAPE_ROUNDING,
	.kernel_rounding = WP_KERNEL_ROUNDING_OF(WP_SMOOTH_SHAPE_ROUNDING),
	.face_max = WP_SMOOTH_FACE_MAX,
	.vertex_max = WP_SMOOTH_VERTEX_MAX};

#endif
