/* 2D queries: answers known by hand, numbers from articles and from other libraries' tests and bug
 * reports, what readers of the articles requested or stumbled over ("Demand 7", by its number), manifolds.
 * Every variant gives every answer. Random pairs are judged by oracle_2d. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/contract.h"
#include "support/unit.h"
#include "widephase/widephase.h"

static const wp2d_pose origin = {.rotation = {1, 0}};
static wp_workspace *workspaces[WP_VARIANT_COUNT]; /* NULL where the machine lacks the variant */

static void setup(void) { take_workspaces(workspaces); }

TestSuite(contact_2d, .init = setup);
TestSuite(plane_manifold, .init = setup);

/* ---- asking ------------------------------------------------------------------------------------- */

static wp2d_pose at(float x, float y) { return (wp2d_pose){{x, y}, {1, 0}}; }

#define POLYGON(vertices) wp2d_shape_polygon(&(vertices)[0][0], sizeof(vertices) / sizeof((vertices)[0]))

/* A contact and its manifold; the same from every variant. */
typedef struct contact {
	wp2d_row row;
	wp2d_manifold_point points[WP2D_MANIFOLD_POINT_MAX];
	uint32_t count;
} contact;

static contact contact_of(
	const wp2d_shape *a, const wp2d_pose *pose_a, const wp2d_shape *b, const wp2d_pose *pose_b, float reach)
{
	contact first = {.count = 0};
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		contact c;
		memset(&c, 0, sizeof c);
		if (workspaces[v] == NULL)
			continue;
		cr_assert_eq(wp2d_contact_manifold_pair(workspaces[v], a, pose_a, b, pose_b,
						 &(wp_contact_options){.max_separation = reach}, &c.row, c.points, 0, &c.count),
			WP_OK);
		if (v == WP_VARIANT_AUTO)
			first = c;
		cr_assert_eq(memcmp(&first, &c, sizeof c), 0, "variant %s has other bits", wp_variant_name((wp_variant)v));
	}
	return first;
}

static wp2d_row row_of(
	bool wants_distance, const wp2d_shape *a, const wp2d_pose *pose_a, const wp2d_shape *b, const wp2d_pose *pose_b)
{
	wp2d_row first = {0};
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		wp2d_row row;
		if (workspaces[v] == NULL)
			continue;
		const wp_error error = wants_distance ? wp2d_distance_pair(workspaces[v], a, pose_a, b, pose_b, &row)
		                                      : wp2d_overlap_pair(workspaces[v], a, pose_a, b, pose_b, &row);
		cr_assert_eq(error, WP_OK);
		if (v == WP_VARIANT_AUTO)
			first = row;
		cr_assert_eq(memcmp(&first, &row, sizeof row), 0, "variant %s has other bits", wp_variant_name((wp_variant)v));
	}
	return first;
}

/* A separation within the contract of shapes that are as large as `size`. */
static void expect_separation(wp2d_row row, double truth, double size)
{
	const double limit = WP_CONTRACT * (size + fabs(truth));
	cr_expect_float_eq((double)row.separation, truth, limit, "%.9g, not %.9g", (double)row.separation, truth);
	cr_expect(row.lower <= truth && truth <= row.upper, "[%.9g, %.9g] is no bracket of %.9g", (double)row.lower,
		(double)row.upper, truth);
	cr_expect_eq(row.status & (WP_STATUS_INVALID | WP_STATUS_WIDE_BRACKET), 0);
}

static void expect_normal(wp2d_row row, double x, double y)
{
	cr_expect_float_eq((double)row.normal[0], x, 2e-6, "normal %g %g", (double)row.normal[0], (double)row.normal[1]);
	cr_expect_float_eq((double)row.normal[1], y, 2e-6, "normal %g %g", (double)row.normal[0], (double)row.normal[1]);
}

/* ---- answers known by hand ---------------------------------------------------------------------- */

Test(contact_2d, every_kind_against_every_kind)
{
	static const float square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
	const float left[2] = {-1, 0}, right[2] = {1, 0};
	/* All of them reach from -1 to 1 along x. */
	const wp2d_shape shapes[] = {
		wp2d_shape_circle(1), wp2d_shape_capsule(1, 0.75f), wp2d_shape_segment(left, right), POLYGON(square)};
	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k < 4; k++) {
			const wp2d_pose b = at(2.5f, 0);
			const contact c = contact_of(&shapes[i], &origin, &shapes[k], &b, INFINITY);
			expect_separation(c.row, 0.5, 2);
			expect_normal(c.row, 1, 0);
			cr_expect_eq(c.row.status & ~(uint32_t)WP_STATUS_STRONG, WP_STATUS_SEPARATED);
			const wp2d_row distance = row_of(true, &shapes[i], &origin, &shapes[k], &b);
			cr_expect_eq(distance.separation, c.row.separation);
			cr_expect(row_of(false, &shapes[i], &origin, &shapes[k], &b).status & WP_STATUS_SEPARATED);
			const wp2d_pose near = at(1.75f, 0);
			const contact deep = contact_of(&shapes[i], &origin, &shapes[k], &near, INFINITY);
			if (i != 2 || k != 2)
				expect_separation(deep.row, -0.25, 2);
			cr_expect_eq(row_of(false, &shapes[i], &origin, &shapes[k], &near).status & WP_STATUS_SEPARATED, 0);
			cr_expect_eq(row_of(true, &shapes[i], &origin, &shapes[k], &near).separation, 0);
		}
	}
}

Test(contact_2d, a_rounded_polygon_is_its_core_and_a_radius)
{
	static const float square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
	wp2d_shape a = POLYGON(square);
	a.radius = 0.25f;
	const wp2d_shape point = wp2d_shape_circle(0);
	const wp2d_pose corner = at(4, 5), inside = at(0.5f, 0);
	contact c = contact_of(&a, &origin, &point, &corner, INFINITY);
	expect_separation(c.row, 5 - 0.25, 2);
	expect_normal(c.row, 0.6, 0.8);
	cr_expect_float_eq(c.row.point_a[0], 1 + 0.6 * 0.25, 1e-5);
	cr_expect_float_eq(c.row.point_a[1], 1 + 0.8 * 0.25, 1e-5);
	c = contact_of(&a, &origin, &point, &inside, INFINITY);
	expect_separation(c.row, -0.75, 2);
	expect_normal(c.row, 1, 0);
}

Test(contact_2d, rotations_turn_counter_clockwise_and_are_normalised)
{
	static const float bar[4][2] = {{-2, -0.5f}, {2, -0.5f}, {2, 0.5f}, {-2, 0.5f}};
	const wp2d_shape a = POLYGON(bar), b = wp2d_shape_circle(0.5f);
	const wp2d_pose pose_b = at(0, 4);
	static const float rotations[][2] = {{0, 1}, {0, 1.005f}, {0, -0.995f}};
	for (int i = 0; i < 3; i++) {
		const wp2d_pose pose_a = {{0, 0}, {rotations[i][0], rotations[i][1]}};
		const contact c = contact_of(&a, &pose_a, &b, &pose_b, INFINITY);
		expect_separation(c.row, 1.5, 2.1);
		expect_normal(c.row, 0, 1);
	}
}

Test(contact_2d, polygons_of_1_2_3_and_64_vertices)
{
	static float many[64][2];
	for (int i = 0; i < 64; i++) {
		many[i][0] = (float)cos(2 * 3.14159265358979 * i / 64);
		many[i][1] = (float)sin(2 * 3.14159265358979 * i / 64);
	}
	static const float one[1][2] = {{1, 0}}, two[2][2] = {{0, -3}, {1, 0}}, three[3][2] = {{-1, -1}, {1, 0}, {-1, 1}};
	const wp2d_shape shapes[] = {POLYGON(one), POLYGON(two), POLYGON(three), POLYGON(many)};
	const wp2d_shape circle = wp2d_shape_circle(1);
	const wp2d_pose away = at(3, 0), centre = at(0, 0);
	for (int i = 0; i < 4; i++) {
		const contact c = contact_of(&shapes[i], &origin, &circle, &away, INFINITY);
		expect_separation(c.row, 1, 3.2);
		expect_normal(c.row, 1, 0);
	}
	/* Two of them on each other: as deep as the polygon's edges are far from its centre, twice. */
	const contact deep = contact_of(&shapes[3], &origin, &shapes[3], &centre, INFINITY);
	expect_separation(deep.row, -2 * cos(3.14159265358979 / 64), 1);
}

/* Duplicates, vertices in the middle of edges, no area: the hull of the vertices is what counts. */
Test(contact_2d, vertices_that_are_no_corners_change_nothing)
{
	static const float plain[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
	static const float idle[9][2] = {{-1, -1}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {1, 1}, {0, 1}, {-1, 1}};
	static const float line[4][2] = {{-1, 0}, {0, 0}, {1, 0}, {0.5f, 0}}, same[3][2] = {{1, 0}, {1, 0}, {1, 0}};
	const float start[2] = {-1, 0}, end[2] = {1, 0};
	const wp2d_shape a = POLYGON(plain), b = POLYGON(idle), triangle = wp2d_shape_capsule(0.5f, 1);
	const wp2d_shape flat = POLYGON(line), segment = wp2d_shape_segment(start, end), point = POLYGON(same);
	const wp2d_pose poses[3] = {at(1.25f, 0.5f), at(4, 3), {{0.5f, 0.25f}, {0.8f, 0.6f}}};
	for (int i = 0; i < 3; i++) {
		const contact c = contact_of(&a, &origin, &triangle, &poses[i], INFINITY);
		const contact d = contact_of(&b, &origin, &triangle, &poses[i], INFINITY);
		cr_expect_eq(memcmp(&c.row, &d.row, sizeof c.row), 0);
		const contact e = contact_of(&flat, &origin, &triangle, &poses[i], INFINITY);
		const contact f = contact_of(&segment, &origin, &triangle, &poses[i], INFINITY);
		cr_expect_eq(memcmp(&e.row, &f.row, sizeof e.row), 0);
		const contact g = contact_of(&point, &origin, &triangle, &poses[2], INFINITY);
		cr_expect_eq(g.row.status & WP_STATUS_INVALID, 0);
	}
}

Test(contact_2d, flats_and_points_on_each_other_are_degenerate)
{
	const float start[2] = {-1, 0}, end[2] = {1, 0};
	const wp2d_shape segment = wp2d_shape_segment(start, end), point = wp2d_shape_circle(0),
					 circle = wp2d_shape_circle(2);
	const wp2d_pose shifted = at(1.5f, 0), quarter = {{0, 0}, {0, 1}};
	contact c = contact_of(&segment, &origin, &segment, &shifted, INFINITY);
	expect_separation(c.row, 0, 1);
	cr_expect_eq(c.row.status, WP_STATUS_TOUCHING | WP_STATUS_STRONG | WP_STATUS_DEGENERATE);
	cr_expect_float_eq(fabsf(c.row.normal[1]), 1, 1e-6);
	c = contact_of(&segment, &origin, &point, &origin, INFINITY);
	cr_expect(c.row.status & WP_STATUS_DEGENERATE);
	cr_expect_float_eq(fabsf(c.row.normal[1]), 1, 1e-6);
	/* Coincident points have the local +Y of A for a normal. */
	c = contact_of(&point, &quarter, &point, &origin, INFINITY);
	cr_expect(c.row.status & WP_STATUS_DEGENERATE);
	expect_normal(c.row, -1, 0);
	c = contact_of(&circle, &origin, &circle, &origin, INFINITY);
	expect_separation(c.row, -4, 2);
	expect_normal(c.row, 0, 1);
}

/* Two circles need no search: of any sizes and as near as may be they are answered where they meet. */
Test(contact_2d, circles_of_any_size_take_no_step)
{
	const float radii[] = {0, 1e-5f, 0.3f, 0.35f, 7, 1e5f}, gaps[] = {-0.9f, -0.3f, -1e-6f, 0, 1e-6f, 0.3f, 9};
	const double turns[][2] = {{1, 0}, {0.6, -0.8}, {-0.28, 0.96}};
	const size_t sizes = sizeof radii / sizeof *radii;
	int asked = 0;
	for (size_t i = 0; i < sizes * sizes * 7 * 3; i++) {
		const float ra = radii[i % sizes], rb = radii[i / sizes % sizes], gap = gaps[i / sizes / sizes % 7];
		const double *const way = turns[i / sizes / sizes / 7], larger = (double)fmaxf(ra, rb);
		const double aim = ((double)ra + (double)rb) * (1 + (double)gap);
		const wp2d_shape a = wp2d_shape_circle(ra), b = wp2d_shape_circle(rb);
		const wp2d_pose pose_a = {{0, 0}, {0.8f, 0.6f}},
						pose_b = {{(float)(aim * way[0]), (float)(aim * way[1])}, {0.6f, 0.8f}};
		const double apart = hypot((double)pose_b.position[0], (double)pose_b.position[1]);
		if (!(apart > 4e-6 * larger))
			continue;
		const contact c = contact_of(&a, &pose_a, &b, &pose_b, INFINITY);
		expect_separation(c.row, apart - (double)ra - (double)rb, larger);
		expect_normal(c.row, (double)pose_b.position[0] / apart, (double)pose_b.position[1] / apart);
		cr_expect_eq(c.row.status & WP_STATUS_STRONG, 0);
		cr_expect_eq(c.row.iterations, 0);
		cr_expect_eq(c.count, 1);
		const double limit = WP_CONTRACT * (larger + apart);
		for (int k = 0; k < 2; k++) {
			const double n = (double)c.row.normal[k], point_b = (double)pose_b.position[k] - n * (double)rb;
			cr_expect_float_eq((double)c.row.point_a[k], n * (double)ra, limit);
			cr_expect_float_eq((double)c.row.point_b[k], point_b, limit);
		}
		const float *const n = c.row.normal, *const local = c.points[0].local_a;
		cr_expect_float_eq((double)local[0], (0.8 * (double)n[0] + 0.6 * (double)n[1]) * (double)ra, limit);
		cr_expect_float_eq((double)local[1], (0.8 * (double)n[1] - 0.6 * (double)n[0]) * (double)ra, limit);
		asked++;
	}
	cr_expect_gt(asked, 600);
}

/* Radii that are too large for cores of that size, on either side or together, go the strong way; half as large ones do not. */
Test(contact_2d, radii_far_above_the_cores)
{
	const float shares[][2] = {{1.5f, 0}, {0, 1.5f}, {0.75f, 0.75f}};
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		for (int is_half = 0; is_half < 2; is_half++) {
			const float unit = is_half ? 0x1p19f : 0x1p20f, ra = shares[i][0] * unit, rb = shares[i][1] * unit;
			const wp2d_shape a = wp2d_shape_capsule(ra, 1), b = wp2d_shape_capsule(rb, 1);
			const wp2d_pose aside = at(0.5f, 0);
			const contact c = contact_of(&a, &origin, &b, &aside, INFINITY);
			expect_separation(c.row, 0.5 - ((double)ra + (double)rb), (double)fmaxf(ra, rb) + 1);
			expect_normal(c.row, 1, 0);
			cr_expect_eq((c.row.status & WP_STATUS_STRONG) != 0, !is_half, "pair %zu, status %x", i, c.row.status);
		}
	}
}

/* A thin blade across a long side: beyond its tip, which is sharp, a tolerance of the sides was 5.8e-6 of the size. */
Test(contact_2d, a_common_point_is_not_beyond_a_sharp_tip)
{
	static const float large[3][2] = {
		{-0x1.3f3b88p+4f, -0x1.87b284p+3f}, {0x1.4c0b58p+2f, -0x1.6d47e8p+4f}, {0x1.ac27acp-10f, 0x1.973d22p-8f}};
	static const float blade[8][2] = {{0x1.857e88p-8f, 0x1.c17ed6p-30f}, {0x1.62e5ccp-8f, 0x1.305c6p-29f},
		{0x1.404d0ep-8f, 0x1.7ff954p-29f}, {0x1.404d0ep-8f, 0x1.7ff954p-29f}, {0x1.324434p-8f, 0x1.95f18ap-29f},
		{0x1.438abcp-9f, 0x1.f27c48p-29f}, {0x1.14688p-12f, 0x1.278382p-28f}, {0x1.14688p-12f, 0x1.278382p-28f}};
	const wp2d_shape a = POLYGON(large), b = POLYGON(blade);
	const wp2d_pose pose_a = {{0, 0}, {0x1.9a77d4p-1f, 0x1.320a04p-1f}};
	const wp2d_pose pose_b = {{-0x1.15cb5p+3f, -0x1.5bea46p+4f}, {0x1.78825p-2f, 0x1.dc227ap-1f}};
	const wp2d_row row = row_of(true, &a, &pose_a, &b, &pose_b);
	cr_assert(row.status & WP_STATUS_PENETRATING);

	/* How far along the blade the point is, from its near end. */
	const double c = (double)pose_b.rotation[0], s = (double)pose_b.rotation[1];
	const double x = (double)row.point_a[0] - (double)pose_b.position[0],
				 y = (double)row.point_a[1] - (double)pose_b.position[1];
	const double along = (c * x + s * y) / (c * c + s * s), size = 23.5;
	cr_expect(along > (double)blade[7][0] - WP_CONTRACT * size && along < (double)blade[0][0] + WP_CONTRACT * size,
		"%g", along);
}

Test(contact_2d, beyond_max_separation_is_a_proof)
{
	const wp2d_shape circle = wp2d_shape_circle(1);
	const wp2d_pose away = at(10, 0);
	const contact c = contact_of(&circle, &origin, &circle, &away, 0.5f);
	cr_expect(c.row.status & WP_STATUS_BEYOND);
	cr_expect(c.row.lower > 0.5f && c.row.lower <= 8.0f && c.row.separation == c.row.lower);
	cr_expect_eq(c.count, 0);
	cr_expect_eq(contact_of(&circle, &origin, &circle, &away, 8.5f).row.status & WP_STATUS_BEYOND, 0);
}

/* ---- numbers from other libraries and from articles --------------------------------------------- */

typedef struct known {
	const char *name;
	float a[4][2], b[4][2];
	uint32_t count_a, count_b;
	double separation;
	double normal[2]; /* 0, 0: several are equally right */
} known;

#define DIAMOND                                  \
	{                                            \
		{40, 30}, {50, 40}, {40, 50}, { 30, 40 } \
	}

static const known knowns[] = {
	{"dyn4j, worked example", {{4, 11}, {4, 5}, {9, 9}}, {{5, 7}, {7, 3}, {10, 2}, {12, 7}}, 3, 4, -0.93704257133163647,
		{0.6246950475544243, -0.7808688094430304}},
	{"dyn4j, Quentin", {{2, 2}, {4, 2}, {4, 5}, {2, 5}}, {{3, 3}, {5, 2}, {5, 4}}, 4, 3, -1, {1, 0}},
	{"dyn4j, Harry", {{0, 0}, {4, 0}, {4, 4}, {0, 4}}, {{2, 3}, {6, 3}, {6, 7}, {2, 7}}, 4, 4, -1, {0, 1}},
	{"dyn4j, Asylum: squares on each other", {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, 4, 4,
		-1, {0, 0}},
	{"Hacktank, Matthias: squares in one plane", {{0, 0}, {2, 0}, {2, 2}, {0, 2}}, {{1, 1}, {3, 1}, {3, 3}, {1, 3}}, 4,
		4, -1, {0, 0}},
	{"parry, epa2 along x", {{1.5f, -1}, {5.5f, -1}, {5.5f, 1}, {1.5f, 1}}, {{-2, -1}, {2, -1}, {2, 1}, {-2, 1}}, 4, 4,
		-0.5, {-1, 0}},
	{"parry, epa2 along y", {{-2, -0.75f}, {2, -0.75f}, {2, 1.25f}, {-2, 1.25f}}, {{-2, -1}, {2, -1}, {2, 1}, {-2, 1}},
		4, 4, -1.75, {0, -1}},
	{"box2d, square and segment", {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {{2, -1}, {2, 1}}, 4, 2, 1, {1, 0}},
	{"box2d, short edge", {{-0.5f, -0.0016f}, {0.5f, -0.0016f}, {0.5f, 0.0016f}, {-0.5f, 0.0016f}}, {{0.505f, 0}}, 4, 1,
		(double)0.505f - 0.5, {1, 0}},
	{"box2d, shorter edge", {{-0.5f, -0.0002f}, {0.5f, -0.0002f}, {0.5f, 0.0002f}, {-0.5f, 0.0002f}}, {{0.505f, 0}}, 4,
		1, (double)0.505f - 0.5, {1, 0}},
	{"cute_c2 256, poly2", DIAMOND, {{40, 48}, {50, 58}, {40, 68}, {30, 58}}, 4, 4, -1.414213562373095, {0, 0}},
	{"cute_c2 256, poly3", DIAMOND, {{58, 30}, {68, 40}, {58, 50}, {48, 40}}, 4, 4, -1.414213562373095, {0, 0}},
	{"cute_c2 256, poly4", DIAMOND, {{40, 12}, {50, 22}, {40, 32}, {30, 22}}, 4, 4, -1.414213562373095, {0, 0}},
};

static double size_of(const float (*vertices)[2], uint32_t count)
{
	double size = 0;
	for (uint32_t i = 0; i < count; i++)
		size = fmax(size, hypot(vertices[i][0], vertices[i][1]));
	return size;
}

Test(contact_2d, numbers_of_articles_and_other_libraries)
{
	for (size_t i = 0; i < sizeof knowns / sizeof knowns[0]; i++) {
		const known *const k = &knowns[i];
		const wp2d_shape a = wp2d_shape_polygon(k->a[0], k->count_a), b = wp2d_shape_polygon(k->b[0], k->count_b);
		const contact c = contact_of(&a, &origin, &b, &origin, INFINITY),
					  d = contact_of(&b, &origin, &a, &origin, INFINITY);
		const double size = fmax(size_of(k->a, k->count_a), size_of(k->b, k->count_b));
		cr_log_info("%s", k->name);
		expect_separation(c.row, k->separation, size);
		expect_separation(d.row, k->separation, size);
		if (k->normal[0] == 0 && k->normal[1] == 0)
			continue;
		expect_normal(c.row, k->normal[0], k->normal[1]);
		expect_normal(d.row, -k->normal[0], -k->normal[1]);
	}
}

/* ---- what readers of articles stumbled over ----------------------------------------------------- */

/* Row r of `known` moved bit by bit through the places where the origin is on an edge of a simplex. */
static void sweep(const wp2d_shape *a, const wp2d_shape *b, float from, float to, double (*truth)(double))
{
	for (int i = 0; i <= 1000; i++) {
		const wp2d_pose pose = at(from + (to - from) * (float)i / 1000, 0);
		const contact c = contact_of(a, &origin, b, &pose, INFINITY);
		expect_separation(c.row, truth((double)pose.position[0]), 1.5);
		cr_expect_float_eq(hypot(c.row.normal[0], c.row.normal[1]), 1, WP_CONTRACT_UNIT);
	}
}

static const float unit_square[4][2] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}};

static double gap_of_squares(double x) { return fabs(x) - 1; }

/* Demand 10. */
Test(contact_2d, weights_of_a_sliver_stay_on_it)
{
	static const float sliver[3][2] = {{-1, 0}, {1, 0}, {0.999f, 1e-6f}};
	const wp2d_shape a = POLYGON(sliver), b = wp2d_shape_circle(0.25f);
	for (int i = -12; i <= 12; i++) {
		const wp2d_pose pose = at(0.1f * (float)i, 1);
		const contact c = contact_of(&a, &origin, &b, &pose, INFINITY);
		const double x = fmin(fmax((double)pose.position[0], -1), 1);
		expect_separation(c.row, hypot((double)pose.position[0] - x, 1) - 0.25, 1.2);
		cr_expect_float_eq((double)c.row.point_a[0], x, 1e-3);
		cr_expect_float_eq((double)c.row.point_a[1], 0, 5e-6);
	}
}

/* Demand 14. */
Test(contact_2d, overlapping_squares_in_one_plane_have_a_depth)
{
	static const float a[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}}, b[4][2] = {{1, 1}, {3, 1}, {3, 3}, {1, 3}};
	const wp2d_shape shape_a = POLYGON(a), shape_b = POLYGON(b);
	const contact c = contact_of(&shape_a, &origin, &shape_b, &origin, INFINITY);
	expect_separation(c.row, -1, 4.3);
	cr_expect_eq(c.row.status & WP_STATUS_PENETRATING, WP_STATUS_PENETRATING);
}

/* Demand 15. A polygon of many sides, pushed through another one: edges are inserted in every place of the ring. */
Test(contact_2d, inserted_edges_keep_the_winding)
{
	float ring[64][2];
	for (int i = 0; i < 64; i++) {
		ring[i][0] = (float)cos(2 * 3.14159265358979 * i / 64);
		ring[i][1] = (float)sin(2 * 3.14159265358979 * i / 64);
	}
	const wp2d_shape a = POLYGON(ring);
	const double apothem = cos(3.14159265358979 / 64);
	for (int i = 0; i < 64; i++) {
		/* The difference of two such is such a polygon of twice the size, along whose edges they leave each
		 * other. */
		const double angle = 2 * 3.14159265358979 * (i + 0.5) / 64;
		const wp2d_pose pose = at((float)(0.5 * cos(angle)), (float)(0.5 * sin(angle)));
		const contact c = contact_of(&a, &origin, &a, &pose, INFINITY);
		expect_separation(c.row, 0.5 - 2 * apothem, 1);
		expect_normal(c.row, cos(angle), sin(angle));
	}
}

/* Demand 16. */
Test(contact_2d, origin_on_an_edge_of_the_simplex)
{
	const wp2d_shape square = POLYGON(unit_square), point = wp2d_shape_circle(0);
	sweep(&square, &square, -1.5f, 1.5f, gap_of_squares);
	for (int i = -4; i <= 4; i++) {
		const wp2d_pose edge = at(0.5f, 0.125f * (float)i), corner = at(0.125f * (float)i, -0.5f);
		const contact c = contact_of(&square, &origin, &point, &edge, INFINITY);
		const contact d = contact_of(&square, &origin, &point, &corner, INFINITY);
		expect_separation(c.row, 0, 1);
		expect_separation(d.row, 0, 1);
		cr_expect_float_eq(hypot(c.row.normal[0], c.row.normal[1]), 1, WP_CONTRACT_UNIT);
		cr_expect(c.row.status & WP_STATUS_TOUCHING);
	}
}

/* Demand 17. */
Test(contact_2d, collinear_starts_find_their_winding)
{
	static const float line[5][2] = {{-2, 0}, {-1, 0}, {0, 0}, {1, 0}, {2, 0}};
	static const float bent[6][2] = {{-2, 0}, {-1, 0}, {0, 0}, {1, 0}, {2, 0}, {0, 1}};
	const wp2d_shape a = POLYGON(line), b = POLYGON(bent), c = POLYGON(unit_square);
	const wp2d_pose pose = at(0, 0.25f);
	expect_separation(contact_of(&a, &origin, &c, &pose, INFINITY).row, -0.25, 2);
	expect_separation(contact_of(&b, &origin, &c, &pose, INFINITY).row, -0.75, 2);
	const float reversed[5][2] = {{2, 0}, {1, 0}, {0, 0}, {-1, 0}, {-2, 0}};
	const wp2d_shape d = POLYGON(reversed);
	expect_separation(contact_of(&d, &origin, &c, &pose, INFINITY).row, -0.25, 2);
}

/* Demand 18. */
Test(contact_2d, worked_example)
{
	static const float a[3][2] = {{4, 11}, {4, 5}, {9, 9}}, b[4][2] = {{5, 7}, {7, 3}, {10, 2}, {12, 7}};
	const wp2d_shape shape_a = POLYGON(a), shape_b = POLYGON(b);
	const contact c = contact_of(&shape_a, &origin, &shape_b, &origin, INFINITY);
	expect_separation(c.row, -6 / sqrt(41), 13.9);
	expect_normal(c.row, 4 / sqrt(41), -5 / sqrt(41));
	/* It is B's corner (5, 7) that is deepest, below A's edge from (4, 5) to (9, 9). */
	cr_expect_float_eq(c.row.point_b[0], 5, 1e-5);
	cr_expect_float_eq(c.row.point_b[1], 7, 1e-5);
	cr_expect_float_eq((double)c.row.point_a[1], 5 + 0.8 * ((double)c.row.point_a[0] - 4), 1e-5);
}

/* Demand 20. */
Test(contact_2d, rounded_shapes_whose_cores_are_apart_need_no_epa)
{
	const wp2d_shape a = wp2d_shape_capsule(1, 1), b = wp2d_shape_circle(1);
	const wp2d_pose pose = at(1.5f, 0.5f);
	const contact c = contact_of(&a, &origin, &b, &pose, INFINITY);
	expect_separation(c.row, -0.5, 2);
	cr_expect_leq(c.row.iterations, 4);
}

/* Demand 23. */
Test(contact_2d, touching_pairs_have_a_unit_normal)
{
	const wp2d_shape square = POLYGON(unit_square), circle = wp2d_shape_circle(0.5f);
	const wp2d_pose poses[] = {at(1, 0), at(0, 1), at(1, 1), at(-1, 0.5f)};
	for (int i = 0; i < 4; i++) {
		const contact c = contact_of(&square, &origin, &square, &poses[i], INFINITY);
		expect_separation(c.row, 0, 0.75);
		cr_expect_float_eq(hypot(c.row.normal[0], c.row.normal[1]), 1, WP_CONTRACT_UNIT);
	}
	expect_normal(contact_of(&square, &origin, &circle, &poses[0], INFINITY).row, 1, 0);
}

/* Demand 25. */
Test(contact_2d, origin_on_the_first_edge)
{
	static const float square[4][2] = {{2, 2}, {4, 2}, {4, 5}, {2, 5}}, triangle[3][2] = {{3, 3}, {5, 2}, {5, 4}};
	const wp2d_shape a = POLYGON(square), b = POLYGON(triangle);
	const contact c = contact_of(&a, &origin, &b, &origin, INFINITY);
	expect_separation(c.row, -1, 6.5);
	expect_normal(c.row, 1, 0);
}

/* Demand 27. */
Test(contact_2d, coinciding_origins_give_a_normal)
{
	const wp2d_shape square = POLYGON(unit_square);
	const contact c = contact_of(&square, &origin, &square, &origin, INFINITY);
	expect_separation(c.row, -1, 0.75);
	cr_expect_float_eq(fmaxf(fabsf(c.row.normal[0]), fabsf(c.row.normal[1])), 1, 1e-6);
}

/* Demand 29. */
Test(contact_2d, squares_exactly_on_each_other_end)
{
	const wp2d_shape square = POLYGON(unit_square);
	const wp2d_pose same = at(0, 0), stacked = at(0, 1), half = at(0, 0.5f);
	contact c = contact_of(&square, &origin, &square, &same, INFINITY);
	expect_separation(c.row, -1, 0.75);
	cr_expect_leq(c.row.iterations, 12);
	expect_separation(contact_of(&square, &origin, &square, &half, INFINITY).row, -0.5, 0.75);
	c = contact_of(&square, &origin, &square, &stacked, INFINITY);
	expect_separation(c.row, 0, 0.75);
	expect_normal(c.row, 0, 1);
	cr_expect(c.row.status & WP_STATUS_TOUCHING);
}

/* Demand 33. */
Test(contact_2d, least_depth_is_along_y)
{
	static const float a[4][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}}, b[4][2] = {{2, 3}, {6, 3}, {6, 7}, {2, 7}};
	const wp2d_shape shape_a = POLYGON(a), shape_b = POLYGON(b);
	const contact c = contact_of(&shape_a, &origin, &shape_b, &origin, INFINITY);
	expect_separation(c.row, -1, 9.3);
	expect_normal(c.row, 0, 1);
}

/* Demand 34. */
Test(contact_2d, features_tell_a_ghost_edge)
{
	/* A floor of two segments, and a box that slides over where they meet: the corner and the edge are named.
	 */
	const float left[2] = {-4, 0}, middle[2] = {0, 0};
	const wp2d_shape floor = wp2d_shape_segment(left, middle), box = POLYGON(unit_square);
	const wp2d_pose pose = at(-0.25f, 0.49f);
	const contact c = contact_of(&floor, &origin, &box, &pose, INFINITY);
	cr_assert_eq(c.count, 2);
	bool has_end = false, has_corner = false;
	for (int i = 0; i < 2; i++) {
		has_end |= c.points[i].feature_a == (1u | 1u << 16) && c.points[i].feature_b == (0u | 1u << 16);
		has_corner |= c.points[i].feature_a == (0u | 1u << 16) && c.points[i].feature_b == 0;
	}
	cr_expect(has_end && has_corner);
}

/* Demand 37. */
Test(contact_2d, point_against_a_convex_shape)
{
	const wp2d_shape square = POLYGON(unit_square), point = wp2d_shape_circle(0);
	const wp2d_pose poses[] = {at(0.2f, 0.1f), at(0.5f, 0.1f), at(0.75f, 0.1f), at(0.5f, 0.5f)};
	const double truths[] = {-(0.5 - (double)0.2f), 0, 0.25, 0};
	for (int i = 0; i < 4; i++)
		expect_separation(contact_of(&square, &origin, &point, &poses[i], INFINITY).row, truths[i], 0.75);
}

/* Demand 38. */
Test(contact_2d, normal_points_from_a_to_b)
{
	const wp2d_shape square = POLYGON(unit_square), circle = wp2d_shape_circle(0.5f);
	const wp2d_pose apart = at(3, 0), deep = at(0.75f, 0);
	expect_normal(contact_of(&square, &origin, &circle, &apart, INFINITY).row, 1, 0);
	expect_normal(contact_of(&square, &origin, &circle, &deep, INFINITY).row, 1, 0);
	expect_normal(contact_of(&circle, &deep, &square, &origin, INFINITY).row, -1, 0);
}

/* ---- manifolds ---------------------------------------------------------------------------------- */

/* Vertex i, and the edge from vertex i to the larger j. */
#define VERTEX(i) ((uint32_t)(i) | (uint32_t)(i) << 16)
#define EDGE(i, j) ((uint32_t)(i) | (uint32_t)(j) << 16)

Test(plane_manifold, box_on_box_has_two_points)
{
	const wp2d_shape box = POLYGON(unit_square);
	const wp2d_pose pose = at(0.25f, 0.9375f);
	const contact c = contact_of(&box, &origin, &box, &pose, 0.02f);
	cr_assert_eq(c.count, 2);
	/* In the order of A's upper edge, from its right end to its left one. */
	cr_expect_float_eq(c.points[0].point_a[0], 0.5f, 1e-5);
	cr_expect_float_eq(c.points[1].point_a[0], -0.25f, 1e-5);
	cr_expect_eq(c.points[0].feature_a, VERTEX(2));
	cr_expect_eq(c.points[0].feature_b, EDGE(0, 1));
	cr_expect_eq(c.points[1].feature_a, EDGE(2, 3));
	cr_expect_eq(c.points[1].feature_b, VERTEX(0));
	for (int i = 0; i < 2; i++) {
		cr_expect_float_eq(c.points[i].separation, -0.0625f, 1e-5);
		cr_expect_float_eq(c.points[i].point_a[1], 0.5f, 1e-5);
		cr_expect_float_eq(c.points[i].point_b[1], 0.4375f, 1e-5);
		cr_expect_float_eq(c.points[i].local_b[1], -0.5f, 1e-5);
	}
}

Test(plane_manifold, features_stay_as_the_bodies_move)
{
	const wp2d_shape box = POLYGON(unit_square);
	contact first = {.count = 0};
	for (int i = 0; i < 100; i++) {
		/* Both turned alike and moved, B tilted a little against A, one way and the other. */
		const float angle = 0.06f * (float)i, tilt = i % 2 ? 1e-3f : -1e-3f;
		const wp2d_pose a = {{(float)i, -3}, {cosf(angle), sinf(angle)}};
		const float x = 0.25f + 1e-3f * (float)i, y = 0.99f;
		const wp2d_pose b = {{a.position[0] + x * a.rotation[0] - y * a.rotation[1],
								 a.position[1] + x * a.rotation[1] + y * a.rotation[0]},
			{cosf(angle + tilt), sinf(angle + tilt)}};
		const contact c = contact_of(&box, &a, &box, &b, 0.05f);
		cr_assert_eq(c.count, 2);
		if (i == 0)
			first = c;
		for (int k = 0; k < 2; k++) {
			cr_expect_eq(c.points[k].feature_a, first.points[k].feature_a);
			cr_expect_eq(c.points[k].feature_b, first.points[k].feature_b);
		}
	}
}

Test(plane_manifold, corners_crossings_and_circles_have_one_point)
{
	const wp2d_shape box = POLYGON(unit_square), circle = wp2d_shape_circle(0.5f);
	const float half = 0.70710678f;
	const wp2d_pose corner = {{0, 1.2f}, {half, half}}, above = at(0.1f, 0.95f), diagonal = at(1.5f, 1.5f);
	contact c = contact_of(&box, &origin, &box, &corner, 0.02f);
	cr_assert_eq(c.count, 1);
	cr_expect_eq(c.points[0].feature_a, EDGE(2, 3));
	cr_expect_eq(c.points[0].feature_b & 0xffff, c.points[0].feature_b >> 16, "a corner");
	c = contact_of(&box, &origin, &circle, &above, 0.02f);
	cr_assert_eq(c.count, 1);
	cr_expect_eq(c.points[0].feature_a, EDGE(2, 3));
	cr_expect_eq(c.points[0].feature_b, VERTEX(0));
	cr_expect_float_eq(c.points[0].separation, c.row.separation, 0);
	c = contact_of(&box, &origin, &box, &diagonal, INFINITY);
	cr_assert_eq(c.count, 1);
	cr_expect_eq(c.points[0].feature_a, VERTEX(2));
	cr_expect_eq(c.points[0].feature_b, VERTEX(0));
}

Test(plane_manifold, a_lying_capsule_has_two_points)
{
	const float left[2] = {-10, 0}, right[2] = {10, 0};
	const wp2d_shape ground = wp2d_shape_segment(left, right), capsule = wp2d_shape_capsule(0.5f, 1);
	const wp2d_pose lying = {{1, 0.49f}, {0, 1}}, tilted = {{1, 0.6f}, {0.1f, 0.995f}};
	contact c = contact_of(&ground, &origin, &capsule, &lying, 0.02f);
	cr_assert_eq(c.count, 2);
	for (int i = 0; i < 2; i++) {
		cr_expect_float_eq(c.points[i].separation, -0.01f, 1e-5);
		cr_expect_eq(c.points[i].feature_a, EDGE(0, 1));
		cr_expect_float_eq(c.points[i].point_b[1], -0.01f, 1e-5);
	}
	cr_expect_float_eq(fabsf(c.points[0].point_a[0] - c.points[1].point_a[0]), 2, 1e-5);
	c = contact_of(&ground, &origin, &capsule, &tilted, 0.02f);
	cr_assert_eq(c.count, 1);
	cr_expect_float_eq(c.points[0].separation, c.row.separation, 2e-5);
}

Test(plane_manifold, names_are_those_of_the_vertices_as_given)
{
	/* A box whose corners are the vertices 1, 3, 4 and 6 of its list. */
	static const float listed[7][2] = {
		{0, -0.5f}, {0.5f, -0.5f}, {0.5f, 0}, {0.5f, 0.5f}, {-0.5f, 0.5f}, {-0.5f, 0}, {-0.5f, -0.5f}};
	const wp2d_shape a = POLYGON(listed), b = POLYGON(unit_square);
	const wp2d_pose pose = at(0.25f, 1);
	const contact c = contact_of(&a, &origin, &b, &pose, 0.02f);
	cr_assert_eq(c.count, 2);
	cr_expect_eq(c.points[0].feature_a, VERTEX(3));
	cr_expect_eq(c.points[1].feature_a, EDGE(3, 4));
}

Test(plane_manifold, a_thin_shape_gives_the_side_that_faces)
{
	/* Both sides of A are so flat that the cosines of their angles across the normal are 1 in float. */
	static const float thin[4][2] = {
		{0, -0x1.af2b0ap-11f}, {0x1.394b64p+2f, 0}, {0, 0x1.af2b0ap-11f}, {-0x1.394b64p+2f, 0}};
	const float start[2] = {-0x1.26ac24p-1f, -0x1.091b54p+0f}, end[2] = {0x1.26ac24p-1f, 0};
	wp2d_shape a = POLYGON(thin);
	a.radius = 0x1.6d95fap+1f;
	const wp2d_shape b = wp2d_shape_segment(start, end);
	const wp2d_pose pose_a = {{0, 0}, {0x1.eb769ep-1f, -0x1.1f1bb2p-2f}};
	const wp2d_pose pose_b = {{0x1.48f93ap-2f, -0x1.8b8faap-2f}, {0x1.a000dcp-4f, 0x1.fd5a3cp-1f}};
	const contact c = contact_of(&a, &pose_a, &b, &pose_b, INFINITY);
	cr_assert_eq(c.count, 2);
	for (int i = 0; i < 2; i++) {
		const double height = -(double)a.radius + (double)thin[0][1] * (1 - fabs((double)c.points[i].local_a[0]) / 4.9);
		cr_expect_eq(c.points[i].feature_a, EDGE(0, 1));
		cr_expect_float_eq(
			(double)c.points[i].local_a[1], height, 1e-5, "%.9g, not %.9g", (double)c.points[i].local_a[1], height);
	}
}
