/* Meshes of the triangles in pair files, by widephase-cook where the build has it. */
#ifndef WP_TOOLS_CAPTURE_MESHES_H
#define WP_TOOLS_CAPTURE_MESHES_H

#include <widephase/mesh.h>

/* A mesh of triangles [triangle_count][3][3]. NULL where it cannot be cooked, and `refusal` has the reason; else to be freed
 * by meshes_free. */
const wp_mesh *meshes_build(const float *triangles, size_t triangle_count, char *refusal, size_t size);
void meshes_free(const wp_mesh *mesh);

#endif
