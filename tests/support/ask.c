#include "support/ask.h"

#include "core/contract.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { HULL_SLOTS = 2, HULL_BYTES = 1 << 15 };

/* Rounding of world coordinates. */
static const double rounding = 1.2e-7;

const wp_pose origin = {.rotation = {0, 0, 0, 1}};
wp_workspace *workspaces[WP_VARIANT_COUNT];
gen_random random_numbers;
static _Alignas(WP_ALIGNMENT) unsigned char hull_memory[HULL_SLOTS][HULL_BYTES];
static _Alignas(WP_ALIGNMENT) unsigned char table_memory[1 << 18];

void ask_setup(void)
{
	take_workspaces(workspaces);
	gen_seed(&random_numbers, 54);
}

/* ---- numbers and vectors ------------------------------------------------------------------------ */

void random_unit(double out[3])
{
	const v3 direction = gen_direction(&random_numbers);
	out[0] = direction.x;
	out[1] = direction.y;
	out[2] = direction.z;
}

void random_place(double x, double y, double z, double out[3])
{
	const double reach[3] = {x, y, z};
	for (int i = 0; i < 3; i++)
		out[i] = (double)(float)uniform(-reach[i], reach[i]);
}

void turn(const double rotation[4], double back, const double v[3], double out[3])
{
	double size = 0, q[4], t[3];
	for (int i = 0; i < 4; i++)
		size += rotation[i] * rotation[i];
	for (int i = 0; i < 4; i++)
		q[i] = rotation[i] / sqrt(size) * (i < 3 ? back : 1);
	cross(q, v, t);
	cross(q, t, out);
	for (int i = 0; i < 3; i++)
		out[i] = v[i] + 2 * q[3] * t[i] + 2 * out[i];
}

wp_pose random_pose(double reach)
{
	wp_pose pose;
	gen_rotation(&random_numbers, pose.rotation);
	for (int i = 0; i < 3; i++)
		pose.position[i] = (float)uniform(-reach, reach);
	return pose;
}

/* ---- shapes ------------------------------------------------------------------------------------- */

wp_shape hull_of(int slot, const float *vertices, size_t count)
{
	const wp_hull_input input = {.vertices = {vertices}, .vertex_count = count};
	const wp_hull *hull;
	cr_assert_eq(wp_hull_build(&input, hull_memory[slot], HULL_BYTES, &hull, NULL), WP_OK);
	return wp_shape_hull(hull);
}

wp_shape prism_of(int slot, const double (*polygon)[2], size_t count, double half)
{
	float vertices[256][3];
	for (size_t i = 0; i < 2 * count; i++) {
		vertices[i][0] = (float)polygon[i / 2][0];
		vertices[i][1] = (float)polygon[i / 2][1];
		vertices[i][2] = (float)(i % 2 ? half : -half);
	}
	return hull_of(slot, vertices[0], 2 * count);
}

wp_shape cube_hull(int slot, double half)
{
	const double square[4][2] = {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
	return prism_of(slot, square, 4, half);
}

wp_shape octahedron(int slot)
{
	static const float vertices[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
	return hull_of(slot, vertices[0], 6);
}

wp_shape ball_hull(int slot, size_t count, double inner)
{
	float vertices[256][3];
	for (size_t i = 0; i < count; i++) {
		double unit[3];
		random_unit(unit);
		const double size = inner < 1 ? uniform(inner, 1) : 1;
		for (int k = 0; k < 3; k++)
			vertices[i][k] = (float)(unit[k] * size);
	}
	return hull_of(slot, vertices[0], count);
}

/* How far a shape reaches along a direction of the world, from its own origin. */
static double reach(const wp_shape *s, const wp_pose *pose, const double direction[3])
{
	double d[3], rotation[4], most = -INFINITY;
	float vertex[3];
	for (int i = 0; i < 4; i++)
		rotation[i] = (double)pose->rotation[i];
	turn(rotation, -1, direction, d);
	const size_t points = s->kind == WP_SHAPE_SEGMENT  ? 2
	                    : s->kind == WP_SHAPE_TRIANGLE ? 3
	                    : s->kind == WP_SHAPE_HULL     ? wp_hull_vertex_count(s->hull)
	                                                   : 0;
	for (size_t i = 0; i < points; i++) {
		double v[3];
		if (s->kind == WP_SHAPE_HULL)
			wp_hull_vertex(s->hull, i, vertex);
		widen(s->kind == WP_SHAPE_HULL ? vertex : s->points[i], v);
		most = fmax(most, dot(v, d));
	}
	if (s->kind == WP_SHAPE_BOX)
		most = fabs(d[0]) * (double)s->half_extents[0] + fabs(d[1]) * (double)s->half_extents[1] +
		       fabs(d[2]) * (double)s->half_extents[2];
	else if (points == 0)
		most = s->kind == WP_SHAPE_CAPSULE ? fabs(d[1]) * (double)s->half_height : 0;
	return most + (s->kind == WP_SHAPE_POINT ? 0 : (double)s->radius * length(direction));
}

double gap_along(const wp_shape *a, const wp_pose *pa, const wp_shape *b, const wp_pose *pb, const double d[3])
{
	double offset[3];
	const double back[3] = {-d[0], -d[1], -d[2]};
	for (int i = 0; i < 3; i++)
		offset[i] = (double)pb->position[i] - (double)pa->position[i];
	return (dot(offset, d) - reach(a, pa, d) - reach(b, pb, back)) / length(d);
}

double box_distance(const double half[3], const double point[3])
{
	double outside = 0, inside = -INFINITY;
	for (int i = 0; i < 3; i++) {
		const double beyond = fabs(point[i]) - half[i];
		inside = fmax(inside, beyond);
		outside += beyond > 0 ? beyond * beyond : 0;
	}
	return inside > 0 ? sqrt(outside) : inside;
}

/* ---- questions and answers ---------------------------------------------------------------------- */

static void check_status(const answer *x)
{
	const uint32_t state = x->row.status & (WP_STATUS_SEPARATED | WP_STATUS_TOUCHING | WP_STATUS_PENETRATING);
	const uint32_t expected = x->row.lower > 0 ? WP_STATUS_SEPARATED
	                        : x->row.upper < 0 ? WP_STATUS_PENETRATING
	                                           : WP_STATUS_TOUCHING;
	cr_assert_eq(
		state, expected, "status %x, bracket %a to %a", x->row.status, (double)x->row.lower, (double)x->row.upper);
	cr_assert_eq(x->row.status & (WP_STATUS_INVALID | WP_STATUS_BEYOND), 0u, "status %x", x->row.status);
	const double width = (double)x->row.upper - (double)x->row.lower;
	cr_assert(width >= 0 && (width <= x->allowed * 1.00001 || x->row.status & WP_STATUS_WIDE_BRACKET),
		"bracket of %g, allowed %g", width, x->allowed);
}

/* The normal is a unit vector whose support planes prove the separation; the points are that far apart on it. */
static void check_proof(const answer *x, const wp_shape *a, const wp_pose *pa, const wp_shape *b, const wp_pose *pb)
{
	const double separation = (double)x->row.separation;
	double normal[3], point[2][3], error[3];
	widen(x->row.normal, normal);
	widen(x->row.point_a, point[0]);
	widen(x->row.point_b, point[1]);
	for (int i = 0; i < 3; i++)
		error[i] = point[0][i] + separation * normal[i] - point[1][i];
	cr_assert(fabs(length(normal) - 1) <= WP_CONTRACT_UNIT, "normal of length %.9g", length(normal));
	cr_assert(length(error) <= x->allowed + x->world, "points off by %g, allowed %g", length(error), x->allowed);
	const double gap = gap_along(a, pa, b, pb, normal);
	cr_assert(
		fabs(gap - separation) <= x->allowed, "support gap %a, separation %a, allowed %g", gap, separation, x->allowed);
}

/* The other two queries agree, where the bracket leaves no doubt. */
static void check_other_queries(
	const answer *x, const wp_shape *a, const wp_pose *pa, const wp_shape *b, const wp_pose *pb)
{
	wp_row overlap, distance;
	const double separation = (double)x->row.separation;
	cr_assert_eq(wp_overlap_pair(workspaces[WP_VARIANT_AUTO], a, pa, b, pb, &overlap), WP_OK);
	cr_assert_eq(wp_distance_pair(workspaces[WP_VARIANT_AUTO], a, pa, b, pb, &distance), WP_OK);
	cr_assert(fabs((double)distance.separation - fmax(separation, 0)) <= x->allowed, "distance %a, separation %a",
		(double)distance.separation, separation);
	if (fabs(separation) > 2 * x->allowed) {
		const uint32_t state = separation > 0 ? WP_STATUS_SEPARATED : WP_STATUS_PENETRATING;
		cr_assert(overlap.status & state && distance.status & state, "separation %a, overlap %x, distance %x",
			separation, overlap.status, distance.status);
	}
}

answer ask(const wp_shape *a, const wp_pose *pa, const wp_shape *b, const wp_pose *pb)
{
	const wp_shape shapes[2] = {*a, *b};
	const wp_shape_table *table;
	answer x = {.world = 0};
	cr_assert_eq(wp_contact_pair(workspaces[WP_VARIANT_SCALAR], a, pa, b, pb,
					 &(wp_contact_options){.max_separation = INFINITY}, &x.row),
		WP_OK);
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		wp_row row;
		if (workspaces[v] == NULL)
			continue;
		cr_assert_eq(
			wp_contact_pair(workspaces[v], a, pa, b, pb, &(wp_contact_options){.max_separation = INFINITY}, &row),
			WP_OK);
		cr_assert_eq(memcmp(&row, &x.row, sizeof row), 0, "%s: separation %a, not %a", wp_variant_name((wp_variant)v),
			(double)row.separation, (double)x.row.separation);
	}
	cr_assert_eq(wp_shape_table_build(shapes, 2, table_memory, sizeof table_memory, &table, NULL), WP_OK);
	x.length = fmax((double)wp_shape_table_bound(table, 0), (double)wp_shape_table_bound(table, 1));
	x.allowed = WP_CONTRACT * (x.length + fabs((double)x.row.separation));
	for (int i = 0; i < 3; i++)
		x.world += rounding * (fabs((double)pa->position[i]) + fabs((double)pb->position[i]) + x.length);
	check_status(&x);
	check_proof(&x, a, pa, b, pb);
	check_other_queries(&x, a, pa, b, pb);
	return x;
}

answer ask_at(const wp_shape *a, const wp_shape *b, double x, double y, double z)
{
	const wp_pose pose = pose_at(x, y, z);
	return ask(a, &origin, b, &pose);
}

void expect_near(const answer *x, double separation)
{
	cr_assert(fabs((double)x->row.separation - separation) <= WP_CONTRACT * (x->length + fabs(separation)),
		"separation %.9g, not %.9g", (double)x->row.separation, separation);
}

void expect(const answer *x, double separation)
{
	const double slack = 1e-14 * (x->length + fabs(separation));
	expect_near(x, separation);
	cr_assert((double)x->row.lower <= separation + slack && separation - slack <= (double)x->row.upper,
		"%.9g outside %.9g to %.9g", separation, (double)x->row.lower, (double)x->row.upper);
}

void expect_state(const answer *x, uint32_t state)
{
	cr_assert(
		x->row.status & state, "status %x, not %x; separation %a", x->row.status, state, (double)x->row.separation);
}

void expect_normal(const answer *x, double nx, double ny, double nz)
{
	double normal[3];
	const double expected[3] = {nx, ny, nz};
	widen(x->row.normal, normal);
	cr_assert(angle(normal, expected) <= 1e-5, "normal (%.9g, %.9g, %.9g), not along (%.9g, %.9g, %.9g)", normal[0],
		normal[1], normal[2], nx, ny, nz);
}

void expect_axis(const answer *x, double nx, double ny, double nz)
{
	const double axis[3] = {nx, ny, nz};
	double normal[3];
	widen(x->row.normal, normal);
	const double sign = dot(axis, normal) < 0 ? -1 : 1;
	expect_normal(x, sign * nx, sign * ny, sign * nz);
}

void expect_face_axis(const answer *x)
{
	const float *n = x->row.normal;
	const int axis = fabsf(n[0]) > 0.9f ? 0 : fabsf(n[1]) > 0.9f ? 1 : 2;
	expect_axis(x, axis == 0, axis == 1, axis == 2);
}

void expect_point(const answer *x, const float point[3], double px, double py, double pz)
{
	const double error[3] = {(double)point[0] - px, (double)point[1] - py, (double)point[2] - pz};
	cr_assert(length(error) <= x->allowed + x->world, "point (%.9g, %.9g, %.9g), not (%.9g, %.9g, %.9g)",
		(double)point[0], (double)point[1], (double)point[2], px, py, pz);
}

void expect_touch(const answer *x)
{
	expect(x, 0);
	expect_state(x, WP_STATUS_TOUCHING);
}

wp_statistics ask_batch(
	wp_variant variant, const wp_shape *shapes, const wp_pose *poses, uint32_t count, const wp_results *results)
{
	static uint32_t pairs[BATCH][2];
	const wp_shape_table *table;
	wp_statistics statistics = {0};
	for (uint32_t i = 0; i < 2 * count; i++)
		pairs[i / 2][i % 2] = i;
	cr_assert_eq(wp_shape_table_build(shapes, 2 * count, table_memory, sizeof table_memory, &table, NULL), WP_OK);
	const wp_batch batch = {.shapes = table,
		.a = {.position = {poses[0].position, sizeof(wp_pose)},
			.rotation = {poses[0].rotation, sizeof(wp_pose)},
			.count = 2 * count},
		.pair_a = {&pairs[0][0], sizeof pairs[0]},
		.pair_b = {&pairs[0][1], sizeof pairs[0]},
		.count = count};
	cr_assert_eq(wp_contact(workspaces[variant], &batch, &(wp_contact_options){.max_separation = INFINITY}, results,
					 &statistics),
		WP_OK);
	return statistics;
}
