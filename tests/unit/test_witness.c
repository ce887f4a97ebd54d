/* Witness points: with the normal, on both shapes, for no more supports. */
#include "support/ask.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <widephase/widephase.h>

TestSuite(witness, .init = ask_setup);

static void to_local(const wp_pose *pose, const float world[3], double local[3])
{
	double rotation[4], relative[3];
	for (int i = 0; i < 4; i++)
		rotation[i] = (double)pose->rotation[i];
	for (int i = 0; i < 3; i++)
		relative[i] = (double)world[i] - (double)pose->position[i];
	turn(rotation, -1, relative, local);
}

/* Demand 7. A contact has both points, not the normal and the depth alone. */
Test(witness, points_of_contact_come_with_the_normal)
{
	const wp_shape large = wp_shape_sphere(1), small = wp_shape_sphere(0.5f), box = wp_shape_box(2, 1, 2);
	const wp_shape diamond = octahedron(0), capsule = wp_shape_capsule(0.5f, 1);
	const answer spheres = ask_at(&large, &small, 0.75, 0, 1);
	expect(&spheres, -0.25);
	expect_normal(&spheres, 0.6, 0, 0.8);
	expect_point(&spheres, spheres.row.point_a, 0.6, 0, 0.8);
	expect_point(&spheres, spheres.row.point_b, 0.45, 0, 0.6);
	const answer vertex = ask_at(&box, &diamond, 0.25, 1.875, 0.5);
	expect(&vertex, -0.125);
	expect_normal(&vertex, 0, 1, 0);
	expect_point(&vertex, vertex.row.point_a, 0.25, 1, 0.5);
	expect_point(&vertex, vertex.row.point_b, 0.25, 0.875, 0.5);
	const wp_pose across = {{0.5f, 0.25f, -0.125f}, {0.70710678f, 0, 0, 0.70710678f}};
	const answer capsules = ask(&capsule, &origin, &capsule, &across);
	expect(&capsules, -0.5);
	expect_normal(&capsules, 1, 0, 0);
	expect_point(&capsules, capsules.row.point_a, 0.5, 0.25, 0);
	expect_point(&capsules, capsules.row.point_b, 0, 0.25, 0);
}

/* A random scene for batches: boxes and hulls, apart and overlapping. */
static void make_scene(wp_shape *shapes, wp_pose *poses)
{
	const wp_shape kinds[4] = {
		ball_hull(0, 20, 0.8), wp_shape_box(0.5f, 1, 0.75f), ball_hull(1, 6, 1), wp_shape_capsule(0.25f, 0.5f)};
	for (int i = 0; i < 2 * BATCH; i++) {
		shapes[i] = kinds[(i + i / 8) % 4];
		poses[i] = random_pose(1);
	}
}

/* Demand 9. Support points keep their parts, so asking for witness points takes no more supports and changes nothing. */
Test(witness, witness_points_cost_no_supports)
{
	static wp_shape shapes[2 * BATCH];
	static wp_pose poses[2 * BATCH];
	static wp_row rows[BATCH];
	static float separation[BATCH];
	make_scene(shapes, poses);
	const wp_results all = wp_results_of_rows(rows), few = {.separation = {separation}};
	const wp_statistics with = ask_batch(WP_VARIANT_AUTO, shapes, poses, BATCH, &all);
	const wp_statistics without = ask_batch(WP_VARIANT_AUTO, shapes, poses, BATCH, &few);
	cr_assert(with.epa_rows > BATCH / 10 && with.separated > BATCH / 10, "%u rows of EPA", (unsigned)with.epa_rows);
	cr_assert_eq(with.gjk_iterations, without.gjk_iterations);
	cr_assert_eq(with.epa_iterations, without.epa_iterations);
	for (int i = 0; i < BATCH; i++)
		cr_assert_eq(memcmp(&rows[i].separation, &separation[i], sizeof separation[i]), 0, "row %d", i);
}

static void expect_on_sliver(const answer *x)
{
	static const double low[3] = {0, 0, 0}, high[3] = {84, 0.05, 0};
	for (int k = 0; k < 3; k++) {
		const double at = (double)x->row.point_b[k];
		cr_assert(at >= low[k] - x->allowed && at <= high[k] + x->allowed, "coordinate %d is %g", k, at);
	}
}

/* Demand 10. Weights stay between 0 and 1: the witness point of a sliver, 84 by 0.05, stays on it. */
Test(witness, witness_point_of_a_sliver_stays_on_it)
{
	static const float a[3] = {0, 0, 0}, b[3] = {84, 0, 0}, c[3] = {42, 0.05f, 0};
	const wp_shape sliver = wp_shape_triangle(a, b, c), sphere = wp_shape_sphere(0.5f), box = wp_shape_box(1, 1, 1);
	for (int i = 0; i <= 16; i++) {
		const double at = 2.5 + 5 * i - (i == 16 ? 1 : 0), heights[2] = {0.25, 1};
		for (int k = 0; k < 2; k++) {
			/* B lies relative to A: its long edge runs along y = 0.75, then through the middle of A. */
			const answer edge = ask_at(&sphere, &sliver, -at, 0.75, -heights[k]);
			expect(&edge, sqrt(0.75 * 0.75 + heights[k] * heights[k]) - 0.5);
			const wp_pose pose = {{(float)at, -0.75f, (float)heights[k]}, {0, 0, 0, 1}};
			const answer moved = ask(&sphere, &pose, &sliver, &origin);
			expect_on_sliver(&moved);
		}
		const wp_pose pose = {{(float)at, 0.0078125f, 0.5f}, {0, 0, 0, 1}};
		const answer deep = ask(&box, &pose, &sliver, &origin);
		expect(&deep, -0.5);
		expect_normal(&deep, 0, 0, -1);
		expect_on_sliver(&deep);
	}
}

/* Demand 11. Point B is point A moved by separation times normal, and each lies on its own surface. */
Test(witness, both_points_lie_on_their_shapes)
{
	static const double half[2][3] = {{0.5, 1, 0.75}, {1.25, 0.5, 0.25}};
	const wp_shape a = wp_shape_box(0.5f, 1, 0.75f), b = wp_shape_box(1.25f, 0.5f, 0.25f);
	int overlaps = 0;
	for (int i = 0; i < 400; i++) {
		wp_pose pa = random_pose(1), pb = random_pose(1);
		for (int k = 0; k < 3; k++) {
			pa.position[k] += 100.0f * (float)(k - 1);
			pb.position[k] += 100.0f * (float)(k - 1);
		}
		const answer x = ask(&a, &pa, &b, &pb);
		const double normal[3] = {(double)x.row.normal[0], (double)x.row.normal[1], (double)x.row.normal[2]};
		double local[2][3];
		for (int k = 0; k < 3; k++) {
			const double moved = (double)x.row.point_a[k] + (double)x.row.separation * normal[k];
			cr_assert(fabs(moved - (double)x.row.point_b[k]) <= x.allowed + x.world);
		}
		to_local(&pa, x.row.point_a, local[0]);
		to_local(&pb, x.row.point_b, local[1]);
		for (int side = 0; side < 2; side++)
			cr_assert(fabs(box_distance(half[side], local[side])) <= x.allowed + x.world, "pair %d, side %d: %g", i,
				side, box_distance(half[side], local[side]));
		overlaps += x.row.separation < 0;
	}
	cr_assert(overlaps > 50 && overlaps < 350, "%d", overlaps);
}

/* Demand 53. The face of the difference is good though its three points of one side are one and the same: a pyramid's
 * apex. */
Test(witness, corner_in_a_face_is_the_point)
{
	static const float corners[5][3] = {{0, -1, 0}, {1, 1, 1}, {-1, 1, 1}, {-1, 1, -1}, {1, 1, -1}};
	const wp_shape pyramid = hull_of(0, corners[0], 5), cube = cube_hull(1, 2);
	for (int i = 0; i < 9 * 9; i++) {
		const double x = (i % 9 - 4) / 4.0, z = (i / 9 - 4) / 4.0;
		for (int depth = -1; depth <= 4; depth++) {
			const double y = 3 - depth / 4.0;
			const answer down = ask_at(&cube, &pyramid, x, y, z), up = ask_at(&pyramid, &cube, x, -y, z);
			expect(&down, -depth / 4.0);
			expect_normal(&down, 0, 1, 0);
			expect_point(&down, down.row.point_b, x, y - 1, z);
			expect_point(&down, down.row.point_a, x, 2, z);
			expect(&up, -depth / 4.0);
			expect_normal(&up, 0, -1, 0);
			expect_point(&up, up.row.point_a, 0, -1, 0);
		}
	}
}
