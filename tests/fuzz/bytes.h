/* Fuzz input as numbers, taken one after the other; zero once it is used up. */
#ifndef TESTS_FUZZ_BYTES_H
#define TESTS_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/fill.h"

/* What a target found: a broken promise. */
#define REQUIRE(condition)                                                          \
	do {                                                                            \
		if (!(condition)) {                                                         \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                \
		}                                                                           \
	} while (0)

typedef struct bytes {
	const uint8_t *at;
	size_t left;
} bytes;

static inline void take(bytes *b, void *to, size_t size)
{
	const size_t got = size < b->left ? size : b->left;
	memset(to, 0, size);
	memcpy(to, b->at, got);
	b->at += got;
	b->left -= got;
}

static inline uint32_t take_below(bytes *b, uint32_t limit)
{
	uint8_t value;
	take(b, &value, sizeof value);
	return value % limit;
}

/* A number: of a lattice most of the time, where shapes touch exactly; else any bits at all. */
static inline float take_number(bytes *b)
{
	const uint32_t kind = take_below(b, 256);
	if (kind < 224)
		return ((float)kind - 112.0f) / 16.0f;
	float any;
	take(b, &any, sizeof any);
	return any;
}

static inline float take_length(bytes *b)
{
	const float number = take_number(b);
	return number < 0.0f && number > -8.0f ? -number : number;
}

/* Memory of exactly this size, so that reading past its end is seen; aligned as the library requires. */
static inline void *aligned_memory(size_t size)
{
	void *memory = NULL;
	REQUIRE(posix_memalign(&memory, 64, size != 0 ? size : 1) == 0);
	return memory;
}

/* The first pattern of an input: of its last byte, which mostly means nothing else. */
static inline uint32_t pattern_of(const bytes *b) { return b->left != 0 ? b->at[b->left - 1] : 0; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
