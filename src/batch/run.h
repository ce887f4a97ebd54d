/* A batch, from its arguments to its last row. */
#ifndef WP_BATCH_RUN_H
#define WP_BATCH_RUN_H

#include "batch/call.h"

/* Check the call and answer all its rows. `statistics` may be NULL. */
wp_error wp_run_batch(wp_workspace *workspace, const wp_batch *batch, const wp_request *request,
	const wp_results *results, wp_statistics *statistics);

/* Answer the rows of a call in 3D, or the first `count` of its list, as far as buckets fill; wp_run_waiting (bucket.h) answers
 * the rest. */
void wp_run_rows(wp_workspace *workspace, const wp_call *call, uint32_t count, wp_statistics *statistics);

/* Where manifolds go, checked: WP_OK, and in `rows` what a request has of them. */
wp_error wp_manifold_rows(const wp_manifolds *manifolds, wp_point_rows *rows);
wp_error wp2d_manifold_rows(const wp2d_manifolds *manifolds, wp_point_rows *rows);

#endif
