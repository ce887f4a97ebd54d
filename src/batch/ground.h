/* Pairs with a half-space as kernels take them: the inputs of the other shape come first. */
#ifndef WP_BATCH_GROUND_H
#define WP_BATCH_GROUND_H

#include "batch/workspace.h"

/* One side of such a pair. */
typedef struct wp_ground_side {
	const wp_core *core;
	const void *rotation;
	double position[3];
} wp_ground_side;

/* Write the inputs of a job. Where the other shape is in the frame of the half-space is found in double: both positions may be far
 * from each other, and the surface near. Points are counted from the other shape's position, or from the origin if positions are
 * floats. Positions that are not all `inside` are not a number there. */
void wp_pack_half_space(
	float *input, const wp_ground_side *space, const wp_ground_side *other, bool inside, bool has_floats);

/* Find where down is in the frames of the shapes above half-spaces, in double: contacts are as exact as that. */
void wp_find_down(wp_jobs *jobs);

#endif
