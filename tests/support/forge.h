/* A hull or a mesh whose bytes were changed, with a checksum that is right for them. */
#ifndef WP_TESTS_SUPPORT_FORGE_H
#define WP_TESTS_SUPPORT_FORGE_H

#include <stdint.h>

#include "widephase/shape.h"

/* Word of the header that holds the checksum. */
#define FORGE_CHECKSUM_WORD 2

/* Makes the checksum right whatever the contents are: the hash of both formats, stated once more. */
static inline void forge_bytes(void *bytes, uint32_t size)
{
	uint32_t *const words = bytes;
	uint32_t lanes[16];
	for (uint32_t i = 0; i < 16; i++)
		lanes[i] = i;
	words[FORGE_CHECKSUM_WORD] = 0;
	for (uint32_t i = 0; i < size / 4; i++) {
		const uint32_t mixed = lanes[i % 16] ^ words[i];
		lanes[i % 16] = (mixed << 13 | mixed >> 19) * 0x9e3779b1u;
	}
	uint32_t hash = size;
	for (uint32_t i = 0; i < 16; i++) {
		const uint32_t mixed = hash ^ lanes[i];
		hash = (mixed << 13 | mixed >> 19) * 0x9e3779b1u;
	}
	words[FORGE_CHECKSUM_WORD] = hash;
}

static inline void forge_checksum(void *hull) { forge_bytes(hull, (uint32_t)wp_hull_byte_size(hull)); }

#endif
