/* Magnitudes and lengths by their bits, in integers alone. So a bound has the same bits under every
 * rounding mode and flush-to-zero state, and denormal numbers count like any others. */
#ifndef WP_CORE_LENGTH_H
#define WP_CORE_LENGTH_H

#include "core/base.h"
#include "widephase/query.h"

/* Bits of |value|. They order as the magnitudes do, with infinity and then NaN above all numbers. */
WP_INLINE uint32_t wp_magnitude_bits(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits & 0x7fffffffu;
}

/* Whether |value| <= WP_COORDINATE_MAX; false for NaN and infinity. */
WP_INLINE bool wp_is_coordinate(float value)
{
	return wp_magnitude_bits(value) <= wp_magnitude_bits(WP_COORDINATE_MAX);
}

WP_INLINE bool wp_are_coordinates(const float v[3])
{
	return wp_is_coordinate(v[0]) && wp_is_coordinate(v[1]) && wp_is_coordinate(v[2]);
}

/* Whether value < 0; false for -0. */
WP_INLINE bool wp_is_negative(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits > 0x80000000u;
}

/* |value|: for a length that is known to be >= 0 it makes +0 of -0. */
WP_INLINE float wp_magnitude(float value)
{
	const uint32_t bits = wp_magnitude_bits(value);
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Exponent of a finite float as stored, with denormal numbers in the range of exponent 1. */
WP_INLINE uint32_t wp_float_exponent(float value)
{
	const uint32_t exponent = wp_magnitude_bits(value) >> 23;
	return exponent == 0 ? 1 : exponent;
}

/* Least integer n such that n steps of the exponent `top` reach |value|. A step is 1/128 of the float
 * spacing of that exponent; n < 2^31 as long as value's exponent is at most `top`. */
WP_INLINE uint64_t wp_steps_up(float value, uint32_t top)
{
	/* The mantissa, whose hidden bit only denormal numbers lack: those have the exponent 1, too. */
	const uint32_t exponent = wp_float_exponent(value), mantissa = wp_magnitude_bits(value) - ((exponent - 1) << 23);
	const uint64_t steps = (uint64_t)mantissa << 7;
	/* Of less than 2^32, shifted by 32 or more, there is left a 1 or nothing. */
	const uint32_t shift = top - exponent < 32 ? top - exponent : 32;
	return (steps + (1ull << shift) - 1) >> shift;
}

/* Least float that is at least n steps of the exponent `top`. */
WP_INLINE float wp_float_of_steps_up(uint64_t steps, uint32_t top)
{
	uint32_t drop = 7;
	while ((steps + (1ull << drop) - 1) >> drop >= 1u << 24)
		drop++;
	const uint32_t mantissa = (uint32_t)((steps + (1ull << drop) - 1) >> drop);
	/* The mantissa's own top bit adds 1 to the exponent field, except in a denormal number. */
	const uint32_t bits = ((top + drop - 8) << 23) + mantissa;
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Least integer whose square is at least `square`, for square <= 3 * 2^62. The root of the square as a double is within 1 of
 * it, whatever way the machine rounds. */
WP_INLINE uint64_t wp_square_root_up(uint64_t square)
{
	uint64_t root = (uint64_t)wp_sqrt((double)square);
	root -= root * root > square;
	root += (root + 1) * (root + 1) <= square;
	return root + (root * root < square);
}

/* a + b, rounded up. Both are finite and >= 0, and so is the sum. */
WP_INLINE float wp_sum_up(float a, float b)
{
	const uint32_t exponent_a = wp_float_exponent(a);
	const uint32_t exponent_b = wp_float_exponent(b);
	const uint32_t top = exponent_a > exponent_b ? exponent_a : exponent_b;
	return wp_float_of_steps_up(wp_steps_up(a, top) + wp_steps_up(b, top), top);
}

/* Largest magnitudes along each axis of points whose arrays x, y and z are `padded` apart. */
WP_INLINE void wp_extents_of(const float *x, size_t padded, size_t count, float half[3])
{
	for (size_t axis = 0; axis < 3; axis++) {
		uint32_t most = 0;
		for (size_t i = 0; i < count; i++) {
			const uint32_t bits = wp_magnitude_bits(x[axis * padded + i]);
			most = bits > most ? bits : most;
		}
		memcpy(&half[axis], &most, sizeof most);
	}
}

/* Largest distance of the points (x[i], y[i], z[i]) from the origin, rounded up; coordinates within
 * WP_COORDINATE_MAX; z[i] is 0 where z is NULL. Never below the true distance, and at most one float above the least such
 * float. */
WP_INLINE_LARGE float wp_distance_bound(const float *x, const float *y, const float *z, size_t count)
{
	uint32_t top = 1;
	for (size_t i = 0; i < count; i++) {
		const uint32_t exponents[3] = {
			wp_float_exponent(x[i]), wp_float_exponent(y[i]), z != NULL ? wp_float_exponent(z[i]) : 1};
		for (int axis = 0; axis < 3; axis++)
			top = exponents[axis] > top ? exponents[axis] : top;
	}
	uint64_t largest = 0;
	for (size_t i = 0; i < count; i++) {
		const uint64_t sx = wp_steps_up(x[i], top);
		const uint64_t sy = wp_steps_up(y[i], top);
		const uint64_t sz = z != NULL ? wp_steps_up(z[i], top) : 0;
		const uint64_t square = sx * sx + sy * sy + sz * sz;
		largest = square > largest ? square : largest;
	}
	return wp_float_of_steps_up(wp_square_root_up(largest), top);
}

/* How near to a float, in units of the last place of a double, the length of a vector in double may be for its true one to be
 * on the other side. Beside what rounds in double, wp_distance_bound takes each coordinate less than a step larger than it is,
 * where it is below 2^-7 of the largest one, which has 2^30 steps or more: the length becomes less than 2^-35 larger. */
#define WP_LENGTH_DOUBT (UINT64_C(1) << 18)

/* Lengths that a coordinate which a machine takes for zero, because it is denormal, does not change. */
#define WP_LENGTH_PLAIN 0x1p-90

/* wp_distance_bound of one point, with the same bits: rounded up from its length in double, unless that is in doubt. */
WP_INLINE float wp_point_bound(const float point[3])
{
	const double x = (double)point[0], y = (double)point[1], z = (double)point[2];
	const double length = wp_sqrt((x * x + y * y) + z * z);
	const uint64_t below_float = (UINT64_C(1) << 29) - 1;
	uint64_t bits;
	memcpy(&bits, &length, sizeof bits);
	if (!(length >= WP_LENGTH_PLAIN) || ((bits + WP_LENGTH_DOUBT) & below_float) <= 2 * WP_LENGTH_DOUBT)
		return wp_distance_bound(&point[0], &point[1], &point[2], 1);
	/* A float has 29 bits less behind the point, and exponents that are 896 less. */
	const uint32_t float_bits = (uint32_t)((bits + below_float) >> 29) - (896u << 23);
	float bound;
	memcpy(&bound, &float_bits, sizeof bound);
	return bound;
}

#endif
