/* What is seen of a world from outside: how deep its bodies are in each other, by the library's
 * double-precision reference over all pairs, whatever its engine believes; how far they move; how much energy
 * they have. */
#ifndef BENCH_ENGINES_BULLET_JUDGE_HPP
#define BENCH_ENGINES_BULLET_JUDGE_HPP

#include "scenes.hpp"

#include "engines/bullet/shapes.hpp"

#include <cstddef>
#include <vector>

struct depths {
	double most = 0.0, sum = 0.0; /* metres */
	std::size_t count = 0;        /* pairs that overlap */
};

/* Whoever judges two worlds judges them alike: a box against anything but a box is taken with the edges
 * rounded by its margin, as Bullet has it in that case; the sharp box of the library is deeper at edges by
 * construction. */
class depth_judge
{
  public:
	depths measure(world &of);

  private:
	void add_pair(const btCollisionObject &a, const btCollisionObject &b, depths &to);

	wp::bullet::shape_book book;
};

struct energy {
	double kinetic, total; /* joules a kilogram */
};

energy energy_of(world &of);

bool is_finite(world &of);

/* Positions of all bodies. */
std::vector<btVector3> places_of(world &of);

/* Farthest that any body is from where it was. */
double farthest(const std::vector<btVector3> &before, const std::vector<btVector3> &after);

#endif
