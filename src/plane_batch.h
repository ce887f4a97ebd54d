/* What the queries of the plane share: how a call is checked, and its defaults filled in. */
#ifndef WP_SRC_PLANE_BATCH_H
#define WP_SRC_PLANE_BATCH_H

#include "plane_pack.h"

wp_error wp2_check_call(
	const wp_workspace *workspace, const wp2_batch *batch, const wp2_results *results, float max_separation);

/* Of arguments that pass the check, and a batch that is not empty. `manifolds` may be NULL. */
wp2_call wp2_make_call(const wp2_batch *batch, const wp2_results *results, const wp2_manifolds *manifolds,
	wp_query query, float max_separation);

/* One pair as a batch of one, with a shape table of two; it points into itself and at its arguments. */
typedef struct wp2_pair {
	wp2_corners corners[2];
	wp2_core cores[2];
	wp2_shape_table table;
	uint32_t shape[2];
	wp2_batch batch;
} wp2_pair;
void wp2_pair_make(
	wp2_pair *pair, const wp2_shape *shape_a, const wp2_pose *pose_a, const wp2_shape *shape_b, const wp2_pose *pose_b);

#endif
