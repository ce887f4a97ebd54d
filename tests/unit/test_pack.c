/* From the caller's rows to answers and back. However bodies, pairs and results lie in memory, a row gets the
 * bits that its pair has alone, among rows of other kinds, invalid ones, and those that the kernels leave to the
 * strong path; and no byte is written that is no result. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support/gen_random.h"
#include "support/unit.h"
#include "widephase/widephase.h"

/* Good bodies of all shapes in turn, some that coincide, and one for each way to be invalid. */
enum { GOOD = 300, TWINS = 4, BAD = 16, BODIES = GOOD + TWINS + BAD };
enum { SHAPES = 6, BOX = 1, SPHERE = 0, INVALID_SHAPE = SHAPES };

/* Rows of all kinds, of boxes alone for several buckets, of boxes with rows between that are no jobs, and of all
 * kinds again. */
enum { BOXES_FROM = 500, BOXES_MIXED_FROM = 1200, BOXES_TO = 1600, ROWS = 1900 };

typedef enum query { OVERLAP, DISTANCE, CONTACT, QUERIES } query;

typedef struct body {
	uint32_t shape;
	float position[3];
	float rotation[4];
	double position_double[3];
} body;

static _Alignas(WP_ALIGNMENT) unsigned char table_memory[1 << 14];
static wp_shape shapes[SHAPES + 1];
static const wp_shape_table *table;
static body bodies[BODIES];
static uint32_t reasons[BODIES]; /* of side A */
static uint32_t pairs[ROWS][2];
static wp_row expected[QUERIES][ROWS];
static float expected_details[QUERIES][ROWS][4][3]; /* both local points, both tangents */
static wp_workspace *workspace;

/* ---- the scene ---------------------------------------------------------------------------------- */

static void make_table(void)
{
	static const float a[3] = {1, 0, 0}, b[3] = {0, 1, 0.5f}, c[3] = {-0.5f, 0, 1};
	const wp_shape made[SHAPES + 1] = {wp_shape_sphere(0.5f), wp_shape_box(0.5f, 0.25f, 1),
		wp_shape_capsule(0.25f, 0.5f), wp_shape_triangle(a, b, c), wp_shape_point(), wp_shape_segment(a, b),
		wp_shape_sphere(-1)};
	memcpy(shapes, made, sizeof shapes);
	cr_assert_eq(wp_shape_table_build(shapes, SHAPES + 1, table_memory, sizeof table_memory, &table, NULL), WP_OK);
}

/* Spoil a body in one of the ways. Returns the reason of side A. */
static uint32_t spoil(body *b, int way)
{
	static const float bad_numbers[] = {NAN, INFINITY, -INFINITY, 1.01e30f};
	static const float bad_rotations[][4] = {
		{0, 0, 0, 1.02f}, {0.1f, NAN, 0, 1}, {0, 0, 0, 0}, {0, 0, -INFINITY, 0}, {0, 0.98f, 0, 0}};
	if (way < 6) {
		b->position[way % 3] = bad_numbers[way % 4];
		return WP_STATUS_INVALID_POSITION_A;
	}
	if (way < 11) {
		memcpy(b->rotation, bad_rotations[way - 6], sizeof b->rotation);
		return WP_STATUS_INVALID_ROTATION_A;
	}
	b->shape = way == 11 ? INVALID_SHAPE : way == 12 ? INVALID_SHAPE + 1 : UINT32_MAX;
	if (way < 14)
		return WP_STATUS_INVALID_SHAPE_A;
	b->position[1] = NAN;
	b->rotation[2] = way == 14 ? b->rotation[2] : 3;
	return WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_POSITION_A | (way == 14 ? 0 : WP_STATUS_INVALID_ROTATION_A);
}

static void make_bodies(gen_random *random)
{
	for (int i = 0; i < BODIES; i++) {
		body *const b = &bodies[i];
		b->shape = (uint32_t)i % SHAPES;
		gen_rotation(random, b->rotation);
		for (int k = 0; k < 3; k++)
			b->position[k] = (float)gen_range(random, -1.5, 1.5);
		if (i >= GOOD && i < GOOD + TWINS) {
			b->shape = SPHERE;
			memcpy(b->position, bodies[GOOD].position, sizeof b->position);
		}
		reasons[i] = i >= GOOD + TWINS ? spoil(b, i - GOOD - TWINS) : 0;
		for (int k = 0; k < 3; k++)
			b->position_double[k] = (double)b->position[k];
	}
}

static uint32_t random_body(gen_random *random, int row)
{
	const uint32_t i = gen_below(random, GOOD / SHAPES) * SHAPES;
	return row < BOXES_FROM || row >= BOXES_TO ? i + gen_below(random, SHAPES) : i + BOX;
}

/* Some rows name a bad body or one past the last on either side or on both, some two bodies at one place. Rows of
 * boxes alone are all jobs: the bad ones there have a bad position. */
static void make_pairs(gen_random *random)
{
	for (int row = 0; row < ROWS; row++) {
		uint32_t *const pair = pairs[row];
		pair[0] = random_body(random, row);
		do
			pair[1] = random_body(random, row);
		while (pair[1] == pair[0]);
		const bool is_job = row >= BOXES_FROM && row < BOXES_MIXED_FROM;
		if (row % 29 == 7) {
			pair[0] = GOOD + gen_below(random, TWINS);
			pair[1] = GOOD + (pair[0] - GOOD + 1) % TWINS;
		}
		const uint32_t bad = GOOD + TWINS + gen_below(random, is_job ? 6 : BAD), side = gen_below(random, 3);
		for (uint32_t i = 0; i < 2 && row % 11 == 3; i++)
			if (side != i)
				pair[i] = bad;
		if (row % 97 == 11 && !is_job)
			pair[row % 2] = row % 4 < 2 ? BODIES : UINT32_MAX;
	}
}

static wp_error run_pair(query q, const uint32_t pair[2], wp_row *row)
{
	const body *const a = &bodies[pair[0]], *const b = &bodies[pair[1]];
	wp_pose pose_a, pose_b;
	memcpy(pose_a.position, a->position, sizeof pose_a.position);
	memcpy(pose_a.rotation, a->rotation, sizeof pose_a.rotation);
	memcpy(pose_b.position, b->position, sizeof pose_b.position);
	memcpy(pose_b.rotation, b->rotation, sizeof pose_b.rotation);
	const wp_shape *const shape_a = &shapes[a->shape], *const shape_b = &shapes[b->shape];
	return q == OVERLAP  ? wp_overlap_pair(workspace, shape_a, &pose_a, shape_b, &pose_b, row)
	     : q == DISTANCE ? wp_distance_pair(workspace, shape_a, &pose_a, shape_b, &pose_b, row)
	                     : wp_contact_pair(workspace, shape_a, &pose_a, shape_b, &pose_b,
							   &(wp_contact_options){.max_separation = 0.1f}, row);
}

static uint32_t reason_of(const uint32_t pair[2])
{
	const uint32_t a = pair[0] < BODIES ? reasons[pair[0]] : WP_STATUS_INVALID_BODY_A;
	const uint32_t b = pair[1] < BODIES ? reasons[pair[1]] : WP_STATUS_INVALID_BODY_A;
	return a | b << 4;
}

static void expect_row(query q, int row)
{
	const uint32_t reason = reason_of(pairs[row]);
	wp_row *const r = &expected[q][row];
	if (reason == 0) {
		cr_assert_eq(run_pair(q, pairs[row], r), WP_OK);
		cr_assert_eq(r->status & WP_STATUS_INVALID, 0u, "row %d: status %x", row, r->status);
		return;
	}
	memset(r, 0, sizeof *r);
	r->separation = r->lower = r->upper = NAN;
	r->status = WP_STATUS_INVALID | reason;
}

static wp_batch make_batch(void);
static wp_error run(const wp_batch *batch, query q, const wp_results *results, wp_statistics *s);

/* One-pair calls give no details; a batch of one row does. */
static void expect_details(query q, int row)
{
	float(*const d)[3] = expected_details[q][0];
	const size_t stride = sizeof expected_details[q][row];
	const wp_results results = {
		.local_a = {d[0], stride}, .local_b = {d[1], stride}, .tangent_1 = {d[2], stride}, .tangent_2 = {d[3], stride}};
	wp_batch batch = make_batch();
	batch.first = (size_t)row;
	batch.count = 1;
	cr_assert_eq(run(&batch, q, &results, NULL), WP_OK);
}

/* Every test begins with what the pairs are alone. */
static void setup(void)
{
	gen_random random;
	gen_seed(&random, 11);
	make_table();
	make_bodies(&random);
	make_pairs(&random);
	workspace = workspace_of(WP_VARIANT_SCALAR);
	for (query q = OVERLAP; q < QUERIES; q++)
		for (int row = 0; row < ROWS; row++)
			expect_row(q, row);
	for (query q = OVERLAP; q < QUERIES; q++)
		for (int row = 0; row < ROWS; row++)
			expect_details(q, row);
}

TestSuite(pack, .init = setup);

/* Run `check` with a workspace of every variant that this machine has. */
static void for_each_variant(void (*check)(void))
{
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++)
		if (wp_variant_available((wp_variant)v) == WP_OK) {
			workspace = workspace_of((wp_variant)v);
			check();
		}
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

static wp_error run(const wp_batch *batch, query q, const wp_results *results, wp_statistics *s)
{
	return q == OVERLAP  ? wp_overlap(workspace, batch, results, s)
	     : q == DISTANCE ? wp_distance(workspace, batch, results, s)
	                     : wp_contact(workspace, batch, &(wp_contact_options){.max_separation = 0.1f}, results, s);
}

/* ---- results ------------------------------------------------------------------------------------ */

/* The outputs in the order of a wp_row, the overlap, and the details. */
enum { FIELDS = 13, POINT_A = 2, POINT_B = 3, OVERLAP_FIELD = 8, DETAIL_FIELD = 9 };
typedef struct field {
	const char *name;
	size_t at, size;
} field;

static const field fields[FIELDS] = {{"separation", offsetof(wp_row, separation), 4},
	{"normal", offsetof(wp_row, normal), 12}, {"point_a", offsetof(wp_row, point_a), 12},
	{"point_b", offsetof(wp_row, point_b), 12}, {"lower", offsetof(wp_row, lower), 4},
	{"upper", offsetof(wp_row, upper), 4}, {"status", offsetof(wp_row, status), 4},
	{"iterations", offsetof(wp_row, iterations), 4}, {"overlap", 0, 1}, {"local_a", 0, 12}, {"local_b", 12, 12},
	{"tangent_1", 24, 12}, {"tangent_2", 36, 12}};

/* Where results lie in `memory`; an output with stride 0 is not requested. */
typedef struct layout {
	size_t at[FIELDS], stride[FIELDS];
	uint32_t point_real;
} layout;

enum { GUARD = 0x3c, MEMORY = ROWS * 320 + 4096 };
static _Alignas(WP_ALIGNMENT) unsigned char memory[MEMORY], image[MEMORY];

static wp_results results_of(const layout *l)
{
	void *at[FIELDS];
	for (int i = 0; i < FIELDS; i++)
		at[i] = l->stride[i] != 0 ? memory + l->at[i] : NULL;
	return (wp_results){.separation = {at[0], l->stride[0]},
		.normal = {at[1], l->stride[1]},
		.point_a = {at[2], l->stride[2]},
		.point_b = {at[3], l->stride[3]},
		.lower = {at[4], l->stride[4]},
		.upper = {at[5], l->stride[5]},
		.status = {at[6], l->stride[6]},
		.iterations = {at[7], l->stride[7]},
		.overlap = {at[8], l->stride[8]},
		.local_a = {at[9], l->stride[9]},
		.local_b = {at[10], l->stride[10]},
		.tangent_1 = {at[11], l->stride[11]},
		.tangent_2 = {at[12], l->stride[12]},
		.point_real = l->point_real};
}

static layout rows_from(size_t at, size_t stride)
{
	layout l = {.point_real = WP_REAL_FLOAT};
	for (int i = 0; i < OVERLAP_FIELD; i++) {
		l.at[i] = at + fields[i].at;
		l.stride[i] = stride;
	}
	return l;
}

static size_t size_of(const layout *l, int f)
{
	return (f == POINT_A || f == POINT_B) && l->point_real == WP_REAL_DOUBLE ? 3 * sizeof(double) : fields[f].size;
}

/* Every output in an array of its own, with so many bytes between rows. */
static layout columns(size_t between, uint32_t point_real)
{
	layout l = {.point_real = point_real};
	size_t at = 5 * between;
	for (int i = 0; i < FIELDS; i++) {
		l.at[i] = at;
		l.stride[i] = size_of(&l, i) + between;
		at += ROWS * l.stride[i] + 8;
	}
	return l;
}

/* Points in double: rounded, they must equal the points in float. */
static void round_point(const unsigned char *at, float point[3])
{
	double wide[3];
	memcpy(wide, at, sizeof wide);
	for (int k = 0; k < 3; k++)
		point[k] = gen_rounded(wide[k]);
}

/* Compare one output of one row, and note its bytes in the image. */
static void check_field(const layout *l, int f, query q, size_t row, const char *what)
{
	const wp_row *const r = &expected[q][row];
	const uint8_t overlap = !(r->status & (WP_STATUS_SEPARATED | WP_STATUS_INVALID));
	const char *const values = f >= DETAIL_FIELD ? (const char *)expected_details[q][row] : (const char *)r;
	const void *const value = f == OVERLAP_FIELD ? &overlap : (const void *)(values + fields[f].at);
	const size_t at = l->at[f] + row * l->stride[f];
	float point[3];
	const void *found = memory + at;
	if (size_of(l, f) != fields[f].size) {
		round_point(memory + at, point);
		found = point;
	}
	float first, first_found;
	memcpy(&first, f == OVERLAP_FIELD ? (const void *)&r->separation : value, sizeof first);
	memcpy(&first_found, f == OVERLAP_FIELD ? (const void *)&r->separation : found, sizeof first_found);
	cr_assert_eq(memcmp(found, value, fields[f].size), 0, "%s, query %d: %s of row %zu is %a, not %a (status %x)", what,
		(int)q, fields[f].name, row, (double)first_found, (double)first, r->status);
	memcpy(image + at, memory + at, size_of(l, f));
}

static void check_results(const layout *l, query q, size_t from, size_t count, const char *what)
{
	memset(image, GUARD, sizeof image);
	for (size_t row = from; row < from + count; row++)
		for (int f = 0; f < FIELDS; f++)
			if (l->stride[f] != 0)
				check_field(l, f, q, row, what);
	for (size_t i = 0; i < sizeof memory; i++)
		if (memory[i] != image[i])
			cr_assert_fail("%s, query %d: byte %zu was written", what, (int)q, i);
}

static void check_statistics(const wp_statistics *s, query q, size_t from, size_t count, const char *what)
{
	uint64_t invalid = 0, strong = 0, separated = 0, first = 0;
	for (size_t row = from; row < from + count; row++) {
		const uint32_t status = expected[q][row].status;
		first = status & WP_STATUS_INVALID && invalid == 0 ? row : first;
		invalid += (status & WP_STATUS_INVALID) != 0;
		strong += (status & WP_STATUS_STRONG) != 0;
		separated += (status & WP_STATUS_SEPARATED) != 0;
	}
	cr_assert(s->rows == count && s->invalid == invalid && s->strong == strong && s->separated == separated &&
				  s->first_invalid_row == first,
		"%s, query %d: statistics", what, (int)q);
}

/* Every query of a batch, into one layout. */
static void check_batch(const wp_batch *batch, const layout *l, const char *what)
{
	const wp_results results = results_of(l);
	for (query q = OVERLAP; q < QUERIES; q++) {
		wp_statistics s = {0};
		memset(memory, GUARD, sizeof memory);
		cr_assert_eq(run(batch, q, &results, &s), WP_OK);
		check_results(l, q, batch->first, batch->count, what);
		check_statistics(&s, q, batch->first, batch->count, what);
	}
}

Test(pack, the_scene_has_what_it_should)
{
	int strong = 0, invalid = 0, beyond = 0, overlapping = 0;
	for (int row = 0; row < ROWS; row++) {
		const uint32_t status = expected[CONTACT][row].status;
		strong += (status & WP_STATUS_STRONG) != 0;
		invalid += (status & WP_STATUS_INVALID) != 0;
		beyond += (status & WP_STATUS_BEYOND) != 0;
		overlapping += (status & WP_STATUS_PENETRATING) != 0;
	}
	cr_assert(strong > ROWS / 40 && invalid > ROWS / 12, "%d strong, %d invalid", strong, invalid);
	cr_assert(beyond > ROWS / 8 && overlapping > ROWS / 8, "%d beyond, %d overlapping", beyond, overlapping);
}

static void check_arrays_of_rows(void)
{
	const wp_batch batch = make_batch();
	layout l = rows_from(64, sizeof(wp_row));
	check_batch(&batch, &l, "rows");
	l = rows_from(64, sizeof(wp_row) + 12);
	check_batch(&batch, &l, "rows in larger structs");
	l = rows_from(64, sizeof(wp_row));
	l.at[OVERLAP_FIELD] = 64 + ROWS * sizeof(wp_row) + 3;
	l.stride[OVERLAP_FIELD] = 1;
	check_batch(&batch, &l, "rows and overlaps");
}

Test(pack, arrays_of_rows) { for_each_variant(check_arrays_of_rows); }

/* Results that are an array of wp_row but for one output, which is missing, lies elsewhere or has another stride. */
static void check_rows_but_for_one(void)
{
	const wp_batch batch = make_batch();
	const size_t elsewhere = 64 + (ROWS + 1) * sizeof(wp_row);
	for (int f = 0; f < OVERLAP_FIELD; f++) {
		layout l = rows_from(64, sizeof(wp_row));
		l.stride[f] = 0;
		check_batch(&batch, &l, fields[f].name);
		l.stride[f] = sizeof(wp_row);
		l.at[f] = elsewhere;
		check_batch(&batch, &l, fields[f].name);
		l.stride[f] = fields[f].size;
		check_batch(&batch, &l, fields[f].name);
	}
}

Test(pack, rows_but_for_one_output) { for_each_variant(check_rows_but_for_one); }

/* The fields of a row in other places of a struct of its size. */
static void check_rows_otherwise(void)
{
	static const int swapped[][2] = {{0, 4}, {4, 5}, {1, 2}, {2, 3}, {6, 7}, {0, 7}};
	const wp_batch batch = make_batch();
	for (size_t i = 0; i < sizeof swapped / sizeof swapped[0]; i++) {
		layout l = rows_from(64, sizeof(wp_row));
		l.at[swapped[i][0]] = 64 + fields[swapped[i][1]].at;
		l.at[swapped[i][1]] = 64 + fields[swapped[i][0]].at;
		check_batch(&batch, &l, fields[swapped[i][0]].name);
	}
}

Test(pack, rows_with_fields_swapped) { for_each_variant(check_rows_otherwise); }

static void check_columns(void)
{
	const wp_batch batch = make_batch();
	layout l = columns(0, WP_REAL_FLOAT);
	check_batch(&batch, &l, "packed");
	wp_results packed = results_of(&l);
	packed.separation.stride = packed.normal.stride = packed.point_a.stride = packed.point_b.stride =
		packed.lower.stride = packed.upper.stride = packed.status.stride = packed.iterations.stride = packed.overlap
	                                                                                                      .stride =
			packed.local_a.stride = packed.local_b.stride = packed.tangent_1.stride = packed.tangent_2.stride = 0;
	memset(memory, GUARD, sizeof memory);
	cr_assert_eq(run(&batch, CONTACT, &packed, NULL), WP_OK);
	check_results(&l, CONTACT, 0, ROWS, "packed by default");
	for (size_t between = 1; between < 9; between += 3) {
		l = columns(between, WP_REAL_FLOAT);
		check_batch(&batch, &l, "padded");
	}
	for (int f = 0; f < FIELDS; f++) {
		l = columns(4, WP_REAL_FLOAT);
		l.stride[f] = 0;
		check_batch(&batch, &l, "one missing");
		for (int other = 0; other < FIELDS; other++)
			l.stride[other] = other == f ? fields[f].size : 0;
		check_batch(&batch, &l, "one alone");
	}
}

Test(pack, arrays_of_outputs) { for_each_variant(check_columns); }

static void check_reals(void)
{
	wp_batch batch = make_batch();
	for (uint32_t real = WP_REAL_FLOAT; real <= WP_REAL_DOUBLE; real++) {
		batch.a.position.data = real == WP_REAL_FLOAT ? (const void *)bodies[0].position : bodies[0].position_double;
		batch.a.position_real = real;
		layout l = rows_from(64, sizeof(wp_row));
		check_batch(&batch, &l, "rows, of floats or doubles");
		l = columns(0, WP_REAL_FLOAT);
		check_batch(&batch, &l, "points in float");
		l = columns(0, WP_REAL_DOUBLE);
		check_batch(&batch, &l, "points in double");
		l = columns(3, WP_REAL_DOUBLE);
		l.stride[POINT_A] = 0;
		check_batch(&batch, &l, "one point in double");
	}
}

Test(pack, positions_and_points_in_double) { for_each_variant(check_reals); }

/* A row with fields at its places, but points that are doubles, is no wp_row. */
Test(pack, a_struct_with_points_in_double)
{
	const wp_batch batch = make_batch();
	layout l = rows_from(64, sizeof(wp_row) + 48);
	l.point_real = WP_REAL_DOUBLE;
	l.at[POINT_A] = 64 + sizeof(wp_row);
	l.at[POINT_B] = l.at[POINT_A] + 24;
	check_batch(&batch, &l, "points in double after a row");
}

/* ---- inputs ------------------------------------------------------------------------------------- */

/* Bodies row by row. What is past the last body becomes one of a shape past the last. */
static body of_side[2][ROWS];

static void spread_bodies(void)
{
	for (int row = 0; row < ROWS; row++)
		for (int side = 0; side < 2; side++) {
			uint32_t *const i = &pairs[row][side];
			if (*i >= BODIES) {
				*i = GOOD + TWINS + 12;
				for (query q = OVERLAP; q < QUERIES; q++)
					expect_row(q, row);
			}
			of_side[side][row] = bodies[*i];
		}
}

static wp_bodies side_of(int side, uint32_t real)
{
	const body *const first = &of_side[side][0];
	return (wp_bodies){
		.position = {real == WP_REAL_FLOAT ? (const void *)first->position : first->position_double, sizeof(body)},
		.rotation = {first->rotation, sizeof(body)},
		.shape = {&first->shape, sizeof(body)},
		.count = ROWS,
		.position_real = real};
}

static void check_bodies_by_row(void)
{
	static uint32_t of_a[ROWS], of_b[ROWS];
	for (int row = 0; row < ROWS; row++) {
		of_a[row] = pairs[row][0];
		of_b[row] = pairs[row][1];
	}
	const layout l = rows_from(64, sizeof(wp_row));
	for (uint32_t real = WP_REAL_FLOAT; real <= WP_REAL_DOUBLE; real++)
		for (int indexed = 0; indexed < 4; indexed++) {
			wp_batch batch = make_batch();
			batch.a.position.data = real == WP_REAL_FLOAT ? (const void *)bodies[0].position
			                                              : bodies[0].position_double;
			batch.a.position_real = real;
			batch.b = batch.a;
			batch.pair_a.stride = batch.pair_b.stride = 0;
			batch.pair_a.data = indexed & 1 ? of_a : NULL;
			batch.pair_b.data = indexed & 2 ? of_b : NULL;
			if (!(indexed & 1))
				batch.a = side_of(0, real);
			if (!(indexed & 2))
				batch.b = side_of(1, real);
			check_batch(&batch, &l, indexed == 0 ? "no index" : indexed == 3 ? "packed indices" : "one index");
		}
}

Test(pack, bodies_by_row)
{
	spread_bodies();
	for_each_variant(check_bodies_by_row);
}

/* Where bodies end before the rows do, the rest is invalid. */
Test(pack, fewer_bodies_than_rows)
{
	enum { SOME = ROWS - 77 };
	spread_bodies();
	workspace = workspace_of(WP_VARIANT_AUTO);
	const wp_batch batch = {
		.shapes = table, .a = side_of(0, WP_REAL_FLOAT), .b = side_of(1, WP_REAL_FLOAT), .count = ROWS};
	wp_batch fewer = batch;
	fewer.a.count = SOME;
	fewer.b.count = SOME + 5;
	for (int row = SOME; row < ROWS; row++) {
		const uint32_t of_b = row < SOME + 5 ? reasons[pairs[row][1]] << 4 : WP_STATUS_INVALID_BODY_B;
		for (query q = OVERLAP; q < QUERIES; q++)
			expected[q][row] = (wp_row){.separation = NAN,
				.lower = NAN,
				.upper = NAN,
				.status = WP_STATUS_INVALID | WP_STATUS_INVALID_BODY_A | of_b};
	}
	const layout l = rows_from(64, sizeof(wp_row));
	check_batch(&fewer, &l, "fewer bodies");
}

/* Ranges of the rows write those rows, wherever they begin and end. */
static void check_ranges(void)
{
	static const size_t ranges[][2] = {{1, 1}, {3, 1}, {7, 1}, {BOXES_FROM, 256}, {BOXES_FROM + 100, 600}, {0, 512},
		{211, 977}, {BOXES_MIXED_FROM + 13, 300}, {ROWS - 1, 1}, {ROWS, 0}};
	const layout layouts[] = {rows_from(64, sizeof(wp_row)), columns(2, WP_REAL_FLOAT), columns(0, WP_REAL_DOUBLE)};
	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
		for (size_t k = 0; k < sizeof layouts / sizeof layouts[0]; k++) {
			wp_batch batch = make_batch();
			batch.first = ranges[i][0];
			batch.count = ranges[i][1];
			check_batch(&batch, &layouts[k], "range");
			batch.a.position.data = bodies[0].position_double;
			batch.a.position_real = WP_REAL_DOUBLE;
			check_batch(&batch, &layouts[k], "range, positions in double");
		}
}

Test(pack, ranges) { for_each_variant(check_ranges); }

/* Inputs at odd addresses. */
Test(pack, bodies_at_odd_addresses)
{
	enum { STRIDE = sizeof(body) + 3 };
	static unsigned char odd[BODIES * STRIDE + 1], odd_pairs[ROWS * 9 + 1];
	for (size_t i = 0; i < BODIES; i++)
		memcpy(odd + 1 + i * STRIDE, &bodies[i], sizeof(body));
	for (size_t row = 0; row < ROWS; row++)
		memcpy(odd_pairs + 1 + row * 9, pairs[row], sizeof pairs[row]);
	workspace = workspace_of(WP_VARIANT_AUTO);
	wp_batch batch = make_batch();
	void *const position = odd + 1 + offsetof(body, position), *const rotation = odd + 1 + offsetof(body, rotation);
	void *const shape = odd + 1 + offsetof(body, shape), *const of_a = odd_pairs + 1, *const of_b = odd_pairs + 5;
	batch.a = (wp_bodies){
		.position = {position, STRIDE}, .rotation = {rotation, STRIDE}, .shape = {shape, STRIDE}, .count = BODIES};
	batch.pair_a.data = of_a;
	batch.pair_b.data = of_b;
	batch.pair_a.stride = batch.pair_b.stride = 9;
	const layout rows = rows_from(64, sizeof(wp_row)), apart = columns(1, WP_REAL_DOUBLE);
	check_batch(&batch, &rows, "odd bodies");
	batch.a.position.data = odd + 1 + offsetof(body, position_double);
	batch.a.position_real = WP_REAL_DOUBLE;
	check_batch(&batch, &apart, "odd bodies in double");
}
