/* Hulls computed from points: convex, complete, made of the inputs bit for bit. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/rounding.h"
#include "shape/hull.h"
#include "widephase/cook.h"
#include "widephase/query.h"

#define MOST_POINTS 10000

static float points[MOST_POINTS][3];

static uint32_t random_state = 2024;

static double random_unit(void)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (double)(random_state >> 8) * 0x1p-24;
}

static void set(size_t index, double x, double y, double z)
{
	points[index][0] = (float)x;
	points[index][1] = (float)y;
	points[index][2] = (float)z;
}

static size_t make_sphere(size_t count, double radius)
{
	for (size_t i = 0; i < count; i++) {
		const double z = 2.0 * ((double)i + 0.5) / (double)count - 1.0;
		const double turn = 2.399963229728653 * (double)i;
		const double across = sqrt(1 - z * z) * radius;
		set(i, across * cos(turn), across * sin(turn), z * radius);
	}
	return count;
}

static const wp_hull *cook(size_t count)
{
	const wp_hull *hull = NULL;
	const wp_error error = wp_cook_points(points[0], 0, count, &hull, NULL);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
	cr_assert(wp_hull_is_intact(hull, NULL));
	const wp_hull *again = NULL;
	cr_assert_eq(wp_hull_from_memory(hull, wp_hull_byte_size(hull), &again), WP_OK);
	return hull;
}

/* Index of the first point with the bits of the vertex. */
static size_t source_of(const float vertex[3], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (memcmp(vertex, points[i], sizeof points[i]) == 0)
			return i;
	}
	cr_assert_fail("a vertex is none of the input points");
	return count;
}

/* Vertices are distinct input points, in the order of the input. */
static void check_sources(const wp_hull *hull, size_t count)
{
	size_t last = 0;
	for (size_t i = 0; i < wp_hull_vertex_count(hull); i++) {
		float vertex[3];
		wp_hull_vertex(hull, i, vertex);
		const size_t source = source_of(vertex, count);
		cr_assert(i == 0 || source > last);
		last = source;
	}
}

/* Unit normal of a face, by the sum of its edges' cross products, and its largest coordinate. */
static double face_plane(const wp_hull *hull, size_t face, double normal[3], double base[3])
{
	size_t size;
	const uint32_t *const index = wp_hull_face(hull, face, &size);
	float p[3], q[3], first[3];
	wp_hull_vertex(hull, index[0], first);
	normal[0] = normal[1] = normal[2] = 0;
	for (size_t i = 1; i + 1 < size; i++) {
		wp_hull_vertex(hull, index[i], p);
		wp_hull_vertex(hull, index[i + 1], q);
		double a[3], b[3];
		for (int k = 0; k < 3; k++) {
			a[k] = (double)p[k] - (double)first[k];
			b[k] = (double)q[k] - (double)first[k];
			base[k] = first[k];
		}
		normal[0] += a[1] * b[2] - a[2] * b[1];
		normal[1] += a[2] * b[0] - a[0] * b[2];
		normal[2] += a[0] * b[1] - a[1] * b[0];
	}
	const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
	for (int k = 0; k < 3; k++)
		normal[k] /= length;
	return length;
}

/* Every input point is behind every face's plane, within `tolerance` (a length). */
static void check_contains(const wp_hull *hull, size_t count, double tolerance)
{
	for (size_t face = 0; face < wp_hull_face_count(hull); face++) {
		double n[3], base[3];
		const double area = face_plane(hull, face, n, base);
		cr_assert(area > 0, "face %zu has no area", face);
		for (size_t i = 0; i < count; i++) {
			const double height = n[0] * ((double)points[i][0] - base[0]) + n[1] * ((double)points[i][1] - base[1]) +
			                      n[2] * ((double)points[i][2] - base[2]);
			cr_assert(height <= tolerance, "point %zu is %g above face %zu", i, height, face);
		}
	}
}

/* The faces close: each edge is used once in either direction, each vertex is in a face, and
 * V - E + F = 2. */
static void check_closed(const wp_hull *hull)
{
	const size_t vertices = wp_hull_vertex_count(hull);
	const size_t faces = wp_hull_face_count(hull);
	const bool small = vertices <= 1000;
	uint8_t *const used = calloc(small ? vertices * vertices : 1, 1);
	uint8_t *const seen = calloc(vertices, 1);
	size_t edges = 0;
	for (size_t face = 0; face < faces; face++) {
		size_t size;
		const uint32_t *const index = wp_hull_face(hull, face, &size);
		edges += size;
		for (size_t i = 0; i < size; i++) {
			seen[index[i]] = 1;
			if (small)
				cr_assert_eq(used[index[i] * vertices + index[(i + 1) % size]]++, 0, "an edge is used twice");
		}
	}
	for (size_t i = 0; i < vertices; i++) {
		cr_assert(seen[i], "vertex %zu is in no face", i);
		for (size_t j = 0; small && j < vertices; j++)
			cr_assert_eq(used[i * vertices + j], used[j * vertices + i], "an edge has one face");
	}
	cr_assert_eq(edges % 2, 0);
	cr_assert_eq(vertices + faces, edges / 2 + 2, "%zu vertices, %zu faces, %zu edges", vertices, faces, edges / 2);
	free(used);
	free(seen);
}

static double extent(size_t count)
{
	double most = 0;
	for (size_t i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++)
			most = fmax(most, fabs((double)points[i][k]));
	}
	return most;
}

/* All of the above; `rounding` is the share of the extent that points may stand above a face. */
static void check_solid(const wp_hull *hull, size_t count, double rounding)
{
	check_sources(hull, count);
	check_closed(hull);
	check_contains(hull, count, rounding * extent(count));
}

static size_t make_cube(double x, double y, double z)
{
	for (unsigned i = 0; i < 8; i++)
		set(i, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
	return 8;
}

static void check_box(const wp_hull *hull, size_t count, double rounding)
{
	cr_assert_eq(wp_hull_vertex_count(hull), 8);
	cr_assert_eq(wp_hull_face_count(hull), 6);
	for (size_t face = 0; face < 6; face++) {
		size_t size;
		wp_hull_face(hull, face, &size);
		cr_assert_eq(size, 4);
	}
	check_solid(hull, count, rounding);
}

Test(cook, cube)
{
	const size_t count = make_cube(1, 2, 3);
	const wp_hull *const hull = cook(count);
	check_box(hull, count, 0);
	for (size_t i = 0; i < 8; i++) {
		float vertex[3];
		wp_hull_vertex(hull, i, vertex);
		cr_assert_eq(memcmp(vertex, points[i], sizeof vertex), 0, "extreme points keep their order");
	}
	wp_cook_free(hull);
}

Test(cook, cube_with_points_inside_and_twice)
{
	make_cube(1, 2, 3);
	size_t count = 8;
	for (; count < 500; count++)
		set(count, 2 * random_unit() - 1, 4 * random_unit() - 2, 6 * random_unit() - 3);
	for (size_t i = 0; i < 8; i++, count++)
		memcpy(points[count], points[i], sizeof points[i]);
	for (; count < 600; count++)
		memcpy(points[count], points[count - 300], sizeof points[0]);
	const wp_hull *const hull = cook(count);
	check_box(hull, count, 0);
	wp_cook_free(hull);
}

Test(cook, cube_of_a_grid)
{
	for (unsigned order = 0; order < 3; order++) {
		size_t count = 0;
		for (int x = -5; x <= 5; x++) {
			for (int y = -5; y <= 5; y++) {
				for (int z = -5; z <= 5; z++)
					set(count++, 0.1 * x, 3 * y, z);
			}
		}
		for (size_t i = count - 1; i > 0 && order > 0; i--) {
			const size_t j = (size_t)(random_unit() * (double)(i + 1));
			float kept[3];
			memcpy(kept, points[i], sizeof kept);
			memcpy(points[i], points[j], sizeof kept);
			memcpy(points[j], kept, sizeof kept);
		}
		const wp_hull *const hull = cook(count);
		check_box(hull, count, 1e-12);
		wp_cook_free(hull);
	}
}

static void rotate_points(size_t count, double offset)
{
	double axis[3] = {random_unit() - 0.5, random_unit() - 0.5, random_unit() - 0.5};
	const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
	const double angle = 6.28 * random_unit();
	const double c = cos(angle), s = sin(angle);
	for (int k = 0; k < 3; k++)
		axis[k] /= length;
	for (size_t i = 0; i < count; i++) {
		const double p[3] = {points[i][0], points[i][1], points[i][2]};
		const double along = (axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2]) * (1 - c);
		double turned[3];
		for (int k = 0; k < 3; k++)
			turned[k] = p[k] * c + axis[k] * along +
			            s * (axis[(k + 1) % 3] * p[(k + 2) % 3] - axis[(k + 2) % 3] * p[(k + 1) % 3]);
		set(i, turned[0] + offset, turned[1] + offset, turned[2] + offset);
	}
}

Test(cook, rotated_boxes_keep_six_faces)
{
	for (int round = 0; round < 300; round++) {
		const size_t count = make_cube(0.1 + random_unit(), 0.1 + random_unit(), 0.1 + random_unit());
		rotate_points(count, 2 - round % 5);
		const wp_hull *const hull = cook(count);
		check_box(hull, count, 1e-6);
		wp_cook_free(hull);
	}
}

/* Flat faces strewn with bumps around the rounding of the inputs: merged where that is one polygon, left
 * alone where a bump would be lost or a hole would open, closed in any case. */
Test(cook, noisy_grids)
{
	for (int round = 0; round < 1500; round++) {
		const double bump = pow(10, -4 - 5 * random_unit());
		const double thickness = round % 2 ? 1 : bump * 3 * random_unit();
		size_t count = 0;
		for (int i = 0; i < 7; i++) {
			for (int j = 0; j < 7; j++) {
				const double x = i / 6.0 - 0.5, y = j / 6.0 - 0.5;
				set(count++, x, y, bump * random_unit() * (random_unit() < 0.5));
				set(count++, x, y, -thickness - bump * random_unit() * (random_unit() < 0.5));
			}
		}
		rotate_points(count, round % 3 - 1);
		const wp_hull *const hull = cook(count);
		if (wp_hull_face_count(hull) > 2)
			check_solid(hull, count, 4e-5);
		wp_cook_free(hull);
	}
}

/* Far thinner than wide, and yet more than rounding: it has volume. */
Test(cook, nearly_flat_is_not_flat)
{
	for (double lift = 1; lift > 1e-7; lift *= 0.5) {
		set(0, 1, 0, 0);
		set(1, 0, 1, 0);
		set(2, 0, 0, 1);
		set(3, -1, 1, 1);
		set(4, 0.25 + lift, 0.25 + lift, 0.5 + lift);
		const wp_hull *const hull = cook(5);
		cr_assert_eq(wp_hull_vertex_count(hull), 5);
		cr_assert(wp_hull_face_count(hull) > 2);
		check_sources(hull, 5);
		check_closed(hull);
		wp_cook_free(hull);
	}
}

/* Points in one plane but for the last bit of a coordinate: facets near the plane lean in the frame that is stretched across it,
 * and polygons of them may bend inwards by more than rounding. */
Test(cook, flat_but_for_the_last_bit)
{
	static const float six[6][3] = {{0x1.2d07p2f, -0x1.eaec0ap1f, 0x1.438b3ap0f}, {-0x1.6ed756p2f, 0, 0x1.438b38p0f},
		{-0x1.20e832p2f, 0x1.0ccaf6p0f, 0x1.438b38p0f}, {0x1.438b38p0f, 0, 0x1.438b38p0f},
		{0x1.438b38p0f, -0x1.bfba24p2f, 0x1.438b38p0f}, {-0x1.1f2a28p-2f, -0x1.3685c4p1f, 0x1.438b3ap0f}};
	memcpy(points, six, sizeof six);
	wp_cook_free(cook(6));
	for (int round = 0; round < 300; round++) {
		const size_t count = 6 + (size_t)(100 * random_unit());
		for (size_t i = 0; i < count; i++)
			set(i, 2 * random_unit() - 1, 2 * random_unit() - 1, random_unit() < 0.5 ? 1 : 0x1.000002p0);
		const wp_hull *const hull = cook(count);
		check_sources(hull, count);
		check_closed(hull);
		wp_cook_free(hull);
	}
}

Test(cook, prisms_keep_their_caps)
{
	for (size_t sides = 3; sides <= 200; sides += 7) {
		for (size_t i = 0; i < sides; i++) {
			const double turn = 6.283185307179586 * (double)i / (double)sides;
			set(2 * i, cos(turn), 1, sin(turn));
			set(2 * i + 1, cos(turn), -1, sin(turn));
		}
		rotate_points(2 * sides, 0.25);
		const wp_hull *const hull = cook(2 * sides);
		cr_assert_eq(wp_hull_vertex_count(hull), 2 * sides);
		cr_assert_eq(wp_hull_face_count(hull), sides + 2, "%zu sides", sides);
		check_solid(hull, 2 * sides, 1e-6);
		wp_cook_free(hull);
	}
}

Test(cook, tetrahedron)
{
	set(0, 0, 0, 0);
	set(1, 1, 0, 0);
	set(2, 0, 1, 0);
	set(3, 0, 0, 1);
	const wp_hull *const hull = cook(4);
	cr_assert_eq(wp_hull_vertex_count(hull), 4);
	cr_assert_eq(wp_hull_face_count(hull), 4);
	check_solid(hull, 4, 0);
	wp_cook_free(hull);
}

Test(cook, sphere)
{
	const size_t count = make_sphere(500, 1);
	const wp_hull *const hull = cook(count);
	cr_assert_eq(wp_hull_vertex_count(hull), count);
	check_solid(hull, count, 1e-12);
	wp_cook_free(hull);
}

Test(cook, random_points)
{
	for (int round = 0; round < 200; round++) {
		const size_t count = 4 + (size_t)(random_unit() * 60);
		for (size_t i = 0; i < count; i++)
			set(i, random_unit(), random_unit(), random_unit());
		const wp_hull *const hull = cook(count);
		check_solid(hull, count, 1e-6);
		wp_cook_free(hull);
	}
}

/* Facets of a dome so flat that many are in one plane up to rounding, of an outline that may bend inwards: wp_hull_build
 * refuses such a face. */
Test(cook, flat_domes_have_convex_faces)
{
	for (int power = 3; power <= 8; power++) {
		for (int round = 0; round < 20; round++) {
			const double height = pow(10, -power);
			for (size_t i = 0; i < 100; i++) {
				const double x = 2 * random_unit() - 1, y = 2 * random_unit() - 1;
				set(i, x, y, 1 - height * (x * x + y * y));
			}
			for (size_t i = 0; i < 4; i++)
				set(100 + i, i & 1 ? 1 : -1, i & 2 ? 1 : -1, -1);
			wp_cook_free(cook(104));
		}
	}
}

/* Small integers: many coplanar, collinear and equal points, all exact. */
Test(cook, random_lattice_points)
{
	for (int round = 0; round < 3000; round++) {
		const size_t count = 1 + (size_t)(random_unit() * 40);
		const double side = 2 + floor(random_unit() * 4);
		for (size_t i = 0; i < count; i++)
			set(i, floor(random_unit() * side), floor(random_unit() * side), floor(random_unit() * side));
		const wp_hull *const hull = cook(count);
		const size_t faces = wp_hull_face_count(hull);
		cr_assert(faces > 0 || wp_hull_vertex_count(hull) <= 2);
		if (faces > 2) {
			check_closed(hull);
			/* Exact inputs: no vertex is redundant, so each is in three faces at least. */
			size_t uses = 0;
			for (size_t face = 0; face < faces; face++) {
				size_t size;
				wp_hull_face(hull, face, &size);
				uses += size;
			}
			cr_assert(uses >= 3 * wp_hull_vertex_count(hull));
		}
		check_contains(hull, count, 1e-12);
		wp_cook_free(hull);
	}
}

Test(cook, many_vertices)
{
	const size_t count = make_sphere(6000, 3);
	const wp_hull *const hull = cook(count);
	cr_assert_eq(wp_hull_vertex_count(hull), count);
	cr_assert(wp_hull_face_count(hull) > count);
	check_closed(hull);
	check_contains(hull, 500, 1e-6);
	wp_cook_free(hull);
}

Test(cook, too_many_vertices)
{
	const size_t count = 70000;
	float(*const many)[3] = malloc(count * sizeof *many);
	for (size_t i = 0; i < count; i++) {
		const double turn = 6.283185307179586 * (double)i / (double)count;
		many[i][0] = (float)(1e6 * cos(turn));
		many[i][1] = (float)(1e6 * sin(turn));
		many[i][2] = 0;
	}
	const wp_hull *hull = (const wp_hull *)(const void *)many;
	const wp_error error = wp_cook_points(many[0], 0, count, &hull, NULL);
	if (error == WP_OK) /* rounding may have left fewer corners than points */
		cr_assert(wp_hull_vertex_count(hull) <= WP_HULL_VERTEX_MAX);
	else
		cr_assert_eq(error, WP_ERROR_HULL_VERTEX_COUNT);
	cr_assert_eq(hull != NULL, error == WP_OK);
	wp_cook_free(hull);
	free(many);
}

/* ---- sets without volume ------------------------------------------------------------------------ */

Test(cook, one_point)
{
	set(0, 1, -2, 3);
	for (size_t i = 1; i < 20; i++)
		memcpy(points[i], points[0], sizeof points[0]);
	for (size_t count = 1; count <= 20; count++) {
		const wp_hull *const hull = cook(count);
		cr_assert_eq(wp_hull_vertex_count(hull), 1);
		cr_assert_eq(wp_hull_face_count(hull), 0);
		check_sources(hull, count);
		wp_cook_free(hull);
	}
}

Test(cook, zeroes_of_either_sign_are_one_point)
{
	set(0, 0, -0.0, 0);
	set(1, -0.0, 0, 0);
	const wp_hull *const hull = cook(2);
	cr_assert_eq(wp_hull_vertex_count(hull), 1);
	check_sources(hull, 2);
	wp_cook_free(hull);
}

Test(cook, collinear)
{
	const double directions[5][3] = {{1, 0, 0}, {0, -2, 0}, {1, 1, 0}, {-1, 2, -4}, {0.5, -0.25, 8}};
	for (size_t d = 0; d < 5; d++) {
		const size_t count = 21;
		for (size_t i = 0; i < count; i++) {
			const double t = (double)((i * 8) % 21);
			set(i, 1 + t * directions[d][0], 2 + t * directions[d][1], 3 + t * directions[d][2]);
		}
		const wp_hull *const hull = cook(count);
		cr_assert_eq(wp_hull_vertex_count(hull), 2);
		cr_assert_eq(wp_hull_face_count(hull), 0);
		float vertex[3];
		wp_hull_vertex(hull, 0, vertex);
		cr_assert_eq(source_of(vertex, count), 0, "t = 0");
		wp_hull_vertex(hull, 1, vertex);
		cr_assert_eq(source_of(vertex, count), 13, "t = 20");
		wp_cook_free(hull);
	}
}

/* Two faces, one the other reversed, and all points inside the polygon. */
static void check_flat(const wp_hull *hull, size_t count, size_t corners)
{
	cr_assert_eq(wp_hull_vertex_count(hull), corners);
	cr_assert_eq(wp_hull_face_count(hull), 2);
	size_t size, other_size;
	const uint32_t *const front = wp_hull_face(hull, 0, &size);
	const uint32_t *const back = wp_hull_face(hull, 1, &other_size);
	cr_assert_eq(size, corners);
	cr_assert_eq(other_size, corners);
	double n[3], base[3];
	cr_assert(face_plane(hull, 0, n, base) > 0);
	for (size_t i = 0; i < size; i++) {
		cr_assert_eq(front[i], back[size - 1 - i]);
		float p[3], q[3];
		wp_hull_vertex(hull, front[i], p);
		wp_hull_vertex(hull, front[(i + 1) % size], q);
		const double e[3] = {(double)q[0] - p[0], (double)q[1] - p[1], (double)q[2] - p[2]};
		const double in[3] = {n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2], n[0] * e[1] - n[1] * e[0]};
		for (size_t j = 0; j < count; j++) {
			double side = 0;
			for (int k = 0; k < 3; k++)
				side += in[k] * ((double)points[j][k] - p[k]);
			cr_assert(side >= -1e-9, "point %zu is outside edge %zu", j, i);
		}
	}
	check_sources(hull, count);
}

Test(cook, coplanar_grids)
{
	const double planes[4][2][3] = {
		{{1, 0, 0}, {0, 1, 0}}, {{0, 0, 2}, {0, 1, 0}}, {{1, 0, 1}, {0, -1, 3}}, {{4, 1, -2}, {1, -1, 1}}};
	for (size_t plane = 0; plane < 4; plane++) {
		size_t count = 0;
		for (int i = 0; i < 9; i++) {
			for (int j = 0; j < 7; j++) {
				double p[3];
				for (int k = 0; k < 3; k++)
					p[k] = 5 + i * planes[plane][0][k] + j * planes[plane][1][k];
				set(count++, p[0], p[1], p[2]);
			}
		}
		const wp_hull *const hull = cook(count);
		check_flat(hull, count, 4);
		wp_cook_free(hull);
	}
}

Test(cook, triangles_and_disks)
{
	set(0, 1, 2, 3);
	set(1, 4, -1, 0.3);
	set(2, 0, 0.1, 7);
	const wp_hull *hull = cook(3);
	check_flat(hull, 3, 3);
	wp_cook_free(hull);

	const size_t count = 4096;
	for (size_t i = 0; i < count; i++) {
		const double turn = 6.283185307179586 * (double)i / (double)count;
		set(i, cos(turn), 0.5, sin(turn));
	}
	hull = cook(count);
	cr_assert(wp_hull_vertex_count(hull) > count / 2);
	cr_assert_eq(wp_hull_face_count(hull), 2);
	check_sources(hull, count);
	wp_cook_free(hull);
}

/* ---- hard sizes --------------------------------------------------------------------------------- */

Test(cook, boxes_of_all_sizes)
{
	const double sizes[] = {1e30, 1e15, 1, 1e-20, 1e-37, 1e-42};
	for (int a = 0; a < 6; a++) {
		for (int b = 0; b < 6; b++) {
			for (int c = 0; c < 6; c++) {
				const size_t count = make_cube(sizes[a], sizes[b], sizes[c]);
				const wp_hull *const hull = cook(count);
				cr_assert_eq(wp_hull_vertex_count(hull), 8);
				cr_assert_eq(wp_hull_face_count(hull), 6);
				check_sources(hull, count);
				check_closed(hull);
				wp_cook_free(hull);
			}
		}
	}
}

/* Slabs and needles at every slant, down to a thickness that floats cannot separate from none. */
Test(cook, thin_bodies)
{
	for (int kind = 0; kind < 2; kind++) {
		for (double thin = 1; thin > 1e-18; thin *= 0.3) {
			for (int round = 0; round < 10; round++) {
				const size_t count = 8 + (size_t)(random_unit() * 40);
				for (size_t i = 0; i < count; i++)
					set(i, random_unit(), random_unit() * (kind == 1 ? thin : 1), random_unit() * thin);
				rotate_points(count, round % 2);
				const wp_hull *const hull = cook(count);
				check_sources(hull, count);
				check_contains(hull, count, 1e-5);
				if (wp_hull_face_count(hull) > 2)
					check_closed(hull);
				wp_cook_free(hull);
			}
		}
	}
}

/* ---- errors ------------------------------------------------------------------------------------- */

Test(cook, errors)
{
	const size_t count = make_cube(1, 1, 1);
	const wp_hull *hull = (const wp_hull *)(const void *)points;
	cr_assert_eq(wp_cook_points(NULL, 0, count, &hull, NULL), WP_ERROR_NULL_POINTS);
	cr_assert_null(hull);
	cr_assert_eq(wp_cook_points(points[0], 0, count, NULL, NULL), WP_ERROR_NULL_HULL);
	hull = (const wp_hull *)(const void *)points;
	cr_assert_eq(wp_cook_points(points[0], 0, 0, &hull, NULL), WP_ERROR_HULL_VERTEX_COUNT);
	cr_assert_null(hull);
	cr_assert_eq(wp_cook_points(points[0], 0, (size_t)INT32_MAX + 1, &hull, NULL), WP_ERROR_HULL_COOK);
	cr_assert_null(hull);
	wp_cook_free(NULL);

	const float bad_values[] = {NAN, INFINITY, -INFINITY, 1.0001e30f, -1.0001e30f};
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < 15; k++) {
			make_cube(1, 1, 1);
			points[i][k % 3] = bad_values[k / 3];
			size_t bad = 99;
			hull = (const wp_hull *)(const void *)points;
			cr_assert_eq(wp_cook_points(points[0], 0, count, &hull, &bad), WP_ERROR_HULL_VERTEX);
			cr_assert_eq(bad, i);
			cr_assert_null(hull);
			cr_assert_eq(wp_cook_points(points[0], 0, count, &hull, NULL), WP_ERROR_HULL_VERTEX);
		}
	}
}

/* Whatever the caller rounds by, and whatever becomes of denormals. */
Test(cook, rounds_to_nearest)
{
	static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
	const wp_hull *expected[2] = {NULL, NULL};
	wp_mass expected_mass;
	float expected_error = 0;
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		const size_t count = make_sphere(300, 1.0 / 3);
		const wp_hull *hull[2];
		wp_mass mass;
		float error;
		cr_assert_eq(fesetround(modes[i]), 0);
		cr_assert_eq(wp_cook_points(points[0], 0, count, &hull[0], NULL), WP_OK);
		cr_assert_eq(wp_cook_simplified(points[0], 0, count, 24, &hull[1], &error, NULL), WP_OK);
		cr_assert_eq(wp_cook_mass(hull[0], &mass), WP_OK);
		cr_assert_eq(rounding_now(), modes[i]);
		fesetround(FE_TONEAREST);
		if (i == 0) {
			memcpy(expected, hull, sizeof expected);
			expected_mass = mass;
			expected_error = error;
			continue;
		}
		for (int k = 0; k < 2; k++) {
			cr_assert_eq(wp_hull_byte_size(hull[k]), wp_hull_byte_size(expected[k]));
			cr_assert_eq(memcmp(hull[k], expected[k], wp_hull_byte_size(hull[k])), 0, "hull %d, mode %zu", k, i);
			wp_cook_free(hull[k]);
		}
		cr_assert_eq(memcmp(&mass, &expected_mass, sizeof mass), 0, "mode %zu", i);
		cr_assert_eq(error, expected_error, "mode %zu", i);
	}
	for (int k = 0; k < 2; k++)
		wp_cook_free(expected[k]);
}

Test(cook, strides)
{
	unsigned char bytes[8 * 19 + 1];
	make_cube(1, 2, 3);
	memset(bytes, 0xff, sizeof bytes);
	for (size_t i = 0; i < 8; i++)
		memcpy(bytes + 1 + 19 * i, points[i], 12);
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_cook_points((const float *)(const void *)(bytes + 1), 19, 8, &hull, NULL), WP_OK);
	check_box(hull, 8, 0);
	wp_cook_free(hull);
}
