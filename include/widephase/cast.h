/* widephase: casts: when do two moving shapes first touch?
 *
 * Each body moves from its pose in the batch over the whole cast, which lasts from fraction 0 to 1: its origin
 * along a straight line, its rotation by a blend of two quaternions. The answer is a fraction before which the
 * shapes are proven not to touch, and the contact there.
 *
 * At fraction f the rotation is (1 - f) p + f q, scaled to length 1: p is the quaternion in the batch, q the one at
 * the end, negated where p . q < 0. So:
 *  - the body turns about one axis, by the shorter way round, half a turn at most; of a half turn, where p . q = 0,
 *    the signs of p and q decide which way. A longer turn takes several casts;
 *  - it does not turn at a steady rate: with h half the angle of the whole turn, it has turned by
 *    2 atan2(f sin h, 1 - f + f cos h) at f, fastest in the middle. Split a long turn into several casts if a steady
 *    rate matters;
 *  - p and q are blended as given, not scaled to length 1 before: lengths 1 % off 1, the most that is accepted, in
 *    opposite directions shift the turn by 0.005 of the cast at most. At f = 0 and f = 1 lengths do not matter.
 *
 * A ray is the cast of a point (wp_shape_point), a thick ray the cast of a sphere. If the other shape does not turn, rays
 * of up to 1e7 times the sizes of both are answered in closed form, in double: against spheres, capsules, boxes, cylinders,
 * half-spaces, cones, ellipsoids and hulls with faces; thick rays against the first five of these, except where they meet a
 * rounded edge. `iterations` is 0 then.
 *
 * Method: conservative advancement (Mirtich 1996, Impulse-based Dynamic Simulation, section 2.3): the gap along the
 * normal of a contact, over the fastest that it can close, is a step that is safe. The normal is held still, or turned
 * with one of the bodies, whichever holds longest. Contacts are found by wp_contact, in lanes. Where no body turns, a
 * GJK ray cast (van den Bergen 2004, Ray casting against general convex objects with application to continuous
 * collision detection), in lanes, finds the normal and the points of the first touch, which are then proven. */
#ifndef WIDEPHASE_CAST_H
#define WIDEPHASE_CAST_H

#include "widephase/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where bodies go, body for body beside a wp_bodies. */
typedef struct wp_motions {
	wp_const_float_column translation; /* [..][3] how far the origin of the shape moves, world axes; no data: nowhere */
	wp_const_float_column rotation; /* [..][4] rotation at the end, a quaternion as in wp_bodies; no data: as before */
} wp_motions;

/* Long ways. A hit is found where it is, however long the way: a cast counts a step as the touch only where it is shorter
 * than 2^-28 of the sizes of both shapes, or than 2^-50 of its fraction. But bodies come to a place by a sum and a product in
 * double. Let S be how far apart they start, plus how far both go until then, side by side or not, plus how far A starts from
 * the origin of the world, unless it is hit there or a closed form answers a ray: S loses up to 2^-50 of itself to rounding.
 * Where that is more than 3e-6 of L plus the distance of the two positions, the row has WP_STATUS_WIDE_BRACKET: a hit may be a
 * miss by as much as that rounding, a miss a hit, and the outputs belong to places that far off. This is so after an approach
 * from some 3e9 L on; not for a hit on a long way near its start. It is counted where a hit is, and where a miss has its bodies
 * nearest; of a half-space at the end, and where that does not turn without the distance of the positions and without how far
 * apart they start. Of two points, how far apart they start stands for L. */

/* Most contacts that one cast evaluates; none or one is usual without turning, 4 with it. A row that needs more gets
 * WP_STATUS_ITERATION_CAP: it is free of contact up to its fraction, and counts as a hit there. */
#define WP_CAST_STEP_MAX 64

/* Cast every pair of the batch. `motions_a` and `motions_b` belong to batch->a and batch->b; NULL: those bodies stand
 * still. Where batch->b is all zero, B's bodies are A's and so are their motions, and motions_b is ignored.
 *
 * Rows, by their status:
 *  - WP_STATUS_HIT, fraction f: free of contact before f, within the accuracy of query.h; at f the outputs are as
 *    wp_contact gives them, with a gap of rounding. Where both shapes are together no thicker along the normal than that
 *    accuracy, it is on the side that B comes from. At f = 0 the shapes may overlap from the start; then the outputs hold
 *    the depth (WP_STATUS_PENETRATING);
 *  - neither WP_STATUS_HIT nor WP_STATUS_INVALID: no contact, fraction is 1, the other outputs describe the last place
 *    that was examined; for a ray with WP_STATUS_BEYOND they hold a proof of how far apart the shapes are at least at the
 *    end, with points that are not the nearest ones;
 *  - WP_STATUS_INVALID: fraction is NaN. A translation that is not finite, or leads beyond WP_COORDINATE_MAX, makes its
 *    body's position invalid; an invalid rotation at the end makes its body's rotation invalid.
 *
 * All but invalid rows may have WP_STATUS_WIDE_BRACKET because of a long way, see above.
 *
 * Shapes that glance off each other, closer than 3e-6 of size plus distance (cylinders, cones and ellipsoids: 1e-5), may
 * hit or not. `iterations` counts the support evaluations of the ray cast and of all steps; `statistics` the rows by
 * their status, and the work of all steps.
 *
 * A half-space may move and turn. Its distance from another shape is computed in double, so a half-space that does not turn
 * keeps the accuracy of query.h; for one that turns, the size includes the distance between the two positions.
 *
 * `fraction` is where the fractions go, row for row as the results; NULL, or without data: nowhere. results->cache is left
 * alone. Errors, ranges, determinism and threads are as for wp_contact. */
WP_API wp_error wp_cast(wp_workspace *workspace, const wp_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction, wp_statistics *statistics);

/* One pair, from its poses to its ends; a body whose end is NULL stands still. The bits are the same as by the batch call
 * for a translation of end minus start. */
WP_API wp_error wp_cast_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const wp_pose *end_a, const wp_pose *end_b, wp_row *row,
	float *fraction);

/* The same for one pair of shapes of a table. Motions have one element each; NULL: that body stands still. */
WP_API wp_error wp_cast_prepared(wp_workspace *workspace, const wp_pair *pair, const wp_motions *motion_a,
	const wp_motions *motion_b, wp_row *row, float *fraction);

/* How far must B move along a direction to be free of A? `direction` has one vector a row, [..][3], of any length
 * but zero, world axes, at row r of the batch as the pairs are.
 *
 * For shapes that overlap, with u the direction scaled to length 1:
 *  - separation is minus the distance: B moved by -separation along u touches A and is proven not to overlap it, neither
 *    there nor further on;
 *  - point_a is where it touches A; point_b = point_a + separation * u is the point of B, at its present pose, that touches
 *    there; local_a and local_b are the same points in the frames of the bodies; normal is the contact normal of the touch:
 *    dot(normal, u) > 0;
 *  - lower is proven, upper is 0; the status is WP_STATUS_PENETRATING, with WP_STATUS_ITERATION_CAP if B is free after the
 *    distance but perhaps before.
 *
 * The distance is within 3e-6 of size plus distance (1e-5 where the contract has it), divided by dot(normal, u),
 * which is how far rounding across the normal reaches along u. No direction leaves a half-space that does not lead out of
 * it by more than rounding, dot(normal, u) <= 1e-15: then separation and lower are minus infinity, and the points are the
 * contact's. For shapes that do not overlap all outputs are as wp_contact gives them: B is free where it is.
 *
 * A direction that is zero or not finite makes B's position invalid. So does one along which B would be clear of A beyond
 * WP_COORDINATE_MAX alone: by 17/16 of the sum of both bounding radii and the distance of both positions. results->cache is left
 * alone. */
WP_API wp_error wp_depth_along(wp_workspace *workspace, const wp_batch *batch, const wp_const_float_column *direction,
	const wp_results *results, wp_statistics *statistics);

/* The same for one pair. */
WP_API wp_error wp_depth_along_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const float direction[3], wp_row *row);

/* The same for one pair of shapes of a table. */
WP_API wp_error wp_depth_along_prepared(
	wp_workspace *workspace, const wp_pair *pair, const float direction[3], wp_row *row);

#ifdef __cplusplus
}
#endif

#endif
