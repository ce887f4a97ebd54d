/* Digests of frames of tracked pairs, as tests/web/digest.mjs makes them of the package's answers.
 *
 *   web_frames FILE.pairs...
 *
 * prints a line `NAME frames DIGEST` for each file. */
#include "capture.h"
#include "scene.h"
#include "support/block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 16

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

static void add_point(digest *d, const wp_persistent_point *point)
{
	add_floats(d, point->local_a, 3);
	add_floats(d, point->local_b, 3);
	add_floats(d, point->arm_a, 3);
	add_floats(d, point->arm_b, 3);
	add_floats(d, &point->separation, 1);
	add_word(d, point->feature_a);
	add_word(d, point->feature_b);
	add_word(d, point->age);
}

static void add_pair(digest *d, const wp_tracked *pair, const wp_persistent_manifold *manifold)
{
	char words[WP_STATUS_TEXT_MAX];
	add_floats(d, &pair->separation, 1);
	add_word(d, pair->event);
	wp_status_text(pair->status, words, sizeof words);
	for (const char *letter = words; *letter != '\0'; letter++)
		add_word(d, (unsigned char)*letter);
	for (uint32_t i = 0; i < pair->count; i++)
		add_point(d, &manifold->points[i]);
}

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "web_frames: %s\n", what);
	exit(2);
}

/* B comes nearer and goes away, along one axis, and turns a little. */
static void move(capture_pair *pairs, size_t count, int frame)
{
	for (size_t i = 0; i < count; i++) {
		pairs[i].position_b[i % 3] += frame < FRAMES / 2 ? -0x1p-7f : 0x1p-7f;
		pairs[i].rotation_b[i % 3] += 0x1p-12f;
	}
}

static digest digest_of(const capture_scene *scene, capture_pair *pairs, size_t count)
{
	const wp_track_options options = {.max_separation = 0.02f, .merging = 0.02f, .reuse_error = 0.001f};
	const wp_results none = {0};
	digest d = {0x811c9dc5u, 0x2f1ce84au};
	wp_workspace *workspace;
	void *const memory = block(WP_WORKSPACE_SIZE);
	check(wp_workspace_init(memory, WP_WORKSPACE_SIZE, WP_VARIANT_AUTO, &workspace) == WP_OK, "no workspace");
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
		for (size_t i = 0; i < changes.count; i++)
			add_word(&d, changes.rows[i]);
		for (size_t i = 0; i < count; i++)
			add_pair(&d, &tracked.pairs[i], &tracked.manifolds[i]);
	}
	free(tracked.pairs);
	free(tracked.manifolds);
	free(tracked.anchors);
	free(changes.rows);
	block_free(memory);
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
	const digest d = digest_of(&scene, pairs, count);
	printf("%.*s frames %08x%08x\n", (int)strcspn(name, "."), name, d.high, d.low);
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
