#include "hull_file.h"
#include "mesh.h"
#include "capture.h"
#include "system.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void hull_file_free(hull_file *file)
{
	system_free(file->memory);
	memset(file, 0, sizeof *file);
}

/* ---- reading ---------------------------------------------------------------------------------------- */

bool hull_file_is(const char *path)
{
	const char *const ending = strrchr(path, '.');
	return ending && strcmp(ending, ".wph") == 0;
}

bool hull_file_read(const char *path, hull_file *file, char *error)
{
	if (!hull_file_is(path))
		return hull_file_cook(path, 1.0, 0, &mesh_default_limits, file, error);
	memset(file, 0, sizeof *file);
	uint64_t size;
	FILE *const stream = capture_open_sized(path, &size, error);
	if (!stream)
		return false;
	file->memory = size <= UINT32_MAX ? system_allocate((size_t)size) : NULL;
	bool done = file->memory || capture_fail(error, path, "too large for a hull", "");
	if (done && fread(file->memory, 1, (size_t)size, stream) != size)
		done = capture_fail(error, path, "cannot read: ", strerror(errno));
	fclose(stream);
	const wp_error code = done ? wp_hull_from_memory(file->memory, (size_t)size, &file->hull) : WP_OK;
	if (code != WP_OK)
		done = capture_fail(error, path, "", wp_error_text(code));
	if (!done)
		hull_file_free(file);
	return done;
}

/* ---- meshes ----------------------------------------------------------------------------------------- */

#ifdef HAVE_COOK

static double diagonal_of(const mesh_vertices *vertices)
{
	double square = 0.0;
	for (int axis = 0; axis < 3; axis++) {
		float low = INFINITY, high = -INFINITY;
		for (size_t index = 0; index < vertices->count; index++) {
			low = fminf(low, vertices->at[index][axis]);
			high = fmaxf(high, vertices->at[index][axis]);
		}
		square += ((double)high - (double)low) * ((double)high - (double)low);
	}
	return sqrt(square);
}

static wp_error cook_vertices(const mesh_vertices *vertices, size_t max_vertices, hull_file *file)
{
	const wp_hull *cooked = NULL;
	const float *const points = vertices->at[0];
	const size_t count = vertices->count;
	const wp_error code = max_vertices != 0
	                        ? wp_cook_simplified(points, 0, count, max_vertices, &cooked, &file->error, NULL)
	                        : wp_cook_points(points, 0, count, &cooked, NULL);
	if (code != WP_OK)
		return code;
	file->memory = system_allocate(wp_hull_byte_size(cooked));
	if (file->memory) {
		memcpy(file->memory, cooked, wp_hull_byte_size(cooked));
		file->hull = file->memory;
		file->mass_error = wp_cook_mass(file->hull, &file->mass);
	}
	wp_cook_free(cooked);
	return file->memory ? WP_OK : WP_ERROR_HULL_COOK;
}

bool hull_file_cook(
	const char *path, double scale, size_t max_vertices, const mesh_limits *limits, hull_file *file, char *error)
{
	mesh_vertices vertices;
	memset(file, 0, sizeof *file);
	if (!mesh_read(path, scale, false, limits, &vertices, error))
		return false;
	file->vertices = vertices.count;
	file->meshes = vertices.meshes;
	file->diagonal = diagonal_of(&vertices);
	const wp_error code = cook_vertices(&vertices, max_vertices, file);
	free(vertices.at);
	free(vertices.triangles);
	if (code == WP_ERROR_HULL_VERTEX_COUNT)
		return capture_fail(error, path, "its hull has too many vertices: ", "cook it with --max-vertices");
	return code == WP_OK || capture_fail(error, path, "", wp_error_text(code));
}

#else

bool hull_file_cook(
	const char *path, double scale, size_t max_vertices, const mesh_limits *limits, hull_file *file, char *error)
{
	(void)scale;
	(void)max_vertices;
	(void)limits;
	(void)file;
	return capture_fail(error, path, "this build has no widephase-cook, ", "which makes hulls of meshes");
}

#endif

/* ---- writing ---------------------------------------------------------------------------------------- */

static bool write_stream(FILE *stream, const char *path, const void *bytes, size_t size, char *error)
{
	bool done = fwrite(bytes, 1, size, stream) == size;
	int reason = errno;
	if (fclose(stream) != 0 && done) {
		reason = errno;
		done = false;
	}
	return done || capture_fail(error, path, "cannot write: ", strerror(reason));
}

/* Where bytes are written before they take the place of `end`: a short name in the same folder. */
static char *temporary_beside(const char *end)
{
	static const char name[] = ".widephase.XXXXXX";
	const char *const slash = strrchr(end, '/');
	const size_t folder = slash ? (size_t)(slash - end) + 1 : 0;
	char *const temporary = malloc(folder + sizeof name);
	if (temporary) {
		memcpy(temporary, end, folder);
		memcpy(temporary + folder, name, sizeof name);
	}
	return temporary;
}

static bool write_beside(
	const char *path, const char *end, char *temporary, const void *bytes, size_t size, char *error)
{
	const int descriptor = temporary ? mkstemp(temporary) : -1;
	FILE *const stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
	if (!stream) {
		capture_fail(error, path, "cannot create: ", strerror(errno));
		if (descriptor >= 0) {
			close(descriptor);
			unlink(temporary);
		}
		return false;
	}
	system_permit_as(descriptor, end);
	bool done = write_stream(stream, path, bytes, size, error);
	if (done && !system_replace_file(temporary, end))
		done = capture_fail(error, path, "cannot write: ", strerror(errno));
	if (!done)
		unlink(temporary);
	return done;
}

static bool write_in_place(const char *path, const void *bytes, size_t size, char *error)
{
	FILE *const stream = fopen(path, "wb");
	return stream ? write_stream(stream, path, bytes, size, error)
	              : capture_fail(error, path, "cannot create: ", strerror(errno));
}

bool hull_file_write(const char *path, const void *bytes, size_t size, char *error)
{
	struct stat status;
	const bool is_there = stat(path, &status) == 0;
	if (is_there && S_ISDIR(status.st_mode))
		return capture_fail(error, path, "cannot create: ", strerror(EISDIR));
	/* The folder decides who may rename, the file who may write. */
	if (is_there && access(path, W_OK) != 0)
		return capture_fail(error, path, "cannot create: ", strerror(errno));
	char *const end = system_follow_links(path);
	if (!end)
		return capture_fail(error, path, "cannot create: ", strerror(errno));
	/* A link of /proc may name a file that has no name any more. */
	if (is_there && (!S_ISREG(status.st_mode) || !system_is_same_file(path, end))) {
		free(end);
		return write_in_place(path, bytes, size, error);
	}
	char *const temporary = temporary_beside(end);
	const bool done = write_beside(path, end, temporary, bytes, size, error);
	free(temporary);
	free(end);
	return done;
}
