#include "turned_surface.h"

bool turned_surface_is(const wp_shape *shape)
{
	return shape->kind == WP_SHAPE_CYLINDER || shape->kind == WP_SHAPE_CONE;
}

/* Signed distance in the plane through the axis and the point, x being the distance from the axis: the distance
 * from the nearest of the lines that bound the half section, negative if the point is behind all of them. */
double turned_surface_distance(const wp_shape *shape, v3 point)
{
	const double radius = (double)shape->base_radius, half = (double)shape->half_height;
	const double top = shape->kind == WP_SHAPE_CONE ? 0 : radius;
	const v3 at = v3_of(hypot(point.x, point.z), point.y, 0);
	const v3 corner[4] = {v3_of(0, -half, 0), v3_of(radius, -half, 0), v3_of(top, half, 0), v3_of(0, half, 0)};
	double nearest = INFINITY;
	bool inside = radius > 0 && half > 0;
	for (int k = 0; k < 3; k++) {
		const v3 way = v3_sub(corner[k + 1], corner[k]), from = v3_sub(at, corner[k]);
		const double length2 = v3_dot(way, way), along = length2 > 0 ? v3_dot(from, way) / length2 : 0;
		nearest = fmin(nearest, v3_length(v3_sub(from, v3_scale(way, fmin(fmax(along, 0), 1)))));
		inside = inside && v3_cross(way, from).z >= 0;
	}
	return (inside ? -nearest : nearest) - (double)shape->radius;
}
