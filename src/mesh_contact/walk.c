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

/* By the regions of its corners and edges (Ericson 2005, Real-Time Collision Detection, 5.1.5). Rounding may choose another
 * edge of a thin triangle, which is as near within 1e-8 of its length. */
bool wp_mesh_nearest_place(const wp_d3 v[3], wp_d3 *place)
{
	const wp_d3 ab = wp_d3_sub(v[1], v[0]), ac = wp_d3_sub(v[2], v[0]);
	const double d1 = -wp_d3_dot(ab, v[0]), d2 = -wp_d3_dot(ac, v[0]);
	const double d3 = -wp_d3_dot(ab, v[1]), d4 = -wp_d3_dot(ac, v[1]);
	const double d5 = -wp_d3_dot(ab, v[2]), d6 = -wp_d3_dot(ac, v[2]);
	const double along_bc = d4 - d3, against_bc = d5 - d6;
	if (d1 <= 0 && d2 <= 0)
		*place = v[0];
	else if (d3 >= 0 && d4 <= d3)
		*place = v[1];
	else if (d6 >= 0 && d5 <= d6)
		*place = v[2];
	else if (d1 * d4 - d3 * d2 <= 0 && d1 >= 0 && d3 <= 0)
		*place = wp_d3_add(v[0], wp_d3_scale(ab, d1 / (d1 - d3)));
	else if (d5 * d2 - d1 * d6 <= 0 && d2 >= 0 && d6 <= 0)
		*place = wp_d3_add(v[0], wp_d3_scale(ac, d2 / (d2 - d6)));
	else if (d3 * d6 - d5 * d4 <= 0 && along_bc >= 0 && against_bc >= 0)
		*place = wp_d3_add(v[1], wp_d3_scale(wp_d3_sub(v[2], v[1]), along_bc / (along_bc + against_bc)));
	else
		return false;
	return true;
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

/* Whether a plane across an edge of a box, which a segment is too, and one of a triangle keeps them farther apart than
 * `limit`: the nine axes of their edges. */
static bool edges_miss(const wp_mesh_row *row, const wp_d33 *axes, const wp_d3 corner[3], double limit)
{
	const float *const half = row->core->half;
	for (int k = 0; k < 3; k++) {
		const wp_d3 edge = wp_d3_sub(corner[(k + 1) % 3], corner[k]);
		for (int i = 0; i < 3; i++) {
			const wp_d3 axis = wp_d3_cross(wp_d33_axis(axes, i), edge);
			double out = limit * wp_d3_length(axis);
			for (int j = 0; j < 3; j++)
				out += (double)half[j] * __builtin_fabs(wp_d3_dot(wp_d33_axis(axes, j), axis));
			/* Both ends of the edge are as far along the axis. */
			const double one = wp_d3_dot(axis, corner[k]), other = wp_d3_dot(axis, corner[(k + 2) % 3]);
			if ((one > out && other > out) || (one < -out && other < -out))
				return true;
		}
	}
	return false;
}

bool wp_mesh_misses(const wp_mesh_row *row, const wp_d33 *axes, const wp_d3 corner[3], double max_separation)
{
	const double limit = max_separation + WP_WALK_SLACK * row->reach;
	if (ball_misses(row, corner, limit))
		return true;
	const bool is_box = row->core->kind == WP_CORE_BOX ||
	                    (row->core->kind == WP_CORE_SEGMENT && row->core->half[1] > 0.0f);
	return is_box && edges_miss(row, axes, corner, limit + (double)row->core->radius);
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
	const wp_d33 axes = wp_d33_of_rotation(row->rotation);
	wp_mesh_row *open = open_row(call, row);
	for (uint32_t cursor = 0; cursor < row->mesh->triangle_count;) {
		uint32_t found[PART];
		size_t count = 0;
		(void)wp_mesh_overlap_box(row->mesh, box.lower, box.upper, &cursor, found, PART, &count);
		call->statistics->triangles += count;
		for (size_t i = 0; i < count; i++) {
			wp_mesh_candidate candidate;
			if (!faces_body(call, row, &view, found[i], &candidate))
				continue;
			if (wp_mesh_misses(row, &axes, candidate.corner, (double)call->call.max_separation))
				call->statistics->beyond++;
			else
				open = push(call, row, open, &candidate);
		}
	}
	open->is_ended = true;
}
