/* From a caller's row to a job, and from a finished job back to the caller's row. */
#ifndef WP_SRC_PACK_H
#define WP_SRC_PACK_H

#include "base.h"
#include "bundle.h"
#include "shape.h"
#include "strong.h"
#include "widephase/manifold.h"
#include "workspace.h"

/* One call, its views with every default filled in. */
typedef struct wp_call {
	const wp_core *cores;
	uint64_t core_count;
	wp_bodies a, b; /* strides never 0 */
	const uint32_t *pair_a, *pair_b;
	size_t pair_stride;
	size_t first; /* row 0 of the call is this row of the batch */
	wp_cache *cache;
	size_t cache_stride; /* never 0 */
	wp_results results;  /* strides never 0 */
	wp_query query;
	float max_separation;
	wp_job_method method;
	float margin;
	wp_directions directions;
	wp_manifolds manifolds; /* strides never 0; `points` NULL where nobody asks for manifolds */
} wp_call;

/* One row of a call, read and judged. Indices are read once: what was checked is what is used, whatever other threads
 * write to the caller's memory meanwhile. */
typedef struct wp_input {
	uint32_t body_a, body_b;
	bool has_a, has_b; /* whether there are such bodies */
	const wp_core *a, *b;
	double position_a[3], position_b[3];
	float rotation_a[4], rotation_b[4];
	uint32_t invalid; /* WP_STATUS_INVALID and its reasons, or 0 */
} wp_input;

/* Finished values of one row, points relative to the position of A. */
typedef struct wp_output {
	float separation, lower, upper;
	float normal[3];
	double point_a[3], point_b[3];
	float local_a[3], local_b[3];
	uint32_t status, iterations;
} wp_output;

/* Whether points are told in float and counted from where the positions are. */
bool wp_has_float_points(const wp_call *call);

/* From where kernels count the points of a job, where they do not count them from where the positions are: the position
 * of A, or of B where A is a half-space. */
void wp_read_origin(const wp_call *call, const wp_jobs *jobs, uint32_t job, double origin[3]);

/* v turned from world axes to those of a body. */
void wp_to_local(const float rotation[4], const double v[3], float local[3]);

/* Whether a caller asks for anything that kernels give as details. */
bool wp_wants_details(const wp_results *results);

/* Make rows from `row` on, up to `count`, jobs in the buckets of their core kinds, until one is full, which
 * `*full` then is, or NULL. Returns the first row that is not packed: where none is full and it is below
 * `count`, its body or shape is invalid, or custom. Kernels leave to the strong path what else is invalid or out
 * of their range. */
uint32_t wp_pack_rows(
	const wp_call *call, uint32_t row, uint32_t count, wp_bucket buckets[WP_BUCKET_COUNT], wp_bucket **full);

/* Order the jobs of a bucket so that those come last whose shapes the spheres around them tell further apart than `limit`.
 * Returns how many the others are. Of half-spaces there are no spheres. */
uint32_t wp_put_apart_last(wp_bucket *bucket, float limit);

/* The body that a row names, and whether there is such a body. */
WP_INLINE uint32_t wp_body_of_row(const uint32_t *pair, size_t stride, size_t row, size_t body_count, bool *inside)
{
	if (pair == NULL) {
		*inside = row < body_count;
		return (uint32_t)row;
	}
	const uint32_t body = wp_read_once(wp_offset(pair, row * stride));
	*inside = body < body_count;
	return body;
}

/* False for NaN and infinity, and for a length further than 1e-2 from 1, as kernels have it. */
WP_INLINE bool wp_rotation_holds(const float rotation[4])
{
	const float length2 = (rotation[0] * rotation[0] + rotation[1] * rotation[1]) +
	                      (rotation[2] * rotation[2] + rotation[3] * rotation[3]);
	return length2 >= WP_UNIT_SQUARED_MIN && length2 <= WP_UNIT_SQUARED_MAX;
}

/* Read row `row` of the call. Nothing but `invalid` and the bodies is meaningful when it is not 0. */
void wp_read_row(const wp_call *call, uint32_t row, wp_input *input);

/* Write the outputs of solved jobs where the caller wants them, and count them. Rows of jobs that were left to the strong
 * path get no meaningful values and are not counted. */
void wp_write_jobs(const wp_call *call, const wp_jobs *jobs, wp_statistics *statistics);

/* Solve a row by the strong path, and give what the query asks for. */
void wp_solve_strong(
	const wp_input *input, wp_query query, float max_separation, wp_strong_memory *memory, wp_output *output);

/* The values of an invalid row. */
void wp_invalid_output(uint32_t invalid, wp_output *output);

/* Write a row's outputs where the caller wants them. */
void wp_write_row(const wp_call *call, uint32_t row, const double position_a[3], const wp_output *output);

#endif
