/* Vertices of mesh files: OBJ, STL, PLY, glTF and what else assimp reads. */
#ifndef WP_CLI_MESH_H
#define WP_CLI_MESH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mesh_vertices {
	float (*at)[3]; /* [count], the caller frees it */
	size_t count;   /* at least 1 */
	size_t meshes;  /* that they come from; one that is placed several times counts as often */
} mesh_vertices;

/* The vertices of all meshes of a file, placed by its nodes, times `scale`, each as the file has it for each
 * face or once. On failure false, nothing is held, and error[CAPTURE_ERROR_MAX] says why; so it does in a
 * build without assimp. */
bool mesh_read(const char *path, double scale, mesh_vertices *vertices, char *error);

#endif
