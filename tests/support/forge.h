/* A hull, a mesh or a compound whose bytes were changed, with a checksum that is right for them. */
#ifndef WP_TESTS_SUPPORT_FORGE_H
#define WP_TESTS_SUPPORT_FORGE_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>

#include "widephase/shape.h"

/* Word of the header that holds the checksum. */
#define FORGE_CHECKSUM_WORD 2

static inline uint32_t forge_step(uint32_t hash, uint32_t word)
{
	const uint32_t mixed = hash ^ word;
	return (mixed << 13 | mixed >> 19) * 0x9e3779b1u;
}

/* Makes the checksum right whatever the contents are: the hash of all formats, stated once more. */
static inline void forge_bytes(void *bytes, uint32_t size)
{
	uint32_t *const words = bytes;
	uint32_t lanes[16];
	for (uint32_t i = 0; i < 16; i++)
		lanes[i] = (i + 1) * 0x9e3779b1u;
	words[FORGE_CHECKSUM_WORD] = 0;
	for (uint32_t i = 0; i < size / 4; i++) {
		const uint32_t spread = (lanes[i % 16] ^ words[i]) * 257;
		lanes[i % 16] = spread ^ spread >> 9;
	}
	uint32_t hash = size;
	for (uint32_t chain = 0; chain < 4; chain++) {
		uint32_t next = 0;
		for (uint32_t i = chain; i < 16; i += 4)
			next = forge_step(next, lanes[i]);
		hash = forge_step(hash, next);
	}
	words[FORGE_CHECKSUM_WORD] = hash;
}

/* Damage that copying, cutting and broken memory do: each bit changed, each word in the place of each other one. All is refused. */
static inline void forge_damage(void *bytes, size_t size, bool (*is_taken)(const void *bytes, size_t size))
{
	uint32_t *const words = bytes;
	for (size_t bit = 0; bit < 8 * size; bit++) {
		words[bit / 32] ^= 1u << bit % 32;
		cr_assert(!is_taken(bytes, size), "bit %zu", bit);
		words[bit / 32] ^= 1u << bit % 32;
	}
	for (size_t i = 0; i < size / 4; i++) {
		for (size_t j = 0; j < i; j++) {
			const uint32_t first = words[i], second = words[j];
			if (first == second)
				continue;
			words[i] = second;
			words[j] = first;
			cr_assert(!is_taken(bytes, size), "words %zu and %zu", i, j);
			words[i] = first;
			words[j] = second;
		}
	}
	cr_assert(is_taken(bytes, size));
}

static inline void forge_checksum(void *hull) { forge_bytes(hull, (uint32_t)wp_hull_byte_size(hull)); }

#endif
