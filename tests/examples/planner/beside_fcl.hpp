/* The library beside FCL: the same states and edges, times and answers. */
#ifndef EXAMPLES_PLANNER_BESIDE_FCL_HPP
#define EXAMPLES_PLANNER_BESIDE_FCL_HPP

#include "scene.hpp"

/* Measures random states and these edges, and judges each answer that differs by the reference. 1 where the library is wrong. */
int beside_fcl(const scene &world, const std::vector<std::vector<double>> &edges, bool is_quick, std::uint32_t seed);

#endif
