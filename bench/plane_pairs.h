/* Pairs of the plane made from a seed, as pairs.h makes those of space: the same bits on every machine,
 * whatever the library answers. */
#ifndef BENCH_PLANE_PAIRS_H
#define BENCH_PLANE_PAIRS_H

#include "widephase/plane.h"

typedef enum plane_kind {
	PLANE_CIRCLE = 0,
	PLANE_CAPSULE,
	PLANE_POLYGON8, /* polygons of exactly that many vertices */
	PLANE_POLYGON64,
	PLANE_KIND_COUNT
} plane_kind;

/* B lies with its deepest point, or with an edge, before the middle of an edge of A. Gaps and depths are in
 * units of the size, twice the smaller bounding radius, and along that edge's normal: those of overlaps may
 * be less. */
typedef enum plane_regime {
	PLANE_SEPARATED = 0, /* gaps of 5 to 100 % */
	PLANE_NEAR,          /* gaps and depths up to 2 %, half of them edge on edge, tilted by 1e-4 to 0.03 rad */
	PLANE_SHALLOW,       /* depths up to 5 %, half of them edge on edge likewise */
	PLANE_DEEP,          /* depths of 5 to 60 % */
	PLANE_REGIME_COUNT
} plane_regime;

const char *plane_kind_name(plane_kind kind);
const char *plane_regime_name(plane_regime regime);

#define PLANE_PAIRS 1024
#define PLANE_SHAPES 64

typedef struct plane_pairs {
	float vertices[PLANE_SHAPES][WP2_POLYGON_VERTEX_MAX][2];
	wp2_shape shapes[PLANE_SHAPES];     /* they point at the vertices */
	uint32_t shape_of[2 * PLANE_PAIRS]; /* body 2 i is A of pair i, body 2 i + 1 its B */
	wp2_pose poses[2 * PLANE_PAIRS];
} plane_pairs;

/* Not to be moved afterwards. */
void plane_pairs_make(plane_kind kind, plane_regime regime, plane_pairs *pairs);

#endif
