#include "core/cpu.h"

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

/* Register state that the operating system saves on a task switch: without it, wide registers would be
 * lost whatever the CPU says. */
#define WP_XCR0_AVX 0x06u
#define WP_XCR0_AVX512 0xe6u

static uint32_t saved_state(void)
{
	uint32_t a, b, c, d;
	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
		return 0;
	uint32_t low, high;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

bool wp_cpu_runs(wp_variant variant)
{
	if (variant == WP_VARIANT_SCALAR || variant == WP_VARIANT_SSE2)
		return true;
	uint32_t a, b = 0, c, d;
	if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
		return false;
	if (variant == WP_VARIANT_AVX2)
		return (b & bit_AVX2) != 0 && (saved_state() & WP_XCR0_AVX) == WP_XCR0_AVX;
#ifdef WP_EMULATED
	if (variant == WP_VARIANT_AVX512)
		return true;
#endif
	const uint32_t avx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
	if (variant == WP_VARIANT_AVX512)
		return (b & avx512) == avx512 && (saved_state() & WP_XCR0_AVX512) == WP_XCR0_AVX512;
	return false;
}

#elif defined(__aarch64__)

bool wp_cpu_runs(wp_variant variant) { return variant == WP_VARIANT_SCALAR || variant == WP_VARIANT_NEON; }

#elif defined(__wasm__)

/* A module that holds SIMD128 code is refused as a whole where it cannot run. */
bool wp_cpu_runs(wp_variant variant) { return variant == WP_VARIANT_SCALAR || variant == WP_VARIANT_WASM; }

#else

bool wp_cpu_runs(wp_variant variant) { return variant == WP_VARIANT_SCALAR; }

#endif
