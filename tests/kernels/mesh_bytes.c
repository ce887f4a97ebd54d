/* The numbers of cooked meshes and what queries find in them, by digests that are the same on every machine and by every
 * compiler: a plain program that also runs under emulators, with the cook's own sources, which need no qhull.
 *   mesh_bytes        exits with 1 where a digest differs, and prints all of them
 */
#include "mesh/way.h"
#include "support/digest.h"
#include "support/surfaces.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const names[] = {"terrain", "ball", "soup", "stack"};
static const uint64_t expected[] = {0x4d4d29c429ad41fdu, 0xc22ed287e4f20cc9u, 0xa4e2f5e37e810d2au, 0x65c07f800715a7f6u};

enum { COUNT = sizeof names / sizeof names[0], STACK = COUNT - 1 };

static void add(uint64_t *digest, const void *numbers, size_t size, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t word = 0;
		if (size == 1)
			word = ((const uint8_t *)numbers)[i];
		else
			memcpy(&word, (const char *)numbers + i * size, size);
		*digest = digest_word(*digest, word);
	}
}

static void add_mesh(uint64_t *digest, const wp_mesh *mesh)
{
	const wp_mesh_view view = wp_mesh_view_of(mesh);
	const uint32_t counts[] = {mesh->depth, mesh->vertex_count, mesh->triangle_count, mesh->node_count,
		mesh->source_count, (uint32_t)mesh->byte_size};
	add(digest, counts, sizeof counts[0], sizeof counts / sizeof counts[0]);
	add(digest, mesh->lower, sizeof(float), 3);
	add(digest, mesh->upper, sizeof(float), 3);
	for (uint32_t i = 0; i < mesh->node_count; i++) {
		const wp_mesh_node *const node = &view.nodes[i];
		add(digest, node->lower, sizeof(float), 3);
		add(digest, node->exponent, 1, 3);
		add(digest, &node->count, 1, 1);
		add(digest, node->first, 1, sizeof node->first);
		add(digest, node->last, 1, sizeof node->last);
		add(digest, node->child, sizeof node->child[0], WP_NODE_WIDTH);
	}
	add(digest, view.triangles, sizeof(uint32_t), 6 * (size_t)mesh->triangle_count);
	add(digest, view.vertices, sizeof(float), 3 * (size_t)mesh->vertex_count);
	add(digest, view.sources, sizeof(uint32_t), mesh->triangle_count);
}

/* Boxes and rays about places of the mesh. */
static void add_queries(uint64_t *digest, const wp_mesh *mesh, int rounds)
{
	gen_random random;
	gen_seed(&random, 17);
	for (int i = 0; i < rounds; i++) {
		float lower[3], upper[3], way[3], to[3];
		uint32_t cursor = 0, found[64];
		size_t count;
		wp_mesh_hit hit;
		wp_mesh_vertex(mesh, gen_below(&random, (uint32_t)wp_mesh_vertex_count(mesh)), lower);
		wp_mesh_vertex(mesh, gen_below(&random, (uint32_t)wp_mesh_vertex_count(mesh)), to);
		for (int k = 0; k < 3; k++) {
			upper[k] = gen_rounded((double)lower[k] + gen_range(&random, 0, 0.5));
			way[k] = gen_rounded((double)to[k] - (double)upper[k]);
		}
		if (wp_mesh_overlap_box(mesh, lower, upper, &cursor, found, 64, &count) == WP_OK)
			add(digest, found, sizeof found[0], count);
		if (wp_mesh_ray(mesh, upper, way, &hit) == WP_OK)
			add(digest, &hit, sizeof(uint32_t), sizeof hit / sizeof(uint32_t));
	}
}

static surface surface_at(int index)
{
	surface s = index == 0 ? surface_terrain(120, 90, 3)
	          : index == 1 ? surface_ball(30, 0.1, 5)
	                       : surface_soup(5000, 0.05, 9);
	for (size_t i = 0; index == STACK && i < s.vertex_count; i++)
		memcpy(s.vertices[i], s.vertices[i % 3], sizeof s.vertices[i]);
	return s;
}

/* ---- rays against all triangles ----------------------------------------------------------------- */

/* The first hit of all triangles, one by one in double. */
static wp_mesh_hit first_of_all(const wp_mesh_view *view, const float start[3], const float along[3])
{
	double from[3], to[3];
	wp_way way;
	wp_d3_put(wp_d3_of_floats(start), from);
	wp_d3_put(wp_d3_of_floats(along), to);
	wp_way_begin(&way, from, to);
	for (uint32_t t = 0; t < view->mesh->triangle_count; t++) {
		double corner[3][3], side[3], sum, fraction;
		for (int i = 0; i < 3; i++)
			wp_d3_put(wp_d3_of_floats(view->vertices[wp_row_corner(&view->triangles[t], i)]), corner[i]);
		if (wp_way_meets(&way, corner, side, &sum, &fraction))
			wp_way_keep(&way, t, view->sources, fraction, side, sum);
	}
	return wp_way_end(&way);
}

/* A ray from near or far to a vertex or beside it. */
static void aim(gen_random *random, const wp_mesh *mesh, float start[3], float way[3])
{
	static const double reaches[] = {0.5, 2, 100, 1e4, 1e7};
	const double reach = reaches[gen_below(random, 5)], beside = gen_below(random, 2) * 0.1;
	const double factor = gen_below(random, 2) != 0 ? 1 : gen_range(random, 0.9, 1.5);
	const uint32_t along = gen_below(random, 6);
	float to[3];
	wp_mesh_vertex(mesh, gen_below(random, (uint32_t)wp_mesh_vertex_count(mesh)), to);
	for (uint32_t k = 0; k < 3; k++) {
		const double extent = (double)mesh->upper[k] - (double)mesh->lower[k];
		const double at = (double)to[k] + gen_range(random, -beside, beside) * extent;
		/* Half of the rays are along an axis. */
		start[k] = gen_rounded(along < 3 && along != k ? at : at + gen_range(random, -reach, reach) * extent);
		way[k] = along < 3 && along != k ? 0.0f : gen_rounded((at - (double)start[k]) * factor);
	}
}

/* No box and no float leaves out what a ray meets, however large the mesh is and however far it starts. */
static int check_rays(void)
{
	static const double scales[][3] = {
		{1, 1, 1}, {1e-22, 1e-22, 1e-22}, {1e20, 1e20, 1e20}, {1e-4, 1, 1e4}, {1, 1e-9, 1}};
	size_t hits = 0;
	for (size_t i = 0; i < 2 * sizeof scales / sizeof scales[0]; i++) {
		gen_random random;
		gen_seed(&random, i);
		surface s = i % 2 == 0 ? surface_terrain(16, 12, i) : surface_ball(5, 0.2, i);
		surface_scale(&s, scales[i / 2][0], scales[i / 2][1], scales[i / 2][2]);
		const wp_mesh_input input = surface_input(&s);
		const wp_mesh *mesh;
		if (wp_cook_mesh(&input, &mesh, NULL) != WP_OK)
			return 1;
		const wp_mesh_view view = wp_mesh_view_of(mesh);
		for (int ray = 0; ray < 1000; ray++) {
			float start[3], way[3];
			wp_mesh_hit hit;
			aim(&random, mesh, start, way);
			if (!wp_is_way(way) || wp_mesh_ray(mesh, start, way, &hit) != WP_OK)
				continue;
			const wp_mesh_hit first = first_of_all(&view, start, way);
			hits += hit.triangle != WP_MESH_MISS;
			if (memcmp(&hit, &first, sizeof hit) == 0)
				continue;
			printf("mesh %zu, ray %d from %a %a %a along %a %a %a: triangle %u at %a, not %u at %a\n", i, ray,
				(double)start[0], (double)start[1], (double)start[2], (double)way[0], (double)way[1], (double)way[2],
				hit.triangle, (double)hit.fraction, first.triangle, (double)first.fraction);
			return 1;
		}
		wp_cook_free_mesh(mesh);
		surface_free(&s);
	}
	printf("%zu hits\n", hits);
	return hits < 3000;
}

/* On a machine of 32 bits, memory of 32 bytes for each of 2^27 + 1 triangles has a size that overflows to 32. The cook must
 * refuse it before it reads a triangle. */
static int check_overflow(void)
{
	static const float vertices[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
	static const uint32_t triangle[3] = {0, 1, 2};
	const wp_mesh_input input = {
		.vertices.data = vertices[0], .vertex_count = 3, .triangles.data = triangle, .triangle_count = 0x8000001};
	const wp_mesh *mesh;
	if (sizeof(size_t) > 4 || wp_cook_mesh(&input, &mesh, NULL) == WP_ERROR_MESH_MEMORY)
		return 0;
	printf("a size overflows\n");
	return 1;
}

int main(void)
{
	int code = check_overflow() | check_rays();
	for (int i = 0; i < COUNT; i++) {
		surface s = surface_at(i);
		const wp_mesh_input input = surface_input(&s);
		const wp_mesh *mesh, *again;
		uint64_t digest = DIGEST_START;
		const wp_error error = wp_cook_mesh(&input, &mesh, NULL);
		if (error != WP_OK || wp_mesh_from_memory(mesh, wp_mesh_byte_size(mesh), &again) != WP_OK) {
			printf("%s: %s\n", names[i], wp_error_text(error));
			return 1;
		}
		add_mesh(&digest, mesh);
		/* A ray at the stack looks at each of its triangles. */
		add_queries(&digest, mesh, i == STACK ? 100 : 2000);
		printf("%s %016" PRIx64 "%s\n", names[i], digest, digest == expected[i] ? "" : " differs");
		code |= digest != expected[i];
		wp_cook_free_mesh(mesh);
		surface_free(&s);
	}
	return code;
}
