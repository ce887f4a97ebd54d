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

/* A triangle, and where a height field has it. */
typedef struct wp_surface_triangle {
	uint32_t number;
	wp_height_triangle cell;
} wp_surface_triangle;

WP_INLINE wp_surface_triangle wp_surface_triangle_of(const wp_surface *surface, uint32_t number)
{
	wp_surface_triangle t = {.number = number};
	if (surface->field != NULL)
		t.cell = wp_height_triangle_of(surface->field, number);
	return t;
}

/* Corner `corner` (< 3) of it. */
WP_INLINE wp_d3 wp_surface_corner_of(const wp_surface *surface, const wp_surface_triangle *t, uint32_t corner)
{
	if (surface->field != NULL)
		return wp_height_corner_of(surface->field, t->cell, corner);
	return wp_d3_of_floats(surface->view.vertices[wp_row_corner(&surface->view.triangles[t->number], (int)corner)]);
}

/* The triangle across an edge of another, which of its edges that is, and its corner that is not on it. False at a border. */
WP_INLINE bool wp_surface_across(const wp_surface *surface, const wp_surface_triangle *t, uint32_t edge,
	wp_surface_triangle *other, uint32_t *number, wp_d3 *far)
{
	if (surface->field != NULL) {
		const bool has = wp_height_across(surface->field, t->cell, edge, &other->cell, number, far);
		other->number = wp_height_number(surface->field, other->cell);
		return has;
	}
	const uint32_t word = surface->view.triangles[t->number].edge[edge];
	if (wp_edge_kind_of(word) == WP_EDGE_BOUNDARY)
		return false;
	other->number = wp_edge_neighbour(word);
	*number = wp_edge_number(word);
	*far = wp_surface_corner_of(surface, other, *number == 0 ? 2 : *number - 1);
	return true;
}

#endif
