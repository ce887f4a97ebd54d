/* Pairs with a half-space as kernels take them: the inputs of the other shape come first. */
#ifndef WP_BATCH_GROUND_H
#define WP_BATCH_GROUND_H

#include "batch/workspace.h"
#include "shape/half_space.h"

/* One side of such a pair. */
typedef struct wp_ground_side {
	const wp_core *core;
	const void *rotation;
	double position[3];
} wp_ground_side;

/* Write the inputs of a job. Where the other shape is in the frame of the half-space is found in double: both positions may be far
 * from each other, and the surface near. Points are counted from the other shape's position, or from the origin if positions are
 * floats. Positions that are not all `inside` are not a number there. */
WP_INLINE_LARGE void wp_pack_half_space(
	float *input, const wp_ground_side *space, const wp_ground_side *other, bool inside, bool has_floats)
{
	float *const from = input + 4 * WP_INPUT_POSITION_A, *const to = input + 4 * WP_INPUT_POSITION_B;
	double between[3];
	memcpy(input + 4 * WP_INPUT_ROTATION_A, other->rotation, 4 * sizeof *input);
	memcpy(input + 4 * WP_INPUT_ROTATION_B, space->rotation, 4 * sizeof *input);
	for (int k = 0; k < 3; k++) {
		from[k] = has_floats ? (float)other->position[k] : 0.0f;
		between[k] = inside ? other->position[k] - space->position[k] : (double)WP_NAN;
	}
	wp_to_local(input + 4 * WP_INPUT_ROTATION_B, between, to);
	from[3] = other->core->bound;
	to[3] = space->core->radius;
}

/* Where down is in the frames of the shapes above half-spaces, found in double: contacts are as exact as that. */
WP_INLINE_LARGE void wp_find_down(wp_jobs *jobs)
{
	for (uint32_t i = 0; i < jobs->count; i++) {
		const float *const input = wp_input_of_job(jobs, i);
		double normal[3];
		wp_half_space_normal(input + 4 * WP_INPUT_ROTATION_B, normal);
		for (int k = 0; k < 3; k++)
			normal[k] = -normal[k];
		wp_to_local(input + 4 * WP_INPUT_ROTATION_A, normal, jobs->down + (size_t)4 * i);
	}
}

#endif
