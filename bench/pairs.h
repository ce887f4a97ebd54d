/* Pairs made from a seed: kinds of shapes and regimes of how they lie. The same seed gives the same bits on
 * every machine, whatever the library answers. */
#ifndef BENCH_PAIRS_H
#define BENCH_PAIRS_H

#include "capture.h"

typedef enum pair_kind {
	PAIR_BOX = 0,
	PAIR_HULL8, /* hulls of exactly that many vertices */
	PAIR_HULL16,
	PAIR_HULL32,
	PAIR_HULL64,
	PAIR_HULL128,
	PAIR_HULL256,
	PAIR_CAPSULE,
	PAIR_BOXCAPSULE, /* a box and a capsule, in either order */
	PAIR_MIXED,      /* spheres, capsules, boxes and hulls of 8 to 128 vertices */
	PAIR_TRI,        /* a triangle and a hull of 8 to 32 vertices */
	PAIR_CYLINDER,
	PAIR_CONE,
	PAIR_ELLIPSOID,
	PAIR_SMOOTHMIXED,    /* cylinders and cones, spheres, capsules, boxes and hulls of 32 vertices */
	PAIR_SPHERECYLINDER, /* a sphere and another shape, in either order */
	PAIR_SPHERECONE,
	PAIR_SPHEREELLIPSOID,
	PAIR_SPHEREHULL32,
	PAIR_KIND_COUNT
} pair_kind;

/* Gaps and depths are in units of the size: twice the smaller bounding radius. They are taken along a ray
 * between the origins of the shapes, so that the separation itself is that or less. */
typedef enum pair_regime {
	PAIR_ENGINE = 0, /* what a broadphase lets through: 45 % apart by up to 30 % with overlapping bounding
	                    boxes, 50 % shallow, half of those face on face, 5 % deep by 5 to 30 % */
	PAIR_SEPARATED,  /* gaps of 5 to 100 % */
	PAIR_NEAR,       /* gaps and depths up to 2 %, half of them face on face with a tilt of 1e-4 to 0.03 rad */
	PAIR_SHALLOW,    /* depths up to 5 % */
	PAIR_DEEP,       /* depths of 5 to 60 % */
	PAIR_REGIME_COUNT
} pair_regime;

const char *pair_kind_name(pair_kind kind);
const char *pair_regime_name(pair_regime regime);

/* What sets of pairs are made with. */
#define PAIR_SEED 20240601u
#define PAIR_SHAPES 64

typedef struct pair_request {
	pair_kind kind;
	pair_regime regime;
	uint32_t shape_count; /* of each sort that the kind has */
	uint32_t pair_count;
	uint64_t seed;
} pair_request;

typedef struct pair_list {
	capture_shape *shapes;
	float (*vertices)[3];
	capture_pair *pairs;
	uint32_t shape_count, vertex_count, pair_count;
} pair_list;

/* False when memory ran out. */
bool pair_list_make(const pair_request *wanted, pair_list *list);

/* The same pairs in `frame_count` frames, one after the other: pairs[f * wanted->pair_count + i] is pair i in frame f. In each
 * frame B has moved by up to 1e-3, in any direction, and turned by up to 1e-3 rad, about any axis. */
bool pair_sequence_make(const pair_request *wanted, uint32_t frame_count, pair_list *list);

void pair_list_free(pair_list *list);

#endif
