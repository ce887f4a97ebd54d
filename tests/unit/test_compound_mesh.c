/* Compounds against meshes and height fields: rows against the rows of their children by themselves. */
#include "compound/internal.h"
#include "support/block.h"
#include "support/check.h"
#include "support/compound_children.h"
#include "support/cooked.h"
#include "support/far_world.h"
#include "support/mesh_answer.h"
#include "support/mesh_bodies.h"
#include "support/unit.h"

#include <math.h>

enum { BODIES = 120, SIDE = 24 };
enum { MESH, FIELD, SURFACES };

static wp_shape shapes[SHAPES];
static const wp_shape_table *table;
static wp_workspace *workspace;
static wp_compound_child children[COMPOUNDS][CHILDREN];
static const wp_compound *compounds[COMPOUNDS];
static const wp_mesh *mesh, *floor_mesh;
static wp_height_field field;

typedef struct answer {
	MESH_ANSWER(WP_MESH_PATCH_MAX);
	uint32_t child[WP_MESH_PATCH_MAX][WP_MESH_POINT_MAX];
} answer;

static const body places[SURFACES] = {{.position = {3, -2, 1}, .rotation = {0, 0, 0, 1}, .shape = MESH},
	{.position = {1e4, 5, -1e4}, .rotation = {0.1f, 0.7f, -0.5f, 0.5f}, .shape = FIELD}};

/* ---- scenes ------------------------------------------------------------------------------------- */

static void make_surfaces(void)
{
	static float samples[SIDE * SIDE];
	surface hills = surface_terrain(SIDE, SIDE, 17), flat = surface_grid(SIDE, SIDE);
	for (size_t i = 0; i < COUNT_OF(samples); i++)
		samples[i] = i % 97 == 50 ? WP_HEIGHT_HOLE : hills.vertices[i][1];
	field = (wp_height_field){.samples = samples, .columns = SIDE, .rows = SIDE, .spacing = {1, 1}};
	mesh = cook_surface(&hills);
	floor_mesh = cook_surface(&flat);
}

static void setup(void)
{
	put_shapes(shapes);
	const size_t size = wp_shape_table_size(SHAPES);
	cr_assert_eq(wp_shape_table_build(shapes, SHAPES, block(size), size, &table, NULL), WP_OK);
	make_surfaces();
	build_compounds(table, children, compounds);
	workspace = workspace_of(WP_VARIANT_AUTO);
}

TestSuite(compound_mesh, .init = setup);

/* Bodies about the surface of the hills, of which some have a shape. */
static void make_bodies(uint64_t seed, body bodies[BODIES], uint32_t pair_b[BODIES])
{
	gen_random random;
	gen_seed(&random, seed);
	for (uint32_t i = 0; i < BODIES; i++) {
		body *const b = &bodies[i];
		const body *const place = &places[pair_b[i] = i % SURFACES];
		const uint32_t x = 3 + gen_below(&random, SIDE - 6), z = 3 + gen_below(&random, SIDE - 6);
		float height;
		memcpy(&height, (const float *)field.samples + z * SIDE + x, sizeof height);
		height = height == WP_HEIGHT_HOLE ? 0 : height;
		const wp_d3 at = wp_d3_of(x + gen_range(&random, -0.5, 0.5), (double)height + gen_range(&random, -0.5, 1.2),
			z + gen_range(&random, -0.5, 0.5));
		wp_d3_put(
			wp_d3_add(wp_d3_at(place->position), wp_dq_turn(wp_dq_of_rotation(place->rotation), at)), b->position);
		gen_rotation(&random, b->rotation);
		b->shape = i % 5 == 4 ? i % HALF_SPACE : WP_COMPOUND + gen_below(&random, COMPOUNDS);
	}
}

/* ---- asking ------------------------------------------------------------------------------------- */

typedef struct asked {
	wp_workspace *workspace;
	const body *bodies;
	const uint32_t *pair_b;
	size_t first, count;
	uint32_t flags, ring;
	const body *surfaces; /* NULL: at their places */
} asked;

static void ask(const asked *q, answer *answers, wp_mesh_statistics *statistics)
{
	const wp_mesh *const meshes[1] = {mesh};
	const wp_height_field *const fields[1] = {&field};
	const wp_mesh_batch batch = {.shapes = table,
		.meshes = meshes,
		.mesh_count = 1,
		.height_fields = fields,
		.height_field_count = 1,
		.a = bodies_of(q->bodies, BODIES),
		.b = bodies_of(q->surfaces != NULL ? q->surfaces : places, SURFACES),
		.pair_b = {q->pair_b, 0},
		.first = q->first,
		.count = q->count};
	const wp_mesh_options options = {.max_separation = 0.05f, .flags = q->flags};
	const wp_mesh_results results = MESH_ANSWERS(answers);
	const wp_uint32_column of_points = {answers->child[0], sizeof *answers};
	const wp_error error = wp_compound_mesh_contact_in(
		q->workspace, &batch, compounds, COMPOUNDS, &options, &results, &of_points, statistics, q->ring);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

static uint32_t children_of(const body *b) { return b->shape < WP_COMPOUND ? 1 : child_counts[b->shape - WP_COMPOUND]; }

static body child_of(const body *b, uint32_t i)
{
	body at = *b;
	if (b->shape < WP_COMPOUND)
		return at;
	wp_compound_child_pose(compounds[b->shape - WP_COMPOUND], i, b->position, b->rotation, at.position, at.rotation);
	at.shape = children[b->shape - WP_COMPOUND][i].shape;
	return at;
}

/* The same, and the surfaces, with all positions counted from the body's on. */
static body child_at_body(const body *b, uint32_t i, body surfaces[SURFACES])
{
	body at = *b;
	memset(at.position, 0, sizeof at.position);
	for (int k = 0; k < SURFACES; k++) {
		surfaces[k] = places[k];
		wp_d3_put(wp_d3_sub(wp_d3_at(places[k].position), wp_d3_at(b->position)), surfaces[k].position);
	}
	return child_of(&at, i);
}

/* ---- rows --------------------------------------------------------------------------------------- */

/* How far a place in the world is from the surface of a child. */
static double away_from(const body *b, const float place[3])
{
	wp_row row;
	const wp_shape point = wp_shape_point();
	wp_pose at = {.rotation = {0, 0, 0, 1}}, other = {.position = {0, 0, 0}};
	for (int k = 0; k < 3; k++)
		at.position[k] = (float)((double)place[k] - b->position[k]);
	memcpy(other.rotation, b->rotation, sizeof other.rotation);
	cr_assert_eq(wp_contact_pair(workspace, &point, &at, &shapes[b->shape], &other, NULL, &row), WP_OK);
	return fabs((double)row.separation);
}

/* The points are on the child and on the row's patch, and where the body's frame has them. */
static void expect_points(uint32_t row, const body *b, const answer *a)
{
	for (uint32_t i = 0; i < a->patch_count; i++) {
		const wp_mesh_patch *const patch = &a->patch[i];
		for (uint32_t k = 0; k < patch->point_count; k++) {
			const wp_mesh_point *const p = &patch->points[k];
			const uint32_t child = a->child[i][k];
			double world[3], off = 0;
			cr_assert(child < children_of(b));
			const body at = child_of(b, child);
			const wp_d3 local = wp_d3_of((double)p->local_a[0], (double)p->local_a[1], (double)p->local_a[2]);
			wp_d3_put(wp_d3_add(wp_d3_at(b->position), wp_dq_turn(wp_dq_of_rotation(b->rotation), local)), world);
			for (int n = 0; n < 3; n++) {
				off += fabs(world[n] - (double)p->point_a[n]);
				off += fabs(
					(double)p->point_a[n] + (double)p->separation * (double)patch->normal[n] - (double)p->point_b[n]);
			}
			const double slack = 1e-5 + 4e-7 * fabs(b->position[0]);
			CHECK(off < 4 * slack && away_from(&at, p->point_a) < 4 * slack && p->separation <= 0.05f,
				"row %u, patch %u, point %u of child %u: off by %a and %a", row, i, k, child, off,
				away_from(&at, p->point_a));
		}
	}
}

/* Whether a child has a patch with about this normal. */
static bool has_normal(const answer *of_children, uint32_t count, const float normal[3])
{
	bool has = false;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < of_children[i].patch_count; k++) {
			double off = 0;
			for (int n = 0; n < 3; n++)
				off += fabs((double)of_children[i].patch[k].normal[n] - (double)normal[n]);
			has |= off < 5e-3;
		}
	return has;
}

/* The least separation, all triangles, and every patch of the children, the deepest ones where there are more. */
static void expect_children(uint32_t row, const answer *a, const answer *of_children, uint32_t count)
{
	float least = INFINITY;
	uint32_t triangles = 0;
	for (uint32_t i = 0; i < count; i++) {
		least = of_children[i].separation < least ? of_children[i].separation : least;
		triangles += of_children[i].triangle_count;
	}
	CHECK(a->separation == least && a->triangle_count == triangles && (a->patch_count != 0) == (triangles != 0),
		"row %u: separation %a, not %a; %u triangles, not %u", row, (double)a->separation, (double)least,
		a->triangle_count, triangles);
	for (uint32_t i = 0; i < a->patch_count; i++)
		CHECK(has_normal(of_children, count, a->patch[i].normal) &&
				  (i == 0 || a->patch[i].separation >= a->patch[i - 1].separation),
			"row %u: no child has the normal of patch %u", row, i);
	for (uint32_t i = 0; i < count && a->patch_count < WP_MESH_PATCH_MAX; i++)
		for (uint32_t k = 0; k < of_children[i].patch_count; k++)
			CHECK(has_normal(a, 1, of_children[i].patch[k].normal), "row %u: no patch for child %u's patch %u", row, i,
				k);
}

static void compare(uint32_t flags)
{
	static body bodies[BODIES], parts[BODIES], surfaces[SURFACES];
	static answer got[BODIES], of_children[BODIES];
	static uint32_t pair_b[BODIES], pair_of_parts[BODIES];
	wp_mesh_statistics s = {0}, t = {0};
	uint32_t touching = 0;
	make_bodies(5, bodies, pair_b);
	const asked q = {workspace, bodies, pair_b, 0, BODIES, flags, WP_MESH_RING, NULL};
	ask(&q, got, &s);
	for (uint32_t row = 0; row < BODIES; row++) {
		const uint32_t count = children_of(&bodies[row]);
		for (uint32_t i = 0; i < count; i++) {
			parts[i] = child_at_body(&bodies[row], i, surfaces);
			pair_of_parts[i] = pair_b[row];
		}
		const asked each = {workspace, parts, pair_of_parts, 0, count, flags, WP_MESH_RING, surfaces};
		ask(&each, of_children, &t);
		expect_children(row, &got[row], of_children, count);
		expect_points(row, &bodies[row], &got[row]);
		touching += got[row].patch_count != 0;
	}
	CHECK(touching > BODIES / 3 && s.rows == BODIES && s.touching == touching && s.invalid == 0 &&
			  s.triangles == t.triangles && s.solved == t.solved && s.touched == t.touched,
		"%u touch; %zu triangles, not %zu", touching, (size_t)s.triangles, (size_t)t.triangles);
}

Test(compound_mesh, rows_have_the_contacts_of_children) { compare(0); }
Test(compound_mesh, two_sided_rows_have_the_contacts_of_children) { compare(WP_MESH_TWO_SIDED | WP_MESH_GHOSTS); }

/* A body with a shape has the bits of wp_mesh_contact, and so has a compound with that shape alone. */
Test(compound_mesh, of_one_child_has_bits_of_its_shape)
{
	static body bodies[BODIES], same[BODIES];
	static answer got[BODIES], want[BODIES];
	static uint32_t pair_b[BODIES];
	make_bodies(6, bodies, pair_b);
	for (uint32_t i = 0; i < BODIES; i++) {
		same[i] = bodies[i];
		bodies[i].shape = WP_COMPOUND + ALONE;
		same[i].shape = CYLINDER;
	}
	const asked q = {workspace, bodies, pair_b, 0, BODIES, 0, WP_MESH_RING, NULL},
				of_shape = {workspace, same, pair_b, 0, BODIES, 0, WP_MESH_RING, NULL};
	ask(&q, got, NULL);
	ask(&of_shape, want, NULL);
	for (uint32_t i = 0; i < BODIES; i++)
		CHECK(got[i].status == want[i].status && memcmp(&got[i].separation, &want[i].separation, sizeof(float)) == 0 &&
				  got[i].patch_count == want[i].patch_count && got[i].triangle_count == want[i].triangle_count,
			"row %u: separation %a, not %a", i, (double)got[i].separation, (double)want[i].separation);
}

/* Compounds and surfaces 2^36 away, by what moves without rounding: the same contacts, bit for bit, but for where they are. */
Test(compound_mesh, far_worlds_have_the_same_contacts)
{
	static body near[BODIES], far[BODIES], surfaces[2][SURFACES];
	static answer got[BODIES], want[BODIES];
	static uint32_t pair_b[BODIES];
	make_bodies(8, near, pair_b);
	memcpy(far, near, sizeof near);
	for (int i = 0; i < BODIES; i++)
		move_far(near[i].position, far[i].position);
	for (int i = 0; i < SURFACES; i++) {
		surfaces[0][i] = surfaces[1][i] = places[i];
		move_far(surfaces[0][i].position, surfaces[1][i].position);
	}
	asked q = {workspace, near, pair_b, 0, BODIES, 0, WP_MESH_RING, surfaces[0]};
	ask(&q, want, NULL);
	q.bodies = far;
	q.surfaces = surfaces[1];
	ask(&q, got, NULL);
	for (uint32_t i = 0; i < BODIES; i++) {
		CHECK(got[i].status == want[i].status && memcmp(&got[i].separation, &want[i].separation, sizeof(float)) == 0 &&
				  got[i].patch_count == want[i].patch_count && got[i].triangle_count == want[i].triangle_count,
			"row %u: separation %a, not %a", i, (double)got[i].separation, (double)want[i].separation);
		for (uint32_t k = 0; k < got[i].patch_count; k++)
			for (uint32_t n = 0; n < got[i].patch[k].point_count; n++) {
				const wp_mesh_point *const p = &got[i].patch[k].points[n], *const o = &want[i].patch[k].points[n];
				const size_t size = sizeof *p - offsetof(wp_mesh_point, local_a);
				CHECK(memcmp(p->local_a, o->local_a, size) == 0, "row %u, patch %u: point %u differs", i, k, n);
			}
	}
}

Test(compound_mesh, does_not_depend_on_variant_ring_or_order)
{
	static body bodies[BODIES];
	static answer want[BODIES], got[BODIES];
	static uint32_t pair_b[BODIES];
	static const uint32_t rings[] = {1, 7, WP_MESH_RING};
	wp_workspace *workspaces[WP_VARIANT_COUNT];
	take_workspaces(workspaces);
	make_bodies(7, bodies, pair_b);
	asked q = {workspaces[WP_VARIANT_SCALAR], bodies, pair_b, 0, BODIES, 0, WP_MESH_RING, NULL};
	ask(&q, want, NULL);
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		for (size_t r = 0; r < COUNT_OF(rings) && workspaces[v] != NULL; r++) {
			memset(got, 0, sizeof got);
			q.workspace = workspaces[v];
			q.ring = rings[r];
			q.count = r == 0 ? 1 : BODIES;
			for (q.first = 0; q.first < BODIES; q.first += q.count)
				ask(&q, got, NULL);
			CHECK(memcmp(got, want, sizeof got) == 0, "%s, ring of %u: bits differ", wp_variant_name((wp_variant)v),
				rings[r]);
		}
	}
}

/* A table stands on its legs: one patch, a point of each. */
Test(compound_mesh, table_has_one_patch)
{
	const body at = {.position = {11.3, 1 - 0.01, 9.7}, .rotation = {0, 0, 0, 1}, .shape = WP_COMPOUND + TABLE};
	const body ground = {.rotation = {0, 0, 0, 1}};
	const wp_mesh_batch batch = {.shapes = table,
		.meshes = &floor_mesh,
		.mesh_count = 1,
		.a = bodies_of(&at, 1),
		.b = bodies_of(&ground, 1),
		.count = 1};
	answer got = {0};
	const wp_mesh_results results = MESH_ANSWERS(&got);
	const wp_uint32_column of_points = {got.child[0], sizeof got};
	cr_assert_eq(
		wp_compound_mesh_contact(workspace, &batch, compounds, COMPOUNDS, NULL, &results, &of_points, NULL), WP_OK);
	CHECK(got.patch_count == 1 && got.patch[0].point_count == 4 && fabsf(got.separation + 0.01f) < 1e-6f &&
			  got.normal[1] == -1,
		"%u patches, %u points, separation %a", got.patch_count, got.patch[0].point_count, (double)got.separation);
	uint32_t seen = 0;
	for (uint32_t k = 0; k < 4; k++)
		seen |= 1u << got.child[0][k];
	CHECK(seen == 0x1e, "points of children %x", seen);
}

/* A slab on feet of two heights stands on the low ones, though the high ones are further out and near. */
Test(compound_mesh, low_feet_go_before_high_ones)
{
	wp_compound_child feet[8];
	for (uint32_t i = 0; i < 8; i++) {
		const float out = i < 4 ? 1.0f : 1.125f;
		feet[i] = (wp_compound_child){
			.position = {i % 2 == 0 ? out : -out, i < 4 ? -0.5f : -0.49f, i / 2 % 2 == 0 ? out : -out},
			.rotation = {0, 0, 0, 1},
			.shape = LEG};
	}
	const wp_compound *compound = NULL;
	const size_t size = wp_compound_size(8);
	cr_assert_eq(wp_compound_build(feet, 8, table, block(size), size, &compound, NULL), WP_OK);
	const body at = {.position = {11.3, 1 - 0.001, 9.7}, .rotation = {0, 0, 0, 1}, .shape = WP_COMPOUND};
	const body ground = {.rotation = {0, 0, 0, 1}};
	const wp_mesh_batch batch = {.shapes = table,
		.meshes = &floor_mesh,
		.mesh_count = 1,
		.a = bodies_of(&at, 1),
		.b = bodies_of(&ground, 1),
		.count = 1};
	const wp_mesh_options options = {.max_separation = 0.05f};
	answer got = {0};
	const wp_mesh_results results = MESH_ANSWERS(&got);
	const wp_uint32_column of_points = {got.child[0], sizeof got};
	cr_assert_eq(
		wp_compound_mesh_contact(workspace, &batch, &compound, 1, &options, &results, &of_points, NULL), WP_OK);
	CHECK(got.patch_count == 1 && got.patch[0].point_count == 4, "%u patches, %u points", got.patch_count,
		got.patch[0].point_count);
	uint32_t seen = 0;
	for (uint32_t k = 0; k < 4; k++)
		seen |= 1u << got.child[0][k];
	CHECK(seen == 0xf, "points of children %x", seen);
}

/* ---- misuse ------------------------------------------------------------------------------------- */

Test(compound_mesh, names_what_is_wrong)
{
	static body bodies[BODIES];
	static answer got[BODIES];
	static uint32_t pair_b[BODIES];
	make_bodies(8, bodies, pair_b);
	bodies[3].shape = WP_COMPOUND + COMPOUNDS;
	bodies[4].shape = SHAPES;
	bodies[5].position[0] = NAN;
	bodies[5].shape = WP_COMPOUND;
	pair_b[6] = SURFACES;
	bodies[6].shape = WP_COMPOUND;
	wp_mesh_statistics s = {0};
	const asked q = {workspace, bodies, pair_b, 0, BODIES, 0, WP_MESH_RING, NULL};
	ask(&q, got, &s);
	const uint32_t reasons[4] = {
		WP_STATUS_INVALID_SHAPE_A, WP_STATUS_INVALID_SHAPE_A, WP_STATUS_INVALID_POSITION_A, WP_STATUS_INVALID_BODY_B};
	for (uint32_t i = 3; i < 7; i++)
		CHECK(got[i].status == (WP_STATUS_INVALID | reasons[i - 3]) && isnan(got[i].separation) &&
				  got[i].patch_count == 0,
			"row %u: status %x", i, got[i].status);
	cr_assert_eq(s.invalid, 4u);
	cr_assert_eq(s.first_invalid_row, 3u);
	const wp_mesh_batch batch = {.count = 0};
	const wp_mesh_results results = MESH_ANSWERS(got);
	const wp_uint32_column thin = {got->child[0], 4};
	cr_assert_eq(
		wp_compound_mesh_contact(workspace, &batch, NULL, 1, NULL, &results, NULL, NULL), WP_ERROR_NULL_COMPOUNDS);
	cr_assert_eq(wp_compound_mesh_contact(workspace, &batch, compounds, 1, NULL, &results, &thin, NULL),
		WP_ERROR_PATCHES_STRIDE);
	cr_assert_eq(
		wp_compound_mesh_contact(workspace, &batch, compounds, 1, NULL, NULL, NULL, NULL), WP_ERROR_NULL_RESULTS);
}
