/* The hull builder: any vertices, faces, strides and memory sizes. */
#include "bytes.h"

#include "widephase/shape.h"

#define VERTICES_MAX 40
#define FACES_MAX 12

/* What memory held before is no part of a hull. */
static void check_bytes(const wp_hull *hull, const wp_hull_input *input, size_t size, uint32_t pattern)
{
	void *const memory = aligned_memory(size);
	const wp_hull *again;
	fill_memory(memory, size, pattern);
	REQUIRE(wp_hull_build(input, memory, size, &again, NULL) == WP_OK);
	REQUIRE(memcmp(hull, again, wp_hull_byte_size(hull)) == 0);
	free(memory);
}

static void check_hull(const wp_hull *hull, const wp_hull_input *input)
{
	REQUIRE(wp_hull_vertex_count(hull) == input->vertex_count);
	REQUIRE(wp_hull_face_count(hull) == input->face_count);
	const size_t stride = input->vertices.stride != 0 ? input->vertices.stride : 12;
	for (size_t i = 0; i < input->vertex_count; i++) {
		float vertex[3];
		wp_hull_vertex(hull, i, vertex);
		REQUIRE(memcmp(vertex, (const char *)input->vertices.data + i * stride, sizeof vertex) == 0);
	}
	const uint32_t *expected = input->face_indices;
	for (size_t i = 0; i < input->face_count; i++) {
		size_t corners;
		const uint32_t *face = wp_hull_face(hull, i, &corners);
		REQUIRE(corners == input->face_sizes[i]);
		for (size_t k = 0; k < corners; k++)
			REQUIRE(face[k] == expected[wp_hull_turned(hull) ? corners - 1 - k : k]);
		expected += corners;
	}
	const wp_hull *again;
	REQUIRE(wp_hull_from_memory(hull, wp_hull_byte_size(hull), &again) == WP_OK && again == hull);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bytes b = {data, size};
	const uint32_t pattern = pattern_of(&b);
	wp_hull_input input = {
		.vertex_count = take_below(&b, VERTICES_MAX + 1), .face_count = take_below(&b, FACES_MAX + 1)};
	input.vertices.stride = 4 * (size_t)take_below(&b, 6);
	const uint32_t lacking = take_below(&b, 80);
	const size_t stride = input.vertices.stride != 0 ? input.vertices.stride : 12;
	const size_t vertex_bytes = input.vertex_count != 0 ? (input.vertex_count - 1) * stride + 12 : 0;
	float *vertices = aligned_memory(vertex_bytes);
	uint32_t *sizes = aligned_memory(input.face_count * sizeof *sizes);
	size_t index_count = 0;
	for (size_t i = 0; i < input.face_count; i++) {
		sizes[i] = take_below(&b, 8);
		index_count += sizes[i];
	}
	uint32_t *indices = aligned_memory(index_count * sizeof *indices);
	for (size_t i = 0; i < index_count; i++)
		indices[i] = take_below(&b, VERTICES_MAX + 2);
	for (size_t i = 0; i < vertex_bytes / sizeof *vertices; i++)
		vertices[i] = take_number(&b);
	input.vertices.data = vertices;
	input.face_sizes = sizes;
	input.face_indices = indices;

	const size_t needed = wp_hull_size(input.vertex_count, input.face_count, index_count);
	const size_t given = lacking < needed ? needed - lacking * (lacking < 64) : 0;
	void *memory = aligned_memory(given);
	fill_memory(memory, given, pattern);
	const wp_hull *hull;
	size_t bad_index = SIZE_MAX;
	const wp_error error = wp_hull_build(&input, memory, given, &hull, &bad_index);
	REQUIRE((error == WP_OK) == (hull != NULL));
	REQUIRE(error != WP_OK || stride >= 12);
	if (error == WP_OK) {
		check_hull(hull, &input);
		check_bytes(hull, &input, given, pattern + 1);
	}
	if (error == WP_ERROR_HULL_VERTEX)
		REQUIRE(bad_index < input.vertex_count);
	if (error == WP_ERROR_HULL_FACE || (error >= WP_ERROR_HULL_FACE_REPEATS && error <= WP_ERROR_HULL_FACE_OPEN))
		REQUIRE(bad_index < input.face_count);
	free(memory);
	free(indices);
	free(sizes);
	free(vertices);
	return 0;
}
