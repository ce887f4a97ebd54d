/* Shapes and the shape table; names and texts. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shape/hull.h"
#include "shape/shape.h"
#include "widephase/widephase.h"

static const float corner_a[3] = {1, 2, 2};
static const float corner_b[3] = {-3, 0, 4};
static const float corner_c[3] = {0, 0.5f, -6};
static const float too_large = 1.0001e30f;

static _Alignas(WP_ALIGNMENT) unsigned char hull_memory[1024];
static _Alignas(WP_ALIGNMENT) unsigned char table_memory[1 << 14];

static const wp_hull *make_hull(void)
{
	const float vertices[5][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-2, -3, -6}, {0, 0, 0}};
	const wp_hull_input input = {.vertices = {vertices[0]}, .vertex_count = 5};
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_hull_build(&input, hull_memory, sizeof hull_memory, &hull, NULL), WP_OK);
	return hull;
}

static const wp_shape_table *make_table(const wp_shape *shapes, size_t count, wp_shape_report *report)
{
	const wp_shape_table *table = NULL;
	cr_assert_eq(wp_shape_table_build(shapes, count, table_memory, wp_shape_table_size(count), &table, report), WP_OK);
	cr_assert_eq((const void *)table, (const void *)table_memory);
	cr_assert_eq(table->magic, WP_SHAPE_TABLE_MAGIC);
	cr_assert_eq(wp_shape_table_count(table), count);
	return table;
}

static void support_point(const void *context, const double direction[3], double point[3])
{
	(void)direction;
	memcpy(point, context, 3 * sizeof *point);
}

/* A shape of each kind with its true bound. */
static void make_shapes(wp_shape shapes[WP_SHAPE_KIND_COUNT], float bounds[WP_SHAPE_KIND_COUNT])
{
	const float expected[WP_SHAPE_KIND_COUNT] = {0, 2.5f, 5, 4.5f, 6.02079729f, 7, 7, 5, 13, 6, 9, INFINITY};
	shapes[WP_SHAPE_POINT] = wp_shape_point();
	shapes[WP_SHAPE_SPHERE] = wp_shape_sphere(2.5f);
	shapes[WP_SHAPE_SEGMENT] = wp_shape_segment(corner_a, corner_b);
	shapes[WP_SHAPE_CAPSULE] = wp_shape_capsule(0.5f, 4);
	shapes[WP_SHAPE_TRIANGLE] = wp_shape_triangle(corner_a, corner_b, corner_c);
	shapes[WP_SHAPE_BOX] = wp_shape_box(2, 3, 6);
	shapes[WP_SHAPE_HULL] = wp_shape_hull(make_hull());
	shapes[WP_SHAPE_CYLINDER] = wp_shape_cylinder(3, 4);
	shapes[WP_SHAPE_CONE] = wp_shape_cone(5, 12);
	shapes[WP_SHAPE_ELLIPSOID] = wp_shape_ellipsoid(2, 6, 3);
	static const double here[3] = {1, 4, -8};
	static const wp_custom custom = {.support = support_point, .context = here, .bound = 9};
	shapes[WP_SHAPE_CUSTOM] = wp_shape_custom(&custom);
	shapes[WP_SHAPE_HALF_SPACE] = wp_shape_half_space();
	memcpy(bounds, expected, sizeof expected);
}

Test(shape, constructors_fill_their_fields_only)
{
	wp_shape expected;
	memset(&expected, 0, sizeof expected);
	wp_shape shape = wp_shape_point();
	cr_assert_eq(memcmp(&shape, &expected, sizeof shape), 0);

	expected.kind = WP_SHAPE_SPHERE;
	expected.radius = 3;
	shape = wp_shape_sphere(3);
	cr_assert_eq(memcmp(&shape, &expected, sizeof shape), 0);

	expected.kind = WP_SHAPE_CAPSULE;
	expected.half_height = 5;
	shape = wp_shape_capsule(3, 5);
	cr_assert_eq(memcmp(&shape, &expected, sizeof shape), 0);

	memset(&expected, 0, sizeof expected);
	expected.kind = WP_SHAPE_SEGMENT;
	memcpy(expected.points[0], corner_a, 12);
	memcpy(expected.points[1], corner_b, 12);
	shape = wp_shape_segment(corner_a, corner_b);
	cr_assert_eq(memcmp(&shape, &expected, sizeof shape), 0);

	expected.kind = WP_SHAPE_TRIANGLE;
	memcpy(expected.points[2], corner_c, 12);
	shape = wp_shape_triangle(corner_a, corner_b, corner_c);
	cr_assert_eq(memcmp(&shape, &expected, sizeof shape), 0);

	memset(&expected, 0, sizeof expected);
	expected.kind = WP_SHAPE_BOX;
	expected.half_extents[0] = 1;
	expected.half_extents[1] = 2;
	expected.half_extents[2] = 3;
	shape = wp_shape_box(1, 2, 3);
	cr_assert_eq(memcmp(&shape, &expected, sizeof shape), 0);

	memset(&expected, 0, sizeof expected);
	expected.kind = WP_SHAPE_HULL;
	expected.hull = make_hull();
	shape = wp_shape_hull(expected.hull);
	cr_assert_eq(memcmp(&shape, &expected, sizeof shape), 0);
}

static void check_box_core(const wp_core *core, wp_core_kind kind, float x, float y, float z, float radius, float bound)
{
	cr_assert_eq(core->kind, kind);
	cr_assert(core->half[0] == x && core->half[1] == y && core->half[2] == z);
	cr_assert(core->radius == radius);
	cr_assert(core->bound == bound);
	cr_assert_null(core->vertices);
}

Test(shape, cores_that_are_segments_or_boxes)
{
	_Alignas(WP_ALIGNMENT) float small[WP_SMALL_CORE_FLOATS];
	wp_core core;
	wp_shape shape = wp_shape_point();
	cr_assert_null(wp_core_of_shape(&shape, &core, small, NULL));
	check_box_core(&core, WP_CORE_SEGMENT, 0, 0, 0, 0, 0);
	shape.radius = 2;
	cr_assert_null(wp_core_of_shape(&shape, &core, small, NULL));
	check_box_core(&core, WP_CORE_SEGMENT, 0, 0, 0, 2, 0);
	shape = wp_shape_sphere(1.5f);
	cr_assert_null(wp_core_of_shape(&shape, &core, small, NULL));
	check_box_core(&core, WP_CORE_SEGMENT, 0, 0, 0, 1.5f, 0);
	shape = wp_shape_capsule(0.25f, 3);
	cr_assert_null(wp_core_of_shape(&shape, &core, small, NULL));
	check_box_core(&core, WP_CORE_SEGMENT, 0, 3, 0, 0.25f, 3);
	shape = wp_shape_box(2, 3, 6);
	shape.radius = 0.5f;
	cr_assert_null(wp_core_of_shape(&shape, &core, small, NULL));
	check_box_core(&core, WP_CORE_BOX, 2, 3, 6, 0.5f, 7);
}

Test(shape, minus_zero_is_zero)
{
	_Alignas(WP_ALIGNMENT) float small[WP_SMALL_CORE_FLOATS];
	wp_core core, expected;
	wp_shape shape = wp_shape_box(-0.0f, 1, -0.0f);
	shape.radius = -0.0f;
	cr_assert_null(wp_core_of_shape(&shape, &core, small, NULL));
	shape = wp_shape_box(0, 1, 0);
	cr_assert_null(wp_core_of_shape(&shape, &expected, small, NULL));
	cr_assert_eq(memcmp(&core, &expected, sizeof core), 0);
	shape = wp_shape_capsule(-0.0f, -0.0f);
	cr_assert_null(wp_core_of_shape(&shape, &core, small, NULL));
	shape = wp_shape_point();
	cr_assert_null(wp_core_of_shape(&shape, &expected, small, NULL));
	cr_assert_eq(memcmp(&core, &expected, sizeof core), 0);
}

static void check_small_core(const wp_core *core, const float *small, const float *const corners[], uint32_t count)
{
	cr_assert_eq(core->kind, WP_CORE_HULL);
	cr_assert_eq(core->count, count);
	cr_assert_eq(core->padded, WP_WIDTH_MAX);
	cr_assert_eq(core->vertices, small);
	for (uint32_t i = 0; i < WP_WIDTH_MAX; i++) {
		for (uint32_t axis = 0; axis < 3; axis++)
			cr_assert(small[axis * WP_WIDTH_MAX + i] == corners[i < count ? i : 0][axis]);
	}
}

Test(shape, cores_that_are_small_hulls)
{
	_Alignas(WP_ALIGNMENT) float small[WP_SMALL_CORE_FLOATS];
	const float *const corners[3] = {corner_a, corner_b, corner_c};
	wp_core core;
	wp_shape shape = wp_shape_segment(corner_a, corner_b);
	shape.points[2][1] = NAN; /* not a field of a segment */
	cr_assert_null(wp_core_of_shape(&shape, &core, small, NULL));
	check_small_core(&core, small, corners, 2);
	cr_assert(core.bound == 5);
	shape = wp_shape_triangle(corner_a, corner_b, corner_c);
	cr_assert_null(wp_core_of_shape(&shape, &core, small, NULL));
	check_small_core(&core, small, corners, 3);
	cr_assert(core.bound >= sqrt(36.25) && core.bound <= sqrt(36.25) * (1 + 1.2e-7));
}

Test(shape, core_of_a_hull)
{
	_Alignas(WP_ALIGNMENT) float small[WP_SMALL_CORE_FLOATS];
	wp_core core;
	const wp_hull *const hull = make_hull();
	wp_shape shape = wp_shape_hull(hull);
	shape.radius = 1;
	cr_assert_null(wp_core_of_shape(&shape, &core, small, NULL));
	cr_assert_eq(core.kind, WP_CORE_HULL);
	cr_assert_eq(core.count, 5);
	cr_assert_eq(core.padded, WP_WIDTH_MAX);
	cr_assert_eq(core.vertices, wp_hull_vertices(hull));
	cr_assert(core.radius == 1);
	cr_assert(core.bound == 7);
}

Test(shape, table_bounds)
{
	wp_shape shapes[WP_SHAPE_KIND_COUNT];
	float bounds[WP_SHAPE_KIND_COUNT];
	make_shapes(shapes, bounds);
	wp_shape_report report = {9, 9, "nothing"};
	const wp_shape_table *table = make_table(shapes, WP_SHAPE_KIND_COUNT, &report);
	cr_assert_eq(report.invalid_count, 0);
	cr_assert_null(report.reason);
	for (size_t i = 0; i < WP_SHAPE_KIND_COUNT; i++)
		cr_assert(wp_shape_table_bound(table, i) >= bounds[i] * (1 - 1e-7f) &&
					  wp_shape_table_bound(table, i) <= bounds[i] * (1 + 1e-7f),
			"kind %zu", i);
	cr_assert(wp_shape_table_bound(table, WP_SHAPE_KIND_COUNT) == 0);
	cr_assert(wp_shape_table_bound(table, SIZE_MAX) == 0);

	for (size_t i = 0; i < WP_SHAPE_KIND_COUNT; i++)
		shapes[i].radius = 0.1f;
	table = make_table(shapes, WP_SHAPE_KIND_COUNT, NULL);
	for (size_t i = 0; i < WP_SHAPE_KIND_COUNT; i++) {
		const double core = i == WP_SHAPE_HALF_SPACE ? (double)INFINITY : table->cores[i].bound;
		cr_assert(wp_shape_table_bound(table, i) >= core + (double)0.1f);
		cr_assert(wp_shape_table_bound(table, i) <= (core + (double)0.1f) * (1 + 1.2e-7));
	}
}

/* So that aligned_alloc takes it. */
Test(shape, sizes_are_multiples_of_the_alignment)
{
	for (size_t count = 0; count < 300; count++) {
		cr_assert_eq(wp_shape_table_size(count) % WP_ALIGNMENT, 0, "%zu shapes", count);
		cr_assert_eq(wp_compound_size(count) % WP_ALIGNMENT, 0, "%zu children", count);
		cr_assert_eq(wp_hull_size(count, 0, 0) % WP_ALIGNMENT, 0, "%zu vertices", count);
		cr_assert_eq(wp_hull_size(count, count, 4 * count) % WP_ALIGNMENT, 0, "%zu faces", count);
	}
	cr_assert_eq(wp_workspace_size() % WP_ALIGNMENT, 0);
}

Test(shape, table_memory_is_determined)
{
	wp_shape shapes[WP_SHAPE_KIND_COUNT];
	float bounds[WP_SHAPE_KIND_COUNT];
	make_shapes(shapes, bounds);
	const size_t size = wp_shape_table_size(WP_SHAPE_KIND_COUNT);
	unsigned char first[4096];
	cr_assert(size <= sizeof first);
	memset(table_memory, 0xff, sizeof table_memory);
	make_table(shapes, WP_SHAPE_KIND_COUNT, NULL);
	memcpy(first, table_memory, size);
	cr_assert_eq(table_memory[size], 0xff);
	memset(table_memory, 0x11, sizeof table_memory);
	const wp_shape_table *const table = make_table(shapes, WP_SHAPE_KIND_COUNT, NULL);
	cr_assert_eq(memcmp(first, table_memory, size), 0);
	for (size_t i = 0; i < WP_SHAPE_KIND_COUNT; i++) {
		cr_assert_eq((uintptr_t)&table->cores[i] % WP_ALIGNMENT, 0);
		cr_assert_eq((uintptr_t)table->cores[i].vertices % WP_ALIGNMENT, 0);
	}
}

Test(shape, table_refuses)
{
	const wp_shape shape = wp_shape_point();
	const size_t size = wp_shape_table_size(1);
	const wp_shape_table *table = (const wp_shape_table *)table_memory;
	wp_shape_report report = {9, 9, "nothing"};
	cr_assert_eq(wp_shape_table_build(NULL, 1, table_memory, size, &table, &report), WP_ERROR_NULL_SHAPES);
	cr_assert_null(table);
	cr_assert_eq(report.invalid_count, 0);
	cr_assert_null(report.reason);
	cr_assert_eq(wp_shape_table_build(&shape, 1, NULL, size, &table, NULL), WP_ERROR_NULL_MEMORY);
	cr_assert_eq(wp_shape_table_build(&shape, 1, table_memory, size, NULL, NULL), WP_ERROR_NULL_TABLE);
	for (size_t i = 1; i < WP_ALIGNMENT; i++) {
		table = (const wp_shape_table *)table_memory;
		cr_assert_eq(wp_shape_table_build(&shape, 1, table_memory + i, size, &table, NULL), WP_ERROR_MEMORY_MISALIGNED);
		cr_assert_null(table);
	}
	for (size_t i = 0; i < size; i++) {
		table = (const wp_shape_table *)table_memory;
		cr_assert_eq(wp_shape_table_build(&shape, 1, table_memory, i, &table, NULL), WP_ERROR_MEMORY_TOO_SMALL);
		cr_assert_null(table);
	}
	const size_t counts[] = {SIZE_MAX, SIZE_MAX / 256, SIZE_MAX / 256 + 1, SIZE_MAX / 2};
	for (size_t i = 0; i < 4; i++) {
		cr_assert(wp_shape_table_size(counts[i]) > SIZE_MAX / 2 || counts[i] < SIZE_MAX / 256);
		cr_assert_eq(wp_shape_table_build(&shape, counts[i], table_memory, sizeof table_memory, &table, NULL),
			WP_ERROR_MEMORY_TOO_SMALL);
	}
	cr_assert_eq(
		wp_shape_table_build(&shape, SIZE_MAX, table_memory, SIZE_MAX, &table, NULL), WP_ERROR_MEMORY_TOO_SMALL);
}

Test(shape, empty_table)
{
	wp_shape_report report;
	const wp_shape_table *const table = make_table(NULL, 0, &report);
	cr_assert_eq(report.invalid_count, 0);
	cr_assert(wp_shape_table_bound(table, 0) == 0);
}

/* ---- shapes that come and go -------------------------------------------------------------------- */

static wp_shape_table *make_empty_table(size_t count)
{
	wp_shape_table *table = NULL;
	memset(table_memory, 0xff, sizeof table_memory);
	cr_assert_eq(wp_shape_table_init(table_memory, wp_shape_table_size(count), count, &table), WP_OK);
	cr_assert_eq((const void *)table, (const void *)table_memory);
	cr_assert_eq(wp_shape_table_count(table), count);
	cr_assert_eq(table_memory[wp_shape_table_size(count)], 0xff);
	for (size_t i = 0; i < count; i++)
		cr_assert(table->cores[i].kind == WP_CORE_INVALID && wp_shape_table_bound(table, i) == 0);
	return table;
}

/* Set one by one, in any order, shapes make the table that they are built into. */
Test(shape, set_all_is_build)
{
	wp_shape shapes[WP_SHAPE_KIND_COUNT];
	float bounds[WP_SHAPE_KIND_COUNT];
	unsigned char built[4096];
	const size_t size = wp_shape_table_size(WP_SHAPE_KIND_COUNT);
	cr_assert(size <= sizeof built);
	make_shapes(shapes, bounds);
	make_table(shapes, WP_SHAPE_KIND_COUNT, NULL);
	memcpy(built, table_memory, size);
	wp_shape_table *const table = make_empty_table(WP_SHAPE_KIND_COUNT);
	for (size_t i = WP_SHAPE_KIND_COUNT; i-- > 0;) {
		const char *reason = "nothing";
		cr_assert_eq(wp_shape_table_set(table, i, &shapes[i], &reason), WP_OK);
		cr_assert_null(reason);
	}
	cr_assert_eq(memcmp(built, table_memory, size), 0);
}

/* Whatever kind takes the place of whatever other, its core is as in a new table. */
Test(shape, any_kind_replaces_any_other)
{
	wp_shape shapes[WP_SHAPE_KIND_COUNT];
	float bounds[WP_SHAPE_KIND_COUNT];
	wp_core cores[WP_SHAPE_KIND_COUNT];
	float small[WP_SHAPE_KIND_COUNT][WP_SMALL_CORE_FLOATS];
	make_shapes(shapes, bounds);
	const wp_shape_table *const built = make_table(shapes, WP_SHAPE_KIND_COUNT, NULL);
	memcpy(cores, built->cores, sizeof cores);
	for (size_t i = 0; i < WP_SHAPE_KIND_COUNT; i++)
		if (shapes[i].kind == WP_SHAPE_SEGMENT || shapes[i].kind == WP_SHAPE_TRIANGLE)
			memcpy(small[i], cores[i].vertices, sizeof small[i]);
	wp_shape_table *const table = make_empty_table(3);
	for (size_t from = 0; from < WP_SHAPE_KIND_COUNT; from++)
		for (size_t to = 0; to < WP_SHAPE_KIND_COUNT; to++) {
			cr_assert_eq(wp_shape_table_set(table, 1, &shapes[from], NULL), WP_OK);
			cr_assert_eq(wp_shape_table_set(table, 1, &shapes[to], NULL), WP_OK);
			wp_core core = table->cores[1];
			if (to == WP_SHAPE_SEGMENT || to == WP_SHAPE_TRIANGLE) {
				cr_assert_eq(memcmp(core.vertices, small[to], sizeof small[to]), 0, "%zu to %zu", from, to);
				core.vertices = cores[to].vertices;
			}
			cr_assert_eq(memcmp(&core, &cores[to], sizeof core), 0, "%zu to %zu", from, to);
			cr_assert(table->cores[0].kind == WP_CORE_INVALID && table->cores[2].kind == WP_CORE_INVALID);
		}
}

/* No two shapes of a table have the same serial number, and only a shape that goes changes one. */
Test(shape, serial_numbers_are_never_the_same)
{
	enum { COUNT = 4, CHANGES = 1000 };
	const wp_shape ball = wp_shape_sphere(1);
	bool taken[COUNT + CHANGES] = {false};
	wp_shape_table *const table = make_empty_table(COUNT);
	cr_assert_eq(wp_shape_table_remove(table, 2), WP_OK, "of an index without a shape");
	for (size_t i = 0; i < COUNT; i++)
		cr_assert_eq(wp_shape_table_set(table, i, &ball, NULL), WP_OK);
	cr_assert_null(table->serials, "no shape went");
	for (uint32_t i = 0; i < COUNT; i++)
		taken[i] = true;
	for (uint32_t i = 0; i < CHANGES; i++) {
		const size_t index = i * 7 % COUNT;
		if (i % 3 == 0)
			cr_assert_eq(wp_shape_table_remove(table, index), WP_OK);
		cr_assert_eq(wp_shape_table_set(table, index, &ball, NULL), WP_OK);
		const uint32_t serial = table->serials[index];
		cr_assert(serial < COUNT + CHANGES && !taken[serial], "change %u", i);
		taken[serial] = true;
	}
}

Test(shape, changes_refused)
{
	const wp_shape ball = wp_shape_sphere(2), bad = wp_shape_sphere(-1);
	unsigned char before[4096];
	const char *reason = NULL;
	wp_shape_table *table = make_empty_table(3);
	const size_t size = wp_shape_table_size(3);
	cr_assert_eq(wp_shape_table_set(table, 1, &ball, NULL), WP_OK);
	memcpy(before, table_memory, size);
	cr_assert_eq(wp_shape_table_set(table, 1, &bad, &reason), WP_ERROR_SHAPE);
	cr_assert_str_eq(reason, "radius is negative");
	cr_assert_eq(wp_shape_table_set(table, 1, &bad, NULL), WP_ERROR_SHAPE);
	cr_assert_eq(wp_shape_table_set(table, 0, &bad, &reason), WP_ERROR_SHAPE);
	const size_t beyond[] = {3, 4, UINT32_MAX, SIZE_MAX};
	for (size_t i = 0; i < 4; i++) {
		cr_assert_eq(wp_shape_table_set(table, beyond[i], &ball, &reason), WP_ERROR_SHAPE_INDEX);
		cr_assert_null(reason);
		cr_assert_eq(wp_shape_table_remove(table, beyond[i]), WP_ERROR_SHAPE_INDEX);
	}
	cr_assert_eq(wp_shape_table_set(table, 1, NULL, &reason), WP_ERROR_NULL_SHAPE);
	cr_assert_eq(wp_shape_table_set(NULL, 1, &ball, &reason), WP_ERROR_NULL_TABLE);
	cr_assert_eq(wp_shape_table_remove(NULL, 1), WP_ERROR_NULL_TABLE);
	cr_assert_eq(memcmp(before, table_memory, size), 0, "nothing changed");
	cr_assert(wp_shape_table_bound(table, 1) == 2);

	wp_shape_table *const moved = (wp_shape_table *)(void *)(table_memory + 4);
	cr_assert_eq(wp_shape_table_set(moved, 1, &ball, NULL), WP_ERROR_SHAPE_TABLE_INVALID);
	cr_assert_eq(wp_shape_table_remove(moved, 1), WP_ERROR_SHAPE_TABLE_INVALID);
	cr_assert_eq(memcmp(before, table_memory, size), 0, "nothing changed");
	table->magic ^= 1;
	cr_assert_eq(wp_shape_table_set(table, 1, &ball, NULL), WP_ERROR_SHAPE_TABLE_INVALID);
	cr_assert_eq(wp_shape_table_remove(table, 1), WP_ERROR_SHAPE_TABLE_INVALID);
	cr_assert_eq(wp_shape_table_init(table_memory, size - 1, 3, &table), WP_ERROR_MEMORY_TOO_SMALL);
	cr_assert_null(table);
	cr_assert_eq(wp_shape_table_init(table_memory, SIZE_MAX, SIZE_MAX, &table), WP_ERROR_MEMORY_TOO_SMALL);
}

/* ---- what is refused ---------------------------------------------------------------------------- */

/* The shape is refused, in the middle of two good ones, with the given reason. */
static void check_refused(wp_shape bad, const char *reason)
{
	const wp_shape shapes[4] = {wp_shape_sphere(1), bad, wp_shape_box(2, 3, 6), bad};
	wp_shape_report report;
	const wp_shape_table *const table = make_table(shapes, 4, &report);
	cr_assert_eq(report.invalid_count, 2);
	cr_assert_eq(report.first_invalid, 1);
	cr_assert_not_null(report.reason);
	cr_assert_str_eq(report.reason, reason);
	cr_assert_eq(table->cores[1].kind, WP_CORE_INVALID);
	cr_assert(wp_shape_table_bound(table, 1) == 0);
	cr_assert(wp_shape_table_bound(table, 0) == 1);
	cr_assert(wp_shape_table_bound(table, 2) == 7);
	make_table(shapes, 4, NULL);
}

/* Every bad value that one number of a shape can take. */
static void check_number(wp_shape shape, size_t offset, const char *field, bool is_length)
{
	const float not_finite[] = {NAN, -NAN, INFINITY, -INFINITY};
	char reason[80];
	float *const at = (float *)(void *)((char *)&shape + offset);
	for (size_t i = 0; i < 4; i++) {
		*at = not_finite[i];
		snprintf(reason, sizeof reason, "%s is not finite", field);
		check_refused(shape, reason);
	}
	*at = too_large;
	snprintf(reason, sizeof reason, "%s is beyond WP_COORDINATE_MAX", field);
	check_refused(shape, reason);
	*at = -too_large;
	if (is_length)
		snprintf(reason, sizeof reason, "%s is negative", field);
	check_refused(shape, reason);
	if (!is_length)
		return;
	*at = -FLT_TRUE_MIN;
	check_refused(shape, reason);
	*at = -1;
	check_refused(shape, reason);
}

Test(shape, refuses_bad_numbers)
{
	wp_shape shapes[WP_SHAPE_KIND_COUNT];
	float bounds[WP_SHAPE_KIND_COUNT];
	make_shapes(shapes, bounds);
	for (size_t kind = 0; kind < WP_SHAPE_KIND_COUNT; kind++)
		check_number(shapes[kind], offsetof(wp_shape, radius), "radius", true);
	check_number(shapes[WP_SHAPE_CAPSULE], offsetof(wp_shape, half_height), "half_height", true);
	for (int kind = WP_SHAPE_CYLINDER; kind <= WP_SHAPE_CONE; kind++) {
		check_number(shapes[kind], offsetof(wp_shape, half_height), "half_height", true);
		check_number(shapes[kind], offsetof(wp_shape, base_radius), "base_radius", true);
	}
	for (size_t axis = 0; axis < 3; axis++) {
		char field[32];
		snprintf(field, sizeof field, "half_extents[%zu]", axis);
		check_number(shapes[WP_SHAPE_BOX], offsetof(wp_shape, half_extents) + 4 * axis, field, true);
		check_number(shapes[WP_SHAPE_ELLIPSOID], offsetof(wp_shape, half_extents) + 4 * axis, field, true);
		for (size_t point = 0; point < 3; point++) {
			snprintf(field, sizeof field, "points[%zu][%zu]", point, axis);
			check_number(shapes[WP_SHAPE_TRIANGLE], offsetof(wp_shape, points) + 12 * point + 4 * axis, field, false);
			if (point < 2)
				check_number(
					shapes[WP_SHAPE_SEGMENT], offsetof(wp_shape, points) + 12 * point + 4 * axis, field, false);
		}
	}
}

Test(shape, refuses_bad_kinds_and_hulls)
{
	wp_shape shape = wp_shape_point();
	const uint32_t kinds[] = {WP_SHAPE_KIND_COUNT, 100, UINT32_MAX};
	for (size_t i = 0; i < 3; i++) {
		shape.kind = kinds[i];
		check_refused(shape, "kind is not a wp_shape_kind");
	}
	check_refused(wp_shape_hull(NULL), "hull is NULL");
	shape = wp_shape_hull(make_hull());
	hull_memory[100] ^= 1;
	check_refused(shape, "hull is misaligned or corrupt");
	hull_memory[100] ^= 1;
	memmove(hull_memory + 4, hull_memory, wp_hull_byte_size(shape.hull));
	check_refused(wp_shape_hull((const wp_hull *)(const void *)(hull_memory + 4)), "hull is misaligned or corrupt");
}

Test(shape, extreme_sizes_are_legal)
{
	const wp_shape shapes[] = {wp_shape_sphere(1e30f), wp_shape_capsule(1e30f, 1e30f),
		wp_shape_box(1e30f, 1e30f, 1e30f), wp_shape_sphere(FLT_TRUE_MIN), wp_shape_box(0, 0, 0),
		wp_shape_box(FLT_TRUE_MIN, 0, FLT_TRUE_MIN)};
	wp_shape_report report;
	const wp_shape_table *const table = make_table(shapes, 6, &report);
	cr_assert_eq(report.invalid_count, 0);
	cr_assert(wp_shape_table_bound(table, 0) == 1e30f);
	cr_assert(wp_shape_table_bound(table, 1) == 2e30f);
	cr_assert(wp_shape_table_bound(table, 2) >= sqrt(3) * (double)1e30f && wp_shape_table_bound(table, 2) < 1.7321e30f);
	cr_assert(wp_shape_table_bound(table, 3) == FLT_TRUE_MIN);
	cr_assert(wp_shape_table_bound(table, 4) == 0);
	cr_assert(wp_shape_table_bound(table, 5) == 2 * FLT_TRUE_MIN);
}

/* ---- names -------------------------------------------------------------------------------------- */

Test(text, kinds)
{
	const char *const names[] = {"point", "sphere", "segment", "capsule", "triangle", "box", "hull", "cylinder", "cone",
		"ellipsoid", "custom", "half-space"};
	for (int i = 0; i < WP_SHAPE_KIND_COUNT; i++)
		cr_assert_str_eq(wp_shape_kind_name((wp_shape_kind)i), names[i]);
	cr_assert_str_eq(wp_shape_kind_name(WP_SHAPE_KIND_COUNT), "unknown");
	cr_assert_str_eq(wp_shape_kind_name((wp_shape_kind)-1), "unknown");
}

Test(text, version)
{
	char expected[32];
	snprintf(expected, sizeof expected, "%d.%d.%d", WP_VERSION_MAJOR, WP_VERSION_MINOR, WP_VERSION_PATCH);
	cr_assert_str_eq(wp_version(), expected);
	cr_assert_eq(WP_VERSION_NUMBER, WP_VERSION_MAJOR * 10000 + WP_VERSION_MINOR * 100 + WP_VERSION_PATCH);
	cr_assert_eq(wp_version_number(), WP_VERSION_NUMBER);
}

Test(text, errors)
{
	for (int i = 0; i < WP_ERROR_COUNT; i++) {
		const char *const text = wp_error_text((wp_error)i);
		cr_assert_not_null(text);
		cr_assert(strlen(text) > 5);
		cr_assert_neq(text[strlen(text) - 1], '.');
		cr_assert_str_neq(text, "unknown error");
		for (int j = 0; j < i; j++)
			cr_assert_str_neq(text, wp_error_text((wp_error)j));
	}
	cr_assert_str_eq(wp_error_text(WP_ERROR_COUNT), "unknown error");
	cr_assert_str_eq(wp_error_text((wp_error)-1), "unknown error");
}

Test(text, variants)
{
	const char *const names[] = {"auto", "scalar", "sse2", "avx2", "avx512", "neon", "wasm"};
	const uint32_t widths[] = {0, 1, 4, 8, 16, 4, 4};
	for (int i = 0; i < WP_VARIANT_COUNT; i++) {
		wp_variant found = WP_VARIANT_COUNT;
		cr_assert_str_eq(wp_variant_name((wp_variant)i), names[i]);
		cr_assert_eq(wp_variant_from_name(names[i], &found), WP_OK);
		cr_assert_eq(found, (wp_variant)i);
		cr_assert_eq(wp_variant_width((wp_variant)i), widths[i]);
	}
	wp_variant kept = WP_VARIANT_AVX2;
	const char *const wrong[] = {"", "SSE2", "sse", "sse22", "unknown", "avx512 "};
	for (size_t i = 0; i < 6; i++)
		cr_assert_eq(wp_variant_from_name(wrong[i], &kept), WP_ERROR_VARIANT_UNKNOWN);
	cr_assert_eq(wp_variant_from_name(NULL, &kept), WP_ERROR_NULL_NAME);
	cr_assert_eq(wp_variant_from_name("sse2", NULL), WP_ERROR_NULL_VARIANT);
	cr_assert_eq(kept, WP_VARIANT_AVX2);
	cr_assert_str_eq(wp_variant_name(WP_VARIANT_COUNT), "unknown");
	cr_assert_str_eq(wp_variant_name((wp_variant)-1), "unknown");
	cr_assert_eq(wp_variant_width(WP_VARIANT_COUNT), 0);
	cr_assert_eq(wp_variant_width((wp_variant)-1), 0);
}

static const char all_words[] = "separated|touching|penetrating|beyond|strong|iteration_cap|capacity|degenerate|"
								"wide_bracket|hit|invalid|invalid_body_a|invalid_shape_a|invalid_position_a|"
								"invalid_rotation_a|invalid_body_b|invalid_shape_b|invalid_position_b|"
								"invalid_rotation_b|invalid_tracked";

Test(text, status)
{
	char text[WP_STATUS_TEXT_MAX];
	cr_assert_eq(wp_status_text(0, text, sizeof text), 0);
	cr_assert_str_eq(text, "");
	cr_assert_eq(wp_status_text(WP_STATUS_SEPARATED | WP_STATUS_STRONG, text, sizeof text), 16);
	cr_assert_str_eq(text, "separated|strong");
	cr_assert_eq(wp_status_text(WP_STATUS_INVALID | WP_STATUS_INVALID_ROTATION_B, text, sizeof text), 26);
	cr_assert_str_eq(text, "invalid|invalid_rotation_b");
	cr_assert_eq(wp_status_text(UINT32_MAX, text, sizeof text), strlen(all_words));
	cr_assert_str_eq(text, all_words);
	cr_assert(sizeof all_words <= WP_STATUS_TEXT_MAX);
	cr_assert_eq(wp_status_text(UINT32_MAX, NULL, 0), strlen(all_words));
}

Test(text, status_is_cut_like_snprintf)
{
	for (size_t size = 0; size <= sizeof all_words + 1; size++) {
		char text[WP_STATUS_TEXT_MAX];
		char expected[WP_STATUS_TEXT_MAX];
		memset(text, '#', sizeof text);
		memset(expected, '#', sizeof expected);
		snprintf(expected, size, "%s", all_words);
		cr_assert_eq(wp_status_text(UINT32_MAX, text, size), strlen(all_words));
		cr_assert_eq(memcmp(text, expected, sizeof text), 0, "size %zu", size);
	}
}
