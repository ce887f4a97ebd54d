/* A surface of triangles with numbers, whatever they are read of: a mesh or a height field. */
#ifndef WP_MESH_SURFACE_H
#define WP_MESH_SURFACE_H

#include "mesh/height.h"
#include "mesh/mesh.h"

typedef struct wp_surface {
	const wp_height_field *field; /* NULL: a mesh */
	union {
		wp_mesh_view view; /* of a mesh */
		wp_height_view heights;
	};
} wp_surface;

void wp_surface_set(wp_surface *surface, const wp_mesh *mesh, const wp_height_field *field);

WP_INLINE wp_surface wp_surface_of(const wp_mesh *mesh, const wp_height_field *field)
{
	/* Compilers that see all of the library in one file warn of copies of what a mesh leaves open. */
	wp_surface surface;
	memset(&surface, 0, sizeof surface);
	wp_surface_set(&surface, mesh, field);
	return surface;
}

/* A triangle, and where a height field has it. */
typedef struct wp_surface_triangle {
	uint32_t number;
	wp_height_triangle cell;
} wp_surface_triangle;

WP_INLINE_LARGE wp_surface_triangle wp_surface_triangle_of(const wp_surface *surface, uint32_t number)
{
	wp_surface_triangle t = {.number = number};
	if (surface->field != NULL)
		t.cell = wp_height_triangle_of(&surface->heights, number);
	return t;
}

/* Corner `corner` (< 3) of it. */
WP_INLINE_LARGE wp_d3 wp_surface_corner_of(const wp_surface *surface, const wp_surface_triangle *t, uint32_t corner)
{
	if (surface->field != NULL) {
		wp_d3 place;
		(void)wp_height_read_corner(&surface->heights, t->cell, corner, &place);
		return place;
	}
	return wp_d3_of_floats(surface->view.vertices[wp_row_corner(&surface->view.triangles[t->number], (int)corner)]);
}

/* All three corners of a triangle. */
void wp_surface_corners(const wp_surface *surface, uint32_t triangle, wp_d3 corner[3]);

/* The same, and the normal, as long as twice the area of the triangle. */
wp_d3 wp_surface_normal(const wp_surface *surface, uint32_t triangle, wp_d3 corner[3]);

/* The triangle across an edge of another, which of its edges that is, and its corner that is not on it. False at a border. */
WP_INLINE_LARGE bool wp_surface_across(const wp_surface *surface, const wp_surface_triangle *t, uint32_t edge,
	wp_surface_triangle *other, uint32_t *number, wp_d3 *far)
{
	if (surface->field != NULL) {
		const wp_height_view *const heights = &surface->heights;
		const bool has = wp_height_across(heights, t->cell, edge, &other->cell, number, far);
		other->number = wp_height_number(heights, other->cell);
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
