/* What the programs share that compare pairs alone with the same pairs in any company. */
#ifndef TESTS_KERNELS_COMPANY_H
#define TESTS_KERNELS_COMPANY_H

#include "support/block.h"
#include "support/digest.h"
#include "support/gen_random.h"
#include "support/sequence.h"
#include "widephase/widephase.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Workspaces: the first one's variant is the library's choice, the others have all that there are, the second scalar. */
static wp_workspace *company_workspaces[1 + WP_VARIANT_COUNT];
static const char *company_names[1 + WP_VARIANT_COUNT];
static int company_count;

static inline void company_begin(void)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 + WP_VARIANT_COUNT][WP_WORKSPACE_SIZE];
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *workspace;
		if (wp_workspace_init(memory[company_count], WP_WORKSPACE_SIZE, (wp_variant)v, &workspace) != WP_OK)
			continue;
		company_names[company_count] = v == WP_VARIANT_AUTO ? "auto" : wp_variant_name((wp_variant)v);
		company_workspaces[company_count++] = workspace;
	}
}

static inline bool chance(gen_random *random, uint32_t of) { return gen_below(random, of) == 0; }

/* All numbers below a count, in any order. */
static inline void company_shuffle(gen_random *random, uint32_t *numbers, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t j = gen_below(random, i + 1);
		numbers[i] = numbers[j];
		numbers[j] = i;
	}
}

/* The first byte of a word, as the word. */
static inline void company_widen(uint32_t *word)
{
	uint8_t byte;
	memcpy(&byte, word, sizeof byte);
	*word = byte;
}

/* What is compared. */
typedef struct company_place {
	uint64_t first; /* pair, for --first */
	const char *query;
	int frame;
	const char *way;
} company_place;

static unsigned long company_found; /* differences */

/* The first word that differs, or -1; a NaN is a NaN. */
static inline long company_differing(const void *a, const void *b, size_t size)
{
	for (size_t at = 0; at < size; at += 4) {
		uint32_t x, y;
		memcpy(&x, (const char *)a + at, sizeof x);
		memcpy(&y, (const char *)b + at, sizeof y);
		if (x != y && ((x & 0x7fffffffu) <= 0x7f800000u || (y & 0x7fffffffu) <= 0x7f800000u))
			return (long)(at / 4);
	}
	return -1;
}

static inline void company_compare(
	const company_place *p, uint32_t pair, const char *what, const void *alone, const void *beside, size_t size)
{
	enum { PRINTED_MAX = 40 };
	const long word = company_differing(alone, beside, size);
	if (word < 0)
		return;
	uint32_t x, y;
	memcpy(&x, (const char *)alone + 4 * word, sizeof x);
	memcpy(&y, (const char *)beside + 4 * word, sizeof y);
	if (company_found++ < PRINTED_MAX)
		printf("pairs from %" PRIu64 ", %s, frame %d, %s, pair %u: word %ld of its %s is %08x alone, %08x here\n",
			p->first, p->query, p->frame, p->way, pair, word, what, x, y);
}

/* Of all answers alone: the same by any compiler and on any machine. */
static uint64_t company_digest = DIGEST_START;

static inline void company_add(const void *from, size_t size)
{
	company_digest = digest_words(company_digest, from, size);
}

/* Rows by what they found, for each query: what the pairs are like. */
enum { COMPANY_QUERIES_MAX = 16 };
static unsigned long company_rows[COMPANY_QUERIES_MAX][3]; /* invalid, apart, touching */

static inline void company_count_row(int query, uint32_t status)
{
	company_rows[query][status & WP_STATUS_INVALID ? 0 : status & WP_STATUS_SEPARATED ? 1 : 2]++;
}

static void company_report(const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		printf("%-14s %8lu apart %8lu touching %6lu invalid\n", names[i], company_rows[i][1], company_rows[i][2],
			company_rows[i][0]);
}

/* A program: batches of `each` pairs of a sequence, by a function that says whether all calls went well. */
typedef struct company_program {
	const char *name, *about;
	const char *const *queries; /* [query_count] */
	int query_count;
	uint64_t each;
	bool (*try_batch)(uint64_t seed, uint64_t batch);
} company_program;

/* Its exit status: 0 where no bits differ, nor the digest from an expected one. */
static int company_run(const company_program *program, int argc, char **argv)
{
	static struct {
		const char *digest;
	} expected;
	static const option_row options[] = {
		{.name = "expect", .argument = "DIGEST", .help = "what the digest must be", .read = option_text, .offset = 0},
		{.name = NULL},
	};
	sequence pairs = {.pairs = 50 * program->each, .first = 0, .seed = 1};
	sequence_parse(program->name, program->about, options, &expected, &pairs, argc, argv);
	company_begin();
	const uint64_t each = program->each, first = pairs.first / each,
				   end = (pairs.first + pairs.pairs + each - 1) / each;
	for (uint64_t batch = first; batch < end; batch++)
		if (!program->try_batch(pairs.seed, batch)) {
			printf("pairs from %" PRIu64 ": a call failed\n", batch * each);
			return EXIT_FAILURE;
		}
	char digest[17];
	snprintf(digest, sizeof digest, "%016" PRIx64, company_digest);
	const bool is_expected = expected.digest == NULL || strcmp(expected.digest, digest) == 0;
	company_report(program->queries, program->query_count);
	printf("%" PRIu64 " pairs in %d ways: %lu differences, digest %s%s\n", (end - first) * each, company_count,
		company_found, digest, is_expected ? "" : " differs");
	return company_found == 0 && is_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
