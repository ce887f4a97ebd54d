/* The reader and writer of pair and truth files: what it reads, and that no damaged file gets past it or
 * brings it down. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "scene.h"

#define SHAPES 4
#define VERTICES 5
#define PAIRS 3
#define FILE_SIZE (CAPTURE_HEADER_SIZE + SHAPES * 28 + VERTICES * 12 + PAIRS * 64)
#define TRUTH_SIZE (CAPTURE_TRUTH_HEADER_SIZE + PAIRS * 40)

static const capture_shape shapes[SHAPES] = {
    {CAPTURE_BOX, {1, 2, 3, 0}, 0, 0},
    {CAPTURE_SPHERE, {0.5f, 0, 0, 0}, 0, 0},
    {CAPTURE_HULL, {0, 0, 0, 0.25f}, 1, 4},
    {CAPTURE_CONE, {1, 2, 0, 0}, 0, 0},
};
static const float vertices[VERTICES][3] = {{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const capture_pair pairs[PAIRS] = {
    {0, 1, {0, 0, 0}, {0, 0, 0, 1}, {3, 0, 0}, {0, 0, 0, 1}},
    {2, 0, {1, 2, 3}, {1, 0, 0, 0}, {4, 5, 6}, {0, 0, 1, 0}},
    {3, 2, {0, 0, 0}, {0, 0, 0, 1}, {0, 9, 0}, {0, 0, 0, 1}},
};
static const capture_truth truth[PAIRS] = {
    {1.5, {1, 0, 0}, 1},
    {-0.25, {0, 1, 0}, 0},
    {7, {0, 0.6, 0.8}, 1},
};

static char path[] = "/tmp/widephase-capture-XXXXXX";

static void make_path(void)
{
	int descriptor = mkstemp(path);
	cr_assert_geq(descriptor, 0);
	close(descriptor);
}

static void remove_path(void)
{
	unlink(path);
}

TestSuite(capture, .init = make_path, .fini = remove_path);

static void write_sample(void)
{
	char error[CAPTURE_ERROR_MAX];
	const capture_contents contents = {shapes, vertices, pairs, SHAPES, VERTICES, PAIRS};
	cr_assert(capture_write(path, &contents, error), "%s", error);
}

static void write_bytes(const unsigned char *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");
	cr_assert(file != NULL);
	cr_assert_eq(fwrite(bytes, 1, size, file), size);
	cr_assert_eq(fclose(file), 0);
}

static void read_bytes(unsigned char *bytes, size_t size)
{
	FILE *file = fopen(path, "rb");
	cr_assert(file != NULL);
	cr_assert_eq(fread(bytes, 1, size, file), size);
	cr_assert_eq(fgetc(file), EOF);
	fclose(file);
}

/* An error must name the file and an offset. */
static void check_error(const char *error)
{
	char start[128];
	snprintf(start, sizeof start, "%s: offset ", path);
	cr_assert_eq(strncmp(error, start, strlen(start)), 0, "unexpected message: %s", error);
	cr_assert_gt(strlen(error), strlen(start) + 4, "no reason given: %s", error);
}

/* Read all, build the scene as well. Whether it could be read; an error must be well formed. */
static bool read_all(void)
{
	capture_file capture;
	if (!capture_open(&capture, path)) {
		check_error(capture.error);
		return false;
	}
	capture_pair row;
	size_t count = 0;
	bool readable;
	while ((readable = capture_read(&capture, &row, 1, &count)) && count > 0)
		;
	if (!readable)
		check_error(capture.error);
	capture_scene scene;
	cr_assert(scene_build(&scene, &capture, capture.error), "%s", capture.error);
	scene_free(&scene);
	capture_close(&capture);
	return readable;
}

static bool read_all_truth(void)
{
	capture_truth_file file;
	if (!capture_truth_open(&file, path, PAIRS)) {
		check_error(file.error);
		return false;
	}
	capture_truth row;
	size_t count = 0;
	bool readable;
	while ((readable = capture_truth_read(&file, &row, 1, &count)) && count > 0)
		;
	if (!readable)
		check_error(file.error);
	capture_truth_close(&file);
	return readable;
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
	cr_assert(capture_read(&capture, rows, 2, &count), "%s", capture.error);
	cr_assert_eq(count, 2);
	cr_assert(capture_read(&capture, rows + 2, 2, &count), "%s", capture.error);
	cr_assert_eq(count, 1);
	cr_assert_eq(memcmp(rows, pairs, sizeof pairs), 0);
	cr_assert(capture_read(&capture, rows, 2, &count));
	cr_assert_eq(count, 0);
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
	cr_assert(read_all());
}

Test(capture, every_truncation_is_refused)
{
	unsigned char bytes[FILE_SIZE];
	write_sample();
	read_bytes(bytes, FILE_SIZE);
	for (size_t size = 0; size < FILE_SIZE; size++) {
		write_bytes(bytes, size);
		cr_assert_not(read_all(), "%zu bytes of %d were read", size, FILE_SIZE);
	}
}

Test(capture, oversized_files_are_refused)
{
	unsigned char bytes[FILE_SIZE + 64] = {0};
	write_sample();
	read_bytes(bytes, FILE_SIZE);
	for (size_t extra = 1; extra <= 64; extra++) {
		write_bytes(bytes, FILE_SIZE + extra);
		cr_assert_not(read_all(), "%zu trailing bytes were read", extra);
	}
}

/* Ways to damage a byte: each bit alone, and all of them. */
static const unsigned char flips[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff};
#define FLIPS (sizeof flips / sizeof flips[0])

/* One byte written in place: far quicker than the whole file, thousands of times. */
static void write_byte(size_t at, unsigned char value)
{
	FILE *file = fopen(path, "r+b");
	cr_assert(file != NULL);
	cr_assert_eq(fseek(file, (long)at, SEEK_SET), 0);
	cr_assert_eq(fputc(value, file), value);
	cr_assert_eq(fclose(file), 0);
}

/* A change in the header must be refused; one behind it may give another legal file, but must not crash. */
Test(capture, every_flipped_byte, .timeout = 300)
{
	unsigned char bytes[FILE_SIZE];
	write_sample();
	read_bytes(bytes, FILE_SIZE);
	for (size_t at = 0; at < FILE_SIZE; at++) {
		for (size_t flip = 0; flip < FLIPS; flip++) {
			write_byte(at, bytes[at] ^ flips[flip]);
			bool readable = read_all();
			cr_assert_not(
			    readable && at < CAPTURE_HEADER_SIZE, "byte %zu flipped by %#x was read", at, flips[flip]);
		}
		write_byte(at, bytes[at]);
	}
	cr_assert(read_all());
}

Test(capture, every_damaged_truth_byte, .timeout = 300)
{
	unsigned char bytes[TRUTH_SIZE];
	char error[CAPTURE_ERROR_MAX];
	cr_assert(capture_truth_write(path, truth, PAIRS, error), "%s", error);
	read_bytes(bytes, TRUTH_SIZE);
	for (size_t at = 0; at < TRUTH_SIZE; at++) {
		for (size_t flip = 0; flip < FLIPS; flip++) {
			write_byte(at, bytes[at] ^ flips[flip]);
			bool readable = read_all_truth();
			cr_assert_not(readable && at < CAPTURE_TRUTH_HEADER_SIZE, "byte %zu flipped by %#x was read", at,
			    flips[flip]);
		}
		write_byte(at, bytes[at]);
	}
	cr_assert(read_all_truth());
	for (size_t size = 0; size < TRUTH_SIZE; size++) {
		write_bytes(bytes, size);
		cr_assert_not(read_all_truth(), "%zu bytes of %d were read", size, TRUTH_SIZE);
	}
}

/* One 32-bit word of the sample replaced: the file must be refused at that very offset. */
static void check_word_refused(size_t offset, uint32_t value, size_t named_offset)
{
	unsigned char bytes[FILE_SIZE];
	char start[128];
	write_sample();
	read_bytes(bytes, FILE_SIZE);
	memcpy(bytes + offset, &value, sizeof value);
	write_bytes(bytes, FILE_SIZE);
	snprintf(start, sizeof start, "%s: offset %zu: ", path, named_offset);
	capture_file capture;
	capture_pair rows[PAIRS];
	size_t count;
	cr_assert_not(capture_open(&capture, path) && capture_read(&capture, rows, PAIRS, &count),
	    "%u at offset %zu was read", value, offset);
	cr_assert_eq(strncmp(capture.error, start, strlen(start)), 0, "%s, not at offset %zu", capture.error,
	    named_offset);
	capture_close(&capture);
}

Test(capture, bad_fields_are_refused_where_they_are)
{
	const size_t hull = CAPTURE_HEADER_SIZE + 2 * 28;
	const size_t first_pair = FILE_SIZE - PAIRS * 64;
	check_word_refused(8, UINT32_MAX, FILE_SIZE);                    /* shape_count */
	check_word_refused(12, UINT32_MAX, FILE_SIZE);                   /* vertex_count */
	check_word_refused(16, UINT32_MAX, FILE_SIZE);                   /* pair_count */
	check_word_refused(16, PAIRS - 1, FILE_SIZE - 64);               /* one pair more than promised */
	check_word_refused(20, 1, 20);                                   /* reserved */
	check_word_refused(CAPTURE_HEADER_SIZE, 7, CAPTURE_HEADER_SIZE); /* kind */
	check_word_refused(CAPTURE_HEADER_SIZE + 20, 1, CAPTURE_HEADER_SIZE + 20); /* a box with vertices */
	check_word_refused(CAPTURE_HEADER_SIZE + 24, 1, CAPTURE_HEADER_SIZE + 24);
	check_word_refused(hull + 20, 2, hull + 20);                      /* range one past the end */
	check_word_refused(hull + 20, UINT32_MAX, hull + 20);             /* range that wraps around */
	check_word_refused(hull + 24, 0, hull + 24);                      /* no vertices */
	check_word_refused(hull + 24, 65536, hull + 24);                  /* too many */
	check_word_refused(first_pair + 64, SHAPES, first_pair + 64);     /* A of the second pair */
	check_word_refused(first_pair + 68, UINT32_MAX, first_pair + 68); /* B of it */
}

Test(capture, missing_file_and_folder_are_refused)
{
	capture_file capture;
	cr_assert_not(capture_open(&capture, "/nonexistent/file.pairs"));
	cr_assert(strstr(capture.error, "/nonexistent/file.pairs: offset 0: cannot open") != NULL);
	cr_assert_not(capture_open(&capture, "/tmp"));
	cr_assert(strstr(capture.error, "not a regular file") != NULL);
}

Test(capture, truth_of_another_length_is_refused)
{
	char error[CAPTURE_ERROR_MAX];
	cr_assert(capture_truth_write(path, truth, PAIRS, error), "%s", error);
	capture_truth_file file;
	cr_assert_not(capture_truth_open(&file, path, PAIRS + 1));
	check_error(file.error);
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
	const capture_contents contents = {
	    bad_shapes, (const float(*)[3])bad_vertices, pairs, SHAPES, VERTICES, PAIRS};
	cr_assert(capture_write(path, &contents, error), "%s", error);
	capture_file capture;
	capture_scene scene;
	cr_assert(capture_open(&capture, path), "%s", capture.error);
	cr_assert(scene_build(&scene, &capture, capture.error), "%s", capture.error);
	cr_assert_eq(scene.invalid_count, 2);
	cr_assert(scene_supports(&scene, &pairs[0]));
	cr_assert_not(scene_supports(&scene, &pairs[2]));
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
	cr_assert_eq(scene.shapes[1].kind, WP_SHAPE_SPHERE);
	cr_assert_eq(scene.shapes[2].kind, WP_SHAPE_HULL);
	cr_assert_eq(scene.shapes[2].radius, 0.25f);
	cr_assert_eq(wp_hull_vertex_count(scene.shapes[2].hull), 4);
	float vertex[3];
	wp_hull_vertex(scene.shapes[2].hull, 3, vertex);
	cr_assert_eq(memcmp(vertex, vertices[4], sizeof vertex), 0);
	scene_free(&scene);
	capture_close(&capture);
}
