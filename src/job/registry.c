#include "job/registry.h"
#include "core/cpu.h"
#include "core/environment.h"

/* What a variant brings. */
typedef struct kernel_tables {
	const wp_kernels *kernels;
	const wp2d_kernels *kernels_2d;
} kernel_tables;

extern const wp_kernels wp_kernels_scalar, wp_kernels_sse2, wp_kernels_avx2, wp_kernels_avx512, wp_kernels_neon,
	wp_kernels_wasm;
extern const wp2d_kernels wp2d_kernels_scalar, wp2d_kernels_sse2, wp2d_kernels_avx2, wp2d_kernels_avx512,
	wp2d_kernels_neon, wp2d_kernels_wasm;

/* In ascending order of preference, the order of the enumeration. */
static const kernel_tables tables[WP_VARIANT_COUNT] = {
#ifdef WP_HAVE_SCALAR
	[WP_VARIANT_SCALAR] = {&wp_kernels_scalar, &wp2d_kernels_scalar},
#endif
#ifdef WP_HAVE_SSE2
	[WP_VARIANT_SSE2] = {&wp_kernels_sse2, &wp2d_kernels_sse2},
#endif
#ifdef WP_HAVE_AVX2
	[WP_VARIANT_AVX2] = {&wp_kernels_avx2, &wp2d_kernels_avx2},
#endif
#ifdef WP_HAVE_AVX512
	[WP_VARIANT_AVX512] = {&wp_kernels_avx512, &wp2d_kernels_avx512},
#endif
#ifdef WP_HAVE_NEON
	[WP_VARIANT_NEON] = {&wp_kernels_neon, &wp2d_kernels_neon},
#endif
#ifdef WP_HAVE_WASM
	[WP_VARIANT_WASM] = {&wp_kernels_wasm, &wp2d_kernels_wasm},
#endif
};

const wp_kernels *wp_registry_find(wp_variant variant)
{
	return (uint32_t)variant < WP_VARIANT_COUNT ? tables[variant].kernels : NULL;
}

const wp2d_kernels *wp2d_registry_find(wp_variant variant)
{
	return (uint32_t)variant < WP_VARIANT_COUNT ? tables[variant].kernels_2d : NULL;
}

wp_variant wp_variant_best(void)
{
	for (uint32_t v = WP_VARIANT_COUNT; v-- > WP_VARIANT_AUTO + 1;)
		if (tables[v].kernels != NULL && wp_cpu_runs((wp_variant)v))
			return (wp_variant)v;
	return WP_VARIANT_AUTO;
}

/* Whether the variant's kernels have the bits of all other builds; kernels of one lane stand for the files that are compiled
 * once, since they have the same flags. */
static bool is_exact(wp_variant variant)
{
#ifdef WP_ANY_ARITHMETIC
	(void)variant;
	return true;
#else
	const wp_kernels *const one_lane = tables[WP_VARIANT_SCALAR].kernels;
	const wp_environment before = wp_environment_enter();
	const bool exact = tables[variant].kernels->is_exact() && (one_lane == NULL || one_lane->is_exact());
	wp_environment_leave(before);
	return exact;
#endif
}

wp_error wp_variant_available(wp_variant variant)
{
	if ((uint32_t)variant >= WP_VARIANT_COUNT)
		return WP_ERROR_VARIANT_UNKNOWN;
	if (variant == WP_VARIANT_AUTO)
		variant = wp_variant_best();
	if (tables[variant].kernels == NULL)
		return WP_ERROR_VARIANT_NOT_BUILT;
	if (!wp_cpu_runs(variant))
		return WP_ERROR_VARIANT_NOT_SUPPORTED;
	return is_exact(variant) ? WP_OK : WP_ERROR_VARIANT_ARITHMETIC;
}
