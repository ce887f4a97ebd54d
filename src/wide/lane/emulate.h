/* What SIMDe lacks of the operations of 16 lanes, lane by lane. To be included by vec.h alone, after SIMDe: for tests
 * of 16 lanes on machines without AVX-512 (the option `emulate`), never for a build that is used. */
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

#define __mmask8 simde__mmask8
#define __mmask16 simde__mmask16
#define _mm512_cvtps_pd wp_emulate_cvtps_pd
#define _mm512_cvtpd_ps wp_emulate_cvtpd_ps
#define _mm512_cvtepu8_epi32 wp_emulate_cvtepu8_epi32
#define _mm512_cvtepi32_ps wp_emulate_cvtepi32_ps
#define _mm512_shuffle_f32x4(a, b, order) \
	_mm512_castsi512_ps(_mm512_shuffle_i32x4(_mm512_castps_si512(a), _mm512_castps_si512(b), order))

#endif

#endif
