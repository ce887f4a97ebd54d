/* To the caller's memory: finished rows, one by one or a bucket of jobs at a time, and their statistics. */
#ifndef WP_BATCH_WRITE_H
#define WP_BATCH_WRITE_H

#include "batch/call.h"

/* Finished values of one row, points relative to the position of A. In 2D the third numbers are not used. */
typedef struct wp_output {
	float separation, lower, upper;
	float normal[3];
	double point_a[3], point_b[3];
	float local_a[3], local_b[3];
	uint32_t status, iterations;
} wp_output;

/* Whether a contact is near enough for a manifold. */
WP_INLINE bool wp_is_near(const wp_call *call, uint32_t status, float separation)
{
	return !(status & (WP_STATUS_BEYOND | WP_STATUS_INVALID)) && separation <= call->max_separation;
}

/* The values of an invalid row. */
void wp_invalid_output(uint32_t invalid, wp_output *output);

/* Write a row's outputs where the caller wants them, and count it unless `statistics` is NULL. `position_a`: where its points
 * are counted from. */
void wp_write_row(
	const wp_call *call, uint32_t row, const double position_a[3], const wp_output *output, wp_statistics *statistics);

/* Write a word where the caller wants it. */
void wp_write_word(wp_uint32_column column, size_t at, uint32_t word);

/* Count a row of the batch by its status. */
void wp_count_row(wp_statistics *statistics, uint64_t row, uint32_t status);

/* Whether points are floats and counted from where the positions are. */
bool wp_has_float_points(const wp_call *call);

/* Whether the outputs that wp_row has are the fields of an array of wp_row. */
bool wp_are_rows(const wp_results *results);

/* Whether a caller wants anything that kernels give as details. */
bool wp_wants_details(const wp_results *results);

/* From where kernels count the points of a job, where they do not count them from where the positions are: the position
 * of A, or of B where A is a half-space. */
void wp_read_origin(const wp_call *call, const wp_jobs *jobs, uint32_t job, double origin[3]);

/* Move a point that is counted from a position in double to where it is. */
WP_INLINE_LARGE void wp_move_point(const double origin[3], float point[3])
{
	for (int i = 0; i < 3; i++)
		point[i] = (float)(origin[i] + (double)point[i]);
}

/* Write the outputs of solved jobs where the caller wants them, and count them if statistics are requested. Rows of jobs
 * that were left to the strong path get no meaningful values and are not counted. */
void wp_write_jobs(const wp_call *call, const wp_jobs *jobs, wp_statistics *statistics);
void wp2d_write_jobs(const wp_call *call, const wp2d_jobs *jobs, wp_statistics *statistics);

/* Where kernels put the outputs of jobs: in rows of the caller's if blocks are whole and rows follow one another, otherwise
 * in the jobs, from where wp2d_write_jobs writes them. */
float *wp2d_rows_of_jobs(const wp_call *call, wp2d_jobs *jobs);

/* Count solved jobs alone. */
void wp_count_jobs(const wp_jobs *jobs, wp_statistics *statistics);

/* Add steps and lanes of contacts that are no rows of the caller's. */
void wp_add_work(wp_statistics *to, const wp_statistics *work);

#endif
