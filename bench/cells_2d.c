/* 2D: QUERY_2d/KIND/REGIME/VARIANT, by the library and by Box2D where it is there. */
#include "cells.h"
#include "peers/box2d.h"
#include "pairs_2d.h"
#include "support/oracle_2d.h"

#include <math.h>
#include <stdlib.h>

enum { OVERLAP, DISTANCE, CONTACT, MANIFOLD, QUERY_COUNT };

static const char *const query_names[QUERY_COUNT] = {"overlap", "distance", "contact", "manifold"};

/* The variant that stands for Box2D. */
#define BOX2D WP_VARIANT_COUNT

/* Pairs, the exact separations, and room for the answers to them; shared by the cells of a kind and regime.
 */
typedef struct set_2d {
	kind_2d kind;
	regime_2d regime;
	pairs_2d pairs;
	const wp2d_shape_table *table;
	void *table_memory, *box2d;
	double truth[PAIRS_2D];
	wp2d_row rows[PAIRS_2D];
	uint8_t overlaps[PAIRS_2D];
	uint32_t counts[PAIRS_2D];
	wp2d_manifold_point points[PAIRS_2D][WP2D_MANIFOLD_POINT_MAX];
	box2d_row box2d_rows[PAIRS_2D];
} set_2d;

typedef struct cell_2d {
	set_2d *on;
	int query;
	unsigned variant; /* BOX2D or the library's */
	wp_workspace *workspace;
	bench_report counted;
	bool is_counted;
} cell_2d;

static set_2d *sets[KIND_COUNT_2D][REGIME_COUNT_2D];

/* ---- sets ----------------------------------------------------------------------------------------- */

/* Where a shape is; nothing is far from the origin. */
static oracle_2d_shape shape_at(const wp2d_shape *from, const wp2d_pose *pose)
{
	const double rotation[2] = {pose->rotation[0], pose->rotation[1]},
				 position[2] = {pose->position[0], pose->position[1]};
	oracle_2d_shape shape = oracle_2d_of_shape(from);
	oracle_2d_move(&shape, rotation, position);
	return shape;
}

static bool load(set_2d *set, bench_report *report)
{
	if (set->table)
		return true;
	pairs_2d *pairs = &set->pairs;
	pairs_2d_make(set->kind, set->regime, pairs);
	for (size_t row = 0; row < PAIRS_2D; row++) {
		const uint32_t *of = &pairs->shape_of[2 * row];
		const oracle_2d_shape a = shape_at(&pairs->shapes[of[0]], &pairs->poses[2 * row]),
							  b = shape_at(&pairs->shapes[of[1]], &pairs->poses[2 * row + 1]);
		set->truth[row] = oracle_2d_separation(&a, &b);
	}
	const size_t size = wp2d_shape_table_size(pairs->shapes, SHAPES_2D);
	set->table_memory = aligned_alloc(WP_ALIGNMENT, (size / WP_ALIGNMENT + 1) * WP_ALIGNMENT);
	if (!set->table_memory)
		return work_fail(report, "no memory for the shapes");
	wp_shape_report shapes;
	const wp_error error = wp2d_shape_table_build(
		pairs->shapes, SHAPES_2D, set->table_memory, size, &set->table, &shapes);
	return error == WP_OK && shapes.invalid_count == 0
	         ? true
	         : work_fail(report, error != WP_OK ? wp_error_text(error) : shapes.reason);
}

static wp_error answer(const cell_2d *cell, wp_statistics *statistics)
{
	set_2d *set = cell->on;
	const pairs_2d *pairs = &set->pairs;
	wp2d_batch batch = {.shapes = set->table,
		.a = {.position = {pairs->poses[0].position, 2 * sizeof pairs->poses[0]},
			.rotation = {pairs->poses[0].rotation, 2 * sizeof pairs->poses[0]},
			.shape = {&pairs->shape_of[0], 2 * sizeof pairs->shape_of[0]},
			.count = PAIRS_2D},
		.count = PAIRS_2D};
	batch.b = batch.a;
	batch.b.position.data = pairs->poses[1].position;
	batch.b.rotation.data = pairs->poses[1].rotation;
	batch.b.shape.data = &pairs->shape_of[1];
	const wp2d_results all = wp2d_results_of_rows(set->rows), only_overlap = {.overlap = {set->overlaps}};
	const wp2d_manifolds manifolds = {.count = {set->counts}, .points = {set->points[0]}};
	switch (cell->query) {
	case OVERLAP:
		return wp2d_overlap(cell->workspace, &batch, &only_overlap, statistics);
	case DISTANCE:
		return wp2d_distance(cell->workspace, &batch, &all, statistics);
	case CONTACT:
		return wp2d_contact(
			cell->workspace, &batch, &(wp_contact_options){.max_separation = WORK_MAX_SEPARATION}, &all, statistics);
	default:
		return wp2d_contact_manifold(cell->workspace, &batch,
			&(wp_contact_options){.max_separation = WORK_MAX_SEPARATION}, &all, &manifolds, statistics);
	}
}

/* ---- facts of a cell ------------------------------------------------------------------------------ */

static uint32_t points_of(const cell_2d *cell, size_t row)
{
	return cell->variant == BOX2D ? cell->on->box2d_rows[row].point_count : cell->on->counts[row];
}

/* The separation of a row; false if it has none. */
static bool said(const cell_2d *cell, size_t row, double *separation)
{
	if (cell->variant == BOX2D) {
		*separation = (double)cell->on->box2d_rows[row].separation;
		return cell->query == DISTANCE || points_of(cell, row) != 0;
	}
	*separation = (double)cell->on->rows[row].separation;
	return !(cell->on->rows[row].status & WP_STATUS_BEYOND);
}

static bool says_overlap(const cell_2d *cell, size_t row)
{
	const set_2d *set = cell->on;
	return cell->variant == BOX2D ? set->box2d_rows[row].overlaps != 0 : set->overlaps[row] != 0;
}

/* Largest error of a separation in units of L + |truth|, rows on the wrong side of touching, and the points
 * of manifolds. */
static void count_answers(cell_2d *cell)
{
	const set_2d *set = cell->on;
	double worst = 0.0, wrong = 0.0, touching = 0.0, points = 0.0;
	for (size_t row = 0; row < PAIRS_2D; row++) {
		const uint32_t *of = &set->pairs.shape_of[2 * row];
		const double truth = set->truth[row], a = wp2d_shape_table_bound(set->table, of[0]),
					 b = wp2d_shape_table_bound(set->table, of[1]), unit = fmax(a, b) + fabs(truth);
		double separation = 0.0;
		if (cell->query == OVERLAP)
			wrong += fabs(truth) > 1e-4 * unit && says_overlap(cell, row) != (truth < 0.0);
		else if (said(cell, row, &separation))
			worst = fmax(worst, fabs(separation - (cell->query == DISTANCE ? fmax(truth, 0.0) : truth)) / unit);
		if (cell->query == MANIFOLD) {
			touching += points_of(cell, row) > 0;
			points += points_of(cell, row);
		}
	}
	if (cell->query == OVERLAP)
		bench_count(&cell->counted, "wrong", wrong);
	else
		bench_count(&cell->counted, "err_max", worst);
	if (cell->query == MANIFOLD) {
		bench_count(&cell->counted, "touching", touching / PAIRS_2D);
		bench_count(&cell->counted, "points", touching > 0.0 ? points / touching : 0.0);
	}
}

/* ---- cells ---------------------------------------------------------------------------------------- */

#ifdef PEER_BOX2D
static bool prepare_box2d(cell_2d *cell, bench_report *report)
{
	set_2d *set = cell->on;
	const pairs_2d *pairs = &set->pairs;
	if (!set->box2d)
		set->box2d = box2d_create(pairs->shapes, SHAPES_2D, pairs->shape_of, pairs->poses, PAIRS_2D);
	if (!set->box2d)
		return work_fail(report, "the peer cannot build the shapes");
	box2d_run(set->box2d, (box2d_query)cell->query, set->box2d_rows);
	return true;
}

static void run_box2d(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	cell_2d *cell = context;
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++)
		box2d_run(cell->on->box2d, (box2d_query)cell->query, cell->on->box2d_rows);
}
#endif

static bool prepare_library(cell_2d *cell, bench_report *report)
{
	wp_error error;
	wp_statistics statistics = {0};
	cell->workspace = work_workspace((wp_variant)cell->variant, 0, &error);
	if (!cell->workspace)
		return work_fail(report, wp_error_text(error));
	error = answer(cell, &statistics);
	if (!cell->is_counted)
		work_count_statistics(&statistics, &cell->counted);
	return error == WP_OK || work_fail(report, wp_error_text(error));
}

static bool prepare(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	cell_2d *cell = context;
	(void)thread;
	(void)threads;
	if (!load(cell->on, report))
		return false;
#ifdef PEER_BOX2D
	if (!(cell->variant == BOX2D ? prepare_box2d : prepare_library)(cell, report))
		return false;
#else
	if (!prepare_library(cell, report))
		return false;
#endif
	if (!cell->is_counted)
		count_answers(cell);
	cell->is_counted = true;
	cell->counted.items = PAIRS_2D;
	*report = cell->counted;
	return true;
}

static void run_library(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	const cell_2d *cell = context;
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++)
		answer(cell, NULL);
}

static bool add(set_2d *set, int query, unsigned variant)
{
	char name[CELLS_NAME_MAX];
	cell_2d *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (cell_2d){.on = set, .query = query, .variant = variant};
	bench_cell made = {.name = name, .context = cell, .prepare = prepare, .run = run_library};
#ifdef PEER_BOX2D
	if (variant == BOX2D)
		made.run = run_box2d;
#endif
	snprintf(name, sizeof name, "%s_2d/%s/%s/%s", query_names[query], kind_2d_name(set->kind),
		regime_2d_name(set->regime), variant == BOX2D ? "box2d" : wp_variant_name((wp_variant)variant));
	bench_add(&made);
	return true;
}

/* Whether Box2D is there, and has the query for shapes of the kind. */
static bool has_box2d(kind_2d kind, int query)
{
#ifdef PEER_BOX2D
	if (query == MANIFOLD)
		return kind == CIRCLE_2D || kind == POLYGON8_2D;
	return query != CONTACT;
#else
	(void)kind;
	(void)query;
	return false;
#endif
}

bool cells_add_2d(void)
{
	for (int query = 0; query < QUERY_COUNT; query++)
		for (int kind = 0; kind < KIND_COUNT_2D; kind++)
			for (int regime = 0; regime < REGIME_COUNT_2D; regime++) {
				set_2d **set = &sets[kind][regime];
				if (!*set)
					*set = cells_allocate(sizeof **set);
				if (!*set)
					return false;
				(*set)->kind = (kind_2d)kind;
				(*set)->regime = (regime_2d)regime;
				for (unsigned variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
					if (wp_variant_available((wp_variant)variant) == WP_OK && !add(*set, query, variant))
						return false;
				if (has_box2d((kind_2d)kind, query) && !add(*set, query, BOX2D))
					return false;
			}
	return true;
}

void cells_free_2d(void)
{
	for (int index = 0; index < KIND_COUNT_2D * REGIME_COUNT_2D; index++) {
		set_2d *set = sets[index / REGIME_COUNT_2D][index % REGIME_COUNT_2D];
		if (!set)
			continue;
		free(set->table_memory);
#ifdef PEER_BOX2D
		if (set->box2d)
			box2d_destroy(set->box2d);
#endif
	}
}
