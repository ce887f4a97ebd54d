#include "gen_random.h"

uint64_t gen_splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

void gen_seed(gen_random *random, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		random->state[i] = gen_splitmix(&seed);
}

uint64_t gen_bits(gen_random *random)
{
	uint64_t *s = random->state;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9, shifted = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint32_t gen_below(gen_random *random, uint32_t limit) { return (uint32_t)((gen_bits(random) >> 32) * limit >> 32); }

double gen_range(gen_random *random, double low, double high)
{
	return low + (high - low) * ((double)(gen_bits(random) >> 11) * 0x1p-53);
}

double gen_magnitude(gen_random *random, double low, double high)
{
	uint32_t doublings = 0;
	for (double value = low; value < high; value *= 2)
		doublings++;
	double value = low * gen_range(random, 1, 2);
	for (uint32_t k = gen_below(random, doublings + 1); k > 0; k--)
		value *= 2;
	return value < high ? value : high;
}

/* The order of a call's arguments is the compiler's choice, so each number is drawn by a statement of its
 * own. */
v3 gen_direction(gen_random *random)
{
	for (;;) {
		const double x = gen_range(random, -1, 1);
		const double y = gen_range(random, -1, 1);
		const double z = gen_range(random, -1, 1);
		const v3 v = v3_of(x, y, z);
		const double squared = v3_dot(v, v);
		if (squared > 1e-2 && squared <= 1)
			return v3_unit(v);
	}
}

void gen_rotation(gen_random *random, float rotation[4])
{
	double q[4], squared;
	do {
		squared = 0;
		for (int i = 0; i < 4; i++) {
			q[i] = gen_range(random, -1, 1);
			squared += q[i] * q[i];
		}
	} while (squared < 1e-2 || squared > 1);
	for (int i = 0; i < 4; i++)
		rotation[i] = gen_rounded(q[i] / sqrt(squared));
}
