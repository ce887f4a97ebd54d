/* Cores and the radii that round them, in double precision, in 3D and in 2D. */
#ifndef WP_CORE_ROUNDED_H
#define WP_CORE_ROUNDED_H

#include "core/base.h"

/* Where two shapes that overlap share a point on the way across the gap of their cores: the middle of the part that both
 * radii cover, from A's core on; 0 where there is no gap. */
WP_INLINE double wp_common_depth(double gap, double radius_a, double radius_b)
{
	if (!(gap > 0))
		return 0;
	return ((gap > radius_b ? gap - radius_b : 0) + (radius_a < gap ? radius_a : gap)) / 2;
}

#endif
