#include "pack.h"
#include "half_space.h"

_Static_assert((int)WP_JOB_SEPARATED == WP_STATUS_SEPARATED && (int)WP_JOB_TOUCHING == WP_STATUS_TOUCHING &&
				   (int)WP_JOB_PENETRATING == WP_STATUS_PENETRATING && (int)WP_JOB_PROVEN_BEYOND == WP_STATUS_BEYOND &&
				   (int)WP_JOB_ITERATION_CAP == WP_STATUS_ITERATION_CAP &&
				   (int)WP_JOB_WIDE_BRACKET == WP_STATUS_WIDE_BRACKET,
	"kernels and API share status bits");
_Static_assert((int)WP_JOB_AUTOMATIC == WP_METHOD_AUTO && (int)WP_JOB_GJK_EPA == WP_METHOD_GJK_EPA &&
				   (int)WP_JOB_CORE == WP_METHOD_CORE && (int)WP_JOB_SAMPLED == WP_METHOD_SAMPLED &&
				   WP_DIRECTIONS_MIN == WP_METHOD_DIRECTIONS_MIN && WP_DIRECTIONS_MAX == WP_METHOD_DIRECTIONS_MAX,
	"kernels and API share methods");
#define IS_OUTPUT(field, output) (offsetof(wp_row, field) == sizeof(float) * output)
_Static_assert(IS_OUTPUT(separation, WP_OUTPUT_SEPARATION) && IS_OUTPUT(normal, WP_OUTPUT_NORMAL) &&
				   IS_OUTPUT(point_a, WP_OUTPUT_POINT_A) && IS_OUTPUT(point_b, WP_OUTPUT_POINT_B) &&
				   IS_OUTPUT(lower, WP_OUTPUT_LOWER) && IS_OUTPUT(upper, WP_OUTPUT_UPPER) &&
				   IS_OUTPUT(status, WP_OUTPUT_STATUS) && IS_OUTPUT(iterations, WP_OUTPUT_ITERATIONS),
	"the outputs of a job begin with a wp_row");
_Static_assert(offsetof(wp_core, radius) == 3 * sizeof(float), "a core begins with one row of its job's input");

/* ---- reading ------------------------------------------------------------------------------------ */

/* False for NaN, infinity and what is too large to answer for. */
static bool read_position(const wp_bodies *bodies, size_t body, double position[3])
{
	const void *at = wp_offset(bodies->position, body * bodies->position_stride);
	if (bodies->position_real == WP_REAL_DOUBLE) {
		memcpy(position, at, 3 * sizeof(double));
	} else {
		float single[3];
		memcpy(single, at, sizeof single);
		for (int i = 0; i < 3; i++)
			position[i] = (double)single[i];
	}
	bool inside = true;
	for (int i = 0; i < 3; i++)
		inside &= __builtin_fabs(position[i]) <= (double)WP_COORDINATE_MAX;
	return inside;
}

static bool read_rotation(const wp_bodies *bodies, size_t body, float rotation[4])
{
	memcpy(rotation, wp_offset(bodies->rotation, body * bodies->rotation_stride), 4 * sizeof(float));
	return wp_rotation_holds(rotation);
}

/* Where the fields of a body are, in bytes from those of the first one. */
typedef struct body_offset {
	size_t position, rotation, shape;
} body_offset;

/* One product where the fields are `together`, in an array of structs. */
WP_INLINE body_offset offset_of_body(const wp_bodies *bodies, uint32_t body, bool together)
{
	const size_t at = body * bodies->position_stride;
	if (together)
		return (body_offset){at, at, at};
	return (body_offset){at, body * bodies->rotation_stride, body * bodies->shape_stride};
}

WP_INLINE const wp_core *core_of_body(const wp_call *call, const wp_bodies *bodies, uint32_t body, size_t shape_offset)
{
	const uint32_t shape = bodies->shape != NULL ? wp_read_once(wp_offset(bodies->shape, shape_offset)) : body;
	if (shape >= call->core_count || call->cores[shape].kind == WP_CORE_INVALID)
		return NULL;
	return &call->cores[shape];
}

/* One side of a row. The reasons of side B are those of side A, 4 bits up. */
static uint32_t read_side(const wp_call *call, const wp_bodies *bodies, uint32_t body, bool inside,
	const wp_core **core, double position[3], float rotation[4])
{
	if (!inside)
		return WP_STATUS_INVALID_BODY_A;
	uint32_t invalid = 0;
	*core = core_of_body(call, bodies, body, body * bodies->shape_stride);
	if (*core == NULL)
		invalid |= WP_STATUS_INVALID_SHAPE_A;
	if (!read_position(bodies, body, position))
		invalid |= WP_STATUS_INVALID_POSITION_A;
	if (!read_rotation(bodies, body, rotation))
		invalid |= WP_STATUS_INVALID_ROTATION_A;
	return invalid;
}

void wp_read_row(const wp_call *call, uint32_t row, wp_input *input)
{
	const size_t at = call->first + row;
	input->body_a = wp_body_of_row(call->pair_a, call->pair_stride, at, call->a.count, &input->has_a);
	input->body_b = wp_body_of_row(call->pair_b, call->pair_stride, at, call->b.count, &input->has_b);
	const uint32_t a = read_side(
		call, &call->a, input->body_a, input->has_a, &input->a, input->position_a, input->rotation_a);
	const uint32_t b = read_side(
		call, &call->b, input->body_b, input->has_b, &input->b, input->position_b, input->rotation_b);
	input->invalid = a | b << 4;
	if (!input->invalid && input->a->kind == WP_CORE_HALF_SPACE && input->b->kind == WP_CORE_HALF_SPACE)
		input->invalid = WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_SHAPE_B;
	if (input->invalid)
		input->invalid |= WP_STATUS_INVALID;
}

/* ---- jobs --------------------------------------------------------------------------------------- */

/* Whether positions and points are floats. */
bool wp_has_float_points(const wp_call *call)
{
	return call->a.position_real == WP_REAL_FLOAT && call->results.point_real == WP_REAL_FLOAT;
}

/* Positions of a job. In float, sums and differences have the bits of double ones rounded, so they are left
 * to the kernels; otherwise B is told from A, and points are counted from A in double when they are written.
 * An invalid position is not a number there. */
WP_INLINE void pack_positions(const wp_call *call, uint32_t body_a, uint32_t body_b, const body_offset *offset_a,
	const body_offset *offset_b, bool has_floats, float *at_a, float *at_b)
{
	if (has_floats) {
		memcpy(at_a, wp_offset(call->a.position, offset_a->position), 3 * sizeof(float));
		memcpy(at_b, wp_offset(call->b.position, offset_b->position), 3 * sizeof(float));
		return;
	}
	double a[3], b[3];
	const bool inside_a = read_position(&call->a, body_a, a), inside_b = read_position(&call->b, body_b, b);
	for (int k = 0; k < 3; k++) {
		at_a[k] = 0.0f;
		at_b[k] = inside_a && inside_b ? (float)(b[k] - a[k]) : __builtin_nanf("");
	}
}

/* v turned from world axes to those of a body. */
static void turn_back(const float rotation[4], const double v[3], double local[3])
{
	const double x = -(double)rotation[0], y = -(double)rotation[1], z = -(double)rotation[2], w = (double)rotation[3];
	const double twice = 2.0 / ((x * x + y * y) + (z * z + w * w));
	const double t[3] = {twice * (y * v[2] - z * v[1]), twice * (z * v[0] - x * v[2]), twice * (x * v[1] - y * v[0])};
	local[0] = v[0] + (w * t[0] + (y * t[2] - z * t[1]));
	local[1] = v[1] + (w * t[1] + (z * t[0] - x * t[2]));
	local[2] = v[2] + (w * t[2] + (x * t[1] - y * t[0]));
}

void wp_to_local(const float rotation[4], const double v[3], float local[3])
{
	double wide[3];
	turn_back(rotation, v, wide);
	for (int k = 0; k < 3; k++)
		local[k] = (float)wide[k];
}

/* A job with a half-space: the inputs of the other shape come first. Where that is in the frame of the half-space, and where
 * down is in its own, is found in double: both positions may be far from each other, and the surface near. */
static wp_bucket *pack_half_space(const wp_call *call, uint32_t row, wp_bucket *bucket, bool has_floats,
	const wp_core *const core[2], const uint32_t body[2])
{
	const int space = core[0]->kind == WP_CORE_HALF_SPACE ? 0 : 1, other = 1 - space;
	if (core[other]->kind == WP_CORE_HALF_SPACE)
		return NULL;
	const wp_bodies *const bodies[2] = {&call->a, &call->b};
	const uint32_t i = bucket->count++;
	float *const input = bucket->input + (size_t)4 * WP_INPUT_COUNT * i;
	float *const from = input + 4 * WP_INPUT_POSITION_A, *const to = input + 4 * WP_INPUT_POSITION_B;
	double at[2][3], normal[3], between[3];
	const bool inside_a = read_position(&call->a, body[0], at[0]), inside_b = read_position(&call->b, body[1], at[1]);
	read_rotation(bodies[other], body[other], input + 4 * WP_INPUT_ROTATION_A);
	read_rotation(bodies[space], body[space], input + 4 * WP_INPUT_ROTATION_B);
	wp_half_space_normal(input + 4 * WP_INPUT_ROTATION_B, normal);
	for (int k = 0; k < 3; k++) {
		from[k] = has_floats ? (float)at[other][k] : 0.0f;
		between[k] = inside_a && inside_b ? at[other][k] - at[space][k] : (double)__builtin_nanf("");
		normal[k] = -normal[k];
	}
	wp_to_local(input + 4 * WP_INPUT_ROTATION_B, between, to);
	from[3] = core[other]->bound;
	to[3] = 0.0f;
	memcpy(input + 4 * WP_INPUT_CORE_A, core[other], 4 * sizeof(float));
	wp_to_local(input + 4 * WP_INPUT_ROTATION_A, normal, input + 4 * WP_INPUT_CORE_B);
	input[4 * WP_INPUT_CORE_B + 3] = core[space]->radius;
	bucket->row[i] = row;
	bucket->origin_body[i] = body[other];
	bucket->core_a[i] = core[0];
	bucket->core_b[i] = core[1];
	return bucket;
}

/* Make a row a job. Returns its bucket, or NULL, and nothing done, where a body or shape is invalid or kernels do not
 * know its kind. */
WP_INLINE wp_bucket *pack_row(
	const wp_call *call, uint32_t row, wp_bucket buckets[WP_BUCKET_COUNT], bool has_floats, bool together)
{
	const size_t at = call->first + row;
	bool inside_a, inside_b;
	const uint32_t body_a = wp_body_of_row(call->pair_a, call->pair_stride, at, call->a.count, &inside_a);
	const uint32_t body_b = wp_body_of_row(call->pair_b, call->pair_stride, at, call->b.count, &inside_b);
	if (!inside_a || !inside_b)
		return NULL;
	const body_offset from_a = offset_of_body(&call->a, body_a, together);
	const body_offset from_b = offset_of_body(&call->b, body_b, together);
	const wp_core *core_a = core_of_body(call, &call->a, body_a, from_a.shape);
	const wp_core *core_b = core_of_body(call, &call->b, body_b, from_b.shape);
	if (core_a == NULL || core_b == NULL || core_a->kind == WP_CORE_CUSTOM || core_b->kind == WP_CORE_CUSTOM)
		return NULL;
	const uint32_t index = wp_bucket_of_kinds(core_a->kind, core_b->kind);
	wp_bucket *const bucket = &buckets[index];
	if (index >= WP_HALF_SPACE_BUCKETS)
		return pack_half_space(call, row, bucket, has_floats, (const wp_core *const[2]){core_a, core_b},
			(const uint32_t[2]){body_a, body_b});
	const uint32_t i = bucket->count++;
	float *const input = bucket->input + (size_t)4 * WP_INPUT_COUNT * i;
	float *const at_a = input + 4 * WP_INPUT_POSITION_A, *const at_b = input + 4 * WP_INPUT_POSITION_B;
	bucket->row[i] = row;
	bucket->origin_body[i] = body_a;
	bucket->core_a[i] = core_a;
	bucket->core_b[i] = core_b;
	memcpy(input + 4 * WP_INPUT_ROTATION_A, wp_offset(call->a.rotation, from_a.rotation), 4 * sizeof(float));
	memcpy(input + 4 * WP_INPUT_ROTATION_B, wp_offset(call->b.rotation, from_b.rotation), 4 * sizeof(float));
	pack_positions(call, body_a, body_b, &from_a, &from_b, has_floats, at_a, at_b);
	at_a[3] = core_a->bound;
	at_b[3] = core_b->bound;
	memcpy(input + 4 * WP_INPUT_CORE_A, core_a, 4 * sizeof(float));
	memcpy(input + 4 * WP_INPUT_CORE_B, core_b, 4 * sizeof(float));
	return bucket;
}

/* Rows ahead whose bodies, and then cores, are asked of memory: batches name bodies in any order. */
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
	__builtin_prefetch(wp_offset(bodies->position, body * bodies->position_stride));
	__builtin_prefetch(wp_offset(bodies->rotation, body * bodies->rotation_stride));
	if (bodies->shape != NULL)
		__builtin_prefetch(wp_offset(bodies->shape, body * bodies->shape_stride));
}

WP_INLINE void prefetch_core(const wp_call *call, const wp_bodies *bodies, uint32_t body)
{
	if (body >= bodies->count)
		return;
	uint32_t shape = body;
	if (bodies->shape != NULL)
		memcpy(&shape, wp_offset(bodies->shape, body * bodies->shape_stride), sizeof shape);
	if (shape < call->core_count)
		__builtin_prefetch(&call->cores[shape]);
}

/* Where the row's answer will be written, once its bucket is full: of results in an array of structs one field is
 * asked for, and the others come along. Of a large batch this memory is in no cache. */
WP_INLINE void prefetch_result(const wp_call *call, uint32_t row)
{
	const wp_results *const r = &call->results;
	if (r->separation != NULL)
		__builtin_prefetch((char *)r->separation + (call->first + row) * r->separation_stride, 1);
}

/* Bodies that follow one another need no help. */
WP_INLINE void prefetch_ahead(const wp_call *call, uint32_t row, uint32_t count)
{
	if (call->pair_a == NULL || call->pair_b == NULL || count - row <= PREFETCH_BODIES)
		return;
	const size_t bodies = call->first + row + PREFETCH_BODIES, cores = call->first + row + PREFETCH_CORES;
	prefetch_body(&call->a, body_ahead(call->pair_a, call->pair_stride, bodies));
	prefetch_body(&call->b, body_ahead(call->pair_b, call->pair_stride, bodies));
	prefetch_core(call, &call->a, body_ahead(call->pair_a, call->pair_stride, cores));
	prefetch_core(call, &call->b, body_ahead(call->pair_b, call->pair_stride, cores));
}

WP_INLINE uint32_t pack_rows(const wp_call *call, uint32_t row, uint32_t count, wp_bucket buckets[WP_BUCKET_COUNT],
	wp_bucket **full, bool has_floats, bool together)
{
	for (*full = NULL; row < count; row++) {
		prefetch_ahead(call, row, count);
		prefetch_result(call, row);
		wp_bucket *const bucket = pack_row(call, row, buckets, has_floats, together);
		if (bucket == NULL)
			return row;
		if (bucket->count == WP_JOB_MAX) {
			*full = bucket;
			return row + 1;
		}
	}
	return row;
}

static bool are_together(const wp_bodies *bodies)
{
	return bodies->rotation_stride == bodies->position_stride && bodies->shape_stride == bodies->position_stride;
}

uint32_t wp_pack_rows(
	const wp_call *call, uint32_t row, uint32_t count, wp_bucket buckets[WP_BUCKET_COUNT], wp_bucket **full)
{
	const wp_call own = *call;
	if (!wp_has_float_points(&own))
		return pack_rows(&own, row, count, buckets, full, false, false);
	if (are_together(&own.a) && are_together(&own.b))
		return pack_rows(&own, row, count, buckets, full, true, true);
	return pack_rows(&own, row, count, buckets, full, true, false);
}

/* ---- pairs far apart ---------------------------------------------------------------------------- */

/* Whether the spheres around two shapes are further apart than `limit`, by more than rounding; not where a number is
 * NaN. */
static bool are_apart(const float *input, float limit)
{
	const float *const a = input + 4 * WP_INPUT_POSITION_A, *const b = input + 4 * WP_INPUT_POSITION_B;
	const float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2], bounds = a[3] + b[3];
	const float radii = input[4 * WP_INPUT_CORE_A + 3] + input[4 * WP_INPUT_CORE_B + 3];
	const float reach = ((bounds + radii) + limit) * (1.0f + WP_APART_SLACK);
	return (x * x + y * y) + z * z > reach * reach;
}

static void swap_jobs(wp_bucket *bucket, uint32_t i, uint32_t j)
{
	float input[4 * WP_INPUT_COUNT];
	float *const first = bucket->input + i * WP_COUNT_OF(input), *const second = bucket->input + j * WP_COUNT_OF(input);
	const uint32_t row = bucket->row[i], origin = bucket->origin_body[i];
	const wp_core *const core_a = bucket->core_a[i], *const core_b = bucket->core_b[i];
	memcpy(input, first, sizeof input);
	memcpy(first, second, sizeof input);
	memcpy(second, input, sizeof input);
	bucket->row[i] = bucket->row[j];
	bucket->origin_body[i] = bucket->origin_body[j];
	bucket->core_a[i] = bucket->core_a[j];
	bucket->core_b[i] = bucket->core_b[j];
	bucket->row[j] = row;
	bucket->origin_body[j] = origin;
	bucket->core_a[j] = core_a;
	bucket->core_b[j] = core_b;
}

uint32_t wp_put_apart_last(wp_bucket *bucket, float limit)
{
	const size_t size = 4 * WP_INPUT_COUNT;
	uint32_t near = 0, end = bucket->count;
	while (near < end) {
		if (!are_apart(bucket->input + size * near, limit)) {
			near++;
			continue;
		}
		do
			end--;
		while (end > near && are_apart(bucket->input + size * end, limit));
		if (end > near)
			swap_jobs(bucket, near++, end);
	}
	return near;
}

/* ---- the strong path ---------------------------------------------------------------------------- */

/* Bounds are rounded outwards, so that the bracket stays one. */
static float round_up(double value) { return -wp_round_down(-value); }

static void zero_vectors(wp_output *output)
{
	for (int i = 0; i < 3; i++) {
		output->normal[i] = output->local_a[i] = output->local_b[i] = 0.0f;
		output->point_a[i] = output->point_b[i] = 0.0;
	}
}

/* The points once more, in their own bodies' frames. */
static void localize(const wp_input *input, const double offset[3], wp_output *output)
{
	double from_b[3];
	for (int i = 0; i < 3; i++)
		from_b[i] = output->point_b[i] - offset[i];
	wp_to_local(input->rotation_a, output->point_a, output->local_a);
	wp_to_local(input->rotation_b, from_b, output->local_b);
}

/* The state that a bracket proves, as it is handed out: tiny bounds may have been rounded to zero. */
static uint32_t state_of(float lower, float upper)
{
	return lower > 0.0f ? WP_STATUS_SEPARATED : upper < 0.0f ? WP_STATUS_PENETRATING : WP_STATUS_TOUCHING;
}

void wp_solve_strong(
	const wp_input *input, wp_query query, float max_separation, wp_strong_memory *memory, wp_output *output)
{
	wp_strong_pair pair = {.a = input->a, .b = input->b};
	memcpy(pair.rotation_a, input->rotation_a, sizeof pair.rotation_a);
	memcpy(pair.rotation_b, input->rotation_b, sizeof pair.rotation_b);
	for (int i = 0; i < 3; i++)
		pair.offset[i] = input->position_b[i] - input->position_a[i];
	wp_strong_answer answer;
	wp_strong_solve(&pair, memory, &answer);
	if (answer.status & WP_STATUS_INVALID) {
		wp_invalid_output(answer.status, output);
		return;
	}

	output->separation = (float)answer.separation;
	output->lower = wp_round_down(answer.lower);
	output->upper = round_up(answer.upper);
	for (int i = 0; i < 3; i++) {
		output->normal[i] = (float)answer.normal[i];
		output->point_a[i] = answer.point_a[i];
		output->point_b[i] = answer.point_b[i];
	}
	output->status = answer.status | WP_STATUS_STRONG | state_of(output->lower, output->upper);
	output->iterations = answer.iterations;
	if (query == WP_QUERY_CONTACT && output->lower > max_separation) {
		output->status |= WP_STATUS_BEYOND;
		output->separation = output->lower;
	}
	if (query == WP_QUERY_OVERLAP) {
		const bool apart = answer.lower > 0.0;
		const float normal[3] = {output->normal[0], output->normal[1], output->normal[2]};
		zero_vectors(output);
		if (apart)
			memcpy(output->normal, normal, sizeof normal);
		output->separation = apart ? output->lower : output->upper;
	}
	if (query == WP_QUERY_DISTANCE && answer.lower <= 0.0) {
		const bool overlap = answer.separation <= 0.0;
		output->lower = 0.0f;
		if (overlap) {
			zero_vectors(output);
			output->separation = 0.0f;
			output->upper = answer.upper > 0.0 ? output->upper : 0.0f;
			for (int i = 0; i < 3; i++)
				output->point_a[i] = output->point_b[i] = answer.common[i];
			output->status = (output->status & ~(uint32_t)WP_STATUS_TOUCHING) | WP_STATUS_PENETRATING;
		}
	}
	if (query != WP_QUERY_OVERLAP)
		localize(input, pair.offset, output);
}

void wp_invalid_output(uint32_t invalid, wp_output *output)
{
	zero_vectors(output);
	output->separation = output->lower = output->upper = __builtin_nanf("");
	output->status = invalid;
	output->iterations = 0;
}

/* ---- writing ------------------------------------------------------------------------------------ */

static void write_point(void *points, size_t stride, uint32_t real, size_t row, const double origin[3],
	const double point[3], bool absolute)
{
	if (points == NULL)
		return;
	char *at = (char *)points + row * stride;
	for (size_t i = 0; i < 3; i++) {
		const double value = absolute ? origin[i] + point[i] : 0.0;
		if (real == WP_REAL_DOUBLE) {
			memcpy(at + i * sizeof(double), &value, sizeof value);
		} else {
			const float single = (float)value;
			memcpy(at + i * sizeof(float), &single, sizeof single);
		}
	}
}

static void write_bytes(void *field, size_t stride, size_t row, const void *value, size_t size)
{
	if (field != NULL)
		memcpy((char *)field + row * stride, value, size);
}

void wp_write_row(const wp_call *call, uint32_t row, const double position_a[3], const wp_output *output)
{
	const wp_results *r = &call->results;
	const size_t at = call->first + row;
	const bool has_points = !(output->status & WP_STATUS_INVALID) && call->query != WP_QUERY_OVERLAP;
	const uint8_t overlap = !(output->status & (WP_STATUS_SEPARATED | WP_STATUS_INVALID));
	write_bytes(r->separation, r->separation_stride, at, &output->separation, sizeof output->separation);
	write_bytes(r->lower, r->lower_stride, at, &output->lower, sizeof output->lower);
	write_bytes(r->upper, r->upper_stride, at, &output->upper, sizeof output->upper);
	write_bytes(r->normal, r->normal_stride, at, output->normal, sizeof output->normal);
	write_point(r->point_a, r->point_a_stride, r->point_real, at, position_a, output->point_a, has_points);
	write_point(r->point_b, r->point_b_stride, r->point_real, at, position_a, output->point_b, has_points);
	write_bytes(r->status, r->status_stride, at, &output->status, sizeof output->status);
	write_bytes(r->iterations, r->iterations_stride, at, &output->iterations, sizeof output->iterations);
	write_bytes(r->overlap, r->overlap_stride, at, &overlap, sizeof overlap);
	float tangent_1[3], tangent_2[3];
	wp_tangents(output->normal, tangent_1, tangent_2);
	write_bytes(r->local_a, r->local_a_stride, at, output->local_a, sizeof output->local_a);
	write_bytes(r->local_b, r->local_b_stride, at, output->local_b, sizeof output->local_b);
	write_bytes(r->tangent_1, r->tangent_1_stride, at, tangent_1, sizeof tangent_1);
	write_bytes(r->tangent_2, r->tangent_2_stride, at, tangent_2, sizeof tangent_2);
}

/* One output of all jobs, `size` bytes each, from where it stands in the first job's; those of the next job lie
 * `apart` floats further on. Rows mostly follow one another. */
WP_INLINE void write_column(
	void *field, size_t stride, size_t first, const wp_jobs *jobs, const float *values, size_t apart, size_t size)
{
	if (field == NULL)
		return;
	const uint32_t count = jobs->count;
	char *column = (char *)field + first * stride;
	if (jobs->is_sorted && jobs->row[count - 1] - jobs->row[0] == count - 1) {
		column += jobs->row[0] * stride;
		for (uint32_t i = 0; i < count; i++, column += stride, values += apart)
			memcpy(column, values, size);
	} else {
		for (uint32_t i = 0; i < count; i++, values += apart)
			memcpy(column + jobs->row[i] * stride, values, size);
	}
}

static void write_scalars(void *field, size_t stride, size_t first, const wp_jobs *jobs, const float *values)
{
	write_column(field, stride, first, jobs, values, WP_OUTPUT_COUNT, sizeof(float));
}

static void write_vectors(void *field, size_t stride, size_t first, const wp_jobs *jobs, const float *values)
{
	write_column(field, stride, first, jobs, values, WP_OUTPUT_COUNT, 3 * sizeof(float));
}

void wp_read_origin(const wp_call *call, const wp_jobs *jobs, uint32_t job, double origin[3])
{
	const bool is_of_b = jobs->core_a[job]->kind == WP_CORE_HALF_SPACE;
	read_position(is_of_b ? &call->b : &call->a, jobs->origin_body[job], origin);
}

/* Points that are asked for in double, or counted from positions in double. */
static void write_points(void *points, size_t stride, const wp_call *call, const wp_jobs *jobs, const float *values)
{
	for (uint32_t i = 0; i < jobs->count; i++) {
		const size_t at = call->first + jobs->row[i];
		const float *const p = values + (size_t)WP_OUTPUT_COUNT * i;
		const double point[3] = {(double)p[0], (double)p[1], (double)p[2]};
		double origin[3];
		wp_read_origin(call, jobs, i, origin);
		write_point(points, stride, call->results.point_real, at, origin, point, call->query != WP_QUERY_OVERLAP);
	}
}

static void count_jobs(const wp_jobs *jobs, wp_statistics *s)
{
	uint32_t rows = 0, separated = 0, touching = 0, penetrating = 0, beyond = 0, capped = 0, wide = 0;
	uint32_t gjk = 0, epa = 0, epa_rows = 0, gjk_max = 0, epa_max = 0;
	for (uint32_t job = 0; job < jobs->count; job++) {
		const uint32_t is_answer = jobs->state[job] != WP_JOB_STRONG, all = 0u - is_answer;
		const uint32_t status = (uint32_t)jobs->status[job] & all;
		const uint32_t gjk_steps = (uint32_t)jobs->gjk_steps[job] & all,
					   epa_steps = (uint32_t)jobs->epa_steps[job] & all;
		rows += is_answer;
		separated += (status & WP_STATUS_SEPARATED) != 0;
		touching += (status & WP_STATUS_TOUCHING) != 0;
		penetrating += (status & WP_STATUS_PENETRATING) != 0;
		beyond += (status & WP_STATUS_BEYOND) != 0;
		capped += (status & WP_STATUS_ITERATION_CAP) != 0;
		wide += (status & WP_STATUS_WIDE_BRACKET) != 0;
		gjk += gjk_steps;
		epa += epa_steps;
		epa_rows += epa_steps != 0;
		gjk_max = gjk_steps > gjk_max ? gjk_steps : gjk_max;
		epa_max = epa_steps > epa_max ? epa_steps : epa_max;
	}
	s->rows += rows;
	s->separated += separated;
	s->touching += touching;
	s->penetrating += penetrating;
	s->beyond += beyond;
	s->iteration_cap += capped;
	s->wide_bracket += wide;
	s->gjk_iterations += gjk;
	s->epa_iterations += epa;
	s->epa_rows += epa_rows;
	s->gjk_iterations_max = gjk_max > s->gjk_iterations_max ? gjk_max : s->gjk_iterations_max;
	s->epa_iterations_max = epa_max > s->epa_iterations_max ? epa_max : s->epa_iterations_max;
}

/* Whether a field of a row lies where an array of wp_row at `base` has it. */
static bool is_of_row(const void *field, size_t stride, const void *base, size_t offset)
{
	return field == wp_offset(base, offset) && stride == sizeof(wp_row);
}

/* Whether the results are the fields of an array of wp_row. */
static bool are_rows(const wp_results *r)
{
	const void *const base = r->separation;
	return base != NULL && r->separation_stride == sizeof(wp_row) &&
	       is_of_row(r->normal, r->normal_stride, base, offsetof(wp_row, normal)) &&
	       is_of_row(r->point_a, r->point_a_stride, base, offsetof(wp_row, point_a)) &&
	       is_of_row(r->point_b, r->point_b_stride, base, offsetof(wp_row, point_b)) &&
	       is_of_row(r->lower, r->lower_stride, base, offsetof(wp_row, lower)) &&
	       is_of_row(r->upper, r->upper_stride, base, offsetof(wp_row, upper)) &&
	       is_of_row(r->status, r->status_stride, base, offsetof(wp_row, status)) &&
	       is_of_row(r->iterations, r->iterations_stride, base, offsetof(wp_row, iterations));
}

static void write_overlaps(const wp_call *call, const wp_jobs *jobs)
{
	const wp_results *r = &call->results;
	for (uint32_t i = 0; i < jobs->count; i++) {
		const uint8_t overlap = !(jobs->status[i] & WP_STATUS_SEPARATED);
		write_bytes(r->overlap, r->overlap_stride, call->first + jobs->row[i], &overlap, sizeof overlap);
	}
}

static void write_columns(const wp_call *call, const wp_jobs *jobs, const float *output)
{
	const wp_results *r = &call->results;
	const size_t first = call->first;
	const float *const point_a = output + WP_OUTPUT_POINT_A, *const point_b = output + WP_OUTPUT_POINT_B;
	write_scalars(r->separation, r->separation_stride, first, jobs, output + WP_OUTPUT_SEPARATION);
	write_vectors(r->normal, r->normal_stride, first, jobs, output + WP_OUTPUT_NORMAL);
	if (wp_has_float_points(call)) {
		write_vectors(r->point_a, r->point_a_stride, first, jobs, point_a);
		write_vectors(r->point_b, r->point_b_stride, first, jobs, point_b);
	} else {
		write_points(r->point_a, r->point_a_stride, call, jobs, point_a);
		write_points(r->point_b, r->point_b_stride, call, jobs, point_b);
	}
	write_scalars(r->lower, r->lower_stride, first, jobs, output + WP_OUTPUT_LOWER);
	write_scalars(r->upper, r->upper_stride, first, jobs, output + WP_OUTPUT_UPPER);
	write_scalars(r->status, r->status_stride, first, jobs, output + WP_OUTPUT_STATUS);
	write_scalars(r->iterations, r->iterations_stride, first, jobs, output + WP_OUTPUT_ITERATIONS);
}

bool wp_wants_details(const wp_results *results)
{
	return results->local_a != NULL || results->local_b != NULL || results->tangent_1 != NULL ||
	       results->tangent_2 != NULL;
}

static void write_detail(float *field, size_t stride, size_t first, const wp_jobs *jobs, const float *values)
{
	write_column(field, stride, first, jobs, values, WP_DETAIL_COUNT, 3 * sizeof(float));
}

static void write_details(const wp_call *call, const wp_jobs *jobs, const float *detail)
{
	const wp_results *r = &call->results;
	write_detail(r->local_a, r->local_a_stride, call->first, jobs, detail + WP_DETAIL_LOCAL_A);
	write_detail(r->local_b, r->local_b_stride, call->first, jobs, detail + WP_DETAIL_LOCAL_B);
	write_detail(r->tangent_1, r->tangent_1_stride, call->first, jobs, detail + WP_DETAIL_TANGENT_1);
	write_detail(r->tangent_2, r->tangent_2_stride, call->first, jobs, detail + WP_DETAIL_TANGENT_2);
}

void wp_write_jobs(const wp_call *call, const wp_jobs *jobs, wp_statistics *statistics)
{
	const wp_results *r = &call->results;
	if (wp_has_float_points(call) && are_rows(r))
		write_column(r->separation, sizeof(wp_row), call->first, jobs, jobs->output, WP_OUTPUT_COUNT, sizeof(wp_row));
	else
		write_columns(call, jobs, jobs->output);
	if (r->overlap != NULL)
		write_overlaps(call, jobs);
	if (jobs->wants_details)
		write_details(call, jobs, jobs->detail);
	count_jobs(jobs, statistics);
}
