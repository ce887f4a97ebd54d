/* Manifolds: manifold/KIND/REGIME/VARIANT, of up to four points within WORK_MAX_SEPARATION. */
#include "cells.h"

#define POINT_MAX 4

static const char *const kinds[] = {
	"box", "hull8", "hull32", "hull128", "capsule", "boxcapsule", "mixed", "spherehull32"};
static const char *const regimes[] = {"engine", "shallow"};
static const char *const recorded[] = {"wall", "ragdoll", "pile", "meshes"};

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
	bench_report counted;
	bool is_counted;
} manifold_cell;

static manifold_set *sets;

bool cells_build_faces(pair_set *set, capture_scene *scene, bench_report *report)
{
	const capture_file made = {.shapes = set->shapes,
		.vertices = set->vertices,
		.shape_count = set->shape_count,
		.vertex_count = set->vertex_count,
		.path = set->kind};
	if (!scene_build(scene, &made, report->error) || !scene_add_faces(scene, &made, report->error))
		return false;
	if (scene->faceless_count == 0)
		return true;
	scene_free(scene);
	return work_fail(report, "hulls without faces: was widephase-cook built?");
}

static bool load(manifold_set *on, bench_report *report)
{
	pair_set *set = on->set;
	if (!set_load(set, report->error))
		return false;
	if (on->scene.table)
		return true;
	on->counts = cells_allocate(set->count * sizeof *on->counts);
	on->points = cells_allocate(set->count * POINT_MAX * sizeof *on->points);
	if (!on->counts || !on->points)
		return work_fail(report, "no memory for the points");
	return cells_build_faces(set, &on->scene, report);
}

static wp_error answer(const manifold_cell *cell, wp_row *rows, wp_statistics *statistics)
{
	const manifold_set *on = cell->on;
	const wp_batch batch = scene_batch(&on->scene, on->set->pairs, on->set->count);
	const wp_results results = wp_results_of_rows(rows);
	const wp_manifolds manifolds = {.count = {on->counts}, .points = {on->points}, .point_max = POINT_MAX};
	return wp_contact_manifold(cell->workspace, &batch, &(wp_contact_options){.max_separation = WORK_MAX_SEPARATION},
		&results, &manifolds, statistics);
}

/* Share of the pairs that have points, and their mean number of points. */
static void count_points(manifold_cell *cell)
{
	const size_t count = cell->on->set->count;
	const peer_row *answers = cell->of ? cells_peer_rows(count) : NULL;
	double touching = 0.0, points = 0.0;
	for (size_t row = 0; row < count; row++) {
		const uint32_t of_row = answers ? answers[row].point_count : cell->on->counts[row];
		touching += of_row > 0;
		points += of_row;
	}
	bench_count(&cell->counted, "touching", touching / (double)count);
	bench_count(&cell->counted, "points", touching > 0.0 ? points / touching : 0.0);
}

static bool prepare_library(manifold_cell *cell, bench_report *report)
{
	wp_statistics statistics = {0};
	cell->workspace = work_prepare(cell->variant, cell->on->set->count, report);
	if (!cell->workspace || cell->is_counted)
		return cell->workspace != NULL;
	const wp_error error = answer(cell, work_rows(cell->on->set->count), &statistics);
	work_count_statistics(&statistics, &cell->counted);
	return error == WP_OK || work_fail(report, wp_error_text(error));
}

static bool prepare_peer(manifold_cell *cell, bench_report *report)
{
	const size_t count = cell->on->set->count;
	if (!cell->scene)
		cell->scene = cells_peer_scene(cell->of, cell->on->set, NULL, report);
	if (cell->scene && !cell->is_counted)
		cell->of->run[PEER_QUERY_MANIFOLD](cell->scene, cells_peer_rows(count));
	return cell->scene != NULL;
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
	const size_t count = cell->on->set->count;
	wp_row *rows = cell->of ? NULL : work_rows(count);
	peer_row *peer_rows = cell->of ? cells_peer_rows(count) : NULL;
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++) {
		if (cell->of)
			cell->of->run[PEER_QUERY_MANIFOLD](cell->scene, peer_rows);
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
	*cell = (manifold_cell){.on = on, .variant = variant, .of = of};
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
	for (size_t kind = 0; kind < sizeof recorded / sizeof *recorded; kind++)
		if (!add_set(recorded[kind], "recorded"))
			return false;
	return true;
}

void cells_free_manifolds(void)
{
	for (; sets; sets = sets->next)
		scene_free(&sets->scene);
}
