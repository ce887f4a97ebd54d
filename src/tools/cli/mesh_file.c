#include "capture.h"
#include "mesh_file.h"
#include "system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void mesh_file_free(mesh_file *file)
{
	system_free(file->memory);
	memset(file, 0, sizeof *file);
}

bool mesh_file_is(const char *path)
{
	const char *const ending = strrchr(path, '.');
	return ending && strcmp(ending, ".wpm") == 0;
}

bool mesh_file_read(const char *path, mesh_file *file, char *error)
{
	memset(file, 0, sizeof *file);
	uint64_t size;
	FILE *const stream = capture_open_sized(path, &size, error);
	if (!stream)
		return false;
	file->memory = system_allocate((size_t)size);
	bool done = file->memory || capture_fail(error, path, "no memory for it", "");
	if (done && fread(file->memory, 1, (size_t)size, stream) != size)
		done = capture_fail(error, path, "cannot read: ", strerror(errno));
	fclose(stream);
	const wp_error code = done ? wp_mesh_from_memory(file->memory, (size_t)size, &file->mesh) : WP_OK;
	if (code != WP_OK)
		done = capture_fail(error, path, "", wp_error_text(code));
	if (!done)
		mesh_file_free(file);
	return done;
}

#ifdef HAVE_COOK

static wp_error cook_triangles(const mesh_vertices *vertices, mesh_file *file)
{
	const wp_mesh *cooked = NULL;
	const wp_mesh_input input = {.vertices.data = vertices->at[0],
		.vertex_count = vertices->count,
		.triangles.data = vertices->triangles[0],
		.triangle_count = vertices->triangle_count};
	const wp_error code = wp_cook_mesh(&input, &cooked, &file->report);
	if (code != WP_OK)
		return code;
	file->memory = system_allocate(wp_mesh_byte_size(cooked));
	if (file->memory) {
		memcpy(file->memory, cooked, wp_mesh_byte_size(cooked));
		file->mesh = file->memory;
	}
	wp_cook_free_mesh(cooked);
	return file->memory ? WP_OK : WP_ERROR_MESH_MEMORY;
}

bool mesh_file_cook(const char *path, double scale, const mesh_limits *limits, mesh_file *file, char *error)
{
	mesh_vertices vertices;
	memset(file, 0, sizeof *file);
	if (!mesh_read(path, scale, true, limits, &vertices, error))
		return false;
	file->vertices = vertices.count;
	file->triangles = vertices.triangle_count;
	file->meshes = vertices.meshes;
	const wp_error code = cook_triangles(&vertices, file);
	free(vertices.at);
	free(vertices.triangles);
	return code == WP_OK || capture_fail(error, path, "", wp_error_text(code));
}

#else

bool mesh_file_cook(const char *path, double scale, const mesh_limits *limits, mesh_file *file, char *error)
{
	(void)scale;
	(void)limits;
	(void)file;
	return capture_fail(error, path, "this build has no widephase-cook, ", "which makes meshes");
}

#endif

void mesh_file_print(const wp_mesh *mesh, FILE *to)
{
	static const char *const names[WP_EDGE_KIND_COUNT] = {"flat", "convex", "concave", "boundary"};
	size_t sides[WP_EDGE_KIND_COUNT] = {0}, face_only = 0;
	const size_t triangles = wp_mesh_triangle_count(mesh);
	float lower[3], upper[3];
	for (size_t triangle = 0; triangle < triangles; triangle++) {
		for (size_t edge = 0; edge < 3; edge++)
			sides[wp_mesh_edge_of(mesh, triangle, edge).kind]++;
		face_only += (size_t)wp_mesh_is_face_only(mesh, triangle);
	}
	wp_mesh_bounds(mesh, lower, upper);
	fprintf(to, "  triangles %zu, %zu of them touched along their normals alone\n", triangles, face_only);
	fprintf(to, "  vertices  %zu\n  sides    ", wp_mesh_vertex_count(mesh));
	for (size_t kind = 0; kind < WP_EDGE_KIND_COUNT; kind++)
		fprintf(to, " %zu %s%s", sides[kind], names[kind], kind + 1 < WP_EDGE_KIND_COUNT ? "," : "\n");
	fprintf(to, "  box       %.9g %.9g %.9g to %.9g %.9g %.9g\n", (double)lower[0], (double)lower[1], (double)lower[2],
		(double)upper[0], (double)upper[1], (double)upper[2]);
	fprintf(to, "  tree      %zu nodes, %zu levels\n", wp_mesh_node_count(mesh), wp_mesh_depth(mesh));
	fprintf(to, "  bytes     %zu, %.3g a triangle\n", wp_mesh_byte_size(mesh),
		(double)wp_mesh_byte_size(mesh) / (double)triangles);
}
