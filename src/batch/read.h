/* From the caller's memory: the bodies of a row, each number read once. Whatever other threads write there meanwhile, what
 * was checked is what is used. Inlined where the dimension and the kind of numbers are known. */
#ifndef WP_BATCH_READ_H
#define WP_BATCH_READ_H

#include "batch/call.h"

#define WP_NO_SHAPE UINT32_MAX

/* One body of a row, and its shape. */
typedef struct wp_side {
	uint32_t body, shape; /* WP_NO_SHAPE: none that is valid */
	bool has_body;        /* whether there is such a body; else nothing more is known */
	double position[3];
	float rotation[4];
} wp_side;

/* One row of a call, read and judged. */
typedef struct wp_input {
	wp_side a, b;
	uint32_t invalid; /* WP_STATUS_INVALID and its reasons, or 0 */
} wp_input;

/* The body that a row names, and whether there is such a body. */
WP_INLINE uint32_t wp_body_of_row(const uint32_t *pair, size_t stride, size_t row, size_t body_count, bool *inside)
{
	if (pair == NULL) {
		*inside = row < body_count;
		return (uint32_t)row;
	}
	const uint32_t body = wp_read_once(wp_offset(pair, row * stride));
	*inside = body < body_count;
	return body;
}

/* The shape that a body names, `offset` bytes on in bodies->shape; it may be none. */
WP_INLINE uint32_t wp_shape_of_body(const wp_bodies *bodies, uint32_t body, size_t offset)
{
	return bodies->shape.data != NULL ? wp_read_once(wp_offset(bodies->shape.data, offset)) : body;
}

/* A number that differs between a shape of a table and all others that had or will have its index; WP_NO_SHAPE where the
 * index is out of range. */
WP_INLINE uint32_t wp_serial_of_shape(const wp_shape_table *shapes, uint32_t shape)
{
	if (shapes->serials == NULL)
		return shape;
	return shape < shapes->count ? shapes->serials[shape] : WP_NO_SHAPE;
}

/* The core of a shape; NULL where the index is out of range or the shape invalid. */
WP_INLINE const wp_core *wp_core_of_table(const wp_shape_table *shapes, uint32_t shape)
{
	return shape < shapes->count && shapes->cores[shape].kind != WP_CORE_INVALID ? &shapes->cores[shape] : NULL;
}

/* False for NaN, infinity and what is too large to answer for. */
WP_INLINE bool wp_read_position(
	const wp_bodies *bodies, size_t body, size_t dimension, uint32_t real, double position[3])
{
	const void *at = wp_offset(bodies->position.data, body * bodies->position.stride);
	if (real == WP_REAL_DOUBLE) {
		memcpy(position, at, dimension * sizeof(double));
	} else {
		float single[3];
		memcpy(single, at, dimension * sizeof(float));
		for (size_t i = 0; i < dimension; i++)
			position[i] = (double)single[i];
	}
	bool inside = true;
	for (size_t i = 0; i < dimension; i++)
		inside &= wp_abs(position[i]) <= (double)WP_COORDINATE_MAX;
	return inside;
}

/* False for NaN and infinity, and for a length further than 1e-2 from 1, as kernels have it. */
WP_INLINE bool wp_rotation_holds(const float *rotation, size_t dimension)
{
	float length2 = rotation[0] * rotation[0] + rotation[1] * rotation[1];
	if (dimension == WP_3D)
		length2 += rotation[2] * rotation[2] + rotation[3] * rotation[3];
	return length2 >= WP_UNIT_SQUARED_MIN && length2 <= WP_UNIT_SQUARED_MAX;
}

WP_INLINE bool wp_read_rotation(const wp_bodies *bodies, size_t body, size_t dimension, float rotation[4])
{
	memcpy(rotation, wp_offset(bodies->rotation.data, body * bodies->rotation.stride),
		wp_rotation_numbers(dimension) * sizeof(float));
	return wp_rotation_holds(rotation, dimension);
}

/* One side of a row. The reasons of side B are 4 bits above the same ones of side A. */
WP_INLINE uint32_t wp_read_side(
	const wp_call *call, size_t dimension, uint32_t real, const wp_bodies *bodies, wp_side *side)
{
	const size_t body = side->body;
	side->shape = WP_NO_SHAPE;
	if (!side->has_body)
		return WP_STATUS_INVALID_BODY_A;
	const uint32_t shape = wp_shape_of_body(bodies, side->body, body * bodies->shape.stride);
	if (shape < call->core_count &&
		(dimension == WP_3D ? call->cores[shape].kind != WP_CORE_INVALID : call->cores_2d[shape].count != 0))
		side->shape = shape;
	uint32_t invalid = side->shape == WP_NO_SHAPE ? WP_STATUS_INVALID_SHAPE_A : 0;
	if (!wp_read_position(bodies, body, dimension, real, side->position))
		invalid |= WP_STATUS_INVALID_POSITION_A;
	if (!wp_read_rotation(bodies, body, dimension, side->rotation))
		invalid |= WP_STATUS_INVALID_ROTATION_A;
	return invalid;
}

WP_INLINE_LARGE void wp_read_row_of(const wp_call *call, size_t dimension, uint32_t real, uint32_t row, wp_input *input)
{
	const size_t at = call->first + row;
	wp_side *const a = &input->a, *const b = &input->b;
	a->body = wp_body_of_row(call->pair_a.data, call->pair_a.stride, at, call->a.count, &a->has_body);
	b->body = wp_body_of_row(call->pair_b.data, call->pair_b.stride, at, call->b.count, &b->has_body);
	const uint32_t invalid_a = wp_read_side(call, dimension, real, &call->a, a);
	const uint32_t invalid_b = wp_read_side(call, dimension, real, &call->b, b);
	input->invalid = invalid_a | invalid_b << 4;
	if (dimension == WP_3D && !input->invalid && call->cores[a->shape].kind == WP_CORE_HALF_SPACE &&
		call->cores[b->shape].kind == WP_CORE_HALF_SPACE)
		input->invalid = WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_SHAPE_B;
	if (input->invalid)
		input->invalid |= WP_STATUS_INVALID;
}

/* Read row `row` of the call. Nothing but `invalid` and the bodies is meaningful when it is not 0. */
void wp_read_row(const wp_call *call, uint32_t row, wp_input *input);

#endif
