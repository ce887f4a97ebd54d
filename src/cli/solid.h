/* Shapes of a capture as bodies in space, for pictures: points, rounds, edges and a radius, in double. */
#ifndef WP_CLI_SOLID_H
#define WP_CLI_SOLID_H

#include "scene.h"

/* Hulls with more edges are drawn by their outline alone. */
#define SOLID_EDGE_MAX 1024

/* An edge, and the outward normals of the two faces that it joins. */
typedef struct solid_edge {
	uint32_t from, to;
	double normals[2][3];
} solid_edge;

/* An ellipsoid: `centre` plus the axes in all shares whose squares sum to 1 at most. A disc where the last
 * axis is zero. */
typedef struct solid_round {
	double centre[3], axes[3][3];
	double outwards[3]; /* of a disc that is a face: its normal; else zero */
} solid_round;

#define SOLID_ROUND_MAX 2

/* The core is the convex hull of points and rounds. */
typedef struct solid {
	double (*points)[3]; /* [point_count] world axes */
	size_t point_count;
	solid_round rounds[SOLID_ROUND_MAX];
	size_t round_count;
	solid_edge *edges; /* [edge_count]; none where the faces of a hull are not known, or of other kinds */
	size_t edge_count;
	double radius;
} solid;

/* Where a shape stands. */
typedef struct solid_pose {
	double position[3];
	double rotation[4]; /* quaternion x, y, z, w of any length but zero */
} solid_pose;

/* v turned by a quaternion of any length but zero; both are world axes, so `turned` may be v. */
void solid_turn(const double rotation[4], const double v[3], double turned[3]);

/* Shape `index` of the capture at a pose. Hulls have edges after scene_add_faces. */
void solid_make(
	solid *made, const capture_file *capture, const capture_scene *scene, uint32_t index, const solid_pose *pose);
/* A piece of a half-space at a pose: a slab under another body, twice as wide as that. */
void solid_make_ground(solid *made, const capture_shape *shape, const solid_pose *pose, const solid *above);
void solid_free(solid *made);

/* Whether there is anything: what was not made is nothing. */
bool solid_is_there(const solid *body);

/* The point of the core that is furthest along a direction, and how far the body reaches along one that is
 * unit. Of nothing: the origin, and -infinity. */
void solid_support(const solid *body, const double direction[3], double point[3]);
double solid_reach(const solid *body, const double direction[3]);

#endif
