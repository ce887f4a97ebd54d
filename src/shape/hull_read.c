/* Reads convex hulls in caller memory: their vertices, edges and faces. */
#include "core/double3.h"
#include "shape/hull.h"

const float *wp_hull_vertices(const wp_hull *hull) { return wp_offset(hull, sizeof *hull); }

const float *wp_hull_normals(const wp_hull *hull) { return wp_offset(hull, hull->normal_offset); }

size_t wp_hull_byte_size(const wp_hull *hull) { return hull->byte_size; }

size_t wp_hull_vertex_count(const wp_hull *hull) { return hull->vertex_count; }

size_t wp_hull_face_count(const wp_hull *hull) { return hull->face_count; }

int wp_hull_turned(const wp_hull *hull) { return (int)hull->turned; }

void wp_hull_vertex(const wp_hull *hull, size_t index, float vertex[3])
{
	WP_ASSERT(index < hull->vertex_count);
	for (size_t axis = 0; axis < 3; axis++)
		vertex[axis] = wp_hull_vertices(hull)[axis * hull->vertex_padded + index];
}

const uint32_t *wp_hull_face(const wp_hull *hull, size_t index, size_t *size)
{
	WP_ASSERT(index < hull->face_count);
	const uint32_t *const start = wp_offset(hull, hull->face_offset);
	*size = start[index + 1] - start[index];
	return start + hull->face_count + 1 + start[index];
}

void wp_hull_face_normal(const wp_hull *hull, size_t index, float normal[3])
{
	WP_ASSERT(index < hull->face_count);
	for (size_t axis = 0; axis < 3; axis++)
		normal[axis] = wp_hull_normals(hull)[axis * hull->face_padded + index];
}

void wp_hull_edge(const wp_hull *hull, uint32_t from, uint32_t to, double edge[3])
{
	float start[3], end[3];
	wp_hull_vertex(hull, from, start);
	wp_hull_vertex(hull, to, end);
	for (int k = 0; k < 3; k++)
		edge[k] = (double)end[k] - (double)start[k];
}

void wp_hull_area(const wp_hull *hull, size_t face, double area[3])
{
	size_t size;
	const uint32_t *const index = wp_hull_face(hull, face, &size);
	memset(area, 0, 3 * sizeof *area);
	for (size_t i = 2; i < size; i++) {
		double u[3], v[3], part[3];
		wp_hull_edge(hull, index[0], index[i - 1], u);
		wp_hull_edge(hull, index[0], index[i], v);
		wp_cross3(u, v, part);
		for (int k = 0; k < 3; k++)
			area[k] += part[k];
	}
}
