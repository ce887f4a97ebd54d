/* GJK: distance of two cores, or that they overlap. */
#ifndef WP_REFERENCE_GJK_H
#define WP_REFERENCE_GJK_H

#include "simplex.h"

/* Steps after which GJK gives up; shapes of some thousand vertices need about 20. */
#define WP_REFERENCE_GJK_STEP_MAX 128

/* An answer about the cores alone, in the pair's scaled frame; made by GJK or by EPA. */
typedef struct core_answer {
	feature closest; /* gives the witness points */
	vec3 normal;     /* unit, from A to B */
	double lower;    /* gap of the support planes along the normal: the separation is no smaller */
	double upper;    /* the separation is no larger */
	double separation;
	uint32_t status; /* of WP_STATUS_ITERATION_CAP, _CAPACITY, _DEGENERATE */
} core_answer;

/* Runs GJK, starting along `direction`. True: the cores are apart, *answer holds their distance. False:
 * they overlap or touch, and answer->closest holds the origin, to within WP_REFERENCE_TOLERANCE; the
 * rest of *answer is not set. */
bool wp_reference_gjk(difference *pair, vec3 direction, core_answer *answer);

#endif
