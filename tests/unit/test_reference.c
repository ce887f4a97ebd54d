/* The reference path: against answers known by hand, against the oracle, and where there is no volume, no
 * room or no sense in the input. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/base.h"
#include "support/gen_random.h"
#include "support/oracle.h"
#include "support/unit.h"
#include "widephase/widephase.h"

#define TIGHT 1e-12

static const float unit[4] = {0, 0, 0, 1};
static const double zero[3] = {0, 0, 0};

#define STATE_BITS (WP_STATUS_SEPARATED | WP_STATUS_TOUCHING | WP_STATUS_PENETRATING)

static double dot(const double u[3], const double v[3]) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }

static wp_reference_row solve(const wp_shape *a, const double position_a[3], const float rotation_a[4],
	const wp_shape *b, const double position_b[3], const float rotation_b[4])
{
	wp_reference_row row;
	memset(&row, 0x5a, sizeof row);
	cr_assert_eq(wp_reference_contact_pair(a, position_a, rotation_a, b, position_b, rotation_b, &row), WP_OK);
	return row;
}

static wp_reference_row solve_at(const wp_shape *a, const wp_shape *b, double x, double y, double z)
{
	return solve(a, zero, unit, b, (double[3]){x, y, z}, unit);
}

/* A point 5e-10 beside the end of a box's edge: all edges that meet there are equally close up to rounding. */
Test(reference, oracle_beside_the_end_of_an_edge)
{
	const wp_shape box = wp_shape_box(0x1.722feap-4f, 0x1.093444p-4f, 0x1.0cf976p-5f), point = wp_shape_point();
	const float rotation[4] = {0x1.67ee76p-1f, -0x1.87434cp-2f, -0x1.25dd62p-1f, 0x1.64fdbap-3f};
	const double position_a[3] = {0x1.0cf8f4p-2, 0x1.16f3c8p-3, 0x1.357602p-3};
	const double position_b[3] = {0x1.5fd89ap-2, -0x1.4623a2p-7, 0x1.2dc32p-3};
	const wp_reference_row row = solve(&box, position_a, rotation, &point, position_b, unit);
	oracle_pose pose_a = {v3_of(position_a[0], position_a[1], position_a[2]), {0, 0, 0, 1}};
	memcpy(pose_a.rotation, rotation, sizeof rotation);
	const oracle_pose pose_b = {v3_of(position_b[0], position_b[1], position_b[2]), {0, 0, 0, 1}};
	oracle_shape *a = oracle_shape_new(&box), *b = oracle_shape_new(&point);
	oracle_answer answer;
	cr_assert(oracle_solve(a, &pose_a, b, &pose_b, &answer));
	cr_assert(fabs(answer.separation - row.separation) < TIGHT, "%.17g, not %.17g", answer.separation, row.separation);
	oracle_shape_free(a);
	oracle_shape_free(b);
}

/* What holds of every valid row, within `slack` lengths. */
static void check_row(const wp_reference_row *row, double slack, const char *name)
{
	cr_assert(!(row->status & WP_STATUS_INVALID), "%s: invalid", name);
	cr_assert(row->lower <= row->separation && row->separation <= row->upper, "%s: %g not in [%g, %g]", name,
		row->separation, row->lower, row->upper);
	cr_assert(row->upper - row->lower <= slack, "%s: bracket [%g, %g]", name, row->lower, row->upper);
	uint32_t state = row->status & STATE_BITS;
	uint32_t expected = row->lower > 0 ? WP_STATUS_SEPARATED
	                  : row->upper < 0 ? WP_STATUS_PENETRATING
	                                   : WP_STATUS_TOUCHING;
	cr_assert_eq(state, expected, "%s: status %x", name, row->status);
	cr_assert(fabs(sqrt(dot(row->normal, row->normal)) - 1) <= 1e-14, "%s: normal not unit", name);
	for (int i = 0; i < 3; i++) {
		double reached = row->point_a[i] + row->separation * row->normal[i];
		cr_assert(fabs(reached - row->point_b[i]) <= slack, "%s: witnesses off by %g", name, reached - row->point_b[i]);
	}
	cr_assert_gt(row->iterations, 0, "%s: no supports", name);
}

/* ---- answers known by hand ------------------------------------------------------------------------- */

typedef struct known_case {
	const char *name;
	wp_shape a, b;
	double position_b[3];
	float rotation_b[4];
	double separation;
	double normal[3];
	double point_a[3]; /* NAN: any */
} known_case;

#define HALF 0.70710678118654752440
#define TURN_45_Z                      \
	{                                  \
		0, 0, 0.38268343f, 0.92387953f \
	}
#define NONE       \
	{              \
		0, 0, 0, 1 \
	}
#define ANY           \
	{                 \
		NAN, NAN, NAN \
	}

static void check_known(const known_case *known)
{
	wp_reference_row row = solve(&known->a, zero, unit, &known->b, known->position_b, known->rotation_b);
	double slack = known->rotation_b[3] == 1 ? TIGHT : 2e-7; /* a rotation in float is that inexact */
	check_row(&row, 1e-11, known->name);
	cr_assert(fabs(row.separation - known->separation) <= slack, "%s: %.17g, not %.17g", known->name, row.separation,
		known->separation);
	for (int i = 0; i < 3; i++) {
		cr_assert(fabs(row.normal[i] - known->normal[i]) <= slack, "%s: normal[%d] %g", known->name, i, row.normal[i]);
		cr_assert(isnan(known->point_a[i]) || fabs(row.point_a[i] - known->point_a[i]) <= slack, "%s: point_a[%d] %g",
			known->name, i, row.point_a[i]);
	}
	wp_reference_row swapped = solve(&known->b, known->position_b, known->rotation_b, &known->a, zero, unit);
	cr_assert(fabs(swapped.separation - row.separation) <= TIGHT, "%s: swapped", known->name);
	cr_assert(fabs(dot(swapped.normal, row.normal) + 1) <= TIGHT, "%s: swapped normal", known->name);
}

Test(reference, known_answers)
{
	const wp_shape ball = wp_shape_sphere(1), cube = wp_shape_box(1, 1, 1), slab = wp_shape_box(4, 1, 4);
	const wp_shape capsule = wp_shape_capsule(0.5f, 2), point = wp_shape_point();
	const wp_shape segment = wp_shape_segment((float[3]){-3, 0, 0}, (float[3]){3, 0, 0});
	const wp_shape triangle = wp_shape_triangle((float[3]){-4, 0, -4}, (float[3]){4, 0, -4}, (float[3]){0, 0, 8});
	const known_case cases[] = {
		{"points", point, point, {3, 0, 4}, NONE, 5, {0.6, 0, 0.8}, {0, 0, 0}},
		{"balls apart", ball, ball, {0, 5, 0}, NONE, 3, {0, 1, 0}, {0, 1, 0}},
		{"balls deep", ball, ball, {0, 0, -0.5}, NONE, -1.5, {0, 0, -1}, {0, 0, -1}},
		{"ball and point inside", ball, point, {0.25, 0, 0}, NONE, -0.75, {1, 0, 0}, {1, 0, 0}},
		{"capsules parallel", capsule, capsule, {3, 1, 0}, NONE, 2, {1, 0, 0}, {0.5, NAN, 0}},
		{"capsules end to end", capsule, capsule, {0, 6, 0}, NONE, 1, {0, 1, 0}, {0, 2.5, 0}},
		{"capsule over segment", segment, capsule, {1, 4, 0}, NONE, 1.5, {0, 1, 0}, {1, 0, 0}},
		{"box and ball on a face", cube, ball, {0.5, 3, -0.5}, NONE, 1, {0, 1, 0}, {0.5, 1, -0.5}},
		{"box and ball on an edge", cube, ball, {4, 5, 0.5}, NONE, 4, {0.6, 0.8, 0}, {1, 1, 0.5}},
		{"box and ball on a corner", cube, ball, {2, 3, 3}, NONE, 2, {1 / 3., 2 / 3., 2 / 3.}, {1, 1, 1}},
		{"ball centre inside a box", cube, ball, {0.5, 0.1, 0}, NONE, -1.5, {1, 0, 0}, {1, 0.1, 0}},
		{"boxes face to face", cube, cube, {0, 2.5, 0.25}, NONE, 0.5, {0, 1, 0}, {NAN, 1, NAN}},
		{"boxes overlapping", cube, cube, {0.5, 1.75, 0.5}, NONE, -0.25, {0, 1, 0}, {NAN, 1, NAN}},
		{"box in a slab", slab, cube, {0, 0.5, 0}, NONE, -1.5, {0, 1, 0}, {NAN, 1, NAN}},
		{"box edge to face", cube, cube, {4, 0, 0}, TURN_45_Z, 3 - 2 * HALF, {1, 0, 0}, {1, 0, NAN}},
		{"box edge in face", cube, cube, {2.25, 0, 0}, TURN_45_Z, 1.25 - 2 * HALF, {1, 0, 0}, {1, 0, NAN}},
		{"rounded boxes", rounded(cube, 0.25f), rounded(cube, 0.5f), {5, 6, 0.5}, NONE, 4.25, {0.6, 0.8, 0},
			{1.15, 1.2, NAN}},
		{"triangle under a box", triangle, cube, {0, 1.5, 0}, NONE, 0.5, {0, 1, 0}, {NAN, 0, NAN}},
		{"triangle through a box", triangle, cube, {0, 0.75, 0}, NONE, -0.25, {0, 1, 0}, {NAN, 0, NAN}},
		{"segment through a triangle", triangle, wp_shape_segment((float[3]){0, -3, 0}, (float[3]){0, 1, 0}), {0, 0, 0},
			NONE, -1, {0, -1, 0}, {0, 0, 0}},
		{"segments crossed", segment, wp_shape_segment((float[3]){0, 0, -1}, (float[3]){0, 0, 1}), {0.5, 2, 0.5}, NONE,
			2, {0, 1, 0}, {0.5, 0, 0}},
	};
	for (size_t i = 0; i < WP_COUNT_OF(cases); i++)
		check_known(&cases[i]);
}

/* ---- the oracle ------------------------------------------------------------------------------------ */

static gen_random numbers;

static double uniform(double low, double high) { return gen_range(&numbers, low, high); }

#define HULL_VERTICES 12
#define HULL_MEMORY 1024

/* A shape of any kind, each side of it stretched by `aspect`. */
static wp_shape random_shape(const double aspect[3], void *memory)
{
	float points[HULL_VERTICES][3];
	for (int i = 0; i < HULL_VERTICES; i++)
		for (int k = 0; k < 3; k++)
			points[i][k] = (float)(aspect[k] * uniform(-1, 1));
	const wp_hull *hull = NULL;
	wp_hull_input input = {.vertices = {points[0]}, .vertex_count = HULL_VERTICES};
	cr_assert_eq(wp_hull_build(&input, memory, HULL_MEMORY, &hull, NULL), WP_OK);
	const wp_shape shapes[WP_SHAPE_HULL + 1] = {
		wp_shape_point(),
		wp_shape_sphere((float)uniform(0, 1)),
		wp_shape_segment(points[0], points[1]),
		wp_shape_capsule((float)uniform(0, 0.5), (float)uniform(0, 1)),
		wp_shape_triangle(points[0], points[1], points[2]),
		wp_shape_box((float)aspect[0], (float)aspect[1], (float)aspect[2]),
		wp_shape_hull(hull),
	};
	wp_shape shape = shapes[(int)uniform(0, WP_SHAPE_HULL + 1)];
	if (uniform(0, 1) < 0.2)
		shape.radius += (float)uniform(0, 0.5);
	return shape;
}

static void check_against_oracle(const double aspect[3], double tolerance, double reach, int pairs)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory_a[HULL_MEMORY], memory_b[HULL_MEMORY];
	static const double plain[3] = {1, 1, 1};
	int overlaps = 0;
	for (int i = 0; i < pairs; i++) {
		wp_shape a = random_shape(aspect, memory_a);
		wp_shape b = random_shape(i % 2 ? aspect : plain, memory_b);
		oracle_pose pose_a, pose_b;
		gen_rotation(&numbers, pose_a.rotation);
		gen_rotation(&numbers, pose_b.rotation);
		double position_a[3] = {3, -5, 7}, position_b[3];
		for (int k = 0; k < 3; k++)
			position_b[k] = position_a[k] + uniform(-reach, reach);
		pose_a.position = (v3){position_a[0], position_a[1], position_a[2]};
		pose_b.position = (v3){position_b[0], position_b[1], position_b[2]};

		oracle_shape *oracle_a = oracle_shape_new(&a), *oracle_b = oracle_shape_new(&b);
		cr_assert(oracle_a != NULL && oracle_b != NULL);
		oracle_answer truth;
		cr_assert(oracle_solve(oracle_a, &pose_a, oracle_b, &pose_b, &truth));
		wp_reference_row row = solve(&a, position_a, pose_a.rotation, &b, position_b, pose_b.rotation);
		double slack = tolerance *
		               (fmax(oracle_a->bound + a.radius, oracle_b->bound + b.radius) + fabs(truth.separation));
		check_row(&row, slack, "random");
		cr_assert(fabs(row.separation - truth.separation) <= slack + truth.doubt,
			"pair %d, kinds %u %u: %.17g, not %.17g", i, a.kind, b.kind, row.separation, truth.separation);
		cr_assert(row.lower <= truth.separation + slack * 1e-3 && truth.separation - slack * 1e-3 <= row.upper,
			"pair %d: [%.17g, %.17g] without %.17g", i, row.lower, row.upper, truth.separation);

		/* The normal proves the separation, and the witness points lie on their shapes. */
		v3 normal = {row.normal[0], row.normal[1], row.normal[2]};
		double gap = oracle_gap_along(oracle_a, &pose_a, oracle_b, &pose_b, normal);
		cr_assert(fabs(gap - row.separation) <= slack, "pair %d: gap %g, not %g", i, gap, row.separation);
		cr_assert(fabs(dot(row.normal, row.point_a) - oracle_support(oracle_a, &pose_a, normal)) <= slack);
		overlaps += row.separation < 0;
		oracle_shape_free(oracle_a);
		oracle_shape_free(oracle_b);
	}
	cr_assert(overlaps > pairs / 20 && overlaps < pairs, "%d of %d overlap", overlaps, pairs);
}

Test(reference, random_pairs_agree_with_the_oracle)
{
	gen_seed(&numbers, 0x9e3779b97f4a7c15u);
	check_against_oracle((double[3]){1, 1, 1}, 1e-9, 1.5, 4000);
}

Test(reference, needles_agree_with_the_oracle)
{
	gen_seed(&numbers, 0x2545f4914f6cdd1du);
	check_against_oracle((double[3]){1, 1e-3, 1e-3}, 1e-6, 0.5, 3000);
}

Test(reference, plates_agree_with_the_oracle)
{
	gen_seed(&numbers, 0x853c49e6748fea9bu);
	check_against_oracle((double[3]){1, 1e-6, 1}, 1e-6, 0.7, 3000);
}

/* ---- pairs that rounding decides ------------------------------------------------------------------- */

/* Vertices on a coarse lattice, stretched to a needle, a plate, a flat or a line: many coplanar and
 * collinear ones, whose sides of a plane are a matter of the last digit. */
static wp_shape lattice_shape(void *memory)
{
	static const double aspects[][3] = {
		{1, 1, 1}, {1e-3, 1e-3, 1}, {1, 1e-6, 1}, {1, 1, 0}, {1e-4, 1e-2, 1}, {0, 0, 1}};
	const double *aspect = aspects[(int)uniform(0, WP_COUNT_OF(aspects))];
	const double steps = uniform(0, 1) < 0.5 ? 2 : 1e6;
	float points[HULL_VERTICES][3];
	for (int i = 0; i < HULL_VERTICES; i++)
		for (int k = 0; k < 3; k++)
			points[i][k] = (float)(aspect[k] * (floor(uniform(-1, 1) * steps + 0.5) / steps));
	const wp_hull *hull = NULL;
	wp_hull_input input = {.vertices = {points[0]}, .vertex_count = HULL_VERTICES};
	cr_assert_eq(wp_hull_build(&input, memory, HULL_MEMORY, &hull, NULL), WP_OK);
	const wp_shape shapes[] = {wp_shape_segment(points[0], points[1]),
		wp_shape_triangle(points[0], points[1], points[2]),
		wp_shape_box((float)aspect[0], (float)aspect[1], (float)aspect[2]), wp_shape_hull(hull)};
	return shapes[(int)uniform(0, WP_COUNT_OF(shapes))];
}

/* None, a quarter turn, a tilt of 1e-8 to 1, or any. */
static void stubborn_rotation(float rotation[4])
{
	static const float quarter_turns[4][4] = {{0, 0, 0, 1}, {(float)HALF, 0, 0, (float)HALF},
		{0, (float)HALF, 0, (float)HALF}, {0, 0, (float)HALF, (float)HALF}};
	gen_rotation(&numbers, rotation);
	const double tilt = pow(10, uniform(-8, 0)), choice = uniform(0, 3);
	if (choice < 1) {
		memcpy(rotation, quarter_turns[(int)uniform(0, 4)], sizeof quarter_turns[0]);
	} else if (choice < 2) {
		double square = 1;
		for (int k = 0; k < 3; k++) {
			rotation[k] = (float)(rotation[k] * tilt);
			square += (double)rotation[k] * rotation[k];
		}
		rotation[3] = 1;
		for (int k = 0; k < 4; k++)
			rotation[k] = (float)(rotation[k] / sqrt(square));
	}
}

/* No oracle is needed: the bracket proves itself, and a wide one is a failure. */
Test(reference, stubborn_pairs_keep_a_narrow_bracket)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory_a[HULL_MEMORY], memory_b[HULL_MEMORY];
	gen_seed(&numbers, 0xda942042e4dd58b5u);
	for (int i = 0; i < 200000; i++) {
		const wp_shape a = lattice_shape(memory_a), b = uniform(0, 1) < 0.2 ? a : lattice_shape(memory_b);
		float rotation_a[4], rotation_b[4];
		stubborn_rotation(rotation_a);
		stubborn_rotation(rotation_b);
		if (uniform(0, 1) < 0.3)
			memcpy(rotation_b, rotation_a, sizeof rotation_b);
		double position[3] = {0, 0, 0};
		const double place = uniform(0, 4);
		for (int k = 0; k < 3 && place > 2; k++)
			position[k] = place < 3 ? floor(uniform(-4, 5)) / 4 : k == 0 ? uniform(-1, 1) : 0;
		wp_reference_row row = solve(&a, zero, rotation_a, &b, position, rotation_b);
		check_row(&row, 1e-7, "stubborn");
		cr_assert(row.upper - row.lower <= 1e-9, "pair %d: [%.17g, %.17g]", i, row.lower, row.upper);
		cr_assert(!(row.status & (WP_STATUS_ITERATION_CAP | WP_STATUS_CAPACITY)), "pair %d: a cap", i);
	}
}

/* ---- units, places, order -------------------------------------------------------------------------- */

static void scale_shape(wp_shape *shape, float scale)
{
	shape->radius *= scale;
	shape->half_height *= scale;
	for (int i = 0; i < 3; i++) {
		shape->half_extents[i] *= scale;
		for (int k = 0; k < 3; k++)
			shape->points[i][k] *= scale;
	}
}

/* Another length unit changes nothing but the unit, to the last bit. */
Test(reference, scales_exactly)
{
	const float rotation[4] = {0.1f, 0.3f, -0.2f, 0.92736185f};
	const wp_shape a = wp_shape_box(1, 0.5f, 0.75f);
	const wp_shape shapes[] = {rounded(wp_shape_box(0.25f, 2, 1), 0.125f), wp_shape_capsule(0.5f, 1.5f),
		wp_shape_triangle((float[3]){1, 0, 0}, (float[3]){0, 1, 0.5f}, (float[3]){-1, -1, 0})};
	const int exponents[] = {-120, -60, -10, 10, 40, 97};
	for (size_t s = 0; s < WP_COUNT_OF(shapes); s++)
		for (int far = 0; far < 2; far++) {
			double position[3] = {0.5 + far * 2, 0.25, 0.125 + far};
			wp_reference_row plain = solve(&a, zero, unit, &shapes[s], position, rotation);
			for (size_t e = 0; e < WP_COUNT_OF(exponents); e++) {
				double scale = ldexp(1, exponents[e]);
				wp_shape big_a = a, big_b = shapes[s];
				scale_shape(&big_a, (float)scale);
				scale_shape(&big_b, (float)scale);
				double big_position[3] = {position[0] * scale, position[1] * scale, position[2] * scale};
				wp_reference_row row = solve(&big_a, zero, unit, &big_b, big_position, rotation);
				cr_assert_eq(row.separation, plain.separation * scale, "scale 2^%d", exponents[e]);
				cr_assert_eq(row.lower, plain.lower * scale);
				cr_assert_eq(row.upper, plain.upper * scale);
				cr_assert_eq(memcmp(row.normal, plain.normal, sizeof row.normal), 0);
				cr_assert_eq(row.point_b[1], plain.point_b[1] * scale);
				cr_assert_eq(row.status, plain.status);
			}
		}
}

/* The distance from the world origin costs nothing but the rounding of world points. */
Test(reference, far_from_the_origin)
{
	const wp_shape a = wp_shape_box(1, 0.5f, 0.75f), b = wp_shape_capsule(0.5f, 1.5f);
	const float rotation[4] = {0.1f, 0.3f, -0.2f, 0.92736185f};
	for (double x = 0.25; x < 4; x += 0.5) {
		wp_reference_row near = solve(&a, zero, unit, &b, (double[3]){x, 0.5, 0.25}, rotation);
		wp_reference_row far = solve(
			&a, (double[3]){0x1p40, -0x1p38, 0}, unit, &b, (double[3]){0x1p40 + x, -0x1p38 + 0.5, 0.25}, rotation);
		cr_assert_eq(near.separation, far.separation);
		cr_assert_eq(memcmp(near.normal, far.normal, sizeof near.normal), 0);
	}
	wp_reference_row extreme = solve(
		&a, (double[3]){-1e30, 1e30, -1e30}, unit, &b, (double[3]){1e30, -1e30, 1e30}, rotation);
	cr_assert(fabs(extreme.separation / (sqrt(12) * 1e30) - 1) <= 1e-15);
	cr_assert_eq(extreme.status, WP_STATUS_SEPARATED);
}

Test(reference, rotations_are_normalised)
{
	const wp_shape a = wp_shape_box(1, 2, 3), b = wp_shape_box(3, 1, 2);
	const float short_one[4] = {0.495f, 0.495f, 0.495f, 0.495f}, half[4] = {0.5f, 0.5f, 0.5f, 0.5f};
	wp_reference_row expected = solve(&a, zero, unit, &b, (double[3]){3, 4, 5}, half);
	wp_reference_row row = solve(&a, zero, unit, &b, (double[3]){3, 4, 5}, short_one);
	cr_assert(fabs(row.separation - expected.separation) <= TIGHT);
}

/* A sweep through contact changes sign once, and the state follows. */
Test(reference, passes_through_contact)
{
	const wp_shape cube = wp_shape_box(1, 1, 1);
	const double offsets[] = {-1e-3, -1e-6, -1e-9, -1e-12, 0, 1e-12, 1e-9, 1e-6, 1e-3};
	for (size_t i = 0; i < WP_COUNT_OF(offsets); i++) {
		wp_reference_row row = solve_at(&cube, &cube, 2 + offsets[i], 0.3, -0.2);
		check_row(&row, TIGHT, "contact");
		cr_assert(fabs(row.separation - offsets[i]) <= 1e-14 + 1e-15);
		cr_assert(fabs(row.normal[0] - 1) <= 1e-14, "normal %g at %g", row.normal[0], offsets[i]);
		uint32_t expected = offsets[i] > 0 ? WP_STATUS_SEPARATED
		                  : offsets[i] < 0 ? WP_STATUS_PENETRATING
		                                   : WP_STATUS_TOUCHING;
		cr_assert_eq(row.status, expected, "status %x at %g", row.status, offsets[i]);
	}
}

/* ---- no volume ------------------------------------------------------------------------------------- */

typedef struct flat_case {
	const char *name;
	wp_shape a, b;
	double position_b[3];
	double along[3];  /* the normal is this one or its opposite; zero: any */
	double across[3]; /* the normal is perpendicular to it */
} flat_case;

Test(reference, differences_without_volume)
{
	const wp_shape point = wp_shape_point();
	const wp_shape segment = wp_shape_segment((float[3]){-1, -2, -2}, (float[3]){1, 2, 2});
	const wp_shape across = wp_shape_segment((float[3]){2, 1, -2}, (float[3]){-2, -1, 2});
	const wp_shape triangle = wp_shape_triangle((float[3]){1, 0, 0}, (float[3]){0, 1, 0}, (float[3]){0, 0, 1});
	const wp_shape sliver = wp_shape_triangle((float[3]){-1, 0, 0}, (float[3]){1, 0, 0}, (float[3]){0, 0, 1e-4f});
	const wp_shape plate = wp_shape_box(1, 0, 2), rod = wp_shape_box(0, 3, 0), nothing = wp_shape_box(0, 0, 0);
	const double third = 1 / sqrt(3);
	const flat_case cases[] = {
		{"points", point, point, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
		{"balls", wp_shape_sphere(2), wp_shape_sphere(1), {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
		{"boxes of no size", nothing, rounded(nothing, 1), {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
		{"point on a segment", segment, point, {0.5, 1, 1}, {0, 0, 0}, {1, 2, 2}},
		{"segment on itself", segment, segment, {0, 0, 0}, {0, 0, 0}, {1, 2, 2}},
		{"segments in a line", segment, segment, {0.25, 0.5, 0.5}, {0, 0, 0}, {1, 2, 2}},
		{"capsule on itself", wp_shape_capsule(1, 2), wp_shape_capsule(1, 3), {0, 1, 0}, {0, 0, 0}, {0, 1, 0}},
		{"segment of one point", wp_shape_segment((float[3]){1, 1, 1}, (float[3]){1, 1, 1}), point, {1, 1, 1},
			{0, 1, 0}, {0, 0, 0}},
		{"segments crossing", segment, across, {0, 0, 0}, {-2. / 3, 2. / 3, -1. / 3}, {0, 0, 0}},
		{"triangle on itself", triangle, triangle, {0, 0, 0}, {third, third, third}, {0, 0, 0}},
		{"triangles in a plane", triangle, triangle, {0.25, -0.25, 0}, {third, third, third}, {0, 0, 0}},
		{"sliver on itself", sliver, sliver, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
		{"plate on itself", plate, plate, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}},
		{"plates in a plane", plate, plate, {1.5, 0, 1}, {0, 1, 0}, {0, 0, 0}},
		{"plates edge to edge", plate, plate, {2, 0, 0}, {0, 1, 0}, {0, 0, 0}},
		{"plate and point", plate, point, {0.3, 0, -0.7}, {0, 1, 0}, {0, 0, 0}},
		{"rods in a line", rod, rod, {0, 5, 0}, {0, 0, 0}, {0, 1, 0}},
		{"plate with round edges", rounded(plate, 0.5f), rounded(plate, 0.25f), {0.3, 0, 0}, {0, 1, 0}, {0, 0, 0}},
	};
	for (size_t i = 0; i < WP_COUNT_OF(cases); i++) {
		const flat_case *flat = &cases[i];
		wp_reference_row row = solve(&flat->a, zero, unit, &flat->b, flat->position_b, unit);
		check_row(&row, 1e-11, flat->name);
		cr_assert(row.status & WP_STATUS_DEGENERATE, "%s: status %x", flat->name, row.status);
		double radii = (double)flat->a.radius + flat->b.radius;
		cr_assert(fabs(row.separation + radii) <= TIGHT, "%s: %g", flat->name, row.separation);
		if (dot(flat->along, flat->along) > 0)
			cr_assert(fabs(fabs(dot(row.normal, flat->along)) - 1) <= 1e-10, "%s: normal %g %g %g", flat->name,
				row.normal[0], row.normal[1], row.normal[2]);
		cr_assert(fabs(dot(row.normal, flat->across)) <= 1e-10, "%s: normal along the line", flat->name);
	}
}

/* The rule for coincident points is about the local Y axis of A. */
Test(reference, coincident_points_part_along_y_of_a)
{
	const wp_shape ball = wp_shape_sphere(1);
	const float quarter_x[4] = {0.70710678f, 0, 0, 0.70710678f};
	wp_reference_row row = solve(&ball, (double[3]){5, 6, 7}, quarter_x, &ball, (double[3]){5, 6, 7}, unit);
	check_row(&row, TIGHT, "coincident");
	cr_assert(fabs(row.normal[2] - 1) <= 1e-7, "normal %g %g %g", row.normal[0], row.normal[1], row.normal[2]);
	cr_assert(fabs(row.separation + 2) <= TIGHT);
	cr_assert(fabs(row.point_a[2] - 8) <= 1e-7);
}

/* Flats that lie apart within their plane are simply apart. */
Test(reference, flats_apart_in_their_plane)
{
	const wp_shape plate = wp_shape_box(1, 0, 2);
	wp_reference_row row = solve_at(&plate, &plate, 2.5, 0, 1);
	check_row(&row, 1e-11, "plates");
	cr_assert(fabs(row.separation - 0.5) <= TIGHT);
	cr_assert(fabs(row.normal[0] - 1) <= TIGHT);
	cr_assert_eq(row.status, WP_STATUS_SEPARATED);
}

/* A deep overlap of two round hulls needs more vertices than the polytope has room for. */
Test(reference, outgrown_buffers_keep_the_bracket)
{
	enum { COUNT = 1000 };
	static float points[COUNT][3];
	static _Alignas(WP_ALIGNMENT) unsigned char memory[64 * COUNT];
	for (int i = 0; i < COUNT; i++) {
		double z = 1 - 2 * (i + 0.5) / COUNT, r = sqrt(1 - z * z), angle = i * 2.399963229728653;
		points[i][0] = (float)(r * cos(angle));
		points[i][1] = (float)(r * sin(angle));
		points[i][2] = (float)z;
	}
	const wp_hull *hull;
	wp_hull_input input = {.vertices = {points[0]}, .vertex_count = COUNT};
	cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_OK);
	const wp_shape round = wp_shape_hull(hull);
	wp_reference_row row = solve_at(&round, &round, 0, 0, 0);
	check_row(&row, 0.05, "round hulls");
	cr_assert_eq(row.status, WP_STATUS_PENETRATING | WP_STATUS_CAPACITY | WP_STATUS_WIDE_BRACKET);
	cr_assert(row.lower <= -1.98 && row.lower >= -2);
	cr_assert(row.upper >= -2 && row.upper <= -1.95);
}

/* ---- bad input ------------------------------------------------------------------------------------- */

/* A box of almost no thickness makes faces too thin for the tolerances; the polytope lost the origin, and its ball proved
 * a depth of 4.7e-3. All normals of faces and of pairs of edges tried, the depth is 3.3564e-3. */
Test(reference, thin_boxes_keep_their_bracket)
{
	static const float vertices[6][3] = {{0x1.358p-4f, -0x1.938p-1f, 0x1.38ap-1f},
		{0x1.efp-1f, 0x1.2e2p-6f, -0x1.04cp-2f}, {-0x1.412p-2f, 0x1.6b2p-1f, 0x1.432p-1f},
		{-0x1.2e6p-1f, -0x1.938p-5f, -0x1.9c4p-1f}, {0x1.07ap-1f, -0x1.cd6p-7f, 0x1.b6cp-1f},
		{-0x1.6ap-3f, -0x1.f76p-1f, -0x1.5p-5f}};
	_Alignas(WP_ALIGNMENT) unsigned char memory[1024];
	const wp_hull_input input = {.vertices = {vertices[0]}, .vertex_count = 6};
	const wp_hull *hull;
	cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_OK);
	const wp_shape box = wp_shape_box(1, 0, 0x1.4p-46f), shape = wp_shape_hull(hull);
	const float rotation_a[4] = {0x1p-1f, 0x1.ap-2f, 0x1.5p-2f, 0x1.5f2p-1f},
				rotation_b[4] = {0, 0x1.6ap-1f, 0, 0x1.6ap-1f};
	const double at[3] = {0, 0, 0}, off[3] = {-0x1.bb2p-3, -0x1.c72p-1, 0x1.2c2p+0}, depth = 0.0033564487135832044;
	const wp_reference_row row = solve(&box, at, rotation_a, &shape, off, rotation_b);
	cr_assert(row.lower <= -depth + 1e-9 && -depth <= row.upper + 1e-9, "[%.9g, %.9g]", row.lower, row.upper);
	cr_assert(fabs(row.separation + depth) < 1e-9 || row.status & WP_STATUS_WIDE_BRACKET, "%.9g", row.separation);
}

static void check_invalid(const wp_reference_row *row, uint32_t reasons, const char *name)
{
	cr_assert_eq(row->status, WP_STATUS_INVALID | reasons, "%s: status %x", name, row->status);
	cr_assert(isnan(row->separation) && isnan(row->lower) && isnan(row->upper), "%s: numbers", name);
	for (int i = 0; i < 3; i++)
		cr_assert(row->normal[i] == 0 && row->point_a[i] == 0 && row->point_b[i] == 0, "%s: vectors", name);
	cr_assert_eq(row->iterations, 0, "%s: iterations", name);
}

/* The reason comes out on either side. */
static void check_bad_body(
	const wp_shape *shape, const double position[3], const float rotation[4], uint32_t reason_a, const char *name)
{
	const wp_shape good = wp_shape_sphere(1);
	wp_reference_row row = solve(shape, position, rotation, &good, zero, unit);
	check_invalid(&row, reason_a, name);
	row = solve(&good, zero, unit, shape, position, rotation);
	check_invalid(&row, reason_a << 4, name);
	row = solve(shape, position, rotation, shape, position, rotation);
	check_invalid(&row, reason_a | reason_a << 4, name);
}

Test(reference, bad_shapes)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[HULL_MEMORY];
	const float vertices[2][3] = {{1, 2, 3}, {4, 5, 6}}, huge[2][3] = {{1, 2, 3}, {4, -2e30f, 6}};
	const wp_hull *hull;
	wp_hull_input input = {.vertices = {vertices[0]}, .vertex_count = 2};
	cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_OK);
	const float bad_numbers[] = {-1, NAN, INFINITY, -INFINITY, 1.1e30f};
	for (size_t i = 0; i < WP_COUNT_OF(bad_numbers); i++) {
		const float bad = bad_numbers[i];
		const wp_shape lengths[] = {wp_shape_sphere(bad), wp_shape_capsule(1, bad), wp_shape_capsule(bad, 1),
			wp_shape_box(bad, 1, 1), wp_shape_box(1, bad, 1), wp_shape_box(1, 1, bad),
			rounded(wp_shape_hull(hull), bad), rounded(wp_shape_point(), bad)};
		for (size_t k = 0; k < WP_COUNT_OF(lengths); k++)
			check_bad_body(&lengths[k], zero, unit, WP_STATUS_INVALID_SHAPE_A, "length");
		if (bad == -1)
			continue;
		for (int k = 0; k < 9; k++) {
			wp_shape triangle = wp_shape_triangle(vertices[0], vertices[1], vertices[0]);
			triangle.points[k / 3][k % 3] = bad;
			check_bad_body(&triangle, zero, unit, WP_STATUS_INVALID_SHAPE_A, "triangle");
			triangle.kind = WP_SHAPE_SEGMENT;
			if (k < 6)
				check_bad_body(&triangle, zero, unit, WP_STATUS_INVALID_SHAPE_A, "segment");
			else
				cr_assert(!(solve_at(&triangle, &triangle, 0, 0, 0).status & WP_STATUS_INVALID),
					"a field that the kind does not name was read");
		}
	}
	wp_shape odd = wp_shape_point();
	odd.kind = WP_SHAPE_KIND_COUNT;
	check_bad_body(&odd, zero, unit, WP_STATUS_INVALID_SHAPE_A, "kind");
	odd.kind = UINT32_MAX;
	check_bad_body(&odd, zero, unit, WP_STATUS_INVALID_SHAPE_A, "kind");
	odd = wp_shape_hull(NULL);
	check_bad_body(&odd, zero, unit, WP_STATUS_INVALID_SHAPE_A, "no hull");

	const wp_shape shape = wp_shape_hull(hull);
	cr_assert(!(solve_at(&shape, &shape, 0, 0, 0).status & WP_STATUS_INVALID));
	memory[wp_hull_byte_size(hull) / 2] ^= 1;
	check_bad_body(&shape, zero, unit, WP_STATUS_INVALID_SHAPE_A, "corrupt hull");
	input.vertices.data = huge[0];
	if (wp_hull_build(&input, memory, sizeof memory, &hull, NULL) == WP_OK)
		check_bad_body(&shape, zero, unit, WP_STATUS_INVALID_SHAPE_A, "huge hull");
}

Test(reference, bad_poses)
{
	const wp_shape cube = wp_shape_box(1, 1, 1);
	const double bad_positions[] = {NAN, INFINITY, -INFINITY, 1.1e30, -1.1e30, 1e300};
	for (size_t i = 0; i < WP_COUNT_OF(bad_positions); i++)
		for (int k = 0; k < 3; k++) {
			double position[3] = {1, 2, 3};
			position[k] = bad_positions[i];
			check_bad_body(&cube, position, unit, WP_STATUS_INVALID_POSITION_A, "position");
		}
	const float bad_rotations[][4] = {{0, 0, 0, 0}, {0, 0, 0, 0.98f}, {0, 0, 1.02f, 0}, {NAN, 0, 0, 1},
		{0, 0, 0, INFINITY}, {1, 1, 1, 1}, {3e38f, 3e38f, 3e38f, 3e38f}};
	for (size_t i = 0; i < WP_COUNT_OF(bad_rotations); i++)
		check_bad_body(&cube, zero, bad_rotations[i], WP_STATUS_INVALID_ROTATION_A, "rotation");
	const float fair_rotations[][4] = {{0, 0, 0, 0.992f}, {0, 0, -1.008f, 0}};
	for (size_t i = 0; i < WP_COUNT_OF(fair_rotations); i++) {
		wp_reference_row row = solve(&cube, zero, fair_rotations[i], &cube, zero, unit);
		cr_assert_eq(row.status, WP_STATUS_PENETRATING);
	}
	const wp_shape bad = wp_shape_sphere(-1);
	check_bad_body(&bad, (double[3]){NAN, 0, 0}, bad_rotations[0],
		WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_POSITION_A | WP_STATUS_INVALID_ROTATION_A, "all");
}

/* The largest and the smallest numbers that are accepted give answers, whatever the mix. */
Test(reference, extreme_numbers_give_numbers)
{
	const float sizes[] = {1e30f, 1, 1e-38f, 1e-45f, 0};
	for (size_t i = 0; i < WP_COUNT_OF(sizes); i++)
		for (size_t k = 0; k < WP_COUNT_OF(sizes); k++)
			for (size_t p = 0; p < WP_COUNT_OF(sizes); p++)
				for (int kind = 0; kind < 3; kind++) {
					const wp_shape a = wp_shape_box(sizes[i], sizes[k], sizes[i]);
					const wp_shape kinds[] = {wp_shape_capsule(sizes[k], sizes[i]), wp_shape_sphere(sizes[k]), a};
					wp_reference_row row = solve_at(&a, &kinds[kind], sizes[p], -sizes[k], sizes[p]);
					double extent = 3 * (sizes[i] + (double)sizes[k] + sizes[p]);
					check_row(&row, 1e-11 * extent, "extreme");
				}
}

/* ---- batches --------------------------------------------------------------------------------------- */

static const wp_shape batch_shapes[3] = {
	{.kind = WP_SHAPE_BOX, .half_extents = {1, 2, 0.5f}},
	{.kind = WP_SHAPE_CAPSULE, .radius = 0.5f, .half_height = 1},
	{.kind = WP_SHAPE_SPHERE, .radius = 1.25f},
};

enum { BODIES = 6 };

static const double body_positions[BODIES][3] = {
	{0, 0, 0}, {1.5, 0.25, 0}, {0, 3, 1}, {-2, 0, 0.5}, {8, 8, 8}, {1, 1, 1}};
static const float body_rotations[BODIES][4] = {
	{0, 0, 0, 1}, {0.5f, 0.5f, 0.5f, 0.5f}, {0, 0.6f, 0, 0.8f}, {0.8f, 0, 0, 0.6f}, {0, 0, 1, 0}, {0, 1, 0, 0}};
static const uint32_t body_shapes[BODIES] = {0, 1, 0, 2, 1, 0};

static void check_same_row(const wp_reference_row *row, uint32_t a, uint32_t b)
{
	wp_reference_row expected = solve(&batch_shapes[body_shapes[a]], body_positions[a], body_rotations[a],
		&batch_shapes[body_shapes[b]], body_positions[b], body_rotations[b]);
	cr_assert_eq(memcmp(row, &expected, sizeof expected), 0, "bodies %u and %u", a, b);
}

static wp_bodies tight_bodies(void)
{
	return (wp_bodies){.position = {body_positions},
		.rotation = {body_rotations[0]},
		.shape = {body_shapes},
		.count = BODIES,
		.position_real = WP_REAL_DOUBLE};
}

Test(reference, batch_of_tight_arrays)
{
	const uint32_t pair_a[5] = {0, 1, 2, 3, 5}, pair_b[5] = {1, 2, 0, 0, 4};
	wp_batch batch = {.a = tight_bodies(), .pair_a = {pair_a}, .pair_b = {pair_b}, .first = 1, .count = 3};
	wp_reference_row rows[5], untouched;
	memset(rows, 0x77, sizeof rows);
	memset(&untouched, 0x77, sizeof untouched);
	cr_assert_eq(wp_reference_contact(&batch, batch_shapes, 3, rows), WP_OK);
	for (size_t r = 1; r < 4; r++)
		check_same_row(&rows[r], pair_a[r], pair_b[r]);
	cr_assert_eq(memcmp(&rows[0], &untouched, sizeof untouched), 0);
	cr_assert_eq(memcmp(&rows[4], &untouched, sizeof untouched), 0);
}

/* Fields at odd addresses inside packed records of odd size. */
Test(reference, batch_of_unaligned_records)
{
	enum { RECORD = 47, PAIR = 11, ROTATION = 13, SHAPE = 30, POSITION = 34 };
	unsigned char bodies[BODIES * RECORD + 1], pairs[4 * PAIR + 1];
	const uint32_t pair_a[4] = {3, 0, 5, 1}, pair_b[4] = {0, 2, 1, 3};
	memset(bodies, 0xff, sizeof bodies);
	memset(pairs, 0xff, sizeof pairs);
	for (size_t i = 0; i < BODIES; i++) {
		unsigned char *record = bodies + 1 + i * RECORD;
		float position[3];
		for (int k = 0; k < 3; k++)
			position[k] = (float)body_positions[i][k];
		memcpy(record, position, sizeof position);
		memcpy(record + ROTATION, body_rotations[i], sizeof body_rotations[i]);
		memcpy(record + SHAPE, &body_shapes[i], sizeof body_shapes[i]);
	}
	for (size_t r = 0; r < 4; r++) {
		memcpy(pairs + 1 + r * PAIR, &pair_a[r], 4);
		memcpy(pairs + 1 + r * PAIR + 5, &pair_b[r], 4);
	}
	wp_bodies view = {.position = {bodies + 1, RECORD},
		.rotation = {(const float *)(const void *)(bodies + 1 + ROTATION), RECORD},
		.shape = {(const uint32_t *)(const void *)(bodies + 1 + SHAPE), RECORD},
		.count = BODIES,
		.position_real = WP_REAL_FLOAT};
	wp_batch batch = {.a = view,
		.b = view,
		.pair_a = {(const uint32_t *)(const void *)(pairs + 1), PAIR},
		.pair_b = {(const uint32_t *)(const void *)(pairs + 6), PAIR},
		.count = 4};
	wp_reference_row rows[4];
	cr_assert_eq(wp_reference_contact(&batch, batch_shapes, 3, rows), WP_OK);
	for (size_t r = 0; r < 4; r++)
		check_same_row(&rows[r], pair_a[r], pair_b[r]);
}

/* Without pair arrays row r takes body r of both sides; without a shape array body i has shape i. */
Test(reference, batch_of_rows_as_bodies)
{
	wp_bodies a = tight_bodies(), b = tight_bodies();
	a.shape.data = NULL;
	a.count = 4;
	b.position.data = body_positions[1];
	b.rotation.data = body_rotations[1];
	b.shape.data = &body_shapes[1];
	b.count = 3;
	wp_batch batch = {.a = a, .b = b, .count = 5};
	wp_reference_row rows[5];
	cr_assert_eq(wp_reference_contact(&batch, batch_shapes, 3, rows), WP_OK);
	for (uint32_t r = 0; r < 3; r++) {
		wp_reference_row expected = solve(&batch_shapes[r], body_positions[r], body_rotations[r],
			&batch_shapes[body_shapes[r + 1]], body_positions[r + 1], body_rotations[r + 1]);
		cr_assert_eq(memcmp(&rows[r], &expected, sizeof expected), 0);
	}
	check_invalid(&rows[3], WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_BODY_B, "shape 3 of 3, body 3 of 3");
	check_invalid(&rows[4], WP_STATUS_INVALID_BODY_A | WP_STATUS_INVALID_BODY_B, "body 4 of 4");
}

/* A bad row spoils no other. */
Test(reference, batch_with_bad_rows)
{
	double positions[BODIES][3];
	float rotations[BODIES][4];
	uint32_t shapes[BODIES];
	memcpy(positions, body_positions, sizeof positions);
	memcpy(rotations, body_rotations, sizeof rotations);
	memcpy(shapes, body_shapes, sizeof shapes);
	positions[2][1] = NAN;
	rotations[4][0] = 7;
	shapes[5] = 3;
	wp_bodies a = {.position = {positions},
		.rotation = {rotations[0]},
		.shape = {shapes},
		.count = BODIES,
		.position_real = WP_REAL_DOUBLE};
	const uint32_t pair_a[] = {0, 2, 1, BODIES, 0, 0, 3}, pair_b[] = {1, 0, 3, 0, 4, 5, UINT32_MAX};
	wp_batch batch = {.a = a, .pair_a = {pair_a}, .pair_b = {pair_b}, .count = 7};
	wp_reference_row rows[7];
	cr_assert_eq(wp_reference_contact(&batch, batch_shapes, 3, rows), WP_OK);
	check_same_row(&rows[0], 0, 1);
	check_invalid(&rows[1], WP_STATUS_INVALID_POSITION_A, "position");
	check_same_row(&rows[2], 1, 3);
	check_invalid(&rows[3], WP_STATUS_INVALID_BODY_A, "body of a");
	check_invalid(&rows[4], WP_STATUS_INVALID_ROTATION_B, "rotation");
	check_invalid(&rows[5], WP_STATUS_INVALID_SHAPE_B, "shape");
	check_invalid(&rows[6], WP_STATUS_INVALID_BODY_B, "body of b");
}

static wp_error call(const wp_batch *batch)
{
	wp_reference_row rows[2];
	return wp_reference_contact(batch, batch_shapes, 3, rows);
}

Test(reference, misuse_of_the_call)
{
	const wp_batch good = {.a = tight_bodies(), .b = tight_bodies(), .count = 2};
	cr_assert_eq(call(&good), WP_OK);
	wp_reference_row row;
	cr_assert_eq(wp_reference_contact(NULL, batch_shapes, 3, &row), WP_ERROR_NULL_BATCH);
	cr_assert_eq(wp_reference_contact(&good, NULL, 3, &row), WP_ERROR_NULL_SHAPES);
	cr_assert_eq(wp_reference_contact(&good, batch_shapes, 3, NULL), WP_ERROR_NULL_ROWS);
	wp_batch batch = good;
	batch.a.position.data = NULL;
	cr_assert_eq(call(&batch), WP_ERROR_BODIES_A_POSITION);
	batch = good;
	batch.a.rotation.data = NULL;
	cr_assert_eq(call(&batch), WP_ERROR_BODIES_A_ROTATION);
	batch = good;
	batch.a.position_real = 2;
	cr_assert_eq(call(&batch), WP_ERROR_BODIES_A_REAL);
	batch = good;
	batch.b.position.data = NULL;
	cr_assert_eq(call(&batch), WP_ERROR_BODIES_B_POSITION);
	batch = good;
	batch.b.rotation.data = NULL;
	cr_assert_eq(call(&batch), WP_ERROR_BODIES_B_ROTATION);
	batch = good;
	batch.b.position_real = WP_REAL_FLOAT;
	cr_assert_eq(call(&batch), WP_ERROR_BODIES_B_REAL);
	batch = good;
	batch.b = (wp_bodies){.shape.stride = 4};
	cr_assert_eq(call(&batch), WP_ERROR_BODIES_B_POSITION);
	batch = good;
	batch.first = SIZE_MAX;
	cr_assert_eq(call(&batch), WP_ERROR_PAIR_RANGE);
	batch = good;
	batch.count = 0;
	cr_assert_eq(call(&batch), WP_OK);
}

Test(reference, null_arguments_of_a_pair)
{
	const wp_shape ball = wp_shape_sphere(1);
	wp_reference_row row;
	cr_assert_eq(wp_reference_contact_pair(NULL, zero, unit, &ball, zero, unit, &row), WP_ERROR_NULL_SHAPE_A);
	cr_assert_eq(wp_reference_contact_pair(&ball, NULL, unit, &ball, zero, unit, &row), WP_ERROR_NULL_POSITION_A);
	cr_assert_eq(wp_reference_contact_pair(&ball, zero, NULL, &ball, zero, unit, &row), WP_ERROR_NULL_ROTATION_A);
	cr_assert_eq(wp_reference_contact_pair(&ball, zero, unit, NULL, zero, unit, &row), WP_ERROR_NULL_SHAPE_B);
	cr_assert_eq(wp_reference_contact_pair(&ball, zero, unit, &ball, NULL, unit, &row), WP_ERROR_NULL_POSITION_B);
	cr_assert_eq(wp_reference_contact_pair(&ball, zero, unit, &ball, zero, NULL, &row), WP_ERROR_NULL_ROTATION_B);
	cr_assert_eq(wp_reference_contact_pair(&ball, zero, unit, &ball, zero, unit, NULL), WP_ERROR_NULL_ROW);
}
