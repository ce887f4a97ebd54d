#include "compare_counts.h"

#include "core/contract.h"
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void compare_counts_start(compare_counts *counts, unsigned variant, size_t capacity)
{
	memset(counts, 0, sizeof *counts);
	counts->variant = variant;
	counts->errors = allocate(capacity, sizeof *counts->errors);
}

void compare_counts_free(compare_counts *counts) { free(counts->errors); }

/* A NaN is the worst there is; fmax would drop it. */
static double worse(double so_far, double value) { return isnan(value) || value > so_far ? value : so_far; }

void compare_counts_add(compare_counts *counts, const verdict *result)
{
	for (int bit = 0; bit < 32; bit++)
		counts->statuses[bit] += result->status >> bit & 1;
	for (int bit = 0; bit < VIOLATION_COUNT; bit++)
		counts->violations[bit] += result->violations >> bit & 1;
	if (!result->judged)
		return;
	double error = isnan(result->separation_error) ? INFINITY : result->separation_error;
	counts->errors[counts->judged++] = error;
	counts->error_sum += error;
	counts->over_typical += error > result->typical;
	counts->wrong_overlaps += result->wrong_overlap;
	counts->error_max = fmax(counts->error_max, error);
	counts->support_gap_max = worse(counts->support_gap_max, result->support_gap_error);
	counts->point_max = worse(counts->point_max, result->point_error);
	if (result->angle != -1.0) {
		counts->angles++;
		counts->angle_max = worse(counts->angle_max, result->angle);
	}
}

static bool typical_share_holds(const compare_counts *counts)
{
	return (double)counts->over_typical <= (1.0 - WP_CONTRACT_TYPICAL_SHARE) * (double)counts->judged;
}

bool compare_counts_holds(const compare_counts *counts)
{
	uint64_t total = 0;
	for (int bit = 0; bit < VIOLATION_COUNT; bit++)
		total += counts->violations[bit];
	return total == 0 && typical_share_holds(counts);
}

/* Smallest error that WP_CONTRACT_TYPICAL_SHARE of the rows keep. */
static double typical_error(compare_counts *counts)
{
	if (counts->judged == 0)
		return 0.0;
	qsort(counts->errors, counts->judged, sizeof *counts->errors, ascending);
	uint64_t rank = (uint64_t)ceil(WP_CONTRACT_TYPICAL_SHARE * (double)counts->judged);
	return counts->errors[rank - 1];
}

static uint64_t status_count(const compare_counts *counts, uint32_t status)
{
	int bit = 0;
	while (!(status >> bit & 1))
		bit++;
	return counts->statuses[bit];
}

void compare_counts_print_header(void)
{
	printf("  %-10s %8s  %9s %9s %9s %9s %9s %9s %6s %6s %5s %5s %5s %5s\n", "", "pairs", "max", "99.9 %", "mean",
		"gap max", "point max", "angle max", "wrong", "touch", "flat", "cap", "wide", "strong");
}

void compare_counts_print(compare_counts *counts)
{
	double mean = counts->judged ? counts->error_sum / (double)counts->judged : 0.0;
	printf("  %-10s %8llu  %9.2e %9.2e %9.2e %9.2e %9.2e %8.4f° %6llu %6llu %5llu %5llu %5llu %5llu\n",
		variant_name(counts->variant), (unsigned long long)counts->judged, counts->error_max, typical_error(counts),
		mean, counts->support_gap_max, counts->point_max, counts->angle_max, (unsigned long long)counts->wrong_overlaps,
		(unsigned long long)status_count(counts, WP_STATUS_TOUCHING),
		(unsigned long long)status_count(counts, WP_STATUS_DEGENERATE),
		(unsigned long long)(status_count(counts, WP_STATUS_ITERATION_CAP) + status_count(counts, WP_STATUS_CAPACITY)),
		(unsigned long long)status_count(counts, WP_STATUS_WIDE_BRACKET),
		(unsigned long long)status_count(counts, WP_STATUS_STRONG));
}

void compare_counts_print_violations(const compare_counts *counts)
{
	for (int bit = 0; bit < VIOLATION_COUNT; bit++)
		if (counts->violations[bit])
			printf("  %-10s %8llu rows: %s\n", variant_name(counts->variant),
				(unsigned long long)counts->violations[bit], violation_name(bit));
	if (!typical_share_holds(counts))
		printf("  %-10s %8llu rows: separation error above the typical, more than %g %% of them\n",
			variant_name(counts->variant), (unsigned long long)counts->over_typical,
			100.0 * (1.0 - WP_CONTRACT_TYPICAL_SHARE));
}

/* ---- the worst pairs -------------------------------------------------------------------------------- */

/* Violations before mere errors, then by size of the error in units of its bound. */
static double badness(const worst_pair *pair)
{
	const verdict *result = &pair->result;
	double error = fmax(result->separation_error, fmax(result->support_gap_error, result->point_error));
	if (isnan(result->separation_error) || isnan(result->support_gap_error) || isnan(result->point_error))
		error = INFINITY;
	return (result->violations ? 1e9 : 0.0) + fmin(error / WP_CONTRACT, 1e8);
}

static void remove_at(worst_list *list, size_t place)
{
	list->count--;
	memmove(&list->pairs[place], &list->pairs[place + 1], (list->count - place) * sizeof *list->pairs);
}

void worst_add(worst_list *list, const worst_pair *pair)
{
	double bad = badness(pair);
	if (list->count == WORST_MAX && bad <= badness(&list->pairs[WORST_MAX - 1]))
		return;
	for (size_t place = 0; place < list->count; place++) {
		if (list->pairs[place].index != pair->index)
			continue;
		if (bad <= badness(&list->pairs[place]))
			return;
		remove_at(list, place);
	}
	if (list->count == WORST_MAX)
		list->count--;
	size_t place = list->count++;
	for (; place > 0 && badness(&list->pairs[place - 1]) < bad; place--)
		list->pairs[place] = list->pairs[place - 1];
	list->pairs[place] = *pair;
}

static void print_violation_names(uint32_t violations)
{
	const char *separator = "";
	for (int bit = 0; bit < VIOLATION_COUNT; bit++) {
		if (!(violations >> bit & 1))
			continue;
		printf("%s%s", separator, violation_name(bit));
		separator = ", ";
	}
}

void worst_print(const worst_list *list, const capture_file *capture, bool broken_only)
{
	printf("  %9s  %-10s %-18s %15s %15s %9s %9s %9s  %s\n", "pair", "by", "kinds", "truth", "separation", "error",
		"gap", "point", "broken");
	for (size_t place = 0; place < list->count; place++) {
		const worst_pair *pair = &list->pairs[place];
		if (broken_only && !pair->result.violations)
			continue;
		char kinds[32], status[WP_STATUS_TEXT_MAX];
		snprintf(kinds, sizeof kinds, "%s-%s", capture_kind_name(capture->shapes[pair->record.a].kind),
			capture_kind_name(capture->shapes[pair->record.b].kind));
		printf("  %9llu  %-10s %-18s %15.8g %15.8g %9.2e %9.2e %9.2e  ", (unsigned long long)pair->index,
			variant_name(pair->variant), kinds, pair->truth.separation, pair->separation, pair->result.separation_error,
			pair->result.support_gap_error, pair->result.point_error);
		print_violation_names(pair->result.violations);
		wp_status_text(pair->result.status, status, sizeof status);
		printf(" [%s]\n", status);
	}
}

/* ---- saving ----------------------------------------------------------------------------------------- */

typedef struct extract {
	capture_shape shapes[2 * WORST_MAX];
	uint32_t old_index[2 * WORST_MAX];
	uint32_t shape_count, vertex_count;
	float (*vertices)[3];
} extract;

/* The shape's index in the extract, where it is added unless it is there. */
static uint32_t extract_shape(extract *part, const capture_file *capture, uint32_t old)
{
	for (uint32_t index = 0; index < part->shape_count; index++)
		if (part->old_index[index] == old)
			return index;
	capture_shape *shape = &part->shapes[part->shape_count];
	*shape = capture->shapes[old];
	part->old_index[part->shape_count] = old;
	if (shape->kind == CAPTURE_HULL) {
		memcpy(part->vertices[part->vertex_count], capture->vertices[shape->first_vertex],
			(size_t)shape->vertex_count * CAPTURE_VERTEX_SIZE);
		shape->first_vertex = part->vertex_count;
		part->vertex_count += shape->vertex_count;
	}
	return part->shape_count++;
}

/* `path` with ".pairs" at its end, if there, become ".truth". */
static void truth_path_of(const char *path, char *truth_path, size_t size)
{
	size_t stem = strlen(path);
	if (stem >= 6 && strcmp(path + stem - 6, ".pairs") == 0)
		stem -= 6;
	snprintf(truth_path, size, "%.*s.truth", (int)stem, path);
}

bool worst_may_save(const char *path, const char *pairs_path, const char *truth_path, char *error)
{
	char beside[4096];
	truth_path_of(path, beside, sizeof beside);
	const char *const written[2] = {path, truth_path ? beside : NULL}, *const read[2] = {pairs_path, truth_path};
	for (int to = 0; to < 2; to++) {
		for (int from = 0; from < 2; from++) {
			if (written[to] && read[from] && system_is_same_file(written[to], read[from]))
				return capture_fail(error, written[to], "is a file that is read: it would be written over", "");
		}
	}
	return true;
}

bool worst_save(const worst_list *list, const capture_file *capture, bool with_truth, const char *path, char *error)
{
	char truth_path[4096];
	capture_pair pairs[WORST_MAX];
	capture_truth truth[WORST_MAX];
	capture_cache caches[WORST_MAX];
	extract part = {.shape_count = 0};
	size_t vertex_bound = 0;
	for (size_t place = 0; place < list->count; place++)
		vertex_bound += (size_t)capture->shapes[list->pairs[place].record.a].vertex_count +
		                capture->shapes[list->pairs[place].record.b].vertex_count;
	part.vertices = allocate(vertex_bound, CAPTURE_VERTEX_SIZE);
	for (size_t place = 0; place < list->count; place++) {
		pairs[place] = list->pairs[place].record;
		pairs[place].a = extract_shape(&part, capture, pairs[place].a);
		pairs[place].b = extract_shape(&part, capture, pairs[place].b);
		truth[place] = list->pairs[place].truth;
		caches[place] = list->pairs[place].cache;
	}
	const capture_contents contents = {part.shapes, (const float(*)[3])part.vertices, pairs, part.shape_count,
		part.vertex_count, (uint32_t)list->count, NULL, capture->columns & CAPTURE_CACHES ? caches : NULL};
	bool saved = capture_write(path, &contents, error);
	truth_path_of(path, truth_path, sizeof truth_path);
	saved = saved && (!with_truth || capture_truth_write(truth_path, truth, (uint32_t)list->count, error));
	free(part.vertices);
	return saved;
}
