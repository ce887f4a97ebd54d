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

/* A build may leave out the kernels of 3D or of 2D, whose calls it then must not have: the modules of the package for
 * JavaScript. */
#ifdef WP_WITHOUT_3D
#define WP_KERNELS(variant) NULL
#else
#define WP_KERNELS(variant) &wp_kernels_##variant
#endif
#ifdef WP_WITHOUT_2D
#define WP2D_KERNELS(variant) NULL
#else
#define WP2D_KERNELS(variant) &wp2d_kernels_##variant
#endif

_Static_assert(WP_VARIANT_COUNT == 7, "each but auto has its tables here");

/* In ascending order of preference, the order of the enumeration. */
static const kernel_tables tables[WP_VARIANT_COUNT] = {
#ifdef WP_HAVE_SCALAR
	[WP_VARIANT_SCALAR] = {WP_KERNELS(scalar), WP2D_KERNELS(scalar)},
#endif
#ifdef WP_HAVE_SSE2
	[WP_VARIANT_SSE2] = {WP_KERNELS(sse2), WP2D_KERNELS(sse2)},
#endif
#ifdef WP_HAVE_AVX2
	[WP_VARIANT_AVX2] = {WP_KERNELS(avx2), WP2D_KERNELS(avx2)},
#endif
#ifdef WP_HAVE_AVX512
	[WP_VARIANT_AVX512] = {WP_KERNELS(avx512), WP2D_KERNELS(avx512)},
#endif
#ifdef WP_HAVE_NEON
	[WP_VARIANT_NEON] = {WP_KERNELS(neon), WP2D_KERNELS(neon)},
#endif
#ifdef WP_HAVE_WASM
	[WP_VARIANT_WASM] = {WP_KERNELS(wasm), WP2D_KERNELS(wasm)},
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

static bool is_built(uint32_t variant) { return tables[variant].kernels != NULL || tables[variant].kernels_2d != NULL; }

wp_variant wp_variant_best(void)
{
	for (uint32_t v = WP_VARIANT_COUNT; v-- > WP_VARIANT_AUTO + 1;)
		if (is_built(v) && wp_cpu_runs((wp_variant)v))
			return (wp_variant)v;
	return WP_VARIANT_AUTO;
}

#ifndef WP_ANY_ARITHMETIC
/* Those of 2D have the same flags. */
static bool has_exact_kernels(uint32_t variant)
{
	const kernel_tables *const found = &tables[variant];
	return found->kernels != NULL ? found->kernels->is_exact() : found->kernels_2d->is_exact();
}
#endif

/* Whether the variant's kernels have the bits of all other builds; kernels of one lane stand for the files that are compiled
 * once, since they have the same flags. */
static bool is_exact(wp_variant variant)
{
#ifdef WP_ANY_ARITHMETIC
	(void)variant;
	return true;
#else
	const wp_environment before = wp_environment_enter();
	const bool exact = has_exact_kernels(variant) &&
	                   (!is_built(WP_VARIANT_SCALAR) || has_exact_kernels(WP_VARIANT_SCALAR));
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
	if (!is_built(variant))
		return WP_ERROR_VARIANT_NOT_BUILT;
	if (!wp_cpu_runs(variant))
		return WP_ERROR_VARIANT_NOT_SUPPORTED;
	return is_exact(variant) ? WP_OK : WP_ERROR_VARIANT_ARITHMETIC;
}
