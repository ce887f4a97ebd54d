/* Damaged files: a small pair file in binary, one in text and a truth file, with every bit flipped, cut at
 * every byte and lengthened. The reader refuses with a reason and a place, or what it delivers is in range and
 * can be run. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "scene.h"
#include "support/capture_sample.h"
#include "support/temporary.h"
#include "support/unit.h"

enum { ORIGINAL_MAX = 4096 };

static char path[TEMPORARY_PATH_MAX];
static int descriptor = -1;
static int free_descriptor; /* the lowest that nothing holds */
static unsigned char original[ORIGINAL_MAX];
static size_t original_size;
static wp_workspace *workspace;

static int lowest_free_descriptor(void)
{
	const int copy = dup(descriptor);
	cr_assert_geq(copy, 0);
	close(copy);
	return copy;
}

static void make_path(void)
{
	descriptor = temporary_make(path);
	cr_assert_geq(descriptor, 0, "no temporary file %s", path);
	free_descriptor = lowest_free_descriptor();
	workspace = workspace_of(WP_VARIANT_AUTO);
}

static void remove_path(void) { temporary_remove(descriptor, path); }

TestSuite(bad_capture, .init = make_path, .fini = remove_path, .timeout = 300);

/* ---- the file ------------------------------------------------------------------------------------- */

static void write_at(size_t at, const void *bytes, size_t size)
{
	cr_assert_eq(pwrite(descriptor, bytes, size, (off_t)at), (ssize_t)size);
}

static void write_file(const void *bytes, size_t size)
{
	cr_assert_eq(ftruncate(descriptor, 0), 0);
	write_at(0, bytes, size);
}

/* Keep what the writer made. */
static void take_original(void)
{
	const ssize_t size = pread(descriptor, original, sizeof original, 0);
	cr_assert(size > 0 && size < (ssize_t)sizeof original);
	original_size = (size_t)size;
}

static void write_binary(void)
{
	char error[CAPTURE_ERROR_MAX];
	cr_assert(capture_write(path, &contents, error), "%s", error);
	take_original();
}

static void write_text(void)
{
	cr_assert(capture_text_write(path, &contents, "a remark"));
	take_original();
}

static void write_moving_binary(void)
{
	char error[CAPTURE_ERROR_MAX];
	cr_assert(capture_write(path, &moving, error), "%s", error);
	take_original();
	cr_assert_eq(original_size, (size_t)MOVING_FILE_SIZE);
}

static void write_moving_text(void)
{
	cr_assert(capture_text_write(path, &moving, "a remark"));
	take_original();
}

static void write_truth(void)
{
	char error[CAPTURE_ERROR_MAX];
	cr_assert(capture_truth_write(path, truth, PAIRS, error), "%s", error);
	take_original();
}

/* ---- what a reader may do ------------------------------------------------------------------------- */

/* "PATH: offset N: REASON" or "PATH: line N: REASON". */
static bool is_error(const char *error)
{
	const size_t length = strlen(path);
	if (memchr(error, '\0', CAPTURE_ERROR_MAX) == NULL || strncmp(error, path, length) != 0)
		return false;
	const char *at = error + length;
	at += strncmp(at, ": offset ", 9) == 0 ? 9 : strncmp(at, ": line ", 7) == 0 ? 7 : 0;
	if (!isdigit((unsigned char)*at))
		return false;
	at += strspn(at, "0123456789");
	return strncmp(at, ": ", 2) == 0 && strlen(at) > 2 + 4;
}

/* Shapes refer to vertices of the file. */
static void check_shapes(const char *what, const capture_file *capture)
{
	for (uint32_t i = 0; i < capture->shape_count; i++) {
		const capture_shape *const shape = &capture->shapes[i];
		cr_assert(shape->kind < CAPTURE_KIND_COUNT, "%s: shape %u has kind %u", what, i, shape->kind);
		cr_assert(shape->first_vertex <= capture->vertex_count &&
					  shape->vertex_count <= capture->vertex_count - shape->first_vertex,
			"%s: vertices of shape %u", what, i);
		cr_assert_eq(shape->vertex_count != 0, capture_has_vertices(shape->kind), "%s: shape %u", what, i);
	}
}

/* All pairs, and whether they could be read. Damage leaves no more of them than there were. */
static bool read_pairs(const char *what, capture_file *capture, capture_pair *rows, size_t *count)
{
	capture_motion motion;
	capture_cache cache;
	size_t got;
	for (*count = 0; capture_read(capture, rows + *count, 1, &got) && got != 0; *count += got) {
		cr_assert(*count < PAIRS && got == 1, "%s: more pairs than the file has", what);
		cr_assert(rows[*count].a < capture->shape_count, "%s: A of pair %zu", what, *count);
		cr_assert(rows[*count].b < capture->shape_count, "%s: B of pair %zu", what, *count);
		if (!capture_read_motions(capture, &rows[*count], &motion, 1) || !capture_read_caches(capture, &cache, 1))
			return false;
	}
	return *count == capture->pair_count;
}

/* Every row gets an answer, or is invalid. */
static void check_scene(const char *what, const capture_file *capture, const capture_pair *rows, size_t count)
{
	capture_scene scene;
	wp_row answers[PAIRS];
	char error[CAPTURE_ERROR_MAX] = "";
	if (!scene_build(&scene, capture, error)) {
		cr_assert(strncmp(error, path, strlen(path)) == 0 && strlen(error) > strlen(path) + 6, "%s: %s", what, error);
		return;
	}
	cr_assert_eq(scene.shape_count, capture->shape_count, "%s", what);
	const wp_batch batch = scene_batch(&scene, rows, count);
	const wp_results results = wp_results_of_rows(answers);
	cr_assert_eq(wp_contact(workspace, &batch, &(wp_contact_options){.max_separation = INFINITY}, &results, NULL),
		WP_OK, "%s", what);
	for (size_t i = 0; i < count; i++) {
		const bool invalid = answers[i].status & WP_STATUS_INVALID;
		cr_assert(invalid || answers[i].lower <= answers[i].upper, "%s: row %zu", what, i);
	}
	scene_free(&scene);
}

/* Whether the pair file could be read; either way nothing stays open. */
static bool read_capture(const char *what)
{
	capture_file capture;
	capture_pair rows[PAIRS + 1];
	size_t count = 0;
	bool readable = capture_open(&capture, path);
	if (readable) {
		check_shapes(what, &capture);
		readable = read_pairs(what, &capture, rows, &count);
		check_scene(what, &capture, rows, count);
	}
	cr_assert(readable || is_error(capture.error), "%s: %.*s", what, CAPTURE_ERROR_MAX, capture.error);
	capture_close(&capture);
	cr_assert_eq(lowest_free_descriptor(), free_descriptor, "%s: the file stays open", what);
	return readable;
}

static bool read_truth(const char *what)
{
	capture_truth_file file;
	capture_truth row;
	size_t count = 0, got = 0;
	bool readable = capture_truth_open(&file, path, PAIRS);
	for (; readable && (readable = capture_truth_read(&file, &row, 1, &got)) && got != 0; count += got) {
		const double *const n = row.normal;
		cr_assert(isfinite(row.separation) && (row.unique == 0 || row.unique == 1), "%s: row %zu", what, count);
		cr_assert(fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) <= 1e-6, "%s: row %zu", what, count);
	}
	cr_assert(!readable || count == PAIRS, "%s: %zu rows", what, count);
	cr_assert(readable || is_error(file.error), "%s: %.*s", what, CAPTURE_ERROR_MAX, file.error);
	capture_truth_close(&file);
	cr_assert_eq(lowest_free_descriptor(), free_descriptor, "%s: the file stays open", what);
	return readable;
}

/* ---- every bit, every length ---------------------------------------------------------------------- */

/* A kind of file. Damage below `strict` must be refused, and any cut where `is_sized`. */
typedef struct file_case {
	const char *name;
	void (*write)(void);
	bool (*read)(const char *what);
	size_t strict;
	bool is_sized;
} file_case;

static const file_case file_cases[] = {
	{"binary", write_binary, read_capture, CAPTURE_HEADER_SIZE, true},
	{"text", write_text, read_capture, sizeof CAPTURE_TEXT_MAGIC, false},
	{"moving binary", write_moving_binary, read_capture, CAPTURE_HEADER_SIZE, true},
	{"moving text", write_moving_text, read_capture, sizeof CAPTURE_TEXT_MAGIC, false},
	{"truth", write_truth, read_truth, CAPTURE_TRUTH_HEADER_SIZE, true},
};

/* One byte damaged, then mended again. */
static void flip(const file_case *c, size_t at, unsigned char bits)
{
	const unsigned char flipped = original[at] ^ bits;
	char what[80];
	snprintf(what, sizeof what, "%s with bits %#x of byte %zu flipped", c->name, bits, at);
	write_at(at, &flipped, 1);
	const bool readable = c->read(what);
	cr_assert(!readable || at >= c->strict, "%s was read", what);
	write_at(at, &original[at], 1);
}

static void flip_bits(const file_case *c)
{
	for (size_t at = 0; at < original_size; at++) {
		for (int bit = 0; bit < 8; bit++)
			flip(c, at, (unsigned char)(1u << bit));
		flip(c, at, 0xff);
	}
	cr_assert(c->read(c->name), "%s is whole again", c->name);
}

static void cut(const file_case *c)
{
	for (size_t size = original_size; size-- > 0;) {
		char what[80];
		snprintf(what, sizeof what, "%s cut to %zu bytes", c->name, size);
		cr_assert_eq(ftruncate(descriptor, (off_t)size), 0);
		const bool readable = c->read(what);
		cr_assert(!readable || (!c->is_sized && size >= c->strict), "%s was read", what);
	}
}

/* Bytes behind the last one that the header promises. */
static void lengthen(const file_case *c)
{
	for (size_t extra = 1; extra <= 64; extra++) {
		char what[80];
		snprintf(what, sizeof what, "%s with %zu bytes more", c->name, extra);
		cr_assert_eq(ftruncate(descriptor, (off_t)(original_size + extra)), 0);
		cr_assert_not(c->read(what), "%s was read", what);
	}
}

Test(bad_capture, whole_files_are_read)
{
	for (size_t i = 0; i < COUNT_OF(file_cases); i++) {
		file_cases[i].write();
		cr_assert(file_cases[i].read(file_cases[i].name), "%s", file_cases[i].name);
	}
}

Test(bad_capture, every_bit)
{
	for (size_t i = 0; i < COUNT_OF(file_cases); i++) {
		file_cases[i].write();
		flip_bits(&file_cases[i]);
	}
}

Test(bad_capture, every_truncation)
{
	for (size_t i = 0; i < COUNT_OF(file_cases); i++) {
		file_cases[i].write();
		cut(&file_cases[i]);
	}
}

Test(bad_capture, bytes_too_many)
{
	for (size_t i = 0; i < COUNT_OF(file_cases); i++) {
		if (!file_cases[i].is_sized)
			continue;
		file_cases[i].write();
		lengthen(&file_cases[i]);
	}
}

/* ---- words of a binary file ----------------------------------------------------------------------- */

/* The word at `at` replaced: refused at `named`, or read where that is 0. */
static const struct {
	const char *name;
	size_t at;
	uint32_t value;
	size_t named;
} word_cases[] = {
	{"no shapes", 8, 0, FILE_SIZE - SHAPES * 28},
	{"a shape too many", 8, SHAPES + 1, FILE_SIZE},
	{"most shapes", 8, UINT32_MAX, FILE_SIZE},
	{"no vertices", 12, 0, FILE_SIZE - VERTICES * 12},
	{"most vertices", 12, UINT32_MAX, FILE_SIZE},
	{"no pairs", 16, 0, AT_PAIRS},
	{"a pair too few", 16, PAIRS - 1, FILE_SIZE - 64},
	{"most pairs", 16, UINT32_MAX, FILE_SIZE},
	{"motions that are not there", 20, CAPTURE_MOTIONS, FILE_SIZE},
	{"caches that are not there", 20, CAPTURE_CACHES, FILE_SIZE},
	{"columns unknown", 20, CAPTURE_COLUMNS + 1, 20},
	{"columns of all bits", 20, UINT32_MAX, 20},
	{"kind one too high", AT_SHAPES, CAPTURE_KIND_COUNT, AT_SHAPES},
	{"kind of all bits", AT_SHAPES, UINT32_MAX, AT_SHAPES},
	{"a box with a first vertex", AT_SHAPES + 20, 1, AT_SHAPES + 20},
	{"a box of vertices", AT_SHAPES + 24, 1, AT_SHAPES + 24},
	{"a box that is a hull of nothing", AT_SHAPES, CAPTURE_HULL, AT_SHAPES + 24},
	{"a box that is a mesh of nothing", AT_SHAPES, CAPTURE_MESH, AT_SHAPES + 24},
	{"a hull of four vertices that is a mesh", AT_HULL, CAPTURE_MESH, AT_HULL + 24},
	{"a hull that is a box", AT_HULL, CAPTURE_BOX, AT_HULL + 24},
	{"vertices that end one too far", AT_HULL + 20, 2, AT_HULL + 20},
	{"vertices behind the last", AT_HULL + 20, VERTICES, AT_HULL + 20},
	{"vertices that wrap", AT_HULL + 20, UINT32_MAX - 2, AT_HULL + 20},
	{"a hull of nothing", AT_HULL + 24, 0, AT_HULL + 24},
	{"a hull of too many", AT_HULL + 24, CAPTURE_HULL_VERTEX_MAX + 1, AT_HULL + 24},
	{"a hull of the most", AT_HULL + 24, UINT32_MAX, AT_HULL + 24},
	{"a hull of one vertex more", AT_HULL + 24, 5, 0},
	{"vertex NaN", AT_VERTICES, 0x7fc00000, 0},
	{"extent negative", AT_SHAPES + 4, 0xbf800000, 0},
	{"radius infinite", AT_SHAPES + 16, 0x7f800000, 0},
	{"A one too high", AT_PAIRS, SHAPES, AT_PAIRS},
	{"A of all bits", AT_PAIRS, UINT32_MAX, AT_PAIRS},
	{"B one too high", AT_PAIRS + 4, SHAPES, AT_PAIRS + 4},
	{"B of the last pair", AT_PAIRS + 3 * 64 + 4, UINT32_C(1) << 31, AT_PAIRS + 3 * 64 + 4},
	{"position NaN", AT_PAIRS + 8, 0x7fc00000, 0},
	{"rotation zero", AT_PAIRS + 32, 0, 0},
};

Test(bad_capture, words)
{
	write_binary();
	cr_assert_eq(original_size, (size_t)FILE_SIZE);
	for (size_t i = 0; i < COUNT_OF(word_cases); i++) {
		char start[CAPTURE_ERROR_MAX];
		capture_file capture;
		capture_pair rows[PAIRS];
		size_t count;
		const char *const name = word_cases[i].name;
		write_file(original, original_size);
		write_at(word_cases[i].at, &word_cases[i].value, sizeof word_cases[i].value);
		cr_assert_eq(read_capture(name), word_cases[i].named == 0, "%s", name);
		if (word_cases[i].named == 0)
			continue;
		snprintf(start, sizeof start, "%s: offset %zu: ", path, word_cases[i].named);
		cr_assert_not(capture_open(&capture, path) && capture_read(&capture, rows, PAIRS, &count), "%s", name);
		cr_assert_eq(strncmp(capture.error, start, strlen(start)), 0, "%s: %s", name, capture.error);
		capture_close(&capture);
	}
}

/* ---- lines of a text file ------------------------------------------------------------------------- */

#define LINES(text) CAPTURE_TEXT_MAGIC "\n" text
#define POSE " 0 0 0 0 0 0 1"
#define BOX "shape box 1 1 1 0\n"
#define LONG16 "0000000000000000"
#define LONG256 \
	LONG16 LONG16 LONG16 LONG16 LONG16 LONG16 LONG16 LONG16 LONG16 LONG16 LONG16 LONG16 LONG16 LONG16 LONG16 LONG16
#define HASHES64 "################################################################"
#define HASHES256 HASHES64 HASHES64 HASHES64 HASHES64

/* Refused because of `line`, or read where that is 0. */
static const struct {
	const char *name;
	const char *text;
	uint32_t line;
} line_cases[] = {
	{"nothing", LINES(""), 0},
	{"remarks and blanks", LINES("# remark\n\n \t\r\n  # another\n"), 0},
	{"a shape and a pair", LINES(BOX "pair 0 0" POSE POSE "\n"), 0},
	{"no end of the last line", LINES(BOX "pair 0 0" POSE POSE), 0},
	{"lines of another system", LINES("shape box 1 1 1 0\r\npair 0 0" POSE POSE "\r\n"), 0},
	{"all lines of another system", CAPTURE_TEXT_MAGIC "\r\nshape box 1 1 1 0\r\npair 0 0" POSE POSE "\r\n", 0},
	{"numbers that the library judges", LINES("shape sphere nan -1 inf 1e999\npair 0 0 nan 0 0 0 0 0 0" POSE "\n"), 0},
	{"a word unknown", LINES("shapes box 1 1 1 0\n"), 2},
	{"a word cut", LINES("shap box 1 1 1 0\n"), 2},
	{"a word of bytes", LINES("\x01\xff\x80\n"), 2},
	{"a format string", LINES("%s%n%s%n\n"), 2},
	{"a kind missing", LINES("shape\n"), 2},
	{"a kind unknown", LINES("shape boxes 1 1 1 0\n"), 2},
	{"a kind cut", LINES("shape bo 1 1 1 0\n"), 2},
	{"a kind of percents", LINES("shape %s%n 1 1 1 0\n"), 2},
	{"a number missing", LINES("shape box 1 1 1\n"), 2},
	{"numbers missing", LINES("shape box\n"), 2},
	{"a number that is none", LINES("shape box 1 one 1 0\n"), 2},
	{"a vertex first", LINES("v 0 0 0\n"), 2},
	{"a vertex of a box", LINES(BOX "v 0 0 0\n"), 3},
	{"a vertex of two numbers", LINES("shape hull 0 0 0 0\nv 0 0\n"), 3},
	{"a hull of nothing", LINES("shape hull 0 0 0 0\n"), 3},
	{"a hull of nothing between", LINES("shape hull 0 0 0 0\n" BOX "pair 0 1" POSE POSE "\n"), 5},
	{"a pair before shapes", LINES("pair 0 0" POSE POSE "\n"), 2},
	{"A one too high", LINES(BOX "pair 1 0" POSE POSE "\n"), 3},
	{"B one too high", LINES(BOX "pair 0 1" POSE POSE "\n"), 3},
	{"A negative", LINES(BOX "pair -1 0" POSE POSE "\n"), 3},
	{"A beyond 32 bits", LINES(BOX "pair 4294967296 0" POSE POSE "\n"), 3},
	{"A beyond 64 bits", LINES(BOX "pair 18446744073709551616 0" POSE POSE "\n"), 3},
	{"A that is none", LINES(BOX "pair a 0" POSE POSE "\n"), 3},
	{"a pose missing", LINES(BOX "pair 0 0" POSE "\n"), 3},
	{"the last number missing", LINES(BOX "pair 0 0" POSE " 0 0 0 0 0 0\n"), 3},
	{"only indices", LINES(BOX "pair 0 0\n"), 3},
	{"a line too long", LINES("shape box 1 1 1 0." LONG256 LONG256 LONG256 LONG256 "\n"), 2},
	{"a long word", LINES(LONG256 LONG256 "\n"), 2},
	{"words after a shape", LINES("shape box 1 1 1 0 junk here\n"), 2},
	{"a number too many", LINES("shape hull 0 0 0 0\nv 0 0 0 0\n"), 3},
	{"half a hex float", LINES("shape box 1 1 1 0x1.8p\n"), 2},
	{"two pairs in a line", LINES(BOX "pair 0 0" POSE POSE " pair 0 0" POSE POSE "\n"), 3},
	{"two pairs parted by another blank", LINES(BOX "pair 0 0" POSE POSE "\vpair 0 0" POSE POSE "\n"), 3},
	{"B negative until it wraps", LINES(BOX "pair 0 -18446744073709551615" POSE POSE "\n"), 3},
	{"a return within a line", LINES(BOX "pair 0 0" POSE POSE "\rpair 0 0" POSE POSE "\n"), 3},
	{"a motion", LINES(BOX "pair 0 0" POSE POSE "\nmotion" POSE POSE "\n"), 0},
	{"a motion first", LINES(BOX "motion" POSE POSE "\n"), 3},
	{"a motion of A alone", LINES(BOX "pair 0 0" POSE POSE "\nmotion" POSE "\n"), 4},
	{"a motion with the last number missing", LINES(BOX "pair 0 0" POSE POSE "\nmotion" POSE " 0 0 0 0 0 0\n"), 4},
	{"a motion of three bodies", LINES(BOX "pair 0 0" POSE POSE "\nmotion" POSE POSE POSE "\n"), 4},
	{"two motions", LINES(BOX "pair 0 0" POSE POSE "\nmotion" POSE POSE "\nmotion" POSE POSE "\n"), 5},
	{"a cache", LINES(BOX "pair 0 0" POSE POSE "\ncache 1 2 3 0x4 0 1 0 4\n"), 0},
	{"a cache and a motion", LINES(BOX "pair 0 0" POSE POSE "\ncache 1 2 3 4 0 1 0 4\nmotion" POSE POSE "\n"), 0},
	{"a cache first", LINES(BOX "cache 1 2 3 4 0 1 0 4\n"), 3},
	{"two caches", LINES(BOX "pair 0 0" POSE POSE "\ncache 1 2 3 4 0 1 0 4\ncache 1 2 3 4 0 1 0 4\n"), 5},
	{"a cache without a count", LINES(BOX "pair 0 0" POSE POSE "\ncache 1 2 3 4 0 1 0\n"), 4},
	{"a cache of a number too many", LINES(BOX "pair 0 0" POSE POSE "\ncache 1 2 3 4 0 1 0 4 5\n"), 4},
	{"a cache of a vertex beyond 32 bits", LINES(BOX "pair 0 0" POSE POSE "\ncache 4294967296 2 3 4 0 1 0 4\n"), 4},
	{"a cache of a vertex beyond 64 bits",
		LINES(BOX "pair 0 0" POSE POSE "\ncache 18446744073709551616 2 3 4 0 1 0 4\n"), 4},
	{"a cache of a hexadecimal vertex without digits", LINES(BOX "pair 0 0" POSE POSE "\ncache 1 2 3 0x 0 1 0 4\n"), 4},
	{"a cache of a signed vertex", LINES(BOX "pair 0 0" POSE POSE "\ncache +1 2 3 4 0 1 0 4\n"), 4},
	{"a cache of a vertex with a fraction", LINES(BOX "pair 0 0" POSE POSE "\ncache 1.0 2 3 4 0 1 0 4\n"), 4},
	{"a cache of a hexadecimal vertex beyond 32 bits",
		LINES(BOX "pair 0 0" POSE POSE "\ncache 0x100000000 2 3 4 0 1 0 4\n"), 4},
	{"a cache of vertices that begin with zeros", LINES(BOX "pair 0 0" POSE POSE "\ncache 09 0010 08 0X00f 0 1 0 04\n"),
		0},
	{"a number after what is no blank", LINES("shape box 1 1 1 \v0\n"), 2},
	{"a cache of a negative vertex", LINES(BOX "pair 0 0" POSE POSE "\ncache -1 2 3 4 0 1 0 4\n"), 4},
	{"a remark too long", LINES(HASHES256 HASHES256 HASHES256 HASHES256 HASHES256 "\n"), 2},
};

Test(bad_capture, lines)
{
	for (size_t i = 0; i < COUNT_OF(line_cases); i++) {
		char start[CAPTURE_ERROR_MAX];
		capture_file capture;
		const char *const name = line_cases[i].name;
		write_file(line_cases[i].text, strlen(line_cases[i].text));
		cr_assert_eq(read_capture(name), line_cases[i].line == 0, "%s", name);
		if (line_cases[i].line == 0)
			continue;
		snprintf(start, sizeof start, "%s: line %u: ", path, line_cases[i].line);
		cr_assert_not(capture_open(&capture, path), "%s", name);
		cr_assert_eq(strncmp(capture.error, start, strlen(start)), 0, "%s: %s", name, capture.error);
	}
}

/* A NUL would hide the rest of its line. */
Test(bad_capture, nul_in_a_line)
{
	static const char early[] = LINES("shape box 1 1 \0 1 0\n"), late[] = LINES("shape box 1 1 1 0 \0 1 0\n");
	write_file(early, sizeof early - 1);
	cr_assert_not(read_capture("NUL in a line"));
	write_file(late, sizeof late - 1);
	cr_assert_not(read_capture("NUL late in a line"));
}

/* ---- what is no such file at all ------------------------------------------------------------------ */

static const struct {
	const char *name;
	const char *bytes;
	size_t size;
} other_cases[] = {
	{"empty", "", 0},
	{"one byte", "P", 1},
	{"the magic alone", "PAIRS01", 8},
	{"another version", "PAIRS02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24},
	{"the magic of a truth file", "TRUTH01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24},
	{"zeros", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24},
	{"text without its first line", BOX, sizeof BOX - 1},
	{"another version of text", "pairs text 2\n" BOX, sizeof "pairs text 2\n" BOX - 1},
	{"a first line without an end", CAPTURE_TEXT_MAGIC, sizeof CAPTURE_TEXT_MAGIC - 1},
};

Test(bad_capture, other_files)
{
	for (size_t i = 0; i < COUNT_OF(other_cases); i++) {
		write_file(other_cases[i].bytes, other_cases[i].size);
		cr_assert_not(read_capture(other_cases[i].name), "%s was read", other_cases[i].name);
		cr_assert_not(read_truth(other_cases[i].name), "%s was read as truth", other_cases[i].name);
	}
}

/* A truth file is one for as many pairs as there are. */
Test(bad_capture, truth_of_another_length)
{
	static const uint32_t counts[] = {0, PAIRS - 1, PAIRS + 1, UINT32_MAX};
	write_truth();
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		capture_truth_file file;
		cr_assert_not(capture_truth_open(&file, path, counts[i]), "%u pairs", counts[i]);
		cr_assert(is_error(file.error), "%u pairs: %s", counts[i], file.error);
		cr_assert_eq(lowest_free_descriptor(), free_descriptor, "%u pairs", counts[i]);
	}
}
