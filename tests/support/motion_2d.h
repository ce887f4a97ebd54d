/* The oracle of 2D casts: when do two moving shapes first touch? In double precision.
 *
 * Where nothing turns: where the way of B enters the hull of all points of the Minkowski difference, grown or
 * shrunk, edge by edge and corner by corner. Else by halving the time: a span of time is free where the
 * shapes' supports along one direction stay apart all the while, each vertex going along an arc; other spans
 * are asked in their middle (support/oracle_2d.h). Nothing is shared with the library's casts, neither
 * code nor method. */
#ifndef TESTS_SUPPORT_PLANE_MOTION_H
#define TESTS_SUPPORT_PLANE_MOTION_H

#include "oracle_2d.h"
#include "widephase/2d.h"

#include <stdbool.h>
#include <stdint.h>

/* How a body moves while time goes from 0 to 1. */
typedef struct motion_2d {
	wp2d_pose start;
	float translation[2];
	float rotation[2]; /* at the end */
} motion_2d;

typedef struct motion_2d_pair {
	oracle_2d_shape shape[2]; /* in their own frames */
	motion_2d motion[2];
	double turn[2]; /* radians, counter-clockwise; 0 of a body that keeps its rotation */
	double size;    /* the larger bounding radius, radii included */
	double speed;   /* no gap closes or opens faster */
} motion_2d_pair;

/* Shapes as oracle_2d.h has them, in their own frames; their points become the corners of their hulls. */
void motion_2d_make(const oracle_2d_shape shape[2], const motion_2d motion[2], motion_2d_pair *pair);

/* Signed separation at a time, and the direction that proves it where the cores are apart. */
double motion_2d_separation(const motion_2d_pair *pair, double time, double normal[2]);

typedef struct motion_2d_touch {
	double free;    /* before this time the separation is proven above the level */
	double hit;     /* at this time it is not above; infinite where no such time was found */
	uint32_t asked; /* separations computed */
	bool gave_up;   /* too many of them; `free` holds, `hit` may come later than need be */
} motion_2d_touch;

/* When the separation is first down to a level. Where something turns, `free` and `hit` are as near to each
 * other as the separation moves by a millionth of the size, unless the pair comes that near to the level
 * before. */
motion_2d_touch motion_2d_first_touch(const motion_2d_pair *pair, double level);

#endif
