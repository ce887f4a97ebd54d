/* The strong path in 2D. One pair at a time, in double precision: for the rare rows whose bracket
 * the kernels could not close. Every edge normal of both shapes is tried, which is exact. */
#ifndef WP_STRONG_STRONG_2D_H
#define WP_STRONG_STRONG_2D_H

#include "shape/core_2d.h"

typedef struct wp_d2 {
	double x, y;
} wp_d2;

typedef struct wp2d_strong_pair {
	const wp2d_core *a, *b; /* valid cores */
	float rotation_a[2];    /* of a length within 1e-2 of 1; normalised inside, in double */
	float rotation_b[2];
	double offset[2]; /* position of B minus position of A, world axes, finite */
} wp2d_strong_pair;

/* Vectors in world axes, points relative to the position of A. */
typedef struct wp2d_strong_answer {
	double separation;   /* signed, radii included */
	double lower, upper; /* proven bracket of it, rounding included */
	wp_d2 normal;        /* unit, from A to B */
	wp_d2 point_a, point_b;
	wp_d2 common;    /* where the shapes overlap: a point in both */
	uint32_t status; /* of WP_STATUS_DEGENERATE and WP_STATUS_WIDE_BRACKET only */
} wp2d_strong_answer;

void wp2d_strong_solve(const wp2d_strong_pair *pair, wp2d_strong_answer *answer);

/* ---- vectors, for those who work on rows in double precision ------------------------------------- */

WP_INLINE wp_d2 wp_d2_add(wp_d2 u, wp_d2 v) { return (wp_d2){u.x + v.x, u.y + v.y}; }
WP_INLINE wp_d2 wp_d2_sub(wp_d2 u, wp_d2 v) { return (wp_d2){u.x - v.x, u.y - v.y}; }
WP_INLINE wp_d2 wp_d2_scale(wp_d2 v, double factor) { return (wp_d2){v.x * factor, v.y * factor}; }
WP_INLINE double wp_d2_dot(wp_d2 u, wp_d2 v) { return u.x * v.x + u.y * v.y; }
WP_INLINE double wp_d2_cross(wp_d2 u, wp_d2 v) { return u.x * v.y - u.y * v.x; }
WP_INLINE double wp_d2_length(wp_d2 v) { return __builtin_sqrt(wp_d2_dot(v, v)); }

/* A quarter turn clockwise. */
WP_INLINE wp_d2 wp_d2_right(wp_d2 v) { return (wp_d2){v.y, -v.x}; }

/* v turned by a rotation, and turned back. */
WP_INLINE wp_d2 wp_d2_turn(wp_d2 r, wp_d2 v) { return (wp_d2){r.x * v.x - r.y * v.y, r.y * v.x + r.x * v.y}; }
WP_INLINE wp_d2 wp_d2_turn_back(wp_d2 r, wp_d2 v) { return (wp_d2){wp_d2_dot(r, v), wp_d2_cross(r, v)}; }

/* A vector that is not zero at length 1. */
WP_INLINE wp_d2 wp_d2_unit(wp_d2 v) { return wp_d2_scale(v, 1.0 / wp_d2_length(v)); }

/* A rotation as callers give it, normalised. */
WP_INLINE wp_d2 wp_d2_rotation(const float rotation[2])
{
	return wp_d2_unit((wp_d2){(double)rotation[0], (double)rotation[1]});
}

WP_INLINE wp_d2 wp_d2_vertex(const wp2d_core *core, uint32_t index)
{
	return (wp_d2){(double)core->vertices[index], (double)core->vertices[core->padded + index]};
}

#endif
