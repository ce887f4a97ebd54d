/* What is true of two 2D shapes, by all points of their Minkowski difference, in double. Shares
 * nothing with the library. */
#ifndef TESTS_SUPPORT_PLANE_ORACLE_H
#define TESTS_SUPPORT_PLANE_ORACLE_H

#include "vector_2d.h"
#include "widephase/2d.h"

#include <stddef.h>

#define ORACLE_2D_VERTEX_MAX 64

/* The convex hull of some points, grown by a radius. */
typedef struct oracle_2d_shape {
	v2 points[ORACLE_2D_VERTEX_MAX];
	size_t count;
	double radius;
} oracle_2d_shape;

/* A shape as the library has it, in its own frame. */
oracle_2d_shape oracle_2d_of_shape(const wp2d_shape *shape);

/* The corners of the convex hull of up to ORACLE_2D_VERTEX_MAX squared points, in place and
 * counter-clockwise. Returns how many they are. */
size_t oracle_2d_hull(v2 *points, size_t count);

/* The shape turned by (cosine, sine) of any length, then moved. */
void oracle_2d_move(oracle_2d_shape *shape, const double rotation[2], const double position[2]);

/* Signed separation: the distance, or less than 0 and how deep they overlap. */
double oracle_2d_separation(const oracle_2d_shape *a, const oracle_2d_shape *b);

/* The same, and the unit normal of shapes whose hulls are apart, from A to B; of others it is left alone. */
double oracle_2d_nearest(const oracle_2d_shape *a, const oracle_2d_shape *b, double normal[2]);

/* Gap between the support lines along a normal, from A to B, of any length but zero. */
double oracle_2d_gap(const oracle_2d_shape *a, const oracle_2d_shape *b, const double normal[2]);

/* How far a point is outside of a shape; less than 0 inside. */
double oracle_2d_outside(const oracle_2d_shape *shape, const double point[2]);

/* Largest distance of the shape's points from (0, 0), radius included. */
double oracle_2d_bound(const oracle_2d_shape *shape);

#endif
