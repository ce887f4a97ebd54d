/* The body of a row, in the axes of its mesh. */
#include "mesh_contact/internal.h"
#include "shape/vertices.h"
#include "strong/internal.h"

wp_d3 wp_mesh_support(const wp_mesh_row *row, wp_d3 direction)
{
	uint32_t invalid = 0;
	const wp_d3 local = wp_dq_turn_back(row->body_turn, direction);
	const wp_d3 point = wp_strong_core_point(row->core, local, 0, &invalid);
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
