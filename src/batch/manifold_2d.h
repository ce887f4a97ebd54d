/* 2D manifolds: the edges that face each other, and what they have in common. */
#ifndef WP_BATCH_MANIFOLD_2D_H
#define WP_BATCH_MANIFOLD_2D_H

#include "batch/read.h"
#include "batch/write.h"
#include "widephase/2d.h"

/* The points of a contact that is valid and not beyond max_separation. Returns how many they are. */
uint32_t wp2d_make_manifold(const wp_call *call, const wp_input *input, const wp_output *contact,
	wp2d_manifold_point points[WP2D_MANIFOLD_POINT_MAX]);

#endif
