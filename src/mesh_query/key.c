/* Keys: what is proven of the answers of triangles before any is asked. */
#include "mesh_query/internal.h"

/* ---- distances and overlaps --------------------------------------------------------------------- */

/* A proven distance, less what answers may be off. */
static double key_of_distance(const wp_mesh_ask *ask, const wp_mesh_asked *row, double distance, double half)
{
	const double key = distance - row->share * (row->body.reach + half + distance);
	if (ask->query == WP_MESH_QUERY_OVERLAP)
		return key > 0 ? (double)WP_INFINITY : 0;
	return key > 0 ? key : 0;
}

/* How far a box is from the box of the body, and from the ball around it; and half its diagonal. */
static double distance_of_box(const wp_mesh_asked *row, const double lower[3], const double upper[3], double *half)
{
	double origin[3], box = 0, ball = 0, diagonal = 0;
	wp_d3_put(row->body.origin, origin);
	for (int k = 0; k < 3; k++) {
		const double below = lower[k] - (double)row->upper[k], above = (double)row->lower[k] - upper[k];
		const double gap = below > above ? below : above;
		const double under = lower[k] - origin[k], over = origin[k] - upper[k];
		const double from = under > over ? under : over;
		box += gap > 0 ? gap * gap : 0;
		ball += from > 0 ? from * from : 0;
		diagonal += (upper[k] - lower[k]) * (upper[k] - lower[k]);
	}
	const double to_box = wp_sqrt(box), to_ball = wp_sqrt(ball) - row->body.reach;
	*half = wp_sqrt(diagonal) / 2;
	return to_box > to_ball ? to_box : to_ball;
}

/* How far at most a triangle is from the body, of which one point is nearer than others: of a box or a segment the nearest
 * one to `place`. */
static double distance_at_most(const wp_mesh_asked *row, const wp_d3 corner[3], wp_d3 place, wp_d3 farthest)
{
	const wp_core *const core = row->body.core;
	const double at_centre = wp_d3_length(wp_d3_sub(place, row->body.centre)) - (double)core->radius;
	double most;
	if (core->kind == WP_CORE_BOX || core->kind == WP_CORE_SEGMENT) {
		double local[3];
		wp_d3_put(wp_dq_turn_back(row->body.body_turn, place), local);
		for (int k = 0; k < 3; k++) {
			const double half = (double)core->half[k];
			local[k] -= local[k] > half ? half : local[k] < -half ? -half : local[k];
		}
		most = wp_length3(local) - (double)core->radius;
	} else {
		most = wp_d3_length(wp_d3_sub(wp_mesh_query_nearest_to(corner, farthest), farthest));
	}
	/* Far from the triangle's size no place on it may be known: then this is no number. */
	most = most < at_centre ? most : at_centre;
	return most > 0 ? most : 0;
}

/* Some triangle is within a distance. */
static void prove(wp_mesh_asked *row, double distance)
{
	wp_choice *const choice = &row->answer->choice;
	choice->limit = distance < choice->limit ? distance : choice->limit;
	row->proven = distance < row->proven ? distance : row->proven;
}

/* The distance of a triangle, at least; and the limit lowered by what it is at most. Corners from the body's origin on. */
static double distance_of_triangle(
	const wp_mesh_ask *ask, wp_mesh_asked *row, const wp_d3 corner[3], double least, double half)
{
	const wp_mesh_row *const body = &row->body;
	const wp_d3 across = wp_d3_unit(wp_d3_cross(wp_d3_sub(corner[1], corner[0]), wp_d3_sub(corner[2], corner[0])));
	const bool is_front = wp_d3_dot(across, wp_d3_sub(body->centre, corner[0])) >= 0;
	const wp_d3 to_plane = is_front ? wp_d3_negate(across) : across;
	const double plane = wp_mesh_query_gap_along(corner, to_plane, wp_mesh_support(body, to_plane));
	least = plane > least ? plane : least;
	if (ask->query == WP_MESH_QUERY_OVERLAP)
		return least;
	const wp_d3 place = wp_mesh_query_nearest_to(corner, body->centre), out = wp_d3_sub(place, body->centre);
	const double squared = wp_d3_dot(out, out);
	/* Of a triangle without a normal, in double, no place is known. */
	if (!(squared > 0)) {
		if (squared == 0)
			prove(row, row->share * (body->reach + half));
		return least;
	}
	const wp_d3 unit = wp_d3_unit(out), farthest = wp_mesh_support(body, unit);
	const double gap = wp_mesh_query_gap_along(corner, unit, farthest);
	const double most = distance_at_most(row, corner, place, farthest);
	prove(row, most + row->share * (body->reach + half + most));
	return gap > least ? gap : least;
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

/* Whether a triangle is surely apart from the body, by what costs less than its answer. */
static bool misses(const wp_mesh_asked *row, const wp_d3 corner[3])
{
	const double limit = WP_WALK_SLACK * row->body.reach;
	return ball_misses(&row->body, corner, limit) ||
	       (wp_mesh_query_has_axes(row->body.core) && wp_mesh_query_entry_of_axes(row, corner, limit, 1) > 1);
}

/* ---- keys --------------------------------------------------------------------------------------- */

double wp_mesh_query_key_of_box(
	const wp_mesh_ask *ask, const wp_mesh_asked *row, const double lower[3], const double upper[3])
{
	double half;
	if (ask->query == WP_MESH_QUERY_CAST)
		return wp_mesh_query_entry_of_box(row, lower, upper, &half);
	const double distance = distance_of_box(row, lower, upper, &half);
	return key_of_distance(ask, row, distance, half);
}

double wp_mesh_query_key_of_triangle(
	const wp_mesh_ask *ask, wp_mesh_asked *row, const wp_surface *surface, uint32_t triangle)
{
	if (ask->query == WP_MESH_QUERY_CAST)
		return wp_mesh_query_entry_of_triangle(row, surface, triangle);
	wp_d3 corner[3];
	double lower[3], upper[3], half;
	wp_mesh_query_read_triangle(row, surface, triangle, corner, lower, upper);
	double least = distance_of_box(row, lower, upper, &half);
	const double key = key_of_distance(ask, row, least, half);
	if (key > (surface->field != NULL ? row->proven : row->answer->choice.limit))
		return key;
	least = distance_of_triangle(ask, row, corner, least, half);
	if (ask->query == WP_MESH_QUERY_OVERLAP && misses(row, corner))
		return (double)WP_INFINITY;
	return key_of_distance(ask, row, least, half);
}
