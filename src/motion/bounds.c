/* Boxes around bodies, for the broadphase. */
#include "motion/bounds.h"
#include "core/environment.h"

/* More than what a side of a box is rounded by in double, relative to where the body is and how far it reaches. */
#define SIDE_ROUNDING 1e-14

wp_error wp_bounds_check(
	const wp_float_column *lower, const wp_float_column *upper, size_t first, size_t count, size_t bodies)
{
	const size_t vector = 3 * sizeof(float);
	return lower == NULL || upper == NULL || lower->data == NULL || upper->data == NULL ? WP_ERROR_NULL_BOUNDS
	     : WP_IS_SHORT(*lower, vector) || WP_IS_SHORT(*upper, vector)                   ? WP_ERROR_BOUNDS_STRIDE
	     : count != 0 && (first > bodies || count > bodies - first)                     ? WP_ERROR_PAIR_RANGE
	                                                                                    : WP_OK;
}

wp_bounds_rows wp_bounds_rows_of(const wp_float_column *lower, const wp_float_column *upper, float max_separation)
{
	const size_t vector = 3 * sizeof(float);
	return (wp_bounds_rows){(unsigned char *)lower->data, (unsigned char *)upper->data,
		{wp_or_packed(lower->stride, vector), wp_or_packed(upper->stride, vector)}, (double)max_separation / 2};
}

void wp_bounds_put(const wp_bounds_rows *rows, size_t body, const double position[3], const wp_extent *extent,
	double radius, double size)
{
	float lower[3], upper[3];
	for (int k = 0; k < 3; k++) {
		const double at = position[k], rounding = SIDE_ROUNDING * (wp_abs(at) + size);
		const double out = radius + (rows->more + rounding);
		lower[k] = wp_round_down(at - (extent->low[k] + out));
		upper[k] = -wp_round_down(-(at + (extent->high[k] + out)));
	}
	memcpy(rows->lower + body * rows->stride[0], lower, sizeof lower);
	memcpy(rows->upper + body * rows->stride[1], upper, sizeof upper);
}

void wp_bounds_put_none(const wp_bounds_rows *rows, size_t body)
{
	for (int k = 0; k < 3; k++) {
		const float lower = WP_INFINITY, upper = -WP_INFINITY;
		memcpy(rows->lower + body * rows->stride[0] + (size_t)k * sizeof lower, &lower, sizeof lower);
		memcpy(rows->upper + body * rows->stride[1] + (size_t)k * sizeof upper, &upper, sizeof upper);
	}
}

void wp_bounds_put_core(const wp_bounds_rows *rows, const wp_core *core, const wp_side *side)
{
	const wp_d33 axes = wp_d33_of_rotation(side->rotation);
	const double radius = core->kind == WP_CORE_HALF_SPACE ? (double)WP_INFINITY : (double)core->radius;
	wp_extent extent;
	for (int k = 0; k < 3; k++) {
		extent.high[k] = wp_core_reach(core, axes.row[k]);
		extent.low[k] = wp_core_reach(core, wp_d3_negate(axes.row[k]));
	}
	wp_bounds_put(rows, side->body, side->position, &extent, radius, (double)core->bound + (double)core->radius);
}

wp_error wp_bodies_bounds(const wp_batch *batch, const wp_contact_options *options, const wp_float_column *lower,
	const wp_float_column *upper)
{
	const wp_request request = wp_request_of_contact(WP_3D, options);
	wp_error error = wp_check_bodies_of(batch, &request);
	if (error == WP_OK)
		error = wp_bounds_check(lower, upper, batch->first, batch->count, batch->a.count);
	if (error != WP_OK || batch->count == 0)
		return error;
	const wp_environment before = wp_environment_enter();
	const wp_results nowhere = {.separation = {.data = NULL}};
	const wp_call call = wp_make_call(batch, &nowhere, &request);
	const wp_bounds_rows rows = wp_bounds_rows_of(lower, upper, call.max_separation);
	for (size_t body = batch->first; body < batch->first + batch->count; body++) {
		wp_side side = {.body = (uint32_t)body, .has_body = true};
		if (wp_read_side(&call, WP_3D, call.a.position_real, &call.a, &side) == 0)
			wp_bounds_put_core(&rows, &call.cores[side.shape], &side);
		else
			wp_bounds_put_none(&rows, body);
	}
	wp_environment_leave(before);
	return WP_OK;
}
