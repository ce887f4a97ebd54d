/* One shape of each kind without half-spaces, for programs that compare bits. */
#ifndef TESTS_SUPPORT_EACH_SHAPE_H
#define TESTS_SUPPORT_EACH_SHAPE_H

#include "support/block.h"
#include "widephase/shape.h"

enum { EACH_SHAPE_COUNT = 8 };

static inline void each_shape(wp_shape shapes[EACH_SHAPE_COUNT])
{
	static const float corners[6][3] = {
		{-0.4f, 0, 0}, {0.5f, 0, 0}, {0, -0.6f, 0}, {0, 0.4f, 0}, {0, 0, -0.5f}, {0, 0, 0.3f}};
	static const uint32_t indices[24] = {0, 3, 4, 0, 5, 3, 0, 4, 2, 0, 2, 5, 1, 4, 3, 1, 3, 5, 1, 2, 4, 1, 5, 2};
	static const uint32_t sizes[8] = {3, 3, 3, 3, 3, 3, 3, 3};
	const wp_hull_input input = {
		.vertices.data = corners[0], .vertex_count = 6, .face_sizes = sizes, .face_indices = indices, .face_count = 8};
	const wp_hull *hull = NULL;
	const size_t hull_size = wp_hull_size(6, 8, 24);
	if (wp_hull_build(&input, block(hull_size), hull_size, &hull, NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
	shapes[0] = wp_shape_box(0.5f, 0.3f, 0.4f);
	shapes[1] = wp_shape_sphere(0.5f);
	shapes[2] = wp_shape_capsule(0.25f, 0.4f);
	shapes[3] = wp_shape_hull(hull);
	shapes[4] = wp_shape_cylinder(0.4f, 0.3f);
	shapes[5] = wp_shape_cone(0.4f, 0.5f);
	shapes[6] = wp_shape_ellipsoid(0.5f, 0.2f, 0.4f);
	shapes[7] = wp_shape_box(0.4f, 0.1f, 0.3f);
	shapes[7].radius = 0.1f;
}

#endif
