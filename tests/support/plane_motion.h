/* The oracle of casts of the plane: when do two moving shapes first touch? In double precision.
 *
 * Where nothing turns: where the way of B enters the hull of all points of the Minkowski difference, grown or
 * shrunk, edge by edge and corner by corner. Else by halving the time: a span of time is free where the
 * shapes' supports along one direction stay apart all the while, each vertex going along an arc; other spans
 * are asked in their middle (support/plane_oracle.h). Nothing is shared with the library's casts, neither
 * code nor method. */
#ifndef TESTS_SUPPORT_PLANE_MOTION_H
#define TESTS_SUPPORT_PLANE_MOTION_H

#include "plane_oracle.h"
#include "widephase/plane.h"

#include <stdbool.h>
#include <stdint.h>

/* How a body moves while time goes from 0 to 1. */
typedef struct plane_motion {
	wp2_pose start;
	float translation[2];
	float rotation[2]; /* at the end */
} plane_motion;

typedef struct plane_motion_pair {
	plane_oracle_shape shape[2]; /* in their own frames */
	plane_motion motion[2];
	double turn[2]; /* radians, counter-clockwise; 0 of a body that keeps its rotation */
	double size;    /* the larger bounding radius, radii included */
	double speed;   /* no gap closes or opens faster */
} plane_motion_pair;

/* Shapes as plane_oracle.h has them, in their own frames; their points become the corners of their hulls. */
void plane_motion_make(const plane_oracle_shape shape[2], const plane_motion motion[2], plane_motion_pair *pair);

/* Signed separation at a time, and the direction that proves it where the cores are apart. */
double plane_motion_separation(const plane_motion_pair *pair, double time, double normal[2]);

typedef struct plane_motion_touch {
	double free;    /* before this time the separation is proven above the level */
	double hit;     /* at this time it is not above; infinite where no such time was found */
	uint32_t asked; /* separations asked for */
	bool gave_up;   /* too many of them; `free` holds, `hit` may come later than need be */
} plane_motion_touch;

/* When the separation is first down to a level. Where something turns, `free` and `hit` are as near to each
 * other as the separation moves by a millionth of the size, unless the pair comes that near to the level
 * before. */
plane_motion_touch plane_motion_first_touch(const plane_motion_pair *pair, double level);

#endif
