/* The entry points of one variant for rays: this file is compiled once per variant, and exports one table. */
#include "wide/closed/ray_hull.h"
#include "wide/closed/ray_shapes.h"

#define WP_RAY_TABLE WP_JOIN(wp_ray_kernels_, WP_VARIANT)

extern wp_cast_rays *const WP_RAY_TABLE[WP_RAY_KIND_COUNT];

/* Where rays end. For shapes whose nearest points are not found, how far away they are at least. */
WP_INLINE wp_ray_end end_of(const wp_ray *r, wp_ray_kind kind, vd *more)
{
	*more = vd_zero();
	switch (kind) {
	case WP_RAY_BALL:
		return wp_ray_at_ball(r, vd_zero());
	case WP_RAY_SEGMENT:
		return wp_ray_at_segment(r);
	case WP_RAY_BOX:
		return wp_ray_at_box(r);
	case WP_RAY_CYLINDER:
		return wp_ray_at_cylinder(r);
	case WP_RAY_CONE:
		return wp_ray_at_cone(r, more);
	case WP_RAY_ELLIPSOID:
		return wp_ray_at_ellipsoid(r, more);
	case WP_RAY_HULL:
		return wp_ray_at_hull(r, more);
	default:
		return wp_ray_at_half_space(r);
	}
}

/* Lanes past the last ray have its hull, and do not search it; rays at other shapes have none. */
WP_INLINE void find_cores(const wp_rays *rays, uint32_t at, bool are_hulls, wp_ray *r)
{
	const uint32_t left = rays->count > at ? rays->count - at : 0;
	r->present = left < WP_WIDTH_D ? left : WP_WIDTH_D;
	for (uint32_t lane = 0; lane < WP_WIDTH_D; lane++)
		r->core[lane] = are_hulls ? rays->core[lane < left ? at + lane : rays->count - 1] : NULL;
}

/* Answer all rays, as many at once as there are lanes of floats, and as many of these as there are lanes of doubles. One body
 * for all kinds: eight of them are 28 kB more. */
WP_NOINLINE void run(const wp_rays *rays, wp_ray_kind kind, wp_ray_ends *ends)
{
	wp_ray_answers answers;
	memset(&answers, 0, sizeof answers);
	for (uint32_t at = 0; at < rays->count; at += WP_WIDTH) {
		wp_ray_block block;
		wp_ray_stage(rays, at, &block);
		for (uint32_t half = 0; half < WP_HALVES; half++) {
			const uint32_t lane = half * WP_WIDTH_D;
			if (at + lane >= rays->count) {
				wp_ray_repeat(&answers, half);
				continue;
			}
			wp_ray r;
			const vdm valid = wp_ray_load(rays, at + lane, &block, lane, &r);
			find_cores(rays, at + lane, kind == WP_RAY_HULL, &r);
			vd more;
			const wp_ray_end end = end_of(&r, kind, &more);
			wp_ray_put(&r, &end, more, valid, kind == WP_RAY_HALF_SPACE, at + lane, half, &answers, ends);
		}
		wp_ray_outputs(&answers, at, ends);
	}
}

static void cast_ball(const wp_rays *rays, wp_ray_ends *ends) { run(rays, WP_RAY_BALL, ends); }
static void cast_segment(const wp_rays *rays, wp_ray_ends *ends) { run(rays, WP_RAY_SEGMENT, ends); }
static void cast_box(const wp_rays *rays, wp_ray_ends *ends) { run(rays, WP_RAY_BOX, ends); }
static void cast_cylinder(const wp_rays *rays, wp_ray_ends *ends) { run(rays, WP_RAY_CYLINDER, ends); }
static void cast_cone(const wp_rays *rays, wp_ray_ends *ends) { run(rays, WP_RAY_CONE, ends); }
static void cast_ellipsoid(const wp_rays *rays, wp_ray_ends *ends) { run(rays, WP_RAY_ELLIPSOID, ends); }
static void cast_hull(const wp_rays *rays, wp_ray_ends *ends) { run(rays, WP_RAY_HULL, ends); }
static void cast_half_space(const wp_rays *rays, wp_ray_ends *ends) { run(rays, WP_RAY_HALF_SPACE, ends); }

wp_cast_rays *const WP_RAY_TABLE[WP_RAY_KIND_COUNT] = {
	[WP_RAY_BALL] = cast_ball,
	[WP_RAY_SEGMENT] = cast_segment,
	[WP_RAY_BOX] = cast_box,
	[WP_RAY_CYLINDER] = cast_cylinder,
	[WP_RAY_CONE] = cast_cone,
	[WP_RAY_ELLIPSOID] = cast_ellipsoid,
	[WP_RAY_HULL] = cast_hull,
	[WP_RAY_HALF_SPACE] = cast_half_space,
};
