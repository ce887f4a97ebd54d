/* One pair, as a batch of one. */
#ifndef WP_BATCH_PAIR_H
#define WP_BATCH_PAIR_H

#include "batch/call.h"
#include "shape/shape_2d.h"

/* The batch, with a shape table of two; it points into itself and at its arguments. */
typedef struct wp_pair {
	union {
		struct {
			_Alignas(WP_ALIGNMENT) float small[2][WP_SMALL_CORE_FLOATS];
			wp_core cores[2];
		};
		struct {
			wp2d_corners corners[2];
			wp2d_core cores_2d[2];
		};
	};
	wp_shape_table table;
	uint32_t shape[2];
	wp_batch batch;
} wp_pair;

void wp_pair_make(
	wp_pair *pair, const wp_shape *shape_a, const wp_pose *pose_a, const wp_shape *shape_b, const wp_pose *pose_b);
void wp2d_pair_make(wp_pair *pair, const wp2d_shape *shape_a, const wp2d_pose *pose_a, const wp2d_shape *shape_b,
	const wp2d_pose *pose_b);

/* The pointers that all calls of one pair share. */
wp_error wp_check_pair(
	const void *shape_a, const void *pose_a, const void *shape_b, const void *pose_b, const void *row);

#endif
