/* Boxes around bodies, for the broadphase. */
#include "batch/read.h"
#include "core/environment.h"
#include "motion/path.h"

/* More than what a side of a box is rounded by in double, relative to where the body is and how far it reaches. */
#define SIDE_ROUNDING 1e-14

static wp_error check_columns(const wp_float_column *lower, const wp_float_column *upper)
{
	const size_t vector = 3 * sizeof(float);
	return lower == NULL || upper == NULL || lower->data == NULL || upper->data == NULL ? WP_ERROR_NULL_BOUNDS
	     : WP_IS_SHORT(*lower, vector) || WP_IS_SHORT(*upper, vector)                   ? WP_ERROR_BOUNDS_STRIDE
	                                                                                    : WP_OK;
}

/* The box of a body; without a volume where it is none, or invalid. */
static void find_box(const wp_call *call, size_t body, double more, float lower[3], float upper[3])
{
	wp_side side = {.body = (uint32_t)body, .has_body = body < call->a.count};
	for (int k = 0; k < 3; k++) {
		lower[k] = WP_INFINITY;
		upper[k] = -WP_INFINITY;
	}
	if (wp_read_side(call, WP_3D, call->a.position_real, &call->a, &side) != 0)
		return;
	const wp_core *const core = &call->cores[side.shape];
	const bool is_space = core->kind == WP_CORE_HALF_SPACE;
	const wp_d33 axes = wp_d33_of_rotation(side.rotation);
	const double radius = (double)core->radius, reach = (double)core->bound + radius;
	for (int k = 0; k < 3; k++) {
		const wp_d3 axis = axes.row[k];
		const double at = side.position[k], rounding = SIDE_ROUNDING * (wp_abs(at) + reach);
		const double out = is_space ? (double)WP_INFINITY : radius + (more + rounding);
		lower[k] = wp_round_down(at - (wp_core_reach(core, wp_d3_negate(axis)) + out));
		upper[k] = -wp_round_down(-(at + (wp_core_reach(core, axis) + out)));
	}
}

wp_error wp_bodies_bounds(const wp_batch *batch, const wp_contact_options *options, const wp_float_column *lower,
	const wp_float_column *upper)
{
	const wp_request request = wp_request_of_contact(WP_3D, options);
	wp_error error = wp_check_bodies_of(batch, &request);
	if (error == WP_OK)
		error = check_columns(lower, upper);
	if (error != WP_OK || batch->count == 0)
		return error;
	const wp_environment before = wp_environment_enter();
	const wp_results nowhere = {.separation = {.data = NULL}};
	const wp_call call = wp_make_call(batch, &nowhere, &request);
	const size_t vector = 3 * sizeof(float);
	const size_t stride[2] = {wp_or_packed(lower->stride, vector), wp_or_packed(upper->stride, vector)};
	for (size_t body = batch->first; body < batch->first + batch->count; body++) {
		float box[2][3];
		find_box(&call, body, (double)call.max_separation / 2, box[0], box[1]);
		memcpy((char *)lower->data + body * stride[0], box[0], sizeof box[0]);
		memcpy((char *)upper->data + body * stride[1], box[1], sizeof box[1]);
	}
	wp_environment_leave(before);
	return WP_OK;
}
