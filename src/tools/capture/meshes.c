#include "meshes.h"

#include <stdio.h>

#ifdef HAVE_COOK

#include <widephase/cook.h>

const wp_mesh *meshes_build(const float *triangles, size_t triangle_count, char *refusal, size_t size)
{
	const wp_mesh_input input = {
		.vertices = {triangles}, .vertex_count = 3 * triangle_count, .triangle_count = triangle_count};
	const wp_mesh *mesh = NULL;
	wp_mesh_report report;
	const wp_error error = wp_cook_mesh(&input, &mesh, &report);
	if (error == WP_ERROR_MESH_VERTEX)
		snprintf(refusal, size, "vertex %zu: %s", (size_t)report.bad_index, wp_error_text(error));
	else if (error != WP_OK)
		snprintf(refusal, size, "%s", wp_error_text(error));
	return mesh;
}

void meshes_free(const wp_mesh *mesh) { wp_cook_free_mesh(mesh); }

#else

const wp_mesh *meshes_build(const float *triangles, size_t triangle_count, char *refusal, size_t size)
{
	(void)triangles;
	(void)triangle_count;
	snprintf(refusal, size, "a mesh, which a build without widephase-cook cannot read");
	return NULL;
}

void meshes_free(const wp_mesh *mesh) { (void)mesh; }

#endif
