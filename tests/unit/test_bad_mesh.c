/* Meshes: what calls refuse, and bytes that no cook wrote. */
#include "mesh/mesh.h"
#include "support/check.h"
#include "support/forge.h"
#include "support/surfaces.h"
#include "support/unit.h"
#include "widephase/query.h"

#include <float.h>
#include <math.h>

static const wp_mesh *cook(const surface *s)
{
	const wp_mesh *mesh = NULL;
	const wp_mesh_input input = surface_input(s);
	cr_assert_eq(wp_cook_mesh(&input, &mesh, NULL), WP_OK);
	return mesh;
}

Test(bad_mesh, inputs_of_the_cook)
{
	surface s = surface_grid(4, 4);
	const wp_mesh_input good = surface_input(&s);
	const wp_mesh *mesh = (const wp_mesh *)&s;
	wp_mesh_report report;
	cr_assert_eq(wp_cook_mesh(&good, NULL, &report), WP_ERROR_NULL_MESH);
	cr_assert_eq(wp_cook_mesh(NULL, &mesh, NULL), WP_ERROR_NULL_INPUT);
	cr_assert_null(mesh);
	const struct {
		wp_mesh_input input;
		wp_error error;
	} cases[] = {
		{{{NULL, 0}, 16, {s.triangles[0], 0}, 18}, WP_ERROR_NULL_VERTICES},
		{{{s.vertices[0], 11}, 16, {s.triangles[0], 0}, 18}, WP_ERROR_MESH_VERTEX_STRIDE},
		{{{s.vertices[0], 0}, 16, {s.triangles[0], 8}, 18}, WP_ERROR_MESH_TRIANGLE_STRIDE},
		{{{s.vertices[0], 0}, 16, {s.triangles[0], 0}, 0}, WP_ERROR_MESH_EMPTY},
		{{{s.vertices[0], 0}, 2, {NULL, 8}, 18}, WP_ERROR_MESH_EMPTY},
		{{{s.vertices[0], 0}, 16, {s.triangles[0], 0}, WP_MESH_TRIANGLE_MAX + (size_t)1}, WP_ERROR_MESH_COUNT},
		{{{s.vertices[0], 0}, UINT32_MAX, {s.triangles[0], 0}, 18}, WP_ERROR_MESH_COUNT},
		{{{s.vertices[0], 0}, 0, {s.triangles[0], 0}, 18}, WP_ERROR_MESH_INDEX},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const wp_error error = wp_cook_mesh(&cases[i].input, &mesh, &report);
		cr_assert_eq(error, cases[i].error, "case %zu: %s", i, wp_error_text(error));
		cr_assert_null(mesh);
	}
	s.triangles[11][1] = 16;
	cr_assert_eq(wp_cook_mesh(&good, &mesh, &report), WP_ERROR_MESH_INDEX);
	cr_assert_eq(report.bad_index, 11);
	s.triangles[11][1] = 0;
	static const float bad[] = {NAN, INFINITY, -INFINITY, 1.0001e30f, -FLT_MAX};
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		s.vertices[13][i % 3] = bad[i];
		cr_assert_eq(wp_cook_mesh(&good, &mesh, &report), WP_ERROR_MESH_VERTEX);
		cr_assert_eq(report.bad_index, 13);
		s.vertices[13][i % 3] = 0;
	}
	for (size_t i = 0; i < s.vertex_count; i++)
		s.vertices[i][0] = 1;
	for (size_t i = 0; i < s.vertex_count; i++)
		s.vertices[i][2] = 1;
	cr_assert_eq(wp_cook_mesh(&good, &mesh, &report), WP_ERROR_MESH_EMPTY);
	cr_assert_eq(report.dropped, 18);
	wp_cook_free_mesh(NULL);
	surface_free(&s);
}

Test(bad_mesh, arguments_of_queries)
{
	surface s = surface_grid(4, 4);
	const wp_mesh *mesh = cook(&s);
	const float zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, nan[3] = {0, NAN, 0}, far[3] = {0, 0, 2e30f},
				inf[3] = {INFINITY, 0, 0};
	uint32_t cursor = 0, found[4];
	size_t count = 7;
	cr_assert_eq(wp_mesh_overlap_box(mesh, zero, one, &cursor, found, 4, NULL), WP_ERROR_NULL_COUNT);
	cr_assert_eq(wp_mesh_overlap_box(NULL, zero, one, &cursor, found, 4, &count), WP_ERROR_NULL_MESH);
	cr_assert_eq(count, 0);
	cr_assert_eq(wp_mesh_overlap_box(mesh, NULL, one, &cursor, found, 4, &count), WP_ERROR_NULL_LOWER);
	cr_assert_eq(wp_mesh_overlap_box(mesh, zero, NULL, &cursor, found, 4, &count), WP_ERROR_NULL_UPPER);
	cr_assert_eq(wp_mesh_overlap_box(mesh, zero, one, NULL, found, 4, &count), WP_ERROR_NULL_CURSOR);
	cr_assert_eq(wp_mesh_overlap_box(mesh, zero, one, &cursor, NULL, 4, &count), WP_ERROR_NULL_TRIANGLES);
	cr_assert_eq(wp_mesh_overlap_box(mesh, one, zero, &cursor, found, 4, &count), WP_ERROR_MESH_BOX);
	cr_assert_eq(wp_mesh_overlap_box(mesh, nan, one, &cursor, found, 4, &count), WP_ERROR_MESH_BOX);
	cr_assert_eq(wp_mesh_overlap_box(mesh, zero, nan, &cursor, found, 4, &count), WP_ERROR_MESH_BOX);
	cr_assert_eq(cursor, 0);
	/* Without room a call moves the cursor to the first triangle, and does not pass it. */
	const float last[3] = {3, 0, 3};
	cr_assert_eq(wp_mesh_overlap_box(mesh, last, last, &cursor, NULL, 0, &count), WP_OK);
	cr_assert(cursor > 0 && cursor < 18 && count == 0);
	const uint32_t there = cursor;
	cr_assert_eq(wp_mesh_overlap_box(mesh, last, last, &cursor, found, 1, &count), WP_OK);
	cr_assert(count == 1 && found[0] == there);
	/* A cursor beyond the end is the end. */
	cursor = UINT32_MAX;
	cr_assert_eq(wp_mesh_overlap_box(mesh, zero, one, &cursor, found, 4, &count), WP_OK);
	cr_assert_eq(count, 0);
	wp_mesh_hit hit;
	cr_assert_eq(wp_mesh_ray(NULL, zero, one, &hit), WP_ERROR_NULL_MESH);
	cr_assert_eq(wp_mesh_ray(mesh, NULL, one, &hit), WP_ERROR_NULL_START);
	cr_assert_eq(wp_mesh_ray(mesh, zero, NULL, &hit), WP_ERROR_NULL_WAY);
	cr_assert_eq(wp_mesh_ray(mesh, zero, one, NULL), WP_ERROR_NULL_HIT);
	const float *const bad[] = {nan, far, inf};
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		cr_assert_eq(wp_mesh_ray(mesh, bad[i], one, &hit), WP_ERROR_MESH_RAY);
		cr_assert_eq(wp_mesh_ray(mesh, zero, bad[i], &hit), WP_ERROR_MESH_RAY);
	}
	const wp_const_float_column start = {zero, 0}, way = {one, 12}, no_floats = {NULL, 0}, narrow = {one, 11};
	const wp_mesh_hit_column hits = {&hit, 0}, no_hits = {NULL, 0}, narrow_hits = {&hit, sizeof hit - 1};
	cr_assert_eq(wp_mesh_rays(NULL, &start, &way, 1, &hits), WP_ERROR_NULL_MESH);
	cr_assert_eq(wp_mesh_rays(mesh, NULL, &way, 1, &hits), WP_ERROR_NULL_START);
	cr_assert_eq(wp_mesh_rays(mesh, &no_floats, &way, 1, &hits), WP_ERROR_NULL_START);
	cr_assert_eq(wp_mesh_rays(mesh, &start, NULL, 1, &hits), WP_ERROR_NULL_WAY);
	cr_assert_eq(wp_mesh_rays(mesh, &start, &no_floats, 1, &hits), WP_ERROR_NULL_WAY);
	cr_assert_eq(wp_mesh_rays(mesh, &start, &way, 1, NULL), WP_ERROR_NULL_HIT);
	cr_assert_eq(wp_mesh_rays(mesh, &start, &way, 1, &no_hits), WP_ERROR_NULL_HIT);
	cr_assert_eq(wp_mesh_rays(mesh, &narrow, &way, 1, &hits), WP_ERROR_START_STRIDE);
	cr_assert_eq(wp_mesh_rays(mesh, &start, &narrow, 1, &hits), WP_ERROR_WAY_STRIDE);
	cr_assert_eq(wp_mesh_rays(mesh, &start, &way, 1, &narrow_hits), WP_ERROR_HIT_STRIDE);
	cr_assert_eq(wp_mesh_rays(mesh, &no_floats, &no_floats, 0, &no_hits), WP_OK);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* ---- bytes -------------------------------------------------------------------------------------- */

/* Bytes of a mesh in memory of exactly that size. */
static void *copy_of(const wp_mesh *mesh, size_t size)
{
	void *memory = aligned_alloc(WP_ALIGNMENT, size);
	memcpy(memory, mesh, size);
	return memory;
}

Test(bad_mesh, memory)
{
	surface s = surface_grid(4, 4);
	const wp_mesh *mesh = cook(&s), *found = mesh;
	const size_t size = wp_mesh_byte_size(mesh);
	unsigned char *const bytes = aligned_alloc(WP_ALIGNMENT, 2 * size);
	memcpy(bytes, mesh, size);
	cr_assert_eq(wp_mesh_from_memory(bytes, size, NULL), WP_ERROR_NULL_MESH);
	cr_assert_eq(wp_mesh_from_memory(NULL, size, &found), WP_ERROR_NULL_MEMORY);
	cr_assert_null(found);
	cr_assert_eq(wp_mesh_from_memory(bytes + 4, size, &found), WP_ERROR_MEMORY_MISALIGNED);
	for (size_t short_size = 0; short_size < size; short_size++)
		cr_assert_eq(wp_mesh_from_memory(bytes, short_size, &found), WP_ERROR_MESH_CORRUPT);
	cr_assert_eq(wp_mesh_from_memory(bytes, size + 1, &found), WP_OK);
	/* No bit may change. */
	for (size_t bit = 0; bit < 8 * size; bit++) {
		bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
		cr_assert_eq(wp_mesh_from_memory(bytes, size, &found), WP_ERROR_MESH_CORRUPT, "bit %zu", bit);
		cr_assert_null(found);
		bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
	/* The other byte order. */
	for (size_t word = 0; word < size / 4; word++) {
		uint32_t value;
		memcpy(&value, bytes + 4 * word, 4);
		value = __builtin_bswap32(value);
		memcpy(bytes + 4 * word, &value, 4);
	}
	cr_assert_eq(wp_mesh_from_memory(bytes, size, &found), WP_ERROR_MESH_CORRUPT);
	free(bytes);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* What the cook makes is taken: of few triangles, of many, and of any place. */
Test(bad_mesh, cooked_memory)
{
	for (uint32_t i = 0; i < 24; i++) {
		surface s = i < 12 ? surface_terrain(2 + i, 2 + i % 5, i) : surface_soup(i < 18 ? i - 11 : 8 * i, 0.5, i);
		const wp_mesh *const mesh = cook(&s), *found;
		const size_t size = wp_mesh_byte_size(mesh);
		void *const bytes = copy_of(mesh, size);
		cr_assert_eq(wp_mesh_from_memory(bytes, size, &found), WP_OK, "mesh %u", i);
		cr_assert_eq(found, bytes);
		const float low[3] = {-1, -9, -1}, high[3] = {1, 9, 1};
		float normal[3];
		uint32_t cursor = 0, triangle;
		size_t part;
		wp_mesh_hit hit;
		KEEPS_ROUNDING(wp_mesh_from_memory(bytes, size, &found));
		KEEPS_ROUNDING((wp_mesh_normal(mesh, 0, normal), 0));
		KEEPS_ROUNDING(wp_mesh_ray(mesh, low, high, &hit));
		KEEPS_ROUNDING(wp_mesh_rays(mesh, &(wp_const_float_column){low, 0}, &(wp_const_float_column){high, 0}, 1,
			&(wp_mesh_hit_column){&hit, 0}));
		KEEPS_ROUNDING(wp_mesh_overlap_box(mesh, low, high, &cursor, &triangle, 1, &part));
		free(bytes);
		wp_cook_free_mesh(mesh);
		surface_free(&s);
	}
}

static bool is_mesh(const void *bytes, size_t size)
{
	const wp_mesh *found;
	return wp_mesh_from_memory(bytes, size, &found) == WP_OK;
}

/* Of a surface that is flat and regular, so that many words are alike but for a sign or a bit. */
Test(bad_mesh, damage)
{
	surface s = surface_grid(6, 6);
	const wp_mesh *mesh = cook(&s);
	const size_t size = wp_mesh_byte_size(mesh);
	void *const bytes = copy_of(mesh, size);
	forge_damage(bytes, size, is_mesh);
	free(bytes);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* Whatever was accepted: all of it is read, and queries end. */
static void use(const wp_mesh *mesh)
{
	const size_t count = wp_mesh_triangle_count(mesh);
	const float everywhere[2][3] = {{-1e30f, -1e30f, -1e30f}, {1e30f, 1e30f, 1e30f}};
	uint32_t cursor = 0, found[5];
	size_t all = 0;
	while (cursor < count) {
		size_t part;
		cr_assert_eq(wp_mesh_overlap_box(mesh, everywhere[0], everywhere[1], &cursor, found, 5, &part), WP_OK);
		all += part;
	}
	cr_assert_eq(all, count);
	for (size_t t = 0; t < count; t++) {
		uint32_t corners[3];
		float vertex[3], normal[3], way[3];
		wp_mesh_hit hit;
		wp_mesh_triangle(mesh, t, corners);
		wp_mesh_normal(mesh, t, normal);
		for (size_t k = 0; k < 3; k++) {
			wp_mesh_vertex(mesh, corners[k], vertex);
			const wp_mesh_edge edge = wp_mesh_edge_of(mesh, t, k);
			CHECK(edge.kind == WP_EDGE_BOUNDARY || edge.neighbour < count, "neighbour %u", edge.neighbour);
			for (int axis = 0; axis < 3; axis++)
				way[axis] = 2 * vertex[axis];
			cr_assert_eq(wp_mesh_ray(mesh, everywhere[1], way, &hit), wp_mesh_ray(mesh, vertex, normal, &hit));
		}
	}
}

/* Whether a word of a mesh may have another value: sources may change, and vertices within the cells of their boxes; before those
 * the number of sources, and the bit that is believed. */
static bool may_change(const wp_mesh *mesh, size_t word, uint32_t from, uint32_t to)
{
	const wp_mesh_layout layout = wp_mesh_lay_out(mesh);
	const size_t at = 4 * word;
	const bool is_first_corner = at >= layout.triangles && (at - layout.triangles) % sizeof(wp_mesh_triangle_row) == 0;
	return at >= layout.vertices || at == offsetof(wp_mesh, source_count) ||
	       (is_first_corner && (from ^ to) == WP_TRIANGLE_FACE_ONLY);
}

/* Each word of a mesh changed in many ways, with a checksum that is right: refused, or harmless. */
Test(bad_mesh, forged_words, .timeout = 240)
{
	surface s = surface_terrain(7, 6, 3);
	for (size_t i = 0; i < s.vertex_count; i++)
		for (int k = 0; k < 3; k++)
			s.vertices[i][k] += 2;
	const wp_mesh *mesh = cook(&s), *found;
	const size_t size = wp_mesh_byte_size(mesh);
	size_t refused = 0;
	uint32_t *const words = copy_of(mesh, size);
	forge_bytes(words, (uint32_t)size);
	cr_assert_eq(wp_mesh_from_memory(words, size, &found), WP_OK);
	cr_assert_eq(memcmp(found, mesh, size), 0);
	for (size_t i = 0; i < size / 4; i++) {
		const uint32_t kept = words[i];
		const uint32_t values[] = {0, 1, kept + 1, kept - 1, kept ^ 0x80000000u, kept ^ 0x40000000u, kept ^ 0x10000000u,
			kept ^ 0x00010000u, kept ^ 0x100u, kept << 8, UINT32_MAX, 0x7fffffffu, 0x7f800000u, 0x7fc00000u,
			0x0fffffffu, 0xff800000u, words[(i + 1) % (size / 4)], words[(i + size / 8) % (size / 4)]};
		for (size_t k = 0; k < COUNT_OF(values); k++) {
			if (values[k] == kept || i == FORGE_CHECKSUM_WORD)
				continue;
			words[i] = values[k];
			forge_bytes(words, (uint32_t)size);
			const wp_error error = wp_mesh_from_memory(words, size, &found);
			CHECK((error == WP_OK) == (found != NULL), "word %zu: %d", i, error);
			CHECK(error != WP_OK || may_change(mesh, i, kept, values[k]), "word %zu: %x in the place of %x", i,
				values[k], kept);
			refused += error != WP_OK;
			if (error == WP_OK)
				use(found);
		}
		words[i] = kept;
	}
	cr_assert(refused > 9000, "%zu refused", refused);
	free(words);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* All is in proportion, but some places are beyond all coordinates. */
Test(bad_mesh, forged_sizes)
{
	surface s = surface_grid(4, 4);
	for (size_t i = 0; i < s.vertex_count; i++)
		for (int k = 0; k < 3; k++)
			s.vertices[i][k] *= 0x1p97f;
	const wp_mesh *const mesh = cook(&s), *found;
	const size_t size = wp_mesh_byte_size(mesh);
	wp_mesh *const forged = copy_of(mesh, size);
	const wp_mesh_view view = wp_mesh_view_of(forged);
	for (int round = 0; round < 2; round++) {
		cr_assert_eq(wp_mesh_from_memory(forged, size, &found), round == 0 ? WP_OK : WP_ERROR_MESH_CORRUPT);
		for (int k = 0; k < 3; k++) {
			forged->lower[k] *= 4;
			forged->upper[k] *= 4;
			((wp_mesh_node *)(uintptr_t)view.nodes)->lower[k] *= 4;
			((wp_mesh_node *)(uintptr_t)view.nodes)->exponent[k] += forged->upper[k] > forged->lower[k] ? 2 : 0;
			for (uint32_t i = 0; i < forged->vertex_count; i++)
				((float(*)[3])(uintptr_t)view.vertices)[i][k] *= 4;
		}
		forged->checksum = wp_mesh_checksum(forged);
	}
	free(forged);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* Offsets into the bytes of a mesh of one node, as the format has them. */
enum { ROOT = 64, CHILDREN = ROOT + 64, CELLS = ROOT + 16 };

static void expect_refused(const wp_mesh *mesh, size_t at, uint32_t word, const char *what)
{
	const wp_mesh *found;
	const size_t size = wp_mesh_byte_size(mesh);
	uint32_t *const words = copy_of(mesh, size);
	words[at / 4] = word;
	forge_bytes(words, (uint32_t)size);
	cr_assert_eq(wp_mesh_from_memory(words, size, &found), WP_ERROR_MESH_CORRUPT, "%s", what);
	free(words);
}

/* Trees with circles, shared children, ranges that overlap or leave triangles out. */
Test(bad_mesh, forged_trees)
{
	surface s = surface_grid(4, 4);
	const wp_mesh *mesh = cook(&s);
	uint32_t words[48];
	memcpy(words, mesh, sizeof words);
	cr_assert_eq(wp_mesh_node_count(mesh), 1);
	const uint32_t first = words[CHILDREN / 4], second = words[CHILDREN / 4 + 1];
	cr_assert(first >> 31 == 1 && second >> 31 == 1);
	expect_refused(mesh, CHILDREN, 0, "a node that is its own child");
	expect_refused(mesh, CHILDREN, 1, "a node that is not there");
	expect_refused(mesh, CHILDREN, 0x0fffffffu, "a node far away");
	expect_refused(mesh, CHILDREN + 4, first, "a leaf twice");
	expect_refused(mesh, CHILDREN, second, "leaves in another order");
	expect_refused(mesh, CHILDREN, first - (1u << 28), "a leaf with a triangle less");
	expect_refused(mesh, CHILDREN + 4, second + (1u << 28), "a leaf with a triangle too many");
	expect_refused(mesh, CHILDREN + 28, first, "a child that is not counted");
	for (size_t k = 0; k < 3; k++) {
		expect_refused(
			mesh, CELLS + 8 * k + 4, words[CELLS / 4 + 2 * k + 1] - (1u << 24), "cells of a child that is none");
		expect_refused(
			mesh, CELLS + 8 * k + 28, words[CELLS / 4 + 2 * k + 7] + (1u << 24), "cells of a child that is none");
	}
	expect_refused(mesh, CELLS, words[CELLS / 4] + 1, "a box too small");
	expect_refused(mesh, ROOT, 0xbf800000u, "a node that begins elsewhere");
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* A mesh with room for so many nodes, which are zero. */
static wp_mesh *with_nodes(const wp_mesh *mesh, uint32_t count, uint32_t depth, void *memory)
{
	wp_mesh *const made = memory;
	*made = *mesh;
	made->node_count = count;
	made->depth = depth;
	const wp_mesh_layout layout = wp_mesh_lay_out(made), before = wp_mesh_lay_out(mesh);
	made->byte_size = layout.end;
	char *const bytes = memory;
	memset(bytes + sizeof *made, 0, (size_t)layout.end - sizeof *made);
	memcpy(bytes + layout.triangles, (const char *)mesh + before.triangles, (size_t)(before.end - before.triangles));
	return made;
}

/* A node with so many children, which all have the box of the mesh. */
static wp_mesh_node node_of_wholes(const wp_mesh *mesh, uint32_t count)
{
	wp_mesh_node node = wp_mesh_view_of(mesh).nodes[0];
	node.count = (uint8_t)count;
	for (int k = 0; k < 3; k++) {
		const float inverse = wp_cell_inverse(node.exponent[k]);
		for (uint32_t child = 0; child < WP_NODE_WIDTH; child++) {
			node.child[child] = 0;
			node.first[k][child] = child < count ? 0 : WP_CELL_MAX;
			node.last[k][child] = child < count ? (uint8_t)wp_cell_of(mesh->upper[k], node.lower[k], inverse) : 0;
		}
	}
	return node;
}

/* A mesh below so many nodes of one child each, which all have its box. */
static wp_mesh *below_nodes(const wp_mesh *mesh, uint32_t count, void *memory)
{
	const wp_mesh_view from = wp_mesh_view_of(mesh);
	wp_mesh *const made = with_nodes(mesh, mesh->node_count + count, mesh->depth + count, memory);
	wp_mesh_node *const nodes = (wp_mesh_node *)(uintptr_t)wp_mesh_view_of(made).nodes;
	for (uint32_t i = 0; i < count; i++) {
		nodes[i] = node_of_wholes(mesh, 1);
		nodes[i].child[0] = i + 1;
	}
	for (uint32_t i = 0; i < mesh->node_count; i++) {
		nodes[count + i] = from.nodes[i];
		for (uint32_t child = 0; child < from.nodes[i].count; child++)
			if (!wp_child_is_leaf(from.nodes[i].child[child]))
				nodes[count + i].child[child] += count;
	}
	made->checksum = wp_mesh_checksum(made);
	return made;
}

/* Each word of a node above a node changed. */
Test(bad_mesh, forged_nodes_above_nodes)
{
	surface s = surface_terrain(4, 4, 5);
	for (size_t i = 0; i < s.vertex_count; i++)
		for (int k = 0; k < 3; k++)
			s.vertices[i][k] += 2;
	const wp_mesh *const mesh = cook(&s), *found;
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 12];
	wp_mesh *const forged = below_nodes(mesh, 1, memory);
	uint32_t *const words = (uint32_t *)(uintptr_t)wp_mesh_view_of(forged).nodes;
	cr_assert_eq(wp_mesh_from_memory(forged, forged->byte_size, &found), WP_OK);
	for (size_t i = 0; i < sizeof(wp_mesh_node) / sizeof *words; i++) {
		const uint32_t kept = words[i];
		const uint32_t values[] = {kept + 1, kept - 1, kept ^ 0x100u, kept ^ 0x10000u, kept ^ 0x01000000u, ~kept};
		for (size_t k = 0; k < COUNT_OF(values); k++) {
			words[i] = values[k];
			forged->checksum = wp_mesh_checksum(forged);
			cr_assert_eq(wp_mesh_from_memory(forged, forged->byte_size, &found), WP_ERROR_MESH_CORRUPT,
				"word %zu: %x in the place of %x", i, values[k], kept);
		}
		words[i] = kept;
	}
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* Walks have room for trees of a depth, and none for those that are deeper. */
Test(bad_mesh, trees_that_are_too_deep)
{
	surface s = surface_grid(8, 8);
	const wp_mesh *const mesh = cook(&s), *found;
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 16];
	const float far = 100;
	uint32_t cursor = 0, triangles[WP_NODE_WIDTH * WP_MESH_DEPTH_MAX];
	size_t count;
	wp_mesh *deep = below_nodes(mesh, WP_MESH_DEPTH_MAX - mesh->depth, memory);
	cr_assert_eq(wp_mesh_from_memory(deep, deep->byte_size, &found), WP_OK);
	cr_assert_eq(wp_mesh_overlap_box(found, (float[3]){-far, -far, -far}, (float[3]){far, far, far}, &cursor, triangles,
					 COUNT_OF(triangles), &count),
		WP_OK);
	cr_assert_eq(count, wp_mesh_triangle_count(mesh));
	deep = below_nodes(mesh, WP_MESH_DEPTH_MAX - mesh->depth + 1, memory);
	cr_assert_eq(wp_mesh_from_memory(deep, deep->byte_size, &found), WP_ERROR_MESH_CORRUPT);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
}

/* Triangles that have one box, in a tree whose nodes have one triangle at each child but the first, the next node. */
static const wp_mesh *make_lopsided(uint32_t node_count, void *memory)
{
	const uint32_t count = (WP_NODE_WIDTH - 1) * node_count + 1;
	surface s = surface_allocate(3 * (size_t)count, count);
	for (uint32_t i = 0; i < count; i++) {
		surface_set(s.vertices[3 * i], 0, 0, 0);
		surface_set(s.vertices[3 * i + 1], 0, 0, 1);
		surface_set(s.vertices[3 * i + 2], 1, 0, (double)i / count);
		for (uint32_t k = 0; k < 3; k++)
			s.triangles[i][k] = 3 * i + k;
	}
	const wp_mesh *const mesh = cook(&s), *found;
	wp_mesh *const made = with_nodes(mesh, node_count, node_count, memory);
	wp_mesh_node *const nodes = (wp_mesh_node *)(uintptr_t)wp_mesh_view_of(made).nodes;
	uint32_t triangle = 0;
	for (uint32_t i = node_count; i-- > 0;) {
		nodes[i] = node_of_wholes(mesh, WP_NODE_WIDTH);
		for (uint32_t child = 0; child < WP_NODE_WIDTH; child++)
			nodes[i].child[child] = child == 0 && i + 1 < node_count ? i + 1 : WP_CHILD_LEAF | triangle++;
	}
	made->checksum = wp_mesh_checksum(made);
	cr_assert_eq(wp_mesh_from_memory(made, made->byte_size, &found), WP_OK);
	wp_cook_free_mesh(mesh);
	surface_free(&s);
	return found;
}

/* More nodes wait on the way down than a group of rows has room for, in the larger tree more than all that it has: such rows go
 * down alone, and find all triangles. */
Test(bad_mesh, trees_with_more_nodes_waiting_than_a_group_has_room_for)
{
	enum { ROWS = 8 };
	static _Alignas(WP_ALIGNMENT) unsigned char memory[1 << 16], table_memory[1 << 10];
	static const uint32_t node_counts[] = {12, WP_MESH_DEPTH_MAX}, shape[] = {0, 1}, zeros[ROWS] = {0};
	static const uint32_t pair_a[ROWS] = {0, 1, 0, 1, 0, 1, 0, 1};
	const wp_shape shapes[] = {wp_shape_box(0.5f, 0.5f, 0.5f), wp_shape_sphere(1)};
	const wp_pose bodies[] = {pose_at(0.5, 0.25, 0.5), pose_at(0.5, 0.25, 0.5)}, stand = pose_at(0, 0, 0);
	const wp_shape_table *table;
	cr_assert_eq(
		wp_shape_table_build(shapes, COUNT_OF(shapes), table_memory, sizeof table_memory, &table, NULL), WP_OK);
	for (uint32_t i = 0; i < COUNT_OF(node_counts); i++) {
		const wp_mesh *const mesh = make_lopsided(node_counts[i], memory);
		const wp_mesh_batch batch = {.shapes = table,
			.meshes = &mesh,
			.mesh_count = 1,
			.a = {.position = {bodies[0].position, sizeof *bodies},
				.rotation = {bodies[0].rotation, sizeof *bodies},
				.shape = {shape},
				.count = COUNT_OF(bodies)},
			.b = {.position = {stand.position}, .rotation = {stand.rotation}, .count = 1},
			.pair_a = {pair_a},
			.pair_b = {zeros},
			.count = ROWS};
		const wp_mesh_results results = {.patch_max = 0};
		wp_mesh_statistics counts = {0};
		cr_assert_eq(wp_mesh_contact(workspace_of(WP_VARIANT_AUTO), &batch, NULL, &results, &counts), WP_OK);
		CHECK(counts.triangles == (uint64_t)ROWS * wp_mesh_triangle_count(mesh), "%u nodes: %llu triangles",
			node_counts[i], (unsigned long long)counts.triangles);
	}
}
