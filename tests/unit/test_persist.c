/* Contact points kept from frame to frame: who stays, who goes, and what they take along. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "support/gen_random.h"
#include "support/rounding.h"
#include "support/vector.h"
#include "widephase/widephase.h"

static const float up[3] = {0, 1, 0};
static const wp_persistent_thresholds usual = {.breaking = 0.02f, .sideways = 0.02f, .merging = 0.02f};
static const wp_persistent_thresholds never = {INFINITY, INFINITY, 0};

static v3 wide(const float v[3]) { return v3_of_floats(v); }

static void narrow(v3 from, float to[3])
{
	to[0] = gen_rounded(from.x);
	to[1] = gen_rounded(from.y);
	to[2] = gen_rounded(from.z);
}

static wp_pose pose_at(double x, double y, double z, double yaw)
{
	wp_pose pose = {{0, 0, 0}, {0, (float)sin(yaw / 2), 0, (float)cos(yaw / 2)}};
	narrow(v3_of(x, y, z), pose.position);
	return pose;
}

/* Where a local point is, from its body's position. */
static v3 turned(const wp_pose *pose, const float local[3])
{
	return m3_apply(m3_of_quaternion(pose->rotation), wide(local));
}

/* The point above (x, z) of A's frame: on A at height 0, and straight above it on B. */
static wp_manifold_point point_over(const wp_pose *a, const wp_pose *b, double x, double z, double separation)
{
	wp_manifold_point point = {.separation = (float)separation};
	narrow(v3_of(x, 0, z), point.local_a);
	const v3 on_a = v3_add(wide(a->position), turned(a, point.local_a));
	const v3 on_b = v3_add(on_a, v3_of(0, separation, 0));
	narrow(m3_apply_inverse(m3_of_quaternion(b->rotation), v3_sub(on_b, wide(b->position))), point.local_b);
	return point;
}

/* A quad of corners (+-1, +-1) of B on a plane, vertex ids as a box has them. */
static void make_corners(const wp_pose *a, const wp_pose *b, wp_manifold_point points[4])
{
	for (uint32_t i = 0; i < 4; i++) {
		const double x = i & 1 ? 1 : -1, z = i & 2 ? 1 : -1;
		const v3 on_b = v3_add(wide(b->position), turned(b, (const float[3]){(float)x, 0, (float)z}));
		const v3 offset = m3_apply_inverse(m3_of_quaternion(a->rotation), v3_sub(on_b, wide(a->position)));
		points[i] = point_over(a, b, offset.x, offset.z, 0);
		points[i].feature_a = WP_FEATURE_FACE;
		points[i].feature_b = i | i << 16;
	}
}

static void check_impulses(const wp_persistent_manifold *m, uint32_t count)
{
	cr_assert_eq(m->count, count, "%u points", m->count);
	for (uint32_t i = 0; i < m->count; i++)
		for (uint32_t k = 0; k < 3; k++)
			cr_assert_eq(m->impulses[i][k], (float)(10 * (m->places[i].feature_b & 0xffff) + k + 1));
}

static void set_impulses(wp_persistent_manifold *m)
{
	for (uint32_t i = 0; i < m->count; i++)
		for (uint32_t k = 0; k < 3; k++)
			m->impulses[i][k] = (float)(10 * (m->places[i].feature_b & 0xffff) + k + 1);
}

/* Four corners at rest, each with its own impulses. */
static wp_persistent_manifold resting(const wp_pose *a, const wp_pose *b)
{
	wp_persistent_manifold m = {0};
	wp_manifold_point points[4];
	make_corners(a, b, points);
	cr_assert_eq(wp_persistent_update(&m, a, b, up, points, 4, &usual), WP_OK);
	cr_assert_eq(m.count, 4);
	for (int i = 0; i < 4; i++) {
		cr_assert_eq(m.points[i].age, 0);
		cr_assert(m.impulses[i][0] == 0 && m.impulses[i][1] == 0 && m.impulses[i][2] == 0);
	}
	set_impulses(&m);
	return m;
}

Test(persist, an_empty_manifold_stays_empty)
{
	const wp_pose a = pose_at(0, 0, 0, 0), b = pose_at(0, 1, 0, 0);
	wp_persistent_manifold m = {0}, zero = {0};
	cr_assert_eq(wp_persistent_refresh(&m, &a, &b, NULL, &usual), WP_OK);
	cr_assert_eq(memcmp(&m, &zero, sizeof m), 0);
	cr_assert_eq(wp_persistent_refresh(&m, &a, &b, up, &usual), WP_OK);
	cr_assert_eq(m.count, 0);
}

Test(persist, thresholds_are_a_share_of_size)
{
	const wp_persistent_thresholds t = wp_persistent_thresholds_of(2.0f);
	cr_assert(t.breaking == 0.04f && t.sideways == 0.04f && t.merging == 0.04f);
	const wp_persistent_thresholds none = wp_persistent_thresholds_of(NAN), negative = wp_persistent_thresholds_of(-1);
	const wp_pose a = pose_at(0, 0, 0, 0);
	wp_persistent_manifold m = {0};
	cr_assert_eq(wp_persistent_refresh(&m, &a, &a, up, &none), WP_ERROR_THRESHOLD);
	cr_assert_eq(wp_persistent_refresh(&m, &a, &a, up, &negative), WP_ERROR_THRESHOLD);
}

/* ---- update ------------------------------------------------------------------------------------- */

/* Slides and turns far beyond every threshold, but by features that stay. */
Test(persist, a_slide_keeps_impulses_while_features_stay)
{
	const wp_pose a = pose_at(3, -1, 2, 0.3);
	wp_pose b = pose_at(3, -1, 2, 0);
	wp_persistent_manifold m = resting(&a, &b);
	for (uint32_t frame = 1; frame <= 300; frame++) {
		b = pose_at(3 + 0.05 * frame, -1, 2, 0.03 * frame);
		wp_manifold_point points[4], shuffled[4];
		make_corners(&a, &b, points);
		for (uint32_t i = 0; i < 4; i++)
			shuffled[i] = points[(i * 3 + frame) % 4];
		cr_assert_eq(wp_persistent_update(&m, &a, &b, up, shuffled, 4, &usual), WP_OK);
		check_impulses(&m, 4);
		for (uint32_t i = 0; i < 4; i++) {
			cr_assert_eq(m.points[i].age, frame);
			cr_assert_eq(m.places[i].feature_b, i | i << 16, "points stay in their order");
			cr_assert_eq(memcmp(m.places[i].local_a, points[i].local_a, sizeof points[i].local_a), 0);
			cr_assert_eq(memcmp(m.places[i].local_b, points[i].local_b, sizeof points[i].local_b), 0);
			cr_assert_leq(v3_length(v3_sub(wide(m.points[i].arm_a), turned(&a, points[i].local_a))), 2e-6);
			cr_assert_leq(v3_length(v3_sub(wide(m.points[i].arm_b), turned(&b, points[i].local_b))), 2e-6);
		}
	}
}

/* One point comes in the place of another: only that one starts anew. */
Test(persist, new_points_start_anew)
{
	const wp_pose a = pose_at(0, 0, 0, 0);
	wp_persistent_manifold m = resting(&a, &a);
	wp_manifold_point points[4];
	make_corners(&a, &a, points);
	points[1] = point_over(&a, &a, 0.5, 0.5, -0.01);
	points[1].feature_a = points[1].feature_b = 5 | 7 << 16;
	cr_assert_eq(wp_persistent_update(&m, &a, &a, up, points, 4, &usual), WP_OK);
	cr_assert_eq(m.count, 4);
	for (uint32_t i = 0; i < 3; i++)
		cr_assert_eq(m.points[i].age, 1);
	cr_assert_eq(m.points[3].age, 0);
	cr_assert_eq(m.impulses[3][0], 0);
	cr_assert_eq(m.points[3].separation, -0.01f);
	cr_assert_eq(m.places[3].feature_a, 5 | 7 << 16);
	m.count = 3;
	check_impulses(&m, 3);
	cr_assert_eq(wp_persistent_update(&m, &a, &a, up, points, 1, &usual), WP_OK);
	check_impulses(&m, 1);
}

/* Features change, places do not: matched by distance, nearest first, and never one twice. */
Test(persist, places_match_where_features_do_not)
{
	const wp_pose a = pose_at(0, 0, 0, 0);
	wp_persistent_manifold m = resting(&a, &a);
	wp_manifold_point points[4];
	make_corners(&a, &a, points);
	for (uint32_t i = 0; i < 4; i++)
		points[i].feature_a = 100 + i;
	points[2].local_a[0] += 0.015f; /* points 2 and 3 are both near where 2 was; 3 is nearer */
	points[3] = points[2];
	points[3].local_a[0] -= 0.01f;
	points[2].local_b[0] += 0.5f;
	points[3].local_b[0] += 0.5f;
	cr_assert_eq(wp_persistent_update(&m, &a, &a, up, points, 4, &usual), WP_OK);
	cr_assert_eq(m.count, 4);
	for (uint32_t i = 0; i < 3; i++)
		cr_assert_eq(m.impulses[i][0], (float)(10 * i + 1));
	cr_assert_eq(m.places[2].local_a[0], points[3].local_a[0]);
	cr_assert(m.points[3].age == 0 && m.impulses[3][0] == 0);
}

/* The same features go before a place that is nearer; of points with the same features the nearest are one. */
Test(persist, features_go_before_places)
{
	const wp_pose a = pose_at(0, 0, 0, 0);
	wp_persistent_manifold m = resting(&a, &a);
	wp_manifold_point points[4];
	make_corners(&a, &a, points);
	const uint32_t ids[4] = {1 | 1 << 16, 0, 7, 7};
	for (uint32_t i = 0; i < 4; i++)
		points[i].feature_b = ids[i];
	cr_assert_eq(wp_persistent_update(&m, &a, &a, up, points, 4, &usual), WP_OK);
	cr_assert_eq(m.impulses[0][0], 1);
	cr_assert_eq(m.places[0].local_a[0], points[1].local_a[0]);
	cr_assert_eq(m.impulses[1][0], 11);
	cr_assert_eq(m.places[1].local_a[0], points[0].local_a[0]);
	wp_manifold_point swapped[2] = {points[3], points[2]};
	cr_assert_eq(wp_persistent_update(&m, &a, &a, up, swapped, 2, &usual), WP_OK);
	cr_assert_eq(m.count, 2);
	for (uint32_t i = 0; i < 2; i++) {
		cr_assert_eq(m.places[i].local_a[0], points[2 + i].local_a[0]);
		cr_assert_eq(m.impulses[i][0], (float)(21 + 10 * i));
		cr_assert_eq(m.points[i].age, 2);
	}
}

Test(persist, no_points_empty_the_manifold_whatever_the_rest)
{
	const wp_pose a = pose_at(0, 0, 0, 0), bad = {{NAN, 0, 0}, {0, 0, 0, 0}};
	wp_persistent_manifold m = resting(&a, &a);
	cr_assert_eq(wp_persistent_update(&m, &bad, &bad, (const float[3]){0, 0, 0}, NULL, 0, &usual), WP_OK);
	cr_assert_eq(m.count, 0);
}

/* ---- refresh ------------------------------------------------------------------------------------ */

Test(persist, lift_off_drops)
{
	const wp_pose a = pose_at(0, 0, 0, 0);
	wp_pose b = a;
	wp_persistent_manifold m = resting(&a, &b);
	for (int step = 1; step <= 5; step++) {
		b = pose_at(0, step / 256.0, 0, 0);
		cr_assert_eq(wp_persistent_refresh(&m, &a, &b, up, &usual), WP_OK);
		check_impulses(&m, 4);
		for (uint32_t i = 0; i < 4; i++) {
			cr_assert_eq(m.points[i].separation, (float)step / 256);
			cr_assert_eq(m.points[i].age, (uint32_t)step);
		}
	}
	b = pose_at(0, 6 / 256.0, 0, 0);
	cr_assert_eq(wp_persistent_refresh(&m, &a, &b, up, &usual), WP_OK);
	cr_assert_eq(m.count, 0);
}

/* B tips over an edge: that edge's points stay. */
Test(persist, tipping_drops_what_rises)
{
	const wp_pose a = pose_at(0, 0, 0, 0);
	wp_persistent_manifold m = resting(&a, &a);
	const double tilt = 0.015;
	const wp_pose b = {{0, (float)sin(tilt), 0}, {0, 0, (float)sin(tilt / 2), (float)cos(tilt / 2)}};
	cr_assert_eq(wp_persistent_refresh(&m, &a, &b, NULL, &usual), WP_OK);
	check_impulses(&m, 2);
	cr_assert(m.places[0].feature_b == 0 && m.places[1].feature_b == (2 | 2 << 16));
	cr_assert_lt(fabs((double)m.points[0].separation), 1e-6);
}

/* Turning about the normal slides a point by its distance from the axis. */
Test(persist, turning_drops_by_sideways_slide)
{
	const wp_pose a = pose_at(0, 0, 0, 0);
	wp_persistent_manifold m = resting(&a, &a);
	const wp_manifold_point centre = point_over(&a, &a, 0.1, 0, 0);
	m.count = 3;
	cr_assert_eq(wp_persistent_add(&m, &a, &a, up, &centre, &usual), WP_OK);
	const double before = 0.0199 / sqrt(2), after = 0.0201 / sqrt(2);
	wp_pose b = pose_at(0, 0, 0, before);
	cr_assert_eq(wp_persistent_refresh(&m, &a, &b, up, &usual), WP_OK);
	cr_assert_eq(m.count, 4);
	b = pose_at(0, 0, 0, after);
	cr_assert_eq(wp_persistent_refresh(&m, &a, &b, up, &usual), WP_OK);
	cr_assert_eq(m.count, 1);
	cr_assert_eq(m.places[0].local_a[0], 0.1f);
	cr_assert_eq(m.points[0].age, 2);
}

/* Demand 51. Back where it was, a point has its separation again; and slides are across the normal that is given. */
Test(persist, refresh_depends_on_the_poses_alone)
{
	const wp_pose a = pose_at(0.5, 1, -2, 0.7);
	wp_pose b = pose_at(0.25, 1, -2, 0);
	wp_persistent_manifold m = resting(&a, &b);
	const float sideways[3] = {1, 0, 0};
	b = pose_at(0.25 + 0.5, 1, -2, 0);
	const wp_persistent_thresholds thresholds = {.breaking = 1, .sideways = 0.001f, .merging = 0};
	cr_assert_eq(wp_persistent_refresh(&m, &a, &b, sideways, &thresholds), WP_OK);
	check_impulses(&m, 4);
	for (uint32_t i = 0; i < 4; i++)
		cr_assert_float_eq(m.points[i].separation, 0.5f, 1e-6);
	cr_assert_eq(m.normal[0], 1);
	b = pose_at(0.25, 1, -2, 0);
	cr_assert_eq(wp_persistent_refresh(&m, &a, &b, up, &thresholds), WP_OK);
	for (uint32_t i = 0; i < 4; i++)
		cr_assert_float_eq(m.points[i].separation, 0, 1e-6);
}

Test(persist, age_does_not_wrap)
{
	const wp_pose a = pose_at(0, 0, 0, 0);
	wp_persistent_manifold m = resting(&a, &a);
	m.points[0].age = UINT32_MAX - 1;
	for (int i = 0; i < 3; i++)
		cr_assert_eq(wp_persistent_refresh(&m, &a, &a, up, &usual), WP_OK);
	cr_assert_eq(m.points[0].age, UINT32_MAX);
	cr_assert_eq(m.points[1].age, 3);
}

/* ---- add ---------------------------------------------------------------------------------------- */

Test(persist, a_near_point_is_the_same_point)
{
	const wp_pose a = pose_at(0, 0, 0, 0);
	wp_persistent_manifold m = {0};
	wp_manifold_point point = point_over(&a, &a, 0.5, 0.5, 0.001);
	cr_assert_eq(wp_persistent_add(&m, &a, &a, up, &point, &usual), WP_OK);
	m.impulses[0][0] = 7;
	m.points[0].age = 3;
	point = point_over(&a, &a, 0.51, 0.5, -0.002);
	cr_assert_eq(wp_persistent_add(&m, &a, &a, up, &point, &usual), WP_OK);
	cr_assert_eq(m.count, 1);
	cr_assert(m.impulses[0][0] == 7 && m.points[0].age == 3);
	cr_assert_eq(m.points[0].separation, -0.002f);
	cr_assert_eq(m.places[0].local_a[0], 0.51f);
	point.local_a[0] += 0.5f; /* far on A, but where it was on B: a corner that slides */
	cr_assert_eq(wp_persistent_add(&m, &a, &a, up, &point, &usual), WP_OK);
	cr_assert(m.count == 1 && m.impulses[0][0] == 7);
	point = point_over(&a, &a, 1.04, 0.5, 0);
	cr_assert_eq(wp_persistent_add(&m, &a, &a, up, &point, &usual), WP_OK);
	cr_assert(m.count == 2 && m.impulses[1][0] == 0);
}

Test(persist, a_point_beyond_breaking_is_not_added)
{
	const wp_pose a = pose_at(0, 0, 0, 0);
	wp_persistent_manifold m = resting(&a, &a);
	const wp_persistent_manifold before = m;
	const wp_manifold_point point = point_over(&a, &a, 0.5, 0.5, 0.021);
	cr_assert_eq(wp_persistent_add(&m, &a, &a, up, &point, &usual), WP_OK);
	cr_assert_eq(memcmp(&m, &before, sizeof m), 0);
}

/* Area of the hull of four points of the plane y = 0, by the hull itself, and the largest square distance. */
static double worth_of(const v3 *const p[4])
{
	double area = 0, extent = 0;
	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 4; k++) {
			const double dx = p[k]->x - p[i]->x, dz = p[k]->z - p[i]->z;
			extent = fmax(extent, dx * dx + dz * dz);
			bool is_edge = i != k;
			for (int o = 0; o < 4 && is_edge; o++)
				is_edge = o == i || o == k || dx * (p[o]->z - p[i]->z) - dz * (p[o]->x - p[i]->x) > 0;
			if (is_edge)
				area += 0.5 * (p[i]->x * p[k]->z - p[i]->z * p[k]->x);
		}
	}
	return area + 0.01 * extent;
}

/* Of many random points: the deepest is kept, and no other three are worth more. */
static void check_reduction(const wp_persistent_manifold *m, const v3 *places, const double *separations, int count)
{
	int kept[4], deepest = 0;
	for (int k = 0; k < 4; k++) {
		kept[k] = -1;
		for (int i = 0; i < count; i++)
			if (m->places[k].local_a[0] == (float)places[i].x && m->places[k].local_a[2] == (float)places[i].z)
				kept[k] = i;
		cr_assert(kept[k] >= 0 && (k == 0 || kept[k] > kept[k - 1]));
	}
	for (int i = 1; i < count; i++)
		deepest = separations[i] < separations[deepest] ? i : deepest;
	cr_assert(kept[0] == deepest || kept[1] == deepest || kept[2] == deepest || kept[3] == deepest);
	const v3 *const best[4] = {&places[kept[0]], &places[kept[1]], &places[kept[2]], &places[kept[3]]};
	const double found = worth_of(best);
	for (int i = 0; i < count; i++)
		for (int j = i + 1; j < count; j++)
			for (int k = j + 1; k < count; k++) {
				if (i == deepest || j == deepest || k == deepest)
					continue;
				const v3 *const others[4] = {&places[deepest], &places[i], &places[j], &places[k]};
				cr_assert_geq(found, worth_of(others) - 1e-6);
			}
}

Test(persist, many_points_are_reduced)
{
	gen_random random;
	gen_seed(&random, 5);
	const wp_pose a = pose_at(1, 2, 3, 0.5), b = pose_at(1.5, 2, 3, -0.4);
	for (int round = 0; round < 2000; round++) {
		const int count = 5 + (int)gen_below(&random, 4);
		v3 places[8];
		double separations[8];
		wp_manifold_point points[8];
		for (int i = 0; i < count; i++) {
			places[i] = v3_of(gen_rounded(gen_range(&random, -1, 1)), 0, gen_rounded(gen_range(&random, -1, 1)));
			separations[i] = gen_rounded(gen_range(&random, -0.02, 0.02));
			points[i] = point_over(&a, &b, places[i].x, places[i].z, separations[i]);
		}
		wp_persistent_manifold m = {0};
		cr_assert_eq(wp_persistent_update(&m, &a, &b, up, points, (uint32_t)count, &never), WP_OK);
		cr_assert_eq(m.count, 4);
		check_reduction(&m, places, separations, count);
		wp_persistent_manifold added = {0};
		for (int i = 0; i < 5; i++)
			cr_assert_eq(wp_persistent_add(&added, &a, &b, up, &points[i], &never), WP_OK);
		cr_assert_eq(added.count, 4);
		check_reduction(&added, places, separations, 5);
	}
}

/* On a line no area decides; the ends must stay. */
Test(persist, the_ends_of_a_line_stay)
{
	const wp_pose a = pose_at(0, 0, 0, 0.2);
	gen_random random;
	gen_seed(&random, 6);
	for (int round = 0; round < 200; round++) {
		wp_persistent_manifold m = {0};
		const uint32_t first = gen_below(&random, 8);
		for (uint32_t i = 0; i < 8; i++) {
			const double along = 0.25 * ((first + 3 * i) % 8);
			const wp_manifold_point point = point_over(&a, &a, along, 0.5 * along, 1e-3 * gen_range(&random, -1, 1));
			cr_assert_eq(wp_persistent_add(&m, &a, &a, up, &point, &usual), WP_OK);
		}
		float least = 9, most = -9;
		for (uint32_t i = 0; i < m.count; i++) {
			least = fminf(least, m.places[i].local_a[0]);
			most = fmaxf(most, m.places[i].local_a[0]);
		}
		cr_assert(m.count == 4 && least == 0 && most == 1.75f, "%u points from %g to %g", m.count, least, most);
	}
}

/* A fifth point that is worth no more than an old one is the one to go. */
Test(persist, old_points_stay_where_they_are_as_good)
{
	const wp_pose a = pose_at(0, 0, 0, 0);
	wp_persistent_manifold m = resting(&a, &a);
	const wp_manifold_point point = point_over(&a, &a, 0.25, 0.5, 0);
	cr_assert_eq(wp_persistent_add(&m, &a, &a, up, &point, &usual), WP_OK);
	check_impulses(&m, 4);
	wp_manifold_point deep = point_over(&a, &a, 0.25, 0.5, -0.01);
	deep.feature_b = 77;
	cr_assert_eq(wp_persistent_add(&m, &a, &a, up, &deep, &usual), WP_OK);
	cr_assert(m.count == 4 && m.places[3].feature_b == 77 && m.impulses[3][0] == 0);
	/* Either of the last two makes a quadrilateral of 2, the mirror image of the other's. */
	const double places[5][2] = {{0, 0}, {-1, 1}, {1, 1}, {-0.5, 2}, {0.5, 2}};
	m.count = 0;
	for (uint32_t i = 0; i < 5; i++) {
		wp_manifold_point corner = point_over(&a, &a, places[i][0], places[i][1], i == 0 ? -0.01 : 0);
		corner.feature_b = i;
		cr_assert_eq(wp_persistent_add(&m, &a, &a, up, &corner, &usual), WP_OK);
	}
	for (uint32_t i = 0; i < 4; i++)
		cr_assert_eq(m.places[i].feature_b, i);
}

/* ---- bad input ---------------------------------------------------------------------------------- */

typedef struct call {
	wp_persistent_manifold manifold;
	wp_pose a, b;
	float normal[3];
	wp_manifold_point points[9];
	uint32_t count;
	wp_persistent_thresholds thresholds;
} call;

static call sound_call(void)
{
	call c = {
		.a = pose_at(1, 2, 3, 0.1), .b = pose_at(1, 2, 3, 0.2), .normal = {0, 1, 0}, .count = 4, .thresholds = usual};
	c.manifold = resting(&c.a, &c.b);
	make_corners(&c.a, &c.b, c.points);
	return c;
}

/* All calls refuse, and leave the manifold alone. `new_point`: only those that take points. */
static void check_refused(const call *c, wp_error error, bool new_point)
{
	wp_persistent_manifold m = c->manifold;
	cr_assert_eq(wp_persistent_update(&m, &c->a, &c->b, c->normal, c->points, c->count, &c->thresholds), error);
	cr_assert_eq(memcmp(&m, &c->manifold, sizeof m), 0);
	if (c->count <= WP_MANIFOLD_POINT_MAX)
		cr_assert_eq(wp_persistent_add(&m, &c->a, &c->b, c->normal, &c->points[0], &c->thresholds), error);
	cr_assert_eq(memcmp(&m, &c->manifold, sizeof m), 0);
	if (!new_point)
		cr_assert_eq(wp_persistent_refresh(&m, &c->a, &c->b, c->normal, &c->thresholds), error);
	cr_assert_eq(memcmp(&m, &c->manifold, sizeof m), 0);
}

Test(persist, numbers_that_are_none_are_refused)
{
	const float bad[] = {NAN, INFINITY, -INFINITY, 1.1e30f, -3e38f};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		for (int k = 0; k < 3; k++) {
			call c = sound_call();
			c.a.position[k] = bad[i];
			check_refused(&c, WP_ERROR_POSE, false);
			c = sound_call();
			c.b.position[k] = bad[i];
			check_refused(&c, WP_ERROR_POSE, false);
			c = sound_call();
			c.normal[k] = bad[i];
			check_refused(&c, WP_ERROR_NORMAL, false);
			c = sound_call();
			c.points[0].local_a[k] = bad[i];
			check_refused(&c, WP_ERROR_CONTACT_POINT, true);
			c = sound_call();
			c.points[0].local_b[k] = bad[i];
			check_refused(&c, WP_ERROR_CONTACT_POINT, true);
		}
		for (int k = 0; k < 4; k++) {
			call c = sound_call();
			c.a.rotation[k] = bad[i];
			check_refused(&c, WP_ERROR_POSE, false);
			c = sound_call();
			c.b.rotation[k] = bad[i];
			check_refused(&c, WP_ERROR_POSE, false);
		}
		call c = sound_call();
		c.points[0].separation = bad[i];
		check_refused(&c, WP_ERROR_CONTACT_POINT, true);
	}
	call c = sound_call();
	c.points[3].local_a[1] = NAN;
	wp_persistent_manifold m = c.manifold;
	cr_assert_eq(wp_persistent_update(&m, &c.a, &c.b, up, c.points, 4, &usual), WP_ERROR_CONTACT_POINT);
	cr_assert_eq(memcmp(&m, &c.manifold, sizeof m), 0);
}

Test(persist, lengths_far_from_one_are_refused)
{
	for (int k = 0; k < 4; k++) {
		const float factors[4] = {0, 0.98f, 1.02f, -2};
		call c = sound_call();
		for (int i = 0; i < 4; i++)
			c.a.rotation[i] *= factors[k];
		check_refused(&c, WP_ERROR_POSE, false);
		c = sound_call();
		for (int i = 0; i < 4; i++)
			c.b.rotation[i] *= factors[k];
		check_refused(&c, WP_ERROR_POSE, false);
		c = sound_call();
		c.normal[1] *= factors[k];
		check_refused(&c, WP_ERROR_NORMAL, false);
	}
	call c = sound_call();
	for (int i = 0; i < 4; i++)
		c.a.rotation[i] *= 1.009f;
	c.normal[1] = 1.005f;
	cr_assert_eq(wp_persistent_refresh(&c.manifold, &c.a, &c.b, c.normal, &usual), WP_OK);
	cr_assert_eq(c.manifold.normal[1], 1.0f);
	cr_assert_eq(c.manifold.count, 4);
}

Test(persist, thresholds_counts_and_null_are_judged)
{
	const float bad[] = {NAN, -INFINITY, -1, -1e-40f};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		for (int k = 0; k < 3; k++) {
			call c = sound_call();
			*(k == 0 ? &c.thresholds.breaking : k == 1 ? &c.thresholds.sideways : &c.thresholds.merging) = bad[i];
			check_refused(&c, WP_ERROR_THRESHOLD, false);
		}
	call c = sound_call();
	c.manifold.count = 5;
	check_refused(&c, WP_ERROR_PERSISTENT_MANIFOLD, false);
	c.manifold.count = UINT32_MAX;
	check_refused(&c, WP_ERROR_PERSISTENT_MANIFOLD, false);
	c = sound_call();
	c.count = 9;
	check_refused(&c, WP_ERROR_CONTACT_POINT, true);
	c.count = UINT32_MAX;
	check_refused(&c, WP_ERROR_CONTACT_POINT, true);

	wp_persistent_manifold m = c.manifold;
	cr_assert_eq(wp_persistent_refresh(NULL, &c.a, &c.b, up, &usual), WP_ERROR_NULL_MANIFOLD);
	cr_assert_eq(wp_persistent_refresh(&m, NULL, &c.b, up, &usual), WP_ERROR_NULL_POSE_A);
	cr_assert_eq(wp_persistent_refresh(&m, &c.a, NULL, up, &usual), WP_ERROR_NULL_POSE_B);
	cr_assert_eq(wp_persistent_refresh(&m, &c.a, &c.b, up, NULL), WP_ERROR_NULL_THRESHOLDS);
	cr_assert_eq(wp_persistent_update(NULL, &c.a, &c.b, up, c.points, 1, &usual), WP_ERROR_NULL_MANIFOLD);
	cr_assert_eq(wp_persistent_update(&m, NULL, &c.b, up, c.points, 1, &usual), WP_ERROR_NULL_POSE_A);
	cr_assert_eq(wp_persistent_update(&m, &c.a, NULL, up, c.points, 1, &usual), WP_ERROR_NULL_POSE_B);
	cr_assert_eq(wp_persistent_update(&m, &c.a, &c.b, NULL, c.points, 1, &usual), WP_ERROR_NULL_NORMAL);
	cr_assert_eq(wp_persistent_update(&m, &c.a, &c.b, up, NULL, 1, &usual), WP_ERROR_NULL_POINTS);
	cr_assert_eq(wp_persistent_update(&m, &c.a, &c.b, up, c.points, 1, NULL), WP_ERROR_NULL_THRESHOLDS);
	cr_assert_eq(wp_persistent_add(NULL, &c.a, &c.b, up, c.points, &usual), WP_ERROR_NULL_MANIFOLD);
	cr_assert_eq(wp_persistent_add(&m, NULL, &c.b, up, c.points, &usual), WP_ERROR_NULL_POSE_A);
	cr_assert_eq(wp_persistent_add(&m, &c.a, NULL, up, c.points, &usual), WP_ERROR_NULL_POSE_B);
	cr_assert_eq(wp_persistent_add(&m, &c.a, &c.b, NULL, c.points, &usual), WP_ERROR_NULL_NORMAL);
	cr_assert_eq(wp_persistent_add(&m, &c.a, &c.b, up, NULL, &usual), WP_ERROR_NULL_POINT);
	cr_assert_eq(wp_persistent_add(&m, &c.a, &c.b, up, c.points, NULL), WP_ERROR_NULL_THRESHOLDS);
	cr_assert_eq(memcmp(&m, &c.manifold, sizeof m), 0);
}

/* A manifold that its owner has spoilt: its points go, the sound ones stay, impulses are not checked. */
Test(persist, spoilt_points_are_dropped)
{
	call c = sound_call();
	c.manifold.impulses[0][1] = NAN;
	c.manifold.places[1].local_a[2] = NAN;
	c.manifold.places[2].local_b[0] = INFINITY;
	wp_persistent_manifold m = c.manifold;
	cr_assert_eq(wp_persistent_refresh(&m, &c.a, &c.b, up, &never), WP_OK);
	cr_assert_eq(m.count, 2);
	cr_assert(isnan(m.impulses[0][1]) && m.places[1].feature_b == (3 | 3 << 16));
	m = c.manifold;
	m.points[0].separation = NAN;
	for (int i = 0; i < 4; i++) {
		const wp_manifold_point point = point_over(&c.a, &c.b, 0.3 * i, 0.1, 0);
		cr_assert_eq(wp_persistent_add(&m, &c.a, &c.b, up, &point, &never), WP_OK);
		cr_assert_leq(m.count, 4);
	}
	m = c.manifold;
	memset(m.normal, 0, sizeof m.normal);
	cr_assert_eq(wp_persistent_refresh(&m, &c.a, &c.b, NULL, &never), WP_ERROR_NORMAL);
}

/* Coordinates at the limit stay numbers. */
Test(persist, huge_coordinates_are_numbers)
{
	const wp_pose a = {{-1e30f, -1e30f, -1e30f}, {0.5f, 0.5f, 0.5f, 0.5f}}, b = {{1e30f, 1e30f, 1e30f}, {0, 0, 0, 1}};
	wp_persistent_manifold m = {0};
	wp_manifold_point points[8];
	for (int i = 0; i < 8; i++) {
		const float x = i & 1 ? 1e30f : -1e30f, y = i & 2 ? 1e30f : -1e30f, z = i & 4 ? 1e30f : -1e30f;
		points[i] = (wp_manifold_point){.local_a = {x, y, z}, .local_b = {y, 0, 0}, .separation = -1e30f};
	}
	cr_assert_eq(wp_persistent_update(&m, &a, &b, up, points, 8, &never), WP_OK);
	cr_assert_eq(wp_persistent_refresh(&m, &a, &b, up, &never), WP_OK);
	cr_assert_eq(m.count, 4);
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 3; k++)
			cr_assert(
				isfinite(m.points[i].separation) && isfinite(m.points[i].arm_a[k]) && isfinite(m.points[i].arm_b[k]));
}

/* ---- far worlds and modes ----------------------------------------------------------------------- */

/* A few frames of both ways, at positions in double, as the bits of the manifold at the end. */
static wp_persistent_manifold played(v3 origin)
{
	wp_persistent_manifold m = {0};
	const float yaw_a[4] = {0, 0.6f, 0, 0.8f}, turn_b[4] = {0.1f, 0.7f, -0.1f, 0.7f};
	for (int frame = 0; frame < 40; frame++) {
		const double slide = frame / 4096.0, height = 1 - frame / 65536.0;
		const double at_a[3] = {origin.x, origin.y, origin.z};
		const double at_b[3] = {origin.x + slide, origin.y + height, origin.z - slide};
		wp_pose a, b;
		cr_assert_eq(wp_persistent_poses(at_a, yaw_a, at_b, turn_b, &a, &b), WP_OK);
		cr_assert_eq(wp_persistent_refresh(&m, &a, &b, frame % 3 ? NULL : up, &usual), WP_OK);
		const wp_manifold_point point = point_over(&a, &b, frame % 5 - 2, frame * frame % 7 - 3, -height / 128);
		cr_assert_eq(wp_persistent_add(&m, &a, &b, up, &point, &usual), WP_OK);
	}
	return m;
}

Test(persist, far_worlds_have_the_same_bits)
{
	const wp_persistent_manifold near = played(v3_of(0, 0, 0)), far = played(v3_of(0x1p30, -0x1p31, 0x1.8p33));
	cr_assert_eq(near.count, 4);
	cr_assert_eq(memcmp(&near, &far, sizeof near), 0);
	wp_pose pose;
	const double at[3] = {0, 0, 0};
	const float rotation[4] = {0, 0, 0, 1};
	cr_assert_eq(wp_persistent_poses(NULL, rotation, at, rotation, &pose, &pose), WP_ERROR_NULL_POSITION_A);
	cr_assert_eq(wp_persistent_poses(at, NULL, at, rotation, &pose, &pose), WP_ERROR_NULL_ROTATION_A);
	cr_assert_eq(wp_persistent_poses(at, rotation, NULL, rotation, &pose, &pose), WP_ERROR_NULL_POSITION_B);
	cr_assert_eq(wp_persistent_poses(at, rotation, at, NULL, &pose, &pose), WP_ERROR_NULL_ROTATION_B);
	cr_assert_eq(wp_persistent_poses(at, rotation, at, rotation, NULL, &pose), WP_ERROR_NULL_POSE_A);
	cr_assert_eq(wp_persistent_poses(at, rotation, at, rotation, &pose, NULL), WP_ERROR_NULL_POSE_B);
}

/* Float positions far away lose what float loses, nothing more: their difference is exact. */
Test(persist, far_float_positions_lose_nothing_more)
{
	const wp_pose a = pose_at(0, 0, 0, 0.25), far_a = pose_at(0x1p20, 0x1p20, 0, 0.25);
	wp_pose b = pose_at(0.125, 0, 0, 1), far_b = pose_at(0x1p20 + 0.125, 0x1p20, 0, 1);
	wp_persistent_manifold m = resting(&a, &b), far = m;
	cr_assert_eq(wp_persistent_refresh(&m, &a, &b, up, &usual), WP_OK);
	cr_assert_eq(wp_persistent_refresh(&far, &far_a, &far_b, up, &usual), WP_OK);
	cr_assert_eq(memcmp(&m, &far, sizeof m), 0);
}

Test(persist, modes_of_the_caller_change_nothing)
{
	const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	const wp_pose a = pose_at(0.1, 0.2, 0.3, 0.4), b = pose_at(0.15, 0.21, 0.3, 0.9);
	wp_manifold_point points[8];
	for (int i = 0; i < 8; i++)
		points[i] = point_over(&a, &b, 0.37 * (i % 3), 0.21 * i, -0.01 / (i + 3));
	const double here[3] = {1.1, -2.2, 3.3}, there[3] = {0.7, 1e5 / 3, -0.1};
	wp_persistent_manifold expected[3] = {{.count = 0}};
	wp_pose poses[2];
	cr_assert_eq(wp_persistent_update(&expected[0], &a, &b, up, points, 8, &never), WP_OK);
	expected[1] = expected[0];
	cr_assert_eq(wp_persistent_refresh(&expected[1], &a, &b, NULL, &never), WP_OK);
	cr_assert_eq(wp_persistent_add(&expected[2], &a, &b, up, &points[0], &never), WP_OK);
	cr_assert_eq(wp_persistent_poses(here, a.rotation, there, b.rotation, &poses[0], &poses[1]), WP_OK);
	for (int i = 0; i < 3; i++) {
		wp_persistent_manifold m[3] = {{.count = 0}};
		wp_pose found[2];
		fesetround(modes[i]);
		wp_persistent_update(&m[0], &a, &b, up, points, 8, &never);
		m[1] = m[0];
		wp_persistent_refresh(&m[1], &a, &b, NULL, &never);
		wp_persistent_add(&m[2], &a, &b, up, &points[0], &never);
		wp_persistent_poses(here, a.rotation, there, b.rotation, &found[0], &found[1]);
		const float share = wp_persistent_thresholds_of(0.3f).breaking;
		const int mode = rounding_now();
		fesetround(FE_TONEAREST);
		cr_assert_eq(mode, modes[i]);
		for (int k = 0; k < 3; k++)
			cr_assert_eq(memcmp(&m[k], &expected[k], sizeof m[k]), 0, "call %d, mode %d", k, i);
		cr_assert_eq(memcmp(found, poses, sizeof found), 0);
		cr_assert_eq(share, wp_persistent_thresholds_of(0.3f).breaking);
	}
}

/* ---- scenes with contacts of shapes ------------------------------------------------------------- */

typedef struct scene {
	wp_workspace *workspace;
	const wp_shape_table *table;
	wp_pose poses[2];
	float normal[3];
	wp_manifold_point point;
} scene;

static void make_scene(scene *s, wp_shape ground, wp_shape body)
{
	static _Alignas(WP_ALIGNMENT) unsigned char workspace_memory[WP_WORKSPACE_SIZE], table_memory[4096];
	const wp_shape shapes[2] = {ground, body};
	cr_assert_eq(wp_workspace_init(workspace_memory, sizeof workspace_memory, WP_VARIANT_AUTO, &s->workspace), WP_OK);
	cr_assert_eq(wp_shape_table_build(shapes, 2, table_memory, sizeof table_memory, &s->table, NULL), WP_OK);
	s->poses[0] = pose_at(0, -1, 0, 0);
}

static void ask_contact(scene *s)
{
	static const uint32_t pair[2] = {0, 1};
	const wp_batch batch = {.shapes = s->table,
		.a = {.position = {s->poses[0].position, sizeof(wp_pose)},
			.rotation = {s->poses[0].rotation, sizeof(wp_pose)},
			.count = 2},
		.pair_a = {&pair[0]},
		.pair_b = {&pair[1]},
		.count = 1};
	const wp_results results = {.separation = {&s->point.separation},
		.normal = {s->normal},
		.local_a = {s->point.local_a},
		.local_b = {s->point.local_b}};
	cr_assert_eq(
		wp_contact(s->workspace, &batch, &(wp_contact_options){.max_separation = INFINITY}, &results, NULL), WP_OK);
}

/* Each point's separation is the height of its end on B above its end on A; none has slid further than allowed. */
static void check_frame(const scene *s, const wp_persistent_manifold *m, const wp_persistent_thresholds *t)
{
	cr_assert_leq(m->count, WP_PERSISTENT_POINT_MAX);
	for (uint32_t i = 0; i < m->count; i++) {
		const wp_persistent_point *const p = &m->points[i];
		const v3 on_a = v3_add(wide(s->poses[0].position), turned(&s->poses[0], m->places[i].local_a));
		const v3 on_b = v3_add(wide(s->poses[1].position), turned(&s->poses[1], m->places[i].local_b));
		const v3 way = v3_sub(on_b, on_a);
		const double along = v3_dot(way, wide(m->normal));
		cr_assert_float_eq(along, (double)p->separation, 2e-5);
		cr_assert_leq(along, (double)t->breaking + 1e-6);
		cr_assert_leq(v3_length(v3_sub(way, v3_scale(wide(m->normal), along))), (double)t->sideways + 1e-5);
	}
}

static void play_frame(scene *s, wp_persistent_manifold *m, const wp_persistent_thresholds *t)
{
	ask_contact(s);
	cr_assert_eq(wp_persistent_refresh(m, &s->poses[0], &s->poses[1], s->normal, t), WP_OK);
	cr_assert_eq(wp_persistent_add(m, &s->poses[0], &s->poses[1], s->normal, &s->point, t), WP_OK);
	check_frame(s, m, t);
}

/* Demand 50. A box rocks a little and slides slowly: once each corner has been the deepest, four points hold it up, near its
 * corners, and they stay the same ones. */
Test(persist, a_rocking_box_gathers_four_points)
{
	scene s;
	make_scene(&s, wp_shape_box(50, 1, 50), wp_shape_box(1, 0.5f, 1));
	const wp_persistent_thresholds t = wp_persistent_thresholds_of(1.5f);
	wp_persistent_manifold m = {0};
	uint32_t oldest = 0;
	for (int frame = 0; frame < 1000; frame++) {
		const double phase = 1.7 * frame, tilt = 0.002;
		const double x = tilt / 2 * sin(phase), z = tilt / 2 * cos(phase);
		const float w = (float)sqrt(1 - x * x - z * z);
		s.poses[1] = (wp_pose){{(float)(0.001 * frame), 0.4999f, 0}, {(float)x, 0, (float)z, w}};
		play_frame(&s, &m, &t);
		if (frame < 20)
			continue;
		cr_assert_eq(m.count, 4);
		for (uint32_t i = 0; i < 4; i++) {
			cr_assert_gt(fabs((double)m.places[i].local_b[0]), 0.95);
			cr_assert_gt(fabs((double)m.places[i].local_b[2]), 0.95);
			oldest = m.points[i].age > oldest ? m.points[i].age : oldest;
		}
	}
	cr_assert_geq(oldest, 900);
}

/* A ball rolls a thousand frames: the points behind it rise and go. */
Test(persist, a_rolling_ball_leaves_its_points_behind)
{
	scene s;
	make_scene(&s, wp_shape_box(50, 1, 50), wp_shape_sphere(0.5f));
	const wp_persistent_thresholds t = wp_persistent_thresholds_of(0.5f);
	wp_persistent_manifold m = {0};
	for (int frame = 0; frame < 1000; frame++) {
		const double x = 0.02 * frame, angle = -x / 0.5;
		s.poses[1] = (wp_pose){{(float)x, 0.499f, 0}, {0, 0, (float)sin(angle / 2), (float)cos(angle / 2)}};
		play_frame(&s, &m, &t);
		cr_assert(m.count >= 1);
		for (uint32_t i = 0; i < m.count; i++)
			cr_assert_leq(fabs((double)m.places[i].local_a[0] - x), 0.15);
	}
	s.poses[1].position[1] = 0.6f;
	play_frame(&s, &m, &t);
	cr_assert_eq(m.count, 0);
}

/* A body at rest keeps one point, whatever turns about the normal it makes. */
Test(persist, a_spinning_ball_keeps_its_point)
{
	scene s;
	make_scene(&s, wp_shape_box(50, 1, 50), wp_shape_sphere(0.5f));
	const wp_persistent_thresholds t = wp_persistent_thresholds_of(0.5f);
	wp_persistent_manifold m = {0};
	for (int frame = 0; frame < 1000; frame++) {
		s.poses[1] = pose_at(0, 0.499, 0, 0.1 * frame);
		play_frame(&s, &m, &t);
		cr_assert_eq(m.count, 1);
		cr_assert_eq(m.points[0].age, (uint32_t)frame);
	}
}

/* With manifolds: a box slides and turns for a thousand frames, inside the face it lies on, so that its four corners
 * touch all the time; their impulses stay with them. */
Test(persist, manifolds_of_a_sliding_box_keep_their_impulses)
{
	scene s;
	const wp_shape ground = wp_shape_box(50, 1, 50), box = wp_shape_box(1, 0.5f, 0.75f);
	const wp_persistent_thresholds t = wp_persistent_thresholds_of(1.3f);
	make_scene(&s, ground, box);
	wp_persistent_manifold m = {0};
	for (uint32_t frame = 0; frame < 1000; frame++) {
		wp_row row;
		wp_manifold_point points[WP_MANIFOLD_POINT_MAX];
		uint32_t count;
		s.poses[1] = pose_at(-10 + 0.02 * frame, 0.499 + 0.001 * sin(frame), 0.01 * frame, 0.007 * frame);
		cr_assert_eq(wp_contact_manifold_pair(s.workspace, &ground, &s.poses[0], &box, &s.poses[1],
						 &(wp_contact_options){.max_separation = 0.02f}, &row, points, 8, &count),
			WP_OK);
		cr_assert_eq(wp_persistent_update(&m, &s.poses[0], &s.poses[1], row.normal, points, count, &t), WP_OK);
		check_frame(&s, &m, &t);
		if (frame == 0)
			set_impulses(&m);
		check_impulses(&m, 4);
		for (uint32_t i = 0; i < 4; i++)
			cr_assert_eq(m.points[i].age, frame);
	}
}
