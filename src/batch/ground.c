#include "batch/ground.h"
#include "shape/half_space.h"

void wp_pack_half_space(
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

void wp_find_down(wp_jobs *jobs)
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
