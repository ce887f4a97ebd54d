#include "faces.h"

#ifdef HAVE_COOK

#include "system.h"

#include <widephase/cook.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Faces, in the numbers of the vertices that they were made of. */
typedef struct face_list {
	uint32_t *vertex_of; /* [vertices of the cooked hull] */
	uint32_t *sizes;
	uint32_t *indices;
	size_t count, index_count;
} face_list;

static void free_list(face_list *list)
{
	free(list->vertex_of);
	free(list->sizes);
	free(list->indices);
}

/* Cooking keeps the order of the vertices and, of equal ones, the first: so the next one with the same bits
 * is it. */
static void number_vertices(const wp_hull *cooked, const float *vertices, size_t count, uint32_t *vertex_of)
{
	size_t next = 0;
	for (size_t index = 0; index < wp_hull_vertex_count(cooked); index++) {
		float vertex[3];
		wp_hull_vertex(cooked, index, vertex);
		while (next + 1 < count && memcmp(vertex, vertices + 3 * next, sizeof vertex) != 0)
			next++;
		vertex_of[index] = (uint32_t)next++;
	}
}

static bool list_faces(const wp_hull *cooked, const float *vertices, size_t count, face_list *list)
{
	size_t size;
	list->count = wp_hull_face_count(cooked);
	for (size_t face = 0; face < list->count; face++) {
		wp_hull_face(cooked, face, &size);
		list->index_count += size;
	}
	list->vertex_of = calloc(wp_hull_vertex_count(cooked) + 1, sizeof *list->vertex_of);
	list->sizes = calloc(list->count + 1, sizeof *list->sizes);
	list->indices = calloc(list->index_count + 1, sizeof *list->indices);
	if (!list->vertex_of || !list->sizes || !list->indices)
		return false;
	number_vertices(cooked, vertices, count, list->vertex_of);
	uint32_t *to = list->indices;
	for (size_t face = 0; face < list->count; face++) {
		const uint32_t *from = wp_hull_face(cooked, face, &size);
		list->sizes[face] = (uint32_t)size;
		for (size_t index = 0; index < size; index++)
			*to++ = list->vertex_of[from[index]];
	}
	return list->count > 0;
}

bool faces_available(void) { return true; }

const wp_hull *faces_build(const float *vertices, size_t count, void **memory)
{
	const wp_hull *cooked = NULL, *hull = NULL;
	face_list list = {0};
	*memory = NULL;
	if (wp_cook_points(vertices, 0, count, &cooked, NULL) == WP_OK && list_faces(cooked, vertices, count, &list)) {
		const wp_hull_input input = {.vertices = {vertices},
			.vertex_count = count,
			.face_sizes = list.sizes,
			.face_indices = list.indices,
			.face_count = list.count};
		const size_t size = wp_hull_size(count, list.count, list.index_count);
		*memory = size > 0 ? system_allocate(size) : NULL;
		if (*memory && wp_hull_build(&input, *memory, size, &hull, NULL) != WP_OK) {
			system_free(*memory);
			*memory = NULL;
		}
	}
	free_list(&list);
	wp_cook_free(cooked);
	return hull;
}

#else

bool faces_available(void) { return false; }

const wp_hull *faces_build(const float *vertices, size_t count, void **memory)
{
	(void)vertices;
	(void)count;
	*memory = NULL;
	return NULL;
}

#endif
