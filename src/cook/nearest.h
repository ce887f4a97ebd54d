/* The point of a convex hull that is nearest to a given point, from the vertices alone.
 *
 * Method: the nearest point of a polytope by growing and shrinking a simplex (Wolfe 1976), where the
 * simplices of up to four corners are few enough to try them all. */
#ifndef WP_COOK_NEAREST_H
#define WP_COOK_NEAREST_H

#include "core/base.h"

/* A proven point of the hull: a mean of corners with weights that are not negative. */
typedef struct nearest {
	uint32_t corner[4];
	uint32_t count; /* of corners, 1 to 4 */
	double away[3]; /* to it from the given point */
	double square;  /* of that length */
} nearest;

/* Begin at one of the vertices. */
nearest wp_nearest_begin(const double (*vertex)[3], uint32_t corner, const double point[3]);

/* Whether one more vertex of the hull, given by its place, is nearer along `away` than what was found, by
 * more than rounding. */
bool wp_nearest_gains(const nearest *found, const double vertex[3], const double point[3]);

/* Go on until no vertex brings more, the distance's square is not above `enough`, or NEAREST_STEP_MAX is
 * reached: what was found is a point of the hull in any case, its distance an upper bound, up to
 * NEAREST_ROUNDING. Vertices may have been added since the last time. All coordinates are within [0, 2]. */
void wp_nearest_improve(
	const double (*vertex)[3], uint32_t count, const double point[3], double enough, nearest *found);

/* What the distance of `away` may be in error by, where vertices and point are exact up to 2^-52: the
 * differences, the mean of four of them and its length are below 64 roundings of numbers up to 2, and as much
 * again for safety. */
#define NEAREST_ROUNDING 0x1p-46

/* Far more than any point took in tests (15); steps that do not shrink the distance end the search before. */
#define NEAREST_STEP_MAX 1000

#endif
