/* widephase compare: every variant against scalar, bit for bit, and all of them and the reference
 * against the contract. Without a truth file the reference stands in for the truth. */
#include "commands.h"
#include "progress.h"
#include "compare_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_PAIRS 4096

/* Scalar first, so that the others can be compared with it; the reference last. */
#define ANSWERERS_MAX (WP_VARIANT_COUNT + 1)

static const request requests[ANSWER_COUNT] = {
	[ANSWER_CONTACT] = {QUERY_CONTACT, INFINITY, 0},
	[ANSWER_SPECULATIVE] = {QUERY_CONTACT, SPECULATIVE_SEPARATION, 0},
	[ANSWER_DISTANCE] = {QUERY_DISTANCE, INFINITY, 0},
	[ANSWER_OVERLAP] = {QUERY_OVERLAP, INFINITY, 0},
};

typedef struct answerer {
	runner run;
	compare_counts counts;
	wp_row *rows[ANSWER_COUNT]; /* [CHUNK_PAIRS] each */
	uint8_t *overlap;           /* of ANSWER_OVERLAP */
} answerer;

typedef struct comparison {
	const char *pairs_path, *truth_path, *save_path;
	capture_file capture;
	capture_truth_file truth_file;
	capture_scene scene;
	answerer answerers[ANSWERERS_MAX];
	size_t answerer_count;
	capture_pair *pairs;         /* [CHUNK_PAIRS] */
	uint64_t first;              /* where the first of them stands in the file */
	capture_truth *truth;        /* [CHUNK_PAIRS] */
	capture_cache *caches;       /* [CHUNK_PAIRS] from the file */
	capture_cache *warm;         /* [CHUNK_PAIRS] the same, for one query */
	double reference_difference; /* largest between scalar and the reference, relative to e */
	worst_list worst;
} comparison;

static const option_row options[] = {
	{.name = "save",
		.letter = 's',
		.argument = "FILE.pairs",
		.help = "write the worst pairs there, and their truth to FILE.truth",
		.read = option_text,
		.offset = offsetof(comparison, save_path)},
	{.name = NULL},
};

static void parse_arguments(comparison *job, int argc, char **argv)
{
	const command_line line = {.name = "widephase compare",
		.arguments = "FILE.pairs [FILE.truth]",
		.about = "Check the answers to FILE.pairs: every variant against scalar, bit for bit, and against the truth "
				 "(the reference where there is no truth file) by the accuracy contract. Pairs of files with caches "
				 "start from those.",
		.more = "Exit code 1 when the contract is broken, 2 on errors.",
		.least = 1,
		.most = 2,
		.too_few = "which pair file?",
		.too_many = "one pair file and one truth file at a time",
		.tables = {{options, job}}};
	const int first = command_line_parse(&line, argc, argv);
	job->pairs_path = argv[first];
	job->truth_path = first + 1 < argc ? argv[first + 1] : NULL;
}

/* ---- answering -------------------------------------------------------------------------------------- */

static bool is_reference(const answerer *who) { return who->run.variant == VARIANT_REFERENCE; }

static int add_answerer(comparison *job, unsigned variant)
{
	answerer *who = &job->answerers[job->answerer_count];
	wp_error error = runner_init(&who->run, variant);
	if (error != WP_OK)
		return report_error("%s: %s", variant_name(variant), wp_error_text(error));
	who->run.caches = job->capture.columns & CAPTURE_CACHES ? job->warm : NULL;
	compare_counts_start(&who->counts, variant, job->capture.pair_count);
	for (int which = 0; which < ANSWER_COUNT; which++)
		who->rows[which] = allocate(CHUNK_PAIRS, sizeof(wp_row));
	who->overlap = allocate(CHUNK_PAIRS, 1);
	job->answerer_count++;
	return 0;
}

static void free_answerer(answerer *who)
{
	runner_free(&who->run);
	compare_counts_free(&who->counts);
	for (int which = 0; which < ANSWER_COUNT; which++)
		free(who->rows[which]);
	free(who->overlap);
}

static wp_error answer_chunk(comparison *job, answerer *who, size_t count)
{
	int last = is_reference(who) ? ANSWER_CONTACT : ANSWER_COUNT - 1;
	for (int which = 0; which <= last; which++) {
		const answers to = {.rows = who->rows[which], .overlap = which == ANSWER_OVERLAP ? who->overlap : NULL};
		if (who->run.caches)
			memcpy(who->run.caches, job->caches, count * sizeof *job->caches);
		wp_error error = runner_answer(&who->run, &requests[which], &job->scene, job->pairs, NULL, count, &to);
		if (error != WP_OK)
			return error;
	}
	return WP_OK;
}

/* Read a chunk of pairs, with their caches and truth. */
static bool read_chunk(comparison *job, size_t *read)
{
	size_t truth_count = 0;
	job->first = job->capture.pair_next;
	if (!capture_read(&job->capture, job->pairs, CHUNK_PAIRS, read) ||
		!capture_read_caches(&job->capture, job->caches, *read)) {
		report_error("%s", job->capture.error);
		return false;
	}
	if (job->truth_path && !capture_truth_read(&job->truth_file, job->truth, CHUNK_PAIRS, &truth_count)) {
		report_error("%s", job->truth_file.error);
		return false;
	}
	return true;
}

/* ---- judging ---------------------------------------------------------------------------------------- */

static bool same_bits(const answerer *scalar, answerer *who, size_t row)
{
	bool same = true;
	for (int which = 0; which < ANSWER_COUNT; which++) {
		bool equal = memcmp(&scalar->rows[which][row], &who->rows[which][row], sizeof(wp_row)) == 0;
		if (which == ANSWER_OVERLAP)
			equal &= scalar->overlap[row] == who->overlap[row];
		who->counts.differing[which] += !equal;
		same &= equal;
	}
	return same;
}

static verdict judge_answers(const judged_pair *pair, const answerer *who, size_t row)
{
	if (is_reference(who))
		return judge_contact(pair, &who->run.reference_rows[row], 0x1p-53);
	wp_reference_row wide = judge_widen(&who->rows[ANSWER_CONTACT][row]);
	verdict result = judge_contact(pair, &wide, 0x1p-24);
	result.violations |= judge_speculative(pair, &who->rows[ANSWER_SPECULATIVE][row], SPECULATIVE_SEPARATION);
	result.violations |= judge_distance(pair, &who->rows[ANSWER_DISTANCE][row]);
	result.violations |= judge_overlap(pair, &who->rows[ANSWER_OVERLAP][row], who->overlap[row]);
	return result;
}

static double separation_of(const answerer *who, size_t row)
{
	return is_reference(who) ? who->run.reference_rows[row].separation : who->rows[ANSWER_CONTACT][row].separation;
}

static void judge_row(comparison *job, size_t row)
{
	const answerer *scalar = &job->answerers[0], *reference = &job->answerers[job->answerer_count - 1];
	const wp_reference_row *known = &reference->run.reference_rows[row];
	if (!job->truth_path)
		job->truth[row] = (capture_truth){.separation = known->separation};
	judged_pair pair;
	judge_prepare(&pair, &job->capture, &job->scene, &job->pairs[row], &job->truth[row]);
	/* The reference knows the truth no better than its own bracket. */
	if (!job->truth_path) {
		pair.truth_lower = known->lower;
		pair.truth_upper = known->upper;
	}
	verdict first = {.judged = false};
	for (size_t index = 0; index < job->answerer_count; index++) {
		answerer *who = &job->answerers[index];
		bool same = who == scalar || (!is_reference(who) && same_bits(scalar, who, row));
		verdict result = same && who != scalar ? first : judge_answers(&pair, who, row);
		if (!same && !is_reference(who))
			result.violations |= VIOLATION_BITS;
		if (who == scalar)
			first = result;
		compare_counts_add(&who->counts, &result);
		worst_add(&job->worst, &(worst_pair){job->first + row, who->run.variant, job->pairs[row], job->truth[row],
								   job->caches[row], separation_of(who, row), result});
	}
	double difference = fabs(separation_of(scalar, row) - known->separation) / pair.scale;
	if (difference > job->reference_difference)
		job->reference_difference = difference;
}

static int compare_all(comparison *job)
{
	progress bar = progress_start(job->capture.pair_count);
	size_t read;
	bool readable;
	wp_error error = WP_OK;
	while ((readable = read_chunk(job, &read)) && read > 0 && error == WP_OK) {
		for (size_t index = 0; index < job->answerer_count && error == WP_OK; index++)
			error = answer_chunk(job, &job->answerers[index], read);
		for (size_t row = 0; row < read && error == WP_OK; row++)
			judge_row(job, row);
		progress_step(&bar, job->capture.pair_next);
	}
	progress_end(&bar);
	if (error != WP_OK)
		return report_error("%s", wp_error_text(error));
	return readable ? 0 : EXIT_ERROR;
}

/* ---- reporting -------------------------------------------------------------------------------------- */

static void print_bits(const comparison *job)
{
	printf("\nRows whose bits differ from scalar\n  %-10s %8s %13s %10s %9s\n", "", "contact", "contact <0.02",
		"distance", "overlap");
	for (size_t index = 1; index + 1 < job->answerer_count; index++) {
		const compare_counts *counts = &job->answerers[index].counts;
		printf("  %-10s %8llu %13llu %10llu %9llu\n", variant_name(counts->variant),
			(unsigned long long)counts->differing[ANSWER_CONTACT],
			(unsigned long long)counts->differing[ANSWER_SPECULATIVE],
			(unsigned long long)counts->differing[ANSWER_DISTANCE],
			(unsigned long long)counts->differing[ANSWER_OVERLAP]);
	}
}

/* A variant with the bits of scalar has its figures too: one line serves them all. */
static bool has_own_line(const comparison *job, size_t index)
{
	const answerer *who = &job->answerers[index];
	uint64_t differing = 0;
	for (int which = 0; which < ANSWER_COUNT; which++)
		differing += who->counts.differing[which];
	return index == 0 || is_reference(who) || differing > 0;
}

/* Pairs without figures: the contract requires of them that they are refused. */
static void print_refused(const comparison *job)
{
	const uint64_t all = job->capture.pair_count, refused = all - job->answerers[0].counts.judged;
	if (refused > 0)
		printf("  invalid input, which has no figures: %llu of %llu pairs\n", (unsigned long long)refused,
			(unsigned long long)all);
}

/* Returns whether the contract holds. */
static bool print_report(comparison *job)
{
	bool holds = true;
	printf("%s: %u pairs\n", job->pairs_path, job->capture.pair_count);
	print_bits(job);
	printf("\nAgainst %s; errors in units of L + |separation|\n", job->truth_path ? "the truth" : "the reference");
	compare_counts_print_header();
	for (size_t index = 0; index < job->answerer_count; index++) {
		holds &= compare_counts_holds(&job->answerers[index].counts);
		if (has_own_line(job, index))
			compare_counts_print(&job->answerers[index].counts);
	}
	printf("  scalar and reference differ by at most %.2e\n", job->reference_difference);
	print_refused(job);
	printf("\nContract %s\n", holds ? "holds" : "broken");
	for (size_t index = 0; index < job->answerer_count; index++)
		if (has_own_line(job, index))
			compare_counts_print_violations(&job->answerers[index].counts);
	if (!holds) {
		puts("\nWorst pairs");
		worst_print(&job->worst, &job->capture, true);
	}
	return holds;
}

static int run(comparison *job)
{
	if (capture_has_meshes(&job->capture))
		return report_error("%s: has meshes, which no contract of pairs judges", job->pairs_path);
	if (job->capture.pair_count == 0)
		return report_error("%s: no pairs", job->pairs_path);
	if (!scene_build(&job->scene, &job->capture, job->capture.error))
		return report_error("%s", job->capture.error);
	if (job->truth_path && !capture_truth_open(&job->truth_file, job->truth_path, job->capture.pair_count))
		return report_error("%s", job->truth_file.error);
	if (job->save_path && !worst_may_save(job->save_path, job->pairs_path, job->truth_path, job->capture.error))
		return report_error("%s", job->capture.error);
	job->pairs = allocate(CHUNK_PAIRS, sizeof *job->pairs);
	job->truth = allocate(CHUNK_PAIRS, sizeof *job->truth);
	job->caches = allocate(CHUNK_PAIRS, sizeof *job->caches);
	job->warm = allocate(CHUNK_PAIRS, sizeof *job->warm);
	int code = add_answerer(job, WP_VARIANT_SCALAR);
	for (unsigned variant = WP_VARIANT_SCALAR + 1; variant < WP_VARIANT_COUNT && code == 0; variant++)
		if (wp_variant_available((wp_variant)variant) == WP_OK)
			code = add_answerer(job, variant);
	if (code == 0)
		code = add_answerer(job, VARIANT_REFERENCE);
	if (code == 0)
		code = compare_all(job);
	if (code == 0)
		code = print_report(job) ? 0 : EXIT_BROKEN;
	if (code != EXIT_ERROR && job->save_path &&
		!worst_save(&job->worst, &job->capture, job->truth_path != NULL, job->save_path, job->capture.error))
		return report_error("%s", job->capture.error);
	return code;
}

int command_compare(int argc, char **argv)
{
	static comparison job;
	parse_arguments(&job, argc, argv);
	if (!capture_open(&job.capture, job.pairs_path))
		return report_error("%s", job.capture.error);
	int code = run(&job);
	for (size_t index = 0; index < job.answerer_count; index++)
		free_answerer(&job.answerers[index]);
	scene_free(&job.scene);
	capture_truth_close(&job.truth_file);
	capture_close(&job.capture);
	free(job.pairs);
	free(job.truth);
	free(job.caches);
	free(job.warm);
	return code;
}
