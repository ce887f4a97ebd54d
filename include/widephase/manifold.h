/* widephase: contact manifolds: where do two shapes touch, all of it?
 *
 * One deepest point does not hold a box up. A manifold is up to 8 points that share the normal of the contact: the
 * corners of the patch in which the two shapes face each other. It is made in one call, from nothing but the pair.
 *
 * Method: on each shape, choose the face whose normal is nearest to the contact's. A segment or a point counts as its own
 * face; a cylinder or a cone has a cap, as a polygon on its rim, or a line along the side (as in Jolt Physics, Rouwe 2021).
 * Project both faces along the normal, and keep the polygon that they have in common, where its points are close enough
 * (clipping: Gottschalk 1996; Gregorius 2013, The Separating Axis Test, GDC). Neither face is the reference face: both are
 * treated alike, so no choice between them can flicker. */
#ifndef WIDEPHASE_MANIFOLD_H
#define WIDEPHASE_MANIFOLD_H

#include "widephase/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most points that a manifold can have. */
#define WP_MANIFOLD_POINT_MAX 8

/* The feature id of a whole face: the point is on none of its edges. The pair of witness points has it on both sides. */
#define WP_FEATURE_FACE 0xffffffffu

/* One point of a manifold: point_a on A and point_b on B, one straight along the normal from the other:
 * point_a + separation * normal is point_b. Frozen (base.h). */
typedef struct wp_manifold_point {
	float point_a[3], point_b[3]; /* world frame, rounded to float: far from the origin use the local ones */
	float local_a[3], local_b[3]; /* the same points, each in the frame of its own body */
	float separation;             /* of this point, <= max_separation */
	uint32_t feature_a;           /* the feature of A that makes the point: the edge between vertices i < j is
	                                 i | j << 16, vertex i is i | i << 16, a face is WP_FEATURE_FACE */
	uint32_t feature_b;           /* the feature of B */
} wp_manifold_point;

/* The part of a wp_manifold_point that a solver reads: its members from local_a on, in their order. World points follow from the
 * poses. 36 bytes instead of 60, and fewer to compute. Frozen (base.h). */
typedef struct wp_solver_point {
	float local_a[3], local_b[3];  /* in the frame of its own body */
	float separation;              /* <= max_separation */
	uint32_t feature_a, feature_b; /* as in wp_manifold_point */
} wp_solver_point;

/* A column of points: an element is all points that a row may have. */
typedef struct wp_manifold_point_column {
	wp_manifold_point *data; /* the first point of the first row */
	size_t stride;           /* bytes from a row's first point to the next row's; 0 = tightly packed */
} wp_manifold_point_column;

/* The same of points for solvers. */
typedef struct wp_solver_point_column {
	wp_solver_point *data; /* the first point of the first row */
	size_t stride;         /* bytes from a row's first point to the next row's; 0 = tightly packed */
} wp_solver_point_column;

/* Where manifolds go, beside the results of a contact. */
typedef struct wp_manifolds {
	wp_uint32_column count; /* [..] points of a row, 0 .. point_max; 0 beyond max_separation and in invalid rows */
	wp_manifold_point_column points; /* [..][point_max]; what a row does not use is left alone */
	uint32_t point_max;              /* most points wanted of a row, 1 .. WP_MANIFOLD_POINT_MAX; 0 = 4 */

	/* [..][point_max] Instead of `points`, which then has no data: the same points, bit for bit, without the world frame. */
	wp_solver_point_column solver_points;
} wp_manifolds;

/* Most corners of a face that count; of a face with more, the corners that are extreme in this many directions. */
#define WP_FACE_VERTEX_MAX 32

/* Vertices on the rim of a cap, the flat end of a cylinder or a cone: as many as a manifold has room for. Their polygon is
 * 90 % of the cap's area; four of them, a quarter turn apart, span 64 %. */
#define WP_CAP_VERTEX_COUNT 8

/* Contacts, as by wp_contact and with the same bits, and the manifold of each pair.
 *
 * Every point lies on both shapes, rounded edges and corners included, and straight along the normal from the other, within 1e-5
 * of size (witness points of cylinders, cones, ellipsoids and custom shapes are straight within 1e-4, as query.h says). Only
 * points not further apart than max_separation are kept: with a little of it, all corners of a slightly tilted box stay. The pair
 * of witness points of the contact joins them if none of them is as deep within 2e-5 of size.
 *
 * A manifold with more corners than point_max is reduced to a corner near the deepest, the one farthest from it, the one that
 * spans the largest triangle with both, and then, one by one, the one that adds the largest area. Corners of A are preferred
 * to corners of B, and both to crossings of two edges, if they are as good within 1 %. The first is deeper than any by no more
 * than 1e-3 of size; if none that is chosen is as deep as the deepest within 5e-6, that one takes the place of the nearest. So
 * bodies that rock at rest keep all points, or all but one. Between points that are as good within 1e-4, or as deep within
 * these, the choice does not depend on rounding either.
 *
 * A point's two features name it. On each shape it is the lowest-dimensional feature of the face that the point is on,
 * within 5e-6 of size: a vertex before an edge, an edge before the face; of several, the first one of the face. So the end
 * of a capsule on the side of another is vertex and edge, and two corners upon each other are vertex and vertex. The ids are
 * the same as long as the same features touch: rounding does not change them, nor do motions that leave a point on its
 * features.
 *
 * Vertices have the numbers of the hull or the triangle. Vertex i of a box is on the positive side of axis k if bit k of i is
 * set; vertex 0 of a segment is at -Y, vertex 1 at +Y. On a cylinder or a cone, vertex k < 8 is on the rim at -Y, k eighths of a
 * turn from +X towards +Z, and vertex 8 + k is above it, on the rim at +Y. The line along the side that touches goes from vertex
 * 16, on the rim at -Y, to vertex 17, on the rim at +Y or at the apex; it keeps these numbers as the shape rolls.
 *
 * A cylinder or a cone that stands has points on its rim, one that lies has the two ends of a line, also with a rounding
 * radius. The cap counts if its normal is nearer to the contact's than the normal of the side. A tilted cap touches at a
 * point between two vertices of the rim: if that point is deeper than they are, it joins them, as the pair of witness points.
 *
 * A half-space is all face: the points are the corners of the other shape's face, each with the point of the half-space's
 * surface straight below or above it.
 *
 * The only point is the pair of witness points for a hull of more than 3 vertices without faces (wp_hull_face_count is 0),
 * for a face that leans more than 84 degrees from the normal, for points, spheres and ellipsoids, and for bodies with a
 * support function.
 *
 * `options` and `results` as for wp_contact, but the method is WP_METHOD_AUTO; `manifolds` must have the column `count`,
 * and either `points` or `solver_points` (WP_ERROR_MANIFOLDS_BOTH_POINTS). */
WP_API wp_error wp_contact_manifold(wp_workspace *workspace, const wp_batch *batch, const wp_contact_options *options,
	const wp_results *results, const wp_manifolds *manifolds, wp_statistics *statistics);

/* One pair, with the bits of the batch call. `points` has room for point_max points; a point_max of 0 means 4. */
WP_API wp_error wp_contact_manifold_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const wp_contact_options *options, wp_row *row,
	wp_manifold_point *points, uint32_t point_max, uint32_t *count);

/* The same for one pair of shapes of a table. */
WP_API wp_error wp_contact_manifold_prepared(wp_workspace *workspace, const wp_pair *pair,
	const wp_contact_options *options, wp_cache *cache, wp_row *row, wp_manifold_point *points, uint32_t point_max,
	uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
