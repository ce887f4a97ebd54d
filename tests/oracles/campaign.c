/* The campaign: random pairs, biased to what hurts, through every query and variant; bits against scalar,
 * scalar against the certificates, the oracle and the reference. A pair that breaks a promise is made as
 * simple as it can be and written as a text capture that `widephase compare` reads; the campaign goes on.
 *
 *   campaign [--pairs N] [--first I] [--seed S] [--seconds T] [--vertices V] [--oracle N] [--reference N]
 *            [--methods N] [--plain] [--half-spaces] [--construction NAME]... [--out FOLDER]
 *
 * N may end in k or M. --first resumes: pair I of the seed's endless sequence is the same on every
 * machine. An interrupt, or SIGTERM, ends it with its summary. Of every N-th turn of the constructions, the pairs that
 * suit the oracle are judged by it, and all by the reference as well. Of every N-th 64 turns all contacts are asked by
 * every method: GJK with EPA must agree with closed forms, and all brackets must meet. --half-spaces is another sequence:
 * one shape of each pair is a half-space, and all pairs are judged by the lowest point of the other. --construction
 * leaves the turns to the constructions named, a sequence of its own too. */
#include "progress.h"
#include "support/block.h"
#include "support/gen.h"
#include "support/number.h"
#include "support/sequence.h"
#include "support/trial.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pairs made, run and judged together: each construction's turn comes 64 times. */
#define CHUNK (64 * GEN_CONSTRUCTION_COUNT)
#define VARIANT_MAX WP_VARIANT_COUNT
#define FAILURES_WRITTEN_MAX 50

typedef struct settings {
	sequence seq;
	uint64_t oracle, reference, methods;
	double seconds;
	uint32_t vertices;
	bool plain; /* no cylinders, cones and ellipsoids */
	const char *out;
	bool half_spaces;
	uint32_t constructions; /* as gen_options has them */
} settings;

/* What was seen of one construction, or of one pair of kinds. */
typedef struct tally {
	uint64_t pairs, judged, failures;
	uint64_t penetrating, strong, capped, wide;
	uint32_t iterations_max;
	double error_max;
} tally;

typedef struct campaign {
	settings set;
	wp_workspace *workspace[VARIANT_MAX];
	tally tallies[GEN_CONSTRUCTION_COUNT];
	tally kinds[WP_SHAPE_KIND_COUNT][WP_SHAPE_KIND_COUNT]; /* [lower][higher] */
	wp_statistics statistics;
	trial_rows *rows[2]; /* [CHUNK]: scalar's, and another variant's */
	wp_cache *caches;    /* [CHUNK] */
	uint64_t done, failures, written;
} campaign;

/* ---- one chunk ---------------------------------------------------------------------------------- */

static void check_call(wp_error error)
{
	if (error == WP_OK)
		return;
	fprintf(stderr, "campaign: %s\n", wp_error_text(error));
	exit(2);
}

/* Whether every method answers the chunk at hand. */
static bool has_methods(const campaign *c)
{
	return c->set.methods != 0 && (c->set.seq.first + c->done) / CHUNK % c->set.methods == 0;
}

static void run_variant(campaign *c, wp_workspace *workspace, const wp_batch *batch, trial_rows *rows)
{
	memset(rows, 0, batch->count * sizeof *rows);
	for (int q = 0; q < TRIAL_QUERIES; q++) {
		wp_statistics *s = q == TRIAL_CONTACT && rows == c->rows[0] ? &c->statistics : NULL;
		check_call(trial_ask(workspace, batch, q, rows, s));
	}
	check_call(trial_ask_warm(workspace, batch, c->caches, rows));
	if (has_methods(c))
		check_call(trial_ask_methods(workspace, batch, rows));
}

static trial trial_of(const gen_corpus *corpus, size_t i)
{
	trial t;
	memset(&t, 0, sizeof t);
	for (size_t side = 0; side < 2; side++) {
		t.shape[side] = corpus->shapes[2 * i + side];
		t.pose[side] = corpus->poses[2 * i + side];
	}
	return t;
}

static void report(campaign *c, trial t, uint64_t index, uint32_t construction, const char *promise, unsigned against)
{
	char path[512], remark[256];
	c->failures++;
	printf("broken: %s, by pair %" PRIu64 " of seed %" PRIu64 " (%s)\n", promise, index, c->set.seq.seed,
		gen_construction_name((gen_construction)construction));
	if (c->written == FAILURES_WRITTEN_MAX)
		return;
	c->written++;
	/* What only shows in a batch cannot be shrunk alone. */
	const char *alone = trial_check(&t, against);
	if (alone != NULL)
		trial_shrink(&t, alone, against);
	snprintf(path, sizeof path, "%s/broken-%" PRIu64 "-%" PRIu64 ".pairs", c->set.out, c->set.seq.seed, index);
	snprintf(remark, sizeof remark, "broken: %s; pair %" PRIu64 " of seed %" PRIu64 ", %s%s", promise, index,
		c->set.seq.seed, gen_construction_name((gen_construction)construction),
		alone != NULL ? "" : "; holds when the pair is alone");
	printf("  %s %s\n", trial_write(&t, NULL, path, remark) ? "written to" : "cannot write", path);
}

static tally *tally_of_kinds(campaign *c, const trial *t)
{
	const uint32_t a = t->shape[0].kind, b = t->shape[1].kind;
	return &c->kinds[a < b ? a : b][a < b ? b : a];
}

static void count_row(tally *seen, const wp_row *row, bool judged, bool broken, double error)
{
	seen->pairs++;
	seen->judged += judged;
	seen->failures += broken;
	seen->penetrating += (row->status & WP_STATUS_PENETRATING) != 0;
	seen->strong += (row->status & WP_STATUS_STRONG) != 0;
	seen->capped += (row->status & (WP_STATUS_ITERATION_CAP | WP_STATUS_CAPACITY)) != 0;
	seen->wide += (row->status & WP_STATUS_WIDE_BRACKET) != 0;
	seen->iterations_max = row->iterations > seen->iterations_max ? row->iterations : seen->iterations_max;
	seen->error_max = !broken && error > seen->error_max ? error : seen->error_max;
}

static void judge_pair(campaign *c, const gen_corpus *corpus, size_t i, bool same_bits)
{
	const uint64_t index = c->set.seq.first + c->done + i;
	const trial t = trial_of(corpus, i);
	const wp_row *contact = &c->rows[0][i].row[TRIAL_CONTACT];
	unsigned against = has_methods(c) ? TRIAL_METHODS : 0;
	if (c->set.oracle != 0 && index / GEN_CONSTRUCTION_COUNT % c->set.oracle == 0 && trial_suits_oracle(&t))
		against |= TRIAL_ORACLE;
	if (c->set.reference != 0 && index / GEN_CONSTRUCTION_COUNT % c->set.reference == 0)
		against |= TRIAL_REFERENCE;
	double error = 0;
	const char *broken = same_bits ? trial_judge(&t, &c->rows[0][i], against, &error)
	                               : "all variants give the same bits";
	const bool judged = (against & (TRIAL_ORACLE | TRIAL_REFERENCE)) != 0;
	count_row(&c->tallies[corpus->constructions[i]], contact, judged, broken != NULL, error);
	count_row(tally_of_kinds(c, &t), contact, judged, broken != NULL, error);
	if (broken != NULL)
		report(c, t, index, corpus->constructions[i], broken, against);
}

static void run_chunk(campaign *c, size_t count)
{
	const gen_options options = {.seed = c->set.seq.seed,
		.vertex_max = c->set.vertices,
		.smooth = c->set.plain ? GEN_SMOOTH_NONE : GEN_SMOOTH_HALF,
		.half_spaces = c->set.half_spaces,
		.constructions = c->set.constructions};
	gen_corpus corpus;
	static bool same[CHUNK];
	static uint32_t pairs[CHUNK][2];
	if (!gen_corpus_make(&options, c->set.seq.first + c->done, count, &corpus)) {
		fputs("campaign: a pair cannot be made\n", stderr);
		exit(2);
	}
	const size_t size = wp_shape_table_size(2 * count);
	void *memory = block(size);
	const wp_shape_table *table;
	if (wp_shape_table_build(corpus.shapes, 2 * count, memory, size, &table, NULL) != WP_OK)
		exit(2);
	for (uint32_t i = 0; i < count; i++) {
		pairs[i][0] = 2 * i;
		pairs[i][1] = 2 * i + 1;
		same[i] = true;
	}
	const wp_batch batch = {.shapes = table,
		.a = {.position = {corpus.poses[0].position, sizeof(wp_pose)},
			.rotation = {corpus.poses[0].rotation, sizeof(wp_pose)},
			.count = 2 * count},
		.pair_a = {&pairs[0][0], sizeof pairs[0]},
		.pair_b = {&pairs[0][1], sizeof pairs[0]},
		.count = count};
	for (uint32_t v = WP_VARIANT_SCALAR; v < VARIANT_MAX; v++) {
		if (c->workspace[v] == NULL)
			continue;
		run_variant(c, c->workspace[v], &batch, c->rows[v != WP_VARIANT_SCALAR]);
		for (size_t i = 0; i < count && v != WP_VARIANT_SCALAR; i++)
			same[i] = same[i] && memcmp(&c->rows[0][i], &c->rows[1][i], sizeof c->rows[0][i]) == 0;
	}
	for (size_t i = 0; i < count; i++)
		judge_pair(c, &corpus, i, same[i]);
	c->done += count;
	block_free(memory);
	gen_corpus_free(&corpus);
}

/* ---- the whole ---------------------------------------------------------------------------------- */

static void print_heading(const char *what)
{
	printf("%-18s %10s %10s %8s %9s %8s %8s %8s %10s %9s\n", what, "pairs", "judged", "broken", "deep", "strong",
		"capped", "wide", "iterations", "error");
}

static void print_tally(const char *name, const tally *t)
{
	if (t->pairs != 0)
		printf("%-18s %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %9" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64
			   " %10u %9.2g\n",
			name, t->pairs, t->judged, t->failures, t->penetrating, t->strong, t->capped, t->wide, t->iterations_max,
			t->error_max);
}

static void print_summary(const campaign *c, double seconds)
{
	print_heading("construction");
	for (int i = 0; i < GEN_CONSTRUCTION_COUNT; i++)
		print_tally(gen_construction_name((gen_construction)i), &c->tallies[i]);
	print_heading("kinds");
	for (int a = 0; a < WP_SHAPE_KIND_COUNT; a++)
		for (int b = a; b < WP_SHAPE_KIND_COUNT; b++) {
			char name[64];
			snprintf(
				name, sizeof name, "%s %s", wp_shape_kind_name((wp_shape_kind)a), wp_shape_kind_name((wp_shape_kind)b));
			print_tally(name, &c->kinds[a][b]);
		}
	printf("most steps of one pair: %" PRIu64 " of GJK, %" PRIu64 " of EPA\n", c->statistics.gjk_iterations_max,
		c->statistics.epa_iterations_max);
	printf("%" PRIu64 " pairs from %" PRIu64 " of seed %" PRIu64 " in %.0f s, %.0f a second: %" PRIu64 " broken\n",
		c->done, c->set.seq.first, c->set.seq.seed, seconds, (double)c->done / seconds, c->failures);
}

static bool option_vertices(const option_row *row, const char *argument, void *to)
{
	double number;
	const bool is_number = option_number(row, argument, &number);
	*(uint32_t *)to = is_number ? (uint32_t)fmin(number, 1e6) : 0;
	return is_number && number >= row->least && number <= row->most;
}

/* Adds to a set of constructions. */
static bool option_construction(const option_row *row, const char *argument, void *to)
{
	(void)row;
	for (uint32_t i = 0; i < GEN_CONSTRUCTION_COUNT; i++) {
		if (strcmp(argument, gen_construction_name((gen_construction)i)) == 0) {
			*(uint32_t *)to |= 1u << i;
			return true;
		}
	}
	return false;
}

static const option_row options[] = {
	{.name = "seconds",
		.argument = "T",
		.help = "stop after this time (default: none)",
		.read = option_number,
		.offset = offsetof(settings, seconds),
		.possible = "a number"},
	{.name = "vertices",
		.argument = "V",
		.help = "vertices of large hulls (default 40)",
		.read = option_vertices,
		.offset = offsetof(settings, vertices),
		.least = 4,
		.most = GEN_VERTEX_MAX},
	{.name = "oracle",
		.argument = "N",
		.help = "judge every N-th small pair by the oracle, 0 = none (default 8)",
		.read = option_whole,
		.offset = offsetof(settings, oracle),
		.possible = "a number"},
	{.name = "reference",
		.argument = "N",
		.help = "judge every N-th pair by the reference, 0 = none (default 8)",
		.read = option_whole,
		.offset = offsetof(settings, reference),
		.possible = "a number"},
	{.name = "methods",
		.argument = "N",
		.help = "ask every N-th 64 turns by every method, 0 = none (default 8)",
		.read = option_whole,
		.offset = offsetof(settings, methods),
		.possible = "a number"},
	{.name = "plain",
		.help = "leave out cylinders, cones and ellipsoids; pairs of boxes take their place",
		.offset = offsetof(settings, plain)},
	OPTION_HALF_SPACES(settings),
	{.name = "construction",
		.argument = "NAME",
		.help = "leave out the constructions that are not named so",
		.read = option_construction,
		.offset = offsetof(settings, constructions),
		.possible = "a construction's name, as the summary prints it"},
	OPTION_OUT(settings),
	{.name = NULL},
};

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

int main(int argc, char **argv)
{
	static campaign c = {.set = {.seq = {.pairs = 100000, .seed = 1},
							 .oracle = 8,
							 .reference = 8,
							 .methods = 8,
							 .vertices = 40,
							 .out = "."}};
	sequence_parse("campaign", "Random pairs through every query and variant; 100k where --pairs is not given.",
		options, &c.set, &c.set.seq, argc, argv);
	for (uint32_t v = WP_VARIANT_SCALAR; v < VARIANT_MAX; v++)
		if (wp_variant_available((wp_variant)v) == WP_OK)
			check_call(wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, (wp_variant)v, &c.workspace[v]));
	for (int i = 0; i < 2; i++)
		c.rows[i] = block(CHUNK * sizeof *c.rows[i]);
	c.caches = block(CHUNK * sizeof *c.caches);
	const double start = clock_now();
	progress bar = progress_start(c.set.seq.pairs);
	signal(SIGINT, interrupt);
	signal(SIGTERM, interrupt);
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	while (!interrupted && c.done < c.set.seq.pairs && !(c.set.seconds > 0 && clock_now() - start > c.set.seconds)) {
		const uint64_t left = c.set.seq.pairs - c.done;
		run_chunk(&c, left < CHUNK ? (size_t)left : CHUNK);
		progress_step(&bar, c.done);
	}
	progress_end(&bar);
	print_summary(&c, clock_now() - start);
	return c.failures != 0;
}
