#include "shape_core.h"

#include <math.h>
#include <string.h>

static v3 farthest(const float (*points)[3], size_t count, v3 d)
{
	v3 best = v3_of_floats(points[0]);
	for (size_t i = 1; i < count; i++) {
		const v3 p = v3_of_floats(points[i]);
		best = v3_dot(p, d) > v3_dot(best, d) ? p : best;
	}
	return best;
}

static v3 farthest_of_hull(const wp_hull *hull, v3 d)
{
	const size_t count = wp_hull_vertex_count(hull);
	v3 best = v3_of(0, 0, 0);
	double most = -INFINITY;
	for (size_t i = 0; i < count; i++) {
		float vertex[3];
		wp_hull_vertex(hull, i, vertex);
		const v3 p = v3_of_floats(vertex);
		const double along = v3_dot(p, d);
		if (i == 0 || along > most) {
			best = p;
			most = along;
		}
	}
	return best;
}

static v3 on_rim(double radius, double y, v3 d)
{
	const double length = hypot(d.x, d.z);
	return length > 0 ? v3_of(radius * d.x / length, y, radius * d.z / length) : v3_of(radius, y, 0);
}

bool shape_core_is_smooth(const wp_shape *shape)
{
	return shape->kind == WP_SHAPE_CYLINDER || shape->kind == WP_SHAPE_CONE || shape->kind == WP_SHAPE_ELLIPSOID;
}

v3 shape_core_point(const wp_shape *s, v3 d)
{
	const double half = (double)s->half_height, radius = (double)s->base_radius;
	const v3 extents = v3_of_floats(s->half_extents);
	switch ((wp_shape_kind)s->kind) {
	case WP_SHAPE_SEGMENT:
		return farthest((const float(*)[3])s->points, 2, d);
	case WP_SHAPE_TRIANGLE:
		return farthest((const float(*)[3])s->points, 3, d);
	case WP_SHAPE_CAPSULE:
		return v3_of(0, copysign(half, d.y), 0);
	case WP_SHAPE_BOX:
		return v3_of(copysign(extents.x, d.x), copysign(extents.y, d.y), copysign(extents.z, d.z));
	case WP_SHAPE_HULL:
		return farthest_of_hull(s->hull, d);
	case WP_SHAPE_CYLINDER:
		return on_rim(radius, copysign(half, d.y), d);
	case WP_SHAPE_CONE: {
		const v3 base = on_rim(radius, -half, d), apex = v3_of(0, half, 0);
		return v3_dot(apex, d) > v3_dot(base, d) ? apex : base;
	}
	case WP_SHAPE_ELLIPSOID: {
		const v3 e = v3_unit(v3_of(extents.x * d.x, extents.y * d.y, extents.z * d.z));
		return v3_of(extents.x * e.x, extents.y * e.y, extents.z * e.z);
	}
	case WP_SHAPE_POINT:
	case WP_SHAPE_SPHERE:
	case WP_SHAPE_CUSTOM: /* has its own function */
	case WP_SHAPE_HALF_SPACE:
	case WP_SHAPE_KIND_COUNT:
		break;
	}
	return v3_of(0, 0, 0);
}

static double bound_of_points(const wp_shape *s, size_t count)
{
	double bound = 0;
	for (size_t i = 0; i < count; i++) {
		float vertex[3];
		if (s->kind == WP_SHAPE_HULL)
			wp_hull_vertex(s->hull, i, vertex);
		else
			memcpy(vertex, s->points[i], sizeof vertex);
		bound = fmax(bound, v3_length(v3_of_floats(vertex)));
	}
	return bound;
}

double shape_core_bound(const wp_shape *s)
{
	const v3 extents = v3_of_floats(s->half_extents);
	switch ((wp_shape_kind)s->kind) {
	case WP_SHAPE_SEGMENT:
		return bound_of_points(s, 2);
	case WP_SHAPE_CAPSULE:
		return (double)s->half_height;
	case WP_SHAPE_TRIANGLE:
		return bound_of_points(s, 3);
	case WP_SHAPE_BOX:
		return v3_length(extents);
	case WP_SHAPE_HULL:
		return bound_of_points(s, wp_hull_vertex_count(s->hull));
	case WP_SHAPE_CYLINDER:
	case WP_SHAPE_CONE:
		return hypot((double)s->base_radius, (double)s->half_height);
	case WP_SHAPE_ELLIPSOID:
		return fmax(extents.x, fmax(extents.y, extents.z));
	case WP_SHAPE_CUSTOM:
		return (double)s->custom->bound;
	case WP_SHAPE_POINT:
	case WP_SHAPE_SPHERE:
	case WP_SHAPE_HALF_SPACE:
	case WP_SHAPE_KIND_COUNT:
		break;
	}
	return 0;
}
