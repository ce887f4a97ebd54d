/* Bodies, with positions in double. */
#ifndef TESTS_SUPPORT_MESH_BODIES_H
#define TESTS_SUPPORT_MESH_BODIES_H

#include "widephase/query.h"

typedef struct body {
	double position[3];
	float rotation[4];
	uint32_t shape;
} body;

static inline wp_bodies bodies_of(const body *bodies, size_t count)
{
	const size_t stride = sizeof *bodies;
	return (wp_bodies){.position = {bodies->position, stride},
		.rotation = {bodies->rotation, stride},
		.shape = {&bodies->shape, stride},
		.count = count,
		.position_real = WP_REAL_DOUBLE};
}

#endif
