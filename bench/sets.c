#include "sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef BENCH_DATA
#error "BENCH_DATA names the folder of the recorded pairs"
#endif

#define PAIRS_ENGINE 4096 /* as many as the recorded sets have */
#define PAIRS_OTHER 1024
#define SEQUENCE_FRAMES 30
#define PATH_MAX_SIZE 1024
/* A reference answer whose bracket is wider, in units of L + |truth|, judges no answer. */
#define TRUTH_BRACKET_MAX 1e-8
#define WRONG_SIDE 1e-4

typedef struct set_node {
	pair_set set;
	struct set_node *next;
} set_node;

static set_node *known;
static const char *data_folder;

void sets_use_folder(const char *folder) { data_folder = folder; }

pair_set *sets_find(const char *kind, const char *regime)
{
	for (set_node *node = known; node; node = node->next)
		if (strcmp(node->set.kind, kind) == 0 && strcmp(node->set.regime, regime) == 0)
			return &node->set;
	set_node *made = calloc(1, sizeof *made);
	if (!made)
		return NULL;
	snprintf(made->set.kind, SET_NAME_MAX, "%s", kind);
	snprintf(made->set.regime, SET_NAME_MAX, "%s", regime);
	made->next = known;
	known = made;
	return &made->set;
}

/* Frees all but the name. */
static void set_clear(pair_set *set)
{
	pair_set cleared = {.count = 0};
	scene_free(&set->scene);
	free(set->shapes);
	free(set->vertices);
	free(set->pairs);
	free(set->path);
	free(set->truth);
	free(set->unit);
	memcpy(cleared.kind, set->kind, sizeof cleared.kind);
	memcpy(cleared.regime, set->regime, sizeof cleared.regime);
	*set = cleared;
}

void sets_free(void)
{
	while (known) {
		set_node *next = known->next;
		set_clear(&known->set);
		free(known);
		known = next;
	}
}

static bool fail(char *error, const pair_set *set, const char *reason)
{
	snprintf(error, CAPTURE_ERROR_MAX, "%s/%s: %s", set->kind, set->regime, reason);
	return false;
}

/* ---- where pairs come from ------------------------------------------------------------------------ */

static bool is_sequence(const pair_set *set) { return strcmp(set->regime, "sequence") == 0; }

static bool readable(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (file)
		fclose(file);
	return file != NULL;
}

/* The path of the set's pair file, where there is one. */
static bool find_pairs(const pair_set *set, char path[PATH_MAX_SIZE])
{
	static const char *const folders[] = {"", "generated/", "recorded/", "sequences/"};
	const bool recorded = strcmp(set->regime, "recorded") == 0;
	char name[2 * SET_NAME_MAX + 16];
	if (recorded)
		snprintf(name, sizeof name, "rec_%s.pairs", set->kind);
	else if (is_sequence(set))
		snprintf(name, sizeof name, "%s.pairs", set->kind);
	else
		snprintf(name, sizeof name, "%s.%s.pairs", set->kind, set->regime);
	for (size_t index = 0; data_folder && index < sizeof folders / sizeof *folders; index++) {
		snprintf(path, PATH_MAX_SIZE, "%s/%s%s", data_folder, folders[index], name);
		if (readable(path))
			return true;
	}
	snprintf(path, PATH_MAX_SIZE, "%s/%s", BENCH_DATA, name);
	return recorded && readable(path);
}

static bool read_pairs(pair_set *set, const char *path, char *error)
{
	capture_file capture;
	if (!capture_open(&capture, path)) {
		memcpy(error, capture.error, CAPTURE_ERROR_MAX);
		return false;
	}
	set->path = malloc(strlen(path) + 1);
	set->pairs = calloc((size_t)capture.pair_count + 1, sizeof *set->pairs);
	bool good = set->path && set->pairs;
	if (!good)
		fail(capture.error, set, "no memory for the pairs");
	good = good && capture_read(&capture, set->pairs, capture.pair_count, &set->count) &&
	       scene_build(&set->scene, &capture, capture.error);
	if (good) {
		memcpy(set->path, path, strlen(path) + 1);
		set->shapes = capture.shapes;
		set->vertices = capture.vertices;
		set->shape_count = capture.shape_count;
		set->vertex_count = capture.vertex_count;
		capture.shapes = NULL;
		capture.vertices = NULL;
	} else {
		memcpy(error, capture.error, CAPTURE_ERROR_MAX);
	}
	capture_close(&capture);
	return good && (set->count > 0 || fail(error, set, "no pairs"));
}

static bool kind_from_name(const pair_set *set, pair_request *wanted)
{
	for (int kind = 0; kind < PAIR_KIND_COUNT; kind++)
		for (int regime = 0; regime < PAIR_REGIME_COUNT; regime++)
			if (strcmp(set->kind, pair_kind_name((pair_kind)kind)) == 0 &&
				strcmp(set->regime, pair_regime_name((pair_regime)regime)) == 0) {
				wanted->kind = (pair_kind)kind;
				wanted->regime = (pair_regime)regime;
				return true;
			}
	return false;
}

/* Sequences are named for their shapes in the plural. */
static bool sequence_from_name(const pair_set *set, pair_request *wanted)
{
	static const struct {
		const char *name;
		pair_kind kind;
	} sequences[] = {{"boxes", PAIR_BOX}, {"capsules", PAIR_CAPSULE}, {"hulls32", PAIR_HULL32}};
	for (size_t index = 0; index < sizeof sequences / sizeof *sequences; index++)
		if (is_sequence(set) && strcmp(set->kind, sequences[index].name) == 0) {
			wanted->kind = sequences[index].kind;
			wanted->regime = PAIR_ENGINE;
			return true;
		}
	return false;
}

static bool make_list(const pair_set *set, pair_request *wanted, pair_list *list)
{
	if (is_sequence(set)) {
		wanted->pair_count = SET_FRAME_PAIRS;
		return pair_sequence_make(wanted, SEQUENCE_FRAMES, list);
	}
	wanted->pair_count = wanted->regime == PAIR_ENGINE ? PAIRS_ENGINE : PAIRS_OTHER;
	return pair_list_make(wanted, list);
}

static bool make_pairs(pair_set *set, char *error)
{
	pair_request wanted = {.shape_count = PAIR_SHAPES, .seed = PAIR_SEED};
	pair_list list;
	if (!kind_from_name(set, &wanted) && !sequence_from_name(set, &wanted))
		return fail(error, set, "no such kind and regime, and no file of that name");
	if (!make_list(set, &wanted, &list))
		return fail(error, set, "no memory for the pairs");
	set->shapes = list.shapes;
	set->vertices = list.vertices;
	set->pairs = list.pairs;
	set->shape_count = list.shape_count;
	set->vertex_count = list.vertex_count;
	set->count = list.pair_count;
	const capture_file made = {.shapes = list.shapes,
		.vertices = list.vertices,
		.shape_count = list.shape_count,
		.vertex_count = list.vertex_count,
		.path = set->kind};
	return scene_build(&set->scene, &made, error);
}

bool set_load(pair_set *set, char error[CAPTURE_ERROR_MAX])
{
	char path[PATH_MAX_SIZE];
	if (set->scene.table)
		return true;
	const bool good = find_pairs(set, path) ? read_pairs(set, path, error) : make_pairs(set, error);
	if (!good)
		set_clear(set);
	return good;
}

/* ---- exact answers -------------------------------------------------------------------------------- */

static double larger_bound(const pair_set *set, size_t row)
{
	const capture_pair *pair = &set->pairs[row];
	return fmax(wp_shape_table_bound(set->scene.table, pair->a), wp_shape_table_bound(set->scene.table, pair->b));
}

/* The path of the truth file beside the set's pair file, where there is one. */
static bool find_truth(const pair_set *set, char path[PATH_MAX_SIZE])
{
	static const char ending[] = ".pairs";
	const size_t length = set->path ? strlen(set->path) : 0;
	if (length < sizeof ending || length >= PATH_MAX_SIZE)
		return false;
	snprintf(path, PATH_MAX_SIZE, "%.*s.truth", (int)(length - strlen(ending)), set->path);
	return readable(path);
}

static bool read_truth(pair_set *set, const char *path, char *error)
{
	capture_truth_file file;
	capture_truth *rows = calloc(set->count + 1, sizeof *rows);
	size_t count = 0;
	if (!rows)
		return fail(error, set, "no memory for the exact answers");
	bool good = capture_truth_open(&file, path, (uint32_t)set->count);
	if (good) {
		good = capture_truth_read(&file, rows, set->count, &count) && count == set->count;
		capture_truth_close(&file);
	}
	if (!good)
		memcpy(error, file.error, CAPTURE_ERROR_MAX);
	for (size_t row = 0; good && row < set->count; row++)
		set->truth[row] = rows[row].separation;
	free(rows);
	return good;
}

static bool compute_truth(pair_set *set, char *error)
{
	wp_reference_row *rows = calloc(set->count + 1, sizeof *rows);
	if (!rows)
		return fail(error, set, "no memory for the exact answers");
	const wp_batch batch = scene_batch(&set->scene, set->pairs, set->count);
	const wp_error code = wp_reference_contact(&batch, set->scene.shapes, set->scene.shape_count, rows);
	for (size_t row = 0; code == WP_OK && row < set->count; row++) {
		const double unit = larger_bound(set, row) + fabs(rows[row].separation);
		const bool sharp = rows[row].upper - rows[row].lower <= TRUTH_BRACKET_MAX * unit;
		set->truth[row] = sharp ? rows[row].separation : (double)NAN;
	}
	free(rows);
	return code == WP_OK || fail(error, set, wp_error_text(code));
}

bool set_load_truth(pair_set *set, char error[CAPTURE_ERROR_MAX])
{
	char path[PATH_MAX_SIZE];
	if (set->unit)
		return true;
	set->truth = calloc(set->count + 1, sizeof *set->truth);
	double *unit = calloc(set->count + 1, sizeof *unit);
	bool good = set->truth && unit;
	if (!good)
		fail(error, set, "no memory for the exact answers");
	if (good)
		good = find_truth(set, path) ? read_truth(set, path, error) : compute_truth(set, error);
	if (!good) {
		free(set->truth);
		free(unit);
		set->truth = NULL;
		return false;
	}
	for (size_t row = 0; row < set->count; row++)
		unit[row] = larger_bound(set, row) + fabs(set->truth[row]);
	set->unit = unit;
	return true;
}

/* ---- errors --------------------------------------------------------------------------------------- */

static int ascending(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* Adds a row to the counts; true when it has an error of its separation. */
static bool judge_row(const pair_set *set, size_t row, answer_kind kind, double said, set_errors *errors, double *error)
{
	const double truth = set->truth[row], unit = set->unit[row];
	if (kind == ANSWER_NONE || (kind != ANSWER_APART && kind != ANSWER_OVERLAP && isnan(said))) {
		errors->none++;
		return false;
	}
	const bool apart = kind == ANSWER_APART || (kind != ANSWER_OVERLAP && said > 0.0);
	if (fabs(truth) > WRONG_SIDE * unit && apart != (truth > 0.0))
		errors->wrong++;
	if (kind == ANSWER_APART || kind == ANSWER_OVERLAP)
		return false;
	const double exact = kind == ANSWER_UNSIGNED ? fmax(truth, 0.0) : truth;
	*error = fabs(said - exact) / unit;
	return true;
}

bool set_judge(const pair_set *set, set_answer said, const void *context, set_errors *errors)
{
	double *sorted = calloc(set->count + 1, sizeof *sorted);
	size_t count = 0;
	*errors = (set_errors){.err_max = (double)NAN, .err_p999 = (double)NAN};
	if (!sorted)
		return false;
	for (size_t row = 0; row < set->count; row++) {
		double separation = (double)NAN;
		if (isnan(set->truth[row]))
			continue;
		const answer_kind kind = said(context, row, &separation);
		if (judge_row(set, row, kind, separation, errors, &sorted[count]))
			count++;
	}
	qsort(sorted, count, sizeof *sorted, ascending);
	if (count > 0) {
		errors->err_max = sorted[count - 1];
		errors->err_p999 = sorted[(size_t)ceil(0.999 * (double)count) - 1];
	}
	free(sorted);
	return true;
}
