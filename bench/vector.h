/* Vectors of doubles for making pairs: square roots and plain arithmetic alone, so that the same seed gives
 * the same bits on every machine. */
#ifndef BENCH_VECTOR_H
#define BENCH_VECTOR_H

#include <math.h>

/* A double rounded to float. GCC 12 takes a rounding out where it vectorises straight code that widens the
 * float again at once; through memory it stays. */
static inline float rounded(double value)
{
	volatile float kept = (float)value;
	return kept;
}

typedef struct vec3 {
	double x, y, z;
} vec3;

static inline vec3 vec3_of(double x, double y, double z)
{
	return (vec3){x, y, z};
}

static inline vec3 vec3_of_floats(const float f[3])
{
	return (vec3){f[0], f[1], f[2]};
}

static inline vec3 vec3_add(vec3 a, vec3 b)
{
	return vec3_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline vec3 vec3_sub(vec3 a, vec3 b)
{
	return vec3_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vec3 vec3_scale(vec3 a, double s)
{
	return vec3_of(a.x * s, a.y * s, a.z * s);
}

static inline double vec3_dot(vec3 a, vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec3_cross(vec3 a, vec3 b)
{
	return vec3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec3_length(vec3 a)
{
	return sqrt(vec3_dot(a, a));
}

/* The zero vector stays zero. */
static inline vec3 vec3_unit(vec3 a)
{
	double length = vec3_length(a);
	return length > 0.0 ? vec3_scale(a, 1.0 / length) : a;
}

/* Some unit vector across a unit vector. */
static inline vec3 vec3_across(vec3 a)
{
	double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
	vec3 axis = x <= y && x <= z ? vec3_of(1, 0, 0) : y <= z ? vec3_of(0, 1, 0) : vec3_of(0, 0, 1);
	return vec3_unit(vec3_cross(a, axis));
}

/* A rotation, as the images of the three axes. */
typedef struct mat3 {
	vec3 x, y, z;
} mat3;

static inline vec3 mat3_apply(const mat3 *m, vec3 a)
{
	return vec3_add(vec3_add(vec3_scale(m->x, a.x), vec3_scale(m->y, a.y)), vec3_scale(m->z, a.z));
}

static inline vec3 mat3_apply_inverse(const mat3 *m, vec3 a)
{
	return vec3_of(vec3_dot(m->x, a), vec3_dot(m->y, a), vec3_dot(m->z, a));
}

/* First `second`, then `first`. */
static inline mat3 mat3_multiply(const mat3 *first, const mat3 *second)
{
	return (mat3){mat3_apply(first, second->x), mat3_apply(first, second->y), mat3_apply(first, second->z)};
}

/* Of a unit quaternion x, y, z, w; a length that rounding changed is taken out. */
static inline mat3 mat3_of_quaternion(const float q[4])
{
	double x = q[0], y = q[1], z = q[2], w = q[3];
	double s = 2.0 / (x * x + y * y + z * z + w * w);
	return (mat3){
	    vec3_of(1.0 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)),
	    vec3_of(s * (x * y - z * w), 1.0 - s * (x * x + z * z), s * (y * z + x * w)),
	    vec3_of(s * (x * z + y * w), s * (y * z - x * w), 1.0 - s * (x * x + y * y)),
	};
}

#endif
