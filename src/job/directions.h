/* Directions that are spread evenly over the sphere. */
#ifndef WP_JOB_DIRECTIONS_H
#define WP_JOB_DIRECTIONS_H

#include "job/job.h"

/* The first `count` directions, WP_DIRECTIONS_MIN to WP_DIRECTIONS_MAX, and how they cover all others; the table is
 * static. */
wp_directions wp_directions_of(uint32_t count);

#endif
