/* Buckets of jobs of the plane: filled from rows, run through the kernels as they fill, and written. */
#ifndef WP_SRC_PLANE_JOBS_H
#define WP_SRC_PLANE_JOBS_H

#include "batch/single.h"

/* Before a call: the memory of the buckets is shared with kernels of space. */
void wp2_empty_buckets(wp2_memory *memory);

/* As wp_run_jobs and wp_run_waiting (batch/bucket.h). */
uint32_t wp2_run_jobs(
	wp_workspace *workspace, const wp_call *call, uint32_t row, uint32_t count, wp_statistics *statistics);
void wp2_run_waiting(wp_workspace *workspace, const wp_call *call, wp_statistics *statistics);

/* Make and write the manifold of an answered row, where manifolds are requested. */
void wp2_write_manifold(const wp_call *call, uint32_t row, const wp_input *input, const wp_output *output);

#endif
