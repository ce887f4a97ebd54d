/* widephase: shapes, the shape table, convex hulls.
 *
 * Every shape is a core plus a radius: the set of points within `radius` of the core (the Minkowski
 * sum of the core with a ball). A sphere is a point core, a capsule a segment core; a box, a triangle
 * or a hull with a radius has rounded edges and grows by it. */
#ifndef WIDEPHASE_SHAPE_H
#define WIDEPHASE_SHAPE_H

#include "widephase/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What kind of core a shape has, in the shape's own frame. */
typedef enum wp_shape_kind {
	WP_SHAPE_POINT = 0,  /* core: the shape's own origin */
	WP_SHAPE_SPHERE,     /* core: the origin; radius > 0 is usual, 0 is legal */
	WP_SHAPE_SEGMENT,    /* core: points[0] to points[1] */
	WP_SHAPE_CAPSULE,    /* core: the segment (0, -half_height, 0) to (0, +half_height, 0) */
	WP_SHAPE_TRIANGLE,   /* core: points[0], points[1], points[2], without thickness */
	WP_SHAPE_BOX,        /* core: |x| <= half_extents[0], |y| <= half_extents[1], |z| <= half_extents[2] */
	WP_SHAPE_HULL,       /* core: the convex hull of the vertices of *hull */
	WP_SHAPE_CYLINDER,   /* core: x^2 + z^2 <= base_radius^2, |y| <= half_height */
	WP_SHAPE_CONE,       /* core: from the disc of base_radius around (0, -half_height, 0) to the point
	                       (0, +half_height, 0) */
	WP_SHAPE_ELLIPSOID,  /* core: the ellipsoid with the semi-axes half_extents[0 .. 3) along X, Y, Z */
	WP_SHAPE_CUSTOM,     /* core: the convex body whose support function is *custom */
	WP_SHAPE_HALF_SPACE, /* core: y <= 0, all of it solid: the surface goes through the body's position, across its
	                       local Y, and has its normal along +Y */
	WP_SHAPE_KIND_COUNT  /* how many kinds there are; not a kind */
} wp_shape_kind;

/* A hull lives in caller memory, is immutable and position independent: it may be copied to another
 * WP_ALIGNMENT-aligned address, written to disk and mapped. Contents are private. */
typedef struct wp_hull wp_hull;

/* The support function of the caller's convex body: a point of the body that is farthest along a direction, both in the
 * shape's own frame (Ericson, Real-Time Collision Detection, 2005, ch. 9.5.4). Any convex body has one; the function of a
 * sum of bodies is the sum of their functions.
 *
 * Pairs with such a body are solved one at a time, in double precision: some ten times slower than other smooth pairs.
 * The contract of smooth shapes holds (query.h) if the function keeps its promises: brackets are proven from the points
 * that it returns. Round bodies about one centre have no nearest face, and their brackets may stay wider
 * (WP_STATUS_WIDE_BRACKET). Manifolds of such pairs have one point, and caches are emptied. */
typedef struct wp_custom {
	/* Called with `context`, a direction that is finite and not zero, of any length, and room for the point. May be
	 * called by several threads at once, with rounding to nearest. Must give the same bits for the same direction, or
	 * answers differ from call to call. A point that is not finite, or further from the origin than `bound`, makes the
	 * row WP_STATUS_INVALID with WP_STATUS_INVALID_SHAPE_A or _B. The error of the point's distance along the direction
	 * should be below 1e-13 of `bound`: brackets do not include it. */
	void (*support)(const void *context, const double direction[3], double point[3]);
	const void *context; /* passed to the function, never read */
	float bound;         /* upper bound of the distance of the body's points from the shape's origin: finite, >= 0.
	                          Choose it tight: with the radius it is the length unit of the accuracy contract */
} wp_custom;

/* A plain description of a shape, in the shape's own frame. Fields that are not named at the kind above are ignored. All
 * numbers must be finite, lengths must be >= 0; zero is legal everywhere. Frozen (base.h). */
typedef struct wp_shape {
	uint32_t kind;           /* a wp_shape_kind */
	float radius;            /* rounding radius, >= 0; it raises the surface of a half-space */
	float half_height;       /* capsule: half the length of the core segment, along local Y; cylinder, cone: half
	                          the height */
	float half_extents[3];   /* box; ellipsoid: its semi-axes */
	float points[3][3];      /* segment: the first two; triangle: all three */
	float base_radius;       /* cylinder, cone; not the rounding radius */
	const wp_hull *hull;     /* hull: borrowed, must outlive the shape table */
	const wp_custom *custom; /* custom: borrowed, must outlive the shape table, as must its context */
} wp_shape;

/* Shorthands; each leaves the unused fields zero. To round a shape, set `radius` afterwards. */
WP_API wp_shape wp_shape_point(void);
WP_API wp_shape wp_shape_sphere(float radius);
WP_API wp_shape wp_shape_segment(const float start[3], const float end[3]);
WP_API wp_shape wp_shape_capsule(float radius, float half_height);
WP_API wp_shape wp_shape_triangle(const float a[3], const float b[3], const float c[3]);
WP_API wp_shape wp_shape_box(float half_x, float half_y, float half_z);
WP_API wp_shape wp_shape_hull(const wp_hull *hull);
WP_API wp_shape wp_shape_cylinder(float base_radius, float half_height);
WP_API wp_shape wp_shape_cone(float base_radius, float half_height);
WP_API wp_shape wp_shape_ellipsoid(float semi_x, float semi_y, float semi_z);
WP_API wp_shape wp_shape_custom(const wp_custom *custom);

/* A half-space has no numbers but its rounding radius, which raises its surface: the pose of its body places it. It pairs
 * with every other kind. Two half-spaces in one row make both shapes of that row invalid, because no row can hold their
 * depth. It has no extent of its own, so accuracy depends on the other shape alone (query.h): contacts with a ground plane
 * may be far from its body's position. */
WP_API wp_shape wp_shape_half_space(void);

/* Lower-case name of a kind ("box"), or "unknown". Static storage, never NULL. */
WP_API const char *wp_shape_kind_name(wp_shape_kind kind);

/* ---- hulls -------------------------------------------------------------------------------------- */

/* Most vertices a hull may have. */
#define WP_HULL_VERTEX_MAX 65535

/* Bytes of memory that wp_hull_build needs for a hull of that many vertices, faces and face indices, a multiple of
 * WP_ALIGNMENT; 0 when a count is out of range. */
WP_API size_t wp_hull_size(size_t vertex_count, size_t face_count, size_t face_index_count);

/* Input of wp_hull_build. The vertices are taken as they are, in their order: they should be the
 * extreme points of a convex polyhedron, but interior points and duplicates only cost time. Flat,
 * collinear and single-point sets are legal. To compute hull and faces from arbitrary points, see
 * widephase/cook.h.
 *
 * Faces, where they are given, must be the whole surface of the hull: convex polygons, each edge in two of them, once in
 * either direction, no vertex outside any of them. A flat hull has two faces, one for each side. Faces that are all
 * clockwise are turned (wp_hull_turned). Each vertex may be out of place by rounding: by 2^-20 (1e-6) of the length of
 * (largest |x|, largest |y|, largest |z|). Whatever this rounding can explain is accepted: faces as thin as it are not
 * judged, nor are faces of a hull that is a million of its sizes away from its origin. Without faces all queries work, but
 * manifolds have one point (widephase/manifold.h). */
typedef struct wp_hull_input {
	wp_const_float_column vertices; /* [vertex_count][3], finite, within WP_COORDINATE_MAX (query.h) */
	size_t vertex_count;            /* 1 .. WP_HULL_VERTEX_MAX */
	const uint32_t *face_sizes;     /* [face_count] vertices of each face, >= 3; may be NULL if face_count is 0 */
	const uint32_t *face_indices;   /* [sum of face_sizes] counter-clockwise seen from outside; may be NULL, too */
	size_t face_count;              /* 0 = faces unknown: all queries work without, but manifolds have one point */
} wp_hull_input;

/* Build a hull into `memory` (aligned to WP_ALIGNMENT, at least wp_hull_size(...) bytes). On success
 * *hull points into `memory`. On an error *hull is NULL and, where `bad_index` is not NULL, *bad_index
 * is the vertex (WP_ERROR_HULL_VERTEX) or face (errors that begin with WP_ERROR_HULL_FACE) at fault.
 * The time grows with the number of faces times vertices. */
WP_API wp_error wp_hull_build(
	const wp_hull_input *input, void *memory, size_t memory_size, const wp_hull **hull, size_t *bad_index);

/* Check `size` bytes at `memory` (read from a file, say) and, if they hold an intact hull, set *hull.
 * Every byte is covered by a checksum, and everything that wp_hull_build checks is checked again, except that no vertex
 * is outside a face: the time grows with the number of vertices alone. Returns WP_ERROR_HULL_CORRUPT otherwise, also for a
 * hull that a machine of the other byte order made; *hull is then NULL. */
WP_API wp_error wp_hull_from_memory(const void *memory, size_t size, const wp_hull **hull);

WP_API size_t wp_hull_byte_size(const wp_hull *hull);    /* bytes to copy or write */
WP_API size_t wp_hull_vertex_count(const wp_hull *hull); /* vertices, 1 .. WP_HULL_VERTEX_MAX */
WP_API size_t wp_hull_face_count(const wp_hull *hull);   /* faces; 0 if they are unknown */

/* 1 if wp_hull_build turned all faces, because they were clockwise seen from outside; otherwise 0. */
WP_API int wp_hull_turned(const wp_hull *hull);

/* Vertex `index` (< vertex count) into vertex[3]. */
WP_API void wp_hull_vertex(const wp_hull *hull, size_t index, float vertex[3]);

/* Indices of face `index` (< face count), counter-clockwise seen from outside, *size of them.
 * Points into the hull. */
WP_API const uint32_t *wp_hull_face(const wp_hull *hull, size_t index, size_t *size);

/* Unit normal of face `index` (< face count) into normal[3], pointing outwards, rounded from double; zero for a face
 * without area. The normal of a polygon that is not quite plane is the normal of its area (Newell's method: Sutherland,
 * Sproull, Schumacker 1974). */
WP_API void wp_hull_face_normal(const wp_hull *hull, size_t index, float normal[3]);

/* ---- the shape table ---------------------------------------------------------------------------- */

/* Shapes made ready for batches: validated once, so that batches need not. In caller memory, borrowed
 * by every batch that names it; not position independent (it points at the hulls). Any number of threads may use one
 * table, as long as none changes it. */
typedef struct wp_shape_table wp_shape_table;

/* What wp_shape_table_build found wrong with shapes, if anything. */
typedef struct wp_shape_report {
	size_t invalid_count; /* shapes that no pair may use; pairs that do get WP_STATUS_INVALID */
	size_t first_invalid; /* index of the first such shape; meaningless when there is none */
	const char *reason;   /* what is wrong with it, naming the field; NULL when there is none */
} wp_shape_report;

/* Bytes that wp_shape_table_build and wp_shape_table_init need for `count` shapes, a multiple of WP_ALIGNMENT; SIZE_MAX where
 * that is more than a size_t can hold. */
WP_API size_t wp_shape_table_size(size_t count);

/* Build a table of shapes[0 .. count) into `memory` (aligned to WP_ALIGNMENT, at least
 * wp_shape_table_size(count) bytes). `shapes` may be NULL if count is 0. An invalid shape (unknown
 * kind, NaN, infinity, negative length, null or corrupt hull, no support function) does not fail the call: it is marked,
 * counted in *report (may be NULL), and the others stay usable. This table cannot be changed; wp_shape_table_init makes
 * one whose shapes come and go. */
WP_API wp_error wp_shape_table_build(const wp_shape *shapes, size_t count, void *memory, size_t memory_size,
	const wp_shape_table **table, wp_shape_report *report);

/* Make a table with room for `count` shapes and none of them in it: every index has an invalid shape until it is
 * set. The memory is as above. */
WP_API wp_error wp_shape_table_init(void *memory, size_t memory_size, size_t count, wp_shape_table **table);

/* Add a shape, or replace the one that has this index (WP_ERROR_SHAPE_INDEX: not below the count). A shape that is invalid,
 * as above, is refused (WP_ERROR_SHAPE): the table stays as it was, and *reason (`reason` may be NULL) names the field;
 * otherwise it is set to NULL. *shape is copied; the hull or the support function of a shape that was replaced may go.
 *
 * No other call may use the table meanwhile, in any thread. Caches and the data of wp_track stay right: wp_track queries
 * the pairs of this shape again (up to 2^32 replacements in one table). Bounds that callers have read, and thresholds made
 * of them, are theirs to renew. Bodies keep the index, and so get the new shape. */
WP_API wp_error wp_shape_table_set(wp_shape_table *table, size_t index, const wp_shape *shape, const char **reason);

/* Remove a shape, if the index has one: rows that name it get WP_STATUS_INVALID_SHAPE_A or _B until it is set again. As
 * wp_shape_table_set in all else. */
WP_API wp_error wp_shape_table_remove(wp_shape_table *table, size_t index);

/* Indices of the table: its shapes, invalid ones and unset ones included. */
WP_API size_t wp_shape_table_count(const wp_shape_table *table);

/* Bounding radius of shape `index` about its own origin, rounding radius included: the length unit of
 * the accuracy contract. Infinite for a half-space, 0 for an index out of range or an invalid shape. */
WP_API float wp_shape_table_bound(const wp_shape_table *table, size_t index);

#ifdef __cplusplus
}
#endif

#endif
