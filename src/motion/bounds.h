/* Boxes of bodies, for the broadphase: what the calls for shapes, meshes and compounds share. */
#ifndef WP_MOTION_BOUNDS_H
#define WP_MOTION_BOUNDS_H

#include "batch/read.h"
#include "core/double3.h"
#include "motion/path.h"

/* How far a body reaches along the axes of the world from its position, and against them; minus infinity where it has no point
 * yet. */
typedef struct wp_extent {
	double high[3], low[3];
} wp_extent;

WP_INLINE wp_extent wp_extent_of_nothing(void)
{
	const double none = -(double)WP_INFINITY;
	return (wp_extent){{none, none, none}, {none, none, none}};
}

/* Let an extent hold what reaches so far along axis k, and against it. */
WP_INLINE void wp_extent_hold(wp_extent *extent, int k, double high, double low)
{
	extent->high[k] = high > extent->high[k] ? high : extent->high[k];
	extent->low[k] = low > extent->low[k] ? low : extent->low[k];
}

/* Let an extent hold a place, given from the body's position on in the body's frame. */
WP_INLINE void wp_extent_hold_place(wp_extent *extent, const wp_d33 *axes, wp_d3 place)
{
	for (int k = 0; k < 3; k++) {
		const double along = wp_d3_dot(axes->row[k], place);
		wp_extent_hold(extent, k, along, -along);
	}
}

/* Whether an extent holds a box of the body's frame, and so much around it. */
WP_INLINE bool wp_extent_holds_box(const wp_extent *extent, const wp_d33 *axes, wp_d3 lower, wp_d3 upper, double more)
{
	const wp_d3 middle = wp_d3_scale(wp_d3_add(lower, upper), 0.5), half = wp_d3_scale(wp_d3_sub(upper, lower), 0.5);
	for (int k = 0; k < 3; k++) {
		const wp_d3 axis = axes->row[k];
		const double at = wp_d3_dot(axis, middle);
		const double out = ((wp_abs(axis.x) * half.x + wp_abs(axis.y) * half.y) + wp_abs(axis.z) * half.z) + more;
		if (!(at + out <= extent->high[k] && out - at <= extent->low[k]))
			return false;
	}
	return true;
}

/* Where boxes go, the strides never 0, and how much more than its body each of them holds on each side. */
typedef struct wp_bounds_rows {
	wp_bounds bounds;
	double more;
} wp_bounds_rows;

/* WP_OK, or what is wrong with `bounds`, or with a range of so many bodies. Callers have room for a box of each body, so a
 * longer range, as of a batch of pairs, would write beyond it. */
wp_error wp_bounds_check(const wp_bounds *bounds, size_t first, size_t count, size_t bodies);

wp_bounds_rows wp_bounds_rows_of(const wp_bounds *bounds, float max_separation);

/* Write the box of a body: its extent, and `radius` around it. No number that the extent was computed of is larger than
 * `size`. */
void wp_bounds_put(const wp_bounds_rows *rows, size_t body, const double position[3], const wp_extent *extent,
	double radius, double size);

/* Write the box of a body that is none: without a volume, where nothing overlaps it. */
void wp_bounds_put_none(const wp_bounds_rows *rows, size_t body);

/* Write the box of a body with a core. */
void wp_bounds_put_core(const wp_bounds_rows *rows, const wp_core *core, const wp_side *side);

#endif
