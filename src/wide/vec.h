/* W0: the lane types and their operations. The only file that includes SIMDe, and the only one that
 * knows the instruction set; WP_WIDTH says how many lanes there are.
 *
 *   vf  WP_WIDTH floats       vi  WP_WIDTH 32-bit integers       vm  WP_WIDTH booleans
 *
 * Lanes never meet: every operation is the same IEEE operation in each lane, so a lane's bits do not
 * depend on the width. The exceptions (vf_argmax, vm_bits, gathers and scatters) move or compare values
 * and never combine them by arithmetic. */
#ifndef WP_WIDE_VEC_H
#define WP_WIDE_VEC_H

#include "base.h"

#if WP_WIDTH == 16
#include <simde/x86/avx512.h>
#elif WP_WIDTH == 8
#include <simde/x86/avx2.h>
#elif WP_WIDTH == 4
#include <simde/x86/sse2.h>
#elif WP_WIDTH != 1
#error "WP_WIDTH must be 1, 4, 8 or 16"
#endif

#define WP_VECTOR_ALIGN _Alignas(4 * WP_WIDTH)

/* Bits of a full mask. */
#define WP_ALL_LANES ((uint32_t)((1u << WP_WIDTH) - 1u))

WP_INLINE uint32_t wp_float_bits(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/* Index of the lowest set bit; bits must not be 0. */
WP_INLINE uint32_t wp_lowest_bit(uint32_t bits) { return (uint32_t)__builtin_ctz(bits); }

/* Set bits of a lane mask. Spelled out: without an instruction for it, compilers would call a function. */
WP_INLINE uint32_t wp_count_bits(uint32_t bits)
{
	bits = (bits & 0x5555u) + (bits >> 1 & 0x5555u);
	bits = (bits & 0x3333u) + (bits >> 2 & 0x3333u);
	bits = (bits & 0x0f0fu) + (bits >> 4 & 0x0f0fu);
	return (bits & 0xffu) + (bits >> 8);
}

#if WP_WIDTH == 1

typedef float vf;
typedef int32_t vi;
typedef bool vm;

WP_INLINE vf vf_set(float a) { return a; }
WP_INLINE vf vf_load(const float *p) { return *p; }
WP_INLINE void vf_store(float *p, vf a) { *p = a; }
WP_INLINE vf vf_add(vf a, vf b) { return a + b; }
WP_INLINE vf vf_sub(vf a, vf b) { return a - b; }
WP_INLINE vf vf_mul(vf a, vf b) { return a * b; }
WP_INLINE vf vf_div(vf a, vf b) { return a / b; }
WP_INLINE vf vf_sqrt(vf a) { return __builtin_sqrtf(a); }
WP_INLINE vf vf_select(vm m, vf a, vf b) { return m ? a : b; }
WP_INLINE vm vf_lt(vf a, vf b) { return a < b; }
WP_INLINE vm vf_le(vf a, vf b) { return a <= b; }
WP_INLINE vm vf_gt(vf a, vf b) { return a > b; }
WP_INLINE vm vf_ge(vf a, vf b) { return a >= b; }
WP_INLINE vi vi_from_bits(vf a)
{
	vi r;
	memcpy(&r, &a, sizeof r);
	return r;
}
WP_INLINE vf vf_from_bits(vi a)
{
	vf r;
	memcpy(&r, &a, sizeof r);
	return r;
}

WP_INLINE vi vi_set(int32_t a) { return a; }
WP_INLINE vi vi_load(const int32_t *p) { return *p; }
WP_INLINE void vi_store(int32_t *p, vi a) { *p = a; }
WP_INLINE vi vi_add(vi a, vi b) { return (vi)((uint32_t)a + (uint32_t)b); }
WP_INLINE vi vi_sub(vi a, vi b) { return (vi)((uint32_t)a - (uint32_t)b); }
WP_INLINE vi vi_and(vi a, vi b) { return a & b; }
WP_INLINE vi vi_or(vi a, vi b) { return a | b; }
WP_INLINE vi vi_xor(vi a, vi b) { return a ^ b; }
WP_INLINE vi vi_shift_left(vi a, int n) { return (vi)((uint32_t)a << n); }
WP_INLINE vi vi_shift_right(vi a, int n) { return (vi)((uint32_t)a >> n); }
WP_INLINE vm vi_eq(vi a, vi b) { return a == b; }
WP_INLINE vm vi_gt(vi a, vi b) { return a > b; }
WP_INLINE vi vi_select(vm m, vi a, vi b) { return m ? a : b; }
WP_INLINE vi vi_lanes(void) { return 0; }

WP_INLINE vm vm_and(vm a, vm b) { return a & b; }
WP_INLINE vm vm_or(vm a, vm b) { return a | b; }
WP_INLINE vm vm_not(vm a) { return !a; }
WP_INLINE vm vm_andnot(vm a, vm b) { return a & !b; }
WP_INLINE uint32_t vm_bits(vm a) { return a; }
WP_INLINE vm vm_from_bits(uint32_t bits) { return bits & 1u; }

WP_INLINE vf vf_gather(const float *base, vi index) { return base[index]; }
WP_INLINE vi vi_gather(const int32_t *base, vi index) { return base[index]; }

#elif WP_WIDTH == 4

typedef simde__m128 vf;
typedef simde__m128i vi;
typedef simde__m128 vm; /* all bits of a lane set or clear */

WP_INLINE vf vf_set(float a) { return simde_mm_set1_ps(a); }
WP_INLINE vf vf_load(const float *p) { return simde_mm_load_ps(p); }
WP_INLINE void vf_store(float *p, vf a) { simde_mm_store_ps(p, a); }
WP_INLINE vf vf_add(vf a, vf b) { return simde_mm_add_ps(a, b); }
WP_INLINE vf vf_sub(vf a, vf b) { return simde_mm_sub_ps(a, b); }
WP_INLINE vf vf_mul(vf a, vf b) { return simde_mm_mul_ps(a, b); }
WP_INLINE vf vf_div(vf a, vf b) { return simde_mm_div_ps(a, b); }
WP_INLINE vf vf_sqrt(vf a) { return simde_mm_sqrt_ps(a); }
WP_INLINE vi vi_from_bits(vf a) { return simde_mm_castps_si128(a); }
WP_INLINE vf vf_from_bits(vi a) { return simde_mm_castsi128_ps(a); }
WP_INLINE vf vf_select(vm m, vf a, vf b)
{
	return simde_mm_or_ps(simde_mm_and_ps(m, a), simde_mm_andnot_ps(m, b));
}
WP_INLINE vm vf_lt(vf a, vf b) { return simde_mm_cmplt_ps(a, b); }
WP_INLINE vm vf_le(vf a, vf b) { return simde_mm_cmple_ps(a, b); }
WP_INLINE vm vf_gt(vf a, vf b) { return simde_mm_cmpgt_ps(a, b); }
WP_INLINE vm vf_ge(vf a, vf b) { return simde_mm_cmpge_ps(a, b); }

WP_INLINE vi vi_set(int32_t a) { return simde_mm_set1_epi32(a); }
WP_INLINE vi vi_load(const int32_t *p) { return simde_mm_load_si128((const simde__m128i *)p); }
WP_INLINE void vi_store(int32_t *p, vi a) { simde_mm_store_si128((simde__m128i *)p, a); }
WP_INLINE vi vi_add(vi a, vi b) { return simde_mm_add_epi32(a, b); }
WP_INLINE vi vi_sub(vi a, vi b) { return simde_mm_sub_epi32(a, b); }
WP_INLINE vi vi_and(vi a, vi b) { return simde_mm_and_si128(a, b); }
WP_INLINE vi vi_or(vi a, vi b) { return simde_mm_or_si128(a, b); }
WP_INLINE vi vi_xor(vi a, vi b) { return simde_mm_xor_si128(a, b); }
WP_INLINE vi vi_shift_left(vi a, int n) { return simde_mm_sll_epi32(a, simde_mm_cvtsi32_si128(n)); }
WP_INLINE vi vi_shift_right(vi a, int n) { return simde_mm_srl_epi32(a, simde_mm_cvtsi32_si128(n)); }
WP_INLINE vm vi_eq(vi a, vi b) { return vf_from_bits(simde_mm_cmpeq_epi32(a, b)); }
WP_INLINE vm vi_gt(vi a, vi b) { return vf_from_bits(simde_mm_cmpgt_epi32(a, b)); }
WP_INLINE vi vi_select(vm m, vi a, vi b)
{
	return vi_from_bits(vf_select(m, vf_from_bits(a), vf_from_bits(b)));
}
WP_INLINE vi vi_lanes(void) { return simde_mm_setr_epi32(0, 1, 2, 3); }

WP_INLINE vm vm_and(vm a, vm b) { return simde_mm_and_ps(a, b); }
WP_INLINE vm vm_or(vm a, vm b) { return simde_mm_or_ps(a, b); }
WP_INLINE vm vm_andnot(vm a, vm b) { return simde_mm_andnot_ps(b, a); }
WP_INLINE vm vm_not(vm a) { return simde_mm_andnot_ps(a, vf_from_bits(vi_set(-1))); }
WP_INLINE uint32_t vm_bits(vm a) { return (uint32_t)simde_mm_movemask_ps(a); }
WP_INLINE vm vm_from_bits(uint32_t bits)
{
	const vi lane = simde_mm_setr_epi32(1, 2, 4, 8);
	return vi_eq(vi_and(vi_set((int32_t)bits), lane), lane);
}

WP_INLINE vf vf_gather(const float *base, vi index)
{
	WP_VECTOR_ALIGN int32_t i[4];
	vi_store(i, index);
	return simde_mm_setr_ps(base[i[0]], base[i[1]], base[i[2]], base[i[3]]);
}
WP_INLINE vi vi_gather(const int32_t *base, vi index)
{
	WP_VECTOR_ALIGN int32_t i[4];
	vi_store(i, index);
	return simde_mm_setr_epi32(base[i[0]], base[i[1]], base[i[2]], base[i[3]]);
}

#elif WP_WIDTH == 8

typedef simde__m256 vf;
typedef simde__m256i vi;
typedef simde__m256 vm; /* all bits of a lane set or clear */

WP_INLINE vf vf_set(float a) { return simde_mm256_set1_ps(a); }
WP_INLINE vf vf_load(const float *p) { return simde_mm256_load_ps(p); }
WP_INLINE void vf_store(float *p, vf a) { simde_mm256_store_ps(p, a); }
WP_INLINE vf vf_add(vf a, vf b) { return simde_mm256_add_ps(a, b); }
WP_INLINE vf vf_sub(vf a, vf b) { return simde_mm256_sub_ps(a, b); }
WP_INLINE vf vf_mul(vf a, vf b) { return simde_mm256_mul_ps(a, b); }
WP_INLINE vf vf_div(vf a, vf b) { return simde_mm256_div_ps(a, b); }
WP_INLINE vf vf_sqrt(vf a) { return simde_mm256_sqrt_ps(a); }
WP_INLINE vi vi_from_bits(vf a) { return simde_mm256_castps_si256(a); }
WP_INLINE vf vf_from_bits(vi a) { return simde_mm256_castsi256_ps(a); }
WP_INLINE vf vf_select(vm m, vf a, vf b) { return simde_mm256_blendv_ps(b, a, m); }
WP_INLINE vm vf_lt(vf a, vf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ); }
WP_INLINE vm vf_le(vf a, vf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ); }
WP_INLINE vm vf_gt(vf a, vf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_GT_OQ); }
WP_INLINE vm vf_ge(vf a, vf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_GE_OQ); }

WP_INLINE vi vi_set(int32_t a) { return simde_mm256_set1_epi32(a); }
WP_INLINE vi vi_load(const int32_t *p) { return simde_mm256_load_si256((const simde__m256i *)p); }
WP_INLINE void vi_store(int32_t *p, vi a) { simde_mm256_store_si256((simde__m256i *)p, a); }
WP_INLINE vi vi_add(vi a, vi b) { return simde_mm256_add_epi32(a, b); }
WP_INLINE vi vi_sub(vi a, vi b) { return simde_mm256_sub_epi32(a, b); }
WP_INLINE vi vi_and(vi a, vi b) { return simde_mm256_and_si256(a, b); }
WP_INLINE vi vi_or(vi a, vi b) { return simde_mm256_or_si256(a, b); }
WP_INLINE vi vi_xor(vi a, vi b) { return simde_mm256_xor_si256(a, b); }
WP_INLINE vi vi_shift_left(vi a, int n) { return simde_mm256_sll_epi32(a, simde_mm_cvtsi32_si128(n)); }
WP_INLINE vi vi_shift_right(vi a, int n) { return simde_mm256_srl_epi32(a, simde_mm_cvtsi32_si128(n)); }
WP_INLINE vm vi_eq(vi a, vi b) { return vf_from_bits(simde_mm256_cmpeq_epi32(a, b)); }
WP_INLINE vm vi_gt(vi a, vi b) { return vf_from_bits(simde_mm256_cmpgt_epi32(a, b)); }
WP_INLINE vi vi_select(vm m, vi a, vi b)
{
	return vi_from_bits(vf_select(m, vf_from_bits(a), vf_from_bits(b)));
}
WP_INLINE vi vi_lanes(void) { return simde_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }

WP_INLINE vm vm_and(vm a, vm b) { return simde_mm256_and_ps(a, b); }
WP_INLINE vm vm_or(vm a, vm b) { return simde_mm256_or_ps(a, b); }
WP_INLINE vm vm_andnot(vm a, vm b) { return simde_mm256_andnot_ps(b, a); }
WP_INLINE vm vm_not(vm a) { return simde_mm256_andnot_ps(a, vf_from_bits(vi_set(-1))); }
WP_INLINE uint32_t vm_bits(vm a) { return (uint32_t)simde_mm256_movemask_ps(a); }
WP_INLINE vm vm_from_bits(uint32_t bits)
{
	const vi lane = simde_mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
	return vi_eq(vi_and(vi_set((int32_t)bits), lane), lane);
}

/* Gather instructions are no faster than single loads where they are good, and several times slower on
 * CPUs whose microcode guards them against data sampling. */
WP_INLINE vf vf_gather(const float *base, vi index)
{
	WP_VECTOR_ALIGN int32_t i[8];
	vi_store(i, index);
	return simde_mm256_setr_ps(base[i[0]], base[i[1]], base[i[2]], base[i[3]], base[i[4]], base[i[5]], base[i[6]],
		base[i[7]]);
}
WP_INLINE vi vi_gather(const int32_t *base, vi index)
{
	WP_VECTOR_ALIGN int32_t i[8];
	vi_store(i, index);
	return simde_mm256_setr_epi32(base[i[0]], base[i[1]], base[i[2]], base[i[3]], base[i[4]], base[i[5]], base[i[6]],
		base[i[7]]);
}

#elif WP_WIDTH == 16

typedef simde__m512 vf;
typedef simde__m512i vi;
typedef simde__mmask16 vm;

WP_INLINE vf vf_set(float a) { return simde_mm512_set1_ps(a); }
WP_INLINE vf vf_load(const float *p) { return simde_mm512_load_ps(p); }
WP_INLINE void vf_store(float *p, vf a) { simde_mm512_store_ps(p, a); }
WP_INLINE vf vf_add(vf a, vf b) { return simde_mm512_add_ps(a, b); }
WP_INLINE vf vf_sub(vf a, vf b) { return simde_mm512_sub_ps(a, b); }
WP_INLINE vf vf_mul(vf a, vf b) { return simde_mm512_mul_ps(a, b); }
WP_INLINE vf vf_div(vf a, vf b) { return simde_mm512_div_ps(a, b); }
WP_INLINE vf vf_sqrt(vf a) { return simde_mm512_sqrt_ps(a); }
WP_INLINE vi vi_from_bits(vf a) { return simde_mm512_castps_si512(a); }
WP_INLINE vf vf_from_bits(vi a) { return simde_mm512_castsi512_ps(a); }
WP_INLINE vf vf_select(vm m, vf a, vf b) { return simde_mm512_mask_mov_ps(b, m, a); }
WP_INLINE vm vf_lt(vf a, vf b) { return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LT_OQ); }
WP_INLINE vm vf_le(vf a, vf b) { return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LE_OQ); }
WP_INLINE vm vf_gt(vf a, vf b) { return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_GT_OQ); }
WP_INLINE vm vf_ge(vf a, vf b) { return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_GE_OQ); }

WP_INLINE vi vi_set(int32_t a) { return simde_mm512_set1_epi32(a); }
WP_INLINE vi vi_load(const int32_t *p) { return simde_mm512_load_si512((const simde__m512i *)p); }
WP_INLINE void vi_store(int32_t *p, vi a) { simde_mm512_store_si512((simde__m512i *)p, a); }
WP_INLINE vi vi_add(vi a, vi b) { return simde_mm512_add_epi32(a, b); }
WP_INLINE vi vi_sub(vi a, vi b) { return simde_mm512_sub_epi32(a, b); }
WP_INLINE vi vi_and(vi a, vi b) { return simde_mm512_and_si512(a, b); }
WP_INLINE vi vi_or(vi a, vi b) { return simde_mm512_or_si512(a, b); }
WP_INLINE vi vi_xor(vi a, vi b) { return simde_mm512_xor_si512(a, b); }
WP_INLINE vi vi_shift_left(vi a, int n) { return simde_mm512_sll_epi32(a, simde_mm_cvtsi32_si128(n)); }
WP_INLINE vi vi_shift_right(vi a, int n) { return simde_mm512_srl_epi32(a, simde_mm_cvtsi32_si128(n)); }
WP_INLINE vm vi_eq(vi a, vi b) { return simde_mm512_cmpeq_epi32_mask(a, b); }
WP_INLINE vm vi_gt(vi a, vi b) { return simde_mm512_cmpgt_epi32_mask(a, b); }
WP_INLINE vi vi_select(vm m, vi a, vi b) { return simde_mm512_mask_mov_epi32(b, m, a); }
WP_INLINE vi vi_lanes(void)
{
	return simde_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

WP_INLINE vm vm_and(vm a, vm b) { return (vm)(a & b); }
WP_INLINE vm vm_or(vm a, vm b) { return (vm)(a | b); }
WP_INLINE vm vm_andnot(vm a, vm b) { return (vm)(a & ~b); }
WP_INLINE vm vm_not(vm a) { return (vm)~a; }
WP_INLINE uint32_t vm_bits(vm a) { return a; }
WP_INLINE vm vm_from_bits(uint32_t bits) { return (vm)bits; }

#ifndef SIMDE_X86_AVX512F_NATIVE
#error "16 lanes are built for AVX-512 only"
#endif

/* Single loads for the same reason as with 8 lanes. */
WP_INLINE vf vf_gather(const float *base, vi index)
{
	WP_VECTOR_ALIGN int32_t i[16];
	vi_store(i, index);
	return _mm512_setr_ps(base[i[0]], base[i[1]], base[i[2]], base[i[3]], base[i[4]], base[i[5]], base[i[6]],
		base[i[7]], base[i[8]], base[i[9]], base[i[10]], base[i[11]], base[i[12]], base[i[13]], base[i[14]],
		base[i[15]]);
}
WP_INLINE vi vi_gather(const int32_t *base, vi index)
{
	WP_VECTOR_ALIGN int32_t i[16];
	vi_store(i, index);
	return _mm512_setr_epi32(base[i[0]], base[i[1]], base[i[2]], base[i[3]], base[i[4]], base[i[5]], base[i[6]],
		base[i[7]], base[i[8]], base[i[9]], base[i[10]], base[i[11]], base[i[12]], base[i[13]], base[i[14]],
		base[i[15]]);
}

#endif

/* ---- built from the above, for every width ------------------------------------------------------ */

WP_INLINE vf vf_zero(void) { return vf_set(0.0f); }
WP_INLINE vi vi_zero(void) { return vi_set(0); }
WP_INLINE vm vm_false(void) { return vm_from_bits(0); }
WP_INLINE vm vm_all(void) { return vm_from_bits(WP_ALL_LANES); }
WP_INLINE bool vm_any(vm a) { return vm_bits(a) != 0; }
WP_INLINE vm vm_xor(vm a, vm b) { return vm_or(vm_andnot(a, b), vm_andnot(b, a)); }

WP_INLINE vf vf_neg(vf a) { return vf_from_bits(vi_xor(vi_from_bits(a), vi_set(INT32_MIN))); }
WP_INLINE vf vf_abs(vf a) { return vf_from_bits(vi_and(vi_from_bits(a), vi_set(INT32_MAX))); }

/* Smaller and larger as compare and select: the second operand where they are equal. */
WP_INLINE vf vf_min(vf a, vf b) { return vf_select(vf_lt(a, b), a, b); }
WP_INLINE vf vf_max(vf a, vf b) { return vf_select(vf_gt(a, b), a, b); }

/* Magnitude of `a` with the sign bit of `sign`; `a` must be >= +0. */
WP_INLINE vf vf_with_sign(vf a, vf sign)
{
	return vf_from_bits(vi_or(vi_from_bits(a), vi_and(vi_from_bits(sign), vi_set(INT32_MIN))));
}

/* Change the sign of `a` where the sign bit of `sign` is set. */
WP_INLINE vf vf_flip_sign(vf a, vf sign)
{
	return vf_from_bits(vi_xor(vi_from_bits(a), vi_and(vi_from_bits(sign), vi_set(INT32_MIN))));
}

WP_INLINE vm vf_is_finite(vf a)
{
	const vi exponent = vi_set(0x7f800000);
	return vm_not(vi_eq(vi_and(vi_from_bits(a), exponent), exponent));
}

/* Index of the largest value over the lanes, the smallest index where several are equal. */
WP_INLINE int32_t vf_argmax(vf value, vi index)
{
#if WP_WIDTH == 1
	(void)value;
	return index;
#elif WP_WIDTH == 4
	vf top = vf_max(value, simde_mm_shuffle_ps(value, value, 0x4e));
	top = vf_max(top, simde_mm_shuffle_ps(top, top, 0xb1));
	const vi none = vi_set(INT32_MAX);
	vi low = vi_select(vf_ge(value, top), index, none);
	vi other = simde_mm_shuffle_epi32(low, 0x4e);
	low = vi_select(vi_gt(low, other), other, low);
	other = simde_mm_shuffle_epi32(low, 0xb1);
	low = vi_select(vi_gt(low, other), other, low);
	return simde_mm_cvtsi128_si32(low);
#elif WP_WIDTH == 8
	vf top = vf_max(value, simde_mm256_permute2f128_ps(value, value, 1));
	top = vf_max(top, simde_mm256_shuffle_ps(top, top, 0x4e));
	top = vf_max(top, simde_mm256_shuffle_ps(top, top, 0xb1));
	vi low = vi_select(vf_ge(value, top), index, vi_set(INT32_MAX));
	low = simde_mm256_min_epi32(low, simde_mm256_permute2x128_si256(low, low, 1));
	low = simde_mm256_min_epi32(low, simde_mm256_shuffle_epi32(low, 0x4e));
	low = simde_mm256_min_epi32(low, simde_mm256_shuffle_epi32(low, 0xb1));
	return simde_mm_cvtsi128_si32(simde_mm256_castsi256_si128(low));
#else
	const vf top = vf_set(_mm512_reduce_max_ps(value));
	return _mm512_mask_reduce_min_epi32(vf_ge(value, top), index);
#endif
}

#endif
