#include "half_space_oracle.h"

#include "shape_core.h"

#include <math.h>

v3 half_space_normal(const float rotation[4]) { return m3_apply(m3_of_quaternion(rotation), v3_of(0, 1, 0)); }

v3 half_space_lowest(const wp_shape *shape, const float rotation[4], v3 up)
{
	const m3 turn = m3_of_quaternion(rotation);
	const v3 lowest = shape_core_point(shape, m3_apply_inverse(turn, v3_scale(up, -1)));
	return v3_sub(m3_apply(turn, lowest), v3_scale(up, (double)shape->radius));
}

double half_space_separation(const wp_shape *a, const wp_pose *pose_a, const wp_shape *b, const wp_pose *pose_b)
{
	if (a->kind == WP_SHAPE_HALF_SPACE)
		return half_space_separation(b, pose_b, a, pose_a);
	const v3 up = half_space_normal(pose_b->rotation);
	const v3 offset = v3_sub(v3_of_floats(pose_a->position), v3_of_floats(pose_b->position));
	return v3_dot(offset, up) + v3_dot(half_space_lowest(a, pose_a->rotation, up), up) - (double)b->radius;
}
