/* What the files of widephase-cook share: points made distinct, the polygons of their hull, and the hull that
 * is built of both. */
#ifndef WP_COOK_INTERNAL_H
#define WP_COOK_INTERNAL_H

#include "core/base.h"
#include "core/double3.h"
#include "widephase/cook.h"

typedef struct list {
	uint32_t *data;
	size_t count;
	size_t capacity;
} list;

typedef struct cook_point {
	double at[3];    /* in the box frame */
	uint32_t source; /* index into the input */
} cook_point;

/* Polygons over point ids. Edge e leads from vertex[e] to the next vertex of its polygon. */
typedef struct mesh {
	list start; /* first edge of each face, and the number of edges at the end */
	list vertex;
} mesh;

typedef struct cook {
	const float *input;
	size_t stride;
	cook_point *points; /* distinct, ordered by place; the index is the point id */
	uint32_t point_count;
	double noise[3];  /* rounding of the inputs in the box frame */
	double rounding;  /* by how much wp_hull_build lets vertices be out of place */
	mesh facets;      /* as qhull gives them */
	mesh faces;       /* of the hull to come */
	bool *is_extreme; /* [point_count] */
} cook;

/* Check the arguments that all cooks share, and find the extreme points and the faces. Whatever comes out, *c
 * is to be released. */
wp_error wp_cook_find(cook *c, const float *points, size_t point_stride, size_t count, size_t *bad_index);

/* The hull of what was found, once: the faces are renumbered by it. */
wp_error wp_cook_build(cook *c, const wp_hull **hull);

void wp_cook_release(cook *c);

/* Pair the edges of polygons: face f has the edges start[f] .. start[f + 1]. twin[e] becomes the edge e as
 * its other face has it. False unless the surface is closed and oriented: each edge is in two faces, once in
 * either direction. keys[2 * edges] is scratch. */
bool wp_cook_pair_edges(
	const uint32_t *start, uint32_t face_count, const uint32_t *vertex, uint64_t *keys, uint32_t *twin);

static inline void load_point(const cook *c, size_t index, float point[3])
{
	memcpy(point, wp_offset(c->input, index * c->stride), 3 * sizeof(float));
}

static inline void subtract(const double a[3], const double b[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = a[i] - b[i];
}

#endif
