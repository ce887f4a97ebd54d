/* Buckets of jobs of like kinds: filled from rows, run through the kernels as they fill, and written. */
#ifndef WP_BATCH_BUCKET_H
#define WP_BATCH_BUCKET_H

#include "batch/call.h"
#include "batch/workspace.h"

/* Make rows jobs, and run each bucket that fills up: those from number `at` on of the call's list, or of all. Returns the
 * first that is no job for the kernels, or `count`. */
uint32_t wp_run_jobs(
	wp_workspace *workspace, const wp_call *call, uint32_t at, uint32_t count, wp_statistics *statistics);

/* Run the jobs that wait for their bucket to fill. */
void wp_run_waiting(wp_workspace *workspace, const wp_call *call, wp_statistics *statistics);

/* Make the first `count` jobs of workspace->running those that kernels take; their inputs are where wp_input_of_running has
 * them. */
void wp_take_running(wp_workspace *workspace, uint32_t count);

/* Run these jobs, which have the kinds of bucket number `index`, not of half-spaces. Rows that kernels leave open run alone and
 * are written; the answers of the others are in workspace->jobs, and counted if statistics are requested. */
void wp_solve_running(
	wp_workspace *workspace, const wp_call *call, uint32_t index, uint32_t count, wp_statistics *statistics);

#endif
