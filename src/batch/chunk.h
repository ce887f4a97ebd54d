/* Where jobs wait: chunks that buckets share. */
#ifndef WP_BATCH_CHUNK_H
#define WP_BATCH_CHUNK_H

#include "batch/workspace.h"

/* Empty buckets, whose chunks are these; the few may be taken. */
void wp_make_buckets(wp_buckets *buckets, wp_chunk chunks[WP_CHUNK_COUNT]);

/* How many chunks are used, the first ones; all buckets are empty. */
void wp_allow_chunks(wp_buckets *buckets, uint32_t count);

/* The last chunk of a bucket is full: give it another one. Returns the bucket that is to run, or WP_NO_BUCKET: this one if it
 * has WP_JOB_MAX jobs, the fullest one if no free chunk is left. */
uint32_t wp_add_chunk(wp_buckets *buckets, uint32_t index);

/* Give back the chunks of a bucket. */
void wp_empty_bucket(wp_buckets *buckets, uint32_t index);

/* Chunk number 0, 1, ... */
WP_INLINE wp_chunk *wp_chunk_at(const wp_buckets *buckets, uint32_t number)
{
	return &buckets
	            ->chunks[WP_CHUNK_COUNT - WP_CHUNK_GROUP - (number & ~(WP_CHUNK_GROUP - 1u)) + number % WP_CHUNK_GROUP];
}

/* Where the inputs of job number `job` of wp_running go that comes by no bucket, while all of them are empty: into the first
 * chunks. */
WP_INLINE float *wp_input_of_running(const wp_buckets *buckets, uint32_t job)
{
	wp_chunk *const chunk = wp_chunk_at(buckets, job / WP_CHUNK_JOBS);
	return chunk->input + (size_t)4 * WP_INPUT_COUNT * (job % WP_CHUNK_JOBS);
}

/* Jobs that wait in a bucket. */
WP_INLINE uint32_t wp_count_of_bucket(const wp_buckets *buckets, uint32_t index)
{
	return (uint32_t)buckets->before[index] + buckets->place[index];
}

/* Chunk number `at` of a bucket. */
WP_INLINE const wp_chunk *wp_chunk_of_bucket(const wp_buckets *buckets, uint32_t index, uint32_t at)
{
	return wp_chunk_at(buckets, buckets->chunk[index][at]);
}

#endif
