/* Meshes: the reader of bytes, with a checksum that is right for them; and the cook of any triangles, whose mesh is to be
 * read again and to answer like a look at every triangle. */
#include "bytes.h"

#include "mesh/mesh.h"
#include "widephase/cook.h"

#include <math.h>

#define VERTICES_MAX 60
#define TRIANGLES_MAX 80

static void check_box(const wp_mesh *mesh, const float lower[3], const float upper[3], size_t capacity)
{
	const size_t count = wp_mesh_triangle_count(mesh);
	uint32_t cursor = 0, found[8];
	size_t part = 0, i = 0;
	for (uint32_t triangle = 0; triangle < count; triangle++) {
		uint32_t corner[3];
		float at[3][3];
		wp_mesh_triangle(mesh, triangle, corner);
		bool meets = true;
		for (int k = 0; k < 3; k++)
			wp_mesh_vertex(mesh, corner[k], at[k]);
		for (int k = 0; k < 3; k++)
			meets = meets && fminf(fminf(at[0][k], at[1][k]), at[2][k]) <= upper[k] &&
			        fmaxf(fmaxf(at[0][k], at[1][k]), at[2][k]) >= lower[k];
		if (!meets)
			continue;
		if (i == part) {
			REQUIRE(cursor < count);
			REQUIRE(wp_mesh_overlap_box(mesh, lower, upper, &cursor, found, capacity, &part) == WP_OK);
			REQUIRE(part >= 1 && part <= capacity && cursor <= count);
			i = 0;
		}
		REQUIRE(found[i++] == triangle);
	}
	REQUIRE(i == part);
	if (cursor < count) {
		REQUIRE(wp_mesh_overlap_box(mesh, lower, upper, &cursor, found, capacity, &part) == WP_OK);
		REQUIRE(part == 0 && cursor == count);
	}
}

static void use(const wp_mesh *mesh, bytes *b)
{
	const size_t count = wp_mesh_triangle_count(mesh);
	for (size_t triangle = 0; triangle < count; triangle++) {
		float normal[3];
		wp_mesh_normal(mesh, triangle, normal);
		for (int k = 0; k < 3; k++)
			REQUIRE(normal[k] - normal[k] == 0);
		for (size_t k = 0; k < 3; k++) {
			const wp_mesh_edge edge = wp_mesh_edge_of(mesh, triangle, k);
			REQUIRE(edge.kind == WP_EDGE_BOUNDARY ||
					wp_mesh_edge_of(mesh, edge.neighbour, edge.neighbour_edge).neighbour == triangle);
		}
	}
	for (int i = 0; i < 4; i++) {
		float lower[3], upper[3], way[3];
		wp_mesh_hit hit;
		bool is_box = true, is_ray = true;
		for (int k = 0; k < 3; k++) {
			lower[k] = take_number(b);
			upper[k] = i == 0 ? INFINITY : take_number(b);
			way[k] = take_number(b);
			is_box = is_box && lower[k] <= upper[k];
			is_ray = is_ray && wp_is_coordinate(lower[k]) && wp_is_coordinate(way[k]);
		}
		if (is_box)
			check_box(mesh, lower, upper, 1 + (size_t)i);
		const wp_error error = wp_mesh_ray(mesh, lower, way, &hit);
		REQUIRE(error == (is_ray ? WP_OK : WP_ERROR_MESH_RAY));
		if (error == WP_OK && hit.triangle != WP_MESH_MISS)
			REQUIRE(hit.triangle < count && hit.fraction >= 0 && hit.fraction <= 1 && hit.weights[0] >= 0 &&
					hit.weights[0] <= 1);
	}
}

static void read_bytes(bytes *b)
{
	const uint32_t mode = take_below(b, 256);
	const size_t size = b->left;
	wp_mesh *const memory = aligned_memory(size);
	memcpy(memory, b->at, size);
	if (size >= sizeof(wp_mesh)) {
		if (mode & 1) {
			memory->magic = WP_MESH_MAGIC;
			memory->version = WP_MESH_VERSION;
		}
		if (mode & 2)
			memory->byte_size = wp_mesh_lay_out(memory).end;
		if (memory->byte_size % WP_ALIGNMENT == 0 && memory->byte_size <= size && memory->byte_size != 0)
			memory->checksum = wp_mesh_checksum(memory);
	}
	const wp_mesh *mesh;
	const wp_error error = wp_mesh_from_memory(memory, size, &mesh);
	REQUIRE((error == WP_OK) == (mesh != NULL));
	if (error == WP_OK)
		use(mesh, b);
	free(memory);
}

static void cook_triangles(bytes *b)
{
	wp_mesh_input input = {
		.vertex_count = take_below(b, VERTICES_MAX + 1), .triangle_count = take_below(b, TRIANGLES_MAX + 1)};
	input.vertices.stride = 4 * (size_t)take_below(b, 6);
	input.triangles.stride = 4 * (size_t)take_below(b, 6);
	const bool has_indices = take_below(b, 8) != 0;
	const size_t vertex_stride = input.vertices.stride != 0 ? input.vertices.stride : 12;
	const size_t triangle_stride = input.triangles.stride != 0 ? input.triangles.stride : 12;
	const size_t vertex_bytes = input.vertex_count != 0 ? (input.vertex_count - 1) * vertex_stride + 12 : 0;
	const size_t triangle_bytes = input.triangle_count != 0 ? (input.triangle_count - 1) * triangle_stride + 12 : 0;
	float *const vertices = aligned_memory(vertex_bytes);
	uint32_t *const triangles = aligned_memory(triangle_bytes);
	for (size_t i = 0; i < vertex_bytes / sizeof *vertices; i++)
		vertices[i] = take_number(b);
	for (size_t i = 0; i < triangle_bytes / sizeof *triangles; i++)
		triangles[i] = take_below(b, input.vertex_count != 0 && take_below(b, 64) ? (uint32_t)input.vertex_count : 70);
	input.vertices.data = vertices;
	input.triangles.data = has_indices ? triangles : NULL;
	const wp_mesh *mesh, *again;
	wp_mesh_report report;
	const wp_error error = wp_cook_mesh(&input, &mesh, &report);
	REQUIRE((error == WP_OK) == (mesh != NULL));
	if (error == WP_ERROR_MESH_VERTEX)
		REQUIRE(report.bad_index < input.vertex_count);
	if (error == WP_ERROR_MESH_INDEX)
		REQUIRE(report.bad_index < input.triangle_count);
	if (error == WP_OK) {
		REQUIRE(wp_mesh_from_memory(mesh, wp_mesh_byte_size(mesh), &again) == WP_OK && again == mesh);
		REQUIRE(wp_mesh_vertex_count(mesh) + report.welded + report.unused == input.vertex_count);
		use(mesh, b);
	}
	wp_cook_free_mesh(mesh);
	free(triangles);
	free(vertices);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bytes b = {data, size};
	if (take_below(&b, 2) == 0)
		read_bytes(&b);
	else
		cook_triangles(&b);
	return 0;
}
