/* Meshes in files of their own (.wpm, the bytes of a wp_mesh). */
#ifndef WP_TOOLS_CLI_MESH_FILE_H
#define WP_TOOLS_CLI_MESH_FILE_H

#include "mesh.h"

#include <widephase/cook.h>

#include <stdbool.h>

typedef struct mesh_file {
	const wp_mesh *mesh; /* in `memory`, which mesh_file_free releases */
	void *memory;
	size_t vertices, triangles, meshes; /* of the file that the mesh was cooked from; 0 without it, as the report */
	wp_mesh_report report;
} mesh_file;

/* Whether the name ends as one of a mesh does. */
bool mesh_file_is(const char *path);

/* Reads the mesh in a file. On failure returns false, holds nothing, and writes the reason to error[CAPTURE_ERROR_MAX]. */
bool mesh_file_read(const char *path, mesh_file *file, char *error);

/* Makes a mesh of the triangles in a file that assimp reads. Fails as above. */
bool mesh_file_cook(const char *path, double scale, const mesh_limits *limits, mesh_file *file, char *error);

void mesh_file_free(mesh_file *file);

/* What a mesh holds, in lines that begin with two blanks. */
void mesh_file_print(const wp_mesh *mesh, FILE *to);

#endif
