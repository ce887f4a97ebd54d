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

/* ---- what is kept ------------------------------------------------------------------------------- */

/* How a call names bodies and shapes, where code is made for it. */
typedef struct naming {
	bool has_pairs;   /* rows name their bodies; else row r is the pair of bodies r */
	bool has_numbers; /* bodies name their shapes, and an index stands for one shape for good; else not */
} naming;

WP_INLINE uint32_t shape_of_body(const wp_bodies *bodies, uint32_t body, bool has_numbers)
{
	const size_t offset = body * bodies->shape.stride;
	return has_numbers ? wp_read_once(wp_offset(bodies->shape.data, offset)) : wp_shape_of_body(bodies, body, offset);
}

WP_INLINE uint32_t serial_of(const wp_call *call, uint32_t shape, bool has_numbers)
{
	return has_numbers ? shape : wp_serial_of_shape(call->shapes, shape);
}

/* The bodies of a row, where they exist and have the shapes for which something was kept. */
typedef struct row_bodies {
	uint32_t a, b, shape_a, shape_b;
} row_bodies;

WP_INLINE bool find_bodies(const wp_call *call, size_t at, const wp_tracked *pair, naming by, row_bodies *bodies)
{
	const wp_bodies *const a = &call->a, *const b = &call->b;
	bool inside_a, inside_b;
	bodies->a = wp_body_of_row(by.has_pairs ? call->pair_a.data : NULL, call->pair_a.stride, at, a->count, &inside_a);
	bodies->b = wp_body_of_row(by.has_pairs ? call->pair_b.data : NULL, call->pair_b.stride, at, b->count, &inside_b);
	if (!inside_a || !inside_b || bodies->a != pair->body[0] || bodies->b != pair->body[1])
		return false;
	bodies->shape_a = shape_of_body(a, bodies->a, by.has_numbers);
	bodies->shape_b = shape_of_body(b, bodies->b, by.has_numbers);
	return serial_of(call, bodies->shape_a, by.has_numbers) == pair->shape[0] &&
	       serial_of(call, bodies->shape_b, by.has_numbers) == pair->shape[1] && bodies->shape_a < call->core_count &&
	       bodies->shape_b < call->core_count;
}

WP_INLINE bool is_coordinate(double value) { return wp_abs(value) <= (double)WP_COORDINATE_MAX; }

/* Positions from anywhere near: differences in float have the bits of those in double, rounded. Of positions that are invalid
 * the difference is no number. */
WP_INLINE void read_positions(const wp_call *call, const row_bodies *bodies, float *at_a, float *at_b)
{
	const void *const a = wp_offset(call->a.position.data, bodies->a * call->a.position.stride);
	const void *const b = wp_offset(call->b.position.data, bodies->b * call->b.position.stride);
	if (call->a.position_real == WP_REAL_FLOAT) {
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

/* Put a pair where kernels look. */
WP_INLINE void put_kept(
	const wp_call *call, float lever, const row_bodies *bodies, const void *plane, wp_kept_pairs *pairs, uint32_t i)
{
	pairs->rotation_a[i] = wp_offset(call->a.rotation.data, bodies->a * call->a.rotation.stride);
	pairs->rotation_b[i] = wp_offset(call->b.rotation.data, bodies->b * call->b.rotation.stride);
	pairs->plane[i] = plane;
	float *const position = pairs->position + (size_t)8 * i;
	read_positions(call, bodies, position, position + 4);
	position[3] = lever;
}

/* How many pairs a chunk has of either kind. */
typedef struct gathered {
	uint32_t apart, touched;
} gathered;

/* Rows ahead whose pairs are requested of memory: rows name pairs in any order. */
#define PREFETCH_PAIRS 16
#define PREFETCH_LINE 64

WP_INLINE void prefetch_pair(const wp_call *call, uint32_t row)
{
	const size_t at = wp_tracked_of_row(call, row);
	if (at >= call->tracked.count)
		return;
	/* Two lines where the caller's memory is not aligned to them. */
	wp_prefetch_write(&call->tracked.pairs[at]);
	wp_prefetch_write(&call->tracked.pairs[at].count);
}

/* Points are read and written after the queries of a chunk. */
WP_INLINE void prefetch_points(const wp_call *call, size_t at, uint32_t count)
{
	if (count == 0 || count > WP_PERSISTENT_POINT_MAX)
		return;
	const wp_persistent_manifold *const manifold = &call->tracked.manifolds[at];
	const char *const end = (const char *)&manifold->points[count];
	for (const char *line = (const char *)manifold; line < end; line += PREFETCH_LINE)
		wp_prefetch_write(line);
}

/* Put the pairs that something was kept of where the kernels look. */
WP_INLINE gathered gather_kept(const wp_call *call, uint32_t row, uint32_t count, naming by, wp_track_memory *memory)
{
	const wp_tracked_rows t = call->tracked;
	const bool reuses = t.reuse_error > 0.0f;
	gathered total = {0, 0};
	for (uint32_t i = 0; i < count; i++) {
		const size_t at = wp_tracked_of_row(call, row + i);
		row_bodies bodies;
		memory->place[i] = WP_TRACK_OPEN;
		memory->tracked[i] = at < t.count ? (uint32_t)at : WP_TRACK_NONE;
		if (t.index != NULL && i + PREFETCH_PAIRS < count)
			prefetch_pair(call, row + i + PREFETCH_PAIRS);
		if (at >= t.count)
			continue;
		const wp_tracked *const pair = &t.pairs[at];
		const uint32_t points = pair->count;
		const float lever = pair->lever;
		if (t.index != NULL)
			prefetch_points(call, at, points);
		if (lever == 0.0f || (points != 0 && !reuses) || points > WP_PERSISTENT_POINT_MAX ||
			!find_bodies(call, call->first + row + i, pair, by, &bodies))
			continue;
		if (points == 0) {
			put_kept(call, lever, &bodies, &pair->known, &memory->apart, total.apart);
			memory->place[i] = total.apart++;
		} else {
			put_kept(call, lever, &bodies, &t.anchors[at], &memory->touched, total.touched);
			memory->touched.manifold[total.touched] = (unsigned char *)&t.manifolds[at];
			memory->touched.core[0][total.touched] = (const unsigned char *)&call->cores[bodies.shape_a];
			memory->touched.core[1][total.touched] = (const unsigned char *)&call->cores[bodies.shape_b];
			memory->touched.count[total.touched] = (int32_t)points;
			memory->place[i] = total.touched++ | WP_TRACK_TOUCHED;
		}
	}
	return total;
}

static gathered gather_rows(const wp_call *call, uint32_t row, uint32_t count, wp_track_memory *memory)
{
	const bool has_pairs = call->pair_a.data != NULL && call->pair_b.data != NULL;
	if (call->a.shape.data == NULL || call->b.shape.data == NULL || call->shapes->serials != NULL ||
		has_pairs != (call->pair_a.data != NULL || call->pair_b.data != NULL))
		return gather_kept(call, row, count, (naming){true, false}, memory);
	return has_pairs ? gather_kept(call, row, count, (naming){true, true}, memory)
	                 : gather_kept(call, row, count, (naming){false, true}, memory);
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

WP_INLINE void tell_row(
	const wp_call *call, uint32_t row, wp_tracked *pair, const known_row *known, bool writes, wp_statistics *statistics)
{
	pair->separation = known->separation;
	pair->status = known->status;
	pair->event = known->event;
	if (!writes) {
		if (call->counts_rows)
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

/* A row whose plane may prove it apart. False where it does not. */
WP_INLINE bool keep_apart(
	const wp_call *call, uint32_t row, size_t at, const float *bound, bool writes, wp_statistics *statistics)
{
	if (!(bound[0] > call->max_separation))
		return false;
	const known_row known = {
		bound[0], bound[0], WP_INFINITY, bound + 1, WP_STATUS_SEPARATED | WP_STATUS_BEYOND, WP_TRACK_KEPT};
	tell_row(call, row, &call->tracked.pairs[at], &known, writes, statistics);
	return true;
}

/* A row whose points may be reused. False where they are not. */
WP_INLINE bool reuse_points(
	const wp_call *call, uint32_t row, size_t at, const float *reused, bool writes, wp_statistics *statistics)
{
	wp_persistent_manifold *const manifold = &call->tracked.manifolds[at];
	uint32_t status;
	memcpy(&status, reused + WP_REUSE_STATUS, sizeof status);
	if (status == 0)
		return false;
	for (uint32_t k = 0; k < manifold->count; k++)
		manifold->points[k].age += manifold->points[k].age != UINT32_MAX;
	const known_row known = {reused[WP_REUSE_SEPARATION], reused[WP_REUSE_LOWER], reused[WP_REUSE_UPPER],
		manifold->normal, status, WP_TRACK_REUSED};
	tell_row(call, row, &call->tracked.pairs[at], &known, writes, statistics);
	return true;
}

/* Whether row `row`, number `i` of a chunk, is answered by what was kept of its pair. */
WP_INLINE bool is_known(const wp_call *call, uint32_t row, uint32_t i, const wp_track_memory *memory, bool writes,
	wp_statistics *statistics)
{
	const uint32_t place = memory->place[i];
	if (place == WP_TRACK_OPEN)
		return false;
	const size_t at = memory->tracked[i], of_kind = place & ~WP_TRACK_TOUCHED;
	return of_kind == place
	         ? keep_apart(call, row, at, memory->bound + 4 * of_kind, writes, statistics)
	         : reuse_points(call, row, at, memory->reused + WP_REUSE_OUTPUT_COUNT * of_kind, writes, statistics);
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
	const wp_reuse_limits limits = {call->tracked.reuse_error, call->max_separation};
	if (total.apart != 0)
		(total.apart <= WP_FEW_JOBS ? one : many)->bound_kept(&memory->apart, total.apart, memory->bound);
	if (total.touched != 0)
		(total.touched <= WP_FEW_JOBS ? one : many)
			->reuse_points(&memory->touched, total.touched, &limits, memory->reused);
}

/* Answer the rows of a chunk of which enough is known, and list the others. Returns how many they are. */
static uint32_t sift_rows(
	wp_workspace *workspace, const wp_call *call, uint32_t row, uint32_t count, bool writes, wp_statistics *statistics)
{
	wp_track_memory *const memory = &workspace->track;
	uint32_t open = 0;
	judge_kept(workspace, call, gather_rows(call, row, count, memory));
	for (uint32_t i = 0; i < count; i++) {
		if (is_known(call, row + i, i, memory, writes, statistics))
			continue;
		if (memory->tracked[i] != WP_TRACK_NONE)
			memory->open[open++] = row + i;
		else
			refuse_row(call, row + i, statistics);
	}
	return open;
}

static void run_frame(wp_workspace *workspace, wp_call *call, uint32_t count, wp_statistics *statistics)
{
	const bool writes = wants_results(&call->results);
	call->list = workspace->track.open;
	for (uint32_t row = 0; row < count; row += WP_TRACK_ROWS) {
		const uint32_t rows = count - row < WP_TRACK_ROWS ? count - row : WP_TRACK_ROWS;
		wp_run_rows(workspace, call, sift_rows(workspace, call, row, rows, writes, statistics), statistics);
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
