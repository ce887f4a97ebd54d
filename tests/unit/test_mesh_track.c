/* Frames of tracked pairs with meshes and height fields: every frame has the bits of wp_mesh_contact, however it was answered;
 * what is kept of points; which rows changed. */
#include "support/block.h"
#include "support/check.h"
#include "support/cooked.h"
#include "support/mesh_answer.h"
#include "support/mesh_bodies.h"
#include "support/track_changes.h"
#include "support/track_points.h"
#include "support/unit.h"
#include "widephase/widephase.h"

#include <math.h>

enum { SHAPES = 8, ROWS = 240, FRAMES = 24, PLACES = 3, PATCHES = 5 };

static const float near = 0.03f, merging = 0.05f;

typedef MESH_ANSWER(PATCHES) answer;

/* What is kept of all pairs. */
typedef struct memory {
	wp_tracked pairs[ROWS];
	wp_mesh_tracked_anchor anchors[ROWS];
	wp_mesh_tracked_patch patches[ROWS][PATCHES];
} memory;

static const wp_shape_table *table;
static const wp_hull *hull;
static const wp_mesh *cooked[4];
static size_t cooked_count;
static body bodies[ROWS], places[PLACES];
static uint32_t pair_b[ROWS], order[ROWS];
static double ways[ROWS][3]; /* of each body, in a frame */
static answer answers[ROWS], expected[ROWS];
static memory now, other;

static void make_shapes(void)
{
	float corners[12][3];
	gen_random random;
	gen_seed(&random, 3);
	for (int i = 0; i < 12; i++) {
		const v3 at = v3_scale(gen_direction(&random), 0.4);
		surface_set(corners[i], at.x + 0.1, at.y, at.z);
	}
	cr_assert_eq(wp_cook_points(corners[0], 0, 12, &hull, NULL), WP_OK);
	wp_shape shapes[SHAPES] = {wp_shape_box(0.5f, 0.3f, 0.4f), wp_shape_sphere(0.5f), wp_shape_capsule(0.25f, 0.4f),
		wp_shape_hull(hull), wp_shape_cylinder(0.4f, 0.3f), wp_shape_cone(0.4f, 0.5f),
		wp_shape_ellipsoid(0.5f, 0.2f, 0.4f), wp_shape_box(0.4f, 0.1f, 0.3f)};
	shapes[7].radius = 0.1f;
	const size_t size = wp_shape_table_size(SHAPES);
	cr_assert_eq(wp_shape_table_build(shapes, SHAPES, block(size), size, &table, NULL), WP_OK);
}

static const wp_mesh *cook(surface s)
{
	const wp_mesh *const mesh = cook_surface(&s);
	cooked[cooked_count++] = mesh;
	return mesh;
}

static void teardown(void)
{
	while (cooked_count != 0)
		wp_cook_free_mesh(cooked[--cooked_count]);
	wp_cook_free(hull);
}

/* ---- calls -------------------------------------------------------------------------------------- */

static wp_mesh_batch batch_of(const wp_mesh *const *meshes, size_t mesh_count, const wp_height_field *const *fields)
{
	return (wp_mesh_batch){.shapes = table,
		.meshes = meshes,
		.mesh_count = mesh_count,
		.height_fields = fields,
		.height_field_count = fields != NULL ? 1 : 0,
		.a = bodies_of(bodies, ROWS),
		.b = bodies_of(places, PLACES),
		.pair_b = {pair_b, 0},
		.count = ROWS};
}

static wp_mesh_results results_of(answer *to) { return MESH_ANSWERS(to); }

static wp_mesh_tracked_pairs pairs_of(memory *m)
{
	return (wp_mesh_tracked_pairs){.pairs = m->pairs,
		.anchors = m->anchors,
		.patches = m->patches[0],
		.count = ROWS,
		.patch_max = PATCHES,
		.index = {order, 0}};
}

static wp_track_changes changes_of(uint32_t *rows) { return (wp_track_changes){.rows = rows, .capacity = ROWS}; }

static void track(const wp_mesh_batch *batch, uint32_t flags, memory *m, wp_track_changes *changes)
{
	const wp_mesh_track_options options = {.max_separation = near, .flags = flags, .merging = merging};
	const wp_mesh_tracked_pairs tracked = pairs_of(m);
	const wp_mesh_results results = results_of(answers);
	memset(answers, 0, sizeof answers);
	cr_assert_eq(
		wp_mesh_track(workspace_of(WP_VARIANT_AUTO), batch, &options, &tracked, &results, changes, NULL), WP_OK);
}

static void contact(const wp_mesh_batch *batch, uint32_t flags)
{
	const wp_mesh_options options = {.max_separation = near, .flags = flags};
	const wp_mesh_results results = results_of(expected);
	memset(expected, 0, sizeof expected);
	cr_assert_eq(wp_mesh_contact(workspace_of(WP_VARIANT_AUTO), batch, &options, &results, NULL), WP_OK);
}

/* ---- motions ------------------------------------------------------------------------------------ */

static void seed_bodies(const wp_mesh *mesh, gen_random *random)
{
	const m3 turn = m3_of_quaternion(places[1].rotation);
	for (uint32_t i = 0; i < ROWS; i++) {
		float vertex[3];
		wp_mesh_vertex(mesh, gen_below(random, (uint32_t)wp_mesh_vertex_count(mesh)), vertex);
		const double away = gen_range(random, 0, i % 3 == 0 ? 6 : 1);
		v3 at = v3_add(v3_of_floats(vertex), v3_scale(gen_direction(random), away));
		pair_b[i] = i % PLACES;
		if (pair_b[i] == 1)
			at = v3_add(m3_apply(turn, at), v3_of(places[1].position[0], places[1].position[1], places[1].position[2]));
		memcpy(bodies[i].position, (double[3]){at.x, at.y, at.z}, sizeof bodies[i].position);
		const double step = gen_magnitude(random, 0.01, 0.5);
		const v3 way = v3_scale(gen_direction(random), step);
		memcpy(ways[i], (double[3]){way.x, i % 4 == 0 ? -step : way.y, way.z}, sizeof ways[i]);
		gen_rotation(random, bodies[i].rotation);
		bodies[i].shape = i % SHAPES;
		order[i] = (uint32_t)((i * 7u + 3u) % ROWS);
	}
}

/* In a frame a body stands, turns, goes on its way or jumps; now and then one is no body, or has another shape. On their ways
 * bodies come to the surface from outside, and leave it. */
static void move_bodies(gen_random *random, uint32_t frame)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		const uint32_t kind = gen_below(random, 8);
		if (kind < 4)
			for (int k = 0; k < 3; k++)
				bodies[i].position[k] += ways[i][k];
		if (kind == 5)
			for (int k = 0; k < 3; k++)
				bodies[i].position[k] += gen_range(random, -1, 1);
		if (kind == 6 || (kind == 0 && i % 2 == 0))
			gen_rotation(random, bodies[i].rotation);
		bodies[i].shape = gen_below(random, 50) == 0 ? gen_below(random, SHAPES + 1) : bodies[i].shape % SHAPES;
	}
	if (frame % 5 == 4)
		places[2].position[0] += 0.25;
	if (frame % 5 == 2)
		gen_rotation(random, places[2].rotation);
}

/* How rows were answered. */
typedef struct tally {
	uint32_t kept, reused, queried;
	uint32_t near_ones; /* points that went on by distance */
} tally;

static void check_frame(uint32_t frame, const char *name, tally *count)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		const wp_tracked *const pair = &now.pairs[order[i]];
		if ((expected[i].status & WP_STATUS_INVALID) != 0) {
			cr_assert(isnan(answers[i].separation) && isnan(pair->separation));
			answers[i].separation = expected[i].separation = 0;
		} else {
			cr_assert_eq(memcmp(&pair->separation, &expected[i].separation, sizeof(float)), 0);
		}
		cr_assert_eq(memcmp(&answers[i], &expected[i], sizeof *answers), 0, "%s, frame %u, row %u", name, frame, i);
		cr_assert_eq(pair->count, expected[i].patch_count);
		cr_assert_eq(pair->status, expected[i].status);
		for (uint32_t p = 0; p < pair->count; p++)
			cr_assert_eq(memcmp(&now.patches[order[i]][p].found, &expected[i].patch[p], sizeof(wp_mesh_patch)), 0);
		count->kept += (pair->event & WP_TRACK_KEPT) != 0;
		count->reused += (pair->event & WP_TRACK_REUSED) != 0;
		count->queried += (pair->event & (WP_TRACK_KEPT | WP_TRACK_REUSED)) == 0;
	}
}

static uint32_t points_of(memory *m, size_t at, seen_point list[SEEN_MAX])
{
	uint32_t count = 0;
	for (uint32_t p = 0; p < m->pairs[at].count; p++) {
		wp_mesh_tracked_patch *const patch = &m->patches[at][p];
		for (uint32_t i = 0; i < patch->found.point_count; i++) {
			const wp_mesh_point *const point = &patch->found.points[i];
			list[count++] = (seen_point){patch->found.normal, point->local_a, point->local_b,
				{point->triangle, point->feature_a, point->feature_b}, patch->points[i].age, patch->points[i].arm_a,
				patch->points[i].arm_b, patch->points[i].impulse};
		}
	}
	return count;
}

static void number_all_points(void)
{
	seen_point list[SEEN_MAX];
	for (size_t at = 0; at < ROWS; at++)
		number_points(list, points_of(&now, at, list));
}

/* Against those of the frame before it. */
static uint32_t check_all_points(void)
{
	seen_point before[SEEN_MAX], after[SEEN_MAX];
	uint32_t near_ones = 0;
	for (uint32_t row = 0; row < ROWS; row++) {
		const size_t at = order[row];
		const uint32_t old_count = points_of(&other, at, before), count = points_of(&now, at, after);
		near_ones += check_points(before, old_count, after, count, (double)merging);
		check_arms(after, count, bodies[row].rotation, places[pair_b[row]].rotation);
	}
	return near_ones;
}

static void run_frames(const wp_mesh *shown, const wp_mesh_batch *batch, uint32_t flags, const char *name, tally *count)
{
	gen_random random;
	gen_seed(&random, 41);
	for (int i = 0; i < PLACES; i++)
		places[i] = (body){.rotation = {0, 0, 0, 1}};
	places[1] = (body){.position = {1e6, -2e5, 500}, .rotation = {0.5f, -0.1f, 0.7f, 0.5f}};
	seed_bodies(shown, &random);
	memset(&now, 0, sizeof now);
	for (uint32_t frame = 0; frame < FRAMES; frame++) {
		uint32_t rows[ROWS];
		uint16_t before[ROWS];
		wp_track_changes changes = changes_of(rows);
		for (uint32_t i = 0; i < ROWS; i++)
			before[i] = now.pairs[i].count;
		number_all_points();
		other = now;
		track(batch, flags, &now, &changes);
		contact(batch, flags);
		check_frame(frame, name, count);
		count->near_ones += check_all_points();
		check_changes(now.pairs, order, ROWS, &changes, before);
		move_bodies(&random, frame);
		/* States may be moved. */
		other = now;
		memset(&now, 0x55, sizeof now);
		now = other;
	}
}

static wp_height_field field_of(const surface *s, uint32_t columns, uint32_t rows)
{
	float *const samples = malloc(s->vertex_count * sizeof *samples);
	for (size_t i = 0; i < s->vertex_count; i++)
		samples[i] = i % 97 == 0 ? WP_HEIGHT_HOLE : s->vertices[i][1];
	return (wp_height_field){.samples = samples, .columns = columns, .rows = rows, .spacing = {1, 1}};
}

static const uint32_t flags[] = {0, WP_MESH_TWO_SIDED, WP_MESH_SOUP | WP_MESH_TWO_SIDED, WP_MESH_GHOSTS};

/* Every frame is what wp_mesh_contact says, of meshes that stand, are turned far away, or move, and rows were answered in all
 * ways. */
Test(mesh_track, has_the_bits_of_contacts_with_meshes, .fini = teardown)
{
	make_shapes();
	const wp_mesh *const meshes[3] = {
		cook(surface_terrain(40, 40, 3)), cook(surface_ball(6, 0.1, 5)), cook(surface_soup(300, 0.3, 9))};
	static const char *const names[3] = {"terrain", "ball", "soup"};
	for (int i = 0; i < 3; i++) {
		tally count = {0, 0, 0, 0};
		const wp_mesh_batch batch = batch_of(&meshes[i], 1, NULL);
		for (size_t k = 0; k < COUNT_OF(flags); k++)
			run_frames(meshes[i], &batch, flags[k], names[i], &count);
		const uint32_t all = ROWS * FRAMES * COUNT_OF(flags);
		cr_assert(
			count.kept > all / 10 && count.reused > all / 50 && count.queried > all / 10 && count.near_ones > all / 100,
			"%s: %u kept, %u reused, %u queried, %u near", names[i], count.kept, count.reused, count.queried,
			count.near_ones);
	}
}

/* Triangles 1e20 times the size of bodies: floats know little of how far these are, but boxes tell. */
Test(mesh_track, has_the_bits_of_contacts_with_huge_triangles, .fini = teardown)
{
	enum { COUNT = 200 };
	make_shapes();
	gen_random random;
	gen_seed(&random, 29);
	surface s = surface_allocate(3 * COUNT, COUNT);
	for (uint32_t i = 0; i < 3 * COUNT; i++) {
		double at[3];
		for (int k = 0; k < 3; k++)
			at[k] = (gen_below(&random, 2) ? 1 : gen_magnitude(&random, 1, 1e20)) * gen_range(&random, 0.2, 1);
		surface_set(s.vertices[i], at[0], at[1], at[2]);
		s.triangles[i / 3][i % 3] = i;
	}
	const wp_mesh *const mesh = cook(s);
	const wp_mesh_batch batch = batch_of(&mesh, 1, NULL);
	for (int i = 0; i < PLACES; i++)
		places[i] = (body){.rotation = {0, 0, 0, 1}};
	for (uint32_t i = 0; i < ROWS; i++) {
		bodies[i].shape = i % SHAPES;
		gen_rotation(&random, bodies[i].rotation);
		for (int k = 0; k < 3; k++)
			bodies[i].position[k] = gen_range(&random, -0.3, 0.3);
		pair_b[i] = 0;
		order[i] = i;
	}
	tally count = {0};
	for (size_t k = 0; k < COUNT_OF(flags); k++) {
		memset(&now, 0, sizeof now);
		track(&batch, flags[k], &now, NULL);
		contact(&batch, flags[k]);
		check_frame(0, "huge triangles", &count);
	}
	cr_assert_eq(count.queried, ROWS * COUNT_OF(flags));
}

Test(mesh_track, has_the_bits_of_contacts_with_height_fields, .fini = teardown)
{
	make_shapes();
	surface s = surface_terrain(40, 30, 3);
	const wp_height_field field = field_of(&s, 40, 30);
	const wp_height_field *const fields[1] = {&field};
	const wp_mesh *const shown = cook(s);
	tally count = {0, 0, 0, 0};
	const wp_mesh_batch batch = batch_of(NULL, 0, fields);
	for (size_t k = 0; k < COUNT_OF(flags); k++)
		run_frames(shown, &batch, flags[k], "heights", &count);
	const uint32_t all = ROWS * FRAMES * COUNT_OF(flags);
	cr_assert(
		count.kept > all / 10 && count.reused > all / 50 && count.queried > all / 10 && count.near_ones > all / 100,
		"%u kept, %u reused, %u queried, %u near", count.kept, count.reused, count.queried, count.near_ones);
	free((void *)field.samples);
}

/* Two ranges of a batch leave what one call leaves, and tell the same changes. */
Test(mesh_track, answers_ranges_alike, .fini = teardown)
{
	make_shapes();
	const wp_mesh *const mesh = cook(surface_terrain(40, 40, 3));
	const wp_mesh_batch batch = batch_of(&mesh, 1, NULL);
	gen_random random;
	gen_seed(&random, 43);
	for (int i = 0; i < PLACES; i++)
		places[i] = (body){.rotation = {0, 0, 0, 1}};
	seed_bodies(mesh, &random);
	memset(&now, 0, sizeof now);
	memset(&other, 0, sizeof other);
	for (uint32_t frame = 0; frame < 8; frame++) {
		uint32_t rows[ROWS], low_rows[ROWS], high_rows[ROWS];
		wp_track_changes changes = changes_of(rows), low = changes_of(low_rows), high = changes_of(high_rows);
		wp_mesh_batch part = batch;
		track(&batch, 0, &now, &changes);
		part.count = ROWS / 3;
		track(&part, 0, &other, &low);
		part.first = part.count;
		part.count = ROWS - part.first;
		track(&part, 0, &other, &high);
		cr_assert_eq(memcmp(&now, &other, sizeof now), 0, "frame %u", frame);
		cr_assert_eq(changes.count, low.count + high.count);
		for (size_t i = 0; i < high.count; i++)
			cr_assert_geq(high_rows[i], part.first);
		move_bodies(&random, frame);
	}
}

/* ---- points ------------------------------------------------------------------------------------- */

/* A floor of squares of two triangles, one unit wide, about the origin, and one box that lies 0.01 deep in it. */
static const wp_mesh *make_floor(void)
{
	surface s = surface_grid(21, 21);
	for (size_t i = 0; i < s.vertex_count; i++)
		surface_set(s.vertices[i], (double)s.vertices[i][0] - 10, 0, (double)s.vertices[i][2] - 10);
	make_shapes();
	memset(&now, 0, sizeof now);
	for (int i = 0; i < PLACES; i++)
		places[i] = (body){.rotation = {0, 0, 0, 1}};
	for (uint32_t i = 0; i < ROWS; i++) {
		bodies[i] = (body){.position = {0.3, 0.29, 0.2}, .rotation = {0, 0, 0, 1}};
		pair_b[i] = 0;
		order[i] = i;
	}
	return cook(s);
}

/* A batch of the first rows. */
static wp_mesh_batch few_rows(const wp_mesh *const *mesh, size_t count)
{
	wp_mesh_batch batch = batch_of(mesh, 1, NULL);
	batch.count = count;
	return batch;
}

/* The point whose place on the body is nearest to a corner. */
static wp_mesh_tracked_point *point_at(wp_mesh_tracked_patch *patch, float x, float z)
{
	for (uint32_t k = 0; k < patch->found.point_count; k++) {
		const float *const at = patch->found.points[k].local_a;
		if (fabsf(at[0] - x) < 1e-3f && fabsf(at[2] - z) < 1e-3f)
			return &patch->points[k];
	}
	return NULL;
}

static const float corner[4][2] = {{-0.5f, -0.4f}, {0.5f, -0.4f}, {0.5f, 0.4f}, {-0.5f, 0.4f}};

/* A box slides over edges between triangles: its corners stay its points, with the solver's numbers, while the triangles below
 * them change. */
Test(mesh_track, keeps_the_points_of_a_sliding_box, .fini = teardown)
{
	const wp_mesh *const mesh = make_floor();
	const wp_mesh_batch batch = few_rows(&mesh, 1);
	wp_mesh_tracked_patch *const patch = now.patches[0];
	uint32_t triangles[4], changed = 0;
	for (uint32_t frame = 0; frame < 60; frame++) {
		track(&batch, 0, &now, NULL);
		cr_assert_eq(now.pairs[0].count, 1);
		cr_assert_eq(patch->found.point_count, 4);
		cr_assert_eq(now.pairs[0].event, frame == 0 ? WP_TRACK_BEGAN : 0);
		for (uint32_t c = 0; c < 4; c++) {
			wp_mesh_tracked_point *const point = point_at(patch, corner[c][0], corner[c][1]);
			cr_assert(point != NULL);
			cr_assert_eq(point->age, frame, "corner %u in frame %u: age %u", c, frame, point->age);
			for (int k = 0; k < 3; k++) {
				cr_assert_eq(point->impulse[k], frame == 0 ? 0.0f : (float)(100 * c + k));
				point->impulse[k] = (float)(100 * c + k);
			}
			cr_assert_float_eq(point->arm_a[0], corner[c][0], 1e-6);
			cr_assert_float_eq(point->arm_a[1], -0.3f, 1e-6);
			cr_assert_float_eq(point->arm_b[0], (float)bodies[0].position[0] + corner[c][0], 1e-5);
			cr_assert_float_eq(point->arm_b[1], 0, 1e-6);
			const uint32_t triangle = patch->found.points[point - patch->points].triangle;
			changed += frame != 0 && triangle != triangles[c];
			triangles[c] = triangle;
		}
		bodies[0].position[0] += 0.047;
		bodies[0].position[2] += 0.031;
	}
	cr_assert(changed > 8, "%u", changed);
}

/* A ball goes on by a step, and turns so far that its lowest point is another one. */
static void roll(uint32_t frame)
{
	bodies[0].position[0] += 0.04;
	bodies[0].rotation[2] = (float)-sin(0.15 * frame);
	bodies[0].rotation[3] = (float)cos(0.15 * frame);
}

/* Without `merging` only triangle and features say which point is which. */
Test(mesh_track, matches_places_up_to_merging, .fini = teardown)
{
	const wp_mesh *const mesh = make_floor();
	const wp_mesh_batch batch = few_rows(&mesh, 1);
	const wp_mesh_tracked_pairs tracked = pairs_of(&now);
	const wp_mesh_results none = {.patch_max = PATCHES};
	const wp_mesh_track_options options = {.max_separation = near};
	bodies[0].shape = 1;
	bodies[0].position[1] = 0.49;
	uint32_t oldest = 0, young = 0;
	for (uint32_t frame = 0; frame < 80; frame++) {
		cr_assert_eq(
			wp_mesh_track(workspace_of(WP_VARIANT_AUTO), &batch, &options, &tracked, &none, NULL, NULL), WP_OK);
		cr_assert_eq(now.pairs[0].count, 1);
		cr_assert_eq(now.patches[0][0].found.point_count, 1);
		const uint32_t age = now.patches[0][0].points[0].age;
		oldest = age > oldest ? age : oldest;
		young += age == 0;
		roll(frame);
	}
	/* A ball has the same features in one triangle after the other. */
	cr_assert(oldest > 5 && young > 2, "oldest %u, %u young", oldest, young);
	memset(&now, 0, sizeof now);
	bodies[0].position[0] = 0;
	for (uint32_t frame = 0; frame < 80; frame++) {
		track(&batch, 0, &now, NULL);
		cr_assert_eq(now.patches[0][0].points[0].age, frame);
		roll(frame);
	}
}

/* Points of a floor are none of a wall's, where the same corner touches both. */
Test(mesh_track, tells_a_floor_from_a_wall, .fini = teardown)
{
	enum { WIDE = 101 };
	surface s = surface_grid(WIDE, WIDE);
	(void)make_floor();
	/* Squares of 0.1 by 0.1: half of them lie, the others stand. */
	for (uint32_t i = 0; i < WIDE * WIDE; i++) {
		const double along = 0.1 * (i % WIDE) - 5, z = 0.1 * (i / WIDE) - 5;
		surface_set(s.vertices[i], along < 0 ? along : 0, along < 0 ? 0 : along, z);
	}
	const wp_mesh *const mesh = cook(s);
	const wp_mesh_batch batch = few_rows(&mesh, 1);
	memcpy(bodies[0].position, (double[3]){-0.49, 0.295, -2}, sizeof bodies[0].position);
	for (uint32_t frame = 0; frame < 40; frame++) {
		track(&batch, 0, &now, NULL);
		cr_assert_eq(now.pairs[0].count, 2, "%u patches in frame %u", now.pairs[0].count, frame);
		for (uint32_t i = 0; i < 2; i++) {
			wp_mesh_tracked_patch *const patch = &now.patches[0][i];
			const float mark = patch->found.normal[0] > 0.5f ? 7.0f : -7.0f;
			cr_assert(fabsf(patch->found.normal[0]) > 0.99f || fabsf(patch->found.normal[1]) > 0.99f);
			cr_assert_eq(patch->found.point_count, 4);
			for (uint32_t k = 0; k < 4; k++) {
				cr_assert_eq(patch->points[k].age, frame);
				cr_assert_eq(patch->points[k].impulse[0], frame == 0 ? 0.0f : mark);
				patch->points[k].impulse[0] = mark;
			}
		}
		/* Which of both is deeper, and so the first one, changes from frame to frame. */
		bodies[0].position[1] = frame % 2 == 0 ? 0.285 : 0.295;
		bodies[0].position[2] += 0.11;
	}
	/* A ball turns by a right angle in each frame: its point on the floor is where its point on the wall was. */
	bodies[0] = (body){.position = {-0.49, 0.49, -2}, .shape = 1};
	for (uint32_t frame = 0; frame < 16; frame++) {
		bodies[0].rotation[2] = (float)sin(atan(1) * frame);
		bodies[0].rotation[3] = (float)cos(atan(1) * frame);
		track(&batch, 0, &now, NULL);
		cr_assert_eq(now.pairs[0].count, 2);
		for (uint32_t i = 0; i < 2; i++)
			cr_assert_eq(now.patches[0][i].points[0].age, 0, "frame %u", frame);
		bodies[0].position[2] += 0.11;
	}
}

/* ---- rows that are not queried ------------------------------------------------------------------ */

static void track_counted(const wp_mesh_batch *batch, uint32_t query_all, wp_mesh_statistics *statistics)
{
	const wp_mesh_track_options options = {.max_separation = near, .merging = merging, .query_all = query_all};
	const wp_mesh_tracked_pairs tracked = pairs_of(&now);
	const wp_mesh_results none = {.patch_max = 0};
	*statistics = (wp_mesh_statistics){0};
	cr_assert_eq(
		wp_mesh_track(workspace_of(WP_VARIANT_AUTO), batch, &options, &tracked, &none, NULL, statistics), WP_OK);
}

/* What lies where it lay is not queried, and grows older; a body above a floor is not while it stays there. */
Test(mesh_track, answers_from_what_is_kept, .fini = teardown)
{
	const wp_mesh *const mesh = make_floor();
	const wp_mesh_batch batch = few_rows(&mesh, 3);
	wp_mesh_statistics s;
	bodies[1].position[1] = 1.5;
	bodies[2].position[1] = 0.3 + 2e-2;
	track_counted(&batch, 0, &s);
	cr_assert(s.rows == 3 && s.touching == 2 && s.solved > 0);
	track_counted(&batch, 0, &s);
	cr_assert(s.rows == 3 && s.touching == 2 && s.triangles == 0 && s.solved == 0);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_REUSED);
	cr_assert_eq(now.pairs[1].event, WP_TRACK_KEPT);
	cr_assert_eq(now.patches[0][0].points[0].age, 1);
	for (int frame = 0; frame < 40; frame++) {
		bodies[1].position[0] += 0.05;
		bodies[1].position[1] = frame % 2 == 0 ? 1.1 : 1.4;
		bodies[1].rotation[0] = frame % 3 == 0 ? 0.6f : 0.0f;
		bodies[1].rotation[3] = frame % 3 == 0 ? 0.8f : 1.0f;
		track_counted(&batch, 0, &s);
		cr_assert(s.triangles == 0 || now.pairs[1].event == 0);
		cr_assert_eq(now.pairs[1].count, 0);
	}
	cr_assert(now.pairs[1].event == WP_TRACK_KEPT);
	track_counted(&batch, 1, &s);
	cr_assert(s.solved > 0 && now.pairs[0].event == 0 && now.patches[0][0].points[0].age == 42);
	/* Of other options, another shape or another mesh, nothing is known. */
	bodies[0].shape = 7;
	bodies[0].position[1] = 0.19;
	track_counted(&batch, 0, &s);
	cr_assert(s.solved > 0);
	bodies[0].shape = 1;
	track_counted(&batch, 0, &s);
	cr_assert(s.solved > 0 && now.pairs[0].event == 0);
	const wp_mesh *const hills = cook(surface_terrain(30, 30, 3));
	const wp_mesh_batch changed = few_rows(&hills, 3);
	track_counted(&changed, 0, &s);
	cr_assert(now.pairs[1].event != WP_TRACK_KEPT && now.pairs[2].event != WP_TRACK_REUSED);
}

/* Samples of a height field may change in a frame that queries all rows. */
Test(mesh_track, queries_all_rows_where_told, .fini = teardown)
{
	float samples[20 * 20] = {0};
	const wp_height_field field = {.samples = samples, .columns = 20, .rows = 20, .spacing = {1, 1}};
	const wp_height_field *const fields[1] = {&field};
	wp_mesh_statistics s;
	(void)make_floor();
	wp_mesh_batch batch = batch_of(NULL, 0, fields);
	batch.count = 1;
	memcpy(bodies[0].position, (double[3]){5.5, 0.29, 5.5}, sizeof bodies[0].position);
	track_counted(&batch, 0, &s);
	cr_assert_eq(now.pairs[0].count, 1);
	for (int i = 0; i < 400; i++)
		samples[i] = 0.01f;
	track_counted(&batch, 1, &s);
	cr_assert_eq(now.patches[0][0].points[0].age, 1);
	cr_assert_float_eq(now.pairs[0].separation, -0.02, 1e-6);
	for (int i = 0; i < 400; i++)
		samples[i] = -1;
	track_counted(&batch, 1, &s);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_ENDED);
	track_counted(&batch, 0, &s);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_KEPT);
	for (int i = 0; i < 400; i++)
		samples[i] = 0;
	track_counted(&batch, 1, &s);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_BEGAN);
}

/* A ball in its box may be nearer to a triangle than a frame requests. */
Test(mesh_track, finds_what_is_near_beside_a_box, .fini = teardown)
{
	const wp_mesh *const mesh = make_floor();
	const wp_mesh_batch batch = few_rows(&mesh, 1);
	bodies[0].shape = 1;
	bodies[0].position[1] = 0.9;
	track(&batch, 0, &now, NULL);
	bodies[0].position[1] = 0.8;
	track(&batch, 0, &now, NULL);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_KEPT);
	bodies[0].position[1] = 0.52;
	track(&batch, 0, &now, NULL);
	cr_assert_eq(now.pairs[0].count, 1);
}

/* A box around a body has no triangle in it, however many there are to look at: 5000 of a slope. */
Test(mesh_track, finds_triangles_among_thousands, .fini = teardown)
{
	(void)make_floor();
	surface s = surface_grid(101, 101);
	for (size_t i = 0; i < s.vertex_count; i++) {
		const double x = 0.04 * (double)s.vertices[i][0] - 2;
		surface_set(s.vertices[i], x, 0.5 * x, 0.04 * (double)s.vertices[i][2] - 2);
	}
	const wp_mesh *const slope = cook(s);
	const wp_mesh_batch batch = few_rows(&slope, 1);
	bodies[0].shape = 1;
	for (int i = -5; i <= 5; i++) {
		memset(&now, 0, sizeof now);
		memcpy(bodies[0].position, (double[3]){0, 0.85, 0}, sizeof bodies[0].position);
		track(&batch, 0, &now, NULL);
		cr_assert_eq(now.pairs[0].count, 0);
		const double x = 0.1 * i;
		memcpy(bodies[0].position, (double[3]){x, 0.5 * x + 0.51 * sqrt(1.25), 0.02 * i}, sizeof bodies[0].position);
		track(&batch, 0, &now, NULL);
		cr_assert_eq(now.pairs[0].count, 1, "at %g", x);
	}
}

/* What is known of a body that stands still is of the options of that frame. */
Test(mesh_track, queries_what_other_options_ask, .fini = teardown)
{
	const wp_mesh *const mesh = make_floor();
	const wp_mesh_batch batch = few_rows(&mesh, 2);
	bodies[0].position[1] = -0.29;
	bodies[1].position[1] = 0.4;
	track(&batch, 0, &now, NULL);
	cr_assert(now.pairs[0].count == 0 && now.pairs[1].count == 0);
	track(&batch, WP_MESH_TWO_SIDED, &now, NULL);
	cr_assert(now.pairs[0].count == 1 && now.pairs[1].count == 0);
	track(&batch, 0, &now, NULL);
	cr_assert_eq(now.pairs[0].count, 0);
	const wp_mesh_track_options wide = {.max_separation = 0.2f, .merging = merging};
	const wp_mesh_tracked_pairs tracked = pairs_of(&now);
	const wp_mesh_results none = {.patch_max = 0};
	cr_assert_eq(wp_mesh_track(workspace_of(WP_VARIANT_AUTO), &batch, &wide, &tracked, &none, NULL, NULL), WP_OK);
	cr_assert(now.pairs[0].count == 0 && now.pairs[1].count == 1);
	track(&batch, 0, &now, NULL);
	cr_assert_eq(now.pairs[1].count, 0);
}

/* An answer of more patches than there is room for now is found again. */
Test(mesh_track, has_room_for_fewer_patches, .fini = teardown)
{
	surface s = surface_grid(5, 5);
	(void)make_floor();
	for (size_t i = 0; i < s.vertex_count; i++)
		surface_set(s.vertices[i], (double)s.vertices[i][0] - 2, fabs((double)s.vertices[i][0] - 2),
			(double)s.vertices[i][2] - 2);
	const wp_mesh *const valley = cook(s);
	const wp_mesh_batch batch = few_rows(&valley, 1);
	wp_mesh_patch patches[2];
	uint32_t patch_count;
	bodies[0].shape = 1;
	memcpy(bodies[0].position, (double[3]){0, 0.7, 0.1}, sizeof bodies[0].position);
	track(&batch, 0, &now, NULL);
	cr_assert_eq(now.pairs[0].count, 2);
	memset(patches, 0x5a, sizeof patches);
	const wp_mesh_track_options options = {.max_separation = near, .merging = merging};
	wp_mesh_tracked_pairs tracked = pairs_of(&now);
	tracked.patch_max = 1;
	const wp_mesh_results results = {
		.patch_count = {.data = &patch_count}, .patches = {.data = patches}, .patch_max = 1};
	cr_assert_eq(wp_mesh_track(workspace_of(WP_VARIANT_AUTO), &batch, &options, &tracked, &results, NULL, NULL), WP_OK);
	cr_assert(patch_count == 1 && now.pairs[0].count == 1);
	for (size_t i = sizeof patches[0]; i < sizeof patches; i++)
		cr_assert_eq(((const unsigned char *)patches)[i], 0x5a);
}

/* Another height field in the place of one. */
Test(mesh_track, tells_height_fields_apart, .fini = teardown)
{
	static const int16_t samples[20 * 20] = {0};
	const wp_height_field first = {
		.samples = samples, .columns = 20, .rows = 20, .spacing = {1, 1}, .format = WP_HEIGHT_INT16, .scale = 1};
	wp_height_field others[4] = {first, first, first, first};
	others[0].spacing[1] = 1.5f;
	others[1].scale = 2;
	others[2].offset = 0.01f;
	others[3].flags = WP_HEIGHT_OTHER_DIAGONAL;
	const wp_height_field *fields[1];
	wp_mesh_statistics s;
	(void)make_floor();
	wp_mesh_batch batch = batch_of(NULL, 0, fields);
	batch.count = 1;
	memcpy(bodies[0].position, (double[3]){5.5, 0.29, 5.5}, sizeof bodies[0].position);
	for (int i = 0; i < 4; i++) {
		fields[0] = &first;
		track_counted(&batch, 0, &s);
		track_counted(&batch, 0, &s);
		cr_assert_eq(now.pairs[0].event, WP_TRACK_REUSED);
		fields[0] = &others[i];
		track_counted(&batch, 0, &s);
		cr_assert(s.solved > 0 && now.pairs[0].event == 0, "field %d", i);
	}
}

/* ---- rows and arguments that are wrong ---------------------------------------------------------- */

/* A bad row is told, its pair has no points any more, and the others have their answers. */
Test(mesh_track, tells_bad_rows, .fini = teardown)
{
	const wp_mesh *const mesh = make_floor();
	const wp_mesh_batch batch = few_rows(&mesh, 4);
	uint32_t rows[2];
	wp_track_changes changes = {.rows = rows, .capacity = 2};
	track(&batch, 0, &now, &changes);
	cr_assert_eq(changes.count, 4);
	cr_assert(rows[0] == 0 && rows[1] == 1);
	order[1] = ROWS;
	bodies[2].position[0] = NAN;
	track(&batch, 0, &now, &changes);
	cr_assert_eq(answers[1].status, WP_STATUS_INVALID | WP_STATUS_INVALID_TRACKED);
	cr_assert_eq(answers[2].status, WP_STATUS_INVALID | WP_STATUS_INVALID_POSITION_A);
	cr_assert(isnan(answers[1].separation) && isnan(now.pairs[2].separation));
	cr_assert_eq(now.pairs[2].event, WP_TRACK_ENDED);
	cr_assert_eq(now.pairs[2].count, 0);
	cr_assert(changes.count == 1 && rows[0] == 2);
	cr_assert_eq(now.pairs[0].event, WP_TRACK_REUSED);
	cr_assert_eq(now.pairs[3].event, WP_TRACK_REUSED);
	bodies[2].position[0] = 0.3;
	track(&batch, 0, &now, &changes);
	cr_assert_eq(now.pairs[2].event, WP_TRACK_BEGAN);
	cr_assert_eq(now.patches[2][0].points[0].age, 0);
}

/* A pair that was forgotten begins anew; a pool gives it to another row. */
Test(mesh_track, forgets_pairs_that_are_zero, .fini = teardown)
{
	const wp_mesh *const mesh = make_floor();
	const wp_mesh_batch batch = few_rows(&mesh, 2);
	wp_track_pool pool;
	cr_assert_eq(wp_track_pool_init(&pool, now.pairs, ROWS), WP_OK);
	order[0] = wp_track_pool_take(&pool);
	order[1] = wp_track_pool_take(&pool);
	track(&batch, 0, &now, NULL);
	track(&batch, 0, &now, NULL);
	cr_assert_eq(now.patches[order[1]][0].points[0].age, 1);
	cr_assert_eq(wp_track_pool_give(&pool, order[1]), WP_OK);
	order[1] = wp_track_pool_take(&pool);
	track(&batch, 0, &now, NULL);
	cr_assert_eq(now.pairs[order[0]].event, WP_TRACK_REUSED);
	cr_assert_eq(now.pairs[order[1]].event, WP_TRACK_BEGAN);
	cr_assert_eq(now.patches[order[1]][0].points[0].age, 0);
}

static const wp_mesh_batch *asked;

static void refuses(wp_error wanted, const wp_mesh_track_options *options, const wp_mesh_tracked_pairs *tracked,
	const wp_mesh_results *results, wp_track_changes *changes)
{
	const memory before = now;
	const wp_error error = wp_mesh_track(
		workspace_of(WP_VARIANT_AUTO), asked, options, tracked, results, changes, NULL);
	cr_assert_eq(error, wanted, "%s instead of %s", wp_error_text(error), wp_error_text(wanted));
	cr_assert_eq(memcmp(&before, &now, sizeof now), 0);
}

#define REFUSES_TRACKED(wanted, ...)                      \
	do {                                                  \
		wp_mesh_tracked_pairs tracked = pairs_of(&now);   \
		__VA_ARGS__;                                      \
		refuses(wanted, &options, &tracked, &none, NULL); \
	} while (0)

#define REFUSES_OPTIONS(wanted, ...)                       \
	do {                                                   \
		const wp_mesh_track_options wrong = {__VA_ARGS__}; \
		refuses(wanted, &wrong, &right, &none, NULL);      \
	} while (0)

Test(mesh_track, refuses_wrong_arguments, .fini = teardown)
{
	const wp_mesh *const mesh = make_floor();
	const wp_mesh_batch batch = few_rows(&mesh, 2);
	const wp_mesh_track_options options = {.max_separation = near};
	const wp_mesh_tracked_pairs right = pairs_of(&now);
	const wp_mesh_results none = {.patch_max = 0}, other_max = {.patch_max = 3};
	wp_track_changes changes = {.capacity = 1};
	asked = &batch;
	refuses(WP_ERROR_NULL_OPTIONS, NULL, &right, &none, NULL);
	refuses(WP_ERROR_NULL_TRACKED, &options, NULL, &none, NULL);
	refuses(WP_ERROR_NULL_RESULTS, &options, &right, NULL, NULL);
	refuses(WP_ERROR_NULL_CHANGES_ROWS, &options, &right, &none, &changes);
	refuses(WP_ERROR_TRACKED_PATCH_MAX, &options, &right, &other_max, NULL);
	REFUSES_TRACKED(WP_ERROR_NULL_TRACKED_PAIRS, tracked.pairs = NULL);
	REFUSES_TRACKED(WP_ERROR_NULL_MESH_ANCHORS, tracked.anchors = NULL);
	REFUSES_TRACKED(WP_ERROR_NULL_TRACKED_PATCHES, tracked.patches = NULL);
	REFUSES_TRACKED(WP_ERROR_TRACKED_COUNT, tracked.count = (size_t)1 << 32);
	REFUSES_TRACKED(WP_ERROR_TRACKED_PATCH_MAX, tracked.patch_max = WP_MESH_PATCH_MAX + 1);
	REFUSES_TRACKED(WP_ERROR_TRACKED_INDEX_STRIDE, tracked.index.stride = 3);
	REFUSES_OPTIONS(WP_ERROR_MERGING, .merging = -1);
	REFUSES_OPTIONS(WP_ERROR_MERGING, .merging = NAN);
	REFUSES_OPTIONS(WP_ERROR_MAX_SEPARATION, .max_separation = -1);
	REFUSES_OPTIONS(WP_ERROR_MESH_FLAGS, .flags = 1u << 20);
	/* Changes name rows by 32 bits, of which the last number is none. */
	uint32_t rows[2];
	wp_mesh_batch late = batch;
	late.first = (size_t)UINT32_MAX - 1;
	changes = (wp_track_changes){.rows = rows, .capacity = 2};
	asked = &late;
	refuses(WP_ERROR_PAIR_RANGE, &options, &right, &none, &changes);
	asked = NULL;
	refuses(WP_ERROR_NULL_BATCH, &options, &right, &none, NULL);
	cr_assert_eq(wp_mesh_track(NULL, &batch, &options, &right, &none, NULL, NULL), WP_ERROR_NULL_WORKSPACE);
}
