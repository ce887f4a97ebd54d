/* widephase: pairs of bodies that may be compounds, tracked from frame to frame.
 *
 * wp_compound_track is to wp_compound_contact_manifold what wp_track is to wp_contact_manifold: the call of every step of an
 * engine. What it keeps of each pair lies in caller memory: a wp_tracked, which each frame reads, a wp_compound_tracked_anchor,
 * and a wp_compound_tracked_patch for each of its patches, which only frames in which the pair touches read or write. All three
 * are plain data: a wp_tracked of zeros is a pair of which nothing is known, all may be moved and copied, and zeroing its
 * wp_tracked forgets a pair. Pairs are taken from and given back to a wp_track_pool.
 *
 * Method, per pair:
 *  - A pair that was proven further apart than max_separation, all of its children, keeps that bound and where its bodies were.
 *    Since then no two points of the bodies have come nearer by more than |p - p0| + r_a |m - m0| + r_b |k - k0|: p is the way
 *    from A's position to B's, r how far a body reaches from its position, m and k their rotations. (Beside a half-space that
 *    turns, r is the distance of the other body's farthest point.) While the bound less this, all rounding, and what answers of
 *    queries may be off is above max_separation, nothing is searched.
 *  - Where both bodies lie exactly as in the last query of the pair, bit for bit, with the same options, its answer stands.
 *  - All other pairs are queried as by wp_compound_contact_manifold, and have its bits.
 *  - Points match old ones of the same two children by their features first, the nearest if several do, then by distance on A
 *    or on B, up to `merging` apart. What is left of a patch then matches what other children have left, by distance in the
 *    same way, the patches in their order: of two children side by side, either may make the point. The normals of both
 *    patches are within 25.8 degrees of each other (a cosine above 0.9) where distance decides. Points that match keep impulse and
 *    age.
 *
 * Determinism: what a frame writes depends on the pair's compounds, shapes and poses, the options and what was kept of the pair,
 * on nothing else (query.h). */
#ifndef WIDEPHASE_COMPOUND_TRACK_H
#define WIDEPHASE_COMPOUND_TRACK_H

#include "widephase/compound.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most patches of a tracked pair. */
#define WP_COMPOUND_TRACKED_MAX 64

/* What is kept of a point: its arms, from each body's origin in world axes, its age and its impulse. Frozen (base.h). */
typedef wp_mesh_tracked_point wp_compound_tracked_point;

/* A patch of a pair, and what is kept of its points. Frozen (base.h). */
typedef struct wp_compound_tracked_patch {
	wp_compound_patch found;                                 /* as wp_compound_contact_manifold gives it */
	wp_compound_tracked_point points[WP_COMPOUND_POINT_MAX]; /* of the first found.point_count of found.points */
} wp_compound_tracked_patch;

/* The last query of a pair: where its bodies were, and what it found; all of it private. Frozen (base.h). */
typedef struct wp_compound_tracked_anchor {
	double position[3], between[3];     /* of A, and from there to B */
	float rotation_a[4], rotation_b[4]; /* of the bodies */
	float max_separation;               /* of the options */
	uint32_t pair_count;                /* of the answer */
	uint32_t child[2];                  /* of the deepest contact */
	uint32_t answer[26];                /* the deepest contact, or what is proven of all children */
} wp_compound_tracked_anchor;

/* Where the data of tracked pairs is kept: arrays of `count` elements, with the same indices.
 *
 * Callers may read `separation`, `status`, `event` and `count` of a wp_tracked after each frame; `count` is the number of
 * patches, 0 .. patch_max, and separation and status are as by wp_compound_contact_manifold. WP_TRACK_KEPT is in the event of a
 * pair that has no points and was not queried, WP_TRACK_REUSED in the event of one whose answer stands.
 *
 * All of this is trusted, as for wp_track. Zero a pair's wp_tracked before it serves another pair or another call, when the
 * table of shapes is made anew, and when patch_max changes. If wp_shape_table_set replaced a shape, or if a body of the row has
 * another shape or compound than in the last frame, the pair is queried, also if it is another compound at the same index. A
 * row names its bodies in the same order in each frame. */
typedef struct wp_compound_tracked_pairs {
	wp_tracked *pairs;                   /* [count] */
	wp_compound_tracked_anchor *anchors; /* [count] */

	/* [count][patch_max]: the patches of pair i begin at patches[i * patch_max], the deepest first. A frame writes all but the
	 * impulses; new points have zero impulses. Patches from the pair's `count` on mean nothing. */
	wp_compound_tracked_patch *patches;

	/* [count][patch_max]: where a frame puts the patches of a pair before they take the place of the old ones. Nothing is kept
	 * there. */
	wp_compound_patch *room;

	size_t count; /* below 2^32 */
	/* Most patches of a pair, 1 .. WP_COMPOUND_TRACKED_MAX; 0 = 4. Choose no less than the pairs of children that touch at once
	 * (pair_count of the patches): of more the deepest stay, which are others in each frame of a body at rest, so that points
	 * lose their impulses. */
	uint32_t patch_max;

	/* [..] the pair of each row of the batch, so that rows may come in any order. No data: row r is pair r. No two rows of a
	 * frame may name the same pair, which the library does not look for: what comes of it is as of wp_tracked_pairs. */
	wp_const_uint32_column index;
} wp_compound_tracked_pairs;

/* Options of a frame. May grow (base.h). */
typedef struct wp_compound_track_options {
	float max_separation; /* points are made up to this separation, as by wp_compound_contact_manifold; >= 0 */
	float merging; /* a length, >= 0: a new point not further than this from an old one, on A or on B, is the old one */
} wp_compound_track_options;

/* One frame: find the contacts of all rows, and keep what the next frame needs.
 *
 * Ranges of a batch may be answered by several threads at once, as by other queries, each with a wp_track_changes of its own. A
 * row whose index is not below tracked->count is WP_STATUS_INVALID with WP_STATUS_INVALID_TRACKED; a row that is invalid for
 * another reason keeps nothing, and its pair has no points.
 *
 * `results` and `patches` as for wp_compound_contact_manifold, with the same bits, but for `lower` of a row that is
 * WP_TRACK_KEPT: it is what is left of the bound. `results` is not NULL, but no column needs data, because a solver finds what it
 * needs in `tracked`; for the same reason `patches` may be NULL, or without data. Its patch_max is 0 or the number of `tracked`.
 * `changes` and `statistics` may be NULL. Rows that were not queried count as rows, and as touching where they do, in the
 * statistics. Takes 11 KiB of the stack.
 *
 * Errors: as for wp_compound_contact_manifold; NULL options, a NULL array of `tracked` or of a `changes` with a capacity, a
 * merging that is negative or NaN (WP_ERROR_MERGING), if changes are requested rows whose numbers are not below 2^32 - 1
 * (WP_ERROR_PAIR_RANGE), WP_ERROR_TRACKED_COUNT, WP_ERROR_COMPOUND_TRACKED_MAX for a patch_max that is too large or differs from
 * the number of `patches`, and WP_ERROR_TRACKED_INDEX_STRIDE. On an error nothing is written. */
WP_API wp_error wp_compound_track(wp_workspace *workspace, const wp_compound_batch *batch,
	const wp_compound_track_options *options, const wp_compound_tracked_pairs *tracked, const wp_results *results,
	const wp_compound_patches *patches, wp_track_changes *changes, wp_compound_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
