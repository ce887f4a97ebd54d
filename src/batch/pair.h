/* One pair, as a batch of one. */
#ifndef WP_BATCH_PAIR_H
#define WP_BATCH_PAIR_H

#include "batch/call.h"
#include "shape/shape_2d.h"

/* The batch, with a shape table of two; it points into itself and at its arguments. */
typedef struct wp_pair_batch {
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
} wp_pair_batch;

_Static_assert(
	offsetof(wp_pose, rotation) == WP_3D * sizeof(float) && offsetof(wp2d_pose, rotation) == WP_2D * sizeof(float),
	"a pose is a position, then a rotation");

/* Shapes and poses are of the dimension. */
void wp_pair_make(wp_pair_batch *pair, size_t dimension, const void *shape_a, const void *pose_a, const void *shape_b,
	const void *pose_b);

/* The batch of a pair whose shapes a table has; it points at the pair. */
wp_batch wp_batch_of_pair(const wp_pair *pair);

/* Results that fill an array of wp_row, in 2D wp2d_row; NULL: none. */
wp_results wp_results_of(size_t dimension, void *rows);

/* The pointers that all calls of one pair share. */
wp_error wp_check_pair(
	const void *shape_a, const void *pose_a, const void *shape_b, const void *pose_b, const void *row);

/* The pointers that all calls of one pair of a table share. */
wp_error wp_check_pair_of_table(const wp_pair *pair, const void *row);

#endif
