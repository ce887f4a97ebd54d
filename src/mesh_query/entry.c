/* When a body on its way may first touch what is in a box, or a triangle: what is proven of casts, before any is asked. */
#include "mesh_query/internal.h"
#include "motion/entry.h"

/* Whether the ball of a part of the time surely does not touch a triangle; corners from the body's origin on. */
static bool ball_misses(const wp_mesh_asked *row, int part, const wp_d3 corner[3], double grown)
{
	const wp_d3 from = wp_d3_sub(row->body.origin, row->motion.centre[part]);
	const double reach = (1 + WP_ENTRY_ROUNDING) * row->motion.reach[part] + grown;
	wp_d3 v[3], place;
	for (int i = 0; i < 3; i++)
		v[i] = wp_d3_add(corner[i], from);
	if (wp_mesh_nearest_place(v, &place))
		return wp_d3_length(place) > reach;
	const wp_d3 across = wp_d3_cross(wp_d3_sub(v[1], v[0]), wp_d3_sub(v[2], v[0]));
	return wp_abs(wp_d3_dot(across, v[0])) > reach * wp_d3_length(across);
}

/* When the balls of parts of the time first meet a box that was grown, by the boxes around them. */
static double entry_of_parts(const wp_mesh_asked *row, const double lower[3], const double upper[3], double grown)
{
	for (int part = 0; part < WP_MESH_QUERY_PARTS; part++) {
		const double more = row->motion.reach[part] + grown;
		double centre[3];
		bool meets = true;
		wp_d3_put(row->motion.centre[part], centre);
		for (int k = 0; k < 3; k++)
			meets &= lower[k] - centre[k] <= more && centre[k] - upper[k] <= more;
		if (meets)
			return (double)part / WP_MESH_QUERY_PARTS;
	}
	return (double)WP_INFINITY;
}

/* When they first come to a triangle, from a part on. */
static double entry_of_balls(const wp_mesh_asked *row, const wp_d3 corner[3], double grown, int part)
{
	while (part < WP_MESH_QUERY_PARTS && ball_misses(row, part, corner, grown))
		part++;
	return part < WP_MESH_QUERY_PARTS ? (double)part / WP_MESH_QUERY_PARTS : (double)WP_INFINITY;
}

/* When the box of the body, which moves straight, first meets a box. */
static double entry_of_box(const wp_mesh_asked *row, const double lower[3], const double upper[3], double grown)
{
	double way[3], entry = 0, exit = 1;
	wp_d3_put(row->motion.way, way);
	for (int k = 0; k < 3; k++) {
		const double slack = grown + WP_ENTRY_ROUNDING * wp_abs(way[k]);
		const double below = (lower[k] - slack) - (double)row->upper[k];
		const double above = (upper[k] + slack) - (double)row->lower[k];
		if (way[k] == 0) {
			if (below > 0 || above < 0)
				return (double)WP_INFINITY;
			continue;
		}
		const double from = (way[k] > 0 ? below : above) / way[k], to = (way[k] > 0 ? above : below) / way[k];
		entry = from > entry ? from : entry;
		exit = to < exit ? to : exit;
	}
	return entry <= exit ? entry : (double)WP_INFINITY;
}

double wp_mesh_query_growth(const wp_mesh_asked *row, double half)
{
	return row->share * (row->body.reach + half + (row->motion.mesh_turns ? row->motion.span : 0));
}

double wp_mesh_query_entry_of_box(const wp_mesh_asked *row, const double lower[3], const double upper[3], double *grown)
{
	double diagonal = 0;
	for (int k = 0; k < 3; k++)
		diagonal += (upper[k] - lower[k]) * (upper[k] - lower[k]);
	*grown = wp_mesh_query_growth(row, wp_sqrt(diagonal) / 2);
	return wp_entry_key(
		row->motion.is_bent ? entry_of_parts(row, lower, upper, *grown) : entry_of_box(row, lower, upper, *grown));
}

/* When the body, which moves straight, first comes to the plane of a triangle. */
static double entry_of_plane(const wp_mesh_asked *row, const wp_d3 corner[3], double grown)
{
	const wp_mesh_row *const body = &row->body;
	const wp_d3 across = wp_d3_unit(wp_d3_cross(wp_d3_sub(corner[1], corner[0]), wp_d3_sub(corner[2], corner[0])));
	const wp_d3 from = row->motion.body_turns ? wp_d3_zero() : body->centre;
	const bool is_front = wp_d3_dot(across, wp_d3_sub(from, corner[0])) >= 0;
	const wp_d3 to_plane = is_front ? wp_d3_negate(across) : across;
	const double reach = row->motion.body_turns ? body->reach : wp_d3_dot(to_plane, wp_mesh_support(body, to_plane));
	const double way = wp_d3_length(row->motion.way);
	const double gap = wp_mesh_query_gap_along(corner, to_plane, wp_d3_scale(to_plane, reach)) -
	                   (grown + WP_ENTRY_ROUNDING * way);
	const double speed = wp_d3_dot(to_plane, row->motion.way);
	if (!(gap > 0))
		return 0;
	return speed > 0 ? gap / speed : (double)WP_INFINITY;
}

double wp_mesh_query_entry_of_triangle(const wp_mesh_asked *row, const wp_surface *surface, uint32_t triangle)
{
	wp_d3 corner[3];
	double lower[3], upper[3], grown;
	wp_mesh_query_read_triangle(row, surface, triangle, corner, lower, upper);
	const double entry = wp_mesh_query_entry_of_box(row, lower, upper, &grown);
	if (entry > row->answer->choice.limit)
		return entry;
	if (row->motion.is_bent)
		return entry_of_balls(row, corner, grown, (int)(entry * WP_MESH_QUERY_PARTS));
	const double plane = wp_entry_key(entry_of_plane(row, corner, grown));
	return plane > entry ? plane : entry;
}
