/* widephase: compounds, bodies of several convex shapes, each with its own pose, and all queries of them.
 *
 * A compound holds children: indices into the caller's shape table, with poses in the compound's frame, and a tree of boxes
 * around them. It is bytes in caller memory, as hulls and meshes are. A row of a batch pairs two bodies, each of which has a
 * shape of the table or a compound. A car of hulls on the ground, in all positions of one call:
 *
 *     wp_compound_child parts[2] = {{.rotation = {0, 0, 0, 1}, .shape = CABIN},
 *         {.position = {0, -1, 0}, .rotation = {0, 0, 0, 1}, .shape = CHASSIS, .tag = 7}};
 *     wp_error error = wp_compound_build(parts, 2, table, memory, wp_compound_size(2), &car, NULL);
 *     ...
 *     wp_compound_batch batch = {.shapes = table, .compounds = &car, .compound_count = 1,
 *         .a = {..., .shape = {shapes, 0}, .count = 2}, ...};   where shapes[0] is WP_COMPOUND + 0, the car,
 *                                                                 and shapes[1] an index of the table, the ground
 *     error = wp_compound_contact(workspace, &batch, NULL, &results, NULL, NULL);
 *
 * Compounds against meshes and height fields: wp_compound_mesh_contact, frame by frame wp_compound_mesh_track, and
 * wp_compound_mesh_overlap, _distance and _cast. Compounds against each other frame by frame: compound_track.h. */
#ifndef WIDEPHASE_COMPOUND_H
#define WIDEPHASE_COMPOUND_H

#include "widephase/cast.h"
#include "widephase/manifold.h"
#include "widephase/mesh_track.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Children with their poses, and a tree of boxes around them. It lives in caller memory, is immutable and position
 * independent: it may be copied to another WP_ALIGNMENT-aligned address, written to disk and mapped. Any number of threads
 * may use one. Contents are private. */
typedef struct wp_compound wp_compound;

/* One convex shape of a compound. Frozen (base.h). */
typedef struct wp_compound_child {
	float position[3]; /* of the shape's origin, in the compound's frame */
	float rotation[4]; /* unit quaternion x, y, z, w, as in wp_bodies */
	uint32_t shape;    /* index into the shape table; any kind but a half-space */
	uint32_t tag;      /* the caller's own, kept and not looked at */
} wp_compound_child;

/* Most children of a compound: 2^28. */
#define WP_COMPOUND_CHILD_MAX 268435456

/* Bytes that wp_compound_build needs for so many children, a multiple of WP_ALIGNMENT: 320 for one, 1088 for ten, 88 to 104
 * for each of more than 20. 0 where a compound cannot have as many. */
WP_API size_t wp_compound_size(size_t child_count);

/* Build a compound of children[0 .. child_count) into `memory` (aligned to WP_ALIGNMENT, at least
 * wp_compound_size(child_count) bytes). `shapes` is the table that their shapes are in; the compound remembers how large they
 * are, and no address. On success *compound points into `memory`. On an error *compound is NULL and, where `bad_child` is not
 * NULL, *bad_child is the child at fault: with WP_ERROR_COMPOUND_POSE one whose pose is not finite, beyond WP_COORDINATE_MAX,
 * or turned by a quaternion that is not of unit length within 1e-2; with WP_ERROR_COMPOUND_SHAPE one whose shape is not in the
 * table, invalid, or a half-space. Other errors are of the call: WP_ERROR_NULL_CHILDREN, WP_ERROR_COMPOUND_COUNT for none or
 * too many, and errors of memory and of the table.
 *
 * Takes time in the number of children, about 0.2 us for each, and time in the vertices of their hulls. */
WP_API wp_error wp_compound_build(const wp_compound_child *children, size_t child_count, const wp_shape_table *shapes,
	void *memory, size_t memory_size, const wp_compound **compound, size_t *bad_child);

/* Check `size` bytes at `memory` (read from a file, say) and, if they hold an intact compound, set *compound. Nothing is
 * built. Every byte is covered by a checksum, and all that queries rely on is checked again: poses, boxes, the tree. So no
 * query reads outside of the bytes or loops, whatever they are. Returns WP_ERROR_COMPOUND_CORRUPT otherwise, also for a
 * compound that a machine of the other byte order made; *compound is then NULL. */
WP_API wp_error wp_compound_from_memory(const void *memory, size_t size, const wp_compound **compound);

/* Whether the shapes of a table are those that the compound was made for, as it must be after it came from a file, or after
 * shapes of the table were replaced: each is there, is valid, is not a half-space, and lies in the box that the tree has for
 * it. Otherwise WP_ERROR_COMPOUND_SHAPE, and *bad_child (`bad_child` may be NULL) is the first child at fault: the compound
 * is to be built again. A query that comes to such a child makes its row invalid where the shape is missing, or larger about
 * its origin than it was; a shape that leaves its box otherwise may be missed. */
WP_API wp_error wp_compound_check(const wp_compound *compound, const wp_shape_table *shapes, size_t *bad_child);

WP_API size_t wp_compound_byte_size(const wp_compound *compound);   /* bytes to copy or write */
WP_API size_t wp_compound_child_count(const wp_compound *compound); /* children, 1 .. WP_COMPOUND_CHILD_MAX */

/* The smallest box of the compound's frame that holds the boxes of all children, into lower[3] and upper[3]. */
WP_API void wp_compound_bounds(const wp_compound *compound, float lower[3], float upper[3]);

/* Child `index` (< child count), as it was given. */
WP_API void wp_compound_child_at(const wp_compound *compound, size_t index, wp_compound_child *child);

/* Where child `index` (< child count) is in the world if its compound is at `position` with `rotation` (a quaternion of any
 * length but zero): child_position is position + rotation * its own, in double; child_rotation is the product of both
 * rotations in double, of length 1, rounded to float. Queries have these very poses, with positions counted from the
 * position of body A on. */
WP_API void wp_compound_child_pose(const wp_compound *compound, size_t index, const double position[3],
	const float rotation[4], double child_position[3], float child_rotation[4]);

/* ---- rows --------------------------------------------------------------------------------------- */

/* The shape of a body that has compound i is WP_COMPOUND + i. */
#define WP_COMPOUND 0x80000000u

/* Rows that pair bodies with a shape or a compound, as wp_batch pairs bodies with shapes: row r, first <= r < first + count,
 * pairs body pair_a[r] of `a` with body pair_b[r] of `b`. Worker threads take ranges of it in the same way. May grow
 * (base.h). */
typedef struct wp_compound_batch {
	const wp_shape_table *shapes;        /* of all bodies and of the children of all compounds; borrowed */
	const wp_compound *const *compounds; /* [compound_count], borrowed; NULL entries may be there, but their rows are
	                                        invalid */
	size_t compound_count;               /* how many there are, below 2^31 */
	/* a.shape: an index into the table, or WP_COMPOUND + an index into `compounds`; no data: body i has shape i of the
	 * table. */
	wp_bodies a;
	wp_bodies b;                   /* all zero: the same bodies as a */
	wp_const_uint32_column pair_a; /* [..] body of A for each row; no data: row r takes body r */
	wp_const_uint32_column pair_b; /* [..] body of B for each row; no data: row r takes body r */
	size_t first;                  /* first row */
	size_t count;                  /* number of rows, below 2^32; 0 is legal */
} wp_compound_batch;

/* The number of no child. */
#define WP_COMPOUND_MISS UINT32_MAX

/* Where the children go that give a row its answer: indices in their compounds, 0 where a body has a shape itself,
 * WP_COMPOUND_MISS where there is no answer and in invalid rows. Either column may be without data. */
typedef struct wp_child_columns {
	wp_uint32_column a; /* [..] child of A */
	wp_uint32_column b; /* [..] child of B */
} wp_child_columns;

/* Counts over the rows of a call, added to what is there. May grow (base.h). */
typedef struct wp_compound_statistics {
	uint64_t rows;              /* all, invalid ones included */
	uint64_t touching;          /* rows with WP_STATUS_TOUCHING or WP_STATUS_PENETRATING */
	uint64_t invalid;           /* rows with WP_STATUS_INVALID */
	uint64_t first_invalid_row; /* of all calls; meaningless while invalid is 0 */
	uint64_t pairs;             /* pairs of children that the trees left, whose boxes were compared */
	uint64_t beyond;            /* of these: proven not to be the answer, by boxes and balls */
	uint64_t solved;            /* pairs of children that kernels answered */
	uint64_t touched;           /* of these: with points of a manifold */
	uint64_t strong;            /* of these: by the double-precision path */
} wp_compound_statistics;

/* ---- queries ------------------------------------------------------------------------------------ */

/* A row has the answer of one pair of children, as wp_overlap, wp_distance, wp_contact or wp_cast gives it of two bodies that
 * have these shapes at the poses of wp_compound_child_pose, with its bits and its accuracy: L is the larger bounding radius of
 * both children. Points are counted from the position of A on, in double: to be far from any origin costs nothing. A body
 * with a shape of the table is the only child of itself, and two of these have the bits of wp_contact and the others, but in a
 * row without an answer: that is as below.
 *
 * Results are as in query.h, with local_a and local_b in the frames of the bodies, not of the children, and `lower` proven of
 * all pairs of children; results->cache is left alone. A row is invalid for the same reasons as there, and with
 * WP_STATUS_INVALID_SHAPE_A or _B where a body names no compound, or a child's shape is not the table's
 * (wp_compound_check). `children` and `statistics` may be NULL. Ranges, strides, determinism and threads are as for
 * wp_contact; on an error nothing is written.
 *
 * Method: down both trees at once, the nearest boxes first, each compared with the other in both frames. Pairs of children
 * that no bound proves worse than the best answer known go into a ring that all rows share, so lanes are full also where each
 * row has few. A full ring is answered, and the walks go on; neither its size nor the order of rows changes a bit. */

/* Do the bodies share a point? The answer is the row of the lowest pair of children that overlaps: by the child of A, then by
 * the child of B. If there is none, the status is WP_STATUS_SEPARATED, separation and upper are infinity, all else is zero. */
WP_API wp_error wp_compound_overlap(wp_workspace *workspace, const wp_compound_batch *batch, const wp_results *results,
	const wp_child_columns *children, wp_compound_statistics *statistics);

/* How distances of compounds are found. NULL stands for all zero. May grow (base.h). */
typedef struct wp_compound_distance_options {
	float max_distance; /* children further apart do not count; 0: all count. The smaller, the faster */
} wp_compound_distance_options;

/* How far are the bodies apart? The answer is the least separation; of equal ones, the lowest pair of children has it. If all
 * are proven apart, further than max_distance, the status is WP_STATUS_SEPARATED | WP_STATUS_BEYOND, `lower` has what is proven,
 * separation and upper are infinity, and vectors are zero. */
WP_API wp_error wp_compound_distance(wp_workspace *workspace, const wp_compound_batch *batch,
	const wp_compound_distance_options *options, const wp_results *results, const wp_child_columns *children,
	wp_compound_statistics *statistics);

/* The deepest contact: the least signed separation of all pairs of children, of equal ones of the lowest pair, up to
 * options->max_separation: those that are proven further apart do not count. To leave a compound along the normal by the
 * depth frees that pair alone; others may still overlap, which is what manifolds are for. If all children are proven further
 * apart, the row is as for wp_compound_distance. `options` may be NULL. */
WP_API wp_error wp_compound_contact(wp_workspace *workspace, const wp_compound_batch *batch,
	const wp_contact_options *options, const wp_results *results, const wp_child_columns *children,
	wp_compound_statistics *statistics);

/* Most points of a patch, and patches of a row. */
#define WP_COMPOUND_POINT_MAX 4
#define WP_COMPOUND_PATCH_MAX 65536

/* The contact of one pair of children: one normal, and the manifold of both. Frozen (base.h). */
typedef struct wp_compound_patch {
	float normal[3];           /* unit, world axes, from A to B */
	float separation;          /* of both children */
	uint32_t child_a, child_b; /* indices in the compounds; 0 for a body that has a shape itself */
	uint32_t status;           /* wp_status bits of this pair */
	uint32_t point_count;      /* 1 .. WP_COMPOUND_POINT_MAX */
	/* The points of wp_contact_manifold, local ones in the frames of the bodies; what is not used is zero. */
	wp_manifold_point points[WP_COMPOUND_POINT_MAX];
} wp_compound_patch;

/* A column of the patches of rows, of which an element is all patches that a row may have. */
typedef struct wp_compound_patch_column {
	wp_compound_patch *data; /* the first patch of the first row */
	size_t stride;           /* bytes from a row's first patch to the next row's; 0 = tightly packed */
} wp_compound_patch_column;

/* Where patches go, beside the results of the deepest contact. May grow (base.h). */
typedef struct wp_compound_patches {
	wp_uint32_column pair_count;  /* [..] pairs of children with points, also beyond patch_max; no data: not written */
	wp_uint32_column patch_count; /* [..] patches written, 0 .. patch_max */
	/* [..][patch_max], the deepest first, of equal ones the lowest pair of children; what a row does not use is left
	 * alone, unless the row turned out to be invalid. */
	wp_compound_patch_column patches;
	uint32_t patch_max; /* most patches wanted of a row, 1 .. WP_COMPOUND_PATCH_MAX; 0 = 4 */
} wp_compound_patches;

/* The deepest contact, with the bits of wp_compound_contact, and a patch for each pair of children that comes within
 * max_separation. Each pair has a normal of its own, so none are merged: what an engine keeps from frame to frame is known by
 * child_a, child_b and the features of a point. Children know nothing of each other: a body that slides over two side by side
 * may be stopped by the edge between them. Ground without such ghosts is a mesh or a height field. If there are more than
 * patch_max, the deepest stay. `patches` must have patch_count and patches; `options` may be NULL. */
WP_API wp_error wp_compound_contact_manifold(wp_workspace *workspace, const wp_compound_batch *batch,
	const wp_contact_options *options, const wp_results *results, const wp_compound_patches *patches,
	wp_compound_statistics *statistics);

/* When do the moving bodies first touch? `motions_a` and `motions_b` belong to batch->a and batch->b; NULL: those bodies stand
 * still. The answer is the hit with the lowest fraction, of equal ones the one with the least separation, then the lowest pair
 * of children; statuses, fractions, and what makes a motion invalid are as of wp_cast. If nothing is hit, the fraction is 1,
 * the status WP_STATUS_SEPARATED, separation and upper are infinity, all else is zero.
 *
 * A compound that turns takes its children along: each is at the pose of wp_compound_child_pose for the pose of its body at
 * that fraction, so its origin goes along an arc. Such a child is on no straight way: a point among them is no ray, and the
 * method is conservative advancement. Boxes are bounded in 16 parts of the time, so casts with wide turns look at
 * more pairs. A row whose children are more than some 1e8 L from the origins of their bodies, which turn, has
 * WP_STATUS_WIDE_BRACKET. */
WP_API wp_error wp_compound_cast(wp_workspace *workspace, const wp_compound_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction,
	const wp_child_columns *children, wp_compound_statistics *statistics);

/* Boxes of bodies, for the broadphase: wp_bodies_bounds (query.h) of bodies of batch->a that have a shape or a compound, with its
 * bounds, options and errors; besides, WP_ERROR_NULL_COMPOUNDS. A body with a shape has the bits of that call. The box of a
 * compound is the least one that holds all of its children at the poses of wp_compound_child_pose, and max_separation / 2
 * more, as close as there; wp_compound_bounds is in the compound's frame, and turned is larger. A body with
 * an invalid pose or without a compound, or with a child that its table does not fit (wp_compound_check) where the call comes to
 * it, has lower = infinity and upper = -infinity.
 *
 * Method: down the tree, past nodes that the children found so far reach beyond, along all axes. So of many children few are
 * looked at. */
WP_API wp_error wp_compound_bodies_bounds(
	const wp_compound_batch *batch, const wp_contact_options *options, const wp_bounds *bounds);

/* ---- against meshes ----------------------------------------------------------------------------- */

/* wp_mesh_contact (mesh.h) of rows whose body of A may be a compound: batch->a.shape is an index into the table, or WP_COMPOUND
 * + an index into `compounds` ([compound_count], borrowed; NULL entries may be there, but their rows are invalid). A row with
 * a shape has the bits of wp_mesh_contact.
 *
 * A row with a compound has the contacts of all of its children, each a body of its own at the pose of
 * wp_compound_child_pose: which triangles face it, which of its contacts are ghosts, and its accuracy do not depend on the
 * others. Its patches are the patches of all children, merged by normal as a child's own are, so that a table on four legs has
 * one patch on a floor. Spheres, capsules, segments and points come after the other children, both in their order.
 * Separation and normal are the deepest patch's, the triangle count is the sum of all children's. local_a is in the frame of
 * the body, feature_a is the child's. A child whose shape is missing or has no contacts with meshes makes its row
 * WP_STATUS_INVALID_SHAPE_A.
 *
 *  children     where the child of each point of each patch goes, [..][patch_max][WP_MESH_POINT_MAX], row for row as the
 *               patches are, with bytes from row to row as its stride, 0 = tightly packed; 0 for points that are not used and
 *               in rows with a shape; what a row does not use is left alone. NULL, or without data: nowhere
 *
 * Errors as by wp_mesh_contact; besides, WP_ERROR_NULL_COMPOUNDS, and WP_ERROR_PATCHES_STRIDE for the stride of children. On an
 * error nothing is written. Of statistics, rows, touching and invalid are counted by rows, the others over all children. */
WP_API wp_error wp_compound_mesh_contact(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_mesh_options *options,
	const wp_mesh_results *results, const wp_uint32_column *children, wp_mesh_statistics *statistics);

/* One frame of such rows: wp_compound_mesh_contact, with its bits, from what is kept of each pair, as wp_mesh_track is
 * wp_mesh_contact (mesh_track.h). A row with a shape is as by that call. For pairs with a compound:
 *  - A compound is one body: it has one wp_tracked, one anchor, and the patches that all of its children have together.
 *    In the points of these, arm_a is from the body's origin. A query answers children in the order of
 *    wp_compound_mesh_contact, whatever is kept of other rows.
 *  - A compound none of whose children found a triangle keeps one box that no triangle's box meets, around the box of the
 *    whole compound (wp_compound_bounds). While that one, grown by max_separation, stays in it, no child is searched. A compound that
 *    its shapes do not fit (wp_compound_check) keeps no box.
 *  - Where compound and mesh lie as in the last query, the answer of all children stands.
 *  - Points match old ones by child, triangle and features first, and then by distance, up to `merging` apart in the frame of
 *    either body, also where another child has them now: of two children side by side, either may make the point. They keep
 *    impulse and age. A patch keeps nothing of its own: points go with their history from patch to patch.
 *
 * What is kept belongs to the compound's bytes and its children's shapes. If the body has another compound or shape, or
 * wp_shape_table_set replaced a child's shape, the pair is queried; the compound's index and address may change.
 *
 *  tracked_children   [tracked->count][patch_max][WP_MESH_POINT_MAX], the caller's, not NULL: the child of each point in
 *                     tracked->patches, 0 of points that are not used and of pairs with a shape. Written with the
 *                     patches; what is read of it are the elements of patches that a pair has. Needs no initial values, and
 *                     goes with the patches where they are moved
 *  children           where the same goes row for row, as by wp_compound_mesh_contact; NULL, or without data: nowhere
 *
 * All else is as for wp_mesh_track. Errors as by both calls; besides, WP_ERROR_NULL_TRACKED_CHILDREN. On an error nothing is
 * written. */
WP_API wp_error wp_compound_mesh_track(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_mesh_track_options *options,
	const wp_mesh_tracked_pairs *tracked, uint32_t *tracked_children, const wp_mesh_results *results,
	const wp_uint32_column *children, wp_track_changes *changes, wp_mesh_statistics *statistics);

/* The other queries of the same rows (mesh.h). A row with a shape has the bits of wp_mesh_overlap, wp_mesh_distance or
 * wp_mesh_cast.
 *
 * A row with a compound has the answer of one child and one triangle, with the bits of that call for the child at the pose of
 * wp_compound_child_pose, positions counted from the body's on, and its accuracy: L is the larger bounding radius of the child
 * and of the triangle about the middle of its box. local_a is in the frame of the body, `lower` is proven of all children and
 * all triangles. A child whose shape is missing or has no contacts with meshes makes its row WP_STATUS_INVALID_SHAPE_A.
 *
 *  child        where the child goes that gives a row its answer, row for row as the results: 0 in rows with a shape,
 *               WP_COMPOUND_MISS where there is no answer and in invalid rows. NULL, or without data: nowhere
 *  triangle     where its triangle goes, as in mesh.h
 *
 * Errors as by those calls; besides, WP_ERROR_NULL_COMPOUNDS, and WP_ERROR_CHILD_A_STRIDE for the stride of `child`. On an
 * error nothing is written. Of statistics, rows, touching and invalid are counted by rows, the others over all children.
 *
 * Method: children begin in their order and go down the tree of the mesh as bodies of their own. What is proven or answered of
 * one of them leaves out triangles of the others. All rows share the
 * ring, whose size changes no bit. */

/* Does the body share a point with any triangle? The lowest child that overlaps one answers, with the lowest triangle
 * that it overlaps. */
WP_API wp_error wp_compound_mesh_overlap(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_results *results,
	const wp_uint32_column *child, const wp_uint32_column *triangle, wp_mesh_statistics *statistics);

/* How far is the nearest child from the nearest triangle? The answer is the least separation; of equal ones, the lowest child
 * has it, then the triangle that came first in the cook's input. `options` may be NULL. */
WP_API wp_error wp_compound_mesh_distance(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_mesh_distance_options *options,
	const wp_results *results, const wp_uint32_column *child, const wp_uint32_column *triangle,
	wp_mesh_statistics *statistics);

/* When does the moving body first touch a triangle of the moving mesh? The answer is the hit with the lowest fraction, of equal
 * ones the one with the least separation, then the lowest child, then the triangle that came first in the cook's input.
 *
 * A compound that turns takes its children along, as in wp_compound_cast: each is at the pose of wp_compound_child_pose for the
 * pose of its body at that fraction. Such a child is on no straight way: a point among them is no ray, boxes are bounded in 16
 * parts of the time, so casts with wide turns look at more triangles, and points are counted from the position of the body.
 * Of a mesh that turns L is also the distance of both positions on the way, and for a child that turns with its compound the
 * distance of the child from the compound's origin, too. */
WP_API wp_error wp_compound_mesh_cast(wp_workspace *workspace, const wp_mesh_batch *batch,
	const wp_compound *const *compounds, size_t compound_count, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction,
	const wp_uint32_column *child, const wp_uint32_column *triangle, wp_mesh_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
