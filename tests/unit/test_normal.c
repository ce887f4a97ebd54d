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

/* ---- boxes a little apart ------------------------------------------------------------------------ */

/* Points as far apart as an axis separates do not prove its direction: rounding e leaves it open by sqrt(2 e / gap). Judged by
 * the reference, in double. Returns the gap over the pair's size. */
static double expect_exact_normal(const wp_shape *a, const wp_pose *pa, const wp_shape *b, const wp_pose *pb)
{
	const answer x = ask(a, pa, b, pb);
	double from[3], to[3], normal[3];
	wp_reference_row truth;
	widen(pa->position, from);
	widen(pb->position, to);
	cr_assert_eq(wp_reference_contact_pair(a, from, pa->rotation, b, to, pb->rotation, &truth), WP_OK);
	widen(x.row.normal, normal);
	const double off = angle(normal, truth.normal), gap = truth.separation / x.length;
	expect_near(&x, truth.separation);
	if (gap > 1e-5)
		cr_assert(off < 1e-3 + 3e-6 / gap, "off by %g degrees, a gap of %g of the size", off * 57.29578, gap);
	return gap;
}

/* Bricks of a recorded wall, whole ones or a whole one and a half one: their best axis was a face or two edges, which
 * separate the same within rounding, and the normal taken was off by 0.08 to 0.26 degrees. */
static const struct {
	wp_pose poses[2];
	bool half;
} bricks[] = {
	{{{.position = {0x1.ceeda2p+2f, 0x1.6ea1e2p+2f, -0x1.51cb86p-5f},
		  .rotation = {-0x1.3004d8p-9f, -0x1.4f0bd8p-8f, -0x1.19ca56p-9f, 0x1.fffda2p-1f}},
		 {.position = {0x1.ff8506p+2f, 0x1.6e6dc6p+2f, -0x1.1a53b2p-5f},
			 .rotation = {-0x1.f9f4fcp-10f, -0x1.71216cp-9f, -0x1.3fefbep-9f, 0x1.fffed8p-1f}}},
		true},
	{{{.position = {0x1.c22acp+1f, 0x1.5e8ad6p+1f, 0x1.c74c9p-4f},
		  .rotation = {-0x1.e627aep-10f, 0x1.1a1e8cp-3f, 0x1.6d4caep-10f, 0x1.fb1e16p-1f}},
		 {.position = {0x1.239274p+2f, 0x1.5e99p+1f, -0x1.6718d4p-7f},
			 .rotation = {-0x1.23f7a4p-9f, 0x1.8b107p-5f, -0x1.b7a41ep-11f, 0x1.ff672p-1f}}},
		false},
	{{{.position = {0x1.7c0986p+2f, 0x1.9e7b16p+1f, -0x1.201324p-4f},
		  .rotation = {-0x1.519eeep-9f, 0x1.09ec3cp-10f, -0x1.98d88p-11f, 0x1.ffff78p-1f}},
		 {.position = {0x1.bcdf84p+2f, 0x1.9e1534p+1f, -0x1.f4609p-5f},
			 .rotation = {-0x1.455b9cp-9f, -0x1.27af5ap-8f, -0x1.3a2dd4p-9f, 0x1.fffde6p-1f}}},
		false},
	{{{.position = {-0x1.88abdp+2f, 0x1.6ef7ccp+2f, -0x1.a5867ep-7f},
		  .rotation = {-0x1.3f338cp-9f, 0x1.df187p-11f, 0x1.2e22cap-10f, 0x1.ffff78p-1f}},
		 {.position = {-0x1.486126p+2f, 0x1.6f099cp+2f, -0x1.4007f6p-6f},
			 .rotation = {-0x1.9730f4p-9f, 0x1.da95d4p-10f, -0x1.b2042ap-12f, 0x1.ffff24p-1f}}},
		false},
	{{{.position = {0x1.a4f36ap+2f, 0x1.2ed1fep+2f, -0x1.04364p-3f},
		  .rotation = {-0x1.2049eap-7f, 0x1.87db0cp-7f, -0x1.5d156cp-9f, 0x1.fff11ap-1f}},
		 {.position = {0x1.e6228p+2f, 0x1.2e606cp+2f, -0x1.2ba6dcp-3f},
			 .rotation = {-0x1.20b2bap-7f, 0x1.0692dp-7f, -0x1.0d771cp-8f, 0x1.fff59cp-1f}}},
		false},
	{{{.position = {-0x1.f85bdcp+2f, 0x1.1e1ffap+1f, -0x1.73e972p-5f},
		  .rotation = {0x1.64be48p-11f, -0x1.2d05bcp-9f, 0x1.de108cp-9f, 0x1.fffec4p-1f}},
		 {.position = {-0x1.b76bep+2f, 0x1.1eba3ep+1f, -0x1.9a12d6p-5f},
			 .rotation = {-0x1.435a7ep-11f, -0x1.3e1edap-8f, 0x1.a8bbaep-10f, 0x1.fffe42p-1f}}},
		false},
	{{{.position = {0x1.cd292ep+2f, 0x1.8eaadap+2f, -0x1.8d1b78p-3f},
		  .rotation = {0x1.455766p-10f, 0x1.5dc8fep-5f, -0x1.56ee5ep-9f, 0x1.ff87eap-1f}},
		 {.position = {0x1.06f6f6p+3f, 0x1.8e3c46p+2f, -0x1.1c113cp-2f},
			 .rotation = {0x1.10fb16p-11f, 0x1.383ebep-5f, -0x1.ef7776p-9f, 0x1.ff9fccp-1f}}},
		false},
	{{{.position = {-0x1.23c58ap+2f, 0x1.6ed3aep+2f, 0x1.71f41p-3f},
		  .rotation = {0x1.63d2a4p-6f, -0x1.f0fbf8p-5f, 0x1.5d6492p-10f, 0x1.feef7cp-1f}},
		 {.position = {-0x1.c57d6p+1f, 0x1.6ea37ep+2f, 0x1.933daep-2f},
			 .rotation = {0x1.68681cp-6f, -0x1.1f530ep-3f, 0x1.c169f2p-12f, 0x1.facf9ep-1f}}},
		false},
	{{{.position = {0x1.f81188p+2f, 0x1.5d7974p+1f, -0x1.047254p-2f},
		  .rotation = {-0x1.2c9534p-9f, 0x1.71366ep-5f, -0x1.0afc08p-8f, 0x1.ff796p-1f}},
		 {.position = {0x1.14ad5p+3f, 0x1.5c9438p+1f, -0x1.456e7p-2f},
			 .rotation = {-0x1.834b7p-9f, 0x1.1d737p-5f, -0x1.368d74p-8f, 0x1.ffae5cp-1f}}},
		true},
	{{{.position = {-0x1.9ff796p+1f, 0x1.bf9e7ep+0f, 0x1.059dd8p-3f},
		  .rotation = {0x1.1142dp-5f, -0x1.ab9836p-5f, 0x1.49be7ap-10f, 0x1.ff042ep-1f}},
		 {.position = {-0x1.1fc0c2p+1f, 0x1.bf15cap+0f, 0x1.40905cp-2f},
			 .rotation = {0x1.70418cp-5f, -0x1.4ff11ap-4f, 0x1.08880ep-11f, 0x1.fdc172p-1f}}},
		false},
	{{{.position = {-0x1.06a0a8p+3f, 0x1.9d7c5cp+1f, -0x1.7717dp-6f},
		  .rotation = {0x1.af8df8p-6f, -0x1.0d1f66p-8f, 0x1.a4bbbap-9f, 0x1.ffd0bep-1f}},
		 {.position = {-0x1.cc2feep+2f, 0x1.9e3d6ep+1f, -0x1.367316p-7f},
			 .rotation = {0x1.bac686p-6f, -0x1.5d8e6cp-8f, 0x1.4671d4p-9f, 0x1.ffcddcp-1f}}},
		false},
	{{{.position = {0x1.ac97dp+2f, 0x1.ddcf0ep+1f, -0x1.f322bp-4f},
		  .rotation = {-0x1.39f898p-7f, 0x1.df606ep-7f, -0x1.b13614p-9f, 0x1.ffeb3ep-1f}},
		 {.position = {0x1.ed5d66p+2f, 0x1.dce588p+1f, -0x1.17f8bep-3f},
			 .rotation = {-0x1.2e9944p-7f, 0x1.58ed32p-8f, -0x1.fccb3p-9f, 0x1.fff79cp-1f}}},
		false},
};

Test(normal, of_bricks_of_a_wall)
{
	const wp_shape brick = wp_shape_box(0.5f, 0.25f, 0.25f), half = wp_shape_box(0.25f, 0.25f, 0.25f);
	for (size_t i = 0; i < sizeof bricks / sizeof bricks[0]; i++) {
		const wp_pose *const poses = bricks[i].poses;
		cr_assert(expect_exact_normal(&brick, &poses[0], bricks[i].half ? &half : &brick, &poses[1]) > 1e-3);
	}
}

/* A brick on top of another, or half over its end, turned by little. */
Test(normal, of_bricks_a_little_apart)
{
	const wp_shape brick = wp_shape_box(0.5f, 0.25f, 0.25f);
	static const double aside[4][2] = {{0, 0}, {0.5, 0}, {-0.5, 0}, {0.5, 0.25}};
	int apart = 0;
	for (int i = 0; i < 12000; i++) {
		const double reach = pow(10, uniform(-4, -2)), height = 0.5 + pow(10, uniform(-4, -1.7)) + reach / 2;
		const double loose = i % 3 == 0 ? 0 : pow(10, uniform(-5, -2));
		wp_pose poses[2] = {origin, origin};
		for (int k = 0; k < 2; k++) {
			double q[4] = {uniform(-reach, reach) / 2, uniform(-reach, reach) / 2, uniform(-reach, reach) / 2, 1};
			const double size = sqrt(dot(q, q) + 1);
			for (int j = 0; j < 4; j++)
				poses[k].rotation[j] = (float)(q[j] / size);
		}
		poses[1].position[0] = (float)(aside[i % 4][0] + uniform(-loose, loose));
		poses[1].position[1] = (float)height;
		poses[1].position[2] = (float)(aside[i % 4][1] + uniform(-loose, loose));
		apart += expect_exact_normal(&brick, &poses[0], &brick, &poses[1]) > 1e-5;
	}
	cr_assert(apart > 9000, "%d", apart);
}
