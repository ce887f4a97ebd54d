/* Parity, as a plain program that runs wherever the library does, under an emulator or in Node too:
 * every variant of the build against scalar, bit for bit, on a fixed corpus, for each query. Prints one
 * digest per query, which is the same on every machine, and exits with 1 where bits differ. */
#include "support/gen.h"
#include "widephase/widephase.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS 2600
#define SEED 20240611

typedef struct run {
	const char *name;
	int query;             /* 0 overlap, 1 distance, 2 contact */
	float max_separation;
} run;

static const run runs[] = {
	{"overlap", 0, 0.0f}, {"distance", 1, 0.0f}, {"contact", 2, 1e30f}, {"contact_speculative", 2, 0.02f}};

static void *block(size_t size)
{
	void *memory = aligned_alloc(WP_ALIGNMENT, (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT);
	if (memory == NULL) {
		fputs("out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

static wp_error query(wp_workspace *workspace, const wp_batch *batch, const run *r, wp_row *rows)
{
	const wp_results results = wp_results_of_rows(rows);
	if (r->query == 0)
		return wp_overlap(workspace, batch, &results, NULL);
	if (r->query == 1)
		return wp_distance(workspace, batch, &results, NULL);
	return wp_contact(workspace, batch, r->max_separation, &results, NULL);
}

/* FNV-1a over the bits of all rows, NaN by one pattern: its payload is the only thing that may differ. */
static uint64_t digest(const wp_row *rows, size_t count)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < count; i++) {
		uint32_t words[sizeof(wp_row) / 4];
		memcpy(words, &rows[i], sizeof words);
		for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
			const uint32_t word = (words[k] & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : words[k];
			for (int byte = 0; byte < 4; byte++)
				hash = (hash ^ (word >> 8 * byte & 0xffu)) * 0x100000001b3u;
		}
	}
	return hash;
}

/* One query by every variant. Returns the number of variants that differ. */
static int compare_variants(const wp_batch *batch, const run *r, wp_row *scalar, wp_row *rows)
{
	int failures = 0;
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		void *memory = block(WP_WORKSPACE_SIZE);
		wp_workspace *workspace;
		wp_row *out = v == WP_VARIANT_SCALAR ? scalar : rows;
		memset(out, 0, batch->count * sizeof *out);
		wp_error error = wp_workspace_init(memory, WP_WORKSPACE_SIZE, (wp_variant)v, &workspace);
		if (error == WP_OK)
			error = query(workspace, batch, r, out);
		free(memory);
		if (error != WP_OK) {
			printf("%s %s: %s\n", r->name, wp_variant_name((wp_variant)v), wp_error_text(error));
			failures++;
			continue;
		}
		size_t different = 0;
		for (size_t i = 0; i < batch->count; i++)
			different += digest(&scalar[i], 1) != digest(&out[i], 1);
		if (different != 0) {
			printf("%s %s: %zu of %zu rows differ from scalar\n", r->name, wp_variant_name((wp_variant)v), different,
				batch->count);
			failures++;
		}
	}
	return failures;
}

/* The expected digest of a query in the file, or 0. */
static uint64_t expected(const char *path, const char *name)
{
	char found[64];
	uint64_t value, result = 0;
	FILE *file = fopen(path, "r");
	if (file == NULL) {
		printf("%s: cannot be read\n", path);
		exit(1);
	}
	while (fscanf(file, "%63s %" SCNx64, found, &value) == 2)
		if (strcmp(found, name) == 0)
			result = value;
	fclose(file);
	return result;
}

int main(int argc, char **argv)
{
	const gen_options options = {.seed = SEED, .vertex_max = 40};
	gen_corpus corpus;
	if (!gen_corpus_make(&options, 0, PAIRS, &corpus)) {
		fputs("the corpus cannot be made\n", stderr);
		return 1;
	}
	const size_t table_size = wp_shape_table_size(2 * PAIRS);
	void *table_memory = block(table_size);
	const wp_shape_table *table;
	if (wp_shape_table_build(corpus.shapes, 2 * PAIRS, table_memory, table_size, &table, NULL) != WP_OK)
		return 1;
	uint32_t *pairs = block(2 * PAIRS * sizeof *pairs);
	for (uint32_t i = 0; i < 2 * PAIRS; i++)
		pairs[i] = i;
	const wp_batch batch = {.shapes = table,
		.a = {.position = corpus.poses[0].position, .rotation = corpus.poses[0].rotation,
			.position_stride = sizeof(wp_pose), .rotation_stride = sizeof(wp_pose), .count = 2 * PAIRS},
		.pair_a = pairs, .pair_b = pairs + 1, .pair_stride = 2 * sizeof *pairs, .count = PAIRS};
	wp_row *scalar = block(PAIRS * sizeof *scalar), *rows = block(PAIRS * sizeof *rows);

	int failures = 0;
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		failures += compare_variants(&batch, &runs[i], scalar, rows);
		const uint64_t hash = digest(scalar, PAIRS);
		printf("%s %016" PRIx64 "\n", runs[i].name, hash);
		if (argc > 1 && expected(argv[1], runs[i].name) != hash) {
			printf("%s: the digest is not the one of %s\n", runs[i].name, argv[1]);
			failures++;
		}
	}
	free(rows);
	free(scalar);
	free(pairs);
	free(table_memory);
	gen_corpus_free(&corpus);
	return failures != 0;
}
