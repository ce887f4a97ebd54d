/* Meshes: mesh_WHAT/terrain/LIBRARY, what is cook or load, per triangle, and box2, box10, ray or rays, per query. A million
 * triangles of hills; boxes of 2 and 10 cells a side about the surface, rays of a quarter of the terrain's width from above, one by
 * one or many in a call. Embree has no boxes. */
#include "cells.h"
#include "peers/mesh.h"
#include "support/surfaces.h"

#include <string.h>

#define WIDTH 708
#define QUERIES 20000
#define FOUND_MAX 1024
#define SEED 20240611

typedef enum mesh_work { WORK_COOK = 0, WORK_LOAD, WORK_BOX_2, WORK_BOX_10, WORK_RAY, WORK_RAYS, WORK_COUNT } mesh_work;

static const char *const work_names[WORK_COUNT] = {"cook", "load", "box2", "box10", "ray", "rays"};

typedef enum mesh_library { LIBRARY_WIDEPHASE = 0, LIBRARY_BULLET, LIBRARY_EMBREE, LIBRARY_COUNT } mesh_library;

static const char *const library_names[LIBRARY_COUNT] = {"widephase", "bullet", "embree"};

typedef struct mesh_cell {
	mesh_work which;
	mesh_library library;
} mesh_cell;

static surface terrain;
static const wp_mesh *mesh;
static void *bullet_mesh, *embree_mesh;
static wp_mesh_hit *hits;
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
	hits = cells_allocate(QUERIES * sizeof *hits);
	terrain = surface_terrain(WIDTH, WIDTH, SEED);
	if (!starts || !ways || !centres || !hits || !terrain.vertices || !terrain.triangles)
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
	if (cell->library == LIBRARY_BULLET)
		return peer_mesh_box(bullet_mesh, lower, upper);
	size_t count = 0, part;
	for (uint32_t cursor = 0; cursor < wp_mesh_triangle_count(mesh); count += part)
		(void)wp_mesh_overlap_box(mesh, lower, upper, &cursor, found, FOUND_MAX, &part);
	return count;
}

static size_t shoot(const mesh_cell *cell, size_t query)
{
	wp_mesh_hit hit;
	if (cell->library == LIBRARY_BULLET)
		return peer_mesh_ray(bullet_mesh, starts[query], ways[query]);
	if (cell->library == LIBRARY_EMBREE)
		return peer_embree_ray(embree_mesh, starts[query], ways[query]);
	(void)wp_mesh_ray(mesh, starts[query], ways[query], &hit);
	return hit.triangle != WP_MESH_MISS;
}

static size_t shoot_all(void)
{
	size_t count = 0;
	(void)wp_mesh_rays(mesh, &(wp_const_float_column){starts[0], 0}, &(wp_const_float_column){ways[0], 0}, QUERIES,
		&(wp_mesh_hit_column){hits, 0});
	for (size_t query = 0; query < QUERIES; query++)
		count += hits[query].triangle != WP_MESH_MISS;
	return count;
}

static void cook(mesh_library library)
{
	const wp_mesh_input input = surface_input(&terrain);
	const wp_mesh *other = NULL;
	if (library == LIBRARY_BULLET) {
		peer_mesh_free(peer_mesh_make(&input));
	} else if (library == LIBRARY_EMBREE) {
		peer_embree_free(peer_embree_make(&input));
	} else {
		(void)wp_cook_mesh(&input, &other, NULL);
		wp_cook_free_mesh(other);
	}
}

/* The cell's work once; how many triangles or hits were found. */
static size_t pass(const mesh_cell *cell)
{
	const wp_mesh *other = NULL;
	size_t count = 0;
	if (cell->which == WORK_COOK) {
		cook(cell->library);
	} else if (cell->which == WORK_LOAD) {
		(void)wp_mesh_from_memory(mesh, wp_mesh_byte_size(mesh), &other);
	} else if (cell->which == WORK_RAYS) {
		count = shoot_all();
	} else {
		for (size_t query = 0; query < QUERIES; query++)
			count += cell->which == WORK_RAY ? shoot(cell, query) : find(cell, query);
	}
	return count;
}

/* The mesh of a peer, where the cell has one. */
static bool make_peer(mesh_library library, bench_report *report)
{
	const wp_mesh_input input = surface_input(&terrain);
	if (library == LIBRARY_BULLET && !bullet_mesh)
		bullet_mesh = peer_mesh_make(&input);
	if (library == LIBRARY_EMBREE && !embree_mesh)
		embree_mesh = peer_embree_make(&input);
	const bool has = library == LIBRARY_WIDEPHASE || (library == LIBRARY_BULLET ? bullet_mesh : embree_mesh) != NULL;
	return has || work_fail(report, "no memory for the peer's mesh");
}

static bool prepare(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	const mesh_cell *cell = context;
	(void)thread;
	(void)threads;
	if (!load(report) || !make_peer(cell->library, report))
		return false;
	const bool is_whole = cell->which == WORK_COOK || cell->which == WORK_LOAD;
	report->items = is_whole ? (double)terrain.triangle_count : QUERIES;
	if (is_whole && cell->library == LIBRARY_WIDEPHASE)
		bench_count(report, "bytes_per_triangle", (double)wp_mesh_byte_size(mesh) / (double)terrain.triangle_count);
	if (!is_whole)
		bench_count(report, cell->which >= WORK_RAY ? "hits" : "found", (double)pass(cell) / QUERIES);
	return true;
}

static void run(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	(void)thread;
	(void)threads;
	for (uint64_t i = 0; i < iterations; i++)
		pass(context);
}

static bool add(mesh_work which, mesh_library library)
{
	char name[CELLS_NAME_MAX];
	mesh_cell *cell = cells_allocate(sizeof *cell);
	if (!cell)
		return false;
	*cell = (mesh_cell){which, library};
	snprintf(name, sizeof name, "mesh_%s/terrain/%s", work_names[which], library_names[library]);
	bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare, .run = run});
	return true;
}

static bool has_cell(mesh_work which, mesh_library library)
{
	if (library == LIBRARY_BULLET)
		return peer_mesh_is_built && which != WORK_LOAD && which != WORK_RAYS;
	if (library == LIBRARY_EMBREE)
		return peer_embree_is_built && (which == WORK_COOK || which == WORK_RAY);
	return true;
}

bool cells_add_meshes(void)
{
	for (int which = 0; which < WORK_COUNT; which++)
		for (int library = 0; library < LIBRARY_COUNT; library++)
			if (has_cell((mesh_work)which, (mesh_library)library) && !add((mesh_work)which, (mesh_library)library))
				return false;
	return true;
}

void cells_free_meshes(void)
{
	wp_cook_free_mesh(mesh);
	if (bullet_mesh)
		peer_mesh_free(bullet_mesh);
	if (embree_mesh)
		peer_embree_free(embree_mesh);
	surface_free(&terrain);
}
