/* A pair that is turned, scaled or swapped has its answer turned, scaled or swapped. */
#include "core/contract.h"
#include "support/ask.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <widephase/widephase.h>

TestSuite(symmetry, .init = ask_setup);

enum { KINDS = 8, PAIRS = 4000 };

static wp_shape random_shape(int slot, int kind)
{
	float p[3][3];
	for (int i = 0; i < 9; i++)
		p[i / 3][i % 3] = (float)uniform(-1, 1);
	const float u = (float)uniform(0.1, 1), v = (float)uniform(0.1, 1), w = (float)uniform(0.1, 1);
	wp_shape shape = kind == 0              ? wp_shape_sphere(u)
	               : kind == 1              ? wp_shape_capsule(u, v)
	               : kind == 2 || kind == 3 ? wp_shape_box(u, v, w)
	               : kind == 4              ? wp_shape_segment(p[0], p[1])
	               : kind == 5              ? wp_shape_triangle(p[0], p[1], p[2])
	                                        : ball_hull(slot, kind == 6 ? 8 : 40, 0.6);
	if (kind == 3)
		shape.radius = 0.25f * w;
	return shape;
}

typedef struct pair {
	wp_shape shape[2];
	wp_pose pose[2];
} pair;

static pair random_pair(int i)
{
	pair p;
	for (int side = 0; side < 2; side++) {
		p.shape[side] = random_shape(side, side ? i / KINDS % KINDS : i % KINDS);
		p.pose[side] = random_pose(0.7);
	}
	return p;
}

static answer ask_pair(const pair *p) { return ask(&p->shape[0], &p->pose[0], &p->shape[1], &p->pose[1]); }

/* Separations of one pair in two guises agree within the contract; so do normals, where they are well defined.
 * `normal` is what the first one's became. */
static void expect_same(int i, const answer *x, double scale, const double normal[3], const answer *y)
{
	double found[3];
	const double expected = scale * (double)x->row.separation;
	cr_assert(fabs(expected - (double)y->row.separation) <= y->allowed, "pair %d: separation %a, not %a", i,
		(double)y->row.separation, expected);
	widen(y->row.normal, found);
	if (fabs((double)x->row.separation) > WP_CONTRACT_ANGLE_FROM * x->length)
		cr_assert(angle(found, normal) <= 1.75e-3, "pair %d: separation %a, normals apart by %g", i, expected,
			angle(found, normal));
}

Test(symmetry, a_common_rotation_turns_the_normal_along)
{
	for (int i = 0; i < PAIRS; i++) {
		pair p = random_pair(i);
		const answer before = ask_pair(&p);
		float rotation[4];
		double q[4], normal[3], turned[3];
		gen_rotation(&random_numbers, rotation);
		for (int k = 0; k < 4; k++)
			q[k] = (double)rotation[k];
		for (int side = 0; side < 2; side++) {
			double r[4], v[3], at[3], product[3];
			for (int k = 0; k < 4; k++)
				r[k] = (double)p.pose[side].rotation[k];
			widen(p.pose[side].position, v);
			turn(q, 1, v, at);
			cross(q, r, product);
			for (int k = 0; k < 3; k++) {
				p.pose[side].position[k] = (float)at[k];
				p.pose[side].rotation[k] = (float)(q[3] * r[k] + r[3] * q[k] + product[k]);
			}
			p.pose[side].rotation[3] = (float)(q[3] * r[3] - dot(q, r));
		}
		const answer after = ask_pair(&p);
		widen(before.row.normal, normal);
		turn(q, 1, normal, turned);
		expect_same(i, &before, 1, turned, &after);
	}
}

static void scale_shape(wp_shape *shape, int slot, float factor)
{
	shape->radius *= factor;
	shape->half_height *= factor;
	for (int k = 0; k < 3; k++)
		shape->half_extents[k] *= factor;
	for (int k = 0; k < 9; k++)
		shape->points[k / 3][k % 3] *= factor;
	if (shape->kind == WP_SHAPE_HULL) {
		float vertices[256][3];
		const size_t count = wp_hull_vertex_count(shape->hull);
		for (size_t i = 0; i < count; i++) {
			wp_hull_vertex(shape->hull, i, vertices[i]);
			for (int k = 0; k < 3; k++)
				vertices[i][k] *= factor;
		}
		shape->hull = hull_of(slot, vertices[0], count).hull;
	}
}

Test(symmetry, scales_that_are_no_powers_of_two)
{
	static const float factors[] = {3, 0.1f, 7e-6f, 1e6f / 3, 1.1e15f, 1.7e-20f};
	for (int i = 0; i < PAIRS; i++) {
		const float factor = factors[(size_t)i % (sizeof factors / sizeof factors[0])];
		pair p = random_pair(i / 3);
		double normal[3];
		const answer before = ask_pair(&p);
		for (int side = 0; side < 2; side++) {
			scale_shape(&p.shape[side], side, factor);
			for (int k = 0; k < 3; k++)
				p.pose[side].position[k] *= factor;
		}
		const answer after = ask_pair(&p);
		widen(before.row.normal, normal);
		expect_same(i, &before, (double)factor, normal, &after);
	}
}

static bool is_point(const answer *x, const float point[3], const float expected[3])
{
	double error = 0;
	for (int k = 0; k < 3; k++)
		error += ((double)point[k] - (double)expected[k]) * ((double)point[k] - (double)expected[k]);
	return sqrt(error) <= x->allowed + x->world;
}

/* Nearly parallel features leave their points loose along them, in a few of ten thousand random pairs. */
Test(symmetry, swapped_sides_swap_the_points)
{
	int loose = 0;
	for (int i = 0; i < PAIRS; i++) {
		const pair p = random_pair(i), q = {{p.shape[1], p.shape[0]}, {p.pose[1], p.pose[0]}};
		const answer before = ask_pair(&p), after = ask_pair(&q);
		double back[3];
		for (int k = 0; k < 3; k++)
			back[k] = -(double)before.row.normal[k];
		expect_same(i, &before, 1, back, &after);
		loose += !is_point(&after, after.row.point_a, before.row.point_b) ||
		         !is_point(&after, after.row.point_b, before.row.point_a);
	}
	cr_assert(loose <= PAIRS / 1000, "%d", loose);
}
