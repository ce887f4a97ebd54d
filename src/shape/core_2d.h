/* A core in 2D: what is left of a shape without its radius, as kernels see it. */
#ifndef WP_SHAPE_CORE_2D_H
#define WP_SHAPE_CORE_2D_H

#include "core/base.h"

/* Vertices of a core; WP2D_POLYGON_VERTEX_MAX to callers. */
#define WP2D_VERTEX_MAX 64

/* What is left of a shape without its radius: a strictly convex polygon, counter-clockwise, of 1 vertex or
 * more. */
typedef struct wp2d_core {
	const float *vertices; /* x[padded], y[padded], 16-byte aligned; those past `count` repeat the first */
	const uint8_t *names;  /* [count] which of the caller's vertices each is */
	float radius;
	float bound;     /* largest distance of a core point from the origin, rounded up */
	uint32_t count;  /* 1 .. WP2D_VERTEX_MAX; 0: the shape is invalid */
	uint32_t padded; /* a multiple of 4 */
} wp2d_core;

#endif
