/* Meshes: mesh_WHAT/terrain/LIBRARY, what is cook or load, per triangle, and box2, box10 or ray, per query. A million triangles of
 * hills; boxes of 2 and 10 cells a side about the surface, rays of a quarter of the terrain's width from above. */
#include "cells.h"
#include "peers/mesh.h"
#include "support/surfaces.h"

#include <string.h>

#define WIDTH 708
#define QUERIES 20000
#define FOUND_MAX 1024
#define SEED 20240611

typedef enum mesh_work { WORK_COOK = 0, WORK_LOAD, WORK_BOX_2, WORK_BOX_10, WORK_RAY, WORK_COUNT } mesh_work;

static const char *const work_names[WORK_COUNT] = {"cook", "load", "box2", "box10", "ray"};

typedef struct mesh_cell {
	mesh_work which;
	bool is_peer;
} mesh_cell;

static surface terrain;
static const wp_mesh *mesh;
static void *peer_mesh;
static float (*starts)[3], (*ways)[3], (*centres)[3];

static void make_queries(void)
{
	gen_random random;
	gen_seed(&random, SEED);
	for (size_t i = 0; i < QUERIES; i++) {
		const float *const at = terrain.vertices[gen_below(&random, (uint32_t)terrain.vertex_count)];
		memcpy(centres[i], at, sizeof centres[i]);
		for (int k = 0; k < 3; k++) {
			const double from = k == 1 ? gen_range(&random, 60, 120) : gen_range(&random, 0, WIDTH);
			starts[i][k] = gen_rounded(from);
			ways[i][k] = gen_rounded(k == 1 ? -240 : gen_range(&random, -0.25 * WIDTH, 0.25 * WIDTH));
		}
	}
}

static bool load(bench_report *report)
{
	if (mesh)
		return true;
	starts = cells_allocate(QUERIES * sizeof *starts);
	ways = cells_allocate(QUERIES * sizeof *ways);
	centres = cells_allocate(QUERIES * sizeof *centres);
	terrain = surface_terrain(WIDTH, WIDTH, SEED);
	if (!starts || !ways || !centres || !terrain.vertices || !terrain.triangles)
		return work_fail(report, "no memory for the terrain");
	const wp_mesh_input input = surface_input(&terrain);
	const wp_error error = wp_cook_mesh(&input, &mesh, NULL);
	make_queries();
	return error == WP_OK || work_fail(report, wp_error_text(error));
}

static size_t find(const mesh_cell *cell, size_t query)
{
	static uint32_t found[FOUND_MAX];
	const float half = cell->which == WORK_BOX_10 ? 5 : 1;
	float lower[3], upper[3];
	for (int k = 0; k < 3; k++) {
		lower[k] = centres[query][k] - half;
		upper[k] = centres[query][k] + half;
	}
	if (cell->is_peer)
		return peer_mesh_box(peer_mesh, lower, upper);
	size_t count = 0, part;
	for (uint32_t cursor = 0; cursor < wp_mesh_triangle_count(mesh); count += part)
		(void)wp_mesh_overlap_box(mesh, lower, upper, &cursor, found, FOUND_MAX, &part);
	return count;
}

static size_t shoot(const mesh_cell *cell, size_t query)
{
	wp_mesh_hit hit;
	if (cell->is_peer)
		return peer_mesh_ray(peer_mesh, starts[query], ways[query]);
	(void)wp_mesh_ray(mesh, starts[query], ways[query], &hit);
	return hit.triangle != WP_MESH_MISS;
}

/* The cell's work once; how many triangles or hits were found. */
static size_t pass(const mesh_cell *cell)
{
	const wp_mesh_input input = surface_input(&terrain);
	const wp_mesh *other = NULL;
	size_t count = 0;
	if (cell->which == WORK_COOK && cell->is_peer) {
		peer_mesh_free(peer_mesh_make(&input));
	} else if (cell->which == WORK_COOK) {
		(void)wp_cook_mesh(&input, &other, NULL);
		wp_cook_free_mesh(other);
	} else if (cell->which == WORK_LOAD) {
		(void)wp_mesh_from_memory(mesh, wp_mesh_byte_size(mesh), &other);
	} else {
		for (size_t query = 0; query < QUERIES; query++)
			count += cell->which == WORK_RAY ? shoot(cell, query) : find(cell, query);
	}
	return count;
}

static bool prepare(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	const mesh_cell *cell = context;
	(void)thread;
	(void)threads;
	if (!load(report))
		return false;
	const wp_mesh_input input = surface_input(&terrain);
	if (cell->is_peer && !peer_mesh)
		peer_mesh = peer_mesh_make(&input);
	if (cell->is_peer && !peer_mesh)
		return work_fail(report, "no memory for the peer's mesh");
	const bool is_whole = cell->which == WORK_COOK || cell->which == WORK_LOAD;
	report->items = is_whole ? (double)terrain.triangle_count : QUERIES;
	if (is_whole && !cell->is_peer)
		bench_count(report, "bytes_per_triangle", (double)wp_mesh_byte_size(mesh) / (double)terrain.triangle_count);
	if (!is_whole)
		bench_count(report, cell->which == WORK_RAY ? "hits" : "found", (double)pass(cell) / QUERIES);
	return true;
}

static void run(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	(void)thread;
	(void)threads;
	for (uint64_t i = 0; i < iterations; i++)
		pass(context);
}

static bool add(mesh_work which, bool is_peer)
{
	char name[CELLS_NAME_MAX];
	mesh_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (mesh_cell){which, is_peer};
	snprintf(name, sizeof name, "mesh_%s/terrain/%s", work_names[which], is_peer ? "bullet" : "widephase");
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare, .run = run});
	return true;
}

bool cells_add_meshes(void)
{
	for (int which = 0; which < WORK_COUNT; which++) {
		if (!add((mesh_work)which, false))
			return false;
		if (peer_mesh_is_built && which != WORK_LOAD && !add((mesh_work)which, true))
			return false;
	}
	return true;
}

void cells_free_meshes(void)
{
	wp_cook_free_mesh(mesh);
	if (peer_mesh)
		peer_mesh_free(peer_mesh);
	surface_free(&terrain);
}
