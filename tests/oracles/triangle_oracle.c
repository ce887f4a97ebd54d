/* Points of contacts of one convex shape with one triangle, with a fan of a few, a few that share no border, or a height field, in
 * double precision.
 *
 *   triangle_oracle [--pairs N] [--first I] [--seed S]
 *
 * N is the number of rows and may end in k or M. Bodies are of all kinds, some of them rounded; triangles are of all sizes and
 * forms, slivers and sharp corners among them, up to a hundred sizes from the origin; fields have cells of 0.01 to 1000 sizes of
 * the body, flat ones and steep ones, with holes, of floats and of integers, turned, and up to 1e6 cells away. Bodies lie flat on
 * triangles, beside their edges and corners, or anyhow, near, touching, or overlapping by some of their size.
 *
 * Of wp_contact_manifold, and of wp_mesh_contact with ghosts and without: each point lies on the body and on its triangle, on the
 * features of both that it names, as far from the other as it says, and the deepest is as deep as its patch. Ends with tables of
 * the worst, as a share of what is allowed, and 1 where a promise is broken. */
#include "core/contract.h"
#include "support/block.h"
#include "support/mesh_answer.h"
#include "support/mesh_bodies.h"
#include "support/mesh_triangle.h"
#include "support/oracle.h"
#include "support/sequence.h"
#include "support/surfaces.h"
#include "support/turn.h"
#include "widephase/widephase.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { TRIANGLES = 4, CORNERS = 3 * TRIANGLES, SAMPLES = 8, HULL_POINTS = 20, TRIES = 100, FAILURES_TOLD = 5 };

enum { SPHERE, CAPSULE, SEGMENT, BOX, ROUND_BOX, HULL, TRIANGLE, CYLINDER, CONE, ELLIPSOID, ROUND_HULL, KINDS };
static const char *const kind_names[KINDS] = {"sphere", "capsule", "segment", "box", "round box", "hull", "triangle",
	"cylinder", "cone", "ellipsoid", "round hull"};

enum { FAN, SOUP, FIELD, SURFACES };
static const char *const surface_names[SURFACES] = {"fan", "soup", "field"};

enum { MANIFOLD, MESH, GHOSTS, CALLS };
static const char *const call_names[CALLS] = {"manifold", "mesh", "ghosts"};

enum { ON_BODY, ON_TRIANGLE, ON_FEATURE_A, ON_FEATURE_B, APART, DEEPEST, GAP, CHECKS };
static const char *const check_names[CHECKS] = {"body", "triangle", "a's", "b's", "apart", "deepest", "gap"};

/* Rounding of a place to float, relative to its distance from the origin that it is told from: of each coordinate half a unit in
 * the last place, and as much in the corners of the mesh. */
#define ROUNDING 0x1p-23

/* Of a separation: by how much a normal near the triangle's may be another than it is (mesh.h). */
#define SAME_NORMAL 3e-3

/* Of L: by how much the points of a manifold may be less deep than the contact without its witness points, and the deepest of those
 * that are chosen less deep than all. */
#define AS_DEEP 2.5e-5

typedef MESH_ANSWER(WP_MESH_PATCH_MAX) answer;

typedef struct scene {
	uint32_t kind, surface, triangle_count;
	wp_shape shape;
	const wp_hull *hull;
	oracle_shape *solid; /* NULL without corners */
	float corner[CORNERS][3];
	const wp_mesh *mesh; /* NULL of a field */
	wp_height_field field;
	float heights[SAMPLES * SAMPLES];
	int16_t samples[SAMPLES * SAMPLES];
	body at, mesh_at;
	float max_separation;
	bool is_two_sided;
	double bound; /* of the body */
} scene;

/* A point as it is judged: places from the origins of both bodies. */
typedef struct judged {
	v3 a, b;
	double separation;
	uint32_t feature_a, feature_b;
} judged;

static double worst[SURFACES][KINDS][CALLS][CHECKS];
static uint64_t told[SURFACES][KINDS][CALLS][CHECKS];
static uint64_t row_number, contacts;
static bool is_broken;
static wp_workspace *workspace;
static gen_random chance;

static void note(const scene *s, int call, int check, double is, double allowed)
{
	double *const most = &worst[s->surface][s->kind][call][check];
	const double share = is / allowed;
	*most = share <= *most ? *most : share;
	is_broken |= !(share <= 1);
	if (!(share <= 1) && told[s->surface][s->kind][call][check]++ < FAILURES_TOLD)
		printf("row %" PRIu64 ": %s at a %s, %s, %s: %g, allowed %g (%.3g)\n", row_number, kind_names[s->kind],
			surface_names[s->surface], call_names[call], check_names[check], is, allowed, share);
}

/* ---- surfaces ----------------------------------------------------------------------------------- */

/* The point of a triangle nearest to another one (Ericson 2005, Real-Time Collision Detection, sec. 5.1.5), or of one of its
 * edges. */
static v3 nearest_on_edge(v3 a, v3 b, v3 p)
{
	const v3 way = v3_sub(b, a);
	const double length2 = v3_dot(way, way), t = length2 > 0 ? v3_dot(v3_sub(p, a), way) / length2 : 0;
	return v3_add(a, v3_scale(way, fmin(fmax(t, 0), 1)));
}

/* Corners of a triangle by its number. False where there is none: in a hole. */
static bool corners_of(const scene *s, uint32_t triangle, v3 c[3])
{
	uint32_t index[3];
	if (triangle >= s->triangle_count)
		return false;
	if (s->mesh != NULL) {
		mesh_corners(s->mesh, triangle, c, index);
		return true;
	}
	return field_corners(&s->field, s->heights, triangle, c);
}

static double off_triangle(const v3 c[3], v3 p)
{
	const v3 area = v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0]));
	double least = INFINITY;
	bool is_over = v3_length(area) > 0;
	for (int k = 0; k < 3; k++) {
		const v3 a = c[k], b = c[(k + 1) % 3];
		least = fmin(least, v3_length(v3_sub(p, nearest_on_edge(a, b, p))));
		is_over &= v3_dot(v3_cross(area, v3_sub(b, a)), v3_sub(p, a)) >= 0;
	}
	return is_over ? fmin(least, fabs(v3_dot(v3_unit(area), v3_sub(p, c[0])))) : least;
}

/* How far a point is from a feature of its triangle that it names. */
static double off_feature(const v3 c[3], uint32_t feature, v3 p)
{
	if (feature == WP_FEATURE_FACE)
		return 0;
	const uint32_t i = feature & 0xffff, j = feature >> 16;
	return i > 2 || j > 2 || j < i ? INFINITY : v3_length(v3_sub(p, nearest_on_edge(c[i], c[j], p)));
}

/* Signed distance in the half plane of a cylinder or a cone, from the distance to the axis and the height. */
static double off_profile(const wp_shape *shape, double far, double height)
{
	const double r = (double)shape->base_radius, h = (double)shape->half_height;
	if (shape->kind == WP_SHAPE_CYLINDER) {
		const double x = far - r, y = fabs(height) - h;
		return fmin(fmax(x, y), 0) + hypot(fmax(x, 0), fmax(y, 0));
	}
	const v3 tip = v3_of(0, h, 0), rim = v3_of(r, -h, 0), foot = v3_of(0, -h, 0), p = v3_of(far, height, 0);
	const double least = fmin(
		v3_length(v3_sub(p, nearest_on_edge(tip, rim, p))), v3_length(v3_sub(p, nearest_on_edge(rim, foot, p))));
	const bool is_in = height >= -h && (far - r) * 2 * h + (height + h) * r <= 0;
	return is_in ? -least : least;
}

/* Distance from an ellipsoid's surface, negative inside: the nearest point is where semi-axis^2 x / (semi-axis^2 + t), which has
 * one root from the least semi-axis on (Eberly 2013, Distance from a Point to an Ellipsoid). */
static double off_ellipsoid(const float half[3], v3 p)
{
	const double e[3] = {(double)half[0], (double)half[1], (double)half[2]}, x[3] = {p.x, p.y, p.z};
	const double least2 = pow(fmin(e[0], fmin(e[1], e[2])), 2);
	double low = -least2, high = v3_length(p) * fmax(e[0], fmax(e[1], e[2])), level = 0;
	for (int k = 0; k < 3; k++)
		level += pow(x[k] / e[k], 2);
	for (int i = 0; i < 200; i++) {
		const double t = (low + high) / 2;
		double sum = 0;
		for (int k = 0; k < 3; k++)
			sum += x[k] != 0 ? pow(e[k] * x[k] / (e[k] * e[k] + t), 2) : 0;
		*(sum > 1 ? &low : &high) = t;
	}
	double off2 = 0, sum = 0;
	int thin = 0;
	for (int k = 0; k < 3; k++) {
		const double q = x[k] != 0 ? e[k] * e[k] * x[k] / (e[k] * e[k] + high) : 0;
		thin = e[k] < e[thin] ? k : thin;
		sum += pow(q / e[k], 2);
		off2 += pow(x[k] - q, 2);
	}
	/* Near the middle of a plane of symmetry it is anywhere along the shortest axis. */
	if (sum < 1)
		off2 += (1 - sum) * e[thin] * e[thin];
	return level > 1 ? sqrt(off2) : -sqrt(off2);
}

static double off_body(const scene *s, v3 p)
{
	static const oracle_pose own = {.rotation = {0, 0, 0, 1}};
	const double radius = (double)s->shape.radius;
	if (s->solid != NULL)
		return fabs(oracle_point_separation(s->solid, &own, p));
	if (s->shape.kind == WP_SHAPE_ELLIPSOID)
		return fabs(off_ellipsoid(s->shape.half_extents, p) - radius);
	return fabs(off_profile(&s->shape, hypot(p.x, p.z), p.y) - radius);
}

/* A vertex of the body by the number that manifold.h gives it; those of the line along a side are where a direction leans. */
static bool vertex_of(const scene *s, uint32_t number, v3 along, v3 *at)
{
	const wp_shape *const shape = &s->shape;
	const float *const e = shape->half_extents;
	float vertex[3];
	switch (s->kind) {
	case BOX:
	case ROUND_BOX:
		*at = v3_of(number & 1 ? e[0] : -e[0], number & 2 ? e[1] : -e[1], number & 4 ? e[2] : -e[2]);
		return number < 8;
	case CAPSULE:
	case SEGMENT:
		*at = v3_of(0, number == 0 ? -shape->half_height : shape->half_height, 0);
		return number < 2;
	case TRIANGLE:
		*at = v3_of_floats(shape->points[number % 3]);
		return number < 3;
	case HULL:
	case ROUND_HULL:
		if (s->hull == NULL || number >= wp_hull_vertex_count(s->hull))
			return false;
		wp_hull_vertex(s->hull, number, vertex);
		*at = v3_of_floats(vertex);
		return true;
	case CYLINDER:
	case CONE: {
		const double eighth = (number % 8) * (3.14159265358979323846 / 4), h = (double)shape->half_height;
		const double angle = number < 16 ? eighth : atan2(along.z, along.x);
		const double r = s->kind == CONE && number == 17 ? 0 : (double)shape->base_radius;
		*at = v3_of(r * cos(angle), number < 8 || number == 16 ? -h : h, r * sin(angle));
		return number < 18 && (s->kind == CYLINDER || number < 8 || number > 15);
	}
	default:
		return false;
	}
}

/* How far a point is from a feature of the body that it names: across the normal, since of a rounded body the point may be on what
 * is round about another one, or by more than the radius, since a cap is flat however it leans. */
static double off_own_feature_along(const scene *s, uint32_t feature, v3 p, v3 normal, v3 along)
{
	const uint32_t i = feature & 0xffff, j = feature >> 16;
	v3 a, b;
	if (feature == WP_FEATURE_FACE)
		return 0;
	if (j < i || !vertex_of(s, i, along, &a) || !vertex_of(s, j, along, &b))
		return INFINITY;
	const v3 from = v3_sub(a, p), to = v3_sub(b, p);
	const v3 flat[2] = {
		v3_sub(from, v3_scale(normal, v3_dot(from, normal))), v3_sub(to, v3_scale(normal, v3_dot(to, normal)))};
	const double across = v3_length(nearest_on_edge(flat[0], flat[1], v3_of(0, 0, 0)));
	return fmin(across, fabs(v3_length(v3_sub(p, nearest_on_edge(a, b, p))) - (double)s->shape.radius));
}

/* The line along a side that touches is where the normal leans, or at the witness points. */
static double off_own_feature(const scene *s, uint32_t feature, v3 p, v3 normal)
{
	return fmin(off_own_feature_along(s, feature, p, normal, p), off_own_feature_along(s, feature, p, normal, normal));
}

/* How far the body reaches along a direction in its own frame. */
static double support(const scene *s, v3 d)
{
	static const oracle_pose own = {.rotation = {0, 0, 0, 1}};
	const double radius = (double)s->shape.radius, h = (double)s->shape.half_height;
	const float *const e = s->shape.half_extents;
	if (s->solid != NULL)
		return oracle_support(s->solid, &own, d);
	if (s->shape.kind == WP_SHAPE_ELLIPSOID)
		return v3_length(v3_of(d.x * (double)e[0], d.y * (double)e[1], d.z * (double)e[2])) + radius;
	const double rim = (double)s->shape.base_radius * hypot(d.x, d.z);
	return radius + (s->shape.kind == WP_SHAPE_CONE ? fmax(rim - h * d.y, h * d.y) : rim + h * fabs(d.y));
}

/* ---- scenes ------------------------------------------------------------------------------------- */

static float any_size(void)
{
	const double most = gen_range(&chance, 0.3, 1), share = gen_magnitude(&chance, 1e-3, 1);
	return gen_rounded(gen_below(&chance, 4) ? most : most * share);
}

static wp_shape hull_of(scene *s, double a, double b, double c)
{
	float points[HULL_POINTS][3];
	const uint32_t count = 4 + gen_below(&chance, HULL_POINTS - 3);
	for (uint32_t k = 0; k < count; k++) {
		const v3 at = gen_direction(&chance);
		surface_set(points[k], at.x * a, at.y * b, at.z * c + 0.3);
	}
	if (wp_cook_points(points[0], 0, count, &s->hull, NULL) != WP_OK)
		return wp_shape_sphere((float)a);
	return wp_shape_hull(s->hull);
}

static wp_shape make_shape(scene *s)
{
	const float a = any_size(), b = any_size(), c = any_size();
	const float round = gen_rounded(gen_magnitude(&chance, 1e-3, 0.5));
	const bool is_round = gen_below(&chance, 2) != 0;
	wp_shape shape = wp_shape_box(a, b, c);
	switch (s->kind) {
	case SPHERE:
		return wp_shape_sphere(a);
	case CAPSULE:
		return wp_shape_capsule(a, b);
	case SEGMENT:
		return wp_shape_capsule(0, b);
	case BOX:
		return shape;
	case ROUND_BOX:
		shape.radius = round;
		return shape;
	case TRIANGLE: {
		const float p[3][3] = {{-a, -c, 0.1f}, {b, -c, 0.1f}, {0, c, -0.1f}};
		shape = wp_shape_triangle(p[0], p[1], p[2]);
		break;
	}
	case CYLINDER:
		shape = wp_shape_cylinder(a, b);
		break;
	case CONE:
		shape = wp_shape_cone(a, b);
		break;
	case ELLIPSOID:
		shape = wp_shape_ellipsoid(a, b, c);
		break;
	default:
		shape = hull_of(s, (double)a, (double)b, (double)c);
		shape.radius = s->kind == ROUND_HULL || shape.kind == WP_SHAPE_SPHERE ? round : 0;
		return shape;
	}
	shape.radius = is_round ? round : 0;
	return shape;
}

/* One triangle, or a fan of some around its first corner. */
static void make_corners(scene *s)
{
	const double size = gen_magnitude(&chance, 1e-2, 1e2), far = gen_below(&chance, 4) ? 0 : size * 1e2;
	const v3 first = v3_scale(gen_direction(&chance), far * gen_magnitude(&chance, 1e-2, 1));
	const v3 x = gen_direction(&chance), y = gen_direction(&chance);
	const double thin = gen_magnitude(&chance, 1e-5, 1);
	v3 corner[CORNERS] = {first, v3_add(first, v3_scale(x, size))};
	switch (gen_below(&chance, 3)) {
	case 0: /* one short edge beside two of any angle */
		corner[2] = v3_add(first, v3_scale(y, size * thin));
		break;
	case 1: /* low above its longest edge */
		corner[2] = v3_add(v3_add(first, v3_scale(x, size * gen_range(&chance, 0, 1))), v3_scale(y, size * thin));
		break;
	default:
		corner[2] = v3_add(first, v3_scale(y, size * gen_range(&chance, 0.2, 1)));
	}
	s->triangle_count = gen_below(&chance, 2) ? 1 : 2 + gen_below(&chance, TRIANGLES - 1);
	for (uint32_t k = 3; k < s->triangle_count + 2; k++) {
		const v3 back = v3_sub(corner[k - 2], first), way = v3_sub(corner[k - 1], first);
		const double bend = gen_below(&chance, 3) ? gen_range(&chance, -0.5, 0.5) : 0;
		const v3 up = v3_scale(v3_unit(v3_cross(back, way)), bend * v3_length(way));
		corner[k] = v3_add(v3_add(first, v3_sub(v3_scale(way, gen_range(&chance, 0.5, 1.5)), back)), up);
	}
	for (uint32_t k = 0; k < s->triangle_count + 2; k++)
		surface_set(s->corner[k], corner[k].x, corner[k].y, corner[k].z);
}

/* A few triangles that share no border, within some of their size of each other. */
static void make_soup(scene *s)
{
	const double size = gen_magnitude(&chance, 1e-1, 1e2), apart = size * gen_magnitude(&chance, 1e-3, 1);
	s->triangle_count = 2 + gen_below(&chance, TRIANGLES - 1);
	for (uint32_t k = 0; k < 3 * s->triangle_count; k += 3) {
		const v3 first = v3_scale(gen_direction(&chance), apart);
		for (uint32_t i = 0; i < 3; i++) {
			const v3 at = i == 0 ? first
			                     : v3_add(first, v3_scale(gen_direction(&chance), size * gen_range(&chance, 0.1, 1)));
			surface_set(s->corner[k + i], at.x, at.y, at.z);
		}
	}
}

/* Heights of a field: level, even, in steps or rough, up to a thousand times as high as cells are wide. */
static void make_heights(scene *s, double cell)
{
	wp_height_field *const field = &s->field;
	const uint32_t form = gen_below(&chance, 6), holes = gen_below(&chance, 4);
	const double rough = form == 5 ? cell * gen_magnitude(&chance, 1e-6, 1e3) : cell * gen_range(&chance, 0.1, 1);
	const double away = gen_below(&chance, 3) ? 0 : cell * gen_magnitude(&chance, 1, 1e5);
	const double along = gen_range(&chance, -2, 2), across = gen_range(&chance, -2, 2);
	for (uint32_t i = 0; i < field->columns * field->rows; i++) {
		const double x = i % field->columns, z = i / field->columns;
		const double up = form == 0 ? 0
		                : form == 1 ? cell * (along * x + across * z)
		                : form == 2 ? rough * gen_below(&chance, 3)
		                            : rough * gen_range(&chance, -1, 1);
		const bool is_hole = holes < 2 && gen_below(&chance, holes == 0 ? 2 : 10) == 0;
		s->heights[i] = is_hole ? WP_HEIGHT_HOLE : gen_rounded(up + away);
	}
	field->samples = s->heights;
	if (gen_below(&chance, 4))
		return;
	field->format = WP_HEIGHT_INT16;
	field->samples = s->samples;
	field->offset = gen_rounded(away);
	field->scale = gen_rounded(rough / 10000);
	for (uint32_t i = 0; i < field->columns * field->rows; i++) {
		const double level = ((double)s->heights[i] - (double)field->offset) / (double)field->scale;
		const bool is_hole = s->heights[i] == WP_HEIGHT_HOLE;
		s->samples[i] = is_hole ? WP_HEIGHT_HOLE_INT16 : (int16_t)fmax(-32767, fmin(level, 32767));
		s->heights[i] = is_hole ? WP_HEIGHT_HOLE
		                        : gen_rounded((double)field->offset + (double)field->scale * (double)s->samples[i]);
	}
}

static void make_field(scene *s)
{
	wp_height_field *const field = &s->field;
	const double cell = gen_magnitude(&chance, 0.1, 1e3), long_cell = gen_below(&chance, 3) ? 1 : 100;
	field->columns = 2 + gen_below(&chance, SAMPLES - 1);
	field->rows = 2 + gen_below(&chance, SAMPLES - 1);
	field->flags = gen_below(&chance, 2);
	field->spacing[0] = gen_rounded(cell);
	field->spacing[1] = gen_rounded(cell * gen_magnitude(&chance, 1 / long_cell, 1));
	make_heights(s, cell);
	s->triangle_count = (uint32_t)wp_height_field_triangle_count(field);
	const double far = gen_below(&chance, 3) == 0 ? 0 : gen_below(&chance, 2) ? cell : 1e6 * cell;
	if (gen_below(&chance, 2))
		gen_rotation(&chance, s->mesh_at.rotation);
	for (int k = 0; k < 3; k++)
		s->mesh_at.position[k] = gen_range(&chance, -far, far);
}

static bool cook(scene *s)
{
	uint32_t triangles[TRIANGLES][3];
	for (uint32_t k = 0; k < s->triangle_count; k++) {
		const bool is_soup = s->surface == SOUP;
		triangles[k][0] = is_soup ? 3 * k : 0;
		triangles[k][1] = is_soup ? 3 * k + 1 : k + 1;
		triangles[k][2] = is_soup ? 3 * k + 2 : k + 2;
	}
	const wp_mesh_input input = {.vertices = {s->corner[0], 0},
		.vertex_count = s->surface == SOUP ? 3 * s->triangle_count : s->triangle_count + 2,
		.triangles = {triangles[0], 0},
		.triangle_count = s->triangle_count};
	return wp_cook_mesh(&input, &s->mesh, NULL) == WP_OK;
}

/* An axis of the body along the face's normal, an edge, or across it in the face; turned about that, and then a little off it. */
static void turn_body(scene *s, const v3 c[3])
{
	const v3 axes[3] = {v3_of(1, 0, 0), v3_of(0, 1, 0), v3_of(0, 0, 1)};
	const uint32_t axis = gen_below(&chance, 3), edge = gen_below(&chance, 3), way = gen_below(&chance, 3);
	const v3 face = triangle_normal(c), along = v3_unit(v3_sub(c[(edge + 1) % 3], c[edge]));
	const v3 to = way == 0 ? face : way == 1 ? along : v3_unit(v3_cross(face, along));
	const double roll = gen_below(&chance, 2) ? gen_range(&chance, -3.14159265358979323846, 3.14159265358979323846) : 0;
	const double off = gen_below(&chance, 4) ? gen_magnitude(&chance, 1e-8, 0.2) : 0;
	const turn level = turn_between(axes[axis], gen_below(&chance, 2) ? v3_scale(to, -1) : to);
	const turn aside = turn_about(gen_direction(&chance), 2 * off);
	const turn whole = turn_after(aside, turn_after(turn_about(to, roll), level));
	for (int k = 0; k < 4; k++)
		s->at.rotation[k] = gen_rounded(whole.q[k]);
	if (gen_below(&chance, 3) == 0)
		gen_rotation(&chance, s->at.rotation);
}

/* Put a body that was placed in the frame of the surface into the world. */
static void move_with_surface(scene *s)
{
	const float *const q = s->mesh_at.rotation;
	const turn own = {
		{(double)s->at.rotation[0], (double)s->at.rotation[1], (double)s->at.rotation[2], (double)s->at.rotation[3]}};
	const turn whole = turn_after((turn){{(double)q[0], (double)q[1], (double)q[2], (double)q[3]}}, own);
	const v3 at = m3_apply(m3_of_quaternion(q), v3_of(s->at.position[0], s->at.position[1], s->at.position[2]));
	for (int k = 0; k < 4; k++)
		s->at.rotation[k] = gen_rounded(whole.q[k]);
	s->at.position[0] = s->mesh_at.position[0] + at.x;
	s->at.position[1] = s->mesh_at.position[1] + at.y;
	s->at.position[2] = s->mesh_at.position[2] + at.z;
}

/* Near a place of a triangle, a corner or an edge often, along its normal or another way from its front, or from anywhere. */
static bool place_body(scene *s)
{
	v3 c[3];
	uint32_t tries = 0;
	while (!corners_of(s, gen_below(&chance, s->triangle_count), c))
		if (++tries == TRIES)
			return false;
	turn_body(s, c);
	const v3 face = triangle_normal(c), any = gen_direction(&chance);
	double u = gen_range(&chance, 0, 1), v = gen_range(&chance, 0, 1 - u);
	const uint32_t where = gen_below(&chance, 6), which = gen_below(&chance, 3);
	v = where < 2 ? 0 : v;
	u = where == 0 ? 0 : u;
	const v3 place = v3_add(c[which],
		v3_add(v3_scale(v3_sub(c[(which + 1) % 3], c[which]), u), v3_scale(v3_sub(c[(which + 2) % 3], c[which]), v)));
	const v3 aside = v3_sub(any, v3_scale(face, v3_dot(any, face)));
	const double rise = gen_magnitude(&chance, 1e-3, 1);
	const uint32_t from = gen_below(&chance, 4);
	v3 way = from == 0 ? face : from == 1 ? v3_unit(v3_add(v3_scale(face, rise), aside)) : any;
	if (v3_dot(way, face) < 0 && gen_below(&chance, 4))
		way = v3_scale(way, -1);
	const double reach = support(s, m3_apply_inverse(m3_of_quaternion(s->at.rotation), v3_scale(way, -1)));
	const double deep = gen_range(&chance, -0.3, 0.05), shallow = -gen_magnitude(&chance, 1e-7, 1e-1);
	const v3 at = v3_add(place, v3_scale(way, reach + s->bound * (gen_below(&chance, 2) ? deep : shallow)));
	s->at.position[0] = at.x;
	s->at.position[1] = at.y;
	s->at.position[2] = at.z;
	move_with_surface(s);
	return true;
}

static bool make_scene(scene *s, uint64_t seed)
{
	gen_seed(&chance, seed);
	memset(s, 0, sizeof *s);
	s->kind = gen_below(&chance, KINDS);
	s->shape = make_shape(s);
	s->solid = oracle_shape_new(&s->shape);
	if (s->solid != NULL && !s->solid->has_features) {
		oracle_shape_free(s->solid);
		s->solid = NULL;
	}
	s->mesh_at.rotation[3] = 1;
	s->surface = gen_below(&chance, SURFACES);
	if (s->surface == FIELD)
		make_field(s);
	else if (s->surface == SOUP)
		make_soup(s);
	else
		make_corners(s);
	if (s->surface != FIELD && !cook(s))
		return false;
	s->max_separation = gen_below(&chance, 2) ? 0.0f : 0.1f;
	s->is_two_sided = gen_below(&chance, 3) == 0;
	return true;
}

static void free_scene(scene *s)
{
	oracle_shape_free(s->solid);
	if (s->mesh != NULL)
		wp_cook_free_mesh(s->mesh);
	if (s->hull != NULL)
		wp_cook_free(s->hull);
}

/* ---- judging ------------------------------------------------------------------------------------ */

static bool is_smooth(const scene *s) { return s->kind >= CYLINDER && s->kind <= ELLIPSOID; }

/* From the origin of the surface to the body's, in world axes. */
static v3 way_to_body(const scene *s)
{
	const double *const a = s->at.position, *const b = s->mesh_at.position;
	return v3_of(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

static void judge_point(const scene *s, int call, const v3 c[3], v3 normal, double size, const judged *p, bool is_bent)
{
	const double allowed = WP_CONTRACT_MANIFOLD * size;
	const double rounding = ROUNDING * (v3_length(p->b) + fabs(p->separation));
	const double bent = is_bent ? SAME_NORMAL * fabs(p->separation) : 0, own = ROUNDING * v3_length(p->a);
	note(s, call, ON_BODY, off_body(s, p->a), allowed + own);
	note(s, call, ON_TRIANGLE, off_triangle(c, p->b), allowed + rounding + bent);
	const v3 to_surface = m3_apply_inverse(m3_of_quaternion(s->at.rotation), normal);
	/* By as much as the normal is another one, a rounding radius moves the point: the own one is near the triangle's, and that near
	 * the patch's. */
	const double degree = 3.14159265358979323846 / 180, other = is_bent ? 2 * SAME_NORMAL : 0;
	const double lean = is_smooth(s) ? fmax(other, WP_CONTRACT_SMOOTH_ANGLE * degree) : other;
	note(s, call, ON_FEATURE_A, off_own_feature(s, p->feature_a, p->a, to_surface),
		WP_CONTRACT_FEATURE * size + allowed + own + lean * (double)s->shape.radius);
	note(s, call, ON_FEATURE_B, off_feature(c, p->feature_b, p->b),
		WP_CONTRACT_FEATURE * size + allowed + rounding + bent);
	const v3 a = v3_add(way_to_body(s), m3_apply(m3_of_quaternion(s->at.rotation), p->a));
	const v3 b = m3_apply(m3_of_quaternion(s->mesh_at.rotation), p->b);
	/* Witness points of smooth bodies are as query.h says. */
	const bool is_witness = p->feature_a == WP_FEATURE_FACE && p->feature_b == WP_FEATURE_FACE;
	const double straight = WP_CONTRACT_SMOOTH_POINT * (size + fabs(p->separation));
	note(s, call, APART, v3_length(v3_sub(v3_add(a, v3_scale(normal, p->separation)), b)),
		(call == MANIFOLD && is_witness && is_smooth(s) ? straight : allowed) + rounding);
}

/* The gap between the planes across a normal from the body to the triangle. */
static double gap_along(const scene *s, const v3 c[3], v3 normal)
{
	const v3 position = v3_of(s->at.position[0], s->at.position[1], s->at.position[2]);
	const double reach = support(s, m3_apply_inverse(m3_of_quaternion(s->at.rotation), normal));
	double least = INFINITY;
	for (int k = 0; k < 3; k++)
		least = fmin(least, v3_dot(normal, v3_sub(c[k], position)));
	return least - reach;
}

static void judge_gap(const scene *s, int call, const v3 c[3], v3 normal, double size, double separation)
{
	const double share = is_smooth(s) ? WP_CONTRACT_SMOOTH : WP_CONTRACT;
	note(s, call, GAP, fabs(gap_along(s, c, normal) - separation),
		share * (size + fabs(separation)) + (call == MANIFOLD ? 0 : ROUNDING * fabs(separation)));
}

static void judge_mesh(const scene *s, const answer *a, int call)
{
	for (uint32_t i = 0; i < a->patch_count; i++) {
		const wp_mesh_patch *const patch = &a->patch[i];
		const v3 normal = v3_of_floats(patch->normal);
		double least = INFINITY, size = 0;
		v3 c[3];
		for (uint32_t k = 0; k < patch->point_count; k++) {
			const wp_mesh_point *const p = &patch->points[k];
			if (!corners_of(s, p->triangle, c)) {
				note(s, call, ON_TRIANGLE, INFINITY, 1);
				continue;
			}
			const double own = triangle_size_with(s->bound, c);
			const judged point = {
				v3_of_floats(p->local_a), v3_of_floats(p->local_b), (double)p->separation, p->feature_a, p->feature_b};
			judge_point(s, call, c, normal, own, &point, call == MESH || s->triangle_count > 1);
			size = fmax(size, own);
			least = fmin(least, point.separation);
		}
		note(s, call, DEEPEST, fabs(least - (double)patch->separation), WP_CONTRACT_MANIFOLD * size);
		if (call == GHOSTS && s->triangle_count == 1 && !(a->status & WP_STATUS_WIDE_BRACKET))
			judge_gap(s, call, c, normal, size, (double)patch->separation);
	}
	contacts += a->patch_count != 0;
}

static void ask_mesh(const scene *s, const wp_shape_table *table, int call)
{
	static const uint32_t zero = 0;
	static answer found;
	const wp_height_field *const field = &s->field;
	const wp_mesh_batch batch = {.shapes = table,
		.meshes = &s->mesh,
		.mesh_count = s->mesh != NULL,
		.height_fields = &field,
		.height_field_count = s->mesh == NULL,
		.a = bodies_of(&s->at, 1),
		.b = bodies_of(&s->mesh_at, 1),
		.pair_b = {&zero, 0},
		.count = 1};
	const wp_mesh_options options = {
		s->max_separation, (call == GHOSTS ? WP_MESH_GHOSTS : 0) | (s->is_two_sided ? WP_MESH_TWO_SIDED : 0)};
	memset(&found, 0, sizeof found);
	const wp_mesh_results results = MESH_ANSWERS(&found);
	if (wp_mesh_contact(workspace, &batch, &options, &results, NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
	judge_mesh(s, &found, call);
}

/* The body and the first triangle as a pair: the triangle about the middle of its box, and places from there on. */
static void ask_manifold(scene *s)
{
	v3 c[3], d[3];
	if (!corners_of(s, 0, c))
		return;
	const v3 middle = triangle_middle(c);
	float corner[3][3];
	for (int k = 0; k < 3; k++) {
		const v3 at = v3_sub(c[k], middle);
		surface_set(corner[k], at.x, at.y, at.z);
		d[k] = v3_of_floats(corner[k]);
	}
	const wp_shape triangle = wp_shape_triangle(corner[0], corner[1], corner[2]);
	const body kept = s->at;
	wp_pose pose = {.rotation = {0}}, own = {.rotation = {0, 0, 0, 1}};
	const double at[3] = {middle.x, middle.y, middle.z};
	memcpy(pose.rotation, s->at.rotation, sizeof pose.rotation);
	for (int k = 0; k < 3; k++) {
		pose.position[k] = gen_rounded(s->at.position[k] - at[k]);
		s->at.position[k] = (double)pose.position[k];
	}
	wp_row row;
	wp_manifold_point points[WP_MANIFOLD_POINT_MAX];
	uint32_t count = 0;
	const wp_contact_options options = {.max_separation = s->max_separation};
	if (wp_contact_manifold_pair(workspace, &s->shape, &pose, &triangle, &own, &options, &row, points,
			WP_MANIFOLD_POINT_MAX, &count) != WP_OK)
		exit(BLOCK_EXIT_CODE);
	const v3 normal = v3_of_floats(row.normal);
	const double size = triangle_size_with(s->bound, d);
	double least = INFINITY;
	for (uint32_t k = 0; k < count; k++) {
		const judged point = {v3_of_floats(points[k].local_a), v3_of_floats(points[k].local_b),
			(double)points[k].separation, points[k].feature_a, points[k].feature_b};
		judge_point(s, MANIFOLD, d, normal, size, &point, false);
		least = fmin(least, point.separation);
	}
	if (count != 0)
		note(s, MANIFOLD, DEEPEST, fabs(least - (double)row.separation), AS_DEEP * size);
	if (count != 0 && !(row.status & WP_STATUS_WIDE_BRACKET))
		judge_gap(s, MANIFOLD, d, normal, size, (double)row.separation);
	s->at = kept;
}

static void judge_row(uint64_t seed)
{
	static void *memory;
	static scene s;
	const size_t size = wp_shape_table_size(1);
	const wp_shape_table *table;
	memory = memory == NULL ? block(size) : memory;
	if (make_scene(&s, seed) && wp_shape_table_build(&s.shape, 1, memory, size, &table, NULL) == WP_OK) {
		s.bound = (double)wp_shape_table_bound(table, 0);
		if (place_body(&s)) {
			ask_mesh(&s, table, MESH);
			ask_mesh(&s, table, GHOSTS);
			if (s.surface == FAN)
				ask_manifold(&s);
		}
	}
	free_scene(&s);
}

int main(int argc, char **argv)
{
	sequence seq = {.pairs = 20000, .seed = 1};
	static const option_row none[] = {{.name = NULL}};
	sequence_parse("triangle_oracle", "Points of contacts with triangles; 20k rows where --pairs is not given.", none,
		NULL, &seq, argc, argv);
	if (wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace) != WP_OK)
		return BLOCK_EXIT_CODE;
	for (uint64_t i = 0; i < seq.pairs; i++) {
		row_number = seq.first + i;
		judge_row(seq.seed * 0x9e3779b97f4a7c15u + row_number);
	}
	printf("%" PRIu64 " contacts with surfaces\n", contacts);
	for (int at = 0; at < SURFACES; at++) {
		printf("%-10s", surface_names[at]);
		for (int call = at == FAN ? MANIFOLD : MESH; call < CALLS; call++)
			for (int check = 0; check < CHECKS; check++)
				printf(" %c %-7s", call_names[call][0], check_names[check]);
		printf("\n");
		for (int kind = 0; kind < KINDS; kind++) {
			printf("%-10s", kind_names[kind]);
			for (int call = at == FAN ? MANIFOLD : MESH; call < CALLS; call++)
				for (int check = 0; check < CHECKS; check++)
					printf(" %9.3f", worst[at][kind][call][check]);
			printf("\n");
		}
	}
	return is_broken;
}
