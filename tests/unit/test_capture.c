/* The reader and writer of pair and truth files: what was written is read. Damaged files are in
 * test_bad_capture.c. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "faces.h"
#include "scene.h"
#include "support/capture_sample.h"
#include "support/temporary.h"

static char path[TEMPORARY_PATH_MAX];
static int descriptor = -1;

static void make_path(void)
{
	descriptor = temporary_make(path);
	cr_assert_geq(descriptor, 0, "no temporary file %s", path);
}

static void remove_path(void) { temporary_remove(descriptor, path); }

TestSuite(capture, .init = make_path, .fini = remove_path);

static void write_sample(void)
{
	char error[CAPTURE_ERROR_MAX];
	cr_assert(capture_write(path, &contents, error), "%s", error);
}

Test(capture, round_trip)
{
	write_sample();
	capture_file capture;
	cr_assert(capture_open(&capture, path), "%s", capture.error);
	cr_assert_eq(capture.shape_count, SHAPES);
	cr_assert_eq(capture.vertex_count, VERTICES);
	cr_assert_eq(capture.pair_count, PAIRS);
	cr_assert_eq(memcmp(capture.shapes, shapes, sizeof shapes), 0);
	cr_assert_eq(memcmp(capture.vertices, vertices, sizeof vertices), 0);
	capture_pair rows[PAIRS + 1];
	size_t count;
	cr_assert(capture_read(&capture, rows, 3, &count), "%s", capture.error);
	cr_assert_eq(count, 3);
	cr_assert(capture_read(&capture, rows + 3, 2, &count), "%s", capture.error);
	cr_assert_eq(count, 1);
	cr_assert_eq(memcmp(rows, pairs, sizeof pairs), 0);
	cr_assert(capture_read(&capture, rows, 2, &count));
	cr_assert_eq(count, 0);
	capture_close(&capture);
}

/* Pairs and motions as they were written, three at a time. */
static void read_moving(const char *what)
{
	capture_file capture;
	capture_pair rows[PAIRS];
	capture_motion moves[PAIRS];
	size_t count;
	cr_assert(capture_open(&capture, path), "%s: %s", what, capture.error);
	cr_assert_eq(capture.columns, CAPTURE_MOTIONS, "%s", what);
	for (size_t first = 0; first < PAIRS; first += count) {
		cr_assert(capture_read(&capture, rows + first, 3, &count), "%s: %s", what, capture.error);
		cr_assert_eq(count, first == 0 ? 3 : PAIRS - 3, "%s", what);
		cr_assert(capture_read_motions(&capture, rows + first, moves + first, count), "%s: %s", what, capture.error);
	}
	cr_assert_eq(memcmp(rows, pairs, sizeof pairs), 0, "%s", what);
	cr_assert_eq(memcmp(moves, motions, sizeof motions), 0, "%s", what);
	capture_close(&capture);
}

Test(capture, motions_round_trip)
{
	char error[CAPTURE_ERROR_MAX];
	cr_assert(capture_write(path, &moving, error), "%s", error);
	read_moving("binary");
	cr_assert(capture_text_write(path, &moving, "a remark"));
	read_moving("text");
}

/* The caches of a file, a pair at a time, and its motions beside them. */
static void read_warm(const char *what, const capture_cache *caches, uint32_t columns)
{
	capture_file capture;
	capture_pair row;
	capture_motion move;
	capture_cache found;
	size_t count;
	cr_assert(capture_open(&capture, path), "%s: %s", what, capture.error);
	cr_assert_eq(capture.columns, columns, "%s", what);
	for (size_t i = 0; i < PAIRS; i++) {
		cr_assert(capture_read(&capture, &row, 1, &count) && count == 1, "%s: %s", what, capture.error);
		cr_assert(capture_read_caches(&capture, &found, 1), "%s: %s", what, capture.error);
		cr_assert(capture_read_motions(&capture, &row, &move, 1), "%s: %s", what, capture.error);
		const capture_motion still = capture_still(&pairs[i]);
		const capture_motion *const expected = columns & CAPTURE_MOTIONS ? &motions[i] : &still;
		cr_assert_eq(memcmp(&row, &pairs[i], sizeof row), 0, "%s: pair %zu", what, i);
		cr_assert_eq(memcmp(&found, &caches[i], sizeof found), 0, "%s: cache %zu", what, i);
		cr_assert_eq(memcmp(&move, expected, sizeof move), 0, "%s: motion %zu", what, i);
	}
	capture_close(&capture);
}

Test(capture, caches_round_trip)
{
	capture_cache caches[PAIRS];
	char error[CAPTURE_ERROR_MAX];
	for (uint32_t i = 0; i < PAIRS; i++)
		caches[i] = (capture_cache){{i, UINT32_MAX - i, i << 16, 7}, {0x1.8p-3f * (float)i, -0x1p-140f, 1}, i + 1};
	for (uint32_t columns = CAPTURE_CACHES; columns <= CAPTURE_COLUMNS; columns++) {
		capture_contents warm = moving;
		warm.caches = caches;
		if (!(columns & CAPTURE_MOTIONS))
			warm.motions = NULL;
		cr_assert(capture_write(path, &warm, error), "%s", error);
		read_warm("binary", caches, columns);
		cr_assert(capture_text_write(path, &warm, "a remark"));
		read_warm("text", caches, columns);
	}
}

/* A file without caches, and a pair without one, start from nothing. */
Test(capture, pairs_that_know_nothing)
{
	static const char text[] = CAPTURE_TEXT_MAGIC
		"\nshape sphere 1 0 0 0\npair 0 0 0 0 0 0 0 0 1 5 0 0 0 0 0 1\n"
		"pair 0 0 0 0 0 0 0 0 1 5 0 0 0 0 0 1\ncache 0x10002 003 010 5 0 1 0 2\n";
	static const capture_cache nothing;
	static const capture_cache known = {{0x10002, 3, 10, 5}, {0, 1, 0}, 2};
	capture_file capture;
	capture_pair rows[PAIRS];
	capture_cache caches[PAIRS];
	size_t count;
	write_sample();
	cr_assert(capture_open(&capture, path), "%s", capture.error);
	cr_assert(capture_read(&capture, rows, PAIRS, &count) && capture_read_caches(&capture, caches, count));
	for (size_t i = 0; i < PAIRS; i++)
		cr_assert_eq(memcmp(&caches[i], &nothing, sizeof nothing), 0, "pair %zu", i);
	capture_close(&capture);
	FILE *file = fopen(path, "w");
	cr_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
	cr_assert(capture_open(&capture, path), "%s", capture.error);
	cr_assert(capture_read(&capture, rows, 2, &count) && capture_read_caches(&capture, caches, count));
	cr_assert_eq(count, 2);
	cr_assert_eq(memcmp(&caches[0], &nothing, sizeof nothing), 0);
	cr_assert_eq(memcmp(&caches[1], &known, sizeof known), 0);
	capture_close(&capture);
}

/* Pairs without a motion stand still, in a file without any as beside others. */
Test(capture, pairs_that_stand_still)
{
	static const char text[] = CAPTURE_TEXT_MAGIC
		"\nshape sphere 1 0 0 0\npair 0 0 0 0 0 0 0 0 1 5 0 0 0 0.6 0 0.8\n"
		"pair 0 0 0 0 0 0 0 0 1 5 0 0 0 0 0 1\n# goes\nmotion 1 2 3 0 0 0 1 -4 0 0 0 0 1 0\n";
	capture_file capture;
	capture_pair rows[PAIRS];
	capture_motion moves[PAIRS];
	size_t count;
	write_sample();
	cr_assert(capture_open(&capture, path), "%s", capture.error);
	cr_assert_eq(capture.columns, 0);
	cr_assert(capture_read(&capture, rows, PAIRS, &count) && capture_read_motions(&capture, rows, moves, count));
	for (size_t i = 0; i < PAIRS; i++) {
		const capture_motion still = capture_still(&pairs[i]);
		cr_assert_eq(memcmp(&moves[i], &still, sizeof still), 0, "pair %zu", i);
	}
	capture_close(&capture);
	FILE *file = fopen(path, "w");
	cr_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
	cr_assert(capture_open(&capture, path), "%s", capture.error);
	cr_assert(capture_read(&capture, rows, 2, &count) && capture_read_motions(&capture, rows, moves, count));
	cr_assert(count == 2 && moves[0].translation_b[0] == 0 && moves[0].rotation_b[1] == 0.6f);
	cr_assert(moves[1].translation_a[2] == 3 && moves[1].translation_b[0] == -4 && moves[1].rotation_b[2] == 1);
	capture_close(&capture);
}

Test(capture, truth_round_trip)
{
	char error[CAPTURE_ERROR_MAX];
	cr_assert(capture_truth_write(path, truth, PAIRS, error), "%s", error);
	capture_truth_file file;
	cr_assert(capture_truth_open(&file, path, PAIRS), "%s", file.error);
	capture_truth rows[PAIRS];
	size_t count;
	cr_assert(capture_truth_read(&file, rows, PAIRS, &count), "%s", file.error);
	cr_assert_eq(count, PAIRS);
	cr_assert_eq(memcmp(rows, truth, sizeof truth), 0);
	capture_truth_close(&file);
}

Test(capture, empty_file_of_no_pairs)
{
	char error[CAPTURE_ERROR_MAX];
	const capture_contents nothing = {0};
	cr_assert(capture_write(path, &nothing, error), "%s", error);
	capture_file capture;
	capture_scene scene;
	capture_pair row;
	size_t count = 1;
	cr_assert(capture_open(&capture, path), "%s", capture.error);
	cr_assert(capture_read(&capture, &row, 1, &count), "%s", capture.error);
	cr_assert_eq(count, 0);
	cr_assert(scene_build(&scene, &capture, capture.error), "%s", capture.error);
	cr_assert_eq(scene.shape_count, 0);
	scene_free(&scene);
	capture_close(&capture);
}

Test(capture, missing_file_and_folder_are_refused)
{
	capture_file capture;
	cr_assert_not(capture_open(&capture, "/nonexistent/file.pairs"));
	cr_assert_str_eq(capture.error, "/nonexistent/file.pairs: cannot open: No such file or directory");
	cr_assert_not(capture_open(&capture, "."));
	cr_assert_str_eq(capture.error, ".: not a regular file");
	char error[CAPTURE_ERROR_MAX];
	cr_assert_not(capture_write("/nonexistent/file.pairs", &contents, error));
	cr_assert_str_eq(error, "/nonexistent/file.pairs: cannot create: No such file or directory");
	cr_assert_not(capture_text_write("/nonexistent/file.pairs", &contents, "a remark"));
}

/* NaN is no error of the file: it makes a shape that the library refuses, and that alone. */
Test(capture, nan_makes_invalid_shapes)
{
	char error[CAPTURE_ERROR_MAX];
	capture_shape bad_shapes[SHAPES];
	float bad_vertices[VERTICES][3];
	memcpy(bad_shapes, shapes, sizeof shapes);
	memcpy(bad_vertices, vertices, sizeof vertices);
	bad_shapes[0].param[1] = NAN;
	bad_vertices[2][2] = INFINITY;
	const capture_contents bad = {
		bad_shapes, (const float(*)[3])bad_vertices, pairs, SHAPES, VERTICES, PAIRS, NULL, NULL};
	cr_assert(capture_write(path, &bad, error), "%s", error);
	capture_file capture;
	capture_scene scene;
	cr_assert(capture_open(&capture, path), "%s", capture.error);
	cr_assert(scene_build(&scene, &capture, capture.error), "%s", capture.error);
	cr_assert_eq(scene.invalid_count, 2);
	scene_free(&scene);
	capture_close(&capture);
}

Test(capture, scene_holds_the_shapes)
{
	write_sample();
	capture_file capture;
	capture_scene scene;
	cr_assert(capture_open(&capture, path), "%s", capture.error);
	cr_assert(scene_build(&scene, &capture, capture.error), "%s", capture.error);
	cr_assert_eq(scene.shape_count, SHAPES);
	cr_assert_eq(scene.invalid_count, 0);
	cr_assert_eq(scene.shapes[0].kind, WP_SHAPE_BOX);
	cr_assert_eq(scene.shapes[0].radius, 0.5f);
	cr_assert_eq(scene.shapes[1].kind, WP_SHAPE_HULL);
	cr_assert_eq(scene.shapes[1].radius, 0.25f);
	cr_assert_eq(wp_hull_vertex_count(scene.shapes[1].hull), 4);
	cr_assert_eq(scene.shapes[2].kind, WP_SHAPE_CAPSULE);
	cr_assert_eq(scene.shapes[5].kind, WP_SHAPE_SPHERE);
	float vertex[3];
	wp_hull_vertex(scene.shapes[1].hull, 3, vertex);
	cr_assert_eq(memcmp(vertex, vertices[3], sizeof vertex), 0);
	wp_hull_vertex(scene.shapes[4].hull, 0, vertex);
	cr_assert_eq(memcmp(vertex, vertices[4], sizeof vertex), 0);
	scene_free(&scene);
	capture_close(&capture);
}

Test(capture, scene_gives_hulls_faces_and_keeps_vertices)
{
	write_sample();
	capture_file capture;
	capture_scene scene;
	cr_assert(capture_open(&capture, path), "%s", capture.error);
	cr_assert(scene_build(&scene, &capture, capture.error), "%s", capture.error);
	cr_assert(scene_add_faces(&scene, &capture, capture.error), "%s", capture.error);
	const wp_hull *hull = scene.shapes[1].hull;
	cr_assert_eq(wp_hull_face_count(hull), faces_available() ? 4 : 0);
	cr_assert_eq(scene.faceless_count, faces_available() ? 0 : 1);
	cr_assert_eq(wp_hull_vertex_count(hull), 4);
	for (uint32_t index = 0; index < 4; index++) {
		float vertex[3];
		wp_hull_vertex(hull, index, vertex);
		cr_assert_eq(memcmp(vertex, vertices[index], sizeof vertex), 0);
	}
	cr_assert_eq(scene.invalid_count, 0);
	scene_free(&scene);
	capture_close(&capture);
}
