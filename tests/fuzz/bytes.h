/* Fuzz input as numbers, taken one after the other; zero once it is used up. */
#ifndef TESTS_FUZZ_BYTES_H
#define TESTS_FUZZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- what memory held before -------------------------------------------------------------------- */

/* Memory that the library is given holds anything: zeros, NaN, infinities, ones, or whatever. It must change no answer. */
enum { FILL_WORDS = 1021, FILLS = 5 };

typedef struct fill {
	uint32_t words[FILL_WORDS];
} fill;

static inline fill fill_of(uint32_t pattern)
{
	static const uint32_t same[FILLS - 1] = {0, 0xffffffff, 0x7f800000, 0x3f800000};
	const uint32_t which = pattern % FILLS;
	fill f;
	for (uint32_t i = 0; i < FILL_WORDS; i++)
		f.words[i] = which < FILLS - 1 ? same[which] : (i + 1) * 2654435761u ^ i << 7;
	return f;
}

/* The first pattern of an input: of its last byte, which mostly means nothing else. */
static inline uint32_t pattern_of(const bytes *b) { return b->left != 0 ? b->at[b->left - 1] : 0; }

static inline void fill_memory(void *memory, size_t size, uint32_t pattern)
{
	const fill f = fill_of(pattern);
	size_t done = size < sizeof f.words ? size : sizeof f.words;
	memcpy(memory, f.words, done);
	while (done < size) {
		const size_t more = done < size - done ? done : size - done;
		memcpy((char *)memory + done, memory, more);
		done += more;
	}
}

/* Whether two answers are the same that were written over fills: each byte is, or neither was written. */
static inline bool are_same(const void *a, uint32_t pattern_a, const void *b, uint32_t pattern_b, size_t size)
{
	const fill under_a = fill_of(pattern_a), under_b = fill_of(pattern_b);
	const unsigned char *const of_a = a, *const of_b = b;
	const unsigned char *const left_a = (const void *)under_a.words, *const left_b = (const void *)under_b.words;
	if (memcmp(a, b, size) == 0)
		return true;
	for (size_t i = 0; i < size; i++) {
		const size_t at = i % sizeof under_a.words;
		if (of_a[i] != of_b[i] && (of_a[i] != left_a[at] || of_b[i] != left_b[at]))
			return false;
	}
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
