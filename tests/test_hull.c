/* Hulls: building, reading, moving, and refusing whatever is not an intact hull. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hull.h"
#include "length.h"
#include "widephase/query.h"
#include "widephase/shape.h"

#define MEMORY_SIZE 4096

static const float cube_vertices[8][3] = {
    {-1, -2, -3}, {1, -2, -3}, {-1, 2, -3}, {1, 2, -3}, {-1, -2, 3}, {1, -2, 3}, {-1, 2, 3}, {1, 2, 3}};
static const uint32_t cube_sizes[6] = {4, 4, 4, 4, 4, 4};
static const uint32_t cube_indices[24] = {
    0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};

static const wp_hull_input cube_input = {
    .vertices = cube_vertices[0],
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
	cr_assert(wp_hull_is_intact(hull));
}

/* Faces of a cube, turned so that its vertices are rounded, then faces that are none. */
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
	static const float corners[5][3] = {{0, 0, 0}, {0x1p-140f, 0, 0}, {0, 0x1p-140f, 0}, {1e30f, 0, 0}, {0, 0, -1e30f}};
	static const uint32_t sizes[3] = {3, 3, 3}, indices[9] = {0, 1, 2, 0, 1, 3, 0, 3, 4};
	const wp_hull_input input = {.vertices = corners[0], .vertex_count = 5, .face_sizes = sizes, .face_indices = indices,
		.face_count = 3};
	static const float normals[3][3] = {{0, 0, 1}, {0, 0, 0}, {0, 1, 0}};
	cr_assert_eq(wp_hull_build(&input, memory, sizeof memory, &hull, NULL), WP_OK);
	for (size_t face = 0; face < 3; face++) {
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
			cr_assert_not(wp_hull_is_intact((const wp_hull *)memory));
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
			cr_assert_not(wp_hull_is_intact((const wp_hull *)memory), "bytes %zu and %zu", i, j);
			memory[i] ^= 0x80;
			memory[j] ^= 0x80;
		}
	}
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
	/* An address that cannot be read: the size alone tells. */
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

/* Makes the checksum right whatever the contents are: the hash of the format, stated once more. */
static void forge_checksum(wp_hull *hull)
{
	uint32_t lanes[16];
	for (uint32_t i = 0; i < 16; i++)
		lanes[i] = i;
	hull->checksum = 0;
	const uint32_t *const words = (const uint32_t *)(const void *)hull;
	for (uint32_t i = 0; i < hull->byte_size / 4; i++) {
		const uint32_t mixed = lanes[i % 16] ^ words[i];
		lanes[i % 16] = (mixed << 13 | mixed >> 19) * 0x9e3779b1u;
	}
	uint32_t hash = hull->byte_size;
	for (uint32_t i = 0; i < 16; i++) {
		const uint32_t mixed = hash ^ lanes[i];
		hash = (mixed << 13 | mixed >> 19) * 0x9e3779b1u;
	}
	hull->checksum = hash;
}

static wp_error forged(size_t word, uint32_t value)
{
	build_cube(memory);
	((uint32_t *)(void *)memory)[word] = value;
	forge_checksum((wp_hull *)(void *)memory);
	cr_assert(word == 3 || word > 9 || !wp_hull_is_intact((const wp_hull *)memory));
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
	const size_t normal = x + 48, start = normal + 48;
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
	for (size_t i = 0; i < 48; i++)
		cr_assert_eq(forged(normal + i, 0x3f000000u), WP_ERROR_HULL_CORRUPT, "normal, word %zu", i);
	for (size_t word = 0; word < 13; word++) {
		if (word != 2 && word != 3 && word != 10)
			cr_assert_eq(forged(word, 0x01000001u), WP_ERROR_HULL_CORRUPT, "header word %zu", word);
	}
	cr_assert_eq(forged(13, 1), WP_OK, "a legal change, rightly hashed, is another hull");
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
	input.vertices = NULL;
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
		cr_assert_eq(
		    wp_hull_build(&cube_input, memory + offset, size, &hull, NULL), WP_ERROR_MEMORY_MISALIGNED);
		cr_assert_null(hull);
		build_cube(other);
		memmove(other + offset, other, size);
		cr_assert_eq(from_memory(other + offset, size), WP_ERROR_MEMORY_MISALIGNED);
		cr_assert_not(wp_hull_is_intact((const wp_hull *)(const void *)(other + offset)));
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
				input.vertices = vertices[0];
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
	wp_hull_input input = {.vertices = cube_vertices[0], .vertex_count = 8};
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
	input.vertices = (const float *)(const void *)(bytes + 1);
	input.vertex_stride = 17;
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
		const wp_hull_input input = {.vertices = vertices[0], .vertex_count = count};
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
	const wp_hull_input input = {.vertices = vertex, .vertex_count = 1};
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
			vertex[axis] =
			    ldexpf((float)(int32_t)random_bits() * 0x1p-31f, base - (int)(random_bits() % 4) * 9);
			square += (long double)vertex[axis] * vertex[axis];
		}
		const float bound = bound_of(vertex);
		cr_assert((long double)bound * bound >= square * (1 - LDBL_EPSILON));
		const long double below = nextafterf(nextafterf(bound, 0), 0);
		cr_assert(bound == 0 || below < sqrtl(square) || bound <= FLT_TRUE_MIN);
	}
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
		const wp_hull_input input = {.vertices = vertices[0], .vertex_count = count};
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
