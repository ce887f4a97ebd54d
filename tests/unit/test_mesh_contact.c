/* Contacts of convex shapes with meshes: bodies that slide over flat floors feel no edge, and others find theirs. */
#include "core/contract.h"
#include "mesh_contact/internal.h"
#include "support/block.h"
#include "support/check.h"
#include "support/cooked.h"
#include "support/mesh_answer.h"
#include "support/mesh_bodies.h"
#include "support/mesh_triangle.h"
#include "support/oracle.h"
#include "support/shape_core.h"
#include "support/unit.h"
#include "widephase/mesh.h"

#include <math.h>

enum { BOX, SPHERE, CAPSULE, CYLINDER, HULL, CONE, ELLIPSOID, ROUNDED, SHAPES };

enum { PATCHES = WP_MESH_PATCH_MAX };

static const char *const shape_names[SHAPES] = {
	"box", "sphere", "capsule", "cylinder", "hull", "cone", "ellipsoid", "rounded box"};

static wp_shape shape[SHAPES];
static const wp_shape_table *table;
static wp_workspace *workspace;

/* ---- bodies ------------------------------------------------------------------------------------- */

/* A hull of points on a ball of radius 0.5. */
static const wp_hull *make_hull(size_t count)
{
	float points[64][3];
	gen_random random;
	gen_seed(&random, 7);
	for (size_t i = 0; i < count; i++) {
		const v3 at = v3_scale(gen_direction(&random), 0.5);
		surface_set(points[i], at.x, at.y, at.z);
	}
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_cook_points(points[0], 0, count, &hull, NULL), WP_OK);
	return hull;
}

static void setup(void)
{
	shape[BOX] = wp_shape_box(0.5f, 0.3f, 0.4f);
	shape[SPHERE] = wp_shape_sphere(0.5f);
	shape[CAPSULE] = wp_shape_capsule(0.25f, 0.3f);
	shape[CYLINDER] = wp_shape_cylinder(0.4f, 0.3f);
	shape[HULL] = wp_shape_hull(make_hull(32));
	shape[CONE] = wp_shape_cone(0.4f, 0.5f);
	shape[ELLIPSOID] = wp_shape_ellipsoid(0.5f, 0.2f, 0.4f);
	shape[ROUNDED] = wp_shape_box(0.5f, 0.2f, 0.4f);
	shape[ROUNDED].radius = 0.1f;
	const size_t size = wp_shape_table_size(SHAPES);
	cr_assert_eq(wp_shape_table_build(shape, SHAPES, block(size), size, &table, NULL), WP_OK);
	cr_assert_eq(wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace), WP_OK);
}

static body body_at(uint32_t of, v3 at) { return (body){{at.x, at.y, at.z}, {0, 0, 0, 1}, of}; }

/* Of a shape at a pose the farthest point along a direction. */
static v3 farthest(const body *b, v3 direction)
{
	const m3 turn = m3_of_quaternion(b->rotation);
	const wp_shape *const s = &shape[b->shape];
	const v3 core = m3_apply(turn, shape_core_point(s, m3_apply_inverse(turn, direction)));
	const v3 out = v3_add(core, v3_scale(v3_unit(direction), (double)s->radius));
	return v3_add(out, v3_of(b->position[0], b->position[1], b->position[2]));
}

/* ---- asking ------------------------------------------------------------------------------------- */

typedef MESH_ANSWER(PATCHES) answer;

static wp_mesh_results results_of(answer *answers) { return MESH_ANSWERS(answers); }

/* Bodies against a mesh at a pose. */
static wp_mesh_batch batch_of(const wp_mesh *const *mesh, const body *bodies, size_t count, const body *at)
{
	return (wp_mesh_batch){.shapes = table,
		.meshes = mesh,
		.mesh_count = 1,
		.a = bodies_of(bodies, count),
		.b = bodies_of(at, 1),
		.count = count};
}

static void ask(const wp_mesh *mesh, const body *bodies, size_t count, const body *at, float max_separation,
	uint32_t flags, answer *answers, wp_mesh_statistics *statistics)
{
	wp_mesh_batch batch = batch_of(&mesh, bodies, count, at);
	uint32_t *const zeros = calloc(count, sizeof *zeros);
	batch.pair_b.data = zeros;
	const wp_mesh_options options = {.max_separation = max_separation, .flags = flags};
	const wp_mesh_results results = results_of(answers);
	const wp_error error = wp_mesh_contact(workspace, &batch, &options, &results, statistics);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
	free(zeros);
}

/* ---- sliding ------------------------------------------------------------------------------------ */

enum { DIRECTIONS = 64, FRAMES = 60 };

/* Kinds of flat floors around the origin. Of the last two no triangle shares all of its vertices with its neighbours. */
enum { SQUARES, ANY_TRIANGLES, SLIVERS, SEAMS, JUNCTIONS };

static surface make_grid(uint32_t kind)
{
	surface s = kind == SLIVERS ? surface_grid(9, 6001) : surface_grid(25, 25);
	gen_random random;
	gen_seed(&random, 11);
	for (size_t i = 0; i < s.vertex_count; i++) {
		float *const at = s.vertices[i];
		const double x = (double)at[0] - (kind == SLIVERS ? 4 : 12), z = (double)at[2] - (kind == SLIVERS ? 3000 : 12);
		const double aside = kind == ANY_TRIANGLES ? 0.24 : 0.0;
		surface_set(at, x + gen_range(&random, -aside, aside), 0.0,
			(kind == SLIVERS ? 1e-3 : 1.0) * z + gen_range(&random, -aside, aside));
	}
	return s;
}

/* Squares of triangles with corners of their own, each moved by up to 2e-6. */
static surface make_seams(void)
{
	surface grid = make_grid(SQUARES);
	surface s = surface_allocate(3 * grid.triangle_count, grid.triangle_count);
	gen_random random;
	gen_seed(&random, 13);
	for (uint32_t i = 0; i < 3 * s.triangle_count; i++) {
		const float *const at = grid.vertices[grid.triangles[i / 3][i % 3]];
		const v3 off = v3_scale(gen_direction(&random), gen_range(&random, 1e-6, 2e-6));
		surface_set(s.vertices[i], (double)at[0] + off.x, off.y, (double)at[2] + off.z);
		s.triangles[i / 3][i % 3] = i;
	}
	surface_free(&grid);
	return s;
}

/* Strips of rectangles of different widths, all turned, so that no corner lies on the edges of the next strip in floats. */
static surface make_junctions(void)
{
	enum { STRIPS = 24, WIDE = 24 };
	surface s = surface_allocate(2 * STRIPS * (WIDE + 1), 2 * STRIPS * WIDE);
	gen_random random;
	gen_seed(&random, 17);
	for (uint32_t strip = 0; strip < STRIPS; strip++)
		for (uint32_t i = 0; i <= WIDE; i++) {
			const double x = i + gen_range(&random, -0.45, 0.45) - WIDE / 2;
			for (uint32_t side = 0; side < 2; side++) {
				const double z = (double)strip + side - STRIPS / 2;
				surface_set(s.vertices[2 * ((WIDE + 1) * strip + i) + side], 0.8 * x - 0.6 * z, 0, 0.6 * x + 0.8 * z);
			}
		}
	for (uint32_t i = 0; i < STRIPS * WIDE; i++) {
		const uint32_t a = 2 * (i + i / WIDE), both[2][3] = {{a, a + 1, a + 2}, {a + 1, a + 3, a + 2}};
		memcpy(s.triangles[2 * i], both, sizeof both);
	}
	return s;
}

static surface make_floor(uint32_t kind)
{
	return kind == SEAMS ? make_seams() : kind == JUNCTIONS ? make_junctions() : make_grid(kind);
}

/* Bodies of one shape on their ways over the floor, as deep in it as `depth`, in world axes; the floor is at a pose. */
static size_t make_slides(uint32_t of, double reach, uint32_t frames, const body *at, body *bodies, double *depth)
{
	gen_random random;
	gen_seed(&random, 1000 + of);
	const m3 turn = m3_of_quaternion(at->rotation);
	size_t made = 0;
	for (uint32_t d = 0; d < DIRECTIONS; d++) {
		const double angle = 6.283185307179586 * d / DIRECTIONS, speed = gen_magnitude(&random, 1.0, 30.0) / 60.0;
		body b = body_at(of, v3_of(0, 0, 0));
		if (d % 2 == 0)
			gen_rotation(&random, b.rotation);
		else
			memcpy(b.rotation, at->rotation, sizeof b.rotation);
		const double sunk = d % 4 < 2 ? 0.005 : 0.03;
		const v3 up = turn.y, lowest = farthest(&b, v3_scale(up, -1.0));
		for (uint32_t frame = 0; frame < frames; frame++) {
			const double way = fmod(speed * frame + gen_range(&random, 0, 1e-3), 2 * reach) - reach;
			const v3 local = v3_of(way * cos(angle), 0, way * sin(angle));
			const v3 place = v3_add(m3_apply(turn, local), v3_scale(up, -sunk - v3_dot(up, lowest)));
			b.position[0] = at->position[0] + place.x;
			b.position[1] = at->position[1] + place.y;
			b.position[2] = at->position[2] + place.z;
			depth[made] = sunk;
			bodies[made++] = b;
		}
	}
	return made;
}

/* Frames without a contact, and those with a normal or a depth that is not the floor's. */
static void slide(uint32_t kind, double reach, uint32_t frames, const body *at, uint32_t flags)
{
	static body bodies[DIRECTIONS * FRAMES];
	static double depth[DIRECTIONS * FRAMES];
	static answer answers[DIRECTIONS * FRAMES];
	surface s = make_floor(kind);
	const wp_mesh *const mesh = cook_surface(&s);
	const v3 down = v3_scale(m3_of_quaternion(at->rotation).y, -1.0);
	for (uint32_t of = 0; of < SHAPES; of++) {
		const size_t count = make_slides(of, reach, frames, at, bodies, depth);
		wp_mesh_statistics statistics = {0};
		ask(mesh, bodies, count, at, 0.02f, flags, answers, &statistics);
		size_t lost = 0, ghosts = 0, wrong = 0;
		for (size_t i = 0; i < count; i++) {
			const answer *const a = &answers[i];
			lost += a->patch_count == 0;
			bool is_ghost = false;
			for (uint32_t k = 0; k < a->patch_count; k++)
				is_ghost |= !(v3_length(v3_sub(v3_of_floats(a->patch[k].normal), down)) <= 1e-4);
			ghosts += is_ghost;
			wrong += !(fabs((double)a->separation + depth[i]) <= 1e-4);
		}
		CHECK(lost == 0 && ghosts == 0 && wrong == 0, "floor %u, %s: %zu of %zu lost, %zu ghosts, %zu of another depth",
			kind, shape_names[of], lost, count, ghosts, wrong);
	}
	wp_cook_free_mesh(mesh);
}

static const body plain = {.rotation = {0, 0, 0, 1}};
static const body far_away = {.position = {1e6, -2e6, 3e6}, .rotation = {0.1f, 0.7f, -0.5f, 0.5f}};

Test(mesh_contact, slides_over_squares, .init = setup) { slide(SQUARES, 8, FRAMES, &plain, 0); }
Test(mesh_contact, slides_over_squares_far_away, .init = setup) { slide(SQUARES, 8, FRAMES, &far_away, 0); }
Test(mesh_contact, slides_over_any_triangles, .init = setup) { slide(ANY_TRIANGLES, 8, FRAMES, &far_away, 0); }
Test(mesh_contact, slides_over_slivers, .init = setup) { slide(SLIVERS, 1.5, (uint32_t)rounds(4), &plain, 0); }
Test(mesh_contact, slides_over_squares_as_soup, .init = setup) { slide(SQUARES, 8, 8, &plain, WP_MESH_SOUP); }
Test(mesh_contact, slides_over_seams, .init = setup) { slide(SEAMS, 8, FRAMES, &plain, WP_MESH_SOUP); }
Test(mesh_contact, slides_over_junctions, .init = setup) { slide(JUNCTIONS, 8, FRAMES, &plain, WP_MESH_SOUP); }
Test(mesh_contact, slides_over_junctions_far_away, .init = setup) { slide(JUNCTIONS, 8, 8, &far_away, WP_MESH_SOUP); }

/* Ghosts of each kind of body. */
static void expect_ghosts(uint32_t kind, uint32_t flags)
{
	static body bodies[DIRECTIONS * FRAMES];
	static double depth[DIRECTIONS * FRAMES];
	static answer answers[DIRECTIONS * FRAMES];
	surface s = make_floor(kind);
	const wp_mesh *const mesh = cook_surface(&s);
	for (uint32_t of = 0; of < SHAPES; of++) {
		const size_t count = make_slides(of, 8, FRAMES, &plain, bodies, depth);
		ask(mesh, bodies, count, &plain, 0.02f, flags, answers, NULL);
		size_t ghosts = 0;
		for (size_t i = 0; i < count; i++)
			for (uint32_t k = 0; k < answers[i].patch_count; k++)
				ghosts += answers[i].patch[k].normal[1] > -0.999f;
		CHECK(ghosts > 100, "floor %u, %s: %zu ghosts", kind, shape_names[of], ghosts);
	}
	wp_cook_free_mesh(mesh);
}

/* What the rule is for: contacts as they are have ghosts on the same floor. */
Test(mesh_contact, contacts_as_they_are_have_ghosts, .init = setup) { expect_ghosts(SQUARES, WP_MESH_GHOSTS); }

/* What soups are for: where vertices are not shared, the rule without them leaves ghosts. */
Test(mesh_contact, seams_and_junctions_have_ghosts, .init = setup)
{
	expect_ghosts(SEAMS, 0);
	expect_ghosts(JUNCTIONS, 0);
}

/* ---- what bodies rest on ------------------------------------------------------------------------ */

static const wp_mesh *cook_of(
	size_t vertex_count, const float (*vertices)[3], size_t triangle_count, const uint32_t (*triangles)[3])
{
	surface s = surface_allocate(vertex_count, triangle_count);
	memcpy(s.vertices, vertices, vertex_count * sizeof *vertices);
	memcpy(s.triangles, triangles, triangle_count * sizeof *triangles);
	return cook_surface(&s);
}

static void expect_patch(const wp_mesh_patch *patch, v3 normal, double separation, uint32_t points)
{
	const v3 got = v3_of_floats(patch->normal);
	cr_assert(v3_length(v3_sub(got, normal)) < 1e-5 && fabs((double)patch->separation - separation) < 1e-5 &&
				  patch->point_count == points,
		"normal %g %g %g, separation %g, %u points", got.x, got.y, got.z, (double)patch->separation,
		patch->point_count);
}

/* Two slopes of a roof that meet at x = 0, from -4 to 4 along z, falling or rising to both sides by half. As a soup the slope
 * to the right has corners of its own, and one triangle more: its corners at the top lie on the edge of the other slope. */
static const wp_mesh *cook_roof(float rise, uint32_t flags)
{
	const float vertices[6][3] = {{0, 0, -4}, {0, 0, 4}, {4, rise, -4}, {4, rise, 4}, {-4, rise, -4}, {-4, rise, 4}};
	static const uint32_t triangles[4][3] = {{0, 1, 2}, {1, 3, 2}, {4, 5, 0}, {5, 1, 0}};
	const float apart[9][3] = {{0, 0, -4}, {0, 0, 4}, {-4, rise, -4}, {-4, rise, 4}, {1e-6f, 0, -4}, {0, -1e-6f, -1},
		{1e-6f, 0, 4}, {4, rise, -4}, {4, rise, 4}};
	static const uint32_t soup[5][3] = {{2, 3, 0}, {3, 1, 0}, {4, 5, 7}, {5, 8, 7}, {5, 6, 8}};
	return (flags & WP_MESH_SOUP) != 0 ? cook_of(9, apart, 5, soup) : cook_of(6, vertices, 4, triangles);
}

static void expect_ridge(uint32_t flags)
{
	const wp_mesh *const mesh = cook_roof(-2, flags);
	const body sphere = body_at(SPHERE, v3_of(0, 0.49, 0.3)), box = body_at(BOX, v3_of(0, 0.28, 0));
	answer a;
	ask(mesh, &sphere, 1, &plain, 0, flags, &a, NULL);
	cr_assert_eq(a.patch_count, 1);
	expect_patch(&a.patch[0], v3_of(0, -1, 0), -0.01, 1);
	ask(mesh, &box, 1, &plain, 0, flags, &a, NULL);
	cr_assert_eq(a.patch_count, 1);
	expect_patch(&a.patch[0], v3_of(0, -1, 0), -0.02, 2);
	wp_cook_free_mesh(mesh);
}

Test(mesh_contact, a_ridge_keeps_its_normal, .init = setup)
{
	expect_ridge(0);
	expect_ridge(WP_MESH_SOUP);
}

static void expect_valley(uint32_t flags)
{
	const wp_mesh *const mesh = cook_roof(2, flags);
	const double slope = 1 / sqrt(5.0);
	const v3 left = v3_of(-slope, -2 * slope, 0), right = v3_of(slope, -2 * slope, 0);
	const body sphere = body_at(SPHERE, v3_of(0, 0.49 / (2 * slope), 0.3));
	answer a;
	ask(mesh, &sphere, 1, &plain, 0, flags, &a, NULL);
	cr_assert_eq(a.patch_count, 2);
	const bool is_left = a.patch[0].normal[0] < 0;
	expect_patch(&a.patch[0], is_left ? left : right, -0.01, 1);
	expect_patch(&a.patch[1], is_left ? right : left, -0.01, 1);
	wp_cook_free_mesh(mesh);
}

Test(mesh_contact, a_valley_has_both_its_faces, .init = setup)
{
	expect_valley(0);
	expect_valley(WP_MESH_SOUP);
}

/* A floor that ends: beside its border a sphere touches the edge, above it the floor. */
static void expect_border(uint32_t flags)
{
	surface s = surface_grid(3, 3);
	const wp_mesh *const mesh = cook_surface(&s);
	const double aside = 0.3, up = 0.4 - 0.01;
	body bodies[2] = {body_at(SPHERE, v3_of(1, 0.49, 0.99)), body_at(SPHERE, v3_of(2 + aside, up, 1.3))};
	answer a[2];
	ask(mesh, bodies, 2, &plain, 0, flags, a, NULL);
	cr_assert_eq(a[0].patch_count, 1);
	expect_patch(&a[0].patch[0], v3_of(0, -1, 0), -0.01, 1);
	const double away = sqrt(aside * aside + up * up);
	cr_assert_eq(a[1].patch_count, 1);
	expect_patch(&a[1].patch[0], v3_of(-aside / away, -up / away, 0), away - 0.5, 1);
	wp_cook_free_mesh(mesh);
}

Test(mesh_contact, a_border_keeps_its_edge, .init = setup)
{
	expect_border(0);
	expect_border(WP_MESH_SOUP);
}

/* The slope of a pyramid of triangles that share no vertices: its top is a corner, whose normals are between all slopes. */
Test(mesh_contact, a_spike_of_a_soup_keeps_its_corner, .init = setup)
{
	float vertices[12][3];
	uint32_t triangles[4][3];
	for (uint32_t i = 0; i < 4; i++) {
		const double angle = 1.5707963267948966 * i, next = angle + 1.5707963267948966;
		surface_set(vertices[3 * i], 1e-6 * i, 1, 0);
		surface_set(vertices[3 * i + 1], sin(angle), 0, cos(angle));
		surface_set(vertices[3 * i + 2], sin(next), 0, cos(next));
		for (uint32_t k = 0; k < 3; k++)
			triangles[i][k] = 3 * i + k;
	}
	const wp_mesh *const mesh = cook_of(12, (const float(*)[3])vertices, 4, (const uint32_t(*)[3])triangles);
	const v3 out = v3_unit(v3_of(0.2, 1, 0.1));
	const body sphere = body_at(SPHERE, v3_add(v3_of(0, 1, 0), v3_scale(out, 0.49)));
	answer a;
	ask(mesh, &sphere, 1, &plain, 0, WP_MESH_SOUP, &a, NULL);
	cr_assert_eq(a.patch_count, 1);
	expect_patch(&a.patch[0], v3_scale(out, -1), -0.01, 1);
	wp_cook_free_mesh(mesh);
}

Test(mesh_contact, one_side_or_two, .init = setup)
{
	surface s = surface_grid(5, 5);
	const wp_mesh *const mesh = cook_surface(&s);
	const body below = body_at(BOX, v3_of(2.1, -0.25, 2.2));
	answer a;
	ask(mesh, &below, 1, &plain, 0, 0, &a, NULL);
	cr_assert(a.patch_count == 0 && a.status == (WP_STATUS_SEPARATED | WP_STATUS_BEYOND) && isinf(a.separation));
	ask(mesh, &below, 1, &plain, 0, WP_MESH_TWO_SIDED, &a, NULL);
	cr_assert_eq(a.patch_count, 1);
	expect_patch(&a.patch[0], v3_of(0, 1, 0), -0.05, 4);
	cr_assert_eq(a.status, WP_STATUS_PENETRATING);
	wp_cook_free_mesh(mesh);
}

/* A body turned so that x goes to y, y to z and z to x, so many times. */
static body turned_round(body b, int times)
{
	static const float turns[3][4] = {{0, 0, 0, 1}, {0.5f, 0.5f, 0.5f, 0.5f}, {-0.5f, -0.5f, -0.5f, 0.5f}};
	const double at[3] = {b.position[0], b.position[1], b.position[2]};
	for (int k = 0; k < 3; k++)
		b.position[(k + times) % 3] = at[k];
	memcpy(b.rotation, turns[times], sizeof b.rotation);
	return b;
}

/* A box on a floor of more triangles than the ring holds has the four corners of its face, and so at walls across the other axes. */
Test(mesh_contact, a_box_on_many_triangles_stands_on_its_corners, .init = setup)
{
	for (int times = 0; times < 3; times++) {
		surface s = surface_grid(101, 101);
		surface_scale(&s, 0.02, 1, 0.02);
		for (size_t i = 0; i < s.vertex_count; i++) {
			const float at[3] = {s.vertices[i][0], s.vertices[i][1], s.vertices[i][2]};
			for (int k = 0; k < 3; k++)
				s.vertices[i][(k + times) % 3] = at[k];
		}
		const wp_mesh *const mesh = cook_surface(&s);
		const body box = turned_round(body_at(BOX, v3_of(1.003, 0.299, 0.997)), times);
		answer a;
		wp_mesh_statistics statistics = {0};
		ask(mesh, &box, 1, &plain, 0.01f, 0, &a, &statistics);
		cr_assert_eq(a.patch_count, 1);
		expect_patch(&a.patch[0], v3_of(times == 2 ? -1 : 0, times == 0 ? -1 : 0, times == 1 ? -1 : 0), -0.001, 4);
		for (uint32_t i = 0; i < 4; i++) {
			const wp_mesh_point *const p = &a.patch[0].points[i];
			CHECK(fabs(fabs((double)p->local_a[0]) - 0.5) < 1e-5 && fabs(fabs((double)p->local_a[2]) - 0.4) < 1e-5 &&
					  fabs((double)p->local_a[1] + 0.3) < 1e-5,
				"point %u at %g %g %g", i, (double)p->local_a[0], (double)p->local_a[1], (double)p->local_a[2]);
			for (uint32_t k = 0; k < i; k++)
				CHECK(p->feature_a != a.patch[0].points[k].feature_a, "points %u and %u have one feature", i, k);
		}
		cr_assert(a.triangle_count > 4000 && statistics.touched == a.triangle_count && statistics.touching == 1 &&
				  statistics.rows == 1 && statistics.solved >= a.triangle_count);
		wp_cook_free_mesh(mesh);
	}
}

/* A box over a pad of many triangles, or of two, and over a floor of as many that is a little lower, rests on the corners of the
 * pad: what does not touch holds nothing up, though it is farther out. */
static void expect_corners_of_pad(uint32_t cells)
{
	const double wide[2] = {0.35, 0.7}, low[2] = {0, -0.006};
	surface s = surface_grid(cells + 1, 2 * (cells + 1));
	for (size_t i = 0; i < s.vertex_count; i++) {
		const uint32_t row = (uint32_t)s.vertices[i][2], of = row > cells;
		const double x = 2.0 * (double)s.vertices[i][0] / cells - 1, z = 2.0 * (row - of * (cells + 1)) / cells - 1;
		surface_set(s.vertices[i], wide[of] * x, low[of], wide[of] * z);
	}
	/* None from the pad to the floor. */
	const size_t of_pad = 2 * cells * cells, between = 2 * cells;
	memmove(s.triangles[of_pad], s.triangles[of_pad + between], of_pad * sizeof *s.triangles);
	s.triangle_count = 2 * of_pad;
	const wp_mesh *const mesh = cook_surface(&s);
	const body box = body_at(BOX, v3_of(0, 0.3 - 1e-4, 0));
	answer a;
	ask(mesh, &box, 1, &plain, 0.01f, 0, &a, NULL);
	cr_assert_eq(a.patch_count, 1);
	expect_patch(&a.patch[0], v3_of(0, -1, 0), -1e-4, 4);
	for (uint32_t i = 0; i < 4; i++) {
		const wp_mesh_point *const p = &a.patch[0].points[i];
		CHECK(fabs(fabs((double)p->local_b[0]) - wide[0]) < 1e-5 && fabs(fabs((double)p->local_b[2]) - wide[0]) < 1e-5,
			"%u cells, point %u at %g %g", cells, i, (double)p->local_b[0], (double)p->local_b[2]);
	}
	wp_cook_free_mesh(mesh);
}

Test(mesh_contact, a_box_rests_on_what_it_touches, .init = setup)
{
	expect_corners_of_pad(1);
	expect_corners_of_pad(20);
}

/* A sphere and a capsule on more triangles than a row has room for when it goes down the tree beside others. */
Test(mesh_contact, round_bodies_on_many_triangles, .init = setup)
{
	surface s = surface_grid(101, 101);
	surface_scale(&s, 0.02, 1, 0.02);
	const wp_mesh *const mesh = cook_surface(&s);
	body bodies[3] = {body_at(SPHERE, v3_of(1.003, 0.499, 0.997)), body_at(CAPSULE, v3_of(1.003, 0.249, 0.997)),
		body_at(SPHERE, v3_of(1.0, 0.5 + 1e-3, 1.0))};
	const float lying[4] = {0.70710678f, 0, 0, 0.70710678f};
	memcpy(bodies[1].rotation, lying, sizeof lying);
	answer a[3];
	wp_mesh_statistics statistics = {0};
	ask(mesh, bodies, 3, &plain, 0.01f, 0, a, &statistics);
	for (uint32_t i = 0; i < 3; i++) {
		cr_assert_eq(a[i].patch_count, 1);
		expect_patch(&a[i].patch[0], v3_of(0, -1, 0), i == 2 ? 0.001 : -0.001, i == 1 ? 2 : 1);
	}
	cr_assert(fabs(fabs((double)a[1].patch[0].points[0].local_a[1]) - 0.3) < 1e-5);
	cr_assert_neq(a[1].patch[0].points[0].feature_a, a[1].patch[0].points[1].feature_a);
	cr_assert(statistics.triangles > 8000 && statistics.solved < 1000, "%zu of %zu", (size_t)statistics.solved,
		(size_t)statistics.triangles);
	cr_assert_eq(statistics.behind + statistics.beyond + statistics.solved, statistics.triangles);
	wp_cook_free_mesh(mesh);
}

/* A body turned about the upright axis, and then by little about another one, at a place. */
static body leaning(uint32_t of, v3 at, double turn, double tilt, double way)
{
	body b = body_at(of, at);
	const double half = tilt / 2, sine = sin(turn / 2), cosine = cos(turn / 2);
	b.rotation[0] = (float)(half * (cos(way) * cosine - sin(way) * sine));
	b.rotation[1] = (float)sine;
	b.rotation[2] = (float)(half * (sin(way) * cosine + cos(way) * sine));
	b.rotation[3] = (float)cosine;
	return b;
}

/* Area of four points of a body across its Y axis: half the product of the diagonals, for whichever two they are. */
static double area_of_points(const wp_mesh_patch *patch)
{
	double most = 0;
	for (uint32_t i = 1; i < 4; i++) {
		const float *const a = patch->points[0].local_a, *const b = patch->points[i].local_a;
		const float *const c = patch->points[i % 3 + 1].local_a, *const d = patch->points[(i + 1) % 3 + 1].local_a;
		const double area = (double)(b[0] - a[0]) * (double)(d[2] - c[2]) -
		                    (double)(b[2] - a[2]) * (double)(d[0] - c[0]);
		most = fmax(most, fabs(area) / 2);
	}
	return patch->point_count == 4 ? most : 0;
}

enum { RESTING = 600 };

/* Boxes at rest keep all corners of their face, however little it leans: along its lowest side many points are as deep. Every other
 * one has a side at right angles to the direction that tells such points apart. */
Test(mesh_contact, points_of_a_box_at_rest_span_its_face, .init = setup)
{
	surface s = surface_grid(25, 25);
	const wp_mesh *const mesh = cook_surface(&s);
	static body boxes[RESTING];
	static answer a[RESTING];
	gen_random random;
	gen_seed(&random, 23);
	for (uint32_t i = 0; i < RESTING; i++) {
		const v3 at = v3_of(gen_range(&random, 8, 16), 0.2999, gen_range(&random, 8, 16));
		const double turn = i % 2 == 0 ? gen_range(&random, 0, 6.28)
		                               : atan2(0.8, 0.6) + 1.5707963267948966 * (i / 2 % 4);
		boxes[i] = leaning(BOX, at, turn, gen_magnitude(&random, 1e-7, 1e-4), gen_range(&random, 0, 6.28));
	}
	ask(mesh, boxes, RESTING, &plain, 0.01f, 0, a, NULL);
	for (uint32_t i = 0; i < RESTING; i++) {
		const double area = area_of_points(&a[i].patch[0]);
		CHECK(a[i].patch_count == 1 && area > 0.999 * 0.8, "pose %u: %u points span %g of 0.8", i,
			a[i].patch[0].point_count, area);
	}
	wp_cook_free_mesh(mesh);
}

/* A box that leans, with all of its lower face in the floor, has the corners of that face: points that touch count alike, however
 * much deeper others are. */
Test(mesh_contact, a_box_that_leans_in_the_floor_has_its_corners, .init = setup)
{
	enum { LEANING = 100 };
	surface s = surface_grid(25, 25);
	const wp_mesh *const mesh = cook_surface(&s);
	static body boxes[LEANING];
	static answer a[LEANING];
	gen_random random;
	gen_seed(&random, 31);
	for (uint32_t i = 0; i < LEANING; i++) {
		const v3 at = v3_of(gen_range(&random, 8, 16), 0.26, gen_range(&random, 8, 16));
		boxes[i] = leaning(BOX, at, gen_range(&random, 0, 6.28), 0.05, gen_range(&random, 0, 6.28));
	}
	ask(mesh, boxes, LEANING, &plain, 0.01f, 0, a, NULL);
	for (uint32_t i = 0; i < LEANING; i++) {
		const double area = area_of_points(&a[i].patch[0]);
		CHECK(a[i].patch_count == 1 && area > 0.99 * 0.8, "pose %u: %u points span %g of 0.8", i,
			a[i].patch[0].point_count, area);
	}
	wp_cook_free_mesh(mesh);
}

/* On a floor that hardly bends, so that all of it is one patch, the deepest point of a box, which is within its face, takes the
 * place of the nearest corner; a cylinder has both ends of its line and its deepest point. */
Test(mesh_contact, the_deepest_point_joins_the_corners, .init = setup)
{
	surface s = surface_grid(25, 25);
	for (size_t i = 0; i < s.vertex_count; i++) {
		const double x = 0.1 * ((double)s.vertices[i][0] - 12), z = 0.1 * ((double)s.vertices[i][2] - 12);
		surface_set(s.vertices[i], x, -1e-4 * (x * x + z * z), z);
	}
	const wp_mesh *const mesh = cook_surface(&s);
	body bodies[5];
	for (uint32_t i = 0; i < 4; i++)
		bodies[i] = body_at(BOX, v3_of(i % 2 == 0 ? 0.2 : -0.2, 0.3 - 5e-4, i < 2 ? 0.1 : -0.1));
	bodies[4] = body_at(CYLINDER, v3_of(0, 0.4 - 5e-4, 0));
	memcpy(bodies[4].rotation, (float[4]){0.70710678f, 0, 0, 0.70710678f}, sizeof bodies[4].rotation);
	answer a[5];
	ask(mesh, bodies, 5, &plain, 0.01f, 0, a, NULL);
	for (uint32_t i = 0; i < 5; i++) {
		const wp_mesh_patch *const patch = &a[i].patch[0];
		const double *const at = bodies[i].position;
		const float *const first = patch->points[0].point_b;
		CHECK(a[i].patch_count == 1 && patch->point_count == (i < 4 ? 4 : 3), "body %u: %u patches, %u points", i,
			a[i].patch_count, patch->point_count);
		CHECK(hypot((double)first[0], (double)first[2]) < 0.2, "body %u: the first at %g %g", i, (double)first[0],
			(double)first[2]);
		for (uint32_t k = 1; k < patch->point_count; k++) {
			const float *const p = patch->points[k].local_a;
			const bool is_end = i < 4 ? fabs(fabs((double)p[0]) - 0.5) < 1e-3 && fabs(fabs((double)p[2]) - 0.4) < 1e-3
			                          : fabs(fabs((double)p[1]) - 0.3) < 1e-3;
			const bool is_nearest = i < 4 && (double)p[0] * at[0] < 0 && (double)p[2] * at[2] < 0;
			CHECK(
				is_end && !is_nearest, "body %u: point %u at %g %g %g", i, k, (double)p[0], (double)p[1], (double)p[2]);
		}
	}
	wp_cook_free_mesh(mesh);
}

/* A cylinder that lies on a plane of triangles has the ends of a line: each triangle has its own, aside from the others' by
 * rounding. */
Test(mesh_contact, a_cylinder_lies_on_two_points, .init = setup)
{
	surface s = surface_grid(25, 25);
	const wp_mesh *const mesh = cook_surface(&s);
	static body bodies[RESTING];
	static answer a[RESTING];
	gen_random random;
	gen_seed(&random, 29);
	for (uint32_t i = 0; i < RESTING; i++) {
		const double turn = gen_range(&random, 0, 3.1), half = sqrt(0.5), x = half * cos(turn), y = half * sin(turn);
		bodies[i] = body_at(CYLINDER, v3_of(gen_range(&random, 8, 16), 0.399, gen_range(&random, 8, 16)));
		memcpy(bodies[i].rotation, (float[4]){(float)x, (float)y, (float)-y, (float)x}, sizeof bodies[i].rotation);
	}
	ask(mesh, bodies, RESTING, &plain, 0.01f, 0, a, NULL);
	for (uint32_t i = 0; i < RESTING; i++) {
		const wp_mesh_patch *const patch = &a[i].patch[0];
		const double length = fabs((double)patch->points[0].local_a[1] - (double)patch->points[1].local_a[1]);
		CHECK(a[i].patch_count == 1 && patch->point_count == 2 && fabs(length - 0.6) < 1e-4,
			"%u: %u patches, %u points, %g apart", i, a[i].patch_count, patch->point_count, length);
	}
	wp_cook_free_mesh(mesh);
}

/* A capsule that lies along a ridge rests on both ends of it; across it, on one point. */
Test(mesh_contact, a_capsule_on_a_ridge, .init = setup)
{
	const wp_mesh *const mesh = cook_roof(-2, 0);
	body bodies[2] = {body_at(CAPSULE, v3_of(0, 0.24, 0.3)), body_at(CAPSULE, v3_of(0, 0.24, 0.3))};
	const float along[4] = {0.70710678f, 0, 0, 0.70710678f}, across[4] = {0, 0, 0.70710678f, 0.70710678f};
	memcpy(bodies[0].rotation, along, sizeof along);
	memcpy(bodies[1].rotation, across, sizeof across);
	answer a[2];
	ask(mesh, bodies, 2, &plain, 0, 0, a, NULL);
	for (uint32_t i = 0; i < 2; i++) {
		cr_assert_eq(a[i].patch_count, 1);
		expect_patch(&a[i].patch[0], v3_of(0, -1, 0), -0.01, 2 - i);
	}
	wp_cook_free_mesh(mesh);
}

/* Beside a kerb a box touches its side, and a part of it, as wide as that overlap, is above the kerb. That part is as deep as
 * the kerb is high, but it is no contact: where the box ends between two triangles, one that it hardly touches has another
 * normal. */
Test(mesh_contact, a_kerb_is_no_deeper_than_its_side, .init = setup)
{
	static const float profile[4][2] = {{-2, 0}, {2, 0}, {2, 0.1f}, {6, 0.1f}};
	surface s = surface_allocate(4 * 9, 2 * 3 * 8);
	size_t made = 0;
	for (uint32_t x = 0; x < 9; x++)
		for (uint32_t k = 0; k < 4; k++)
			surface_set(s.vertices[4 * x + k], x, (double)profile[k][1], (double)profile[k][0]);
	for (uint32_t x = 0; x < 8; x++)
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t a = 4 * x + k, both[2][3] = {{a, a + 1, a + 4}, {a + 1, a + 5, a + 4}};
			memcpy(s.triangles[made], both, sizeof both);
			made += 2;
		}
	const wp_mesh *const mesh = cook_surface(&s);
	enum { STEPS = 200 };
	body bodies[STEPS];
	static answer answers[STEPS];
	for (uint32_t i = 0; i < STEPS; i++)
		bodies[i] = body_at(BOX, v3_of(3.4 + 0.001 * i, 0.29, 1.605));
	ask(mesh, bodies, STEPS, &plain, 0.02f, 0, answers, NULL);
	for (uint32_t i = 0; i < STEPS; i++) {
		cr_assert_eq(answers[i].patch_count, 2, "step %u: %u patches", i, answers[i].patch_count);
		expect_patch(&answers[i].patch[0], v3_of(0, -1, 0), -0.01, 4);
		expect_patch(&answers[i].patch[1], v3_of(0, 0, 1), -0.005, 4);
	}
	wp_cook_free_mesh(mesh);
}

/* A groove whose faces turn little by little, by less than what makes a normal another one: a sphere of nearly its radius
 * touches many, but no patch has a point of a face with another normal. */
Test(mesh_contact, points_of_a_patch_have_its_normal, .init = setup)
{
	enum { FACES = 200 };
	surface s = surface_allocate(2 * (FACES + 1), 2 * FACES);
	for (uint32_t i = 0; i <= FACES; i++) {
		const double angle = 1.2e-3 * (i - FACES / 2.0), x = 0.55 * sin(angle), y = 0.55 - 0.55 * cos(angle);
		surface_set(s.vertices[2 * i], x, y, -1);
		surface_set(s.vertices[2 * i + 1], x, y, 1);
	}
	for (uint32_t i = 0; i < FACES; i++) {
		const uint32_t a = 2 * i, both[2][3] = {{a, a + 1, a + 2}, {a + 1, a + 3, a + 2}};
		memcpy(s.triangles[2 * i], both, sizeof both);
	}
	const wp_mesh *const mesh = cook_surface(&s);
	enum { STEPS = 50 };
	body bodies[STEPS];
	static answer answers[STEPS];
	for (uint32_t i = 0; i < STEPS; i++)
		bodies[i] = body_at(SPHERE, v3_of(2e-4 * (i - 25.0), 0.49, 1e-3 * i));
	ask(mesh, bodies, STEPS, &plain, 0, 0, answers, NULL);
	size_t shared = 0;
	for (uint32_t i = 0; i < STEPS; i++)
		for (uint32_t k = 0; k < answers[i].patch_count; k++) {
			const wp_mesh_patch *const patch = &answers[i].patch[k];
			for (uint32_t j = 0; j < patch->point_count; j++) {
				float face[3];
				wp_mesh_normal(mesh, patch->points[j].triangle, face);
				const double off = v3_length(v3_add(v3_of_floats(face), v3_of_floats(patch->normal)));
				shared += off > 1e-3;
				CHECK(off < 3e-3, "step %u: a point of a normal %g off", i, off);
			}
		}
	CHECK(shared > STEPS, "%zu points of another face", shared);
	wp_cook_free_mesh(mesh);
}

/* A box whose centre lies on a slope of a pit is as deep to either side, but comes out of the front. */
Test(mesh_contact, a_body_comes_out_of_the_front, .init = setup)
{
	const float vertices[4][3] = {{0, 4, 0}, {0, -2, 4}, {-4, -2, -3}, {4, -2, -3}};
	static const uint32_t triangles[4][3] = {{0, 3, 1}, {0, 2, 3}, {0, 1, 2}, {1, 3, 2}};
	const wp_mesh *const mesh = cook_of(4, vertices, 4, triangles);
	enum { TURNS = 100 };
	body bodies[TURNS];
	static answer answers[TURNS];
	gen_random random;
	gen_seed(&random, 19);
	for (uint32_t i = 0; i < TURNS; i++) {
		uint32_t corner[3];
		float face[3], at[3][3];
		const uint32_t triangle = i % 4;
		wp_mesh_triangle(mesh, triangle, corner);
		wp_mesh_normal(mesh, triangle, face);
		for (int k = 0; k < 3; k++)
			wp_mesh_vertex(mesh, corner[k], at[k]);
		const v3 sum = v3_add(v3_add(v3_of_floats(at[0]), v3_of_floats(at[1])), v3_of_floats(at[2]));
		bodies[i] = body_at(BOX, v3_add(v3_scale(sum, 1.0 / 3), v3_scale(v3_of_floats(face), 1e-7)));
		gen_rotation(&random, bodies[i].rotation);
	}
	ask(mesh, bodies, TURNS, &plain, 0, 0, answers, NULL);
	for (uint32_t i = 0; i < TURNS; i++) {
		float face[3];
		wp_mesh_normal(mesh, i % 4, face);
		CHECK(answers[i].patch_count == 1, "turn %u: %u patches", i, answers[i].patch_count);
		const double off = v3_length(v3_add(v3_of_floats(face), v3_of_floats(answers[i].normal)));
		CHECK(off < 1e-5, "turn %u: a normal %g off", i, off);
	}
	wp_cook_free_mesh(mesh);
}

/* ---- rows that were wrong ----------------------------------------------------------------------- */

/* A body of another shape and one triangle, as they are and by the rule. The body's is shape 0 from now on. */
static void ask_alone(
	const wp_shape *of, const body *b, const float corners[3][3], const body *at, answer *raw, answer *ruled, v3 *face)
{
	static const uint32_t triangle[1][3] = {{0, 1, 2}};
	const size_t size = wp_shape_table_size(1);
	cr_assert_eq(wp_shape_table_build(of, 1, block(size), size, &table, NULL), WP_OK);
	const wp_mesh *const mesh = cook_of(3, corners, 1, triangle);
	float normal[3];
	wp_mesh_normal(mesh, 0, normal);
	*face = m3_apply(m3_of_quaternion(at->rotation), v3_of_floats(normal));
	ask(mesh, b, 1, at, 0, WP_MESH_GHOSTS, raw, NULL);
	ask(mesh, b, 1, at, 0, 0, ruled, NULL);
	wp_cook_free_mesh(mesh);
}

/* A capsule across an edge, with a normal 2.5e-3 off the triangle's, which it gets: the points above the triangle are less
 * deep than the contact by 4.5e-6 of L. */
Test(mesh_contact, a_capsule_is_as_deep_along_the_triangles_normal, .init = setup)
{
	const wp_shape capsule = wp_shape_capsule(0x1.048a04p+8f, 0x1.816b8ep+6f);
	static const body at = {.rotation = {-0x1.60e1a4p-1f, 0x1.66db88p-1f, 0x1.3e1c5ap-3f, -0x1.91393ep-4f}};
	static const body b = {{0x1.2bdc9d5df7917p+7, 0x1.423057ffd9cf7p+7, -0x1.9670f4b44c987p+9},
		{0x1.3af0fp-5f, 0x1.d10a54p-6f, -0x1.f3ca92p-1f, 0x1.b1a9f2p-3f}, 0};
	static const float corners[3][3] = {{-0x1.e93894p+8f, -0x1.e93894p+8f, 0x1.e93894p+8f},
		{0x1.e0dfa4p+8f, -0x1.e0dfa4p+8f, 0x1.e0dfa4p+8f}, {0x1.8fdea2p+8f, 0x1.8fdea2p+8f, 0x1.8fdea2p+8f}};
	const double half_edge = 630;
	answer raw, ruled;
	v3 face;
	ask_alone(&capsule, &b, corners, &at, &raw, &ruled, &face);
	cr_assert(raw.patch_count == 1 && ruled.patch_count == 1);
	const double off = v3_length(v3_add(v3_of_floats(raw.normal), face));
	CHECK(off > 2e-3 && off < 3e-3, "a normal %g off", off);
	CHECK(v3_length(v3_add(v3_of_floats(ruled.normal), face)) < 1e-6, "not the triangle's normal");
	CHECK(fabs((double)ruled.separation - (double)raw.separation) < 3e-6 * half_edge, "separation %g, not %g",
		(double)ruled.separation, (double)raw.separation);
}

/* A capsule without a radius that touches a triangle whose area is none in double: its contact had no normal. */
Test(mesh_contact, a_triangle_without_an_area_has_a_normal, .init = setup)
{
	const wp_shape capsule = wp_shape_capsule(0, 0x1.5p+2f);
	static const body at = {
		.position = {-0x1.1cp+2, 0x1.18p+2, -0x1.a8p+1}, .rotation = {0x1.333334p-1f, 0, 0x1.99999ap-1f, 0}};
	static const body b = {{-0x1.6p+2, -0x1.04p+2, -0x1.98p+2}, {0x1.333334p-1f, 0, 0x1.99999ap-1f, 0}, 0};
	static const float corners[3][3] = {{-0x1.cp-1f, 0x1.14p+2f, -0x1.a8p+1f},
		{-0x1.d1d1dp+82f, -0x1.d1d1dp+82f, -0x1.d1d1dp+82f}, {-0x1.a8p+2f, -0x1.8p-3f, 0x1.7cp+2f}};
	answer raw, ruled;
	v3 face;
	ask_alone(&capsule, &b, corners, &at, &raw, &ruled, &face);
	for (int i = 0; i < 2; i++) {
		const answer *const a = i == 0 ? &raw : &ruled;
		CHECK(a->patch_count == 0 || fabs(v3_length(v3_of_floats(a->normal)) - 1) < 1e-6, "normal %g %g %g",
			(double)a->normal[0], (double)a->normal[1], (double)a->normal[2]);
	}
	CHECK(raw.patch_count == 1 && (raw.status & WP_STATUS_DEGENERATE) != 0, "%u patches, status %x", raw.patch_count,
		raw.status);
}

/* A box and one triangle, which have a contact: its points lie on both, and the separation is the true one. */
static void expect_exact(const wp_shape *box, const body *b, const float corners[3][3], const body *at)
{
	static const uint32_t triangle[1][3] = {{0, 1, 2}};
	const wp_shape flat = wp_shape_triangle(corners[0], corners[1], corners[2]);
	oracle_shape *const solid = oracle_shape_new(box), *const face = oracle_shape_new(&flat);
	const wp_mesh *const mesh = cook_of(3, corners, 1, triangle);
	const oracle_pose own = {.rotation = {0, 0, 0, 1}};
	oracle_pose pose = {.position = v3_of(b->position[0], b->position[1], b->position[2])}, pose_of_face = own;
	memcpy(pose.rotation, b->rotation, sizeof pose.rotation);
	memcpy(pose_of_face.rotation, at->rotation, sizeof pose_of_face.rotation);
	oracle_answer truth;
	answer a;
	const size_t size = wp_shape_table_size(1);
	cr_assert_eq(wp_shape_table_build(box, 1, block(size), size, &table, NULL), WP_OK);
	cr_assert(oracle_solve(solid, &pose, face, &pose_of_face, &truth));
	ask(mesh, b, 1, at, 0.0625f, WP_MESH_GHOSTS, &a, NULL);
	cr_assert_eq(a.patch_count, 1);
	/* Of the box alone: the larger of both may be more. */
	const double length = solid->bound;
	CHECK(fabs((double)a.separation - truth.separation) <= 3e-6 * length, "separation %g, not %g", (double)a.separation,
		truth.separation);
	for (uint32_t k = 0; k < a.patch[0].point_count; k++) {
		const wp_mesh_point *const p = &a.patch[0].points[k];
		const double off_box = oracle_point_separation(solid, &own, v3_of_floats(p->local_a));
		const double off_face = oracle_point_separation(face, &own, v3_of_floats(p->local_b));
		CHECK(fabs(off_box) <= 1e-5 * length, "point %u is %g off the box", k, off_box);
		CHECK(fabs(off_face) <= 1e-5 * length, "point %u is %g off the triangle", k, off_face);
	}
	wp_cook_free_mesh(mesh);
	oracle_shape_free(solid);
	oracle_shape_free(face);
}

/* Edges that go along a side of the box, nearly, and past its corner: they are over the side for less than the tolerance, and
 * the place where they come in was the whole way off that their slant makes of it. */
Test(mesh_contact, an_edge_past_a_corner_has_its_points_on_the_box, .init = setup)
{
	const wp_shape box = wp_shape_box(0x1.f5fb6p-1f, 0x1.768b72p+0f, 0x1.a5c558p-1f);
	static const body at = {.rotation = {0x1.f4320ap-1f, 0x1.f11deep-4f, 0x1.3b48e2p-3f, -0x1.5a5a3ep-4f}};
	static const body b = {{0x1.083f15ee95434p+0, 0x1.52e01a9c4e622p+1, 0x1.5a6e9a83c87d2p+0},
		{0x1.d88232p-2f, 0x1.047a8p-2f, -0x1.a4e48p-2f, -0x1.7ce41ep-1f}, 0};
	static const float corners[3][3] = {{0x1.34bf64p-1f, -0x1.cf1f16p+0f, 0x1.34bf64p-1f},
		{0x1.6061fp+0f, -0x1.6061fp+0f, 0x1.d5d7eap-2f}, {0x1.279a74p+0f, -0x1.279a74p+0f, 0x1.279a74p+0f}};
	expect_exact(&box, &b, corners, &at);

	const wp_shape other = wp_shape_box(0x1.51313ap-1f, 0x1.7f829ap-2f, 0x1.de4e0ep-3f);
	static const body c = {{0x1.62ada66eebfdp-4, 0x1.d2cb4607319fap-1, -0x1.7b4901a8d870cp-1},
		{0x1.ac5962p-2f, -0x1.75794ap-4f, -0x1.85d664p-2f, -0x1.a3a4b2p-1f}, 0};
	static const float others[3][3] = {{0x1.59a5b8p-3f, 0x1.e89e6ap+0f, -0x1.b7e4f4p-1f},
		{0x1.2f9cf2p-2f, 0x1.569c66p+0f, -0x1.56789cp+0f}, {0x1.9e45eep-1f, 0x1.13d926p+0f, -0x1.6df0b6p+0f}};
	expect_exact(&other, &c, others, &plain);
}

/* A corner of the box beside an edge of a triangle whose normal is far from the contact's. It was over the triangle although it
 * was too far from it, measured along that. */
Test(mesh_contact, a_corner_beside_a_leaning_triangle_is_on_it, .init = setup)
{
	const wp_shape box = wp_shape_box(0x1.864cd4p-2f, 0x1.7346e2p-1f, 0x1.d765dp-3f);
	static const body b = {{-0x1.a6abea92feddcp-1, 0x1.41e57a77cddb8p-2, -0x1.70a87e045c0bep-1},
		{-0x1.93ce8p-6f, 0x1.2b5a62p-3f, 0x1.53255ap-1f, 0x1.77fbeep-1f}, 0};
	static const float corners[3][3] = {{-0x1.9dc0c8p+0f, 0x1.490d9ap-1f, -0x1.3cbc68p+0f},
		{-0x1.560318p+0f, 0x1.f327dap-1f, 0x1.3f813cp-3f}, {-0x1.092b6ep+1f, 0x1.431a4cp-1f, -0x1.3efdbcp+0f}};
	expect_exact(&box, &b, corners, &plain);
}

/* A corner of the box beyond a sharp corner of a triangle, beside both of its edges: the separation was the height over there. */
Test(mesh_contact, a_corner_beyond_a_sharp_one_is_not_over_the_triangle, .init = setup)
{
	const wp_shape box = wp_shape_box(0x1.d31598p-1f, 0x1.c65f34p-2f, 0x1.ad404p-3f);
	static const body b = {{0x1.ef83b8ec6a768p-2, -0x1.32f0d13504bfcp-2, -0x1.bc357f906badp-1},
		{0x1.a8458p-2f, 0x1.3711dcp-3f, 0x1.5f866p-1f, -0x1.27d89ap-1f}, 0};
	static const float corners[3][3] = {{0x1.f8b784p-1f, -0x1.cbb1e2p-1f, -0x1.62f44p-3f},
		{0x1.1b736cp-2f, -0x1.104a88p+0f, -0x1.2c55fcp-4f}, {0x1.1b6ffep-2f, -0x1.104286p+0f, -0x1.2be2e6p-4f}};
	expect_exact(&box, &b, corners, &plain);
}

/* The larger bounding radius of shape 0 and a triangle about the middle of its box. */
static double length_with(const float c[3][3])
{
	double most = (double)wp_shape_table_bound(table, 0);
	for (int i = 0; i < 3; i++) {
		double away[3];
		for (int k = 0; k < 3; k++) {
			const double low = fmin(fmin((double)c[0][k], (double)c[1][k]), (double)c[2][k]);
			const double high = fmax(fmax((double)c[0][k], (double)c[1][k]), (double)c[2][k]);
			away[k] = (double)c[i][k] - (low + high) / 2;
		}
		most = fmax(most, v3_length(v3_of(away[0], away[1], away[2])));
	}
	return most;
}

/* How far a point is from what a feature's number names: a corner, an edge, or nothing. Cooks may begin with another corner. */
static double off_feature(const float c[3][3], uint32_t feature, v3 at)
{
	const bool is_corner = (feature & 0xffff) == feature >> 16;
	double least = INFINITY;
	for (int k = 0; k < 3; k++) {
		const v3 from = v3_of_floats(c[k]), way = v3_sub(v3_of_floats(c[(k + 1) % 3]), from), to = v3_sub(at, from);
		const double share = is_corner ? 0 : fmin(fmax(v3_dot(to, way) / v3_dot(way, way), 0), 1);
		least = fmin(least, v3_length(v3_sub(to, v3_scale(way, share))));
	}
	return feature == WP_FEATURE_FACE ? 0 : least;
}

/* A body and one triangle, which have a contact, as it is and by the rule: points lie on the triangle, where they name a feature
 * on that, and on a body that has corners; the deepest is as deep as their patch. Returns the answer by the rule. */
static answer expect_sound(const wp_shape *of, const body *b, const float corners[3][3])
{
	const wp_shape flat = wp_shape_triangle(corners[0], corners[1], corners[2]);
	oracle_shape *const solid = shape_core_is_smooth(of) ? NULL : oracle_shape_new(of);
	oracle_shape *const triangle = oracle_shape_new(&flat);
	const oracle_pose own = {.rotation = {0, 0, 0, 1}};
	answer both[2];
	v3 face;
	ask_alone(of, b, corners, &plain, &both[0], &both[1], &face);
	const double size = length_with(corners);
	for (int i = 0; i < 2; i++) {
		const wp_mesh_patch *const patch = &both[i].patch[0];
		double least = INFINITY;
		cr_assert_eq(both[i].patch_count, 1);
		for (uint32_t k = 0; k < patch->point_count; k++) {
			const wp_mesh_point *const p = &patch->points[k];
			/* As mesh.h says of points whose normals are not quite the patch's, with the rounding of the mesh's corners. */
			const double bent = i == 0 ? 0 : 3e-3 * fabs((double)p->separation);
			const double rounding = 0x1p-23 * v3_length(v3_of_floats(p->local_b)),
						 allowed = 1e-5 * size + rounding + bent;
			const double off_named = off_feature(corners, p->feature_b, v3_of_floats(p->local_b));
			CHECK(off_named <= allowed + 5e-6 * size, "point %u is %g off the feature %x, size %g", k, off_named,
				p->feature_b, size);
			const double off = oracle_point_separation(triangle, &own, v3_of_floats(p->local_b));
			CHECK(fabs(off) <= allowed, "point %u is %g off the triangle, size %g", k, off, size);
			least = fmin(least, (double)p->separation);
			if (solid == NULL)
				continue;
			const double off_body = oracle_point_separation(solid, &own, v3_of_floats(p->local_a));
			CHECK(fabs(off_body) <= 1e-5 * size, "point %u is %g off the body, size %g", k, off_body, size);
		}
		CHECK(fabs(least - (double)patch->separation) <= 1e-5 * size, "separation %g, of points %g, size %g",
			(double)patch->separation, least, size);
	}
	oracle_shape_free(solid);
	oracle_shape_free(triangle);
	return both[1];
}

/* Two faces of a hull look nearly as much along the normal; and a cone leans. What the chosen face has in common with the
 * triangle was less deep than the contact by 1.7e-5 and 1.9e-5 of L. */
Test(mesh_contact, a_patch_is_as_deep_as_its_points, .init = setup)
{
	static const float points[17][3] = {{-0x1.d8788p-6f, -0x1.641138p-3f, -0x1.486744p-1f},
		{-0x1.e5821ep-3f, -0x1.3531bcp-2f, 0x1.87be3ep-1f}, {0x1.c9f21ep-3f, -0x1.eff4a6p-3f, 0x1.d628cap-1f},
		{0x1.7da1ep-4f, -0x1.9b4224p-2f, 0x1.cc0c0cp-1f}, {0x1.4dfe9cp-2f, 0x1.60be84p-3f, 0x1.cb55ccp-2f},
		{0x1.36796ep-3f, 0x1.de68e2p-2f, 0x1.a03702p-4f}, {0x1.785bd4p-3f, -0x1.8eae72p-3f, -0x1.de923p-2f},
		{-0x1.56757cp-2f, 0x1.3483ecp-3f, 0x1.063cbep-2f}, {-0x1.06bdbep-2f, -0x1.6bb8fp-2f, 0x1.78750ep-3f},
		{0x1.93ad7cp-4f, 0x1.7ebf0ep-2f, -0x1.6941dcp-2f}, {-0x1.3a0118p-2f, 0x1.bdc7d8p-3f, 0x1.b5b5d4p-5f},
		{-0x1.1016a2p-2f, 0x1.8a5366p-4f, 0x1.d87644p-1f}, {0x1.348a94p-2f, 0x1.bee9f6p-3f, 0x1.7b9a86p-8f},
		{-0x1.365e8p-3f, 0x1.e7ee1cp-2f, 0x1.aa2178p-3f}, {0x1.a2066ap-7f, -0x1.185aecp-3f, -0x1.54c964p-1f},
		{-0x1.b38bbap-4f, -0x1.4bf1aap-3f, 0x1.33cf4cp+0f}, {0x1.196edcp-2f, 0x1.42f394p-2f, 0x1.0da99cp-3f}};
	static const body a = {{-0x1.604f55861806fp+3, 0x1.0402f8710184ap+4, -0x1.5ace795e139e4p+5},
		{-0x1.23a22ep-1f, 0x1.a78256p-5f, 0x1.91522ep-1f, 0x1.ef5558p-3f}, 0};
	static const float corners[3][3] = {{0, 0, 0}, {-0x1.7302c4p+3f, 0x1.1b0446p+4f, -0x1.7abee4p+5f},
		{-0x1.626496p+3f, 0x1.082a4ap+4f, -0x1.6698f2p+5f}};
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_cook_points(points[0], 0, 17, &hull, NULL), WP_OK);
	wp_shape rounded = wp_shape_hull(hull);
	rounded.radius = 0x1.9158a4p-1f;
	(void)expect_sound(&rounded, &a, corners);
	wp_cook_free(hull);

	wp_shape cone = wp_shape_cone(0x1.b742d2p-2f, 0x1.87807p-2f);
	cone.radius = 1;
	static const body b = {{0x1.c07b5aa0d4821p+1, 0x1.2274d1f25656cp+0, 0x1.2727b78461b25p+2},
		{-0x1.5b7912p-2f, 0x1.de00e6p-1f, -0x1.5211d4p-4f, -0x1.4888fap-4f}, 0};
	static const float others[3][3] = {{0x1.b49ae4p+1f, -0x1.04a934p-1f, 0x1.715dacp+0f},
		{0x1.07c63p+2f, 0x1.1ab9bep-1f, 0x1.3d345p+2f}, {0x1.d2d084p+1f, -0x1.40dd02p-3f, 0x1.4df68p+1f}};
	(void)expect_sound(&cone, &b, others);
}

/* A capsule beyond the sharp corner of a sliver, beside both of its edges: it had a point there, 0.013 off the triangle. And
 * the lowest point of an ellipsoid was beyond such a corner, 2e-3 off. */
Test(mesh_contact, no_point_is_beyond_a_sharp_corner, .init = setup)
{
	const wp_shape capsule = wp_shape_capsule(0x1.3eb24p-1f, 0x1.38aeeep-6f);
	static const body a = {{-0x1.6e08a41d481e4p-2, 0x1.a8cba727ced88p-2, 0x1.833ed40aa3e74p-3},
		{-0x1.6c899ep-1f, 0x1.af82ap-2f, -0x1.c60c8ep-2f, 0x1.6113dcp-2f}, 0};
	static const float corners[3][3] = {{0, 0, 0}, {-0x1.19271ep-4f, -0x1.84dffp-4f, -0x1.9cffc2p-3f},
		{-0x1.b106bcp-5f, -0x1.2b78b4p-4f, -0x1.3e0b98p-3f}};
	(void)expect_sound(&capsule, &a, corners);

	const wp_shape ellipsoid = wp_shape_ellipsoid(0.5f, 0.2f, 0.4f);
	static const body b = {{0.002, 0.19, 0}, {0, 0, 0, 1}, 0};
	static const float needle[3][3] = {{0, 0, 0}, {-1, 0, -0.002f}, {-1, 0, 0.002f}};
	(void)expect_sound(&ellipsoid, &b, needle);
}

/* A capsule beside a corner of a sliver: one of its points was 3.5e-5 of L off the triangle. Another one's was on the lines of two
 * edges, and named the corner where these meet, far away. */
Test(mesh_contact, points_of_a_capsule_are_on_a_sliver, .init = setup)
{
	const wp_shape capsule = wp_shape_capsule(0x1.127d86p-1f, 0x1.06cd5cp-9f);
	static const body a = {{-0x1.fdbfa6710641p-2, -0x1.959c265838ee2p+2, -0x1.f95384844673bp+3},
		{-0x1.d43edcp-4f, 0x1.146a1cp-1f, 0x1.aa2804p-1f, 0x1.a88662p-5f}, 0};
	static const float corners[3][3] = {{-0x1.6fa486p-7f, -0x1.9a1272p+2f, -0x1.0012fap+4f},
		{0x1.26346p-1f, -0x1.e3b70ap+2f, -0x1.c95184p+3f}, {0x1.455acp-2f, -0x1.bcdbc8p+2f, -0x1.e26f42p+3f}};
	(void)expect_sound(&capsule, &a, corners);

	const wp_shape long_one = wp_shape_capsule(0x1.3729b2p-1f, 0x1.7943dp-1f);
	static const body b = {{-0x1.9bfe9635c2e1cp-2, 0x1.ab83753d63ba4p+2, 0x1.416567c73b313p+2},
		{-0x1.fa7ca6p-2f, -0x1.cae58cp-6f, -0x1.a96cbp-1f, -0x1.03625cp-2f}, 0};
	static const float others[3][3] = {{-0x1.038332p+0f, 0x1.7f5978p+2f, 0x1.463328p+2f},
		{-0x1.00f9dcp+0f, 0x1.71b062p+2f, 0x1.5255a6p+2f}, {-0x1.027974p+0f, 0x1.79c248p+2f, 0x1.4b2a4cp+2f}};
	(void)expect_sound(&long_one, &b, others);
}

/* Witness points of smooth bodies that miss each other along the normal: the one of the triangle was 6.3e-5, 5.1e-5 and 4e-5 of L
 * off it. */
Test(mesh_contact, points_of_smooth_bodies_are_on_the_triangle, .init = setup)
{
	wp_shape cylinder = wp_shape_cylinder(0x1.be2f72p-1f, 0x1.1ba6e4p-1f);
	cylinder.radius = 0x1.751f8cp-5f;
	static const body a = {{-0x1.7fc0fa8d4210cp+0, -0x1.54e60493ae14bp-1, -0x1.75bfe3e988d78p-2},
		{0x1.3b23ecp-3f, -0x1.528066p-4f, -0x1.a60578p-1f, 0x1.13c2fep-1f}, 0};
	static const float corners[3][3] = {{0, 0, 0}, {-0x1.28dcfcp+0f, -0x1.c54736p-2f, 0x1.310c3ap-1f},
		{-0x1.8e5d42p-1f, -0x1.3014d2p-2f, 0x1.99852cp-2f}};
	(void)expect_sound(&cylinder, &a, corners);

	const wp_shape cone = wp_shape_cone(0x1.4507f4p-1f, 0x1.4689b2p-5f);
	static const body b = {{-0x1.a7ee5229c1c32p-1, 0x1.685be44a966cdp-2, 0x1.716dfecba4de1p-2},
		{-0x1.35737cp-5f, 0x1.58d3a6p-3f, 0, 0x1.f851d6p-1f}, 0};
	static const float others[3][3] = {{0, 0, 0}, {0x1.1f09fap-2f, 0x1.e55a44p+0f, -0x1.fdb7dp-3f},
		{-0x1.73608cp+0f, -0x1.1897e2p+0f, 0x1.325f9cp-1f}};
	(void)expect_sound(&cone, &b, others);

	wp_shape ellipsoid = wp_shape_ellipsoid(0x1.23a41cp-7f, 0x1.a379a6p-2f, 0x1.79e0b6p-2f);
	ellipsoid.radius = 0.5f;
	static const body c = {{-0x1.afab8c74b7e86p-2, -0x1.653e3c1a1cbcap-3, -0x1.26e8ff8b4249fp-5},
		{-0x1.76815p-18f, 0x1.365a8ap-3f, -0x1.0dd104p-6f, 0x1.fa044ap-1f}, 0};
	static const float far_ones[3][3] = {{0, 0, 0}, {-0x1.50132ep+2f, 0x1.400524p+2f, 0x1.91457ap+2f},
		{-0x1.7f732ap+2f, 0x1.4c60e2p+1f, 0x1.0b2d34p+2f}};
	(void)expect_sound(&ellipsoid, &c, far_ones);
}

/* A capsule along an edge, nearly, with a normal far from the triangle's: it had a point outside of the edge, where the plane of
 * the triangle is higher, 3.6e-5 of L deeper than the contact. */
Test(mesh_contact, no_point_is_deeper_than_its_contact, .init = setup)
{
	const wp_shape capsule = wp_shape_capsule(0x1.d1829ep-1f, 0x1.84b412p-10f);
	static const body a = {{-0x1.2eddc1c0f848p+6, 0x1.3083a335a26d4p+5, 0x1.75b2787a1f33ep+5},
		{0x1.b135c4p-2f, -0x1.011844p-2f, 0x1.c5fb3ep-20f, 0x1.bdc286p-1f}, 0};
	static const float corners[3][3] = {{-0x1.6d08f2p+6f, -0x1.9a2904p+3f, -0x1.369e34p+5f},
		{-0x1.2dbec8p+6f, 0x1.2ade22p+5f, 0x1.71b662p+5f}, {-0x1.572974p+4f, -0x1.03907ap+6f, -0x1.b02d56p+5f}};
	(void)expect_sound(&capsule, &a, corners);
}

/* A box that touches a large triangle along its normal, so that rounding decides whether there is a point. If there was none,
 * the row had whatever point was in memory. */
Test(mesh_contact, a_box_that_just_touches_has_a_point_of_its_own, .init = setup)
{
	const wp_shape box = wp_shape_box(0x1.0d0b42p-3f, 0x1.3e9b26p-2f, 0x1.a681f2p-1f);
	static const body b = {{0x1.b00de52457b99p-1, 0x1.b2461b95c3b35p+5, -0x1.71c00ef806a2p+6},
		{-0x1.44c8dp-3f, -0x1.cf0cbp-1f, 0x1.3b3928p-22f, 0x1.95a444p-2f}, 0};
	static const float corners[3][3] = {{-0x1.2f7d7ep+4f, 0x1.2458eep+5f, -0x1.6c85bep+6f},
		{0x1.befdfp+5f, 0x1.9a9044p+6f, -0x1.8259eap+6f}, {0x1.ba46e4p+5f, 0x1.9afa18p+6f, -0x1.849bdcp+6f}};
	(void)expect_sound(&box, &b, corners);
}

/* The kernel found the axis no farther than max_separation, but each place along it farther. */
Test(mesh_contact, a_box_without_a_place_has_no_contact, .init = setup)
{
	const wp_shape box = wp_shape_box(0x1.4927b4p-1f, 0x1.8cc4cap-2f, 0x1.c3fb9cp-1f);
	static const body b = {{0x1.2fabad4d3cf37p-2, 0x1.f588961a2386ap-3, -0x1.81e6e596e66efp-5},
		{-0x1.13a1d6p-4f, -0x1.6532dp-21f, -0x1.b1cb9ep-2f, 0x1.ce81aep-1f}, 0};
	static const float corners[3][3] = {{0, 0, 0}, {0x1.c3aa96p+2f, -0x1.2038c6p+3f, -0x1.329c2ap+1f},
		{0x1.db1538p+0f, -0x1.2f2b4ap+1f, -0x1.4299bap-1f}};
	static const float turned[3][3] = {{0, 0, 0}, {0x1.db1538p+0f, -0x1.2f2b4ap+1f, -0x1.4299bap-1f},
		{0x1.c3aa96p+2f, -0x1.2038c6p+3f, -0x1.329c2ap+1f}};
	answer raw, ruled;
	v3 face;
	for (int i = 0; i < 2; i++) {
		ask_alone(&box, &b, i == 0 ? corners : turned, &plain, &raw, &ruled, &face);
		CHECK(raw.patch_count == 0 && ruled.patch_count == 0, "%u and %u patches", raw.patch_count, ruled.patch_count);
	}
}

/* An ellipsoid around the far corner of a long triangle, so deep that it comes out of its back. It had the point of a search that
 * ended early, 0.1 beyond the corner, and 0.43 less deep. */
Test(mesh_contact, the_lowest_point_is_above_the_triangle, .init = setup)
{
	const wp_shape ellipsoid = wp_shape_ellipsoid(0x1.70e8b4p-1f, 0x1.ad892cp-2f, 0x1.f7ddf4p-2f);
	static const body b = {{0x1.490704a99684cp+6, -0x1.7cdbc4669255dp+5, -0x1.f7938c24d5105p+4},
		{-0x1.904626p-2f, -0x1.9d5d82p-1f, 0x1.5457fp-2f, -0x1.2a6526p-2f}, 0};
	static const float corners[3][3] = {{0, 0, 0}, {0x1.48c5a4p+6f, -0x1.7cb002p+5f, -0x1.f4d9c2p+4f},
		{0x1.3be8a2p+5f, -0x1.7531a8p+4f, -0x1.81a67p+3f}};
	const answer ruled = expect_sound(&ellipsoid, &b, corners);
	CHECK(fabs((double)ruled.separation + 0.42957) < 1e-4, "separation %g", (double)ruled.separation);
}

/* A segment whose end is 1e-9 behind a corner of a terrain, and 1e-8 aside of the triangle whose normal the contact gets. The search
 * for its lowest point began with places far below, which had left 0.05 of their depth in the answer. */
Test(mesh_contact, an_end_that_touches_a_corner_is_not_deep, .init = setup)
{
	static const float heights[15] = {0x1.3894eep-4f, 0x1.85e9b8p-3f, 0x1.468732p-5f, -0x1.080fd6p-5f, 0x1.5137bp-4f,
		-0x1.5d338cp-3f, -0x1.008bbep-9f, -0x1.a4ba82p-5f, -0x1.a38f34p-9f, -0x1.64d7b6p-3f, 0x1.38d512p-3f,
		-0x1.83a87ep-3f, 0x1.54e45ap-5f, 0x1.91051ap-5f, 0x1.9d411ap-3f};
	static const body at = {.position = {0x1.723d598c0b54p+0, 0x1.7043e6d5e6f0bp-3, 0x1.7dafbc99e488fp+0},
		.rotation = {-0x1.7fa37ap-1f, 0, -0x1.502e94p-1f, 0x1.6102cep-4f}};
	const wp_height_field field = {
		.samples = heights, .columns = 5, .rows = 3, .spacing = {0x1.7795f2p+0f, 0x1.7795f2p+0f}};
	const wp_height_field *const fields[1] = {&field};
	const wp_shape segment = wp_shape_capsule(0, 0x1.79e33cp-3f);
	const size_t size = wp_shape_table_size(1);
	void *const memory = block(size);
	answer found = {.separation = NAN};
	wp_mesh_batch batch = {.height_fields = fields,
		.height_field_count = 1,
		.a = bodies_of(&at, 1),
		.b = bodies_of(&plain, 1),
		.count = 1};
	cr_assert_eq(wp_shape_table_build(&segment, 1, memory, size, &batch.shapes, NULL), WP_OK);
	for (uint32_t flags = 0; flags <= WP_MESH_TWO_SIDED; flags += WP_MESH_TWO_SIDED) {
		const wp_mesh_results results = results_of(&found);
		cr_assert_eq(wp_mesh_contact(workspace, &batch, &(wp_mesh_options){.flags = flags}, &results, NULL), WP_OK);
		CHECK(found.patch_count == 1 && fabs((double)found.separation) < 1e-5 &&
				  fabs((double)found.patch[0].points[0].separation) < 1e-5,
			"%u patches, separation %g", found.patch_count, (double)found.separation);
	}
	block_free(memory);
}

/* A hull so deep that it would come out of the back of a triangle, at an edge that is the mesh's border. The normal is the
 * back's but for about 1e-3. The contact does not keep it: it has the triangle's normal, or is none where no point of the
 * hull's face along that is above the triangle. */
static void expect_front(size_t count, const float (*points)[3], const body *b, const float corners[3][3],
	const body *at, uint32_t patch_count)
{
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_cook_points(points[0], 0, count, &hull, NULL), WP_OK);
	const wp_shape of = wp_shape_hull(hull);
	answer raw, ruled;
	v3 face;
	ask_alone(&of, b, corners, at, &raw, &ruled, &face);
	cr_assert_eq(raw.patch_count, 1);
	const double off = v3_length(v3_sub(v3_of_floats(raw.normal), face));
	CHECK(off > 5e-4 && off < 2e-3, "a normal %g off the back's", off);
	CHECK(ruled.patch_count == patch_count, "%u patches", ruled.patch_count);
	CHECK(patch_count == 0 || v3_length(v3_add(v3_of_floats(ruled.normal), face)) < 1e-6, "not the triangle's normal");
	wp_cook_free(hull);
}

Test(mesh_contact, no_normal_at_a_border_comes_from_behind, .init = setup)
{
	static const body at = {.rotation = {0x1.4eee2cp-2f, 0x1.8b985cp-1f, 0x1.dea938p-3f, -0x1.f7206ep-2f}};
	static const body b = {{0x1.99c59d62cd572p-3, 0x1.dbd6ee21fd46p-5, -0x1.3dd2dfecb86ecp-3},
		{0x1.333438p-2f, -0x1.2a332p-2f, 0x1.c5bcbcp-1f, 0x1.98bf7p-3f}, 0};
	static const float corners[3][3] = {{-0x1.a9b73ep-4f, 0x1.bcb6c2p-3f, 0x1.0838ccp-7f},
		{-0x1.097b76p-2f, 0x1.a8a264p-4f, -0x1.6e16fap-4f}, {-0x1.a57cbcp-4f, 0x1.92e25cp-3f, -0x1.b3e732p-4f}};
	static const float points[12][3] = {{0x1.a5715ep-4f, 0x1.846386p-4f, 0x1.dc32fap-3f},
		{0x1.36cfb8p-6f, 0x1.66903ap-3f, -0x1.02412p-4f}, {0x1.21ddfep-6f, -0x1.e096a8p-4f, -0x1.e11234p-4f},
		{0x1.2c0a62p-5f, 0x1.e05d44p-4f, 0x1.f6a45ep-3f}, {0x1.162448p-4f, -0x1.4a5efp-3f, -0x1.084538p-4f},
		{0x1.3b1b8p-3f, 0x1.137ef2p-4f, -0x1.2d6224p-4f}, {0x1.7535ap-5f, 0x1.d6d9d8p-4f, -0x1.d363bep-4f},
		{-0x1.4a85b2p-4f, -0x1.208184p-5f, 0x1.0f239cp-2f}, {-0x1.bc9a6cp-4f, 0x1.020a0ap-4f, -0x1.ce1c62p-4f},
		{0x1.45a034p-3f, 0x1.7cc232p-5f, -0x1.386d9cp-4f}, {-0x1.911628p-3f, -0x1.451e26p-5f, -0x1.631c7ep-6f},
		{-0x1.d379fp-4f, 0x1.688186p-3f, 0x1.99412ap-8f}};
	expect_front(COUNT_OF(points), points, &b, corners, &at, 1);
}

Test(mesh_contact, no_normal_of_a_large_hull_at_a_border_comes_from_behind, .init = setup)
{
	static const body at = {.rotation = {-0x1.23a252p-7f, 0x1.1a8204p-1f, 0x1.11d718p-1f, 0x1.479a82p-1f}};
	static const body b = {{-0x1.9a41aedac721ap+5, 0x1.4cd1d00f5fb0ep+8, 0x1.cad49a7bc2e32p+8},
		{0x1.5523f8p-1f, 0x1.30432ap-1f, -0x1.7a7e54p-4f, 0x1.c374ccp-2f}, 0};
	static const float corners[3][3] = {{0x1.26e8f6p+4f, -0x1.0e7f52p+7f, 0x1.ef325ep+8f},
		{-0x1.964b18p+8f, 0x1.73488cp+8f, 0x1.643bf8p+7f}, {0x1.408df2p+6f, -0x1.6780bp+5f, 0x1.cea19cp+8f}};
	static const float points[14][3] = {{-0x1.6515d6p+8f, 0x1.169416p+7f, 0x1.e01352p+8f},
		{0x1.b542eep+8f, -0x1.9a4e7ep+7f, 0x1.2a797ap+8f}, {-0x1.63469p+3f, 0x1.a9104ep+6f, 0x1.427366p+9f},
		{-0x1.8dbad2p+8f, -0x1.347052p+8f, 0x1.7e498ap+7f}, {0x1.48ef3ap+7f, 0x1.466588p+7f, 0x1.2c041cp+9f},
		{0x1.f19a06p+6f, -0x1.ceecccp+8f, -0x1.c2922ap+2f}, {-0x1.3852f2p+7f, 0x1.57aaf6p+8f, 0x1.e6baacp+8f},
		{0x1.18686ap+8f, 0x1.9fe1cap+8f, 0x1.77a97ap+6f}, {0x1.39dcbp+7f, -0x1.ad1034p+8f, -0x1.fb60d8p+5f},
		{0x1.76050ap+6f, -0x1.bbb7ep+8f, -0x1.1a03f6p+6f}, {-0x1.ce5788p+7f, -0x1.7fda12p+8f, -0x1.44a9b6p+6f},
		{0x1.aa8914p+8f, 0x1.f291d6p+7f, 0x1.7b71b8p+5f}, {-0x1.5cbab2p+8f, -0x1.4c4dd4p+8f, 0x1.1198ccp-2f},
		{0x1.4725ep+7f, -0x1.da8406p+4f, -0x1.4542p+8f}};
	expect_front(COUNT_OF(points), points, &b, corners, &at, 1);
}

/* A wide hull with a long tail, whose centre is just above a valley or a pit, and which would leave it soonest downwards: below
 * its edge or corner a normal leans to no face, but it comes from behind all of them. */
static void expect_upwards(const wp_mesh *mesh, uint32_t flags)
{
	float points[9][3];
	for (int i = 0; i < 8; i++) {
		const double wide = i < 4 ? 0.5 : 0.45;
		surface_set(points[i], (i & 1) != 0 ? wide : -wide, i < 4 ? 0.15 : 0.2, (i & 2) != 0 ? wide : -wide);
	}
	surface_set(points[8], 0, -1, 0);
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_cook_points(points[0], 0, 9, &hull, NULL), WP_OK);
	const wp_shape of = wp_shape_hull(hull);
	const size_t size = wp_shape_table_size(1);
	cr_assert_eq(wp_shape_table_build(&of, 1, block(size), size, &table, NULL), WP_OK);
	const body b = body_at(0, v3_of(0, -0.03, 0));
	answer raw, ruled;
	ask(mesh, &b, 1, &plain, 0, flags | WP_MESH_GHOSTS, &raw, NULL);
	ask(mesh, &b, 1, &plain, 0, flags, &ruled, NULL);
	CHECK(raw.normal[1] > 0.99f, "as it is, up by %g", (double)raw.normal[1]);
	CHECK(ruled.patch_count >= 2, "%u patches", ruled.patch_count);
	for (uint32_t i = 0; i < ruled.patch_count; i++)
		CHECK(ruled.patch[i].normal[1] < -0.9f, "patch %u: up by %g", i, (double)ruled.patch[i].normal[1]);
	wp_cook_free(hull);
	wp_cook_free_mesh(mesh);
}

Test(mesh_contact, no_normal_of_a_valley_comes_from_below, .init = setup)
{
	expect_upwards(cook_roof(0.4f, 0), 0);
	expect_upwards(cook_roof(0.4f, WP_MESH_SOUP), WP_MESH_SOUP);
}

Test(mesh_contact, no_normal_of_a_pit_comes_from_below, .init = setup)
{
	static const float vertices[5][3] = {{0, 0, 0}, {4, 0.4f, 4}, {4, 0.4f, -4}, {-4, 0.4f, -4}, {-4, 0.4f, 4}};
	static const uint32_t triangles[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}};
	expect_upwards(cook_of(5, vertices, 4, triangles), 0);
}

/* ---- bad input ---------------------------------------------------------------------------------- */

/* A triangle and a body of one shape, neither turned but for the triangle's own pose: its contact, and its distance. */
static void ask_one_triangle(wp_shape s, const float corners[3][3], const body *at, const float position[3], float most,
	uint32_t flags, answer *found, wp_row *distance)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	static const uint32_t indices[3] = {0, 1, 2};
	const wp_mesh_input input = {
		.vertices = {corners[0]}, .vertex_count = 3, .triangles = {indices}, .triangle_count = 1};
	const wp_mesh *mesh = NULL;
	cr_assert_eq(wp_cook_mesh(&input, &mesh, NULL), WP_OK);
	cr_assert_eq(wp_shape_table_build(&s, 1, memory, sizeof memory, &table, NULL), WP_OK);
	const body b = body_at(0, v3_of_floats(position));
	ask(mesh, &b, 1, at, most, flags, found, NULL);
	const wp_mesh_batch batch = batch_of(&mesh, &b, 1, at);
	uint32_t triangle;
	const wp_results results = wp_results_of_rows(distance);
	cr_assert_eq(wp_mesh_distance(workspace, &batch, NULL, &results, &(wp_uint32_column){&triangle, 0}, NULL), WP_OK);
	wp_cook_free_mesh(mesh);
}

/* Its lower side is behind the triangle's plane, below the triangle and beside it: the normal that was found comes from behind the
 * border, and what is above the triangle along its own normal is behind it. */
Test(mesh_contact, a_body_that_passes_a_border_does_not_overlap, .init = setup)
{
	static const body still = {.rotation = {0, 0, 0, 1}};
	static const float corners[2][3][3] = {
		{{0, 0x1p-2f, 0}, {0, -0x1p-3f, 1}, {1, 0, 0}}, {{3, 0x1p-2f, 2}, {2, 0x1p-2f, 3}, {3, 0, 3}}};
	static const float at[2][3] = {{0x1.2p+0f, -0x1.8p-2f, 0x1.4p+0f}, {0x1.cp+0f, 0x1p-1f, 2}};
	const wp_shape boxes[2] = {wp_shape_box(1, 0x1p-3f, 1), wp_shape_box(1, 0x1p-3f, 0x1p-1f)};
	for (int i = 0; i < 2; i++)
		for (uint32_t flags = 0; flags < 4; flags++) {
			answer found;
			wp_row distance;
			ask_one_triangle(boxes[i], corners[i], &still, at[i], 0x1p-2f, flags, &found, &distance);
			CHECK(distance.separation > 0.1f && !(distance.status & WP_STATUS_PENETRATING), "body %d", i);
			CHECK(found.patch_count == 0 || (double)found.separation >= (double)distance.separation - 1e-5,
				"body %d, flags %u: separation %g, distance %g", i, flags, (double)found.separation,
				(double)distance.separation);
		}
}

/* How far the gap along a contact's normal is from its separation, of what is allowed, of a shape and one triangle that are near
 * each other. */
static double gap_error(wp_shape s, float corners[3][3], const body *b, float most)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	static const uint32_t indices[3] = {0, 1, 2};
	const body still = {.rotation = {0, 0, 0, 1}};
	const wp_mesh_input input = {
		.vertices = {corners[0]}, .vertex_count = 3, .triangles = {indices}, .triangle_count = 1};
	const wp_mesh *mesh = NULL;
	answer found;
	cr_assert_eq(wp_cook_mesh(&input, &mesh, NULL), WP_OK);
	cr_assert_eq(wp_shape_table_build(&s, 1, memory, sizeof memory, &table, NULL), WP_OK);
	shape[0] = s;
	ask(mesh, b, 1, &still, most, WP_MESH_GHOSTS | WP_MESH_TWO_SIDED, &found, NULL);
	wp_cook_free_mesh(mesh);
	cr_assert_neq(found.patch_count, 0);
	const v3 normal = v3_of_floats(found.normal), reach = farthest(b, normal);
	double least = INFINITY;
	v3 c[3];
	for (int k = 0; k < 3; k++) {
		c[k] = v3_of_floats(corners[k]);
		least = fmin(least, v3_dot(normal, v3_sub(c[k], reach)));
	}
	const double size = triangle_size_with((double)wp_shape_table_bound(table, 0), c);
	return fabs(least - (double)found.separation) / (WP_CONTRACT * (size + fabs((double)found.separation)));
}

/* A gap that is short beside the triangle, to the corner of two edges that are as near within what kernels round: along the normal of
 * the wrong one the triangle reaches past the body. */
Test(mesh_contact, a_normal_at_a_corner_holds_both_edges, .init = setup)
{
	static float corners[2][3][3] = {
		{{0x1.225e9ap+5f, 0x1.9eb2e4p+5f, -0x1.25c778p+5f}, {-0x1.c4da0ep+3f, -0x1.177dfcp+4f, 0x1.087e8ep+3f},
			{0x1.fc2d9ep+4f, 0x1.e0290cp+5f, -0x1.327b1ep+5f}},
		{{0x1.5d3752p+0f, 0x1.b1affp-3f, 0x1.827b0ep-4f}, {-0x1.3483eep+2f, -0x1.7909bap+1f, 0x1.31b22ap+0f},
			{-0x1.6fef88p+1f, 0x1.5c02dep+2f, 0x1.10ea7cp+1f}}};
	const wp_shape shapes[2] = {wp_shape_capsule(0, 0x1.5ab61ep+2f), wp_shape_sphere(0x1.a1ec78p-24f)};
	static const body bodies[2] = {{.position = {-0x1.9874be49ec05cp+3, -0x1.f257bdf9c1decp+3, 0x1.bced348c8a58ap+1},
									   .rotation = {0x1.94d39ep-1f, 0, 0x1.d51116p-3f, 0x1.22b3d4p-1f}},
		{.position = {-0x1.6fef86e1ed503p+1, 0x1.5c02dea188cbdp+2, 0x1.10ea7b167e5c4p+1}, .rotation = {0, 0, 0, 1}}};
	for (int i = 0; i < 2; i++) {
		const double error = gap_error(shapes[i], corners[i], &bodies[i], 0x1p-10f);
		CHECK(error <= 1, "body %d: %g of what is allowed", i, error);
	}
}

/* The same of any: normals across an edge, from a place beside its end. */
Test(mesh_contact, normals_at_corners_hold_their_edges, .init = setup)
{
	gen_random random;
	gen_seed(&random, 71);
	double worst = 0;
	for (int i = 0; i < 20000; i++) {
		const double length = gen_magnitude(&random, 1, 100), gap = length * gen_magnitude(&random, 1.5e-8, 1e-3);
		const double part = gen_magnitude(&random, 1e-2, 1);
		v3 c[3] = {v3_scale(gen_direction(&random), gen_below(&random, 2) ? length : 0)};
		c[1] = v3_add(c[0], v3_scale(gen_direction(&random), length));
		c[2] = v3_add(c[0], v3_scale(gen_direction(&random), length * part));
		float corners[3][3];
		for (int k = 0; k < 3; k++) {
			surface_set(corners[k], c[k].x, c[k].y, c[k].z);
			c[k] = v3_of_floats(corners[k]);
		}
		const uint32_t k = gen_below(&random, 3);
		const v3 edge = v3_unit(v3_sub(c[(k + 1) % 3], c[k])), face = triangle_normal(c), out = v3_cross(edge, face);
		const double tilt = gen_range(&random, 0, 1.57), aside = gap * gen_magnitude(&random, 1e-8, 1e-2);
		const v3 normal = v3_add(v3_scale(out, cos(tilt)), v3_scale(face, sin(tilt)));
		v3 at = v3_add(v3_add(c[k], v3_scale(normal, gap)), v3_scale(edge, gen_below(&random, 2) ? aside : -aside));
		wp_shape s = wp_shape_sphere(gen_rounded(gap * gen_range(&random, 0.1, 1.2)));
		body b = {.rotation = {0, 0, 0, 1}};
		if (i % 2 == 0) {
			const double half = length * gen_magnitude(&random, 0.01, 1), place = gen_range(&random, -half, half);
			s = wp_shape_capsule(0, gen_rounded(half));
			/* Half the way from +Y. */
			const v3 along = v3_unit(v3_cross(normal, gen_direction(&random))),
					 half_way = v3_add(along, v3_of(0, 1, 0));
			const double turned = v3_length(half_way) / 2, share = 1 / (2 * turned);
			b.rotation[0] = gen_rounded(along.z * share);
			b.rotation[2] = gen_rounded(-along.x * share);
			b.rotation[3] = gen_rounded(turned);
			at = v3_add(at, v3_scale(m3_of_quaternion(b.rotation).y, place));
		}
		b.position[0] = at.x;
		b.position[1] = at.y;
		b.position[2] = at.z;
		worst = fmax(worst, gap_error(s, corners, &b, gen_rounded(4 * gap)));
	}
	CHECK(worst <= 1, "%g of what is allowed", worst);
}

/* In double its corners are one place beside the capsule's. */
Test(mesh_contact, a_triangle_that_is_a_point_within_a_capsule, .init = setup)
{
	static const body at = {.rotation = {0x1.5d400ap-4f, -0x1.eb7d94p-1f, -0x1.5939a6p-8f, -0x1.1142dp-2f}};
	static const float corners[3][3] = {{-0x1.adb5ap-68f, 0, -0x1.79ccecp-95f},
		{-0x1.033ce8p-96f, 0x1.230458p-97f, 0x1.5c1024p-102f}, {0x1.21ab3p-68f, -0x1.741006p-68f, 0}};
	static const float position[3] = {-0x1.bfdc3ap-99f, 0x1.cd9732p-3f, -0x1.2555ccp-95f};
	const float radius = 0x1.7055e8p-1f;
	for (uint32_t flags = 0; flags < 8; flags++) {
		answer found;
		wp_row distance;
		ask_one_triangle(wp_shape_capsule(radius, 0x1.7c10ecp-1f), corners, &at, position, 0, flags, &found, &distance);
		const double length = v3_length(v3_of_floats(found.patch[0].normal));
		CHECK(found.patch_count == 1 && fabs(length - 1) <= 1e-6 &&
				  fabs((double)found.patch[0].separation + (double)radius) <= 1e-5 &&
				  found.separation == found.patch[0].separation,
			"flags %u: %u patches, separation %g, normal of %g", flags, found.patch_count, (double)found.separation,
			length);
	}
}

/* Triangles on either side of a fold, whose corners lie on each other's edges there, wound one way or the other. */
static const wp_mesh *cook_fold(gen_random *random, bool is_turned)
{
	enum { TRIANGLES = 6 };
	static const uint32_t indices[2][3] = {{0, 1, 2}, {0, 2, 1}};
	float corners[3 * TRIANGLES][3];
	uint32_t triangles[3 * TRIANGLES];
	const float fall = (float)gen_range(random, -1, 1);
	for (uint32_t t = 0; t < TRIANGLES; t++)
		for (uint32_t i = 0; i < 3; i++) {
			const float x = 0.5f * (float)(i == 0 ? 0 : gen_below(random, 3)) * (t & 1 ? -1 : 1);
			float *const at = corners[3 * t + i];
			at[0] = x;
			at[1] = fall * (x > 0 ? x : 0);
			at[2] = 0.25f * (float)gen_below(random, 9);
			triangles[3 * t + i] = 3 * t + indices[is_turned][i];
		}
	const wp_mesh_input input = {
		.vertices = {corners[0]}, .vertex_count = 3 * TRIANGLES, .triangles = {triangles}, .triangle_count = TRIANGLES};
	const wp_mesh *mesh = NULL;
	return wp_cook_mesh(&input, &mesh, NULL) == WP_OK ? mesh : NULL;
}

/* From either side it is the same surface. */
Test(mesh_contact, soups_of_two_sides_have_no_front, .init = setup)
{
	enum { FOLDS = 3000 };
	static const body still = {.rotation = {0, 0, 0, 1}};
	uint32_t judged = 0;
	for (uint32_t i = 0; i < FOLDS; i++) {
		const wp_mesh *mesh[2];
		answer found[2];
		for (int turned = 0; turned < 2; turned++) {
			gen_random random;
			gen_seed(&random, 1000 + i);
			mesh[turned] = cook_fold(&random, turned);
			body b = body_at(gen_below(&random, 2) ? BOX : HULL,
				v3_of(gen_range(&random, -1, 1), gen_range(&random, -0.6, 0.6), gen_range(&random, 0, 2)));
			const v3 axis = gen_direction(&random);
			const double angle = gen_range(&random, 0, 3);
			b.rotation[0] = (float)(axis.x * sin(angle));
			b.rotation[1] = (float)(axis.y * sin(angle));
			b.rotation[2] = (float)(axis.z * sin(angle));
			b.rotation[3] = (float)cos(angle);
			if (mesh[turned] != NULL)
				ask(mesh[turned], &b, 1, &still, 0.05f, WP_MESH_SOUP | WP_MESH_TWO_SIDED, &found[turned], NULL);
		}
		if (mesh[0] == NULL || mesh[1] == NULL)
			continue;
		judged += found[0].patch_count != 0;
		CHECK(found[0].patch_count == found[1].patch_count &&
				  (found[0].patch_count == 0 || fabs((double)found[0].separation - (double)found[1].separation) < 1e-4),
			"fold %u: %u patches, %u turned; %g and %g", i, found[0].patch_count, found[1].patch_count,
			(double)found[0].separation, (double)found[1].separation);
		wp_cook_free_mesh(mesh[0]);
		wp_cook_free_mesh(mesh[1]);
	}
	cr_assert_gt(judged, FOLDS / 4, "%u", judged);
}

Test(mesh_contact, arguments, .init = setup)
{
	surface s = surface_grid(4, 4);
	const wp_mesh *const mesh = cook_surface(&s);
	body bodies[3] = {body_at(BOX, v3_of(1, 0.25, 1)), plain, plain};
	answer answers[3];
	const wp_mesh_batch good = batch_of(&mesh, bodies, 1, &plain);
	const wp_mesh_options none = {0};
	const wp_mesh_results all = results_of(answers);
	cr_assert_eq(wp_mesh_contact(NULL, &good, &none, &all, NULL), WP_ERROR_NULL_WORKSPACE);
	cr_assert_eq(wp_mesh_contact(workspace, NULL, &none, &all, NULL), WP_ERROR_NULL_BATCH);
	cr_assert_eq(wp_mesh_contact(workspace, &good, &none, NULL, NULL), WP_ERROR_NULL_RESULTS);
	cr_assert_eq(wp_mesh_contact(workspace, &good, NULL, &all, NULL), WP_OK);
	const struct {
		wp_mesh_options options;
		wp_error error;
	} options[] = {{{NAN, 0}, WP_ERROR_MAX_SEPARATION}, {{-1, 0}, WP_ERROR_MAX_SEPARATION},
		{{0, 8}, WP_ERROR_MESH_FLAGS}, {{0, 0x80000001}, WP_ERROR_MESH_FLAGS}};
	for (size_t i = 0; i < COUNT_OF(options); i++)
		cr_assert_eq(wp_mesh_contact(workspace, &good, &options[i].options, &all, NULL), options[i].error, "%zu", i);
#define EXPECT_BATCH(change, e)                                                       \
	do {                                                                              \
		wp_mesh_batch batch = good;                                                   \
		change;                                                                       \
		cr_assert_eq(wp_mesh_contact(workspace, &batch, &none, &all, NULL), (e), #e); \
	} while (0)
	EXPECT_BATCH(batch.shapes = NULL, WP_ERROR_NULL_BATCH_SHAPES);
	EXPECT_BATCH(batch.meshes = NULL, WP_ERROR_NULL_MESHES);
	EXPECT_BATCH(batch.a.position.data = NULL, WP_ERROR_BODIES_A_POSITION);
	EXPECT_BATCH(batch.b.position.data = NULL, WP_ERROR_BODIES_B_POSITION);
	EXPECT_BATCH((batch.b = (wp_bodies){0}), WP_ERROR_BODIES_B_POSITION);
	EXPECT_BATCH(batch.b.rotation.data = NULL, WP_ERROR_BODIES_B_ROTATION);
	EXPECT_BATCH(batch.b.position_real = WP_REAL_FLOAT, WP_ERROR_BODIES_B_REAL);
	EXPECT_BATCH(batch.a.position.stride = 8, WP_ERROR_BODIES_A_POSITION_STRIDE);
	EXPECT_BATCH(batch.first = SIZE_MAX, WP_ERROR_PAIR_RANGE);
	EXPECT_BATCH(batch.count = 0, WP_OK);
#define EXPECT_RESULTS(change, e)                                                        \
	do {                                                                                 \
		wp_mesh_results results = all;                                                   \
		change;                                                                          \
		cr_assert_eq(wp_mesh_contact(workspace, &good, &none, &results, NULL), (e), #e); \
	} while (0)
	EXPECT_RESULTS(results.patch_max = 9, WP_ERROR_MESH_PATCH_MAX);
	EXPECT_RESULTS(results.patch_count.data = NULL, WP_ERROR_NULL_PATCH_COUNT);
	EXPECT_RESULTS(results.patch_count.stride = 3, WP_ERROR_PATCH_COUNT_STRIDE);
	EXPECT_RESULTS(results.patches.stride = sizeof(wp_mesh_patch), WP_ERROR_PATCHES_STRIDE);
	EXPECT_RESULTS(results.triangle_count.stride = 2, WP_ERROR_TRIANGLE_COUNT_STRIDE);
	EXPECT_RESULTS(results.separation.stride = 1, WP_ERROR_RESULTS_SEPARATION_STRIDE);
	EXPECT_RESULTS(results.normal.stride = 8, WP_ERROR_RESULTS_NORMAL_STRIDE);
	EXPECT_RESULTS(results.status.stride = 1, WP_ERROR_RESULTS_STATUS_STRIDE);
	EXPECT_RESULTS((results = (wp_mesh_results){0}), WP_OK);
	wp_cook_free_mesh(mesh);
}

enum { BAD_ROWS = 64 };

/* Rows that are wrong in all ways have their status, and the others have the bits that they have without them. */
Test(mesh_contact, bad_rows, .init = setup)
{
	surface s = surface_terrain(20, 20, 5);
	const wp_mesh *const mesh = cook_surface(&s);
	_Alignas(WP_ALIGNMENT) static const char no_mesh[sizeof(uint64_t) * 16];
	const wp_mesh *const meshes[] = {
		mesh, NULL, (const wp_mesh *)(const void *)no_mesh, (const wp_mesh *)(const void *)(no_mesh + 4)};
	static answer good_answers[BAD_ROWS], answers[BAD_ROWS];
	body bodies[BAD_ROWS], at[8];
	uint32_t a[BAD_ROWS], b[BAD_ROWS], expected[BAD_ROWS] = {0};
	gen_random random;
	gen_seed(&random, 3);
	for (size_t i = 0; i < COUNT_OF(at); i++)
		at[i] = plain;
	for (uint32_t i = 0; i < BAD_ROWS; i++) {
		float vertex[3];
		wp_mesh_vertex(mesh, gen_below(&random, (uint32_t)wp_mesh_vertex_count(mesh)), vertex);
		bodies[i] = body_at(i % SHAPES, v3_add(v3_of_floats(vertex), v3_of(0, 0.3, 0)));
		gen_rotation(&random, bodies[i].rotation);
		a[i] = i;
		b[i] = 0;
	}
	wp_mesh_batch batch = batch_of(meshes, bodies, BAD_ROWS, at);
	batch.mesh_count = COUNT_OF(meshes);
	batch.b.count = COUNT_OF(at);
	batch.pair_a.data = a;
	batch.pair_b.data = b;
	const wp_mesh_options options = {.max_separation = 0.1f};
	const wp_mesh_results good = results_of(good_answers), bad = results_of(answers);
	cr_assert_eq(wp_mesh_contact(workspace, &batch, &options, &good, NULL), WP_OK);
	a[3] = BAD_ROWS;
	expected[3] = WP_STATUS_INVALID_BODY_A;
	b[7] = COUNT_OF(at);
	expected[7] = WP_STATUS_INVALID_BODY_B;
	bodies[11].shape = SHAPES;
	expected[11] = WP_STATUS_INVALID_SHAPE_A;
	bodies[12].position[1] = (double)NAN;
	expected[12] = WP_STATUS_INVALID_POSITION_A;
	bodies[13].rotation[2] = INFINITY;
	expected[13] = WP_STATUS_INVALID_ROTATION_A;
	for (uint32_t i = 1; i < 8; i++) {
		b[20 + i] = i;
		at[i].shape = i < 5 ? i : 0;
		expected[20 + i] = i < 5 ? WP_STATUS_INVALID_SHAPE_B : 0;
	}
	at[5].position[0] = 1e31;
	expected[25] = WP_STATUS_INVALID_POSITION_B;
	memset(at[6].rotation, 0, sizeof at[6].rotation);
	expected[26] = WP_STATUS_INVALID_ROTATION_B;
	wp_mesh_statistics statistics = {0};
	cr_assert_eq(wp_mesh_contact(workspace, &batch, &options, &bad, &statistics), WP_OK);
	for (uint32_t i = 0; i < BAD_ROWS; i++) {
		if (expected[i] != 0)
			CHECK(answers[i].status == (expected[i] | WP_STATUS_INVALID) && isnan(answers[i].separation) &&
					  answers[i].patch_count == 0 && answers[i].triangle_count == 0,
				"row %u: status %#x, not %#x", i, answers[i].status, expected[i]);
		else
			CHECK(memcmp(&answers[i], &good_answers[i], sizeof answers[i]) == 0, "row %u differs", i);
	}
	cr_assert(statistics.rows == BAD_ROWS && statistics.invalid == 11 && statistics.first_invalid_row == 3);
	wp_cook_free_mesh(mesh);
}

/* A small cone far above a triangle has two points that hold it up, and the deepest one besides takes the place of the nearest.
 * Wide variants went on to choose places that count for nothing, and took one of them for the deepest: their points were not
 * those of one lane. */
Test(mesh_contact, variants_choose_the_same_points)
{
	static const float corners[3][3] = {{0x1.1e3b5p+0f, -0x1.ca93d2p+1f, -0x1.9ce98ep+1f},
		{0x1.61aa74p+0f, -0x1.ce17d6p+1f, -0x1.a81c1ap+1f}, {0x1.b0c62ep+0f, -0x1.06a03p+2f, -0x1.9f6256p+1f}};
	static const double position_a[3] = {-0x1.013e71db07b5ap+1, -0x1.e876b66a67d8ap+1, 0x1.0f62e298f1b16p+1};
	static const double position_b[3] = {-0x1.770f296a3b6cep+0, 0x1.105338e49797ap-1, -0x1.6e8ad5224f81bp+1};
	static const float rotation_a[4] = {0x1.6a4c78p-1f, 0x1.2504f6p-21f, 0x1.bc28ap-20f, 0x1.69c74ap-1f};
	static const float rotation_b[4] = {-0x1.1efbe4p-11f, 0x1.fffffap-1f, -0x1.7e4154p-15f, 0x1.0a1618p-12f};
	const wp_shape cone = wp_shape_cone(0x1.b80ef2p-5f, 0x1.906fdap-4f);
	const wp_mesh_input input = {.vertices.data = corners[0], .vertex_count = 3, .triangle_count = 1};
	const wp_mesh_options options = {.max_separation = 0x1.12b2c2p+1f};
	const size_t size = wp_shape_table_size(1);
	const wp_shape_table *cones;
	const wp_mesh *mesh;
	wp_mesh_patch patches[2][PATCHES];
	uint32_t counts[2];
	cr_assert_eq(wp_shape_table_build(&cone, 1, block(size), size, &cones, NULL), WP_OK);
	cr_assert_eq(wp_cook_mesh(&input, &mesh, NULL), WP_OK);
	const wp_mesh_batch batch = {.shapes = cones,
		.meshes = &mesh,
		.mesh_count = 1,
		.a = {.position = {position_a, 0}, .rotation = {rotation_a, 0}, .count = 1, .position_real = WP_REAL_DOUBLE},
		.b = {.position = {position_b, 0}, .rotation = {rotation_b, 0}, .count = 1, .position_real = WP_REAL_DOUBLE},
		.count = 1};
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		const int set = v != WP_VARIANT_SCALAR;
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		const wp_mesh_results results = {
			.patch_count = {&counts[set], 0}, .patches = {patches[set], 0}, .patch_max = PATCHES};
		memset(patches[set], 0, sizeof patches[set]);
		cr_assert_eq(wp_mesh_contact(workspace_of((wp_variant)v), &batch, &options, &results, NULL), WP_OK);
		CHECK(counts[set] == 1 && patches[set][0].point_count == 2, "variant %u: %u patches, %u points", v, counts[set],
			patches[set][0].point_count);
		CHECK(set == 0 || memcmp(patches[0], patches[1], sizeof patches[0]) == 0,
			"variant %u: %a and %a, not %a and %a", v, (double)patches[1][0].points[0].separation,
			(double)patches[1][0].points[1].separation, (double)patches[0][0].points[0].separation,
			(double)patches[0][0].points[1].separation);
	}
	wp_cook_free_mesh(mesh);
}

/* A patch of more points than it keeps has one of its lead's, though the others are deeper, farther out and of a contact that is
 * as deep. */
Test(mesh_contact, many_points_leave_one_of_the_lead)
{
	enum { LEAD = 7, OTHERS = 40 };
	static wp_mesh_patch_spots patch;
	static wp_mesh_row row;
	const wp_mesh_lead lead = {.normal = {0, 1, 0}, .separation = -0.5, .triangle = LEAD};
	wp_mesh_spot spot = {.at = {0.01, 0, 0.02}, .separation = -0.1, .triangle = LEAD, .contact = -0.5f};
	uint32_t of_lead = 0;
	row.reach = 1;
	patch.cell = wp_mesh_cell_of(lead.normal);
	wp_mesh_add_spots(&patch, &row, &spot, 1, &lead);
	for (uint32_t i = 0; i < OTHERS; i++) {
		const double angle = 2.399963 * i;
		spot.at = wp_d3_of(cos(angle), 0, sin(angle));
		spot.separation = -0.5 + 1e-3 * i;
		spot.triangle = 100 + i;
		wp_mesh_add_spots(&patch, &row, &spot, 1, NULL);
	}
	for (uint32_t i = 0; i < patch.count; i++)
		of_lead += patch.spot[i].triangle == LEAD;
	CHECK(of_lead == 1, "%u of %u points", of_lead, patch.count);
}

/* Ranges of rows have the bits of the whole. */
Test(mesh_contact, parts_of_a_batch, .init = setup)
{
	surface s = surface_terrain(20, 20, 5);
	const wp_mesh *const mesh = cook_surface(&s);
	static answer whole[BAD_ROWS], parts[BAD_ROWS];
	body bodies[BAD_ROWS];
	uint32_t zeros[BAD_ROWS] = {0};
	for (uint32_t i = 0; i < BAD_ROWS; i++) {
		float vertex[3];
		wp_mesh_vertex(mesh, 5 * i, vertex);
		bodies[i] = body_at(i % SHAPES, v3_add(v3_of_floats(vertex), v3_of(0.1, 0.3, 0.2)));
	}
	wp_mesh_batch batch = batch_of(&mesh, bodies, BAD_ROWS, &plain);
	batch.pair_b.data = zeros;
	const wp_mesh_results to_whole = results_of(whole), to_parts = results_of(parts);
	cr_assert_eq(wp_mesh_contact(workspace, &batch, NULL, &to_whole, NULL), WP_OK);
	for (size_t done = 0, part = 1; done < BAD_ROWS; done += batch.count, part++) {
		batch.first = done;
		batch.count = done + part < BAD_ROWS ? part : BAD_ROWS - done;
		cr_assert_eq(wp_mesh_contact(workspace, &batch, NULL, &to_parts, NULL), WP_OK);
	}
	cr_assert_eq(memcmp(whole, parts, sizeof whole), 0);
	wp_cook_free_mesh(mesh);
}
