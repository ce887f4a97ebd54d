/* From solved contacts to manifolds in the caller's rows. */
#ifndef WP_BATCH_MANIFOLD_H
#define WP_BATCH_MANIFOLD_H

#include "batch/write.h"

/* Keep what the strong path found of a job, whose points are counted from `position_a`, among the outputs. */
void wp_keep_output(
	const wp_call *call, const double position_a[3], const wp_output *output, wp_jobs *jobs, uint32_t job);

/* Make and write the manifolds of jobs that are all solved, by the kernels of one variant and their width. */
void wp_write_manifolds(const wp_call *call, const wp_jobs *jobs, const wp_kernels *kernels, const wp_kernels *half,
	wp_manifold_scratch *scratch);

/* Write the manifold of a row that is no job: the contact alone, or none. */
void wp_write_manifold_of_strong_row(
	const wp_call *call, uint32_t row, const double position_a[3], const wp_output *output);

#endif
