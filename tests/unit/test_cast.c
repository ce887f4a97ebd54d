/* Casts: named ones with exact fractions; random ones against contacts at sampled places, which say that nothing
 * touches before the fraction and that something does at it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/block.h"
#include "support/gen.h"
#include "support/unit.h"
#include "support/vector.h"
#include "widephase/widephase.h"

enum { PAIRS = 2600 };

static const wp_pose at_origin = {.rotation = {0, 0, 0, 1}};

/* ---- named -------------------------------------------------------------------------------------- */

typedef struct answer {
	float fraction;
	wp_row row;
} answer;

/* A stands still. */
static answer cast_b(
	const wp_shape *a, const wp_pose *pose_a, const wp_shape *b, const wp_pose *from, const wp_pose *to)
{
	answer r;
	cr_assert_eq(wp_cast_pair(workspace_of(WP_VARIANT_AUTO), a, pose_a, b, from, NULL, to, &r.row, &r.fraction), WP_OK);
	return r;
}

static void expect_hit(const answer *r, double fraction, double nx, double ny, double nz)
{
	const double n = nx * (double)r->row.normal[0] + ny * (double)r->row.normal[1] + nz * (double)r->row.normal[2];
	cr_assert(r->row.status & WP_STATUS_HIT, "no hit: status %x, fraction %g", r->row.status, (double)r->fraction);
	cr_assert(fabs((double)r->fraction - fraction) < 1e-5, "fraction %.9g, not %.9g", (double)r->fraction, fraction);
	cr_assert(
		n > 1 - 1e-5, "normal %g %g %g", (double)r->row.normal[0], (double)r->row.normal[1], (double)r->row.normal[2]);
}

static void expect_miss(const answer *r)
{
	cr_assert(!(r->row.status & (WP_STATUS_HIT | WP_STATUS_INVALID)) && r->fraction == 1, "status %x, fraction %g",
		r->row.status, (double)r->fraction);
}

Test(cast, cube_on_cube)
{
	const wp_shape cube = wp_shape_box(1, 1, 1);
	const wp_pose from = pose_at(4, 0.5, 0.25), through = pose_at(-4, 0.5, 0.25), short_of = pose_at(2.25, 0.5, 0.25),
				  away = pose_at(9, 0.5, 0.25), past = pose_at(-4, 2.5, 0.25);
	const answer hit = cast_b(&cube, &at_origin, &cube, &from, &through);
	expect_hit(&hit, 0.25, 1, 0, 0);
	cr_assert(fabsf(hit.row.separation) < 1e-5f && fabsf(hit.row.point_a[0] - 1) < 1e-5f);
	const answer stays_short = cast_b(&cube, &at_origin, &cube, &from, &short_of);
	expect_miss(&stays_short);
	const answer leaves = cast_b(&cube, &at_origin, &cube, &from, &away);
	expect_miss(&leaves);
	const wp_pose above = pose_at(4, 2.5, 0.25);
	const answer passes = cast_b(&cube, &at_origin, &cube, &above, &past);
	expect_miss(&passes);
	const answer rests = cast_b(&cube, &at_origin, &cube, &from, NULL);
	expect_miss(&rests);
}

/* Demand 28. */
Test(cast, overlap_from_the_start)
{
	const wp_shape cube = wp_shape_box(1, 1, 1);
	const wp_pose from = pose_at(1.5, 0, 0), to = pose_at(5, 0, 0);
	const answer r = cast_b(&cube, &at_origin, &cube, &from, &to);
	expect_hit(&r, 0, 1, 0, 0);
	cr_assert(r.row.status & WP_STATUS_PENETRATING);
	cr_assert(fabsf(r.row.separation + 0.5f) < 1e-5f, "%g", (double)r.row.separation);
}

/* A small fast box at a wall a thousandth as thin as its way is long. */
Test(cast, thin_wall_is_not_tunnelled)
{
	const wp_shape wall = wp_shape_box(10, 10, 0.05f), small = wp_shape_box(0.1f, 0.1f, 0.1f);
	const wp_pose from = pose_at(0.3, -0.2, 50), to = pose_at(0.3, -0.2, -50);
	const answer r = cast_b(&wall, &at_origin, &small, &from, &to);
	expect_hit(&r, (50 - 0.15) / 100, 0, 0, 1);
}

/* Rays: points on straight ways, against every shape. */
Test(cast, rays)
{
	static const float corner[3][3] = {{-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}};
	static _Alignas(WP_ALIGNMENT) unsigned char hull_memory[4096];
	static const float pyramid[5][3] = {{1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {0, 0, 2}};
	const wp_hull *hull;
	const wp_hull_input input = {.vertices = {pyramid[0]}, .vertex_count = 5};
	cr_assert_eq(wp_hull_build(&input, hull_memory, sizeof hull_memory, &hull, NULL), WP_OK);
	const wp_shape point = wp_shape_point();
	const struct {
		wp_shape shape;
		double height, slope;
	} targets[] = {{wp_shape_sphere(2), 2, 0}, {wp_shape_box(1, 1, 3), 3, 0}, {wp_shape_capsule(0.5f, 1), 0.5, 0},
		{wp_shape_triangle(corner[0], corner[1], corner[2]), 0, 0}, {wp_shape_hull(hull), 2, 0.25}};
	for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
		const double x = targets[i].slope, height = targets[i].height - 2 * x;
		const wp_pose from = pose_at(x, 0, 10), to = pose_at(x, 0, -10), beside = pose_at(20, 0, 10),
					  down = pose_at(20, 0, -10);
		const answer hit = cast_b(&targets[i].shape, &at_origin, &point, &from, &to);
		if (x == 0)
			expect_hit(&hit, (10 - height) / 20, 0, 0, 1);
		else
			expect_hit(&hit, (10 - height) / 20, 2 / sqrt(5), 0, 1 / sqrt(5));
		const answer miss = cast_b(&targets[i].shape, &at_origin, &point, &beside, &down);
		expect_miss(&miss);
	}
}

/* Where rays meet each kind of shape, from outside: faces, slopes, rims that a radius rounds, and beside them. */
Test(cast, rays_in_closed_form)
{
	const wp_shape point = wp_shape_point(), ball = wp_shape_sphere(0.5f);
	wp_shape round_box = wp_shape_box(1, 1, 1);
	round_box.radius = 0.5f;
	const double half = sqrt(0.5), fifth = sqrt(0.2), third = sqrt(1.0 / 3);
	const struct {
		wp_shape shape, probe;
		float from[3], to[3];
		double fraction, normal[3]; /* > 1: a miss */
	} cases[] = {
		{wp_shape_cylinder(1, 2), point, {5, 1, 0}, {-5, 1, 0}, 0.4, {1, 0, 0}},
		{wp_shape_cylinder(1, 2), point, {0.5f, 6, 0}, {0.5f, -6, 0}, 4.0 / 12, {0, 1, 0}},
		{wp_shape_cylinder(1, 2), ball, {1.25f, 6, 0}, {1.25f, -6, 0}, (4 - 0.4330127) / 12, {0.5, 0.8660254, 0}},
		{wp_shape_cylinder(1, 2), point, {5, 2.5f, 0}, {-5, 2.5f, 0}, 2, {0, 0, 0}},
		{wp_shape_cone(1, 1), point, {5, 0, 0}, {-5, 0, 0}, 0.45, {2 * fifth, fifth, 0}},
		{wp_shape_cone(1, 1), point, {0, -5, 0.25f}, {0, 5, 0.25f}, 0.4, {0, -1, 0}},
		{wp_shape_cone(1, 1), point, {0.25f, 5, 0}, {0.25f, -5, 0}, 0.45, {2 * fifth, fifth, 0}},
		{wp_shape_cone(1, 1), point, {5, 2, 0}, {-5, 2, 0}, 2, {0, 0, 0}},
		{wp_shape_cone(1, 1), point, {-1.5f, 3, 0}, {1, -2, 0}, 0.5, {-2 * fifth, fifth, 0}},
		{wp_shape_cone(1, 1), point, {1, -2, 0}, {-1.5f, 3, 0}, 0.2, {0, -1, 0}},
		{wp_shape_ellipsoid(1, 1, 1), point, {3, 3, 3}, {-1, -1, -1}, 0.75 - third / 4, {third, third, third}},
		{wp_shape_ellipsoid(1, 2, 3), point, {0, 0, 8}, {0, 0, -2}, 0.5, {0, 0, 1}},
		{wp_shape_ellipsoid(1, 2, 3), point, {8, 2.5f, 0}, {-8, 2.5f, 0}, 2, {0, 0, 0}},
		{wp_shape_half_space(), point, {3, 4, 1}, {3, -4, 1}, 0.5, {0, 1, 0}},
		{wp_shape_half_space(), ball, {3, 4, 1}, {3, -4, 1}, 3.5 / 8, {0, 1, 0}},
		{wp_shape_half_space(), ball, {3, 4, 1}, {9, 1, 1}, 2, {0, 0, 0}},
		{wp_shape_capsule(0.5f, 1), ball, {0.5f, 6, 0}, {0.5f, -6, 0}, (5 - 0.8660254) / 12, {0.5, 0.8660254, 0}},
		{wp_shape_capsule(0.5f, 1), point, {4, 0.5f, 0}, {-4, 0.5f, 0}, 3.5 / 8, {1, 0, 0}},
		{wp_shape_capsule(0.5f, 1), point, {4, 1.75f, 0}, {-4, 1.75f, 0}, 2, {0, 0, 0}},
		{round_box, ball, {5, 0.5f, 0}, {-5, 0.5f, 0}, 0.3, {1, 0, 0}},
		{round_box, ball, {5, 5, 0}, {-5, -5, 0}, (4 - half) / 10, {half, half, 0}},
		{round_box, ball, {5, 2.25f, 0}, {-5, 2.25f, 0}, 2, {0, 0, 0}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const wp_pose from = pose_at((double)cases[i].from[0], (double)cases[i].from[1], (double)cases[i].from[2]);
		const wp_pose to = pose_at((double)cases[i].to[0], (double)cases[i].to[1], (double)cases[i].to[2]);
		const answer r = cast_b(&cases[i].shape, &at_origin, &cases[i].probe, &from, &to);
		if (cases[i].fraction > 1) {
			wp_row end;
			expect_miss(&r);
			cr_assert_eq(wp_contact_pair(workspace_of(WP_VARIANT_AUTO), &cases[i].shape, &at_origin, &cases[i].probe,
							 &to, &(wp_contact_options){.max_separation = INFINITY}, &end),
				WP_OK);
			const bool is_bound = r.row.status & WP_STATUS_BEYOND;
			const double more = (double)end.separation - (double)r.row.separation;
			cr_assert(more > -1e-5 && (is_bound || more < 1e-5), "case %zu: %g at the end, not %g", i,
				(double)r.row.separation, (double)end.separation);
		} else
			expect_hit(&r, cases[i].fraction, cases[i].normal[0], cases[i].normal[1], cases[i].normal[2]);
	}
}

/* From within a shape a ray hits where it starts, from anywhere beside it that leads away it does not. */
Test(cast, rays_from_inside_and_away)
{
	const wp_shape shapes[] = {wp_shape_sphere(1), wp_shape_capsule(0.5f, 1), wp_shape_box(1, 2, 0.5f),
		wp_shape_cylinder(1, 2), wp_shape_cone(1, 2), wp_shape_ellipsoid(1, 2, 3), wp_shape_half_space()};
	const wp_shape point = wp_shape_point();
	gen_random random;
	gen_seed(&random, 25);
	for (int i = 0; i < rounds(7000); i++) {
		const wp_shape *const shape = &shapes[i % 7];
		const wp_pose to = pose_at(gen_range(&random, -9, 9), gen_range(&random, -9, 9), gen_range(&random, -9, 9));
		const wp_pose inside = pose_at(
			gen_range(&random, -0.2, 0.2), gen_range(&random, -0.4, -0.1), gen_range(&random, -0.2, 0.2));
		const answer r = cast_b(shape, &at_origin, &point, &inside, &to);
		cr_assert(r.row.status & WP_STATUS_HIT && r.row.status & WP_STATUS_PENETRATING && r.fraction == 0,
			"%d: kind %d, status %x, fraction %g", i, (int)shape->kind, r.row.status, (double)r.fraction);

		/* Above the top, also within what the sides would fill further up, and on upwards. */
		const double top = shape->kind == WP_SHAPE_HALF_SPACE ? 0 : 3;
		const wp_pose above = pose_at(
			gen_range(&random, -0.4, 0.4), top + gen_range(&random, 0.1, 1), gen_range(&random, -0.4, 0.4));
		const double x = (double)above.position[0] + gen_range(&random, -9, 9);
		const wp_pose away = pose_at(
			x, (double)above.position[1] + gen_range(&random, 0, 9), gen_range(&random, -9, 9));
		const answer miss = cast_b(shape, &at_origin, &point, &above, &away);
		expect_miss(&miss);
		cr_assert(miss.row.lower > 0 && miss.row.iterations == 0, "%d: kind %d, lower %g, %u iterations", i,
			(int)shape->kind, (double)miss.row.lower, miss.row.iterations);
	}
}

/* Where a ray along X hits a box and how far from it another one ends is known exactly: fractions are rounded down, bounds
 * outwards, and hits have room for rounding. */
Test(cast, what_rays_say_is_rounded_outwards)
{
	const wp_shape box = wp_shape_box(1, 1, 1), point = wp_shape_point();
	gen_random random;
	gen_seed(&random, 26);
	for (int i = 0; i < rounds(5000); i++) {
		const wp_pose from = pose_at(gen_magnitude(&random, 1.5, 1e5), 0.25, 0.25);
		const wp_pose to = pose_at(-gen_magnitude(&random, 1.5, 1e5), 0.25, 0.25);
		const double x = (double)from.position[0], way = (double)(float)((double)to.position[0] - x);
		const answer hit = cast_b(&box, &at_origin, &point, &from, &to);
		const double fraction = (double)hit.fraction, length = x - way;
		cr_assert(hit.row.status & WP_STATUS_HIT && hit.row.iterations == 0, "%d: status %x", i, hit.row.status);
		cr_assert(fraction * -way <= x - 1 && (fraction * (1 + 0x1p-23)) * -way >= x - 1, "%d: %a of %a from %a", i,
			fraction, -way, x);
		cr_assert((double)hit.row.lower <= -1e-15 * length && (double)hit.row.upper >= 1e-15 * length, "%d: %a to %a",
			i, (double)hit.row.lower, (double)hit.row.upper);

		const wp_pose high = pose_at(x, gen_magnitude(&random, 1.5, 1e3), 0.25);
		const wp_pose end = pose_at(0.5, (double)high.position[1], 0.25);
		const answer miss = cast_b(&box, &at_origin, &point, &high, &end);
		const double gap = (double)high.position[1] - 1;
		expect_miss(&miss);
		cr_assert((double)miss.row.lower <= gap && gap <= (double)miss.row.upper && miss.row.iterations == 0,
			"%d: %a is not in %a to %a", i, gap, (double)miss.row.lower, (double)miss.row.upper);
		cr_assert((double)miss.row.upper - (double)miss.row.lower >= 1e-15 * length, "%d: %a to %a", i,
			(double)miss.row.lower, (double)miss.row.upper);
	}
}

/* ---- long ways ---------------------------------------------------------------------------------- */

/* From 0.75 beside a box of half extent 1, by -W along X, B half as large; it turns a little, or not. */
static answer cast_long_way(const wp_shape *a, const wp_shape *b, double y, double way, bool turns)
{
	const wp_pose from = pose_at(0x1.2p+1, y, 0.125);
	wp_pose to = from;
	to.position[0] -= (float)way;
	if (turns) {
		to.rotation[2] = 0.6f;
		to.rotation[3] = 0.8f;
	}
	return cast_b(a, &at_origin, b, &from, &to);
}

/* However long the way, the body is 0.75 from the box where it starts, and is there at 0.75 of the way's unit. */
Test(cast, long_ways_end_where_they_hit)
{
	const wp_shape box = wp_shape_box(1, 1, 1),
				   small[] = {wp_shape_box(0.5f, 0.5f, 0.5f), wp_shape_sphere(0.5f), wp_shape_cylinder(0.5f, 0.5f),
					   rounded(wp_shape_box(0.25f, 0.25f, 0.25f), 0.25f)};
	for (size_t i = 0; i < COUNT_OF(small); i++)
		for (int exponent = 3; exponent < 99; exponent++)
			for (int turns = 0; turns < 2; turns++) {
				const double way = ldexp(1, exponent);
				const answer hit = cast_long_way(&box, &small[i], 0.125, way, turns != 0);
				const answer past = cast_long_way(&box, &small[i], 1.875, way, turns != 0);
				cr_assert(hit.row.status & WP_STATUS_HIT && !(hit.row.status & WP_STATUS_WIDE_BRACKET) &&
							  fabs((double)hit.row.separation) <= 1e-5,
					"shape %zu, turns %d, way 2^%d: status %x, fraction %a", i, turns, exponent, hit.row.status,
					(double)hit.fraction);
				/* A turn that is not over where it hits makes it a little sooner. */
				const double gone = way * (double)hit.fraction, slack = 2e-5 + (turns ? 1 / way : 0);
				cr_assert(gone <= 0.75 + 1e-6 && gone >= 0.75 - slack, "shape %zu, turns %d, way 2^%d: %.9g, not 0.75",
					i, turns, exponent, gone);
				cr_assert(!(past.row.status & (WP_STATUS_HIT | WP_STATUS_INVALID | WP_STATUS_WIDE_BRACKET)) &&
							  past.fraction == 1,
					"shape %zu, turns %d, way 2^%d: status %x, fraction %a", i, turns, exponent, past.row.status,
					(double)past.fraction);
			}
}

/* A ground is hit there too; before, a gap of 0x1.4p+1 was none on ways beyond 1e15. */
Test(cast, long_ways_down_to_a_half_space)
{
	const wp_shape ground = wp_shape_half_space(), box = wp_shape_box(0.5f, 0.5f, 0.5f);
	for (int exponent = 3; exponent < 99; exponent++) {
		const wp_pose from = pose_at(0, 3, 0);
		wp_pose to = from;
		to.position[1] -= (float)ldexp(1, exponent);
		const answer hit = cast_b(&ground, &at_origin, &box, &from, &to);
		const double gone = ldexp((double)hit.fraction, exponent);
		cr_assert(hit.row.status & WP_STATUS_HIT && !(hit.row.status & WP_STATUS_WIDE_BRACKET) && gone <= 2.5 &&
					  gone >= 2.5 - 1e-5,
			"way 2^%d: status %x, gone %.9g", exponent, hit.row.status, gone);
	}
}

/* A gap that contacts prove is one for casts, too; at 6e-15 of how far the surface's position is it was once a touch. */
Test(cast, a_point_that_turns_just_above_a_far_half_space)
{
	static _Alignas(WP_ALIGNMENT) unsigned char hull_memory[1024];
	static const float twice[2][3];
	const wp_hull *hull;
	const wp_hull_input input = {.vertices = {twice[0]}, .vertex_count = 2};
	cr_assert_eq(wp_hull_build(&input, hull_memory, sizeof hull_memory, &hull, NULL), WP_OK);
	const wp_shape ground = wp_shape_half_space(), point = wp_shape_hull(hull);
	const wp_pose space = {{-0x1.b6526ep+19f, -0x1.a0f882p+16f, 0x1.857438p+15f},
		{0x1.d812fp-2f, 0x1.c017bcp-2f, 0x1.1e9e5p-2f, 0x1.705ea6p-1f}};
	const wp_pose from = {{0x1.5171dcp+1f, 0x1.2738cp+1f, 0x1.efdf92p-3f},
		{0x1.d812fp-2f, 0x1.c017bcp-2f, 0x1.1e9e5p-2f, 0x1.705ea6p-1f}};
	const wp_pose to = {{0x1.5171dcp+1f, 0x1.2738cp+1f, 0x1.efdf92p-3f},
		{-0x1.b3adecp-2f, 0x1.8ec73ep-3f, 0x1.897728p-1f, -0x1.beed26p-2f}};
	const answer r = cast_b(&ground, &space, &point, &from, &to);
	cr_assert(!(r.row.status & WP_STATUS_HIT) && r.fraction == 1 && r.row.separation > 0, "status %x, fraction %a, %a",
		r.row.status, (double)r.fraction, (double)r.row.separation);
}

/* A ground that turns about its own normal stands still: all that is above it sinks along a straight line, whose end rounding may
 * put below zero. That was once a touch where the cast began. */
Test(cast, smooth_shapes_sink_to_a_ground_that_turns_about_its_normal)
{
	const wp_shape ground = wp_shape_half_space();
	const wp_pose start = at_origin, end = {{0, 0, 0}, {0, 0x1.6a09e6p-1f, 0, 0x1.6a09e6p-1f}};
	const struct {
		wp_shape shape;
		float from, to, lowest;
	} falls[] = {{wp_shape_cylinder(0x1.f2a358p-1f, 0x1.8adb32p-1f), 0x1.aaa24ap+1f, -0x1.38d45ep+1f, 0x1.8adb32p-1f},
		{wp_shape_cone(0x1.ac265cp-1f, 0x1.8bfca2p-1f), 0x1.9b3ed4p+1f, -0x1.2d9168p+1f, 0x1.8bfca2p-1f},
		{wp_shape_ellipsoid(0x1.5c91f8p-1f, 0x1.0056e6p-2f, 0x1.f82f8ap-2f), 0x1.1c8c1cp+2f, -0x1.23f038p+1f,
			0x1.0056e6p-2f}};
	for (size_t i = 0; i < COUNT_OF(falls); i++) {
		const wp_pose from = pose_at(0, falls[i].from, 0), to = pose_at(0, falls[i].to, 0);
		const double way = (double)falls[i].from - (double)falls[i].to;
		const double expected = ((double)falls[i].from - (double)falls[i].lowest) / way;
		answer r;
		cr_assert_eq(wp_cast_pair(workspace_of(WP_VARIANT_AUTO), &falls[i].shape, &from, &ground, &start, &to, &end,
						 &r.row, &r.fraction),
			WP_OK);
		cr_assert(r.row.status & WP_STATUS_HIT && fabs((double)r.fraction - expected) < 1e-6 &&
					  fabs((double)r.row.separation) < 1e-5,
			"shape %zu: status %x, fraction %a, not %a, separation %a", i, r.row.status, (double)r.fraction, expected,
			(double)r.row.separation);
	}
}

/* From as far as doubles do not tell places of the shapes' size apart, a row says that it may be wrong; from nearer it does
 * not, and is right. */
Test(cast, approaches_from_too_far_say_so)
{
	const wp_shape box = wp_shape_box(1, 1, 1), small[] = {wp_shape_box(0.5f, 0.5f, 0.5f), wp_shape_sphere(0.5f)};
	for (size_t i = 0; i < COUNT_OF(small); i++)
		for (int exponent = 4; exponent < 99; exponent++)
			for (int turns = 0; turns < 2; turns++) {
				const double far = ldexp(1, exponent);
				const wp_pose from = pose_at(far, 0.25, 0.125);
				wp_pose to = pose_at(-far, 0.25, 0.125);
				to.rotation[2] = turns ? 0.6f : 0;
				to.rotation[3] = turns ? 0.8f : 1;
				const answer r = cast_b(&box, &at_origin, &small[i], &from, &to);
				const bool says = r.row.status & WP_STATUS_WIDE_BRACKET;
				cr_assert(
					says ? exponent > 30 : exponent < 34, "shape %zu, from 2^%d: status %x", i, exponent, r.row.status);
				cr_assert(says || (r.row.status & WP_STATUS_HIT && fabs((double)r.row.separation) <= 1e-5),
					"shape %zu, from 2^%d: status %x, separation %g", i, exponent, r.row.status,
					(double)r.row.separation);
			}
}

/* Bodies that go far side by side: what is between them is lost in where they are. */
Test(cast, long_ways_side_by_side_say_so)
{
	const wp_shape box = wp_shape_box(1, 1, 1);
	const wp_pose a = at_origin, b = pose_at(4, 0, 0);
	for (int exponent = 3; exponent < 99; exponent++) {
		wp_pose end_a = a, end_b = b;
		end_a.position[1] = end_b.position[1] = (float)ldexp(1, exponent);
		end_b.position[0] = 1;
		wp_row row;
		float fraction;
		cr_assert_eq(
			wp_cast_pair(workspace_of(WP_VARIANT_AUTO), &box, &a, &box, &b, &end_a, &end_b, &row, &fraction), WP_OK);
		const bool says = row.status & WP_STATUS_WIDE_BRACKET;
		cr_assert(says ? exponent > 30 : exponent < 34, "by 2^%d: status %x", exponent, row.status);
		cr_assert(says || (row.status & WP_STATUS_HIT && fabs((double)fraction - 2.0 / 3) < 1e-5),
			"by 2^%d: status %x, %g", exponent, row.status, (double)fraction);
	}
}

/* Far from the origin of the world doubles are too coarse for places on the way. A small box that falls to the ground there had a
 * gap at its fraction that its status did not mention. */
Test(cast, falls_far_from_the_origin_say_so)
{
	const float half = 0x1.0624dep-10f, still[4] = {0, 0, 0, 1};
	const wp_shape shapes[2] = {wp_shape_half_space(), wp_shape_box(half, half, half)};
	const wp_shape_table *table;
	const size_t size = wp_shape_table_size(2);
	cr_assert_eq(wp_shape_table_build(shapes, 2, block(size), size, &table, NULL), WP_OK);
	for (int exponent = 0; exponent < 50; exponent++)
		for (int i = 1; i < 100; i++) {
			const double far = ldexp(1, exponent), ground[3] = {0, far, 0}, start[3] = {0, far + 1, 0};
			const wp_motions motion = {.translation.data = (float[]){0, -1.5f - (float)i / 128, 0}};
			const wp_pair pair = {.shapes = table,
				.shape_a = 0,
				.shape_b = 1,
				.position_a = ground,
				.rotation_a = still,
				.position_b = start,
				.rotation_b = still,
				.position_real = WP_REAL_DOUBLE};
			wp_row row;
			float fraction;
			cr_assert_eq(wp_cast_prepared(workspace_of(WP_VARIANT_AUTO), &pair, NULL, &motion, &row, &fraction), WP_OK);
			const bool says = row.status & WP_STATUS_WIDE_BRACKET;
			cr_assert(row.status & WP_STATUS_HIT, "at 2^%d: status %x", exponent, row.status);
			cr_assert(says ? exponent > 20 : fabs((double)row.separation) <= 6e-6 * (double)half,
				"at 2^%d, by %d: status %x, separation %a", exponent, i, row.status, (double)row.separation);
		}
}

/* Rays so long that rounding leaves no point on the surface: the first gave a normal that was no number. */
Test(cast, rays_too_long_for_closed_forms)
{
	const wp_shape ball = wp_shape_sphere(0x1.7p+2f), rod = wp_shape_capsule(0x1p-60f, 0x1p+10f),
				   point = wp_shape_point();
	const struct {
		wp_shape shape, probe;
		float from[3], to[3];
	} cases[] = {
		{ball, ball, {0x0p+0f, 0x1.7cp+2f, -0x1.e7c5c4p+70f}, {0x1.c5c5c4p+70f, 0x1.cp+2f, 0x1.cp+2f}},
		{ball, ball, {0x1.c5c5c4p+70f, 0x1.7cp+2f, -0x1.e7c5c4p+70f}, {-0x1.c5c5c4p+70f, -0x1.7cp+2f, 0x1.e7c5c4p+70f}},
		{rod, point, {0x1.23456p+12f, 0x1.8p+3f, 0x1.fedcbap+11f}, {-0x1.23456p+12f, 0x1.8p+3f, -0x1.fedcbap+11f}},
		{wp_shape_ellipsoid(1, 2, 3), point, {0x1.23456p+62f, 0, 0x1.fedcbap+61f},
			{-0x1.23456p+62f, 0, -0x1.fedcbap+61f}},
		{wp_shape_cylinder(1, 2), point, {0x1.23456p+62f, 0, 0x1.fedcbap+61f}, {-0x1.23456p+62f, 0, -0x1.fedcbap+61f}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const wp_pose from = pose_at((double)cases[i].from[0], (double)cases[i].from[1], (double)cases[i].from[2]);
		const wp_pose to = pose_at((double)cases[i].to[0], (double)cases[i].to[1], (double)cases[i].to[2]);
		const answer r = cast_b(&cases[i].shape, &at_origin, &cases[i].probe, &from, &to);
		const v3 normal = v3_of_floats(r.row.normal);
		cr_assert(fabs(v3_length(normal) - 1) < 1e-6, "case %zu: a normal of length %g", i, v3_length(normal));
		cr_assert(r.row.lower <= r.row.separation && r.row.separation <= r.row.upper, "case %zu", i);
		for (int k = 0; k < 3; k++)
			cr_assert(isfinite(r.row.point_a[k]) && isfinite(r.row.point_b[k]), "case %zu: points", i);
	}
}

/* Through the plane of a shape that may be thinner than places on the way are rounded, from above or below: within its rim the shape
 * is met there, beside it it is not. A cone of a height of 2^-132 was met a twentieth of its radius beside its base. */
Test(cast, rays_at_flat_shapes)
{
	const wp_shape point = wp_shape_point();
	gen_random random;
	gen_seed(&random, 20);
	for (int i = 0; i < rounds(20000); i++) {
		const float half = (float)ldexp(1, -10 - (int)gen_below(&random, 125));
		const wp_shape flat[] = {wp_shape_cone(1, half), wp_shape_cylinder(1, half), wp_shape_ellipsoid(1, half, 1)};
		const wp_shape *const shape = &flat[gen_below(&random, 3)];
		wp_pose pose = pose_at(gen_range(&random, -9, 9), gen_range(&random, -9, 9), gen_range(&random, -9, 9));
		gen_rotation(&random, pose.rotation);

		/* A place in the plane off the rim by more than the height and rounding take. */
		const bool is_within = gen_below(&random, 2);
		const double off = gen_magnitude(&random, 0.02, 0.5), far = is_within ? 1 - off : 1 + off;
		const double angle = gen_range(&random, 0, 6.28), reach = gen_magnitude(&random, 2, 200);
		const double side = gen_below(&random, 2) ? 1 : -1;
		const v3 place = v3_of(far * cos(angle), 0, far * sin(angle));
		const v3 out = v3_scale(v3_of(gen_range(&random, -1, 1), side, gen_range(&random, -1, 1)), reach);
		const m3 turn = m3_of_quaternion(pose.rotation);
		const v3 at = v3_add(v3_of_floats(pose.position), m3_apply(turn, place)), way = m3_apply(turn, out);
		const wp_pose from = pose_at(at.x + way.x, at.y + way.y, at.z + way.z);
		const wp_pose to = pose_at(at.x - way.x, at.y - way.y, at.z - way.z);

		const answer r = cast_b(shape, &pose, &point, &from, &to);
		cr_assert_eq((r.row.status & WP_STATUS_HIT) != 0, is_within,
			"%d: status %x, kind %d, half %a, %g of the radius", i, r.row.status, (int)shape->kind, (double)half, far);
		if (!is_within)
			continue;
		const double towards = v3_dot(v3_of_floats(r.row.normal), v3_scale(turn.y, side));
		cr_assert(fabs((double)r.fraction - 0.5) < 1e-5 + (double)half, "%d: fraction %.9g", i, (double)r.fraction);
		cr_assert(towards > 0.99, "%d: normal %g, kind %d, half %a", i, towards, (int)shape->kind, (double)half);
	}
}

/* Across the axis of a shape that may be thinner than places on the way are rounded: if rounding lets it be met at all, it is met
 * where the axis is, on the side that the ray comes from. A cone of a radius of 2^-31 was missed, one of 2^-58 had a normal upwards,
 * a cylinder of 2^-72 the far side's. */
Test(cast, rays_at_needles)
{
	const wp_shape point = wp_shape_point();
	gen_random random;
	gen_seed(&random, 21);
	for (int i = 0; i < rounds(20000); i++) {
		const float radius = (float)ldexp(gen_range(&random, 1, 2), -10 - (int)gen_below(&random, 100));
		const float half = (float)gen_range(&random, 0.5, 2);
		const wp_shape thin[] = {wp_shape_cone(radius, half), wp_shape_cylinder(radius, half),
			wp_shape_ellipsoid(radius, half, radius), wp_shape_capsule(radius, half)};
		const wp_shape *const shape = &thin[gen_below(&random, 4)];
		const double x = gen_range(&random, -9, 9), side = gen_below(&random, 2) ? 1 : -1;
		const wp_pose pose = pose_at(x, gen_range(&random, -9, 9), gen_range(&random, -9, 9));
		const double y = (double)pose.position[1] + (double)half * gen_range(&random, -0.9, 0.9);
		const double reach = side * gen_magnitude(&random, 1, 200), lean = reach * gen_range(&random, -1, 1);
		const wp_pose from = pose_at(x, y + lean, (double)pose.position[2] + reach);
		const wp_pose to = pose_at(x, y - lean, (double)pose.position[2] - reach);

		const answer r = cast_b(shape, &pose, &point, &from, &to);
		const double towards = side * (double)r.row.normal[2];
		if (!(r.row.status & WP_STATUS_HIT)) {
			cr_assert(radius < 0x1p-38f, "%d: status %x, kind %d, radius %a", i, r.row.status, (int)shape->kind,
				(double)radius);
			continue;
		}
		cr_assert(fabs((double)r.fraction - 0.5) < 1e-5 + (double)radius, "%d: fraction %.9g", i, (double)r.fraction);
		/* Cylinders that thin may have a normal across the way. */
		const bool is_across = shape->kind == WP_SHAPE_CYLINDER && radius < 0x1p-50f;
		cr_assert(towards > (is_across ? -1e-6 : 0.99), "%d: normal %g, kind %d, radius %a", i, towards,
			(int)shape->kind, (double)radius);
	}
}

/* In the plane of a flat shape, beside its rim: what is said of the distance is proven, or there is no word of it. A cone as flat as
 * 2^-45 had a bound below 0 for a proof. */
Test(cast, rays_beside_flat_shapes)
{
	const wp_shape point = wp_shape_point();
	gen_random random;
	gen_seed(&random, 22);
	for (int i = 0; i < rounds(20000); i++) {
		const float half = (float)ldexp(gen_range(&random, 1, 2), -10 - (int)gen_below(&random, 100));
		const wp_shape flat[] = {wp_shape_cone(1, half), wp_shape_cylinder(1, half), wp_shape_ellipsoid(1, half, 1)};
		const wp_shape *const shape = &flat[gen_below(&random, 3)];
		const double y = gen_below(&random, 2) ? 0 : gen_range(&random, -9, 9);
		const wp_pose pose = pose_at(gen_range(&random, -9, 9), y, gen_range(&random, -9, 9));
		const double up = y + (double)half * gen_range(&random, -1.5, 1.5), far = 1 + gen_magnitude(&random, 0.01, 2);
		const double angle = gen_range(&random, 0, 6.28), before = gen_magnitude(&random, 0.1, 50);
		const double after = gen_magnitude(&random, 0.1, 50), c = cos(angle), s = sin(angle);
		const double px = (double)pose.position[0] + far * c, pz = (double)pose.position[2] + far * s;
		const wp_pose from = pose_at(px - before * s, up, pz + before * c),
					  to = pose_at(px + after * s, up, pz - after * c);

		const answer r = cast_b(shape, &pose, &point, &from, &to);
		expect_miss(&r);
		if (r.row.status & WP_STATUS_BEYOND)
			cr_assert(r.row.lower > 0 && r.row.status & WP_STATUS_SEPARATED,
				"%d: status %x, lower %g, kind %d, half %a", i, r.row.status, (double)r.row.lower, (int)shape->kind,
				(double)half);
	}
}

/* Through flat octahedrons, whose faces are so near to each other that a ray may seem to enter by one that it does not cross. */
Test(cast, rays_at_flat_hulls)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	static const uint32_t sizes[8] = {3, 3, 3, 3, 3, 3, 3, 3};
	static const uint32_t corners[8][3] = {
		{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
	const wp_shape point = wp_shape_point();
	gen_random random;
	gen_seed(&random, 23);
	for (int i = 0; i < rounds(20000); i++) {
		const float thin = (float)ldexp(gen_range(&random, 1, 2), -10 - (int)gen_below(&random, 70));
		const float vertices[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, thin}, {0, 0, -thin}};
		const wp_hull_input input = {.vertices = {vertices[0]},
			.vertex_count = 6,
			.face_sizes = sizes,
			.face_indices = corners[0],
			.face_count = 8};
		const wp_hull *hull;
		cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_OK);
		const wp_shape shape = wp_shape_hull(hull);
		wp_pose pose = pose_at(gen_range(&random, -2, 2), gen_range(&random, -2, 2), gen_range(&random, -2, 2));
		if (gen_below(&random, 2))
			gen_rotation(&random, pose.rotation);

		/* A place within the square, as far from its sides as rounding of a long way takes. */
		const double x = gen_range(&random, -0.9, 0.9), left = 0.9 - fabs(x), y = gen_range(&random, -left, left);
		const double side = gen_below(&random, 2) ? 1 : -1, reach = gen_magnitude(&random, 0.5, 200);
		const v3 out = v3_scale(v3_of(gen_range(&random, -1, 1), gen_range(&random, -1, 1), side), reach);
		const m3 turn = m3_of_quaternion(pose.rotation);
		const v3 at = v3_add(v3_of_floats(pose.position), m3_apply(turn, v3_of(x, y, 0))), way = m3_apply(turn, out);
		const wp_pose from = pose_at(at.x + way.x, at.y + way.y, at.z + way.z);
		const wp_pose to = pose_at(at.x - way.x, at.y - way.y, at.z - way.z);

		const answer r = cast_b(&shape, &pose, &point, &from, &to);
		cr_assert(r.row.status & WP_STATUS_HIT, "%d: status %x, half %a", i, r.row.status, (double)thin);
		cr_assert(fabs((double)r.fraction - 0.5) < 1e-5 + (double)thin, "%d: fraction %.9g", i, (double)r.fraction);
		const double towards = v3_dot(v3_of_floats(r.row.normal), v3_scale(turn.z, side));
		cr_assert(towards > 0.99, "%d: normal %g, half %a", i, towards, (double)thin);
	}
}

/* A body at a fraction of its way: its axes and its origin. */
static m3 axes_at(const wp_pose *from, const wp_pose *to, double fraction, v3 *origin)
{
	double blend[4];
	float q[4];
	quaternion_between(from->rotation, to->rotation, fraction, blend);
	for (int k = 0; k < 4; k++)
		q[k] = (float)blend[k];
	const v3 start = v3_of_floats(from->position), end = v3_of_floats(to->position);
	*origin = v3_add(v3_scale(start, 1 - fraction), v3_scale(end, fraction));
	return m3_of_quaternion(q);
}

/* Where a body has a place of its own at a fraction of its way. */
static v3 place_at(const wp_pose *from, const wp_pose *to, double fraction, v3 local)
{
	v3 origin;
	const m3 axes = axes_at(from, to, fraction, &origin);
	return v3_add(origin, m3_apply(axes, local));
}

/* A point that meets a shape without thickness while that turns has the normal of the side that it comes from; either side is a
 * contact's. */
Test(cast, points_at_flat_shapes_that_turn)
{
	static const float corner[3][3] = {{-1, 0, -1}, {2, 0, -1}, {-1, 0, 2}};
	const wp_shape flat[] = {wp_shape_cylinder(1, 0x1p-40f), wp_shape_ellipsoid(1, 0x1p-30f, 1),
		wp_shape_box(1, 0x1p-22f, 1), wp_shape_triangle(corner[0], corner[1], corner[2])};
	const wp_shape point = wp_shape_point();
	gen_random random;
	gen_seed(&random, 24);
	int hits = 0;
	for (int i = 0; i < rounds(20000); i++) {
		const wp_shape *const shape = &flat[gen_below(&random, 4)];
		wp_pose a = pose_at(gen_range(&random, -2, 2), gen_range(&random, -2, 2), gen_range(&random, -2, 2)), end_a = a;
		gen_rotation(&random, a.rotation);
		gen_rotation(&random, end_a.rotation);
		const wp_pose b = pose_at(gen_range(&random, -3, 3), gen_range(&random, -3, 3), gen_range(&random, -3, 3));
		const wp_pose end_b = pose_at((double)a.position[0] + gen_range(&random, -0.5, 0.5),
			(double)a.position[1] + gen_range(&random, -0.5, 0.5),
			(double)a.position[2] + gen_range(&random, -0.5, 0.5));
		const bool is_b = gen_below(&random, 2);
		answer r;
		cr_assert_eq(
			wp_cast_pair(workspace_of(WP_VARIANT_AUTO), is_b ? &point : shape, is_b ? &b : &a, is_b ? shape : &point,
				is_b ? &a : &b, is_b ? &end_b : &end_a, is_b ? &end_a : &end_b, &r.row, &r.fraction),
			WP_OK);
		if (!(r.row.status & WP_STATUS_HIT) || !(r.fraction > 0.01f && r.fraction < 0.99f))
			continue;
		const double f = (double)r.fraction, step = 1e-3;
		v3 origin;
		const m3 axes = axes_at(&a, &end_a, f, &origin);
		const v3 local = m3_apply_inverse(axes, v3_sub(v3_of_floats(is_b ? r.row.point_b : r.row.point_a), origin));
		const v3 nowhere = v3_of(0, 0, 0);
		const v3 before = v3_sub(place_at(&b, &end_b, f - step, nowhere), place_at(&a, &end_a, f - step, local));
		const v3 after = v3_sub(place_at(&b, &end_b, f + step, nowhere), place_at(&a, &end_a, f + step, local));
		const v3 way = v3_unit(v3_sub(after, before));
		const double towards = v3_dot(v3_of_floats(r.row.normal), way) * (is_b ? -1 : 1);
		cr_assert(towards < 0.01, "%d: the normal has %g of the way, kind %d", i, towards, (int)shape->kind);
		hits++;
	}
	cr_assert(hits > rounds(20000) / 20, "%d hits", hits);
}

/* A rod turned a quarter about its middle, beside a wall that its end would strike on the way. */
Test(cast, turning_rod)
{
	const wp_shape rod = wp_shape_capsule(0.125f, 2), wall = wp_shape_box(0.5f, 10, 10);
	const wp_pose beside = pose_at(-2, 0, 0), from = at_origin;
	const float half = sqrtf(0.5f);
	const wp_pose to = {{0, 0, 0}, {0, 0, half, half}};
	float fraction;
	wp_row row;
	cr_assert_eq(
		wp_cast_pair(workspace_of(WP_VARIANT_AUTO), &rod, &from, &wall, &beside, &to, NULL, &row, &fraction), WP_OK);
	/* Its end reaches x = -1.5 where 2 sin(angle) + 1/8 does; the blend's angle follows from its tangent. */
	const double angle = asin(1.375 / 2) / 2, phi = acos(-1) / 4;
	const double blend = sin(angle) / (sin(angle) + sin(phi - angle));
	cr_assert(row.status & WP_STATUS_HIT, "status %x", row.status);
	cr_assert(fabs((double)fraction - blend) < 1e-4, "fraction %g, not %g", (double)fraction, blend);
	cr_assert(row.normal[0] < -0.999f);
}

/* Quaternions of lengths that differ turn faster than the mean where they are short: a rod beside a wall. */
Test(cast, turning_faster_at_the_start)
{
	const wp_shape rod = wp_shape_capsule(0.0078125f, 1), wall = wp_shape_box(0.5f, 10, 10);
	const wp_pose beside = pose_at(-0.5 - 0.0078125 - 0.046875, 0, 0), from = {{0, 0, 0}, {0, 0, 0, 0.990625f}};
	const wp_pose to = {{0, 0, 0}, {0, 0, 0x1.9p-5f, 1.00859375f}};
	float fraction;
	wp_row row;
	cr_assert_eq(
		wp_cast_pair(workspace_of(WP_VARIANT_AUTO), &rod, &from, &wall, &beside, &to, NULL, &row, &fraction), WP_OK);
	/* Its upper end is at x = -sin(angle), the wall at -3/64. */
	const double tangent = tan(asin(0.046875) / 2), w = (double)from.rotation[3], z1 = (double)to.rotation[2],
				 w1 = (double)to.rotation[3];
	const double touch = w * tangent / (z1 + tangent * (w - w1));
	cr_assert(row.status & WP_STATUS_HIT && !(row.status & WP_STATUS_PENETRATING), "status %x", row.status);
	cr_assert(fabs((double)fraction - touch) < 1e-5 && (double)fraction <= touch, "fraction %.9g, not %.9g",
		(double)fraction, touch);
}

/* The fraction at which a rod along Y, turned about Z from p to q, two lengths and an angle, has turned by `angle`. */
static double fraction_of_turn(double length_p, double length_q, double turn, double angle)
{
	const double tangent = tan(angle / 2), s = length_q * sin(turn / 2), c = length_q * cos(turn / 2);
	return tangent * length_p / (s - tangent * (c - length_p));
}

/* Quaternions are blended as given, the shorter way round: a rod meets a point a third of a half turn away. */
Test(cast, blends_quaternions_as_given)
{
	const double pi = acos(-1), radius = 0.0078125, reach = 0.5, before = asin(radius / reach), third = pi / 3;
	const wp_shape rod = wp_shape_capsule((float)radius, 1), point = wp_shape_point();
	const wp_pose there = pose_at(-reach * sin(third), reach * cos(third), 0);
	const struct {
		double length_p, length_q, turn, angle;
		float sign;
	} turns[] = {
		{1, 1, 5 * pi / 9, third - before, 1},
		{1, 1, 5 * pi / 9, third - before, -1},
		{1.009, 0.991, 5 * pi / 9, third - before, 1},
		{0.991, 1.009, 5 * pi / 9, third - before, -1},
		/* Of half a turn the sign decides the way; the other end of the rod comes round the other way. */
		{1, 1, pi, third - before, 1},
		{1, 1, pi, 2 * third - before, -1},
	};
	for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
		const double half = turns[i].turn / 2, length = (double)turns[i].sign * turns[i].length_q;
		const float w = turns[i].turn == pi ? 0 : (float)(length * cos(half));
		const wp_pose from = {.rotation = {0, 0, 0, (float)turns[i].length_p}},
					  to = {.rotation = {0, 0, (float)(length * sin(half)), w}};
		const double touch = fraction_of_turn(turns[i].length_p, turns[i].length_q, turns[i].turn, turns[i].angle);
		const answer r = cast_b(&point, &there, &rod, &from, &to);
		cr_assert(r.row.status & WP_STATUS_HIT, "turn %zu: status %x", i, r.row.status);
		cr_assert(
			fabs((double)r.fraction - touch) < 1e-5, "turn %zu: fraction %.9g, not %.9g", i, (double)r.fraction, touch);
	}
	/* What lengths shift: near the 0.005 of the cast that a length 1 % off may make. */
	const double even = fraction_of_turn(1, 1, turns[2].turn, turns[2].angle);
	cr_assert(fabs(fraction_of_turn(1.009, 0.991, turns[2].turn, turns[2].angle) - even) > 0.004);
}

/* Boxes that pass each other at a gap that is small beside the way alone, a 30 000th of their size: no hit. */
Test(cast, passing_fast_and_near)
{
	const wp_shape a = wp_shape_box(0x1.4p+1f, 0x1.8p+0f, 0x1.8p-1f), b = wp_shape_box(0x1p-2f, 0x1.4p+1f, 0x1.4p+0f);
	const wp_pose at_a = pose_at(0x1.4p+0, 0x1.ap+3, 0x1.b8p+3);
	const wp_pose from = {{-0x1.2910f2p+9f, 0x1.231e2ep+9f, -0x1.2b4a7cp+9f}, {0, 0, 0, 1}};
	const float way[3] = {0x1.85f5c2p+9f, -0x1.70833cp+9f, 0x1.8de9e2p+9f};
	wp_pose to = from;
	for (int i = 0; i < 3; i++)
		to.position[i] += way[i];
	const answer r = cast_b(&a, &at_a, &b, &from, &to);
	expect_miss(&r);
}

/* Two ellipsoids that turn into each other at a flat angle: corners of the box around one are beyond the other's support
 * plane from the start, which once let the cast go on through the touch to a depth of 1e-4. */
Test(cast, ellipsoids_that_turn_and_graze)
{
	const wp_shape shape = wp_shape_ellipsoid(0x1.d49fccp-1f, 0x1.7638dep-1f, 0x1.9c3702p-3f);
	const wp_pose at_a = {{0x1.2ef1p-1f, -0x1.30c314p+1f, -0x1.fc129p+1f}, {0, 0, 0x1.6a09e6p-1f, 0x1.6a09e6p-1f}};
	const wp_pose from = {{0x1.147378p+0f, -0x1.3ef588p+1f, -0x1.c88bbp+1f}, {0, 0, 0x1.6a09e6p-1f, 0x1.6a09e6p-1f}};
	const wp_pose to = {{from.position[0] - 0x1.1db4d4p+1f, from.position[1] + 0x1.03a33p-1f, from.position[2]},
		{0x1.ffd7dp-7f, 0x1.d620e6p-7f, 0x1.70623p-1f, 0x1.636a2cp-1f}};
	const answer r = cast_b(&shape, &at_a, &shape, &from, &to);
	cr_assert(r.row.status & WP_STATUS_HIT, "status %x", r.row.status);
	/* The oracle of casts has them touch first at 0.2140662, and 1e-5 of the size deep at 0.2147. */
	cr_assert(fabs((double)r.fraction - 0.2140662) < 1e-4, "fraction %.9g", (double)r.fraction);
	cr_assert(fabs((double)r.row.separation) < 1e-5, "separation %.9g", (double)r.row.separation);
}

/* ---- random ------------------------------------------------------------------------------------- */

typedef struct scene {
	gen_corpus corpus;
	void *table_memory;
	const wp_shape_table *table;
	float way[2 * PAIRS][3], turn[2 * PAIRS][4];
	uint32_t pairs[PAIRS][2];
	wp_row rows[2][PAIRS];
	float fractions[2][PAIRS];
	float local[2][PAIRS][3]; /* of A and of B */
} scene;

/* Ways of up to some sizes, half of them towards the other body. */
static scene *make_scene_of(uint64_t seed, bool rays)
{
	scene *const s = calloc(1, sizeof *s);
	const gen_options options = {
		.seed = seed, .vertex_max = 24, .smooth = rays ? GEN_SMOOTH_HALF : GEN_SMOOTH_NONE, .half_spaces = false};
	gen_random random;
	gen_seed(&random, seed);
	cr_assert(s != NULL && gen_corpus_make(&options, 0, PAIRS, &s->corpus));
	/* Points, and balls of all sizes, on either side. */
	for (size_t i = 0; i < PAIRS && rays; i++)
		s->corpus.shapes[2 * i + (i & 1)] = i & 2 ? wp_shape_point()
		                                          : wp_shape_sphere((float)gen_magnitude(&random, 1e-3, 2));
	const size_t size = wp_shape_table_size(2 * PAIRS);
	s->table_memory = block(size);
	cr_assert_eq(wp_shape_table_build(s->corpus.shapes, 2 * PAIRS, s->table_memory, size, &s->table, NULL), WP_OK);
	for (uint32_t i = 0; i < PAIRS; i++) {
		for (uint32_t side = 0; side < 2; side++) {
			const uint32_t body = 2 * i + side;
			const double length = (double)wp_shape_table_bound(s->table, 2 * i) +
			                      (double)wp_shape_table_bound(s->table, 2 * i + 1);
			const v3 away = gen_direction(&random);
			const double reach = length * gen_range(&random, 0, 3), direction[3] = {away.x, away.y, away.z};
			for (int k = 0; k < 3; k++) {
				const double across = (double)s->corpus.poses[body ^ 1].position[k] -
				                      (double)s->corpus.poses[body].position[k];
				s->way[body][k] = (float)(reach * direction[k] * 0.3 + (i % 2 ? across : 0));
				if (side == 1)
					s->corpus.poses[body].position[k] += (float)(1.5 * length * direction[k] * (i % 3));
			}
			gen_rotation(&random, s->turn[body]);
			s->pairs[i][side] = body;
		}
	}
	return s;
}

static scene *make_scene(uint64_t seed) { return make_scene_of(seed, false); }

static void free_scene(scene *s)
{
	gen_corpus_free(&s->corpus);
	free(s->table_memory);
	free(s);
}

static wp_batch batch_of(const scene *s, size_t first, size_t count)
{
	return (wp_batch){.shapes = s->table,
		.a = {.position = {s->corpus.poses[0].position, sizeof(wp_pose)},
			.rotation = {s->corpus.poses[0].rotation, sizeof(wp_pose)},
			.count = 2 * PAIRS},
		.pair_a = {&s->pairs[0][0], sizeof s->pairs[0]},
		.pair_b = {&s->pairs[0][1], sizeof s->pairs[0]},
		.first = first,
		.count = count};
}

static void cast_rows(scene *s, wp_variant variant, bool turning, size_t chunk, int set)
{
	const wp_motions motions = {.translation = {s->way[0]}, .rotation = {turning ? s->turn[0] : NULL}};
	wp_results results = wp_results_of_rows(s->rows[set]);
	const wp_float_column fraction = {s->fractions[set], 0};
	results.local_a.data = s->local[0][0];
	results.local_b.data = s->local[1][0];
	for (size_t first = 0; first < PAIRS; first += chunk) {
		const wp_batch batch = batch_of(s, first, PAIRS - first < chunk ? PAIRS - first : chunk);
		cr_assert_eq(wp_cast(workspace_of(variant), &batch, &motions, NULL, &results, &fraction, NULL), WP_OK);
	}
}

/* The contact of a pair at a fraction, as exactly as floats and doubles place it. */
static wp_row contact_at(const scene *s, size_t i, double fraction, bool turning)
{
	double position[2][3];
	float rotation[2][4];
	for (size_t side = 0; side < 2; side++) {
		const size_t body = 2 * i + side;
		const float *const q = s->corpus.poses[body].rotation, *const to = s->turn[body];
		double blend[4];
		quaternion_between(q, to, fraction, blend);
		for (int k = 0; k < 4; k++)
			rotation[side][k] = turning ? (float)blend[k] : q[k];
		for (int k = 0; k < 3; k++)
			position[side][k] = (double)s->corpus.poses[body].position[k] + fraction * (double)s->way[body][k];
	}
	const uint32_t shapes[2] = {(uint32_t)(2 * i), (uint32_t)(2 * i + 1)}, zero = 0, one = 1;
	const wp_batch batch = {.shapes = s->table,
		.a = {.position = {position},
			.rotation = {rotation[0]},
			.shape = {shapes},
			.count = 2,
			.position_real = WP_REAL_DOUBLE},
		.pair_a = {&zero},
		.pair_b = {&one},
		.count = 1};
	wp_row row;
	const wp_results results = wp_results_of_rows(&row);
	cr_assert_eq(wp_contact(workspace_of(WP_VARIANT_AUTO), &batch, &(wp_contact_options){.max_separation = INFINITY},
					 &results, NULL),
		WP_OK);
	return row;
}

/* What places between may be off by: rounding of positions along the way, and of turned shapes. */
static double allowed_at(const scene *s, size_t i, const wp_row *row, bool turning)
{
	const double a = (double)wp_shape_table_bound(s->table, (uint32_t)(2 * i)),
				 b = (double)wp_shape_table_bound(s->table, (uint32_t)(2 * i + 1));
	return (turning ? 6e-6 : 4e-6) * (fmax(a, b) + fabs((double)row->separation)) + 1e-40;
}

static void check_pair(const scene *s, size_t i, bool turning, uint32_t *hits, uint32_t *misses)
{
	const wp_row *const row = &s->rows[0][i];
	const double f = (double)s->fractions[0][i];
	cr_assert(
		!(row->status & WP_STATUS_INVALID) && f >= 0 && f <= 1, "pair %zu: status %x, fraction %g", i, row->status, f);
	const bool hit = row->status & WP_STATUS_HIT;
	*hits += hit && f > 0;
	*misses += !hit;
	for (int k = 0; k < 40 && f > 0; k++) {
		const double place = hit ? f * k / 40 : k / 39.0;
		const wp_row before = contact_at(s, i, place, turning);
		cr_assert((double)before.upper > -allowed_at(s, i, &before, turning),
			"pair %zu overlaps by %g at %g, before %g (hit %d)", i, -(double)before.upper, place, f, hit);
	}
	if (!hit || f == 0 || row->status & WP_STATUS_ITERATION_CAP)
		return;
	/* It touches there: closer than what a ten-thousandth of the cast closes. */
	double way2 = 0;
	for (int k = 0; k < 3; k++) {
		const double way = (double)s->way[2 * i + 1][k] - (double)s->way[2 * i][k];
		way2 += way * way;
	}
	const double bounds = (double)wp_shape_table_bound(s->table, (uint32_t)(2 * i)) +
	                      (double)wp_shape_table_bound(s->table, (uint32_t)(2 * i + 1));
	const double closing = sqrt(way2) + (turning ? 4 * bounds : 0);
	cr_assert((double)row->separation <= 1e-5 * closing + allowed_at(s, i, row, turning),
		"pair %zu: a gap of %g at the hit, closing %g a cast", i, (double)row->separation, closing);
}

static void check_random(bool turning)
{
	for (uint64_t seed = 81; seed < 84; seed++) {
		scene *const s = make_scene(seed);
		uint32_t hits = 0, misses = 0;
		cast_rows(s, WP_VARIANT_AUTO, turning, PAIRS, 0);
		for (size_t i = 0; i < PAIRS; i++)
			check_pair(s, i, turning, &hits, &misses);
		cr_assert(hits > PAIRS / 20 && misses > PAIRS / 20, "%u hits on the way, %u misses", hits, misses);
		free_scene(s);
	}
}

/* The outputs of a ray where it ends: the contact there, or at least how far it is apart. */
static void check_end(const scene *s, size_t i)
{
	const wp_row *const row = &s->rows[0][i];
	const wp_row truth = contact_at(s, i, (double)s->fractions[0][i], false);
	/* Misses describe the last place that was examined, which may be another. */
	if (!(row->status & (WP_STATUS_HIT | WP_STATUS_BEYOND)))
		return;
	double way2 = 0, apart = 0;
	for (int k = 0; k < 3; k++) {
		const double way = (double)s->way[2 * i + 1][k] - (double)s->way[2 * i][k];
		way2 += way * way;
		apart += (double)row->normal[k] * ((double)row->point_b[k] - (double)row->point_a[k]);
	}
	/* Fractions are rounded down to floats. */
	const double far = fabs((double)s->corpus.poses[2 * i].position[0]) +
	                   fabs((double)s->corpus.poses[2 * i].position[1]) +
	                   fabs((double)s->corpus.poses[2 * i].position[2]);
	const double allowed = 2 * allowed_at(s, i, &truth, false) + 1.2e-7 * sqrt(way2) + 1e-6 * far;
	cr_assert((double)row->lower <= (double)truth.upper + allowed, "ray %zu: %g is not above %g", i, (double)row->lower,
		(double)truth.upper);
	if (row->status & WP_STATUS_BEYOND) {
		cr_assert(row->separation == row->lower && row->lower > 0 && !(row->status & WP_STATUS_HIT), "ray %zu", i);
		return;
	}
	cr_assert(fabs((double)row->separation - (double)truth.separation) <= allowed, "ray %zu: %g, not %g", i,
		(double)row->separation, (double)truth.separation);
	cr_assert(row->lower <= row->separation && row->separation <= row->upper, "ray %zu", i);
	for (size_t side = 0; side < 2; side++) {
		const size_t body = 2 * i + side;
		const m3 turn = m3_of_quaternion(s->corpus.poses[body].rotation);
		const v3 at = v3_add(v3_of_floats(s->corpus.poses[body].position),
			v3_scale(v3_of_floats(s->way[body]), (double)s->fractions[0][i]));
		const v3 point = v3_add(at, m3_apply(turn, v3_of_floats(s->local[side][i])));
		const v3 off = v3_sub(point, v3_of_floats(side == 0 ? row->point_a : row->point_b));
		cr_assert(v3_length(off) <= allowed, "ray %zu: the local point of side %zu is %g off", i, side, v3_length(off));
	}
	cr_assert(fabs(apart - (double)row->separation) <= allowed, "ray %zu: points %g apart, not %g", i, apart,
		(double)row->separation);
}

Test(cast, random_rays)
{
	for (uint64_t seed = 91; seed < 95; seed++) {
		scene *const s = make_scene_of(seed, true);
		uint32_t hits = 0, misses = 0;
		cast_rows(s, WP_VARIANT_AUTO, false, PAIRS, 0);
		for (size_t i = 0; i < PAIRS; i++) {
			check_pair(s, i, false, &hits, &misses);
			check_end(s, i);
		}
		cr_assert(hits > PAIRS / 20 && misses > PAIRS / 20, "%u hits on the way, %u misses", hits, misses);
		free_scene(s);
	}
}

Test(cast, random_ways) { check_random(false); }
Test(cast, random_turns) { check_random(true); }

/* The bits depend on the pair alone: not on variant, range, or being a batch. */
static void check_bits(scene *s, bool turning)
{
	cast_rows(s, WP_VARIANT_SCALAR, turning, PAIRS, 0);
	for (uint32_t v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		for (size_t chunk = 17; chunk <= PAIRS; chunk += PAIRS - 17) {
			cast_rows(s, (wp_variant)v, turning, chunk, 1);
			const char *const name = wp_variant_name((wp_variant)v);
			cr_assert_eq(memcmp(s->rows[0], s->rows[1], sizeof s->rows[0]), 0, "%s", name);
			cr_assert_eq(memcmp(s->fractions[0], s->fractions[1], sizeof s->fractions[0]), 0, "%s", name);
		}
	}
}

Test(cast, same_bits_however_it_is_asked)
{
	scene *const s = make_scene(85);
	check_bits(s, false);
	check_bits(s, true);
	free_scene(s);
}

/* A ray as a batch of one, and by itself. */
static void check_ray_alone(const scene *s, uint32_t i, wp_variant variant)
{
	const wp_pose *const start = &s->corpus.poses[2 * i];
	float fraction, of_batch;
	const uint32_t shapes[2] = {2 * i, 2 * i + 1}, zero = 0, one = 1;
	const wp_batch batch = {.shapes = s->table,
		.a = {.position = {start[0].position, sizeof(wp_pose)},
			.rotation = {start[0].rotation, sizeof(wp_pose)},
			.shape = {shapes, 0},
			.count = 2},
		.pair_a = {&zero, 0},
		.pair_b = {&one, 0},
		.count = 1};
	const wp_pair pair = {s->table, shapes[0], shapes[1], start[0].position, start[0].rotation, start[1].position,
		start[1].rotation, WP_REAL_FLOAT};
	const wp_motions motions = {.translation = {s->way[2 * i], 0}};
	const wp_motions of[2] = {motions, {.translation = {s->way[2 * i + 1], 0}}};
	wp_workspace *const workspace = workspace_of(variant);
	wp_row row, alone;
	const wp_results results = wp_results_of_rows(&row);
	const wp_float_column to = {&of_batch, 0};
	cr_assert_eq(wp_cast(workspace, &batch, &motions, NULL, &results, &to, NULL), WP_OK);
	cr_assert_eq(wp_cast_prepared(workspace, &pair, &of[0], &of[1], &alone, &fraction), WP_OK);
	cr_assert(memcmp(&row, &alone, sizeof row) == 0 && memcmp(&of_batch, &fraction, sizeof fraction) == 0,
		"ray %u by %s", i, wp_variant_name(variant));
}

/* Rays are written by another way where only a wp_row is requested, and each by itself without a batch. */
Test(cast, same_bits_of_rays)
{
	scene *const s = make_scene_of(96, true);
	check_bits(s, true);
	check_bits(s, false);
	const wp_motions motions = {.translation = {s->way[0], 0}};
	const wp_batch batch = batch_of(s, 0, PAIRS);
	const wp_results results = wp_results_of_rows(s->rows[1]);
	const wp_float_column fractions = {s->fractions[1], 0};
	for (uint32_t v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		memset(s->rows[1], 0x5a, sizeof s->rows[1]);
		cr_assert_eq(wp_cast(workspace_of((wp_variant)v), &batch, &motions, NULL, &results, &fractions, NULL), WP_OK);
		cr_assert_eq(memcmp(s->rows[0], s->rows[1], sizeof s->rows[0]), 0, "%s", wp_variant_name((wp_variant)v));
		for (uint32_t i = 0; i < PAIRS; i += 3)
			check_ray_alone(s, i, (wp_variant)v);
	}
	free_scene(s);
}

/* ---- rays at one kind of shape ------------------------------------------------------------------ */

enum { RAYS = 71 };

/* Bodies of rays and their motions, with a gap between them. */
typedef struct ray_body {
	float position[3], rotation[4], way[3], end[4], gap;
	uint32_t shape;
} ray_body;

/* Shapes: one kind in several sizes, and then a point. */
typedef struct alike {
	const wp_shape_table *table;
	ray_body shapes[RAYS], points[RAYS];
	bool points_are_a;
} alike;

static void cast_alike(const alike *s, wp_variant variant, size_t first, size_t count, wp_row *rows, float *fractions)
{
	const ray_body *const a = s->points_are_a ? s->points : s->shapes, *const b = s->points_are_a ? s->shapes
	                                                                                              : s->points;
	const size_t stride = sizeof *a;
	const wp_batch batch = {.shapes = s->table,
		.a = {{a->position, stride}, {a->rotation, stride}, {&a->shape, stride}, RAYS, WP_REAL_FLOAT},
		.b = {{b->position, stride}, {b->rotation, stride}, {&b->shape, stride}, RAYS, WP_REAL_FLOAT},
		.first = first,
		.count = count};
	const wp_motions of_a = {{a->way, stride}, {a->end, stride}}, of_b = {{b->way, stride}, {b->end, stride}};
	const wp_results results = wp_results_of_rows(rows);
	wp_statistics statistics = {0};
	cr_assert_eq(
		wp_cast(workspace_of(variant), &batch, &of_a, &of_b, &results, &(wp_float_column){fractions, 0}, &statistics),
		WP_OK);
	cr_assert_eq(statistics.rows, count);
}

/* In batches of any size each row is what it is alone. */
static void check_alike(alike *s, wp_variant variant)
{
	static const size_t counts[] = {1, 2, 3, 5, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, RAYS};
	wp_row alone[RAYS] = {0}, rows[RAYS] = {0};
	float fractions[2][RAYS];
	for (size_t i = 0; i < RAYS; i++)
		cast_alike(s, variant, i, 1, alone, fractions[0]);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		for (size_t first = 0; first + counts[i] <= RAYS; first += counts[i]) {
			memset(&rows[first], 0x5a, counts[i] * sizeof *rows);
			memset(&fractions[1][first], 0x5a, counts[i] * sizeof(float));
			cast_alike(s, variant, first, counts[i], rows, fractions[1]);
			cr_assert(memcmp(&rows[first], &alone[first], counts[i] * sizeof *rows) == 0 &&
						  memcmp(&fractions[1][first], &fractions[0][first], counts[i] * sizeof(float)) == 0,
				"%zu rows from %zu on, by %s", counts[i], first, wp_variant_name(variant));
		}
}

static void make_alike(gen_random *random, alike *s, uint32_t kinds)
{
	for (uint32_t i = 0; i < RAYS; i++) {
		ray_body *const shape = &s->shapes[i], *const point = &s->points[i];
		*shape = (ray_body){.shape = i % kinds};
		*point = (ray_body){.rotation = {0, 0, 0, 1}, .end = {0, 0, 0, 1}, .shape = kinds};
		gen_rotation(random, shape->rotation);
		memcpy(shape->end, shape->rotation, sizeof shape->end);
		for (int k = 0; k < 3; k++) {
			shape->position[k] = (float)gen_range(random, -5, 5);
			shape->way[k] = (float)gen_range(random, -0.2, 0.2);
			const double away = gen_range(random, -4, 4);
			point->position[k] = shape->position[k] + (float)away;
			point->way[k] = (float)(-1.5 * away + gen_range(random, -0.5, 0.5));
		}
	}
	/* One touches from the start. */
	memcpy(s->points[40].position, s->shapes[40].position, sizeof s->points[40].position);
}

/* Rows 10, 11, 30, 31 and 50 are invalid, also where positions are doubles, and no others. */
static void expect_invalid_alike(const alike *s, wp_variant variant)
{
	static double positions[2][RAYS][3];
	wp_row rows[2][RAYS] = {0};
	float fractions[2][RAYS];
	cast_alike(s, variant, 0, RAYS, rows[0], fractions[0]);
	const ray_body *const a = s->points_are_a ? s->points : s->shapes, *const b = s->points_are_a ? s->shapes
	                                                                                              : s->points;
	for (int i = 0; i < RAYS; i++)
		for (int k = 0; k < 3; k++) {
			positions[0][i][k] = (double)a[i].position[k];
			positions[1][i][k] = (double)b[i].position[k];
		}
	const size_t stride = sizeof *a;
	const wp_batch batch = {.shapes = s->table,
		.a = {{positions[0], 0}, {a->rotation, stride}, {&a->shape, stride}, RAYS, WP_REAL_DOUBLE},
		.b = {{positions[1], 0}, {b->rotation, stride}, {&b->shape, stride}, RAYS, WP_REAL_DOUBLE},
		.count = RAYS};
	const wp_motions of_a = {{a->way, stride}, {a->end, stride}}, of_b = {{b->way, stride}, {b->end, stride}};
	const wp_results results = wp_results_of_rows(rows[1]);
	const wp_float_column fraction = {fractions[1], 0};
	cr_assert_eq(wp_cast(workspace_of(variant), &batch, &of_a, &of_b, &results, &fraction, NULL), WP_OK);
	for (int i = 0; i < RAYS; i++) {
		const bool is_bad = i == 10 || i == 11 || i == 30 || i == 31 || i == 50;
		for (int doubles = 0; doubles < 2; doubles++) {
			const uint32_t status = rows[doubles][i].status;
			cr_assert_eq((status & WP_STATUS_INVALID) != 0, is_bad, "row %d of %s: status %x", i,
				doubles ? "doubles" : "floats", status);
			cr_assert_eq(
				isnan(fractions[doubles][i]) != 0, is_bad, "row %d: fraction %g", i, (double)fractions[doubles][i]);
		}
	}
}

Test(cast, rays_at_one_kind_of_shape)
{
	const wp_shape kinds[][2] = {{wp_shape_sphere(1), wp_shape_sphere(0.5f)},
		{wp_shape_capsule(0.5f, 1), wp_shape_capsule(1, 0.25f)}, {wp_shape_box(1, 2, 0.5f), wp_shape_box(1, 1, 1)},
		{wp_shape_cylinder(1, 1), wp_shape_cylinder(0.5f, 2)}, {wp_shape_cone(1, 1), wp_shape_cone(2, 0.5f)},
		{wp_shape_ellipsoid(1, 2, 3), wp_shape_ellipsoid(1, 0.5f, 1)}, {wp_shape_half_space(), wp_shape_half_space()}};
	gen_random random;
	gen_seed(&random, 131);
	for (size_t kind = 0; kind < 2 * sizeof kinds / sizeof *kinds; kind++) {
		const wp_shape shapes[3] = {kinds[kind / 2][0], kinds[kind / 2][1], wp_shape_point()};
		const size_t size = wp_shape_table_size(3);
		void *const memory = block(size);
		alike s = {.points_are_a = kind % 2 == 1};
		make_alike(&random, &s, 2);
		cr_assert_eq(wp_shape_table_build(shapes, 3, memory, size, &s.table, NULL), WP_OK);
		for (uint32_t v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++)
			if (wp_variant_available((wp_variant)v) == WP_OK)
				check_alike(&s, (wp_variant)v);
		/* Rows that are invalid, and then a ball that turns, and a shape that turns. */
		s.points[50].way[1] = NAN;
		s.shapes[10].rotation[0] = 2;
		s.points[11].rotation[3] = 0;
		s.shapes[30].position[2] = 2 * WP_COORDINATE_MAX;
		s.points[31].position[0] = -2 * WP_COORDINATE_MAX;
		for (int turned = 0; turned < 2; turned++) {
			for (uint32_t v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++)
				if (wp_variant_available((wp_variant)v) == WP_OK) {
					check_alike(&s, (wp_variant)v);
					expect_invalid_alike(&s, (wp_variant)v);
				}
			gen_rotation(&random, s.points[3].end);
			gen_rotation(&random, s.shapes[20].end);
		}
		free(memory);
	}
}

/* More rows than are under way at once, of which every third turns and every fifth is refused: each is what it is alone. */
Test(cast, rows_take_the_places_of_decided_ones)
{
	scene *const s = make_scene(88);
	for (size_t i = 0; i < PAIRS; i++)
		for (size_t body = 2 * i; body < 2 * i + 2; body++) {
			if (i % 3 != 0)
				memcpy(s->turn[body], s->corpus.poses[body].rotation, sizeof s->turn[body]);
			if (i % 5 == 0 && body % 2 == 1)
				s->way[body][0] = NAN;
		}
	cast_rows(s, WP_VARIANT_AUTO, true, PAIRS, 0);
	cast_rows(s, WP_VARIANT_AUTO, true, 1, 1);
	for (size_t i = 0; i < PAIRS; i++) {
		cr_assert_eq(
			!(s->rows[0][i].status & WP_STATUS_INVALID), i % 5 != 0, "pair %zu: status %x", i, s->rows[0][i].status);
		cr_assert_eq(memcmp(&s->rows[0][i], &s->rows[1][i], sizeof s->rows[0][i]), 0, "pair %zu", i);
		cr_assert_eq(memcmp(&s->fractions[0][i], &s->fractions[1][i], sizeof s->fractions[0][i]), 0, "pair %zu", i);
	}
	free_scene(s);
}

/* What a hit says of the contact where it ends is what wp_contact says there, within its accuracy: separation, bracket, and
 * points, which are where the local ones are. */
static void check_hit(const scene *s, size_t i)
{
	const wp_row *const row = &s->rows[0][i];
	const double fraction = (double)s->fractions[0][i];
	if (!(row->status & WP_STATUS_HIT) || row->status & WP_STATUS_ITERATION_CAP || fraction == 0)
		return;
	const wp_row truth = contact_at(s, i, fraction, false);
	double way2 = 0, far = 0, apart = 0;
	for (int k = 0; k < 3; k++) {
		const double way = (double)s->way[2 * i + 1][k] - (double)s->way[2 * i][k];
		way2 += way * way;
		far += fabs((double)s->corpus.poses[2 * i].position[k]) + fabs((double)s->way[2 * i][k]);
		apart += (double)row->normal[k] * ((double)row->point_b[k] - (double)row->point_a[k]);
	}
	/* Fractions and points are rounded to floats. */
	const double allowed = 2 * allowed_at(s, i, &truth, false) + 1.2e-7 * sqrt(way2) + 1e-6 * far;
	cr_assert(fabs((double)row->separation - (double)truth.separation) <= allowed, "pair %zu: %g, not %g", i,
		(double)row->separation, (double)truth.separation);
	cr_assert(row->lower <= row->separation && row->separation <= row->upper, "pair %zu: %g in [%g, %g]", i,
		(double)row->separation, (double)row->lower, (double)row->upper);
	cr_assert(fabs(apart - (double)row->separation) <= allowed, "pair %zu: points %g apart, not %g", i, apart,
		(double)row->separation);
	for (size_t side = 0; side < 2; side++) {
		const size_t body = 2 * i + side;
		const v3 at = v3_add(
			v3_of_floats(s->corpus.poses[body].position), v3_scale(v3_of_floats(s->way[body]), fraction));
		const v3 point = v3_add(
			at, m3_apply(m3_of_quaternion(s->corpus.poses[body].rotation), v3_of_floats(s->local[side][i])));
		const v3 off = v3_sub(point, v3_of_floats(side == 0 ? row->point_a : row->point_b));
		cr_assert(
			v3_length(off) <= allowed, "pair %zu: the local point of side %zu is %g off", i, side, v3_length(off));
	}
}

Test(cast, hits_have_the_contact_there)
{
	for (uint64_t seed = 101; seed < 104; seed++) {
		scene *const s = make_scene(seed);
		cast_rows(s, WP_VARIANT_AUTO, false, PAIRS, 0);
		for (size_t i = 0; i < PAIRS; i++)
			check_hit(s, i);
		free_scene(s);
	}
}

/* Over a corner and down beside it: neither the side above nor the one beyond keeps the boxes apart all the way. */
Test(cast, passing_by_a_corner)
{
	const wp_shape cube = wp_shape_box(1, 1, 1);
	const wp_pose from = pose_at(-1, 2.5, 0.125), beside = pose_at(9, 1, 0.125), into = pose_at(9, 0.5, 0.125);
	const answer passes = cast_b(&cube, &at_origin, &cube, &from, &beside);
	expect_miss(&passes);
	const answer hits = cast_b(&cube, &at_origin, &cube, &from, &into);
	expect_hit(&hits, 0.25, 0, 1, 0);
}

Test(cast, a_pair_alone_has_its_bits)
{
	const wp_shape shapes[2] = {wp_shape_box(1, 0.5f, 0.25f), wp_shape_capsule(0.5f, 1)};
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1024];
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &table, NULL), WP_OK);
	const wp_pose start[2] = {{{0.1f, 0.2f, 0.3f}, {0.5f, 0.5f, 0.5f, 0.5f}}, {{5, 1, 0.5f}, {0, 0.6f, 0, 0.8f}}};
	const wp_pose end[2] = {{{1.1f, 0.2f, 0.3f}, {0.5f, 0.5f, 0.5f, -0.5f}}, {{-4, 1.5f, 0}, {0.6f, 0, 0, 0.8f}}};
	float way[2][3];
	for (int i = 0; i < 6; i++)
		way[i / 3][i % 3] = end[i / 3].position[i % 3] - start[i / 3].position[i % 3];
	const wp_motions motions = {.translation = {way[0]}, .rotation = {end[0].rotation, sizeof(wp_pose)}};
	const uint32_t pair[2] = {0, 1};
	const wp_batch batch = {.shapes = table,
		.a = {.position = {start[0].position, sizeof(wp_pose)},
			.rotation = {start[0].rotation, sizeof(wp_pose)},
			.count = 2},
		.pair_a = {&pair[0]},
		.pair_b = {&pair[1]},
		.count = 1};
	wp_row row, alone;
	float fraction, alone_fraction;
	const wp_results results = wp_results_of_rows(&row);
	cr_assert_eq(wp_cast(workspace_of(WP_VARIANT_AUTO), &batch, &motions, NULL, &results,
					 &(wp_float_column){&fraction, 0}, NULL),
		WP_OK);
	cr_assert_eq(wp_cast_pair(workspace_of(WP_VARIANT_AUTO), &shapes[0], &start[0], &shapes[1], &start[1], &end[0],
					 &end[1], &alone, &alone_fraction),
		WP_OK);
	cr_assert(row.status & WP_STATUS_HIT && fraction > 0 && fraction < 1, "%x at %g", row.status, (double)fraction);
	cr_assert(memcmp(&row, &alone, sizeof row) == 0 && memcmp(&fraction, &alone_fraction, sizeof fraction) == 0);
}

/* ---- directed depths ---------------------------------------------------------------------------- */

/* Demand 33. The squares of the comment, as prisms: 1 along y, which is the least, but 2 along x. */
Test(cast, squares_that_move_along_x)
{
	const wp_shape prism = wp_shape_box(2, 2, 10);
	const wp_pose a = pose_at(2, 2, 0), b = pose_at(4, 5, 0);
	static const struct {
		float direction[3];
		double depth, normal[3];
	} ways[] = {{{0, 1, 0}, 1, {0, 1, 0}}, {{3, 0, 0}, 2, {1, 0, 0}}, {{-1e-3f, 0, 0}, 6, {-1, 0, 0}},
		{{0, -1, 0}, 7, {0, -1, 0}}, {{0, 0, 1e20f}, 20, {0, 0, 1}}, {{3e-20f, 3e-20f, 0}, 1.41421356237, {0, 1, 0}}};
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		wp_row row;
		cr_assert_eq(
			wp_depth_along_pair(workspace_of(WP_VARIANT_AUTO), &prism, &a, &prism, &b, ways[i].direction, &row), WP_OK);
		cr_assert(row.status == WP_STATUS_PENETRATING, "way %zu: status %x", i, row.status);
		cr_assert(fabs((double)row.separation + ways[i].depth) < 3e-5, "way %zu: %.9g, not %g", i,
			(double)row.separation, -ways[i].depth);
		cr_assert(row.lower <= row.separation && row.upper == 0);
		const v3 n = v3_of((double)row.normal[0], (double)row.normal[1], (double)row.normal[2]);
		cr_assert(v3_dot(n, v3_of(ways[i].normal[0], ways[i].normal[1], ways[i].normal[2])) > 1 - 1e-5,
			"way %zu: normal %g %g %g", i, n.x, n.y, n.z);
	}
}

/* A hull without faces, in memory of its own. */
static wp_shape hull_in(unsigned char *memory, size_t size, const float (*vertices)[3], size_t count)
{
	const wp_hull *hull;
	const wp_hull_input input = {.vertices = {vertices[0]}, .vertex_count = count};
	cr_assert_eq(wp_hull_build(&input, memory, size, &hull, NULL), WP_OK);
	return wp_shape_hull(hull);
}

/* A and B of a length, and how far B must go; the truth is known to 1e-9. */
static void expect_depth(const wp_shape *a, const wp_pose *pose_a, const wp_shape *b, const wp_pose *pose_b,
	const float direction[3], double truth, double size)
{
	wp_row row;
	cr_assert_eq(wp_depth_along_pair(workspace_of(WP_VARIANT_AUTO), a, pose_a, b, pose_b, direction, &row), WP_OK);
	const v3 u = v3_unit(v3_of_floats(direction)), n = v3_of_floats(row.normal);
	const double depth = -(double)row.separation, lean = v3_dot(n, u);
	cr_assert(row.status & WP_STATUS_PENETRATING && lean > 0, "status %x, normal %a %a %a", row.status,
		(double)row.normal[0], (double)row.normal[1], (double)row.normal[2]);
	cr_assert(fabs(depth - truth) * lean <= 3e-6 * (size + truth), "%.9g, not %.9g; normal %a %a %a leans by %g", depth,
		truth, (double)row.normal[0], (double)row.normal[1], (double)row.normal[2], lean);
}

/* Where B was free, both touched within the accuracy of a contact along two normals: the one that was told leans on the way
 * 10 and 650 times as much as the other, along which they were still apart. Distances were 3.5 and 36. */
Test(cast, touches_along_two_normals)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[3][2048];
	static const float far_flat[][3] = {{0x1.605074p-2f, 0x1.c2d21cp-3f, 0x1.1aff4ap-1f},
		{0x1.6253aep-1f, 0x1.4a04ap-3f, 0x1.c43074p-4f}, {-0x1.741b3p-2f, 0x1.d022eep-4f, 0x1.51d13cp-1f},
		{-0x1.850898p-2f, 0x1.9143ep-3f, -0x1.21042p-1f}, {0x1.a66f54p+18f, 0x1.397e9ap+19f, -0x1.f83168p+15f},
		{0x1.a66f5ap+18f, 0x1.397e96p+19f, -0x1.f8313ep+15f}, {0x1.a66f64p+18f, 0x1.397e9ep+19f, -0x1.f83078p+15f},
		{0x1.a66f42p+18f, 0x1.397e9ep+19f, -0x1.f83254p+15f}, {0x1.a66f74p+18f, 0x1.397e94p+19f, -0x1.f82fd8p+15f},
		{-0x1.1cdc8ep+18f, -0x1.436f64p+19f, 0x1.00ba62p+18f}, {-0x1.1cdc8ep+18f, -0x1.436f6cp+19f, 0x1.00ba6cp+18f},
		{-0x1.1cdc8cp+18f, -0x1.436f5p+19f, 0x1.00ba42p+18f}, {-0x1.1cdc8ep+18f, -0x1.436f5ep+19f, 0x1.00ba56p+18f},
		{-0x1.1cdc8ap+18f, -0x1.436f4ap+19f, 0x1.00ba38p+18f}};
	static const float far_vertex[][3] = {{0x1.25384ap-7f, 0x1.cac124p-2f, 0x1.cf1b1ap-3f},
		{0x1.9a0228p-5f, -0x1.870db2p-2f, 0x1.997a0cp-2f}, {0x1.dfb3fep-7f, -0x1.e22808p-2f, -0x1.12e806p-4f},
		{0x1.ca3352p-3f, -0x1.5cf326p-2f, -0x1.1d63f8p-5f}, {-0x1.23685p-2f, -0x1.c715e2p-3f, 0x1.61d698p-5f},
		{0x1.53ffd4p-6f, -0x1.9596a8p-6f, -0x1.659562p-1f}, {-0x1.db4026p-3f, -0x1.2aa0fap-3f, 0x1.bfb1e8p-2f},
		{-0x1.2cd6a4p-2f, 0x1.9050c2p-3f, 0x1.23554p-5f}, {-0x1.07d42cp-2f, -0x1.9f7692p-4f, 0x1.94b852p-2f},
		{-0x1.06f044p-4f, -0x1.43b0aep-2f, -0x1.0177f8p-1f}, {-0x1.05dc32p+17f, -0x1.0078c8p+12f, 0x1.be9d62p+17f}};
	static const float other_hull[][3] = {{-0x1.291acep-2f, 0x1.c9c61p-5f, 0x1.e923c2p-1f},
		{0x1.207cb8p-1f, 0x1.01ef2p-2f, -0x1.92d922p-1f}, {-0x1.be053cp-1f, -0x1.d84e6ap-2f, -0x1.590e26p-3f},
		{-0x1.1e9a0cp-1f, -0x1.95350ap-3f, -0x1.9bff3p-1f}, {0x1.98a1b2p-1f, -0x1.415616p-3f, -0x1.29d7e4p-1f},
		{0x1.e4dbdcp-3f, -0x1.8f70f4p-1f, -0x1.2879bap-1f}, {0x1.8d5582p-6f, 0x1.71f4acp-1f, -0x1.61ba08p-1f},
		{-0x1.807f6p+3f, 0x1.6a8e22p+4f, 0x1.caeacep+3f}};
	const wp_shape box = wp_shape_box(0x1.7c105ep-1f, 0x1.ff2e78p-1f, 0x1.c086ep-1f);
	const wp_shape flat = rounded(hull_in(memory[0], sizeof memory[0], far_flat, 10), 0x1.26962cp-8f);
	const wp_shape sharp = hull_in(memory[1], sizeof memory[1], far_vertex, 11);
	const wp_shape other = hull_in(memory[2], sizeof memory[2], other_hull, 8);
	const wp_pose at_flat = {.position = {0x1.ae7ca2p+1f, -0x1.b372dcp-2f, -0x1.a82136p+1f},
		.rotation = {0x1.6a09e6p-1f, 0, 0, 0x1.6a09e6p-1f}};
	const wp_pose at_box = {.position = {0x1.a6709cp+18f, 0x1.f82e14p+15f, 0x1.397e4p+19f},
		.rotation = {0x1.ab56bep-3f, -0x1.5beedap-1f, 0x1.47733p-3f, 0x1.5eac44p-1f}};
	const wp_pose at_sharp = {.position = {-0x1.96e3p-1f, -0x1.27eb4cp-1f, 0x1.2adbdp+0f}, .rotation = {0, 0, 0, 1}};
	const wp_pose at_other = {.position = {-0x1.05dc5p+17f, -0x1.007edcp+12f, 0x1.be9e5ep+17f},
		.rotation = {-0x1.df8dbcp-14f, -0x1.99bd46p-16f, -0x1.774e0cp-14f, 1}};
	static const float way_of_box[3] = {-0x1.44cd86p-10f, 0x1.6a565ap-9f, 0x1.cedc5cp-13f};
	static const float way_of_other[3] = {0x1.d8c1dp-1f, -0x1.50e69ap+0f, -0x1.50fae2p+0f};
	expect_depth(&flat, &at_flat, &box, &at_box, way_of_box, 0x1.d945040e5ce8ap-4, 7.7e5);
	expect_depth(&sharp, &at_sharp, &other, &at_other, way_of_other, 0x1.2f30849b97fap+0, 2.6e5);
}

Test(cast, shapes_that_are_free_have_their_contact)
{
	const wp_shape box = wp_shape_box(1, 1, 1), ball = wp_shape_sphere(0.5f);
	const wp_pose a = pose_at(0, 0, 0), b = pose_at(1.75, 0, 0), b_touch = pose_at(1.5, 0, 0);
	static const float along[3] = {0, 0, 1};
	wp_row row, contact;
	cr_assert_eq(wp_depth_along_pair(workspace_of(WP_VARIANT_AUTO), &box, &a, &ball, &b, along, &row), WP_OK);
	cr_assert_eq(wp_contact_pair(workspace_of(WP_VARIANT_AUTO), &box, &a, &ball, &b,
					 &(wp_contact_options){.max_separation = INFINITY}, &contact),
		WP_OK);
	contact.iterations = row.iterations;
	cr_assert_eq(memcmp(&row, &contact, sizeof row), 0, "status %x, separation %g", row.status, (double)row.separation);
	cr_assert_eq(wp_depth_along_pair(workspace_of(WP_VARIANT_AUTO), &box, &a, &ball, &b_touch, along, &row), WP_OK);
	cr_assert(row.status & (WP_STATUS_TOUCHING | WP_STATUS_PENETRATING) && fabsf(row.separation) < 2e-6f);
}

/* A ball that turns on its way to an edge of a box is left open by the closed form, from where it is near. */
Test(cast, a_ball_at_an_edge_alone)
{
	const wp_pose box = {{0x1.5b47aep+14f, 0x1.c571dep+15f, 0x1.485dfcp+16f},
		{0x1.b478cap-1f, 0x1.35f39ep-2f, -0x1.65d548p-4f, -0x1.ab2b06p-2f}};
	const wp_pose start = {{0x1.5b47e8p+14f, 0x1.c5744ep+15f, 0x1.485edep+16f},
		{-0x1.2d68dep-12f, 0x1.3f2636p-2f, 0x1.39cefp-2f, 0x1.cc8036p-1f}};
	const wp_pose end = {{0x1.5b4786p+14f, 0x1.c5721cp+15f, 0x1.485e02p+16f}, {0, 0, 0, 1}};
	const float way[3] = {-0x1.88p-4f, -0x1.19p+0f, -0x1.b8p-1f};
	const wp_shape shapes[2] = {
		wp_shape_box(0x1.197978p-1f, 0x1.71054ap-1f, 0x1.a03e56p-1f), wp_shape_sphere(0x1.d69c9ap-2f)};
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1024];
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &table, NULL), WP_OK);
	const wp_pair pair = pair_of(table, 0, &box, 1, &start);
	const wp_motions motion = {.translation = {way}, .rotation = {end.rotation}};
	wp_row rows[2];
	float fractions[2];
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	cr_assert_eq(
		wp_cast_pair(workspace, &shapes[0], &box, &shapes[1], &start, NULL, &end, &rows[0], &fractions[0]), WP_OK);
	cr_assert_eq(wp_cast_prepared(workspace, &pair, NULL, &motion, &rows[1], &fractions[1]), WP_OK);
	cr_assert(rows[0].status & WP_STATUS_HIT);
	cr_assert_eq(memcmp(&rows[0], &rows[1], sizeof rows[0]), 0);
	cr_assert_eq(memcmp(&fractions[0], &fractions[1], sizeof fractions[0]), 0, "%a, %a", (double)fractions[0],
		(double)fractions[1]);
}

/* Shapes of a table give the bits that the same shapes give by themselves, with positions in double too. */
Test(cast, prepared_pairs)
{
	enum { CASTS = 400 };
	static const float along[3] = {0.5f, -1, 0.25f};
	scene *const s = make_scene(91);
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	for (uint32_t i = 0; i < CASTS; i++) {
		const wp_shape *const shape = &s->corpus.shapes[2 * i];
		const wp_pose *const start = &s->corpus.poses[2 * i];
		wp_pose end[2] = {start[0], start[1]};
		for (int side = 0; side < 2; side++) {
			for (int k = 0; k < 3; k++)
				end[side].position[k] += s->way[2 * i + (uint32_t)side][k];
			memcpy(end[side].rotation, s->turn[2 * i + (uint32_t)side], sizeof end[side].rotation);
		}
		double places[2][3];
		float way[2][3];
		for (int k = 0; k < 6; k++) {
			places[k / 3][k % 3] = (double)start[k / 3].position[k % 3];
			way[k / 3][k % 3] = end[k / 3].position[k % 3] - start[k / 3].position[k % 3];
		}
		wp_pair pair = pair_of(s->table, 2 * i, &start[0], 2 * i + 1, &start[1]);
		if (i % 2 != 0) {
			pair.position_a = places[0];
			pair.position_b = places[1];
			pair.position_real = WP_REAL_DOUBLE;
		}
		const wp_motions motions[2] = {{.translation = {way[0]}, .rotation = {end[0].rotation}},
			{.translation = {way[1]}, .rotation = {end[1].rotation}}};
		const bool moves = i % 3 != 0;
		const wp_pose *const end_a = moves ? &end[0] : NULL;
		wp_row rows[2];
		float fractions[2];
		cr_assert_eq(wp_cast_pair(workspace, &shape[0], &start[0], &shape[1], &start[1], end_a, &end[1], &rows[0],
						 &fractions[0]),
			WP_OK);
		cr_assert_eq(
			wp_cast_prepared(workspace, &pair, moves ? &motions[0] : NULL, &motions[1], &rows[1], &fractions[1]),
			WP_OK);
		cr_assert_eq(memcmp(&rows[0], &rows[1], sizeof rows[0]), 0, "cast of pair %u", i);
		cr_assert_eq(memcmp(&fractions[0], &fractions[1], sizeof fractions[0]), 0, "cast of pair %u", i);
		cr_assert_eq(
			wp_depth_along_pair(workspace, &shape[0], &start[0], &shape[1], &start[1], along, &rows[0]), WP_OK);
		cr_assert_eq(wp_depth_along_prepared(workspace, &pair, along, &rows[1]), WP_OK);
		cr_assert_eq(memcmp(&rows[0], &rows[1], sizeof rows[0]), 0, "depth of pair %u", i);
	}
	free_scene(s);
}

/* So does a ray. */
Test(cast, a_prepared_ray_in_double)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1024];
	static const double places[2][3] = {{-2, 0.125, 0.25}, {1, 0, 0}};
	const wp_shape shapes[2] = {wp_shape_point(), wp_shape_sphere(0.5f)};
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &table, NULL), WP_OK);
	const wp_pose start[2] = {pose_at(-2, 0.125f, 0.25f), pose_at(1, 0, 0)}, end = pose_at(2, 0.125f, 0.25f);
	const float way[3] = {4, 0, 0};
	wp_pair pair = pair_of(table, 0, &start[0], 1, &start[1]);
	pair.position_a = places[0];
	pair.position_b = places[1];
	pair.position_real = WP_REAL_DOUBLE;
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	wp_row rows[2];
	float fractions[2];
	cr_assert_eq(
		wp_cast_pair(workspace, &shapes[0], &start[0], &shapes[1], &start[1], &end, NULL, &rows[0], &fractions[0]),
		WP_OK);
	cr_assert_eq(
		wp_cast_prepared(workspace, &pair, &(wp_motions){.translation = {way}}, NULL, &rows[1], &fractions[1]), WP_OK);
	cr_assert(memcmp(&rows[0], &rows[1], sizeof rows[0]) == 0 && fractions[0] == fractions[1] && fractions[0] < 1,
		"%a, by itself %a", (double)fractions[1], (double)fractions[0]);
}

/* Moved by its depth, B touches A; less far, it overlaps. */
Test(cast, random_depths)
{
	scene *const s = make_scene(86);
	static float along[PAIRS][3];
	static wp_row contacts[PAIRS];
	gen_random random;
	gen_seed(&random, 87);
	for (size_t i = 0; i < PAIRS; i++) {
		const v3 d = v3_scale(gen_direction(&random), gen_range(&random, 0.1, 10));
		const double u[3] = {d.x, d.y, d.z};
		for (int k = 0; k < 3; k++)
			along[i][k] = (float)u[k];
	}
	const wp_batch batch = batch_of(s, 0, PAIRS);
	const wp_results results = wp_results_of_rows(s->rows[0]), plain = wp_results_of_rows(contacts);
	cr_assert_eq(
		wp_depth_along(workspace_of(WP_VARIANT_AUTO), &batch, &(wp_const_float_column){along[0], 0}, &results, NULL),
		WP_OK);
	cr_assert_eq(wp_contact(workspace_of(WP_VARIANT_AUTO), &batch, &(wp_contact_options){.max_separation = INFINITY},
					 &plain, NULL),
		WP_OK);
	uint32_t depths = 0;
	for (size_t i = 0; i < PAIRS; i++) {
		const wp_row *const row = &s->rows[0][i];
		if (!(row->status & WP_STATUS_PENETRATING) || row->separation == contacts[i].separation)
			continue;
		const double bounds = (double)wp_shape_table_bound(s->table, (uint32_t)(2 * i)) +
		                      (double)wp_shape_table_bound(s->table, (uint32_t)(2 * i + 1));
		const double depth = -(double)row->separation;
		double length = 0, lean = 0;
		for (int k = 0; k < 3; k++)
			length += (double)along[i][k] * (double)along[i][k];
		for (int k = 0; k < 3; k++)
			lean += (double)along[i][k] / sqrt(length) * (double)row->normal[k];
		/* At least the depth in any direction; and what is found touches. */
		cr_assert(depth >= -(double)contacts[i].separation - 4e-6 * bounds, "pair %zu: %g along, %g at least", i, depth,
			-(double)contacts[i].separation);
		for (int k = 0; k < 3; k++) {
			s->way[2 * i][k] = 0;
			s->way[2 * i + 1][k] = (float)(depth / sqrt(length) * (double)along[i][k]);
		}
		const wp_row at = contact_at(s, i, 1, false), before = contact_at(s, i, 1 - 1e-4, false);
		const double allowed = 6e-6 * (bounds + depth) + 1e-40;
		cr_assert((double)at.separation > -allowed, "pair %zu: overlaps by %g, moved by %g", i, -(double)at.separation,
			depth);
		cr_assert((double)at.separation < allowed, "pair %zu: apart by %g, moved by %g, lean %g", i,
			(double)at.separation, depth, lean);
		cr_assert((double)before.separation < (double)at.separation + allowed - 0.5e-4 * depth * lean, "pair %zu", i);
		depths++;
	}
	cr_assert(depths > PAIRS / 20, "%u depths", depths);
	free_scene(s);
}

/* ---- statistics --------------------------------------------------------------------------------- */

enum { COUNTED = 300 };

/* Cast bodies that do not turn, cast bodies that turn, and depths along B's translations. */
typedef enum asked_way { STRAIGHT, TURNING, DEPTHS, ASKED_WAYS } asked_way;

static void count_rows(
	scene *s, wp_variant variant, asked_way way, size_t first, size_t count, wp_statistics *statistics)
{
	wp_workspace *const workspace = workspace_of(variant);
	const wp_motions motions = {.translation = {s->way[0]}, .rotation = {way == TURNING ? s->turn[0] : NULL}};
	const wp_const_float_column direction = {s->way[1], 2 * sizeof s->way[0]};
	const wp_results results = wp_results_of_rows(s->rows[0]);
	const wp_batch batch = batch_of(s, first, count);
	cr_assert_eq(way == DEPTHS ? wp_depth_along(workspace, &batch, &direction, &results, statistics)
							   : wp_cast(workspace, &batch, &motions, NULL, &results, NULL, statistics),
		WP_OK);
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Add what a row alone has: the statuses as it has them, and the work as counted. That is all its iterations, but where the
 * strong path took some. */
static void join_row(const wp_row *row, const wp_statistics *alone, wp_statistics *all, uint32_t *whole)
{
	const uint64_t steps = alone->gjk_iterations + alone->epa_iterations;
	cr_assert(steps <= row->iterations, "%llu steps of %u iterations", (unsigned long long)steps, row->iterations);
	*whole += steps == row->iterations;
	cr_assert(alone->gjk_iterations_max <= alone->gjk_iterations && alone->epa_iterations_max <= alone->epa_iterations);
	cr_assert((alone->gjk_iterations_max == 0) == (alone->gjk_iterations == 0) &&
			  (alone->epa_iterations_max == 0) == (alone->epa_iterations == 0));
	cr_assert(alone->epa_rows <= alone->epa_iterations);
	if (row->status & WP_STATUS_INVALID && all->invalid++ == 0)
		all->first_invalid_row = alone->first_invalid_row;
	all->rows++;
	all->separated += (row->status & WP_STATUS_SEPARATED) != 0;
	all->touching += (row->status & WP_STATUS_TOUCHING) != 0;
	all->penetrating += (row->status & WP_STATUS_PENETRATING) != 0;
	all->strong += (row->status & WP_STATUS_STRONG) != 0;
	all->degenerate += (row->status & WP_STATUS_DEGENERATE) != 0;
	all->iteration_cap += (row->status & WP_STATUS_ITERATION_CAP) != 0;
	all->wide_bracket += (row->status & WP_STATUS_WIDE_BRACKET) != 0;
	all->gjk_iterations += alone->gjk_iterations;
	all->gjk_iterations_max = larger(alone->gjk_iterations_max, all->gjk_iterations_max);
	all->epa_rows += alone->epa_rows;
	all->epa_iterations += alone->epa_iterations;
	all->epa_iterations_max = larger(alone->epa_iterations_max, all->epa_iterations_max);
	all->lanes_issued += alone->lanes_issued;
	all->lanes_live += alone->lanes_live;
}

Test(cast, statistics_are_sums_over_rows)
{
	scene *const s = make_scene(88);
	for (int way = 0; way < ASKED_WAYS; way++)
		for (uint32_t v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
			if (wp_variant_available((wp_variant)v) != WP_OK)
				continue;
			wp_statistics by_row = {0}, all = {0};
			uint32_t whole = 0;
			for (size_t i = 0; i < COUNTED; i++) {
				wp_statistics alone = {0};
				count_rows(s, (wp_variant)v, (asked_way)way, i, 1, &alone);
				join_row(&s->rows[0][i], &alone, &by_row, &whole);
			}
			cr_assert_gt(whole, COUNTED - 10);
			count_rows(s, (wp_variant)v, (asked_way)way, 0, COUNTED, &all);
			cr_assert(all.gjk_iterations_max != 0 && all.epa_iterations_max != 0 && all.epa_rows != 0);
			cr_assert(all.lanes_live != 0 && all.lanes_live <= all.lanes_issued);
			/* A row by itself leaves lanes empty. */
			if (v == WP_VARIANT_SCALAR)
				cr_assert_eq(all.lanes_live, all.lanes_issued);
			else
				by_row.lanes_live = all.lanes_live, by_row.lanes_issued = all.lanes_issued;
			cr_assert_eq(memcmp(&all, &by_row, sizeof all), 0, "way %d by %s", way, wp_variant_name((wp_variant)v));
		}
	free_scene(s);
}

/* Both bodies 2^36 away, by what moves them without rounding: the same depths, bit for bit, with the same points. */
Test(cast, depths_do_not_depend_on_the_origin_of_the_world)
{
	static double position[2][2 * PAIRS][3];
	static wp_row rows[2][PAIRS];
	static float local[2][2][PAIRS][3];
	static const float along[3] = {0.6f, -1, 0.3f};
	static float directions[PAIRS][3];
	scene *const s = make_scene(88);
	uint32_t depths = 0;
	for (size_t i = 0; i < 2 * PAIRS; i++)
		for (int k = 0; k < 3; k++) {
			const double at = (double)s->corpus.poses[i].position[k] - (double)s->corpus.poses[i - i % 2].position[k];
			position[0][i][k] = round(fmax(fmin(at, 0x1p10), -0x1p10) * 0x1p12) * 0x1p-12;
			position[1][i][k] = position[0][i][k] + (k == 1 ? -0x1p36 : 0x1.8p36);
			directions[i / 2][k] = along[k];
		}
	for (int far = 0; far < 2; far++) {
		wp_batch batch = batch_of(s, 0, PAIRS);
		wp_results results = wp_results_of_rows(rows[far]);
		batch.a.position = (wp_const_real_column){position[far], 0};
		batch.a.position_real = WP_REAL_DOUBLE;
		results.local_a.data = local[far][0][0];
		results.local_b.data = local[far][1][0];
		cr_assert_eq(wp_depth_along(workspace_of(WP_VARIANT_AUTO), &batch, &(wp_const_float_column){directions[0], 0},
						 &results, NULL),
			WP_OK);
	}
	for (size_t i = 0; i < PAIRS; i++) {
		const wp_row *const near = &rows[0][i], *const far = &rows[1][i];
		cr_assert(memcmp(&near->separation, &far->separation, sizeof(float)) == 0 && near->status == far->status &&
					  memcmp(&near->lower, &far->lower, sizeof(float)) == 0 &&
					  memcmp(near->normal, far->normal, sizeof near->normal) == 0,
			"pair %zu: %a and %a, status %x and %x", i, (double)near->separation, (double)far->separation, near->status,
			far->status);
		cr_assert(memcmp(local[0][0][i], local[1][0][i], sizeof local[0][0][i]) == 0 &&
					  memcmp(local[0][1][i], local[1][1][i], sizeof local[0][1][i]) == 0,
			"pair %zu: points differ", i);
		depths += (near->status & WP_STATUS_PENETRATING) != 0;
	}
	cr_assert(depths > PAIRS / 20, "%u depths", depths);
	free_scene(s);
}

/* B comes back from where it is clear of A: up there nothing has coordinates, down there it has. */
Test(cast, depths_beyond_all_coordinates)
{
	const wp_shape box = wp_shape_box(0x1p93f, 0x1p93f, 0x1p93f);
	const wp_pose a = pose_at(0, 0x1.9p99f, 0), b = pose_at(0x1p92f, 0x1.9p99f, 0);
	static const float up[3] = {0, 1, 0}, down[3] = {0, -1, 0};
	wp_row row;
	cr_assert_eq(wp_depth_along_pair(workspace_of(WP_VARIANT_AUTO), &box, &a, &box, &b, down, &row), WP_OK);
	cr_assert(row.separation <= -0x1p94f && row.separation > -0x1.0001p94f, "%a down", (double)row.separation);
	cr_assert_eq(wp_depth_along_pair(workspace_of(WP_VARIANT_AUTO), &box, &a, &box, &b, up, &row), WP_OK);
	cr_assert_eq(row.status, WP_STATUS_INVALID | WP_STATUS_INVALID_POSITION_B, "%a up, status %x",
		(double)row.separation, row.status);
	cr_assert(isnan(row.separation) && isnan(row.lower) && isnan(row.upper));
	cr_assert(row.normal[0] == 0 && row.point_a[1] == 0 && row.point_b[1] == 0);
}

/* ---- bad input ---------------------------------------------------------------------------------- */

/* Rays at bodies whose rotation ends as none, or of balls whose rotation does. */
Test(cast, rays_that_turn_to_nothing)
{
	static const float bad[][4] = {{0, 0, 0, 0}, {0, 0, 0, 0.5f}, {NAN, 0, 0, 1}, {0, 3, 0, 1}};
	const wp_shape box = wp_shape_box(1, 1, 1), ball = wp_shape_sphere(0.25f);
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		for (int of_ball = 0; of_ball < 2; of_ball++)
			for (int swap = 0; swap < 2; swap++) {
				const wp_pose start[2] = {pose_at(0, 0, 0), pose_at(0, 5, 0)};
				wp_pose end[2] = {pose_at(0, 0, 0), pose_at(0, 1, 0)};
				memcpy(end[of_ball].rotation, bad[i], sizeof bad[i]);
				const wp_shape *const shape[2] = {swap ? &ball : &box, swap ? &box : &ball};
				wp_row row;
				float fraction;
				cr_assert_eq(wp_cast_pair(workspace_of(WP_VARIANT_AUTO), shape[0], &start[swap], shape[1],
								 &start[1 - swap], &end[swap], &end[1 - swap], &row, &fraction),
					WP_OK);
				const bool is_a = (of_ball == 1) == (swap == 1);
				cr_assert_eq(row.status,
					WP_STATUS_INVALID | (is_a ? WP_STATUS_INVALID_ROTATION_A : WP_STATUS_INVALID_ROTATION_B),
					"rotation %zu, of the ball %d, swap %d: status %x", i, of_ball, swap, row.status);
				cr_assert(isnan(fraction));
			}
}

/* Rows between good ones: each is refused by its own reason, and the good ones are as without them. */
Test(cast, bad_rows)
{
	const wp_shape shapes[2] = {wp_shape_box(1, 1, 1), wp_shape_sphere(-1)};
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1024];
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &table, NULL), WP_OK);
	enum { BODIES = 8 };
	static const uint32_t shape[BODIES] = {0, 0, 1, 0, 0, 0, 0, 7};
	wp_pose poses[BODIES];
	float way[BODIES][3], turn[BODIES][4];
	for (int i = 0; i < BODIES; i++) {
		poses[i] = pose_at(i == 0 ? 0 : 4, 0, 0);
		memcpy(turn[i], poses[i].rotation, sizeof turn[i]);
		way[i][0] = i == 0 ? 0 : -4;
		way[i][1] = way[i][2] = 0;
	}
	way[3][1] = NAN;
	way[4][0] = 3e38f;
	turn[5][3] = 0;
	poses[6].position[2] = INFINITY;
	const uint32_t pairs[][2] = {
		{0, 1}, {0, 2}, {0, 3}, {4, 0}, {0, 5}, {6, 0}, {0, 7}, {8, 0}, {0, UINT32_MAX}, {0, 1}};
	static const uint32_t reasons[] = {0, WP_STATUS_INVALID_SHAPE_B, WP_STATUS_INVALID_POSITION_B,
		WP_STATUS_INVALID_POSITION_A, WP_STATUS_INVALID_ROTATION_B, WP_STATUS_INVALID_POSITION_A,
		WP_STATUS_INVALID_SHAPE_B, WP_STATUS_INVALID_BODY_A, WP_STATUS_INVALID_BODY_B, 0};
	enum { ROWS = sizeof pairs / sizeof pairs[0] };
	const wp_batch batch = {.shapes = table,
		.a = {.position = {poses[0].position, sizeof(wp_pose)},
			.rotation = {poses[0].rotation, sizeof(wp_pose)},
			.shape = {shape},
			.count = BODIES},
		.pair_a = {&pairs[0][0], sizeof pairs[0]},
		.pair_b = {&pairs[0][1], sizeof pairs[0]},
		.count = ROWS};
	const wp_motions motions = {.translation = {way[0]}, .rotation = {turn[0]}};
	wp_row rows[ROWS];
	float fractions[ROWS];
	wp_results results = wp_results_of_rows(rows);
	const wp_float_column fraction = {fractions, 0};
	wp_statistics s = {0};
	cr_assert_eq(wp_cast(workspace_of(WP_VARIANT_AUTO), &batch, &motions, NULL, &results, &fraction, &s), WP_OK);
	for (int i = 0; i < ROWS; i++) {
		if (reasons[i] != 0) {
			cr_assert(
				rows[i].status == (WP_STATUS_INVALID | reasons[i]) && isnan(fractions[i]) && isnan(rows[i].separation),
				"row %d: status %x, fraction %g", i, rows[i].status, (double)fractions[i]);
			for (int k = 0; k < 3; k++)
				cr_assert(rows[i].point_a[k] == 0 && rows[i].point_b[k] == 0, "row %d: a point at %g, %g", i,
					(double)rows[i].point_a[k], (double)rows[i].point_b[k]);
			continue;
		}
		cr_assert(rows[i].status & WP_STATUS_HIT && fabsf(fractions[i] - 0.5f) < 1e-5f,
			"row %d: status %x, fraction %g", i, rows[i].status, (double)fractions[i]);
	}
	cr_assert(s.rows == ROWS && s.invalid == ROWS - 2 && s.first_invalid_row == 1,
		"%llu rows, %llu invalid, first %llu", (unsigned long long)s.rows, (unsigned long long)s.invalid,
		(unsigned long long)s.first_invalid_row);

	/* They have no points, wherever points go. */
	double points[2][ROWS][3];
	memset(points, 0x5a, sizeof points);
	const wp_results doubles = {
		.point_a = {.data = points[0][0]}, .point_b = {.data = points[1][0]}, .point_real = WP_REAL_DOUBLE};
	cr_assert_eq(wp_cast(workspace_of(WP_VARIANT_AUTO), &batch, &motions, NULL, &doubles, NULL, NULL), WP_OK);
	for (int k = 0; k < 2; k++)
		for (int row = 0; row < ROWS; row++)
			for (int i = 0; i < 3 && reasons[row] != 0; i++)
				cr_assert_eq(points[k][row][i], 0, "point %d of row %d: %g", k, row, points[k][row][i]);

	/* Where both sides have one view, motions of B are none, whatever they are. */
	const wp_motions no_motions = {.translation = {way[0], 1}, .rotation = {turn[0], 3}};
	cr_assert_eq(
		wp_cast(workspace_of(WP_VARIANT_AUTO), &batch, &motions, &no_motions, &results, &fraction, NULL), WP_OK);

	/* Directed depths refuse the same bodies, and rows with an invalid direction. */
	static const float along[ROWS][3] = {{1, 0, 0}, {1, 0, 0}, {0, 0, 0}, {NAN, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0},
		{1, 0, 0}, {1, 0, 0}, {0, INFINITY, 0}};
	static const uint32_t why[ROWS] = {0, WP_STATUS_INVALID_SHAPE_B, WP_STATUS_INVALID_POSITION_B,
		WP_STATUS_INVALID_POSITION_B, 0, WP_STATUS_INVALID_POSITION_A, WP_STATUS_INVALID_SHAPE_B,
		WP_STATUS_INVALID_BODY_A, WP_STATUS_INVALID_BODY_B, WP_STATUS_INVALID_POSITION_B};
	memset(&s, 0, sizeof s);
	cr_assert_eq(
		wp_depth_along(workspace_of(WP_VARIANT_AUTO), &batch, &(wp_const_float_column){along[0], 0}, &results, &s),
		WP_OK);
	for (int i = 0; i < ROWS; i++)
		cr_assert(rows[i].status == (why[i] != 0 ? WP_STATUS_INVALID | why[i] : WP_STATUS_SEPARATED),
			"row %d: status %x", i, rows[i].status);
	cr_assert(s.rows == ROWS && s.invalid == ROWS - 2 && s.first_invalid_row == 1);
	cr_assert_eq(wp_depth_along(workspace_of(WP_VARIANT_AUTO), &batch, &(wp_const_float_column){NULL, 0}, &results, &s),
		WP_ERROR_NULL_DIRECTION_DATA);
	cr_assert_eq(wp_depth_along(workspace_of(WP_VARIANT_AUTO), &batch, NULL, &results, &s), WP_ERROR_NULL_DIRECTION);

	/* No output is needed; a range in the middle counts its rows from the first of the batch. */
	const wp_results none = {0};
	wp_batch part = batch;
	part.first = 3;
	part.count = 4;
	memset(&s, 0, sizeof s);
	cr_assert_eq(wp_cast(workspace_of(WP_VARIANT_AUTO), &part, &motions, NULL, &none, NULL, &s), WP_OK);
	cr_assert(s.rows == 4 && s.invalid == 4 && s.first_invalid_row == 3);
	cr_assert_eq(wp_cast(NULL, &batch, &motions, NULL, &results, &fraction, NULL), WP_ERROR_NULL_WORKSPACE);
	cr_assert_eq(
		wp_cast(workspace_of(WP_VARIANT_AUTO), NULL, &motions, NULL, &results, &fraction, NULL), WP_ERROR_NULL_BATCH);
	cr_assert_eq(
		wp_cast(workspace_of(WP_VARIANT_AUTO), &batch, NULL, NULL, NULL, &fraction, NULL), WP_ERROR_NULL_RESULTS);
	cr_assert_eq(wp_cast_pair(workspace_of(WP_VARIANT_AUTO), &shapes[0], NULL, &shapes[0], &poses[1], NULL, NULL, rows,
					 fractions),
		WP_ERROR_NULL_POSE_A);
}
