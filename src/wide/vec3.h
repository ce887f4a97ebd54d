/* Three-dimensional vectors and rotations in lanes. */
#ifndef WP_WIDE_VEC3_H
#define WP_WIDE_VEC3_H

#include "wide/vec.h"

typedef struct vf3 {
	vf x, y, z;
} vf3;

WP_INLINE vf3 vf3_set(vf x, vf y, vf z) { return (vf3){x, y, z}; }
WP_INLINE vf3 vf3_zero(void) { return (vf3){vf_zero(), vf_zero(), vf_zero()}; }
WP_INLINE vf3 vf3_up(void) { return (vf3){vf_zero(), vf_set(1.0f), vf_zero()}; }
WP_INLINE vf3 vf3_add(vf3 a, vf3 b) { return (vf3){vf_add(a.x, b.x), vf_add(a.y, b.y), vf_add(a.z, b.z)}; }
WP_INLINE vf3 vf3_sub(vf3 a, vf3 b) { return (vf3){vf_sub(a.x, b.x), vf_sub(a.y, b.y), vf_sub(a.z, b.z)}; }
WP_INLINE vf3 vf3_scale(vf3 a, vf s) { return (vf3){vf_mul(a.x, s), vf_mul(a.y, s), vf_mul(a.z, s)}; }
WP_INLINE vf3 vf3_neg(vf3 a) { return (vf3){vf_neg(a.x), vf_neg(a.y), vf_neg(a.z)}; }

/* The one order of sums of the whole library: (x + y) + z. */
WP_INLINE vf vf3_dot(vf3 a, vf3 b) { return vf_add(vf_add(vf_mul(a.x, b.x), vf_mul(a.y, b.y)), vf_mul(a.z, b.z)); }

WP_INLINE vf3 vf3_cross(vf3 a, vf3 b)
{
	return (vf3){vf_sub(vf_mul(a.y, b.z), vf_mul(a.z, b.y)), vf_sub(vf_mul(a.z, b.x), vf_mul(a.x, b.z)),
		vf_sub(vf_mul(a.x, b.y), vf_mul(a.y, b.x))};
}

WP_INLINE vf3 vf3_select(vm m, vf3 a, vf3 b)
{
	return (vf3){vf_select(m, a.x, b.x), vf_select(m, a.y, b.y), vf_select(m, a.z, b.z)};
}

WP_INLINE vf3 vf3_flip_sign(vf3 a, vf sign)
{
	return (vf3){vf_flip_sign(a.x, sign), vf_flip_sign(a.y, sign), vf_flip_sign(a.z, sign)};
}

/* Squared lengths below this carry no direction: what remains is rounding. Kernel lengths are scaled to
 * 1, and a direction has at most the dimension of a length cubed. */
#define WP_DIRECTION_MIN_SQUARED 1e-37f

/* v at length 1; `fallback` where v is too short to have a direction. */
WP_INLINE vf3 vf3_unit(vf3 v, vf3 fallback)
{
	const vf length2 = vf3_dot(v, v);
	const vm usable = vf_gt(length2, vf_set(WP_DIRECTION_MIN_SQUARED));
	const vf inverse = vf_div(vf_set(1.0f), vf_sqrt(vf_select(usable, length2, vf_set(1.0f))));
	return vf3_select(usable, vf3_scale(v, inverse), fallback);
}

WP_INLINE vf3 vf3_load(const float *x, const float *y, const float *z)
{
	return (vf3){vf_load(x), vf_load(y), vf_load(z)};
}

WP_INLINE void vf3_store(float *x, float *y, float *z, vf3 a)
{
	vf_store(x, a.x);
	vf_store(y, a.y);
	vf_store(z, a.z);
}

WP_INLINE vf3 vf3_gather(const float *x, const float *y, const float *z, vi index)
{
	return (vf3){vf_gather(x, index), vf_gather(y, index), vf_gather(z, index)};
}

/* A rotation, row by row. */
typedef struct vf33 {
	vf3 row[3];
} vf33;

WP_INLINE vf3 vf33_apply(const vf33 *m, vf3 v)
{
	return (vf3){vf3_dot(m->row[0], v), vf3_dot(m->row[1], v), vf3_dot(m->row[2], v)};
}

/* The transpose applied to v: the inverse rotation. */
WP_INLINE vf3 vf33_apply_transposed(const vf33 *m, vf3 v)
{
	return (vf3){vf_add(vf_add(vf_mul(m->row[0].x, v.x), vf_mul(m->row[1].x, v.y)), vf_mul(m->row[2].x, v.z)),
		vf_add(vf_add(vf_mul(m->row[0].y, v.x), vf_mul(m->row[1].y, v.y)), vf_mul(m->row[2].y, v.z)),
		vf_add(vf_add(vf_mul(m->row[0].z, v.x), vf_mul(m->row[1].z, v.y)), vf_mul(m->row[2].z, v.z))};
}

/* A quaternion of any non-zero length. */
typedef struct vfq {
	vf x, y, z, w;
} vfq;

/* conj(a) b: the rotation from b's frame to a's. */
WP_INLINE vfq vfq_relative(vfq a, vfq b)
{
	const vf3 av = {a.x, a.y, a.z}, bv = {b.x, b.y, b.z};
	const vf3 v = vf3_sub(vf3_sub(vf3_scale(bv, a.w), vf3_scale(av, b.w)), vf3_cross(av, bv));
	return (vfq){v.x, v.y, v.z, vf_add(vf_mul(a.w, b.w), vf3_dot(av, bv))};
}

/* The rotation matrix; the division by the squared length stands in for normalising first. */
WP_INLINE vf33 vfq_to_matrix(vfq q)
{
	const vf norm = vf_add(vf_add(vf_mul(q.x, q.x), vf_mul(q.y, q.y)), vf_add(vf_mul(q.z, q.z), vf_mul(q.w, q.w)));
	const vf s = vf_div(vf_set(2.0f), norm);
	const vf sx = vf_mul(q.x, s), sy = vf_mul(q.y, s), sz = vf_mul(q.z, s);
	const vf xx = vf_mul(q.x, sx), yy = vf_mul(q.y, sy), zz = vf_mul(q.z, sz);
	const vf xy = vf_mul(q.x, sy), xz = vf_mul(q.x, sz), yz = vf_mul(q.y, sz);
	const vf wx = vf_mul(q.w, sx), wy = vf_mul(q.w, sy), wz = vf_mul(q.w, sz);
	const vf one = vf_set(1.0f);
	return (vf33){{{vf_sub(one, vf_add(yy, zz)), vf_sub(xy, wz), vf_add(xz, wy)},
		{vf_add(xy, wz), vf_sub(one, vf_add(xx, zz)), vf_sub(yz, wx)},
		{vf_sub(xz, wy), vf_add(yz, wx), vf_sub(one, vf_add(xx, yy))}}};
}

#endif
