/* Digests of what the program has no query for, as tests/web/checks.mjs makes them of the package's answers: boxes of bodies,
 * frames of tracked pairs, the same with a height field and of compounds, compounds, and compounds on a height field.
 *
 *   web_frames FILE.pairs...
 *
 * prints lines `NAME QUERY DIGEST` for each file, of the queries in `queries`. */
#include "capture.h"
#include "scene.h"
#include "support/block.h"
#include "support/mesh_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 16

/* Of a height field, and bodies on it; children of a compound; rows of both. */
enum { SIDE = 32, PATCHES = 4, CHILDREN = 5, ROWS = 300 };

typedef struct digest {
	uint32_t high, low;
} digest;

static void add_word(digest *d, uint32_t word)
{
	for (uint32_t shift = 0; shift < 32; shift += 8) {
		const uint32_t byte = word >> shift & 0xff;
		d->high = (d->high ^ byte) * 0x01000193u;
		d->low = (d->low ^ byte ^ shift) * 0x01000193u;
	}
}

static void add_floats(digest *d, const float *values, int count)
{
	for (int i = 0; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, &values[i], sizeof bits);
		add_word(d, values[i] != values[i] ? 0x7fc00000u : bits);
	}
}

static void add_words(digest *d, uint32_t status)
{
	char words[WP_STATUS_TEXT_MAX];
	wp_status_text(status, words, sizeof words);
	for (const char *letter = words; *letter != '\0'; letter++)
		add_word(d, (unsigned char)*letter);
}

static void add_point(digest *d, const wp_persistent_point *point, const wp_persistent_place *place)
{
	add_floats(d, place->local_a, 3);
	add_floats(d, place->local_b, 3);
	add_floats(d, point->arm_a, 3);
	add_floats(d, point->arm_b, 3);
	add_floats(d, &point->separation, 1);
	add_word(d, place->feature_a);
	add_word(d, place->feature_b);
	add_word(d, point->age);
}

static void add_pair(digest *d, const wp_tracked *pair, const wp_persistent_manifold *manifold)
{
	add_floats(d, &pair->separation, 1);
	add_word(d, pair->event);
	add_words(d, pair->status);
	for (uint32_t i = 0; i < pair->count; i++)
		add_point(d, &manifold->points[i], &manifold->places[i]);
}

static const digest new_digest = {0x811c9dc5u, 0x2f1ce84au};

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "web_frames: %s\n", what);
	exit(2);
}

/* The rows that changed, and what a frame says of a pair. */
static void add_changes(digest *d, const wp_track_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		add_word(d, changes->rows[i]);
}

static void add_kept(digest *d, const wp_tracked *kept)
{
	add_floats(d, &kept->separation, 1);
	add_word(d, kept->event);
	add_words(d, kept->status);
}

/* B comes nearer and goes away, along one axis, and turns a little. */
static void move(capture_pair *pairs, size_t count, int frame)
{
	for (size_t i = 0; i < count; i++) {
		pairs[i].position_b[i % 3] += frame < FRAMES / 2 ? -0x1p-7f : 0x1p-7f;
		pairs[i].rotation_b[i % 3] += 0x1p-12f;
	}
}

static digest frames_of(wp_workspace *workspace, const capture_scene *scene, capture_pair *pairs, size_t count)
{
	const wp_track_options options = {.max_separation = 0.02f, .merging = 0.02f, .reuse_error = 0.001f};
	const wp_results none = {0};
	digest d = new_digest;
	wp_tracked_pairs tracked = {.pairs = calloc(count, sizeof *tracked.pairs),
		.manifolds = calloc(count, sizeof *tracked.manifolds),
		.anchors = calloc(count, sizeof *tracked.anchors),
		.count = count};
	wp_track_changes changes = {.rows = calloc(count, sizeof *changes.rows), .capacity = count};
	check(tracked.pairs && tracked.manifolds && tracked.anchors && changes.rows, "no memory");
	const wp_batch batch = scene_batch(scene, pairs, count);
	for (int frame = 0; frame < FRAMES; frame++) {
		move(pairs, count, frame);
		check(wp_track(workspace, &batch, &options, &tracked, &none, &changes, NULL) == WP_OK, "wp_track fails");
		add_changes(&d, &changes);
		for (size_t i = 0; i < count; i++)
			add_pair(&d, &tracked.pairs[i], &tracked.manifolds[i]);
	}
	free(tracked.pairs);
	free(tracked.manifolds);
	free(tracked.anchors);
	free(changes.rows);
	return d;
}

/* ---- boxes -------------------------------------------------------------------------------------- */

static digest bounds_of(const capture_scene *scene, const capture_pair *pairs, size_t count)
{
	static float lower[ROWS][3], upper[ROWS][3];
	const wp_contact_options options = {.max_separation = 0.02f};
	const wp_bounds boxes = {{lower, 0}, {upper, 0}, WP_REAL_FLOAT};
	const wp_batch batch = scene_batch(scene, pairs, count);
	digest d = new_digest;
	check(wp_bodies_bounds(&batch, &options, &boxes) == WP_OK, "wp_bodies_bounds fails");
	for (size_t i = 0; i < count; i++) {
		add_floats(&d, lower[i], 3);
		add_floats(&d, upper[i], 3);
	}
	return d;
}

/* ---- frames on a height field ------------------------------------------------------------------- */

/* Bodies above hills, with the shapes and rotations of B. */
typedef struct hill_bodies {
	float position[ROWS][3];
	uint32_t shape[ROWS], ground[ROWS];
} hill_bodies;

static void make_bodies(const capture_pair *pairs, uint32_t count, hill_bodies *bodies)
{
	for (uint32_t i = 0; i < count; i++) {
		bodies->position[i][0] = 2.0f + 0.75f * (float)(i * 7 % 29);
		bodies->position[i][1] = 2.5f + 0.25f * (float)(i % 4);
		bodies->position[i][2] = 2.0f + 0.75f * (float)(i * 5 % 23);
		bodies->shape[i] = pairs[i].b;
		bodies->ground[i] = 0;
	}
}

static void make_samples(float samples[SIDE * SIDE])
{
	for (uint32_t i = 0; i < SIDE * SIDE; i++)
		samples[i] = 0.125f * (float)((3 * (i % SIDE) + 5 * (i / SIDE)) % 7);
}

/* `children`: of each point, or NULL. */
static void add_patch(digest *d, const wp_mesh_tracked_patch *patch, const uint32_t *children)
{
	add_floats(d, patch->found.normal, 3);
	add_floats(d, &patch->found.separation, 1);
	for (uint32_t i = 0; i < patch->found.point_count; i++) {
		const wp_mesh_point *const point = &patch->found.points[i];
		const wp_mesh_tracked_point *const kept = &patch->points[i];
		add_floats(d, point->local_a, 3);
		add_floats(d, point->local_b, 3);
		add_floats(d, kept->arm_a, 3);
		add_floats(d, kept->arm_b, 3);
		add_floats(d, &point->separation, 1);
		add_word(d, point->triangle);
		add_word(d, point->feature_a);
		add_word(d, point->feature_b);
		add_word(d, kept->age);
		if (children != NULL)
			add_word(d, children[i]);
	}
}

/* Bodies above hills, which stand where the world does. */
static wp_mesh_batch hill_batch(const capture_scene *scene, const wp_height_field *const *hills,
	const capture_pair *pairs, const hill_bodies *bodies, uint32_t count)
{
	static const float nowhere[3], unturned[4] = {0, 0, 0, 1};
	return (wp_mesh_batch){.shapes = scene->table,
		.height_fields = hills,
		.height_field_count = 1,
		.a = {{bodies->position, 0}, {pairs->rotation_b, sizeof *pairs}, {bodies->shape, 0}, count, WP_REAL_FLOAT},
		.b = {{nowhere, 0}, {unturned, 0}, {NULL, 0}, 1, WP_REAL_FLOAT},
		.pair_b = {bodies->ground, 0},
		.count = count};
}

/* A frame of bodies on hills, and of compounds among them where there is one. */
typedef struct hill_frame {
	wp_tracked kept[ROWS];
	wp_mesh_tracked_anchor anchors[ROWS];
	wp_mesh_tracked_patch patches[ROWS * PATCHES];
	uint32_t children[ROWS * PATCHES][WP_MESH_POINT_MAX], rows[ROWS];
} hill_frame;

static void run_hill_frame(
	wp_workspace *workspace, const wp_mesh_batch *batch, const wp_compound *compound, hill_frame *frame, digest *d)
{
	const wp_mesh_track_options options = {.max_separation = 0.02f, .merging = 0.02f};
	const wp_mesh_tracked_pairs tracked = {.pairs = frame->kept,
		.anchors = frame->anchors,
		.patches = frame->patches,
		.count = batch->count,
		.patch_max = PATCHES};
	const wp_mesh_results none = {0};
	wp_track_changes changes = {.rows = frame->rows, .capacity = batch->count};
	const wp_error error = compound == NULL ? wp_mesh_track(workspace, batch, &options, &tracked, &none, &changes, NULL)
	                                        : wp_compound_mesh_track(workspace, batch, &compound, 1, &options, &tracked,
												  frame->children[0], &none, NULL, &changes, NULL);
	check(error == WP_OK, "a frame on hills fails");
	add_changes(d, &changes);
	for (size_t i = 0; i < batch->count; i++) {
		const wp_tracked *const kept = &frame->kept[i];
		add_kept(d, kept);
		for (uint32_t k = 0; k < kept->count; k++)
			add_patch(d, &frame->patches[i * PATCHES + k], compound == NULL ? NULL : frame->children[i * PATCHES + k]);
	}
}

/* Bodies fall onto the hills, and rise again. */
static digest hill_frames_of(
	wp_workspace *workspace, const wp_mesh_batch *batch, const wp_compound *compound, hill_bodies *bodies)
{
	static hill_frame frame;
	digest d = new_digest;
	memset(&frame, 0, sizeof frame);
	for (int i = 0; i < FRAMES; i++) {
		for (size_t k = 0; k < batch->count; k++)
			bodies->position[k][1] += i < FRAMES / 2 ? -0x1p-2f : 0x1p-3f;
		run_hill_frame(workspace, batch, compound, &frame, &d);
	}
	return d;
}

static digest mesh_frames_of(
	wp_workspace *workspace, const capture_scene *scene, const capture_pair *pairs, uint32_t count)
{
	static hill_bodies bodies;
	static float samples[SIDE * SIDE];
	const wp_height_field field = {.samples = samples, .columns = SIDE, .rows = SIDE, .spacing = {1, 1}};
	const wp_height_field *const hills = &field;
	const wp_mesh_batch batch = hill_batch(scene, &hills, pairs, &bodies, count);
	make_samples(samples);
	make_bodies(pairs, count, &bodies);
	return hill_frames_of(workspace, &batch, NULL, &bodies);
}

/* ---- compounds ---------------------------------------------------------------------------------- */

/* The answers of a call. */
typedef struct compound_answers {
	wp_row row[ROWS];
	uint32_t child_a[ROWS], child_b[ROWS], patch_count[ROWS];
	float fraction[ROWS];
	wp_compound_patch patch[ROWS][PATCHES];
} compound_answers;

static void add_rows(digest *d, const compound_answers *answers, uint32_t count, bool has_fraction)
{
	for (uint32_t i = 0; i < count; i++) {
		const wp_row *const row = &answers->row[i];
		add_floats(d, &row->separation, 1);
		add_floats(d, row->normal, 3);
		add_floats(d, row->point_a, 3);
		add_floats(d, row->point_b, 3);
		add_floats(d, &row->lower, 1);
		add_floats(d, &row->upper, 1);
		if (has_fraction)
			add_floats(d, &answers->fraction[i], 1);
		add_word(d, row->iterations);
		add_words(d, row->status);
		add_word(d, answers->child_a[i]);
		add_word(d, answers->child_b[i]);
	}
}

static void add_compound_patch(digest *d, const wp_compound_patch *patch)
{
	add_floats(d, patch->normal, 3);
	add_floats(d, &patch->separation, 1);
	add_word(d, patch->child_a);
	add_word(d, patch->child_b);
	add_words(d, patch->status);
	for (uint32_t i = 0; i < patch->point_count; i++) {
		add_floats(d, patch->points[i].point_a, 3);
		add_floats(d, patch->points[i].point_b, 3);
		add_floats(d, patch->points[i].local_a, 3);
		add_floats(d, patch->points[i].local_b, 3);
		add_floats(d, &patch->points[i].separation, 1);
		add_word(d, patch->points[i].feature_a);
		add_word(d, patch->points[i].feature_b);
	}
}

static void add_patches(digest *d, const compound_answers *answers, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < answers->patch_count[i]; k++)
			add_compound_patch(d, &answers->patch[i][k]);
}

static const wp_compound *make_compound(
	const capture_scene *scene, const capture_pair *pairs, void *memory, size_t size)
{
	wp_compound_child children[CHILDREN];
	const wp_compound *compound;
	for (uint32_t i = 0; i < CHILDREN; i++) {
		children[i] = (wp_compound_child){.position = {0.5f * (float)i, 0.25f * (float)(i * i % 3), -0.25f * (float)i},
			.shape = pairs[i].a,
			.tag = i};
		memcpy(children[i].rotation, pairs[i].rotation_a, sizeof children[i].rotation);
	}
	check(wp_compound_build(children, CHILDREN, scene->table, memory, size, &compound, NULL) == WP_OK, "no compound");
	return compound;
}

/* A compound in the place of each A; every third B is one, too. */
typedef struct compound_rows {
	uint32_t shape_a[ROWS], shape_b[ROWS];
	void *memory;
	const wp_compound *compound;
	wp_compound_batch batch;
} compound_rows;

static void make_compound_rows(
	compound_rows *rows, const capture_scene *scene, const capture_pair *pairs, uint32_t count)
{
	const size_t size = wp_compound_size(CHILDREN);
	rows->memory = block(size);
	rows->compound = make_compound(scene, pairs, rows->memory, size);
	rows->batch = (wp_compound_batch){.shapes = scene->table,
		.compounds = &rows->compound,
		.compound_count = 1,
		.a = {{pairs->position_a, sizeof *pairs}, {pairs->rotation_a, sizeof *pairs}, {rows->shape_a, 0}, count,
			WP_REAL_FLOAT},
		.b = {{pairs->position_b, sizeof *pairs}, {pairs->rotation_b, sizeof *pairs}, {rows->shape_b, 0}, count,
			WP_REAL_FLOAT},
		.count = count};
	for (uint32_t i = 0; i < count; i++) {
		rows->shape_a[i] = WP_COMPOUND;
		rows->shape_b[i] = i % 3 == 0 ? WP_COMPOUND : pairs[i].b;
	}
}

/* A cast moves B straight through A's place. */
static digest compounds_of(
	wp_workspace *workspace, const capture_scene *scene, const capture_pair *pairs, uint32_t count)
{
	static compound_answers answers;
	static compound_rows rows;
	static float way[ROWS][3];
	const wp_contact_options options = {.max_separation = 0.02f};
	const wp_results results = wp_results_of_rows(answers.row);
	const wp_child_columns children = {{answers.child_a, 0}, {answers.child_b, 0}};
	const wp_compound_patches patches = {.patch_count = {answers.patch_count, 0}, .patches = {answers.patch[0], 0}};
	const wp_motions motions = {.translation = {way[0], 0}};
	const wp_float_column fraction = {answers.fraction, 0};
	const wp_compound_batch *const batch = &rows.batch;
	digest d = new_digest;
	make_compound_rows(&rows, scene, pairs, count);
	for (uint32_t i = 0; i < count; i++)
		for (int k = 0; k < 3; k++)
			way[i][k] = 2.0f * (pairs[i].position_a[k] - pairs[i].position_b[k]);
	check(wp_compound_overlap(workspace, batch, &results, &children, NULL) == WP_OK, "wp_compound_overlap fails");
	add_rows(&d, &answers, count, false);
	check(
		wp_compound_distance(workspace, batch, NULL, &results, &children, NULL) == WP_OK, "wp_compound_distance fails");
	add_rows(&d, &answers, count, false);
	check(wp_compound_contact(workspace, batch, &options, &results, &children, NULL) == WP_OK,
		"wp_compound_contact fails");
	add_rows(&d, &answers, count, false);
	check(wp_compound_contact_manifold(workspace, batch, &options, &results, &patches, NULL) == WP_OK,
		"wp_compound_contact_manifold fails");
	add_patches(&d, &answers, count);
	check(wp_compound_cast(workspace, batch, NULL, &motions, &results, &fraction, &children, NULL) == WP_OK,
		"wp_compound_cast fails");
	add_rows(&d, &answers, count, true);
	block_free(rows.memory);
	return d;
}

/* A frame of pairs of compounds. */
typedef struct compound_frame {
	wp_tracked kept[ROWS];
	wp_compound_tracked_anchor anchors[ROWS];
	wp_compound_tracked_patch patches[ROWS * PATCHES];
	wp_compound_patch room[ROWS * PATCHES];
	uint32_t rows[ROWS];
} compound_frame;

static void run_compound_frame(
	wp_workspace *workspace, const wp_compound_batch *batch, compound_frame *frame, digest *d)
{
	const wp_compound_track_options options = {.max_separation = 0.02f, .merging = 0.02f};
	const wp_compound_tracked_pairs tracked = {.pairs = frame->kept,
		.anchors = frame->anchors,
		.patches = frame->patches,
		.room = frame->room,
		.count = batch->count,
		.patch_max = PATCHES};
	const wp_results none = {0};
	wp_track_changes changes = {.rows = frame->rows, .capacity = batch->count};
	check(wp_compound_track(workspace, batch, &options, &tracked, &none, NULL, &changes, NULL) == WP_OK,
		"wp_compound_track fails");
	add_changes(d, &changes);
	for (size_t i = 0; i < batch->count; i++) {
		const wp_tracked *const kept = &frame->kept[i];
		add_kept(d, kept);
		for (uint32_t k = 0; k < kept->count; k++) {
			const wp_compound_tracked_patch *const patch = &frame->patches[i * PATCHES + k];
			add_compound_patch(d, &patch->found);
			for (uint32_t m = 0; m < patch->found.point_count; m++) {
				add_floats(d, patch->points[m].arm_a, 3);
				add_floats(d, patch->points[m].arm_b, 3);
				add_word(d, patch->points[m].age);
			}
		}
	}
}

/* The pairs move as other tracked pairs do, in a copy. */
static digest compound_frames_of(
	wp_workspace *workspace, const capture_scene *scene, const capture_pair *pairs, uint32_t count)
{
	static capture_pair moved[ROWS];
	static compound_frame frame;
	static compound_rows rows;
	digest d = new_digest;
	memset(&frame, 0, sizeof frame);
	memcpy(moved, pairs, count * sizeof *pairs);
	make_compound_rows(&rows, scene, moved, count);
	for (int i = 0; i < FRAMES; i++) {
		move(moved, count, i);
		run_compound_frame(workspace, &rows.batch, &frame, &d);
	}
	block_free(rows.memory);
	return d;
}

/* ---- compounds on a height field ---------------------------------------------------------------- */

/* The answers of a row. */
typedef struct compound_mesh_answer {
	MESH_ANSWER(PATCHES);
	uint32_t children[PATCHES][WP_MESH_POINT_MAX];
} compound_mesh_answer;

static void add_answer(digest *d, const compound_mesh_answer *answer)
{
	add_floats(d, &answer->separation, 1);
	add_floats(d, answer->normal, 3);
	add_word(d, answer->triangle_count);
	add_words(d, answer->status);
	for (uint32_t i = 0; i < answer->patch_count; i++) {
		const wp_mesh_patch *const patch = &answer->patch[i];
		add_floats(d, patch->normal, 3);
		add_floats(d, &patch->separation, 1);
		for (uint32_t k = 0; k < patch->point_count; k++) {
			const wp_mesh_point *const point = &patch->points[k];
			add_floats(d, point->local_a, 3);
			add_floats(d, point->local_b, 3);
			add_floats(d, &point->separation, 1);
			add_word(d, point->triangle);
			add_word(d, point->feature_a);
			add_word(d, point->feature_b);
			add_word(d, answer->children[i][k]);
		}
	}
}

/* Bodies above the hills, of which every fourth has the shape of B. */
typedef struct compound_hills {
	hill_bodies bodies;
	float samples[SIDE * SIDE];
	wp_height_field field;
	const wp_height_field *hills;
	void *memory;
	const wp_compound *compound;
	wp_mesh_batch batch;
} compound_hills;

/* `lower`: how far below the place that bodies without a compound have. */
static void make_compound_hills(
	compound_hills *h, const capture_scene *scene, const capture_pair *pairs, uint32_t count, float lower)
{
	const size_t size = wp_compound_size(CHILDREN);
	h->memory = block(size);
	h->compound = make_compound(scene, pairs, h->memory, size);
	h->field = (wp_height_field){.samples = h->samples, .columns = SIDE, .rows = SIDE, .spacing = {1, 1}};
	h->hills = &h->field;
	h->batch = hill_batch(scene, &h->hills, pairs, &h->bodies, count);
	make_samples(h->samples);
	make_bodies(pairs, count, &h->bodies);
	for (uint32_t i = 0; i < count; i++) {
		h->bodies.position[i][1] -= lower;
		h->bodies.shape[i] = i % 4 == 3 ? h->bodies.shape[i] : WP_COMPOUND;
	}
}

static digest compound_meshes_of(
	wp_workspace *workspace, const capture_scene *scene, const capture_pair *pairs, uint32_t count)
{
	static compound_hills h;
	static compound_mesh_answer answers[ROWS];
	const wp_mesh_options options = {.max_separation = 0.02f};
	const wp_mesh_results results = MESH_ANSWERS(answers);
	const wp_uint32_column children = {answers->children[0], sizeof *answers};
	digest d = new_digest;
	make_compound_hills(&h, scene, pairs, count, 1.5f);
	check(wp_compound_mesh_contact(workspace, &h.batch, &h.compound, 1, &options, &results, &children, NULL) == WP_OK,
		"wp_compound_mesh_contact fails");
	for (uint32_t i = 0; i < count; i++)
		add_answer(&d, &answers[i]);
	block_free(h.memory);
	return d;
}

/* The other queries, whose children and triangles are in the places of children of A and B. Casts go down, and turn to the
 * rotations of A. */
static digest compound_mesh_queries_of(
	wp_workspace *workspace, const capture_scene *scene, const capture_pair *pairs, uint32_t count)
{
	static compound_hills h;
	static compound_answers answers;
	static float way[ROWS][3];
	const wp_results results = wp_results_of_rows(answers.row);
	const wp_uint32_column child = {answers.child_a, 0}, triangle = {answers.child_b, 0};
	const wp_motions motions = {.translation = {way[0], 0}, .rotation = {pairs->rotation_a, sizeof *pairs}};
	const wp_float_column fraction = {answers.fraction, 0};
	digest d = new_digest;
	make_compound_hills(&h, scene, pairs, count, 1.5f);
	check(wp_compound_mesh_overlap(workspace, &h.batch, &h.compound, 1, &results, &child, &triangle, NULL) == WP_OK,
		"wp_compound_mesh_overlap fails");
	add_rows(&d, &answers, count, false);
	check(wp_compound_mesh_distance(workspace, &h.batch, &h.compound, 1, NULL, &results, &child, &triangle, NULL) ==
			  WP_OK,
		"wp_compound_mesh_distance fails");
	add_rows(&d, &answers, count, false);
	for (uint32_t i = 0; i < count; i++) {
		h.bodies.position[i][1] += 1.5f;
		way[i][0] = 0.25f;
		way[i][1] = -3.0f;
	}
	check(wp_compound_mesh_cast(workspace, &h.batch, &h.compound, 1, &motions, NULL, &results, &fraction, &child,
			  &triangle, NULL) == WP_OK,
		"wp_compound_mesh_cast fails");
	add_rows(&d, &answers, count, true);
	block_free(h.memory);
	return d;
}

static digest compound_mesh_frames_of(
	wp_workspace *workspace, const capture_scene *scene, const capture_pair *pairs, uint32_t count)
{
	static compound_hills h;
	make_compound_hills(&h, scene, pairs, count, 0);
	const digest d = hill_frames_of(workspace, &h.batch, h.compound, &h.bodies);
	block_free(h.memory);
	return d;
}

static void print_file(const char *path)
{
	const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
	char error[CAPTURE_ERROR_MAX];
	capture_file file;
	capture_scene scene;
	size_t count;
	check(capture_open(&file, path), file.error);
	check(scene_build(&scene, &file, error), error);
	capture_pair *const pairs = calloc(file.pair_count, sizeof *pairs);
	check(pairs != NULL, "no memory");
	check(capture_read(&file, pairs, file.pair_count, &count), file.error);
	const uint32_t rows = count < ROWS ? (uint32_t)count : ROWS;
	const char *const queries[] = {"boxes", "compounds", "compound-frames", "compound-meshes", "compound-mesh-queries",
		"compound-mesh-frames", "mesh-frames", "frames"};
	enum { QUERIES = sizeof queries / sizeof queries[0] };
	digest found[QUERIES];
	wp_workspace *workspace;
	void *const memory = block(WP_WORKSPACE_SIZE);
	check(wp_workspace_init(memory, WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace) == WP_OK, "no workspace");
	/* The last ones move the pairs. */
	found[0] = bounds_of(&scene, pairs, rows);
	found[1] = compounds_of(workspace, &scene, pairs, rows);
	found[2] = compound_frames_of(workspace, &scene, pairs, rows);
	found[3] = compound_meshes_of(workspace, &scene, pairs, rows);
	found[4] = compound_mesh_queries_of(workspace, &scene, pairs, rows);
	found[5] = compound_mesh_frames_of(workspace, &scene, pairs, rows);
	found[6] = mesh_frames_of(workspace, &scene, pairs, rows);
	found[7] = frames_of(workspace, &scene, pairs, count);
	for (int k = 0; k < QUERIES; k++)
		printf("%.*s %s %08x%08x\n", (int)strcspn(name, "."), name, queries[k], found[k].high, found[k].low);
	block_free(memory);
	free(pairs);
	scene_free(&scene);
	capture_close(&file);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		print_file(argv[i]);
	return 0;
}
