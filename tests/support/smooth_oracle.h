/* The oracle of pairs with cylinders, cones and ellipsoids: signed separation by branch and bound over all
 * directions, in double precision. It knows the public headers only and shares no code and no method with the
 * library. */
#ifndef TESTS_SUPPORT_SMOOTH_ORACLE_H
#define TESTS_SUPPORT_SMOOTH_ORACLE_H

#include "vector.h"
#include "widephase/query.h"

#include <stdbool.h>

/* Cells of the sphere that are looked at before a pair is given up: balls about one centre have no end, and bounds of
 * others come closer than 1e-7 of size but slowly. */
#define SMOOTH_ORACLE_CELL_MAX 40000

/* Both bounds of the separation of two valid shapes. False where they are still further apart than
 * `tolerance`. */
bool smooth_oracle_solve(const wp_shape *a, const wp_pose *pose_a, const wp_shape *b, const wp_pose *pose_b,
	double tolerance, double *lower, double *upper);

#endif
