/* The lane types and their operations. The only file that includes SIMDe, and the only one that
 * knows the instruction set; WP_WIDTH says how many lanes there are.
 *
 *   vf  WP_WIDTH floats       vi  WP_WIDTH 32-bit integers       vm  WP_WIDTH booleans
 *
 * Lanes never meet: every operation is the same IEEE operation in each lane, so a lane's bits do not
 * depend on the width. The exceptions (vf_top, vf_tops, vm_bits, gathers and scatters) move or compare values and
 * never combine them by arithmetic.
 *
 * vf_min and vf_max are "a < b ? a : b" and "a > b ? a : b": b where they are equal or not ordered. */
#ifndef WP_WIDE_LANE_VEC_H
#define WP_WIDE_LANE_VEC_H

#include "core/base.h"

#if WP_WIDTH != 1 && WP_WIDTH != 4 && WP_WIDTH != 8 && WP_WIDTH != 16
#error "WP_WIDTH must be 1, 4, 8 or 16"
#endif
#if WP_WIDTH > 1 && WP_IS_BIG_ENDIAN
#error "widephase has vectors of little-endian machines alone: elsewhere, build the variant scalar"
#endif

/* The operations have their names from x86. Elsewhere SIMDe has them under these names, four lanes wide; where
 * WP_EMULATED is defined, for tests, 16 lanes too. */
#if WP_WIDTH == 16 && defined(WP_EMULATED)
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#elif WP_IS_X86
#include <immintrin.h>
#elif WP_WIDTH > 1
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/sse2.h>
#endif

#include "wide/lane/emulate.h"

/* Where an operation of SSE2 is several instructions of NEON, NEON's own stands beside it. */
#if WP_WIDTH == 4 && defined(SIMDE_ARM_NEON_A64V8_NATIVE)
#define WP_NEON 1
#else
#define WP_NEON 0
#endif

/* The same for WebAssembly. */
#if WP_WIDTH == 4 && defined(__wasm_simd128__)
#define WP_WASM 1
#else
#define WP_WASM 0
#endif

/* Of large functions of kernels that several others call: the module for JavaScript is to be small. */
#if WP_WASM
#define WP_INLINE_NATIVE WP_NOINLINE
#else
#define WP_INLINE_NATIVE WP_INLINE_LARGE
#endif

#define WP_VECTOR_ALIGN _Alignas(4 * WP_WIDTH)

/* Three values of any alignment, of which no more is read. */
#if WP_WIDTH == 4
WP_INLINE __m128 wp_load_three(const unsigned char *at)
{
	float last;
	wp_copy_bytes(&last, at + 8, sizeof last);
	return _mm_movelh_ps(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)at)), _mm_set_ss(last));
}
#elif WP_WIDTH > 1
WP_INLINE __m128 wp_load_three(const unsigned char *at)
{
	return _mm_maskload_ps((const float *)(const void *)at, _mm_setr_epi32(-1, -1, -1, 0));
}
#endif

/* Bits of a full mask. */
#define WP_ALL_LANES ((uint32_t)((1u << WP_WIDTH) - 1u))

WP_INLINE uint32_t wp_float_bits(float value)
{
	uint32_t bits;
	wp_copy_bytes(&bits, &value, sizeof bits);
	return bits;
}

#if WP_WIDTH == 4
typedef __m128 vf;
typedef __m128i vi;
typedef __m128 vm; /* all bits of a lane set or clear */
#define WP_MM(operation) _mm_##operation
#define WP_SI(operation) _mm_##operation##_si128
#define WP_FROM_SI _mm_castsi128_ps
#elif WP_WIDTH == 8
typedef __m256 vf;
typedef __m256i vi;
typedef __m256 vm; /* all bits of a lane set or clear */
#define WP_MM(operation) _mm256_##operation
#define WP_SI(operation) _mm256_##operation##_si256
#define WP_FROM_SI _mm256_castsi256_ps
#elif WP_WIDTH == 16
typedef __m512 vf;
typedef __m512i vi;
typedef __mmask16 vm;
#define WP_MM(operation) _mm512_##operation
#define WP_SI(operation) _mm512_##operation##_si512
#define WP_FROM_SI _mm512_castsi512_ps
#endif

/* What instruction sets call alike, but for how the names begin and end. */
#if WP_WIDTH > 1
WP_INLINE vf vf_set(float a) { return WP_MM(set1_ps)(a); }
WP_INLINE vf vf_load(const float *p) { return WP_MM(load_ps)(p); }
WP_INLINE void vf_store(float *p, vf a) { WP_MM(store_ps)(p, a); }
WP_INLINE vf vf_add(vf a, vf b) { return WP_MM(add_ps)(a, b); }
WP_INLINE vf vf_sub(vf a, vf b) { return WP_MM(sub_ps)(a, b); }
WP_INLINE vf vf_mul(vf a, vf b) { return WP_MM(mul_ps)(a, b); }
WP_INLINE vf vf_div(vf a, vf b) { return WP_MM(div_ps)(a, b); }
WP_INLINE vf vf_sqrt(vf a) { return WP_MM(sqrt_ps)(a); }
WP_INLINE vf vf_min(vf a, vf b) { return WP_MM(min_ps)(a, b); }
#if WP_WASM
WP_INLINE vf vf_max(vf a, vf b) { return wasm_f32x4_pmax(b, a); }
#else
WP_INLINE vf vf_max(vf a, vf b) { return WP_MM(max_ps)(a, b); }
#endif
WP_INLINE vf vf_from_int(vi a) { return WP_MM(cvtepi32_ps)(a); }
WP_INLINE vi vi_from_bits(vf a) { return WP_SI(castps)(a); }
WP_INLINE vf vf_from_bits(vi a) { return WP_FROM_SI(a); }

WP_INLINE vi vi_set(int32_t a) { return WP_MM(set1_epi32)(a); }
WP_INLINE vi vi_load(const int32_t *p) { return WP_SI(load)((const vi *)p); }
WP_INLINE void vi_store(int32_t *p, vi a) { WP_SI(store)((vi *)p, a); }
WP_INLINE vi vi_add(vi a, vi b) { return WP_MM(add_epi32)(a, b); }
WP_INLINE vi vi_sub(vi a, vi b) { return WP_MM(sub_epi32)(a, b); }
WP_INLINE vi vi_and(vi a, vi b) { return WP_SI(and)(a, b); }
WP_INLINE vi vi_or(vi a, vi b) { return WP_SI(or)(a, b); }
WP_INLINE vi vi_xor(vi a, vi b) { return WP_SI(xor)(a, b); }
WP_INLINE vi vi_shift_left(vi a, int n) { return WP_MM(sll_epi32)(a, _mm_cvtsi32_si128(n)); }
WP_INLINE vi vi_shift_right(vi a, int n) { return WP_MM(srl_epi32)(a, _mm_cvtsi32_si128(n)); }
#endif

/* Masks of whole lanes. */
#if WP_WIDTH == 4 || WP_WIDTH == 8
WP_INLINE vm vm_and(vm a, vm b) { return WP_MM(and_ps)(a, b); }
WP_INLINE vm vm_or(vm a, vm b) { return WP_MM(or_ps)(a, b); }
WP_INLINE vm vm_andnot(vm a, vm b) { return WP_MM(andnot_ps)(b, a); }
WP_INLINE vm vm_not(vm a) { return WP_MM(andnot_ps)(a, vf_from_bits(vi_set(-1))); }
WP_INLINE vm vi_eq(vi a, vi b) { return vf_from_bits(WP_MM(cmpeq_epi32)(a, b)); }
WP_INLINE vm vi_gt(vi a, vi b) { return vf_from_bits(WP_MM(cmpgt_epi32)(a, b)); }
#endif

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
WP_INLINE vf vf_sqrt(vf a) { return wp_sqrt_float(a); }
WP_INLINE vf vf_min(vf a, vf b) { return a < b ? a : b; }
WP_INLINE vf vf_max(vf a, vf b) { return a > b ? a : b; }
WP_INLINE float vf_top_number(vf a) { return a; }
WP_INLINE vf vf_select(vm m, vf a, vf b) { return m ? a : b; }
WP_INLINE vm vf_lt(vf a, vf b) { return a < b; }
WP_INLINE vm vf_le(vf a, vf b) { return a <= b; }
WP_INLINE vm vf_gt(vf a, vf b) { return a > b; }
WP_INLINE vm vf_ge(vf a, vf b) { return a >= b; }
WP_INLINE vi vi_from_bits(vf a)
{
	vi r;
	wp_copy_bytes(&r, &a, sizeof r);
	return r;
}
WP_INLINE vf vf_from_bits(vi a)
{
	vf r;
	wp_copy_bytes(&r, &a, sizeof r);
	return r;
}
/* vf_select without a branch: for masks that no machine can guess. */
WP_INLINE vf vf_select_evenly(vm m, vf a, vf b)
{
	const vi kept = vi_from_bits(b);
	return vf_from_bits(kept ^ ((vi_from_bits(a) ^ kept) & -(vi)m));
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
WP_INLINE vi vi_select_evenly(vm m, vi a, vi b) { return b ^ ((a ^ b) & -(vi)m); }
WP_INLINE vi vi_lanes(void) { return 0; }
/* One byte for each lane, the lowest first. */
WP_INLINE vi vi_from_bytes(const uint64_t bytes[1]) { return (vi)(bytes[0] & 0xffu); }

WP_INLINE vm vm_and(vm a, vm b) { return a & b; }
WP_INLINE vm vm_or(vm a, vm b) { return a | b; }
WP_INLINE vm vm_not(vm a) { return !a; }
WP_INLINE vm vm_andnot(vm a, vm b) { return a & !b; }
WP_INLINE uint32_t vm_bits(vm a) { return a; }
WP_INLINE vm vm_from_bits(uint32_t bits) { return bits & 1u; }

WP_INLINE vf vf_gather(const float *base, vi index) { return base[index]; }
WP_INLINE vi vi_gather(const int32_t *base, vi index) { return base[index]; }
WP_INLINE void vf_scatter(float *base, vi index, vf a) { base[index] = a; }
WP_INLINE void vi_scatter(int32_t *base, vi index, vi a) { base[index] = a; }
WP_INLINE vf vf_from_int(vi a) { return (float)a; }
/* The value of another lane. */
WP_INLINE vf vf_pick(vf a, vi lane) { return lane == 0 ? a : 0.0f; }

/* Not a > b: also true where one is no number. */
WP_INLINE vm vf_not_gt(vf a, vf b) { return !(a > b); }

#elif WP_WIDTH == 4

#if WP_NEON
WP_INLINE vf vf_select(vm m, vf a, vf b) { return vbslq_f32(vreinterpretq_u32_f32(m), a, b); }
#else
WP_INLINE vf vf_select(vm m, vf a, vf b) { return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b)); }
#endif
WP_INLINE vm vf_lt(vf a, vf b) { return _mm_cmplt_ps(a, b); }
WP_INLINE vm vf_le(vf a, vf b) { return _mm_cmple_ps(a, b); }
WP_INLINE vm vf_gt(vf a, vf b) { return _mm_cmpgt_ps(a, b); }
WP_INLINE vm vf_ge(vf a, vf b) { return _mm_cmpge_ps(a, b); }
#if WP_IS_X86
WP_INLINE vm vf_not_gt(vf a, vf b) { return _mm_cmpngt_ps(a, b); }
#else
WP_INLINE vm vf_not_gt(vf a, vf b) { return vm_not(vf_gt(a, b)); }
#endif

WP_INLINE vi vi_select(vm m, vi a, vi b) { return vi_from_bits(vf_select(m, vf_from_bits(a), vf_from_bits(b))); }
WP_INLINE vi vi_lanes(void) { return _mm_setr_epi32(0, 1, 2, 3); }
WP_INLINE vi vi_from_bytes(const uint64_t bytes[1])
{
	const vi none = _mm_setzero_si128(), narrow = _mm_cvtsi32_si128((int32_t)bytes[0]);
	return _mm_unpacklo_epi16(_mm_unpacklo_epi8(narrow, none), none);
}

#if WP_NEON
WP_INLINE uint32_t vm_bits(vm a)
{
	const uint32x4_t lane = {1, 2, 4, 8};
	return vaddvq_u32(vandq_u32(vreinterpretq_u32_f32(a), lane));
}
WP_INLINE vm vm_from_bits(uint32_t bits)
{
	const uint32x4_t lane = {1, 2, 4, 8};
	return vreinterpretq_f32_u32(vtstq_u32(vdupq_n_u32(bits), lane));
}

WP_INLINE vf wp_four(float a, float b, float c, float d) { return (vf){a, b, c, d}; }
WP_INLINE vi wp_four_ints(int32_t a, int32_t b, int32_t c, int32_t d)
{
	return vreinterpretq_s64_s32((int32x4_t){a, b, c, d});
}
#else
#if WP_WASM
WP_INLINE uint32_t vm_bits(vm a) { return wasm_i32x4_bitmask(a); }
#else
WP_INLINE uint32_t vm_bits(vm a) { return (uint32_t)_mm_movemask_ps(a); }
#endif
WP_INLINE vm vm_from_bits(uint32_t bits)
{
	const vi lane = _mm_setr_epi32(1, 2, 4, 8);
	return vi_eq(vi_and(vi_set((int32_t)bits), lane), lane);
}
WP_INLINE vf wp_four(float a, float b, float c, float d) { return _mm_setr_ps(a, b, c, d); }
WP_INLINE vi wp_four_ints(int32_t a, int32_t b, int32_t c, int32_t d) { return _mm_setr_epi32(a, b, c, d); }
#endif

/* The indices of lanes, none negative. x86 takes them out of a vector in twos. */
#if defined(__x86_64__) && !defined(WP_MSVC)
typedef size_t wp_index;
WP_INLINE void wp_lane_indices(vi index, wp_index at[4])
{
	const uint64_t low = (uint64_t)index[0], high = (uint64_t)index[1];
	at[0] = (uint32_t)low;
	at[1] = low >> 32;
	at[2] = (uint32_t)high;
	at[3] = high >> 32;
}
#else
typedef int32_t wp_index;
WP_INLINE void wp_lane_indices(vi index, wp_index at[4]) { vi_store(at, index); }
#endif

WP_INLINE vf vf_gather(const float *base, vi index)
{
	WP_VECTOR_ALIGN wp_index i[4];
	wp_lane_indices(index, i);
	return wp_four(base[i[0]], base[i[1]], base[i[2]], base[i[3]]);
}
WP_INLINE vi vi_gather(const int32_t *base, vi index)
{
	WP_VECTOR_ALIGN wp_index i[4];
	wp_lane_indices(index, i);
	return wp_four_ints(base[i[0]], base[i[1]], base[i[2]], base[i[3]]);
}
#if WP_NEON
WP_INLINE vf vf_pick(vf a, vi lane)
{
	const uint32x4_t first = vmulq_n_u32(vreinterpretq_u32_s64(lane), 0x04040404u);
	const uint32x4_t bytes = vaddq_u32(first, vdupq_n_u32(0x03020100u));
	return vreinterpretq_f32_u8(vqtbl1q_u8(vreinterpretq_u8_f32(a), vreinterpretq_u8_u32(bytes)));
}
#elif WP_WASM
/* Not through memory: emscripten 3.1.6 gives other lanes where floats just stored are loaded one by one. */
WP_INLINE vf vf_pick(vf a, vi lane)
{
	const v128_t first = wasm_i32x4_mul(lane, wasm_i32x4_splat(0x04040404));
	return wasm_i8x16_swizzle(a, wasm_i32x4_add(first, wasm_i32x4_splat(0x03020100)));
}
#else
WP_INLINE vf vf_pick(vf a, vi lane)
{
	WP_VECTOR_ALIGN float v[4];
	vf_store(v, a);
	return vf_gather(v, lane);
}
#endif

/* Of each quarter of both vectors one half. */
#if WP_NEON
WP_INLINE vf wp_low_halves(vf a, vf b)
{
	return vreinterpretq_f32_f64(vzip1q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}
WP_INLINE vf wp_high_halves(vf a, vf b)
{
	return vreinterpretq_f32_f64(vzip2q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}
#else
WP_INLINE vf wp_low_halves(vf a, vf b) { return _mm_movelh_ps(a, b); }
WP_INLINE vf wp_high_halves(vf a, vf b) { return _mm_movehl_ps(b, a); }
#endif
WP_INLINE vf vf_load_four(const float *const *from, int offset) { return vf_load(from[0] + offset); }
WP_INLINE vf vf_load_quarters(const float *base, const int32_t *index) { return vf_load(base + 4 * index[0]); }
WP_INLINE void vf_store_quarters(float *base, const int32_t *index, vf a) { vf_store(base + 4 * index[0], a); }
WP_INLINE vf vf_take_quarters(const unsigned char *const *from, int step, int offset)
{
	(void)step;
	return _mm_loadu_ps((const float *)(const void *)(from[0] + offset));
}
WP_INLINE vf vf_take_threes(const unsigned char *const *from) { return wp_load_three(from[0]); }
WP_INLINE void vf_put_quarters(unsigned char *const *to, int offset, vf a)
{
	_mm_storeu_ps((float *)(to[0] + offset), a);
}

#elif WP_WIDTH == 8

#if !defined(WP_MSVC) && !defined(__clang__)
/* GCC makes a comparison with zero of the intrinsic, and keeps it where it does not know that it was one already. */
WP_INLINE vf vf_select(vm m, vf a, vf b)
{
	vf r;
	__asm__("vblendvps {%3, %2, %1, %0|%0, %1, %2, %3}" : "=x"(r) : "x"(b), "xm"(a), "x"(m));
	return r;
}
#else
WP_INLINE vf vf_select(vm m, vf a, vf b) { return _mm256_blendv_ps(b, a, m); }
#endif
WP_INLINE vm vf_lt(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
WP_INLINE vm vf_le(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
WP_INLINE vm vf_gt(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_GT_OQ); }
WP_INLINE vm vf_ge(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_GE_OQ); }
WP_INLINE vm vf_not_gt(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_NGT_UQ); }

WP_INLINE vi vi_select(vm m, vi a, vi b) { return vi_from_bits(vf_select(m, vf_from_bits(a), vf_from_bits(b))); }
WP_INLINE vi vi_lanes(void) { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }
/* The lower halves of the products; the upper lanes moved down, of use in the lower ones alone. Only eight lanes have these. */
WP_INLINE vi vi_mul(vi a, vi b) { return _mm256_mullo_epi32(a, b); }
WP_INLINE vi vi_upper(vi a) { return _mm256_permute2x128_si256(a, a, 0x11); }
WP_INLINE vi vi_from_bytes(const uint64_t bytes[1])
{
	return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)bytes[0]));
}

WP_INLINE uint32_t vm_bits(vm a) { return (uint32_t)_mm256_movemask_ps(a); }
WP_INLINE vm vm_from_bits(uint32_t bits)
{
	const vi lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
	return vi_eq(vi_and(vi_set((int32_t)bits), lane), lane);
}

/* Gather instructions are no faster than single loads where they are good, and several times slower on
 * CPUs whose microcode guards them against data sampling. */
WP_INLINE vf vf_gather(const float *base, vi index)
{
	WP_VECTOR_ALIGN int32_t i[8];
	vi_store(i, index);
	return _mm256_setr_ps(
		base[i[0]], base[i[1]], base[i[2]], base[i[3]], base[i[4]], base[i[5]], base[i[6]], base[i[7]]);
}
WP_INLINE vi vi_gather(const int32_t *base, vi index)
{
	WP_VECTOR_ALIGN int32_t i[8];
	vi_store(i, index);
	return _mm256_setr_epi32(
		base[i[0]], base[i[1]], base[i[2]], base[i[3]], base[i[4]], base[i[5]], base[i[6]], base[i[7]]);
}
WP_INLINE vf vf_pick(vf a, vi lane) { return _mm256_permutevar8x32_ps(a, lane); }
/* Put the lanes of `a` in `m` behind a list of `total`, whose last vector, of which whole ones are stored, is *last. A list that was
 * stored number by number could not be loaded soon after. */
WP_INLINE int32_t vi_append(int32_t *list, int32_t total, vi *last, vm m, vi a)
{
	/* The set bits of four, one in each byte. */
	static const uint32_t places[16] = {
		0, 0, 1, 0x100, 2, 0x200, 0x201, 0x20100, 3, 0x300, 0x301, 0x30100, 0x302, 0x30200, 0x30201, 0x3020100};
	const uint32_t bits = vm_bits(m), low = bits & 15u, from = (uint32_t)total & 7u;
	const uint64_t order = places[low] | ((uint64_t)places[bits >> 4] + 0x04040404u) << 8 * wp_count_bits(low);
	/* Turned, so that what goes beyond the last vector comes first. */
	const uint64_t turned[1] = {order << 8 * from | order >> (64 - 8 * from) % 64};
	const vi moved = _mm256_permutevar8x32_epi32(a, vi_from_bytes(turned));
	const vi both = vi_select(vi_gt(vi_set((int32_t)from), vi_lanes()), *last, moved);
	const int32_t end = total + (int32_t)wp_count_bits(bits);
	vi_store(list + total - from, both);
	*last = vi_select(vi_gt(vi_set(end), vi_set(total | 7)), moved, both);
	return end;
}
/* Fill the last vector of a list up. */
WP_INLINE void vi_append_rest(int32_t *list, int32_t total, vi last, vi rest)
{
	const int32_t from = total & 7;
	vi_store(list + total - from, vi_select(vi_gt(vi_set(from), vi_lanes()), last, rest));
}

/* Of each quarter of both vectors one half. */
WP_INLINE vf wp_low_halves(vf a, vf b) { return _mm256_shuffle_ps(a, b, 0x44); }
WP_INLINE vf wp_high_halves(vf a, vf b) { return _mm256_shuffle_ps(a, b, 0xee); }
WP_INLINE vf vf_load_four(const float *const *from, int offset)
{
	return _mm256_insertf128_ps(
		_mm256_castps128_ps256(_mm_load_ps(from[0] + offset)), _mm_load_ps(from[4] + offset), 1);
}
WP_INLINE vf vf_load_quarters(const float *base, const int32_t *index)
{
	return _mm256_insertf128_ps(
		_mm256_castps128_ps256(_mm_load_ps(base + 4 * index[0])), _mm_load_ps(base + 4 * index[4]), 1);
}
WP_INLINE void vf_store_quarters(float *base, const int32_t *index, vf a)
{
	_mm_store_ps(base + 4 * index[0], _mm256_castps256_ps128(a));
	_mm_store_ps(base + 4 * index[4], _mm256_extractf128_ps(a, 1));
}
WP_INLINE vf vf_take_quarters(const unsigned char *const *from, int step, int offset)
{
	const float *const low = (const float *)(const void *)(from[0] + offset);
	const float *const high = (const float *)(const void *)(from[4 * step] + offset);
	return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}
WP_INLINE vf vf_take_threes(const unsigned char *const *from)
{
	return _mm256_insertf128_ps(_mm256_castps128_ps256(wp_load_three(from[0])), wp_load_three(from[4]), 1);
}
WP_INLINE void vf_put_quarters(unsigned char *const *to, int offset, vf a)
{
	_mm_storeu_ps((float *)(to[0] + offset), _mm256_castps256_ps128(a));
	_mm_storeu_ps((float *)(to[4] + offset), _mm256_extractf128_ps(a, 1));
}

#elif WP_WIDTH == 16

WP_INLINE vf vf_select(vm m, vf a, vf b) { return _mm512_mask_mov_ps(b, m, a); }
WP_INLINE vm vf_lt(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
WP_INLINE vm vf_le(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
WP_INLINE vm vf_gt(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
WP_INLINE vm vf_ge(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
WP_INLINE vm vf_not_gt(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_NGT_UQ); }

WP_INLINE vm vi_eq(vi a, vi b) { return _mm512_cmpeq_epi32_mask(a, b); }
WP_INLINE vm vi_gt(vi a, vi b) { return _mm512_cmpgt_epi32_mask(a, b); }
WP_INLINE vi vi_select(vm m, vi a, vi b) { return _mm512_mask_mov_epi32(b, m, a); }
WP_INLINE vi vi_lanes(void) { return _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0); }
WP_INLINE vi vi_from_bytes(const uint64_t bytes[2])
{
	return _mm512_cvtepu8_epi32(_mm_set_epi64x((int64_t)bytes[1], (int64_t)bytes[0]));
}

WP_INLINE vm vm_and(vm a, vm b) { return (vm)(a & b); }
WP_INLINE vm vm_or(vm a, vm b) { return (vm)(a | b); }
WP_INLINE vm vm_andnot(vm a, vm b) { return (vm)(a & ~b); }
WP_INLINE vm vm_not(vm a) { return (vm)~a; }
WP_INLINE uint32_t vm_bits(vm a) { return a; }
WP_INLINE vm vm_from_bits(uint32_t bits) { return (vm)bits; }

#if !defined(__AVX512F__) && !defined(WP_EMULATED)
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

WP_INLINE vf vf_pick(vf a, vi lane) { return _mm512_permutexvar_ps(lane, a); }

/* Put the lanes of `a` in `m` behind a list of `total`, one after the other. May write up to WP_WIDTH values. */
WP_INLINE int32_t vi_append(int32_t *list, int32_t total, vi *last, vm m, vi a)
{
	(void)last;
	_mm512_storeu_si512(list + total, _mm512_maskz_compress_epi32(m, a));
	return total + (int32_t)wp_count_bits(vm_bits(m));
}
WP_INLINE void vi_append_rest(int32_t *list, int32_t total, vi last, vi rest)
{
	(void)last;
	_mm512_storeu_si512(list + total, rest);
}

/* Of each quarter of both vectors one half. */
WP_INLINE vf wp_low_halves(vf a, vf b) { return _mm512_shuffle_ps(a, b, 0x44); }
WP_INLINE vf wp_high_halves(vf a, vf b) { return _mm512_shuffle_ps(a, b, 0xee); }
WP_INLINE vf vf_load_four(const float *const *from, int offset)
{
	vf a = _mm512_castps128_ps512(_mm_load_ps(from[0] + offset));
	a = _mm512_insertf32x4(a, _mm_load_ps(from[4] + offset), 1);
	a = _mm512_insertf32x4(a, _mm_load_ps(from[8] + offset), 2);
	return _mm512_insertf32x4(a, _mm_load_ps(from[12] + offset), 3);
}
WP_INLINE vf vf_load_quarters(const float *base, const int32_t *index)
{
	vf a = _mm512_castps128_ps512(_mm_load_ps(base + 4 * index[0]));
	a = _mm512_insertf32x4(a, _mm_load_ps(base + 4 * index[4]), 1);
	a = _mm512_insertf32x4(a, _mm_load_ps(base + 4 * index[8]), 2);
	return _mm512_insertf32x4(a, _mm_load_ps(base + 4 * index[12]), 3);
}
WP_INLINE void vf_store_quarters(float *base, const int32_t *index, vf a)
{
	_mm_store_ps(base + 4 * index[0], _mm512_castps512_ps128(a));
	_mm_store_ps(base + 4 * index[4], _mm512_extractf32x4_ps(a, 1));
	_mm_store_ps(base + 4 * index[8], _mm512_extractf32x4_ps(a, 2));
	_mm_store_ps(base + 4 * index[12], _mm512_extractf32x4_ps(a, 3));
}
WP_INLINE vf vf_take_quarters(const unsigned char *const *from, int step, int offset)
{
	vf a = _mm512_castps128_ps512(_mm_loadu_ps((const float *)(const void *)(from[0] + offset)));
	a = _mm512_insertf32x4(a, _mm_loadu_ps((const float *)(const void *)(from[4 * step] + offset)), 1);
	a = _mm512_insertf32x4(a, _mm_loadu_ps((const float *)(const void *)(from[8 * step] + offset)), 2);
	return _mm512_insertf32x4(a, _mm_loadu_ps((const float *)(const void *)(from[12 * step] + offset)), 3);
}
WP_INLINE vf vf_take_threes(const unsigned char *const *from)
{
	vf a = _mm512_castps128_ps512(wp_load_three(from[0]));
	a = _mm512_insertf32x4(a, wp_load_three(from[4]), 1);
	a = _mm512_insertf32x4(a, wp_load_three(from[8]), 2);
	return _mm512_insertf32x4(a, wp_load_three(from[12]), 3);
}
WP_INLINE void vf_put_quarters(unsigned char *const *to, int offset, vf a)
{
	_mm_storeu_ps((float *)(to[0] + offset), _mm512_castps512_ps128(a));
	_mm_storeu_ps((float *)(to[4] + offset), _mm512_extractf32x4_ps(a, 1));
	_mm_storeu_ps((float *)(to[8] + offset), _mm512_extractf32x4_ps(a, 2));
	_mm_storeu_ps((float *)(to[12] + offset), _mm512_extractf32x4_ps(a, 3));
}

#endif

/* ---- built from the above, for every width ------------------------------------------------------ */

/* The same lanes, of which compilers know nothing. Clang 19 turns masks of sixteen lanes that are combined in pairs and that
 * vectors are selected by into one another without end, at every level of optimisation; so it does by way of wp_opaque. */
WP_INLINE vm vm_opaque(vm m)
{
#if WP_WIDTH == 16 && defined(__clang__) && !defined(WP_EMULATED)
	__asm__("" : "+k"(m));
#endif
	return m;
}

#if WP_WIDTH > 1
/* 4 x 4 transposes, one in each quarter of the vectors. */
WP_INLINE void vf_transpose(vf r[4])
{
	const vf a = WP_MM(unpacklo_ps)(r[0], r[1]), b = WP_MM(unpacklo_ps)(r[2], r[3]);
	const vf c = WP_MM(unpackhi_ps)(r[0], r[1]), d = WP_MM(unpackhi_ps)(r[2], r[3]);
	r[0] = wp_low_halves(a, b);
	r[1] = wp_high_halves(a, b);
	r[2] = wp_low_halves(c, d);
	r[3] = wp_high_halves(c, d);
}
#endif

#if WP_WIDTH == 4
/* One store a lane: scatters need no vector instruction here. */
WP_INLINE void vf_scatter(float *base, vi index, vf a)
{
	WP_VECTOR_ALIGN wp_index i[4];
	WP_VECTOR_ALIGN float v[4];
	wp_lane_indices(index, i);
	vf_store(v, a);
	for (int lane = 0; lane < 4; lane++)
		base[i[lane]] = v[lane];
}
WP_INLINE void vi_scatter(int32_t *base, vi index, vi a)
{
	WP_VECTOR_ALIGN wp_index i[4];
	WP_VECTOR_ALIGN int32_t v[4];
	wp_lane_indices(index, i);
	vi_store(v, a);
	for (int lane = 0; lane < 4; lane++)
		base[i[lane]] = v[lane];
}
#elif WP_WIDTH > 4
/* The same. */
WP_INLINE void vf_scatter(float *base, vi index, vf a)
{
	WP_VECTOR_ALIGN int32_t i[WP_WIDTH];
	WP_VECTOR_ALIGN float v[WP_WIDTH];
	vi_store(i, index);
	vf_store(v, a);
	for (int lane = 0; lane < WP_WIDTH; lane++)
		base[i[lane]] = v[lane];
}
WP_INLINE void vi_scatter(int32_t *base, vi index, vi a)
{
	WP_VECTOR_ALIGN int32_t i[WP_WIDTH], v[WP_WIDTH];
	vi_store(i, index);
	vi_store(v, a);
	for (int lane = 0; lane < WP_WIDTH; lane++)
		base[i[lane]] = v[lane];
}
#endif

/* Four values a lane that lie together in memory: base[4 index ... 4 index + 3], 16-byte aligned. */
typedef struct vf4 {
	vf x, y, z, w;
} vf4;

/* The number of each lane, times a constant. */
WP_INLINE vi vi_scaled_lanes(int factor)
{
	WP_VECTOR_ALIGN int32_t i[WP_WIDTH];
	for (int lane = 0; lane < WP_WIDTH; lane++)
		i[lane] = lane * factor;
#if WP_WIDTH == 1
	return i[0];
#else
	return vi_load(i);
#endif
}

#if WP_WIDTH == 1
WP_INLINE vf4 vf4_gather(const float *base, vi index)
{
	const float *p = base + 4 * index;
	return (vf4){p[0], p[1], p[2], p[3]};
}
WP_INLINE void vf4_scatter(float *base, vi index, vf4 a)
{
	float *p = base + 4 * index;
	p[0] = a.x;
	p[1] = a.y;
	p[2] = a.z;
	p[3] = a.w;
}
#elif WP_NEON || (WP_WIDTH == 4 && WP_IS_X86)
/* One shift makes byte offsets of all lanes' indices, which addresses of loads take as they are. */
WP_INLINE vf4 vf4_gather(const float *base, vi index)
{
	WP_VECTOR_ALIGN wp_index at[4];
	wp_lane_indices(vi_shift_left(index, 4), at);
	vf r[4];
	for (int k = 0; k < 4; k++)
		r[k] = vf_load((const float *)((const char *)base + at[k]));
	vf_transpose(r);
	return (vf4){r[0], r[1], r[2], r[3]};
}
WP_INLINE void vf4_scatter(float *base, vi index, vf4 a)
{
	WP_VECTOR_ALIGN wp_index at[4];
	wp_lane_indices(vi_shift_left(index, 4), at);
	vf r[4] = {a.x, a.y, a.z, a.w};
	vf_transpose(r);
	for (int k = 0; k < 4; k++)
		vf_store((float *)((char *)base + at[k]), r[k]);
}
#else
WP_INLINE vf4 vf4_gather(const float *base, vi index)
{
	WP_VECTOR_ALIGN int32_t i[WP_WIDTH];
	vi_store(i, index);
	vf r[4];
	for (int k = 0; k < 4; k++)
		r[k] = vf_load_quarters(base, i + k);
	vf_transpose(r);
	return (vf4){r[0], r[1], r[2], r[3]};
}
WP_INLINE void vf4_scatter(float *base, vi index, vf4 a)
{
	WP_VECTOR_ALIGN int32_t i[WP_WIDTH];
	vi_store(i, index);
	vf r[4] = {a.x, a.y, a.z, a.w};
	vf_transpose(r);
	for (int k = 0; k < 4; k++)
		vf_store_quarters(base, i + k, r[k]);
}
#endif

/* Four values of each lane, the next lane's `quads` quads further on. */
WP_INLINE vf4 vf4_load(const float *base, int quads) { return vf4_gather(base, vi_scaled_lanes(quads)); }
WP_INLINE void vf4_store(float *base, int quads, vf4 a) { vf4_scatter(base, vi_scaled_lanes(quads), a); }

/* Four values of each lane, `offset` values on from an address of its own; 16-byte aligned. */
#if WP_WIDTH == 1
WP_INLINE vf4 vf4_get(const float *const from[1], int offset)
{
	const float *const p = from[0] + offset;
	return (vf4){p[0], p[1], p[2], p[3]};
}
#else
WP_INLINE vf4 vf4_get(const float *const from[WP_WIDTH], int offset)
{
	vf r[4];
	for (int k = 0; k < 4; k++)
		r[k] = vf_load_four(from + k, offset);
	vf_transpose(r);
	return (vf4){r[0], r[1], r[2], r[3]};
}
#endif

/* A value of any alignment. */
WP_INLINE float wp_float_at(const unsigned char *at)
{
	float value;
	wp_copy_bytes(&value, at, sizeof value);
	return value;
}

/* Four values of each lane from an address of its own, of any alignment; the next lane's address is `step` addresses further on. */
#if WP_WIDTH == 1
WP_INLINE vf4 vf4_take(const unsigned char *const from[1], int step, int offset)
{
	const unsigned char *const at = from[0] + offset;
	(void)step;
	return (vf4){wp_float_at(at), wp_float_at(at + 4), wp_float_at(at + 8), wp_float_at(at + 12)};
}
#else
WP_INLINE vf4 vf4_take(const unsigned char *const *from, int step, int offset)
{
	vf r[4];
	for (int k = 0; k < 4; k++)
		r[k] = vf_take_quarters(from + k * step, step, offset);
	vf_transpose(r);
	return (vf4){r[0], r[1], r[2], r[3]};
}
#endif

/* Four values of each lane to an address of its own, of any alignment. */
#if WP_WIDTH == 1
WP_INLINE void vf4_put(unsigned char *const to[1], int offset, vf4 a)
{
	const float four[4] = {a.x, a.y, a.z, a.w};
	wp_copy_bytes(to[0] + offset, four, sizeof four);
}
#else
WP_INLINE void vf4_put(unsigned char *const to[WP_WIDTH], int offset, vf4 a)
{
	vf r[4] = {a.x, a.y, a.z, a.w};
	vf_transpose(r);
	for (int k = 0; k < 4; k++)
		vf_put_quarters(to + k, offset, r[k]);
}
#endif

/* Two rows of four values of each lane that follow one another, `offset` bytes on from an address of its own, of any alignment,
 * loaded or stored as one, so that an address is read once. */
#if WP_WIDTH == 1
WP_INLINE void vf4_take_rows(const unsigned char *const from[1], int offset, vf4 *a, vf4 *b)
{
	*a = vf4_take(from, 1, offset);
	*b = vf4_take(from, 1, offset + 16);
}
WP_INLINE void vf4_put_rows(unsigned char *const to[1], int offset, vf4 a, vf4 b)
{
	vf4_put(to, offset, a);
	vf4_put(to, offset + 16, b);
}
#else
/* Both rows of each fourth lane. With eight lanes they are one vector of it. */
#if WP_WIDTH == 8
WP_INLINE void vf_take_two_quarters(const unsigned char *const *from, int offset, vf *a, vf *b)
{
	const vf low = _mm256_loadu_ps((const float *)(const void *)(from[0] + offset));
	const vf high = _mm256_loadu_ps((const float *)(const void *)(from[4] + offset));
	*a = _mm256_insertf128_ps(low, _mm256_castps256_ps128(high), 1);
	*b = _mm256_permute2f128_ps(low, high, 0x31);
}
WP_INLINE void vf_put_two_quarters(unsigned char *const *to, int offset, vf a, vf b)
{
	_mm256_storeu_ps((float *)(void *)(to[0] + offset), _mm256_insertf128_ps(a, _mm256_castps256_ps128(b), 1));
	_mm256_storeu_ps((float *)(void *)(to[4] + offset), _mm256_permute2f128_ps(a, b, 0x31));
}
#elif WP_WIDTH == 16
/* With sixteen, a half of it. */
WP_INLINE vf vf_take_halves(const unsigned char *first, const unsigned char *second)
{
	const __m256 low = _mm256_loadu_ps((const float *)(const void *)first);
	const __m256d high = _mm256_loadu_pd((const double *)(const void *)second);
	return _mm512_castpd_ps(_mm512_insertf64x4(_mm512_castps_pd(_mm512_castps256_ps512(low)), high, 1));
}
WP_INLINE void vf_put_halves(unsigned char *first, unsigned char *second, vf a)
{
	_mm256_storeu_ps((float *)(void *)first, _mm512_castps512_ps256(a));
	_mm256_storeu_pd((double *)(void *)second, _mm512_extractf64x4_pd(_mm512_castps_pd(a), 1));
}
WP_INLINE void vf_take_two_quarters(const unsigned char *const *from, int offset, vf *a, vf *b)
{
	const vf low = vf_take_halves(from[0] + offset, from[4] + offset);
	const vf high = vf_take_halves(from[8] + offset, from[12] + offset);
	*a = _mm512_shuffle_f32x4(low, high, 0x88);
	*b = _mm512_shuffle_f32x4(low, high, 0xdd);
}
WP_INLINE void vf_put_two_quarters(unsigned char *const *to, int offset, vf a, vf b)
{
	const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
				  high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
	const __m512d c = _mm512_castps_pd(a), d = _mm512_castps_pd(b);
	vf_put_halves(to[0] + offset, to[4] + offset, _mm512_castpd_ps(_mm512_permutex2var_pd(c, low, d)));
	vf_put_halves(to[8] + offset, to[12] + offset, _mm512_castpd_ps(_mm512_permutex2var_pd(c, high, d)));
}
#else
WP_INLINE void vf_take_two_quarters(const unsigned char *const *from, int offset, vf *a, vf *b)
{
	*a = vf_take_quarters(from, 1, offset);
	*b = vf_take_quarters(from, 1, offset + 16);
}
WP_INLINE void vf_put_two_quarters(unsigned char *const *to, int offset, vf a, vf b)
{
	vf_put_quarters(to, offset, a);
	vf_put_quarters(to, offset + 16, b);
}
#endif
/* Four vectors by name: compilers leave small arrays of them in memory. */
WP_INLINE vf4 vf4_of_quarters(vf a, vf b, vf c, vf d)
{
	const vf e = WP_MM(unpacklo_ps)(a, b), f = WP_MM(unpacklo_ps)(c, d);
	const vf g = WP_MM(unpackhi_ps)(a, b), h = WP_MM(unpackhi_ps)(c, d);
	return (vf4){wp_low_halves(e, f), wp_high_halves(e, f), wp_low_halves(g, h), wp_high_halves(g, h)};
}
WP_INLINE void vf4_take_rows(const unsigned char *const from[WP_WIDTH], int offset, vf4 *a, vf4 *b)
{
	vf c, d, e, f, g, h, i, j;
	vf_take_two_quarters(from, offset, &c, &d);
	vf_take_two_quarters(from + 1, offset, &e, &f);
	vf_take_two_quarters(from + 2, offset, &g, &h);
	vf_take_two_quarters(from + 3, offset, &i, &j);
	*a = vf4_of_quarters(c, e, g, i);
	*b = vf4_of_quarters(d, f, h, j);
}
WP_INLINE void vf4_put_rows(unsigned char *const to[WP_WIDTH], int offset, vf4 a, vf4 b)
{
	const vf4 c = vf4_of_quarters(a.x, a.y, a.z, a.w), d = vf4_of_quarters(b.x, b.y, b.z, b.w);
	vf_put_two_quarters(to, offset, c.x, d.x);
	vf_put_two_quarters(to + 1, offset, c.y, d.y);
	vf_put_two_quarters(to + 2, offset, c.z, d.z);
	vf_put_two_quarters(to + 3, offset, c.w, d.w);
}
#endif

/* Where lanes write: those that are not in `where`, elsewhere; there are some in it. No branch by lane: it is hard to predict. */
WP_INLINE void wp_redirect_each(
	unsigned char *const from[WP_WIDTH], vm where, unsigned char *unused, unsigned char *to[WP_WIDTH])
{
	const uint32_t stays = WP_WIDTH > 1 ? vm_bits(where) : 1;
	for (int lane = 0; lane < WP_WIDTH; lane++)
		to[lane] = (stays >> lane & 1) != 0 ? from[lane] : unused;
}

/* The same of addresses that were not stored one by one just before: a vector of such would wait for all of them. */
#if WP_WIDTH == 8 && UINTPTR_MAX > UINT32_MAX
WP_INLINE void wp_redirect(unsigned char *const from[8], vm where, unsigned char *unused, unsigned char *to[8])
{
	const __m256i bits = _mm256_castps_si256(where), other = _mm256_set1_epi64x((int64_t)(intptr_t)unused);
	const __m256i first = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(bits));
	const __m256i last = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(bits, 1));
	_mm256_storeu_si256((__m256i *)(void *)to,
		_mm256_blendv_epi8(other, _mm256_loadu_si256((const __m256i *)(const void *)from), first));
	_mm256_storeu_si256((__m256i *)(void *)(to + 4),
		_mm256_blendv_epi8(other, _mm256_loadu_si256((const __m256i *)(const void *)(from + 4)), last));
}
#elif WP_WIDTH == 16 && UINTPTR_MAX > UINT32_MAX
WP_INLINE void wp_redirect(unsigned char *const from[16], vm where, unsigned char *unused, unsigned char *to[16])
{
	const __m512i other = _mm512_set1_epi64((int64_t)(intptr_t)unused);
	const __m512i first = _mm512_loadu_si512(from), last = _mm512_loadu_si512(from + 8);
	_mm512_storeu_si512(to, _mm512_mask_mov_epi64(other, (__mmask8)where, first));
	_mm512_storeu_si512(to + 8, _mm512_mask_mov_epi64(other, (__mmask8)(where >> 8), last));
}
#else
WP_INLINE void wp_redirect(
	unsigned char *const from[WP_WIDTH], vm where, unsigned char *unused, unsigned char *to[WP_WIDTH])
{
	wp_redirect_each(from, where, unused, to);
}
#endif

/* Elements of arrays in memory, `stride` bytes from one to the next, of any alignment. */
typedef struct wp_elements {
	const unsigned char *base;
	size_t stride;
} wp_elements;

/* One after the other: compilers would multiply in lanes, and take the addresses out of them. */
WP_INLINE const unsigned char *wp_element(wp_elements e, uint32_t at) { return e.base + wp_opaque_size(at) * e.stride; }

/* The same numbers, read again: compilers would keep what they read of them in memory of their own. */
WP_INLINE const uint32_t *wp_read_again(const uint32_t *at) { return (const uint32_t *)wp_opaque_size((size_t)at); }

/* Of element `at` of each lane: two rows of four values, so many bytes on; one at its begin; one of one array, and three values and
 * zero of another; three values and zero. Addresses are found where they are used, or they would wait in memory. */
#if WP_WIDTH == 1
WP_INLINE void vf4_take_two(wp_elements e, const uint32_t *at, int offset, vf4 *one, vf4 *two)
{
	const unsigned char *const from = wp_element(e, at[0]);
	vf4_take_rows(&from, offset, one, two);
}
WP_INLINE vf4 vf4_take_four(wp_elements e, const uint32_t *at)
{
	const unsigned char *const from = wp_element(e, at[0]);
	return vf4_take(&from, 1, 0);
}
WP_INLINE_NATIVE vf4 vf4_take_three(wp_elements e, const uint32_t *at)
{
	const unsigned char *const from = wp_element(e, at[0]);
	return (vf4){wp_float_at(from), wp_float_at(from + 4), wp_float_at(from + 8), 0.0f};
}
WP_INLINE void vf4_take_both(wp_elements fours, wp_elements threes, const uint32_t *at, vf4 *four, vf4 *three)
{
	*four = vf4_take_four(fours, at);
	*three = vf4_take_three(threes, at);
}
#else
WP_INLINE vf wp_take_quarter(wp_elements e, const uint32_t *at)
{
	const unsigned char *from[WP_WIDTH];
	for (int lane = 0; lane < WP_WIDTH; lane += 4)
		from[lane] = e.base + at[lane] * e.stride;
	return vf_take_quarters(from, 1, 0);
}
WP_INLINE void wp_take_two_quarters(wp_elements e, const uint32_t *at, int offset, vf *one, vf *two)
{
	const unsigned char *from[WP_WIDTH];
	for (int lane = 0; lane < WP_WIDTH; lane += 4)
		from[lane] = e.base + at[lane] * e.stride;
	vf_take_two_quarters(from, offset, one, two);
}
WP_INLINE void wp_take_both_quarters(
	wp_elements fours, const unsigned char *threes, const uint32_t *at, vf *four, vf *three)
{
	const unsigned char *from[WP_WIDTH], *others[WP_WIDTH];
	for (int lane = 0; lane < WP_WIDTH; lane += 4) {
		const size_t place = at[lane] * fours.stride;
		from[lane] = fours.base + place;
		others[lane] = threes + place;
	}
	*four = vf_take_quarters(from, 1, 0);
	*three = vf_take_threes(others);
}
WP_INLINE vf wp_take_three_quarter(wp_elements e, const uint32_t *at)
{
	const unsigned char *from[WP_WIDTH];
	for (int lane = 0; lane < WP_WIDTH; lane += 4)
		from[lane] = e.base + at[lane] * e.stride;
	return vf_take_threes(from);
}
WP_INLINE_NATIVE void vf4_take_two(wp_elements e, const uint32_t *at, int offset, vf4 *one, vf4 *two)
{
	at = wp_read_again(at);
	vf a, b, c, d, i, j, k, l;
	wp_take_two_quarters(e, at, offset, &a, &i);
	wp_take_two_quarters(e, at + 1, offset, &b, &j);
	wp_take_two_quarters(e, at + 2, offset, &c, &k);
	wp_take_two_quarters(e, at + 3, offset, &d, &l);
	*one = vf4_of_quarters(a, b, c, d);
	*two = vf4_of_quarters(i, j, k, l);
}
WP_INLINE vf4 vf4_take_four(wp_elements e, const uint32_t *at)
{
	at = wp_read_again(at);
	return vf4_of_quarters(
		wp_take_quarter(e, at), wp_take_quarter(e, at + 1), wp_take_quarter(e, at + 2), wp_take_quarter(e, at + 3));
}
WP_INLINE void vf4_take_both(wp_elements fours, wp_elements threes, const uint32_t *at, vf4 *four, vf4 *three)
{
	at = wp_read_again(at);
	vf a, b, c, d, i, j, k, l;
	if (fours.stride == threes.stride) {
		wp_take_both_quarters(fours, threes.base, at, &a, &i);
		wp_take_both_quarters(fours, threes.base, at + 1, &b, &j);
		wp_take_both_quarters(fours, threes.base, at + 2, &c, &k);
		wp_take_both_quarters(fours, threes.base, at + 3, &d, &l);
	} else {
		a = wp_take_quarter(fours, at), i = wp_take_three_quarter(threes, at);
		b = wp_take_quarter(fours, at + 1), j = wp_take_three_quarter(threes, at + 1);
		c = wp_take_quarter(fours, at + 2), k = wp_take_three_quarter(threes, at + 2);
		d = wp_take_quarter(fours, at + 3), l = wp_take_three_quarter(threes, at + 3);
	}
	*four = vf4_of_quarters(a, b, c, d);
	*three = vf4_of_quarters(i, j, k, l);
}
WP_INLINE void wp_give_quarter(wp_elements e, const uint32_t *at, int offset, vf a)
{
	unsigned char *to[WP_WIDTH];
	for (int lane = 0; lane < WP_WIDTH; lane += 4)
		to[lane] = (unsigned char *)e.base + at[lane] * e.stride;
	vf_put_quarters(to, offset, a);
}
/* Four values of each lane to so many bytes on in its element. */
WP_INLINE void vf4_give(wp_elements e, const uint32_t *at, int offset, vf4 a)
{
	at = wp_read_again(at);
	const vf4 r = vf4_of_quarters(a.x, a.y, a.z, a.w);
	wp_give_quarter(e, at, offset, r.x);
	wp_give_quarter(e, at + 1, offset, r.y);
	wp_give_quarter(e, at + 2, offset, r.z);
	wp_give_quarter(e, at + 3, offset, r.w);
}
WP_INLINE_NATIVE vf4 vf4_take_three(wp_elements e, const uint32_t *at)
{
	at = wp_read_again(at);
	return vf4_of_quarters(wp_take_three_quarter(e, at), wp_take_three_quarter(e, at + 1),
		wp_take_three_quarter(e, at + 2), wp_take_three_quarter(e, at + 3));
}
#endif

/* A number of any alignment; of each lane one, which its element begins with. */
WP_INLINE int32_t wp_load_number(const unsigned char *at)
{
	int32_t number;
	wp_copy_bytes(&number, at, sizeof number);
	return number;
}
#define WP_NUMBER(lane) wp_load_number(wp_element(e, at[lane]))
#if WP_WIDTH == 8
/* Two by two: compilers would find all addresses first, in more registers than there are. */
WP_INLINE __m128i wp_two_numbers(wp_elements e, const uint32_t *at)
{
	const __m128i first = _mm_cvtsi32_si128(WP_NUMBER(0));
	return _mm_insert_epi32(first, WP_NUMBER(1), 1);
}
#endif
WP_INLINE vi vi_take(wp_elements e, const uint32_t *at)
{
#if WP_WIDTH == 1
	return WP_NUMBER(0);
#elif WP_WIDTH == 4
	return wp_four_ints(WP_NUMBER(0), WP_NUMBER(1), WP_NUMBER(2), WP_NUMBER(3));
#elif WP_WIDTH == 8
	const __m128i a = wp_two_numbers(e, at), b = wp_two_numbers(e, at + 2);
	const __m128i low = _mm_unpacklo_epi64(a, b);
	const __m128i c = wp_two_numbers(e, at + 4), d = wp_two_numbers(e, at + 6);
	return _mm256_inserti128_si256(_mm256_castsi128_si256(low), _mm_unpacklo_epi64(c, d), 1);
#else
	return _mm512_set_epi32(WP_NUMBER(15), WP_NUMBER(14), WP_NUMBER(13), WP_NUMBER(12), WP_NUMBER(11), WP_NUMBER(10),
		WP_NUMBER(9), WP_NUMBER(8), WP_NUMBER(7), WP_NUMBER(6), WP_NUMBER(5), WP_NUMBER(4), WP_NUMBER(3), WP_NUMBER(2),
		WP_NUMBER(1), WP_NUMBER(0));
#endif
}

#undef WP_NUMBER

/* Numbers that are 8 bytes apart, of any alignment; no more is read. */
#if WP_WIDTH > 1
WP_INLINE vi vi_take_apart(const unsigned char *from)
{
#if WP_WIDTH == 4
	const vf first = _mm_loadu_ps((const float *)(const void *)from);
	const vf last = _mm_loadu_ps((const float *)(const void *)(from + 12));
	return vi_from_bits(_mm_shuffle_ps(first, last, 0xd8));
#elif WP_WIDTH == 8
	const vf first = _mm256_loadu_ps((const float *)(const void *)from);
	const vf last = _mm256_loadu_ps((const float *)(const void *)(from + 28));
	const __m256i halves = vi_from_bits(_mm256_shuffle_ps(first, last, 0xd8));
	return _mm256_permute4x64_epi64(halves, 0xd8);
#else
	const vf first = _mm512_loadu_ps((const float *)(const void *)from);
	const vf last = _mm512_loadu_ps((const float *)(const void *)(from + 60));
	const __m512i pairs = vi_from_bits(_mm512_shuffle_ps(first, last, 0xd8));
	return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), pairs);
#endif
}
#endif

/* Copy four values that lie together, 16-byte aligned. */
WP_INLINE void wp_copy_quad(float *to, const float *from) { wp_copy_bytes(to, from, 4 * sizeof *to); }

/* Store three values and the bits of a fourth at once, 16-byte aligned: so they can be loaded as vectors soon after. */
#if WP_WIDTH == 1
WP_INLINE void wp_put_four(float *to, float a, float b, float c, int32_t bits)
{
	to[0] = a;
	to[1] = b;
	to[2] = c;
	wp_copy_bytes(to + 3, &bits, sizeof bits);
}
#else
WP_INLINE void wp_put_four(float *to, float a, float b, float c, int32_t bits)
{
	float d;
	wp_copy_bytes(&d, &bits, sizeof d);
	_mm_store_ps(to, _mm_setr_ps(a, b, c, d));
}
#endif

#if WP_WIDTH > 1
/* Four values of each lane, from its own address (16-byte aligned), to four rows: row[k][lane] = from[lane][k]. */
WP_INLINE void vf_transpose_rows(const float *const from[WP_WIDTH], float *rows)
{
	vf r[4];
	for (int k = 0; k < 4; k++)
		r[k] = vf_load_four(from + k, 0);
	vf_transpose(r);
	for (int k = 0; k < 4; k++)
		vf_store(rows + k * WP_WIDTH, r[k]);
}
#endif

#define WP_LANE_SHIFT (WP_WIDTH == 1 ? 0 : WP_WIDTH == 4 ? 2 : WP_WIDTH == 8 ? 3 : 4)

/* Element of [slot][lane] for each lane. */
WP_INLINE vi vi_element(vi slot) { return vi_add(vi_shift_left(slot, WP_LANE_SHIFT), vi_lanes()); }

/* Rows of four values of each lane. With many lanes the four lie together, since a scatter costs a store for each
 * lane it goes to; in such an order that a row is loaded by four 4 x 4 transposes. With few lanes they lie a lane's
 * width apart. */
#if WP_WIDTH == 16
WP_INLINE vf4 vf4_row_load(const float *rows, int32_t row)
{
	vf r[4];
	for (int k = 0; k < 4; k++)
		r[k] = vf_load(rows + (4 * row + k) * WP_WIDTH);
	vf_transpose(r);
	return (vf4){r[0], r[1], r[2], r[3]};
}
WP_INLINE void vf4_row_store(float *rows, int32_t row, vf4 a)
{
	vf r[4] = {a.x, a.y, a.z, a.w};
	vf_transpose(r);
	for (int k = 0; k < 4; k++)
		vf_store(rows + (4 * row + k) * WP_WIDTH, r[k]);
}
WP_INLINE vi vi_row_place(vi row, vi lane)
{
	const vi place = vi_or(vi_shift_left(vi_and(lane, vi_set(3)), 2), vi_shift_right(lane, 2));
	return vi_add(vi_shift_left(row, WP_LANE_SHIFT), place);
}
WP_INLINE vf4 vf4_row_gather(const float *rows, vi row, vi lane) { return vf4_gather(rows, vi_row_place(row, lane)); }
WP_INLINE void vf4_row_scatter(float *rows, vi row, vi lane, vf4 a) { vf4_scatter(rows, vi_row_place(row, lane), a); }
#else
WP_INLINE vf4 vf4_row_load(const float *rows, int32_t row)
{
	rows += 4 * row * WP_WIDTH;
	return (vf4){vf_load(rows), vf_load(rows + WP_WIDTH), vf_load(rows + 2 * WP_WIDTH), vf_load(rows + 3 * WP_WIDTH)};
}
WP_INLINE void vf4_row_store(float *rows, int32_t row, vf4 a)
{
	rows += 4 * row * WP_WIDTH;
	vf_store(rows, a.x);
	vf_store(rows + WP_WIDTH, a.y);
	vf_store(rows + 2 * WP_WIDTH, a.z);
	vf_store(rows + 3 * WP_WIDTH, a.w);
}
WP_INLINE vf4 vf4_row_gather(const float *rows, vi row, vi lane)
{
	const vi at = vi_add(vi_shift_left(row, WP_LANE_SHIFT + 2), lane);
	return (vf4){vf_gather(rows, at), vf_gather(rows + WP_WIDTH, at), vf_gather(rows + 2 * WP_WIDTH, at),
		vf_gather(rows + 3 * WP_WIDTH, at)};
}
WP_INLINE void vf4_row_scatter(float *rows, vi row, vi lane, vf4 a)
{
	const vi at = vi_add(vi_shift_left(row, WP_LANE_SHIFT + 2), lane);
	vf_scatter(rows, at, a.x);
	vf_scatter(rows + WP_WIDTH, at, a.y);
	vf_scatter(rows + 2 * WP_WIDTH, at, a.z);
	vf_scatter(rows + 3 * WP_WIDTH, at, a.w);
}
#endif

/* Largest of two; largest of the lanes; an integer, so its order does not matter. */
#if WP_NEON
WP_INLINE vi vi_max(vi a, vi b)
{
	return vreinterpretq_s64_s32(vmaxq_s32(vreinterpretq_s32_s64(a), vreinterpretq_s32_s64(b)));
}
WP_INLINE int32_t vi_top(vi a) { return vmaxvq_s32(vreinterpretq_s32_s64(a)); }
#else
#if WP_WASM
WP_INLINE vi vi_max(vi a, vi b) { return wasm_i32x4_max(a, b); }
#else
WP_INLINE vi vi_max(vi a, vi b) { return vi_select(vi_gt(a, b), a, b); }
#endif
#if WP_WIDTH == 8
WP_INLINE int32_t vi_top(vi a)
{
	const __m128i four = _mm_max_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
	const __m128i two = _mm_max_epi32(four, _mm_shuffle_epi32(four, 0x4e));
	return _mm_cvtsi128_si32(_mm_max_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}
#else
WP_INLINE int32_t vi_top(vi a)
{
	WP_VECTOR_ALIGN int32_t v[WP_WIDTH];
	vi_store(v, a);
	int32_t top = v[0];
	for (int lane = 1; lane < WP_WIDTH; lane++)
		top = v[lane] > top ? v[lane] : top;
	return top;
}
#endif
#endif

/* Index of the lowest set bit of each lane; a lane without one gets some index: leading zeros of the bits turned
 * round, or the exponent of the isolated bit as a float. */
#if WP_NEON
WP_INLINE vi vi_lowest_bit(vi a)
{
	const uint8x16_t turned = vrev32q_u8(vrbitq_u8(vreinterpretq_u8_s64(a)));
	return vi_and(vreinterpretq_s64_u32(vclzq_u32(vreinterpretq_u32_u8(turned))), vi_set(31));
}
#else
WP_INLINE vi vi_lowest_bit(vi a)
{
	const vi isolated = vi_and(a, vi_sub(vi_set(0), a));
	const vi exponent = vi_shift_right(vi_from_bits(vf_from_int(isolated)), 23);
	return vi_and(vi_sub(vi_and(exponent, vi_set(0xff)), vi_set(127)), vi_set(31));
}
#endif

#if WP_WIDTH == 4 && WP_IS_X86
/* One of four values, a constant one, in all lanes: one instruction, where any of them takes two. */
WP_INLINE vf vf_spread(const float *values, int place)
{
	const vi row = vi_from_bits(vf_load(values));
	return vf_from_bits(place == 0   ? _mm_shuffle_epi32(row, 0x00)
						: place == 1 ? _mm_shuffle_epi32(row, 0x55)
						: place == 2 ? _mm_shuffle_epi32(row, 0xaa)
									 : _mm_shuffle_epi32(row, 0xff));
}
#endif

WP_INLINE vf vf_zero(void) { return vf_set(0.0f); }
WP_INLINE vi vi_zero(void) { return vi_set(0); }
WP_INLINE vm vm_false(void) { return vm_from_bits(0); }
WP_INLINE vm vm_all(void) { return vm_from_bits(WP_ALL_LANES); }
#if WP_NEON
WP_INLINE bool vm_any(vm a) { return vget_lane_u64(vreinterpret_u64_u16(vmovn_u32(vreinterpretq_u32_f32(a))), 0) != 0; }
#else
WP_INLINE bool vm_any(vm a) { return vm_bits(a) != 0; }
#endif

/* All bits set where `m` is, else `a`. */
#if WP_WIDTH == 4 || WP_WIDTH == 8
WP_INLINE vm vm_xor(vm a, vm b) { return WP_MM(xor_ps)(a, b); }
WP_INLINE vi vi_ones_where(vm m, vi a) { return vi_or(a, vi_from_bits(m)); }
#else
WP_INLINE vm vm_xor(vm a, vm b) { return vm_or(vm_andnot(a, b), vm_andnot(b, a)); }
WP_INLINE vi vi_ones_where(vm m, vi a) { return vi_select(m, vi_set(-1), a); }
#endif

/* Signs, by their bits: vf_with_sign gives `a`, which must be >= +0, the sign of `sign`, vf_flip_sign changes the sign of `a`
 * where the sign bit of `sign` is set. In one lane by what compilers know: they take bits through a register of integers. */
#if WP_WIDTH == 1
WP_INLINE vf vf_neg(vf a) { return -a; }
WP_INLINE vf vf_abs(vf a) { return wp_abs_float(a); }
WP_INLINE vf vf_with_sign(vf a, vf sign) { return wp_with_sign_float(a, sign); }
#else
#if WP_WASM
WP_INLINE vf vf_neg(vf a) { return wasm_f32x4_neg(a); }
WP_INLINE vf vf_abs(vf a) { return wasm_f32x4_abs(a); }
#else
WP_INLINE vf vf_neg(vf a) { return vf_from_bits(vi_xor(vi_from_bits(a), vi_set(INT32_MIN))); }
WP_INLINE vf vf_abs(vf a) { return vf_from_bits(vi_and(vi_from_bits(a), vi_set(INT32_MAX))); }
#endif
WP_INLINE vf vf_with_sign(vf a, vf sign)
{
	return vf_from_bits(vi_or(vi_from_bits(a), vi_and(vi_from_bits(sign), vi_set(INT32_MIN))));
}
#endif
/* By bits in one lane too: some compilers multiply by a copied sign, which leaves the sign of a NaN. */
WP_INLINE vf vf_flip_sign(vf a, vf sign)
{
	return vf_from_bits(vi_xor(vi_from_bits(a), vi_and(vi_from_bits(sign), vi_set(INT32_MIN))));
}

#if WP_WIDTH > 1
WP_INLINE vf vf_select_evenly(vm m, vf a, vf b) { return vf_select(m, a, b); }
WP_INLINE vi vi_select_evenly(vm m, vi a, vi b) { return vi_select(m, a, b); }

/* vf_select of a <= b <= 0. SSE2 takes three instructions to select. */
WP_INLINE vf vf_select_lower(vm m, vf a, vf b)
{
#if WP_WIDTH == 4 && WP_IS_X86
	return vf_min(vf_select(m, a, vf_zero()), b);
#else
	return vf_select(m, a, b);
#endif
}

/* The same where v > best, of which `larger` is the larger one, as vf_max has it. That has other bits than `best` there alone, which
 * eight lanes ask of units that do not multiply. */
WP_INLINE vf vf_select_where_larger(vf v, vf best, vf larger, vf a, vf b)
{
#if WP_WIDTH == 8
	(void)v;
	const vi stays = _mm256_cmpeq_epi32(vi_from_bits(larger), vi_from_bits(best));
	return vf_from_bits(_mm256_blendv_epi8(vi_from_bits(a), vi_from_bits(b), stays));
#else
	(void)larger;
	return vf_select_lower(vf_gt(v, best), a, b);
#endif
}

#if WP_WIDTH == 4 && WP_IS_X86
/* vm_not, of which compilers know nothing. */
WP_INLINE vm vm_complement(vm m)
{
	vm other = vm_not(m);
#ifndef WP_MSVC
	__asm__("" : "+x"(other));
#endif
	return other;
}
#endif

/* The largest of the lanes, in all of them, and as a number. */
#if WP_WIDTH == 4
WP_INLINE vf vf_top(vf a)
{
	a = vf_max(a, _mm_shuffle_ps(a, a, 0x4e));
	return vf_max(a, _mm_shuffle_ps(a, a, 0xb1));
}
WP_INLINE float vf_top_number(vf a) { return _mm_cvtss_f32(vf_top(a)); }
#elif WP_WIDTH == 8
WP_INLINE vf vf_top(vf a)
{
	a = vf_max(a, _mm256_permute2f128_ps(a, a, 1));
	a = vf_max(a, _mm256_shuffle_ps(a, a, 0x4e));
	return vf_max(a, _mm256_shuffle_ps(a, a, 0xb1));
}
WP_INLINE float vf_top_number(vf a) { return _mm_cvtss_f32(_mm256_castps256_ps128(vf_top(a))); }
#elif WP_WIDTH == 16
WP_INLINE vf vf_top(vf a)
{
	a = vf_max(a, _mm512_shuffle_f32x4(a, a, 0x4e));
	a = vf_max(a, _mm512_shuffle_f32x4(a, a, 0xb1));
	a = vf_max(a, _mm512_shuffle_ps(a, a, 0x4e));
	return vf_max(a, _mm512_shuffle_ps(a, a, 0xb1));
}
WP_INLINE float vf_top_number(vf a) { return _mm_cvtss_f32(_mm512_castps512_ps128(vf_top(a))); }
#endif

/* The largest value of each of WP_WIDTH rows of WP_WIDTH, in the lane of its number. Each step halves the
 * rows and keeps both halves' larger values. */
WP_INLINE vf vf_tops(const float *rows)
{
	vf r[WP_WIDTH];
	for (int i = 0; i < WP_WIDTH; i++)
		r[i] = vf_load(rows + i * WP_WIDTH);
#if WP_WIDTH == 16
	for (int i = 0; i < 8; i++)
		r[i] = vf_max(_mm512_shuffle_f32x4(r[i], r[i + 8], 0x44), _mm512_shuffle_f32x4(r[i], r[i + 8], 0xee));
	for (int i = 0; i < 4; i++) {
		/* Quarters of rows i, i + 8, i + 4, i + 12; then in order. */
		const vf a = _mm512_shuffle_f32x4(r[i], r[i + 4], 0x88), b = _mm512_shuffle_f32x4(r[i], r[i + 4], 0xdd);
		r[i] = vf_max(a, b);
		r[i] = _mm512_shuffle_f32x4(r[i], r[i], 0xd8);
	}
#elif WP_WIDTH == 8
	for (int i = 0; i < 4; i++)
		r[i] = vf_max(_mm256_permute2f128_ps(r[i], r[i + 4], 0x20), _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
#endif
	vf_transpose(r);
	return vf_max(vf_max(r[0], r[1]), vf_max(r[2], r[3]));
}
#endif

#endif
