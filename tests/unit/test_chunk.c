/* Buckets that share chunks: each job stays where it was put until its bucket runs, no chunk is in two buckets, and few rows
 * leave alone the chunks in whose place other memory is. */
#include <criterion/criterion.h>

#include "batch/chunk.h"
#include "support/variant.h"

static wp_chunk chunks[WP_CHUNK_COUNT];
static wp_buckets buckets;

/* The rows that wait in each bucket, in order. */
static uint32_t waiting[WP_BUCKET_COUNT][WP_JOB_MAX];

static void put(uint32_t bucket, uint32_t row)
{
	waiting[bucket][wp_count_of_bucket(&buckets, bucket)] = row;
	buckets.last[bucket]->row[buckets.place[bucket]++] = row;
}

static void check_rows(uint32_t bucket)
{
	for (uint32_t i = 0; i < wp_count_of_bucket(&buckets, bucket); i++) {
		const wp_chunk *const chunk = wp_chunk_of_bucket(&buckets, bucket, i / WP_CHUNK_JOBS);
		cr_assert_eq(chunk->row[i % WP_CHUNK_JOBS], waiting[bucket][i], "bucket %u, job %u", bucket, i);
	}
}

/* A row goes to a bucket; if one is to run, it does. Returns how many jobs it had. */
static uint32_t add_row(uint32_t bucket, uint32_t row)
{
	put(bucket, row);
	if (buckets.place[bucket] != WP_CHUNK_JOBS)
		return 0;
	const uint32_t full = wp_add_chunk(&buckets, bucket);
	if (full == WP_NO_BUCKET)
		return 0;
	const uint32_t count = wp_count_of_bucket(&buckets, full);
	for (uint32_t i = 0; i < WP_BUCKET_COUNT; i++)
		cr_assert_leq(wp_count_of_bucket(&buckets, i), count, "bucket %u runs, %u is fuller", full, i);
	check_rows(full);
	wp_empty_bucket(&buckets, full);
	return count;
}

static void run_all(void)
{
	for (uint32_t i = 0; i < WP_BUCKET_COUNT; i++) {
		check_rows(i);
		wp_empty_bucket(&buckets, i);
	}
}

/* A bucket of `kinds`, the first ones more often than the others. */
static uint32_t random_bucket(uint64_t *seed, uint32_t kinds)
{
	const uint32_t below = 1 + random_below(seed, kinds);
	return random_below(seed, below);
}

Test(chunk, no_job_is_lost)
{
	for (uint32_t kinds = 1; kinds <= WP_BUCKET_COUNT; kinds++) {
		uint64_t seed = kinds;
		uint32_t runs = 0, jobs = 0;
		wp_make_buckets(&buckets, chunks);
		wp_allow_chunks(&buckets, WP_CHUNK_COUNT);
		for (uint32_t row = 0; row < 20000; row++) {
			const uint32_t count = add_row(random_bucket(&seed, kinds), row);
			runs += count != 0;
			jobs += count;
		}
		run_all();
		/* With chunks for half of all jobs, buckets that run have two thirds of theirs and more. */
		cr_assert_geq(jobs, runs * (WP_JOB_MAX * 2 / 3), "%u kinds: %u jobs in %u runs", kinds, jobs, runs);
		if (kinds <= (WP_CHUNK_COUNT - 1) / (WP_JOB_MAX / WP_CHUNK_JOBS))
			cr_assert_eq(jobs, runs * WP_JOB_MAX, "%u kinds: %u jobs in %u runs", kinds, jobs, runs);
	}
}

/* Also after batches that took them all. */
Test(chunk, few_rows_take_few_chunks)
{
	static const uint32_t few[] = {1, 15, 16, 17, 64, 128, 200, 255, 256};
	wp_make_buckets(&buckets, chunks);
	for (uint64_t seed = 1; seed <= 200; seed++) {
		uint64_t state = seed;
		const uint32_t rows = few[seed % WP_COUNT_OF(few)], kinds = 1 + random_below(&state, WP_BUCKET_COUNT);
		wp_allow_chunks(&buckets, WP_CHUNK_COUNT);
		for (uint32_t row = 0; row < 3000; row++)
			(void)add_row(random_bucket(&state, WP_BUCKET_COUNT), row);
		run_all();
		wp_allow_chunks(&buckets, WP_FEW_CHUNKS);
		for (uint32_t row = 0; row < rows; row++) {
			const uint32_t bucket = random_bucket(&state, kinds);
			const size_t before_end = (size_t)(chunks + WP_CHUNK_COUNT - buckets.last[bucket]);
			cr_assert_leq(before_end, WP_FEW_CHUNKS, "%u rows of %u kinds: %zu from the end", rows, kinds, before_end);
			(void)add_row(bucket, row);
		}
		run_all();
	}
}
