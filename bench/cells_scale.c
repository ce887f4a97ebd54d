/* Cells of size: batches from one row to a million, threads, caches. All are contacts of the engine's regime.
 */
#include "cells.h"
#include "support/gen_random.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS_MAX 1000000
#define ROWS_THREADS 65536
#define COLD_PAIRS 50000
#define COLD_SHAPES 10000
#define COLD_SEED 7u

static const char *const kinds[] = {"box", "hull32"};
#define KINDS (sizeof kinds / sizeof *kinds)

/* A set's pairs over and over, ROWS_MAX of them; shared by the cells of a kind. */
static capture_pair *repeated[KINDS];

static bool repeat_pairs(size_t kind, const pair_set *set)
{
	if (repeated[kind])
		return true;
	repeated[kind] = cells_allocate(ROWS_MAX * sizeof *repeated[kind]);
	for (size_t row = 0; repeated[kind] && row < ROWS_MAX; row++)
		repeated[kind][row] = set->pairs[row % set->count];
	return repeated[kind] != NULL;
}

/* ---- batches and threads -------------------------------------------------------------------------- */

typedef struct scale_cell {
	pair_set *set;
	size_t kind;
	wp_variant variant;
	size_t rows;  /* a pass answers that many */
	size_t chunk; /* a call answers that many; 0: one of the calls for one pair */
	bool is_prepared;
} scale_cell;

/* Threads take ranges that differ by one row at most. */
static size_t range_start(const scale_cell *cell, unsigned thread, unsigned threads)
{
	return cell->rows * thread / threads;
}

static bool prepare_scale(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	scale_cell *cell = context;
	wp_error error;
	if (!set_load(cell->set, report->error))
		return false;
	if (!repeat_pairs(cell->kind, cell->set) || !work_rows(cell->rows))
		return work_fail(report, "no memory for the rows");
	if (!work_workspace(cell->variant, thread, &error))
		return work_fail(report, wp_error_text(error));
	report->items = (double)(range_start(cell, thread + 1, threads) - range_start(cell, thread, threads));
	return true;
}

static void run_scale(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	const scale_cell *cell = context;
	wp_error error;
	wp_workspace *workspace = work_workspace(cell->variant, thread, &error);
	wp_batch batch = scene_batch(&cell->set->scene, repeated[cell->kind], cell->rows);
	wp_row *rows = work_rows(cell->rows);
	const size_t start = range_start(cell, thread, threads), end = range_start(cell, thread + 1, threads);
	for (uint64_t pass = 0; pass < iterations; pass++)
		for (size_t first = start; first < end; first += batch.count) {
			batch.first = first;
			batch.count = end - first < cell->chunk ? end - first : cell->chunk;
			work_answer(workspace, WORK_CONTACT, &batch, rows, NULL, NULL);
		}
}

/* One pair by one of its calls. */
static void run_pair(wp_workspace *workspace, const scale_cell *cell, const capture_pair *pair, wp_row *row)
{
	const capture_scene *const scene = &cell->set->scene;
	wp_pose a, b;
	memcpy(a.position, pair->position_a, sizeof a.position);
	memcpy(a.rotation, pair->rotation_a, sizeof a.rotation);
	memcpy(b.position, pair->position_b, sizeof b.position);
	memcpy(b.rotation, pair->rotation_b, sizeof b.rotation);
	if (cell->is_prepared) {
		const wp_pair prepared = {
			scene->table, pair->a, pair->b, a.position, a.rotation, b.position, b.rotation, WP_REAL_FLOAT};
		wp_contact_prepared(
			workspace, &prepared, &(wp_contact_options){.max_separation = WORK_MAX_SEPARATION}, NULL, row);
	} else {
		wp_contact_pair(workspace, &scene->shapes[pair->a], &a, &scene->shapes[pair->b], &b,
			&(wp_contact_options){.max_separation = WORK_MAX_SEPARATION}, row);
	}
}

/* The same pairs by a call for each. */
static void run_pairs(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	const scale_cell *cell = context;
	wp_error error;
	wp_workspace *workspace = work_workspace(cell->variant, thread, &error);
	wp_row *rows = work_rows(cell->rows);
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++)
		for (size_t row = 0; row < cell->rows; row++)
			run_pair(workspace, cell, &repeated[cell->kind][row], &rows[row]);
}

static bool add_scale(const char *subject, const scale_cell *made, const char *ending, unsigned threads)
{
	char name[CELLS_NAME_MAX];
	scale_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = *made;
	snprintf(name, sizeof name, "%s/%s/engine/%s%s", subject, made->set->kind, wp_variant_name(made->variant), ending);
	bench_add(&(bench_cell){.name = name,
		.context = cell,
		.prepare = prepare_scale,
		.run = made->chunk ? run_scale : run_pairs,
		.threads = threads});
	return true;
}

static bool add_batches(const scale_cell *base)
{
	static const size_t sizes[] = {1, 16, 256, 4096, 65536, ROWS_MAX};
	char ending[32];
	scale_cell cell = *base;
	cell.rows = 4096;
	cell.chunk = 0;
	if (!add_scale("batch", &cell, "/pair", 0))
		return false;
	cell.is_prepared = true;
	if (!add_scale("batch", &cell, "/prepared", 0))
		return false;
	cell.is_prepared = false;
	for (size_t index = 0; index < sizeof sizes / sizeof *sizes; index++) {
		cell.chunk = sizes[index];
		cell.rows = sizes[index] > 4096 ? sizes[index] : 4096;
		snprintf(ending, sizeof ending, "/%zu", sizes[index]);
		if (!add_scale("batch", &cell, ending, 0))
			return false;
	}
	return true;
}

/* Powers of two up to the machine's threads, and those. */
static bool add_threads(const scale_cell *base)
{
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	const unsigned most = online < 1 ? 1 : online > WORK_THREADS_MAX ? WORK_THREADS_MAX : (unsigned)online;
	scale_cell cell = *base;
	cell.rows = cell.chunk = ROWS_THREADS;
	for (unsigned threads = 1;; threads = 2 * threads < most ? 2 * threads : most) {
		if (!add_scale("threads", &cell, "", threads))
			return false;
		if (threads == most)
			return true;
	}
}

static bool each_variant(bool (*add)(const scale_cell *base))
{
	for (size_t kind = 0; kind < KINDS; kind++) {
		pair_set *set = sets_find(kinds[kind], "engine");
		if (!set)
			return false;
		for (unsigned variant = WP_VARIANT_AUTO; variant < WP_VARIANT_COUNT; variant++) {
			const scale_cell base = {.set = set, .kind = kind, .variant = (wp_variant)variant};
			if (wp_variant_available(base.variant) == WP_OK && !add(&base))
				return false;
		}
	}
	return true;
}

bool cells_add_batches(void) { return each_variant(add_batches); }

bool cells_add_threads(void) { return each_variant(add_threads); }

/* ---- cold caches ---------------------------------------------------------------------------------- */

/* Bodies as an engine holds them. Each is in one pair. */
typedef struct body {
	float position[3];
	float rotation[4];
	uint32_t shape;
} body;

typedef struct body_pair {
	uint32_t a, b;
} body_pair;

typedef struct cold_scene {
	pair_kind kind;
	capture_scene scene;
	body *bodies;             /* [2 * COLD_PAIRS] in random order */
	body_pair *random_pairs;  /* [COLD_PAIRS] in random order */
	body_pair *ordered_pairs; /* the same pairs in the order of their body a */
	bool is_loaded;
} cold_scene;

typedef struct cold_cell {
	cold_scene *scene;
	wp_variant variant;
	bool in_order;
	wp_workspace *workspace;
	wp_statistics statistics;
} cold_cell;

static int by_body(const void *left, const void *right)
{
	const uint32_t a = ((const body_pair *)left)->a, b = ((const body_pair *)right)->a;
	return (a > b) - (a < b);
}

static void shuffle(gen_random *random, uint32_t *indices, uint32_t count)
{
	for (uint32_t index = 0; index < count; index++)
		indices[index] = index;
	for (uint32_t index = count; index > 1; index--) {
		const uint32_t other = gen_below(random, index), kept = indices[other];
		indices[other] = indices[index - 1];
		indices[index - 1] = kept;
	}
}

static void scatter_bodies(cold_scene *scene, const pair_list *list, const uint32_t *places)
{
	for (uint32_t row = 0; row < list->pair_count; row++) {
		const capture_pair *pair = &list->pairs[row];
		const body_pair at = {places[2 * row], places[2 * row + 1]};
		body *a = &scene->bodies[at.a], *b = &scene->bodies[at.b];
		memcpy(a->position, pair->position_a, sizeof a->position);
		memcpy(a->rotation, pair->rotation_a, sizeof a->rotation);
		memcpy(b->position, pair->position_b, sizeof b->position);
		memcpy(b->rotation, pair->rotation_b, sizeof b->rotation);
		a->shape = pair->a;
		b->shape = pair->b;
		scene->random_pairs[row] = scene->ordered_pairs[row] = at;
	}
	qsort(scene->ordered_pairs, list->pair_count, sizeof *scene->ordered_pairs, by_body);
}

static bool fill_cold(cold_scene *scene, const pair_list *list, bench_report *report)
{
	const capture_file made = {.shapes = list->shapes,
		.vertices = list->vertices,
		.shape_count = list->shape_count,
		.vertex_count = list->vertex_count,
		.path = "cold"};
	gen_random random;
	uint32_t *places = calloc(2 * COLD_PAIRS, sizeof *places);
	scene->bodies = cells_allocate(2 * COLD_PAIRS * sizeof *scene->bodies);
	scene->random_pairs = cells_allocate(COLD_PAIRS * sizeof *scene->random_pairs);
	scene->ordered_pairs = cells_allocate(COLD_PAIRS * sizeof *scene->ordered_pairs);
	bool good = places && scene->bodies && scene->random_pairs && scene->ordered_pairs;
	if (!good)
		work_fail(report, "no memory for the bodies");
	good = good && scene_build(&scene->scene, &made, report->error);
	if (good) {
		gen_seed(&random, COLD_SEED);
		shuffle(&random, places, 2 * COLD_PAIRS);
		scatter_bodies(scene, list, places);
	}
	free(places);
	return good;
}

static bool load_cold(cold_scene *scene, bench_report *report)
{
	const pair_request wanted = {scene->kind, PAIR_ENGINE, COLD_SHAPES, COLD_PAIRS, COLD_SEED};
	pair_list list;
	if (scene->is_loaded)
		return true;
	if (!pair_list_make(&wanted, &list))
		return work_fail(report, "no memory for the pairs");
	scene->is_loaded = fill_cold(scene, &list, report);
	pair_list_free(&list);
	return scene->is_loaded;
}

static wp_batch cold_batch(const cold_cell *cell)
{
	const body *bodies = cell->scene->bodies;
	const body_pair *pairs = cell->in_order ? cell->scene->ordered_pairs : cell->scene->random_pairs;
	const size_t stride = sizeof *bodies;
	return (wp_batch){
		.shapes = cell->scene->scene.table,
		.a = {{bodies->position, stride}, {bodies->rotation, stride}, {&bodies->shape, stride}, 2 * COLD_PAIRS,
			WP_REAL_FLOAT},
		.pair_a = {&pairs->a, sizeof *pairs},
		.pair_b = {&pairs->b, sizeof *pairs},
		.count = COLD_PAIRS,
	};
}

static bool prepare_cold(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	cold_cell *cell = context;
	wp_error error;
	(void)threads;
	if (!load_cold(cell->scene, report))
		return false;
	wp_row *rows = work_rows(COLD_PAIRS);
	cell->workspace = work_workspace(cell->variant, thread, &error);
	if (!rows || !cell->workspace)
		return work_fail(report, rows ? wp_error_text(error) : "no memory for the rows");
	if (cell->statistics.rows == 0) {
		const wp_batch batch = cold_batch(cell);
		error = work_answer(cell->workspace, WORK_CONTACT, &batch, rows, NULL, &cell->statistics);
		if (error != WP_OK)
			return work_fail(report, wp_error_text(error));
	}
	report->items = COLD_PAIRS;
	work_count_statistics(&cell->statistics, report);
	return true;
}

static void run_cold(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	const cold_cell *cell = context;
	const wp_batch batch = cold_batch(cell);
	wp_row *rows = work_rows(COLD_PAIRS);
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++)
		work_answer(cell->workspace, WORK_CONTACT, &batch, rows, NULL, NULL);
}

static bool add_cold(cold_scene *scene, wp_variant variant, bool in_order)
{
	char name[CELLS_NAME_MAX];
	cold_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (cold_cell){.scene = scene, .variant = variant, .in_order = in_order};
	snprintf(name, sizeof name, "cold/%s/%s/%s", pair_kind_name(scene->kind), in_order ? "ordered" : "random",
		wp_variant_name(variant));
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare_cold, .run = run_cold});
	return true;
}

static cold_scene cold_scenes[] = {{.kind = PAIR_BOX}, {.kind = PAIR_HULL32}};

bool cells_add_cold(void)
{
	for (size_t index = 0; index < sizeof cold_scenes / sizeof *cold_scenes; index++)
		for (unsigned variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
			if (wp_variant_available((wp_variant)variant) == WP_OK &&
				!(add_cold(&cold_scenes[index], (wp_variant)variant, true) &&
					add_cold(&cold_scenes[index], (wp_variant)variant, false)))
				return false;
	return true;
}

void cells_free_cold(void)
{
	for (size_t index = 0; index < sizeof cold_scenes / sizeof *cold_scenes; index++)
		scene_free(&cold_scenes[index].scene);
}
