/* Vectors of doubles for the judges in this folder and for making pairs. Deliberately their own: nothing here
 * is shared with the library. Plain arithmetic and square roots alone, so that the same numbers come out with
 * the same bits on every machine. */
#ifndef TESTS_SUPPORT_VECTOR_H
#define TESTS_SUPPORT_VECTOR_H

#include <math.h>

typedef struct v3 {
	double x, y, z;
} v3;

static inline v3 v3_of(double x, double y, double z) { return (v3){x, y, z}; }

static inline v3 v3_of_floats(const float f[3]) { return (v3){(double)f[0], (double)f[1], (double)f[2]}; }

static inline v3 v3_add(v3 a, v3 b) { return v3_of(a.x + b.x, a.y + b.y, a.z + b.z); }

static inline v3 v3_sub(v3 a, v3 b) { return v3_of(a.x - b.x, a.y - b.y, a.z - b.z); }

static inline v3 v3_scale(v3 a, double s) { return v3_of(a.x * s, a.y * s, a.z * s); }

static inline double v3_dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline v3 v3_cross(v3 a, v3 b)
{
	return v3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double v3_length(v3 a) { return sqrt(v3_dot(a, a)); }

/* Unit vector; the zero vector stays zero. */
static inline v3 v3_unit(v3 a)
{
	double length = v3_length(a);
	return length > 0 ? v3_scale(a, 1 / length) : a;
}

/* Some unit vector across a unit vector. */
static inline v3 v3_across(v3 a)
{
	double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
	v3 axis = x <= y && x <= z ? v3_of(1, 0, 0) : y <= z ? v3_of(0, 1, 0) : v3_of(0, 0, 1);
	return v3_unit(v3_cross(a, axis));
}

/* A rotation, as the images of the three axes. */
typedef struct m3 {
	v3 x, y, z;
} m3;

/* Rotation of the quaternion (x, y, z, w), normalised here. */
static inline m3 m3_of_quaternion(const float q[4])
{
	double x = q[0], y = q[1], z = q[2], w = q[3];
	double s = 2 / (x * x + y * y + z * z + w * w);
	return (m3){
		v3_of(1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)),
		v3_of(s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)),
		v3_of(s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)),
	};
}

/* What a rotation that turns into another one by the shorter way round is at a fraction: the blend of both, of length 1. */
static inline void quaternion_between(const float from[4], const float to[4], double fraction, double between[4])
{
	double dot = 0, squared = 0;
	for (int k = 0; k < 4; k++)
		dot += (double)from[k] * (double)to[k];
	for (int k = 0; k < 4; k++) {
		between[k] = (1 - fraction) * (double)from[k] + (dot < 0 ? -fraction : fraction) * (double)to[k];
		squared += between[k] * between[k];
	}
	for (int k = 0; k < 4; k++)
		between[k] /= sqrt(squared);
}

static inline v3 m3_apply(m3 m, v3 a)
{
	return v3_add(v3_add(v3_scale(m.x, a.x), v3_scale(m.y, a.y)), v3_scale(m.z, a.z));
}

static inline v3 m3_apply_inverse(m3 m, v3 a) { return v3_of(v3_dot(m.x, a), v3_dot(m.y, a), v3_dot(m.z, a)); }

/* First `second`, then `first`. */
static inline m3 m3_multiply(m3 first, m3 second)
{
	return (m3){m3_apply(first, second.x), m3_apply(first, second.y), m3_apply(first, second.z)};
}

#endif
