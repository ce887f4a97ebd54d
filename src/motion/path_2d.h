/* How the bodies of a 2D cast move, and how long two of them stay apart along a direction. */
#ifndef WP_MOTION_PATH_2D_H
#define WP_MOTION_PATH_2D_H

#include "batch/workspace.h"

/* Note of a path how it turns from one rotation to another, neither of them zero, the shorter way round. */
void wp2d_path_find_turn(wp_cast_path *path, const float from[2], const float to[2]);

/* Move a body to a fraction of its path. */
void wp2d_path_move(const wp_cast_path *path, double fraction, wp_cast_body *body);

/* A body on its path: [0] of A, [1] of B. */
typedef struct wp2d_mover {
	const wp2d_core *core;
	const wp_cast_path *path;
} wp2d_mover;

/* The fraction up to which supports along a direction, from A to B and about unit, prove that B stays apart
 * from A, from a fraction on at which they are apart along it; 1 where they prove it of all that is left. */
double wp2d_path_free_until(const wp2d_mover mover[2], const float direction[2], double fraction);

#endif
