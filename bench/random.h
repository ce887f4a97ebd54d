/* xoshiro256** by Blackman and Vigna, seeded by splitmix64: the same numbers on every machine. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include "vector.h"

#include <stdint.h>

typedef struct random_state {
	uint64_t words[4];
} random_state;

void random_seed(random_state *random, uint64_t seed);
uint64_t random_bits(random_state *random);
uint32_t random_below(random_state *random, uint32_t limit);            /* 0 .. limit - 1 */
double random_range(random_state *random, double low, double high);     /* evenly in [low, high) */
double random_magnitude(random_state *random, double low, double high); /* each power of two as likely */
vec3 random_direction(random_state *random);                            /* evenly over the sphere */
void random_rotation(random_state *random, float rotation[4]);          /* evenly over all rotations */

#endif
