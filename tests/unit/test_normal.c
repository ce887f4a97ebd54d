/* Normals: from A to B, whatever the order of vertices, the place of a shape in its own frame, and the origins. */
#include "support/ask.h"

#include <criterion/criterion.h>
#include <math.h>
#include <widephase/widephase.h>

TestSuite(normal, .init = ask_setup);

/* Demand 3. The plane test does not mix a face's distance into its direction: a shape may lie far off its own origin. */
Test(normal, offset_in_the_own_frame_does_not_turn_the_normal)
{
	float corners[8][3];
	for (int i = 0; i < 24; i++)
		corners[i / 3][i % 3] = (i / 3 >> i % 3 & 1 ? 1.0f : -1.0f) + (float)(8 - 4 * (i % 3));
	const wp_shape cube = hull_of(0, corners[0], 8), sphere = wp_shape_sphere(0.5f);
	static const double half[3] = {1, 1, 1};
	for (int i = 0; i < 7 * 7 * 7; i++) {
		const double at[3] = {i % 7 / 2.0 - 1.5, i / 7 % 7 / 2.0 - 1.5, i / 49 / 2.0 - 1.5};
		const answer x = ask_at(&cube, &sphere, at[0] + 8, at[1] + 4, at[2]);
		expect(&x, box_distance(half, at) - 0.5);
	}
	const answer x = ask_at(&cube, &sphere, 8.75, 4.5, 0.25);
	expect_normal(&x, 1, 0, 0);
}

/* Demand 22. Neither the order of vertices nor a mirror, which turns every face inside out, turns the normal. */
Test(normal, winding_does_not_turn_the_normal)
{
	for (int i = 0; i < 100; i++) {
		float vertices[3][2][12][3];
		for (int k = 0; k < 2 * 12 * 3; k++) {
			const int side = k / 36, vertex = k / 3 % 12, axis = k % 3;
			const float value = (float)uniform(-1, 1);
			vertices[0][side][vertex][axis] = value;
			vertices[1][side][(5 * vertex + 7) % 12][axis] = value;
			vertices[2][side][vertex][axis] = axis == 0 ? -value : value;
		}
		const double x = uniform(-1, 1), y = uniform(-1, 1);
		answer answers[3];
		for (int k = 0; k < 3; k++) {
			const wp_shape a = hull_of(0, vertices[k][0][0], 12), b = hull_of(1, vertices[k][1][0], 12);
			answers[k] = ask_at(&a, &b, k == 2 ? -x : x, y, 0.25);
			const float *n = answers[0].row.normal;
			expect_near(&answers[k], (double)answers[0].row.separation);
			if (fabsf(answers[0].row.separation) > 0.02f)
				expect_normal(&answers[k], (k == 2 ? -1 : 1) * (double)n[0], (double)n[1], (double)n[2]);
		}
	}
}

/* Demand 27. Where origins coincide, the direction between them is zero and must not be searched along. */
Test(normal, coinciding_origins_give_a_normal)
{
	static const float a[3] = {-1, -1, 0}, b[3] = {1, 1, 0}, c[3] = {-1, 2, 0};
	static const wp_pose turned = {.rotation = {0.5f, -0.5f, 0.5f, 0.5f}};
	const wp_shape shapes[7] = {wp_shape_point(), wp_shape_sphere(1), wp_shape_capsule(0.5f, 1), wp_shape_segment(a, b),
		wp_shape_triangle(a, b, c), wp_shape_box(1, 2, 3), cube_hull(0, 1)};
	static const double expected[7] = {0, -2, -1, 0, 0, -2, -2};
	for (int i = 0; i < 7; i++) {
		for (int k = 0; k < 7; k++) {
			const answer same = ask(&shapes[i], &origin, &shapes[k], &origin);
			const answer askew = ask(&shapes[i], &origin, &shapes[k], &turned);
			cr_assert((double)same.row.upper <= same.allowed && (double)askew.row.upper <= askew.allowed,
				"kinds %d, %d", i, k);
			if (i == k)
				expect(&same, expected[i]);
		}
	}
	const answer points = ask(&shapes[0], &origin, &shapes[0], &origin);
	expect_state(&points, WP_STATUS_DEGENERATE);
	expect_normal(&points, 0, 1, 0);
}

/* Demand 38. One convention for all kinds, apart and overlapping: the normal points from A to B. */
Test(normal, normal_points_from_a_to_b)
{
	static const float left[3] = {-1, 0, 0}, right[3] = {1, 0, 0}, top[3] = {-1, 1, 0};
	const wp_shape shapes[7] = {wp_shape_sphere(1), wp_shape_capsule(1, 1), wp_shape_box(1, 1, 1), cube_hull(0, 1),
		octahedron(1), wp_shape_segment(left, right), wp_shape_triangle(left, right, top)};
	for (int i = 0; i < 7; i++)
		for (int k = 0; k < 7; k++)
			for (int far = 0; far < 2; far++) {
				const double x = far ? 2.25 : 1.75;
				const answer forth = ask_at(&shapes[i], &shapes[k], x, 0, 0);
				const answer back = ask_at(&shapes[i], &shapes[k], -x, 0, 0);
				if (far) {
					cr_assert(forth.row.normal[0] > 0.99f && back.row.normal[0] < -0.99f, "kinds %d, %d", i, k);
					expect_state(&forth, WP_STATUS_SEPARATED);
				} else if (i < 5 && k < 5) {
					cr_assert(forth.row.normal[0] > 0.5f && back.row.normal[0] < -0.5f, "kinds %d, %d", i, k);
					expect_state(&forth, WP_STATUS_PENETRATING);
				}
			}
}
