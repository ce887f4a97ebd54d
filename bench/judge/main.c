/* widephase-judge: runs any narrowphase that is given as a plug-in (narrowphase.h) over pairs with exact answers, and prints
 * its errors and times as tables in Markdown. */
#include "options.h"
#include "score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifndef JUDGE_CASES
#error "JUDGE_CASES names the folder of hard_cases.pairs"
#endif
#ifndef JUDGE_FOUND
#error "JUDGE_FOUND names the folder of the pairs that broke this library once"
#endif

#define EXIT_BROKEN 1

/* Pairs that are further apart need no separation. */
#define MAX_SEPARATION 0.02

#define GROUP_MAX 4
#define PLUGIN_MAX 64
#define FILE_MAX 256

/* A set of the corpus: pairs of a kind and regime, as sets.h has them; the regime "sequence" is any file of a folder. */
typedef struct corpus_set {
	const char *folder, *kind, *regime;
} corpus_set;

typedef struct corpus_group {
	const char *title;
	const corpus_set *sets;
	size_t count;
} corpus_group;

static const corpus_set hard_sets[] = {{JUDGE_CASES, "hard_cases", "sequence"}};

static const corpus_set found_sets[] = {{JUDGE_FOUND, "beyond_of_a_huge_radius", "sequence"},
	{JUDGE_FOUND, "box_beside_a_cone", "sequence"}, {JUDGE_FOUND, "end_of_a_leaning_segment", "sequence"},
	{JUDGE_FOUND, "far_features", "sequence"}, {JUDGE_FOUND, "large_box_and_hull", "sequence"},
	{JUDGE_FOUND, "nearly_parallel_edges_of_boxes", "sequence"}, {JUDGE_FOUND, "nearly_parallel_segments", "sequence"},
	{JUDGE_FOUND, "point_above_a_thin_box", "sequence"}, {JUDGE_FOUND, "point_beside_a_flat_box", "sequence"},
	{JUDGE_FOUND, "smooth", "sequence"}, {JUDGE_FOUND, "touch_of_far_points", "sequence"},
	{JUDGE_FOUND, "triangle_beside_a_long_segment", "sequence"}};

static const corpus_set recorded_sets[] = {{NULL, "wall", "recorded"}, {NULL, "ragdoll", "recorded"},
	{NULL, "pile", "recorded"}, {NULL, "meshes", "recorded"}, {NULL, "meshes256", "recorded"}};

static const corpus_set generated_sets[] = {{NULL, "box", "engine"}, {NULL, "capsule", "engine"},
	{NULL, "boxcapsule", "engine"}, {NULL, "hull8", "engine"}, {NULL, "hull32", "engine"}, {NULL, "hull128", "engine"},
	{NULL, "tri", "engine"}, {NULL, "cylinder", "engine"}, {NULL, "cone", "engine"}, {NULL, "ellipsoid", "engine"},
	{NULL, "box", "near"}, {NULL, "hull32", "near"}, {NULL, "cylinder", "near"}, {NULL, "cone", "near"},
	{NULL, "box", "deep"}, {NULL, "hull32", "deep"}, {NULL, "cylinder", "deep"}, {NULL, "cone", "deep"}};

#define GROUP(title, sets)                      \
	{                                           \
		title, sets, sizeof sets / sizeof *sets \
	}

static const corpus_group corpus[GROUP_MAX] = {GROUP("Hard cases", hard_sets),
	GROUP("Pairs that broke this library", found_sets), GROUP("Recorded pairs", recorded_sets),
	GROUP("Generated pairs", generated_sets)};

typedef struct request {
	bool each_set, is_quick, is_strict;
	const char *worst_folder, *corpus_name;
	plugin plugins[PLUGIN_MAX];
	size_t plugin_count;
	corpus_set files[FILE_MAX];
	size_t file_count;
} request;

/* ---- command line ---------------------------------------------------------------------------------- */

static const option_row options[] = {
	{.name = "sets",
		.letter = 's',
		.help = "a table of every set, not of every group",
		.offset = offsetof(request, each_set)},
	{.name = "only",
		.letter = 'o',
		.argument = "GROUP",
		.help = "only the groups whose title has this in it",
		.read = option_text,
		.offset = offsetof(request, corpus_name)},
	{.name = "quick",
		.letter = 'q',
		.help = "one pass over each set: times mean little",
		.offset = offsetof(request, is_quick)},
	{.name = "worst",
		.letter = 'w',
		.argument = "FOLDER",
		.help = "write the worst pairs of each plug-in to FOLDER/NAME.pairs, and print them",
		.read = option_text,
		.offset = offsetof(request, worst_folder)},
	{.name = "strict", .help = "exit code 1 if any answer is wrong", .offset = offsetof(request, is_strict)},
	{.name = NULL},
};

static bool ends_with(const char *text, const char *ending)
{
	const size_t length = strlen(text), other = strlen(ending);
	return length > other && strcmp(text + length - other, ending) == 0;
}

static bool fail(const char *reason)
{
	fprintf(stderr, "widephase-judge: %s\n", reason);
	return false;
}

/* FOLDER/NAME.pairs as a set. The texts are the caller's arguments, which are changed. */
static corpus_set set_of_file(char *path)
{
	char *slash = strrchr(path, '/');
	path[strlen(path) - strlen(".pairs")] = '\0';
	if (slash)
		*slash = '\0';
	return (corpus_set){slash ? (slash == path ? "/" : path) : ".", slash ? slash + 1 : path, "sequence"};
}

static bool parse(request *wanted, int argc, char **argv)
{
	const command_line line = {.name = "widephase-judge",
		.arguments = "PLUGIN.so[:MODE]... [FILE.pairs...]",
		.about =
			"Run narrowphases given as plug-ins (bench/judge/narrowphase.h) over pairs with exact answers, and print "
			"their errors and times. Without files, the pairs are this project's.",
		.more = "Exit code 1 when --strict finds a wrong answer, 2 on errors.",
		.least = 1,
		.most = PLUGIN_MAX,
		.too_few = "which plug-in?",
		.too_many = "too many plug-ins and files",
		.tables = {{options, wanted}}};
	for (int index = command_line_parse(&line, argc, argv); index < argc; index++) {
		if (ends_with(argv[index], ".pairs"))
			wanted->files[wanted->file_count++] = set_of_file(argv[index]);
		else if (!plugin_parse(&wanted->plugins[wanted->plugin_count++], argv[index]))
			return fail("no memory for the plug-ins");
	}
	return wanted->plugin_count > 0 || fail("which plug-in?");
}

/* ---- tables ---------------------------------------------------------------------------------------- */

static void print_header(const char *title, size_t pairs)
{
	printf("\n%s, %zu pairs\n\n", title, pairs);
	printf(
		"| | answered | ended | no answer | wrong side | depth or gap off | normal off | separation error, 99.9 %% | "
		"separation error, largest | normal error, largest | point error, largest | ns/pair |\n");
	printf("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

static void print_row(const char *name, score *of)
{
	const size_t answered = of->pairs - of->refused - of->ended - of->none;
	printf("| %s | %zu | %zu | %zu | %zu | %zu | %zu |", name, answered, of->ended, of->none, of->wrong_side, of->off,
		of->misleading);
	if (of->measured > 0)
		printf(
			" %.1e | %.1e | %.1e | %.1e |", score_quantile(of, 0.999), of->separation_max, of->gap_max, of->point_max);
	else
		printf(" | | | |");
	printf(of->timed > 0 ? " %.0f |\n" : " |\n", 1e9 * of->seconds / (double)of->timed);
}

static bool is_wrong(const score *of) { return of->ended + of->none + of->wrong_side + of->off + of->misleading > 0; }

/* ---- running --------------------------------------------------------------------------------------- */

static pair_set *load(const corpus_set *from, char error[CAPTURE_ERROR_MAX])
{
	pair_set *set = sets_find(from->kind, from->regime);
	sets_use_folder(from->folder);
	if (!set) {
		snprintf(error, CAPTURE_ERROR_MAX, "no memory for the set");
		return NULL;
	}
	return set_load(set, error) && set_load_truth(set, error) ? set : NULL;
}

static bool run_plugin(const request *wanted, const plugin *with, const pair_set *set, score *to)
{
	trial done;
	const bool good = trial_run(&done, with, set, MAX_SEPARATION, wanted->is_quick ? 0.0 : 0.05) || fail(done.error);
	const bool added = good && (score_add(to, set, &done) || fail("no memory for the errors"));
	trial_free(&done);
	return added;
}

static size_t known_pairs(const pair_set *set)
{
	size_t count = 0;
	for (size_t row = 0; row < set->count; row++)
		count += !isnan(set->truth[row]);
	return count;
}

/* One table of one set. */
static bool run_set(const request *wanted, const corpus_set *from, score *totals, size_t *pairs)
{
	char error[CAPTURE_ERROR_MAX], title[2 * SET_NAME_MAX + 8];
	pair_set *set = load(from, error);
	if (!set)
		return fail(error);
	*pairs += known_pairs(set);
	snprintf(title, sizeof title, strcmp(set->regime, "sequence") == 0 ? "%s" : "%s, %s", set->kind, set->regime);
	if (wanted->each_set)
		print_header(title, known_pairs(set));
	for (size_t index = 0; index < wanted->plugin_count; index++) {
		score one = {.pairs = 0};
		const bool good = run_plugin(wanted, &wanted->plugins[index], set, &one);
		if (good && wanted->each_set)
			print_row(wanted->plugins[index].name, &one);
		const bool joined = good && score_join(&totals[index], &one);
		score_free(&one);
		if (!joined)
			return false;
	}
	fflush(stdout);
	return true;
}

static bool run_group(const request *wanted, const corpus_group *group, score *totals)
{
	score in_group[PLUGIN_MAX];
	size_t pairs = 0;
	bool good = true;
	memset(in_group, 0, sizeof in_group);
	for (size_t index = 0; index < group->count && good; index++)
		good = run_set(wanted, &group->sets[index], in_group, &pairs);
	if (good && !wanted->each_set) {
		print_header(group->title, pairs);
		for (size_t index = 0; index < wanted->plugin_count; index++)
			print_row(wanted->plugins[index].name, &in_group[index]);
		fflush(stdout);
	}
	for (size_t index = 0; index < wanted->plugin_count; index++) {
		good = good && score_join(&totals[index], &in_group[index]);
		score_free(&in_group[index]);
	}
	return good;
}

/* ---- the worst pairs ------------------------------------------------------------------------------- */

/* Pairs of several sets as one file: pair i has the shapes 2 i and 2 i + 1. */
static bool write_worst(const char *path, const score *of)
{
	capture_shape shapes[2 * SCORE_WORST_MAX];
	capture_pair pairs[SCORE_WORST_MAX];
	float(*vertices)[3] = malloc(2 * SCORE_WORST_MAX * (size_t)CAPTURE_HULL_VERTEX_MAX * sizeof *vertices);
	uint32_t vertex_count = 0;
	if (!vertices)
		return fail("no memory for the worst pairs");
	for (int index = 0; index < of->worst_count; index++) {
		const pair_set *set = of->worst[index].set;
		pairs[index] = set->pairs[of->worst[index].row];
		for (int side = 0; side < 2; side++) {
			capture_shape *shape = &shapes[2 * index + side];
			*shape = set->shapes[side == 0 ? pairs[index].a : pairs[index].b];
			memcpy(vertices[vertex_count], set->vertices + shape->first_vertex, shape->vertex_count * sizeof *vertices);
			shape->first_vertex = shape->vertex_count > 0 ? vertex_count : 0;
			vertex_count += shape->vertex_count;
		}
		pairs[index].a = 2 * (uint32_t)index;
		pairs[index].b = pairs[index].a + 1;
	}
	const capture_contents contents = {.shapes = shapes,
		.vertices = (const float(*)[3])vertices,
		.pairs = pairs,
		.shape_count = 2 * (uint32_t)of->worst_count,
		.vertex_count = vertex_count,
		.pair_count = (uint32_t)of->worst_count};
	const bool good = capture_text_write(path, &contents, "the worst pairs of a narrowphase, by widephase-judge");
	free(vertices);
	return good || fail(path);
}

static bool report_worst(const request *wanted, const plugin *with, const score *of)
{
	char path[1024];
	if (of->worst_count == 0)
		return true;
	printf("\nThe worst pairs of %s\n\n| pair of the file | set | row | what | separation | answer | off along the "
		   "normal |\n"
		   "|---|---|---|---|---|---|---|\n",
		with->name);
	for (int index = 0; index < of->worst_count; index++) {
		const score_worst *bad = &of->worst[index];
		printf("| %d | %s, %s | %zu | %s | %.9g | %.9g | %.3g |\n", index, bad->set->kind, bad->set->regime, bad->row,
			bad->reason, bad->truth, bad->said, bad->gap);
	}
	mkdir(wanted->worst_folder, 0777);
	snprintf(path, sizeof path, "%s/%s.pairs", wanted->worst_folder, with->name);
	return write_worst(path, of);
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static int run(const request *wanted)
{
	static score totals[PLUGIN_MAX];
	const corpus_group files = {"Files", wanted->files, wanted->file_count};
	bool good = true, wrong = false;
	if (wanted->file_count > 0)
		good = run_group(wanted, &files, totals);
	for (size_t index = 0; index < GROUP_MAX && good && wanted->file_count == 0; index++)
		if (!wanted->corpus_name || strstr(corpus[index].title, wanted->corpus_name))
			good = run_group(wanted, &corpus[index], totals);
	for (size_t index = 0; index < wanted->plugin_count; index++) {
		wrong |= is_wrong(&totals[index]);
		good = good && (!wanted->worst_folder || report_worst(wanted, &wanted->plugins[index], &totals[index]));
		score_free(&totals[index]);
	}
	if (!good)
		return OPTIONS_EXIT_CODE;
	return wanted->is_strict && wrong ? EXIT_BROKEN : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static request wanted;
	const int code = parse(&wanted, argc, argv) ? run(&wanted) : OPTIONS_EXIT_CODE;
	for (size_t index = 0; index < wanted.plugin_count; index++)
		plugin_free(&wanted.plugins[index]);
	sets_free();
	return code;
}
