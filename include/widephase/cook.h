/* widephase-cook: hulls from points. A separate library: it needs qhull and allocates; the core
 * library needs neither. */
#ifndef WIDEPHASE_COOK_H
#define WIDEPHASE_COOK_H

#include "widephase/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Compute the convex hull of points[0 .. count) by qhull and build a wp_hull of it, with faces
 * (coplanar facets merged, counter-clockwise seen from outside), in memory of its own.
 *
 *  points         [count][3], finite; need not be extreme or distinct; copied
 *  point_stride   bytes from one point to the next; 0 = 12
 *  count          >= 1; at most WP_HULL_VERTEX_MAX may turn out to be extreme
 *  hull           set to the hull, aligned to WP_ALIGNMENT; release it with wp_cook_free
 *  bad_index      may be NULL; set to the point at fault for WP_ERROR_HULL_VERTEX
 *
 * A set without volume (one point, collinear, coplanar) is legal: the hull then holds its extreme
 * points, and two faces (both sides of the polygon) where it is flat, none where it is thinner. */
WP_API wp_error wp_cook_points(const float *points, size_t point_stride, size_t count, const wp_hull **hull,
	size_t *bad_index);

/* Release a hull made by wp_cook_points. NULL is legal. */
WP_API void wp_cook_free(const wp_hull *hull);

#ifdef __cplusplus
}
#endif

#endif
