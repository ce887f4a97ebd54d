/* widephase: contact manifolds: where do two shapes touch, all of it?
 *
 * One deepest point does not hold a box up. A manifold is up to 8 points that share the normal of the contact: the
 * corners of the patch in which the two shapes face each other. It is made in one call, from nothing but the pair.
 *
 * Method: of each shape the face (of a segment the segment, of a point the point) that looks most along the normal; of a
 * cylinder or a cone a cap, as a polygon on its rim, or a line along the side (as in Jolt Physics, Rouwe 2021). Both are
 * projected along the normal, and the polygon that they have in common is kept, where its points are close enough
 * (clipping: Gottschalk 1996; Gregorius 2013, The Separating Axis Test, GDC). No face is the reference: both are treated
 * alike, so there is none that flickers. */
#ifndef WIDEPHASE_MANIFOLD_H
#define WIDEPHASE_MANIFOLD_H

#include "widephase/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most points that a manifold can have. */
#define WP_MANIFOLD_POINT_MAX 8

/* The feature id of all of a face: the point is on none of its edges. The pair of witness points has it on both sides. */
#define WP_FEATURE_FACE 0xffffffffu

/* One point of a manifold: point_a on A and point_b on B, one straight along the normal from the other:
 * point_a + separation * normal is point_b. Frozen (base.h). */
typedef struct wp_manifold_point {
	float point_a[3], point_b[3]; /* world frame, rounded to float: far from the origin use the local ones */
	float local_a[3], local_b[3]; /* the same points, each in the frame of its own body */
	float separation;             /* of this point, <= max_separation */
	uint32_t feature_a;           /* what of A makes the point: the edge between vertices i < j is i | j << 16,
	                                 vertex i is i | i << 16, a face is WP_FEATURE_FACE */
	uint32_t feature_b;           /* and of B */
} wp_manifold_point;

/* A column of the points of rows, of which an element is all points that a row may have. */
typedef struct wp_manifold_point_column {
	wp_manifold_point *data; /* the first point of the first row */
	size_t stride;           /* bytes from a row's first point to the next row's; 0 = tightly packed */
} wp_manifold_point_column;

/* Where manifolds go, beside the results of a contact. */
typedef struct wp_manifolds {
	wp_uint32_column count; /* [..] points of a row, 0 .. point_max; 0 beyond max_separation and in invalid rows */
	wp_manifold_point_column points; /* [..][point_max]; what a row does not use is left alone */
	uint32_t point_max;              /* most points wanted of a row, 1 .. WP_MANIFOLD_POINT_MAX; 0 = 4 */
} wp_manifolds;

/* Of a face with more corners, those count that are extreme in this many directions. */
#define WP_FACE_VERTEX_MAX 32

/* Vertices on the rim of a cap, the flat end of a cylinder or a cone: all that a manifold has room for. Their polygon is
 * 90 % of the cap, any four that are a quarter turn apart span 64 %. */
#define WP_CAP_VERTEX_COUNT 8

/* Contacts, as by wp_contact and with the same bits, and the manifold of each pair.
 *
 * Every point lies on both shapes, rounded edges and corners included, within 1e-5 of size. Only points not further
 * apart than max_separation are kept: with a little of it, the corners of a slightly tilted box all stay. The pair of
 * witness points of the contact joins them where none of them is as deep.
 *
 * What has more corners than point_max is reduced: the deepest point, the one farthest from it, the one that spans
 * the largest triangle with both, and from then on the one that adds the largest area. Corners of A are preferred to
 * corners of B, and both to crossings of two edges, where they are as good within 1 %; of points as good within 1e-4, and of
 * those as deep within 5e-6 of size, the choice does not depend on rounding either.
 *
 * A point's two features name it. Of each shape it is the lowest-dimensional feature of its face that the point is on, within
 * 5e-6 of size: a vertex before an edge, an edge before the face; of several the first one of the face. So the end of a
 * capsule on the side of another is vertex and edge, and two corners upon each other are vertex and vertex. The ids are the
 * same as long as the same features touch: rounding does not change them, nor do motions that leave a point on its
 * features. Vertices are numbered as in the hull; of a box vertex i has its sign along axis k positive where bit k of i is set, of a
 * segment vertex 0 is at -Y and 1 at +Y, of a triangle as it is given. Of a cylinder or a cone vertex k < 8 is on the rim
 * at -Y, k eighths of a turn from +X towards +Z, vertex 8 + k above it on that at +Y; the line along the side that touches
 * goes from vertex 16 on the rim at -Y to vertex 17 on that at +Y, or the apex, and keeps its numbers as the shape rolls.
 *
 * A cylinder or a cone that stands has points on its rim, one that lies the two ends of a line; so do rounded ones.
 * The cap counts where its normal is nearer to the contact's than the normal of the side. A tilted cap touches at a point
 * between two vertices of the rim: it is one of the points, as the pair of witness points, where it is deeper than they
 * are.
 *
 * A half-space is all face: its points are the corners of the face of the other shape, and what is right below or above
 * each of them in its surface.
 *
 * A hull of more than 3 vertices without faces (wp_hull_face_count is 0) gives the pair of witness points only. So
 * does a face that leans more than 84 degrees from the normal, a point or sphere, an ellipsoid, and every body that is
 * given by a support function.
 *
 * `options` and `results` as for wp_contact, but the method is WP_METHOD_AUTO; `manifolds` must have both columns. */
WP_API wp_error wp_contact_manifold(wp_workspace *workspace, const wp_batch *batch, const wp_contact_options *options,
	const wp_results *results, const wp_manifolds *manifolds, wp_statistics *statistics);

/* One pair, with the bits of the batch call. `points` has room for point_max of them, of which 0 means 4. */
WP_API wp_error wp_contact_manifold_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const wp_contact_options *options, wp_row *row,
	wp_manifold_point *points, uint32_t point_max, uint32_t *count);

/* The same for one pair whose shapes are prepared. */
WP_API wp_error wp_contact_manifold_prepared(wp_workspace *workspace, const wp_pair *pair,
	const wp_contact_options *options, wp_cache *cache, wp_row *row, wp_manifold_point *points, uint32_t point_max,
	uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
