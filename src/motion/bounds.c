/* Boxes around bodies, for the broadphase. */
#include "motion/bounds.h"
#include "core/environment.h"

/* More than what a side of a box is rounded by in double, relative to where the body is and how far it reaches. */
#define SIDE_ROUNDING 1e-14

wp_error wp_bounds_check(const wp_bounds *bounds, size_t first, size_t count, size_t bodies)
{
	if (bounds == NULL || bounds->lower.data == NULL || bounds->upper.data == NULL)
		return WP_ERROR_NULL_BOUNDS;
	if (bounds->real > WP_REAL_DOUBLE)
		return WP_ERROR_BOUNDS_REAL;
	const size_t vector = wp_point_size(bounds->real, WP_3D);
	return WP_IS_SHORT(bounds->lower, vector) || WP_IS_SHORT(bounds->upper, vector) ? WP_ERROR_BOUNDS_STRIDE
	     : count != 0 && (first > bodies || count > bodies - first)                 ? WP_ERROR_PAIR_RANGE
	                                                                                : WP_OK;
}

wp_bounds_rows wp_bounds_rows_of(const wp_bounds *bounds, float max_separation)
{
	const size_t vector = wp_point_size(bounds->real, WP_3D);
	wp_bounds_rows rows = {*bounds, (double)max_separation / 2};
	rows.bounds.lower.stride = wp_or_packed(bounds->lower.stride, vector);
	rows.bounds.upper.stride = wp_or_packed(bounds->upper.stride, vector);
	return rows;
}

/* Write one corner of a box, whose numbers are rounded down, times `sign`. */
static void put_corner(const wp_real_column *column, uint32_t real, size_t body, const double down[3], int sign)
{
	unsigned char *const to = (unsigned char *)column->data + body * column->stride;
	for (int k = 0; k < 3; k++) {
		const double exact = sign * down[k];
		const float rounded = (float)sign * wp_round_down(down[k]);
		if (real == WP_REAL_DOUBLE)
			memcpy(to + (size_t)k * sizeof exact, &exact, sizeof exact);
		else
			memcpy(to + (size_t)k * sizeof rounded, &rounded, sizeof rounded);
	}
}

void wp_bounds_put(const wp_bounds_rows *rows, size_t body, const double position[3], const wp_extent *extent,
	double radius, double size)
{
	double lower[3], upper[3];
	for (int k = 0; k < 3; k++) {
		const double at = position[k], rounding = SIDE_ROUNDING * (wp_abs(at) + size);
		const double out = radius + (rows->more + rounding);
		lower[k] = at - (extent->low[k] + out);
		upper[k] = -(at + (extent->high[k] + out));
	}
	put_corner(&rows->bounds.lower, rows->bounds.real, body, lower, 1);
	put_corner(&rows->bounds.upper, rows->bounds.real, body, upper, -1);
}

void wp_bounds_put_none(const wp_bounds_rows *rows, size_t body)
{
	const double none[3] = {(double)WP_INFINITY, (double)WP_INFINITY, (double)WP_INFINITY};
	put_corner(&rows->bounds.lower, rows->bounds.real, body, none, 1);
	put_corner(&rows->bounds.upper, rows->bounds.real, body, none, -1);
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

wp_error wp_bodies_bounds(const wp_batch *batch, const wp_contact_options *options, const wp_bounds *bounds)
{
	const wp_request request = wp_request_of_contact(WP_3D, options);
	wp_error error = wp_check_bodies_of(batch, &request);
	if (error == WP_OK)
		error = wp_bounds_check(bounds, batch->first, batch->count, batch->a.count);
	if (error != WP_OK || batch->count == 0)
		return error;
	const wp_environment before = wp_environment_enter();
	const wp_results nowhere = {.separation = {.data = NULL}};
	const wp_call call = wp_make_call(batch, &nowhere, &request);
	const wp_bounds_rows rows = wp_bounds_rows_of(bounds, call.max_separation);
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
