/* Vectors and rotations in double precision. */
#ifndef WP_CORE_DOUBLE3_H
#define WP_CORE_DOUBLE3_H

#include "core/base.h"

typedef struct wp_d3 {
	double x, y, z;
} wp_d3;

WP_INLINE wp_d3 wp_d3_of(double x, double y, double z)
{
	const wp_d3 v = {x, y, z};
	return v;
}

WP_INLINE wp_d3 wp_d3_zero(void) { return wp_d3_of(0, 0, 0); }

WP_INLINE wp_d3 wp_d3_add(wp_d3 u, wp_d3 v) { return wp_d3_of(u.x + v.x, u.y + v.y, u.z + v.z); }

WP_INLINE wp_d3 wp_d3_sub(wp_d3 u, wp_d3 v) { return wp_d3_of(u.x - v.x, u.y - v.y, u.z - v.z); }

WP_INLINE wp_d3 wp_d3_scale(wp_d3 v, double factor) { return wp_d3_of(v.x * factor, v.y * factor, v.z * factor); }

WP_INLINE wp_d3 wp_d3_negate(wp_d3 v) { return wp_d3_of(-v.x, -v.y, -v.z); }

WP_INLINE double wp_d3_dot(wp_d3 u, wp_d3 v) { return (u.x * v.x + u.y * v.y) + u.z * v.z; }

WP_INLINE wp_d3 wp_d3_cross(wp_d3 u, wp_d3 v)
{
	return wp_d3_of(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
}

WP_INLINE double wp_d3_length(wp_d3 v) { return wp_sqrt(wp_d3_dot(v, v)); }

/* A vector that is not zero at length 1. */
WP_INLINE wp_d3 wp_d3_unit(wp_d3 v) { return wp_d3_scale(v, 1 / wp_d3_length(v)); }

/* A unit vector across a unit vector. */
WP_INLINE wp_d3 wp_d3_across(wp_d3 unit)
{
	const double x = wp_abs(unit.x), y = wp_abs(unit.y), z = wp_abs(unit.z);
	const wp_d3 least = x <= y && x <= z ? wp_d3_of(1, 0, 0) : y <= z ? wp_d3_of(0, 1, 0) : wp_d3_of(0, 0, 1);
	return wp_d3_unit(wp_d3_cross(unit, least));
}

/* ---- three numbers in a row --------------------------------------------------------------------- */

WP_INLINE wp_d3 wp_d3_at(const double v[3]) { return wp_d3_of(v[0], v[1], v[2]); }

WP_INLINE void wp_d3_put(wp_d3 v, double out[3])
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

WP_INLINE wp_d3 wp_d3_of_floats(const float v[3]) { return wp_d3_of((double)v[0], (double)v[1], (double)v[2]); }

/* Each coordinate rounded to a float. */
WP_INLINE void wp_d3_put_floats(wp_d3 v, float out[3])
{
	out[0] = (float)v.x;
	out[1] = (float)v.y;
	out[2] = (float)v.z;
}

/* The squared distance of two places. */
WP_INLINE double wp_distance_squared(const float a[3], const float b[3])
{
	const wp_d3 way = wp_d3_sub(wp_d3_of_floats(a), wp_d3_of_floats(b));
	return wp_d3_dot(way, way);
}

WP_INLINE double wp_dot3(const double u[3], const double v[3]) { return wp_d3_dot(wp_d3_at(u), wp_d3_at(v)); }

WP_INLINE double wp_length3(const double v[3]) { return wp_d3_length(wp_d3_at(v)); }

WP_INLINE void wp_cross3(const double u[3], const double v[3], double out[3])
{
	wp_d3_put(wp_d3_cross(wp_d3_at(u), wp_d3_at(v)), out);
}

/* ---- rotations ---------------------------------------------------------------------------------- */

/* A quaternion of any length but zero, and 2 over its squared length, which stands in for making it unit. */
typedef struct wp_dq {
	wp_d3 v;
	double w, twice;
} wp_dq;

WP_INLINE wp_dq wp_dq_of(const double q[4])
{
	return (wp_dq){wp_d3_at(q), q[3], 2.0 / ((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]))};
}

/* A rotation as callers give it. */
WP_INLINE wp_dq wp_dq_of_rotation(const float rotation[4])
{
	const double q[4] = {(double)rotation[0], (double)rotation[1], (double)rotation[2], (double)rotation[3]};
	return wp_dq_of(q);
}

/* v turned by a rotation, and turned back. */
WP_INLINE wp_d3 wp_dq_turn(wp_dq q, wp_d3 v)
{
	const wp_d3 t = wp_d3_cross(q.v, v);
	return wp_d3_add(v, wp_d3_scale(wp_d3_add(wp_d3_scale(t, q.w), wp_d3_cross(q.v, t)), q.twice));
}

WP_INLINE wp_d3 wp_dq_turn_back(wp_dq q, wp_d3 v) { return wp_dq_turn((wp_dq){wp_d3_negate(q.v), q.w, q.twice}, v); }

/* A quaternion of any length as a rotation, each number rounded. */
WP_INLINE void wp_dq_put_rotation(wp_d3 v, double w, float rotation[4])
{
	const double length = wp_sqrt(wp_d3_dot(v, v) + w * w);
	rotation[0] = (float)(v.x / length);
	rotation[1] = (float)(v.y / length);
	rotation[2] = (float)(v.z / length);
	rotation[3] = (float)(w / length);
}

/* A vector turned from world axes to the axes of a body. Not wp_dq_turn_back: it sums in another order, and answers have
 * its bits. */
WP_INLINE void wp_to_local(const float rotation[4], const double v[3], float local[3])
{
	const wp_dq q = wp_dq_of_rotation(rotation);
	const wp_d3 axis = wp_d3_negate(q.v), at = wp_d3_at(v), t = wp_d3_scale(wp_d3_cross(axis, at), q.twice);
	const wp_d3 turned = wp_d3_add(at, wp_d3_add(wp_d3_scale(t, q.w), wp_d3_cross(axis, t)));
	local[0] = (float)turned.x;
	local[1] = (float)turned.y;
	local[2] = (float)turned.z;
}

/* A rotation, row by row. */
typedef struct wp_d33 {
	wp_d3 row[3];
} wp_d33;

/* The matrix of a quaternion of any length but zero. */
WP_INLINE wp_d33 wp_d33_of_rotation(const float rotation[4])
{
	double x = (double)rotation[0], y = (double)rotation[1], z = (double)rotation[2], w = (double)rotation[3];
	const double length = wp_sqrt((x * x + y * y) + (z * z + w * w));
	x /= length;
	y /= length;
	z /= length;
	w /= length;
	return (wp_d33){{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
		{2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
		{2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
}

/* v turned by a matrix, and turned back. */
WP_INLINE wp_d3 wp_d33_turn(const wp_d33 *m, wp_d3 v)
{
	return wp_d3_of(wp_d3_dot(m->row[0], v), wp_d3_dot(m->row[1], v), wp_d3_dot(m->row[2], v));
}

WP_INLINE wp_d3 wp_d33_turn_back(const wp_d33 *m, wp_d3 v)
{
	return wp_d3_add(wp_d3_add(wp_d3_scale(m->row[0], v.x), wp_d3_scale(m->row[1], v.y)), wp_d3_scale(m->row[2], v.z));
}

/* The local axis 0, 1 or 2, in world axes. */
WP_INLINE wp_d3 wp_d33_axis(const wp_d33 *m, int i)
{
	const wp_d3 *const row = m->row;
	return i == 0 ? wp_d3_of(row[0].x, row[1].x, row[2].x)
	     : i == 1 ? wp_d3_of(row[0].y, row[1].y, row[2].y)
	              : wp_d3_of(row[0].z, row[1].z, row[2].z);
}

#endif
