/* Boxes of bodies with compounds: the boxes of all children at their poses, and no more. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support/block.h"
#include "support/check.h"
#include "support/gen_random.h"
#include "support/mesh_bodies.h"
#include "support/vector.h"
#include "widephase/widephase.h"

enum { BOX, HULL, CAPSULE, CYLINDER, CONE, ELLIPSOID, ROUNDED, TRIANGLE, CUSTOM, HALF_SPACE, SHAPES };
enum { COMPOUNDS = 6, CHILDREN = 400, BODIES = 300 };

static const uint32_t child_counts[COMPOUNDS] = {1, 2, 5, 19, 90, CHILDREN};

/* Spacings of floats that rounding outwards may cost. */
#define ULPS 2

typedef struct box {
	float lower[3], upper[3];
} box;

static wp_shape shapes[SHAPES];
static wp_shape_table *table;
static const wp_compound *compounds[COMPOUNDS];
static body bodies[BODIES];
static box boxes[BODIES];

static void support_cube(const void *context, const double direction[3], double point[3])
{
	(void)context;
	for (int k = 0; k < 3; k++)
		point[k] = direction[k] < 0 ? -0.25 : 0.25;
}

static const wp_hull *make_hull(void)
{
	static float points[12][3];
	gen_random random;
	gen_seed(&random, 9);
	for (int i = 0; i < 12; i++)
		for (int k = 0; k < 3; k++)
			points[i][k] = gen_rounded(gen_range(&random, 1, 2));
	const wp_hull_input input = {.vertices.data = points[0], .vertex_count = 12};
	const size_t size = wp_hull_size(12, 0, 0);
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_hull_build(&input, block(size), size, &hull, NULL), WP_OK);
	return hull;
}

static void make_shapes(void)
{
	static const wp_custom custom = {.support = support_cube, .bound = 0.4331f};
	const size_t size = wp_shape_table_size(SHAPES);
	shapes[BOX] = wp_shape_box(0.5f, 0.3f, 0.4f);
	shapes[HULL] = wp_shape_hull(make_hull());
	shapes[CAPSULE] = wp_shape_capsule(0.25f, 0.6f);
	shapes[CYLINDER] = wp_shape_cylinder(0.4f, 0.3f);
	shapes[CONE] = wp_shape_cone(0.4f, 0.5f);
	shapes[ELLIPSOID] = wp_shape_ellipsoid(0.5f, 0.2f, 0.4f);
	shapes[ROUNDED] = wp_shape_box(1.5f, 0.1f, 0.2f);
	shapes[ROUNDED].radius = 0.1f;
	shapes[TRIANGLE] = wp_shape_triangle(
		(float[]){-0.5f, 0, 0}, (float[]){0.5f, 0.1f, 0.2f}, (float[]){0.1f, 0.3f, 0.6f});
	shapes[CUSTOM] = wp_shape_custom(&custom);
	shapes[HALF_SPACE] = wp_shape_half_space();
	cr_assert_eq(wp_shape_table_init(block(size), size, SHAPES, &table), WP_OK);
	for (uint32_t i = 0; i < SHAPES; i++)
		cr_assert_eq(wp_shape_table_set(table, i, &shapes[i], NULL), WP_OK);
}

static void set_up(void)
{
	static wp_compound_child children[CHILDREN];
	gen_random random;
	gen_seed(&random, 4);
	make_shapes();
	for (uint32_t c = 0; c < COMPOUNDS; c++) {
		for (uint32_t i = 0; i < child_counts[c]; i++) {
			wp_compound_child *const child = &children[i];
			*child = (wp_compound_child){.shape = gen_below(&random, HALF_SPACE)};
			gen_rotation(&random, child->rotation);
			for (int k = 0; k < 3; k++)
				child->position[k] = gen_rounded(gen_range(&random, -4, 4));
		}
		const size_t size = wp_compound_size(child_counts[c]);
		cr_assert_eq(
			wp_compound_build(children, child_counts[c], table, block(size), size, &compounds[c], NULL), WP_OK);
	}
	for (uint32_t i = 0; i < BODIES; i++) {
		const double far = i % 7 == 0 ? 1e7 : 20;
		bodies[i].shape = i % 4 == 3 ? gen_below(&random, SHAPES) : WP_COMPOUND + gen_below(&random, COMPOUNDS);
		gen_rotation(&random, bodies[i].rotation);
		/* Rotations of callers are of unit length within 1e-2. */
		for (int k = 0; k < 4; k++)
			bodies[i].rotation[k] *= i % 5 == 0 ? 0.996f : 1.0f;
		/* A quarter of a turn: sides of boxes are at floats, within the rounding of double. */
		if (i % 6 == 1)
			memcpy(bodies[i].rotation, (float[]){0x1.6a09e6p-1f, 0, 0, 0x1.6a09e6p-1f}, sizeof bodies[i].rotation);
		for (int k = 0; k < 3; k++)
			bodies[i].position[k] = i % 12 == 1 ? 0 : gen_range(&random, -far, far);
	}
}

static wp_compound_batch batch_of_bodies(void)
{
	return (wp_compound_batch){.shapes = table,
		.compounds = compounds,
		.compound_count = COMPOUNDS,
		.a = bodies_of(bodies, BODIES),
		.count = BODIES};
}

static wp_error find(const wp_compound_batch *batch, const wp_contact_options *options, box *to)
{
	return wp_compound_bodies_bounds(
		batch, options, &(wp_bounds){{to->lower, sizeof *to}, {to->upper, sizeof *to}, WP_REAL_FLOAT});
}

static wp_error find_plain(const wp_batch *batch, const wp_contact_options *options, box *to)
{
	return wp_bodies_bounds(
		batch, options, &(wp_bounds){{to->lower, sizeof *to}, {to->upper, sizeof *to}, WP_REAL_FLOAT});
}

static float spaced(float value, int steps, float towards)
{
	while (steps-- > 0)
		value = nextafterf(value, towards);
	return value;
}

/* The box around the boxes of a body's children. */
static box box_of_children(const body *b, const wp_contact_options *options)
{
	static body placed[CHILDREN];
	static box found[CHILDREN];
	const wp_compound *const compound = compounds[b->shape - WP_COMPOUND];
	const size_t count = wp_compound_child_count(compound);
	for (size_t i = 0; i < count; i++) {
		wp_compound_child child;
		wp_compound_child_at(compound, i, &child);
		wp_compound_child_pose(compound, i, b->position, b->rotation, placed[i].position, placed[i].rotation);
		placed[i].shape = child.shape;
	}
	const wp_batch batch = {.shapes = table, .a = bodies_of(placed, count), .count = count};
	cr_assert_eq(find_plain(&batch, options, found), WP_OK);
	box all = found[0];
	for (size_t i = 1; i < count; i++)
		for (int k = 0; k < 3; k++) {
			all.lower[k] = fminf(all.lower[k], found[i].lower[k]);
			all.upper[k] = fmaxf(all.upper[k], found[i].upper[k]);
		}
	return all;
}

Test(compound_bounds, are_of_all_children, .init = set_up)
{
	const wp_contact_options options[2] = {{0}, {0.25f}};
	const wp_compound_batch batch = batch_of_bodies();
	for (int o = 0; o < 2; o++) {
		uint32_t judged = 0;
		cr_assert_eq(find(&batch, &options[o], boxes), WP_OK);
		for (uint32_t i = 0; i < BODIES; i++) {
			if (bodies[i].shape < WP_COMPOUND)
				continue;
			const box expected = box_of_children(&bodies[i], &options[o]);
			for (int k = 0; k < 3; k++) {
				const float low = boxes[i].lower[k], high = boxes[i].upper[k];
				CHECK(low >= spaced(expected.lower[k], ULPS, -INFINITY) &&
						  low <= spaced(expected.lower[k], ULPS, INFINITY) &&
						  high >= spaced(expected.upper[k], ULPS, -INFINITY) &&
						  high <= spaced(expected.upper[k], ULPS, INFINITY),
					"body %u, axis %d: from %a to %a, not %a to %a", i, k, (double)low, (double)high,
					(double)expected.lower[k], (double)expected.upper[k]);
			}
			judged++;
		}
		cr_assert_gt(judged, 150);
	}
}

/* No corner of a box and no vertex of a hull is outside, not by a last bit. */
Test(compound_bounds, hold_all_vertices, .init = set_up)
{
	const wp_compound_batch batch = batch_of_bodies();
	uint32_t judged = 0;
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	for (uint32_t i = 0; i < BODIES; i++) {
		const size_t count = bodies[i].shape < WP_COMPOUND
		                       ? 0
		                       : wp_compound_child_count(compounds[bodies[i].shape - WP_COMPOUND]);
		for (size_t j = 0; j < count; j++) {
			const wp_compound *const compound = compounds[bodies[i].shape - WP_COMPOUND];
			wp_compound_child child;
			double place[3];
			float turned[4];
			wp_compound_child_at(compound, j, &child);
			if (child.shape != BOX && child.shape != HULL)
				continue;
			wp_compound_child_pose(compound, j, bodies[i].position, bodies[i].rotation, place, turned);
			const m3 turn = m3_of_quaternion(turned);
			for (size_t corner = 0; corner < (child.shape == BOX ? 8 : 12); corner++) {
				float v[3];
				if (child.shape == HULL)
					wp_hull_vertex(shapes[HULL].hull, corner, v);
				for (int k = 0; k < 3 && child.shape == BOX; k++)
					v[k] = corner >> k & 1 ? shapes[BOX].half_extents[k] : -shapes[BOX].half_extents[k];
				const v3 at = m3_apply(turn, v3_of_floats(v));
				const double way[3] = {at.x, at.y, at.z};
				for (int k = 0; k < 3; k++)
					CHECK((double)boxes[i].lower[k] <= place[k] + way[k] &&
							  (double)boxes[i].upper[k] >= place[k] + way[k],
						"body %u, child %zu, axis %d: %a to %a, corner at %a", i, j, k, (double)boxes[i].lower[k],
						(double)boxes[i].upper[k], place[k] + way[k]);
				judged++;
			}
		}
	}
	cr_assert_gt(judged, 10000);
}

Test(compound_bounds, of_shapes_are_the_plain_ones, .init = set_up)
{
	static box plain[BODIES];
	const wp_contact_options options = {0.5f};
	const wp_compound_batch batch = batch_of_bodies();
	const wp_batch other = {.shapes = table, .a = batch.a, .count = BODIES};
	uint32_t judged = 0;
	cr_assert_eq(find(&batch, &options, boxes), WP_OK);
	cr_assert_eq(find_plain(&other, &options, plain), WP_OK);
	for (uint32_t i = 0; i < BODIES; i++) {
		if (bodies[i].shape >= WP_COMPOUND)
			continue;
		CHECK(memcmp(&boxes[i], &plain[i], sizeof(box)) == 0, "body %u of shape %u", i, bodies[i].shape);
		judged++;
	}
	cr_assert_gt(judged, 50);
}

Test(compound_bounds, of_invalid_bodies_are_none, .init = set_up)
{
	const wp_compound *const none[2] = {compounds[0], NULL};
	body broken[6];
	for (int i = 0; i < 6; i++)
		broken[i] = (body){{1, 2, 3}, {0, 0, 0, 1}, WP_COMPOUND};
	broken[1].position[1] = (double)NAN;
	broken[2].rotation[3] = 2;
	broken[3].shape = WP_COMPOUND + 1;
	broken[4].shape = WP_COMPOUND + 2;
	broken[5].shape = SHAPES;
	wp_compound_batch batch = {
		.shapes = table, .compounds = none, .compound_count = 2, .a = bodies_of(broken, 6), .count = 6};
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	cr_assert(boxes[0].lower[0] <= boxes[0].upper[0]);
	for (int i = 1; i < 6; i++)
		for (int k = 0; k < 3; k++)
			CHECK(boxes[i].lower[k] == INFINITY && boxes[i].upper[k] == -INFINITY, "body %d", i);

	/* A child whose shape is gone, is larger than it was, or a half-space. */
	const wp_shape large = wp_shape_sphere(100), *const others[2] = {&large, &shapes[HALF_SPACE]};
	wp_compound_child child;
	wp_compound_child_at(compounds[0], 0, &child);
	for (int i = 0; i < 3; i++) {
		cr_assert_eq(i == 0 ? wp_shape_table_remove(table, child.shape)
							: wp_shape_table_set(table, child.shape, others[i - 1], NULL),
			WP_OK);
		cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
		CHECK(boxes[0].lower[0] == INFINITY && boxes[0].upper[0] == -INFINITY, "change %d", i);
	}
}

Test(compound_bounds, ranges, .init = set_up)
{
	static box parts[BODIES];
	wp_compound_batch batch = batch_of_bodies();
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	memset(parts, 0x5a, sizeof parts);
	for (batch.first = 0; batch.first < BODIES; batch.first += batch.count) {
		batch.count = BODIES - batch.first < 70 ? BODIES - batch.first : 70;
		cr_assert_eq(find(&batch, NULL, parts), WP_OK);
	}
	cr_assert_eq(memcmp(parts, boxes, sizeof boxes), 0);
}

/* Floats are the doubles rounded outwards. */
Test(compound_bounds, in_double, .init = set_up)
{
	static double lower[BODIES][3], upper[BODIES][3];
	const wp_compound_batch batch = batch_of_bodies();
	const wp_bounds bounds = {{lower, 0}, {upper, 0}, WP_REAL_DOUBLE};
	cr_assert_eq(find(&batch, NULL, boxes), WP_OK);
	cr_assert_eq(wp_compound_bodies_bounds(&batch, NULL, &bounds), WP_OK);
	for (uint32_t i = 0; i < BODIES; i++)
		for (int k = 0; k < 3; k++)
			CHECK((double)boxes[i].lower[k] <= lower[i][k] &&
					  (double)nextafterf(boxes[i].lower[k], INFINITY) > lower[i][k] &&
					  (double)boxes[i].upper[k] >= upper[i][k] &&
					  (double)nextafterf(boxes[i].upper[k], -INFINITY) < upper[i][k],
				"body %u, axis %d: %a to %a in float, %a to %a in double", i, k, (double)boxes[i].lower[k],
				(double)boxes[i].upper[k], lower[i][k], upper[i][k]);
}

Test(compound_bounds, arguments, .init = set_up)
{
	const wp_compound_batch batch = batch_of_bodies();
	const wp_contact_options bad = {NAN};
	const wp_bounds bounds = {{boxes[0].lower, sizeof(box)}, {boxes[0].upper, sizeof(box)}, WP_REAL_FLOAT};
	wp_bounds wrong = bounds;
	wp_compound_batch b = batch;
	cr_assert_eq(wp_compound_bodies_bounds(NULL, NULL, &bounds), WP_ERROR_NULL_BATCH);
	cr_assert_eq(wp_compound_bodies_bounds(&batch, &bad, &bounds), WP_ERROR_MAX_SEPARATION);
	cr_assert_eq(wp_compound_bodies_bounds(&batch, NULL, NULL), WP_ERROR_NULL_BOUNDS);
	wrong.upper.stride = 8;
	cr_assert_eq(wp_compound_bodies_bounds(&batch, NULL, &wrong), WP_ERROR_BOUNDS_STRIDE);
	wrong = bounds;
	wrong.real = 2;
	cr_assert_eq(wp_compound_bodies_bounds(&batch, NULL, &wrong), WP_ERROR_BOUNDS_REAL);
	b.shapes = NULL;
	cr_assert_eq(wp_compound_bodies_bounds(&b, NULL, &bounds), WP_ERROR_NULL_BATCH_SHAPES);
	b = batch;
	b.compounds = NULL;
	cr_assert_eq(wp_compound_bodies_bounds(&b, NULL, &bounds), WP_ERROR_NULL_COMPOUNDS);
	b = batch;
	b.a.rotation.data = NULL;
	cr_assert_eq(wp_compound_bodies_bounds(&b, NULL, &bounds), WP_ERROR_BODIES_A_ROTATION);
	b.count = 0;
	cr_assert_eq(wp_compound_bodies_bounds(&b, NULL, &bounds), WP_OK);
	/* There is no room for boxes of more bodies than there are. */
	b = batch;
	b.first = 1;
	cr_assert_eq(wp_compound_bodies_bounds(&b, NULL, &bounds), WP_ERROR_PAIR_RANGE);
	b.count = BODIES - 1;
	cr_assert_eq(wp_compound_bodies_bounds(&b, NULL, &bounds), WP_OK);
}
