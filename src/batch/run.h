/* A batch, from its arguments to its last row. */
#ifndef WP_BATCH_RUN_H
#define WP_BATCH_RUN_H

#include "batch/call.h"

/* Check the call and answer all its rows. `statistics` may be NULL. */
wp_error wp_run_batch(wp_workspace *workspace, const wp_batch *batch, const wp_request *request,
	const wp_results *results, wp_statistics *statistics);

/* Where manifolds go, checked: WP_OK, and in `rows` what a request has of them. */
wp_error wp_manifold_rows(const wp_manifolds *manifolds, wp_point_rows *rows);
wp_error wp2d_manifold_rows(const wp2d_manifolds *manifolds, wp_point_rows *rows);

#endif
