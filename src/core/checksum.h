/* The hash of what lies in caller memory and may come from a file: hulls and meshes. It finds damage, not malice. */
#ifndef WP_CORE_CHECKSUM_H
#define WP_CORE_CHECKSUM_H

#include "core/base.h"

#define WP_LINE_WORDS (64 / sizeof(uint32_t))

/* One step is a bijection of the hash for every word, and of the word for every hash: a change within
 * one word always changes the outcome. The rotation carries high bits down, where the product spreads
 * them again. */
WP_INLINE uint32_t wp_hash_step(uint32_t hash, uint32_t word)
{
	const uint32_t mixed = hash ^ word;
	return (mixed << 13 | mixed >> 19) * 0x9e3779b1u;
}

/* Hash of `size` bytes, a multiple of 64, with word `skipped` of the first 64 bytes as zero: where the hash is kept. The
 * words of a line go to independent lanes, so that a compiler can use vectors: hulls are hashed at each one-pair call. */
WP_INLINE uint32_t wp_checksum(const void *bytes, size_t size, size_t skipped)
{
	uint32_t lanes[WP_LINE_WORDS];
	uint32_t line[WP_LINE_WORDS];
	for (size_t i = 0; i < WP_LINE_WORDS; i++)
		lanes[i] = (uint32_t)i;
	for (size_t at = 0; at < size; at += sizeof line) {
		memcpy(line, wp_offset(bytes, at), sizeof line);
		if (at == 0)
			line[skipped] = 0;
		for (size_t i = 0; i < WP_LINE_WORDS; i++)
			lanes[i] = wp_hash_step(lanes[i], line[i]);
	}
	uint32_t hash = (uint32_t)size;
	for (size_t i = 0; i < WP_LINE_WORDS; i++)
		hash = wp_hash_step(hash, lanes[i]);
	return hash;
}

#endif
