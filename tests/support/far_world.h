/* Places in a world whose origin is far away. */
#ifndef TESTS_SUPPORT_FAR_WORLD_H
#define TESTS_SUPPORT_FAR_WORLD_H

#include <math.h>

/* Round a place so that it moves without rounding, and write where it is 2^36 away. */
static inline void move_far(double near[3], double far[3])
{
	for (int k = 0; k < 3; k++) {
		near[k] = round(near[k] * 0x1p12) * 0x1p-12;
		far[k] = near[k] + (k == 1 ? -0x1p36 : 0x1.8p36);
	}
}

#endif
