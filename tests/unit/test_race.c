/* Inputs that another thread writes while a query reads them: rows may get any answer, and nothing outside of the caller's
 * arrays is touched. The arrays end at a page that may not be read. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/block.h"
#include "support/gen_random.h"
#include "support/unit.h"
#include "widephase/widephase.h"

enum { BODIES = 400, PAIRS = 4000, ROUNDS = 40, KINDS = 5 };

/* What both threads see. Bodies are beside each other in memory, the last one before the end. */
typedef struct body {
	double position[3];
	float rotation[4];
	uint32_t shape;
} body;

typedef struct plane_body {
	double position[2];
	float rotation[2];
	uint32_t shape;
} plane_body;

static body *bodies;
static plane_body *plane_bodies;
static uint32_t (*pairs)[2];
static wp_cache *caches;
static uint32_t *indices; /* of tracked pairs */
static wp_tracked *tracked, *mesh_tracked, *compound_tracked;
static float (*ways)[3], (*directions)[3]; /* of bodies, of pairs */
static atomic_bool is_over;

/* Memory that ends where reading ends the test. */
static void *before_the_end(size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
	unsigned char *const at = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert(at != MAP_FAILED && mprotect(at + whole, page, PROT_NONE) == 0);
	return at + whole - size;
}

static void *write_anything(void *unused)
{
	static const uint32_t any_index[] = {0, 1, KINDS - 1, BODIES - 1, BODIES, 1u << 20, 1u << 31, UINT32_MAX};
	static const double any_number[] = {0, 1, -2.5, 1e30, 1e300, NAN, INFINITY};
	gen_random random;
	gen_seed(&random, 5);
	while (!atomic_load(&is_over)) {
		const uint32_t i = gen_below(&random, BODIES), k = gen_below(&random, PAIRS);
		bodies[i].position[gen_below(&random, 3)] = any_number[gen_below(&random, 7)];
		bodies[i].rotation[gen_below(&random, 4)] = (float)any_number[gen_below(&random, 7)];
		bodies[i].shape = any_index[gen_below(&random, 8)];
		plane_bodies[i].position[gen_below(&random, 2)] = any_number[gen_below(&random, 7)];
		plane_bodies[i].shape = any_index[gen_below(&random, 8)];
		pairs[k][gen_below(&random, 2)] = any_index[gen_below(&random, 8)];
		indices[k] = any_index[gen_below(&random, 8)];
		caches[k].vertex[gen_below(&random, 4)] = (uint32_t)gen_bits(&random);
		caches[k].count = gen_below(&random, 9);
	}
	return unused;
}

static void fill(void)
{
	gen_random random;
	gen_seed(&random, 6);
	for (uint32_t i = 0; i < BODIES; i++) {
		bodies[i] = (body){.rotation = {0, 0, 0, 1}, .shape = gen_below(&random, KINDS)};
		plane_bodies[i] = (plane_body){.rotation = {1, 0}, .shape = gen_below(&random, 2)};
		for (int k = 0; k < 3; k++)
			bodies[i].position[k] = gen_range(&random, -3, 3);
		for (int k = 0; k < 2; k++)
			plane_bodies[i].position[k] = gen_range(&random, -3, 3);
	}
	for (uint32_t i = 0; i < PAIRS; i++)
		for (int side = 0; side < 2; side++)
			pairs[i][side] = gen_below(&random, BODIES);
	for (uint32_t i = 0; i < BODIES; i++)
		ways[i][i % 3] = 1;
	for (uint32_t i = 0; i < PAIRS; i++) {
		directions[i][i % 3] = 1;
		indices[i] = i;
	}
}

static const wp_shape_table *make_table(void)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096], hull_memory[4096];
	static const float corners[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
	const wp_hull_input input = {.vertices = {corners[0]}, .vertex_count = 6};
	const wp_hull *hull;
	const wp_shape_table *table;
	cr_assert_eq(wp_hull_build(&input, hull_memory, sizeof hull_memory, &hull, NULL), WP_OK);
	const wp_shape shapes[KINDS] = {wp_shape_box(1, 1, 1), wp_shape_capsule(0.5f, 1), wp_shape_hull(hull),
		wp_shape_cylinder(0.5f, 1), wp_shape_half_space()};
	cr_assert_eq(wp_shape_table_build(shapes, KINDS, memory, sizeof memory, &table, NULL), WP_OK);
	return table;
}

static void ask_all(wp_workspace *workspace, const wp_shape_table *table)
{
	static float points[2][PAIRS][3], fraction[PAIRS];
	static double wide_points[2][PAIRS][3];
	static uint32_t count[PAIRS];
	static wp_manifold_point manifold[PAIRS][4];
	const wp_motions motions = {.translation = {ways[0]}, .rotation = {bodies[0].rotation, sizeof *bodies}};
	const wp_batch batch = {.shapes = table,
		.a = {.position = {bodies[0].position, sizeof *bodies},
			.rotation = {bodies[0].rotation, sizeof *bodies},
			.shape = {&bodies[0].shape, sizeof *bodies},
			.count = BODIES,
			.position_real = WP_REAL_DOUBLE},
		.pair_a = {&pairs[0][0], sizeof *pairs},
		.pair_b = {&pairs[0][1], sizeof *pairs},
		.count = PAIRS};
	const wp_results narrow = {.point_a = {points[0]}, .point_b = {points[1]}, .cache = {caches}};
	const wp_results results = {
		.point_a = {wide_points[0]}, .point_b = {wide_points[1]}, .cache = {caches}, .point_real = WP_REAL_DOUBLE};
	const wp_manifolds manifolds = {.count = {count}, .points = {manifold[0]}};
	cr_assert_eq(wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = 1}, &narrow, NULL), WP_OK);
	cr_assert_eq(wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = 1}, &results, NULL), WP_OK);
	cr_assert_eq(wp_distance(workspace, &batch, &results, NULL), WP_OK);
	cr_assert_eq(wp_overlap(workspace, &batch, &results, NULL), WP_OK);
	cr_assert_eq(
		wp_contact_manifold(workspace, &batch, &(wp_contact_options){.max_separation = 1}, &results, &manifolds, NULL),
		WP_OK);
	const wp_batch cold = {
		.shapes = table, .a = batch.a, .pair_a = batch.pair_a, .pair_b = batch.pair_b, .count = PAIRS / 8};
	cr_assert_eq(wp_depth_along(workspace, &cold, &(wp_const_float_column){directions[0], 0}, &narrow, NULL), WP_OK);
	cr_assert_eq(wp_cast(workspace, &cold, &motions, NULL, &narrow, &(wp_float_column){fraction, 0}, NULL), WP_OK);
}

static void track_all(wp_workspace *workspace, const wp_shape_table *table)
{
	static wp_persistent_manifold manifolds[PAIRS];
	static wp_mesh_tracked_anchor anchors[PAIRS];
	static wp_mesh_tracked_patch patches[PAIRS];
	static wp_compound_tracked_anchor compound_anchors[PAIRS];
	static wp_compound_tracked_patch compound_patches[PAIRS];
	static wp_compound_patch room[PAIRS];
	static const float heights[4][4], upright[4] = {0, 0, 0, 1};
	static const double origin[3];
	static const uint32_t fields[PAIRS];
	const wp_height_field field = {.samples = heights, .columns = 4, .rows = 4, .spacing = {1, 1}}, *const all = &field;
	const wp_bodies moving = {.position = {bodies[0].position, sizeof *bodies},
		.rotation = {bodies[0].rotation, sizeof *bodies},
		.shape = {&bodies[0].shape, sizeof *bodies},
		.count = BODIES,
		.position_real = WP_REAL_DOUBLE};
	const wp_batch batch = {.shapes = table,
		.a = moving,
		.pair_a = {&pairs[0][0], sizeof *pairs},
		.pair_b = {&pairs[0][1], sizeof *pairs},
		.count = PAIRS};
	const wp_mesh_batch on_ground = {.shapes = table,
		.a = moving,
		.b = {.position = {origin}, .rotation = {upright}, .count = 1, .position_real = WP_REAL_DOUBLE},
		.pair_a = {&pairs[0][0], sizeof *pairs},
		.pair_b = {fields},
		.count = PAIRS,
		.height_fields = &all,
		.height_field_count = 1};
	const wp_tracked_pairs kept = {.pairs = tracked, .manifolds = manifolds, .count = PAIRS, .index = {indices}};
	const wp_mesh_tracked_pairs kept_on_ground = {.pairs = mesh_tracked,
		.anchors = anchors,
		.patches = patches,
		.count = PAIRS,
		.patch_max = 1,
		.index = {indices}};
	const wp_compound_batch any_bodies = {
		.shapes = table, .a = moving, .pair_a = batch.pair_a, .pair_b = batch.pair_b, .count = PAIRS};
	const wp_compound_tracked_pairs kept_of_any = {.pairs = compound_tracked,
		.anchors = compound_anchors,
		.patches = compound_patches,
		.room = room,
		.count = PAIRS,
		.patch_max = 1,
		.index = {indices}};
	const wp_compound_track_options any_options = {.max_separation = 1};
	const wp_track_options options = {.max_separation = 1};
	const wp_mesh_track_options mesh_options = {.max_separation = 1};
	const wp_results nowhere = {.separation = {NULL}};
	const wp_mesh_results no_patches = {.separation = {NULL}};
	cr_assert_eq(wp_track(workspace, &batch, &options, &kept, &nowhere, NULL, NULL), WP_OK);
	cr_assert_eq(wp_mesh_track(workspace, &on_ground, &mesh_options, &kept_on_ground, &no_patches, NULL, NULL), WP_OK);
	cr_assert_eq(
		wp_compound_track(workspace, &any_bodies, &any_options, &kept_of_any, &nowhere, NULL, NULL, NULL), WP_OK);
}

static void ask_plane(wp_workspace *workspace)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[4096];
	static double points[2][PAIRS][2];
	static uint32_t count[PAIRS];
	static wp2d_manifold_point manifold[PAIRS][WP2D_MANIFOLD_POINT_MAX];
	const wp2d_shape shapes[2] = {wp2d_shape_circle(1), wp2d_shape_capsule(0.5f, 1)};
	const wp2d_shape_table *table;
	cr_assert_eq(wp2d_shape_table_build(shapes, 2, memory, sizeof memory, &table, NULL), WP_OK);
	const wp2d_batch batch = {.shapes = table,
		.a = {.position = {plane_bodies[0].position, sizeof *plane_bodies},
			.rotation = {plane_bodies[0].rotation, sizeof *plane_bodies},
			.shape = {&plane_bodies[0].shape, sizeof *plane_bodies},
			.count = BODIES,
			.position_real = WP_REAL_DOUBLE},
		.pair_a = {&pairs[0][0], sizeof *pairs},
		.pair_b = {&pairs[0][1], sizeof *pairs},
		.count = PAIRS};
	const wp2d_results results = {.point_a = {points[0]}, .point_b = {points[1]}, .point_real = WP_REAL_DOUBLE};
	const wp2d_manifolds manifolds = {.count = {count}, .points = {manifold[0]}};
	cr_assert_eq(wp2d_contact(workspace, &batch, &(wp_contact_options){.max_separation = 1}, &results, NULL), WP_OK);
	cr_assert_eq(wp2d_contact_manifold(
					 workspace, &batch, &(wp_contact_options){.max_separation = 1}, &results, &manifolds, NULL),
		WP_OK);
	cr_assert_eq(wp2d_cast(workspace, &batch, NULL, NULL, &results, NULL, NULL), WP_OK);
}

Test(race, inputs_may_change_while_they_are_read)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	wp_workspace *workspace;
	pthread_t writer;
	bodies = before_the_end(BODIES * sizeof *bodies);
	plane_bodies = before_the_end(BODIES * sizeof *plane_bodies);
	pairs = before_the_end(PAIRS * sizeof *pairs);
	caches = before_the_end(PAIRS * sizeof *caches);
	ways = before_the_end(BODIES * sizeof *ways);
	directions = before_the_end(PAIRS * sizeof *directions);
	indices = before_the_end(PAIRS * sizeof *indices);
	tracked = before_the_end(PAIRS * sizeof *tracked);
	mesh_tracked = before_the_end(PAIRS * sizeof *mesh_tracked);
	compound_tracked = before_the_end(PAIRS * sizeof *compound_tracked);
	cr_assert_eq(wp_workspace_init(memory, sizeof memory, WP_VARIANT_AUTO, &workspace), WP_OK);
	const wp_shape_table *const table = make_table();
	cr_assert_eq(pthread_create(&writer, NULL, write_anything, NULL), 0);
	for (int i = 0; i < ROUNDS; i++) {
		fill();
		ask_all(workspace, table);
		ask_plane(workspace);
		track_all(workspace, table);
	}
	atomic_store(&is_over, true);
	pthread_join(writer, NULL);
}
