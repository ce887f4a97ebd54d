/* Hulls of peers, with faces and their planes, by widephase-cook where it is built. */
#include "peer.hpp"

#include <stdexcept>

#ifdef PEER_HAVE_COOK

#include <widephase/cook.h>

namespace
{

/* Outward unit normal and offset of a face, by the sum of its triangles. */
void add_plane(peer_hull &hull, const uint32_t *face, size_t size)
{
	const double *first = &hull.points[3 * face[0]];
	double normal[3] = {0.0, 0.0, 0.0};
	for (size_t index = 1; index + 1 < size; index++) {
		const double *second = &hull.points[3 * face[index]], *third = &hull.points[3 * face[index + 1]];
		double u[3], v[3];
		for (int axis = 0; axis < 3; axis++) {
			u[axis] = second[axis] - first[axis];
			v[axis] = third[axis] - first[axis];
		}
		for (int axis = 0; axis < 3; axis++)
			normal[axis] += u[(axis + 1) % 3] * v[(axis + 2) % 3] - u[(axis + 2) % 3] * v[(axis + 1) % 3];
	}
	const double length = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
	double offset = 0.0;
	for (int axis = 0; axis < 3; axis++) {
		hull.planes.push_back(normal[axis] / length);
		offset += normal[axis] / length * first[axis];
	}
	hull.planes.push_back(offset);
}

} // namespace

peer_hull peer_cook(const peer_input &input, const peer_shape &shape)
{
	const wp_hull *cooked = nullptr;
	if (wp_cook_points(input.vertices[shape.first_vertex], 0, shape.vertex_count, &cooked, nullptr) != WP_OK)
		throw std::runtime_error("no hull");
	peer_hull hull;
	hull.point_count = static_cast<unsigned>(wp_hull_vertex_count(cooked));
	hull.face_count = static_cast<unsigned>(wp_hull_face_count(cooked));
	for (unsigned index = 0; index < hull.point_count; index++) {
		float vertex[3];
		wp_hull_vertex(cooked, index, vertex);
		hull.points.insert(hull.points.end(), vertex, vertex + 3);
	}
	for (unsigned index = 0; index < hull.face_count; index++) {
		size_t size;
		const uint32_t *face = wp_hull_face(cooked, index, &size);
		hull.polygons.push_back(static_cast<unsigned>(size));
		hull.polygons.insert(hull.polygons.end(), face, face + size);
		add_plane(hull, face, size);
	}
	wp_cook_free(cooked);
	if (hull.face_count == 0)
		throw std::runtime_error("a hull without faces");
	return hull;
}

#else

peer_hull peer_cook(const peer_input &, const peer_shape &) { throw std::runtime_error("built without qhull"); }

#endif
