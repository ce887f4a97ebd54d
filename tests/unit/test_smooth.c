/* Cylinders, cones and ellipsoids: answers that are known in closed form, in every variant and by the
 * reference; what is degenerate; and what each query gives of them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/contract.h"
#include "support/certify.h"
#include "support/gen.h"
#include "support/unit.h"
#include "support/vector.h"
#include "widephase/widephase.h"

/* The angle that a pose is turned by, after its quaternion was rounded. */
static double angle_of(const wp_pose *pose) { return 2 * atan2((double)pose->rotation[2], (double)pose->rotation[3]); }

static double bound_of(const wp_shape *shape)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1024];
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(shape, 1, memory, sizeof memory, &table, NULL), WP_OK);
	return (double)wp_shape_table_bound(table, 0);
}

static void check_reference(const char *what, const wp_shape *a, const wp_pose *at_a, const wp_shape *b,
	const wp_pose *at_b, double expected, double allowed)
{
	double position[2][3];
	for (int i = 0; i < 3; i++) {
		position[0][i] = (double)at_a->position[i];
		position[1][i] = (double)at_b->position[i];
	}
	wp_reference_row row;
	cr_assert_eq(
		wp_reference_contact_pair(a, position[0], at_a->rotation, b, position[1], at_b->rotation, &row), WP_OK);
	cr_assert(
		fabs(row.separation - expected) <= allowed, "%s, reference: %.17g, not %.17g", what, row.separation, expected);
	cr_assert(row.lower <= expected + 1e-12 && expected <= row.upper + 1e-12,
		"%s, reference: [%.17g, %.17g] lacks %.17g", what, row.lower, row.upper, expected);
}

/* One pair in every variant, both ways round: the separation, the bracket, certificates, the other queries.
 */
static void check_pair(
	const char *what, const wp_shape *a, const wp_pose *at_a, const wp_shape *b, const wp_pose *at_b, double expected)
{
	const double unit = fmax(bound_of(a), bound_of(b)) + fabs(expected), slack = 1e-9 * unit;
	check_reference(what, a, at_a, b, at_b, expected, 1e-8 * unit);
	for (int v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		wp_workspace *const workspace = workspace_of((wp_variant)v);
		for (int swap = 0; swap < 2; swap++) {
			const wp_shape *const shape[2] = {swap ? b : a, swap ? a : b};
			const wp_pose *const pose[2] = {swap ? at_b : at_a, swap ? at_a : at_b};
			wp_row contact, distance, overlap;
			wp_contact_pair(workspace, shape[0], pose[0], shape[1], pose[1],
				&(wp_contact_options){.max_separation = INFINITY}, &contact);
			wp_distance_pair(workspace, shape[0], pose[0], shape[1], pose[1], &distance);
			wp_overlap_pair(workspace, shape[0], pose[0], shape[1], pose[1], &overlap);
			cr_assert(fabs((double)contact.separation - expected) <= WP_CONTRACT_SMOOTH * unit,
				"%s, %s %d: %.9g, not %.9g", what, wp_variant_name((wp_variant)v), swap, (double)contact.separation,
				expected);
			cr_assert((double)contact.lower <= expected + slack && expected <= (double)contact.upper + slack,
				"%s, %s %d: [%.9g, %.9g] lacks %.9g", what, wp_variant_name((wp_variant)v), swap, (double)contact.lower,
				(double)contact.upper, expected);
			const certify_pair p = certify_prepare(shape[0], pose[0], shape[1], pose[1], &contact);
			const char *broken = certify_contact(&p, &contact);
			broken = broken != NULL ? broken : certify_distance(&p, &distance, &contact);
			broken = broken != NULL ? broken : certify_overlap(&p, &overlap, &contact);
			cr_assert(broken == NULL, "%s, %s %d: broken: %s", what, wp_variant_name((wp_variant)v), swap, broken);
		}
	}
}

/* How far cores reach along a direction, from their origins. */
static double reach_of_ellipsoid(const wp_shape *s, double x, double y, double z)
{
	x *= (double)s->half_extents[0];
	y *= (double)s->half_extents[1];
	z *= (double)s->half_extents[2];
	return sqrt(x * x + y * y + z * z);
}

/* ---- closed forms ------------------------------------------------------------------------------- */

Test(smooth, round_ellipsoids_are_spheres)
{
	const double radii[] = {1e-5, 0.125, 1, 300, 1e5}, shares[] = {0.1, 0.6, 0.99, 1, 1.01, 3, 1000};
	for (size_t r = 0; r < sizeof radii / sizeof radii[0]; r++)
		for (size_t s = 0; s < sizeof shares / sizeof shares[0]; s++) {
			const float radius = (float)radii[r];
			const wp_shape ball = wp_shape_ellipsoid(radius, radius, radius), sphere = wp_shape_sphere(0.75f * radius);
			const wp_pose a = pose_at(0, 0, 0),
						  b = pose_at(0.6 * shares[s] * 1.75 * radii[r], 0.8 * shares[s] * 1.75 * radii[r], 0);
			const double apart = hypot((double)b.position[0], (double)b.position[1]);
			check_pair("ball and sphere", &ball, &a, &sphere, &b, apart - 1.75 * (double)radius);
			const wp_shape other = wp_shape_ellipsoid(0.75f * radius, 0.75f * radius, 0.75f * radius);
			check_pair("two balls", &ball, &a, &other, &b, apart - 1.75 * (double)radius);
		}
}

/* A wide block below any shape: its separation is the height of its lowest point. */
static void check_over_floor(
	const char *what, const wp_shape *shape, double height, double angle, double (*reach)(const wp_shape *, double))
{
	const wp_shape floor = wp_shape_box(40, 1, 40);
	const wp_pose below = pose_at(0.25, -1, 0.5), above = pose_turned(0, height, 0, angle);
	check_pair(what, &floor, &below, shape, &above,
		(double)above.position[1] - reach(shape, angle_of(&above)) - (double)shape->radius);
}

static double low_of_ellipsoid(const wp_shape *s, double angle)
{
	return reach_of_ellipsoid(s, sin(angle), cos(angle), 0);
}

static double low_of_cylinder(const wp_shape *s, double angle)
{
	return fabs(sin(angle)) * (double)s->base_radius + fabs(cos(angle)) * (double)s->half_height;
}

/* The apex is at +Y, so of an upright cone the base is low. */
static double low_of_cone(const wp_shape *s, double angle)
{
	const double h = (double)s->half_height;
	return fmax(-cos(angle) * h, fabs(sin(angle)) * (double)s->base_radius + cos(angle) * h);
}

Test(smooth, over_a_floor)
{
	const double angles[] = {0, 1e-4, 0.02, 0.5, 0.7853981633974483, 1.2, 1.5707963267948966, 2.5, 3.141592653589793};
	const double heights[] = {6, 2.4, 1.6, 1, 0.25};
	for (int i = 0; i < 9 * 5 * 2; i++) {
		wp_shape ellipsoid = wp_shape_ellipsoid(1, 2, 0.5f), cylinder = wp_shape_cylinder(1.25f, 2),
				 cone = wp_shape_cone(1.5f, 1);
		ellipsoid.radius = cylinder.radius = cone.radius = i % 2 ? 0.375f : 0;
		const double angle = angles[i / 10], height = heights[i / 2 % 5];
		check_over_floor("ellipsoid over a floor", &ellipsoid, height, angle, low_of_ellipsoid);
		check_over_floor("cylinder over a floor", &cylinder, height, angle, low_of_cylinder);
		check_over_floor("cone over a floor", &cone, height, angle, low_of_cone);
	}
}

Test(smooth, cylinders_and_their_like)
{
	const wp_shape thick = wp_shape_cylinder(1, 2), thin = wp_shape_cylinder(0.25f, 3), cone = wp_shape_cone(0.5f, 1);
	const wp_shape point = wp_shape_point(), sphere = wp_shape_sphere(0.5f), capsule = wp_shape_capsule(0.5f, 2);
	const wp_pose middle = pose_at(0, 0, 0), above = pose_at(0.25, 6, 0.125), aside = pose_at(3, 0.5, 0),
				  far = pose_at(3, 4, 5);
	const wp_pose lying = pose_turned(0, 0, 2, 1.5707963267948966), within = pose_at(0.25, 0.125, 0);
	check_pair("one cylinder over another", &thick, &middle, &thin, &above, 1);
	check_pair("cylinders side by side", &thick, &middle, &thin, &aside, 1.75);
	check_pair("crossed cylinders", &thick, &middle, &thin, &lying, 0.75);
	check_pair("cylinder over a cone", &cone, &middle, &thick, &above, 3);
	check_pair("point over a cylinder", &thick, &middle, &point, &above, 4);
	check_pair("sphere off a rim", &thick, &middle, &sphere, &far, hypot(hypot(3, 5) - 1, 2) - 0.5);
	check_pair("capsule beside a cylinder", &thick, &middle, &capsule, &aside, 1.5);
	check_pair("point in a cylinder", &thick, &middle, &point, &within, -0.75);
	check_pair("sphere in a cylinder", &thick, &middle, &sphere, &within, -1.25);
	/* Straight beside the slant side of the cone, whose outward normal is (2, 1/2, 0) / sqrt(4.25). */
	const wp_pose slant = pose_at(2.25, 0.5, 0);
	check_pair("point beside a cone", &cone, &middle, &point, &slant, sqrt(4.25));
}

Test(smooth, hulls_and_triangles)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	const float corners[4][3] = {{-4, 0, -4}, {4, 0, -4}, {0, 0, 4}, {0, -3, 0}};
	const wp_hull_input input = {.vertices = {corners[0]}, .vertex_count = 4};
	const wp_hull *hull;
	cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_OK);
	const wp_shape shapes[2] = {wp_shape_hull(hull), wp_shape_triangle(corners[0], corners[1], corners[2])};
	const wp_pose at = pose_at(0, 0, 0);
	for (int i = 0; i < 2; i++)
		for (double height = 0.75; height < 4; height += 0.5) {
			const wp_shape cylinder = wp_shape_cylinder(0.5f, 0.5f), ellipsoid = wp_shape_ellipsoid(0.25f, 0.5f, 1);
			const wp_pose over = pose_at(0.125, height, -1);
			check_pair("cylinder over a face", &shapes[i], &at, &cylinder, &over, height - 0.5);
			check_pair("ellipsoid over a face", &shapes[i], &at, &ellipsoid, &over, height - 0.5);
		}
}

/* ---- what is degenerate ------------------------------------------------------------------------- */

Test(smooth, flat_and_thin_ones)
{
	const wp_shape line = wp_shape_cylinder(0, 2), needle = wp_shape_ellipsoid(0, 2, 0), spike = wp_shape_cone(0, 2),
				   pin = wp_shape_cylinder(0, 0.5f);
	const wp_shape disc = wp_shape_cylinder(2, 0), plate = wp_shape_ellipsoid(2, 0, 2), base = wp_shape_cone(2, 0);
	const wp_shape nothing = wp_shape_ellipsoid(0, 0, 0), sphere = wp_shape_sphere(0.5f), box = wp_shape_box(1, 1, 1);
	const wp_shape *const lines[] = {&line, &needle, &spike}, *const discs[] = {&disc, &plate, &base};
	const wp_pose at = pose_at(0, 0, 0), above = pose_at(0, 4, 0), aside = pose_at(3, 1, 0), off = pose_at(5, 4, 0);
	for (int i = 0; i < 3; i++) {
		check_pair("sphere over a line", lines[i], &at, &sphere, &above, 1.5);
		check_pair("sphere beside a line", lines[i], &at, &sphere, &aside, 2.5);
		check_pair("box beside a line", lines[i], &at, &box, &aside, 2);
		check_pair("sphere over a disc", discs[i], &at, &sphere, &above, 3.5);
		check_pair("sphere off a disc", discs[i], &at, &sphere, &off, 4.5);
		check_pair("box over a disc", discs[i], &at, &box, &above, 3);
		for (int k = 0; k < 3; k++) {
			check_pair("disc over a disc", discs[i], &at, discs[k], &above, 4);
			check_pair("line over a disc", discs[i], &at, lines[k], &above, 2);
			check_pair("line through a disc", discs[i], &at, &pin, &at, -0.5);
		}
	}
	check_pair("nothing off a box", &nothing, &aside, &box, &at, 2);
	check_pair("nothing and nothing", &nothing, &aside, &nothing, &at, sqrt(10));
}

/* Ellipsoids tip to tip, apart and as deep as the balls in their tips, of radius 1/2 and 1/4. */
Test(smooth, balls_of_ellipsoids)
{
	static const double separations[] = {0.5, 0x1p-10, 0, -0x1p-10, -0.25, -0.7265625, -0.75};
	wp_shape a = wp_shape_ellipsoid(2, 1, 1.5f), b = wp_shape_ellipsoid(1, 0.5f, 0.75f);
	for (int rounded = 0; rounded < 2; rounded++) {
		a.radius = rounded ? 0.125f : 0;
		b.radius = rounded ? 0x1p-6f : 0;
		const double touch = 3 + (double)a.radius + (double)b.radius;
		for (size_t i = 0; i < sizeof separations / sizeof separations[0]; i++) {
			const wp_pose at = pose_at(0, 0, 0), along = pose_at(touch + separations[i], 0, 0);
			check_pair(rounded ? "rounded tips" : "tips", &a, &at, &b, &along, separations[i]);
			wp_row row;
			wp_contact_pair(workspace_of(WP_VARIANT_SCALAR), &a, &at, &b, &along,
				&(wp_contact_options){.max_separation = INFINITY}, &row);
			cr_assert((row.status & WP_STATUS_STRONG) == 0, "tips %zu: status %x", i, row.status);
			cr_assert(row.normal[0] > 0.9999f, "tips %zu: normal %.9g", i, (double)row.normal[0]);
		}
	}
}

/* Balls about one centre have no nearest face at all, and what is small in the middle of one has none that many steps would
 * find: searches see neither, but the points that are left of balls. */
Test(smooth, centres_of_balls)
{
	const wp_shape ball = wp_shape_ellipsoid(10, 10, 10);
	const struct {
		wp_shape shape;
		double depth;
	} cases[] = {{wp_shape_ellipsoid(0.5f, 0.5f, 0.5f), 10.5},
		{wp_shape_box(0.140625f, 0.140625f, 0.140625f), 10.140625}, {wp_shape_cylinder(0, 0.1875f), 10},
		{wp_shape_cone(0.125f, 0), 10}, {wp_shape_point(), 10}, {wp_shape_ellipsoid(9, 0.0625f, 9.5f), 10.0625}};
	const wp_pose at = pose_turned(3, 2, 1, 0.7);
	for (int i = 0; i < 6 * WP_VARIANT_COUNT; i++) {
		const wp_variant variant = (wp_variant)(i / 6);
		const wp_shape *const shape = &cases[i % 6].shape;
		if (variant == WP_VARIANT_AUTO || wp_variant_available(variant) != WP_OK)
			continue;
		wp_row row;
		wp_contact_pair(
			workspace_of(variant), &ball, &at, shape, &at, &(wp_contact_options){.max_separation = INFINITY}, &row);
		cr_assert(fabs((double)row.separation + cases[i % 6].depth) <= WP_CONTRACT_SMOOTH_WIDE * 20, "case %d: %.9g",
			i % 6, (double)row.separation);
		cr_assert(
			(double)row.lower <= -cases[i % 6].depth && (double)row.upper >= -cases[i % 6].depth, "case %d", i % 6);
		const certify_pair p = certify_prepare(&ball, &at, shape, &at, &row);
		const char *const broken = certify_contact(&p, &row);
		cr_assert(broken == NULL, "case %d: broken: %s", i % 6, broken);
		cr_assert(!(row.status & (WP_STATUS_WIDE_BRACKET | WP_STATUS_STRONG)), "case %d: status %x", i % 6, row.status);
	}
}

/* Shapes on one axis have a circle of nearest planes. Its faces become many, and the bracket is as wide as it says at
 * most; certificates judge wide ones too. */
Test(smooth, circles_of_nearest_planes)
{
	const wp_shape point = wp_shape_point(), cone = wp_shape_cone(1, 1), cylinder = wp_shape_cylinder(1, 2);
	const wp_shape rounded = {
		.kind = WP_SHAPE_CONE, .base_radius = 0x1.978p-3f, .half_height = 0x1.054p-3f, .radius = 0x1.bp-6f};
	const wp_shape nearly_round = wp_shape_ellipsoid(1, 0x1.ffbp-1f, 1);
	const double r = (double)rounded.base_radius, h = (double)rounded.half_height;
	const struct {
		const wp_shape *a, *b;
		double depth;
	} cases[] = {{&cone, &cone, 4 / sqrt(5)}, {&point, &rounded, 0x1.bp-6 + h * r / hypot(2 * h, r)},
		{&cylinder, &cylinder, 2}, {&point, &nearly_round, 0x1.ffbp-1}, {&nearly_round, &nearly_round, 0x1.ffbp+0}};
	const wp_pose poses[] = {pose_at(0, 0, 0), pose_turned(3, 2, 1, 0.7)};
	for (int i = 0; i < 5 * 2 * WP_VARIANT_COUNT; i++) {
		const wp_variant variant = (wp_variant)(i / 10);
		const wp_pose *const at = &poses[i / 5 % 2];
		if (variant == WP_VARIANT_AUTO || wp_variant_available(variant) != WP_OK)
			continue;
		wp_row row;
		wp_contact_pair(workspace_of(variant), cases[i % 5].a, at, cases[i % 5].b, at,
			&(wp_contact_options){.max_separation = INFINITY}, &row);
		const double off = fabs((double)row.separation + cases[i % 5].depth);
		/* Kernels see the last pair as a little that is left of two balls: as exact as L + depth allows. */
		const double unit = cases[i % 5].depth + (cases[i % 5].a == &nearly_round ? 1 : 0);
		cr_assert(off <= 1e-6 * unit, "case %d: %.9g", i % 5, (double)row.separation);
		cr_assert(
			(double)row.lower <= -cases[i % 5].depth && (double)row.upper >= -cases[i % 5].depth, "case %d", i % 5);
		const certify_pair p = certify_prepare(cases[i % 5].a, at, cases[i % 5].b, at, &row);
		const char *const broken = certify_contact(&p, &row);
		cr_assert(broken == NULL, "case %d: broken: %s", i % 5, broken);
	}
}

/* Powers of two change nothing but exponents. */
Test(smooth, scales_bit_for_bit)
{
	const double angle = 0.4;
	wp_row first;
	for (int power = -60; power <= 60; power += 20) {
		const float s = ldexpf(1, power);
		const wp_shape cone = wp_shape_cone(1.5f * s, 0.75f * s), ellipsoid = wp_shape_ellipsoid(s, 2 * s, 0.375f * s);
		for (int near = 0; near < 2; near++) {
			const wp_pose a = pose_turned(0, 0, 0, angle),
						  b = pose_turned((near ? 1.25 : 4) * (double)s, 0.5 * (double)s, 0, -angle);
			static wp_row kept[2];
			wp_row row;
			wp_contact_pair(workspace_of(WP_VARIANT_SCALAR), &cone, &a, &ellipsoid, &b,
				&(wp_contact_options){.max_separation = INFINITY}, &row);
			first = power == -60 ? row : kept[near];
			kept[near] = first;
			cr_assert_eq(row.separation, ldexpf(first.separation, power + 60));
			cr_assert_eq(row.lower, ldexpf(first.lower, power + 60));
			cr_assert_eq(memcmp(row.normal, first.normal, sizeof row.normal), 0);
		}
	}
}

/* ---- every query -------------------------------------------------------------------------------- */

enum { PAIRS = 3 * 3 * GEN_CONSTRUCTION_COUNT };

/* Each pair of a corpus alone has the bits that it has in the batch, and every row keeps its promises. */
Test(smooth, batches_are_pairs)
{
	static wp_row rows[PAIRS];
	static uint32_t pairs[PAIRS][2];
	const gen_options options = {.seed = 5, .vertex_max = 24, .smooth = GEN_SMOOTH_HALF};
	gen_corpus corpus;
	cr_assert(gen_corpus_make(&options, 0, PAIRS, &corpus));
	const size_t size = wp_shape_table_size(2 * PAIRS);
	void *const memory = aligned_alloc(WP_ALIGNMENT, (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT);
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(corpus.shapes, 2 * PAIRS, memory, size, &table, NULL), WP_OK);
	for (uint32_t i = 0; i < PAIRS; i++) {
		pairs[i][0] = 2 * i;
		pairs[i][1] = 2 * i + 1;
	}
	const wp_batch batch = {.shapes = table,
		.a = {.position = {corpus.poses[0].position, sizeof(wp_pose)},
			.rotation = {corpus.poses[0].rotation, sizeof(wp_pose)},
			.count = 2 * PAIRS},
		.pair_a = {&pairs[0][0], sizeof pairs[0]},
		.pair_b = {&pairs[0][1], sizeof pairs[0]},
		.count = PAIRS};
	const wp_results results = wp_results_of_rows(rows);
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	cr_assert_eq(
		wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = INFINITY}, &results, NULL), WP_OK);
	uint32_t smooth = 0;
	for (uint32_t i = 0; i < PAIRS; i++) {
		const wp_shape *const a = &corpus.shapes[2 * i], *const b = a + 1;
		const wp_pose *const at_a = &corpus.poses[2 * i], *const at_b = at_a + 1;
		smooth += a->kind > WP_SHAPE_HULL || b->kind > WP_SHAPE_HULL;
		wp_row row;
		wp_contact_pair(workspace, a, at_a, b, at_b, &(wp_contact_options){.max_separation = INFINITY}, &row);
		cr_assert_eq(memcmp(&row, &rows[i], sizeof row), 0, "pair %u", i);
		const certify_pair p = certify_prepare(a, at_a, b, at_b, &row);
		const char *const broken = certify_contact(&p, &row);
		cr_assert(broken == NULL, "pair %u: broken: %s", i, broken);
	}
	cr_assert(smooth > PAIRS / 6, "%u pairs", smooth);
	free(memory);
	gen_corpus_free(&corpus);
}

Test(smooth, beyond_is_proven)
{
	const wp_shape cone = wp_shape_cone(1, 1), ellipsoid = wp_shape_ellipsoid(1, 2, 3);
	const wp_pose a = pose_at(0, 0, 0), b = pose_at(6, 0, 0);
	wp_row row;
	wp_contact_pair(
		workspace_of(WP_VARIANT_AUTO), &cone, &a, &ellipsoid, &b, &(wp_contact_options){.max_separation = 0.5f}, &row);
	cr_assert(row.status & WP_STATUS_BEYOND && row.lower > 0.5f && row.lower == row.separation);
}

/* Rows with a smooth core leave caches as they were. */
Test(smooth, caches_stay)
{
	wp_shape shapes[2] = {wp_shape_cylinder(1, 1), wp_shape_box(1, 1, 1)};
	_Alignas(WP_ALIGNMENT) unsigned char memory[1024];
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &table, NULL), WP_OK);
	const float positions[2][3] = {{0, 0, 0}, {3, 0.25f, 0}}, rotations[2][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
	const uint32_t a = 0, b = 1;
	wp_cache cache = {.vertex = {1, 2, 3, 4}, .axis = {1, 0, 0}, .count = 3};
	const wp_cache before = cache;
	wp_row row, cold;
	const wp_batch batch = {.shapes = table,
		.a = {.position = {positions}, .rotation = {rotations[0]}, .count = 2},
		.pair_a = {&a},
		.pair_b = {&b},
		.count = 1};
	wp_results results = wp_results_of_rows(&cold);
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	cr_assert_eq(
		wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = INFINITY}, &results, NULL), WP_OK);
	results = wp_results_of_rows(&row);
	results.cache.data = &cache;
	cr_assert_eq(
		wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = INFINITY}, &results, NULL), WP_OK);
	cr_assert_eq(memcmp(&row, &cold, sizeof row), 0);
	cr_assert_eq(memcmp(&cache, &before, sizeof cache), 0);
}

/* The cylinder falls from 5 above the block by 8, and turns as it does in the second cast: it lands on its
 * rim. */
Test(smooth, casts_hit_when_they_touch)
{
	const wp_shape cylinder = wp_shape_cylinder(0.5f, 1), box = wp_shape_box(4, 1, 4);
	const wp_pose block = pose_at(0, -1, 0), start = pose_at(0, 6, 0), end = pose_at(0, -2, 0);
	float fraction;
	wp_row row;
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	cr_assert_eq(wp_cast_pair(workspace, &box, &block, &cylinder, &start, NULL, &end, &row, &fraction), WP_OK);
	cr_assert(row.status & WP_STATUS_HIT && !(row.status & WP_STATUS_ITERATION_CAP), "status %x", row.status);
	cr_assert(fabs((double)fraction - 5.0 / 8) <= 1e-5, "%.9g", (double)fraction);
	cr_assert(fabs((double)row.separation) <= 1e-4 && row.normal[1] > 0.999f);

	const wp_pose turned = pose_turned(0, -2, 0, 2);
	cr_assert_eq(wp_cast_pair(workspace, &box, &block, &cylinder, &start, NULL, &turned, &row, &fraction), WP_OK);
	cr_assert(row.status & WP_STATUS_HIT, "status %x", row.status);
	cr_assert(fabs((double)row.separation) <= 1e-4, "%.9g", (double)row.separation);

	const wp_pose within = pose_at(0, 0.25, 0);
	const float up[3] = {0, 1, 0};
	cr_assert_eq(wp_depth_along_pair(workspace, &box, &block, &cylinder, &within, up, &row), WP_OK);
	cr_assert(fabs((double)row.separation + 0.75) <= 1e-4, "%.9g", (double)row.separation);
}
