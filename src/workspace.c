#include "workspace.h"
#include "registry.h"

/* The workspace struct, then the strong path's scratch: measured and placed by one function. */
static size_t layout(unsigned char *base, wp_strong_memory **strong)
{
	const size_t strong_at = wp_round_up(sizeof(wp_workspace), WP_ALIGNMENT);
	if (base != NULL)
		*strong = (wp_strong_memory *)(void *)(base + strong_at);
	return wp_round_up(strong_at + wp_strong_memory_size(), WP_ALIGNMENT);
}

size_t wp_workspace_size(void) { return layout(NULL, NULL); }

wp_error wp_workspace_init(void *memory, size_t size, wp_variant variant, wp_workspace **workspace)
{
	if (workspace == NULL)
		return WP_ERROR_NULL_ARGUMENT;
	*workspace = NULL;
	if (memory == NULL)
		return WP_ERROR_NULL_ARGUMENT;
	if (!wp_is_aligned(memory, WP_ALIGNMENT))
		return WP_ERROR_MEMORY_MISALIGNED;
	if (size < wp_workspace_size())
		return WP_ERROR_MEMORY_TOO_SMALL;
	const wp_error error = wp_variant_available(variant);
	if (error != WP_OK)
		return error;
	wp_workspace *made = memory;
	made->variant = variant == WP_VARIANT_AUTO ? wp_variant_best() : variant;
	made->kernels = wp_registry_find(made->variant);
	for (uint32_t i = 0; i < WP_BUCKET_COUNT; i++)
		made->buckets[i].count = 0;
	layout(memory, &made->strong);
	made->magic = WP_WORKSPACE_MAGIC;
	*workspace = made;
	return WP_OK;
}

wp_variant wp_workspace_variant(const wp_workspace *workspace)
{
	return workspace != NULL && workspace->magic == WP_WORKSPACE_MAGIC ? workspace->variant : WP_VARIANT_AUTO;
}
