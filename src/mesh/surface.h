/* A surface of triangles with numbers, whatever they are read of: a mesh or a height field. */
#ifndef WP_MESH_SURFACE_H
#define WP_MESH_SURFACE_H

#include "mesh/height.h"
#include "mesh/mesh.h"

typedef struct wp_surface {
	const wp_height_field *field; /* NULL: a mesh */
	wp_mesh_view view;            /* of a mesh */
} wp_surface;

WP_INLINE wp_surface wp_surface_of(const wp_mesh *mesh, const wp_height_field *field)
{
	wp_surface surface = {.field = field};
	if (field == NULL)
		surface.view = wp_mesh_view_of(mesh);
	return surface;
}

/* Corner `corner` (< 3) of a triangle. */
WP_INLINE wp_d3 wp_surface_corner(const wp_surface *surface, uint32_t triangle, uint32_t corner)
{
	if (surface->field != NULL)
		return wp_height_corner_of(surface->field, wp_height_triangle_of(surface->field, triangle), corner);
	return wp_d3_of_floats(surface->view.vertices[wp_row_corner(&surface->view.triangles[triangle], (int)corner)]);
}

/* All three. */
WP_INLINE void wp_surface_corners(const wp_surface *surface, uint32_t triangle, wp_d3 corner[3])
{
	if (surface->field != NULL) {
		const wp_height_triangle t = wp_height_triangle_of(surface->field, triangle);
		for (uint32_t i = 0; i < 3; i++)
			corner[i] = wp_height_corner_of(surface->field, t, i);
		return;
	}
	const wp_mesh_triangle_row *const row = &surface->view.triangles[triangle];
	for (int i = 0; i < 3; i++)
		corner[i] = wp_d3_of_floats(surface->view.vertices[wp_row_corner(row, i)]);
}

/* The triangle across an edge of another, and which of its edges that is. False at a border. */
WP_INLINE bool wp_surface_neighbour(
	const wp_surface *surface, uint32_t triangle, uint32_t edge, uint32_t *neighbour, uint32_t *number)
{
	if (surface->field != NULL) {
		*neighbour = wp_height_neighbour(surface->field, triangle, edge, number);
		return *neighbour != WP_HEIGHT_NONE;
	}
	const uint32_t word = surface->view.triangles[triangle].edge[edge];
	*neighbour = wp_edge_neighbour(word);
	*number = wp_edge_number(word);
	return wp_edge_kind_of(word) != WP_EDGE_BOUNDARY;
}

#endif
