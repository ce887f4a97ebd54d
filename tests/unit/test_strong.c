/* The strong path: exact answers, degenerate pairs, brackets, and certificates that need no reference:
 * every answer is checked against the gap of its support planes, computed here by plain loops. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "strong/strong.h"
#include "widephase/query.h"

/* Of e = L + |separation|; the path's own bracket is a hundred times narrower. */
#define TOLERANCE 1e-9

#define HULL_MAX 4096

typedef struct hull_memory {
	_Alignas(WP_ALIGNMENT) float vertices[3 * HULL_MAX];
} hull_memory;

static wp_core box_core(float x, float y, float z, float radius)
{
	wp_core core;
	memset(&core, 0, sizeof core);
	core.kind = WP_CORE_BOX;
	core.half[0] = x;
	core.half[1] = y;
	core.half[2] = z;
	core.radius = radius;
	const double bound = sqrt((double)x * (double)x + (double)y * (double)y + (double)z * (double)z);
	core.bound = bound > 0 ? nextafterf((float)bound, INFINITY) : 0;
	return core;
}

static wp_core hull_core(float (*points)[3], uint32_t count, hull_memory *memory)
{
	wp_core core;
	memset(&core, 0, sizeof core);
	core.kind = WP_CORE_HULL;
	core.count = count;
	core.padded = (uint32_t)wp_round_up(count, WP_WIDTH_MAX);
	double bound = 0;
	for (uint32_t i = 0; i < core.padded; i++) {
		const float *p = points[i < count ? i : 0];
		for (uint32_t axis = 0; axis < 3; axis++)
			memory->vertices[axis * core.padded + i] = p[axis];
		bound = fmax(
			bound, sqrt((double)p[0] * (double)p[0] + (double)p[1] * (double)p[1] + (double)p[2] * (double)p[2]));
	}
	core.bound = bound > 0 ? nextafterf((float)bound, INFINITY) : 0;
	core.vertices = memory->vertices;
	return core;
}

static wp_strong_pair pair_at(const wp_core *a, const wp_core *b, double x, double y, double z)
{
	const wp_strong_pair pair = {
		.a = a, .b = b, .rotation_a = {0, 0, 0, 1}, .rotation_b = {0, 0, 0, 1}, .offset = {x, y, z}};
	return pair;
}

static void turn(float rotation[4], double x, double y, double z, double w)
{
	const double length = sqrt(x * x + y * y + z * z + w * w);
	rotation[0] = (float)(x / length);
	rotation[1] = (float)(y / length);
	rotation[2] = (float)(z / length);
	rotation[3] = (float)(w / length);
}

/* v turned by the quaternion: v + 2 u x (u x v + w v), normalised. */
static void turned(const float rotation[4], const double v[3], double sign, double out[3])
{
	double q[4], c[3], square = 0;
	for (int i = 0; i < 4; i++)
		square += (double)rotation[i] * (double)rotation[i];
	for (int i = 0; i < 4; i++)
		q[i] = (double)rotation[i] / sqrt(square) * (i < 3 ? sign : 1);
	for (int i = 0; i < 3; i++)
		c[i] = q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3] + q[3] * v[i];
	for (int i = 0; i < 3; i++)
		out[i] = v[i] + 2 * (q[(i + 1) % 3] * c[(i + 2) % 3] - q[(i + 2) % 3] * c[(i + 1) % 3]);
}

/* Largest n . p over the shape, radius included, about its own origin. */
static double reach(const wp_core *core, const float rotation[4], const double n[3], double sign)
{
	double local[3], best = -INFINITY;
	turned(rotation, n, -1, local);
	if (core->kind == WP_CORE_BOX)
		return fabs(local[0]) * (double)core->half[0] + fabs(local[1]) * (double)core->half[1] +
		       fabs(local[2]) * (double)core->half[2] + (double)core->radius;
	for (uint32_t i = 0; i < core->count; i++) {
		double along = 0;
		for (uint32_t axis = 0; axis < 3; axis++)
			along += sign * local[axis] * (double)core->vertices[axis * core->padded + i];
		best = fmax(best, along);
	}
	return best + (double)core->radius;
}

static double dot(const double u[3], const double v[3]) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }

static double extent(const wp_strong_pair *pair, double separation)
{
	const double a = (double)pair->a->bound + (double)pair->a->radius;
	const double b = (double)pair->b->bound + (double)pair->b->radius;
	return fmax(a, b) + fabs(separation);
}

static wp_strong_answer solve(const wp_strong_pair *pair)
{
	static wp_strong_memory *memory;
	if (memory == NULL) {
		memory = malloc(wp_strong_memory_size());
		memset(memory, 0xa5, wp_strong_memory_size());
	}
	wp_strong_answer answer;
	memset(&answer, 0xff, sizeof answer);
	wp_strong_solve(pair, memory, &answer);
	return answer;
}

/* What holds for every pair: the normal proves the lower bound, the witness points lie on the support
 * planes and are apart by separation * normal, the bracket holds the separation. */
static wp_strong_answer certified(const wp_strong_pair *pair)
{
	const wp_strong_answer r = solve(pair);
	const double e = extent(pair, r.separation);
	const double allowed = TOLERANCE * e;
	cr_assert(wp_is_finite_double(r.separation));
	cr_assert_float_eq(sqrt(dot(r.normal, r.normal)), 1, 1e-12);
	cr_assert_leq(r.lower, r.separation);
	cr_assert_leq(r.separation, r.upper);
	cr_assert_eq(r.status & ~(uint32_t)(WP_STATUS_DEGENERATE | WP_STATUS_ITERATION_CAP | WP_STATUS_CAPACITY |
										WP_STATUS_WIDE_BRACKET),
		0);
	cr_assert_eq((r.status & WP_STATUS_WIDE_BRACKET) != 0, r.upper - r.lower > WP_CONTRACT * e);

	const double end_a = reach(pair->a, pair->rotation_a, r.normal, 1);
	const double end_b = dot(r.normal, pair->offset) - reach(pair->b, pair->rotation_b, r.normal, -1);
	cr_assert_leq(r.lower, end_b - end_a, "no proof: lower %.17g, gap %.17g", r.lower, end_b - end_a);
	if ((r.status & WP_STATUS_WIDE_BRACKET) == 0) {
		cr_assert_float_eq(dot(r.normal, r.point_a), end_a, allowed);
		cr_assert_float_eq(dot(r.normal, r.point_b), end_b, allowed);
		for (int i = 0; i < 3; i++)
			cr_assert_float_eq(r.point_a[i] + r.separation * r.normal[i], r.point_b[i], allowed);
	}
	return r;
}

static wp_strong_answer expect(const wp_strong_pair *pair, double separation)
{
	const wp_strong_answer r = certified(pair);
	const double e = extent(pair, separation);
	cr_assert_float_eq(r.separation, separation, TOLERANCE * e, "%.17g, not %.17g", r.separation, separation);
	cr_assert_leq(r.lower, separation + 1e-15 * e);
	cr_assert_geq(r.upper, separation - 1e-15 * e);
	cr_assert_leq(r.upper - r.lower, TOLERANCE * e);
	cr_assert_eq(r.status & ~(uint32_t)WP_STATUS_DEGENERATE, 0);
	return r;
}

static void expect_normal(const wp_strong_answer *answer, double x, double y, double z)
{
	const double normal[3] = {x, y, z};
	for (int i = 0; i < 3; i++)
		cr_assert_float_eq(answer->normal[i], normal[i], 1e-9, "normal[%d] = %.17g", i, answer->normal[i]);
}

/* ---- exact answers ------------------------------------------------------------------------------ */

Test(strong, spheres_and_capsules)
{
	const wp_core ball = box_core(0, 0, 0, 1);
	const wp_core capsule = box_core(0, 2, 0, 0.5f);
	wp_strong_pair pair = pair_at(&ball, &ball, 3, 0, 4);
	wp_strong_answer r = expect(&pair, 3);
	expect_normal(&r, 0.6, 0, 0.8);
	pair = pair_at(&ball, &ball, 0, 0.5, 0);
	r = expect(&pair, -1.5);
	expect_normal(&r, 0, 1, 0);

	pair = pair_at(&capsule, &ball, 3, 3, 0); /* beyond the tip: 3 along x, 1 along y */
	expect(&pair, sqrt(10) - 1.5);
	pair = pair_at(&capsule, &capsule, 0.75, 0, 0);
	turn(pair.rotation_b, 1, 0, 0, 1); /* crossed segments, 0.75 apart */
	r = expect(&pair, -0.25);
	expect_normal(&r, 1, 0, 0);
	pair.offset[0] = 0; /* crossed in one point: the normal of their flat */
	r = expect(&pair, -1);
	cr_assert_float_eq(fabs(r.normal[0]), 1, 1e-9);
	cr_assert(r.status & WP_STATUS_DEGENERATE);
}

Test(strong, boxes_by_feature)
{
	const wp_core a = box_core(1, 2, 3, 0);
	const wp_core b = box_core(1, 1, 1, 0);
	wp_strong_pair pair = pair_at(&a, &b, 2.25, 0.5, 0.5); /* face to face */
	wp_strong_answer r = expect(&pair, 0.25);
	expect_normal(&r, 1, 0, 0);
	pair.offset[0] = 1.75;
	r = expect(&pair, -0.25);
	expect_normal(&r, 1, 0, 0);

	pair = pair_at(&a, &b, 5, 7, 4.5); /* corner to corner: 3, 4, 0.5 */
	expect(&pair, sqrt(9 + 16 + 0.25));
	pair = pair_at(&a, &b, 5, 7, 1); /* parallel edges */
	r = expect(&pair, 5);
	expect_normal(&r, 0.6, 0.8, 0);

	/* Edges at right angles, 45 degrees up: each reaches sqrt(2) along x. */
	pair = pair_at(&b, &b, 2.5, 0, 0);
	turn(pair.rotation_a, 0, 0, 0.41421356237309503, 1);
	turn(pair.rotation_b, 0, 0.41421356237309503, 0, 1);
	r = certified(&pair);
	cr_assert_float_eq(r.separation, 2.5 - 2 * sqrt(2), 1e-6);
	cr_assert_gt(r.normal[0], 0.999999);

	/* A box inside a larger one leaves by the nearest face: z. */
	pair = pair_at(&a, &b, 0.1, 0.25, -2.5);
	turn(pair.rotation_b, 0, 0, 1, 0);
	r = expect(&pair, -1.5);
	expect_normal(&r, 0, 0, -1);
}

Test(strong, rotation_is_normalised_and_world_axes_come_out)
{
	const wp_core a = box_core(1, 2, 3, 0.25f);
	const wp_core b = box_core(0.5f, 0.5f, 0.5f, 0.25f);
	wp_strong_pair pair = pair_at(&a, &b, 0, 4, 0);
	pair.rotation_a[2] = pair.rotation_a[3] = 0.71f; /* x of A is y of the world; length 1.004 */
	const wp_strong_answer r = expect(&pair, 4 - 1 - 0.5 - 0.5);
	expect_normal(&r, 0, 1, 0);
	cr_assert_float_eq(r.point_a[1], 1.25, 1e-9);
	cr_assert_float_eq(r.point_b[1], 3.25, 1e-9);
}

Test(strong, sizes_from_denormal_to_largest)
{
	static const float sizes[] = {1.4e-45f, 1e-40f, 1.2e-38f, 1e-20f, 1e-6f, 1e6f, 1e20f, 1e30f};
	for (size_t i = 0; i < WP_COUNT_OF(sizes); i++) {
		const double s = (double)sizes[i];
		const wp_core cube = box_core(sizes[i], sizes[i], sizes[i], 0);
		wp_strong_pair pair = pair_at(&cube, &cube, 1.5 * s, 0.5 * s, 0);
		expect(&pair, -0.5 * s);
		pair.offset[1] = 3 * s;
		pair.offset[2] = 6 * s;
		expect(&pair, sqrt(17) * s);
		const wp_core speck = box_core(1.4e-45f, 0, 1e-40f, 0);
		pair = pair_at(&cube, &speck, 0, 3 * s, 0);
		if (s > 1e-30) {
			const wp_strong_answer r = expect(&pair, 2 * s);
			expect_normal(&r, 0, 1, 0);
		}
	}
}

/* ---- degenerate pairs --------------------------------------------------------------------------- */

Test(strong, coincident_points_take_local_y_of_a)
{
	const wp_core a = box_core(0, 0, 0, 0.5f);
	const wp_core b = box_core(0, 0, 0, 0.25f);
	wp_strong_pair pair = pair_at(&a, &b, 0, 0, 0);
	turn(pair.rotation_a, 0, 0, 1, 1);
	wp_strong_answer r = expect(&pair, -0.75);
	expect_normal(&r, -1, 0, 0);
	cr_assert(r.status & WP_STATUS_DEGENERATE);
	cr_assert_eq(r.iterations, 0);

	const wp_core zero = box_core(0, 0, 0, 0);
	pair = pair_at(&zero, &zero, 0, 0, 0);
	r = expect(&pair, 0);
	cr_assert(r.lower == 0 && r.upper == 0);

	/* The same point reached from different origins. */
	hull_memory memory;
	float point[1][3] = {{3, -4, 5}};
	const wp_core far = hull_core(point, 1, &memory);
	pair = pair_at(&a, &far, -3, 4, -5);
	r = expect(&pair, -0.5);
	cr_assert(r.status & WP_STATUS_DEGENERATE);
	pair = pair_at(&far, &far, 0, 0, 0);
	expect(&pair, 0);
	pair = pair_at(&far, &far, 0, 0, 1e-3);
	r = expect(&pair, 1e-3);
	expect_normal(&r, 0, 0, 1);
}

Test(strong, flats_and_lines)
{
	hull_memory memory;
	float corners[5][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 0, 0}, {0.5f, 0.5f, 0}};
	const wp_core triangle = hull_core(corners, 5, &memory); /* a duplicate, an interior point */
	const wp_core plate = box_core(1, 1, 0, 0);
	const wp_core segment = box_core(0, 1, 0, 0);
	const wp_core *flats[] = {&triangle, &plate, &segment};
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 2; k++) {
			wp_strong_pair pair = pair_at(flats[i], flats[k], -0.25, -0.125, 0);
			wp_strong_answer r = expect(&pair, 0);
			cr_assert(r.status & WP_STATUS_DEGENERATE);
			cr_assert_float_eq(fabs(r.normal[2]), 1, 1e-9);
			pair.offset[2] = -0.5; /* lifted off the flat: no longer degenerate */
			r = expect(&pair, 0.5);
			expect_normal(&r, 0, 0, -1);
			cr_assert_eq(r.status, 0);
		}

	/* Apart within their plane: a gap, not a flat contact. */
	wp_strong_pair pair = pair_at(&plate, &plate, 2.25, 0, 0);
	wp_strong_answer r = expect(&pair, 0.25);
	expect_normal(&r, 1, 0, 0);

	/* On one line: overlapping takes a perpendicular, apart the line. */
	pair = pair_at(&segment, &segment, 0, 1, 0);
	r = expect(&pair, 0);
	cr_assert(r.status & WP_STATUS_DEGENERATE);
	cr_assert_float_eq(r.normal[1], 0, 1e-9);
	pair.offset[1] = 2.5;
	r = expect(&pair, 0.5);
	expect_normal(&r, 0, 1, 0);
}

Test(strong, exact_touch)
{
	const wp_core cube = box_core(1, 1, 1, 0);
	const wp_core ball = box_core(0, 0, 0, 1);
	for (int face = 0; face < 8; face++) {
		wp_strong_pair pair = pair_at(&cube, &cube, face & 1 ? 2 : 0.5, face & 2 ? -2 : 0.25, face & 4 ? 2 : 0);
		expect(&pair, face == 0 ? -1.5 : 0);
	}
	wp_strong_pair pair = pair_at(&cube, &ball, 0, 0, -2);
	const wp_strong_answer r = expect(&pair, 0);
	expect_normal(&r, 0, 0, -1);
}

/* Separations around touch are continuous and monotone, to the last digits. */
Test(strong, sweep_through_touch)
{
	const wp_core cube = box_core(1, 1, 1, 0);
	for (int step = -60; step <= 60; step++) {
		const double shift = step == 0 ? 0 : (step < 0 ? -1 : 1) * pow(10, -15 + abs(step) / 4.0);
		if (fabs(shift) > 0.5)
			continue;
		wp_strong_pair pair = pair_at(&cube, &cube, 2 + shift, 0.3, -0.2);
		expect(&pair, shift);
	}
}

Test(strong, thin_needles_and_plates)
{
	const wp_core cube = box_core(1, 1, 1, 0);
	for (int power = 0; power <= 12; power++) {
		const float thin = (float)pow(10, -power);
		const double t = (double)thin;
		const wp_core plate = box_core(1, 1, thin, 0);
		const wp_core needle = box_core(1, thin, thin, 0);
		wp_strong_pair pair = pair_at(&plate, &plate, 0.1, 0.2, 0);
		expect(&pair, power == 0 ? -1.8 : -2 * t);
		pair = pair_at(&plate, &plate, 0.1, 0.2, 0.5 * t);
		expect(&pair, -1.5 * t);
		pair = pair_at(&plate, &cube, 0.1, 0.2, 1);
		wp_strong_answer r = expect(&pair, -t);
		if (power > 0 && power <= 8)
			expect_normal(&r, 0, 0, 1);
		pair = pair_at(&needle, &cube, 0, 1 + 0.5 * t, 0);
		expect(&pair, -0.5 * t);
		pair = pair_at(&needle, &needle, 0.5, 0, 1.5 * t);
		expect(&pair, -0.5 * t);
		pair = pair_at(&needle, &needle, 0.5, 0, 4 * t);
		r = expect(&pair, 2 * t);
		expect_normal(&r, 0, 0, 1);
	}
}

Test(strong, size_ratios)
{
	const wp_core cube = box_core(1, 1, 1, 0);
	for (int power = 1; power <= 30; power++) {
		const float size = (float)pow(10, -power);
		const wp_core small = box_core(size, size, size, 0);
		wp_strong_pair pair = pair_at(&cube, &small, 0.25, 0.125, 0.5);
		wp_strong_answer r = expect(&pair, -0.5 - (double)size);
		expect_normal(&r, 0, 0, 1);
		pair = pair_at(&small, &cube, 1.5 + (double)size, 0, 0);
		r = expect(&pair, 0.5);
		expect_normal(&r, 1, 0, 0);
	}
}

/* ---- random pairs ------------------------------------------------------------------------------- */

static uint64_t state;

static double uniform(void) /* in [-1, 1) */
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(int64_t)(state ^ state >> 29) * 0x1p-63;
}

static wp_strong_pair swapped(const wp_strong_pair *pair)
{
	wp_strong_pair other = *pair;
	other.a = pair->b;
	other.b = pair->a;
	memcpy(other.rotation_a, pair->rotation_b, sizeof other.rotation_a);
	memcpy(other.rotation_b, pair->rotation_a, sizeof other.rotation_b);
	for (int i = 0; i < 3; i++)
		other.offset[i] = -pair->offset[i];
	return other;
}

/* Both orders are certified, and their brackets have a value in common. */
static wp_strong_answer certified_both_ways(const wp_strong_pair *pair)
{
	const wp_strong_pair other = swapped(pair);
	const wp_strong_answer r = certified(pair);
	const wp_strong_answer s = certified(&other);
	const double e = extent(pair, r.separation);
	cr_assert_leq(fmax(r.lower, s.lower), fmin(r.upper, s.upper) + 1e-15 * e);
	if (((r.status | s.status) & WP_STATUS_WIDE_BRACKET) == 0)
		cr_assert_float_eq(r.separation, s.separation, 2 * TOLERANCE * e);
	return r;
}

/* Depth of overlapping boxes: the largest gap over 6 face normals and 9 edge cross products. */
static double gap_by_axes(const wp_strong_pair *pair)
{
	double axes[6][3], best = -INFINITY;
	for (int i = 0; i < 3; i++) {
		const double unit[3] = {i == 0, i == 1, i == 2};
		turned(pair->rotation_a, unit, 1, axes[i]);
		turned(pair->rotation_b, unit, 1, axes[3 + i]);
	}
	for (int test = 0; test < 15; test++) {
		const double *u = axes[test < 6 ? test : (test - 6) / 3];
		const double *v = axes[test < 6 ? test : 3 + test % 3];
		double n[3];
		for (int i = 0; i < 3; i++)
			n[i] = test < 6 ? u[i] : u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
		const double length = sqrt(dot(n, n));
		if (length < 1e-9)
			continue;
		const double sign = dot(n, pair->offset) < 0 ? -1 : 1;
		for (int i = 0; i < 3; i++)
			n[i] *= sign / length;
		best = fmax(best,
			dot(n, pair->offset) - reach(pair->a, pair->rotation_a, n, 1) - reach(pair->b, pair->rotation_b, n, -1));
	}
	return best;
}

Test(strong, boxes_agree_with_separating_axes)
{
	state = 1;
	int overlapping = 0;
	for (int round = 0; round < 3000; round++) {
		float half[6];
		for (int i = 0; i < 6; i++)
			half[i] = (float)(0.05 + fabs(uniform()));
		const wp_core a = box_core(half[0], half[1], half[2], 0);
		const wp_core b = box_core(half[3], half[4], half[5], 0);
		wp_strong_pair pair = pair_at(&a, &b, uniform(), uniform(), uniform());
		turn(pair.rotation_a, uniform(), uniform(), uniform(), uniform());
		if (round % 3 == 0) /* face to face but for a small tilt */
			turn(pair.rotation_b, (double)pair.rotation_a[0] + 1e-5 * uniform(), (double)pair.rotation_a[1],
				(double)pair.rotation_a[2], (double)pair.rotation_a[3]);
		else
			turn(pair.rotation_b, uniform(), uniform(), uniform(), uniform());
		const double gap = gap_by_axes(&pair);
		const wp_strong_answer r = certified_both_ways(&pair);
		cr_assert_eq(r.status, 0);
		if (gap <= 0) {
			cr_assert_float_eq(r.separation, gap, 1e-9);
			overlapping++;
		} else {
			cr_assert_geq(r.separation, gap - 1e-9);
		}
	}
	cr_assert_gt(overlapping, 1000);
}

/* Points of a lattice, of a plane, of slabs and needles thin as rounding: nearly everything parallel,
 * collinear, coplanar or duplicate. */
static void degenerate_points(int kind, float (*points)[3], uint32_t count)
{
	const double thin = pow(10, -6 + 5 * uniform());
	for (uint32_t i = 0; i < count; i++)
		for (int axis = 0; axis < 3; axis++) {
			const double u = uniform();
			const double lattice = u < -0.33 ? -1 : u < 0.33 ? 0 : 1;
			points[i][axis] = (float)(kind == 0   ? lattice
									  : kind == 1 ? (axis == 2 ? 0 : lattice)
									  : kind == 2 ? (axis == 2 ? thin * u : u)
												  : (axis == 1 ? u : thin * u));
		}
}

Test(strong, degenerate_hulls_are_certified_both_ways)
{
	state = 2;
	hull_memory memory[2];
	float points[40][3];
	for (int round = 0; round < 6000; round++) {
		wp_core cores[2];
		for (int i = 0; i < 2; i++) {
			const uint32_t count = 1 + (uint32_t)(19 * (1 + uniform()));
			degenerate_points(round / (i == 0 ? 1 : 4) % 4, points, count);
			cores[i] = hull_core(points, count, &memory[i]);
		}
		const double size = round % 5 == 0 ? 0 : round % 5 == 1 ? 1e-7 : 1;
		wp_strong_pair pair = pair_at(&cores[0], &cores[1], size * uniform(), size * uniform(), size * uniform());
		if (round % 3 == 0)
			turn(pair.rotation_b, 1e-7 * uniform(), 1e-7 * uniform(), 0, 1);
		if (round % 3 == 1)
			turn(pair.rotation_a, uniform(), uniform(), uniform(), uniform());
		const wp_strong_answer r = certified_both_ways(&pair);
		cr_assert_eq(r.status & WP_STATUS_WIDE_BRACKET, 0);
	}
}

/* ---- many vertices ------------------------------------------------------------------------------ */

static wp_core ball_core(uint32_t count, hull_memory *memory)
{
	static float points[HULL_MAX][3];
	for (uint32_t i = 0; i < count; i++) {
		double p[3], square = 0;
		do {
			for (int axis = 0; axis < 3; axis++)
				p[axis] = uniform();
			square = dot(p, p);
		} while (square > 1 || square < 0.01);
		for (int axis = 0; axis < 3; axis++)
			points[i][axis] = (float)(p[axis] / sqrt(square));
	}
	return hull_core(points, count, memory);
}

Test(strong, smooth_hulls_converge_or_say_so)
{
	static hull_memory memory[2];
	state = 3;
	const wp_core a = ball_core(4096, &memory[0]);
	const wp_core b = ball_core(4096, &memory[1]);
	for (int step = 0; step <= 20; step++) {
		const double x = step * 0.1;
		wp_strong_pair pair = pair_at(&a, &b, x, 0, 0);
		const wp_strong_answer r = certified(&pair);
		cr_assert_float_eq(r.separation, x - 2, 0.02);
		cr_assert(r.lower <= r.upper && r.upper - r.lower < 0.02);
		if (step >= 5)
			cr_assert_eq(r.status, 0, "at %g: status %x", x, r.status);
		else if (r.status & WP_STATUS_CAPACITY)
			cr_assert(r.status & WP_STATUS_WIDE_BRACKET);
	}
}

Test(strong, same_bits_again_and_memory_within_bounds)
{
	static hull_memory memory;
	state = 4;
	const wp_core a = ball_core(512, &memory);
	const wp_core b = box_core(0.5f, 0.1f, 2, 0.1f);
	wp_strong_pair pair = pair_at(&a, &b, 0.01, -0.02, 0.03);
	turn(pair.rotation_b, 0.1, 0.2, 0.3, 0.4);
	const size_t size = wp_strong_memory_size();
	cr_assert_leq(size, (size_t)256 << 10);
	unsigned char *const block = malloc(size + 64);
	wp_strong_answer answers[2];
	for (int i = 0; i < 2; i++) {
		memset(block, i == 0 ? 0 : 0xff, size + 64);
		memset(&answers[i], 0, sizeof answers[i]);
		wp_strong_solve(&pair, (wp_strong_memory *)(void *)block, &answers[i]);
		for (size_t at = size; at < size + 64; at++)
			cr_assert_eq(block[at], i == 0 ? 0 : 0xff);
	}
	cr_assert_eq(memcmp(&answers[0], &answers[1], sizeof answers[0]), 0);
	free(block);
}
