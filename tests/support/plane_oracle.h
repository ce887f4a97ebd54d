/* What is true of two shapes of the plane, by all points of their Minkowski difference, in double. Shares
 * nothing with the library. */
#ifndef TESTS_SUPPORT_PLANE_ORACLE_H
#define TESTS_SUPPORT_PLANE_ORACLE_H

#include "plane_vector.h"
#include "widephase/plane.h"

#include <stddef.h>

#define PLANE_ORACLE_VERTEX_MAX 64

/* The convex hull of some points, grown by a radius. */
typedef struct plane_oracle_shape {
	v2 points[PLANE_ORACLE_VERTEX_MAX];
	size_t count;
	double radius;
} plane_oracle_shape;

/* A shape as the library has it, in its own frame. */
plane_oracle_shape plane_oracle_of_shape(const wp2_shape *shape);

/* The corners of the convex hull of up to PLANE_ORACLE_VERTEX_MAX squared points, in place and
 * counter-clockwise. Returns how many they are. */
size_t plane_oracle_hull(v2 *points, size_t count);

/* The shape turned by (cosine, sine) of any length, then moved. */
void plane_oracle_move(plane_oracle_shape *shape, const double rotation[2], const double position[2]);

/* Signed separation: the distance, or less than 0 and how deep they overlap. */
double plane_oracle_separation(const plane_oracle_shape *a, const plane_oracle_shape *b);

/* The same, and the unit normal of shapes whose hulls are apart, from A to B; of others it is left alone. */
double plane_oracle_nearest(const plane_oracle_shape *a, const plane_oracle_shape *b, double normal[2]);

/* Gap between the support lines along a normal, from A to B, of any length but zero. */
double plane_oracle_gap(const plane_oracle_shape *a, const plane_oracle_shape *b, const double normal[2]);

/* How far a point is outside of a shape; less than 0 inside. */
double plane_oracle_outside(const plane_oracle_shape *shape, const double point[2]);

/* Largest distance of the shape's points from (0, 0), radius included. */
double plane_oracle_bound(const plane_oracle_shape *shape);

#endif
