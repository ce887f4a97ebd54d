/* Height fields: what their check refuses, their triangles, rays and contacts against a mesh of the same triangles, bodies
 * that slide over flat ones and feel no edge, and holes. */
#include "mesh_query/internal.h"
#include "support/block.h"
#include "support/check.h"
#include "support/cooked.h"
#include "support/mesh_answer.h"
#include "support/mesh_bodies.h"
#include "support/mesh_triangle.h"
#include "support/shape_core.h"

#include <float.h>
#include <math.h>

/* A point has no contacts here, but casts that are rays. A long box is only where it is meant. */
enum { BOX, SPHERE, CAPSULE, CYLINDER, HULL, SHAPES, POINT = SHAPES, ALL, LONG = ALL, TABLE };

static const char *const shape_names[SHAPES] = {"box", "sphere", "capsule", "cylinder", "hull"};

static wp_shape shape[TABLE];
static const wp_shape_table *table;
static wp_workspace *workspace;

static void setup(void)
{
	float points[32][3];
	gen_random random;
	gen_seed(&random, 7);
	for (size_t i = 0; i < COUNT_OF(points); i++) {
		const v3 at = v3_scale(gen_direction(&random), 0.5);
		surface_set(points[i], at.x, at.y, at.z);
	}
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_cook_points(points[0], 0, COUNT_OF(points), &hull, NULL), WP_OK);
	shape[BOX] = wp_shape_box(0.5f, 0.3f, 0.4f);
	shape[SPHERE] = wp_shape_sphere(0.5f);
	shape[CAPSULE] = wp_shape_capsule(0.25f, 0.3f);
	shape[CYLINDER] = wp_shape_cylinder(0.4f, 0.3f);
	shape[HULL] = wp_shape_hull(hull);
	shape[POINT] = wp_shape_point();
	shape[LONG] = wp_shape_box(20, 0.3f, 0.4f);
	const size_t size = wp_shape_table_size(TABLE);
	cr_assert_eq(wp_shape_table_build(shape, TABLE, block(size), size, &table, NULL), WP_OK);
	cr_assert_eq(wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace), WP_OK);
}

/* ---- fields ------------------------------------------------------------------------------------- */

/* The samples of a surface of that many columns, as surface_grid makes them. */
static float *samples_of(const surface *s)
{
	float *const samples = malloc(s->vertex_count * sizeof *samples);
	for (size_t i = 0; i < s->vertex_count; i++)
		samples[i] = s->vertices[i][1];
	return samples;
}

static wp_height_field field_of(const float *samples, uint32_t columns, uint32_t rows)
{
	return (wp_height_field){.samples = samples, .columns = columns, .rows = rows, .spacing = {1, 1}};
}

/* A field's triangles as a mesh, in their order, without those in holes. */
static const wp_mesh *mesh_of(const wp_height_field *field)
{
	const size_t count = wp_height_field_triangle_count(field);
	surface s = surface_allocate(3 * count, count);
	s.triangle_count = 0;
	for (size_t i = 0; i < count; i++) {
		float corners[3][3];
		if (!wp_height_field_triangle(field, i, corners))
			continue;
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t at = (uint32_t)(3 * s.triangle_count) + k;
			memcpy(s.vertices[at], corners[k], sizeof corners[k]);
			s.triangles[s.triangle_count][k] = at;
		}
		s.triangle_count++;
	}
	s.vertex_count = 3 * s.triangle_count;
	return cook_surface(&s);
}

/* Hills of 1-unit cells, with some holes. */
static wp_height_field hills(uint32_t columns, uint32_t rows, uint32_t holes)
{
	surface s = surface_terrain(columns, rows, 17);
	float *const samples = samples_of(&s);
	gen_random random;
	gen_seed(&random, 23);
	for (uint32_t i = 0; i < holes; i++)
		samples[gen_below(&random, columns * rows)] = WP_HEIGHT_HOLE;
	surface_free(&s);
	return field_of(samples, columns, rows);
}

/* ---- the check ---------------------------------------------------------------------------------- */

Test(height, check)
{
	float samples[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, WP_HEIGHT_HOLE};
	int16_t integers[12] = {0, 1, INT16_MAX, WP_HEIGHT_HOLE_INT16};
	wp_height_field good = field_of(samples, 4, 3);
	wp_height_field small = field_of((const float *)(const void *)integers, 4, 3);
	small.format = WP_HEIGHT_INT16;
	small.scale = 0.5f;
	cr_assert_eq(wp_height_field_check(NULL), WP_ERROR_NULL_HEIGHT_FIELD);
	cr_assert_eq(wp_height_field_check(&good), WP_OK);
	cr_assert_eq(wp_height_field_check(&small), WP_OK);
#define EXPECT_FIELD(of, change, e)                           \
	do {                                                      \
		wp_height_field field = of;                           \
		change;                                               \
		cr_assert_eq(wp_height_field_check(&field), (e), #e); \
	} while (0)
	EXPECT_FIELD(good, field.samples = NULL, WP_ERROR_NULL_HEIGHT_SAMPLES);
	EXPECT_FIELD(good, field.columns = 1, WP_ERROR_HEIGHT_COUNT);
	EXPECT_FIELD(good, field.rows = 0, WP_ERROR_HEIGHT_COUNT);
	EXPECT_FIELD(good, (field.columns = 16386, field.rows = 16386), WP_ERROR_HEIGHT_COUNT);
	/* As many cells as there may be; no sample is read, since any integer is one. */
	EXPECT_FIELD(small, (field.columns = 16385, field.rows = 16385), WP_OK);
	EXPECT_FIELD(good, (field.columns = UINT32_MAX, field.rows = UINT32_MAX), WP_ERROR_HEIGHT_COUNT);
	EXPECT_FIELD(good, field.format = 2, WP_ERROR_HEIGHT_FORMAT);
	EXPECT_FIELD(good, field.flags = 2, WP_ERROR_HEIGHT_FORMAT);
	EXPECT_FIELD(good, field.row_stride = 15, WP_ERROR_HEIGHT_STRIDE);
	EXPECT_FIELD(small, field.row_stride = 7, WP_ERROR_HEIGHT_STRIDE);
	EXPECT_FIELD(small, field.row_stride = 8, WP_OK);
	const float bad[] = {0, -1, NAN, INFINITY, 1e30f};
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		for (int axis = 0; axis < 2; axis++)
			EXPECT_FIELD(good, field.spacing[axis] = bad[i], WP_ERROR_HEIGHT_SPACING);
	EXPECT_FIELD(good, field.spacing[0] = 1e-45f, WP_OK);
	/* Two steps lead to the last row, three to the last column. */
	EXPECT_FIELD(good, field.spacing[1] = 0.4f * WP_COORDINATE_MAX, WP_OK);
	EXPECT_FIELD(good, field.spacing[0] = 0.4f * WP_COORDINATE_MAX, WP_ERROR_HEIGHT_SPACING);
	EXPECT_FIELD(small, field.scale = NAN, WP_ERROR_HEIGHT_SCALE);
	EXPECT_FIELD(small, field.scale = 0, WP_ERROR_HEIGHT_SCALE);
	EXPECT_FIELD(small, field.scale = 1e26f, WP_ERROR_HEIGHT_SCALE);
	EXPECT_FIELD(small, field.scale = -1e26f, WP_ERROR_HEIGHT_SCALE);
	EXPECT_FIELD(small, field.scale = WP_COORDINATE_MAX / 32768, WP_OK);
	EXPECT_FIELD(small, field.scale = nextafterf(WP_COORDINATE_MAX / 32768, INFINITY), WP_ERROR_HEIGHT_SCALE);
	EXPECT_FIELD(small, (field.scale = 1e20f, field.offset = -WP_COORDINATE_MAX), WP_ERROR_HEIGHT_SCALE);
	EXPECT_FIELD(small, field.offset = 2e30f, WP_ERROR_HEIGHT_SCALE);
	EXPECT_FIELD(small, field.offset = -INFINITY, WP_ERROR_HEIGHT_SCALE);
	EXPECT_FIELD(good, field.scale = NAN, WP_OK);
	const float wrong[] = {NAN, INFINITY, -INFINITY, 2e30f, -FLT_MAX};
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		samples[7] = wrong[i];
		cr_assert_eq(wp_height_field_check(&good), WP_ERROR_HEIGHT_SAMPLE, "%g", (double)wrong[i]);
		/* A sample that is none is a hole. */
		float corners[3][3];
		cr_assert_eq(wp_height_field_triangle(&good, 5, corners), 0);
		cr_assert_eq(wp_height_field_triangle(&good, 4, corners), 1);
	}
	samples[7] = 7;
	samples[11] = NAN;
	cr_assert_eq(wp_height_field_check(&good), WP_ERROR_HEIGHT_SAMPLE);
}

Test(height, triangles)
{
	const float samples[6] = {0, 1, 3, 0.5f, 2, WP_HEIGHT_HOLE};
	wp_height_field field = field_of(samples, 3, 2);
	field.spacing[0] = 2;
	field.spacing[1] = 0.5f;
	static const float expected[2][3][3][3] = {
		{{{0, 0, 0}, {0, 0.5f, 0.5f}, {2, 1, 0}}, {{2, 1, 0}, {0, 0.5f, 0.5f}, {2, 2, 0.5f}},
			{{2, 1, 0}, {2, 2, 0.5f}, {4, 3, 0}}},
		{{{0, 0, 0}, {0, 0.5f, 0.5f}, {2, 2, 0.5f}}, {{0, 0, 0}, {2, 2, 0.5f}, {2, 1, 0}}, {{0}}},
	};
	cr_assert_eq(wp_height_field_triangle_count(&field), 4);
	for (field.flags = 0; field.flags < 2; field.flags++) {
		for (size_t i = 0; i < 4; i++) {
			float corners[3][3], normal[3];
			const bool is_hole = field.flags == 0 ? i == 3 : i >= 2;
			cr_assert_eq(wp_height_field_triangle(&field, i, corners), !is_hole);
			wp_height_field_normal(&field, i, normal);
			if (is_hole) {
				cr_assert(normal[0] == 0 && normal[1] == 0 && normal[2] == 0);
				continue;
			}
			cr_assert_eq(memcmp(corners, expected[field.flags][i], sizeof corners), 0, "triangle %zu", i);
			const v3 a = v3_of_floats(corners[0]), n = v3_of_floats(normal);
			const v3 area = v3_cross(v3_sub(v3_of_floats(corners[1]), a), v3_sub(v3_of_floats(corners[2]), a));
			cr_assert(area.y > 0 && v3_length(v3_sub(v3_unit(area), n)) < 1e-6);
		}
	}
}

/* Cells that touch a range belong to it; a range outside has none. */
Test(height, cells_of_places)
{
	static const float zeros[10 * 10];
	wp_height_field field = field_of(zeros, 10, 10);
	field.spacing[1] = 0.1f;
	const double tenth = (double)field.spacing[1];
	const struct {
		int axis;
		double lower, upper;
		uint32_t first, last;
	} cases[] = {{0, 2, 3, 1, 3}, {0, 2.5, 2.5, 2, 2}, {0, -5, 0, 0, 0}, {0, 9, 20, 8, 8}, {0, -1, 99, 0, 8},
		{0, 9.001, 20, 1, 0}, {0, -5, -0.001, 1, 0}, {0, (double)NAN, 3, 1, 0}, {1, 3 * tenth, 7 * tenth, 2, 7},
		{1, 3.5 * tenth, 3.6 * tenth, 3, 3}, {1, 9 * tenth, 9 * tenth, 8, 8}, {1, -1e30, 1e30, 0, 8}};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const wp_height_range range = wp_height_cells(&field, cases[i].axis, cases[i].lower, cases[i].upper);
		CHECK(range.first == cases[i].first && range.last == cases[i].last, "case %zu: %u to %u", i, range.first,
			range.last);
	}
}

/* ---- neighbours --------------------------------------------------------------------------------- */

/* Each edge is its neighbour's the other way round; what has none is at the border of the field or beside a hole. */
Test(height, neighbours)
{
	wp_height_field field = hills(9, 7, 5);
	for (field.flags = 0; field.flags < 2; field.flags++) {
		const wp_surface seen = wp_surface_of(NULL, &field);
		const wp_mesh *const mesh = mesh_of(&field);
		size_t borders = 0, mesh_borders = 0;
		for (uint32_t i = 0; i < wp_height_field_triangle_count(&field); i++) {
			float corners[3][3];
			for (uint32_t edge = 0; edge < 3 && wp_height_field_triangle(&field, i, corners); edge++) {
				const wp_surface_triangle own = wp_surface_triangle_of(&seen, i);
				wp_surface_triangle other = {0}, back = {0};
				uint32_t number, back_number;
				wp_d3 far = wp_d3_zero(), own_far = wp_d3_zero();
				if (!wp_surface_across(&seen, &own, edge, &other, &number, &far)) {
					borders++;
					continue;
				}
				cr_assert(wp_surface_across(&seen, &other, number, &back, &back_number, &own_far));
				cr_assert(back.number == i && back_number == edge);
				const v3 a = v3_of_floats(corners[edge]), b = v3_of_floats(corners[(edge + 1) % 3]);
				const v3 c = v3_of_floats(corners[(edge + 2) % 3]);
				const wp_d3 from = wp_surface_corner_of(&seen, &other, number);
				const wp_d3 to = wp_surface_corner_of(&seen, &other, (number + 1) % 3);
				const wp_d3 last = wp_surface_corner_of(&seen, &other, (number + 2) % 3);
				cr_assert(from.x == b.x && from.y == b.y && from.z == b.z && to.x == a.x && to.y == a.y && to.z == a.z);
				cr_assert(memcmp(&far, &last, sizeof far) == 0);
				cr_assert(own_far.x == c.x && own_far.y == c.y && own_far.z == c.z);
			}
		}
		for (size_t i = 0; i < wp_mesh_triangle_count(mesh); i++)
			for (size_t edge = 0; edge < 3; edge++)
				mesh_borders += wp_mesh_edge_of(mesh, i, edge).kind == WP_EDGE_BOUNDARY;
		CHECK(borders == mesh_borders && borders > 28, "%zu borders, %zu of the mesh", borders, mesh_borders);
		wp_cook_free_mesh(mesh);
	}
}

/* ---- rays --------------------------------------------------------------------------------------- */

enum { RAYS = 100000 };

/* A place above the field, below it or beside it. */
static v3 any_place(gen_random *random, double wide, double deep)
{
	const double z = gen_range(random, -2, deep + 2), y = gen_range(random, -5, 20);
	return v3_of(gen_range(random, -2, wide + 2), y, z);
}

static void any_ray(gen_random *random, const wp_height_field *field, float start[3], float way[3])
{
	const double wide = field->columns - 1, deep = field->rows - 1;
	v3 from = any_place(random, wide, deep), to = any_place(random, wide, deep);
	const uint32_t kind = gen_below(random, 4);
	if (kind == 0) { /* from one sample to another, as seen from above */
		from = v3_of(round(from.x), from.y, round(from.z));
		to = v3_of(round(to.x), to.y, round(to.z));
	}
	if (kind == 1) /* straight down */
		to = v3_of(from.x, -10, from.z);
	if (kind == 2) /* along a row */
		to.z = from.z = round(from.z);
	surface_set(start, from.x, from.y, from.z);
	surface_set(way, to.x - from.x, to.y - from.y, to.z - from.z);
}

Test(height, rays_hit_what_the_mesh_has)
{
	wp_height_field field = hills(48, 40, 60);
	gen_random random;
	gen_seed(&random, 31);
	for (field.flags = 0; field.flags < 2; field.flags++) {
		const wp_mesh *const mesh = mesh_of(&field);
		/* What number of the field each triangle of the mesh has. */
		uint32_t *const numbers = malloc(wp_height_field_triangle_count(&field) * sizeof *numbers);
		uint32_t count = 0;
		for (uint32_t i = 0; i < wp_height_field_triangle_count(&field); i++) {
			float corners[3][3];
			if (wp_height_field_triangle(&field, i, corners))
				numbers[count++] = i;
		}
		size_t hits = 0, wrong = 0;
		for (uint32_t i = 0; i < RAYS; i++) {
			float start[3], way[3];
			wp_mesh_hit expected, hit;
			any_ray(&random, &field, start, way);
			cr_assert_eq(wp_mesh_ray(mesh, start, way, &expected), WP_OK);
			cr_assert_eq(wp_height_field_ray(&field, start, way, &hit), WP_OK);
			if (expected.triangle != WP_MESH_MISS)
				expected.triangle = numbers[wp_mesh_source(mesh, expected.triangle)];
			hits += hit.triangle != WP_MESH_MISS;
			wrong += memcmp(&hit, &expected, sizeof hit) != 0;
		}
		CHECK(wrong == 0 && hits > RAYS / 4, "%zu rays differ, %zu hits", wrong, hits);
		free(numbers);
		wp_cook_free_mesh(mesh);
	}
}

/* A field of cells of 0.01 to 1000, square or long, level, rough or up to a thousand times as high as wide, with holes or none. */
static wp_height_field any_field(gen_random *random, float samples[81])
{
	const double cell = gen_magnitude(random, 1e-2, 1e3), away = gen_below(random, 3) ? 0 : cell * 1e4;
	const double rough = gen_below(random, 4) ? cell * gen_magnitude(random, 1e-3, 1e3) : 0;
	const uint32_t columns = 2 + gen_below(random, 8), rows = 2 + gen_below(random, 8), holes = gen_below(random, 3);
	wp_height_field field = field_of(samples, columns, rows);
	field.flags = gen_below(random, 2);
	field.spacing[0] = gen_rounded(cell);
	field.spacing[1] = gen_rounded(gen_below(random, 2) ? cell : cell * gen_magnitude(random, 1e-2, 1));
	for (uint32_t i = 0; i < columns * rows; i++) {
		const bool is_hole = holes == 0 && gen_below(random, 5) == 0;
		samples[i] = is_hole ? WP_HEIGHT_HOLE : gen_rounded(away + rough * gen_range(random, -1, 1));
	}
	return field;
}

/* A ray near a triangle of a field: to its corner, its edge or its face; along that, across it, level, straight up or anyhow, from
 * afar, from the place itself, or ending short of it. */
static void ray_at(gen_random *random, float corners[3][3], float start[3], float way[3])
{
	const uint32_t k = gen_below(random, 3), at = gen_below(random, 3), from = gen_below(random, 4);
	const v3 a = v3_of_floats(corners[k]), edge = v3_sub(v3_of_floats(corners[(k + 1) % 3]), a);
	const v3 other = v3_sub(v3_of_floats(corners[(k + 2) % 3]), a), any = gen_direction(random);
	const double u = at > 0 ? gen_range(random, 0, 1) : 0, v = at > 1 ? gen_range(random, 0, 1 - u) : 0;
	const v3 place = v3_add(a, v3_add(v3_scale(edge, u), v3_scale(other, v)));
	const v3 ways[5] = {v3_unit(edge), v3_of(0, 1, 0), v3_of(any.x, 0, any.z), v3_of(any.x, any.y, 0), any};
	const v3 along = v3_scale(ways[gen_below(random, 5)], v3_length(edge) * gen_magnitude(random, 1e-2, 1e2));
	const v3 first = from == 0 ? place : v3_sub(place, along);
	const double far = from == 1 ? 0.5
	                 : from == 2 ? 1
	                             : 2,
				 scale = gen_below(random, 8) ? 1 : gen_magnitude(random, 1e-30, 1e20);
	surface_set(start, first.x, first.y, first.z);
	surface_set(way, far * scale * along.x, far * scale * along.y, far * scale * along.z);
}

/* Where a ray meets the plane of a triangle, weights of its corners there, and by how much these may be off. */
typedef struct crossing {
	double fraction, weight[3], doubt, weight_doubt;
	bool is_front;
} crossing;

/* False where it meets none. */
static bool cross(const wp_height_field *field, size_t triangle, const float start[3], const float way[3], crossing *c)
{
	v3 v[3];
	if (!field_corners(field, field->samples, triangle, v))
		return false;
	double far = 0, longest = 0;
	for (int k = 0; k < 3; k++) {
		v[k] = v3_sub(v[k], v3_of_floats(start));
		far = fmax(far, v3_length(v[k]));
	}
	for (int k = 0; k < 3; k++)
		longest = fmax(longest, v3_length(v3_sub(v[(k + 1) % 3], v[k])));
	const v3 along = v3_of_floats(way), e = v3_sub(v[1], v[0]), f = v3_sub(v[2], v[0]), area = v3_cross(e, f);
	const double speed = v3_dot(area, along), size = v3_length(area), sine = fabs(speed) / (size * v3_length(along));
	if (!(sine > 1e-9))
		return false;
	c->fraction = v3_dot(area, v[0]) / speed;
	const v3 at = v3_sub(v3_scale(along, c->fraction), v[0]);
	c->weight[1] = (at.z * f.x - at.x * f.z) / area.y;
	c->weight[2] = (at.x * e.z - at.z * e.x) / area.y;
	c->weight[0] = 1 - c->weight[1] - c->weight[2];
	c->is_front = speed < 0;
	/* As mesh.h has it. */
	const double off = 2e-16 * far * (longest * longest / size) / sine;
	c->doubt = off / v3_length(along);
	c->weight_doubt = 1e-6 + 10 * off / fmin((double)field->spacing[0], (double)field->spacing[1]);
	return true;
}

/* Whether a ray's hit is none that the triangles by themselves do not have. */
static void judge_ray(const wp_height_field *field, const float start[3], const float way[3], size_t *hits)
{
	const size_t count = wp_height_field_triangle_count(field);
	double nearest = INFINITY;
	crossing c;
	wp_mesh_hit hit;
	cr_assert_eq(wp_height_field_ray(field, start, way, &hit), WP_OK);
	for (size_t i = 0; i < count; i++)
		if (cross(field, i, start, way, &c) && c.weight[0] > c.weight_doubt && c.weight[1] > c.weight_doubt &&
			c.weight[2] > c.weight_doubt && c.fraction > c.doubt && c.fraction < 1 - c.doubt)
			nearest = fmin(nearest, c.fraction + c.doubt);
	const double got = hit.triangle == WP_MESH_MISS ? INFINITY : (double)hit.fraction;
	CHECK(got <= nearest * (1 + 0x1p-23) + 0x1p-148 || isinf(nearest), "at %a %a %a along %a %a %a: %g, but %g",
		(double)start[0], (double)start[1], (double)start[2], (double)way[0], (double)way[1], (double)way[2], got,
		nearest);
	*hits += !isinf(got);
	if (isinf(got) || !cross(field, hit.triangle, start, way, &c))
		return;
	CHECK(fabs(got - c.fraction) <= c.doubt + 0x1p-23 * fabs(got) + 0x1p-149 && (hit.is_front != 0) == c.is_front,
		"at %a %a %a along %a %a %a: %.9g, not %.9g within %g", (double)start[0], (double)start[1], (double)start[2],
		(double)way[0], (double)way[1], (double)way[2], got, c.fraction, c.doubt);
	for (int k = 0; k < 3; k++)
		CHECK(fabs((double)hit.weights[k] - c.weight[k]) <= c.weight_doubt, "weight %g, not %g", (double)hit.weights[k],
			c.weight[k]);
}

Test(height, rays_hit_the_first_triangle_of_all)
{
	static float samples[81];
	gen_random random;
	gen_seed(&random, 37);
	size_t hits = 0, rays = 0;
	for (int scene = 0; scene < 1500; scene++) {
		const wp_height_field field = any_field(&random, samples);
		for (int i = 0; i < 20; i++) {
			float corners[3][3], start[3], way[3];
			if (!wp_height_field_triangle(
					&field, gen_below(&random, (uint32_t)wp_height_field_triangle_count(&field)), corners))
				continue;
			ray_at(&random, corners, start, way);
			judge_ray(&field, start, way, &hits);
			rays++;
		}
	}
	CHECK(rays > 20000 && hits > rays / 3, "%zu rays, %zu hits", rays, hits);
}

/* A ray that comes down on the edge between two cells hits the triangle with the lesser number, which it passes last: fractions are
 * rounded down there, as float and as the least floats. */
Test(height, rays_hit_the_lesser_of_two_at_an_edge)
{
	static const float zeros[2 * 10];
	const struct {
		float cell, way;
	} cases[] = {{1, 10}, {0x1p-52f, 0x5p+97f}};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const float cell = cases[i].cell, start[3] = {8 * cell, 7 * cell, 0.25f * cell};
		const float way[3] = {-cases[i].way, -cases[i].way, 0};
		wp_height_field field = field_of(zeros, 10, 2);
		field.spacing[0] = field.spacing[1] = cell;
		wp_mesh_hit hit;
		cr_assert_eq(wp_height_field_ray(&field, start, way, &hit), WP_OK);
		CHECK(hit.triangle == 1, "case %zu: triangle %u at %a", i, hit.triangle, (double)hit.fraction);
	}
}

/* A ray that ends at the edge of a hole hits what is beyond; one that is level hits the top of the last corner. */
Test(height, rays_that_end_at_an_edge)
{
	const float rim[2 * 4] = {0, 0, WP_HEIGHT_HOLE, 0, 0, 0, 0, 0}, top[4] = {-1, -1, -1, 0};
	const float start[3] = {4, 3, 0.25f}, way[3] = {-3, -3, 0}, level[3] = {2, 0, 0.5f}, across[3] = {-2, 0, 1};
	wp_height_field field = field_of(rim, 4, 2);
	wp_mesh_hit hit;
	cr_assert_eq(wp_height_field_ray(&field, start, way, &hit), WP_OK);
	CHECK(hit.triangle == 1 && hit.fraction == 1, "triangle %u at %a", hit.triangle, (double)hit.fraction);
	field = field_of(top, 2, 2);
	cr_assert_eq(wp_height_field_ray(&field, level, across, &hit), WP_OK);
	CHECK(hit.triangle == 1 && hit.fraction == 0.5f, "triangle %u at %a", hit.triangle, (double)hit.fraction);
}

/* Columns of rays, with strides and packed: the hits of single rays, bit for bit, NaN where a ray is none, and nothing beside
 * them. */
static void check_many_rays(const wp_height_field *field, gen_random *random)
{
	enum { COUNT = 500 };
	static struct {
		float start[3], way[3];
	} rays[COUNT];
	static struct {
		wp_mesh_hit hit;
		uint32_t beside;
	} hits[COUNT];
	static wp_mesh_hit packed[COUNT];
	for (uint32_t i = 0; i < COUNT; i++) {
		any_ray(random, field, rays[i].start, rays[i].way);
		if (i % 50 == 17)
			memset(rays[i].way, 0, sizeof rays[i].way);
		if (i % 50 == 18)
			(i % 100 < 50 ? rays[i].start : rays[i].way)[i % 3] = i % 200 < 100 ? NAN : 2e30f;
		memset(&hits[i], 0xa5, sizeof hits[i]);
	}
	const wp_const_float_column start = {rays[0].start, sizeof *rays}, way = {rays[0].way, sizeof *rays};
	cr_assert_eq(
		wp_height_field_rays(field, &start, &way, COUNT, &(wp_mesh_hit_column){&hits[0].hit, sizeof *hits}), WP_OK);
	cr_assert_eq(wp_height_field_rays(field, &start, &way, COUNT, &(wp_mesh_hit_column){packed, 0}), WP_OK);
	for (uint32_t i = 0; i < COUNT; i++) {
		wp_mesh_hit one = {.triangle = WP_MESH_MISS, .fraction = NAN};
		const wp_error error = wp_height_field_ray(field, rays[i].start, rays[i].way, &one);
		cr_assert_eq(error, i % 50 == 18 ? WP_ERROR_MESH_RAY : WP_OK);
		cr_assert(memcmp(&one, &hits[i].hit, sizeof one) == 0, "ray %u", i);
		cr_assert(memcmp(&one, &packed[i], sizeof one) == 0, "ray %u", i);
		cr_assert_eq(hits[i].beside, 0xa5a5a5a5);
	}
}

Test(height, many_rays_have_the_hits_of_single_ones)
{
	wp_height_field field = hills(48, 40, 60);
	gen_random random;
	gen_seed(&random, 33);
	for (field.flags = 0; field.flags < 2; field.flags++)
		check_many_rays(&field, &random);
}

Test(height, arguments_of_many_rays)
{
	const float samples[4] = {0}, from[3] = {0.25f, 1, 0.25f}, along[3] = {0, -2, 0};
	wp_height_field field = field_of(samples, 2, 2);
	wp_mesh_hit hit;
	const wp_const_float_column start = {from, 0}, way = {along, 12}, no_floats = {NULL, 0}, narrow = {from, 11};
	const wp_mesh_hit_column hits = {&hit, 0}, no_hits = {NULL, 0}, narrow_hits = {&hit, sizeof hit - 1};
	cr_assert_eq(wp_height_field_rays(NULL, &start, &way, 1, &hits), WP_ERROR_NULL_HEIGHT_FIELD);
	cr_assert_eq(wp_height_field_rays(&field, NULL, &way, 1, &hits), WP_ERROR_NULL_START);
	cr_assert_eq(wp_height_field_rays(&field, &start, &no_floats, 1, &hits), WP_ERROR_NULL_WAY);
	cr_assert_eq(wp_height_field_rays(&field, &start, &way, 1, &no_hits), WP_ERROR_NULL_HIT);
	cr_assert_eq(wp_height_field_rays(&field, &narrow, &way, 1, &hits), WP_ERROR_START_STRIDE);
	cr_assert_eq(wp_height_field_rays(&field, &start, &narrow, 1, &hits), WP_ERROR_WAY_STRIDE);
	cr_assert_eq(wp_height_field_rays(&field, &start, &way, 1, &narrow_hits), WP_ERROR_HIT_STRIDE);
	cr_assert_eq(wp_height_field_rays(&field, &no_floats, &no_floats, 0, &no_hits), WP_OK);
	cr_assert_eq(wp_height_field_rays(&field, &start, &way, 1, &hits), WP_OK);
	cr_assert(hit.triangle == 0 && hit.is_front == 1 && hit.fraction == 0.5f);
	KEEPS_ROUNDING(wp_height_field_rays(&field, &start, &way, 1, &hits));
	KEEPS_ROUNDING(wp_height_field_ray(&field, from, along, &hit));
	memset(&hit, 0xa5, sizeof hit);
	const wp_mesh_hit before = hit;
	field.rows = 1;
	cr_assert_eq(wp_height_field_rays(&field, &start, &way, 1, &hits), WP_ERROR_HEIGHT_COUNT);
	cr_assert(memcmp(&hit, &before, sizeof hit) == 0, "a hit was written");
}

Test(height, arguments_of_rays)
{
	const float samples[4] = {0}, start[3] = {0.25f, 1, 0.25f}, way[3] = {0, -2, 0}, bad[3] = {0, NAN, 0};
	wp_height_field field = field_of(samples, 2, 2);
	wp_mesh_hit hit;
	cr_assert_eq(wp_height_field_ray(NULL, start, way, &hit), WP_ERROR_NULL_HEIGHT_FIELD);
	cr_assert_eq(wp_height_field_ray(&field, NULL, way, &hit), WP_ERROR_NULL_START);
	cr_assert_eq(wp_height_field_ray(&field, start, NULL, &hit), WP_ERROR_NULL_WAY);
	cr_assert_eq(wp_height_field_ray(&field, start, way, NULL), WP_ERROR_NULL_HIT);
	cr_assert_eq(wp_height_field_ray(&field, start, bad, &hit), WP_ERROR_MESH_RAY);
	cr_assert_eq(wp_height_field_ray(&field, start, way, &hit), WP_OK);
	cr_assert(hit.triangle == 0 && hit.is_front == 1 && hit.fraction == 0.5f);
	cr_assert_eq(wp_height_field_ray(&field, start, samples, &hit), WP_OK);
	cr_assert_eq(hit.triangle, WP_MESH_MISS);
	field.rows = 1;
	cr_assert_eq(wp_height_field_ray(&field, start, way, &hit), WP_ERROR_HEIGHT_COUNT);
}

/* ---- contacts ----------------------------------------------------------------------------------- */

typedef MESH_ANSWER(WP_MESH_PATCH_MAX) answer;

static const body plain = {.rotation = {0, 0, 0, 1}};

/* Bodies on a mesh, on a field where that is NULL, at one pose. */
static void ask_with(const wp_mesh *mesh, const wp_height_field *field, const body *bodies, size_t count,
	const body *at, const wp_mesh_options *options, answer *answers, wp_mesh_statistics *statistics, uint32_t ring)
{
	uint32_t *const zeros = calloc(count, sizeof *zeros);
	const wp_mesh_batch batch = {.shapes = table,
		.meshes = &mesh,
		.mesh_count = mesh != NULL,
		.height_fields = &field,
		.height_field_count = mesh == NULL,
		.a = bodies_of(bodies, count),
		.b = bodies_of(at, 1),
		.pair_b = {zeros, 0},
		.count = count};
	const wp_mesh_results results = MESH_ANSWERS(answers);
	memset(answers, 0, count * sizeof *answers);
	const wp_error error = wp_mesh_contact_in(workspace, &batch, options, &results, statistics, ring);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
	free(zeros);
}

static void ask(const wp_mesh *mesh, const wp_height_field *field, const body *bodies, size_t count, const body *at,
	float max_separation, answer *answers, wp_mesh_statistics *statistics, uint32_t ring)
{
	const wp_mesh_options options = {.max_separation = max_separation};
	ask_with(mesh, field, bodies, count, at, &options, answers, statistics, ring);
}

enum { BODIES = 2000 };

static void any_bodies(const wp_height_field *field, const body *at, body *bodies, size_t count)
{
	gen_random random;
	gen_seed(&random, 41);
	const m3 turn = m3_of_quaternion(at->rotation);
	for (size_t i = 0; i < count;) {
		float corners[3][3];
		const uint32_t triangle = gen_below(&random, (uint32_t)wp_height_field_triangle_count(field));
		if (!wp_height_field_triangle(field, triangle, corners))
			continue;
		const double aside = gen_range(&random, 0, 0.7);
		v3 place = v3_add(v3_of_floats(corners[0]), v3_scale(gen_direction(&random), aside));
		place = v3_add(m3_apply(turn, place), v3_of(at->position[0], at->position[1], at->position[2]));
		bodies[i] = (body){.position = {place.x, place.y, place.z}, .shape = gen_below(&random, SHAPES)};
		gen_rotation(&random, bodies[i++].rotation);
	}
}

static const body turned = {.position = {1e3, -2e3, 3e3}, .rotation = {0.1f, 0.7f, -0.5f, 0.5f}};

/* Name points of a mesh, of mesh_of, after the field's triangles. */
static void name_after_field(const wp_height_field *field, const wp_mesh *mesh, answer *answers, size_t count)
{
	uint32_t *const origin = malloc(wp_height_field_triangle_count(field) * sizeof *origin);
	uint32_t made = 0;
	for (uint32_t i = 0; i < wp_height_field_triangle_count(field); i++) {
		float corners[3][3];
		origin[made] = i;
		made += wp_height_field_triangle(field, i, corners) != 0;
	}
	for (size_t i = 0; i < count; i++)
		for (uint32_t p = 0; p < answers[i].patch_count; p++)
			for (uint32_t k = 0; k < answers[i].patch[p].point_count; k++) {
				uint32_t *const triangle = &answers[i].patch[p].points[k].triangle;
				*triangle = origin[wp_mesh_source(mesh, *triangle)];
			}
	free(origin);
}

/* What statistics say of triangles that have contacts, or may have. Those that have none are not counted alike: a mesh leaves out
 * whole groups of them. */
static wp_mesh_statistics of_contacts(const wp_mesh_statistics *all)
{
	wp_mesh_statistics some = *all;
	CHECK(all->triangles == all->behind + all->beyond + all->solved, "%zu triangles", (size_t)all->triangles);
	some.triangles = some.behind = some.beyond = 0;
	return some;
}

/* The field and the mesh of its triangles have the same contacts, one by one, and the same answers, bit by bit. */
static void compare_bodies(wp_height_field field, const body *bodies, size_t count, const body *at, uint32_t flags)
{
	static answer of_field[BODIES], of_mesh[BODIES];
	const wp_mesh_options options = {0.05f, flags};
	const wp_mesh *const mesh = mesh_of(&field);
	wp_mesh_statistics f = {0}, m = {0};
	ask_with(NULL, &field, bodies, count, at, &options, of_field, &f, WP_MESH_RING);
	ask_with(mesh, NULL, bodies, count, at, &options, of_mesh, &m, WP_MESH_RING);
	const wp_mesh_statistics one_by_one = of_contacts(&f), in_groups = of_contacts(&m);
	cr_assert_eq(memcmp(&one_by_one, &in_groups, sizeof in_groups), 0,
		"other triangles: %zu and %zu, %zu and %zu touched", (size_t)f.solved, (size_t)m.solved, (size_t)f.touched,
		(size_t)m.touched);
	cr_assert_geq(f.triangles, m.triangles);
	name_after_field(&field, mesh, of_mesh, count);
	size_t wrong = 0, touching = 0;
	for (size_t i = 0; i < count; i++) {
		touching += of_field[i].patch_count != 0;
		wrong += memcmp(&of_field[i], &of_mesh[i], sizeof *of_field) != 0;
	}
	CHECK(wrong == 0 && touching > count / 4, "flags %u: %zu of %zu rows differ, %zu touch", flags, wrong, count,
		touching);
	wp_cook_free_mesh(mesh);
}

static void compare_field(wp_height_field field, const body *at, uint32_t flags)
{
	static body bodies[BODIES];
	any_bodies(&field, at, bodies, BODIES);
	compare_bodies(field, bodies, BODIES, at, flags);
}

static void compare_with_mesh(uint32_t flags, const body *at)
{
	wp_height_field field = hills(60, 50, 40);
	field.flags = flags;
	compare_field(field, at, 0);
}

Test(height, contacts_are_those_of_the_mesh, .init = setup) { compare_with_mesh(0, &plain); }
Test(height, contacts_are_those_of_the_mesh_turned, .init = setup) { compare_with_mesh(0, &turned); }
Test(height, contacts_of_the_other_diagonal, .init = setup) { compare_with_mesh(WP_HEIGHT_OTHER_DIAGONAL, &plain); }

/* How far a shape reaches down. */
static double reach_down(uint32_t of, const float rotation[4])
{
	const v3 down = m3_apply_inverse(m3_of_quaternion(rotation), v3_of(0, -1, 0));
	return v3_dot(down, shape_core_point(&shape[of], down)) + (double)shape[of].radius;
}

/* Bodies over more columns than are read at once, and over more cells of a row than wait for the cull together. */
Test(height, contacts_of_long_bodies, .init = setup)
{
	static body bodies[100];
	const wp_height_field field = hills(60, 50, 40);
	gen_random random;
	gen_seed(&random, 47);
	for (size_t i = 0; i < COUNT_OF(bodies); i++) {
		const double half = gen_range(&random, -0.2, 0.2);
		bodies[i] = (body){{gen_range(&random, 15, 45), gen_range(&random, -1, 3), gen_range(&random, 5, 45)},
			{0, (float)sin(half), 0, (float)cos(half)}, LONG};
	}
	compare_bodies(field, bodies, COUNT_OF(bodies), &plain, 0);
}

/* Bodies that are high up in their field, or in a mesh far from its origin, are where their doubles are. */
Test(height, contacts_far_from_the_origin, .init = setup)
{
	static float samples[5 * 5];
	for (size_t i = 0; i < COUNT_OF(samples); i++)
		samples[i] = 1e5f;
	const wp_height_field field = field_of(samples, 5, 5);
	surface s = surface_grid(5, 5);
	for (size_t i = 0; i < s.vertex_count; i++)
		surface_set(s.vertices[i], -1e5 + (double)s.vertices[i][0], 1e5, 1e5 + (double)s.vertices[i][2]);
	const wp_mesh *const mesh = cook_surface(&s);
	static const double apart[2] = {-0x1.8p-8, 0.0199};
	for (uint32_t i = 0; i < 4 * SHAPES; i++) {
		const uint32_t of = i % SHAPES, is_high = i / SHAPES % 2;
		const double separation = apart[i / SHAPES / 2], aside = is_high ? 0 : 1e5;
		const body b = {
			{1.7 - aside, 1e5 + separation + reach_down(of, plain.rotation), 2.3 + aside}, {0, 0, 0, 1}, of};
		answer a;
		ask(is_high ? NULL : mesh, &field, &b, 1, &plain, 0.02f, &a, NULL, WP_MESH_RING);
		CHECK(a.patch_count == 1 && fabs((double)a.separation - separation) < 1e-6 &&
				  fabs((double)a.patch[0].points[0].separation - separation) < 1e-6,
			"%s: %g, not %g", shape_names[of], (double)a.separation, separation);
	}
	wp_cook_free_mesh(mesh);
}

/* Of many triangles at rims, others hold the place of a contact: as in a mesh, where they share vertices. */
Test(height, contacts_as_a_soup_are_those_of_the_mesh, .init = setup)
{
	for (uint32_t flags = 0; flags < 2; flags++) {
		wp_height_field field = hills(60, 50, 1000);
		field.flags = flags;
		compare_field(field, &plain, WP_MESH_SOUP);
		compare_field(field, &turned, WP_MESH_SOUP | WP_MESH_TWO_SIDED);
	}
}

/* A triangle that is apart from both of a field's, and whose contact with one of them is judged by the other. */
Test(height, a_triangle_apart_from_a_soup, .init = setup)
{
	static const float corner[3][3] = {{-0x1.4820d4p-1f, -0x1.c0cd9ap-8f, 0},
		{-0x1.de9bc6p-1f, 0x1.3245ep-1f, -0x1.ae131ep-2f}, {0x1.883decp-1f, -0x1.08c34ep-1f, 0x1.ba88f2p-1f}};
	static const float samples[4] = {0x1.884906p-4f, 0x1.83e1fcp-2f, 0x1.076316p-2f, -0x1.906536p-2f};
	static const body at = {.position = {0, -0x1.fdbcafc99aeb8p+0, 0}, .rotation = {0, 0, 0, 1}};
	static const body apart = {.position = {0x1.85a958ca48975p-1, -0x1.5c2d5f980d61cp+1, -0x1.4c205183bef5cp-2},
		.rotation = {0, 0x1.6a09e6p-1f, 0, 0x1.6a09e6p-1f}};
	const wp_shape triangle = wp_shape_triangle(corner[0], corner[1], corner[2]);
	const size_t size = wp_shape_table_size(1);
	cr_assert_eq(wp_shape_table_build(&triangle, 1, block(size), size, &table, NULL), WP_OK);
	wp_height_field field = field_of(samples, 2, 2);
	field.flags = WP_HEIGHT_OTHER_DIAGONAL;
	field.spacing[0] = 0x1.1ad69p-1f;
	field.spacing[1] = 0x1.0e6d6ep-3f;
	const wp_mesh *const mesh = mesh_of(&field);
	const wp_mesh_options options = {0.87358f, WP_MESH_TWO_SIDED | WP_MESH_SOUP};
	answer of_field, of_mesh;
	ask_with(NULL, &field, &apart, 1, &at, &options, &of_field, NULL, WP_MESH_RING);
	ask_with(mesh, NULL, &apart, 1, &at, &options, &of_mesh, NULL, WP_MESH_RING);
	name_after_field(&field, mesh, &of_mesh, 1);
	CHECK(memcmp(&of_field, &of_mesh, sizeof of_mesh) == 0 && of_field.separation > 0, "%a (field), %a (mesh)",
		(double)of_field.separation, (double)of_mesh.separation);
	wp_cook_free_mesh(mesh);
}

/* A sample that is none is a hole, whatever bits it has; what the workspace held before is no contact with it. */
Test(height, samples_that_are_none_are_holes, .init = setup)
{
	static const float none[] = {NAN, -NAN, INFINITY, -INFINITY, 2e30f, -FLT_MAX};
	static body bodies[BODIES];
	static answer of_holes[BODIES], of_none[BODIES];
	const wp_height_field field = hills(60, 50, 40);
	wp_height_field other = field;
	float *const samples = malloc(60 * 50 * sizeof *samples);
	memcpy(samples, field.samples, 60 * 50 * sizeof *samples);
	for (size_t i = 0, holes = 0; i < 60 * 50; i++)
		if (samples[i] == WP_HEIGHT_HOLE)
			samples[i] = none[holes++ % COUNT_OF(none)];
	other.samples = samples;
	any_bodies(&field, &plain, bodies, BODIES);
	ask(NULL, &field, bodies, BODIES, &plain, 0.05f, of_holes, NULL, WP_MESH_RING);
	ask(NULL, &other, bodies, BODIES, &plain, 0.05f, of_none, NULL, WP_MESH_RING);
	cr_assert_eq(memcmp(of_holes, of_none, sizeof of_holes), 0);
	free(samples);
}

Test(height, rings_change_no_bit, .init = setup)
{
	static body bodies[BODIES];
	static answer whole[BODIES], parts[BODIES];
	const wp_height_field field = hills(60, 50, 40);
	any_bodies(&field, &plain, bodies, BODIES);
	ask(NULL, &field, bodies, BODIES, &plain, 0.05f, whole, NULL, WP_MESH_RING);
	static const uint32_t rings[] = {1, 8, 64, WP_MESH_RING - 1};
	for (size_t i = 0; i < COUNT_OF(rings); i++) {
		ask(NULL, &field, bodies, BODIES, &plain, 0.05f, parts, NULL, rings[i]);
		cr_assert_eq(memcmp(whole, parts, sizeof whole), 0, "ring of %u", rings[i]);
	}
}

/* Integers have the bits of the floats that they stand for, in rows with gaps and at odd addresses. */
Test(height, integers_equal_floats, .init = setup)
{
	enum { COLUMNS = 40, ROWS = 30, STRIDE = 2 * COLUMNS + 7 };
	static body bodies[BODIES];
	static answer of_floats[BODIES], of_integers[BODIES];
	static float samples[ROWS][COLUMNS];
	static char bytes[1 + ROWS * STRIDE];
	const float scale = 0.003f, offset = -1.7f;
	wp_height_field hilly = hills(COLUMNS, ROWS, 20);
	const float *const heights = hilly.samples;
	for (size_t row = 0; row < ROWS; row++)
		for (size_t column = 0; column < COLUMNS; column++) {
			const float height = heights[row * COLUMNS + column];
			const int16_t sample = height == WP_HEIGHT_HOLE
			                         ? (int16_t)WP_HEIGHT_HOLE_INT16
			                         : (int16_t)lrint(((double)height - (double)offset) / (double)scale);
			memcpy(bytes + 1 + row * STRIDE + column * sizeof sample, &sample, sizeof sample);
			samples[row][column] = sample == WP_HEIGHT_HOLE_INT16
			                         ? WP_HEIGHT_HOLE
			                         : gen_rounded((double)offset + (double)scale * (double)sample);
		}
	const wp_height_field floats = field_of(samples[0], COLUMNS, ROWS);
	const wp_height_field integers = {.samples = bytes + 1,
		.row_stride = STRIDE,
		.columns = COLUMNS,
		.rows = ROWS,
		.format = WP_HEIGHT_INT16,
		.spacing = {1, 1},
		.scale = scale,
		.offset = offset};
	cr_assert(wp_height_field_check(&floats) == WP_OK && wp_height_field_check(&integers) == WP_OK);
	any_bodies(&floats, &plain, bodies, BODIES);
	ask(NULL, &floats, bodies, BODIES, &plain, 0.05f, of_floats, NULL, WP_MESH_RING);
	ask(NULL, &integers, bodies, BODIES, &plain, 0.05f, of_integers, NULL, WP_MESH_RING);
	cr_assert_eq(memcmp(of_floats, of_integers, sizeof of_floats), 0);
	gen_random random;
	gen_seed(&random, 5);
	for (uint32_t i = 0; i < 1000; i++) {
		float start[3], way[3];
		wp_mesh_hit one, other;
		any_ray(&random, &floats, start, way);
		cr_assert_eq(wp_height_field_ray(&floats, start, way, &one), WP_OK);
		cr_assert_eq(wp_height_field_ray(&integers, start, way, &other), WP_OK);
		cr_assert_eq(memcmp(&one, &other, sizeof one), 0);
	}
}

/* ---- overlaps, distances, casts ----------------------------------------------------------------- */

enum { QUERY_BODIES = 300, QUERIES = 5 };

static const char *const query_names[QUERIES] = {
	"overlaps", "distances", "casts", "turning casts", "distances up to a most"};

/* Where a body goes. */
typedef struct motion {
	float way[3], end[4];
} motion;

typedef struct query_answer {
	wp_row row;
	float local_a[3], local_b[3], fraction;
	uint32_t triangle;
} query_answer;

static void ask_query(int query, const wp_mesh *mesh, const wp_height_field *field, const body *bodies,
	const motion *motions, const body *at, const motion *way, uint32_t ring, query_answer *answers)
{
	static const uint32_t zeros[QUERY_BODIES];
	const size_t stride = sizeof *answers, apart = sizeof *motions;
	const wp_mesh_batch batch = {.shapes = table,
		.meshes = &mesh,
		.mesh_count = mesh != NULL,
		.height_fields = &field,
		.height_field_count = mesh == NULL,
		.a = bodies_of(bodies, QUERY_BODIES),
		.b = bodies_of(at, 1),
		.pair_b = {zeros, 0},
		.count = QUERY_BODIES};
	const bool turns = query == 3;
	const wp_motions a = {{motions->way, apart}, {turns ? motions->end : NULL, apart}};
	const wp_motions b = {{way->way, apart}, {turns ? way->end : NULL, apart}};
	const wp_results results = {.separation = {&answers->row.separation, stride},
		.normal = {answers->row.normal, stride},
		.lower = {&answers->row.lower, stride},
		.upper = {&answers->row.upper, stride},
		.status = {&answers->row.status, stride},
		.local_a = {answers->local_a, stride},
		.local_b = {answers->local_b, stride}};
	const wp_uint32_column triangle = {&answers->triangle, stride};
	const wp_float_column fraction = {&answers->fraction, stride};
	const wp_mesh_distance_options near = {.max_distance = 0.5f};
	memset(answers, 0, QUERY_BODIES * stride);
	const wp_error error = query == 0 ? wp_mesh_overlap_in(workspace, &batch, &results, &triangle, NULL, ring)
	                     : query == 1 || query == 4
	                         ? wp_mesh_distance_in(
								   workspace, &batch, query == 1 ? NULL : &near, &results, &triangle, NULL, ring)
	                         : wp_mesh_cast_in(workspace, &batch, &a, &b, &results, &fraction, &triangle, NULL, ring);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

/* Bodies at any distance from corners of the field, in it, above, below and beside it, and their ways. */
static void any_motions(const wp_height_field *field, const body *at, body *bodies, motion *motions)
{
	gen_random random;
	gen_seed(&random, 43);
	const m3 turn = m3_of_quaternion(at->rotation);
	for (uint32_t i = 0; i < QUERY_BODIES;) {
		float corners[3][3];
		const uint32_t triangle = gen_below(&random, (uint32_t)wp_height_field_triangle_count(field));
		if (!wp_height_field_triangle(field, triangle, corners))
			continue;
		const double distance = gen_magnitude(&random, 0.05, 10);
		const v3 local = v3_add(v3_of_floats(corners[0]), v3_scale(gen_direction(&random), distance));
		const v3 place = v3_add(m3_apply(turn, local), v3_of(at->position[0], at->position[1], at->position[2]));
		const v3 way = v3_scale(gen_direction(&random), gen_magnitude(&random, 0.1, 40));
		bodies[i] = (body){.position = {place.x, place.y, place.z}, .shape = gen_below(&random, ALL)};
		gen_rotation(&random, bodies[i].rotation);
		surface_set(motions[i].way, way.x, way.y, way.z);
		gen_rotation(&random, motions[i++].end);
	}
}

/* A field has the answers of the mesh of its triangles, whatever the size of the ring; of overlaps any triangle's. */
static void compare_queries(uint32_t flags, const body *at)
{
	static body bodies[QUERY_BODIES];
	static motion motions[QUERY_BODIES];
	static query_answer of_field[QUERY_BODIES], of_ring[QUERY_BODIES], of_mesh[QUERY_BODIES];
	static uint32_t numbers[2 * 40 * 30];
	const motion way = {{0.5f, 0.25f, -0.25f}, {0.3f, 0.6f, -0.5f, 0.55f}};
	wp_height_field field = hills(40, 30, 40);
	field.flags = flags;
	const wp_mesh *const mesh = mesh_of(&field);
	uint32_t count = 0;
	for (uint32_t i = 0; i < wp_height_field_triangle_count(&field); i++) {
		float corners[3][3];
		if (wp_height_field_triangle(&field, i, corners))
			numbers[count++] = i;
	}
	any_motions(&field, at, bodies, motions);
	for (int query = 0; query < QUERIES; query++) {
		size_t wrong = 0, found = 0, first = QUERY_BODIES;
		ask_query(query, NULL, &field, bodies, motions, at, &way, WP_MESH_QUERY_RING, of_field);
		ask_query(query, NULL, &field, bodies, motions, at, &way, 3, of_ring);
		ask_query(query, mesh, NULL, bodies, motions, at, &way, WP_MESH_QUERY_RING, of_mesh);
		cr_assert_eq(memcmp(of_field, of_ring, sizeof of_field), 0, "%s of other rings differ", query_names[query]);
		for (uint32_t i = 0; i < QUERY_BODIES; i++) {
			const query_answer *const f = &of_field[i], *const m = &of_mesh[i];
			bool same = f->row.status == m->row.status &&
			            (f->triangle == WP_MESH_MISS) == (m->triangle == WP_MESH_MISS);
			if (query != 0) {
				same &= f->triangle == WP_MESH_MISS || f->triangle == numbers[wp_mesh_source(mesh, m->triangle)];
				same &= f->fraction == m->fraction && f->row.separation == m->row.separation &&
				        f->row.upper == m->row.upper;
				same &= memcmp(f->row.normal, m->row.normal, sizeof f->row.normal) == 0;
				same &= memcmp(f->local_a, m->local_a, sizeof f->local_a) == 0;
				same &= (query != 1 && query != 4) ||
				        fabs((double)f->row.lower - (double)m->row.lower) <= 1e-5 * (1 + (double)f->row.separation);
			}
			found += f->triangle != WP_MESH_MISS;
			wrong += !same;
			first = same || first < i ? first : i;
		}
		CHECK(wrong == 0 && found > QUERY_BODIES / 20,
			"%s: %zu of %u rows differ, the first is %zu, %zu have an answer", query_names[query], wrong, QUERY_BODIES,
			first, found);
	}
	wp_cook_free_mesh(mesh);
}

Test(height, queries_are_those_of_the_mesh, .init = setup) { compare_queries(0, &plain); }
Test(height, queries_of_the_other_diagonal, .init = setup) { compare_queries(WP_HEIGHT_OTHER_DIAGONAL, &plain); }
Test(height, queries_of_a_turned_field, .init = setup) { compare_queries(0, &turned); }

/* ---- sliding ------------------------------------------------------------------------------------ */

enum { DIRECTIONS = 64, FRAMES = 60 };

static void slide(const body *at, uint32_t flags)
{
	static const float zeros[25 * 25];
	static body bodies[DIRECTIONS * FRAMES];
	static double depth[DIRECTIONS * FRAMES];
	static answer answers[DIRECTIONS * FRAMES];
	wp_height_field field = field_of(zeros, 25, 25);
	field.flags = flags;
	const m3 turn = m3_of_quaternion(at->rotation);
	const v3 down = v3_scale(turn.y, -1.0), origin = v3_of(at->position[0], at->position[1], at->position[2]);
	for (uint32_t of = 0; of < SHAPES; of++) {
		gen_random random;
		gen_seed(&random, 1000 + of);
		size_t count = 0;
		for (uint32_t d = 0; d < DIRECTIONS; d++) {
			const double angle = 6.283185307179586 * d / DIRECTIONS, speed = gen_magnitude(&random, 1.0, 30.0) / 60.0;
			const double sunk = d % 4 < 2 ? 0.005 : 0.03;
			body b = plain, world = {.shape = of};
			b.shape = of;
			if (d % 2 == 0 && at == &plain)
				gen_rotation(&random, b.rotation);
			memcpy(world.rotation, at == &plain ? b.rotation : at->rotation, sizeof world.rotation);
			const double up = reach_down(of, b.rotation) - sunk;
			for (uint32_t frame = 0; frame < FRAMES; frame++) {
				const double way = fmod(speed * frame + gen_range(&random, 0, 1e-3), 16) - 8;
				const v3 local = v3_of(12 + way * cos(angle), up, 12 + way * sin(angle));
				const v3 place = v3_add(origin, m3_apply(turn, local));
				world.position[0] = place.x;
				world.position[1] = place.y;
				world.position[2] = place.z;
				depth[count] = sunk;
				bodies[count++] = world;
			}
		}
		ask(NULL, &field, bodies, count, at, 0.02f, answers, NULL, WP_MESH_RING);
		size_t lost = 0, ghosts = 0, wrong = 0;
		for (size_t i = 0; i < count; i++) {
			lost += answers[i].patch_count == 0;
			bool is_ghost = false;
			for (uint32_t k = 0; k < answers[i].patch_count; k++)
				is_ghost |= !(v3_length(v3_sub(v3_of_floats(answers[i].patch[k].normal), down)) <= 1e-4);
			ghosts += is_ghost;
			wrong += !(fabs((double)answers[i].separation + depth[i]) <= 1e-4);
		}
		CHECK(lost == 0 && ghosts == 0 && wrong == 0, "%s: %zu of %zu lost, %zu ghosts, %zu of another depth",
			shape_names[of], lost, count, ghosts, wrong);
	}
}

Test(height, slides_over_a_floor, .init = setup) { slide(&plain, 0); }
Test(height, slides_over_a_turned_floor, .init = setup) { slide(&turned, 0); }
Test(height, slides_over_the_other_diagonal, .init = setup) { slide(&plain, WP_HEIGHT_OTHER_DIAGONAL); }

/* ---- holes and borders -------------------------------------------------------------------------- */

Test(height, holes_and_their_rims, .init = setup)
{
	float samples[9 * 9] = {0};
	for (uint32_t row = 3; row < 6; row++)
		for (uint32_t column = 3; column < 6; column++)
			samples[9 * row + column] = WP_HEIGHT_HOLE;
	/* Between samples 2 and 6 nothing is there but both corners that the diagonal cuts off. */
	const wp_height_field field = field_of(samples, 9, 9);
	const double up = 0.4 - 0.01, aside = 0.3, away = sqrt(aside * aside + up * up);
	const body bodies[4] = {{.position = {4, 0, 4}, .rotation = {0, 0, 0, 1}, .shape = SPHERE},
		{.position = {4, -0.4, 4}, .rotation = {0, 0, 0, 1}, .shape = BOX},
		{.position = {2 + aside, up, 4.3}, .rotation = {0, 0, 0, 1}, .shape = SPHERE},
		{.position = {8 + aside, up, 4.3}, .rotation = {0, 0, 0, 1}, .shape = SPHERE}};
	answer a[4];
	ask(NULL, &field, bodies, 4, &plain, 0.02f, a, NULL, WP_MESH_RING);
	cr_assert(a[0].patch_count == 0 && a[1].patch_count == 0, "a body in a hole touches something");
	for (int i = 2; i < 4; i++) {
		const v3 normal = v3_of(-aside / away, -up / away, 0);
		cr_assert_eq(a[i].patch_count, 1);
		cr_assert(v3_length(v3_sub(v3_of_floats(a[i].normal), normal)) < 1e-5 &&
					  fabs((double)a[i].separation - (away - 0.5)) < 1e-5,
			"normal %g %g %g", (double)a[i].normal[0], (double)a[i].normal[1], (double)a[i].normal[2]);
	}
}

/* ---- rows --------------------------------------------------------------------------------------- */

/* Meshes and fields of one batch; and those that are none. */
Test(height, rows_of_both_kinds, .init = setup)
{
	static const float zeros[16];
	const wp_height_field good = field_of(zeros, 4, 4);
	wp_height_field bad = good;
	bad.spacing[1] = NAN;
	const wp_mesh *const mesh = mesh_of(&good);
	const wp_height_field *const fields[3] = {&good, NULL, &bad};
	const uint32_t index[6] = {0, 1, 2, 3, 4, UINT32_MAX};
	const float position[3] = {1.2f, 0.29f, 1.7f}, origin[3] = {0, 0, 0}, straight[4] = {0, 0, 0, 1};
	static const uint32_t none[6];
	answer answers[6] = {{0}};
	wp_mesh_batch batch = {.shapes = table,
		.meshes = &mesh,
		.mesh_count = 1,
		.height_fields = fields,
		.height_field_count = 3,
		.a = {.position = {position, 0}, .rotation = {straight, 0}, .shape = {none, 0}, .count = 1},
		.b = {.position = {origin, 0}, .rotation = {straight, 0}, .shape = {index, 0}, .count = 6},
		.pair_a = {none, 0},
		.count = 6};
	const float six_origins[6][3] = {{0}};
	const float six_straight[6][4] = {
		{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}};
	batch.b.position.data = six_origins[0];
	batch.b.rotation.data = six_straight[0];
	const size_t stride = sizeof *answers;
	const wp_mesh_results results = {.separation = {&answers->separation, stride},
		.status = {&answers->status, stride},
		.patch_count = {&answers->patch_count, stride},
		.patches = {answers->patch, stride},
		.patch_max = WP_MESH_PATCH_MAX};
	cr_assert_eq(wp_mesh_contact(workspace, &batch, NULL, &results, NULL), WP_OK);
	for (int i = 0; i < 2; i++) {
		cr_assert(answers[i].patch_count == 1 && answers[i].status == WP_STATUS_PENETRATING, "row %d", i);
		cr_assert(fabs((double)answers[i].separation + 0.01) < 1e-5 && answers[i].patch[0].point_count == 4);
	}
	for (int i = 2; i < 6; i++)
		cr_assert_eq(answers[i].status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_B, "row %d", i);
	batch.height_fields = NULL;
	cr_assert_eq(wp_mesh_contact(workspace, &batch, NULL, &results, NULL), WP_ERROR_NULL_HEIGHT_FIELDS);
	wp_cook_free_mesh(mesh);
}

/* Spacings of any size, and bodies far outside: nothing is read but samples. */
Test(height, bodies_anywhere, .init = setup)
{
	float *const samples = calloc(4, sizeof *samples);
	static const float spacings[] = {1e-45f, 1e-20f, 1.0f, 1e20f, 1e30f};
	static const double places[] = {-1e30, -1, 0, 1e-20, 0.5, 1, 1e20, 1e30};
	static answer answers[1];
	for (size_t i = 0; i < COUNT_OF(spacings); i++)
		for (size_t x = 0; x < COUNT_OF(places); x++)
			for (size_t z = 0; z < COUNT_OF(places); z++) {
				wp_height_field field = field_of(samples, 2, 2);
				field.spacing[0] = field.spacing[1] = spacings[i];
				const body b = {.position = {places[x], 0.2, places[z]}, .rotation = {0, 0, 0, 1}, .shape = BOX};
				ask(NULL, &field, &b, 1, &plain, 0, answers, NULL, WP_MESH_RING);
				const bool inside = places[x] > 0 && places[x] < 1 && places[z] > 0 && places[z] < 1;
				if (spacings[i] == 1.0f && inside)
					CHECK(fabs((double)answers[0].separation + 0.1) < 1e-5, "%g", (double)answers[0].separation);
				cr_assert(isinf(answers[0].separation) || fabs((double)answers[0].separation) < 1e30);
				const float start[3] = {(float)places[x], 1, (float)places[z]}, way[3] = {(float)places[z], -2, 0};
				wp_mesh_hit hit;
				cr_assert_eq(wp_height_field_ray(&field, start, way, &hit), WP_OK);
			}
	free(samples);
}
