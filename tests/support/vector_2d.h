/* 2D vectors in double, as vector.h has vectors of space: for its oracles and for making its pairs,
 * and nothing here is shared with the library. */
#ifndef TESTS_SUPPORT_PLANE_VECTOR_H
#define TESTS_SUPPORT_PLANE_VECTOR_H

#include <math.h>

typedef struct v2 {
	double x, y;
} v2;

static inline v2 v2_of_floats(const float f[2]) { return (v2){(double)f[0], (double)f[1]}; }

static inline v2 v2_sub(v2 a, v2 b) { return (v2){a.x - b.x, a.y - b.y}; }

static inline v2 v2_scale(v2 a, double s) { return (v2){a.x * s, a.y * s}; }

static inline double v2_dot(v2 a, v2 b) { return a.x * b.x + a.y * b.y; }

static inline double v2_cross(v2 a, v2 b) { return a.x * b.y - a.y * b.x; }

/* Unit vector; of the zero vector (0, 1). */
static inline v2 v2_unit(v2 a)
{
	const double length = sqrt(v2_dot(a, a));
	return length > 0 ? (v2){a.x / length, a.y / length} : (v2){0, 1};
}

/* A vector turned by a rotation (cosine, sine). */
static inline v2 v2_turned(v2 rotation, v2 a)
{
	return (v2){rotation.x * a.x - rotation.y * a.y, rotation.y * a.x + rotation.x * a.y};
}

/* The point of the unit circle at a share of the way around it, roughly. */
static inline v2 v2_on_circle(double share)
{
	const double u = share < 0.5 ? 4 * share - 1 : 4 * share - 3, square = u * u;
	const v2 p = {(1 - square) / (1 + square), 2 * u / (1 + square)};
	return share < 0.5 ? p : (v2){-p.x, -p.y};
}

#endif
