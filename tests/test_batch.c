/* What a batch promises about every pair: its bits depend on nothing but the pair and the query, and its
 * answer proves itself. The corpus is the generator's, all of its constructions in turn. */
#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support/gen.h"
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

static void *block(size_t size)
{
	void *memory = aligned_alloc(WP_ALIGNMENT, (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT);
	cr_assert_not_null(memory);
	return memory;
}

static wp_batch make_batch(uint32_t (*pair)[2], size_t count)
{
	return (wp_batch){.shapes = table,
		.a = {.position = corpus.poses[0].position, .rotation = corpus.poses[0].rotation,
			.position_stride = sizeof(wp_pose), .rotation_stride = sizeof(wp_pose), .count = 2 * PAIRS},
		.pair_a = &pair[0][0], .pair_b = &pair[0][1], .pair_stride = sizeof pair[0], .count = count};
}

static void run(wp_workspace *workspace, const wp_batch *batch, const request *r, wp_row *rows)
{
	const wp_results results = wp_results_of_rows(rows);
	const wp_error error = r->query == 0 ? wp_overlap(workspace, batch, &results, NULL)
		: r->query == 1 ? wp_distance(workspace, batch, &results, NULL)
		: wp_contact(workspace, batch, r->max_separation, &results, NULL);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
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
			cr_assert_eq(wp_contact_pair(workspace, a, pa, b, pb, requests[q].max_separation, &row), WP_OK);
			check_row(&row, q, i, "single");
		}
	}
}

Test(batch, a_pair_alone_has_the_bits_of_the_batch) { for_each_variant(check_single_pairs); }

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
		w->failed = wp_contact(workspace, &batch, INFINITY, &results, NULL) != WP_OK;
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

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* v turned by a quaternion, or back by it. */
static void turn(const float rotation[4], double back, const double v[3], double out[3])
{
	double q[4], length2 = 0;
	for (int i = 0; i < 4; i++)
		length2 += (double)rotation[i] * (double)rotation[i];
	for (int i = 0; i < 4; i++)
		q[i] = (double)rotation[i] / sqrt(length2) * (i < 3 ? back : 1.0);
	double t[3];
	for (int i = 0; i < 3; i++)
		t[i] = 2 * (q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3]);
	for (int i = 0; i < 3; i++)
		out[i] = v[i] + q[3] * t[i] + q[(i + 1) % 3] * t[(i + 2) % 3] - q[(i + 2) % 3] * t[(i + 1) % 3];
}

/* The farthest of points [count][3]. */
static double farthest(const float *points, int count, const double d[3])
{
	double most = -INFINITY;
	for (int i = 0; i < count; i++)
		most = fmax(most, (double)points[3 * i] * d[0] + (double)points[3 * i + 1] * d[1] + (double)points[3 * i + 2] * d[2]);
	return most;
}

static double farthest_of_hull(const wp_hull *hull, const double d[3])
{
	double most = -INFINITY;
	for (size_t i = 0; i < wp_hull_vertex_count(hull); i++) {
		float v[3];
		wp_hull_vertex(hull, i, v);
		most = fmax(most, farthest(v, 1, d));
	}
	return most;
}

/* How far a shape reaches along a unit direction of the world, from its own origin. */
static double reach(const wp_shape *s, const float rotation[4], const double n[3])
{
	double d[3];
	turn(rotation, -1, n, d);
	const double radius = (double)s->radius;
	switch (s->kind) {
	case WP_SHAPE_SEGMENT: return radius + farthest(s->points[0], 2, d);
	case WP_SHAPE_CAPSULE: return radius + fabs(d[1]) * (double)s->half_height;
	case WP_SHAPE_TRIANGLE: return radius + farthest(s->points[0], 3, d);
	case WP_SHAPE_BOX:
		return radius + fabs(d[0]) * (double)s->half_extents[0] + fabs(d[1]) * (double)s->half_extents[1] +
			fabs(d[2]) * (double)s->half_extents[2];
	case WP_SHAPE_HULL: return radius + farthest_of_hull(s->hull, d);
	default: return radius;
	}
}

/* The pair under test, and what its answer may be off by: the contract, down to the spacing of the smallest
 * floats, and the rounding of world coordinates, which grows with the distance from the origin. */
typedef struct judged {
	const wp_shape *shape[2];
	const wp_pose *pose[2];
	double offset[3], contract, rounding;
	uint32_t pair;
} judged;

static judged judge(uint32_t pair, const wp_row *row)
{
	judged j = {.shape = {&corpus.shapes[2 * pair], &corpus.shapes[2 * pair + 1]},
		.pose = {&corpus.poses[2 * pair], &corpus.poses[2 * pair + 1]}, .pair = pair};
	double far = 0;
	for (int i = 0; i < 3; i++) {
		j.offset[i] = (double)j.pose[1]->position[i] - (double)j.pose[0]->position[i];
		far = fmax(far, fmax(fabs((double)row->point_a[i]), fabs((double)row->point_b[i])));
	}
	const double a = (double)wp_shape_table_bound(table, 2 * pair), b = (double)wp_shape_table_bound(table, 2 * pair + 1);
	j.contract = 3e-6 * (fmax(a, b) + fabs((double)row->separation)) + 0x1p-147;
	j.rounding = 2e-7 * far + 0x1p-147;
	return j;
}

#define HOLDS(condition, j, row, what)                                                                           \
	cr_assert(condition, "%s: pair %u (%s), separation %a, status %x", what, (j)->pair,                            \
		gen_construction_name((gen_construction)corpus.constructions[(j)->pair]), (double)(row)->separation, (row)->status)

static void check_status(const judged *j, const wp_row *row)
{
	const uint32_t state = row->status & (WP_STATUS_SEPARATED | WP_STATUS_TOUCHING | WP_STATUS_PENETRATING);
	HOLDS(state == (row->lower > 0 ? WP_STATUS_SEPARATED : row->upper < 0 ? WP_STATUS_PENETRATING : WP_STATUS_TOUCHING),
		j, row, "the state is what the bracket proves");
	HOLDS(!(row->status & WP_STATUS_INVALID), j, row, "valid");
	HOLDS(row->lower <= row->separation && row->separation <= row->upper, j, row, "the bracket holds the separation");
	HOLDS((row->status & (WP_STATUS_WIDE_BRACKET | WP_STATUS_BEYOND)) ||
		(double)row->upper - (double)row->lower <= j->contract, j, row, "the bracket is narrow");
}

/* The gap between the support planes along the normal is the separation. */
static void check_normal(const judged *j, const wp_row *row)
{
	double n[3], back[3];
	for (int i = 0; i < 3; i++) {
		n[i] = (double)row->normal[i];
		back[i] = -n[i];
	}
	HOLDS(fabs(sqrt(dot(n, n)) - 1) < 1e-6, j, row, "the normal has unit length");
	const double gap = dot(n, j->offset) - reach(j->shape[0], j->pose[0]->rotation, n) - reach(j->shape[1], j->pose[1]->rotation, back);
	HOLDS(fabs(gap - (double)row->separation) <= j->contract, j, row, "the normal proves the separation");
}

/* The witness points lie on their shapes and make up the separation. */
static void check_points(const judged *j, const wp_row *row)
{
	double miss2 = 0;
	for (int i = 0; i < 3; i++) {
		const double miss = (double)row->point_b[i] - (double)row->point_a[i] - (double)row->separation * (double)row->normal[i];
		miss2 += miss * miss;
	}
	HOLDS(sqrt(miss2) <= j->contract + j->rounding, j, row, "point_a + separation * normal is point_b");
	gen_random random;
	gen_seed(&random, j->pair);
	for (int k = 0; k < 40; k++) {
		double n[3], a = 0, b = 0;
		for (int i = 0; i < 3; i++)
			n[i] = gen_range(&random, -1, 1);
		const double length = sqrt(dot(n, n));
		for (int i = 0; i < 3; i++) {
			n[i] /= length;
			a += n[i] * ((double)row->point_a[i] - (double)j->pose[0]->position[i]);
			b += n[i] * ((double)row->point_b[i] - (double)j->pose[1]->position[i]);
		}
		HOLDS(a <= reach(j->shape[0], j->pose[0]->rotation, n) + j->contract + j->rounding, j, row, "point_a is in A");
		HOLDS(b <= reach(j->shape[1], j->pose[1]->rotation, n) + j->contract + j->rounding, j, row, "point_b is in B");
	}
}

Test(batch, contacts_prove_themselves)
{
	for (uint32_t i = 0; i < PAIRS; i++) {
		const wp_row *row = &expected[CONTACT][i];
		const judged j = judge(i, row);
		check_status(&j, row);
		check_normal(&j, row);
		check_points(&j, row);
	}
}

Test(batch, beyond_is_proven_and_the_rest_is_full)
{
	int beyond = 0;
	for (uint32_t i = 0; i < PAIRS; i++) {
		const wp_row *row = &expected[CONTACT_NEAR][i], *full = &expected[CONTACT][i];
		const judged j = judge(i, full);
		if (row->status & WP_STATUS_BEYOND) {
			beyond++;
			HOLDS(row->lower > 0.02f && row->separation == row->lower, &j, row, "beyond is proven");
			HOLDS(row->lower <= full->upper && full->lower <= row->upper, &j, row, "the brackets meet");
		} else {
			check_status(&j, row);
			HOLDS(fabs((double)row->separation - (double)full->separation) <= j.contract, &j, row, "the full answer");
		}
	}
	cr_assert(beyond > PAIRS / 20, "%d", beyond);
}

Test(batch, overlap_and_distance_agree_with_contact)
{
	for (uint32_t i = 0; i < PAIRS; i++) {
		const wp_row *overlap = &expected[0][i], *distance = &expected[1][i], *contact = &expected[CONTACT][i];
		const judged j = judge(i, contact);
		HOLDS(!(overlap->status & WP_STATUS_SEPARATED) || contact->upper > 0, &j, overlap, "proven apart");
		HOLDS(!(overlap->status & WP_STATUS_PENETRATING) || (double)contact->lower <= j.contract, &j, overlap, "proven to meet");
		HOLDS(fabs((double)distance->separation - fmax((double)contact->separation, 0)) <= j.contract, &j, distance,
			"the distance is the contact's, or zero");
		HOLDS(distance->lower >= 0 && distance->lower <= distance->separation && distance->separation <= distance->upper, &j,
			distance, "the bracket of the distance");
	}
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
		const judged j = judge(i, &expected[CONTACT][i]);
		HOLDS(fabs((double)rows[i].separation - (double)expected[CONTACT][i].separation) <= j.contract, &j, &rows[i], "swapped");
	}
}
