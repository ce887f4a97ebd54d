#include "half_space_oracle.h"

#include <math.h>

v3 half_space_normal(const float rotation[4]) { return m3_apply(m3_of_quaternion(rotation), v3_of(0, 1, 0)); }

static void keep_lowest(const float point[3], v3 up, v3 *lowest, double *least)
{
	const v3 p = v3_of_floats(point);
	const double height = v3_dot(p, up);
	if (height < *least) {
		*lowest = p;
		*least = height;
	}
}

static v3 lowest_of_points(const wp_shape *s, v3 up)
{
	v3 lowest = v3_of(0, 0, 0);
	double least = INFINITY;
	for (int i = 0; i < (s->kind == WP_SHAPE_TRIANGLE ? 3 : s->kind == WP_SHAPE_SEGMENT ? 2 : 0); i++)
		keep_lowest(s->points[i], up, &lowest, &least);
	for (int i = 0; i < 8 && s->kind == WP_SHAPE_BOX; i++) {
		float corner[3];
		for (int k = 0; k < 3; k++)
			corner[k] = i >> k & 1 ? s->half_extents[k] : -s->half_extents[k];
		keep_lowest(corner, up, &lowest, &least);
	}
	for (size_t i = 0; s->kind == WP_SHAPE_HULL && i < wp_hull_vertex_count(s->hull); i++) {
		float vertex[3];
		wp_hull_vertex(s->hull, i, vertex);
		keep_lowest(vertex, up, &lowest, &least);
	}
	return lowest;
}

/* For a body that is turned about its Y axis, in the plane of that axis and the direction. */
static v3 lowest_of_turned(const wp_shape *s, v3 up)
{
	const double radius = (double)s->base_radius, half = (double)s->half_height, aside = hypot(up.x, up.z);
	const double x = aside > 0 ? -up.x / aside : 1, z = aside > 0 ? -up.z / aside : 0;
	const v3 rim = v3_of(radius * x, -half, radius * z);
	const v3 top = s->kind == WP_SHAPE_CONE ? v3_of(0, half, 0) : v3_of(radius * x, half, radius * z);
	return v3_dot(top, up) < v3_dot(rim, up) ? top : rim;
}

static v3 lowest_of_ellipsoid(const wp_shape *s, v3 up)
{
	const double a = (double)s->half_extents[0], b = (double)s->half_extents[1], c = (double)s->half_extents[2];
	const double length = hypot(hypot(a * up.x, b * up.y), c * up.z);
	return length > 0 ? v3_of(-a * (a * up.x / length), -b * (b * up.y / length), -c * (c * up.z / length))
	                  : v3_of(0, 0, 0);
}

v3 half_space_lowest(const wp_shape *shape, const float rotation[4], v3 up)
{
	const m3 turn = m3_of_quaternion(rotation);
	const v3 local = m3_apply_inverse(turn, up);
	v3 lowest = v3_of(0, 0, 0);
	switch (shape->kind) {
	case WP_SHAPE_CAPSULE:
		lowest.y = local.y > 0 ? -(double)shape->half_height : (double)shape->half_height;
		break;
	case WP_SHAPE_CYLINDER:
	case WP_SHAPE_CONE:
		lowest = lowest_of_turned(shape, local);
		break;
	case WP_SHAPE_ELLIPSOID:
		lowest = lowest_of_ellipsoid(shape, local);
		break;
	default:
		lowest = lowest_of_points(shape, local);
		break;
	}
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
