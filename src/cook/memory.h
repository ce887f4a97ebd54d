/* Memory of what is handed out, aligned to WP_ALIGNMENT, and the order of keys. */
#ifndef WP_COOK_MEMORY_H
#define WP_COOK_MEMORY_H

#include <stdlib.h>

#include "core/base.h"
#include "widephase/base.h"

/* Windows has no aligned_alloc, and another end of such memory. */
static inline void *cook_allocate(size_t size)
{
#ifdef _WIN32
	return _aligned_malloc(size, WP_ALIGNMENT);
#else
	return aligned_alloc(WP_ALIGNMENT, wp_round_up(size, WP_ALIGNMENT));
#endif
}

static inline void cook_release(void *memory)
{
#ifdef _WIN32
	_aligned_free(memory);
#else
	free(memory);
#endif
}

/* For qsort, in ascending order. */
static inline int cook_compare_keys(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

#endif
