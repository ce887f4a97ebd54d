#include "faceted_surface.h"

static v3 vertex_of(const wp_hull *hull, uint32_t index)
{
	float v[3];
	wp_hull_vertex(hull, index, v);
	return v3_of_floats(v);
}

static double distance_from_edge(v3 start, v3 end, v3 point)
{
	const v3 way = v3_sub(end, start), from = v3_sub(point, start);
	const double length2 = v3_dot(way, way), along = length2 > 0 ? v3_dot(from, way) / length2 : 0;
	return v3_length(v3_sub(from, v3_scale(way, fmin(fmax(along, 0), 1))));
}

bool faceted_surface_is(const wp_shape *shape)
{
	return shape->kind == WP_SHAPE_HULL && wp_hull_face_count(shape->hull) > 0;
}

/* The distance from the nearest face: from its plane where the point is above or below the face, else from an edge. It is
 * negative if the point is behind the planes of all faces. */
double faceted_surface_distance(const wp_shape *shape, v3 point)
{
	double nearest = INFINITY;
	bool inside = true;
	for (size_t f = 0; f < wp_hull_face_count(shape->hull); f++) {
		size_t count;
		const uint32_t *const index = wp_hull_face(shape->hull, f, &count);
		const v3 first = vertex_of(shape->hull, index[0]);
		v3 area = v3_of(0, 0, 0), start = first;
		for (size_t k = 1; k + 1 < count; k++)
			area = v3_add(area, v3_cross(v3_sub(vertex_of(shape->hull, index[k]), first),
									v3_sub(vertex_of(shape->hull, index[k + 1]), first)));
		const v3 normal = v3_unit(area);
		const double above = v3_dot(normal, v3_sub(point, first));
		bool is_over = v3_length(area) > 0;
		for (size_t k = 0; k < count; k++) {
			const v3 end = vertex_of(shape->hull, index[(k + 1) % count]);
			nearest = fmin(nearest, distance_from_edge(start, end, point));
			is_over = is_over && v3_dot(normal, v3_cross(v3_sub(end, start), v3_sub(point, start))) >= 0;
			start = end;
		}
		nearest = is_over ? fmin(nearest, fabs(above)) : nearest;
		inside = inside && above <= 0;
	}
	return (inside ? -nearest : nearest) - (double)shape->radius;
}
