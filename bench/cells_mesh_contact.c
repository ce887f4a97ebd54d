/* Queries of bodies and a mesh: mesh_contact/KIND.SIZE/LIBRARY, mesh_distance/... and mesh_cast/..., per body, and frames of
 * small bodies: mesh_frame/KIND.MOTION/LIBRARY. 2000 bodies of two
 * sizes, about 2 cells and 50 triangles wide, on a million triangles of hills: a little sunk, or above them. heights is this
 * library on the same triangles as a height field, untracked a frame by wp_mesh_contact. */
#include "cells.h"
#include "peers/mesh_contact.h"
#include "support/surfaces.h"

#include <math.h>
#include <string.h>

#define WIDTH 708
#define BODIES 2000
#define SEED 20240611
#define MAX_SEPARATION 0.02f
#define HULL_POINTS 32
#define LARGE 3.5f

/* How high above the hills bodies are for distances and casts, and how far they fall. */
#define UP 2.0
#define FALL 4.0f

/* How far a body slides or flies in a frame, and after how many frames it turns back. */
#define STEP 0.01f
#define TURN_BACK 32

enum { WIDEPHASE, HEIGHTS, UNTRACKED, BULLET, ODE, LIBRARIES };

typedef struct body {
	float position[3], rotation[4];
} body;

enum { CONTACT, DISTANCE, CAST, FRAME, QUERIES };

enum { STILL, SLIDE, FLY, MOTIONS };

typedef struct answer {
	float separation, fraction;
	wp_row row;
	uint32_t patch_count;
	wp_mesh_patch patch[4];
} answer;

typedef struct contact_cell {
	peer_body_kind kind;
	bool is_large;
	int library, query, motion;
} contact_cell;

static const char *const kind_names[] = {"box", "sphere", "capsule", "hull32"};
static const char *const query_names[] = {"mesh_contact", "mesh_distance", "mesh_cast", "mesh_frame"};
static const char *const motion_names[] = {"still", "slide", "fly"};
static const char *const library_names[] = {"widephase", "heights", "untracked", "bullet", "ode"};

static surface terrain;
static const wp_mesh *mesh;
static float *samples;
static wp_height_field field;
static body bodies[BODIES];
static answer answers[BODIES];
static float ways[BODIES][3];
static wp_tracked tracked[BODIES];
static wp_mesh_tracked_anchor anchors[BODIES];
static wp_mesh_tracked_patch tracked_patches[BODIES][4];
static uint32_t frame;
static float points[HULL_POINTS][3];
static const wp_hull *hull;
static void *table_memory, *workspace_memory, *scene;
static int scene_library, scene_query;
static const wp_shape_table *table;
static wp_workspace *workspace;

static bool load(bench_report *report)
{
	if (mesh)
		return true;
	terrain = surface_terrain(WIDTH, WIDTH, SEED);
	samples = malloc(terrain.vertex_count * sizeof *samples);
	if (!terrain.vertices || !terrain.triangles || !samples)
		return work_fail(report, "no memory for the terrain");
	for (size_t i = 0; i < terrain.vertex_count; i++)
		samples[i] = terrain.vertices[i][1];
	field = (wp_height_field){.samples = samples, .columns = WIDTH, .rows = WIDTH, .spacing = {1, 1}};
	const wp_mesh_input input = surface_input(&terrain);
	const wp_error error = wp_cook_mesh(&input, &mesh, NULL);
	return error == WP_OK || work_fail(report, wp_error_text(error));
}

static peer_body shape_of(const contact_cell *cell)
{
	const float scale = cell->is_large ? LARGE : 1.0f;
	peer_body made = {.kind = cell->kind, .size = {scale, 0.6f * scale, 0.8f * scale}};
	if (cell->kind == PEER_BODY_CAPSULE)
		made.size[0] = 0.5f * scale;
	made.points = (const float(*)[3])points;
	made.point_count = HULL_POINTS;
	gen_random random;
	gen_seed(&random, SEED);
	for (size_t i = 0; i < HULL_POINTS; i++) {
		const v3 at = v3_scale(gen_direction(&random), (double)scale);
		surface_set(points[i], at.x, at.y, at.z);
	}
	return made;
}

/* How far a shape reaches down. */
static double reach_down(const peer_body *shape, const float rotation[4])
{
	const v3 down = m3_apply_inverse(m3_of_quaternion(rotation), v3_of(0, -1, 0));
	const double x = (double)shape->size[0], y = (double)shape->size[1], z = (double)shape->size[2];
	if (shape->kind == PEER_BODY_BOX)
		return fabs(down.x) * x + fabs(down.y) * y + fabs(down.z) * z;
	if (shape->kind == PEER_BODY_SPHERE)
		return x;
	if (shape->kind == PEER_BODY_CAPSULE)
		return x + fabs(down.y) * y;
	double most = 0;
	for (size_t i = 0; i < shape->point_count; i++)
		most = fmax(most, v3_dot(down, v3_of_floats(shape->points[i])));
	return most;
}

static void place_bodies(const peer_body *shape, double above)
{
	gen_random random;
	gen_seed(&random, SEED + 1);
	for (size_t i = 0; i < BODIES; i++) {
		const float *const at = terrain.vertices[gen_below(&random, (uint32_t)terrain.vertex_count)];
		gen_rotation(&random, bodies[i].rotation);
		const double up = reach_down(shape, bodies[i].rotation) - gen_range(&random, 0.0, 0.1) + above;
		ways[i][1] = -FALL;
		surface_set(bodies[i].position, (double)at[0], (double)at[1] + up, (double)at[2]);
	}
}

static bool make_table(const peer_body *shape, bench_report *report)
{
	wp_shape made;
	wp_cook_free(hull);
	hull = NULL;
	if (shape->kind == PEER_BODY_HULL && wp_cook_points(points[0], 0, HULL_POINTS, &hull, NULL) != WP_OK)
		return work_fail(report, "no hull");
	made = shape->kind == PEER_BODY_BOX     ? wp_shape_box(shape->size[0], shape->size[1], shape->size[2])
	     : shape->kind == PEER_BODY_SPHERE  ? wp_shape_sphere(shape->size[0])
	     : shape->kind == PEER_BODY_CAPSULE ? wp_shape_capsule(shape->size[0], shape->size[1])
	                                        : wp_shape_hull(hull);
	const size_t size = wp_shape_table_size(1);
	if (!table_memory)
		table_memory = aligned_alloc(WP_ALIGNMENT, (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT);
	if (!workspace_memory)
		workspace_memory = aligned_alloc(WP_ALIGNMENT, WP_WORKSPACE_SIZE);
	return (table_memory && workspace_memory &&
			   wp_shape_table_build(&made, 1, table_memory, size, &table, NULL) == WP_OK &&
			   wp_workspace_init(workspace_memory, WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace) == WP_OK) ||
	       work_fail(report, "no table or workspace");
}

static void free_scene(void)
{
	if (scene_library == BULLET && scene_query == FRAME)
		peer_bullet_frames_free(scene);
	else if (scene_library == BULLET)
		peer_bullet_scene_free(scene);
	else if (scene_library == ODE)
		peer_ode_scene_free(scene);
	scene = NULL;
	scene_library = WIDEPHASE;
}

/* Volatile, since GCC 12 for AArch64 breaks on the sum as a vector. */
static uint32_t count_points(uint32_t row)
{
	volatile uint32_t count = 0;
	for (uint32_t k = 0; k < answers[row].patch_count; k++)
		count = count + answers[row].patch[k].point_count;
	return count;
}

static bool is_ours(const contact_cell *cell) { return cell->library <= UNTRACKED; }

/* Whether a body hits the mesh, or is apart from it. */
static bool is_found(const contact_cell *cell, size_t i)
{
	if (cell->library == BULLET)
		return peer_bullet_cast(scene, bodies[i].position, bodies[i].rotation, ways[i]) < 1.0f;
	return (answers[i].row.status & (cell->query == CAST ? WP_STATUS_HIT : WP_STATUS_SEPARATED)) != 0;
}

static void run_batch(int query, const wp_mesh_batch *batch, wp_mesh_statistics *statistics)
{
	const size_t stride = sizeof *answers;
	const wp_mesh_results patches = {.separation = {&answers->separation, stride},
		.patch_count = {&answers->patch_count, stride},
		.patches = {answers->patch, stride}};
	const wp_mesh_options options = {.max_separation = MAX_SEPARATION};
	const wp_results rows = {.separation = {&answers->row.separation, stride},
		.normal = {answers->row.normal, stride},
		.point_a = {answers->row.point_a, stride},
		.point_b = {answers->row.point_b, stride},
		.status = {&answers->row.status, stride}};
	const wp_motions motions = {.translation = {ways[0], 0}};
	const wp_float_column fraction = {&answers->fraction, stride};
	if (query == CONTACT)
		(void)wp_mesh_contact(workspace, batch, &options, &patches, statistics);
	else if (query == DISTANCE)
		(void)wp_mesh_distance(workspace, batch, NULL, &rows, NULL, statistics);
	else
		(void)wp_mesh_cast(workspace, batch, &motions, NULL, &rows, &fraction, NULL, statistics);
}

/* The next frame: bodies go to and fro. */
static void move_bodies(void)
{
	const float way = frame++ / TURN_BACK % 2 == 0 ? STEP : -STEP;
	for (size_t i = 0; i < BODIES; i++) {
		bodies[i].position[0] += way;
		bodies[i].position[2] += i % 2 == 0 ? way : -way;
	}
}

static void run_frame(const wp_mesh_batch *batch, wp_mesh_statistics *statistics)
{
	const wp_mesh_track_options options = {.max_separation = MAX_SEPARATION, .merging = MAX_SEPARATION};
	const wp_mesh_tracked_pairs pairs = {
		.pairs = tracked, .anchors = anchors, .patches = tracked_patches[0], .count = BODIES};
	const wp_mesh_results none = {.patch_max = 0};
	(void)wp_mesh_track(workspace, batch, &options, &pairs, &none, NULL, statistics);
}

/* The points of a body's patches in a frame. */
static uint32_t count_kept(uint32_t row)
{
	volatile uint32_t count = 0;
	for (uint32_t k = 0; k < tracked[row].count; k++)
		count = count + tracked_patches[row][k].found.point_count;
	return count;
}

static size_t count_of_frame(const contact_cell *cell, uint32_t row)
{
	return cell->library == BULLET    ? peer_bullet_frame(scene, row, bodies[row].position, bodies[row].rotation)
	     : cell->library == UNTRACKED ? count_points(row)
	                                  : count_kept(row);
}

/* All bodies once. Returns how many points they have, or how many hit the mesh or are apart from it. */
static size_t pass(const contact_cell *cell, wp_mesh_statistics *statistics)
{
	static const uint32_t zeros[BODIES];
	static const body ground = {.rotation = {0, 0, 0, 1}};
	const size_t apart = sizeof *bodies;
	const wp_height_field *const fields = &field;
	const wp_mesh_batch batch = {.shapes = table,
		.meshes = &mesh,
		.mesh_count = cell->library != HEIGHTS,
		.height_fields = &fields,
		.height_field_count = cell->library == HEIGHTS,
		.a = {.position = {bodies->position, apart},
			.rotation = {bodies->rotation, apart},
			.shape = {zeros, 0},
			.count = BODIES},
		.b = {.position = {ground.position, 0}, .rotation = {ground.rotation, 0}, .count = 1},
		.pair_b = {zeros, 0},
		.count = BODIES};
	size_t count = 0;
	if (cell->query == FRAME && cell->motion != STILL)
		move_bodies();
	if (cell->query == FRAME && is_ours(cell) && cell->library != UNTRACKED)
		run_frame(&batch, statistics);
	else if (is_ours(cell))
		run_batch(cell->query == FRAME ? CONTACT : cell->query, &batch, statistics);
	for (size_t i = 0; i < BODIES; i++) {
		if (cell->query == FRAME)
			count += count_of_frame(cell, (uint32_t)i);
		else if (cell->query != CONTACT)
			count += is_found(cell, i);
		else if (cell->library == BULLET)
			count += peer_bullet_contact(scene, bodies[i].position, bodies[i].rotation);
		else if (cell->library == ODE)
			count += peer_ode_contact(scene, bodies[i].position, bodies[i].rotation);
		else
			count += count_points(i);
	}
	return count;
}

static bool prepare(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	const contact_cell *cell = context;
	(void)thread;
	(void)threads;
	if (!load(report))
		return false;
	const wp_mesh_input input = surface_input(&terrain);
	const peer_body shape = shape_of(cell);
	const bool is_above = cell->query == FRAME ? cell->motion == FLY : cell->query != CONTACT;
	place_bodies(&shape, is_above ? UP : 0);
	memset(tracked, 0, sizeof tracked);
	frame = 0;
	free_scene();
	if (is_ours(cell) && !make_table(&shape, report))
		return false;
	if (!is_ours(cell)) {
		scene = cell->query == FRAME    ? peer_bullet_frames_make(&input, &shape, BODIES)
		      : cell->library == BULLET ? peer_bullet_scene_make(&input, &shape)
		                                : peer_ode_scene_make(&input, &shape);
		scene_library = cell->library;
		scene_query = cell->query;
		if (!scene)
			return work_fail(report, "no memory for the peer's scene");
	}
	wp_mesh_statistics statistics = {0};
	report->items = BODIES;
	const bool has_points = cell->query == CONTACT || cell->query == FRAME;
	bench_count(report, has_points ? "points" : "found", (double)pass(cell, &statistics) / BODIES);
	if (is_ours(cell)) {
		bench_count(report, "triangles", (double)statistics.triangles / BODIES);
		bench_count(report, "solved", (double)statistics.solved / BODIES);
		bench_count(report, "touched", (double)statistics.touched / BODIES);
	}
	return true;
}

static void run(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	(void)thread;
	(void)threads;
	for (uint64_t i = 0; i < iterations; i++)
		pass(context, NULL);
}

static bool add(peer_body_kind kind, bool is_large, int library, int query, int motion)
{
	char name[CELLS_NAME_MAX];
	contact_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (contact_cell){kind, is_large, library, query, motion};
	const char *const how = query == FRAME ? motion_names[motion] : is_large ? "large" : "small";
	snprintf(name, sizeof name, "%s/%s.%s/%s", query_names[query], kind_names[kind], how, library_names[library]);
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare, .run = run});
	return true;
}

static bool has_library(int library, peer_body_kind kind, int query)
{
#ifndef PEER_BULLET
	if (library == BULLET)
		return false;
#endif
#ifndef PEER_ODE
	if (library == ODE)
		return false;
#endif
	if (query == FRAME)
		return library != ODE;
	if (library == UNTRACKED)
		return false;
	if (query != CONTACT)
		return library == WIDEPHASE || (library == BULLET && query == CAST);
	return library != ODE || kind != PEER_BODY_HULL;
}

/* All kinds and sizes, or motions, by a library. */
static bool add_kinds(int library, int query)
{
	const int how_many = query == FRAME ? MOTIONS : 2;
	for (int kind = PEER_BODY_BOX; kind <= PEER_BODY_HULL; kind++)
		for (int way = 0; way < how_many; way++)
			if (has_library(library, (peer_body_kind)kind, query) &&
				!add((peer_body_kind)kind, query != FRAME && way == 1, library, query, way))
				return false;
	return true;
}

bool cells_add_mesh_contacts(void)
{
	for (int query = CONTACT; query < QUERIES; query++)
		for (int library = 0; library < LIBRARIES; library++)
			if (!add_kinds(library, query))
				return false;
	return true;
}

void cells_free_mesh_contacts(void)
{
	free_scene();
	wp_cook_free_mesh(mesh);
	free(samples);
	wp_cook_free(hull);
	free(table_memory);
	free(workspace_memory);
	surface_free(&terrain);
}
