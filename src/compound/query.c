/* The calls: arguments checked, rows under way as many as there are places, in rounds. */
#include "batch/keep.h"
#include "core/environment.h"
#include "compound/internal.h"

/* Pairs of a row in a round: further ones are often left out after it. */
#define PER_ROUND 4

/* ---- rows --------------------------------------------------------------------------------------- */

/* The tracked pair of a row of a frame; it may be none. */
static size_t tracked_of_row(const wp_compound_call *call, uint32_t row)
{
	const wp_const_uint32_column *const index = &call->frame->tracked.index;
	const size_t at = call->rows.first + row;
	return index->data != NULL ? wp_read_index(wp_offset(index->data, at * index->stride)) : at;
}

/* Begin a row at a place. An invalid one is written. */
static void begin_row(const wp_compound_call *call, uint32_t number, uint32_t place)
{
	wp_compound_row *const row = &call->workspace->compound.row[place];
	memset(row, 0, offsetof(wp_compound_row, found));
	row->row = number;
	row->tracked = call->frame != NULL ? tracked_of_row(call, number) : 0;
	const bool has_pair = call->frame == NULL || row->tracked < call->frame->tracked.count;
	const uint32_t invalid = has_pair ? wp_compound_read_row(call, number, row) : WP_STATUS_INVALID_TRACKED;
	if (invalid != 0) {
		wp_compound_write_invalid(call, row, invalid);
		return;
	}
	row->choice.limit = call->query == WP_COMPOUND_OVERLAP ? 0
	                  : call->query == WP_COMPOUND_CAST    ? 1
	                                                       : (double)call->most;
	row->choice.lowest = WP_INFINITY;
	row->pruned = row->far = (double)WP_INFINITY;
	if (call->frame != NULL && call->frame->stay(call, row))
		return;
	wp_compound_place_row(call, row);
	row->is_open = true;
	wp_compound_walk(call, place);
}

static bool has_none(const wp_compound_memory *memory)
{
	for (uint32_t place = 0; place < WP_COMPOUND_ROWS; place++)
		if (memory->row[place].is_open)
			return false;
	return true;
}

static void run_rows(const wp_compound_call *call, uint32_t count)
{
	wp_compound_memory *const memory = &call->workspace->compound;
	uint32_t next = 0;
	do {
		for (uint32_t place = 0; place < WP_COMPOUND_ROWS; place++)
			while (!memory->row[place].is_open && next < count)
				begin_row(call, next++, place);
		for (uint32_t place = 0; place < WP_COMPOUND_ROWS; place++)
			if (memory->row[place].is_open)
				wp_compound_push_found(call, place, PER_ROUND);
		wp_compound_run_ring(call);
		for (uint32_t place = 0; place < WP_COMPOUND_ROWS; place++) {
			wp_compound_row *const row = &memory->row[place];
			if (!row->is_open || row->found_count != 0)
				continue;
			wp_compound_write_row(call, row);
			row->is_open = false;
		}
	} while (next < count || !has_none(memory));
}

/* ---- arguments ---------------------------------------------------------------------------------- */

static wp_batch plain_batch(const wp_compound_batch *batch)
{
	return (wp_batch){.shapes = batch->shapes,
		.a = batch->a,
		.b = batch->b,
		.pair_a = batch->pair_a,
		.pair_b = batch->pair_b,
		.first = batch->first,
		.count = batch->count};
}

/* Frames have room of their own for patches. */
static wp_error check_patches(const wp_compound_patches *p, bool is_frame)
{
	const size_t word = sizeof(uint32_t);
	const bool has_patches = p->patches.data != NULL;
	return p->patch_count.data == NULL && (has_patches || !is_frame) ? WP_ERROR_NULL_COMPOUND_PATCH_COUNT
	     : !has_patches && !is_frame                                 ? WP_ERROR_NULL_COMPOUND_PATCHES
	     : p->patch_max > WP_COMPOUND_PATCH_MAX                      ? WP_ERROR_COMPOUND_PATCH_MAX
	     : WP_IS_SHORT(p->pair_count, word)                          ? WP_ERROR_PAIR_COUNT_STRIDE
	     : WP_IS_SHORT(p->patch_count, word)                         ? WP_ERROR_COMPOUND_PATCH_COUNT_STRIDE
	     : WP_IS_SHORT(p->patches, (size_t)wp_compound_patch_max(p->patch_max) * sizeof(wp_compound_patch))
	         ? WP_ERROR_COMPOUND_PATCHES_STRIDE
	         : WP_OK;
}

static wp_error check_outputs(const wp_compound_request *r)
{
	const size_t word = sizeof(uint32_t);
	if (r->children != NULL && WP_IS_SHORT(r->children->a, word))
		return WP_ERROR_CHILD_A_STRIDE;
	if (r->children != NULL && WP_IS_SHORT(r->children->b, word))
		return WP_ERROR_CHILD_B_STRIDE;
	if (r->fraction != NULL && WP_IS_SHORT(*r->fraction, sizeof(float)))
		return WP_ERROR_FRACTION_STRIDE;
	return WP_OK;
}

static wp_error check(const wp_workspace *workspace, const wp_compound_batch *batch, const wp_compound_request *r,
	const wp_results *results, const wp_request *request)
{
	if (workspace == NULL)
		return WP_ERROR_NULL_WORKSPACE;
	if (batch == NULL)
		return WP_ERROR_NULL_BATCH;
	if (r->query == WP_COMPOUND_MANIFOLD && r->patches == NULL)
		return WP_ERROR_NULL_PATCHES;
	const wp_batch plain = plain_batch(batch);
	wp_error error = wp_check_call(workspace, &plain, results, request);
	if (error == WP_OK && r->query == WP_COMPOUND_DISTANCE && !wp_is_length(r->most))
		error = WP_ERROR_MAX_DISTANCE;
	if (error != WP_OK || batch->count == 0)
		return error;
	if (batch->compounds == NULL && batch->compound_count != 0)
		return WP_ERROR_NULL_COMPOUNDS;
	error = check_outputs(r);
	if (error == WP_OK && r->patches != NULL)
		error = check_patches(r->patches, r->frame != NULL);
	return error != WP_OK ? error : wp_check_motions(r->motions[0], r->motions[1], WP_3D);
}

/* ---- the call ----------------------------------------------------------------------------------- */

static wp_uint32_column with_stride(wp_uint32_column column)
{
	return (wp_uint32_column){column.data, wp_or_packed(column.stride, sizeof *column.data)};
}

static wp_compound_patches with_patch_strides(const wp_compound_patches *patches)
{
	wp_compound_patches p = *patches;
	p.patch_max = wp_compound_patch_max(patches->patch_max);
	p.pair_count = with_stride(p.pair_count);
	p.patch_count = with_stride(p.patch_count);
	p.patches.stride = wp_or_packed(p.patches.stride, (size_t)p.patch_max * sizeof(wp_compound_patch));
	return p;
}

static void begin(wp_compound_memory *memory, uint32_t capacity)
{
	memory->count = 0;
	memory->capacity = capacity;
	for (uint32_t place = 0; place < WP_COMPOUND_ROWS; place++)
		memory->row[place].is_open = false;
}

/* Compared in the environment of the call: in the caller's, the smallest floats may be zero. */
static float most_of(const wp_compound_request *r)
{
	return r->query == WP_COMPOUND_DISTANCE && r->most == 0.0f ? WP_INFINITY : r->most;
}

static void run(wp_workspace *workspace, const wp_compound_batch *batch, const wp_compound_request *r,
	const wp_results *results, const wp_request *request, wp_compound_statistics *statistics, uint32_t capacity)
{
	const wp_batch plain = plain_batch(batch);
	const bool has_one_view = wp_has_one_view(&plain);
	wp_compound_statistics unused = {0};
	wp_compound_call call = {.workspace = workspace,
		.query = r->query,
		.rows = wp_make_call(&plain, results, request),
		.compounds = batch->compounds,
		.compound_count = batch->compound_count,
		.most = most_of(r),
		.motions = {wp_motions_with_strides(r->motions[0], WP_3D),
			wp_motions_with_strides(r->motions[has_one_view ? 0 : 1], WP_3D)},
		.statistics = statistics != NULL ? statistics : &unused,
		.frame = r->frame};
	if (r->children != NULL)
		call.children = (wp_child_columns){with_stride(r->children->a), with_stride(r->children->b)};
	if (r->patches != NULL)
		call.patches = with_patch_strides(r->patches);
	if (r->fraction != NULL)
		call.rows.fraction = (wp_float_column){r->fraction->data, wp_or_packed(r->fraction->stride, sizeof(float))};
	begin(&workspace->compound, capacity);
	run_rows(&call, (uint32_t)batch->count);
}

wp_error wp_compound_run(wp_workspace *workspace, const wp_compound_batch *batch, const wp_compound_request *r,
	const wp_results *results, wp_compound_statistics *statistics, uint32_t capacity)
{
	wp_request request = {.dimension = WP_3D, .query = WP_QUERY_CONTACT};
	if (r->query == WP_COMPOUND_OVERLAP)
		request.query = WP_QUERY_OVERLAP;
	if (r->query == WP_COMPOUND_CONTACT || r->query == WP_COMPOUND_MANIFOLD)
		request.max_separation = r->most;
	const wp_environment before = wp_environment_enter();
	wp_error error = check(workspace, batch, r, results, &request);
	if (error == WP_OK && r->frame != NULL)
		error = wp_keep_begin(r->frame->changes, batch->first, batch->count);
	if (error == WP_OK && batch->count != 0)
		run(workspace, batch, r, results, &request, statistics, capacity);
	wp_environment_leave(before);
	return error;
}

wp_error wp_compound_overlap(wp_workspace *workspace, const wp_compound_batch *batch, const wp_results *results,
	const wp_child_columns *children, wp_compound_statistics *statistics)
{
	const wp_compound_request r = {.query = WP_COMPOUND_OVERLAP, .children = children};
	return wp_compound_run(workspace, batch, &r, results, statistics, WP_COMPOUND_RING);
}

wp_error wp_compound_distance(wp_workspace *workspace, const wp_compound_batch *batch,
	const wp_compound_distance_options *options, const wp_results *results, const wp_child_columns *children,
	wp_compound_statistics *statistics)
{
	const wp_compound_request r = {
		.query = WP_COMPOUND_DISTANCE, .most = options != NULL ? options->max_distance : 0.0f, .children = children};
	return wp_compound_run(workspace, batch, &r, results, statistics, WP_COMPOUND_RING);
}

wp_error wp_compound_contact(wp_workspace *workspace, const wp_compound_batch *batch, const wp_contact_options *options,
	const wp_results *results, const wp_child_columns *children, wp_compound_statistics *statistics)
{
	const wp_compound_request r = {
		.query = WP_COMPOUND_CONTACT, .most = options != NULL ? options->max_separation : 0.0f, .children = children};
	return wp_compound_run(workspace, batch, &r, results, statistics, WP_COMPOUND_RING);
}

wp_error wp_compound_contact_manifold(wp_workspace *workspace, const wp_compound_batch *batch,
	const wp_contact_options *options, const wp_results *results, const wp_compound_patches *patches,
	wp_compound_statistics *statistics)
{
	const wp_compound_request r = {
		.query = WP_COMPOUND_MANIFOLD, .most = options != NULL ? options->max_separation : 0.0f, .patches = patches};
	return wp_compound_run(workspace, batch, &r, results, statistics, WP_COMPOUND_RING);
}

wp_error wp_compound_cast(wp_workspace *workspace, const wp_compound_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction,
	const wp_child_columns *children, wp_compound_statistics *statistics)
{
	const wp_compound_request r = {
		.query = WP_COMPOUND_CAST, .motions = {motions_a, motions_b}, .fraction = fraction, .children = children};
	return wp_compound_run(workspace, batch, &r, results, statistics, WP_COMPOUND_RING);
}
