/* Bad input, in tables: every argument of every public call with every kind of bad value, the error or the
 * status that it must give, the answers next to it as if it were not there, and no byte written beside them. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/check.h"
#include "support/gen.h"
#include "widephase/widephase.h"

/* What memory holds that no call may write. */
#define GUARD 0x5a

/* Just above and far above WP_COORDINATE_MAX. */
#define TOO_LARGE 1.0001e30f

_Static_assert(SIZE_MAX >= UINT64_MAX, "2^32 rows fit a size_t");

static bool is_untouched(const void *memory, size_t size)
{
	const unsigned char *const bytes = memory;
	for (size_t i = 0; i < size; i++)
		if (bytes[i] != GUARD)
			return false;
	return true;
}

/* One field of an object, overwritten. The members of the union all lie at its start. */
typedef struct poke {
	size_t at, size;
	union {
		const void *pointer;
		size_t count;
		uint32_t word;
		float number;
		double wide;
	} to;
} poke;

#define POKE(type, field, member, value)                                          \
	{                                                                             \
		offsetof(type, field), sizeof(((type *)NULL)->field), { .member = value } \
	}

static void apply(void *object, const poke *pokes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		memcpy((char *)object + pokes[i].at, &pokes[i].to, pokes[i].size);
}

/* ---- the scene: bodies of all kinds, and pairs of them -------------------------------------------- */

typedef enum query { OVERLAP, DISTANCE, CONTACT, QUERIES } query;

static const char *const query_names[QUERIES] = {"wp_overlap", "wp_distance", "wp_contact"};

/* The shapes are one of each kind, a spare one that is spoilt at times, and one that is never valid. */
enum { SPARE_SHAPE = WP_SHAPE_KIND_COUNT, INVALID_SHAPE, SHAPES };

enum { BODIES = 24, BAD_BODY = 7, ROWS = 120, MAX_SEPARATION = 1 };

typedef struct body {
	uint32_t shape;
	float position[3];
	float rotation[4];
	double wide[3]; /* the position in double */
} body;

typedef struct cube {
	wp_hull_input input;
	float vertices[8][3];
	uint32_t sizes[6];
	uint32_t indices[24];
} cube;

typedef struct scene {
	body bodies[BODIES];
	uint32_t pairs[ROWS][2];
	wp_shape shapes[SHAPES];
	const wp_shape_table *table;
} scene;

/* A row of all outputs with guards on either side. */
typedef struct guarded_row {
	unsigned char before[16];
	wp_row row;
	uint8_t overlap;
	unsigned char after[15];
} guarded_row;

/* A row of guards before the first row and one after the last. */
typedef struct guarded_rows {
	guarded_row first, rows[ROWS], last;
} guarded_rows;

typedef struct reference_rows {
	wp_reference_row first, rows[ROWS], last;
} reference_rows;

static _Alignas(WP_ALIGNMENT) unsigned char workspace_memory[WP_VARIANT_COUNT][WP_WORKSPACE_SIZE];
static _Alignas(WP_ALIGNMENT) unsigned char table_memory[1 << 13];
static _Alignas(WP_ALIGNMENT) unsigned char hull_memory[1024];
static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE + WP_ALIGNMENT];
static _Alignas(WP_ALIGNMENT) unsigned char zeros[1024];

static wp_workspace *workspaces[WP_VARIANT_COUNT]; /* NULL where this machine has not the variant */
static const wp_hull *hull;
static scene good;
static guarded_rows good_rows[QUERIES], found;
static reference_rows good_reference, found_reference;

static void make_cube(cube *c)
{
	static const uint32_t indices[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
	for (unsigned i = 0; i < 8; i++) {
		c->vertices[i][0] = i & 1 ? 0.5f : -0.5f;
		c->vertices[i][1] = i & 2 ? 0.75f : -0.75f;
		c->vertices[i][2] = i & 4 ? 1.0f : -1.0f;
	}
	for (unsigned i = 0; i < 6; i++)
		c->sizes[i] = 4;
	memcpy(c->indices, indices, sizeof indices);
	c->input = (wp_hull_input){.vertices = {c->vertices[0]},
		.vertex_count = 8,
		.face_sizes = c->sizes,
		.face_indices = c->indices,
		.face_count = 6};
}

static void build_table(scene *s)
{
	wp_shape_report report;
	const wp_error error = wp_shape_table_build(
		s->shapes, SHAPES, table_memory, sizeof table_memory, &s->table, &report);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

static void support_rod(const void *context, const double direction[3], double point[3])
{
	const double *const half = context;
	for (int i = 0; i < 3; i++)
		point[i] = copysign(half[i], direction[0] * half[0] + direction[1] * half[1] + direction[2] * half[2]);
}

static void make_shapes(wp_shape shapes[SHAPES])
{
	static const double half[3] = {0.5, 0.25, 0.75};
	static const wp_custom rod = {.support = support_rod, .context = half, .bound = 1};
	static const float a[3] = {1, 0, 0}, b[3] = {0, 1, 0.5f}, c[3] = {-0.5f, 0, 1};
	shapes[WP_SHAPE_POINT] = wp_shape_point();
	shapes[WP_SHAPE_SPHERE] = wp_shape_sphere(0.5f);
	shapes[WP_SHAPE_SEGMENT] = wp_shape_segment(a, b);
	shapes[WP_SHAPE_CAPSULE] = wp_shape_capsule(0.25f, 0.5f);
	shapes[WP_SHAPE_TRIANGLE] = wp_shape_triangle(a, b, c);
	shapes[WP_SHAPE_BOX] = wp_shape_box(0.5f, 0.25f, 1);
	shapes[WP_SHAPE_HULL] = wp_shape_hull(hull);
	shapes[WP_SHAPE_CYLINDER] = wp_shape_cylinder(0.5f, 0.75f);
	shapes[WP_SHAPE_CONE] = wp_shape_cone(0.75f, 0.5f);
	shapes[WP_SHAPE_ELLIPSOID] = wp_shape_ellipsoid(0.5f, 0.25f, 1);
	shapes[WP_SHAPE_CUSTOM] = wp_shape_custom(&rod);
	shapes[WP_SHAPE_HALF_SPACE] = wp_shape_half_space();
	shapes[SPARE_SHAPE] = wp_shape_sphere(0.75f);
	shapes[INVALID_SHAPE] = wp_shape_sphere(-1);
}

/* Every kind meets every other one, but no half-space another; the body that is spoilt later comes as A, as B and as both. */
static void make_bodies(scene *s)
{
	gen_random random;
	gen_seed(&random, 11);
	for (uint32_t i = 0; i < BODIES; i++) {
		body *const b = &s->bodies[i];
		b->shape = i == BAD_BODY ? SPARE_SHAPE : i % WP_SHAPE_KIND_COUNT;
		gen_rotation(&random, b->rotation);
		for (int k = 0; k < 3; k++) {
			b->position[k] = (float)gen_range(&random, -1.5, 1.5);
			b->wide[k] = (double)b->position[k];
		}
	}
	for (uint32_t r = 0; r < ROWS; r++) {
		s->pairs[r][0] = r % 10 == 3 ? BAD_BODY : gen_below(&random, BODIES);
		s->pairs[r][1] = r % 14 == 5 ? BAD_BODY : gen_below(&random, BODIES);
		if (s->bodies[s->pairs[r][0]].shape == WP_SHAPE_HALF_SPACE &&
			s->bodies[s->pairs[r][1]].shape == WP_SHAPE_HALF_SPACE)
			s->pairs[r][1] = 0;
	}
	s->pairs[ROWS / 2][0] = s->pairs[ROWS / 2][1] = BAD_BODY;
}

static wp_batch batch_of(const scene *s, uint32_t real, bool two_views)
{
	const body *const first = s->bodies;
	const wp_bodies bodies = {
		.position = {real == WP_REAL_DOUBLE ? (const void *)first->wide : (const void *)first->position, sizeof(body)},
		.rotation = {first->rotation, sizeof(body)},
		.shape = {&first->shape, sizeof(body)},
		.count = BODIES,
		.position_real = real};
	return (wp_batch){.shapes = s->table,
		.a = bodies,
		.b = two_views ? bodies : (wp_bodies){.count = 0},
		.pair_a = {&s->pairs[0][0], sizeof s->pairs[0]},
		.pair_b = {&s->pairs[0][1], sizeof s->pairs[0]},
		.count = ROWS};
}

static wp_results results_of(guarded_row *rows)
{
	const size_t stride = sizeof *rows;
	return (wp_results){.separation = {&rows->row.separation, stride},
		.normal = {rows->row.normal, stride},
		.point_a = {rows->row.point_a, stride},
		.point_b = {rows->row.point_b, stride},
		.lower = {&rows->row.lower, stride},
		.upper = {&rows->row.upper, stride},
		.status = {&rows->row.status, stride},
		.iterations = {&rows->row.iterations, stride},
		.overlap = {&rows->overlap, stride}};
}

static wp_error run(wp_workspace *workspace, const wp_batch *batch, query q, float max_separation,
	const wp_results *results, wp_statistics *statistics)
{
	return q == OVERLAP  ? wp_overlap(workspace, batch, results, statistics)
	     : q == DISTANCE ? wp_distance(workspace, batch, results, statistics)
	                     : wp_contact(workspace, batch, &(wp_contact_options){.max_separation = max_separation},
							   results, statistics);
}

static wp_error run_pair(query q, const wp_shape *shape_a, const wp_pose *pose_a, const wp_shape *shape_b,
	const wp_pose *pose_b, wp_row *row)
{
	wp_workspace *const workspace = workspaces[WP_VARIANT_SCALAR];
	return q == OVERLAP  ? wp_overlap_pair(workspace, shape_a, pose_a, shape_b, pose_b, row)
	     : q == DISTANCE ? wp_distance_pair(workspace, shape_a, pose_a, shape_b, pose_b, row)
	                     : wp_contact_pair(workspace, shape_a, pose_a, shape_b, pose_b,
							   &(wp_contact_options){.max_separation = MAX_SEPARATION}, row);
}

static void run_good(void)
{
	const wp_batch batch = batch_of(&good, WP_REAL_FLOAT, false);
	for (query q = OVERLAP; q < QUERIES; q++) {
		memset(&good_rows[q], GUARD, sizeof good_rows[q]);
		const wp_results results = results_of(good_rows[q].rows);
		cr_assert_eq(run(workspaces[WP_VARIANT_AUTO], &batch, q, MAX_SEPARATION, &results, NULL), WP_OK);
		for (uint32_t r = 0; r < ROWS; r++)
			cr_assert_not(good_rows[q].rows[r].row.status & WP_STATUS_INVALID, "row %u", r);
	}
	memset(&good_reference, GUARD, sizeof good_reference);
	cr_assert_eq(wp_reference_contact(&batch, good.shapes, SHAPES, good_reference.rows), WP_OK);
}

static void make_good(void)
{
	cube c;
	make_cube(&c);
	cr_assert_eq(wp_hull_build(&c.input, hull_memory, sizeof hull_memory, &hull, NULL), WP_OK);
	for (uint32_t v = 0; v < WP_VARIANT_COUNT; v++)
		(void)wp_workspace_init(workspace_memory[v], WP_WORKSPACE_SIZE, (wp_variant)v, &workspaces[v]);
	make_shapes(good.shapes);
	make_bodies(&good);
	build_table(&good);
	run_good();
}

TestSuite(bad_input, .init = make_good);

/* ---- what a row must hold ------------------------------------------------------------------------- */

static bool are_zeros(const float vector[3]) { return vector[0] == 0 && vector[1] == 0 && vector[2] == 0; }

static bool is_invalid_row(const wp_row *row, uint32_t reasons)
{
	return row->status == (WP_STATUS_INVALID | reasons) && isnan(row->separation) && isnan(row->lower) &&
	       isnan(row->upper) && are_zeros(row->normal) && are_zeros(row->point_a) && are_zeros(row->point_b) &&
	       row->iterations == 0;
}

static void check_invalid_row(const char *name, uint32_t r, const wp_row *row, uint32_t reasons)
{
	char text[WP_STATUS_TEXT_MAX], expected[WP_STATUS_TEXT_MAX];
	wp_status_text(row->status, text, sizeof text);
	wp_status_text(WP_STATUS_INVALID | reasons, expected, sizeof expected);
	cr_assert(is_invalid_row(row, reasons), "%s: row %u is %s, not %s, or holds numbers", name, r, text, expected);
}

/* The rows of the range with reasons are invalid for these, the others as they were; guards stand. */
static void check_rows(
	const char *name, const wp_batch *batch, const uint32_t reasons[ROWS], const guarded_row before[ROWS])
{
	cr_assert(is_untouched(&found.first, sizeof found.first), "%s: written before the rows", name);
	cr_assert(is_untouched(&found.last, sizeof found.last), "%s: written behind the rows", name);
	for (uint32_t r = 0; r < ROWS; r++) {
		const guarded_row *const row = &found.rows[r];
		if (r < batch->first || r >= batch->first + batch->count) {
			cr_assert(is_untouched(row, sizeof *row), "%s: row %u is not of the batch", name, r);
		} else if (reasons[r] == 0) {
			cr_assert_eq(memcmp(row, &before[r], sizeof *row), 0, "%s: row %u has other bits", name, r);
		} else {
			check_invalid_row(name, r, &row->row, reasons[r]);
			cr_assert_eq(row->overlap, 0, "%s: row %u overlaps", name, r);
			cr_assert(is_untouched(row->before, sizeof row->before) && is_untouched(row->after, sizeof row->after),
				"%s: written beside row %u", name, r);
		}
	}
}

static void check_counts(
	const char *name, const wp_batch *batch, const uint32_t reasons[ROWS], const wp_statistics *statistics)
{
	uint64_t invalid = 0, first = 0;
	for (uint64_t r = batch->first; r < batch->first + batch->count; r++)
		if (reasons[r] != 0 && invalid++ == 0)
			first = r;
	cr_assert_eq(statistics->rows, batch->count, "%s", name);
	cr_assert_eq(statistics->invalid, invalid, "%s", name);
	cr_assert(invalid == 0 || statistics->first_invalid_row == first, "%s", name);
}

/* The batch through every query and variant. */
static void check_batch(
	const char *name, const wp_batch *batch, const uint32_t reasons[ROWS], const guarded_rows before[QUERIES])
{
	const wp_results results = results_of(found.rows);
	for (query q = OVERLAP; q < QUERIES; q++) {
		for (uint32_t v = 0; v < WP_VARIANT_COUNT; v++) {
			char what[256];
			wp_statistics statistics = {0};
			snprintf(what, sizeof what, "%s: %s, %s", name, query_names[q], wp_variant_name((wp_variant)v));
			if (workspaces[v] == NULL)
				continue;
			memset(&found, GUARD, sizeof found);
			const wp_error error = run(workspaces[v], batch, q, MAX_SEPARATION, &results, &statistics);
			cr_assert_eq(error, WP_OK, "%s: %s", what, wp_error_text(error));
			check_rows(what, batch, reasons, before[q].rows);
			check_counts(what, batch, reasons, &statistics);
		}
	}
}

static void check_invalid_reference(const char *name, uint32_t r, const wp_reference_row *row, uint32_t reasons)
{
	bool zero = true;
	for (int k = 0; k < 3; k++)
		zero &= row->normal[k] == 0 && row->point_a[k] == 0 && row->point_b[k] == 0;
	cr_assert_eq(row->status, WP_STATUS_INVALID | reasons, "%s: reference row %u is %x, not %x", name, r, row->status,
		WP_STATUS_INVALID | reasons);
	cr_assert(zero && isnan(row->separation) && isnan(row->lower) && isnan(row->upper), "%s: row %u", name, r);
}

static void check_reference(const char *name, const scene *s, const wp_batch *batch, const uint32_t reasons[ROWS])
{
	const reference_rows *const f = &found_reference;
	memset(&found_reference, GUARD, sizeof found_reference);
	cr_assert_eq(wp_reference_contact(batch, s->shapes, SHAPES, found_reference.rows), WP_OK, "%s", name);
	cr_assert(is_untouched(&f->first, sizeof f->first) && is_untouched(&f->last, sizeof f->last), "%s", name);
	for (uint32_t r = 0; r < ROWS; r++) {
		const wp_reference_row *const row = &f->rows[r];
		if (r < batch->first || r >= batch->first + batch->count)
			cr_assert(is_untouched(row, sizeof *row), "%s: row %u is not of the batch", name, r);
		else if (reasons[r] == 0)
			cr_assert_eq(memcmp(row, &good_reference.rows[r], sizeof *row), 0, "%s: row %u", name, r);
		else
			check_invalid_reference(name, r, row, reasons[r]);
	}
}

/* The one-pair forms, of body `bad` and a good one. */
static void check_pairs(const char *name, const scene *s, const body *bad, uint32_t reasons)
{
	const wp_pose at = {.rotation = {0, 0, 0, 1}};
	const double at_wide[3] = {0, 0, 0};
	wp_pose pose;
	memcpy(pose.position, bad->position, sizeof pose.position);
	memcpy(pose.rotation, bad->rotation, sizeof pose.rotation);
	const wp_shape *const shape = &s->shapes[bad->shape], *const box = &s->shapes[WP_SHAPE_BOX];
	for (query q = OVERLAP; q < QUERIES; q++) {
		guarded_row a, b;
		memset(&a, GUARD, sizeof a);
		memset(&b, GUARD, sizeof b);
		cr_assert_eq(run_pair(q, shape, &pose, box, &at, &a.row), WP_OK, "%s", name);
		cr_assert_eq(run_pair(q, box, &at, shape, &pose, &b.row), WP_OK, "%s", name);
		check_invalid_row(name, 0, &a.row, reasons);
		check_invalid_row(name, 1, &b.row, reasons << 4);
		cr_assert(is_untouched(a.before, sizeof a.before) && is_untouched(&a.overlap, 1 + sizeof a.after));
		cr_assert(is_untouched(b.before, sizeof b.before) && is_untouched(&b.overlap, 1 + sizeof b.after));
	}
	wp_reference_row row;
	cr_assert_eq(wp_reference_contact_pair(shape, bad->wide, bad->rotation, box, at_wide, at.rotation, &row), WP_OK);
	check_invalid_reference(name, 0, &row, reasons);
	cr_assert_eq(wp_reference_contact_pair(box, at_wide, at.rotation, shape, bad->wide, bad->rotation, &row), WP_OK);
	check_invalid_reference(name, 1, &row, reasons << 4);
}

/* The reasons of each row when the bad body has these on side A. */
static void spread_reasons(const scene *s, uint32_t of_bad_body, uint32_t reasons[ROWS])
{
	for (uint32_t r = 0; r < ROWS; r++)
		reasons[r] = (s->pairs[r][0] == BAD_BODY ? of_bad_body : 0) |
		             (s->pairs[r][1] == BAD_BODY ? of_bad_body << 4 : 0);
}

/* ---- NULL, for every pointer of every call -------------------------------------------------------- */

enum { ARGUMENTS = 11 };

/* A call made with argument `null` replaced by NULL, the arguments counted as their names are in the table. */
typedef struct pointer_call {
	const char *name;
	wp_error (*run)(uint32_t null);
	const char *arguments[ARGUMENTS];
	uint32_t may_be_null; /* bits of arguments */
} pointer_call;

#define KEPT(index, pointer) (null == (index) ? NULL : (pointer))

/* Where the calls of this table write. */
static struct outputs {
	guarded_row row;
	wp_reference_row reference;
	wp_statistics statistics;
	wp_manifold_point points[WP_MANIFOLD_POINT_MAX];
	uint32_t count;
	float fraction;
	wp_cache cache;
	wp2d_row plane_row;
	wp2d_manifold_point plane_points[WP2D_MANIFOLD_POINT_MAX];
	wp_pose poses[2];
	wp_variant variant;
	const void *made;
	wp_persistent_manifold kept; /* without points before the call */
} outputs;

static wp_error null_variant_from_name(uint32_t null)
{
	return wp_variant_from_name(KEPT(0, "scalar"), KEPT(1, &outputs.variant));
}

static wp_error null_workspace_init(uint32_t null)
{
	wp_workspace *made = workspaces[0];
	const wp_error error = wp_workspace_init(KEPT(0, memory), sizeof memory, WP_VARIANT_AUTO, KEPT(1, &made));
	outputs.made = made;
	return error;
}

static wp_error null_table_build(uint32_t null)
{
	const wp_shape_table *made = good.table;
	wp_shape_report report;
	const wp_error error = wp_shape_table_build(
		KEPT(0, good.shapes), SHAPES, KEPT(1, memory), sizeof memory, KEPT(2, &made), KEPT(3, &report));
	outputs.made = made;
	return error;
}

static wp_error null_table_init(uint32_t null)
{
	wp_shape_table *made = NULL;
	const wp_error error = wp_shape_table_init(KEPT(0, memory), sizeof memory, SHAPES, KEPT(1, &made));
	outputs.made = made;
	return error;
}

static wp_error null_table_set(uint32_t null)
{
	static _Alignas(WP_ALIGNMENT) unsigned char own[1 << 10];
	wp_shape_table *table;
	const char *reason;
	const wp_error error = wp_shape_table_init(own, sizeof own, 2, &table);
	cr_assert_eq(error, WP_OK);
	return wp_shape_table_set(KEPT(0, table), 1, KEPT(1, &good.shapes[0]), KEPT(2, &reason));
}

static wp_error null_table_remove(uint32_t null)
{
	static _Alignas(WP_ALIGNMENT) unsigned char own[1 << 10];
	wp_shape_table *table;
	const wp_error error = wp_shape_table_init(own, sizeof own, 2, &table);
	cr_assert_eq(error, WP_OK);
	return wp_shape_table_remove(KEPT(0, table), 1);
}

static wp_error null_hull_build(uint32_t null)
{
	cube c;
	make_cube(&c);
	c.input.vertices.data = KEPT(4, c.input.vertices.data);
	c.input.face_sizes = KEPT(5, c.input.face_sizes);
	c.input.face_indices = KEPT(6, c.input.face_indices);
	const wp_hull *made = hull;
	size_t bad;
	const wp_error error = wp_hull_build(
		KEPT(0, &c.input), KEPT(1, memory), sizeof memory, KEPT(2, &made), KEPT(3, &bad));
	outputs.made = made;
	return error;
}

static wp_error null_hull_from_memory(uint32_t null)
{
	const wp_hull *made = hull;
	const wp_error error = wp_hull_from_memory(KEPT(0, hull_memory), sizeof hull_memory, KEPT(1, &made));
	outputs.made = made;
	return error;
}

static wp_error null_query(query q, uint32_t null)
{
	wp_batch batch = batch_of(&good, WP_REAL_FLOAT, false);
	batch.shapes = KEPT(4, batch.shapes);
	const wp_results results = results_of(found.rows);
	return run(KEPT(0, workspaces[0]), KEPT(1, &batch), q, 0, KEPT(2, &results), KEPT(3, &outputs.statistics));
}

static wp_error null_overlap(uint32_t null) { return null_query(OVERLAP, null); }

static wp_error null_distance(uint32_t null) { return null_query(DISTANCE, null); }

static wp_error null_contact(uint32_t null) { return null_query(CONTACT, null); }

static wp_error null_pair(query q, uint32_t null)
{
	const wp_pose pose = {.rotation = {0, 0, 0, 1}};
	wp_workspace *const workspace = KEPT(0, workspaces[0]);
	const wp_shape *const a = KEPT(1, &good.shapes[1]), *const b = KEPT(3, &good.shapes[5]);
	const wp_pose *const pose_a = KEPT(2, &pose), *const pose_b = KEPT(4, &pose);
	wp_row *const row = KEPT(5, &outputs.row.row);
	return q == OVERLAP  ? wp_overlap_pair(workspace, a, pose_a, b, pose_b, row)
	     : q == DISTANCE ? wp_distance_pair(workspace, a, pose_a, b, pose_b, row)
	                     : wp_contact_pair(workspace, a, pose_a, b, pose_b, NULL, row);
}

static wp_error null_overlap_pair(uint32_t null) { return null_pair(OVERLAP, null); }

static wp_error null_distance_pair(uint32_t null) { return null_pair(DISTANCE, null); }

static wp_error null_contact_pair(uint32_t null) { return null_pair(CONTACT, null); }

/* One row of the scene, which the outputs have room for. */
static wp_batch row_of_scene(void)
{
	wp_batch batch = batch_of(&good, WP_REAL_FLOAT, false);
	batch.count = 1;
	return batch;
}

static wp_error null_manifold(uint32_t null)
{
	wp_batch batch = row_of_scene();
	batch.shapes = KEPT(5, batch.shapes);
	const wp_results results = results_of(found.rows);
	const wp_manifolds manifolds = {.count = {KEPT(6, &outputs.count)}, .points = {KEPT(7, outputs.points)}};
	return wp_contact_manifold(KEPT(0, workspaces[0]), KEPT(1, &batch), NULL, KEPT(2, &results), KEPT(3, &manifolds),
		KEPT(4, &outputs.statistics));
}

static wp_error null_cast(uint32_t null)
{
	wp_batch batch = row_of_scene();
	batch.shapes = KEPT(6, batch.shapes);
	const wp_motions motions = {.translation = {good.bodies[0].position, sizeof(body)}};
	const wp_results results = results_of(found.rows);
	const wp_float_column fraction = {&outputs.fraction, 0};
	return wp_cast(KEPT(0, workspaces[0]), KEPT(1, &batch), KEPT(2, &motions), KEPT(3, &motions), KEPT(4, &results),
		KEPT(7, &fraction), KEPT(5, &outputs.statistics));
}

static wp_error null_depth_along(uint32_t null)
{
	static const float direction[3] = {0, 1, 0};
	wp_batch batch = row_of_scene();
	batch.shapes = KEPT(5, batch.shapes);
	const wp_results results = results_of(found.rows);
	const wp_const_float_column ways = {KEPT(6, direction), 0};
	return wp_depth_along(
		KEPT(0, workspaces[0]), KEPT(1, &batch), KEPT(2, &ways), KEPT(3, &results), KEPT(4, &outputs.statistics));
}

static wp_error null_manifold_pair(uint32_t null)
{
	const wp_pose pose = {.rotation = {0, 0, 0, 1}};
	return wp_contact_manifold_pair(KEPT(0, workspaces[0]), KEPT(1, &good.shapes[1]), KEPT(2, &pose),
		KEPT(3, &good.shapes[5]), KEPT(4, &pose), NULL, KEPT(5, &outputs.row.row), KEPT(6, outputs.points), 0,
		KEPT(7, &outputs.count));
}

static wp_error null_cast_pair(uint32_t null)
{
	const wp_pose pose = {.rotation = {0, 0, 0, 1}};
	return wp_cast_pair(KEPT(0, workspaces[0]), KEPT(1, &good.shapes[1]), KEPT(2, &pose), KEPT(4, &good.shapes[5]),
		KEPT(5, &pose), KEPT(3, &pose), KEPT(6, &pose), KEPT(8, &outputs.row.row), KEPT(7, &outputs.fraction));
}

static wp_error null_depth_along_pair(uint32_t null)
{
	static const float direction[3] = {0, 1, 0};
	const wp_pose pose = {.rotation = {0, 0, 0, 1}};
	return wp_depth_along_pair(KEPT(0, workspaces[0]), KEPT(1, &good.shapes[1]), KEPT(2, &pose),
		KEPT(3, &good.shapes[5]), KEPT(4, &pose), KEPT(5, direction), KEPT(6, &outputs.row.row));
}

/* A pair of the scene's table, without the pointers from `first` on that are missing. */
static const wp_pair *pair_of_table(uint32_t null, uint32_t first, wp_pair *pair)
{
	static const wp_pose pose = {.rotation = {0, 0, 0, 1}};
	*pair = (wp_pair){.shapes = KEPT(first, good.table),
		.shape_a = 1,
		.shape_b = 5,
		.position_a = KEPT(first + 1, pose.position),
		.rotation_a = KEPT(first + 2, pose.rotation),
		.position_b = KEPT(first + 3, pose.position),
		.rotation_b = KEPT(first + 4, pose.rotation)};
	return KEPT(1, pair);
}

static wp_error null_prepared(query q, uint32_t null)
{
	wp_pair made;
	wp_workspace *const workspace = KEPT(0, workspaces[0]);
	const wp_pair *const pair = pair_of_table(null, 4, &made);
	wp_row *const row = KEPT(2, &outputs.row.row);
	wp_cache *const cache = KEPT(3, &outputs.cache);
	return q == OVERLAP  ? wp_overlap_prepared(workspace, pair, cache, row)
	     : q == DISTANCE ? wp_distance_prepared(workspace, pair, cache, row)
	                     : wp_contact_prepared(workspace, pair, NULL, cache, row);
}

static wp_error null_overlap_prepared(uint32_t null) { return null_prepared(OVERLAP, null); }

static wp_error null_distance_prepared(uint32_t null) { return null_prepared(DISTANCE, null); }

static wp_error null_contact_prepared(uint32_t null) { return null_prepared(CONTACT, null); }

static wp_error null_manifold_prepared(uint32_t null)
{
	wp_pair made;
	return wp_contact_manifold_prepared(KEPT(0, workspaces[0]), pair_of_table(null, 6, &made), NULL,
		KEPT(5, &outputs.cache), KEPT(2, &outputs.row.row), KEPT(3, outputs.points), 0, KEPT(4, &outputs.count));
}

static wp_error null_cast_prepared(uint32_t null)
{
	wp_pair made;
	const wp_motions motion = {.translation = {NULL}};
	return wp_cast_prepared(KEPT(0, workspaces[0]), pair_of_table(null, 6, &made), KEPT(4, &motion), KEPT(5, &motion),
		KEPT(3, &outputs.row.row), KEPT(2, &outputs.fraction));
}

static wp_error null_depth_along_prepared(uint32_t null)
{
	static const float direction[3] = {0, 1, 0};
	wp_pair made;
	return wp_depth_along_prepared(
		KEPT(0, workspaces[0]), pair_of_table(null, 4, &made), KEPT(2, direction), KEPT(3, &outputs.row.row));
}

static const float up[3] = {0, 1, 0};
static const wp_pose at_rest = {.rotation = {0, 0, 0, 1}};
static const wp_persistent_thresholds thresholds = {1, 1, 1};
static const wp_manifold_point some_point = {.separation = -0.5f};

static wp_error null_persistent_poses(uint32_t null)
{
	static const double origin[3] = {0, 0, 0};
	static const float rotation[4] = {0, 0, 0, 1};
	return wp_persistent_poses(KEPT(0, origin), KEPT(1, rotation), KEPT(2, origin), KEPT(3, rotation),
		KEPT(4, &outputs.poses[0]), KEPT(5, &outputs.poses[1]));
}

static wp_error null_persistent_refresh(uint32_t null)
{
	return wp_persistent_refresh(
		KEPT(0, &outputs.kept), KEPT(1, &at_rest), KEPT(2, &at_rest), KEPT(3, up), KEPT(4, &thresholds));
}

static wp_error null_persistent_update(uint32_t null)
{
	return wp_persistent_update(KEPT(0, &outputs.kept), KEPT(1, &at_rest), KEPT(2, &at_rest), KEPT(3, up),
		KEPT(4, &some_point), 1, KEPT(5, &thresholds));
}

static wp_error null_persistent_add(uint32_t null)
{
	return wp_persistent_add(KEPT(0, &outputs.kept), KEPT(1, &at_rest), KEPT(2, &at_rest), KEPT(3, up),
		KEPT(4, &some_point), KEPT(5, &thresholds));
}

/* ---- the same in 2D ---- */

static _Alignas(WP_ALIGNMENT) unsigned char plane_table_memory[1024];
static const wp2d_shape circle = {.kind = WP2D_SHAPE_CIRCLE, .radius = 1};
static const wp2d_pose plane_pose = {.rotation = {1, 0}};

static wp_error null_2d_table(uint32_t null)
{
	const wp2d_shape_table *made = NULL;
	wp_shape_report report;
	const wp_error error = wp2d_shape_table_build(
		KEPT(0, &circle), 1, KEPT(1, memory), sizeof memory, KEPT(2, &made), KEPT(3, &report));
	outputs.made = made;
	return error;
}

static wp2d_batch plane_batch(const wp2d_shape_table **table)
{
	cr_assert_eq(wp2d_shape_table_build(&circle, 1, plane_table_memory, sizeof plane_table_memory, table, NULL), WP_OK);
	return (wp2d_batch){.shapes = *table,
		.a = {.position = {plane_pose.position}, .rotation = {plane_pose.rotation}, .count = 1},
		.count = 1};
}

static wp_error null_2d_query(query q, uint32_t null)
{
	const wp2d_shape_table *table;
	wp2d_batch batch = plane_batch(&table);
	batch.shapes = KEPT(4, batch.shapes);
	const wp2d_results results = wp2d_results_of_rows(&outputs.plane_row);
	wp_workspace *const workspace = KEPT(0, workspaces[0]);
	const wp2d_batch *const asked = KEPT(1, &batch);
	const wp2d_results *const to = KEPT(2, &results);
	wp_statistics *const statistics = KEPT(3, &outputs.statistics);
	return q == OVERLAP  ? wp2d_overlap(workspace, asked, to, statistics)
	     : q == DISTANCE ? wp2d_distance(workspace, asked, to, statistics)
	                     : wp2d_contact(workspace, asked, NULL, to, statistics);
}

static wp_error null_2d_overlap(uint32_t null) { return null_2d_query(OVERLAP, null); }

static wp_error null_2d_distance(uint32_t null) { return null_2d_query(DISTANCE, null); }

static wp_error null_2d_contact(uint32_t null) { return null_2d_query(CONTACT, null); }

static wp_error null_2d_manifold(uint32_t null)
{
	const wp2d_shape_table *table;
	wp2d_batch batch = plane_batch(&table);
	batch.shapes = KEPT(5, batch.shapes);
	const wp2d_results results = wp2d_results_of_rows(&outputs.plane_row);
	const wp2d_manifolds manifolds = {.count = {KEPT(6, &outputs.count)}, .points = {KEPT(7, outputs.plane_points)}};
	return wp2d_contact_manifold(KEPT(0, workspaces[0]), KEPT(1, &batch), NULL, KEPT(2, &results), KEPT(3, &manifolds),
		KEPT(4, &outputs.statistics));
}

static wp_error null_2d_cast(uint32_t null)
{
	const wp2d_shape_table *table;
	wp2d_batch batch = plane_batch(&table);
	batch.shapes = KEPT(6, batch.shapes);
	const wp2d_motions motions = {.translation = {plane_pose.position}};
	const wp2d_results results = wp2d_results_of_rows(&outputs.plane_row);
	const wp_float_column fraction = {&outputs.fraction, 0};
	return wp2d_cast(KEPT(0, workspaces[0]), KEPT(1, &batch), KEPT(2, &motions), KEPT(3, &motions), KEPT(4, &results),
		KEPT(7, &fraction), KEPT(5, &outputs.statistics));
}

static wp_error null_2d_pair(query q, uint32_t null)
{
	wp_workspace *const workspace = KEPT(0, workspaces[0]);
	const wp2d_shape *const a = KEPT(1, &circle), *const b = KEPT(3, &circle);
	const wp2d_pose *const pose_a = KEPT(2, &plane_pose), *const pose_b = KEPT(4, &plane_pose);
	wp2d_row *const row = KEPT(5, &outputs.plane_row);
	return q == OVERLAP  ? wp2d_overlap_pair(workspace, a, pose_a, b, pose_b, row)
	     : q == DISTANCE ? wp2d_distance_pair(workspace, a, pose_a, b, pose_b, row)
	                     : wp2d_contact_pair(workspace, a, pose_a, b, pose_b, NULL, row);
}

static wp_error null_2d_overlap_pair(uint32_t null) { return null_2d_pair(OVERLAP, null); }

static wp_error null_2d_distance_pair(uint32_t null) { return null_2d_pair(DISTANCE, null); }

static wp_error null_2d_contact_pair(uint32_t null) { return null_2d_pair(CONTACT, null); }

static wp_error null_2d_manifold_pair(uint32_t null)
{
	return wp2d_contact_manifold_pair(KEPT(0, workspaces[0]), KEPT(1, &circle), KEPT(2, &plane_pose), KEPT(3, &circle),
		KEPT(4, &plane_pose), NULL, KEPT(5, &outputs.plane_row), KEPT(6, outputs.plane_points), 0,
		KEPT(7, &outputs.count));
}

static wp_error null_2d_cast_pair(uint32_t null)
{
	return wp2d_cast_pair(KEPT(0, workspaces[0]), KEPT(1, &circle), KEPT(2, &plane_pose), KEPT(4, &circle),
		KEPT(5, &plane_pose), KEPT(3, &plane_pose), KEPT(6, &plane_pose), KEPT(8, &outputs.plane_row),
		KEPT(7, &outputs.fraction));
}

static wp_error null_reference_pair(uint32_t null)
{
	const double at[3] = {0, 0, 0};
	const float rotation[4] = {0, 0, 0, 1};
	return wp_reference_contact_pair(KEPT(0, &good.shapes[1]), KEPT(1, at), KEPT(2, rotation), KEPT(3, &good.shapes[5]),
		KEPT(4, at), KEPT(5, rotation), KEPT(6, &outputs.reference));
}

static wp_error null_reference(uint32_t null)
{
	wp_batch batch = batch_of(&good, WP_REAL_FLOAT, false);
	batch.shapes = NULL;
	return wp_reference_contact(KEPT(0, &batch), KEPT(1, good.shapes), SHAPES, KEPT(2, found_reference.rows));
}

#define QUERY_ARGUMENTS                                                \
	{                                                                  \
		"workspace", "batch", "results", "statistics", "batch->shapes" \
	}
#define MANIFOLD_ARGUMENTS                                                                                    \
	{                                                                                                         \
		"workspace", "batch", "results", "manifolds", "statistics", "batch->shapes", "manifolds->count.data", \
			"manifolds->points.data"                                                                          \
	}
#define CAST_ARGUMENTS                                                                                       \
	{                                                                                                        \
		"workspace", "batch", "motions_a", "motions_b", "results", "statistics", "batch->shapes", "fraction" \
	}
#define PAIR_ARGUMENTS                                               \
	{                                                                \
		"workspace", "shape_a", "pose_a", "shape_b", "pose_b", "row" \
	}
#define MANIFOLD_PAIR_ARGUMENTS                                                         \
	{                                                                                   \
		"workspace", "shape_a", "pose_a", "shape_b", "pose_b", "row", "points", "count" \
	}
#define CAST_PAIR_ARGUMENTS                                                                        \
	{                                                                                              \
		"workspace", "shape_a", "pose_a", "end_a", "shape_b", "pose_b", "end_b", "fraction", "row" \
	}
#define PAIR_FIELDS "pair->shapes", "pair->position_a", "pair->rotation_a", "pair->position_b", "pair->rotation_b"
#define PREPARED_ARGUMENTS                               \
	{                                                    \
		"workspace", "pair", "row", "cache", PAIR_FIELDS \
	}

static const pointer_call pointer_calls[] = {
	{"wp_workspace_init", null_workspace_init, {"memory", "workspace"}, 0},
	{"wp_shape_table_build", null_table_build, {"shapes", "memory", "table", "report"}, 1 << 3},
	{"wp_shape_table_init", null_table_init, {"memory", "table"}, 0},
	{"wp_shape_table_set", null_table_set, {"table", "shape", "reason"}, 1 << 2},
	{"wp_shape_table_remove", null_table_remove, {"table"}, 0},
	{"wp_hull_build", null_hull_build,
		{"input", "memory", "hull", "bad_index", "input->vertices.data", "input->face_sizes", "input->face_indices"},
		1 << 3},
	{"wp_hull_from_memory", null_hull_from_memory, {"memory", "hull"}, 0},
	{"wp_variant_from_name", null_variant_from_name, {"name", "variant"}, 0},
	{"wp_overlap", null_overlap, QUERY_ARGUMENTS, 1 << 3},
	{"wp_distance", null_distance, QUERY_ARGUMENTS, 1 << 3},
	{"wp_contact", null_contact, QUERY_ARGUMENTS, 1 << 3},
	{"wp_contact_manifold", null_manifold, MANIFOLD_ARGUMENTS, 1 << 4},
	{"wp_cast", null_cast, CAST_ARGUMENTS, 1 << 2 | 1 << 3 | 1 << 5 | 1 << 7},
	{"wp_depth_along", null_depth_along,
		{"workspace", "batch", "direction", "results", "statistics", "batch->shapes", "direction->data"}, 1 << 4},
	{"wp_overlap_pair", null_overlap_pair, PAIR_ARGUMENTS, 0},
	{"wp_distance_pair", null_distance_pair, PAIR_ARGUMENTS, 0},
	{"wp_contact_pair", null_contact_pair, PAIR_ARGUMENTS, 0},
	{"wp_contact_manifold_pair", null_manifold_pair, MANIFOLD_PAIR_ARGUMENTS, 0},
	{"wp_cast_pair", null_cast_pair, CAST_PAIR_ARGUMENTS, 1 << 3 | 1 << 6},
	{"wp_depth_along_pair", null_depth_along_pair,
		{"workspace", "shape_a", "pose_a", "shape_b", "pose_b", "direction", "row"}, 0},
	{"wp_overlap_prepared", null_overlap_prepared, PREPARED_ARGUMENTS, 1 << 3},
	{"wp_distance_prepared", null_distance_prepared, PREPARED_ARGUMENTS, 1 << 3},
	{"wp_contact_prepared", null_contact_prepared, PREPARED_ARGUMENTS, 1 << 3},
	{"wp_contact_manifold_prepared", null_manifold_prepared,
		{"workspace", "pair", "row", "points", "count", "cache", PAIR_FIELDS}, 1 << 5},
	{"wp_cast_prepared", null_cast_prepared,
		{"workspace", "pair", "fraction", "row", "motion_a", "motion_b", PAIR_FIELDS}, 1 << 4 | 1 << 5},
	{"wp_depth_along_prepared", null_depth_along_prepared, {"workspace", "pair", "direction", "row", PAIR_FIELDS}, 0},
	{"wp_persistent_poses", null_persistent_poses,
		{"position_a", "rotation_a", "position_b", "rotation_b", "pose_a", "pose_b"}, 0},
	{"wp_persistent_refresh", null_persistent_refresh, {"manifold", "pose_a", "pose_b", "normal", "thresholds"},
		1 << 3},
	{"wp_persistent_update", null_persistent_update, {"manifold", "pose_a", "pose_b", "normal", "points", "thresholds"},
		0},
	{"wp_persistent_add", null_persistent_add, {"manifold", "pose_a", "pose_b", "normal", "point", "thresholds"}, 0},
	{"wp2d_shape_table_build", null_2d_table, {"shapes", "memory", "table", "report"}, 1 << 3},
	{"wp2d_overlap", null_2d_overlap, QUERY_ARGUMENTS, 1 << 3},
	{"wp2d_distance", null_2d_distance, QUERY_ARGUMENTS, 1 << 3},
	{"wp2d_contact", null_2d_contact, QUERY_ARGUMENTS, 1 << 3},
	{"wp2d_contact_manifold", null_2d_manifold, MANIFOLD_ARGUMENTS, 1 << 4},
	{"wp2d_cast", null_2d_cast, CAST_ARGUMENTS, 1 << 2 | 1 << 3 | 1 << 5 | 1 << 7},
	{"wp2d_overlap_pair", null_2d_overlap_pair, PAIR_ARGUMENTS, 0},
	{"wp2d_distance_pair", null_2d_distance_pair, PAIR_ARGUMENTS, 0},
	{"wp2d_contact_pair", null_2d_contact_pair, PAIR_ARGUMENTS, 0},
	{"wp2d_contact_manifold_pair", null_2d_manifold_pair, MANIFOLD_PAIR_ARGUMENTS, 0},
	{"wp2d_cast_pair", null_2d_cast_pair, CAST_PAIR_ARGUMENTS, 1 << 3 | 1 << 6},
	{"wp_reference_contact_pair", null_reference_pair,
		{"shape_a", "position_a", "rotation_a", "shape_b", "position_b", "rotation_b", "row"}, 0},
	{"wp_reference_contact", null_reference, {"batch", "shapes", "rows"}, 0},
};

/* With no argument missing the call works; with one missing it names it and writes nothing but a NULL to where
 * the thing made would go. */
static void check_pointer(const pointer_call *call, uint32_t null)
{
	static const wp_persistent_manifold empty;
	const char *const argument = null < ARGUMENTS ? call->arguments[null] : "nothing";
	const bool legal = null >= ARGUMENTS || (call->may_be_null >> null & 1);
	char expected[80];
	memset(&outputs, GUARD, sizeof outputs);
	memset(&outputs.kept, 0, sizeof outputs.kept);
	memset(&found, GUARD, sizeof found);
	memset(&found_reference, GUARD, sizeof found_reference);
	memset(memory, GUARD, sizeof memory);
	const wp_error error = call->run(null);
	cr_assert_eq(error == WP_OK, legal, "%s without %s: %s", call->name, argument, wp_error_text(error));
	if (legal)
		return;
	snprintf(expected, sizeof expected, "%s is NULL", argument);
	cr_assert_str_eq(wp_error_text(error), expected, "%s without %s: %s", call->name, argument, wp_error_text(error));
	cr_assert_eq(memcmp(&outputs.kept, &empty, sizeof empty), 0, "%s without %s writes", call->name, argument);
	cr_assert(is_untouched(&outputs, offsetof(struct outputs, made)), "%s without %s writes", call->name, argument);
	cr_assert(is_untouched(&found, sizeof found), "%s without %s writes rows", call->name, argument);
	cr_assert(is_untouched(&found_reference, sizeof found_reference), "%s without %s", call->name, argument);
	cr_assert(is_untouched(memory, sizeof memory), "%s without %s writes memory", call->name, argument);
	const bool untold = strcmp(argument, "workspace") == 0 || strcmp(argument, "table") == 0 ||
	                    strcmp(argument, "hull") == 0 || is_untouched(&outputs.made, sizeof outputs.made);
	cr_assert(untold || outputs.made == NULL, "%s without %s hands something out", call->name, argument);
}

Test(bad_input, null_pointers)
{
	for (size_t i = 0; i < COUNT_OF(pointer_calls); i++) {
		check_pointer(&pointer_calls[i], ARGUMENTS);
		for (uint32_t null = 0; null < ARGUMENTS && pointer_calls[i].arguments[null] != NULL; null++)
			check_pointer(&pointer_calls[i], null);
	}
}

/* ---- memory that is misaligned or too small ------------------------------------------------------- */

typedef struct builder {
	const char *name;
	size_t (*size)(void);
	wp_error (*build)(void *memory, size_t size, const void **made);
} builder;

static wp_error build_workspace(void *at, size_t size, const void **made)
{
	wp_workspace *workspace = workspaces[0];
	const wp_error error = wp_workspace_init(at, size, WP_VARIANT_SCALAR, &workspace);
	*made = workspace;
	return error;
}

static size_t table_bytes(void) { return wp_shape_table_size(SHAPES); }

static wp_error build_shape_table(void *at, size_t size, const void **made)
{
	const wp_shape_table *table = good.table;
	const wp_error error = wp_shape_table_build(good.shapes, SHAPES, at, size, &table, NULL);
	*made = table;
	return error;
}

static wp_error init_shape_table(void *at, size_t size, const void **made)
{
	wp_shape_table *table = NULL;
	const wp_error error = wp_shape_table_init(at, size, SHAPES, &table);
	*made = table;
	return error;
}

static size_t empty_table_bytes(void) { return wp_shape_table_size(0); }

static wp_error build_empty_table(void *at, size_t size, const void **made)
{
	const wp_shape_table *table = good.table;
	const wp_error error = wp_shape_table_build(NULL, 0, at, size, &table, NULL);
	*made = table;
	return error;
}

static size_t hull_bytes(void) { return wp_hull_size(8, 6, 24); }

static wp_error build_hull(void *at, size_t size, const void **made)
{
	cube c;
	make_cube(&c);
	const wp_hull *built = hull;
	const wp_error error = wp_hull_build(&c.input, at, size, &built, NULL);
	*made = built;
	return error;
}

static size_t bare_hull_bytes(void) { return wp_hull_size(8, 0, 0); }

/* Without faces, whose arrays may be NULL then. */
static wp_error build_bare_hull(void *at, size_t size, const void **made)
{
	cube c;
	make_cube(&c);
	c.input.face_count = 0;
	c.input.face_sizes = c.input.face_indices = NULL;
	const wp_hull *built = hull;
	const wp_error error = wp_hull_build(&c.input, at, size, &built, NULL);
	*made = built;
	return error;
}

static const builder builders[] = {
	{"wp_workspace_init", wp_workspace_size, build_workspace},
	{"wp_shape_table_build", table_bytes, build_shape_table},
	{"wp_shape_table_init", table_bytes, init_shape_table},
	{"wp_shape_table_build of none", empty_table_bytes, build_empty_table},
	{"wp_hull_build", hull_bytes, build_hull},
	{"wp_hull_build without faces", bare_hull_bytes, build_bare_hull},
};

typedef struct memory_case {
	const char *name;
	bool is_null;
	size_t offset;  /* bytes past an aligned address */
	size_t missing; /* bytes fewer than the size function returns; more than that: none at all */
	wp_error expected;
} memory_case;

static const memory_case memory_cases[] = {
	{"as much as is required", .expected = WP_OK},
	{"NULL", .is_null = true, .expected = WP_ERROR_NULL_MEMORY},
	{"NULL and no bytes", .is_null = true, .missing = SIZE_MAX, .expected = WP_ERROR_NULL_MEMORY},
	{"1 byte off", .offset = 1, .expected = WP_ERROR_MEMORY_MISALIGNED},
	{"4 bytes off", .offset = 4, .expected = WP_ERROR_MEMORY_MISALIGNED},
	{"16 bytes off", .offset = 16, .expected = WP_ERROR_MEMORY_MISALIGNED},
	{"32 bytes off", .offset = 32, .expected = WP_ERROR_MEMORY_MISALIGNED},
	{"63 bytes off", .offset = 63, .expected = WP_ERROR_MEMORY_MISALIGNED},
	{"1 byte too few", .missing = 1, .expected = WP_ERROR_MEMORY_TOO_SMALL},
	{"a line too few", .missing = WP_ALIGNMENT, .expected = WP_ERROR_MEMORY_TOO_SMALL},
	{"no bytes", .missing = SIZE_MAX, .expected = WP_ERROR_MEMORY_TOO_SMALL},
};

static void check_memory(const builder *b, const memory_case *c)
{
	const size_t needed = b->size(), size = c->missing < needed ? needed - c->missing : 0;
	const void *made = NULL;
	cr_assert(needed > 0 && needed + WP_ALIGNMENT <= sizeof memory, "%s", b->name);
	memset(memory, GUARD, sizeof memory);
	const wp_error error = b->build(c->is_null ? NULL : memory + c->offset, size, &made);
	cr_assert_eq(error, c->expected, "%s in memory %s: %s", b->name, c->name, wp_error_text(error));
	cr_assert_eq(made, error == WP_OK ? memory : NULL, "%s in memory %s", b->name, c->name);
	const size_t written = error == WP_OK ? needed : 0;
	cr_assert(
		is_untouched(memory + written, sizeof memory - written), "%s in memory %s writes too far", b->name, c->name);
}

Test(bad_input, memory)
{
	for (size_t i = 0; i < COUNT_OF(builders); i++)
		for (size_t k = 0; k < COUNT_OF(memory_cases); k++)
			check_memory(&builders[i], &memory_cases[k]);
}

/* ---- counts, numbers and names -------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint32_t variant;
	wp_error expected;
} variant_cases[] = {
	{"the count of variants", WP_VARIANT_COUNT, WP_ERROR_VARIANT_UNKNOWN},
	{"99", 99, WP_ERROR_VARIANT_UNKNOWN},
	{"2^31", UINT32_C(1) << 31, WP_ERROR_VARIANT_UNKNOWN},
	{"all bits", UINT32_MAX, WP_ERROR_VARIANT_UNKNOWN},
#if defined(__x86_64__) || defined(__i386__)
	{"for AArch64", WP_VARIANT_NEON, WP_ERROR_VARIANT_NOT_BUILT},
	{"for WebAssembly", WP_VARIANT_WASM, WP_ERROR_VARIANT_NOT_BUILT},
#elif defined(__aarch64__)
	{"for x86", WP_VARIANT_SSE2, WP_ERROR_VARIANT_NOT_BUILT},
#endif
};

Test(bad_input, variants)
{
	for (size_t i = 0; i < COUNT_OF(variant_cases); i++) {
		wp_workspace *made = workspaces[0];
		memset(memory, GUARD, sizeof memory);
		const wp_error error = wp_workspace_init(memory, sizeof memory, (wp_variant)variant_cases[i].variant, &made);
		cr_assert_eq(error, variant_cases[i].expected, "%s: %s", variant_cases[i].name, wp_error_text(error));
		cr_assert_null(made, "%s", variant_cases[i].name);
		cr_assert(is_untouched(memory, sizeof memory), "%s", variant_cases[i].name);
	}
	cr_assert_eq(wp_workspace_variant(NULL), WP_VARIANT_AUTO);
	cr_assert_eq(wp_workspace_variant((const wp_workspace *)(const void *)zeros), WP_VARIANT_AUTO);
}

static const struct {
	const char *name;
	size_t vertices, faces, indices;
	bool fits;
} size_cases[] = {
	{"one vertex", 1, 0, 0, true},
	{"a cube", 8, 6, 24, true},
	{"the most vertices", WP_HULL_VERTEX_MAX, 0, 0, true},
	{"no vertex", 0, 0, 0, false},
	{"a vertex too many", WP_HULL_VERTEX_MAX + 1, 0, 0, false},
	{"2^32 vertices", (size_t)1 << 32, 0, 0, false},
	{"2^32 + 1 vertices", ((size_t)1 << 32) + 1, 0, 0, false},
	{"the largest number of vertices", SIZE_MAX, 0, 0, false},
	{"faces without indices", 8, 6, 0, false},
	{"an index too few", 8, 6, 17, false},
	{"indices without faces", 8, 0, 3, false},
	{"2^32 faces", 8, (size_t)1 << 32, (size_t)3 << 32, false},
	{"a product of faces that wraps", 8, SIZE_MAX / 3 + 1, 24, false},
	{"the largest number of faces", 8, SIZE_MAX, SIZE_MAX, false},
	{"2^32 indices", 8, 6, (size_t)1 << 32, false},
	{"the largest number of indices", 8, 6, SIZE_MAX, false},
};

Test(bad_input, hull_sizes)
{
	for (size_t i = 0; i < COUNT_OF(size_cases); i++) {
		const size_t size = wp_hull_size(size_cases[i].vertices, size_cases[i].faces, size_cases[i].indices);
		cr_assert_eq(size != 0, size_cases[i].fits, "%s: %zu bytes", size_cases[i].name, size);
	}
}

static const struct {
	const char *name;
	size_t count;
} table_counts[] = {
	{"the largest number", SIZE_MAX},
	{"half of it", SIZE_MAX / 2},
	{"a product that wraps to little", SIZE_MAX / 64 + 1},
	{"2^56", (size_t)1 << 56},
	{"2^32", (size_t)1 << 32},
};

/* Too many shapes for any memory, or for this one. The shapes themselves must not be looked at. */
Test(bad_input, shape_counts)
{
	for (size_t i = 0; i < COUNT_OF(table_counts); i++) {
		const char *const name = table_counts[i].name;
		const size_t count = table_counts[i].count, size = wp_shape_table_size(count);
		const wp_shape_table *made = good.table;
		wp_shape_report report = {9, 9, "nothing"};
		memset(memory, GUARD, sizeof memory);
		cr_assert(size >= count, "%s: %zu bytes", name, size);
		cr_assert_eq(wp_shape_table_build(good.shapes, count, memory, sizeof memory, &made, &report),
			WP_ERROR_MEMORY_TOO_SMALL, "%s", name);
		cr_assert(made == NULL && report.invalid_count == 0 && report.reason == NULL, "%s", name);
		cr_assert_eq(wp_shape_table_build(good.shapes, count, memory, size - 1, &made, NULL), WP_ERROR_MEMORY_TOO_SMALL,
			"%s", name);
		cr_assert(is_untouched(memory, sizeof memory), "%s", name);
		cr_assert(wp_shape_table_bound(good.table, count) == 0, "%s", name);
	}
	cr_assert(wp_shape_table_bound(good.table, SHAPES) == 0);
	cr_assert(wp_shape_table_bound(good.table, INVALID_SHAPE) == 0);
}

/* Numbers that name nothing have a name all the same; no rows are no outputs. */
Test(bad_input, names)
{
	static const uint32_t kinds[] = {WP_SHAPE_KIND_COUNT, 100, UINT32_MAX};
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		cr_assert_str_eq(wp_shape_kind_name((wp_shape_kind)kinds[i]), "unknown", "kind %u", kinds[i]);
	cr_assert_eq(wp_status_text(WP_STATUS_INVALID, NULL, 0), strlen("invalid"));
	const wp_results none = wp_results_of_rows(NULL), expected = {0};
	cr_assert_eq(memcmp(&none, &expected, sizeof none), 0);
}

/* ---- bad numbers ---------------------------------------------------------------------------------- */

typedef struct bad_number {
	const char *name;
	float value;
	bool is_bad_length_only; /* legal as a coordinate */
	const char *reason;      /* its reason in the report, behind the name of the field */
} bad_number;

static const bad_number bad_numbers[] = {
	{"NaN", NAN, false, "is not finite"},
	{"-NaN", -NAN, false, "is not finite"},
	{"infinity", INFINITY, false, "is not finite"},
	{"-infinity", -INFINITY, false, "is not finite"},
	{"just too large", TOO_LARGE, false, "is beyond WP_COORDINATE_MAX"},
	{"far too large", FLT_MAX, false, "is beyond WP_COORDINATE_MAX"},
	{"just too low", -TOO_LARGE, false, "is beyond WP_COORDINATE_MAX"},
	{"far too low", -FLT_MAX, false, "is beyond WP_COORDINATE_MAX"},
	{"-1", -1, true, "is negative"},
	{"the least below 0", -FLT_TRUE_MIN, true, "is negative"},
	{"the lowest coordinate", -WP_COORDINATE_MAX, true, "is negative"},
};

/* ---- shapes --------------------------------------------------------------------------------------- */

/* Every number that a kind reads. */
typedef struct number_field {
	wp_shape_kind kind;
	bool is_length;
	const char *name;
	size_t at;
} number_field;

#define POINT_FIELDS(kind, i)                                                 \
	{kind, false, "points[" #i "][0]", offsetof(wp_shape, points[i][0])},     \
		{kind, false, "points[" #i "][1]", offsetof(wp_shape, points[i][1])}, \
	{                                                                         \
		kind, false, "points[" #i "][2]", offsetof(wp_shape, points[i][2])    \
	}

static const number_field number_fields[] = {
	{WP_SHAPE_POINT, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_SPHERE, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_SEGMENT, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_CAPSULE, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_TRIANGLE, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_BOX, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_HULL, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_CYLINDER, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_CYLINDER, true, "base_radius", offsetof(wp_shape, base_radius)},
	{WP_SHAPE_CYLINDER, true, "half_height", offsetof(wp_shape, half_height)},
	{WP_SHAPE_CONE, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_CONE, true, "base_radius", offsetof(wp_shape, base_radius)},
	{WP_SHAPE_CONE, true, "half_height", offsetof(wp_shape, half_height)},
	{WP_SHAPE_ELLIPSOID, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_ELLIPSOID, true, "half_extents[0]", offsetof(wp_shape, half_extents[0])},
	{WP_SHAPE_ELLIPSOID, true, "half_extents[1]", offsetof(wp_shape, half_extents[1])},
	{WP_SHAPE_ELLIPSOID, true, "half_extents[2]", offsetof(wp_shape, half_extents[2])},
	{WP_SHAPE_CUSTOM, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_HALF_SPACE, true, "radius", offsetof(wp_shape, radius)},
	{WP_SHAPE_CAPSULE, true, "half_height", offsetof(wp_shape, half_height)},
	{WP_SHAPE_BOX, true, "half_extents[0]", offsetof(wp_shape, half_extents[0])},
	{WP_SHAPE_BOX, true, "half_extents[1]", offsetof(wp_shape, half_extents[1])},
	{WP_SHAPE_BOX, true, "half_extents[2]", offsetof(wp_shape, half_extents[2])},
	POINT_FIELDS(WP_SHAPE_SEGMENT, 0),
	POINT_FIELDS(WP_SHAPE_SEGMENT, 1),
	POINT_FIELDS(WP_SHAPE_TRIANGLE, 0),
	POINT_FIELDS(WP_SHAPE_TRIANGLE, 1),
	POINT_FIELDS(WP_SHAPE_TRIANGLE, 2),
};

/* The scene with its spare shape replaced. The report must give the reason, the other shapes keep their bounds. */
static void check_report(const char *name, scene *s, const wp_shape *bad, const char *reason)
{
	wp_shape_report report;
	*s = good;
	s->shapes[SPARE_SHAPE] = *bad;
	cr_assert_eq(wp_shape_table_build(s->shapes, SHAPES, table_memory, sizeof table_memory, &s->table, &report), WP_OK);
	cr_assert_eq(report.invalid_count, 2, "%s: %zu invalid", name, report.invalid_count);
	cr_assert_eq(report.first_invalid, SPARE_SHAPE, "%s: %zu is invalid", name, report.first_invalid);
	cr_assert_str_eq(report.reason, reason, "%s: reported that %s", name, report.reason);
	cr_assert(wp_shape_table_bound(s->table, SPARE_SHAPE) == 0, "%s: has a bound", name);
	cr_assert_eq(wp_shape_table_count(s->table), (size_t)SHAPES, "%s", name);
}

/* No pair may use a bad shape; the rows of the others do not change. */
static void check_bad_shape(const char *name, const wp_shape *bad, const char *reason)
{
	static scene s;
	uint32_t reasons[ROWS];
	check_report(name, &s, bad, reason);
	spread_reasons(&s, WP_STATUS_INVALID_SHAPE_A, reasons);
	const wp_batch batch = batch_of(&s, WP_REAL_FLOAT, false);
	check_batch(name, &batch, reasons, good_rows);
	check_reference(name, &s, &batch, reasons);
	check_pairs(name, &s, &s.bodies[BAD_BODY], WP_STATUS_INVALID_SHAPE_A);
}

Test(bad_input, numbers_of_shapes)
{
	for (size_t i = 0; i < COUNT_OF(number_fields); i++) {
		const number_field *const field = &number_fields[i];
		for (size_t k = 0; k < COUNT_OF(bad_numbers); k++) {
			const bad_number *const number = &bad_numbers[k];
			const bool is_negative = field->is_length && number->value < 0 && isfinite(number->value);
			char name[128], reason[128];
			wp_shape bad = good.shapes[field->kind];
			if (number->is_bad_length_only && !field->is_length)
				continue;
			memcpy((char *)&bad + field->at, &number->value, sizeof number->value);
			snprintf(name, sizeof name, "%s with %s %s", wp_shape_kind_name(field->kind), field->name, number->name);
			snprintf(reason, sizeof reason, "%s %s", field->name, is_negative ? "is negative" : number->reason);
			check_bad_shape(name, &bad, reason);
		}
	}
}

/* A block of bytes where a hull should be: a hull with one byte changed, and one at an odd address. */
static _Alignas(WP_ALIGNMENT) unsigned char damaged_hull[sizeof hull_memory];
static _Alignas(WP_ALIGNMENT) unsigned char displaced_hull[sizeof hull_memory + 4];

static const struct {
	const char *name;
	wp_shape shape;
	const char *reason;
} shape_cases[] = {
	{"kind one too high", {.kind = WP_SHAPE_KIND_COUNT}, "kind is not a wp_shape_kind"},
	{"kind 100", {.kind = 100}, "kind is not a wp_shape_kind"},
	{"kind 2^31", {.kind = UINT32_C(1) << 31}, "kind is not a wp_shape_kind"},
	{"kind of all bits", {.kind = UINT32_MAX}, "kind is not a wp_shape_kind"},
	{"hull NULL", {.kind = WP_SHAPE_HULL}, "hull is NULL"},
	{"hull of zeros", {.kind = WP_SHAPE_HULL, .hull = (const wp_hull *)(const void *)zeros},
		"hull is misaligned or corrupt"},
	{"hull damaged", {.kind = WP_SHAPE_HULL, .hull = (const wp_hull *)(const void *)damaged_hull},
		"hull is misaligned or corrupt"},
	{"hull misaligned", {.kind = WP_SHAPE_HULL, .hull = (const wp_hull *)(const void *)(displaced_hull + 4)},
		"hull is misaligned or corrupt"},
	{"two faults", {.kind = WP_SHAPE_BOX, .radius = -1, .half_extents = {1, NAN, 1}}, "half_extents[1] is not finite"},
};

Test(bad_input, kinds_and_hulls_of_shapes)
{
	memcpy(damaged_hull, hull_memory, sizeof hull_memory);
	memcpy(displaced_hull + 4, hull_memory, sizeof hull_memory);
	damaged_hull[100] ^= 1;
	for (size_t i = 0; i < COUNT_OF(shape_cases); i++)
		check_bad_shape(shape_cases[i].name, &shape_cases[i].shape, shape_cases[i].reason);
}

/* What looks bad and is not: limits, zeros of either sign, and fields that the kind does not name. */
static const struct {
	const char *name;
	wp_shape shape;
} legal_shapes[] = {
	{"sphere of radius -0", {.kind = WP_SHAPE_SPHERE, .radius = -0.0f}},
	{"sphere as small as can be", {.kind = WP_SHAPE_SPHERE, .radius = FLT_TRUE_MIN}},
	{"sphere as large as can be", {.kind = WP_SHAPE_SPHERE, .radius = WP_COORDINATE_MAX}},
	{"box of nothing", {.kind = WP_SHAPE_BOX, .half_extents = {-0.0f, 0, -0.0f}}},
	{"box as large as can be", {.kind = WP_SHAPE_BOX,
								   .radius = WP_COORDINATE_MAX,
								   .half_extents = {WP_COORDINATE_MAX, WP_COORDINATE_MAX, WP_COORDINATE_MAX}}},
	{"triangle of one point", {.kind = WP_SHAPE_TRIANGLE}},
	{"segment with a third point", {.kind = WP_SHAPE_SEGMENT, .points = {{0, 0, 0}, {0, 1, 0}, {NAN, NAN, NAN}}}},
	{"point with all else bad", {.kind = WP_SHAPE_POINT,
									.half_height = NAN,
									.half_extents = {NAN, -1, INFINITY},
									.points = {{NAN, NAN, NAN}},
									.hull = (const wp_hull *)(const void *)zeros}},
	{"box with a bad height and hull", {.kind = WP_SHAPE_BOX,
										   .half_height = -1,
										   .half_extents = {1, 1, 1},
										   .hull = (const wp_hull *)(const void *)(zeros + 1)}},
};

Test(bad_input, legal_shapes_at_the_limits)
{
	for (size_t i = 0; i < COUNT_OF(legal_shapes); i++) {
		const wp_pose at = {.rotation = {0, 0, 0, 1}}, near = {.position = {2, 0, 0}, .rotation = {0, 0, 0, 1}};
		const double at_wide[3] = {0, 0, 0}, near_wide[3] = {2, 0, 0};
		wp_row row;
		wp_reference_row reference;
		for (query q = OVERLAP; q < QUERIES; q++) {
			cr_assert_eq(run_pair(q, &legal_shapes[i].shape, &at, &good.shapes[WP_SHAPE_BOX], &near, &row), WP_OK);
			cr_assert_not(row.status & WP_STATUS_INVALID, "%s: %x", legal_shapes[i].name, row.status);
			cr_assert(row.lower <= row.upper, "%s", legal_shapes[i].name);
		}
		cr_assert_eq(wp_reference_contact_pair(&legal_shapes[i].shape, at_wide, at.rotation, &good.shapes[WP_SHAPE_BOX],
						 near_wide, near.rotation, &reference),
			WP_OK);
		cr_assert_not(reference.status & WP_STATUS_INVALID, "%s: %x", legal_shapes[i].name, reference.status);
	}
}

/* ---- building hulls ------------------------------------------------------------------------------- */

enum { NO_INDEX = 77 }; /* what *bad_index keeps where no vertex or face is at fault */

typedef struct hull_case {
	const char *name;
	poke poke; /* of a cube */
	wp_error expected;
	size_t bad_index;
} hull_case;

static const hull_case hull_cases[] = {
	{"vertices NULL", POKE(cube, input.vertices.data, pointer, NULL), WP_ERROR_NULL_VERTICES, NO_INDEX},
	{"face_sizes NULL", POKE(cube, input.face_sizes, pointer, NULL), WP_ERROR_NULL_FACE_SIZES, NO_INDEX},
	{"face_indices NULL", POKE(cube, input.face_indices, pointer, NULL), WP_ERROR_NULL_FACE_INDICES, NO_INDEX},
	{"no vertex", POKE(cube, input.vertex_count, count, 0), WP_ERROR_HULL_VERTEX_COUNT, NO_INDEX},
	{"a vertex too many", POKE(cube, input.vertex_count, count, WP_HULL_VERTEX_MAX + 1), WP_ERROR_HULL_VERTEX_COUNT,
		NO_INDEX},
	{"2^32 + 8 vertices", POKE(cube, input.vertex_count, count, ((size_t)1 << 32) + 8), WP_ERROR_HULL_VERTEX_COUNT,
		NO_INDEX},
	{"the largest number of vertices", POKE(cube, input.vertex_count, count, SIZE_MAX), WP_ERROR_HULL_VERTEX_COUNT,
		NO_INDEX},
	{"first face empty", POKE(cube, sizes[0], word, 0), WP_ERROR_HULL_FACE, 0},
	{"face of one vertex", POKE(cube, sizes[1], word, 1), WP_ERROR_HULL_FACE, 1},
	{"face of two vertices", POKE(cube, sizes[3], word, 2), WP_ERROR_HULL_FACE, 3},
	{"last face of two vertices", POKE(cube, sizes[5], word, 2), WP_ERROR_HULL_FACE, 5},
	{"face of 2^28 + 1 vertices", POKE(cube, sizes[0], word, (UINT32_C(1) << 28) + 1), WP_ERROR_HULL_FACE, 0},
	{"face of 2^31 vertices", POKE(cube, sizes[2], word, UINT32_C(1) << 31), WP_ERROR_HULL_FACE, 2},
	{"sizes whose sum wraps", POKE(cube, sizes[4], word, UINT32_MAX - 15), WP_ERROR_HULL_FACE, 4},
	{"face of most vertices", POKE(cube, sizes[5], word, UINT32_MAX), WP_ERROR_HULL_FACE, 5},
	{"a face that memory has no room for", POKE(cube, sizes[5], word, 1000), WP_ERROR_MEMORY_TOO_SMALL, NO_INDEX},
	{"first index one too high", POKE(cube, indices[0], word, 8), WP_ERROR_HULL_FACE, 0},
	{"an index one too high", POKE(cube, indices[9], word, 8), WP_ERROR_HULL_FACE, 2},
	{"an index of 2^31", POKE(cube, indices[12], word, UINT32_C(1) << 31), WP_ERROR_HULL_FACE, 3},
	{"last index of all bits", POKE(cube, indices[23], word, UINT32_MAX), WP_ERROR_HULL_FACE, 5},
};

static void check_hull_input(const char *name, const wp_hull_input *input, wp_error expected, size_t expected_bad)
{
	const size_t size = hull_bytes();
	for (int i = 0; i < 2; i++) {
		const wp_hull *made = hull;
		size_t bad = NO_INDEX;
		memset(memory, GUARD, sizeof memory);
		const wp_error error = wp_hull_build(input, memory, size, &made, i == 0 ? &bad : NULL);
		cr_assert_eq(error, expected, "%s: %s", name, wp_error_text(error));
		cr_assert_null(made, "%s", name);
		cr_assert_eq(bad, i == 0 ? expected_bad : NO_INDEX, "%s: %zu is at fault", name, bad);
		cr_assert(is_untouched(memory + size, sizeof memory - size), "%s writes behind the memory", name);
	}
}

Test(bad_input, hull_inputs)
{
	for (size_t i = 0; i < COUNT_OF(hull_cases); i++) {
		cube c;
		make_cube(&c);
		apply(&c, &hull_cases[i].poke, 1);
		check_hull_input(hull_cases[i].name, &c.input, hull_cases[i].expected, hull_cases[i].bad_index);
	}
}

/* Counts of faces that no hull has: their sizes, which end with the memory, must not be read. */
Test(bad_input, more_faces_than_memory)
{
	static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 4, (size_t)1 << 32, ((size_t)1 << 28) / 3 + 1};
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *const pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert_neq(pages, MAP_FAILED);
	cr_assert_eq(mprotect(pages + page, page, PROT_NONE), 0);
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		cube c;
		make_cube(&c);
		uint32_t *const sizes = (uint32_t *)(void *)(pages + page) - 4;
		memcpy(sizes, c.sizes, 4 * sizeof *sizes);
		c.input.face_sizes = sizes;
		c.input.face_count = counts[i];
		check_hull_input("faces beyond memory", &c.input, WP_ERROR_HULL_FACE, ((size_t)1 << 28) / 3);
	}
	munmap(pages, 2 * page);
}

Test(bad_input, numbers_of_hulls)
{
	for (size_t at = 0; at < 24; at++) {
		for (size_t i = 0; i < COUNT_OF(bad_numbers); i++) {
			char name[80];
			cube c;
			make_cube(&c);
			c.vertices[at / 3][at % 3] = bad_numbers[i].value;
			snprintf(name, sizeof name, "vertex %zu, axis %zu, %s", at / 3, at % 3, bad_numbers[i].name);
			if (!bad_numbers[i].is_bad_length_only)
				check_hull_input(name, &c.input, WP_ERROR_HULL_VERTEX, at / 3);
		}
	}
}

/* ---- reading hulls -------------------------------------------------------------------------------- */

typedef struct blob_case {
	const char *name;
	size_t offset; /* of the address */
	size_t size;
	wp_error expected;
} blob_case;

static const blob_case blob_cases[] = {
	{"more bytes than the hull has", 0, sizeof hull_memory, WP_OK},
	{"no bytes", 0, 0, WP_ERROR_HULL_CORRUPT},
	{"1 byte", 0, 1, WP_ERROR_HULL_CORRUPT},
	{"the header", 0, 64, WP_ERROR_HULL_CORRUPT},
	{"1 byte off", 1, sizeof hull_memory, WP_ERROR_MEMORY_MISALIGNED},
	{"4 bytes off", 4, sizeof hull_memory, WP_ERROR_MEMORY_MISALIGNED},
	{"32 bytes off", 32, sizeof hull_memory, WP_ERROR_MEMORY_MISALIGNED},
	{"63 bytes off, no bytes", 63, 0, WP_ERROR_MEMORY_MISALIGNED},
};

static wp_error read_hull(const void *at, size_t size)
{
	const wp_hull *made = hull;
	const wp_error error = wp_hull_from_memory(at, size, &made);
	cr_assert_eq(made, error == WP_OK ? at : NULL, "%zu bytes: %s", size, wp_error_text(error));
	return error;
}

Test(bad_input, blobs)
{
	for (size_t i = 0; i < COUNT_OF(blob_cases); i++) {
		const blob_case *const c = &blob_cases[i];
		memset(memory, 0, sizeof memory);
		memcpy(memory + c->offset, hull_memory, sizeof hull_memory);
		cr_assert_eq(read_hull(memory + c->offset, c->size), c->expected, "%s", c->name);
	}
	cr_assert_eq(read_hull(zeros, sizeof zeros), WP_ERROR_HULL_CORRUPT, "zeros");
	memset(memory, 0xff, sizeof memory);
	cr_assert_eq(read_hull(memory, sizeof memory), WP_ERROR_HULL_CORRUPT, "ones");
}

/* A block of its own for each try, so that a memory checker sees any read behind it. */
static wp_error read_copy(size_t size, size_t flipped_bit)
{
	unsigned char *const block = aligned_alloc(WP_ALIGNMENT, (size / WP_ALIGNMENT + 1) * WP_ALIGNMENT);
	cr_assert_not_null(block);
	memcpy(block, hull_memory, size);
	if (flipped_bit / 8 < size)
		block[flipped_bit / 8] ^= (unsigned char)(1u << flipped_bit % 8);
	const wp_error error = read_hull(block, size);
	free(block);
	return error;
}

Test(bad_input, every_bit_of_a_blob)
{
	const size_t size = wp_hull_byte_size(hull);
	cr_assert_eq(read_copy(size, SIZE_MAX), WP_OK);
	for (size_t bit = 0; bit < 8 * size; bit++)
		cr_assert_eq(read_copy(size, bit), WP_ERROR_HULL_CORRUPT, "bit %zu of byte %zu", bit % 8, bit / 8);
}

Test(bad_input, every_truncation_of_a_blob)
{
	for (size_t size = 0; size < wp_hull_byte_size(hull); size++)
		cr_assert_eq(read_copy(size, SIZE_MAX), WP_ERROR_HULL_CORRUPT, "%zu bytes", size);
}

/* A hull that went bad behind its shape: the table and the one-pair calls see it. */
Test(bad_input, every_bit_of_a_hull_in_use)
{
	const size_t size = wp_hull_byte_size(hull);
	const wp_shape shape = wp_shape_hull((const wp_hull *)(const void *)damaged_hull);
	const wp_pose at = {.rotation = {0, 0, 0, 1}};
	const double origin[3] = {0, 0, 0};
	for (size_t bit = 0; bit < 8 * size; bit++) {
		const wp_shape_table *made = NULL;
		wp_shape_report report;
		wp_row row;
		wp_reference_row reference;
		memcpy(damaged_hull, hull_memory, size);
		damaged_hull[bit / 8] ^= (unsigned char)(1u << bit % 8);
		cr_assert_eq(wp_shape_table_build(&shape, 1, memory, sizeof memory, &made, &report), WP_OK);
		cr_assert_eq(report.invalid_count, (size_t)1, "bit %zu of byte %zu", bit % 8, bit / 8);
		cr_assert_eq(run_pair(CONTACT, &good.shapes[WP_SHAPE_BOX], &at, &shape, &at, &row), WP_OK);
		check_invalid_row("damaged hull", 0, &row, WP_STATUS_INVALID_SHAPE_B);
		cr_assert_eq(wp_reference_contact_pair(
						 &shape, origin, at.rotation, &good.shapes[WP_SHAPE_BOX], origin, at.rotation, &reference),
			WP_OK);
		check_invalid_reference("damaged hull", 0, &reference, WP_STATUS_INVALID_SHAPE_A);
	}
}

/* ---- errors of a batch ---------------------------------------------------------------------------- */

typedef struct call {
	wp_workspace *workspace;
	wp_batch batch;
	wp_results results;
} call;

typedef struct call_case {
	const char *name;
	bool two_views;    /* b is given, not left zero */
	bool is_reference; /* wp_reference_contact takes it too and returns the same */
	poke pokes[4];
	wp_error expected;
} call_case;

#define BATCH_POKE(field, member, value) POKE(call, batch.field, member, value)

static const call_case call_cases[] = {
	{"workspace of zeros", false, false, {POKE(call, workspace, pointer, zeros)}, WP_ERROR_WORKSPACE_INVALID},
	{"workspace that is a table", false, false, {POKE(call, workspace, pointer, table_memory)},
		WP_ERROR_WORKSPACE_INVALID},
	{"workspace that is a hull", false, false, {POKE(call, workspace, pointer, hull_memory)},
		WP_ERROR_WORKSPACE_INVALID},
	{"shapes NULL", false, false, {BATCH_POKE(shapes, pointer, NULL)}, WP_ERROR_NULL_BATCH_SHAPES},
	{"table of zeros", false, false, {BATCH_POKE(shapes, pointer, zeros)}, WP_ERROR_SHAPE_TABLE_INVALID},
	{"table that is a workspace", false, false, {BATCH_POKE(shapes, pointer, workspace_memory)},
		WP_ERROR_SHAPE_TABLE_INVALID},
	{"table that is a hull", false, false, {BATCH_POKE(shapes, pointer, hull_memory)}, WP_ERROR_SHAPE_TABLE_INVALID},
	{"a.position NULL", false, true, {BATCH_POKE(a.position.data, pointer, NULL)}, WP_ERROR_BODIES_A_POSITION},
	{"a.position NULL, b given", true, true, {BATCH_POKE(a.position.data, pointer, NULL)}, WP_ERROR_BODIES_A_POSITION},
	{"a.rotation NULL", false, true, {BATCH_POKE(a.rotation.data, pointer, NULL)}, WP_ERROR_BODIES_A_ROTATION},
	{"a.rotation NULL, b given", true, true, {BATCH_POKE(a.rotation.data, pointer, NULL)}, WP_ERROR_BODIES_A_ROTATION},
	{"a.position_real 2", false, true, {BATCH_POKE(a.position_real, word, 2)}, WP_ERROR_BODIES_A_REAL},
	{"a.position_real of all bits", false, true, {BATCH_POKE(a.position_real, word, UINT32_MAX)},
		WP_ERROR_BODIES_A_REAL},
	{"both position_real 2", true, true, {BATCH_POKE(a.position_real, word, 2), BATCH_POKE(b.position_real, word, 2)},
		WP_ERROR_BODIES_A_REAL},
	{"b.position NULL", true, true, {BATCH_POKE(b.position.data, pointer, NULL)}, WP_ERROR_BODIES_B_POSITION},
	{"b.rotation NULL", true, true, {BATCH_POKE(b.rotation.data, pointer, NULL)}, WP_ERROR_BODIES_B_ROTATION},
	{"b.position_real 2", true, true, {BATCH_POKE(b.position_real, word, 2)}, WP_ERROR_BODIES_B_REAL},
	{"b.position_real of all bits", true, true, {BATCH_POKE(b.position_real, word, UINT32_MAX)},
		WP_ERROR_BODIES_B_REAL},
	{"b in double, a not", true, true, {BATCH_POKE(b.position_real, word, WP_REAL_DOUBLE)}, WP_ERROR_BODIES_B_REAL},
	{"a in double, b not", true, true, {BATCH_POKE(a.position_real, word, WP_REAL_DOUBLE)}, WP_ERROR_BODIES_B_REAL},
	{"b of a rotation alone", false, true, {BATCH_POKE(b.rotation.data, pointer, zeros)}, WP_ERROR_BODIES_B_POSITION},
	{"b of a shape alone", false, true, {BATCH_POKE(b.shape.data, pointer, zeros)}, WP_ERROR_BODIES_B_POSITION},
	{"b of a count alone", false, true, {BATCH_POKE(b.count, count, 1)}, WP_ERROR_BODIES_B_POSITION},
	{"b of a stride of position alone", false, true, {BATCH_POKE(b.position.stride, count, 4)},
		WP_ERROR_BODIES_B_POSITION},
	{"b of a stride of rotation alone", false, true, {BATCH_POKE(b.rotation.stride, count, 4)},
		WP_ERROR_BODIES_B_POSITION},
	{"b of a stride of shape alone", false, true, {BATCH_POKE(b.shape.stride, count, 4)}, WP_ERROR_BODIES_B_POSITION},
	{"b of a position_real alone", false, true, {BATCH_POKE(b.position_real, word, WP_REAL_DOUBLE)},
		WP_ERROR_BODIES_B_POSITION},
	{"b of a position alone", false, true, {BATCH_POKE(b.position.data, pointer, zeros)}, WP_ERROR_BODIES_B_ROTATION},
	{"rows that end at 2^64", false, true, {BATCH_POKE(first, count, SIZE_MAX - ROWS + 1)}, WP_ERROR_PAIR_RANGE},
	{"last row first", false, true, {BATCH_POKE(first, count, SIZE_MAX)}, WP_ERROR_PAIR_RANGE},
	{"rows that wrap", false, true, {BATCH_POKE(first, count, 1), BATCH_POKE(count, count, SIZE_MAX)},
		WP_ERROR_PAIR_RANGE},
	{"2^32 rows", false, true, {BATCH_POKE(count, count, (size_t)1 << 32)}, WP_ERROR_PAIR_RANGE},
	{"2^32 + 5 rows", false, true, {BATCH_POKE(count, count, ((size_t)1 << 32) + 5)}, WP_ERROR_PAIR_RANGE},
	{"the largest number of rows", false, true, {BATCH_POKE(count, count, SIZE_MAX)}, WP_ERROR_PAIR_RANGE},
	{"point_real 2", false, false, {POKE(call, results.point_real, word, 2)}, WP_ERROR_RESULTS_REAL},
	{"point_real of all bits", false, false, {POKE(call, results.point_real, word, UINT32_MAX)}, WP_ERROR_RESULTS_REAL},
	{"point_real 2, no points", false, false,
		{POKE(call, results.point_real, word, 2), POKE(call, results.point_a.data, pointer, NULL),
			POKE(call, results.point_b.data, pointer, NULL)},
		WP_ERROR_RESULTS_REAL},
	{"no rows", true, true, {BATCH_POKE(count, count, 0)}, WP_OK},
	{"no rows, at the very end", true, true, {BATCH_POKE(count, count, 0), BATCH_POKE(first, count, SIZE_MAX)}, WP_OK},
	{"no rows of no shapes and bodies", false, true,
		{BATCH_POKE(count, count, 0), BATCH_POKE(shapes, pointer, NULL), BATCH_POKE(a.position.data, pointer, NULL),
			BATCH_POKE(a.rotation.data, pointer, NULL)},
		WP_OK},
};

static call good_call(bool two_views, uint32_t variant)
{
	return (call){.workspace = workspaces[variant],
		.batch = batch_of(&good, WP_REAL_FLOAT, two_views),
		.results = results_of(found.rows)};
}

/* Neither rows nor statistics may be written. */
static void check_call(const call_case *c, query q, uint32_t variant)
{
	wp_statistics statistics;
	call made = good_call(c->two_views, variant);
	apply(&made, c->pokes, COUNT_OF(c->pokes));
	memset(&found, GUARD, sizeof found);
	memset(&statistics, GUARD, sizeof statistics);
	const wp_error error = run(made.workspace, &made.batch, q, MAX_SEPARATION, &made.results, &statistics);
	cr_assert_eq(error, c->expected, "%s: %s: %s", query_names[q], c->name, wp_error_text(error));
	cr_assert(is_untouched(&found, sizeof found), "%s: %s: writes rows", query_names[q], c->name);
	cr_assert(is_untouched(&statistics, sizeof statistics), "%s: %s: counts", query_names[q], c->name);
}

Test(bad_input, batches)
{
	for (size_t i = 0; i < COUNT_OF(call_cases); i++) {
		for (query q = OVERLAP; q < QUERIES; q++)
			for (uint32_t v = 0; v < WP_VARIANT_COUNT; v++)
				if (workspaces[v] != NULL)
					check_call(&call_cases[i], q, v);
		if (!call_cases[i].is_reference)
			continue;
		call made = good_call(call_cases[i].two_views, 0);
		apply(&made, call_cases[i].pokes, COUNT_OF(call_cases[i].pokes));
		memset(&found_reference, GUARD, sizeof found_reference);
		const wp_error error = wp_reference_contact(&made.batch, good.shapes, SHAPES, found_reference.rows);
		cr_assert_eq(error, call_cases[i].expected, "reference: %s: %s", call_cases[i].name, wp_error_text(error));
		cr_assert(is_untouched(&found_reference, sizeof found_reference), "reference: %s", call_cases[i].name);
	}
}

/* ---- strides --------------------------------------------------------------------------------------- */

/* All that calls with strides take: the second half is 2D. */
typedef struct stride_call {
	wp_batch batch;
	wp_results results;
	wp_manifolds manifolds;
	wp_motions motions_a, motions_b;
	wp_const_float_column direction;
	wp_float_column fraction;
	wp2d_batch plane_batch;
	wp2d_results plane_results;
	wp2d_manifolds plane_manifolds;
	wp2d_motions plane_motions_a, plane_motions_b;
	wp_hull_input input;
} stride_call;

typedef enum stride_query {
	STRIDE_CONTACT,
	STRIDE_REFERENCE,
	STRIDE_MANIFOLD,
	STRIDE_CAST,
	STRIDE_DEPTH,
	STRIDE_2D,
	STRIDE_2D_MANIFOLD,
	STRIDE_2D_CAST,
	STRIDE_HULL
} stride_query;

/* A stride, the array that it is of, and the smallest element that it has room for. */
typedef struct stride_case {
	stride_query query;
	const char *name; /* as the error has it */
	size_t array_at, stride_at, element;
	bool needed; /* the array must be there */
} stride_case;

#define OF_COLUMN(query, name, column, element, needed)                                                          \
	{                                                                                                            \
		query, name "stride", offsetof(stride_call, column.data), offsetof(stride_call, column.stride), element, \
			needed                                                                                               \
	}
#define STRIDE(query, name, column, element) OF_COLUMN(query, name, column, element, false)
#define NEEDED(query, name, column, element) OF_COLUMN(query, name, column, element, true)
#define PAIRS(query, prefix)                                          \
	NEEDED(query, "batch->pair_a.", prefix.pair_a, sizeof(uint32_t)), \
		NEEDED(query, "batch->pair_b.", prefix.pair_b, sizeof(uint32_t))
#define BODIES_STRIDES(query, prefix, side, dimension, turn_numbers)                                       \
	NEEDED(query, "batch->" #side ".position.", prefix.side.position, (dimension) * sizeof(float)),        \
		NEEDED(query, "batch->" #side ".rotation.", prefix.side.rotation, (turn_numbers) * sizeof(float)), \
		STRIDE(query, "batch->" #side ".shape.", prefix.side.shape, sizeof(uint32_t))
#define RESULT(query, prefix, field, element) STRIDE(query, "results->" #field ".", prefix.field, element)
#define RESULTS_STRIDES(query, prefix, dimension)                                                                 \
	RESULT(query, prefix, separation, sizeof(float)), RESULT(query, prefix, normal, (dimension) * sizeof(float)), \
		RESULT(query, prefix, point_a, (dimension) * sizeof(float)),                                              \
		RESULT(query, prefix, point_b, (dimension) * sizeof(float)), RESULT(query, prefix, lower, sizeof(float)), \
		RESULT(query, prefix, upper, sizeof(float)), RESULT(query, prefix, status, sizeof(uint32_t)),             \
		RESULT(query, prefix, iterations, sizeof(uint32_t)),                                                      \
		RESULT(query, prefix, local_a, (dimension) * sizeof(float)),                                              \
		RESULT(query, prefix, local_b, (dimension) * sizeof(float))
#define MOTION_STRIDES(query, prefix, name, dimension, turn_numbers)                       \
	STRIDE(query, name "->translation.", prefix.translation, (dimension) * sizeof(float)), \
		STRIDE(query, name "->rotation.", prefix.rotation, (turn_numbers) * sizeof(float))

static const stride_case stride_cases[] = {
	BODIES_STRIDES(STRIDE_CONTACT, batch, a, 3, 4),
	BODIES_STRIDES(STRIDE_CONTACT, batch, b, 3, 4),
	BODIES_STRIDES(STRIDE_REFERENCE, batch, a, 3, 4),
	BODIES_STRIDES(STRIDE_REFERENCE, batch, b, 3, 4),
	BODIES_STRIDES(STRIDE_2D, plane_batch, a, 2, 2),
	BODIES_STRIDES(STRIDE_2D, plane_batch, b, 2, 2),
	PAIRS(STRIDE_CONTACT, batch),
	PAIRS(STRIDE_REFERENCE, batch),
	PAIRS(STRIDE_2D, plane_batch),
	STRIDE(STRIDE_CONTACT, "results->cache.", results.cache, sizeof(wp_cache)),
	RESULTS_STRIDES(STRIDE_CONTACT, results, 3),
	RESULT(STRIDE_CONTACT, results, tangent_1, 3 * sizeof(float)),
	RESULT(STRIDE_CONTACT, results, tangent_2, 3 * sizeof(float)),
	RESULTS_STRIDES(STRIDE_2D, plane_results, 2),
	NEEDED(STRIDE_MANIFOLD, "manifolds->count.", manifolds.count, sizeof(uint32_t)),
	NEEDED(STRIDE_MANIFOLD, "manifolds->points.", manifolds.points, 4 * sizeof(wp_manifold_point)),
	NEEDED(STRIDE_2D_MANIFOLD, "manifolds->count.", plane_manifolds.count, sizeof(uint32_t)),
	NEEDED(STRIDE_2D_MANIFOLD, "manifolds->points.", plane_manifolds.points, 2 * sizeof(wp2d_manifold_point)),
	MOTION_STRIDES(STRIDE_CAST, motions_a, "motions_a", 3, 4),
	MOTION_STRIDES(STRIDE_CAST, motions_b, "motions_b", 3, 4),
	MOTION_STRIDES(STRIDE_2D_CAST, plane_motions_a, "motions_a", 2, 2),
	MOTION_STRIDES(STRIDE_2D_CAST, plane_motions_b, "motions_b", 2, 2),
	STRIDE(STRIDE_CAST, "fraction->", fraction, sizeof(float)),
	STRIDE(STRIDE_2D_CAST, "fraction->", fraction, sizeof(float)),
	NEEDED(STRIDE_DEPTH, "direction->", direction, 3 * sizeof(float)),
	NEEDED(STRIDE_HULL, "input->vertices.", input.vertices, 3 * sizeof(float)),
};

/* Where all inputs of these calls are, all ones, and where all outputs go; the pairs are of bodies 0 and 1. */
static float ones[64];
static _Alignas(WP_ALIGNMENT) unsigned char sink[4096];
static const uint32_t two_pairs[4] = {0, 1, 0, 1};

static void *sink_at(size_t place) { return sink + 256 * place; }

static stride_call good_stride_call(void)
{
	static const uint32_t shape_indices[2] = {0, 0};
	static const float rotation[8] = {0, 0, 0, 1, 0, 0, 0, 1}, turn[4] = {1, 0, 1, 0};
	static cube c;
	const wp2d_shape_table *table;
	make_cube(&c);
	for (size_t i = 0; i < COUNT_OF(ones); i++)
		ones[i] = 1;
	const wp2d_batch plane = plane_batch(&table);
	const wp_bodies bodies = {.position = {ones}, .rotation = {rotation}, .shape = {shape_indices}, .count = 2};
	const wp2d_bodies plane_bodies = {.position = {ones}, .rotation = {turn}, .shape = {shape_indices}, .count = 2};
	return (stride_call){.batch = {.shapes = good.table,
							 .a = bodies,
							 .b = bodies,
							 .pair_a = {two_pairs},
							 .pair_b = {two_pairs + 2},
							 .count = 2},
		.results = {.separation = {sink_at(1)},
			.normal = {sink_at(2)},
			.point_a = {sink_at(3)},
			.point_b = {sink_at(4)},
			.lower = {sink_at(5)},
			.upper = {sink_at(6)},
			.status = {sink_at(7)},
			.iterations = {sink_at(8)},
			.local_a = {sink_at(9)},
			.local_b = {sink_at(10)},
			.tangent_1 = {sink_at(11)},
			.tangent_2 = {sink_at(12)},
			.cache = {sink_at(0)}},
		.manifolds = {.count = {sink_at(0)}, .points = {sink_at(14)}},
		.motions_a = {.translation = {ones}, .rotation = {rotation}},
		.motions_b = {.translation = {ones}, .rotation = {rotation}},
		.direction = {ones},
		.fraction = {sink_at(13)},
		.plane_batch = {.shapes = plane.shapes,
			.a = plane_bodies,
			.b = plane_bodies,
			.pair_a = {two_pairs},
			.pair_b = {two_pairs + 2},
			.count = 2},
		.plane_results = {.separation = {sink_at(1)},
			.normal = {sink_at(2)},
			.point_a = {sink_at(3)},
			.point_b = {sink_at(4)},
			.lower = {sink_at(5)},
			.upper = {sink_at(6)},
			.status = {sink_at(7)},
			.iterations = {sink_at(8)},
			.local_a = {sink_at(9)},
			.local_b = {sink_at(10)}},
		.plane_manifolds = {.count = {sink_at(0)}, .points = {sink_at(14)}},
		.plane_motions_a = {.translation = {ones}, .rotation = {turn}},
		.plane_motions_b = {.translation = {ones}, .rotation = {turn}},
		.input = c.input};
}

static wp_error run_strides(const stride_call *c, stride_query which)
{
	wp_workspace *const workspace = workspaces[WP_VARIANT_AUTO];
	const wp_hull *made;
	switch (which) {
	case STRIDE_CONTACT:
		return wp_contact(workspace, &c->batch, &(wp_contact_options){.max_separation = 1}, &c->results, NULL);
	case STRIDE_REFERENCE:
		return wp_reference_contact(&c->batch, good.shapes, SHAPES, (wp_reference_row *)(void *)sink);
	case STRIDE_MANIFOLD:
		return wp_contact_manifold(
			workspace, &c->batch, &(wp_contact_options){.max_separation = 1}, &c->results, &c->manifolds, NULL);
	case STRIDE_CAST:
		return wp_cast(workspace, &c->batch, &c->motions_a, &c->motions_b, &c->results, &c->fraction, NULL);
	case STRIDE_DEPTH:
		return wp_depth_along(workspace, &c->batch, &c->direction, &c->results, NULL);
	case STRIDE_2D:
		return wp2d_contact(
			workspace, &c->plane_batch, &(wp_contact_options){.max_separation = 1}, &c->plane_results, NULL);
	case STRIDE_2D_MANIFOLD:
		return wp2d_contact_manifold(workspace, &c->plane_batch, &(wp_contact_options){.max_separation = 1},
			&c->plane_results, &c->plane_manifolds, NULL);
	case STRIDE_2D_CAST:
		return wp2d_cast(workspace, &c->plane_batch, &c->plane_motions_a, &c->plane_motions_b, &c->plane_results,
			&c->fraction, NULL);
	default:
		return wp_hull_build(&c->input, memory, sizeof memory, &made, NULL);
	}
}

static void check_stride(const stride_case *c, size_t stride, bool without, wp_error *error)
{
	stride_call made = good_stride_call();
	memcpy((char *)&made + c->stride_at, &stride, sizeof stride);
	if (without)
		memset((char *)&made + c->array_at, 0, sizeof(void *));
	*error = run_strides(&made, c->query);
}

/* A stride that makes elements overlap is an error that names it; the size of an element is legal, and so is any stride
 * of an array that is not there. */
Test(bad_input, strides)
{
	for (size_t i = 0; i < COUNT_OF(stride_cases); i++) {
		const stride_case *const c = &stride_cases[i];
		const size_t legal[2] = {0, c->element}, small[2] = {1, c->element - 1};
		char expected[80];
		wp_error error;
		snprintf(expected, sizeof expected, "%s is smaller than ", c->name);
		for (size_t k = 0; k < 2; k++) {
			check_stride(c, legal[k], false, &error);
			cr_assert_eq(error, WP_OK, "%s of %zu: %s", c->name, legal[k], wp_error_text(error));
			check_stride(c, small[k], false, &error);
			cr_assert_eq(strncmp(wp_error_text(error), expected, strlen(expected)), 0, "query %d, %s of %zu: %s",
				c->query, c->name, small[k], wp_error_text(error));
		}
		check_stride(c, 1, true, &error);
		cr_assert(c->needed || error == WP_OK, "%s of 1, no array: %s", c->name, wp_error_text(error));
	}
}

/* Positions and points in double are larger. */
Test(bad_input, strides_of_doubles)
{
	static const double places[8];
	stride_call c = good_stride_call();
	c.batch.a.position.data = c.batch.b.position.data = places;
	c.batch.a.position_real = c.batch.b.position_real = c.results.point_real = WP_REAL_DOUBLE;
	c.batch.a.position.stride = c.batch.b.position.stride = 24;
	c.results.point_a.stride = c.results.point_b.stride = 24;
	cr_assert_eq(run_strides(&c, STRIDE_CONTACT), WP_OK);
	c.results.point_b.stride = 23;
	cr_assert_eq(run_strides(&c, STRIDE_CONTACT), WP_ERROR_RESULTS_POINT_B_STRIDE);
	c.results.point_a.stride = 12;
	cr_assert_eq(run_strides(&c, STRIDE_CONTACT), WP_ERROR_RESULTS_POINT_A_STRIDE);
	c.batch.b.position.stride = 23;
	cr_assert_eq(run_strides(&c, STRIDE_CONTACT), WP_ERROR_BODIES_B_POSITION_STRIDE);
	c.batch.a.position.stride = 12;
	cr_assert_eq(run_strides(&c, STRIDE_CONTACT), WP_ERROR_BODIES_A_POSITION_STRIDE);
	cr_assert_eq(run_strides(&c, STRIDE_REFERENCE), WP_ERROR_BODIES_A_POSITION_STRIDE);
}

static void set_pair_strides(stride_call *c, size_t a, size_t b)
{
	c->batch.pair_a.stride = c->plane_batch.pair_a.stride = a;
	c->batch.pair_b.stride = c->plane_batch.pair_b.stride = b;
}

/* A stride of 0 would read indices side by side, which are one array of pairs, at the wrong rows. */
Test(bad_input, pairs_side_by_side)
{
	static const stride_query queries[] = {STRIDE_CONTACT, STRIDE_REFERENCE, STRIDE_MANIFOLD, STRIDE_CAST, STRIDE_DEPTH,
		STRIDE_2D, STRIDE_2D_MANIFOLD, STRIDE_2D_CAST};
	for (size_t i = 0; i < COUNT_OF(queries); i++) {
		for (size_t swapped = 0; swapped < 2; swapped++) {
			stride_call c = good_stride_call();
			c.batch.pair_a.data = c.plane_batch.pair_a.data = two_pairs + swapped;
			c.batch.pair_b.data = c.plane_batch.pair_b.data = two_pairs + !swapped;
			cr_assert_eq(run_strides(&c, queries[i]), WP_ERROR_PAIR_A_STRIDE, "query %d", queries[i]);
			set_pair_strides(&c, 2 * sizeof *two_pairs, 0);
			cr_assert_eq(run_strides(&c, queries[i]), WP_ERROR_PAIR_B_STRIDE, "query %d", queries[i]);
			set_pair_strides(&c, 2 * sizeof *two_pairs, 2 * sizeof *two_pairs);
			cr_assert_eq(run_strides(&c, queries[i]), WP_OK, "query %d", queries[i]);
			set_pair_strides(&c, sizeof *two_pairs, sizeof *two_pairs);
			cr_assert_eq(run_strides(&c, queries[i]), WP_OK, "query %d: a chain has its stride", queries[i]);
			set_pair_strides(&c, 0, 0);
			c.batch.count = c.plane_batch.count = 1;
			cr_assert_eq(run_strides(&c, queries[i]), WP_OK, "query %d: one row needs no stride", queries[i]);
			c.batch.first = c.plane_batch.first = 1;
			cr_assert_eq(
				run_strides(&c, queries[i]), WP_ERROR_PAIR_A_STRIDE, "query %d: the second row does", queries[i]);
		}
	}
}

static const struct {
	const char *name;
	float value;
	wp_error expected;
} separation_cases[] = {
	{"0", 0, WP_OK},
	{"-0", -0.0f, WP_OK},
	{"the least above 0", FLT_TRUE_MIN, WP_OK},
	{"the largest", FLT_MAX, WP_OK},
	{"infinity", INFINITY, WP_OK},
	{"NaN", NAN, WP_ERROR_MAX_SEPARATION},
	{"-NaN", -NAN, WP_ERROR_MAX_SEPARATION},
	{"-1", -1, WP_ERROR_MAX_SEPARATION},
	{"the least below 0", -FLT_TRUE_MIN, WP_ERROR_MAX_SEPARATION},
	{"the lowest", -FLT_MAX, WP_ERROR_MAX_SEPARATION},
	{"-infinity", -INFINITY, WP_ERROR_MAX_SEPARATION},
};

Test(bad_input, max_separations)
{
	const wp_pose at = {.rotation = {0, 0, 0, 1}};
	const wp_shape *const box = &good.shapes[WP_SHAPE_BOX];
	for (size_t i = 0; i < COUNT_OF(separation_cases); i++) {
		const char *const name = separation_cases[i].name;
		const float value = separation_cases[i].value;
		const bool legal = separation_cases[i].expected == WP_OK;
		call made = good_call(false, 0);
		wp_statistics statistics;
		wp_row row;
		memset(&found, GUARD, sizeof found);
		memset(&statistics, GUARD, sizeof statistics);
		memset(&row, GUARD, sizeof row);
		cr_assert_eq(wp_contact(made.workspace, &made.batch, &(wp_contact_options){.max_separation = value},
						 &made.results, &statistics),
			separation_cases[i].expected, "%s", name);
		cr_assert_eq(
			wp_contact_pair(made.workspace, box, &at, box, &at, &(wp_contact_options){.max_separation = value}, &row),
			separation_cases[i].expected, "%s, one pair", name);
		cr_assert_eq(is_untouched(&found, sizeof found), !legal, "%s", name);
		cr_assert_eq(is_untouched(&statistics, sizeof statistics), !legal, "%s", name);
		cr_assert_eq(is_untouched(&row, sizeof row), !legal, "%s", name);
	}
}

/* Each output missing: it alone stays unwritten. */
static const struct {
	const char *name;
	poke poke;
	size_t at, size; /* in a guarded row */
} output_cases[] = {
	{"separation", POKE(wp_results, separation.data, pointer, NULL), offsetof(guarded_row, row.separation), 4},
	{"normal", POKE(wp_results, normal.data, pointer, NULL), offsetof(guarded_row, row.normal), 12},
	{"point_a", POKE(wp_results, point_a.data, pointer, NULL), offsetof(guarded_row, row.point_a), 12},
	{"point_b", POKE(wp_results, point_b.data, pointer, NULL), offsetof(guarded_row, row.point_b), 12},
	{"lower", POKE(wp_results, lower.data, pointer, NULL), offsetof(guarded_row, row.lower), 4},
	{"upper", POKE(wp_results, upper.data, pointer, NULL), offsetof(guarded_row, row.upper), 4},
	{"status", POKE(wp_results, status.data, pointer, NULL), offsetof(guarded_row, row.status), 4},
	{"iterations", POKE(wp_results, iterations.data, pointer, NULL), offsetof(guarded_row, row.iterations), 4},
	{"overlap", POKE(wp_results, overlap.data, pointer, NULL), offsetof(guarded_row, overlap), 1},
};

Test(bad_input, missing_outputs)
{
	static guarded_rows expected;
	for (size_t i = 0; i < COUNT_OF(output_cases); i++) {
		for (query q = OVERLAP; q < QUERIES; q++) {
			call made = good_call(false, 0);
			apply(&made.results, &output_cases[i].poke, 1);
			expected = good_rows[q];
			for (uint32_t r = 0; r < ROWS; r++)
				memset((char *)&expected.rows[r] + output_cases[i].at, GUARD, output_cases[i].size);
			memset(&found, GUARD, sizeof found);
			cr_assert_eq(run(made.workspace, &made.batch, q, MAX_SEPARATION, &made.results, NULL), WP_OK);
			cr_assert_eq(
				memcmp(&found, &expected, sizeof found), 0, "%s without %s", query_names[q], output_cases[i].name);
		}
	}
}

/* ---- bad bodies ----------------------------------------------------------------------------------- */

typedef struct body_case {
	const char *name;
	poke pokes[3];
	uint32_t reasons; /* as of side A */
	bool is_wide;     /* beyond floats: positions in double only */
} body_case;

#define POSITION WP_STATUS_INVALID_POSITION_A
#define ROTATION WP_STATUS_INVALID_ROTATION_A
#define SHAPE WP_STATUS_INVALID_SHAPE_A

static const body_case body_cases[] = {
	{"shape one too high", {POKE(body, shape, word, SHAPES)}, SHAPE, false},
	{"shape 2^31", {POKE(body, shape, word, UINT32_C(1) << 31)}, SHAPE, false},
	{"shape of all bits", {POKE(body, shape, word, UINT32_MAX)}, SHAPE, false},
	{"shape that is invalid", {POKE(body, shape, word, INVALID_SHAPE)}, SHAPE, false},
	{"position in double NaN", {POKE(body, wide[0], wide, NAN)}, POSITION, true},
	{"position in double infinite", {POKE(body, wide[1], wide, INFINITY)}, POSITION, true},
	{"position in double -infinite", {POKE(body, wide[2], wide, -INFINITY)}, POSITION, true},
	{"position in double just too large", {POKE(body, wide[0], wide, 1.00000002e30)}, POSITION, true},
	{"position in double just too low", {POKE(body, wide[2], wide, -1.00000002e30)}, POSITION, true},
	{"position in double beyond floats", {POKE(body, wide[1], wide, 1e39)}, POSITION, true},
	{"position in double far too large", {POKE(body, wide[1], wide, 1e300)}, POSITION, true},
	{"position in double at its limit", {POKE(body, wide[2], wide, -DBL_MAX)}, POSITION, true},
	{"position and rotation", {POKE(body, position[0], number, NAN), POKE(body, rotation[3], number, NAN)},
		POSITION | ROTATION, false},
	{"position and shape", {POKE(body, position[2], number, INFINITY), POKE(body, shape, word, SHAPES)},
		POSITION | SHAPE, false},
	{"rotation and shape", {POKE(body, rotation[1], number, 5), POKE(body, shape, word, INVALID_SHAPE)},
		ROTATION | SHAPE, false},
	{"all at once",
		{POKE(body, position[1], number, TOO_LARGE), POKE(body, rotation[0], number, -INFINITY),
			POKE(body, shape, word, UINT32_MAX)},
		POSITION | ROTATION | SHAPE, false},
};

/* Rotations whole, since their length counts. */
static const struct {
	const char *name;
	float rotation[4];
	bool is_valid;
} rotation_cases[] = {
	{"zeros", {0, 0, 0, 0}, false},
	{"-zeros", {-0.0f, -0.0f, -0.0f, -0.0f}, false},
	{"the least numbers", {FLT_TRUE_MIN, 0, 0, FLT_TRUE_MIN}, false},
	{"a square that is none", {0, 1e-30f, 0, 0}, false},
	{"half as long", {0, 0.5f, 0, 0}, false},
	{"just too short", {0, 0, 0, 0.9899f}, false},
	{"just short enough", {0, 0, 0, 0.9901f}, true},
	{"just long enough", {0, 0, 0, -1.0099f}, true},
	{"just too long", {0, 0, 0, 1.0101f}, false},
	{"too long by two", {0.8f, 0, 0, -0.8f}, false},
	{"ones", {1, 1, 1, 1}, false},
	{"a square that overflows", {1e20f, 0, 0, 0}, false},
	{"the largest numbers", {FLT_MAX, -FLT_MAX, FLT_MAX, FLT_MAX}, false},
	{"NaN x", {NAN, 0, 0, 1}, false},
	{"NaN y", {0, NAN, 0, 1}, false},
	{"NaN z", {0, 0, -NAN, 1}, false},
	{"NaN w", {1, 0, 0, NAN}, false},
	{"infinite x", {INFINITY, 0, 0, 1}, false},
	{"infinite y", {0, -INFINITY, 0, 1}, false},
	{"infinite z", {0, 0, INFINITY, 1}, false},
	{"infinite w", {0, 0, 0, -INFINITY}, false},
	{"infinite both ways", {INFINITY, -INFINITY, 0, 0}, false},
	{"all NaN", {NAN, NAN, NAN, NAN}, false},
};

/* A scene with a bad body, whole and in part, in floats and doubles, with one view of the bodies and two. */
static void check_bad_body(const char *name, const scene *s, uint32_t reasons_a, bool is_wide)
{
	uint32_t reasons[ROWS];
	spread_reasons(s, reasons_a, reasons);
	for (uint32_t real = is_wide ? WP_REAL_DOUBLE : WP_REAL_FLOAT; real <= WP_REAL_DOUBLE; real++) {
		for (int two_views = 0; two_views < 2; two_views++) {
			wp_batch batch = batch_of(s, real, two_views);
			check_batch(name, &batch, reasons, good_rows);
			check_reference(name, s, &batch, reasons);
			batch.first = 13;
			batch.count = ROWS - 20;
			check_batch(name, &batch, reasons, good_rows);
			check_reference(name, s, &batch, reasons);
		}
	}
	if (!is_wide && s->bodies[BAD_BODY].shape < SHAPES)
		check_pairs(name, s, &s->bodies[BAD_BODY], reasons_a);
}

static void follow_position(body *b)
{
	for (int k = 0; k < 3; k++)
		b->wide[k] = (double)b->position[k];
}

Test(bad_input, bodies)
{
	static scene s;
	for (size_t i = 0; i < COUNT_OF(body_cases); i++) {
		s = good;
		body *const bad = &s.bodies[BAD_BODY];
		apply(bad, body_cases[i].pokes, COUNT_OF(body_cases[i].pokes));
		if (!body_cases[i].is_wide)
			follow_position(bad);
		check_bad_body(body_cases[i].name, &s, body_cases[i].reasons, body_cases[i].is_wide);
	}
}

Test(bad_input, numbers_of_positions)
{
	static scene s;
	for (int axis = 0; axis < 3; axis++) {
		for (size_t i = 0; i < COUNT_OF(bad_numbers); i++) {
			char name[80];
			s = good;
			s.bodies[BAD_BODY].position[axis] = bad_numbers[i].value;
			follow_position(&s.bodies[BAD_BODY]);
			snprintf(name, sizeof name, "position[%d] %s", axis, bad_numbers[i].name);
			if (!bad_numbers[i].is_bad_length_only)
				check_bad_body(name, &s, POSITION, false);
		}
	}
}

/* The row of a body that is valid, whatever its answer: there is one, and the other rows are as they were. */
static void check_legal_body(const char *name, const scene *s)
{
	const wp_results results = results_of(found.rows);
	const wp_batch batch = batch_of(s, WP_REAL_FLOAT, false);
	for (query q = OVERLAP; q < QUERIES; q++) {
		memset(&found, GUARD, sizeof found);
		cr_assert_eq(run(workspaces[0], &batch, q, MAX_SEPARATION, &results, NULL), WP_OK, "%s", name);
		for (uint32_t r = 0; r < ROWS; r++) {
			const wp_row *const row = &found.rows[r].row;
			if (s->pairs[r][0] != BAD_BODY && s->pairs[r][1] != BAD_BODY)
				cr_assert_eq(memcmp(row, &good_rows[q].rows[r].row, sizeof *row), 0, "%s: row %u", name, r);
			else
				cr_assert(!(row->status & WP_STATUS_INVALID) && row->lower <= row->upper, "%s: row %u is %x", name, r,
					row->status);
		}
	}
}

Test(bad_input, rotations)
{
	static scene s;
	for (size_t i = 0; i < COUNT_OF(rotation_cases); i++) {
		char name[80];
		s = good;
		memcpy(s.bodies[BAD_BODY].rotation, rotation_cases[i].rotation, sizeof rotation_cases[i].rotation);
		snprintf(name, sizeof name, "rotation of %s", rotation_cases[i].name);
		if (rotation_cases[i].is_valid)
			check_legal_body(name, &s);
		else
			check_bad_body(name, &s, ROTATION, false);
	}
}

Test(bad_input, legal_positions_at_the_limits)
{
	static const float values[] = {WP_COORDINATE_MAX, -WP_COORDINATE_MAX, FLT_TRUE_MIN, -FLT_TRUE_MIN, -0.0f};
	static scene s;
	for (size_t i = 0; i < 3 * COUNT_OF(values); i++) {
		char name[80];
		s = good;
		s.bodies[BAD_BODY].position[i % 3] = values[i / 3];
		snprintf(name, sizeof name, "position[%zu] %g", i % 3, (double)values[i / 3]);
		check_legal_body(name, &s);
	}
}

/* ---- bad indices ---------------------------------------------------------------------------------- */

typedef struct indexed {
	scene s;
	wp_batch batch;
} indexed;

#define BODY_A WP_STATUS_INVALID_BODY_A
#define BODY_B WP_STATUS_INVALID_BODY_B

/* Indices spoilt in the pairs, and views that hold fewer bodies than the pairs name. */
typedef struct index_case {
	const char *name;
	poke pokes[2]; /* of an indexed scene */
	bool two_views;
	bool is_bounded; /* the counts of bodies decide: reasons follow from them */
	uint32_t row;    /* else: the row at fault, and why */
	uint32_t reasons;
} index_case;

#define PAIR_POKE(row, side, value) POKE(indexed, s.pairs[row][side], word, value)

static const index_case index_cases[] = {
	{"pair_a one too high", {PAIR_POKE(0, 0, BODIES)}, false, false, 0, BODY_A},
	{"pair_a 2^31", {PAIR_POKE(17, 0, UINT32_C(1) << 31)}, false, false, 17, BODY_A},
	{"pair_a of all bits", {PAIR_POKE(ROWS - 1, 0, UINT32_MAX)}, false, false, ROWS - 1, BODY_A},
	{"pair_b one too high", {PAIR_POKE(1, 1, BODIES)}, false, false, 1, BODY_B},
	{"pair_b one too high, two views", {PAIR_POKE(1, 1, BODIES)}, true, false, 1, BODY_B},
	{"pair_b 2^31", {PAIR_POKE(64, 1, UINT32_C(1) << 31)}, false, false, 64, BODY_B},
	{"pair_b of all bits", {PAIR_POKE(ROWS - 1, 1, UINT32_MAX)}, false, false, ROWS - 1, BODY_B},
	{"both too high", {PAIR_POKE(50, 0, BODIES), PAIR_POKE(50, 1, BODIES + 1)}, false, false, 50, BODY_A | BODY_B},
	{"bodies one fewer", {POKE(indexed, batch.a.count, count, BODIES - 1)}, false, true, 0, 0},
	{"no bodies", {POKE(indexed, batch.a.count, count, 0)}, false, true, 0, 0},
	{"a one fewer", {POKE(indexed, batch.a.count, count, BODIES - 1)}, true, true, 0, 0},
	{"b one fewer", {POKE(indexed, batch.b.count, count, BODIES - 1)}, true, true, 0, 0},
	{"b of none", {POKE(indexed, batch.b.count, count, 0)}, true, true, 0, 0},
	{"a of none, b of half", {POKE(indexed, batch.a.count, count, 0), POKE(indexed, batch.b.count, count, BODIES / 2)},
		true, true, 0, 0},
};

static void index_reasons(const index_case *c, const indexed *x, uint32_t reasons[ROWS])
{
	const size_t count_b = c->two_views ? x->batch.b.count : x->batch.a.count;
	memset(reasons, 0, ROWS * sizeof *reasons);
	reasons[c->row] = c->reasons;
	for (uint32_t r = 0; r < ROWS && c->is_bounded; r++)
		reasons[r] = (x->s.pairs[r][0] >= x->batch.a.count ? BODY_A : 0) | (x->s.pairs[r][1] >= count_b ? BODY_B : 0);
}

Test(bad_input, indices)
{
	static indexed x;
	for (size_t i = 0; i < COUNT_OF(index_cases); i++) {
		uint32_t reasons[ROWS];
		x.s = good;
		x.batch = batch_of(&x.s, WP_REAL_FLOAT, index_cases[i].two_views);
		apply(&x, index_cases[i].pokes, COUNT_OF(index_cases[i].pokes));
		index_reasons(&index_cases[i], &x, reasons);
		check_batch(index_cases[i].name, &x.batch, reasons, good_rows);
		check_reference(index_cases[i].name, &x.s, &x.batch, reasons);
	}
}

/* Rows without names are bodies, and bodies have numbers of 32 bits: a row further on is no body that 2^32 fewer make. Nothing
 * of such bodies is read. */
Test(bad_input, rows_beyond_all_numbers_of_bodies)
{
	for (uint32_t v = 0; v < WP_VARIANT_COUNT; v++) {
		if (workspaces[v] == NULL)
			continue;
		wp_batch batch = batch_of(&good, WP_REAL_FLOAT, false);
		batch.pair_a.data = batch.pair_b.data = NULL;
		const wp_results nowhere = {.separation = {.data = NULL}};
		for (int step = 0; step < 3; step++) {
			batch.first = (size_t)UINT32_MAX + (size_t)step;
			batch.count = 3;
			batch.a.count = batch.first + batch.count;
			wp_statistics statistics = {0};
			for (query q = OVERLAP; q < QUERIES; q++)
				cr_assert_eq(run(workspaces[v], &batch, q, MAX_SEPARATION, &nowhere, &statistics), WP_OK);
			cr_assert_eq(wp_cast(workspaces[v], &batch, NULL, NULL, &nowhere, NULL, &statistics), WP_OK);
			CHECK(statistics.invalid == 12 && statistics.rows == 12, "%s from %zu: %llu of %llu rows are invalid",
				wp_variant_name((wp_variant)v), batch.first, (unsigned long long)statistics.invalid,
				(unsigned long long)statistics.rows);
			wp_track_changes changes = {.rows = NULL};
			const wp_track_options options = {.max_separation = MAX_SEPARATION};
			wp_tracked pair;
			wp_persistent_manifold manifold;
			const wp_tracked_pairs none = {.pairs = &pair, .manifolds = &manifold, .count = 0};
			cr_assert_eq(wp_track(workspaces[v], &batch, &options, &none, &nowhere, NULL, &statistics), WP_OK);
			cr_assert_eq(statistics.invalid, 15);
			cr_assert_eq(
				wp_track(workspaces[v], &batch, &options, &none, &nowhere, &changes, NULL), WP_ERROR_PAIR_RANGE);
		}
	}
}

/* A body index out of range is reported beside what is wrong with the other side. */
Test(bad_input, index_on_one_side_and_number_on_the_other)
{
	static scene s;
	uint32_t reasons[ROWS];
	s = good;
	s.bodies[BAD_BODY].position[0] = NAN;
	s.pairs[ROWS / 2][0] = BODIES;
	spread_reasons(&s, POSITION, reasons);
	reasons[ROWS / 2] = BODY_A | POSITION << 4;
	const wp_batch batch = batch_of(&s, WP_REAL_FLOAT, false);
	check_batch("index and number", &batch, reasons, good_rows);
	check_reference("index and number", &s, &batch, reasons);
}

/* NULL index arrays: row r takes body r, body i has shape i. What lies beyond is invalid, the rest is as from
 * arrays that say so. */
static const struct {
	const char *name;
	bool no_pair_a, no_pair_b, no_shape;
} identity_cases[] = {
	{"pair_a NULL", true, false, false},
	{"pair_b NULL", false, true, false},
	{"both pairs NULL", true, true, false},
	{"shape NULL", false, false, true},
	{"all NULL", true, true, true},
};

/* What is wrong with a row of two bodies that are valid. */
static uint32_t reasons_of_two(const scene *s, const uint32_t pair[2])
{
	const bool spaces = s->bodies[pair[0]].shape == WP_SHAPE_HALF_SPACE &&
	                    s->bodies[pair[1]].shape == WP_SHAPE_HALF_SPACE;
	return spaces ? WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_SHAPE_B : 0;
}

static uint32_t identity_reasons(const scene *s, const uint32_t pair[2])
{
	uint32_t reasons = 0;
	for (uint32_t side = 0; side < 2; side++) {
		if (pair[side] >= BODIES)
			reasons |= BODY_A << 4 * side;
		else if (s->bodies[pair[side]].shape >= INVALID_SHAPE)
			reasons |= SHAPE << 4 * side;
	}
	return reasons != 0 ? reasons : reasons_of_two(s, pair);
}

Test(bad_input, index_arrays_that_are_null)
{
	static scene s;
	static guarded_rows before[QUERIES];
	for (size_t i = 0; i < COUNT_OF(identity_cases); i++) {
		uint32_t reasons[ROWS];
		s = good;
		for (uint32_t b = 0; b < BODIES && identity_cases[i].no_shape; b++)
			s.bodies[b].shape = b;
		for (uint32_t r = 0; r < ROWS; r++) {
			s.pairs[r][0] = identity_cases[i].no_pair_a ? r : s.pairs[r][0];
			s.pairs[r][1] = identity_cases[i].no_pair_b ? r : s.pairs[r][1];
			reasons[r] = identity_reasons(&s, s.pairs[r]);
		}
		wp_batch batch = batch_of(&s, WP_REAL_FLOAT, false);
		const wp_results results = results_of(found.rows);
		for (query q = OVERLAP; q < QUERIES; q++) {
			memset(&found, GUARD, sizeof found);
			cr_assert_eq(run(workspaces[0], &batch, q, MAX_SEPARATION, &results, NULL), WP_OK);
			before[q] = found;
		}
		batch.pair_a.data = identity_cases[i].no_pair_a ? NULL : batch.pair_a.data;
		batch.pair_b.data = identity_cases[i].no_pair_b ? NULL : batch.pair_b.data;
		batch.a.shape.data = identity_cases[i].no_shape ? NULL : batch.a.shape.data;
		check_batch(identity_cases[i].name, &batch, reasons, before);
	}
}
