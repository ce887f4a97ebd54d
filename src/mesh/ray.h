/* The first triangle of a mesh or a height field on a way whose numbers are doubles. */
#ifndef WP_MESH_RAY_H
#define WP_MESH_RAY_H

#include "widephase/mesh.h"

/* As wp_mesh_ray, of a way that is not zero. Returns the fraction; what hit->fraction has is rounded. */
double wp_mesh_ray_in_double(const wp_mesh *mesh, const double start[3], const double way[3], wp_mesh_hit *hit);
double wp_height_ray_in_double(
	const wp_height_field *field, const double start[3], const double way[3], wp_mesh_hit *hit);

#endif
