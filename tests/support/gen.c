#include "gen.h"
#include "block.h"

#include <stdlib.h>
#include <string.h>

/* ---- random numbers ------------------------------------------------------------------------------- */

static bool chance(gen_random *random, double probability) { return gen_range(random, 0, 1) < probability; }

/* The order of a call's arguments is the compiler's choice, so each number is drawn by a statement of its
 * own, here and below. */
static v3 some_vector(gen_random *random, double low, double high)
{
	const double x = gen_range(random, low, high);
	const double y = gen_range(random, low, high);
	const double z = gen_range(random, low, high);
	return v3_of(x, y, z);
}

/* ---- rotations ------------------------------------------------------------------------------------ */

/* Rotation first `second`, then `first`: their product, unit in double, rounded once. */
static void multiply(const float first[4], const double second[4], float product[4])
{
	double ax = first[0], ay = first[1], az = first[2], aw = first[3];
	double bx = second[0], by = second[1], bz = second[2], bw = second[3];
	double q[4] = {
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz,
	};
	double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	for (size_t i = 0; i < 4; i++)
		product[i] = (float)(q[i] / length);
}

/* Turn a rotation by a small angle about a random axis of its own frame. */
static void tilt(gen_random *random, const float rotation[4], double angle, float tilted[4])
{
	v3 axis = gen_direction(random);
	const double turn[4] = {axis.x * angle / 2, axis.y * angle / 2, axis.z * angle / 2, 1};
	multiply(rotation, turn, tilted);
}

/* A tilt that resting bodies have: none, or up to 0.03 rad. */
static double small_angle(gen_random *random) { return chance(random, 0.25) ? 0 : gen_magnitude(random, 1e-8, 0.03); }

/* Usual rotations: any, none, or quarter turns about an axis. */
static void some_rotation(gen_random *random, float rotation[4])
{
	const float half = 0.70710678f;
	uint32_t choice = gen_below(random, 8);
	if (choice >= 4) {
		gen_rotation(random, rotation);
		return;
	}
	memset(rotation, 0, 4 * sizeof *rotation);
	rotation[3] = choice == 3 ? 1 : half;
	if (choice < 3)
		rotation[choice] = half;
}

/* ---- shapes --------------------------------------------------------------------------------------- */

/* What pairs are made from: the vertices of a hull before it is built. */
typedef struct cloud {
	size_t count;
	bool is_prism; /* its faces are known */
	float vertices[GEN_VERTEX_MAX][3];
} cloud;

/* Faces of a hull. */
typedef struct faces {
	uint32_t sizes[GEN_VERTEX_MAX / 2 + 2];
	uint32_t indices[3 * GEN_VERTEX_MAX];
} faces;

typedef struct maker {
	gen_random random;
	uint32_t vertex_max;
	bool smooth;
	cloud clouds[2];
	faces faces;
	wp_shape shapes[2];
	wp_pose poses[2];
} maker;

static void add_vertex(cloud *to, double x, double y, double z)
{
	float *vertex = to->vertices[to->count++];
	vertex[0] = (float)x;
	vertex[1] = (float)y;
	vertex[2] = (float)z;
}

static void fill_ellipsoid(gen_random *random, cloud *to, uint32_t count, v3 size)
{
	for (uint32_t i = 0; i < count; i++) {
		v3 v = gen_direction(random);
		add_vertex(to, v.x * size.x, v.y * size.y, v.z * size.z);
	}
}

/* Points inside count too, and many lie in one plane. */
static void fill_lattice(gen_random *random, cloud *to, uint32_t count, v3 size)
{
	for (uint32_t i = 0; i < count; i++) {
		double x = (double)gen_below(random, 5) - 2, y = (double)gen_below(random, 5) - 2;
		add_vertex(to, x / 2 * size.x, y / 2 * size.y, ((double)gen_below(random, 5) - 2) / 2 * size.z);
	}
}

/* A polygon on an ellipse of the plane y = height: (1 - t t, 2 t) / (1 + t t) runs over the circle. */
static void fill_polygon(cloud *to, uint32_t count, v3 size, double height)
{
	uint32_t right = (count + 1) / 2;
	for (uint32_t i = 0; i < count; i++) {
		double side = i < right ? 1 : -1, k = i < right ? i : i - right, steps = i < right ? right : count - right;
		double t = (2 * k + 1) / steps - 1;
		double x = side * (1 - t * t) / (1 + t * t), z = side * 2 * t / (1 + t * t);
		add_vertex(to, x * size.x, height, z * size.z);
	}
}

static void fill_prism(cloud *to, uint32_t count, v3 size)
{
	fill_polygon(to, count / 2, size, size.y);
	fill_polygon(to, count / 2, size, -size.y);
}

static void fill_line(gen_random *random, cloud *to, uint32_t count, v3 size)
{
	v3 along = chance(random, 0.5) ? v3_of(0, 1, 0) : v3_of(1, 2, 3);
	for (uint32_t i = 0; i < count; i++) {
		double t = (double)gen_below(random, 17) / 8 - 1;
		add_vertex(to, t * along.x * size.y, t * along.y * size.y, t * along.z * size.y);
	}
}

static void fill_duplicates(gen_random *random, cloud *to, uint32_t count, v3 size)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t corner = gen_below(random, 8);
		add_vertex(to, corner & 1 ? size.x : -size.x, corner & 2 ? size.y : -size.y, corner & 4 ? size.z : -size.z);
	}
}

_Static_assert(GEN_CONSTRUCTION_COUNT <= 32, "a set of constructions is a mask");

typedef enum hull_style {
	STYLE_ELLIPSOID,
	STYLE_LATTICE,
	STYLE_PRISM,
	STYLE_POLYGON,
	STYLE_LINE,
	STYLE_DUPLICATES
} hull_style;

static void make_hull(maker *m, size_t k, hull_style style, uint32_t count, v3 size)
{
	cloud *to = &m->clouds[k];
	to->count = 0;
	to->is_prism = style == STYLE_PRISM;
	switch (style) {
	case STYLE_ELLIPSOID:
		fill_ellipsoid(&m->random, to, count, size);
		break;
	case STYLE_LATTICE:
		fill_lattice(&m->random, to, count, size);
		break;
	case STYLE_PRISM:
		fill_prism(to, count < 6 ? 6 : count, size);
		break;
	case STYLE_POLYGON:
		fill_polygon(to, count, size, chance(&m->random, 0.5) ? 0 : size.x);
		break;
	case STYLE_LINE:
		fill_line(&m->random, to, count, size);
		break;
	case STYLE_DUPLICATES:
		fill_duplicates(&m->random, to, count, size);
		break;
	}
	m->shapes[k] = (wp_shape){.kind = WP_SHAPE_HULL};
}

static v3 some_size(gen_random *random, double scale)
{
	if (chance(random, 0.25))
		return v3_of(scale, scale, scale);
	return v3_scale(some_vector(random, 0.2, 1), scale);
}

static void point_in(gen_random *random, v3 size, float point[3])
{
	point[0] = (float)gen_range(random, -size.x, size.x);
	point[1] = (float)gen_range(random, -size.y, size.y);
	point[2] = (float)gen_range(random, -size.z, size.z);
}

/* A cylinder, cone or ellipsoid of that size. */
static void make_smooth(maker *m, size_t k, v3 size)
{
	static const wp_shape_kind kinds[3] = {WP_SHAPE_CYLINDER, WP_SHAPE_CONE, WP_SHAPE_ELLIPSOID};
	wp_shape *const shape = &m->shapes[k];
	*shape = (wp_shape){
		.kind = kinds[gen_below(&m->random, 3)], .base_radius = (float)size.x, .half_height = (float)size.y};
	if (shape->kind != WP_SHAPE_ELLIPSOID)
		return;
	shape->half_extents[0] = (float)size.x;
	shape->half_extents[1] = (float)size.y;
	shape->half_extents[2] = (float)size.z;
}

static void make_simple(maker *m, size_t k, wp_shape_kind kind, v3 size)
{
	wp_shape *shape = &m->shapes[k];
	if (kind == WP_SHAPE_BOX && m->smooth && chance(&m->random, 0.75)) {
		make_smooth(m, k, size);
		return;
	}
	*shape = (wp_shape){.kind = kind};
	switch (kind) {
	case WP_SHAPE_SPHERE:
		shape->radius = (float)size.x;
		break;
	case WP_SHAPE_CAPSULE:
		shape->radius = (float)(size.x / 2);
		shape->half_height = (float)size.y;
		break;
	case WP_SHAPE_SEGMENT:
	case WP_SHAPE_TRIANGLE:
		for (size_t i = 0; i < 3; i++)
			point_in(&m->random, size, shape->points[i]);
		break;
	case WP_SHAPE_BOX:
		shape->half_extents[0] = (float)size.x;
		shape->half_extents[1] = (float)size.y;
		shape->half_extents[2] = (float)size.z;
		break;
	default:
		break;
	}
}

static uint32_t some_count(maker *m)
{
	uint32_t most = m->vertex_max < 64 ? m->vertex_max : 64;
	return 4 + gen_below(&m->random, most - 3);
}

/* A hull of one style, any number of vertices and any size near 1. */
static void make_sized_hull(maker *m, size_t k, hull_style style)
{
	const uint32_t count = some_count(m);
	make_hull(m, k, style, count, some_size(&m->random, 1));
}

/* A hull of any style up to the last, with any number of vertices. */
static void make_any_hull(maker *m, size_t k, v3 size)
{
	const hull_style style = (hull_style)gen_below(&m->random, STYLE_PRISM + 1);
	const uint32_t count = some_count(m);
	make_hull(m, k, style, count, size);
}

/* Any kind, about `scale` large, a quarter of them rounded. */
static void make_shape(maker *m, size_t k, double scale)
{
	uint32_t choice = gen_below(&m->random, WP_SHAPE_HULL + 1 + 6);
	v3 size = some_size(&m->random, scale);
	if (choice < WP_SHAPE_HULL)
		make_simple(m, k, (wp_shape_kind)choice, size);
	else if (choice < WP_SHAPE_HULL + 3)
		make_simple(m, k, WP_SHAPE_BOX, size);
	else
		make_any_hull(m, k, size);
	if (chance(&m->random, 0.25))
		m->shapes[k].radius = (float)(scale * gen_magnitude(&m->random, 1e-3, 1));
}

/* A box or a prism: kinds with flat faces across local Y. */
static void make_block(maker *m, size_t k, double scale)
{
	v3 size = some_size(&m->random, scale);
	if (chance(&m->random, 0.6))
		make_simple(m, k, WP_SHAPE_BOX, size);
	else
		make_hull(m, k, STYLE_PRISM, some_count(m), size);
}

/* ---- placing -------------------------------------------------------------------------------------- */

/* The vertices of hulls, triangles and segments. */
static size_t vertex_count(const maker *m, size_t k)
{
	const wp_shape_kind kind = m->shapes[k].kind;
	return kind == WP_SHAPE_HULL     ? m->clouds[k].count
	     : kind == WP_SHAPE_TRIANGLE ? 3
	     : kind == WP_SHAPE_SEGMENT  ? 2
	                                 : 0;
}

static const float *vertex_of(const maker *m, size_t k, size_t i)
{
	return m->shapes[k].kind == WP_SHAPE_HULL ? m->clouds[k].vertices[i] : m->shapes[k].points[i];
}

static double support(const maker *m, size_t k, v3 direction)
{
	const wp_shape *shape = &m->shapes[k];
	v3 d = m3_apply_inverse(m3_of_quaternion(m->poses[k].rotation), direction);
	double most = 0, value;
	if (shape->kind == WP_SHAPE_BOX)
		most = fabs(d.x) * shape->half_extents[0] + fabs(d.y) * shape->half_extents[1] +
		       fabs(d.z) * shape->half_extents[2];
	if (shape->kind == WP_SHAPE_CAPSULE)
		most = fabs(d.y) * shape->half_height;
	const double rim = shape->base_radius * sqrt(d.x * d.x + d.z * d.z), tip = d.y * shape->half_height;
	if (shape->kind == WP_SHAPE_CYLINDER)
		most = rim + fabs(tip);
	if (shape->kind == WP_SHAPE_CONE)
		most = tip > rim - tip ? tip : rim - tip;
	if (shape->kind == WP_SHAPE_ELLIPSOID) {
		const v3 s = v3_of(d.x * shape->half_extents[0], d.y * shape->half_extents[1], d.z * shape->half_extents[2]);
		most = sqrt(v3_dot(s, s));
	}
	for (size_t i = 0; i < vertex_count(m, k); i++) {
		const float *v = vertex_of(m, k, i);
		value = d.x * v[0] + d.y * v[1] + d.z * v[2];
		most = i == 0 || value > most ? value : most;
	}
	return most + shape->radius;
}

/* Put B where its support plane is `gap` beyond A's along a unit direction, `slide` aside. */
static void place(maker *m, v3 direction, double gap, v3 slide)
{
	const float *p = m->poses[0].position;
	double along = support(m, 0, direction) + support(m, 1, v3_scale(direction, -1)) + gap;
	v3 across = v3_sub(slide, v3_scale(direction, v3_dot(slide, direction)));
	v3 to = v3_add(v3_of(p[0], p[1], p[2]), v3_add(v3_scale(direction, along), across));
	m->poses[1].position[0] = (float)to.x;
	m->poses[1].position[1] = (float)to.y;
	m->poses[1].position[2] = (float)to.z;
}

static v3 some_slide(maker *m, double scale)
{
	const v3 direction = gen_direction(&m->random);
	return v3_scale(direction, gen_range(&m->random, 0, scale));
}

/* A gap that is zero, tiny or small, of either sign. */
static double small_gap(maker *m, double scale)
{
	double sign = chance(&m->random, 0.5) ? 1 : -1;
	return chance(&m->random, 0.3) ? 0 : sign * scale * gen_magnitude(&m->random, 1e-8, 0.05);
}

static double any_gap(maker *m, double scale)
{
	return chance(&m->random, 0.5) ? small_gap(m, scale) : scale * gen_range(&m->random, -1, 0.5);
}

static void pose_freely(maker *m, double scale)
{
	for (size_t k = 0; k < 2; k++) {
		some_rotation(&m->random, m->poses[k].rotation);
		point_in(&m->random, v3_of(4 * scale, 4 * scale, 4 * scale), m->poses[k].position);
	}
}

static void place_freely(maker *m, double scale, double gap)
{
	v3 direction = gen_direction(&m->random);
	const double reach = chance(&m->random, 0.5) ? 0 : scale;
	place(m, direction, gap, some_slide(m, reach));
}

/* Two shapes of sizes of their own, placed freely. */
static void make_free(maker *m, double scale_a, double scale_b)
{
	double smaller = scale_a < scale_b ? scale_a : scale_b;
	pose_freely(m, smaller);
	make_shape(m, 0, scale_a);
	make_shape(m, 1, scale_b);
	place_freely(m, smaller, any_gap(m, smaller));
}

/* ---- constructions -------------------------------------------------------------------------------- */

static void make_face_on_face(maker *m)
{
	double scale = gen_magnitude(&m->random, 0.1, 10);
	pose_freely(m, scale);
	make_block(m, 0, scale);
	make_block(m, 1, scale * gen_range(&m->random, 0.3, 1));
	tilt(&m->random, m->poses[0].rotation, small_angle(&m->random), m->poses[1].rotation);
	v3 up = m3_apply(m3_of_quaternion(m->poses[0].rotation), v3_of(0, 1, 0));
	const double gap = small_gap(m, scale);
	place(m, up, gap, some_slide(m, scale));
}

/* Turned by an eighth about an axis, a box points an edge along the others. */
static void make_edge_on_edge(maker *m)
{
	const double eighth[4] = {0, 0, 0.38268343236508977, 0.92387953251128676};
	double scale = gen_magnitude(&m->random, 0.1, 10);
	float turned[4];
	pose_freely(m, scale);
	make_simple(m, 0, WP_SHAPE_BOX, some_size(&m->random, scale));
	make_simple(m, 1, WP_SHAPE_BOX, some_size(&m->random, scale));
	v3 up = m3_apply(m3_of_quaternion(m->poses[0].rotation), v3_of(0.70710678118654752, 0.70710678118654752, 0));
	if (chance(&m->random, 0.5)) {
		multiply(m->poses[0].rotation, eighth, turned);
		memcpy(m->poses[0].rotation, turned, sizeof turned);
		up = m3_apply(m3_of_quaternion(turned), v3_of(0.70710678118654752, 0.70710678118654752, 0));
	}
	tilt(&m->random, m->poses[0].rotation, small_angle(&m->random), m->poses[1].rotation);
	const double gap = small_gap(m, scale);
	const v3 slide = some_slide(m, scale);
	place(m, up, gap, v3_scale(slide, chance(&m->random, 0.5)));
}

static void make_vertex_in_plane(maker *m)
{
	double scale = gen_magnitude(&m->random, 0.1, 10);
	const v3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	pose_freely(m, scale);
	make_simple(m, 0, WP_SHAPE_BOX, some_size(&m->random, scale));
	make_shape(m, 1, scale);
	v3 normal = m3_apply(m3_of_quaternion(m->poses[0].rotation), axes[gen_below(&m->random, 3)]);
	place(m, normal, 0, some_slide(m, 2 * scale));
}

/* Boxes with sides and places in quarters, each axis apart, touching or overlapping. */
static void make_exact_touch(maker *m)
{
	float sides[2][3];
	for (size_t axis = 0; axis < 3; axis++) {
		for (size_t k = 0; k < 2; k++)
			sides[k][axis] = (float)(1 + gen_below(&m->random, 12)) / 4;
		float reach = sides[0][axis] + sides[1][axis], sign = chance(&m->random, 0.5) ? 1.0f : -1.0f;
		float part = chance(&m->random, 0.5) ? reach : (float)gen_below(&m->random, 13) / 4;
		m->poses[0].position[axis] = (float)gen_below(&m->random, 64) / 4;
		m->poses[1].position[axis] = m->poses[0].position[axis] + sign * part;
	}
	for (size_t k = 0; k < 2; k++) {
		m->poses[k].rotation[3] = 1;
		v3 size = v3_of(sides[k][0], sides[k][1], sides[k][2]);
		if (chance(&m->random, 0.7))
			make_simple(m, k, WP_SHAPE_BOX, size);
		else
			make_hull(m, k, STYLE_DUPLICATES, 24, size);
	}
}

static void make_identical(maker *m, bool same_rotation)
{
	make_free(m, 1, 1);
	m->shapes[1] = m->shapes[0];
	m->clouds[1] = m->clouds[0];
	memcpy(m->poses[1].position, m->poses[0].position, sizeof m->poses[0].position);
	if (same_rotation)
		m->poses[1] = m->poses[0];
}

static void make_coincident(maker *m)
{
	const double scale_a = gen_magnitude(&m->random, 0.1, 10);
	make_free(m, scale_a, gen_magnitude(&m->random, 0.1, 10));
	memcpy(m->poses[1].position, m->poses[0].position, sizeof m->poses[0].position);
	if (chance(&m->random, 0.5))
		memcpy(m->poses[1].rotation, m->poses[0].rotation, sizeof m->poses[0].rotation);
}

static void make_contained(maker *m)
{
	pose_freely(m, 1);
	make_shape(m, 0, 4);
	make_shape(m, 1, gen_magnitude(&m->random, 1e-3, 0.5));
	for (size_t axis = 0; axis < 3; axis++)
		m->poses[1].position[axis] = m->poses[0].position[axis] + (float)gen_range(&m->random, -0.5, 0.5);
}

/* A shape whose size differs per axis by the given ratio; the other one is ordinary. */
static void make_extreme(maker *m, v3 size)
{
	pose_freely(m, 1);
	make_shape(m, 1, 1);
	if (chance(&m->random, 0.5))
		make_simple(m, 0, WP_SHAPE_BOX, size);
	else
		make_any_hull(m, 0, size);
	if (chance(&m->random, 0.3)) {
		make_simple(m, 1, WP_SHAPE_BOX, v3_of(size.y, size.x, size.z));
		tilt(&m->random, m->poses[0].rotation, small_angle(&m->random), m->poses[1].rotation);
	}
	place_freely(m, 1, any_gap(m, 0.2));
}

static void make_huge(maker *m)
{
	double scale = chance(&m->random, 0.75) ? 1e5 : gen_magnitude(&m->random, 1e6, 1e27);
	make_free(m, scale * gen_range(&m->random, 0.1, 1), scale);
}

static void make_far(maker *m)
{
	pose_freely(m, 1);
	for (size_t axis = 0; axis < 3; axis++)
		m->poses[0].position[axis] = (float)gen_range(&m->random, -1e5, 1e5);
	make_shape(m, 0, 1);
	make_shape(m, 1, 1);
	place_freely(m, 1, any_gap(m, 1));
}

/* Flat and thin hulls, against each other too, in one plane or on one line. */
static void make_styled(maker *m, hull_style style)
{
	make_free(m, 1, 1);
	make_sized_hull(m, 0, style);
	if (chance(&m->random, 0.4)) {
		make_sized_hull(m, 1, style);
		tilt(&m->random, m->poses[0].rotation, small_angle(&m->random), m->poses[1].rotation);
		if (chance(&m->random, 0.5)) {
			v3 along = chance(&m->random, 0.5) ? v3_of(1, 0, 0) : v3_of(0, 1, 0);
			place(m, m3_apply(m3_of_quaternion(m->poses[0].rotation), along), any_gap(m, 1), v3_of(0, 0, 0));
			return;
		}
	}
	place_freely(m, 1, any_gap(m, 1));
}

static void make_zero_extent(maker *m)
{
	pose_freely(m, 1);
	for (size_t k = 0; k < 2; k++) {
		const wp_shape_kind kinds[4] = {WP_SHAPE_BOX, WP_SHAPE_CAPSULE, WP_SHAPE_SEGMENT, WP_SHAPE_TRIANGLE};
		v3 size = some_size(&m->random, 1);
		size.x = chance(&m->random, 0.5) ? 0 : size.x;
		size.y = chance(&m->random, 0.5) ? 0 : size.y;
		size.z = chance(&m->random, 0.5) ? 0 : size.z;
		make_simple(m, k, kinds[gen_below(&m->random, 4)], size);
	}
	if (chance(&m->random, 0.5))
		memcpy(m->poses[1].rotation, m->poses[0].rotation, sizeof m->poses[0].rotation);
	place_freely(m, 1, any_gap(m, 0.5));
}

static void make_with_radii(maker *m, double radius_a, double radius_b)
{
	make_free(m, 1, 1);
	m->shapes[0].radius = (float)radius_a;
	m->shapes[1].radius = (float)radius_b;
	place_freely(m, 1, any_gap(m, 1));
}

static void make_of_count(maker *m, uint32_t count_a, uint32_t count_b)
{
	make_free(m, 1, 1);
	make_hull(m, 0, STYLE_ELLIPSOID, count_a, some_size(&m->random, 1));
	make_hull(m, 1, STYLE_ELLIPSOID, count_b, some_size(&m->random, 1));
	place_freely(m, 1, any_gap(m, 0.5));
}

/* Sizes and places below the smallest normal float, or ordinary sizes with one such extent. */
static void make_denormal(maker *m)
{
	if (chance(&m->random, 0.5)) {
		make_free(m, 1e-40, gen_magnitude(&m->random, 1e-42, 1e-38));
		return;
	}
	make_extreme(m, v3_of(1, 1e-40, gen_magnitude(&m->random, 1e-44, 1)));
}

static void make_off_unit(maker *m)
{
	make_free(m, 1, 1);
	for (size_t k = 0; k < 2; k++) {
		float length = (float)(1 + gen_range(&m->random, -9e-3, 9e-3));
		for (size_t i = 0; i < 4; i++)
			m->poses[k].rotation[i] *= length;
	}
}

/* One of the shapes becomes a half-space that the other is near to: of any of its poses, or of one that is exact; its
 * position may be aside by much. */
static void make_ground(maker *m)
{
	const size_t k = gen_below(&m->random, 2);
	wp_pose *const at = &m->poses[k];
	const double size = support(m, 1 - k, v3_of(0, 1, 0)) + support(m, 1 - k, v3_of(0, -1, 0));
	const double scale = size > 0 ? size : 1,
				 rounding = chance(&m->random, 0.25) ? scale * gen_magnitude(&m->random, 1e-3, 1) : 0;
	m->shapes[k] = (wp_shape){.kind = WP_SHAPE_HALF_SPACE, .radius = (float)rounding};
	if (chance(&m->random, 0.3))
		memcpy(at->rotation, (const float[4]){0, 0, 0, 1}, sizeof at->rotation);
	const v3 up = m3_apply(m3_of_quaternion(at->rotation), v3_of(0, 1, 0)), any = gen_direction(&m->random);
	const double gap = any_gap(m, scale),
				 far = chance(&m->random, 0.5) ? scale * gen_magnitude(&m->random, 1e-2, scale > 1e20 ? 1 : 1e6) : 0;
	const double height = support(m, 1 - k, v3_scale(up, -1)) + rounding + gap;
	const v3 aside = v3_scale(v3_sub(any, v3_scale(up, v3_dot(any, up))), far);
	const v3 from = v3_of_floats(m->poses[1 - k].position), to = v3_add(v3_sub(from, v3_scale(up, height)), aside);
	at->position[0] = (float)to.x;
	at->position[1] = (float)to.y;
	at->position[2] = (float)to.z;
}

/* Add one to three groups of `corners` vertices, each group about 1 large and `ratio` away. */
static void add_far_groups(maker *m, size_t k, uint32_t corners, double ratio)
{
	cloud *const to = &m->clouds[k];
	for (uint32_t groups = 1 + gen_below(&m->random, 3); groups > 0; groups--) {
		const v3 way = gen_direction(&m->random), centre = v3_scale(way, ratio * gen_range(&m->random, 0.5, 1));
		const v3 first = gen_direction(&m->random), second = gen_direction(&m->random);
		for (uint32_t i = 0; i < corners; i++) {
			const double along = i == 0 ? 0 : gen_range(&m->random, -1, 1);
			const double aside = i < 2 ? 0 : gen_range(&m->random, -1, 1);
			const v3 corner = v3_add(centre, v3_add(v3_scale(first, along), v3_scale(second, aside)));
			add_vertex(to, corner.x, corner.y, corner.z);
		}
	}
}

/* A hull about 1 large but for something far away. A quarter of them are rounded. */
static void make_far_hull(maker *m, size_t k, gen_construction construction)
{
	const uint32_t count = 3 + gen_below(&m->random, 8), flat = 3 + gen_below(&m->random, 3);
	make_hull(m, k, STYLE_ELLIPSOID, count, some_size(&m->random, 1));
	add_far_groups(m, k,
		construction == GEN_FAR_VERTEX ? 1
		: construction == GEN_FAR_EDGE ? 2
									   : flat,
		gen_magnitude(&m->random, 1e1, 1e6));
	if (chance(&m->random, 0.25))
		m->shapes[k].radius = (float)gen_magnitude(&m->random, 1e-3, 1);
}

/* A coordinate on the side that a direction goes to. */
static double beside(float half, double way) { return way < 0 ? -half : half; }

/* The farthest point of a shape along a unit direction, from its position; of shapes without vertices the point of its
 * support plane above its origin. */
static v3 tip(const maker *m, size_t k, v3 direction)
{
	const wp_shape *const shape = &m->shapes[k];
	const m3 turn = m3_of_quaternion(m->poses[k].rotation);
	const v3 d = m3_apply_inverse(turn, direction);
	v3 best = v3_of(0, 0, 0);
	if (shape->kind == WP_SHAPE_BOX)
		best = v3_of(beside(shape->half_extents[0], d.x), beside(shape->half_extents[1], d.y),
			beside(shape->half_extents[2], d.z));
	else if (shape->kind == WP_SHAPE_CAPSULE)
		best = v3_of(0, beside(shape->half_height, d.y), 0);
	const size_t count = vertex_count(m, k);
	for (size_t i = 0; i < count; i++) {
		const v3 corner = v3_of_floats(vertex_of(m, k, i));
		if (i == 0 || v3_dot(corner, d) > v3_dot(best, d))
			best = corner;
	}
	const bool has_tip = count > 0 || shape->kind == WP_SHAPE_BOX || shape->kind == WP_SHAPE_CAPSULE;
	return has_tip ? v3_add(m3_apply(turn, best), v3_scale(direction, shape->radius))
	               : v3_scale(direction, support(m, k, direction));
}

/* Put B where its farthest point against a direction meets A's farthest point along it, up to a gap and a slide. */
static void place_tips(maker *m, v3 direction, double gap, v3 slide)
{
	const v3 apart = v3_sub(tip(m, 0, direction), tip(m, 1, v3_scale(direction, -1)));
	const v3 to = v3_add(v3_add(v3_of_floats(m->poses[0].position), apart), v3_add(v3_scale(direction, gap), slide));
	m->poses[1].position[0] = (float)to.x;
	m->poses[1].position[1] = (float)to.y;
	m->poses[1].position[2] = (float)to.z;
}

static void make_tip_on_tip(maker *m)
{
	pose_freely(m, 1);
	make_shape(m, 0, 1);
	make_shape(m, 1, 1);
	const v3 direction = gen_direction(&m->random), way = gen_direction(&m->random);
	const double gap = small_gap(m, 1);
	place_tips(m, direction, gap, v3_scale(way, chance(&m->random, 0.3) ? 0 : gen_magnitude(&m->random, 1e-7, 1)));
}

/* One or both are such hulls; their farthest points along some direction meet, or nearly. */
static void make_far_feature(maker *m, gen_construction construction)
{
	pose_freely(m, 1);
	make_far_hull(m, 0, construction);
	if (chance(&m->random, 0.6))
		make_far_hull(m, 1, construction);
	else
		make_shape(m, 1, 1);
	if (chance(&m->random, 0.3))
		tilt(&m->random, m->poses[0].rotation, small_angle(&m->random), m->poses[1].rotation);
	const v3 direction = gen_direction(&m->random);
	const double gap = small_gap(m, chance(&m->random, 0.5) ? 1 : 20);
	place_tips(m, direction, gap, some_slide(m, chance(&m->random, 0.5) ? 0 : 1));
}

static void make_size(maker *m, gen_construction construction)
{
	switch (construction) {
	case GEN_NEEDLE:
		make_extreme(m, v3_of(1e-3, 1, 1e-3));
		break;
	case GEN_PLATE:
		make_extreme(m, v3_of(1, 1e-6, gen_range(&m->random, 0.1, 1)));
		break;
	case GEN_SIZE_RATIO:
		make_free(m, 1e4 * gen_range(&m->random, 0.1, 1), 1);
		break;
	case GEN_TINY:
		make_free(m, 1e-5 * gen_range(&m->random, 0.1, 1), 1e-5);
		break;
	case GEN_HUGE:
		make_huge(m);
		break;
	case GEN_FAR:
		make_far(m);
		break;
	default:
		make_denormal(m);
		break;
	}
}

static void make_vertices(maker *m, gen_construction construction)
{
	uint32_t count;
	switch (construction) {
	case GEN_COPLANAR_HULL:
		make_styled(m, STYLE_POLYGON);
		break;
	case GEN_COLLINEAR_HULL:
		make_styled(m, STYLE_LINE);
		break;
	case GEN_DUPLICATE_VERTICES:
		make_styled(m, STYLE_DUPLICATES);
		break;
	case GEN_FEW_VERTICES:
		count = 1 + gen_below(&m->random, 4);
		make_of_count(m, count, 1 + gen_below(&m->random, 4));
		break;
	default:
		make_of_count(m, m->vertex_max, some_count(m));
		break;
	}
}

static void make_pair(maker *m, gen_construction construction)
{
	double radius;
	switch (construction) {
	case GEN_SEPARATED:
		make_free(m, 1, 1);
		place_freely(m, 1, gen_range(&m->random, 0.05, 1));
		break;
	case GEN_NEAR:
		make_free(m, 1, 1);
		place_freely(m, 0, small_gap(m, 1));
		break;
	case GEN_DEEP:
		make_free(m, 1, 1);
		place_freely(m, 0.2, -gen_range(&m->random, 0.2, 1.5));
		break;
	case GEN_FACE_ON_FACE:
		make_face_on_face(m);
		break;
	case GEN_EDGE_ON_EDGE:
		make_edge_on_edge(m);
		break;
	case GEN_VERTEX_IN_PLANE:
		make_vertex_in_plane(m);
		break;
	case GEN_EXACT_TOUCH:
		make_exact_touch(m);
		break;
	case GEN_IDENTICAL:
		make_identical(m, chance(&m->random, 0.8));
		break;
	case GEN_COINCIDENT:
		make_coincident(m);
		break;
	case GEN_CONTAINED:
		make_contained(m);
		break;
	case GEN_ZERO_EXTENT:
		make_zero_extent(m);
		break;
	case GEN_ZERO_RADIUS:
		make_with_radii(m, 0, 0);
		break;
	case GEN_HUGE_RADIUS:
		radius = gen_magnitude(&m->random, 10, 1e4);
		make_with_radii(m, radius, chance(&m->random, 0.5) ? 0.1 : 100);
		break;
	case GEN_OFF_UNIT:
		make_off_unit(m);
		break;
	case GEN_TIP_ON_TIP:
		make_tip_on_tip(m);
		break;
	case GEN_FAR_VERTEX:
	case GEN_FAR_EDGE:
	case GEN_FAR_FLAT:
		make_far_feature(m, construction);
		break;
	case GEN_COPLANAR_HULL:
	case GEN_COLLINEAR_HULL:
	case GEN_DUPLICATE_VERTICES:
	case GEN_FEW_VERTICES:
	case GEN_MANY_VERTICES:
		make_vertices(m, construction);
		break;
	default:
		make_size(m, construction);
		break;
	}
}

const char *gen_construction_name(gen_construction construction)
{
	static const char *const names[GEN_CONSTRUCTION_COUNT] = {
		"separated",
		"near",
		"deep",
		"face on face",
		"edge on edge",
		"vertex in plane",
		"exact touch",
		"identical",
		"coincident",
		"contained",
		"needle",
		"plate",
		"size ratio",
		"tiny",
		"huge",
		"far",
		"coplanar hull",
		"collinear hull",
		"duplicate vertices",
		"zero extent",
		"zero radius",
		"huge radius",
		"few vertices",
		"many vertices",
		"denormal",
		"off unit",
		"tip on tip",
		"far vertex",
		"far edge",
		"far flat",
	};
	return construction < GEN_CONSTRUCTION_COUNT ? names[construction] : "unknown";
}

/* ---- the corpus ----------------------------------------------------------------------------------- */

/* The faces of a prism of two polygons, the upper one first: both, and what is between them. Returns how many. */
static size_t prism_faces(uint32_t count, faces *to)
{
	const uint32_t side = count / 2;
	uint32_t *next = to->indices + 2 * side;
	to->sizes[0] = to->sizes[1] = side;
	for (uint32_t i = 0; i < side; i++) {
		const uint32_t after = (i + 1) % side, quad[4] = {i, after, side + after, side + i};
		to->indices[i] = side - 1 - i;
		to->indices[side + i] = side + i;
		to->sizes[2 + i] = 4;
		memcpy(next + (size_t)4 * i, quad, sizeof quad);
	}
	return side + 2;
}

static bool keep_shape(maker *m, size_t k, wp_shape *shape, void **memory)
{
	const cloud *from = &m->clouds[k];
	*shape = m->shapes[k];
	if (shape->kind != WP_SHAPE_HULL)
		return true;
	wp_hull_input input = {.vertices = {from->vertices[0]}, .vertex_count = from->count};
	if (from->is_prism) {
		input.face_count = prism_faces((uint32_t)from->count, &m->faces);
		input.face_sizes = m->faces.sizes;
		input.face_indices = m->faces.indices;
	}
	const size_t size = wp_hull_size(from->count, input.face_count, input.face_count == 0 ? 0 : 3 * from->count);
	*memory = size > 0 ? block_or_null(size) : NULL;
	return *memory != NULL && wp_hull_build(&input, *memory, size, &shape->hull, NULL) == WP_OK;
}

/* Whether a number has an odd number of ones: so half of every sequence of equal steps has. */
static bool is_odd(uint64_t number)
{
	uint32_t ones = 0;
	for (; number != 0; number &= number - 1)
		ones++;
	return ones % 2 == 1;
}

/* The construction whose turn it is. */
static gen_construction construction_of(uint32_t wanted, uint64_t index)
{
	uint32_t turns[GEN_CONSTRUCTION_COUNT], count = 0;
	for (uint32_t i = 0; i < GEN_CONSTRUCTION_COUNT; i++)
		if (wanted == 0 || (wanted >> i & 1))
			turns[count++] = i;
	return (gen_construction)turns[index % count];
}

static bool fill_corpus(const gen_options *options, uint64_t first, maker *m, gen_corpus *corpus)
{
	for (size_t i = 0; i < corpus->count; i++) {
		uint64_t mix = options->seed, index = first + i;
		gen_seed(&m->random, gen_splitmix(&mix) + index);
		memset(m->shapes, 0, sizeof m->shapes);
		memset(m->poses, 0, sizeof m->poses);
		m->vertex_max = options->vertex_max;
		m->smooth = options->smooth == GEN_SMOOTH_ALL ||
		            (options->smooth == GEN_SMOOTH_HALF && is_odd(index / GEN_CONSTRUCTION_COUNT));
		corpus->constructions[i] = construction_of(options->constructions, index);
		make_pair(m, (gen_construction)corpus->constructions[i]);
		if (options->half_spaces)
			make_ground(m);
		memcpy(&corpus->poses[2 * i], m->poses, sizeof m->poses);
		for (size_t k = 0; k < 2; k++) {
			if (!keep_shape(m, k, &corpus->shapes[2 * i + k], &corpus->hulls[2 * i + k]))
				return false;
		}
	}
	return true;
}

bool gen_corpus_make(const gen_options *options, uint64_t first, size_t count, gen_corpus *corpus)
{
	maker *m = calloc(1, sizeof *m);
	*corpus = (gen_corpus){.count = count};
	corpus->shapes = calloc(2 * count + 1, sizeof *corpus->shapes);
	corpus->poses = calloc(2 * count + 1, sizeof *corpus->poses);
	corpus->constructions = calloc(count + 1, sizeof *corpus->constructions);
	corpus->hulls = calloc(2 * count + 1, sizeof *corpus->hulls);
	bool good = m != NULL && corpus->shapes != NULL && corpus->poses != NULL && corpus->constructions != NULL &&
	            corpus->hulls != NULL && fill_corpus(options, first, m, corpus);
	free(m);
	if (!good)
		gen_corpus_free(corpus);
	return good;
}

void gen_corpus_free(gen_corpus *corpus)
{
	for (size_t i = 0; corpus->hulls != NULL && i < 2 * corpus->count; i++)
		block_free(corpus->hulls[i]);
	free(corpus->shapes);
	free(corpus->poses);
	free(corpus->constructions);
	free(corpus->hulls);
	*corpus = (gen_corpus){.count = 0};
}
