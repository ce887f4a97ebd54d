/* The 2D calls: errors, shape tables, views and strides, invalid rows, ranges, places in a batch.
 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "support/block.h"
#include "support/gen_2d.h"
#include "support/gen_random.h"
#include "support/unit.h"

enum { PAIRS = 10000, OVERLAP = 0, DISTANCE, CONTACT, QUERIES };

static wp_workspace *workspace;
static const wp2d_pose origin = {.rotation = {1, 0}};

/* Random pairs; body 2 i is A of pair i, and has shape 2 i. */
static gen_2d_pair random_pairs[PAIRS];
static wp2d_shape shapes[2 * PAIRS];
static wp2d_pose poses[2 * PAIRS];
static uint32_t pairs[PAIRS][2];
static wp2d_row expected[PAIRS], rows[PAIRS];
static const wp2d_shape_table *table;

static void make_pairs(void)
{
	workspace = workspace_of(WP_VARIANT_AUTO);
	for (uint32_t i = 0; i < PAIRS; i++) {
		gen_2d(7, i, &random_pairs[i]);
		for (uint32_t k = 0; k < 2; k++) {
			shapes[2 * i + k] = random_pairs[i].shape[k];
			poses[2 * i + k] = random_pairs[i].pose[k];
			pairs[i][k] = 2 * i + k;
		}
	}
	const size_t size = wp2d_shape_table_size(shapes, 2 * PAIRS);
	wp_shape_report report;
	cr_assert_eq(wp2d_shape_table_build(shapes, 2 * PAIRS, block(size), size, &table, &report), WP_OK);
	cr_assert_eq(report.invalid_count, 0);
}

static wp2d_batch make_batch(size_t first, size_t count)
{
	return (wp2d_batch){.shapes = table,
		.first = first,
		.count = count,
		.a = {.position = {poses[0].position, sizeof(wp2d_pose)},
			.rotation = {poses[0].rotation, sizeof(wp2d_pose)},
			.count = 2 * PAIRS},
		.pair_a = {&pairs[0][0], sizeof pairs[0]},
		.pair_b = {&pairs[0][1], sizeof pairs[0]}};
}

static wp_error run(const wp2d_batch *batch, int query, const wp2d_results *results, wp_statistics *s)
{
	return query == OVERLAP ? wp2d_overlap(workspace, batch, results, s)
	     : query == DISTANCE
	         ? wp2d_distance(workspace, batch, results, s)
	         : wp2d_contact(workspace, batch, &(wp_contact_options){.max_separation = INFINITY}, results, s);
}

static void run_rows(const wp2d_batch *batch, int query, wp2d_row *to)
{
	const wp2d_results results = wp2d_results_of_rows(to);
	cr_assert_eq(run(batch, query, &results, NULL), WP_OK);
}

TestSuite(api_2d, .init = make_pairs);

/* ---- shapes ------------------------------------------------------------------------------------- */

Test(api_2d, constructors_and_names)
{
	const float a[2] = {1, 2}, b[2] = {3, 4};
	const wp2d_shape segment = wp2d_shape_segment(a, b), capsule = wp2d_shape_capsule(0.5f, 2),
					 circle = wp2d_shape_circle(3);
	cr_expect(segment.kind == WP2D_SHAPE_SEGMENT && segment.points[1][0] == 3 && segment.radius == 0);
	cr_expect(capsule.kind == WP2D_SHAPE_CAPSULE && capsule.radius == 0.5f && capsule.half_height == 2);
	cr_expect(circle.kind == WP2D_SHAPE_CIRCLE && circle.radius == 3);
	cr_expect_eq(wp2d_shape_polygon(a, 1).vertices, a);
	cr_expect_str_eq(wp2d_shape_kind_name(WP2D_SHAPE_CIRCLE), "circle");
	cr_expect_str_eq(wp2d_shape_kind_name(WP2D_SHAPE_POLYGON), "polygon");
	cr_expect_str_eq(wp2d_shape_kind_name(WP2D_SHAPE_KIND_COUNT), "unknown");
}

/* A table of one shape; what is wrong with it, or NULL. */
static const char *reason_of(wp2d_shape shape)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 12];
	const wp2d_shape_table *made;
	wp_shape_report report;
	cr_assert_leq(wp2d_shape_table_size(&shape, 1), sizeof memory);
	cr_assert_eq(wp2d_shape_table_build(&shape, 1, memory, sizeof memory, &made, &report), WP_OK);
	cr_expect_eq(wp2d_shape_table_count(made), 1);
	cr_expect_eq(report.invalid_count, report.reason != NULL);
	cr_expect_eq(wp2d_shape_table_bound(made, 0) == 0, report.reason != NULL || shape.kind == WP2D_SHAPE_KIND_COUNT);
	cr_expect_eq(wp2d_shape_table_bound(made, 1), 0);
	return report.reason;
}

#define POLYGON(vertices) wp2d_shape_polygon(&(vertices)[0][0], sizeof(vertices) / sizeof((vertices)[0]))

Test(api_2d, invalid_shapes_have_reasons)
{
	static const float clockwise[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}},
					   dart[4][2] = {{0, 0}, {2, 1}, {0, 2}, {1, 1}};
	static const float star[5][2] = {{1, 0}, {-0.81f, 0.59f}, {0.31f, -0.95f}, {0.31f, 0.95f}, {-0.81f, -0.59f}};
	static const float twice[8][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}, {1, 0}, {1, 1}, {0, 1}};
	static const float infinite[1][2] = {{0, INFINITY}}, large[1][2] = {{2e30f, 0}};
	wp2d_shape shape = wp2d_shape_circle(1);
	cr_expect_null(reason_of(shape));
	shape.kind = WP2D_SHAPE_KIND_COUNT;
	cr_expect_str_eq(reason_of(shape), "kind is not a wp2d_shape_kind");
	cr_expect_str_eq(reason_of(wp2d_shape_circle(-1)), "radius is negative");
	cr_expect_str_eq(reason_of(wp2d_shape_circle(NAN)), "radius is not finite");
	cr_expect_str_eq(reason_of(wp2d_shape_circle(2e30f)), "radius is beyond WP_COORDINATE_MAX");
	cr_expect_str_eq(reason_of(wp2d_shape_capsule(1, -1)), "half_height is negative");
	cr_expect_str_eq(reason_of(wp2d_shape_capsule(1, INFINITY)), "half_height is not finite");
	cr_expect_str_eq(reason_of(wp2d_shape_segment(infinite[0], large[0])), "points holds a number that is not finite");
	cr_expect_str_eq(
		reason_of(wp2d_shape_segment(large[0], large[0])), "points holds a number beyond WP_COORDINATE_MAX");
	cr_expect_str_eq(reason_of(wp2d_shape_polygon(NULL, 3)), "vertices is NULL");
	cr_expect_str_eq(reason_of(wp2d_shape_polygon(star[0], 0)), "vertex_count is 0 or above WP2D_POLYGON_VERTEX_MAX");
	cr_expect_str_eq(reason_of(wp2d_shape_polygon(star[0], 65)), "vertex_count is 0 or above WP2D_POLYGON_VERTEX_MAX");
	cr_expect_str_eq(reason_of(POLYGON(infinite)), "vertices holds a number that is not finite");
	cr_expect_str_eq(reason_of(POLYGON(large)), "vertices holds a number beyond WP_COORDINATE_MAX");
	cr_expect_str_eq(reason_of(POLYGON(clockwise)), "vertices are clockwise");
	cr_expect_str_eq(reason_of(POLYGON(dart)), "vertices are not convex");
	cr_expect_str_eq(reason_of(POLYGON(star)), "vertices are not convex");
	cr_expect_null(reason_of(POLYGON(twice)), "the same polygon twice has the same hull");
}

/* Any shape of the corpus after any other, in a table of a few: a row has the bits of a table built anew. */
Test(api_2d, shapes_of_a_table_come_and_go)
{
	enum { COUNT = 3 };
	wp2d_shape_table *made = NULL;
	const size_t size = wp2d_shape_table_init_size(COUNT, WP2D_POLYGON_VERTEX_MAX);
	unsigned char *const memory = block(size);
	cr_assert_eq(wp2d_shape_table_init(memory, size, COUNT, WP2D_POLYGON_VERTEX_MAX, &made), WP_OK);
	cr_assert(wp2d_shape_table_count(made) == COUNT && wp2d_shape_table_bound(made, 0) == 0);
	for (uint32_t i = 0; i < PAIRS; i++) {
		const uint32_t index[2] = {i % COUNT, (i + 1) % COUNT};
		const char *reason = "nothing";
		for (uint32_t k = 0; k < 2; k++)
			cr_assert_eq(wp2d_shape_table_set(made, index[k], &shapes[2 * i + k], &reason), WP_OK);
		cr_assert_null(reason);
		cr_assert_eq(wp2d_shape_table_bound(made, index[0]), wp2d_shape_table_bound(table, 2 * i));
		wp2d_batch batch = make_batch(i, 1), changed = batch;
		changed.shapes = made;
		changed.a.position.data = poses[2 * i].position;
		changed.a.rotation.data = poses[2 * i].rotation;
		changed.a.shape.data = index;
		changed.pair_a.data = (const uint32_t[]){0};
		changed.pair_b.data = (const uint32_t[]){1};
		changed.a.count = 2;
		changed.first = 0;
		run_rows(&batch, CONTACT, rows);
		run_rows(&changed, CONTACT, expected);
		cr_assert_eq(memcmp(&rows[i], &expected[0], sizeof *rows), 0, "pair %u", i);
		if (i % 100 == 0) {
			cr_assert_eq(wp2d_shape_table_remove(made, index[1]), WP_OK);
			run_rows(&changed, CONTACT, expected);
			cr_assert_eq(expected[0].status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_B);
		}
	}
}

/* Vertices up to vertex_max, rounded up to 4, have room and touch no neighbour's; what is refused changes nothing. */
Test(api_2d, changes_refused)
{
	float vertices[WP2D_POLYGON_VERTEX_MAX][2];
	for (int i = 0; i < WP2D_POLYGON_VERTEX_MAX; i++) {
		const double angle = 6.283185307179586 * i / WP2D_POLYGON_VERTEX_MAX;
		vertices[i][0] = (float)cos(angle);
		vertices[i][1] = (float)sin(angle);
	}
	const wp2d_shape ball = wp2d_shape_circle(2), bad = wp2d_shape_circle(-1);
	for (uint32_t most = 1; most <= WP2D_POLYGON_VERTEX_MAX; most++) {
		const size_t size = wp2d_shape_table_init_size(3, most);
		const uint32_t room = (most + 3) / 4 * 4;
		unsigned char *const memory = block(size), *const before = block(size);
		const char *reason = NULL;
		wp2d_shape_table *made = NULL;
		cr_assert_eq(wp2d_shape_table_init(memory, size - 1, 3, most, &made), WP_ERROR_MEMORY_TOO_SMALL);
		cr_assert_null(made);
		cr_assert_eq(wp2d_shape_table_init(memory, size, 3, most, &made), WP_OK);
		const wp2d_shape fits = wp2d_shape_polygon(vertices[0], room);
		for (size_t i = 0; i < 3; i++)
			cr_assert_eq(wp2d_shape_table_set(made, i, &fits, NULL), WP_OK);
		memcpy(before, memory, size);
		cr_assert_eq(wp2d_shape_table_set(made, 1, &fits, NULL), WP_OK);
		if (room < WP2D_POLYGON_VERTEX_MAX) {
			const wp2d_shape large = wp2d_shape_polygon(vertices[0], room + 1);
			cr_assert_eq(wp2d_shape_table_set(made, 1, &large, &reason), WP_ERROR_SHAPE);
			cr_assert_str_eq(reason, "vertex_count is above the vertex_max of the table");
		}
		cr_assert_eq(wp2d_shape_table_set(made, 1, &bad, &reason), WP_ERROR_SHAPE);
		cr_assert_str_eq(reason, "radius is negative");
		cr_assert_eq(wp2d_shape_table_set(made, 3, &ball, &reason), WP_ERROR_SHAPE_INDEX);
		cr_assert_null(reason);
		cr_assert_eq(wp2d_shape_table_remove(made, SIZE_MAX), WP_ERROR_SHAPE_INDEX);
		cr_assert_eq(wp2d_shape_table_set(made, 1, NULL, NULL), WP_ERROR_NULL_SHAPE);
		cr_assert_eq(memcmp(before, memory, size), 0, "nothing changed");
		cr_assert_eq(wp2d_shape_table_set(made, 1, &ball, NULL), WP_OK);
		cr_assert(wp2d_shape_table_bound(made, 1) == 2 && wp2d_shape_table_bound(made, 0) < 2);
	}
	wp2d_shape_table *made = NULL;
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 10];
	cr_assert_eq(wp2d_shape_table_init(memory, sizeof memory, 1, 4, NULL), WP_ERROR_NULL_TABLE);
	cr_assert_eq(wp2d_shape_table_init(NULL, sizeof memory, 1, 4, &made), WP_ERROR_NULL_MEMORY);
	cr_assert_eq(wp2d_shape_table_init(memory + 4, sizeof memory, 1, 4, &made), WP_ERROR_MEMORY_MISALIGNED);
	cr_assert_eq(wp2d_shape_table_init(memory, sizeof memory, 1, 0, &made), WP_ERROR_MEMORY_TOO_SMALL);
	cr_assert_eq(wp2d_shape_table_init(memory, sizeof memory, 1, 65, &made), WP_ERROR_MEMORY_TOO_SMALL);
	cr_assert_eq(wp2d_shape_table_init(memory, SIZE_MAX, SIZE_MAX / 8, 4, &made), WP_ERROR_MEMORY_TOO_SMALL);
	cr_assert_eq(wp2d_shape_table_set(NULL, 0, &ball, NULL), WP_ERROR_NULL_TABLE);
	cr_assert_eq(wp2d_shape_table_remove(NULL, 0), WP_ERROR_NULL_TABLE);
	cr_assert_eq(
		wp2d_shape_table_set((wp2d_shape_table *)(void *)memory, 0, &ball, NULL), WP_ERROR_SHAPE_TABLE_INVALID);
}

Test(api_2d, vertices_may_be_out_of_place_by_rounding)
{
	static const float dented[5][2] = {{-1, -1}, {0, -0.9999995f}, {1, -1}, {1, 1}, {-1, 1}};
	static const float bent[5][2] = {{-1, -1}, {0, -0.99f}, {1, -1}, {1, 1}, {-1, 1}};
	cr_expect_null(reason_of(POLYGON(dented)));
	cr_expect_str_eq(reason_of(POLYGON(bent)), "vertices are not convex");
}

Test(api_2d, table_errors)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 12];
	const wp2d_shape two[2] = {wp2d_shape_circle(3), wp2d_shape_capsule(1, 2)};
	const size_t size = wp2d_shape_table_size(two, 2);
	const wp2d_shape_table *made = table;
	cr_expect_eq(wp2d_shape_table_build(two, 2, memory, size, NULL, NULL), WP_ERROR_NULL_TABLE);
	cr_expect_eq(wp2d_shape_table_build(two, 2, NULL, size, &made, NULL), WP_ERROR_NULL_MEMORY);
	cr_expect_null(made);
	cr_expect_eq(wp2d_shape_table_build(NULL, 2, memory, size, &made, NULL), WP_ERROR_NULL_SHAPES);
	cr_expect_eq(wp2d_shape_table_build(two, 2, memory + 4, size, &made, NULL), WP_ERROR_MEMORY_MISALIGNED);
	cr_expect_eq(wp2d_shape_table_build(two, 2, memory, size - 1, &made, NULL), WP_ERROR_MEMORY_TOO_SMALL);
	cr_expect_eq(wp2d_shape_table_size(NULL, 1), 0);
	cr_expect_eq(wp2d_shape_table_size(two, SIZE_MAX / 8), 0);
	cr_expect_eq(wp2d_shape_table_build(NULL, 0, memory, wp2d_shape_table_size(NULL, 0), &made, NULL), WP_OK);
	cr_assert_eq(wp2d_shape_table_build(two, 2, memory, size, &made, NULL), WP_OK);
	cr_expect_eq(wp2d_shape_table_bound(made, 0), 3);
	cr_expect_eq(wp2d_shape_table_bound(made, 1), 3);
}

/* ---- errors of calls ---------------------------------------------------------------------------- */

static void expect_error(wp2d_batch batch, wp_error error)
{
	const wp2d_results results = wp2d_results_of_rows(rows);
	memset(rows, 0x55, sizeof rows[0]);
	const wp2d_row before = rows[0];
	for (int query = 0; query < QUERIES; query++)
		cr_expect_eq(run(&batch, query, &results, NULL), error);
	cr_expect_eq(memcmp(&before, &rows[0], sizeof before), 0, "nothing is written on an error");
}

Test(api_2d, batch_errors)
{
	const wp2d_batch good = make_batch(0, 1);
	wp2d_batch bad = good;
	bad.shapes = NULL;
	expect_error(bad, WP_ERROR_NULL_BATCH_SHAPES);
	static const _Alignas(WP_ALIGNMENT) unsigned char nothing[2 * WP_ALIGNMENT];
	for (size_t off = 0; off < 2; off++) {
		bad.shapes = (const wp2d_shape_table *)(const void *)(nothing + 4 * off);
		expect_error(bad, WP_ERROR_SHAPE_TABLE_INVALID);
	}
	bad = good;
	bad.a.position.data = NULL;
	expect_error(bad, WP_ERROR_BODIES_A_POSITION);
	bad = good;
	bad.a.rotation.data = NULL;
	expect_error(bad, WP_ERROR_BODIES_A_ROTATION);
	bad = good;
	bad.a.position_real = 2;
	expect_error(bad, WP_ERROR_BODIES_A_REAL);
	bad = good;
	bad.b.count = 1;
	expect_error(bad, WP_ERROR_BODIES_B_POSITION);
	bad.b.position.data = poses[0].position;
	expect_error(bad, WP_ERROR_BODIES_B_ROTATION);
	bad.b.rotation.data = poses[0].rotation;
	bad.b.position_real = WP_REAL_DOUBLE;
	expect_error(bad, WP_ERROR_BODIES_B_REAL);
	bad = good;
	bad.count = (size_t)UINT32_MAX + 1;
	expect_error(bad, WP_ERROR_PAIR_RANGE);
	bad.first = SIZE_MAX;
	bad.count = 2;
	expect_error(bad, WP_ERROR_PAIR_RANGE);
}

Test(api_2d, errors_of_other_arguments)
{
	const wp2d_batch batch = make_batch(0, 1);
	wp2d_results results = wp2d_results_of_rows(rows);
	static _Alignas(WP_ALIGNMENT) unsigned char copy[WP_WORKSPACE_SIZE];
	uint32_t count;
	wp2d_manifold_point points[WP2D_MANIFOLD_POINT_MAX];
	cr_expect_eq(wp2d_contact(NULL, &batch, NULL, &results, NULL), WP_ERROR_NULL_WORKSPACE);
	cr_expect_eq(wp2d_contact(workspace, NULL, NULL, &results, NULL), WP_ERROR_NULL_BATCH);
	cr_expect_eq(wp2d_contact(workspace, &batch, NULL, NULL, NULL), WP_ERROR_NULL_RESULTS);
	cr_expect_eq(wp2d_contact(workspace, &batch, &(wp_contact_options){.max_separation = -1}, &results, NULL),
		WP_ERROR_MAX_SEPARATION);
	cr_expect_eq(wp2d_contact(workspace, &batch, &(wp_contact_options){.max_separation = NAN}, &results, NULL),
		WP_ERROR_MAX_SEPARATION);
	memcpy(copy, workspace, sizeof copy);
	cr_expect_eq(wp2d_contact((wp_workspace *)(void *)copy, &batch, NULL, &results, NULL), WP_ERROR_WORKSPACE_INVALID);
	const wp2d_manifolds manifolds[3] = {
		{.count = {&count}}, {.points = {points}}, {.count = {&count}, .points = {points}}};
	for (int i = 0; i < 2; i++)
		cr_expect_eq(wp2d_contact_manifold(workspace, &batch, NULL, &results, &manifolds[i], NULL),
			i == 0 ? WP_ERROR_NULL_MANIFOLDS_POINTS : WP_ERROR_NULL_MANIFOLDS_COUNT);
	cr_expect_eq(wp2d_contact_manifold(workspace, &batch, NULL, &results, NULL, NULL), WP_ERROR_NULL_MANIFOLDS);
	cr_expect_eq(wp2d_contact_manifold(workspace, &batch, NULL, &results, &manifolds[2], NULL), WP_OK);
	const wp2d_manifolds three = {.count = {&count}, .points = {points}, .point_max = 3};
	cr_expect_eq(wp2d_contact_manifold(workspace, &batch, NULL, &results, &three, NULL), WP_ERROR_MANIFOLDS_POINT_MAX);
	results.point_real = 2;
	cr_expect_eq(wp2d_contact(workspace, &batch, NULL, &results, NULL), WP_ERROR_RESULTS_REAL);
}

Test(api_2d, null_arguments_of_a_pair)
{
	const wp2d_shape circle = wp2d_shape_circle(1);
	wp2d_row row;
	wp2d_manifold_point points[WP2D_MANIFOLD_POINT_MAX];
	uint32_t count;
	cr_expect_eq(wp2d_overlap_pair(workspace, NULL, &origin, &circle, &origin, &row), WP_ERROR_NULL_SHAPE_A);
	cr_expect_eq(wp2d_overlap_pair(workspace, &circle, NULL, &circle, &origin, &row), WP_ERROR_NULL_POSE_A);
	cr_expect_eq(wp2d_distance_pair(workspace, &circle, &origin, NULL, &origin, &row), WP_ERROR_NULL_SHAPE_B);
	cr_expect_eq(wp2d_distance_pair(workspace, &circle, &origin, &circle, NULL, &row), WP_ERROR_NULL_POSE_B);
	cr_expect_eq(wp2d_contact_pair(workspace, &circle, &origin, &circle, &origin, NULL, NULL), WP_ERROR_NULL_ROW);
	cr_expect_eq(wp2d_contact_pair(NULL, &circle, &origin, &circle, &origin, NULL, &row), WP_ERROR_NULL_WORKSPACE);
	cr_expect_eq(wp2d_contact_pair(
					 workspace, &circle, &origin, &circle, &origin, &(wp_contact_options){.max_separation = -1}, &row),
		WP_ERROR_MAX_SEPARATION);
	cr_expect_eq(wp2d_contact_manifold_pair(workspace, &circle, &origin, &circle, &origin, NULL, &row, NULL, 0, &count),
		WP_ERROR_NULL_POINTS);
	cr_expect_eq(wp2d_contact_manifold_pair(workspace, &circle, &origin, &circle, &origin, NULL, &row, points, 0, NULL),
		WP_ERROR_NULL_COUNT);
}

/* ---- rows --------------------------------------------------------------------------------------- */

static void expect_invalid(const wp2d_row *row, uint32_t reasons)
{
	cr_expect_eq(row->status, WP_STATUS_INVALID | reasons, "status %x", row->status);
	cr_expect(isnan(row->separation) && isnan(row->lower) && isnan(row->upper));
	cr_expect(row->normal[0] == 0 && row->normal[1] == 0 && row->point_a[0] == 0 && row->point_b[1] == 0);
}

Test(api_2d, invalid_rows_leave_the_others_alone)
{
	enum { COUNT = 64 };
	const wp2d_batch batch = make_batch(0, COUNT);
	const float bad_positions[] = {NAN, INFINITY, -2e30f}, bad_lengths[] = {NAN, 0, 0.98f, 1.02f, INFINITY};
	for (int query = 0; query < QUERIES; query++) {
		run_rows(&batch, query, expected);
		for (uint32_t i = 0; i < 8; i++) {
			const wp2d_pose before = poses[2 * i + i % 2];
			wp2d_pose *const pose = &poses[2 * i + i % 2];
			if (i < 3)
				pose->position[i % 2] = bad_positions[i];
			else
				*pose = (wp2d_pose){{0, 0}, {bad_lengths[i - 3], 0}};
			run_rows(&batch, query, rows);
			*pose = before;
			const uint32_t reason = i < 3 ? WP_STATUS_INVALID_POSITION_A : WP_STATUS_INVALID_ROTATION_A;
			expect_invalid(&rows[i], reason << 4 * (i % 2));
			rows[i] = expected[i];
			cr_expect_eq(memcmp(rows, expected, sizeof rows[0] * COUNT), 0);
		}
	}
}

/* Nor do rows that no kernel answers write columns that 2D has not. */
Test(api_2d, caches_and_tangents_are_left_alone)
{
	enum { COUNT = 4 };
	const wp2d_batch batch = make_batch(0, COUNT);
	static wp_cache caches[COUNT], untouched[COUNT];
	static float tangents[COUNT][2][3], zeros[COUNT][2][3];
	wp2d_results results = wp2d_results_of_rows(rows);
	results.cache.data = caches;
	results.tangent_1.data = tangents[0][0];
	results.tangent_2.data = tangents[0][1];
	memset(caches, 0x5a, sizeof caches);
	memset(untouched, 0x5a, sizeof untouched);
	poses[2].position[0] = NAN;
	for (int query = 0; query < QUERIES; query++)
		cr_assert_eq(run(&batch, query, &results, NULL), WP_OK);
	cr_assert(rows[1].status & WP_STATUS_INVALID);
	cr_assert_eq(memcmp(caches, untouched, sizeof caches), 0);
	cr_assert_eq(memcmp(tangents, zeros, sizeof tangents), 0);
}

Test(api_2d, bodies_and_shapes_out_of_range)
{
	wp2d_batch batch = make_batch(0, 3);
	uint32_t shape_of[6] = {0, 1, 2, 3, 2 * PAIRS, 5};
	batch.a.shape.data = shape_of;
	batch.a.count = 5;
	run_rows(&batch, CONTACT, rows);
	cr_expect_eq(rows[0].status & WP_STATUS_INVALID, 0);
	expect_invalid(&rows[2], WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_BODY_B);
	wp2d_row row;
	const wp2d_shape circle = wp2d_shape_circle(1), none = wp2d_shape_circle(-1);
	const wp2d_pose nowhere = {{0, NAN}, {1, 0}};
	cr_assert_eq(wp2d_contact_pair(workspace, &circle, &origin, &none, &nowhere, NULL, &row), WP_OK);
	expect_invalid(&row, WP_STATUS_INVALID_SHAPE_B | WP_STATUS_INVALID_POSITION_B);
}

/* Bits depend on nothing but the pair: sizes of batches, places in them, ranges, and one pair alone. */
static void check_places(wp_variant variant)
{
	static const size_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 1000};
	for (int query = 0; query < QUERIES; query++) {
		workspace = workspace_of(WP_VARIANT_SCALAR);
		const wp2d_batch all = make_batch(0, PAIRS);
		run_rows(&all, query, expected);
		workspace = workspace_of(variant);
		run_rows(&all, query, rows);
		cr_assert_eq(memcmp(expected, rows, sizeof rows), 0, "%s differs", wp_variant_name(variant));
		for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
			const size_t first = 13 * i, end = first + counts[i];
			const wp2d_batch part = make_batch(first, counts[i]);
			memset(rows, 0x33, sizeof rows[0] * (end + 1));
			run_rows(&part, query, rows);
			cr_expect_eq(memcmp(rows + first, expected + first, counts[i] * sizeof rows[0]), 0);
			cr_expect(rows[end].status == 0x33333333 && (first == 0 || rows[first - 1].status == 0x33333333),
				"rows outside of the range are left alone");
		}
	}
}

Test(api_2d, bits_do_not_depend_on_the_place)
{
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++)
		if (wp_variant_available((wp_variant)v) == WP_OK)
			check_places((wp_variant)v);
}

Test(api_2d, one_pair_has_the_bits_of_the_batch)
{
	const wp2d_batch all = make_batch(0, PAIRS);
	for (int query = 0; query < QUERIES; query++) {
		run_rows(&all, query, expected);
		for (uint32_t i = 0; i < PAIRS; i += 7) {
			const wp2d_shape *const a = &shapes[2 * i], *const b = &shapes[2 * i + 1];
			const wp2d_pose *const pose_a = &poses[2 * i], *const pose_b = &poses[2 * i + 1];
			const wp_error error = query == OVERLAP  ? wp2d_overlap_pair(workspace, a, pose_a, b, pose_b, &rows[i])
			                     : query == DISTANCE ? wp2d_distance_pair(workspace, a, pose_a, b, pose_b, &rows[i])
			                                         : wp2d_contact_pair(workspace, a, pose_a, b, pose_b,
														   &(wp_contact_options){.max_separation = INFINITY}, &rows[i]);
			cr_assert_eq(error, WP_OK);
			cr_assert_eq(memcmp(&rows[i], &expected[i], sizeof rows[i]), 0, "pair %u", i);
		}
	}
}

/* ---- outputs ------------------------------------------------------------------------------------ */

/* Every output of a row somewhere in a struct, each in its turn missing. */
typedef struct scattered {
	uint8_t overlap, gap_1[3];
	float separation, normal[2], gap_2;
	double point_a[2], point_b[2];
	float lower, upper, local_a[2], local_b[2];
	uint32_t status, iterations;
} scattered;

typedef struct field {
	size_t offset, size;
} field;

#define FIELD(name)                                               \
	{                                                             \
		offsetof(scattered, name), sizeof(((scattered *)0)->name) \
	}

static const field fields[] = {FIELD(separation), FIELD(normal), FIELD(point_a), FIELD(point_b), FIELD(lower),
	FIELD(upper), FIELD(status), FIELD(iterations), FIELD(overlap), FIELD(local_a), FIELD(local_b)};

static wp2d_results results_of_scattered(scattered *s)
{
	const size_t stride = sizeof *s;
	return (wp2d_results){.separation = {&s->separation, stride},
		.normal = {s->normal, stride},
		.point_a = {s->point_a, stride},
		.point_b = {s->point_b, stride},
		.lower = {&s->lower, stride},
		.upper = {&s->upper, stride},
		.status = {&s->status, stride},
		.iterations = {&s->iterations, stride},
		.overlap = {&s->overlap, stride},
		.local_a = {s->local_a, stride},
		.local_b = {s->local_b, stride},
		.point_real = WP_REAL_DOUBLE};
}

static void **output_of(wp2d_results *r, size_t index)
{
	void **const outputs[] = {(void **)&r->separation.data, (void **)&r->normal.data, &r->point_a.data,
		&r->point_b.data, (void **)&r->lower.data, (void **)&r->upper.data, (void **)&r->status.data,
		(void **)&r->iterations.data, (void **)&r->overlap.data, (void **)&r->local_a.data, (void **)&r->local_b.data};
	return outputs[index];
}

Test(api_2d, outputs_lie_where_asked_and_any_may_be_missing)
{
	enum { COUNT = 100, FIELDS = sizeof fields / sizeof fields[0] };
	static scattered full[COUNT], part[COUNT];
	const wp2d_batch batch = make_batch(0, COUNT);
	for (int query = 0; query < QUERIES; query++) {
		wp2d_results results = results_of_scattered(full);
		cr_assert_eq(run(&batch, query, &results, NULL), WP_OK);
		run_rows(&batch, query, expected);
		for (size_t i = 0; i < COUNT; i++) {
			cr_expect_eq(memcmp(&full[i].separation, &expected[i].separation, 12), 0);
			cr_expect_eq((float)full[i].point_b[1], expected[i].point_b[1]);
			cr_expect_eq(full[i].status, expected[i].status);
			cr_expect_eq(full[i].overlap, !(expected[i].status & WP_STATUS_SEPARATED));
		}
		for (size_t missing = 0; missing < FIELDS; missing++) {
			memset(part, 0x77, sizeof part);
			results = results_of_scattered(part);
			*output_of(&results, missing) = NULL;
			cr_assert_eq(run(&batch, query, &results, NULL), WP_OK);
			for (size_t i = 0; i < COUNT; i++)
				for (size_t k = 0; k < FIELDS; k++) {
					const unsigned char *const at = (const unsigned char *)&part[i] + fields[k].offset;
					const unsigned char *const there = (const unsigned char *)&full[i] + fields[k].offset;
					cr_expect(k == missing ? at[0] == 0x77 : memcmp(at, there, fields[k].size) == 0);
				}
		}
	}
	const wp2d_results nothing = wp2d_results_of_rows(NULL);
	cr_expect_eq(run(&batch, CONTACT, &nothing, NULL), WP_OK);
}

Test(api_2d, packed_arrays_are_the_default)
{
	enum { COUNT = 50 };
	static float positions[2 * COUNT][2], rotations[2 * COUNT][2], separation[COUNT], points[COUNT][2];
	static uint32_t first[COUNT], second[COUNT];
	for (uint32_t i = 0; i < 2 * COUNT; i++) {
		memcpy(positions[i], poses[i].position, sizeof positions[i]);
		memcpy(rotations[i], poses[i].rotation, sizeof rotations[i]);
		first[i / 2] = i - i % 2;
		second[i / 2] = i - i % 2 + 1;
	}
	const wp2d_batch strided = make_batch(0, COUNT),
					 packed = {.shapes = table,
						 .pair_a = {first},
						 .pair_b = {second},
						 .count = COUNT,
						 .a = {.position = {positions}, .rotation = {rotations[0]}, .count = 2 * COUNT}};
	const wp2d_results results = {.separation = {separation}, .point_a = {points}};
	run_rows(&strided, CONTACT, expected);
	cr_assert_eq(run(&packed, CONTACT, &results, NULL), WP_OK);
	for (size_t i = 0; i < COUNT; i++) {
		cr_expect_eq(separation[i], expected[i].separation);
		cr_expect_eq(memcmp(points[i], expected[i].point_a, sizeof points[i]), 0);
	}
}

Test(api_2d, two_body_arrays_and_no_pairs)
{
	enum { COUNT = 40 };
	uint32_t even[COUNT], odd[COUNT];
	wp2d_batch batch = make_batch(0, COUNT), views = batch;
	for (uint32_t i = 0; i < COUNT; i++) {
		even[i] = 2 * i;
		odd[i] = 2 * i + 1;
	}
	views.pair_a.data = views.pair_b.data = NULL;
	views.a.position.stride = views.a.rotation.stride = 2 * sizeof(wp2d_pose);
	views.a.count = COUNT;
	views.b = views.a;
	views.b.position.data = poses[1].position;
	views.b.rotation.data = poses[1].rotation;
	views.a.shape.data = even;
	views.b.shape.data = odd;
	run_rows(&batch, CONTACT, expected);
	run_rows(&views, CONTACT, rows);
	cr_expect_eq(memcmp(expected, rows, COUNT * sizeof rows[0]), 0);
}

Test(api_2d, double_positions_keep_what_floats_lose)
{
	enum { COUNT = 200 };
	static double positions[2 * COUNT][2], points[COUNT][2];
	static float local[2][COUNT][2];
	wp2d_batch batch = make_batch(0, COUNT);
	run_rows(&batch, CONTACT, expected);
	for (int far = 0; far < 2; far++) {
		for (uint32_t i = 0; i < 2 * COUNT; i++)
			for (int k = 0; k < 2; k++)
				positions[i][k] = (double)poses[i].position[k] +
				                  (far && random_pairs[i / 2].scenario == GEN_2D_GRID ? 0x1p40 : 0);
		batch.a.position.data = positions;
		batch.a.position.stride = 0;
		batch.a.position_real = WP_REAL_DOUBLE;
		wp2d_results results = wp2d_results_of_rows(rows);
		results.point_a.data = points;
		results.point_a.stride = 0;
		results.point_real = WP_REAL_DOUBLE;
		results.point_b.data = NULL;
		results.local_a.data = local[far][0];
		cr_assert_eq(run(&batch, CONTACT, &results, NULL), WP_OK);
		for (uint32_t i = 0; i < COUNT; i++) {
			/* Whole numbers lose nothing on their way, so all that is relative has the same bits. */
			cr_expect_eq(rows[i].separation, expected[i].separation);
			cr_expect_eq(memcmp(rows[i].normal, expected[i].normal, sizeof rows[i].normal), 0);
			cr_expect_eq(memcmp(local[far][i], local[0][i], sizeof local[far][i]), 0);
			if (!far)
				cr_expect_eq((float)points[i][0], expected[i].point_a[0]);
		}
	}
}

/* As many as coordinates allow: whatever the positions are, the way from one to the other is beyond what kernels take. */
Test(api_2d, positions_further_apart_than_positions_may_be)
{
	static const float square[4][2] = {{-1e29f, -1e29f}, {1e29f, -1e29f}, {1e29f, 1e29f}, {-1e29f, 1e29f}};
	const wp2d_shape kinds[] = {
		wp2d_shape_circle(0.25e30f), wp2d_shape_capsule(1e28f, 1e29f), wp2d_shape_polygon(square[0], 4)};
	static const wp2d_pose at[2] = {{{-0.6e30f, 0.1e30f}, {1, 0}}, {{0.6e30f, -0.2e30f}, {0.8f, 0.6f}}};
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	static const uint32_t shape_of[2] = {0, 1};
	double doubles[2][2];
	for (int i = 0; i < 4; i++)
		doubles[i / 2][i % 2] = (double)at[i / 2].position[i % 2];
	for (int kind = 0; kind < 9; kind++) {
		const wp2d_shape two[2] = {kinds[kind / 3], kinds[kind % 3]};
		wp2d_row row[2];
		wp2d_batch batch = {.a = {.position = {at[0].position, sizeof at[0]},
								.rotation = {at[0].rotation, sizeof at[0]},
								.shape = {shape_of, 0},
								.count = 2},
			.pair_a = {&shape_of[0], 0},
			.pair_b = {&shape_of[1], 0},
			.count = 1};
		cr_assert_eq(wp2d_shape_table_build(two, 2, memory, sizeof memory, &batch.shapes, NULL), WP_OK);
		for (int real = 0; real < 2; real++) {
			const wp2d_results results = wp2d_results_of_rows(&row[real]);
			cr_assert_eq(
				wp2d_contact(workspace, &batch, &(wp_contact_options){.max_separation = INFINITY}, &results, NULL),
				WP_OK);
			batch.a.position = (wp_const_real_column){doubles, 0};
			batch.a.position_real = WP_REAL_DOUBLE;
		}
		cr_expect_eq(memcmp(&row[0], &row[1], sizeof row[0]), 0, "kinds %d: %a %a, %x %x", kind,
			(double)row[0].separation, (double)row[1].separation, row[0].status, row[1].status);
	}
}

Test(api_2d, statistics_are_sums_over_rows)
{
	wp2d_batch batch = make_batch(0, 1000);
	const wp2d_results results = wp2d_results_of_rows(rows);
	wp_statistics s = {0};
	batch.a.count = 1998; /* the last row has no bodies */
	cr_assert_eq(run(&batch, CONTACT, &results, &s), WP_OK);
	cr_assert_eq(run(&batch, CONTACT, &results, &s), WP_OK);
	uint64_t separated = 0, strong = 0, steps = 0;
	for (int i = 0; i < 1000; i++) {
		separated += (rows[i].status & WP_STATUS_SEPARATED) != 0;
		strong += (rows[i].status & WP_STATUS_STRONG) != 0;
		steps += rows[i].iterations;
	}
	cr_expect_eq(s.rows, 2000);
	cr_expect_eq(s.separated, 2 * separated);
	cr_expect_eq(s.strong, 2 * strong);
	cr_expect_eq(s.gjk_iterations, 2 * steps);
	cr_expect_eq(s.invalid, 2);
	cr_expect_eq(s.first_invalid_row, 999);
	cr_expect_eq(s.separated + s.touching + s.penetrating + s.invalid, s.rows);
	cr_expect(s.lanes_live > 0 && s.lanes_live <= s.lanes_issued);
}

Test(api_2d, manifolds_lie_where_asked)
{
	enum { COUNT = 500 };
	typedef struct contact {
		wp2d_manifold_point points[WP2D_MANIFOLD_POINT_MAX];
		uint32_t count, gap;
	} contact;
	static contact strided[COUNT];
	static wp2d_manifold_point points[COUNT][WP2D_MANIFOLD_POINT_MAX];
	static uint32_t counts[COUNT];
	const wp2d_batch batch = make_batch(0, COUNT);
	const wp2d_results results = wp2d_results_of_rows(rows);
	memset(strided, 0x44, sizeof strided);
	const wp2d_manifolds packed = {.count = {counts}, .points = {points[0]}};
	const wp2d_manifolds apart = {
		.count = {&strided[0].count, sizeof(contact)}, .points = {strided[0].points, sizeof(contact)}};
	cr_assert_eq(wp2d_contact_manifold(
					 workspace, &batch, &(wp_contact_options){.max_separation = 0.5f}, &results, &packed, NULL),
		WP_OK);
	cr_assert_eq(wp2d_contact(workspace, &batch, &(wp_contact_options){.max_separation = 0.5f},
					 &(wp2d_results){.separation = {&expected[0].separation, sizeof expected[0]}}, NULL),
		WP_OK);
	cr_assert_eq(
		wp2d_contact_manifold(workspace, &batch, &(wp_contact_options){.max_separation = 0.5f}, &results, &apart, NULL),
		WP_OK);
	uint32_t pairs_of_points = 0;
	for (int i = 0; i < COUNT; i++) {
		cr_expect_eq(counts[i], strided[i].count);
		cr_expect_eq(strided[i].gap, 0x44444444);
		cr_expect_eq(
			rows[i].separation, expected[i].separation, "a contact with a manifold has the bits of one without");
		cr_expect_eq(memcmp(points[i], strided[i].points, counts[i] * sizeof points[i][0]), 0);
		if (counts[i] < WP2D_MANIFOLD_POINT_MAX)
			cr_expect_eq(strided[i].points[1].feature_a, 0x44444444, "what a row does not use is left alone");
		pairs_of_points += counts[i] == 2;
	}
	cr_expect_gt(pairs_of_points, 20);
}

/* Manifolds of a batch. */
typedef struct manifold_rows {
	wp2d_manifold_point points[PAIRS][WP2D_MANIFOLD_POINT_MAX];
	uint32_t counts[PAIRS];
} manifold_rows;

static void run_manifolds_of(const wp2d_batch *batch, uint32_t point_max, manifold_rows *to)
{
	const wp2d_results results = wp2d_results_of_rows(rows);
	const wp2d_manifolds manifolds = {
		.count = {to->counts}, .points = {to->points[0], sizeof to->points[0]}, .point_max = point_max};
	memset(to, 0, sizeof *to);
	cr_assert_eq(wp2d_contact_manifold(
					 workspace, batch, &(wp_contact_options){.max_separation = 0.5f}, &results, &manifolds, NULL),
		WP_OK);
}

static void run_manifolds(const wp2d_batch *batch, manifold_rows *to) { run_manifolds_of(batch, 0, to); }

/* One point of two is the deeper one, in a batch and for a pair; what a row does not use is left alone. */
Test(api_2d, manifolds_of_one_point)
{
	static manifold_rows two, one;
	uint32_t reduced = 0;
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		workspace = workspace_of((wp_variant)v);
		const wp2d_batch whole = make_batch(0, PAIRS);
		run_manifolds_of(&whole, 2, &two);
		run_manifolds_of(&whole, 1, &one);
		for (uint32_t i = 0; i < PAIRS; i++) {
			const wp2d_manifold_point *const p = two.points[i], none = {.separation = 0};
			const uint32_t deeper = two.counts[i] == 2 && p[1].separation < p[0].separation;
			wp2d_manifold_point point;
			uint32_t count;
			wp2d_row row;
			cr_assert_eq(one.counts[i], two.counts[i] > 1 ? 1 : two.counts[i], "pair %u", i);
			cr_assert_eq(memcmp(&one.points[i][0], &p[deeper], one.counts[i] * sizeof *p), 0, "pair %u", i);
			cr_assert_eq(memcmp(&one.points[i][1], &none, sizeof none), 0, "pair %u", i);
			cr_assert_eq(wp2d_contact_manifold_pair(workspace, &shapes[2 * i], &poses[2 * i], &shapes[2 * i + 1],
							 &poses[2 * i + 1], &(wp_contact_options){.max_separation = 0.5f}, &row, &point, 1, &count),
				WP_OK);
			cr_assert_eq(count, one.counts[i], "pair %u", i);
			cr_assert_eq(memcmp(&point, &one.points[i][0], count * sizeof point), 0, "pair %u", i);
			reduced += deeper;
		}
	}
	cr_assert_gt(reduced, 20);
}

Test(api_2d, manifolds_of_one_pair_have_the_bits_of_the_batch)
{
	static manifold_rows all, part;
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		workspace = workspace_of((wp_variant)v);
		const wp2d_batch whole = make_batch(0, PAIRS), range = make_batch(13, 33);
		run_manifolds(&range, &part);
		run_manifolds(&whole, &all);
		cr_expect_eq(memcmp(part.points[13], all.points[13], 33 * sizeof all.points[0]), 0);
		cr_expect_eq(memcmp(part.counts + 13, all.counts + 13, 33 * sizeof all.counts[0]), 0);
		for (uint32_t i = 0; i < PAIRS; i += 7) {
			wp2d_manifold_point points[WP2D_MANIFOLD_POINT_MAX];
			uint32_t count;
			wp2d_row row;
			cr_assert_eq(wp2d_contact_manifold_pair(workspace, &shapes[2 * i], &poses[2 * i], &shapes[2 * i + 1],
							 &poses[2 * i + 1], &(wp_contact_options){.max_separation = 0.5f}, &row, points, 0, &count),
				WP_OK);
			cr_expect_eq(count, all.counts[i], "pair %u", i);
			cr_expect_eq(memcmp(points, all.points[i], count * sizeof points[0]), 0, "pair %u", i);
			cr_expect_eq(memcmp(&row, &rows[i], sizeof row), 0, "pair %u", i);
		}
	}
}

/* Positions in double that are floats: the bits are the same but for the last digit of points in the world. Rows that are
 * invalid have no points. */
Test(api_2d, manifolds_of_double_positions)
{
	enum { BAD = 300 };
	static manifold_rows floats, doubles;
	static double positions[2 * PAIRS][2];
	wp2d_batch batch = make_batch(0, PAIRS);
	run_manifolds(&batch, &floats);
	cr_assert_gt(floats.counts[BAD], 0);
	for (uint32_t i = 0; i < 2 * PAIRS; i++)
		for (int k = 0; k < 2; k++)
			positions[i][k] = (double)poses[i].position[k];
	positions[2 * BAD][1] = (double)NAN;
	batch.a.position.data = positions;
	batch.a.position.stride = 0;
	batch.a.position_real = WP_REAL_DOUBLE;
	run_manifolds(&batch, &doubles);
	cr_expect_eq(doubles.counts[BAD], 0);
	cr_expect_eq(rows[BAD].status, WP_STATUS_INVALID | WP_STATUS_INVALID_POSITION_A);
	for (uint32_t i = 0; i < PAIRS; i++) {
		if (i == BAD)
			continue;
		cr_assert_eq(doubles.counts[i], floats.counts[i]);
		for (uint32_t k = 0; k < doubles.counts[i]; k++) {
			const wp2d_manifold_point *const p = &floats.points[i][k], *const q = &doubles.points[i][k];
			const size_t rest = sizeof *p - offsetof(wp2d_manifold_point, local_a);
			cr_expect_eq(memcmp(p->local_a, q->local_a, rest), 0, "pair %u", i);
			for (int x = 0; x < 2; x++) {
				cr_expect_float_eq(p->point_a[x], q->point_a[x], 1.2e-7 * fabs((double)p->point_a[x]));
				cr_expect_float_eq(p->point_b[x], q->point_b[x], 1.2e-7 * fabs((double)p->point_b[x]));
			}
		}
	}
}

/* ---- runs of circles ---------------------------------------------------------------------------- */

enum { ROUND_BODIES = 600, ROUND_ROWS = 2000, ROUND_SHAPES = 8 };

/* Bodies that are circles but for a few, and the answers of a call for their pairs. */
typedef struct round_rows {
	wp2d_row row[ROUND_ROWS];
	float local[2][ROUND_ROWS][2];
	wp2d_manifold_point points[ROUND_ROWS][WP2D_MANIFOLD_POINT_MAX];
	uint32_t counts[ROUND_ROWS];
} round_rows;

static struct {
	wp2d_shape shapes[ROUND_BODIES]; /* of bodies, where they have no shape of their own */
	wp2d_pose poses[ROUND_BODIES];
	float positions[ROUND_BODIES][2], rotations[ROUND_BODIES][2];
	double doubles[ROUND_BODIES][2];
	uint32_t shape_of[ROUND_BODIES], pairs[ROUND_ROWS][2];
} round_bodies;

/* One body in `odd` is no circle or has an invalid shape, and as many pairs name no body. */
static void make_round_bodies(uint32_t odd)
{
	gen_random random;
	gen_seed(&random, odd);
	for (uint32_t i = 0; i < ROUND_BODIES; i++) {
		const float angle = (float)gen_range(&random, 0.0, 6.0);
		wp2d_pose *const pose = &round_bodies.poses[i];
		*pose = (wp2d_pose){
			{(float)gen_range(&random, 0.0, 9.0), (float)gen_range(&random, 0.0, 9.0)}, {cosf(angle), sinf(angle)}};
		memcpy(round_bodies.positions[i], pose->position, sizeof pose->position);
		memcpy(round_bodies.rotations[i], pose->rotation, sizeof pose->rotation);
		for (int x = 0; x < 2; x++)
			round_bodies.doubles[i][x] = (double)pose->position[x];
		round_bodies.shape_of[i] = gen_below(&random, ROUND_SHAPES);
		round_bodies.shapes[i] = wp2d_shape_circle(0.25f * (float)gen_below(&random, 8));
		if (gen_below(&random, odd) == 0)
			round_bodies.shapes[i] = i % 2 ? wp2d_shape_circle(-1) : wp2d_shape_capsule(0.5f, 1);
	}
	for (uint32_t i = 0; i < ROUND_ROWS; i++)
		for (int k = 0; k < 2; k++)
			round_bodies.pairs[i][k] = gen_below(&random, odd) == 0 ? UINT32_MAX
			                                                        : gen_below(&random, (uint32_t)ROUND_BODIES);
}

static void run_round(const wp2d_batch *batch, bool all_have_points, round_rows *to)
{
	const wp_contact_options options = {.max_separation = all_have_points ? INFINITY : 0.5f};
	const wp2d_manifolds manifolds = {.count = {to->counts, 0}, .points = {to->points[0], 0}};
	wp2d_results results = wp2d_results_of_rows(to->row);
	if (!all_have_points) {
		results.local_a.data = to->local[0][0];
		results.local_b.data = to->local[1][0];
	}
	cr_assert_eq(wp2d_contact_manifold(workspace, batch, &options, &results, &manifolds, NULL), WP_OK);
}

/* All rows in one call, and each in a call of its own; points that no count counts stay zero. */
static void check_round_rows(const wp2d_batch *batch, bool all_have_points, const char *name)
{
	static round_rows all, alone;
	memset(&all, 0, sizeof all);
	memset(&alone, 0, sizeof alone);
	run_round(batch, all_have_points, &all);
	for (size_t row = 0; row < batch->count; row++) {
		wp2d_batch one = *batch;
		one.first = row;
		one.count = 1;
		run_round(&one, all_have_points, &alone);
		cr_assert_eq(memcmp(&all.row[row], &alone.row[row], sizeof all.row[0]), 0, "%s, row %zu", name, row);
		cr_assert_eq(all.counts[row], alone.counts[row], "%s, row %zu", name, row);
	}
	cr_expect_eq(memcmp(&all, &alone, sizeof all), 0, "%s", name);
}

/* Blocks whose pairs all have a point are written by the kernels. */
static void check_round(const wp2d_batch *batch, const char *name)
{
	check_round_rows(batch, false, name);
	check_round_rows(batch, true, name);
}

/* Runs of circles are read column by column: wherever a run ends, and however poses, shapes and pairs lie, each row is what
 * it is alone. */
static void check_layouts(const wp2d_shape_table *made)
{
	wp2d_batch batch = {.shapes = made,
		.count = ROUND_ROWS,
		.a = {.position = {round_bodies.poses[0].position, sizeof(wp2d_pose)},
			.rotation = {round_bodies.poses[0].rotation, sizeof(wp2d_pose)},
			.count = ROUND_BODIES},
		.pair_a = {&round_bodies.pairs[0][0], sizeof round_bodies.pairs[0]},
		.pair_b = {&round_bodies.pairs[0][1], sizeof round_bodies.pairs[0]}};
	check_round(&batch, "poses");
	batch.a.shape.data = round_bodies.shape_of;
	check_round(&batch, "poses and shapes");
	batch.a.position = (wp_const_real_column){round_bodies.positions, 0};
	batch.a.rotation = (wp_const_float_column){round_bodies.rotations[0], 0};
	check_round(&batch, "arrays and shapes");
	batch.a.shape.data = NULL;
	check_round(&batch, "arrays");
	batch.b = batch.a;
	batch.b.position.data = round_bodies.positions[1];
	batch.b.count = ROUND_BODIES - 1;
	batch.count = ROUND_BODIES + 1;
	batch.pair_a.data = batch.pair_b.data = NULL;
	check_round(&batch, "no pairs");
	batch.a.position.data = round_bodies.doubles;
	batch.b.position.data = round_bodies.doubles[1];
	batch.a.position_real = batch.b.position_real = WP_REAL_DOUBLE;
	check_round(&batch, "doubles");
}

Test(api_2d, runs_of_circles_end_anywhere)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 18];
	const uint32_t odds[] = {2, 9, 70, 100000};
	for (size_t i = 0; i < sizeof odds / sizeof odds[0]; i++) {
		const wp2d_shape_table *made;
		wp_shape_report report;
		make_round_bodies(odds[i]);
		const wp_error error = wp2d_shape_table_build(
			round_bodies.shapes, ROUND_BODIES, memory, sizeof memory, &made, &report);
		cr_assert_eq(error, WP_OK);
		for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
			if (wp_variant_available((wp_variant)v) != WP_OK)
				continue;
			workspace = workspace_of((wp_variant)v);
			check_layouts(made);
		}
	}
}
