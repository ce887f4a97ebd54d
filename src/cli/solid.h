/* Shapes of a capture as bodies in space, for pictures: points, edges and a radius, in double. */
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

typedef struct solid {
	double (*points)[3]; /* [point_count]: the core is their convex hull; world axes */
	size_t point_count;
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

/* Shape `index` of the capture at a pose. Hulls have edges after scene_add_faces. False where the shape's
 * kind has no picture; then nothing is held. */
bool solid_make(solid *made, const capture_file *capture, const capture_scene *scene, uint32_t index,
    const solid_pose *pose);
/* A piece of a half-space at a pose: a slab under another body, twice as wide as that. */
void solid_make_ground(solid *made, const capture_shape *shape, const solid_pose *pose, const solid *above);
void solid_free(solid *made);

#endif
