/* widephase: the workspace, where a batch keeps everything it needs while it runs. */
#ifndef WIDEPHASE_WORKSPACE_H
#define WIDEPHASE_WORKSPACE_H

#include "widephase/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Scratch memory plus the choice of a variant. One per thread; a call uses it from its start to its
 * end and leaves nothing behind that changes a later answer. */
typedef struct wp_workspace wp_workspace;

/* Bytes a workspace needs, whatever the batch size, a multiple of WP_ALIGNMENT: wp_workspace_size() <= WP_WORKSPACE_SIZE, so
 * static storage of WP_WORKSPACE_SIZE bytes always does. */
#define WP_WORKSPACE_SIZE (400 * 1024)
WP_API size_t wp_workspace_size(void);

/* What wp_workspace_init calls. `version` is the WP_VERSION_NUMBER of the headers that declare the caller's structs:
 * WP_ERROR_VERSION unless this library has their series, or an older one that it still knows. Bindings to other languages
 * pass the number of the headers that they were made from. */
WP_API wp_error wp_workspace_init_of(
	void *memory, size_t size, wp_variant variant, uint32_t version, wp_workspace **workspace);

/* Make a workspace in `memory` (aligned to WP_ALIGNMENT, `size` bytes, owned by the caller, who may
 * drop it any time no call is using it). On an error *workspace is NULL.
 *
 * The variant is probed here, once. WP_VARIANT_AUTO takes the fastest that this CPU and operating system run, and one lane
 * for one or two pairs of a kind, because these take as long in many lanes as many pairs do (the bits are the same). In the same
 * way WP_VARIANT_AVX512 has WP_VARIANT_AVX2, where the build holds it, solve pairs that would fill half of the lanes. A named
 * variant fails with WP_ERROR_VARIANT_NOT_BUILT or WP_ERROR_VARIANT_NOT_SUPPORTED if it is absent, and with
 * WP_ERROR_VARIANT_ARITHMETIC if the library was compiled with flags that change its bits. If the program was compiled with
 * headers whose structs the library does not know, the error is WP_ERROR_VERSION. */
static inline wp_error wp_workspace_init(void *memory, size_t size, wp_variant variant, wp_workspace **workspace)
{
	return wp_workspace_init_of(memory, size, variant, WP_VERSION_NUMBER, workspace);
}

/* The variant in use; WP_VARIANT_AUTO, which is never in use, if `workspace` is not valid. */
WP_API wp_variant wp_workspace_variant(const wp_workspace *workspace);

#ifdef __cplusplus
}
#endif

#endif
