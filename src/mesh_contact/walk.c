/* From rows to candidates: the triangles whose boxes meet the body's, but those that face away or are too far. */
#include "mesh_contact/internal.h"

/* Triangles that a walk brings at once. */
#define PART 64

/* ---- triangles ---------------------------------------------------------------------------------- */

/* Whether a triangle may touch the body. Corners and normal go into the candidate. */
static bool faces_body(const wp_mesh_call *call, const wp_mesh_row *row, const wp_mesh_view *view, uint32_t triangle,
	wp_mesh_candidate *candidate)
{
	const wp_mesh_triangle_row *const t = &view->triangles[triangle];
	const float *v[3];
	for (int i = 0; i < 3; i++) {
		v[i] = view->vertices[wp_row_corner(t, i)];
		candidate->corner[i] = wp_d3_sub(wp_d3_of_floats(v[i]), row->origin);
	}
	wp_d3 area;
	(void)wp_triangle_normal(v[0], v[1], v[2], &area);
	wp_d3 face = wp_d3_unit(area);
	if (wp_d3_dot(face, wp_d3_sub(row->centre, candidate->corner[0])) < 0) {
		if ((call->flags & WP_MESH_TWO_SIDED) == 0) {
			call->statistics->behind++;
			return false;
		}
		face = wp_d3_negate(face);
	}
	const wp_d3 lowest = wp_mesh_support(row, wp_d3_negate(face));
	const double gap = wp_d3_dot(face, wp_d3_sub(lowest, candidate->corner[0]));
	candidate->triangle = triangle;
	candidate->face = face;
	if (gap > (double)call->call.max_separation + WP_WALK_SLACK * row->reach) {
		call->statistics->beyond++;
		return false;
	}
	return true;
}

/* Where a triangle's core has its origin: the middle of its box. */
static void middle_of(const wp_d3 corner[3], float middle[3])
{
	double at[3][3];
	for (int i = 0; i < 3; i++)
		wp_d3_put(corner[i], at[i]);
	for (int k = 0; k < 3; k++) {
		double low = at[0][k], high = at[0][k];
		for (int i = 1; i < 3; i++) {
			low = at[i][k] < low ? at[i][k] : low;
			high = at[i][k] > high ? at[i][k] : high;
		}
		middle[k] = (float)(low + (high - low) / 2);
	}
}

/* Make the core of a triangle, relative to the middle of its box as that is rounded. */
static void put_triangle(wp_mesh_memory *memory, uint32_t at, const wp_d3 corner[3])
{
	wp_mesh_place *const place = &memory->place[at];
	wp_shape shape = {.kind = WP_SHAPE_TRIANGLE};
	middle_of(corner, place->position);
	for (int i = 0; i < 3; i++) {
		const wp_d3 local = wp_d3_sub(corner[i], wp_d3_of_floats(place->position));
		shape.points[i][0] = (float)local.x;
		shape.points[i][1] = (float)local.y;
		shape.points[i][2] = (float)local.z;
	}
	(void)wp_core_of_shape(&shape, &memory->core[at], memory->small[at]);
	place->rotation[0] = place->rotation[1] = place->rotation[2] = 0.0f;
	place->rotation[3] = 1.0f;
	place->shape = at;
}

/* ---- the ring ----------------------------------------------------------------------------------- */

/* Give a row a place in the ring. */
static wp_mesh_row *open_row(const wp_mesh_call *call, const wp_mesh_row *row)
{
	wp_mesh_memory *const memory = &call->workspace->mesh;
	if (memory->row_count == WP_MESH_ROWS)
		wp_mesh_run_ring(call);
	const uint32_t at = WP_MESH_RING + memory->row_count;
	wp_mesh_row *const open = &memory->row[memory->row_count++];
	*open = *row;
	open->first = open->end = memory->count;
	memory->core[at] = *row->core;
	memory->place[at] = (wp_mesh_place){.shape = at};
	memcpy(memory->place[at].rotation, row->rotation, sizeof row->rotation);
	return open;
}

/* Put a candidate into the ring, which is run first where it is full. Returns the row's place. */
static wp_mesh_row *push(
	const wp_mesh_call *call, const wp_mesh_row *row, wp_mesh_row *open, const wp_mesh_candidate *candidate)
{
	wp_mesh_memory *const memory = &call->workspace->mesh;
	if (memory->count == memory->capacity) {
		wp_mesh_run_ring(call);
		open = open_row(call, row);
	}
	const uint32_t at = memory->count++;
	memory->candidate[at] = *candidate;
	memory->body[at] = WP_MESH_RING + (uint32_t)(open - memory->row);
	put_triangle(memory, at, candidate->corner);
	open->end = memory->count;
	call->statistics->solved++;
	return open;
}

void wp_mesh_walk(const wp_mesh_call *call, const wp_mesh_row *row)
{
	const wp_mesh_box box = wp_mesh_box_around(row, (double)call->call.max_separation);
	const wp_mesh_view view = wp_mesh_view_of(row->mesh);
	wp_mesh_row *open = open_row(call, row);
	for (uint32_t cursor = 0; cursor < row->mesh->triangle_count;) {
		uint32_t found[PART];
		size_t count = 0;
		(void)wp_mesh_overlap_box(row->mesh, box.lower, box.upper, &cursor, found, PART, &count);
		call->statistics->triangles += count;
		for (size_t i = 0; i < count; i++) {
			wp_mesh_candidate candidate;
			if (faces_body(call, row, &view, found[i], &candidate))
				open = push(call, row, open, &candidate);
		}
	}
	open->is_ended = true;
}
