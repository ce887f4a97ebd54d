/* What is proven of the answers of triangles, before any is asked. */
#include "mesh_query/internal.h"

/* ---- distances and overlaps --------------------------------------------------------------------- */

/* A proven distance, less what answers may be off. */
static double key_of_distance(const wp_mesh_ask *ask, const wp_mesh_asked *row, double distance, double half)
{
	const double key = distance - row->share * (row->body.reach + half + distance);
	if (ask->query == WP_ASKED_OVERLAP)
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

/* The place of a triangle that is nearest to the origin. */
static wp_d3 nearest_of(const wp_d3 corner[3])
{
	wp_d3 place;
	if (wp_mesh_nearest_place(corner, &place))
		return place;
	const wp_d3 across = wp_d3_cross(wp_d3_sub(corner[1], corner[0]), wp_d3_sub(corner[2], corner[0]));
	return wp_d3_scale(across, wp_d3_dot(across, corner[0]) / wp_d3_dot(across, across));
}

static wp_d3 nearest_to(const wp_d3 corner[3], wp_d3 point)
{
	wp_d3 moved[3];
	for (int i = 0; i < 3; i++)
		moved[i] = wp_d3_sub(corner[i], point);
	return wp_d3_add(point, nearest_of(moved));
}

/* How far apart two planes across a direction keep body and triangle. */
static double gap_along(const wp_d3 corner[3], wp_d3 unit, wp_d3 farthest)
{
	double least = wp_d3_dot(unit, corner[0]);
	for (int i = 1; i < 3; i++) {
		const double at = wp_d3_dot(unit, corner[i]);
		least = at < least ? at : least;
	}
	return least - wp_d3_dot(unit, farthest);
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
		most = wp_d3_length(wp_d3_sub(nearest_to(corner, farthest), farthest));
	}
	/* Far from the triangle's size no place on it may be known: then this is no number. */
	most = most < at_centre ? most : at_centre;
	return most > 0 ? most : 0;
}

/* Some triangle is within a distance. */
static void prove(wp_mesh_asked *row, double distance)
{
	row->answer->limit = distance < row->answer->limit ? distance : row->answer->limit;
	row->answer->proven = distance < row->answer->proven ? distance : row->answer->proven;
}

/* The distance of a triangle, at least; and the limit lowered by what it is at most. Corners from the body's origin on. */
static double distance_of_triangle(
	const wp_mesh_ask *ask, wp_mesh_asked *row, const wp_d3 corner[3], double least, double half)
{
	const wp_mesh_row *const body = &row->body;
	const wp_d3 across = wp_d3_unit(wp_d3_cross(wp_d3_sub(corner[1], corner[0]), wp_d3_sub(corner[2], corner[0])));
	const bool is_front = wp_d3_dot(across, wp_d3_sub(body->centre, corner[0])) >= 0;
	const wp_d3 to_plane = is_front ? wp_d3_negate(across) : across;
	const double plane = gap_along(corner, to_plane, wp_mesh_support(body, to_plane));
	least = plane > least ? plane : least;
	if (ask->query == WP_ASKED_OVERLAP)
		return least;
	const wp_d3 place = nearest_to(corner, body->centre), out = wp_d3_sub(place, body->centre);
	const double squared = wp_d3_dot(out, out);
	/* Of a triangle without a normal, in double, no place is known. */
	if (!(squared > 0)) {
		if (squared == 0)
			prove(row, row->share * (body->reach + half));
		return least;
	}
	const wp_d3 unit = wp_d3_unit(out), farthest = wp_mesh_support(body, unit);
	const double gap = gap_along(corner, unit, farthest);
	const double most = distance_at_most(row, corner, place, farthest);
	prove(row, most + row->share * (body->reach + half + most));
	return gap > least ? gap : least;
}

/* ---- casts -------------------------------------------------------------------------------------- */

/* Room for rounding of a way, relative to it. */
#define WAY_ROUNDING 1e-9

/* Whether the ball of a part of the time may touch a triangle, whose corners are from the body's origin on. */
static bool ball_meets(const wp_mesh_asked *row, int part, const wp_d3 corner[3], double grown)
{
	const wp_d3 from = wp_d3_sub(row->body.origin, row->motion.centre[part]);
	wp_d3 moved[3];
	for (int i = 0; i < 3; i++)
		moved[i] = wp_d3_add(corner[i], from);
	return !(wp_d3_length(nearest_of(moved)) > (1 + WAY_ROUNDING) * row->motion.reach[part] + grown);
}

/* When the balls of parts of the time first meet a box that was grown, by the boxes around them; and a triangle in it, unless it
 * is NULL. */
static double entry_of_parts(
	const wp_mesh_asked *row, const double lower[3], const double upper[3], double grown, const wp_d3 *corner)
{
	for (int part = 0; part < WP_ASKED_PARTS; part++) {
		const double more = row->motion.reach[part] + grown;
		double centre[3];
		bool meets = true;
		wp_d3_put(row->motion.centre[part], centre);
		for (int k = 0; k < 3; k++)
			meets &= lower[k] - centre[k] <= more && centre[k] - upper[k] <= more;
		if (meets && (corner == NULL || ball_meets(row, part, corner, grown)))
			return (double)part / WP_ASKED_PARTS;
	}
	return (double)WP_INFINITY;
}

/* When the box of the body, which moves straight, first meets a box. */
static double entry_of_box(const wp_mesh_asked *row, const double lower[3], const double upper[3], double grown)
{
	double way[3], entry = 0, exit = 1;
	wp_d3_put(row->motion.way, way);
	for (int k = 0; k < 3; k++) {
		const double slack = grown + WAY_ROUNDING * wp_abs(way[k]);
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

double wp_asked_growth(const wp_mesh_asked *row, double half)
{
	return row->share * (row->body.reach + half + (row->motion.mesh_turns ? row->motion.span : 0));
}

/* Rounded down as fractions are. */
static double key_of_entry(double entry) { return entry <= 1 ? (double)wp_round_down(entry) : (double)WP_INFINITY; }

static double key_of_way(const wp_mesh_asked *row, const double lower[3], const double upper[3])
{
	double diagonal = 0;
	for (int k = 0; k < 3; k++)
		diagonal += (upper[k] - lower[k]) * (upper[k] - lower[k]);
	const double grown = wp_asked_growth(row, wp_sqrt(diagonal) / 2);
	return key_of_entry(
		row->motion.is_bent ? entry_of_parts(row, lower, upper, grown, NULL) : entry_of_box(row, lower, upper, grown));
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
	const double gap = gap_along(corner, to_plane, wp_d3_scale(to_plane, reach)) - (grown + WAY_ROUNDING * way);
	const double speed = wp_d3_dot(to_plane, row->motion.way);
	if (!(gap > 0))
		return 0;
	return speed > 0 ? gap / speed : (double)WP_INFINITY;
}

/* ---- both --------------------------------------------------------------------------------------- */

double wp_asked_key_of_box(
	const wp_mesh_ask *ask, const wp_mesh_asked *row, const double lower[3], const double upper[3])
{
	if (ask->query == WP_ASKED_CAST)
		return key_of_way(row, lower, upper);
	double half;
	const double distance = distance_of_box(row, lower, upper, &half);
	return key_of_distance(ask, row, distance, half);
}

/* The corners of a triangle from the body's origin on, and its box. */
static void read_triangle(const wp_mesh_asked *row, const wp_surface *surface, uint32_t triangle, wp_d3 corner[3],
	double lower[3], double upper[3])
{
	wp_d3 v[3];
	wp_surface_corners(surface, triangle, v);
	wp_asked_box_of(v, lower, upper);
	for (int i = 0; i < 3; i++)
		corner[i] = wp_d3_sub(v[i], row->body.origin);
}

double wp_asked_key_of_triangle(
	const wp_mesh_ask *ask, wp_mesh_asked *row, const wp_surface *surface, uint32_t triangle)
{
	wp_d3 corner[3];
	double lower[3], upper[3], half;
	read_triangle(row, surface, triangle, corner, lower, upper);
	double least = distance_of_box(row, lower, upper, &half);
	if (ask->query == WP_ASKED_CAST) {
		const double entry = key_of_way(row, lower, upper), grown = wp_asked_growth(row, half);
		if (entry > row->answer->limit)
			return entry;
		if (row->motion.is_bent)
			return key_of_entry(entry_of_parts(row, lower, upper, grown, corner));
		const double plane = key_of_entry(entry_of_plane(row, corner, grown));
		return plane > entry ? plane : entry;
	}
	const double key = key_of_distance(ask, row, least, half);
	if (key > (surface->field != NULL ? row->answer->proven : row->answer->limit))
		return key;
	least = distance_of_triangle(ask, row, corner, least, half);
	if (ask->query == WP_ASKED_OVERLAP && wp_mesh_misses(&row->body, &row->axes, corner, 0))
		return (double)WP_INFINITY;
	return key_of_distance(ask, row, least, half);
}
