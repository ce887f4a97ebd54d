/* The oracle of manifolds: the polygon that two shapes have in common across a normal, in double precision, by
 * clipping one face against the edges of the other (Sutherland and Hodgman 1974), and by trying every corner against
 * every edge for the features. It knows the public headers only and shares no code with the library. */
#ifndef TESTS_SUPPORT_MANIFOLD_ORACLE_H
#define TESTS_SUPPORT_MANIFOLD_ORACLE_H

#include "oracle.h"
#include "vector.h"
#include "widephase/manifold.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most corners of a face, and of what two of them have in common. */
#define MANIFOLD_FACE_MAX 128
#define MANIFOLD_CORNER_MAX (2 * MANIFOLD_FACE_MAX)

/* The face, segment or point of a shape that looks most along a direction, relative to A's position. */
typedef struct manifold_face {
	size_t count;                   /* corners: 1 a point, 2 a segment; 0 where the shape has no faces */
	uint32_t id[MANIFOLD_FACE_MAX]; /* vertex numbers */
	v3 corner[MANIFOLD_FACE_MAX];   /* of the core */
	double radius;
	v3 normal;     /* unit, outwards; zero without a plane */
	double margin; /* how much more it looks along than the next: a difference of cosines */
} manifold_face;

typedef struct manifold_oracle {
	manifold_face face[2];
	v3 across[2]; /* unit, across the normal: across[0] x across[1] is the normal */
	size_t count;
	v3 point[MANIFOLD_CORNER_MAX]; /* corners in common, in the plane across the normal, in order: x along across[0],
	                                    y along across[1], z the separation there */
	double area;                   /* across the normal */
	size_t feature_count;
	uint32_t feature[MANIFOLD_CORNER_MAX][2];
	double doubt; /* how far all is from having other features, a length: least distance of a corner
	                                    of one face from an edge of the other, of two corners of the polygon, and of
	                                    one from the line between its neighbours */
} manifold_oracle;

/* `normal` is unit, from A to B. False where a shape has no faces. */
bool manifold_oracle_solve(const wp_shape *a, const oracle_pose *pose_a, const wp_shape *b, const oracle_pose *pose_b,
	v3 normal, manifold_oracle *m);

/* Coordinates of a point, relative to A's position, along across[0] and across[1]. */
v3 manifold_flat(const manifold_oracle *m, v3 point);

/* Height along the normal of the surface of side 0 (A) or 1 (B), of its face and the balls around it, over a point of
 * the plane across it. */
double manifold_height(const manifold_oracle *m, int side, v3 flat);

/* How far a point of the plane is outside of the face of a side, seen along the normal; negative inside. */
double manifold_outside(const manifold_oracle *m, int side, v3 flat);

/* Area of the convex hull of points of the plane. */
double manifold_area(const v3 *flat, size_t count);

#endif
