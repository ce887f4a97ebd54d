/* The call: its arguments checked, its rows read one by one. */
#include "batch/keep.h"
#include "batch/read.h"
#include "core/environment.h"
#include "mesh_contact/internal.h"

#define PATCH_MAX_DEFAULT 4
#define FLAGS (WP_MESH_TWO_SIDED | WP_MESH_GHOSTS | WP_MESH_SOUP)

/* ---- arguments ---------------------------------------------------------------------------------- */

static wp_error check_results(const wp_mesh_results *r, uint32_t patch_max)
{
	const size_t word = sizeof(uint32_t);
	return WP_IS_SHORT(r->separation, sizeof(float))                          ? WP_ERROR_RESULTS_SEPARATION_STRIDE
	     : WP_IS_SHORT(r->normal, 3 * sizeof(float))                          ? WP_ERROR_RESULTS_NORMAL_STRIDE
	     : WP_IS_SHORT(r->status, word)                                       ? WP_ERROR_RESULTS_STATUS_STRIDE
	     : WP_IS_SHORT(r->triangle_count, word)                               ? WP_ERROR_TRIANGLE_COUNT_STRIDE
	     : WP_IS_SHORT(r->patch_count, word)                                  ? WP_ERROR_PATCH_COUNT_STRIDE
	     : r->patch_max > WP_MESH_PATCH_MAX                                   ? WP_ERROR_MESH_PATCH_MAX
	     : r->patches.data != NULL && r->patch_count.data == NULL             ? WP_ERROR_NULL_PATCH_COUNT
	     : WP_IS_SHORT(r->patches, (size_t)patch_max * sizeof(wp_mesh_patch)) ? WP_ERROR_PATCHES_STRIDE
	                                                                          : WP_OK;
}

uint32_t wp_mesh_patch_max(uint32_t told) { return told != 0 ? told : PATCH_MAX_DEFAULT; }

wp_batch wp_mesh_plain_batch(const wp_mesh_batch *batch)
{
	return (wp_batch){.shapes = batch->shapes,
		.a = batch->a,
		.b = batch->b,
		.pair_a = batch->pair_a,
		.pair_b = batch->pair_b,
		.first = batch->first,
		.count = batch->count};
}

static wp_error check(const wp_workspace *workspace, const wp_mesh_batch *batch, const wp_request *request,
	const wp_mesh_options *options, const wp_mesh_results *results)
{
	if (workspace == NULL)
		return WP_ERROR_NULL_WORKSPACE;
	if (batch == NULL)
		return WP_ERROR_NULL_BATCH;
	if (results == NULL)
		return WP_ERROR_NULL_RESULTS;
	if (options != NULL && (options->flags & ~(uint32_t)FLAGS) != 0)
		return WP_ERROR_MESH_FLAGS;
	const wp_batch plain = wp_mesh_plain_batch(batch);
	const wp_results none = {.point_real = WP_REAL_FLOAT};
	const wp_error error = wp_check_call(workspace, &plain, &none, request);
	if (error != WP_OK || batch->count == 0)
		return error;
	return batch->meshes == NULL && batch->mesh_count != 0                ? WP_ERROR_NULL_MESHES
	     : batch->height_fields == NULL && batch->height_field_count != 0 ? WP_ERROR_NULL_HEIGHT_FIELDS
	     : batch->b.position.data == NULL                                 ? WP_ERROR_BODIES_B_POSITION
	                                      : check_results(results, wp_mesh_patch_max(results->patch_max));
}

/* ---- rows --------------------------------------------------------------------------------------- */

/* What is no mesh at all fails by its magic. */
static bool is_mesh(const wp_mesh *mesh)
{
	return mesh != NULL && wp_is_aligned(mesh, WP_ALIGNMENT) && mesh->magic == WP_MESH_MAGIC &&
	       mesh->version == WP_MESH_VERSION;
}

bool wp_mesh_find_surface(const wp_mesh_call *call, uint32_t body, wp_mesh_row *r)
{
	const uint64_t index = wp_shape_of_body(&call->call.b, body, body * call->call.b.shape.stride);
	if (index < call->mesh_count) {
		r->mesh = call->meshes[index];
		return is_mesh(r->mesh);
	}
	if (index - call->mesh_count >= call->field_count)
		return false;
	r->field = call->fields[index - call->mesh_count];
	return r->field != NULL && wp_height_check_numbers(r->field) == WP_OK;
}

uint32_t wp_mesh_read_sides(const wp_mesh_call *call, uint32_t row, wp_side *a, wp_side *b, wp_mesh_row *r)
{
	const wp_call *const c = &call->call;
	const size_t at = c->first + row;
	a->body = wp_body_of_row(c->pair_a.data, c->pair_a.stride, at, c->a.count, &a->has_body);
	b->body = wp_body_of_row(c->pair_b.data, c->pair_b.stride, at, c->b.count, &b->has_body);
	uint32_t invalid = wp_read_side(c, WP_3D, c->a.position_real, &c->a, a);
	if (a->has_body && a->shape != WP_NO_SHAPE && c->cores[a->shape].kind >= WP_CORE_HALF_SPACE)
		invalid |= WP_STATUS_INVALID_SHAPE_A;
	if (!b->has_body)
		return invalid | WP_STATUS_INVALID_BODY_B;
	if (!wp_mesh_find_surface(call, b->body, r))
		invalid |= WP_STATUS_INVALID_SHAPE_B;
	if (!wp_read_position(&c->b, b->body, WP_3D, c->b.position_real, b->position))
		invalid |= WP_STATUS_INVALID_POSITION_B;
	if (!wp_read_rotation(&c->b, b->body, WP_3D, b->rotation))
		invalid |= WP_STATUS_INVALID_ROTATION_B;
	return invalid;
}

/* The mean of a hull's vertices, in its frame; the other shapes have their origin inside. */
static wp_d3 centre_of(const wp_core *core)
{
	if (core->kind != WP_CORE_HULL)
		return wp_d3_zero();
	double sum[3] = {0, 0, 0};
	for (uint32_t axis = 0; axis < 3; axis++)
		for (uint32_t i = 0; i < core->count; i++)
			sum[axis] += (double)core->vertices[(size_t)axis * core->padded + i];
	return wp_d3_scale(wp_d3_at(sum), 1.0 / (double)core->count);
}

/* The rotation of A in the axes of B, rounded as kernels get it. */
static wp_dq relative_turn(const float a[4], const float b[4], float rotation[4])
{
	const wp_dq p = wp_dq_of_rotation(a), q = wp_dq_of_rotation(b);
	/* conj(q) p */
	const wp_d3 v = wp_d3_sub(wp_d3_sub(wp_d3_scale(p.v, q.w), wp_d3_scale(q.v, p.w)), wp_d3_cross(q.v, p.v));
	wp_dq_put_rotation(v, q.w * p.w + wp_d3_dot(q.v, p.v), rotation);
	return wp_dq_of_rotation(rotation);
}

void wp_mesh_place_row(const wp_mesh_call *call, const wp_side *a, const wp_side *b, wp_mesh_row *r)
{
	const wp_core *const core = &call->call.cores[a->shape];
	r->core = core;
	r->turn = wp_dq_of_rotation(b->rotation);
	r->body_turn = relative_turn(a->rotation, b->rotation, r->rotation);
	r->axes = wp_d33_of_rotation(r->rotation);
	memcpy(r->position, a->position, sizeof r->position);
	r->origin = wp_dq_turn_back(r->turn, wp_d3_sub(wp_d3_at(a->position), wp_d3_at(b->position)));
	r->centre = wp_dq_turn(r->body_turn, centre_of(core));
	r->reach = (double)core->bound + (double)core->radius;
}

uint32_t wp_mesh_read_row(const wp_mesh_call *call, uint32_t row, wp_side *a, wp_side *b, wp_mesh_row *r)
{
	*r = (wp_mesh_row){.row = row};
	const uint32_t invalid = wp_mesh_read_sides(call, row, a, b, r);
	if (invalid == 0)
		wp_mesh_place_row(call, a, b, r);
	return invalid;
}

void wp_mesh_run_row(const wp_mesh_call *call, uint32_t row)
{
	wp_side a = {0}, b = {0};
	wp_mesh_row r;
	const uint32_t invalid = wp_mesh_read_row(call, row, &a, &b, &r);
	if (invalid == 0)
		wp_mesh_push_row(call, &r);
	else
		wp_mesh_write_invalid(call, row, invalid | WP_STATUS_INVALID);
}

/* ---- the call ----------------------------------------------------------------------------------- */

static void fill_results(wp_mesh_results *r)
{
	const size_t word = sizeof(uint32_t);
	r->patch_max = wp_mesh_patch_max(r->patch_max);
	r->separation.stride = wp_or_packed(r->separation.stride, sizeof(float));
	r->normal.stride = wp_or_packed(r->normal.stride, 3 * sizeof(float));
	r->status.stride = wp_or_packed(r->status.stride, word);
	r->triangle_count.stride = wp_or_packed(r->triangle_count.stride, word);
	r->patch_count.stride = wp_or_packed(r->patch_count.stride, word);
	r->patches.stride = wp_or_packed(r->patches.stride, r->patch_max * sizeof(wp_mesh_patch));
}

static void run(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_request *request,
	const wp_mesh_options *options, const wp_mesh_results *results, wp_mesh_statistics *statistics, uint32_t capacity,
	const wp_mesh_frame *frame)
{
	const wp_batch plain = wp_mesh_plain_batch(batch);
	const wp_results none = {.point_real = WP_REAL_FLOAT};
	wp_mesh_statistics unused = {0};
	wp_mesh_call call = {.workspace = workspace,
		.call = wp_make_call(&plain, &none, request),
		.meshes = batch->meshes,
		.fields = batch->height_fields,
		.mesh_count = batch->mesh_count,
		.field_count = batch->height_field_count,
		.flags = options != NULL ? options->flags : 0,
		.count = (uint32_t)batch->count,
		.results = *results,
		.statistics = statistics != NULL ? statistics : &unused,
		.frame = frame};
	fill_results(&call.results);
	wp_mesh_memory *const memory = &workspace->mesh;
	memory->count = memory->row_count = 0;
	memory->descent_count = 0;
	memory->is_in_row = memory->is_whole = false;
	memory->gathered.count = memory->gathered_count = memory->gathered_status = memory->whole_count = 0;
	memory->gathered.over = WP_INFINITY;
	memory->capacity = capacity;
	memory->is_soup = (call.flags & WP_MESH_SOUP) != 0;
	wp_mesh_begin_patches(memory);
	for (uint32_t row = 0; row < call.count; row++)
		(frame != NULL ? frame->run_row : wp_mesh_run_row)(&call, row);
	wp_mesh_run_group(&call);
	wp_mesh_run_ring(&call);
}

wp_error wp_mesh_run_call(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_options *options,
	const wp_mesh_results *results, wp_mesh_statistics *statistics, uint32_t capacity, const wp_mesh_frame *frame)
{
	const wp_request request = {.dimension = WP_3D,
		.query = WP_QUERY_CONTACT,
		.max_separation = options != NULL ? options->max_separation : 0.0f};
	const wp_environment before = wp_environment_enter();
	wp_error error = check(workspace, batch, &request, options, results);
	if (error == WP_OK && frame != NULL)
		error = wp_keep_begin(frame->changes, batch->first, batch->count);
	if (error == WP_OK && batch->count != 0)
		run(workspace, batch, &request, options, results, statistics, capacity, frame);
	wp_environment_leave(before);
	return error;
}

wp_error wp_mesh_contact_in(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_options *options,
	const wp_mesh_results *results, wp_mesh_statistics *statistics, uint32_t capacity)
{
	return wp_mesh_run_call(workspace, batch, options, results, statistics, capacity, NULL);
}

wp_error wp_mesh_contact(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_options *options,
	const wp_mesh_results *results, wp_mesh_statistics *statistics)
{
	return wp_mesh_contact_in(workspace, batch, options, results, statistics, WP_MESH_RING);
}
