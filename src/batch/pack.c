#include "batch/pack.h"
#include "batch/chunk.h"
#include "batch/ground.h"
#include "batch/read.h"
#include "batch/write.h"
#include "core/double3.h"

_Static_assert((int)WP_JOB_SEPARATED == WP_STATUS_SEPARATED && (int)WP_JOB_TOUCHING == WP_STATUS_TOUCHING &&
				   (int)WP_JOB_PENETRATING == WP_STATUS_PENETRATING && (int)WP_JOB_PROVEN_BEYOND == WP_STATUS_BEYOND &&
				   (int)WP_JOB_ITERATION_CAP == WP_STATUS_ITERATION_CAP &&
				   (int)WP_JOB_WIDE_BRACKET == WP_STATUS_WIDE_BRACKET,
	"kernels and API share status bits");

/* Where the fields of a body are, in bytes from the fields of the first one. */
typedef struct body_offset {
	size_t position, rotation, shape;
} body_offset;

/* One product where the fields are `together`, in an array of structs. */
WP_INLINE body_offset offset_of_body(const wp_bodies *bodies, size_t body, bool together)
{
	const size_t at = body * bodies->position.stride;
	if (together)
		return (body_offset){at, at, at};
	return (body_offset){at, body * bodies->rotation.stride, body * bodies->shape.stride};
}

static bool read_position(const wp_bodies *bodies, size_t body, double position[3])
{
	return wp_read_position(bodies, body, WP_3D, bodies->position_real, position);
}

/* Number by number: see wp_float_positions. */
WP_INLINE wp_quad read_three(const char *from)
{
	float x, y, z;
	memcpy(&x, from, sizeof x);
	memcpy(&y, from + sizeof x, sizeof y);
	memcpy(&z, from + 2 * sizeof x, sizeof z);
	return wp_quad_of(x, y, z, 0.0f);
}

/* B's position from A's. Their difference may be in range where they are not. */
WP_INLINE wp_positions relative_floats(const wp_call *call, const body_offset *offset_a, const body_offset *offset_b)
{
	const wp_quad a = read_three(wp_offset(call->a.position.data, offset_a->position));
	const wp_quad b = read_three(wp_offset(call->b.position.data, offset_b->position));
	const wp_quad most = wp_quad_set(WP_COORDINATE_MAX);
	const wp_quad_mask inside = wp_quad_both(
		wp_quad_at_most(wp_quad_abs(a), most), wp_quad_at_most(wp_quad_abs(b), most));
	const wp_quad way = wp_quad_bits(inside) == 15 ? wp_quad_sub(b, a) : wp_quad_set(WP_NAN);
	return (wp_positions){{0.0f, 0.0f, 0.0f}, {wp_quad_get(way, 0), wp_quad_get(way, 1), wp_quad_get(way, 2)}};
}

/* What is known of the positions of a call: floats that go to the kernels as they are, or floats of which the difference does; or
 * nothing. */
typedef enum position_kind { AS_THEY_ARE, DIFFERENCES, ANY_POSITIONS } position_kind;

/* Positions of a job. In float, sums and differences have the bits of double ones rounded, so they are left
 * to the kernels. */
WP_INLINE wp_positions positions_of(const wp_call *call, size_t body_a, size_t body_b, const body_offset *offset_a,
	const body_offset *offset_b, position_kind kind)
{
	if (kind == AS_THEY_ARE)
		return wp_float_positions(
			wp_offset(call->a.position.data, offset_a->position), wp_offset(call->b.position.data, offset_b->position));
	if (kind == DIFFERENCES || call->a.position_real == WP_REAL_FLOAT)
		return relative_floats(call, offset_a, offset_b);
	double a[3], b[3];
	const bool inside_a = read_position(&call->a, body_a, a), inside_b = read_position(&call->b, body_b, b);
	return wp_relative_positions(a, b, inside_a && inside_b);
}

/* The pair of a row: its bodies; then their cores, and the bucket of their kinds. */
typedef struct row_pair {
	const wp_core *core_a, *core_b;
	uint32_t body_a, body_b, bucket;
} row_pair;

/* Rows that take each step together: find bodies, then cores and buckets, then put. So it is known early where a job goes; found
 * row by row, its place is three loads away, and what follows waits for it. */
#define GROUP 16

WP_INLINE uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* What a column names for a row; the row where there is no column. */
WP_INLINE size_t name_of_row(const wp_const_uint32_column *column, size_t row, bool is_there)
{
	return is_there || column->data != NULL ? wp_read_index(wp_offset(column->data, row * column->stride)) : row;
}

WP_INLINE void prefetch_body(const wp_bodies *bodies, size_t body, bool together)
{
	const body_offset from = offset_of_body(bodies, body, together);
	wp_prefetch(wp_offset(bodies->position.data, from.position));
	wp_prefetch(wp_offset(bodies->rotation.data, from.rotation));
	if (bodies->shape.data != NULL)
		wp_prefetch(wp_offset(bodies->shape.data, from.shape));
}

/* The bodies of rows without names: they follow one another, and need no prefetch. */
static uint32_t take_bodies(const wp_call *call, uint32_t at, uint32_t count, row_pair *pairs)
{
	const size_t first = call->first + at, bodies = call->a.count < call->b.count ? call->a.count : call->b.count;
	const size_t left = first < bodies ? bodies - first : 0;
	const uint32_t taken = left < count ? (uint32_t)left : count;
	for (uint32_t i = 0; i < taken; i++)
		pairs[i].body_a = pairs[i].body_b = (uint32_t)(first + i);
	return taken;
}

/* The bodies of other rows; `has_names`: on both sides. Batches name bodies in any order, so they are prefetched. */
WP_INLINE_LARGE uint32_t find_named_bodies(
	const wp_call *call, uint32_t at, uint32_t count, row_pair *pairs, bool has_names, bool together, bool fetches)
{
	const wp_const_uint32_column pair_a = call->pair_a, pair_b = call->pair_b;
	const size_t first = call->first, count_a = call->a.count, count_b = call->b.count;
	const uint32_t *const list = call->list;
	for (uint32_t i = 0; i < count; i++) {
		const size_t row = first + (list != NULL ? list[at + i] : at + i);
		const size_t a = name_of_row(&pair_a, row, has_names), b = name_of_row(&pair_b, row, has_names);
		if (a >= count_a || b >= count_b)
			return i;
		pairs[i].body_a = (uint32_t)a;
		pairs[i].body_b = (uint32_t)b;
		if (fetches) {
			prefetch_body(&call->a, a, together);
			prefetch_body(&call->b, b, together);
		}
	}
	return count;
}

/* Find the bodies of `count` rows from number `at` on. Returns how many rows have both, up to the first that does not. */
static uint32_t find_bodies(
	const wp_call *call, uint32_t at, uint32_t count, row_pair *pairs, bool together, bool fetches)
{
	const bool has_a = call->pair_a.data != NULL, has_b = call->pair_b.data != NULL;
	if (!has_a && !has_b && call->list == NULL)
		return take_bodies(call, at, count, pairs);
	if (has_a && has_b && together && fetches)
		return find_named_bodies(call, at, count, pairs, true, true, true);
	return find_named_bodies(call, at, count, pairs, false, false, fetches);
}

/* As find_buckets; `has_names`: all bodies name their shapes. */
WP_INLINE_LARGE uint32_t find_named_shapes(const wp_call *call, uint32_t count, row_pair *pairs, bool has_names)
{
	const wp_const_uint32_column shape_a = call->a.shape, shape_b = call->b.shape;
	const wp_core *const cores = call->cores;
	const uint64_t core_count = call->core_count;
	for (uint32_t i = 0; i < count; i++) {
		row_pair *const p = pairs + i;
		const size_t a = name_of_row(&shape_a, p->body_a, has_names), b = name_of_row(&shape_b, p->body_b, has_names);
		if (a >= core_count || b >= core_count)
			return i;
		p->core_a = &cores[a];
		p->core_b = &cores[b];
		/* Most pairs are of plain kinds, which no other question is asked of. */
		const uint32_t kind_a = p->core_a->kind, kind_b = p->core_b->kind;
		const bool are_plain = kind_a < WP_PLAIN_KINDS && kind_b < WP_PLAIN_KINDS;
		if (!are_plain && (kind_a >= WP_CORE_KIND_COUNT || kind_b >= WP_CORE_KIND_COUNT ||
							  (kind_a == WP_CORE_HALF_SPACE && kind_b == WP_CORE_HALF_SPACE)))
			return i;
		p->bucket = wp_bucket_of_kinds(kind_a, kind_b);
	}
	return count;
}

/* Find the cores and buckets of pairs whose bodies are found. Returns how many rows have them, up to the first whose shapes are
 * invalid or not for kernels. */
static uint32_t find_buckets(const wp_call *call, uint32_t count, row_pair *pairs)
{
	if (call->a.shape.data != NULL && call->b.shape.data != NULL)
		return find_named_shapes(call, count, pairs, true);
	return find_named_shapes(call, count, pairs, false);
}

/* Put a pair with a half-space into its bucket. */
static void put_half_space(const wp_call *call, uint32_t row, const row_pair *p, wp_buckets *buckets, bool has_floats)
{
	const wp_core *const core[2] = {p->core_a, p->core_b};
	const uint32_t body[2] = {p->body_a, p->body_b};
	const wp_bodies *const bodies[2] = {&call->a, &call->b};
	const int space = core[0]->kind == WP_CORE_HALF_SPACE ? 0 : 1;
	wp_chunk *const chunk = buckets->last[p->bucket];
	const uint32_t i = buckets->place[p->bucket]++;
	wp_ground_side side[2];
	bool inside = true;
	for (int k = 0; k < 2; k++) {
		side[k].core = core[k];
		side[k].rotation = wp_offset(bodies[k]->rotation.data, body[k] * bodies[k]->rotation.stride);
		inside &= read_position(bodies[k], body[k], side[k].position);
	}
	wp_pack_half_space(
		chunk->input + (size_t)4 * WP_INPUT_COUNT * i, &side[space], &side[1 - space], inside, has_floats);
	chunk->row[i] = row;
	chunk->core_a[i] = core[0];
	chunk->core_b[i] = core[1];
}

/* What kernels take of the bodies of a pair. */
typedef struct pair_source {
	const void *rotation_a, *rotation_b;
	wp_places at;
} pair_source;

WP_INLINE void put_job(uint32_t row, const row_pair *p, const pair_source *from, wp_buckets *buckets, uint32_t index)
{
	wp_chunk *const chunk = buckets->last[index];
	const uint32_t i = buckets->place[index]++;
	chunk->row[i] = row;
	chunk->core_a[i] = p->core_a;
	chunk->core_b[i] = p->core_b;
	wp_pack_input(chunk->input + (size_t)4 * WP_INPUT_COUNT * i, &from->at, from->rotation_a, from->rotation_b);
}

/* Put a pair into its bucket. Returns which. */
WP_INLINE uint32_t put_pair(const wp_call *call, uint32_t row, const row_pair *p, wp_buckets *buckets, bool looks,
	position_kind positions, bool together)
{
	if (p->bucket >= WP_HALF_SPACE_BUCKETS) {
		put_half_space(call, row, p, buckets, positions == AS_THEY_ARE);
		return p->bucket;
	}
	const body_offset a = offset_of_body(&call->a, p->body_a, together);
	const body_offset b = offset_of_body(&call->b, p->body_b, together);
	const wp_positions at = positions_of(call, p->body_a, p->body_b, &a, &b, positions);
	const pair_source from = {wp_offset(call->a.rotation.data, a.rotation),
		wp_offset(call->b.rotation.data, b.rotation), wp_places_of(&at, p->core_a, p->core_b)};
	/* Two calls, not one with the bucket as an argument: all its addresses would wait for the distance. */
	if (looks && wp_are_apart(&from.at, p->core_a, p->core_b, call->max_separation)) {
		put_job(row, p, &from, buckets, WP_APART_BUCKET);
		return WP_APART_BUCKET;
	}
	put_job(row, p, &from, buckets, p->bucket);
	return p->bucket;
}

/* Prefetch where the row's answer will be written, once its bucket is full. With results in an array of structs one field
 * brings the others along. In a large batch this memory is in no cache. */
WP_INLINE void prefetch_result(const wp_call *call, uint32_t row)
{
	const wp_results *const r = &call->results;
	if (r->separation.data != NULL)
		wp_prefetch_write((char *)r->separation.data + (call->first + row) * r->separation.stride);
}

/* Bodies are found a group ahead. A group that is not full is the last: rows end there, or one without bodies follows. */
WP_INLINE_LARGE uint32_t pack_rows(const wp_call *call, uint32_t at, uint32_t count, wp_buckets *buckets,
	uint32_t *full, bool has_list, position_kind positions, bool together)
{
	const bool looks = wp_spheres_suffice(call->query, call->by.method), fetches = count - at > 2 * GROUP;
	row_pair pairs[2][GROUP];
	uint32_t found = at + find_bodies(call, at, least(count - at, GROUP), pairs[0], together, fetches);
	*full = WP_NO_BUCKET;
	for (uint32_t side = 0; at < found; side ^= 1) {
		const row_pair *p = pairs[side];
		const uint32_t end = found;
		if (end - at == GROUP)
			found += find_bodies(call, end, least(count - end, GROUP), pairs[side ^ 1], together, fetches);
		const uint32_t known = at + find_buckets(call, end - at, pairs[side]);
		for (; at < known; at++, p++) {
			const uint32_t row = has_list ? call->list[at] : at;
			prefetch_result(call, row);
			const uint32_t bucket = put_pair(call, row, p, buckets, looks, positions, together);
			if (buckets->place[bucket] != WP_CHUNK_JOBS)
				continue;
			*full = wp_add_chunk(buckets, bucket);
			if (*full != WP_NO_BUCKET)
				return at + 1;
		}
		if (known != end)
			return known;
	}
	return at;
}

static bool are_together(const wp_bodies *bodies)
{
	return bodies->rotation.stride == bodies->position.stride && bodies->shape.stride == bodies->position.stride;
}

uint32_t wp_pack_rows(const wp_call *call, uint32_t at, uint32_t count, wp_buckets *buckets, uint32_t *full)
{
	const bool together = are_together(&call->a) && are_together(&call->b), has_list = call->list != NULL;
	if (WP_HAS_QUADS && has_list && together && call->a.position_real == WP_REAL_FLOAT)
		return pack_rows(call, at, count, buckets, full, true, DIFFERENCES, true);
	if (has_list || !wp_has_float_points(call))
		return pack_rows(call, at, count, buckets, full, has_list, ANY_POSITIONS, false);
	if (together)
		return pack_rows(call, at, count, buckets, full, false, AS_THEY_ARE, true);
	return pack_rows(call, at, count, buckets, full, false, AS_THEY_ARE, false);
}
