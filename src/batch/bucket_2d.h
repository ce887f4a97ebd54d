/* Buckets of 2D jobs: filled from rows, run through the kernels as they fill, and written. */
#ifndef WP_BATCH_BUCKET_2D_H
#define WP_BATCH_BUCKET_2D_H

#include "batch/strong_row.h"

/* Before a call: the memory of the buckets is shared with 3D kernels. */
void wp2d_empty_buckets(wp2d_memory *memory);

/* As wp_run_jobs and wp_run_waiting (batch/bucket.h). */
uint32_t wp2d_run_jobs(
	wp_workspace *workspace, const wp_call *call, uint32_t row, uint32_t count, wp_statistics *statistics);
void wp2d_run_waiting(wp_workspace *workspace, const wp_call *call, wp_statistics *statistics);

#endif
