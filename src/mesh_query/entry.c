/* When a body on its way may first touch what is in a box, or a triangle: what is proven of casts, before any is asked. */
#include "mesh_query/internal.h"
#include "motion/entry.h"

/* Planes that are asked between a body and a triangle, one after the other. */
#define PLANES 2

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

/* The time in which a body that moves straight may meet something, along one axis after the other. */
typedef struct meeting {
	double entry, exit;
} meeting;

/* Along an axis the body meets it while its way is from `below` to `above`, `along` being the whole way. Where the inverse of that
 * is no number, nothing is told. */
static void narrow(meeting *m, double below, double above, double along)
{
	if (along == 0) {
		m->exit = below > 0 || above < 0 ? -1 : m->exit;
		return;
	}
	const double inverse = 1 / along, from = (along > 0 ? below : above) * inverse,
				 to = (along > 0 ? above : below) * inverse;
	m->entry = from > m->entry ? from : m->entry;
	m->exit = to < m->exit ? to : m->exit;
}

static double entry_of_meeting(const meeting *m) { return m->entry <= m->exit ? m->entry : (double)WP_INFINITY; }

/* When the box of the body, which moves straight, first meets a box. */
static double entry_of_box(const wp_mesh_asked *row, const double lower[3], const double upper[3], double grown)
{
	double way[3];
	meeting m = {0, 1};
	wp_d3_put(row->motion.way, way);
	for (int k = 0; k < 3; k++) {
		const double slack = grown + WP_ENTRY_ROUNDING * wp_abs(way[k]);
		const double below = (lower[k] - slack) - (double)row->upper[k],
					 above = (upper[k] + slack) - (double)row->lower[k];
		narrow(&m, below, above, way[k]);
	}
	return entry_of_meeting(&m);
}

double wp_mesh_query_entry_of_axes(const wp_mesh_asked *row, const wp_d3 corner[3], double grown, double limit)
{
	const wp_core *const core = row->body.core;
	double v[4][3];
	const double *const way = v[3];
	meeting m = {0, 1};
	for (int i = 0; i < 4; i++)
		wp_d3_put(wp_d33_turn_back(&row->body.axes, i < 3 ? corner[i] : row->motion.way), v[i]);
	const double more = ((double)core->radius + grown) + WP_ENTRY_ROUNDING * wp_length3(way);
	for (int i = 0; i < 3; i++) {
		const double low = v[0][i] < v[1][i] ? v[0][i] : v[1][i], high = v[0][i] < v[1][i] ? v[1][i] : v[0][i];
		const double out = (double)core->half[i] + more;
		narrow(&m, (low < v[2][i] ? low : v[2][i]) - out, (high > v[2][i] ? high : v[2][i]) + out, way[i]);
	}
	for (int i = 0; i < 9 && m.entry <= m.exit && m.entry <= limit; i++) {
		const int e = i / 3, j = (i + 1) % 3, k = (i + 2) % 3;
		const double *const from = v[e], *const to = v[(e + 1) % 3], *const other = v[(e + 2) % 3];
		const double to_j = to[j] - from[j], to_k = to[k] - from[k];
		const double reach = ((double)core->half[j] * wp_abs(to_k) + (double)core->half[k] * wp_abs(to_j)) +
		                     more * wp_sqrt(to_j * to_j + to_k * to_k);
		const double one = to_j * from[k] - to_k * from[j], two = to_j * other[k] - to_k * other[j];
		narrow(&m, (one < two ? one : two) - reach, (one < two ? two : one) + reach, to_j * way[k] - to_k * way[j]);
	}
	return entry_of_meeting(&m);
}

double wp_mesh_query_growth(const wp_mesh_asked *row, double half)
{
	return row->share * (row->body.reach + half + (row->motion.mesh_turns ? row->motion.span : 0));
}

double wp_mesh_query_entry_of_box(const wp_mesh_asked *row, const double lower[3], const double upper[3], double *grown)
{
	const double sides = ((upper[0] - lower[0]) + (upper[1] - lower[1])) + (upper[2] - lower[2]);
	*grown = wp_mesh_query_growth(row, sides / 2);
	return wp_entry_key(
		row->motion.is_bent ? entry_of_parts(row, lower, upper, *grown) : entry_of_box(row, lower, upper, *grown));
}

/* ---- bodies that move straight ------------------------------------------------------------------ */

/* How far the body, which does not turn, reaches along a direction, from its origin on. */
static double reach_along(const wp_mesh_asked *row, wp_d3 unit)
{
	return wp_d3_dot(unit, wp_mesh_support(&row->body, unit));
}

/* When a body that is free until `entry` comes to a triangle, by the plane across a unit direction in which it reaches so far. */
static double entry_of_plane(const wp_mesh_asked *row, const wp_d3 corner[3], wp_d3 unit, double reach, double entry)
{
	const double gap = wp_mesh_query_gap_along(corner, unit, wp_d3_scale(unit, reach));
	const double speed = wp_d3_dot(unit, row->motion.way);
	if (!(gap - entry * speed > 0))
		return entry;
	return speed > 0 ? gap / speed : (double)WP_INFINITY;
}

/* The same by planes across the way from the body's middle to the place of the triangle that is nearest then, one after the
 * other: of the ball around the body, which is at its origin, or of the body itself. */
static double entry_of_planes(
	const wp_mesh_asked *row, const wp_d3 corner[3], double more, bool is_ball, double entry, double limit)
{
	for (int i = 0; i < PLANES && entry <= limit; i++) {
		const wp_d3 start = is_ball ? wp_d3_zero() : row->body.centre;
		const wp_d3 middle = wp_d3_add(start, wp_d3_scale(row->motion.way, entry));
		const wp_d3 out = wp_d3_sub(wp_mesh_query_nearest_to(corner, middle), middle);
		const double before = entry;
		if (!(wp_d3_dot(out, out) > 0))
			break;
		const wp_d3 unit = wp_d3_unit(out);
		entry = entry_of_plane(row, corner, unit, (is_ball ? row->body.reach : reach_along(row, unit)) + more, entry);
		if (entry == before)
			break;
	}
	return entry;
}

/* The same by the plane of the triangle. */
static double entry_of_face(const wp_mesh_asked *row, const wp_d3 corner[3], double more, double entry)
{
	const wp_d3 across = wp_d3_unit(wp_d3_cross(wp_d3_sub(corner[1], corner[0]), wp_d3_sub(corner[2], corner[0])));
	const bool is_front = wp_d3_dot(across, wp_d3_sub(row->body.centre, corner[0])) >= 0;
	const wp_d3 to_plane = is_front ? wp_d3_negate(across) : across;
	return entry_of_plane(row, corner, to_plane, reach_along(row, to_plane) + more, entry);
}

/* When a body that moves straight first comes to a triangle: it is free until `entry`, and what is beyond `limit` is not told more
 * exactly. */
static double entry_of_body(const wp_mesh_asked *row, const wp_d3 corner[3], double grown, double entry, double limit)
{
	const wp_core *const core = row->body.core;
	const double more = grown + WP_ENTRY_ROUNDING * wp_d3_length(row->motion.way);
	const bool has_axes = wp_mesh_query_has_axes(core);
	const bool is_ball = row->motion.body_turns || (core->kind == WP_CORE_SEGMENT && !has_axes);
	if (is_ball || !has_axes)
		entry = entry_of_planes(row, corner, more, true, entry, limit);
	if (is_ball || entry > limit)
		return entry;
	entry = entry_of_face(row, corner, more, entry);
	if (!has_axes)
		return entry_of_planes(row, corner, more, false, entry, limit);
	const double axes = entry <= limit ? wp_mesh_query_entry_of_axes(row, corner, grown, limit) : entry;
	return axes > entry ? axes : entry;
}

double wp_mesh_query_entry_of_triangle(const wp_mesh_asked *row, const wp_surface *surface, uint32_t triangle)
{
	wp_d3 corner[3];
	double lower[3], upper[3], grown;
	const double limit = row->answer->choice.limit;
	wp_mesh_query_read_triangle(row, surface, triangle, corner, lower, upper);
	const double entry = wp_mesh_query_entry_of_box(row, lower, upper, &grown);
	if (entry > limit)
		return entry;
	if (row->motion.is_bent)
		return entry_of_balls(row, corner, grown, (int)(entry * WP_MESH_QUERY_PARTS));
	return wp_entry_key(entry_of_body(row, corner, grown, entry, limit));
}
