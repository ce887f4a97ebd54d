/* Pair files (.pairs) and truth files (.truth): recorded narrowphase queries and their exact answers.
 *
 * Both are little-endian on every machine, and packed. A pair file is
 *   "PAIRS01\0", u32 shape_count, vertex_count, pair_count, columns
 *   shape_count  x capture_shape    28 bytes
 *   vertex_count x f32[3]           12 bytes
 *   pair_count   x capture_pair     64 bytes
 *   and of each bit of columns, lowest first,
 *   pair_count   x capture_motion   56 bytes (CAPTURE_MOTIONS)
 *   pair_count   x capture_cache    32 bytes (CAPTURE_CACHES)
 * and a truth file, in the order of the pairs,
 *   "TRUTH01\0", u32 pair_count, reserved (0)
 *   pair_count   x capture_truth    40 bytes
 * A pair file may also be text, to be written by hand or kept in a repository: "pairs text 1", then one
 * record a line, numbers as strtof reads them (hex floats are exact), whole ones decimal or, with 0x, hexadecimal, # for remarks:
 *   shape KIND param[4]             KIND as of capture_kind_name
 *   v x y z                         one vertex of the hull or mesh above
 *   pair A B position_a[3] rotation_a[4] position_b[3] rotation_b[4]
 *   motion translation_a[3] rotation_a[4] translation_b[3] rotation_b[4]
 *                                   how the pair above moves, rotations at the end; without it stands still
 *   cache vertex[4] axis[3] count   what the last query of the pair above left; without it nothing is known
 * Readers refuse all else: a file is read completely, or an error names its offset. Numbers
 * that are no error of the file (NaN in a pose, a negative radius) pass: the library judges those. */
#ifndef WP_TOOLS_CAPTURE_CAPTURE_H
#define WP_TOOLS_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CAPTURE_HEADER_SIZE 24
#define CAPTURE_TRUTH_HEADER_SIZE 16
#define CAPTURE_VERTEX_SIZE 12
#define CAPTURE_ERROR_MAX 512
#define CAPTURE_MAGIC "PAIRS01"
#define CAPTURE_TEXT_MAGIC "pairs text 1"
#define CAPTURE_HULL_VERTEX_MAX 65535

typedef enum capture_kind {
	CAPTURE_SPHERE = 0, /* param: radius */
	CAPTURE_CAPSULE,    /* param: radius, half height; segment along local Y */
	CAPTURE_BOX,        /* param: three half extents, rounding radius */
	CAPTURE_HULL,       /* vertices; param[3]: rounding radius; 3, 2, 1 vertices: triangle, segment, point */
	CAPTURE_CYLINDER,   /* param: radius, half height; param[3]: rounding radius; axis Y */
	CAPTURE_CONE,       /* param: base radius, half height; param[3]: rounding radius; apex at +Y */
	CAPTURE_ELLIPSOID,  /* param: three semi-axes, rounding radius */
	CAPTURE_HALF_SPACE, /* param[3]: rounding radius; y <= 0 */
	CAPTURE_MESH, /* vertices: three a triangle, counter-clockwise seen from its front; no param. B of its pairs */
	CAPTURE_KIND_COUNT
} capture_kind;

/* The records, laid out as in the file, in the byte order of the machine. */
typedef struct capture_shape {
	uint32_t kind; /* a capture_kind */
	float param[4];
	uint32_t first_vertex; /* hulls, meshes: range of the file's vertices; else 0 */
	uint32_t vertex_count;
} capture_shape;

typedef struct capture_pair {
	uint32_t a, b; /* indices of shapes */
	float position_a[3];
	float rotation_a[4]; /* quaternion x, y, z, w */
	float position_b[3];
	float rotation_b[4];
} capture_pair;

/* What a file may have of each pair beyond its poses. */
enum { CAPTURE_MOTIONS = 1, CAPTURE_CACHES = 2, CAPTURE_COLUMNS = CAPTURE_MOTIONS | CAPTURE_CACHES };

/* How a pair moves in a cast. */
typedef struct capture_motion {
	float translation_a[3];
	float rotation_a[4]; /* at the end */
	float translation_b[3];
	float rotation_b[4];
} capture_motion;

/* What an engine had in its wp_cache of the pair before the query, number by number; all zero: nothing. */
typedef struct capture_cache {
	uint32_t vertex[4];
	float axis[3];
	uint32_t count;
} capture_cache;

typedef struct capture_truth {
	double separation; /* > 0 gap, < 0 minus the penetration depth */
	double normal[3];  /* unit, world axes, from A to B */
	double unique;     /* 1 where no other normal comes close, else 0 */
} capture_truth;

/* ---- reading: shapes and vertices are held in memory, pairs stream ------------------------------- */

typedef struct capture_file {
	capture_shape *shapes; /* [shape_count] */
	float (*vertices)[3];  /* [vertex_count] */
	uint32_t shape_count, vertex_count, pair_count;
	uint32_t columns;        /* a set of CAPTURE_MOTIONS and CAPTURE_CACHES */
	uint32_t pair_next;      /* first pair not yet read */
	capture_pair *pairs;     /* text files: all of them; else NULL */
	capture_motion *motions; /* text files: all of them; else NULL */
	capture_cache *caches;   /* text files: all of them; else NULL */
	FILE *file;
	const char *path; /* borrowed */
	char error[CAPTURE_ERROR_MAX];
} capture_file;

/* Open a pair file and read all but its pairs. On failure `error` has the reason, nothing is left
 * open, and capture_close is not needed (but harmless). `path` must outlive the capture. */
bool capture_open(capture_file *capture, const char *path);

/* Read up to `capacity` pairs; *count is 0 at the end of the file. */
bool capture_read(capture_file *capture, capture_pair *pairs, size_t capacity, size_t *count);

/* The motions of the `count` pairs that the last capture_read gave; of a file without motions they stand still. */
bool capture_read_motions(capture_file *capture, const capture_pair *pairs, capture_motion *motions, size_t count);

/* The same for their caches; of a file without caches they are all zero. */
bool capture_read_caches(capture_file *capture, capture_cache *caches, size_t count);

/* The motion of a pair that stands still. */
capture_motion capture_still(const capture_pair *pair);

void capture_close(capture_file *capture);

/* Where the rows of a binary file lie, for those who read them by other means and reorder their numbers: offsets in bytes,
 * each column's where the file has it, and the size of the file. */
typedef struct capture_layout {
	uint64_t pairs, motions, caches, size;
} capture_layout;

capture_layout capture_layout_of(const capture_file *capture);

/* Turn numbers of `width` bytes from the byte order of files into this machine's, or back. `size` is in bytes. Nothing
 * changes on little-endian machines. */
void capture_reorder(void *numbers, size_t size, size_t width);

/* Whether the shapes that these `count` pairs name exist, pairs[0] being pair `first` of the file. If not, `error`
 * names the missing one. capture_read has done it. */
bool capture_check_pairs(capture_file *capture, const capture_pair *pairs, uint64_t first, size_t count);

typedef struct capture_truth_file {
	uint32_t pair_count;
	uint32_t pair_next;
	FILE *file;
	const char *path;
	char error[CAPTURE_ERROR_MAX];
} capture_truth_file;

/* The same for a truth file, which must hold exactly `pair_count` rows. */
bool capture_truth_open(capture_truth_file *truth, const char *path, uint32_t pair_count);
bool capture_truth_read(capture_truth_file *truth, capture_truth *rows, size_t capacity, size_t *count);
void capture_truth_close(capture_truth_file *truth);

/* ---- writing -------------------------------------------------------------------------------------- */

typedef struct capture_contents {
	const capture_shape *shapes;
	const float (*vertices)[3];
	const capture_pair *pairs;
	uint32_t shape_count, vertex_count, pair_count;
	const capture_motion *motions; /* NULL: the file has none */
	const capture_cache *caches;   /* NULL: the file has none */
} capture_contents;

/* Write a whole file. On failure false, and error[CAPTURE_ERROR_MAX] has the reason. */
bool capture_write(const char *path, const capture_contents *contents, char *error);
bool capture_truth_write(const char *path, const capture_truth *rows, uint32_t count, char *error);

/* The same as text, with hex floats; `remark` is one line. */
bool capture_text_write(const char *path, const capture_contents *contents, const char *remark);

/* The rest of a text file whose first line was read: the work of capture_open. */
bool capture_text_read(capture_file *capture);

/* ---- small helpers -------------------------------------------------------------------------------- */

/* What is wrong with a file as a whole, into error[CAPTURE_ERROR_MAX]; returns false. */
bool capture_fail(char *error, const char *path, const char *what, const char *reason);

/* Open a regular file for reading and find its size, which limits every count before memory is allocated.
 * NULL on failure, and error[CAPTURE_ERROR_MAX] has the reason. */
FILE *capture_open_sized(const char *path, uint64_t *size, char *error);

/* Whether shapes of a kind have vertices. */
bool capture_has_vertices(uint32_t kind);

/* Whether a capture has a mesh. */
bool capture_has_meshes(const capture_file *capture);

/* Lower-case name of a kind ("box"), or "unknown". */
const char *capture_kind_name(uint32_t kind);

#endif
