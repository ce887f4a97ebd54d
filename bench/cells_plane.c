/* The plane: plane_QUERY/KIND/REGIME/VARIANT, by the library and by Box2D where it is there. */
#include "cells.h"
#include "peers/box2d.h"
#include "plane_pairs.h"
#include "support/plane_oracle.h"

#include <math.h>
#include <stdlib.h>

enum { OVERLAP, DISTANCE, CONTACT, MANIFOLD, QUERY_COUNT };

static const char *const query_names[QUERY_COUNT] = {"overlap", "distance", "contact", "manifold"};

/* The variant that stands for Box2D. */
#define BOX2D WP_VARIANT_COUNT

/* Pairs, the exact separations, and room for the answers to them; shared by the cells of a kind and regime.
 */
typedef struct plane_set {
	plane_kind kind;
	plane_regime regime;
	plane_pairs pairs;
	const wp2_shape_table *table;
	void *table_memory, *box2d;
	double truth[PLANE_PAIRS];
	wp2_row rows[PLANE_PAIRS];
	uint8_t overlaps[PLANE_PAIRS];
	uint32_t counts[PLANE_PAIRS];
	wp2_manifold_point points[PLANE_PAIRS][WP2_MANIFOLD_POINT_MAX];
	box2d_row box2d_rows[PLANE_PAIRS];
} plane_set;

typedef struct plane_cell {
	plane_set *on;
	int query;
	unsigned variant; /* BOX2D or the library's */
	wp_workspace *workspace;
	bench_report counted;
	bool is_counted;
} plane_cell;

static plane_set *sets[PLANE_KIND_COUNT][PLANE_REGIME_COUNT];

/* ---- sets ----------------------------------------------------------------------------------------- */

/* Where a shape is; nothing is far from the origin. */
static plane_oracle_shape shape_at(const wp2_shape *from, const wp2_pose *pose)
{
	const double rotation[2] = {pose->rotation[0], pose->rotation[1]},
				 position[2] = {pose->position[0], pose->position[1]};
	plane_oracle_shape shape = plane_oracle_of_shape(from);
	plane_oracle_move(&shape, rotation, position);
	return shape;
}

static bool load(plane_set *set, bench_report *report)
{
	if (set->table)
		return true;
	plane_pairs *pairs = &set->pairs;
	plane_pairs_make(set->kind, set->regime, pairs);
	for (size_t row = 0; row < PLANE_PAIRS; row++) {
		const uint32_t *of = &pairs->shape_of[2 * row];
		const plane_oracle_shape a = shape_at(&pairs->shapes[of[0]], &pairs->poses[2 * row]),
								 b = shape_at(&pairs->shapes[of[1]], &pairs->poses[2 * row + 1]);
		set->truth[row] = plane_oracle_separation(&a, &b);
	}
	const size_t size = wp2_shape_table_size(pairs->shapes, PLANE_SHAPES);
	set->table_memory = aligned_alloc(WP_ALIGNMENT, (size / WP_ALIGNMENT + 1) * WP_ALIGNMENT);
	if (!set->table_memory)
		return work_fail(report, "no memory for the shapes");
	wp_shape_report shapes;
	const wp_error error = wp2_shape_table_build(
		pairs->shapes, PLANE_SHAPES, set->table_memory, size, &set->table, &shapes);
	return error == WP_OK && shapes.invalid_count == 0
	         ? true
	         : work_fail(report, error != WP_OK ? wp_error_text(error) : shapes.reason);
}

static wp_error answer(const plane_cell *cell, wp_statistics *statistics)
{
	plane_set *set = cell->on;
	const plane_pairs *pairs = &set->pairs;
	wp2_batch batch = {.shapes = set->table,
		.a = {.position = pairs->poses[0].position,
			.rotation = pairs->poses[0].rotation,
			.shape = &pairs->shape_of[0],
			.position_stride = 2 * sizeof pairs->poses[0],
			.rotation_stride = 2 * sizeof pairs->poses[0],
			.shape_stride = 2 * sizeof pairs->shape_of[0],
			.count = PLANE_PAIRS},
		.count = PLANE_PAIRS};
	batch.b = batch.a;
	batch.b.position = pairs->poses[1].position;
	batch.b.rotation = pairs->poses[1].rotation;
	batch.b.shape = &pairs->shape_of[1];
	const wp2_results all = wp2_results_of_rows(set->rows), only_overlap = {.overlap = set->overlaps};
	const wp2_manifolds manifolds = {.count = set->counts, .points = set->points[0]};
	switch (cell->query) {
	case OVERLAP:
		return wp2_overlap(cell->workspace, &batch, &only_overlap, statistics);
	case DISTANCE:
		return wp2_distance(cell->workspace, &batch, &all, statistics);
	case CONTACT:
		return wp2_contact(cell->workspace, &batch, WORK_MAX_SEPARATION, &all, statistics);
	default:
		return wp2_contact_manifold(cell->workspace, &batch, WORK_MAX_SEPARATION, &all, &manifolds, statistics);
	}
}

/* ---- what a cell says of itself ------------------------------------------------------------------- */

static uint32_t points_of(const plane_cell *cell, size_t row)
{
	return cell->variant == BOX2D ? cell->on->box2d_rows[row].point_count : cell->on->counts[row];
}

/* The separation that was said of a row; false where none was. */
static bool said(const plane_cell *cell, size_t row, double *separation)
{
	if (cell->variant == BOX2D) {
		*separation = (double)cell->on->box2d_rows[row].separation;
		return cell->query == DISTANCE || points_of(cell, row) != 0;
	}
	*separation = (double)cell->on->rows[row].separation;
	return !(cell->on->rows[row].status & WP_STATUS_BEYOND);
}

static bool says_overlap(const plane_cell *cell, size_t row)
{
	const plane_set *set = cell->on;
	return cell->variant == BOX2D ? set->box2d_rows[row].overlaps != 0 : set->overlaps[row] != 0;
}

/* Largest error of a separation in units of L + |truth|, rows on the wrong side of touching, and the points
 * of manifolds. */
static void count_answers(plane_cell *cell)
{
	const plane_set *set = cell->on;
	double worst = 0.0, wrong = 0.0, touching = 0.0, points = 0.0;
	for (size_t row = 0; row < PLANE_PAIRS; row++) {
		const uint32_t *of = &set->pairs.shape_of[2 * row];
		const double truth = set->truth[row], a = wp2_shape_table_bound(set->table, of[0]),
					 b = wp2_shape_table_bound(set->table, of[1]), unit = fmax(a, b) + fabs(truth);
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
		bench_count(&cell->counted, "touching", touching / PLANE_PAIRS);
		bench_count(&cell->counted, "points", touching > 0.0 ? points / touching : 0.0);
	}
}

/* ---- cells ---------------------------------------------------------------------------------------- */

#ifdef PEER_BOX2D
static bool prepare_box2d(plane_cell *cell, bench_report *report)
{
	plane_set *set = cell->on;
	const plane_pairs *pairs = &set->pairs;
	if (!set->box2d)
		set->box2d = box2d_create(pairs->shapes, PLANE_SHAPES, pairs->shape_of, pairs->poses, PLANE_PAIRS);
	if (!set->box2d)
		return work_fail(report, "the peer cannot build the shapes");
	box2d_run(set->box2d, (box2d_query)cell->query, set->box2d_rows);
	return true;
}

static void run_box2d(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	plane_cell *cell = context;
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++)
		box2d_run(cell->on->box2d, (box2d_query)cell->query, cell->on->box2d_rows);
}
#endif

static bool prepare_library(plane_cell *cell, bench_report *report)
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
	plane_cell *cell = context;
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
	cell->counted.items = PLANE_PAIRS;
	*report = cell->counted;
	return true;
}

static void run_library(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	const plane_cell *cell = context;
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++)
		answer(cell, NULL);
}

static bool add(plane_set *set, int query, unsigned variant)
{
	char name[CELLS_NAME_MAX];
	plane_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (plane_cell){.on = set, .query = query, .variant = variant};
	bench_cell made = {.name = name, .context = cell, .prepare = prepare, .run = run_library};
#ifdef PEER_BOX2D
	if (variant == BOX2D)
		made.run = run_box2d;
#endif
	snprintf(name, sizeof name, "plane_%s/%s/%s/%s", query_names[query], plane_kind_name(set->kind),
		plane_regime_name(set->regime), variant == BOX2D ? "box2d" : wp_variant_name((wp_variant)variant));
	bench_add(&made);
	return true;
}

/* Whether Box2D is there, and has the query for shapes of the kind. */
static bool has_box2d(plane_kind kind, int query)
{
#ifdef PEER_BOX2D
	if (query == MANIFOLD)
		return kind == PLANE_CIRCLE || kind == PLANE_POLYGON8;
	return query != CONTACT;
#else
	(void)kind;
	(void)query;
	return false;
#endif
}

bool cells_add_plane(void)
{
	for (int query = 0; query < QUERY_COUNT; query++)
		for (int kind = 0; kind < PLANE_KIND_COUNT; kind++)
			for (int regime = 0; regime < PLANE_REGIME_COUNT; regime++) {
				plane_set **set = &sets[kind][regime];
				if (!*set)
					*set = cells_allocate(sizeof **set);
				if (!*set)
					return false;
				(*set)->kind = (plane_kind)kind;
				(*set)->regime = (plane_regime)regime;
				for (unsigned variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
					if (wp_variant_available((wp_variant)variant) == WP_OK && !add(*set, query, variant))
						return false;
				if (has_box2d((plane_kind)kind, query) && !add(*set, query, BOX2D))
					return false;
			}
	return true;
}

void cells_free_plane(void)
{
	for (int index = 0; index < PLANE_KIND_COUNT * PLANE_REGIME_COUNT; index++) {
		plane_set *set = sets[index / PLANE_REGIME_COUNT][index % PLANE_REGIME_COUNT];
		if (!set)
			continue;
		free(set->table_memory);
#ifdef PEER_BOX2D
		if (set->box2d)
			box2d_destroy(set->box2d);
#endif
	}
}
