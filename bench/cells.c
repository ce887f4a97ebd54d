#include "cells.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory of contexts --------------------------------------------------------------------------- */

typedef union cells_block {
	union cells_block *next;
	max_align_t aligned;
} cells_block;

static cells_block *blocks;

void *cells_allocate(size_t size)
{
	cells_block *block = calloc(1, sizeof *block + size);
	if (!block)
		return NULL;
	block->next = blocks;
	blocks = block;
	return block + 1;
}

void cells_free(void)
{
	while (blocks) {
		cells_block *next = blocks->next;
		free(blocks);
		blocks = next;
	}
}

/* ---- sets ----------------------------------------------------------------------------------------- */

static const char *const recorded_kinds[] = {"wall", "ragdoll", "pile", "meshes", "meshes256"};

bool cells_each_set(bool (*use)(pair_set *set, void *context), void *context)
{
	pair_set *set;
	for (int kind = 0; kind < PAIR_KIND_COUNT; kind++)
		for (int regime = 0; regime < PAIR_REGIME_COUNT; regime++) {
			set = sets_find(pair_kind_name((pair_kind)kind), pair_regime_name((pair_regime)regime));
			if (!set || !use(set, context))
				return false;
		}
	for (size_t index = 0; index < sizeof recorded_kinds / sizeof *recorded_kinds; index++) {
		set = sets_find(recorded_kinds[index], "recorded");
		if (!set || !use(set, context))
			return false;
	}
	return true;
}

/* ---- the library ---------------------------------------------------------------------------------- */

typedef struct library_cell {
	pair_set *set;
	work_query which;
	unsigned variant;
	wp_workspace *workspace;
	bench_report counted; /* once */
	bool is_counted;
} library_cell;

static bool prepare_library(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	library_cell *cell = context;
	wp_error error = WP_OK;
	(void)thread;
	(void)threads;
	if (!set_load(cell->set, report->error))
		return false;
	if (!cell->is_counted && !work_count(cell->set, cell->which, cell->variant, report))
		return false;
	if (!cell->is_counted)
		cell->counted = *report;
	cell->is_counted = true;
	*report = cell->counted;
	report->items = (double)cell->set->count;
	if (cell->variant != WORK_REFERENCE)
		cell->workspace = work_workspace((wp_variant)cell->variant, 0, &error);
	snprintf(report->error, BENCH_ERROR_MAX, "%s", wp_error_text(error));
	return error == WP_OK && work_rows(cell->set->count) && work_overlaps(cell->set->count) &&
	       work_reference_rows(cell->set->count);
}

static void run_library(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	library_cell *cell = context;
	const pair_set *set = cell->set;
	const wp_batch batch = scene_batch(&set->scene, set->pairs, set->count);
	wp_row *rows = work_rows(set->count);
	uint8_t *overlaps = work_overlaps(set->count);
	wp_reference_row *reference_rows = work_reference_rows(set->count);
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++) {
		if (cell->variant == WORK_REFERENCE)
			wp_reference_contact(&batch, set->scene.shapes, set->scene.shape_count, reference_rows);
		else
			work_answer(cell->workspace, cell->which, &batch, rows, overlaps, NULL);
	}
}

static bool add_library(pair_set *set, work_query which, unsigned variant)
{
	char name[CELLS_NAME_MAX];
	library_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (library_cell){.set = set, .which = which, .variant = variant};
	snprintf(
		name, sizeof name, "%s/%s/%s/%s", work_query_name(which), set->kind, set->regime, work_variant_name(variant));
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare_library, .run = run_library});
	return true;
}

static bool add_variants(pair_set *set, void *context)
{
	const work_query which = *(const work_query *)context;
	for (unsigned variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
		if (wp_variant_available((wp_variant)variant) == WP_OK && !add_library(set, which, variant))
			return false;
	return which != WORK_SIGNED || add_library(set, which, WORK_REFERENCE);
}

bool cells_add_library(void)
{
	for (int query = 0; query < WORK_QUERY_COUNT; query++) {
		work_query which = (work_query)query;
		if (!cells_each_set(add_variants, &which))
			return false;
	}
	return true;
}
