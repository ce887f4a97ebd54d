/* Depths: from where the search starts, how its polytope grows, that it ends, and what is found by exhaustion. */
#include "support/ask.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <widephase/widephase.h>

enum { PLANE_MAX = 4096 };

TestSuite(depth, .init = ask_setup);

/* ---- the start ---------------------------------------------------------------------------------- */

/* Demand 1. The origin lies on vertices, edges, faces and in the middle of the difference, so that GJK ends with 1 to
 * 4 points. */
Test(depth, depth_does_not_depend_on_where_gjk_ends)
{
	const wp_shape point = wp_shape_point(), cube = cube_hull(0, 1), box = wp_shape_box(1, 1, 1);
	static const double half[3] = {1, 1, 1};
	for (int i = 0; i < 9 * 9 * 9; i++) {
		const double at[3] = {i % 9 / 4.0 - 1, i / 9 % 9 / 4.0 - 1, i / 81 / 4.0 - 1};
		const answer of_hull = ask_at(&cube, &point, at[0], at[1], at[2]);
		expect(&of_hull, box_distance(half, at));
		const answer of_box = ask_at(&box, &point, at[0], at[1], at[2]);
		expect(&of_box, box_distance(half, at));
	}
}

/* Demand 2. Moved by its depth along the normal, B is free: the normal leads out of the overlap. */
Test(depth, normal_leads_out_of_the_overlap)
{
	for (int i = 0; i < 300; i++) {
		const wp_shape a = i % 2 ? ball_hull(0, 8, 0.5) : wp_shape_box(0.5f, 1, 0.75f), b = ball_hull(1, 8, 0.5);
		const wp_pose pa = random_pose(0.5);
		wp_pose pb = random_pose(0.5);
		const answer before = ask(&a, &pa, &b, &pb);
		const double step = 3 * before.allowed - (double)before.row.separation;
		for (int k = 0; k < 3; k++)
			pb.position[k] += (float)(step * (double)before.row.normal[k]);
		const answer after = ask(&a, &pa, &b, &pb);
		expect_state(&after, WP_STATUS_SEPARATED);
		cr_assert(after.row.separation < 1e-4f, "separation %g", (double)after.row.separation);
	}
}

/* Demand 26. The origin lies between two opposite vertices of the difference, so that GJK ends with these two. */
Test(depth, two_points_are_enough_to_start_from)
{
	const wp_shape a = octahedron(0), b = octahedron(1);
	for (int i = -48; i <= 48; i++) {
		const double d = i / 16.0, expected = fabs(d) < 2 ? (fabs(d) - 2) / sqrt(3) : fabs(d) - 2;
		const answer x = ask_at(&a, &b, d, 0, 0), y = ask_at(&a, &b, 0, d, 0), z = ask_at(&a, &b, 0, 0, d);
		expect(&x, expected);
		expect(&y, expected);
		expect(&z, expected);
	}
}

/* Demand 32. Each face of the first tetrahedron can be the nearest one. */
Test(depth, all_four_faces_are_tried)
{
	static const float vertices[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
	const wp_shape tetrahedron = hull_of(0, vertices[0], 4), point = wp_shape_point(), ball = wp_shape_sphere(0.5f);
	for (int face = 0; face < 4; face++) {
		const double v[3] = {(double)vertices[face][0], (double)vertices[face][1], (double)vertices[face][2]};
		for (int i = 1; i <= 5; i++) {
			const double t = i / 16.0, expected = t * sqrt(3) - 1 / sqrt(3);
			const answer of_point = ask_at(&tetrahedron, &point, -t * v[0], -t * v[1], -t * v[2]);
			const answer of_ball = ask_at(&tetrahedron, &ball, -t * v[0], -t * v[1], -t * v[2]);
			expect(&of_point, expected);
			expect_normal(&of_point, -v[0], -v[1], -v[2]);
			expect(&of_ball, expected - 0.5);
			expect_normal(&of_ball, -v[0], -v[1], -v[2]);
		}
	}
}

/* Demand 44. The start grows out of a vertex, an edge and a face that hold the origin, in units from 2^-10 to 2^10. */
Test(depth, start_grows_out_of_each_feature)
{
	static const float at[14][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {2, 0, 0}, {0, 1, 0}, {0, 0, 3},
		{2, 2, 0}, {1, 0, 3}, {0, 3, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {2, 1, 1}};
	static const double normals[4][3] = {{0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {1, 1, 1}};
	const wp_shape point = wp_shape_point();
	for (int exponent = -10; exponent <= 10; exponent += 5) {
		const double unit = ldexp(1, exponent);
		const float e = (float)(4 * unit), corners[4][3] = {{0, 0, 0}, {e, 0, 0}, {0, e, 0}, {0, 0, e}};
		const wp_shape hull = hull_of(0, corners[0], 4);
		for (int i = 0; i < 14; i++) {
			const float *p = at[i];
			const answer x = ask_at(&hull, &point, unit * (double)p[0], unit * (double)p[1], unit * (double)p[2]);
			expect_touch(&x);
			if (i >= 10)
				expect_normal(&x, normals[i - 10][0], normals[i - 10][1], normals[i - 10][2]);
		}
	}
}

/* Demand 45. Out of a triangle that holds the origin the volume lies on one side only, whichever its winding. */
Test(depth, both_sides_of_a_triangle_are_tried)
{
	const wp_shape point = wp_shape_point();
	for (int i = 0; i < 4; i++) {
		const double side = i & 1 ? 1 : -1;
		const float turn_of = i & 2 ? 1.0f : -1.0f;
		for (int exponent = -8; exponent <= 0; exponent++) {
			const float apex = ldexpf((float)side, exponent);
			const float corners[4][3] = {{-2, -turn_of, 0}, {2, -turn_of, 0}, {0, turn_of, 0}, {0, 0, apex}};
			const wp_shape hull = hull_of(0, corners[0], 4);
			const answer on = ask_at(&hull, &point, 0, 0, 0), in = ask_at(&hull, &point, 0, 0, (double)apex / 16);
			expect_touch(&on);
			expect_normal(&on, 0, 0, -side);
			expect(&in, -fabs((double)apex) / 16);
			expect_normal(&in, 0, 0, -side);
		}
	}
}

/* ---- the polytope ------------------------------------------------------------------------------- */

/* Demand 31. A cuboctahedron, 8 triangles and 6 squares: to split one face in three instead of taking out all visible
 * ones leaves a polytope that is not convex, and a wrong depth. */
Test(depth, cuboctahedron_keeps_convex)
{
	float vertices[12][3] = {{0}};
	for (int i = 0; i < 12; i++) {
		vertices[i][(i / 4 + 1) % 3] = i & 1 ? 1.0f : -1.0f;
		vertices[i][(i / 4 + 2) % 3] = i & 2 ? 1.0f : -1.0f;
	}
	const wp_shape hull = hull_of(0, vertices[0], 12), point = wp_shape_point(), ball = wp_shape_sphere(0.25f);
	for (int i = 0; i < 17 * 17 * 17; i++) {
		const double at[3] = {i % 17 / 8.0 - 1, i / 17 % 17 / 8.0 - 1, i / 289 / 8.0 - 1};
		const double sum = fabs(at[0]) + fabs(at[1]) + fabs(at[2]);
		const double widest = fmax(fabs(at[0]), fmax(fabs(at[1]), fabs(at[2])));
		if (sum > 2)
			continue;
		const double expected = fmax(widest - 1, (sum - 2) / sqrt(3));
		const answer of_point = ask_at(&hull, &point, at[0], at[1], at[2]);
		const answer of_ball = ask_at(&ball, &hull, at[0], at[1], at[2]);
		expect(&of_point, expected);
		expect(&of_ball, expected - 0.25);
	}
}

/* Demand 42. Lattices have all their lattice planes full of points that a face may or may not see. */
Test(depth, coplanar_points_are_not_seen)
{
	static const double half[3] = {4, 4, 4};
	float lattice[125][3];
	for (int i = 0; i < 125; i++) {
		lattice[i][0] = (float)(i % 5 - 2);
		lattice[i][1] = (float)(i / 5 % 5 - 2);
		lattice[i][2] = (float)(i / 25 - 2);
	}
	const wp_shape a = hull_of(0, lattice[0], 125), b = hull_of(1, lattice[0], 125);
	for (int i = 0; i < 9 * 9 * 9; i++) {
		const double at[3] = {i % 9 - 4, i / 9 % 9 - 4, i / 81 - 4};
		const answer x = ask_at(&a, &b, at[0], at[1], at[2]);
		expect(&x, box_distance(half, at));
		cr_assert_eq(x.row.status & (WP_STATUS_ITERATION_CAP | WP_STATUS_CAPACITY), 0u, "status %x", x.row.status);
		cr_assert(x.row.iterations <= 64, "%u", x.row.iterations);
	}
}

/* Demand 43. Two squares turned by 45 degrees have eight nearest faces at once: no new face is closer than the last
 * one. */
Test(depth, equally_near_faces_end_the_search)
{
	static const double upright[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
	static const double tilted[4][2] = {{2, 0}, {0, 2}, {-2, 0}, {0, -2}};
	const wp_shape a = prism_of(0, upright, 4, 4), b = prism_of(1, tilted, 4, 4);
	const answer x = ask(&a, &origin, &b, &origin), same = ask(&a, &origin, &a, &origin);
	expect(&x, -2 * sqrt(2));
	cr_assert(fabsf(fabsf(x.row.normal[0]) - fabsf(x.row.normal[1])) < 1e-5f && fabsf(x.row.normal[2]) < 1e-5f);
	expect(&same, -2);
	cr_assert(x.row.iterations <= 40 && same.row.iterations <= 40, "%u, %u", x.row.iterations, same.row.iterations);
}

/* Demand 47. Coaxial prisms of 48 sides: their difference has long thin faces, and horizons of many edges. */
Test(depth, horizons_of_many_edges_close)
{
	enum { SIDES = 48 };
	double polygon[SIDES][2];
	const double step = 6.283185307179586 / SIDES;
	for (int i = 0; i < SIDES; i++) {
		polygon[i][0] = cos(step * i);
		polygon[i][1] = sin(step * i);
	}
	const wp_shape a = prism_of(0, (const double(*)[2])polygon, SIDES, 1.5);
	const wp_shape b = prism_of(1, (const double(*)[2])polygon, SIDES, 1.5);
	for (int i = 0; i < 300; i++) {
		double at[3];
		random_place(1, 1, 3.2, at);
		double expected = fabs(at[2]) - 3;
		for (int k = 0; k < SIDES; k++) {
			const double n[2] = {cos(step * (k + 0.5)), sin(step * (k + 0.5))};
			expected = fmax(expected, at[0] * n[0] + at[1] * n[1] - 2 * cos(step / 2));
		}
		const answer x = ask_at(&a, &b, at[0], at[1], at[2]);
		expect_near(&x, expected);
	}
	const answer same = ask(&a, &origin, &b, &origin);
	expect_near(&same, -2 * cos(step / 2));
}

/* ---- the end ------------------------------------------------------------------------------------ */

/* Demand 6. Every loop ends, within the few steps that the vertices give reason for, or sets WP_STATUS_ITERATION_CAP. */
Test(depth, loops_are_bounded_and_say_when_cut_short)
{
	for (int i = 0; i < 40; i++) {
		const wp_shape a = ball_hull(0, 250, 1), b = ball_hull(1, 250, 1);
		const wp_pose pa = random_pose(0.1), pb = random_pose(i % 2 ? 0.1 : 1);
		const answer x = ask(&a, &pa, &b, &pb);
		cr_assert(x.row.iterations <= 400, "%u", x.row.iterations);
		const uint32_t cut = WP_STATUS_ITERATION_CAP | WP_STATUS_CAPACITY;
		cr_assert(!(x.row.status & WP_STATUS_WIDE_BRACKET) || x.row.status & cut, "status %x", x.row.status);
	}
}

/* Demand 12. Round shapes never give a final face, and end all the same. */
Test(depth, round_shapes_end_by_small_gains)
{
	static const double half[3] = {1, 2, 1.5};
	const wp_shape box = wp_shape_box(1, 2, 1.5f), sphere = wp_shape_sphere(0.25f), ball = ball_hull(0, 200, 1);
	for (int i = 0; i < 300; i++) {
		double at[3];
		random_place(1.5, 2.5, 2, at);
		const answer x = ask_at(&box, &sphere, at[0], at[1], at[2]);
		expect(&x, box_distance(half, at) - 0.25);
		cr_assert(x.row.iterations <= 32, "%u", x.row.iterations);
	}
	for (int i = 0; i < 100; i++) {
		const wp_pose pose = random_pose(1);
		const answer x = ask(&ball, &origin, &sphere, &pose);
		cr_assert(x.row.iterations <= 100, "%u", x.row.iterations);
	}
}

/* ---- the Minkowski difference by exhaustion ----------------------------------------------------- */

/* The facets of the hull of points [count][3]: each plane through three of them that leaves all on one side, as its
 * unit normal and offset. Returns how many. */
static size_t facets_of(double (*points)[3], size_t count, double (*planes)[4])
{
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			for (size_t k = j + 1; k < count; k++) {
				double u[3], v[3], n[3];
				bool above = false, below = false;
				for (int c = 0; c < 3; c++) {
					u[c] = points[j][c] - points[i][c];
					v[c] = points[k][c] - points[i][c];
				}
				cross(u, v, n);
				const double size = length(n), offset = dot(n, points[i]);
				if (size < 1e-9)
					continue;
				for (size_t m = 0; m < count && !(above && below); m++) {
					const double height = (dot(n, points[m]) - offset) / size;
					above = above || height > 1e-12;
					below = below || height < -1e-12;
				}
				if (above && below)
					continue;
				cr_assert(found < PLANE_MAX);
				for (int c = 0; c < 4; c++)
					planes[found][c] = (c < 3 ? n[c] : offset) / (above ? -size : size);
				found++;
			}
	return found;
}

/* Signed distance of a point inside the planes, and the place of its nearest plane. */
static double depth_in(double (*planes)[4], size_t count, const double point[3], size_t *nearest)
{
	double most = -INFINITY;
	for (size_t i = 0; i < count; i++) {
		const double height = dot(planes[i], point) - planes[i][3];
		if (height > most) {
			most = height;
			*nearest = i;
		}
	}
	return most;
}

/* Demand 19. On a curved surface faces get ever smaller; the bracket shows how far the search came, and holds the
 * truth. */
Test(depth, curved_shapes_report_their_error)
{
	static double corners[120][3], planes[PLANE_MAX][4];
	const wp_shape ball = ball_hull(0, 120, 1), point = wp_shape_point();
	for (size_t i = 0; i < 120; i++) {
		float vertex[3];
		wp_hull_vertex(ball.hull, i, vertex);
		widen(vertex, corners[i]);
	}
	const size_t count = facets_of(corners, 120, planes);
	cr_assert_eq(count, 2 * 120 - 4u, "faces of a closed surface of triangles");
	for (int i = 0; i < 300; i++) {
		double at[3];
		size_t nearest;
		random_place(0.5, 0.5, 0.5, at);
		const answer x = ask_at(&ball, &point, at[0], at[1], at[2]);
		expect(&x, depth_in(planes, count, at, &nearest));
	}
}

/* Planes of the points of B minus points of A, for two hulls. The origin's signed distance to them is the separation
 * of overlapping hulls; the nearest plane's normal points from B to A. */
static size_t difference_of(
	const wp_shape *a, const wp_pose *pa, const wp_shape *b, const wp_pose *pb, double (*planes)[4])
{
	static double points[1024][3], corners[2][256][3];
	const wp_shape *shape[2] = {a, b};
	const wp_pose *pose[2] = {pa, pb};
	size_t count[2];
	for (int side = 0; side < 2; side++) {
		double rotation[4], v[3];
		count[side] = wp_hull_vertex_count(shape[side]->hull);
		for (int i = 0; i < 4; i++)
			rotation[i] = (double)pose[side]->rotation[i];
		for (size_t i = 0; i < count[side]; i++) {
			float vertex[3];
			wp_hull_vertex(shape[side]->hull, i, vertex);
			widen(vertex, v);
			turn(rotation, 1, v, corners[side][i]);
			for (int k = 0; k < 3; k++)
				corners[side][i][k] += (double)pose[side]->position[k];
		}
	}
	for (size_t i = 0; i < count[0]; i++)
		for (size_t j = 0; j < count[1]; j++)
			for (int k = 0; k < 3; k++)
				points[i * count[1] + j][k] = corners[1][j][k] - corners[0][i][k];
	return facets_of(points, count[0] * count[1], planes);
}

/* Demand 54. The polytope stays convex: random hulls have the depths and normals of the difference's own facets. */
Test(depth, depths_are_those_of_the_convex_difference)
{
	static double planes[PLANE_MAX][4];
	static const double zero[3] = {0, 0, 0};
	int overlaps = 0;
	for (int i = 0; i < 250; i++) {
		const size_t corners = 4 + (size_t)i % 6;
		const wp_shape a = ball_hull(0, corners, 0.5), b = ball_hull(1, 8, i % 2 ? 1 : 0.5);
		const wp_pose pa = random_pose(0.4), pb = random_pose(0.4);
		const answer x = ask(&a, &pa, &b, &pb);
		const size_t count = difference_of(&a, &pa, &b, &pb, planes);
		size_t nearest = 0, second = 0;
		const double depth = depth_in(planes, count, zero, &nearest);
		if (depth >= 0) {
			cr_assert_gt((double)x.row.upper, -1e-9, "pair %d", i);
			continue;
		}
		overlaps++;
		expect(&x, depth);
		double normal[3];
		widen(x.row.normal, normal);
		for (size_t k = 0; k < count; k++)
			second += dot(planes[k], zero) - planes[k][3] > depth - 1e-4 && angle(planes[k], planes[nearest]) > 1e-6;
		if (second == 0)
			expect_normal(&x, -planes[nearest][0], -planes[nearest][1], -planes[nearest][2]);
	}
	cr_assert(overlaps > 100, "%d", overlaps);
}

/* Demand 21. No direction proves a larger separation than the answer, and the best of many comes near to it. */
Test(depth, no_sampled_direction_beats_the_answer)
{
	enum { DIRECTIONS = 3000 };
	static double directions[DIRECTIONS][3];
	for (int i = 0; i < DIRECTIONS; i++)
		random_unit(directions[i]);
	for (int i = 0; i < 60; i++) {
		const wp_shape a = i % 2 ? ball_hull(0, 12, 0.6) : wp_shape_box(0.5f, 1, 0.25f);
		const wp_shape b = i % 3 ? ball_hull(1, 12, 0.6) : wp_shape_capsule(0.25f, 0.5f);
		const wp_pose pa = random_pose(0.5), pb = random_pose(0.5);
		const answer x = ask(&a, &pa, &b, &pb);
		double best = -INFINITY;
		for (int k = 0; k < DIRECTIONS; k++)
			best = fmax(best, gap_along(&a, &pa, &b, &pb, directions[k]));
		const double separation = (double)x.row.separation;
		cr_assert(best <= separation + x.allowed, "pair %d: %a, not %a", i, best, separation);
		cr_assert(best >= separation - 0.2, "pair %d: %a, not %a", i, best, separation);
	}
}

/* The gap of two upright boxes along one axis, B turned about z, as the axes of separation say. */
static double upright_gap(double cosine, double sine, double x, double y, const double d[3])
{
	return fabs(x * d[0] + y * d[1]) - fabs(d[0]) - fabs(d[1]) - fabs(d[0] * cosine + d[1] * sine) -
	       fabs(d[1] * cosine - d[0] * sine);
}

/* Demand 30. A face that is not on the boundary of the difference gives a wrong normal: prisms of known axes. */
Test(depth, normal_is_that_of_a_boundary_face)
{
	static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
	const wp_shape boxes[2] = {wp_shape_box(1, 1, 2), prism_of(0, square, 4, 2)};
	for (int i = 0; i < 400; i++) {
		const double z = uniform(-1, 1), w = sqrt(1 - z * z), x = (double)(float)uniform(-1, 1);
		const double y = (double)(float)uniform(-1, 1);
		const wp_pose pose = {{(float)x, (float)y, 0}, {0, 0, (float)z, (float)w}};
		const double p = (double)pose.rotation[2], q = (double)pose.rotation[3], size = p * p + q * q;
		const double c = (q * q - p * p) / size, s = 2 * p * q / size;
		const double axes[4][3] = {{1, 0, 0}, {0, 1, 0}, {c, s, 0}, {-s, c, 0}};
		double best = -INFINITY, second = -INFINITY;
		int axis = 0;
		for (int k = 0; k < 4; k++) {
			const double gap = upright_gap(c, s, x, y, axes[k]);
			second = fmax(second, fmin(best, gap));
			axis = gap > best ? k : axis;
			best = fmax(best, gap);
		}
		for (int k = 0; k < 2; k++) {
			const answer found = ask(&boxes[k], &origin, &boxes[k], &pose);
			expect(&found, best);
			if (best - second > 1e-3)
				expect_axis(&found, axes[axis][0], axes[axis][1], 0);
		}
	}
}
