/* Triangles of a mesh in double, for judges of contacts with them. */
#ifndef TESTS_SUPPORT_MESH_TRIANGLE_H
#define TESTS_SUPPORT_MESH_TRIANGLE_H

#include "vector.h"
#include "widephase/mesh.h"

#include <math.h>
#include <stdbool.h>

static inline void mesh_corners(const wp_mesh *mesh, size_t triangle, v3 corner[3], uint32_t index[3])
{
	wp_mesh_triangle(mesh, triangle, index);
	for (int k = 0; k < 3; k++) {
		float at[3];
		wp_mesh_vertex(mesh, index[k], at);
		corner[k] = v3_of_floats(at);
	}
}

/* Corners of a triangle of a field, exact; `heights`: its samples as floats, with WP_HEIGHT_HOLE where there is none. False where
 * there is no triangle. */
static inline bool field_corners(const wp_height_field *field, const float *heights, size_t triangle, v3 corner[3])
{
	static const uint32_t places[2][2][3][2] = {
		{{{0, 0}, {0, 1}, {1, 0}}, {{1, 0}, {0, 1}, {1, 1}}}, {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}}};
	const size_t cell = triangle / 2, row = cell / (field->columns - 1), column = cell % (field->columns - 1);
	bool has_all = true;
	for (int k = 0; k < 3; k++) {
		const uint32_t *const at = places[field->flags][triangle % 2][k];
		const size_t x = column + at[0], z = row + at[1];
		const float height = heights[z * field->columns + x];
		has_all &= height != WP_HEIGHT_HOLE;
		corner[k] = v3_of((double)x * (double)field->spacing[0], (double)height, (double)z * (double)field->spacing[1]);
	}
	return has_all;
}

static inline v3 triangle_normal(const v3 c[3]) { return v3_unit(v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0]))); }

/* The middle of its box. */
static inline v3 triangle_middle(const v3 c[3])
{
	const double x = fmin(c[0].x, fmin(c[1].x, c[2].x)) + fmax(c[0].x, fmax(c[1].x, c[2].x));
	const double y = fmin(c[0].y, fmin(c[1].y, c[2].y)) + fmax(c[0].y, fmax(c[1].y, c[2].y));
	const double z = fmin(c[0].z, fmin(c[1].z, c[2].z)) + fmax(c[0].z, fmax(c[1].z, c[2].z));
	return v3_scale(v3_of(x, y, z), 0.5);
}

/* L of a contact: the larger bounding radius of a body and of a triangle about its middle. */
static inline double triangle_size_with(double bound, const v3 c[3])
{
	const v3 middle = triangle_middle(c);
	for (int k = 0; k < 3; k++)
		bound = fmax(bound, v3_length(v3_sub(c[k], middle)));
	return bound;
}

#endif
