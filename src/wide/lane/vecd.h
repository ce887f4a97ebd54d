/* Lanes of doubles, half as many as there are of floats, and one where there is one: for closed forms that have to keep
 * their digits far away. The rules of vec.h hold, which says what the names mean.
 *
 *   vd  WP_WIDTH_D doubles    vdm  WP_WIDTH_D booleans */
#ifndef WP_WIDE_LANE_VECD_H
#define WP_WIDE_LANE_VECD_H

#include "wide/lane/vec.h"

#define WP_WIDTH_D (WP_WIDTH == 1 ? 1 : WP_WIDTH / 2)
#define WP_HALVES (WP_WIDTH / WP_WIDTH_D) /* vectors of doubles beside one of floats */
#define WP_VECTOR_ALIGN_D _Alignas(8 * WP_WIDTH_D)

#if WP_WIDTH == 4
typedef __m128d vd;
typedef __m128d vdm; /* all bits of a lane set or clear */
#elif WP_WIDTH == 8
typedef __m256d vd;
typedef __m256d vdm; /* all bits of a lane set or clear */
#elif WP_WIDTH == 16
typedef __m512d vd;
typedef __mmask8 vdm;
#endif

#if WP_WIDTH > 1
WP_INLINE vd vd_set(double a) { return WP_MM(set1_pd)(a); }
WP_INLINE vd vd_load(const double *p) { return WP_MM(load_pd)(p); }
WP_INLINE void vd_store(double *p, vd a) { WP_MM(store_pd)(p, a); }
WP_INLINE vd vd_add(vd a, vd b) { return WP_MM(add_pd)(a, b); }
WP_INLINE vd vd_sub(vd a, vd b) { return WP_MM(sub_pd)(a, b); }
WP_INLINE vd vd_mul(vd a, vd b) { return WP_MM(mul_pd)(a, b); }
WP_INLINE vd vd_div(vd a, vd b) { return WP_MM(div_pd)(a, b); }
WP_INLINE vd vd_sqrt(vd a) { return WP_MM(sqrt_pd)(a); }
#if WP_WASM
WP_INLINE vd vd_abs(vd a) { return wasm_f64x2_abs(a); }
WP_INLINE vd vd_neg(vd a) { return wasm_f64x2_neg(a); }
#else
WP_INLINE vd vd_abs(vd a) { return WP_MM(andnot_pd)(vd_set(-0.0), a); }
WP_INLINE vd vd_neg(vd a) { return WP_MM(xor_pd)(a, vd_set(-0.0)); }
#endif
/* `a`, which must be >= +0, with the sign of `sign`. */
WP_INLINE vd vd_with_sign(vd a, vd sign) { return WP_MM(or_pd)(a, WP_MM(and_pd)(sign, vd_set(-0.0))); }
#endif

#if WP_WIDTH == 1

typedef double vd;
typedef bool vdm;

WP_INLINE vd vd_set(double a) { return a; }
WP_INLINE vd vd_load(const double *p) { return *p; }
WP_INLINE void vd_store(double *p, vd a) { *p = a; }
WP_INLINE vd vd_add(vd a, vd b) { return a + b; }
WP_INLINE vd vd_sub(vd a, vd b) { return a - b; }
WP_INLINE vd vd_mul(vd a, vd b) { return a * b; }
WP_INLINE vd vd_div(vd a, vd b) { return a / b; }
WP_INLINE vd vd_sqrt(vd a) { return wp_sqrt(a); }
WP_INLINE vd vd_min(vd a, vd b) { return a < b ? a : b; }
WP_INLINE vd vd_max(vd a, vd b) { return a > b ? a : b; }
WP_INLINE vd vd_abs(vd a) { return wp_abs(a); }
WP_INLINE vd vd_neg(vd a) { return -a; }
WP_INLINE vd vd_with_sign(vd a, vd sign) { return wp_with_sign(a, sign); }
WP_INLINE vd vd_select(vdm m, vd a, vd b) { return m ? a : b; }
WP_INLINE vdm vd_lt(vd a, vd b) { return a < b; }
WP_INLINE vdm vd_le(vd a, vd b) { return a <= b; }
WP_INLINE vdm vd_gt(vd a, vd b) { return a > b; }
WP_INLINE vdm vd_ge(vd a, vd b) { return a >= b; }
WP_INLINE vdm vdm_and(vdm a, vdm b) { return a & b; }
WP_INLINE vdm vdm_or(vdm a, vdm b) { return a | b; }
WP_INLINE vdm vdm_andnot(vdm a, vdm b) { return a & !b; }
WP_INLINE vdm vdm_not(vdm a) { return !a; }
WP_INLINE uint32_t vdm_bits(vdm a) { return a; }
/* The mask of all halves. */
WP_INLINE vm vm_from_halves(const vdm a[WP_HALVES]) { return a[0]; }
/* Floats at any address made doubles. */
WP_INLINE vd vd_from_floats(const float *p) { return (double)*p; }
/* Rounded to floats: all halves of a vector of floats. */
WP_INLINE vf vf_from_doubles(const vd a[WP_HALVES]) { return (float)a[0]; }
/* Rounded to floats and back. The rounded value is volatile because compilers are known to drop that. */
WP_INLINE vd vd_as_float(vd a)
{
	const volatile float rounded = (float)a;
	return (double)rounded;
}

#elif WP_WIDTH == 4

WP_INLINE vd vd_select(vdm m, vd a, vd b) { return _mm_or_pd(_mm_and_pd(m, a), _mm_andnot_pd(m, b)); }
WP_INLINE vdm vd_lt(vd a, vd b) { return _mm_cmplt_pd(a, b); }
WP_INLINE vdm vd_le(vd a, vd b) { return _mm_cmple_pd(a, b); }
WP_INLINE vdm vd_gt(vd a, vd b) { return _mm_cmpgt_pd(a, b); }
WP_INLINE vdm vd_ge(vd a, vd b) { return _mm_cmpge_pd(a, b); }
#if WP_WASM
WP_INLINE uint32_t vdm_bits(vdm a) { return wasm_i64x2_bitmask(a); }
#else
WP_INLINE uint32_t vdm_bits(vdm a) { return (uint32_t)_mm_movemask_pd(a); }
#endif
WP_INLINE vm vm_from_halves(const vdm a[WP_HALVES])
{
	return _mm_shuffle_ps(_mm_castpd_ps(a[0]), _mm_castpd_ps(a[1]), 0x88);
}
#if WP_WASM
WP_INLINE vd vd_from_floats(const float *p) { return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(p)); }
#else
WP_INLINE vd vd_from_floats(const float *p)
{
	return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
#endif
WP_INLINE vf vf_from_doubles(const vd a[WP_HALVES]) { return wp_low_halves(_mm_cvtpd_ps(a[0]), _mm_cvtpd_ps(a[1])); }
WP_INLINE vd vd_as_float(vd a) { return _mm_cvtps_pd(_mm_cvtpd_ps(a)); }

#elif WP_WIDTH == 8

/* As floats: masks of both halves of a double are the same. */
WP_INLINE vd vd_select(vdm m, vd a, vd b)
{
	return _mm256_castps_pd(vf_select(_mm256_castpd_ps(m), _mm256_castpd_ps(a), _mm256_castpd_ps(b)));
}
WP_INLINE vdm vd_lt(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
WP_INLINE vdm vd_le(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); }
WP_INLINE vdm vd_gt(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_GT_OQ); }
WP_INLINE vdm vd_ge(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_GE_OQ); }
WP_INLINE uint32_t vdm_bits(vdm a) { return (uint32_t)_mm256_movemask_pd(a); }
WP_INLINE vm vm_from_halves(const vdm a[WP_HALVES])
{
	const __m256 mixed = _mm256_shuffle_ps(_mm256_castpd_ps(a[0]), _mm256_castpd_ps(a[1]), 0x88);
	return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}
WP_INLINE vd vd_from_floats(const float *p) { return _mm256_cvtps_pd(_mm_loadu_ps(p)); }
WP_INLINE vf vf_from_doubles(const vd a[WP_HALVES])
{
	return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a[0])), _mm256_cvtpd_ps(a[1]), 1);
}
WP_INLINE vd vd_as_float(vd a) { return _mm256_cvtps_pd(_mm256_cvtpd_ps(a)); }

#elif WP_WIDTH == 16

WP_INLINE vd vd_select(vdm m, vd a, vd b) { return _mm512_mask_mov_pd(b, m, a); }
WP_INLINE vdm vd_lt(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
WP_INLINE vdm vd_le(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
WP_INLINE vdm vd_gt(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
WP_INLINE vdm vd_ge(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ); }
WP_INLINE vdm vdm_and(vdm a, vdm b) { return (vdm)(a & b); }
WP_INLINE vdm vdm_or(vdm a, vdm b) { return (vdm)(a | b); }
WP_INLINE vdm vdm_andnot(vdm a, vdm b) { return (vdm)(a & ~b); }
WP_INLINE vdm vdm_not(vdm a) { return (vdm)~a; }
WP_INLINE uint32_t vdm_bits(vdm a) { return a; }
WP_INLINE vm vm_from_halves(const vdm a[WP_HALVES]) { return (vm)((uint32_t)a[1] << 8 | a[0]); }
WP_INLINE vd vd_from_floats(const float *p) { return _mm512_cvtps_pd(_mm256_loadu_ps(p)); }
WP_INLINE vf vf_from_doubles(const vd a[WP_HALVES])
{
	const __m512d low = _mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps(a[0])));
	return _mm512_castpd_ps(_mm512_insertf64x4(low, _mm256_castps_pd(_mm512_cvtpd_ps(a[1])), 1));
}
WP_INLINE vd vd_as_float(vd a) { return _mm512_cvtps_pd(_mm512_cvtpd_ps(a)); }

#endif

#if WP_WIDTH == 4 || WP_WIDTH == 8
WP_INLINE vdm vdm_and(vdm a, vdm b) { return WP_MM(and_pd)(a, b); }
WP_INLINE vdm vdm_or(vdm a, vdm b) { return WP_MM(or_pd)(a, b); }
WP_INLINE vdm vdm_andnot(vdm a, vdm b) { return WP_MM(andnot_pd)(b, a); }
WP_INLINE vdm vdm_not(vdm a) { return WP_MM(andnot_pd)(a, vd_le(vd_set(0.0), vd_set(0.0))); }
/* The value where the mask is set, or where it is not, elsewhere 0. */
WP_INLINE vd vd_where(vdm m, vd a) { return WP_MM(and_pd)(m, a); }
WP_INLINE vd vd_except(vdm m, vd a) { return WP_MM(andnot_pd)(m, a); }
#else
WP_INLINE vd vd_where(vdm m, vd a) { return vd_select(m, a, vd_set(0.0)); }
WP_INLINE vd vd_except(vdm m, vd a) { return vd_select(m, vd_set(0.0), a); }
#endif

#if WP_WASM
WP_INLINE vd vd_min(vd a, vd b) { return wasm_f64x2_pmin(b, a); }
WP_INLINE vd vd_max(vd a, vd b) { return wasm_f64x2_pmax(b, a); }
#elif WP_WIDTH == 4 && !WP_IS_X86
/* SIMDe orders zeros, and numbers that are none, in another way than x86 does. */
WP_INLINE vd vd_min(vd a, vd b) { return vd_select(vd_lt(a, b), a, b); }
WP_INLINE vd vd_max(vd a, vd b) { return vd_select(vd_gt(a, b), a, b); }
#elif WP_WIDTH > 1
WP_INLINE vd vd_min(vd a, vd b) { return WP_MM(min_pd)(a, b); }
WP_INLINE vd vd_max(vd a, vd b) { return WP_MM(max_pd)(a, b); }
#endif

/* ---- built from the above, for every width ------------------------------------------------------ */

WP_INLINE vd vd_zero(void) { return vd_set(0.0); }
WP_INLINE vdm vdm_false(void) { return vd_lt(vd_zero(), vd_zero()); }
WP_INLINE vdm vd_is_zero(vd a) { return vd_le(vd_abs(a), vd_zero()); }

/* ---- vectors ------------------------------------------------------------------------------------ */

typedef struct vd3 {
	vd x, y, z;
} vd3;

WP_INLINE vd3 vd3_set(vd x, vd y, vd z) { return (vd3){x, y, z}; }
WP_INLINE vd3 vd3_zero(void) { return (vd3){vd_zero(), vd_zero(), vd_zero()}; }
WP_INLINE vd3 vd3_add(vd3 a, vd3 b) { return (vd3){vd_add(a.x, b.x), vd_add(a.y, b.y), vd_add(a.z, b.z)}; }
WP_INLINE vd3 vd3_sub(vd3 a, vd3 b) { return (vd3){vd_sub(a.x, b.x), vd_sub(a.y, b.y), vd_sub(a.z, b.z)}; }
WP_INLINE vd3 vd3_scale(vd3 a, vd s) { return (vd3){vd_mul(a.x, s), vd_mul(a.y, s), vd_mul(a.z, s)}; }
WP_INLINE vd3 vd3_neg(vd3 a) { return (vd3){vd_neg(a.x), vd_neg(a.y), vd_neg(a.z)}; }
WP_INLINE vd vd3_dot(vd3 a, vd3 b) { return vd_add(vd_add(vd_mul(a.x, b.x), vd_mul(a.y, b.y)), vd_mul(a.z, b.z)); }
WP_INLINE vd vd3_length(vd3 a) { return vd_sqrt(vd3_dot(a, a)); }
WP_INLINE vd3 vd3_unit(vd3 a) { return vd3_scale(a, vd_div(vd_set(1.0), vd3_length(a))); }

WP_INLINE vd3 vd3_cross(vd3 a, vd3 b)
{
	return (vd3){vd_sub(vd_mul(a.y, b.z), vd_mul(a.z, b.y)), vd_sub(vd_mul(a.z, b.x), vd_mul(a.x, b.z)),
		vd_sub(vd_mul(a.x, b.y), vd_mul(a.y, b.x))};
}

WP_INLINE vd3 vd3_select(vdm m, vd3 a, vd3 b)
{
	return (vd3){vd_select(m, a.x, b.x), vd_select(m, a.y, b.y), vd_select(m, a.z, b.z)};
}

/* A quaternion of any length but zero. */
typedef struct vdq {
	vd3 v;
	vd w;
} vdq;

/* The axes of a frame. */
typedef struct vd_axes {
	vd3 x, y, z;
} vd_axes;

/* The axes that a rotation turns those of the world to: columns of its matrix. 2 over the squared length stands in for making
 * the quaternion unit. */
WP_INLINE vd_axes vd_axes_of(vdq q)
{
	const vd length2 = vd_add(
		vd_add(vd_mul(q.v.x, q.v.x), vd_mul(q.v.y, q.v.y)), vd_add(vd_mul(q.v.z, q.v.z), vd_mul(q.w, q.w)));
	const vd3 twice = vd3_scale(q.v, vd_div(vd_set(2.0), length2));
	const vd one = vd_set(1.0), xx = vd_mul(q.v.x, twice.x), yy = vd_mul(q.v.y, twice.y), zz = vd_mul(q.v.z, twice.z);
	const vd xy = vd_mul(q.v.x, twice.y), yz = vd_mul(q.v.y, twice.z), zx = vd_mul(q.v.z, twice.x);
	const vd3 w = vd3_scale(twice, q.w);
	return (vd_axes){{vd_sub(one, vd_add(yy, zz)), vd_add(xy, w.z), vd_sub(zx, w.y)},
		{vd_sub(xy, w.z), vd_sub(one, vd_add(zz, xx)), vd_add(yz, w.x)},
		{vd_add(zx, w.y), vd_sub(yz, w.x), vd_sub(one, vd_add(xx, yy))}};
}

/* The vector that has some coordinates along axes, and the coordinates that one has. */
WP_INLINE vd3 vd3_from_axes(vd_axes a, vd3 v)
{
	return vd3_add(vd3_add(vd3_scale(a.x, v.x), vd3_scale(a.y, v.y)), vd3_scale(a.z, v.z));
}

WP_INLINE vd3 vd3_along_axes(vd_axes a, vd3 v) { return vd3_set(vd3_dot(a.x, v), vd3_dot(a.y, v), vd3_dot(a.z, v)); }

#endif
