/* What a frame leaves for the next one of its tracked pairs: points with their history, or the plane between two shapes. */
#ifndef WP_BATCH_KEEP_H
#define WP_BATCH_KEEP_H

#include "batch/read.h"
#include "batch/write.h"

/* Keep the points of a solved job, as kernels give them, counted from the position of A (of B where A is a half-space). */
void wp_keep_contact(const wp_call *call, const wp_jobs *jobs, uint32_t job, const float *from, uint32_t count);

/* Keep what separates a solved job that has no points. */
void wp_keep_apart(const wp_call *call, const wp_jobs *jobs, uint32_t job);

/* A pair has `count` points now, or patches: its event, and whether its row of the batch is one of the changes, which may be
 * NULL. */
void wp_keep_count(wp_tracked *pair, uint32_t count, size_t row, wp_track_changes *changes);

/* Keep the answer of a row that is no job. */
void wp_keep_single(const wp_call *call, uint32_t row, const wp_input *input, const wp_output *output);

#endif
