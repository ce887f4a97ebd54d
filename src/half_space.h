/* Half-spaces in double precision, where nothing is lost of a surface far from its body's position. */
#ifndef WP_SRC_HALF_SPACE_H
#define WP_SRC_HALF_SPACE_H

#include "base.h"

/* The outward normal of a half-space that is turned by a quaternion, of any length but zero: its local +Y, in
 * world axes, at length 1. */
WP_INLINE void wp_half_space_up(const double q[4], double normal[3])
{
	const double x = q[0], y = q[1], z = q[2], w = q[3], twice = 2.0 / ((x * x + y * y) + (z * z + w * w));
	normal[0] = twice * (x * y - w * z);
	normal[1] = 1.0 - twice * (x * x + z * z);
	normal[2] = twice * (y * z + w * x);
}

WP_INLINE void wp_half_space_normal(const float rotation[4], double normal[3])
{
	const double q[4] = {(double)rotation[0], (double)rotation[1], (double)rotation[2], (double)rotation[3]};
	wp_half_space_up(q, normal);
}
#endif
