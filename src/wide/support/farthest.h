/* The search of one hull for kernels of one lane, by vectors of more than four: its vertices lie across them. */
#ifndef WP_WIDE_SUPPORT_FARTHEST_H
#define WP_WIDE_SUPPORT_FARTHEST_H

#include "wide/support/support.h"

#if WP_WIDTH >= 8

/* As wp_find_farthest. */
static uint32_t wp_farthest_vertex(const float *vertices, uint32_t stride, const float direction[3])
{
	const vf3 d = vf3_set(vf_set(direction[0]), vf_set(direction[1]), vf_set(direction[2]));
	vf best, place;
	wp_support_scan_hull(vertices, stride, d, &best, &place);
	const vm is_top = vf_ge(best, vf_set(vf_top(best)));
	const float index = -vf_top(vf_select(is_top, place, vf_set(-WP_NO_INDEX)));
	/* A direction that is no number has no farthest vertex. */
	return index < WP_NO_INDEX ? (uint32_t)index : 0;
}

#define WP_FARTHEST_VERTEX wp_farthest_vertex

#else
#define WP_FARTHEST_VERTEX NULL
#endif

#endif
