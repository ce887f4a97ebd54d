/* A core in 2D: what is left of a shape without its radius, as kernels see it. */
#ifndef WP_SHAPE_CORE_2D_H
#define WP_SHAPE_CORE_2D_H

#include "core/base.h"

/* Vertices of a core; WP2D_POLYGON_VERTEX_MAX to callers. */
#define WP2D_VERTEX_MAX 64

/* Jobs are gathered by the most vertices that either core has: two at most, few, or more; and pairs of circles. */
enum wp2d_bucket { WP2D_BUCKET_CIRCLES, WP2D_BUCKET_SEGMENTS, WP2D_BUCKET_FEW, WP2D_BUCKET_MANY, WP2D_BUCKET_COUNT };
#define WP2D_FEW_VERTICES 8

/* What is left of a shape without its radius: a strictly convex polygon, counter-clockwise, of 1 vertex or
 * more. */
typedef struct wp2d_core {
	const float *vertices; /* x[padded], y[padded], 16-byte aligned; those past `count` repeat the first */
	const uint8_t *names;  /* [count] which of the caller's vertices each is */
	/* One row of a job's input, copied as it is. */
	float radius;
	float bound;     /* largest distance of a core point from the origin, rounded up */
	uint32_t count;  /* 1 .. WP2D_VERTEX_MAX; 0: the shape is invalid */
	uint16_t padded; /* a multiple of 4 */
	uint16_t bucket; /* a wp2d_bucket: of pairs with it no lower one; WP2D_BUCKET_COUNT: the shape is invalid */
} wp2d_core;

#endif
