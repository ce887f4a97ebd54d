/* Of the plane, from a caller's row to a job or to the strong path, and from answers back to the caller's
 * row. */
#ifndef WP_SRC_PLANE_PACK_H
#define WP_SRC_PLANE_PACK_H

#include "pack.h"
#include "plane_shape.h"
#include "plane_strong.h"

/* One call, its views with every default filled in. */
typedef struct wp2_call {
	const wp2_core *cores;
	uint64_t core_count;
	wp2_bodies a, b; /* strides never 0 */
	const uint32_t *pair_a, *pair_b;
	size_t pair_stride;
	size_t first;        /* row 0 of the call is this row of the batch */
	wp2_results results; /* strides never 0 */
	wp_query query;
	float max_separation;
	wp2_manifolds manifolds; /* strides never 0; `points` NULL where nobody asks for manifolds */
} wp2_call;

/* One row of a call, read once and judged, as a wp_input. */
typedef struct wp2_input {
	uint32_t body_a, body_b;
	bool has_a, has_b;
	wp2_strong_pair pair;
	double position_a[2], position_b[2];
	uint32_t invalid; /* WP_STATUS_INVALID and its reasons, or 0 */
} wp2_input;

/* Finished values of one row, points relative to the position of A. */
typedef struct wp2_output {
	float separation, lower, upper;
	float normal[2];
	double point_a[2], point_b[2];
	float local_a[2], local_b[2];
	uint32_t status, iterations;
} wp2_output;

/* Bytes of a position or point of this wp_real. */
WP_INLINE size_t wp2_point_size(uint32_t real)
{
	return real == WP_REAL_DOUBLE ? 2 * sizeof(double) : 2 * sizeof(float);
}

/* False for NaN and infinity, and for a length further than 1e-2 from 1. */
WP_INLINE bool wp2_rotation_holds(const float rotation[2])
{
	const float length2 = rotation[0] * rotation[0] + rotation[1] * rotation[1];
	return length2 >= WP_UNIT_SQUARED_MIN && length2 <= WP_UNIT_SQUARED_MAX;
}

/* Read row `row` of the call. Nothing but `invalid` and the bodies is meaningful when it is not 0. */
void wp2_read_row(const wp2_call *call, uint32_t row, wp2_input *input);

/* Make jobs of the rows from `row` on, `count` being the end of them, until a bucket is full or a row is invalid.
 * Returns the row after the last job; *full is the bucket, or NULL. */
uint32_t wp2_pack_rows(
	const wp2_call *call, uint32_t row, uint32_t count, wp2_jobs buckets[WP2_BUCKET_COUNT], wp2_jobs **full);

/* Give the lanes past the last job numbers to compute on. */
void wp2_fill_block(wp2_jobs *jobs);

/* What the kernels found for a job. */
void wp2_read_output(const wp2_jobs *jobs, uint32_t job, wp2_output *output);

/* Solve a row by the strong path, and give what the query asks for. */
void wp2_solve_strong(const wp2_call *call, const wp2_input *input, wp2_output *output);

/* The values of an invalid row. */
void wp2_invalid_output(uint32_t invalid, wp2_output *output);

/* Write what the kernels found where the caller wants it, and count it. Rows left to the strong path are to be
 * written once more, and are not counted. */
void wp2_write_jobs(const wp2_call *call, const wp2_jobs *jobs, wp_statistics *statistics);

/* Write a row's outputs where the caller wants them. */
void wp2_write_row(const wp2_call *call, uint32_t row, const double position_a[2], const wp2_output *output);

#endif
