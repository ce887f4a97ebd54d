#include "batch/pack.h"
#include "batch/chunk.h"
#include "batch/read.h"
#include "batch/write.h"
#include "core/double3.h"
#include "shape/half_space.h"

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
WP_INLINE body_offset offset_of_body(const wp_bodies *bodies, uint32_t body, bool together)
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
 * to the kernels; otherwise B is relative to A, and points are counted from A in double when they are written.
 * An invalid position is not a number there. */
WP_INLINE wp_positions positions_of(const wp_call *call, uint32_t body_a, uint32_t body_b, const body_offset *offset_a,
	const body_offset *offset_b, position_kind kind)
{
	wp_positions at = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
	if (kind == AS_THEY_ARE)
		return wp_float_positions(
			wp_offset(call->a.position.data, offset_a->position), wp_offset(call->b.position.data, offset_b->position));
	if (kind == DIFFERENCES || call->a.position_real == WP_REAL_FLOAT)
		return relative_floats(call, offset_a, offset_b);
	double a[3], b[3];
	const bool inside_a = read_position(&call->a, body_a, a), inside_b = read_position(&call->b, body_b, b);
	for (int k = 0; k < 3; k++)
		at.b[k] = inside_a && inside_b ? (float)(b[k] - a[k]) : WP_NAN;
	return at;
}

/* A job with a half-space: the inputs of the other shape come first. Where that is in the frame of the half-space is found in
 * double: both positions may be far from each other, and the surface near. */
static uint32_t pack_half_space(const wp_call *call, uint32_t row, wp_buckets *buckets, uint32_t index, bool has_floats,
	const wp_core *const core[2], const uint32_t body[2])
{
	const int space = core[0]->kind == WP_CORE_HALF_SPACE ? 0 : 1, other = 1 - space;
	if (core[other]->kind == WP_CORE_HALF_SPACE)
		return WP_NO_BUCKET;
	const wp_bodies *const bodies[2] = {&call->a, &call->b};
	wp_chunk *const chunk = buckets->last[index];
	const uint32_t i = buckets->place[index]++;
	float *const input = chunk->input + (size_t)4 * WP_INPUT_COUNT * i;
	float *const from = input + 4 * WP_INPUT_POSITION_A, *const to = input + 4 * WP_INPUT_POSITION_B;
	double at[2][3], between[3];
	const bool inside_a = read_position(&call->a, body[0], at[0]), inside_b = read_position(&call->b, body[1], at[1]);
	wp_read_rotation(bodies[other], body[other], WP_3D, input + 4 * WP_INPUT_ROTATION_A);
	wp_read_rotation(bodies[space], body[space], WP_3D, input + 4 * WP_INPUT_ROTATION_B);
	for (int k = 0; k < 3; k++) {
		from[k] = has_floats ? (float)at[other][k] : 0.0f;
		between[k] = inside_a && inside_b ? at[other][k] - at[space][k] : (double)WP_NAN;
	}
	wp_to_local(input + 4 * WP_INPUT_ROTATION_B, between, to);
	from[3] = core[other]->bound;
	to[3] = core[space]->radius;
	chunk->row[i] = row;
	chunk->core_a[i] = core[0];
	chunk->core_b[i] = core[1];
	return index;
}

/* The pair of a row: its bodies, where they lie and are, and their shapes. */
typedef struct row_pair {
	uint32_t row, body_a, body_b;
	body_offset from_a, from_b;
	const wp_core *core_a, *core_b;
	wp_positions at;
} row_pair;

/* Put a pair into a bucket. Returns which. */
WP_INLINE uint32_t put_pair(const wp_call *call, const row_pair *p, wp_buckets *buckets, uint32_t index)
{
	wp_chunk *const chunk = buckets->last[index];
	const uint32_t i = buckets->place[index]++;
	float *const input = chunk->input + (size_t)4 * WP_INPUT_COUNT * i;
	chunk->row[i] = p->row;
	chunk->core_a[i] = p->core_a;
	chunk->core_b[i] = p->core_b;
	wp_pack_input(input, &p->at, wp_offset(call->a.rotation.data, p->from_a.rotation),
		wp_offset(call->b.rotation.data, p->from_b.rotation), p->core_a, p->core_b);
	return index;
}

/* Make a row a job. Returns its bucket, or none, with nothing done, where a body or shape is invalid or kernels do not
 * have its kind. */
WP_INLINE uint32_t pack_row(
	const wp_call *call, uint32_t row, wp_buckets *buckets, bool looks, position_kind positions, bool together)
{
	const size_t at = call->first + row;
	bool inside_a, inside_b;
	row_pair p = {.row = row};
	p.body_a = wp_body_of_row(call->pair_a.data, call->pair_a.stride, at, call->a.count, &inside_a);
	if (!inside_a)
		return WP_NO_BUCKET;
	p.body_b = wp_body_of_row(call->pair_b.data, call->pair_b.stride, at, call->b.count, &inside_b);
	if (!inside_b)
		return WP_NO_BUCKET;
	p.from_a = offset_of_body(&call->a, p.body_a, together);
	p.from_b = offset_of_body(&call->b, p.body_b, together);
	const uint32_t shape_a = wp_shape_of_body(&call->a, p.body_a, p.from_a.shape);
	const uint32_t shape_b = wp_shape_of_body(&call->b, p.body_b, p.from_b.shape);
	if (shape_a >= call->core_count || shape_b >= call->core_count)
		return WP_NO_BUCKET;
	p.core_a = &call->cores[shape_a];
	p.core_b = &call->cores[shape_b];
	/* Most pairs are of plain kinds, which no other question is asked of. */
	const uint32_t kind_a = p.core_a->kind, kind_b = p.core_b->kind;
	const bool are_plain = kind_a < WP_PLAIN_KINDS && kind_b < WP_PLAIN_KINDS;
	if (!are_plain && (kind_a >= WP_CORE_KIND_COUNT || kind_b >= WP_CORE_KIND_COUNT))
		return WP_NO_BUCKET;
	const uint32_t index = wp_bucket_of_kinds(kind_a, kind_b);
	if (!are_plain && index >= WP_HALF_SPACE_BUCKETS)
		return pack_half_space(call, row, buckets, index, positions == AS_THEY_ARE,
			(const wp_core *const[2]){p.core_a, p.core_b}, (const uint32_t[2]){p.body_a, p.body_b});
	p.at = positions_of(call, p.body_a, p.body_b, &p.from_a, &p.from_b, positions);
	/* Two calls, not one with the bucket as an argument: all its addresses would wait for the distance. */
	if (looks && wp_are_apart(&p.at, p.core_a, p.core_b, call->max_separation))
		return put_pair(call, &p, buckets, WP_APART_BUCKET);
	return put_pair(call, &p, buckets, index);
}

/* How many rows ahead bodies, and then cores, are prefetched: batches name bodies in any order. */
#define PREFETCH_BODIES 24
#define PREFETCH_CORES 12

WP_INLINE uint32_t body_ahead(const uint32_t *pair, size_t stride, size_t at)
{
	uint32_t body;
	memcpy(&body, wp_offset(pair, at * stride), sizeof body);
	return body;
}

WP_INLINE void prefetch_body(const wp_bodies *bodies, uint32_t body)
{
	if (body >= bodies->count)
		return;
	wp_prefetch(wp_offset(bodies->position.data, body * bodies->position.stride));
	wp_prefetch(wp_offset(bodies->rotation.data, body * bodies->rotation.stride));
	if (bodies->shape.data != NULL)
		wp_prefetch(wp_offset(bodies->shape.data, body * bodies->shape.stride));
}

WP_INLINE void prefetch_core(const wp_call *call, const wp_bodies *bodies, uint32_t body)
{
	if (body >= bodies->count)
		return;
	uint32_t shape = body;
	if (bodies->shape.data != NULL)
		memcpy(&shape, wp_offset(bodies->shape.data, body * bodies->shape.stride), sizeof shape);
	if (shape < call->core_count)
		wp_prefetch(&call->cores[shape]);
}

/* Prefetch where the row's answer will be written, once its bucket is full. With results in an array of structs one field
 * brings the others along. In a large batch this memory is in no cache. */
WP_INLINE void prefetch_result(const wp_call *call, uint32_t row)
{
	const wp_results *const r = &call->results;
	if (r->separation.data != NULL)
		wp_prefetch_write((char *)r->separation.data + (call->first + row) * r->separation.stride);
}

/* Row `at` of those that are answered. */
WP_INLINE uint32_t row_of(const wp_call *call, uint32_t at, bool has_list) { return has_list ? call->list[at] : at; }

/* Bodies that follow one another need no help. */
WP_INLINE void prefetch_ahead(const wp_call *call, uint32_t at, uint32_t count, bool has_list)
{
	if (call->pair_a.data == NULL || call->pair_b.data == NULL || count - at <= PREFETCH_BODIES)
		return;
	const size_t bodies = call->first + row_of(call, at + PREFETCH_BODIES, has_list);
	const size_t cores = call->first + row_of(call, at + PREFETCH_CORES, has_list);
	prefetch_body(&call->a, body_ahead(call->pair_a.data, call->pair_a.stride, bodies));
	prefetch_body(&call->b, body_ahead(call->pair_b.data, call->pair_b.stride, bodies));
	prefetch_core(call, &call->a, body_ahead(call->pair_a.data, call->pair_a.stride, cores));
	prefetch_core(call, &call->b, body_ahead(call->pair_b.data, call->pair_b.stride, cores));
}

WP_INLINE uint32_t pack_rows(const wp_call *call, uint32_t at, uint32_t count, wp_buckets *buckets, uint32_t *full,
	bool has_list, position_kind positions, bool together)
{
	const bool looks = wp_spheres_suffice(call->query, call->by.method);
	for (*full = WP_NO_BUCKET; at < count; at++) {
		const uint32_t row = row_of(call, at, has_list);
		prefetch_ahead(call, at, count, has_list);
		prefetch_result(call, row);
		const uint32_t bucket = pack_row(call, row, buckets, looks, positions, together);
		if (bucket == WP_NO_BUCKET)
			return at;
		if (buckets->place[bucket] != WP_CHUNK_JOBS)
			continue;
		*full = wp_add_chunk(buckets, bucket);
		if (*full != WP_NO_BUCKET)
			return at + 1;
	}
	return at;
}

static bool are_together(const wp_bodies *bodies)
{
	return bodies->rotation.stride == bodies->position.stride && bodies->shape.stride == bodies->position.stride;
}

uint32_t wp_pack_rows(const wp_call *call, uint32_t at, uint32_t count, wp_buckets *buckets, uint32_t *full)
{
	const wp_call own = *call;
	const bool together = are_together(&own.a) && are_together(&own.b), has_list = own.list != NULL;
	if (WP_HAS_QUADS && has_list && together && own.a.position_real == WP_REAL_FLOAT)
		return pack_rows(&own, at, count, buckets, full, true, DIFFERENCES, true);
	if (has_list || !wp_has_float_points(&own))
		return pack_rows(&own, at, count, buckets, full, has_list, ANY_POSITIONS, false);
	if (together)
		return pack_rows(&own, at, count, buckets, full, false, AS_THEY_ARE, true);
	return pack_rows(&own, at, count, buckets, full, false, AS_THEY_ARE, false);
}
