/* widephase time: nanoseconds a pair, single thread, warm, repeated until the median is stable. */
#include "commands.h"
#include "progress.h"
#include "runner.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One sample is as many passes over the file as last this long: far above the clock's resolution. */
#define SAMPLE_SECONDS 2e-3
/* Stable: the medians of the earlier and the later half of the samples agree this well. */
#define STABLE_SHARE 0.02
#define SAMPLES_MIN 16
#define SAMPLES_MAX 4096
#define BUDGET_SECONDS 4.0

typedef struct timing {
	const char *pairs_path;
	query which;
	unsigned variant;
	bool all;
	capture_file capture;
	capture_scene scene;
	capture_pair *pairs; /* [count] */
	size_t count;
	wp_row *rows;
} timing;

enum option_key { KEY_QUERY = 'q', KEY_VARIANT = 'v' };

static const struct argp_option options[] = {
    {"query", KEY_QUERY, "Q", 0, "overlap, distance or contact (the default)", 0},
    {"variant", KEY_VARIANT, "V", 0,
        "auto, scalar, sse2, avx2, avx512, neon, wasm, reference, or all that run here (the default)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	timing *job = state->input;
	switch (key) {
	case KEY_QUERY:
		if (!query_from_name(argument, &job->which) || !query_is_plain(job->which))
			argp_error(state, "unknown query '%s'", argument);
		return 0;
	case KEY_VARIANT:
		job->all = strcmp(argument, "all") == 0;
		if (!job->all && !variant_from_name(argument, &job->variant))
			argp_error(state, "unknown variant '%s'", argument);
		return 0;
	case ARGP_KEY_SUCCESS:
		if (!job->all && job->variant == VARIANT_REFERENCE && job->which != QUERY_CONTACT)
			argp_error(state, "the reference answers --query contact alone");
		return 0;
	default:
		return path_parse(key, argument, "pair file", &job->pairs_path, state);
	}
}

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

static double median(const double *samples, size_t count)
{
	static double sorted[SAMPLES_MAX];
	memcpy(sorted, samples, count * sizeof *samples);
	qsort(sorted, count, sizeof *sorted, ascending);
	return count % 2 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
}

static bool is_stable(const double *samples, size_t count)
{
	if (count < SAMPLES_MIN || count % 2)
		return false;
	double early = median(samples, count / 2), late = median(samples + count / 2, count / 2);
	return fabs(early - late) <= STABLE_SHARE * fmin(early, late);
}

/* Seconds of `passes` passes over all pairs; negative on an error, which is then reported. */
static double measure(timing *job, runner *run, unsigned passes)
{
	const request wanted = {.which = job->which, .max_separation = INFINITY};
	double start = clock_now();
	for (unsigned pass = 0; pass < passes; pass++) {
		wp_error error =
		    runner_answer(run, &wanted, &job->scene, job->pairs, job->count, job->rows, NULL, NULL);
		if (error != WP_OK) {
			report_error("%s: %s", variant_name(run->variant), wp_error_text(error));
			return -1.0;
		}
	}
	return clock_now() - start;
}

static int time_variant(timing *job, unsigned variant)
{
	static double samples[SAMPLES_MAX];
	runner run;
	wp_error error = runner_init(&run, variant);
	if (error != WP_OK)
		return report_error("%s: %s", variant_name(variant), wp_error_text(error));
	/* The first pass warms caches and branch predictors, the second tells how long one takes. */
	measure(job, &run, 1);
	double once = measure(job, &run, 1);
	double wanted_passes = once > 0.0 ? ceil(SAMPLE_SECONDS / once) : 1.0;
	unsigned passes = (unsigned)fmin(fmax(wanted_passes, 1.0), 1e6);
	double end = clock_now() + BUDGET_SECONDS;
	size_t taken = 0;
	double seconds = once;
	while (seconds >= 0.0 && taken < SAMPLES_MAX && !is_stable(samples, taken) &&
	       (taken < 1 || clock_now() < end)) {
		seconds = measure(job, &run, passes);
		samples[taken++] = seconds * 1e9 / ((double)passes * (double)job->count);
	}
	if (seconds >= 0.0) {
		double middle = median(samples, taken), least = samples[0];
		for (size_t index = 1; index < taken; index++)
			least = fmin(least, samples[index]);
		printf("%s,%s,%zu,%.2f,%.2f,%.3f\n", variant_name(run.variant), query_name(job->which), job->count,
		    middle, least, 1e3 / middle);
		fflush(stdout);
	}
	runner_free(&run);
	return seconds >= 0.0 ? 0 : EXIT_ERROR;
}

static bool load_pairs(timing *job)
{
	job->pairs = allocate(job->capture.pair_count, sizeof *job->pairs);
	job->rows = allocate(job->capture.pair_count, sizeof *job->rows);
	return capture_read(&job->capture, job->pairs, job->capture.pair_count, &job->count);
}

static int run_all(timing *job)
{
	if (!scene_build(&job->scene, &job->capture, job->capture.error) || !load_pairs(job))
		return report_error("%s", job->capture.error);
	if (job->count == 0)
		return report_error("%s: no pairs", job->pairs_path);
	puts("variant,query,pairs,median_ns_per_pair,min_ns_per_pair,mpairs_per_s");
	if (!job->all)
		return time_variant(job, job->variant);
	int code = 0;
	for (unsigned variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
		if (wp_variant_available((wp_variant)variant) == WP_OK)
			code |= time_variant(job, variant);
	if (job->which == QUERY_CONTACT)
		code |= time_variant(job, VARIANT_REFERENCE);
	return code;
}

int command_time(int argc, char **argv)
{
	const struct argp parser = {options, parse, "FILE.pairs",
	    "Time one query over all pairs of FILE.pairs: single thread, warm, repeated until stable. Prints "
	    "CSV.",
	    NULL, NULL, NULL};
	timing job = {.which = QUERY_CONTACT, .all = true};
	if (argp_parse(&parser, argc, argv, 0, NULL, &job) != 0)
		return EXIT_ERROR;
	if (!capture_open(&job.capture, job.pairs_path))
		return report_error("%s", job.capture.error);
	int code = run_all(&job);
	scene_free(&job.scene);
	capture_close(&job.capture);
	free(job.pairs);
	free(job.rows);
	return code;
}
