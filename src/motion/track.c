/* Frames of tracked pairs: what planes and points of the last frame still prove, and queries for the rest. */
#include "batch/bucket.h"
#include "batch/chunk.h"
#include "batch/keep.h"
#include "batch/read.h"
#include "batch/run.h"
#include "batch/write.h"
#include "core/environment.h"

/* ---- the arguments ------------------------------------------------------------------------------ */

static wp_error check_options(const wp_track_options *options, const wp_tracked_pairs *tracked)
{
	return !wp_is_length(options->merging)                         ? WP_ERROR_MERGING
	     : !wp_is_length(options->reuse_error)                     ? WP_ERROR_REUSE_ERROR
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
			.polytopes = tracked->polytopes,
			.count = tracked->count,
			.index = tracked->index.data,
			.index_stride = tracked->index.stride,
			.merging = options->merging,
			.reuse_error = options->reuse_error,
			.changes = changes}};
}

/* ---- what is kept ------------------------------------------------------------------------------- */

#define IS_TOLD(field, at) (offsetof(wp_tracked, field) == (size_t)WP_TRACKED_TOLD + (at))
_Static_assert(offsetof(wp_tracked, known) == (size_t)WP_TRACKED_PLANE && sizeof(wp_tracked) == WP_TRACKED_BYTES &&
				   offsetof(wp_tracked, body) == (size_t)WP_TRACKED_NAMES &&
				   offsetof(wp_tracked, shape) == (size_t)WP_TRACKED_NAMES + 8 && IS_TOLD(lever, 0) &&
				   IS_TOLD(separation, 4) && IS_TOLD(status, 8) && IS_TOLD(event, 12) && IS_TOLD(count, 14),
	"kernels and API share the layout of a tracked pair");
_Static_assert((int)WP_JOB_KEPT == (int)WP_TRACK_KEPT && (int)WP_JOB_REUSED == (int)WP_TRACK_REUSED, "and its events");

_Static_assert((int)WP_KEPT_POSITION == (int)offsetof(wp_tracked_anchor, position) &&
				   (int)WP_KEPT_ROTATION == (int)offsetof(wp_tracked_anchor, rotation) &&
				   sizeof(wp_tracked_anchor) == WP_TRACKED_BYTES,
	"kernels and API share the layout of an anchor");

#define HAS_POLYTOPE(field) (offsetof(wp_tracked_polytope, field) == offsetof(wp_kept_polytope, field))
_Static_assert(HAS_POLYTOPE(vertex) && HAS_POLYTOPE(position) && HAS_POLYTOPE(room) && HAS_POLYTOPE(rotation) &&
				   HAS_POLYTOPE(shape) && HAS_POLYTOPE(edge) && HAS_POLYTOPE(scale) &&
				   sizeof(wp_tracked_polytope) == sizeof(wp_kept_polytope),
	"kernels and API share the layout of a polytope");

#define HAS_ROWS(type, x, y, z, w)                                                                              \
	(offsetof(type, x) == 0 && offsetof(type, y) == 12 && offsetof(type, z) == 16 && offsetof(type, w) == 28 && \
		sizeof(type) == (size_t)WP_KEPT_POINT_BYTES)
_Static_assert(HAS_ROWS(wp_persistent_point, arm_a, separation, arm_b, age) &&
				   HAS_ROWS(wp_persistent_place, local_a, feature_a, local_b, feature_b) &&
				   offsetof(wp_persistent_manifold, points) == (size_t)WP_KEPT_POINTS &&
				   offsetof(wp_persistent_manifold, normal) == (size_t)WP_KEPT_COUNT &&
				   offsetof(wp_persistent_manifold, count) == (size_t)WP_KEPT_COUNT + 12 &&
				   offsetof(wp_persistent_manifold, places) == (size_t)WP_KEPT_PLACES &&
				   sizeof(wp_persistent_manifold) == (size_t)WP_KEPT_MANIFOLD_BYTES &&
				   WP_KEPT_POINT_MAX == WP_PERSISTENT_POINT_MAX,
	"kernels and API share the layout of kept points");

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
	wp_prefetch_write(manifold->normal);
	for (uint32_t k = 0; k < count; k += PREFETCH_LINE / WP_KEPT_POINT_BYTES) {
		wp_prefetch_write(&manifold->points[k]);
		wp_prefetch_write(&manifold->places[k]);
	}
}

/* 0 where no plane is kept, because no lever is a negative zero. */
WP_INLINE uint32_t lever_bits(const wp_tracked *pair)
{
	uint32_t lever;
	memcpy(&lever, &pair->lever, sizeof lever);
	return lever;
}

/* Rows that are looked at as one. */
#define RUN_ROWS 8

/* Whether the pairs of a run were all proven apart in the last frame, so that they still have their planes. */
WP_INLINE bool is_run_apart(const wp_tracked *pairs)
{
	const uint16_t told[2] = {WP_TRACK_KEPT, 0};
	uint32_t kept, some = 0, all = UINT32_MAX;
	memcpy(&kept, told, sizeof kept);
	for (uint32_t k = 0; k < RUN_ROWS; k++) {
		uint32_t word;
		memcpy(&word, &pairs[k].event, sizeof word);
		some |= word;
		all &= word;
	}
	return some == kept && all == kept;
}

/* How many rows the lists have, each in some bits of one number: counts in memory would be read, raised and written row by row, and
 * each row would wait for the one before it. */
#define COUNT_BITS 6
#define COUNT_MOST ((1u << COUNT_BITS) - 1)
_Static_assert(WP_TRACK_LISTS <= 64 / COUNT_BITS && WP_TRACK_ROWS + WP_KEPT_LANES - 1 <= COUNT_MOST, "room for all");

static uint64_t read_counts(const wp_track_memory *memory)
{
	uint64_t counts = 0;
	for (uint32_t kind = 0; kind < WP_TRACK_LISTS; kind++)
		counts |= (uint64_t)memory->counts[kind] << COUNT_BITS * kind;
	return counts;
}

static void write_counts(wp_track_memory *memory, uint64_t counts)
{
	for (uint32_t kind = 0; kind < WP_TRACK_LISTS; kind++)
		memory->counts[kind] = (uint32_t)(counts >> COUNT_BITS * kind) & COUNT_MOST;
}

/* List a row by what is kept of its pair. Returns the counts. */
WP_INLINE uint64_t list_row(
	wp_track_memory *memory, uint64_t counts, const wp_tracked *pair, uint32_t row, uint32_t at, bool has_index)
{
	const uint32_t points = pair->count, lever = lever_bits(pair);
	const uint32_t listed = points + (points != 0 ? lever & WP_LEVER_OF_BOXES : 0) * WP_TRACK_BOXES;
	const uint32_t kind = lever != 0 && points <= memory->most ? listed : WP_TRACK_OPEN;
	const uint32_t end = (uint32_t)(counts >> COUNT_BITS * kind) & COUNT_MOST;
	wp_kept_list *const list = &memory->lists[kind];
	list->row[end] = row;
	if (has_index)
		list->tracked[end] = at;
	return counts + (UINT64_C(1) << COUNT_BITS * kind);
}

/* What bodies of rows on one side have in a column: kernels read it together, and would wait for each. Bodies that do not exist are
 * requested, too: nothing is read there. */
WP_INLINE void prefetch_column(
	const void *column, size_t stride, const wp_const_uint32_column *pair, size_t row, uint32_t count)
{
	const uintptr_t base = (uintptr_t)column;
	if (pair->data == NULL) {
		for (uint32_t k = 0; k < count; k++)
			wp_prefetch((const void *)(base + (row + k) * stride));
		return;
	}
	for (uint32_t k = 0; k < count; k++)
		wp_prefetch((const void *)(base + wp_read_once(wp_offset(pair->data, (row + k) * pair->stride)) * stride));
}

WP_INLINE void prefetch_side(const wp_bodies *bodies, const wp_const_uint32_column *pair, size_t row, uint32_t count)
{
	prefetch_column(bodies->position.data, bodies->position.stride, pair, row, count);
}

WP_INLINE void prefetch_bodies(const wp_call *call, uint32_t row, uint32_t count)
{
	prefetch_side(&call->a, &call->pair_a, call->first + row, count);
	prefetch_side(&call->b, &call->pair_b, call->first + row, count);
}

WP_INLINE void prefetch_rotations(const wp_call *call, uint32_t row, uint32_t count)
{
	const wp_bodies *const a = &call->a, *const b = &call->b;
	prefetch_column(a->rotation.data, a->rotation.stride, &call->pair_a, call->first + row, count);
	prefetch_column(b->rotation.data, b->rotation.stride, &call->pair_b, call->first + row, count);
}

/* Bodies of more bytes than this are not all in a cache near by; and those of a run are near one another if so few are between. */
#define NEAR_BYTES (256u * 1024)
#define NEAR_BODIES 1024

static bool are_many(const wp_bodies *bodies)
{
	return (uint64_t)bodies->count * (bodies->position.stride + 1) > NEAR_BYTES;
}

/* Whether a body has its rotation in the line of its position: structs of 32 bytes have, where they do not lie across two lines. */
static bool are_in_one_line(const wp_bodies *bodies)
{
	const uintptr_t position = (uintptr_t)bodies->position.data, rotation = (uintptr_t)bodies->rotation.data;
	return bodies->position.stride == 32 && bodies->rotation.stride == 32 && position / 32 == rotation / 32;
}

/* Whether rows of a run name bodies far from one another: then kernels would wait for each. */
WP_INLINE bool is_scattered(const wp_const_uint32_column *pair, size_t row)
{
	const uint32_t first = wp_read_once(wp_offset(pair->data, row * pair->stride));
	const uint32_t last = wp_read_once(wp_offset(pair->data, (row + RUN_ROWS - 1) * pair->stride));
	return last - first > NEAR_BODIES && first - last > NEAR_BODIES;
}

/* Row and tracked pair have the same number. */
static void list_rows(const wp_call *call, wp_track_memory *memory, uint32_t row, uint32_t count)
{
	const wp_tracked *const pairs = &call->tracked.pairs[call->first];
	const uint32_t last = row + count;
	uint64_t counts = read_counts(memory);
	const bool may_scatter = call->pair_a.data != NULL && are_many(&call->a);
	const bool are_whole = are_in_one_line(&call->a) && are_in_one_line(&call->b);
	while (row < last) {
		const uint32_t run = row + RUN_ROWS < last ? RUN_ROWS : last - row;
		if (run == RUN_ROWS && is_run_apart(&pairs[row])) {
			if (may_scatter && is_scattered(&call->pair_a, call->first + row)) {
				prefetch_bodies(call, row, RUN_ROWS);
				if (!are_whole)
					prefetch_rotations(call, row, RUN_ROWS);
			}
			uint32_t *const to = memory->lists[0].row + (counts & COUNT_MOST);
			for (uint32_t k = 0; k < RUN_ROWS; k++)
				to[k] = row + k;
			counts += RUN_ROWS;
			row += RUN_ROWS;
			continue;
		}
		if (run == RUN_ROWS)
			prefetch_bodies(call, row, RUN_ROWS);
		for (uint32_t k = 0; k < run; k++, row++)
			counts = list_row(memory, counts, &pairs[row], row, row, false);
	}
	write_counts(memory, counts);
}

static void refuse_row(const wp_call *call, uint32_t row, wp_statistics *statistics)
{
	static const double origin[3] = {0.0, 0.0, 0.0};
	wp_output output;
	wp_invalid_output(WP_STATUS_INVALID | WP_STATUS_INVALID_TRACKED, &output);
	wp_write_row(call, row, origin, &output, statistics);
}

/* Rows name their tracked pairs. `last` is the last row of the call. */
static void list_named_rows(const wp_call *call, wp_track_memory *memory, uint32_t first, uint32_t count, uint32_t last,
	wp_statistics *statistics)
{
	const wp_tracked_rows *const t = &call->tracked;
	uint64_t counts = read_counts(memory);
	for (uint32_t row = first; row < first + count; row++) {
		const size_t at = tracked_of(t, call->first + row);
		if (last - row >= PREFETCH_PAIRS)
			prefetch_pair(t, call->first + row + PREFETCH_PAIRS);
		prefetch_bodies(call, row, 1);
		if (at >= t->count) {
			refuse_row(call, row, statistics);
			continue;
		}
		const wp_tracked *const pair = &t->pairs[at];
		if (pair->count - 1u < WP_PERSISTENT_POINT_MAX)
			prefetch_points(&t->manifolds[at], pair->count);
		counts = list_row(memory, counts, pair, row, (uint32_t)at, true);
	}
	write_counts(memory, counts);
}

/* Lanes past the last row have the last one's. */
static void repeat_last(wp_kept_list *list, uint32_t count)
{
	for (uint32_t at = count; at % WP_KEPT_LANES != 0; at++) {
		list->row[at] = list->row[count - 1];
		list->tracked[at] = list->tracked[count - 1];
	}
}

static uint32_t most_of(uint64_t count) { return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX; }

static wp_kept_column column_of(const void *data, size_t stride, size_t first)
{
	return (wp_kept_column){data != NULL ? wp_offset(data, first * stride) : NULL, stride};
}

/* How bodies are laid out: a wp_body_row. */
static uint32_t row_of_bodies(const wp_bodies *bodies)
{
	const size_t number = sizeof(float), stride = bodies->position.stride;
	const char *const at = bodies->position.data;
	const char *const rotation = (const char *)bodies->rotation.data, *const shape = (const char *)bodies->shape.data;
	const bool together = bodies->rotation.stride == stride && bodies->shape.stride == stride;
	return together && rotation == at + 3 * number && shape == at + 7 * number ? WP_BODY_SHAPE_LAST
	     : together && rotation == at + 4 * number && shape == at + 3 * number ? WP_BODY_SHAPE_BETWEEN
	                                                                           : WP_BODY_COLUMNS;
}

/* A side of the rows of a call of `count`. Rows without names are bodies; none exists that a number does not name. */
static wp_kept_side side_of(const wp_bodies *bodies, const wp_const_uint32_column *pair, size_t first, uint32_t count)
{
	const bool all_have_numbers = pair->data != NULL || first <= UINT32_MAX - count;
	return (wp_kept_side){.named = column_of(pair->data, pair->stride, first),
		.first = (uint32_t)first,
		.body_count = all_have_numbers ? most_of(bodies->count) : 0,
		.position = column_of(bodies->position.data, bodies->position.stride, 0),
		.rotation = column_of(bodies->rotation.data, bodies->rotation.stride, 0),
		.shape = column_of(bodies->shape.data, bodies->shape.stride, 0),
		.row = row_of_bodies(bodies)};
}

/* Positions in double from anywhere near: differences in float have the bits of those in double, rounded. */
static void find_ways(const wp_call *call, const wp_kept_list *list, uint32_t count, float *way)
{
	for (uint32_t at = 0; at < count; at++) {
		double from[3], to[3];
		bool has_a, has_b;
		const size_t row = call->first + list->row[at];
		const uint32_t a = wp_body_of_row(call->pair_a.data, call->pair_a.stride, row, call->a.count, &has_a);
		const uint32_t b = wp_body_of_row(call->pair_b.data, call->pair_b.stride, row, call->b.count, &has_b);
		const bool valid = has_a && has_b && wp_read_position(&call->a, a, WP_3D, WP_REAL_DOUBLE, from) &&
		                   wp_read_position(&call->b, b, WP_3D, WP_REAL_DOUBLE, to);
		for (uint32_t i = 0; i < 3; i++)
			way[i * WP_KEPT_MAX + at] = valid ? (float)(to[i] - from[i]) : WP_NAN;
	}
}

/* Where kernels find the rows of a call of `count`; row and tracked pair have the same number where there is no index. */
static wp_kept_rows kept_rows_of(const wp_call *call, uint32_t count)
{
	const wp_tracked_rows *const t = &call->tracked;
	const float slide = t->merging > t->reuse_error ? t->merging : t->reuse_error;
	/* Rows behind the last tracked pair are refused. */
	const size_t at = t->index != NULL || call->first > t->count ? 0 : call->first;
	const wp_shape_table *const shapes = call->shapes;
	return (wp_kept_rows){.side = {side_of(&call->a, &call->pair_a, call->first, count),
							  side_of(&call->b, &call->pair_b, call->first, count)},
		.shape_count = most_of(call->core_count),
		.serial = column_of(shapes->serials, sizeof *shapes->serials, 0),
		.pairs = (unsigned char *)&t->pairs[at],
		.anchors = t->anchors != NULL ? (unsigned char *)&t->anchors[at] : NULL,
		.manifolds = (unsigned char *)&t->manifolds[at],
		.polytopes = t->polytopes != NULL ? (const unsigned char *)&t->polytopes[at] : NULL,
		.limits = {.error = t->reuse_error,
			.max_separation = call->max_separation,
			.slide2 = slide * slide,
			.lean2 = t->reuse_error < WP_INFINITY ? WP_REUSE_LEAN2_MAX : WP_INFINITY,
			.cores = call->cores}};
}

/* ---- rows --------------------------------------------------------------------------------------- */

_Static_assert(WP_RESULT_COLUMNS == 14, "each is here, but for caches, which wp_track leaves alone");

static bool wants_results(const wp_results *r)
{
	return r->separation.data != NULL || r->normal.data != NULL || r->point_a.data != NULL || r->point_b.data != NULL ||
	       r->lower.data != NULL || r->upper.data != NULL || r->status.data != NULL || r->iterations.data != NULL ||
	       r->overlap.data != NULL || r->local_a.data != NULL || r->local_b.data != NULL || r->tangent_1.data != NULL ||
	       r->tangent_2.data != NULL;
}

/* As wp_write_row counts, of the statuses that such rows have. */
static void count_known(const wp_kept_rows *rows, uint64_t proven, wp_statistics *s)
{
	const wp_tracked *const pairs = (const wp_tracked *)(const void *)rows->pairs;
	uint64_t separated = 0, touching = 0, penetrating = 0, wide = 0;
	for (uint64_t rest = proven; rest != 0; rest &= rest - 1) {
		const uint32_t status = pairs[rows->tracked[wp_lowest_bit_64(rest)]].status;
		separated += (status & WP_STATUS_SEPARATED) != 0;
		touching += (status & WP_STATUS_TOUCHING) != 0;
		penetrating += (status & WP_STATUS_PENETRATING) != 0;
		wide += (status & WP_STATUS_WIDE_BRACKET) != 0;
	}
	s->rows += wp_count_bits_64(proven);
	s->separated += separated;
	s->touching += touching;
	s->penetrating += penetrating;
	s->wide_bracket += wide;
}

/* Rows that the plane of their pair proves apart. */
static void count_apart(uint64_t proven, wp_statistics *s)
{
	const uint32_t count = wp_count_bits_64(proven);
	s->rows += count;
	s->separated += count;
	s->beyond += count;
}

/* Where points of a row are: at A's position. */
static void read_origin(const wp_call *call, size_t row, double origin[3])
{
	bool inside;
	const uint32_t body = wp_body_of_row(call->pair_a.data, call->pair_a.stride, row, call->a.count, &inside);
	if (inside)
		wp_read_position(&call->a, body, WP_3D, call->a.position_real, origin);
}

/* Results of a row. */
static void write_known(const wp_call *call, uint32_t row, const float *known)
{
	double origin[3] = {0.0, 0.0, 0.0};
	wp_output output = {.separation = known[WP_KNOWN_SEPARATION],
		.lower = known[WP_KNOWN_LOWER],
		.upper = known[WP_KNOWN_UPPER],
		.normal = {known[WP_KNOWN_NORMAL], known[WP_KNOWN_NORMAL + 1], known[WP_KNOWN_NORMAL + 2]}};
	memcpy(&output.status, known + WP_KNOWN_STATUS, sizeof output.status);
	if (call->results.point_a.data != NULL || call->results.point_b.data != NULL)
		read_origin(call, call->first + row, origin);
	wp_write_row(call, row, origin, &output, NULL);
}

#define ROW_BIT(row) (UINT64_C(1) << (row))

/* Results, where they are requested, and statistics of the rows of a list that are proven. */
static void tell_known(const wp_call *call, const wp_kept_rows *rows, uint64_t proven, bool have_points,
	const float *known, wp_statistics *statistics)
{
	for (uint64_t rest = known != NULL ? proven : 0; rest != 0; rest &= rest - 1) {
		const uint32_t at = wp_lowest_bit_64(rest);
		write_known(call, rows->row[at], known + (size_t)WP_KNOWN_OUTPUT_COUNT * at);
	}
	if (have_points)
		count_known(rows, proven, statistics);
	else
		count_apart(proven, statistics);
}

/* Answer the first rows of a list, of which enough is known, and list the others as open. Wide kernels take as long for one pair
 * as for many. */
static void prove_rows(wp_workspace *workspace, const wp_call *call, wp_kept_rows *rows, wp_kept_list *list,
	uint32_t count, bool have_points, wp_statistics *statistics)
{
	wp_track_memory *const memory = &workspace->track;
	const wp_closed_kernels *const kernels = wp_kernels_for(workspace, count)->closed;
	float *const known = memory->writes ? memory->known : NULL;
	repeat_last(list, count);
	rows->row = list->row;
	rows->tracked = call->tracked.index != NULL ? list->tracked : list->row;
	if (call->a.position_real == WP_REAL_DOUBLE) {
		find_ways(call, list, (count + WP_KEPT_LANES - 1) / WP_KEPT_LANES * WP_KEPT_LANES, memory->way);
		for (uint32_t i = 0; i < 3; i++)
			rows->way[i] = memory->way + (size_t)i * WP_KEPT_MAX;
	}
	const uint64_t all = ROW_BIT(count) - 1;
	const uint64_t proven = (have_points ? kernels->reuse_points : kernels->bound_kept)(rows, count, known) & all;
	if (known != NULL || call->counts_rows)
		tell_known(call, rows, proven, have_points, known, statistics);
	for (uint64_t rest = ~proven & all; rest != 0; rest &= rest - 1)
		memory->lists[WP_TRACK_OPEN].row[memory->counts[WP_TRACK_OPEN]++] = list->row[wp_lowest_bit_64(rest)];
}

static void copy_list(wp_kept_list *to, uint32_t at, const wp_kept_list *from, uint32_t first)
{
	memcpy(to->row + at, from->row + first, WP_KEPT_LANES * sizeof *to->row);
	memcpy(to->tracked + at, from->tracked + first, WP_KEPT_LANES * sizeof *to->tracked);
}

/* Answer the rows that fill vectors, of those that are listed. The others wait, until other rows join them. */
static void prove_full(wp_workspace *workspace, const wp_call *call, wp_kept_rows *rows, wp_statistics *statistics)
{
	wp_track_memory *const memory = &workspace->track;
	for (uint32_t kind = 0; kind < WP_TRACK_OPEN; kind++) {
		wp_kept_list *const list = &memory->lists[kind];
		const uint32_t listed = memory->counts[kind], rest = listed % WP_KEPT_LANES;
		if (listed == rest)
			continue;
		rows->are_boxes = kind > WP_TRACK_BOXES;
		rows->points = rows->are_boxes ? kind - WP_TRACK_BOXES : kind;
		prove_rows(workspace, call, rows, list, listed - rest, kind != 0, statistics);
		copy_list(list, 0, list, listed - rest);
		memory->counts[kind] = rest;
	}
}

/* Answer the pairs with points that waited together, whatever their number: lists from `first` on. */
static void prove_mixed(
	wp_workspace *workspace, const wp_call *call, wp_kept_rows *rows, uint32_t first, wp_statistics *statistics)
{
	wp_track_memory *const memory = &workspace->track;
	wp_kept_list *const mixed = &memory->lists[first];
	uint32_t count = memory->counts[first];
	for (uint32_t kind = first + 1; kind < first + WP_KEPT_POINT_MAX; kind++) {
		copy_list(mixed, count, &memory->lists[kind], 0);
		count += memory->counts[kind];
	}
	rows->points = 0;
	if (count != 0)
		prove_rows(workspace, call, rows, mixed, count, true, statistics);
}

/* Answer all rows that waited. */
static void prove_rest(wp_workspace *workspace, const wp_call *call, wp_kept_rows *rows, wp_statistics *statistics)
{
	wp_track_memory *const memory = &workspace->track;
	if (memory->counts[0] != 0)
		prove_rows(workspace, call, rows, &memory->lists[0], memory->counts[0], false, statistics);
	if (memory->most == 0)
		return;
	rows->are_boxes = false;
	prove_mixed(workspace, call, rows, 1, statistics);
	rows->are_boxes = true;
	prove_mixed(workspace, call, rows, 1 + WP_TRACK_BOXES, statistics);
}

static void query_open(wp_workspace *workspace, wp_call *call, wp_statistics *statistics)
{
	wp_track_memory *const memory = &workspace->track;
	call->list = memory->lists[WP_TRACK_OPEN].row;
	wp_run_rows(workspace, call, memory->counts[WP_TRACK_OPEN], statistics);
	memory->counts[WP_TRACK_OPEN] = 0;
}

/* List some rows by what is kept of their pairs; those that have none are refused. */
static void sort_rows(const wp_call *call, wp_track_memory *memory, uint32_t first, uint32_t count, uint32_t last,
	wp_statistics *statistics)
{
	if (call->tracked.index != NULL) {
		list_named_rows(call, memory, first, count, last, statistics);
		return;
	}
	const size_t at = call->first + first, present = call->tracked.count > at ? call->tracked.count - at : 0;
	const uint32_t listed = present < count ? (uint32_t)present : count;
	if (listed != 0)
		list_rows(call, memory, first, listed);
	for (uint32_t row = first + listed; row < first + count; row++)
		refuse_row(call, row, statistics);
}

static void run_frame(wp_workspace *workspace, wp_call *call, uint32_t count, wp_statistics *statistics)
{
	wp_track_memory *const memory = &workspace->track;
	wp_kept_rows rows = kept_rows_of(call, count);
	memory->writes = wants_results(&call->results);
	memory->most = call->tracked.reuse_error > 0.0f ? WP_PERSISTENT_POINT_MAX : 0;
	memset(memory->counts, 0, sizeof memory->counts);
	wp_allow_chunks(&workspace->buckets, WP_CHUNK_COUNT);
	for (uint32_t left = count; left != 0;) {
		const uint32_t next = left < WP_TRACK_ROWS ? left : WP_TRACK_ROWS;
		sort_rows(call, memory, count - left, next, count - 1, statistics);
		prove_full(workspace, call, &rows, statistics);
		query_open(workspace, call, statistics);
		left -= next;
	}
	prove_rest(workspace, call, &rows, statistics);
	query_open(workspace, call, statistics);
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
	if (error == WP_OK)
		error = wp_keep_begin(changes, batch->first, batch->count);
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
