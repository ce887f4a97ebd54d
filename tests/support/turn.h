/* Rotations in double, for tests that make poses of them. */
#ifndef TESTS_SUPPORT_TURN_H
#define TESTS_SUPPORT_TURN_H

#include "gen_random.h"
#include "vector.h"
#include "widephase/widephase.h"

#include <math.h>

/* As (x, y, z, w). */
typedef struct turn {
	double q[4];
} turn;

static inline turn no_turn(void) { return (turn){{0, 0, 0, 1}}; }

static inline turn turn_about(v3 axis, double angle)
{
	const v3 u = v3_scale(v3_unit(axis), sin(angle / 2));
	return (turn){{u.x, u.y, u.z, cos(angle / 2)}};
}

/* First `second`, then `first`. */
static inline turn turn_after(turn first, turn second)
{
	const double *const p = first.q, *const q = second.q;
	const v3 u = v3_of(p[0], p[1], p[2]), v = v3_of(q[0], q[1], q[2]);
	const v3 w = v3_add(v3_cross(u, v), v3_add(v3_scale(v, p[3]), v3_scale(u, q[3])));
	return (turn){{w.x, w.y, w.z, p[3] * q[3] - v3_dot(u, v)}};
}

/* From one unit vector to another. */
static inline turn turn_between(v3 from, v3 to)
{
	const v3 axis = v3_cross(from, to);
	if (v3_dot(from, to) < -1 + 1e-9)
		return turn_about(v3_across(from), 3.14159265358979323846);
	return turn_about(v3_length(axis) > 0 ? axis : v3_across(from), atan2(v3_length(axis), v3_dot(from, to)));
}

static inline turn any_turn(gen_random *random)
{
	float q[4];
	gen_rotation(random, q);
	return (turn){{(double)q[0], (double)q[1], (double)q[2], (double)q[3]}};
}

static inline v3 turned(turn t, v3 v)
{
	const float q[4] = {(float)t.q[0], (float)t.q[1], (float)t.q[2], (float)t.q[3]};
	return m3_apply(m3_of_quaternion(q), v);
}

static inline wp_pose pose_of(v3 position, turn t)
{
	return (wp_pose){{gen_rounded(position.x), gen_rounded(position.y), gen_rounded(position.z)},
		{gen_rounded(t.q[0]), gen_rounded(t.q[1]), gen_rounded(t.q[2]), gen_rounded(t.q[3])}};
}

#endif
