/* Hulls in files of their own (.wph, the bytes of a wp_hull), and hulls of meshes. */
#ifndef WP_TOOLS_CLI_HULL_FILE_H
#define WP_TOOLS_CLI_HULL_FILE_H

#include "mesh.h"

#include <widephase/cook.h>

#include <stdbool.h>

typedef struct hull_file {
	const wp_hull *hull; /* in `memory`, which hull_file_free releases */
	void *memory;
	size_t vertices; /* of the mesh that the hull was cooked from; 0 without a mesh, as all fields below */
	size_t meshes;
	double diagonal; /* of the box around these vertices */
	float error;     /* largest distance of one of them from the hull */
	wp_mass mass;
	wp_error mass_error;
} hull_file;

/* Whether the name ends as one of a hull does. */
bool hull_file_is(const char *path);

/* Reads the hull in a file, or, if the name does not end as a hull's, makes the hull of the mesh in it. On failure
 * returns false, holds nothing, and writes the reason to error[CAPTURE_ERROR_MAX]. */
bool hull_file_read(const char *path, hull_file *file, char *error);

/* Makes the hull of a mesh, with at most max_vertices (0: no limit), and the figures to report. Fails as above. */
bool hull_file_cook(
	const char *path, double scale, size_t max_vertices, const mesh_limits *limits, hull_file *file, char *error);

void hull_file_free(hull_file *file);

/* Write the bytes of a hull or a mesh, whole or not at all: what is not a device or pipe is written beside its place and renamed.
 * Symbolic links stay, and the file at their end is written; it keeps its permissions. On failure false, and
 * error[CAPTURE_ERROR_MAX] has the reason. */
bool hull_file_write(const char *path, const void *bytes, size_t size, char *error);

#endif
