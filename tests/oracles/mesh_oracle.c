/* Contacts, overlaps, distances and casts of convex shapes with meshes and height fields against every triangle by itself, in double
 * precision.
 *
 *   mesh_oracle [--pairs N] [--first I] [--seed S]
 *
 * N is the number of rows and may end in k or M. Surfaces are terrains, wrinkled balls, soups of triangles and
 * height fields of all scales, turned, and up to 1e6 from the origin; fields have holes, cells of any form, and are flat or steep;
 * bodies are boxes, spheres, capsules, hulls and rounded boxes near their surface. The oracle of support/oracle.h solves each body with each triangle.
 *
 * Of contacts as they are (WP_MESH_GHOSTS): the separation is the least of all triangles within the contract, and as many
 * triangles are touched. Of contacts without ghosts: each normal is the triangle's or leans to none of the faces around its
 * feature; contacts whose normal does so are there; no row of a closed or connected mesh loses its contact, and none at all whose
 * body is in front of the triangles that it overlaps and of those around them. Of both: each point lies on the body and on its
 * triangle, as far apart as it says, and the deepest of a patch is as deep as that. A distance is the least of all triangles
 * within the contract, its bracket holds that, and there is an overlap where it is zero. A cast has the separation it says where
 * it ends, and none below zero on its way. Ends with a table, and 1 where a promise is broken. */
#include "core/contract.h"
#include "progress.h"
#include "support/block.h"
#include "support/mesh_answer.h"
#include "support/mesh_bodies.h"
#include "support/mesh_triangle.h"
#include "support/oracle.h"
#include "support/sequence.h"
#include "support/surfaces.h"
#include "widephase/widephase.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum {
	SHAPES = 10,
	ROWS = 64,
	PATCHES = WP_MESH_PATCH_MAX,
	MESH_KINDS = 4,
	SAMPLES = 9,
	FAN_MAX = 64,
	FAILURES_TOLD = 20,
	CASTS_EVERY = 4
};

static const char *const kind_names[MESH_KINDS] = {"terrain", "ball", "soup", "field"};

/* Sines up to which a normal surely leans towards nothing, and from which it surely does. */
#define LEAN_NONE 5e-4
#define LEAN_SURE 2e-3

/* As LEAN_NONE, of corners along a normal: up to this they are as far. */
#define ALIKE_NONE 1e-6

#define SAME_NORMAL 3e-3

/* Of the body's size: by how much it overlaps, at least, that one of its contacts does. */
#define LAST_SLACK 1e-5

typedef MESH_ANSWER(PATCHES) answer;

/* What the other queries say of a body, and where it goes. */
typedef struct query_answer {
	float separation, lower, upper, cast_separation, fraction, way[3];
	uint32_t status, cast_status;
	uint8_t overlap;
} query_answer;

enum { FIELD = 3 };

/* One mesh, and bodies near it. */
typedef struct scene {
	uint32_t kind;
	double scale;
	const wp_mesh *mesh; /* of a field its triangles, rounded: what neighbours whom */
	wp_height_field field;
	float samples[SAMPLES * SAMPLES];
	uint32_t named[2 * SAMPLES * SAMPLES]; /* what the mesh calls each triangle of the field */
	v3 (*corners)[3];                      /* of triangles, exact */
	v3 *middle;                            /* of each: where its shape is */
	size_t triangle_count;
	oracle_shape **triangles;
	wp_shape shapes[SHAPES];
	oracle_shape *solids[SHAPES];
	v3 centre[SHAPES];
	const wp_hull *hull[SHAPES];
	void *table_memory;
	const wp_shape_table *table;
	body at;
	body bodies[ROWS];
	size_t count;
	float max_separation;
	answer answers[2][ROWS]; /* without ghosts, and as they are */
	query_answer queries[ROWS];
} scene;

typedef struct tally {
	uint64_t rows, contacts, triangles, points, edges, failures, shallow, last, hits;
	double worst; /* error of a separation or a distance, of what is allowed */
} tally;

static tally tallies[MESH_KINDS];
static wp_workspace *workspace;
static uint64_t row_number;

#define EXPECT(condition, t, ...)                              \
	do {                                                       \
		if (!(condition) && (t)->failures++ < FAILURES_TOLD) { \
			printf("row %" PRIu64 ": ", row_number);           \
			printf(__VA_ARGS__);                               \
			printf("\n");                                      \
		}                                                      \
	} while (0)

/* As mesh_corners, but in double. */
static void scene_corners(const scene *s, size_t triangle, v3 corner[3], uint32_t index[3])
{
	memcpy(corner, s->corners[triangle], sizeof s->corners[triangle]);
	wp_mesh_triangle(s->mesh, triangle, index);
}

/* ---- scenes ------------------------------------------------------------------------------------- */

static surface make_surface(gen_random *random, uint32_t kind)
{
	const uint64_t seed = gen_bits(random);
	/* One after the other: compilers evaluate arguments in any order. */
	const uint32_t first = gen_below(random, kind == 0 ? 5 : 4), second = gen_below(random, kind == 0 ? 5 : 2);
	if (kind == 0)
		return surface_terrain(5 + first, 5 + second, seed);
	if (kind == 1) {
		surface s = surface_ball(1 + first, second * 0.3, seed);
		surface_scale(&s, 2, 2, 2);
		return s;
	}
	surface s = surface_soup(40, 0.4, seed);
	surface_scale(&s, 2, 2, 2);
	return s;
}

static wp_shape make_shape(gen_random *random, scene *s, uint32_t i)
{
	const double size = s->scale * gen_magnitude(random, 0.2, 2.0);
	const float a = gen_rounded(size * gen_range(random, 0.3, 1)), b = gen_rounded(size * gen_range(random, 0.3, 1)),
				c = gen_rounded(size * gen_range(random, 0.3, 1));
	s->centre[i] = v3_of(0, 0, 0);
	if (i % 5 == 0)
		return wp_shape_box(a, b, c);
	if (i % 5 == 1)
		return wp_shape_sphere(a);
	if (i % 5 == 2)
		return wp_shape_capsule(a, b);
	if (i % 5 == 3) {
		wp_shape rounded = wp_shape_box(a, b, c);
		rounded.radius = a / 4;
		return rounded;
	}
	float points[24][3];
	const uint32_t count = 8 + gen_below(random, 16);
	for (uint32_t k = 0; k < count; k++) {
		const v3 at = v3_scale(gen_direction(random), size);
		surface_set(points[k], at.x, at.y, at.z + 0.3 * size);
	}
	if (wp_cook_points(points[0], 0, count, &s->hull[i], NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
	const size_t vertices = wp_hull_vertex_count(s->hull[i]);
	for (size_t k = 0; k < vertices; k++) {
		float vertex[3];
		wp_hull_vertex(s->hull[i], k, vertex);
		s->centre[i] = v3_add(s->centre[i], v3_scale(v3_of_floats(vertex), 1.0 / (double)vertices));
	}
	return wp_shape_hull(s->hull[i]);
}

/* Put a body near a place of a triangle, along its normal. */
static void place_body(gen_random *random, scene *s, body *b)
{
	v3 corner[3];
	uint32_t index[3];
	scene_corners(s, gen_below(random, (uint32_t)s->triangle_count), corner, index);
	const m3 turn = m3_of_quaternion(s->at.rotation);
	const double u = gen_range(random, 0, 1), v = gen_range(random, 0, 1 - u);
	const v3 in_face = v3_add(v3_scale(v3_sub(corner[1], corner[0]), u), v3_scale(v3_sub(corner[2], corner[0]), v));
	const v3 place = m3_apply(turn, v3_add(corner[0], in_face));
	v3 up = m3_apply(turn, triangle_normal(corner));
	b->shape = gen_below(random, SHAPES);
	gen_rotation(random, b->rotation);
	oracle_pose pose = {.position = {0, 0, 0}};
	memcpy(pose.rotation, b->rotation, sizeof pose.rotation);
	const oracle_shape *const solid = s->solids[b->shape];
	const double reach = oracle_support(solid, &pose, v3_scale(up, -1));
	const double gap = gen_range(random, -0.3, 0.1) * solid->bound + gen_range(random, -0.3, 0.1) * solid->radius;
	const v3 position = v3_add(place, v3_scale(up, reach + gap));
	b->position[0] = s->at.position[0] + position.x;
	b->position[1] = s->at.position[1] + position.y;
	b->position[2] = s->at.position[2] + position.z;
}

/* A field of any cells, flat or steep, with holes or none, and a mesh of its triangles. */
static void make_field(gen_random *random, scene *s)
{
	wp_height_field *const field = &s->field;
	const uint32_t holes = gen_below(random, 3), form = gen_below(random, 4);
	const double rough = form == 0 ? 0 : form == 1 ? gen_magnitude(random, 1e-3, 30) : 0.5;
	const double away = gen_below(random, 2) ? 0 : s->scale * gen_magnitude(random, 1, 1e3);
	field->columns = 3 + gen_below(random, SAMPLES - 2);
	field->rows = 3 + gen_below(random, SAMPLES - 2);
	field->flags = gen_below(random, 2);
	field->samples = s->samples;
	for (int k = 0; k < 2; k++)
		field->spacing[k] = gen_rounded(s->scale * (gen_below(random, 2) ? 1 : gen_magnitude(random, 0.1, 2)));
	for (uint32_t i = 0; i < field->columns * field->rows; i++) {
		const bool is_hole = i >= 3 && holes == 0 && gen_below(random, 6) == 0;
		s->samples[i] = is_hole ? WP_HEIGHT_HOLE : gen_rounded(away + s->scale * gen_range(random, -rough, rough));
	}
	/* One cell is there. */
	s->samples[field->columns] = s->samples[field->columns + 1] = gen_rounded(away);
	const size_t count = wp_height_field_triangle_count(field);
	surface raw = surface_allocate(3 * count, count);
	uint32_t made = 0, *const numbers = malloc(count * sizeof *numbers);
	for (uint32_t i = 0; i < count; i++)
		if (wp_height_field_triangle(field, i, raw.vertices + 3 * made)) {
			for (uint32_t k = 0; k < 3; k++)
				raw.triangles[made][k] = 3 * made + k;
			numbers[made++] = i;
		}
	raw.vertex_count = 3 * (raw.triangle_count = made);
	const wp_mesh_input input = surface_input(&raw);
	if (wp_cook_mesh(&input, &s->mesh, NULL) != WP_OK || wp_mesh_triangle_count(s->mesh) != made)
		exit(BLOCK_EXIT_CODE);
	for (uint32_t i = 0; i < made; i++)
		s->named[numbers[wp_mesh_source(s->mesh, i)]] = i;
	free(numbers);
	surface_free(&raw);
}

/* Corners of the field's triangles in double, which its mesh has rounded. */
static void place_corners_of_field(scene *s)
{
	for (uint32_t i = 0; i < wp_height_field_triangle_count(&s->field); i++) {
		v3 c[3];
		if (field_corners(&s->field, s->samples, i, c))
			memcpy(s->corners[s->named[i]], c, sizeof c);
	}
}

/* Triangles as shapes, each about its middle. */
static void make_triangles(scene *s)
{
	s->triangle_count = wp_mesh_triangle_count(s->mesh);
	s->triangles = calloc(s->triangle_count, sizeof *s->triangles);
	s->corners = calloc(s->triangle_count, sizeof *s->corners);
	s->middle = calloc(s->triangle_count, sizeof *s->middle);
	for (size_t t = 0; t < s->triangle_count; t++) {
		uint32_t index[3];
		mesh_corners(s->mesh, t, s->corners[t], index);
	}
	if (s->kind == FIELD)
		place_corners_of_field(s);
	for (size_t t = 0; t < s->triangle_count; t++) {
		float v[3][3];
		s->middle[t] = s->kind == FIELD ? triangle_middle(s->corners[t]) : v3_of(0, 0, 0);
		for (int k = 0; k < 3; k++) {
			const v3 at = v3_sub(s->corners[t][k], s->middle[t]);
			surface_set(v[k], at.x, at.y, at.z);
		}
		const wp_shape triangle = wp_shape_triangle(v[0], v[1], v[2]);
		s->triangles[t] = oracle_shape_new(&triangle);
	}
}

static void make_mesh(gen_random *random, scene *s)
{
	if (s->kind == FIELD) {
		make_field(random, s);
		return;
	}
	surface raw = make_surface(random, s->kind);
	surface_scale(&raw, s->scale, s->scale, s->scale);
	const wp_mesh_input input = surface_input(&raw);
	if (wp_cook_mesh(&input, &s->mesh, NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
	surface_free(&raw);
}

static void make_scene(scene *s, uint64_t seed, size_t count)
{
	gen_random random;
	gen_seed(&random, seed);
	memset(s, 0, sizeof *s);
	s->kind = gen_below(&random, MESH_KINDS);
	s->scale = gen_below(&random, 2) ? 1.0 : gen_magnitude(&random, 1e-3, 1e3);
	s->count = count;
	make_mesh(&random, s);
	make_triangles(s);
	for (uint32_t i = 0; i < SHAPES; i++) {
		s->shapes[i] = make_shape(&random, s, i);
		s->solids[i] = oracle_shape_new(&s->shapes[i]);
	}
	const size_t size = wp_shape_table_size(SHAPES);
	s->table_memory = block(size);
	if (wp_shape_table_build(s->shapes, SHAPES, s->table_memory, size, &s->table, NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
	gen_rotation(&random, s->at.rotation);
	const double far = gen_below(&random, 2) ? 0.0 : s->scale * 1e6;
	for (int k = 0; k < 3; k++)
		s->at.position[k] = gen_range(&random, -far, far);
	s->max_separation = gen_rounded(gen_below(&random, 2) ? 0.0 : s->scale * 0.1);
	for (size_t i = 0; i < count; i++)
		place_body(&random, s, &s->bodies[i]);
	for (size_t i = 0; i < count; i++) {
		const v3 way = v3_scale(gen_direction(&random), s->scale * gen_magnitude(&random, 0.1, 5));
		surface_set(s->queries[i].way, way.x, way.y, way.z);
	}
}

static void free_scene(scene *s)
{
	for (size_t t = 0; t < s->triangle_count; t++)
		oracle_shape_free(s->triangles[t]);
	free(s->triangles);
	free(s->corners);
	free(s->middle);
	for (uint32_t i = 0; i < SHAPES; i++) {
		oracle_shape_free(s->solids[i]);
		if (s->hull[i] != NULL)
			wp_cook_free(s->hull[i]);
	}
	block_free(s->table_memory);
	wp_cook_free_mesh(s->mesh);
}

static wp_mesh_batch batch_of(const scene *s)
{
	static const uint32_t zeros[ROWS];
	static const wp_height_field *field;
	field = &s->field;
	return (wp_mesh_batch){.shapes = s->table,
		.meshes = &s->mesh,
		.mesh_count = s->kind != FIELD,
		.height_fields = &field,
		.height_field_count = s->kind == FIELD,
		.a = bodies_of(s->bodies, s->count),
		.b = bodies_of(&s->at, 1),
		.pair_b = {zeros, 0},
		.count = s->count};
}

static void ask_queries(scene *s)
{
	query_answer *const q = s->queries;
	const size_t stride = sizeof *q;
	const wp_mesh_batch batch = batch_of(s);
	const wp_results overlap = {.overlap = {&q->overlap, stride}};
	const wp_results distance = {.separation = {&q->separation, stride},
		.lower = {&q->lower, stride},
		.upper = {&q->upper, stride},
		.status = {&q->status, stride}};
	const wp_results cast = {.separation = {&q->cast_separation, stride}, .status = {&q->cast_status, stride}};
	const wp_float_column fraction = {&q->fraction, stride};
	const wp_motions motions = {{q->way, stride}, {NULL, 0}};
	if (wp_mesh_overlap(workspace, &batch, &overlap, NULL, NULL) != WP_OK ||
		wp_mesh_distance(workspace, &batch, NULL, &distance, NULL, NULL) != WP_OK ||
		wp_mesh_cast(workspace, &batch, &motions, NULL, &cast, &fraction, NULL, NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
}

static void ask(scene *s, uint32_t flags, answer *answers)
{
	const wp_mesh_batch batch = batch_of(s);
	const wp_mesh_results results = MESH_ANSWERS(answers);
	const wp_mesh_options options = {s->max_separation, flags};
	if (wp_mesh_contact(workspace, &batch, &options, &results, NULL) != WP_OK)
		exit(BLOCK_EXIT_CODE);
	for (size_t i = 0; i < s->count && s->kind == FIELD; i++)
		for (uint32_t p = 0; p < answers[i].patch_count; p++)
			for (uint32_t k = 0; k < answers[i].patch[p].point_count; k++) {
				uint32_t *const triangle = &answers[i].patch[p].points[k].triangle;
				*triangle = s->named[*triangle];
			}
}

/* ---- normals ------------------------------------------------------------------------------------ */

/* The largest cosine of a normal with a direction from a corner into a triangle at it, of many. */
static double lean_at_corner(v3 normal, const v3 c[3], int k)
{
	const v3 x = v3_unit(v3_sub(c[(k + 1) % 3], c[k])), y = v3_unit(v3_sub(c[(k + 2) % 3], c[k]));
	double most = -1;
	for (int i = 0; i <= 64; i++) {
		const v3 between = v3_unit(v3_add(v3_scale(x, 64 - i), v3_scale(y, i)));
		most = fmax(most, v3_dot(normal, between));
	}
	return most;
}

/* The same with the direction across an edge into a triangle that has it. */
static double lean_at_edge(v3 normal, v3 a, v3 b, v3 far)
{
	const v3 along = v3_unit(v3_sub(b, a)), out = v3_sub(far, a);
	return v3_dot(normal, v3_unit(v3_sub(out, v3_scale(along, v3_dot(out, along)))));
}

/* Whether a normal comes from behind a triangle, by more than `behind`: none at a border does, and none from behind all
 * triangles around an edge or a corner. */
static bool is_from_behind(const v3 c[3], v3 normal, double behind)
{
	return v3_dot(normal, triangle_normal(c)) < -behind;
}

static bool is_boundary(const scene *s, size_t triangle, size_t edge)
{
	return wp_mesh_edge_of(s->mesh, triangle, edge).kind == WP_EDGE_BOUNDARY;
}

/* Whether two triangles at a corner are one sheet there: one is reached from the other across edges at that corner. */
static bool is_sheet(const scene *s, size_t from, uint32_t vertex, size_t to)
{
	size_t fan[FAN_MAX] = {from}, count = 1;
	for (size_t i = 0; i < count; i++)
		for (size_t edge = 0; edge < 3; edge++) {
			uint32_t index[3];
			wp_mesh_triangle(s->mesh, fan[i], index);
			const wp_mesh_edge across = wp_mesh_edge_of(s->mesh, fan[i], edge);
			bool is_new = across.kind != WP_EDGE_BOUNDARY && count < FAN_MAX &&
			              (index[edge] == vertex || index[(edge + 1) % 3] == vertex);
			for (size_t k = 0; k < count; k++)
				is_new &= fan[k] != across.neighbour;
			if (is_new)
				fan[count++] = across.neighbour;
		}
	bool is = false;
	for (size_t i = 0; i < count; i++)
		is |= fan[i] == to;
	return is;
}

/* The least of the same over the edges of a triangle that falls off from them; of triangles that are as thin as that, and of
 * any whose normal or whose back's this nearly is. */
static double lean_of_sliver(
	const scene *s, size_t triangle, const v3 c[3], const uint32_t own[3], v3 normal, double behind, bool is_any_side)
{
	double least = INFINITY;
	for (int k = 0; k < 3; k++) {
		double lean = -1;
		bool is_behind = is_from_behind(c, normal, behind) && !(is_any_side && is_boundary(s, triangle, (size_t)k));
		if (lean_at_edge(normal, c[k], c[(k + 1) % 3], c[(k + 2) % 3]) > -LEAN_NONE)
			continue;
		for (size_t t = 0; t < s->triangle_count; t++) {
			v3 d[3];
			uint32_t other[3];
			scene_corners(s, t, d, other);
			for (int i = 0; i < 3; i++)
				if (other[i] == own[(k + 1) % 3] && other[(i + 1) % 3] == own[k]) {
					lean = fmax(lean, lean_at_edge(normal, d[i], d[(i + 1) % 3], d[(i + 2) % 3]));
					is_behind &= is_from_behind(d, normal, behind);
				}
		}
		least = is_behind ? least : fmin(least, lean);
	}
	return least;
}

/* How much a normal, in the mesh's axes, leans towards the faces around the feature of a triangle that is farthest along it,
 * features being as far within `alike`. It must not come from behind all of these, at a border not from behind its own
 * triangle, by more than `behind`, unless it may at a border; a corner is at the border if any edge there is. */
static double lean_of_side(const scene *s, size_t triangle, v3 normal, double alike, double behind, bool is_any_side)
{
	v3 c[3];
	uint32_t own[3];
	bool is_top[3];
	int count = 0;
	scene_corners(s, triangle, c, own);
	double most = -INFINITY;
	for (int k = 0; k < 3; k++)
		most = fmax(most, v3_dot(normal, c[k]));
	for (int k = 0; k < 3; k++) {
		double below = INFINITY;
		for (int i = 0; i < 3; i++)
			if (v3_dot(normal, c[i]) == most)
				below = fmin(below, (most - v3_dot(normal, c[k])) - alike * v3_length(v3_sub(c[i], c[k])));
		is_top[k] = below <= 0;
		count += is_top[k];
	}
	if (count == 3)
		return lean_of_sliver(s, triangle, c, own, normal, behind, is_any_side);
	double lean = -1;
	bool is_border = false, is_behind = is_from_behind(c, normal, behind);
	for (size_t k = 0; k < 3; k++)
		if (is_top[k] && is_top[(k + 1) % 3])
			is_border |= is_boundary(s, triangle, k);
	for (size_t t = 0; t < s->triangle_count; t++) {
		v3 d[3];
		uint32_t other[3];
		scene_corners(s, t, d, other);
		int shared = 0, place = 0, far = 0;
		for (int i = 0; i < 3; i++) {
			bool is_shared = false;
			for (int k = 0; k < 3; k++)
				is_shared |= is_top[k] && other[i] == own[k];
			shared += is_shared;
			place = is_shared ? i : place;
			far = is_shared ? far : i;
		}
		if (shared == 1 && count == 1 && !is_sheet(s, triangle, other[place], t))
			continue;
		if (shared == count)
			is_behind &= is_from_behind(d, normal, behind);
		if (shared == 1 && count == 1) {
			lean = fmax(lean, lean_at_corner(normal, d, place));
			is_border |= is_boundary(s, t, (size_t)place) || is_boundary(s, t, (size_t)(place + 2) % 3);
		}
		if (shared == 2 && count == 2)
			lean = fmax(lean, lean_at_edge(normal, d[(far + 1) % 3], d[(far + 2) % 3], d[far]));
	}
	if (is_border && is_any_side)
		return lean;
	return is_behind || (is_border && is_from_behind(c, normal, behind)) ? INFINITY : lean;
}

static double lean_of(const scene *s, size_t triangle, v3 normal, double alike, double behind)
{
	return lean_of_side(s, triangle, normal, alike, behind, false);
}

/* Whether all corners of a triangle may be as far along a normal: which of its edges is its feature, is anyone's choice then. */
static bool may_be_level(const scene *s, size_t triangle, v3 normal)
{
	v3 c[3];
	uint32_t index[3];
	scene_corners(s, triangle, c, index);
	bool is = true;
	for (int k = 0; k < 3; k++) {
		const v3 way = v3_sub(c[(k + 1) % 3], c[k]);
		is &= fabs(v3_dot(normal, way)) <= 2 * 1.2e-3 * v3_length(way);
	}
	return is;
}

/* Whether a normal surely may, or surely may not, be where it is: thresholds of features count, too. A ball's nearest point is
 * on a corner beside an edge that its normal is all but across; there it may lean to neighbours that the edge does not have. */
static bool surely_stands(const scene *s, size_t triangle, v3 normal)
{
	return !may_be_level(s, triangle, normal) && lean_of(s, triangle, normal, ALIKE_NONE, LEAN_NONE) < LEAN_NONE &&
	       lean_of(s, triangle, normal, 8e-4, LEAN_NONE) < LEAN_NONE &&
	       lean_of(s, triangle, normal, 1.2e-3, LEAN_NONE) < LEAN_NONE;
}

static bool may_stand(const scene *s, size_t triangle, v3 normal)
{
	return lean_of(s, triangle, normal, 8e-4, LEAN_SURE) < LEAN_SURE ||
	       lean_of(s, triangle, normal, 1.2e-3, LEAN_SURE) < LEAN_SURE;
}

/* The same of one from behind at a border, where no other contact overlaps. */
static bool may_stand_behind(const scene *s, size_t triangle, v3 normal)
{
	return lean_of_side(s, triangle, normal, 8e-4, LEAN_SURE, true) < LEAN_SURE ||
	       lean_of_side(s, triangle, normal, 1.2e-3, LEAN_SURE, true) < LEAN_SURE;
}

/* ---- judging ------------------------------------------------------------------------------------ */

/* A row as the oracle sees it: positions from the mesh's on. */
typedef struct view {
	const scene *s;
	const body *b;
	const oracle_shape *solid;
	oracle_pose body, mesh;
	m3 body_turn, mesh_turn;
	v3 centre;
	double reach;
} view;

static view view_of(const scene *s, const body *b)
{
	view w = {.s = s, .b = b, .solid = s->solids[b->shape]};
	w.body.position = v3_of(
		b->position[0] - s->at.position[0], b->position[1] - s->at.position[1], b->position[2] - s->at.position[2]);
	memcpy(w.body.rotation, b->rotation, sizeof w.body.rotation);
	memcpy(w.mesh.rotation, s->at.rotation, sizeof w.mesh.rotation);
	w.body_turn = m3_of_quaternion(b->rotation);
	w.mesh_turn = m3_of_quaternion(s->at.rotation);
	w.centre = v3_add(w.body.position, m3_apply(w.body_turn, s->centre[b->shape]));
	w.reach = w.solid->bound + w.solid->radius;
	return w;
}

/* A triangle's contact with the body at a pose. */
static bool solve(const view *w, const oracle_pose *at, size_t triangle, oracle_answer *truth)
{
	oracle_pose place = w->mesh;
	place.position = m3_apply(w->mesh_turn, w->s->middle[triangle]);
	return oracle_solve(w->solid, at, w->s->triangles[triangle], &place, truth);
}

/* What all triangles together decide of a row. */
typedef struct finding {
	double sure, any;               /* least separation of triangles surely, and perhaps, in front */
	double allowed;                 /* error of either */
	uint32_t sure_count, any_count; /* of triangles within max_separation */
	double standing;                /* least of those whose contact surely keeps its normal */
	double front;                   /* least of those whose normal comes from the front of the triangle */
	double plane;                   /* least gap to the plane of a triangle that is perhaps in front */
} finding;

static void add_triangle(const view *w, size_t triangle, finding *f)
{
	v3 c[3];
	uint32_t index[3];
	scene_corners(w->s, triangle, c, index);
	const double size = triangle_size_with(w->reach, c), limit = (double)w->s->max_separation;
	const v3 face = m3_apply(w->mesh_turn, triangle_normal(c)), corner = m3_apply(w->mesh_turn, c[0]);
	const double front = v3_dot(face, v3_sub(w->centre, corner));
	const double gap = -oracle_support(w->solid, &w->body, v3_scale(face, -1)) - v3_dot(face, corner);
	const double rounding = 1e-6 * size;
	if (front < -rounding || gap > limit + WP_CONTRACT * (size + fabs(gap)))
		return;
	oracle_answer truth;
	if (!solve(w, &w->body, triangle, &truth))
		return;
	const double allowed = WP_CONTRACT * (size + fabs(truth.separation)) + truth.doubt;
	const bool is_sure = front > rounding;
	f->plane = fmin(f->plane, gap);
	f->any = fmin(f->any, truth.separation);
	f->any_count += truth.separation <= limit + allowed;
	f->allowed = fmax(f->allowed, allowed);
	if (!is_sure)
		return;
	f->sure = fmin(f->sure, truth.separation);
	f->sure_count += truth.separation <= limit - allowed;
	const v3 normal = m3_apply_inverse(w->mesh_turn, v3_scale(truth.normal, -1));
	if (v3_dot(truth.normal, face) < -LEAN_NONE)
		f->front = fmin(f->front, truth.separation);
	if (truth.unique && truth.separation < limit - allowed && fabs(truth.separation) > 1e-3 * size &&
		surely_stands(w->s, triangle, normal))
		f->standing = fmin(f->standing, truth.separation);
}

static finding find(const view *w)
{
	finding f = {.sure = INFINITY, .any = INFINITY, .standing = INFINITY, .front = INFINITY, .plane = INFINITY};
	for (size_t t = 0; t < w->s->triangle_count; t++)
		add_triangle(w, t, &f);
	return f;
}

static void judge_point(const view *w, const wp_mesh_patch *patch, const wp_mesh_point *p, tally *t)
{
	v3 c[3];
	uint32_t index[3];
	scene_corners(w->s, p->triangle, c, index);
	const double size = triangle_size_with(w->reach, c),
				 allowed = WP_CONTRACT_MANIFOLD * (size + fabs((double)p->separation));
	const oracle_pose own = {.rotation = {0, 0, 0, 1}};
	const v3 local_a = v3_of_floats(p->local_a), local_b = v3_of_floats(p->local_b);
	/* A mesh's own coordinates are rounded to float where they are. */
	const double rounding = 1e-7 * v3_length(local_b);
	const double off_body = oracle_point_separation(w->solid, &own, local_a);
	const double off_plane = v3_dot(triangle_normal(c), v3_sub(local_b, c[0]));
	const v3 from_middle = v3_sub(local_b, w->s->middle[p->triangle]);
	const double off_triangle = oracle_point_separation(w->s->triangles[p->triangle], &own, from_middle);
	EXPECT(fabs(off_body) <= allowed, t, "a point is %g off the body of size %g", off_body, size);
	EXPECT(fabs(off_plane) <= allowed + rounding + SAME_NORMAL * fabs((double)p->separation), t,
		"a point is %g off the plane of a triangle, size %g", off_plane, size);
	EXPECT(fabs(off_triangle) <= allowed + rounding + SAME_NORMAL * fabs((double)p->separation), t,
		"a point is %g off its triangle, size %g", off_triangle, size);
	const v3 a = v3_add(w->body.position, m3_apply(w->body_turn, local_a)), b = m3_apply(w->mesh_turn, local_b);
	const v3 way = v3_sub(b, v3_add(a, v3_scale(v3_of_floats(patch->normal), (double)p->separation)));
	EXPECT(v3_length(way) <= allowed + rounding, t, "point_a + separation * normal is %g from point_b, size %g",
		v3_length(way), size);
	EXPECT(p->separation <= w->s->max_separation, t, "a point %g away", (double)p->separation);
	const v3 mesh_at = v3_of(w->s->at.position[0], w->s->at.position[1], w->s->at.position[2]);
	const v3 world = v3_sub(v3_of_floats(p->point_a), v3_add(mesh_at, a));
	EXPECT(v3_length(world) <= 2e-7 * v3_length(v3_add(mesh_at, a)) + 1e-6 * size, t, "a world point is %g away",
		v3_length(world));
	t->points++;
}

/* The deepest point of a patch is as deep as the patch is. */
static void judge_least(const view *w, const wp_mesh_patch *patch, tally *t)
{
	double least = INFINITY, size = 0;
	for (uint32_t k = 0; k < patch->point_count; k++) {
		v3 c[3];
		uint32_t index[3];
		scene_corners(w->s, patch->points[k].triangle, c, index);
		size = fmax(size, triangle_size_with(w->reach, c));
		least = fmin(least, (double)patch->points[k].separation);
	}
	EXPECT(fabs(least - (double)patch->separation) <= WP_CONTRACT_MANIFOLD * (size + fabs(least)), t,
		"the separation of a patch is %g, of its points %g, size %g", (double)patch->separation, least, size);
}

static void judge_points(const view *w, const answer *a, tally *t)
{
	EXPECT(a->patch_count <= PATCHES, t, "%u patches", a->patch_count);
	EXPECT((a->patch_count == 0) == ((a->status & WP_STATUS_BEYOND) != 0), t, "status %#x", a->status);
	for (uint32_t i = 0; i < a->patch_count; i++) {
		const wp_mesh_patch *const patch = &a->patch[i];
		EXPECT(patch->point_count >= 1 && patch->point_count <= WP_MESH_POINT_MAX, t, "%u points", patch->point_count);
		EXPECT(fabs(v3_length(v3_of_floats(patch->normal)) - 1) < WP_CONTRACT_UNIT, t, "a normal is not unit");
		EXPECT(i == 0 || patch->separation >= a->patch[i - 1].separation, t, "patches are not in order");
		for (uint32_t k = 0; k < patch->point_count; k++)
			judge_point(w, patch, &patch->points[k], t);
		judge_least(w, patch, t);
	}
	EXPECT(a->patch_count == 0 || a->separation == a->patch[0].separation, t, "another separation");
}

/* Contacts as they are. */
static void judge_raw(const view *w, const finding *f, const answer *a, tally *t)
{
	const double limit = (double)w->s->max_separation, got = (double)a->separation;
	judge_points(w, a, t);
	EXPECT(a->triangle_count >= f->sure_count && a->triangle_count <= f->any_count, t, "%u triangles, not %u to %u",
		a->triangle_count, f->sure_count, f->any_count);
	if (a->patch_count == 0) {
		EXPECT(f->sure > limit - f->allowed, t, "no contact, but %g", f->sure);
		return;
	}
	const double error = got >= f->any && got <= f->sure ? 0 : got < f->any ? f->any - got : got - f->sure;
	t->worst = fmax(t->worst, error / f->allowed);
	EXPECT(error <= f->allowed, t, "%s: separation %g, not %g, error %g of %g", kind_names[w->s->kind], got, f->sure,
		error, f->allowed);
}

/* Contacts without ghosts. */
static void judge_normal(const view *w, const wp_mesh_patch *patch, bool is_last, tally *t)
{
	const wp_mesh_point *const p = &patch->points[0];
	v3 c[3];
	uint32_t index[3];
	scene_corners(w->s, p->triangle, c, index);
	const v3 normal = m3_apply_inverse(w->mesh_turn, v3_scale(v3_of_floats(patch->normal), -1));
	if (v3_length(v3_sub(normal, triangle_normal(c))) < 2 * SAME_NORMAL)
		return;
	t->edges++;
	bool stands = false;
	for (uint32_t k = 0; k < patch->point_count; k++)
		stands |= may_stand(w->s, patch->points[k].triangle, normal);
	t->last += !stands && is_last;
	EXPECT(stands || is_last, t, "%s: a ghost, leaning %g", kind_names[w->s->kind],
		lean_of(w->s, p->triangle, normal, 1e-3, LEAN_SURE));
}

/* Whether the deepest contact comes from behind a border that its body is beside: its normal leans to no face, it is as deep as
 * the triangle's own contact, and the body's centre is in front where it has pushed it. */
static bool is_beside(const view *w, const finding *f, const wp_mesh_patch *patch)
{
	const wp_mesh_point *const p = &patch->points[0];
	const v3 normal = m3_apply_inverse(w->mesh_turn, v3_scale(v3_of_floats(patch->normal), -1));
	v3 c[3];
	uint32_t index[3];
	oracle_answer truth;
	scene_corners(w->s, p->triangle, c, index);
	const v3 centre = m3_apply_inverse(w->mesh_turn, w->centre);
	const v3 pushed = v3_sub(centre, v3_scale(normal, fmin((double)p->separation, 0)));
	return may_stand_behind(w->s, p->triangle, normal) &&
	       v3_dot(triangle_normal(c), v3_sub(pushed, c[0])) >= -2 * f->allowed &&
	       solve(w, &w->body, p->triangle, &truth) && fabs((double)patch->separation - truth.separation) <= f->allowed;
}

/* Whether a row may have its deepest contact although that leans towards a neighbour, or comes from behind a border: no other
 * overlaps, or there is no other. Those from the front go first. */
static bool is_last_contact(const view *w, const finding *f, const answer *a)
{
	const double got = (double)a->separation, least = LAST_SLACK * w->reach + f->allowed;
	if (a->patch_count == 0 || a->patch[0].point_count != 1)
		return false;
	if (a->triangle_count == 1 ? !isinf(f->standing) && !(got < 0 && f->standing > -f->allowed)
							   : !(got < 0) || f->standing < -f->allowed)
		return false;
	if (a->patch_count > 1 && a->patch[1].separation <= 0)
		return false;
	return fabs(got - f->front) <= f->allowed ||
	       ((got < 0 ? f->front >= -least : isinf(f->front) || f->front > 0) && is_beside(w, f, &a->patch[0]));
}

/* Whether the body's centre is in front of all triangles that it overlaps, and of those that share a corner with them. */
static bool is_in_front(const view *w)
{
	const scene *const s = w->s;
	uint8_t *const is_overlapped = calloc(wp_mesh_vertex_count(s->mesh), 1);
	bool is = true;
	for (int pass = 0; pass < 2; pass++)
		for (size_t t = 0; t < s->triangle_count; t++) {
			v3 c[3];
			uint32_t index[3];
			oracle_answer truth;
			scene_corners(s, t, c, index);
			const double size = triangle_size_with(w->reach, c);
			const v3 face = m3_apply(w->mesh_turn, triangle_normal(c)), corner = m3_apply(w->mesh_turn, c[0]);
			const bool is_behind = v3_dot(face, v3_sub(w->centre, corner)) < 1e-6 * size;
			if (pass == 1) {
				is &= !is_behind || !(is_overlapped[index[0]] | is_overlapped[index[1]] | is_overlapped[index[2]]);
				continue;
			}
			if (solve(w, &w->body, t, &truth) && truth.separation < 1e-4 * size)
				is_overlapped[index[0]] = is_overlapped[index[1]] = is_overlapped[index[2]] = 1;
		}
	free(is_overlapped);
	return is;
}

static void judge_ruled(const view *w, const finding *f, const answer *a, tally *t)
{
	judge_points(w, a, t);
	for (uint32_t i = 0; i < a->patch_count; i++)
		judge_normal(w, &a->patch[i], i == 0 && is_last_contact(w, f, a), t);
	const double got = (double)a->separation;
	EXPECT(got <= f->standing + f->allowed, t, "%s: separation %g, but a contact that stands has %g",
		kind_names[w->s->kind], got, f->standing);
	EXPECT(got >= f->plane - f->allowed, t, "%s: separation %g, deeper than all planes, %g", kind_names[w->s->kind],
		got, f->plane);
	EXPECT(a->patch_count == 0 || got >= -f->allowed || f->any <= f->allowed, t,
		"%s: separation %g, but no triangle nearer than %g", kind_names[w->s->kind], got, f->any);
	if (w->s->kind != 2)
		EXPECT(a->patch_count != 0 || f->front > -f->allowed, t, "%s: lost a contact of %g", kind_names[w->s->kind],
			f->front);
	if (f->sure < -2 * LAST_SLACK * w->reach - f->allowed && (a->patch_count == 0 || got > f->allowed))
		EXPECT(!is_in_front(w), t, "%s: overlaps by %g, not %g", kind_names[w->s->kind], f->sure, got);
	t->shallow += f->sure < 0 && !(got <= 0.9 * f->sure + f->allowed);
}

/* ---- overlaps, distances, casts ----------------------------------------------------------------- */

/* Between what the least separation from all triangles is, each with the error that its answer may have. */
typedef struct bracket {
	double low, high, allowed;
} bracket;

/* Of the body moved by `way` from where it is, with errors of that much more. */
static bracket least_of(const view *w, v3 way, double more)
{
	bracket least = {INFINITY, INFINITY, 0};
	oracle_pose moved = w->body;
	moved.position = v3_add(moved.position, way);
	for (size_t t = 0; t < w->s->triangle_count; t++) {
		v3 c[3];
		uint32_t index[3];
		oracle_answer truth;
		scene_corners(w->s, t, c, index);
		const double size = triangle_size_with(w->reach, c);
		/* No triangle is nearer than a ball around it. */
		const double away = v3_length(v3_sub(m3_apply(w->mesh_turn, c[0]), moved.position));
		if (away - w->reach - 2 * size > least.high + 1e-5 * (size + away) || !solve(w, &moved, t, &truth))
			continue;
		const double allowed = WP_CONTRACT * (size + fabs(truth.separation)) + truth.doubt + more;
		least.allowed = truth.separation + allowed < least.high ? allowed : least.allowed;
		least.low = fmin(least.low, truth.separation - allowed);
		least.high = fmin(least.high, truth.separation + allowed);
	}
	return least;
}

static void judge_distance(const view *w, const query_answer *q, const bracket *least, tally *t)
{
	const double got = (double)q->separation, low = fmax(0, least->low), high = fmax(0, least->high);
	if (least->allowed > 0 && high > 0)
		t->worst = fmax(t->worst, fabs(got - fmax(0, high - least->allowed)) / least->allowed);
	EXPECT((q->status & WP_STATUS_INVALID) == 0 && got >= low && got <= high, t, "%s: distance %g, not %g to %g",
		kind_names[w->s->kind], got, low, high);
	EXPECT((double)q->lower <= high && (double)q->upper >= low && q->lower <= q->upper, t,
		"%s: bracket %g to %g of a distance of %g to %g", kind_names[w->s->kind], (double)q->lower, (double)q->upper,
		low, high);
	EXPECT(q->overlap != 0 ? least->low <= 0 : least->high >= 0, t, "%s: overlap %u at %g to %g",
		kind_names[w->s->kind], q->overlap, least->low, least->high);
}

static void judge_cast(const view *w, const query_answer *q, const bracket *start, tally *t)
{
	const v3 way = v3_of_floats(q->way);
	const double more = 1e-6 * v3_length(way), end = (double)q->fraction;
	const bool is_hit = (q->cast_status & WP_STATUS_HIT) != 0;
	EXPECT((q->cast_status & WP_STATUS_INVALID) == 0 && end >= 0 && end <= 1 && (is_hit || q->fraction == 1.0f), t,
		"%s: fraction %g, status %#x", kind_names[w->s->kind], end, q->cast_status);
	EXPECT(is_hit ? end > 0 || start->low <= more : start->high >= -more, t, "%s: fraction %g from %g to %g",
		kind_names[w->s->kind], end, start->low, start->high);
	t->hits += is_hit && end > 0;
	if (end == 0)
		return;
	for (int i = 1; i <= 4; i++) {
		const double part = i < 4 ? 0.33 * i : 1;
		const bracket there = least_of(w, v3_scale(way, part * end), more);
		EXPECT(there.high >= 0, t, "%s: %g to %g deep at %g of the way to %g", kind_names[w->s->kind], -there.high,
			-there.low, part, end);
		EXPECT(
			i < 4 || !is_hit || (there.low <= (double)q->cast_separation && there.high >= (double)q->cast_separation),
			t, "%s: separation %g at the end of a cast, not %g to %g", kind_names[w->s->kind],
			(double)q->cast_separation, there.low, there.high);
	}
}

static void judge_queries(const view *w, const query_answer *q, tally *t)
{
	const bracket least = least_of(w, v3_of(0, 0, 0), 0);
	judge_distance(w, q, &least, t);
	if (row_number % CASTS_EVERY == 0)
		judge_cast(w, q, &least, t);
}

static void judge_row(const scene *s, size_t row)
{
	tally *const t = &tallies[s->kind];
	const view w = view_of(s, &s->bodies[row]);
	const finding f = find(&w);
	judge_raw(&w, &f, &s->answers[1][row], t);
	judge_ruled(&w, &f, &s->answers[0][row], t);
	judge_queries(&w, &s->queries[row], t);
	t->rows++;
	t->contacts += s->answers[0][row].patch_count != 0;
	t->triangles += f.any_count;
}

int main(int argc, char **argv)
{
	static scene s;
	sequence seq = {.pairs = 10000, .seed = 1};
	static const option_row none[] = {{.name = NULL}};
	sequence_parse("mesh_oracle", "Contacts with random meshes against an oracle; 10k rows where --pairs is not given.",
		none, NULL, &seq, argc, argv);
	if (wp_workspace_init(block(WP_WORKSPACE_SIZE), WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace) != WP_OK)
		return BLOCK_EXIT_CODE;
	progress bar = progress_start(seq.pairs);
	for (uint64_t done = 0; done < seq.pairs; done += ROWS) {
		const uint64_t left = seq.pairs - done, at = seq.first + done;
		make_scene(&s, seq.seed * 0x9e3779b97f4a7c15u + at, left < ROWS ? (size_t)left : ROWS);
		ask(&s, 0, s.answers[0]);
		ask(&s, WP_MESH_GHOSTS, s.answers[1]);
		ask_queries(&s);
		for (size_t i = 0; i < s.count; i++) {
			row_number = at + i;
			judge_row(&s, i);
		}
		free_scene(&s);
		progress_step(&bar, done + s.count);
	}
	progress_end(&bar);
	uint64_t failures = 0;
	printf("%-8s %8s %9s %10s %9s %8s %8s %6s %8s %9s %9s\n", "mesh", "rows", "contacts", "triangles", "points",
		"edges", "shallow", "last", "hits", "worst", "failures");
	for (uint32_t k = 0; k < MESH_KINDS; k++) {
		const tally *const t = &tallies[k];
		printf("%-8s %8" PRIu64 " %9" PRIu64 " %10" PRIu64 " %9" PRIu64 " %8" PRIu64 " %8" PRIu64 " %6" PRIu64
			   " %8" PRIu64 " %9.3f %9" PRIu64 "\n",
			kind_names[k], t->rows, t->contacts, t->triangles, t->points, t->edges, t->shallow, t->last, t->hits,
			t->worst, t->failures);
		failures += t->failures;
	}
	return failures != 0;
}
