/* widephase: triangle meshes and height fields, what meets a box or a ray in one of them, and contacts of convex shapes with
 * them.
 *
 * widephase/cook.h makes a mesh of any triangles. This header reads it: a mesh is bytes in caller memory, as they came
 * from a file. A height field is a struct that the caller fills. */
#ifndef WIDEPHASE_MESH_H
#define WIDEPHASE_MESH_H

#include "widephase/cast.h"
#include "widephase/manifold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Triangles with their neighbours, and a tree of boxes around them. It lives in caller memory, is immutable and position
 * independent: it may be copied to another WP_ALIGNMENT-aligned address, written to disk and mapped. Any number of threads
 * may use one. Contents are private. */
typedef struct wp_mesh wp_mesh;

/* Most triangles of a mesh, and most vertices: 2^28. */
#define WP_MESH_TRIANGLE_MAX 268435456

/* What two triangles make of the edge between them, seen from the side that their normals face. */
typedef enum wp_edge_kind {
	WP_EDGE_FLAT = 0, /* the sine of the angle between the normals is at most 1e-3, and the cosine positive */
	WP_EDGE_CONVEX,   /* a ridge; also triangles that lie back to back */
	WP_EDGE_CONCAVE,  /* a valley */
	WP_EDGE_BOUNDARY, /* no neighbour: the edge is in one triangle, in three or more, or in two that disagree about which
	                    side is the front */
	WP_EDGE_KIND_COUNT /* how many kinds there are; none itself */
} wp_edge_kind;

/* One edge of a triangle. */
typedef struct wp_mesh_edge {
	uint32_t kind;           /* a wp_edge_kind; the neighbour has the same */
	uint32_t neighbour;      /* triangle on the other side; meaningless for WP_EDGE_BOUNDARY, as is the next field */
	uint32_t neighbour_edge; /* which of its edges this is, 0 to 2: it goes the other way there */
} wp_mesh_edge;

/* Check `size` bytes at `memory` (read from a file, say) and, if they hold an intact mesh, set *mesh. Nothing is built.
 * Every byte is covered by a checksum, and everything that queries rely on is checked again: indices, vertices, neighbours,
 * kinds of edges, the tree and its boxes. So no query reads outside of the bytes or loops, whatever they are. Takes time in
 * the number of triangles, about 0.05 us for each. Returns WP_ERROR_MESH_CORRUPT otherwise, also for a mesh that a machine
 * of the other byte order made; *mesh is then NULL. */
WP_API wp_error wp_mesh_from_memory(const void *memory, size_t size, const wp_mesh **mesh);

WP_API size_t wp_mesh_byte_size(const wp_mesh *mesh);      /* bytes to copy or write */
WP_API size_t wp_mesh_vertex_count(const wp_mesh *mesh);   /* distinct vertices, all of them in triangles */
WP_API size_t wp_mesh_triangle_count(const wp_mesh *mesh); /* triangles, 1 .. WP_MESH_TRIANGLE_MAX */
WP_API size_t wp_mesh_node_count(const wp_mesh *mesh);     /* nodes of the tree, 96 bytes each */
WP_API size_t wp_mesh_depth(const wp_mesh *mesh);          /* levels of the tree, 1 or more */

/* The smallest box that holds the mesh, into lower[3] and upper[3]. */
WP_API void wp_mesh_bounds(const wp_mesh *mesh, float lower[3], float upper[3]);

/* Vertex `index` (< vertex count) into vertex[3]. */
WP_API void wp_mesh_vertex(const wp_mesh *mesh, size_t index, float vertex[3]);

/* Indices of the corners of triangle `index` (< triangle count), counter-clockwise seen from its front. Triangles are in
 * the order of the tree: those near each other have near numbers. Edge e goes from corner e to corner (e + 1) % 3. */
WP_API void wp_mesh_triangle(const wp_mesh *mesh, size_t index, uint32_t corners[3]);

/* Which triangle of the cook's input triangle `index` (< triangle count) was. */
WP_API uint32_t wp_mesh_source(const wp_mesh *mesh, size_t index);

/* Unit normal of triangle `index` (< triangle count) into normal[3], to its front, rounded from double. */
WP_API void wp_mesh_normal(const wp_mesh *mesh, size_t index, float normal[3]);

/* Edge `edge` (< 3) of triangle `index` (< triangle count). */
WP_API wp_mesh_edge wp_mesh_edge_of(const wp_mesh *mesh, size_t index, size_t edge);

/* 1 where a body in front of triangle `index` (< triangle count) can touch it along its normal alone: no edge at its corners
 * is convex or a boundary, its own three among them. Otherwise 0. wp_mesh_from_memory believes this bit, but for a triangle
 * with such an edge of its own. */
WP_API int wp_mesh_is_face_only(const wp_mesh *mesh, size_t index);

/* ---- queries ------------------------------------------------------------------------------------ */

/* Find triangles whose own boxes meet a box; touching boxes meet. They come in ascending order, in parts of `capacity`:
 *
 *  uint32_t cursor = 0;
 *  while (cursor < wp_mesh_triangle_count(mesh)) {
 *      wp_mesh_overlap_box(mesh, lower, upper, &cursor, triangles, capacity, &count);
 *      ... triangles[0 .. count)
 *  }
 *
 *  lower, upper   corners of the box in the mesh's frame; may be infinite; WP_ERROR_MESH_BOX for NaN or lower > upper
 *  cursor         the first triangle to look at; on return the one to go on with, the number of triangles if none is left
 *  triangles      [capacity], written; may be NULL if capacity is 0
 *  count          set to how many were found, at most `capacity`; fewer only if none is left
 *
 * Takes no memory. To go on costs about as much as one step down the tree, whatever has been found before. */
WP_API wp_error wp_mesh_overlap_box(const wp_mesh *mesh, const float lower[3], const float upper[3], uint32_t *cursor,
	uint32_t *triangles, size_t capacity, size_t *count);

/* Where a ray meets a mesh. */
typedef struct wp_mesh_hit {
	uint32_t triangle; /* index in the mesh; WP_MESH_MISS if the ray meets nothing, all else is zero then */
	uint32_t is_front; /* 1 where the ray comes from the front of the triangle */
	float fraction;    /* of the way, 0 to 1: the point is start + fraction * way */
	float
		weights[3]; /* of the corners, 0 to 1, their sum is 1 within rounding: the point is also their weighted mean */
} wp_mesh_hit;

/* The number of no triangle. */
#define WP_MESH_MISS UINT32_MAX

/* Find the first triangle on the way from `start` to start + way, from either side. Of triangles with equal fractions it is
 * the one that came first in the cook's input, so the answer does not depend on the tree.
 *
 *  start   in the mesh's frame, finite, within WP_COORDINATE_MAX (query.h); WP_ERROR_MESH_RAY otherwise
 *  way     the same
 *  hit     written on WP_OK
 *
 * Method: the triangle in a frame whose third axis is the ray (Woop, Benthin, Wald 2013, Watertight ray/triangle
 * intersection), in double. A ray through an edge or a corner between triangles meets one of them at least. A ray in the
 * plane of a triangle does not meet it. The fraction is rounded to float from one with an error of about 1e-16 of the
 * distance of the triangle's farthest corner from the start, times how many times as long as high the triangle is, over the sine of
 * the angle at which the ray meets its plane. */
WP_API wp_error wp_mesh_ray(const wp_mesh *mesh, const float start[3], const float way[3], wp_mesh_hit *hit);

/* A column of hits that are written. */
typedef struct wp_mesh_hit_column {
	wp_mesh_hit *data; /* the first hit */
	size_t stride;     /* bytes from hit to hit; 0 = tightly packed */
} wp_mesh_hit_column;

/* wp_mesh_ray for many rays at one mesh, each with the bits of a call of its own. Faster where the mesh is larger than the
 * caches: rays take their steps down the tree in turn, and what one of them waits for is fetched during the steps of others.
 *
 *  start   [count][3], each in the mesh's frame, finite, within WP_COORDINATE_MAX
 *  way     [count][3], the same
 *  count   how many rays; 0 is legal
 *  hit     [count], written on WP_OK; may not overlap the other columns
 *
 * A ray whose start or way is not finite or beyond WP_COORDINATE_MAX is no error: its hit has WP_MESH_MISS and the fraction
 * NaN, all else is zero, and all other rays get their hits. Takes no memory, but 40 KiB of the stack. Errors:
 * WP_ERROR_NULL_MESH; WP_ERROR_NULL_START, _WAY and _HIT, also for a column without data, unless count is 0;
 * WP_ERROR_START_STRIDE, WP_ERROR_WAY_STRIDE and WP_ERROR_HIT_STRIDE. */
WP_API wp_error wp_mesh_rays(const wp_mesh *mesh, const wp_const_float_column *start, const wp_const_float_column *way,
	size_t count, const wp_mesh_hit_column *hit);

/* ---- height fields ------------------------------------------------------------------------------ */

/* Most cells of a height field: 2^28. */
#define WP_HEIGHT_CELL_MAX 268435456

/* The sample of a hole: of floats the largest one, of integers the least one. */
#define WP_HEIGHT_HOLE 3.402823466e38f
#define WP_HEIGHT_HOLE_INT16 (-32768)

/* What samples are. */
typedef enum wp_height_format {
	WP_HEIGHT_FLOAT = 0,   /* floats: a height each */
	WP_HEIGHT_INT16,       /* int16_t: the height is offset + scale * sample, in double, rounded to float */
	WP_HEIGHT_FORMAT_COUNT /* how many there are; none itself */
} wp_height_format;

/* Bits of wp_height_field.flags. */
typedef enum wp_height_flag {
	WP_HEIGHT_OTHER_DIAGONAL = 1 << 0 /* cells are split the other way */
} wp_height_flag;

/* Terrain as samples in caller memory, borrowed: no triangle and no tree is stored. Zero it, fill what is needed, and check it
 * once by wp_height_field_check. Any number of threads may use one; samples may change between calls.
 *
 * In the field's own frame, which its body's pose moves and turns, +y is up: sample `column` of row `row` is the vertex
 * (column * spacing[0], height, row * spacing[1]), of which x and z are exact, and the fronts of all triangles are up.
 *
 * A cell lies between four samples: a at (column, row), b at (column + 1, row), c at (column, row + 1), d at (column + 1, row
 * + 1). Its number is row * (columns - 1) + column. Triangle 2 * cell has the corners a, c, b and triangle 2 * cell + 1 the
 * corners b, c, d, on both sides of the diagonal from b to c; with WP_HEIGHT_OTHER_DIAGONAL they are a, c, d and a, d, b. A
 * triangle with a hole among its corners is not there, and what it would share an edge with has a border. */
typedef struct wp_height_field {
	const void *samples;    /* [rows][columns]; no alignment is needed */
	size_t row_stride;      /* bytes from a row to the next; 0 = tightly packed */
	uint32_t columns, rows; /* samples along x and along z, 2 or more; at most WP_HEIGHT_CELL_MAX cells between them */
	uint32_t format;        /* a wp_height_format */
	uint32_t flags;         /* of wp_height_flag */
	float spacing[2]; /* between columns and between rows, finite and positive; no place is beyond WP_COORDINATE_MAX */
	float scale, offset; /* for WP_HEIGHT_INT16, finite, scale not zero: the height is offset + scale * sample */
} wp_height_field;

/* Check all of a field: its numbers, and each sample, which is finite and within WP_COORDINATE_MAX (query.h), or a hole. Takes
 * about 1 ns a sample. Queries check the numbers alone, and take any sample that is none for a hole. Returns what is wrong:
 * WP_ERROR_NULL_HEIGHT_SAMPLES, WP_ERROR_HEIGHT_COUNT, _FORMAT, _STRIDE, _SPACING, _SCALE or _SAMPLE. */
WP_API wp_error wp_height_field_check(const wp_height_field *field);

/* How many triangles a field has, holes included: two a cell. The field has passed its check, as for the next three calls. */
WP_API size_t wp_height_field_triangle_count(const wp_height_field *field);

/* Corners of triangle `index` (< triangle count) into corners, rounded to float, counter-clockwise seen from above. Returns 1,
 * or 0 where the triangle is in a hole: all is zero then. */
WP_API int wp_height_field_triangle(const wp_height_field *field, size_t index, float corners[3][3]);

/* Unit normal of triangle `index` (< triangle count) into normal[3], upwards, rounded from double; zero in a hole. */
WP_API void wp_height_field_normal(const wp_height_field *field, size_t index, float normal[3]);

/* wp_mesh_ray for a height field: the same method and errors, and the errors of the field's numbers. Of triangles with equal
 * fractions the hit is the one with the least number. Walks from cell to cell below the way. */
WP_API wp_error wp_height_field_ray(
	const wp_height_field *field, const float start[3], const float way[3], wp_mesh_hit *hit);

/* wp_height_field_ray for many rays at one field, each with the bits of a call of its own; the field's numbers are checked once.
 * Columns, rays that are none and errors are as of wp_mesh_rays, and there are the errors of the field's numbers: no hit is
 * written then. Takes no memory. */
WP_API wp_error wp_height_field_rays(const wp_height_field *field, const wp_const_float_column *start,
	const wp_const_float_column *way, size_t count, const wp_mesh_hit_column *hit);

/* ---- contacts ----------------------------------------------------------------------------------- */

/* Rows that pair a body with a convex shape with a body with a mesh or a height field, as wp_batch pairs two convex ones: row r, first <= r <
 * first + count, pairs body pair_a[r] of `a` with body pair_b[r] of `b`. `b` is required: all zero, it is an error
 * (WP_ERROR_BODIES_B_POSITION). Worker threads take ranges of it in the same way. */
typedef struct wp_mesh_batch {
	const wp_shape_table *shapes; /* of the bodies of `a`; borrowed. Half-spaces and custom shapes have no contacts with
	                                 meshes: their rows are WP_STATUS_INVALID_SHAPE_A */
	const wp_mesh *const *meshes; /* [mesh_count], borrowed; NULL entries may be there, but their rows are invalid */
	size_t mesh_count;            /* how many there are */
	const wp_height_field *const *height_fields; /* [height_field_count], borrowed, as meshes are */
	size_t height_field_count;                   /* how many there are */
	wp_bodies a;                                 /* bodies with shapes */
	wp_bodies
		b; /* bodies with meshes or height fields: b.shape below mesh_count is an index into `meshes`, mesh_count + i
	                 is height field i; no data: body i has what number i is. Positions have the wp_real of `a` */
	wp_const_uint32_column pair_a; /* [..] body of A for each row; no data: row r takes body r */
	wp_const_uint32_column pair_b; /* [..] body of B for each row; no data: row r takes body r */
	size_t first;                  /* first row */
	size_t count;                  /* number of rows, below 2^32; 0 is legal */
} wp_mesh_batch;

/* Bits of wp_mesh_options.flags. */
typedef enum wp_mesh_flag {
	WP_MESH_TWO_SIDED = 1 << 0, /* each triangle faces the body, whichever side of it the body's centre is on */
	WP_MESH_GHOSTS = 1 << 1,    /* leave contacts at edges and corners as they are: no normal is turned */
	WP_MESH_SOUP = 1 << 2       /* an edge with another triangle of the mesh along it does not count as a border */
} wp_mesh_flag;

/* How contacts with meshes are made. NULL stands for all zero. */
typedef struct wp_mesh_options {
	float max_separation; /* the speculative distance, >= 0: points are made up to this separation */
	uint32_t flags;       /* of wp_mesh_flag */
} wp_mesh_options;

/* Most patches of a row, and points of a patch. */
#define WP_MESH_PATCH_MAX 8
#define WP_MESH_POINT_MAX 4

/* One point of a patch: point_a is on the body, point_b on the mesh, and point_a + separation * normal is point_b. The triangle
 * and both features name it from frame to frame. */
typedef struct wp_mesh_point {
	float point_a[3], point_b[3]; /* world frame, rounded to float: far from the origin use the local ones */
	float local_a[3], local_b[3]; /* the same points, each in the frame of its own body */
	float separation;             /* of this point, <= max_separation */
	uint32_t triangle;            /* index in the mesh, or in the height field */
	uint32_t feature_a;           /* what of A makes the point, as in wp_manifold_point */
	uint32_t
		feature_b; /* what of the triangle: corner i is i | i << 16, the edge between corners i < j is i | j << 16 */
} wp_mesh_point;

/* Points that share a normal. */
typedef struct wp_mesh_patch {
	float normal[3];                         /* unit, world axes, from A to B: into the mesh */
	float separation;                        /* the least of its triangles; of its points within 1e-5 of L */
	uint32_t point_count;                    /* 1 .. WP_MESH_POINT_MAX */
	wp_mesh_point points[WP_MESH_POINT_MAX]; /* the deepest first; what is not used is zero */
} wp_mesh_patch;

/* A column of the patches of rows, of which an element is all patches that a row may have. */
typedef struct wp_mesh_patch_column {
	wp_mesh_patch *data; /* the first patch of the first row */
	size_t stride;       /* bytes from a row's first patch to the next row's; 0 = tightly packed */
} wp_mesh_patch_column;

/* Where the answers go; any column may be without data. */
typedef struct wp_mesh_results {
	wp_float_column separation; /* [..] the least of all patches; infinity where there is none, NaN in invalid rows */
	wp_float_column normal;     /* [..][3] of that patch; zero where there is none */
	wp_uint32_column status;    /* [..] wp_status bits: SEPARATED, TOUCHING or PENETRATING by the separation; BEYOND too
	                               if there is no point; STRONG, WIDE_BRACKET and so on if a contact of its triangles has
	                               them; or INVALID and its reasons */
	wp_uint32_column triangle_count; /* [..] triangles that have a point */
	wp_uint32_column patch_count;    /* [..] patches written, 0 .. patch_max */
	wp_mesh_patch_column patches;    /* [..][patch_max], the deepest first; what a row does not use is left alone */
	uint32_t patch_max;              /* most patches wanted of a row, 1 .. WP_MESH_PATCH_MAX; 0 = 4 */
} wp_mesh_results;

/* Counts over the rows of a call, added to what is there. */
typedef struct wp_mesh_statistics {
	uint64_t rows;              /* all, invalid ones included */
	uint64_t touching;          /* rows with a patch */
	uint64_t invalid;           /* rows with WP_STATUS_INVALID */
	uint64_t first_invalid_row; /* of all calls; meaningless while invalid is 0 */
	uint64_t triangles;         /* whose boxes meet the box of a row's body, whole groups that are far aside */
	uint64_t behind;            /* of these: their front is away from the body */
	uint64_t beyond;            /* an axis or a ball proves them beyond max_separation */
	uint64_t solved;            /* the others: contacts of the body and one triangle */
	uint64_t touched;           /* triangles with points */
	uint64_t turned;            /* contacts at edges and corners whose normal became the triangle's */
	uint64_t dropped;           /* of those: no point of the body's face lies above the triangle; some may come back */
	uint64_t strong;            /* solved by the double-precision path */
} wp_mesh_statistics;

/* Contacts of convex shapes with meshes: of each row up to patch_max patches, each a normal and up to 4 points, for any number
 * of triangles. `options` and `statistics` may be NULL. A height field has the contacts of a mesh with the same triangles;
 * where it has no numbers that pass its check, its rows are WP_STATUS_INVALID_SHAPE_B.
 *
 * A triangle is looked at from its front: it has no contact with a body whose centre (of a hull, the mean of its vertices) is
 * behind its plane, unless WP_MESH_TWO_SIDED is set. The body and a triangle have the contact of wp_contact_manifold,
 * with its accuracy: L is the larger bounding radius of the body and of the triangle about the middle of its box, not of the
 * mesh. Everything is computed relative to the body, in the mesh's axes: to be far from any origin costs nothing.
 *
 * No ghosts: where triangles meet in a flat or concave edge or corner, nothing sticks out that a body could be stopped by. A
 * contact at an edge or a corner keeps its normal where that is between the normals of the faces around it (within 1e-3): where
 * it leans towards none of the neighbours. Otherwise, and within 3e-3 of the triangle's normal, its normal is the triangle's,
 * and its points are the body's face along that normal, above that triangle; where none is, the triangle has no contact,
 * since a neighbour has it. Ridges, steps, spikes and borders of the mesh keep theirs; but no normal stays that comes from
 * behind (by more than 1e-3): at a border behind the triangle, elsewhere behind all triangles at that edge or corner, as at a
 * valley seen from below. Only neighbours that share both vertices count: seams of unequal vertices and T-junctions are
 * borders, and ghosts there remain; of sheets that share a single vertex, as on both sides of a hole, each counts by itself.
 * Edges of three or more triangles are borders, too. With WP_MESH_SOUP a contact at a border is judged by all triangles of the
 * mesh that hold its point, or have it no further away than 1e-5 of the size of the body or the triangle, and 2^-22 of its
 * largest coordinate: as if they shared vertices there. Each such contact costs a walk down the tree, in a height field a look
 * at the cells around it, and time for each triangle that meets there, up to 4096.
 * Meshes of different bodies know nothing of each other.
 *
 * No row loses its contact by that: if it would have none, or none that overlaps while the body does (by more than 1e-5 of its
 * size), one contact comes back, the deepest that may. From the front it is as it was where the body's centre is behind one of
 * those neighbours; where it is in front of them, the body is below them without touching them, and the contact has the normal
 * of its triangle, and the body's lowest point along that normal of all that are above or below the triangle. From behind it is
 * as it was where it is at a border, leans to no triangle there, and leaves the centre in front of its triangle where it has
 * pushed the body out: the body is beside the border. Otherwise the body came from the front and is so deep that the back is
 * nearer: it has the triangle's normal in the same way. But away from borders there is none where the centre is behind a
 * neighbour of the triangle: the body is behind the surface. Those from the front go before those from behind. A body that
 * touches no triangle has no point behind one, by more than 1e-5 of its size: it passes a border.
 *
 * Points whose normals are within 1.5e-3 of the deepest one's make a patch; some within 3e-3 are in it, too: along the patch's
 * normal, one end of these is off its shape by up to 3e-3 of the separation. Of more than patch_max patches the deepest stay.
 * Of more than 4 points of a patch those stay that hold the body up: a corner of what touches, the point farthest from it, and
 * the two that span the largest area with these. What touches are points up to 1e-3 of the body's size apart, or no further than
 * the deepest by more; others count as less, as half where they are 5e-3 of its size above those. If none of the four is as deep
 * as the deepest within 5e-6 of its size, that one takes the place of the nearest. Of points that are as good within 1e-4, a
 * fixed direction decides, not rounding, so a body at rest keeps its points. Of a cylinder, a cone or an ellipsoid no third point
 * is within 2e-3 of its size of the line between two. The four are chosen of all points up to 16, of more from the farthest in
 * eight directions, where a point that does not touch counts as less far by 50 times its height above 1e-3 of the body's size,
 * and the seven deepest; and of rows with more than ten normals that no patch has from the seven deepest alone.
 *
 * The bits of a row depend on its own shape, triangles, poses and options alone, and not on the order of triangles: the same
 * triangles cooked in another order, or in a height field, have the same patches, with the same points in the same order, and
 * only name them after other numbers. Of equal points of several triangles the one stays whose triangle's places are the
 * least; it is the one with the least number only where these are equal, too, as of a triangle that is there twice. It
 * does matter which corner of a triangle is its first one. The exceptions: statistics of triangles that are far from the body;
 * contacts at corners of more than 4096 triangles, and in soups at places where more of them meet.
 *
 * Errors: as for wp_contact; WP_ERROR_MESH_FLAGS for flags that wp_mesh_flag does not have, WP_ERROR_BODIES_B_POSITION
 * for a `b` without positions, WP_ERROR_NULL_MESHES, WP_ERROR_NULL_HEIGHT_FIELDS, and for results WP_ERROR_MESH_PATCH_MAX,
 * WP_ERROR_NULL_PATCH_COUNT (patches without it) and a stride's error by its name. On an error nothing is written. */
WP_API wp_error wp_mesh_contact(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_options *options,
	const wp_mesh_results *results, wp_mesh_statistics *statistics);

/* Boxes of bodies with meshes or height fields, for the broadphase: of bodies first to first + count - 1 of batch->b, with sides
 * along the axes of the world, body for body. Each is the least box that holds all corners of the mesh, or all samples of the
 * field that are no holes, and max_separation / 2 more on each side, as close as by wp_bodies_bounds (query.h), which
 * describes `bounds`; wp_mesh_bounds is in the mesh's frame, and turned is larger. A body without a mesh or
 * a field that passes its check, of a field of nothing but holes, or with an invalid pose, has lower = infinity and upper =
 * -infinity. `options` may be NULL. Shapes, `a` and pairs are not used, and no workspace is: any number of threads may call it.
 *
 * Method: of a mesh down the tree, to the farthest boxes along all axes first, past nodes that the corners found so far reach
 * beyond, so that few triangles are looked at. A field takes some 5 ns a sample in each call: keep the box of one that stands
 * still.
 *
 * Errors: WP_ERROR_NULL_BATCH, _MAX_SEPARATION, _PAIR_RANGE (of more bodies than batch->b has, too), _NULL_MESHES,
 * _NULL_HEIGHT_FIELDS; of the bodies WP_ERROR_BODIES_B_POSITION, _ROTATION, _REAL and strides; of `bounds` as
 * there. On an error nothing is written. */
WP_API wp_error wp_mesh_bodies_bounds(
	const wp_mesh_batch *batch, const wp_contact_options *options, const wp_bounds *bounds);

/* ---- overlaps, distances, casts ----------------------------------------------------------------- */

/* The other queries of the same rows. A mesh is a surface here, whose triangles have two sides: a body inside of a closed
 * one does not overlap it. A row has the answer of one triangle, as wp_overlap, wp_distance or wp_cast gives it of the body
 * and that triangle, with its accuracy: L is the larger bounding radius of the body and of the triangle about the middle of
 * its box. Everything is computed from the position of A on, in double: to be far from any origin costs nothing. Results are
 * as in query.h; results->cache is left alone; `triangle` is where the triangle's number goes, row for row, WP_MESH_MISS for
 * none. `triangle` and `statistics` may be NULL; of the statistics, rows, touching (rows with WP_STATUS_TOUCHING or
 * WP_STATUS_PENETRATING), invalid, first_invalid_row, triangles (looked at by themselves), beyond (of these, proven not to
 * be the answer), solved and strong are counted. Rows are invalid for the same reasons as in wp_mesh_contact. The bits of a row
 * depend on its own shape, mesh, poses, motions and options alone. On an error nothing is written.
 *
 * A height field has the answers of a mesh with the same triangles, cooked in the order of their numbers, but for three things.
 * An overlap is that of the lowest triangle of the field, which may be another one than the mesh's. `lower` may be proven in
 * another way. And a triangle that the body misses by less than the accuracy, or that is further than max_distance by less, may be
 * the answer of the mesh but not of the field, which chooses cells by their places alone. That much is a large part of a cell only
 * where triangles are some 1e5 times as high as wide. */

/* Does the body share a point with any triangle? The answer is the row of the lowest triangle that it overlaps. If there is
 * none, the status is WP_STATUS_SEPARATED, separation and upper are infinity, all else is zero. */
WP_API wp_error wp_mesh_overlap(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_results *results,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics);

/* How distances to meshes are found. NULL stands for all zero. */
typedef struct wp_mesh_distance_options {
	float max_distance; /* triangles further away do not count; 0: all count. The smaller, the faster */
} wp_mesh_distance_options;

/* How far is the body from the nearest triangle? The answer is the least separation; of equal ones, the triangle that came
 * first in the cook's input has it; `lower` is proven of all triangles. If all are proven apart, further away than
 * max_distance, the status is WP_STATUS_SEPARATED | WP_STATUS_BEYOND, `lower` has the proof, up to max_distance, separation
 * and upper are infinity, and vectors are zero.
 *
 * Method: down the tree, the nearest children first. What is proven further away than some point of the body is from some
 * triangle is left out. A height field has no tree: from the cells below the body outwards, as far as the nearest triangle is
 * away, so a body high above it, or over a wide hole, is slow unless max_distance is small. */
WP_API wp_error wp_mesh_distance(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_mesh_distance_options *options, const wp_results *results, const wp_uint32_column *triangle,
	wp_mesh_statistics *statistics);

/* When does the moving body first touch a triangle of the moving mesh? `motions_a` and `motions_b` belong to batch->a and
 * batch->b; NULL: those bodies stand still. The answer is the hit with the lowest fraction, of equal ones the one with the least
 * separation, then the triangle that came first in the cook's input; statuses, fractions, and what makes a motion invalid are
 * as of wp_cast. If nothing is hit, the fraction is 1, the status WP_STATUS_SEPARATED, separation and upper are infinity,
 * all else is zero.
 *
 * A point at a mesh that does not turn is a ray: answered as by wp_mesh_ray or wp_height_field_ray, with the start and the way in double. Of a mesh that
 * turns, L is also the distance of both positions on the way, since the triangle turns about the position of the mesh; such
 * casts look at more triangles. */
WP_API wp_error wp_mesh_cast(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction,
	const wp_uint32_column *triangle, wp_mesh_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
