/* From triangles to candidates: those that face away or are too far are left out, the others get a place in the ring. */
#include "mesh_contact/internal.h"

/* ---- triangles ---------------------------------------------------------------------------------- */

/* Separations up to which a triangle's contact is needed. */
static double limit_of(const wp_mesh_walk *walk) { return walk->max_separation + WP_WALK_SLACK * walk->row->reach; }

/* Whether a core is the box around it. */
static bool has_box_alone(uint32_t kind) { return kind == WP_CORE_BOX || kind == WP_CORE_SEGMENT; }

static double gap_along(const wp_mesh_row *row, wp_d3 face, wp_d3 corner)
{
	return wp_d3_dot(face, wp_d3_sub(wp_mesh_support(row, wp_d3_negate(face)), corner));
}

/* Whether a triangle that kernels left may touch the body: it faces the body, and a core that is more than kernels know of it,
 * which is a box around it, reaches its plane. Corners and normal go into the candidate. */
static bool faces_body(const wp_mesh_walk *walk, uint32_t triangle, const wp_d3 v[3], wp_mesh_candidate *candidate)
{
	const wp_mesh_row *const row = walk->row;
	wp_mesh_statistics *const statistics = walk->call->statistics;
	for (int i = 0; i < 3; i++)
		candidate->corner[i] = wp_d3_sub(v[i], row->origin);
	wp_d3 area;
	(void)wp_normal_of_corners(v[0], v[1], v[2], &area);
	wp_d3 face = wp_d3_unit(area);
	if (wp_d3_dot(face, wp_d3_sub(row->centre, candidate->corner[0])) < 0) {
		if ((walk->call->flags & WP_MESH_TWO_SIDED) == 0) {
			statistics->behind++;
			return false;
		}
		face = wp_d3_negate(face);
	}
	candidate->triangle = triangle;
	candidate->face = face;
	if (has_box_alone(row->core->kind) || gap_along(row, face, candidate->corner[0]) <= limit_of(walk))
		return true;
	statistics->beyond++;
	return false;
}

/* ---- the ring ----------------------------------------------------------------------------------- */

/* Give the row a place among the rows of the ring. */
static void open_row(wp_mesh_walk *walk)
{
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	if (memory->row_count == WP_MESH_ROWS)
		wp_mesh_run_ring(walk->call);
	const uint32_t at = WP_MESH_RING + memory->row_count;
	wp_mesh_row *const open = &memory->row[memory->row_count++];
	*open = *walk->row;
	open->first = open->end = memory->count;
	memory->core[at] = *walk->row->core;
	memory->place[at] = (wp_mesh_place){.shape = at};
	memcpy(memory->place[at].rotation, walk->row->rotation, sizeof walk->row->rotation);
	walk->open = open;
}

/* The next candidate's place in the ring, which is run first where it is full. */
static wp_mesh_candidate *next_candidate(wp_mesh_walk *walk)
{
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	if (memory->count == memory->capacity) {
		wp_mesh_run_ring(walk->call);
		open_row(walk);
	}
	return &memory->candidate[memory->count];
}

/* Take the candidate that is there. */
static void push(wp_mesh_walk *walk)
{
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	const uint32_t at = memory->count++;
	memory->body[at] = WP_MESH_RING + (uint32_t)(walk->open - memory->row);
	if (!wp_mesh_is_sharp_box(walk->row->core))
		wp_mesh_put_triangle(memory, at);
	walk->open->end = memory->count;
	walk->call->statistics->solved++;
}

/* ---- triangles that wait ------------------------------------------------------------------------ */

/* What kernels need of the body. */
static void describe_body(const wp_mesh_walk *walk, wp_cull *cull)
{
	const wp_mesh_row *const row = walk->row;
	const double limit = limit_of(walk);
	const float *const half = row->core->half;
	for (int i = 0; i < 3; i++)
		wp_d3_put_floats(wp_d33_axis(&row->axes, i), cull->axis[i]);
	wp_d3_put_floats(row->centre, cull->centre);
	cull->size = (float)(wp_mesh_sum_of_abs(row->centre) + 0x1p-24 * wp_mesh_sum_of_abs(row->origin));
	memcpy(cull->half, half, sizeof cull->half);
	cull->round = (float)((double)row->core->radius + limit);
	cull->reach = (float)(row->reach + limit);
	cull->has_box = half[0] > 0.0f || half[1] > 0.0f || half[2] > 0.0f;
	cull->has_ball = row->core->kind != WP_CORE_BOX;
	cull->is_two_sided = (walk->call->flags & WP_MESH_TWO_SIDED) != 0;
}

static void judge(wp_mesh_walk *walk, uint32_t triangle)
{
	wp_d3 corner[3];
	wp_surface_corners(&walk->surface, triangle, corner);
	if (faces_body(walk, triangle, corner, next_candidate(walk)))
		push(walk);
}

/* Lanes past the last triangle repeat it, up to a multiple of the kernels' width. */
static void repeat_last(wp_cull *cull, uint32_t count, uint32_t width)
{
	for (; count % 4 != 0; count++)
		for (int k = 0; k < 9; k++)
			cull->place[k][count] = cull->place[k][count - 1];
	for (; (count & (width - 1)) != 0; count += 4)
		for (int k = 0; k < 9; k++)
			wp_quad_store(cull->place[k] + count, wp_quad_set(cull->place[k][count - 1]));
}

/* Move those that are left to the front. Returns how many they are. */
static uint32_t keep_left(wp_mesh_memory *memory, uint64_t left)
{
	uint32_t count = 0;
	for (; left != 0; left &= left - 1) {
		const uint32_t from = wp_lowest_bit_64(left), to = count++;
		memory->found[to] = memory->found[from];
		for (int k = 0; k < 9; k++)
			memory->cull.place[k][to] = memory->cull.place[k][from];
	}
	return count;
}

/* Leave out what is apart across edges, of triangles of which few are left: the others went before. */
static uint64_t cull_edges(const wp_mesh_walk *walk, uint64_t left)
{
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	uint64_t beyond;
	const uint32_t count = keep_left(memory, left);
	if (count == 0)
		return 0;
	const wp_kernels *const kernels = wp_kernels_for(walk->call->workspace, count);
	repeat_last(&memory->cull, count, kernels->width);
	kernels->closed->cull_edges(&memory->cull, count, &beyond);
	walk->call->statistics->beyond += wp_count_bits_64(beyond);
	return wp_first_bits_64(count) & ~beyond;
}

void wp_mesh_judge_waiting(wp_mesh_walk *walk)
{
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	wp_mesh_statistics *const statistics = walk->call->statistics;
	const uint32_t count = walk->waiting;
	const uint64_t met = walk->met & wp_first_bits_64(count);
	uint64_t behind, beyond;
	walk->waiting = 0;
	walk->met = 0;
	if (met == 0)
		return;
	const wp_kernels *const kernels = wp_kernels_for(walk->call->workspace, count);
	repeat_last(&memory->cull, count, kernels->width);
	kernels->closed->cull_triangles(&memory->cull, count, &behind, &beyond);
	statistics->behind += wp_count_bits_64(behind & met);
	statistics->beyond += wp_count_bits_64(beyond & met & ~behind);
	uint64_t left = met & ~(behind | beyond);
	if (memory->cull.has_box)
		left = cull_edges(walk, left);
	for (; left != 0; left &= left - 1)
		judge(walk, memory->found[wp_lowest_bit_64(left)]);
}

void wp_mesh_open(wp_mesh_walk *walk)
{
	if (walk->is_round) {
		wp_mesh_open_round(walk);
		return;
	}
	open_row(walk);
	describe_body(walk, &walk->call->workspace->mesh.cull);
	walk->waiting = 0;
	walk->met = 0;
}

void wp_mesh_close(wp_mesh_walk *walk)
{
	if (walk->is_round) {
		wp_mesh_close_round(walk);
		return;
	}
	wp_mesh_judge_waiting(walk);
	walk->open->is_ended = true;
}
