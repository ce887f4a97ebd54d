#include "work.h"

#include <math.h>
#include <stdlib.h>

static const char *const query_names[WORK_QUERY_COUNT] = {"overlap", "distance", "contact", "signed"};

const char *work_query_name(work_query which) { return query_names[which]; }

const char *work_variant_name(unsigned variant)
{
	return variant == WORK_REFERENCE ? "reference" : wp_variant_name((wp_variant)variant);
}

/* ---- memory --------------------------------------------------------------------------------------- */

typedef struct buffer {
	void *memory;
	size_t size;
} buffer;

static buffer row_buffer, overlap_buffer, reference_buffer;
static void *workspaces[WP_VARIANT_COUNT][WORK_THREADS_MAX];

static void *reserve(buffer *of, size_t count, size_t size)
{
	const size_t wanted = (count * size / WP_ALIGNMENT + 1) * WP_ALIGNMENT;
	if (of->size < wanted) {
		free(of->memory);
		of->memory = aligned_alloc(WP_ALIGNMENT, wanted);
		of->size = of->memory ? wanted : 0;
	}
	return of->memory;
}

wp_row *work_rows(size_t count) { return reserve(&row_buffer, count, sizeof(wp_row)); }

uint8_t *work_overlaps(size_t count) { return reserve(&overlap_buffer, count, 1); }

wp_reference_row *work_reference_rows(size_t count)
{
	return reserve(&reference_buffer, count, sizeof(wp_reference_row));
}

wp_workspace *work_workspace(wp_variant variant, unsigned thread, wp_error *error)
{
	*error = WP_ERROR_MEMORY_TOO_SMALL;
	if (thread >= WORK_THREADS_MAX)
		return NULL;
	void **memory = &workspaces[variant][thread];
	if (!*memory)
		*memory = aligned_alloc(WP_ALIGNMENT, WP_WORKSPACE_SIZE);
	if (!*memory)
		return NULL;
	/* Made anew each time, which costs next to nothing. */
	wp_workspace *workspace;
	*error = wp_workspace_init(*memory, WP_WORKSPACE_SIZE, variant, &workspace);
	return workspace;
}

bool work_fail(bench_report *report, const char *reason)
{
	snprintf(report->error, BENCH_ERROR_MAX, "%s", reason);
	return false;
}

wp_workspace *work_prepare(wp_variant variant, size_t count, bench_report *report)
{
	wp_error error;
	wp_workspace *workspace = work_workspace(variant, 0, &error);
	if (workspace && work_rows(count))
		return workspace;
	work_fail(report, workspace ? "no memory for the answers" : wp_error_text(error));
	return NULL;
}

void work_free(void)
{
	buffer *const buffers[] = {&row_buffer, &overlap_buffer, &reference_buffer};
	for (size_t index = 0; index < sizeof buffers / sizeof *buffers; index++) {
		free(buffers[index]->memory);
		*buffers[index] = (buffer){0};
	}
	for (size_t variant = 0; variant < WP_VARIANT_COUNT; variant++)
		for (size_t thread = 0; thread < WORK_THREADS_MAX; thread++) {
			free(workspaces[variant][thread]);
			workspaces[variant][thread] = NULL;
		}
}

/* ---- answering ------------------------------------------------------------------------------------ */

wp_error work_answer(wp_workspace *workspace, work_query which, const wp_batch *batch, wp_row *rows, uint8_t *overlaps,
	wp_statistics *statistics)
{
	const wp_results only_overlap = {.overlap = {overlaps}};
	const wp_results all = wp_results_of_rows(rows);
	switch (which) {
	case WORK_OVERLAP:
		return wp_overlap(workspace, batch, &only_overlap, statistics);
	case WORK_DISTANCE:
		return wp_distance(workspace, batch, &all, statistics);
	case WORK_CONTACT:
		return wp_contact(
			workspace, batch, &(wp_contact_options){.max_separation = WORK_MAX_SEPARATION}, &all, statistics);
	default:
		return wp_contact(workspace, batch, &(wp_contact_options){.max_separation = INFINITY}, &all, statistics);
	}
}

/* ---- counters ------------------------------------------------------------------------------------- */

typedef struct answers {
	work_query which;
	const wp_row *rows;
	const uint8_t *overlaps;
	const wp_reference_row *reference_rows;
} answers;

static answer_kind said_by_library(const void *context, size_t row, double *separation)
{
	const answers *all = context;
	if (all->which == WORK_OVERLAP)
		return all->overlaps[row] ? ANSWER_OVERLAP : ANSWER_APART;
	const wp_row *answer = &all->rows[row];
	*separation = answer->separation;
	if (answer->status & WP_STATUS_INVALID)
		return ANSWER_NONE;
	if (answer->status & WP_STATUS_BEYOND)
		return ANSWER_APART;
	return all->which == WORK_DISTANCE ? ANSWER_UNSIGNED : ANSWER_SIGNED;
}

static answer_kind said_by_reference(const void *context, size_t row, double *separation)
{
	const answers *all = context;
	const wp_reference_row *answer = &all->reference_rows[row];
	*separation = answer->separation;
	return answer->status & WP_STATUS_INVALID ? ANSWER_NONE : ANSWER_SIGNED;
}

void work_count_statistics(const wp_statistics *statistics, bench_report *report)
{
	const double rows = (double)statistics->rows;
	bench_count(report, "steps", (double)(statistics->gjk_iterations + statistics->epa_iterations) / rows);
	if (statistics->lanes_issued > 0)
		bench_count(report, "lanes", (double)statistics->lanes_live / (double)statistics->lanes_issued);
	bench_count(report, "epa_rows", (double)statistics->epa_rows / rows);
	if (statistics->strong > 0)
		bench_count(report, "strong", (double)statistics->strong / rows);
}

void work_count_errors(const set_errors *errors, bench_report *report)
{
	if (!isnan(errors->err_max)) {
		bench_count(report, "err_max", errors->err_max);
		bench_count(report, "err_p999", errors->err_p999);
	}
	bench_count(report, "wrong", errors->wrong);
	if (errors->none > 0.0)
		bench_count(report, "none", errors->none);
}

static bool answer_once(
	pair_set *set, work_query which, unsigned variant, answers *all, wp_statistics *statistics, bench_report *report)
{
	const wp_batch batch = scene_batch(&set->scene, set->pairs, set->count);
	wp_error error;
	if (variant == WORK_REFERENCE) {
		wp_reference_row *rows = work_reference_rows(set->count);
		all->reference_rows = rows;
		error = wp_reference_contact(&batch, set->scene.shapes, set->scene.shape_count, rows);
		return error == WP_OK || work_fail(report, wp_error_text(error));
	}
	wp_workspace *workspace = work_workspace((wp_variant)variant, 0, &error);
	if (workspace)
		error = work_answer(workspace, which, &batch, work_rows(set->count), work_overlaps(set->count), statistics);
	all->rows = row_buffer.memory;
	all->overlaps = overlap_buffer.memory;
	return error == WP_OK || work_fail(report, wp_error_text(error));
}

bool work_count(pair_set *set, work_query which, unsigned variant, bench_report *report)
{
	answers all = {.which = which};
	wp_statistics statistics = {0};
	set_errors errors;
	if (!work_rows(set->count) || !work_overlaps(set->count) || !work_reference_rows(set->count))
		return work_fail(report, "no memory for the answers");
	if (!set_load_truth(set, report->error) || !answer_once(set, which, variant, &all, &statistics, report))
		return false;
	if (!set_judge(set, variant == WORK_REFERENCE ? said_by_reference : said_by_library, &all, &errors))
		return work_fail(report, "no memory for the errors");
	if (variant != WORK_REFERENCE)
		work_count_statistics(&statistics, report);
	work_count_errors(&errors, report);
	return true;
}
