/* From rows to triangles: those whose boxes meet the body's, down the tree of a mesh. */
#include "mesh_contact/far.h"

/* Triangles that a walk brings at once. */
#define PART 64

/* The body's origin in two parts, as its sum is too long for a float. The fourth places are zero. */
typedef struct start {
	wp_quad high, low;
} start;

static start start_of(wp_d3 origin)
{
	const float high[3] = {(float)origin.x, (float)origin.y, (float)origin.z};
	return (start){wp_quad_of(high[0], high[1], high[2], 0.0f),
		wp_quad_of((float)(origin.x - (double)high[0]), (float)(origin.y - (double)high[1]),
			(float)(origin.z - (double)high[2]), 0.0f)};
}

/* Put the corners of the triangles that wait into the columns, from the body's origin on, four at a time. What they are off by,
 * the cull allows for. */
static void put_columns(const wp_mesh_walk *walk)
{
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	const uint32_t *const found = memory->found;
	const wp_mesh_view *const view = &walk->surface.view;
	wp_cull *const cull = &memory->cull;
	const start from = start_of(walk->row->origin);
	for (uint32_t at = 0; at < walk->waiting; at += 4) {
		for (int k = 0; k < 3; k++) {
			wp_quad corner[4], column[3];
			for (uint32_t i = 0; i < 4; i++) {
				const wp_quad place = wp_vertex_quad(view, wp_row_corner(&view->triangles[found[at + i]], k));
				corner[i] = wp_quad_sub(wp_quad_sub(place, from.high), from.low);
			}
			wp_quad_transpose(corner, column);
			for (int axis = 0; axis < 3; axis++)
				wp_quad_store(&cull->place[3 * k + axis][at], column[axis]);
		}
	}
}

/* Judge triangles that were found. */
static void take_found(wp_mesh_walk *walk, const uint32_t *found, uint32_t count)
{
	walk->call->statistics->triangles += count;
	uint32_t *const waiting = walk->call->workspace->mesh.found;
	for (uint32_t at = 0; at < count;) {
		walk->waiting = count - at < WP_CULL_MAX ? count - at : WP_CULL_MAX;
		memcpy(waiting, found + at, walk->waiting * sizeof *found);
		for (uint32_t i = walk->waiting; i % 4 != 0; i++)
			waiting[i] = waiting[walk->waiting - 1];
		put_columns(walk);
		walk->met = UINT64_MAX;
		at += walk->waiting;
		wp_mesh_judge_waiting(walk);
	}
}

static void walk_tree(wp_mesh_walk *walk, const float lower[3], const float upper[3])
{
	const wp_mesh *const mesh = walk->row->mesh;
	const wp_mesh_reach reach = wp_mesh_reach_of(walk->row, walk->max_separation);
	for (uint32_t cursor = 0; cursor < mesh->triangle_count;) {
		uint32_t found[PART];
		size_t count = 0;
		(void)wp_mesh_overlap_box(mesh, lower, upper, &cursor, found, PART, &count);
		take_found(walk, found, wp_mesh_leave_near(walk, &reach, found, (uint32_t)count));
	}
}

void wp_mesh_judge_row(const wp_mesh_call *call, const wp_mesh_descent *descent)
{
	wp_mesh_walk walk = wp_mesh_walk_of(call, &descent->row);
	wp_mesh_open(&walk);
	if (descent->is_long)
		walk_tree(&walk, descent->lower, descent->upper);
	else
		take_found(&walk, descent->found, descent->count);
	wp_mesh_close(&walk);
}

void wp_mesh_walk_row_in(const wp_mesh_call *call, const wp_mesh_row *row, const wp_mesh_box *box)
{
	wp_mesh_walk walk = wp_mesh_walk_of(call, row);
	wp_mesh_open(&walk);
	if (row->field != NULL)
		wp_mesh_walk_cells(&walk, box);
	else if (walk.is_round)
		wp_mesh_find_round(&walk, box->lower, box->upper);
	else
		walk_tree(&walk, box->lower, box->upper);
	wp_mesh_close(&walk);
}

void wp_mesh_walk_row(const wp_mesh_call *call, const wp_mesh_row *row)
{
	const wp_mesh_box box = wp_mesh_box_around(row, (double)call->call.max_separation);
	wp_mesh_walk_row_in(call, row, &box);
}
