/* Surfaces, read: what is known of one, and all corners of a triangle, with its normal. */
#include "mesh/surface.h"

void wp_surface_set(wp_surface *surface, const wp_mesh *mesh, const wp_height_field *field)
{
	surface->field = field;
	if (field != NULL)
		surface->heights = wp_height_view_of(field);
	else
		surface->view = wp_mesh_view_of(mesh);
}

void wp_surface_corners(const wp_surface *surface, uint32_t triangle, wp_d3 corner[3])
{
	if (surface->field != NULL) {
		const wp_height_triangle t = wp_height_triangle_of(&surface->heights, triangle);
		for (uint32_t i = 0; i < 3; i++)
			(void)wp_height_read_corner(&surface->heights, t, i, &corner[i]);
		return;
	}
	const wp_mesh_triangle_row *const row = &surface->view.triangles[triangle];
	for (int i = 0; i < 3; i++)
		corner[i] = wp_d3_of_floats(surface->view.vertices[wp_row_corner(row, i)]);
}

wp_d3 wp_surface_normal(const wp_surface *surface, uint32_t triangle, wp_d3 corner[3])
{
	wp_d3 normal;
	wp_surface_corners(surface, triangle, corner);
	(void)wp_normal_of_corners(corner[0], corner[1], corner[2], &normal);
	return normal;
}
