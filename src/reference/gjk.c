/* The algorithm of Gilbert, Johnson and Keerthi in the form of van den Bergen, Collision Detection in
 * Interactive 3D Environments, 2003, ch. 4.3; a gentler account is Ericson, Real-Time Collision
 * Detection, 2005, ch. 9.5.
 *
 * GJK keeps a simplex of at most four points of the difference. Each step finds the point of the simplex
 * closest to the origin, drops the vertices that it does not need, and adds the support point towards
 * the origin. Two bounds close in on the distance:
 *  - upper: the closest point of the simplex is a point of the difference;
 *  - lower: all of the difference lies beyond the plane through the new support point, across the
 *    direction searched. */
#include "gjk.h"

#include "widephase/query.h"

/* Bounds that are this close have met. The pair's largest coordinate is about 1. */
#define GAP_TOLERANCE 1e-15

/* Values of one bound that differ by less are equal but for rounding. */
#define TIE 1e-14

/* Steps in a row that may move neither bound. In exact arithmetic each step moves the upper one, but on
 * thin shapes a step may move it by less than a rounding and yet turn the direction a long way. */
#define STALL_MAX 8

static bool contains(const feature *simplex, const difference_vertex *vertex)
{
	for (int i = 0; i < simplex->count; i++)
		if (wp_reference_same_vertex(&simplex->vertex[i], vertex))
			return true;
	return false;
}

bool wp_reference_gjk(difference *pair, vec3 direction, core_answer *answer)
{
	difference_vertex start = wp_reference_support(pair, direction);
	feature closest = wp_reference_closest(&start, 1);
	double lower = -INFINITY, upper = INFINITY;
	answer->status = WP_STATUS_ITERATION_CAP;
	int stalled = 0;
	for (int step = 0; step < WP_REFERENCE_GJK_STEP_MAX; step++) {
		/* The origin is in the simplex, so it is in the difference: the cores share a point. */
		if (closest.count == 4 || closest.distance <= WP_REFERENCE_TOLERANCE) {
			answer->closest = closest;
			return false;
		}

		/* No point of the difference is less far along the direction than this one. */
		vec3 towards_origin = vec3_negate(closest.direction);
		difference_vertex vertex = wp_reference_support(pair, towards_origin);
		double gap = vec3_dot(closest.direction, vertex.w);
		stalled = gap > lower || closest.distance < upper ? 0 : stalled + 1;
		lower = larger(lower, gap);
		upper = smaller(upper, closest.distance);

		/* Keep the best of each bound, and of equal ones the last, so that normal and witness points tend to
		 * come from the same step. */
		if (gap >= lower - TIE) {
			answer->lower = gap;
			answer->normal = towards_origin;
		}
		if (closest.distance <= upper + TIE) {
			answer->closest = closest;
			answer->upper = closest.distance;
		}

		/* Done if the bounds meet, if the difference has no vertex beyond the vertices of the simplex, or
		 * if rounding has stopped both bounds. */
		if (upper - lower <= GAP_TOLERANCE + pair->tolerance || contains(&closest, &vertex) || stalled > STALL_MAX) {
			answer->status = 0;
			break;
		}
		closest.vertex[closest.count] = vertex;
		closest = wp_reference_closest(closest.vertex, closest.count + 1);
	}
	answer->separation = answer->upper;
	return true;
}
