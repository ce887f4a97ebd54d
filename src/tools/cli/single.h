/* One pair of shapes, answered in words. */
#ifndef WP_TOOLS_CLI_SINGLE_H
#define WP_TOOLS_CLI_SINGLE_H

#include "runner.h"

typedef struct single {
	const char *path[2]; /* of A and B: hulls or meshes */
	capture_pair pair;   /* shapes 0 and 1, and their poses */
	request wanted;
	unsigned variant;
} single;

/* Read x,y,z or x,y,z,qx,qy,qz,qw; the quaternion is brought to unit length. */
bool parse_pose(const char *text, float position[3], float rotation[4]);

/* Print the answer on standard output. Returns the exit code of the program. */
int single_answer(const single *job);

#endif
