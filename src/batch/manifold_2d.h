/* 2D manifolds: the kernels' to the caller, and manifolds of rows that the kernels did not answer. */
#ifndef WP_BATCH_MANIFOLD_2D_H
#define WP_BATCH_MANIFOLD_2D_H

#include "batch/read.h"
#include "batch/write.h"

/* Where kernels write manifolds of circles; NULL: in the jobs. */
unsigned char *wp2d_point_rows_of_jobs(const wp_call *call, const wp2d_jobs *jobs);

/* Write the manifolds of the jobs that the kernels answered, after their outputs: points of jobs may be moved. */
void wp2d_write_manifolds(const wp_call *call, wp2d_jobs *jobs);

/* Make the manifold of a row that the strong path answered, and write it; an invalid row has no points. */
void wp2d_write_manifold(const wp_call *call, uint32_t row, const wp_input *input, const wp_output *output);

#endif
