/* What every source file may use: extensions of C, assertions, alignment, offsets. */
#ifndef WP_CORE_BASE_H
#define WP_CORE_BASE_H

#include "core/compiler.h"
#include "core/extensions.h"

#include "widephase/base.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* One name of two, either of which may be a macro. */
#define WP_JOIN_(a, b) a##b
#define WP_JOIN(a, b) WP_JOIN_(a, b)

/* A belief about logic: checked in debug builds. */
#define WP_ASSERT(condition) assert(condition)

#define WP_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

WP_INLINE size_t wp_round_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

WP_INLINE bool wp_is_aligned(const void *pointer, size_t alignment) { return (uintptr_t)pointer % alignment == 0; }

/* Whether a number is a length, zero or more: by its bits, since a caller's processor may take the smallest numbers for zero. */
WP_INLINE bool wp_is_length(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits <= 0x7f800000u || bits == 0x80000000u;
}

/* Whether two things have the same bytes, of whole words. */
WP_INLINE bool wp_are_same_words(const void *a, const void *b, size_t size)
{
	uint32_t differ = 0;
	for (size_t at = 0; at < size; at += sizeof differ) {
		uint32_t of_a, of_b;
		memcpy(&of_a, (const char *)a + at, sizeof of_a);
		memcpy(&of_b, (const char *)b + at, sizeof of_b);
		differ |= of_a ^ of_b;
	}
	return differ == 0;
}

/* A value that was read from the caller's memory, as it is now: a compiler may not read it again after it was checked.
 * Whatever another thread writes there meanwhile, an index in range stays in range. */
WP_INLINE uint32_t wp_read_once(const void *at)
{
	uint32_t value;
	memcpy(&value, at, sizeof value);
	return wp_opaque(value);
}

/* The same as a number that addresses are made of. */
WP_INLINE size_t wp_read_index(const void *at)
{
	uint32_t value;
	memcpy(&value, at, sizeof value);
	return wp_opaque_size(value);
}

/* Pointer `bytes` past `base`, where base may be any object pointer. */
WP_INLINE const void *wp_offset(const void *base, size_t bytes) { return (const char *)base + bytes; }

/* The oldest headers whose structs this library knows (CONTRIBUTING.md, When a struct grows). Structs are the same in all
 * patch releases of a series, also later ones. */
#define WP_VERSION_OLDEST 100u

WP_INLINE bool wp_knows_version(uint32_t version)
{
	return version >= WP_VERSION_OLDEST && version / 100 <= WP_VERSION_NUMBER / 100;
}

/* A stride of the caller's, of which 0 stands for a packed array. */
WP_INLINE size_t wp_or_packed(size_t stride, size_t packed) { return stride != 0 ? stride : packed; }

/* Whether elements of an array that is there would overlap at this stride, in bytes; 0 stands for a packed array. */
WP_INLINE bool wp_is_short(const void *array, size_t stride, size_t element)
{
	return array != NULL && stride != 0 && stride < element;
}

/* The same of a column (widephase/base.h), of whatever type. */
#define WP_IS_SHORT(column, element) wp_is_short((column).data, (column).stride, element)

/* Finite, by its bits: exact under any floating-point environment and any optimisation. */
WP_INLINE bool wp_is_finite_float(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return (bits & 0x7f800000u) != 0x7f800000u;
}

WP_INLINE bool wp_is_finite_double(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return (bits & 0x7ff0000000000000u) != 0x7ff0000000000000u;
}

/* The next float below a finite value. */
WP_INLINE float wp_next_below(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	bits = (bits & 0x7fffffffu) == 0 ? 0x80000001u : bits + ((bits >> 31) * 2 - 1);
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* The largest float that is not above a value, without a branch, which would be taken half the time. The bits are opaque because GCC 12
 * is known to drop a conversion to float and back when it vectorises two of them. */
WP_INLINE float wp_round_down(double value)
{
	float rounded = (float)value, below;
	uint32_t bits, other;
	memcpy(&bits, &rounded, sizeof bits);
	bits = wp_opaque(bits);
	memcpy(&rounded, &bits, sizeof rounded);
	below = wp_next_below(rounded);
	memcpy(&other, &below, sizeof other);
	const uint32_t is_above = (double)rounded <= value ? 0 : UINT32_MAX;
	bits ^= (bits ^ other) & is_above;
	memcpy(&rounded, &bits, sizeof rounded);
	return rounded;
}

#endif
