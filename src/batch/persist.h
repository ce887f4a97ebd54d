/* Points of this frame replace the last frame's points. */
#ifndef WP_BATCH_PERSIST_H
#define WP_BATCH_PERSIST_H

#include "widephase/persist.h"

/* Take `count` new points, arms included, at most WP_PERSISTENT_POINT_MAX, in the place of the old ones, which may have up to
 * as many: by features first, then by distances up to `merging`. Spoils `points`. */
void wp_persist_replace(wp_persistent_manifold *manifold, wp_persistent_point *points, uint32_t count, float merging);

#endif
