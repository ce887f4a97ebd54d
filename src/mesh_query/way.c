/* How the body of a row moves beside its mesh. */
#include "mesh/ray.h"
#include "mesh_query/internal.h"
#include "motion/path.h"

/* Read where a body goes. Returns the reasons of A that it goes nowhere, or 0. */
static uint32_t read_way(const wp_motions *motions, const wp_side *side, wp_asked_place *place, bool *turns)
{
	uint32_t invalid = 0;
	memcpy(place->rotation, side->rotation, sizeof place->rotation);
	memcpy(place->end, side->rotation, sizeof place->end);
	memset(place->way, 0, sizeof place->way);
	if (motions->translation.data != NULL)
		memcpy(place->way, wp_offset(motions->translation.data, side->body * motions->translation.stride),
			sizeof place->way);
	if (motions->rotation.data != NULL)
		memcpy(place->end, wp_offset(motions->rotation.data, side->body * motions->rotation.stride), sizeof place->end);
	*turns = memcmp(place->end, place->rotation, sizeof place->end) != 0;
	for (int k = 0; k < 3; k++)
		if (!(wp_abs(side->position[k] + (double)place->way[k]) <= (double)WP_COORDINATE_MAX))
			invalid |= WP_STATUS_INVALID_POSITION_A;
	if (!wp_rotation_holds(place->end, WP_3D))
		invalid |= WP_STATUS_INVALID_ROTATION_A;
	return invalid;
}

/* Boxes around the ball that holds the body, for each part of the time: as far as it and the mesh come in that part. */
static void box_parts(wp_mesh_asked *row, const wp_asked_place *body)
{
	wp_asked_motion *const m = &row->motion;
	const wp_d3 start = wp_d3_negate(wp_d3_at(m->mesh.position));
	const wp_d3 way = wp_d3_sub(wp_d3_of_floats(body->way), wp_d3_of_floats(m->mesh.way));
	wp_cast_path path = {.start = {0, 0, 0}};
	wp_cast_body at = {.position = {0, 0, 0}}, next;
	wp_path_find_turn(&path, m->mesh.rotation, m->mesh.end);
	wp_path_move(&path, NULL, 0, &at);
	for (int part = 0; part < WP_ASKED_PARTS; part++) {
		const double from = (double)part / WP_ASKED_PARTS;
		wp_path_move(&path, NULL, (double)(part + 1) / WP_ASKED_PARTS, &next);
		const double sine = 2 * wp_path_half_sine(at.rotation, next.rotation) + WP_PATH_TURN_ROUNDING;
		const double more = row->body.reach + wp_d3_length(way) / WP_ASKED_PARTS + sine * m->span;
		double centre[3];
		wp_d3_put(wp_dq_turn_back(wp_dq_of_rotation(at.rotation), wp_d3_add(start, wp_d3_scale(way, from))), centre);
		for (int k = 0; k < 3; k++) {
			m->lower[part][k] = wp_round_down(centre[k] - more);
			m->upper[part][k] = -wp_round_down(-(centre[k] + more));
		}
		at = next;
	}
}

uint32_t wp_asked_read_motion(const wp_mesh_ask *ask, const wp_side *a, const wp_side *b, wp_mesh_asked *row)
{
	wp_asked_memory *const memory = &ask->workspace->asked;
	wp_asked_motion *const m = &row->motion;
	const uint32_t slot = WP_ASKED_RING + (uint32_t)(row - memory->row);
	wp_asked_place *const body = &memory->place[slot];
	uint32_t invalid = read_way(&ask->motions[0], a, body, &m->body_turns);
	invalid |= read_way(&ask->motions[1], b, &m->mesh, &m->mesh_turns) << 4;
	if (invalid != 0)
		return invalid;
	memset(body->position, 0, sizeof body->position);
	body->shape = slot;
	memory->core[slot] = *row->body.core;
	wp_d3_put(wp_d3_sub(wp_d3_at(b->position), wp_d3_at(a->position)), m->mesh.position);
	const wp_d3 way = wp_d3_sub(wp_d3_of_floats(body->way), wp_d3_of_floats(m->mesh.way));
	m->way = wp_dq_turn_back(row->body.turn, way);
	m->span = wp_length3(m->mesh.position) + wp_d3_length(way);
	if (m->mesh_turns)
		box_parts(row, body);
	return 0;
}

/* ---- points ------------------------------------------------------------------------------------- */

static bool is_point(const wp_core *core)
{
	return core->kind == WP_CORE_SEGMENT && core->half[1] == 0.0f && core->radius == 0.0f;
}

static void put_vector(float to[3], wp_d3 v)
{
	to[0] = (float)v.x;
	to[1] = (float)v.y;
	to[2] = (float)v.z;
}

/* The normal of a triangle to the side that a point comes to at last. */
static wp_d3 normal_of(const wp_mesh_asked *row, uint32_t triangle)
{
	const wp_surface surface = wp_surface_of(row->body.mesh, row->body.field);
	wp_d3 v[3];
	const wp_d3 normal = wp_surface_normal(&surface, triangle, v);
	return wp_d3_unit(wp_d3_dot(normal, row->motion.way) < 0 ? wp_d3_negate(normal) : normal);
}

bool wp_asked_cast_point(const wp_mesh_ask *ask, wp_mesh_asked *row)
{
	const wp_d3 way = row->motion.way;
	if (!is_point(row->body.core) || row->motion.mesh_turns || !(wp_d3_dot(way, way) > 0))
		return false;
	double start[3], along[3], fraction;
	wp_mesh_hit hit;
	wp_d3_put(row->body.origin, start);
	wp_d3_put(way, along);
	fraction = row->body.field != NULL ? wp_height_ray_in_double(row->body.field, start, along, &hit)
	                                   : wp_mesh_ray_in_double(row->body.mesh, start, along, &hit);
	if (hit.triangle == WP_MESH_MISS)
		return true;
	const wp_asked_memory *const memory = &ask->workspace->asked;
	const wp_asked_place *const body = &memory->place[WP_ASKED_RING + (row - memory->row)];
	const wp_d3 at = wp_d3_scale(wp_d3_of_floats(body->way), fraction);
	wp_cast_contact *const c = &row->contact;
	memset(c, 0, sizeof *c);
	c->status = WP_STATUS_HIT | WP_STATUS_TOUCHING;
	put_vector(c->normal, wp_dq_turn(row->body.turn, normal_of(row, hit.triangle)));
	wp_d3_put(at, c->point[0]);
	wp_d3_put(at, c->point[1]);
	put_vector(c->local[1], wp_d3_add(row->body.origin, wp_d3_scale(way, fraction)));
	row->has_best = true;
	row->value = (double)wp_round_down(fraction);
	row->triangle = hit.triangle;
	row->middle = wp_d3_zero();
	return true;
}
