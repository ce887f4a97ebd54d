/* Boxes of bodies: as far out as half-spaces along the axes say that the bodies reach, and no less. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support/block.h"
#include "support/check.h"
#include "support/gen.h"
#include "support/vector.h"
#include "widephase/widephase.h"

enum { PAIRS = 1500, BODIES = 2 * PAIRS };

/* Of the size and the distance: how exact contacts with half-spaces are, smooth shapes included. */
#define REACH_ERROR 1e-5

typedef struct box {
	float lower[3], upper[3];
} box;

static gen_corpus corpus;
static const wp_shape_table *table;
static wp_workspace *workspace;
static box boxes[BODIES];

static void set_up(void)
{
	const gen_options options = {.seed = 5, .vertex_max = 30};
	const size_t size = wp_shape_table_size(BODIES);
	cr_assert(gen_corpus_make(&options, 0, PAIRS, &corpus));
	cr_assert_eq(wp_shape_table_build(corpus.shapes, BODIES, block(size), size, &table, NULL), WP_OK);
	cr_assert_eq(wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace), WP_OK);
}

static wp_batch batch_of(const wp_pose *poses, size_t count)
{
	return (wp_batch){.shapes = table,
		.a = {.position = {poses->position, sizeof *poses},
			.rotation = {poses->rotation, sizeof *poses},
			.count = count},
		.count = count};
}

static wp_error find(const wp_batch *batch, const wp_contact_options *options, box *to)
{
	return wp_bodies_bounds(
		batch, options, &(wp_bounds){{to->lower, sizeof *to}, {to->upper, sizeof *to}, WP_REAL_FLOAT});
}

/* How far a body reaches along an axis from its position, by a half-space that turns its surface to it there. */
static double reach_along(uint32_t i, int axis, double sign)
{
	/* The half-space's +Y turned to the axis, against the sign. */
	static const float half = 0x1.6a09e6p-1f;
	const float s = sign > 0 ? -half : half;
	const wp_shape space = wp_shape_half_space();
	const wp_pose at = {{0, 0, 0}, {corpus.poses[i].rotation[0], corpus.poses[i].rotation[1],
									   corpus.poses[i].rotation[2], corpus.poses[i].rotation[3]}};
	wp_pose wall = {{0, 0, 0}, {axis == 2 ? s : 0, 0, axis == 0 ? -s : 0, half}};
	if (axis == 1)
		wall = (wp_pose){{0, 0, 0}, {sign > 0 ? 1 : 0, 0, 0, sign > 0 ? 0 : 1}};
	wp_row row;
	cr_assert_eq(
		wp_contact_pair(workspace, &corpus.shapes[i], &at, &space, &wall, &(wp_contact_options){INFINITY}, &row),
		WP_OK);
	return -(double)row.separation;
}

Test(bounds, hold_bodies_and_no_more, .init = set_up)
{
	const wp_batch batch = batch_of(corpus.poses, BODIES);
	uint32_t judged = 0;
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	for (uint32_t i = 0; i < BODIES; i++) {
		const box *const b = &boxes[i];
		const double size = (double)wp_shape_table_bound(table, i);
		for (int k = 0; k < 3; k++) {
			const double at = (double)corpus.poses[i].position[k];
			const double high = reach_along(i, k, 1), low = reach_along(i, k, -1);
			const double allowed = REACH_ERROR * (size + fabs(high) + fabs(low)) + 2.5e-7 * (fabs(at) + size) + 1e-44;
			CHECK(
				fabs((double)b->upper[k] - (at + high)) <= allowed && fabs((double)b->lower[k] - (at - low)) <= allowed,
				"body %u, axis %d: from %a to %a, not %a to %a", i, k, (double)b->lower[k], (double)b->upper[k],
				at - low, at + high);
		}
		judged++;
	}
	cr_assert_gt(judged, 2000);
}

/* No vertex is outside, not by a last bit. */
Test(bounds, hold_all_vertices, .init = set_up)
{
	const wp_batch batch = batch_of(corpus.poses, BODIES);
	uint32_t judged = 0;
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	for (uint32_t i = 0; i < BODIES; i++) {
		const wp_shape *const s = &corpus.shapes[i];
		if (s->kind != WP_SHAPE_HULL && s->kind != WP_SHAPE_BOX)
			continue;
		const m3 turn = m3_of_quaternion(corpus.poses[i].rotation);
		const size_t count = s->kind == WP_SHAPE_BOX ? 8 : wp_hull_vertex_count(s->hull);
		for (size_t j = 0; j < count; j++) {
			float v[3];
			if (s->kind == WP_SHAPE_HULL)
				wp_hull_vertex(s->hull, j, v);
			for (int k = 0; k < 3 && s->kind == WP_SHAPE_BOX; k++)
				v[k] = j >> k & 1 ? s->half_extents[k] : -s->half_extents[k];
			const v3 at = m3_apply(turn, v3_of_floats(v));
			const double place[3] = {at.x, at.y, at.z}, radius = (double)s->radius;
			for (int k = 0; k < 3; k++) {
				const double from = (double)corpus.poses[i].position[k] + place[k];
				CHECK((double)boxes[i].lower[k] <= from - radius && (double)boxes[i].upper[k] >= from + radius,
					"body %u, axis %d: %a to %a, vertex at %a", i, k, (double)boxes[i].lower[k],
					(double)boxes[i].upper[k], from);
			}
		}
		judged++;
	}
	cr_assert_gt(judged, 500);
}

/* A side at 0 has no last place: it is off by a share of the position and of the body. */
Test(bounds, of_sides_at_zero)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	const float half[3] = {0x1.99999ap-4f, 0x1.4p+4f, 0x1.3p-20f};
	const wp_shape shape = wp_shape_box(half[0], half[1], half[2]);
	const double far = 0x1p+40;
	const double positions[3][3] = {{(double)half[0], (double)half[1], (double)half[2]},
		{-(double)half[0], -(double)half[1], -(double)half[2]}, {far, -far, far}};
	static const float rotations[3][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}};
	cr_assert_eq(wp_shape_table_build(&shape, 1, memory, sizeof memory, &table, NULL), WP_OK);
	const uint32_t shapes[3] = {0};
	wp_batch batch = {.shapes = table, .count = 3};
	batch.a = (wp_bodies){.position = {positions, 0},
		.rotation = {rotations[0], 0},
		.shape = {shapes, 0},
		.count = 3,
		.position_real = WP_REAL_DOUBLE};
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	for (int k = 0; k < 3; k++) {
		const double allowed = 1e-13 * ((double)half[k] + (double)wp_shape_table_bound(table, 0));
		const double low = (double)boxes[0].lower[k], high = (double)boxes[1].upper[k];
		cr_assert(low <= 0 && low >= -allowed, "axis %d: %a", k, low);
		cr_assert(high >= 0 && high <= allowed, "axis %d: %a", k, high);
		cr_assert(boxes[2].upper[k] - boxes[2].lower[k] <= 4 * 0x1p+17f + 2 * half[k], "axis %d", k);
	}
}

/* Boxes overlap where there is a contact up to max_separation. */
Test(bounds, of_contacts_overlap, .init = set_up)
{
	static wp_row rows[PAIRS];
	static uint32_t pair[PAIRS][2];
	const wp_contact_options options = {0.25f};
	wp_batch batch = batch_of(corpus.poses, BODIES);
	uint32_t near = 0;
	cr_assert_eq(find(&batch, &options, boxes), WP_OK);
	for (uint32_t i = 0; i < PAIRS; i++) {
		pair[i][0] = 2 * i;
		pair[i][1] = 2 * i + 1;
	}
	batch.pair_a = (wp_const_uint32_column){&pair[0][0], sizeof pair[0]};
	batch.pair_b = (wp_const_uint32_column){&pair[0][1], sizeof pair[0]};
	batch.count = PAIRS;
	const wp_results results = wp_results_of_rows(rows);
	cr_assert_eq(wp_contact(workspace, &batch, &options, &results, NULL), WP_OK);
	for (uint32_t i = 0; i < PAIRS; i++) {
		if (rows[i].status & (WP_STATUS_BEYOND | WP_STATUS_INVALID) || rows[i].upper > options.max_separation)
			continue;
		near++;
		for (int k = 0; k < 3; k++)
			CHECK(boxes[2 * i].lower[k] <= boxes[2 * i + 1].upper[k] &&
					  boxes[2 * i].upper[k] >= boxes[2 * i + 1].lower[k],
				"pair %u, axis %d", i, k);
	}
	cr_assert_gt(near, 500);
}

Test(bounds, of_invalid_bodies_are_none, .init = set_up)
{
	wp_pose poses[4] = {
		{{1, 2, 3}, {0, 0, 0, 1}}, {{NAN, 0, 0}, {0, 0, 0, 1}}, {{0, 0, 0}, {0, 0, 0, 2}}, {{0, 0, 0}, {0, 0, 0, 1}}};
	uint32_t shape[4] = {0, 0, 0, BODIES};
	wp_batch batch = batch_of(poses, 4);
	batch.a.shape.data = shape;
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	cr_assert(boxes[0].lower[0] <= boxes[0].upper[0]);
	for (int i = 1; i < 4; i++)
		for (int k = 0; k < 3; k++)
			cr_assert(boxes[i].lower[k] == INFINITY && boxes[i].upper[k] == -INFINITY, "%d", i);
}

static void support_nothing(const void *context, const double direction[3], double point[3])
{
	(void)context;
	(void)direction;
	point[0] = point[1] = point[2] = (double)NAN;
}

Test(bounds, of_functions_that_fail_are_at_the_bound, .init = set_up)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	const wp_custom custom = {.support = support_nothing, .bound = 3};
	const wp_shape shape = wp_shape_custom(&custom);
	const wp_pose pose = {.position = {8, 16, -4}, .rotation = {0, 0, 0, 1}};
	cr_assert_eq(wp_shape_table_build(&shape, 1, memory, sizeof memory, &table, NULL), WP_OK);
	const wp_batch batch = batch_of(&pose, 1);
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	for (int k = 0; k < 3; k++) {
		const float at = pose.position[k];
		cr_assert(fabsf(boxes[0].lower[k] - (at - 3)) < 1e-5f && fabsf(boxes[0].upper[k] - (at + 3)) < 1e-5f,
			"from %g to %g", (double)boxes[0].lower[k], (double)boxes[0].upper[k]);
	}
}

Test(bounds, of_half_spaces_are_infinite, .init = set_up)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	const wp_shape space = wp_shape_half_space();
	cr_assert_eq(wp_shape_table_build(&space, 1, memory, sizeof memory, &table, NULL), WP_OK);
	const wp_batch batch = batch_of(corpus.poses, 1);
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	for (int k = 0; k < 3; k++)
		cr_assert(boxes[0].lower[k] == -INFINITY && boxes[0].upper[k] == INFINITY);
}

Test(bounds, ranges_and_doubles, .init = set_up)
{
	static double positions[BODIES][3];
	static box parts[BODIES], doubles[BODIES];
	wp_batch batch = batch_of(corpus.poses, BODIES);
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	memset(parts, 0x5a, sizeof parts);
	for (size_t first = 0; first < BODIES; first += 700) {
		batch.first = first;
		batch.count = BODIES - first < 700 ? BODIES - first : 700;
		cr_assert_eq(find(&batch, NULL, parts), WP_OK);
	}
	cr_assert_eq(memcmp(parts, boxes, sizeof boxes), 0);
	for (uint32_t i = 0; i < BODIES; i++)
		for (int k = 0; k < 3; k++)
			positions[i][k] = (double)corpus.poses[i].position[k];
	batch = batch_of(corpus.poses, BODIES);
	batch.a.position = (wp_const_real_column){positions, 0};
	batch.a.position_real = WP_REAL_DOUBLE;
	cr_assert_eq(find(&batch, NULL, doubles), WP_OK);
	cr_assert_eq(memcmp(doubles, boxes, sizeof boxes), 0);
}

/* Doubles are as near far from the origin as near it, and no vertex is outside. Floats are the doubles rounded outwards. */
Test(bounds, in_double, .init = set_up)
{
	static double positions[BODIES][3], sides[2][BODIES][4];
	const double far = 0x1.3p+40;
	const wp_contact_options options = {0.25f};
	for (uint32_t i = 0; i < BODIES; i++)
		for (int k = 0; k < 3; k++)
			positions[i][k] = (double)corpus.poses[i].position[k] + far;
	wp_batch batch = batch_of(corpus.poses, BODIES);
	batch.a.position = (wp_const_real_column){positions, 0};
	batch.a.position_real = WP_REAL_DOUBLE;
	const wp_bounds bounds = {{sides[0], sizeof sides[0][0]}, {sides[1], sizeof sides[1][0]}, WP_REAL_DOUBLE};
	cr_assert_eq(wp_bodies_bounds(&batch, &options, &bounds), WP_OK);
	cr_assert_eq(find(&batch, &options, boxes), WP_OK);
	for (uint32_t i = 0; i < BODIES; i++) {
		const double size = (double)wp_shape_table_bound(table, i);
		for (int k = 0; k < 3; k++) {
			const double at = positions[i][k], low = sides[0][i][k], high = sides[1][i][k];
			const double reach[2] = {reach_along(i, k, -1) + 0.125, reach_along(i, k, 1) + 0.125};
			const double allowed = REACH_ERROR * (size + fabs(reach[0]) + fabs(reach[1])) + 1e-13 * (fabs(at) + size);
			CHECK(fabs(low - (at - reach[0])) <= allowed && fabs(high - (at + reach[1])) <= allowed,
				"body %u, axis %d: from %a to %a, not %a to %a", i, k, low, high, at - reach[0], at + reach[1]);
			CHECK((double)boxes[i].lower[k] <= low && (double)nextafterf(boxes[i].lower[k], INFINITY) > low &&
					  (double)boxes[i].upper[k] >= high && (double)nextafterf(boxes[i].upper[k], -INFINITY) < high,
				"body %u, axis %d: %a to %a in float, %a to %a in double", i, k, (double)boxes[i].lower[k],
				(double)boxes[i].upper[k], low, high);
		}
		cr_assert(sides[0][i][3] == 0 && sides[1][i][3] == 0, "beside the box of body %u", i);
	}
	positions[0][0] = (double)NAN;
	batch.count = 1;
	cr_assert_eq(wp_bodies_bounds(&batch, &options, &bounds), WP_OK);
	for (int k = 0; k < 3; k++)
		cr_assert(sides[0][0][k] == (double)INFINITY && sides[1][0][k] == -(double)INFINITY, "axis %d", k);
}

Test(bounds, arguments, .init = set_up)
{
	const wp_batch batch = batch_of(corpus.poses, BODIES);
	const wp_contact_options bad = {NAN};
	const wp_bounds bounds = {{boxes[0].lower, sizeof(box)}, {boxes[0].upper, sizeof(box)}, WP_REAL_FLOAT};
	wp_bounds wrong = bounds;
	wp_batch b = batch;
	cr_assert_eq(wp_bodies_bounds(NULL, NULL, &bounds), WP_ERROR_NULL_BATCH);
	cr_assert_eq(wp_bodies_bounds(&batch, &bad, &bounds), WP_ERROR_MAX_SEPARATION);
	cr_assert_eq(wp_bodies_bounds(&batch, NULL, NULL), WP_ERROR_NULL_BOUNDS);
	wrong.lower.data = NULL;
	cr_assert_eq(wp_bodies_bounds(&batch, NULL, &wrong), WP_ERROR_NULL_BOUNDS);
	wrong = bounds;
	wrong.upper.data = NULL;
	cr_assert_eq(wp_bodies_bounds(&batch, NULL, &wrong), WP_ERROR_NULL_BOUNDS);
	wrong = bounds;
	wrong.lower.stride = 11;
	cr_assert_eq(wp_bodies_bounds(&batch, NULL, &wrong), WP_ERROR_BOUNDS_STRIDE);
	wrong = bounds;
	wrong.upper.stride = 23;
	cr_assert_eq(wp_bodies_bounds(&batch, NULL, &wrong), WP_OK);
	wrong.real = WP_REAL_DOUBLE;
	cr_assert_eq(wp_bodies_bounds(&batch, NULL, &wrong), WP_ERROR_BOUNDS_STRIDE);
	wrong = bounds;
	wrong.real = 2;
	cr_assert_eq(wp_bodies_bounds(&batch, NULL, &wrong), WP_ERROR_BOUNDS_REAL);
	b.shapes = NULL;
	cr_assert_eq(wp_bodies_bounds(&b, NULL, &bounds), WP_ERROR_NULL_BATCH_SHAPES);
	b = batch;
	b.a.rotation.data = NULL;
	cr_assert_eq(wp_bodies_bounds(&b, NULL, &bounds), WP_ERROR_BODIES_A_ROTATION);
	b.count = 0;
	cr_assert_eq(wp_bodies_bounds(&b, NULL, &bounds), WP_OK);
	b.first = SIZE_MAX;
	b.count = 2;
	cr_assert_eq(wp_bodies_bounds(&b, NULL, &bounds), WP_ERROR_PAIR_RANGE);
	/* There is no room for boxes of more bodies than there are, which a batch of pairs may name. */
	b = batch;
	b.first = 1;
	cr_assert_eq(wp_bodies_bounds(&b, NULL, &bounds), WP_ERROR_PAIR_RANGE);
	b.count = BODIES - 1;
	cr_assert_eq(wp_bodies_bounds(&b, NULL, &bounds), WP_OK);
	b.first = BODIES + 1;
	b.count = 1;
	cr_assert_eq(wp_bodies_bounds(&b, NULL, &bounds), WP_ERROR_PAIR_RANGE);
}
