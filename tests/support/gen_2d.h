/* Random 2D pairs, the same on every machine: no trigonometry, points of circles are rational. */
#ifndef TESTS_SUPPORT_PLANE_GEN_H
#define TESTS_SUPPORT_PLANE_GEN_H

#include "widephase/widephase.h"

/* How B is put beside A. */
typedef enum gen_2d_scenario {
	GEN_2D_ANYWHERE = 0,
	GEN_2D_EDGE_ON_EDGE, /* tilted by 0 or 1e-8 to 1e-3, at a small gap or depth */
	GEN_2D_ALONG_NORMAL, /* an edge of A and whatever B has there, at a small gap or depth, or none */
	GEN_2D_IDENTICAL,    /* the same shape and pose, or almost */
	GEN_2D_INSIDE,       /* one within the other */
	GEN_2D_GRID,         /* small whole numbers: touching and flush exactly */
	GEN_2D_EXTREME,      /* sizes from denormal numbers to 1e28 */
	GEN_2D_FAR_AWAY,     /* many sizes from the origin of the world, and from each other */
	GEN_2D_FAR_VERTEX,   /* polygons with vertices 1e1 to 1e6 sizes away, their farthest points near each other */
	GEN_2D_SCENARIO_COUNT
} gen_2d_scenario;

typedef struct gen_2d_pair {
	gen_2d_scenario scenario;
	float vertices[2][WP2D_POLYGON_VERTEX_MAX][2];
	wp2d_shape shape[2]; /* polygons point into `vertices` */
	wp2d_pose pose[2];
} gen_2d_pair;

/* Pair `number` of the sequence `seed`. It must not be moved. */
void gen_2d(uint64_t seed, uint64_t number, gen_2d_pair *pair);

#endif
