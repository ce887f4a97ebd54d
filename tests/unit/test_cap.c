/* Contact manifolds of cylinders and cones: how many points hold them, where, and by which names; against the
 * oracle of manifolds, certificates, and figures of the shapes themselves. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "core/contract.h"
#include "support/certify.h"
#include "support/gen_random.h"
#include "support/manifold_oracle.h"
#include "support/turn.h"
#include "support/turned_surface.h"
#include "support/unit.h"
#include "widephase/widephase.h"

static const double pi = 3.14159265358979323846;

enum { POINTS = WP_MANIFOLD_POINT_MAX, FOOT = 2 * WP_CAP_VERTEX_COUNT, HEAD };

#define VERTEX(i) ((uint32_t)(i) | (uint32_t)(i) << 16)

typedef struct answer {
	wp_row row;
	uint32_t count;
	wp_manifold_point points[POINTS];
} answer;

/* A pair as passed to the query. */
typedef struct scene {
	wp_shape shape[2];
	wp_pose pose[2];
	float max_separation;
	uint32_t point_max;
} scene;

static gen_random random_numbers;

static double between(double low, double high) { return gen_range(&random_numbers, low, high); }

/* ---- poses ---------------------------------------------------------------------------------------- */

/* About Z, from standing to lying along X, its head at -X. */
static turn laid(double angle) { return turn_about(v3_of(0, 0, 1), angle); }

/* Shape B over shape A, both turned by `all`. */
static scene over(wp_shape a, wp_shape b, v3 place, turn turn_b, turn all)
{
	return (scene){.shape = {a, b},
		.pose = {pose_of(v3_of(0, 0, 0), all), pose_of(turned(all, place), turn_after(all, turn_b))},
		.max_separation = 0.02f,
		.point_max = POINTS};
}

/* ---- asking --------------------------------------------------------------------------------------- */

static answer ask_variant(const scene *s, wp_workspace *workspace, bool swap)
{
	answer a;
	memset(&a, 0, sizeof a);
	cr_assert_eq(
		wp_contact_manifold_pair(workspace, &s->shape[swap], &s->pose[swap], &s->shape[!swap], &s->pose[!swap],
			&(wp_contact_options){.max_separation = s->max_separation}, &a.row, a.points, s->point_max, &a.count),
		WP_OK);
	return a;
}

/* What the header promises of any pair, and the deepest point in double. */
static void check_promises(const char *what, const scene *s, const answer *a, bool swap)
{
	const certify_pair p = certify_prepare(&s->shape[swap], &s->pose[swap], &s->shape[!swap], &s->pose[!swap], &a->row);
	const char *const broken = certify_manifold(&p, &a->row, s->max_separation, a->points, a->count);
	CHECK(broken == NULL, "%s, swap %d: broken: %s", what, swap, broken);
	CHECK(a->count <= s->point_max, "%s: %u points", what, a->count);
	double deepest = INFINITY;
	for (uint32_t k = 0; k < a->count; k++)
		deepest = fmin(deepest, (double)a->points[k].separation);
	CHECK(a->count == 0 || fabs(deepest - (double)a->row.separation) <= 3e-5 * p.length + p.contract,
		"%s, swap %d: deepest %g, contact %g", what, swap, deepest, (double)a->row.separation);
}

/* The same bits by every variant, and both ways round what must hold. Returns how the shapes are given. */
static answer ask(const char *what, const scene *s)
{
	answer scalar[2];
	for (int swap = 0; swap < 2; swap++) {
		scalar[swap] = ask_variant(s, workspace_of(WP_VARIANT_SCALAR), swap);
		for (int v = WP_VARIANT_SCALAR + 1; v < WP_VARIANT_COUNT; v++) {
			wp_workspace *const workspace = workspace_of((wp_variant)v);
			if (workspace == NULL)
				continue;
			const answer other = ask_variant(s, workspace, swap);
			CHECK(memcmp(&other, &scalar[swap], sizeof other) == 0, "%s: %s has other bits", what,
				wp_variant_name((wp_variant)v));
		}
		check_promises(what, s, &scalar[swap], swap);
	}
	return scalar[0];
}

/* ---- judging -------------------------------------------------------------------------------------- */

static const float *local_of(const wp_manifold_point *p, int side) { return side ? p->local_b : p->local_a; }

static uint32_t feature_of(const wp_manifold_point *p, int side) { return side ? p->feature_b : p->feature_a; }

static v3 local_normal(const scene *s, const answer *a, int side)
{
	return m3_apply_inverse(m3_of_quaternion(s->pose[side].rotation), v3_of_floats(a->row.normal));
}

/* Area across the normal of all points. */
static double area_of(const scene *s, const answer *a)
{
	const v3 n = local_normal(s, a, 0), u = v3_across(n), v = v3_cross(n, u);
	v3 flat[POINTS];
	for (uint32_t k = 0; k < a->count; k++) {
		const v3 at = v3_of_floats(a->points[k].local_a);
		flat[k] = v3_of(v3_dot(at, u), v3_dot(at, v), 0);
	}
	return manifold_area(flat, a->count);
}

static void check_count(const char *what, const answer *a, uint32_t expected)
{
	CHECK(a->count == expected, "%s: %u points, not %u, separation %g, normal %g %g %g", what, a->count, expected,
		(double)a->row.separation, (double)a->row.normal[0], (double)a->row.normal[1], (double)a->row.normal[2]);
}

/* All points are vertices of one rim of a side, from `first` on, and on it. */
static void check_rim(const char *what, const scene *s, const answer *a, int side, uint32_t first)
{
	const double radius = (double)s->shape[side].base_radius;
	for (uint32_t k = 0; k < a->count; k++) {
		const uint32_t feature = feature_of(&a->points[k], side), vertex = feature & 0xffff;
		CHECK(feature == VERTEX(vertex) && vertex - first < WP_CAP_VERTEX_COUNT, "%s: point %u has feature %x", what, k,
			feature);
		const double angle = 2 * pi * vertex / WP_CAP_VERTEX_COUNT;
		const v3 at = v3_of_floats(local_of(&a->points[k], side));
		const double off = hypot(at.x - radius * cos(angle), at.z - radius * sin(angle));
		CHECK(off <= 3e-6 * (radius + (double)s->shape[side].half_height), "%s: vertex %u is off by %g", what, vertex,
			off);
	}
}

/* Two points, the ends of the line along a side. Of a rounded shape that is tilted what is over an end is
 * rather on the ball around a point further up. */
static void check_line(const char *what, const scene *s, const answer *a, int side, bool is_level)
{
	const wp_shape *const shape = &s->shape[side];
	const double half = (double)shape->half_height, size = half + (double)shape->base_radius + (double)shape->radius;
	check_count(what, a, 2);
	for (uint32_t k = 0; k < 2; k++) {
		const uint32_t other = feature_of(&a->points[1 - k], side), feature = feature_of(&a->points[k], side);
		CHECK((feature == VERTEX(FOOT) && other == VERTEX(HEAD)) || (feature == VERTEX(HEAD) && other == VERTEX(FOOT)),
			"%s: features %x and %x", what, feature, other);
		const v3 n = v3_scale(local_normal(s, a, side), side ? -1 : 1);
		const v3 core = v3_sub(v3_of_floats(local_of(&a->points[k], side)), v3_scale(n, (double)shape->radius));
		const double end = feature == VERTEX(HEAD) ? half : -half;
		CHECK((!is_level && shape->radius > 0) || fabs(core.y - end) <= WP_CONTRACT_MANIFOLD * size,
			"%s: the end is at %g, not %g", what, core.y, end);
	}
}

static bool has_point(const answer *a, uint32_t feature_a, uint32_t feature_b)
{
	for (uint32_t k = 0; k < a->count; k++)
		if (a->points[k].feature_a == feature_a && a->points[k].feature_b == feature_b)
			return true;
	return false;
}

/* ---- standing ------------------------------------------------------------------------------------- */

/* On either cap, 8 points are all vertices of the rim, and 4 span what a square does; in any orientation. */
Test(cap, stands_on_its_rim)
{
	gen_seed(&random_numbers, 1);
	for (int i = 0; i < 400; i++) {
		const bool is_cone = i & 1, is_flipped = !is_cone && i & 2;
		const double radius = between(0.2, 1.5), half = between(0.1, 2);
		const wp_shape shape = is_cone ? wp_shape_cone((float)radius, (float)half)
		                               : wp_shape_cylinder((float)radius, (float)half);
		const v3 place = v3_of(between(-1, 1), 1 + half + between(-0.02, 0.01), between(-1, 1));
		const turn spin = turn_about(v3_of(0, 1, 0), between(0, 6.3)), up = is_flipped ? laid(pi) : no_turn();
		scene s = over(
			wp_shape_box(3, 1, 3), shape, place, turn_after(spin, up), i < 8 ? no_turn() : any_turn(&random_numbers));
		const answer eight = ask("standing", &s);
		check_count("standing", &eight, 8);
		check_rim("standing", &s, &eight, 1, is_flipped ? WP_CAP_VERTEX_COUNT : 0);
		CHECK(area_of(&s, &eight) >= 0.899 * pi * radius * radius, "%d: area %g of 8", i, area_of(&s, &eight));
		s.point_max = 4;
		const answer four = ask("standing", &s);
		check_count("standing", &four, 4);
		check_rim("standing", &s, &four, 1, is_flipped ? WP_CAP_VERTEX_COUNT : 0);
		CHECK(area_of(&s, &four) >= 0.6 * pi * radius * radius, "%d: area %g of 4", i, area_of(&s, &four));
	}
}

/* Rims of one size that coincide; turned against each other; of two sizes, where the smaller one's vertices
 * count. */
Test(cap, stands_on_another)
{
	gen_seed(&random_numbers, 2);
	for (int i = 0; i < 200; i++) {
		const double yaw = i < 4 ? 0 : between(0, 6.3), size = i % 4 == 3 ? between(0.1, 0.9) : 1;
		const wp_shape a = wp_shape_cylinder(1, 0.5f), b = wp_shape_cylinder((float)size, 0.75f);
		scene s = over(a, b, v3_of(0, 1.25 + between(-0.01, 0.01), 0), turn_about(v3_of(0, 1, 0), yaw),
			i < 4 ? no_turn() : any_turn(&random_numbers));
		const answer eight = ask("on another", &s);
		check_count("on another", &eight, 8);
		if (size < 0.92)
			check_rim("on another", &s, &eight, 1, 0);
		CHECK(area_of(&s, &eight) >= 0.76 * pi * size * size, "%d: area %g", i, area_of(&s, &eight));
		s.point_max = 4;
		const answer four = ask("on another", &s);
		check_count("on another", &four, 4);
		CHECK(area_of(&s, &four) >= 0.5 * pi * size * size, "%d: area %g", i, area_of(&s, &four));
	}
}

/* Over the edge of a box: the polygon that the oracle has in common, with its features. The point of a tilted
 * rim that touches may add what the cap has beyond the polygon on its rim. */
Test(cap, is_clipped_as_a_face)
{
	gen_seed(&random_numbers, 3);
	uint32_t judged = 0, whole = 0;
	for (int i = 0; i < 3000; i++) {
		const double half = between(0.1, 2);
		const float radius = (float)between(0.2, 1.5);
		const wp_shape box = wp_shape_box((float)between(0.3, 2), (float)between(0.3, 2), (float)between(0.3, 2));
		const wp_shape shape = i & 1 ? wp_shape_cone(radius, (float)half) : wp_shape_cylinder(radius, (float)half);
		const v3 place = v3_of(
			between(-2, 2), (double)box.half_extents[1] + half + between(-0.02, 0.005), between(-2, 2));
		const turn b = turn_after(
			turn_about(gen_direction(&random_numbers), between(0, 1e-3)), turn_about(v3_of(0, 1, 0), between(0, 6.3)));
		scene s = over(box, shape, place, b, any_turn(&random_numbers));
		s.max_separation = INFINITY;
		const answer a = ask("clipped", &s);
		manifold_oracle m;
		const oracle_pose at_a = {
			.rotation = {s.pose[0].rotation[0], s.pose[0].rotation[1], s.pose[0].rotation[2], s.pose[0].rotation[3]}};
		const oracle_pose at_b = {.position = v3_of_floats(s.pose[1].position),
			.rotation = {s.pose[1].rotation[0], s.pose[1].rotation[1], s.pose[1].rotation[2], s.pose[1].rotation[3]}};
		const v3 n = v3_unit(v3_of_floats(a.row.normal));
		const bool solved = manifold_oracle_solve(&s.shape[0], &at_a, &s.shape[1], &at_b, n, &m);
		if (!solved || m.doubt < 1e-3 || m.count < 3 || m.face[0].margin < 1e-2 || m.face[1].margin < 1e-2 ||
			v3_dot(m.face[0].normal, n) < 0.99 || v3_dot(m.face[1].normal, n) > -0.99)
			continue;
		const double area = area_of(&s, &a), beyond = 0.1 * pi * (double)radius * (double)radius;
		judged++;
		CHECK(area <= 1.01 * m.area + beyond && area >= (m.count <= POINTS ? 0.98 : 0.8) * m.area,
			"%d: area %g, the oracle's is %g, %u points of %zu", i, area, m.area, a.count, m.count);
		const bool has_witness = has_point(&a, WP_FEATURE_FACE, WP_FEATURE_FACE);
		for (size_t f = 0; f < m.feature_count && m.count <= POINTS && !has_witness; f++, whole++)
			CHECK(has_point(&a, m.feature[f][0], m.feature[f][1]), "%d: features %x %x are none of %u points", i,
				m.feature[f][0], m.feature[f][1], a.count);
	}
	CHECK(judged > 1000 && whole > 1000, "%u judged, %u features", judged, whole);
}

/* The lowest point of a tilted cap is on its rim, mostly between two vertices. It is among the points,
 * deepest. */
Test(cap, tilted_keeps_the_point_that_touches)
{
	gen_seed(&random_numbers, 4);
	const double tilts[] = {1e-4, 1e-3, 0.01, 0.1, 0.5};
	for (int i = 0; i < 500; i++) {
		const double tilt = tilts[i % 5], radius = 1, half = 0.5, low = radius * sin(tilt) + half * cos(tilt);
		const turn lean = turn_about(v3_of(cos(0.37 * i), 0, sin(0.37 * i)), tilt);
		scene s = over(wp_shape_box(4, 1, 4), wp_shape_cylinder(1, 0.5f), v3_of(0.3, 1 + low - 0.001, -0.2), lean,
			i < 5 ? no_turn() : any_turn(&random_numbers));
		for (int k = 0; k < 3; k++) {
			s.max_separation = k == 0 ? 0.02f : k == 1 ? 0 : INFINITY;
			s.point_max = i & 1 ? 4 : 8;
			const answer a = ask("tilted", &s);
			CHECK(fabs((double)a.row.separation + 0.001) < 3e-5, "%g: %g deep", tilt, (double)a.row.separation);
			/* The points that are near enough are on the rim, and no more than that apart. */
			CHECK(a.count >= (k == 2 ? 4u : 1u), "%g: %u points", tilt, a.count);
			const v3 deepest = v3_of_floats(a.points[0].local_b);
			CHECK(fabs(hypot(deepest.x, deepest.z) - 1) < 1e-4 && fabs(deepest.y + 0.5) < 1e-4,
				"%g: the first is at %g %g %g", tilt, deepest.x, deepest.y, deepest.z);
			if (k == 2)
				CHECK(area_of(&s, &a) >= 0.45 * pi * cos(tilt), "%g: area %g", tilt, area_of(&s, &a));
		}
	}
}

/* ---- lying ---------------------------------------------------------------------------------------- */

/* On a face they lie on one line, whatever is tilted a little. */
Test(cap, lies_on_a_line)
{
	gen_seed(&random_numbers, 5);
	for (int i = 0; i < 600; i++) {
		const bool is_cone = i & 1;
		const double radius = between(0.2, 1), half = between(0.2, 1), tilt = i % 3 == 0 ? 0 : i % 3 == 1 ? 1e-3 : 0.1;
		const double roundness = i % 4 < 2 ? 0 : between(0.01, 0.3), slope = is_cone ? atan2(radius, 2 * half) : 0;
		const wp_shape bare = is_cone ? wp_shape_cone((float)radius, (float)half)
		                              : wp_shape_cylinder((float)radius, (float)half);
		/* The middle of a cone is nearer to its side; tilted, the foot goes down. */
		const double height = is_cone ? half * sin(slope) : radius;
		const double down = is_cone ? half / cos(slope) * sin(tilt) + height * (cos(tilt) - 1) : half * sin(tilt);
		const turn lying = turn_after(laid(pi / 2 + slope - tilt), turn_about(v3_of(0, 1, 0), between(0, 6.3)));
		scene s = over(wp_shape_box(4, 1, 4), rounded(bare, roundness),
			v3_of(0.1, 1 + height + roundness + down - 0.002, 0.2),
			turn_after(turn_about(v3_of(0, 1, 0), between(0, 6.3)), lying),
			i < 12 ? no_turn() : any_turn(&random_numbers));
		s.max_separation = INFINITY;
		const answer a = ask("lying", &s);
		check_line("lying", &s, &a, 1, tilt == 0);
		CHECK(a.points[0].feature_a == WP_FEATURE_FACE && a.points[1].feature_a == WP_FEATURE_FACE, "%d", i);
		const double apart = fabs((double)a.points[0].separation - (double)a.points[1].separation);
		const double length = is_cone ? 2 * half / cos(slope) : 2 * half;
		CHECK(fabs(apart - length * sin(tilt)) < 2e-5 + roundness * tilt * tilt, "%d: the ends are at %g and %g", i,
			(double)a.points[0].separation, (double)a.points[1].separation);
	}
}

/* Lines of two shapes side by side, which the normal of curved shapes, as right as it is, may be turned by a
 * thousandth against. Over each other by half, so that an end of each is a point. */
Test(cap, lies_beside_another)
{
	gen_seed(&random_numbers, 6);
	for (int i = 0; i < 1500; i++) {
		const float radius = (float)gen_magnitude(&random_numbers, 0.02, 1), half = (float)between(0.4, 1);
		const double round_a = i & 1 ? 0 : between(0, 0.3), round_b = i & 2 ? 0 : between(0, 0.3);
		const wp_shape a = rounded(wp_shape_cylinder(1, 1), round_a);
		wp_shape b = rounded(wp_shape_cylinder(radius, half), round_b);
		double reach = (double)radius + round_b;
		if (i % 3 == 1) {
			b = wp_shape_capsule(radius, half);
			reach = (double)radius;
		}
		const double away = 1 + round_a + reach + between(-0.01, 0.01), where = between(0, 6.3);
		const scene s = over(a, b, v3_of(away * cos(where), between(-1, 1), away * sin(where)),
			turn_about(v3_of(0, 1, 0), between(0, 6.3)), i < 6 ? no_turn() : any_turn(&random_numbers));
		const answer found = ask("beside", &s);
		check_count("beside", &found, 2);
		const double separation = (double)found.row.separation, size = 2 + round_a;
		for (int k = 0; k < 2; k++)
			CHECK(fabs((double)found.points[k].separation - separation) <= 2e-5 * size, "%d: %g, %g", i,
				(double)found.points[k].separation, separation);
	}
}

/* Cones side by side, one on its head. */
Test(cap, cones_lie_beside_another)
{
	gen_seed(&random_numbers, 7);
	for (int i = 0; i < 300; i++) {
		/* The same slope: turned over, the second one's line is parallel to the first one's. */
		const double radius = between(0.2, 1), half = between(0.3, 1), slope = atan2(radius, 2 * half);
		const wp_shape cone = wp_shape_cone((float)radius, (float)half);
		const double away = radius * cos(slope) + between(-0.01, 0.01), along = between(-0.3, 0.3);
		/* The normal of the line at azimuth zero is (cos, sin) of the slope; the centres are `away` apart
		 * along it. */
		const v3 place = v3_of(away * cos(slope) - along * sin(slope), away * sin(slope) + along * cos(slope), 0);
		const scene s = over(cone, cone, place, laid(pi), i < 6 ? no_turn() : any_turn(&random_numbers));
		const answer found = ask("cones", &s);
		check_count("cones", &found, 2);
	}
}

/* Lines that cross have one point in common, a name of two lines. */
Test(cap, lies_across_another)
{
	gen_seed(&random_numbers, 8);
	for (int i = 0; i < 300; i++) {
		const wp_shape a = wp_shape_cylinder(1, 1), b = wp_shape_cylinder(0.5f, 1);
		const turn across = turn_after(
			turn_about(v3_of(1, 0, 0), between(0.3, 2.8)), turn_about(v3_of(0, 1, 0), between(0, 6)));
		const scene s = over(a, b, v3_of(1.5 + between(-0.01, 0.01), between(-0.5, 0.5), between(-0.02, 0.02)), across,
			i < 6 ? no_turn() : any_turn(&random_numbers));
		const answer found = ask("across", &s);
		check_count("across", &found, 1);
		CHECK(has_point(&found, FOOT | HEAD << 16, FOOT | HEAD << 16), "%d: features %x %x", i,
			found.points[0].feature_a, found.points[0].feature_b);
	}
}

/* ---- other ways to touch -------------------------------------------------------------------------- */

/* The cap of a rounded shape is as large as its core's, and its points are on it where it is tilted, too; the
 * point that touches is on the rounded rim then. */
Test(cap, rounded_ones_stand_and_tilt)
{
	gen_seed(&random_numbers, 9);
	const double tilts[] = {0, 1e-3, 0.05, 0.3};
	for (int i = 0; i < 400; i++) {
		const double tilt = tilts[i % 4], round = gen_magnitude(&random_numbers, 1e-3, 1),
					 low = sin(tilt) + 0.5 * cos(tilt);
		const turn lean = turn_about(v3_of(cos(i), 0, sin(i)), tilt);
		scene s = over(wp_shape_box(4, 1, 4), rounded(wp_shape_cylinder(1, 0.5f), round),
			v3_of(0.3, 1 + low + round - 0.002, 0.1), lean, i < 8 ? no_turn() : any_turn(&random_numbers));
		s.max_separation = INFINITY;
		const answer a = ask("rounded", &s);
		check_count("rounded", &a, 8);
		CHECK(tilt > 0 || area_of(&s, &a) > 0.899 * pi, "area %g", area_of(&s, &a));
		for (uint32_t k = 0; k < a.count; k++) {
			const double off = turned_surface_distance(&s.shape[1], v3_of_floats(a.points[k].local_b));
			CHECK(fabs(off) <= WP_CONTRACT_MANIFOLD * (1.2 + round), "tilt %g, radius %g: point %u is off by %g", tilt,
				round, k, off);
		}
	}
}

/* A cone on its apex has one point; it is a vertex, whatever the tilt. */
Test(cap, cones_stand_on_their_apex)
{
	gen_seed(&random_numbers, 10);
	for (int i = 0; i < 100; i++) {
		const turn lean = turn_about(v3_of(cos(i), 0, sin(i)), i < 4 ? 0 : between(0, 0.3));
		const v3 place = turned(lean, v3_of(0, 1, 0));
		const scene s = over(wp_shape_box(4, 1, 4), wp_shape_cone(0.5f, 1), v3_of(0, place.y + 0.999, 0),
			turn_after(lean, laid(pi)), i < 8 ? no_turn() : any_turn(&random_numbers));
		const answer a = ask("apex", &s);
		check_count("apex", &a, 1);
		CHECK(a.points[0].feature_a == WP_FEATURE_FACE && a.points[0].feature_b == VERTEX(HEAD), "feature %x",
			a.points[0].feature_b);
	}
}

/* Without a height both are discs with a cap on either side, without a radius segments, without both points.
 */
Test(cap, flat_and_thin_ones)
{
	const struct {
		wp_shape shape;
		double angle, lift;
		uint32_t count, first;
	} rows[] = {{wp_shape_cylinder(1, 0), 0, 0, 8, 0}, {wp_shape_cylinder(1, 0), pi, 0, 8, 8},
		{wp_shape_cone(1, 0), 0, 0, 8, 0}, {wp_shape_cone(1, 0), pi, 0, 8, 8},
		{wp_shape_cylinder(0, 1), pi / 2, 0, 2, FOOT}, {wp_shape_cone(0, 1), pi / 2, 0, 2, FOOT},
		{wp_shape_cylinder(0, 0), 0, 0, 1, 0}, {wp_shape_cylinder(1, 1e-3f), pi / 2, 1, 2, FOOT},
		{wp_shape_cylinder(1e-3f, 1), 0, 1, 8, 0}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (int k = 0; k < 2; k++) {
			const double round = k ? 0.125 : 0, height = 1 + rows[i].lift + round + 0.001;
			const scene s = over(wp_shape_box(2, 1, 2), rounded(rows[i].shape, round), v3_of(0.25, height, 0.5),
				laid(rows[i].angle), no_turn());
			const answer a = ask("flat", &s);
			check_count("flat", &a, rows[i].count);
			for (uint32_t p = 0; p < a.count && rows[i].count > 1; p++)
				CHECK((a.points[p].feature_b & 0xffff) - rows[i].first < rows[i].count, "row %zu: feature %x", i,
					a.points[p].feature_b);
		}
}

/* Ellipsoids have no faces: the contact, alone, bit for bit. */
Test(cap, ellipsoids_have_one_point)
{
	const wp_shape others[] = {wp_shape_box(1, 1, 1), wp_shape_cylinder(1, 1), wp_shape_capsule(0.5f, 1),
		wp_shape_ellipsoid(1, 1, 0.5f), wp_shape_half_space()};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		const double top = i == 1 || i == 0 || i == 3 ? 1 : i == 2 ? 1.5 : 0;
		const scene s = over(
			others[i], wp_shape_ellipsoid(0.5f, 1, 0.25f), v3_of(0.125, top + 0.96, 0), no_turn(), no_turn());
		const answer a = ask("ellipsoid", &s);
		check_count("ellipsoid", &a, 1);
		CHECK(has_point(&a, WP_FEATURE_FACE, WP_FEATURE_FACE), "features");
		CHECK(memcmp(a.points[0].point_a, a.row.point_a, sizeof a.row.point_a) == 0 &&
				  memcmp(a.points[0].point_b, a.row.point_b, sizeof a.row.point_b) == 0 &&
				  a.points[0].separation == a.row.separation,
			"the points of the contact");
	}
}

/* Any shapes at any poses, with any maximum of points. */
Test(cap, any_pose_keeps_the_promises)
{
	gen_seed(&random_numbers, 11);
	const float limits[] = {0, 0.02f, 0.3f, INFINITY};
	uint32_t points = 0;
	for (int i = 0; i < 6000; i++) {
		wp_shape shape[2];
		for (int side = 0; side < 2; side++) {
			const float r = (float)gen_magnitude(&random_numbers, 0.05, 2),
						h = (float)gen_magnitude(&random_numbers, 0.05, 2);
			const float corner[3][3] = {{-r, 0, -r}, {r, 0, 0}, {0, h, r}};
			const wp_shape kinds[] = {wp_shape_cylinder(r, h), wp_shape_cone(r, h), wp_shape_cylinder(r, h),
				wp_shape_cone(r, h), wp_shape_box(r, h, r), wp_shape_capsule(r, h),
				wp_shape_triangle(corner[0], corner[1], corner[2]), wp_shape_half_space()};
			shape[side] = kinds[gen_below(&random_numbers, side ? 8 : 4)];
			if (gen_below(&random_numbers, 3) == 0)
				shape[side].radius = (float)gen_magnitude(&random_numbers, 1e-3, 1);
		}
		scene s = over(shape[0], shape[1], v3_scale(gen_direction(&random_numbers), between(0, 3)),
			any_turn(&random_numbers), any_turn(&random_numbers));
		s.max_separation = limits[i % 4];
		s.point_max = 1 + gen_below(&random_numbers, POINTS);
		points += ask("any pose", &s).count;
	}
	CHECK(points > 6000, "%u points", points);
}

/* ---- over frames ---------------------------------------------------------------------------------- */

static bool same_features(const answer *a, const answer *b)
{
	bool same = a->count == b->count;
	for (uint32_t k = 0; k < a->count; k++)
		same = same && has_point(b, a->points[k].feature_a, a->points[k].feature_b);
	return same;
}

/* A thousand frames: what slides without a turn keeps its names, 8 or 4, and so does what rolls. */
Test(cap, names_stay_over_a_slide)
{
	gen_seed(&random_numbers, 12);
	for (int run = 0; run < 12; run++) {
		const bool rolls = run % 3 == 2;
		const wp_shape shape = run % 3 == 1 ? wp_shape_cone(0.75f, 1) : wp_shape_cylinder(0.75f, 1);
		const turn all = run < 3 ? no_turn() : any_turn(&random_numbers),
				   spin = turn_about(v3_of(0, 1, 0), run < 3 ? 0 : between(0, 6.3));
		answer first = {.count = 0};
		for (int i = 0; i < 1000; i++) {
			const double along = -2.5 + 0.005 * i;
			const turn now = rolls
			                   ? turn_after(spin, turn_after(laid(pi / 2), turn_about(v3_of(0, 1, 0), along / 0.75)))
			                   : spin;
			const double height = rolls ? 0.75 : 1;
			const v3 place = v3_add(
				turned(spin, v3_of(0, 0, rolls ? along : 0)), v3_of(rolls ? 0 : along, 1.997 - 1 + height, 0));
			scene s = over(wp_shape_box(4, 1, 4), shape, place, now, all);
			s.point_max = run & 1 ? 4 : 8;
			const answer a = ask_variant(&s, workspace_of(WP_VARIANT_AUTO), run & 4);
			if (i == 0) {
				first = a;
				check_count("slide", &a, rolls ? 2 : s.point_max);
			}
			CHECK(same_features(&first, &a), "run %d, frame %d: other features", run, i);
		}
	}
}
