/* Overlaps, distances and casts of compounds and meshes: rows against the rows of their children by themselves, turning ones
 * against all pairs of a child and a triangle. */
#include "compound/internal.h"
#include "mesh_query/internal.h"
#include "support/block.h"
#include "support/check.h"
#include "support/cooked.h"
#include "support/far_world.h"
#include "support/moving_bodies.h"
#include "support/unit.h"

#include <math.h>

enum { BOX, SPHERE, CAPSULE, CYLINDER, CONE, ELLIPSOID, ROUNDED, POINT, HALF_SPACE, SHAPES };
enum { ALONE, DUMBBELL, MANY, BACKWARDS, TWICE, COMPOUNDS, CHILDREN = 12 };
enum { BODIES = 120, SIDE = 16, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };
enum { MESH, FIELD, SURFACES };

static wp_shape shapes[SHAPES + TRIANGLES];
static const wp_shape_table *table;
static wp_workspace *workspace;
static wp_compound_child children[COMPOUNDS][CHILDREN];
static const uint32_t child_counts[COMPOUNDS] = {1, 2, CHILDREN, CHILDREN, 4};
static const wp_compound *compounds[COMPOUNDS];
static const wp_mesh *mesh;
static wp_height_field field;
static double middle[TRIANGLES][3];

/* A body, and where it goes. */
typedef struct answer {
	float separation, normal[3], lower, upper, local_a[3], local_b[3], fraction;
	double point_a[3], point_b[3];
	uint32_t status, iterations, child, triangle, overlap;
} answer;

typedef struct query {
	wp_mesh_query_kind query;
	bool turns_bodies, turns_meshes;
	float most; /* max_distance */
} query;

static const body places[SURFACES] = {
	{.position = {3, -2, 1}, .rotation = {0, 0, 0, 1}, .way = {0.5f, 0, -0.25f}, .end = {0.1f, 0, 0.1f, 0.99f}},
	{.position = {1e4, 5, -1e4},
		.rotation = {0.1f, 0.7f, -0.5f, 0.5f},
		.way = {0, 0.25f, 0.5f},
		.end = {0.2f, 0.7f, -0.5f, 0.46f},
		.shape = 1}};

/* ---- scenes ------------------------------------------------------------------------------------- */

/* The triangles of the mesh as shapes, from the middle of their boxes on. */
static void add_triangles(void)
{
	for (size_t i = 0; i < TRIANGLES; i++) {
		uint32_t index[3];
		float corner[3][3];
		wp_mesh_triangle(mesh, i, index);
		for (size_t k = 0; k < 3; k++)
			wp_mesh_vertex(mesh, index[k], corner[k]);
		shapes[SHAPES + i] = wp_shape_triangle(corner[0], corner[1], corner[2]);
		for (size_t axis = 0; axis < 3; axis++) {
			const double a = (double)corner[0][axis], b = (double)corner[1][axis], c = (double)corner[2][axis];
			const double low = fmin(a, fmin(b, c)), high = fmax(a, fmax(b, c));
			middle[i][axis] = low + (high - low) * 0.5;
			for (size_t k = 0; k < 3; k++)
				shapes[SHAPES + i].points[k][axis] = (float)((double)corner[k][axis] - middle[i][axis]);
		}
	}
}

static void make_surfaces(void)
{
	static float samples[SIDE * SIDE];
	surface hills = surface_terrain(SIDE, SIDE, 17);
	for (size_t i = 0; i < COUNT_OF(samples); i++)
		samples[i] = i % 97 == 50 ? WP_HEIGHT_HOLE : hills.vertices[i][1];
	field = (wp_height_field){.samples = samples, .columns = SIDE, .rows = SIDE, .spacing = {1, 1}};
	mesh = cook_surface(&hills);
	cr_assert_eq(wp_mesh_triangle_count(mesh), (size_t)TRIANGLES);
	add_triangles();
}

static void make_compounds(void)
{
	gen_random random;
	gen_seed(&random, 3);
	for (uint32_t c = 0; c < COMPOUNDS; c++)
		for (uint32_t i = 0; i < child_counts[c]; i++) {
			children[c][i] = (wp_compound_child){.rotation = {0, 0, 0, 1}, .shape = SPHERE};
			if (c == DUMBBELL)
				children[c][i].position[0] = i == 0 ? -0.75f : 0.75f;
			if (c == MANY) {
				gen_rotation(&random, children[c][i].rotation);
				children[c][i].shape = gen_below(&random, HALF_SPACE);
				for (int k = 0; k < 3; k++)
					children[c][i].position[k] = gen_rounded(gen_range(&random, -1.2, 1.2));
			}
			if (c == BACKWARDS)
				children[c][i] = children[MANY][CHILDREN - 1 - i];
			if (c == TWICE)
				children[c][i] = children[MANY][i % 2];
		}
	children[ALONE][0].shape = CYLINDER;
	for (uint32_t c = 0; c < COMPOUNDS; c++) {
		const size_t size = wp_compound_size(child_counts[c]);
		cr_assert_eq(
			wp_compound_build(children[c], child_counts[c], table, block(size), size, &compounds[c], NULL), WP_OK);
	}
}

static void setup(void)
{
	shapes[BOX] = wp_shape_box(0.5f, 0.3f, 0.4f);
	shapes[SPHERE] = wp_shape_sphere(0.5f);
	shapes[CAPSULE] = wp_shape_capsule(0.25f, 0.4f);
	shapes[CYLINDER] = wp_shape_cylinder(0.4f, 0.3f);
	shapes[CONE] = wp_shape_cone(0.4f, 0.5f);
	shapes[ELLIPSOID] = wp_shape_ellipsoid(0.5f, 0.2f, 0.4f);
	shapes[ROUNDED] = rounded(wp_shape_box(0.4f, 0.1f, 0.2f), 0.1f);
	shapes[POINT] = wp_shape_point();
	shapes[HALF_SPACE] = wp_shape_half_space();
	make_surfaces();
	const size_t count = SHAPES + TRIANGLES, size = wp_shape_table_size(count);
	cr_assert_eq(wp_shape_table_build(shapes, count, block(size), size, &table, NULL), WP_OK);
	make_compounds();
	workspace = workspace_of(WP_VARIANT_AUTO);
}

TestSuite(compound_mesh_query, .init = setup);

/* Bodies in heights about the surface, which go down, of which some have a shape. */
static void make_bodies(uint64_t seed, bool turns, body bodies[BODIES])
{
	gen_random random;
	gen_seed(&random, seed);
	for (uint32_t i = 0; i < BODIES; i++) {
		body *const b = &bodies[i];
		const body *const place = &places[b->surface = i % SURFACES];
		const wp_dq turn = wp_dq_of_rotation(place->rotation);
		const wp_d3 at = wp_d3_of(
			gen_range(&random, 1, SIDE - 2), gen_magnitude(&random, 0.1, 6) - 0.5, gen_range(&random, 1, SIDE - 2));
		const wp_d3 way = wp_d3_of(gen_range(&random, -2, 2), gen_range(&random, -8, 0.5), gen_range(&random, -2, 2));
		wp_d3_put(wp_d3_add(wp_d3_at(place->position), wp_dq_turn(turn, at)), b->position);
		wp_d3_put_floats(wp_dq_turn(turn, way), b->way);
		gen_rotation(&random, b->rotation);
		memcpy(b->end, b->rotation, sizeof b->end);
		if (turns)
			gen_rotation(&random, b->end);
		b->shape = i % 5 == 4 ? i % HALF_SPACE : WP_COMPOUND + gen_below(&random, COMPOUNDS);
	}
}

/* ---- asking ------------------------------------------------------------------------------------- */

static wp_results results_of(answer *a)
{
	const size_t stride = sizeof *a;
	return (wp_results){.separation = {&a->separation, stride},
		.normal = {a->normal, stride},
		.point_a = {a->point_a, stride},
		.point_b = {a->point_b, stride},
		.lower = {&a->lower, stride},
		.upper = {&a->upper, stride},
		.status = {&a->status, stride},
		.iterations = {&a->iterations, stride},
		.local_a = {a->local_a, stride},
		.local_b = {a->local_b, stride},
		.point_real = WP_REAL_DOUBLE};
}

static const wp_mesh *meshes[1];
static const wp_height_field *const fields[1] = {&field};

static wp_mesh_batch batch_at(const body *bodies, const body *surfaces, size_t first, size_t count)
{
	meshes[0] = mesh;
	return (wp_mesh_batch){.shapes = table,
		.meshes = meshes,
		.mesh_count = 1,
		.height_fields = fields,
		.height_field_count = 1,
		.a = bodies_of(bodies, BODIES),
		.b = bodies_of(surfaces, SURFACES),
		.pair_b = {&bodies->surface, sizeof *bodies},
		.first = first,
		.count = count};
}

static wp_mesh_batch batch_of(const body *bodies, size_t first, size_t count)
{
	return batch_at(bodies, places, first, count);
}

static void ask_at(wp_workspace *in, const query *q, const wp_mesh_batch *batch, const body *bodies, uint32_t ring,
	answer *answers, wp_mesh_statistics *statistics)
{
	const size_t stride = sizeof *answers;
	const wp_results results = results_of(answers);
	const wp_float_column fraction = {&answers->fraction, stride};
	const wp_uint32_column child = {&answers->child, stride}, triangle = {&answers->triangle, stride};
	const wp_motions a = motions_of(bodies, q->turns_bodies), b = motions_of(places, q->turns_meshes);
	const bool is_cast = q->query == WP_MESH_QUERY_CAST;
	const wp_mesh_query_request request = {.query = q->query,
		.max_distance = q->most > 0 ? q->most : INFINITY,
		.motions_a = is_cast ? &a : NULL,
		.motions_b = is_cast ? &b : NULL,
		.fraction = is_cast ? &fraction : NULL,
		.child = &child,
		.triangle = &triangle};
	const wp_error error = wp_compound_mesh_ask(in, batch, compounds, COMPOUNDS, &request, &results, statistics, ring);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

static void ask_in(wp_workspace *in, const query *q, const body *bodies, size_t first, size_t count, uint32_t ring,
	answer *answers, wp_mesh_statistics *statistics)
{
	const wp_mesh_batch batch = batch_of(bodies, first, count);
	ask_at(in, q, &batch, bodies, ring, answers, statistics);
}

static void ask(const query *q, const body *bodies, size_t count, answer *answers, wp_mesh_statistics *statistics)
{
	memset(answers, 0, count * sizeof *answers);
	ask_in(workspace, q, bodies, 0, count, WP_MESH_QUERY_RING, answers, statistics);
}

/* Convex bodies, by the calls for these. */
static void ask_children(const query *q, const body *bodies, const body *surfaces, size_t count, answer *answers,
	wp_mesh_statistics *statistics)
{
	const wp_mesh_batch batch = batch_at(bodies, surfaces, 0, count);
	const wp_results results = results_of(answers);
	const wp_uint32_column triangle = {&answers->triangle, sizeof *answers};
	const wp_float_column fraction = {&answers->fraction, sizeof *answers};
	const wp_motions a = motions_of(bodies, q->turns_bodies), b = motions_of(places, q->turns_meshes);
	const wp_mesh_distance_options options = {q->most};
	memset(answers, 0, count * sizeof *answers);
	const wp_error error = q->query == WP_MESH_QUERY_OVERLAP
	                         ? wp_mesh_overlap(workspace, &batch, &results, &triangle, statistics)
	                     : q->query == WP_MESH_QUERY_DISTANCE
	                         ? wp_mesh_distance(workspace, &batch, &options, &results, &triangle, statistics)
	                         : wp_mesh_cast(workspace, &batch, &a, &b, &results, &fraction, &triangle, statistics);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

static uint32_t children_of(const body *b) { return b->shape < WP_COMPOUND ? 1 : child_counts[b->shape - WP_COMPOUND]; }

/* A child, and the surfaces, with all positions counted from the body's on. */
static body child_of(const body *b, uint32_t i, body surfaces[SURFACES])
{
	body at = *b;
	for (int k = 0; k < SURFACES; k++) {
		surfaces[k] = places[k];
		wp_d3_put(wp_d3_sub(wp_d3_at(places[k].position), wp_d3_at(b->position)), surfaces[k].position);
	}
	memset(at.position, 0, sizeof at.position);
	if (b->shape < WP_COMPOUND)
		return at;
	wp_compound_child_pose(compounds[b->shape - WP_COMPOUND], i, at.position, b->rotation, at.position, at.rotation);
	memcpy(at.end, at.rotation, sizeof at.end);
	at.shape = children[b->shape - WP_COMPOUND][i].shape;
	return at;
}

/* ---- rows --------------------------------------------------------------------------------------- */

static bool counts(const query *q, const answer *a)
{
	return q->query == WP_MESH_QUERY_OVERLAP  ? (a->status & WP_STATUS_SEPARATED) == 0
	     : q->query == WP_MESH_QUERY_DISTANCE ? (a->status & WP_STATUS_BEYOND) == 0
	                                          : (a->status & WP_STATUS_HIT) != 0;
}

static bool is_better(const query *q, const answer *a, const answer *b)
{
	if (q->query == WP_MESH_QUERY_OVERLAP)
		return false;
	if (q->query == WP_MESH_QUERY_CAST && a->fraction != b->fraction)
		return a->fraction < b->fraction;
	return a->separation < b->separation;
}

/* The best answer of all children, `count` for none, and what is proven of all. */
static uint32_t best_of(const query *q, const answer *of_children, uint32_t count, float *lower)
{
	uint32_t best = count;
	*lower = INFINITY;
	for (uint32_t i = 0; i < count; i++) {
		*lower = fminf(*lower, of_children[i].lower);
		if (counts(q, &of_children[i]) && (best == count || is_better(q, &of_children[i], &of_children[best])))
			best = i;
	}
	return best;
}

/* A point of a child, in the frame of its body. */
static double off_local(const body *b, uint32_t child, const answer *got, const answer *want)
{
	const wp_d3 local = wp_d3_of_floats(want->local_a);
	wp_d3 at = local;
	if (b->shape >= WP_COMPOUND) {
		const wp_compound_child *const c = &children[b->shape - WP_COMPOUND][child];
		at = wp_d3_add(wp_d3_of_floats(c->position), wp_dq_turn(wp_dq_of_rotation(c->rotation), local));
	}
	return wp_d3_length(wp_d3_sub(at, wp_d3_of_floats(got->local_a)));
}

/* Whether a place in the world is one that is counted from the body's position on; in invalid rows both are zero. */
static bool is_place(const body *b, const double world[3], const double place[3])
{
	bool same = true;
	for (int k = 0; k < 3; k++) {
		const double size = fabs(b->position[k]) + fabs(place[k]);
		same &= world[k] == place[k] || fabs(world[k] - (b->position[k] + place[k])) <= 0x1p-50 * size;
	}
	return same;
}

static void expect_row(const query *q, uint32_t row, const body *b, const answer *got, const answer *of_children)
{
	const uint32_t count = children_of(b);
	float lower;
	const uint32_t best = best_of(q, of_children, count, &lower);
	const answer *const want = &of_children[best == count ? 0 : best];
	const bool is_distance = q->query == WP_MESH_QUERY_DISTANCE;
	CHECK(got->child == (best == count ? WP_COMPOUND_MISS : best) && got->triangle == want->triangle &&
			  got->fraction == want->fraction && got->separation == want->separation && got->upper == want->upper &&
			  memcmp(got->normal, want->normal, sizeof got->normal) == 0 && got->iterations == want->iterations,
		"query %d, row %u: child %u, triangle %u at %a, separation %a, not %u, %u, %a, %a", q->query, row, got->child,
		got->triangle, (double)got->fraction, (double)got->separation, best, want->triangle, (double)want->fraction,
		(double)want->separation);
	CHECK(is_place(b, got->point_a, want->point_a) && is_place(b, got->point_b, want->point_b) &&
			  memcmp(got->local_b, want->local_b, sizeof got->local_b) == 0 &&
			  (best == count || q->query == WP_MESH_QUERY_OVERLAP || off_local(b, best, got, want) < 1e-6),
		"query %d, row %u: points differ", q->query, row);
	CHECK(got->lower == (is_distance ? lower : want->lower) &&
			  (got->status == want->status || (is_distance && got->lower < want->lower)),
		"query %d, row %u: lower %a, status %x, not %a, %x", q->query, row, (double)got->lower, got->status,
		(double)lower, want->status);
}

/* Rows that have an answer. */
static uint32_t compare(const query *q, uint64_t seed)
{
	static body bodies[BODIES], parts[BODIES], surfaces[SURFACES];
	static answer got[BODIES], of_children[BODIES];
	wp_mesh_statistics s = {0}, t = {0};
	uint32_t touching = 0, answered = 0;
	make_bodies(seed, q->turns_bodies, bodies);
	ask(q, bodies, BODIES, got, &s);
	for (uint32_t row = 0; row < BODIES; row++) {
		const uint32_t count = children_of(&bodies[row]);
		for (uint32_t i = 0; i < count; i++)
			parts[i] = child_of(&bodies[row], i, surfaces);
		ask_children(q, parts, surfaces, count, of_children, &t);
		expect_row(q, row, &bodies[row], &got[row], of_children);
		touching += (got[row].status & WP_STATUS_SEPARATED) == 0;
		answered += got[row].child != WP_COMPOUND_MISS;
	}
	CHECK(s.rows == BODIES && s.touching == touching && s.invalid == 0 && s.solved <= t.solved,
		"query %d: %zu rows, %zu touch, not %u; %zu solved, by themselves %zu", q->query, (size_t)s.rows,
		(size_t)s.touching, touching, (size_t)s.solved, (size_t)t.solved);
	return answered;
}

Test(compound_mesh_query, overlaps_are_those_of_children)
{
	const query q = {.query = WP_MESH_QUERY_OVERLAP};
	const uint32_t answered = compare(&q, 5);
	cr_assert(answered > 20 && answered < BODIES - 20, "%u overlap", answered);
}

Test(compound_mesh_query, distances_are_those_of_children)
{
	const query q = {.query = WP_MESH_QUERY_DISTANCE}, near = {.query = WP_MESH_QUERY_DISTANCE, .most = 1.25f};
	cr_assert_eq(compare(&q, 6), (uint32_t)BODIES);
	const uint32_t answered = compare(&near, 6);
	cr_assert(answered > 20 && answered < BODIES - 20, "%u are near", answered);
}

/* Answers of huge triangles are off by more than children are apart, and children by themselves have the same ones. */
Test(compound_mesh_query, distances_of_huge_triangles_are_those_of_children)
{
	static const float samples[9] = {
		0x1p-1f, 0x1.8p+0f, -0x1.cp+2f, -0x1p-1f, -0x1.bcp+2f, -0x1.84p+2f, 0x1.0602dp+97f, 0, -0x1p-1f};
	static const wp_compound_child apart[] = {{.position = {-0x1.8p+0f, 0, -0x1p-1f}, .rotation = {0, 0, 0, 1}},
		{.position = {-0x1p-1f, 0x1.8p+0f, -0x1p-1f}, .rotation = {0, 0, 0, 1}, .shape = CAPSULE},
		{.position = {-0x1.cp+2f, -0x1.cp+2f, -0x1.cp+2f}, .rotation = {0, 0, 0, 1}, .shape = CYLINDER},
		{.position = {-0x1.cp+2f, -0x1.cp+2f, -0x1.cp+2f}, .rotation = {1, 0, 0, 0}}};
	static body bodies[BODIES], parts[BODIES], surfaces[SURFACES];
	static answer got[1], of_children[COUNT_OF(apart)];
	const query q = {.query = WP_MESH_QUERY_DISTANCE};
	const wp_compound *const before = compounds[TWICE];
	const size_t size = wp_compound_size(COUNT_OF(apart));
	void *const memory = block(size);
	field = (wp_height_field){.samples = samples, .columns = 3, .rows = 3, .spacing = {1, 1}};
	memcpy(children[TWICE], apart, sizeof apart);
	cr_assert_eq(wp_compound_build(apart, COUNT_OF(apart), table, memory, size, &compounds[TWICE], NULL), WP_OK);
	bodies[0] = places[FIELD];
	bodies[0].shape = WP_COMPOUND + TWICE;
	bodies[0].surface = FIELD;
	ask(&q, bodies, 1, got, NULL);
	for (uint32_t i = 0; i < COUNT_OF(apart); i++)
		parts[i] = child_of(&bodies[0], i, surfaces);
	ask_children(&q, parts, surfaces, COUNT_OF(apart), of_children, NULL);
	expect_row(&q, 0, &bodies[0], got, of_children);
	compounds[TWICE] = before;
	block_free(memory);
}

Test(compound_mesh_query, casts_are_those_of_children)
{
	const query q = {.query = WP_MESH_QUERY_CAST}, turning = {.query = WP_MESH_QUERY_CAST, .turns_meshes = true};
	const uint32_t answered = compare(&q, 7), of_turning = compare(&turning, 8);
	cr_assert(answered > 20 && answered < BODIES && of_turning > 20 && of_turning < BODIES, "%u and %u hit", answered,
		of_turning);
}

/* ---- bodies that turn --------------------------------------------------------------------------- */

/* Casts of a body and each triangle of the mesh. */
static void cast_at_triangles(const body *b, answer all[TRIANGLES])
{
	static body triangles[TRIANGLES];
	static const uint32_t zeros[TRIANGLES];
	body at = *b;
	memset(at.position, 0, sizeof at.position);
	for (uint32_t i = 0; i < TRIANGLES; i++) {
		triangles[i] = places[MESH];
		triangles[i].shape = SHAPES + i;
		for (int k = 0; k < 3; k++)
			triangles[i].position[k] = (places[MESH].position[k] - b->position[k]) + middle[i][k];
	}
	const wp_compound_batch batch = {.shapes = table,
		.compounds = compounds,
		.compound_count = COMPOUNDS,
		.a = bodies_of(&at, 1),
		.b = bodies_of(triangles, TRIANGLES),
		.pair_a = {zeros, 0},
		.count = TRIANGLES};
	const wp_results results = results_of(all);
	const wp_float_column fraction = {&all->fraction, sizeof *all};
	const wp_child_columns child = {.a = {&all->child, sizeof *all}};
	const wp_motions a = motions_of(&at, true), other = motions_of(triangles, false);
	cr_assert_eq(wp_compound_cast(workspace, &batch, &a, &other, &results, &fraction, &child, NULL), WP_OK);
}

static bool is_sooner(const answer *all, uint32_t i, uint32_t best)
{
	if (all[i].fraction != all[best].fraction)
		return all[i].fraction < all[best].fraction;
	if (all[i].separation != all[best].separation)
		return all[i].separation < all[best].separation;
	if (all[i].child != all[best].child)
		return all[i].child < all[best].child;
	return wp_mesh_source(mesh, i) < wp_mesh_source(mesh, best);
}

/* All children against all triangles of the mesh, which does not turn, bit for bit. */
Test(compound_mesh_query, turning_casts_are_those_of_triangles)
{
	static body bodies[BODIES];
	static answer got[BODIES], all[TRIANGLES];
	const query q = {.query = WP_MESH_QUERY_CAST, .turns_bodies = true};
	uint32_t hits = 0;
	make_bodies(9, true, bodies);
	ask(&q, bodies, BODIES, got, NULL);
	for (uint32_t row = MESH; row < BODIES; row += SURFACES) {
		uint32_t best = TRIANGLES;
		if (bodies[row].shape < WP_COMPOUND)
			continue;
		cast_at_triangles(&bodies[row], all);
		for (uint32_t i = 0; i < TRIANGLES; i++)
			if ((all[i].status & WP_STATUS_HIT) != 0 && (best == TRIANGLES || is_sooner(all, i, best)))
				best = i;
		const answer *const a = &got[row], *const want = &all[best == TRIANGLES ? 0 : best];
		hits += best != TRIANGLES;
		if (best == TRIANGLES) {
			CHECK(a->child == WP_COMPOUND_MISS && a->fraction == 1, "row %u: hit at %a", row, (double)a->fraction);
			continue;
		}
		CHECK(a->fraction == want->fraction && a->separation == want->separation && a->child == want->child &&
				  a->triangle == best && a->status == want->status &&
				  memcmp(a->normal, want->normal, sizeof a->normal) == 0 &&
				  memcmp(a->local_a, want->local_a, sizeof a->local_a) == 0,
			"row %u: child %u, triangle %u at %a, not %u, %u at %a", row, a->child, a->triangle, (double)a->fraction,
			want->child, best, (double)want->fraction);
		for (int k = 0; k < 3; k++)
			CHECK(a->point_a[k] == bodies[row].position[k] + want->point_a[k], "row %u: points differ", row);
	}
	cr_assert(hits > 20 && hits < BODIES / SURFACES, "%u hits", hits);
}

/* How far a body is from its surface at fractions between two, the least of it, by distances. */
static double least_between(const body *b, double from, double to)
{
	enum { STEPS = 48 };
	static body at[BODIES];
	static answer near[BODIES];
	const query q = {.query = WP_MESH_QUERY_DISTANCE};
	double least = INFINITY;
	for (int i = 0; i < STEPS; i++)
		at[i] = moved(b, from + (to - from) * i / STEPS);
	ask(&q, at, STEPS, near, NULL);
	for (int i = 0; i < STEPS; i++)
		least = fmin(least, (double)near[i].separation);
	return least;
}

/* Bodies turn, with surfaces at rest: apart before the hit, near at it, apart all the way if there is none. */
Test(compound_mesh_query, turning_casts_end_where_bodies_touch)
{
	static body bodies[BODIES];
	static answer got[BODIES];
	uint32_t hits = 0;
	make_bodies(10, true, bodies);
	const wp_mesh_batch batch = batch_of(bodies, 0, BODIES);
	const wp_results results = results_of(got);
	const wp_float_column fraction = {&got->fraction, sizeof *got};
	const wp_motions motions = motions_of(bodies, true);
	cr_assert_eq(wp_compound_mesh_cast(
					 workspace, &batch, compounds, COMPOUNDS, &motions, NULL, &results, &fraction, NULL, NULL, NULL),
		WP_OK);
	for (uint32_t row = 0; row < BODIES; row++) {
		const bool is_hit = (got[row].status & WP_STATUS_HIT) != 0;
		const double until = (double)got[row].fraction, before = least_between(&bodies[row], 0, until);
		hits += is_hit;
		CHECK(before > 0 || until == 0, "row %u: touches before %a", row, until);
		if (is_hit && until > 0)
			CHECK(least_between(&bodies[row], until, fmin(until + 1e-5, 1)) < 1e-4, "row %u: apart at %a", row, until);
	}
	cr_assert(hits > 40 && hits < BODIES, "%u hits", hits);
}

/* ---- order -------------------------------------------------------------------------------------- */

static const query queries[] = {{.query = WP_MESH_QUERY_OVERLAP}, {.query = WP_MESH_QUERY_DISTANCE},
	{.query = WP_MESH_QUERY_DISTANCE, .most = 1.25f}, {.query = WP_MESH_QUERY_CAST},
	{.query = WP_MESH_QUERY_CAST, .turns_bodies = true},
	{.query = WP_MESH_QUERY_CAST, .turns_bodies = true, .turns_meshes = true}};

Test(compound_mesh_query, does_not_depend_on_variant_ring_or_order)
{
	static body bodies[BODIES];
	static answer want[BODIES], got[BODIES];
	static const uint32_t rings[] = {1, 7, WP_MESH_QUERY_RING};
	wp_workspace *workspaces[WP_VARIANT_COUNT];
	take_workspaces(workspaces);
	make_bodies(11, true, bodies);
	for (size_t k = 0; k < COUNT_OF(queries); k++) {
		memset(want, 0, sizeof want);
		ask_in(workspaces[WP_VARIANT_SCALAR], &queries[k], bodies, 0, BODIES, WP_MESH_QUERY_RING, want, NULL);
		for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++)
			for (size_t r = 0; r < COUNT_OF(rings) && workspaces[v] != NULL; r++) {
				const size_t count = r == 0 ? 1 : BODIES;
				memset(got, 0, sizeof got);
				for (size_t first = 0; first < BODIES; first += count)
					ask_in(workspaces[v], &queries[k], bodies, first, count, rings[r], got, NULL);
				CHECK(memcmp(got, want, sizeof got) == 0, "query %zu, %s, ring of %u: bits differ", k,
					wp_variant_name((wp_variant)v), rings[r]);
			}
	}
}

/* Compounds and surfaces 2^36 away, by what moves without rounding: the same answers, bit for bit, but for where they are. */
Test(compound_mesh_query, far_worlds_have_the_same_answers)
{
	static body near[BODIES], far[BODIES], surfaces[2][SURFACES];
	static answer want[BODIES], got[BODIES];
	make_bodies(17, true, near);
	memcpy(far, near, sizeof near);
	for (int i = 0; i < BODIES; i++)
		move_far(near[i].position, far[i].position);
	for (int i = 0; i < SURFACES; i++) {
		surfaces[0][i] = surfaces[1][i] = places[i];
		move_far(surfaces[0][i].position, surfaces[1][i].position);
	}
	for (size_t k = 0; k < COUNT_OF(queries); k++) {
		const wp_mesh_batch batch = batch_at(near, surfaces[0], 0, BODIES),
							moved = batch_at(far, surfaces[1], 0, BODIES);
		memset(want, 0, sizeof want);
		memset(got, 0, sizeof got);
		ask_at(workspace, &queries[k], &batch, near, WP_MESH_QUERY_RING, want, NULL);
		ask_at(workspace, &queries[k], &moved, far, WP_MESH_QUERY_RING, got, NULL);
		for (uint32_t i = 0; i < BODIES; i++) {
			const answer *const a = &got[i], *const b = &want[i];
			CHECK(memcmp(a, b, offsetof(answer, point_a)) == 0 && a->status == b->status && a->child == b->child &&
					  a->triangle == b->triangle,
				"query %zu, row %u: separation %a, fraction %a, lower %a, not %a, %a, %a", k, i, (double)a->separation,
				(double)a->fraction, (double)a->lower, (double)b->separation, (double)b->fraction, (double)b->lower);
		}
	}
}

/* Children in another order have the same answers, where one is the best alone; of the same children the first has it. */
Test(compound_mesh_query, of_equal_children_the_lowest_has_the_answer)
{
	static body bodies[BODIES], backwards[BODIES], twice[BODIES];
	static answer got[BODIES], other[BODIES], doubled[BODIES];
	make_bodies(12, true, bodies);
	for (uint32_t i = 0; i < BODIES; i++) {
		bodies[i].shape = WP_COMPOUND + MANY;
		backwards[i] = twice[i] = bodies[i];
		backwards[i].shape = WP_COMPOUND + BACKWARDS;
		twice[i].shape = WP_COMPOUND + TWICE;
	}
	for (size_t k = 0; k < COUNT_OF(queries); k++) {
		ask(&queries[k], bodies, BODIES, got, NULL);
		ask(&queries[k], backwards, BODIES, other, NULL);
		ask(&queries[k], twice, BODIES, doubled, NULL);
		for (uint32_t i = 0; i < BODIES; i++) {
			const answer *const a = &got[i], *const b = &other[i];
			const bool is_overlap = queries[k].query == WP_MESH_QUERY_OVERLAP;
			CHECK((is_overlap || (a->separation == b->separation && a->lower == b->lower)) &&
					  a->fraction == b->fraction && (a->child == WP_COMPOUND_MISS) == (b->child == WP_COMPOUND_MISS),
				"query %zu, row %u: separation %a, backwards %a", k, i, (double)a->separation, (double)b->separation);
			const bool is_alone = !is_overlap && a->separation > 0;
			CHECK(!is_alone || a->child == WP_COMPOUND_MISS ||
					  (a->child == CHILDREN - 1 - b->child && a->triangle == b->triangle),
				"query %zu, row %u: child %u, backwards %u", k, i, a->child, b->child);
			CHECK(doubled[i].child == WP_COMPOUND_MISS || doubled[i].child < 2, "query %zu, row %u: child %u", k, i,
				doubled[i].child);
		}
	}
}

/* Of two children one is so far from the mesh that it has no answer: whether the row is invalid does not depend on the ring. */
Test(compound_mesh_query, children_beyond_coordinates_do_not_depend_on_ring)
{
	static body bodies[BODIES];
	static answer want[BODIES], got[BODIES];
	const wp_compound *before[2] = {compounds[0], compounds[1]};
	void *memory[2];
	make_bodies(17, true, bodies);
	for (int c = 0; c < 2; c++) {
		wp_compound_child far[2] = {
			{.rotation = {0, 0, 0, 1}, .shape = SPHERE}, {.rotation = {0, 0, 0, 1}, .shape = BOX}};
		far[c].position[0] = 2e29f;
		far[1 - c].position[0] = -2e29f;
		const size_t size = wp_compound_size(2);
		memory[c] = block(size);
		cr_assert_eq(wp_compound_build(far, 2, table, memory[c], size, &compounds[c], NULL), WP_OK);
	}
	for (uint32_t i = 0; i < BODIES; i++) {
		bodies[i].shape = WP_COMPOUND + i % 2;
		bodies[i].position[0] = i % 4 < 2 ? 9e29 : -3;
		memcpy(bodies[i].rotation, (float[]){0, 0, 0, 1}, sizeof bodies[i].rotation);
	}
	for (size_t k = 0; k < COUNT_OF(queries); k++) {
		ask(&queries[k], bodies, BODIES, want, NULL);
		for (uint32_t ring = 1; ring < 4; ring++) {
			memset(got, 0, sizeof got);
			for (size_t first = 0; first < BODIES; first++)
				ask_in(workspace, &queries[k], bodies, first, 1, ring, got, NULL);
			CHECK(memcmp(got, want, sizeof got) == 0, "query %zu, ring of %u: bits differ", k, ring);
		}
	}
	for (int c = 0; c < 2; c++) {
		compounds[c] = before[c];
		block_free(memory[c]);
	}
}

/* ---- misuse ------------------------------------------------------------------------------------- */

Test(compound_mesh_query, rows_name_what_is_wrong)
{
	static body bodies[BODIES];
	static answer got[BODIES];
	static const uint32_t reasons[] = {WP_STATUS_INVALID_SHAPE_A, WP_STATUS_INVALID_SHAPE_A,
		WP_STATUS_INVALID_POSITION_A, WP_STATUS_INVALID_BODY_B, WP_STATUS_INVALID_ROTATION_A,
		WP_STATUS_INVALID_POSITION_A, WP_STATUS_INVALID_ROTATION_A};
	const size_t wrong = COUNT_OF(reasons);
	for (size_t k = 0; k < COUNT_OF(queries); k++) {
		const bool is_cast = queries[k].query == WP_MESH_QUERY_CAST;
		wp_mesh_statistics s = {0};
		make_bodies(13, true, bodies);
		for (uint32_t i = 3; i < 3 + wrong; i++)
			bodies[i].shape = WP_COMPOUND + MANY;
		bodies[3].shape = WP_COMPOUND + COMPOUNDS;
		bodies[4].shape = SHAPES + TRIANGLES;
		bodies[5].position[0] = NAN;
		bodies[6].surface = SURFACES;
		bodies[7].rotation[3] = 3;
		bodies[8].way[1] = INFINITY;
		bodies[9].end[2] = NAN;
		ask(&queries[k], bodies, BODIES, got, &s);
		for (uint32_t i = 3; i < 3 + wrong; i++) {
			const bool is_wrong = i < 8 || (is_cast && (i == 8 || queries[k].turns_bodies));
			CHECK(is_wrong == ((got[i].status & WP_STATUS_INVALID) != 0) &&
					  (!is_wrong || ((got[i].status & ~(uint32_t)WP_STATUS_INVALID) == reasons[i - 3] &&
										isnan(got[i].separation) && got[i].child == WP_COMPOUND_MISS &&
										got[i].triangle == WP_MESH_MISS && (!is_cast || isnan(got[i].fraction)))),
				"query %zu, row %u: status %x, child %u", k, i, got[i].status, got[i].child);
		}
		CHECK(s.first_invalid_row == 3 && s.invalid == (is_cast ? queries[k].turns_bodies ? 7u : 6u : 5u),
			"query %zu: %zu invalid", k, (size_t)s.invalid);
	}
}

/* A compound whose child has no shape in the table any more, or one that meshes have no answers of. */
Test(compound_mesh_query, bad_children_make_rows_invalid)
{
	static const wp_shape other[] = {{.kind = WP_SHAPE_HALF_SPACE}, {.kind = WP_SHAPE_HALF_SPACE}};
	static body bodies[BODIES];
	static answer got[BODIES];
	const wp_shape_table *before = table;
	make_bodies(14, false, bodies);
	bodies[0].shape = WP_COMPOUND + MANY;
	bodies[1].shape = WP_COMPOUND + DUMBBELL;
	for (size_t count = 1; count < 3; count++) {
		const size_t size = wp_shape_table_size(count);
		void *const memory = block(size);
		cr_assert_eq(wp_shape_table_build(other, count, memory, size, &table, NULL), WP_OK);
		for (size_t k = 0; k < COUNT_OF(queries); k++) {
			ask(&queries[k], bodies, 2, got, NULL);
			for (int i = 0; i < 2; i++)
				CHECK(got[i].status == (WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A), "query %zu, row %d: status %x",
					k, i, got[i].status);
		}
		block_free(memory);
	}
	table = before;
}

Test(compound_mesh_query, calls_name_what_is_wrong)
{
	static body bodies[BODIES];
	static answer got[BODIES];
	make_bodies(15, true, bodies);
	const wp_mesh_batch batch = batch_of(bodies, 0, BODIES);
	const wp_results results = results_of(got);
	const wp_uint32_column thin = {&got->child, 2};
	const wp_float_column narrow = {&got->fraction, 2};
	const wp_mesh_distance_options below = {-1};
	const wp_motions motions = {{NULL, 0}, {bodies->end, 4}};
	cr_assert_eq(wp_compound_mesh_overlap(NULL, &batch, compounds, COMPOUNDS, &results, NULL, NULL, NULL),
		WP_ERROR_NULL_WORKSPACE);
	cr_assert_eq(wp_compound_mesh_overlap(workspace, NULL, compounds, COMPOUNDS, &results, NULL, NULL, NULL),
		WP_ERROR_NULL_BATCH);
	cr_assert_eq(
		wp_compound_mesh_overlap(workspace, &batch, NULL, 1, &results, NULL, NULL, NULL), WP_ERROR_NULL_COMPOUNDS);
	cr_assert_eq(wp_compound_mesh_overlap(workspace, &batch, compounds, COMPOUNDS, NULL, NULL, NULL, NULL),
		WP_ERROR_NULL_RESULTS);
	cr_assert_eq(wp_compound_mesh_overlap(workspace, &batch, compounds, COMPOUNDS, &results, &thin, NULL, NULL),
		WP_ERROR_CHILD_A_STRIDE);
	cr_assert_eq(wp_compound_mesh_overlap(workspace, &batch, compounds, COMPOUNDS, &results, NULL, &thin, NULL),
		WP_ERROR_TRIANGLE_STRIDE);
	cr_assert_eq(wp_compound_mesh_distance(workspace, &batch, compounds, COMPOUNDS, &below, &results, NULL, NULL, NULL),
		WP_ERROR_MAX_DISTANCE);
	cr_assert_eq(
		wp_compound_mesh_cast(workspace, &batch, compounds, COMPOUNDS, NULL, NULL, &results, &narrow, NULL, NULL, NULL),
		WP_ERROR_FRACTION_STRIDE);
	cr_assert_eq(wp_compound_mesh_cast(
					 workspace, &batch, compounds, COMPOUNDS, &motions, NULL, &results, NULL, NULL, NULL, NULL),
		WP_ERROR_MOTIONS_A_ROTATION_STRIDE);
}

/* The three calls are those that the others of this file enter. */
Test(compound_mesh_query, calls_take_all_outputs_or_none)
{
	static body bodies[BODIES];
	static answer got[BODIES], want[BODIES];
	make_bodies(16, true, bodies);
	const wp_mesh_batch batch = batch_of(bodies, 0, BODIES);
	const wp_results results = results_of(got), none = {.separation = {NULL, 0}};
	const size_t stride = sizeof *got;
	const wp_uint32_column child = {&got->child, stride}, triangle = {&got->triangle, stride};
	const wp_float_column fraction = {&got->fraction, stride};
	const wp_motions a = motions_of(bodies, true), b = motions_of(places, true);
	for (int k = 0; k < 3; k++) {
		const query q = {.query = (wp_mesh_query_kind)k, .turns_bodies = true, .turns_meshes = true};
		ask(&q, bodies, BODIES, want, NULL);
		memset(got, 0, sizeof got);
		if (k == WP_MESH_QUERY_OVERLAP) {
			cr_assert_eq(
				wp_compound_mesh_overlap(workspace, &batch, compounds, COMPOUNDS, &results, &child, &triangle, NULL),
				WP_OK);
			cr_assert_eq(
				wp_compound_mesh_overlap(workspace, &batch, compounds, COMPOUNDS, &none, NULL, NULL, NULL), WP_OK);
		} else if (k == WP_MESH_QUERY_DISTANCE) {
			cr_assert_eq(wp_compound_mesh_distance(
							 workspace, &batch, compounds, COMPOUNDS, NULL, &results, &child, &triangle, NULL),
				WP_OK);
			cr_assert_eq(
				wp_compound_mesh_distance(workspace, &batch, compounds, COMPOUNDS, NULL, &none, NULL, NULL, NULL),
				WP_OK);
		} else {
			cr_assert_eq(wp_compound_mesh_cast(workspace, &batch, compounds, COMPOUNDS, &a, &b, &results, &fraction,
							 &child, &triangle, NULL),
				WP_OK);
			cr_assert_eq(
				wp_compound_mesh_cast(workspace, &batch, compounds, COMPOUNDS, &a, &b, &none, NULL, NULL, NULL, NULL),
				WP_OK);
		}
		CHECK(memcmp(got, want, sizeof got) == 0, "query %d: bits differ", k);
	}
}
