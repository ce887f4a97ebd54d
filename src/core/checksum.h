/* The hash of what lies in caller memory and may come from a file: hulls, meshes and compounds. It finds damage, not malice. */
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

/* Such a step of four hashes, out of what every vector unit has: the sum, a product with 257, carries low bits up, the shift
 * high bits down. With these two numbers of bits no difference comes back as it was within 20000 steps, carries aside. */
WP_INLINE wp_words wp_hash_words(wp_words hash, wp_words words)
{
	const wp_words mixed = wp_words_xor(hash, words);
	const wp_words spread = wp_words_add(mixed, wp_words_up(mixed, 8));
	return wp_words_xor(spread, wp_words_down(spread, 9));
}

/* Where the hash of each word of a line begins. */
WP_INLINE void wp_hash_begin(uint32_t of_word[WP_LINE_WORDS])
{
	for (size_t i = 0; i < WP_LINE_WORDS; i++)
		of_word[i] = (uint32_t)(i + 1) * 0x9e3779b1u;
}

/* In the end chains of the other step take in the hashes of all words, each those of every fourth word, so that equal differences
 * of two of them do not cancel each other; and then one takes in the chains. */
WP_INLINE uint32_t wp_hash_end(const uint32_t of_chain[4], size_t size)
{
	uint32_t of_all = (uint32_t)size;
	for (size_t chain = 0; chain < 4; chain++)
		of_all = wp_hash_step(of_all, of_chain[chain]);
	return of_all;
}

/* Hash of `size` bytes, a multiple of 64, aligned to 64, with word `skipped` of the first 64 bytes as zero: where the hash is
 * kept. Vectors of eight have a way of their own. */
typedef uint32_t wp_find_checksum(const void *bytes, size_t size, size_t skipped);

/* Each word of a line has a hash of its own, four in a register: hulls are hashed at each one-pair call. */
WP_NOINLINE uint32_t wp_checksum(const void *bytes, size_t size, size_t skipped)
{
	_Alignas(16) uint32_t of_word[WP_LINE_WORDS];
	uint32_t of_chain[4];
	wp_words hash[WP_LINE_WORDS / 4];
	wp_hash_begin(of_word);
	/* The word that is to count as zero is taken in twice: by its vector, for which a single word stored would have to wait. */
	static const _Alignas(16) uint32_t only[4][4] = {{~0u, 0, 0, 0}, {0, ~0u, 0, 0}, {0, 0, ~0u, 0}, {0, 0, 0, ~0u}};
	const wp_words at = wp_words_load(only[skipped % 4]);
	for (size_t i = 0; i < WP_LINE_WORDS / 4; i++) {
		hash[i] = wp_words_load(of_word + 4 * i);
		if (i == skipped / 4)
			hash[i] = wp_words_xor(hash[i], wp_words_and(wp_words_load((const uint32_t *)bytes + 4 * i), at));
	}
	const uint32_t *const end = wp_offset(bytes, size);
	for (const uint32_t *line = bytes; line < end; line += WP_LINE_WORDS) {
		for (size_t i = 0; i < WP_LINE_WORDS / 4; i++)
			hash[i] = wp_hash_words(hash[i], wp_words_load(line + 4 * i));
	}
	for (size_t i = 0; i < WP_LINE_WORDS / 4; i++)
		wp_words_store(of_word + 4 * i, hash[i]);
	for (size_t chain = 0; chain < 4; chain++) {
		of_chain[chain] = 0;
		for (size_t i = chain; i < WP_LINE_WORDS; i += 4)
			of_chain[chain] = wp_hash_step(of_chain[chain], of_word[i]);
	}
	return wp_hash_end(of_chain, size);
}

#endif
