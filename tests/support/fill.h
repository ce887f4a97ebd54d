/* What memory held before the library was given it, and answers that were written over it. */
#ifndef TESTS_SUPPORT_FILL_H
#define TESTS_SUPPORT_FILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

#endif
