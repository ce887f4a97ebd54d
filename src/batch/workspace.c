#include "batch/workspace.h"
#include "batch/chunk.h"
#include "job/registry.h"

static size_t largest(size_t a, size_t b) { return a > b ? a : b; }

/* The workspace struct, then one piece of scratch, which the kernels, the manifolds and the strong path use in turn: measured
 * and placed by one function. */
static size_t layout(wp_workspace *workspace)
{
	const size_t scratch_at = wp_scratch_offset(), strong_at = offsetof(wp_workspace, jobs) + WP_JOBS_LAST;
	if (workspace != NULL) {
		unsigned char *const bytes = (unsigned char *)workspace;
		workspace->scratch = (void *)(bytes + scratch_at);
		workspace->manifold = (void *)(bytes + scratch_at);
		workspace->touch = (void *)(bytes + scratch_at);
		workspace->strong = (void *)(bytes + strong_at);
		workspace->memory_2d = (void *)&workspace->jobs;
	}
	const size_t scratch_size = largest(largest(WP_SCRATCH_SIZE, sizeof(wp_manifold_scratch)), sizeof(wp_touch_memory));
	const size_t scratch_end = scratch_at + scratch_size;
	const size_t end_3d = largest(scratch_end, strong_at + wp_strong_memory_size());
	return wp_round_up(largest(end_3d, offsetof(wp_workspace, jobs) + sizeof(wp2d_memory)), WP_ALIGNMENT);
}

size_t wp_workspace_size(void) { return layout(NULL); }

wp_error wp_workspace_init_of(void *memory, size_t size, wp_variant variant, uint32_t version, wp_workspace **workspace)
{
	if (workspace == NULL)
		return WP_ERROR_NULL_WORKSPACE;
	*workspace = NULL;
	const wp_error error = !wp_knows_version(version)           ? WP_ERROR_VERSION
	                     : memory == NULL                       ? WP_ERROR_NULL_MEMORY
	                     : !wp_is_aligned(memory, WP_ALIGNMENT) ? WP_ERROR_MEMORY_MISALIGNED
	                     : size < wp_workspace_size()           ? WP_ERROR_MEMORY_TOO_SMALL
	                                                            : wp_variant_available(variant);
	if (error != WP_OK)
		return error;
	wp_workspace *made = memory;
	made->version = version;
	made->variant = variant == WP_VARIANT_AUTO ? wp_variant_best() : variant;
	made->kernels = wp_registry_find(made->variant);
	const wp_kernels *const one_lane = wp_registry_find(WP_VARIANT_SCALAR);
	const bool has_choice = variant == WP_VARIANT_AUTO && one_lane != NULL;
	const bool wants_eight = has_choice || made->variant == WP_VARIANT_AVX512;
	const bool has_eight = wants_eight && wp_variant_available(WP_VARIANT_AVX2) == WP_OK;
	const wp_kernels *const eight_lanes = has_eight ? wp_registry_find(WP_VARIANT_AVX2) : NULL;
	made->half = made->variant == WP_VARIANT_AVX512 && has_eight ? eight_lanes : made->kernels;
	made->few = has_choice ? one_lane : made->half;
	made->few_searches = has_choice ? one_lane->searches : NULL;
	made->find_farthest = has_choice && has_eight ? eight_lanes->find_farthest : NULL;
	made->find_checksum = has_choice && has_eight ? eight_lanes->find_checksum : NULL;
	made->kernels_2d = wp2d_registry_find(made->variant);
	made->half_2d = made->half != made->kernels ? wp2d_registry_find(WP_VARIANT_AVX2) : made->kernels_2d;
	made->few_2d = has_choice ? wp2d_registry_find(WP_VARIANT_SCALAR) : made->half_2d;
	wp_make_buckets(&made->buckets, made->chunks);
	layout(made);
	made->magic = WP_WORKSPACE_MAGIC;
	*workspace = made;
	return WP_OK;
}

wp_variant wp_workspace_variant(const wp_workspace *workspace)
{
	return workspace != NULL && wp_workspace_is_made(workspace) ? workspace->variant : WP_VARIANT_AUTO;
}
