/* Frames of tracked pairs: what planes and points of the last frame still prove, and queries for the rest. */
#include "batch/bucket.h"
#include "batch/read.h"
#include "batch/run.h"
#include "batch/write.h"
#include "core/environment.h"

/* ---- the arguments ------------------------------------------------------------------------------ */

static bool is_length(float value) { return value >= 0.0f; }

static wp_error check_options(const wp_track_options *options, const wp_tracked_pairs *tracked)
{
	return !is_length(options->merging)                            ? WP_ERROR_MERGING
	     : !is_length(options->reuse_error)                        ? WP_ERROR_REUSE_ERROR
	     : options->reuse_error > 0.0f && tracked->anchors == NULL ? WP_ERROR_NULL_TRACKED_ANCHORS
	                                                               : WP_OK;
}

static wp_error check_frame(
	const wp_track_options *options, const wp_tracked_pairs *tracked, const wp_track_changes *changes)
{
	return options == NULL                                                    ? WP_ERROR_NULL_OPTIONS
	     : tracked == NULL                                                    ? WP_ERROR_NULL_TRACKED
	     : tracked->pairs == NULL                                             ? WP_ERROR_NULL_TRACKED_PAIRS
	     : tracked->manifolds == NULL                                         ? WP_ERROR_NULL_TRACKED_MANIFOLDS
	     : tracked->count > UINT32_MAX                                        ? WP_ERROR_TRACKED_COUNT
	     : WP_IS_SHORT(tracked->index, sizeof *tracked->index.data)           ? WP_ERROR_TRACKED_INDEX_STRIDE
	     : changes != NULL && changes->rows == NULL && changes->capacity != 0 ? WP_ERROR_NULL_CHANGES_ROWS
	                                                                          : check_options(options, tracked);
}

static wp_request request_of(
	const wp_track_options *options, const wp_tracked_pairs *tracked, wp_track_changes *changes)
{
	return (wp_request){.dimension = WP_3D,
		.query = WP_QUERY_CONTACT,
		.max_separation = options->max_separation,
		.manifolds = {.point_max = WP_PERSISTENT_POINT_MAX},
		.tracked = {.pairs = tracked->pairs,
			.manifolds = tracked->manifolds,
			.anchors = tracked->anchors,
			.count = tracked->count,
			.index = tracked->index.data,
			.index_stride = tracked->index.stride,
			.merging = options->merging,
			.reuse_error = options->reuse_error,
			.changes = changes}};
}

/* ---- rows of a chunk ---------------------------------------------------------------------------- */

/* Rows that are looked at together. */
typedef struct chunk {
	uint32_t first, count;
	uint32_t last; /* of all rows of the call */
} chunk;

/* How a call names bodies and shapes, where code is made for it. */
typedef struct naming {
	bool has_pairs;   /* rows name their bodies; else row r is the pair of bodies r */
	bool has_numbers; /* bodies name their shapes, and an index stands for one shape for good; else not */
} naming;

/* ---- what is kept ------------------------------------------------------------------------------- */

WP_INLINE uint32_t shape_of_body(const wp_bodies *bodies, uint32_t body, bool has_numbers)
{
	const size_t offset = body * bodies->shape.stride;
	return has_numbers ? wp_read_once(wp_offset(bodies->shape.data, offset)) : wp_shape_of_body(bodies, body, offset);
}

WP_INLINE uint32_t serial_of(const wp_call *call, uint32_t shape, bool has_numbers)
{
	return has_numbers ? shape : wp_serial_of_shape(call->shapes, shape);
}

WP_INLINE size_t body_of_row(const wp_const_uint32_column *pair, size_t row, naming by)
{
	const bool is_named = by.has_numbers ? by.has_pairs : pair->data != NULL;
	return is_named ? wp_read_once(wp_offset(pair->data, row * pair->stride)) : row;
}

/* Whether a body has the shape for which something was kept. */
WP_INLINE bool has_kept_shape(
	const wp_call *call, const wp_bodies *bodies, uint32_t body, uint32_t kept_shape, naming by, uint32_t *shape)
{
	*shape = shape_of_body(bodies, body, by.has_numbers);
	return serial_of(call, *shape, by.has_numbers) == kept_shape && *shape < call->core_count;
}

/* Whether the bodies of a row, which are put into `kept`, exist and have the shapes for which something was kept of the pair. */
WP_INLINE bool find_bodies(const wp_call *call, size_t row, const wp_tracked *pair, naming by, wp_kept_pair *kept)
{
	const wp_bodies *const a = &call->a, *const b = &call->b;
	const size_t body_a = body_of_row(&call->pair_a, row, by), body_b = body_of_row(&call->pair_b, row, by);
	if (body_a >= a->count || body_b >= b->count)
		return false;
	kept->body[0] = (uint32_t)body_a;
	kept->body[1] = (uint32_t)body_b;
	return kept->body[0] == pair->body[0] && kept->body[1] == pair->body[1] &&
	       has_kept_shape(call, a, kept->body[0], pair->shape[0], by, &kept->shape[0]) &&
	       has_kept_shape(call, b, kept->body[1], pair->shape[1], by, &kept->shape[1]);
}

WP_INLINE bool is_coordinate(double value) { return wp_abs(value) <= (double)WP_COORDINATE_MAX; }

/* Positions from anywhere near: differences in float have the bits of those in double, rounded. Of positions that are invalid
 * the difference is no number. */
WP_INLINE void read_positions(const wp_bodies *bodies_a, const wp_bodies *bodies_b, wp_kept_pair *kept)
{
	const void *const a = wp_offset(bodies_a->position.data, kept->body[0] * bodies_a->position.stride);
	const void *const b = wp_offset(bodies_b->position.data, kept->body[1] * bodies_b->position.stride);
	float *const at_a = kept->position, *const at_b = kept->position + 4;
	if (bodies_a->position_real == WP_REAL_FLOAT) {
		memcpy(at_a, a, 3 * sizeof *at_a);
		memcpy(at_b, b, 3 * sizeof *at_b);
		return;
	}
	double from[3], to[3];
	memcpy(from, a, sizeof from);
	memcpy(to, b, sizeof to);
	for (int i = 0; i < 3; i++) {
		const bool is_valid = is_coordinate(from[i]) && is_coordinate(to[i]);
		at_a[i] = 0.0f;
		at_b[i] = is_valid ? (float)(to[i] - from[i]) : WP_NAN;
	}
}

_Static_assert((int)WP_KEPT_POSITION == (int)offsetof(wp_tracked_anchor, position) &&
				   (int)WP_KEPT_ROTATION == (int)offsetof(wp_tracked_anchor, rotation),
	"kernels and API share the layout of an anchor");

#define IS_KEPT(field, byte) (offsetof(wp_persistent_point, field) == (size_t)(byte))
_Static_assert(offsetof(wp_persistent_manifold, points) == (size_t)WP_KEPT_POINTS &&
				   sizeof(wp_persistent_point) == (size_t)WP_KEPT_POINT_BYTES && IS_KEPT(local_a, WP_KEPT_LOCAL_A) &&
				   IS_KEPT(local_b, WP_KEPT_LOCAL_B) && IS_KEPT(arm_a, WP_KEPT_ARM_A) &&
				   IS_KEPT(arm_b, WP_KEPT_ARM_B) && IS_KEPT(separation, WP_KEPT_SEPARATION) &&
				   WP_KEPT_POINT_MAX == WP_PERSISTENT_POINT_MAX,
	"kernels and API share the layout of kept points");

/* How many pairs a chunk has of either kind, and rows without one. */
typedef struct gathered {
	uint32_t apart, touched, refused;
} gathered;

/* Rows ahead whose pairs are requested of memory: rows name pairs in any order. */
#define PREFETCH_PAIRS 16
#define PREFETCH_LINE 64

WP_INLINE size_t tracked_of(const wp_tracked_rows *t, size_t row)
{
	return t->index != NULL ? wp_read_once(wp_offset(t->index, row * t->index_stride)) : row;
}

WP_INLINE void prefetch_pair(const wp_tracked_rows *t, size_t row)
{
	const size_t at = tracked_of(t, row);
	if (at >= t->count)
		return;
	/* Two lines where the caller's memory is not aligned to them. */
	wp_prefetch_write(&t->pairs[at]);
	wp_prefetch_write(&t->pairs[at].count);
}

/* Points are read and written after the queries of a chunk. */
WP_INLINE void prefetch_points(const wp_persistent_manifold *manifold, uint32_t count)
{
	const char *const end = (const char *)&manifold->points[count];
	for (const char *line = (const char *)manifold; line < end; line += PREFETCH_LINE)
		wp_prefetch_write(line);
}

/* The bits tell, because no lever is a negative zero. */
WP_INLINE bool has_plane(const wp_tracked *pair)
{
	uint32_t lever;
	memcpy(&lever, &pair->lever, sizeof lever);
	return lever != 0;
}

/* Find the pairs that something was kept of. The kind of a pair decides where it goes, by no branch: it is hard to predict. */
WP_INLINE gathered find_kept(const wp_call *call, chunk rows, naming by, wp_track_memory *memory)
{
	const wp_call c = *call;
	const wp_tracked_rows *const t = &c.tracked;
	const size_t from = c.first + rows.first, end = from + rows.count, last = c.first + rows.last;
	const uint32_t most = t->reuse_error > 0.0f ? WP_PERSISTENT_POINT_MAX : 0;
	wp_kept_pair *next[2] = {memory->kept[0], memory->kept[1]};
	uint32_t refused = 0;
	memset(memory->is_open, true, sizeof memory->is_open);
	for (size_t at_row = from; at_row < end; at_row++) {
		const size_t at = tracked_of(t, at_row);
		if (t->index != NULL && at_row + PREFETCH_PAIRS <= last)
			prefetch_pair(t, at_row + PREFETCH_PAIRS);
		if (at >= t->count) {
			memory->is_open[at_row - from] = false;
			memory->refused[refused++] = (uint32_t)(at_row - from);
			continue;
		}
		const wp_tracked *const pair = &t->pairs[at];
		const uint32_t points = pair->count;
		wp_kept_pair *const kept = next[points != 0];
		if (t->index != NULL && points - 1 < WP_PERSISTENT_POINT_MAX)
			prefetch_points(&t->manifolds[at], points);
		if (!has_plane(pair) || points > most || !find_bodies(&c, at_row, pair, by, kept))
			continue;
		kept->row = (uint32_t)(at_row - from);
		kept->tracked = (uint32_t)at;
		next[points != 0] = kept + 1;
	}
	return (gathered){(uint32_t)(next[0] - memory->kept[0]), (uint32_t)(next[1] - memory->kept[1]), refused};
}

static gathered find_rows(const wp_call *call, chunk rows, wp_track_memory *memory)
{
	const bool has_pairs = call->pair_a.data != NULL && call->pair_b.data != NULL;
	if (call->a.shape.data == NULL || call->b.shape.data == NULL || call->shapes->serials != NULL ||
		has_pairs != (call->pair_a.data != NULL || call->pair_b.data != NULL))
		return find_kept(call, rows, (naming){true, false}, memory);
	return has_pairs ? find_kept(call, rows, (naming){true, true}, memory)
	                 : find_kept(call, rows, (naming){false, true}, memory);
}

/* Put the numbers of pairs, and where they are, where the kernels look. */
WP_INLINE void gather_kept(const wp_call *call, wp_kept_pair *pairs, uint32_t count, bool have_touched)
{
	const wp_bodies a = call->a, b = call->b;
	const wp_tracked_rows t = call->tracked;
	for (wp_kept_pair *kept = pairs; kept < pairs + count; kept++) {
		const wp_tracked *const pair = &t.pairs[kept->tracked];
		const int32_t points = pair->count;
		kept->rotation_a = wp_offset(a.rotation.data, kept->body[0] * a.rotation.stride);
		kept->rotation_b = wp_offset(b.rotation.data, kept->body[1] * b.rotation.stride);
		kept->plane = (const unsigned char *)&pair->known;
		if (have_touched) {
			kept->plane = (const unsigned char *)&t.anchors[kept->tracked];
			kept->manifold = (unsigned char *)&t.manifolds[kept->tracked];
			memcpy(&kept->position[7], &points, sizeof points);
		}
		read_positions(&a, &b, kept);
		kept->position[3] = pair->lever;
	}
}

/* ---- rows --------------------------------------------------------------------------------------- */

static bool wants_results(const wp_results *r)
{
	return r->separation.data != NULL || r->normal.data != NULL || r->point_a.data != NULL || r->point_b.data != NULL ||
	       r->lower.data != NULL || r->upper.data != NULL || r->status.data != NULL || r->iterations.data != NULL ||
	       r->overlap.data != NULL || r->local_a.data != NULL || r->local_b.data != NULL || r->tangent_1.data != NULL ||
	       r->tangent_2.data != NULL;
}

/* What is proven of a row without a query. */
typedef struct known_row {
	float separation, lower, upper;
	const float *normal;
	uint32_t status, event;
} known_row;

/* As wp_write_row counts, of the statuses that such rows have. */
WP_INLINE void count_known(wp_statistics *s, uint32_t status)
{
	s->rows++;
	s->separated += (status & WP_STATUS_SEPARATED) != 0;
	s->touching += (status & WP_STATUS_TOUCHING) != 0;
	s->penetrating += (status & WP_STATUS_PENETRATING) != 0;
	s->beyond += (status & WP_STATUS_BEYOND) != 0;
	s->wide_bracket += (status & WP_STATUS_WIDE_BRACKET) != 0;
}

WP_INLINE void keep_row(wp_tracked *pair, const known_row *known)
{
	pair->separation = known->separation;
	pair->status = known->status;
	pair->event = (uint16_t)known->event;
}

/* Results, where they are requested, and statistics. */
static void tell_row(const wp_call *call, uint32_t row, const known_row *known, bool writes, wp_statistics *statistics)
{
	if (!writes) {
		count_known(statistics, known->status);
		return;
	}
	wp_input input;
	wp_read_row(call, row, &input);
	const wp_output output = {.separation = known->separation,
		.lower = known->lower,
		.upper = known->upper,
		.normal = {known->normal[0], known->normal[1], known->normal[2]},
		.status = known->status};
	wp_write_row(call, row, input.a.position, &output, statistics);
}

/* A pair whose plane may prove it apart. False where it does not. */
WP_INLINE bool keep_apart(const wp_call *call, uint32_t row, const wp_kept_pair *kept, const float *bound, bool tells,
	bool writes, wp_statistics *statistics)
{
	if (!(bound[0] > call->max_separation))
		return false;
	const known_row known = {
		bound[0], bound[0], WP_INFINITY, bound + 1, WP_STATUS_SEPARATED | WP_STATUS_BEYOND, WP_TRACK_KEPT};
	keep_row(&call->tracked.pairs[kept->tracked], &known);
	if (tells)
		tell_row(call, row + kept->row, &known, writes, statistics);
	return true;
}

/* A pair whose points may be reused. False where they are not. */
WP_INLINE bool reuse_points(const wp_call *call, uint32_t row, const wp_kept_pair *kept, const float *reused,
	bool tells, bool writes, wp_statistics *statistics)
{
	wp_persistent_manifold *const manifold = &call->tracked.manifolds[kept->tracked];
	uint32_t status;
	memcpy(&status, reused + WP_REUSE_STATUS, sizeof status);
	if (status == 0)
		return false;
	for (uint32_t k = 0; k < manifold->count; k++)
		manifold->points[k].age += manifold->points[k].age != UINT32_MAX;
	const known_row known = {reused[WP_REUSE_SEPARATION], reused[WP_REUSE_LOWER], reused[WP_REUSE_UPPER],
		manifold->normal, status, WP_TRACK_REUSED};
	keep_row(&call->tracked.pairs[kept->tracked], &known);
	if (tells)
		tell_row(call, row + kept->row, &known, writes, statistics);
	return true;
}

/* Answer the rows of which enough is known. */
static void answer_known(
	const wp_call *call, uint32_t row, gathered total, wp_track_memory *memory, bool writes, wp_statistics *statistics)
{
	const bool tells = writes || call->counts_rows;
	const wp_kept_pair *kept = memory->kept[0];
	for (uint32_t k = 0; k < total.apart; k++, kept++)
		if (keep_apart(call, row, kept, memory->bound + (size_t)4 * k, tells, writes, statistics))
			memory->is_open[kept->row] = false;
	kept = memory->kept[1];
	for (uint32_t k = 0; k < total.touched; k++, kept++)
		if (reuse_points(
				call, row, kept, memory->reused + (size_t)WP_REUSE_OUTPUT_COUNT * k, tells, writes, statistics))
			memory->is_open[kept->row] = false;
}

static void refuse_row(const wp_call *call, uint32_t row, wp_statistics *statistics)
{
	static const double origin[3] = {0.0, 0.0, 0.0};
	wp_output output;
	wp_invalid_output(WP_STATUS_INVALID | WP_STATUS_INVALID_TRACKED, &output);
	wp_write_row(call, row, origin, &output, statistics);
}

static void judge_kept(wp_workspace *workspace, const wp_call *call, gathered total)
{
	wp_track_memory *const memory = &workspace->track;
	const wp_closed_kernels *const one = workspace->few->closed, *const many = workspace->kernels->closed;
	const wp_reuse_limits limits = {call->tracked.reuse_error, call->max_separation, call->cores};
	gather_kept(call, memory->kept[0], total.apart, false);
	gather_kept(call, memory->kept[1], total.touched, true);
	if (total.apart != 0)
		(total.apart <= WP_FEW_JOBS ? one : many)->bound_kept(memory->kept[0], total.apart, memory->bound);
	if (total.touched != 0)
		(total.touched <= WP_FEW_JOBS ? one : many)
			->reuse_points(memory->kept[1], total.touched, &limits, memory->reused);
}

/* Answer the rows of a chunk of which enough is known, and list the others. Returns how many they are. */
static uint32_t sift_rows(
	wp_workspace *workspace, const wp_call *call, chunk rows, bool writes, wp_statistics *statistics)
{
	wp_track_memory *const memory = &workspace->track;
	const gathered total = find_rows(call, rows, memory);
	uint32_t open = 0;
	judge_kept(workspace, call, total);
	answer_known(call, rows.first, total, memory, writes, statistics);
	for (uint32_t i = 0; i < total.refused; i++)
		refuse_row(call, rows.first + memory->refused[i], statistics);
	for (uint32_t i = 0; i < rows.count; i++) {
		memory->open[open] = rows.first + i;
		open += memory->is_open[i];
	}
	return open;
}

static void run_frame(wp_workspace *workspace, wp_call *call, uint32_t count, wp_statistics *statistics)
{
	const bool writes = wants_results(&call->results);
	call->list = workspace->track.open;
	for (uint32_t row = 0; row < count; row += WP_TRACK_ROWS) {
		const chunk rows = {row, count - row < WP_TRACK_ROWS ? count - row : WP_TRACK_ROWS, count - 1};
		wp_run_rows(workspace, call, sift_rows(workspace, call, rows, writes, statistics), statistics);
	}
	wp_run_waiting(workspace, call, statistics);
}

wp_error wp_track(wp_workspace *workspace, const wp_batch *batch, const wp_track_options *options,
	const wp_tracked_pairs *tracked, const wp_results *results, wp_track_changes *changes, wp_statistics *statistics)
{
	const wp_environment before = wp_environment_enter();
	wp_error error = check_frame(options, tracked, changes);
	const wp_request request = error == WP_OK ? request_of(options, tracked, changes)
	                                          : (wp_request){.dimension = WP_3D};
	if (error == WP_OK)
		error = wp_check_call(workspace, batch, results, &request);
	if (error == WP_OK && changes != NULL)
		changes->count = 0;
	if (error == WP_OK && batch->count != 0) {
		wp_statistics unused = {0};
		wp_call call = wp_make_call(batch, results, &request);
		call.cache = NULL;
		call.counts_rows = statistics != NULL;
		run_frame(workspace, &call, (uint32_t)batch->count, statistics != NULL ? statistics : &unused);
	}
	wp_environment_leave(before);
	return error;
}

/* ---- pools -------------------------------------------------------------------------------------- */

/* In the place of events of a pair that was given back. */
#define EVENT_FREE UINT16_MAX

wp_error wp_track_pool_init(wp_track_pool *pool, wp_tracked *pairs, uint32_t capacity)
{
	const wp_error error = pool == NULL                   ? WP_ERROR_NULL_POOL
	                     : pairs == NULL && capacity != 0 ? WP_ERROR_NULL_PAIRS
	                     : capacity == WP_TRACK_NONE      ? WP_ERROR_POOL_CAPACITY
	                                                      : WP_OK;
	if (error == WP_OK)
		*pool = (wp_track_pool){.pairs = pairs, .capacity = capacity, .available = WP_TRACK_NONE};
	return error;
}

uint32_t wp_track_pool_take(wp_track_pool *pool)
{
	if (pool == NULL)
		return WP_TRACK_NONE;
	uint32_t index = pool->available;
	if (index < pool->used)
		pool->available = pool->pairs[index].shape[0];
	else if (pool->used < pool->capacity)
		index = pool->used++;
	else
		return WP_TRACK_NONE;
	pool->pairs[index] = (wp_tracked){.count = 0};
	return index;
}

wp_error wp_track_pool_give(wp_track_pool *pool, uint32_t index)
{
	if (pool == NULL)
		return WP_ERROR_NULL_POOL;
	if (index >= pool->used || pool->pairs[index].event == EVENT_FREE)
		return WP_ERROR_TRACKED_INDEX;
	pool->pairs[index] = (wp_tracked){.shape = {pool->available, 0}, .event = EVENT_FREE};
	pool->available = index;
	return WP_OK;
}
