/* The Minkowski difference A - B of two placed cores: the one convex body that GJK and EPA search.
 *
 * A - B is the set {a - b}. The cores share a point exactly when it contains the origin; their distance
 * is its distance from the origin; the shortest way to part them is the shortest way from the origin out
 * of it. It is never built: GJK and EPA only need its farthest point along a direction. */
#ifndef WP_REFERENCE_DIFFERENCE_H
#define WP_REFERENCE_DIFFERENCE_H

#include "vector.h"
#include "widephase/shape.h"

/* Pairs are scaled so that their largest coordinate is about 1; this is the length below which points
 * of the difference count as one: a thousand roundings. Thinner than this is flat, and closer to the
 * origin than this is touching. */
#define WP_REFERENCE_TOLERANCE 1e-13

/* The same for cores that curve: GJK and EPA come ever nearer to what they seek and never there, so they end when
 * both bounds are this close. */
#define WP_REFERENCE_SMOOTH_TOLERANCE 1e-10

/* A core in the frame that the pair is solved in. */
typedef struct placed_core {
	const wp_shape *shape;
	double scale;  /* units of the pair's frame per unit of the shape's: a power of two, thus exact */
	mat3 rotation; /* from the shape's frame to the pair's */
	vec3 position; /* of the shape's origin, scaled */
} placed_core;

typedef struct difference {
	placed_core a, b;
	double tolerance;  /* bounds that are this close have met: 0, or WP_REFERENCE_SMOOTH_TOLERANCE */
	uint32_t supports; /* calls of wp_reference_support */
	bool failed[2];    /* whether the support function of A, and of B, ever gave no point within its bound */
} difference;

/* A point w = a - b of the difference and the points of the cores that it came from. */
typedef struct difference_vertex {
	vec3 a, b, w;
} difference_vertex;

/* Whether a core curves: cylinders, cones and ellipsoids, and support functions. */
bool wp_reference_is_smooth(const wp_shape *shape);

/* Any other core is the convex hull of a few points, in the frame of its shape: 1 for a point, 2 for a
 * segment, 8 for a box. The kind must be valid, index < count. For a core that curves these are the corners of a box
 * around it. */
size_t wp_reference_core_count(const wp_shape *shape);
vec3 wp_reference_core_point(const wp_shape *shape, size_t index);

/* The farthest point of a core along `direction`, which need not be unit, both in the pair's frame; sets *failed if a
 * support function gives none. Not for a half-space, which has no farthest point. */
vec3 wp_reference_core_support(const placed_core *core, vec3 direction, bool *failed);

/* The farthest point of the difference along `direction`, which need not be unit. */
difference_vertex wp_reference_support(difference *pair, vec3 direction);

/* Whether two vertices are the same pair of core points. */
bool wp_reference_same_vertex(const difference_vertex *u, const difference_vertex *v);

#endif
