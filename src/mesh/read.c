/* Meshes in caller memory, read: what their memory says of vertices, triangles and edges. */
#include "core/environment.h"
#include "mesh/mesh.h"

size_t wp_mesh_byte_size(const wp_mesh *mesh) { return (size_t)mesh->byte_size; }

size_t wp_mesh_vertex_count(const wp_mesh *mesh) { return mesh->vertex_count; }

size_t wp_mesh_triangle_count(const wp_mesh *mesh) { return mesh->triangle_count; }

size_t wp_mesh_node_count(const wp_mesh *mesh) { return mesh->node_count; }

size_t wp_mesh_depth(const wp_mesh *mesh) { return mesh->depth; }

void wp_mesh_bounds(const wp_mesh *mesh, float lower[3], float upper[3])
{
	memcpy(lower, mesh->lower, sizeof mesh->lower);
	memcpy(upper, mesh->upper, sizeof mesh->upper);
}

void wp_mesh_vertex(const wp_mesh *mesh, size_t index, float vertex[3])
{
	WP_ASSERT(index < mesh->vertex_count);
	memcpy(vertex, wp_mesh_view_of(mesh).vertices[index], 3 * sizeof(float));
}

void wp_mesh_triangle(const wp_mesh *mesh, size_t index, uint32_t corners[3])
{
	WP_ASSERT(index < mesh->triangle_count);
	const wp_mesh_view view = wp_mesh_view_of(mesh);
	for (int i = 0; i < 3; i++)
		corners[i] = wp_row_corner(&view.triangles[index], i);
}

uint32_t wp_mesh_source(const wp_mesh *mesh, size_t index)
{
	WP_ASSERT(index < mesh->triangle_count);
	return wp_mesh_view_of(mesh).sources[index];
}

void wp_mesh_normal(const wp_mesh *mesh, size_t index, float normal[3])
{
	WP_ASSERT(index < mesh->triangle_count);
	const wp_mesh_view view = wp_mesh_view_of(mesh);
	const wp_mesh_triangle_row *const row = &view.triangles[index];
	const wp_environment before = wp_environment_enter();
	wp_d3 area;
	(void)wp_triangle_normal(view.vertices[wp_row_corner(row, 0)], view.vertices[wp_row_corner(row, 1)],
		view.vertices[wp_row_corner(row, 2)], &area);
	const wp_d3 unit = wp_d3_unit(area);
	normal[0] = (float)unit.x;
	normal[1] = (float)unit.y;
	normal[2] = (float)unit.z;
	wp_environment_leave(before);
}

wp_mesh_edge wp_mesh_edge_of(const wp_mesh *mesh, size_t index, size_t edge)
{
	WP_ASSERT(index < mesh->triangle_count && edge < 3);
	const uint32_t word = wp_mesh_view_of(mesh).triangles[index].edge[edge];
	return (wp_mesh_edge){wp_edge_kind_of(word), wp_edge_neighbour(word), wp_edge_number(word)};
}

int wp_mesh_is_face_only(const wp_mesh *mesh, size_t index)
{
	WP_ASSERT(index < mesh->triangle_count);
	return (wp_mesh_view_of(mesh).triangles[index].corner[0] & WP_TRIANGLE_FACE_ONLY) != 0;
}
