/* widephase time: nanoseconds per pair, single thread, warm. Variants are sampled in turn, by the processor time of the
 * thread, so that other work on the machine affects all of them equally; the least sample of each is what it can do. */
#include "commands.h"
#include "mesh_rows.h"
#include "progress.h"
#include "runner.h"
#include "samples.h"
#include "work_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One sample is as many passes over the file as last this long: far above the clock's resolution. */
#define SAMPLE_SECONDS 2e-3
/* Rounds end once no variant has found a sample better by this share for so many rounds, and all are steady. */
#define BETTER_SHARE 0.01
#define SETTLED_ROUNDS 16
#define BUDGET_SECONDS 8.0
#define TOO_BUSY "too busy to tell"

/* What engines request of contacts, and the charts show: shapes further apart need no points. */
#define SEPARATION_DEFAULT 0.02f

#define VARIANT_MAX (WP_VARIANT_COUNT + 1)

typedef struct timed_variant {
	runner run;
	unsigned passes; /* of a sample */
	samples taken;   /* ns per pair */
	double best;
	size_t best_at; /* the round of the last sample that was clearly better */
	samples_summary summary;
} timed_variant;

typedef struct timing {
	const char *pairs_path;
	request wanted; /* max_separation is NaN until it is known */
	unsigned variant;
	bool all;
	work_clock clock;
	capture_file capture;
	capture_scene scene;
	capture_pair *pairs; /* [count] */
	size_t count;
	wp_row *rows;
	uint32_t *counts;          /* of manifolds */
	wp_manifold_point *points; /* [count][wanted.point_max] of them */
	uint32_t *patch_counts;    /* where the file has meshes, as are patches; else NULL */
	wp_mesh_patch *patches;    /* [count][RUNNER_PATCH_MAX] */
} timing;

/* A variant, or all. */
static bool option_timed_variant(const option_row *row, const char *argument, void *to)
{
	timing *const job = to;
	job->all = strcmp(argument, "all") == 0;
	return job->all || option_variant(row, argument, &job->variant);
}

static const option_row options[] = {
	{.name = "query",
		.letter = 'q',
		.argument = "Q",
		.help = "overlap, distance, manifold or contact (the default)",
		.read = option_query,
		.offset = offsetof(timing, wanted.which),
		.possible = "overlap, distance, manifold or contact"},
	{.name = "variant",
		.letter = 'v',
		.argument = "V",
		.help = VARIANT_NAMES ", reference, or all that run here (the default)",
		.read = option_timed_variant,
		.possible = VARIANT_NAMES ", reference or all"},
	OPTION_MAX_SEPARATION(timing, "0.02"),
	OPTION_POINTS(timing),
	OPTION_TWO_SIDED(timing),
	OPTION_GHOSTS(timing),
	OPTION_SOUP(timing),
	{.name = NULL},
};

static bool has_separation(query which) { return which == QUERY_CONTACT || which == QUERY_MANIFOLD; }

static void parse_arguments(timing *job, int argc, char **argv)
{
	const command_line line = {.name = "widephase time",
		.arguments = "FILE.pairs",
		.about = "Time one query over all pairs of FILE.pairs: single thread, warm, by processor time. Variants are "
				 "sampled in turn until their least times settle. Prints CSV: noise is how far the median lies above "
				 "the minimum, drift how far the minima of the first and second half of the samples differ, "
				 "times_scalar the ratio to scalar.",
		.least = 1,
		.most = 1,
		.too_few = "which pair file?",
		.too_many = "one pair file at a time",
		.tables = {{options, job}}};
	job->pairs_path = argv[command_line_parse(&line, argc, argv)];
	if (query_moves(job->wanted.which))
		command_line_refuse(&line, "--query %s is not timed", query_name(job->wanted.which));
	request_finish(&job->wanted, job->all ? (unsigned)WP_VARIANT_AUTO : job->variant, &line);
	if (isnan(job->wanted.max_separation))
		job->wanted.max_separation = has_separation(job->wanted.which) ? SEPARATION_DEFAULT : INFINITY;
}

/* Seconds of `passes` passes over all pairs; negative on an error, which is then reported. */
static double measure(timing *job, runner *run, unsigned passes)
{
	const answers to = {.rows = job->rows,
		.counts = job->counts,
		.points = job->points,
		.patches = job->patches,
		.patch_counts = job->patch_counts};
	const double start = job->clock.now();
	for (unsigned pass = 0; pass < passes; pass++) {
		wp_error error = runner_answer(run, &job->wanted, &job->scene, job->pairs, NULL, job->count, &to);
		if (error != WP_OK) {
			report_error("%s: %s", variant_name(run->variant), wp_error_text(error));
			return -1.0;
		}
	}
	return job->clock.now() - start;
}

static bool start_samples(timing *job, timed_variant *of)
{
	/* The first pass touches the memory of the answers, the second measures the time of a pass. */
	const double first = measure(job, &of->run, 1), once = first < 0.0 ? first : measure(job, &of->run, 1);
	const double passes = once > 0.0 ? ceil(SAMPLE_SECONDS / once) : 1.0;
	of->passes = (unsigned)fmin(fmax(passes, 1.0), 1e6);
	of->best = INFINITY;
	return once >= 0.0;
}

/* A pass before the sample warms caches and branch predictors, so that it matters little what ran before. */
static bool take_sample(timing *job, timed_variant *of)
{
	if (measure(job, &of->run, 1) < 0.0)
		return false;
	const double seconds = measure(job, &of->run, of->passes);
	const double ns = seconds * 1e9 / ((double)of->passes * (double)job->count);
	if (ns < (1.0 - BETTER_SHARE) * of->best)
		of->best_at = of->taken.count;
	of->best = fmin(of->best, ns);
	samples_add(&of->taken, ns);
	return seconds >= 0.0;
}

/* Whether more rounds are unlikely to change the least times. */
static bool has_settled(timed_variant *all, size_t count)
{
	bool settled = true;
	for (size_t i = 0; i < count; i++) {
		all[i].summary = samples_summarize(&all[i].taken);
		settled = settled && all[i].taken.count > all[i].best_at + SETTLED_ROUNDS && all[i].summary.is_steady;
	}
	return settled;
}

/* Whose turn it is. Every other round runs backwards, so that none always follows the same one. The last one stays the
 * last, so that none follows itself: it would find its branches predicted. */
static size_t variant_at(size_t round, size_t turn, size_t count)
{
	return round % 2 && turn + 1 < count ? count - 2 - turn : turn;
}

/* Rounds of one sample of each variant. False on an error, which is then reported. */
static bool take_rounds(timing *job, timed_variant *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!start_samples(job, &all[i]))
			return false;
	const double end = clock_now() + BUDGET_SECONDS;
	bool done = false;
	for (size_t round = 0; round < SAMPLES_MAX && !done; round++) {
		for (size_t turn = 0; turn < count; turn++)
			if (!take_sample(job, &all[variant_at(round, turn, count)]))
				return false;
		done = has_settled(all, count) || clock_now() >= end;
	}
	return true;
}

/* How many times as fast as scalar; nothing if scalar is not among them. */
static void print_ratio(const timed_variant *of, const timed_variant *scalar)
{
	if (!scalar)
		return;
	if (of->summary.is_steady && scalar->summary.is_steady)
		printf("%.3f", scalar->summary.least / of->summary.least);
	else
		fputs(TOO_BUSY, stdout);
}

/* One line for each variant, and a remark if some ratios mean little. */
static void print_all(const timing *job, const timed_variant *all, size_t count)
{
	const timed_variant *const scalar = all[0].run.variant == WP_VARIANT_SCALAR ? &all[0] : NULL;
	double noise_max = 0.0, drift_max = 0.0;
	bool is_steady = true;
	puts("variant,query,pairs,min_ns_per_pair,median_ns_per_pair,mpairs_per_s,noise,drift,times_scalar,clock");
	for (size_t i = 0; i < count; i++) {
		const samples_summary *const of = &all[i].summary;
		printf("%s,%s,%zu,%.2f,%.2f,%.3f,%.3f,%.3f,", variant_name(all[i].run.variant), query_name(job->wanted.which),
			job->count, of->least, of->median, 1e3 / of->least, of->noise, of->drift);
		print_ratio(&all[i], scalar);
		printf(",%s\n", job->clock.name);
		noise_max = fmax(noise_max, of->noise);
		drift_max = fmax(drift_max, of->drift);
		is_steady = is_steady && of->is_steady;
	}
	fflush(stdout);
	if (!is_steady)
		fprintf(stderr,
			"widephase: the machine is " TOO_BUSY
			" ratios: half of the samples took up to %.0f %% longer than the least, and "
			"the least of both halves differ by up to %.0f %%\n",
			100.0 * noise_max, 100.0 * drift_max);
}

static int time_variants(timing *job, const unsigned *variants, size_t count)
{
	static timed_variant all[VARIANT_MAX];
	wp_error error = WP_OK;
	size_t ready = 0;
	for (; ready < count && error == WP_OK; ready++)
		error = runner_init(&all[ready].run, variants[ready]);
	bool fine = error == WP_OK;
	if (!fine)
		report_error("%s: %s", variant_name(variants[ready - 1]), wp_error_text(error));
	job->clock = work_clock_choose();
	fine = fine && take_rounds(job, all, count);
	if (fine)
		print_all(job, all, count);
	for (size_t i = 0; i < ready; i++)
		runner_free(&all[i].run);
	return fine ? 0 : EXIT_ERROR;
}

static bool load_pairs(timing *job)
{
	job->pairs = allocate(job->capture.pair_count, sizeof *job->pairs);
	job->rows = allocate(job->capture.pair_count, sizeof *job->rows);
	if (job->wanted.which == QUERY_MANIFOLD) {
		job->counts = allocate(job->capture.pair_count, sizeof *job->counts);
		job->points = allocate(job->capture.pair_count, job->wanted.point_max * sizeof *job->points);
	}
	if (job->scene.meshes) {
		job->patch_counts = allocate(job->capture.pair_count, sizeof *job->patch_counts);
		job->patches = allocate(job->capture.pair_count, RUNNER_PATCH_MAX * sizeof *job->patches);
	}
	return capture_read(&job->capture, job->pairs, job->capture.pair_count, &job->count);
}

/* Pair files hold vertices alone, manifolds need faces. */
static bool load_scene(timing *job)
{
	return scene_build(&job->scene, &job->capture, job->capture.error) &&
	       scene_add_meshes(&job->scene, &job->capture, job->capture.error) &&
	       mesh_rows_fit(&job->wanted, &job->scene, job->pairs_path, job->capture.error) &&
	       (job->wanted.which != QUERY_MANIFOLD || scene_add_faces(&job->scene, &job->capture, job->capture.error));
}

static int run_all(timing *job)
{
	if (!load_scene(job) || !load_pairs(job))
		return report_error("%s", job->capture.error);
	report_scene(&job->scene, job->pairs_path);
	if (job->count == 0)
		return report_error("%s: no pairs", job->pairs_path);
	if (job->scene.meshes && !job->all && job->variant == VARIANT_REFERENCE)
		return report_error("%s: has meshes, which the reference does not answer", job->pairs_path);
	if (!job->all)
		return time_variants(job, &job->variant, 1);
	unsigned variants[VARIANT_MAX];
	size_t count = 0;
	for (unsigned variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
		if (wp_variant_available((wp_variant)variant) == WP_OK)
			variants[count++] = variant;
	if (job->wanted.which == QUERY_CONTACT && !job->scene.meshes)
		variants[count++] = VARIANT_REFERENCE;
	return time_variants(job, variants, count);
}

int command_time(int argc, char **argv)
{
	timing job = {.wanted = {.which = QUERY_CONTACT, .max_separation = NAN}, .all = true};
	parse_arguments(&job, argc, argv);
	if (!capture_open(&job.capture, job.pairs_path))
		return report_error("%s", job.capture.error);
	int code = run_all(&job);
	scene_free(&job.scene);
	capture_close(&job.capture);
	free(job.pairs);
	free(job.rows);
	free(job.counts);
	free(job.points);
	free(job.patch_counts);
	free(job.patches);
	return code;
}
