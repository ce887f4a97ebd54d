/* Volume, centre and inertia of hulls against formulas, laws, and sums made in another way. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/vector.h"
#include "widephase/cook.h"

#define POINTS_MAX 4096

static float points[POINTS_MAX][3];
static size_t point_count;

static uint32_t random_state = 7;

static double random_between(double low, double high)
{
	random_state = random_state * 1664525u + 1013904223u;
	return low + (high - low) * (double)(random_state >> 8) * 0x1p-24;
}

static void add(double x, double y, double z)
{
	cr_assert(point_count < POINTS_MAX);
	points[point_count][0] = (float)x;
	points[point_count][1] = (float)y;
	points[point_count++][2] = (float)z;
}

static void make_box(double x, double y, double z, double half_x, double half_y, double half_z)
{
	point_count = 0;
	for (unsigned i = 0; i < 8; i++)
		add(x + (i & 1 ? half_x : -half_x), y + (i & 2 ? half_y : -half_y), z + (i & 4 ? half_z : -half_z));
}

static const wp_hull *cook(void)
{
	const wp_hull *hull = NULL;
	const wp_error error = wp_cook_points(points[0], 0, point_count, &hull, NULL);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
	return hull;
}

static wp_mass mass_of(const wp_hull *hull)
{
	wp_mass mass;
	const wp_error error = wp_cook_mass(hull, &mass);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++)
			cr_assert_eq(mass.inertia[i][k], mass.inertia[k][i]);
	}
	return mass;
}

static wp_mass cooked_mass(void)
{
	const wp_hull *const hull = cook();
	const wp_mass mass = mass_of(hull);
	wp_cook_free(hull);
	return mass;
}

static void check_near(const char *what, double value, double expected, double tolerance)
{
	cr_assert(fabs(value - expected) <= tolerance, "%s: %.17g (%a), not %.17g (%a), tolerance %g", what, value, value,
		expected, expected, tolerance);
}

/* `size` is a length, of which the tolerances are shares. */
static void check_mass(const wp_mass *mass, const wp_mass *expected, double size, double tolerance)
{
	check_near("volume", mass->volume, expected->volume, tolerance * expected->volume);
	for (int i = 0; i < 3; i++) {
		check_near("centroid", mass->centroid[i], expected->centroid[i], tolerance * size);
		for (int k = 0; k < 3; k++)
			check_near(
				"inertia", mass->inertia[i][k], expected->inertia[i][k], tolerance * expected->volume * size * size);
	}
}

static wp_mass box_mass(double x, double y, double z, double half_x, double half_y, double half_z)
{
	const double xx = half_x * half_x, yy = half_y * half_y, zz = half_z * half_z;
	wp_mass mass = {.volume = 8 * half_x * half_y * half_z, .centroid = {x, y, z}};
	mass.inertia[0][0] = mass.volume / 3 * (yy + zz);
	mass.inertia[1][1] = mass.volume / 3 * (zz + xx);
	mass.inertia[2][2] = mass.volume / 3 * (xx + yy);
	return mass;
}

/* ---- formulas ----------------------------------------------------------------------------------- */

/* Corners exact in float: near the origin, far from it, flat to a hair, of any size. */
static const double boxes[][6] = {{0, 0, 0, 1, 1, 1}, {1, -2, 3, 1, 2, 3}, {0x1p22, -0x1p22, 0x1p21, 1, 2, 3},
	{0, 0, 0, 1, 1, 0x1p-43}, {5, 5, 0, 0x1p-20, 1, 0x1p-40}, {0, 0, 0, 0x1p-130, 0x1p-131, 0x1p-132},
	{0, 0, 0, 0x1p98, 0x1p97, 0x1p96}};

Test(mass, boxes)
{
	for (size_t i = 0; i < COUNT_OF(boxes); i++) {
		const double *const b = boxes[i];
		make_box(b[0], b[1], b[2], b[3], b[4], b[5]);
		const wp_mass mass = cooked_mass();
		const wp_mass expected = box_mass(b[0], b[1], b[2], b[3], b[4], b[5]);
		const double size = fmax(b[3], fmax(b[4], b[5]));
		check_mass(&mass, &expected, size + 0x1p-30 * fabs(b[0]), 1e-14);
		/* The small moments of slender boxes are not lost in the large ones. */
		for (int k = 0; k < 3; k++)
			check_near("moment", mass.inertia[k][k], expected.inertia[k][k], 1e-13 * expected.inertia[k][k]);
	}
}

Test(mass, tetrahedron)
{
	point_count = 0;
	add(0, 0, 0);
	add(1, 0, 0);
	add(0, 1, 0);
	add(0, 0, 1);
	const wp_mass mass = cooked_mass();
	wp_mass expected = {.volume = 1.0 / 6, .centroid = {0.25, 0.25, 0.25}};
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++)
			expected.inertia[i][k] = i == k ? 1.0 / 80 : 1.0 / 480;
	}
	check_mass(&mass, &expected, 1, 1e-15);
}

Test(mass, icosahedron)
{
	const double golden = (1 + sqrt(5)) / 2;
	point_count = 0;
	for (unsigned i = 0; i < 12; i++) {
		double at[3] = {0};
		at[(i / 4 + 1) % 3] = i & 1 ? 1 : -1;
		at[(i / 4 + 2) % 3] = i & 2 ? golden : -golden;
		add(at[0], at[1], at[2]);
	}
	const wp_mass mass = cooked_mass();
	wp_mass expected = {.volume = 8.0 * 5 / 12 * (3 + sqrt(5))};
	for (int k = 0; k < 3; k++)
		expected.inertia[k][k] = expected.volume * golden * golden * 4 / 10;
	check_mass(&mass, &expected, 2, 1e-7);
}

/* ---- a sphere of triangles, from these alone ------------------------------------------------------- */

static uint32_t triangles[1280][3];
static size_t triangle_count;

static uint32_t midpoint(uint32_t a, uint32_t b)
{
	double m[3], square = 0;
	for (int k = 0; k < 3; k++) {
		m[k] = (double)points[a][k] + (double)points[b][k];
		square += m[k] * m[k];
	}
	const float at[3] = {(float)(m[0] / sqrt(square)), (float)(m[1] / sqrt(square)), (float)(m[2] / sqrt(square))};
	for (uint32_t i = 0; i < point_count; i++) {
		if (memcmp(points[i], at, sizeof at) == 0)
			return i;
	}
	add((double)at[0], (double)at[1], (double)at[2]);
	return (uint32_t)point_count - 1;
}

/* An octahedron, each triangle split in four `levels` times and its corners brought to the unit sphere. */
static void make_sphere(int levels)
{
	point_count = 0;
	triangle_count = 0;
	for (int k = 0; k < 3; k++) {
		add(k == 0, k == 1, k == 2);
		add(-(k == 0), -(k == 1), -(k == 2));
	}
	for (uint32_t i = 0; i < 8; i++) {
		const uint32_t corners[3] = {i & 1, 2 + (i >> 1 & 1), 4 + (i >> 2 & 1)};
		const bool odd = (i ^ i >> 1 ^ i >> 2) & 1;
		for (int k = 0; k < 3; k++)
			triangles[triangle_count][k] = corners[odd ? 2 - k : k];
		triangle_count++;
	}
	for (int level = 0; level < levels; level++) {
		for (size_t i = 0, before = triangle_count; i < before; i++) {
			const uint32_t a = triangles[i][0], b = triangles[i][1], c = triangles[i][2];
			const uint32_t ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
			const uint32_t parts[4][3] = {{ab, bc, ca}, {a, ab, ca}, {ab, b, bc}, {ca, bc, c}};
			memcpy(triangles[i], parts[0], sizeof parts[0]);
			memcpy(triangles[triangle_count], parts[1], 3 * sizeof parts[1]);
			triangle_count += 3;
		}
	}
}

/* Volume by the divergence theorem, along one axis at a time: each triangle's height times its shadow. */
static long double volume_along(int axis)
{
	long double sum = 0;
	for (size_t i = 0; i < triangle_count; i++) {
		const float *const a = points[triangles[i][0]], *const b = points[triangles[i][1]];
		const float *const c = points[triangles[i][2]];
		const int u = (axis + 1) % 3, v = (axis + 2) % 3;
		const long double shadow = ((long double)b[u] - a[u]) * ((long double)c[v] - a[v]) -
		                           ((long double)b[v] - a[v]) * ((long double)c[u] - a[u]);
		sum += ((long double)a[axis] + b[axis] + c[axis]) / 3 * shadow / 2;
	}
	return sum;
}

Test(mass, spheres_of_triangles)
{
	double missing = 0;
	for (int levels = 1; levels <= 3; levels++) {
		make_sphere(levels);
		const wp_hull *const hull = cook();
		cr_assert_eq(wp_hull_vertex_count(hull), point_count);
		const wp_mass mass = mass_of(hull);
		for (int axis = 0; axis < 3; axis++)
			check_near("volume", mass.volume, (double)volume_along(axis), 1e-13);
		for (int k = 0; k < 3; k++) {
			check_near("centroid", mass.centroid[k], 0, 1e-8);
			check_near("moment", mass.inertia[k][k], mass.inertia[0][0], 1e-6);
		}
		/* From below towards the ball's value: each error is about a quarter of the one before. */
		const double gap = 4.1887902047863905 - mass.volume;
		cr_assert(
			gap > 0 && (levels == 1 || (gap > 0.2 * missing && gap < 0.3 * missing)), "%g after %g", gap, missing);
		missing = gap;
		wp_cook_free(hull);
	}
}

/* ---- laws --------------------------------------------------------------------------------------- */

static void make_cloud(size_t count)
{
	point_count = 0;
	while (point_count < count)
		add(random_between(-1, 1), random_between(-1, 2), random_between(-3, 1));
}

/* Powers of two scale all numbers exactly. */
Test(mass, scale)
{
	make_cloud(40);
	const wp_mass one = cooked_mass();
	for (int exponent = -100; exponent <= 90; exponent += 19) {
		for (size_t i = 0; i < point_count; i++) {
			for (int k = 0; k < 3; k++)
				points[i][k] = ldexpf(points[i][k], exponent);
		}
		const wp_mass scaled = cooked_mass();
		cr_assert_eq(scaled.volume, ldexp(one.volume, 3 * exponent), "2^%d", exponent);
		for (int k = 0; k < 3; k++) {
			cr_assert_eq(scaled.centroid[k], ldexp(one.centroid[k], exponent));
			for (int i = 0; i < 3; i++)
				cr_assert_eq(scaled.inertia[i][k], ldexp(one.inertia[i][k], 5 * exponent));
		}
		for (size_t i = 0; i < point_count; i++) {
			for (int k = 0; k < 3; k++)
				points[i][k] = ldexpf(points[i][k], -exponent);
		}
	}
}

/* Sizes of 1e-5 and 1e5, rotated and far away: as far as the rounding of the vertices goes. */
Test(mass, rotated_boxes)
{
	static const double sizes[] = {1e-5, 1, 1e5}, distances[] = {0, 10, 1000};
	for (int round = 0; round < 90; round++) {
		const double size = sizes[round % 3], away = distances[round / 3 % 3];
		const v3 half = v3_of(size * random_between(0.2, 1), size * random_between(0.2, 1), size);
		v3 axis[3];
		axis[0] = v3_unit(v3_of(random_between(-1, 1), random_between(-1, 1), random_between(0.1, 1)));
		axis[1] = v3_unit(v3_cross(axis[0], v3_of(random_between(-1, 1), random_between(1, 2), 0)));
		axis[2] = v3_cross(axis[0], axis[1]);
		const v3 middle = v3_of(away * size, -0.5 * away * size, 0.25 * away * size);
		point_count = 0;
		for (unsigned i = 0; i < 8; i++) {
			v3 p = middle;
			p = v3_add(p, v3_scale(axis[0], i & 1 ? half.x : -half.x));
			p = v3_add(p, v3_scale(axis[1], i & 2 ? half.y : -half.y));
			p = v3_add(p, v3_scale(axis[2], i & 4 ? half.z : -half.z));
			add(p.x, p.y, p.z);
		}
		const wp_mass mass = cooked_mass();
		const wp_mass own = box_mass(0, 0, 0, half.x, half.y, half.z);
		wp_mass expected = {.volume = own.volume, .centroid = {middle.x, middle.y, middle.z}};
		for (int a = 0; a < 3; a++) {
			const double along[3] = {axis[a].x, axis[a].y, axis[a].z};
			for (int i = 0; i < 3; i++) {
				for (int k = 0; k < 3; k++)
					expected.inertia[i][k] += own.inertia[a][a] * along[i] * along[k];
			}
		}
		check_mass(&mass, &expected, size, 2e-6 * (1 + away));
	}
}

/* The moments of a body about another point, by the parallel axis theorem. */
static void inertia_about(const wp_mass *mass, const double point[3], double inertia[3][3])
{
	double d[3], square = 0;
	for (int k = 0; k < 3; k++) {
		d[k] = mass->centroid[k] - point[k];
		square += d[k] * d[k];
	}
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++)
			inertia[i][k] = mass->inertia[i][k] + mass->volume * ((i == k ? square : 0) - d[i] * d[k]);
	}
}

/* A face and a point within make a pyramid, and all of these the whole. */
static wp_mass pyramid_mass(const wp_hull *hull, size_t face, const double tip[3])
{
	size_t size;
	const uint32_t *const index = wp_hull_face(hull, face, &size);
	point_count = 0;
	for (size_t i = 0; i < size; i++)
		wp_hull_vertex(hull, index[i], points[point_count++]);
	add(tip[0], tip[1], tip[2]);
	return cooked_mass();
}

Test(mass, parts_add_up)
{
	for (int round = 0; round < 300; round++) {
		make_cloud(4 + (size_t)round % 30);
		const wp_hull *const hull = cook();
		const wp_mass whole = mass_of(hull);
		wp_mass sum = {0};
		for (size_t face = 0; face < wp_hull_face_count(hull); face++) {
			const wp_mass part = pyramid_mass(hull, face, whole.centroid);
			double inertia[3][3];
			inertia_about(&part, whole.centroid, inertia);
			sum.volume += part.volume;
			for (int i = 0; i < 3; i++) {
				sum.centroid[i] += part.volume / whole.volume * part.centroid[i];
				for (int k = 0; k < 3; k++)
					sum.inertia[i][k] += inertia[i][k];
			}
		}
		check_mass(&sum, &whole, 4, 1e-6);
		wp_cook_free(hull);
	}
}

/* ---- errors ------------------------------------------------------------------------------------- */

static void check_refused(const char *name, const wp_hull *hull, wp_error expected)
{
	wp_mass mass, zero;
	memset(&zero, 0, sizeof zero);
	memset(&mass, 0xff, sizeof mass);
	const wp_error error = wp_cook_mass(hull, &mass);
	cr_assert_eq(error, expected, "%s: %s", name, wp_error_text(error));
	cr_assert_eq(memcmp(&mass, &zero, sizeof mass), 0, "%s", name);
}

static void check_points_refused(const char *name)
{
	const wp_hull *const hull = cook();
	check_refused(name, hull, WP_ERROR_HULL_VOLUME);
	wp_cook_free(hull);
}

Test(mass, sets_without_volume)
{
	check_refused("NULL", NULL, WP_ERROR_NULL_HULL);
	point_count = 0;
	add(1, 2, 3);
	check_points_refused("a point");
	add(3, 2, 1);
	check_points_refused("a segment");
	add(0, 0, 1);
	check_points_refused("a triangle");
	make_box(0, 0, 0, 1, 0, 2);
	check_points_refused("a flat box");
	for (int round = 0; round < 100; round++) {
		const v3 u = v3_of(random_between(-1, 1), random_between(-1, 1), 1);
		const v3 v = v3_of(random_between(-1, 1), random_between(-1, 1), 0);
		point_count = 0;
		for (int i = 0; i < 10; i++) {
			const v3 p = v3_add(v3_scale(u, floor(random_between(0, 64))), v3_scale(v, floor(random_between(0, 64))));
			add(floor(p.x * 64), floor(p.y * 64), floor(p.x * 64) + floor(p.y * 64));
		}
		check_points_refused("a lattice of a plane");
	}
}

/* A box with faces of one's own. */
static const uint32_t quads[6][4] = {
	{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];

static wp_error try_build(const uint32_t faces[][4], size_t count, const wp_hull **hull)
{
	const uint32_t sizes[6] = {4, 4, 4, 4, 4, 4};
	const wp_hull_input input = {.vertices = {points[0]},
		.vertex_count = point_count,
		.face_sizes = sizes,
		.face_indices = faces[0],
		.face_count = count};
	return wp_hull_build(&input, memory, sizeof memory, hull, NULL);
}

static const wp_hull *build(const uint32_t faces[][4], size_t count)
{
	const wp_hull *hull = NULL;
	cr_assert_eq(try_build(faces, count, &hull), WP_OK);
	return hull;
}

Test(mass, faces_of_ones_own)
{
	make_box(1, 2, 3, 1, 2, 3);
	const wp_mass mass = mass_of(build(quads, 6)), expected = box_mass(1, 2, 3, 1, 2, 3);
	check_mass(&mass, &expected, 3, 1e-15);
	check_refused("no faces", build(quads, 0), WP_ERROR_HULL_VOLUME);
	const wp_hull *none;
	cr_assert_eq(try_build(quads, 5, &none), WP_ERROR_HULL_FACE_OPEN);
	cr_assert_eq(try_build(quads, 2, &none), WP_ERROR_HULL_FACE_OPEN);

	uint32_t faces[6][4];
	memcpy(faces, quads, sizeof faces);
	memcpy(faces[5], faces[4], sizeof faces[5]);
	cr_assert_eq(try_build((const uint32_t(*)[4])faces, 6, &none), WP_ERROR_HULL_FACE_OPEN);
	for (int face = 0; face < 6; face++) {
		for (int i = 0; i < 4; i++)
			faces[face][i] = quads[face][3 - i];
	}
	const wp_mass turned = mass_of(build((const uint32_t(*)[4])faces, 6));
	check_mass(&turned, &expected, 3, 1e-15);
	memcpy(faces[0], quads[0], sizeof faces[0]);
	cr_assert_eq(try_build((const uint32_t(*)[4])faces, 6, &none), WP_ERROR_HULL_FACE_WINDING);
	make_box(1, 2, 3, 0, 2, 3);
	check_refused("flat with six faces", build(quads, 6), WP_ERROR_HULL_VOLUME);
}

/* Flat, in planes where products of differences are rounded: what the triangles enclose then is the rounding alone. */
Test(mass, flat_with_six_faces_in_any_plane)
{
	for (int round = 0; round < 3000; round++) {
		v3 corner[3];
		for (int i = 0; i < 3; i++) {
			const double x = floor(random_between(-1, 1) * 0x1p20), y = floor(random_between(-1, 1) * 0x1p20);
			corner[i] = v3_of(x, y, round % 2 != 0 ? x + y : 2 * x - y);
		}
		point_count = 0;
		for (unsigned i = 0; i < 8; i++) {
			v3 p = corner[0];
			p = v3_add(p, i & 2 ? corner[1] : v3_of(0, 0, 0));
			p = v3_add(p, i & 4 ? corner[2] : v3_of(0, 0, 0));
			add(p.x, p.y, p.z);
		}
		check_refused("flat", build(quads, 6), WP_ERROR_HULL_VOLUME);
	}
}

/* Its corners are further off the planes of its faces than it is thick: what the faces' triangles enclose is nothing. */
Test(mass, thinner_than_its_faces_are_plane)
{
	static const float thin[5][3] = {{-0x1.53bec4p-5f, 0x1.638234p-2f, -0x1.77b614p+0f},
		{0x1.3fa608p-1f, 0x1.4ac54ap-1f, 0x1.d2d9e2p-1f}, {0x1.048074p+0f, 0x1.72a676p+0f, 0x1.fb6eb4p-5f},
		{-0x1.c842fap-2f, -0x1.99bcfcp-1f, 0x1.253bb6p-1f}, {0x1.328888p-2f, 0x1.613acp-1f, -0x1.de2d26p-1f}};
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_cook_points(thin[0], 0, 5, &hull, NULL), WP_OK);
	check_refused("thin", hull, WP_ERROR_HULL_VOLUME);
	wp_cook_free(hull);
}

/* What thin hulls that lie aslant lose is a share of the cube of their extent. */
Test(mass, thin_and_aslant)
{
	for (int round = 0; round < 200; round++) {
		const double thickness = ldexp(random_between(0.5, 1), -(round % 22));
		const v3 along = v3_unit(v3_of(random_between(-1, 1), random_between(-1, 1), random_between(0.1, 1)));
		const v3 across = v3_unit(v3_cross(along, v3_of(random_between(-1, 1), random_between(1, 2), 0)));
		const v3 up = v3_cross(along, across);
		v3 corner[4];
		point_count = 0;
		for (int i = 0; i < 4; i++) {
			const double x = i == 1 ? 1 : 0, y = i == 2 ? 1 : 0, z = i == 3 ? thickness : 0;
			const v3 p = v3_add(v3_add(v3_scale(along, x), v3_scale(across, y)), v3_scale(up, z));
			add(p.x, p.y, p.z);
			corner[i] = v3_of_floats(points[i]);
		}
		const v3 a = v3_sub(corner[1], corner[0]), b = v3_sub(corner[2], corner[0]), c = v3_sub(corner[3], corner[0]);
		const double volume = fabs(v3_dot(a, v3_cross(b, c))) / 6;
		const wp_mass mass = cooked_mass();
		double extent = 0;
		for (int i = 0; i < 3; i++)
			for (int k = 0; k < i; k++)
				extent = fmax(extent, v3_length(v3_sub(corner[i], corner[k])));
		check_near("volume", mass.volume, volume, 1e-14 * extent * extent * extent);
	}
}

Test(mass, arguments)
{
	make_box(0, 0, 0, 1, 1, 1);
	const wp_hull *const hull = build(quads, 6);
	cr_assert_eq(wp_cook_mass(hull, NULL), WP_ERROR_NULL_MASS);
	cr_assert_eq(wp_cook_mass(NULL, NULL), WP_ERROR_NULL_MASS);
	for (size_t i = 0; i < wp_hull_byte_size(hull); i++) {
		memory[i] ^= 0x10;
		check_refused("a bit turned", hull, WP_ERROR_HULL_CORRUPT);
		memory[i] ^= 0x10;
	}
	(void)mass_of(hull);
}
