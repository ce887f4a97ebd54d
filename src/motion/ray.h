/* Rays: casts of a point or a sphere against a shape that does not turn. In closed form, in double, and without a contact
 * where that knows the answer. */
#ifndef WP_MOTION_RAY_H
#define WP_MOTION_RAY_H

#include "motion/advance.h"

/* Decide a row that is at the start of its way, as wp_cast_step would: its fraction, status and answer. False where it stays
 * open: it is no ray, it is invalid, it touches at the start, or no closed form knows the nearest points. It may be further on
 * its way then, where it is proven free up to there. */
bool wp_ray_run(const wp_call *call, wp_cast_memory *cast, uint32_t i);

#endif
