/* Rows as the caller gets them. */
#include "mesh_contact/internal.h"

/* Write into a column, where it is requested. */
static void put(void *data, size_t stride, size_t at, const void *from, size_t size)
{
	if (data != NULL)
		memcpy((char *)data + at * stride, from, size);
}

static void write_summary(const wp_mesh_call *call, uint32_t row, const wp_mesh_summary *s)
{
	const wp_mesh_results *const r = &call->results;
	const size_t at = call->call.first + row;
	put(r->separation.data, r->separation.stride, at, &s->separation, sizeof s->separation);
	put(r->normal.data, r->normal.stride, at, s->normal, sizeof s->normal);
	put(r->status.data, r->status.stride, at, &s->status, sizeof s->status);
	put(r->triangle_count.data, r->triangle_count.stride, at, &s->triangle_count, sizeof s->triangle_count);
	put(r->patch_count.data, r->patch_count.stride, at, &s->patch_count, sizeof s->patch_count);
}

void wp_mesh_write_invalid(const wp_mesh_call *call, uint32_t row, uint32_t status)
{
	wp_mesh_statistics *const s = call->statistics;
	const uint64_t at = call->call.first + row;
	if (s->invalid == 0 || at < s->first_invalid_row)
		s->first_invalid_row = at;
	s->rows++;
	s->invalid++;
	write_summary(call, row, &(wp_mesh_summary){.separation = WP_NAN, .status = status});
	if (call->frame != NULL && call->frame->keep_invalid != NULL)
		call->frame->keep_invalid(call, row, status);
}

/* Write a valid row but for its patches, and count it. */
static void write_answer(const wp_mesh_call *call, uint32_t row, const wp_mesh_summary *s)
{
	write_summary(call, row, s);
	call->statistics->rows++;
	call->statistics->touching += s->patch_count != 0;
}

/* Where the patches of a row go, of results that have any. */
static char *patches_of_row(const wp_mesh_call *call, uint32_t row)
{
	const wp_mesh_patch_column *const column = &call->results.patches;
	return (char *)column->data + (call->call.first + row) * column->stride;
}

/* Where the children of its points go, if they are requested. */
static char *children_of_row(const wp_mesh_call *call, uint32_t row)
{
	const wp_uint32_column *const column = &call->frame->children;
	return (char *)column->data + (call->call.first + row) * column->stride;
}

WP_NOINLINE void write_kept_children(
	const wp_mesh_call *call, uint32_t row, const wp_mesh_tracked_patch *patches, uint32_t count)
{
	const wp_mesh_frame *const frame = call->frame;
	const size_t each = WP_MESH_POINT_MAX, at = (size_t)(patches - frame->tracked.patches) * each;
	memcpy(children_of_row(call, row), frame->kept_children + at, count * each * sizeof *frame->kept_children);
}

void wp_mesh_write_kept(
	const wp_mesh_call *call, uint32_t row, const wp_mesh_summary *s, const wp_mesh_tracked_patch *patches)
{
	write_answer(call, row, s);
	for (uint32_t i = 0; call->results.patches.data != NULL && i < s->patch_count; i++)
		memcpy(patches_of_row(call, row) + i * sizeof(wp_mesh_patch), &patches[i].found, sizeof(wp_mesh_patch));
	if (call->frame->children.data != NULL && s->patch_count != 0)
		write_kept_children(call, row, patches, s->patch_count);
}

/* A place, from the body's origin on, in world axes; and a normal from the triangle to the body, turned around. */
static void write_place(const wp_mesh_row *row, const wp_d3 *at, float place[3])
{
	wp_d3_put_floats(wp_d3_add(wp_d3_at(row->position), wp_dq_turn(row->turn, *at)), place);
}

static void write_normal(const wp_mesh_row *row, const wp_d3 *from, float normal[3])
{
	wp_d3_put_floats(wp_dq_turn(row->turn, wp_d3_negate(*from)), normal);
}

/* A spot as a point: on the mesh it is straight along the normal. */
static void write_point(const wp_mesh_row *row, const wp_d3 *normal, const wp_mesh_spot *spot, wp_mesh_point *point)
{
	const wp_d3 on_mesh = wp_d3_sub(spot->at, wp_d3_scale(*normal, spot->separation));
	write_place(row, &spot->at, point->point_a);
	write_place(row, &on_mesh, point->point_b);
	memcpy(point->local_a, spot->local, sizeof point->local_a);
	wp_d3_put_floats(wp_d3_add(row->origin, on_mesh), point->local_b);
	point->separation = (float)spot->separation;
	point->triangle = spot->triangle;
	point->feature_a = spot->feature_a;
	point->feature_b = spot->feature_b;
}

static void write_patch(const wp_mesh_row *row, wp_mesh_patch_spots *spots, wp_mesh_patch *patch)
{
	spots->count = wp_mesh_reduce(row, spots->lead.normal, spots->spot, spots->count);
	write_normal(row, &spots->lead.normal, patch->normal);
	patch->separation = (float)spots->lead.separation;
	patch->point_count = spots->count;
	for (uint32_t i = 0; i < spots->count; i++)
		write_point(row, &spots->lead.normal, &spots->spot[i], &patch->points[i]);
}

/* What a separation says of a body and the triangles it touches. */
static uint32_t state_of(float separation)
{
	return separation > 0.0f ? WP_STATUS_SEPARATED : separation < 0.0f ? WP_STATUS_PENETRATING : WP_STATUS_TOUCHING;
}

/* Of the points of a row with a compound the children, where they are requested. */
static void write_children(const wp_mesh_call *call, const wp_mesh_row *row, uint32_t count)
{
	const wp_mesh_memory *const memory = &call->workspace->mesh;
	const wp_uint32_column *const to = &call->frame->children;
	for (uint32_t i = 0; to->data != NULL && i < count; i++) {
		const wp_mesh_patch_spots *const patch = memory->patch[i];
		uint32_t child[WP_MESH_POINT_MAX] = {0};
		for (uint32_t k = 0; k < patch->count; k++)
			child[k] = wp_mesh_child_of(memory, i, k);
		memcpy(children_of_row(call, row->row) + i * sizeof child, child, sizeof child);
	}
}

/* Write a row with its patches. */
static void write_patches(const wp_mesh_call *call, const wp_mesh_row *row)
{
	wp_mesh_memory *const memory = &call->workspace->mesh;
	const wp_mesh_results *const r = &call->results;
	wp_mesh_summary s = {.separation = WP_INFINITY, .triangle_count = memory->triangle_count};
	s.patch_count = memory->patch_count < r->patch_max ? memory->patch_count : r->patch_max;
	s.status = memory->status | WP_STATUS_SEPARATED | WP_STATUS_BEYOND;
	if (s.patch_count != 0) {
		const wp_mesh_patch_spots *const deepest = memory->patch[0];
		s.separation = (float)deepest->lead.separation;
		write_normal(row, &deepest->lead.normal, s.normal);
		s.status = memory->status | state_of(s.separation);
	}
	write_answer(call, row->row, &s);
	if (r->patches.data == NULL && call->frame == NULL)
		return;
	wp_mesh_patch patches[WP_MESH_PATCH_MAX];
	memset(patches, 0, s.patch_count * sizeof *patches);
	for (uint32_t i = 0; i < s.patch_count; i++)
		write_patch(row, memory->patch[i], &patches[i]);
	if (r->patches.data != NULL)
		memcpy(patches_of_row(call, row->row), patches, s.patch_count * sizeof *patches);
	if (call->frame == NULL)
		return;
	write_children(call, row, s.patch_count);
	if (call->frame->keep_row != NULL)
		call->frame->keep_row(call, row->row, &s, patches);
}

void wp_mesh_write_row(const wp_mesh_call *call, const wp_mesh_row *row)
{
	wp_mesh_memory *const memory = &call->workspace->mesh;
	const bool is_invalid = (memory->status & WP_STATUS_INVALID) != 0;
	if (!is_invalid)
		wp_mesh_finish_patches(memory, row);
	if (row->part != NULL)
		wp_mesh_gather_patches(memory, row);
	else if (is_invalid)
		wp_mesh_write_invalid(call, row->row, memory->status);
	else
		write_patches(call, row);
	if (row->part != NULL && row->is_last)
		wp_mesh_write_whole(call, &memory->whole[row->whole]);
}

void wp_mesh_write_whole(const wp_mesh_call *call, const wp_mesh_whole *whole)
{
	wp_mesh_memory *const memory = &call->workspace->mesh;
	wp_mesh_row row = {.row = whole->row,
		.mesh = whole->mesh,
		.field = whole->field,
		.turn = whole->turn,
		.origin = whole->origin,
		.reach = whole->reach};
	memcpy(row.position, whole->position, sizeof row.position);
	wp_mesh_merge_cells(memory, &row, &memory->gathered, &memory->gathered + 1);
	memory->triangle_count = memory->gathered_count;
	memory->status = memory->gathered_status;
	memory->is_whole = true;
	if ((memory->status & WP_STATUS_INVALID) != 0)
		wp_mesh_write_invalid(call, row.row, memory->status);
	else
		write_patches(call, &row);
	memory->is_whole = false;
	memory->gathered.count = memory->gathered_count = memory->gathered_status = 0;
	wp_mesh_begin_patches(memory);
}
