/* widephase: contact points kept from frame to frame.
 *
 * A solver that starts from the impulses of the last frame needs far fewer steps. For that, each point of this frame must
 * be matched to its point of the last. A wp_persistent_manifold keeps the points of one pair: plain data in caller memory,
 * one for each pair in contact, empty when all bytes are zero. Nothing here reads shapes, and no workspace is needed;
 * different manifolds may be used by different threads at once.
 *
 * With wp_contact_manifold, which finds all points at once: wp_persistent_update each frame; in frames that skip the
 * query, wp_persistent_refresh.
 * With wp_contact, which finds one point a frame: wp_persistent_refresh with the new normal, then wp_persistent_add.
 *
 * Method: the points keep their places in both bodies, and their separations and slides are computed anew from the
 * poses, as in Bullet's btPersistentManifold. All arithmetic is in double, and the bits depend on the arguments
 * alone, not on the machine or the caller's rounding mode. */
#ifndef WIDEPHASE_PERSIST_H
#define WIDEPHASE_PERSIST_H

#include "widephase/manifold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most points that are kept of a pair. */
#define WP_PERSISTENT_POINT_MAX 4

/* A kept point as it is now. Its arms are a solver's lever arms where a body's origin is its centre of mass: the body's position
 * plus the arm is the point in the world. Frozen (base.h). */
typedef struct wp_persistent_point {
	float arm_a[3];   /* of the point on A: from A's origin, in world axes */
	float separation; /* along the normal of the manifold, < 0 for an overlap */
	float arm_b[3];   /* in the same way, of the point on B */
	uint32_t age;     /* updates and refreshes that the point has come through; stays at UINT32_MAX */
} wp_persistent_point;

/* Where a kept point is in both bodies: it stays there until the shapes are queried again. Frozen (base.h). */
typedef struct wp_persistent_place {
	float local_a[3];   /* in the frame of A */
	uint32_t feature_a; /* as in wp_manifold_point */
	float local_b[3];   /* in the frame of B */
	uint32_t feature_b; /* in the same way */
} wp_persistent_place;

/* All that is kept of a pair; without points when all bytes are zero. The first `count` elements of each array are in use, one
 * of each for a point. 320 bytes: where they are aligned to 64 bytes, a solver reads the last three cache lines, and wp_track
 * writes no others of points that are reused. Frozen (base.h). */
typedef struct wp_persistent_manifold {
	wp_persistent_place places[WP_PERSISTENT_POINT_MAX]; /* where the points are in both bodies */
	wp_persistent_point points[WP_PERSISTENT_POINT_MAX]; /* as they are now */

	/* The solver's, never read here: a vector in world axes, say, of which the next frame takes the parts along its normal and
	 * tangents. Zero for a new point, untouched as long as the point is kept. */
	float impulses[WP_PERSISTENT_POINT_MAX][3];

	float normal[3]; /* unit, world axes, from A to B; of the last call that had one */
	uint32_t count;  /* points in use */
} wp_persistent_manifold;

/* When points stop being the same. Lengths, each >= 0; infinity means never. */
typedef struct wp_persistent_thresholds {
	float breaking; /* a point further apart than this along the normal is dropped; choose no less than the
	                   max_separation of the queries */
	float sideways; /* a point whose ends on A and B have slid apart by more than this across the normal is dropped */
	float merging;  /* a new point not further than this from an old one, on A or on B, is the old one */
} wp_persistent_thresholds;

/* All three as 0.02 of a size: the smaller bound of the two shapes (wp_shape_table_bound), or the larger one if the
 * smaller is zero. Bullet does the same: gContactBreakingThreshold is 0.02, times the size of the smaller shape, for all
 * three. */
WP_API wp_persistent_thresholds wp_persistent_thresholds_of(float size);

/* Poses for the calls below from positions in double. The calls use only the position of B relative to A: A's becomes
 * zero, B's the difference, computed in double and rounded once. A pose may be where its rotation is read from. Errors: a NULL
 * pointer (WP_ERROR_NULL_POSITION_A and so on, by its name), with which nothing is written. Numbers are not checked here: the
 * calls below check the poses. */
WP_API wp_error wp_persistent_poses(const double position_a[3], const float rotation_a[4], const double position_b[3],
	const float rotation_b[4], wp_pose *pose_a, wp_pose *pose_b);

/* wp_persistent_refresh, wp_persistent_update and wp_persistent_add have in common:
 *  - an error leaves the manifold as it was: a NULL pointer (WP_ERROR_NULL_MANIFOLD and so on, by its name); a manifold of more
 *    points than there can be (WP_ERROR_PERSISTENT_MANIFOLD); a position that is not finite or beyond WP_COORDINATE_MAX, or a
 *    rotation further than 1e-2 from unit length (WP_ERROR_POSE); a normal as far from it (WP_ERROR_NORMAL); a
 *    threshold that is NaN or negative (WP_ERROR_THRESHOLD); a new point that is not finite or beyond
 *    WP_COORDINATE_MAX (WP_ERROR_CONTACT_POINT);
 *  - rotations and the normal are normalised inside;
 *  - kept points stay in their order, new ones come after them. */

/* New poses: compute arms and separations of all points anew, and drop the points that have come apart. `normal` may be
 * NULL: then the manifold keeps its own, in world axes; a manifold without points needs none. */
WP_API wp_error wp_persistent_refresh(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_persistent_thresholds *thresholds);

/* Replace all points by the `count` points of a manifold found at these poses. New points match old ones by their features
 * first, the nearest if several do, and then by distance: the nearest new and old points first, up to `merging` apart. A
 * new point that matches keeps impulse and age of the old one. Separations are taken as they are.
 *
 * More than WP_PERSISTENT_POINT_MAX points are first reduced to the deepest, and the three that span the largest area with
 * it across the normal. A hundredth of the square of their largest distance is added to the area, so that the ends of a
 * line stay. Of equals, the first ones stay.
 *
 * Without points (count is 0) the manifold is empty afterwards, whatever the other arguments hold, and `points` may be
 * NULL; so rows that are invalid or beyond max_separation may be passed as they come. More than WP_MANIFOLD_POINT_MAX
 * points are an error (WP_ERROR_CONTACT_POINT). Of each point, the local points, the separation and the features are read. */
WP_API wp_error wp_persistent_update(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_manifold_point *points, uint32_t count, const wp_persistent_thresholds *thresholds);

/* Add one point found at these poses. A point further apart than `breaking` is not added. A point not further than
 * `merging` from old ones replaces the nearest of them, and keeps its impulse and age. Of five points, four are kept by the
 * rule above, in which the new one comes last. */
WP_API wp_error wp_persistent_add(wp_persistent_manifold *manifold, const wp_pose *pose_a, const wp_pose *pose_b,
	const float normal[3], const wp_manifold_point *point, const wp_persistent_thresholds *thresholds);

#ifdef __cplusplus
}
#endif

#endif
