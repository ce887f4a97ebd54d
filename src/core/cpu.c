#include "core/cpu.h"

#if WP_IS_X86

#ifndef WP_MSVC
#include <cpuid.h>
#endif

/* Bits of the registers that the instruction CPUID fills. */
#define WP_OSXSAVE (1u << 27) /* leaf 1, ecx */
#define WP_AVX2 (1u << 5)     /* leaf 7, ebx, as the next ones */
#define WP_AVX512F (1u << 16)
#define WP_AVX512DQ (1u << 17)
#define WP_AVX512BW (1u << 30)
#define WP_AVX512VL (1u << 31)

/* Register state that the operating system saves on a task switch: without it, wide registers would be
 * lost whatever the CPU says. */
#define WP_XCR0_AVX 0x06u
#define WP_XCR0_AVX512 0xe6u

/* Registers eax, ebx, ecx, edx of a leaf; none are set where the CPU lacks it. */
static bool read_leaf(uint32_t leaf, uint32_t registers[4])
{
#ifdef WP_MSVC
	int read[4];
	__cpuid(read, 0);
	if ((uint32_t)read[0] < leaf)
		return false;
	__cpuidex(read, (int)leaf, 0);
	memcpy(registers, read, sizeof read);
	return true;
#else
	return __get_cpuid_count(leaf, 0, &registers[0], &registers[1], &registers[2], &registers[3]);
#endif
}

static uint32_t saved_state(void)
{
	uint32_t r[4];
	if (!read_leaf(1, r) || !(r[2] & WP_OSXSAVE))
		return 0;
#ifdef WP_MSVC
	return (uint32_t)_xgetbv(0);
#else
	uint32_t low, high;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
#endif
}

bool wp_cpu_runs(wp_variant variant)
{
	if (variant == WP_VARIANT_SCALAR || variant == WP_VARIANT_SSE2)
		return true;
	uint32_t r[4];
	if (!read_leaf(7, r))
		return false;
	if (variant == WP_VARIANT_AVX2)
		return (r[1] & WP_AVX2) != 0 && (saved_state() & WP_XCR0_AVX) == WP_XCR0_AVX;
#ifdef WP_EMULATED
	if (variant == WP_VARIANT_AVX512)
		return true;
#endif
	const uint32_t avx512 = WP_AVX512F | WP_AVX512BW | WP_AVX512DQ | WP_AVX512VL;
	if (variant == WP_VARIANT_AVX512)
		return (r[1] & avx512) == avx512 && (saved_state() & WP_XCR0_AVX512) == WP_XCR0_AVX512;
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
