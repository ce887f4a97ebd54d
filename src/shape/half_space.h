/* Half-spaces in double precision, where nothing is lost of a surface far from its body's position. */
#ifndef WP_SHAPE_HALF_SPACE_H
#define WP_SHAPE_HALF_SPACE_H

#include "core/double3.h"

/* The outward normal of a half-space that is turned by a quaternion: its local +Y, in world axes, at length 1. It rounds
 * otherwise than that axis of wp_d33_of_rotation does. */
WP_INLINE wp_d3 wp_half_space_up(wp_dq q)
{
	const double x = q.v.x, y = q.v.y, z = q.v.z, w = q.w, twice = q.twice;
	return wp_d3_of(twice * (x * y - w * z), 1.0 - twice * (x * x + z * z), twice * (y * z + w * x));
}

WP_INLINE void wp_half_space_normal(const float rotation[4], double normal[3])
{
	wp_d3_put(wp_half_space_up(wp_dq_of_rotation(rotation)), normal);
}
#endif
