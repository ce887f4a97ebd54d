/* Contacts whose separations and normals are known by hand: examples of articles, as prisms where they are of the
 * plane; rounded shapes, points, separated hulls. */
#include "support/ask.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <widephase/widephase.h>

TestSuite(contact, .init = ask_setup);

/* Demand 5. Depths and gaps below 0.001 come out unbiased, in small and large units alike. */
Test(contact, depth_has_no_bias_and_tolerance_scales)
{
	for (int exponent = -12; exponent <= 12; exponent += 3) {
		const double unit = ldexp(1, exponent);
		const wp_shape a = wp_shape_box((float)unit, (float)unit, (float)unit), sphere = wp_shape_sphere((float)unit);
		const wp_shape b = cube_hull(0, unit), c = cube_hull(1, unit);
		for (int depth = -2; depth <= 2; depth++) {
			const double separation = depth * unit / 2048, x = 2 * unit + separation;
			const answer answers[4] = {ask_at(&a, &a, x, 0, 0), ask_at(&b, &c, 0, x, 0),
				ask_at(&sphere, &sphere, 0, 0, x), ask_at(&a, &sphere, -x, 0, 0)};
			for (int i = 0; i < 4; i++)
				expect(&answers[i], separation);
		}
	}
}

/* Demand 18. The triangle (4,5) (9,9) (4,11) and the quadrangle (5,7) (7,3) (10,2) (12,7) of the article, about
 * (7,6). */
Test(contact, worked_example)
{
	static const double triangle[3][2] = {{-3, -1}, {2, 3}, {-3, 5}};
	static const double quadrangle[4][2] = {{-2, 1}, {0, -3}, {3, -4}, {5, 1}};
	const wp_shape a = prism_of(0, triangle, 3, 1), b = prism_of(1, quadrangle, 4, 1);
	const answer x = ask(&a, &origin, &b, &origin), back = ask(&b, &origin, &a, &origin);
	expect(&x, -6 / sqrt(41));
	expect_normal(&x, 4, -5, 0);
	expect(&back, -6 / sqrt(41));
	expect_normal(&back, -4, 5, 0);
}

/* Demand 25. The square (2,2) (2,5) (4,5) (4,2) and the triangle (3,3) (5,4) (5,2): the origin lies on the first edge
 * found. */
Test(contact, origin_on_the_first_edge)
{
	static const double square[4][2] = {{2, 2}, {2, 5}, {4, 5}, {4, 2}}, triangle[3][2] = {{3, 3}, {5, 4}, {5, 2}};
	const wp_shape a = prism_of(0, square, 4, 4), b = prism_of(1, triangle, 3, 4);
	const answer x = ask(&a, &origin, &b, &origin), back = ask(&b, &origin, &a, &origin);
	expect(&x, -1);
	expect_normal(&x, 1, 0, 0);
	expect(&back, -1);
	expect_normal(&back, -1, 0, 0);
}

/* Demand 33. The least way out of (0,0) .. (4,4) for (2,3) .. (6,7) is 1 along y, whatever way they came. */
Test(contact, least_depth_is_along_y)
{
	static const double a[4][2] = {{0, 0}, {0, 4}, {4, 4}, {4, 0}}, b[4][2] = {{2, 3}, {2, 7}, {6, 7}, {6, 3}};
	const wp_shape square = prism_of(0, a, 4, 2), other = prism_of(1, b, 4, 2);
	const answer x = ask(&square, &origin, &other, &origin);
	expect(&x, -1);
	expect_normal(&x, 0, 1, 0);
}

/* Demand 20. Rounded shapes whose cores are apart are answered by the cores and their radii, without EPA. */
Test(contact, shallow_overlaps_of_rounded_shapes_need_no_epa)
{
	wp_shape shapes[10] = {wp_shape_sphere(1), wp_shape_sphere(0.5f), wp_shape_capsule(0.5f, 1), wp_shape_sphere(0.5f),
		wp_shape_box(1, 1, 1), wp_shape_box(1, 1, 1), cube_hull(0, 1), wp_shape_capsule(0.25f, 1), octahedron(1),
		wp_shape_sphere(0.25f)};
	const wp_pose poses[10] = {origin, pose_at(0, 0.6, 0.8), origin, pose_at(0.375, 1.5, 0), origin,
		pose_at(0.5, 2.25, 0.5), origin, pose_at(1.125, 0.5, 0), origin, pose_at(0, 0, -1.125)};
	static const double expected[5] = {-0.5, -0.375, -0.25, -0.125, -0.125};
	wp_row rows[5];
	shapes[4].radius = 0.375f;
	shapes[5].radius = 0.125f;
	const wp_results results = wp_results_of_rows(rows);
	const wp_statistics statistics = ask_batch(WP_VARIANT_AUTO, shapes, poses, 5, &results);
	cr_assert_eq(statistics.epa_rows, 0u);
	cr_assert_eq(statistics.penetrating, 5u);
	for (int i = 0; i < 5; i++) {
		const answer x = ask(&shapes[2 * i], &poses[2 * i], &shapes[2 * i + 1], &poses[2 * i + 1]);
		expect_near(&x, expected[i]);
		cr_assert_eq(memcmp(&x.row, &rows[i], sizeof rows[i]), 0);
	}
}

/* Demand 35. One entry for both sides of contact; a separated pair costs no EPA. */
Test(contact, separated_hulls_get_their_distance)
{
	static const double half[3] = {2, 2, 2};
	wp_shape shapes[2 * BATCH];
	wp_pose poses[2 * BATCH];
	static wp_row rows[BATCH];
	const wp_shape a = cube_hull(0, 1), b = cube_hull(1, 1);
	const wp_results results = wp_results_of_rows(rows);
	for (int i = 0; i < BATCH; i++) {
		const double at[3] = {2.25 + i % 8 / 8.0, i / 8 % 8 / 2.0, i / 64 - 1.0};
		const answer x = ask_at(&a, &b, at[0], at[1], at[2]), inside = ask_at(&a, &b, at[0] - 2, at[1], at[2]);
		const double within[3] = {at[0] - 2, at[1], at[2]};
		expect(&x, box_distance(half, at));
		expect_state(&x, WP_STATUS_SEPARATED);
		expect(&inside, box_distance(half, within));
		shapes[2 * i] = a;
		shapes[2 * i + 1] = b;
		poses[2 * i] = poses[2 * i + 1] = origin;
		for (int k = 0; k < 3; k++)
			poses[2 * i + 1].position[k] = (float)at[k];
	}
	const wp_statistics statistics = ask_batch(WP_VARIANT_AUTO, shapes, poses, BATCH, &results);
	cr_assert_eq(statistics.separated, (uint64_t)BATCH);
	cr_assert_eq(statistics.epa_rows, 0u);
}

/* Octahedra that are apart across the faces towards each other, but neither by the spheres nor by the boxes around them, however
 * long they are: proven by one plane, without a search. */
Test(contact, plane_between_hulls)
{
	static const double semi[][3] = {{1, 1, 1}, {3, 1, 0.5}, {0.125, 1, 8}};
	static const float limits[] = {0, 0.02f, 4};
	for (size_t i = 0; i < COUNT_OF(semi); i++) {
		float corner[6][3] = {{0}};
		for (int k = 0; k < 6; k++)
			corner[k][k / 2] = (float)(k % 2 ? -semi[i][k / 2] : semi[i][k / 2]);
		const wp_shape a = hull_of(0, corner[0], 6), b = hull_of(1, corner[0], 6);
		const wp_pose place = pose_at(0.8125 * semi[i][0], 0.8125 * semi[i][1], 0.8125 * semi[i][2]);
		/* The sum of the coordinates in semi-axes is 1 on a face of one. */
		const double n[3] = {1 / semi[i][0], 1 / semi[i][1], 1 / semi[i][2]}, gap = (3 * 0.8125 - 2) / length(n);
		for (int v = 0; v < WP_VARIANT_COUNT; v++)
			for (size_t l = 0; workspaces[v] != NULL && l < COUNT_OF(limits); l++) {
				const wp_contact_options options = {.max_separation = limits[l]};
				wp_row row;
				cr_assert_eq(wp_contact_pair(workspaces[v], &a, &origin, &b, &place, &options, &row), WP_OK);
				const bool is_beyond = gap > (double)limits[l];
				CHECK(!(row.status & WP_STATUS_BEYOND) == !is_beyond && (row.iterations == 0) == is_beyond,
					"%s: %x after %u steps, limit %g", wp_variant_name((wp_variant)v), row.status, row.iterations,
					(double)limits[l]);
				CHECK((double)row.lower <= gap && (double)row.lower > gap - 1e-5 * length(semi[i]), "%g is not %g",
					(double)row.lower, gap);
			}
	}
}

/* Demand 37. A point is a shape of its own, and so are a sphere, a box and a hull without extent. */
Test(contact, point_against_a_convex_shape)
{
	static const float corner[3] = {0, 0, 0}, a[3] = {-1, -1, 0}, b[3] = {3, -1, 0}, c[3] = {-1, 3, 0};
	static const double half[3] = {1, 2, 3}, place[3] = {0.25, 0.5, 0.125}, far[3] = {0.25, 4, 6.125};
	const wp_shape points[4] = {wp_shape_point(), wp_shape_sphere(0), wp_shape_box(0, 0, 0), hull_of(0, corner, 1)};
	const wp_shape box = wp_shape_box(1, 2, 3), sphere = wp_shape_sphere(2), capsule = wp_shape_capsule(0.5f, 1);
	const wp_shape triangle = wp_shape_triangle(a, b, c), diamond = octahedron(1);
	for (int i = 0; i < 4; i++) {
		const answer in_box = ask_at(&box, &points[i], place[0], place[1], place[2]);
		const answer off_box = ask_at(&points[i], &box, far[0], far[1], far[2]);
		const answer in_sphere = ask_at(&sphere, &points[i], 0.75, 0, -1);
		const answer off_sphere = ask_at(&sphere, &points[i], 0, 3, 4);
		const answer in_capsule = ask_at(&capsule, &points[i], 0.1875, 0.5, 0.25);
		const answer off_triangle = ask_at(&triangle, &points[i], 0, 0.5, -2);
		const answer in_diamond = ask_at(&diamond, &points[i], 0.25, 0.125, -0.125);
		expect(&in_box, box_distance(half, place));
		expect_normal(&in_box, 1, 0, 0);
		expect(&off_box, box_distance(half, far));
		expect(&in_sphere, -0.75);
		expect_normal(&in_sphere, 0.6, 0, -0.8);
		expect(&off_sphere, 3);
		expect(&in_capsule, -0.1875);
		expect(&off_triangle, 2);
		expect_normal(&off_triangle, 0, 0, -1);
		expect(&in_diamond, -0.5 / sqrt(3));
		expect_normal(&in_diamond, 1, 1, -1);
	}
}
