/* Every extension of C that the library uses, as GNU C has it and beside it as MSVC has it: attributes, hints, bits of integers,
 * numbers by their bits, two and four numbers in a register. What else belongs to one compiler or machine is in
 * core/environment.h (rounding), core/cpu.c (which CPU this is) and wide/lane/vec.h (lanes).
 *
 * WP_MSVC is defined for MSVC. Clang has both forms: -fms-extensions -DWP_MSVC compiles MSVC's, for tests. */
#ifndef WP_CORE_EXTENSIONS_H
#define WP_CORE_EXTENSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER) && !defined(__clang__) && !defined(WP_MSVC)
#define WP_MSVC
#endif

#if defined(__x86_64__) || defined(_M_X64)
#define WP_IS_X64 1
#else
#define WP_IS_X64 0
#endif
#if WP_IS_X64 || defined(__i386__) || defined(_M_IX86)
#define WP_IS_X86 1
#include <emmintrin.h>
#else
#define WP_IS_X86 0
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define WP_IS_BIG_ENDIAN 1
#else
#define WP_IS_BIG_ENDIAN 0
#endif

#ifndef WP_MSVC

#define WP_INLINE static inline __attribute__((always_inline))
/* GCC copies functions for constant arguments, which is what these are called to avoid. */
#ifdef __clang__
#define WP_NOINLINE static __attribute__((noinline, unused))
#else
#define WP_NOINLINE static __attribute__((noinline, noclone, unused))
#endif

/* Before a loop of few rounds that is not worth a copy of its body for each of them. */
#ifdef __clang__
#define WP_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define WP_ROLLED _Pragma("GCC unroll 1")
#endif

/* Infinity, and the NaN of answers: quiet, without a sign. */
#define WP_INFINITY __builtin_inff()
#define WP_NAN __builtin_nanf("")

/* Ask for the cache line at an address ahead of a read; of a write. */
WP_INLINE void wp_prefetch(const void *at) { __builtin_prefetch(at); }
WP_INLINE void wp_prefetch_write(const void *at) { __builtin_prefetch(at, 1); }

/* Compilers must take these values as they are now: they know nothing of them and read no memory again. */
WP_INLINE uint32_t wp_opaque(uint32_t value)
{
	__asm__ volatile("" : "+r"(value));
	return value;
}
WP_INLINE size_t wp_opaque_size(size_t value)
{
	__asm__ volatile("" : "+r"(value));
	return value;
}

/* Copies of a length that is known at compile time: no call, even where the compiler knows no function of C. */
WP_INLINE void wp_copy_bytes(void *to, const void *from, size_t bytes) { __builtin_memcpy(to, from, bytes); }

/* Instructions, never calls. */
WP_INLINE float wp_abs_float(float a) { return __builtin_fabsf(a); }
WP_INLINE double wp_abs(double a) { return __builtin_fabs(a); }
WP_INLINE float wp_sqrt_float(float a) { return __builtin_sqrtf(a); }
WP_INLINE double wp_sqrt(double a) { return __builtin_sqrt(a); }
/* The magnitude of `a` with the sign of `sign`. */
WP_INLINE float wp_with_sign_float(float a, float sign) { return __builtin_copysignf(a, sign); }
WP_INLINE double wp_with_sign(double a, double sign) { return __builtin_copysign(a, sign); }

/* Index of the lowest and of the highest set bit; bits must not be 0. */
WP_INLINE uint32_t wp_lowest_bit(uint32_t bits) { return (uint32_t)__builtin_ctz(bits); }
WP_INLINE uint32_t wp_lowest_bit_64(uint64_t bits) { return (uint32_t)__builtin_ctzll(bits); }
WP_INLINE uint32_t wp_highest_bit_64(uint64_t bits) { return 63u - (uint32_t)__builtin_clzll(bits); }
WP_INLINE uint64_t wp_swap_bytes(uint64_t word) { return __builtin_bswap64(word); }

/* Set bits of a mask of up to 16 lanes; wp_count_bits_64 counts more. Spelled out: without an instruction for it, compilers would call a function. */
WP_INLINE uint32_t wp_count_bits(uint32_t bits)
{
#ifdef __POPCNT__
	return (uint32_t)__builtin_popcount(bits);
#else
	bits = (bits & 0x5555u) + (bits >> 1 & 0x5555u);
	bits = (bits & 0x3333u) + (bits >> 2 & 0x3333u);
	bits = (bits & 0x0f0fu) + (bits >> 4 & 0x0f0fu);
	return (bits & 0xffu) + (bits >> 8);
#endif
}

/* Whether one lane has registers for four floats. */
#if defined(__SSE2__) || defined(__ARM_NEON) || defined(__wasm_simd128__)
#define WP_HAS_QUADS 1
#else
#define WP_HAS_QUADS 0
#endif

/* Four floats, in one register where there is one for them. A mask has all bits of a place set or clear. */
typedef float wp_quad __attribute__((vector_size(4 * sizeof(float))));
typedef int32_t wp_quad_mask __attribute__((vector_size(4 * sizeof(int32_t))));

WP_INLINE wp_quad wp_quad_of(float a, float b, float c, float d) { return (wp_quad){a, b, c, d}; }
WP_INLINE wp_quad wp_quad_set(float a) { return (wp_quad){a, a, a, a}; }
WP_INLINE float wp_quad_get(wp_quad a, int place) { return a[place]; }
WP_INLINE wp_quad wp_quad_load(const float *p) /* aligned to 16 bytes */
{
	wp_quad q;
	__builtin_memcpy(&q, __builtin_assume_aligned(p, sizeof q), sizeof q);
	return q;
}
WP_INLINE wp_quad wp_quad_read(const void *p) /* of any alignment */
{
	wp_quad q;
	__builtin_memcpy(&q, p, sizeof q);
	return q;
}
WP_INLINE void wp_quad_store(float *p, wp_quad a) { __builtin_memcpy(p, &a, sizeof a); }
WP_INLINE wp_quad wp_quad_add(wp_quad a, wp_quad b) { return a + b; }
WP_INLINE wp_quad wp_quad_sub(wp_quad a, wp_quad b) { return a - b; }
WP_INLINE wp_quad wp_quad_scale(wp_quad a, float b) { return a * b; }
WP_INLINE wp_quad wp_quad_mul(wp_quad a, wp_quad b) { return a * b; }
WP_INLINE wp_quad wp_quad_over(wp_quad a, wp_quad b) { return a / b; }
WP_INLINE wp_quad wp_quad_sqrt(wp_quad a)
{
#ifdef __SSE2__
	return _mm_sqrt_ps(a);
#else
	return (wp_quad){wp_sqrt_float(a[0]), wp_sqrt_float(a[1]), wp_sqrt_float(a[2]), wp_sqrt_float(a[3])};
#endif
}
WP_INLINE wp_quad_mask wp_quad_above(wp_quad a, wp_quad b) { return a > b; }
WP_INLINE wp_quad_mask wp_quad_at_most(wp_quad a, wp_quad b) { return a <= b; }
/* Whether the bits are the same, whatever numbers they are. */
WP_INLINE wp_quad_mask wp_quad_same(wp_quad a, wp_quad b) { return (wp_quad_mask)a == (wp_quad_mask)b; }
/* The numbers where the mask is set, elsewhere 0. */
WP_INLINE wp_quad wp_quad_where(wp_quad_mask m, wp_quad a) { return (wp_quad)(m & (wp_quad_mask)a); }
WP_INLINE wp_quad_mask wp_quad_both(wp_quad_mask a, wp_quad_mask b) { return a & b; }
/* The numbers of a where the mask is set, elsewhere the numbers of b. */
WP_INLINE wp_quad wp_quad_select(wp_quad_mask m, wp_quad a, wp_quad b)
{
	return (wp_quad)((m & (wp_quad_mask)a) | (~m & (wp_quad_mask)b));
}
/* a > b ? a : b */
WP_INLINE wp_quad wp_quad_max(wp_quad a, wp_quad b)
{
#ifdef __SSE2__
	return _mm_max_ps(a, b);
#else
	const wp_quad_mask greater = a > b;
	return (wp_quad)((greater & (wp_quad_mask)a) | (~greater & (wp_quad_mask)b));
#endif
}

/* a < b ? a : b */
WP_INLINE wp_quad wp_quad_min(wp_quad a, wp_quad b)
{
#ifdef __SSE2__
	return _mm_min_ps(a, b);
#else
	const wp_quad_mask less = a < b;
	return (wp_quad)((less & (wp_quad_mask)a) | (~less & (wp_quad_mask)b));
#endif
}
WP_INLINE wp_quad wp_quad_abs(wp_quad a) { return (wp_quad)((wp_quad_mask)a & INT32_MAX); }
/* `a`, of which no sign bit is set, with the signs of `sign`; `a` with its signs changed where `sign` has them set. */
WP_INLINE wp_quad wp_quad_with_sign(wp_quad a, wp_quad sign)
{
	return (wp_quad)((wp_quad_mask)a | ((wp_quad_mask)sign & INT32_MIN));
}
WP_INLINE wp_quad wp_quad_flip_sign(wp_quad a, wp_quad sign)
{
	return (wp_quad)((wp_quad_mask)a ^ ((wp_quad_mask)sign & INT32_MIN));
}
/* The places x and y of a, then z and w of b; all are constants. */
#ifdef __SSE2__
#define WP_QUAD_MIX(a, b, x, y, z, w) _mm_shuffle_ps(a, b, _MM_SHUFFLE(w, z, y, x))
#else
#define WP_QUAD_MIX(a, b, x, y, z, w) wp_quad_of((a)[x], (a)[y], (b)[z], (b)[w])
#endif
/* The first two places of a and b in turn. */
WP_INLINE wp_quad wp_quad_zip(wp_quad a, wp_quad b)
{
#ifdef __SSE2__
	return _mm_unpacklo_ps(a, b);
#else
	return wp_quad_of(a[0], b[0], a[1], b[1]);
#endif
}
/* A bit of each place, the first one lowest. */
WP_INLINE uint32_t wp_quad_bits(wp_quad_mask m)
{
#ifdef __SSE2__
	return (uint32_t)_mm_movemask_ps((wp_quad)m);
#else
	return (uint32_t)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}
/* Four integers, in one register where there is one for them; in memory they are aligned to 16 bytes. */
typedef uint32_t wp_words __attribute__((vector_size(4 * sizeof(uint32_t)), may_alias));

WP_INLINE wp_words wp_words_load(const uint32_t *p) { return *(const wp_words *)(const void *)p; }
WP_INLINE void wp_words_store(uint32_t *p, wp_words a) { *(wp_words *)(void *)p = a; }
WP_INLINE wp_words wp_words_xor(wp_words a, wp_words b) { return a ^ b; }
WP_INLINE wp_words wp_words_and(wp_words a, wp_words b) { return a & b; }
WP_INLINE wp_words wp_words_add(wp_words a, wp_words b) { return a + b; }
WP_INLINE wp_words wp_words_up(wp_words a, int bits) { return a << bits; }
WP_INLINE wp_words wp_words_down(wp_words a, int bits) { return a >> bits; }

/* Two doubles, in the same way. */
typedef double wp_two __attribute__((vector_size(2 * sizeof(double))));

WP_INLINE wp_two wp_two_of(double a, double b) { return (wp_two){a, b}; }
WP_INLINE wp_two wp_two_set(double a) { return (wp_two){a, a}; }
WP_INLINE double wp_two_get(wp_two a, int place) { return a[place]; }
WP_INLINE wp_two wp_two_add(wp_two a, wp_two b) { return a + b; }
WP_INLINE wp_two wp_two_sub(wp_two a, wp_two b) { return a - b; }
WP_INLINE wp_two wp_two_scale(wp_two a, double b) { return a * b; }
/* a > b ? a : b */
WP_INLINE wp_two wp_two_max(wp_two a, wp_two b)
{
#ifdef __SSE2__
	return _mm_max_pd(a, b);
#else
	typedef int64_t masks __attribute__((vector_size(2 * sizeof(int64_t))));
	const masks greater = a > b;
	return (wp_two)((greater & (masks)a) | (~greater & (masks)b));
#endif
}

#else

#if !WP_IS_X86
#error "widephase knows MSVC for x86 alone: on other machines take clang-cl"
#endif
#include <intrin.h>

/* The headers of mingw, by which Clang tests this part, make it extern. */
#ifdef __MINGW32__
#undef __forceinline
#endif
#define WP_INLINE static __forceinline
#define WP_NOINLINE static __declspec(noinline)
#define WP_ROLLED

WP_INLINE float wp_float_by_bits(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

#define WP_INFINITY wp_float_by_bits(0x7f800000u)
#define WP_NAN wp_float_by_bits(0x7fc00000u)

WP_INLINE void wp_prefetch(const void *at) { _mm_prefetch((const char *)at, _MM_HINT_T0); }
WP_INLINE void wp_prefetch_write(const void *at) { _mm_prefetch((const char *)at, _MM_HINT_T0); }

WP_INLINE uint32_t wp_opaque(uint32_t value)
{
	const volatile uint32_t opaque = value;
	return opaque;
}
WP_INLINE size_t wp_opaque_size(size_t value)
{
	const volatile size_t opaque = value;
	return opaque;
}

WP_INLINE void wp_copy_bytes(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }

WP_INLINE float wp_abs_float(float a) { return _mm_cvtss_f32(_mm_andnot_ps(_mm_set_ss(-0.0f), _mm_set_ss(a))); }
WP_INLINE double wp_abs(double a) { return _mm_cvtsd_f64(_mm_andnot_pd(_mm_set_sd(-0.0), _mm_set_sd(a))); }
WP_INLINE float wp_sqrt_float(float a) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a))); }
WP_INLINE double wp_sqrt(double a) { return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(a), _mm_set_sd(a))); }
WP_INLINE float wp_with_sign_float(float a, float sign)
{
	const __m128 minus = _mm_set_ss(-0.0f);
	return _mm_cvtss_f32(_mm_or_ps(_mm_andnot_ps(minus, _mm_set_ss(a)), _mm_and_ps(minus, _mm_set_ss(sign))));
}
WP_INLINE double wp_with_sign(double a, double sign)
{
	const __m128d minus = _mm_set_sd(-0.0);
	return _mm_cvtsd_f64(_mm_or_pd(_mm_andnot_pd(minus, _mm_set_sd(a)), _mm_and_pd(minus, _mm_set_sd(sign))));
}

WP_INLINE uint32_t wp_lowest_bit(uint32_t bits)
{
	unsigned long index;
	_BitScanForward(&index, bits);
	return (uint32_t)index;
}
WP_INLINE uint32_t wp_lowest_bit_64(uint64_t bits)
{
	const uint32_t low = (uint32_t)bits;
	return low != 0 ? wp_lowest_bit(low) : 32 + wp_lowest_bit((uint32_t)(bits >> 32));
}
WP_INLINE uint32_t wp_highest_bit_64(uint64_t bits)
{
	unsigned long index;
	const uint32_t high = (uint32_t)(bits >> 32);
	_BitScanReverse(&index, high != 0 ? high : (uint32_t)bits);
	return (uint32_t)index + (high != 0 ? 32 : 0);
}
WP_INLINE uint64_t wp_swap_bytes(uint64_t word) { return _byteswap_uint64(word); }
WP_INLINE uint32_t wp_count_bits(uint32_t bits)
{
	bits = (bits & 0x5555u) + (bits >> 1 & 0x5555u);
	bits = (bits & 0x3333u) + (bits >> 2 & 0x3333u);
	bits = (bits & 0x0f0fu) + (bits >> 4 & 0x0f0fu);
	return (bits & 0xffu) + (bits >> 8);
}

#define WP_HAS_QUADS 1

typedef __m128 wp_quad;
typedef __m128 wp_quad_mask;

WP_INLINE wp_quad wp_quad_of(float a, float b, float c, float d) { return _mm_setr_ps(a, b, c, d); }
WP_INLINE wp_quad wp_quad_set(float a) { return _mm_set1_ps(a); }
WP_INLINE float wp_quad_get(wp_quad a, int place)
{
	float number[4];
	_mm_storeu_ps(number, a);
	return number[place];
}
WP_INLINE wp_quad wp_quad_load(const float *p) { return _mm_load_ps(p); }
WP_INLINE wp_quad wp_quad_read(const void *p) { return _mm_loadu_ps((const float *)p); }
WP_INLINE void wp_quad_store(float *p, wp_quad a) { _mm_storeu_ps(p, a); }
WP_INLINE wp_quad wp_quad_add(wp_quad a, wp_quad b) { return _mm_add_ps(a, b); }
WP_INLINE wp_quad wp_quad_sub(wp_quad a, wp_quad b) { return _mm_sub_ps(a, b); }
WP_INLINE wp_quad wp_quad_scale(wp_quad a, float b) { return _mm_mul_ps(a, _mm_set1_ps(b)); }
WP_INLINE wp_quad wp_quad_mul(wp_quad a, wp_quad b) { return _mm_mul_ps(a, b); }
WP_INLINE wp_quad wp_quad_over(wp_quad a, wp_quad b) { return _mm_div_ps(a, b); }
WP_INLINE wp_quad wp_quad_sqrt(wp_quad a) { return _mm_sqrt_ps(a); }
WP_INLINE wp_quad_mask wp_quad_above(wp_quad a, wp_quad b) { return _mm_cmpgt_ps(a, b); }
WP_INLINE wp_quad_mask wp_quad_at_most(wp_quad a, wp_quad b) { return _mm_cmple_ps(a, b); }
WP_INLINE wp_quad_mask wp_quad_same(wp_quad a, wp_quad b)
{
	return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_castps_si128(a), _mm_castps_si128(b)));
}
WP_INLINE wp_quad wp_quad_where(wp_quad_mask m, wp_quad a) { return _mm_and_ps(m, a); }
WP_INLINE wp_quad_mask wp_quad_both(wp_quad_mask a, wp_quad_mask b) { return _mm_and_ps(a, b); }
WP_INLINE wp_quad wp_quad_select(wp_quad_mask m, wp_quad a, wp_quad b)
{
	return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}
WP_INLINE wp_quad wp_quad_max(wp_quad a, wp_quad b) { return _mm_max_ps(a, b); }
WP_INLINE wp_quad wp_quad_min(wp_quad a, wp_quad b) { return _mm_min_ps(a, b); }
WP_INLINE wp_quad wp_quad_abs(wp_quad a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
WP_INLINE wp_quad wp_quad_with_sign(wp_quad a, wp_quad sign)
{
	return _mm_or_ps(a, _mm_and_ps(_mm_set1_ps(-0.0f), sign));
}
WP_INLINE wp_quad wp_quad_flip_sign(wp_quad a, wp_quad sign)
{
	return _mm_xor_ps(a, _mm_and_ps(_mm_set1_ps(-0.0f), sign));
}
#define WP_QUAD_MIX(a, b, x, y, z, w) _mm_shuffle_ps(a, b, _MM_SHUFFLE(w, z, y, x))
WP_INLINE wp_quad wp_quad_zip(wp_quad a, wp_quad b) { return _mm_unpacklo_ps(a, b); }
WP_INLINE uint32_t wp_quad_bits(wp_quad_mask m) { return (uint32_t)_mm_movemask_ps(m); }
typedef __m128i wp_words;

WP_INLINE wp_words wp_words_load(const uint32_t *p) { return _mm_load_si128((const __m128i *)p); }
WP_INLINE void wp_words_store(uint32_t *p, wp_words a) { _mm_store_si128((__m128i *)p, a); }
WP_INLINE wp_words wp_words_xor(wp_words a, wp_words b) { return _mm_xor_si128(a, b); }
WP_INLINE wp_words wp_words_and(wp_words a, wp_words b) { return _mm_and_si128(a, b); }
WP_INLINE wp_words wp_words_add(wp_words a, wp_words b) { return _mm_add_epi32(a, b); }
WP_INLINE wp_words wp_words_up(wp_words a, int bits) { return _mm_slli_epi32(a, bits); }
WP_INLINE wp_words wp_words_down(wp_words a, int bits) { return _mm_srli_epi32(a, bits); }

typedef __m128d wp_two;

WP_INLINE wp_two wp_two_of(double a, double b) { return _mm_setr_pd(a, b); }
WP_INLINE wp_two wp_two_set(double a) { return _mm_set1_pd(a); }
WP_INLINE double wp_two_get(wp_two a, int place)
{
	double number[2];
	_mm_storeu_pd(number, a);
	return number[place];
}
WP_INLINE wp_two wp_two_add(wp_two a, wp_two b) { return _mm_add_pd(a, b); }
WP_INLINE wp_two wp_two_sub(wp_two a, wp_two b) { return _mm_sub_pd(a, b); }
WP_INLINE wp_two wp_two_scale(wp_two a, double b) { return _mm_mul_pd(a, _mm_set1_pd(b)); }
WP_INLINE wp_two wp_two_max(wp_two a, wp_two b) { return _mm_max_pd(a, b); }

#endif

#define WP_QUAD_PICK(a, x, y, z, w) WP_QUAD_MIX(a, a, x, y, z, w)

/* Of functions of many instructions that several others call: copied into these, but where code is to be small. */
#ifdef __OPTIMIZE_SIZE__
#define WP_INLINE_LARGE WP_NOINLINE
#else
#define WP_INLINE_LARGE WP_INLINE
#endif

/* ---- sets --------------------------------------------------------------------------------------- */

/* The first `count` (0 .. 64) bits of 64. */
WP_INLINE uint64_t wp_first_bits_64(uint32_t count) { return count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX; }

/* Set bits of 64. */
WP_INLINE uint32_t wp_count_bits_64(uint64_t bits)
{
	bits -= bits >> 1 & 0x5555555555555555u;
	bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return (uint32_t)(bits * 0x0101010101010101u >> 56);
}

/* ---- bytes -------------------------------------------------------------------------------------- */

/* Eight bytes, in one register. Of what is compared, the highest bit of each byte is the answer. */
#define WP_OCTET_BITS UINT64_C(0x8080808080808080)

#if defined(__SSE2__) || defined(WP_MSVC)

WP_INLINE __m128i wp_widen_bytes(const uint8_t *bytes)
{
	const __m128i zero = _mm_setzero_si128();
	int32_t word;
	memcpy(&word, bytes, sizeof word);
	return _mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(word), zero), zero);
}
/* Four bytes as numbers; as the exponents of powers of two; and of their inverses. */
WP_INLINE wp_quad wp_quad_of_bytes(const uint8_t *bytes) { return _mm_cvtepi32_ps(wp_widen_bytes(bytes)); }
WP_INLINE wp_quad wp_quad_of_exponents(const uint8_t *bytes)
{
	return _mm_castsi128_ps(_mm_slli_epi32(wp_widen_bytes(bytes), 23));
}
WP_INLINE wp_quad wp_quad_of_inverses(const uint8_t *bytes)
{
	const __m128i inverse = _mm_sub_epi32(_mm_set1_epi32(254), wp_widen_bytes(bytes));
	return _mm_castsi128_ps(_mm_slli_epi32(inverse, 23));
}
/* Numbers from 0 to 255 without their fractions. */
WP_INLINE void wp_quad_truncate(wp_quad a, int32_t number[4])
{
	_mm_storeu_si128((__m128i *)number, _mm_cvttps_epi32(a));
}

/* The first three places of four quads, each place of all in one. */
WP_INLINE void wp_quad_transpose(const wp_quad of[4], wp_quad place[3])
{
	const __m128 low = _mm_unpacklo_ps(of[0], of[1]), high = _mm_unpacklo_ps(of[2], of[3]);
	const __m128 end = _mm_unpackhi_ps(of[0], of[1]), other = _mm_unpackhi_ps(of[2], of[3]);
	place[0] = _mm_movelh_ps(low, high);
	place[1] = _mm_movehl_ps(high, low);
	place[2] = _mm_movelh_ps(end, other);
}

typedef __m128i wp_octet; /* its lower half */

WP_INLINE wp_octet wp_octet_read(const uint8_t p[8]) { return _mm_loadl_epi64((const __m128i *)p); }
WP_INLINE wp_octet wp_octet_set(uint8_t a)
{
	const uint64_t eight = a * UINT64_C(0x0101010101010101);
	return _mm_loadl_epi64((const __m128i *)&eight);
}
WP_INLINE wp_octet wp_octet_at_least(wp_octet a, wp_octet b) { return _mm_cmpeq_epi8(_mm_max_epu8(a, b), a); }
WP_INLINE wp_octet wp_octet_and(wp_octet a, wp_octet b) { return _mm_and_si128(a, b); }
/* The first byte is the lowest. */
WP_INLINE uint64_t wp_octet_bits(wp_octet a)
{
	uint64_t word;
	_mm_storel_epi64((__m128i *)&word, a);
	return word & WP_OCTET_BITS;
}

#else

WP_INLINE wp_quad wp_quad_of_bytes(const uint8_t *bytes)
{
	return wp_quad_of((float)bytes[0], (float)bytes[1], (float)bytes[2], (float)bytes[3]);
}
WP_INLINE wp_quad wp_quad_of_exponents(const uint8_t *bytes)
{
	return (wp_quad)((wp_quad_mask){bytes[0], bytes[1], bytes[2], bytes[3]} << 23);
}
WP_INLINE wp_quad wp_quad_of_inverses(const uint8_t *bytes)
{
	return (wp_quad)((254 - (wp_quad_mask){bytes[0], bytes[1], bytes[2], bytes[3]}) << 23);
}
WP_INLINE void wp_quad_truncate(wp_quad a, int32_t number[4])
{
	for (int i = 0; i < 4; i++)
		number[i] = (int32_t)a[i];
}

WP_INLINE void wp_quad_transpose(const wp_quad of[4], wp_quad place[3])
{
	for (int k = 0; k < 3; k++)
		place[k] = wp_quad_of(of[0][k], of[1][k], of[2][k], of[3][k]);
}

typedef uint64_t wp_octet;

WP_INLINE wp_octet wp_octet_read(const uint8_t p[8])
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
	return WP_IS_BIG_ENDIAN ? wp_swap_bytes(word) : word;
}
WP_INLINE wp_octet wp_octet_set(uint8_t a) { return a * UINT64_C(0x0101010101010101); }
/* The low seven bits are compared by a difference that borrows from no other byte. */
WP_INLINE wp_octet wp_octet_at_least(wp_octet a, wp_octet b)
{
	const uint64_t low = (a | WP_OCTET_BITS) - (b & ~WP_OCTET_BITS);
	return (a & ~b) | (~(a ^ b) & low);
}
WP_INLINE wp_octet wp_octet_and(wp_octet a, wp_octet b) { return a & b; }
WP_INLINE uint64_t wp_octet_bits(wp_octet a) { return a & WP_OCTET_BITS; }

#endif

#endif
