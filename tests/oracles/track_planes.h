/* Kept planes against hostile poses: far ones, tiny and huge levers, rotations as far from unit length as may be, bounds that
 * are hardly above zero. What a plane says is judged by the exact gap between the shapes along its normal, in double. */
#ifndef TESTS_ORACLES_TRACK_PLANES_H
#define TESTS_ORACLES_TRACK_PLANES_H

#include "widephase/widephase.h"

/* Judge `poses` of them, print a table, and return how many broke a promise. */
uint64_t track_planes_judge(wp_workspace *workspace, uint64_t seed, uint64_t poses);

#endif
