/* widephase: pairs of a convex body and a mesh or a height field, tracked from frame to frame.
 *
 * wp_mesh_track is to wp_mesh_contact what wp_track is to wp_contact_manifold: the call of every step of an engine. What it
 * keeps of each pair lies in caller memory: a wp_tracked, which each frame reads, a wp_mesh_tracked_anchor, and a
 * wp_mesh_tracked_patch for each of its patches, which only frames in which the pair touches read or write. All three are plain
 * data: a wp_tracked of zeros is a pair of which nothing is known, all may be moved and copied, and zeroing its wp_tracked
 * forgets a pair. Pairs are taken from and given back to a wp_track_pool.
 *
 * Method, per pair:
 *  - A pair for which a walk found no triangle keeps a box in the mesh's frame that holds the body, up to its bounding radius
 *    around it, and that the box of no triangle meets. While the body, grown by max_separation, is in the kept box, a walk
 *    would find no triangle again: none is done. Boxes are compared as the walk compares them, so that nothing is rounded, and
 *    the box does not wear down from frame to frame. A body that leaves its boxes within a few frames has none for a while.
 *  - Where both bodies lie exactly as in the last query of the pair, bit for bit, with the same options, its answer stands.
 *  - All other pairs are queried as by wp_mesh_contact. So every row has the bits of wp_mesh_contact, in whatever way it was
 *    answered.
 *  - Points match old ones by triangle and features first, the nearest if several do, and then by distance on A or on B, up to
 *    `merging` apart, where the normals of both patches are within 25.8 degrees of each other (a cosine above 0.9). They keep
 *    impulse and age.
 *
 * Bodies that may have compounds: wp_compound_mesh_track (compound.h), with the same data.
 *
 * Determinism: what a frame writes depends on the pair's shape, mesh and poses, the options and what was kept of the pair, on
 * nothing else (query.h). */
#ifndef WIDEPHASE_MESH_TRACK_H
#define WIDEPHASE_MESH_TRACK_H

#include "widephase/mesh.h"
#include "widephase/track.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is kept of a point from frame to frame. Frozen (base.h). */
typedef struct wp_mesh_tracked_point {
	/* The point on the body and the point on the mesh, each from its body's origin in world axes: the lever arms of a solver where
	 * that is the centre of mass. The body's position plus the arm is the point in the world. */
	float arm_a[3], arm_b[3];

	uint32_t age; /* frames that the point has come through; stays at UINT32_MAX */

	/* The solver's, never read here: a vector in world axes, say, of which the next frame takes the parts along its normal and
	 * tangents. Zero in a new point, untouched as long as the point is kept. */
	float impulse[3];
} wp_mesh_tracked_point;

/* A patch of a pair, and what is kept of its points. Frozen (base.h). */
typedef struct wp_mesh_tracked_patch {
	wp_mesh_patch found;                             /* as wp_mesh_contact gives it */
	wp_mesh_tracked_point points[WP_MESH_POINT_MAX]; /* of the first found.point_count of found.points */
} wp_mesh_tracked_patch;

/* Where both bodies of a pair were in its last query: all of it private. Frozen (base.h). */
typedef struct wp_mesh_tracked_anchor {
	double position_a[3], position_b[3]; /* of the bodies */
	float rotation_a[4], rotation_b[4];  /* of the bodies */
	float max_separation;                /* of the options */
	uint32_t flags;                      /* of the options */
	uint32_t triangle_count;             /* of the answer */
	uint32_t unused;                     /* zero */
} wp_mesh_tracked_anchor;

/* Where the data of tracked pairs is kept: arrays of `count` elements, with the same indices.
 *
 * Callers may read `separation`, `status`, `event` and `count` of a wp_tracked after each frame; `count` is the number of
 * patches, 0 .. patch_max, and separation and status are as by wp_mesh_contact. WP_TRACK_KEPT is in the event of a
 * pair that has no points and was not queried, WP_TRACK_REUSED in the event of one whose answer stands.
 *
 * All of this is trusted, as for wp_track. Zero a pair's wp_tracked before it serves another pair or wp_track, when the table of
 * shapes is made anew, and when patch_max changes. If wp_shape_table_set replaced a shape, or if the bodies of
 * the row have another shape or mesh than in the last frame, the pair is queried, also if it is another mesh at the same index. What
 * changed in the samples of a height field is not noticed, nor is another field at the same index that has other samples alone:
 * see query_all. */
typedef struct wp_mesh_tracked_pairs {
	wp_tracked *pairs;               /* [count] */
	wp_mesh_tracked_anchor *anchors; /* [count] */

	/* [count][patch_max]: the patches of pair i begin at patches[i * patch_max], the deepest first. A frame writes all but the
	 * impulses; new points have zero impulses. Patches from the pair's `count` on mean nothing. */
	wp_mesh_tracked_patch *patches;

	size_t count;       /* below 2^32 */
	uint32_t patch_max; /* most patches of a pair, 1 .. WP_MESH_PATCH_MAX; 0 = 4 */

	/* [..] the pair of each row of the batch, so that rows may come in any order. No data: row r is pair r. No two rows of a
	 * frame may name the same pair, which the library does not look for: what comes of it is as of wp_tracked_pairs. */
	wp_const_uint32_column index;
} wp_mesh_tracked_pairs;

/* Options of a frame. */
typedef struct wp_mesh_track_options {
	float max_separation; /* points are made up to this separation, as by wp_mesh_contact; >= 0 */
	uint32_t flags;       /* of wp_mesh_flag */
	float merging; /* a length, >= 0: a new point not further than this from an old one, on A or on B, is the old one */
	uint32_t query_all; /* not 0: all rows are queried, and points match the last frame's all the same. For the next
	                         frame after samples of a height field have changed, or the field at an index; pairs that have no
	                         row in it keep what they had, until they are zeroed */
} wp_mesh_track_options;

/* One frame: find the contacts of all rows, and keep what the next frame needs.
 *
 * Ranges of a batch may be answered by several threads at once, as by other queries, each with a wp_track_changes of its own. A
 * row whose index is not below tracked->count is WP_STATUS_INVALID with WP_STATUS_INVALID_TRACKED; a row that is invalid for
 * another reason keeps nothing, and its pair has no points.
 *
 * `results` as for wp_mesh_contact, with the same bits: not NULL, but no column needs data, because a solver finds what it needs
 * in `tracked`. results->patch_max is 0 or the number of `tracked`. `changes` and `statistics` may be NULL. Rows that were not
 * queried count as rows, and as touching where they do, in the statistics.
 *
 * Errors: as for wp_mesh_contact; NULL options, a NULL array of `tracked` or of a `changes` with a capacity, a merging that is
 * negative or NaN (WP_ERROR_MERGING), if changes are requested rows whose numbers are not below 2^32 - 1 (WP_ERROR_PAIR_RANGE),
 * WP_ERROR_TRACKED_COUNT, WP_ERROR_TRACKED_PATCH_MAX for a patch_max that is too large or
 * differs from the results', and WP_ERROR_TRACKED_INDEX_STRIDE. On an error nothing is written. */
WP_API wp_error wp_mesh_track(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_track_options *options,
	const wp_mesh_tracked_pairs *tracked, const wp_mesh_results *results, wp_track_changes *changes,
	wp_mesh_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
