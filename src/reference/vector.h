/* Three-component vectors in double for the reference path. */
#ifndef WP_REFERENCE_VECTOR_H
#define WP_REFERENCE_VECTOR_H

#include <math.h>

#include "core/base.h"

typedef struct vec3 {
	double x, y, z;
} vec3;

/* Rows of a rotation matrix: turning a vector takes its dot product with each row. */
typedef struct mat3 {
	vec3 row[3];
} mat3;

WP_INLINE double smaller(double s, double t) { return s < t ? s : t; }
WP_INLINE double larger(double s, double t) { return s > t ? s : t; }

WP_INLINE vec3 vec3_add(vec3 u, vec3 v) { return (vec3){u.x + v.x, u.y + v.y, u.z + v.z}; }
WP_INLINE vec3 vec3_sub(vec3 u, vec3 v) { return (vec3){u.x - v.x, u.y - v.y, u.z - v.z}; }
WP_INLINE vec3 vec3_scale(double s, vec3 v) { return (vec3){s * v.x, s * v.y, s * v.z}; }
WP_INLINE vec3 vec3_negate(vec3 v) { return (vec3){-v.x, -v.y, -v.z}; }
WP_INLINE double vec3_dot(vec3 u, vec3 v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
WP_INLINE double vec3_length(vec3 v) { return sqrt(vec3_dot(v, v)); }

WP_INLINE vec3 vec3_cross(vec3 u, vec3 v)
{
	return (vec3){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

/* v in unit length; the zero vector stays zero. */
WP_INLINE vec3 vec3_normalize(vec3 v)
{
	double length = vec3_length(v);
	return length > 0 ? vec3_scale(1 / length, v) : v;
}

/* Some unit vector across v, which must not be zero: v crossed with the axis it leans on least. */
WP_INLINE vec3 vec3_across(vec3 v)
{
	double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
	vec3 axis = {x <= y && x <= z, y < x && y <= z, z < x && z < y};
	return vec3_normalize(vec3_cross(v, axis));
}

WP_INLINE vec3 mat3_turn(const mat3 *m, vec3 v)
{
	return (vec3){vec3_dot(m->row[0], v), vec3_dot(m->row[1], v), vec3_dot(m->row[2], v)};
}

/* Turning back: the inverse of a rotation is its transpose. */
WP_INLINE vec3 mat3_turn_back(const mat3 *m, vec3 v)
{
	return vec3_add(vec3_add(vec3_scale(v.x, m->row[0]), vec3_scale(v.y, m->row[1])), vec3_scale(v.z, m->row[2]));
}

#endif
