/* However the caller's machine rounds: every call gives the bits that it gives where that is to nearest, and leaves the mode as it
 * was. Cooked hulls are in test_cook.c, and manifolds that persist in test_persist.c. */
#include "support/block.h"
#include "support/compound_children.h"
#include "support/cooked.h"
#include "support/gen_2d.h"
#include "support/mesh_answer.h"
#include "support/mesh_bodies.h"
#include "support/rounding.h"
#include "support/unit.h"

enum { BODIES = 24, ROWS = 40, ROWS_2D = 40, SIDE = 8, PATCHES = 4, HITS = 8, FRAMES = 3, BYTES = 1 << 20 };

static wp_workspace *workspace;
static wp_shape shapes[SHAPES];
static const wp_shape_table *table;
static wp_compound_child children[COMPOUNDS][CHILDREN];
static const wp_compound *compounds[COMPOUNDS];
static surface rough;
static const wp_mesh *hills;
static float heights[SIDE * SIDE];
static wp_height_field field;
static const wp_height_field *fields[1];
static body bodies[BODIES], solids[BODIES], places[2];
static wp_pose poses[BODIES]; /* of both, in float */
static uint32_t pair_a[ROWS], pair_b[ROWS], surface_b[ROWS];
static float ways[BODIES][3], turned[BODIES][4], directions[ROWS][3], starts[HITS][3], rays[HITS][3];
static gen_2d_pair pairs_2d[ROWS_2D];
static wp2d_shape shapes_2d[2 * ROWS_2D];
static wp2d_pose poses_2d[2 * ROWS_2D], ends_2d[2 * ROWS_2D];
static float ways_2d[2 * ROWS_2D][2];
static const wp2d_shape_table *table_2d;

/* ---- what a call answers -------------------------------------------------------------------------- */

static unsigned char *answer; /* [BYTES] */
static size_t answered;
static bool failed;

static void put(const void *from, size_t size)
{
	cr_assert_leq(answered + size, BYTES);
	memcpy(answer + answered, from, size);
	answered += size;
}

static void check(wp_error error) { failed |= error != WP_OK; }

/* Room for rows, and what else queries answer. */
static wp_row rows[ROWS];
static float fractions[ROWS];

static wp_results fresh_rows(void)
{
	memset(rows, 0, sizeof rows);
	memset(fractions, 0, sizeof fractions);
	return wp_results_of_rows(rows);
}

static void put_rows(wp_error error)
{
	check(error);
	put(rows, sizeof rows);
	put(fractions, sizeof fractions);
}

/* ---- the scene ------------------------------------------------------------------------------------ */

static void place_bodies(void)
{
	gen_random random;
	gen_seed(&random, 1);
	for (uint32_t i = 0; i < BODIES; i++) {
		body *const b = &bodies[i];
		b->shape = i < HALF_SPACE ? i : i % 2 == 0 ? i % HALF_SPACE : WP_COMPOUND + i / 2 % COMPOUNDS;
		gen_rotation(&random, b->rotation);
		gen_rotation(&random, turned[i]);
		for (int k = 0; k < 3; k++) {
			b->position[k] = gen_range(&random, -1.2, 1.2);
			ways[i][k] = gen_rounded(gen_range(&random, -2, 2));
		}
		solids[i] = *b;
		solids[i].shape = i % SHAPES;
		poses[i] = pose_at(b->position[0], b->position[1], b->position[2]);
		memcpy(poses[i].rotation, b->rotation, sizeof poses[i].rotation);
	}
	for (uint32_t i = 0; i < ROWS; i++) {
		pair_a[i] = i % BODIES;
		pair_b[i] = (i + 1 + i / BODIES) % BODIES;
		surface_b[i] = i % 2;
		for (int k = 0; k < 3; k++)
			directions[i][k] = gen_rounded(gen_range(&random, -1, 1));
	}
	for (uint32_t i = 0; i < HITS; i++)
		for (int k = 0; k < 3; k++) {
			starts[i][k] = gen_rounded(gen_range(&random, 2, SIDE - 2) + (k == 1 ? 4 : 0));
			rays[i][k] = gen_rounded(k == 1 ? -20 : gen_range(&random, -2, 2));
		}
}

static void make_surfaces(void)
{
	surface s = surface_terrain(SIDE, SIDE, 1);
	for (size_t i = 0; i < s.vertex_count; i++)
		heights[i] = s.vertices[i][1];
	hills = cook_surface(&s);
	rough = surface_terrain(SIDE, SIDE, 2);
	field = (wp_height_field){
		.samples = heights, .columns = SIDE, .rows = SIDE, .spacing = {1.1f, 0.9f}, .scale = 0.7f, .offset = 0.1f};
	fields[0] = &field;
	for (uint32_t i = 0; i < 2; i++)
		places[i] = (body){.position = {-3.3, -0.9, -3.7}, .rotation = {0.1f, 0.02f, -0.03f, 0.9944384f}, .shape = i};
}

static void make_2d(void)
{
	gen_random random;
	gen_seed(&random, 2);
	for (uint32_t i = 0; i < ROWS_2D; i++) {
		gen_2d(5, i, &pairs_2d[i]);
		for (uint32_t k = 0; k < 2; k++) {
			shapes_2d[2 * i + k] = pairs_2d[i].shape[k];
			poses_2d[2 * i + k] = pairs_2d[i].pose[k];
			ends_2d[2 * i + k] = pairs_2d[i].pose[1 - k];
			for (int axis = 0; axis < 2; axis++)
				ways_2d[2 * i + k][axis] = gen_rounded(gen_range(&random, -2, 2));
		}
	}
	const size_t size = wp2d_shape_table_size(shapes_2d, 2 * ROWS_2D);
	cr_assert_eq(wp2d_shape_table_build(shapes_2d, 2 * ROWS_2D, block(size), size, &table_2d, NULL), WP_OK);
}

static void setup(void)
{
	const size_t size = wp_shape_table_size(SHAPES);
	workspace = workspace_of(WP_VARIANT_AUTO);
	answer = block(BYTES);
	put_shapes(shapes);
	cr_assert_eq(wp_shape_table_build(shapes, SHAPES, block(size), size, &table, NULL), WP_OK);
	build_compounds(table, children, compounds);
	make_surfaces();
	place_bodies();
	make_2d();
}

TestSuite(modes, .init = setup);

static wp_batch batch_of_solids(void)
{
	return (wp_batch){
		.shapes = table, .a = bodies_of(solids, BODIES), .pair_a = {pair_a, 0}, .pair_b = {pair_b, 0}, .count = ROWS};
}

static wp_compound_batch batch_of_compounds(void)
{
	return (wp_compound_batch){.shapes = table,
		.compounds = compounds,
		.compound_count = COMPOUNDS,
		.a = bodies_of(bodies, BODIES),
		.pair_a = {pair_a, 0},
		.pair_b = {pair_b, 0},
		.count = ROWS};
}

static wp_mesh_batch batch_on(const body *on)
{
	return (wp_mesh_batch){.shapes = table,
		.meshes = &hills,
		.mesh_count = 1,
		.height_fields = fields,
		.height_field_count = 1,
		.a = bodies_of(on, BODIES),
		.b = bodies_of(places, 2),
		.pair_a = {pair_a, 0},
		.pair_b = {surface_b, 0},
		.count = ROWS};
}

static wp2d_batch batch_2d(void)
{
	return (wp2d_batch){.shapes = table_2d,
		.a = {.position = {poses_2d[0].position, sizeof poses_2d[0]},
			.rotation = {poses_2d[0].rotation, sizeof poses_2d[0]},
			.count = 2 * ROWS_2D},
		.count = ROWS_2D};
}

static const wp_contact_options near = {.max_separation = 0.3f};
static const wp_motions moves = {.translation = {ways[0], 0}, .rotation = {turned[0], 0}}, rest;

/* ---- batches -------------------------------------------------------------------------------------- */

static void ask_overlap(void)
{
	const wp_batch batch = batch_of_solids();
	const wp_results to = fresh_rows();
	put_rows(wp_overlap(workspace, &batch, &to, NULL));
}

static void ask_distance(void)
{
	const wp_batch batch = batch_of_solids();
	const wp_results to = fresh_rows();
	put_rows(wp_distance(workspace, &batch, &to, NULL));
}

static void ask_contact(void)
{
	const wp_batch batch = batch_of_solids();
	const wp_results to = fresh_rows();
	put_rows(wp_contact(workspace, &batch, &near, &to, NULL));
}

static void ask_manifold(void)
{
	static wp_manifold_point points[ROWS][WP_MANIFOLD_POINT_MAX];
	static uint32_t count[ROWS];
	const wp_batch batch = batch_of_solids();
	const wp_results to = fresh_rows();
	const wp_manifolds manifolds = {
		.count = {count, 0}, .points = {points[0], sizeof points[0]}, .point_max = WP_MANIFOLD_POINT_MAX};
	memset(points, 0, sizeof points);
	put_rows(wp_contact_manifold(workspace, &batch, &near, &to, &manifolds, NULL));
	put(points, sizeof points);
	put(count, sizeof count);
}

static void ask_by_method(void)
{
	const wp_batch batch = batch_of_solids();
	for (uint32_t method = WP_METHOD_AUTO; method < WP_METHOD_COUNT; method++) {
		const wp_method_options by = {.method = method, .directions = 64, .margin = 0.05f};
		const wp_results to = fresh_rows();
		put_rows(wp_contact_by_method(workspace, &batch, &near, &by, &to, NULL));
	}
}

static void ask_cast(void)
{
	const wp_batch batch = batch_of_solids();
	const wp_results to = fresh_rows();
	put_rows(wp_cast(workspace, &batch, &moves, &rest, &to, &(wp_float_column){fractions, 0}, NULL));
}

static void ask_depth(void)
{
	const wp_batch batch = batch_of_solids();
	const wp_results to = fresh_rows();
	put_rows(wp_depth_along(workspace, &batch, &(wp_const_float_column){directions[0], 0}, &to, NULL));
}

static float lower[BODIES][3], upper[BODIES][3];
static const wp_bounds boxes = {.lower = {lower, 0}, .upper = {upper, 0}};

static void put_boxes(wp_error error)
{
	check(error);
	put(lower, sizeof lower);
	put(upper, sizeof upper);
}

static void ask_bounds(void)
{
	wp_batch batch = batch_of_solids();
	batch.count = BODIES;
	put_boxes(wp_bodies_bounds(&batch, &near, &boxes));
}

static void ask_track(void)
{
	static wp_tracked pairs[ROWS];
	static wp_persistent_manifold manifolds[ROWS];
	static wp_tracked_anchor anchors[ROWS];
	const wp_batch batch = batch_of_solids();
	const wp_track_options options = {.max_separation = 0.3f, .reuse_error = 0.01f};
	const wp_tracked_pairs tracked = {.pairs = pairs, .manifolds = manifolds, .anchors = anchors, .count = ROWS};
	memset(pairs, 0, sizeof pairs);
	memset(manifolds, 0, sizeof manifolds);
	memset(anchors, 0, sizeof anchors);
	for (int frame = 0; frame < FRAMES; frame++) {
		const wp_results to = fresh_rows();
		put_rows(wp_track(workspace, &batch, &options, &tracked, &to, NULL, NULL));
		put(manifolds, sizeof manifolds);
	}
}

static void ask_reference(void)
{
	static wp_reference_row answers[ROWS];
	const wp_batch batch = batch_of_solids();
	check(wp_reference_contact(&batch, shapes, SHAPES, answers));
	put(answers, sizeof answers);
}

/* ---- single pairs --------------------------------------------------------------------------------- */

/* A query of each pair, of shapes and of a table: `which` of six. */
static void ask_pair(int which)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		const body *const of_a = &solids[pair_a[i]], *const of_b = &solids[pair_b[i]];
		const wp_shape *const shape_a = &shapes[of_a->shape], *const shape_b = &shapes[of_b->shape];
		const wp_pose a = poses[pair_a[i]], b = poses[pair_b[i]], end = poses[(i + 5) % BODIES];
		const wp_pair pair = pair_of(table, of_a->shape, &a, of_b->shape, &b);
		const wp_motions turn = {{ways[i % BODIES], 0}, {turned[i % BODIES], 0}};
		wp_manifold_point points[2][WP_MANIFOLD_POINT_MAX];
		wp_row row[2];
		float fraction[2] = {0, 0};
		uint32_t count[2] = {0, 0};
		memset(points, 0, sizeof points);
		memset(row, 0, sizeof row);
		if (which == 0) {
			check(wp_overlap_pair(workspace, shape_a, &a, shape_b, &b, &row[0]));
			check(wp_overlap_prepared(workspace, &pair, NULL, &row[1]));
		} else if (which == 1) {
			check(wp_distance_pair(workspace, shape_a, &a, shape_b, &b, &row[0]));
			check(wp_distance_prepared(workspace, &pair, NULL, &row[1]));
		} else if (which == 2) {
			check(wp_contact_pair(workspace, shape_a, &a, shape_b, &b, &near, &row[0]));
			check(wp_contact_prepared(workspace, &pair, &near, NULL, &row[1]));
		} else if (which == 3) {
			check(wp_contact_manifold_pair(
				workspace, shape_a, &a, shape_b, &b, &near, &row[0], points[0], WP_MANIFOLD_POINT_MAX, &count[0]));
			check(wp_contact_manifold_prepared(
				workspace, &pair, &near, NULL, &row[1], points[1], WP_MANIFOLD_POINT_MAX, &count[1]));
		} else if (which == 4) {
			check(wp_cast_pair(workspace, shape_a, &a, shape_b, &b, &end, &b, &row[0], &fraction[0]));
			check(wp_cast_prepared(workspace, &pair, &turn, NULL, &row[1], &fraction[1]));
		} else {
			check(wp_depth_along_pair(workspace, shape_a, &a, shape_b, &b, directions[i], &row[0]));
			check(wp_depth_along_prepared(workspace, &pair, directions[i], &row[1]));
		}
		put(row, sizeof row);
		put(points, sizeof points);
		put(fraction, sizeof fraction);
		put(count, sizeof count);
	}
}

static void ask_overlap_pair(void) { ask_pair(0); }
static void ask_distance_pair(void) { ask_pair(1); }
static void ask_contact_pair(void) { ask_pair(2); }
static void ask_manifold_pair(void) { ask_pair(3); }
static void ask_cast_pair(void) { ask_pair(4); }
static void ask_depth_pair(void) { ask_pair(5); }

static void ask_reference_pair(void)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		const body *const a = &solids[pair_a[i]], *const b = &solids[pair_b[i]];
		wp_reference_row row;
		memset(&row, 0, sizeof row);
		check(wp_reference_contact_pair(
			&shapes[a->shape], a->position, a->rotation, &shapes[b->shape], b->position, b->rotation, &row));
		put(&row, sizeof row);
	}
}

static void ask_tangents(void)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		float tangent[2][3];
		wp_tangents(directions[i], tangent[0], tangent[1]);
		put(tangent, sizeof tangent);
	}
}

/* ---- in 2D ---------------------------------------------------------------------------------------- */

static wp2d_row rows_2d[ROWS_2D];
static wp2d_manifold_point points_2d[ROWS_2D][WP2D_MANIFOLD_POINT_MAX];
static uint32_t counts_2d[ROWS_2D];

static wp2d_results fresh_rows_2d(void)
{
	memset(rows_2d, 0, sizeof rows_2d);
	memset(points_2d, 0, sizeof points_2d);
	memset(counts_2d, 0, sizeof counts_2d);
	memset(fractions, 0, sizeof fractions);
	return wp2d_results_of_rows(rows_2d);
}

static void put_rows_2d(void)
{
	put(rows_2d, sizeof rows_2d);
	put(points_2d, sizeof points_2d);
	put(counts_2d, sizeof counts_2d);
	put(fractions, sizeof fractions);
}

static void ask_2d(void)
{
	const wp2d_batch batch = batch_2d();
	const wp2d_motions motions = {.translation = {ways_2d[0], 0}};
	for (int which = 0; which < 5; which++) {
		const wp2d_results to = fresh_rows_2d();
		const wp2d_manifolds manifolds = {.count = {counts_2d, 0},
			.points = {points_2d[0], sizeof points_2d[0]},
			.point_max = WP2D_MANIFOLD_POINT_MAX};
		check(which == 0   ? wp2d_overlap(workspace, &batch, &to, NULL)
			  : which == 1 ? wp2d_distance(workspace, &batch, &to, NULL)
			  : which == 2 ? wp2d_contact(workspace, &batch, &near, &to, NULL)
			  : which == 3 ? wp2d_contact_manifold(workspace, &batch, &near, &to, &manifolds, NULL)
						   : wp2d_cast(workspace, &batch, &motions, NULL, &to, &(wp_float_column){fractions, 0}, NULL));
		put_rows_2d();
	}
}

static void ask_pair_2d(int which)
{
	(void)fresh_rows_2d();
	for (uint32_t i = 0; i < ROWS_2D; i++) {
		const wp2d_shape *const a = &shapes_2d[2 * i], *const b = a + 1;
		const wp2d_pose *const at_a = &poses_2d[2 * i], *const at_b = at_a + 1, *const end = &ends_2d[2 * i];
		wp2d_row *const row = &rows_2d[i];
		check(which == 0   ? wp2d_overlap_pair(workspace, a, at_a, b, at_b, row)
			  : which == 1 ? wp2d_distance_pair(workspace, a, at_a, b, at_b, row)
			  : which == 2 ? wp2d_contact_pair(workspace, a, at_a, b, at_b, &near, row)
			  : which == 3 ? wp2d_contact_manifold_pair(workspace, a, at_a, b, at_b, &near, row, points_2d[i],
								 WP2D_MANIFOLD_POINT_MAX, &counts_2d[i])
						   : wp2d_cast_pair(workspace, a, at_a, b, at_b, end, at_b, row, &fractions[i]));
	}
	put_rows_2d();
}

static void ask_overlap_pair_2d(void) { ask_pair_2d(0); }
static void ask_distance_pair_2d(void) { ask_pair_2d(1); }
static void ask_contact_pair_2d(void) { ask_pair_2d(2); }
static void ask_manifold_pair_2d(void) { ask_pair_2d(3); }
static void ask_cast_pair_2d(void) { ask_pair_2d(4); }

static void make_shapes_2d(void)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 16];
	const wp2d_shape_table *made = NULL;
	const size_t size = wp2d_shape_table_size(shapes_2d, 2 * ROWS_2D);
	check(wp2d_shape_table_build(shapes_2d, 2 * ROWS_2D, memory, sizeof memory, &made, NULL));
	put(memory, size);
}

static void set_shapes_2d(void)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 18];
	wp2d_shape_table *made = NULL;
	check(wp2d_shape_table_init(memory, sizeof memory, 2 * ROWS_2D, WP2D_POLYGON_VERTEX_MAX, &made));
	for (size_t i = 0; i < 2 * ROWS_2D && made != NULL; i++) {
		check(wp2d_shape_table_set(made, i, &shapes_2d[i], NULL));
		const float bound = wp2d_shape_table_bound(made, i);
		put(&bound, sizeof bound);
	}
}

/* ---- shapes --------------------------------------------------------------------------------------- */

static void make_shapes(void)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 13];
	const wp_shape_table *made = NULL;
	check(wp_shape_table_build(shapes, SHAPES, memory, sizeof memory, &made, NULL));
	for (size_t i = 0; i < SHAPES && made != NULL; i++) {
		const float bound = wp_shape_table_bound(made, i);
		put(&bound, sizeof bound);
	}
}

static void set_shapes(void)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 13];
	wp_shape_table *made = NULL;
	check(wp_shape_table_init(memory, sizeof memory, SHAPES, &made));
	for (size_t i = 0; i < SHAPES && made != NULL; i++) {
		check(wp_shape_table_set(made, i, &shapes[i], NULL));
		const float bound = wp_shape_table_bound(made, i);
		put(&bound, sizeof bound);
	}
}

static void make_hull(void)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 13];
	static const uint32_t sizes[4] = {3, 3, 3, 3}, corners[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
	static const float vertices[4][3] = {{0.1f, 0, 0.3f}, {1.1f, 0.2f, 0}, {0, 1.3f, 0.1f}, {0.2f, 0.1f, 0.9f}};
	const wp_hull_input input = {
		.vertices = {vertices[0], 0}, .vertex_count = 4, .face_sizes = sizes, .face_indices = corners, .face_count = 4};
	const wp_hull *hull = NULL;
	wp_mass mass;
	memset(&mass, 0, sizeof mass);
	check(wp_hull_build(&input, memory, sizeof memory, &hull, NULL));
	const size_t size = hull != NULL ? wp_hull_byte_size(hull) : 0;
	put(memory, size);
	check(wp_hull_from_memory(memory, size, &hull));
	check(wp_hull_mass(hull, &mass));
	put(&mass, sizeof mass);
	for (size_t i = 0; i < 4; i++) {
		float normal[3];
		wp_hull_face_normal(hull, i, normal);
		put(normal, sizeof normal);
	}
}

static void weigh(void)
{
	for (size_t i = 0; i < HALF_SPACE; i++) {
		wp_mass mass;
		memset(&mass, 0, sizeof mass);
		check(wp_shape_mass(&shapes[i], &mass));
		put(&mass, sizeof mass);
	}
}

static void start(void)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[WP_WORKSPACE_SIZE];
	wp_workspace *made;
	check(wp_workspace_init(memory, sizeof memory, WP_VARIANT_AUTO, &made));
	for (uint32_t v = WP_VARIANT_AUTO; v < WP_VARIANT_COUNT; v++) {
		const wp_error error = wp_variant_available((wp_variant)v);
		put(&error, sizeof error);
	}
}

/* ---- meshes --------------------------------------------------------------------------------------- */

typedef MESH_ANSWER(PATCHES) mesh_answer;

static mesh_answer answers[ROWS];
static uint32_t triangles[ROWS], numbers[ROWS], patch_children[ROWS][PATCHES][WP_MESH_POINT_MAX];
static const wp_uint32_column triangle = {triangles, 0}, child = {numbers, 0},
							  patch_child = {patch_children[0][0], sizeof patch_children[0]};

static wp_mesh_results fresh_answers(void)
{
	memset(answers, 0, sizeof answers);
	return MESH_ANSWERS(answers);
}

static void put_answers(wp_error error)
{
	check(error);
	put(answers, sizeof answers);
}

static void cook(void)
{
	const wp_mesh_input input = surface_input(&rough);
	const wp_mesh *mesh = NULL, *read = NULL;
	check(wp_cook_mesh(&input, &mesh, NULL));
	const size_t size = mesh != NULL ? wp_mesh_byte_size(mesh) : 0;
	check(wp_mesh_from_memory(mesh, size, &read));
	put(mesh, size);
	wp_cook_free_mesh(mesh);
}

static void look_at_mesh(void)
{
	const float low[3] = {1.1f, -9, 2.3f}, high[3] = {4.7f, 9, 5.9f};
	uint32_t cursor = 0, found[64];
	size_t count = 0;
	memset(found, 0, sizeof found);
	check(wp_mesh_overlap_box(hills, low, high, &cursor, found, 64, &count));
	put(found, sizeof found);
	for (size_t i = 0; i < wp_mesh_triangle_count(hills); i++) {
		float normal[3];
		wp_mesh_normal(hills, i, normal);
		put(normal, sizeof normal);
	}
}

static void look_at_field(void)
{
	check(wp_height_field_check(&field));
	for (size_t i = 0; i < wp_height_field_triangle_count(&field); i++) {
		float corners[3][3], normal[3];
		const int is_there = wp_height_field_triangle(&field, i, corners);
		put(&is_there, sizeof is_there);
		put(corners, sizeof corners);
		wp_height_field_normal(&field, i, normal);
		put(normal, sizeof normal);
	}
}

static void shoot(void)
{
	wp_mesh_hit hits[4][HITS];
	const wp_const_float_column from = {starts[0], 0}, along = {rays[0], 0};
	memset(hits, 0, sizeof hits);
	check(wp_mesh_rays(hills, &from, &along, HITS, &(wp_mesh_hit_column){hits[0], 0}));
	check(wp_height_field_rays(&field, &from, &along, HITS, &(wp_mesh_hit_column){hits[1], 0}));
	put(hits, sizeof hits);
}

static void shoot_at_mesh(void)
{
	for (uint32_t i = 0; i < HITS; i++) {
		wp_mesh_hit hit;
		memset(&hit, 0, sizeof hit);
		check(wp_mesh_ray(hills, starts[i], rays[i], &hit));
		put(&hit, sizeof hit);
	}
}

static void shoot_at_field(void)
{
	for (uint32_t i = 0; i < HITS; i++) {
		wp_mesh_hit hit;
		memset(&hit, 0, sizeof hit);
		check(wp_height_field_ray(&field, starts[i], rays[i], &hit));
		put(&hit, sizeof hit);
	}
}

static void ask_mesh_contact(void)
{
	const wp_mesh_batch batch = batch_on(solids);
	const wp_mesh_results to = fresh_answers();
	put_answers(wp_mesh_contact(workspace, &batch, &(wp_mesh_options){.max_separation = 0.3f}, &to, NULL));
}

static void ask_mesh_overlap(void)
{
	const wp_mesh_batch batch = batch_on(solids);
	const wp_results to = fresh_rows();
	put_rows(wp_mesh_overlap(workspace, &batch, &to, &triangle, NULL));
}

static void ask_mesh_distance(void)
{
	const wp_mesh_batch batch = batch_on(solids);
	const wp_results to = fresh_rows();
	put_rows(wp_mesh_distance(
		workspace, &batch, &(wp_mesh_distance_options){.max_distance = INFINITY}, &to, &triangle, NULL));
}

static void ask_mesh_cast(void)
{
	const wp_mesh_batch batch = batch_on(solids);
	const wp_results to = fresh_rows();
	put_rows(wp_mesh_cast(workspace, &batch, &moves, &rest, &to, &(wp_float_column){fractions, 0}, &triangle, NULL));
}

static void ask_mesh_bounds(void)
{
	wp_mesh_batch batch = batch_on(solids);
	batch.count = 2;
	put_boxes(wp_mesh_bodies_bounds(&batch, &near, &boxes));
}

static wp_tracked pairs[ROWS];
static wp_mesh_tracked_anchor mesh_anchors[ROWS];
static wp_mesh_tracked_patch mesh_patches[ROWS][PATCHES];
static const wp_mesh_track_options mesh_frame = {.max_separation = 0.3f, .merging = 0.05f};
static const wp_mesh_tracked_pairs mesh_pairs = {
	.pairs = pairs, .anchors = mesh_anchors, .patches = mesh_patches[0], .count = ROWS, .patch_max = PATCHES};

static void forget(void)
{
	memset(pairs, 0, sizeof pairs);
	memset(mesh_anchors, 0, sizeof mesh_anchors);
	memset(mesh_patches, 0, sizeof mesh_patches);
}

static void ask_mesh_track(void)
{
	const wp_mesh_batch batch = batch_on(solids);
	forget();
	for (int frame = 0; frame < FRAMES; frame++) {
		const wp_mesh_results to = fresh_answers();
		put_answers(wp_mesh_track(workspace, &batch, &mesh_frame, &mesh_pairs, &to, NULL, NULL));
		put(mesh_patches, sizeof mesh_patches);
	}
}

/* ---- compounds ------------------------------------------------------------------------------------ */

static void make_compound(void)
{
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 13];
	const wp_compound *made = NULL;
	check(wp_compound_build(children[MANY], child_counts[MANY], table, memory, sizeof memory, &made, NULL));
	put(memory, made != NULL ? wp_compound_byte_size(made) : 0);
}

static void read_compound(void)
{
	const wp_compound *const many = compounds[MANY], *read = NULL;
	check(wp_compound_from_memory(many, wp_compound_byte_size(many), &read));
	for (size_t i = 0; i < child_counts[MANY]; i++) {
		double position[3];
		float rotation[4];
		wp_compound_child_pose(many, i, bodies[i].position, bodies[i].rotation, position, rotation);
		put(position, sizeof position);
		put(rotation, sizeof rotation);
	}
}

static void check_compound(void) { check(wp_compound_check(compounds[MANY], table, NULL)); }

static void weigh_compound(void)
{
	wp_mass mass;
	memset(&mass, 0, sizeof mass);
	check(wp_compound_mass(compounds[TABLE], table, NULL, &mass, NULL));
	put(&mass, sizeof mass);
}

static void ask_compound_overlap(void)
{
	const wp_compound_batch batch = batch_of_compounds();
	const wp_results to = fresh_rows();
	put_rows(wp_compound_overlap(workspace, &batch, &to, NULL, NULL));
}

static void ask_compound_distance(void)
{
	const wp_compound_batch batch = batch_of_compounds();
	const wp_results to = fresh_rows();
	put_rows(wp_compound_distance(
		workspace, &batch, &(wp_compound_distance_options){.max_distance = INFINITY}, &to, NULL, NULL));
}

static void ask_compound_contact(void)
{
	const wp_compound_batch batch = batch_of_compounds();
	const wp_results to = fresh_rows();
	put_rows(wp_compound_contact(workspace, &batch, &near, &to, NULL, NULL));
}

static wp_compound_patch patches[ROWS][PATCHES];
static uint32_t patch_counts[ROWS];
static const wp_compound_patches patch_columns = {
	.patch_count = {patch_counts, 0}, .patches = {patches[0], sizeof patches[0]}, .patch_max = PATCHES};

static void put_patches(wp_error error)
{
	put_rows(error);
	put(patches, sizeof patches);
	put(patch_counts, sizeof patch_counts);
}

static void ask_compound_manifold(void)
{
	const wp_compound_batch batch = batch_of_compounds();
	const wp_results to = fresh_rows();
	memset(patches, 0, sizeof patches);
	put_patches(wp_compound_contact_manifold(workspace, &batch, &near, &to, &patch_columns, NULL));
}

static void ask_compound_cast(void)
{
	const wp_compound_batch batch = batch_of_compounds();
	const wp_results to = fresh_rows();
	put_rows(wp_compound_cast(workspace, &batch, &moves, &rest, &to, &(wp_float_column){fractions, 0}, NULL, NULL));
}

static void ask_compound_bounds(void)
{
	wp_compound_batch batch = batch_of_compounds();
	batch.count = BODIES;
	put_boxes(wp_compound_bodies_bounds(&batch, &near, &boxes));
}

static void ask_compound_track(void)
{
	static wp_compound_tracked_anchor anchors[ROWS];
	static wp_compound_tracked_patch tracked_patches[ROWS][PATCHES];
	static wp_compound_patch room[ROWS][PATCHES];
	const wp_compound_batch batch = batch_of_compounds();
	const wp_compound_track_options options = {.max_separation = 0.3f, .merging = 0.05f};
	const wp_compound_tracked_pairs tracked = {.pairs = pairs,
		.anchors = anchors,
		.patches = tracked_patches[0],
		.room = room[0],
		.count = ROWS,
		.patch_max = PATCHES};
	forget();
	memset(anchors, 0, sizeof anchors);
	memset(tracked_patches, 0, sizeof tracked_patches);
	memset(patches, 0, sizeof patches);
	for (int frame = 0; frame < FRAMES; frame++) {
		const wp_results to = fresh_rows();
		put_patches(wp_compound_track(workspace, &batch, &options, &tracked, &to, &patch_columns, NULL, NULL));
		put(tracked_patches, sizeof tracked_patches);
	}
}

static void ask_compound_mesh_contact(void)
{
	const wp_mesh_batch batch = batch_on(bodies);
	const wp_mesh_results to = fresh_answers();
	put_answers(wp_compound_mesh_contact(
		workspace, &batch, compounds, COMPOUNDS, &(wp_mesh_options){.max_separation = 0.3f}, &to, &patch_child, NULL));
}

static void ask_compound_mesh_overlap(void)
{
	const wp_mesh_batch batch = batch_on(bodies);
	const wp_results to = fresh_rows();
	put_rows(wp_compound_mesh_overlap(workspace, &batch, compounds, COMPOUNDS, &to, &child, &triangle, NULL));
}

static void ask_compound_mesh_distance(void)
{
	const wp_mesh_batch batch = batch_on(bodies);
	const wp_results to = fresh_rows();
	put_rows(wp_compound_mesh_distance(workspace, &batch, compounds, COMPOUNDS,
		&(wp_mesh_distance_options){.max_distance = INFINITY}, &to, &child, &triangle, NULL));
}

static void ask_compound_mesh_cast(void)
{
	const wp_mesh_batch batch = batch_on(bodies);
	const wp_results to = fresh_rows();
	put_rows(wp_compound_mesh_cast(workspace, &batch, compounds, COMPOUNDS, &moves, &rest, &to,
		&(wp_float_column){fractions, 0}, &child, &triangle, NULL));
}

static void ask_compound_mesh_track(void)
{
	const wp_mesh_batch batch = batch_on(bodies);
	forget();
	for (int frame = 0; frame < FRAMES; frame++) {
		const wp_mesh_results to = fresh_answers();
		put_answers(wp_compound_mesh_track(workspace, &batch, compounds, COMPOUNDS, &mesh_frame, &mesh_pairs,
			patch_children[0][0], &to, NULL, NULL, NULL));
		put(mesh_patches, sizeof mesh_patches);
	}
}

/* ---- all of them ---------------------------------------------------------------------------------- */

typedef struct call {
	const char *name;
	void (*ask)(void);
} call;

#define CALL(ask) \
	{             \
#ask, ask \
	}

static const call calls[] = {CALL(ask_overlap), CALL(ask_distance), CALL(ask_contact), CALL(ask_manifold),
	CALL(ask_by_method), CALL(ask_cast), CALL(ask_depth), CALL(ask_bounds), CALL(ask_track), CALL(ask_reference),
	CALL(ask_overlap_pair), CALL(ask_distance_pair), CALL(ask_contact_pair), CALL(ask_manifold_pair),
	CALL(ask_cast_pair), CALL(ask_depth_pair), CALL(ask_reference_pair), CALL(ask_tangents), CALL(ask_2d),
	CALL(ask_overlap_pair_2d), CALL(ask_distance_pair_2d), CALL(ask_contact_pair_2d), CALL(ask_manifold_pair_2d),
	CALL(ask_cast_pair_2d), CALL(make_shapes_2d), CALL(set_shapes_2d), CALL(make_shapes), CALL(set_shapes),
	CALL(make_hull), CALL(weigh), CALL(start), CALL(cook), CALL(look_at_mesh), CALL(look_at_field), CALL(shoot),
	CALL(shoot_at_mesh), CALL(shoot_at_field), CALL(ask_mesh_contact), CALL(ask_mesh_overlap), CALL(ask_mesh_distance),
	CALL(ask_mesh_cast), CALL(ask_mesh_bounds), CALL(ask_mesh_track), CALL(make_compound), CALL(read_compound),
	CALL(check_compound), CALL(weigh_compound), CALL(ask_compound_overlap), CALL(ask_compound_distance),
	CALL(ask_compound_contact), CALL(ask_compound_manifold), CALL(ask_compound_cast), CALL(ask_compound_bounds),
	CALL(ask_compound_track), CALL(ask_compound_mesh_contact), CALL(ask_compound_mesh_overlap),
	CALL(ask_compound_mesh_distance), CALL(ask_compound_mesh_cast), CALL(ask_compound_mesh_track)};

Test(modes, rounding_changes_nothing_and_stays)
{
	static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	unsigned char *const expected = block(BYTES);
	for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
		answered = 0;
		failed = false;
		calls[c].ask();
		cr_assert(!failed, "%s", calls[c].name);
		memcpy(expected, answer, answered);
		for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
			answered = 0;
			fesetround(modes[m]);
			calls[c].ask();
			const int after = rounding_now();
			fesetround(FE_TONEAREST);
			cr_expect(!failed, "%s, mode %zu", calls[c].name, m);
			cr_expect_eq(after, modes[m], "%s, mode %zu", calls[c].name, m);
			cr_expect_eq(memcmp(answer, expected, answered), 0, "%s, mode %zu", calls[c].name, m);
		}
	}
	block_free(expected);
}
