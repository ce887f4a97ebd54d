/* What a batch promises about every pair: its bits depend on nothing but the pair and the query, and its
 * answer proves itself. The corpus is the generator's, all of its constructions in turn. */
#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support/ask.h"
#include "support/block.h"
#include "support/certify.h"
#include "support/gen.h"
#include "support/rows.h"
#include "support/unit.h"
#include "widephase/widephase.h"

enum { PAIRS = 3120, THREADS = 8 };

typedef struct request {
	const char *name;
	int query; /* 0 overlap, 1 distance, 2 contact */
	float max_separation;
} request;

static const request requests[] = {
	{"overlap", 0, 0}, {"distance", 1, 0}, {"contact", 2, INFINITY}, {"contact within 0.02", 2, 0.02f}};
enum { REQUESTS = sizeof requests / sizeof requests[0], CONTACT = 2, CONTACT_NEAR = 3 };

static gen_corpus corpus;
static const wp_shape_table *table;
static uint32_t pairs[PAIRS][2];
static wp_row expected[REQUESTS][PAIRS];

static wp_batch make_batch(uint32_t (*pair)[2], size_t count)
{
	return (wp_batch){.shapes = table,
		.a = {.position = {corpus.poses[0].position, sizeof(wp_pose)},
			.rotation = {corpus.poses[0].rotation, sizeof(wp_pose)},
			.count = 2 * PAIRS},
		.pair_a = {&pair[0][0], sizeof pair[0]},
		.pair_b = {&pair[0][1], sizeof pair[0]},
		.count = count};
}

static void run_with(wp_workspace *workspace, const wp_batch *batch, const request *r, wp_cache *caches, wp_row *rows)
{
	wp_results results = wp_results_of_rows(rows);
	results.cache.data = caches;
	const wp_error error = r->query == 0 ? wp_overlap(workspace, batch, &results, NULL)
	                     : r->query == 1
	                         ? wp_distance(workspace, batch, &results, NULL)
	                         : wp_contact(workspace, batch, &(wp_contact_options){.max_separation = r->max_separation},
								   &results, NULL);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

static void run(wp_workspace *workspace, const wp_batch *batch, const request *r, wp_row *rows)
{
	run_with(workspace, batch, r, NULL, rows);
}

static wp_workspace *make_workspace(wp_variant variant)
{
	wp_workspace *workspace;
	cr_assert_eq(wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, variant, &workspace), WP_OK);
	return workspace;
}

static void setup(void)
{
	const gen_options options = {.seed = 77, .vertex_max = 70};
	cr_assert(gen_corpus_make(&options, 0, PAIRS, &corpus));
	const size_t size = wp_shape_table_size(2 * PAIRS);
	cr_assert_eq(wp_shape_table_build(corpus.shapes, 2 * PAIRS, block(size), size, &table, NULL), WP_OK);
	for (uint32_t i = 0; i < PAIRS; i++) {
		pairs[i][0] = 2 * i;
		pairs[i][1] = 2 * i + 1;
	}
	wp_workspace *workspace = make_workspace(WP_VARIANT_SCALAR);
	const wp_batch batch = make_batch(pairs, PAIRS);
	for (int q = 0; q < REQUESTS; q++)
		run(workspace, &batch, &requests[q], expected[q]);
}

TestSuite(batch, .init = setup);

static void check_row(const wp_row *row, int q, uint32_t pair, const char *what)
{
	cr_assert_eq(memcmp(row, &expected[q][pair], sizeof *row), 0,
		"%s: %s of pair %u (%s): separation %a, not %a; status %x, not %x", what, requests[q].name, pair,
		gen_construction_name((gen_construction)corpus.constructions[pair]), (double)row->separation,
		(double)expected[q][pair].separation, row->status, expected[q][pair].status);
}

/* Runs `check` with a workspace of every variant that this machine has. */
static void for_each_variant(void (*check)(wp_workspace *workspace, uint32_t width))
{
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++)
		if (wp_variant_available((wp_variant)v) == WP_OK)
			check(make_workspace((wp_variant)v), wp_variant_width((wp_variant)v));
}

/* ---- same bits ---------------------------------------------------------------------------------- */

static void check_parity(wp_workspace *workspace, uint32_t width)
{
	static wp_row rows[PAIRS];
	(void)width;
	const wp_batch batch = make_batch(pairs, PAIRS);
	for (int q = 0; q < REQUESTS; q++) {
		run(workspace, &batch, &requests[q], rows);
		for (uint32_t i = 0; i < PAIRS; i++)
			check_row(&rows[i], q, i, wp_variant_name(wp_workspace_variant(workspace)));
	}
}

Test(batch, every_variant_gives_the_same_bits) { for_each_variant(check_parity); }

static void check_sizes(wp_workspace *workspace, uint32_t width)
{
	enum { MOST = 10000 };
	static uint32_t many[MOST][2];
	static wp_row rows[MOST];
	for (uint32_t i = 0; i < MOST; i++)
		memcpy(many[i], pairs[i % PAIRS], sizeof many[i]);
	const uint32_t sizes[] = {0, 1, width - 1, width, width + 1, 3 * width + 5, 255, 256, 257, MOST};
	for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
		const wp_batch batch = make_batch(many, sizes[k]);
		for (int q = 0; q < REQUESTS; q++) {
			memset(rows, 0x5a, sizeof rows);
			run(workspace, &batch, &requests[q], rows);
			for (uint32_t i = 0; i < sizes[k]; i++)
				check_row(&rows[i], q, i % PAIRS, "size");
			for (size_t b = 0; b < sizeof rows[0] && sizes[k] < MOST; b++)
				cr_assert_eq(((unsigned char *)&rows[sizes[k]])[b], 0x5a, "a row past the end was written");
		}
	}
}

Test(batch, every_size_is_a_prefix) { for_each_variant(check_sizes); }

static void check_places(wp_workspace *workspace, uint32_t width)
{
	static uint32_t shuffled[PAIRS][2], place[PAIRS];
	static wp_row rows[PAIRS];
	gen_random random;
	gen_seed(&random, width);
	for (int round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < PAIRS; i++)
			place[i] = PAIRS - 1 - i;
		for (uint32_t i = PAIRS - 1; round > 0 && i > 0; i--) {
			const uint32_t k = gen_below(&random, i + 1), kept = place[i];
			place[i] = place[k];
			place[k] = kept;
		}
		for (uint32_t i = 0; i < PAIRS; i++)
			memcpy(shuffled[i], pairs[place[i]], sizeof shuffled[i]);
		const wp_batch batch = make_batch(shuffled, PAIRS);
		for (int q = 0; q < REQUESTS; q++) {
			run(workspace, &batch, &requests[q], rows);
			for (uint32_t i = 0; i < PAIRS; i++)
				check_row(&rows[i], q, place[i], "place");
		}
	}
}

Test(batch, place_and_neighbours_do_not_matter) { for_each_variant(check_places); }

static void check_chunks(wp_workspace *workspace, uint32_t width)
{
	static wp_row rows[PAIRS];
	gen_random random;
	gen_seed(&random, 100 + width);
	wp_batch batch = make_batch(pairs, PAIRS);
	for (int q = 0; q < REQUESTS; q++) {
		memset(rows, 0, sizeof rows);
		for (batch.first = 0; batch.first < PAIRS; batch.first += batch.count) {
			batch.count = 1 + gen_below(&random, 500);
			batch.count = batch.count < PAIRS - batch.first ? batch.count : PAIRS - batch.first;
			run(workspace, &batch, &requests[q], rows);
		}
		for (uint32_t i = 0; i < PAIRS; i++)
			check_row(&rows[i], q, i, "chunks");
	}
}

Test(batch, chunks_of_any_size) { for_each_variant(check_chunks); }

/* A pair by its shapes of the table. */
static wp_pair pair_of_table(uint32_t i)
{
	return pair_of(table, 2 * i, &corpus.poses[2 * i], 2 * i + 1, &corpus.poses[2 * i + 1]);
}

static wp_error run_prepared(
	wp_workspace *workspace, const wp_pair *pair, const request *r, wp_cache *cache, wp_row *row)
{
	return r->query == 0 ? wp_overlap_prepared(workspace, pair, cache, row)
	     : r->query == 1 ? wp_distance_prepared(workspace, pair, cache, row)
	                     : wp_contact_prepared(
							   workspace, pair, &(wp_contact_options){.max_separation = r->max_separation}, cache, row);
}

static void check_prepared_pairs(wp_workspace *workspace, uint32_t width)
{
	(void)width;
	for (uint32_t i = 0; i < PAIRS; i++) {
		const wp_pair pair = pair_of_table(i);
		for (int q = 0; q < REQUESTS; q++) {
			wp_row row;
			memset(&row, 0, sizeof row);
			cr_assert_eq(run_prepared(workspace, &pair, &requests[q], NULL, &row), WP_OK);
			check_row(&row, q, i, "prepared");
		}
	}
}

Test(batch, a_pair_of_a_table_has_the_bits_of_the_batch) { for_each_variant(check_prepared_pairs); }

/* Bodies far from the origin, with positions in double. */
static double far_positions[2 * PAIRS][3];

static wp_batch make_far_batch(void)
{
	static const double centre[3] = {123456.1, -98765.4, 1000.7};
	for (uint32_t i = 0; i < 2 * PAIRS; i++)
		for (int k = 0; k < 3; k++)
			far_positions[i][k] = centre[k] + (double)corpus.poses[i].position[k];
	far_positions[5][1] = NAN;
	far_positions[8][2] = 1e300;
	wp_batch batch = make_batch(pairs, PAIRS);
	batch.a.position = (wp_const_real_column){far_positions, 0};
	batch.a.position_real = WP_REAL_DOUBLE;
	return batch;
}

static wp_pair far_pair_of_table(uint32_t i)
{
	wp_pair pair = pair_of_table(i);
	pair.position_a = far_positions[2 * i];
	pair.position_b = far_positions[2 * i + 1];
	pair.position_real = WP_REAL_DOUBLE;
	return pair;
}

/* One by one and in batches of a row or two they have the rows and caches of the whole batch. */
static void check_far_pairs(wp_workspace *workspace, uint32_t width)
{
	static wp_cache caches[3][PAIRS];
	static wp_row rows[3][PAIRS];
	(void)width;
	memset(caches, 0, sizeof caches);
	wp_batch batch = make_far_batch();
	for (int q = 0; q < 2 * REQUESTS; q++) {
		const request *const r = &requests[q / 2];
		run_with(workspace, &batch, r, caches[0], rows[0]);
		for (batch.first = 0; batch.first < PAIRS; batch.first += batch.count) {
			batch.count = 1 + (batch.first % 2 != 0 && batch.first + 1 < PAIRS);
			run_with(workspace, &batch, r, caches[1], rows[1]);
		}
		batch.first = 0;
		batch.count = PAIRS;
		for (uint32_t i = 0; i < PAIRS; i++) {
			const wp_pair pair = far_pair_of_table(i);
			cr_assert_eq(run_prepared(workspace, &pair, r, &caches[2][i], &rows[2][i]), WP_OK);
		}
		for (uint32_t i = 0; i < PAIRS; i++)
			for (int way = 1; way < 3; way++) {
				cr_assert_eq(memcmp(&rows[way][i], &rows[0][i], sizeof rows[0][i]), 0,
					"%s of pair %u (%s), way %d: separation %a, not %a", r->name, i,
					gen_construction_name((gen_construction)corpus.constructions[i]), way,
					(double)rows[way][i].separation, (double)rows[0][i].separation);
				cr_assert_eq(memcmp(&caches[way][i], &caches[0][i], sizeof caches[0][i]), 0,
					"cache of pair %u after %s, way %d", i, r->name, way);
			}
		cr_assert((rows[0][2].status & WP_STATUS_INVALID_POSITION_B) != 0 &&
				  (rows[0][4].status & WP_STATUS_INVALID_POSITION_A) != 0);
	}
}

Test(batch, far_pairs_have_the_bits_of_the_batch) { for_each_variant(check_far_pairs); }

/* Manifolds of such pairs. */
static void check_far_manifolds(wp_workspace *workspace, uint32_t width)
{
	enum { POINTS = 4 };
	static struct far_answer {
		wp_row row;
		uint32_t count;
		wp_manifold_point points[POINTS];
	} answers[PAIRS], one;
	(void)width;
	const wp_batch batch = make_far_batch();
	const wp_contact_options options = {.max_separation = 0.5f};
	const wp_manifolds manifolds = {
		.count = {&answers->count, sizeof *answers}, .points = {answers->points, sizeof *answers}, .point_max = POINTS};
	const wp_results results = rows_in_structs(&answers->row, sizeof *answers);
	memset(answers, 0, sizeof answers);
	cr_assert_eq(wp_contact_manifold(workspace, &batch, &options, &results, &manifolds, NULL), WP_OK);
	for (uint32_t i = 0; i < PAIRS; i++) {
		const wp_pair pair = far_pair_of_table(i);
		memset(&one, 0, sizeof one);
		cr_assert_eq(
			wp_contact_manifold_prepared(workspace, &pair, &options, NULL, &one.row, one.points, POINTS, &one.count),
			WP_OK);
		cr_assert_eq(memcmp(&one, &answers[i], sizeof one), 0, "pair %u (%s)", i,
			gen_construction_name((gen_construction)corpus.constructions[i]));
	}
}

Test(batch, far_pairs_have_the_manifolds_of_the_batch) { for_each_variant(check_far_manifolds); }

/* Positions as far apart as they may be, and further than positions may be: in double they have the bits that they have as
 * floats. */
static void check_farthest_pairs(wp_workspace *workspace, uint32_t width)
{
	enum { ROWS = 5 * PAIRS };
	static wp_row rows[2][ROWS];
	static uint32_t lists[ROWS][2];
	static double doubles[2 * PAIRS][3];
	static float floats[2 * PAIRS][3];
	gen_random random;
	gen_seed(&random, width);
	for (uint32_t i = 0; i < 2 * PAIRS; i++)
		for (int k = 0; k < 3; k++) {
			floats[i][k] = (float)gen_range(&random, -1, 1) * WP_COORDINATE_MAX;
			doubles[i][k] = (double)floats[i][k];
		}
	for (uint32_t i = 0; i < ROWS; i++)
		for (int side = 0; side < 2; side++)
			lists[i][side] = gen_below(&random, 2 * PAIRS);
	wp_batch batch = make_batch(lists, ROWS);
	for (int q = 0; q < REQUESTS; q++) {
		batch.a.position = (wp_const_real_column){floats, 0};
		batch.a.position_real = WP_REAL_FLOAT;
		run(workspace, &batch, &requests[q], rows[0]);
		batch.a.position = (wp_const_real_column){doubles, 0};
		batch.a.position_real = WP_REAL_DOUBLE;
		run(workspace, &batch, &requests[q], rows[1]);
		for (uint32_t i = 0; i < ROWS; i++)
			cr_assert_eq(memcmp(&rows[0][i], &rows[1][i], sizeof rows[0][i]), 0, "%s of row %u: %a %a, %x %x",
				requests[q].name, i, (double)rows[0][i].separation, (double)rows[1][i].separation, rows[0][i].status,
				rows[1][i].status);
	}
}

Test(batch, farthest_pairs_have_the_bits_of_floats) { for_each_variant(check_farthest_pairs); }

/* Bodies move a little from frame to frame, or far; caches keep pace. */
static void move_bodies(gen_random *random)
{
	for (uint32_t i = 0; i < 2 * PAIRS; i++)
		for (int k = 0; k < 3; k++)
			corpus.poses[i].position[k] *= (float)gen_range(random, 0.99, 1.01);
}

/* Pairs with caches, one by one and in batches of a row or two, have the rows and caches of the whole batch. */
static void check_caches(wp_workspace *workspace, uint32_t width)
{
	enum { FRAMES = 4 };
	static wp_cache caches[3][PAIRS];
	static wp_row rows[3][PAIRS];
	gen_random random;
	gen_seed(&random, width);
	for (int frame = 0; frame < FRAMES * REQUESTS; frame++) {
		const request *const r = &requests[frame % REQUESTS];
		wp_batch batch = make_batch(pairs, PAIRS);
		run_with(workspace, &batch, r, caches[0], rows[0]);
		for (batch.first = 0; batch.first < PAIRS; batch.first += batch.count) {
			batch.count = 1 + batch.first % 3;
			batch.count = batch.count < PAIRS - batch.first ? batch.count : PAIRS - batch.first;
			run_with(workspace, &batch, r, caches[1], rows[1]);
		}
		for (uint32_t i = 0; i < PAIRS; i++) {
			const wp_pair pair = pair_of_table(i);
			cr_assert_eq(run_prepared(workspace, &pair, r, &caches[2][i], &rows[2][i]), WP_OK);
			for (int way = 1; way < 3; way++) {
				cr_assert_eq(memcmp(&rows[way][i], &rows[0][i], sizeof rows[0][i]), 0,
					"%s of pair %u in frame %d, way %d: separation %a, not %a", r->name, i, frame, way,
					(double)rows[way][i].separation, (double)rows[0][i].separation);
				cr_assert_eq(memcmp(&caches[way][i], &caches[0][i], sizeof caches[0][i]), 0,
					"cache of pair %u in frame %d, way %d", i, frame, way);
			}
		}
		move_bodies(&random);
	}
	gen_corpus_free(&corpus);
	setup();
}

Test(batch, pairs_with_caches_have_the_bits_of_the_batch) { for_each_variant(check_caches); }

/* Statistics of rows one by one equal the batch's, but for lanes, of which a batch wastes fewer or more. */
static void check_statistics(wp_workspace *workspace, uint32_t width)
{
	static wp_row rows[PAIRS];
	const wp_results results = wp_results_of_rows(rows);
	for (size_t most = 1; most <= 3; most++) {
		wp_statistics whole = {0}, parts = {0};
		wp_batch batch = make_batch(pairs, PAIRS);
		cr_assert_eq(
			wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = 0.02f}, &results, &whole), WP_OK);
		for (batch.first = 0; batch.first < PAIRS; batch.first += batch.count) {
			batch.count = most < PAIRS - batch.first ? most : PAIRS - batch.first;
			cr_assert_eq(
				wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = 0.02f}, &results, &parts), WP_OK);
		}
		if (width == 1) {
			cr_assert_eq(parts.lanes_live, whole.lanes_live);
			cr_assert_eq(parts.lanes_issued, whole.lanes_issued);
		}
		/* No search takes longer than the longest one. */
		cr_assert_geq(whole.gjk_iterations_max * whole.rows, whole.gjk_iterations);
		cr_assert_geq(whole.epa_iterations_max * whole.epa_rows, whole.epa_iterations);
		whole.lanes_live = whole.lanes_issued = parts.lanes_live = parts.lanes_issued = 0;
		cr_assert_eq(memcmp(&whole, &parts, sizeof whole), 0, "batches of %zu", most);
	}
}

Test(batch, statistics_of_short_batches_add_up) { for_each_variant(check_statistics); }

static void check_single_pairs(wp_workspace *workspace, uint32_t width)
{
	(void)width;
	for (uint32_t i = 0; i < PAIRS; i++) {
		const wp_shape *a = &corpus.shapes[2 * i], *b = a + 1;
		const wp_pose *pa = &corpus.poses[2 * i], *pb = pa + 1;
		wp_row row;
		memset(&row, 0, sizeof row);
		cr_assert_eq(wp_overlap_pair(workspace, a, pa, b, pb, &row), WP_OK);
		check_row(&row, 0, i, "single");
		cr_assert_eq(wp_distance_pair(workspace, a, pa, b, pb, &row), WP_OK);
		check_row(&row, 1, i, "single");
		for (int q = CONTACT; q <= CONTACT_NEAR; q++) {
			cr_assert_eq(wp_contact_pair(workspace, a, pa, b, pb,
							 &(wp_contact_options){.max_separation = requests[q].max_separation}, &row),
				WP_OK);
			check_row(&row, q, i, "single");
		}
	}
}

Test(batch, a_pair_alone_has_the_bits_of_the_batch) { for_each_variant(check_single_pairs); }

/* Parts of the generator's sequences in which a pair's bits once depended on its neighbours: two faces of
 * its start tetrahedron are equal up to rounding, and a neighbour's request sorted them again. */
/* Without a name, one or two pairs of a kind are solved in one lane. */
Test(batch, the_best_variant_has_the_bits_of_all)
{
	wp_workspace *workspace = make_workspace(WP_VARIANT_AUTO);
	const uint32_t width = wp_variant_width(wp_workspace_variant(workspace));
	check_sizes(workspace, width);
	check_chunks(workspace, width);
	check_single_pairs(workspace, width);
	check_prepared_pairs(workspace, width);
	check_caches(workspace, width);
	check_statistics(workspace, width);
}

Test(batch, neighbours_that_once_mattered, .init = NULL)
{
	enum { FIRST = 420000, COUNT = 387 };
	static wp_row scalar[COUNT], rows[COUNT];
	static uint32_t numbers[COUNT][2];
	const gen_options options = {.seed = 1, .vertex_max = 40};
	cr_assert(gen_corpus_make(&options, FIRST, COUNT, &corpus));
	const size_t size = wp_shape_table_size(2 * COUNT);
	cr_assert_eq(wp_shape_table_build(corpus.shapes, 2 * COUNT, block(size), size, &table, NULL), WP_OK);
	for (uint32_t i = 0; i < COUNT; i++) {
		numbers[i][0] = 2 * i;
		numbers[i][1] = 2 * i + 1;
	}
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		const wp_batch batch = make_batch(numbers, COUNT);
		run(make_workspace((wp_variant)v), &batch, &requests[CONTACT], v == WP_VARIANT_SCALAR ? scalar : rows);
		cr_assert(
			v == WP_VARIANT_SCALAR || memcmp(scalar, rows, sizeof rows) == 0, "%s", wp_variant_name((wp_variant)v));
	}
}

/* Demand 49. Equally good support points: all variants take the same one, next to whatever neighbours. */
Test(batch, ties_are_broken_alike, .init = ask_setup)
{
	static wp_shape shapes[2 * BATCH];
	static wp_pose poses[2 * BATCH];
	static wp_row rows[BATCH];
	static const float twice[10][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 0, 0},
		{0, 0, 1}, {0, -1, 0}, {1, 0, 0}};
	const wp_shape kinds[3] = {cube_hull(0, 1), hull_of(1, twice[0], 10), wp_shape_box(1, 1, 1)};
	for (int i = 0; i < BATCH; i++) {
		shapes[2 * i] = kinds[i % 3];
		shapes[2 * i + 1] = kinds[i / 3 % 3];
		poses[2 * i] = poses[2 * i + 1] = origin;
		poses[2 * i + 1].position[0] = (float)(i / 9 % 5 - 2);
		poses[2 * i + 1].position[1] = (float)(i / 45 % 5 - 2) / 2;
		poses[2 * i + 1].position[2] = (float)(i / 225);
	}
	const wp_results results = wp_results_of_rows(rows);
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		if (workspaces[v] == NULL)
			continue;
		ask_batch((wp_variant)v, shapes, poses, BATCH, &results);
		for (int i = 0; i < BATCH; i++) {
			const answer x = ask(&shapes[2 * i], &poses[2 * i], &shapes[2 * i + 1], &poses[2 * i + 1]);
			cr_assert_eq(memcmp(&x.row, &rows[i], sizeof rows[i]), 0, "%s, row %d", wp_variant_name((wp_variant)v), i);
		}
	}
}

/* ---- threads ------------------------------------------------------------------------------------ */

typedef struct worker {
	pthread_t thread;
	uint32_t number;
	wp_row *rows;
	bool failed;
} worker;

/* One thread's share: every THREADS-th range of 100 rows, into one array that all share. */
static void *work(void *argument)
{
	worker *w = argument;
	wp_workspace *workspace;
	void *memory = aligned_alloc(WP_ALIGNMENT, WP_WORKSPACE_SIZE);
	w->failed = wp_workspace_init(memory, WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace) != WP_OK;
	wp_batch batch = make_batch(pairs, 100);
	const wp_results results = wp_results_of_rows(w->rows);
	for (batch.first = 100 * w->number; !w->failed && batch.first < PAIRS; batch.first += 100 * THREADS) {
		batch.count = PAIRS - batch.first < 100 ? PAIRS - batch.first : 100;
		w->failed = wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = INFINITY}, &results, NULL) !=
		            WP_OK;
	}
	free(memory);
	return NULL;
}

Test(batch, threads_share_a_batch)
{
	static wp_row rows[PAIRS];
	worker workers[THREADS];
	for (uint32_t i = 0; i < THREADS; i++) {
		workers[i] = (worker){.number = i, .rows = rows};
		cr_assert_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		cr_assert_eq(pthread_join(workers[i].thread, NULL), 0);
		cr_assert_not(workers[i].failed);
	}
	for (uint32_t i = 0; i < PAIRS; i++)
		check_row(&rows[i], CONTACT, i, "threads");
}

/* ---- certificates ------------------------------------------------------------------------------- */

static certify_pair certified(uint32_t i)
{
	return certify_prepare(&corpus.shapes[2 * i], &corpus.poses[2 * i], &corpus.shapes[2 * i + 1],
		&corpus.poses[2 * i + 1], &expected[CONTACT][i]);
}

static void check_promise(const char *broken, uint32_t i, int q)
{
	cr_assert_null(broken, "%s: %s, pair %u (%s), separation %a, status %x", broken, requests[q].name, i,
		gen_construction_name((gen_construction)corpus.constructions[i]), (double)expected[q][i].separation,
		expected[q][i].status);
}

Test(batch, answers_prove_themselves)
{
	int beyond = 0;
	for (uint32_t i = 0; i < PAIRS; i++) {
		const wp_row *contact = &expected[CONTACT][i], *near = &expected[CONTACT_NEAR][i];
		const certify_pair p = certified(i);
		check_promise(certify_contact(&p, contact), i, CONTACT);
		check_promise(certify_near(&p, near, requests[CONTACT_NEAR].max_separation, contact), i, CONTACT_NEAR);
		check_promise(certify_distance(&p, &expected[1][i], contact), i, 1);
		check_promise(certify_overlap(&p, &expected[0][i], contact), i, 0);
		beyond += (near->status & WP_STATUS_BEYOND) != 0;
	}
	cr_assert(beyond > PAIRS / 20, "%d", beyond);
}

Test(batch, sides_may_be_swapped)
{
	static uint32_t swapped[PAIRS][2];
	static wp_row rows[PAIRS];
	for (uint32_t i = 0; i < PAIRS; i++) {
		swapped[i][0] = pairs[i][1];
		swapped[i][1] = pairs[i][0];
	}
	const wp_batch batch = make_batch(swapped, PAIRS);
	run(make_workspace(WP_VARIANT_AUTO), &batch, &requests[CONTACT], rows);
	for (uint32_t i = 0; i < PAIRS; i++) {
		const certify_pair p = certified(i);
		const double change = fabs((double)rows[i].separation - (double)expected[CONTACT][i].separation);
		check_promise(change <= p.contract ? NULL : "swapping the sides keeps the separation", i, CONTACT);
	}
}

/* ---- the same pair in another guise ------------------------------------------------------------- */

static const wp_hull *scaled_hull(const wp_hull *hull, float factor)
{
	const size_t count = wp_hull_vertex_count(hull), size = wp_hull_size(count, 0, 0);
	float *vertices = block(3 * count * sizeof *vertices);
	for (size_t i = 0; i < count; i++) {
		wp_hull_vertex(hull, i, vertices + 3 * i);
		for (int k = 0; k < 3; k++)
			vertices[3 * i + k] *= factor;
	}
	const wp_hull_input input = {.vertices = {vertices}, .vertex_count = count};
	const wp_hull *made;
	cr_assert_eq(wp_hull_build(&input, block(size), size, &made, NULL), WP_OK);
	free(vertices);
	return made;
}

static void scale_shape(wp_shape *shape, float factor)
{
	shape->radius *= factor;
	shape->half_height *= factor;
	for (int k = 0; k < 9; k++)
		shape->points[k / 3][k % 3] *= factor;
	for (int k = 0; k < 3; k++)
		shape->half_extents[k] *= factor;
	if (shape->kind == WP_SHAPE_HULL)
		shape->hull = scaled_hull(shape->hull, factor);
}

static bool is_scaled(const wp_row *row, const wp_row *from, float factor)
{
	bool same = row->status == from->status && row->iterations == from->iterations &&
	            row->separation == from->separation * factor && row->lower == from->lower * factor &&
	            row->upper == from->upper * factor;
	for (int k = 0; k < 3; k++)
		same = same && row->normal[k] == from->normal[k] && row->point_a[k] == from->point_a[k] * factor &&
		       row->point_b[k] == from->point_b[k] * factor;
	return same;
}

/* Scaled by a power of two, every number of a contact scales exactly. */
Test(batch, powers_of_two_scale_exactly)
{
	static const float factors[] = {0.125f, 32.0f};
	wp_workspace *workspace = make_workspace(WP_VARIANT_AUTO);
	for (size_t f = 0; f < sizeof factors / sizeof factors[0]; f++) {
		for (uint32_t i = 0; i < PAIRS; i++) {
			wp_shape shape[2] = {corpus.shapes[2 * i], corpus.shapes[2 * i + 1]};
			wp_pose pose[2] = {corpus.poses[2 * i], corpus.poses[2 * i + 1]};
			wp_row row;
			if (corpus.constructions[i] == GEN_DENORMAL)
				continue;
			for (int side = 0; side < 2; side++) {
				scale_shape(&shape[side], factors[f]);
				for (int k = 0; k < 3; k++)
					pose[side].position[k] *= factors[f];
			}
			cr_assert_eq(wp_contact_pair(workspace, &shape[0], &pose[0], &shape[1], &pose[1],
							 &(wp_contact_options){.max_separation = INFINITY}, &row),
				WP_OK);
			check_promise(is_scaled(&row, &expected[CONTACT][i], factors[f]) ? NULL : "scales exactly", i, CONTACT);
		}
	}
}

/* Moved together, by a step that loses no digit of their positions, a pair keeps its separation and normal. */
Test(batch, translations_change_points_only)
{
	wp_workspace *workspace = make_workspace(WP_VARIANT_AUTO);
	for (uint32_t i = 0; i < PAIRS; i++) {
		wp_pose pose[2] = {corpus.poses[2 * i], corpus.poses[2 * i + 1]};
		wp_row here, there;
		bool coarse = true;
		for (int k = 0; k < 6; k++) {
			float *x = &pose[k / 3].position[k % 3];
			*x = roundf(*x * 256) / 256;
			coarse = coarse && fabsf(*x) < 1000;
		}
		const wp_shape *a = &corpus.shapes[2 * i], *b = a + 1;
		cr_assert_eq(wp_contact_pair(
						 workspace, a, &pose[0], b, &pose[1], &(wp_contact_options){.max_separation = INFINITY}, &here),
			WP_OK);
		for (int k = 0; k < 6; k++)
			pose[k / 3].position[k % 3] += (const float[]){512, -64.5f, 8.25f}[k % 3];
		cr_assert_eq(wp_contact_pair(workspace, a, &pose[0], b, &pose[1],
						 &(wp_contact_options){.max_separation = INFINITY}, &there),
			WP_OK);
		const bool same = here.separation == there.separation && here.lower == there.lower &&
		                  here.upper == there.upper && here.status == there.status &&
		                  memcmp(here.normal, there.normal, sizeof here.normal) == 0;
		check_promise(same || !coarse ? NULL : "a translation changes the points only", i, CONTACT);
	}
}

/* Spheres whose centres nearly meet: beside their radii the distance is nothing, and three roundings of the radii are all
 * that the bracket has to hold. Of three million pairs it once missed the truth of 741, by 5e-9 of a size at most. */
Test(batch, deep_spheres_keep_their_brackets, .init = NULL)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	wp_workspace *workspace;
	gen_random random;
	gen_seed(&random, 23);
	cr_assert_eq(wp_workspace_init(memory, sizeof memory, WP_VARIANT_AUTO, &workspace), WP_OK);
	for (uint32_t i = 0; i < 1000000; i++) {
		const float radius_a = gen_rounded(gen_range(&random, 0, 1));
		const wp_shape a = wp_shape_sphere(radius_a),
					   b = wp_shape_sphere(1 - radius_a + gen_rounded(gen_range(&random, 0, 0.05)));
		const v3 apart = v3_scale(gen_direction(&random), pow(10, gen_range(&random, -5, -1)));
		const wp_pose at_a = {{0, 0, 0}, {0, 0, 0, 1}};
		const wp_pose at_b = {{gen_rounded(apart.x), gen_rounded(apart.y), gen_rounded(apart.z)}, {0, 0, 0, 1}};
		wp_row row;
		cr_assert_eq(
			wp_contact_pair(workspace, &a, &at_a, &b, &at_b, &(wp_contact_options){.max_separation = INFINITY}, &row),
			WP_OK);
		const double truth = v3_length(v3_of_floats(at_b.position)) - ((double)a.radius + (double)b.radius);
		if (!((double)row.lower <= truth && (double)row.upper >= truth))
			cr_assert_fail("pair %u: radii %a and %a, B at %a %a %a: %a to %a, not %a", i, (double)a.radius,
				(double)b.radius, (double)at_b.position[0], (double)at_b.position[1], (double)at_b.position[2],
				(double)row.lower, (double)row.upper, truth);
	}
}
