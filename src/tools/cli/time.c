/* widephase time: nanoseconds per pair, single thread, warm. Variants are sampled in turn, by the processor time of the
 * thread, so that other work on the machine falls on all of them alike; the best sample of each is what it can do. */
#include "commands.h"
#include "progress.h"
#include "runner.h"
#include "system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One sample is as many passes over the file as last this long: far above the clock's resolution. */
#define SAMPLE_SECONDS 2e-3
/* Rounds end once no variant has found a sample better by this share for so many rounds. */
#define BETTER_SHARE 0.01
#define SETTLED_ROUNDS 16
#define ROUND_MAX 1024
#define BUDGET_SECONDS 4.0
/* Where the median lies further above the minimum than this, other work disturbs the samples too much. */
#define NOISY_SHARE 0.25

/* What engines ask of contacts, and the charts show: shapes further apart need no points. */
#define SEPARATION_DEFAULT 0.02f

#define VARIANT_MAX (WP_VARIANT_COUNT + 1)

typedef struct samples {
	runner run;
	unsigned passes;
	size_t count, best_at; /* samples taken; the round of the last one that was clearly better */
	double best;
	double taken[ROUND_MAX];
} samples;

typedef struct timing {
	const char *pairs_path;
	request wanted; /* max_separation is NaN until it is known */
	unsigned variant;
	bool all;
	capture_file capture;
	capture_scene scene;
	capture_pair *pairs; /* [count] */
	size_t count;
	wp_row *rows;
	uint32_t *counts;          /* of manifolds */
	wp_manifold_point *points; /* [count][wanted.point_max] of them */
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
		.noun = "query"},
	{.name = "variant",
		.letter = 'v',
		.argument = "V",
		.help = "auto, scalar, sse2, avx2, avx512, neon, wasm, reference, or all that run here (the default)",
		.read = option_timed_variant,
		.noun = "variant"},
	{.name = "max-separation",
		.letter = 'm',
		.argument = "M",
		.help =
			"Of contacts and manifolds only what is nearer than M (default 0.02), or inf. The reference looks at all",
		.read = option_length,
		.offset = offsetof(timing, wanted.max_separation),
		.noun = "length"},
	{.name = "points",
		.letter = 'n',
		.argument = "N",
		.help = "Points of a manifold, 1 to 8 (default 4)",
		.read = option_count,
		.offset = offsetof(timing, wanted.point_max),
		.least = 1,
		.most = WP_MANIFOLD_POINT_MAX},
	{.name = NULL},
};

static bool has_separation(query which) { return which == QUERY_CONTACT || which == QUERY_MANIFOLD; }

static void parse_arguments(timing *job, int argc, char **argv)
{
	const command_line line = {.name = "widephase time",
		.arguments = "FILE.pairs",
		.about =
			"Time one query over all pairs of FILE.pairs: single thread, warm, by processor time. Variants are sampled "
			"in turn until their best times stand. Prints CSV; noise is how far the median lies above the minimum.",
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

static double median(samples *s)
{
	static double sorted[ROUND_MAX];
	memcpy(sorted, s->taken, s->count * sizeof *sorted);
	qsort(sorted, s->count, sizeof *sorted, ascending);
	return s->count % 2 ? sorted[s->count / 2] : 0.5 * (sorted[s->count / 2 - 1] + sorted[s->count / 2]);
}

/* Seconds of `passes` passes over all pairs; negative on an error, which is then reported. */
static double measure(timing *job, runner *run, unsigned passes)
{
	const answers to = {.rows = job->rows, .counts = job->counts, .points = job->points};
	double start = system_thread_seconds();
	for (unsigned pass = 0; pass < passes; pass++) {
		wp_error error = runner_answer(run, &job->wanted, &job->scene, job->pairs, NULL, job->count, &to);
		if (error != WP_OK) {
			report_error("%s: %s", variant_name(run->variant), wp_error_text(error));
			return -1.0;
		}
	}
	return system_thread_seconds() - start;
}

static bool start_samples(timing *job, samples *s)
{
	/* The first pass warms caches and branch predictors, the second measures the time of a pass. */
	const double first = measure(job, &s->run, 1), once = first < 0.0 ? first : measure(job, &s->run, 1);
	const double passes = once > 0.0 ? ceil(SAMPLE_SECONDS / once) : 1.0;
	s->passes = (unsigned)fmin(fmax(passes, 1.0), 1e6);
	s->best = INFINITY;
	return once >= 0.0;
}

static bool take_sample(timing *job, samples *s)
{
	const double seconds = measure(job, &s->run, s->passes);
	const double ns = seconds * 1e9 / ((double)s->passes * (double)job->count);
	if (ns < (1.0 - BETTER_SHARE) * s->best)
		s->best_at = s->count;
	s->best = fmin(s->best, ns);
	s->taken[s->count++] = ns;
	return seconds >= 0.0;
}

/* Rounds over all variants, until their best samples stand. False on an error, which is then reported. */
static bool take_rounds(timing *job, samples *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!start_samples(job, &all[i]))
			return false;
	const double end = clock_now() + BUDGET_SECONDS;
	bool settled = false;
	for (size_t round = 0; round < ROUND_MAX && !settled && (round == 0 || clock_now() < end); round++) {
		settled = true;
		for (size_t i = 0; i < count; i++) {
			if (!take_sample(job, &all[i]))
				return false;
			settled = settled && round >= all[i].best_at + SETTLED_ROUNDS;
		}
	}
	return true;
}

/* One line for each variant, and a remark if their ratios mean little. */
static void print_all(const timing *job, samples *all, size_t count)
{
	double noise_max = 0.0;
	for (size_t i = 0; i < count; i++) {
		samples *s = &all[i];
		const double middle = median(s), noise = middle / s->best - 1.0;
		noise_max = fmax(noise_max, noise);
		printf("%s,%s,%zu,%.2f,%.2f,%.3f,%.3f\n", variant_name(s->run.variant), query_name(job->wanted.which),
			job->count, s->best, middle, 1e3 / s->best, noise);
	}
	fflush(stdout);
	if (noise_max > NOISY_SHARE)
		fprintf(stderr,
			"widephase: the machine is too busy for ratios: half of the samples took %.0f %% longer than the best\n",
			100.0 * noise_max);
}

static int time_variants(timing *job, const unsigned *variants, size_t count)
{
	static samples all[VARIANT_MAX];
	wp_error error = WP_OK;
	size_t ready = 0;
	for (; ready < count && error == WP_OK; ready++)
		error = runner_init(&all[ready].run, variants[ready]);
	bool fine = error == WP_OK;
	if (!fine)
		report_error("%s: %s", variant_name(variants[ready - 1]), wp_error_text(error));
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
	return capture_read(&job->capture, job->pairs, job->capture.pair_count, &job->count);
}

/* Pair files hold vertices alone, manifolds need faces. */
static bool load_scene(timing *job)
{
	return scene_build(&job->scene, &job->capture, job->capture.error) &&
	       (job->wanted.which != QUERY_MANIFOLD || scene_add_faces(&job->scene, &job->capture, job->capture.error));
}

static int run_all(timing *job)
{
	if (!load_scene(job) || !load_pairs(job))
		return report_error("%s", job->capture.error);
	report_faceless(&job->scene, job->pairs_path);
	if (job->count == 0)
		return report_error("%s: no pairs", job->pairs_path);
	puts("variant,query,pairs,min_ns_per_pair,median_ns_per_pair,mpairs_per_s,noise");
	if (!job->all)
		return time_variants(job, &job->variant, 1);
	unsigned variants[VARIANT_MAX];
	size_t count = 0;
	for (unsigned variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
		if (wp_variant_available((wp_variant)variant) == WP_OK)
			variants[count++] = variant;
	if (job->wanted.which == QUERY_CONTACT)
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
	return code;
}
