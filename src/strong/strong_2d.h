/* The strong path in 2D. One pair at a time, in double precision: for the rare rows whose bracket
 * the kernels could not close. Every edge normal of both shapes is tried, which is exact. */
#ifndef WP_STRONG_STRONG_2D_H
#define WP_STRONG_STRONG_2D_H

#include "strong/strong.h"

typedef struct wp_d2 {
	double x, y;
} wp_d2;

/* Solve one pair completely. The status is of WP_STATUS_DEGENERATE and WP_STATUS_WIDE_BRACKET only. */
void wp2d_strong_solve(const wp_strong_pair *pair, wp_strong_answer *answer);

/* ---- vectors, for those who work on rows in double precision ------------------------------------- */

WP_INLINE wp_d2 wp_d2_add(wp_d2 u, wp_d2 v) { return (wp_d2){u.x + v.x, u.y + v.y}; }
WP_INLINE wp_d2 wp_d2_sub(wp_d2 u, wp_d2 v) { return (wp_d2){u.x - v.x, u.y - v.y}; }
WP_INLINE wp_d2 wp_d2_scale(wp_d2 v, double factor) { return (wp_d2){v.x * factor, v.y * factor}; }
WP_INLINE double wp_d2_dot(wp_d2 u, wp_d2 v) { return u.x * v.x + u.y * v.y; }
WP_INLINE double wp_d2_cross(wp_d2 u, wp_d2 v) { return u.x * v.y - u.y * v.x; }
WP_INLINE double wp_d2_length(wp_d2 v) { return wp_sqrt(wp_d2_dot(v, v)); }

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
