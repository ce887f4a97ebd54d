/* Contacts of compounds: compound/KIND.CHILDREN/LIBRARY, per pair of compounds: up to 8 patches of 4 points within 0.02. 2000
 * pairs of bodies that all have the same compound, whose children touch each other, at distances of 1.2 to 2.2 of its
 * radius.
 *
 * compound_track/MOTION.CHILDREN/WAY: frames of the same pairs with all kinds of children, per pair, which lie still, or go by
 * 0.014 and turn by 0.01 in each frame, there and back; those that fly do so at twice the distance. Untracked a frame by wp_compound_contact_manifold. */
#include "cells.h"
#include "peers/compound.h"
#include "support/gen_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS 2000
#define CHILD_MAX 64
#define PATCHES 8
#define SEED 20251120
#define MAX_SEPARATION 0.02f

/* Of bodies in frames: how far they go and turn in one, and frames until they turn back. */
#define STEP 0.01f
#define TURN 0.01f
#define TURN_BACK 50

enum { WIDEPHASE, BULLET, LIBRARIES };
enum { BOX, CAPSULE, HULL, MIXED, KINDS, SHAPES = MIXED, SIZES = 3 };

enum { STILL, MOVE, FLY, MOTIONS };
enum { TRACKED, UNTRACKED, WAYS };

static const char *const motion_names[MOTIONS] = {"still", "move", "fly"};
static const char *const way_names[WAYS] = {"tracked", "untracked"};
static const char *const kind_names[KINDS] = {"box", "capsule", "hull6", "mixed"};
static const char *const library_names[LIBRARIES] = {"widephase", "bullet"};
static const uint32_t sizes[SIZES] = {4, 16, CHILD_MAX};
static const float corners[6][3] = {
	{-0.5f, 0, 0}, {0.5f, 0, 0}, {0, -0.6f, 0}, {0, 0.4f, 0}, {0, 0, -0.5f}, {0, 0, 0.6f}};

typedef struct compound_cell {
	int kind, library;
	uint32_t children;
} compound_cell;

typedef struct frame_cell {
	int motion, way;
	uint32_t children;
} frame_cell;

static wp_shape shapes[SHAPES];
static wp_compound_child children[CHILD_MAX];
static wp_pose poses[2 * PAIRS];
static wp_compound_patch patches[PAIRS][PATCHES];
static uint32_t patch_counts[PAIRS];
static wp_tracked tracked[PAIRS];
static wp_compound_tracked_anchor anchors[PAIRS];
static wp_compound_tracked_patch tracked_patches[PAIRS][PATCHES];
static unsigned frame;
static void *table_memory, *compound_memory, *scene;
static const wp_shape_table *table;
static const wp_compound *compound;
static wp_workspace *workspace;

static bool make_shapes(bench_report *report)
{
	static const uint32_t indices[24] = {0, 3, 4, 0, 5, 3, 0, 4, 2, 0, 2, 5, 1, 4, 3, 1, 3, 5, 1, 2, 4, 1, 5, 2};
	static const uint32_t counts[8] = {3, 3, 3, 3, 3, 3, 3, 3};
	static _Alignas(WP_ALIGNMENT) unsigned char hull_memory[4096];
	const wp_hull_input input = {
		.vertices.data = corners[0], .vertex_count = 6, .face_sizes = counts, .face_indices = indices, .face_count = 8};
	const wp_hull *hull;
	const size_t size = wp_shape_table_size(SHAPES);
	if (wp_hull_build(&input, hull_memory, sizeof hull_memory, &hull, NULL) != WP_OK)
		return work_fail(report, "no hull");
	shapes[BOX] = wp_shape_box(0.5f, 0.3f, 0.4f);
	shapes[CAPSULE] = wp_shape_capsule(0.3f, 0.4f);
	shapes[HULL] = wp_shape_hull(hull);
	if (!table_memory)
		table_memory = aligned_alloc(WP_ALIGNMENT, (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT);
	return (table_memory && wp_shape_table_build(shapes, SHAPES, table_memory, size, &table, NULL) == WP_OK) ||
	       work_fail(report, "no table");
}

/* Children at random places in a ball, whose volume grows with their number. */
static double make_children(const compound_cell *cell)
{
	const double reach = 0.5 * cbrt((double)cell->children);
	gen_random random;
	gen_seed(&random, SEED);
	for (uint32_t i = 0; i < cell->children; i++) {
		const v3 at = v3_scale(gen_direction(&random), reach * cbrt(gen_range(&random, 0.0, 1.0)));
		children[i] = (wp_compound_child){.position = {gen_rounded(at.x), gen_rounded(at.y), gen_rounded(at.z)},
			.shape = (uint32_t)(cell->kind == MIXED ? (int)gen_below(&random, SHAPES) : cell->kind)};
		gen_rotation(&random, children[i].rotation);
	}
	return reach + 0.5;
}

static void place_pairs(double size)
{
	gen_random random;
	gen_seed(&random, SEED + 1);
	for (size_t i = 0; i < 2 * PAIRS; i++) {
		v3 at = v3_of(
			gen_range(&random, -50.0, 50.0), gen_range(&random, -50.0, 50.0), gen_range(&random, -50.0, 50.0));
		if (i % 2 != 0)
			at = v3_add(v3_of_floats(poses[i - 1].position),
				v3_scale(gen_direction(&random), size * gen_range(&random, 1.2, 2.2)));
		poses[i] = (wp_pose){.position = {gen_rounded(at.x), gen_rounded(at.y), gen_rounded(at.z)}};
		gen_rotation(&random, poses[i].rotation);
	}
}

static wp_compound_batch batch_of_pairs(void)
{
	static uint32_t shape[2 * PAIRS], pairs[PAIRS][2];
	for (uint32_t i = 0; i < 2 * PAIRS; i++) {
		shape[i] = WP_COMPOUND;
		pairs[i / 2][i % 2] = i;
	}
	return (wp_compound_batch){.shapes = table,
		.compounds = &compound,
		.compound_count = 1,
		.a = {.position = {poses->position, sizeof *poses},
			.rotation = {poses->rotation, sizeof *poses},
			.shape = {shape, 0},
			.count = (size_t)2 * PAIRS},
		.pair_a = {&pairs[0][0], sizeof *pairs},
		.pair_b = {&pairs[0][1], sizeof *pairs},
		.count = PAIRS};
}

/* All pairs once. Returns how many points they have. */
static size_t pass(const compound_cell *cell, wp_compound_statistics *statistics)
{
	if (cell->library == BULLET)
		return peer_bullet_compounds_contact(scene);
	const wp_compound_batch batch = batch_of_pairs();
	const wp_results none = {.point_real = WP_REAL_FLOAT};
	const wp_contact_options options = {.max_separation = MAX_SEPARATION};
	const wp_compound_patches to = {.patch_count = {patch_counts, 0}, .patches = {patches[0], 0}, .patch_max = PATCHES};
	(void)wp_compound_contact_manifold(workspace, &batch, &options, &none, &to, statistics);
	size_t points = 0;
	for (size_t i = 0; i < PAIRS; i++)
		for (uint32_t k = 0; k < patch_counts[i]; k++)
			points += patches[i][k].point_count;
	return points;
}

static bool make_compound(uint32_t count, bench_report *report)
{
	const size_t size = wp_compound_size(count);
	wp_error error;
	free(compound_memory);
	compound_memory = aligned_alloc(WP_ALIGNMENT, size);
	workspace = work_workspace(WP_VARIANT_AUTO, 0, &error);
	return (compound_memory && workspace &&
			   wp_compound_build(children, count, table, compound_memory, size, &compound, NULL) == WP_OK) ||
	       work_fail(report, "no compound or workspace");
}

static bool prepare(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	const compound_cell *cell = context;
	(void)thread;
	(void)threads;
	if (!make_shapes(report))
		return false;
	place_pairs(make_children(cell));
	peer_bullet_compounds_free(scene);
	scene = NULL;
	if (cell->library == WIDEPHASE && !make_compound(cell->children, report))
		return false;
	if (cell->library == BULLET) {
		const peer_compounds all = {shapes, corners, 6, children, cell->children, poses, PAIRS};
		scene = peer_bullet_compounds_make(&all);
		if (!scene)
			return work_fail(report, "no memory for the peer's scene");
	}
	wp_compound_statistics statistics = {0};
	report->items = PAIRS;
	bench_count(report, "points", (double)pass(cell, &statistics) / PAIRS);
	if (cell->library == WIDEPHASE) {
		bench_count(report, "pairs", (double)statistics.pairs / PAIRS);
		bench_count(report, "solved", (double)statistics.solved / PAIRS);
		bench_count(report, "touched", (double)statistics.touched / PAIRS);
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

static bool add(int kind, uint32_t count, int library)
{
	char name[CELLS_NAME_MAX];
	compound_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (compound_cell){kind, library, count};
	snprintf(name, sizeof name, "compound/%s.%u/%s", kind_names[kind], count, library_names[library]);
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare, .run = run});
	return true;
}

/* ---- frames ------------------------------------------------------------------------------------- */

static void move_pairs(void)
{
	const float way = frame++ / TURN_BACK % 2 == 0 ? 1.0f : -1.0f;
	for (size_t i = 0; i < 2 * PAIRS; i++) {
		poses[i].position[i % 3] += way * STEP;
		poses[i].position[(i + 1) % 3] += way * STEP;
		poses[i].rotation[i % 4] += way * TURN / 2;
		const float *const q = poses[i].rotation;
		const float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
		for (int k = 0; k < 4; k++)
			poses[i].rotation[k] /= length;
	}
}

/* All pairs once. */
static void pass_frame(const frame_cell *cell, wp_compound_statistics *statistics)
{
	static const wp_results none = {.point_real = WP_REAL_FLOAT};
	const compound_cell plain = {MIXED, WIDEPHASE, cell->children};
	if (cell->motion != STILL)
		move_pairs();
	if (cell->way == UNTRACKED) {
		(void)pass(&plain, statistics);
		return;
	}
	const wp_compound_batch batch = batch_of_pairs();
	const wp_compound_track_options options = {.max_separation = MAX_SEPARATION, .merging = MAX_SEPARATION};
	const wp_compound_tracked_pairs pairs = {.pairs = tracked,
		.anchors = anchors,
		.patches = tracked_patches[0],
		.room = patches[0],
		.count = PAIRS,
		.patch_max = PATCHES};
	(void)wp_compound_track(workspace, &batch, &options, &pairs, &none, NULL, NULL, statistics);
}

static bool prepare_frames(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	const frame_cell *cell = context;
	const compound_cell plain = {MIXED, WIDEPHASE, cell->children};
	wp_compound_statistics statistics = {0};
	(void)thread;
	(void)threads;
	if (!make_shapes(report))
		return false;
	place_pairs((cell->motion == FLY ? 2 : 1) * make_children(&plain));
	if (!make_compound(cell->children, report))
		return false;
	memset(tracked, 0, sizeof tracked);
	frame = 0;
	pass_frame(cell, NULL);
	pass_frame(cell, &statistics);
	report->items = PAIRS;
	bench_count(report, "touching", (double)statistics.touching / PAIRS);
	bench_count(report, "solved", (double)statistics.solved / PAIRS);
	return true;
}

static void run_frames(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	(void)thread;
	(void)threads;
	for (uint64_t i = 0; i < iterations; i++)
		pass_frame(context, NULL);
}

static bool add_frames(int motion, uint32_t count, int way)
{
	char name[CELLS_NAME_MAX];
	frame_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (frame_cell){motion, way, count};
	snprintf(name, sizeof name, "compound_track/%s.%u/%s", motion_names[motion], count, way_names[way]);
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare_frames, .run = run_frames});
	return true;
}

bool cells_add_compounds(void)
{
	for (int motion = 0; motion < MOTIONS; motion++)
		for (int size = 0; size < SIZES; size++)
			for (int way = 0; way < WAYS; way++)
				if (!add_frames(motion, sizes[size], way))
					return false;
#ifdef PEER_BULLET
	const int libraries = LIBRARIES;
#else
	const int libraries = BULLET;
#endif
	for (int library = 0; library < libraries; library++)
		for (int kind = 0; kind < KINDS; kind++)
			for (int size = 0; size < SIZES; size++)
				if (!add(kind, sizes[size], library))
					return false;
	return true;
}

void cells_free_compounds(void)
{
	peer_bullet_compounds_free(scene);
	free(table_memory);
	free(compound_memory);
}
