/* Rows alone: what is no job for the kernels, invalid or custom, and what they left open. By the strong path. */
#ifndef WP_BATCH_STRONG_ROW_H
#define WP_BATCH_STRONG_ROW_H

#include "batch/read.h"
#include "batch/workspace.h"
#include "batch/write.h"

/* Read a row, answer it, write it and count it; empty its cache. Where it is invalid, the position of A in `input` is
 * zero. */
void wp_run_strong_row(wp_workspace *workspace, const wp_call *call, uint32_t row, wp_input *input, wp_output *output,
	wp_statistics *statistics);

#endif
