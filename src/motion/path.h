/* How the bodies of a cast move, and how long two of them stay apart along a direction: in 3D, and in 2D (path_2d.c). */
#ifndef WP_MOTION_PATH_H
#define WP_MOTION_PATH_H

#include "batch/workspace.h"
#include "core/double3.h"
#include "motion/mount.h"

/* Note of a path how it turns from one rotation to another. */
void wp_path_find_turn(wp_cast_path *path, const float from[4], const float to[4]);

/* Move a body to a fraction of its path; or the child, unless it is NULL, whose body has that path. */
void wp_path_move(const wp_cast_path *path, const wp_compound_child *mount, double fraction, wp_cast_body *body);

/* How far body b goes beside body a. */
WP_INLINE wp_d3 wp_way_between(const wp_cast_path *a, const wp_cast_path *b)
{
	return wp_d3_sub(wp_d3_at(b->way), wp_d3_at(a->way));
}

/* The sine of half the angle between two rotations. */
double wp_path_half_sine(const float from[4], const float to[4]);

/* By how much a body on its path may have turned further than that, by rounding of its rotations. */
#define WP_PATH_TURN_ROUNDING 1e-6

/* A body on its path: [0] of A, [1] of B. */
typedef struct wp_mover {
	const wp_core *core;
	const wp_cast_path *path;
	const wp_compound_child *mount; /* the child that has the core; NULL: the body has it itself */
} wp_mover;

/* The most that a core reaches along a direction in its own frame. */
double wp_core_reach(const wp_core *core, wp_d3 direction);

/* The fraction up to which supports along a direction, from A to B and about unit, prove that B stays apart from A,
 * from a fraction on at which they are apart along it; 1 where they prove it for all that is left. For a half-space the
 * direction is its own normal, in double. */
double wp_path_free_until(const wp_mover mover[2], const float direction[3], double fraction);

/* How far bodies that do not turn reach along a direction of any length: A along it, B against it. */
typedef struct wp_reaches {
	wp_d3 direction;
	double a, b;
} wp_reaches;

wp_reaches wp_path_reaches(const wp_mover mover[2], const float direction[3]);

/* As wp_path_free_until, of bodies that do not turn. */
double wp_path_free_straight(const wp_mover mover[2], const wp_reaches *reaches, double fraction);

/* A share of what the contract allows contacts of two shapes that touch. */
double wp_path_accuracy(const wp_core *a, const wp_core *b, double share);

/* Turn the normal of a hit at a place back, to the side that B comes from there, if both shapes are together no thicker than what
 * contacts are accurate to, so that supports prove either side. Nothing at the start, or of half-spaces, which have one side. */
void wp_path_face_the_way(const wp_mover mover[2], double fraction, const double point[3], float normal[3]);

/* The same in 2D, where no rotation is zero. */
void wp2d_path_find_turn(wp_cast_path *path, const float from[2], const float to[2]);
void wp2d_path_move(const wp_cast_path *path, double fraction, wp_cast_body *body);

typedef struct wp2d_mover {
	const wp2d_core *core;
	const wp_cast_path *path;
} wp2d_mover;

double wp2d_path_free_until(const wp2d_mover mover[2], const float direction[2], double fraction);

void wp2d_path_face_the_way(const wp2d_mover mover[2], double fraction, const double point[2], float normal[2]);

#endif
