/* The checksum of hulls for calls of one pair, by vectors of eight: a line of words is two of them. */
#ifndef WP_WIDE_LANE_CHECKSUM_H
#define WP_WIDE_LANE_CHECKSUM_H

#include "core/checksum.h"
#include "wide/lane/vec.h"

#if WP_WIDTH == 8

/* As wp_hash_words. */
WP_INLINE vi wp_hash_eight(vi hash, vi words)
{
	const vi mixed = vi_xor(hash, words);
	const vi spread = vi_add(mixed, vi_shift_left(mixed, 8));
	return vi_xor(spread, vi_shift_right(spread, 9));
}

/* As wp_hash_step. */
WP_INLINE vi wp_hash_chain(vi hash, vi words)
{
	const vi mixed = vi_xor(hash, words);
	return vi_mul(vi_or(vi_shift_left(mixed, 13), vi_shift_right(mixed, 19)), vi_set((int32_t)0x9e3779b1u));
}

/* As wp_checksum, where the skipped word is in the first half of a line. */
static uint32_t wp_checksum_of_eight(const void *bytes, size_t size, size_t skipped)
{
	WP_VECTOR_ALIGN uint32_t of_word[WP_LINE_WORDS];
	WP_VECTOR_ALIGN int32_t of_chain[WP_WIDTH];
	wp_hash_begin(of_word);
	const int32_t *const first = bytes, *const end = wp_offset(bytes, size);
	const vi is_skipped = vi_from_bits(vi_eq(vi_lanes(), vi_set((int32_t)skipped)));
	/* The skipped word counts as zero once it is taken in twice. */
	vi low = vi_xor(vi_load((const int32_t *)of_word), vi_and(vi_load(first), is_skipped));
	vi high = vi_load((const int32_t *)of_word + WP_WIDTH);
	for (const int32_t *line = first; line < end; line += WP_LINE_WORDS) {
		low = wp_hash_eight(low, vi_load(line));
		high = wp_hash_eight(high, vi_load(line + WP_WIDTH));
	}
	/* Four chains of every fourth word. */
	vi chain = wp_hash_chain(wp_hash_chain(vi_zero(), low), vi_upper(low));
	chain = wp_hash_chain(wp_hash_chain(chain, high), vi_upper(high));
	vi_store(of_chain, chain);
	return wp_hash_end((const uint32_t *)of_chain, size);
}

#define WP_CHECKSUM_OF_EIGHT wp_checksum_of_eight

#else
#define WP_CHECKSUM_OF_EIGHT NULL
#endif

#endif
