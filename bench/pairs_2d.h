/* 2D pairs made from a seed, as pairs.h makes 3D pairs: the same bits on every machine, independent of the
 * library's answers. */
#ifndef BENCH_PLANE_PAIRS_H
#define BENCH_PLANE_PAIRS_H

#include "widephase/2d.h"

typedef enum kind_2d {
	CIRCLE_2D = 0,
	CAPSULE_2D,
	POLYGON8_2D, /* polygons of exactly that many vertices */
	POLYGON64_2D,
	KIND_COUNT_2D
} kind_2d;

/* B has its deepest point, or an edge, in front of the middle of an edge of A. Gaps and depths are in units of
 * the size, twice the smaller bounding radius, and along that edge's normal: the depth of overlaps may be
 * less. */
typedef enum regime_2d {
	SEPARATED_2D = 0, /* gaps of 5 to 100 % */
	NEAR_2D,          /* gaps and depths up to 2 %, half of them edge on edge, tilted by 1e-4 to 0.03 rad */
	SHALLOW_2D,       /* depths up to 5 %, half of them edge on edge */
	DEEP_2D,          /* depths of 5 to 60 % */
	REGIME_COUNT_2D
} regime_2d;

const char *kind_2d_name(kind_2d kind);
const char *regime_2d_name(regime_2d regime);

#define PAIRS_2D 1024
#define SHAPES_2D 64

typedef struct pairs_2d {
	float vertices[SHAPES_2D][WP2D_POLYGON_VERTEX_MAX][2];
	wp2d_shape shapes[SHAPES_2D];    /* they point at the vertices */
	uint32_t shape_of[2 * PAIRS_2D]; /* body 2 i is A of pair i, body 2 i + 1 its B */
	wp2d_pose poses[2 * PAIRS_2D];
} pairs_2d;

/* Not to be moved afterwards. */
void pairs_2d_make(kind_2d kind, regime_2d regime, pairs_2d *pairs);

#endif
