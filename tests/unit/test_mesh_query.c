/* Overlaps, distances and casts of convex shapes and meshes, against all triangles by themselves: as triangles of a table,
 * placed as the library places them, so that answers have the same bits; and of turned meshes as triangles of a body that
 * is placed as the mesh, within the contract. */
#include "mesh_query/internal.h"
#include "support/block.h"
#include "support/check.h"
#include "support/cooked.h"
#include "support/moving_bodies.h"
#include "widephase/widephase.h"

#include <math.h>
#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

enum { BOX, SPHERE, CAPSULE, CYLINDER, HULL, CONE, ELLIPSOID, ROUNDED, TRIANGLE, SEGMENT, SHAPES, POINT = SHAPES, ALL };

enum { BODIES = 96, TRIANGLES = 512, MESHES = 5 };

static wp_workspace *workspace;
static wp_shape shapes[ALL];

/* A body, its motion, in double. */
typedef struct answer {
	float separation, normal[3], lower, upper, local_a[3], local_b[3], fraction;
	double point_a[3], point_b[3];
	uint32_t status, triangle;
	uint8_t overlap;
} answer;

/* The queries of meshes, and contacts of triangles. */
typedef enum query { OVERLAP, DISTANCE, CAST, QUERIES, CONTACT = QUERIES } query;

static const char *const query_names[QUERIES] = {"overlap", "distance", "cast"};

/* A mesh, and all shapes and its triangles in a table: from `middle` on, or from its origin. */
typedef struct scene {
	const wp_mesh *mesh;
	const wp_shape_table *table;
	void *table_memory;
	size_t count;
	double middle[TRIANGLES][3];
} scene;

/* ---- scenes ------------------------------------------------------------------------------------- */

static const wp_hull *make_hull(void)
{
	float points[32][3];
	gen_random random;
	gen_seed(&random, 7);
	for (size_t i = 0; i < COUNT_OF(points); i++) {
		const v3 at = v3_scale(gen_direction(&random), 0.5);
		surface_set(points[i], at.x, at.y + 0.2, at.z);
	}
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_cook_points(points[0], 0, COUNT_OF(points), &hull, NULL), WP_OK);
	return hull;
}

static void setup(void)
{
	shapes[BOX] = wp_shape_box(0.5f, 0.3f, 0.4f);
	shapes[SPHERE] = wp_shape_sphere(0.5f);
	shapes[CAPSULE] = wp_shape_capsule(0.25f, 0.6f);
	shapes[CYLINDER] = wp_shape_cylinder(0.4f, 0.3f);
	shapes[HULL] = wp_shape_hull(make_hull());
	shapes[CONE] = wp_shape_cone(0.4f, 0.5f);
	shapes[ELLIPSOID] = wp_shape_ellipsoid(0.5f, 0.2f, 0.4f);
	shapes[ROUNDED] = wp_shape_box(1.5f, 0.1f, 0.2f);
	shapes[ROUNDED].radius = 0.1f;
	shapes[TRIANGLE] = wp_shape_triangle(
		(float[]){-0.5f, 0, 0}, (float[]){0.5f, 0.1f, 0.2f}, (float[]){0.1f, 0.3f, 0.6f});
	shapes[SEGMENT] = wp_shape_segment((float[]){-0.3f, 0, 0.2f}, (float[]){0.5f, 0.4f, 0});
	shapes[POINT] = wp_shape_point();
	cr_assert_eq(wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace), WP_OK);
}

static surface make_surface(uint32_t kind)
{
	if (kind == 0)
		return surface_terrain(12, 15, 3);
	if (kind == 1) {
		surface s = surface_soup(300, 0.3, 5);
		surface_scale(&s, 3, 3, 3);
		return s;
	}
	if (kind == 2) {
		surface s = surface_grid(3, 101);
		surface_scale(&s, 3, 1, 1e-2);
		return s;
	}
	if (kind == 3) {
		surface s = surface_ball(6, 0.2, 8);
		surface_scale(&s, 3, 2, 3);
		return s;
	}
	surface s = surface_allocate(3, 1);
	static const float corners[3][3] = {{-1, 0.5f, 0}, {2, 0, 0.25f}, {0, 0.25f, 3}};
	static const uint32_t one[3] = {0, 1, 2};
	memcpy(s.vertices, corners, sizeof corners);
	memcpy(s.triangles, one, sizeof one);
	return s;
}

/* The corners of a triangle, from the middle of its box on or from the mesh's origin. */
static void triangle_of(scene *s, size_t i, bool centred, wp_shape *shape)
{
	uint32_t index[3];
	float corner[3][3];
	wp_mesh_triangle(s->mesh, i, index);
	for (size_t k = 0; k < 3; k++)
		wp_mesh_vertex(s->mesh, index[k], corner[k]);
	*shape = wp_shape_triangle(corner[0], corner[1], corner[2]);
	for (size_t axis = 0; axis < 3 && centred; axis++) {
		const double a = (double)corner[0][axis], b = (double)corner[1][axis], c = (double)corner[2][axis];
		const double low = fmin(a, fmin(b, c)), high = fmax(a, fmax(b, c));
		s->middle[i][axis] = low + (high - low) / 2;
		for (size_t k = 0; k < 3; k++)
			shape->points[k][axis] = (float)((double)corner[k][axis] - s->middle[i][axis]);
	}
}

static scene *make_scene(uint32_t kind, bool centred)
{
	scene *const s = calloc(1, sizeof *s);
	surface made = make_surface(kind);
	const wp_mesh_input input = surface_input(&made);
	cr_assert_eq(wp_cook_mesh(&input, &s->mesh, NULL), WP_OK);
	surface_free(&made);
	s->count = wp_mesh_triangle_count(s->mesh);
	cr_assert(s->count <= TRIANGLES);
	static wp_shape all[ALL + TRIANGLES];
	memcpy(all, shapes, sizeof shapes);
	for (size_t i = 0; i < s->count; i++)
		triangle_of(s, i, centred, &all[ALL + i]);
	const size_t size = wp_shape_table_size(ALL + s->count);
	s->table_memory = block(size);
	cr_assert_eq(wp_shape_table_build(all, ALL + s->count, s->table_memory, size, &s->table, NULL), WP_OK);
	return s;
}

static void free_scene(scene *s)
{
	wp_cook_free_mesh(s->mesh);
	free(s->table_memory);
	free(s);
}

/* Bodies near the surface, and ways towards it, of a mesh at a pose. */
static void make_bodies(const scene *s, const body *at, uint64_t seed, bool turning, body *bodies)
{
	gen_random random;
	gen_seed(&random, seed);
	const m3 turn = m3_of_quaternion(at->rotation);
	for (uint32_t i = 0; i < BODIES; i++) {
		body *const b = &bodies[i];
		float vertex[3];
		wp_mesh_vertex(s->mesh, gen_below(&random, (uint32_t)wp_mesh_vertex_count(s->mesh)), vertex);
		const double distance = gen_magnitude(&random, 0.01, 6);
		const v3 aside = v3_scale(gen_direction(&random), distance);
		const v3 place = m3_apply(turn, v3_add(v3_of_floats(vertex), aside));
		const v3 way = v3_scale(m3_apply(turn, v3_add(aside, v3_scale(gen_direction(&random), 0.5))), -2.0);
		b->position[0] = place.x + at->position[0];
		b->position[1] = place.y + at->position[1];
		b->position[2] = place.z + at->position[2];
		gen_rotation(&random, b->rotation);
		memcpy(b->end, b->rotation, sizeof b->end);
		if (turning)
			gen_rotation(&random, b->end);
		surface_set(b->way, way.x, way.y, way.z);
		b->shape = i % SHAPES;
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
		.overlap = {&a->overlap, stride},
		.local_a = {a->local_a, stride},
		.local_b = {a->local_b, stride},
		.point_real = WP_REAL_DOUBLE};
}

static wp_error ask_batch(query q, const wp_mesh_batch *batch, const body *bodies, const body *at, float most,
	answer *answers, wp_mesh_statistics *statistics)
{
	const wp_results results = results_of(answers);
	const wp_uint32_column triangle = {&answers->triangle, sizeof *answers};
	const wp_float_column fraction = {&answers->fraction, sizeof *answers};
	const wp_motions a = motions_of(bodies, true), b = motions_of(at, true);
	const wp_mesh_distance_options options = {most};
	return q == OVERLAP  ? wp_mesh_overlap(workspace, batch, &results, &triangle, statistics)
	     : q == DISTANCE ? wp_mesh_distance(workspace, batch, &options, &results, &triangle, statistics)
	                     : wp_mesh_cast(workspace, batch, &a, &b, &results, &fraction, &triangle, statistics);
}

static void ask_mesh(query q, const scene *s, const body *bodies, size_t count, const body *at, float most,
	answer *answers, wp_mesh_statistics *statistics)
{
	static const uint32_t zeros[BODIES];
	const wp_mesh_batch batch = {.shapes = s->table,
		.meshes = &s->mesh,
		.mesh_count = 1,
		.a = bodies_of(bodies, count),
		.b = bodies_of(at, 1),
		.pair_b = {zeros, 0},
		.count = count};
	memset(answers, 0, count * sizeof *answers);
	const wp_error error = ask_batch(q, &batch, bodies, at, most, answers, statistics);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

/* A body with each triangle, at `places`. */
static void ask_triangles(query q, const scene *s, const body *b, const body *places, answer *answers)
{
	static const uint32_t zeros[TRIANGLES];
	const wp_batch batch = {.shapes = s->table,
		.a = bodies_of(b, 1),
		.b = bodies_of(places, s->count),
		.pair_a = {zeros, 0},
		.count = s->count};
	const wp_results results = results_of(answers);
	const wp_float_column fraction = {&answers->fraction, sizeof *answers};
	const wp_motions a = motions_of(b, true), other = motions_of(places, true);
	memset(answers, 0, s->count * sizeof *answers);
	const wp_contact_options any = {INFINITY};
	const wp_error error = q == OVERLAP  ? wp_overlap(workspace, &batch, &results, NULL)
	                     : q == DISTANCE ? wp_distance(workspace, &batch, &results, NULL)
	                     : q == CONTACT  ? wp_contact(workspace, &batch, &any, &results, NULL)
	                                     : wp_cast(workspace, &batch, &a, &other, &results, &fraction, NULL);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

static bool is_better(query q, const scene *s, const answer *answers, size_t i, size_t best)
{
	const answer *const a = &answers[i], *const b = &answers[best];
	if (q == CAST && a->fraction != b->fraction)
		return a->fraction < b->fraction;
	if (a->separation != b->separation)
		return a->separation < b->separation;
	return wp_mesh_source(s->mesh, i) < wp_mesh_source(s->mesh, best);
}

static bool counts(query q, const answer *a)
{
	return q == DISTANCE || q == CONTACT || (q == OVERLAP ? a->overlap != 0 : (a->status & WP_STATUS_HIT) != 0);
}

/* The best answer of all triangles; `count` for none. */
static size_t best_of(query q, const scene *s, const answer *answers)
{
	size_t best = s->count;
	for (size_t i = 0; i < s->count; i++)
		if (counts(q, &answers[i]) && (best == s->count || (q != OVERLAP && is_better(q, s, answers, i, best))))
			best = i;
	return best;
}

/* ---- the same bits ------------------------------------------------------------------------------ */

/* The places of triangles from the position of a body on, of a mesh that is not turned. */
static void place_triangles(const scene *s, const body *b, const body *at, body *places)
{
	for (size_t i = 0; i < s->count; i++) {
		places[i] = *at;
		places[i].shape = (uint32_t)(ALL + i);
		for (int k = 0; k < 3; k++)
			places[i].position[k] = (at->position[k] - b->position[k]) + s->middle[i][k];
	}
}

static void expect_same(query q, uint32_t kind, uint32_t row, const answer *got, const answer *want, uint32_t triangle)
{
	CHECK(got->triangle == triangle && got->fraction == want->fraction &&
			  (got->status & WP_STATUS_HIT) == (want->status & WP_STATUS_HIT) && got->overlap == want->overlap,
		"%s, mesh %u, row %u: triangle %u at %a, status %x, not %u at %a, %x", query_names[q], kind, row, got->triangle,
		(double)got->fraction, got->status, triangle, (double)want->fraction, want->status);
	CHECK(got->separation == want->separation && got->upper == want->upper && got->lower <= want->lower &&
			  memcmp(got->normal, want->normal, sizeof got->normal) == 0 &&
			  memcmp(got->local_a, want->local_a, sizeof got->local_a) == 0,
		"%s, mesh %u, row %u: separation %a and bounds %a, %a, not %a, %a, %a", query_names[q], kind, row,
		(double)got->separation, (double)got->lower, (double)got->upper, (double)want->separation, (double)want->lower,
		(double)want->upper);
}

/* Rows that have the answer of a triangle, of one query and one mesh. */
static uint32_t compare_bits(query q, uint32_t kind, const body *at, bool turning)
{
	static body bodies[BODIES], places[TRIANGLES];
	static answer got[BODIES], all[TRIANGLES];
	scene *const s = make_scene(kind, true);
	uint32_t answered = 0;
	make_bodies(s, at, 100 + kind, turning, bodies);
	ask_mesh(q, s, bodies, BODIES, at, 0, got, NULL);
	for (uint32_t i = 0; i < BODIES; i++) {
		body b = bodies[i];
		place_triangles(s, &b, at, places);
		memset(b.position, 0, sizeof b.position);
		ask_triangles(q, s, &b, places, all);
		const size_t best = best_of(q, s, all);
		if (best == s->count) {
			CHECK(got[i].triangle == WP_MESH_MISS && got[i].status == WP_STATUS_SEPARATED && isinf(got[i].separation) &&
					  got[i].overlap == 0 && got[i].fraction == (q == CAST ? 1.0f : 0.0f),
				"%s, mesh %u, row %u: triangle %u of none, status %x", query_names[q], kind, i, got[i].triangle,
				got[i].status);
			continue;
		}
		answered++;
		expect_same(q, kind, i, &got[i], &all[best], (uint32_t)best);
		for (size_t k = 0; k < 3; k++)
			CHECK(q == OVERLAP || (got[i].point_a[k] == bodies[i].position[k] + all[best].point_a[k] &&
									  got[i].point_b[k] == bodies[i].position[k] + all[best].point_b[k]),
				"%s, mesh %u, row %u: points differ", query_names[q], kind, i);
	}
	free_scene(s);
	return answered;
}

static const body plain = {.rotation = {0, 0, 0, 1}, .end = {0, 0, 0, 1}};
static const body far_away = {.position = {1e6, -2e6, 3e6}, .rotation = {0, 0, 0, 1}, .end = {0, 0, 0, 1}};

static void compare_meshes(query q, bool turning, uint32_t least, uint32_t most)
{
	for (uint32_t kind = 0; kind < MESHES; kind++) {
		const uint32_t near = compare_bits(q, kind, &plain, turning), far = compare_bits(q, kind, &far_away, turning);
		CHECK(near >= least && near <= most && far >= least && far <= most, "%s, mesh %u: %u and %u rows",
			query_names[q], kind, near, far);
	}
}

Test(mesh_query, overlaps_are_those_of_triangles, .init = setup) { compare_meshes(OVERLAP, false, 10, BODIES - 10); }
Test(mesh_query, distances_are_those_of_triangles, .init = setup) { compare_meshes(DISTANCE, false, BODIES, BODIES); }
Test(mesh_query, casts_are_those_of_triangles, .init = setup) { compare_meshes(CAST, false, BODIES / 2, BODIES); }
Test(mesh_query, turning_casts_are_those_of_triangles, .init = setup)
{
	compare_meshes(CAST, true, BODIES / 2, BODIES);
}

/* ---- turned meshes ------------------------------------------------------------------------------ */

static const body turned = {
	.position = {1e6, -2e6, 3e6}, .rotation = {0.1f, 0.7f, -0.5f, 0.5f}, .end = {0.1f, 0.7f, -0.5f, 0.5f}};
static const body turning_mesh = {.position = {5, -3, 2},
	.rotation = {0.1f, 0.7f, -0.5f, 0.5f},
	.end = {0.2f, 0.6f, -0.5f, 0.6f},
	.way = {1, -2, 0.5f}};

/* What both ways to answer may differ by: triangles that are placed as the mesh is are larger about its origin. */
#define APART 2e-4

/* How far a body is from a mesh at a fraction, or how deep in it, by all triangles. */
static double separation_at(const scene *s, const body *b, const body *at, double fraction)
{
	static body places[TRIANGLES];
	static answer all[TRIANGLES];
	const body to = moved(b, fraction), mesh = moved(at, fraction);
	for (size_t i = 0; i < s->count; i++) {
		places[i] = mesh;
		places[i].shape = (uint32_t)(ALL + i);
	}
	ask_triangles(CONTACT, s, &to, places, all);
	return (double)all[best_of(CONTACT, s, all)].separation;
}

/* The least of it between two fractions. */
static double least_between(const scene *s, const body *b, const body *at, double from, double to)
{
	enum { STEPS = 64 };
	double least = INFINITY;
	for (int i = 0; i < STEPS; i++)
		least = fmin(least, separation_at(s, b, at, from + (to - from) * i / STEPS));
	return least;
}

static void expect_cast(const scene *s, uint32_t row, const body *b, const body *at, const answer *got, double want)
{
	const double fraction = (double)got->fraction;
	CHECK(fraction >= 0 && fraction <= 1 && ((got->status & WP_STATUS_HIT) != 0) == (got->triangle != WP_MESH_MISS),
		"row %u: fraction %g, status %x, triangle %u", row, fraction, got->status, got->triangle);
	/* Shapes that glance off each other may hit or not. */
	if (fraction > want + 1e-4) {
		const double least = least_between(s, b, at, want, fraction);
		CHECK(least >= -APART, "row %u: fraction %.9g, not %.9g, and as deep as %g before", row, fraction, want, least);
	}
	if ((got->status & WP_STATUS_HIT) != 0)
		CHECK(separation_at(s, b, at, fraction) <= APART, "row %u: %g apart at the hit", row,
			separation_at(s, b, at, fraction));
}

static void expect_points(uint32_t row, const body *b, const body *at, const answer *got)
{
	const m3 turn_a = m3_of_quaternion(b->rotation), turn_b = m3_of_quaternion(at->rotation);
	const v3 on_a = m3_apply(turn_a, v3_of_floats(got->local_a)), on_b = m3_apply(turn_b, v3_of_floats(got->local_b));
	const v3 point_a = v3_of(got->point_a[0], got->point_a[1], got->point_a[2]);
	const v3 point_b = v3_of(got->point_b[0], got->point_b[1], got->point_b[2]);
	const v3 from_a = v3_add(on_a, v3_of(b->position[0], b->position[1], b->position[2]));
	const v3 from_b = v3_add(on_b, v3_of(at->position[0], at->position[1], at->position[2]));
	const v3 along = v3_scale(v3_of_floats(got->normal), (double)got->separation);
	CHECK(v3_length(v3_sub(point_a, from_a)) <= 1e-5 && v3_length(v3_sub(point_b, from_b)) <= 1e-5 &&
			  v3_length(v3_sub(v3_add(point_a, along), point_b)) <= APART,
		"row %u: points do not agree", row);
}

/* Answers of a mesh at a pose, against the answers of its triangles at the same pose. */
static void compare_poses(query q, uint32_t kind, const body *at, bool turning)
{
	static body bodies[BODIES], places[TRIANGLES];
	static answer got[BODIES], all[TRIANGLES];
	scene *const s = make_scene(kind, false);
	make_bodies(s, at, 200 + kind, turning, bodies);
	ask_mesh(q, s, bodies, BODIES, at, 0, got, NULL);
	for (size_t i = 0; i < s->count; i++) {
		places[i] = *at;
		places[i].shape = (uint32_t)(ALL + i);
	}
	for (uint32_t i = 0; i < BODIES; i++) {
		ask_triangles(q, s, &bodies[i], places, all);
		const size_t best = best_of(q, s, all);
		if (q == CAST) {
			expect_cast(s, i, &bodies[i], at, &got[i], best < s->count ? (double)all[best].fraction : 1);
			continue;
		}
		if (q == DISTANCE) {
			CHECK(fabs((double)got[i].separation - (double)all[best].separation) <= APART,
				"mesh %u, row %u: %g, not %g", kind, i, (double)got[i].separation, (double)all[best].separation);
			expect_points(i, &bodies[i], at, &got[i]);
			continue;
		}
		CHECK(got[i].overlap == (best < s->count) || separation_at(s, &bodies[i], at, 0) <= APART,
			"mesh %u, row %u: overlap %u", kind, i, got[i].overlap);
	}
	free_scene(s);
}

Test(mesh_query, turned_meshes, .init = setup)
{
	for (uint32_t kind = 0; kind < MESHES; kind++)
		for (int q = OVERLAP; q < QUERIES; q++)
			compare_poses((query)q, kind, &turned, false);
}

Test(mesh_query, meshes_that_turn, .init = setup)
{
	for (uint32_t kind = 0; kind < MESHES; kind++) {
		compare_poses(CAST, kind, &turning_mesh, false);
		compare_poses(CAST, kind, &turning_mesh, true);
	}
}

/* ---- points ------------------------------------------------------------------------------------- */

Test(mesh_query, points_are_rays, .init = setup)
{
	static body bodies[BODIES];
	static answer got[BODIES];
	uint32_t hits = 0;
	for (uint32_t kind = 0; kind < MESHES; kind++) {
		scene *const s = make_scene(kind, true);
		make_bodies(s, &plain, 300 + kind, true, bodies);
		for (uint32_t i = 0; i < BODIES; i++) {
			bodies[i].shape = POINT;
			for (int k = 0; k < 3; k++)
				bodies[i].position[k] = (double)gen_rounded(bodies[i].position[k]);
		}
		ask_mesh(CAST, s, bodies, BODIES, &plain, 0, got, NULL);
		for (uint32_t i = 0; i < BODIES; i++) {
			wp_mesh_hit hit;
			float start[3];
			surface_set(start, bodies[i].position[0], bodies[i].position[1], bodies[i].position[2]);
			cr_assert_eq(wp_mesh_ray(s->mesh, start, bodies[i].way, &hit), WP_OK);
			const float want = hit.triangle == WP_MESH_MISS ? 1.0f : hit.fraction;
			CHECK(got[i].triangle == hit.triangle && got[i].fraction <= want &&
					  got[i].fraction >= nextafterf(want, 0.0f) &&
					  ((got[i].status & WP_STATUS_HIT) != 0) == (hit.triangle != WP_MESH_MISS),
				"mesh %u, row %u: triangle %u at %a, not %u at %a", kind, i, got[i].triangle, (double)got[i].fraction,
				hit.triangle, (double)want);
			hits += hit.triangle != WP_MESH_MISS;
			const v3 way = v3_of_floats(bodies[i].way), normal = v3_of_floats(got[i].normal);
			CHECK(hit.triangle == WP_MESH_MISS || (v3_dot(way, normal) > 0 && fabs(v3_length(normal) - 1) < 1e-6),
				"mesh %u, row %u: normal %g %g %g", kind, i, normal.x, normal.y, normal.z);
		}
		free_scene(s);
	}
	cr_assert(hits > BODIES, "%u hits", hits);
}

/* The same ray at a mesh that is far away and turned. */
Test(mesh_query, rays_lose_nothing_far_away, .init = setup)
{
	scene *const s = make_scene(4, true);
	const m3 turn = m3_of_quaternion(turned.rotation);
	body point = plain;
	answer near, far;
	point.shape = POINT;
	point.position[0] = 0.25;
	point.position[1] = 2;
	point.position[2] = 0.75;
	point.way[1] = -4;
	ask_mesh(CAST, s, &point, 1, &plain, 0, &near, NULL);
	body there = point;
	const v3 at = m3_apply(turn, v3_of(0.25, 2, 0.75)), way = m3_apply(turn, v3_of(0, -4, 0));
	there.position[0] = turned.position[0] + at.x;
	there.position[1] = turned.position[1] + at.y;
	there.position[2] = turned.position[2] + at.z;
	surface_set(there.way, way.x, way.y, way.z);
	ask_mesh(CAST, s, &there, 1, &turned, 0, &far, NULL);
	cr_assert(near.triangle == 0 && far.triangle == 0 && fabs((double)near.fraction - (double)far.fraction) < 1e-6,
		"%.9g and %.9g", (double)near.fraction, (double)far.fraction);
	expect_points(0,
		&(body){.position = {there.position[0] + (double)far.fraction * way.x,
					there.position[1] + (double)far.fraction * way.y, there.position[2] + (double)far.fraction * way.z},
			.rotation = {0, 0, 0, 1}},
		&turned, &far);
	free_scene(s);
}

/* ---- long ways ---------------------------------------------------------------------------------- */

/* However long the way, a body that turns or not is where it hits at the distance from the floor, and meets nothing beside it;
 * from too far a row says that it may be wrong, of all triangles. */
Test(mesh_query, long_ways, .init = setup)
{
	surface floor = surface_grid(4, 4);
	scene *const s = make_scene(4, true);
	const wp_mesh *const first = s->mesh;
	s->mesh = cook_surface(&floor);
	for (int exponent = 3; exponent < 99; exponent++)
		for (int turns = 0; turns < 2; turns++) {
			body ball = plain, beside, far;
			answer a[3];
			ball.shape = SPHERE;
			ball.position[0] = ball.position[2] = 1.25;
			ball.position[1] = 2;
			ball.way[1] = -ldexpf(1, exponent);
			memcpy(ball.end, turns ? turned.rotation : ball.rotation, sizeof ball.end);
			beside = far = ball;
			beside.position[0] = 8;
			far.position[1] = ldexp(1, exponent - 1);
			ask_mesh(CAST, s, &ball, 1, &plain, 0, &a[0], NULL);
			ask_mesh(CAST, s, &beside, 1, &plain, 0, &a[1], NULL);
			ask_mesh(CAST, s, &far, 1, &plain, 0, &a[2], NULL);
			const double gone = ldexp((double)a[0].fraction, exponent), gap = 2 - (double)shapes[SPHERE].radius;
			cr_assert(a[0].status & WP_STATUS_HIT && !(a[0].status & WP_STATUS_WIDE_BRACKET) && gone <= gap + 1e-6 &&
						  gone >= gap - 1e-5,
				"way 2^%d, turns %d: status %x, gone %.9g", exponent, turns, a[0].status, gone);
			cr_assert(
				a[1].fraction == 1 && a[1].status == WP_STATUS_SEPARATED, "way 2^%d: status %x", exponent, a[1].status);
			const bool says = a[2].status & WP_STATUS_WIDE_BRACKET;
			cr_assert(says ? exponent > 28 : exponent < 36, "from 2^%d: status %x", exponent - 1, a[2].status);
			cr_assert(says || (a[2].status & WP_STATUS_HIT && fabs((double)a[2].separation) <= 1e-5),
				"from 2^%d: status %x", exponent - 1, a[2].status);
		}
	wp_cook_free_mesh(s->mesh);
	s->mesh = first;
	free_scene(s);
}

/* A small triangle that a ball from far away goes past, by less than rounding may hide, before it hits a large one, of which
 * rounding hides nothing. */
Test(mesh_query, long_ways_past_small_triangles, .init = setup)
{
	surface made = surface_allocate(6, 2);
	const float corners[6][3] = {
		{-4, 0, -4}, {-4, 0, 4}, {4, 0, -4}, {-4096, -4096, -4096}, {-4096, -4096, 8192}, {8192, -4096, -4096}};
	for (uint32_t i = 0; i < 6; i++) {
		memcpy(made.vertices[i], corners[i], sizeof corners[i]);
		made.triangles[i / 3][i % 3] = i;
	}
	scene *const s = make_scene(4, true);
	const wp_mesh *const first = s->mesh;
	s->mesh = cook_surface(&made);
	body ball = plain;
	ball.shape = SPHERE;
	ball.position[0] = ball.position[2] = 2;
	ball.position[1] = 0x1p38;
	ball.way[1] = -0x1p39f;
	answer got;
	ask_mesh(CAST, s, &ball, 1, &plain, 0, &got, NULL);
	cr_assert(got.triangle == 1 && got.status & WP_STATUS_HIT && got.status & WP_STATUS_WIDE_BRACKET,
		"triangle %u, status %x", got.triangle, got.status);
	ball.position[1] = 0x1p20;
	ball.way[1] = -0x1p21f;
	ask_mesh(CAST, s, &ball, 1, &plain, 0, &got, NULL);
	cr_assert(got.triangle == 1 && got.status & WP_STATUS_HIT && !(got.status & WP_STATUS_WIDE_BRACKET),
		"triangle %u, status %x", got.triangle, got.status);
	wp_cook_free_mesh(s->mesh);
	s->mesh = first;
	free_scene(s);
}

/* ---- what is left out --------------------------------------------------------------------------- */

Test(mesh_query, distances_end_at_the_most, .init = setup)
{
	static body bodies[BODIES];
	static answer all[BODIES], near[BODIES];
	scene *const s = make_scene(0, true);
	wp_mesh_statistics whole = {0}, part = {0};
	uint32_t beyond = 0;
	make_bodies(s, &turned, 400, false, bodies);
	ask_mesh(DISTANCE, s, bodies, BODIES, &turned, INFINITY, all, &whole);
	ask_mesh(DISTANCE, s, bodies, BODIES, &turned, 0.5f, near, &part);
	for (uint32_t i = 0; i < BODIES; i++) {
		if (all[i].separation <= 0.5f) {
			CHECK(memcmp(&all[i], &near[i], sizeof near[i]) == 0, "row %u differs", i);
			continue;
		}
		beyond++;
		CHECK(near[i].status == (WP_STATUS_SEPARATED | WP_STATUS_BEYOND) && isinf(near[i].separation) &&
				  isinf(near[i].upper) && near[i].triangle == WP_MESH_MISS && near[i].lower > 0.499f &&
				  near[i].lower <= 0.5f && near[i].normal[0] == 0 && near[i].point_a[0] == 0,
			"row %u: status %x, separation %g, lower %g", i, near[i].status, (double)near[i].separation,
			(double)near[i].lower);
	}
	cr_assert(beyond > 10 && beyond < BODIES - 10 && whole.rows == BODIES && whole.invalid == 0, "%u beyond", beyond);
	cr_assert(part.solved < whole.solved && whole.solved < 12 * BODIES && part.touching == whole.touching,
		"%u and %u solved", (uint32_t)part.solved, (uint32_t)whole.solved);
	free_scene(s);
}

/* Bodies moved to where they touch within rounding: without a proof that they are apart, none is further away than the most. */
Test(mesh_query, distances_that_are_not_proven_count, .init = setup)
{
	static body bodies[BODIES];
	static answer far[BODIES], near[BODIES];
	scene *const s = make_scene(0, true);
	uint32_t unproven = 0;
	make_bodies(s, &turned, 403, false, bodies);
	ask_mesh(DISTANCE, s, bodies, BODIES, &turned, INFINITY, far, NULL);
	for (uint32_t i = 0; i < BODIES; i++)
		for (int k = 0; k < 3; k++)
			bodies[i].position[k] += (double)far[i].separation * (double)far[i].normal[k];
	ask_mesh(DISTANCE, s, bodies, BODIES, &turned, 1e-20f, near, NULL);
	for (uint32_t i = 0; i < BODIES; i++) {
		CHECK((near[i].status & WP_STATUS_SEPARATED) == 0 || near[i].lower > 0, "row %u: status %x, lower %g", i,
			near[i].status, (double)near[i].lower);
		unproven += (near[i].status & WP_STATUS_TOUCHING) != 0 && near[i].separation > 1e-20f;
	}
	cr_assert(unproven > 10, "%u", unproven);
	free_scene(s);
}

#if defined(__x86_64__) || defined(__i386__)
/* The smallest floats are no zero, which would count all triangles. */
Test(mesh_query, flush_to_zero_changes_no_most, .init = setup)
{
	static body bodies[BODIES];
	static answer rows[BODIES], again[BODIES];
	scene *const s = make_scene(0, true);
	const unsigned before = _mm_getcsr();
	make_bodies(s, &turned, 404, false, bodies);
	ask_mesh(DISTANCE, s, bodies, BODIES, &turned, 0x1p-140f, rows, NULL);
	_mm_setcsr(before | 0x8040u);
	ask_mesh(DISTANCE, s, bodies, BODIES, &turned, 0x1p-140f, again, NULL);
	_mm_setcsr(before);
	for (uint32_t i = 0; i < BODIES; i++)
		CHECK(memcmp(&rows[i], &again[i], sizeof *rows) == 0, "row %u: status %x and %x", i, rows[i].status,
			again[i].status);
	free_scene(s);
}
#endif

/* A segment so far from its own origin that no place on a triangle is known in double, which was taken for an overlap that
 * proves all triangles too far. */
Test(mesh_query, distances_of_what_is_far_from_its_origin, .init = setup)
{
	const wp_shape segment = wp_shape_segment(
		(float[]){-0x1.ep+0f, -0x1.a4p+2f, -0x1.b7fe0cp+56f}, (float[]){0x1.acp+2f, 0x1.acp+2f, -0x1.b64e8p+56f});
	const wp_shape_table *table;
	const size_t size = wp_shape_table_size(1);
	cr_assert_eq(wp_shape_table_build(&segment, 1, block(size), size, &table, NULL), WP_OK);
	surface grid = surface_grid(5, 5);
	for (size_t i = 0; i < grid.vertex_count; i++)
		surface_set(grid.vertices[i], (double)grid.vertices[i][0] - 2, 0, (double)grid.vertices[i][2] - 2);
	const wp_mesh_input input = surface_input(&grid);
	const wp_mesh *mesh = NULL;
	cr_assert_eq(wp_cook_mesh(&input, &mesh, NULL), WP_OK);
	const wp_pose at = {.position = {-7, -7, -7}, .rotation = {0, 0, 0, 1}}, still = {.rotation = {0, 0, 0, 1}};
	const wp_mesh_batch batch = {.shapes = table,
		.meshes = &mesh,
		.mesh_count = 1,
		.a = {.position = {at.position, 0}, .rotation = {at.rotation, 0}, .count = 1},
		.b = {.position = {still.position, 0}, .rotation = {still.rotation, 0}, .count = 1},
		.count = 1};
	wp_row row;
	const wp_results results = wp_results_of_rows(&row);
	cr_assert_eq(wp_mesh_distance(workspace, &batch, NULL, &results, NULL, NULL), WP_OK);
	CHECK(row.status == WP_STATUS_SEPARATED && fabsf(row.separation - 0x1.b64e8p+56f) < 0x1p+38f,
		"status %x, separation %a", row.status, (double)row.separation);
	wp_cook_free_mesh(mesh);
	surface_free(&grid);
}

/* A body on more triangles than a row notes at once. */
Test(mesh_query, overlaps_end_early, .init = setup)
{
	scene *const s = make_scene(2, true);
	body bodies[2] = {plain, plain};
	answer got[2];
	wp_mesh_statistics statistics = {0};
	bodies[0].shape = bodies[1].shape = BOX;
	bodies[0].position[0] = bodies[1].position[0] = 3;
	bodies[0].position[2] = bodies[1].position[2] = 0.5;
	bodies[1].position[1] = 0.35;
	ask_mesh(OVERLAP, s, bodies, 2, &plain, 0, got, &statistics);
	cr_assert(got[0].overlap == 1 && (got[0].status & WP_STATUS_PENETRATING) != 0 && got[0].triangle < s->count);
	cr_assert(got[1].overlap == 0 && got[1].triangle == WP_MESH_MISS);
	cr_assert(statistics.solved < 40 && statistics.rows == 2 && statistics.touching == 1);
	free_scene(s);
}

/* The place of a triangle that is nearest to a point beside a corner, an edge and the face; the sign of zeros is of no matter. */
Test(mesh_query, places_nearest_to_a_point)
{
	static const double points[4][3] = {{-1, 2, -0.5}, {0.5, 1, -3}, {2, 0.25, 2}, {0.25, -3, 0.5}};
	static const double places[4][3] = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0, 0.5}, {0.25, 0, 0.5}};
	const wp_d3 corner[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
	for (size_t i = 0; i < COUNT_OF(points); i++) {
		const wp_d3 place = wp_mesh_query_nearest_to(corner, wp_d3_at(points[i])), want = wp_d3_at(places[i]);
		CHECK(wp_d3_length(wp_d3_sub(place, want)) < 1e-15, "point %zu: %g %g %g", i, place.x, place.y, place.z);
	}
}

/* Of triangles one behind the other a cast asks those that may be first. */
Test(mesh_query, casts_end_at_the_first_hit, .init = setup)
{
	static body bodies[BODIES];
	static answer got[BODIES];
	scene *const s = make_scene(1, true);
	wp_mesh_statistics statistics = {0};
	make_bodies(s, &plain, 401, false, bodies);
	for (uint32_t i = 0; i < BODIES; i++) {
		bodies[i].position[0] -= 12;
		memcpy(bodies[i].way, (float[3]){24, 0, 0}, sizeof bodies[i].way);
	}
	ask_mesh(CAST, s, bodies, BODIES, &plain, 0, got, &statistics);
	cr_assert(statistics.touching > 60 && statistics.solved < 4 * BODIES, "%u hits, %u solved",
		(uint32_t)statistics.touching, (uint32_t)statistics.solved);
	free_scene(s);
}

/* ---- bad input ---------------------------------------------------------------------------------- */

/* What is wrong with a row, and what it is told. */
static void spoil(uint32_t i, body *b)
{
	if (i == 0)
		b->position[1] = (double)NAN;
	else if (i == 1)
		b->position[2] = -INFINITY;
	else if (i == 2)
		b->rotation[0] = 7;
	else if (i == 3)
		b->shape = UINT32_MAX;
	else if (i == 4)
		b->way[0] = NAN;
	else
		b->end[3] = INFINITY;
}

Test(mesh_query, invalid_rows_leave_others_alone, .init = setup)
{
	static const uint32_t why[] = {WP_STATUS_INVALID_POSITION_A, WP_STATUS_INVALID_POSITION_A,
		WP_STATUS_INVALID_ROTATION_A, WP_STATUS_INVALID_SHAPE_A, WP_STATUS_INVALID_POSITION_A,
		WP_STATUS_INVALID_ROTATION_A};
	enum { BAD = COUNT_OF(why) };
	static body bodies[BODIES];
	static answer good[BODIES], got[BODIES];
	scene *const s = make_scene(0, true);
	for (int q = OVERLAP; q < QUERIES; q++) {
		const uint32_t bad = q == CAST ? BAD : BAD - 2;
		wp_mesh_statistics statistics = {0};
		make_bodies(s, &plain, 500, false, bodies);
		ask_mesh((query)q, s, bodies, BODIES, &plain, 0, good, NULL);
		for (uint32_t i = 0; i < bad; i++)
			spoil(i, &bodies[7 * i + 3]);
		ask_mesh((query)q, s, bodies, BODIES, &plain, 0, got, &statistics);
		for (uint32_t i = 0; i < BODIES; i++) {
			if (i % 7 != 3 || i / 7 >= bad) {
				CHECK(memcmp(&got[i], &good[i], sizeof got[i]) == 0, "%s: row %u differs", query_names[q], i);
				continue;
			}
			CHECK(got[i].status == (WP_STATUS_INVALID | why[i / 7]) && isnan(got[i].separation) &&
					  isnan(got[i].lower) && isnan(got[i].upper) && got[i].triangle == WP_MESH_MISS &&
					  got[i].overlap == 0 && got[i].normal[0] == 0 && (q != CAST || isnan(got[i].fraction)),
				"%s: row %u has status %x", query_names[q], i, got[i].status);
		}
		cr_assert(statistics.invalid == bad && statistics.first_invalid_row == 3 && statistics.rows == BODIES);
	}
	free_scene(s);
}

Test(mesh_query, bodies_and_meshes_that_are_none, .init = setup)
{
	scene *const s = make_scene(0, true);
	body a = plain, b[3] = {plain, plain, plain};
	answer got;
	const wp_mesh *const meshes[2] = {s->mesh, NULL};
	b[1].shape = 1;
	b[2].shape = 2;
	for (int q = OVERLAP; q < QUERIES; q++)
		for (uint32_t i = 0; i < 5; i++) {
			const uint32_t index_a = i == 4 ? 1 : 0, index_b = i < 4 ? i : 0;
			const wp_mesh_batch batch = {.shapes = s->table,
				.meshes = meshes,
				.mesh_count = 2,
				.a = bodies_of(&a, 1),
				.b = bodies_of(b, 3),
				.pair_a = {&index_a, 0},
				.pair_b = {&index_b, 0},
				.count = 1};
			cr_assert_eq(ask_batch((query)q, &batch, &a, b, 0, &got, NULL), WP_OK);
			const uint32_t want = i == 4 ? WP_STATUS_INVALID_BODY_A
			                    : i == 3 ? WP_STATUS_INVALID_BODY_B
			                    : i != 0 ? WP_STATUS_INVALID_SHAPE_B
			                             : 0;
			CHECK(want != 0 ? got.status == (WP_STATUS_INVALID | want) : (got.status & WP_STATUS_INVALID) == 0,
				"%s, %u: status %x", query_names[q], i, got.status);
		}
	free_scene(s);
}

Test(mesh_query, arguments, .init = setup)
{
	scene *const s = make_scene(0, true);
	const body a = plain;
	answer got;
	const wp_mesh_batch good = {.shapes = s->table,
		.meshes = &s->mesh,
		.mesh_count = 1,
		.a = bodies_of(&a, 1),
		.b = bodies_of(&plain, 1),
		.count = 1};
	const wp_results results = results_of(&got);
	const wp_uint32_column triangle = {&got.triangle, 0}, short_triangle = {&got.triangle, 1};
	const wp_float_column short_fraction = {&got.fraction, 1};
	const wp_motions short_motions = {.translation = {a.way, 1}};
	cr_assert_eq(wp_mesh_overlap(NULL, &good, &results, NULL, NULL), WP_ERROR_NULL_WORKSPACE);
	cr_assert_eq(wp_mesh_distance(workspace, NULL, NULL, &results, NULL, NULL), WP_ERROR_NULL_BATCH);
	cr_assert_eq(wp_mesh_cast(workspace, &good, NULL, NULL, NULL, NULL, NULL, NULL), WP_ERROR_NULL_RESULTS);
	cr_assert_eq(wp_mesh_overlap(workspace, &good, &results, &short_triangle, NULL), WP_ERROR_TRIANGLE_STRIDE);
	for (int i = 0; i < 2; i++) {
		const wp_mesh_distance_options options = {i == 0 ? NAN : -1.0f};
		cr_assert_eq(wp_mesh_distance(workspace, &good, &options, &results, NULL, NULL), WP_ERROR_MAX_DISTANCE);
	}
	cr_assert_eq(
		wp_mesh_cast(workspace, &good, NULL, NULL, &results, &short_fraction, NULL, NULL), WP_ERROR_FRACTION_STRIDE);
	cr_assert_neq(wp_mesh_cast(workspace, &good, &short_motions, NULL, &results, NULL, NULL, NULL), WP_OK);
	wp_mesh_batch batch = good;
	batch.meshes = NULL;
	cr_assert_eq(wp_mesh_overlap(workspace, &batch, &results, &triangle, NULL), WP_ERROR_NULL_MESHES);
	batch = good;
	batch.height_field_count = 1;
	cr_assert_eq(wp_mesh_overlap(workspace, &batch, &results, &triangle, NULL), WP_ERROR_NULL_HEIGHT_FIELDS);
	batch = good;
	batch.b = (wp_bodies){0};
	cr_assert_eq(wp_mesh_cast(workspace, &batch, NULL, NULL, &results, NULL, NULL, NULL), WP_ERROR_BODIES_B_POSITION);
	/* Nothing is written where nothing is wanted. */
	const wp_results none = {.point_real = WP_REAL_FLOAT};
	cr_assert_eq(wp_mesh_overlap(workspace, &good, &none, NULL, NULL), WP_OK);
	cr_assert_eq(wp_mesh_distance(workspace, &good, NULL, &none, NULL, NULL), WP_OK);
	cr_assert_eq(wp_mesh_cast(workspace, &good, NULL, NULL, &none, NULL, NULL, NULL), WP_OK);
	free_scene(s);
}
