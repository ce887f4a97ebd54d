/* Bodies that move and turn, with positions in double. */
#ifndef TESTS_SUPPORT_MOVING_BODIES_H
#define TESTS_SUPPORT_MOVING_BODIES_H

#include "support/gen_random.h"
#include "support/vector.h"
#include "widephase/cast.h"

#include <stdbool.h>

typedef struct body {
	double position[3];
	float rotation[4], way[3], end[4];
	uint32_t shape, surface; /* the surface that it is above, where a test has several */
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

static inline wp_motions motions_of(const body *bodies, bool turns)
{
	return (wp_motions){{bodies->way, sizeof *bodies}, {turns ? bodies->end : NULL, sizeof *bodies}};
}

/* A body at a fraction of its way, turned along the shorter arc. */
static inline body moved(const body *b, double fraction)
{
	body to = *b;
	double q[4];
	quaternion_between(b->rotation, b->end, fraction, q);
	for (int k = 0; k < 4; k++)
		to.rotation[k] = gen_rounded(q[k]);
	for (int k = 0; k < 3; k++)
		to.position[k] += fraction * (double)b->way[k];
	return to;
}

#endif
