/* The body of a row, in the axes of its mesh. */
#include "mesh_contact/far.h"
#include "shape/vertices.h"
#include "strong/internal.h"

/* By how much less far than the farthest vertex one may be in floats and still be farther, of the hull's size: four times what
 * floats are off by. */
#define FILTER_ROOM 0x1p-20

/* A direction, rounded, each coordinate in all places. */
typedef struct spread {
	wp_quad x, y, z;
} spread;

static spread spread_of(wp_d3 v)
{
	return (spread){wp_quad_set((float)v.x), wp_quad_set((float)v.y), wp_quad_set((float)v.z)};
}

/* How far four vertices are along it. Past the last vertex the first one is repeated. */
WP_INLINE wp_quad vertices_along(const wp_core *core, uint32_t first, const spread *way)
{
	const float *const x = core->vertices + first, *const y = x + core->padded, *const z = y + core->padded;
	const wp_quad xy = wp_quad_add(wp_quad_mul(wp_quad_read(x), way->x), wp_quad_mul(wp_quad_read(y), way->y));
	return wp_quad_add(xy, wp_quad_mul(wp_quad_read(z), way->z));
}

/* How far the farthest vertex is along it, in floats. */
static float farthest_along(const wp_core *core, const spread *way)
{
	wp_quad most = wp_quad_set(-WP_INFINITY);
	for (uint32_t i = 0; i < core->count; i += 4)
		most = wp_quad_max(vertices_along(core, i, way), most);
	const float one = wp_quad_get(most, 0), two = wp_quad_get(most, 1);
	const float three = wp_quad_get(most, 2), four = wp_quad_get(most, 3);
	const float low = one > two ? one : two, high = three > four ? three : four;
	return low > high ? low : high;
}

/* The farthest vertex, the first of those that are as far: what wp_strong_core_point finds. Floats tell which may be it: each of
 * theirs is off by 2^-22 of the hull's size at most. If any is no number, all may. */
static wp_d3 hull_vertex(const wp_core *core, wp_d3 direction)
{
	const spread way = spread_of(direction);
	const double room = FILTER_ROOM * (double)core->bound * wp_d3_length(direction) + WP_MESH_FAR_GUARD;
	const wp_quad least = wp_quad_set(farthest_along(core, &way) - (float)room);
	wp_d3 best = wp_core_vertex(core, 0);
	double most = -(double)WP_INFINITY;
	for (uint32_t i = 0; i < core->count; i += 4) {
		uint32_t left = 15 & ~wp_quad_bits(wp_quad_above(least, vertices_along(core, i, &way)));
		for (; left != 0; left &= left - 1) {
			const wp_d3 vertex = wp_core_vertex(core, i + wp_lowest_bit(left));
			const double along = wp_d3_dot(vertex, direction);
			if (along > most) {
				most = along;
				best = vertex;
			}
		}
	}
	return best;
}

wp_d3 wp_mesh_support(const wp_mesh_row *row, wp_d3 direction)
{
	uint32_t invalid = 0;
	const wp_d3 local = wp_dq_turn_back(row->body_turn, direction);
	const wp_d3 point = row->core->kind == WP_CORE_HULL ? hull_vertex(row->core, local)
	                                                    : wp_strong_core_point(row->core, local, 0, &invalid);
	const double out = wp_strong_radius(row->core) / wp_d3_length(direction);
	return wp_d3_add(wp_dq_turn(row->body_turn, point), wp_d3_scale(direction, out));
}

/* How far the core reaches along the axes of the mesh, from the body's origin on. */
static void core_box(const wp_mesh_row *row, double low[3], double high[3])
{
	const wp_core *const core = row->core;
	for (int k = 0; k < 3; k++) {
		const wp_d3 axis = row->axes.row[k];
		if (core->kind != WP_CORE_HULL) {
			high[k] = wp_abs(axis.x) * (double)core->half[0] + wp_abs(axis.y) * (double)core->half[1] +
			          wp_abs(axis.z) * (double)core->half[2];
			low[k] = -high[k];
			continue;
		}
		low[k] = high[k] = wp_d3_dot(axis, wp_core_vertex(core, 0));
		for (uint32_t i = 1; i < core->count; i++) {
			const double at = wp_d3_dot(axis, wp_core_vertex(core, i));
			low[k] = at < low[k] ? at : low[k];
			high[k] = at > high[k] ? at : high[k];
		}
	}
}

wp_mesh_box wp_mesh_box_around(const wp_mesh_row *row, double max_separation)
{
	double low[3], high[3], origin[3];
	wp_mesh_box box;
	core_box(row, low, high);
	wp_d3_put(row->origin, origin);
	for (int k = 0; k < 3; k++) {
		const double more = (double)row->core->radius + max_separation + WP_WALK_SLACK * row->reach;
		box.lower[k] = wp_round_down(origin[k] + low[k] - more);
		box.upper[k] = -wp_round_down(-(origin[k] + high[k] + more));
	}
	return box;
}

wp_mesh_reach wp_mesh_reach_of(const wp_mesh_row *row, double max_separation)
{
	const wp_core *const core = row->core;
	const double more = wp_mesh_far_more(row, max_separation, row->reach + max_separation);
	const double out = (double)core->radius + more;
	const wp_d3 *const axis = row->axes.row;
	wp_mesh_reach r = {.is_ball = wp_mesh_is_ball(core), .reach2 = wp_mesh_far_reach2(row, more)};
	r.middle = wp_quad_of((float)row->origin.x, (float)row->origin.y, (float)row->origin.z, 0.0f);
	r.reach = wp_quad_of((float)((double)core->half[0] + out), (float)((double)core->half[1] + out),
		(float)((double)core->half[2] + out), 0.0f);
	for (int k = 0; k < 3; k++) {
		r.axis[k] = wp_quad_of((float)axis[k].x, (float)axis[k].y, (float)axis[k].z, 0.0f);
		r.slope[k] = wp_quad_add(wp_quad_abs(r.axis[k]), wp_quad_set(WP_MESH_FAR_SLOPE));
	}
	return r;
}
