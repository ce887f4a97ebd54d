/* Compounds and a mesh: compound_mesh/QUERY.CHILDREN/WAY, per body. 1000 bodies that all have the same compound, of boxes,
 * capsules and balls at random places in a ball, on 130 000 triangles of hills: a little sunk for overlaps, above them for
 * distances and casts, in which they fall; in turning_cast they turn, too. children asks each child as a body of its own, by
 * the calls for convex bodies, and takes the best; heights is the same triangles as a height field.
 *
 * compound_frame/MOTION.CHILDREN/WAY: frames of the same bodies, per body, which lie still, slide or fly; untracked a frame by
 * wp_compound_mesh_contact. */
#include "cells.h"
#include "support/surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 256
#define BODIES 1000
#define CHILD_MAX 64
#define SEED 20261126
#define FALL 4.0f

#define MAX_SEPARATION 0.02f
#define STEP 0.01
#define TURN_BACK 32 /* frames after which sliding bodies go back */

enum { OVERLAP, DISTANCE, CAST, TURNING_CAST, QUERIES };
enum { WIDEPHASE, CHILDREN, HEIGHTS, CHILDREN_HEIGHTS, WAYS };
enum { STILL, SLIDE, FLY, MOTIONS };
enum { TRACKED, UNTRACKED, TRACKED_HEIGHTS, UNTRACKED_HEIGHTS, FRAME_WAYS };
enum { BOX, CAPSULE, BALL, SHAPES, SIZES = 3 };

static const char *const query_names[QUERIES] = {"overlap", "distance", "cast", "turning_cast"};
static const char *const way_names[WAYS] = {"widephase", "children", "heights", "children_heights"};
static const char *const motion_names[MOTIONS] = {"still", "slide", "fly"};
static const char *const frame_way_names[FRAME_WAYS] = {"widephase", "untracked", "heights", "untracked_heights"};
static const uint32_t sizes[SIZES] = {4, 16, CHILD_MAX};

typedef struct asked_cell {
	int query, way;
	uint32_t children;
} asked_cell;

typedef struct frame_cell {
	int motion, way;
	uint32_t children;
} frame_cell;

typedef struct body {
	double position[3];
	float rotation[4], end[4], way[3];
	uint32_t shape;
} body;

typedef struct answer {
	float separation, fraction;
	uint32_t status, child;
} answer;

static surface terrain;
static const wp_mesh *mesh;
static float samples[WIDTH * WIDTH];
static const wp_height_field field = {.samples = samples, .columns = WIDTH, .rows = WIDTH, .spacing = {1, 1}};
static wp_compound_child children[CHILD_MAX];
static body bodies[BODIES], parts[BODIES * CHILD_MAX];
static answer answers[BODIES * CHILD_MAX];
static wp_tracked tracked[BODIES];
static wp_mesh_tracked_anchor anchors[BODIES];
static wp_mesh_tracked_patch tracked_patches[BODIES][4];
static wp_mesh_patch patches[BODIES][4];
static uint32_t tracked_children[BODIES][4][WP_MESH_POINT_MAX], point_children[BODIES][4][WP_MESH_POINT_MAX];
static uint32_t patch_counts[BODIES], frame;
static void *table_memory, *compound_memory;
static const wp_shape_table *table;
static const wp_compound *compound;
static wp_workspace *workspace;

static bool load(bench_report *report)
{
	if (mesh)
		return true;
	terrain = surface_terrain(WIDTH, WIDTH, SEED);
	if (!terrain.vertices || !terrain.triangles)
		return work_fail(report, "no memory for the terrain");
	for (size_t i = 0; i < terrain.vertex_count; i++)
		samples[i] = terrain.vertices[i][1];
	const wp_mesh_input input = surface_input(&terrain);
	const wp_error error = wp_cook_mesh(&input, &mesh, NULL);
	return error == WP_OK || work_fail(report, wp_error_text(error));
}

/* Returns how far children are from the middle. */
static double make_children(uint32_t count)
{
	const double reach = 0.5 * cbrt((double)count);
	gen_random random;
	gen_seed(&random, SEED);
	for (uint32_t i = 0; i < count; i++) {
		const v3 at = v3_scale(gen_direction(&random), reach * cbrt(gen_range(&random, 0.0, 1.0)));
		children[i] = (wp_compound_child){.shape = gen_below(&random, SHAPES)};
		surface_set(children[i].position, at.x, at.y, at.z);
		gen_rotation(&random, children[i].rotation);
	}
	return reach;
}

static bool make_compound(uint32_t count, bench_report *report)
{
	const wp_shape shapes[SHAPES] = {
		wp_shape_box(0.5f, 0.3f, 0.4f), wp_shape_capsule(0.3f, 0.4f), wp_shape_sphere(0.4f)};
	const size_t size = wp_shape_table_size(SHAPES), compound_size = wp_compound_size(count);
	wp_error error;
	free(compound_memory);
	compound_memory = aligned_alloc(WP_ALIGNMENT, compound_size);
	if (!table_memory)
		table_memory = aligned_alloc(WP_ALIGNMENT, (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT);
	workspace = work_workspace(WP_VARIANT_AUTO, 0, &error);
	return (table_memory && compound_memory && workspace &&
			   wp_shape_table_build(shapes, SHAPES, table_memory, size, &table, NULL) == WP_OK &&
			   wp_compound_build(children, count, table, compound_memory, compound_size, &compound, NULL) == WP_OK) ||
	       work_fail(report, "no compound or workspace");
}

/* The terrain, and the compound, which reaches that far. */
static bool load_with(uint32_t count, double *reach, bench_report *report)
{
	if (!load(report))
		return false;
	*reach = make_children(count);
	return make_compound(count, report);
}

static void count_triangles(const wp_mesh_statistics *statistics, bench_report *report)
{
	report->items = BODIES;
	bench_count(report, "triangles", (double)statistics->triangles / BODIES);
	bench_count(report, "solved", (double)statistics->solved / BODIES);
}

static void place_bodies(double above)
{
	gen_random random;
	gen_seed(&random, SEED + 1);
	for (size_t i = 0; i < BODIES; i++) {
		const float *const at = terrain.vertices[gen_below(&random, (uint32_t)terrain.vertex_count)];
		body *const b = &bodies[i];
		*b = (body){.position = {(double)at[0], (double)at[1] + above, (double)at[2]},
			.way = {0, -FALL, 0},
			.shape = WP_COMPOUND};
		gen_rotation(&random, b->rotation);
		gen_rotation(&random, b->end);
	}
}

/* ---- asking ------------------------------------------------------------------------------------- */

static bool is_field(const asked_cell *cell) { return cell->way >= HEIGHTS; }

static bool is_by_children(const asked_cell *cell) { return cell->way == CHILDREN || cell->way == CHILDREN_HEIGHTS; }

static wp_mesh_batch batch_of(bool is_heights, const body *from, size_t count)
{
	static const uint32_t zeros[BODIES * CHILD_MAX];
	static const body ground = {.rotation = {0, 0, 0, 1}};
	static const wp_height_field *const fields = &field;
	const size_t apart = sizeof *from;
	return (wp_mesh_batch){.shapes = table,
		.meshes = &mesh,
		.mesh_count = !is_heights,
		.height_fields = &fields,
		.height_field_count = is_heights,
		.a = {.position = {from->position, apart},
			.rotation = {from->rotation, apart},
			.shape = {&from->shape, apart},
			.count = count,
			.position_real = WP_REAL_DOUBLE},
		.b = {.position = {ground.position, 0},
			.rotation = {ground.rotation, 0},
			.count = 1,
			.position_real = WP_REAL_DOUBLE},
		.pair_b = {zeros, 0},
		.count = count};
}

static void ask(const asked_cell *cell, const body *from, size_t count, wp_mesh_statistics *statistics)
{
	const size_t apart = sizeof *from, stride = sizeof *answers;
	const wp_mesh_batch batch = batch_of(is_field(cell), from, count);
	const wp_results rows = {.separation = {&answers->separation, stride}, .status = {&answers->status, stride}};
	const wp_motions motions = {
		.translation = {from->way, apart}, .rotation = {cell->query == TURNING_CAST ? from->end : NULL, apart}};
	const wp_float_column fraction = {&answers->fraction, stride};
	const wp_uint32_column child = {&answers->child, stride};
	if (is_by_children(cell))
		(void)(cell->query == OVERLAP ? wp_mesh_overlap(workspace, &batch, &rows, NULL, statistics)
			   : cell->query == DISTANCE
				   ? wp_mesh_distance(workspace, &batch, NULL, &rows, NULL, statistics)
				   : wp_mesh_cast(workspace, &batch, &motions, NULL, &rows, &fraction, NULL, statistics));
	else
		(void)(cell->query == OVERLAP
				   ? wp_compound_mesh_overlap(workspace, &batch, &compound, 1, &rows, &child, NULL, statistics)
			   : cell->query == DISTANCE
				   ? wp_compound_mesh_distance(workspace, &batch, &compound, 1, NULL, &rows, &child, NULL, statistics)
				   : wp_compound_mesh_cast(
						 workspace, &batch, &compound, 1, &motions, NULL, &rows, &fraction, &child, NULL, statistics));
}

static bool is_better(const asked_cell *cell, const answer *a, const answer *b)
{
	if (cell->query == OVERLAP)
		return (a->status & WP_STATUS_SEPARATED) < (b->status & WP_STATUS_SEPARATED);
	return cell->query == DISTANCE ? a->separation < b->separation : a->fraction < b->fraction;
}

/* The answers of all bodies by their children's answers. */
static void ask_children(const asked_cell *cell, wp_mesh_statistics *statistics)
{
	const uint32_t count = cell->children;
	for (uint32_t i = 0; i < BODIES * count; i++) {
		const body *const b = &bodies[i / count];
		parts[i] = *b;
		parts[i].shape = children[i % count].shape;
		wp_compound_child_pose(compound, i % count, b->position, b->rotation, parts[i].position, parts[i].rotation);
	}
	ask(cell, parts, (size_t)BODIES * count, statistics);
	for (uint32_t i = 0; i < BODIES; i++) {
		answer best = answers[i * count];
		best.child = 0;
		for (uint32_t k = 1; k < count; k++)
			if (is_better(cell, &answers[i * count + k], &best)) {
				best = answers[i * count + k];
				best.child = k;
			}
		answers[i] = best;
	}
}

/* All bodies once. Returns how many overlap, are apart, or hit. */
static size_t pass(const asked_cell *cell, wp_mesh_statistics *statistics)
{
	size_t found = 0;
	if (is_by_children(cell))
		ask_children(cell, statistics);
	else
		ask(cell, bodies, BODIES, statistics);
	for (size_t i = 0; i < BODIES; i++) {
		const uint32_t status = answers[i].status;
		found += cell->query == OVERLAP  ? (status & WP_STATUS_SEPARATED) == 0
		       : cell->query == DISTANCE ? (status & WP_STATUS_SEPARATED) != 0
		                                 : (status & WP_STATUS_HIT) != 0;
	}
	return found;
}

static bool prepare(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	const asked_cell *cell = context;
	wp_mesh_statistics statistics = {0};
	(void)thread;
	(void)threads;
	double reach;
	if (!load_with(cell->children, &reach, report))
		return false;
	place_bodies(cell->query == OVERLAP ? reach : reach + 2);
	bench_count(report, "found", (double)pass(cell, &statistics) / BODIES);
	count_triangles(&statistics, report);
	return true;
}

static void run(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	(void)thread;
	(void)threads;
	for (uint64_t i = 0; i < iterations; i++)
		pass(context, NULL);
}

static bool add(int query, uint32_t count, int way)
{
	char name[CELLS_NAME_MAX];
	asked_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (asked_cell){query, way, count};
	snprintf(name, sizeof name, "compound_mesh/%s.%u/%s", query_names[query], count, way_names[way]);
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare, .run = run});
	return true;
}

/* ---- frames ------------------------------------------------------------------------------------- */

/* All bodies once. Returns how many touch. */
static size_t pass_frame(const frame_cell *cell, wp_mesh_statistics *statistics)
{
	const wp_mesh_batch batch = batch_of(cell->way >= TRACKED_HEIGHTS, bodies, BODIES);
	const double way = frame++ / TURN_BACK % 2 == 0 ? STEP : -STEP;
	for (size_t i = 0; i < BODIES && cell->motion != STILL; i++) {
		bodies[i].position[0] += way;
		bodies[i].position[2] += i % 2 == 0 ? way : -way;
	}
	wp_mesh_statistics s = {0};
	if (cell->way == TRACKED || cell->way == TRACKED_HEIGHTS) {
		const wp_mesh_track_options options = {.max_separation = MAX_SEPARATION, .merging = MAX_SEPARATION};
		const wp_mesh_tracked_pairs pairs = {
			.pairs = tracked, .anchors = anchors, .patches = tracked_patches[0], .count = BODIES};
		const wp_mesh_results none = {.patch_max = 0};
		(void)wp_compound_mesh_track(
			workspace, &batch, &compound, 1, &options, &pairs, tracked_children[0][0], &none, NULL, NULL, &s);
	} else {
		const wp_mesh_options options = {.max_separation = MAX_SEPARATION};
		const wp_mesh_results results = {.patch_count = {patch_counts, 0}, .patches = {patches[0], 0}};
		const wp_uint32_column children_of = {point_children[0][0], 0};
		(void)wp_compound_mesh_contact(workspace, &batch, &compound, 1, &options, &results, &children_of, &s);
	}
	if (statistics != NULL)
		*statistics = s;
	return (size_t)s.touching;
}

static bool prepare_frames(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	const frame_cell *cell = context;
	wp_mesh_statistics statistics = {0};
	(void)thread;
	(void)threads;
	double reach;
	if (!load_with(cell->children, &reach, report))
		return false;
	place_bodies(cell->motion == FLY ? reach + 4 : reach);
	memset(tracked, 0, sizeof tracked);
	frame = 0;
	bench_count(report, "touching", (double)pass_frame(cell, &statistics) / BODIES);
	count_triangles(&statistics, report);
	return true;
}

static void run_frames(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	(void)thread;
	(void)threads;
	for (uint64_t i = 0; i < iterations; i++)
		(void)pass_frame(context, NULL);
}

static bool add_frames(int motion, uint32_t count, int way)
{
	char name[CELLS_NAME_MAX];
	frame_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (frame_cell){motion, way, count};
	snprintf(name, sizeof name, "compound_frame/%s.%u/%s", motion_names[motion], count, frame_way_names[way]);
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare_frames, .run = run_frames});
	return true;
}

bool cells_add_compound_meshes(void)
{
	for (int query = 0; query < QUERIES; query++)
		for (int size = 0; size < SIZES; size++)
			for (int way = 0; way < WAYS; way++)
				/* Children by themselves do not turn about the middle of their compound. */
				if ((query != TURNING_CAST || way == WIDEPHASE || way == HEIGHTS) && !add(query, sizes[size], way))
					return false;
	for (int motion = 0; motion < MOTIONS; motion++)
		for (int size = 0; size < SIZES; size++)
			for (int way = 0; way < FRAME_WAYS; way++)
				if (!add_frames(motion, sizes[size], way))
					return false;
	return true;
}

void cells_free_compound_meshes(void)
{
	wp_cook_free_mesh(mesh);
	surface_free(&terrain);
	free(table_memory);
	free(compound_memory);
}
