/* Methods of contact: method/KIND/REGIME/METHOD, within WORK_MAX_SEPARATION, by the best variant. */
#include "cells.h"

#include <math.h>

static const char *const kinds[] = {"box", "boxcapsule", "hull32"};
static const char *const regimes[] = {"engine", "near", "shallow", "deep"};

/* Sizes are 0.1 to 1, so that two margins hold most shallow overlaps. */
#define MARGIN 0.03f

typedef struct method {
	const char *name;
	wp_method method;
	uint32_t directions;
} method;

static const method methods[] = {{"auto", WP_METHOD_AUTO, 0}, {"gjk_epa", WP_METHOD_GJK_EPA, 0},
	{"core", WP_METHOD_CORE, 0}, {"sampled32", WP_METHOD_SAMPLED, 32}, {"sampled128", WP_METHOD_SAMPLED, 128}};

/* Pairs with a scene of their own, whose hulls have faces. */
typedef struct method_set {
	pair_set *set;
	capture_scene scene;
	struct method_set *next;
} method_set;

typedef struct method_cell {
	method_set *on;
	const method *by;
	wp_workspace *workspace;
	bench_report counted;
	bool is_counted;
} method_cell;

static method_set *sets;

static wp_error answer(const method_cell *cell, wp_row *rows, wp_statistics *statistics)
{
	const wp_batch batch = scene_batch(&cell->on->scene, cell->on->set->pairs, cell->on->set->count);
	const wp_results results = wp_results_of_rows(rows);
	const wp_contact_options options = {.max_separation = WORK_MAX_SEPARATION,
		.method = (uint32_t)cell->by->method,
		.method_directions = cell->by->directions,
		.method_margin = MARGIN};
	return wp_contact(cell->workspace, &batch, &options, &results, statistics);
}

/* Errors of the separation and widths of the bracket, in units of L + |truth|, over the rows that have both; and the
 * share of those whose bracket is wider than the accuracy contract. */
static void count_errors(method_cell *cell, const wp_row *rows)
{
	const pair_set *set = cell->on->set;
	double most = 0.0, sum = 0.0, width = 0.0, wide = 0.0, count = 0.0;
	for (size_t row = 0; row < set->count; row++) {
		if (isnan(set->truth[row]) || rows[row].status & (WP_STATUS_BEYOND | WP_STATUS_INVALID))
			continue;
		const double error = fabs((double)rows[row].separation - set->truth[row]) / set->unit[row];
		most = fmax(most, error);
		sum += error;
		width += ((double)rows[row].upper - (double)rows[row].lower) / set->unit[row];
		wide += (rows[row].status & WP_STATUS_WIDE_BRACKET) != 0;
		count++;
	}
	if (count == 0.0)
		return;
	bench_count(&cell->counted, "err_max", most);
	bench_count(&cell->counted, "err_mean", sum / count);
	bench_count(&cell->counted, "bracket", width / count);
	bench_count(&cell->counted, "wide", wide / count);
}

static bool prepare(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	method_cell *cell = context;
	method_set *on = cell->on;
	wp_statistics statistics = {0};
	(void)thread;
	(void)threads;
	if (!set_load(on->set, report->error) || !set_load_truth(on->set, report->error))
		return false;
	if (!on->scene.table && !cells_build_faces(on->set, &on->scene, report))
		return false;
	cell->workspace = work_prepare(wp_variant_best(), on->set->count, report);
	if (!cell->workspace)
		return false;
	if (!cell->is_counted) {
		const wp_error error = answer(cell, work_rows(on->set->count), &statistics);
		if (error != WP_OK)
			return work_fail(report, wp_error_text(error));
		work_count_statistics(&statistics, &cell->counted);
		count_errors(cell, work_rows(on->set->count));
		cell->counted.items = (double)on->set->count;
		cell->is_counted = true;
	}
	*report = cell->counted;
	return true;
}

static void run(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	method_cell *cell = context;
	wp_row *rows = work_rows(cell->on->set->count);
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++)
		answer(cell, rows, NULL);
}

static bool add_set(const char *kind, const char *regime)
{
	method_set *on = cells_allocate(sizeof *on);
	if (!on)
		return false;
	*on = (method_set){.set = sets_find(kind, regime), .next = sets};
	sets = on;
	if (!on->set)
		return false;
	for (size_t index = 0; index < sizeof methods / sizeof *methods; index++) {
		char name[CELLS_NAME_MAX];
		method_cell *cell = cells_allocate(sizeof *cell);
		if (!cell)
			return false;
		*cell = (method_cell){.on = on, .by = &methods[index]};
		snprintf(name, sizeof name, "method/%s/%s/%s", kind, regime, methods[index].name);
		bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare, .run = run});
	}
	return true;
}

bool cells_add_methods(void)
{
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
		for (size_t regime = 0; regime < sizeof regimes / sizeof *regimes; regime++)
			if (!add_set(kinds[kind], regimes[regime]))
				return false;
	return true;
}

void cells_free_methods(void)
{
	for (; sets; sets = sets->next)
		scene_free(&sets->scene);
}
