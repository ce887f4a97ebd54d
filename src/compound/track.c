/* Frames of tracked pairs of bodies that may be compounds: rows that lie where they lay, rows that are still proven apart, and
 * queries for the rest. */
#include "batch/keep.h"
#include "compound/internal.h"
#include "core/environment.h"
#include "motion/path.h"

/* What wp_tracked.lever says of a pair, as a sum. */
#define ANSWERED 1.0f /* its last query is in its anchor and patches */
#define FITS 2.0f     /* its shapes lie in the boxes of their compounds, which bound them as the bodies move */

/* Of positions and of how far children reach from them: some hundred times their rounding in double. */
#define PLACE_ROUNDING 1e-13

/* Bits of all points of a patch. */
#define ALL_POINTS ((1u << WP_COMPOUND_POINT_MAX) - 1)

_Static_assert(sizeof(wp_output) == sizeof(((wp_compound_tracked_anchor *)0)->answer), "an anchor holds an output");
_Static_assert(offsetof(wp_compound_tracked_anchor, pair_count) == 84, "no padding: poses are compared as bytes");

static wp_compound_tracked_patch *patches_of_pair(const wp_compound_call *call, size_t at)
{
	return &call->frame->tracked.patches[at * call->frame->tracked.patch_max];
}

static wp_compound_patch *room_of_pair(const wp_compound_call *call, size_t at)
{
	return &call->frame->tracked.room[at * call->frame->tracked.patch_max];
}

/* A patch of a row where the caller wants it. */
static void write_patch(const wp_compound_call *call, uint32_t row, uint32_t i, const wp_compound_patch *patch)
{
	const wp_compound_patch_column *const patches = &call->patches.patches;
	if (patches->data != NULL)
		memcpy((char *)patches->data + (call->rows.first + row) * patches->stride + i * sizeof *patch, patch,
			sizeof *patch);
}

/* ---- points of two frames ----------------------------------------------------------------------- */

/* The patches of a pair in both frames, and which of their points are the same. Sets of points of a patch are bits. */
typedef struct matching {
	const wp_compound_tracked_patch *old;
	const wp_compound_patch *found;
	uint32_t old_count, count;
	double merging;
	uint8_t old_left[WP_COMPOUND_TRACKED_MAX], left[WP_COMPOUND_TRACKED_MAX];          /* points that are not matched */
	wp_compound_tracked_point history[WP_COMPOUND_TRACKED_MAX][WP_COMPOUND_POINT_MAX]; /* of found points */
} matching;

static uint8_t points_of(uint32_t count)
{
	return (uint8_t)(count < WP_COMPOUND_POINT_MAX ? (1u << count) - 1 : ALL_POINTS);
}

static double moved_squared(const wp_manifold_point *from, const wp_manifold_point *to)
{
	return wp_persist_moved(from->local_a, to->local_a, from->local_b, to->local_b);
}

static bool have_one_key(const wp_manifold_point *a, const wp_manifold_point *b)
{
	return a->feature_a == b->feature_a && a->feature_b == b->feature_b;
}

static bool have_one_normal(const matching *m, uint32_t o, uint32_t n)
{
	const wp_d3 old = wp_d3_of_floats(m->old[o].found.normal), found = wp_d3_of_floats(m->found[n].normal);
	return wp_d3_dot(old, found) > WP_KEEP_SAME_COSINE;
}

static bool have_one_pair(const matching *m, uint32_t o, uint32_t n)
{
	return m->old[o].found.child_a == m->found[n].child_a && m->old[o].found.child_b == m->found[n].child_b;
}

/* Pair up points of two patches, the nearest first, of equals the first ones: those with the same features, or any up to
 * `merging` apart. */
static void match_patches(matching *m, uint32_t o, uint32_t n, bool by_key)
{
	for (uint32_t round = 0; round < WP_COMPOUND_POINT_MAX && m->left[n] != 0 && m->old_left[o] != 0; round++) {
		double least = by_key ? (double)WP_INFINITY : m->merging * m->merging;
		uint32_t best = WP_COMPOUND_POINT_MAX, best_old = 0;
		for (uint32_t news = m->left[n]; news != 0; news &= news - 1) {
			const wp_manifold_point *const to = &m->found[n].points[wp_lowest_bit(news)];
			for (uint32_t olds = m->old_left[o]; olds != 0; olds &= olds - 1) {
				const wp_manifold_point *const from = &m->old[o].found.points[wp_lowest_bit(olds)];
				const double moved = moved_squared(from, to);
				const bool may_be = !by_key || have_one_key(from, to);
				if (may_be && (best == WP_COMPOUND_POINT_MAX ? moved <= least : moved < least)) {
					least = moved;
					best = wp_lowest_bit(news);
					best_old = wp_lowest_bit(olds);
				}
			}
		}
		if (best == WP_COMPOUND_POINT_MAX)
			return;
		m->history[n][best] = m->old[o].points[best_old];
		m->history[n][best].age += m->history[n][best].age != UINT32_MAX;
		m->left[n] &= (uint8_t) ~(1u << best);
		m->old_left[o] &= (uint8_t) ~(1u << best_old);
	}
}

/* Points of the same children first: what other children have left comes after all of these. */
static void match(matching *m)
{
	for (uint32_t i = 0; i < m->old_count; i++)
		m->old_left[i] = points_of(m->old[i].found.point_count);
	for (uint32_t i = 0; i < m->count; i++)
		m->left[i] = points_of(m->found[i].point_count);
	memset(m->history, 0, m->count * sizeof *m->history);
	for (uint32_t n = 0; n < m->count; n++)
		for (uint32_t o = 0; o < m->old_count; o++)
			if (have_one_pair(m, o, n)) {
				match_patches(m, o, n, true);
				if (have_one_normal(m, o, n))
					match_patches(m, o, n, false);
			}
	for (uint32_t n = 0; n < m->count; n++)
		for (uint32_t o = 0; o < m->old_count && m->left[n] != 0; o++)
			if (m->old_left[o] != 0 && have_one_normal(m, o, n))
				match_patches(m, o, n, false);
}

/* ---- what is kept ------------------------------------------------------------------------------- */

/* Patches of a row in the place of the old ones of its pair. */
static void replace_patches(const wp_compound_call *call, size_t at, const wp_compound_row *row)
{
	const uint32_t patch_max = call->frame->tracked.patch_max, before = call->frame->tracked.pairs[at].count;
	wp_compound_tracked_patch *const to = patches_of_pair(call, at);
	const wp_dq turn_a = wp_dq_of_rotation(row->side[0].place.rotation),
				turn_b = wp_dq_of_rotation(row->side[1].place.rotation);
	const wp_compound_patch *const found = room_of_pair(call, at);
	matching m;
	m.old = to;
	m.found = found;
	m.old_count = before <= patch_max ? before : 0;
	m.count = row->patch_count;
	m.merging = (double)call->frame->merging;
	match(&m);
	for (uint32_t n = 0; n < row->patch_count; n++) {
		to[n].found = found[n];
		write_patch(call, row->row, n, &found[n]);
		memcpy(to[n].points, m.history[n], sizeof to[n].points);
		for (uint32_t i = 0; i < found[n].point_count; i++) {
			wp_keep_arm(turn_a, found[n].points[i].local_a, to[n].points[i].arm_a);
			wp_keep_arm(turn_b, found[n].points[i].local_b, to[n].points[i].arm_b);
		}
	}
}

/* Where the bodies of a row are, and how it is queried. */
static wp_compound_tracked_anchor anchor_of(const wp_compound_call *call, const wp_compound_row *row)
{
	wp_compound_tracked_anchor anchor;
	memset(&anchor, 0, sizeof anchor);
	memcpy(anchor.position, row->position, sizeof anchor.position);
	memcpy(anchor.between, row->side[1].place.position, sizeof anchor.between);
	memcpy(anchor.rotation_a, row->side[0].place.rotation, sizeof anchor.rotation_a);
	memcpy(anchor.rotation_b, row->side[1].place.rotation, sizeof anchor.rotation_b);
	anchor.max_separation = call->most;
	return anchor;
}

static void keep_state(
	const wp_compound_call *call, uint32_t row, wp_tracked *pair, float separation, uint32_t status, uint32_t patches)
{
	pair->separation = separation;
	pair->status = status;
	wp_keep_count(pair, patches, call->rows.first + row, call->frame->changes);
}

/* Shapes may have been replaced by larger ones. */
static bool fits(const wp_compound_call *call, const wp_compound_side *side)
{
	return side->compound == NULL || wp_compound_check(side->compound, call->rows.shapes, NULL) == WP_OK;
}

static void keep_row(const wp_compound_call *call, const wp_compound_row *row, const wp_output *output)
{
	const size_t at = row->tracked;
	wp_tracked *const pair = &call->frame->tracked.pairs[at];
	wp_compound_tracked_anchor anchor = anchor_of(call, row);
	anchor.pair_count = row->pair_count;
	for (int k = 0; k < 2; k++)
		anchor.child[k] = row->choice.has_best ? row->choice.order[k] : WP_COMPOUND_MISS;
	memcpy(anchor.answer, output, sizeof anchor.answer);
	if (row->patch_count != 0)
		replace_patches(call, at, row);
	call->frame->tracked.anchors[at] = anchor;
	const bool checks = pair->lever < FITS && (output->status & WP_STATUS_BEYOND) != 0;
	if (checks && fits(call, &row->side[0]) && fits(call, &row->side[1]))
		pair->lever = FITS;
	pair->lever += ANSWERED;
	keep_state(call, row->row, pair, output->separation, output->status, row->patch_count);
}

static void keep_invalid(const wp_compound_call *call, const wp_compound_row *row, uint32_t status)
{
	if (row->tracked >= call->frame->tracked.count)
		return;
	wp_tracked *const pair = &call->frame->tracked.pairs[row->tracked];
	pair->lever = 0.0f;
	keep_state(call, row->row, pair, WP_NAN, status, 0);
}

/* ---- answers without a query -------------------------------------------------------------------- */

/* Whether both bodies lie where they lay, and the query is the same. */
static bool is_same(const wp_compound_tracked_anchor *a, const wp_compound_tracked_anchor *b)
{
	return wp_are_same_words(a, b, offsetof(wp_compound_tracked_anchor, pair_count));
}

/* The last answer once more. */
static void repeat_answer(const wp_compound_call *call, uint32_t row, size_t at)
{
	wp_tracked *const pair = &call->frame->tracked.pairs[at];
	const wp_compound_tracked_anchor *const anchor = &call->frame->tracked.anchors[at];
	wp_compound_tracked_patch *const patches = patches_of_pair(call, at);
	wp_output output;
	memcpy(&output, anchor->answer, sizeof output);
	for (uint32_t i = 0; i < pair->count; i++) {
		write_patch(call, row, i, &patches[i].found);
		for (uint32_t k = 0; k < WP_COMPOUND_POINT_MAX && k < patches[i].found.point_count; k++)
			patches[i].points[k].age += patches[i].points[k].age != UINT32_MAX;
	}
	pair->event = pair->count != 0 ? WP_TRACK_REUSED : WP_TRACK_KEPT;
	wp_compound_write_output(
		call, row, anchor->position, &output, anchor->child, anchor->pair_count, (uint32_t)pair->count);
}

/* How far any point of a body is from its position. */
static double reach_of(const wp_compound_side *side)
{
	return side->compound != NULL ? wp_compound_reach_of_box(side->compound->lower, side->compound->upper)
	                              : wp_compound_size_of_children(side);
}

/* How much nearer two points of both bodies may have come since the last query, at most. Each body turns by itself, about its
 * own position: a half-space while the other body stays where it was. Rotations of children are rounded to float. */
static double nearer_by(
	const wp_compound_row *row, const wp_compound_tracked_anchor *then, const wp_compound_tracked_anchor *now)
{
	const wp_d3 before = wp_d3_at(then->between), after = wp_d3_at(now->between);
	const double turned[2] = {2 * wp_path_half_sine(then->rotation_a, now->rotation_a),
		2 * wp_path_half_sine(then->rotation_b, now->rotation_b)};
	const double apart = wp_d3_length(before);
	double reach[2];
	for (int k = 0; k < 2; k++)
		reach[k] = reach_of(&row->side[k]);
	double moved = wp_d3_length(wp_d3_sub(after, before));
	double rounding = PLACE_ROUNDING * (apart + wp_d3_length(after));
	for (int k = 0; k < 2; k++) {
		const bool is_half_space = wp_compound_is_half_space(&row->side[k]);
		const double from = is_half_space ? apart + reach[1 - k] : reach[k];
		moved += turned[k] * from;
		rounding += (is_half_space ? PLACE_ROUNDING : WP_PATH_TURN_ROUNDING) * from;
	}
	return moved + rounding;
}

/* Whether a query would prove a row apart, too, of which so much is proven: its answer may be off. */
static bool is_clear(const wp_compound_call *call, const wp_compound_row *row, double bound)
{
	const double sizes = wp_compound_size_of_children(&row->side[0]) + wp_compound_size_of_children(&row->side[1]);
	return bound * (1 - WP_COMPOUND_SHARE) - WP_COMPOUND_SHARE * sizes > (double)call->most;
}

/* A row whose bound still proves it apart. */
static void stay_apart(const wp_compound_call *call, uint32_t row, wp_tracked *pair, double bound)
{
	static const uint32_t none[2] = {WP_COMPOUND_MISS, WP_COMPOUND_MISS};
	static const double nowhere[3] = {0, 0, 0};
	wp_output output;
	wp_choice_put_beyond(wp_round_down(bound), &output);
	pair->separation = output.separation;
	pair->status = output.status;
	pair->event = WP_TRACK_KEPT;
	wp_compound_write_output(call, row, nowhere, &output, none, 0, 0);
}

/* What the numbers of both bodies are of: what is in the place of the cache of a convex pair. */
typedef struct numbered {
	uint32_t serial;      /* the next one that the table would give */
	uint32_t checksum[2]; /* of compounds */
	uint32_t unused[5];
} numbered;

_Static_assert(sizeof(numbered) == sizeof(wp_cache), "no padding, and all of it known");

/* The number of a body. That of a compound looks at all of its children: it stands while no shape of the table was replaced. */
static uint32_t number_of(
	const wp_compound_call *call, const wp_compound_side *side, uint32_t before, bool same_table, uint32_t checksum)
{
	if (side->compound == NULL)
		return wp_serial_of_shape(call->rows.shapes, side->place.shape);
	return same_table && checksum == side->compound->checksum ? before
	                                                          : wp_compound_number(side->compound, call->rows.shapes);
}

static void find_numbers(const wp_compound_call *call, const wp_compound_row *row, wp_tracked *pair, uint32_t number[2])
{
	numbered known;
	memcpy(&known, &pair->known, sizeof known);
	const uint32_t serial = call->rows.shapes->next_serial;
	const bool same_table = known.serial == serial;
	for (int k = 0; k < 2; k++) {
		number[k] = number_of(call, &row->side[k], pair->shape[k], same_table, known.checksum[k]);
		known.checksum[k] = row->side[k].compound != NULL ? row->side[k].compound->checksum : 0;
	}
	known.serial = serial;
	memcpy(&pair->known, &known, sizeof known);
}

static bool stay(const wp_compound_call *call, const wp_compound_row *row)
{
	const size_t at = row->tracked;
	wp_tracked *const pair = &call->frame->tracked.pairs[at];
	const wp_compound_tracked_anchor *const then = &call->frame->tracked.anchors[at];
	uint32_t number[2];
	find_numbers(call, row, pair, number);
	const bool is_known = pair->shape[0] == number[0] && pair->shape[1] == number[1] &&
	                      pair->count <= call->frame->tracked.patch_max;
	const float lever = is_known ? pair->lever : 0.0f;
	const wp_compound_tracked_anchor now = anchor_of(call, row);
	if (lever != 0.0f && is_same(then, &now)) {
		repeat_answer(call, row->row, at);
		return true;
	}
	double bound = -1;
	if (lever == FITS + ANSWERED && pair->count == 0 && (pair->status & WP_STATUS_BEYOND) != 0) {
		wp_output output;
		memcpy(&output, then->answer, sizeof output);
		bound = (double)output.lower - nearer_by(row, then, &now);
	}
	if (is_clear(call, row, bound)) {
		stay_apart(call, row->row, pair, bound);
		return true;
	}
	memcpy(pair->shape, number, sizeof pair->shape);
	pair->lever = lever >= FITS ? FITS : 0.0f;
	return false;
}

/* ---- the call ----------------------------------------------------------------------------------- */

static wp_error check_tracked(const wp_compound_tracked_pairs *tracked, const wp_compound_patches *patches)
{
	const uint32_t patch_max = wp_compound_patch_max(tracked->patch_max);
	return tracked->pairs == NULL              ? WP_ERROR_NULL_TRACKED_PAIRS
	     : tracked->anchors == NULL            ? WP_ERROR_NULL_COMPOUND_ANCHORS
	     : tracked->patches == NULL            ? WP_ERROR_NULL_TRACKED_PATCHES
	     : tracked->room == NULL               ? WP_ERROR_NULL_COMPOUND_ROOM
	     : tracked->count > UINT32_MAX         ? WP_ERROR_TRACKED_COUNT
	     : patch_max > WP_COMPOUND_TRACKED_MAX ? WP_ERROR_COMPOUND_TRACKED_MAX
	     : patches != NULL && patches->patch_max != 0 && patches->patch_max != patch_max ? WP_ERROR_COMPOUND_TRACKED_MAX
	     : WP_IS_SHORT(tracked->index, sizeof *tracked->index.data)                      ? WP_ERROR_TRACKED_INDEX_STRIDE
	                                                                                     : WP_OK;
}

static wp_error check_frame(const wp_compound_track_options *options, const wp_compound_tracked_pairs *tracked,
	const wp_compound_patches *patches, const wp_track_changes *changes)
{
	if (options == NULL)
		return WP_ERROR_NULL_OPTIONS;
	if (tracked == NULL)
		return WP_ERROR_NULL_TRACKED;
	if (changes != NULL && changes->rows == NULL && changes->capacity != 0)
		return WP_ERROR_NULL_CHANGES_ROWS;
	return wp_is_length(options->merging) ? check_tracked(tracked, patches) : WP_ERROR_MERGING;
}

wp_error wp_compound_track_in(wp_workspace *workspace, const wp_compound_batch *batch,
	const wp_compound_track_options *options, const wp_compound_tracked_pairs *tracked, const wp_results *results,
	const wp_compound_patches *patches, wp_track_changes *changes, wp_compound_statistics *statistics,
	uint32_t capacity)
{
	const wp_error error = check_frame(options, tracked, patches, changes);
	if (error != WP_OK)
		return error;
	wp_compound_frame frame = {.stay = stay,
		.keep_row = keep_row,
		.keep_invalid = keep_invalid,
		.tracked = *tracked,
		.merging = options->merging,
		.changes = changes};
	frame.tracked.patch_max = wp_compound_patch_max(tracked->patch_max);
	frame.tracked.index.stride = wp_or_packed(tracked->index.stride, sizeof(uint32_t));
	wp_compound_patches rows = patches != NULL ? *patches : (wp_compound_patches){.patch_max = 0};
	rows.patch_max = frame.tracked.patch_max;
	const wp_compound_request r = {
		.query = WP_COMPOUND_MANIFOLD, .most = options->max_separation, .patches = &rows, .frame = &frame};
	return wp_compound_run(workspace, batch, &r, results, statistics, capacity);
}

wp_error wp_compound_track(wp_workspace *workspace, const wp_compound_batch *batch,
	const wp_compound_track_options *options, const wp_compound_tracked_pairs *tracked, const wp_results *results,
	const wp_compound_patches *patches, wp_track_changes *changes, wp_compound_statistics *statistics)
{
	return wp_compound_track_in(
		workspace, batch, options, tracked, results, patches, changes, statistics, WP_COMPOUND_RING);
}
