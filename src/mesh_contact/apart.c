/* Hulls and triangles that a plane between them proves apart. Most triangles near a hull do not touch it, and two or three planes
 * cost a fifth of the search for the nearest points. */
#include "mesh_contact/internal.h"

/* Planes that are tried besides the triangle's own. */
#define TRIES 2

/* How far a plane that does not part two points is turned past the one that does, and by how much of its size a hull is behind
 * a plane that is not turned. */
#define TURN_PAST 0.05
#define TOO_DEEP 0.03

/* Planes across a direction from a hull to a triangle, from the body's origin on: how far apart they keep both, but for the rounding
 * of floats, and the triangle's corner on one of them; and in the hull's axes how far along the hull's vertex is on the other. */
typedef struct planes {
	double gap;
	wp_d3 corner, along;
	float farthest;
} planes;

static planes planes_across(const wp_mesh_row *row, const wp_d3 corner[3], wp_d3 unit)
{
	planes p;
	double least = wp_d3_dot(unit, corner[0]);
	p.along = wp_d33_turn_back(&row->axes, unit);
	p.farthest = wp_mesh_hull_farthest(row->core, p.along);
	p.corner = corner[0];
	for (int i = 1; i < 3; i++) {
		const double at = wp_d3_dot(unit, corner[i]);
		if (at < least) {
			least = at;
			p.corner = corner[i];
		}
	}
	p.gap = least - (double)p.farthest;
	return p;
}

/* The hull's vertex on its plane. */
static wp_d3 vertex_on(const wp_mesh_row *row, const planes *p)
{
	return wp_d33_turn(&row->axes, wp_mesh_hull_vertex(row->core, p->along, p->farthest));
}

/* From the hull's middle to the nearest place of the triangle; where that is above the face, its plane has been tried. */
static wp_d3 first_way(const wp_mesh_row *row, const wp_mesh_candidate *c)
{
	wp_d3 moved[3], place;
	for (int i = 0; i < 3; i++)
		moved[i] = wp_d3_sub(c->corner[i], row->centre);
	return wp_mesh_nearest_place(moved, &place) ? place : wp_d3_negate(c->face);
}

bool wp_mesh_is_hull_apart(const wp_mesh_row *row, const wp_mesh_candidate *c, double max_separation)
{
	const double depth = TOO_DEEP * row->reach;
	double size = row->reach + max_separation;
	for (int i = 0; i < 3; i++)
		size += wp_mesh_sum_of_abs(c->corner[i]);
	const double limit = (double)row->core->radius + max_separation + WP_MESH_FAR_SLACK * size;
	planes p = planes_across(row, c->corner, wp_d3_negate(c->face));
	/* True of a triangle without a normal, too. */
	if (!(p.gap <= limit))
		return true;
	wp_d3 unit = wp_d3_unit(first_way(row, c));
	for (int i = 0; i < TRIES; i++) {
		p = planes_across(row, c->corner, unit);
		if (!(p.gap <= limit && p.gap > -depth))
			return p.gap > limit;
		/* Turned so that it parts these two points, as a perceptron learns. */
		const wp_d3 way = wp_d3_sub(p.corner, vertex_on(row, &p));
		const double length2 = wp_d3_dot(way, way), past = TURN_PAST / wp_sqrt(length2) - p.gap / length2;
		unit = wp_d3_unit(wp_d3_add(unit, wp_d3_scale(way, past)));
	}
	return false;
}
