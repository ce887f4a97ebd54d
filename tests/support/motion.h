/* The oracle of casts: when do two moving shapes first touch? In double precision, by halving the time.
 *
 * A span of time is free where the shapes' supports along one direction stay apart all the while: for each vertex
 * the most that it reaches along a direction while its body turns about a fixed axis is a closed form, and for a
 * cylinder, cone or ellipsoid there is a bound by its supports at both ends. Other spans are asked in their middle: a
 * pair that touches there touches, and else the direction of its gap is tried, and the halves. Brute force
 * (support/oracle.h) answers in the middle for simple pairs, the reference for others; where it says that a pair with a
 * cylinder, cone or ellipsoid touches, support/smooth_oracle.h has to prove it. Nothing is shared with the library's
 * casts, neither code nor method: there is no step that speeds could make too long.
 *
 * Of a half-space the heights of the other shape's points above its surface count, and a bound of how fast their speeds
 * change: during a span none is lower than at one of its ends by more than an eighth of that times the span squared. */
#ifndef TESTS_SUPPORT_MOTION_H
#define TESTS_SUPPORT_MOTION_H

#include "oracle.h"
#include "vector.h"
#include "widephase/query.h"

#include <stdbool.h>
#include <stdint.h>

/* How a body moves while time goes from 0 to 1. */
typedef struct motion {
	wp_pose start;
	float translation[3];
	float rotation[4]; /* at the end */
} motion;

typedef struct motion_pair {
	const wp_shape *shape[2];
	oracle_shape *core[2]; /* NULL: cylinder, cone, ellipsoid or half-space */
	motion motion[2];
	double bound[2]; /* of the cores, about their own origins; of a half-space 0 */
	double radius[2];
	bool smooth;     /* one or both are cylinders, cones or ellipsoids, and none is a half-space */
	int space;       /* the side that is a half-space; -1: none */
	double size;     /* the larger bounding radius, radii included; how far a half-space that turns is, too */
	double bend;     /* of a half-space: no height's speed changes faster */
	double rounding; /* of a half-space: of heights in double, which far positions have */
	double speed;    /* no gap closes or opens faster */
} motion_pair;

/* False if memory runs out or a shape is invalid. */
bool motion_pair_make(const wp_shape *a, const motion *of_a, const wp_shape *b, const motion *of_b, motion_pair *pair);
void motion_pair_free(motion_pair *pair);

/* Signed separation at a time, and the direction that proves it. Of smooth pairs it is what the reference says. */
double motion_separation(const motion_pair *pair, double time, v3 *normal);

/* Proven bounds of the separation of a smooth pair at a time, with B moved by an offset besides. False where they are
 * further apart than a millionth of size plus distance; they hold all the same. */
bool motion_bounds(const motion_pair *pair, double time, v3 moved, double *lower, double *upper);

typedef struct motion_touch {
	double free;    /* before this time the separation is proven above the level */
	double hit;     /* at this time it is not above; infinite where no such time was found */
	uint32_t asked; /* separations requested */
	bool gave_up;   /* too many of them; `free` holds, `hit` may come later than need be, or is not proven */
	bool refuted;   /* of a smooth pair: it is proven that there is no such `hit` */
} motion_touch;

/* When the separation is first down to a level. `free` and `hit` are as near to each other as the separation moves
 * by a millionth of the size, unless the pair comes that near to the level before. */
motion_touch motion_first_touch(const motion_pair *pair, double level);

/* How far B of two shapes that stand at their starts and overlap must move along a unit direction to be free; infinite
 * where no way is far enough. Not of smooth pairs. */
double motion_depth_along(const motion_pair *pair, v3 direction);

#endif
