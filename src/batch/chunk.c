#include "batch/chunk.h"

_Static_assert(WP_CHUNK_COUNT <= 64, "a set of free chunks is a word");
_Static_assert(WP_FEW_CHUNKS > WP_JOB_MAX / WP_CHUNK_JOBS + 1, "a bucket can be full, and one chunk is left");

#define FIRST 0u

static void set_empty(wp_buckets *buckets, uint32_t index)
{
	buckets->place[index] = WP_CHUNK_JOBS - 1;
	buckets->before[index] = 1 - WP_CHUNK_JOBS;
	buckets->last[index] = wp_chunk_at(buckets, FIRST);
}

void wp_make_buckets(wp_buckets *buckets, wp_chunk chunks[WP_CHUNK_COUNT])
{
	buckets->chunks = chunks;
	for (uint32_t i = 0; i < WP_BUCKET_COUNT; i++)
		set_empty(buckets, i);
	wp_allow_chunks(buckets, WP_FEW_CHUNKS);
}

void wp_allow_chunks(wp_buckets *buckets, uint32_t count)
{
	buckets->free = UINT64_MAX >> (64 - count) & ~(UINT64_C(1) << FIRST);
}

static uint32_t fullest(const wp_buckets *buckets)
{
	uint32_t best = 0;
	for (uint32_t i = 1; i < WP_BUCKET_COUNT; i++)
		best = wp_count_of_bucket(buckets, i) > wp_count_of_bucket(buckets, best) ? i : best;
	return best;
}

static void move_job(wp_chunk *to, uint32_t at, const wp_chunk *from, uint32_t place)
{
	const size_t floats = (size_t)4 * WP_INPUT_COUNT;
	memcpy(to->input + floats * at, from->input + floats * place, floats * sizeof *to->input);
	to->core_a[at] = from->core_a[place];
	to->core_b[at] = from->core_b[place];
	to->row[at] = from->row[place];
}

/* There is a free chunk: the bucket that took the last one has run since. The lowest is taken, so that few rows stay in the same
 * memory. */
uint32_t wp_add_chunk(wp_buckets *buckets, uint32_t index)
{
	const uint32_t count = wp_count_of_bucket(buckets, index), first = count == 1 ? 1 : 0;
	if (count == WP_JOB_MAX)
		return index;
	WP_ASSERT(buckets->free != 0);
	const uint32_t number = wp_lowest_bit_64(buckets->free);
	wp_chunk *const chunk = wp_chunk_at(buckets, number);
	buckets->free &= buckets->free - 1;
	buckets->chunk[index][count / WP_CHUNK_JOBS] = (uint8_t)number;
	if (first != 0)
		move_job(chunk, 0, buckets->last[index], WP_CHUNK_JOBS - 1);
	buckets->before[index] = (int32_t)(count - first);
	buckets->place[index] = first;
	buckets->last[index] = chunk;
	return buckets->free != 0 ? WP_NO_BUCKET : fullest(buckets);
}

void wp_empty_bucket(wp_buckets *buckets, uint32_t index)
{
	const uint32_t count = wp_count_of_bucket(buckets, index);
	const uint32_t chunks = count < WP_JOB_MAX ? count / WP_CHUNK_JOBS + 1 : WP_JOB_MAX / WP_CHUNK_JOBS;
	for (uint32_t i = 0; i < chunks && count != 0; i++)
		buckets->free |= UINT64_C(1) << buckets->chunk[index][i];
	set_empty(buckets, index);
}
