/* The text form of pair files: records read line by line, and written. */
#include "capture.h"
#include "system.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What a line may be at most: a pair of 14 numbers, or a name and a remark. */
#define LINE_MAX_SIZE 1024

/* One reader of lines, with the error of the first that is wrong. */
typedef struct text {
	capture_file *capture;
	uint32_t line;
	uint32_t shape_capacity, vertex_capacity, pair_capacity, motion_capacity, cache_capacity;
	bool may_move;   /* the line of a pair, and of no motion of it, came before */
	bool may_recall; /* the same of a cache */
} text;

SYSTEM_PRINTF(2, 3) static bool fail(text *t, const char *format, ...)
{
	char *error = t->capture->error;
	int used = snprintf(error, CAPTURE_ERROR_MAX, "%.255s: line %u: ", t->capture->path, t->line);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error + used, CAPTURE_ERROR_MAX - (size_t)used, format, arguments);
	va_end(arguments);
	return false;
}

/* Room for one more element of `size` bytes. */
static bool grow(void *array, uint32_t count, uint32_t *capacity, size_t size)
{
	void **pointer = array;
	if (count < *capacity)
		return true;
	const uint32_t wanted = *capacity == 0 ? 16 : 2 * *capacity;
	void *larger = wanted > *capacity && wanted <= SIZE_MAX / size ? realloc(*pointer, wanted * size) : NULL;
	if (larger == NULL)
		return false;
	*pointer = larger;
	*capacity = wanted;
	return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool ends_word(char c) { return is_blank(c) || c == '\0'; }

/* `count` numbers from *at on; what strtof reads, hex floats among it, and all of each word, which only blanks precede. */
static bool read_numbers(text *t, char **at, float *numbers, int count)
{
	for (int i = 0; i < count; i++) {
		char *end;
		*at += strspn(*at, " \t");
		numbers[i] = strtof(*at, &end);
		if (end == *at || isspace((unsigned char)**at) || !ends_word(*end))
			return fail(t, "number %d of %d is missing", i + 1, count);
		*at = end;
	}
	return true;
}

/* A position or a translation, then a rotation. */
static bool read_pose(text *t, char **at, float position[3], float rotation[4])
{
	return read_numbers(t, at, position, 3) && read_numbers(t, at, rotation, 4);
}

static bool read_index(text *t, char **at, uint32_t limit, uint32_t *index)
{
	char *end;
	*at += strspn(*at, " \t");
	const unsigned long value = strtoul(*at, &end, 10);
	if (!(**at >= '0' && **at <= '9') || value >= limit || !is_blank(*end))
		return fail(t, "a shape's number below %u is missing", limit);
	*index = (uint32_t)value;
	*at = end;
	return true;
}

/* A number of 32 bits, decimal, whatever zeros it begins with, or hexadecimal. */
static bool read_word(text *t, char **at, uint32_t *word)
{
	char *end;
	*at += strspn(*at, " \t");
	const bool is_hexadecimal = (*at)[0] == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X');
	errno = 0;
	const unsigned long long value = strtoull(*at, &end, is_hexadecimal ? 16 : 10);
	if (!(**at >= '0' && **at <= '9') || errno != 0 || value > UINT32_MAX || !ends_word(*end))
		return fail(t, "a number below 2^32 is missing");
	*word = (uint32_t)value;
	*at = end;
	return true;
}

/* Nothing but blanks follows. */
static bool read_end(text *t, const char *at)
{
	at += strspn(at, " \t");
	return *at == '\0' || fail(t, "more than its numbers: %.40s", at);
}

static bool read_shape(text *t, char *at)
{
	capture_file *c = t->capture;
	capture_shape shape = {.kind = CAPTURE_KIND_COUNT};
	at += strspn(at, " \t");
	const size_t length = strcspn(at, " \t");
	for (uint32_t kind = 0; kind < CAPTURE_KIND_COUNT; kind++)
		if (strlen(capture_kind_name(kind)) == length && strncmp(at, capture_kind_name(kind), length) == 0)
			shape.kind = kind;
	if (shape.kind == CAPTURE_KIND_COUNT)
		return fail(t, "no kind of shape: %.40s", at);
	at += length;
	if (!read_numbers(t, &at, shape.param, 4) || !read_end(t, at))
		return false;
	if (capture_has_vertices(shape.kind))
		shape.first_vertex = c->vertex_count;
	if (!grow(&c->shapes, c->shape_count, &t->shape_capacity, sizeof *c->shapes))
		return fail(t, "no memory");
	c->shapes[c->shape_count++] = shape;
	return true;
}

static bool read_vertex(text *t, char *at)
{
	capture_file *c = t->capture;
	float vertex[3];
	capture_shape *const shape = c->shape_count == 0 ? NULL : &c->shapes[c->shape_count - 1];
	if (shape == NULL || !capture_has_vertices(shape->kind))
		return fail(t, "a vertex that follows no hull and no mesh");
	if (!read_numbers(t, &at, vertex, 3) || !read_end(t, at))
		return false;
	if (!grow(&c->vertices, c->vertex_count, &t->vertex_capacity, sizeof *c->vertices))
		return fail(t, "no memory");
	memcpy(c->vertices[c->vertex_count++], vertex, sizeof vertex);
	if (++shape->vertex_count > CAPTURE_HULL_VERTEX_MAX && shape->kind == CAPTURE_HULL)
		return fail(t, "a hull of more than %d vertices", CAPTURE_HULL_VERTEX_MAX);
	return true;
}

static bool read_pair(text *t, char *at)
{
	capture_file *c = t->capture;
	capture_pair pair;
	if (!read_index(t, &at, c->shape_count, &pair.a) || !read_index(t, &at, c->shape_count, &pair.b) ||
		!read_pose(t, &at, pair.position_a, pair.rotation_a) || !read_pose(t, &at, pair.position_b, pair.rotation_b) ||
		!read_end(t, at))
		return false;
	if (!grow(&c->pairs, c->pair_count, &t->pair_capacity, sizeof *c->pairs) ||
		!grow(&c->motions, c->pair_count, &t->motion_capacity, sizeof *c->motions) ||
		!grow(&c->caches, c->pair_count, &t->cache_capacity, sizeof *c->caches))
		return fail(t, "no memory");
	c->motions[c->pair_count] = capture_still(&pair);
	c->caches[c->pair_count] = (capture_cache){.count = 0};
	c->pairs[c->pair_count++] = pair;
	t->may_move = t->may_recall = true;
	return true;
}

static bool read_motion(text *t, char *at)
{
	capture_file *c = t->capture;
	capture_motion motion;
	if (!t->may_move)
		return fail(t, "a motion that follows no pair");
	if (!read_pose(t, &at, motion.translation_a, motion.rotation_a) ||
		!read_pose(t, &at, motion.translation_b, motion.rotation_b) || !read_end(t, at))
		return false;
	c->motions[c->pair_count - 1] = motion;
	c->columns |= CAPTURE_MOTIONS;
	t->may_move = false;
	return true;
}

static bool read_cache(text *t, char *at)
{
	capture_file *c = t->capture;
	capture_cache cache;
	if (!t->may_recall)
		return fail(t, "a cache that follows no pair");
	for (int i = 0; i < 4; i++)
		if (!read_word(t, &at, &cache.vertex[i]))
			return false;
	if (!read_numbers(t, &at, cache.axis, 3) || !read_word(t, &at, &cache.count) || !read_end(t, at))
		return false;
	c->caches[c->pair_count - 1] = cache;
	c->columns |= CAPTURE_CACHES;
	t->may_recall = false;
	return true;
}

static bool read_line(text *t, char *line)
{
	line += strspn(line, " \t");
	if (*line == '\0' || *line == '#')
		return true;
	const size_t word = strcspn(line, " \t");
	if (word == 5 && strncmp(line, "shape", word) == 0)
		return read_shape(t, line + word);
	if (word == 6 && strncmp(line, "motion", word) == 0)
		return read_motion(t, line + word);
	if (word == 5 && strncmp(line, "cache", word) == 0)
		return read_cache(t, line + word);
	if (word == 1 && *line == 'v')
		return read_vertex(t, line + word);
	if (word == 4 && strncmp(line, "pair", word) == 0)
		return read_pair(t, line + word);
	return fail(t, "starts with none of shape, v, pair, motion, cache: %.40s", line);
}

/* The next line, without its end. *length is negative at the end of the file. */
static bool next_line(text *t, char line[LINE_MAX_SIZE], int *length)
{
	int c = getc(t->capture->file);
	*length = c == EOF ? -1 : 0;
	for (; c != EOF && c != '\n'; c = getc(t->capture->file)) {
		if (c == '\0')
			return fail(t, "holds a zero byte");
		if (*length + 1 == LINE_MAX_SIZE)
			return fail(t, "longer than %d characters", LINE_MAX_SIZE - 1);
		line[(*length)++] = (char)c;
	}
	if (*length > 0 && line[*length - 1] == '\r')
		--*length;
	if (*length >= 0)
		line[*length] = '\0';
	return true;
}

bool capture_text_read(capture_file *capture)
{
	text t = {.capture = capture, .line = 2};
	char line[LINE_MAX_SIZE];
	for (int length = 0;; t.line++) {
		if (!next_line(&t, line, &length))
			return false;
		if (length < 0)
			break;
		if (!read_line(&t, line))
			return false;
	}
	for (uint32_t i = 0; i < capture->shape_count; i++) {
		const capture_shape *const shape = &capture->shapes[i];
		if (capture_has_vertices(shape->kind) && shape->vertex_count == 0)
			return fail(&t, "shape %u is a %s without vertices", i, capture_kind_name(shape->kind));
		if (shape->kind == CAPTURE_MESH && shape->vertex_count % 3 != 0)
			return fail(&t, "shape %u is a mesh of %u vertices; each triangle has three", i, shape->vertex_count);
	}
	return !ferror(capture->file) || fail(&t, "read error");
}

static void write_numbers(FILE *file, const float *numbers, int count)
{
	for (int i = 0; i < count; i++)
		fprintf(file, " %a", (double)numbers[i]);
}

/* Positions or translations of A and B, each before its rotation. */
static void write_poses(FILE *file, const float a[3], const float turn_a[4], const float b[3], const float turn_b[4])
{
	write_numbers(file, a, 3);
	write_numbers(file, turn_a, 4);
	write_numbers(file, b, 3);
	write_numbers(file, turn_b, 4);
	fputc('\n', file);
}

static void write_motion(FILE *file, const capture_motion *m)
{
	fputs("motion", file);
	write_poses(file, m->translation_a, m->rotation_a, m->translation_b, m->rotation_b);
}

static void write_cache(FILE *file, const capture_cache *cache)
{
	fputs("cache", file);
	for (int i = 0; i < 4; i++)
		fprintf(file, " %#x", cache->vertex[i]);
	write_numbers(file, cache->axis, 3);
	fprintf(file, " %u\n", cache->count);
}

bool capture_text_write(const char *path, const capture_contents *contents, const char *remark)
{
	FILE *file = fopen(path, "wb");
	if (file == NULL)
		return false;
	fprintf(file, "%s\n# %s\n", CAPTURE_TEXT_MAGIC, remark);
	for (uint32_t i = 0; i < contents->shape_count; i++) {
		const capture_shape *shape = &contents->shapes[i];
		fprintf(file, "shape %s", capture_kind_name(shape->kind));
		write_numbers(file, shape->param, 4);
		fputc('\n', file);
		for (uint32_t k = 0; k < shape->vertex_count; k++) {
			fputc('v', file);
			write_numbers(file, contents->vertices[shape->first_vertex + k], 3);
			fputc('\n', file);
		}
	}
	for (uint32_t i = 0; i < contents->pair_count; i++) {
		const capture_pair *pair = &contents->pairs[i];
		fprintf(file, "pair %u %u", pair->a, pair->b);
		write_poses(file, pair->position_a, pair->rotation_a, pair->position_b, pair->rotation_b);
		if (contents->motions)
			write_motion(file, &contents->motions[i]);
		if (contents->caches)
			write_cache(file, &contents->caches[i]);
	}
	const bool written = !ferror(file);
	return fclose(file) == 0 && written;
}
