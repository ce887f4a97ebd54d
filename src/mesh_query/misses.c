/* Triangles that are surely apart from a body, by a ball and by the axes of their edges. */
#include "mesh_query/internal.h"

/* By the regions of its corners and edges (Ericson 2005, Real-Time Collision Detection, 5.1.5). Rounding may choose another
 * edge of a thin triangle, which is as near within 1e-8 of its length. */
bool wp_mesh_nearest_place(const wp_d3 v[3], wp_d3 *place)
{
	const wp_d3 ab = wp_d3_sub(v[1], v[0]), ac = wp_d3_sub(v[2], v[0]);
	const double d1 = -wp_d3_dot(ab, v[0]), d2 = -wp_d3_dot(ac, v[0]);
	const double d3 = -wp_d3_dot(ab, v[1]), d4 = -wp_d3_dot(ac, v[1]);
	const double d5 = -wp_d3_dot(ab, v[2]), d6 = -wp_d3_dot(ac, v[2]);
	const double along_bc = d4 - d3, against_bc = d5 - d6;
	if (d1 <= 0 && d2 <= 0)
		*place = v[0];
	else if (d3 >= 0 && d4 <= d3)
		*place = v[1];
	else if (d6 >= 0 && d5 <= d6)
		*place = v[2];
	else if (d1 * d4 - d3 * d2 <= 0 && d1 >= 0 && d3 <= 0)
		*place = wp_d3_add(v[0], wp_d3_scale(ab, d1 / (d1 - d3)));
	else if (d5 * d2 - d1 * d6 <= 0 && d2 >= 0 && d6 <= 0)
		*place = wp_d3_add(v[0], wp_d3_scale(ac, d2 / (d2 - d6)));
	else if (d3 * d6 - d5 * d4 <= 0 && along_bc >= 0 && against_bc >= 0)
		*place = wp_d3_add(v[1], wp_d3_scale(wp_d3_sub(v[2], v[1]), along_bc / (along_bc + against_bc)));
	else
		return false;
	return true;
}

/* Whether the ball around the body is farther than `limit` from the edges of a triangle, and these are nearest to it. How far
 * its face is, its plane has told. */
static bool ball_misses(const wp_mesh_row *row, const wp_d3 corner[3], double limit)
{
	wp_d3 place;
	const double size = (wp_d3_length(corner[0]) + wp_d3_length(corner[1])) + wp_d3_length(corner[2]);
	return wp_mesh_nearest_place(corner, &place) &&
	       wp_d3_length(place) > (row->reach + limit) + 0.1 * WP_WALK_SLACK * size;
}

/* Whether a plane across an edge of a box, which a segment is too, and one of a triangle keeps them farther apart than
 * `limit`: the nine axes of their edges. */
static bool edges_miss(const wp_mesh_row *row, const wp_d3 corner[3], double limit)
{
	const wp_d33 *const axes = &row->axes;
	const float *const half = row->core->half;
	for (int k = 0; k < 3; k++) {
		const wp_d3 edge = wp_d3_sub(corner[(k + 1) % 3], corner[k]);
		for (int i = 0; i < 3; i++) {
			const wp_d3 axis = wp_d3_cross(wp_d33_axis(axes, i), edge);
			double out = limit * wp_d3_length(axis);
			for (int j = 0; j < 3; j++)
				out += (double)half[j] * wp_abs(wp_d3_dot(wp_d33_axis(axes, j), axis));
			/* Both ends of the edge are as far along the axis. */
			const double one = wp_d3_dot(axis, corner[k]), other = wp_d3_dot(axis, corner[(k + 2) % 3]);
			if ((one > out && other > out) || (one < -out && other < -out))
				return true;
		}
	}
	return false;
}

bool wp_mesh_misses(const wp_mesh_row *row, const wp_d3 corner[3])
{
	const double limit = WP_WALK_SLACK * row->reach;
	if (ball_misses(row, corner, limit))
		return true;
	const bool is_box = row->core->kind == WP_CORE_BOX ||
	                    (row->core->kind == WP_CORE_SEGMENT && row->core->half[1] > 0.0f);
	return is_box && edges_miss(row, corner, limit + (double)row->core->radius);
}
