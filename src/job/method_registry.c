#include "job/method_registry.h"

extern const wp_method_kernels wp_method_kernels_scalar, wp_method_kernels_sse2, wp_method_kernels_avx2,
	wp_method_kernels_avx512, wp_method_kernels_neon, wp_method_kernels_wasm;

_Static_assert(WP_VARIANT_COUNT == 7, "each but auto has its table here");

/* By lanes. No build has two variants of as many. */
static const wp_method_kernels *const tables[WP_METHOD_LANE_MAX + 1] = {
#ifdef WP_HAVE_SCALAR
	[1] = &wp_method_kernels_scalar,
#endif
#ifdef WP_HAVE_SSE2
	[4] = &wp_method_kernels_sse2,
#endif
#ifdef WP_HAVE_AVX2
	[8] = &wp_method_kernels_avx2,
#endif
#ifdef WP_HAVE_AVX512
	[16] = &wp_method_kernels_avx512,
#endif
#ifdef WP_HAVE_NEON
	[4] = &wp_method_kernels_neon,
#endif
#ifdef WP_HAVE_WASM
	[4] = &wp_method_kernels_wasm,
#endif
};

const wp_method_kernels *const *wp_method_tables(void) { return tables; }
