/* xoshiro256** by Blackman and Vigna, seeded by splitmix64: the same numbers on every machine, for the random
 * pairs of the tests and of the benchmark. */
#ifndef TESTS_SUPPORT_GEN_RANDOM_H
#define TESTS_SUPPORT_GEN_RANDOM_H

#include "vector.h"

#include <stdint.h>

typedef struct gen_random {
	uint64_t state[4];
} gen_random;

void gen_seed(gen_random *random, uint64_t seed);
uint64_t gen_splitmix(uint64_t *state); /* what seeds are mixed by */
uint64_t gen_bits(gen_random *random);
uint32_t gen_below(gen_random *random, uint32_t limit);            /* 0 .. limit - 1 */
double gen_range(gen_random *random, double low, double high);     /* evenly in [low, high) */
double gen_magnitude(gen_random *random, double low, double high); /* every power of two as likely */
v3 gen_direction(gen_random *random);                              /* evenly over the sphere */
void gen_rotation(gen_random *random, float rotation[4]);          /* evenly over all rotations */

/* A double rounded to float. GCC 12 takes a rounding out where it vectorises straight code that widens the
 * float again at once; through memory it stays. */
static inline float gen_rounded(double value)
{
	volatile float kept = (float)value;
	return kept;
}

#endif
