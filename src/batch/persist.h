/* Points of this frame replace the last frame's points. */
#ifndef WP_BATCH_PERSIST_H
#define WP_BATCH_PERSIST_H

#include "core/base.h"
#include "core/double3.h"
#include "widephase/persist.h"

/* One point with all that is kept of it, by which points are matched and sorted. */
typedef struct wp_persist_point {
	wp_persistent_point now;
	wp_persistent_place place;
	float impulse[3];
} wp_persist_point;

/* A point from its place in a manifold, and to it. */
void wp_persist_take(const wp_persistent_manifold *manifold, uint32_t at, wp_persist_point *point);
void wp_persist_put(wp_persistent_manifold *manifold, uint32_t at, const wp_persist_point *point);

WP_INLINE void wp_persist_age(wp_persistent_point *point) { point->age += point->age != UINT32_MAX; }

/* How far a point is from where it was, in the body that it moved less in, squared: a corner that slides stays in its own. */
WP_INLINE double wp_persist_moved(
	const float from_a[3], const float to_a[3], const float from_b[3], const float to_b[3])
{
	const double on_a = wp_distance_squared(from_a, to_a), on_b = wp_distance_squared(from_b, to_b);
	return on_a < on_b ? on_a : on_b;
}

/* The same of places. */
WP_INLINE double wp_persist_moved_squared(const wp_persistent_place *from, const wp_persistent_place *to)
{
	return wp_persist_moved(from->local_a, to->local_a, from->local_b, to->local_b);
}

/* Take `count` new points, arms included, at most WP_PERSISTENT_POINT_MAX, in the place of the old ones, which may have up to
 * as many: by features first, then by distances up to `merging`. Spoils `points`. */
void wp_persist_replace(wp_persistent_manifold *manifold, wp_persist_point *points, uint32_t count, float merging);

#endif
