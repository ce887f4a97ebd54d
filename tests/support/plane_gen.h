/* Random pairs of the plane, the same on every machine: no trigonometry, points of circles are rational. */
#ifndef TESTS_SUPPORT_PLANE_GEN_H
#define TESTS_SUPPORT_PLANE_GEN_H

#include "widephase/widephase.h"

/* How B is put beside A. */
typedef enum plane_gen_scenario {
	PLANE_GEN_ANYWHERE = 0,
	PLANE_GEN_EDGE_ON_EDGE, /* tilted by 0 or 1e-8 to 1e-3, at a small gap or depth */
	PLANE_GEN_ALONG_NORMAL, /* an edge of A and whatever B has there, at a small gap or depth, or none */
	PLANE_GEN_IDENTICAL,    /* the same shape and pose, or almost */
	PLANE_GEN_INSIDE,       /* one within the other */
	PLANE_GEN_GRID,         /* small whole numbers: touching and flush exactly */
	PLANE_GEN_EXTREME,      /* sizes from denormal numbers to 1e28 */
	PLANE_GEN_FAR_AWAY,     /* many sizes from the origin of the world, and from each other */
	PLANE_GEN_FAR_VERTEX,   /* polygons with vertices 1e1 to 1e6 sizes away, their farthest points near each other */
	PLANE_GEN_SCENARIO_COUNT
} plane_gen_scenario;

typedef struct plane_gen_pair {
	plane_gen_scenario scenario;
	float vertices[2][WP2_POLYGON_VERTEX_MAX][2];
	wp2_shape shape[2]; /* polygons point into `vertices` */
	wp2_pose pose[2];
} plane_gen_pair;

/* Pair `number` of the sequence `seed`. It must not be moved. */
void plane_gen(uint64_t seed, uint64_t number, plane_gen_pair *pair);

#endif
