/* From solved contacts to manifolds in the caller's rows. */
#ifndef WP_SRC_MANIFOLD_H
#define WP_SRC_MANIFOLD_H

#include "pack.h"

/* WP_OK, or what is wrong with where manifolds are to go. */
wp_error wp_check_manifolds(const wp_manifolds *manifolds);

/* Have a call write manifolds too, there. */
void wp_ask_manifolds(wp_call *call, const wp_manifolds *manifolds);

/* Keep what the strong path found of a job, whose points are counted from `position_a`, among the outputs. */
void wp_keep_output(
	const wp_call *call, const double position_a[3], const wp_output *output, wp_jobs *jobs, uint32_t job);

/* Make and write the manifolds of jobs that are all solved, by the kernel for their bucket and its width. */
void wp_write_manifolds(
	const wp_call *call, const wp_jobs *jobs, wp_clip *clip, uint32_t width, wp_manifold_scratch *scratch);

/* Write the manifold of a row that is no job, where manifolds are requested: the contact alone, or none. */
void wp_write_manifold_of_single(
	const wp_call *call, uint32_t row, const double position_a[3], const wp_output *output);

#endif
