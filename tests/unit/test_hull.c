/* Hulls: building, reading, moving, and refusing whatever is not an intact hull. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shape/hull.h"
#include "core/length.h"
#include "support/ask.h"
#include "support/forge.h"
#include "widephase/query.h"
#include "widephase/shape.h"

#define MEMORY_SIZE 4096

static const float cube_vertices[8][3] = {
	{-1, -2, -3}, {1, -2, -3}, {-1, 2, -3}, {1, 2, -3}, {-1, -2, 3}, {1, -2, 3}, {-1, 2, 3}, {1, 2, 3}};
static const uint32_t cube_sizes[6] = {4, 4, 4, 4, 4, 4};
static const uint32_t cube_indices[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};

static const wp_hull_input cube_input = {
	.vertices = {cube_vertices[0]},
	.vertex_count = 8,
	.face_sizes = cube_sizes,
	.face_indices = cube_indices,
	.face_count = 6,
};

static _Alignas(WP_ALIGNMENT) unsigned char memory[MEMORY_SIZE];
static _Alignas(WP_ALIGNMENT) unsigned char other[MEMORY_SIZE];

static const wp_hull *build_cube(void *into)
{
	const wp_hull *hull = NULL;
	size_t bad = 77;
	cr_assert_eq(wp_hull_build(&cube_input, into, MEMORY_SIZE, &hull, &bad), WP_OK);
	cr_assert_eq((const void *)hull, (const void *)into);
	cr_assert_eq(bad, 77);
	return hull;
}

static void check_cube(const wp_hull *hull)
{
	cr_assert_eq(wp_hull_vertex_count(hull), 8);
	cr_assert_eq(wp_hull_face_count(hull), 6);
	for (size_t i = 0; i < 8; i++) {
		float vertex[3];
		wp_hull_vertex(hull, i, vertex);
		cr_assert_eq(memcmp(vertex, cube_vertices[i], sizeof vertex), 0);
	}
	for (size_t face = 0; face < 6; face++) {
		size_t size = 0;
		const uint32_t *const indices = wp_hull_face(hull, face, &size);
		cr_assert_eq(size, 4);
		cr_assert_eq(memcmp(indices, &cube_indices[4 * face], 4 * sizeof *indices), 0);
	}
}

static void turn_face(uint32_t *index, uint32_t size)
{
	for (uint32_t i = 0; i < size / 2; i++) {
		const uint32_t kept = index[i];
		index[i] = index[size - 1 - i];
		index[size - 1 - i] = kept;
	}
}

static wp_error from_memory(const void *at, size_t size)
{
	const wp_hull *hull = (const wp_hull *)at;
	const wp_error error = wp_hull_from_memory(at, size, &hull);
	cr_assert_eq(hull != NULL, error == WP_OK);
	return error;
}

Test(hull, reads_back_what_was_built)
{
	const wp_hull *const hull = build_cube(memory);
	check_cube(hull);
	cr_assert_eq(wp_hull_byte_size(hull), wp_hull_size(8, 6, 24));
	cr_assert(wp_hull_is_intact(hull, NULL));
}

/* Faces of a cube, turned so that its vertices are rounded, then invalid faces. */
Test(hull, faces_have_their_normals)
{
	const wp_hull *hull = build_cube(memory);
	for (size_t face = 0; face < 6; face++) {
		float n[3], middle[3] = {0, 0, 0};
		size_t size;
		const uint32_t *const index = wp_hull_face(hull, face, &size);
		wp_hull_face_normal(hull, face, n);
		for (size_t i = 0; i < size; i++)
			for (int k = 0; k < 3; k++)
				middle[k] += cube_vertices[index[i]][k] / 4;
		const float across = fabsf(n[0]) + fabsf(n[1]) + fabsf(n[2]);
		cr_assert(across == 1 && n[0] * middle[0] + n[1] * middle[1] + n[2] * middle[2] > 0, "face %zu: %g %g %g", face,
			(double)n[0], (double)n[1], (double)n[2]);
	}
	/* A tetrahedron with a point on one of its edges: a small face, a face without area, and large faces. */
	static const float corners[5][3] = {{0, 0, 0}, {0x1p-140f, 0, 0}, {0, 0x1p-140f, 0}, {1e30f, 0, 0}, {0, 0, -1e30f}};
	static const uint32_t sizes[6] = {3, 3, 3, 3, 3, 3};
	static const uint32_t indices[18] = {0, 1, 2, 0, 3, 1, 3, 0, 4, 0, 2, 4, 1, 3, 2, 2, 3, 4};
	const wp_hull_input input = {
		.vertices = {corners[0]}, .vertex_count = 5, .face_sizes = sizes, .face_indices = indices, .face_count = 6};
	static const float normals[4][3] = {{0, 0, 1}, {0, 0, 0}, {0, -1, 0}, {-1, 0, 0}};
	cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_OK);
	for (size_t face = 0; face < 4; face++) {
		float n[3];
		wp_hull_face_normal(hull, face, n);
		for (int k = 0; k < 3; k++)
			cr_assert(n[k] == normals[face][k], "face %zu: %g %g %g", face, (double)n[0], (double)n[1], (double)n[2]);
	}
	cr_assert_eq(from_memory(memory, wp_hull_byte_size(hull)), WP_OK);
}

Test(hull, moves_to_another_address)
{
	const wp_hull *const hull = build_cube(memory);
	const size_t size = wp_hull_byte_size(hull);
	memcpy(other, hull, size);
	memset(memory, 0xab, sizeof memory);
	const wp_hull *moved = NULL;
	cr_assert_eq(wp_hull_from_memory(other, size, &moved), WP_OK);
	check_cube(moved);
	cr_assert_eq(from_memory(other, sizeof other), WP_OK, "bytes behind the hull do not matter");
}

Test(hull, bytes_are_determined)
{
	memset(memory, 0x00, sizeof memory);
	memset(other, 0xff, sizeof other);
	const size_t size = wp_hull_byte_size(build_cube(memory));
	build_cube(other);
	cr_assert_eq(memcmp(memory, other, size), 0);
	for (size_t i = size; i < sizeof other; i++)
		cr_assert_eq(other[i], 0xff, "byte %zu behind the hull was written", i);
}

Test(hull, notices_every_changed_byte)
{
	const size_t size = wp_hull_byte_size(build_cube(memory));
	for (size_t i = 0; i < size; i++) {
		const unsigned char kept = memory[i];
		for (unsigned change = 1; change < 256; change++) {
			memory[i] = (unsigned char)(kept ^ change);
			cr_assert_eq(from_memory(memory, sizeof memory), WP_ERROR_HULL_CORRUPT, "byte %zu", i);
			cr_assert_not(wp_hull_is_intact((const wp_hull *)memory, NULL));
		}
		memory[i] = kept;
	}
	cr_assert_eq(from_memory(memory, size), WP_OK);
}

Test(hull, notices_two_changed_signs)
{
	build_cube(memory);
	for (size_t i = sizeof(wp_hull) + 3; i < sizeof(wp_hull) + 192; i += 4) {
		for (size_t j = i + 4; j < sizeof(wp_hull) + 192; j += 4) {
			memory[i] ^= 0x80;
			memory[j] ^= 0x80;
			cr_assert_not(wp_hull_is_intact((const wp_hull *)memory, NULL), "bytes %zu and %zu", i, j);
			memory[i] ^= 0x80;
			memory[j] ^= 0x80;
		}
	}
}

static bool is_intact(const void *bytes, size_t size)
{
	return ((const wp_hull *)bytes)->byte_size == size && wp_hull_is_intact(bytes, NULL);
}

/* Of a small hull with faces, and of one whose vertices have their mirror images, many lines away. */
Test(hull, notices_damage)
{
	enum { HALF = 256 };
	static _Alignas(WP_ALIGNMENT) unsigned char large[8192];
	static float points[2 * HALF][3];
	forge_damage(memory, wp_hull_byte_size(build_cube(memory)), is_intact);
	for (int i = 0; i < HALF; i++) {
		for (int k = 0; k < 3; k++) {
			points[i][k] = sinf((float)(1 + i + 300 * k));
			points[i + HALF][k] = -points[i][k];
		}
	}
	const wp_hull_input input = {.vertices.data = points[0], .vertex_count = 2 * HALF};
	const wp_hull *hull;
	cr_assert_eq(wp_hull_build(&input, large, sizeof large, &hull, NULL), WP_OK);
	forge_damage(large, wp_hull_byte_size(hull), is_intact);
}

Test(hull, notices_every_truncation)
{
	const wp_hull *const hull = build_cube(memory);
	const size_t size = wp_hull_byte_size(hull);
	for (size_t cut = 0; cut < size; cut++) {
		/* A block of its own, so that a memory checker sees any read behind it. */
		void *const block = aligned_alloc(WP_ALIGNMENT, (cut / WP_ALIGNMENT + 1) * WP_ALIGNMENT);
		memcpy(block, hull, cut);
		cr_assert_eq(from_memory(block, cut), WP_ERROR_HULL_CORRUPT, "%zu bytes", cut);
		free(block);
	}
	/* An address that cannot be read: the size alone decides. */
	for (size_t cut = 0; cut < sizeof(wp_hull); cut++)
		cr_assert_eq(from_memory((const void *)(uintptr_t)WP_ALIGNMENT, cut), WP_ERROR_HULL_CORRUPT);
}

static uint32_t random_state = 12345;

static uint32_t random_bits(void)
{
	random_state = random_state * 1664525u + 1013904223u;
	return random_state >> 8 ^ random_state << 13;
}

Test(hull, survives_arbitrary_bytes)
{
	const size_t size = wp_hull_byte_size(build_cube(memory));
	for (int round = 0; round < 100000; round++) {
		void *const block = aligned_alloc(WP_ALIGNMENT, size);
		memcpy(block, memory, size);
		uint32_t *const words = block;
		/* Wild values in the header; everything random in every fourth round. */
		const size_t changes = round % 4 == 0 ? size / 4 : 1 + random_bits() % 4;
		for (size_t i = 0; i < changes; i++)
			words[random_bits() % (round % 4 == 0 ? size / 4 : 16)] = random_bits() << random_bits() % 32;
		if (memcmp(block, memory, size) != 0)
			cr_assert_eq(from_memory(block, size), WP_ERROR_HULL_CORRUPT);
		free(block);
	}
}

/* As a machine of the other byte order writes it. */
Test(hull, refuses_the_other_byte_order)
{
	const size_t size = wp_hull_byte_size(build_cube(memory));
	uint32_t *const words = (uint32_t *)(void *)memory;
	for (size_t i = 0; i < size / sizeof *words; i++)
		words[i] = __builtin_bswap32(words[i]);
	cr_assert_eq(from_memory(memory, size), WP_ERROR_HULL_CORRUPT);
	cr_assert(!wp_hull_is_intact((const wp_hull *)(const void *)memory, NULL));
}

static wp_error forged(size_t word, uint32_t value)
{
	build_cube(memory);
	((uint32_t *)(void *)memory)[word] = value;
	forge_checksum(memory);
	cr_assert(word == 3 || (word == 6 && value == 1) || word > 9 || !wp_hull_is_intact((const wp_hull *)memory, NULL));
	return from_memory(memory, sizeof memory);
}

Test(hull, refuses_forged_contents)
{
	wp_hull *const hull = (wp_hull *)(void *)memory;
	build_cube(memory);
	const uint32_t kept = hull->checksum;
	forge_checksum(hull);
	cr_assert_eq(hull->checksum, kept, "the format's hash, as this test states it");

	const size_t x = 16;
	const size_t normal = x + 48, start = normal + 64;
	cr_assert_eq(4 * start, hull->face_offset);
	cr_assert_eq(forged(x, 0x7fc00000u), WP_ERROR_HULL_CORRUPT, "NaN vertex");
	cr_assert_eq(forged(x + 3, 0x7f800000u), WP_ERROR_HULL_CORRUPT, "infinite vertex");
	cr_assert_eq(forged(x + 3, 0x7f000000u), WP_ERROR_HULL_CORRUPT, "huge vertex");
	cr_assert_eq(forged(x + 3, 0x40e00000u), WP_ERROR_HULL_CORRUPT, "vertex outside the bound");
	cr_assert_eq(forged(x + 9, 0x3f800000u), WP_ERROR_HULL_CORRUPT, "padding that is not vertex 0");
	cr_assert_eq(forged(10, 0x00000000u), WP_ERROR_HULL_CORRUPT, "bound");
	cr_assert_eq(forged(start, 1), WP_ERROR_HULL_CORRUPT, "first face does not start at 0");
	cr_assert_eq(forged(start + 1, 2), WP_ERROR_HULL_CORRUPT, "face of two vertices");
	cr_assert_eq(forged(start + 2, 0xfffffff0u), WP_ERROR_HULL_CORRUPT, "face start out of range");
	cr_assert_eq(forged(start + 6, 23), WP_ERROR_HULL_CORRUPT, "last face ends early");
	cr_assert_eq(forged(start + 7, 8), WP_ERROR_HULL_CORRUPT, "index out of range");
	cr_assert_eq(forged(start + 30, 0xffffffffu), WP_ERROR_HULL_CORRUPT, "last index out of range");
	for (size_t i = 0; i < 64; i++)
		cr_assert_eq(forged(normal + i, 0x3f000000u), WP_ERROR_HULL_CORRUPT, "plane, word %zu", i);
	for (size_t word = 0; word < 16; word++) {
		if (word != 2 && word != 3)
			cr_assert_eq(forged(word, 0x01000001u), WP_ERROR_HULL_CORRUPT, "header word %zu", word);
	}
	cr_assert_eq(forged(6, 1), WP_OK, "a legal change, rightly hashed, is another hull");
	cr_assert_eq(forged(6, 2), WP_ERROR_HULL_CORRUPT, "turned is neither 0 nor 1");
	for (size_t axis = 0; axis < 3; axis++)
		cr_assert_eq(forged(13 + axis, 0x40400001u), WP_ERROR_HULL_CORRUPT, "extent along axis %zu", axis);
}

/* A face turned together with its normal. */
Test(hull, refuses_forged_faces)
{
	for (size_t face = 0; face < 6; face++) {
		wp_hull *const hull = (wp_hull *)(void *)memory;
		size_t size;
		build_cube(memory);
		uint32_t *const index = (uint32_t *)wp_hull_face(hull, face, &size);
		float *const normal = (float *)wp_hull_normals(hull);
		turn_face(index, 4);
		/* Padding repeats the normal of face 0. */
		for (size_t i = 0; i < 3 * hull->face_padded; i++) {
			const size_t of = i % hull->face_padded;
			if ((of < 6 ? of : 0) == face && normal[i] != 0)
				normal[i] = -normal[i];
		}
		forge_checksum(hull);
		cr_assert(wp_hull_is_intact(hull, NULL));
		cr_assert_eq(from_memory(memory, sizeof memory), WP_ERROR_HULL_CORRUPT, "face %zu", face);
	}
}

Test(hull, says_which_argument_is_null)
{
	const wp_hull *hull = (const wp_hull *)memory;
	cr_assert_eq(wp_hull_build(NULL, memory, sizeof memory, &hull, NULL), WP_ERROR_NULL_INPUT);
	cr_assert_null(hull);
	cr_assert_eq(wp_hull_build(&cube_input, NULL, sizeof memory, &hull, NULL), WP_ERROR_NULL_MEMORY);
	cr_assert_eq(wp_hull_build(&cube_input, memory, sizeof memory, NULL, NULL), WP_ERROR_NULL_HULL);
	cr_assert_eq(wp_hull_from_memory(NULL, 64, &hull), WP_ERROR_NULL_MEMORY);
	cr_assert_eq(wp_hull_from_memory(memory, 64, NULL), WP_ERROR_NULL_HULL);

	wp_hull_input input = cube_input;
	input.vertices.data = NULL;
	cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_ERROR_NULL_VERTICES);
	input = cube_input;
	input.face_sizes = NULL;
	cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_ERROR_NULL_FACE_SIZES);
	input = cube_input;
	input.face_indices = NULL;
	cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_ERROR_NULL_FACE_INDICES);
}

Test(hull, refuses_memory)
{
	const wp_hull *hull = NULL;
	const size_t size = wp_hull_size(8, 6, 24);
	for (size_t offset = 1; offset < WP_ALIGNMENT; offset++) {
		hull = (const wp_hull *)memory;
		cr_assert_eq(wp_hull_build(&cube_input, memory + offset, size, &hull, NULL), WP_ERROR_MEMORY_MISALIGNED);
		cr_assert_null(hull);
		build_cube(other);
		memmove(other + offset, other, size);
		cr_assert_eq(from_memory(other + offset, size), WP_ERROR_MEMORY_MISALIGNED);
		cr_assert_not(wp_hull_is_intact((const wp_hull *)(const void *)(other + offset), NULL));
	}
	for (size_t short_size = 0; short_size < size; short_size++) {
		hull = (const wp_hull *)memory;
		cr_assert_eq(wp_hull_build(&cube_input, memory, short_size, &hull, NULL), WP_ERROR_MEMORY_TOO_SMALL);
		cr_assert_null(hull);
	}
	cr_assert_eq(wp_hull_build(&cube_input, memory, size, &hull, NULL), WP_OK);
}

static wp_error build_changed(const wp_hull_input *input, size_t *bad)
{
	const wp_hull *hull = (const wp_hull *)memory;
	const wp_error error = wp_hull_build(input, memory, sizeof memory, &hull, bad);
	cr_assert_eq(hull != NULL, error == WP_OK);
	return error;
}

Test(hull, refuses_vertex_counts)
{
	wp_hull_input input = cube_input;
	input.vertex_count = 0;
	cr_assert_eq(build_changed(&input, NULL), WP_ERROR_HULL_VERTEX_COUNT);
	input.vertex_count = WP_HULL_VERTEX_MAX + 1;
	cr_assert_eq(build_changed(&input, NULL), WP_ERROR_HULL_VERTEX_COUNT);
	input.vertex_count = SIZE_MAX;
	cr_assert_eq(build_changed(&input, NULL), WP_ERROR_HULL_VERTEX_COUNT);
}

Test(hull, names_the_bad_vertex)
{
	const float bad_values[] = {NAN, -NAN, INFINITY, -INFINITY, 1.0001e30f, -1.0001e30f, FLT_MAX};
	for (size_t vertex = 0; vertex < 8; vertex++) {
		for (size_t axis = 0; axis < 3; axis++) {
			for (size_t i = 0; i < sizeof bad_values / sizeof bad_values[0]; i++) {
				float vertices[8][3];
				memcpy(vertices, cube_vertices, sizeof vertices);
				vertices[vertex][axis] = bad_values[i];
				wp_hull_input input = cube_input;
				input.vertices.data = vertices[0];
				size_t bad = 99;
				cr_assert_eq(build_changed(&input, &bad), WP_ERROR_HULL_VERTEX);
				cr_assert_eq(bad, vertex);
				cr_assert_eq(build_changed(&input, NULL), WP_ERROR_HULL_VERTEX);
			}
		}
	}
}

Test(hull, names_the_bad_face)
{
	for (size_t face = 0; face < 6; face++) {
		uint32_t sizes[6];
		uint32_t indices[24];
		memcpy(sizes, cube_sizes, sizeof sizes);
		memcpy(indices, cube_indices, sizeof indices);
		wp_hull_input input = cube_input;
		input.face_sizes = sizes;
		input.face_indices = indices;
		for (uint32_t size = 0; size < 3; size++) {
			size_t bad = 99;
			sizes[face] = size;
			cr_assert_eq(build_changed(&input, &bad), WP_ERROR_HULL_FACE);
			cr_assert_eq(bad, face);
		}
		size_t bad = 99;
		sizes[face] = UINT32_MAX;
		cr_assert_eq(build_changed(&input, &bad), WP_ERROR_HULL_FACE);
		cr_assert_eq(bad, face);
		sizes[face] = 4;
		for (uint32_t i = 0; i < 4; i++) {
			bad = 99;
			indices[4 * face + i] = 8;
			cr_assert_eq(build_changed(&input, &bad), WP_ERROR_HULL_FACE);
			cr_assert_eq(bad, face);
			indices[4 * face + i] = cube_indices[4 * face + i];
		}
		cr_assert_eq(build_changed(&input, NULL), WP_OK);
	}
}

Test(hull, sizes)
{
	cr_assert_eq(wp_hull_size(0, 0, 0), 0);
	cr_assert_eq(wp_hull_size(WP_HULL_VERTEX_MAX + 1, 0, 0), 0);
	cr_assert_eq(wp_hull_size(SIZE_MAX, 0, 0), 0);
	cr_assert_eq(wp_hull_size(8, 6, 17), 0, "faces of fewer than three vertices");
	cr_assert_eq(wp_hull_size(8, 0, 3), 0, "indices without a face");
	cr_assert_eq(wp_hull_size(8, SIZE_MAX, SIZE_MAX), 0);
	cr_assert_eq(wp_hull_size(8, SIZE_MAX / 3 + 1, 24), 0);
	cr_assert_eq(wp_hull_size(8, 6, SIZE_MAX - 2), 0);
	for (size_t vertices = 1; vertices < 100; vertices++) {
		const size_t size = wp_hull_size(vertices, 0, 0);
		cr_assert_eq(size % WP_ALIGNMENT, 0);
		cr_assert(size >= sizeof(wp_hull) + 12 * vertices);
		cr_assert(wp_hull_size(vertices, 10, 40) >= size + 50 * sizeof(uint32_t) - WP_ALIGNMENT);
	}
	cr_assert(wp_hull_size(WP_HULL_VERTEX_MAX, 131066, 393198) > 2300000);
}

Test(hull, without_faces)
{
	wp_hull_input input = {.vertices = {cube_vertices[0]}, .vertex_count = 8};
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_hull_build(&input, memory, wp_hull_size(8, 0, 0), &hull, NULL), WP_OK);
	cr_assert_eq(wp_hull_face_count(hull), 0);
	cr_assert_eq(from_memory(memory, wp_hull_size(8, 0, 0)), WP_OK);
}

Test(hull, vertices_lie_anywhere)
{
	/* An odd stride and an odd address. */
	unsigned char bytes[17 * 8 + 1];
	for (size_t i = 0; i < 8; i++)
		memcpy(bytes + 1 + 17 * i, cube_vertices[i], 12);
	wp_hull_input input = cube_input;
	input.vertices.data = (const float *)(const void *)(bytes + 1);
	input.vertices.stride = 17;
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_OK);
	build_cube(other);
	cr_assert_eq(memcmp(memory, other, wp_hull_byte_size(hull)), 0);
}

Test(hull, padding_repeats_vertex_0)
{
	float vertices[40][3];
	for (size_t i = 0; i < 40; i++) {
		for (size_t axis = 0; axis < 3; axis++)
			vertices[i][axis] = (float)(100 * axis + i) - 3.5f;
	}
	for (size_t count = 1; count <= 40; count++) {
		const wp_hull_input input = {.vertices = {vertices[0]}, .vertex_count = count};
		const wp_hull *hull = NULL;
		cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_OK);
		cr_assert_eq(hull->vertex_padded % WP_WIDTH_MAX, 0);
		cr_assert(hull->vertex_padded >= count && hull->vertex_padded < count + WP_WIDTH_MAX);
		const float *const x = wp_hull_vertices(hull);
		cr_assert_eq((uintptr_t)x % WP_ALIGNMENT, 0);
		for (size_t i = 0; i < hull->vertex_padded; i++) {
			for (size_t axis = 0; axis < 3; axis++)
				cr_assert(x[axis * hull->vertex_padded + i] == vertices[i < count ? i : 0][axis]);
		}
	}
}

static float bound_of(const float vertex[3])
{
	const wp_hull_input input = {.vertices = {vertex}, .vertex_count = 1};
	const wp_hull *hull = NULL;
	cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_OK);
	return hull->bound;
}

static bool bound_is(float x, float y, float z, float expected)
{
	const float vertex[3] = {x, y, z};
	const float bound = bound_of(vertex);
	return memcmp(&bound, &expected, sizeof bound) == 0;
}

Test(hull, exact_bounds)
{
	cr_assert(bound_is(0, 0, 0, 0));
	cr_assert(bound_is(-0.0f, -0.0f, -0.0f, 0));
	cr_assert(bound_is(3, -4, 0, 5));
	cr_assert(bound_is(-2, 3, 6, 7));
	cr_assert(bound_is(0, -7.25f, 0, 7.25f));
	cr_assert(bound_is(1e30f, 0, 0, 1e30f));
	cr_assert(bound_is(0, 0, FLT_TRUE_MIN, FLT_TRUE_MIN));
	cr_assert(bound_is(3 * FLT_TRUE_MIN, 0, -4 * FLT_TRUE_MIN, 5 * FLT_TRUE_MIN));
	cr_assert(bound_is(FLT_TRUE_MIN, FLT_TRUE_MIN, 0, 2 * FLT_TRUE_MIN));
	cr_assert(bound_is(3 * FLT_MIN, 4 * FLT_MIN, 0, 5 * FLT_MIN));
	cr_assert(bound_is(1, FLT_TRUE_MIN, 0, 1 + FLT_EPSILON));
	cr_assert(bound_is(1e30f, 1, 0, nextafterf(1e30f, INFINITY)));
	cr_assert(bound_is(1, 1e-30f, -1e30f, nextafterf(1e30f, INFINITY)));
}

Test(hull, bounds_are_rounded_up_and_tight)
{
	for (int round = 0; round < 200000; round++) {
		float vertex[3];
		long double square = 0;
		const int base = (int)(random_bits() % 240) - 145;
		for (int axis = 0; axis < 3; axis++) {
			vertex[axis] = ldexpf((float)(int32_t)random_bits() * 0x1p-31f, base - (int)(random_bits() % 4) * 9);
			square += (long double)vertex[axis] * vertex[axis];
		}
		const float bound = bound_of(vertex);
		cr_assert((long double)bound * bound >= square * (1 - LDBL_EPSILON));
		const long double below = nextafterf(nextafterf(bound, 0), 0);
		cr_assert(bound == 0 || below < sqrtl(square) || bound <= FLT_TRUE_MIN);
	}
}

static void check_point(const float point[3])
{
	const float bound = wp_point_bound(point), same = wp_distance_bound(&point[0], &point[1], &point[2], 1);
	cr_assert(memcmp(&bound, &same, sizeof bound) == 0, "%a %a %a: %a, not %a", (double)point[0], (double)point[1],
		(double)point[2], (double)bound, (double)same);
}

/* Of any floats, of small multiples of a quarter, whose lengths are floats now and then, and of extents of very different
 * sizes, however the machine rounds. */
Test(hull, one_points_bound_is_the_same)
{
	const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	for (size_t mode = 0; mode < 4; mode++) {
		cr_assert(fesetround(modes[mode]) == 0);
		for (int round = 0; round < 200000; round++) {
			float point[3], whole[3], far[3];
			for (int axis = 0; axis < 3; axis++) {
				const uint32_t bits = (uint32_t)random_bits() & 0x7fffffffu;
				memcpy(&point[axis], &bits, sizeof bits);
				point[axis] = wp_is_coordinate(point[axis]) ? point[axis] : WP_COORDINATE_MAX;
				whole[axis] = (float)(random_bits() % 64) * 0.25f;
				far[axis] = ldexpf((float)(1 + random_bits() % 1024), -(int)(random_bits() % 40));
			}
			check_point(point);
			check_point(whole);
			check_point(far);
		}
	}
	cr_assert(fesetround(FE_TONEAREST) == 0);
}

Test(hull, sums_are_rounded_up_and_tight)
{
	cr_assert(wp_sum_up(0, 0) == 0);
	cr_assert(wp_sum_up(1, 2) == 3);
	cr_assert(wp_sum_up(1e30f, 1e-30f) == nextafterf(1e30f, INFINITY));
	cr_assert(wp_sum_up(FLT_TRUE_MIN, FLT_TRUE_MIN) == 2 * FLT_TRUE_MIN);
	cr_assert(wp_sum_up(0x1.fffffep-1f, 0x1p-25f) == 1);
	for (int round = 0; round < 200000; round++) {
		const float a = ldexpf((float)(random_bits() >> 8), (int)(random_bits() % 60) - 40);
		const float b = ldexpf((float)(random_bits() >> 8), (int)(random_bits() % 60) - 40);
		const float sum = wp_sum_up(a, b);
		cr_assert((double)sum >= (double)a + (double)b);
		cr_assert(sum == 0 || (double)nextafterf(sum, 0) < (double)a + (double)b + (double)sum * 0x1p-29);
	}
}

static void check_root(uint64_t square)
{
	const uint64_t root = wp_square_root_up(square);
	cr_assert(root * root >= square && (root == 0 || (root - 1) * (root - 1) < square), "of %#llx",
		(unsigned long long)square);
}

/* In whatever way the machine rounds: hulls in memory are looked at outside of queries, too. */
Test(hull, square_roots_are_rounded_up_and_tight)
{
	const uint64_t most = (uint64_t)3 << 62;
	const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	for (size_t mode = 0; mode < 4; mode++) {
		cr_assert(fesetround(modes[mode]) == 0);
		check_root(0);
		check_root(most);
		check_root(most - 1);
		for (int round = 0; round < 100000; round++) {
			const uint64_t root = (uint64_t)random_bits() % 3719550786 >> random_bits() % 31;
			check_root(root * root);
			check_root(root * root + 1);
			check_root(root * root - (root != 0));
		}
		fesetround(FE_TONEAREST);
	}
}

Test(hull, many_vertices)
{
	const size_t counts[] = {4096, 4097, WP_HULL_VERTEX_MAX};
	for (size_t c = 0; c < 3; c++) {
		const size_t count = counts[c];
		float(*const vertices)[3] = malloc(count * sizeof *vertices);
		for (size_t i = 0; i < count; i++) {
			const double z = 2.0 * ((double)i + 0.5) / (double)count - 1.0;
			const double turn = 2.399963229728653 * (double)i;
			vertices[i][0] = (float)(sqrt(1 - z * z) * cos(turn));
			vertices[i][1] = (float)(sqrt(1 - z * z) * sin(turn));
			vertices[i][2] = (float)z;
		}
		const wp_hull_input input = {.vertices = {vertices[0]}, .vertex_count = count};
		const size_t size = wp_hull_size(count, 0, 0);
		void *const block = aligned_alloc(WP_ALIGNMENT, size);
		const wp_hull *hull = NULL;
		cr_assert_eq(wp_hull_build(&input, block, size, &hull, NULL), WP_OK);
		cr_assert_eq(from_memory(block, size), WP_OK);
		cr_assert_eq(wp_hull_vertex_count(hull), count);
		cr_assert(hull->bound >= 1 - 2e-7f && hull->bound <= 1 + 2e-7f);
		for (size_t i = 0; i < count; i++) {
			float vertex[3];
			wp_hull_vertex(hull, i, vertex);
			cr_assert_eq(memcmp(vertex, vertices[i], sizeof vertex), 0);
		}
		free(block);
		free(vertices);
	}
}

/* ---- faces -------------------------------------------------------------------------------------- */

enum { SOLID_VERTICES = 32, SOLID_FACES = 16, NO_FACE = 1000 };

/* A hull's input that tests change. */
typedef struct solid {
	float vertices[SOLID_VERTICES][3];
	uint32_t sizes[SOLID_FACES], indices[6 * SOLID_FACES];
	wp_hull_input input;
} solid;

static void make_solid(solid *s, const float (*vertices)[3], size_t vertex_count, const uint32_t *sizes,
	const uint32_t *indices, size_t face_count)
{
	size_t count = 0;
	for (size_t i = 0; i < face_count; i++)
		count += sizes[i];
	memcpy(s->vertices, vertices, vertex_count * sizeof *vertices);
	memcpy(s->sizes, sizes, face_count * sizeof *sizes);
	memcpy(s->indices, indices, count * sizeof *indices);
	s->input = (wp_hull_input){.vertices = {s->vertices[0]},
		.vertex_count = vertex_count,
		.face_sizes = s->sizes,
		.face_indices = s->indices,
		.face_count = face_count};
}

static void make_cube_solid(solid *s) { make_solid(s, cube_vertices, 8, cube_sizes, cube_indices, 6); }

static void turn_all(solid *s)
{
	uint32_t *index = s->indices;
	for (size_t face = 0; face < s->input.face_count; index += s->sizes[face++])
		turn_face(index, s->sizes[face]);
}

static const wp_hull *check_built(const solid *s, const char *name, int turned)
{
	size_t bad = NO_FACE;
	const wp_hull *hull = NULL;
	const wp_error error = wp_hull_build(&s->input, memory, sizeof memory, &hull, &bad);
	cr_assert_eq(error, WP_OK, "%s: %s, %zu", name, wp_error_text(error), bad);
	cr_assert_eq(bad, NO_FACE, "%s: %zu", name, bad);
	cr_assert_eq(wp_hull_turned(hull), turned, "%s", name);
	cr_assert_eq(from_memory(memory, sizeof memory), WP_OK, "%s", name);
	return hull;
}

static void check_refused(const solid *s, const char *name, wp_error expected, size_t expected_face)
{
	size_t bad = NO_FACE;
	const wp_error error = build_changed(&s->input, &bad);
	cr_assert_eq(error, expected, "%s: %s, %zu", name, wp_error_text(error), bad);
	cr_assert_eq(bad, expected_face, "%s: %s, face %zu", name, wp_error_text(error), bad);
}

Test(hull, turns_faces_that_are_inside_out)
{
	solid s;
	make_cube_solid(&s);
	check_built(&s, "as it is", 0);
	check_cube((const wp_hull *)(const void *)memory);
	turn_all(&s);
	const wp_hull *const hull = check_built(&s, "inside out", 1);
	for (size_t face = 0; face < 6; face++) {
		float n[3], middle[3] = {0, 0, 0};
		size_t size;
		const uint32_t *const index = wp_hull_face(hull, face, &size);
		wp_hull_face_normal(hull, face, n);
		for (size_t i = 0; i < size; i++) {
			cr_assert_eq(index[i], cube_indices[4 * face + i], "face %zu", face);
			for (int k = 0; k < 3; k++)
				middle[k] += cube_vertices[index[i]][k] / 4;
		}
		cr_assert(n[0] * middle[0] + n[1] * middle[1] + n[2] * middle[2] > 0, "face %zu", face);
	}
}

Test(hull, names_the_face_that_is_inside_out)
{
	for (uint32_t face = 0; face < 6; face++) {
		solid s;
		make_cube_solid(&s);
		turn_face(&s.indices[4 * face], 4);
		check_refused(&s, "one turned", WP_ERROR_HULL_FACE_WINDING, face);
		turn_all(&s);
		check_refused(&s, "all others turned", WP_ERROR_HULL_FACE_WINDING, face == 0 ? 1 : 0);
	}
}

Test(hull, names_the_face_beside_a_gap)
{
	for (uint32_t face = 0; face < 6; face++) {
		solid s;
		make_cube_solid(&s);
		memmove(&s.indices[4 * face], &s.indices[4 * face + 4], (20 - 4 * face) * sizeof *s.indices);
		s.input.face_count = 5;
		/* Faces 2 i and 2 i + 1 are opposite: the first of the others is beside. */
		check_refused(&s, "a face less", WP_ERROR_HULL_FACE_OPEN, face < 2 ? 1 : 0);
		turn_all(&s);
		check_refused(&s, "a face less, inside out", WP_ERROR_HULL_FACE_OPEN, face < 2 ? 1 : 0);
	}
	solid s;
	make_cube_solid(&s);
	s.input.face_count = 2;
	check_refused(&s, "two opposite faces", WP_ERROR_HULL_FACE_OPEN, 0);
	memcpy(&s.indices[24], &s.indices[8], 4 * sizeof *s.indices);
	s.sizes[6] = 4;
	s.input.face_count = 7;
	check_refused(&s, "a face twice", WP_ERROR_HULL_FACE_OPEN, 0);
}

Test(hull, refuses_faces_that_no_hull_has)
{
	solid s;
	make_cube_solid(&s);
	memset(s.indices, 0, sizeof s.indices);
	check_refused(&s, "all indices 0", WP_ERROR_HULL_FACE_REPEATS, 0);
	make_cube_solid(&s);
	s.indices[4 * 3 + 2] = s.indices[4 * 3];
	check_refused(&s, "an index twice", WP_ERROR_HULL_FACE_REPEATS, 3);
	make_cube_solid(&s);
	memset(s.vertices, 0, sizeof s.vertices);
	check_refused(&s, "no area", WP_ERROR_HULL_FACES, NO_FACE);
	make_cube_solid(&s);
	for (size_t i = 0; i < SOLID_FACES; i++) {
		s.sizes[i] = 4;
		memcpy(&s.indices[4 * i], &cube_indices[4 * (i % 6)], 4 * sizeof *s.indices);
	}
	s.input.face_count = SOLID_FACES;
	check_refused(&s, "more faces than a hull can have", WP_ERROR_HULL_FACES, NO_FACE);

	static const float twice[8][3] = {
		{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	static const uint32_t three[8] = {3, 3, 3, 3, 3, 3, 3, 3};
	static const uint32_t corners[24] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 4, 6, 5, 4, 5, 7, 4, 7, 6, 5, 6, 7};
	make_solid(&s, twice, 8, three, corners, 4);
	check_built(&s, "a tetrahedron, its vertices twice", 0);
	make_solid(&s, twice, 8, three, corners, 8);
	check_refused(&s, "a tetrahedron twice", WP_ERROR_HULL_FACES, NO_FACE);
}

Test(hull, refuses_faces_that_are_not_convex)
{
	solid s;
	make_cube_solid(&s);
	s.vertices[0][0] = -0.2f, s.vertices[0][1] = -0.4f, s.vertices[0][2] = -0.6f;
	check_refused(&s, "a dent", WP_ERROR_HULL_FACE_PLANE, 0);

	make_cube_solid(&s);
	memcpy(s.vertices[8], (const float[3]){0.5f, 1, 2}, sizeof s.vertices[8]);
	s.input.vertex_count = 9;
	check_built(&s, "a vertex inside", 0);
	s.vertices[8][0] = 1.001f;
	check_refused(&s, "a vertex outside", WP_ERROR_HULL_FACE_CONVEX, 5);
	turn_all(&s);
	check_refused(&s, "a vertex outside, inside out", WP_ERROR_HULL_FACE_WINDING, 0);

	static const float arrow[5][3] = {{0, 0, 0}, {3, 0, 0}, {1, 1, 0}, {0, 3, 0}, {0.5f, 0.5f, 0}};
	static const uint32_t four[2] = {4, 4}, sides[8] = {0, 1, 2, 3, 3, 2, 1, 0}, hull_sides[6] = {0, 1, 3, 3, 1, 0};
	static const uint32_t three[2] = {3, 3};
	make_solid(&s, arrow, 5, four, sides, 2);
	check_refused(&s, "an arrow", WP_ERROR_HULL_FACE_CONVEX, 0);
	make_solid(&s, arrow, 5, three, hull_sides, 2);
	check_built(&s, "a flat triangle of two sides", 0);
	turn_face(s.indices, 3);
	check_refused(&s, "a flat triangle, the same side twice", WP_ERROR_HULL_FACE_OPEN, 0);
}

/* Of many vertices that no face has, one is outside of one face: of whatever normal, wherever it is among the others. */
Test(hull, names_the_face_that_a_vertex_is_outside_of)
{
	static const float turn[3][3] = {{0x1.1eb852p-1f, -0x1.99999ap-2f, 0x1.70a3d8p-1f},
		{0x1.99999ap-1f, 0x1.333334p-1f, 0}, {-0x1.c28f5cp-2f, 0x1.266666p-1f, 0x1.666666p-1f}};
	for (size_t face = 0; face < 6; face++) {
		for (size_t outside = 7; outside < SOLID_VERTICES; outside++) {
			float vertices[SOLID_VERTICES][3];
			solid s;
			make_cube_solid(&s);
			s.input.vertex_count = SOLID_VERTICES;
			for (size_t i = 0; i < SOLID_VERTICES; i++) {
				/* The middle of a face is the mean of its corners. */
				for (int k = 0; k < 3; k++) {
					float middle = 0;
					for (int corner = 0; corner < 4; corner++)
						middle += cube_vertices[cube_indices[4 * face + corner]][k] / 4;
					vertices[i][k] = i < 8 ? cube_vertices[i][k] : middle * (i == outside ? 1.01f : 0.5f);
				}
				for (int k = 0; k < 3; k++)
					s.vertices[i][k] = turn[k][0] * vertices[i][0] + turn[k][1] * vertices[i][1] +
					                   turn[k][2] * vertices[i][2];
			}
			if (outside == 7)
				check_built(&s, "all inside", 0);
			else
				check_refused(&s, "one outside", WP_ERROR_HULL_FACE_CONVEX, face);
		}
	}
}

/* A cube of any size and place, turned in float: what rounds its vertices is accepted, what does not is refused. */
Test(hull, judges_faces_by_the_rounding_of_vertices)
{
	static const float turn[3][3] = {{0x1.1eb852p-1f, -0x1.99999ap-2f, 0x1.70a3d8p-1f},
		{0x1.99999ap-1f, 0x1.333334p-1f, 0}, {-0x1.c28f5cp-2f, 0x1.266666p-1f, 0x1.666666p-1f}};
	for (int power = -6; power <= 6; power++) {
		for (int far = 0; far < 4; far++) {
			const float scale = powf(10, (float)power), place = scale * (far == 0 ? 0 : powf(10, (float)far));
			solid good, bent, apart;
			char name[64];
			snprintf(name, sizeof name, "size %g at %g", (double)scale, (double)place);
			make_cube_solid(&good);
			for (int i = 0; i < 8; i++)
				for (int k = 0; k < 3; k++)
					good.vertices[i][k] = scale * (turn[k][0] * cube_vertices[i][0] + turn[k][1] * cube_vertices[i][1] +
													  turn[k][2] * cube_vertices[i][2]) +
					                      place;
			good.input.vertices.data = good.vertices[0];
			check_built(&good, name, 0);
			turn_all(&good);
			check_built(&good, name, 1);
			turn_all(&good);
			bent = apart = good;
			bent.input.vertices.data = bent.vertices[0], apart.input.vertices.data = apart.vertices[0];
			bent.input.face_sizes = bent.sizes, bent.input.face_indices = bent.indices;
			apart.input.face_sizes = apart.sizes, apart.input.face_indices = apart.indices;
			bent.vertices[7][0] += 0x1p-9f * (scale + place);
			cr_assert_eq(build_changed(&bent.input, NULL), WP_ERROR_HULL_FACE_PLANE, "%s, bent", name);
			for (int k = 0; k < 3; k++)
				apart.vertices[7][k] += 0x1p-23f * (scale + place);
			check_built(&apart, name, 0);
		}
	}
}

/* ---- contacts ----------------------------------------------------------------------------------- */

/* Demand 13. A hull means the convex hull of its vertices: the notch of an L is filled. */
Test(hull, hull_of_an_l_is_convex, .init = ask_setup)
{
	static const double l[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
	const wp_shape hull = prism_of(0, l, 6, 1), point = wp_shape_point();
	const answer inside = ask_at(&hull, &point, 1.25, 1.25, 0), outside = ask_at(&hull, &point, 2, 2, 0);
	expect(&inside, -0.5 / sqrt(2));
	expect_normal(&inside, 1, 1, 0);
	expect(&outside, 1 / sqrt(2));
	expect_normal(&outside, 1, 1, 0);
}
