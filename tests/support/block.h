/* Memory of the plain programs: aligned as the library asks, or the end of the program. */
#ifndef TESTS_SUPPORT_BLOCK_H
#define TESTS_SUPPORT_BLOCK_H

#include "widephase/widephase.h"

#include <stdio.h>
#include <stdlib.h>

#define BLOCK_EXIT_CODE 2

static inline void *block(size_t size)
{
	void *memory = aligned_alloc(WP_ALIGNMENT, (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT);
	if (memory == NULL) {
		fputs("out of memory\n", stderr);
		exit(BLOCK_EXIT_CODE);
	}
	return memory;
}

#endif
