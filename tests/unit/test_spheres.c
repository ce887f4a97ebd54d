/* Pairs that the spheres around both shapes separate: how near they may be for that, that the bracket holds what is
 * known of them, and what becomes of bad rows among them. Random pairs are the campaign's. */
#include "support/unit.h"
#include "widephase/widephase.h"

#include <string.h>

/* A point with a radius, so that the spheres around two of them, facing each other, are as near as they are. */
static wp_shape ball_at(float x, float radius)
{
	const float point[3] = {x, 0, 0};
	return rounded(wp_shape_triangle(point, point, point), radius);
}

/* A table of up to two shapes, valid until the next call. */
static const wp_shape_table *table_of(const wp_shape *shapes, size_t count)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	const wp_shape_table *table = NULL;
	cr_assert_eq(wp_shape_table_build(shapes, count, memory, sizeof memory, &table, NULL), WP_OK);
	return table;
}

static void check_bracket(const wp_row *row, double truth, float limit, int axis, const char *variant)
{
	CHECK((double)row->lower <= truth && truth <= (double)row->upper, "%s: [%a, %a] lacks %a", variant,
		(double)row->lower, (double)row->upper, truth);
	if (row->status & WP_STATUS_BEYOND)
		CHECK(row->lower > limit && row->separation == row->lower && fabsf(row->normal[axis] - 1) <= 0x1p-23f,
			"%s: %a is not beyond %a", variant, (double)row->lower, (double)limit);
}

/* Pairs of all kinds of cores that reach towards each other as far as their spheres do, along an axis; together 0.5 + 0.75,
 * and radii of 0.25 and 0.125. */
typedef struct facing {
	const char *name;
	wp_shape a, b;
	int axis;
} facing;

/* How many rows of a pair are separated by spheres, and how many are not. */
static void check_facing(wp_workspace *workspace, wp_variant variant, const facing *f, uint32_t *told, uint32_t *others)
{
	const double reach = 0.5 + 0.25 + 0.75 + 0.125;
	const wp_pose origin = pose_at(0, 0, 0);
	static const float limits[] = {0, 0.02f, 3, 1e6f};
	for (uint32_t i = 0; i < COUNT_OF(limits) * 400; i++) {
		const float limit = limits[i / 400];
		const double far = (reach + (double)limit) * (1 + 1e-6 * ((double)(i % 400) - 100));
		const wp_pose place = pose_at(f->axis == 0 ? far : 0, f->axis == 1 ? far : 0, 0);
		const double truth = (double)place.position[f->axis] - reach;
		wp_row row;
		cr_assert_eq(wp_contact_pair(workspace, &f->a, &origin, &f->b, &place,
						 &(wp_contact_options){.max_separation = limit}, &row),
			WP_OK);
		check_bracket(&row, truth, limit, f->axis, wp_variant_name(variant));
		/* Boxes around the shapes give no upper bound, and searches and closed forms one that is the distance. */
		const bool by_spheres = row.status & WP_STATUS_BEYOND && isfinite(row.upper) && (double)row.upper > truth + 2;
		*told += by_spheres;
		*others += !by_spheres;
		if (truth > (double)limit + 1.1e-4 * (reach + (double)limit))
			CHECK(by_spheres, "%s: %g from a limit of %g was searched", f->name, truth, (double)limit);
	}
}

/* Both sides of where spheres begin to separate: 1e-4 further than the limit, which is up to 1e5 ulps of the distance. */
Test(spheres, distance)
{
	const wp_shape box_a = rounded(wp_shape_box(0.5f, 0, 0), 0.25f), box_b = rounded(wp_shape_box(0.75f, 0, 0), 0.125f);
	const wp_shape capsule_a = wp_shape_capsule(0.25f, 0.5f), capsule_b = wp_shape_capsule(0.125f, 0.75f);
	const wp_shape tall_box = rounded(wp_shape_box(0, 0.75f, 0), 0.125f);
	const wp_shape ellipsoid_b = rounded(wp_shape_ellipsoid(0.75f, 0.125f, 0.125f), 0.125f);
	const facing pairs[] = {{"hulls", ball_at(0.5f, 0.25f), ball_at(-0.75f, 0.125f), 0}, {"boxes", box_a, box_b, 0},
		{"hull and box", ball_at(0.5f, 0.25f), box_b, 0}, {"segments", capsule_a, capsule_b, 1},
		{"segment and box", capsule_a, tall_box, 1}, {"box and smooth", box_a, ellipsoid_b, 0}};
	for (size_t p = 0; p < COUNT_OF(pairs); p++)
		for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
			wp_workspace *const workspace = workspace_of((wp_variant)v);
			uint32_t told = 0, others = 0;
			if (workspace == NULL)
				continue;
			check_facing(workspace, (wp_variant)v, &pairs[p], &told, &others);
			cr_assert(told > 100 && others > 100, "%s: %u told, %u not", pairs[p].name, told, others);
		}
}

Test(spheres, overlap_and_methods)
{
	const wp_shape a = ball_at(0.5f, 0.25f), b = rounded(wp_shape_cylinder(0.5f, 1), 0.125f);
	const wp_pose origin = pose_at(0, 0, 0), place = pose_turned(4, 3, 0, 0.5);
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	wp_row row;
	cr_assert_eq(wp_overlap_pair(workspace, &a, &origin, &b, &place, &row), WP_OK);
	cr_assert(row.status == WP_STATUS_SEPARATED && row.separation == row.lower && isinf(row.upper));
	const double sphere = 5 - 0.75 - sqrt(1.25) - 0.125;
	cr_assert(fabs((double)row.lower - sphere) < 1e-5 && (double)row.lower <= sphere, "%.9g", (double)row.lower);
	cr_assert(fabs((double)row.normal[0] - 0.8) < 1e-6 && fabs((double)row.normal[1] - 0.6) < 1e-6);
	for (int k = 0; k < 3; k++)
		cr_assert(row.point_a[k] == 0 && row.point_b[k] == 0);

	/* A distance needs the nearest points, and requested by name, GJK must run. */
	cr_assert_eq(wp_distance_pair(workspace, &a, &origin, &b, &place, &row), WP_OK);
	cr_assert(row.iterations > 0 && (double)row.separation > sphere + 0.1);
	const wp_shape shapes[2] = {a, b};
	const uint32_t second = 1;
	const wp_batch batch = {.shapes = table_of(shapes, 2),
		.count = 1,
		.a = {.position = {origin.position}, .rotation = {origin.rotation}, .count = 1},
		.b = {.position = {place.position}, .rotation = {place.rotation}, .shape = {&second}, .count = 1}};
	const wp_results results = wp_results_of_rows(&row);
	const wp_contact_options options = {.max_separation = 0.02f};
	const wp_method_options method = {.method = WP_METHOD_GJK_EPA};
	cr_assert_eq(wp_contact_by_method(workspace, &batch, &options, &method, &results, NULL), WP_OK);
	cr_assert(row.status & WP_STATUS_BEYOND && row.iterations > 0);
}

/* Lengths that are powers of two times as long give bounds that are; the other way round the same ones. */
Test(spheres, scale_and_swap)
{
	const wp_shape small[2] = {ball_at(0.5f, 0.25f), ball_at(-0.75f, 0.375f)};
	const wp_shape large[2] = {ball_at(0x1p39f, 0x1p38f), ball_at(-0x1.8p39f, 0x1.8p38f)};
	const wp_pose from = pose_at(0, 0, 0), place = pose_turned(2, 2.5, -1.25, 0.75);
	const wp_pose far = pose_turned(0x1p41, 0x1.4p41, -0x1.4p40, 0.75);
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *const workspace = workspace_of((wp_variant)v);
		if (workspace == NULL)
			continue;
		wp_row row, scaled, swapped;
		wp_contact_pair(
			workspace, &small[0], &from, &small[1], &place, &(wp_contact_options){.max_separation = 0.5f}, &row);
		wp_contact_pair(
			workspace, &large[0], &from, &large[1], &far, &(wp_contact_options){.max_separation = 0x1p39f}, &scaled);
		wp_contact_pair(
			workspace, &small[1], &place, &small[0], &from, &(wp_contact_options){.max_separation = 0.5f}, &swapped);
		cr_assert(row.status & WP_STATUS_BEYOND && row.status == scaled.status && row.status == swapped.status);
		cr_assert(row.lower * 0x1p40f == scaled.lower && row.upper * 0x1p40f == scaled.upper);
		cr_assert(row.lower == swapped.lower && row.upper == swapped.upper);
		for (int k = 0; k < 3; k++)
			cr_assert(row.normal[k] == scaled.normal[k] && row.normal[k] == -swapped.normal[k]);
	}
}

/* Where positions are double, points are checked in the frames of their bodies. */
Test(spheres, details)
{
	const wp_shape shapes[2] = {ball_at(0.5f, 0.25f), ball_at(-0.75f, 0.375f)};
	const double position[2][3] = {{1e7, -2e7, 3e7}, {1e7 + 2, -2e7 + 2.5, 3e7 - 1.25}};
	const wp_pose turn[2] = {pose_turned(0, 0, 0, 0.75), pose_turned(0, 0, 0, -0.5)};
	const float rotation[2][4] = {
		{0, 0, turn[0].rotation[2], turn[0].rotation[3]}, {0, 0, turn[1].rotation[2], turn[1].rotation[3]}};
	const uint32_t shape[2] = {0, 1}, pair_a = 0, pair_b = 1;
	const wp_batch batch = {.shapes = table_of(shapes, 2),
		.pair_a = {&pair_a},
		.pair_b = {&pair_b},
		.count = 1,
		.a = {.position = {position},
			.rotation = {rotation[0]},
			.shape = {shape},
			.count = 2,
			.position_real = WP_REAL_DOUBLE}};
	double point[2][3];
	float local[2][3], normal[3];
	uint32_t status;
	const wp_results results = {.point_a = {point[0]},
		.point_b = {point[1]},
		.point_real = WP_REAL_DOUBLE,
		.local_a = {local[0]},
		.local_b = {local[1]},
		.normal = {normal},
		.status = {&status}};
	cr_assert_eq(wp_contact(workspace_of(WP_VARIANT_AUTO), &batch, &(wp_contact_options){.max_separation = 0.5f},
					 &results, NULL),
		WP_OK);
	cr_assert(status & WP_STATUS_BEYOND);
	for (int side = 0; side < 2; side++) {
		const double angle = side == 0 ? 0.75 : -0.5, *const origin = position[side];
		const double x = (double)local[side][0], y = (double)local[side][1], z = (double)local[side][2];
		const double world[3] = {
			origin[0] + x * cos(angle) - y * sin(angle), origin[1] + x * sin(angle) + y * cos(angle), origin[2] + z};
		for (int k = 0; k < 3; k++) {
			const double out = (side == 0 ? 0.25 : -0.375) * (double)normal[k];
			cr_assert(fabs(point[side][k] - world[k]) < 1e-6 && fabs(point[side][k] - origin[k] - out) < 1e-6,
				"side %d: %.17g", side, point[side][k]);
		}
	}
}

/* Rows that are no numbers, or no rotations, are judged among those that spheres separate; so are bodies too far apart
 * for kernels, which are left to the strong path. */
Test(spheres, bad_rows)
{
	enum { ROWS = 8 };
	const wp_shape shape = ball_at(0.5f, 0.25f);
	static const float from[3] = {-1e30f, 0, 0}, turn[4] = {0, 0, 0, 1};
	static const float position[ROWS][3] = {
		{-9e29f, 0, 0}, {INFINITY, 0, 0}, {0, 0, 0}, {NAN, 0, 0}, {0, 1.5e30f, 0}, {1, 2, 3}, {1e30f, 0, 0}, {0, 0, 0}};
	static const float rotation[ROWS][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 1},
		{0, NAN, 0, 1}, {0, 0, 0, 1}, {INFINITY, 0, 0, 1}};
	static const uint32_t apart = WP_STATUS_SEPARATED | WP_STATUS_BEYOND;
	static const uint32_t expected[ROWS] = {apart, WP_STATUS_INVALID | WP_STATUS_INVALID_POSITION_B,
		WP_STATUS_INVALID | WP_STATUS_INVALID_ROTATION_B, WP_STATUS_INVALID | WP_STATUS_INVALID_POSITION_B,
		WP_STATUS_INVALID | WP_STATUS_INVALID_POSITION_B, WP_STATUS_INVALID | WP_STATUS_INVALID_ROTATION_B,
		apart | WP_STATUS_STRONG, WP_STATUS_INVALID | WP_STATUS_INVALID_ROTATION_B};
	static const uint32_t zeros[ROWS] = {0};
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *const workspace = workspace_of((wp_variant)v);
		if (workspace == NULL)
			continue;
		wp_row rows[ROWS], alone[ROWS];
		wp_batch batch = {.shapes = table_of(&shape, 1),
			.pair_a = {zeros},
			.count = ROWS,
			.a = {.position = {from}, .rotation = {turn}, .shape = {zeros}, .count = 1},
			.b = {.position = {position}, .rotation = {rotation[0]}, .shape = {zeros}, .count = ROWS}};
		const wp_results results = wp_results_of_rows(rows), results_alone = wp_results_of_rows(alone);
		cr_assert_eq(
			wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = 0.02f}, &results, NULL), WP_OK);
		batch.count = 1;
		for (uint32_t i = 0; i < ROWS; i++) {
			batch.first = i;
			cr_assert_eq(
				wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = 0.02f}, &results_alone, NULL),
				WP_OK);
			cr_assert_eq(rows[i].status, expected[i], "row %u: %x", i, rows[i].status);
			cr_assert(memcmp(&alone[i], &rows[i], sizeof alone[i]) == 0, "row %u alone is another", i);
		}
	}
}

/* Every row gets its own answer, whichever of its neighbours spheres separate: those are answered by themselves. */
Test(spheres, places)
{
	enum { ROWS = 8 };
	const wp_shape shape = ball_at(0.5f, 0.25f);
	static const float from[3] = {0, 0, 0}, turn[4] = {0, 0, 0, 1};
	static const uint32_t zeros[ROWS] = {0};
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	float position[ROWS][3] = {{0}}, rotation[ROWS][4];
	wp_row rows[ROWS], alone[2][ROWS];
	for (uint32_t i = 0; i < ROWS; i++)
		memcpy(rotation[i], turn, sizeof turn);
	wp_batch batch = {.shapes = table_of(&shape, 1),
		.pair_a = {zeros},
		.count = 1,
		.a = {.position = {from}, .rotation = {turn}, .shape = {zeros}, .count = 1},
		.b = {.position = {position}, .rotation = {rotation[0]}, .shape = {zeros}, .count = ROWS}};
	for (uint32_t mask = 0; mask < 1 << ROWS; mask++) {
		for (uint32_t i = 0; i < ROWS; i++)
			position[i][0] = (mask >> i & 1 ? 4.0f : 0.5f) + 0.0625f * (float)i;
		batch.count = ROWS;
		batch.first = 0;
		wp_results results = wp_results_of_rows(rows);
		cr_assert_eq(
			wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = 0.5f}, &results, NULL), WP_OK);
		batch.count = 1;
		for (uint32_t i = 0; i < ROWS; i++) {
			wp_row *const row = alone[mask >> i & 1];
			results = wp_results_of_rows(row);
			batch.first = i;
			cr_assert_eq(
				wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = 0.5f}, &results, NULL), WP_OK);
			CHECK(memcmp(&row[i], &rows[i], sizeof rows[i]) == 0, "mask %x: row %u is another", mask, i);
			CHECK(!(row[i].status & WP_STATUS_BEYOND) == !(mask >> i & 1), "mask %x: row %u is %x", mask, i,
				row[i].status);
		}
	}
}
