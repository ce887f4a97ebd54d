/* For tests that are compiled once per kernel variant, with the variant's flags and WP_WIDTH. */
#ifndef WP_TESTS_VARIANT_H
#define WP_TESTS_VARIANT_H

#include "core/base.h"
#include "check.h"

/* Whether this machine runs the instructions that the test was compiled to. */
static inline bool variant_runs(void)
{
#if (defined(__x86_64__) || defined(__i386__)) && WP_WIDTH == 16
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#elif (defined(__x86_64__) || defined(__i386__)) && WP_WIDTH == 8
	return __builtin_cpu_supports("avx2");
#else
	return true;
#endif
}

/* A Criterion test that is skipped where its instructions cannot run. The body stays out of line, so
 * that none of them runs before the question is answered. */
#define VARIANT_TEST(suite, name)                                \
	static __attribute__((noinline)) void suite##_##name(void);  \
	Test(suite, name)                                            \
	{                                                            \
		if (!variant_runs())                                     \
			cr_skip_test("this machine cannot run the variant"); \
		suite##_##name();                                        \
	}                                                            \
	static void suite##_##name(void)

/* Numbers that are the same on every machine (xorshift64*). */
static inline uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

/* 0 <= result < count. */
static inline uint32_t random_below(uint64_t *state, uint32_t count)
{
	return (uint32_t)((next_random(state) >> 32) * count >> 32);
}

static inline double random_between(uint64_t *state, double low, double high)
{
	return low + (high - low) * ((double)(next_random(state) >> 11) * 0x1p-53);
}

#endif
