/* The public calls: every documented error, every reason a row may be invalid, every way of laying out
 * inputs and outputs, and the caller's floating-point environment. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "support/gen.h"
#include "support/rounding.h"
#include "support/unit.h"
#include "widephase/widephase.h"

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

enum { BODIES = 64, ROWS = 700, SHAPES = 6, INVALID_SHAPE = SHAPES };

typedef enum query { OVERLAP, DISTANCE, CONTACT, QUERIES } query;

/* A scene of random bodies, as an engine might hold it. */
typedef struct body {
	uint32_t shape;
	float position[3];
	float rotation[4];
	double position_double[3];
} body;

static _Alignas(WP_ALIGNMENT) unsigned char workspace_memory[WP_WORKSPACE_SIZE];
static _Alignas(WP_ALIGNMENT) unsigned char table_memory[1 << 14];
static body bodies[BODIES];
static uint32_t pairs[ROWS][2];
static wp_workspace *workspace;
static const wp_shape_table *table;

/* A valid shape of the table. */
static wp_shape shape_of(uint32_t index)
{
	static const float a[3] = {1, 0, 0}, b[3] = {0, 1, 0.5f}, c[3] = {-0.5f, 0, 1};
	const wp_shape shapes[SHAPES] = {wp_shape_sphere(0.5f), wp_shape_box(0.5f, 0.25f, 1), wp_shape_capsule(0.25f, 0.5f),
		wp_shape_triangle(a, b, c), wp_shape_point(), wp_shape_segment(a, b)};
	return shapes[index];
}

static void make_table(void)
{
	wp_shape shapes[SHAPES + 1];
	for (uint32_t i = 0; i < SHAPES; i++)
		shapes[i] = shape_of(i);
	shapes[INVALID_SHAPE] = wp_shape_sphere(-1);
	wp_shape_report report;
	cr_assert_eq(wp_shape_table_build(shapes, SHAPES + 1, table_memory, sizeof table_memory, &table, &report), WP_OK);
	cr_assert_eq(report.first_invalid, (size_t)INVALID_SHAPE);
}

static wp_batch make_batch(void)
{
	return (wp_batch){.shapes = table,
		.a = {.position = {bodies[0].position, sizeof(body)},
			.rotation = {bodies[0].rotation, sizeof(body)},
			.shape = {&bodies[0].shape, sizeof(body)},
			.count = BODIES},
		.pair_a = {&pairs[0][0], sizeof pairs[0]},
		.pair_b = {&pairs[0][1], sizeof pairs[0]},
		.count = ROWS};
}

static wp_batch make_scene(void)
{
	gen_random random;
	gen_seed(&random, 5);
	for (int i = 0; i < BODIES; i++) {
		bodies[i].shape = gen_below(&random, SHAPES);
		gen_rotation(&random, bodies[i].rotation);
		for (int k = 0; k < 3; k++) {
			bodies[i].position[k] = (float)gen_range(&random, -1.5, 1.5);
			bodies[i].position_double[k] = (double)bodies[i].position[k];
		}
	}
	for (int i = 0; i < ROWS; i++) {
		pairs[i][0] = gen_below(&random, BODIES);
		pairs[i][1] = (pairs[i][0] + 1 + gen_below(&random, BODIES - 1)) % BODIES;
	}
	cr_assert_eq(wp_workspace_init(workspace_memory, sizeof workspace_memory, WP_VARIANT_AUTO, &workspace), WP_OK);
	make_table();
	return make_batch();
}

static wp_error run(const wp_batch *batch, query q, float max_separation, const wp_results *results, wp_statistics *s)
{
	return q == OVERLAP ? wp_overlap(workspace, batch, results, s)
	     : q == DISTANCE
	         ? wp_distance(workspace, batch, results, s)
	         : wp_contact(workspace, batch, &(wp_contact_options){.max_separation = max_separation}, results, s);
}

static void run_rows(const wp_batch *batch, query q, wp_row *rows)
{
	const wp_results results = wp_results_of_rows(rows);
	cr_assert_eq(run(batch, q, 0.1f, &results, NULL), WP_OK);
}

/* ---- errors of the call ------------------------------------------------------------------------- */

Test(api, workspace_errors)
{
	wp_workspace *made = (wp_workspace *)(void *)workspace_memory;
	const size_t size = wp_workspace_size();
	cr_assert(size <= WP_WORKSPACE_SIZE, "%zu", size);
	cr_assert_eq(wp_workspace_init(workspace_memory, size, WP_VARIANT_AUTO, NULL), WP_ERROR_NULL_WORKSPACE);
	cr_assert_eq(wp_workspace_init(NULL, size, WP_VARIANT_AUTO, &made), WP_ERROR_NULL_MEMORY);
	cr_assert_null(made);
	cr_assert_eq(wp_workspace_init(workspace_memory + 4, size, WP_VARIANT_AUTO, &made), WP_ERROR_MEMORY_MISALIGNED);
	cr_assert_eq(wp_workspace_init(workspace_memory, size - 1, WP_VARIANT_AUTO, &made), WP_ERROR_MEMORY_TOO_SMALL);
	cr_assert_eq(wp_workspace_init(workspace_memory, size, WP_VARIANT_COUNT, &made), WP_ERROR_VARIANT_UNKNOWN);
	cr_assert_eq(wp_workspace_init(workspace_memory, size, (wp_variant)99, &made), WP_ERROR_VARIANT_UNKNOWN);
	cr_assert_null(made);
	cr_assert_eq(wp_workspace_init(workspace_memory, size, WP_VARIANT_AUTO, &made), WP_OK);
	cr_assert_eq(wp_workspace_variant(made), wp_variant_best());
	cr_assert_eq(wp_workspace_variant(NULL), WP_VARIANT_AUTO);
}

/* Headers of all patch releases of this series are known, headers of later series and what is no version are not. */
Test(api, headers_of_another_version_are_refused)
{
	static const struct {
		uint32_t version;
		wp_error error;
	} cases[] = {{WP_VERSION_NUMBER, WP_OK}, {WP_VERSION_NUMBER / 100 * 100, WP_OK},
		{WP_VERSION_NUMBER / 100 * 100 + 99, WP_OK}, {WP_VERSION_NUMBER / 100 * 100 + 100, WP_ERROR_VERSION},
		{WP_VERSION_NUMBER + 10000, WP_ERROR_VERSION}, {UINT32_MAX, WP_ERROR_VERSION}, {99, WP_ERROR_VERSION},
		{0, WP_ERROR_VERSION}};
	const wp_shape balls[2] = {wp_shape_sphere(1), wp_shape_sphere(2)};
	static const float positions[2][3] = {{0, 0, 0}, {4, 0, 0}}, rotations[2][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
	static const uint32_t one = 1;
	const wp_batch batch = {
		.a = {.position.data = positions, .rotation.data = rotations[0], .count = 2}, .pair_b.data = &one, .count = 1};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		wp_workspace *made = (wp_workspace *)(void *)workspace_memory;
		const wp_error error = wp_workspace_init_of(
			workspace_memory, sizeof workspace_memory, WP_VARIANT_AUTO, cases[i].version, &made);
		cr_expect_eq(error, cases[i].error, "version %u: %s", cases[i].version, wp_error_text(error));
		cr_expect_eq(made != NULL, error == WP_OK);
		wp_reference_row row = {.separation = 7};
		cr_expect_eq(wp_reference_contact_of(&batch, balls, 2, cases[i].version, &row), cases[i].error);
		cr_expect_eq(row.separation, error == WP_OK ? 1 : 7, "%a", row.separation);
	}
	cr_expect_eq(wp_version_number(), (uint32_t)WP_VERSION_NUMBER);
}

/* A copy points at the scratch of the workspace it was made from. */
Test(api, a_workspace_that_was_moved_is_refused)
{
	static _Alignas(WP_ALIGNMENT) unsigned char elsewhere[WP_WORKSPACE_SIZE];
	wp_batch batch = make_scene();
	static wp_row rows[ROWS];
	const wp_results results = wp_results_of_rows(rows);
	memcpy(elsewhere, workspace, wp_workspace_size());
	wp_workspace *const moved = (wp_workspace *)(void *)elsewhere;
	cr_assert_eq(wp_contact(moved, &batch, &(wp_contact_options){.max_separation = 1}, &results, NULL),
		WP_ERROR_WORKSPACE_INVALID);
	cr_assert_eq(wp_workspace_variant(moved), WP_VARIANT_AUTO);
}

Test(api, variants_of_other_machines_are_refused)
{
	wp_workspace *made;
	int refused = 0;
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		const wp_error available = wp_variant_available((wp_variant)v);
		cr_assert_eq(wp_workspace_init(workspace_memory, sizeof workspace_memory, (wp_variant)v, &made), available);
		cr_assert_eq(made != NULL, available == WP_OK);
		refused += available == WP_ERROR_VARIANT_NOT_BUILT || available == WP_ERROR_VARIANT_NOT_SUPPORTED;
	}
	cr_assert(refused > 0, "no machine runs x86, ARM and WebAssembly code");
}

Test(api, null_arguments)
{
	const wp_batch batch = make_scene();
	static wp_row rows[ROWS];
	const wp_results results = wp_results_of_rows(rows);
	for (query q = OVERLAP; q < QUERIES; q++) {
		wp_workspace *const kept = workspace;
		workspace = NULL;
		cr_assert_eq(run(&batch, q, 0, &results, NULL), WP_ERROR_NULL_WORKSPACE);
		workspace = kept;
		cr_assert_eq(run(NULL, q, 0, &results, NULL), WP_ERROR_NULL_BATCH);
		cr_assert_eq(run(&batch, q, 0, NULL, NULL), WP_ERROR_NULL_RESULTS);
		wp_batch shapeless = batch;
		shapeless.shapes = NULL;
		cr_assert_eq(run(&shapeless, q, 0, &results, NULL), WP_ERROR_NULL_BATCH_SHAPES);
		shapeless.count = 0;
		cr_assert_eq(run(&shapeless, q, 0, &results, NULL), WP_OK, "no row asks for shapes");
	}
}

Test(api, null_arguments_of_a_pair)
{
	make_scene();
	const wp_shape shape = wp_shape_sphere(1);
	const wp_pose pose = {.rotation = {0, 0, 0, 1}};
	wp_row row;
	static const wp_error expected[6] = {WP_ERROR_NULL_WORKSPACE, WP_ERROR_NULL_SHAPE_A, WP_ERROR_NULL_POSE_A,
		WP_ERROR_NULL_SHAPE_B, WP_ERROR_NULL_POSE_B, WP_ERROR_NULL_ROW};
	for (int missing = 0; missing < 6; missing++) {
		wp_workspace *w = missing == 0 ? NULL : workspace;
		const wp_shape *a = missing == 1 ? NULL : &shape, *b = missing == 3 ? NULL : &shape;
		const wp_pose *pa = missing == 2 ? NULL : &pose, *pb = missing == 4 ? NULL : &pose;
		wp_row *out = missing == 5 ? NULL : &row;
		cr_assert_eq(wp_overlap_pair(w, a, pa, b, pb, out), expected[missing], "%d", missing);
		cr_assert_eq(wp_distance_pair(w, a, pa, b, pb, out), expected[missing], "%d", missing);
		cr_assert_eq(wp_contact_pair(w, a, pa, b, pb, &(wp_contact_options){.max_separation = 1}, out),
			expected[missing], "%d", missing);
	}
	cr_assert_eq(
		wp_contact_pair(workspace, &shape, &pose, &shape, &pose, &(wp_contact_options){.max_separation = -1}, &row),
		WP_ERROR_MAX_SEPARATION);
}

/* A change to a good batch, and the error it must give. */
static void check_error(wp_batch batch, wp_error expected)
{
	static wp_row rows[ROWS];
	memset(rows, 0x5a, sizeof rows);
	const wp_results results = wp_results_of_rows(rows);
	for (query q = OVERLAP; q < QUERIES; q++)
		cr_assert_eq(run(&batch, q, 0, &results, NULL), expected, "%s", wp_error_text(expected));
	for (size_t i = 0; i < sizeof rows; i++)
		cr_assert_eq(((unsigned char *)rows)[i], 0x5a, "a refused call writes nothing");
}

Test(api, batch_errors)
{
	const wp_batch good = make_scene();
	wp_batch batch = good;
	batch.a.position.data = NULL;
	check_error(batch, WP_ERROR_BODIES_A_POSITION);
	batch = good;
	batch.a.rotation.data = NULL;
	check_error(batch, WP_ERROR_BODIES_A_ROTATION);
	batch = good;
	batch.a.position_real = 2;
	check_error(batch, WP_ERROR_BODIES_A_REAL);
	batch = good;
	batch.b = good.a;
	batch.b.position.data = NULL;
	check_error(batch, WP_ERROR_BODIES_B_POSITION);
	batch.b = good.a;
	batch.b.rotation.data = NULL;
	check_error(batch, WP_ERROR_BODIES_B_ROTATION);
	batch.b = good.a;
	batch.b.position_real = WP_REAL_DOUBLE;
	check_error(batch, WP_ERROR_BODIES_B_REAL);
	batch = good;
	batch.first = SIZE_MAX - 1;
	check_error(batch, WP_ERROR_PAIR_RANGE);
	batch = good;
	batch.shapes = (const wp_shape_table *)(const void *)workspace_memory;
	check_error(batch, WP_ERROR_SHAPE_TABLE_INVALID);
	static _Alignas(WP_ALIGNMENT) unsigned char zeros[WP_WORKSPACE_SIZE];
	workspace = (wp_workspace *)(void *)zeros;
	check_error(good, WP_ERROR_WORKSPACE_INVALID);
}

Test(api, errors_of_results_and_separation)
{
	const wp_batch batch = make_scene();
	static wp_row rows[ROWS];
	wp_results results = wp_results_of_rows(rows);
	cr_assert_eq(wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = -0.001f}, &results, NULL),
		WP_ERROR_MAX_SEPARATION);
	cr_assert_eq(wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = NAN}, &results, NULL),
		WP_ERROR_MAX_SEPARATION);
	cr_assert_eq(
		wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = INFINITY}, &results, NULL), WP_OK);
	results.point_real = 7;
	for (query q = OVERLAP; q < QUERIES; q++)
		cr_assert_eq(run(&batch, q, 0, &results, NULL), WP_ERROR_RESULTS_REAL);
}

/* ---- invalid rows ------------------------------------------------------------------------------- */

static void check_invalid_row(const wp_row *row, uint32_t reason)
{
	cr_assert_eq(row->status, WP_STATUS_INVALID | reason, "status %x, not %x", row->status, WP_STATUS_INVALID | reason);
	cr_assert(isnan(row->separation) && isnan(row->lower) && isnan(row->upper));
	for (int k = 0; k < 3; k++)
		cr_assert(row->normal[k] == 0 && row->point_a[k] == 0 && row->point_b[k] == 0);
}

/* Spoil body `bad`, or the pairs themselves. Returns the reason that side A must give. */
enum { SPOILT_WAYS = 12 };
static uint32_t spoil(body *bad, int way)
{
	static const float rotations[4][4] = {{NAN, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 1.02f}, {INFINITY, 0, 0, 1}};
	switch (way) {
	case 0:
		bad->position[1] = NAN;
		return WP_STATUS_INVALID_POSITION_A;
	case 1:
		bad->position[0] = INFINITY;
		return WP_STATUS_INVALID_POSITION_A;
	case 2:
		bad->position[2] = -INFINITY;
		return WP_STATUS_INVALID_POSITION_A;
	case 3:
		bad->position[2] = 1.01e30f;
		return WP_STATUS_INVALID_POSITION_A;
	case 4:
		bad->shape = INVALID_SHAPE;
		return WP_STATUS_INVALID_SHAPE_A;
	case 5:
		bad->shape = INVALID_SHAPE + 1;
		return WP_STATUS_INVALID_SHAPE_A;
	case 6:
		bad->shape = UINT32_MAX;
		return WP_STATUS_INVALID_SHAPE_A;
	case 7:
		bad->position[0] = NAN;
		bad->rotation[3] = NAN;
		bad->shape = UINT32_MAX;
		return WP_STATUS_INVALID_POSITION_A | WP_STATUS_INVALID_ROTATION_A | WP_STATUS_INVALID_SHAPE_A;
	default:
		memcpy(bad->rotation, rotations[way - 8], sizeof bad->rotation);
		return WP_STATUS_INVALID_ROTATION_A;
	}
}

/* Rows of the spoilt body are invalid for the right reasons on the right sides; all others keep their bits. */
static void check_spoilt(const wp_batch *batch, query q, const wp_row *before, uint32_t bad, uint32_t reason)
{
	static wp_row rows[ROWS];
	const wp_results results = wp_results_of_rows(rows);
	wp_statistics s = {0};
	uint64_t invalid = 0, first = 0;
	cr_assert_eq(run(batch, q, 0.1f, &results, &s), WP_OK);
	for (uint32_t i = 0; i < ROWS; i++) {
		const bool a = pairs[i][0] == bad, b = pairs[i][1] == bad;
		if (a || b) {
			check_invalid_row(&rows[i], (a ? reason : 0) | (b ? reason << 4 : 0));
			first = invalid++ == 0 ? i : first;
		} else {
			cr_assert_eq(memcmp(&rows[i], &before[i], sizeof rows[i]), 0, "row %u", i);
		}
	}
	cr_assert_eq(s.invalid, invalid);
	cr_assert_eq(s.first_invalid_row, first);
	cr_assert_eq(s.rows, (uint64_t)ROWS);
}

Test(api, invalid_rows_leave_the_others_alone)
{
	const wp_batch batch = make_scene();
	static wp_row before[QUERIES][ROWS];
	for (query q = OVERLAP; q < QUERIES; q++)
		run_rows(&batch, q, before[q]);
	for (int way = 0; way < SPOILT_WAYS; way++) {
		const uint32_t bad = (uint32_t)(7 * way + 3) % BODIES;
		const body kept = bodies[bad];
		const uint32_t reason = spoil(&bodies[bad], way);
		for (query q = OVERLAP; q < QUERIES; q++)
			check_spoilt(&batch, q, before[q], bad, reason);
		bodies[bad] = kept;
	}
}

Test(api, bodies_out_of_range)
{
	const wp_batch batch = make_scene();
	static wp_row before[ROWS], rows[ROWS];
	run_rows(&batch, CONTACT, before);
	pairs[5][0] = BODIES;
	pairs[6][1] = UINT32_MAX;
	pairs[300][0] = pairs[300][1] = BODIES + 1;
	run_rows(&batch, CONTACT, rows);
	for (int i = 0; i < ROWS; i++)
		if (i == 5 || i == 300 || i == 6)
			check_invalid_row(
				&rows[i], (i != 6 ? WP_STATUS_INVALID_BODY_A : 0) | (i != 5 ? WP_STATUS_INVALID_BODY_B : 0));
		else
			cr_assert_eq(memcmp(&rows[i], &before[i], sizeof rows[i]), 0, "row %d", i);
}

Test(api, invalid_pair)
{
	make_scene();
	const wp_shape good = wp_shape_sphere(1), bad = wp_shape_sphere(NAN);
	const wp_pose at = {.rotation = {0, 0, 0, 1}}, nowhere = {.position = {NAN, 0, 0}, .rotation = {0, 0, 0, 1}};
	wp_row row;
	cr_assert_eq(
		wp_contact_pair(workspace, &good, &at, &bad, &nowhere, &(wp_contact_options){.max_separation = 1}, &row),
		WP_OK);
	check_invalid_row(&row, WP_STATUS_INVALID_SHAPE_B | WP_STATUS_INVALID_POSITION_B);
	cr_assert_eq(wp_distance_pair(workspace, &bad, &at, &good, &at, &row), WP_OK);
	check_invalid_row(&row, WP_STATUS_INVALID_SHAPE_A);
}

/* Pairs of a table: an index without a valid shape is the row's affair, what is no table is the call's. */
Test(api, pairs_of_a_table)
{
	make_scene();
	const wp_shape shapes[2] = {wp_shape_sphere(1), wp_shape_sphere(NAN)};
	const wp_pose at = {.rotation = {0, 0, 0, 1}}, nowhere = {.position = {NAN, 0, 0}, .rotation = {0, 0, 0, 1}};
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096], plane[4096];
	const wp_shape_table *made;
	cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &made, NULL), WP_OK);
	wp_row row;
	const wp_pair good = pair_of(made, 0, &at, 0, &at);
	cr_assert_eq(wp_contact_prepared(workspace, &good, &(wp_contact_options){.max_separation = 1}, NULL, &row), WP_OK);
	cr_assert(row.status & WP_STATUS_PENETRATING);
	const wp_pair outside = pair_of(made, 2, &at, UINT32_MAX, &at);
	cr_assert_eq(
		wp_contact_prepared(workspace, &outside, &(wp_contact_options){.max_separation = 1}, NULL, &row), WP_OK);
	check_invalid_row(&row, WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_SHAPE_B);
	const wp_pair bad = pair_of(made, 0, &nowhere, 1, &at);
	cr_assert_eq(wp_distance_prepared(workspace, &bad, NULL, &row), WP_OK);
	check_invalid_row(&row, WP_STATUS_INVALID_SHAPE_B | WP_STATUS_INVALID_POSITION_A);

	cr_assert_eq(wp_contact_prepared(workspace, &good, &(wp_contact_options){.max_separation = -1}, NULL, &row),
		WP_ERROR_MAX_SEPARATION);
	cr_assert_eq(wp_contact_prepared(workspace, &good, &(wp_contact_options){.max_separation = NAN}, NULL, &row),
		WP_ERROR_MAX_SEPARATION);
	const wp2d_shape circle = wp2d_shape_circle(1);
	const wp2d_shape_table *flat;
	cr_assert_eq(wp2d_shape_table_build(&circle, 1, plane, sizeof plane, &flat, NULL), WP_OK);
	wp_pair other = good;
	other.position_real = 2;
	cr_assert_eq(wp_overlap_prepared(workspace, &other, NULL, &row), WP_ERROR_PAIR_REAL);
	other = good;
	other.shapes = (const wp_shape_table *)(const void *)flat;
	cr_assert_eq(wp_overlap_prepared(workspace, &other, NULL, &row), WP_ERROR_SHAPE_TABLE_INVALID);
	other.shapes = (const wp_shape_table *)(const void *)(memory + 8);
	cr_assert_eq(wp_overlap_prepared(workspace, &other, NULL, &row), WP_ERROR_SHAPE_TABLE_INVALID);
}

/* No options are options of zeros: a gap is only bounded. */
/* A row is invalid while its shape is not set, and has the bits of a table built anew where it is, with any cache. */
Test(api, shapes_of_a_table_come_and_go)
{
	make_scene();
	static _Alignas(WP_ALIGNMENT) unsigned char own[1024], fresh[1024];
	const wp_shape shapes[] = {wp_shape_box(1, 1, 1), wp_shape_sphere(0.5f),
		wp_shape_triangle((float[]){0, 0, 0}, (float[]){1, 0, 0}, (float[]){0, 1, 0}), wp_shape_cone(1, 1)};
	const wp_pose at[2] = {{.rotation = {0, 0, 0, 1}}, {.position = {0.5f, 1.25f, 0.25f}, .rotation = {0, 0, 0, 1}}};
	const uint32_t shape[2] = {0, 1};
	wp_shape_table *changed;
	wp_row row, other;
	wp_cache cache = {.count = 0};
	cr_assert_eq(wp_shape_table_init(own, sizeof own, 2, &changed), WP_OK);
	wp_pair pair = pair_of(changed, 0, &at[0], 1, &at[1]);
	cr_assert_eq(wp_shape_table_set(changed, 0, &shapes[0], NULL), WP_OK);
	for (size_t i = 0; i < 4 * 4; i++) {
		const wp_shape both[2] = {shapes[0], shapes[i * 7 % 4]};
		const wp_shape_table *built;
		cr_assert_eq(wp_shape_table_remove(changed, 1), WP_OK);
		cr_assert_eq(wp_contact_prepared(workspace, &pair, NULL, &cache, &row), WP_OK);
		cr_assert_eq(row.status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_B);
		cr_assert_eq(wp_shape_table_set(changed, 1, &both[1], NULL), WP_OK);
		cr_assert_eq(wp_shape_table_build(both, 2, fresh, sizeof fresh, &built, NULL), WP_OK);
		const wp_batch batch = {.shapes = changed,
			.a = {.position = {at[0].position, sizeof *at},
				.rotation = {at[0].rotation, sizeof *at},
				.shape = {shape},
				.count = 2},
			.pair_a = {shape},
			.pair_b = {shape + 1},
			.count = 1};
		wp_batch twin = batch;
		twin.shapes = built;
		wp_cache used = cache, kept = cache;
		wp_results results = wp_results_of_rows(&row), others = wp_results_of_rows(&other);
		results.cache.data = &used;
		others.cache.data = &kept;
		cr_assert_eq(wp_distance(workspace, &batch, &results, NULL), WP_OK);
		cr_assert_eq(wp_distance(workspace, &twin, &others, NULL), WP_OK);
		cr_assert(!(row.status & WP_STATUS_INVALID));
		cr_assert_eq(memcmp(&row, &other, sizeof row), 0, "change %zu", i);
		cr_assert_eq(memcmp(&used, &kept, sizeof used), 0, "change %zu", i);
		cache = used;
	}
}

Test(api, options_may_be_missing)
{
	const wp_batch batch = make_scene();
	static wp_row rows[2][ROWS];
	const wp_contact_options zeros = {.max_separation = 0};
	const wp_results none = wp_results_of_rows(rows[0]), given = wp_results_of_rows(rows[1]);
	cr_assert_eq(wp_contact(workspace, &batch, NULL, &none, NULL), WP_OK);
	cr_assert_eq(wp_contact(workspace, &batch, &zeros, &given, NULL), WP_OK);
	cr_assert_eq(memcmp(rows[0], rows[1], sizeof rows[0]), 0);

	const wp_shape ball = wp_shape_sphere(1);
	const wp_pose at = {.rotation = {0, 0, 0, 1}}, away = {.position = {3, 0, 0}, .rotation = {0, 0, 0, 1}};
	wp_row row;
	cr_assert_eq(wp_contact_pair(workspace, &ball, &at, &ball, &away, NULL, &row), WP_OK);
	cr_assert(row.status & WP_STATUS_BEYOND && row.lower > 0);
}

/* The strong path once called a row beyond and gave the distance itself, not the bound. */
Test(api, beyond_is_the_bound_whoever_finds_it)
{
	make_scene();
	const float line[2][3] = {{0x1.53ap+12f, 0x1.a1ep+10f, -0x1.df4p+11f}, {0, 0, 0}};
	const wp_shape segment = wp_shape_segment(line[0], line[1]), box = wp_shape_box(0x1.bp-2f, 0x1.7p-1f, 0x1.ap-1f);
	const wp_pose at = {.rotation = {0, 0, 0, 1}};
	const wp_pose near = {{-0x1.8p-2f, 0, -0x1.9p-2f}, {-0x1.1p-2f, 0x1.bc2p-2f, 0x1.9b4p-1f, 0x1.3p-2f}};
	wp_row row;
	cr_assert_eq(
		wp_contact_pair(workspace, &segment, &at, &box, &near, &(wp_contact_options){.max_separation = 0.02f}, &row),
		WP_OK);
	cr_assert(row.status & WP_STATUS_STRONG && row.status & WP_STATUS_BEYOND);
	cr_assert_gt(row.lower, 0.1f);
	cr_assert_eq(row.separation, row.lower);

	/* No pair is beyond its own bound. */
	const float bound = row.lower;
	cr_assert_eq(
		wp_contact_pair(workspace, &segment, &at, &box, &near, &(wp_contact_options){.max_separation = bound}, &row),
		WP_OK);
	cr_assert(row.status & WP_STATUS_STRONG && row.lower == bound && !(row.status & WP_STATUS_BEYOND),
		"status %x, lower %a", row.status, (double)row.lower);
}

Test(api, statistics_are_sums_over_rows)
{
	const wp_batch batch = make_scene();
	static wp_row rows[ROWS];
	bodies[9].position[0] = NAN;
	for (query q = OVERLAP; q < QUERIES; q++) {
		const wp_results results = wp_results_of_rows(rows);
		wp_statistics s = {0}, counted = {0};
		cr_assert_eq(run(&batch, q, 0.1f, &results, &s), WP_OK);
		for (int i = 0; i < ROWS; i++) {
			const uint32_t status = rows[i].status;
			counted.separated += (status & WP_STATUS_SEPARATED) != 0;
			counted.touching += (status & WP_STATUS_TOUCHING) != 0;
			counted.penetrating += (status & WP_STATUS_PENETRATING) != 0;
			counted.beyond += (status & WP_STATUS_BEYOND) != 0;
			counted.strong += (status & WP_STATUS_STRONG) != 0;
			counted.degenerate += (status & WP_STATUS_DEGENERATE) != 0;
			counted.invalid += (status & WP_STATUS_INVALID) != 0;
		}
		cr_assert_eq(s.separated, counted.separated);
		cr_assert_eq(s.touching, counted.touching);
		cr_assert_eq(s.penetrating, counted.penetrating);
		cr_assert_eq(s.beyond, counted.beyond);
		cr_assert_eq(s.strong, counted.strong);
		cr_assert_eq(s.degenerate, counted.degenerate);
		cr_assert_eq(s.invalid, counted.invalid);
		cr_assert_eq(s.separated + s.touching + s.penetrating + s.invalid, (uint64_t)ROWS);
		cr_assert(s.lanes_live > 0 && s.lanes_live <= s.lanes_issued);
		cr_assert_eq(run(&batch, q, 0.1f, &results, &s), WP_OK);
		cr_assert_eq(s.rows, (uint64_t)2 * ROWS, "calls add up");
	}
}

/* A depth that outgrows the polytope, and points in one place, which the strong path tells of. */
Test(api, statistics_of_the_strong_path)
{
	make_scene();
	enum { CORNERS = 4096 };
	static float corners[CORNERS][3];
	static _Alignas(WP_ALIGNMENT) unsigned char hull_memory[1 << 17], shape_memory[1 << 12];
	gen_random random;
	gen_seed(&random, 8);
	for (int i = 0; i < CORNERS; i++) {
		const v3 out = gen_direction(&random);
		corners[i][0] = (float)out.x;
		corners[i][1] = (float)out.y;
		corners[i][2] = (float)out.z;
	}
	const wp_hull_input input = {.vertices = {corners[0]}, .vertex_count = CORNERS};
	const wp_hull *hull;
	const wp_shape_table *two;
	cr_assert_eq(wp_hull_build(&input, hull_memory, sizeof hull_memory, &hull, NULL), WP_OK);
	const wp_shape shapes[2] = {wp_shape_hull(hull), wp_shape_point()};
	cr_assert_eq(wp_shape_table_build(shapes, 2, shape_memory, sizeof shape_memory, &two, NULL), WP_OK);
	const wp_pose poses[2] = {{.rotation = {0, 0, 0, 1}}, {.rotation = {0, 0, 0, 1}}};
	const wp_batch batch = {.shapes = two,
		.a = {.position = {poses[0].position, sizeof poses[0]},
			.rotation = {poses[0].rotation, sizeof poses[0]},
			.count = 2},
		.count = 2};
	wp_row rows[2];
	wp_statistics s = {0};
	const wp_results results = wp_results_of_rows(rows);
	cr_assert_eq(wp_contact(workspace, &batch, NULL, &results, &s), WP_OK);
	cr_assert(rows[0].status & WP_STATUS_CAPACITY && rows[0].status & WP_STATUS_WIDE_BRACKET, "%x", rows[0].status);
	cr_assert(rows[1].status & WP_STATUS_DEGENERATE, "%x", rows[1].status);
	cr_assert(s.rows == 2 && s.strong == 2 && s.capacity == 1 && s.wide_bracket == 1 && s.degenerate == 1);
}

/* ---- layouts ------------------------------------------------------------------------------------ */

/* Every output apart, at odd addresses and strides, with guards around it. */
enum { STRIDE = 41, GUARD = 0x3c };
typedef struct scattered {
	unsigned char bytes[9][STRIDE * ROWS + 64];
} scattered;

static wp_results results_of_scattered(scattered *s, uint32_t missing)
{
	void *field[9];
	for (uint32_t i = 0; i < 9; i++)
		field[i] = missing >> i & 1 ? NULL : s->bytes[i] + 1 + i;
	return (wp_results){.separation = {field[0], STRIDE},
		.normal = {field[1], STRIDE},
		.point_a = {field[2], STRIDE},
		.point_b = {field[3], STRIDE},
		.lower = {field[4], STRIDE},
		.upper = {field[5], STRIDE},
		.status = {field[6], STRIDE},
		.iterations = {field[7], STRIDE},
		.overlap = {field[8], STRIDE}};
}

static void check_field(const scattered *s, uint32_t field, int row, const void *value, size_t size)
{
	const unsigned char *at = s->bytes[field] + 1 + field + (size_t)row * STRIDE;
	cr_assert_eq(memcmp(at, value, size), 0, "field %u of row %d", field, row);
	for (size_t i = size; i < STRIDE; i++)
		cr_assert_eq(at[i], GUARD, "byte %zu after field %u of row %d", i, field, row);
}

static void check_scattered(const scattered *s, uint32_t missing, const wp_row *rows)
{
	for (int row = 0; row < ROWS; row++) {
		const wp_row *r = &rows[row];
		const uint8_t overlap = !(r->status & (WP_STATUS_SEPARATED | WP_STATUS_INVALID));
		const void *value[9] = {&r->separation, r->normal, r->point_a, r->point_b, &r->lower, &r->upper, &r->status,
			&r->iterations, &overlap};
		static const size_t size[9] = {4, 12, 12, 12, 4, 4, 4, 4, 1};
		for (uint32_t field = 0; field < 9; field++)
			check_field(s, field, row, value[field], missing >> field & 1 ? 0 : size[field]);
	}
}

Test(api, outputs_lie_where_asked_and_any_may_be_missing)
{
	const wp_batch batch = make_scene();
	static wp_row rows[ROWS];
	static scattered s;
	bodies[11].shape = INVALID_SHAPE;
	for (query q = OVERLAP; q < QUERIES; q++) {
		run_rows(&batch, q, rows);
		for (int variation = 0; variation < 11; variation++) {
			const uint32_t missing = variation == 9 ? 0 : variation == 10 ? 0x1ff : 1u << variation;
			memset(&s, GUARD, sizeof s);
			const wp_results results = results_of_scattered(&s, missing);
			cr_assert_eq(run(&batch, q, 0.1f, &results, NULL), WP_OK);
			check_scattered(&s, missing, rows);
		}
	}
}

/* A batch of a few rows goes another way, if nothing but rows is requested. */
Test(api, overlaps_beside_an_array_of_rows)
{
	wp_batch batch = make_scene();
	static wp_row rows[ROWS];
	static uint8_t overlaps[ROWS];
	wp_results results = wp_results_of_rows(rows);
	results.overlap.data = overlaps;
	for (size_t count = 1; count <= 3; count++) {
		memset(overlaps, GUARD, sizeof overlaps);
		for (batch.first = 0; batch.first < ROWS; batch.first += batch.count) {
			batch.count = count < ROWS - batch.first ? count : ROWS - batch.first;
			cr_assert_eq(run(&batch, CONTACT, 0.1f, &results, NULL), WP_OK);
		}
		for (int i = 0; i < ROWS; i++)
			cr_assert_eq(overlaps[i], (rows[i].status & WP_STATUS_SEPARATED) == 0, "%zu rows, row %d: %u", count, i,
				overlaps[i]);
	}
}

Test(api, packed_arrays_are_the_default)
{
	const wp_batch batch = make_scene();
	static wp_row rows[ROWS];
	static float separation[ROWS], normal[ROWS][3];
	static double point[ROWS][3];
	run_rows(&batch, CONTACT, rows);
	const wp_results results = {
		.separation = {separation}, .normal = {normal[0]}, .point_b = {point[0]}, .point_real = WP_REAL_DOUBLE};
	cr_assert_eq(run(&batch, CONTACT, 0.1f, &results, NULL), WP_OK);
	for (int i = 0; i < ROWS; i++) {
		cr_assert_eq(memcmp(&separation[i], &rows[i].separation, sizeof separation[i]), 0);
		cr_assert_eq(memcmp(normal[i], rows[i].normal, sizeof normal[i]), 0);
		for (int k = 0; k < 3; k++)
			cr_assert_eq((float)point[i][k], rows[i].point_b[k], "row %d", i);
	}
}

Test(api, no_rows_without_outputs)
{
	const wp_results none = wp_results_of_rows(NULL);
	const wp_batch batch = make_scene();
	wp_statistics s = {0};
	cr_assert_eq(run(&batch, CONTACT, 0.1f, &none, &s), WP_OK);
	cr_assert_eq(s.rows, (uint64_t)ROWS);
}

Test(api, poses_per_pair_and_two_body_arrays)
{
	const wp_batch batch = make_scene();
	static wp_row rows[ROWS], again[ROWS];
	static body of_a[ROWS], of_b[ROWS];
	run_rows(&batch, CONTACT, rows);
	for (int i = 0; i < ROWS; i++) {
		of_a[i] = bodies[pairs[i][0]];
		of_b[i] = bodies[pairs[i][1]];
	}
	wp_batch apart = batch;
	apart.a.position.data = of_a[0].position;
	apart.a.rotation.data = of_a[0].rotation;
	apart.a.shape.data = &of_a[0].shape;
	apart.a.count = ROWS;
	apart.b = apart.a;
	apart.b.position.data = of_b[0].position;
	apart.b.rotation.data = of_b[0].rotation;
	apart.b.shape.data = &of_b[0].shape;
	apart.pair_a.data = apart.pair_b.data = NULL;
	run_rows(&apart, CONTACT, again);
	cr_assert_eq(memcmp(rows, again, sizeof rows), 0);
}

Test(api, double_positions_give_the_bits_of_equal_floats)
{
	wp_batch batch = make_scene();
	static wp_row rows[ROWS], again[ROWS];
	run_rows(&batch, CONTACT, rows);
	batch.a.position.data = bodies[0].position_double;
	batch.a.position_real = WP_REAL_DOUBLE;
	run_rows(&batch, CONTACT, again);
	cr_assert_eq(memcmp(rows, again, sizeof rows), 0);
}

Test(api, double_positions_keep_what_floats_lose)
{
	make_scene();
	static const double position[2][3] = {{16777216, 0, 0}, {16777216 + 3.25, 0, 0}};
	static const float rotation[2][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
	static const uint32_t shape[2] = {0, 0}, pair[2] = {0, 1};
	const wp_batch batch = {.shapes = table,
		.a = {.position = {position},
			.rotation = {rotation[0]},
			.shape = {shape},
			.count = 2,
			.position_real = WP_REAL_DOUBLE},
		.pair_a = {&pair[0]},
		.pair_b = {&pair[1]},
		.count = 1};
	float separation;
	double point_a[3];
	const wp_results results = {.separation = {&separation}, .point_a = {point_a}, .point_real = WP_REAL_DOUBLE};
	cr_assert_eq(wp_distance(workspace, &batch, &results, NULL), WP_OK);
	cr_assert(fabsf(separation - 2.25f) < 1e-5f, "%g", (double)separation);
	cr_assert(fabs(point_a[0] - 16777216.5) < 1e-5, "%.9g", point_a[0]);
}

Test(api, ranges_touch_their_rows_only)
{
	wp_batch batch = make_scene();
	static wp_row rows[ROWS], part[ROWS];
	run_rows(&batch, DISTANCE, rows);
	memset(part, 0x5a, sizeof part);
	batch.first = 123;
	batch.count = 345;
	run_rows(&batch, DISTANCE, part);
	cr_assert_eq(memcmp(part + 123, rows + 123, 345 * sizeof rows[0]), 0);
	for (int i = 0; i < ROWS; i++)
		for (size_t k = 0; k < sizeof part[0] && (i < 123 || i >= 123 + 345); k++)
			cr_assert_eq(((unsigned char *)&part[i])[k], 0x5a, "row %d", i);
	batch.count = 0;
	run_rows(&batch, DISTANCE, part);
}

/* ---- the caller's floating-point environment ---------------------------------------------------- */

Test(api, rounding_mode_changes_nothing_and_stays)
{
	const wp_batch batch = make_scene();
	static wp_row rows[QUERIES][ROWS], again[ROWS];
	static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	for (query q = OVERLAP; q < QUERIES; q++)
		run_rows(&batch, q, rows[q]);
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		for (query q = OVERLAP; q < QUERIES; q++) {
			cr_assert_eq(fesetround(modes[i]), 0);
			const wp_results results = wp_results_of_rows(again);
			const wp_error error = run(&batch, q, 0.1f, &results, NULL);
			const int after = rounding_now();
			fesetround(FE_TONEAREST);
			cr_assert_eq(error, WP_OK);
			cr_assert_eq(after, modes[i]);
			cr_assert_eq(memcmp(rows[q], again, sizeof again), 0, "mode %zu, query %d", i, (int)q);
		}
	}
}

/* A pair makes its shapes ready in the call, so the caller's rounding is there too. The reference and tangents have their own
 * arithmetic. */
Test(api, rounding_mode_changes_no_pair)
{
	const wp_batch batch = make_scene();
	static wp_row rows[ROWS];
	static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	run_rows(&batch, CONTACT, rows);
	for (int i = 0; i < ROWS; i++) {
		const body *const a = &bodies[pairs[i][0]], *const b = &bodies[pairs[i][1]];
		const wp_shape shape_a = shape_of(a->shape), shape_b = shape_of(b->shape);
		wp_pose pose_a, pose_b;
		memcpy(pose_a.position, a->position, sizeof pose_a.position);
		memcpy(pose_a.rotation, a->rotation, sizeof pose_a.rotation);
		memcpy(pose_b.position, b->position, sizeof pose_b.position);
		memcpy(pose_b.rotation, b->rotation, sizeof pose_b.rotation);
		for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++) {
			wp_row row;
			fesetround(modes[k]);
			const wp_error error = wp_contact_pair(
				workspace, &shape_a, &pose_a, &shape_b, &pose_b, &(wp_contact_options){.max_separation = 0.1f}, &row);
			fesetround(FE_TONEAREST);
			cr_assert_eq(error, WP_OK);
			cr_assert_eq(memcmp(&row, &rows[i], sizeof row), 0, "mode %zu, row %d", k, i);
			const double at_a[3] = {(double)pose_a.position[0], (double)pose_a.position[1], (double)pose_a.position[2]};
			const double at_b[3] = {(double)pose_b.position[0], (double)pose_b.position[1], (double)pose_b.position[2]};
			wp_reference_row reference[2];
			float tangents[2][2][3];
			for (int way = 0; way < 2; way++) {
				fesetround(way == 0 ? FE_TONEAREST : modes[k]);
				cr_assert_eq(wp_reference_contact_pair(
								 &shape_a, at_a, pose_a.rotation, &shape_b, at_b, pose_b.rotation, &reference[way]),
					WP_OK);
				wp_tangents(row.normal, tangents[way][0], tangents[way][1]);
				fesetround(FE_TONEAREST);
			}
			cr_assert_eq(memcmp(&reference[0], &reference[1], sizeof reference[0]), 0, "mode %zu, row %d", k, i);
			cr_assert_eq(memcmp(tangents[0], tangents[1], sizeof tangents[0]), 0, "mode %zu, row %d", k, i);
		}
	}
}

#if defined(__x86_64__) || defined(__i386__)
Test(api, flush_to_zero_changes_nothing_and_stays)
{
	const wp_batch batch = make_scene();
	static wp_row rows[ROWS], again[ROWS];
	for (int i = 0; i < BODIES; i++)
		bodies[i].position[2] *= 0x1p-140f;
	const unsigned before = _mm_getcsr();
	for (query q = OVERLAP; q < QUERIES; q++) {
		run_rows(&batch, q, rows);
		_mm_setcsr(before | 0x8040u);
		const wp_results results = wp_results_of_rows(again);
		const wp_error error = run(&batch, q, 0.1f, &results, NULL);
		const unsigned after = _mm_getcsr();
		_mm_setcsr(before);
		cr_assert_eq(error, WP_OK);
		cr_assert_eq(after & ~0x3fu, (before | 0x8040u) & ~0x3fu);
		cr_assert_eq(memcmp(rows, again, sizeof rows), 0, "query %d", (int)q);
	}
}

/* The smallest negative lengths are no zero. */
Test(api, flush_to_zero_makes_no_length)
{
	const wp_batch batch = make_scene();
	static float low[BODIES][3], high[BODIES][3];
	static wp_tracked kept[1];
	static wp_mesh_tracked_anchor anchors[1];
	static wp_mesh_tracked_patch patches[4];
	static wp_row rows[ROWS];
	const float least = -0x1p-149f;
	const wp_contact_options apart = {.max_separation = least};
	const wp_method_options core = {.method = WP_METHOD_CORE, .margin = least};
	const wp_bounds bounds = {{low, 0}, {high, 0}, WP_REAL_FLOAT};
	const wp_mesh_batch on_mesh = {.shapes = batch.shapes, .a = batch.a, .b = batch.a};
	const wp_mesh_track_options frame = {.merging = least};
	const wp_mesh_tracked_pairs tracked = {.pairs = kept, .anchors = anchors, .patches = patches, .count = 1};
	const wp_mesh_results nowhere = {.patch_max = 0};
	const wp_results results = wp_results_of_rows(rows);
	const unsigned before = _mm_getcsr();
	_mm_setcsr(before | 0x8040u);
	const wp_error errors[3] = {wp_bodies_bounds(&batch, &apart, &bounds),
		wp_contact_by_method(workspace, &batch, NULL, &core, &results, NULL),
		wp_mesh_track(workspace, &on_mesh, &frame, &tracked, &nowhere, NULL, NULL)};
	_mm_setcsr(before);
	cr_assert_eq(errors[0], WP_ERROR_MAX_SEPARATION);
	cr_assert_eq(errors[1], WP_ERROR_METHOD_MARGIN);
	cr_assert_eq(errors[2], WP_ERROR_MERGING);
}
#endif
