/* The place of a triangle that is nearest to a point. */
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

/* The place of a triangle that is nearest to the origin. */
static wp_d3 nearest_of(const wp_d3 corner[3])
{
	wp_d3 place;
	if (wp_mesh_nearest_place(corner, &place))
		return place;
	const wp_d3 across = wp_d3_cross(wp_d3_sub(corner[1], corner[0]), wp_d3_sub(corner[2], corner[0]));
	return wp_d3_scale(across, wp_d3_dot(across, corner[0]) / wp_d3_dot(across, across));
}

wp_d3 wp_mesh_query_nearest_to(const wp_d3 corner[3], wp_d3 point)
{
	wp_d3 moved[3];
	for (int i = 0; i < 3; i++)
		moved[i] = wp_d3_sub(corner[i], point);
	return wp_d3_add(point, nearest_of(moved));
}
