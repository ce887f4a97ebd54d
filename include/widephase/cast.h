/* widephase: casts: when do two moving shapes first touch?
 *
 * Each body moves from its pose in the batch over the whole cast, which lasts from fraction 0 to 1: its origin
 * along a straight line, its rotation along the normalised linear blend of two quaternions, the shorter way
 * round. The answer is a fraction before which the shapes are proven not to touch, and the contact there.
 *
 * A ray is the cast of a point (wp_shape_point), a thick ray that of a sphere.
 *
 * Method: conservative advancement (Mirtich 1996, Impulse-based Dynamic Simulation, section 2.3): the proven gap
 * along the normal of a contact, over the fastest that it can close, is a step that is safe; contacts are those of
 * wp_contact, in lanes. */
#ifndef WIDEPHASE_CAST_H
#define WIDEPHASE_CAST_H

#include "widephase/query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A strided view of where bodies go, body for body beside a wp_bodies. Strides are in bytes, 0 means tightly
 * packed. */
typedef struct wp_motions {
	const float *translation; /* [..][3] how far the origin of the shape moves, world axes; NULL: nowhere */
	const float *rotation;    /* [..][4] rotation at the end, a quaternion like that of wp_bodies; NULL: as before */
	size_t translation_stride;
	size_t rotation_stride;
} wp_motions;

/* Steps of one cast. A row that needs more gets WP_STATUS_ITERATION_CAP: it is free of contact up to its fraction,
 * and counts as a hit there. */
#define WP_CAST_STEP_MAX 64

/* Cast every pair of the batch. `motions_a` and `motions_b` belong to batch->a and batch->b; NULL: those bodies stand
 * still. Where batch->b is all zero, B's bodies are A's and so are their motions, and motions_b is not looked at.
 *
 * Rows, by their status:
 *  - WP_STATUS_HIT, fraction f: free of contact before f; at f the outputs are those of wp_contact, with a gap of
 *    rounding, or of what a millionth of the cast closes. At f = 0 the shapes may overlap from the start; then the
 *    outputs say how deep (WP_STATUS_PENETRATING);
 *  - neither WP_STATUS_HIT nor WP_STATUS_INVALID: no contact, fraction is 1, the other outputs are those of the last
 *    place that was looked at;
 *  - WP_STATUS_INVALID: fraction is NaN. A translation that is not finite, or leads beyond WP_COORDINATE_MAX, makes
 *    its body's position invalid, a rotation at the end that is no rotation the body's rotation.
 * Shapes that glance off each other, closer than 3e-6 of size plus distance, may hit or not. `iterations` counts the
 * support evaluations of all steps; `statistics` the rows and what wp_contact took at their fractions.
 *
 * results->fraction is where the fractions go. Errors, ranges, determinism and threads are those of wp_contact. */
WP_API wp_error wp_cast(wp_workspace *workspace, const wp_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, wp_statistics *statistics);

/* One pair, from a pose to a pose; an end that is NULL is the start. The bits are those of the batch call for a
 * translation of end minus start. */
WP_API wp_error wp_cast_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *start_a,
	const wp_pose *end_a, const wp_shape *shape_b, const wp_pose *start_b, const wp_pose *end_b, float *fraction,
	wp_row *row);

#ifdef __cplusplus
}
#endif

#endif
