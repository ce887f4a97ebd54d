/* widephase: pairs tracked from frame to frame: the call of every step of an engine.
 *
 * Most pairs of a frame have moved little since the last. wp_track answers them from what it kept of each pair in caller
 * memory: a wp_tracked for every pair, which each frame reads, and a wp_persistent_manifold for its contact points, which
 * only frames in which the pair touches read or write. Both are plain data: all bytes zero is a pair of which nothing is
 * known, both may be moved and copied, and zeroing its wp_tracked forgets a pair.
 *
 * Method, per pair:
 *  - A pair that was proven further apart than max_separation keeps the plane of that proof: its normal in the frames of
 *    both bodies, and how far apart the shapes are along it. In the next frame let m be the normal as A carries it, k as B
 *    does, t the way from A's position to B's and R the bound of B's core. No point of B turns further towards A than
 *    R |m - k|, so the shapes are still apart by  c + m.t - R |m - k|  where c was found with the proof. (The same holds
 *    with A and B swapped; the smaller shape is the one that turns.) If this, less all rounding, is above max_separation,
 *    nothing is searched. The bound depends on the present poses alone: it does not wear down from frame to frame, and it
 *    is as proven as the answer of a query.
 *  - A pair that touches may keep its points if `reuse_error` is above 0. Its last query left a plane too, and the place p0
 *    and rotation q0 of the smaller body in the frame of the larger one, where it is now at p and q. The plane bounds the
 *    separation from below, as above. Two bounds hold from above: the separation of that query plus how far any point of
 *    the smaller body has moved since, |p - p0| + 2 R |q - q0|, and the distances of the points themselves. Separations of
 *    the points are computed anew from the poses, along the normal as the larger body carries it; the least of them is the
 *    pair's, or the bound that it is beyond. If it is no further than `reuse_error` from either bound, nothing is searched: the
 *    true separation is as near to the reported one. Where the lower bound is too wide, the supports of both shapes along that
 *    normal are computed, then along the normal as the smaller body carries it; where the upper one is, how deep the deepest point of each body is in
 *    the other one, and if that is not enough, one between it and the mean of all points (not in cylinders, cones and
 *    ellipsoids), and then what EPA's last polytope proves, with `polytopes`. If the points stay, the new upper bound, p and
 *    q take the place of the query's: from there the body may move as far again. Boxes that overlap are bounded by their 15
 *    axes from both sides, wherever they were. A point keeps its places in both bodies, which may slide apart across the normal
 *    by `merging`, or by `reuse_error` if that is more: then the pair is queried. (Lengths above 1e18 are not limited.)
 *  - All other pairs are queried as by wp_contact_manifold, from the features that the last frame found (wp_cache), and have
 *    its bits: separation, normal, local points and features are the same as by that call with the same cache.
 *  - With `polytopes`, a pair of hulls or boxes that overlaps keeps what EPA's last polytope proves: its face nearest to the
 *    origin, the next one if that is beside it, and how far all others were away when the bodies lay so. In the next frames the
 *    two faces are computed anew, and the others are no nearer than that less how far any point of B has moved in A's frame. If
 *    the first face still is the nearest, one support along its normal proves the depth, and nothing is expanded. Separation and
 *    normal are within the contract, as a query's are, but their last bits may differ.
 *  - New points match old ones by their features first, the nearest if several do, and then by distance, up to `merging`
 *    apart. They keep impulse and age, as by wp_persistent_update.
 *
 * Determinism: what a frame writes depends on the pair's shapes and poses, the options and what was kept of the pair, on
 * nothing else (query.h). */
#ifndef WIDEPHASE_TRACK_H
#define WIDEPHASE_TRACK_H

#include "widephase/persist.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What happened to a pair in the last frame. */
typedef enum wp_track_event {
	WP_TRACK_BEGAN = 1 << 0, /* it has points, and had none in the frame before */
	WP_TRACK_ENDED = 1 << 1, /* it has no points any more */
	WP_TRACK_KEPT = 1 << 2,  /* proven apart by the kept plane: nothing was searched */
	WP_TRACK_REUSED = 1 << 3 /* kept its points: nothing was searched */
} wp_track_event;

/* What is kept of one pair: 64 bytes, frozen (base.h). The first four fields are private; the others may be read after each
 * frame.
 *
 * Unlike a wp_cache it is trusted: with bytes that wp_track did not write, or with another table of shapes, shapes that
 * overlap may be reported as proven apart. Zero it before it serves another pair, and when the table is made anew. If
 * wp_shape_table_set replaced a shape, if a body has taken another shape of the table, or if the row names other bodies than
 * in the last frame (an engine may have moved its bodies to other places), the pair is queried. A row names its bodies in
 * the same order in each frame. */
typedef struct wp_tracked {
	wp_cache known;    /* where the next query starts; for a pair that was proven apart, the plane */
	uint32_t body[2];  /* the bodies of A and B for which the plane holds */
	uint32_t shape[2]; /* and their shapes, numbered so that a shape that replaced another differs from it */
	float lever;       /* bound of the smaller core, < 0 where that is A's, odd for boxes that touch; 0: no plane */
	float separation;  /* as wp_contact gives it; a proven lower bound in a row that is WP_STATUS_BEYOND */
	uint32_t status;   /* wp_status bits */
	uint16_t event;    /* wp_track_event bits */
	uint16_t count;    /* points in its wp_persistent_manifold, 0 .. WP_PERSISTENT_POINT_MAX */
} wp_tracked;

/* What is also kept of a pair that touches if points may be reused: all of it private. Frozen (base.h). */
typedef struct wp_tracked_anchor {
	float plane[8]; /* the plane of the last query, as in the wp_tracked of a pair that is apart */
	float position
		[4]; /* of the smaller body in the frame of the larger one, when the upper bound was found; that bound */
	float rotation[4]; /* its rotation there; boxes have neither */
} wp_tracked_anchor;

/* What is also kept of a pair that overlaps if depths are to be proven again: all of it private, zero if nothing is known. Frozen
 * (base.h). It names the shapes and the poses that it holds for, so it need not be zeroed when its pair is; otherwise it is trusted
 * as a wp_tracked is: zero it when the table of shapes is made anew. A frame writes it only for pairs whose depth it had to search
 * for. */
typedef struct wp_tracked_polytope {
	uint32_t vertex[4]; /* of the nearest face, and the third of the face beside it */
	float position[3];  /* of B in A's frame when EPA ran, scaled */
	float room;         /* how far all other faces were from the origin */
	float rotation[4];  /* of B in A's frame */
	uint32_t shape[2];  /* of A and B, as in wp_tracked */
	uint32_t edge;      /* which one the two faces share */
	float scale;        /* of lengths */
} wp_tracked_polytope;

/* Where the data of tracked pairs is kept: arrays of `count` elements, with the same indices. */
typedef struct wp_tracked_pairs {
	wp_tracked *pairs; /* [count] */

	/* The points of pairs that touch. `count` of a manifold equals its pair's; normal and points are of the last frame in
	 * which the pair had any. A frame writes all but the impulses; new points have zero impulses. */
	wp_persistent_manifold *manifolds;

	/* NULL where no points are reused. */
	wp_tracked_anchor *anchors;

	size_t count; /* below 2^32 */

	/* [..] the pair of each row of the batch, so that rows may come in any order. No data: row r is pair r.
	 *
	 * No two rows of a frame may name the same pair, in one call or in several. The library does not look for such rows: that
	 * would take memory, and time of every row. What the pair keeps is then of one of the rows or some of each, which is not
	 * what wp_track wrote: later frames may be wrong (see wp_tracked), impulses and changes too. Calls of several threads race
	 * for it. To find such rows in a debug build, mark each pair as its row is added to the batch. */
	wp_const_uint32_column index;

	/* NULL where no depths are proven again: then pairs that overlap have the bits of queries. Hulls that overlap for many frames
	 * take 0.8 of the time with it, and fewer of them are searched again where points are reused; pairs of other kinds gain
	 * nothing. */
	wp_tracked_polytope *polytopes;
} wp_tracked_pairs;

/* Options of a frame. Points that are reused are of the pair's last query, up to the max_separation of then: in a frame with
 * another one let reuse_error be 0, so that all pairs that touch are queried. */
typedef struct wp_track_options {
	float max_separation; /* points are made up to this separation, as by wp_contact; >= 0 */
	float merging; /* a length, >= 0, as in wp_persistent_thresholds; and how far both ends of a point may slide apart
	                         across the normal while it is reused */
	float reuse_error; /* a length, >= 0: pairs that touch may keep their points while the reported separation is
	                         proven to be within it of the true one. Of the normal nothing is proven: it is carried along,
	                         until both bodies carry it more than 10 degrees apart. 0: all pairs that touch are queried in
	                         every frame */
} wp_track_options;

/* The rows whose pair began or ended to touch, so that callers need not look through all rows. The order depends on the
 * batch alone, not on the variant. */
typedef struct wp_track_changes {
	uint32_t *rows;  /* [capacity] rows of the batch, or NULL */
	size_t capacity; /* rows that there is room for; as many as the batch has are enough */
	size_t count;    /* written: how many there were, also those beyond the capacity */
} wp_track_changes;

/* One frame: find the contacts of all rows, and keep what the next frame needs.
 *
 * Ranges of a batch may be answered by several threads at once, as by other queries, each with a wp_track_changes of its
 * own. results->cache is left alone. A row whose index is not below tracked->count is WP_STATUS_INVALID with
 * WP_STATUS_INVALID_TRACKED; a row that is invalid for another reason keeps nothing, and its pair has no points.
 *
 * Errors: as for wp_contact; NULL options or pairs, a reuse_error that is negative or NaN, and, if changes are requested, rows
 * whose numbers are not below 2^32 - 1 (WP_ERROR_PAIR_RANGE). On an error nothing is written.
 *
 * `results` as for wp_contact: not NULL, but no column needs data, because a solver finds what it needs in `tracked`. In a
 * row that is WP_TRACK_KEPT, lower is the separation and upper is infinite. In a row that is WP_TRACK_REUSED, lower and upper
 * are the bounds above, and WP_STATUS_WIDE_BRACKET is set. In both, local points are zero, and point_a and point_b are the
 * position of A. `changes` and `statistics` may be NULL. */
WP_API wp_error wp_track(wp_workspace *workspace, const wp_batch *batch, const wp_track_options *options,
	const wp_tracked_pairs *tracked, const wp_results *results, wp_track_changes *changes, wp_statistics *statistics);

/* ---- pairs that come and go --------------------------------------------------------------------- */

/* The index that names no pair of a pool. */
#define WP_TRACK_NONE 0xffffffffu

/* Pairs in caller memory, taken and given back by index. Plain data; not for several threads at once. To make room for more,
 * move the pairs, and all else that has their indices, to larger arrays, and set `pairs` and `capacity`. */
typedef struct wp_track_pool {
	wp_tracked *pairs;  /* [capacity], borrowed */
	uint32_t capacity;  /* below WP_TRACK_NONE */
	uint32_t used;      /* the first `used` were taken at least once */
	uint32_t available; /* private: the first pair of the list of pairs that were given back */
} wp_track_pool;

/* A pool without pairs in use. `pairs` needs no initial values; it may be NULL if capacity is 0. Errors: WP_ERROR_NULL_POOL,
 * WP_ERROR_NULL_PAIRS, and WP_ERROR_POOL_CAPACITY if capacity is WP_TRACK_NONE. */
WP_API wp_error wp_track_pool_init(wp_track_pool *pool, wp_tracked *pairs, uint32_t capacity);

/* Take a pair of which nothing is known: its index, or WP_TRACK_NONE if all are in use or `pool` is NULL. */
WP_API uint32_t wp_track_pool_take(wp_track_pool *pool);

/* Give a pair back: WP_ERROR_TRACKED_INDEX if it is not in use. */
WP_API wp_error wp_track_pool_give(wp_track_pool *pool, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
