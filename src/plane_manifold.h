/* Manifolds of the plane: the edges that face each other, and what they have in common. */
#ifndef WP_SRC_PLANE_MANIFOLD_H
#define WP_SRC_PLANE_MANIFOLD_H

#include "plane_pack.h"

/* The points of a contact that is valid and not beyond max_separation. Returns how many they are. */
uint32_t wp2_make_manifold(const wp2_input *input, const wp2_output *contact, float max_separation,
	wp2_manifold_point points[WP2_MANIFOLD_POINT_MAX]);

#endif
