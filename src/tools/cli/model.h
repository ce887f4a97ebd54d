/* Shapes of a capture as bodies in space, for pictures: points, rounds, edges and a radius, in double. */
#ifndef WP_TOOLS_CLI_MODEL_H
#define WP_TOOLS_CLI_MODEL_H

#include "scene.h"

/* Hulls with more edges are drawn by their outline alone. */
#define MODEL_EDGE_MAX 1024
/* Of a mesh, at most so many triangles are drawn. */
#define MODEL_TRIANGLE_MAX 1024

/* An edge, and the outward normals of the two faces that it joins. */
typedef struct model_edge {
	uint32_t from, to;
	double normals[2][3];
} model_edge;

/* An ellipsoid: `centre` plus the axes in all shares whose squares sum to 1 at most. A disc where the last
 * axis is zero. */
typedef struct model_round {
	double centre[3], axes[3][3];
	double outwards[3]; /* of a disc that is a face: its normal; else zero */
} model_round;

#define MODEL_ROUND_MAX 2

/* The core is the convex hull of points and rounds; or, where there are triangles, these alone. */
typedef struct model {
	double (*points)[3]; /* [point_count] world axes */
	size_t point_count;
	model_round rounds[MODEL_ROUND_MAX];
	size_t round_count;
	model_edge *edges; /* [edge_count]; none where the faces of a hull are not known, or of other kinds */
	size_t edge_count;
	uint32_t (*triangles)[3]; /* [triangle_count] of points */
	size_t triangle_count;
	double radius;
} model;

/* Where a shape stands. */
typedef struct model_pose {
	double position[3];
	double rotation[4]; /* quaternion x, y, z, w of any length but zero */
} model_pose;

/* v turned by a quaternion of any length but zero; both are world axes, so `turned` may be v. */
void model_turn(const double rotation[4], const double v[3], double turned[3]);

/* Shape `index` of the capture at a pose. Hulls have edges after scene_add_faces. */
void model_make(
	model *made, const capture_file *capture, const capture_scene *scene, uint32_t index, const model_pose *pose);
/* A piece of a half-space at a pose: a slab under another body, twice as wide as that. */
void model_make_ground(model *made, const capture_shape *shape, const model_pose *pose, const model *above);
/* The triangles of a mesh at a pose that are near another body, or else, the nearest ones. */
void model_make_surface(model *made, const wp_mesh *mesh, const model_pose *pose, const model *above);
void model_free(model *made);

/* Whether there is anything: what was not made is nothing. */
bool model_is_there(const model *body);

/* The point of the core that is furthest along a direction, and how far the body reaches along one that is
 * unit. Of nothing: the origin, and -infinity. */
void model_support(const model *body, const double direction[3], double point[3]);
double model_reach(const model *body, const double direction[3]);

#endif
