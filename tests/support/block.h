/* Memory of the plain programs: aligned as the library requires, or the end of the program. */
#ifndef TESTS_SUPPORT_BLOCK_H
#define TESTS_SUPPORT_BLOCK_H

#include "widephase/widephase.h"

#include <stdio.h>
#include <stdlib.h>

#define BLOCK_EXIT_CODE 2

/* NULL if there is not enough memory. Release it by block_free, which is free except on Windows. */
static inline void *block_or_null(size_t size)
{
#ifdef _WIN32
	return _aligned_malloc(size, WP_ALIGNMENT);
#else
	return aligned_alloc(WP_ALIGNMENT, (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT);
#endif
}

static inline void block_free(void *memory)
{
#ifdef _WIN32
	_aligned_free(memory);
#else
	free(memory);
#endif
}

static inline void *block(size_t size)
{
	void *memory = block_or_null(size);
	if (memory == NULL) {
		fputs("out of memory\n", stderr);
		exit(BLOCK_EXIT_CODE);
	}
	return memory;
}

#endif
