/* Children of bodies that turn: a shape that is not at the origin of the body it moves with. */
#ifndef WP_MOTION_MOUNT_H
#define WP_MOTION_MOUNT_H

#include "batch/call.h"
#include "core/double3.h"
#include "widephase/compound.h"

/* How far a child's origin is from its body's, in the body's frame. */
WP_INLINE wp_d3 wp_mount_offset(const wp_compound_child *mount) { return wp_d3_of_floats(mount->position); }

/* Where a child is whose body is at a place, with a rotation. */
WP_INLINE void wp_mount_place(
	const wp_compound_child *mount, wp_d3 position, wp_dq rotation, double placed[3], float turned[4])
{
	const wp_dq p = rotation, q = wp_dq_of_rotation(mount->rotation);
	wp_d3_put(wp_d3_add(position, wp_dq_turn(p, wp_mount_offset(mount))), placed);
	const wp_d3 v = wp_d3_add(wp_d3_add(wp_d3_scale(q.v, p.w), wp_d3_scale(p.v, q.w)), wp_d3_cross(p.v, q.v));
	wp_dq_put_rotation(v, p.w * q.w - wp_d3_dot(p.v, q.v), turned);
}

/* A point in the frame of a child, in the frame of its body. */
void wp_mount_to_body(const wp_compound_child *mount, const float local[3], float to[3]);

/* The child that a body of a row stands for; NULL: none, the body has the shape itself. */
WP_INLINE const wp_compound_child *wp_mount_of(const wp_call *call, uint32_t row, uint32_t side)
{
	return call->mounts != NULL ? call->mounts[2 * (size_t)row + side] : NULL;
}

WP_INLINE bool wp_has_mount(const wp_call *call, uint32_t row)
{
	return wp_mount_of(call, row, 0) != NULL || wp_mount_of(call, row, 1) != NULL;
}

/* wp_cast of such bodies: [2 r] and [2 r + 1] of `mounts` are the children of A and of B in row r of the call. The pose and the
 * motion of a body with a child are its own, its shape is the child's; contacts are the child's, with local points in its
 * frame. L is the child's, wherever it is in its body. */
wp_error wp_cast_mounted(wp_workspace *workspace, const wp_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_compound_child *const *mounts, const wp_results *results,
	const wp_float_column *fraction, wp_statistics *statistics);

#endif
