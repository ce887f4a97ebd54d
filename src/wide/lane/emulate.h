/* What SIMDe lacks of the operations of 16 lanes, lane by lane, and masks, which SIMDe has lane by lane. To be included by
 * vec.h alone, after SIMDe: for tests of 16 lanes on machines without AVX-512 (the option `emulate`), never for a build
 * that is used. */
#ifndef WP_WIDE_LANE_EMULATE_H
#define WP_WIDE_LANE_EMULATE_H

#include "core/base.h"

#ifdef WP_EMULATED

WP_INLINE __m512i wp_emulate_cvtepu8_epi32(__m128i bytes)
{
	uint8_t from[16];
	int32_t to[16];
	wp_copy_bytes(from, &bytes, sizeof from);
	for (int lane = 0; lane < 16; lane++)
		to[lane] = from[lane];
	return _mm512_loadu_si512(to);
}

WP_INLINE __m512 wp_emulate_cvtepi32_ps(__m512i a)
{
	int32_t from[16];
	float to[16];
	wp_copy_bytes(from, &a, sizeof from);
	for (int lane = 0; lane < 16; lane++)
		to[lane] = (float)from[lane];
	return _mm512_loadu_ps(to);
}

WP_INLINE __m512d wp_emulate_cvtps_pd(__m256 a)
{
	float from[8];
	double to[8];
	wp_copy_bytes(from, &a, sizeof from);
	for (int lane = 0; lane < 8; lane++)
		to[lane] = (double)from[lane];
	return _mm512_loadu_pd(to);
}

/* Volatile because GCC 12 is known to drop a conversion to float and back. */
WP_INLINE __m256 wp_emulate_cvtpd_ps(__m512d a)
{
	double from[8];
	float to[8];
	__m256 floats;
	wp_copy_bytes(from, &a, sizeof from);
	for (int lane = 0; lane < 8; lane++) {
		const volatile float rounded = (float)from[lane];
		to[lane] = rounded;
	}
	wp_copy_bytes(&floats, to, sizeof floats);
	return floats;
}

/* In the kernels compilers take minutes for masks that are made and read lane by lane. */
WP_INLINE simde__mmask16 wp_emulate_mask_of_ints(simde__m512i_private all)
{
	int mask = 0;
	for (int k = 0; k < 4; k++)
		mask |= _mm_movemask_ps(_mm_castsi128_ps(all.m128i[k])) << 4 * k;
	return (simde__mmask16)mask;
}

WP_INLINE simde__mmask8 wp_emulate_mask_of_longs(simde__m512i_private all)
{
	int mask = 0;
	for (int k = 0; k < 4; k++)
		mask |= _mm_movemask_pd(_mm_castsi128_pd(all.m128i[k])) << 2 * k;
	return (simde__mmask8)mask;
}

WP_INLINE simde__mmask16 wp_emulate_lt_ps(__m512 a, __m512 b)
{
	const simde__m512_private left = simde__m512_to_private(a), right = simde__m512_to_private(b);
	return wp_emulate_mask_of_ints((simde__m512i_private){.i32 = left.f32 < right.f32});
}

WP_INLINE simde__mmask16 wp_emulate_le_ps(__m512 a, __m512 b)
{
	const simde__m512_private left = simde__m512_to_private(a), right = simde__m512_to_private(b);
	return wp_emulate_mask_of_ints((simde__m512i_private){.i32 = left.f32 <= right.f32});
}

WP_INLINE simde__mmask8 wp_emulate_lt_pd(__m512d a, __m512d b)
{
	const simde__m512d_private left = simde__m512d_to_private(a), right = simde__m512d_to_private(b);
	return wp_emulate_mask_of_longs((simde__m512i_private){.i64 = left.f64 < right.f64});
}

WP_INLINE simde__mmask8 wp_emulate_le_pd(__m512d a, __m512d b)
{
	const simde__m512d_private left = simde__m512d_to_private(a), right = simde__m512d_to_private(b);
	return wp_emulate_mask_of_longs((simde__m512i_private){.i64 = left.f64 <= right.f64});
}

WP_INLINE simde__mmask16 wp_emulate_eq_epi32(__m512i a, __m512i b)
{
	const simde__m512i_private left = simde__m512i_to_private(a), right = simde__m512i_to_private(b);
	return wp_emulate_mask_of_ints((simde__m512i_private){.i32 = left.i32 == right.i32});
}

WP_INLINE simde__mmask16 wp_emulate_gt_epi32(__m512i a, __m512i b)
{
	const simde__m512i_private left = simde__m512i_to_private(a), right = simde__m512i_to_private(b);
	return wp_emulate_mask_of_ints((simde__m512i_private){.i32 = left.i32 > right.i32});
}

WP_INLINE __m512i wp_emulate_choose(simde__m512i_private all, __m512i a, __m512i b)
{
	const simde__m512i_private left = simde__m512i_to_private(a), right = simde__m512i_to_private(b);
	const simde__m512i_private chosen = {.i32 = (left.i32 & all.i32) | (right.i32 & ~all.i32)};
	return simde__m512i_from_private(chosen);
}

WP_INLINE __m512i wp_emulate_mask_mov_epi32(__m512i b, simde__mmask16 mask, __m512i a)
{
	const simde__m512i_private bits = {
		.i32 = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768}};
	return wp_emulate_choose((simde__m512i_private){.i32 = (bits.i32 & mask) != 0}, a, b);
}

WP_INLINE __m512i wp_emulate_mask_mov_epi64(__m512i b, simde__mmask8 mask, __m512i a)
{
	const simde__m512i_private bits = {.i64 = {1, 2, 4, 8, 16, 32, 64, 128}};
	return wp_emulate_choose((simde__m512i_private){.i64 = (bits.i64 & mask) != 0}, a, b);
}

#define __mmask8 simde__mmask8
#define __mmask16 simde__mmask16
#undef _mm512_cmp_ps_mask
#undef _mm512_cmp_pd_mask
#undef _mm512_cmpeq_epi32_mask
#undef _mm512_cmpgt_epi32_mask
#undef _mm512_mask_mov_epi32
#undef _mm512_mask_mov_epi64
#undef _mm512_mask_mov_ps
#undef _mm512_mask_mov_pd
#define WP_EMULATED_PS_CMP_LT_OQ(a, b) wp_emulate_lt_ps(a, b)
#define WP_EMULATED_PS_CMP_LE_OQ(a, b) wp_emulate_le_ps(a, b)
#define WP_EMULATED_PS_CMP_GT_OQ(a, b) wp_emulate_lt_ps(b, a)
#define WP_EMULATED_PS_CMP_GE_OQ(a, b) wp_emulate_le_ps(b, a)
#define WP_EMULATED_PS_CMP_NGT_UQ(a, b) ((simde__mmask16)~wp_emulate_lt_ps(b, a))
#define WP_EMULATED_PD_CMP_LT_OQ(a, b) wp_emulate_lt_pd(a, b)
#define WP_EMULATED_PD_CMP_LE_OQ(a, b) wp_emulate_le_pd(a, b)
#define WP_EMULATED_PD_CMP_GT_OQ(a, b) wp_emulate_lt_pd(b, a)
#define WP_EMULATED_PD_CMP_GE_OQ(a, b) wp_emulate_le_pd(b, a)
#define _mm512_cmp_ps_mask(a, b, order) WP_EMULATED_PS##order(a, b)
#define _mm512_cmp_pd_mask(a, b, order) WP_EMULATED_PD##order(a, b)
#define _mm512_cmpeq_epi32_mask wp_emulate_eq_epi32
#define _mm512_cmpgt_epi32_mask wp_emulate_gt_epi32
#define _mm512_mask_mov_epi32 wp_emulate_mask_mov_epi32
#define _mm512_mask_mov_epi64 wp_emulate_mask_mov_epi64
#define _mm512_mask_mov_ps(b, mask, a) \
	_mm512_castsi512_ps(wp_emulate_mask_mov_epi32(_mm512_castps_si512(b), mask, _mm512_castps_si512(a)))
#define _mm512_mask_mov_pd(b, mask, a) \
	_mm512_castsi512_pd(wp_emulate_mask_mov_epi64(_mm512_castpd_si512(b), mask, _mm512_castpd_si512(a)))
#define _mm512_cvtps_pd wp_emulate_cvtps_pd
#define _mm512_cvtpd_ps wp_emulate_cvtpd_ps
#define _mm512_cvtepu8_epi32 wp_emulate_cvtepu8_epi32
#define _mm512_cvtepi32_ps wp_emulate_cvtepi32_ps
#define _mm512_shuffle_f32x4(a, b, order) \
	_mm512_castsi512_ps(_mm512_shuffle_i32x4(_mm512_castps_si512(a), _mm512_castps_si512(b), order))

#endif

#endif
