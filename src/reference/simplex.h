/* The point of a simplex (point, segment, triangle, tetrahedron) that is closest to the origin. */
#ifndef WP_REFERENCE_SIMPLEX_H
#define WP_REFERENCE_SIMPLEX_H

#include "difference.h"

/* A feature of a simplex: the smallest of its vertices, edges, faces and its inside that holds the
 * point closest to the origin, which is sum(weight[i] * vertex[i].w). */
typedef struct feature {
	difference_vertex vertex[4];
	double weight[4]; /* >= 0, sum 1 */
	int count;        /* 4 means that the origin is inside the tetrahedron */
	double distance;  /* of the closest point from the origin */
	vec3 direction;   /* unit, from the origin towards the closest point; zero where that is the origin */
} feature;

/* Closest feature of the simplex of vertex[0 .. count), 1 <= count <= 4. */
feature wp_reference_closest(const difference_vertex *vertex, int count);

/* Normal of the triangle (a, b, c), right-handed, as long as twice its area; *height is set to its least
 * height. */
vec3 wp_reference_triangle_normal(vec3 a, vec3 b, vec3 c, double *height);

/* The points of the two cores that the feature's weights stand for. */
void wp_reference_witnesses(const feature *closest, vec3 *point_a, vec3 *point_b);

#endif
