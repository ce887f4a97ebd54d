/* Points and spheres against cylinders, cones and ellipsoids, which have closed forms: where features meet, on the axis, near
 * and far, of sizes that differ by far, against exact distances in double; and with other pairs in one batch. */
#include <string.h>

#include "core/contract.h"
#include "support/certify.h"
#include "support/gen_random.h"
#include "support/unit.h"

/* Closed forms of shapes that are neither flat nor thin are as sharp as this, in units of e: a tenth of the contract. */
#define SHARP 1e-6

/* ---- exact distances ---------------------------------------------------------------------------- */

static double distance_of_segment(double x, double y, const double from[2], const double to[2])
{
	const double way[2] = {to[0] - from[0], to[1] - from[1]}, length2 = way[0] * way[0] + way[1] * way[1];
	const double along = (x - from[0]) * way[0] + (y - from[1]) * way[1];
	const double share = length2 > 0 ? fmin(fmax(along / length2, 0), 1) : 0;
	return hypot(x - from[0] - share * way[0], y - from[1] - share * way[1]);
}

/* Signed distance of a point from a cylinder or a cone. */
static double distance_of_upright(const wp_shape *shape, v3 p)
{
	const double radius = (double)shape->base_radius, half = (double)shape->half_height, x = hypot(p.x, p.z);
	const double top = shape->kind == WP_SHAPE_CONE ? 0 : radius;
	const double corner[4][2] = {{0, -half}, {radius, -half}, {top, half}, {0, half}};
	double distance = INFINITY;
	for (int i = 0; i < 3; i++)
		distance = fmin(distance, distance_of_segment(x, p.y, corner[i], corner[i + 1]));
	const bool is_below = (x - radius) * 2 * half + (p.y + half) * (radius - top) <= 0;
	return fabs(p.y) <= half && x <= radius && is_below ? -distance : distance;
}

/* The sum of squares that is 1 at the nearest point, `above` being how far its number is above the least one. */
static double sum_at(const double half[3], const double p[3], double least2, double above)
{
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		const double under = half[i] * half[i] - least2 + above, x = half[i] * p[i];
		sum += x != 0 ? x * x / (under * under) : 0;
	}
	return sum;
}

/* Signed distance of a point from an ellipsoid, by halving. Where no number gives a sum of 1, the rest is along the shortest
 * axis. */
static double distance_of_ellipsoid(const wp_shape *shape, v3 point)
{
	const double p[3] = {point.x, point.y, point.z};
	double half[3], least = INFINITY, inside = 0, high = 0;
	for (int i = 0; i < 3; i++) {
		half[i] = (double)shape->half_extents[i];
		least = fmin(least, half[i]);
		inside += p[i] * p[i] / (half[i] * half[i]);
		high += 2 * half[i] * (fabs(p[i]) + half[i]);
	}
	double low = 0, sum = 0, at[3], apart = 0;
	for (int step = 0; step < 2000 && high > low; step++) {
		const double middle = low > 0 ? sqrt(low) * sqrt(high) : high * 1e-6;
		if (middle <= low || middle >= high || middle < 1e-200)
			break;
		if (sum_at(half, p, least * least, middle) > 1)
			low = middle;
		else
			high = middle;
	}
	int shortest = 0;
	for (int i = 0; i < 3; i++) {
		const double under = half[i] * half[i] - least * least + high;
		at[i] = p[i] != 0 ? half[i] * half[i] * p[i] / under : 0;
		sum += at[i] * at[i] / (half[i] * half[i]);
		shortest = half[i] < half[shortest] ? i : shortest;
	}
	if (sum < 1)
		at[shortest] = copysign(sqrt(at[shortest] * at[shortest] + (1 - sum) * least * least), at[shortest]);
	for (int i = 0; i < 3; i++)
		apart += (at[i] - p[i]) * (at[i] - p[i]);
	return inside <= 1 ? -sqrt(apart) : sqrt(apart);
}

static double distance_of(const wp_shape *shape, v3 p)
{
	return shape->kind == WP_SHAPE_ELLIPSOID ? distance_of_ellipsoid(shape, p) : distance_of_upright(shape, p);
}

static double extent_of(const wp_shape *shape)
{
	if (shape->kind != WP_SHAPE_ELLIPSOID)
		return hypot((double)shape->base_radius, (double)shape->half_height);
	return fmax(fmax((double)shape->half_extents[0], (double)shape->half_extents[1]), (double)shape->half_extents[2]);
}

/* ---- pairs -------------------------------------------------------------------------------------- */

/* The point as seen from the shape. */
static v3 place_of(const wp_pose *shape, const wp_pose *point)
{
	double q[4], length = 0;
	for (int i = 0; i < 4; i++)
		length += (double)shape->rotation[i] * (double)shape->rotation[i];
	for (int i = 0; i < 4; i++)
		q[i] = (double)shape->rotation[i] / sqrt(length);
	const v3 axis = v3_of(-q[0], -q[1], -q[2]);
	const v3 way = v3_sub(v3_of_floats(point->position), v3_of_floats(shape->position)), across = v3_cross(axis, way);
	return v3_add(way, v3_scale(v3_add(v3_scale(across, q[3]), v3_cross(axis, across)), 2));
}

/* The contact by every variant and both ways round, with the same bits in all of them; `closed`: no search is made. */
static void check_pair(
	const wp_shape *shape, const wp_pose *at, const wp_shape *ball, const wp_pose *point, bool closed, uint64_t number)
{
	const double radii = (double)shape->radius + (double)ball->radius;
	const double truth = distance_of(shape, place_of(at, point)) - radii;
	const double unit = fmax(extent_of(shape) + (double)shape->radius, (double)ball->radius) + fabs(truth);
	for (int swap = 0; swap < 2; swap++) {
		const wp_shape *const shapes[2] = {swap ? ball : shape, swap ? shape : ball};
		const wp_pose *const poses[2] = {swap ? point : at, swap ? at : point};
		wp_row first;
		for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
			wp_workspace *const workspace = workspace_of((wp_variant)v);
			wp_row row, distance, overlap;
			if (workspace == NULL)
				continue;
			wp_contact_pair(workspace, shapes[0], poses[0], shapes[1], poses[1],
				&(wp_contact_options){.max_separation = INFINITY}, &row);
			wp_distance_pair(workspace, shapes[0], poses[0], shapes[1], poses[1], &distance);
			wp_overlap_pair(workspace, shapes[0], poses[0], shapes[1], poses[1], &overlap);
			first = v == WP_VARIANT_SCALAR ? row : first;
			CHECK(memcmp(&first, &row, sizeof row) == 0, "pair %llu: other bits in %s", (unsigned long long)number,
				wp_variant_name((wp_variant)v));
			const certify_pair p = certify_prepare(shapes[0], poses[0], shapes[1], poses[1], &row);
			const char *broken = certify_contact(&p, &row);
			broken = broken != NULL ? broken : certify_distance(&p, &distance, &row);
			broken = broken != NULL ? broken : certify_overlap(&p, &overlap, &row);
			CHECK(broken == NULL, "pair %llu, swapped %d: broken: %s", (unsigned long long)number, swap, broken);
			CHECK(fabs((double)row.separation - truth) <= (closed ? SHARP : WP_CONTRACT_SMOOTH) * unit,
				"pair %llu, swapped %d: %a, not %a", (unsigned long long)number, swap, (double)row.separation, truth);
			CHECK((double)row.lower <= truth + 1e-12 * unit && truth - 1e-12 * unit <= (double)row.upper,
				"pair %llu, swapped %d: [%a, %a] lacks %a", (unsigned long long)number, swap, (double)row.lower,
				(double)row.upper, truth);
			CHECK(!closed || (row.iterations == 0 && !(row.status & WP_STATUS_STRONG)),
				"pair %llu, swapped %d, at %a: %u steps, status %x", (unsigned long long)number, swap, truth,
				row.iterations, row.status);
		}
	}
}

static wp_shape shape_of(gen_random *random, uint32_t kind, const float sizes[3])
{
	wp_shape shape = kind == 0 ? wp_shape_cylinder(sizes[0], sizes[1])
	               : kind == 1 ? wp_shape_cone(sizes[0], sizes[1])
	                           : wp_shape_ellipsoid(sizes[0], sizes[1], sizes[2]);
	shape.radius = gen_below(random, 3) == 0 ? 0.125f * sizes[1] : 0.0f;
	return shape;
}

/* Each coordinate of a feature is a share of the shape's size, exactly or nearly, or any. */
static double coordinate(gen_random *random, double size)
{
	static const double shares[] = {0, 1, -1, 0.5, -0.5};
	const double near = gen_below(random, 2) ? 0 : gen_range(random, -1, 1) * gen_magnitude(random, 1e-9, 1e-2);
	return gen_below(random, 2) ? gen_range(random, -2, 2) * size
	                            : size * (shares[gen_below(random, COUNT_OF(shares))] + near);
}

/* One pair of a shape of these sizes. With `upright`, the shape is not turned and at the origin. */
static void check_any(gen_random *random, const float sizes[3], bool upright, bool closed, uint64_t number)
{
	const wp_shape shape = shape_of(random, (uint32_t)(number % 3), sizes);
	wp_shape ball = wp_shape_sphere(0);
	if (gen_below(random, 2))
		ball.radius = gen_rounded(gen_magnitude(random, 1e-3, 10) * extent_of(&shape));
	const double y = number % 3 == 2 ? (double)sizes[1] : (double)shape.half_height;
	const double x = coordinate(random, (double)sizes[0]), up = coordinate(random, y);
	const double z = number % 3 == 2      ? coordinate(random, (double)sizes[2])
	               : gen_below(random, 2) ? 0
	                                      : coordinate(random, (double)sizes[0]);
	const double far = gen_below(random, 8) == 0 ? gen_magnitude(random, 1, 1e4) : 1;
	wp_pose at = {.rotation = {0, 0, 0, 1}}, point = pose_at(x * far, up * far, z * far);
	if (!upright) {
		gen_rotation(random, at.rotation);
		gen_rotation(random, point.rotation);
		const v3 way = m3_apply(m3_of_quaternion(at.rotation), v3_of(x * far, up * far, z * far));
		point.position[0] = gen_rounded(way.x);
		point.position[1] = gen_rounded(way.y);
		point.position[2] = gen_rounded(way.z);
	}
	check_pair(&shape, &at, &ball, &point, closed, number);
}

Test(points, of_all_features)
{
	static const float sizes[][3] = {{1, 1, 1}, {1, 0.5f, 0.25f}, {0.3f, 2, 0.7f}, {10, 1, 0.5f}, {1, 0x1p-10f, 1},
		{0x1p-10f, 1, 1}, {1e5f, 3e4f, 2e4f}, {1e-5f, 2e-5f, 1e-5f}, {1, 1, 0.999f}, {1, 0.9999f, 1.0001f}};
	gen_random random;
	gen_seed(&random, 20261124);
	for (uint64_t number = 0; number < 30000; number++) {
		const float *const of = sizes[number / 3 % COUNT_OF(sizes)];
		check_any(&random, of, number % 2 == 0, false, number);
	}
}

/* What is neither flat nor thin is never searched. */
Test(points, without_a_search)
{
	gen_random random;
	gen_seed(&random, 1124);
	for (uint64_t number = 0; number < 20000; number++) {
		float sizes[3];
		for (int i = 0; i < 3; i++)
			sizes[i] = gen_rounded(gen_magnitude(&random, 0.1, 1));
		check_any(&random, sizes, number % 2 == 0, true, number);
	}
}

Test(points, of_flat_and_thin_shapes)
{
	static const float sizes[][3] = {{1, 0, 1}, {0, 1, 0}, {0, 0, 0}, {1, 1e-30f, 1}, {1e-30f, 1, 1}, {1, 1e-7f, 1}};
	gen_random random;
	gen_seed(&random, 7);
	for (uint64_t number = 0; number < 3000; number++) {
		const float *const of = sizes[number / 3 % COUNT_OF(sizes)];
		if (number % 3 != 2)
			check_any(&random, of, number % 2 == 0, false, number);
	}
}

/* A ball whose centre is in the other shape shares the centre: a distance of 0 has that for both points. */
Test(points, common_points_of_balls_inside)
{
	const wp_shape shapes[] = {
		wp_shape_cylinder(0.5f, 1), wp_shape_cone(0.75f, 0.5f), wp_shape_ellipsoid(1, 0.5f, 0.25f)};
	gen_random random;
	gen_seed(&random, 11);
	for (uint32_t number = 0; number < 3000; number++) {
		const wp_shape *const shape = &shapes[number / 2 % COUNT_OF(shapes)], ball = wp_shape_sphere(0.125f);
		wp_pose pose = {{0, 0, 0}, {0, 0, 0, 1}}, centre = pose;
		gen_rotation(&random, pose.rotation);
		const m3 axes = m3_of_quaternion(pose.rotation);
		const v3 local = v3_of(
			gen_range(&random, -0.1, 0.1), gen_range(&random, -0.4, 0.1), gen_range(&random, -0.1, 0.1));
		for (int k = 0; k < 3; k++)
			pose.position[k] = gen_rounded(gen_range(&random, -4, 4));
		const v3 at = v3_add(v3_of_floats(pose.position), m3_apply(axes, local));
		centre.position[0] = (float)at.x;
		centre.position[1] = (float)at.y;
		centre.position[2] = (float)at.z;
		const bool is_ball_a = number % 2;
		wp_row row;
		cr_assert_eq(wp_distance_pair(workspace_of(WP_VARIANT_AUTO), is_ball_a ? &ball : shape,
						 is_ball_a ? &centre : &pose, is_ball_a ? shape : &ball, is_ball_a ? &pose : &centre, &row),
			WP_OK);
		cr_assert(row.separation <= 0, "%u: separation %g", number, (double)row.separation);
		const double off_a = v3_length(v3_sub(v3_of_floats(row.point_a), at));
		const double off_b = v3_length(v3_sub(v3_of_floats(row.point_b), at));
		cr_assert(off_a < 1e-5 && off_b < 1e-5, "%u: points %g and %g from the centre", number, off_a, off_b);
	}
}

/* ---- batches ------------------------------------------------------------------------------------ */

#define ROWS 600

/* Spheres that stand among other pairs are put together and solved apart: each row has the bits that it has alone. */
Test(points, among_other_pairs)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	const wp_shape shapes[] = {wp_shape_cylinder(0.5f, 1), wp_shape_cone(0.75f, 0.5f),
		wp_shape_ellipsoid(1, 0.5f, 0.25f), wp_shape_sphere(0.25f), wp_shape_point(), wp_shape_box(0.5f, 0.5f, 0.5f)};
	const wp_shape_table *table;
	cr_assert_eq(wp_shape_table_build(shapes, COUNT_OF(shapes), memory, sizeof memory, &table, NULL), WP_OK);
	static wp_pose poses[2 * ROWS];
	static uint32_t of[2 * ROWS];
	static wp_row rows[ROWS];
	gen_random random;
	gen_seed(&random, 3);
	for (uint32_t share = 1; share <= 9; share += 2)
		for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
			for (uint32_t i = 0; i < 2 * ROWS; i++) {
				gen_rotation(&random, poses[i].rotation);
				for (int k = 0; k < 3; k++)
					poses[i].position[k] = gen_rounded(gen_range(&random, -0.7, 0.7));
				const bool is_point = i % 2 == (i / 2) % 2 && gen_below(&random, 10) < share;
				of[i] = is_point ? 3 + gen_below(&random, 2) : gen_below(&random, i % 3 == 0 ? 3 : 6);
			}
			wp_workspace *const workspace = workspace_of((wp_variant)v);
			if (workspace == NULL)
				continue;
			const wp_batch batch = {.shapes = table,
				.a = {.position = {poses[0].position, 2 * sizeof *poses},
					.rotation = {poses[0].rotation, 2 * sizeof *poses},
					.shape = {of, 2 * sizeof *of},
					.count = ROWS},
				.b = {.position = {poses[1].position, 2 * sizeof *poses},
					.rotation = {poses[1].rotation, 2 * sizeof *poses},
					.shape = {of + 1, 2 * sizeof *of},
					.count = ROWS},
				.count = ROWS};
			const wp_results results = wp_results_of_rows(rows);
			const wp_contact_options options = {.max_separation = 0.125f};
			cr_assert_eq(wp_contact(workspace, &batch, &options, &results, NULL), WP_OK);
			for (uint32_t i = 0; i < ROWS; i++) {
				wp_row alone;
				wp_contact_pair(workspace, &shapes[of[2 * i]], &poses[2 * i], &shapes[of[2 * i + 1]], &poses[2 * i + 1],
					&options, &alone);
				CHECK(memcmp(&alone, &rows[i], sizeof alone) == 0, "%s, row %u: %a, alone %a",
					wp_variant_name((wp_variant)v), i, (double)rows[i].separation, (double)alone.separation);
			}
		}
}

/* A normal along an axis of an ellipsoid that is shorter than others by more than any float's inverse can be squared. */
Test(points, of_an_ellipsoid_with_a_tiny_axis)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	static const float axes[] = {
		0, 0x1p-149f, 0x1p-140f, 0x1p-100f, 0x1.c0cfdp-72f, 0x1.fff224p-64f, 0x1p-62f, 0x1p-30f};
	const wp_shape sphere = wp_shape_sphere(1);
	const wp_pose at = {{0, 0, 0}, {0, 0, 0, 1}}, places[] = {{{-0x1.01a8fep-22f, -0x1.95f26ap-39f, 0}, {0, 0, 0, 1}},
													  {{0x1p-2f, 0x1.6p-26f, 0}, {0, 0, 0, 1}}};
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *made;
		if (wp_workspace_init(memory, WP_WORKSPACE_SIZE, (wp_variant)v, &made) != WP_OK)
			continue;
		for (size_t i = 0; i < 2 * sizeof axes / sizeof axes[0]; i++) {
			const wp_shape ellipsoid = wp_shape_ellipsoid(1, axes[i / 2], 0x1.9dd784p-33f);
			wp_row row;
			cr_assert_eq(wp_contact_pair(made, &ellipsoid, &at, &sphere, &places[i % 2], NULL, &row), WP_OK);
			const double length = v3_length(v3_of_floats(row.normal));
			CHECK(fabs(length - 1) <= WP_CONTRACT_UNIT && fabs((double)row.separation + 1) <= 1e-5,
				"%s, axis %a, place %zu: separation %g, normal of %g", wp_variant_name((wp_variant)v),
				(double)axes[i / 2], i % 2, (double)row.separation, length);
		}
	}
}

/* Beside the rim of a flat ellipsoid, in its plane, where Newton's steps have no number to go by: a point at 0x1.7814dp-1 and
 * -0x1.81bf3cp-1 was told as touching, and spheres as deep as their radius. */
Test(points, beside_the_rim_of_a_flat_ellipsoid)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	const wp_shape probes[] = {wp_shape_point(), wp_shape_sphere(0x1.27730ap-6f)};
	const wp_contact_options all = {.max_separation = INFINITY};
	const wp_pose at = {{0, 0, 0}, {0, 0, 0, 1}};
	const wp_pose places[] = {{{0x1.7814dp-1f, 0, -0x1.81bf3cp-1f}, {0, 0, 0, 1}},
		{{0x1.ffc644p-1f, 0, -0x1.ad5c42p-1f}, {0, 0, 0, 1}},
		{{0x1.7814dp-1f, 0x1p-80f, 0x1.81bf3cp-1f}, {0, 0, 0, 1}}};
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		wp_workspace *made;
		if (wp_workspace_init(memory, WP_WORKSPACE_SIZE, (wp_variant)v, &made) != WP_OK)
			continue;
		for (int i = 0; i < 6 * 140; i++) {
			const wp_shape flat = wp_shape_ellipsoid(1, (float)ldexp(1, -10 - i / 6), 1),
						   *const probe = &probes[i / 3 % 2];
			const wp_pose *const place = &places[i % 3];
			const double gap = hypot((double)place->position[0], (double)place->position[2]) - 1 -
			                   (double)probe->radius;
			wp_row row;
			cr_assert_eq(wp_contact_pair(made, &flat, &at, probe, place, &all, &row), WP_OK);
			CHECK((row.status & WP_STATUS_SEPARATED) && row.lower <= row.separation && row.separation <= row.upper &&
					  fabs((double)row.separation - gap) < 1e-5,
				"%s, height 2^-%d, place %d: %g in [%g, %g], not %g", wp_variant_name((wp_variant)v), 10 + i / 6, i % 3,
				(double)row.separation, (double)row.lower, (double)row.upper, gap);
		}
	}
}
