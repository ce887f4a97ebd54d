/* Hulls of few vertices: made of the inputs, within them, and as far from them as reported, by brute force. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/unit.h"
#include "support/vector.h"
#include "widephase/cook.h"
#include "widephase/query.h"

#define POINTS_MAX 2000

/* Up to so many vertices the brute force takes vertices alone, all simplices of them; beyond, faces. */
#define SIMPLICES_MAX 10

static float points[POINTS_MAX][3];
static size_t point_count;

static uint32_t random_state = 11;

static double random_unit(void)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (double)(random_state >> 8) * 0x1p-24;
}

static size_t random_below(size_t count) { return (size_t)(random_unit() * (double)count); }

static void add(double x, double y, double z)
{
	cr_assert(point_count < POINTS_MAX);
	points[point_count][0] = (float)x;
	points[point_count][1] = (float)y;
	points[point_count++][2] = (float)z;
}

/* ---- brute force -------------------------------------------------------------------------------- */

static double distance_to_segment(v3 p, v3 a, v3 b)
{
	const v3 d = v3_sub(b, a), to = v3_sub(p, a);
	const double square = v3_dot(d, d);
	const double t = square > 0 ? fmin(fmax(v3_dot(to, d) / square, 0), 1) : 0;
	return v3_length(v3_sub(to, v3_scale(d, t)));
}

/* The nearest edge, or the plane where the foot lies on the inner side of all edges. */
static double distance_to_triangle(v3 p, v3 a, v3 b, v3 c)
{
	const v3 n = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
	const double edges = fmin(
		distance_to_segment(p, a, b), fmin(distance_to_segment(p, b, c), distance_to_segment(p, c, a)));
	const bool within = v3_dot(v3_cross(n, v3_sub(b, a)), v3_sub(p, a)) > 0 &&
	                    v3_dot(v3_cross(n, v3_sub(c, b)), v3_sub(p, b)) > 0 &&
	                    v3_dot(v3_cross(n, v3_sub(a, c)), v3_sub(p, c)) > 0;
	return within ? fmin(edges, fabs(v3_dot(n, v3_sub(p, a)))) : edges;
}

static double volume_of(v3 a, v3 b, v3 c, v3 d) { return v3_dot(v3_sub(a, d), v3_cross(v3_sub(b, d), v3_sub(c, d))); }

/* To the mean of the corners by the volumes between them and the point: 0 within, but for rounding. Infinite
 * without. What flat tetrahedra make of it is corrected by how far it is off. */
static double distance_in_tetrahedron(v3 p, v3 a, v3 b, v3 c, v3 d)
{
	const double whole = volume_of(a, b, c, d);
	double u = 0, v = 0, w = 0;
	v3 off = v3_sub(p, d);
	for (int pass = 0; pass < 3; pass++) {
		const v3 target = v3_add(d, off);
		u += volume_of(target, b, c, d) / whole;
		v += volume_of(a, target, c, d) / whole;
		w += volume_of(a, b, target, d) / whole;
		const v3 mean = v3_add(v3_scale(v3_sub(a, d), u), v3_add(v3_scale(v3_sub(b, d), v), v3_scale(v3_sub(c, d), w)));
		off = v3_sub(v3_sub(p, d), mean);
	}
	return u >= 0 && v >= 0 && w >= 0 && u + v + w <= 1 ? v3_length(off) : INFINITY;
}

/* From the hull of a few vertices: the nearest of all triangles and tetrahedra of these. */
static double distance_by_simplices(v3 p, const v3 *vertex, size_t count)
{
	double least = INFINITY;
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j <= i; j++) {
			for (size_t k = 0; k <= j; k++) {
				least = fmin(least, distance_to_triangle(p, vertex[i], vertex[j], vertex[k]));
				for (size_t m = 0; m < k; m++)
					least = fmin(least, distance_in_tetrahedron(p, vertex[i], vertex[j], vertex[k], vertex[m]));
			}
		}
	}
	return least;
}

static v3 vertex_of(const wp_hull *hull, size_t index)
{
	float vertex[3];
	wp_hull_vertex(hull, index, vertex);
	return v3_of_floats(vertex);
}

/* By the triangles of the faces: 0 behind the planes of all of a solid, else to the nearest. */
static double distance_by_faces(v3 p, const wp_hull *hull)
{
	double least = INFINITY;
	bool outside = wp_hull_face_count(hull) == 2;
	for (size_t face = 0; face < wp_hull_face_count(hull); face++) {
		size_t size;
		const uint32_t *const index = wp_hull_face(hull, face, &size);
		const v3 a = vertex_of(hull, index[0]);
		for (size_t i = 2; i < size; i++) {
			const v3 b = vertex_of(hull, index[i - 1]), c = vertex_of(hull, index[i]);
			outside = outside || v3_dot(v3_sub(p, a), v3_cross(v3_sub(b, a), v3_sub(c, a))) > 0;
			least = fmin(least, distance_to_triangle(p, a, b, c));
		}
	}
	return outside ? least : 0;
}

static double error_by_force(const wp_hull *hull)
{
	v3 vertex[SIMPLICES_MAX];
	const size_t count = wp_hull_vertex_count(hull);
	double most = 0;
	for (size_t i = 0; i < count && count <= SIMPLICES_MAX; i++)
		vertex[i] = vertex_of(hull, i);
	for (size_t i = 0; i < point_count; i++) {
		const v3 p = v3_of_floats(points[i]);
		const double distance = count <= SIMPLICES_MAX ? distance_by_simplices(p, vertex, count)
		                                               : distance_by_faces(p, hull);
		most = fmax(most, distance);
	}
	return most;
}

/* ---- checks of one result ------------------------------------------------------------------------- */

static double largest_coordinate(void)
{
	double most = 0;
	for (size_t i = 0; i < point_count; i++) {
		for (int k = 0; k < 3; k++)
			most = fmax(most, fabs((double)points[i][k]));
	}
	return most;
}

static const wp_hull *simplify(size_t max_vertices, float *error)
{
	const wp_hull *hull = NULL;
	const wp_error code = wp_cook_simplified(points[0], 0, point_count, max_vertices, &hull, error, NULL);
	cr_assert_eq(code, WP_OK, "%s", wp_error_text(code));
	const wp_hull *again = NULL;
	cr_assert_eq(wp_hull_from_memory(hull, wp_hull_byte_size(hull), &again), WP_OK);
	return hull;
}

/* Vertices are points, bit for bit, in their order. */
static void check_sources(const wp_hull *hull)
{
	size_t source = 0;
	for (size_t i = 0; i < wp_hull_vertex_count(hull); i++) {
		float vertex[3];
		wp_hull_vertex(hull, i, vertex);
		while (source < point_count && memcmp(vertex, points[source], sizeof vertex) != 0)
			source++;
		cr_assert(source < point_count, "vertex %zu is no point, or out of order", i);
		source++;
	}
}

/* Returns the error. For simplices the test knows it to the precision of double, for faces to the flatness of their
 * polygons: 2^-22 of the coordinates (see INPUT_NOISE of the cook), and more on slopes. */
static double check(const char *name, size_t max_vertices)
{
	float error = NAN, same_error = NAN;
	const wp_hull *const hull = simplify(max_vertices, &error);
	const size_t count = wp_hull_vertex_count(hull);
	cr_assert(count <= max_vertices, "%s: %zu vertices of %zu", name, count, max_vertices);
	check_sources(hull);
	const double brute = error_by_force(hull);
	const double noise = largest_coordinate() * (count <= SIMPLICES_MAX ? 1e-13 : 0x1p-20);
	cr_assert((double)error >= brute - noise, "%s, %zu of %zu points: error %g (%a), by force %g (%a)", name, count,
		point_count, (double)error, (double)error, brute, brute);
	cr_assert((double)error <= brute * (1 + 0x1p-22) + noise + 0x1p-149,
		"%s, %zu of %zu points: error %g (%a), by force %g (%a)", name, count, point_count, (double)error,
		(double)error, brute, brute);
	const wp_hull *const again = simplify(max_vertices, &same_error);
	cr_assert_eq(wp_hull_byte_size(hull), wp_hull_byte_size(again));
	cr_assert_eq(memcmp(hull, again, wp_hull_byte_size(hull)), 0, "%s: another hull of the same points", name);
	cr_assert_eq(memcmp(&error, &same_error, sizeof error), 0);
	wp_cook_free(again);
	wp_cook_free(hull);
	return (double)error;
}

/* ---- known answers ------------------------------------------------------------------------------ */

static void make_cube(void)
{
	point_count = 0;
	for (unsigned i = 0; i < 8; i++)
		add(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
}

/* Small tips on the faces go first, and the error is their height. */
Test(simplify, cube_with_tips)
{
	make_cube();
	for (int k = 0; k < 3; k++) {
		for (int sign = -1; sign <= 1; sign += 2)
			add(sign * 1.03125 * (k == 0), sign * 1.03125 * (k == 1), sign * 1.03125 * (k == 2));
	}
	float error;
	const wp_hull *hull = simplify(8, &error);
	cr_assert_eq(wp_hull_vertex_count(hull), 8);
	cr_assert_eq(wp_hull_face_count(hull), 6);
	for (size_t i = 0; i < 8; i++) {
		float vertex[3];
		wp_hull_vertex(hull, i, vertex);
		cr_assert_eq(memcmp(vertex, points[i], sizeof vertex), 0);
	}
	cr_assert((double)error >= 0x1p-5 && (double)error <= 0x1p-5 * (1 + 0x1p-22), "%a", (double)error);
	wp_cook_free(hull);
	hull = simplify(14, &error);
	cr_assert_eq(wp_hull_vertex_count(hull), 14);
	cr_assert_eq(error, 0.0f);
	wp_cook_free(hull);
}

/* If the limit is large enough, the bits equal wp_cook_points'; the error is 0 if all points are vertices, and
 * otherwise rounding. */
Test(simplify, enough_vertices)
{
	for (int round = 0; round < 100; round++) {
		point_count = 0;
		const size_t count = 1 + random_below(60);
		while (point_count < count)
			add(random_unit(), round % 2 ? random_unit() : 0, random_unit());
		const wp_hull *hull = NULL;
		cr_assert_eq(wp_cook_points(points[0], 0, point_count, &hull, NULL), WP_OK);
		const size_t needed = wp_hull_vertex_count(hull) < 4 ? 4 : wp_hull_vertex_count(hull);
		for (size_t most = needed; most < needed + 3; most++) {
			float error;
			const wp_hull *const same = simplify(most == needed + 2 ? SIZE_MAX : most, &error);
			cr_assert_eq(wp_hull_byte_size(hull), wp_hull_byte_size(same));
			cr_assert_eq(memcmp(hull, same, wp_hull_byte_size(hull)), 0);
			cr_assert(error >= 0 && error < 1e-13f, "%g", (double)error);
			if (wp_hull_vertex_count(hull) == point_count)
				cr_assert_eq(error, 0.0f);
			wp_cook_free(same);
		}
		wp_cook_free(hull);
	}
}

/* A regular polygon keeps every other corner. */
Test(simplify, polygons)
{
	for (size_t sides = 8; sides <= 128; sides *= 2) {
		point_count = 0;
		for (size_t i = 0; i < sides; i++) {
			const double turn = 6.283185307179586 * (double)i / (double)sides;
			add(3 + cos(turn), 3 + sin(turn), 1);
		}
		const double error = check("polygon", sides / 2);
		const double expected = 1 - cos(6.283185307179586 / (double)sides);
		cr_assert(fabs(error - expected) < 1e-6, "%zu sides: %g, not %g", sides, error, expected);
	}
}

static void make_sphere(size_t count)
{
	point_count = 0;
	for (size_t i = 0; i < count; i++) {
		const double z = 2.0 * ((double)i + 0.5) / (double)count - 1.0;
		const double turn = 2.399963229728653 * (double)i;
		add(sqrt(1 - z * z) * cos(turn), sqrt(1 - z * z) * sin(turn), z);
	}
}

/* Of equilateral triangles inscribed in a sphere, 2 n - 4 of them, the middles would be nearest: no choice of
 * n points has a lower error. The greedy one stays below twice that. */
Test(simplify, spheres)
{
	make_sphere(1500);
	for (size_t most = 8; most <= 256; most *= 2) {
		const double error = check("sphere", most);
		const double area = 4 * 3.141592653589793 / (2.0 * (double)most - 4);
		const double corner = sqrt(area * 4 / (3 * sqrt(3))); /* circumradius of such a triangle */
		cr_assert(error < 2 * (1 - cos(corner)), "%zu: %g, %g at best", most, error, 1 - cos(corner));
	}
}

/* The best choice of all, for few points: the greedy one is a fifth above it on average, never twice. */
Test(simplify, nearly_the_best)
{
	enum { POINTS = 10, KEPT = 5 };
	double sum = 0, worst = 0;
	const int all = rounds(200);
	for (int round = 0; round < all; round++) {
		point_count = 0;
		while (point_count < POINTS) {
			const v3 p = v3_unit(v3_of(random_unit() - 0.5, random_unit() - 0.5, random_unit() - 0.5));
			add(p.x, p.y, p.z);
		}
		double best = INFINITY;
		for (unsigned set = 0; set < 1u << POINTS; set++) {
			v3 vertex[POINTS];
			size_t count = 0;
			for (unsigned i = 0; i < POINTS; i++) {
				if (set >> i & 1)
					vertex[count++] = v3_of_floats(points[i]);
			}
			double most = count == KEPT ? 0 : INFINITY;
			for (unsigned i = 0; i < POINTS && count == KEPT; i++)
				most = fmax(most, distance_by_simplices(v3_of_floats(points[i]), vertex, count));
			best = fmin(best, most);
		}
		const double ratio = check("few points", KEPT) / best;
		cr_assert(ratio > 1 - 1e-6);
		sum += ratio;
		worst = fmax(worst, ratio);
	}
	cr_assert(sum / all < 1.25 && worst < 2, "%g on average, %g at worst", sum / all, worst);
}

/* ---- random points of many kinds -------------------------------------------------------------------- */

typedef enum kind { CLOUD, BALL, LATTICE, FLAT, LINE, ONE, NEARLY_FLAT, STRETCHED, TWICE, CLUSTERS, KINDS } kind;

static const char *const kind_names[KINDS] = {
	"cloud", "ball", "lattice", "flat", "line", "one", "nearly flat", "stretched", "twice", "clusters"};

static void add_random(kind which, double size, size_t index)
{
	const v3 p = v3_of(2 * random_unit() - 1, 2 * random_unit() - 1, 2 * random_unit() - 1);
	const v3 unit = v3_unit(p);
	const double near = 1e-6 * random_unit();
	switch (which) {
	case BALL:
		add(unit.x, unit.y, unit.z);
		break;
	case LATTICE:
		add(floor(3 * p.x), floor(3 * p.y), floor(3 * p.z));
		break;
	case FLAT:
		add(floor(64 * p.x), floor(64 * p.y), floor(64 * p.x) - 2 * floor(64 * p.y) + 7);
		break;
	case LINE:
		add(1 + 3 * floor(1000 * p.x), 2 - 5 * floor(1000 * p.x), floor(1000 * p.x));
		break;
	case ONE:
		add(0.1, 0.2, 0.3);
		break;
	case NEARLY_FLAT:
		add(p.x, p.y, 0.25 * p.x + 0.5 * p.y + size * p.z);
		break;
	case STRETCHED:
		add(p.x, size * p.y, size * size * p.z);
		break;
	case TWICE:
		if (index % 2 == 1)
			memcpy(points[point_count++], points[random_below(index)], sizeof points[0]);
		else
			add(p.x, p.y, p.z);
		break;
	case CLUSTERS:
		add((index & 1) + near * p.x, (index & 2) + near * p.y, (index & 4) + near * p.z);
		break;
	default:
		add(p.x, p.y, p.z);
	}
}

/* Polygons are plane up to the rounding of the coordinates: of bodies so thin that says nothing, so that they
 * are judged by simplices alone. */
static bool has_plain_faces(kind which) { return which != NEARLY_FLAT && which != STRETCHED && which != CLUSTERS; }

static void try_many(int sets, size_t most_points)
{
	for (int set = 0; set < sets; set++) {
		const kind which = (kind)(set % KINDS);
		const size_t count = 1 + random_below(most_points);
		const double size = pow(10, -12 * random_unit());
		point_count = 0;
		while (point_count < count)
			add_random(which, size, point_count);
		check(kind_names[which], 4 + random_below(SIMPLICES_MAX - 3));
		if (has_plain_faces(which))
			check(kind_names[which], 4 + random_below(count + 1));
	}
}

Test(simplify, many_small_sets) { try_many(rounds(4000), 24); }

Test(simplify, large_sets) { try_many(60, 500); }

/* Every number of vertices from 4 to all. */
Test(simplify, each_count)
{
	for (kind which = 0; which < KINDS; which++) {
		point_count = 0;
		while (point_count < 30)
			add_random(which, 1e-3, point_count);
		for (size_t most = 4; most <= (has_plain_faces(which) ? 31 : SIMPLICES_MAX); most++)
			check(kind_names[which], most);
	}
}

/* Powers of two scale the error exactly and change nothing else. */
Test(simplify, scale)
{
	float one_error, error;
	make_sphere(60);
	const wp_hull *const one = simplify(12, &one_error);
	for (int exponent = -100; exponent <= 90; exponent += 19) {
		make_sphere(60);
		for (size_t i = 0; i < point_count; i++) {
			for (int k = 0; k < 3; k++)
				points[i][k] = ldexpf(points[i][k], exponent);
		}
		const wp_hull *const hull = simplify(12, &error);
		cr_assert_eq(error, ldexpf(one_error, exponent), "2^%d: %a, not %a", exponent, (double)error,
			ldexp((double)one_error, exponent));
		cr_assert_eq(wp_hull_vertex_count(hull), wp_hull_vertex_count(one));
		for (size_t i = 0; i < wp_hull_vertex_count(one); i++) {
			const v3 a = vertex_of(one, i), b = vertex_of(hull, i);
			cr_assert(ldexp(a.x, exponent) == b.x && ldexp(a.y, exponent) == b.y && ldexp(a.z, exponent) == b.z);
		}
		wp_cook_free(hull);
	}
	wp_cook_free(one);
}

/* The largest and the least coordinates. */
Test(simplify, extreme_coordinates)
{
	static const float values[] = {WP_COORDINATE_MAX, 1e-30f, 0x1p-149f, 1.0f};
	for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
		make_cube();
		for (size_t i = 0; i < point_count; i++) {
			for (int k = 0; k < 3; k++)
				points[i][k] *= values[v];
		}
		add(0, 0, 0);
		for (size_t most = 4; most <= 8; most++)
			check("extreme coordinates", most);
	}
	make_cube();
	add(1e30, 0, 0);
	add(0, 1e-30, 0);
	for (size_t most = 4; most <= 10; most++)
		check("mixed coordinates", most);
}

/* More extreme points than a hull can have. */
Test(simplify, too_many_for_a_hull)
{
	const size_t count = 70000;
	float(*const many)[3] = malloc(count * sizeof *many);
	for (size_t i = 0; i < count; i++) {
		const double z = 2.0 * ((double)i + 0.5) / (double)count - 1.0;
		const double turn = 2.399963229728653 * (double)i;
		many[i][0] = (float)(sqrt(1 - z * z) * cos(turn));
		many[i][1] = (float)(sqrt(1 - z * z) * sin(turn));
		many[i][2] = (float)z;
	}
	const wp_hull *hull = NULL;
	float error;
	cr_assert_eq(wp_cook_points(many[0], 0, count, &hull, NULL), WP_ERROR_HULL_VERTEX_COUNT);
	cr_assert_eq(wp_cook_simplified(many[0], 0, count, 32, &hull, &error, NULL), WP_OK);
	cr_assert_eq(wp_hull_vertex_count(hull), 32);
	cr_assert(error > 0.05f && error < 0.15f, "%g", (double)error);
	wp_cook_free(hull);
	free(many);
}

/* ---- arguments ---------------------------------------------------------------------------------- */

static void check_refused(const float *from, size_t count, size_t most, wp_error expected, size_t expected_bad)
{
	const wp_hull *hull = (const wp_hull *)(const void *)points;
	float error = -7;
	size_t bad = 99;
	const wp_error code = wp_cook_simplified(from, 0, count, most, &hull, &error, &bad);
	cr_assert_eq(code, expected, "%s", wp_error_text(code));
	cr_assert_null(hull);
	cr_assert_eq(error, -7.0f);
	cr_assert_eq(bad, expected_bad);
}

Test(simplify, arguments)
{
	make_cube();
	cr_assert_eq(wp_cook_simplified(points[0], 0, 8, 8, NULL, NULL, NULL), WP_ERROR_NULL_HULL);
	check_refused(NULL, 8, 8, WP_ERROR_NULL_POINTS, 99);
	check_refused(points[0], 0, 8, WP_ERROR_HULL_VERTEX_COUNT, 99);
	check_refused(points[0], (size_t)1 << 31, 8, WP_ERROR_HULL_COOK, 99);
	for (size_t most = 0; most < 4; most++)
		check_refused(points[0], 8, most, WP_ERROR_MAX_VERTICES, 99);
	points[5][1] = NAN;
	check_refused(points[0], 8, 8, WP_ERROR_HULL_VERTEX, 5);
	points[2][0] = 2e30f;
	check_refused(points[0], 8, 4, WP_ERROR_HULL_VERTEX, 2);
}

Test(simplify, strides)
{
	unsigned char bytes[60 * 19 + 1];
	make_sphere(60);
	memset(bytes, 0xff, sizeof bytes);
	for (size_t i = 0; i < 60; i++)
		memcpy(bytes + 1 + 19 * i, points[i], 12);
	const wp_hull *const expected = simplify(10, NULL), *hull = NULL;
	const float *const strewn = (const float *)(const void *)(bytes + 1);
	cr_assert_eq(wp_cook_simplified(strewn, 19, 60, 10, &hull, NULL, NULL), WP_OK);
	cr_assert_eq(memcmp(hull, expected, wp_hull_byte_size(expected)), 0);
	wp_cook_free(hull);
	wp_cook_free(expected);
}
