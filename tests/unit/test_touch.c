/* Shapes that touch: faces, edges, corners and flats exactly on each other, boxes in stacks, and pairs that are
 * moved through contact. */
#include "support/ask.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <widephase/widephase.h>

TestSuite(touch, .init = ask_setup);

/* Demand 16. The origin on an edge leaves no triple product to search along. */
Test(touch, origin_on_an_edge)
{
	static const float left[3] = {-1, 0, 0}, right[3] = {3, 0, 0}, front[3] = {0, 0, -1}, back[3] = {0, 0, 2};
	static const float top[3] = {1, 4, 0};
	const wp_shape line = wp_shape_segment(left, right), other = wp_shape_segment(front, back);
	const wp_shape point = wp_shape_point(), triangle = wp_shape_triangle(left, right, top);
	const wp_shape box = wp_shape_box(1, 1, 1);
	const answer on_line = ask(&point, &origin, &line, &origin);
	expect(&on_line, 0);
	cr_assert(fabsf(on_line.row.normal[0]) <= 1e-6f, "across the line");
	const answer crossing = ask(&line, &origin, &other, &origin), above = ask_at(&line, &other, 0.5, 0.25, -0.5);
	expect(&crossing, 0);
	expect_axis(&crossing, 0, 1, 0);
	expect(&above, 0.25);
	expect_normal(&above, 0, 1, 0);
	const answer on_triangle = ask(&point, &origin, &triangle, &origin);
	expect(&on_triangle, 0);
	expect_state(&on_triangle, WP_STATUS_TOUCHING);
	const answer on_box = ask_at(&box, &point, 1, 1, 0.5);
	expect(&on_box, 0);
	const float *n = on_box.row.normal;
	cr_assert(n[0] >= -1e-6f && n[1] >= -1e-6f && fabsf(n[2]) <= 1e-6f, "(%g, %g, %g)", (double)n[0], (double)n[1],
		(double)n[2]);
}

/* Demand 23. Pairs that touch have a unit normal. */
Test(touch, touching_pairs_have_a_unit_normal)
{
	const wp_shape box = wp_shape_box(1, 1, 1), two = wp_shape_sphere(2), three = wp_shape_sphere(3);
	const wp_shape capsule = wp_shape_capsule(0.5f, 1), cube = cube_hull(0, 1), diamond = octahedron(1);
	const answer spheres = ask_at(&two, &three, 3, 4, 0), faces = ask_at(&box, &box, 2, 0.5, 0);
	expect_touch(&spheres);
	expect_normal(&spheres, 0.6, 0.8, 0);
	expect_touch(&faces);
	expect_normal(&faces, 1, 0, 0);
	const answer edges = ask_at(&box, &box, 2, -2, 0.5), corners = ask_at(&cube, &box, 2, 2, -2);
	expect_touch(&edges);
	cr_assert(edges.row.normal[0] >= -1e-6f && edges.row.normal[1] <= 1e-6f && fabsf(edges.row.normal[2]) <= 1e-6f);
	expect_touch(&corners);
	cr_assert(corners.row.normal[0] >= -1e-6f && corners.row.normal[1] >= -1e-6f && corners.row.normal[2] <= 1e-6f);
	const answer vertex = ask_at(&cube, &diamond, 0.25, 2, 0.5), round = ask_at(&cube, &two, 0, -3, 0.5);
	expect_touch(&vertex);
	expect_normal(&vertex, 0, 1, 0);
	expect_touch(&round);
	expect_normal(&round, 0, -1, 0);
	const answer lying = ask_at(&box, &capsule, 1.5, 0.25, 0), standing = ask_at(&box, &capsule, 0.5, 2.5, 0);
	expect_touch(&lying);
	expect_normal(&lying, 1, 0, 0);
	expect_touch(&standing);
	expect_normal(&standing, 0, 1, 0);
}

/* ---- boxes on boxes ----------------------------------------------------------------------------- */

/* Demand 4. An overlap is never lost: a box that falls through a floor in steps is seen in each of them. */
Test(touch, falling_box_is_never_missed)
{
	const wp_shape floor = wp_shape_box(8, 0.5f, 8), box = wp_shape_box(0.5f, 0.5f, 0.5f);
	const wp_shape floor_hull = cube_hull(0, 0.5), hull = cube_hull(1, 0.5);
	for (int frame = 0; frame <= 256; frame++) {
		const double y = 2 - frame / 64.0;
		const answer of_boxes = ask_at(&floor, &box, 0.25, y, -3);
		const answer of_hulls = ask_at(&floor_hull, &hull, 0, y, 0);
		expect(&of_boxes, fabs(y) - 1);
		expect(&of_hulls, fabs(y) - 1);
		const uint32_t state = fabs(y) < 1 ? WP_STATUS_PENETRATING
		                     : fabs(y) > 1 ? WP_STATUS_SEPARATED
		                                   : WP_STATUS_TOUCHING;
		expect_state(&of_boxes, state);
		expect_state(&of_hulls, state);
		if (frame != 128) {
			expect_normal(&of_boxes, 0, y > 0 ? 1 : -1, 0);
			expect_normal(&of_hulls, 0, y > 0 ? 1 : -1, 0);
		}
	}
}

/* Demand 29. The search ends where boxes are exactly on each other, though it finds the same vertices again. */
Test(touch, boxes_exactly_on_each_other)
{
	const wp_shape box = wp_shape_box(0.5f, 0.5f, 0.5f), cubes[2] = {cube_hull(0, 0.5), cube_hull(1, 0.5)};
	for (int i = 0; i < 2; i++) {
		const wp_shape *a = i ? &box : &cubes[0], *b = i ? &box : &cubes[1];
		const answer same = ask_at(a, b, 0, 0, 0), stacked = ask_at(a, b, 0, 1, 0);
		const answer half = ask_at(a, b, 0.5, -0.5, -0.5);
		const float *n = half.row.normal;
		expect(&same, -1);
		expect_face_axis(&same);
		expect_touch(&stacked);
		expect_normal(&stacked, 0, 1, 0);
		expect(&half, -0.5);
		expect_face_axis(&half);
		cr_assert(same.row.iterations <= 32 && half.row.iterations <= 32);
		cr_assert(n[0] - n[1] - n[2] > 0.9f, "(%g, %g, %g)", (double)n[0], (double)n[1], (double)n[2]);
	}
}

/* Demand 52. In a stack of boxes the origin always lies on an edge or a face of the simplex. */
Test(touch, stacks_of_boxes_touch)
{
	static const double half[3] = {1, 1, 1};
	const wp_shape box = wp_shape_box(0.5f, 0.5f, 0.5f), cubes[2] = {cube_hull(0, 0.5), cube_hull(1, 0.5)};
	for (int i = 0; i < 125; i++) {
		const double at[3] = {i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2}, expected = box_distance(half, at);
		const wp_pose low = {{10.5f, 3.5f, -7.5f}, {0, 0, 0, 1}};
		wp_pose high = low;
		for (int k = 0; k < 3; k++)
			high.position[k] += (float)at[k];
		const answer answers[2] = {ask(&box, &low, &box, &high), ask(&cubes[0], &low, &cubes[1], &high)};
		for (int k = 0; k < 2; k++) {
			expect(&answers[k], expected);
			expect_state(&answers[k], expected < 0   ? WP_STATUS_PENETRATING
									  : expected > 0 ? WP_STATUS_SEPARATED
													 : WP_STATUS_TOUCHING);
			if (fabs(at[0]) + fabs(at[1]) + fabs(at[2]) < 1.5 && expected > -0.5)
				expect_normal(&answers[k], at[0], at[1], at[2]);
		}
	}
}

/* ---- flats -------------------------------------------------------------------------------------- */

/* Demand 14. Flats that overlap in one plane touch, along the plane's normal. */
Test(touch, overlapping_flats_in_one_plane_touch)
{
	static const float squares[2][4][3] = {
		{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}, {{1, 1, 0}, {3, 1, 0}, {3, 3, 0}, {1, 3, 0}}};
	static const wp_pose turned = {.rotation = {0.5f, 0.5f, 0.5f, 0.5f}}; /* z becomes x */
	const wp_shape a = hull_of(0, squares[0][0], 4), b = hull_of(1, squares[1][0], 4);
	const answer flat = ask(&a, &origin, &b, &origin), upright = ask(&a, &turned, &b, &turned);
	expect(&flat, 0);
	expect_state(&flat, WP_STATUS_TOUCHING);
	expect_state(&flat, WP_STATUS_DEGENERATE);
	expect_axis(&flat, 0, 0, 1);
	cr_assert(flat.row.iterations <= 64, "%u", flat.row.iterations);
	expect(&upright, 0);
	expect_state(&upright, WP_STATUS_TOUCHING);
	expect_axis(&upright, 1, 0, 0);
	const answer above = ask_at(&a, &b, 0, 0, 0.0078125), beside = ask_at(&a, &b, 2, -1, 0);
	expect(&above, 0.0078125);
	expect_normal(&above, 0, 0, 1);
	expect(&beside, 1);
	expect_normal(&beside, 1, 0, 0);
}

/* Demand 46. Where no direction has height the difference is flat: depth 0, and the flat's own normal. */
Test(touch, flat_difference_answers_with_its_normal)
{
	static const float a[3][3] = {{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}, b[3][3] = {{3, 1, 0}, {0, 3, 1}, {1, 0, 3}};
	static const float c[4][3] = {{4, 4, -4}, {-4, 4, 4}, {4, -4, 4}, {2, 2, 0}};
	const wp_shape small = wp_shape_triangle(a[0], a[1], a[2]), inner = wp_shape_triangle(b[2], b[0], b[1]);
	const wp_shape large = hull_of(0, c[0], 4), line = wp_shape_segment(b[0], c[1]);
	const wp_shape *shapes[4] = {&small, &inner, &large, &line};
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 4; k++) {
			if (i == 3 && k == 3)
				continue;
			const answer x = ask_at(shapes[i], shapes[k], 0, 0, 0);
			const answer lifted = ask_at(shapes[i], shapes[k], 0.25, 0.25, 0.25);
			expect_touch(&x);
			expect_state(&x, WP_STATUS_DEGENERATE);
			expect_axis(&x, 1, 1, 1);
			expect(&lifted, 0.25 * sqrt(3));
			expect_normal(&lifted, 1, 1, 1);
		}
	const answer apart = ask_at(&small, &inner, 8, -8, 0);
	expect_state(&apart, WP_STATUS_SEPARATED);
	cr_assert(fabsf(apart.row.normal[0] + apart.row.normal[1] + apart.row.normal[2]) <= 1e-5f, "in the plane");
}

/* Demand 48. Four points of one plane, then off it by an ulp: the determinant is zero, or as good as that. */
Test(touch, zero_determinant_is_flat)
{
	static const float square[4][3] = {{-1, -1, 1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, 1}}; /* x = -z */
	const wp_shape flat = hull_of(0, square[0], 4), point = wp_shape_point();
	const answer on = ask_at(&flat, &point, 0.25, 0.5, -0.25), above = ask_at(&flat, &point, 0.5, 0, 0.5);
	expect_touch(&on);
	expect_state(&on, WP_STATUS_DEGENERATE);
	expect_axis(&on, 1, 0, 1);
	expect(&above, 0.5 * sqrt(2));
	expect_normal(&above, 1, 0, 1);
	for (int i = 0; i < 4; i++) {
		float bent[4][3];
		memcpy(bent, square, sizeof bent);
		bent[i][i % 2 * 2] = nextafterf(bent[i][i % 2 * 2], i < 2 ? 2.0f : -2.0f);
		const wp_shape hull = hull_of(1, bent[0], 4);
		const answer x = ask_at(&hull, &point, 0.25, 0.5, -0.25);
		cr_assert(fabsf(x.row.separation) <= 0x1p-23f, "separation %a", (double)x.row.separation);
		expect_axis(&x, 1, 0, 1);
	}
}

/* ---- ulp by ulp through contact ----------------------------------------------------------------- */

enum { ULPS = 200 };

static int stage_of(const answer *x)
{
	return x->row.status & WP_STATUS_SEPARATED ? 0 : x->row.status & WP_STATUS_TOUCHING ? 1 : 2;
}

/* B comes nearer along an axis, ulp by ulp, past the place where it touches A: the separation falls, but for the
 * width of its bracket, the normal stays, and no state comes back. At `at` the separation is `rest`, all but zero;
 * it grows by `slope` with the coordinate. */
static void sweep(const wp_shape *a, const wp_shape *b, wp_pose at, int axis, double rest, double slope)
{
	float *coordinate = &at.position[axis];
	const double start = (double)*coordinate;
	answer before = {.world = 0};
	double first[3] = {0, 0, 0}, normal[3];
	for (int i = 0; i < ULPS; i++)
		*coordinate = nextafterf(*coordinate, INFINITY);
	for (int i = -ULPS; i <= ULPS; i++) {
		const answer x = ask(a, &origin, b, &at);
		const double separation = (double)x.row.separation, truth = rest + slope * ((double)*coordinate - start);
		cr_assert(fabs(separation - truth) <= x.allowed, "step %d: separation %a, not %a", i, separation, truth);
		widen(x.row.normal, normal);
		if (i > -ULPS) {
			const double most = (double)before.row.separation + ((double)before.row.upper - (double)before.row.lower);
			cr_assert(separation <= most, "step %d: %a after %a", i, separation, (double)before.row.separation);
			cr_assert(stage_of(&x) >= stage_of(&before), "step %d: %x after %x", i, x.row.status, before.row.status);
			cr_assert(angle(first, normal) <= 2e-3, "step %d: turned by %g", i, angle(first, normal));
		} else {
			memcpy(first, normal, sizeof first);
			cr_assert_eq(stage_of(&x), 0);
		}
		before = x;
		*coordinate = nextafterf(*coordinate, 0);
	}
	cr_assert_eq(stage_of(&before), 2);
}

Test(touch, faces_and_edges_through_contact)
{
	const wp_shape box = wp_shape_box(1, 1, 1), cubes[2] = {cube_hull(0, 1), cube_hull(1, 1)};
	sweep(&box, &box, pose_at(2, 0.5, 0.25), 0, 0, 1);
	sweep(&cubes[0], &cubes[1], pose_at(2, 0.5, 0.25), 0, 0, 1);
	sweep(&cubes[0], &box, pose_at(0.25, 0, 2), 2, 0, 1);
	wp_pose tilted = {{0, 0.25f, 0.5f}, {0, 0, 0.38268343f, 0.92387953f}};
	const double p = (double)tilted.rotation[2], q = (double)tilted.rotation[3], size = p * p + q * q;
	const double contact_at = 1 + (q * q - p * p) / size + 2 * p * q / size;
	tilted.position[0] = (float)contact_at;
	sweep(&box, &box, tilted, 0, (double)tilted.position[0] - contact_at, 1);
	sweep(&cubes[0], &cubes[1], tilted, 0, (double)tilted.position[0] - contact_at, 1);
	const wp_shape diamond = octahedron(1);
	sweep(&cubes[0], &diamond, pose_at(0.25, 2, 0.5), 1, 0, 1);
	sweep(&box, &diamond, pose_at(0.25, 2, 0.5), 1, 0, 1);
	sweep(&cubes[0], &diamond, pose_at(1.5, 1.5, 0.25), 0, 0, sqrt(0.5));
	sweep(&box, &diamond, pose_at(1.5, 1.5, 0.25), 0, 0, sqrt(0.5));
}

Test(touch, round_shapes_through_contact)
{
	static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	const wp_shape one = wp_shape_sphere(1), half = wp_shape_sphere(0.5f), capsule = wp_shape_capsule(0.5f, 1);
	const wp_shape tetrahedron = hull_of(0, corners[0], 4), box = wp_shape_box(1, 1, 1);
	const wp_shape triangle = wp_shape_triangle(corners[0], corners[3], corners[2]);
	const double x = (double)(float)1.22, diagonal = sqrt(x * x + 0.5625 * 0.5625 + 0.625 * 0.625);
	wp_shape other = wp_shape_sphere((float)(diagonal - 1));
	sweep(&one, &half, pose_at(1.5, 0, 0), 0, 0, 1);
	sweep(&one, &other, pose_at(x, 0.5625, 0.625), 0, diagonal - 1 - (double)other.radius, x / diagonal);
	const double y = (double)(float)(0.25 + 0.5 * sqrt(3)), rest = (y - 0.25) / sqrt(3) - 0.5;
	sweep(&tetrahedron, &half, pose_at(y, 0.375, 0.375), 0, rest, 1 / sqrt(3));
	sweep(&tetrahedron, &capsule, pose_at(y, 1.375, 0.375), 0, rest, 1 / sqrt(3));
	sweep(&triangle, &half, pose_at(0.5, 0.25, 0.25), 0, 0, 1);
	sweep(&box, &one, pose_at(0.25, 0.5, 2), 2, 0, 1);
	sweep(&box, &capsule, pose_at(0.25, 2.5, 0.5), 1, 0, 1);
	const wp_pose across = {{1, 0.25f, -0.125f}, {0.70710678f, 0, 0, 0.70710678f}};
	sweep(&capsule, &capsule, across, 0, 0, 1);
}

/* Smaller than kernels take: what rounding may have done to a touch is in the bracket of a distance, too. */
Test(touch, distance_of_tiny_spheres)
{
	const wp_shape ball = wp_shape_sphere(0x1p-110f);
	wp_pose beside = origin;
	beside.position[0] = 0x1p-109f;
	wp_row contact, distance;
	cr_assert_eq(wp_contact_pair(workspaces[WP_VARIANT_AUTO], &ball, &origin, &ball, &beside, NULL, &contact), WP_OK);
	cr_assert_eq(wp_distance_pair(workspaces[WP_VARIANT_AUTO], &ball, &origin, &ball, &beside, &distance), WP_OK);
	cr_assert(contact.status == (WP_STATUS_TOUCHING | WP_STATUS_STRONG) && contact.upper > 0, "status %x, upper %a",
		contact.status, (double)contact.upper);
	cr_assert(distance.separation == 0 && distance.lower == 0 && distance.upper == contact.upper, "[%a, %a]",
		(double)distance.lower, (double)distance.upper);
}
