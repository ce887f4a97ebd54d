/* Digests of answers: the same by every compiler and on every little-endian machine, as the answers are. */
#ifndef TESTS_SUPPORT_DIGEST_H
#define TESTS_SUPPORT_DIGEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Of nothing. */
#define DIGEST_START 0xcbf29ce484222325u

/* FNV-1a by words of 32 bits, whose upper bits reach the lower ones of the digest too. */
static inline uint64_t digest_word(uint64_t digest, uint32_t word)
{
	digest = (digest ^ word) * 0x100000001b3u;
	return digest ^ digest >> 29;
}

/* `size` bytes, a multiple of four. NaN has one pattern: its payload is the only thing that may differ. */
static inline uint64_t digest_words(uint64_t digest, const void *from, size_t size)
{
	for (size_t at = 0; at < size; at += sizeof(uint32_t)) {
		uint32_t word;
		memcpy(&word, (const char *)from + at, sizeof word);
		digest = digest_word(digest, (word & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : word);
	}
	return digest;
}

#endif
