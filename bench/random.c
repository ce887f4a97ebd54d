#include "random.h"

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t value, int bits)
{
	return value << bits | value >> (64 - bits);
}

void random_seed(random_state *random, uint64_t seed)
{
	for (int index = 0; index < 4; index++)
		random->words[index] = splitmix(&seed);
}

uint64_t random_bits(random_state *random)
{
	uint64_t *s = random->words;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9, shifted = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint32_t random_below(random_state *random, uint32_t limit)
{
	return (uint32_t)((random_bits(random) >> 32) * limit >> 32);
}

double random_range(random_state *random, double low, double high)
{
	return low + (high - low) * ((double)(random_bits(random) >> 11) * 0x1p-53);
}

double random_magnitude(random_state *random, double low, double high)
{
	uint32_t doublings = 0;
	for (double value = low; value < high; value *= 2.0)
		doublings++;
	double value = low * random_range(random, 1.0, 2.0);
	for (uint32_t left = random_below(random, doublings + 1); left > 0; left--)
		value *= 2.0;
	return value < high ? value : high;
}

/* The order of a call's arguments is the compiler's choice, so each number is drawn by a statement of its
 * own. */
vec3 random_direction(random_state *random)
{
	for (;;) {
		const double x = random_range(random, -1.0, 1.0);
		const double y = random_range(random, -1.0, 1.0);
		const double z = random_range(random, -1.0, 1.0);
		const double squared = x * x + y * y + z * z;
		if (squared > 1e-2 && squared <= 1.0)
			return vec3_unit(vec3_of(x, y, z));
	}
}

void random_rotation(random_state *random, float rotation[4])
{
	double q[4], squared;
	do {
		squared = 0.0;
		for (int index = 0; index < 4; index++) {
			q[index] = random_range(random, -1.0, 1.0);
			squared += q[index] * q[index];
		}
	} while (squared < 1e-2 || squared > 1.0);
	for (int index = 0; index < 4; index++)
		rotation[index] = rounded(q[index] / sqrt(squared));
}
