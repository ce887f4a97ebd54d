/* Fuzz input as shapes, valid or not, and bodies that have them. */
#ifndef TESTS_FUZZ_SHAPES_H
#define TESTS_FUZZ_SHAPES_H

#include "bytes.h"

#include "widephase/query.h"

#define SHAPES_MAX 6
#define HULL_VERTICES_MAX 24
#define HULL_FACES_MAX 6
#define HULL_FACE_VERTICES_MAX 40

typedef struct body {
	float position[3];
	float rotation[4];
	uint32_t shape;
} body;

static inline const wp_hull *take_hull(bytes *b, void **memory)
{
	float vertices[HULL_VERTICES_MAX][3];
	uint32_t sizes[HULL_FACES_MAX], indices[HULL_FACES_MAX * HULL_FACE_VERTICES_MAX];
	wp_hull_input input = {.vertices = {vertices[0]},
		.vertex_count = 1 + take_below(b, HULL_VERTICES_MAX),
		.face_sizes = sizes,
		.face_indices = indices};
	for (size_t i = 0; i < input.vertex_count; i++)
		for (int k = 0; k < 3; k++)
			vertices[i][k] = take_number(b);
	/* Any vertices make a face: not plane, not convex, not of this hull. */
	size_t index_count = 0;
	input.face_count = take_below(b, 2) ? take_below(b, HULL_FACES_MAX + 1) : 0;
	for (size_t i = 0; i < input.face_count; i++) {
		sizes[i] = 3 + take_below(b, HULL_FACE_VERTICES_MAX - 2);
		for (uint32_t k = 0; k < sizes[i]; k++)
			indices[index_count++] = take_below(b, (uint32_t)input.vertex_count);
	}
	const size_t size = wp_hull_size(input.vertex_count, input.face_count, index_count);
	const wp_hull *hull;
	*memory = aligned_memory(size);
	return wp_hull_build(&input, *memory, size, &hull, NULL) == WP_OK ? hull : NULL;
}

static inline void take_shape(bytes *b, wp_shape *shape, void **hull_memory)
{
	memset(shape, 0, sizeof *shape);
	shape->kind = take_below(b, WP_SHAPE_KIND_COUNT + 2);
	shape->radius = take_below(b, 4) == 0 || shape->kind == WP_SHAPE_SPHERE ? take_length(b) : 0;
	shape->half_height = take_length(b);
	for (int i = 0; i < 3; i++)
		shape->half_extents[i] = take_length(b);
	if (shape->kind == WP_SHAPE_CYLINDER || shape->kind == WP_SHAPE_CONE)
		shape->base_radius = take_length(b);
	for (int i = 0; i < 9 && (shape->kind == WP_SHAPE_SEGMENT || shape->kind == WP_SHAPE_TRIANGLE); i++)
		shape->points[i / 3][i % 3] = take_number(b);
	if (shape->kind == WP_SHAPE_HULL)
		shape->hull = take_hull(b, hull_memory);
}

static inline void take_body(bytes *b, body *body)
{
	static const float turns[4][4] = {
		{0, 0, 0, 1}, {0.70710678f, 0, 0, 0.70710678f}, {0.5f, 0.5f, 0.5f, 0.5f}, {0.6f, 0, 0.8f, 0}};
	for (int i = 0; i < 3; i++)
		body->position[i] = take_number(b);
	const uint32_t turn = take_below(b, 5);
	for (int i = 0; i < 4; i++)
		body->rotation[i] = turn < 4 ? turns[turn][i] : take_number(b);
	body->shape = take_below(b, SHAPES_MAX + 1);
}

#endif
