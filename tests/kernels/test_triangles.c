/* Spheres and capsules against triangles in closed form. Each answer is held to two proofs that share nothing with it: the
 * support planes along its normal are as far apart as it says; and no other answer is nearer, since the nearest places that it
 * names are no further apart, or, of a segment that crosses the triangle, since no axis of both has a larger gap. */
#include "wide/closed/triangles.h"

#include "support/gen_random.h"
#include "support/variant.h"
#include "support/vector.h"

#include <math.h>

/* Of the larger of triangle and segment: ten times what counts as touching. */
static const double rounding = 10 * WP_MEASURE_TOUCH;

static wp_measure measure;
static wp_measured measured;
static uint32_t count;

typedef struct triangle {
	v3 corner[3];
} triangle;

static v3 half_of_core(void) { return v3_of(measure.along[0], measure.along[1], measure.along[2]); }

static v3 column(double (*columns)[WP_MEASURE_MAX], uint32_t at)
{
	return v3_of(columns[0][at], columns[1][at], columns[2][at]);
}

/* From the middle of the core on. */
static triangle triangle_at(uint32_t at)
{
	triangle t;
	for (int k = 0; k < 3; k++)
		t.corner[k] = v3_sub(
			column(measure.corner + 3 * k, at), v3_of(measure.origin[0], measure.origin[1], measure.origin[2]));
	return t;
}

static v3 edge_of(const triangle *t, uint32_t k) { return v3_sub(t->corner[(k + 1) % 3], t->corner[k]); }

static v3 area_of(const triangle *t) { return v3_cross(edge_of(t, 0), edge_of(t, 1)); }

static double size_of(const triangle *t)
{
	double size = v3_length(half_of_core());
	for (uint32_t k = 0; k < 3; k++)
		size = fmax(size, v3_length(edge_of(t, k)));
	return size;
}

/* The gap between the triangle and the core along a unit direction from the one to the other. */
static double gap_along(const triangle *t, v3 n)
{
	double most = -INFINITY;
	for (int k = 0; k < 3; k++)
		most = fmax(most, v3_dot(n, t->corner[k]));
	return -fabs(v3_dot(n, half_of_core())) - most;
}

static double clamp(double a, double low, double high) { return fmin(fmax(a, low), high); }

/* How far a place is from the feature that it is said to be on. */
static double off_feature(const triangle *t, uint32_t feature, v3 place)
{
	if (feature >= WP_MEASURE_CORNER)
		return v3_length(v3_sub(place, t->corner[feature - WP_MEASURE_CORNER]));
	if (feature != WP_MEASURE_FACE) {
		const v3 a = t->corner[feature - WP_MEASURE_EDGE], edge = edge_of(t, feature - WP_MEASURE_EDGE);
		const double share = clamp(v3_dot(v3_sub(place, a), edge) / v3_dot(edge, edge), 0, 1);
		return v3_length(v3_sub(place, v3_add(a, v3_scale(edge, share))));
	}
	const v3 face = v3_unit(area_of(t));
	double off = fabs(v3_dot(face, v3_sub(place, t->corner[0])));
	for (uint32_t k = 0; k < 3; k++) {
		const v3 inward = v3_unit(v3_cross(face, edge_of(t, k)));
		off = fmax(off, -v3_dot(inward, v3_sub(place, t->corner[k])));
	}
	return off;
}

/* The largest gap along the axes of a triangle and a segment: the depth where they overlap. */
static double depth_of(const triangle *t)
{
	const v3 face = v3_unit(area_of(t));
	double most = fmax(gap_along(t, face), gap_along(t, v3_scale(face, -1)));
	for (uint32_t k = 0; k < 3; k++) {
		const v3 axis = v3_cross(edge_of(t, k), half_of_core());
		if (!(v3_length(axis) > 1e-9 * v3_length(edge_of(t, k)) * v3_length(half_of_core())))
			continue;
		most = fmax(most, fmax(gap_along(t, v3_unit(axis)), gap_along(t, v3_scale(v3_unit(axis), -1))));
	}
	return most;
}

/* Both proofs of the answer for a triangle. */
static void check_answer(uint32_t at)
{
	const triangle t = triangle_at(at);
	const double size = size_of(&t), distance = measured.distance[at], place = measured.place[at];
	const v3 n = column(measured.normal, at), face = column(measured.face, at);
	const double reach = v3_length(t.corner[0]) + size, off = rounding * size;
	CHECK(fabs(v3_length(n) - 1) < rounding, "triangle %u: a normal of length %g", at, v3_length(n));
	CHECK(-v3_dot(face, t.corner[0]) > -1e-14 * reach, "triangle %u: the face is turned away", at);
	CHECK(v3_length(v3_cross(face, v3_unit(area_of(&t)))) < rounding, "triangle %u: another face", at);
	CHECK(fabs(gap_along(&t, n) - distance) < off, "triangle %u: support planes %g apart, not %g, size %g", at,
		gap_along(&t, n), distance, size);
	CHECK(fabs(place) <= 1, "triangle %u: a place at %g", at, place);
	const v3 on_triangle = v3_sub(v3_scale(half_of_core(), place), v3_scale(n, distance));
	const uint32_t feature = (uint32_t)measured.feature[at];
	if (distance >= 0)
		CHECK(off_feature(&t, feature, on_triangle) < off, "triangle %u: a place %g off feature %u, size %g", at,
			off_feature(&t, feature, on_triangle), feature, size);
	else
		CHECK(fabs(depth_of(&t) - distance) < off, "triangle %u: depth %g, not %g", at, depth_of(&t), distance);
	CHECK(fabs(measured.longest2[at] -
			   pow(fmax(fmax(v3_length(edge_of(&t, 0)), v3_length(edge_of(&t, 1))), v3_length(edge_of(&t, 2))), 2)) <
			  1e-12 * size * size,
		"triangle %u: another longest edge", at);
}

/* A segment without length has the bits of a ball. */
static void check_as_segment(void)
{
	static wp_measured other;
	wp_measure_run(&measure, count, false, &other);
	cr_assert(other.near == measured.near && other.behind == measured.behind);
	for (uint32_t at = 0; at < count; at++) {
		if ((measured.near >> at & 1) == 0)
			continue;
		bool is_same = measured.feature[at] == other.feature[at] && measured.longest2[at] == other.longest2[at] &&
		               memcmp(&measured.distance[at], &other.distance[at], sizeof(double)) == 0;
		for (int k = 0; k < 3; k++)
			is_same &= memcmp(&measured.normal[k][at], &other.normal[k][at], sizeof(double)) == 0 &&
			           memcmp(&measured.face[k][at], &other.face[k][at], sizeof(double)) == 0;
		CHECK(is_same, "triangle %u: other bits", at);
	}
}

/* Measure all triangles, each of which is near if the core's middle is in front, or from both sides. */
static void check_all(void)
{
	const bool is_ball = v3_length(half_of_core()) == 0;
	measure.most = INFINITY;
	for (int sides = 1; sides <= 2; sides++) {
		measure.is_two_sided = sides == 2;
		for (uint32_t at = count; at % WP_WIDTH_D != 0; at++)
			for (int k = 0; k < 9; k++)
				measure.corner[k][at] = measure.corner[k][count - 1];
		wp_measure_run(&measure, count, is_ball, &measured);
		if (is_ball)
			check_as_segment();
		for (uint32_t at = 0; at < count; at++) {
			const bool is_near = measured.near >> at & 1, is_behind = measured.behind >> at & 1;
			CHECK(is_near != is_behind && (sides == 1 || is_near), "triangle %u: %d %d", at, is_near, is_behind);
			if (is_near)
				check_answer(at);
		}
	}
}

static void set_core(v3 middle, v3 half)
{
	const double at[3] = {middle.x, middle.y, middle.z}, along[3] = {half.x, half.y, half.z};
	memcpy(measure.origin, at, sizeof at);
	memcpy(measure.along, along, sizeof along);
	count = 0;
}

static void add_triangle(v3 a, v3 b, v3 c)
{
	const double numbers[9] = {a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z};
	for (int k = 0; k < 9; k++)
		measure.corner[k][count] = numbers[k];
	count++;
}

/* Both windings. */
static void add_both(v3 a, v3 b, v3 c)
{
	add_triangle(a, b, c);
	add_triangle(a, c, b);
}

static v3 any_place(gen_random *random, v3 around, double far)
{
	return v3_add(around, v3_scale(gen_direction(random), far * gen_range(random, 0, 1)));
}

/* Of any shape, some of them slivers of 1 to 1e6, near the origin of coordinates and far away. */
VARIANT_TEST(triangles, of_any_shape)
{
	gen_random random;
	gen_seed(&random, 3);
	for (uint32_t round = 0; round < 400; round++) {
		const v3 middle = round % 4 == 3 ? v3_of(1e6, -2e6, 3e5) : any_place(&random, v3_of(0, 0, 0), 1);
		const v3 half = round % 2 ? v3_scale(gen_direction(&random), gen_magnitude(&random, 1e-3, 10)) : v3_of(0, 0, 0);
		set_core(middle, half);
		const uint32_t wanted = 1 + gen_below(&random, WP_MEASURE_MAX);
		while (count < wanted) {
			const v3 a = any_place(&random, middle, 2), b = any_place(&random, middle, 2);
			const double share = gen_range(&random, -1, 2),
						 high = gen_magnitude(&random, round % 4 == 3 ? 1e-3 : 1e-6, 1);
			const v3 on_line = v3_add(a, v3_scale(v3_sub(b, a), share));
			const v3 aside = v3_across(v3_sub(b, a));
			if (v3_length(v3_sub(b, a)) > 0.1)
				add_triangle(a, b, v3_add(on_line, v3_scale(v3_unit(aside), high)));
		}
		check_all();
	}
}

/* The middle of a ball on the plane, the edges and the corners of triangles, beside them and nearly there. */
VARIANT_TEST(triangles, touched_by_a_point)
{
	const v3 a = v3_of(0, 0, 0), b = v3_of(4, 0, 0), c = v3_of(0, 0, 4);
	const v3 places[] = {
		a, b, c, {2, 0, 0}, {2, 0, 2}, {0, 0, 1}, {1, 0, 1}, {-1, 0, 0}, {5, 0, -1}, {2, 0, -1}, {3, 0, 3}};
	for (size_t i = 0; i < COUNT_OF(places); i++)
		for (double up = 0; up < 1; up = up == 0 ? 1e-15 : up * 1e3) {
			set_core(v3_add(places[i], v3_of(0, up, 0)), v3_of(0, 0, 0));
			add_both(a, b, c);
			add_both(v3_of(-3, 0, -3), v3_of(7, 0, -3), v3_of(-3, 0, 7));
			check_all();
		}
}

/* Segments in the plane, along edges, through corners, edges and faces, upright, and all but these. */
VARIANT_TEST(triangles, crossed_by_segments)
{
	const v3 a = v3_of(0, 0, 0), b = v3_of(4, 0, 0), c = v3_of(0, 0, 4);
	const v3 middles[] = {
		a, b, {2, 0, 0}, {1, 0, 1}, {-1, 0, 0}, {0, 1, 0}, {2, 0, -0.5}, {1, 0.25, 1}, {6, 0, 0}, {2, 1, 0}};
	const v3 halves[] = {{1, 0, 0}, {0, 0, 2}, {0, 1, 0}, {1, 0, -1}, {1, 1, 0}, {0.5, -1, 0.25}, {8, 0, 0},
		{1, 1e-7, 0}, {1, 0, 1e-12}, {0, 3, 1e-9}, {-2, 1e-3, 2}, {1e-6, 1e-6, 0}};
	for (size_t i = 0; i < COUNT_OF(middles); i++)
		for (size_t k = 0; k < COUNT_OF(halves); k++)
			for (double off = 0; off < 1; off = off == 0 ? 1e-14 : off * 100) {
				set_core(v3_add(middles[i], v3_of(0.3 * off, off, -0.7 * off)), halves[k]);
				add_both(a, b, c);
				add_both(v3_of(-3, 0, -3), v3_of(7, 0, -3), v3_of(-3, 0, 7));
				check_all();
			}
}

/* A triangle without an area is as near as its edges, and faces nowhere. */
VARIANT_TEST(triangles, without_an_area)
{
	set_core(v3_of(1, 2, 0), v3_of(0.5, 0, 0));
	add_triangle(v3_of(0, 0, 0), v3_of(1, 0, 0), v3_of(3, 0, 0));
	add_triangle(v3_of(1, 1, 0), v3_of(1, 1, 0), v3_of(1, 1, 0));
	measure.most = INFINITY;
	measure.is_two_sided = false;
	for (int k = 0; k < 9; k++)
		for (uint32_t at = count; at < WP_WIDTH_D; at++)
			measure.corner[k][at] = 0;
	for (int is_ball = 0; is_ball < 2; is_ball++) {
		wp_measure_run(&measure, count, is_ball == 1, &measured);
		cr_assert(measured.near == 3 && measured.behind == 0);
		for (uint32_t at = 0; at < count; at++) {
			const v3 n = column(measured.normal, at);
			CHECK(fabs(measured.distance[at] - (2.0 - at)) < rounding && fabs(n.y - 1) < rounding, "triangle %u", at);
			CHECK(v3_length(column(measured.face, at)) == 0, "triangle %u", at);
		}
	}
}

/* What is near is as near as the limit. */
VARIANT_TEST(triangles, within_a_limit)
{
	gen_random random;
	gen_seed(&random, 5);
	size_t near = 0, all = 0;
	for (uint32_t round = 0; round < 50; round++) {
		static double distance[WP_MEASURE_MAX];
		const bool is_ball = round % 2 == 0;
		set_core(v3_of(0, 0, 0), is_ball ? v3_of(0, 0, 0) : v3_scale(gen_direction(&random), 0.5));
		while (count < WP_MEASURE_MAX) {
			const v3 at = any_place(&random, v3_of(0, 0, 0), 3);
			add_triangle(any_place(&random, at, 1), any_place(&random, at, 1), any_place(&random, at, 1));
		}
		measure.is_two_sided = true;
		measure.most = INFINITY;
		wp_measure_run(&measure, count, is_ball, &measured);
		memcpy(distance, measured.distance, sizeof distance);
		measure.most = 0.7;
		wp_measure_run(&measure, count, is_ball, &measured);
		for (uint32_t at = 0; at < count; at++) {
			const bool is_near = measured.near >> at & 1;
			CHECK(is_near == (distance[at] <= 0.7), "round %u, triangle %u at %g", round, at, distance[at]);
			CHECK(!is_near || measured.distance[at] == distance[at], "round %u, triangle %u: other bits", round, at);
			near += is_near;
		}
		all += count;
	}
	cr_assert(near > all / 20 && near < all / 2, "%zu of %zu are near", near, all);
}
