#include "batch/chunk.h"

_Static_assert(WP_SHARED_CHUNKS <= 64, "a set of free chunks is a word");
_Static_assert(WP_CHUNK_COUNT <= UINT8_MAX, "numbers of chunks are bytes");
_Static_assert(WP_SHARED_CHUNKS >= WP_JOB_MAX / WP_CHUNK_JOBS, "a bucket can be full, and one chunk is left");

void wp_make_buckets(wp_buckets *buckets, wp_chunk chunks[WP_CHUNK_COUNT])
{
	buckets->chunks = chunks;
	buckets->free = UINT64_MAX >> (64 - WP_SHARED_CHUNKS);
	for (uint32_t i = 0; i < WP_BUCKET_COUNT; i++) {
		buckets->count[i] = 0;
		buckets->chunk[i][0] = (uint8_t)i;
		buckets->last[i] = wp_chunk_at(buckets, i);
	}
}

static uint32_t fullest(const wp_buckets *buckets)
{
	uint32_t best = 0;
	for (uint32_t i = 1; i < WP_BUCKET_COUNT; i++)
		best = buckets->count[i] > buckets->count[best] ? i : best;
	return best;
}

/* There is a free chunk: the bucket that took the last one has run since. The lowest is taken, so that few rows need none but
 * the first chunks, see WP_CHUNKS_OF_ROWS. */
uint32_t wp_add_chunk(wp_buckets *buckets, uint32_t index)
{
	const uint32_t count = buckets->count[index];
	if (count == WP_JOB_MAX)
		return index;
	WP_ASSERT(buckets->free != 0);
	const uint32_t chunk = WP_BUCKET_COUNT + wp_lowest_bit_64(buckets->free);
	buckets->free &= buckets->free - 1;
	buckets->chunk[index][count / WP_CHUNK_JOBS] = (uint8_t)chunk;
	buckets->last[index] = wp_chunk_at(buckets, chunk);
	return buckets->free != 0 ? WP_NO_BUCKET : fullest(buckets);
}

void wp_empty_bucket(wp_buckets *buckets, uint32_t index)
{
	const uint32_t count = buckets->count[index];
	const uint32_t chunks = count < WP_JOB_MAX ? count / WP_CHUNK_JOBS + 1 : WP_JOB_MAX / WP_CHUNK_JOBS;
	for (uint32_t i = 1; i < chunks; i++)
		buckets->free |= UINT64_C(1) << (buckets->chunk[index][i] - WP_BUCKET_COUNT);
	buckets->count[index] = 0;
	buckets->last[index] = wp_chunk_at(buckets, index);
}
