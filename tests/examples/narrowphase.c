/* A narrowphase of spheres alone, as a plug-in of the judge: the least that one can be.
 *
 *     cc -shared -fPIC -I bench/judge tests/examples/narrowphase.c -lm -o spheres.so
 *     bench/judge/run ./spheres.so                                                       */
#include "narrowphase.h"

#include <math.h>
#include <stdlib.h>

void *narrowphase_open(const narrowphase_input *input)
{
	for (uint32_t index = 0; index < input->shape_count; index++)
		if (input->shapes[index].kind != NARROWPHASE_SPHERE)
			return NULL; /* a shape that it does not have */
	narrowphase_input *opened = malloc(sizeof *opened);
	if (opened)
		*opened = *input;
	return opened;
}

void narrowphase_query(void *opened, narrowphase_row *rows)
{
	const narrowphase_input *input = opened;
	for (size_t row = 0; row < input->pair_count; row++) {
		const narrowphase_pair *pair = &input->pairs[row];
		const double radius_a = input->shapes[pair->a].param[0], radius_b = input->shapes[pair->b].param[0];
		double way[3], length = 0.0;
		for (int axis = 0; axis < 3; axis++) {
			way[axis] = (double)pair->position_b[axis] - pair->position_a[axis];
			length += way[axis] * way[axis];
		}
		length = sqrt(length);
		rows[row].separation = length - radius_a - radius_b;
		for (int axis = 0; axis < 3; axis++) {
			/* Of spheres with one centre any direction is as good. */
			rows[row].normal[axis] = length > 0.0 ? way[axis] / length : axis == 0;
			rows[row].point_a[axis] = pair->position_a[axis] + radius_a * rows[row].normal[axis];
			rows[row].point_b[axis] = pair->position_b[axis] - radius_b * rows[row].normal[axis];
		}
		rows[row].answer = NARROWPHASE_SEPARATION;
	}
}

void narrowphase_close(void *opened) { free(opened); }
