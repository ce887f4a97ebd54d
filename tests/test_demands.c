/* What readers of the articles that teach GJK and EPA asked for or stumbled over: a test for each demand, named by
 * its number in the list of demands, with answers derived by hand or by exhaustion. After them, what has to hold
 * when a pair is moved ulp by ulp, turned, scaled or swapped.
 *
 * Demands without a test here:
 *   8, 24, 50, 51 (clipped contacts, their reduction, caching and refresh): come with manifolds;
 *   34 (internal edges): comes with feature ids;
 *   39, 40, 41 (contact data with tangents): are in test_details.c;
 *   15, 17 (winding in the plane): are in test_plane.c; the planar examples are tested as prisms here;
 *   28 (time of impact) and the directed depth of 33: are in test_cast.c;
 *   36 (cost of EPA against GJK on cores): is a benchmark. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/gen_random.h"
#include "support/unit.h"
#include "widephase/widephase.h"

enum { HULL_SLOTS = 2, HULL_BYTES = 1 << 15, BATCH = 256, PLANE_MAX = 4096 };

/* The accuracy contract, relative to L + |separation|, and the rounding of world coordinates. */
static const double contract = 3e-6, rounding = 1.2e-7;

static const wp_pose origin = {.rotation = {0, 0, 0, 1}};
static wp_workspace *workspaces[WP_VARIANT_COUNT]; /* NULL where the machine lacks the variant */
static _Alignas(WP_ALIGNMENT) unsigned char hull_memory[HULL_SLOTS][HULL_BYTES];
static _Alignas(WP_ALIGNMENT) unsigned char table_memory[1 << 18];
static gen_random numbers; /* the same ones in each run of a test */

static void setup(void)
{
	take_workspaces(workspaces);
	gen_seed(&numbers, 54);
}

TestSuite(demands, .init = setup);
TestSuite(metamorphic, .init = setup);

/* ---- numbers and vectors ------------------------------------------------------------------------ */

static double uniform(double low, double high) { return gen_range(&numbers, low, high); }

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double length(const double a[3]) { return sqrt(dot(a, a)); }

static void cross(const double a[3], const double b[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void widen(const float in[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = (double)in[i];
}

/* Angle between two vectors, in radians. */
static double angle(const double a[3], const double b[3])
{
	double c[3];
	cross(a, b, c);
	return atan2(length(c), dot(a, b));
}

static void random_unit(double out[3])
{
	const v3 direction = gen_direction(&numbers);
	out[0] = direction.x;
	out[1] = direction.y;
	out[2] = direction.z;
}

/* A place that floats hold, each coordinate within its reach. */
static void random_place(double x, double y, double z, double out[3])
{
	const double reach[3] = {x, y, z};
	for (int i = 0; i < 3; i++)
		out[i] = (double)(float)uniform(-reach[i], reach[i]);
}

/* v turned by a quaternion, or back by it (back = -1). */
static void turn(const double rotation[4], double back, const double v[3], double out[3])
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

static void to_local(const wp_pose *pose, const float world[3], double local[3])
{
	double rotation[4], relative[3];
	for (int i = 0; i < 4; i++)
		rotation[i] = (double)pose->rotation[i];
	for (int i = 0; i < 3; i++)
		relative[i] = (double)world[i] - (double)pose->position[i];
	turn(rotation, -1, relative, local);
}

static wp_pose random_pose(double reach)
{
	wp_pose pose;
	gen_rotation(&numbers, pose.rotation);
	for (int i = 0; i < 3; i++)
		pose.position[i] = (float)uniform(-reach, reach);
	return pose;
}

/* ---- shapes ------------------------------------------------------------------------------------- */

/* A hull of vertices [count][3] in one of the slots of hull_memory, until the slot is used again. */
static wp_shape hull_of(int slot, const float *vertices, size_t count)
{
	const wp_hull_input input = {.vertices = vertices, .vertex_count = count};
	const wp_hull *hull;
	cr_assert_eq(wp_hull_build(&input, hull_memory[slot], HULL_BYTES, &hull, NULL), WP_OK);
	return wp_shape_hull(hull);
}

/* The prism over a polygon, for -half <= z <= half. */
static wp_shape prism_of(int slot, const double (*polygon)[2], size_t count, double half)
{
	float vertices[256][3];
	for (size_t i = 0; i < 2 * count; i++) {
		vertices[i][0] = (float)polygon[i / 2][0];
		vertices[i][1] = (float)polygon[i / 2][1];
		vertices[i][2] = (float)(i % 2 ? half : -half);
	}
	return hull_of(slot, vertices[0], 2 * count);
}

static wp_shape cube_hull(int slot, double half)
{
	const double square[4][2] = {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
	return prism_of(slot, square, 4, half);
}

static wp_shape octahedron(int slot)
{
	static const float vertices[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
	return hull_of(slot, vertices[0], 6);
}

/* Random points of the unit sphere (inner = 1), or of a shell inside it. */
static wp_shape ball_hull(int slot, size_t count, double inner)
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

/* Gap between the support planes along a direction, in units of its length. */
static double gap_along(const wp_shape *a, const wp_pose *pa, const wp_shape *b, const wp_pose *pb, const double d[3])
{
	double offset[3];
	const double back[3] = {-d[0], -d[1], -d[2]};
	for (int i = 0; i < 3; i++)
		offset[i] = (double)pb->position[i] - (double)pa->position[i];
	return (dot(offset, d) - reach(a, pa, d) - reach(b, pb, back)) / length(d);
}

/* Signed distance of a point to a box about the origin. */
static double box_distance(const double half[3], const double point[3])
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

typedef struct answer {
	wp_row row;
	double length;  /* L of the contract */
	double allowed; /* what the contract allows, with `world` the rounding of world coordinates */
	double world;
} answer;

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
	cr_assert(fabs(length(normal) - 1) <= 1e-6, "normal of length %.9g", length(normal));
	cr_assert(length(error) <= x->allowed + x->world, "points off by %g, allowed %g", length(error), x->allowed);
	const double gap = gap_along(a, pa, b, pb, normal);
	cr_assert(
		fabs(gap - separation) <= x->allowed, "support gap %a, separation %a, allowed %g", gap, separation, x->allowed);
}

/* The other two queries say the same, where the bracket leaves no doubt. */
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

/* The contact of a pair, by all variants with the same bits, after what any contact must satisfy. */
static answer ask(const wp_shape *a, const wp_pose *pa, const wp_shape *b, const wp_pose *pb)
{
	const wp_shape shapes[2] = {*a, *b};
	const wp_shape_table *table;
	answer x = {.world = 0};
	cr_assert_eq(wp_contact_pair(workspaces[WP_VARIANT_SCALAR], a, pa, b, pb, INFINITY, &x.row), WP_OK);
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		wp_row row;
		if (workspaces[v] == NULL)
			continue;
		cr_assert_eq(wp_contact_pair(workspaces[v], a, pa, b, pb, INFINITY, &row), WP_OK);
		cr_assert_eq(memcmp(&row, &x.row, sizeof row), 0, "%s: separation %a, not %a", wp_variant_name((wp_variant)v),
			(double)row.separation, (double)x.row.separation);
	}
	cr_assert_eq(wp_shape_table_build(shapes, 2, table_memory, sizeof table_memory, &table, NULL), WP_OK);
	x.length = fmax((double)wp_shape_table_bound(table, 0), (double)wp_shape_table_bound(table, 1));
	x.allowed = contract * (x.length + fabs((double)x.row.separation));
	for (int i = 0; i < 3; i++)
		x.world += rounding * (fabs((double)pa->position[i]) + fabs((double)pb->position[i]) + x.length);
	check_status(&x);
	check_proof(&x, a, pa, b, pb);
	check_other_queries(&x, a, pa, b, pb);
	return x;
}

/* A at the origin, B unturned at (x, y, z). */
static answer ask_at(const wp_shape *a, const wp_shape *b, double x, double y, double z)
{
	const wp_pose pose = pose_at(x, y, z);
	return ask(a, &origin, b, &pose);
}

/* The answer to a pair whose numbers are rounded from the ones meant. */
static void expect_near(const answer *x, double separation)
{
	cr_assert(fabs((double)x->row.separation - separation) <= contract * (x->length + fabs(separation)),
		"separation %.9g, not %.9g", (double)x->row.separation, separation);
}

/* The answer to a pair whose numbers are exact: the truth lies in the bracket too. */
static void expect(const answer *x, double separation)
{
	const double slack = 1e-14 * (x->length + fabs(separation));
	expect_near(x, separation);
	cr_assert((double)x->row.lower <= separation + slack && separation - slack <= (double)x->row.upper,
		"%.9g outside %.9g to %.9g", separation, (double)x->row.lower, (double)x->row.upper);
}

static void expect_state(const answer *x, uint32_t state)
{
	cr_assert(
		x->row.status & state, "status %x, not %x; separation %a", x->row.status, state, (double)x->row.separation);
}

static void expect_normal(const answer *x, double nx, double ny, double nz)
{
	double normal[3];
	const double expected[3] = {nx, ny, nz};
	widen(x->row.normal, normal);
	cr_assert(angle(normal, expected) <= 1e-5, "normal (%.9g, %.9g, %.9g), not along (%.9g, %.9g, %.9g)", normal[0],
		normal[1], normal[2], nx, ny, nz);
}

/* The normal is along (nx, ny, nz) or against it. */
static void expect_axis(const answer *x, double nx, double ny, double nz)
{
	const double axis[3] = {nx, ny, nz};
	double normal[3];
	widen(x->row.normal, normal);
	const double sign = dot(axis, normal) < 0 ? -1 : 1;
	expect_normal(x, sign * nx, sign * ny, sign * nz);
}

/* The normal is along one of the coordinate axes. */
static void expect_face_axis(const answer *x)
{
	const float *n = x->row.normal;
	const int axis = fabsf(n[0]) > 0.9f ? 0 : fabsf(n[1]) > 0.9f ? 1 : 2;
	expect_axis(x, axis == 0, axis == 1, axis == 2);
}

static void expect_point(const answer *x, const float point[3], double px, double py, double pz)
{
	const double error[3] = {(double)point[0] - px, (double)point[1] - py, (double)point[2] - pz};
	cr_assert(length(error) <= x->allowed + x->world, "point (%.9g, %.9g, %.9g), not (%.9g, %.9g, %.9g)",
		(double)point[0], (double)point[1], (double)point[2], px, py, pz);
}

/* Contacts of the bodies 2 i with the bodies 2 i + 1, by one batch of one variant. */
static wp_statistics ask_batch(
	wp_variant variant, const wp_shape *shapes, const wp_pose *poses, uint32_t count, const wp_results *results)
{
	static uint32_t pairs[BATCH][2];
	const wp_shape_table *table;
	wp_statistics statistics = {0};
	for (uint32_t i = 0; i < 2 * count; i++)
		pairs[i / 2][i % 2] = i;
	cr_assert_eq(wp_shape_table_build(shapes, 2 * count, table_memory, sizeof table_memory, &table, NULL), WP_OK);
	const wp_batch batch = {.shapes = table,
		.a = {.position = poses[0].position,
			.rotation = poses[0].rotation,
			.position_stride = sizeof(wp_pose),
			.rotation_stride = sizeof(wp_pose),
			.count = 2 * count},
		.pair_a = &pairs[0][0],
		.pair_b = &pairs[0][1],
		.pair_stride = sizeof pairs[0],
		.count = count};
	cr_assert_eq(wp_contact(workspaces[variant], &batch, INFINITY, results, &statistics), WP_OK);
	return statistics;
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

/* Planes of the points of B minus those of A, for two hulls. The origin's signed distance to them is the separation
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

/* ---- demands 1 to 14: where the depth stage starts, directions, points, limits ------------------ */

/* The origin lies on vertices, edges, faces and in the middle of the difference, so that GJK ends with 1 to 4
 * points. */
Test(demands, n01_depth_does_not_depend_on_where_gjk_ends)
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

Test(demands, n02_normal_leads_out_of_the_overlap)
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

/* The plane test does not mix a face's distance into its direction: a shape may lie far off its own origin. */
Test(demands, n03_offset_in_the_own_frame_does_not_turn_the_normal)
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

/* An overlap is never lost: a box that falls through a floor in steps is seen in each of them. */
Test(demands, n04_falling_box_is_never_missed)
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

/* Depths and gaps below 0.001 come out unbiased, in small and large units alike. */
Test(demands, n05_depth_has_no_bias_and_tolerance_scales)
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

/* Every loop ends, within the few steps that the vertices give reason for, or says that it was cut short. */
Test(demands, n06_loops_are_bounded_and_say_when_cut_short)
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

Test(demands, n07_points_of_contact_come_with_the_normal)
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

/* Support points keep their parts, so asking for witness points takes no more supports and changes nothing. */
Test(demands, n09_witness_points_cost_no_supports)
{
	static wp_shape shapes[2 * BATCH];
	static wp_pose poses[2 * BATCH];
	static wp_row rows[BATCH];
	static float separation[BATCH];
	make_scene(shapes, poses);
	const wp_results all = wp_results_of_rows(rows), few = {.separation = separation};
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

/* Weights stay between 0 and 1: the witness point of a sliver, 84 by 0.05, stays on it. */
Test(demands, n10_witness_point_of_a_sliver_stays_on_it)
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

/* Point B is point A moved by separation times normal, and each lies on its own surface. */
Test(demands, n11_both_points_lie_on_their_shapes)
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

/* Round shapes never give a final face, and end all the same. */
Test(demands, n12_round_shapes_end_by_small_gains)
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

/* A hull means the convex hull of its vertices: the notch of an L is filled. */
Test(demands, n13_hull_of_an_l_is_convex)
{
	static const double l[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
	const wp_shape hull = prism_of(0, l, 6, 1), point = wp_shape_point();
	const answer inside = ask_at(&hull, &point, 1.25, 1.25, 0), outside = ask_at(&hull, &point, 2, 2, 0);
	expect(&inside, -0.5 / sqrt(2));
	expect_normal(&inside, 1, 1, 0);
	expect(&outside, 1 / sqrt(2));
	expect_normal(&outside, 1, 1, 0);
}

Test(demands, n14_overlapping_flats_in_one_plane_touch)
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

/* ---- demands 16 to 33: examples of the plane as prisms, curves, cores, boxes on boxes ------------ */

/* The origin on an edge leaves no triple product to search along. */
Test(demands, n16_origin_on_an_edge)
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

/* The triangle (4,5) (9,9) (4,11) and the quadrangle (5,7) (7,3) (10,2) (12,7) of the article, about (7,6). */
Test(demands, n18_worked_example)
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

/* On a curved surface faces get ever smaller; the bracket says how far the search came, and holds the truth. */
Test(demands, n19_curved_shapes_report_their_error)
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

/* Rounded shapes whose cores are apart are answered by the cores and their radii, without EPA. */
Test(demands, n20_shallow_overlaps_of_rounded_shapes_need_no_epa)
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

/* No direction proves a larger separation than the answer, and the best of many comes near to it. */
Test(demands, n21_no_sampled_direction_beats_the_answer)
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

/* Neither the order of vertices nor a mirror, which turns every face inside out, turns the normal. */
Test(demands, n22_winding_does_not_turn_the_normal)
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

static void expect_touch(const answer *x)
{
	expect(x, 0);
	expect_state(x, WP_STATUS_TOUCHING);
}

Test(demands, n23_touching_pairs_have_a_unit_normal)
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

/* The square (2,2) (2,5) (4,5) (4,2) and the triangle (3,3) (5,4) (5,2): the origin lies on the first edge found. */
Test(demands, n25_origin_on_the_first_edge)
{
	static const double square[4][2] = {{2, 2}, {2, 5}, {4, 5}, {4, 2}}, triangle[3][2] = {{3, 3}, {5, 4}, {5, 2}};
	const wp_shape a = prism_of(0, square, 4, 4), b = prism_of(1, triangle, 3, 4);
	const answer x = ask(&a, &origin, &b, &origin), back = ask(&b, &origin, &a, &origin);
	expect(&x, -1);
	expect_normal(&x, 1, 0, 0);
	expect(&back, -1);
	expect_normal(&back, -1, 0, 0);
}

/* The origin lies between two opposite vertices of the difference, so that GJK ends with these two. */
Test(demands, n26_two_points_are_enough_to_start_from)
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

/* Where origins coincide, the direction between them is zero and must not be searched along. */
Test(demands, n27_coinciding_origins_give_a_normal)
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

Test(demands, n29_boxes_exactly_on_each_other)
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

/* The gap of two upright boxes along one axis, B turned about z, as the axes of separation say. */
static double upright_gap(double cosine, double sine, double x, double y, const double d[3])
{
	return fabs(x * d[0] + y * d[1]) - fabs(d[0]) - fabs(d[1]) - fabs(d[0] * cosine + d[1] * sine) -
	       fabs(d[1] * cosine - d[0] * sine);
}

/* A face that is not on the boundary of the difference gives a wrong normal: prisms of known axes. */
Test(demands, n30_normal_is_that_of_a_boundary_face)
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

/* A cuboctahedron, 8 triangles and 6 squares: to split one face in three instead of taking out all visible ones
 * leaves a polytope that is not convex, and a wrong depth. */
Test(demands, n31_cuboctahedron_keeps_convex)
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

/* Each face of the first tetrahedron can be the nearest one. */
Test(demands, n32_all_four_faces_are_tried)
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

/* The least way out of (0,0) .. (4,4) for (2,3) .. (6,7) is 1 along y, whatever way they came. */
Test(demands, n33_least_depth_is_along_y)
{
	static const double a[4][2] = {{0, 0}, {0, 4}, {4, 4}, {4, 0}}, b[4][2] = {{2, 3}, {2, 7}, {6, 7}, {6, 3}};
	const wp_shape square = prism_of(0, a, 4, 2), other = prism_of(1, b, 4, 2);
	const answer x = ask(&square, &origin, &other, &origin);
	expect(&x, -1);
	expect_normal(&x, 0, 1, 0);
}

/* ---- demands 35 to 54: separated pairs, points, ties, blow-up, flats, horizons ------------------- */

/* One entry for both sides of contact; a separated pair costs no EPA. */
Test(demands, n35_separated_hulls_get_their_distance)
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

/* A point is a shape of its own, and so are a sphere, a box and a hull without extent. */
Test(demands, n37_point_against_a_convex_shape)
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

/* One convention for all kinds, apart and overlapping: the normal points from A to B. */
Test(demands, n38_normal_points_from_a_to_b)
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

/* Lattices have all their lattice planes full of points that a face may or may not see. */
Test(demands, n42_coplanar_points_are_not_seen)
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

/* Two squares turned by 45 degrees have eight nearest faces at once: no new face is closer than the last one. */
Test(demands, n43_equally_near_faces_end_the_search)
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

/* The start grows out of a vertex, an edge and a face that hold the origin, in units from 2^-10 to 2^10. */
Test(demands, n44_start_grows_out_of_each_feature)
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

/* Out of a triangle that holds the origin the volume lies on one side only, whichever its winding. */
Test(demands, n45_both_sides_of_a_triangle_are_tried)
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

/* Where no direction has height the difference is flat: depth 0, and the flat's own normal. */
Test(demands, n46_flat_difference_answers_with_its_normal)
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

/* Coaxial prisms of 48 sides: their difference has long thin faces, and horizons of many edges. */
Test(demands, n47_horizons_of_many_edges_close)
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

/* Four points of one plane, then off it by an ulp: the determinant is zero, or as good as that. */
Test(demands, n48_zero_determinant_is_flat)
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

/* Equally good support points: all variants take the same one, next to whatever neighbours. */
Test(demands, n49_ties_are_broken_alike)
{
	static wp_shape shapes[2 * BATCH];
	static wp_pose poses[2 * BATCH];
	static wp_row rows[BATCH];
	static const float twice[10][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 0, 0},
		{0, 0, 1}, {0, -1, 0}, {1, 0, 0}};
	const wp_shape kinds[3] = {cube_hull(0, 1), hull_of(1, twice[0], 10), wp_shape_box(1, 1, 1)};
	for (int i = 0; i < BATCH; i++) {
		shapes[2 * i] = kinds[i % 3];
		shapes[2 * i + 1] = kinds[i / 3 % 3];
		poses[2 * i] = poses[2 * i + 1] = origin;
		poses[2 * i + 1].position[0] = (float)(i / 9 % 5 - 2);
		poses[2 * i + 1].position[1] = (float)(i / 45 % 5 - 2) / 2;
		poses[2 * i + 1].position[2] = (float)(i / 225);
	}
	const wp_results results = wp_results_of_rows(rows);
	for (int v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		if (workspaces[v] == NULL)
			continue;
		ask_batch((wp_variant)v, shapes, poses, BATCH, &results);
		for (int i = 0; i < BATCH; i++) {
			const answer x = ask(&shapes[2 * i], &poses[2 * i], &shapes[2 * i + 1], &poses[2 * i + 1]);
			cr_assert_eq(memcmp(&x.row, &rows[i], sizeof rows[i]), 0, "%s, row %d", wp_variant_name((wp_variant)v), i);
		}
	}
}

/* In a stack of boxes the origin always lies on an edge or a face of the simplex. */
Test(demands, n52_stacks_of_boxes_touch)
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

/* The face of the difference is good though its three points of one side are one and the same: a pyramid's apex. */
Test(demands, n53_corner_in_a_face_is_the_point)
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

/* The polytope stays convex: depths and normals of random hulls are those of the difference's own facets. */
Test(demands, n54_depths_are_those_of_the_convex_difference)
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

Test(metamorphic, faces_and_edges_through_contact)
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

Test(metamorphic, round_shapes_through_contact)
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

/* ---- turned, scaled, swapped -------------------------------------------------------------------- */

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
	if (fabs((double)x->row.separation) > 1e-2 * x->length)
		cr_assert(angle(found, normal) <= 1.75e-3, "pair %d: separation %a, normals apart by %g", i, expected,
			angle(found, normal));
}

Test(metamorphic, a_common_rotation_turns_the_normal_along)
{
	for (int i = 0; i < PAIRS; i++) {
		pair p = random_pair(i);
		const answer before = ask_pair(&p);
		float rotation[4];
		double q[4], normal[3], turned[3];
		gen_rotation(&numbers, rotation);
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

Test(metamorphic, scales_that_are_no_powers_of_two)
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
Test(metamorphic, swapped_sides_swap_the_points)
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
