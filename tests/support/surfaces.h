/* Triangles to make meshes of. */
#ifndef TESTS_SUPPORT_SURFACES_H
#define TESTS_SUPPORT_SURFACES_H

#include "gen_random.h"
#include "widephase/cook.h"

#include <stdlib.h>
#include <string.h>

typedef struct surface {
	float (*vertices)[3];
	uint32_t (*triangles)[3];
	size_t vertex_count, triangle_count;
} surface;

static inline surface surface_allocate(size_t vertex_count, size_t triangle_count)
{
	return (surface){malloc(vertex_count * sizeof(float[3])), malloc(triangle_count * sizeof(uint32_t[3])),
		vertex_count, triangle_count};
}

static inline void surface_free(surface *s)
{
	free(s->vertices);
	free(s->triangles);
}

static inline wp_mesh_input surface_input(const surface *s)
{
	return (wp_mesh_input){.vertices.data = s->vertices[0],
		.vertex_count = s->vertex_count,
		.triangles.data = s->triangles[0],
		.triangle_count = s->triangle_count};
}

static inline void surface_set(float vertex[3], double x, double y, double z)
{
	vertex[0] = gen_rounded(x);
	vertex[1] = gen_rounded(y);
	vertex[2] = gen_rounded(z);
}

/* A grid of width x depth vertices one unit apart in x and z, of height 0, with fronts up. */
static inline surface surface_grid(uint32_t width, uint32_t depth)
{
	surface s = surface_allocate((size_t)width * depth, 2 * (size_t)(width - 1) * (depth - 1));
	size_t made = 0;
	for (uint32_t z = 0; z < depth; z++) {
		for (uint32_t x = 0; x < width; x++)
			surface_set(s.vertices[(size_t)z * width + x], x, 0, z);
	}
	for (uint32_t z = 0; z + 1 < depth; z++) {
		for (uint32_t x = 0; x + 1 < width; x++) {
			const uint32_t a = z * width + x, b = a + 1, c = a + width, d = c + 1;
			const uint32_t both[2][3] = {{a, c, b}, {b, c, d}};
			memcpy(s.triangles[made], both, sizeof both);
			made += 2;
		}
	}
	return s;
}

/* The same with hills: sums of parabolas of the place in squares of several sizes, and noise. No function of the C library
 * is in it, so it is the same on every machine. */
static inline surface surface_terrain(uint32_t width, uint32_t depth, uint64_t seed)
{
	surface s = surface_grid(width, depth);
	gen_random random;
	gen_seed(&random, seed);
	for (size_t i = 0; i < s.vertex_count; i++) {
		const uint32_t x = (uint32_t)(i % width), z = (uint32_t)(i / width);
		double height = gen_range(&random, 0.0, 0.5);
		for (uint32_t size = 16; size <= 256; size *= 4) {
			const double u = (double)(x % size) / size, v = (double)(z % size) / size;
			height += 0.2 * size * (u * (1.0 - u) - v * (1.0 - v));
		}
		surface_set(s.vertices[i], x, height, z);
	}
	return s;
}

/* Triangles all over the place, of the size of a part of it. */
static inline surface surface_soup(size_t count, double size, uint64_t seed)
{
	surface s = surface_allocate(3 * count, count);
	gen_random random;
	gen_seed(&random, seed);
	for (size_t i = 0; i < count; i++) {
		double at[3];
		for (int k = 0; k < 3; k++)
			at[k] = gen_range(&random, -1, 1);
		for (size_t k = 0; k < 3; k++) {
			double corner[3];
			for (int axis = 0; axis < 3; axis++)
				corner[axis] = at[axis] + gen_range(&random, -size, size);
			surface_set(s.vertices[3 * i + k], corner[0], corner[1], corner[2]);
			s.triangles[i][k] = (uint32_t)(3 * i + k);
		}
	}
	return s;
}

/* A closed surface: the cube of n x n squares a side blown up to a sphere, each vertex moved along its ray by noise. */
static inline surface surface_ball(uint32_t n, double noise, uint64_t seed)
{
	surface s = surface_allocate(6 * (size_t)(n + 1) * (n + 1), 12 * (size_t)n * n);
	size_t vertex = 0, triangle = 0;
	for (uint32_t side = 0; side < 6; side++) {
		const uint32_t axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
		const double sign = side % 2 ? 1.0 : -1.0;
		const uint32_t first = (uint32_t)vertex;
		for (uint32_t i = 0; i <= n; i++) {
			for (uint32_t j = 0; j <= n; j++) {
				double at[3], squared = 0.0;
				at[axis] = sign;
				at[u] = 2.0 * i / n - 1.0;
				at[v] = 2.0 * j / n - 1.0;
				/* Noise by place, so that vertices on the edges of the cube stay equal. */
				uint64_t place = seed;
				for (int k = 0; k < 3; k++) {
					squared += at[k] * at[k];
					place = place * 1000003u + (uint64_t)((at[k] + 1.0) * n);
				}
				const double mixed = (double)(gen_splitmix(&place) >> 11) * 0x1p-53;
				const double length = (1.0 + noise * mixed) / __builtin_sqrt(squared);
				surface_set(s.vertices[vertex++], at[0] * length, at[1] * length, at[2] * length);
			}
		}
		for (uint32_t i = 0; i < n; i++) {
			for (uint32_t j = 0; j < n; j++) {
				const uint32_t a = first + i * (n + 1) + j, b = a + n + 1, c = b + 1, d = a + 1;
				const uint32_t out[2][3] = {{a, b, c}, {a, c, d}}, in[2][3] = {{a, c, b}, {a, d, c}};
				memcpy(s.triangles[triangle], side % 2 ? out : in, sizeof out);
				triangle += 2;
			}
		}
	}
	return s;
}

static inline void surface_scale(surface *s, double x, double y, double z)
{
	for (size_t i = 0; i < s->vertex_count; i++)
		surface_set(s->vertices[i], x * (double)s->vertices[i][0], y * (double)s->vertices[i][1],
			z * (double)s->vertices[i][2]);
}

/* Turned by a quaternion, and then moved. */
static inline void surface_turn(surface *s, const float rotation[4], const double by[3])
{
	const m3 m = m3_of_quaternion(rotation);
	for (size_t i = 0; i < s->vertex_count; i++) {
		const v3 at = v3_of_floats(s->vertices[i]);
		const v3 turned = v3_add(v3_add(v3_scale(m.x, at.x), v3_scale(m.y, at.y)), v3_scale(m.z, at.z));
		surface_set(s->vertices[i], turned.x + by[0], turned.y + by[1], turned.z + by[2]);
	}
}

#endif
