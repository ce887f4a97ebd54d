/* Three-dimensional vectors and rotations in lanes. */
#ifndef WP_WIDE_LANE_VEC3_H
#define WP_WIDE_LANE_VEC3_H

#include "wide/lane/vec.h"

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

/* Coordinate by coordinate. */
WP_INLINE vf3 vf3_times(vf3 a, vf3 b) { return (vf3){vf_mul(a.x, b.x), vf_mul(a.y, b.y), vf_mul(a.z, b.z)}; }
WP_INLINE vf3 vf3_over(vf3 a, vf3 b) { return (vf3){vf_div(a.x, b.x), vf_div(a.y, b.y), vf_div(a.z, b.z)}; }

/* The one order of sums of the whole library: (x + y) + z. */
WP_INLINE vf vf3_dot(vf3 a, vf3 b) { return vf_add(vf_add(vf_mul(a.x, b.x), vf_mul(a.y, b.y)), vf_mul(a.z, b.z)); }

WP_INLINE vf3 vf3_cross(vf3 a, vf3 b)
{
	return (vf3){vf_sub(vf_mul(a.y, b.z), vf_mul(a.z, b.y)), vf_sub(vf_mul(a.z, b.x), vf_mul(a.x, b.z)),
		vf_sub(vf_mul(a.x, b.y), vf_mul(a.y, b.x))};
}

/* The largest coordinate. */
WP_INLINE vf vf3_most(vf3 a) { return vf_max(vf_max(a.x, a.y), a.z); }

WP_INLINE vf vf3_length(vf3 a) { return vf_sqrt(vf3_dot(a, a)); }

/* A normal of a triangle, as long as twice its area: its corners go round it counter-clockwise. */
WP_INLINE vf3 vf3_normal_of(vf3 a, vf3 b, vf3 c) { return vf3_cross(vf3_sub(b, a), vf3_sub(c, a)); }

/* Six times the signed volume of a tetrahedron: positive where d is on the side of a, b, c that their normal is on. */
WP_INLINE vf vf3_volume_of(vf3 a, vf3 b, vf3 c, vf3 d) { return vf3_dot(vf3_normal_of(a, b, c), vf3_sub(d, a)); }

WP_INLINE vf3 vf3_select(vm m, vf3 a, vf3 b)
{
	return (vf3){vf_select(m, a.x, b.x), vf_select(m, a.y, b.y), vf_select(m, a.z, b.z)};
}

/* The same, for steps that wait for it. SSE2 selects by a mask and its complement: found once for three values, the complement is
 * kept from compilers, which would find it again for each. */
#if WP_WIDTH == 4 && WP_IS_X86
WP_INLINE vf3 vf3_choose(vm m, vf3 a, vf3 b)
{
	const vm other = vm_complement(m);
	return (vf3){vm_or(vm_and(m, a.x), vm_and(other, b.x)), vm_or(vm_and(m, a.y), vm_and(other, b.y)),
		vm_or(vm_and(m, a.z), vm_and(other, b.z))};
}
#else
WP_INLINE vf3 vf3_choose(vm m, vf3 a, vf3 b) { return vf3_select(m, a, b); }
#endif

WP_INLINE vf3 vf3_select_evenly(vm m, vf3 a, vf3 b)
{
	return (vf3){vf_select_evenly(m, a.x, b.x), vf_select_evenly(m, a.y, b.y), vf_select_evenly(m, a.z, b.z)};
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

/* Two unit vectors across a unit vector n, right-handed with it (Duff et al. 2017, Building an Orthonormal Basis,
 * Revisited). */
WP_INLINE void vf3_basis(vf3 n, vf3 across[2])
{
	const vf one = vf_set(1.0f), sign = vf_with_sign(one, n.z);
	const vf a = vf_neg(vf_div(one, vf_add(sign, n.z))), b = vf_mul(vf_mul(n.x, n.y), a), x = vf_mul(sign, n.x);
	across[0] = (vf3){vf_add(one, vf_mul(vf_mul(x, n.x), a)), vf_mul(sign, b), vf_neg(x)};
	across[1] = (vf3){b, vf_add(sign, vf_mul(vf_mul(n.y, n.y), a)), vf_neg(n.y)};
}

/* The sides of a triangle, each the way from one corner to the next. */
typedef struct vf3_sides {
	vf3 longest, next, last; /* in their order round it */
	vf longest2;             /* squared length */
} vf3_sides;

/* Where several sides are the longest, the first of them counts. */
WP_INLINE vf3_sides vf3_sides_of(vf3 ab, vf3 bc, vf3 ca)
{
	const vf ab2 = vf3_dot(ab, ab), bc2 = vf3_dot(bc, bc), ca2 = vf3_dot(ca, ca);
	const vm is_ab = vm_and(vf_ge(ab2, bc2), vf_ge(ab2, ca2)), is_bc = vm_andnot(vf_ge(bc2, ca2), is_ab);
	return (vf3_sides){.longest = vf3_select(is_ab, ab, vf3_select(is_bc, bc, ca)),
		.next = vf3_select(is_ab, bc, vf3_select(is_bc, ca, ab)),
		.last = vf3_select(is_ab, ca, vf3_select(is_bc, ab, bc)),
		.longest2 = vf_max(vf_max(ab2, bc2), ca2)};
}

/* A rotation, row by row. */
typedef struct vf33 {
	vf3 row[3];
} vf33;

WP_INLINE vf33 vf33_identity(void)
{
	const vf zero = vf_zero(), one = vf_set(1.0f);
	return (vf33){{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
}

/* What axis 0, 1 or 2 is turned to. */
WP_INLINE vf3 vf33_axis(const vf33 *m, int i)
{
	const vf3 *const row = m->row;
	return i == 0 ? (vf3){row[0].x, row[1].x, row[2].x}
	     : i == 1 ? (vf3){row[0].y, row[1].y, row[2].y}
	              : (vf3){row[0].z, row[1].z, row[2].z};
}

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

WP_INLINE vfq vfq_of(vf4 q) { return (vfq){q.x, q.y, q.z, q.w}; }

WP_INLINE vf vfq_length2(vfq q)
{
	return vf_add(vf_add(vf_mul(q.x, q.x), vf_mul(q.y, q.y)), vf_add(vf_mul(q.z, q.z), vf_mul(q.w, q.w)));
}

/* conj(a) b: the rotation from b's frame to a's. */
WP_INLINE vfq vfq_relative(vfq a, vfq b)
{
	const vf3 av = {a.x, a.y, a.z}, bv = {b.x, b.y, b.z};
	const vf3 v = vf3_sub(vf3_sub(vf3_scale(bv, a.w), vf3_scale(av, b.w)), vf3_cross(av, bv));
	return (vfq){v.x, v.y, v.z, vf_add(vf_mul(a.w, b.w), vf3_dot(av, bv))};
}

/* The rotation matrix, `s` being 2 over the squared length of q, which stands in for normalising first. */
WP_INLINE vf33 vfq_to_matrix_by(vfq q, vf s)
{
	const vf sx = vf_mul(q.x, s), sy = vf_mul(q.y, s), sz = vf_mul(q.z, s);
	const vf xx = vf_mul(q.x, sx), yy = vf_mul(q.y, sy), zz = vf_mul(q.z, sz);
	const vf xy = vf_mul(q.x, sy), xz = vf_mul(q.x, sz), yz = vf_mul(q.y, sz);
	const vf wx = vf_mul(q.w, sx), wy = vf_mul(q.w, sy), wz = vf_mul(q.w, sz);
	const vf one = vf_set(1.0f);
	return (vf33){{{vf_sub(one, vf_add(yy, zz)), vf_sub(xy, wz), vf_add(xz, wy)},
		{vf_add(xy, wz), vf_sub(one, vf_add(xx, zz)), vf_sub(yz, wx)},
		{vf_sub(xz, wy), vf_add(yz, wx), vf_sub(one, vf_add(xx, yy))}}};
}

WP_INLINE vf33 vfq_to_matrix(vfq q) { return vfq_to_matrix_by(q, vf_div(vf_set(2.0f), vfq_length2(q))); }

#endif
