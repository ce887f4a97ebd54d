/* widephase in 2D: circles, capsules, segments and polygons, by kernels of their own.
 *
 * 2D has overlaps, distances, contacts, manifolds and casts, for batches and for one pair. What the other headers promise of
 * these holds here too, with areas in the place of volumes: the signs and frames, the accuracy (query.h), the same bits from
 * every variant, invalid rows and their reasons, a workspace of caller memory, and no allocation. Vectors have two numbers, x
 * and y; a rotation is (cosine, sine) of an angle, counter-clockwise from x to y.
 *
 * Bounded: a row takes at most 64 steps of GJK and 141 of EPA in lanes, and one pass of the double-precision
 * path, which looks at each edge of one shape with each vertex of the other.
 *
 * Methods: GJK (Gilbert, Johnson, Keerthi 1988) and EPA (van den Bergen 2001; in 2D: Bittle 2010,
 * dyn4j.org) in lanes; rows that they leave open are solved in double precision along the normals of all
 * edges, which are exact for polygons (separating axes: Gottschalk 1996). Casts as in cast.h. */
#ifndef WIDEPHASE_PLANE_H
#define WIDEPHASE_PLANE_H

#include "widephase/base.h"
#include "widephase/cast.h"
#include "widephase/query.h"
#include "widephase/workspace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shapes ------------------------------------------------------------------------------------- */

/* Most vertices that a polygon may have. */
#define WP2D_POLYGON_VERTEX_MAX 64

/* What kind of core a shape has, in the shape's own frame. */
typedef enum wp2d_shape_kind {
	WP2D_SHAPE_CIRCLE = 0, /* core: the shape's own origin; a radius of 0 makes it a point */
	WP2D_SHAPE_CAPSULE,    /* core: the segment (0, -half_height) to (0, +half_height) */
	WP2D_SHAPE_SEGMENT,    /* core: points[0] to points[1] */
	WP2D_SHAPE_POLYGON,    /* core: the convex polygon of the vertices */
	WP2D_SHAPE_KIND_COUNT  /* how many kinds there are; not a kind */
} wp2d_shape_kind;

/* A plain description of a shape, in its own frame: a core and a radius, which rounds it and makes it grow.
 * Fields that the kind does not name above are ignored. All numbers must be finite, lengths >= 0; zero is
 * legal everywhere.
 *
 * The vertices of a polygon are convex and counter-clockwise, both up to 1e-6 of the largest coordinate:
 * if rounding has moved them, the shape is their convex hull. One or two vertices,
 * duplicates, and vertices along one line are legal. Frozen (base.h). */
typedef struct wp2d_shape {
	uint32_t kind;         /* a wp2d_shape_kind */
	float radius;          /* rounding radius, >= 0 */
	float half_height;     /* capsule: half the length of the core segment, along local Y */
	float points[2][2];    /* segment */
	const float *vertices; /* polygon: [vertex_count][2], counter-clockwise; copied into the shape table */
	uint32_t vertex_count; /* polygon: 1 .. WP2D_POLYGON_VERTEX_MAX */
} wp2d_shape;

/* Shorthands; each leaves the unused fields zero. To round a shape, set `radius` afterwards. */
WP_API wp2d_shape wp2d_shape_circle(float radius);
WP_API wp2d_shape wp2d_shape_capsule(float radius, float half_height);
WP_API wp2d_shape wp2d_shape_segment(const float start[2], const float end[2]);
WP_API wp2d_shape wp2d_shape_polygon(const float *vertices, uint32_t vertex_count);

/* Lower-case name of a kind ("polygon"), or "unknown". Static storage, never NULL. */
WP_API const char *wp2d_shape_kind_name(wp2d_shape_kind kind);

/* Shapes made ready for batches, as wp_shape_table: validated once, in caller memory, for any number of
 * threads as long as none changes it. It holds the vertices of polygons, so its input need not be kept. It points into
 * itself, so it must not be moved. */
typedef struct wp2d_shape_table wp2d_shape_table;

/* Bytes that wp2d_shape_table_build needs for these shapes, not always a multiple of WP_ALIGNMENT; `shapes` may be NULL if
 * count is 0, else the size is 0. */
WP_API size_t wp2d_shape_table_size(const wp2d_shape *shapes, size_t count);

/* Build a table of shapes[0 .. count) into `memory` (aligned to WP_ALIGNMENT, at least
 * wp2d_shape_table_size(...) bytes). An invalid shape (unknown kind, NaN, infinity, negative length, vertices
 * that are missing, too many, not convex or clockwise) does not fail the call: it is marked, counted in
 * *report (may be NULL), and the others stay usable. */
WP_API wp_error wp2d_shape_table_build(const wp2d_shape *shapes, size_t count, void *memory, size_t memory_size,
	const wp2d_shape_table **table, wp_shape_report *report);

/* Bytes that wp2d_shape_table_init needs; 0 where vertex_max is 0 or above WP2D_POLYGON_VERTEX_MAX. */
WP_API size_t wp2d_shape_table_init_size(size_t count, uint32_t vertex_max);

/* Make a table with room for `count` shapes, whose polygons have at most `vertex_max` vertices, and none of them in it:
 * every index has an invalid shape until it is set. The memory is as above, of wp2d_shape_table_init_size(...)
 * bytes. */
WP_API wp_error wp2d_shape_table_init(
	void *memory, size_t memory_size, size_t count, uint32_t vertex_max, wp2d_shape_table **table);

/* Add, replace and remove shapes, as wp_shape_table_set and wp_shape_table_remove do. A polygon of more than vertex_max
 * vertices, rounded up to a multiple of 4, is refused, too. */
WP_API wp_error wp2d_shape_table_set(
	wp2d_shape_table *table, size_t index, const wp2d_shape *shape, const char **reason);
WP_API wp_error wp2d_shape_table_remove(wp2d_shape_table *table, size_t index);

/* Indices of the table: its shapes, invalid ones and unset ones included. */
WP_API size_t wp2d_shape_table_count(const wp2d_shape_table *table);

/* Bounding radius of shape `index` about its own origin, rounding radius included: the length unit of the
 * accuracy contract. 0 for an index out of range or an invalid shape. */
WP_API float wp2d_shape_table_bound(const wp2d_shape_table *table, size_t index);

/* ---- batches ------------------------------------------------------------------------------------ */

/* Bodies are described as in query.h, but position is [..][2] of position_real, and rotation is [..][2]:
 * cosine and sine, normalised inside, refused where its length is further than 1e-2 from 1. */
typedef wp_bodies wp2d_bodies;

/* The pairs of a batch: row r, first <= r < first + count, pairs body pair_a[r] of `a` with body pair_b[r] of
 * `b`, and its outputs go to row r of the results. */
typedef struct wp2d_batch {
	const wp2d_shape_table *shapes; /* of both bodies; borrowed */
	wp2d_bodies a;                  /* the bodies of which pair_a names one */
	wp2d_bodies b;                  /* all zero: the same bodies as a */
	wp_const_uint32_column pair_a;  /* [..] body of A for each row, as in wp_batch; no data: row r takes body r */
	wp_const_uint32_column pair_b;  /* [..] body of B for each row */
	size_t first;                   /* first row */
	size_t count;                   /* number of rows, below 2^32; 0 is legal */
} wp2d_batch;

/* Where results go, with vectors of two numbers: normal and local points [..][2], points [..][2] of point_real. There are
 * no tangents and no caches; 2D queries leave those columns alone. `iterations` is 1 in rows of the strong path, 0 for two
 * circles. */
typedef wp_results wp2d_results;

/* One row as a struct, for one-pair calls and for callers who like arrays of structs. Frozen (base.h). */
typedef struct wp2d_row {
	/* As the array of that name in wp2d_results; vectors in world axes, points in the world frame. */
	float separation;
	float normal[2];
	float point_a[2];
	float point_b[2];
	float lower;
	float upper;
	uint32_t status;
	uint32_t iterations;
} wp2d_row;

/* Results that fill an array of wp2d_row. `rows` may be NULL (then all outputs are off). */
static inline wp2d_results wp2d_results_of_rows(wp2d_row *rows)
{
	const size_t size = sizeof *rows;
	if (rows == WP_NULL) {
		return wp_results_of_rows(WP_NULL);
	} else {
		const wp2d_results all = {{&rows->separation, size}, {rows->normal, size}, {rows->point_a, size},
			{rows->point_b, size}, {&rows->lower, size}, {&rows->upper, size}, {&rows->status, size},
			{&rows->iterations, size}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0}, {WP_NULL, 0},
			{WP_NULL, 0}, WP_REAL_FLOAT};
		return all;
	}
}

/* Batch queries, as wp_overlap, wp_distance and wp_contact. `statistics` may be NULL;
 * it counts steps of EPA as steps of GJK. On an error nothing is written. */
WP_API wp_error wp2d_overlap(
	wp_workspace *workspace, const wp2d_batch *batch, const wp2d_results *results, wp_statistics *statistics);
WP_API wp_error wp2d_distance(
	wp_workspace *workspace, const wp2d_batch *batch, const wp2d_results *results, wp_statistics *statistics);
WP_API wp_error wp2d_contact(wp_workspace *workspace, const wp2d_batch *batch, const wp_contact_options *options,
	const wp2d_results *results, wp_statistics *statistics);

/* ---- manifolds ---------------------------------------------------------------------------------- */

/* Most points that a manifold can have. */
#define WP2D_MANIFOLD_POINT_MAX 2

/* One point of a manifold: point_a on A and point_b on B, one straight along the normal from the other:
 * point_a + separation * normal is point_b. Frozen (base.h). */
typedef struct wp2d_manifold_point {
	float point_a[2], point_b[2]; /* world frame, rounded to float: far from the origin use the local ones */
	float local_a[2], local_b[2]; /* the same points, each in the frame of its own body */
	float separation;             /* of this point, <= max_separation */
	/* The features of A and of B that make the point: vertex i is i | i << 16, the edge between vertices i < j is
	 * i | j << 16. A circle has vertex 0, a capsule and a segment have vertices 0 and 1 (the capsule's at -Y and
	 * +Y), a polygon has the vertices it was given. */
	uint32_t feature_a, feature_b;
} wp2d_manifold_point;

/* A column of points: an element is all points that a row may have. */
typedef struct wp2d_manifold_point_column {
	wp2d_manifold_point *data; /* the first point of the first row */
	size_t stride;             /* bytes from a row's first point to the next row's; 0 = tightly packed */
} wp2d_manifold_point_column;

/* Where manifolds go, beside the results of a contact. */
typedef struct wp2d_manifolds {
	wp_uint32_column count; /* [..] points of a row, 0 .. point_max; 0 beyond max_separation and in invalid rows */
	wp2d_manifold_point_column points; /* [..][point_max]; what a row does not use is left alone */
	uint32_t point_max;                /* most points wanted of a row, 1 .. WP2D_MANIFOLD_POINT_MAX; 0 = 2. 1 keeps the
	                                      deeper of two points, the first of two equally deep ones */
} wp2d_manifolds;

/* Contacts, as by wp2d_contact and with the same bits, and the manifold of each pair.
 *
 * On each shape the edge counts whose normal is nearest to the contact's. The points are the two ends of the
 * stretch that both edges share across the normal, in the order of A's edge, if they are not further apart than
 * max_separation. Where neither end is as deep as the witness points of the contact, that pair is the first
 * point. It is the only point where the edges share no length, where an edge's normal leans more than 84 degrees
 * from the contact's, and for circles.
 *
 * Every point lies on its shape within 1e-5 of size plus distance. A point's two features name it: they are
 * the same as long as the same features touch, whatever the pose. Where corners of both shapes coincide, A's
 * counts. */
WP_API wp_error wp2d_contact_manifold(wp_workspace *workspace, const wp2d_batch *batch,
	const wp_contact_options *options, const wp2d_results *results, const wp2d_manifolds *manifolds,
	wp_statistics *statistics);

/* ---- casts -------------------------------------------------------------------------------------- */

/* Where bodies go, body for body beside a wp2d_bodies: as wp_motions (cast.h), but the translation is [..][2],
 * and the rotation at the end is [..][2]: cosine and sine, of the length that rotations of bodies have. */
typedef wp_motions wp2d_motions;

/* When do the pairs of the batch first touch? As wp_cast (cast.h), by the same method. Rows, by their status:
 *  - WP_STATUS_HIT, fraction f: proven free of contact before f, within the accuracy of query.h; at f the
 *    other outputs are as wp2d_contact gives them, with a gap of rounding. At f = 0 the shapes may overlap from
 *    the start; then the outputs hold the depth. With WP_STATUS_ITERATION_CAP the row took WP_CAST_STEP_MAX steps
 *    (2 are usual without turning, 3 with it), and may be free further than f;
 *  - neither WP_STATUS_HIT nor WP_STATUS_INVALID: no contact, the fraction is 1, the other outputs describe
 *    the last place that was examined;
 *  - WP_STATUS_INVALID: the fraction is NaN. A translation that is not finite, or leads beyond
 *    WP_COORDINATE_MAX, makes its body's position invalid; an invalid rotation at the end makes its body's
 *    rotation invalid.
 *
 * Ways that are so long that rounding in double is more than this accuracy set WP_STATUS_WIDE_BRACKET, as in
 * cast.h. Shapes that glance off each other, closer than 3e-6 of size plus distance, may hit or not. `iterations`
 * counts the support evaluations of all steps; `statistics` the rows by their status, and the work of all
 * steps. A ray is the cast of a circle of radius 0. Where shapes without thickness meet, the normal is on the side
 * that B comes from.
 *
 * A body turns from its rotation in the batch to its rotation at the end, the shorter way round; half a turn
 * goes counter-clockwise. At fraction f it has turned by 2 atan2(f sin h, 1 - f + f cos h), h being half the
 * angle between the two. This is the motion that wp_cast gives bodies about Z. A longer turn takes several
 * casts.
 *
 * `motions_a` and `motions_b` belong to batch->a and batch->b; NULL: those bodies stand still. Where batch->b
 * is all zero, motions_b is ignored, because B's bodies are A's. `fraction` is where the fractions go; NULL,
 * or without data: nowhere. Errors are as for wp2d_contact. */
WP_API wp_error wp2d_cast(wp_workspace *workspace, const wp2d_batch *batch, const wp2d_motions *motions_a,
	const wp2d_motions *motions_b, const wp2d_results *results, const wp_float_column *fraction,
	wp_statistics *statistics);

/* ---- one pair ----------------------------------------------------------------------------------- */

/* A pose: rotation (cosine, sine), then translation. */
typedef struct wp2d_pose {
	float position[2]; /* of the shape's origin, world frame */
	float rotation[2]; /* cosine and sine, as in wp2d_bodies */
} wp2d_pose;

/* One pair, with the bits that the batch call gives for it. A bad shape or pose gives WP_STATUS_INVALID with
 * its reason in *row; the return value is about the call itself. `points` has room for point_max points; a
 * point_max of 0 means 2. */
WP_API wp_error wp2d_overlap_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, wp2d_row *row);
WP_API wp_error wp2d_distance_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, wp2d_row *row);
WP_API wp_error wp2d_contact_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, const wp_contact_options *options, wp2d_row *row);
WP_API wp_error wp2d_contact_manifold_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, const wp_contact_options *options, wp2d_row *row,
	wp2d_manifold_point *points, uint32_t point_max, uint32_t *count);

/* One pair, from its poses to its ends; a body whose end is NULL stands still. The bits are the same as by
 * the batch call for a translation of end minus start. */
WP_API wp_error wp2d_cast_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, const wp2d_pose *end_a, const wp2d_pose *end_b, wp2d_row *row,
	float *fraction);

#ifdef __cplusplus
}
#endif

#endif
