/* Frames of tracked pairs with meshes: rows that lie where they lay, rows in a box without triangles, and queries for the
 * rest. */
#include "core/environment.h"
#include "mesh_contact/internal.h"

/* How far the kept box goes beyond the body at most, in its bounding radii. */
#define GROWTH 1.0

/* Frames that a box must serve to be worth its proof, and frames without a new box after one that was not. */
#define USEFUL 4
#define PAUSE 8

/* Rows ahead whose pairs are requested of memory, and its lines. */
#define AHEAD 4
#define LINE 64

/* Of the coordinates of a box: some times their rounding in double. */
#define BOX_ROUNDING 0x1p-48

_Static_assert(sizeof(wp_mesh_tracked_anchor) == 96 && offsetof(wp_mesh_tracked_anchor, triangle_count) == 88,
	"no padding: poses and options are compared as bytes");

/* ---- the arguments ------------------------------------------------------------------------------ */

static wp_error check_tracked(const wp_mesh_tracked_pairs *tracked, const wp_mesh_results *results)
{
	const uint32_t patch_max = wp_mesh_patch_max(tracked->patch_max);
	return tracked->pairs == NULL                                     ? WP_ERROR_NULL_TRACKED_PAIRS
	     : tracked->anchors == NULL                                   ? WP_ERROR_NULL_MESH_ANCHORS
	     : tracked->patches == NULL                                   ? WP_ERROR_NULL_TRACKED_PATCHES
	     : tracked->count > UINT32_MAX                                ? WP_ERROR_TRACKED_COUNT
	     : patch_max > WP_MESH_PATCH_MAX                              ? WP_ERROR_TRACKED_PATCH_MAX
	     : results->patch_max != 0 && results->patch_max != patch_max ? WP_ERROR_TRACKED_PATCH_MAX
	     : WP_IS_SHORT(tracked->index, sizeof *tracked->index.data)   ? WP_ERROR_TRACKED_INDEX_STRIDE
	                                                                  : WP_OK;
}

static wp_error check_frame(const wp_mesh_track_options *options, const wp_mesh_tracked_pairs *tracked,
	const wp_mesh_results *results, const wp_track_changes *changes)
{
	if (options == NULL)
		return WP_ERROR_NULL_OPTIONS;
	if (tracked == NULL)
		return WP_ERROR_NULL_TRACKED;
	if (results == NULL)
		return WP_ERROR_NULL_RESULTS;
	if (changes != NULL && changes->rows == NULL && changes->capacity != 0)
		return WP_ERROR_NULL_CHANGES_ROWS;
	return wp_is_length(options->merging) ? check_tracked(tracked, results) : WP_ERROR_MERGING;
}

/* ---- what is kept ------------------------------------------------------------------------------- */

/* What is in the place of the cache of a convex pair. */
typedef struct kept_box {
	wp_mesh_box box;   /* that no triangle meets, if the pair has one */
	uint32_t answered; /* frames in which it was of use, up to USEFUL */
	uint32_t pause;    /* so many frames without triangles find no box */
} kept_box;

_Static_assert(sizeof(kept_box) == sizeof(wp_cache), "no padding, and all of it known");

static bool has_box(const wp_tracked *pair)
{
	return pair->lever == WP_MESH_KEPT_BOX || pair->lever == WP_MESH_KEPT_BOX + WP_MESH_KEPT_ANSWER;
}

/* A number of the surface that another one at the same index hardly has: of a mesh the checksum, of a height field its numbers
 * but for its samples. */
static uint32_t number_of_surface(const wp_mesh_call *call, uint32_t body, const wp_mesh_row *r)
{
	const uint32_t index = wp_shape_of_body(&call->call.b, body, body * call->call.b.shape.stride);
	if (r->field == NULL)
		return index ^ r->mesh->checksum;
	wp_height_field numbers = *r->field;
	uint32_t words[(sizeof numbers - offsetof(wp_height_field, columns)) / sizeof(uint32_t)], number = ~index;
	memcpy(words, &numbers.columns, sizeof words);
	for (size_t i = 0; i < WP_COUNT_OF(words); i++)
		number = (number ^ words[i]) * 0x01000193u;
	return number;
}

static wp_mesh_tracked_anchor anchor_of_row(const wp_mesh_call *call, const wp_side *a, const wp_side *b)
{
	wp_mesh_tracked_anchor anchor = {.max_separation = call->call.max_separation, .flags = call->flags};
	memcpy(anchor.position_a, a->position, sizeof anchor.position_a);
	memcpy(anchor.position_b, b->position, sizeof anchor.position_b);
	memcpy(anchor.rotation_a, a->rotation, sizeof anchor.rotation_a);
	memcpy(anchor.rotation_b, b->rotation, sizeof anchor.rotation_b);
	return anchor;
}

/* ---- answers without a query -------------------------------------------------------------------- */

/* The last answer once more. */
WP_INLINE void repeat_answer(const wp_mesh_call *call, uint32_t row, size_t at)
{
	const wp_mesh_tracked_pairs *const tracked = &call->frame->tracked;
	wp_tracked *const pair = &tracked->pairs[at];
	wp_mesh_tracked_patch *const patches = &tracked->patches[at * tracked->patch_max];
	wp_mesh_summary s = {.separation = pair->separation,
		.status = pair->status,
		.triangle_count = tracked->anchors[at].triangle_count,
		.patch_count = pair->count};
	pair->event = pair->count != 0 ? WP_TRACK_REUSED : WP_TRACK_KEPT;
	for (uint32_t i = 0; i < pair->count; i++)
		for (uint32_t k = 0; k < WP_MESH_POINT_MAX && k < patches[i].found.point_count; k++)
			patches[i].points[k].age += patches[i].points[k].age != UINT32_MAX;
	if (pair->count != 0)
		memcpy(s.normal, patches[0].found.normal, sizeof s.normal);
	wp_mesh_write_kept(call, row, &s, patches);
}

/* The answer of a row without triangles, by its box. */
static void stay_apart(const wp_mesh_call *call, uint32_t row, wp_tracked *pair, kept_box *kept)
{
	if (kept->answered < USEFUL) {
		kept->answered++;
		memcpy(&pair->known, kept, sizeof *kept);
	}
	const wp_mesh_summary s = {.separation = WP_INFINITY, .status = WP_STATUS_SEPARATED | WP_STATUS_BEYOND};
	pair->separation = s.separation;
	pair->status = s.status;
	pair->event = WP_TRACK_KEPT;
	wp_mesh_write_kept(call, row, &s, NULL);
}

static bool is_in_box(const wp_mesh_box *inner, const wp_mesh_box *outer)
{
	bool is_in = true;
	for (int k = 0; k < 3; k++)
		is_in &= inner->lower[k] >= outer->lower[k] && inner->upper[k] <= outer->upper[k];
	return is_in;
}

/* Whether the ball around a body, grown by all that a walk's box is, is in a box. Its box holds the walk's: the core reaches
 * less far along any axis than its bound, and both are rounded by less than what the ball is larger. */
static bool is_ball_in(const wp_mesh_call *call, const wp_side *a, const wp_side *b, const wp_mesh_box *outer)
{
	const wp_core *const core = &call->call.cores[a->shape];
	const wp_d3 way = wp_d3_sub(wp_d3_at(a->position), wp_d3_at(b->position));
	const double reach = (double)core->bound + (double)core->radius;
	double origin[3];
	bool is_in = true;
	wp_d3_put(wp_dq_turn_back(wp_dq_of_rotation(b->rotation), way), origin);
	for (int k = 0; k < 3; k++) {
		const double radius = reach + (double)call->call.max_separation + 2 * WP_WALK_SLACK * reach +
		                      BOX_ROUNDING * (wp_abs(origin[k]) + reach);
		is_in &= wp_round_down(origin[k] - radius) >= outer->lower[k];
		is_in &= -wp_round_down(-(origin[k] + radius)) <= outer->upper[k];
	}
	return is_in;
}

/* ---- rows --------------------------------------------------------------------------------------- */

/* Query a row. If it seems to have no triangle, prove how far around there is none; not for some frames after a box that was of
 * little use, since the body is too fast. */
WP_INLINE void query_row(const wp_mesh_call *call, const wp_mesh_row *r, const wp_mesh_tracked_whole *whole,
	const wp_mesh_box *box, wp_tracked *pair, kept_box *kept)
{
	const uint64_t before = call->statistics->triangles;
	if (has_box(pair) && kept->answered < USEFUL)
		kept->pause = PAUSE;
	pair->lever = 0.0f;
	if (whole == NULL)
		wp_mesh_walk_row(call, r);
	else if (!whole->run(whole))
		return;
	if (call->statistics->triangles == before) {
		if (kept->pause != 0)
			kept->pause--;
		else if ((whole == NULL || whole->is_in_bounds(whole)) &&
				 wp_mesh_grow_empty(r, box, GROWTH * (whole == NULL ? r->reach : whole->reach), &kept->box))
			pair->lever += WP_MESH_KEPT_BOX;
	}
	kept->answered = 0;
	memcpy(&pair->known, kept, sizeof *kept);
}

/* Whether all is the same, bit by bit, of which an answer is known. */
static bool is_same(const wp_mesh_tracked_anchor *a, const wp_mesh_tracked_anchor *b)
{
	return wp_are_same_words(a, b, offsetof(wp_mesh_tracked_anchor, triangle_count));
}

/* Whether there is an answer of the same poses, of no more patches than there is room for. */
static bool has_answer_at(const wp_mesh_call *call, size_t at, const wp_mesh_tracked_anchor *anchor)
{
	const wp_mesh_tracked_pairs *const tracked = &call->frame->tracked;
	const wp_tracked *const pair = &tracked->pairs[at];
	return pair->lever >= WP_MESH_KEPT_ANSWER && pair->count <= tracked->patch_max &&
	       is_same(anchor, &tracked->anchors[at]);
}

/* Request what is kept of rows that come soon of memory: of one the pair, of a nearer one, whose pair has come, the patches. */
WP_INLINE void prefetch_rows(const wp_mesh_call *call, uint32_t row)
{
	const wp_mesh_tracked_pairs *const tracked = &call->frame->tracked;
	const uint32_t left = call->count - row;
	const size_t far = left > 2 * AHEAD ? wp_mesh_tracked_of_row(call, row + 2 * AHEAD) : tracked->count;
	const size_t near = left > AHEAD ? wp_mesh_tracked_of_row(call, row + AHEAD) : tracked->count;
	if (far < tracked->count) {
		const char *const anchor = (const char *)&tracked->anchors[far];
		wp_prefetch_write(&tracked->pairs[far]);
		wp_prefetch_write(anchor);
		wp_prefetch_write(anchor + LINE);
	}
	if (near >= tracked->count)
		return;
	const uint32_t kept = tracked->pairs[near].count, count = kept < tracked->patch_max ? kept : tracked->patch_max;
	const char *const first = (const char *)&tracked->patches[near * tracked->patch_max];
	for (size_t line = 0; line < count * sizeof(wp_mesh_tracked_patch); line += LINE)
		wp_prefetch_write(first + line);
}

WP_INLINE void track_valid_row(const wp_mesh_call *call, size_t at, const wp_side *a, const wp_side *b, wp_mesh_row *r,
	const wp_mesh_tracked_whole *whole)
{
	prefetch_rows(call, r->row);
	wp_tracked *const pair = &call->frame->tracked.pairs[at];
	const uint32_t shape = whole != NULL ? whole->number : wp_serial_of_shape(call->call.shapes, a->shape),
				   surface = number_of_surface(call, b->body, r);
	const wp_mesh_tracked_anchor anchor = anchor_of_row(call, a, b);
	const bool is_known = !call->frame->queries_all && pair->shape[0] == shape && pair->shape[1] == surface;
	if (is_known && has_answer_at(call, at, &anchor)) {
		repeat_answer(call, r->row, at);
		return;
	}
	kept_box kept;
	wp_mesh_box box;
	memcpy(&kept, &pair->known, sizeof kept);
	const bool may_stay = is_known && has_box(pair);
	if (whole == NULL && may_stay && is_ball_in(call, a, b, &kept.box)) {
		stay_apart(call, r->row, pair, &kept);
		return;
	}
	if (whole == NULL) {
		wp_mesh_place_row(call, a, b, r);
		box = wp_mesh_box_around(r, (double)call->call.max_separation);
	} else {
		box = whole->box_around(whole);
	}
	if (may_stay && is_in_box(&box, &kept.box)) {
		stay_apart(call, r->row, pair, &kept);
		return;
	}
	pair->shape[0] = shape;
	pair->shape[1] = surface;
	call->frame->tracked.anchors[at] = anchor;
	query_row(call, r, whole, &box, pair, &kept);
}

void wp_mesh_track_whole(const wp_mesh_call *call, size_t at, const wp_side *a, const wp_side *b, wp_mesh_row *r,
	const wp_mesh_tracked_whole *whole)
{
	track_valid_row(call, at, a, b, r, whole);
}

void wp_mesh_track_row(const wp_mesh_call *call, uint32_t row)
{
	const size_t at = wp_mesh_tracked_of_row(call, row);
	if (at >= call->frame->tracked.count) {
		wp_mesh_write_invalid(call, row, WP_STATUS_INVALID | WP_STATUS_INVALID_TRACKED);
		return;
	}
	wp_side a = {0}, b = {0};
	wp_mesh_row r = {.row = row};
	const uint32_t invalid = wp_mesh_read_sides(call, row, &a, &b, &r);
	if (invalid == 0)
		track_valid_row(call, at, &a, &b, &r, NULL);
	else
		wp_mesh_write_invalid(call, row, invalid | WP_STATUS_INVALID);
}

/* ---- the call ----------------------------------------------------------------------------------- */

wp_error wp_mesh_begin_frame(wp_mesh_frame *frame, const wp_mesh_track_options *options,
	const wp_mesh_tracked_pairs *tracked, const wp_mesh_results *results, wp_track_changes *changes)
{
	const wp_error error = check_frame(options, tracked, results, changes);
	if (error != WP_OK)
		return error;
	*frame = (wp_mesh_frame){.run_row = wp_mesh_track_row,
		.keep_row = wp_mesh_keep_row,
		.keep_invalid = wp_mesh_keep_invalid,
		.tracked = *tracked,
		.merging = options->merging,
		.queries_all = options->query_all != 0,
		.changes = changes};
	frame->tracked.patch_max = wp_mesh_patch_max(tracked->patch_max);
	frame->tracked.index.stride = wp_or_packed(tracked->index.stride, sizeof(uint32_t));
	return WP_OK;
}

wp_error wp_mesh_run_frame(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_track_options *options,
	const wp_mesh_results *results, wp_mesh_statistics *statistics, uint32_t capacity, const wp_mesh_frame *frame)
{
	const wp_mesh_options plain = {.max_separation = options->max_separation, .flags = options->flags};
	wp_mesh_results rows = *results;
	rows.patch_max = frame->tracked.patch_max;
	return wp_mesh_run_call(workspace, batch, &plain, &rows, statistics, capacity, frame);
}

wp_error wp_mesh_track(wp_workspace *workspace, const wp_mesh_batch *batch, const wp_mesh_track_options *options,
	const wp_mesh_tracked_pairs *tracked, const wp_mesh_results *results, wp_track_changes *changes,
	wp_mesh_statistics *statistics)
{
	wp_mesh_frame frame;
	const wp_error error = wp_mesh_begin_frame(&frame, options, tracked, results, changes);
	return error == WP_OK ? wp_mesh_run_frame(workspace, batch, options, results, statistics, WP_MESH_RING, &frame)
	                      : error;
}
