/* Vertices and triangles of mesh files: OBJ, STL, PLY, glTF and what else assimp reads. */
#ifndef WP_TOOLS_CLI_MESH_H
#define WP_TOOLS_CLI_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mesh_vertices {
	float (*at)[3];           /* [count], the caller frees it */
	size_t count;             /* at least 1 */
	size_t meshes;            /* that they come from; one that is placed several times counts as often */
	uint32_t (*triangles)[3]; /* [triangle_count] indices of vertices, the caller frees it */
	size_t triangle_count;    /* 0 unless requested */
} mesh_vertices;

/* What reading a file may take. A short file may make assimp use any amount of memory and time. */
typedef struct mesh_limits {
	uint32_t megabytes; /* MiB of address space */
	uint32_t seconds;   /* of processor time */
	uint32_t vertices;
} mesh_limits;

#define MESH_LIMIT_MAX 1000000000

/* Files of 10 million triangles fit: one of 2 million (PLY, STL, OBJ) takes less than 700 MiB, 2 s and 7 million
 * vertices. */
extern const mesh_limits mesh_default_limits;

/* The vertices of all meshes of a file, placed by its nodes, times `scale`, each as the file has it for each
 * face or once. A process of its own reads the file, which ends at a limit, or where assimp fails. On failure false,
 * nothing is held, and error[CAPTURE_ERROR_MAX] has the reason; so too in a build without assimp. A build with
 * a sanitizer, which takes terabytes of address space, has no limit of memory.
 *
 * With triangles, polygons are divided by assimp; points and lines are left out, and where nodes mirror a mesh its triangles
 * turn, so that their fronts stay fronts. */
bool mesh_read(const char *path, double scale, bool with_triangles, const mesh_limits *limits, mesh_vertices *vertices,
	char *error);

#endif
