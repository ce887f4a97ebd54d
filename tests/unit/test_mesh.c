/* Meshes: what the cook makes of triangles, and queries against looking at every triangle. */
#include "support/check.h"
#include "support/rounding.h"
#include "support/surfaces.h"
#include "widephase/query.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

static const wp_mesh *cook(const surface *s, wp_mesh_report *report)
{
	const wp_mesh *mesh = NULL, *again = NULL;
	const wp_mesh_input input = surface_input(s);
	const wp_error error = wp_cook_mesh(&input, &mesh, report);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
	cr_assert_eq(wp_mesh_from_memory(mesh, wp_mesh_byte_size(mesh), &again), WP_OK);
	cr_assert_eq(again, mesh);
	return mesh;
}

static void corners_of(const wp_mesh *mesh, size_t triangle, float corners[3][3])
{
	uint32_t index[3];
	wp_mesh_triangle(mesh, triangle, index);
	for (int k = 0; k < 3; k++) {
		cr_assert_lt(index[k], wp_mesh_vertex_count(mesh));
		wp_mesh_vertex(mesh, index[k], corners[k]);
	}
}

/* ---- what the cook makes ------------------------------------------------------------------------ */

/* Triangles have the corners of their sources, each source once; neighbours are each other's along the same edge. */
static void check_mesh(const surface *s, const wp_mesh *mesh, const wp_mesh_report *report)
{
	bool *seen = calloc(s->triangle_count, sizeof *seen);
	cr_assert_eq(wp_mesh_triangle_count(mesh) + report->dropped, s->triangle_count);
	cr_assert_eq(wp_mesh_vertex_count(mesh) + report->welded + report->unused, s->vertex_count);
	size_t boundaries = 0;
	for (size_t t = 0; t < wp_mesh_triangle_count(mesh); t++) {
		const uint32_t source = wp_mesh_source(mesh, t);
		float corners[3][3];
		CHECK(source < s->triangle_count && !seen[source], "triangle %zu: source %u", t, source);
		seen[source] = true;
		corners_of(mesh, t, corners);
		uint32_t own[3];
		wp_mesh_triangle(mesh, t, own);
		for (size_t k = 0; k < 3; k++) {
			const float *const from = s->vertices[s->triangles[source][k]];
			for (int axis = 0; axis < 3; axis++)
				CHECK(corners[k][axis] == from[axis], "triangle %zu, corner %zu: %a, not %a", t, k,
					(double)corners[k][axis], (double)from[axis]);
			const wp_mesh_edge edge = wp_mesh_edge_of(mesh, t, k);
			boundaries += edge.kind == WP_EDGE_BOUNDARY;
			if (edge.kind == WP_EDGE_BOUNDARY)
				continue;
			uint32_t other[3];
			wp_mesh_triangle(mesh, edge.neighbour, other);
			CHECK(other[edge.neighbour_edge] == own[(k + 1) % 3] && other[(edge.neighbour_edge + 1) % 3] == own[k],
				"triangle %zu, edge %zu", t, k);
			const wp_mesh_edge back = wp_mesh_edge_of(mesh, edge.neighbour, edge.neighbour_edge);
			CHECK(back.kind == edge.kind && back.neighbour == t && back.neighbour_edge == k, "triangle %zu, edge %zu",
				t, k);
		}
	}
	cr_assert_geq(boundaries, report->boundary_edges + 3 * report->crowded_edges + 2 * report->turned_edges);
	free(seen);
}

static void count_kinds(const wp_mesh *mesh, size_t kinds[WP_EDGE_KIND_COUNT], size_t *face_only)
{
	memset(kinds, 0, WP_EDGE_KIND_COUNT * sizeof *kinds);
	*face_only = 0;
	for (size_t t = 0; t < wp_mesh_triangle_count(mesh); t++) {
		for (size_t k = 0; k < 3; k++)
			kinds[wp_mesh_edge_of(mesh, t, k).kind]++;
		*face_only += (size_t)wp_mesh_is_face_only(mesh, t);
	}
}

#define EXPECT_KINDS(mesh, flat, convex, concave, boundary, faces)                                    \
	do {                                                                                              \
		size_t kinds[WP_EDGE_KIND_COUNT], face_only;                                                  \
		count_kinds(mesh, kinds, &face_only);                                                         \
		cr_assert(kinds[WP_EDGE_FLAT] == (flat) && kinds[WP_EDGE_CONVEX] == (convex) &&               \
					  kinds[WP_EDGE_CONCAVE] == (concave) && kinds[WP_EDGE_BOUNDARY] == (boundary) && \
					  face_only == (faces),                                                           \
			"flat %zu, convex %zu, concave %zu, boundary %zu, face only %zu", kinds[WP_EDGE_FLAT],    \
			kinds[WP_EDGE_CONVEX], kinds[WP_EDGE_CONCAVE], kinds[WP_EDGE_BOUNDARY], face_only);       \
	} while (0)

#define EXPECT_REPORT(report, w, d, u, b, c, t)                                                                    \
	cr_assert((report).welded == (w) && (report).dropped == (d) && (report).unused == (u) &&                       \
				  (report).boundary_edges == (b) && (report).crowded_edges == (c) && (report).turned_edges == (t), \
		"welded %zu, dropped %zu, unused %zu, boundary %zu, crowded %zu, turned %zu", (report).welded,             \
		(report).dropped, (report).unused, (report).boundary_edges, (report).crowded_edges, (report).turned_edges)

static surface surface_of(
	size_t vertex_count, const float (*vertices)[3], size_t triangle_count, const uint32_t (*triangles)[3])
{
	const surface s = surface_allocate(vertex_count, triangle_count);
	memcpy(s.vertices, vertices, vertex_count * sizeof *vertices);
	memcpy(s.triangles, triangles, triangle_count * sizeof *triangles);
	return s;
}

Test(mesh, a_cube)
{
	surface cube = surface_ball(1, 0.0, 1);
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&cube, &report);
	check_mesh(&cube, mesh, &report);
	EXPECT_REPORT(report, 16, 0, 0, 0, 0, 0);
	EXPECT_KINDS(mesh, 12, 24, 0, 0, 0);
	/* Inside out all ridges are valleys, and nothing but faces can be touched. */
	for (size_t t = 0; t < cube.triangle_count; t++) {
		const uint32_t kept = cube.triangles[t][1];
		cube.triangles[t][1] = cube.triangles[t][2];
		cube.triangles[t][2] = kept;
	}
	const wp_mesh *inside = cook(&cube, &report);
	EXPECT_KINDS(inside, 12, 0, 24, 0, 12);
	wp_cook_free_mesh(inside);
	wp_cook_free_mesh(mesh);
	surface_free(&cube);
}

Test(mesh, a_flat_grid)
{
	surface grid = surface_grid(11, 9);
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&grid, &report);
	check_mesh(&grid, mesh, &report);
	EXPECT_REPORT(report, 0, 0, 0, 36, 0, 0);
	/* Triangles without a corner at the rim: the inner squares, and of the squares at the rim none. */
	EXPECT_KINDS(mesh, 3 * 160 - 36, 0, 0, 36, 2 * 8 * 6);
	float normal[3], lower[3], upper[3];
	wp_mesh_normal(mesh, 7, normal);
	cr_assert(normal[0] == 0.0f && normal[1] == 1.0f && normal[2] == 0.0f);
	wp_mesh_bounds(mesh, lower, upper);
	cr_assert(lower[0] == 0.0f && lower[1] == 0.0f && lower[2] == 0.0f);
	cr_assert(upper[0] == 10.0f && upper[1] == 0.0f && upper[2] == 8.0f);
	wp_cook_free_mesh(mesh);
	surface_free(&grid);
}

/* The kind of an edge by the height of the far corner over the plane, in long double. */
static wp_edge_kind kind_by_height(const wp_mesh *mesh, size_t triangle, const wp_mesh_edge *edge)
{
	float own[3][3], other[3][3];
	long double u[3], v[3], n[3], up[3], length = 0, height = 0, away = 0;
	corners_of(mesh, triangle, own);
	corners_of(mesh, edge->neighbour, other);
	const float *const far = other[(edge->neighbour_edge + 2) % 3], *const a = other[edge->neighbour_edge],
					   *const b = other[(edge->neighbour_edge + 1) % 3];
	for (int k = 0; k < 3; k++) {
		u[k] = (long double)own[1][k] - (long double)own[0][k];
		v[k] = (long double)own[2][k] - (long double)own[0][k];
	}
	for (int k = 0; k < 3; k++) {
		n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
		length += n[k] * n[k];
	}
	long double along = 0, squared = 0;
	for (int k = 0; k < 3; k++) {
		along += ((long double)far[k] - (long double)a[k]) * ((long double)b[k] - (long double)a[k]);
		squared += ((long double)b[k] - (long double)a[k]) * ((long double)b[k] - (long double)a[k]);
	}
	for (int k = 0; k < 3; k++) {
		up[k] = (long double)far[k] - (long double)a[k] - along / squared * ((long double)b[k] - (long double)a[k]);
		height += up[k] * n[k];
		away += up[k] * up[k];
	}
	const long double sine = height / sqrtl(length * away);
	return sine > 1e-3L ? WP_EDGE_CONCAVE : sine < -1e-3L ? WP_EDGE_CONVEX : WP_EDGE_FLAT;
}

Test(mesh, kinds_of_edges_of_a_saddle)
{
	surface saddle = surface_grid(40, 40);
	for (size_t i = 0; i < saddle.vertex_count; i++) {
		const double x = (double)saddle.vertices[i][0] - 19.3, z = (double)saddle.vertices[i][2] - 19.7;
		surface_set(saddle.vertices[i], x, 0.05 * (x * x - z * z), z);
	}
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&saddle, &report);
	check_mesh(&saddle, mesh, &report);
	size_t kinds[WP_EDGE_KIND_COUNT] = {0};
	for (size_t t = 0; t < wp_mesh_triangle_count(mesh); t++) {
		for (size_t k = 0; k < 3; k++) {
			const wp_mesh_edge edge = wp_mesh_edge_of(mesh, t, k);
			kinds[edge.kind]++;
			if (edge.kind != WP_EDGE_BOUNDARY)
				CHECK(edge.kind == kind_by_height(mesh, t, &edge), "triangle %zu, edge %zu: kind %u", t, k, edge.kind);
		}
	}
	cr_assert(kinds[WP_EDGE_CONVEX] > 1000 && kinds[WP_EDGE_CONCAVE] > 1000);
	wp_cook_free_mesh(mesh);
	surface_free(&saddle);
}

/* Two triangles with an edge of length 2 along x, the far corner of the second at this height over a run of 1. */
static uint32_t kind_at(float run, float height)
{
	const float vertices[4][3] = {{0, 0, 0}, {2, 0, 0}, {1, 0, -1}, {1, height, run}};
	const uint32_t triangles[2][3] = {{0, 1, 2}, {1, 0, 3}};
	surface s = surface_of(4, vertices, 2, triangles);
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&s, &report);
	const uint32_t kind = wp_mesh_edge_of(mesh, wp_mesh_source(mesh, 0) == 0 ? 0 : 1, 0).kind;
	wp_cook_free_mesh(mesh);
	surface_free(&s);
	return kind;
}

Test(mesh, kinds_by_angle)
{
	/* The first triangle has its front up. */
	cr_assert_eq(kind_at(1, 0), WP_EDGE_FLAT);
	cr_assert_eq(kind_at(1, 0.00099f), WP_EDGE_FLAT);
	cr_assert_eq(kind_at(1, -0.00099f), WP_EDGE_FLAT);
	cr_assert_eq(kind_at(1, 0.00101f), WP_EDGE_CONCAVE);
	cr_assert_eq(kind_at(1, -0.00101f), WP_EDGE_CONVEX);
	cr_assert_eq(kind_at(0, 1), WP_EDGE_CONCAVE);
	cr_assert_eq(kind_at(-1, 1), WP_EDGE_CONCAVE);
	cr_assert_eq(kind_at(-1, -1), WP_EDGE_CONVEX);
	cr_assert_eq(kind_at(-1, 0), WP_EDGE_CONVEX);
	cr_assert_eq(kind_at(-1, 0.0001f), WP_EDGE_CONVEX);
	cr_assert_eq(kind_at(1e-10f, -1e-10f), WP_EDGE_CONVEX);
}

Test(mesh, welding)
{
	/* A square of two triangles, each with corners of its own; -0 is 0. */
	const float vertices[8][3] = {
		{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-0.0f, 0, -0.0f}, {1, 1, 0}, {0, 1, -0.0f}, {5, 5, 5}, {5, 5, 5}};
	const uint32_t triangles[2][3] = {{0, 1, 2}, {3, 4, 5}};
	surface s = surface_of(8, vertices, 2, triangles);
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&s, &report);
	check_mesh(&s, mesh, &report);
	EXPECT_REPORT(report, 3, 0, 1, 4, 0, 0);
	cr_assert_eq(wp_mesh_vertex_count(mesh), 4);
	EXPECT_KINDS(mesh, 2, 0, 0, 4, 0);
	wp_cook_free_mesh(mesh);
	/* The next float is another place. */
	s.vertices[3][0] = 0x1p-149f;
	mesh = cook(&s, &report);
	EXPECT_REPORT(report, 2, 0, 1, 6, 0, 0);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

Test(mesh, triangles_without_area)
{
	const float vertices[7][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {0.1f, 0.1f, 0.1f}, {0.3f, 0.3f, 0.3f},
		{0x1.99999ap-3f, 0x1.99999ap-3f, 0x1.99999cp-3f}};
	/* Good; a corner twice; in line along an axis; in line askew; almost in line, within the rounding of float alone. */
	const uint32_t triangles[5][3] = {{0, 1, 2}, {0, 1, 1}, {0, 1, 3}, {0, 4, 5}, {4, 5, 6}};
	surface s = surface_of(7, vertices, 5, triangles);
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&s, &report);
	check_mesh(&s, mesh, &report);
	EXPECT_REPORT(report, 0, 3, 1, 6, 0, 0);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

Test(mesh, edges_of_three_and_turned_ones)
{
	const float vertices[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {1, 1, 0}};
	/* Three triangles at one edge, and one at another that has its front on the other side. */
	const uint32_t triangles[4][3] = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}, {1, 2, 5}};
	surface s = surface_of(6, vertices, 4, triangles);
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&s, &report);
	check_mesh(&s, mesh, &report);
	EXPECT_REPORT(report, 0, 0, 0, 7, 1, 1);
	EXPECT_KINDS(mesh, 0, 0, 0, 12, 0);
	wp_cook_free_mesh(mesh);
	/* The same triangle twice, and back to back. */
	const uint32_t twice[2][3] = {{0, 1, 2}, {1, 2, 0}}, pillow[2][3] = {{0, 1, 2}, {1, 0, 2}};
	memcpy(s.triangles, twice, sizeof twice);
	s.triangle_count = 2;
	mesh = cook(&s, &report);
	EXPECT_REPORT(report, 0, 0, 3, 0, 0, 3);
	wp_cook_free_mesh(mesh);
	memcpy(s.triangles, pillow, sizeof pillow);
	mesh = cook(&s, &report);
	EXPECT_REPORT(report, 0, 0, 3, 0, 0, 0);
	EXPECT_KINDS(mesh, 0, 6, 0, 0, 0);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* A vertex of many edges: all triangles of a fan meet there. */
Test(mesh, a_fan_of_many_triangles)
{
	enum { BLADES = 100000 };
	surface fan = surface_allocate(BLADES + 1, BLADES);
	surface_set(fan.vertices[BLADES], 0, 1, 0);
	for (uint32_t i = 0; i < BLADES; i++) {
		const double turn = 2.0 * M_PI * i / BLADES;
		surface_set(fan.vertices[i], 100 * cos(turn), 0, 100 * sin(turn));
		const uint32_t blade[3] = {BLADES, (i + 1) % BLADES, i};
		memcpy(fan.triangles[i], blade, sizeof blade);
	}
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&fan, &report);
	check_mesh(&fan, mesh, &report);
	EXPECT_REPORT(report, 0, 0, 0, BLADES, 0, 0);
	wp_cook_free_mesh(mesh);
	surface_free(&fan);
}

Test(mesh, bytes_a_triangle)
{
	surface terrain = surface_terrain(400, 400, 5);
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&terrain, &report);
	const double bytes = (double)wp_mesh_byte_size(mesh) / (double)terrain.triangle_count;
	cr_assert(bytes <= 40.0, "%g bytes a triangle", bytes);
	cr_assert_leq(wp_mesh_depth(mesh), 12, "%zu levels", wp_mesh_depth(mesh));
	wp_cook_free_mesh(mesh);
	surface_free(&terrain);
}

/* Strides, rows of three vertices without indices, and the caller's floating-point environment change no byte. */
Test(mesh, the_same_bytes)
{
	surface soup = surface_soup(3000, 0.05, 9);
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&soup, &report), *other = NULL;
	const size_t size = wp_mesh_byte_size(mesh);
	const wp_mesh_input plain = {.vertices.data = soup.vertices[0], .vertex_count = soup.vertex_count};
	cr_assert_eq(wp_cook_mesh(&plain, &other, NULL), WP_OK);
	cr_assert(wp_mesh_byte_size(other) == size && memcmp(mesh, other, size) == 0, "without indices");
	wp_cook_free_mesh(other);
	struct wide_vertex {
		float at[3], other[2];
	} *vertices = malloc(soup.vertex_count * sizeof *vertices);
	struct wide_triangle {
		uint32_t corners[3], other;
	} *triangles = malloc(soup.triangle_count * sizeof *triangles);
	for (size_t i = 0; i < soup.vertex_count; i++)
		memcpy(vertices[i].at, soup.vertices[i], sizeof vertices[i].at);
	for (size_t i = 0; i < soup.triangle_count; i++)
		memcpy(triangles[i].corners, soup.triangles[i], sizeof triangles[i].corners);
	const wp_mesh_input wide = {{vertices[0].at, sizeof *vertices}, soup.vertex_count,
		{triangles[0].corners, sizeof *triangles}, soup.triangle_count};
	cr_assert_eq(wp_cook_mesh(&wide, &other, NULL), WP_OK);
	cr_assert(wp_mesh_byte_size(other) == size && memcmp(mesh, other, size) == 0, "with strides");
	wp_cook_free_mesh(other);
	fesetround(FE_UPWARD);
	const wp_error error = wp_cook_mesh(&wide, &other, NULL);
	cr_assert_eq(rounding_now(), FE_UPWARD);
	const wp_error loaded = wp_mesh_from_memory(mesh, size, &mesh);
	fesetround(FE_TONEAREST);
	cr_assert(error == WP_OK && loaded == WP_OK);
	cr_assert(wp_mesh_byte_size(other) == size && memcmp(mesh, other, size) == 0, "rounding up");
	wp_cook_free_mesh(other);
	wp_cook_free_mesh(mesh);
	free(vertices);
	free(triangles);
	surface_free(&soup);
}

/* ---- boxes -------------------------------------------------------------------------------------- */

static bool meets(const float corners[3][3], const float lower[3], const float upper[3])
{
	for (int k = 0; k < 3; k++) {
		if (fminf(fminf(corners[0][k], corners[1][k]), corners[2][k]) > upper[k] ||
			fmaxf(fmaxf(corners[0][k], corners[1][k]), corners[2][k]) < lower[k])
			return false;
	}
	return true;
}

/* A box about a place of the mesh, of any size, degenerate or infinite; the place is often a vertex. */
static void make_box(gen_random *random, const wp_mesh *mesh, float lower[3], float upper[3])
{
	float low[3], high[3];
	wp_mesh_bounds(mesh, low, high);
	const uint32_t kind = gen_below(random, 8), at = gen_below(random, (uint32_t)wp_mesh_vertex_count(mesh));
	wp_mesh_vertex(mesh, at, lower);
	for (int k = 0; k < 3; k++) {
		const double extent = (double)high[k] - (double)low[k];
		if (kind >= 4)
			lower[k] = gen_rounded((double)low[k] + gen_range(random, -0.1, 1.1) * extent);
		const double half = kind == 0 ? 0.0 : gen_magnitude(random, 1e-4, 0.5) * extent;
		upper[k] = gen_rounded((double)lower[k] + half);
		lower[k] = gen_rounded((double)lower[k] - half);
		if (kind == 7 && gen_below(random, 2))
			lower[k] = -INFINITY;
		if (kind == 7 && gen_below(random, 2))
			upper[k] = INFINITY;
	}
}

/* All triangles that meet a box, found in parts of `capacity`, against a look at every triangle. */
static size_t check_box(
	const wp_mesh *mesh, const float (*corners)[3][3], const float lower[3], const float upper[3], size_t capacity)
{
	const size_t count = wp_mesh_triangle_count(mesh);
	uint32_t cursor = 0, found[64];
	size_t next = 0, all = 0;
	while (cursor < count) {
		size_t part;
		const uint32_t before = cursor;
		cr_assert_eq(wp_mesh_overlap_box(mesh, lower, upper, &cursor, found, capacity, &part), WP_OK);
		CHECK(cursor > before && cursor <= count && part <= capacity && (part == capacity || cursor == count),
			"cursor %u after %u, %zu found", cursor, before, part);
		for (size_t i = 0; i < part; i++) {
			for (; next < found[i]; next++)
				CHECK(!meets(corners[next], lower, upper), "triangle %zu is missing", next);
			CHECK(next == found[i] && meets(corners[next], lower, upper), "triangle %u does not meet", found[i]);
			next++;
		}
		all += part;
	}
	for (; next < count; next++)
		CHECK(!meets(corners[next], lower, upper), "triangle %zu is missing at the end", next);
	return all;
}

static void check_boxes(const surface *s, size_t queries)
{
	gen_random random;
	wp_mesh_report report;
	const wp_mesh *mesh = cook(s, &report);
	const size_t count = wp_mesh_triangle_count(mesh);
	float(*const corners)[3][3] = malloc(count * sizeof *corners);
	check_mesh(s, mesh, &report);
	for (size_t t = 0; t < count; t++)
		corners_of(mesh, t, corners[t]);
	gen_seed(&random, count);
	size_t found = 0;
	for (size_t i = 0; i < queries; i++) {
		static const size_t capacities[] = {64, 64, 64, 7, 1};
		float lower[3], upper[3];
		make_box(&random, mesh, lower, upper);
		found += check_box(mesh, (const float(*)[3][3])corners, lower, upper, capacities[i % COUNT_OF(capacities)]);
	}
	cr_assert(found > queries / 10, "%zu queries found %zu triangles", queries, found);
	free(corners);
	wp_cook_free_mesh(mesh);
}

Test(mesh, boxes_of_a_terrain)
{
	surface s = surface_terrain(60, 50, 3);
	check_boxes(&s, 10000);
	surface_free(&s);
}

Test(mesh, boxes_of_a_soup)
{
	static const double sizes[] = {0.001, 0.05, 0.5};
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		surface s = surface_soup(2000, sizes[i], i);
		check_boxes(&s, 10000);
		surface_free(&s);
	}
}

Test(mesh, boxes_of_scaled_meshes)
{
	static const double scales[][3] = {
		{1e-37, 1e-37, 1e-37}, {1e-44, 1e-44, 1e-44}, {5e29, 5e29, 5e29}, {1e5, 1e-5, 1}, {0, 1, 1}, {1, 1e-45, 1}};
	for (size_t i = 0; i < COUNT_OF(scales); i++) {
		surface s = surface_soup(500, 0.1, 77 + i);
		surface_scale(&s, scales[i][0], scales[i][1], scales[i][2]);
		check_boxes(&s, 4000);
		surface_free(&s);
	}
}

/* Far from the origin, where floats are wider apart than cells. */
Test(mesh, boxes_far_from_the_origin)
{
	surface s = surface_soup(1500, 0.2, 8);
	for (size_t i = 0; i < s.vertex_count; i++)
		surface_set(
			s.vertices[i], (double)s.vertices[i][0] + 3e6, (double)s.vertices[i][1] - 1e7, (double)s.vertices[i][2]);
	check_boxes(&s, 5000);
	surface_free(&s);
}

static const float rotation[4] = {0.3f, -0.5f, 0.1f, 0.8f};
static const double moved[3] = {-40, 7, 1000};

Test(mesh, boxes_of_turned_meshes)
{
	surface grid = surface_grid(50, 40), ball = surface_ball(12, 0.1, 4);
	surface_turn(&grid, rotation, moved);
	surface_turn(&ball, rotation, moved);
	check_boxes(&grid, 10000);
	check_boxes(&ball, 10000);
	surface_free(&grid);
	surface_free(&ball);
}

Test(mesh, boxes_of_few_triangles)
{
	for (size_t count = 1; count < 40; count++) {
		surface s = surface_soup(count, 0.3, count);
		check_boxes(&s, 500);
		surface_free(&s);
	}
}

/* Any number of triangles in one place, which no plane parts. */
Test(mesh, boxes_of_a_stack)
{
	surface s = surface_soup(20000, 0.1, 4);
	for (size_t i = 0; i < s.vertex_count; i++)
		memcpy(s.vertices[i], s.vertices[i % 3], sizeof s.vertices[i]);
	check_boxes(&s, 100);
	surface_free(&s);
}

/* Triangles each half as large as the one before and beside it: the deepest tree of planes. */
Test(mesh, boxes_of_a_spiral)
{
	surface s = surface_soup(5000, 0.1, 4);
	for (size_t i = 0; i < s.triangle_count; i++) {
		const double size = ldexp(1.0, -(int)(i % 120)), shift = 1.0 + 1e-3 * (double)(i / 120);
		surface_set(s.vertices[3 * i], size * shift, 0, 0);
		surface_set(s.vertices[3 * i + 1], size * shift, size * 0.25, 0);
		surface_set(s.vertices[3 * i + 2], size * shift, 0, size * 0.25);
	}
	check_boxes(&s, 2000);
	surface_free(&s);
}

Test(mesh, a_million_in_one_plane)
{
	surface s = surface_grid(708, 708);
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&s, &report);
	const float lower[3] = {300.25f, 0, 400.25f}, upper[3] = {300.5f, 0, 400.5f}, above[3] = {300, 1e-30f, 400};
	uint32_t cursor = 0, found[8];
	size_t count;
	cr_assert_eq(wp_mesh_overlap_box(mesh, lower, upper, &cursor, found, 8, &count), WP_OK);
	cr_assert_eq(count, 2);
	cursor = 0;
	cr_assert_eq(wp_mesh_overlap_box(mesh, above, above, &cursor, found, 8, &count), WP_OK);
	cr_assert(count == 0 && cursor == wp_mesh_triangle_count(mesh));
	/* All of them, in parts. */
	static uint32_t part[4096];
	const float far[3] = {1e30f, 1e30f, 1e30f}, near[3] = {-1e30f, -1e30f, -1e30f};
	size_t all = 0;
	for (cursor = 0; cursor < wp_mesh_triangle_count(mesh);) {
		cr_assert_eq(wp_mesh_overlap_box(mesh, near, far, &cursor, part, COUNT_OF(part), &count), WP_OK);
		for (size_t i = 0; i < count; i++)
			CHECK(part[i] == all + i, "triangle %u, not %zu", part[i], all + i);
		all += count;
	}
	cr_assert_eq(all, s.triangle_count);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* ---- rays --------------------------------------------------------------------------------------- */

/* A ray from around the mesh or from within, at a vertex or anywhere; many along axes. */
static void make_ray(gen_random *random, const wp_mesh *mesh, float start[3], float way[3])
{
	float low[3], high[3], at[3];
	wp_mesh_bounds(mesh, low, high);
	const uint32_t kind = gen_below(random, 8);
	wp_mesh_vertex(mesh, gen_below(random, (uint32_t)wp_mesh_vertex_count(mesh)), at);
	double largest = 0;
	for (int k = 0; k < 3; k++)
		largest = fmax(largest, (double)high[k] - (double)low[k]);
	for (int k = 0; k < 3; k++) {
		const double own = (double)high[k] - (double)low[k], extent = own > 0 ? own : largest;
		const double reach = kind & 1 ? 0.5 : 2.0, to = kind & 2 ? 0.0 : 0.1;
		start[k] = gen_rounded((double)low[k] + gen_range(random, 0.5 - reach, 0.5 + reach) * extent);
		way[k] = gen_rounded(
			((double)at[k] + gen_range(random, -to, to) * extent - (double)start[k]) * gen_range(random, 0.5, 2));
	}
	if (kind < 3) {
		const uint32_t axis = gen_below(random, 3);
		for (uint32_t k = 0; k < 3; k++) {
			way[k] = k == axis ? way[k] : 0.0f;
			start[k] = k == axis ? start[k] : at[k];
		}
	}
}

/* The mesh of each triangle alone: a tree of one leaf. */
static const wp_mesh **cook_each(const surface *s)
{
	const wp_mesh **each = malloc(s->triangle_count * sizeof *each);
	for (size_t t = 0; t < s->triangle_count; t++) {
		wp_mesh_input input = surface_input(s);
		input.triangles.data = s->triangles[t];
		input.triangle_count = 1;
		cr_assert_eq(wp_cook_mesh(&input, &each[t], NULL), WP_OK);
	}
	return each;
}

/* The first hit, bit for bit, against all triangles one by one. */
static void check_rays(const surface *s, size_t queries)
{
	gen_random random;
	wp_mesh_report report;
	const wp_mesh *mesh = cook(s, &report);
	const wp_mesh **each = cook_each(s);
	cr_assert_eq(report.dropped, 0);
	gen_seed(&random, s->triangle_count);
	size_t hits = 0;
	for (size_t i = 0; i < queries; i++) {
		float start[3], way[3];
		wp_mesh_hit hit, first = {.triangle = WP_MESH_MISS};
		size_t source = SIZE_MAX;
		make_ray(&random, mesh, start, way);
		cr_assert_eq(wp_mesh_ray(mesh, start, way, &hit), WP_OK);
		for (size_t t = 0; t < s->triangle_count; t++) {
			wp_mesh_hit own;
			cr_assert_eq(wp_mesh_ray(each[t], start, way, &own), WP_OK);
			if (own.triangle != WP_MESH_MISS && (source == SIZE_MAX || own.fraction < first.fraction)) {
				first = own;
				source = t;
			}
		}
		if (hit.triangle != WP_MESH_MISS)
			first.triangle = hit.triangle;
		const size_t found = hit.triangle != WP_MESH_MISS ? wp_mesh_source(mesh, hit.triangle) : SIZE_MAX;
		CHECK(found == source && memcmp(&hit, &first, sizeof hit) == 0,
			"ray %zu from %a %a %a along %a %a %a: source %zu at %a, not %zu at %a", i, (double)start[0],
			(double)start[1], (double)start[2], (double)way[0], (double)way[1], (double)way[2], found,
			(double)hit.fraction, source, (double)first.fraction);
		hits += source != SIZE_MAX;
	}
	cr_assert(hits > queries / 10, "%zu of %zu rays hit", hits, queries);
	for (size_t t = 0; t < s->triangle_count; t++)
		wp_cook_free_mesh(each[t]);
	free(each);
	wp_cook_free_mesh(mesh);
}

Test(mesh, rays_of_a_terrain, .timeout = 120)
{
	surface s = surface_terrain(24, 20, 6);
	check_rays(&s, 5000);
	surface_free(&s);
}

Test(mesh, rays_of_a_grid)
{
	surface s = surface_grid(13, 13);
	check_rays(&s, 5000);
	surface_free(&s);
}

Test(mesh, rays_of_a_soup, .timeout = 120)
{
	surface s = surface_soup(400, 0.2, 12);
	check_rays(&s, 10000);
	surface_free(&s);
}

Test(mesh, rays_of_a_ball)
{
	surface s = surface_ball(5, 0.2, 12);
	check_rays(&s, 10000);
	surface_free(&s);
}

Test(mesh, rays_of_turned_meshes)
{
	surface grid = surface_grid(13, 11), ball = surface_ball(5, 0.1, 4);
	surface_turn(&grid, rotation, moved);
	surface_turn(&ball, rotation, moved);
	check_rays(&grid, 3000);
	check_rays(&ball, 3000);
	surface_free(&grid);
	surface_free(&ball);
}

Test(mesh, rays_of_scaled_meshes)
{
	static const double scales[][3] = {
		{1e-37, 1e-37, 1e-37}, {1e-5, 1, 1e5}, {5e28, 5e28, 5e28}, {1, 1e-6, 1}, {1e-40, 1e-40, 1e-40}};
	for (size_t i = 0; i < COUNT_OF(scales); i++) {
		surface s = surface_soup(150, 0.3, 99 + i);
		surface_scale(&s, scales[i][0], scales[i][1], scales[i][2]);
		check_rays(&s, 3000);
		surface_free(&s);
	}
}

/* Fractions by Cramer's rule in long double, and whether the ray is clearly inside. */
static bool clearly_hits(
	const float corners[3][3], const float start[3], const float way[3], long double *fraction, bool *unclear)
{
	long double u[3], v[3], w[3], p[3], q[3], determinant = 0, a = 0, b = 0, t = 0;
	for (int k = 0; k < 3; k++) {
		u[k] = (long double)corners[1][k] - (long double)corners[0][k];
		v[k] = (long double)corners[2][k] - (long double)corners[0][k];
		w[k] = (long double)start[k] - (long double)corners[0][k];
	}
	for (int k = 0; k < 3; k++) {
		const int i = (k + 1) % 3, j = (k + 2) % 3;
		p[k] = (long double)way[i] * v[j] - (long double)way[j] * v[i];
		q[k] = w[i] * u[j] - w[j] * u[i];
	}
	for (int k = 0; k < 3; k++) {
		determinant += u[k] * p[k];
		a += w[k] * p[k];
		b += (long double)way[k] * q[k];
		t += v[k] * q[k];
	}
	a /= determinant;
	b /= determinant;
	*fraction = t / determinant;
	const long double least = fminl(fminl(a, b), fminl(1 - a - b, fminl(*fraction, 1 - *fraction)));
	*unclear = !(fabsl(least) > 1e-9L);
	return least > 1e-9L;
}

Test(mesh, rays_against_cramer)
{
	surface s = surface_soup(300, 0.2, 31);
	gen_random random;
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&s, &report);
	gen_seed(&random, 5);
	size_t judged = 0;
	for (size_t i = 0; i < 20000; i++) {
		float start[3], way[3];
		wp_mesh_hit hit;
		long double first = 2;
		size_t which = 0;
		bool is_unclear = false;
		make_ray(&random, mesh, start, way);
		cr_assert_eq(wp_mesh_ray(mesh, start, way, &hit), WP_OK);
		for (size_t t = 0; t < wp_mesh_triangle_count(mesh); t++) {
			float corners[3][3];
			long double fraction;
			bool unclear;
			corners_of(mesh, t, corners);
			if (clearly_hits((const float(*)[3])corners, start, way, &fraction, &unclear) && fraction < first) {
				first = fraction;
				which = t;
			}
			is_unclear |= unclear;
		}
		if (is_unclear)
			continue;
		judged++;
		CHECK((hit.triangle != WP_MESH_MISS) == (first <= 1), "ray %zu: hit %u, first %Lg", i, hit.triangle, first);
		if (hit.triangle == WP_MESH_MISS)
			continue;
		CHECK(fabsl((long double)hit.fraction - first) <= 0x1p-24L * first + 1e-12L, "ray %zu: %a, not %La", i,
			(double)hit.fraction, first);
		CHECK(hit.triangle == which, "ray %zu: triangle %u, not %zu", i, hit.triangle, which);
		float corners[3][3], normal[3];
		corners_of(mesh, hit.triangle, corners);
		wp_mesh_normal(mesh, hit.triangle, normal);
		double along = 0, error = 0;
		for (int k = 0; k < 3; k++) {
			along += (double)normal[k] * (double)way[k];
			const double at = (double)start[k] + (double)hit.fraction * (double)way[k];
			const double mean = (double)hit.weights[0] * (double)corners[0][k] +
			                    (double)hit.weights[1] * (double)corners[1][k] +
			                    (double)hit.weights[2] * (double)corners[2][k];
			error = fmax(error, fabs(at - mean));
		}
		CHECK(error < 2e-6, "ray %zu: %g between the point and its weights", i, error);
		CHECK(hit.is_front == (along < 0) || fabs(along) < 1e-6, "ray %zu: front %u, along %g", i, hit.is_front, along);
	}
	cr_assert(judged > 10000, "%zu rays were judged", judged);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* From inside a closed surface no ray gets out, whatever vertex, edge or middle it aims at. */
Test(mesh, no_ray_leaves_a_ball)
{
	surface s = surface_ball(20, 0.3, 3);
	gen_random random;
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&s, &report);
	gen_seed(&random, 1);
	EXPECT_REPORT(report, 6 * 21 * 21 - (6 * 20 * 20 + 2), 0, 0, 0, 0, 0);
	for (size_t i = 0; i < 200000; i++) {
		float start[3], way[3], corners[3][3];
		wp_mesh_hit hit;
		corners_of(mesh, gen_below(&random, (uint32_t)wp_mesh_triangle_count(mesh)), corners);
		const double a = gen_below(&random, 2) ? 0.0 : gen_range(&random, 0, 1),
					 b = gen_below(&random, 2) ? 0.0 : 1.0 - a;
		const double reach = gen_magnitude(&random, 1.5, 1e6);
		for (int k = 0; k < 3; k++) {
			start[k] = gen_below(&random, 4) ? gen_rounded(gen_range(&random, -0.4, 0.4)) : 0.0f;
			const double at = a * (double)corners[0][k] + b * (double)corners[1][k] +
			                  (1 - a - b) * (double)corners[2][k];
			way[k] = gen_rounded(reach * (at - (double)start[k]));
		}
		cr_assert_eq(wp_mesh_ray(mesh, start, way, &hit), WP_OK);
		/* The ray may pass by a fold at an edge. */
		const float least = fminf(hit.weights[0], fminf(hit.weights[1], hit.weights[2]));
		CHECK(hit.triangle != WP_MESH_MISS && (!hit.is_front || least < 1e-6f), "ray %zu from %a %a %a along %a %a %a",
			i, (double)start[0], (double)start[1], (double)start[2], (double)way[0], (double)way[1], (double)way[2]);
	}
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* Down at the vertices and the middles of the edges of a terrain. */
Test(mesh, no_ray_falls_through_a_terrain)
{
	surface s = surface_terrain(100, 100, 2);
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&s, &report);
	for (uint32_t x = 0; x < 199; x++) {
		for (uint32_t z = 0; z < 199; z++) {
			const float start[3] = {0.5f * (float)x, 1000, 0.5f * (float)z}, way[3] = {0, -2000, 0};
			wp_mesh_hit hit;
			cr_assert_eq(wp_mesh_ray(mesh, start, way, &hit), WP_OK);
			CHECK(hit.triangle != WP_MESH_MISS && hit.is_front, "at %g %g", (double)start[0], (double)start[2]);
		}
	}
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* A row of rays among other members. */
typedef struct ray_row {
	char before;
	float start[3], way[3];
	wp_mesh_hit hit;
	char after;
} ray_row;

/* What a call of its own answers, and a miss without a fraction for what that refuses. */
static void expect_hit(const wp_mesh *mesh, const ray_row *row, const wp_mesh_hit *hit, size_t count)
{
	wp_mesh_hit expected;
	const wp_error error = wp_mesh_ray(mesh, row->start, row->way, &expected);
	if (error == WP_OK) {
		CHECK(memcmp(hit, &expected, sizeof expected) == 0, "one of %zu from %a %a %a along %a %a %a", count,
			(double)row->start[0], (double)row->start[1], (double)row->start[2], (double)row->way[0],
			(double)row->way[1], (double)row->way[2]);
		return;
	}
	cr_assert_eq(error, WP_ERROR_MESH_RAY);
	CHECK(hit->triangle == WP_MESH_MISS && isnan(hit->fraction) && !hit->is_front && hit->weights[0] == 0.0f &&
			  hit->weights[1] == 0.0f && hit->weights[2] == 0.0f,
		"a bad one of %zu", count);
}

static void spoil(gen_random *random, ray_row *row)
{
	static const float bad[] = {NAN, INFINITY, -INFINITY, 2 * WP_COORDINATE_MAX};
	float *const end = gen_below(random, 2) ? row->start : row->way;
	if (gen_below(random, 4) == 0)
		memset(row->way, 0, sizeof row->way);
	else
		end[gen_below(random, 3)] = bad[gen_below(random, 4)];
}

static void expect_hits(const wp_mesh *mesh, gen_random *random, ray_row *rows, wp_mesh_hit *packed, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		make_ray(random, mesh, rows[i].start, rows[i].way);
		if (gen_below(random, 8) == 0)
			spoil(random, &rows[i]);
		rows[i].before = rows[i].after = 77;
		memset(&packed[i], 77, sizeof packed[i]);
	}
	const wp_const_float_column start = {rows[0].start, sizeof *rows}, way = {rows[0].way, sizeof *rows};
	const wp_mesh_hit_column hit = {&rows[0].hit, sizeof *rows};
	cr_assert_eq(wp_mesh_rays(mesh, &start, &way, count, &hit), WP_OK);
	cr_assert_eq(wp_mesh_rays(mesh, &start, &way, count, &(wp_mesh_hit_column){packed, 0}), WP_OK);
	for (size_t i = 0; i < count; i++) {
		expect_hit(mesh, &rows[i], &rows[i].hit, count);
		expect_hit(mesh, &rows[i], &packed[i], count);
		cr_assert(rows[i].before == 77 && rows[i].after == 77);
	}
}

/* Rays of one call have the bits of calls of their own, however many there are, whatever lies between them. */
Test(mesh, many_rays_are_single_ones)
{
	enum { MANY = 10000 };
	surface surfaces[] = {surface_soup(3, 0.5, 5), surface_soup(300, 0.2, 31), surface_terrain(40, 40, 6)};
	ray_row *const rows = calloc(MANY + 1, sizeof *rows);
	wp_mesh_hit *const hits = calloc(MANY + 1, sizeof *hits);
	gen_random random;
	cr_assert(rows && hits);
	gen_seed(&random, 17);
	for (size_t s = 0; s < COUNT_OF(surfaces); s++) {
		wp_mesh_report report;
		const wp_mesh *mesh = cook(&surfaces[s], &report);
		for (size_t count = 0; count <= 20; count++)
			expect_hits(mesh, &random, rows, hits, count);
		expect_hits(mesh, &random, rows, hits, MANY);
		wp_cook_free_mesh(mesh);
		surface_free(&surfaces[s]);
	}
	free(rows);
	free(hits);
}

/* Of triangles on top of each other the first of the input is met; ends of the way count. */
Test(mesh, equal_fractions_and_ends)
{
	surface s = surface_soup(100, 0.1, 4);
	for (size_t i = 0; i < s.vertex_count; i++) {
		static const float corner[3][3] = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, 0}};
		memcpy(s.vertices[i], corner[i % 3], sizeof corner[0]);
	}
	wp_mesh_report report;
	const wp_mesh *mesh = cook(&s, &report);
	const float above[3] = {0, 1, 0}, on[3] = {0, 0, 0}, down[3] = {0, -1, 0}, along[3] = {1, 0, 0},
				none[3] = {0, -0.0f, 0}, half[3] = {0, -0.5f, 0};
	wp_mesh_hit hit;
	cr_assert_eq(wp_mesh_ray(mesh, above, down, &hit), WP_OK);
	cr_assert(hit.triangle != WP_MESH_MISS && wp_mesh_source(mesh, hit.triangle) == 0 && hit.fraction == 1.0f &&
			  hit.is_front);
	cr_assert_eq(wp_mesh_ray(mesh, on, down, &hit), WP_OK);
	cr_assert(hit.triangle != WP_MESH_MISS && wp_mesh_source(mesh, hit.triangle) == 0 && hit.fraction == 0.0f);
	cr_assert_eq(wp_mesh_ray(mesh, above, half, &hit), WP_OK);
	cr_assert(hit.triangle == WP_MESH_MISS && hit.fraction == 0.0f && hit.weights[0] == 0.0f);
	cr_assert_eq(wp_mesh_ray(mesh, on, along, &hit), WP_OK);
	cr_assert_eq(hit.triangle, WP_MESH_MISS);
	cr_assert_eq(wp_mesh_ray(mesh, on, none, &hit), WP_OK);
	cr_assert_eq(hit.triangle, WP_MESH_MISS);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}
