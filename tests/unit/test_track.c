/* Frames of tracked pairs: what is kept, what is told of it, and that nothing else decides. The oracle of tracked pairs
 * (tests/oracles/track_oracle.c) judges what planes and reused points prove; here are the rules. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/block.h"
#include "support/gen.h"
#include "support/unit.h"
#include "support/vector.h"
#include "widephase/widephase.h"

enum { PAIRS = 1500, FRAMES = 6, CORPORA = 3 };

static const float near = 0.02f;

/* ---- a world of pairs --------------------------------------------------------------------------- */

/* What is kept of all pairs, and what was last reported of them. */
typedef struct memory {
	wp_tracked pairs[PAIRS];
	wp_persistent_manifold manifolds[PAIRS];
	wp_tracked_anchor anchors[PAIRS];
	wp_row rows[PAIRS];
} memory;

/* Body i has shape i of the table; pair i is of the bodies 2 i and 2 i + 1. */
typedef struct world {
	gen_corpus corpus;
	wp_shape_table *table;
	wp_pose poses[2 * PAIRS];
	double far[2 * PAIRS][3]; /* the positions in double, moved far from the origin */
	uint32_t pairs[PAIRS][2];
	wp_batch batch;
} world;

static world w;
static memory now, other;

static wp_track_options options_of(float max_separation, float reuse_error)
{
	return (wp_track_options){.max_separation = max_separation, .merging = near, .reuse_error = reuse_error};
}

static wp_tracked_pairs pairs_of(memory *m)
{
	return (wp_tracked_pairs){.pairs = m->pairs, .manifolds = m->manifolds, .anchors = m->anchors, .count = PAIRS};
}

static void make_table(const wp_shape *shapes, size_t count)
{
	const size_t size = wp_shape_table_size(count);
	const wp_shape_table *built;
	w.table = block(size);
	cr_assert_eq(wp_shape_table_build(shapes, count, w.table, size, &built, NULL), WP_OK);
}

/* Pairs of random shapes: plain ones, with smooth ones, with half-spaces. */
static void make_world(uint32_t corpus, bool has_doubles)
{
	const gen_options options = {.seed = 20261124 + corpus,
		.vertex_max = 40,
		.smooth = corpus == 1 ? GEN_SMOOTH_ALL : GEN_SMOOTH_NONE,
		.half_spaces = corpus == 2};
	cr_assert(gen_corpus_make(&options, 0, PAIRS, &w.corpus));
	make_table(w.corpus.shapes, 2 * PAIRS);
	memcpy(w.poses, w.corpus.poses, sizeof w.poses);
	for (uint32_t i = 0; i < 2 * PAIRS; i++)
		w.pairs[i / 2][i % 2] = i;
	w.batch = (wp_batch){.shapes = w.table,
		.a = {.position = {w.poses[0].position, sizeof(wp_pose)},
			.rotation = {w.poses[0].rotation, sizeof(wp_pose)},
			.count = 2 * PAIRS},
		.pair_a = {&w.pairs[0][0], sizeof w.pairs[0]},
		.pair_b = {&w.pairs[0][1], sizeof w.pairs[0]},
		.count = PAIRS};
	if (has_doubles) {
		w.batch.a.position.data = w.far;
		w.batch.a.position.stride = 0;
		w.batch.a.position_real = WP_REAL_DOUBLE;
	}
	memset(&now, 0, sizeof now);
}

static void place_doubles(void)
{
	for (int i = 0; i < 2 * PAIRS; i++)
		for (int k = 0; k < 3; k++)
			w.far[i][k] = 1e6 * (k + 1) + (double)w.poses[i].position[k];
}

/* Every body a little off its place in the corpus, by a part of its size; frame 0 is the corpus itself. */
static void move_to(uint32_t frame)
{
	static const double ways[] = {0, 1e-5, 1e-3, 0, 1e-2, 0.3};
	const double way = ways[frame % COUNT_OF(ways)];
	gen_random random;
	gen_seed(&random, 7 + frame);
	for (uint32_t i = 0; i < 2 * PAIRS; i++) {
		wp_pose *const pose = &w.poses[i];
		const float bound = wp_shape_table_bound(w.table, i);
		for (int k = 0; k < 3; k++)
			pose->position[k] += isinf(bound) ? 0.0f : (float)(way * (double)bound * gen_range(&random, -1, 1));
		double length2 = 0;
		for (int k = 0; k < 4; k++) {
			pose->rotation[k] += way == 0 ? 0.0f : (float)(way * gen_range(&random, -1, 1));
			length2 += (double)pose->rotation[k] * (double)pose->rotation[k];
		}
		for (int k = 0; k < 4; k++)
			pose->rotation[k] /= way == 0 ? 1.0f : (float)sqrt(length2);
	}
	place_doubles();
}

static wp_error ask(const wp_batch *batch, const wp_track_options *options, memory *m, wp_track_changes *changes,
	wp_statistics *statistics)
{
	const wp_tracked_pairs tracked = pairs_of(m);
	const wp_results results = wp_results_of_rows(m->rows);
	return wp_track(workspace_of(WP_VARIANT_AUTO), batch, options, &tracked, &results, changes, statistics);
}

static void step(float max_separation, float reuse_error)
{
	const wp_track_options options = options_of(max_separation, reuse_error);
	cr_assert_eq(ask(&w.batch, &options, &now, NULL, NULL), WP_OK);
}

static bool is_known(const wp_tracked *pair) { return (pair->event & (WP_TRACK_KEPT | WP_TRACK_REUSED)) != 0; }

/* ---- arguments ---------------------------------------------------------------------------------- */

/* A call that is right, for tests to spoil. */
typedef struct call {
	wp_workspace *workspace;
	wp_batch batch, *batch_or_null;
	wp_track_options options, *options_or_null;
	wp_tracked_pairs tracked, *tracked_or_null;
	wp_results results, *results_or_null;
	uint32_t changed[PAIRS];
	wp_track_changes changes;
	wp_statistics statistics;
} call;

static call c;

static void make_call(void)
{
	memset(&now, 0xa5, sizeof now);
	memset(&c, 0xa5, sizeof c);
	c.workspace = workspace_of(WP_VARIANT_AUTO);
	c.batch = w.batch;
	c.options = options_of(near, 0);
	c.tracked = pairs_of(&now);
	c.results = wp_results_of_rows(now.rows);
	c.changes = (wp_track_changes){.rows = c.changed, .capacity = PAIRS, .count = 12345};
	c.batch_or_null = &c.batch;
	c.options_or_null = &c.options;
	c.tracked_or_null = &c.tracked;
	c.results_or_null = &c.results;
}

static void refuses(wp_error error)
{
	const call before = c;
	memcpy(&other, &now, sizeof now);
	const wp_error got = wp_track(c.workspace, c.batch_or_null, c.options_or_null, c.tracked_or_null, c.results_or_null,
		&c.changes, &c.statistics);
	cr_assert_eq(got, error, "%s, not %s", wp_error_text(got), wp_error_text(error));
	cr_assert_eq(memcmp(&c, &before, sizeof c), 0, "%s: the call is as it was", wp_error_text(error));
	cr_assert_eq(memcmp(&now, &other, sizeof now), 0, "%s: nothing is written", wp_error_text(error));
	make_call();
}

static void arguments_setup(void)
{
	make_world(0, false);
	make_call();
}

TestSuite(track_arguments, .init = arguments_setup);

Test(track_arguments, null_pointers)
{
	c.workspace = NULL;
	refuses(WP_ERROR_NULL_WORKSPACE);
	c.batch_or_null = NULL;
	refuses(WP_ERROR_NULL_BATCH);
	c.options_or_null = NULL;
	refuses(WP_ERROR_NULL_OPTIONS);
	c.tracked_or_null = NULL;
	refuses(WP_ERROR_NULL_TRACKED);
	c.results_or_null = NULL;
	refuses(WP_ERROR_NULL_RESULTS);
	c.tracked.pairs = NULL;
	refuses(WP_ERROR_NULL_TRACKED_PAIRS);
	c.tracked.manifolds = NULL;
	refuses(WP_ERROR_NULL_TRACKED_MANIFOLDS);
	c.tracked.anchors = NULL;
	c.options.reuse_error = 1e-30f;
	refuses(WP_ERROR_NULL_TRACKED_ANCHORS);
	c.changes.rows = NULL;
	refuses(WP_ERROR_NULL_CHANGES_ROWS);
	c.batch.shapes = NULL;
	refuses(WP_ERROR_NULL_BATCH_SHAPES);
	c.batch.a.position.data = NULL;
	refuses(WP_ERROR_BODIES_A_POSITION);
}

Test(track_arguments, numbers)
{
	static const float bad[] = {NAN, -1e-30f, -1.0f, -INFINITY};
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		c.options.max_separation = bad[i];
		refuses(WP_ERROR_MAX_SEPARATION);
		c.options.merging = bad[i];
		refuses(WP_ERROR_MERGING);
		c.options.reuse_error = bad[i];
		refuses(WP_ERROR_REUSE_ERROR);
	}
	c.tracked.count = (size_t)UINT32_MAX + 1;
	if (c.tracked.count != 0)
		refuses(WP_ERROR_TRACKED_COUNT);
	c.tracked.count = PAIRS;
	c.batch.first = SIZE_MAX;
	refuses(WP_ERROR_PAIR_RANGE);
}

Test(track_arguments, strides)
{
	const uint32_t index[1] = {0};
	for (size_t stride = 1; stride < sizeof *index; stride++) {
		c.tracked.index.data = index;
		c.tracked.index.stride = stride;
		refuses(WP_ERROR_TRACKED_INDEX_STRIDE);
	}
	c.batch.pair_b.stride = 3;
	refuses(WP_ERROR_PAIR_B_STRIDE);
	c.batch.pair_a.stride = 3;
	refuses(WP_ERROR_PAIR_A_STRIDE);
	c.results.normal.stride = 11;
	refuses(WP_ERROR_RESULTS_NORMAL_STRIDE);
	c.batch.a.rotation.stride = 15;
	refuses(WP_ERROR_BODIES_A_ROTATION_STRIDE);
}

/* -0 is a length, and anchors are for reuse alone. */
Test(track_arguments, lengths_of_nothing)
{
	c.options = (wp_track_options){.max_separation = -0.0f, .merging = -0.0f, .reuse_error = -0.0f};
	c.tracked.anchors = NULL;
	memset(&now, 0, sizeof now);
	cr_assert_eq(wp_track(c.workspace, &c.batch, &c.options, &c.tracked, &c.results, NULL, NULL), WP_OK);
}

Test(track_arguments, no_rows_change_nothing)
{
	memcpy(&other, &now, sizeof now);
	c.batch.count = 0;
	cr_assert_eq(wp_track(c.workspace, &c.batch, &c.options, &c.tracked, &c.results, &c.changes, &c.statistics), WP_OK);
	cr_assert_eq(memcmp(&now, &other, sizeof now), 0);
	cr_assert_eq(c.changes.count, 0);
}

/* ---- as queries and persistent manifolds -------------------------------------------------------- */

/* The same frames by wp_contact_manifold and wp_persistent_update. */
typedef struct twin {
	wp_persistent_manifold manifolds[PAIRS];
	wp_cache caches[PAIRS];
	wp_row rows[PAIRS];
	uint32_t counts[PAIRS];
	wp_manifold_point points[PAIRS][WP_PERSISTENT_POINT_MAX];
} twin;

static twin t;

static void twin_query(float max_separation)
{
	wp_results results = wp_results_of_rows(t.rows);
	const wp_manifolds manifolds = {.count = {t.counts}, .points = {t.points[0]}, .point_max = WP_PERSISTENT_POINT_MAX};
	for (uint32_t i = 0; i < PAIRS; i++)
		t.caches[i] = now.pairs[i].known;
	results.cache.data = t.caches;
	cr_assert_eq(wp_contact_manifold(workspace_of(WP_VARIANT_AUTO), &w.batch,
					 &(wp_contact_options){.max_separation = max_separation}, &results, &manifolds, NULL),
		WP_OK);
}

static void twin_poses(uint32_t i, wp_pose *a, wp_pose *b)
{
	const uint32_t body_a = w.pairs[i][0], body_b = w.pairs[i][1];
	*a = w.poses[body_a];
	*b = w.poses[body_b];
	if (w.batch.a.position_real == WP_REAL_DOUBLE)
		cr_assert_eq(wp_persistent_poses(w.far[body_a], a->rotation, w.far[body_b], b->rotation, a, b), WP_OK);
}

static void twin_keep(uint32_t i)
{
	const wp_persistent_thresholds thresholds = {INFINITY, INFINITY, near};
	wp_pose a, b;
	twin_poses(i, &a, &b);
	const wp_error error = wp_persistent_update(
		&t.manifolds[i], &a, &b, t.rows[i].normal, t.points[i], t.counts[i], &thresholds);
	cr_assert_eq(error, WP_OK, "pair %u: %s", i, wp_error_text(error));
}

/* How far apart two arms may be, of both sizes: kernels find them from points in world axes. */
static double arm_rounding(uint32_t i)
{
	const double bounds[2] = {
		(double)wp_shape_table_bound(w.table, w.pairs[i][0]), (double)wp_shape_table_bound(w.table, w.pairs[i][1])};
	return (isinf(bounds[0]) ? 0 : bounds[0]) + (isinf(bounds[1]) ? 0 : bounds[1]);
}

static void check_arms(uint32_t i, const float a[3], const float b[3], const float local[3])
{
	const double apart = v3_length(v3_sub(v3_of_floats(a), v3_of_floats(b)));
	const double most = 4e-6 * (arm_rounding(i) + v3_length(v3_of_floats(local))) + 1e-44;
	CHECK(apart <= most, "pair %u (%s): arms %a %a %a and %a %a %a, %g apart, at most %g", i,
		gen_construction_name((gen_construction)w.corpus.constructions[i]), (double)a[0], (double)a[1], (double)a[2],
		(double)b[0], (double)b[1], (double)b[2], apart, most);
}

static void check_point(uint32_t i, const wp_persistent_manifold *m, const wp_persistent_manifold *n, uint32_t k)
{
	const wp_persistent_point *const p = &m->points[k], *const q = &n->points[k];
	const wp_persistent_place *const place = &m->places[k];
	CHECK(memcmp(place, &n->places[k], sizeof *place) == 0, "pair %u: local points and features", i);
	CHECK(memcmp(&p->separation, &q->separation, sizeof p->separation) == 0, "pair %u: separations %a and %a", i,
		(double)p->separation, (double)q->separation);
	CHECK(p->age == q->age, "pair %u: ages %u and %u", i, p->age, q->age);
	CHECK(memcmp(m->impulses[k], n->impulses[k], sizeof m->impulses[k]) == 0, "pair %u: impulses", i);
	check_arms(i, p->arm_a, q->arm_a, place->local_a);
	check_arms(i, p->arm_b, q->arm_b, place->local_b);
}

/* A pair that was queried is its twin; one that was kept has no points, and its twin has none either. */
static void check_twin(uint32_t i)
{
	const wp_tracked *const pair = &now.pairs[i];
	const wp_persistent_manifold *const m = &now.manifolds[i], *const n = &t.manifolds[i];
	CHECK(pair->count == n->count, "pair %u: %u and %u points, event %u", i, pair->count, n->count, pair->event);
	CHECK(memcmp(&pair->separation, &now.rows[i].separation, sizeof pair->separation) == 0 &&
			  pair->status == now.rows[i].status,
		"pair %u: its own row", i);
	if (pair->event == WP_TRACK_KEPT) {
		CHECK((t.rows[i].status & WP_STATUS_SEPARATED) && now.rows[i].separation <= t.rows[i].upper,
			"pair %u: kept at %a, upper %a", i, (double)now.rows[i].separation, (double)t.rows[i].upper);
		return;
	}
	CHECK(memcmp(&now.rows[i], &t.rows[i], sizeof now.rows[i]) == 0, "pair %u: separations %a and %a", i,
		(double)now.rows[i].separation, (double)t.rows[i].separation);
	if (pair->count == 0)
		return;
	CHECK(m->count == n->count, "pair %u: its manifold has %u points", i, m->count);
	CHECK(v3_length(v3_sub(v3_of_floats(m->normal), v3_of_floats(n->normal))) <= 3e-7, "pair %u: normal", i);
	CHECK(memcmp(m->normal, now.rows[i].normal, sizeof m->normal) == 0, "pair %u: the row's normal", i);
	for (uint32_t k = 0; k < m->count; k++)
		check_point(i, m, n, k);
}

/* A solver: any impulses, in both. */
static void solve(gen_random *random)
{
	for (uint32_t i = 0; i < PAIRS; i++)
		for (uint32_t k = 0; k < now.pairs[i].count; k++)
			for (int axis = 0; axis < 3; axis++)
				now.manifolds[i].impulses[k][axis] = t.manifolds[i].impulses[k][axis] = (float)gen_range(random, -1, 1);
}

/* What began and ended, by comparison with the frame before. Returns how many. */
static size_t check_events(const uint16_t counts_before[PAIRS], const wp_track_changes *changes)
{
	static bool is_listed[PAIRS];
	size_t total = 0;
	memset(is_listed, 0, sizeof is_listed);
	for (size_t k = 0; k < changes->count; k++) {
		cr_assert(changes->rows[k] < PAIRS && !is_listed[changes->rows[k]]);
		is_listed[changes->rows[k]] = true;
	}
	for (uint32_t i = 0; i < PAIRS; i++) {
		const bool had = counts_before[i] != 0, has = now.pairs[i].count != 0;
		const uint32_t event = now.pairs[i].event & (WP_TRACK_BEGAN | WP_TRACK_ENDED);
		CHECK(event == (has && !had      ? WP_TRACK_BEGAN
						   : had && !has ? WP_TRACK_ENDED
										 : 0u),
			"pair %u: event %u", i, event);
		CHECK(is_listed[i] == (had != has), "pair %u is listed where it began or ended", i);
		total += had != has;
	}
	return total;
}

/* The statistics are the sums over the rows. */
static void check_statistics(const wp_statistics *s)
{
	wp_statistics sum = {0};
	for (uint32_t i = 0; i < PAIRS; i++) {
		const uint32_t status = now.rows[i].status;
		sum.rows++;
		sum.separated += (status & WP_STATUS_SEPARATED) != 0;
		sum.touching += (status & WP_STATUS_TOUCHING) != 0;
		sum.penetrating += (status & WP_STATUS_PENETRATING) != 0;
		sum.beyond += (status & WP_STATUS_BEYOND) != 0;
		sum.strong += (status & WP_STATUS_STRONG) != 0;
		sum.wide_bracket += (status & WP_STATUS_WIDE_BRACKET) != 0;
		sum.invalid += (status & WP_STATUS_INVALID) != 0;
		sum.degenerate += (status & WP_STATUS_DEGENERATE) != 0;
	}
	cr_assert(s->rows == sum.rows && s->separated == sum.separated && s->touching == sum.touching &&
			  s->penetrating == sum.penetrating && s->beyond == sum.beyond && s->strong == sum.strong &&
			  s->wide_bracket == sum.wide_bracket && s->invalid == sum.invalid && s->degenerate == sum.degenerate);
}

static void step_with_twin(uint32_t frame, float max_separation)
{
	static uint32_t changed[PAIRS];
	uint16_t counts[PAIRS];
	const wp_track_options options = options_of(max_separation, 0);
	wp_track_changes changes = {.rows = changed, .capacity = PAIRS, .count = 1};
	wp_statistics statistics = {0};
	move_to(frame);
	for (uint32_t i = 0; i < PAIRS; i++)
		counts[i] = now.pairs[i].count;
	twin_query(max_separation);
	cr_assert_eq(ask(&w.batch, &options, &now, &changes, &statistics), WP_OK);
	for (uint32_t i = 0; i < PAIRS; i++) {
		twin_keep(i);
		check_twin(i);
	}
	check_events(counts, &changes);
	check_statistics(&statistics);
}

static void follow_twin(uint32_t corpus, bool has_doubles, bool is_swapped, float max_separation)
{
	gen_random random;
	size_t kept = 0, near_pairs = 0;
	gen_seed(&random, corpus);
	make_world(corpus, has_doubles);
	memset(&t, 0, sizeof t);
	for (uint32_t i = 0; i < PAIRS && is_swapped; i++) {
		w.pairs[i][0] = 2 * i + 1;
		w.pairs[i][1] = 2 * i;
	}
	for (uint32_t frame = 0; frame < FRAMES; frame++) {
		step_with_twin(frame, max_separation);
		for (uint32_t i = 0; i < PAIRS; i++) {
			kept += now.pairs[i].event == WP_TRACK_KEPT;
			near_pairs += now.pairs[i].count != 0;
			CHECK(now.pairs[i].event != WP_TRACK_REUSED, "pair %u is queried", i);
		}
		solve(&random);
	}
	cr_assert(near_pairs > PAIRS && (isinf(max_separation) ? kept == 0 : kept > PAIRS / 2), "%zu kept, %zu near", kept,
		near_pairs);
}

Test(track, exact_frames_are_queries_and_updates)
{
	for (uint32_t corpus = 0; corpus < CORPORA; corpus++)
		follow_twin(corpus, false, false, near);
}

Test(track, exact_frames_of_swapped_roles) { follow_twin(2, false, true, near); }

Test(track, exact_frames_in_double)
{
	follow_twin(0, true, false, near);
	follow_twin(2, true, true, near);
}

Test(track, exact_frames_of_no_and_any_separation)
{
	follow_twin(0, false, false, 0);
	follow_twin(1, false, false, INFINITY);
}

/* ---- nothing else decides ----------------------------------------------------------------------- */

static void run_by(
	wp_variant variant, const wp_batch *batch, const wp_tracked_pairs *tracked, float reuse_error, wp_row *rows)
{
	const wp_track_options options = options_of(near, reuse_error);
	const wp_results results = wp_results_of_rows(rows);
	cr_assert_eq(wp_track(workspace_of(variant), batch, &options, tracked, &results, NULL, NULL), WP_OK);
}

static void expect_same(const char *what)
{
	for (uint32_t i = 0; i < PAIRS; i++) {
		CHECK(memcmp(&now.pairs[i], &other.pairs[i], sizeof now.pairs[i]) == 0, "%s: pair %u", what, i);
		CHECK(memcmp(&now.manifolds[i], &other.manifolds[i], sizeof now.manifolds[i]) == 0, "%s: manifold %u", what, i);
		CHECK(memcmp(&now.anchors[i], &other.anchors[i], sizeof now.anchors[i]) == 0, "%s: anchor %u", what, i);
		CHECK(memcmp(&now.rows[i], &other.rows[i], sizeof now.rows[i]) == 0, "%s: row %u", what, i);
	}
}

/* All frames by one way, and by another. */
static void follow_both(float reuse_error, const char *what, void (*run)(float reuse_error))
{
	for (uint32_t corpus = 0; corpus < CORPORA; corpus++) {
		make_world(corpus, corpus == 1);
		memset(&other, 0, sizeof other);
		for (uint32_t frame = 0; frame < FRAMES; frame++) {
			move_to(frame);
			step(near, reuse_error);
			run(reuse_error);
			expect_same(what);
		}
	}
}

static wp_variant variant_of_test;

static void run_by_variant(float reuse_error)
{
	const wp_tracked_pairs tracked = pairs_of(&other);
	run_by(variant_of_test, &w.batch, &tracked, reuse_error, other.rows);
}

Test(track, all_variants_write_the_same_bytes)
{
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		variant_of_test = (wp_variant)v;
		if (workspace_of(variant_of_test) == NULL)
			continue;
		follow_both(0, wp_variant_name(variant_of_test), run_by_variant);
		follow_both(0.01f, wp_variant_name(variant_of_test), run_by_variant);
	}
}

/* Row r of the batch is another pair, which its index names; indices are far apart in memory. */
static void run_permuted(float reuse_error)
{
	static uint32_t index[PAIRS][3], bodies[PAIRS][2];
	static wp_row rows[PAIRS];
	for (uint32_t row = 0; row < PAIRS; row++) {
		const uint32_t pair = (uint32_t)((uint64_t)row * 1009 % PAIRS);
		index[row][0] = pair;
		memcpy(bodies[row], w.pairs[pair], sizeof bodies[row]);
	}
	wp_batch batch = w.batch;
	batch.pair_a.data = &bodies[0][0];
	batch.pair_b.data = &bodies[0][1];
	wp_tracked_pairs tracked = pairs_of(&other);
	tracked.index.data = index[0];
	tracked.index.stride = sizeof index[0];
	run_by(WP_VARIANT_AUTO, &batch, &tracked, reuse_error, rows);
	for (uint32_t row = 0; row < PAIRS; row++)
		other.rows[index[row][0]] = rows[row];
}

Test(track, the_order_of_rows_does_not_matter)
{
	follow_both(0, "permuted", run_permuted);
	follow_both(0.01f, "permuted", run_permuted);
}

/* Ranges of one batch, of all sizes, the last ones first. */
static void run_ranges(float reuse_error)
{
	const wp_tracked_pairs tracked = pairs_of(&other);
	size_t size = 1;
	for (size_t end = PAIRS; end > 0; size = size * 2 % 331 + 1) {
		wp_batch batch = w.batch;
		batch.count = end < size ? end : size;
		batch.first = end -= batch.count;
		run_by(WP_VARIANT_AUTO, &batch, &tracked, reuse_error, other.rows);
	}
}

Test(track, ranges_do_not_matter)
{
	follow_both(0, "ranges", run_ranges);
	follow_both(0.01f, "ranges", run_ranges);
}

/* ---- layouts of bodies -------------------------------------------------------------------------- */

/* Bodies in rows of 32 bytes, the shape last or after the position; or in larger ones, which one lane takes; or in rows of 32 bytes
 * but for rotations or shapes, of which every other row has one. */
typedef enum layout { SHAPE_LAST, SHAPE_BETWEEN, APART, ROTATIONS_APART, SHAPES_APART, LAYOUTS } layout;

static uint32_t shapes[2 * PAIRS];

/* Some numbers of poses, shapes and names of bodies become bad. */
static void spoil_some(uint32_t frame)
{
	static const float bad[] = {NAN, INFINITY, -INFINITY, 1.1e30f, 0.0f, 3.0f};
	gen_random random;
	gen_seed(&random, 300 + frame);
	for (uint32_t i = 0; i < 2 * PAIRS; i++)
		shapes[i] = i;
	for (uint32_t n = 0; n < 12; n++) {
		wp_pose *const pose = &w.poses[gen_below(&random, 2 * PAIRS)];
		const float number = bad[gen_below(&random, COUNT_OF(bad))];
		if (gen_below(&random, 2))
			pose->position[gen_below(&random, 3)] = number;
		else
			pose->rotation[gen_below(&random, 4)] = number;
		shapes[gen_below(&random, 2 * PAIRS)] = n % 2 ? UINT32_MAX : 2 * PAIRS;
		w.pairs[gen_below(&random, PAIRS)][n % 2] = n % 3 ? UINT32_MAX : 2 * PAIRS;
	}
	/* A rotation of another length would turn as before. */
	for (uint32_t n = 0; n < 6; n++) {
		wp_pose *const pose = &w.poses[gen_below(&random, 2 * PAIRS)];
		for (int k = 0; k < 4; k++)
			pose->rotation[k] *= n % 2 == 0 ? 0.5f : 1.5f;
	}
}

static void run_laid_out(layout of, float reuse_error)
{
	/* Of position, rotation and shape the places in a struct, then the strides. */
	static const size_t places[LAYOUTS][6] = {{0, 12, 28, 32, 32, 32}, {0, 16, 12, 32, 32, 32}, {8, 24, 44, 52, 52, 52},
		{0, 12, 28, 32, 64, 32}, {0, 16, 12, 32, 32, 64}};
	const size_t *const place = places[of], *const stride = place + 3, size = 2 * PAIRS * (size_t)64;
	unsigned char *const bodies = block(size);
	memset(bodies, 0x7f, size);
	for (uint32_t i = 0; i < 2 * PAIRS; i++) {
		memcpy(bodies + i * stride[0] + place[0], w.poses[i].position, sizeof w.poses[i].position);
		memcpy(bodies + i * stride[1] + place[1], w.poses[i].rotation, sizeof w.poses[i].rotation);
		memcpy(bodies + i * stride[2] + place[2], &shapes[i], sizeof shapes[i]);
	}
	wp_batch batch = w.batch;
	batch.a.position = (wp_const_real_column){bodies + place[0], stride[0]};
	batch.a.rotation = (wp_const_float_column){(const float *)(const void *)(bodies + place[1]), stride[1]};
	batch.a.shape = (wp_const_uint32_column){(const uint32_t *)(const void *)(bodies + place[2]), stride[2]};
	const wp_tracked_pairs tracked = pairs_of(&other);
	run_by(of == APART ? WP_VARIANT_SCALAR : WP_VARIANT_AUTO, &batch, &tracked, reuse_error, other.rows);
	block_free(bodies);
}

static void follow_layout(layout of, float reuse_error)
{
	static wp_pose poses[2 * PAIRS];
	static uint32_t pairs[PAIRS][2];
	size_t kept = 0, invalid = 0;
	make_world(0, false);
	memset(&other, 0, sizeof other);
	w.batch.a.shape = (wp_const_uint32_column){shapes, 0};
	for (uint32_t frame = 0; frame < FRAMES; frame++) {
		move_to(frame);
		memcpy(poses, w.poses, sizeof poses);
		memcpy(pairs, w.pairs, sizeof pairs);
		spoil_some(frame);
		step(near, reuse_error);
		run_laid_out(of, reuse_error);
		expect_same("laid out");
		memcpy(w.poses, poses, sizeof poses);
		memcpy(w.pairs, pairs, sizeof pairs);
		for (uint32_t i = 0; i < PAIRS; i++) {
			kept += (now.pairs[i].event & WP_TRACK_KEPT) != 0;
			invalid += (now.pairs[i].status & WP_STATUS_INVALID) != 0;
		}
	}
	cr_assert(kept > 1000 && invalid > 100, "%zu kept, %zu invalid", kept, invalid);
}

Test(track, layouts_of_bodies_do_not_matter)
{
	for (int of = 0; of < LAYOUTS; of++) {
		follow_layout((layout)of, 0);
		follow_layout((layout)of, 0.01f);
	}
}

/* Kept things are plain data: copied there and back between frames. */
static void run_moved(float reuse_error)
{
	static memory away;
	memcpy(&away, &other, sizeof away);
	memset(&other, 0x5a, sizeof other);
	memset(other.rows, 0, sizeof other.rows);
	const wp_tracked_pairs tracked = pairs_of(&away);
	run_by(WP_VARIANT_AUTO, &w.batch, &tracked, reuse_error, away.rows);
	memcpy(&other, &away, sizeof away);
}

Test(track, what_is_kept_may_be_moved) { follow_both(0.01f, "moved", run_moved); }

/* Results of any columns, of both kinds of numbers, and none. */
static void run_without_results(float reuse_error)
{
	const wp_track_options options = options_of(near, reuse_error);
	const wp_tracked_pairs tracked = pairs_of(&other);
	const wp_results none = {0};
	wp_statistics with = {0}, without = {0};
	static memory before;
	memcpy(&before, &other, sizeof before);
	const wp_tracked_pairs first = pairs_of(&before);
	const wp_results results = wp_results_of_rows(other.rows);
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	cr_assert_eq(wp_track(workspace, &w.batch, &options, &first, &results, NULL, &with), WP_OK);
	cr_assert_eq(wp_track(workspace, &w.batch, &options, &tracked, &none, NULL, &without), WP_OK);
	cr_assert_eq(memcmp(&with, &without, sizeof with), 0);
}

Test(track, results_do_not_matter)
{
	follow_both(0, "without results", run_without_results);
	follow_both(0.01f, "without results", run_without_results);
}

/* ---- columns ------------------------------------------------------------------------------------ */

typedef struct columns {
	float separation[PAIRS], normal[PAIRS][3], point_a[PAIRS][3], point_b[PAIRS][3], lower[PAIRS], upper[PAIRS];
	uint32_t status[PAIRS], iterations[PAIRS];
	uint8_t overlap[PAIRS];
	float local_a[PAIRS][3], local_b[PAIRS][3], tangent_1[PAIRS][3], tangent_2[PAIRS][3];
	double far_a[PAIRS][3], far_b[PAIRS][3];
} columns;

static columns all, single;

static wp_results results_of(columns *to)
{
	return (wp_results){.separation = {to->separation},
		.normal = {to->normal[0]},
		.point_a = {to->point_a},
		.point_b = {to->point_b},
		.lower = {to->lower},
		.upper = {to->upper},
		.status = {to->status},
		.iterations = {to->iterations},
		.overlap = {to->overlap},
		.local_a = {to->local_a[0]},
		.local_b = {to->local_b[0]},
		.tangent_1 = {to->tangent_1[0]},
		.tangent_2 = {to->tangent_2[0]}};
}

static void run_columns(const wp_results *results)
{
	const wp_track_options options = options_of(near, 0.01f);
	static memory copy;
	memcpy(&copy, &now, sizeof copy);
	const wp_tracked_pairs tracked = pairs_of(&copy);
	cr_assert_eq(wp_track(workspace_of(WP_VARIANT_AUTO), &w.batch, &options, &tracked, results, NULL, NULL), WP_OK);
}

#define RUN_COLUMN(name, pointer)                                                         \
	do {                                                                                  \
		const wp_results one = {.name = {pointer}};                                       \
		run_columns(&one);                                                                \
		cr_assert_eq(memcmp(single.name, all.name, sizeof all.name), 0, "column " #name); \
	} while (0)

static void check_known_columns(uint32_t i, const wp_tracked *pair)
{
	float first[3], second[3];
	const float *const from = w.poses[w.pairs[i][0]].position;
	wp_tangents(all.normal[i], first, second);
	CHECK(memcmp(all.tangent_1[i], first, sizeof first) == 0 && memcmp(all.tangent_2[i], second, sizeof second) == 0,
		"pair %u: tangents", i);
	for (int k = 0; k < 3; k++) {
		CHECK(all.local_a[i][k] == 0 && all.local_b[i][k] == 0, "pair %u: local points", i);
		CHECK(all.point_a[i][k] == from[k] && all.point_b[i][k] == from[k], "pair %u: points", i);
	}
	CHECK(all.iterations[i] == 0 && all.overlap[i] == !(all.status[i] & WP_STATUS_SEPARATED), "pair %u: numbers", i);
	CHECK(all.lower[i] <= all.separation[i] && all.separation[i] <= all.upper[i], "pair %u: bracket", i);
	if (pair->event == WP_TRACK_KEPT)
		CHECK(all.lower[i] == all.separation[i] && isinf(all.upper[i]), "pair %u: bracket of a plane", i);
	else
		CHECK(all.status[i] & WP_STATUS_WIDE_BRACKET, "pair %u: status %x", i, all.status[i]);
}

Test(track, each_column_alone)
{
	make_world(0, false);
	move_to(0);
	step(near, 0.01f);
	move_to(2);
	const wp_results every = results_of(&all), one_of = results_of(&single);
	run_columns(&every);
	step(near, 0.01f);
	size_t known = 0;
	for (uint32_t i = 0; i < PAIRS; i++) {
		known += is_known(&now.pairs[i]);
		if (is_known(&now.pairs[i]))
			check_known_columns(i, &now.pairs[i]);
	}
	cr_assert_gt(known, PAIRS / 3);
	/* From the frame before, each time. */
	make_world(0, false);
	move_to(0);
	step(near, 0.01f);
	move_to(2);
	RUN_COLUMN(separation, one_of.separation.data);
	RUN_COLUMN(normal, one_of.normal.data);
	RUN_COLUMN(point_a, one_of.point_a.data);
	RUN_COLUMN(point_b, one_of.point_b.data);
	RUN_COLUMN(lower, one_of.lower.data);
	RUN_COLUMN(upper, one_of.upper.data);
	RUN_COLUMN(status, one_of.status.data);
	RUN_COLUMN(iterations, one_of.iterations.data);
	RUN_COLUMN(overlap, one_of.overlap.data);
	RUN_COLUMN(local_a, one_of.local_a.data);
	RUN_COLUMN(local_b, one_of.local_b.data);
	RUN_COLUMN(tangent_1, one_of.tangent_1.data);
	RUN_COLUMN(tangent_2, one_of.tangent_2.data);
}

Test(track, points_in_double)
{
	make_world(0, true);
	move_to(0);
	step(near, 0.01f);
	move_to(2);
	const wp_results results = {.point_a = {all.far_a}, .point_b = {all.far_b}, .point_real = WP_REAL_DOUBLE};
	run_columns(&results);
	step(near, 0.01f);
	for (uint32_t i = 0; i < PAIRS; i++)
		for (int k = 0; k < 3 && is_known(&now.pairs[i]); k++)
			CHECK(all.far_a[i][k] == w.far[2 * i][k] && all.far_b[i][k] == w.far[2 * i][k], "pair %u: points", i);
}

/* ---- changes ------------------------------------------------------------------------------------ */

Test(track, changes_beyond_the_capacity_are_counted)
{
	static uint32_t few[8], many[PAIRS];
	const wp_track_options options = options_of(near, 0);
	wp_track_changes changes = {.rows = many, .capacity = PAIRS};
	make_world(0, false);
	cr_assert_eq(ask(&w.batch, &options, &now, &changes, NULL), WP_OK);
	const size_t total = changes.count;
	cr_assert_gt(total, 8);
	memset(&now, 0, sizeof now);
	memset(few, 0xff, sizeof few);
	changes = (wp_track_changes){.rows = few, .capacity = 7};
	cr_assert_eq(ask(&w.batch, &options, &now, &changes, NULL), WP_OK);
	cr_assert_eq(changes.count, total);
	cr_assert_eq(memcmp(few, many, 7 * sizeof *few), 0);
	cr_assert_eq(few[7], UINT32_MAX);
	memset(&now, 0, sizeof now);
	changes = (wp_track_changes){.count = 3};
	cr_assert_eq(ask(&w.batch, &options, &now, &changes, NULL), WP_OK);
	cr_assert_eq(changes.count, total);
}

/* Rows of the batch, also where a call is for a range of it. */
Test(track, changes_are_rows_of_the_batch)
{
	static uint32_t changed[PAIRS];
	const wp_track_options options = options_of(near, 0);
	wp_track_changes changes = {.rows = changed, .capacity = PAIRS};
	make_world(0, false);
	wp_batch batch = w.batch;
	batch.first = 700;
	batch.count = 100;
	cr_assert_eq(ask(&batch, &options, &now, &changes, NULL), WP_OK);
	cr_assert_gt(changes.count, 0);
	for (size_t k = 0; k < changes.count; k++)
		cr_assert(changed[k] >= 700 && changed[k] < 800 && now.pairs[changed[k]].event == WP_TRACK_BEGAN);
}

/* ---- pairs made by hand ------------------------------------------------------------------------- */

/* Some bodies of some shapes, and one pair of them unless a test says otherwise. */
enum { BODIES = 8, SHAPES = 8, ROWS = 8 };

typedef struct hand {
	wp_shape shapes[SHAPES];
	wp_shape_table *table;
	wp_pose poses[BODIES];
	double far[BODIES][3];
	uint32_t shape[BODIES], pair_a[ROWS], pair_b[ROWS], changed[ROWS];
	wp_batch batch;
	wp_track_options options;
	wp_tracked pairs[ROWS];
	wp_persistent_manifold manifolds[ROWS];
	wp_tracked_anchor anchors[ROWS];
	wp_tracked_polytope polytopes[ROWS];
	wp_tracked_pairs tracked;
	wp_track_changes changes;
	wp_statistics statistics;
	wp_row rows[ROWS];
	wp_cache *caches; /* NULL: none */
} hand;

static hand h;

static void build_shapes(void)
{
	const size_t size = wp_shape_table_size(SHAPES);
	const wp_shape_table *built;
	if (h.table == NULL)
		h.table = block(size);
	cr_assert_eq(wp_shape_table_build(h.shapes, SHAPES, h.table, size, &built, NULL), WP_OK);
}

/* Body 0 of shape 0 at the origin, body 1 of shape 1 at `height` above it along Y, and the row of both. */
static void take_in_hand(wp_shape a, wp_shape b, double height)
{
	h = (hand){.table = h.table, .shapes = {a, b}, .options = {.max_separation = near, .merging = near}};
	for (uint32_t i = 2; i < SHAPES; i++)
		h.shapes[i] = wp_shape_sphere(1);
	for (uint32_t i = 0; i < BODIES; i++) {
		h.shape[i] = i;
		h.poses[i] = pose_at(0, i == 1 ? height : 0, 0);
	}
	for (uint32_t i = 0; i < ROWS; i++)
		h.pair_b[i] = 1;
	build_shapes();
	h.batch = (wp_batch){.shapes = h.table,
		.a = {.position = {h.poses[0].position, sizeof(wp_pose)},
			.rotation = {h.poses[0].rotation, sizeof(wp_pose)},
			.shape = {h.shape},
			.count = BODIES},
		.pair_a = {h.pair_a},
		.pair_b = {h.pair_b},
		.count = 1};
	h.tracked = (wp_tracked_pairs){.pairs = h.pairs, .manifolds = h.manifolds, .anchors = h.anchors, .count = ROWS};
	h.changes = (wp_track_changes){.rows = h.changed, .capacity = ROWS};
}

static const wp_tracked *frame(void)
{
	wp_results results = wp_results_of_rows(h.rows);
	results.cache.data = h.caches;
	h.statistics = (wp_statistics){0};
	const wp_error error = wp_track(
		workspace_of(WP_VARIANT_AUTO), &h.batch, &h.options, &h.tracked, &results, &h.changes, &h.statistics);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
	return &h.pairs[0];
}

/* A prism of 1 by 1 by 1, whose faces above and below have so many corners. */
static wp_shape prism(uint32_t corners)
{
	enum { MOST = 8 };
	static float vertices[2 * MOST][3];
	static uint32_t sizes[MOST + 2], indices[6 * MOST];
	for (uint32_t i = 0; i < corners; i++) {
		const double angle = 2 * 3.141592653589793 * i / corners;
		for (uint32_t up = 0; up < 2; up++) {
			float *const v = vertices[up * corners + i];
			v[0] = (float)(0.5 * cos(angle));
			v[1] = up == 1 ? 0.5f : -0.5f;
			v[2] = (float)(0.5 * sin(angle));
		}
		const uint32_t next = (i + 1) % corners, side[4] = {i, corners + i, corners + next, next};
		indices[i] = i;
		indices[corners + i] = 2 * corners - 1 - i;
		memcpy(&indices[2 * corners + 4 * i], side, sizeof side);
		sizes[2 + i] = 4;
	}
	sizes[0] = sizes[1] = corners;
	const wp_hull_input input = {.vertices = {vertices[0]},
		.vertex_count = 2 * corners,
		.face_sizes = sizes,
		.face_indices = indices,
		.face_count = corners + 2};
	const size_t size = wp_hull_size(2 * corners, corners + 2, 6 * corners);
	const wp_hull *hull;
	cr_assert_eq(wp_hull_build(&input, block(size), size, &hull, NULL), WP_OK);
	return wp_shape_hull(hull);
}

/* A wedge whose edges are at x = front, z = +-side and at x = back, z = 0, along Y. */
static wp_shape wedge(float front, float back, float up, float side)
{
	const float vertices[6][3] = {
		{front, up, -side}, {front, up, side}, {back, up, 0}, {front, -up, -side}, {front, -up, side}, {back, -up, 0}};
	static const uint32_t sizes[5] = {3, 3, 4, 4, 4},
						  indices[18] = {2, 1, 0, 3, 4, 5, 0, 1, 4, 3, 1, 2, 5, 4, 2, 0, 3, 5};
	const wp_hull_input input = {.vertices = {vertices[0]},
		.vertex_count = COUNT_OF(vertices),
		.face_sizes = sizes,
		.face_indices = indices,
		.face_count = COUNT_OF(sizes)};
	const size_t size = wp_hull_size(COUNT_OF(vertices), COUNT_OF(sizes), COUNT_OF(indices));
	const wp_hull *hull;
	cr_assert_eq(wp_hull_build(&input, block(size), size, &hull, NULL), WP_OK);
	return wp_shape_hull(hull);
}

/* Two wedges that touch at one point, from frame to frame. */
static const wp_pose wedge_frames[][2] = {
	{{{0x1.0949p-2f, 0x1.55698p-1f, -0x1.6adb82p+0f},
		 {-0x1.8f5b12p-3f, 0x1.254dcap-1f, 0x1.1cfa0cp-1f, 0x1.2370a4p-1f}},
		{{-0x1.4ed04cp-6f, 0x1.577d6ep-4f, -0x1.6bd538p+0f}, {0x1.6a09e6p-1f, 0x0p+0f, 0x0p+0f, 0x1.6a09e6p-1f}}},
	{{{0x1.099c46p-2f, 0x1.55c622p-1f, -0x1.6ad0b6p+0f},
		 {-0x1.914376p-3f, 0x1.25682p-1f, 0x1.1d4cdep-1f, 0x1.22db02p-1f}},
		{{-0x1.5cdcd8p-6f, 0x1.585b4ap-4f, -0x1.6ba84ep+0f},
			{0x1.6a0542p-1f, -0x1.06ef62p-11f, 0x1.787628p-11f, 0x1.6a0e78p-1f}}},
	{{{0x1.0991a4p-2f, 0x1.5612b2p-1f, -0x1.6b0f18p+0f},
		 {-0x1.901b7ap-3f, 0x1.25a1f2p-1f, 0x1.1def6p-1f, 0x1.221a52p-1f}},
		{{-0x1.5ccaa4p-6f, 0x1.5e6e54p-4f, -0x1.6bca86p+0f},
			{0x1.69e03ap-1f, 0x1.76fa72p-10f, 0x1.28b8fap-9f, 0x1.6a32e6p-1f}}},
	{{{0x1.071188p-2f, 0x1.575c6ep-1f, -0x1.6b7edcp+0f},
		 {-0x1.8c5dc8p-3f, 0x1.260642p-1f, 0x1.1edecep-1f, 0x1.211a14p-1f}},
		{{-0x1.6a480ep-6f, 0x1.669632p-4f, -0x1.6b796p+0f},
			{0x1.6ab708p-1f, 0x1.79d9a2p-9f, 0x1.afc4d6p-9f, 0x1.695aaap-1f}}},
	{{{0x1.070d96p-2f, 0x1.576d02p-1f, -0x1.6b4f26p+0f},
		 {-0x1.8c4dc8p-3f, 0x1.2655b8p-1f, 0x1.1e8c14p-1f, 0x1.211cap-1f}},
		{{-0x1.6fda64p-6f, 0x1.697ecp-4f, -0x1.6b7146p+0f},
			{0x1.6a541ep-1f, 0x1.bc6c8ep-9f, 0x1.f750c8p-9f, 0x1.69bd3p-1f}}}};

/* The wedges in the first row, alone or above rows of prisms that share several points. What is kept of them after each frame. */
static void follow_wedges(wp_workspace *workspace, size_t rows, wp_tracked kept[COUNT_OF(wedge_frames)])
{
	take_in_hand(wedge(0x1.f4fa26p-2f, -0x1.a17b2p-1f, 0x1.314d0ap-2f, 0x1.838fb6p-3f),
		wedge(0x1.33faf6p-2f, -0x1.00a678p-1f, 0x1.7dc85ap-1f, 0x1.40ab24p-2f), 0);
	h.shapes[2] = h.shapes[3] = prism(4);
	build_shapes();
	h.poses[3] = pose_at(0, 0.99, 0);
	for (uint32_t i = 1; i < ROWS; i++) {
		h.pair_a[i] = 2;
		h.pair_b[i] = 3;
	}
	h.batch.count = rows;
	h.options.reuse_error = 3e-4f;
	const wp_results results = wp_results_of_rows(h.rows);
	for (size_t frame = 0; frame < COUNT_OF(wedge_frames); frame++) {
		memcpy(h.poses, wedge_frames[frame], sizeof wedge_frames[frame]);
		cr_assert_eq(wp_track(workspace, &h.batch, &h.options, &h.tracked, &results, NULL, NULL), WP_OK);
		kept[frame] = h.pairs[0];
	}
}

Test(track, points_are_reused_the_same_beside_other_pairs)
{
	wp_tracked alone[COUNT_OF(wedge_frames)], beside[COUNT_OF(wedge_frames)];
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *const workspace = workspace_of((wp_variant)v);
		if (workspace == NULL)
			continue;
		follow_wedges(workspace, 1, alone);
		follow_wedges(workspace, ROWS, beside);
		for (size_t i = 0; i < COUNT_OF(wedge_frames); i++)
			CHECK(memcmp(&alone[i], &beside[i], sizeof alone[i]) == 0, "%s: frame %zu", wp_variant_name((wp_variant)v),
				i);
	}
}

/* Manifolds of hulls are made in an order of their own, which is the order of the rows that changed. */
Test(track, changes_are_in_the_same_order_by_all_variants)
{
	static const uint32_t corners[SHAPES] = {7, 3, 8, 4, 5, 6, 3, 8};
	uint32_t scalar[ROWS];
	take_in_hand(wp_shape_sphere(1), wp_shape_sphere(1), 0);
	for (uint32_t i = 0; i < SHAPES; i++)
		h.shapes[i] = prism(corners[i]);
	build_shapes();
	h.poses[BODIES - 1] = pose_at(0, 0.99, 0);
	for (uint32_t i = 0; i < ROWS; i++) {
		h.pair_a[i] = i;
		h.pair_b[i] = BODIES - 1;
	}
	h.batch.count = ROWS - 1;
	const wp_results results = wp_results_of_rows(h.rows);
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *const workspace = workspace_of((wp_variant)v);
		if (workspace == NULL)
			continue;
		memset(h.pairs, 0, sizeof h.pairs);
		cr_assert_eq(wp_track(workspace, &h.batch, &h.options, &h.tracked, &results, &h.changes, &h.statistics), WP_OK);
		cr_assert_eq(h.changes.count, ROWS - 1);
		if (v == WP_VARIANT_SCALAR)
			memcpy(scalar, h.changed, sizeof scalar);
		for (uint32_t i = 0; i < ROWS - 1; i++)
			CHECK(h.changed[i] == scalar[i], "%s: change %u is row %u, not %u", wp_variant_name((wp_variant)v), i,
				h.changed[i], scalar[i]);
	}
}

/* The contact of row 0 without a limit. */
static wp_row truth(void)
{
	wp_row row;
	const wp_results results = wp_results_of_rows(&row);
	wp_batch batch = h.batch;
	batch.count = 1;
	cr_assert_eq(wp_contact(workspace_of(WP_VARIANT_AUTO), &batch, &(wp_contact_options){.max_separation = INFINITY},
					 &results, NULL),
		WP_OK);
	return row;
}

static wp_shape cube(void) { return wp_shape_box(1, 1, 1); }

Test(track, a_pair_comes_and_goes)
{
	take_in_hand(cube(), cube(), 2.01);
	const wp_tracked *pair = frame();
	cr_assert(pair->event == WP_TRACK_BEGAN && pair->count == 4 && h.changes.count == 1 && h.changed[0] == 0);
	pair = frame();
	cr_assert(pair->event == 0 && pair->count == 4 && h.changes.count == 0);
	h.options.reuse_error = 0.1f;
	pair = frame();
	cr_assert(pair->event == 0 && pair->count == 4 && h.changes.count == 0, "no plane was kept before");
	pair = frame();
	cr_assert(pair->event == WP_TRACK_REUSED && pair->count == 4 && h.changes.count == 0);
	h.poses[1] = pose_at(0, 2.05, 0);
	pair = frame();
	cr_assert(pair->event == WP_TRACK_ENDED && pair->count == 0 && h.changes.count == 1 && h.manifolds[0].count == 0);
	pair = frame();
	cr_assert(pair->event == WP_TRACK_KEPT && pair->count == 0 && h.changes.count == 0);
	cr_assert(h.rows[0].normal[1] == 1 && pair->separation > near && pair->separation <= 0.05f + 1e-6f);
	h.poses[1] = pose_at(0, 2.01, 0);
	pair = frame();
	cr_assert(pair->event == WP_TRACK_BEGAN && pair->count == 4 && h.changes.count == 1);
}

/* Points go on in reuse, and their impulses stay when they are queried again. */
Test(track, impulses_live_through_reuse_and_queries)
{
	take_in_hand(wp_shape_box(4, 1, 4), cube(), 1.99);
	frame();
	for (uint32_t k = 0; k < 4; k++)
		h.manifolds[0].impulses[k][0] = (float)(h.manifolds[0].places[k].feature_b + 1);
	for (uint32_t i = 1; i < 40; i++) {
		h.options.reuse_error = i % 4 == 3 ? 0 : 1e-3f;
		h.poses[1] = pose_turned(1e-4 * i, 1.99, 0, 1e-4 * i);
		const wp_tracked *const pair = frame();
		cr_assert_eq(pair->count, 4);
		for (uint32_t k = 0; k < 4; k++) {
			cr_assert_eq(h.manifolds[0].points[k].age, i);
			cr_assert_eq(h.manifolds[0].impulses[k][0], (float)(h.manifolds[0].places[k].feature_b + 1));
		}
	}
}

/* A card tips over the edge of a box: the separation stays, but the normal turns. */
Test(track, the_normal_goes_with_a_card_over_an_edge)
{
	take_in_hand(cube(), wp_shape_box(0.5f, 0.02f, 0.25f), 2);
	h.options.reuse_error = 2e-3f;
	for (uint32_t i = 0; i <= 60; i++) {
		const double angle = -0.3 - 0.02 * i;
		h.poses[1] = pose_turned(1 - 0.0195 * sin(angle), 1 + 0.0195 * cos(angle), 0, angle);
		cr_assert_neq(frame()->count, 0);
		const wp_row row = truth();
		const float *const n = h.manifolds[0].normal;
		const double cosine = (double)n[0] * row.normal[0] + (double)n[1] * row.normal[1] +
		                      (double)n[2] * row.normal[2];
		CHECK(cosine > 0.98, "step %u: %g %g %g is far from %g %g %g", i, (double)n[0], (double)n[1], (double)n[2],
			(double)row.normal[0], (double)row.normal[1], (double)row.normal[2]);
	}
}

/* A body slides far on a large box that its points keep it on, its rotation now one quaternion, now the negative one. Returns how
 * often its anchor moved on. */
static uint32_t slide(wp_shape body, double height)
{
	uint32_t found = 0;
	take_in_hand(wp_shape_box(4, 1, 4), body, height);
	h.options.reuse_error = 4e-3f;
	h.options.merging = 2;
	frame();
	for (uint32_t i = 1; i <= 400; i++) {
		const wp_tracked_anchor before = h.anchors[0];
		h.poses[1] = pose_at(1e-3 * i, height, -2e-3 * i);
		for (int k = 0; k < 4 && i % 2 == 1; k++)
			h.poses[1].rotation[k] = -h.poses[1].rotation[k];
		cr_assert_eq(frame()->event, WP_TRACK_REUSED);
		const wp_row row = truth();
		cr_assert(h.rows[0].lower <= row.separation && row.separation <= h.rows[0].upper);
		cr_assert_lt(fabs((double)(h.rows[0].separation - row.separation)), 1e-5);
		cr_assert_eq(memcmp(before.plane, h.anchors[0].plane, sizeof before.plane), 0, "the plane stays");
		found += memcmp(&before, &h.anchors[0], sizeof before) != 0;
	}
	return found;
}

/* Where a way is too long for the bound from above, the shapes find another one, and from there the body may move as far again. */
Test(track, a_pair_moves_on_from_where_its_upper_bound_was_found)
{
	const uint32_t found = slide(prism(8), 1.49);
	cr_assert(found > 400 / 3 && found < 400, "found in %u frames", found);
}

static void expect_reused(int step)
{
	cr_assert_eq(frame()->event, WP_TRACK_REUSED, "step %d", step);
	const wp_row row = truth();
	cr_assert(h.rows[0].lower <= row.separation && row.separation <= h.rows[0].upper, "step %d", step);
	cr_assert_leq(fabsf(h.rows[0].separation - row.separation), h.options.reuse_error, "step %d", step);
}

/* A box slides over a hull, above its face: a little further down it would be in it. */
Test(track, a_gap_above_a_hull_is_bounded_by_a_place_inside)
{
	take_in_hand(prism(8), wp_shape_box(0.2f, 0.2f, 0.2f), 0.702);
	h.options.reuse_error = 4e-3f;
	h.options.merging = 2;
	frame();
	for (int i = 1; i <= 200; i++) {
		h.poses[1] = pose_at(1e-3 * i, 0.702, -5e-4 * i);
		expect_reused(i);
	}
}

/* A capsule rolls on the face of a smaller box, whose normal it does not carry. */
Test(track, the_smaller_body_carries_the_normal_of_its_face)
{
	take_in_hand(wp_shape_capsule(0.1f, 2), wp_shape_box(0.5f, 0.5f, 0.5f), 0.0);
	h.poses[1] = pose_at(0.59, 0.0, 0.0);
	h.options.reuse_error = 4e-3f;
	frame();
	for (int i = 1; i <= 40; i++) {
		h.poses[0].rotation[1] = (float)sin(5e-4 * i);
		h.poses[0].rotation[3] = (float)cos(5e-4 * i);
		expect_reused(i);
	}
}

/* Move on a body that turns. The deepest point is as near to the truth as the pair is, where points are reused. Returns whether
 * they were. */
static bool expect_deepest_point(int step)
{
	const bool is_reused = (frame()->event & WP_TRACK_REUSED) != 0;
	const wp_row row = truth();
	float least = INFINITY;
	for (uint32_t k = 0; k < h.pairs[0].count; k++)
		least = fminf(least, h.manifolds[0].points[k].separation);
	cr_assert_leq(fabsf(least - row.separation), h.options.reuse_error + 1e-5f, "step %d: %g, of the contact %g", step,
		(double)least, (double)row.separation);
	return is_reused;
}

/* A ball that spins stays where it is, but its point does not: it goes up on the other side. */
Test(track, the_point_of_a_ball_that_spins_is_found_again)
{
	uint32_t reused = 0;
	take_in_hand(wp_shape_box(4, 1, 4), wp_shape_sphere(1), 1.99);
	h.options.reuse_error = 0.01f;
	h.options.merging = 2;
	for (int i = 0; i < 100; i++) {
		h.poses[1].rotation[2] = (float)sin(0.02 * i);
		h.poses[1].rotation[3] = (float)cos(0.02 * i);
		reused += expect_deepest_point(i);
	}
	cr_assert(reused > 25 && reused < 95, "%u frames", reused);
}

/* A capsule that rolls on a smaller box turns away from the normal that the box proves the separation along. */
Test(track, points_of_a_capsule_that_rolls_are_found_again)
{
	uint32_t reused = 0;
	take_in_hand(wp_shape_capsule(0.1f, 2), wp_shape_box(0.5f, 0.5f, 0.5f), 0.0);
	h.poses[1] = pose_at(0.59, 0.0, 0.0);
	h.options.reuse_error = 4e-3f;
	for (int i = 0; i < 100; i++) {
		h.poses[0].rotation[1] = (float)sin(0.01 * i);
		h.poses[0].rotation[3] = (float)cos(0.01 * i);
		reused += expect_deepest_point(i);
	}
	cr_assert(reused > 25 && reused < 95, "%u frames", reused);
}

/* How far both ends of the points of the pair have slid apart across the normal. */
static double slid_apart(void)
{
	double most = 0;
	for (uint32_t k = 0; k < h.pairs[0].count; k++) {
		const wp_persistent_manifold *const m = &h.manifolds[0];
		double across[3], along = 0;
		for (int i = 0; i < 3; i++) {
			across[i] = (double)h.poses[1].position[i] - (double)h.poses[0].position[i] +
			            (double)m->points[k].arm_b[i] - (double)m->points[k].arm_a[i];
			along += across[i] * (double)m->normal[i];
		}
		for (int i = 0; i < 3; i++)
			across[i] -= along * (double)m->normal[i];
		most = fmax(most, sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]));
	}
	return most;
}

/* A body slides on a beam. Its points stay behind in the beam by `merging` at most, or by the error, and then are found anew. */
static void slide_on_beam(wp_shape body, double height, float merging, float most)
{
	uint32_t reused = 0;
	double farthest = 0;
	take_in_hand(wp_shape_box(4, 1, 4), body, height);
	h.options.reuse_error = 4e-3f;
	h.options.merging = merging;
	for (int i = 0; i < 600; i++) {
		h.poses[1] = pose_at(1e-3 * i, height, -5e-4 * i);
		reused += (frame()->event & WP_TRACK_REUSED) != 0;
		farthest = fmax(farthest, slid_apart());
	}
	cr_assert(farthest <= (double)most * 1.0001 && farthest > 0.6 * (double)most, "%g, not %g", farthest, (double)most);
	cr_assert(reused > 400 && reused < 600, "%u frames", reused);
}

Test(track, points_do_not_slide_apart)
{
	slide_on_beam(cube(), 1.99, 0.02f, 0.02f);
	slide_on_beam(prism(8), 1.49, 0.02f, 0.02f);
	slide_on_beam(wp_shape_capsule(0.5f, 0.5f), 1.99, 0.02f, 0.02f);
	slide_on_beam(cube(), 1.99, 0.0f, 4e-3f);
}

/* Boxes are bounded by their axes, wherever they were. */
Test(track, boxes_slide_as_far_as_their_points_are_right) { cr_assert_eq(slide(cube(), 1.99), 0); }

/* So are boxes whose table was made anew with another shape in the place of one: then the pair is queried. */
Test(track, a_box_that_is_none_any_more_is_queried)
{
	take_in_hand(cube(), cube(), 1.99);
	h.options.reuse_error = 4e-3f;
	frame();
	cr_assert_eq(frame()->event, WP_TRACK_REUSED);
	const wp_shape sphere = wp_shape_sphere(1);
	cr_assert_eq(wp_shape_table_set(h.table, 1, &sphere, NULL), WP_OK);
	cr_assert((frame()->event & WP_TRACK_REUSED) == 0);
	cr_assert_eq(frame()->event, WP_TRACK_REUSED);
	const wp_row row = truth();
	cr_assert(h.rows[0].lower <= row.separation && row.separation <= h.rows[0].upper);
}

/* A box lies across the corner of another one, and slides to and fro. The deepest of its points are where a side of the other box
 * meets its face, so they are not deep inside of that; those further in are. */
Test(track, points_further_in_bound_the_separation)
{
	take_in_hand(cube(), cube(), 0);
	h.options.reuse_error = 4e-3f;
	for (int i = 0; i < 50; i++) {
		h.poses[1] = pose_at(i % 2 ? 0.5025 : 0.4975, 1.98, 0.3);
		h.poses[1].rotation[0] = h.poses[1].rotation[2] = -1e-3f;
		const uint32_t event = frame()->event;
		cr_assert_eq(event, i == 0 ? WP_TRACK_BEGAN : WP_TRACK_REUSED, "frame %d: %x", i, event);
		const wp_row row = truth();
		cr_assert(i == 0 || (h.rows[0].lower <= row.separation && row.separation <= h.rows[0].upper));
	}
	cr_assert_eq(h.pairs[0].count, 4);
}

/* A quaternion and its negative are one rotation: nothing has moved. */
Test(track, negative_rotations_are_the_same)
{
	for (int touches = 0; touches < 2; touches++) {
		take_in_hand(cube(), cube(), touches ? 1.99 : 2.5);
		h.options.reuse_error = 1e-3f;
		h.poses[0] = pose_turned(0, 0, 0, 0.2);
		frame();
		frame();
		const wp_row row = h.rows[0];
		for (int i = 0; i < 4; i++) {
			for (int k = 0; k < 4; k++)
				h.poses[i % 2].rotation[k] = -h.poses[i % 2].rotation[k];
			frame();
			cr_assert_eq(h.pairs[0].event, touches ? WP_TRACK_REUSED : WP_TRACK_KEPT);
			cr_assert(h.rows[0].separation == row.separation && h.rows[0].lower == row.lower);
		}
	}
}

/* ---- invalid rows ------------------------------------------------------------------------------- */

static void expect_nothing_kept(uint32_t reason, const char *what)
{
	const wp_tracked *const pair = &h.pairs[0];
	cr_assert_eq(h.rows[0].status, WP_STATUS_INVALID | reason, "%s: status %x", what, h.rows[0].status);
	cr_assert_eq(pair->status, h.rows[0].status, "%s", what);
	cr_assert(isnan(h.rows[0].separation) && isnan(pair->separation), "%s", what);
	cr_assert(pair->count == 0 && pair->lever == 0 && pair->known.count == 0, "%s: nothing is kept", what);
	cr_assert(h.statistics.rows == 1 && h.statistics.invalid == 1 && h.statistics.first_invalid_row == 0, "%s", what);
}

/* A row that touches, or is apart, is spoilt, seen to be invalid, and mended. */
static void spoil_number(float *number, float bad, uint32_t reason, bool touches)
{
	const float good = *number;
	for (float error = 0; error < 1; error += 0.5f) {
		h.options.reuse_error = error;
		memset(h.pairs, 0, sizeof h.pairs);
		frame();
		frame();
		cr_assert_eq(h.pairs[0].count != 0, touches);
		*number = bad;
		frame();
		expect_nothing_kept(reason, "a number");
		cr_assert_eq(h.pairs[0].event, touches ? WP_TRACK_ENDED : 0);
		cr_assert_eq(h.changes.count, touches);
		frame();
		expect_nothing_kept(reason, "once more");
		cr_assert_eq(h.pairs[0].event, 0);
		*number = good;
		frame();
		cr_assert_eq(h.pairs[0].event, touches ? WP_TRACK_BEGAN : 0);
	}
}

static void spoil_numbers(bool touches)
{
	static const float places[] = {NAN, INFINITY, -INFINITY, 1.1e30f, -3e38f}, turns[] = {NAN, INFINITY, 2.0f, -1e30f},
					   lengths[] = {0.0f, 0.5f, 0.9899f, 1.0101f};
	for (int side = 0; side < 2; side++) {
		wp_pose *const pose = &h.poses[side];
		for (size_t i = 0; i < COUNT_OF(places); i++)
			spoil_number(&pose->position[i % 3], places[i],
				side == 0 ? WP_STATUS_INVALID_POSITION_A : WP_STATUS_INVALID_POSITION_B, touches);
		for (size_t i = 0; i < COUNT_OF(turns); i++)
			spoil_number(&pose->rotation[i % 4], turns[i],
				side == 0 ? WP_STATUS_INVALID_ROTATION_A : WP_STATUS_INVALID_ROTATION_B, touches);
		for (size_t i = 0; i < COUNT_OF(lengths); i++)
			spoil_number(&pose->rotation[3], lengths[i],
				side == 0 ? WP_STATUS_INVALID_ROTATION_A : WP_STATUS_INVALID_ROTATION_B, touches);
	}
}

Test(track, invalid_poses_keep_nothing)
{
	take_in_hand(cube(), cube(), 2);
	spoil_numbers(true);
	take_in_hand(cube(), cube(), 3);
	spoil_numbers(false);
	take_in_hand(wp_shape_half_space(), cube(), 1);
	spoil_numbers(true);
	take_in_hand(wp_shape_cone(1, 1), cube(), 5);
	spoil_numbers(false);
}

/* Rotations near the largest and least length, positions near the largest coordinate: a row that is kept or reused is one that
 * wp_contact answers. */
Test(track, what_is_invalid_is_as_of_contacts)
{
	gen_random random;
	size_t invalid = 0, known = 0;
	gen_seed(&random, 11);
	for (int i = 0; i < 20000; i++) {
		const bool touches = i % 2, is_far = gen_below(&random, 4) == 0;
		take_in_hand(cube(), touches ? cube() : wp_shape_sphere(1), touches ? 2 : 4);
		h.options.reuse_error = 0.1f;
		frame();
		const float far = is_far ? nextafterf(1e30f, gen_below(&random, 2) ? INFINITY : 0) : 0;
		for (int side = 0; side < 2; side++) {
			h.poses[side] = pose_at(far, side * (touches ? 2 : 4), 0);
			h.poses[side].rotation[3] = (float)gen_range(&random, 0.9895, 1.0105);
		}
		frame();
		const wp_row row = truth();
		const uint32_t reasons = row.status & ~0xffffu;
		CHECK((h.rows[0].status & ~0xffffu) == reasons &&
				  (h.rows[0].status & WP_STATUS_INVALID) == (row.status & WP_STATUS_INVALID),
			"step %d: status %x, of the contact %x", i, h.rows[0].status, row.status);
		invalid += (row.status & WP_STATUS_INVALID) != 0;
		known += is_known(&h.pairs[0]);
	}
	cr_assert(invalid > 2000 && known > 2000, "%zu invalid, %zu known", invalid, known);
}

/* In double too, where the difference of two positions that are too large is small. */
Test(track, invalid_doubles_keep_nothing)
{
	static const double bad[] = {1e30 * (1 + 1e-7), -2e30, 1e300, NAN, INFINITY};
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		for (int touches = 0; touches < 2; touches++) {
			take_in_hand(cube(), cube(), 0);
			h.far[1][1] = touches ? 2 : 4;
			h.batch.a.position.data = h.far;
			h.batch.a.position.stride = 0;
			h.batch.a.position_real = WP_REAL_DOUBLE;
			h.options.reuse_error = 0.1f;
			frame();
			frame();
			cr_assert_eq(h.pairs[0].event, touches ? WP_TRACK_REUSED : WP_TRACK_KEPT);
			h.far[0][0] = h.far[1][0] = bad[i];
			frame();
			expect_nothing_kept(WP_STATUS_INVALID_POSITION_A | WP_STATUS_INVALID_POSITION_B, "doubles");
		}
	}
}

/* One body just beyond the limit, the other one near by. */
Test(track, doubles_just_beyond_keep_nothing)
{
	const double limit = (double)WP_COORDINATE_MAX, just = limit * 1e-9;
	for (int side = 0; side < 2; side++) {
		take_in_hand(wp_shape_box(1e22f, 1e22f, 1e22f), wp_shape_box(1e22f, 1e22f, 1e22f), 0);
		h.far[0][0] = h.far[1][0] = limit - just;
		h.far[1][1] = 8e22;
		h.batch.a.position.data = h.far;
		h.batch.a.position.stride = 0;
		h.batch.a.position_real = WP_REAL_DOUBLE;
		frame();
		frame();
		cr_assert_eq(h.pairs[0].event, WP_TRACK_KEPT);
		h.far[side][0] = limit + just;
		frame();
		expect_nothing_kept(side == 0 ? WP_STATUS_INVALID_POSITION_A : WP_STATUS_INVALID_POSITION_B, "just beyond");
	}
}

/* Rows that are answered from what is kept count as others do. */
Test(track, statistics_of_known_rows)
{
	for (int touches = 0; touches < 2; touches++) {
		take_in_hand(cube(), cube(), touches ? 1.99 : 4);
		h.options.reuse_error = 0.1f;
		frame();
		frame();
		const wp_statistics *const s = &h.statistics;
		const uint32_t status = h.rows[0].status;
		cr_assert_eq(h.pairs[0].event, touches ? WP_TRACK_REUSED : WP_TRACK_KEPT);
		cr_assert(s->rows == 1 && s->separated == ((status & WP_STATUS_SEPARATED) != 0) &&
					  s->touching == ((status & WP_STATUS_TOUCHING) != 0) &&
					  s->penetrating == ((status & WP_STATUS_PENETRATING) != 0) &&
					  s->beyond == ((status & WP_STATUS_BEYOND) != 0) &&
					  s->wide_bracket == ((status & WP_STATUS_WIDE_BRACKET) != 0),
			"touches %d, status %x", touches, status);
	}
}

static void spoil_index(uint32_t *index, uint32_t bad, uint32_t reason)
{
	const uint32_t good = *index;
	for (int touches = 0; touches < 2; touches++) {
		h.poses[1] = pose_at(0, touches ? 2 : 3, 0);
		frame();
		frame();
		*index = bad;
		frame();
		expect_nothing_kept(reason, "an index");
		cr_assert_eq(h.pairs[0].event, touches ? WP_TRACK_ENDED : 0);
		*index = good;
	}
}

Test(track, invalid_bodies_and_shapes_keep_nothing)
{
	take_in_hand(cube(), cube(), 2);
	h.options.reuse_error = 0.1f;
	spoil_index(&h.pair_a[0], BODIES, WP_STATUS_INVALID_BODY_A);
	spoil_index(&h.pair_b[0], UINT32_MAX, WP_STATUS_INVALID_BODY_B);
	spoil_index(&h.shape[0], SHAPES, WP_STATUS_INVALID_SHAPE_A);
	spoil_index(&h.shape[1], UINT32_MAX, WP_STATUS_INVALID_SHAPE_B);
	h.shapes[5] = wp_shape_sphere(-1);
	build_shapes();
	spoil_index(&h.shape[1], 5, WP_STATUS_INVALID_SHAPE_B);
	spoil_index(&h.shape[0], 5, WP_STATUS_INVALID_SHAPE_A);
	h.shapes[5] = h.shapes[6] = wp_shape_half_space();
	h.shapes[0] = wp_shape_half_space();
	build_shapes();
	h.poses[0] = pose_at(0, 1, 0);
	spoil_index(&h.shape[1], 5, WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_SHAPE_B);
}

Test(track, a_bad_index_is_refused_alone)
{
	uint32_t index[ROWS] = {2, ROWS, 0, UINT32_MAX, 1, 0x80000000u, 3, 4};
	wp_persistent_manifold manifolds[ROWS];
	take_in_hand(cube(), cube(), 2);
	h.tracked.index.data = index;
	h.batch.count = ROWS;
	for (int pass = 0; pass < 3; pass++) {
		h.options.reuse_error = pass == 2 ? 0.1f : 0;
		frame();
		memcpy(manifolds, h.manifolds, sizeof manifolds);
		for (uint32_t row = 0; row < ROWS; row++) {
			if (index[row] >= ROWS) {
				cr_assert_eq(h.rows[row].status, WP_STATUS_INVALID | WP_STATUS_INVALID_TRACKED);
				cr_assert(isnan(h.rows[row].separation) && isnan(h.rows[row].lower) && isnan(h.rows[row].upper));
				cr_assert(h.rows[row].normal[1] == 0 && h.rows[row].point_a[1] == 0 && h.rows[row].point_b[1] == 0);
			} else {
				cr_assert(h.pairs[index[row]].count == 4 && h.manifolds[index[row]].count == 4 &&
						  h.pairs[index[row]].event == (pass == 0 ? WP_TRACK_BEGAN : 0));
			}
		}
		cr_assert(h.statistics.rows == ROWS && h.statistics.invalid == 3 && h.statistics.first_invalid_row == 1);
		cr_assert_eq(h.changes.count, pass == 0 ? ROWS - 3 : 0);
	}
	for (uint32_t i = 5; i < ROWS; i++)
		cr_assert(h.pairs[i].status == 0 && h.pairs[i].count == 0 && h.manifolds[i].count == 0);
	h.tracked.index.data = NULL;
	h.tracked.count = 3;
	frame();
	cr_assert(h.statistics.invalid == ROWS - 3 && h.rows[3].status == (WP_STATUS_INVALID | WP_STATUS_INVALID_TRACKED));
	h.tracked.count = 0;
	frame();
	cr_assert_eq(h.statistics.invalid, ROWS);
}

/* ---- who a pair is ------------------------------------------------------------------------------ */

/* A body takes another shape: its old plane is not for that. */
Test(track, another_shape_is_queried)
{
	take_in_hand(cube(), cube(), 3);
	h.shapes[5] = wp_shape_box(1, 3, 1);
	build_shapes();
	frame();
	frame();
	cr_assert_eq(h.pairs[0].event, WP_TRACK_KEPT);
	for (int side = 0; side < 2; side++) {
		h.shape[side] = 5;
		frame();
		cr_assert(h.pairs[0].event == WP_TRACK_BEGAN && h.pairs[0].separation == -1, "side %d", side);
		h.shape[side] = (uint32_t)side;
		frame();
		cr_assert_eq(h.pairs[0].event, WP_TRACK_ENDED);
		frame();
		cr_assert_eq(h.pairs[0].event, WP_TRACK_KEPT);
	}
	h.options.reuse_error = 0.1f;
	h.poses[1] = pose_at(0, 2, 0);
	frame();
	frame();
	cr_assert_eq(h.pairs[0].event, WP_TRACK_REUSED);
	h.shape[1] = 5;
	frame();
	cr_assert(h.pairs[0].event == 0 && h.pairs[0].separation == -2);
}

/* The shapes in hand in a table that may be changed. */
static void init_shapes(void)
{
	cr_assert_eq(wp_shape_table_init(h.table, wp_shape_table_size(SHAPES), SHAPES, &h.table), WP_OK);
	for (size_t i = 0; i < SHAPES; i++)
		cr_assert_eq(wp_shape_table_set(h.table, i, &h.shapes[i], NULL), WP_OK);
}

static void set_shape(size_t index, wp_shape shape)
{
	cr_assert_eq(wp_shape_table_set(h.table, index, &shape, NULL), WP_OK);
}

/* A shape is replaced by one with the same index: the plane and the points of the old one are not for that. */
Test(track, a_replaced_shape_is_queried)
{
	for (int side = 0; side < 2; side++) {
		const size_t index = (size_t)side;
		take_in_hand(cube(), cube(), 3);
		init_shapes();
		frame();
		frame();
		cr_assert_eq(h.pairs[0].event, WP_TRACK_KEPT);
		set_shape(5, wp_shape_box(1, 3, 1));
		frame();
		cr_assert_eq(h.pairs[0].event, WP_TRACK_KEPT, "other shapes do not matter");
		set_shape(index, wp_shape_box(1, 3, 1));
		frame();
		cr_assert(h.pairs[0].event == WP_TRACK_BEGAN && h.pairs[0].separation == -1, "side %d", side);
		set_shape(index, cube());
		frame();
		cr_assert_eq(h.pairs[0].event, WP_TRACK_ENDED, "side %d", side);
		frame();
		cr_assert_eq(h.pairs[0].event, WP_TRACK_KEPT, "side %d", side);

		h.options.reuse_error = 0.1f;
		h.poses[1] = pose_at(0, 2, 0);
		frame();
		frame();
		cr_assert_eq(h.pairs[0].event, WP_TRACK_REUSED, "side %d", side);
		set_shape(index, wp_shape_box(1, 1.5f, 1));
		frame();
		cr_assert(h.pairs[0].event == 0 && h.pairs[0].separation == -0.5f, "side %d", side);
	}
}

/* A larger shape comes where one was removed, whether or not a frame saw that index without a shape. */
Test(track, a_removed_shape_keeps_nothing)
{
	for (int seen = 0; seen < 2; seen++) {
		take_in_hand(cube(), cube(), 3);
		init_shapes();
		frame();
		frame();
		cr_assert_eq(h.pairs[0].event, WP_TRACK_KEPT);
		cr_assert_eq(wp_shape_table_remove(h.table, 1), WP_OK);
		if (seen) {
			frame();
			expect_nothing_kept(WP_STATUS_INVALID_SHAPE_B, "removed");
		}
		set_shape(1, wp_shape_box(1, 3, 1));
		frame();
		cr_assert(h.pairs[0].event == WP_TRACK_BEGAN && h.pairs[0].separation == -1);
	}
}

/* Whenever shapes are replaced, each frame is the contacts of its shapes. */
Test(track, shapes_replaced_at_random)
{
	gen_random random;
	size_t kept = 0, queried = 0;
	gen_seed(&random, 23);
	take_in_hand(cube(), cube(), 3);
	init_shapes();
	for (int i = 0; i < 20000; i++) {
		if (gen_below(&random, 3) == 0)
			set_shape(gen_below(&random, 2), wp_shape_box(1, (float)gen_range(&random, 0.1, 2.5), 1));
		frame();
		const wp_row row = truth();
		CHECK((h.pairs[0].count != 0) == (row.separation <= near) && h.pairs[0].separation <= row.upper,
			"step %d: %g, of the contact %g", i, (double)h.pairs[0].separation, (double)row.separation);
		kept += h.pairs[0].event == WP_TRACK_KEPT;
		queried += h.pairs[0].event != WP_TRACK_KEPT;
	}
	cr_assert(kept > 2000 && queried > 5000, "%zu kept, %zu queried", kept, queried);
}

/* ---- depths that are proven again ---------------------------------------------------------------- */

/* Move the second body a little. */
static void wobble(gen_random *random)
{
	wp_pose *const pose = &h.poses[1];
	double length2 = 0;
	for (int k = 0; k < 4; k++) {
		if (k < 3)
			pose->position[k] += (float)gen_range(random, -1e-3, 1e-3);
		pose->rotation[k] += (float)gen_range(random, -1e-3, 1e-3);
		length2 += (double)pose->rotation[k] * (double)pose->rotation[k];
	}
	for (int k = 0; k < 4; k++)
		pose->rotation[k] /= (float)sqrt(length2);
}

static void expect_contact(int step)
{
	const wp_row row = truth();
	const float error = fabsf(h.rows[0].separation - row.separation);
	CHECK(error <= 6e-6f && h.rows[0].lower <= row.upper && row.lower <= h.rows[0].upper,
		"step %d: %g, of the contact %g", step, (double)h.rows[0].separation, (double)row.separation);
}

static void expect_bracket(int step)
{
	const wp_row row = truth();
	CHECK(h.rows[0].lower <= row.upper && row.lower <= h.rows[0].upper, "step %d: %g to %g, of the contact %g", step,
		(double)h.rows[0].lower, (double)h.rows[0].upper, (double)row.separation);
}

/* Rows that EPA ran for while two prisms moved a little in each frame. */
static uint64_t move_prisms(wp_tracked_polytope *polytopes)
{
	gen_random random;
	uint64_t searched = 0;
	gen_seed(&random, 5);
	take_in_hand(prism(8), prism(7), 0.8);
	h.poses[1].rotation[0] = 0.3f;
	h.tracked.polytopes = polytopes;
	for (int i = 0; i < 2000; i++) {
		wobble(&random);
		frame();
		expect_contact(i);
		searched += h.statistics.epa_rows;
	}
	return searched;
}

Test(track, depths_are_proven_again)
{
	const uint64_t with = move_prisms(h.polytopes), without = move_prisms(NULL);
	cr_assert(2 * with < without && with > 0, "%zu rows of %zu searched", (size_t)with, (size_t)without);
}

/* Frames in which a large motion, most of it aside, had two prisms searched again. */
static uint32_t turn_prisms(wp_tracked_polytope *polytopes)
{
	gen_random random;
	uint32_t searched = 0;
	gen_seed(&random, 31);
	take_in_hand(prism(8), prism(7), 0.8);
	h.poses[1].rotation[0] = 0.3f;
	h.options.reuse_error = 2e-3f;
	h.tracked.polytopes = polytopes;
	for (int i = 0; i < 2000; i++) {
		wobble(&random);
		h.poses[1].position[0] += i / 100 % 2 ? 1e-3f : -1e-3f;
		frame();
		expect_bracket(i);
		searched += (h.pairs[0].event & WP_TRACK_REUSED) == 0;
	}
	return searched;
}

Test(track, polytopes_bound_depths_of_reused_points)
{
	const uint32_t with = turn_prisms(h.polytopes), without = turn_prisms(NULL);
	cr_assert(2 * with < without && with > 0, "%u frames of %u searched", with, without);
}

/* A polytope holds for its shapes alone. */
static void replace_hulls(const wp_shape hulls[6], float reuse_error)
{
	gen_random random;
	gen_seed(&random, 29);
	take_in_hand(hulls[5], hulls[4], 0.8);
	init_shapes();
	h.options.reuse_error = reuse_error;
	h.tracked.polytopes = h.polytopes;
	for (int i = 0; i < 5000; i++) {
		if (gen_below(&random, 4) == 0)
			set_shape(gen_below(&random, 2), hulls[gen_below(&random, 6)]);
		if (gen_below(&random, 8) == 0)
			h.pairs[0] = (wp_tracked){.count = 0};
		if (h.poses[1].position[1] > 0.9f)
			h.poses[1].position[1] = 0.8f;
		wobble(&random);
		frame();
		if (h.pairs[0].event & WP_TRACK_REUSED)
			expect_bracket(i);
		else if (!(h.rows[0].status & WP_STATUS_BEYOND))
			expect_contact(i);
	}
}

static void replace_prisms(float reuse_error)
{
	wp_shape prisms[6];
	for (uint32_t i = 0; i < 6; i++)
		prisms[i] = prism(3 + i);
	replace_hulls(prisms, reuse_error);
}

/* Boxes that end sooner along X, with vertices of the same names, the same farthest one, and the same lid: then another side
 * may be the nearest. */
static void replace_narrower(float reuse_error)
{
	static const float ends[6] = {-0.4f, -0.35f, -0.3f, 0.0f, 0.4f, 0.5f};
	wp_shape boxes[6];
	for (uint32_t i = 0; i < 6; i++) {
		float vertices[8][3];
		for (uint32_t k = 0; k < 8; k++) {
			vertices[k][0] = k & 1 ? ends[i] : -0.5f;
			vertices[k][1] = k & 2 ? 0.5f : -0.5f;
			vertices[k][2] = k & 4 ? 0.5f : -0.5f;
		}
		const wp_hull_input input = {.vertices = {vertices[0]}, .vertex_count = 8};
		const size_t size = wp_hull_size(8, 0, 0);
		const wp_hull *hull;
		cr_assert_eq(wp_hull_build(&input, block(size), size, &hull, NULL), WP_OK);
		boxes[i] = wp_shape_hull(hull);
	}
	replace_hulls(boxes, reuse_error);
}

Test(track, polytopes_of_other_shapes_prove_nothing)
{
	replace_prisms(0.0f);
	replace_narrower(0.0f);
}

Test(track, polytopes_of_other_shapes_bound_nothing)
{
	replace_prisms(2e-3f);
	replace_narrower(2e-3f);
}

/* The engine moved a body to another place, where the same shape may be, or the row names another body. */
Test(track, other_bodies_are_queried)
{
	take_in_hand(cube(), cube(), 3);
	h.shape[4] = 1;
	h.poses[4] = pose_at(0, 1.5, 0);
	frame();
	frame();
	cr_assert_eq(h.pairs[0].event, WP_TRACK_KEPT);
	h.pair_b[0] = 4;
	frame();
	cr_assert(h.pairs[0].event == WP_TRACK_BEGAN && h.pairs[0].separation == -0.5f);
	h.pair_b[0] = 1;
	h.pair_a[0] = 4;
	frame();
	cr_assert(h.pairs[0].event == 0 && h.pairs[0].separation == -0.5f);

	/* Those that lie where the others lay, too. */
	for (int side = 0; side < 2; side++)
		for (int touches = 0; touches < 2; touches++) {
			take_in_hand(cube(), cube(), touches ? 1.99 : 4);
			h.options.reuse_error = 0.1f;
			h.shape[4] = side == 0 ? 0 : 1;
			h.poses[4] = h.poses[side];
			frame();
			frame();
			cr_assert_eq(h.pairs[0].event, touches ? WP_TRACK_REUSED : WP_TRACK_KEPT);
			(side == 0 ? h.pair_a : h.pair_b)[0] = 4;
			frame();
			cr_assert_eq(h.pairs[0].event, 0, "side %d, touches %d", side, touches);
		}
}

/* Roles are swapped: the same bodies, in the other order, are other bodies. */
Test(track, swapped_roles_are_queried)
{
	take_in_hand(cube(), wp_shape_sphere(1), 3);
	frame();
	frame();
	cr_assert_eq(h.pairs[0].event, WP_TRACK_KEPT);
	h.pair_a[0] = 1;
	h.pair_b[0] = 0;
	frame();
	cr_assert(h.pairs[0].event == 0 && h.rows[0].normal[1] == -1);
	frame();
	cr_assert(h.pairs[0].event == WP_TRACK_KEPT && h.rows[0].normal[1] == -1);
}

/* A view of its own for B: the same numbers are other bodies. */
Test(track, two_views)
{
	take_in_hand(cube(), cube(), 3);
	h.batch.b = h.batch.a;
	h.batch.b.position.data = h.poses[1].position;
	h.batch.b.rotation.data = h.poses[1].rotation;
	h.batch.b.shape.data = h.shape + 1;
	h.batch.b.count = BODIES - 1;
	h.pair_b[0] = 0;
	frame();
	frame();
	cr_assert(h.pairs[0].event == WP_TRACK_KEPT && h.rows[0].separation > 0.99f);
	h.poses[1] = pose_at(0, 1.5, 0);
	frame();
	cr_assert_eq(h.pairs[0].separation, -0.5f);
}

/* To forget a pair is to zero it, whatever its manifold and anchor hold. */
Test(track, zero_is_new)
{
	hand fresh;
	take_in_hand(cube(), cube(), 1.99);
	h.options.reuse_error = 0.1f;
	frame();
	fresh = h;
	memset(h.pairs, 0, sizeof h.pairs);
	memset(h.manifolds, 0xff, sizeof h.manifolds);
	memset(h.anchors, 0xff, sizeof h.anchors);
	frame();
	cr_assert_eq(memcmp(h.pairs, fresh.pairs, sizeof *h.pairs), 0);
	cr_assert_eq(memcmp(h.manifolds, fresh.manifolds, sizeof *h.manifolds), 0);
	cr_assert_eq(memcmp(h.anchors, fresh.anchors, sizeof *h.anchors), 0);
	cr_assert_eq(memcmp(h.rows, fresh.rows, sizeof *h.rows), 0);
	cr_assert_eq(h.changes.count, 1);
}

/* Caches of the results are not for frames. */
Test(track, caches_of_the_results_are_left_alone)
{
	wp_cache caches[ROWS], before[ROWS];
	take_in_hand(cube(), cube(), 3);
	memset(caches, 0x7b, sizeof caches);
	memcpy(before, caches, sizeof caches);
	h.caches = caches;
	frame();
	frame();
	/* A row without a job, too. */
	h.poses[1].position[0] = NAN;
	frame();
	cr_assert(h.rows[0].status & WP_STATUS_INVALID);
	cr_assert_eq(memcmp(caches, before, sizeof caches), 0);
}

/* ---- shapes by functions ------------------------------------------------------------------------ */

static void support_cube(const void *context, const double direction[3], double point[3])
{
	(void)context;
	for (int i = 0; i < 3; i++)
		point[i] = direction[i] < 0 ? -1 : 1;
}

/* Custom shapes are solved alone: nothing is kept of them but their point, which goes on. */
Test(track, custom_shapes_are_queried_each_time)
{
	const wp_custom function = {.support = support_cube, .bound = 1.75f};
	take_in_hand(wp_shape_custom(&function), wp_shape_sphere(1), 1.9);
	h.options.reuse_error = 0.1f;
	for (uint32_t i = 0; i < 4; i++) {
		h.poses[0] = pose_turned(0, 0, 0, 0.01 * i);
		h.poses[1] = pose_turned(0.001 * i, 1.9, 0, 0.3 * i);
		frame();
		const wp_row row = truth();
		const wp_persistent_point *const p = &h.manifolds[0].points[0];
		const wp_persistent_place *const place = &h.manifolds[0].places[0];
		cr_assert(h.pairs[0].event == (i == 0 ? WP_TRACK_BEGAN : 0) && h.pairs[0].count == 1 && p->age == i);
		cr_assert_eq(memcmp(&row, &h.rows[0], sizeof row), 0);
		cr_assert(p->separation == row.separation && (i == 0 || h.manifolds[0].impulses[0][0] == 7));
		const v3 arm_a = m3_apply(m3_of_quaternion(h.poses[0].rotation), v3_of_floats(place->local_a));
		const v3 arm_b = m3_apply(m3_of_quaternion(h.poses[1].rotation), v3_of_floats(place->local_b));
		cr_assert_lt(v3_length(v3_sub(arm_a, v3_of_floats(p->arm_a))), 1e-6);
		cr_assert_lt(v3_length(v3_sub(arm_b, v3_of_floats(p->arm_b))), 1e-6);
		h.manifolds[0].impulses[0][0] = 7;
	}
	h.poses[1] = pose_at(0, 4, 0);
	for (int i = 0; i < 3; i++)
		cr_assert(
			frame()->event == (i == 0 ? WP_TRACK_ENDED : 0) && h.pairs[0].count == 0 && h.pairs[0].separation > 1.9f);
}

/* ---- lengths ------------------------------------------------------------------------------------ */

/* The answers of rows that are kept or reused hold, where wp_contact has a bracket of the truth. */
static void expect_truth(double scale, const char *what)
{
	const wp_row row = truth();
	const wp_tracked *const pair = &h.pairs[0];
	const float error = h.options.reuse_error;
	CHECK(h.rows[0].lower <= row.upper && h.rows[0].upper >= row.lower, "%s at scale %g: %a .. %a, truth %a .. %a",
		what, scale, (double)h.rows[0].lower, (double)h.rows[0].upper, (double)row.lower, (double)row.upper);
	if (pair->event == WP_TRACK_KEPT)
		CHECK(row.separation > h.options.max_separation, "%s at scale %g: %a", what, scale, (double)row.separation);
	if (pair->event == WP_TRACK_REUSED)
		CHECK(pair->separation - row.upper <= error && row.lower - pair->separation <= error,
			"%s at scale %g: %a, truth %a, at most %a", what, scale, (double)pair->separation, (double)row.separation,
			(double)error);
}

/* Frames that were answered from what is known. */
typedef struct frames_known {
	uint32_t kept, reused;
} frames_known;

static frames_known follow_scale(wp_shape a, wp_shape b, double scale, const char *what)
{
	frames_known found = {0, 0};
	gen_random random;
	gen_seed(&random, 99);
	take_in_hand(a, b, 0);
	h.options = (wp_track_options){(float)(0.02 * scale), (float)(0.02 * scale), (float)(0.05 * scale)};
	for (uint32_t i = 0; i < 400; i++) {
		/* At rest, or with tiny steps, for a while; then somewhere else. */
		const double step = i % 20 == 0 ? 3 : gen_magnitude(&random, 1e-4, 0.1);
		for (int side = 0; side < 2; side++) {
			const v3 way = v3_scale(gen_direction(&random), step * scale);
			if (i % 3 != 0)
				continue;
			wp_pose *const p = &h.poses[side];
			const v3 to = v3_add(way, i % 20 == 0 ? v3_of(0, 0, 0) : v3_of_floats(p->position));
			*p = (wp_pose){{(float)to.x, (float)to.y, (float)to.z},
				{p->rotation[0], p->rotation[1], p->rotation[2], p->rotation[3]}};
			p->rotation[i % 3] += i % 2 ? (float)(0.01 * step) : 0;
			const float *const q = p->rotation;
			const float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
			for (int k = 0; k < 4; k++)
				p->rotation[k] /= length;
		}
		frame();
		expect_truth(scale, what);
		found.kept += h.pairs[0].event == WP_TRACK_KEPT;
		found.reused += h.pairs[0].event == WP_TRACK_REUSED;
	}
	return found;
}

static void follow_kinds(wp_shape a, wp_shape b, double scale, const char *what)
{
	const frames_known found = follow_scale(a, b, scale, what);
	/* Of much smaller lengths the squares are no floats. */
	if (scale > 1e-15)
		CHECK(found.kept > 50 && found.reused > 2, "%s at scale %g: %u kept, %u reused", what, scale, found.kept,
			found.reused);
}

Test(track, sizes_of_all_scales)
{
	for (int exponent = -44; exponent <= 28; exponent += 1) {
		const double scale = pow(10, exponent);
		const float s = (float)scale, half = (float)(scale / 2);
		follow_kinds(wp_shape_box(s, half, s), wp_shape_box(half, half, s), scale, "boxes");
		follow_kinds(wp_shape_sphere(s), wp_shape_capsule(half, s), scale, "sphere and capsule");
		follow_kinds(wp_shape_half_space(), wp_shape_box(s, half, s), scale, "half-space");
		follow_kinds(wp_shape_cylinder(half, s), wp_shape_half_space(), scale, "cylinder and half-space");
		follow_kinds(wp_shape_cone(half, s), wp_shape_ellipsoid(s, half, s), scale, "cone and ellipsoid");
	}
}

/* Pairs of a lopsided size. */
Test(track, sizes_of_different_scales)
{
	frames_known sum = {0, 0};
	for (int exponent = -20; exponent <= 20; exponent += 4) {
		for (int ratio = -10; ratio <= 10; ratio += 5) {
			const double scale = pow(10, exponent), other_scale = scale * pow(10, ratio);
			const float s = (float)scale, r = (float)other_scale;
			const frames_known of_kinds[] = {
				follow_scale(wp_shape_box(s, s, s), wp_shape_box(r, r, r), scale, "boxes"),
				follow_scale(wp_shape_capsule(s, s), wp_shape_box(r, r, r), scale, "capsule and box"),
				follow_scale(wp_shape_sphere(r), wp_shape_sphere(s), scale, "spheres"),
			};
			for (int i = 0; i < 3; i++) {
				sum.kept += of_kinds[i].kept;
				sum.reused += of_kinds[i].reused;
			}
		}
	}
	cr_assert(sum.kept > 10000 && sum.reused > 500, "%u kept, %u reused", sum.kept, sum.reused);
}

/* A step that is too short for its square to be a float is a step. */
Test(track, short_steps_count)
{
	for (int exponent = -30; exponent <= -10; exponent++) {
		const double size = pow(10, exponent);
		const float s = (float)size;
		for (double share = 1e-3; share < 1; share *= 3) {
			take_in_hand(wp_shape_box(s, s, s), wp_shape_box(s, s, s), 1.9 * size);
			h.options = (wp_track_options){INFINITY, 0, s};
			frame();
			h.poses[1].position[1] += (float)(share * size);
			frame();
			expect_truth(size, "a short step");
		}
	}
}

/* Points of shapes that were found far apart for their size are exact to the distance, not to the size. */
Test(track, points_found_far_apart)
{
	gen_random random;
	gen_seed(&random, 122383);
	const float s = 0x1p-17f;
	for (int i = 0; i < 4000; i++) {
		take_in_hand(wp_shape_triangle((const float[3]){0x1.cd8306p-18f, 0x1.a9f502p-19f, 0x1.7db37ap-19f},
						 (const float[3]){0x1.2fe08ap-19f, 0x1.35cb7ep-17f, -0x1.f99748p-18f},
						 (const float[3]){-0x1.64fc82p-21f, -0x1.274d38p-17f, 0x1.d89e78p-18f}),
			wp_shape_triangle((const float[3]){-0x1.8e1fa6p-20f, -0x1.93503cp-23f, -0x1.0ea234p-20f},
				(const float[3]){0x1.54f524p-21f, -0x1.6f756ep-20f, 0x1.60984cp-21f},
				(const float[3]){0x1.215252p-20f, -0x1.002ed8p-19f, -0x1.9a33a6p-22f}),
			0);
		h.options = (wp_track_options){INFINITY, 0, 0.1f};
		h.poses[0] = (wp_pose){{0, 0, 0}, {0x1.7eb86ap-1f, -0x1.223a04p-1f, 0x1.9d89eep-3f, 0x1.201782p-2f}};
		for (int step = 0; step < 2; step++) {
			const v3 at = v3_scale(gen_direction(&random), step == 0 ? 0.1 : 60 * (double)s);
			h.poses[1] = (wp_pose){{(float)at.x, (float)at.y, (float)at.z}, {0, 0, 0, 1}};
			frame();
			expect_truth((double)s, "found far apart");
		}
	}
}

/* The box came from deep below: the way back is as long as the depth, and a bracket of any width must hold the truth. */
Test(track, depths_far_below_a_half_space)
{
	gen_random random;
	gen_seed(&random, 5);
	for (int i = 0; i < 4000; i++) {
		const double depth = gen_magnitude(&random, 1, 1e12);
		take_in_hand(wp_shape_half_space(), cube(), -depth);
		h.options = (wp_track_options){INFINITY, 0, INFINITY};
		frame();
		const double to = gen_below(&random, 2) ? 0 : -depth + gen_range(&random, 0, 2) * depth;
		h.poses[1] = pose_turned(0, to, 0, gen_range(&random, -0.1, 0.1));
		frame();
		expect_truth(depth, "a box that comes back");
	}
}

/* With no limit nothing is beyond it, so nothing is kept apart; with limit 0 what touches has points. */
Test(track, limits_of_zero_and_infinity)
{
	take_in_hand(cube(), cube(), 2);
	h.options = (wp_track_options){.max_separation = 0};
	for (int i = 0; i < 3; i++)
		cr_assert(frame()->count == 4 && h.pairs[0].separation == 0);
	h.poses[1] = pose_at(0, 2.001, 0);
	cr_assert(frame()->event == WP_TRACK_ENDED);
	cr_assert(frame()->event == WP_TRACK_KEPT && h.pairs[0].separation > 0);
	h.options.max_separation = INFINITY;
	cr_assert(frame()->event == WP_TRACK_BEGAN);
	h.poses[1] = pose_at(0, 1e6, 0);
	for (int i = 0; i < 3; i++)
		cr_assert(frame()->event == 0 && h.pairs[0].count != 0 && !(h.pairs[0].status & WP_STATUS_BEYOND));
	h.options = (wp_track_options){.max_separation = INFINITY, .reuse_error = INFINITY};
	frame();
	for (int i = 0; i < 30; i++) {
		h.poses[1] = pose_turned(10 * i, 1e6 - 4e4 * i, 0, i);
		cr_assert(frame()->event == WP_TRACK_REUSED);
		expect_truth(1, "any error");
	}
}

/* The limit grows: a pair that was beyond the old one has points at once. */
Test(track, a_limit_that_grows)
{
	take_in_hand(cube(), cube(), 2.5);
	frame();
	frame();
	cr_assert_eq(h.pairs[0].event, WP_TRACK_KEPT);
	h.options.max_separation = 0.6f;
	cr_assert(frame()->event == WP_TRACK_BEGAN && h.pairs[0].count == 4);
	h.options.reuse_error = 0.1f;
	frame();
	frame();
	cr_assert_eq(h.pairs[0].event, WP_TRACK_REUSED);
	h.options.max_separation = 0.4f;
	cr_assert_eq(frame()->event, WP_TRACK_ENDED);
}

/* ---- rest --------------------------------------------------------------------------------------- */

/* Nothing moves for many frames: what is kept or reused stays the same to the bit, and is never queried again. Other pairs,
 * whose plane proves too little at their size, start each query from what the last one found, and may come to be kept. */
Test(track, sleeping_pairs_do_not_drift)
{
	const int sleep = rounds(500);
	static memory first;
	for (uint32_t corpus = 0; corpus < CORPORA; corpus++) {
		size_t known = 0;
		make_world(corpus, corpus == 1);
		move_to(0);
		step(near, 0.01f);
		step(near, 0.01f);
		memcpy(&first, &now, sizeof now);
		for (int i = 0; i < sleep; i++)
			step(near, 0.01f);
		for (uint32_t i = 0; i < PAIRS; i++) {
			const wp_tracked *const pair = &now.pairs[i];
			if (!is_known(&first.pairs[i])) {
				CHECK(pair->count == first.pairs[i].count, "pair %u: %u points", i, pair->count);
				continue;
			}
			known++;
			CHECK(memcmp(&now.rows[i], &first.rows[i], sizeof now.rows[i]) == 0, "pair %u: its row", i);
			CHECK(memcmp(pair, &first.pairs[i], sizeof *pair) == 0, "pair %u: what is kept", i);
			for (uint32_t k = 0; k < pair->count; k++) {
				wp_persistent_point point = now.manifolds[i].points[k];
				CHECK(point.age == first.manifolds[i].points[k].age + (uint32_t)sleep, "pair %u: age", i);
				point.age -= (uint32_t)sleep;
				CHECK(memcmp(&point, &first.manifolds[i].points[k], sizeof point) == 0, "pair %u: point %u", i, k);
				CHECK(memcmp(&now.manifolds[i].places[k], &first.manifolds[i].places[k], sizeof(wp_persistent_place)) ==
						  0,
					"pair %u: place %u", i, k);
			}
		}
		cr_assert_gt(known, PAIRS / 2);
	}
}

/* Ages stop at the largest. */
Test(track, ages_end)
{
	take_in_hand(cube(), cube(), 2);
	h.options.reuse_error = 0.1f;
	frame();
	h.manifolds[0].points[0].age = h.manifolds[0].points[1].age = UINT32_MAX - 1;
	for (int i = 0; i < 6; i++) {
		h.options.reuse_error = i < 3 ? 0.1f : 0;
		frame();
	}
	cr_assert(h.manifolds[0].points[0].age == UINT32_MAX && h.manifolds[0].points[1].age == UINT32_MAX);
	cr_assert_eq(h.manifolds[0].points[2].age, 6);
}

/* ---- pools -------------------------------------------------------------------------------------- */

Test(track_pool, arguments)
{
	wp_tracked pairs[2];
	wp_track_pool pool;
	memset(&pool, 0x3c, sizeof pool);
	const wp_track_pool before = pool;
	cr_assert_eq(wp_track_pool_init(NULL, pairs, 2), WP_ERROR_NULL_POOL);
	cr_assert_eq(wp_track_pool_init(&pool, NULL, 2), WP_ERROR_NULL_PAIRS);
	cr_assert_eq(wp_track_pool_init(&pool, pairs, WP_TRACK_NONE), WP_ERROR_POOL_CAPACITY);
	cr_assert_eq(memcmp(&pool, &before, sizeof pool), 0);
	cr_assert_eq(wp_track_pool_take(NULL), WP_TRACK_NONE);
	cr_assert_eq(wp_track_pool_give(NULL, 0), WP_ERROR_NULL_POOL);
	cr_assert_eq(wp_track_pool_init(&pool, NULL, 0), WP_OK);
	cr_assert_eq(wp_track_pool_take(&pool), WP_TRACK_NONE);
	cr_assert_eq(wp_track_pool_give(&pool, 0), WP_ERROR_TRACKED_INDEX);
}

Test(track_pool, pairs_come_and_go)
{
	enum { CAPACITY = 50 };
	static wp_tracked pairs[CAPACITY + 1], zero;
	bool in_use[CAPACITY] = {false};
	uint32_t used = 0;
	wp_track_pool pool;
	gen_random random;
	gen_seed(&random, 3);
	memset(pairs, 0xff, sizeof pairs);
	cr_assert_eq(wp_track_pool_init(&pool, pairs, CAPACITY), WP_OK);
	for (int i = 0; i < 20000; i++) {
		if (gen_below(&random, 200) < 100 + 20 * (i / 1000 % 2 == 0)) {
			const uint32_t index = wp_track_pool_take(&pool);
			CHECK((index == WP_TRACK_NONE) == (used == CAPACITY), "step %d: %u of %u used", i, used, CAPACITY);
			if (index == WP_TRACK_NONE)
				continue;
			CHECK(index < CAPACITY && !in_use[index], "step %d: pair %u is free", i, index);
			CHECK(memcmp(&pairs[index], &zero, sizeof zero) == 0, "step %d: nothing is known of pair %u", i, index);
			in_use[index] = true;
			used++;
			memset(&pairs[index], 0x11, sizeof zero);
		} else {
			const uint32_t index = gen_below(&random, CAPACITY + 2);
			const bool is_used = index < CAPACITY && in_use[index];
			const wp_error error = wp_track_pool_give(&pool, index);
			CHECK(error == (is_used ? WP_OK : WP_ERROR_TRACKED_INDEX), "step %d: %s", i, wp_error_text(error));
			CHECK(!is_used || wp_track_pool_give(&pool, index) == WP_ERROR_TRACKED_INDEX, "step %d: given twice", i);
			used -= is_used;
			if (is_used)
				in_use[index] = false;
		}
	}
	cr_assert_eq(((const unsigned char *)&pairs[CAPACITY])[0], 0xff);
}

/* A pair of a pool is a pair: tracked, given back, taken again, it begins anew. */
Test(track_pool, a_pair_that_is_taken_again_is_new)
{
	wp_track_pool pool;
	take_in_hand(cube(), cube(), 2);
	cr_assert_eq(wp_track_pool_init(&pool, h.pairs, ROWS), WP_OK);
	for (int i = 0; i < 3; i++) {
		cr_assert_eq(wp_track_pool_take(&pool), 0);
		cr_assert(frame()->event == WP_TRACK_BEGAN && h.pairs[0].count == 4);
		cr_assert(h.manifolds[0].points[0].age == 0 && h.manifolds[0].impulses[0][0] == 0);
		h.manifolds[0].impulses[0][0] = 5;
		cr_assert_eq(wp_track_pool_give(&pool, 0), WP_OK);
	}
	/* Far apart it has none of the old pair's points. */
	cr_assert_eq(wp_track_pool_take(&pool), 0);
	h.poses[1] = pose_at(0, 5, 0);
	for (int i = 0; i < 2; i++)
		cr_assert(frame()->count == 0 && h.manifolds[0].count == 0 && (frame()->event & WP_TRACK_KEPT) != 0);
}

/* Of a box that leans, two corners are near and two further off. Reused points are the last query's, until a frame without reuse. */
Test(track, another_max_separation_counts_from_the_next_query)
{
	take_in_hand(cube(), cube(), 2);
	h.poses[1] = (wp_pose){{0, 1.999f, 0}, {0, 0, sinf(0.01f), cosf(0.01f)}};
	h.options = (wp_track_options){.max_separation = 0.005f, .merging = near, .reuse_error = 0.01f};
	cr_assert(frame()->count == 2 && frame()->event == WP_TRACK_REUSED);
	h.options.max_separation = 0.05f;
	cr_assert(frame()->event == WP_TRACK_REUSED && h.pairs[0].count == 2);
	h.options.reuse_error = 0;
	cr_assert(frame()->event == 0 && h.pairs[0].count == 4);
	h.options.reuse_error = 0.01f;
	cr_assert(frame()->event == 0 && frame()->event == WP_TRACK_REUSED && h.pairs[0].count == 4);
}

#if UINTPTR_MAX > UINT32_MAX && defined(MAP_NORESERVE)
/* A body, and what is of the row of its number. */
typedef struct late {
	float position[3], rotation[4];
	uint32_t shape, other, tracked, status, unused;
} late;

/* Memory for the first bodies and the last ones of so many, but none between. NULL where so many addresses are not given. */
static late *reserve(uint64_t count)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = ((size_t)count * sizeof(late) / page + 1) * page;
	char *const bytes = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bytes == MAP_FAILED)
		return NULL;
	cr_assert_eq(mprotect(bytes, page, PROT_READ | PROT_WRITE), 0);
	cr_assert_eq(mprotect(bytes + size - 2 * page, 2 * page, PROT_READ | PROT_WRITE), 0);
	return (late *)(void *)bytes;
}

enum { LATE = 8 };

/* Bodies below as many others. */
static void put_late(late *bodies, late *others)
{
	for (uint32_t k = 0; k < LATE; k++) {
		bodies[k] = (late){.position = {(float)k, 0, 0}, .rotation = {0, 0, 0, 1}, .other = k, .tracked = k};
		others[k] = (late){.position = {(float)k, 3, 0}, .rotation = {0, 0, 0, 1}};
	}
}

static wp_bodies late_bodies(const late *of, uint64_t count)
{
	return (wp_bodies){.position = {of->position, sizeof *of},
		.rotation = {of->rotation, sizeof *of},
		.shape = {&of->shape, sizeof *of},
		.count = (size_t)count};
}

/* Rows are bodies, as no column names these. Those that have no number below 2^32 - 1 are invalid, and not the first bodies, which
 * have the same low bits. */
Test(track, bodies_behind_the_last_number)
{
	const uint64_t bits = UINT64_C(1) << 32;
	late *const bodies = reserve(bits + LATE);
	static late others[LATE];
	static wp_tracked pairs[LATE];
	static wp_persistent_manifold manifolds[LATE];
	const wp_shape sphere = wp_shape_sphere(0.5f);
	make_table(&sphere, 1);
	if (bodies == NULL)
		return;
	put_late(bodies, others);
	put_late(bodies + bits, others);
	put_late(bodies + bits - LATE, others);
	put_late(bodies + bits - 2 * LATE, others);
	const size_t stride = sizeof *bodies;
	wp_batch batch = {.shapes = w.table,
		.a = late_bodies(bodies, bits + LATE),
		.b = late_bodies(others, LATE),
		.pair_b = {&bodies->other, stride},
		.count = LATE};
	const wp_tracked_pairs tracked = {
		.pairs = pairs, .manifolds = manifolds, .count = LATE, .index = {&bodies->tracked, stride}};
	const wp_track_options options = options_of(near, 0);
	const wp_results results = {.status = {&bodies->status, stride}};
	/* With the first bodies before those that have their low bits. */
	const uint64_t firsts[] = {bits - 1 - LATE, 0, bits - 2, 0, bits};
	for (size_t i = 0; i < COUNT_OF(firsts); i++) {
		batch.first = (size_t)firsts[i];
		for (int frame = 0; frame < 2; frame++) {
			cr_assert_eq(
				wp_track(workspace_of(WP_VARIANT_AUTO), &batch, &options, &tracked, &results, NULL, NULL), WP_OK);
			for (uint32_t k = 0; k < LATE; k++) {
				const uint64_t number = firsts[i] + k;
				const uint32_t status = bodies[number].status, event = pairs[bodies[number].tracked].event;
				const bool exists = number < UINT32_MAX;
				cr_assert_eq(status,
					exists ? WP_STATUS_SEPARATED | WP_STATUS_BEYOND : WP_STATUS_INVALID | WP_STATUS_INVALID_BODY_A,
					"row %llu: status %x", (unsigned long long)number, status);
				if (!exists)
					cr_assert_eq(event, 0);
				else if (frame == 1 && firsts[i] + LATE < bits)
					cr_assert_eq(event, WP_TRACK_KEPT);
			}
		}
	}
}
#endif
