/* Two-dimensional vectors in lanes. A rotation is one too: cosine and sine. */
#ifndef WP_WIDE_LANE_VEC2_H
#define WP_WIDE_LANE_VEC2_H

#include "wide/lane/vec.h"

typedef struct vf2 {
	vf x, y;
} vf2;

WP_INLINE vf2 vf2_zero(void) { return (vf2){vf_zero(), vf_zero()}; }
WP_INLINE vf2 vf2_add(vf2 a, vf2 b) { return (vf2){vf_add(a.x, b.x), vf_add(a.y, b.y)}; }
WP_INLINE vf2 vf2_sub(vf2 a, vf2 b) { return (vf2){vf_sub(a.x, b.x), vf_sub(a.y, b.y)}; }
WP_INLINE vf2 vf2_scale(vf2 a, vf s) { return (vf2){vf_mul(a.x, s), vf_mul(a.y, s)}; }
WP_INLINE vf2 vf2_neg(vf2 a) { return (vf2){vf_neg(a.x), vf_neg(a.y)}; }
WP_INLINE vf vf2_dot(vf2 a, vf2 b) { return vf_add(vf_mul(a.x, b.x), vf_mul(a.y, b.y)); }
WP_INLINE vf vf2_cross(vf2 a, vf2 b) { return vf_sub(vf_mul(a.x, b.y), vf_mul(a.y, b.x)); }
WP_INLINE vf vf2_length(vf2 a) { return vf_sqrt(vf2_dot(a, a)); }
WP_INLINE vf2 vf2_select(vm m, vf2 a, vf2 b) { return (vf2){vf_select(m, a.x, b.x), vf_select(m, a.y, b.y)}; }

/* A quarter turn clockwise: the outward side of an edge of a counter-clockwise polygon. */
WP_INLINE vf2 vf2_right(vf2 a) { return (vf2){a.y, vf_neg(a.x)}; }

/* v turned by a rotation, and turned back. */
WP_INLINE vf2 vf2_turn(vf2 r, vf2 v)
{
	return (vf2){vf_sub(vf_mul(r.x, v.x), vf_mul(r.y, v.y)), vf_add(vf_mul(r.y, v.x), vf_mul(r.x, v.y))};
}
WP_INLINE vf2 vf2_turn_back(vf2 r, vf2 v) { return (vf2){vf2_dot(r, v), vf2_cross(r, v)}; }

/* v at length 1; `fallback` where its length is `length` and too short to have a direction. */
WP_INLINE vf2 vf2_unit_of(vf2 v, vf length, vf2 fallback)
{
	const vm usable = vf_gt(length, vf_set(1e-18f));
	const vf inverse = vf_div(vf_set(1.0f), vf_select(usable, length, vf_set(1.0f)));
	return vf2_select(usable, vf2_scale(v, inverse), fallback);
}

WP_INLINE vf2 vf2_unit(vf2 v, vf2 fallback) { return vf2_unit_of(v, vf2_length(v), fallback); }

WP_INLINE vf2 vf2_load(const float *x, const float *y) { return (vf2){vf_load(x), vf_load(y)}; }
WP_INLINE void vf2_store(float *x, float *y, vf2 a)
{
	vf_store(x, a.x);
	vf_store(y, a.y);
}

#endif
