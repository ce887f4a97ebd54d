/* Contacts with meshes do not depend on the order of triangles: the same triangles shuffled, which makes another tree, have the
 * same bits in every row, whatever the size of the ring; and so has a height field with these triangles. */
#include "mesh_contact/internal.h"
#include "support/block.h"
#include "support/check.h"
#include "support/cooked.h"
#include "support/mesh_answer.h"
#include "support/mesh_bodies.h"

#include <math.h>

enum { KINDS = 8, SIZES = 2, SHAPES = KINDS * SIZES };

/* Sanitizers look at memory, for which one order and some bodies of each shape are enough. */
#ifdef SANITIZED
enum { SHUFFLES = 1, BODIES = 300 };
#else
enum { SHUFFLES = 2, BODIES = 600 };
#endif

typedef MESH_ANSWER(WP_MESH_PATCH_MAX) answer;

static const wp_shape_table *table;
static wp_workspace *workspace;

static const wp_hull *make_hull(double size)
{
	float points[32][3];
	gen_random random;
	gen_seed(&random, 7);
	for (size_t i = 0; i < COUNT_OF(points); i++) {
		const v3 at = v3_scale(gen_direction(&random), size);
		surface_set(points[i], at.x, at.y, at.z);
	}
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_cook_points(points[0], 0, COUNT_OF(points), &hull, NULL), WP_OK);
	return hull;
}

/* Shapes that touch a few triangles, and large ones of the same kinds that touch many. */
static void setup(void)
{
	static wp_shape shapes[SHAPES];
	for (uint32_t i = 0; i < SIZES; i++) {
		const float size = i == 0 ? 1.0f : 5.0f;
		wp_shape *const shape = shapes + KINDS * i;
		shape[0] = wp_shape_box(0.5f * size, 0.3f * size, 0.4f * size);
		shape[1] = wp_shape_sphere(0.5f * size);
		shape[2] = wp_shape_capsule(0.25f * size, 0.3f * size);
		shape[3] = wp_shape_cylinder(0.4f * size, 0.3f * size);
		shape[4] = wp_shape_hull(make_hull(0.5 * (double)size));
		shape[5] = wp_shape_cone(0.4f * size, 0.5f * size);
		shape[6] = wp_shape_ellipsoid(0.5f * size, 0.2f * size, 0.4f * size);
		shape[7] = wp_shape_box(0.5f * size, 0.2f * size, 0.4f * size);
		shape[7].radius = 0.1f * size;
	}
	const size_t size = wp_shape_table_size(SHAPES);
	cr_assert_eq(wp_shape_table_build(shapes, SHAPES, block(size), size, &table, NULL), WP_OK);
	cr_assert_eq(wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace), WP_OK);
}

/* ---- bodies ------------------------------------------------------------------------------------- */

static const body plain = {.rotation = {0, 0, 0, 1}};
static const body turned = {.position = {1e3, -2e3, 3e3}, .rotation = {0.1f, 0.7f, -0.5f, 0.5f}};

/* Bodies about corners of a surface. */
static void any_bodies(const surface *s, const body *at, body *bodies)
{
	gen_random random;
	gen_seed(&random, 41);
	const m3 turn = m3_of_quaternion(at->rotation);
	for (size_t i = 0; i < BODIES; i++) {
		bodies[i].shape = gen_below(&random, SHAPES);
		const double size = bodies[i].shape < KINDS ? 1 : 5;
		const v3 corner = v3_of_floats(s->vertices[gen_below(&random, (uint32_t)s->vertex_count)]);
		const v3 aside = v3_scale(gen_direction(&random), gen_range(&random, 0, 0.6 * size));
		const v3 place = v3_add(
			m3_apply(turn, v3_add(corner, aside)), v3_of(at->position[0], at->position[1], at->position[2]));
		bodies[i].position[0] = place.x;
		bodies[i].position[1] = place.y;
		bodies[i].position[2] = place.z;
		gen_rotation(&random, bodies[i].rotation);
	}
}

/* Bodies that lie flat on the plane y = 0, a little in it, on a grid's corners, edges and triangles: many numbers are equal. */
static void flat_bodies(body *bodies)
{
	static const float level[2][4] = {{0, 0, 0, 1}, {0, 0.6f, 0, 0.8f}};
	static const double lowest[KINDS] = {0.3, 0.5, 0.55, 0.3, 0.45, 0.5, 0.2, 0.3};
	gen_random random;
	gen_seed(&random, 43);
	for (size_t i = 0; i < BODIES; i++) {
		bodies[i].shape = gen_below(&random, SHAPES);
		const double size = bodies[i].shape < KINDS ? 1 : 5;
		bodies[i].position[0] = 0.25 * gen_below(&random, 80);
		bodies[i].position[1] = size * lowest[bodies[i].shape % KINDS] - 0.01 * gen_below(&random, 3);
		bodies[i].position[2] = 0.25 * gen_below(&random, 80);
		memcpy(bodies[i].rotation, level[gen_below(&random, 2)], sizeof bodies[i].rotation);
	}
}

/* ---- comparison --------------------------------------------------------------------------------- */

/* A mesh, and which triangle of a surface each of its own is; or a height field. */
typedef struct shuffled {
	const wp_mesh *mesh;
	const wp_height_field *field;
	uint32_t *origin; /* NULL: as they are */
} shuffled;

/* Cook a surface, its triangles as they are or in any order. */
static shuffled cook_shuffled(const surface *s, uint64_t seed)
{
	const size_t count = s->triangle_count;
	surface other = surface_allocate(s->vertex_count, count);
	uint32_t *const order = malloc(count * sizeof *order);
	gen_random random;
	gen_seed(&random, seed);
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	for (uint32_t i = (uint32_t)count; i > 1 && seed != 0; i--) {
		const uint32_t k = gen_below(&random, i), last = order[i - 1];
		order[i - 1] = order[k];
		order[k] = last;
	}
	memcpy(other.vertices, s->vertices, s->vertex_count * sizeof *s->vertices);
	for (size_t i = 0; i < count; i++)
		memcpy(other.triangles[i], s->triangles[order[i]], sizeof *s->triangles);
	shuffled made = {.mesh = cook_surface(&other), .origin = malloc(count * sizeof *order)};
	for (size_t i = 0; i < wp_mesh_triangle_count(made.mesh); i++)
		made.origin[i] = order[wp_mesh_source(made.mesh, i)];
	free(order);
	return made;
}

static void free_shuffled(shuffled *s)
{
	wp_cook_free_mesh(s->mesh);
	free(s->origin);
}

/* All answers, with triangles of the surface. */
static void ask(const shuffled *s, const body *bodies, const body *at, const wp_mesh_options *options, uint32_t ring,
	answer *answers)
{
	static const uint32_t zeros[BODIES];
	const wp_mesh_batch batch = {.shapes = table,
		.meshes = &s->mesh,
		.mesh_count = s->field == NULL,
		.height_fields = &s->field,
		.height_field_count = s->field != NULL,
		.a = bodies_of(bodies, BODIES),
		.b = bodies_of(at, 1),
		.pair_b = {zeros, 0},
		.count = BODIES};
	const wp_mesh_results results = MESH_ANSWERS(answers);
	memset(answers, 0, BODIES * sizeof *answers);
	cr_assert_eq(wp_mesh_contact_in(workspace, &batch, options, &results, NULL, ring), WP_OK);
	for (size_t i = 0; i < BODIES && s->origin != NULL; i++)
		for (uint32_t p = 0; p < answers[i].patch_count; p++)
			for (uint32_t k = 0; k < answers[i].patch[p].point_count; k++) {
				uint32_t *const triangle = &answers[i].patch[p].points[k].triangle;
				*triangle = s->origin[*triangle];
			}
}

/* Shuffle a surface and compare all rows, bit by bit. At least `many` have as many patches as there may be, and some of these
 * more triangles than cells of normals. */
static void compare(const char *name, const surface *s, const wp_height_field *field, const body *bodies,
	const body *at, uint32_t flags, uint32_t many)
{
	static answer before[BODIES], after[BODIES];
	static const uint32_t rings[] = {61, 1};
	const wp_mesh_options options = {0.05f, flags};
	shuffled first = field != NULL ? (shuffled){.field = field} : cook_shuffled(s, 0);
	ask(&first, bodies, at, &options, WP_MESH_RING, before);
	free_shuffled(&first);
	size_t touching = 0, full = 0, over = 0;
	for (size_t i = 0; i < BODIES; i++) {
		touching += before[i].patch_count != 0;
		full += before[i].patch_count == WP_MESH_PATCH_MAX;
		over += full != 0 && before[i].triangle_count > 2 * WP_MESH_CELLS;
	}
	for (uint32_t round = 0; round < SHUFFLES; round++) {
		shuffled other = cook_shuffled(s, round + 1);
		ask(&other, bodies, at, &options, rings[round], after);
		free_shuffled(&other);
		size_t wrong = 0, first_wrong = 0;
		for (size_t i = BODIES; i > 0; i--)
			if (memcmp(&before[i - 1], &after[i - 1], sizeof *after) != 0) {
				wrong++;
				first_wrong = i - 1;
			}
		CHECK(wrong == 0, "%s, flags %u, shuffle %u: %zu rows differ, the first is %zu, shape %u", name, flags, round,
			wrong, first_wrong, bodies[first_wrong].shape);
	}
	CHECK(touching > BODIES / 8 && full >= many && over >= many / 4,
		"%s, flags %u: %zu rows touch, %zu have all patches, %zu many triangles", name, flags, touching, full, over);
}

static const uint32_t flags[] = {0, WP_MESH_TWO_SIDED, WP_MESH_GHOSTS, WP_MESH_SOUP};

static void compare_all(const char *name, surface s, const wp_height_field *field, uint32_t many)
{
	static body bodies[BODIES];
	for (uint32_t i = 0; i < 2 * COUNT_OF(flags); i++) {
		const body *const at = i % 2 == 0 ? &plain : &turned;
		any_bodies(&s, at, bodies);
		compare(name, &s, field, bodies, at, flags[i / 2], many);
	}
	surface_free(&s);
}

Test(mesh_order, terrain, .init = setup) { compare_all("terrain", surface_terrain(40, 40, 3), NULL, 20); }

/* Terrain of small cells, so that bodies are above many columns, as a field and as meshes. Its vertices are the field's. */
Test(mesh_order, height_field, .init = setup)
{
	enum { COLUMNS = 80, ROWS = 70 };
	static float samples[ROWS * COLUMNS];
	surface s = surface_terrain(COLUMNS, ROWS, 3);
	surface_scale(&s, 0.125, 0.125, 0.125);
	for (size_t i = 0; i < s.vertex_count; i++)
		samples[i] = s.vertices[i][1];
	const wp_height_field field = {.samples = samples, .columns = COLUMNS, .rows = ROWS, .spacing = {0.125f, 0.125f}};
	compare_all("height field", s, &field, 20);
}

Test(mesh_order, ball, .init = setup)
{
	surface s = surface_ball(8, 0.1, 5);
	surface_scale(&s, 4, 4, 4);
	compare_all("ball", s, NULL, 20);
}

/* Neighbours have normals that are nearly the same. */
static surface smooth_ball(uint32_t squares, double radius)
{
	surface s = surface_ball(squares, 0, 5);
	surface_scale(&s, radius, radius, radius);
	return s;
}

Test(mesh_order, smooth_ball, .init = setup) { compare_all("smooth ball", smooth_ball(32, 8), NULL, 20); }

Test(mesh_order, hardly_curved, .init = setup) { compare_all("hardly curved", smooth_ball(40, 200), NULL, 0); }

Test(mesh_order, soup, .init = setup)
{
	surface s = surface_soup(4000, 0.2, 9);
	surface_scale(&s, 4, 4, 4);
	compare_all("soup", s, NULL, 20);
}

/* Whether a triangle has the corners of one before it. */
static bool is_there(const surface *s, size_t triangle)
{
	const uint32_t *const a = s->triangles[triangle];
	bool is = false;
	for (size_t i = 0; i < triangle && !is; i++) {
		is = true;
		for (int k = 0; k < 3; k++)
			is &= s->triangles[i][k] == a[0] || s->triangles[i][k] == a[1] || s->triangles[i][k] == a[2];
	}
	return is;
}

/* Triangles between points of a grid, each of a few that are near: several sheets have a corner or an edge in common. */
static surface pinched(uint32_t side, size_t count)
{
	const uint32_t points = side * side * side;
	surface s = surface_allocate(points, count);
	gen_random random;
	gen_seed(&random, 11);
	for (uint32_t i = 0; i < points; i++)
		surface_set(s.vertices[i], 0.5 * (i % side) + gen_range(&random, -0.1, 0.1),
			0.5 * (i / side % side) + gen_range(&random, -0.1, 0.1),
			0.5 * (double)(i / side / side) + gen_range(&random, -0.1, 0.1));
	for (size_t i = 0; i < count;) {
		const uint32_t step[3] = {1, side, side * side};
		uint32_t *const corner = s.triangles[i];
		uint32_t at[3];
		for (int k = 0; k < 3; k++)
			at[k] = gen_below(&random, side - 1);
		for (int j = 0; j < 3; j++) {
			corner[j] = 0;
			for (int k = 0; k < 3; k++)
				corner[j] += step[k] * (at[k] + gen_below(&random, 2));
		}
		i += corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0] && !is_there(&s, i);
	}
	return s;
}

Test(mesh_order, pinched, .init = setup)
{
	compare_all("few sheets", pinched(12, 2000), NULL, 0);
	compare_all("many sheets", pinched(9, 3000), NULL, 0);
}

/* A sphere, the third triangle beside it, and two sheets at the corner that is nearest to it of the others: in one it leans towards
 * a triangle, in the other towards none. */
Test(mesh_order, sheets_with_one_corner, .init = setup)
{
	static const float corners[3][3][3] = {{{0, -0.5f, -1}, {-0.5f, 0x1.99999ap-3f, -1}, {-1, 0.5f, -1}},
		{{0, -0.5f, -1}, {0, 1, -1}, {-1, 0.5f, -1}}, {{0.5f, -1, -0.5f}, {-0.5f, 0x1.99999ap-3f, -1}, {0, -0.5f, -1}}};
	static const uint32_t order[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	static const body ball = {
		.position = {0x1.277afc80be5d2p-2, -0x1.fa874c00c75e1p-1, -0x1.5b5aad478023fp-3}, .rotation = {0, 0, 0, 1}, 1};
	static body bodies[BODIES];
	static answer answers[BODIES], first;
	const wp_mesh_options options = {1, 0};
	for (size_t i = 0; i < BODIES; i++)
		bodies[i] = ball;
	for (uint32_t i = 0; i < COUNT_OF(order); i++) {
		surface s = surface_allocate(9, 3);
		for (uint32_t k = 0; k < 9; k++) {
			memcpy(s.vertices[k], corners[order[i][k / 3]][k % 3], sizeof s.vertices[k]);
			s.triangles[k / 3][k % 3] = k;
		}
		shuffled made = cook_shuffled(&s, 0);
		for (uint32_t k = 0; k < 3; k++)
			made.origin[k] = order[i][made.origin[k]];
		ask(&made, bodies, &plain, &options, WP_MESH_RING, answers);
		first = i == 0 ? answers[0] : first;
		CHECK(answers[0].patch_count == 2 && memcmp(&answers[0], &first, sizeof first) == 0,
			"order %u: %u patches, %a, %a", i, answers[0].patch_count, (double)answers[0].separation,
			(double)answers[0].patch[1].separation);
		free_shuffled(&made);
		surface_free(&s);
	}
}

Test(mesh_order, floor, .init = setup)
{
	static body bodies[BODIES];
	surface s = surface_grid(22, 22);
	flat_bodies(bodies);
	for (uint32_t i = 0; i < COUNT_OF(flags); i++)
		compare("floor", &s, NULL, bodies, &plain, flags[i], 0);
	compare_all("slanted floor", s, NULL, 0);
}

/* ---- many contacts that are as deep ------------------------------------------------------------- */

/* The next triangle: its corners at (x[k], z[k]) on a plane through (0, y, 0) that rises along x and z. */
static void add_tile(surface *s, const double x[3], const double z[3], double y, double along_x, double along_z)
{
	const size_t first = 3 * s->triangle_count;
	for (size_t k = 0; k < 3; k++) {
		surface_set(s->vertices[first + k], x[k], y + along_x * x[k] + along_z * z[k], z[k]);
		s->triangles[s->triangle_count][k] = (uint32_t)(first + k);
	}
	s->triangle_count++;
}

/* Below a level box: level tiles, all as deep, of which the first one leads, since the sum of its corners is the least, and
 * others have the points that are the first of those as deep; and less deep ones that hardly rise, with more normals than there
 * are cells. */
static surface tiles_below_a_box(void)
{
	enum { SIDE = 5, EACH = 4, LEVEL = 9 };
	surface s = surface_allocate(3 * (LEVEL + SIDE * SIDE * EACH), LEVEL + SIDE * SIDE * EACH);
	s.triangle_count = 0;
	add_tile(&s, (double[3]){-1, -1, -0.9}, (double[3]){1.8, 1.9, 1.8}, 0, 0, 0);
	for (int i = 1; i < LEVEL; i++) {
		const double z = 0.2 * i - 1;
		add_tile(&s, (double[3]){-1.4, -0.5, -0.5}, (double[3]){z, z + 0.1, z}, 0, 0, 0);
	}
	for (int i = 0; i < SIDE * SIDE * EACH; i++) {
		const int rise = i / EACH;
		const double x = 0.25 * (i % 10) - 1.2, z = 0.25 * (double)(i / 10) - 1.2;
		if (rise != SIDE * SIDE / 2)
			add_tile(&s, (double[3]){x, x, x + 0.1}, (double[3]){z, z + 0.1, z}, -0.01, 5e-4 * (rise % SIDE - 2),
				5e-4 * (int)(rise / SIDE - 2));
	}
	s.vertex_count = 3 * s.triangle_count;
	return s;
}

/* Where a cell with too many points as deep has left out all of its lead, merging it makes up no point. */
Test(mesh_order, the_lead_has_no_point_left, .init = setup)
{
	static body bodies[BODIES];
	static answer answers[BODIES];
	void *const memory = block(WP_WORKSPACE_SIZE);
	memset(memory, 0x44, WP_WORKSPACE_SIZE);
	cr_assert_eq(wp_workspace_init(memory, WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace), WP_OK);
	for (size_t i = 0; i < BODIES; i++)
		bodies[i] = (body){.position = {0, 1.5 - 0.02, 0}, .rotation = {0, 0, 0, 1}, .shape = KINDS};
	surface s = tiles_below_a_box();
	shuffled made = cook_shuffled(&s, 0);
	const wp_mesh_options options = {0.05f, 0};
	ask(&made, bodies, &plain, &options, WP_MESH_RING, answers);
	for (uint32_t p = 0; p < answers[0].patch_count; p++) {
		const wp_mesh_patch *const patch = &answers[0].patch[p];
		for (uint32_t k = 0; k < patch->point_count; k++) {
			const wp_mesh_point *const point = &patch->points[k];
			CHECK(point->separation < 0 && fabs(point->point_a[0]) < 3 && fabs(point->point_a[2]) < 3,
				"patch %u, point %u: %g at (%g, %g)", p, k, (double)point->separation, point->point_a[0],
				point->point_a[2]);
		}
	}
	cr_assert_eq(answers[0].patch_count, 1);
	free_shuffled(&made);
	surface_free(&s);
}
