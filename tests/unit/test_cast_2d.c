/* 2D casts: fractions known by hand, numbers from other libraries, the same casts in space, errors,
 * views and strides, invalid rows, places in a batch. Random casts are judged by oracle_2d. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/gen_random.h"
#include "support/gen_2d.h"
#include "support/unit.h"

enum { PAIRS = 3000 };

static wp_workspace *workspaces[WP_VARIANT_COUNT]; /* NULL where the machine lacks the variant */
static const wp2d_pose origin = {.rotation = {1, 0}};

static void setup(void) { take_workspaces(workspaces); }

TestSuite(cast_2d, .init = setup);

static wp2d_pose at(float x, float y) { return (wp2d_pose){{x, y}, {1, 0}}; }

#define POLYGON(vertices) wp2d_shape_polygon(&(vertices)[0][0], sizeof(vertices) / sizeof((vertices)[0]))

static const float square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

/* ---- known by hand ------------------------------------------------------------------------------ */

typedef struct answer {
	float fraction;
	wp2d_row row;
} answer;

/* The same from every variant. */
static answer cast(const wp2d_shape *a, const wp2d_pose *from_a, const wp2d_pose *to_a, const wp2d_shape *b,
	const wp2d_pose *from_b, const wp2d_pose *to_b)
{
	answer first = {.fraction = NAN};
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		answer r;
		memset(&r, 0, sizeof r);
		if (workspaces[v] == NULL)
			continue;
		cr_assert_eq(wp2d_cast_pair(workspaces[v], a, from_a, b, from_b, to_a, to_b, &r.row, &r.fraction), WP_OK);
		if (v == WP_VARIANT_AUTO)
			first = r;
		cr_assert_eq(memcmp(&first, &r, sizeof r), 0, "variant %s has other bits", wp_variant_name((wp_variant)v));
	}
	return first;
}

static void expect_hit(answer r, double fraction, double nx, double ny)
{
	const double f = (double)r.fraction, x = (double)r.row.normal[0], y = (double)r.row.normal[1];
	cr_expect(r.row.status & WP_STATUS_HIT, "no hit: status %x, fraction %g", r.row.status, f);
	cr_expect_float_eq(f, fraction, 1e-5, "fraction %.9g, not %.9g", f, fraction);
	cr_expect(f <= fraction + 1e-7, "fraction %.9g is past %.9g", f, fraction);
	cr_expect(nx * x + ny * y > 1 - 1e-5, "normal %g %g, not %g %g", x, y, nx, ny);
}

static void expect_miss(answer r)
{
	cr_expect(!(r.row.status & (WP_STATUS_HIT | WP_STATUS_INVALID)) && r.fraction == 1, "status %x, fraction %g",
		r.row.status, (double)r.fraction);
}

Test(cast_2d, square_on_square)
{
	const wp2d_shape a = POLYGON(square);
	const wp2d_pose from = at(4, 0.5f), through = at(-4, 0.5f), stops = at(2.25f, 0.5f), away = at(9, 0.5f),
					above = at(4, 2.5f), past = at(-4, 2.5f);
	const answer hit = cast(&a, &origin, NULL, &a, &from, &through);
	expect_hit(hit, 0.25, 1, 0);
	cr_expect_float_eq(hit.row.separation, 0, 1e-5);
	cr_expect_float_eq(hit.row.point_a[0], 1, 1e-5);
	cr_expect_eq(hit.row.status & WP_STATUS_PENETRATING, 0);
	expect_miss(cast(&a, &origin, NULL, &a, &from, &stops));
	expect_miss(cast(&a, &origin, NULL, &a, &from, &away));
	expect_miss(cast(&a, &origin, NULL, &a, &above, &past));
	expect_miss(cast(&a, &origin, NULL, &a, &from, NULL));
	/* The same where the other body goes. */
	const wp2d_pose forth = at(8, 0);
	expect_hit(cast(&a, &origin, &forth, &a, &from, NULL), 0.25, 1, 0);
}

/* However long the way, a hit is where it is, and what passes by is none; from too far a row says that it may be wrong. */
Test(cast_2d, long_ways)
{
	const wp2d_shape a = POLYGON(square), b = wp2d_shape_circle(0.5f);
	for (int exponent = 3; exponent < 99; exponent++)
		for (int turns = 0; turns < 2; turns++) {
			const float way = ldexpf(1, exponent);
			const float turned[2] = {turns ? 0.6f : 1, turns ? 0.8f : 0};
			wp2d_pose from = at(2.25f, 0.25f), to = at(2.25f - way, 0.25f), beside = at(2.25f, 2),
					  past = at(2.25f - way, 2), far = at(way, 0.25f), other = at(-way, 0.25f);
			memcpy(to.rotation, turned, sizeof turned);
			memcpy(past.rotation, turned, sizeof turned);
			memcpy(other.rotation, turned, sizeof turned);
			const answer hit = cast(&a, &origin, NULL, &b, &from, &to);
			const double gone = (double)way * (double)hit.fraction;
			cr_assert(hit.row.status & WP_STATUS_HIT && !(hit.row.status & WP_STATUS_WIDE_BRACKET) &&
						  gone <= 0.75 + 1e-6 && gone >= 0.75 - 1e-5,
				"way 2^%d, turns %d: status %x, gone %.9g", exponent, turns, hit.row.status, gone);
			expect_miss(cast(&a, &origin, NULL, &b, &beside, &past));
			const answer off = cast(&a, &origin, NULL, &b, &far, &other);
			const bool says = off.row.status & WP_STATUS_WIDE_BRACKET;
			cr_assert(says ? exponent > 30 : exponent < 34, "from 2^%d: status %x", exponent, off.row.status);
			cr_assert(says || (off.row.status & WP_STATUS_HIT && fabs((double)off.row.separation) <= 1e-5),
				"from 2^%d: status %x", exponent, off.row.status);
		}
}

Test(cast_2d, every_kind_against_every_kind)
{
	const float left[2] = {-1, 0}, right[2] = {1, 0};
	const wp2d_shape shapes[] = {
		wp2d_shape_circle(1), wp2d_shape_capsule(1, 0.75f), wp2d_shape_segment(left, right), POLYGON(square)};
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 4; k++) {
			const wp2d_pose from = at(6, 0), to = at(-2, 0), above = at(6, 4), past = at(-2, 4);
			const answer hit = cast(&shapes[i], &origin, NULL, &shapes[k], &from, &to);
			/* Segments that meet end to end have a normal across both. */
			const bool flat = i == 2 && k == 2;
			expect_hit(hit, 0.5, flat ? 0 : 1, flat ? 1 : 0);
			expect_miss(cast(&shapes[i], &origin, NULL, &shapes[k], &above, &past));
		}
}

Test(cast_2d, overlap_from_the_start)
{
	const wp2d_shape a = POLYGON(square);
	const wp2d_pose from = at(1.5f, 0), to = at(5, 0);
	const answer r = cast(&a, &origin, NULL, &a, &from, &to);
	expect_hit(r, 0, 1, 0);
	cr_expect(r.row.status & WP_STATUS_PENETRATING);
	cr_expect_float_eq(r.row.separation, -0.5f, 1e-5);
}

/* A small fast box at a wall a thousandth as thin as its way is long. */
Test(cast_2d, thin_wall_is_not_tunnelled)
{
	static const float wall[4][2] = {{-10, -0.05f}, {10, -0.05f}, {10, 0.05f}, {-10, 0.05f}},
					   small[4][2] = {{-0.1f, -0.1f}, {0.1f, -0.1f}, {0.1f, 0.1f}, {-0.1f, 0.1f}};
	const wp2d_shape a = POLYGON(wall), b = POLYGON(small);
	const wp2d_pose from = at(0.3f, 50), to = at(0.3f, -50);
	expect_hit(cast(&a, &origin, NULL, &b, &from, &to), (50 - 0.15) / 100, 0, 1);
}

/* Rays: points on straight ways. */
Test(cast_2d, rays)
{
	static const float gable[3][2] = {{-1, 0}, {1, 0}, {0, 2}};
	const float low[2] = {-3, 1}, high[2] = {3, 1};
	wp2d_shape round = POLYGON(square);
	round.radius = 0.5f;
	const struct {
		wp2d_shape shape;
		double x, height, nx, ny;
	} targets[] = {{wp2d_shape_circle(2), 0, 2, 0, 1}, {wp2d_shape_circle(2), 1.2, 1.6, 0.6, 0.8},
		{wp2d_shape_capsule(0.5f, 1), 0, 1.5, 0, 1}, {wp2d_shape_segment(low, high), 2.5, 1, 0, 1},
		{POLYGON(square), 0.5, 1, 0, 1}, {round, 1.3, 1.4, 0.6, 0.8},
		{POLYGON(gable), 0.5, 1, 2 / sqrt(5), 1 / sqrt(5)}};
	const wp2d_shape point = wp2d_shape_circle(0);
	for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
		const wp2d_pose from = at((float)targets[i].x, 10), to = at((float)targets[i].x, -10), beside = at(20, 10),
						down = at(20, -10);
		expect_hit(cast(&targets[i].shape, &origin, NULL, &point, &from, &to), (10 - targets[i].height) / 20,
			targets[i].nx, targets[i].ny);
		expect_miss(cast(&targets[i].shape, &origin, NULL, &point, &beside, &down));
	}
}

/* ---- turning ------------------------------------------------------------------------------------ */

/* The fraction at which a body has turned by an angle, of one that turns by `whole` in all. */
static double fraction_at(double angle, double whole)
{
	return sin(angle / 2) / (sin(angle / 2) + sin((whole - angle) / 2));
}

/* Walls without thickness, and thinner than rounding. */
static const float thin_wall[2][2] = {{-1, 0}, {1, 0}};
static const float thin_plank[4][2] = {{-1, -0x1p-40f}, {1, -0x1p-40f}, {1, 0x1p-40f}, {-1, 0x1p-40f}};

/* A wall without thickness, and one that is thinner than rounding, are hit on the side that the ray comes from; either side is a
 * contact's. */
Test(cast_2d, rays_hit_thin_walls_in_front)
{
	const wp2d_shape walls[] = {wp2d_shape_segment(thin_wall[0], thin_wall[1]), POLYGON(thin_plank)},
					 point = wp2d_shape_circle(0);
	gen_random random;
	gen_seed(&random, 8);
	for (int i = 0; i < rounds(2000); i++) {
		const double angle = gen_range(&random, 0, 6.28), c = cos(angle), s = sin(angle);
		const wp2d_pose pose = {
			{(float)gen_range(&random, -9, 9), (float)gen_range(&random, -9, 9)}, {(float)c, (float)s}};
		const double side = gen_below(&random, 2) ? 1 : -1, along = gen_range(&random, -0.9, 0.9);
		const double lean = gen_range(&random, -1, 1), reach = side * gen_magnitude(&random, 1, 64);
		const double x = (double)pose.position[0] + along * c, y = (double)pose.position[1] + along * s;
		const double dx = reach * (lean * c - s), dy = reach * (lean * s + c);
		const wp2d_pose from = at((float)(x + dx), (float)(y + dy)), to = at((float)(x - dx), (float)(y - dy));
		const wp2d_shape *const wall = &walls[i % 2];
		if (gen_below(&random, 2))
			expect_hit(cast(wall, &pose, NULL, &point, &from, &to), 0.5, -side * s, side * c);
		else
			expect_hit(cast(&point, &from, &to, wall, &pose, NULL), 0.5, side * s, -side * c);
	}
}

/* A wall without thickness that turns has a point that stands in its way in front of it. */
Test(cast_2d, thin_walls_that_turn_hit_what_is_in_front)
{
	const wp2d_shape walls[] = {wp2d_shape_segment(thin_wall[0], thin_wall[1]), POLYGON(thin_plank)},
					 point = wp2d_shape_circle(0);
	gen_random random;
	gen_seed(&random, 9);
	for (int i = 0; i < rounds(2000); i++) {
		const double angle = gen_range(&random, 0, 6.28), turn = gen_range(&random, 0.2, 1);
		const double spin = gen_below(&random, 2) ? turn : -turn, side = gen_below(&random, 2) ? 1 : -1;
		const double x = gen_range(&random, -9, 9), y = gen_range(&random, -9, 9),
					 reach = side * gen_range(&random, 0.3, 0.9);
		const wp2d_pose from = {{(float)x, (float)y}, {(float)cos(angle - spin), (float)sin(angle - spin)}};
		const wp2d_pose to = {{(float)x, (float)y}, {(float)cos(angle + spin), (float)sin(angle + spin)}};
		const wp2d_pose peg = at((float)(x + reach * cos(angle)), (float)(y + reach * sin(angle)));
		const wp2d_shape *const wall = &walls[i % 2];
		const bool is_b = gen_below(&random, 2);
		const answer r = is_b ? cast(&point, &peg, NULL, wall, &from, &to) : cast(wall, &from, &to, &point, &peg, NULL);
		const double ahead = (spin < 0) == (reach < 0) ? 1 : -1, nx = (double)r.row.normal[0],
					 ny = (double)r.row.normal[1];
		const double towards = (ny * cos(angle) - nx * sin(angle)) * (is_b ? -ahead : ahead);
		cr_expect(r.row.status & WP_STATUS_HIT, "%d: status %x", i, r.row.status);
		cr_expect_float_eq((double)r.fraction, 0.5, 1e-4, "%d: fraction %.9g", i, (double)r.fraction);
		cr_expect(towards > 1 - 1e-5, "%d: normal %g", i, towards);
	}
}

/* A rod turned a quarter about its middle, beside a wall that its end strikes on the way. */
Test(cast_2d, turning_rod)
{
	static const float wall[4][2] = {{-0.5f, -10}, {0.5f, -10}, {0.5f, 10}, {-0.5f, 10}};
	const wp2d_shape rod = wp2d_shape_capsule(0.125f, 2), b = POLYGON(wall);
	const double quarter = acos(-1) / 2, angle = asin(1.375 / 2);
	for (int turn = -1; turn <= 1; turn += 2)
		for (int side = -1; side <= 1; side += 2)
			for (int off = -1; off <= 1; off++) {
				const float length = 1 + 0.009f * (float)off;
				const wp2d_pose end = {{0, 0}, {0, (float)turn * length}}, there = at(2 * (float)side, 0);
				const answer r = cast(&rod, &origin, &end, &b, &there, NULL);
				expect_hit(r, fraction_at(angle, quarter), side, 0);
				/* Counter-clockwise the upper end goes to the left. */
				cr_expect_float_eq((double)r.row.point_a[1], -turn * side * 2 * cos(angle), 1e-4);
			}
}

/* The hand of a clock goes from 12 to 6, with a peg at 9 or at 3: the first is on the way. */
Test(cast_2d, half_a_turn_is_counter_clockwise)
{
	const float centre[2] = {0, 0}, tip[2] = {0, 2};
	const wp2d_shape hand = wp2d_shape_segment(centre, tip), peg = wp2d_shape_circle(0.25f);
	/* Of few bits, so that a longer one is exact. */
	static const float starts[][2] = {{1, 0}, {0.6015625f, 0.80078125f}, {-0.28125f, 0.95703125f}, {0, -1}};
	const double pi = acos(-1), angle = pi / 2 - asin(0.25 / 1.5), c = cos(angle), s = sin(angle);
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		for (int longer = 0; longer < 2; longer++) {
			const float cosine = starts[i][0], sine = starts[i][1], length = longer ? 1.0078125f : 1;
			const double x = (double)cosine / hypot((double)cosine, (double)sine),
						 y = (double)sine / hypot((double)cosine, (double)sine);
			const wp2d_pose from = {{0, 0}, {length * cosine, length * sine}}, to = {{0, 0}, {-cosine, -sine}},
							nine = at((float)(-1.5 * x), (float)(-1.5 * y)),
							three = at((float)(1.5 * x), (float)(1.5 * y));
			expect_hit(
				cast(&hand, &from, &to, &peg, &nine, NULL), fraction_at(angle, pi), y * s - x * c, -x * s - y * c);
			expect_miss(cast(&hand, &from, &to, &peg, &three, NULL));
		}
}

/* A rotation of another length for the same angle turns nothing. */
Test(cast_2d, a_rotation_of_another_length_is_no_turn)
{
	const wp2d_shape a = POLYGON(square);
	const wp2d_pose from = {{-3, 0}, {0.6f, 0.8f}}, to = {{3, 0}, {0.6046875f, 0.80625f}},
					same = {{3, 0}, {0.6f, 0.8f}};
	const wp2d_pose there = at(0, 2.25f);
	const answer r = cast(&a, &from, &to, &a, &there, NULL), plain = cast(&a, &from, &same, &a, &there, NULL);
	cr_expect(plain.row.status & WP_STATUS_HIT && plain.fraction > 0);
	cr_expect_float_eq(r.fraction, plain.fraction, 1e-6);
	cr_expect_float_eq(r.row.separation, plain.row.separation, 1e-5);
}

/* Of shapes that space has too, the casts there have the same fractions. */
Test(cast_2d, space_has_the_same_fractions)
{
	gen_random random;
	gen_seed(&random, 31);
	int hits = 0;
	for (int i = 0; i < 500; i++) {
		const float radius = (float)gen_range(&random, 0, 0.5), half = (float)gen_range(&random, 0, 1);
		const wp2d_shape a = wp2d_shape_capsule(radius, 1), b = wp2d_shape_capsule(0.25f, half);
		const wp_shape solid_a = wp_shape_capsule(radius, 1), solid_b = wp_shape_capsule(0.25f, half);
		wp2d_pose p[4];
		wp_pose q[4];
		for (int k = 0; k < 4; k++) {
			const double angle = gen_range(&random, -3, 3), reach = k < 2 ? 1 : 4;
			const float x = (float)gen_range(&random, -reach, reach), y = (float)gen_range(&random, -reach, reach);
			p[k] = (wp2d_pose){{x, y}, {(float)cos(angle), (float)sin(angle)}};
			q[k] = (wp_pose){{x, y, 0}, {0, 0, (float)sin(angle / 2), (float)cos(angle / 2)}};
		}
		const answer r = cast(&a, &p[0], &p[1], &b, &p[2], &p[3]);
		float fraction;
		wp_row row;
		cr_assert_eq(
			wp_cast_pair(workspaces[0], &solid_a, &q[0], &solid_b, &q[2], &q[1], &q[3], &row, &fraction), WP_OK);
		cr_expect_float_eq(
			r.fraction, fraction, 1e-4, "cast %d: %.9g, in space %.9g", i, (double)r.fraction, (double)fraction);
		hits += fraction > 0 && fraction < 1;
	}
	cr_expect_gt(hits, 100);
}

/* ---- other libraries ---------------------------------------------------------------------------- */

Test(cast_2d, box2d_time_of_impact_of_a_square_and_a_segment)
{
	static const float ends[2][2] = {{2, -1}, {2, 1}};
	const wp2d_shape a = POLYGON(square), b = POLYGON(ends);
	const wp2d_pose to = at(-2, 0);
	expect_hit(cast(&a, &origin, NULL, &b, &origin, &to), 0.5, 1, 0);
}

/* ---- batches ------------------------------------------------------------------------------------ */

/* Random casts; body 2 i is A of pair i, and has shape 2 i. */
typedef struct scene {
	gen_2d_pair made[PAIRS];
	wp2d_shape shapes[2 * PAIRS];
	wp2d_pose poses[2 * PAIRS];
	float way[2 * PAIRS][2], turn[2 * PAIRS][2];
	uint32_t pairs[PAIRS][2];
	wp2d_row rows[2][PAIRS];
	float fractions[2][PAIRS];
	const wp2d_shape_table *table;
	void *memory;
} scene;

static scene *make_scene(void)
{
	scene *const s = calloc(1, sizeof *s);
	gen_random random;
	gen_seed(&random, 5);
	cr_assert_not_null(s);
	for (uint32_t i = 0; i < PAIRS; i++)
		gen_2d(11, i, &s->made[i]);
	for (uint32_t i = 0; i < 2 * PAIRS; i++) {
		const gen_2d_pair *const pair = &s->made[i / 2];
		const v3 turn = gen_direction(&random);
		const double length = sqrt(turn.x * turn.x + turn.y * turn.y);
		s->shapes[i] = pair->shape[i % 2];
		s->poses[i] = pair->pose[i % 2];
		s->pairs[i / 2][i % 2] = i;
		s->turn[i][0] = gen_rounded(turn.x / length);
		s->turn[i][1] = gen_rounded(turn.y / length);
		for (int k = 0; k < 2; k++) {
			const double across = (double)pair->pose[0].position[k] - (double)pair->pose[1].position[k];
			s->way[i][k] = gen_rounded((i % 2 ? 3 : 0.5) * gen_range(&random, -0.5, 1) * across);
			s->poses[i].position[k] -= i % 2 ? (float)across : 0;
		}
	}
	const size_t size = wp2d_shape_table_size(s->shapes, 2 * PAIRS);
	s->memory = aligned_alloc(WP_ALIGNMENT, (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT);
	cr_assert_not_null(s->memory);
	cr_assert_eq(wp2d_shape_table_build(s->shapes, 2 * PAIRS, s->memory, size, &s->table, NULL), WP_OK);
	return s;
}

static void free_scene(scene *s)
{
	free(s->memory);
	free(s);
}

static wp2d_batch batch_of(const scene *s, size_t first, size_t count)
{
	return (wp2d_batch){.shapes = s->table,
		.first = first,
		.count = count,
		.a = {.position = {s->poses[0].position, sizeof(wp2d_pose)},
			.rotation = {s->poses[0].rotation, sizeof(wp2d_pose)},
			.count = 2 * PAIRS},
		.pair_a = {&s->pairs[0][0], sizeof s->pairs[0]},
		.pair_b = {&s->pairs[0][1], sizeof s->pairs[0]}};
}

static wp2d_motions motions_of(const scene *s, bool turning)
{
	return (wp2d_motions){.translation = {s->way[0]}, .rotation = {turning ? s->turn[0] : NULL}};
}

static wp2d_results results_of(scene *s, int set) { return wp2d_results_of_rows(s->rows[set]); }

static wp_float_column fraction_of(scene *s, int set) { return (wp_float_column){s->fractions[set], 0}; }

static void cast_rows(scene *s, int variant, bool turning, size_t chunk, int set)
{
	const wp2d_motions motions = motions_of(s, turning);
	const wp2d_results results = results_of(s, set);
	const wp_float_column fraction = fraction_of(s, set);
	for (size_t first = 0; first < PAIRS; first += chunk) {
		const wp2d_batch batch = batch_of(s, first, PAIRS - first < chunk ? PAIRS - first : chunk);
		cr_assert_eq(wp2d_cast(workspaces[variant], &batch, &motions, NULL, &results, &fraction, NULL), WP_OK);
	}
}

static void expect_same(const scene *s, size_t count)
{
	cr_expect_eq(memcmp(s->rows[0], s->rows[1], count * sizeof s->rows[0][0]), 0);
	cr_expect_eq(memcmp(s->fractions[0], s->fractions[1], count * sizeof s->fractions[0][0]), 0);
}

/* The bits depend on the pair alone: not on variant or range. */
Test(cast_2d, same_bits_however_it_is_asked)
{
	static const size_t chunks[] = {1, 17, 128, 129, PAIRS};
	scene *const s = make_scene();
	for (int turning = 0; turning < 2; turning++) {
		size_t hits = 0;
		cast_rows(s, WP_VARIANT_SCALAR, turning, PAIRS, 0);
		for (size_t i = 0; i < PAIRS; i++)
			hits += s->rows[0][i].status & WP_STATUS_HIT && s->fractions[0][i] > 0;
		cr_expect(hits > PAIRS / 20 && hits < PAIRS - PAIRS / 20, "%zu hits on the way", hits);
		for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++)
			for (size_t k = 0; k < sizeof chunks / sizeof chunks[0] && workspaces[v] != NULL; k++) {
				memset(s->rows[1], 0x55, sizeof s->rows[1]);
				cast_rows(s, v, turning, chunks[k], 1);
				expect_same(s, PAIRS);
			}
	}
	free_scene(s);
}

Test(cast_2d, one_pair_has_the_bits_of_the_batch)
{
	scene *const s = make_scene();
	/* Ways that are ends minus starts, as the call for a pair has them. */
	wp2d_pose *const ends = calloc(2 * PAIRS, sizeof *ends);
	for (uint32_t i = 0; i < 2 * PAIRS; i++)
		for (int k = 0; k < 2; k++) {
			ends[i].position[k] = s->poses[i].position[k] + s->way[i][k];
			ends[i].rotation[k] = s->turn[i][k];
			s->way[i][k] = ends[i].position[k] - s->poses[i].position[k];
		}
	cast_rows(s, WP_VARIANT_AUTO, true, PAIRS, 0);
	for (uint32_t i = 0; i < PAIRS; i++) {
		const uint32_t a = 2 * i, b = a + 1;
		cr_assert_eq(wp2d_cast_pair(workspaces[0], &s->shapes[a], &s->poses[a], &s->shapes[b], &s->poses[b], &ends[a],
						 &ends[b], &s->rows[1][i], &s->fractions[1][i]),
			WP_OK);
	}
	expect_same(s, PAIRS);
	free(ends);
	free_scene(s);
}

Test(cast_2d, motions_lie_where_told_and_may_be_missing)
{
	enum { COUNT = 200 };
	typedef struct moving {
		float gap, way[2], turn[2], tail;
	} moving;
	static moving bodies[2 * COUNT];
	static float nowhere[2 * PAIRS][2];
	scene *const s = make_scene();
	const wp2d_batch batch = batch_of(s, 0, COUNT);
	const wp2d_results first = results_of(s, 0), second = results_of(s, 1);
	const wp_float_column first_fraction = fraction_of(s, 0), second_fraction = fraction_of(s, 1);
	for (size_t i = 0; i < 2 * COUNT; i++) {
		memcpy(bodies[i].way, s->way[i], sizeof bodies[i].way);
		memcpy(bodies[i].turn, s->turn[i], sizeof bodies[i].turn);
	}
	const wp2d_motions packed = motions_of(s, true);
	wp2d_motions strided = {
		.translation = {bodies[0].way, sizeof(moving)}, .rotation = {bodies[0].turn, sizeof(moving)}};
	cr_assert_eq(wp2d_cast(workspaces[0], &batch, &packed, NULL, &first, &first_fraction, NULL), WP_OK);
	/* Motions of B are not looked at where its bodies are A's. */
	cr_assert_eq(wp2d_cast(workspaces[0], &batch, &strided, &(wp2d_motions){.translation = {nowhere[0]}}, &second,
					 &second_fraction, NULL),
		WP_OK);
	expect_same(s, COUNT);

	/* Nothing moves: zeros, and what is missing. */
	const wp2d_motions zero = {.translation = {nowhere[0]}}, empty = {.translation = {NULL}};
	cr_assert_eq(wp2d_cast(workspaces[0], &batch, &zero, NULL, &first, &first_fraction, NULL), WP_OK);
	cr_assert_eq(wp2d_cast(workspaces[0], &batch, NULL, NULL, &second, &second_fraction, NULL), WP_OK);
	expect_same(s, COUNT);
	cr_assert_eq(wp2d_cast(workspaces[0], &batch, &empty, NULL, &second, &second_fraction, NULL), WP_OK);
	expect_same(s, COUNT);

	/* Bodies of B with their own motions; bodies of A do not move. */
	wp2d_batch views = batch;
	views.b = views.a;
	for (size_t i = 0; i < 2 * COUNT; i += 2) {
		memset(bodies[i].way, 0, sizeof bodies[i].way);
		memcpy(bodies[i].turn, s->poses[i].rotation, sizeof bodies[i].turn);
	}
	cr_assert_eq(wp2d_cast(workspaces[0], &batch, &strided, NULL, &first, &first_fraction, NULL), WP_OK);
	cr_assert_eq(wp2d_cast(workspaces[0], &views, &zero, &strided, &second, &second_fraction, NULL), WP_OK);
	expect_same(s, COUNT);
	cr_assert_eq(wp2d_cast(workspaces[0], &views, NULL, &strided, &second, &second_fraction, NULL), WP_OK);
	expect_same(s, COUNT);
	free_scene(s);
}

Test(cast_2d, outputs_lie_where_asked_and_any_may_be_missing)
{
	enum { COUNT = 200 };
	typedef struct scattered {
		uint8_t overlap;
		float fraction, separation;
		double point_b[2];
		uint32_t status;
	} scattered;
	static scattered out[COUNT];
	scene *const s = make_scene();
	const wp2d_batch batch = batch_of(s, 0, COUNT);
	const wp2d_motions motions = motions_of(s, true);
	const wp2d_results results = results_of(s, 0), nothing = wp2d_results_of_rows(NULL);
	const wp_float_column fraction = fraction_of(s, 0);
	wp_statistics statistics = {0};
	cr_assert_eq(wp2d_cast(workspaces[0], &batch, &motions, NULL, &results, &fraction, &statistics), WP_OK);
	cr_expect_eq(statistics.rows, COUNT);
	cr_expect_eq(statistics.separated + statistics.touching + statistics.penetrating, COUNT);
	cr_expect_gt(statistics.gjk_iterations, COUNT);
	const wp2d_results some = {.overlap = {&out->overlap, sizeof *out},
		.separation = {&out->separation, sizeof *out},
		.point_b = {out->point_b, sizeof *out},
		.status = {&out->status, sizeof *out},
		.point_real = WP_REAL_DOUBLE};
	cr_assert_eq(
		wp2d_cast(workspaces[0], &batch, &motions, NULL, &some, &(wp_float_column){&out->fraction, sizeof *out}, NULL),
		WP_OK);
	for (size_t i = 0; i < COUNT; i++) {
		const wp2d_row *const row = &s->rows[0][i];
		cr_expect_eq(out[i].fraction, s->fractions[0][i]);
		cr_expect_eq(out[i].separation, row->separation);
		cr_expect_eq(out[i].status, row->status);
		cr_expect_eq(out[i].overlap, !(row->status & WP_STATUS_SEPARATED));
		cr_expect_eq((float)out[i].point_b[0], row->point_b[0]);
	}
	cr_expect_eq(wp2d_cast(workspaces[0], &batch, &motions, NULL, &nothing, NULL, NULL), WP_OK);
	free_scene(s);
}

/* ---- errors ------------------------------------------------------------------------------------- */

static wp_error cast_error(scene *s, wp_workspace *workspace, const wp2d_batch *batch, uint32_t point_real)
{
	const wp2d_motions motions = motions_of(s, true);
	wp2d_results results = results_of(s, 0);
	const wp_float_column fraction = fraction_of(s, 0);
	results.point_real = point_real;
	memset(s->rows[0], 0x55, sizeof s->rows[0][0]);
	memset(s->fractions[0], 0x55, sizeof s->fractions[0][0]);
	const wp_error error = wp2d_cast(workspace, batch, &motions, NULL, &results, &fraction, NULL);
	uint32_t word;
	memcpy(&word, s->fractions[0], sizeof word);
	cr_expect(word == 0x55555555 && s->rows[0][0].status == 0x55555555, "nothing is written on an error");
	return error;
}

Test(cast_2d, errors)
{
	scene *const s = make_scene();
	const wp2d_batch good = batch_of(s, 0, 1);
	static _Alignas(WP_ALIGNMENT) unsigned char nothing[256], copy[WP_WORKSPACE_SIZE];
	const struct {
		wp_error error;
		wp2d_batch batch;
	} bad[] = {{WP_ERROR_NULL_BATCH_SHAPES, {.count = 1, .a = good.a}},
		{WP_ERROR_SHAPE_TABLE_INVALID,
			{.shapes = (const wp2d_shape_table *)(const void *)nothing, .count = 1, .a = good.a}},
		{WP_ERROR_BODIES_A_POSITION, {.shapes = s->table, .count = 1, .a = {.count = 1}}},
		{WP_ERROR_BODIES_A_ROTATION,
			{.shapes = s->table, .count = 1, .a = {.position = {good.a.position.data}, .count = 1}}},
		{WP_ERROR_BODIES_A_REAL, {.shapes = s->table, .count = 1, .a = {.position_real = 7, .count = 1}}},
		{WP_ERROR_BODIES_B_POSITION, {.shapes = s->table, .count = 1, .a = good.a, .b = {.count = 1}}},
		{WP_ERROR_BODIES_B_ROTATION,
			{.shapes = s->table, .count = 1, .a = good.a, .b = {.position = {good.a.position.data}, .count = 1}}},
		{WP_ERROR_BODIES_B_REAL, {.shapes = s->table,
									 .count = 1,
									 .a = good.a,
									 .b = {.position = {good.a.position.data},
										 .rotation = {good.a.rotation.data},
										 .position_real = WP_REAL_DOUBLE,
										 .count = 1}}},
		{WP_ERROR_PAIR_RANGE, {.shapes = s->table, .count = (size_t)UINT32_MAX + 1, .a = good.a}},
		{WP_ERROR_PAIR_RANGE, {.shapes = s->table, .first = SIZE_MAX, .count = 1, .a = good.a}}};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		cr_expect_eq(cast_error(s, workspaces[0], &bad[i].batch, WP_REAL_FLOAT), bad[i].error, "case %zu", i);
	cr_expect_eq(cast_error(s, workspaces[0], &good, 9), WP_ERROR_RESULTS_REAL);
	cr_expect_eq(cast_error(s, workspaces[0], NULL, WP_REAL_FLOAT), WP_ERROR_NULL_BATCH);
	cr_expect_eq(cast_error(s, NULL, &good, WP_REAL_FLOAT), WP_ERROR_NULL_WORKSPACE);
	cr_expect_eq(wp2d_cast(workspaces[0], &good, NULL, NULL, NULL, NULL, NULL), WP_ERROR_NULL_RESULTS);
	memcpy(copy, workspaces[0], sizeof copy);
	cr_expect_eq(cast_error(s, (wp_workspace *)(void *)copy, &good, WP_REAL_FLOAT), WP_ERROR_WORKSPACE_INVALID);
	free_scene(s);
}

Test(cast_2d, null_arguments_of_a_pair)
{
	const wp2d_shape circle = wp2d_shape_circle(1);
	float fraction;
	wp2d_row row;
	static const wp_error expected[7] = {WP_ERROR_NULL_WORKSPACE, WP_ERROR_NULL_SHAPE_A, WP_ERROR_NULL_POSE_A,
		WP_ERROR_NULL_SHAPE_B, WP_ERROR_NULL_POSE_B, WP_ERROR_NULL_ROW, WP_ERROR_NULL_FRACTION};
	for (int missing = 0; missing < 7; missing++) {
		const wp_error error = wp2d_cast_pair(missing == 0 ? NULL : workspaces[0], missing == 1 ? NULL : &circle,
			missing == 2 ? NULL : &origin, missing == 3 ? NULL : &circle, missing == 4 ? NULL : &origin, NULL, NULL,
			missing == 5 ? NULL : &row, missing == 6 ? NULL : &fraction);
		cr_expect_eq(error, expected[missing], "argument %d: %s", missing, wp_error_text(error));
	}
}

static void expect_invalid(const wp2d_row *row, float fraction, uint32_t reasons)
{
	cr_expect_eq(row->status, WP_STATUS_INVALID | reasons, "status %x", row->status);
	cr_expect(isnan(fraction) && isnan(row->separation) && isnan(row->lower) && isnan(row->upper));
	cr_expect(row->normal[0] == 0 && row->normal[1] == 0 && row->point_a[0] == 0 && row->point_b[1] == 0);
}

Test(cast_2d, invalid_rows_leave_the_others_alone)
{
	enum { COUNT = 150 };
	static const struct {
		float way, turn[2];
		uint32_t reason;
	} bad[] = {{NAN, {1, 0}, WP_STATUS_INVALID_POSITION_A}, {INFINITY, {1, 0}, WP_STATUS_INVALID_POSITION_A},
		{-2e30f, {1, 0}, WP_STATUS_INVALID_POSITION_A}, {0, {NAN, 0}, WP_STATUS_INVALID_ROTATION_A},
		{0, {0, 0}, WP_STATUS_INVALID_ROTATION_A}, {0, {0.98f, 0}, WP_STATUS_INVALID_ROTATION_A},
		{0, {0, 1.02f}, WP_STATUS_INVALID_ROTATION_A}, {0, {INFINITY, 0}, WP_STATUS_INVALID_ROTATION_A},
		{NAN, {NAN, 0}, WP_STATUS_INVALID_POSITION_A | WP_STATUS_INVALID_ROTATION_A}};
	scene *const s = make_scene();
	const wp2d_motions motions = motions_of(s, true);
	const wp2d_batch batch = batch_of(s, 0, COUNT);
	const wp2d_results first = results_of(s, 0), second = results_of(s, 1);
	const wp_float_column first_fraction = fraction_of(s, 0), second_fraction = fraction_of(s, 1);
	cr_assert_eq(wp2d_cast(workspaces[0], &batch, &motions, NULL, &first, &first_fraction, NULL), WP_OK);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		const size_t row = 13 * i, body = 2 * row + i % 2;
		float way[2], turn[2];
		wp_statistics statistics = {0};
		memcpy(way, s->way[body], sizeof way);
		memcpy(turn, s->turn[body], sizeof turn);
		s->way[body][i % 2] = bad[i].way;
		memcpy(s->turn[body], bad[i].turn, sizeof turn);
		cr_assert_eq(wp2d_cast(workspaces[0], &batch, &motions, NULL, &second, &second_fraction, &statistics), WP_OK);
		memcpy(s->way[body], way, sizeof way);
		memcpy(s->turn[body], turn, sizeof turn);
		expect_invalid(&s->rows[1][row], s->fractions[1][row], bad[i].reason << 4 * (i % 2));
		cr_expect_eq(statistics.invalid, 1);
		cr_expect_eq(statistics.first_invalid_row, row);
		s->rows[1][row] = s->rows[0][row];
		s->fractions[1][row] = s->fractions[0][row];
		expect_same(s, COUNT);
	}
	free_scene(s);
}

Test(cast_2d, bodies_and_shapes_out_of_range)
{
	scene *const s = make_scene();
	wp2d_batch batch = batch_of(s, 0, 3);
	uint32_t shape_of[6] = {0, 1, 2, 3, 2 * PAIRS, 5};
	const wp2d_motions motions = motions_of(s, true);
	const wp2d_results results = results_of(s, 0);
	const wp_float_column fraction = fraction_of(s, 0);
	batch.a.shape.data = shape_of;
	batch.a.count = 5;
	cr_assert_eq(wp2d_cast(workspaces[0], &batch, &motions, NULL, &results, &fraction, NULL), WP_OK);
	cr_expect_eq(s->rows[0][0].status & WP_STATUS_INVALID, 0);
	expect_invalid(&s->rows[0][2], s->fractions[0][2], WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_BODY_B);
	free_scene(s);
}
