/* Frames of tracked pairs of compounds with meshes and height fields: every frame has the bits of wp_compound_mesh_contact, in
 * each variant and by each ring; what is kept of points, and when nothing is searched. */
#include "compound/internal.h"
#include "support/block.h"
#include "support/check.h"
#include "support/compound_children.h"
#include "support/cooked.h"
#include "support/mesh_answer.h"
#include "support/mesh_bodies.h"
#include "support/track_changes.h"
#include "support/unit.h"

#include <math.h>

enum { MESH, FIELD, SURFACES, SIDE = 24, ROWS = 90, FRAMES = 20, PATCHES = 5 };

static const float near = 0.03f, merging = 0.05f;

static wp_shape_table *table;
static wp_compound_child children[COMPOUNDS][CHILDREN];
static const wp_compound *compounds[COMPOUNDS];
static const wp_mesh *hills, *ground;
static wp_height_field field;
static body bodies[ROWS], places[SURFACES];
static uint32_t pair_b[ROWS], order[ROWS];
static double ways[ROWS][3]; /* of each body, in a frame */

typedef struct answer {
	MESH_ANSWER(PATCHES);
	uint32_t child[PATCHES][WP_MESH_POINT_MAX];
} answer;

/* What is kept of all pairs. */
typedef struct memory {
	wp_tracked pairs[ROWS];
	wp_mesh_tracked_anchor anchors[ROWS];
	wp_mesh_tracked_patch patches[ROWS][PATCHES];
	uint32_t children[ROWS][PATCHES][WP_MESH_POINT_MAX];
} memory;

static answer answers[ROWS], expected[ROWS];
static memory now;

/* ---- scenes ------------------------------------------------------------------------------------- */

static void set_shape(uint32_t index, wp_shape shape)
{
	cr_assert_eq(wp_shape_table_set(table, index, &shape, NULL), WP_OK);
}

static void make_shapes(void)
{
	wp_shape shapes[SHAPES];
	const size_t size = wp_shape_table_size(SHAPES);
	cr_assert_eq(wp_shape_table_init(block(size), size, SHAPES, &table), WP_OK);
	put_shapes(shapes);
	for (uint32_t i = 0; i < SHAPES; i++)
		set_shape(i, shapes[i]);
}

static void setup(void)
{
	static float samples[SIDE * SIDE];
	surface terrain = surface_terrain(SIDE, SIDE, 17), flat = surface_grid(2, 2);
	for (size_t i = 0; i < COUNT_OF(samples); i++)
		samples[i] = i % 97 == 50 ? WP_HEIGHT_HOLE : terrain.vertices[i][1];
	field = (wp_height_field){.samples = samples, .columns = SIDE, .rows = SIDE, .spacing = {1, 1}};
	for (size_t i = 0; i < flat.vertex_count; i++)
		for (int k = 0; k < 3; k++)
			flat.vertices[i][k] *= 64;
	hills = cook_surface(&terrain);
	ground = cook_surface(&flat);
	make_shapes();
	build_compounds(table, children, compounds);
	places[MESH] = (body){.position = {3, -2, 1}, .rotation = {0, 0, 0, 1}, .shape = MESH};
	places[FIELD] = (body){.position = {1e4, 5, -1e4}, .rotation = {0.1f, 0.7f, -0.5f, 0.5f}, .shape = FIELD};
}

static void teardown(void)
{
	wp_cook_free_mesh(hills);
	wp_cook_free_mesh(ground);
}

TestSuite(compound_mesh_track, .init = setup, .fini = teardown);

static wp_mesh_batch batch_on(const wp_mesh *const *mesh)
{
	static const wp_height_field *const fields[1] = {&field};
	return (wp_mesh_batch){.shapes = table,
		.meshes = mesh,
		.mesh_count = 1,
		.height_fields = fields,
		.height_field_count = 1,
		.a = bodies_of(bodies, ROWS),
		.b = bodies_of(places, SURFACES),
		.pair_b = {pair_b, 0},
		.count = ROWS};
}

static wp_mesh_tracked_pairs pairs_of(memory *m)
{
	return (wp_mesh_tracked_pairs){.pairs = m->pairs,
		.anchors = m->anchors,
		.patches = m->patches[0],
		.count = ROWS,
		.patch_max = PATCHES,
		.index = {order, 0}};
}

/* How frames are asked for. */
typedef struct way {
	wp_workspace *workspace;
	uint32_t ring, flags, query_all;
} way;

static way usual(void) { return (way){.workspace = workspace_of(WP_VARIANT_AUTO), .ring = WP_MESH_RING}; }

static void track(
	const way *by, const wp_mesh_batch *batch, memory *m, wp_track_changes *changes, wp_mesh_statistics *statistics)
{
	const wp_mesh_track_options options = {
		.max_separation = near, .flags = by->flags, .merging = merging, .query_all = by->query_all};
	const wp_mesh_tracked_pairs tracked = pairs_of(m);
	const wp_mesh_results results = MESH_ANSWERS(answers);
	const wp_uint32_column of_points = {answers->child[0], sizeof *answers};
	memset(answers, 0, sizeof answers);
	const wp_error error = wp_compound_mesh_track_in(by->workspace, batch, compounds, COMPOUNDS, &options, &tracked,
		m->children[0][0], &results, &of_points, changes, statistics, by->ring);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
}

static void contact(const way *by, const wp_mesh_batch *batch)
{
	const wp_mesh_options options = {.max_separation = near, .flags = by->flags};
	const wp_mesh_results results = MESH_ANSWERS(expected);
	const wp_uint32_column of_points = {expected->child[0], sizeof *expected};
	memset(expected, 0, sizeof expected);
	cr_assert_eq(
		wp_compound_mesh_contact(by->workspace, batch, compounds, COMPOUNDS, &options, &results, &of_points, NULL),
		WP_OK);
}

/* ---- motions ------------------------------------------------------------------------------------ */

/* Bodies about the surfaces, of which some have a shape. */
static void seed_bodies(gen_random *random)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		const body *const place = &places[pair_b[i] = i % SURFACES];
		const uint32_t x = 3 + gen_below(random, SIDE - 6), z = 3 + gen_below(random, SIDE - 6);
		float height;
		memcpy(&height, (const float *)field.samples + z * SIDE + x, sizeof height);
		height = height == WP_HEIGHT_HOLE ? 0 : height;
		const double above = gen_range(random, -0.3, i % 3 == 0 ? 6 : 1.5), step = gen_magnitude(random, 0.01, 0.5);
		const wp_d3 at = wp_d3_of(x, (double)height + above, z);
		wp_d3_put(wp_d3_add(wp_d3_at(place->position), wp_dq_turn(wp_dq_of_rotation(place->rotation), at)),
			bodies[i].position);
		for (int k = 0; k < 3; k++)
			ways[i][k] = gen_range(random, -step, step);
		gen_rotation(random, bodies[i].rotation);
		bodies[i].shape = i % 6 == 5 ? i % HALF_SPACE : WP_COMPOUND + i % COMPOUNDS;
		order[i] = (i * 7u + 3u) % ROWS;
	}
}

/* In a frame a body stands, turns, goes on its way or jumps; now and then one is no body, or has another compound. The field
 * moves, shapes are replaced by smaller and larger ones, and compounds get another place in memory. */
static void move_bodies(gen_random *random, uint32_t frame)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		const uint32_t kind = gen_below(random, 8);
		for (int k = 0; k < 3 && (kind < 4 || kind == 5); k++)
			bodies[i].position[k] += kind < 4 ? ways[i][k] : gen_range(random, -1, 1);
		if (kind == 6 || (kind == 0 && i % 2 == 0))
			gen_rotation(random, bodies[i].rotation);
		const uint32_t other = gen_below(random, 60);
		if (other <= COMPOUNDS)
			bodies[i].shape = WP_COMPOUND + other;
		else if (bodies[i].shape == WP_COMPOUND + COMPOUNDS)
			bodies[i].shape = WP_COMPOUND + i % COMPOUNDS;
		if (other == 59)
			bodies[i].shape = i % HALF_SPACE;
	}
	if (frame % 5 == 4)
		places[FIELD].position[0] += 0.25;
	if (frame % 7 == 2)
		set_shape(SPHERE, wp_shape_sphere(frame % 2 == 0 ? 0.375f : 0.75f));
	if (frame == 9)
		(void)wp_shape_table_remove(table, CONE);
	if (frame == 10)
		set_shape(CONE, wp_shape_cone(0.4f, 0.5f));
	if (frame == 12) {
		const size_t size = wp_compound_byte_size(compounds[TABLE]);
		compounds[TABLE] = memcpy(block(size), compounds[TABLE], size);
	}
}

/* ---- frames ------------------------------------------------------------------------------------- */

/* How rows with compounds were answered. */
typedef struct tally {
	uint32_t kept, reused, queried, invalid;
} tally;

static void check_row(const memory *m, uint32_t frame, uint32_t row, tally *count)
{
	const wp_tracked *const pair = &m->pairs[order[row]];
	answer *const got = &answers[row], *const want = &expected[row];
	const bool is_invalid = (want->status & WP_STATUS_INVALID) != 0;
	if (is_invalid) {
		cr_assert(isnan(got->separation) && isnan(pair->separation));
		got->separation = want->separation = 0;
	} else {
		cr_assert_eq(memcmp(&pair->separation, &want->separation, sizeof(float)), 0);
	}
	cr_assert_eq(memcmp(got, want, sizeof *got), 0, "frame %u, row %u: %u patches, not %u, event %x", frame, row,
		got->patch_count, want->patch_count, pair->event);
	cr_assert(pair->count == want->patch_count && pair->status == want->status);
	for (uint32_t p = 0; p < pair->count; p++) {
		cr_assert_eq(memcmp(&m->patches[order[row]][p].found, &want->patch[p], sizeof(wp_mesh_patch)), 0);
		cr_assert_eq(memcmp(m->children[order[row]][p], want->child[p], sizeof want->child[p]), 0);
	}
	if (bodies[row].shape < WP_COMPOUND)
		return;
	count->invalid += is_invalid;
	count->kept += (pair->event & WP_TRACK_KEPT) != 0;
	count->reused += (pair->event & WP_TRACK_REUSED) != 0;
	count->queried += (pair->event & (WP_TRACK_KEPT | WP_TRACK_REUSED)) == 0;
}

static void run_frames(const way *by, memory *m, tally *count)
{
	const wp_mesh_batch batch = batch_on(&hills);
	gen_random random;
	gen_seed(&random, 41);
	seed_bodies(&random);
	memset(m, 0, sizeof *m);
	for (uint32_t frame = 0; frame < FRAMES; frame++) {
		uint32_t rows[ROWS];
		uint16_t before[ROWS];
		wp_track_changes changes = {.rows = rows, .capacity = ROWS};
		for (uint32_t i = 0; i < ROWS; i++)
			before[i] = m->pairs[i].count;
		track(by, &batch, m, &changes, NULL);
		contact(by, &batch);
		for (uint32_t row = 0; row < ROWS; row++)
			check_row(m, frame, row, count);
		check_changes(m->pairs, order, ROWS, &changes, before);
		move_bodies(&random, frame);
	}
}

Test(compound_mesh_track, has_the_bits_of_contacts)
{
	static const uint32_t flags[] = {0, WP_MESH_SOUP | WP_MESH_TWO_SIDED, WP_MESH_GHOSTS};
	tally count = {0, 0, 0, 0};
	way by = usual();
	for (size_t i = 0; i < COUNT_OF(flags); i++) {
		by.flags = flags[i];
		run_frames(&by, &now, &count);
	}
	const uint32_t all = ROWS * FRAMES * COUNT_OF(flags);
	cr_assert(count.kept > all / 20 && count.reused > all / 20 && count.queried > all / 10 && count.invalid > 20,
		"%u kept, %u reused, %u queried, %u invalid", count.kept, count.reused, count.queried, count.invalid);
}

/* Also what is kept has the same bytes. */
Test(compound_mesh_track, does_not_depend_on_variant_or_ring)
{
	static memory first;
	static const uint32_t rings[] = {1, 7, WP_MESH_RING};
	bool has_first = false;
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		way by = {.workspace = workspace_of((wp_variant)v)};
		for (size_t r = 0; r < COUNT_OF(rings) && by.workspace != NULL; r++) {
			tally count = {0, 0, 0, 0};
			teardown();
			setup();
			by.ring = rings[r];
			run_frames(&by, has_first ? &now : &first, &count);
			cr_assert(!has_first || memcmp(&now, &first, sizeof now) == 0, "%s, ring of %u: what is kept differs",
				wp_variant_name((wp_variant)v), rings[r]);
			has_first = true;
		}
	}
}

/* Rows by themselves, the last one first, leave what all of them leave. */
Test(compound_mesh_track, does_not_depend_on_other_rows)
{
	static memory alone;
	const way by = usual();
	wp_mesh_batch batch = batch_on(&hills);
	gen_random random;
	gen_seed(&random, 43);
	seed_bodies(&random);
	for (uint32_t frame = 0; frame < 6; frame++) {
		batch.first = 0;
		batch.count = ROWS;
		track(&by, &batch, &now, NULL, NULL);
		batch.count = 1;
		for (batch.first = ROWS; batch.first-- != 0;)
			track(&by, &batch, &alone, NULL, NULL);
		cr_assert_eq(memcmp(&now, &alone, sizeof now), 0, "frame %u", frame);
		for (uint32_t i = 0; i < ROWS; i++)
			for (int k = 0; k < 3 && i % 4 != 0; k++)
				bodies[i].position[k] += ways[i][k];
	}
}

/* Rows with shapes leave what wp_mesh_track leaves. */
Test(compound_mesh_track, tracks_shapes_as_without_compounds)
{
	static memory other;
	const way by = usual();
	const wp_mesh_batch batch = batch_on(&hills);
	const wp_mesh_track_options options = {.max_separation = near, .merging = merging};
	const wp_mesh_results none = {.patch_max = 0};
	gen_random random;
	gen_seed(&random, 44);
	seed_bodies(&random);
	for (uint32_t i = 0; i < ROWS; i++)
		bodies[i].shape = i % HALF_SPACE;
	for (uint32_t frame = 0; frame < 6; frame++) {
		const wp_mesh_tracked_pairs tracked = pairs_of(&other);
		track(&by, &batch, &now, NULL, NULL);
		cr_assert_eq(wp_mesh_track(by.workspace, &batch, &options, &tracked, &none, NULL, NULL), WP_OK);
		cr_assert_eq(memcmp(&now, &other, sizeof now), 0, "frame %u", frame);
		for (uint32_t i = 0; i < ROWS; i++)
			for (int k = 0; k < 3 && i % 4 != 0; k++)
				bodies[i].position[k] += ways[i][k];
	}
}

/* ---- points ------------------------------------------------------------------------------------- */

/* One body on a floor. */
static wp_mesh_batch one_row(uint32_t compound, double x, double y, double z)
{
	wp_mesh_batch batch = batch_on(&ground);
	places[0] = (body){.rotation = {0, 0, 0, 1}};
	bodies[0] = (body){.position = {x, y, z}, .rotation = {0, 0, 0, 1}, .shape = WP_COMPOUND + compound};
	batch.count = 1;
	order[0] = 0;
	memset(&now, 0, sizeof now);
	return batch;
}

/* A table slides, stands, and slides on: its legs keep what the solver left in their points. */
Test(compound_mesh_track, keeps_the_points_of_a_sliding_table)
{
	const way by = usual();
	const wp_mesh_batch batch = one_row(TABLE, 11.3, 0.99, 9.7);
	wp_mesh_tracked_patch *const patch = now.patches[0];
	for (uint32_t frame = 0; frame < 40; frame++) {
		track(&by, &batch, &now, NULL, NULL);
		cr_assert(now.pairs[0].count == 1 && patch->found.point_count == 4);
		cr_assert_eq(now.pairs[0].event, frame == 0 ? WP_TRACK_BEGAN : frame % 4 == 0 ? 0 : WP_TRACK_REUSED);
		uint32_t seen = 0;
		for (uint32_t c = 0; c < 4; c++) {
			wp_mesh_tracked_point *const point = &patch->points[c];
			const uint32_t child = now.children[0][0][c];
			seen |= 1u << child;
			cr_assert(point->age == frame && answers[0].child[0][c] == child);
			cr_assert_eq(point->impulse[1], frame == 0 ? 0.0f : (float)child);
			cr_assert_float_eq(
				point->arm_a[0], children[TABLE][child].position[0], 0.0625 + 1e-6, "arm %a", (double)point->arm_a[0]);
			cr_assert_float_eq(point->arm_a[1], -1, 1e-6);
			cr_assert_float_eq(point->arm_b[0], (float)bodies[0].position[0] + point->arm_a[0], 1e-5);
			point->impulse[1] = (float)child;
		}
		cr_assert_eq(seen, 0x1e);
		if (frame % 4 == 3)
			bodies[0].position[0] += 0.037;
	}
}

/* A dumbbell leaps by its length, and leans to its other side: one ball is where the other one was, on the same triangle, with
 * the same features. Each keeps its own. */
Test(compound_mesh_track, tells_children_apart)
{
	const way by = usual();
	const wp_mesh_batch batch = one_row(DUMBBELL, 12, 0.5, 9);
	wp_mesh_tracked_patch *const patch = now.patches[0];
	for (uint32_t frame = 0; frame < 4; frame++) {
		/* The deeper point is the first one. */
		bodies[0].rotation[2] = frame % 2 == 0 ? -0.005f : 0.005f;
		track(&by, &batch, &now, NULL, NULL);
		cr_assert(now.pairs[0].count == 1 && patch->found.point_count == 2);
		cr_assert_eq(now.children[0][0][0], frame % 2 == 0);
		for (uint32_t c = 0; c < 2; c++) {
			const uint32_t child = now.children[0][0][c];
			cr_assert_eq(patch->points[c].age, frame);
			cr_assert_eq(patch->points[c].impulse[0], frame == 0 ? 0.0f : (float)(7 + child));
			patch->points[c].impulse[0] = (float)(7 + child);
			cr_assert_eq(patch->found.points[c].triangle, patch->found.points[0].triangle);
		}
		bodies[0].position[0] += frame % 2 == 0 ? 1.5 : -1.5;
	}
}

/* The first child takes the place of the second: the point at it is the same, where they are near enough. */
Test(compound_mesh_track, matches_places_of_other_children)
{
	const way by = usual();
	wp_compound_child pair[2] = {{.rotation = {0, 0, 0, 1}, .shape = SPHERE},
		{.position = {0.02f, 0.01f, 0}, .rotation = {0, 0, 0, 1}, .shape = SPHERE}};
	const wp_mesh_batch batch = one_row(DUMBBELL, 12, 0.49, 9);
	for (uint32_t frame = 0; frame < 2; frame++) {
		const size_t size = wp_compound_size(2);
		pair[0].position[1] = frame == 0 ? 0.2f : 0;
		pair[1].position[1] = frame == 0 ? 0 : 0.2f;
		cr_assert_eq(wp_compound_build(pair, 2, table, block(size), size, &compounds[DUMBBELL], NULL), WP_OK);
		track(&by, &batch, &now, NULL, NULL);
		cr_assert(now.pairs[0].count == 1 && now.patches[0][0].found.point_count == 1);
		cr_assert_eq(now.children[0][0][0], 1 - frame);
		cr_assert_eq(now.patches[0][0].points[0].age, frame);
		cr_assert_eq(now.patches[0][0].points[0].impulse[2], frame == 0 ? 0.0f : 5.0f);
		now.patches[0][0].points[0].impulse[2] = 5;
	}
}

/* ---- what is not searched ----------------------------------------------------------------------- */

/* What lies where it lay is not queried; a compound above a floor is not while it stays there, nor as it falls, until it is
 * near. */
Test(compound_mesh_track, answers_from_what_is_kept)
{
	const way by = usual();
	const way all = {.workspace = by.workspace, .ring = by.ring, .query_all = 1};
	wp_mesh_batch batch = one_row(TABLE, 20, 0.99, 20);
	bodies[1] = (body){.position = {11, 3.5, 9}, .rotation = {0, 0, 0, 1}, .shape = WP_COMPOUND + TABLE};
	order[1] = 1;
	batch.count = 2;
	pair_b[0] = pair_b[1] = 0;
	wp_mesh_statistics s = {0}, t = {0};
	track(&by, &batch, &now, NULL, &s);
	cr_assert(s.rows == 2 && s.touching == 1 && s.solved > 0);
	track(&by, &batch, &now, NULL, &t);
	cr_assert(t.rows == 2 && t.touching == 1 && t.triangles == 0 && t.solved == 0);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_REUSED);
	cr_assert_eq(now.pairs[1].event, WP_TRACK_KEPT);
	uint32_t kept = 0, frames = 0;
	while (now.pairs[1].count == 0 && frames < 500) {
		t = (wp_mesh_statistics){0};
		bodies[1].position[1] -= 0.01;
		bodies[1].rotation[0] = frames % 3 == 0 ? 0.05f : 0.0f;
		track(&by, &batch, &now, NULL, &t);
		frames++;
		kept += now.pairs[1].event == WP_TRACK_KEPT;
		cr_assert(t.triangles == 0 || now.pairs[1].event != WP_TRACK_KEPT);
	}
	cr_assert(frames > 200 && frames < 260 && kept > frames * 8 / 10, "%u of %u", kept, frames);
	t = (wp_mesh_statistics){0};
	track(&all, &batch, &now, NULL, &t);
	cr_assert(t.solved > 0 && now.pairs[0].event == 0 && now.patches[0][0].points[0].age == frames + 2);
}

/* Compounds sink slowly from where nothing is near, turned in all ways: each is queried as soon as it is near, on a mesh and on a
 * height field far away. */
static void sink(const wp_mesh *mesh, uint32_t *kept, uint32_t *touched)
{
	const way by = usual();
	const wp_mesh_batch batch = batch_on(&mesh);
	tally count = {0, 0, 0, 0};
	gen_random random;
	gen_seed(&random, 45);
	seed_bodies(&random);
	memset(&now, 0, sizeof now);
	for (uint32_t i = 0; i < ROWS; i++) {
		bodies[i].shape = WP_COMPOUND + i % COMPOUNDS;
		if (mesh != ground || pair_b[i] != MESH)
			continue;
		bodies[i].position[1] = places[MESH].position[1] + gen_range(&random, 1.6, 2.5);
		if (i % 3 == 0)
			memcpy(bodies[i].rotation, places[MESH].rotation, sizeof bodies[i].rotation);
	}
	for (uint32_t frame = 0; frame < 80; frame++) {
		track(&by, &batch, &now, NULL, NULL);
		contact(&by, &batch);
		for (uint32_t row = 0; row < ROWS; row++) {
			check_row(&now, frame, row, &count);
			const body *const place = &places[pair_b[row]];
			const double step = row % 2 == 0 ? -0.02 : -0.07;
			const wp_d3 down = wp_dq_turn(wp_dq_of_rotation(place->rotation), wp_d3_of(0, step, 0));
			wp_d3_put(wp_d3_add(wp_d3_at(bodies[row].position), down), bodies[row].position);
			bodies[row].rotation[frame % 4] += row % 4 == 0 ? 1e-3f : 0.0f;
			*touched += frame != 0 && (now.pairs[order[row]].event & WP_TRACK_BEGAN) != 0;
		}
	}
	*kept = count.kept;
}

Test(compound_mesh_track, queries_what_sinks_in_time)
{
	const wp_mesh *const meshes[2] = {hills, ground};
	for (int i = 0; i < 4; i++) {
		uint32_t kept = 0, touched = 0;
		sink(meshes[i % 2], &kept, &touched);
		cr_assert(kept > 200 && touched > 20, "%u kept, %u began", kept, touched);
		if (i != 1)
			continue;
		/* Also where shapes are larger than the boxes of their compounds. */
		set_shape(SPHERE, wp_shape_sphere(0.9f));
		set_shape(LEG, wp_shape_box(0.2f, 0.8f, 0.2f));
	}
}

/* A child's shape is replaced by a larger one, larger than its compound's boxes: the kept box and answer are none of it. */
Test(compound_mesh_track, queries_where_a_shape_was_replaced)
{
	const way by = usual();
	wp_mesh_batch batch = one_row(DUMBBELL, 20, 1.5, 20);
	for (int i = 0; i < 2; i++)
		track(&by, &batch, &now, NULL, NULL);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_KEPT);
	set_shape(SPHERE, wp_shape_sphere(1.52f));
	for (int i = 0; i < 2; i++) {
		track(&by, &batch, &now, NULL, NULL);
		cr_assert(now.pairs[0].count == 1 && now.pairs[0].separation < 0);
	}
	cr_assert_eq(now.pairs[0].event, WP_TRACK_REUSED);
	set_shape(SPHERE, wp_shape_sphere(1.4f));
	for (int i = 0; i < 2; i++) {
		track(&by, &batch, &now, NULL, NULL);
		cr_assert(now.pairs[0].count == 0 && (now.pairs[0].status & WP_STATUS_BEYOND) != 0);
	}
	/* It was queried twice, or stands for the same poses: a box smaller than its shapes proves nothing. */
	bodies[0].position[1] = 1.41;
	track(&by, &batch, &now, NULL, NULL);
	cr_assert(now.pairs[0].count == 1 && now.pairs[0].separation > 0);
	set_shape(SPHERE, wp_shape_sphere(0.5f));
	track(&by, &batch, &now, NULL, NULL);
	cr_assert_eq(now.pairs[0].count, 0);
	(void)wp_shape_table_remove(table, SPHERE);
	track(&by, &batch, &now, NULL, NULL);
	cr_assert_eq(now.pairs[0].status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A);
	set_shape(SPHERE, wp_shape_half_space());
	track(&by, &batch, &now, NULL, NULL);
	cr_assert(isnan(now.pairs[0].separation) && now.pairs[0].count == 0);
}

/* A sample that is no number is a hole, as one beyond all coordinates is: no triangle has it. */
Test(compound_mesh_track, takes_samples_that_are_none_for_holes)
{
	static float with_holes[SIDE * SIDE], without_numbers[SIDE * SIDE];
	static answer wanted[ROWS];
	const way by = usual();
	const wp_mesh_batch batch = batch_on(&hills);
	uint32_t touching = 0;
	memcpy(with_holes, field.samples, sizeof with_holes);
	memcpy(without_numbers, field.samples, sizeof with_holes);
	for (size_t i = 0; i < COUNT_OF(with_holes); i += 3) {
		with_holes[i] = WP_HEIGHT_HOLE;
		without_numbers[i] = i % 2 == 0 ? NAN : -INFINITY;
	}
	for (uint64_t seed = 46; seed < 56; seed++) {
		gen_random random;
		gen_seed(&random, seed);
		field.samples = with_holes;
		seed_bodies(&random);
		contact(&by, &batch);
		memcpy(wanted, expected, sizeof wanted);
		field.samples = without_numbers;
		contact(&by, &batch);
		for (uint32_t row = 0; row < ROWS; row++) {
			cr_assert_eq(memcmp(&expected[row], &wanted[row], sizeof *wanted), 0, "row %u: %u triangles, not %u", row,
				expected[row].triangle_count, wanted[row].triangle_count);
			touching += pair_b[row] == FIELD && wanted[row].patch_count != 0;
		}
	}
	cr_assert(touching > 40, "%u touch", touching);
}

/* ---- misuse ------------------------------------------------------------------------------------- */

Test(compound_mesh_track, tells_bad_rows)
{
	const way by = usual();
	wp_mesh_batch batch = one_row(TABLE, 20, 0.99, 20);
	wp_mesh_statistics s = {0};
	uint32_t rows[ROWS];
	wp_track_changes changes = {.rows = rows, .capacity = ROWS};
	for (uint32_t i = 1; i < 5; i++) {
		bodies[i] = bodies[0];
		order[i] = i;
	}
	for (uint32_t i = 0; i < 5; i++)
		pair_b[i] = 0;
	batch.count = 5;
	track(&by, &batch, &now, &changes, NULL);
	cr_assert_eq(changes.count, 5u);
	order[1] = ROWS;
	bodies[2].shape = WP_COMPOUND + COMPOUNDS;
	bodies[3].position[0] = NAN;
	pair_b[4] = SURFACES;
	track(&by, &batch, &now, &changes, &s);
	const uint32_t reasons[5] = {0, WP_STATUS_INVALID_TRACKED, WP_STATUS_INVALID_SHAPE_A, WP_STATUS_INVALID_POSITION_A,
		WP_STATUS_INVALID_BODY_B};
	for (uint32_t i = 1; i < 5; i++) {
		cr_assert_eq(answers[i].status, WP_STATUS_INVALID | reasons[i], "row %u: status %x", i, answers[i].status);
		cr_assert(isnan(answers[i].separation) && answers[i].patch_count == 0);
		cr_assert(i == 1 || (now.pairs[i].count == 0 && now.pairs[i].event == WP_TRACK_ENDED));
	}
	cr_assert_eq(now.pairs[0].event, WP_TRACK_REUSED);
	cr_assert(now.pairs[1].count == 1 && changes.count == 3 && s.invalid == 4 && s.first_invalid_row == 1);
}

Test(compound_mesh_track, refuses_wrong_arguments)
{
	static memory before;
	const way by = usual();
	const wp_mesh_batch batch = one_row(TABLE, 20, 0.99, 20);
	const wp_mesh_results results = MESH_ANSWERS(answers), other = {.patch_max = PATCHES + 1};
	const wp_uint32_column thin = {answers->child[0], sizeof answers->child - sizeof(uint32_t)};
	const wp_mesh_track_options options = {.max_separation = near}, negative = {.merging = -1};
	const wp_mesh_tracked_pairs tracked = pairs_of(&now);
	uint32_t *const kept = now.children[0][0];
	wp_mesh_tracked_pairs bare = tracked;
	bare.patches = NULL;
	memset(answers, 0x5a, sizeof answers);
	expected[0] = answers[0];
#define REFUSES(error, options, tracked, kept, results, children, compounds)                                         \
	cr_assert_eq(wp_compound_mesh_track(by.workspace, &batch, compounds, COMPOUNDS, options, tracked, kept, results, \
					 children, NULL, NULL),                                                                          \
		error)
	REFUSES(WP_ERROR_NULL_OPTIONS, NULL, &tracked, kept, &results, NULL, compounds);
	REFUSES(WP_ERROR_MERGING, &negative, &tracked, kept, &results, NULL, compounds);
	REFUSES(WP_ERROR_NULL_TRACKED, &options, NULL, kept, &results, NULL, compounds);
	REFUSES(WP_ERROR_NULL_TRACKED_PATCHES, &options, &bare, kept, &results, NULL, compounds);
	REFUSES(WP_ERROR_NULL_TRACKED_CHILDREN, &options, &tracked, NULL, &results, NULL, compounds);
	REFUSES(WP_ERROR_NULL_RESULTS, &options, &tracked, kept, NULL, NULL, compounds);
	REFUSES(WP_ERROR_TRACKED_PATCH_MAX, &options, &tracked, kept, &other, NULL, compounds);
	REFUSES(WP_ERROR_PATCHES_STRIDE, &options, &tracked, kept, &results, &thin, compounds);
	REFUSES(WP_ERROR_NULL_COMPOUNDS, &options, &tracked, kept, &results, NULL, NULL);
#undef REFUSES
	cr_assert_eq(wp_compound_mesh_track(
					 NULL, &batch, compounds, COMPOUNDS, &options, &tracked, kept, &results, NULL, NULL, NULL),
		WP_ERROR_NULL_WORKSPACE);
	cr_assert_str_eq(wp_error_text(WP_ERROR_NULL_TRACKED_CHILDREN), "tracked_children is NULL");
	cr_assert(memcmp(&now, &before, sizeof now) == 0 && memcmp(answers, expected, sizeof *answers) == 0);
	/* No compounds at all are none of a row's. */
	cr_assert_eq(
		wp_compound_mesh_track(by.workspace, &batch, NULL, 0, &options, &tracked, kept, &results, NULL, NULL, NULL),
		WP_OK);
	cr_assert_eq(answers[0].status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A);
}
