#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(pairs_record) == 64, "a record is read as it lies in the file");
_Static_assert(sizeof(pairs_truth) == 40, "a truth is read as it lies in the file");

enum { KIND_SPHERE, KIND_CAPSULE, KIND_BOX, KIND_HULL, KIND_LATER };

typedef struct file_header {
	char magic[8];
	uint32_t shape_count, vertex_count, pair_count, reserved;
} file_header;

typedef struct file_shape {
	uint32_t kind;
	float param[4];
	uint32_t first_vertex, vertex_count;
} file_shape;

typedef struct truth_header {
	char magic[8];
	uint32_t pair_count, reserved;
} truth_header;

_Static_assert(sizeof(file_header) == 24 && sizeof(file_shape) == 28 && sizeof(truth_header) == 16, "packed");

/* What a pair file holds, before its shapes are built. */
typedef struct raw_file {
	file_header header;
	file_shape *shapes;
	float (*vertices)[3];
} raw_file;

static bool fail(const char *path, const char *what)
{
	fprintf(stderr, "%s: %s\n", path, what);
	return false;
}

/* An array of count items from a file into new memory; NULL when it ends early. */
static void *read_array(FILE *stream, size_t item_size, size_t count)
{
	void *items = calloc(count + 1, item_size);
	if (items != NULL && fread(items, item_size, count, stream) != count) {
		free(items);
		return NULL;
	}
	return items;
}

static size_t hull_bytes(const file_shape *shape)
{
	return shape->kind == KIND_HULL ? wp_hull_size(shape->vertex_count, 0, 0) : 0;
}

static bool build_shape(const raw_file *raw, const file_shape *from, char *memory, wp_shape *shape)
{
	wp_hull_input input = {.vertices = raw->vertices[from->first_vertex], .vertex_count = from->vertex_count};
	const wp_hull *hull;
	switch (from->kind) {
	case KIND_SPHERE:
		*shape = wp_shape_sphere(from->param[0]);
		return true;
	case KIND_CAPSULE:
		*shape = wp_shape_capsule(from->param[0], from->param[1]);
		return true;
	case KIND_BOX:
		*shape = wp_shape_box(from->param[0], from->param[1], from->param[2]);
		return true;
	case KIND_HULL:
		if (wp_hull_build(&input, memory, hull_bytes(from), &hull, NULL) != WP_OK)
			return false;
		*shape = wp_shape_hull(hull);
		shape->radius = from->param[3];
		return true;
	default:
		shape->kind = WP_SHAPE_KIND_COUNT;
		return true;
	}
}

static bool build_shapes(const raw_file *raw, pairs_file *file)
{
	size_t bytes = WP_ALIGNMENT, offset = 0;
	for (size_t i = 0; i < raw->header.shape_count; i++) {
		const file_shape *shape = &raw->shapes[i];
		if ((uint64_t)shape->first_vertex + shape->vertex_count > raw->header.vertex_count)
			return false;
		bytes += hull_bytes(shape) + WP_ALIGNMENT;
	}
	file->shape_count = raw->header.shape_count;
	file->shapes = calloc(file->shape_count + 1, sizeof *file->shapes);
	file->hull_memory = aligned_alloc(WP_ALIGNMENT, bytes / WP_ALIGNMENT * WP_ALIGNMENT);
	if (file->shapes == NULL || file->hull_memory == NULL)
		return false;
	for (size_t i = 0; i < file->shape_count; i++) {
		if (!build_shape(raw, &raw->shapes[i], (char *)file->hull_memory + offset, &file->shapes[i]))
			return false;
		offset += (hull_bytes(&raw->shapes[i]) + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT;
	}
	return true;
}

static bool read_pairs(const char *path, FILE *stream, raw_file *raw, pairs_file *file)
{
	if (fread(&raw->header, sizeof raw->header, 1, stream) != 1 || memcmp(raw->header.magic, "PAIRS01", 8) != 0)
		return fail(path, "no pair file");
	raw->shapes = read_array(stream, sizeof *raw->shapes, raw->header.shape_count);
	raw->vertices = read_array(stream, sizeof *raw->vertices, raw->header.vertex_count);
	file->pairs = read_array(stream, sizeof *file->pairs, raw->header.pair_count);
	file->pair_count = raw->header.pair_count;
	if (raw->shapes == NULL || raw->vertices == NULL || file->pairs == NULL)
		return fail(path, "truncated");
	return build_shapes(raw, file) || fail(path, "bad shape");
}

static bool read_truths(const char *path, FILE *stream, pairs_file *file)
{
	truth_header header;
	if (fread(&header, sizeof header, 1, stream) != 1 || memcmp(header.magic, "TRUTH01", 8) != 0)
		return fail(path, "no truth file");
	file->truths = read_array(stream, sizeof *file->truths, header.pair_count);
	if (header.pair_count != file->pair_count || file->truths == NULL)
		return fail(path, "truncated, or of other pairs");
	return true;
}

/* Drop the pairs that name a shape of a later version. */
static bool leave_out(const char *path, pairs_file *file)
{
	size_t kept = 0;
	for (size_t i = 0; i < file->pair_count; i++) {
		const pairs_record *pair = &file->pairs[i];
		if (pair->shape_a >= file->shape_count || pair->shape_b >= file->shape_count)
			return fail(path, "shape index out of range");
		if (file->shapes[pair->shape_a].kind == WP_SHAPE_KIND_COUNT ||
			file->shapes[pair->shape_b].kind == WP_SHAPE_KIND_COUNT)
			continue;
		file->pairs[kept] = *pair;
		if (file->truths != NULL)
			file->truths[kept] = file->truths[i];
		kept++;
	}
	file->skipped = file->pair_count - kept;
	file->pair_count = kept;
	return true;
}

bool pairs_load(const char *pairs_path, const char *truth_path, pairs_file *file)
{
	raw_file raw = {.shapes = NULL};
	FILE *stream = fopen(pairs_path, "rb");
	*file = (pairs_file){.pair_count = 0};
	bool good = stream != NULL ? read_pairs(pairs_path, stream, &raw, file) : fail(pairs_path, "cannot be read");
	if (stream != NULL)
		fclose(stream);
	free(raw.shapes);
	free(raw.vertices);
	if (good && truth_path != NULL) {
		stream = fopen(truth_path, "rb");
		good = stream != NULL ? read_truths(truth_path, stream, file) : fail(truth_path, "cannot be read");
		if (stream != NULL)
			fclose(stream);
	}
	good = good && leave_out(pairs_path, file);
	if (!good)
		pairs_free(file);
	return good;
}

void pairs_free(pairs_file *file)
{
	free(file->shapes);
	free(file->pairs);
	free(file->truths);
	free(file->hull_memory);
	*file = (pairs_file){.pair_count = 0};
}
