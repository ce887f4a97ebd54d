/* The oracle of half-spaces: signed separation from the lowest point of the other shape, in double precision.
 * It knows the public headers only and shares no code with the library. */
#ifndef TESTS_SUPPORT_HALF_SPACE_ORACLE_H
#define TESTS_SUPPORT_HALF_SPACE_ORACLE_H

#include "vector.h"
#include "widephase/query.h"

/* Its outward normal, unit, world axes. */
v3 half_space_normal(const float rotation[4]);

/* The lowest point of a valid shape that is no half-space, along a unit direction of the world, rounding
 * radius included, from the position of its body. */
v3 half_space_lowest(const wp_shape *shape, const float rotation[4], v3 up);

/* Separation of two valid shapes of which one is a half-space, within some 1e-15 of sizes and distance. */
double half_space_separation(const wp_shape *a, const wp_pose *pose_a, const wp_shape *b, const wp_pose *pose_b);

#endif
