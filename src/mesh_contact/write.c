/* Rows as the caller gets them. */
#include "mesh_contact/internal.h"

/* What a row is told besides its patches. */
typedef struct summary {
	float separation, normal[3];
	uint32_t status, triangle_count, patch_count;
} summary;

static void write_summary(const wp_mesh_call *call, uint32_t row, const summary *s)
{
	const wp_mesh_results *const r = &call->results;
	const size_t at = call->call.first + row;
	if (r->separation.data != NULL)
		memcpy((char *)r->separation.data + at * r->separation.stride, &s->separation, sizeof s->separation);
	if (r->normal.data != NULL)
		memcpy((char *)r->normal.data + at * r->normal.stride, s->normal, sizeof s->normal);
	if (r->status.data != NULL)
		memcpy((char *)r->status.data + at * r->status.stride, &s->status, sizeof s->status);
	if (r->triangle_count.data != NULL)
		memcpy((char *)r->triangle_count.data + at * r->triangle_count.stride, &s->triangle_count, sizeof(uint32_t));
	if (r->patch_count.data != NULL)
		memcpy((char *)r->patch_count.data + at * r->patch_count.stride, &s->patch_count, sizeof(uint32_t));
}

void wp_mesh_write_invalid(const wp_mesh_call *call, uint32_t row, uint32_t status)
{
	wp_mesh_statistics *const s = call->statistics;
	const uint64_t at = call->call.first + row;
	if (s->invalid == 0 || at < s->first_invalid_row)
		s->first_invalid_row = at;
	s->rows++;
	s->invalid++;
	write_summary(call, row, &(summary){.separation = WP_NAN, .status = status});
}

/* A spot as a point: on the mesh it is straight along the normal. */
static void write_point(const wp_mesh_row *row, wp_d3 normal, const wp_mesh_spot *spot, wp_mesh_point *point)
{
	const wp_d3 on_mesh = wp_d3_sub(spot->at, wp_d3_scale(normal, spot->separation));
	const wp_d3 position = wp_d3_at(row->position);
	wp_d3_put_floats(wp_d3_add(position, wp_dq_turn(row->turn, spot->at)), point->point_a);
	wp_d3_put_floats(wp_d3_add(position, wp_dq_turn(row->turn, on_mesh)), point->point_b);
	memcpy(point->local_a, spot->local, sizeof point->local_a);
	wp_d3_put_floats(wp_d3_add(row->origin, on_mesh), point->local_b);
	point->separation = (float)spot->separation;
	point->triangle = spot->triangle;
	point->feature_a = spot->feature_a;
	point->feature_b = spot->feature_b;
}

static void write_patch(const wp_mesh_row *row, wp_mesh_patch_spots *spots, wp_mesh_patch *patch)
{
	wp_mesh_reduce(spots, WP_MESH_POINT_MAX, row->reach);
	wp_d3_put_floats(wp_dq_turn(row->turn, wp_d3_negate(spots->normal)), patch->normal);
	patch->separation = (float)spots->separation;
	patch->point_count = spots->count;
	for (uint32_t i = 0; i < spots->count; i++)
		write_point(row, spots->normal, &spots->spot[i], &patch->points[i]);
}

/* Patches by depth, the deepest first; those as deep stay in order. */
static void order_patches(const wp_mesh_patches *patches, uint32_t order[WP_MESH_PATCH_MAX])
{
	for (uint32_t i = 0; i < patches->count; i++) {
		uint32_t at = i;
		for (; at > 0 && patches->patch[i].separation < patches->patch[order[at - 1]].separation; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

/* What a separation says of a body and the triangles it touches. */
static uint32_t state_of(float separation)
{
	return separation > 0.0f ? WP_STATUS_SEPARATED : separation < 0.0f ? WP_STATUS_PENETRATING : WP_STATUS_TOUCHING;
}

void wp_mesh_write_row(const wp_mesh_call *call, const wp_mesh_row *row)
{
	wp_mesh_memory *const memory = &call->workspace->mesh;
	const wp_mesh_results *const r = &call->results;
	if ((memory->status & WP_STATUS_INVALID) != 0) {
		wp_mesh_write_invalid(call, row->row, memory->status);
		return;
	}
	uint32_t order[WP_MESH_PATCH_MAX];
	wp_mesh_finish_patches(memory, row);
	order_patches(&memory->patches, order);
	summary s = {.separation = WP_INFINITY, .triangle_count = memory->triangle_count};
	s.patch_count = memory->patches.count < r->patch_max ? memory->patches.count : r->patch_max;
	s.status = memory->status | WP_STATUS_SEPARATED | WP_STATUS_BEYOND;
	if (s.patch_count != 0) {
		const wp_mesh_patch_spots *const deepest = &memory->patches.patch[order[0]];
		s.separation = (float)deepest->separation;
		wp_d3_put_floats(wp_dq_turn(row->turn, wp_d3_negate(deepest->normal)), s.normal);
		s.status = memory->status | state_of(s.separation);
	}
	write_summary(call, row->row, &s);
	call->statistics->rows++;
	call->statistics->touching += s.patch_count != 0;
	if (r->patches.data == NULL)
		return;
	char *const to = (char *)r->patches.data + (call->call.first + row->row) * r->patches.stride;
	for (uint32_t i = 0; i < s.patch_count; i++) {
		wp_mesh_patch patch;
		memset(&patch, 0, sizeof patch);
		write_patch(row, &memory->patches.patch[order[i]], &patch);
		memcpy(to + i * sizeof patch, &patch, sizeof patch);
	}
}
