/* Manifolds of the plane: the edges that face each other, and what they have in common. */
#ifndef WP_SRC_PLANE_MANIFOLD_H
#define WP_SRC_PLANE_MANIFOLD_H

#include "batch/read.h"
#include "batch/write.h"
#include "widephase/plane.h"

/* The points of a contact that is valid and not beyond max_separation. Returns how many they are. */
uint32_t wp2_make_manifold(const wp_call *call, const wp_input *input, const wp_output *contact,
	wp2_manifold_point points[WP2_MANIFOLD_POINT_MAX]);

#endif
