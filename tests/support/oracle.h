/* The oracle: signed separation of two shapes by brute force in double precision. It knows the public
 * headers only and shares no code and no method with the library.
 *
 * Edges and face normals of a core come from its vertices: two vertices span an edge when all others,
 * seen along the line through them, lie within an angle below half a turn, and the two ends of that
 * angle are the adjacent faces. Boxes, segments and points go the same way. Then
 *  - a gap is the least distance between two edges, or the largest separation along a face normal;
 *  - a depth is the least overlap along all face normals of both shapes and all crosses of two edges.
 * Each candidate is a proof by itself (two points of the shapes, or two support planes), so that one too
 * many does no harm and only a missing one could. */
#ifndef TESTS_SUPPORT_ORACLE_H
#define TESTS_SUPPORT_ORACLE_H

#include "vector.h"
#include "widephase/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cores with more vertices get no edges and normals: only their supports are available. */
#define ORACLE_FEATURE_MAX 256

typedef struct oracle_edge {
	uint32_t start, end;
} oracle_edge;

/* A core in its own frame. A core without edges (a point) has one edge from vertex 0 to itself. */
typedef struct oracle_shape {
	bool has_features;
	double radius;
	double bound; /* largest distance of a vertex from the shape's origin */
	size_t vertex_count;
	size_t edge_count;
	size_t direction_count;
	size_t normal_count;
	v3 *vertices;
	oracle_edge *edges;
	v3 *directions; /* unit, of the edges, each once */
	v3 *normals;    /* unit, of the faces, outwards, each once; both sides of a flat core */
} oracle_shape;

typedef struct oracle_pose {
	v3 position;
	float rotation[4];
} oracle_pose;

typedef struct oracle_answer {
	double separation; /* radii included */
	double doubt;      /* how far the truth may lie from it, beyond rounding (about 1e-14 sizes) */
	v3 normal;         /* unit, from A to B; of one optimum where there are several */
	bool unique;       /* no other optimum more than 5 degrees away comes within 1e-3 of the smaller
	                          core's bound; never for cores that touch to the last digits */
} oracle_answer;

/* The core of a valid shape; NULL if the shape is invalid or memory runs out. Free with
 * oracle_shape_free, which takes NULL. */
oracle_shape *oracle_shape_new(const wp_shape *shape);
void oracle_shape_free(oracle_shape *shape);

/* Largest value of direction . x over the posed shape, radius included; direction is unit. */
double oracle_support(const oracle_shape *shape, const oracle_pose *pose, v3 direction);

/* Gap between the support planes across a unit direction: a lower bound of the separation. */
double oracle_gap_along(
	const oracle_shape *a, const oracle_pose *pose_a, const oracle_shape *b, const oracle_pose *pose_b, v3 direction);

/* Both shapes must have features. */
bool oracle_solve(const oracle_shape *a, const oracle_pose *pose_a, const oracle_shape *b, const oracle_pose *pose_b,
	oracle_answer *answer);

/* Signed distance of a point from the surface of a shape with features: negative inside. */
double oracle_point_separation(const oracle_shape *shape, const oracle_pose *pose, v3 point);

#endif
