/* How the bodies of a cast of the plane move, and how long two of them stay apart along a direction. */
#ifndef WP_SRC_PLANE_PATH_H
#define WP_SRC_PLANE_PATH_H

#include "workspace.h"

/* Note of a path how it turns from one rotation to another, neither of them zero, the shorter way round. */
void wp2_path_find_turn(wp2_cast_path *path, const float from[2], const float to[2]);

/* Move a body to a fraction of its path. */
void wp2_path_move(const wp2_cast_path *path, double fraction, wp_cast_body *body);

/* A body on its path: [0] of A, [1] of B. */
typedef struct wp2_mover {
	const wp2_core *core;
	const wp2_cast_path *path;
} wp2_mover;

/* The fraction up to which supports along a direction, from A to B and about unit, prove that B stays apart
 * from A, from a fraction on at which they are apart along it; 1 where they prove it of all that is left. */
double wp2_path_free_until(const wp2_mover mover[2], const float direction[2], double fraction);

#endif
