/* Bodies at lone triangles, at borders and in soups, where no neighbour has a contact instead: no row loses its own. */
#include "core/contract.h"
#include "support/block.h"
#include "support/check.h"
#include "support/cooked.h"
#include "support/mesh_answer.h"
#include "support/mesh_bodies.h"
#include "support/oracle.h"
#include "support/smooth_oracle.h"
#include "support/shape_core.h"
#include "widephase/mesh.h"

#include <math.h>

enum { BOX, SPHERE, CAPSULE, CYLINDER, HULL, CONE, ELLIPSOID, ROUNDED, LARGE_HULL, TRIANGLE, SHAPES };

enum { ALONE, GRID, HILLS, SOUP, SURFACES };

enum { SCENES = 200, ROWS = 50, PATCHES = 4 };

typedef MESH_ANSWER(PATCHES) answer;

static const body plain = {.rotation = {0, 0, 0, 1}};

static wp_workspace *workspace;

static void setup(void)
{
	cr_assert_eq(wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace), WP_OK);
}

/* ---- shapes ------------------------------------------------------------------------------------- */

/* A hull about (0, 0, 0.2), or a triangle about its origin. */
static wp_shape make_points(gen_random *random, uint32_t count, double wide, const wp_hull **hull)
{
	float points[24][3];
	for (uint32_t i = 0; i < count; i++) {
		const v3 at = v3_scale(gen_direction(random), 0.6);
		surface_set(points[i], 2 * wide * at.x, at.y, at.z + 0.2);
	}
	if (count == 3) {
		for (int k = 0; k < 3; k++)
			points[2][k] = -points[0][k] - points[1][k];
		return wp_shape_triangle(points[0], points[1], points[2]);
	}
	cr_assert_eq(wp_cook_points(points[0], 0, count, hull, NULL), WP_OK);
	return wp_shape_hull(*hull);
}

static wp_shape make_shape(gen_random *random, uint32_t kind, const wp_hull **hull)
{
	const float a = gen_rounded(gen_range(random, 0.1, 1)), b = gen_rounded(gen_range(random, 0.1, 1)),
				c = gen_rounded(gen_range(random, 0.1, 1));
	wp_shape of;
	switch (kind) {
	case SPHERE:
		return wp_shape_sphere(a);
	case CAPSULE:
		return wp_shape_capsule(a, b);
	case CYLINDER:
		return wp_shape_cylinder(a, b);
	case CONE:
		return wp_shape_cone(a, b);
	case ELLIPSOID:
		return wp_shape_ellipsoid(a, b, c);
	case HULL:
		return make_points(random, 8, (double)a, hull);
	case LARGE_HULL:
		return make_points(random, 24, (double)a, hull);
	case TRIANGLE:
		of = make_points(random, 3, (double)a, hull);
		of.radius = 0.1f;
		return of;
	default:
		of = wp_shape_box(a, b, c);
		of.radius = kind == ROUNDED ? a / 4 : 0;
		return of;
	}
}

/* A point inside of a shape that queries take for its centre. */
static v3 centre_of(const wp_shape *of)
{
	v3 sum = v3_of(0, 0, 0);
	const size_t count = of->hull != NULL ? wp_hull_vertex_count(of->hull) : 0;
	for (size_t i = 0; i < count; i++) {
		float vertex[3];
		wp_hull_vertex(of->hull, i, vertex);
		sum = v3_add(sum, v3_scale(v3_of_floats(vertex), 1.0 / (double)count));
	}
	return sum;
}

/* ---- one triangle ------------------------------------------------------------------------------- */

/* A body at a triangle of the plain body. */
typedef struct pair {
	const wp_shape *of;
	const body *b;
	float corners[3][3];
	v3 face;
} pair;

static v3 position_of(const body *b) { return v3_of(b->position[0], b->position[1], b->position[2]); }

/* Both bounds of the separation where the body is moved. */
static void solve(const pair *p, v3 way, double *lower, double *upper)
{
	wp_shape triangle = wp_shape_triangle(p->corners[0], p->corners[1], p->corners[2]);
	const v3 at = v3_add(position_of(p->b), way);
	if (shape_core_is_smooth(p->of)) {
		wp_pose own = {.position = {at.x, at.y, at.z}}, other = {.rotation = {0, 0, 0, 1}};
		memcpy(own.rotation, p->b->rotation, sizeof own.rotation);
		if (!smooth_oracle_solve(p->of, &own, &triangle, &other, 1e-5, lower, upper))
			cr_assert(*lower <= *upper);
		return;
	}
	oracle_shape *const solid = oracle_shape_new(p->of), *const flat = oracle_shape_new(&triangle);
	oracle_pose own = {.position = at}, other = {.rotation = {0, 0, 0, 1}};
	memcpy(own.rotation, p->b->rotation, sizeof own.rotation);
	oracle_answer truth;
	cr_assert(oracle_solve(solid, &own, flat, &other, &truth));
	*lower = truth.separation - truth.doubt;
	*upper = truth.separation + truth.doubt;
	oracle_shape_free(solid);
	oracle_shape_free(flat);
}

/* How many contacts from behind stayed as they are, and had the triangle's normal instead. */
typedef struct tally {
	size_t beside, above;
} tally;

/* A contact that by itself comes from behind the triangle stays as it is, as deep as the oracle says, and leaves the centre in
 * front; or it pushes the body along the triangle's normal until nothing overlaps, and no further. */
static void judge_alone(const pair *p, const answer *raw, const answer *a, tally *t)
{
	const double allowed = 2e-5, separation = (double)a->separation;
	const v3 found = v3_scale(v3_of_floats(raw->normal), -1), normal = v3_scale(v3_of_floats(a->normal), -1);
	const wp_mesh_point *const point = &a->patch[0].points[0];
	double lower, upper;
	if (v3_dot(found, p->face) > -2e-3 || a->patch[0].point_count > 1)
		return;
	cr_assert_eq(a->triangle_count, 1);
	const v3 way = v3_sub(
		v3_of_floats(point->point_b), v3_add(v3_of_floats(point->point_a), v3_scale(normal, -separation)));
	CHECK(v3_length(way) < allowed, "points %g apart", v3_length(way));
	if (v3_length(v3_sub(normal, p->face)) > 1e-5) {
		const v3 centre = v3_add(position_of(p->b), m3_apply(m3_of_quaternion(p->b->rotation), centre_of(p->of)));
		const v3 pushed = v3_sub(v3_sub(centre, v3_scale(normal, separation)), v3_of_floats(p->corners[0]));
		CHECK(v3_dot(p->face, pushed) > -allowed, "pushed behind the triangle by %g", -v3_dot(p->face, pushed));
		solve(p, v3_of(0, 0, 0), &lower, &upper);
		CHECK(separation > lower - allowed && separation < upper + allowed, "separation %g, not %g to %g", separation,
			lower, upper);
		t->beside++;
		return;
	}
	if (point->feature_a != WP_FEATURE_FACE || point->feature_b != WP_FEATURE_FACE)
		return;
	solve(p, v3_scale(p->face, -separation), &lower, &upper);
	CHECK(upper > -allowed, "overlaps by %g where it was pushed by %g", -upper, -separation);
	solve(p, v3_scale(p->face, -separation - 10 * allowed), &lower, &upper);
	CHECK(lower < allowed, "is %g away before it was pushed by %g", lower, -separation);
	t->above++;
}

/* ---- any bodies --------------------------------------------------------------------------------- */

/* Surfaces with borders, of sizes from a tenth of a body's to ten times. */
static const wp_mesh *make_surface(gen_random *random, uint32_t kind)
{
	surface s;
	const double size = gen_magnitude(random, 0.1, 10);
	if (kind == ALONE) {
		s = surface_allocate(3, 1);
		for (uint32_t k = 0; k < 3; k++) {
			const v3 at = gen_direction(random);
			surface_set(s.vertices[k], at.x, at.y, at.z);
			s.triangles[0][k] = k;
		}
	} else {
		s = kind == GRID  ? surface_grid(3, 3)
		  : kind == HILLS ? surface_terrain(3, 3, gen_bits(random))
		                  : surface_soup(6, 0.6, gen_bits(random));
	}
	surface_scale(&s, size, size, size);
	return cook_surface(&s);
}

/* A triangle of a mesh, with its normal. */
static v3 read_triangle(const wp_mesh *mesh, size_t triangle, float corners[3][3])
{
	uint32_t index[3];
	float face[3];
	wp_mesh_triangle(mesh, triangle, index);
	for (int k = 0; k < 3; k++)
		wp_mesh_vertex(mesh, index[k], corners[k]);
	wp_mesh_normal(mesh, triangle, face);
	return v3_of_floats(face);
}

/* Whether the body's centre is in front of all triangles. */
static bool is_in_front(const wp_mesh *mesh, v3 centre)
{
	for (size_t i = 0; i < wp_mesh_triangle_count(mesh); i++) {
		float corners[3][3];
		const v3 face = read_triangle(mesh, i, corners);
		if (v3_dot(face, v3_sub(centre, v3_of_floats(corners[0]))) < 1e-5)
			return false;
	}
	return true;
}

/* Put a body so that a point inside of it, on its way from the centre to the surface, is on a triangle, and its centre in front
 * of all: so they overlap. False if there is none. */
static bool place_body(gen_random *random, const wp_mesh *mesh, const wp_shape *of, body *b)
{
	for (int tries = 0; tries < 20; tries++) {
		float corners[3][3];
		(void)read_triangle(mesh, gen_below(random, (uint32_t)wp_mesh_triangle_count(mesh)), corners);
		const double u = gen_range(random, 0, 1), v = gen_range(random, 0, 1 - u);
		const v3 first = v3_of_floats(corners[0]), side_u = v3_sub(v3_of_floats(corners[1]), first),
				 side_v = v3_sub(v3_of_floats(corners[2]), first);
		const v3 place = v3_add(first, v3_add(v3_scale(side_u, u), v3_scale(side_v, v)));
		gen_rotation(random, b->rotation);
		const m3 turn = m3_of_quaternion(b->rotation);
		const v3 out = gen_direction(random), centre = centre_of(of);
		const v3 on = v3_add(shape_core_point(of, out), v3_scale(out, (double)of->radius));
		const v3 inside = v3_add(centre, v3_scale(v3_sub(on, centre), gen_range(random, 0, 0.9)));
		const v3 at = v3_sub(place, m3_apply(turn, inside));
		b->position[0] = at.x;
		b->position[1] = at.y;
		b->position[2] = at.z;
		if (is_in_front(mesh, v3_add(at, m3_apply(turn, centre))))
			return true;
	}
	return false;
}

static void ask(const wp_shape_table *table, const wp_mesh *mesh, const body *bodies, size_t count,
	float max_separation, uint32_t flags, answer *answers)
{
	static const uint32_t zeros[ROWS];
	const wp_mesh_batch batch = {.shapes = table,
		.meshes = &mesh,
		.mesh_count = 1,
		.a = bodies_of(bodies, count),
		.b = bodies_of(&plain, 1),
		.pair_b = {zeros, 0},
		.count = count};
	const wp_mesh_options options = {max_separation, flags};
	const wp_mesh_results results = MESH_ANSWERS(answers);
	cr_assert_eq(wp_mesh_contact(workspace, &batch, &options, &results, NULL), WP_OK);
}

/* A scene: every kind of body at one surface. Returns how many rows it had. */
static size_t run_scene(uint64_t seed, uint32_t kind, uint32_t flags, tally *t)
{
	static answer raw[ROWS], ruled[ROWS];
	body bodies[ROWS];
	wp_shape shapes[SHAPES];
	const wp_hull *hulls[SHAPES] = {NULL};
	const wp_shape_table *table;
	gen_random random;
	gen_seed(&random, seed);
	const wp_mesh *const mesh = make_surface(&random, kind);
	for (uint32_t i = 0; i < SHAPES; i++)
		shapes[i] = make_shape(&random, i, &hulls[i]);
	const size_t size = wp_shape_table_size(SHAPES);
	void *const memory = block(size);
	cr_assert_eq(wp_shape_table_build(shapes, SHAPES, memory, size, &table, NULL), WP_OK);
	size_t count = 0;
	for (uint32_t i = 0; i < ROWS; i++) {
		bodies[count].shape = i % SHAPES;
		count += place_body(&random, mesh, &shapes[i % SHAPES], &bodies[count]);
	}
	const float max_separation = gen_below(&random, 2) != 0 ? 0.1f : 0;
	ask(table, mesh, bodies, count, max_separation, flags | WP_MESH_GHOSTS, raw);
	ask(table, mesh, bodies, count, max_separation, flags, ruled);
	for (size_t i = 0; i < count; i++) {
		pair p = {.of = &shapes[bodies[i].shape], .b = &bodies[i]};
		CHECK(raw[i].separation < 0, "seed %zu, row %zu: no overlap", (size_t)seed, i);
		CHECK(ruled[i].patch_count != 0 && ruled[i].separation <= 0, "seed %zu, row %zu: a contact of %g is lost, %g",
			(size_t)seed, i, (double)raw[i].separation, (double)ruled[i].separation);
		if (kind != ALONE)
			continue;
		p.face = read_triangle(mesh, 0, p.corners);
		judge_alone(&p, &raw[i], &ruled[i], t);
	}
	for (uint32_t i = 0; i < SHAPES; i++)
		if (hulls[i] != NULL)
			wp_cook_free(hulls[i]);
	block_free(memory);
	wp_cook_free_mesh(mesh);
	return count;
}

static void run_scenes(uint32_t kind, uint32_t flags, size_t least_rows, tally *t)
{
	size_t rows = 0;
	for (uint64_t i = 0; i < SCENES; i++)
		rows += run_scene(1000 * kind + i, kind, flags, t);
	cr_assert(rows >= least_rows, "%zu rows", rows);
}

Test(mesh_border, no_row_at_a_lone_triangle_loses_its_contact, .init = setup)
{
	tally t = {0};
	run_scenes(ALONE, 0, 9000, &t);
	cr_assert(t.beside > 100 && t.above > 50, "%zu beside, %zu above", t.beside, t.above);
	run_scenes(ALONE, WP_MESH_TWO_SIDED, 9000, &t);
}

Test(mesh_border, no_row_at_a_border_loses_its_contact, .init = setup)
{
	run_scenes(GRID, 0, 9000, NULL);
	run_scenes(HILLS, 0, 7000, NULL);
}

Test(mesh_border, no_row_in_a_soup_loses_its_contact, .init = setup)
{
	run_scenes(SOUP, 0, 1000, NULL);
	run_scenes(SOUP, WP_MESH_SOUP, 1000, NULL);
}

/* ---- rows that were lost ------------------------------------------------------------------------ */

/* A body at a lone triangle that had no contact, and how it is mended. */
typedef struct lost_row {
	uint32_t kind;
	float size[3];
	body b;
	float corners[3][3];
	bool is_beside;
} lost_row;

static const lost_row lost_rows[] = {
	{BOX, {0x1.9c8f78p-3f, 0x1.0ff07ep-3f, 0x1.9aecbcp-1f},
		{{-0x1.a8c44d032ddd8p-1, 0x1.e40e914acdc79p-1, -0x1.55e61c4d4243fp-1},
			{0x1.7d0606p-2f, 0x1.44f592p-1f, -0x1.419464p-2f, 0x1.333dd8p-1f}, 0},
		{{-0x1.1486f4p+0f, -0x1.8667dcp-1f, -0x1.a05136p-2f}, {-0x1.f0dd76p-1f, 0x1.f8612ep-1f, 0x1.27e764p-5f},
			{-0x1.2461b6p-2f, -0x1.f3fe0cp-3f, -0x1.54d0a4p+0f}},
		true},
	{CONE, {0x1.dfbec8p-3f, 0x1.ca0852p-1f, 0},
		{{0x1.093780bcd956p+0, -0x1.74abbf920aecep-3, -0x1.9b55f608ee317p-1},
			{0x1.38c5fap-5f, 0x1.040e9p-1f, 0x1.c010f6p-2f, -0x1.7b656ap-1f}, 0},
		{{0x1.f261dep-1f, -0x1.413382p-1f, 0x1.364a7cp-1f}, {0x1.cbc932p-1f, -0x1.6885f4p-3f, -0x1.ddd11ep-1f},
			{-0x1.1db9b8p+0f, -0x1.2ab022p-4f, 0x1.5a3eaap-1f}},
		true},
	{CYLINDER, {0x1.b73a06p-1f, 0x1.8ecafap-3f, 0},
		{{-0x1.48cd5dada443p-7, -0x1.9c182062b213ap-4, -0x1.40b1ba7043908p-4},
			{-0x1.68d1ap-1f, -0x1.036934p-3f, -0x1.8a7bb6p-2f, 0x1.2a1104p-1f}, 0},
		{{0x1.746e06p-2f, 0x1.d3520ap-4f, -0x1.3dec3ep-2f}, {-0x1.14c48p-4f, -0x1.9d5214p-2f, 0x1.16f042p-2f},
			{-0x1.82fd12p-2f, 0x1.08bdf4p-2f, -0x1.6e7ec2p-3f}},
		false},
	{ELLIPSOID, {0x1.707c44p-1f, 0x1.129a3cp-1f, 0x1.c1a956p-1f},
		{{-0x1.c7e6daca238b5p-1, 0x1.9718bebd21515p+0, -0x1.f2f3833f206dep-3},
			{-0x1.554268p-1f, 0x1.50049cp-1f, 0x1.5663ccp-2f, 0x1.d744c6p-4f}, 0},
		{{-0x1.1486f4p+0f, -0x1.8667dcp-1f, -0x1.a05136p-2f}, {-0x1.f0dd76p-1f, 0x1.f8612ep-1f, 0x1.27e764p-5f},
			{-0x1.2461b6p-2f, -0x1.f3fe0cp-3f, -0x1.54d0a4p+0f}},
		true},
	{CAPSULE, {0x1.1f3772p-1f, 0x1.3c0b26p-1f, 0},
		{{-0x1.6bd9df2e42c22p-1, -0x1.6f0ce69a3c1d6p-1, 0x1.edfb25c8061f9p-3},
			{-0x1.71668p-1f, 0x1.5236f8p-1f, -0x1.9948b8p-3f, 0x1.cc8e54p-5f}, 0},
		{{-0x1.89ccfp-2f, -0x1.93f9f4p-2f, 0x1.d8727ap-3f}, {0x1.2193dp-1f, -0x1.19067ep-4f, -0x1.6f442cp-3f},
			{-0x1.938a78p-4f, -0x1.2cbeacp-1f, 0x1.6f74a4p-5f}},
		false},
	{CONE, {0x1.5ad3b4p-2f, 0x1.de7f4p-2f, 0},
		{{-0x1.f06027f88686p-8, -0x1.2a4ca551cac42p-2, -0x1.b6142db4b0f4ap-3},
			{-0x1.4163d8p-1f, -0x1.03de16p-4f, -0x1.4d3c2ap-1f, 0x1.b0715ep-2f}, 0},
		{{-0x1.1912acp-3f, 0x1.4bbceap-3f, 0x1.51e88p-3f}, {-0x1.8b05acp-3f, 0x1.c3a736p-5f, 0x1.6ea9d8p-3f},
			{-0x1.1a04fep-3f, -0x1.88d2bcp-3f, -0x1.076af8p-3f}},
		false},
};

static wp_shape shape_of_row(const lost_row *r)
{
	const float *const s = r->size;
	return r->kind == BOX       ? wp_shape_box(s[0], s[1], s[2])
	     : r->kind == ELLIPSOID ? wp_shape_ellipsoid(s[0], s[1], s[2])
	     : r->kind == CAPSULE   ? wp_shape_capsule(s[0], s[1])
	     : r->kind == CYLINDER  ? wp_shape_cylinder(s[0], s[1])
	                            : wp_shape_cone(s[0], s[1]);
}

static const wp_shape_table *table_of(const wp_shape *of)
{
	const wp_shape_table *table;
	const size_t size = wp_shape_table_size(1);
	cr_assert_eq(wp_shape_table_build(of, 1, block(size), size, &table, NULL), WP_OK);
	return table;
}

Test(mesh_border, rows_that_were_lost, .init = setup)
{
	for (size_t i = 0; i < COUNT_OF(lost_rows); i++) {
		const lost_row *const r = &lost_rows[i];
		const wp_shape of = shape_of_row(r);
		const wp_shape_table *const table = table_of(&of);
		surface s = surface_allocate(3, 1);
		memcpy(s.vertices, r->corners, sizeof r->corners);
		memcpy(s.triangles[0], (const uint32_t[3]){0, 1, 2}, sizeof s.triangles[0]);
		const wp_mesh *const mesh = cook_surface(&s);
		pair p = {.of = &of, .b = &r->b};
		answer raw, ruled;
		tally t = {0};
		ask(table, mesh, &r->b, 1, 0, WP_MESH_GHOSTS, &raw);
		ask(table, mesh, &r->b, 1, 0, 0, &ruled);
		CHECK(ruled.patch_count == 1, "row %zu: %u patches", i, ruled.patch_count);
		p.face = read_triangle(mesh, 0, p.corners);
		judge_alone(&p, &raw, &ruled, &t);
		CHECK(t.beside == r->is_beside && t.above == !r->is_beside, "row %zu: separation %g, as it is %g", i,
			(double)ruled.separation, (double)raw.separation);
		wp_cook_free_mesh(mesh);
	}
}

/* An ellipsoid beside a floor that is deep in its border, and had a speculative contact with another triangle instead. */
Test(mesh_border, a_contact_that_overlaps_goes_before_one_that_does_not, .init = setup)
{
	static const body b = {{-0x1.0ed9265f8a91p-5, 0x1.e6fc7c963d1c8p-3, 0x1.5a67867c8dd76p+0},
		{0x1.319cb4p-1f, -0x1.8d3fb6p-2f, -0x1.1629ecp-1f, 0x1.c7b66ap-2f}, 0};
	const wp_shape of = wp_shape_ellipsoid(0x1.2aafp-1f, 0x1.176c4p-3f, 0x1.573bbp-1f);
	surface s = surface_grid(3, 3);
	for (size_t i = 0; i < s.vertex_count; i++)
		for (int k = 0; k < 3; k++)
			s.vertices[i][k] *= 0x1.58724ap-1f;
	const wp_mesh *const mesh = cook_surface(&s);
	answer raw, ruled;
	ask(table_of(&of), mesh, &b, 1, 0.1f, WP_MESH_GHOSTS, &raw);
	ask(table_of(&of), mesh, &b, 1, 0.1f, 0, &ruled);
	cr_assert(raw.separation < -0.18f);
	cr_assert(ruled.patch_count == 1 && ruled.separation == raw.separation, "%u patches, %g", ruled.patch_count,
		(double)ruled.separation);
	wp_cook_free_mesh(mesh);
}

/* A slab that leans through a flat floor: what of it is deepest lies below triangles that it does not touch. Those that it touches
 * once pushed it aside. */
static void lean_through_floor(const wp_mesh *mesh, uint32_t flags)
{
	static const float rotations[4][4] = {{0, 0, 0x1.917a6cp-4f, 0x1.fd88dap-1f},
		{0, 0, 0x1.2c8106p-3f, 0x1.fa7558p-1f}, {0, 0, 0x1.8f8b84p-3f, 0x1.f6297cp-1f},
		{0, 0, 0x1.f19f98p-3f, 0x1.f0a7fp-1f}};
	const wp_shape of = wp_shape_box(0.05f, 1, 0.5f);
	body bodies[ROWS];
	answer answers[ROWS];
	for (uint32_t i = 0; i < 4 * 8; i++) {
		bodies[i] = (body){.position = {3 + 0.125 * (i & 7), 0.1875, 3.25}};
		memcpy(bodies[i].rotation, rotations[i >> 3], sizeof bodies[i].rotation);
	}
	ask(table_of(&of), mesh, bodies, 4 * 8, 0, flags, answers);
	for (uint32_t i = 0; i < 4 * 8; i++) {
		CHECK(answers[i].patch_count == 1 && answers[i].normal[1] < -0.999999f && answers[i].separation < -0.25f,
			"row %u: %u patches, %g along %g %g %g", i, answers[i].patch_count, (double)answers[i].separation,
			(double)answers[i].normal[0], (double)answers[i].normal[1], (double)answers[i].normal[2]);
	}
}

Test(mesh_border, a_flat_floor_pushes_no_slab_aside, .init = setup)
{
	surface s = surface_grid(8, 8);
	const wp_mesh *const mesh = cook_surface(&s);
	lean_through_floor(mesh, 0);
	lean_through_floor(mesh, WP_MESH_SOUP);
	wp_cook_free_mesh(mesh);
}
