/* Manifolds: manifold/KIND/REGIME/VARIANT, of up to four points within WORK_MAX_SEPARATION. */
#include "cells.h"
#include "peers/peer.h"

#define POINT_MAX 4

static const char *const kinds[] = {"box", "hull8", "hull32", "hull128", "capsule", "boxcapsule", "mixed"};
static const char *const regimes[] = {"engine", "shallow"};

/* Pairs with a scene of their own, whose hulls have faces. */
typedef struct manifold_set {
	pair_set *set;
	capture_scene scene;
	uint32_t *counts;
	wp_manifold_point *points; /* [][POINT_MAX] */
	struct manifold_set *next;
} manifold_set;

typedef struct manifold_cell {
	manifold_set *on;
	wp_variant variant;
	wp_workspace *workspace;
	const peer *of; /* NULL: the library */
	void *scene;
	peer_row *peer_rows;
	bench_report counted;
	bool is_counted;
	struct manifold_cell *next;
} manifold_cell;

static manifold_set *sets;
static manifold_cell *cells;

static bool fail(bench_report *report, const char *reason)
{
	snprintf(report->error, BENCH_ERROR_MAX, "%s", reason);
	return false;
}

static bool load(manifold_set *on, bench_report *report)
{
	pair_set *set = on->set;
	if (!set_load(set, report->error))
		return false;
	if (on->scene.table)
		return true;
	const capture_file made = {.shapes = set->shapes,
	    .vertices = set->vertices,
	    .shape_count = set->shape_count,
	    .vertex_count = set->vertex_count,
	    .path = set->kind};
	on->counts = cells_allocate(set->count * sizeof *on->counts);
	on->points = cells_allocate(set->count * POINT_MAX * sizeof *on->points);
	if (!on->counts || !on->points)
		return fail(report, "no memory for the points");
	if (!scene_build(&on->scene, &made, report->error) || !scene_add_faces(&on->scene, &made, report->error))
		return false;
	if (on->scene.faceless_count == 0)
		return true;
	scene_free(&on->scene);
	return fail(report, "hulls without faces: was widephase-cook built?");
}

static wp_error answer(const manifold_cell *cell, wp_row *rows, wp_statistics *statistics)
{
	const manifold_set *on = cell->on;
	const wp_batch batch = scene_batch(&on->scene, on->set->pairs, on->set->count);
	const wp_results results = wp_results_of_rows(rows);
	const wp_manifolds manifolds = {.count = on->counts, .points = on->points, .point_max = POINT_MAX};
	return wp_contact_manifold(
	    cell->workspace, &batch, WORK_MAX_SEPARATION, &results, &manifolds, statistics);
}

/* Share of the pairs that have points, and how many those have in the mean. */
static void count_points(manifold_cell *cell)
{
	const size_t count = cell->on->set->count;
	double touching = 0.0, points = 0.0;
	for (size_t row = 0; row < count; row++) {
		const uint32_t of_row = cell->of ? cell->peer_rows[row].point_count : cell->on->counts[row];
		touching += of_row > 0;
		points += of_row;
	}
	bench_count(&cell->counted, "touching", touching / (double)count);
	bench_count(&cell->counted, "points", touching > 0.0 ? points / touching : 0.0);
}

static bool prepare_library(manifold_cell *cell, bench_report *report)
{
	wp_error error;
	wp_statistics statistics = {0};
	cell->workspace = work_workspace(cell->variant, 0, &error);
	if (!cell->workspace)
		return fail(report, wp_error_text(error));
	if (!work_rows(cell->on->set->count))
		return fail(report, "no memory for the answers");
	if (cell->is_counted)
		return true;
	error = answer(cell, work_rows(cell->on->set->count), &statistics);
	work_count_statistics(&statistics, &cell->counted);
	return error == WP_OK || fail(report, wp_error_text(error));
}

static bool prepare_peer(manifold_cell *cell, bench_report *report)
{
	const pair_set *set = cell->on->set;
	if (cell->scene)
		return true;
	peer_input *input = cells_allocate(sizeof *input);
	cell->peer_rows = cells_allocate(set->count * sizeof *cell->peer_rows);
	if (!input || !cell->peer_rows)
		return fail(report, "no memory for the peer's scene");
	*input = (peer_input){(const peer_shape *)set->shapes, (const float(*)[3])set->vertices,
	    (const peer_pair *)set->pairs, set->shape_count, set->vertex_count, set->count, NULL};
	cell->scene = cell->of->create(input);
	if (!cell->scene)
		return fail(report, "the peer cannot build the shapes");
	cell->of->run[PEER_QUERY_MANIFOLD](cell->scene, cell->peer_rows);
	return true;
}

static bool prepare(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	manifold_cell *cell = context;
	(void)thread;
	(void)threads;
	if (!load(cell->on, report))
		return false;
	if (!(cell->of ? prepare_peer(cell, report) : prepare_library(cell, report)))
		return false;
	if (!cell->is_counted)
		count_points(cell);
	cell->counted.items = (double)cell->on->set->count;
	cell->is_counted = true;
	*report = cell->counted;
	return true;
}

static void run(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	manifold_cell *cell = context;
	wp_row *rows = cell->of ? NULL : work_rows(cell->on->set->count);
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++) {
		if (cell->of)
			cell->of->run[PEER_QUERY_MANIFOLD](cell->scene, cell->peer_rows);
		else
			answer(cell, rows, NULL);
	}
}

static bool add(manifold_set *on, wp_variant variant, const peer *of)
{
	char name[CELLS_NAME_MAX];
	manifold_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (manifold_cell){.on = on, .variant = variant, .of = of, .next = cells};
	cells = cell;
	snprintf(name, sizeof name, "manifold/%s/%s/%s", on->set->kind, on->set->regime,
	    of ? of->name : wp_variant_name(variant));
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare, .run = run});
	return true;
}

static bool add_set(const char *kind, const char *regime)
{
	manifold_set *on = cells_allocate(sizeof *on);
	if (!on)
		return false;
	*on = (manifold_set){.set = sets_find(kind, regime), .next = sets};
	sets = on;
	bool added = on->set != NULL;
	for (unsigned variant = WP_VARIANT_SCALAR; added && variant < WP_VARIANT_COUNT; variant++)
		added = wp_variant_available((wp_variant)variant) != WP_OK || add(on, (wp_variant)variant, NULL);
	for (size_t index = 0; added && peer_list[index]; index++)
		added = !peer_list[index]->run[PEER_QUERY_MANIFOLD] || add(on, WP_VARIANT_AUTO, peer_list[index]);
	return added;
}

bool cells_add_manifolds(void)
{
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
		for (size_t regime = 0; regime < sizeof regimes / sizeof *regimes; regime++)
			if (!add_set(kinds[kind], regimes[regime]))
				return false;
	return true;
}

void cells_free_manifolds(void)
{
	for (; cells; cells = cells->next)
		if (cells->scene)
			cells->of->destroy(cells->scene);
	for (; sets; sets = sets->next)
		scene_free(&sets->scene);
}
