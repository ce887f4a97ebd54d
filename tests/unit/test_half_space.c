/* Half-spaces: answers that are known, in every variant, both ways round and by the reference; what lies in
 * the surface; how little it matters where the position is; manifolds, casts and directed depths. Random
 * pairs are the campaign's. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/contract.h"
#include "support/certify.h"
#include "support/each_shape.h"
#include "support/far_world.h"
#include "support/gen.h"
#include "support/half_space_oracle.h"
#include "support/rows.h"
#include "support/unit.h"
#include "widephase/widephase.h"

static const double quarter = 1.5707963267948966;

/* A cube without faces, and one with. */
static const wp_hull *make_cube(bool has_faces)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[2][2048];
	static const uint32_t sizes[6] = {4, 4, 4, 4, 4, 4},
						  indices[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
	float vertices[8][3];
	for (int i = 0; i < 24; i++)
		vertices[i / 3][i % 3] = i / 3 >> i % 3 & 1 ? 1.0f : -1.0f;
	const wp_hull_input input = {.vertices = {vertices[0]},
		.vertex_count = 8,
		.face_sizes = sizes,
		.face_indices = indices,
		.face_count = has_faces ? 6 : 0};
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_hull_build(&input, memory[has_faces], sizeof memory[0], &hull, NULL), WP_OK);
	return hull;
}

/* ---- contacts ----------------------------------------------------------------------------------- */

static void check_reference(
	const char *what, const wp_shape *const shape[2], const wp_pose *const pose[2], double expected)
{
	double position[2][3];
	for (int i = 0; i < 6; i++)
		position[i / 3][i % 3] = (double)pose[i / 3]->position[i % 3];
	wp_reference_row row;
	cr_assert_eq(wp_reference_contact_pair(
					 shape[0], position[0], pose[0]->rotation, shape[1], position[1], pose[1]->rotation, &row),
		WP_OK);
	cr_assert(fabs(row.separation - expected) <= row.upper - row.lower + 1e-12 && row.lower <= row.separation &&
				  row.separation <= row.upper,
		"%s, reference: %.17g, not %.17g", what, row.separation, expected);
}

/* One pair in every variant, both ways round: the separation, the bracket, certificates of all queries. `at`
 * is where the half-space is, which comes first. */
static void check_pair(const char *what, const wp_shape *space, const wp_pose *at, const wp_shape *other,
	const wp_pose *above, double expected, uint32_t state)
{
	for (int v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *const workspace = workspace_of((wp_variant)v);
		for (int swap = 0; swap < 2 && workspace != NULL; swap++) {
			const wp_shape *const shape[2] = {swap ? other : space, swap ? space : other};
			const wp_pose *const pose[2] = {swap ? above : at, swap ? at : above};
			wp_row contact, distance, overlap;
			wp_contact_pair(workspace, shape[0], pose[0], shape[1], pose[1],
				&(wp_contact_options){.max_separation = INFINITY}, &contact);
			wp_distance_pair(workspace, shape[0], pose[0], shape[1], pose[1], &distance);
			wp_overlap_pair(workspace, shape[0], pose[0], shape[1], pose[1], &overlap);
			const certify_pair p = certify_prepare(shape[0], pose[0], shape[1], pose[1], &contact);
			const double truth = half_space_separation(shape[0], pose[0], shape[1], pose[1]);
			cr_assert(fabs(truth - expected) <= 1e-6 * (p.length + fabs(expected)) + WP_CONTRACT_FAR * p.far,
				"%s: the case itself is off: %.17g, not %.17g", what, truth, expected);
			cr_assert(fabs((double)contact.separation - truth) <= p.contract, "%s, %s %d: %.9g, not %.9g", what,
				wp_variant_name((wp_variant)v), swap, (double)contact.separation, truth);
			cr_assert((double)contact.lower <= truth && truth <= (double)contact.upper,
				"%s, %s %d: [%.9g, %.9g] lacks %.9g", what, wp_variant_name((wp_variant)v), swap, (double)contact.lower,
				(double)contact.upper, truth);
			cr_assert_eq(contact.status & (WP_STATUS_SEPARATED | WP_STATUS_TOUCHING | WP_STATUS_PENETRATING), state,
				"%s, %s %d: status %x", what, wp_variant_name((wp_variant)v), swap, contact.status);
			const char *broken = certify_contact(&p, &contact);
			broken = broken != NULL ? broken : certify_distance(&p, &distance, &contact);
			broken = broken != NULL ? broken : certify_overlap(&p, &overlap, &contact);
			cr_assert(broken == NULL, "%s, %s %d: broken: %s", what, wp_variant_name((wp_variant)v), swap, broken);
			check_reference(what, shape, pose, truth);
		}
	}
}

static void check_height(const char *what, const wp_shape *other, const wp_pose *above, double expected)
{
	const wp_shape plain = wp_shape_half_space(), thick = rounded(plain, 0.25f);
	const wp_pose ground = pose_at(0, 0, 0), below = pose_at(5, -0.25, -3);
	const uint32_t state = expected > 0 ? WP_STATUS_SEPARATED : WP_STATUS_PENETRATING;
	check_pair(what, &plain, &ground, other, above, expected, state);
	check_pair(what, &thick, &below, other, above, expected, state);
}

Test(half_space, every_kind)
{
	static const float a[3] = {1, 0, 0}, b[3] = {0, -2, 0.5f}, c[3] = {-0.5f, 0, 1};
	const wp_hull *const cube = make_cube(false);
	const wp_pose high = pose_at(7, 4, -1), low = pose_at(0.5, 0.5, 0), slanted = pose_turned(1, 4, 2, 0.5 * quarter);
	const struct {
		const char *what;
		wp_shape shape;
		double reach, slanted; /* how far down it reaches, upright and turned by an eighth */
	} cases[] = {
		{"point", wp_shape_point(), 0, 0},
		{"sphere", wp_shape_sphere(1.5f), 1.5, 1.5},
		{"segment", wp_shape_segment(a, b), 2, 2 * cos(0.5 * quarter)},
		{"capsule", wp_shape_capsule(0.5f, 1), 1.5, 0.5 + cos(0.5 * quarter)},
		{"triangle", wp_shape_triangle(a, b, c), 2, 2 * cos(0.5 * quarter)},
		{"box", wp_shape_box(1, 2, 3), 2, 3 * cos(0.5 * quarter)},
		{"hull", wp_shape_hull(cube), 1, 2 * cos(0.5 * quarter)},
		{"cylinder", wp_shape_cylinder(1, 2), 2, 3 * cos(0.5 * quarter)},
		{"cone", wp_shape_cone(1, 2), 2, 3 * cos(0.5 * quarter)},
		{"ellipsoid", wp_shape_ellipsoid(1, 2, 3), 2, sqrt(2.5)},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const wp_shape round = rounded(cases[i].shape, cases[i].shape.radius + 0.125f);
		check_height(cases[i].what, &cases[i].shape, &high, 4 - cases[i].reach);
		if (cases[i].reach > 0.5)
			check_height(cases[i].what, &cases[i].shape, &low, 0.5 - cases[i].reach);
		check_height(cases[i].what, &cases[i].shape, &slanted, 4 - cases[i].slanted);
		check_height(cases[i].what, &round, &slanted, 3.875 - cases[i].slanted);
	}
}

Test(half_space, in_the_surface)
{
	static const float a[3] = {1, 0, 0}, b[3] = {0, 0, 1}, c[3] = {-1, 0, -1};
	const wp_shape space = wp_shape_half_space(),
				   shapes[] = {wp_shape_point(), wp_shape_segment(a, b), wp_shape_triangle(a, b, c),
					   wp_shape_box(2, 0, 1), wp_shape_cylinder(1, 0), wp_shape_ellipsoid(1, 0, 2)};
	const wp_pose ground = pose_at(0, 0, 0), there = pose_at(3, 0, 100);
	for (size_t i = 0; i < COUNT_OF(shapes); i++)
		check_pair("flat in the surface", &space, &ground, &shapes[i], &there, 0, WP_STATUS_TOUCHING);
	const wp_shape box = wp_shape_box(1, 2, 1), sphere = wp_shape_sphere(0.5f);
	const wp_pose on_it = pose_at(3, 2, 100), centre = pose_at(0, 0, 0), half = pose_at(-1, 0.5, 0);
	check_pair("box on the surface", &space, &ground, &box, &on_it, 0, WP_STATUS_TOUCHING);
	check_pair("sphere on the surface", &space, &ground, &sphere, &half, 0, WP_STATUS_TOUCHING);
	check_pair("sphere about a place in the surface", &space, &ground, &sphere, &centre, -0.5, WP_STATUS_PENETRATING);
}

/* The position of the half-space may be anywhere in its surface. Beyond 1e7 sizes the strong path answers;
 * beyond about 1e9 no double holds its height, and the row has WP_STATUS_WIDE_BRACKET. */
Test(half_space, far_from_its_position)
{
	const wp_shape space = wp_shape_half_space(), box = wp_shape_box(0.5f, 0.5f, 0.5f),
				   tiny = rounded(wp_shape_box(1e-5f, 1e-5f, 1e-5f), 1e-6f);
	const double distances[] = {0, 1, 1e3, 1e5, 1e6, 1e9};
	for (size_t i = 0; i < COUNT_OF(distances); i++) {
		const wp_pose ground = pose_at(distances[i], 0, -distances[i]), on_it = pose_at(0, 0.25, 0),
					  near = pose_at(0, 2e-5, 0);
		check_pair("box far away", &space, &ground, &box, &on_it, -0.25, WP_STATUS_PENETRATING);
		if (distances[i] <= 1e3)
			check_pair("tiny box far away", &space, &ground, &tiny, &near,
				(double)near.position[1] - (double)1e-5f - (double)1e-6f, WP_STATUS_SEPARATED);
	}
	const wp_pose nowhere = pose_at(1e20, 0, -1e20), here = pose_at(0, 0.25, 0);
	wp_row row;
	wp_contact_pair(workspace_of(WP_VARIANT_AUTO), &space, &nowhere, &box, &here,
		&(wp_contact_options){.max_separation = INFINITY}, &row);
	cr_assert_eq(row.status, WP_STATUS_TOUCHING | WP_STATUS_STRONG | WP_STATUS_WIDE_BRACKET);
	cr_assert(row.lower < row.separation && row.separation < row.upper && row.upper - row.lower > 1e4f &&
			  isfinite(row.point_b[0]));
}

/* A slope through far places, with positions in double: the float rows say nothing wrong and double ones all
 * digits. */
static void check_slope(double aside)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[2048];
	const wp_shape shapes[2] = {wp_shape_half_space(), wp_shape_box(0.5f, 0.5f, 0.5f)};
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &table, NULL), WP_OK);
	const wp_pose slope = pose_turned(0, 0, 0, 0.3);
	const v3 up = half_space_normal(slope.rotation);
	const double height = 0.55;
	double position[2][3] = {{3e6, -2e6, 1e6}}, point[2][2][3];
	position[1][0] = position[0][0] + aside * up.y + height * up.x;
	position[1][1] = position[0][1] - aside * up.x + height * up.y;
	position[1][2] = position[0][2] + aside;
	const uint32_t pairs[2][2] = {{0, 1}, {1, 0}};
	float rotation[2][4];
	memcpy(rotation[0], slope.rotation, sizeof rotation[0]);
	memcpy(rotation[1], slope.rotation, sizeof rotation[1]);
	for (int v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *const workspace = workspace_of((wp_variant)v);
		if (workspace == NULL)
			continue;
		const wp_batch batch = {.shapes = table,
			.a = {.position = {position}, .rotation = {rotation[0]}, .count = 2, .position_real = WP_REAL_DOUBLE},
			.pair_a = {&pairs[0][0], sizeof pairs[0]},
			.pair_b = {&pairs[0][1], sizeof pairs[0]},
			.count = 2};
		float separation[2], local[2][2][3];
		wp_manifold_point points[2][4];
		uint32_t count[2];
		const wp_results results = {.separation = {separation},
			.point_a = {point[0][0], sizeof point[0]},
			.point_b = {point[0][1], sizeof point[0]},
			.local_a = {local[0][0], sizeof local[0]},
			.local_b = {local[0][1], sizeof local[0]},
			.point_real = WP_REAL_DOUBLE};
		const wp_manifolds manifolds = {.count = {count}, .points = {points[0]}, .point_max = 4};
		cr_assert_eq(wp_contact_manifold(
						 workspace, &batch, &(wp_contact_options){.max_separation = 0.1f}, &results, &manifolds, NULL),
			WP_OK);
		for (int row = 0; row < 2; row++) {
			cr_assert(fabs((double)separation[row] - 0.05) < 1e-6, "%.9g", (double)separation[row]);
			cr_assert_eq(count[row], 4, "%g aside: %u points", aside, count[row]);
			/* Far away the answer is the strong path's. */
			cr_assert(
				fabs((double)local[row][row][1]) <= (aside > 1e7 ? 1e-6 : 0), "local %g", (double)local[row][row][1]);
			/* How high both points are, in double. */
			for (int side = 0; side < 2; side++) {
				double above = 0;
				for (int k = 0; k < 3; k++)
					above += (point[row][side][k] - position[0][k]) * (k == 0 ? up.x : k == 1 ? up.y : up.z);
				cr_assert(fabs(above - (side == row ? 0 : 0.05)) < 1e-6, "row %d side %d: %.9g", row, side, above);
			}
			for (int k = 0; k < 4; k++)
				cr_assert(fabs((double)points[row][k].separation - 0.05) < 1e-6 &&
						  fabs(fabs((double)(row ? points[row][k].local_a : points[row][k].local_b)[0]) - 0.5) < 1e-6);
		}
	}
}

Test(half_space, positions_in_double)
{
	check_slope(1e6);
	check_slope(1e8);
}

Test(half_space, speculative)
{
	const wp_shape space = wp_shape_half_space(), box = wp_shape_box(0.5f, 0.5f, 0.5f);
	const wp_pose ground = pose_at(0, 0, 0), above = pose_at(0, 1.5, 0);
	wp_row row;
	wp_workspace *const workspace = workspace_of(WP_VARIANT_SCALAR);
	wp_contact_pair(workspace, &space, &ground, &box, &above, &(wp_contact_options){.max_separation = 2}, &row);
	cr_assert(!(row.status & WP_STATUS_BEYOND) && row.separation == 1, "%g", (double)row.separation);
	wp_contact_pair(workspace, &space, &ground, &box, &above, &(wp_contact_options){.max_separation = 0.5f}, &row);
	cr_assert(row.status & WP_STATUS_BEYOND && row.lower > 0.5f && row.separation == row.lower);
	cr_assert(row.normal[0] == 0 && row.normal[1] == 1 && row.normal[2] == 0);
}

/* However near the other body is, and whichever of them is too far. */
Test(half_space, positions_that_are_too_far)
{
	const float limit = WP_COORDINATE_MAX;
	const wp_shape space = wp_shape_half_space(), ball = wp_shape_sphere(0.5f * limit);
	for (int far = 0; far < 2; far++) {
		wp_pose at[2] = {pose_at(0, 0.75 * (double)limit, 0), pose_at(0, 0.75 * (double)limit, 0)};
		at[far].position[1] = 1.125f * limit;
		for (int swap = 0; swap < 2; swap++) {
			const wp_shape shapes[2] = {swap ? ball : space, swap ? space : ball};
			const wp_pose poses[2] = {at[swap], at[1 - swap]};
			const uint32_t reason = far == swap ? WP_STATUS_INVALID_POSITION_A : WP_STATUS_INVALID_POSITION_B;
			for (int v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
				wp_row row;
				if (workspace_of((wp_variant)v) == NULL)
					continue;
				wp_contact_pair(workspace_of((wp_variant)v), &shapes[0], &poses[0], &shapes[1], &poses[1], NULL, &row);
				cr_assert_eq(
					row.status, WP_STATUS_INVALID | reason, "far %d, swap %d: status %x", far, swap, row.status);
			}
		}
	}
}

Test(half_space, two_are_invalid)
{
	const wp_shape space = wp_shape_half_space();
	const wp_pose up = pose_at(0, 0, 0), down = pose_turned(0, 1, 0, 2 * quarter);
	const uint32_t expected = WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_SHAPE_B;
	wp_workspace *const workspace = workspace_of(WP_VARIANT_SCALAR);
	const float way[3] = {0, 1, 0};
	const double place[3] = {0, 0, 0};
	wp_row row;
	wp_reference_row wide;
	float fraction;
	wp_contact_pair(workspace, &space, &up, &space, &down, &(wp_contact_options){.max_separation = 1}, &row);
	cr_assert_eq(row.status, expected);
	wp_distance_pair(workspace, &space, &up, &space, &down, &row);
	cr_assert_eq(row.status, expected);
	wp_overlap_pair(workspace, &space, &up, &space, &down, &row);
	cr_assert_eq(row.status, expected);
	wp_cast_pair(workspace, &space, &up, &space, &down, &down, NULL, &row, &fraction);
	cr_assert(row.status == expected && isnan(fraction));
	wp_depth_along_pair(workspace, &space, &up, &space, &down, way, &row);
	cr_assert_eq(row.status, expected);
	wp_reference_contact_pair(&space, place, up.rotation, &space, place, down.rotation, &wide);
	cr_assert_eq(wide.status, expected);
}

/* A ball of radius 2 about (1, 0, 0), or no body at all. */
static void support_ball(const void *context, const double direction[3], double point[3])
{
	const double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
	for (int k = 0; k < 3; k++)
		point[k] = context != NULL ? NAN : (k == 0) + 2 * direction[k] / length;
}

Test(half_space, support_functions)
{
	const wp_shape space = wp_shape_half_space();
	const wp_custom ball = {.support = support_ball, .bound = 3},
					broken = {.support = support_ball, .context = &ball, .bound = 3};
	const wp_shape round = rounded(wp_shape_custom(&ball), 0.5f), none = wp_shape_custom(&broken);
	const wp_pose ground = pose_at(100, 0, 0), turned = pose_turned(0, 4, 0, quarter);
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	wp_row row;
	wp_reference_row wide;
	wp_manifold_point point[4];
	uint32_t count;
	const double place[2][3] = {{100, 0, 0}, {0, 4, 0}};
	/* Turned by a quarter the ball's middle is at a height of 5. */
	wp_contact_manifold_pair(workspace, &round, &turned, &space, &ground, &(wp_contact_options){.max_separation = 3},
		&row, point, 4, &count);
	cr_assert(fabs((double)row.separation - 2.5) < 1e-5 && row.status == (WP_STATUS_SEPARATED | WP_STATUS_STRONG));
	cr_assert(count == 1 && fabs((double)point[0].local_b[1]) < 1e-5 && point[0].separation == row.separation);
	wp_reference_contact_pair(&space, place[0], ground.rotation, &round, place[1], turned.rotation, &wide);
	cr_assert(fabs(wide.separation - (double)row.separation) < 1e-6 && wide.normal[1] == 1);
	wp_contact_pair(workspace, &space, &ground, &none, &turned, &(wp_contact_options){.max_separation = 3}, &row);
	cr_assert_eq(row.status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_B);
	wp_reference_contact_pair(&space, place[0], ground.rotation, &none, place[1], turned.rotation, &wide);
	cr_assert_eq(wide.status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_B);
}

Test(half_space, caches_stay)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[2048];
	const wp_shape shapes[3] = {wp_shape_half_space(), wp_shape_hull(make_cube(true)), wp_shape_sphere(0)};
	const wp_pose poses[3] = {pose_at(0, 0, 0), pose_at(0, 0.5, 0), pose_at(1, 0, 0)};
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(shapes, 3, memory, sizeof memory, &table, NULL), WP_OK);
	const uint32_t a[3] = {0, 1, 0}, b[3] = {1, 0, 2};
	wp_cache caches[3], before, none;
	memset(caches, 0x5a, sizeof caches);
	memset(&before, 0x5a, sizeof before);
	memset(&none, 0, sizeof none);
	const wp_batch batch = {.shapes = table,
		.a = {.position = {poses[0].position, sizeof poses[0]},
			.rotation = {poses[0].rotation, sizeof poses[0]},
			.count = 3},
		.pair_a = {a},
		.pair_b = {b},
		.count = 3};
	wp_row rows[3];
	wp_results results = wp_results_of_rows(rows);
	results.cache.data = caches;
	cr_assert_eq(wp_contact(workspace_of(WP_VARIANT_SCALAR), &batch, &(wp_contact_options){.max_separation = INFINITY},
					 &results, NULL),
		WP_OK);
	cr_assert(memcmp(&caches[0], &before, sizeof before) == 0 && memcmp(&caches[1], &before, sizeof before) == 0);
	/* A point exactly in the surface has no size to scale by, so it is one for the strong path. */
	cr_assert(rows[2].status & WP_STATUS_STRONG && memcmp(&caches[2], &none, sizeof none) == 0);
}

/* ---- one pair ----------------------------------------------------------------------------------- */

enum { ALONE = 400, ALONE_POINTS = 4 };

typedef struct alone_body {
	float position[3], rotation[4];
	double wide[3];
	uint32_t shape;
} alone_body;

typedef struct alone_answer {
	wp_row row;
	uint32_t count;
	wp_manifold_point points[ALONE_POINTS];
} alone_answer;

static alone_body alone[2 * ALONE];

/* Pairs of a half-space, on either side, and another shape near its surface; the last shape is the half-space. */
static void make_alone(gen_random *random)
{
	for (uint32_t i = 0; i < ALONE; i++) {
		alone_body *const space = &alone[2 * i + i % 2], *const other = &alone[2 * i + 1 - i % 2];
		space->shape = EACH_SHAPE_COUNT;
		other->shape = i / 2 % EACH_SHAPE_COUNT;
		for (int side = 0; side < 2; side++)
			gen_rotation(random, alone[2 * i + (uint32_t)side].rotation);
		const v3 up = m3_apply(m3_of_quaternion(space->rotation), (v3){0, 1, 0});
		const v3 away = v3_add(v3_scale(gen_direction(random), 3), v3_scale(up, gen_range(random, -0.5, 0.5)));
		const v3 flat = v3_add(away, v3_scale(up, gen_range(random, -0.2, 0.8) - v3_dot(away, up)));
		const double at[3] = {flat.x, flat.y, flat.z};
		for (int k = 0; k < 3; k++) {
			space->position[k] = (float)gen_range(random, -1, 1);
			other->position[k] = (float)((double)space->position[k] + at[k]);
			space->wide[k] = 1e5 + (double)space->position[k];
			other->wide[k] = 1e5 + (double)other->position[k];
		}
	}
	alone[0].position[1] = NAN;
	alone[0].wide[1] = INFINITY;
}

static void run_alone(wp_workspace *workspace, const wp_shape_table *table, uint32_t real, alone_answer *answers)
{
	const size_t stride = sizeof *answers, apart = 2 * sizeof *alone;
	const wp_const_real_column position[2] = {
		{real == WP_REAL_DOUBLE ? (const void *)alone[0].wide : alone[0].position, apart},
		{real == WP_REAL_DOUBLE ? (const void *)alone[1].wide : alone[1].position, apart}};
	const wp_batch batch = {.shapes = table,
		.a = {position[0], {alone[0].rotation, apart}, {&alone[0].shape, apart}, ALONE, real},
		.b = {position[1], {alone[1].rotation, apart}, {&alone[1].shape, apart}, ALONE, real},
		.count = ALONE};
	const wp_manifolds manifolds = {
		.count = {&answers->count, stride}, .points = {answers->points, stride}, .point_max = ALONE_POINTS};
	const wp_results results = rows_in_structs(&answers->row, stride);
	const wp_contact_options options = {.max_separation = 0.3f};
	memset(answers, 0, ALONE * sizeof *answers);
	cr_assert_eq(wp_contact_manifold(workspace, &batch, &options, &results, &manifolds, NULL), WP_OK);
}

/* A pair alone has the bits of the batch. */
Test(half_space, one_pair)
{
	static alone_answer answers[ALONE], one;
	wp_shape shapes[EACH_SHAPE_COUNT + 1];
	const wp_shape_table *table;
	gen_random random;
	each_shape(shapes);
	shapes[EACH_SHAPE_COUNT] = wp_shape_half_space();
	const size_t size = wp_shape_table_size(EACH_SHAPE_COUNT + 1);
	cr_assert_eq(wp_shape_table_build(shapes, EACH_SHAPE_COUNT + 1, block(size), size, &table, NULL), WP_OK);
	gen_seed(&random, 3);
	make_alone(&random);
	const wp_contact_options options = {.max_separation = 0.3f};
	for (uint32_t variant = WP_VARIANT_SCALAR; variant < WP_VARIANT_COUNT; variant++)
		for (uint32_t real = WP_REAL_FLOAT; real <= WP_REAL_DOUBLE; real++) {
			if (wp_variant_available((wp_variant)variant) != WP_OK)
				continue;
			wp_workspace *const workspace = workspace_of((wp_variant)variant);
			uint32_t touching = 0;
			run_alone(workspace, table, real, answers);
			for (uint32_t i = 0; i < ALONE; i++) {
				const alone_body *const a = &alone[2 * i], *const b = a + 1;
				const bool is_wide = real == WP_REAL_DOUBLE;
				const wp_pair pair = {table, a->shape, b->shape, is_wide ? (const void *)a->wide : a->position,
					a->rotation, is_wide ? (const void *)b->wide : b->position, b->rotation, real};
				memset(&one, 0, sizeof one);
				cr_assert_eq(wp_contact_manifold_prepared(
								 workspace, &pair, &options, NULL, &one.row, one.points, ALONE_POINTS, &one.count),
					WP_OK);
				cr_assert_eq(memcmp(&one, &answers[i], sizeof one), 0, "pair %u, real %u: separation %a, not %a", i,
					real, (double)one.row.separation, (double)answers[i].row.separation);
				touching += one.count != 0;
			}
			cr_assert(answers[0].row.status & WP_STATUS_INVALID_POSITION_A);
			cr_assert(touching > ALONE / 8 && touching < ALONE, "%u", touching);
		}
}

/* ---- manifolds ---------------------------------------------------------------------------------- */

/* Both ways round, in every variant: how many points, their features and separations. */
static void check_manifold(const char *what, const wp_shape *other, const wp_pose *above, const wp_shape *space,
	float max_separation, uint32_t expected, const uint32_t *features, const double *separations)
{
	const wp_pose ground = pose_at(50, 0, -20);
	for (int v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *const workspace = workspace_of((wp_variant)v);
		for (int swap = 0; swap < 2 && workspace != NULL; swap++) {
			const wp_shape *const shape[2] = {swap ? other : space, swap ? space : other};
			const wp_pose *const pose[2] = {swap ? above : &ground, swap ? &ground : above};
			wp_row row;
			wp_manifold_point points[WP_MANIFOLD_POINT_MAX];
			uint32_t count, found = 0;
			wp_contact_manifold_pair(workspace, shape[0], pose[0], shape[1], pose[1],
				&(wp_contact_options){.max_separation = max_separation}, &row, points, WP_MANIFOLD_POINT_MAX, &count);
			cr_assert_eq(count, expected, "%s, %s %d: %u points", what, wp_variant_name((wp_variant)v), swap, count);
			const certify_pair p = certify_prepare(shape[0], pose[0], shape[1], pose[1], &row);
			const char *const broken = certify_manifold(&p, &row, max_separation, points, count);
			cr_assert(broken == NULL, "%s, %s %d: broken: %s", what, wp_variant_name((wp_variant)v), swap, broken);
			for (uint32_t i = 0; i < expected; i++)
				for (uint32_t k = 0; k < count; k++) {
					const uint32_t own = swap ? points[k].feature_a : points[k].feature_b;
					const uint32_t face = swap ? points[k].feature_b : points[k].feature_a;
					cr_assert_eq(face, WP_FEATURE_FACE);
					found += own == features[i] && fabs((double)points[k].separation - separations[i]) < 2e-6;
				}
			cr_assert_eq(found, expected, "%s, %s %d: %u of %u points are right", what, wp_variant_name((wp_variant)v),
				swap, found, expected);
		}
	}
}

#define VERTEX(i) ((uint32_t)(i) | (uint32_t)(i) << 16)

Test(half_space, manifolds)
{
	const wp_shape space = wp_shape_half_space(), thick = rounded(space, 0.125f);
	const wp_shape box = wp_shape_box(1, 2, 3), capsule = wp_shape_capsule(0.5f, 2), sphere = wp_shape_sphere(1),
				   hull = wp_shape_hull(make_cube(true)), bare = wp_shape_hull(make_cube(false)),
				   cylinder = wp_shape_cylinder(1, 1), cone = wp_shape_cone(1, 1),
				   ellipsoid = wp_shape_ellipsoid(2, 1, 2);
	const wp_pose standing = pose_at(3, 1.875, 1), lying = pose_turned(0, 0.5, 0, quarter), one = pose_at(0, 1, 0),
				  tilted = pose_turned(0, 2, 0, 0.01);
	const uint32_t low[4] = {VERTEX(0), VERTEX(1), VERTEX(4), VERTEX(5)}, ends[2] = {VERTEX(0), VERTEX(1)},
				   line[2] = {VERTEX(16), VERTEX(17)}, face[1] = {WP_FEATURE_FACE};
	const uint32_t rim[8] = {VERTEX(0), VERTEX(1), VERTEX(2), VERTEX(3), VERTEX(4), VERTEX(5), VERTEX(6), VERTEX(7)};
	const double deep[4] = {-0.125, -0.125, -0.125, -0.125}, deeper[4] = {-0.25, -0.25, -0.25, -0.25}, none[8] = {0};
	check_manifold("box", &box, &standing, &space, 0.02f, 4, low, deep);
	check_manifold("box on a thick surface", &box, &standing, &thick, 0.02f, 4, low, deeper);
	check_manifold("capsule lying", &capsule, &lying, &space, 0.02f, 2, ends, none);
	check_manifold("sphere", &sphere, &one, &space, 0.02f, 1, face, none);
	check_manifold("hull", &hull, &one, &space, 0.02f, 4, low, none);
	check_manifold("hull without faces", &bare, &one, &space, 0.02f, 1, face, none);
	check_manifold("cylinder", &cylinder, &one, &space, 0.02f, 8, rim, none);
	check_manifold("cone", &cone, &one, &space, 0.02f, 8, rim, none);
	check_manifold("ellipsoid", &ellipsoid, &one, &space, 0.02f, 1, face, none);

	/* A rounded cylinder that lies, and a cone whose side is at the slope 1 : 2. */
	const wp_shape round_one = rounded(cylinder, 0.25f);
	const wp_pose on_side = pose_turned(0, 1.25, 0, quarter),
				  leaning = pose_turned(0, sqrt(0.2), 0, quarter + atan(0.5));
	check_manifold("rounded cylinder lying", &round_one, &on_side, &space, 0.02f, 2, line, none);
	check_manifold("cone lying", &cone, &leaning, &space, 0.02f, 2, line, none);

	/* Turned by 0.01 to the right about Z the box has its corners at x = 1 lower by 0.02 than the others. */
	const double angle = 2 * atan2((double)tilted.rotation[2], (double)tilted.rotation[3]);
	const double left = 2 - 2 * cos(angle) - sin(angle), right = 2 - 2 * cos(angle) + sin(angle);
	const double heights[4] = {left, right, left, right};
	check_manifold("tilted box", &box, &tilted, &space, 0.02f, 4, low, heights);
	const uint32_t lower[2] = {VERTEX(0), VERTEX(4)};
	check_manifold("tilted box, nearer", &box, &tilted, &space, 0.005f, 2, lower, (const double[2]){left, left});
}

/* Far along the surface a position in the half-space's frame is rounding, here to no height at all; the core is a point, so the
 * pair has no size, and what is scaled by it is infinite. The manifold is the contact. */
Test(half_space, a_manifold_without_size)
{
	const wp_shape shapes[2] = {wp_shape_sphere(0x1.d304cp-35f), wp_shape_half_space()};
	const wp_pose poses[2] = {{{0x1.28624p+2f, 0x1.96cb18p+82f, 0x1.8bc5p+2f}, {0, 0, 0, 1}},
		{{-0x1.7014p+2f, 0x1.bbe8p+2f, -0x1.0c08p+2f}, {0.5f, 0.5f, 0.5f, 0.5f}}};
	static _Alignas(WP_ALIGNMENT) unsigned char memory[2048];
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &table, NULL), WP_OK);
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		for (uint32_t side = 0; side < 2 && workspace_of((wp_variant)v) != NULL; side++) {
			const uint32_t other = 1 - side;
			const wp_batch batch = {.shapes = table,
				.a = {.position = {poses[0].position, sizeof *poses},
					.rotation = {poses[0].rotation, sizeof *poses},
					.count = 2},
				.pair_a = {&side},
				.pair_b = {&other},
				.count = 1};
			wp_row row;
			uint32_t count;
			wp_manifold_point points[4];
			const wp_results results = wp_results_of_rows(&row);
			const wp_manifolds manifolds = {.count = {&count}, .points = {points}, .point_max = 4};
			cr_assert_eq(wp_contact_manifold(workspace_of((wp_variant)v), &batch,
							 &(wp_contact_options){.max_separation = 1e30f}, &results, &manifolds, NULL),
				WP_OK);
			cr_assert(count == 1 && points[0].separation == row.separation && row.separation > 10);
			for (int i = 0; i < 3; i++)
				cr_assert(isfinite(points[0].local_a[i]) && isfinite(points[0].local_b[i]) &&
						  points[0].point_a[i] == row.point_a[i] && points[0].point_b[i] == row.point_b[i]);
		}
	}
}

/* ---- casts -------------------------------------------------------------------------------------- */

static double cast(const wp_shape *a, const wp_pose *from_a, const wp_pose *to_a, const wp_shape *b,
	const wp_pose *from_b, const wp_pose *to_b, wp_row *row)
{
	float fraction;
	cr_assert_eq(wp_cast_pair(workspace_of(WP_VARIANT_AUTO), a, from_a, b, from_b, to_a, to_b, row, &fraction), WP_OK);
	return (double)fraction;
}

Test(half_space, casts)
{
	const wp_shape space = wp_shape_half_space(), sphere = wp_shape_sphere(1), box = wp_shape_box(1, 1, 1);
	const wp_pose ground = pose_at(1e5, 0, 0), raised = pose_at(1e5, 3, 0), above = pose_at(0, 5, 0),
				  below = pose_at(9, -3, 0), beside = pose_at(100, 5, 0),
				  turned = pose_turned(0, 1.25, 0, 0.5 * quarter), level = pose_at(0, 1.25, 0);
	wp_row row;
	cr_assert(
		fabs(cast(&space, &ground, NULL, &sphere, &above, &below, &row) - 0.5) < 1e-6 && row.status & WP_STATUS_HIT);
	cr_assert(fabs(cast(&sphere, &above, &below, &space, &ground, NULL, &row) - 0.5) < 1e-6 && row.normal[1] == -1);
	cr_assert(cast(&space, &ground, NULL, &sphere, &above, &beside, &row) == 1 && !(row.status & WP_STATUS_HIT));
	/* The ground comes up by 3, the ball down by as much: 4 are between them. */
	const wp_pose lower = pose_at(0, 2, 0);
	cr_assert(fabs(cast(&space, &ground, &raised, &sphere, &above, &lower, &row) - 4.0 / 6) < 1e-6);
	cr_assert(
		fabs(cast(&space, &ground, &raised, &box, &beside, NULL, &row) - 1) < 1e-6 && !(row.status & WP_STATUS_HIT));
	/* The box turns its edge down to sqrt 2 below its middle. */
	const double at = cast(&space, &ground, NULL, &box, &level, &turned, &row), share = at * tan(0.25 * quarter);
	cr_assert(row.status & WP_STATUS_HIT && at > 0 && at < 1, "%g", at);
	const double angle = 2 * atan2(at * sin(0.25 * quarter), 1 - at + at * cos(0.25 * quarter));
	cr_assert(fabs(cos(angle) + sin(angle) - 1.25) < 1e-4, "%g %g", at, share);
	/* The ground turns about a place 4 aside, by as much as its surface needs to rise by 1 under the ball. */
	const wp_pose hinge = pose_at(-4, 0, 0), opened = pose_turned(-4, 0, 0, 0.8), ball = pose_at(0, 2, 0);
	const double open = cast(&space, &hinge, &opened, &sphere, &ball, NULL, &row);
	const double turn = 2 * atan2(open * sin(0.4), 1 - open + open * cos(0.4));
	cr_assert(row.status & WP_STATUS_HIT && fabs(2 * cos(turn) - 4 * sin(turn) - 1) < 1e-4, "%g: %g", open, turn);
}

Test(half_space, depth_along)
{
	const wp_shape space = wp_shape_half_space(), box = wp_shape_box(1, 1, 1);
	const wp_pose ground = pose_at(0, 0, 0), sunk = pose_at(5, 0.75, 0);
	const float up[3] = {0, 2, 0}, slanted[3] = {3, 4, 0}, sideways[3] = {1, 0, 0}, down[3] = {0, -1, 0};
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	wp_row row;
	wp_depth_along_pair(workspace, &space, &ground, &box, &sunk, up, &row);
	cr_assert(fabs((double)row.separation + 0.25) < 2e-6 && row.lower == row.separation && row.upper == 0);
	wp_depth_along_pair(workspace, &space, &ground, &box, &sunk, slanted, &row);
	cr_assert(fabs((double)row.separation + 0.3125) < 4e-6 && row.status == WP_STATUS_PENETRATING);
	for (int k = 0; k < 3; k++)
		cr_assert(
			fabs((double)row.point_a[k] + (double)(row.separation * slanted[k] / 5) - (double)row.point_b[k]) < 1e-6);
	cr_assert(fabs((double)row.point_a[1]) < 2e-6);
	wp_depth_along_pair(workspace, &space, &ground, &box, &sunk, sideways, &row);
	cr_assert(row.separation == -INFINITY && row.lower == -INFINITY && row.upper == 0);
	wp_depth_along_pair(workspace, &space, &ground, &box, &sunk, down, &row);
	cr_assert(row.separation == -INFINITY && isfinite(row.point_a[1]) && isfinite(row.point_b[1]));
	/* B is the half-space here, and leaves by going down. */
	wp_depth_along_pair(workspace, &box, &sunk, &space, &ground, down, &row);
	cr_assert(fabs((double)row.separation + 0.25) < 2e-6 && row.normal[1] == -1);
	wp_depth_along_pair(workspace, &box, &sunk, &space, &ground, up, &row);
	cr_assert(row.separation == -INFINITY);
}

/* Both bodies 2^36 away, by what moves them without rounding: the same depths, bit for bit, with the same points, which once
 * were found in the coordinates of the world. */
Test(half_space, depths_do_not_depend_on_the_origin_of_the_world)
{
	const wp_shape shapes[2] = {wp_shape_half_space(), wp_shape_box(1, 0x1.8p-2f, 0x1.3p-1f)};
	const float up[3] = {3, 4, 1}, down[3] = {-3, -4, -1};
	const wp_pose turned = pose_turned(0, 0, 0, 0.4);
	_Alignas(WP_ALIGNMENT) char memory[4096];
	const wp_shape_table *table;
	gen_random random;
	gen_seed(&random, 36);
	cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &table, NULL), WP_OK);
	for (int i = 0; i < 64; i++) {
		double position[2][2][3];
		float rotation[2][4], local[2][2][3];
		const uint32_t shape[2] = {(uint32_t)(i & 1), (uint32_t)(~i & 1)};
		wp_row rows[2];
		for (int body = 0; body < 2; body++) {
			for (int k = 0; k < 3; k++)
				position[0][body][k] = gen_range(&random, -0.5, 0.5) - (k == 1 && shape[body] == 1 ? 1.25 : 0);
			move_far(position[0][body], position[1][body]);
			memcpy(rotation[body], turned.rotation, sizeof turned.rotation);
		}
		for (int far = 0; far < 2; far++) {
			const wp_batch batch = {.shapes = table,
				.a = {.position = {position[far]},
					.rotation = {rotation[0]},
					.shape = {shape},
					.count = 2,
					.position_real = WP_REAL_DOUBLE},
				.pair_b = {(const uint32_t[]){1}},
				.count = 1};
			wp_results results = wp_results_of_rows(&rows[far]);
			results.local_a.data = local[far][0];
			results.local_b.data = local[far][1];
			cr_assert_eq(wp_depth_along(workspace_of(WP_VARIANT_AUTO), &batch,
							 &(wp_const_float_column){i & 1 ? down : up, 0}, &results, NULL),
				WP_OK);
		}
		cr_assert(rows[0].status & WP_STATUS_PENETRATING && isfinite(rows[0].separation), "%x", rows[0].status);
		cr_assert(memcmp(&rows[0].separation, &rows[1].separation, sizeof(float)) == 0 &&
					  memcmp(local[0], local[1], sizeof local[0]) == 0,
			"pair %d: %a and %a, %a %a %a and %a %a %a", i, (double)rows[0].separation, (double)rows[1].separation,
			(double)local[0][i & 1][0], (double)local[0][i & 1][1], (double)local[0][i & 1][2],
			(double)local[1][i & 1][0], (double)local[1][i & 1][1], (double)local[1][i & 1][2]);
	}
}

/* Along the surface of one that is turned no way leads out: rounding of its normal once let one end 4e15 away. */
Test(half_space, depth_along_a_turned_surface)
{
	const wp_shape space = wp_shape_half_space(), box = wp_shape_box(1, 1, 1);
	const float half = 0x1.6a09e6p-1f;
	for (int axis = 0; axis < 3; axis += 2)
		for (int turn = -1; turn <= 1; turn += 2)
			for (int i = 0; i < 6; i++) {
				const int k = i / 2;
				wp_pose turned = {{0, 0, 0}, {0, 0, 0, half}};
				turned.rotation[axis] = (float)turn * half;
				const wp_pose deep = pose_at(0, 0, 0);
				float along[3] = {0, 0, 0};
				along[k] = i & 1 ? -1.0f : 1.0f;
				if (k == 2 - axis)
					continue;
				wp_row row;
				wp_depth_along_pair(workspace_of(WP_VARIANT_AUTO), &space, &turned, &box, &deep, along, &row);
				cr_assert(row.separation == -INFINITY && row.lower == -INFINITY, "axis %d, turn %d, way %d: %a", axis,
					turn, i, (double)row.separation);
			}
}
