/* What a frame leaves for the next one of its tracked pairs: points with their history, or the plane between two shapes. */
#ifndef WP_BATCH_KEEP_H
#define WP_BATCH_KEEP_H

#include "batch/persist.h"
#include "batch/read.h"
#include "batch/write.h"

/* Points as kernels give them to be kept: the first WP_KEPT_FOUND_BYTES of a wp_persistent_manifold, with all arms from the
 * position of A (of B where A is a half-space), and of any age. */
typedef struct wp_found_points {
	wp_persistent_place places[WP_PERSISTENT_POINT_MAX];
	wp_persistent_point points[WP_PERSISTENT_POINT_MAX];
} wp_found_points;

/* Cosine of the angle between normals of patches up to which their points may be the same: 25.8 degrees. */
#define WP_KEEP_SAME_COSINE 0.9

/* A place in a body, in world axes from its origin. */
WP_INLINE void wp_keep_arm(wp_dq turn, const float local[3], float arm[3])
{
	wp_d3_put_floats(wp_dq_turn(turn, wp_d3_of_floats(local)), arm);
}

/* Begin the changes of a frame of rows first .. first + count, which may be NULL. WP_ERROR_PAIR_RANGE for rows whose numbers are
 * not below 2^32 - 1. */
wp_error wp_keep_begin(wp_track_changes *changes, size_t first, size_t count);

/* Keep the points of `count` solved jobs. Of each the bytes of wp_found_points, and how many points there are; the others are
 * any. */
void wp_keep_contacts(const wp_call *call, const wp_jobs *jobs, const int32_t *list, uint32_t count,
	const unsigned char *found, const int32_t *points);

/* Keep the contact of a solved job as its only point, with these features. */
void wp_keep_contact(const wp_call *call, const wp_jobs *jobs, uint32_t job, uint32_t feature_a, uint32_t feature_b);

/* Keep what separates a solved job that has no points. */
void wp_keep_apart(const wp_call *call, const wp_jobs *jobs, uint32_t job);

/* A pair has `count` points now, or patches: its event, and whether its row of the batch is one of the changes, which may be
 * NULL. */
void wp_keep_count(wp_tracked *pair, uint32_t count, size_t row, wp_track_changes *changes);

/* Keep the answer of a row that is no job. */
void wp_keep_strong_row(const wp_call *call, uint32_t row, const wp_input *input, const wp_output *output);

#endif
