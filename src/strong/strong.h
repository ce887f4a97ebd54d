/* The strong path. One pair at a time, in double precision: for the rare rows whose bracket the
 * kernels could not close (slivers, flats, extreme sizes). Slow beside the kernels, deterministic, and
 * independent of the reference. */
#ifndef WP_STRONG_STRONG_H
#define WP_STRONG_STRONG_H

#include "core/base.h"
#include "core/capacity.h"
#include "shape/core_2d.h"
#include "shape/shape.h"

/* Scratch of one call: caller memory, contents need no preparation. */
typedef struct wp_strong_memory wp_strong_memory;
size_t wp_strong_memory_size(void);

typedef struct wp_strong_pair {
	union {
		struct {
			const wp_core *a, *b; /* valid cores, any wp_core_kind but WP_CORE_INVALID; not two half-spaces */
		};
		struct {
			const wp2d_core *a_2d, *b_2d; /* valid cores */
		};
	};
	float rotation_a[4]; /* finite, of a length within 1e-2 of 1; normalised inside, in double. In 2D [2] */
	float rotation_b[4];
	double offset[3]; /* position of B minus position of A, world axes, finite. In 2D [2] */
} wp_strong_pair;

/* In 2D the third number of a vector is zero. */
typedef struct wp_strong_answer {
	double separation; /* signed, radii included */
	double normal[3];  /* unit, world axes, from A to B */
	double point_a[3]; /* witness points, world axes, relative to the position of A */
	double point_b[3];
	double common[3];    /* where the shapes overlap: a point in both, relative to the same position */
	double lower, upper; /* proven bracket of the separation, rounding included */
	uint32_t status;     /* of WP_STATUS_DEGENERATE, _ITERATION_CAP, _CAPACITY, _WIDE_BRACKET only; or all that
	                             there is: WP_STATUS_INVALID, and the shapes whose support functions gave no point */
	uint32_t iterations; /* support evaluations */
} wp_strong_answer;

/* Solve one pair completely (signed separation, normal, witness points, bracket). */
void wp_strong_solve(const wp_strong_pair *pair, wp_strong_memory *memory, wp_strong_answer *answer);

#endif
