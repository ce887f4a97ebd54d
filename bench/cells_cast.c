/* Casts and directed depths: cast/KIND/separated/VARIANT, cast_turning/..., ray/..., depth_along/KIND/deep/VARIANT. */
#include "cells.h"
#include "support/gen_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(peer_motion) == sizeof(capture_motion), "the same layout");

typedef enum cast_query { CAST_STRAIGHT = 0, CAST_TURNING, CAST_RAY, CAST_DEPTH, CAST_QUERY_COUNT } cast_query;

static const char *const query_names[CAST_QUERY_COUNT] = {"cast", "cast_turning", "ray", "depth_along"};
static const enum peer_query peer_queries[CAST_QUERY_COUNT] = {
	PEER_QUERY_CAST, PEER_QUERY_CAST_TURNING, PEER_QUERY_COUNT, PEER_QUERY_COUNT};
static const char *const kinds[] = {"box", "hull32", "capsule", "mixed", "smoothmixed"};
static const char *const ray_kinds[] = {"sphere", "box", "hull32", "capsule", "cylinder", "cone", "ellipsoid", "mixed"};

/* Bodies turn by up to this angle. */
#define TURN_MAX 0.5

/* By how much of the distance B goes aside of A, and a ray. */
#define ASIDE 0.7
#define RAY_ASIDE 0.35

/* Pairs with their motions (of a depth, the direction is where B goes), and scalar's answers. */
typedef struct cast_set {
	cast_query which;
	const char *kind;
	pair_set *set;
	const capture_scene *scene; /* of the set, or of rays */
	const capture_pair *pairs;  /* [set->count], of the set; of rays, B is a point */
	capture_scene ray_scene;
	capture_motion *motions;
	float (*directions)[3];
	wp_row *rows;
	float *fractions;
} cast_set;

typedef struct cast_cell {
	cast_set *on;
	wp_variant variant;
	wp_workspace *workspace;
	const peer *of; /* NULL: the library */
	void *scene;
	float *fractions;
	bench_report counted;
	bool is_counted;
} cast_cell;

/* ---- motions -------------------------------------------------------------------------------------- */

static void turn(gen_random *random, const float from[4], float to[4])
{
	const v3 axis = gen_direction(random);
	const double tangent = tan(gen_range(random, 0.0, TURN_MAX) / 2.0);
	const double x = axis.x * tangent, y = axis.y * tangent, z = axis.z * tangent;
	const double px = from[0], py = from[1], pz = from[2], pw = from[3], length = sqrt(1.0 + tangent * tangent);
	to[0] = gen_rounded((px + x * pw + y * pz - z * py) / length);
	to[1] = gen_rounded((py + y * pw + z * px - x * pz) / length);
	to[2] = gen_rounded((pz + z * pw + x * py - y * px) / length);
	to[3] = gen_rounded((pw - x * px - y * py - z * pz) / length);
}

/* B goes towards A, not straight, up to twice the distance; A a little. About half of the pairs meet. */
static void make_motion(gen_random *random, const capture_pair *pair, cast_query which, capture_motion *motion)
{
	*motion = capture_still(pair);
	const v3 between = v3_sub(v3_of_floats(pair->position_a), v3_of_floats(pair->position_b));
	const double distance = v3_length(between), reach = gen_range(random, 0.5, 2.0);
	const v3 aside = gen_direction(random), drift = gen_direction(random);
	const v3 way = v3_scale(
		v3_add(between, v3_scale(aside, (which == CAST_RAY ? RAY_ASIDE : ASIDE) * distance)), reach);
	const double way_a[3] = {drift.x, drift.y, drift.z}, way_b[3] = {way.x, way.y, way.z};
	for (int axis = 0; axis < 3; axis++) {
		motion->translation_a[axis] = gen_rounded(0.1 * distance * way_a[axis]);
		motion->translation_b[axis] = gen_rounded(way_b[axis] + 0.1 * distance * way_a[axis]);
	}
	if (which == CAST_TURNING) {
		turn(random, pair->rotation_a, motion->rotation_a);
		turn(random, pair->rotation_b, motion->rotation_b);
	}
}

static wp_error answer(
	wp_workspace *workspace, const cast_set *on, wp_row *rows, float *fractions, wp_statistics *statistics)
{
	const wp_batch batch = scene_batch(on->scene, on->pairs, on->set->count);
	const wp_results results = wp_results_of_rows(rows);
	if (on->which == CAST_DEPTH)
		return wp_depth_along(workspace, &batch, &(wp_const_float_column){on->directions[0], 0}, &results, statistics);
	const wp_motions a = scene_motions_a(on->motions), b = scene_motions_b(on->motions);
	return wp_cast(workspace, &batch, &a, &b, &results, &(wp_float_column){fractions, 0}, statistics);
}

/* No set has spheres alone: those that round the ends of capsules, without what is between. */
static const char *kind_of_set(const char *kind) { return strcmp(kind, "sphere") == 0 ? "capsule" : kind; }

/* The same pairs with a point for B, and hulls with faces, which is how a ray meets them soonest. */
static bool make_rays(cast_set *on, bench_report *report)
{
	const pair_set *set = on->set;
	pair_set with_point = *set;
	capture_pair *pairs = cells_allocate(set->count * sizeof *pairs);
	with_point.shapes = calloc(set->shape_count + 1, sizeof *with_point.shapes);
	bool made = pairs && with_point.shapes;
	if (made) {
		memcpy(with_point.shapes, set->shapes, set->shape_count * sizeof *set->shapes);
		for (uint32_t shape = 0; shape < set->shape_count && strcmp(on->kind, "sphere") == 0; shape++)
			with_point.shapes[shape].kind = CAPTURE_SPHERE;
		with_point.shapes[with_point.shape_count++].kind = CAPTURE_SPHERE;
		made = cells_build_faces(&with_point, &on->ray_scene, report);
	} else {
		work_fail(report, "no memory for the rays");
	}
	free(with_point.shapes);
	for (size_t row = 0; made && row < set->count; row++) {
		pairs[row] = set->pairs[row];
		pairs[row].b = set->shape_count;
	}
	on->scene = &on->ray_scene;
	on->pairs = pairs;
	return made;
}

static bool load(cast_set *on, bench_report *report)
{
	pair_set *set = on->set;
	wp_error error;
	if (!set_load(set, report->error))
		return false;
	if (on->rows)
		return true;
	on->scene = &set->scene;
	on->pairs = set->pairs;
	if (on->which == CAST_RAY && !make_rays(on, report))
		return false;
	on->motions = cells_allocate(set->count * sizeof *on->motions);
	on->directions = cells_allocate(set->count * sizeof *on->directions);
	on->fractions = cells_allocate(set->count * sizeof *on->fractions);
	wp_row *rows = cells_allocate(set->count * sizeof *rows);
	wp_workspace *workspace = work_workspace(WP_VARIANT_SCALAR, 0, &error);
	if (!on->motions || !on->directions || !on->fractions || !rows || !workspace)
		return work_fail(report, "no memory for the motions");
	gen_random random;
	gen_seed(&random, PAIR_SEED);
	for (size_t row = 0; row < set->count; row++) {
		const v3 along = gen_direction(&random);
		const double direction[3] = {along.x, along.y, along.z};
		make_motion(&random, &on->pairs[row], on->which, &on->motions[row]);
		for (int axis = 0; axis < 3; axis++)
			on->directions[row][axis] = gen_rounded(direction[axis]);
	}
	error = answer(workspace, on, rows, on->fractions, NULL);
	on->rows = rows;
	return error == WP_OK || work_fail(report, wp_error_text(error));
}

/* ---- errors --------------------------------------------------------------------------------------- */

/* Where a body is at a fraction of its motion. */
static void place(const float position[3], const float rotation[4], const float way[3], const float end[4],
	double fraction, double at[3], float turned[4])
{
	double blend[4], dot = 0.0, squared = 0.0;
	for (int index = 0; index < 4; index++)
		dot += (double)rotation[index] * (double)end[index];
	const double share = dot < 0.0 ? -fraction : fraction;
	for (int index = 0; index < 4; index++) {
		blend[index] = (1.0 - fraction) * (double)rotation[index] + share * (double)end[index];
		squared += blend[index] * blend[index];
	}
	for (int index = 0; index < 4; index++)
		turned[index] = (float)(blend[index] / sqrt(squared));
	for (int axis = 0; axis < 3; axis++)
		at[axis] = (double)position[axis] + fraction * (double)way[axis];
}

/* How far from touching the pair of a row is by the reference where an answer has it touch, in units of the larger
 * bounding radius. */
static double gap_at(const cast_set *on, size_t row, double fraction)
{
	const capture_pair *pair = &on->pairs[row];
	const capture_motion *motion = &on->motions[row];
	double at_a[3], at_b[3];
	float turned_a[4], turned_b[4];
	wp_reference_row truth;
	place(pair->position_a, pair->rotation_a, motion->translation_a, motion->rotation_a, fraction, at_a, turned_a);
	place(pair->position_b, pair->rotation_b, motion->translation_b, motion->rotation_b, fraction, at_b, turned_b);
	if (on->which == CAST_DEPTH) {
		const v3 along = v3_unit(v3_of_floats(on->directions[row]));
		const double u[3] = {along.x, along.y, along.z};
		for (int axis = 0; axis < 3; axis++) {
			at_a[axis] = pair->position_a[axis];
			at_b[axis] = (double)pair->position_b[axis] - u[axis] * (double)on->rows[row].separation;
		}
	}
	wp_reference_contact_pair(
		&on->scene->shapes[pair->a], at_a, turned_a, &on->scene->shapes[pair->b], at_b, turned_b, &truth);
	const float bound_a = wp_shape_table_bound(on->scene->table, pair->a),
				bound_b = wp_shape_table_bound(on->scene->table, pair->b);
	return fabs(truth.separation) / (double)(bound_a > bound_b ? bound_a : bound_b);
}

/* What a row was answered: a fraction of a hit, or nothing where it meets nothing. */
static double said(const cast_cell *cell, size_t row)
{
	const cast_set *on = cell->on;
	const peer_row *answers = cell->of ? cells_peer_rows(on->set->count) : NULL;
	if (answers)
		return answers[row].answer == PEER_SEPARATION ? answers[row].separation : (double)NAN;
	if (on->which == CAST_DEPTH)
		return on->rows[row].status & WP_STATUS_PENETRATING ? 0.0 : (double)NAN;
	return on->rows[row].status & WP_STATUS_HIT ? (double)on->fractions[row] : (double)NAN;
}

static int ascending(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* Counts hits, how far from touching they are, and rows that scalar answers differently. */
static bool count_errors(const cast_cell *cell, bench_report *report)
{
	const cast_set *on = cell->on;
	const size_t count = on->set->count;
	double *errors = calloc(count + 1, sizeof *errors), capped = 0.0, wrong = 0.0;
	size_t hits = 0;
	if (!errors)
		return work_fail(report, "no memory for the errors");
	for (size_t row = 0; row < count; row++) {
		const double fraction = said(cell, row);
		const bool hit = !isnan(fraction);
		const bool library_hits = on->which == CAST_DEPTH || on->rows[row].status & WP_STATUS_HIT;
		capped += !cell->of && on->rows[row].status & WP_STATUS_ITERATION_CAP;
		wrong += cell->of && hit != library_hits;
		if (hit && (fraction > 0.0 || on->which == CAST_DEPTH))
			errors[hits++] = gap_at(on, row, fraction);
	}
	qsort(errors, hits, sizeof *errors, ascending);
	bench_count(report, "hits", (double)hits / (double)count);
	if (hits > 0) {
		bench_count(report, "err_max", errors[hits - 1]);
		bench_count(report, "err_p999", errors[(size_t)ceil(0.999 * (double)hits) - 1]);
	}
	if (cell->of)
		bench_count(report, "wrong", wrong);
	else
		bench_count(report, "capped", capped / (double)count);
	free(errors);
	return true;
}

/* ---- cells ---------------------------------------------------------------------------------------- */

static bool prepare_library(cast_cell *cell, bench_report *report)
{
	wp_statistics statistics = {0};
	cell->workspace = work_prepare(cell->variant, cell->on->set->count, report);
	if (!cell->workspace || cell->is_counted)
		return cell->workspace != NULL;
	wp_row *rows = work_rows(cell->on->set->count);
	const wp_error error = answer(cell->workspace, cell->on, rows, cell->fractions, &statistics);
	work_count_statistics(&statistics, &cell->counted);
	return error == WP_OK || work_fail(report, wp_error_text(error));
}

static bool prepare_peer(cast_cell *cell, bench_report *report)
{
	const size_t count = cell->on->set->count;
	if (!cell->scene)
		cell->scene = cells_peer_scene(cell->of, cell->on->set, (const peer_motion *)cell->on->motions, report);
	if (cell->scene && !cell->is_counted)
		cell->of->run[peer_queries[cell->on->which]](cell->scene, cells_peer_rows(count));
	return cell->scene != NULL;
}

static bool prepare(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	cast_cell *cell = context;
	(void)thread;
	(void)threads;
	if (!load(cell->on, report))
		return false;
	if (!cell->fractions)
		cell->fractions = cells_allocate(cell->on->set->count * sizeof *cell->fractions);
	if (!cell->fractions)
		return work_fail(report, "no memory for the answers");
	if (!(cell->of ? prepare_peer(cell, report) : prepare_library(cell, report)))
		return false;
	if (!cell->is_counted && !count_errors(cell, &cell->counted))
		return work_fail(report, "no memory for the errors");
	cell->counted.items = (double)cell->on->set->count;
	cell->is_counted = true;
	*report = cell->counted;
	return true;
}

static void run(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	cast_cell *cell = context;
	const size_t count = cell->on->set->count;
	wp_row *rows = cell->of ? NULL : work_rows(count);
	peer_row *peer_rows = cell->of ? cells_peer_rows(count) : NULL;
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++) {
		if (cell->of)
			cell->of->run[peer_queries[cell->on->which]](cell->scene, peer_rows);
		else
			answer(cell->workspace, cell->on, rows, cell->fractions, NULL);
	}
}

static bool add(cast_set *on, wp_variant variant, const peer *of)
{
	char name[CELLS_NAME_MAX];
	cast_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (cast_cell){.on = on, .variant = variant, .of = of};
	snprintf(name, sizeof name, "%s/%s/%s/%s", query_names[on->which], on->kind, on->set->regime,
		of ? of->name : wp_variant_name(variant));
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare, .run = run});
	return true;
}

static bool add_set(cast_query which, const char *kind)
{
	cast_set *on = cells_allocate(sizeof *on);
	if (!on)
		return false;
	*on = (cast_set){.which = which, .kind = kind};
	on->set = sets_find(kind_of_set(kind), which == CAST_DEPTH ? "deep" : "separated");
	bool added = on->set != NULL;
	for (unsigned variant = WP_VARIANT_SCALAR; added && variant < WP_VARIANT_COUNT; variant++)
		added = wp_variant_available((wp_variant)variant) != WP_OK || add(on, (wp_variant)variant, NULL);
	const enum peer_query asked = peer_queries[which];
	for (size_t index = 0; added && asked != PEER_QUERY_COUNT && peer_list[index]; index++)
		added = !peer_list[index]->run[asked] || add(on, WP_VARIANT_AUTO, peer_list[index]);
	return added;
}

bool cells_add_casts(void)
{
	for (int which = 0; which < CAST_QUERY_COUNT; which++)
		for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
			if (which != CAST_RAY && !add_set((cast_query)which, kinds[kind]))
				return false;
	for (size_t kind = 0; kind < sizeof ray_kinds / sizeof *ray_kinds; kind++)
		if (!add_set(CAST_RAY, ray_kinds[kind]))
			return false;
	return true;
}
