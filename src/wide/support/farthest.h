/* The search of one hull for kernels of one lane, by vectors of eight: its vertices lie across them. */
#ifndef WP_WIDE_SUPPORT_FARTHEST_H
#define WP_WIDE_SUPPORT_FARTHEST_H

#include "wide/support/support.h"

#if WP_WIDTH == 8

#define WP_FARTHEST_VECTORS (WP_FARTHEST_PADDED / WP_WIDTH)

/* As wp_find_farthest: the values of all vertices are kept, and the first that equals the largest is found by its bit. */
static uint32_t wp_farthest_vertex(const float *x, float direction_x, float direction_y, float direction_z)
{
	const float *const y = x + WP_FARTHEST_PADDED, *const z = y + WP_FARTHEST_PADDED;
	const vf3 d = vf3_set(vf_set(direction_x), vf_set(direction_y), vf_set(direction_z));
	vf value[WP_FARTHEST_VECTORS], best;
	for (int k = 0; k < WP_FARTHEST_VECTORS; k++) {
		value[k] = vf3_dot(vf3_load(x + k * WP_WIDTH, y + k * WP_WIDTH, z + k * WP_WIDTH), d);
		best = k == 0 ? value[0] : vf_max(best, value[k]);
	}
	const vf top = vf_top(best);
	uint32_t equal = 0;
	for (int k = 0; k < WP_FARTHEST_VECTORS; k++)
		equal |= vm_bits(vf_ge(value[k], top)) << k * WP_WIDTH;
	/* A direction that is no number has no farthest vertex. */
	return equal != 0 ? wp_lowest_bit(equal) : 0;
}

#define WP_FARTHEST_VERTEX wp_farthest_vertex

#else
#define WP_FARTHEST_VERTEX NULL
#endif

#endif
