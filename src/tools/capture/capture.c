#include "capture.h"
#include "system.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ || __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
	"numbers are as in the file or the other way round");
_Static_assert(sizeof(capture_shape) == 28 && sizeof(capture_pair) == 64 && sizeof(capture_motion) == 56 &&
				   sizeof(capture_cache) == 32 && sizeof(capture_truth) == 40,
	"records are packed");

/* Hulls may share vertices, so a small damaged file could ask for hulls beyond all memory. The same with meshes. */
#define VERTEX_TOTAL_MAX (UINT64_C(1) << 28)

static const char pairs_magic[8] = CAPTURE_MAGIC;
static const char truth_magic[8] = "TRUTH01";

SYSTEM_PRINTF(4, 5) static bool fail(char *error, const char *path, uint64_t offset, const char *format, ...)
{
	/* The path is cut first, so that a long one cannot push the reason out of the buffer. */
	int used = snprintf(error, CAPTURE_ERROR_MAX, "%.255s: offset %llu: ", path, (unsigned long long)offset);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error + used, CAPTURE_ERROR_MAX - (size_t)used, format, arguments);
	va_end(arguments);
	return false;
}

bool capture_fail(char *error, const char *path, const char *what, const char *reason)
{
	snprintf(error, CAPTURE_ERROR_MAX, "%.255s: %s%.200s", path, what, reason);
	return false;
}

FILE *capture_open_sized(const char *path, uint64_t *size, char *error)
{
	FILE *file = fopen(path, "rb");
	struct stat status;
	if (!file || fstat(fileno(file), &status) != 0) {
		capture_fail(error, path, "cannot open: ", strerror(errno));
	} else if (!S_ISREG(status.st_mode)) {
		capture_fail(error, path, "not a regular file", "");
	} else {
		*size = (uint64_t)status.st_size;
		return file;
	}
	if (file)
		fclose(file);
	return NULL;
}

void capture_reorder(void *numbers, size_t size, size_t width)
{
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		return;
	unsigned char *const bytes = numbers;
	for (size_t at = 0; at < size; at += width) {
		for (size_t k = 0; k < width / 2; k++) {
			const unsigned char kept = bytes[at + k];
			bytes[at + k] = bytes[at + width - 1 - k];
			bytes[at + width - 1 - k] = kept;
		}
	}
}

static bool read_exactly(FILE *file, void *data, size_t size, const char *path, uint64_t offset, char *error)
{
	size_t got = fread(data, 1, size, file);
	if (got == size)
		return true;
	if (ferror(file))
		return fail(error, path, offset + got, "read error: %s", strerror(errno));
	return fail(error, path, offset + got, "the file ends here, %zu bytes are missing", size - got);
}

/* Read records of numbers of four bytes. */
static bool read_records(FILE *file, void *data, size_t size, const char *path, uint64_t offset, char *error)
{
	if (!read_exactly(file, data, size, path, offset, error))
		return false;
	capture_reorder(data, size, sizeof(uint32_t));
	return true;
}

/* ---- pair files ------------------------------------------------------------------------------------ */

static uint64_t vertices_offset(const capture_file *capture)
{
	return CAPTURE_HEADER_SIZE + (uint64_t)capture->shape_count * sizeof(capture_shape);
}

static uint64_t pairs_offset(const capture_file *capture)
{
	return vertices_offset(capture) + (uint64_t)capture->vertex_count * CAPTURE_VERTEX_SIZE;
}

static uint64_t motions_offset(const capture_file *capture)
{
	return pairs_offset(capture) + (uint64_t)capture->pair_count * sizeof(capture_pair);
}

static uint64_t caches_offset(const capture_file *capture)
{
	const bool moves = capture->columns & CAPTURE_MOTIONS;
	return motions_offset(capture) + (moves ? (uint64_t)capture->pair_count * sizeof(capture_motion) : 0);
}

static uint64_t file_size(const capture_file *capture)
{
	const bool recalls = capture->columns & CAPTURE_CACHES;
	return caches_offset(capture) + (recalls ? (uint64_t)capture->pair_count * sizeof(capture_cache) : 0);
}

static bool read_header(capture_file *capture, uint64_t size)
{
	unsigned char header[CAPTURE_HEADER_SIZE] = {0};
	uint32_t counts[4];
	/* A short file of another kind is no pair file that was cut. */
	const bool is_whole = read_exactly(capture->file, header, sizeof header, capture->path, 0, capture->error);
	const size_t there = size < sizeof pairs_magic ? (size_t)size : sizeof pairs_magic;
	if (!ferror(capture->file) && memcmp(header, pairs_magic, there) != 0)
		return fail(capture->error, capture->path, 0,
			"not a pair file: it starts with neither " CAPTURE_MAGIC " nor the line '" CAPTURE_TEXT_MAGIC "'");
	if (!is_whole)
		return false;
	memcpy(counts, header + sizeof pairs_magic, sizeof counts);
	capture_reorder(counts, sizeof counts, sizeof counts[0]);
	capture->shape_count = counts[0];
	capture->vertex_count = counts[1];
	capture->pair_count = counts[2];
	capture->columns = counts[3];
	if (counts[3] & ~(uint32_t)CAPTURE_COLUMNS)
		return fail(capture->error, capture->path, 20, "columns that are not known, %#x", counts[3]);
	uint64_t expected = file_size(capture);
	if (size != expected)
		return fail(capture->error, capture->path, size < expected ? size : expected,
			"the header promises %llu bytes (%u shapes, %u vertices, %u pairs), the file has %llu",
			(unsigned long long)expected, counts[0], counts[1], counts[2], (unsigned long long)size);
	return true;
}

static bool check_shape(capture_file *capture, uint32_t index)
{
	const capture_shape *shape = &capture->shapes[index];
	uint64_t offset = CAPTURE_HEADER_SIZE + (uint64_t)index * sizeof(capture_shape);
	uint64_t first_offset = offset + offsetof(capture_shape, first_vertex);
	uint64_t count_offset = offset + offsetof(capture_shape, vertex_count);
	if (shape->kind >= CAPTURE_KIND_COUNT)
		return fail(capture->error, capture->path, offset, "shape %u has the unknown kind %u", index, shape->kind);
	if (!capture_has_vertices(shape->kind)) {
		if (shape->first_vertex != 0)
			return fail(capture->error, capture->path, first_offset, "shape %u is no hull, but its first vertex is %u",
				index, shape->first_vertex);
		if (shape->vertex_count != 0)
			return fail(capture->error, capture->path, count_offset, "shape %u is no hull, but has %u vertices", index,
				shape->vertex_count);
		return true;
	}
	if (shape->kind == CAPTURE_MESH && (shape->vertex_count == 0 || shape->vertex_count % 3 != 0))
		return fail(capture->error, capture->path, count_offset,
			"shape %u is a mesh of %u vertices; each triangle has three", index, shape->vertex_count);
	if (shape->kind == CAPTURE_HULL && (shape->vertex_count == 0 || shape->vertex_count > CAPTURE_HULL_VERTEX_MAX))
		return fail(capture->error, capture->path, count_offset, "shape %u has %u vertices; 1 to %d are possible",
			index, shape->vertex_count, CAPTURE_HULL_VERTEX_MAX);
	if (shape->first_vertex > capture->vertex_count ||
		shape->vertex_count > capture->vertex_count - shape->first_vertex)
		return fail(capture->error, capture->path, first_offset, "shape %u takes vertices %u to %llu, the file has %u",
			index, shape->first_vertex, (unsigned long long)shape->first_vertex + shape->vertex_count - 1,
			capture->vertex_count);
	return true;
}

/* NULL if there is not enough memory, or the size is beyond a size_t. Of no elements it gives a pointer too. */
static void *allocate(uint32_t count, size_t size) { return count < SIZE_MAX / size ? malloc(count * size + 1) : NULL; }

static bool read_shapes(capture_file *capture)
{
	const size_t shapes_size = capture->shape_count * sizeof(capture_shape);
	const size_t vertices_size = (size_t)capture->vertex_count * CAPTURE_VERTEX_SIZE;
	capture->shapes = allocate(capture->shape_count, sizeof(capture_shape));
	capture->vertices = allocate(capture->vertex_count, CAPTURE_VERTEX_SIZE);
	if (!capture->shapes || !capture->vertices)
		return fail(capture->error, capture->path, CAPTURE_HEADER_SIZE, "no memory for %u shapes and %u vertices",
			capture->shape_count, capture->vertex_count);
	if (!read_records(capture->file, capture->shapes, shapes_size, capture->path, CAPTURE_HEADER_SIZE, capture->error))
		return false;
	if (!read_records(
			capture->file, capture->vertices, vertices_size, capture->path, vertices_offset(capture), capture->error))
		return false;
	uint64_t total = 0;
	for (uint32_t index = 0; index < capture->shape_count; index++) {
		if (!check_shape(capture, index))
			return false;
		total += capture->shapes[index].vertex_count;
	}
	if (total > VERTEX_TOTAL_MAX)
		return fail(capture->error, capture->path, CAPTURE_HEADER_SIZE,
			"hulls and meshes have %llu vertices altogether; %llu are possible", (unsigned long long)total,
			(unsigned long long)VERTEX_TOTAL_MAX);
	return true;
}

/* Whether a file starts with the line of a text file. Reads it if so, nothing otherwise. */
static bool is_text(FILE *file)
{
	char line[sizeof CAPTURE_TEXT_MAGIC + 1] = "";
	const size_t length = sizeof CAPTURE_TEXT_MAGIC - 1;
	const size_t got = fread(line, 1, length + 1, file);
	if (got == length + 1 && memcmp(line, CAPTURE_TEXT_MAGIC, length) == 0 &&
		(line[length] == '\n' || (line[length] == '\r' && getc(file) == '\n')))
		return true;
	rewind(file);
	return false;
}

bool capture_open(capture_file *capture, const char *path)
{
	uint64_t size = 0;
	memset(capture, 0, sizeof *capture);
	capture->path = path;
	capture->file = capture_open_sized(path, &size, capture->error);
	if (capture->file && is_text(capture->file) && capture_text_read(capture))
		return true;
	if (capture->file && capture->error[0] == '\0' && read_header(capture, size) && read_shapes(capture))
		return true;
	capture_close(capture);
	return false;
}

capture_layout capture_layout_of(const capture_file *capture)
{
	return (capture_layout){.pairs = pairs_offset(capture),
		.motions = motions_offset(capture),
		.caches = caches_offset(capture),
		.size = file_size(capture)};
}

bool capture_check_pairs(capture_file *capture, const capture_pair *pairs, uint64_t first, size_t count)
{
	for (size_t row = 0; row < count; row++) {
		uint64_t index = first + row;
		uint64_t at = pairs_offset(capture) + index * sizeof(capture_pair);
		if (pairs[row].a >= capture->shape_count)
			return fail(capture->error, capture->path, at, "pair %llu names shape %u as A, the file has %u",
				(unsigned long long)index, pairs[row].a, capture->shape_count);
		if (pairs[row].b >= capture->shape_count)
			return fail(capture->error, capture->path, at + offsetof(capture_pair, b),
				"pair %llu names shape %u as B, the file has %u", (unsigned long long)index, pairs[row].b,
				capture->shape_count);
	}
	return true;
}

bool capture_read(capture_file *capture, capture_pair *pairs, size_t capacity, size_t *count)
{
	size_t left = capture->pair_count - capture->pair_next;
	size_t wanted = left < capacity ? left : capacity;
	uint64_t offset = pairs_offset(capture) + (uint64_t)capture->pair_next * sizeof(capture_pair);
	*count = 0;
	if (capture->pairs) {
		memcpy(pairs, capture->pairs + capture->pair_next, wanted * sizeof(capture_pair));
		capture->pair_next += (uint32_t)wanted;
		*count = wanted;
		return true;
	}
	if (!read_records(capture->file, pairs, wanted * sizeof(capture_pair), capture->path, offset, capture->error))
		return false;
	if (!capture_check_pairs(capture, pairs, capture->pair_next, wanted))
		return false;
	capture->pair_next += (uint32_t)wanted;
	*count = wanted;
	return true;
}

capture_motion capture_still(const capture_pair *pair)
{
	capture_motion motion = {.translation_a = {0}};
	memcpy(motion.rotation_a, pair->rotation_a, sizeof motion.rotation_a);
	memcpy(motion.rotation_b, pair->rotation_b, sizeof motion.rotation_b);
	return motion;
}

/* Rows of a column, of the pairs that were read last: from `held`, where text files have it, or from where the column
 * starts in the file. Columns lie behind all pairs, which go on to be read where they were. */
static bool read_column(
	capture_file *capture, const void *held, uint64_t start, void *rows, size_t row_size, size_t count)
{
	const uint64_t from = (uint64_t)(capture->pair_next - count) * row_size, offset = start + from;
	const uint64_t back = pairs_offset(capture) + (uint64_t)capture->pair_next * sizeof(capture_pair);
	if (held) {
		memcpy(rows, (const char *)held + from, count * row_size);
		return true;
	}
	if (fseeko(capture->file, (off_t)offset, SEEK_SET) != 0)
		return fail(capture->error, capture->path, offset, "cannot go there: %s", strerror(errno));
	if (!read_records(capture->file, rows, count * row_size, capture->path, offset, capture->error))
		return false;
	if (fseeko(capture->file, (off_t)back, SEEK_SET) != 0)
		return fail(capture->error, capture->path, back, "cannot go there: %s", strerror(errno));
	return true;
}

bool capture_read_motions(capture_file *capture, const capture_pair *pairs, capture_motion *motions, size_t count)
{
	if (capture->columns & CAPTURE_MOTIONS)
		return read_column(capture, capture->motions, motions_offset(capture), motions, sizeof(capture_motion), count);
	for (size_t row = 0; row < count; row++)
		motions[row] = capture_still(&pairs[row]);
	return true;
}

bool capture_read_caches(capture_file *capture, capture_cache *caches, size_t count)
{
	if (capture->columns & CAPTURE_CACHES)
		return read_column(capture, capture->caches, caches_offset(capture), caches, sizeof(capture_cache), count);
	memset(caches, 0, count * sizeof(capture_cache));
	return true;
}

void capture_close(capture_file *capture)
{
	if (capture->file)
		fclose(capture->file);
	free(capture->shapes);
	free(capture->vertices);
	free(capture->pairs);
	free(capture->motions);
	free(capture->caches);
	capture->file = NULL;
	capture->shapes = NULL;
	capture->vertices = NULL;
	capture->pairs = NULL;
	capture->motions = NULL;
	capture->caches = NULL;
}

/* ---- truth files ----------------------------------------------------------------------------------- */

static bool read_truth_header(capture_truth_file *truth, uint64_t size, uint32_t pair_count)
{
	unsigned char header[CAPTURE_TRUTH_HEADER_SIZE];
	uint32_t counts[2];
	if (!read_exactly(truth->file, header, sizeof header, truth->path, 0, truth->error))
		return false;
	if (memcmp(header, truth_magic, sizeof truth_magic) != 0)
		return fail(truth->error, truth->path, 0, "not a truth file (the magic is not TRUTH01)");
	memcpy(counts, header + sizeof truth_magic, sizeof counts);
	capture_reorder(counts, sizeof counts, sizeof counts[0]);
	if (counts[0] != pair_count)
		return fail(truth->error, truth->path, 8, "%u rows, but the pair file has %u pairs", counts[0], pair_count);
	if (counts[1] != 0)
		return fail(truth->error, truth->path, 12, "the reserved field is %u, not 0", counts[1]);
	uint64_t expected = CAPTURE_TRUTH_HEADER_SIZE + (uint64_t)pair_count * sizeof(capture_truth);
	if (size != expected)
		return fail(truth->error, truth->path, size < expected ? size : expected,
			"the header promises %llu bytes (%u rows), the file has %llu", (unsigned long long)expected, pair_count,
			(unsigned long long)size);
	truth->pair_count = pair_count;
	return true;
}

bool capture_truth_open(capture_truth_file *truth, const char *path, uint32_t pair_count)
{
	uint64_t size = 0;
	memset(truth, 0, sizeof *truth);
	truth->path = path;
	truth->file = capture_open_sized(path, &size, truth->error);
	if (truth->file && read_truth_header(truth, size, pair_count))
		return true;
	capture_truth_close(truth);
	return false;
}

static bool check_truth(capture_truth_file *truth, const capture_truth *row, uint64_t index)
{
	uint64_t offset = CAPTURE_TRUTH_HEADER_SIZE + index * sizeof(capture_truth);
	double length = 0.0;
	if (!isfinite(row->separation))
		return fail(
			truth->error, truth->path, offset, "row %llu: the separation is not finite", (unsigned long long)index);
	for (int axis = 0; axis < 3; axis++)
		length += row->normal[axis] * row->normal[axis];
	if (!(fabs(length - 1.0) <= 1e-6))
		return fail(truth->error, truth->path, offset + offsetof(capture_truth, normal),
			"row %llu: the normal is not of unit length", (unsigned long long)index);
	if (row->unique != 0.0 && row->unique != 1.0)
		return fail(truth->error, truth->path, offset + offsetof(capture_truth, unique),
			"row %llu: unique is neither 0 nor 1", (unsigned long long)index);
	return true;
}

bool capture_truth_read(capture_truth_file *truth, capture_truth *rows, size_t capacity, size_t *count)
{
	size_t left = truth->pair_count - truth->pair_next;
	size_t wanted = left < capacity ? left : capacity;
	uint64_t offset = CAPTURE_TRUTH_HEADER_SIZE + (uint64_t)truth->pair_next * sizeof(capture_truth);
	*count = 0;
	if (!read_exactly(truth->file, rows, wanted * sizeof(capture_truth), truth->path, offset, truth->error))
		return false;
	capture_reorder(rows, wanted * sizeof(capture_truth), sizeof(double));
	for (size_t row = 0; row < wanted; row++)
		if (!check_truth(truth, &rows[row], truth->pair_next + row))
			return false;
	truth->pair_next += (uint32_t)wanted;
	*count = wanted;
	return true;
}

void capture_truth_close(capture_truth_file *truth)
{
	if (truth->file)
		fclose(truth->file);
	truth->file = NULL;
}

/* ---- writing --------------------------------------------------------------------------------------- */

/* Numbers of `width` bytes; text where that is 1. */
typedef struct block {
	const void *data;
	size_t size, width;
} block;

/* Adds to *offset what was written. */
static bool write_block(FILE *file, const block *from, uint64_t *offset)
{
	unsigned char part[4096];
	for (size_t at = 0; at < from->size; at += sizeof part) {
		const size_t size = from->size - at < sizeof part ? from->size - at : sizeof part;
		memcpy(part, (const unsigned char *)from->data + at, size);
		capture_reorder(part, size, from->width);
		if (fwrite(part, size, 1, file) != 1)
			return false;
		*offset += size;
	}
	return true;
}

static bool write_blocks(const char *path, const block *blocks, size_t count, char *error)
{
	FILE *file = fopen(path, "wb");
	if (!file)
		return capture_fail(error, path, "cannot create: ", strerror(errno));
	uint64_t offset = 0;
	bool written = true;
	for (size_t index = 0; written && index < count; index++)
		written = write_block(file, &blocks[index], &offset);
	int reason = errno;
	if (fclose(file) != 0 && written) {
		reason = errno;
		written = false;
	}
	return written || fail(error, path, offset, "cannot write: %s", strerror(reason));
}

bool capture_write(const char *path, const capture_contents *contents, char *error)
{
	const uint32_t counts[4] = {contents->shape_count, contents->vertex_count, contents->pair_count,
		(contents->motions ? CAPTURE_MOTIONS : 0) | (contents->caches ? CAPTURE_CACHES : 0)};
	const block blocks[] = {
		{pairs_magic, sizeof pairs_magic, 1},
		{counts, sizeof counts, 4},
		{contents->shapes, contents->shape_count * sizeof(capture_shape), 4},
		{contents->vertices, (size_t)contents->vertex_count * CAPTURE_VERTEX_SIZE, 4},
		{contents->pairs, contents->pair_count * sizeof(capture_pair), 4},
		{contents->motions, contents->motions ? contents->pair_count * sizeof(capture_motion) : 0, 4},
		{contents->caches, contents->caches ? contents->pair_count * sizeof(capture_cache) : 0, 4},
	};
	return write_blocks(path, blocks, sizeof blocks / sizeof blocks[0], error);
}

bool capture_truth_write(const char *path, const capture_truth *rows, uint32_t count, char *error)
{
	const uint32_t counts[2] = {count, 0};
	const block blocks[] = {
		{truth_magic, sizeof truth_magic, 1},
		{counts, sizeof counts, 4},
		{rows, count * sizeof(capture_truth), 8},
	};
	return write_blocks(path, blocks, sizeof blocks / sizeof blocks[0], error);
}

bool capture_has_vertices(uint32_t kind) { return kind == CAPTURE_HULL || kind == CAPTURE_MESH; }

bool capture_has_meshes(const capture_file *capture)
{
	for (uint32_t index = 0; index < capture->shape_count; index++)
		if (capture->shapes[index].kind == CAPTURE_MESH)
			return true;
	return false;
}

const char *capture_kind_name(uint32_t kind)
{
	static const char *const names[] = {
		"sphere", "capsule", "box", "hull", "cylinder", "cone", "ellipsoid", "half-space", "mesh"};
	_Static_assert(sizeof names / sizeof *names == CAPTURE_KIND_COUNT, "a name for each kind");
	return kind < CAPTURE_KIND_COUNT ? names[kind] : "unknown";
}
