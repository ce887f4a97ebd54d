/* Facts of a core that hold in all its pairs, so that shape tables keep them. */
#include "shape/shape.h"

/* ---- the ball inside ---------------------------------------------------------------------------- */

/* By how much a ball is made smaller than float normals, unit to a few roundings, give it. */
#define INNER_ROUNDING 1e-6

/* How far out a corner is along a normal; coordinates of both are `stride` numbers apart. */
static double corner_height(const float *v, size_t vertex_stride, const float *n, size_t normal_stride)
{
	return ((double)v[0] * (double)n[0] + (double)v[vertex_stride] * (double)n[normal_stride]) +
	       (double)v[2 * vertex_stride] * (double)n[2 * normal_stride];
}

/* The largest ball about the origin that a hull is known to hold. Each point of each face is as far out along the
 * face's normal as the ball's radius, and the faces of hulls close: so the ball lies within them. */
static float inner_of_hull(const wp_core *core)
{
	if (core->face_count == 0)
		return 0.0f;
	const size_t vertex_stride = core->padded, normal_stride = wp_padded_faces(core);
	const uint32_t *const start = core->faces, *const index = start + core->face_count + 1;
	double least = (double)core->bound;
	for (uint32_t face = 0; face < core->face_count; face++)
		for (uint32_t i = start[face]; i < start[face + 1]; i++) {
			const float *const v = core->vertices + index[i], *const n = core->normals + face;
			const double out = corner_height(v, vertex_stride, n, normal_stride);
			least = out < least ? out : least;
		}
	return least > 0.0 ? wp_round_down(least * (1.0 - INNER_ROUNDING)) : 0.0f;
}

/* Whether planes bound a hull from inside: each point of each face is as far out along the face's normal as its plane. */
static bool has_planes(const wp_core *core)
{
	if (core->kind != WP_CORE_HULL || core->face_count == 0)
		return false;
	const size_t vertex_stride = core->padded, normal_stride = wp_padded_faces(core);
	const uint32_t *const start = core->faces, *const index = start + core->face_count + 1;
	double deepest = 0.0;
	for (uint32_t face = 0; face < core->face_count; face++)
		for (uint32_t i = start[face]; i < start[face + 1]; i++) {
			const float *const v = core->vertices + index[i], *const n = core->normals + face;
			const double out = corner_height(v, vertex_stride, n, normal_stride) - (double)n[3 * normal_stride];
			deepest = out < deepest ? out : deepest;
		}
	return deepest >= -WP_PLANE_SLACK * (double)core->bound;
}

static float inner_of(const wp_core *core)
{
	if (core->kind == WP_CORE_HULL)
		return inner_of_hull(core);
	if (core->kind != WP_CORE_BOX)
		return 0.0f;
	const float *const half = core->half, least = half[0] < half[1] ? half[0] : half[1];
	return half[2] < least ? half[2] : least;
}

/* ---- rays --------------------------------------------------------------------------------------- */

_Static_assert(WP_CORE_INVALID == 6 && WP_FORM_COUNT == 4, "each has its rays here");

/* Cores by kind and form; WP_RAY_KIND_COUNT: they have no closed form. */
static const uint8_t ray_kinds[WP_CORE_INVALID + 1][WP_FORM_COUNT] = {
	[WP_CORE_BOX] = {WP_RAY_BOX},
	[WP_CORE_SEGMENT] = {WP_RAY_SEGMENT},
	[WP_CORE_HULL] = {WP_RAY_HULL},
	[WP_CORE_HALF_SPACE] = {WP_RAY_HALF_SPACE},
	[WP_CORE_SMOOTH] = {[WP_FORM_BOX] = WP_RAY_KIND_COUNT,
		[WP_FORM_CYLINDER] = WP_RAY_CYLINDER,
		[WP_FORM_CONE] = WP_RAY_CONE,
		[WP_FORM_ELLIPSOID] = WP_RAY_ELLIPSOID},
	[WP_CORE_CUSTOM] = {WP_RAY_KIND_COUNT},
	[WP_CORE_INVALID] = {WP_RAY_KIND_COUNT},
};

wp_ray_kind wp_ray_kind_of(const wp_core *core, bool is_ball)
{
	const wp_ray_kind kind = (wp_ray_kind)ray_kinds[core->kind][core->kind == WP_CORE_SMOOTH ? core->count : 0];
	if (kind == WP_RAY_BOX || kind == WP_RAY_CYLINDER)
		return kind;
	const bool is_round = core->radius > 0.0f || is_ball;
	if (kind == WP_RAY_SEGMENT)
		return !is_round ? WP_RAY_KIND_COUNT : core->half[1] == 0.0f ? WP_RAY_BALL : WP_RAY_SEGMENT;
	if (kind == WP_RAY_HULL)
		return is_round || core->face_count == 0 ? WP_RAY_KIND_COUNT : kind;
	if (kind == WP_RAY_CONE || kind == WP_RAY_ELLIPSOID) {
		const bool is_wide = core->half[0] > 0.0f && core->half[1] > 0.0f && core->half[2] > 0.0f;
		return is_round || !is_wide ? WP_RAY_KIND_COUNT : kind;
	}
	return kind;
}

void wp_core_keep_rays(wp_core *core)
{
	for (int is_ball = 0; is_ball < 2; is_ball++) {
		const wp_ray_kind kind = wp_ray_kind_of(core, is_ball != 0);
		core->ray[is_ball] = kind == WP_RAY_KIND_COUNT ? 0 : (uint8_t)(kind + 1);
	}
}

void wp_core_keep_facts(wp_core *core)
{
	core->inner = inner_of(core);
	core->has_planes = has_planes(core);
	wp_core_keep_rays(core);
}
