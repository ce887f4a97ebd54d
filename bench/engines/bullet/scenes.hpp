/* The scenes. */
#ifndef BENCH_ENGINES_BULLET_SCENES_HPP
#define BENCH_ENGINES_BULLET_SCENES_HPP

#include "world.hpp"

#include <cstdint>
#include <random>
#include <vector>

/* The same numbers on every machine. */
class dice
{
  public:
	explicit dice(std::uint32_t seed) : bits(seed) {}
	float range(float low, float high) { return low + (high - low) * static_cast<float>(bits() >> 8) * 0x1p-24f; }
	int below(int limit) { return static_cast<int>(bits() % static_cast<std::uint32_t>(limit)); }
	/* Evenly over the ball but for what is nearer than 0.1 to its middle. */
	btVector3 in_ball();
	btQuaternion rotation();

  private:
	std::mt19937 bits;
};

struct scene {
	const char *name, *what;
	int steps;   /* that it runs */
	int settled; /* from which on it is taken to rest */
	float reach; /* how far from the middle, along x and z, bodies belong */
	std::vector<narrowphase> kinds;
	void (*build)(world &to, dice &random);
};

const std::vector<scene> &all_scenes();

/* Whether a body is where none can get but through the ground or a side of the pen. */
bool is_lost(const scene &of, const btVector3 &at);
/* Whether a body of the scene with the wall is behind it. */
bool is_through(const btVector3 &at);

#endif
