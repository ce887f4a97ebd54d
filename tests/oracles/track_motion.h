/* How bodies of tracked pairs move from frame to frame. */
#ifndef TESTS_ORACLES_TRACK_MOTION_H
#define TESTS_ORACLES_TRACK_MOTION_H

#include "support/gen_random.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct track_body {
	double position[3];
	float rotation[4];
} track_body;

typedef enum track_motion {
	TRACK_REST = 0, /* nothing moves */
	TRACK_CREEP,    /* by 1e-7 to 1e-5 of the size, and as little of a turn */
	TRACK_SLIDE,    /* across the normal */
	TRACK_ROLL,     /* across the normal, turning as a wheel does */
	TRACK_SPIN,     /* in place, by any angle */
	TRACK_APPROACH, /* along the normal, to each other */
	TRACK_DEPART,
	TRACK_EXPLODE,  /* away, twice as far in each frame */
	TRACK_WANDER,   /* any way by up to 1.5 of the size, any turn */
	TRACK_TOGETHER, /* both bodies as one */
	TRACK_SHAKE,    /* a little, or only from a rotation to its negative, which is the same */
	TRACK_CAROUSEL, /* B around A, by any angle, far off or near */
	TRACK_MOTION_COUNT
} track_motion;

const char *track_motion_name(track_motion motion);

/* The motion of pair `index` of a sequence: each construction comes with each. */
track_motion track_motion_of(uint64_t index);

/* Turn a rotation about an axis, `half` being the tangent of half the angle, and give it a length. */
void track_turn(v3 axis, double half, double length, float rotation[4]);

/* The tangent of half of any angle: even over all of them, or small. */
double track_any_turn(gen_random *random);

/* Move the bodies of a pair to where they are in frame 1, 2, ...; `size` of both shapes, `normal` from the first to the second
 * body, zero where there is none. */
void track_move(gen_random *random, track_motion motion, uint32_t frame, double size, v3 normal, track_body bodies[2]);

#endif
