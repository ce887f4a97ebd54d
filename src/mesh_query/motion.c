/* How the body of a row moves beside its mesh. */
#include "mesh/ray.h"
#include "mesh_query/internal.h"
#include "motion/entry.h"
#include "motion/path.h"

/* The most that a place turns by from the middle of a part of the time to its ends, relative to its distance from the
 * origin. */
static double chord_around(const wp_cast_body *first, const wp_cast_body *middle, const wp_cast_body *last)
{
	const double before = wp_path_half_sine(first->rotation, middle->rotation);
	const double after = wp_path_half_sine(middle->rotation, last->rotation);
	return 2 * (before > after ? before : after) + WP_PATH_TURN_ROUNDING;
}

/* The body and the mesh at a time. */
typedef struct stands {
	wp_cast_body body, mesh;
} stands;

static stands stands_at(const wp_cast_path path[2], const wp_compound_child *mount, double time)
{
	stands at = {{.position = {0, 0, 0}}, {.position = {0, 0, 0}}};
	memcpy(at.body.rotation, path[0].from, sizeof at.body.rotation);
	memcpy(at.mesh.rotation, path[1].from, sizeof at.mesh.rotation);
	wp_path_move(&path[0], mount, time, &at.body);
	wp_path_move(&path[1], NULL, time, &at.mesh);
	return at;
}

/* Balls that hold the body, for each part of the time: from the middle of that part as far as it and the mesh come until its
 * ends. A child of a compound that turns is at the end of an arm. */
static void bound_parts(wp_mesh_asked *row, const wp_mesh_query_place *body, const wp_compound_child *mount)
{
	wp_mesh_query_motion *const m = &row->motion;
	const wp_d3 start = wp_d3_negate(wp_d3_at(m->mesh.position));
	const wp_d3 way = wp_d3_sub(wp_d3_of_floats(body->way), wp_d3_of_floats(m->mesh.way));
	const double arm = mount != NULL ? wp_d3_length(wp_mount_offset(mount)) : 0;
	wp_cast_path path[2] = {{.start = {0, 0, 0}}, {.start = {0, 0, 0}}};
	stands at[2 * WP_MESH_QUERY_PARTS + 1];
	wp_path_find_turn(&path[0], body->rotation, body->end);
	wp_path_find_turn(&path[1], m->mesh.rotation, m->mesh.end);
	for (int i = 0; i <= 2 * WP_MESH_QUERY_PARTS; i++)
		at[i] = stands_at(path, mount, (double)i / (2 * WP_MESH_QUERY_PARTS));
	for (int part = 0; part < WP_MESH_QUERY_PARTS; part++) {
		const stands *const s = &at[2 * part + 1];
		const wp_d3 gone = wp_d3_scale(way, (part + 0.5) / WP_MESH_QUERY_PARTS);
		const wp_d3 place = wp_d3_add(wp_d3_add(start, gone), wp_d3_at(s->body.position));
		m->centre[part] = wp_dq_turn_back(wp_dq_of_rotation(s->mesh.rotation), place);
		m->reach[part] = row->body.reach + wp_d3_length(way) / (2 * WP_MESH_QUERY_PARTS) +
		                 chord_around(&s[-1].body, &s->body, &s[1].body) * arm +
		                 chord_around(&s[-1].mesh, &s->mesh, &s[1].mesh) * m->span;
	}
}

uint32_t wp_mesh_query_read_ways(const wp_mesh_ask *ask, const wp_side *a, const wp_side *b, wp_mesh_query_ways *ways)
{
	memcpy(ways->body.rotation, a->rotation, sizeof ways->body.rotation);
	memcpy(ways->mesh.rotation, b->rotation, sizeof ways->mesh.rotation);
	const uint32_t invalid = wp_entry_read_way(&ask->motions[0], a, &ways->body, &ways->body_turns);
	return invalid | wp_entry_read_way(&ask->motions[1], b, &ways->mesh, &ways->mesh_turns) << 4;
}

void wp_mesh_query_put_motion(
	const wp_mesh_ask *ask, const wp_side *a, const wp_side *b, const wp_mesh_query_ways *ways, wp_mesh_asked *row)
{
	wp_mesh_query_memory *const memory = &ask->workspace->asked;
	wp_mesh_query_motion *const m = &row->motion;
	const uint32_t slot = WP_MESH_QUERY_RING + (uint32_t)(row - memory->row);
	wp_mesh_query_place *const body = &memory->place[slot];
	*body = ways->body;
	m->mesh = ways->mesh;
	m->body_turns = ways->body_turns;
	m->mesh_turns = ways->mesh_turns;
	m->is_mounted = row->body.part != NULL && m->body_turns;
	m->is_bent = m->is_mounted || m->mesh_turns;
	memset(body->position, 0, sizeof body->position);
	memcpy(body->rotation, a->rotation, sizeof body->rotation);
	if (!m->body_turns)
		memcpy(body->end, a->rotation, sizeof body->end);
	body->shape = slot;
	memory->core[slot] = *row->body.core;
	wp_d3_put(wp_d3_sub(wp_d3_at(b->position), wp_d3_at(a->position)), m->mesh.position);
	const wp_compound_child *const mount = m->is_mounted ? row->body.part : NULL;
	const wp_d3 way = wp_d3_sub(wp_d3_of_floats(body->way), wp_d3_of_floats(m->mesh.way));
	m->way = wp_dq_turn_back(row->body.turn, way);
	m->span = wp_length3(m->mesh.position) + wp_d3_length(way);
	m->span += mount != NULL ? wp_d3_length(wp_mount_offset(mount)) : 0;
	if (m->is_bent)
		bound_parts(row, body, mount);
}

/* ---- points ------------------------------------------------------------------------------------- */

static bool is_point(const wp_core *core)
{
	return core->kind == WP_CORE_SEGMENT && core->half[1] == 0.0f && core->radius == 0.0f;
}

/* The normal of a triangle to the side that a point comes to at last. */
static wp_d3 normal_of(const wp_mesh_asked *row, uint32_t triangle)
{
	const wp_surface surface = wp_surface_of(row->body.mesh, row->body.field);
	wp_d3 v[3];
	const wp_d3 normal = wp_surface_normal(&surface, triangle, v);
	return wp_d3_unit(wp_d3_dot(normal, row->motion.way) < 0 ? wp_d3_negate(normal) : normal);
}

/* Answer the cast of a point on a straight way. False where it is none. */
static bool cast_point(const wp_mesh_ask *ask, const wp_mesh_asked *row)
{
	const wp_d3 way = row->motion.way;
	if (!is_point(row->body.core) || row->motion.is_bent || !(wp_d3_dot(way, way) > 0))
		return false;
	double start[3], along[3], fraction;
	wp_mesh_hit hit;
	wp_d3_put(row->body.origin, start);
	wp_d3_put(way, along);
	fraction = row->body.field != NULL ? wp_height_ray_in_double(row->body.field, start, along, &hit)
	                                   : wp_mesh_ray_in_double(row->body.mesh, start, along, &hit);
	if (hit.triangle == WP_MESH_MISS)
		return true;
	const wp_mesh_query_memory *const memory = &ask->workspace->asked;
	const wp_mesh_query_place *const body = &memory->place[WP_MESH_QUERY_RING + (row - memory->row)];
	const wp_d3 at = wp_d3_scale(wp_d3_of_floats(body->way), fraction);
	wp_cast_contact c = {.status = WP_STATUS_HIT | WP_STATUS_TOUCHING};
	wp_d3_put_floats(wp_dq_turn(row->body.turn, normal_of(row, hit.triangle)), c.normal);
	wp_d3_put(at, c.point[0]);
	wp_d3_put(at, c.point[1]);
	wp_d3_put_floats(wp_d3_add(row->body.origin, wp_d3_scale(way, fraction)), c.local[1]);
	const wp_mesh_query_triangle asked = {.triangle = hit.triangle, .middle = wp_d3_zero()};
	wp_mesh_query_take(ask, row, &asked, &c, (double)wp_round_down(fraction));
	return true;
}

/* ---- beginning ---------------------------------------------------------------------------------- */

/* The room that answers of a body leave: a few times what they may be off. */
static double share_of(const wp_core *core)
{
	return core->kind == WP_CORE_SMOOTH ? 2 * WP_CONTRACT_SMOOTH_WIDE : 4 * WP_CONTRACT;
}

/* Where the body of a row is. One that turns on its way is the ball around it. */
static void box_row(wp_mesh_asked *row)
{
	const wp_mesh_box box = wp_mesh_box_around(&row->body, 0);
	double origin[3];
	wp_d3_put(row->body.origin, origin);
	for (int k = 0; k < 3; k++) {
		const double reach = (1 + WP_WALK_SLACK) * row->body.reach;
		row->lower[k] = row->motion.body_turns ? wp_round_down(origin[k] - reach) : box.lower[k];
		row->upper[k] = row->motion.body_turns ? -wp_round_down(-(origin[k] + reach)) : box.upper[k];
	}
}

void wp_mesh_query_begin_body(const wp_mesh_ask *ask, uint32_t place)
{
	wp_mesh_asked *const row = &ask->workspace->asked.row[place];
	if (ask->query == WP_MESH_QUERY_CAST && cast_point(ask, row))
		return;
	box_row(row);
	row->share = share_of(row->body.core);
	row->proven = ask->query == WP_MESH_QUERY_DISTANCE ? ask->max_distance : 0;
	row->is_open = true;
	row->answer->bodies++;
	wp_mesh_query_walk(ask, place);
}
