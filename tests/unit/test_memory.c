/* What memory held before changes no answer: batches with bad bodies, shapes and indices, by every query, in workspaces that
 * held zeros, NaN, infinities, ones or anything before, and over results that did. And how much of the stack queries take. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/block.h"
#include "support/cooked.h"
#include "support/fill.h"
#include "support/gen.h"
#include "support/mesh_bodies.h"
#include "support/unit.h"

enum { BODIES = 40, ROWS = 150, FRAMES = 3, SIDE = 12, CHILDREN = 9, GROUNDS = 8 };

/* ---- the scene ---------------------------------------------------------------------------------- */

typedef struct flat_body {
	float position[2], rotation[2];
	uint32_t shape;
} flat_body;

static struct {
	const wp_shape_table *table;
	const wp2d_shape_table *flat_table;
	body bodies[BODIES], compounds[BODIES], grounds[GROUNDS];
	flat_body flat[BODIES];
	uint32_t pair[2][ROWS], ground[ROWS];
	float way[BODIES][3], end[BODIES][4], flat_way[BODIES][2], flat_end[BODIES][2], direction[ROWS][3];
	wp_height_field field;
	const wp_mesh *mesh;
	const wp_compound *compound;
} scene;

static gen_random random_numbers;

static float number_in(double low, double high) { return gen_rounded(gen_range(&random_numbers, low, high)); }

static const wp_hull *hull_of(uint32_t count)
{
	float(*const vertices)[3] = malloc(count * sizeof *vertices);
	for (uint32_t i = 0; i < count; i++)
		for (int k = 0; k < 3; k++)
			vertices[i][k] = number_in(-1, 1);
	const wp_hull_input input = {.vertices = {vertices[0], 0}, .vertex_count = count};
	const size_t size = wp_hull_size(count, 0, 0);
	const wp_hull *hull;
	cr_assert_eq(wp_hull_build(&input, block(size), size, &hull, NULL), WP_OK);
	free(vertices);
	return hull;
}

/* The body of a ball, whose support fails along some directions. */
static void support(const void *context, const double direction[3], double point[3])
{
	(void)context;
	const double length = sqrt(
		(direction[0] * direction[0] + direction[1] * direction[1]) + direction[2] * direction[2]);
	for (int k = 0; k < 3; k++)
		point[k] = direction[0] > 0.99 * length ? (double)NAN : direction[k] / length;
}

static uint32_t make_shapes(void)
{
	static const wp_custom ball = {.support = support, .bound = 1};
	const float a[3] = {-1, 0, 0}, b[3] = {1, 0.25f, 0}, c[3] = {0, 0, 1};
	const wp_shape shapes[] = {wp_shape_box(1, 0.5f, 0.25f), wp_shape_sphere(0.5f), wp_shape_capsule(0.25f, 1),
		wp_shape_point(), wp_shape_segment(a, b), wp_shape_triangle(a, b, c),
		rounded(wp_shape_box(0.5f, 0.5f, 0.5f), 0.1f), wp_shape_hull(hull_of(8)), wp_shape_hull(hull_of(40)),
		wp_shape_cylinder(0.5f, 1), wp_shape_cone(0.5f, 1), wp_shape_ellipsoid(1, 0.5f, 0.25f), wp_shape_half_space(),
		wp_shape_box(1e20f, 1e20f, 1e20f), wp_shape_custom(&ball), wp_shape_box(NAN, 1, 1), wp_shape_sphere(-1)};
	const size_t size = wp_shape_table_size(COUNT_OF(shapes));
	wp_shape_report report;
	cr_assert_eq(wp_shape_table_build(shapes, COUNT_OF(shapes), block(size), size, &scene.table, &report), WP_OK);
	cr_assert_eq(report.invalid_count, 2);
	return COUNT_OF(shapes);
}

static uint32_t make_flat_shapes(void)
{
	static const float corners[][2] = {{-1, -1}, {1, -1}, {1.5f, 0}, {0, 1}}, none[][2] = {{0, 0}, {NAN, 0}, {1, 1}};
	const float a[2] = {-1, 0}, b[2] = {1, 0.25f};
	const wp2d_shape shapes[] = {wp2d_shape_circle(0.5f), wp2d_shape_capsule(0.25f, 1), wp2d_shape_segment(a, b),
		wp2d_shape_polygon(corners[0], COUNT_OF(corners)), wp2d_shape_polygon(none[0], COUNT_OF(none))};
	const size_t size = wp2d_shape_table_size(shapes, COUNT_OF(shapes));
	wp_shape_report report;
	cr_assert_eq(
		wp2d_shape_table_build(shapes, COUNT_OF(shapes), block(size), size, &scene.flat_table, &report), WP_OK);
	cr_assert_eq(report.invalid_count, 1);
	return COUNT_OF(shapes);
}

/* Bad numbers, one after the other, into some bodies: every fifth has one. */
static void spoil(uint32_t i, double position[3], float rotation[4], uint32_t *shape)
{
	static const double bad[] = {NAN, INFINITY, -1e31, 1e29, 1e18};
	if (i % 5 != 4)
		return;
	const uint32_t which = i / 5;
	if (which < 5)
		position[which % 3] = bad[which];
	else if (which == 5)
		memset(rotation, 0, 4 * sizeof *rotation);
	else if (which == 6)
		rotation[1] = NAN;
	else
		*shape = 99;
}

static void make_bodies(uint32_t shapes, uint32_t flat_shapes)
{
	for (uint32_t i = 0; i < BODIES; i++) {
		body *const at = &scene.bodies[i];
		gen_rotation(&random_numbers, at->rotation);
		gen_rotation(&random_numbers, scene.end[i]);
		at->shape = i % 3 == 1 ? 0 : i % shapes;
		for (int k = 0; k < 3; k++) {
			at->position[k] = gen_range(&random_numbers, -1.5, 1.5);
			scene.way[i][k] = number_in(-4, 4);
		}
		if (i % 3 != 0)
			memcpy(scene.end[i], at->rotation, sizeof at->rotation);
		spoil(i, at->position, at->rotation, &at->shape);
		scene.compounds[i] = *at;
		if (i % 2 == 0)
			scene.compounds[i].shape = WP_COMPOUND + (i % 6 == 0 ? 1 : 0);
		flat_body *const flat = &scene.flat[i];
		const double angle = gen_range(&random_numbers, -3, 3);
		*flat = (flat_body){{(float)at->position[0], (float)at->position[1]},
			{gen_rounded(cos(angle)), gen_rounded(sin(angle))}, i % flat_shapes};
		memcpy(scene.flat_way[i], scene.way[i], sizeof scene.flat_way[i]);
		memcpy(scene.flat_end[i], flat->rotation, sizeof flat->rotation);
		if (i == 30 || i == 31)
			flat->rotation[0] = flat->rotation[1] = i == 30 ? 0 : NAN;
	}
	scene.way[3][1] = NAN;
	scene.way[8][2] = 1e30f;
	scene.end[9][0] = INFINITY;
	for (uint32_t r = 0; r < ROWS; r++) {
		scene.pair[0][r] = gen_below(&random_numbers, BODIES + 1);
		scene.pair[1][r] = gen_below(&random_numbers, BODIES + 1);
		scene.ground[r] = gen_below(&random_numbers, GROUNDS + 1);
		for (int k = 0; k < 3; k++)
			scene.direction[r][k] = r % 16 == 0 ? 0 : number_in(-1, 1);
	}
}

/* A mesh, a field with holes and with samples that are none, and places that have neither. */
static void make_grounds(void)
{
	static float samples[SIDE * SIDE];
	surface hills = surface_terrain(SIDE, SIDE, 17);
	for (size_t i = 0; i < COUNT_OF(samples); i++)
		samples[i] = i % 19 == 7 ? WP_HEIGHT_HOLE : i % 23 == 5 ? NAN : i % 29 == 3 ? 1e29f : hills.vertices[i][1];
	scene.field = (wp_height_field){.samples = samples, .columns = SIDE, .rows = SIDE, .spacing = {0.25f, 0.25f}};
	scene.mesh = cook_surface(&hills);
	for (uint32_t i = 0; i < GROUNDS; i++) {
		static const uint32_t grounds[GROUNDS] = {0, 2, 0, 2, 2, 1, 2, 3};
		const double half = SIDE / (grounds[i] == 2 ? 8.0 : 2.0);
		scene.grounds[i] = (body){.position = {-half, -1, -half}, .rotation = {0, 0, 0, 1}, .shape = grounds[i]};
		spoil(i, scene.grounds[i].position, scene.grounds[i].rotation, &scene.grounds[i].shape);
	}
}

static void make_compound(void)
{
	wp_compound_child children[CHILDREN];
	for (uint32_t i = 0; i < CHILDREN; i++) {
		children[i] = (wp_compound_child){.rotation = {0, 0, 0, 1}, .shape = i};
		for (int k = 0; k < 3; k++)
			children[i].position[k] = number_in(-1, 1);
	}
	const size_t size = wp_compound_size(CHILDREN);
	cr_assert_eq(wp_compound_build(children, CHILDREN, scene.table, block(size), size, &scene.compound, NULL), WP_OK);
}

static void make_scene(void)
{
	gen_seed(&random_numbers, 29);
	const uint32_t shapes = make_shapes();
	make_bodies(shapes, make_flat_shapes());
	make_grounds();
	make_compound();
}

/* ---- answers ------------------------------------------------------------------------------------ */

typedef struct answer {
	wp_row row;
	float detail[4][3], fraction;
	uint32_t overlap; /* its first byte */
	uint32_t count, number[4];
	union {
		wp_manifold_point points[WP_MANIFOLD_POINT_MAX];
		wp2d_manifold_point flat_points[WP2D_MANIFOLD_POINT_MAX];
		wp_mesh_patch patches[WP_MESH_PATCH_MAX];
		wp_compound_patch compound_patches[4];
	} found;
} answer;

typedef struct answers {
	answer rows[ROWS];
	wp_cache caches[ROWS];
	uint32_t children[ROWS][WP_MESH_PATCH_MAX][WP_MESH_POINT_MAX];
	wp_persistent_manifold manifolds[ROWS];
	wp_tracked_anchor anchors[ROWS];
	wp_mesh_tracked_patch patches[ROWS][4];
	wp_mesh_tracked_anchor mesh_anchors[ROWS];
	wp_compound_tracked_patch compound_kept[ROWS][4];
	wp_compound_tracked_anchor compound_anchors[ROWS];
	wp_compound_patch room[ROWS][4];
	/* From here on what was there counts: zero at first. */
	wp_tracked pairs[ROWS];
	wp_tracked_polytope polytopes[ROWS];
	wp_cache known[ROWS];
	wp_statistics statistics;
	wp_mesh_statistics mesh_statistics;
	wp_compound_statistics compound_statistics;
} answers;

static const wp_contact_options near = {.max_separation = 0.5f};

static wp_results results_of(answers *to)
{
	answer *const a = to->rows;
	wp_results results = wp_results_of_rows(&a->row);
	results.overlap.data = (uint8_t *)&a->overlap;
	results.local_a.data = a->detail[0];
	results.local_b.data = a->detail[1];
	results.tangent_1.data = a->detail[2];
	results.tangent_2.data = a->detail[3];
	results.separation.stride = results.normal.stride = results.point_a.stride = results.point_b.stride =
		results.lower.stride = results.upper.stride = results.status.stride = results.iterations
	                                                                              .stride = results.overlap.stride =
			results.local_a.stride = results.local_b.stride = results.tangent_1.stride = results.tangent_2
	                                                                                         .stride = sizeof *a;
	return results;
}

static wp_mesh_results mesh_results_of(answers *to)
{
	answer *const a = to->rows;
	const size_t stride = sizeof *a;
	return (wp_mesh_results){.separation = {&a->row.separation, stride},
		.normal = {a->row.normal, stride},
		.status = {&a->row.status, stride},
		.triangle_count = {&a->number[0], stride},
		.patch_count = {&a->count, stride},
		.patches = {a->found.patches, stride},
		.patch_max = WP_MESH_PATCH_MAX};
}

static wp_batch batch_of(void)
{
	return (wp_batch){.shapes = scene.table,
		.a = bodies_of(scene.bodies, BODIES),
		.pair_a = {scene.pair[0], 0},
		.pair_b = {scene.pair[1], 0},
		.count = ROWS};
}

static wp_mesh_batch mesh_batch_of(const body *bodies)
{
	static const wp_mesh *meshes[2];
	static const wp_height_field *fields[1];
	meshes[0] = scene.mesh;
	fields[0] = &scene.field;
	return (wp_mesh_batch){.shapes = scene.table,
		.meshes = meshes,
		.mesh_count = COUNT_OF(meshes),
		.height_fields = fields,
		.height_field_count = COUNT_OF(fields),
		.a = bodies_of(bodies, BODIES),
		.b = bodies_of(scene.grounds, GROUNDS),
		.pair_a = {scene.pair[0], 0},
		.pair_b = {scene.ground, 0},
		.count = ROWS};
}

static const wp_compound *const *compounds_of(void)
{
	static const wp_compound *compounds[2];
	compounds[0] = scene.compound;
	return compounds;
}

static wp_compound_batch compound_batch_of(void)
{
	return (wp_compound_batch){.shapes = scene.table,
		.compounds = compounds_of(),
		.compound_count = 2,
		.a = bodies_of(scene.compounds, BODIES),
		.pair_a = {scene.pair[0], 0},
		.pair_b = {scene.pair[1], 0},
		.count = ROWS};
}

static wp2d_batch flat_batch_of(void)
{
	const size_t stride = sizeof *scene.flat;
	return (wp2d_batch){.shapes = scene.flat_table,
		.a = {.position = {scene.flat[0].position, stride},
			.rotation = {scene.flat[0].rotation, stride},
			.shape = {&scene.flat[0].shape, stride},
			.count = BODIES},
		.pair_a = {scene.pair[0], 0},
		.pair_b = {scene.pair[1], 0},
		.count = ROWS};
}

static const wp_motions motions = {{scene.way[0], 0}, {scene.end[0], 0}};

/* ---- queries ------------------------------------------------------------------------------------ */

static wp_error overlap(wp_workspace *workspace, answers *to)
{
	const wp_batch batch = batch_of();
	wp_results results = results_of(to);
	results.cache.data = to->known;
	return wp_overlap(workspace, &batch, &results, &to->statistics);
}

static wp_error distance(wp_workspace *workspace, answers *to)
{
	const wp_batch batch = batch_of();
	const wp_results results = results_of(to);
	return wp_distance(workspace, &batch, &results, &to->statistics);
}

static wp_error contact(wp_workspace *workspace, answers *to)
{
	const wp_batch batch = batch_of();
	wp_results results = results_of(to);
	results.cache.data = to->known;
	return wp_contact(workspace, &batch, &near, &results, &to->statistics);
}

static wp_error manifold(wp_workspace *workspace, answers *to)
{
	const wp_batch batch = batch_of();
	const wp_results results = results_of(to);
	const wp_manifolds manifolds = {
		.count = {&to->rows->count, sizeof *to->rows}, .points = {to->rows->found.points, sizeof *to->rows}};
	return wp_contact_manifold(workspace, &batch, &near, &results, &manifolds, &to->statistics);
}

static wp_error by_method(wp_workspace *workspace, answers *to, const wp_method_options *method)
{
	const wp_batch batch = batch_of();
	const wp_results results = results_of(to);
	return wp_contact_by_method(workspace, &batch, &near, method, &results, &to->statistics);
}

static wp_error by_search(wp_workspace *workspace, answers *to)
{
	return by_method(workspace, to, &(wp_method_options){.method = WP_METHOD_GJK_EPA});
}

static wp_error by_core(wp_workspace *workspace, answers *to)
{
	return by_method(workspace, to, &(wp_method_options){.method = WP_METHOD_CORE, .margin = 0.05f});
}

static wp_error by_samples(wp_workspace *workspace, answers *to)
{
	return by_method(workspace, to, &(wp_method_options){.method = WP_METHOD_SAMPLED, .directions = 32});
}

static wp_error cast(wp_workspace *workspace, answers *to)
{
	const wp_batch batch = batch_of();
	const wp_results results = results_of(to);
	const wp_float_column fraction = {&to->rows->fraction, sizeof *to->rows};
	return wp_cast(workspace, &batch, &motions, NULL, &results, &fraction, &to->statistics);
}

static wp_error depth_along(wp_workspace *workspace, answers *to)
{
	const wp_batch batch = batch_of();
	const wp_results results = results_of(to);
	return wp_depth_along(
		workspace, &batch, &(wp_const_float_column){scene.direction[0], 0}, &results, &to->statistics);
}

/* Frames of bodies on their way, of which the last one's answers stay. */
static void go_on(body *bodies)
{
	for (uint32_t i = 0; i < BODIES; i++)
		for (int k = 0; k < 3; k++)
			bodies[i].position[k] += (double)scene.way[i][k] / 512;
}

static wp_error track(wp_workspace *workspace, answers *to)
{
	body bodies[BODIES];
	const wp_results results = results_of(to);
	const wp_track_options options = {.max_separation = 0.25f, .merging = 0.05f, .reuse_error = 0.01f};
	const wp_tracked_pairs tracked = {.pairs = to->pairs,
		.manifolds = to->manifolds,
		.anchors = to->anchors,
		.polytopes = to->polytopes,
		.count = ROWS - 3};
	wp_batch batch = batch_of();
	wp_error error = WP_OK;
	memcpy(bodies, scene.bodies, sizeof bodies);
	batch.a = bodies_of(bodies, BODIES);
	for (int frame = 0; frame < FRAMES && error == WP_OK; frame++) {
		error = wp_track(workspace, &batch, &options, &tracked, &results, NULL, &to->statistics);
		go_on(bodies);
	}
	return error;
}

static wp_error mesh_contact_with(wp_workspace *workspace, answers *to, uint32_t flags)
{
	const wp_mesh_batch batch = mesh_batch_of(scene.bodies);
	const wp_mesh_results results = mesh_results_of(to);
	return wp_mesh_contact(
		workspace, &batch, &(wp_mesh_options){.max_separation = 0.25f, .flags = flags}, &results, &to->mesh_statistics);
}

static wp_error mesh_contact(wp_workspace *workspace, answers *to) { return mesh_contact_with(workspace, to, 0); }

static wp_error mesh_contact_of_soup(wp_workspace *workspace, answers *to)
{
	return mesh_contact_with(workspace, to, WP_MESH_TWO_SIDED | WP_MESH_SOUP);
}

static wp_error mesh_track(wp_workspace *workspace, answers *to)
{
	body bodies[BODIES];
	wp_mesh_results results = mesh_results_of(to);
	results.patch_max = COUNT_OF(to->patches[0]);
	const wp_mesh_track_options options = {.max_separation = 0.25f, .merging = 0.05f};
	const wp_mesh_tracked_pairs tracked = {.pairs = to->pairs,
		.anchors = to->mesh_anchors,
		.patches = to->patches[0],
		.count = ROWS - 3,
		.patch_max = COUNT_OF(to->patches[0])};
	memcpy(bodies, scene.bodies, sizeof bodies);
	const wp_mesh_batch batch = mesh_batch_of(bodies);
	wp_error error = WP_OK;
	for (int frame = 0; frame < FRAMES && error == WP_OK; frame++) {
		error = wp_mesh_track(workspace, &batch, &options, &tracked, &results, NULL, &to->mesh_statistics);
		if (frame != 0)
			go_on(bodies);
	}
	return error;
}

static wp_error mesh_overlap(wp_workspace *workspace, answers *to)
{
	const wp_mesh_batch batch = mesh_batch_of(scene.bodies);
	const wp_results results = results_of(to);
	return wp_mesh_overlap(
		workspace, &batch, &results, &(wp_uint32_column){&to->rows->number[0], sizeof *to->rows}, &to->mesh_statistics);
}

static wp_error mesh_distance(wp_workspace *workspace, answers *to)
{
	const wp_mesh_batch batch = mesh_batch_of(scene.bodies);
	const wp_results results = results_of(to);
	return wp_mesh_distance(workspace, &batch, NULL, &results,
		&(wp_uint32_column){&to->rows->number[0], sizeof *to->rows}, &to->mesh_statistics);
}

static wp_error mesh_cast(wp_workspace *workspace, answers *to)
{
	const wp_mesh_batch batch = mesh_batch_of(scene.bodies);
	const wp_results results = results_of(to);
	const wp_float_column fraction = {&to->rows->fraction, sizeof *to->rows};
	return wp_mesh_cast(workspace, &batch, &motions, NULL, &results, &fraction,
		&(wp_uint32_column){&to->rows->number[0], sizeof *to->rows}, &to->mesh_statistics);
}

static wp_child_columns children_of(answers *to)
{
	return (wp_child_columns){
		.a = {&to->rows->number[0], sizeof *to->rows}, .b = {&to->rows->number[1], sizeof *to->rows}};
}

static wp_error compound_overlap(wp_workspace *workspace, answers *to)
{
	const wp_compound_batch batch = compound_batch_of();
	const wp_results results = results_of(to);
	const wp_child_columns children = children_of(to);
	return wp_compound_overlap(workspace, &batch, &results, &children, &to->compound_statistics);
}

static wp_error compound_distance(wp_workspace *workspace, answers *to)
{
	const wp_compound_batch batch = compound_batch_of();
	const wp_results results = results_of(to);
	const wp_child_columns children = children_of(to);
	return wp_compound_distance(workspace, &batch, NULL, &results, &children, &to->compound_statistics);
}

static wp_error compound_contact(wp_workspace *workspace, answers *to)
{
	const wp_compound_batch batch = compound_batch_of();
	const wp_results results = results_of(to);
	const wp_child_columns children = children_of(to);
	return wp_compound_contact(workspace, &batch, &near, &results, &children, &to->compound_statistics);
}

static wp_error compound_manifold(wp_workspace *workspace, answers *to)
{
	const wp_compound_batch batch = compound_batch_of();
	const wp_results results = results_of(to);
	const wp_compound_patches patches = {.pair_count = {&to->rows->number[0], sizeof *to->rows},
		.patch_count = {&to->rows->count, sizeof *to->rows},
		.patches = {to->rows->found.compound_patches, sizeof *to->rows}};
	return wp_compound_contact_manifold(workspace, &batch, &near, &results, &patches, &to->compound_statistics);
}

static wp_error compound_track(wp_workspace *workspace, answers *to)
{
	body bodies[BODIES];
	const wp_results results = results_of(to);
	const wp_compound_track_options options = {.max_separation = 0.5f, .merging = 0.05f};
	const wp_compound_tracked_pairs tracked = {.pairs = to->pairs,
		.anchors = to->compound_anchors,
		.patches = to->compound_kept[0],
		.room = to->room[0],
		.count = ROWS - 3};
	memcpy(bodies, scene.compounds, sizeof bodies);
	wp_compound_batch batch = compound_batch_of();
	batch.a = bodies_of(bodies, BODIES);
	wp_error error = WP_OK;
	for (int frame = 0; frame < FRAMES && error == WP_OK; frame++) {
		error = wp_compound_track(
			workspace, &batch, &options, &tracked, &results, NULL, NULL, &to->compound_statistics);
		if (frame != 0)
			go_on(bodies);
	}
	return error;
}

static wp_error compound_cast(wp_workspace *workspace, answers *to)
{
	const wp_compound_batch batch = compound_batch_of();
	const wp_results results = results_of(to);
	const wp_child_columns children = children_of(to);
	const wp_float_column fraction = {&to->rows->fraction, sizeof *to->rows};
	return wp_compound_cast(
		workspace, &batch, &motions, NULL, &results, &fraction, &children, &to->compound_statistics);
}

static wp_error compound_mesh_contact(wp_workspace *workspace, answers *to)
{
	const wp_mesh_batch batch = mesh_batch_of(scene.compounds);
	const wp_mesh_results results = mesh_results_of(to);
	return wp_compound_mesh_contact(workspace, &batch, compounds_of(), 2, &(wp_mesh_options){.max_separation = 0.25f},
		&results, &(wp_uint32_column){to->children[0][0], 0}, &to->mesh_statistics);
}

static wp_error compound_mesh_overlap(wp_workspace *workspace, answers *to)
{
	const wp_mesh_batch batch = mesh_batch_of(scene.compounds);
	const wp_results results = results_of(to);
	const wp_child_columns numbers = children_of(to);
	return wp_compound_mesh_overlap(
		workspace, &batch, compounds_of(), 2, &results, &numbers.a, &numbers.b, &to->mesh_statistics);
}

static wp_error compound_mesh_distance(wp_workspace *workspace, answers *to)
{
	const wp_mesh_batch batch = mesh_batch_of(scene.compounds);
	const wp_results results = results_of(to);
	const wp_child_columns numbers = children_of(to);
	return wp_compound_mesh_distance(
		workspace, &batch, compounds_of(), 2, NULL, &results, &numbers.a, &numbers.b, &to->mesh_statistics);
}

static wp_error compound_mesh_cast(wp_workspace *workspace, answers *to)
{
	const wp_mesh_batch batch = mesh_batch_of(scene.compounds);
	const wp_results results = results_of(to);
	const wp_child_columns numbers = children_of(to);
	return wp_compound_mesh_cast(workspace, &batch, compounds_of(), 2, &motions, NULL, &results,
		&(wp_float_column){&to->rows->fraction, sizeof *to->rows}, &numbers.a, &numbers.b, &to->mesh_statistics);
}

static wp_error flat_overlap(wp_workspace *workspace, answers *to)
{
	const wp2d_batch batch = flat_batch_of();
	const wp_results results = results_of(to);
	return wp2d_overlap(workspace, &batch, &results, &to->statistics);
}

static wp_error flat_distance(wp_workspace *workspace, answers *to)
{
	const wp2d_batch batch = flat_batch_of();
	const wp_results results = results_of(to);
	return wp2d_distance(workspace, &batch, &results, &to->statistics);
}

static wp_error flat_contact(wp_workspace *workspace, answers *to)
{
	const wp2d_batch batch = flat_batch_of();
	const wp_results results = results_of(to);
	return wp2d_contact(workspace, &batch, &near, &results, &to->statistics);
}

static wp_error flat_manifold(wp_workspace *workspace, answers *to)
{
	const wp2d_batch batch = flat_batch_of();
	const wp_results results = results_of(to);
	const wp2d_manifolds manifolds = {
		.count = {&to->rows->count, sizeof *to->rows}, .points = {to->rows->found.flat_points, sizeof *to->rows}};
	return wp2d_contact_manifold(workspace, &batch, &near, &results, &manifolds, &to->statistics);
}

static wp_error flat_cast(wp_workspace *workspace, answers *to)
{
	const wp2d_batch batch = flat_batch_of();
	const wp_results results = results_of(to);
	const wp2d_motions ways = {{scene.flat_way[0], 0}, {scene.flat_end[0], 0}};
	return wp2d_cast(workspace, &batch, &ways, NULL, &results,
		&(wp_float_column){&to->rows->fraction, sizeof *to->rows}, &to->statistics);
}

/* ---- the tests ---------------------------------------------------------------------------------- */

typedef wp_error query(wp_workspace *workspace, answers *to);

static const struct {
	const char *name;
	query *ask;
} queries[] = {{"overlap", overlap}, {"distance", distance}, {"contact", contact}, {"manifold", manifold},
	{"method of GJK and EPA", by_search}, {"method of cores", by_core}, {"method of samples", by_samples},
	{"cast", cast}, {"depth along", depth_along}, {"track", track}, {"mesh contact", mesh_contact},
	{"mesh contact of a soup", mesh_contact_of_soup}, {"mesh track", mesh_track}, {"mesh overlap", mesh_overlap},
	{"mesh distance", mesh_distance}, {"mesh cast", mesh_cast}, {"compound overlap", compound_overlap},
	{"compound distance", compound_distance}, {"compound contact", compound_contact},
	{"compound manifold", compound_manifold}, {"compound track", compound_track}, {"compound cast", compound_cast},
	{"compound mesh contact", compound_mesh_contact}, {"compound mesh overlap", compound_mesh_overlap},
	{"compound mesh distance", compound_mesh_distance}, {"compound mesh cast", compound_mesh_cast},
	{"2D overlap", flat_overlap}, {"2D distance", flat_distance}, {"2D contact", flat_contact},
	{"2D manifold", flat_manifold}, {"2D cast", flat_cast}};

static void fill_answers(answers *to, uint32_t pattern)
{
	const size_t filled = offsetof(answers, pairs);
	fill_memory(to, filled, pattern);
	memset((char *)to + filled, 0, sizeof *to - filled);
}

static uint64_t invalid_of(const answers *a)
{
	return a->statistics.invalid + a->mesh_statistics.invalid + a->compound_statistics.invalid;
}

/* Name the rows of one answer that differ from another's; none where only what else was written does. */
static void name_difference(const char *name, const char *variant, uint32_t pattern, const answers *a, const answers *b)
{
	uint32_t rows = 0, first = ROWS;
	for (uint32_t r = 0; r < ROWS; r++) {
		const wp_row *const of_a = &a->rows[r].row, *const of_b = &b->rows[r].row;
		const bool is_other = memcmp(&of_a->separation, &of_b->separation, sizeof of_a->separation) != 0 ||
		                      memcmp(of_a->normal, of_b->normal, sizeof of_a->normal) != 0 ||
		                      of_a->status != of_b->status;
		rows += is_other;
		first = is_other && first == ROWS ? r : first;
	}
	cr_assert(false, "%s, %s, pattern %u: %u rows differ, the first is %u: bodies %u and %u, ground %u", name, variant,
		pattern, rows, first, scene.pair[0][first % ROWS], scene.pair[1][first % ROWS], scene.ground[first % ROWS]);
}

static void compare(size_t which, wp_variant variant, uint32_t pattern, const answers *first)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	static answers next;
	wp_workspace *workspace;
	fill_memory(memory, sizeof memory, pattern);
	cr_assert_eq(wp_workspace_init(memory, sizeof memory, variant, &workspace), WP_OK);
	fill_answers(&next, pattern);
	cr_assert_eq(queries[which].ask(workspace, &next), WP_OK);
	const size_t filled = offsetof(answers, pairs), counted = offsetof(answers, statistics);
	const bool same = are_same(first, 0, &next, pattern, filled) &&
	                  memcmp((const char *)first + filled, (const char *)&next + filled, counted - filled) == 0;
	if (!same)
		name_difference(queries[which].name, wp_variant_name(variant), pattern, first, &next);
	cr_assert_eq(invalid_of(first), invalid_of(&next), "%s", queries[which].name);
}

/* Every pattern, in memory that no other query has used. */
Test(memory, what_it_held_changes_no_answer, .init = make_scene)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	static answers first;
	for (size_t q = 0; q < COUNT_OF(queries); q++) {
		wp_workspace *workspace;
		memset(memory, 0, sizeof memory);
		cr_assert_eq(wp_workspace_init(memory, sizeof memory, WP_VARIANT_SCALAR, &workspace), WP_OK);
		fill_answers(&first, 0);
		cr_assert_eq(queries[q].ask(workspace, &first), WP_OK, "%s", queries[q].name);
		cr_assert_geq(invalid_of(&first), ROWS / 8, "%s", queries[q].name);
		cr_assert_leq(invalid_of(&first), FRAMES * ROWS * 3 / 4, "%s", queries[q].name);
		for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++)
			for (uint32_t pattern = 0; pattern < FILLS && wp_variant_available((wp_variant)v) == WP_OK; pattern++)
				compare(q, (wp_variant)v, pattern, &first);
	}
}

/* One workspace for all queries, each after another one: what those leave there is no answer either. */
Test(memory, what_other_queries_left_changes_no_answer, .init = make_scene)
{
	static answers first, next;
	for (size_t q = 0; q < COUNT_OF(queries); q++) {
		static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
		wp_workspace *workspace;
		memset(memory, 0, sizeof memory);
		cr_assert_eq(wp_workspace_init(memory, sizeof memory, WP_VARIANT_AUTO, &workspace), WP_OK);
		fill_answers(&first, 0);
		cr_assert_eq(queries[q].ask(workspace, &first), WP_OK);
		for (size_t n = 0; n < (size_t)rounds(COUNT_OF(queries)); n++) {
			const size_t before = (q + 7 * n) % COUNT_OF(queries);
			fill_answers(&next, 1);
			cr_assert_eq(queries[before].ask(workspace, &next), WP_OK);
			fill_answers(&next, 1);
			cr_assert_eq(queries[q].ask(workspace, &next), WP_OK);
			if (!are_same(&first, 0, &next, 1, offsetof(answers, pairs)))
				name_difference(queries[q].name, queries[before].name, 1, &first, &next);
		}
	}
}

/* Sanitizers, builds without optimisation and emulated instructions take more of it. */
#if defined(__OPTIMIZE__) && !defined(SANITIZED)

/* A query on a stack of its own, which nothing has written before. */
enum { STACK_SIZE = 1 << 20, STACK_MAX = 128 * 1024, UNWRITTEN = 0x5a };

typedef struct stack_call {
	size_t query; /* COUNT_OF(queries): many rays at a mesh */
	wp_workspace *workspace;
	wp_error error;
} stack_call;

static wp_error ask_rays(void)
{
	static wp_mesh_hit hits[BODIES];
	static float starts[BODIES][3];
	const wp_const_float_column start = {starts[0], 0}, way = {scene.way[0], 0};
	const wp_mesh_hit_column hit = {hits, 0};
	return wp_mesh_rays(scene.mesh, &start, &way, BODIES, &hit);
}

static void *ask_here(void *of)
{
	static answers found;
	stack_call *const call = of;
	call->error = call->query == COUNT_OF(queries) ? ask_rays() : queries[call->query].ask(call->workspace, &found);
	return NULL;
}

static size_t stack_of(stack_call *call)
{
	static _Alignas(1 << 16) unsigned char stack[STACK_SIZE];
	pthread_attr_t attributes;
	pthread_t thread;
	memset(stack, UNWRITTEN, sizeof stack);
	cr_assert_eq(pthread_attr_init(&attributes), 0);
	cr_assert_eq(pthread_attr_setstack(&attributes, stack, sizeof stack), 0);
	cr_assert_eq(pthread_create(&thread, &attributes, ask_here, call), 0);
	cr_assert_eq(pthread_join(thread, NULL), 0);
	size_t unwritten = 0;
	while (unwritten < sizeof stack && stack[unwritten] == UNWRITTEN)
		unwritten++;
	return sizeof stack - unwritten;
}

static bool is_emulated(uint32_t variant)
{
#if defined(__x86_64__) || defined(__i386__)
	return variant == WP_VARIANT_AVX512 && !__builtin_cpu_supports("avx512f");
#else
	(void)variant;
	return false;
#endif
}

/* What the guide promises to fibers of job systems, whose stacks are small. What a thread has there itself counts, too. */
Test(memory, of_the_stack, .init = make_scene)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		stack_call call = {.query = 0};
		if (is_emulated(v) || wp_workspace_init(memory, sizeof memory, (wp_variant)v, &call.workspace) != WP_OK)
			continue;
		for (; call.query <= COUNT_OF(queries); call.query++) {
			const size_t size = stack_of(&call);
			const char *const name = call.query == COUNT_OF(queries) ? "rays" : queries[call.query].name;
			cr_assert_eq(call.error, WP_OK, "%s", name);
			cr_expect_leq(size, STACK_MAX, "%s by %s: %zu bytes", name, wp_variant_name((wp_variant)v), size);
		}
	}
}
#endif
