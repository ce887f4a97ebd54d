/* The entry points of one variant for rays: this file is compiled once per variant, and exports one table. */
#include "wide/closed/ray_hull.h"
#include "wide/closed/ray_shapes.h"

#define WP_RAY_TABLE WP_JOIN(wp_ray_kernels_, WP_VARIANT)

extern wp_cast_rays *const WP_RAY_TABLE[WP_RAY_KIND_COUNT];

/* What rays find of their shapes before they end. */
typedef struct ray_finds {
	wp_ray_meets meets;
	wp_ray_found hull;
} ray_finds;

WP_INLINE void find(const wp_ray *r, wp_ray_kind kind, ray_finds *finds)
{
	switch (kind) {
	case WP_RAY_BALL:
		wp_ray_meet_ball(r, &finds->meets);
		break;
	case WP_RAY_SEGMENT:
		wp_ray_meet_segment(r, &finds->meets);
		break;
	case WP_RAY_BOX:
		wp_ray_meet_box(r, &finds->meets);
		break;
	case WP_RAY_CYLINDER:
		wp_ray_meet_cylinder(r, &finds->meets);
		break;
	case WP_RAY_CONE:
		wp_ray_meet_cone(r, &finds->meets);
		break;
	case WP_RAY_ELLIPSOID:
		wp_ray_meet_ellipsoid(r, &finds->meets);
		break;
	case WP_RAY_HULL:
		wp_ray_search_hull(r, &finds->hull);
		break;
	case WP_RAY_HALF_SPACE:
	case WP_RAY_KIND_COUNT:
		break;
	}
}

/* Where rays end. For shapes whose nearest points are not found, how far away they are at least. */
WP_INLINE wp_ray_end end_of(const wp_ray *r, wp_ray_kind kind, ray_finds *finds, vd *more)
{
	*more = vd_zero();
	switch (kind) {
	case WP_RAY_BALL:
		return wp_ray_at_ball(r, &finds->meets);
	case WP_RAY_SEGMENT:
		return wp_ray_at_segment(r, &finds->meets);
	case WP_RAY_BOX:
		return wp_ray_at_box(r, &finds->meets);
	case WP_RAY_CYLINDER:
		return wp_ray_at_cylinder(r, &finds->meets);
	case WP_RAY_CONE:
		return wp_ray_at_cone(r, &finds->meets, more);
	case WP_RAY_ELLIPSOID:
		return wp_ray_at_ellipsoid(r, &finds->meets, more);
	case WP_RAY_HULL:
		return wp_ray_at_hull(r, &finds->hull, more);
	case WP_RAY_HALF_SPACE:
	case WP_RAY_KIND_COUNT:
		break;
	}
	return wp_ray_at_half_space(r);
}

/* Halves of a block that take each step together, so that neither waits for itself. In WebAssembly that is 1 kB more. */
#define TOGETHER (WP_WASM ? 1 : WP_HALVES)

/* Answer all rays, as many at once as there are lanes of floats, of which two halves have lanes of doubles. One body for all
 * kinds: eight of them are 28 kB more. While roots of a block are awaited, the next one is taken: its shapes before rays end, its
 * balls before answers are written. */
WP_NOINLINE void run(const wp_rays *rays, wp_ray_kind kind, wp_ray_ends *ends)
{
	wp_ray_block block[2];
	uint32_t decided = 0;
	vi turned;
	wp_ray_stage_shapes(rays, 0, &block[0], &turned);
	ends->turns = !wp_ray_stage_balls(rays, 0, &block[0], &turned);
	for (uint32_t at = 0; at < rays->count && !ends->turns; at += WP_WIDTH) {
		const uint32_t halves = rays->count - at > WP_WIDTH_D ? WP_HALVES : 1;
		const uint32_t together = TOGETHER < halves ? TOGETHER : halves;
		const uint32_t number = at / WP_WIDTH % 2;
		wp_ray_answers answers;
		for (uint32_t half = 0; half < halves; half += TOGETHER) {
			const uint32_t next = half + TOGETHER >= halves ? at + WP_WIDTH : rays->count;
			wp_ray r[TOGETHER];
			ray_finds finds[TOGETHER];
			wp_ray_end end[TOGETHER];
			vd more[TOGETHER];
			for (uint32_t k = 0; k < together; k++)
				wp_ray_load(rays, at, &block[number], half + k, &r[k]);
			for (uint32_t k = 0; k < together; k++)
				wp_ray_enter_frame(&block[number], half + k, kind, &r[k]);
			for (uint32_t k = 0; k < together; k++)
				find(&r[k], kind, &finds[k]);
			wp_ray_stage_shapes(rays, next, &block[1 - number], &turned);
			for (uint32_t k = 0; k < together; k++)
				end[k] = end_of(&r[k], kind, &finds[k], &more[k]);
			ends->turns = !wp_ray_stage_balls(rays, next, &block[1 - number], &turned);
			for (uint32_t k = 0; k < together; k++)
				wp_ray_put(rays, &r[k], &end[k], more[k], kind, at, half + k, &answers, ends);
		}
		if (halves < WP_HALVES)
			wp_ray_repeat(&answers);
		decided |= wp_ray_outputs(rays, &answers, at, ends) << at;
	}
	ends->open = ~decided & (uint32_t)((1ull << rays->count) - 1);
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
