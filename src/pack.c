#include "pack.h"

_Static_assert((int)WP_JOB_SEPARATED == WP_STATUS_SEPARATED && (int)WP_JOB_TOUCHING == WP_STATUS_TOUCHING &&
		(int)WP_JOB_PENETRATING == WP_STATUS_PENETRATING && (int)WP_JOB_PROVEN_BEYOND == WP_STATUS_BEYOND &&
		(int)WP_JOB_ITERATION_CAP == WP_STATUS_ITERATION_CAP && (int)WP_JOB_CAPACITY == WP_STATUS_CAPACITY,
	"kernels and API share status bits");
_Static_assert((int)WP_KIND_BOX == WP_CORE_BOX && (int)WP_KIND_HULL == WP_CORE_HULL, "one numbering of core kinds");

/* ---- reading ------------------------------------------------------------------------------------ */

static uint32_t body_of_row(const uint32_t *pair, size_t stride, size_t row, size_t body_count, bool *inside)
{
	if (pair == NULL) {
		*inside = row < body_count;
		return (uint32_t)row;
	}
	uint32_t body;
	memcpy(&body, wp_offset(pair, row * stride), sizeof body);
	*inside = body < body_count;
	return body;
}

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
		inside &= position[i] >= -(double)WP_COORDINATE_MAX && position[i] <= (double)WP_COORDINATE_MAX;
	return inside;
}

/* False for NaN and infinity, and for a length further than 1e-2 from 1. */
static bool read_rotation(const wp_bodies *bodies, size_t body, float rotation[4])
{
	memcpy(rotation, wp_offset(bodies->rotation, body * bodies->rotation_stride), 4 * sizeof(float));
	double length2 = 0.0;
	for (int i = 0; i < 4; i++)
		length2 += (double)rotation[i] * (double)rotation[i];
	return length2 >= 0.99 * 0.99 && length2 <= 1.01 * 1.01;
}

static const wp_core *core_of_body(const wp_call *call, const wp_bodies *bodies, uint32_t body)
{
	uint32_t shape = body;
	if (bodies->shape != NULL)
		memcpy(&shape, wp_offset(bodies->shape, body * bodies->shape_stride), sizeof shape);
	if (shape >= call->core_count || call->cores[shape].kind == WP_CORE_INVALID)
		return NULL;
	return &call->cores[shape];
}

/* One side of a row. The reasons of side B are those of side A, 4 bits up. */
static uint32_t read_side(const wp_call *call, const wp_bodies *bodies, const uint32_t *pair, size_t row,
	const wp_core **core, double position[3], float rotation[4])
{
	bool inside;
	const uint32_t body = body_of_row(pair, call->pair_stride, row, bodies->count, &inside);
	if (!inside)
		return WP_STATUS_INVALID_BODY_A;
	uint32_t invalid = 0;
	*core = core_of_body(call, bodies, body);
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
	const uint32_t a = read_side(call, &call->a, call->pair_a, at, &input->a, input->position_a, input->rotation_a);
	const uint32_t b = read_side(call, &call->b, call->pair_b, at, &input->b, input->position_b, input->rotation_b);
	input->invalid = a | b << 4;
	if (input->invalid)
		input->invalid |= WP_STATUS_INVALID;
}

/* Core kind of one side, box where there is none. */
static uint32_t kind_of_side(const wp_call *call, const wp_bodies *bodies, const uint32_t *pair, size_t row)
{
	bool inside;
	const uint32_t body = body_of_row(pair, call->pair_stride, row, bodies->count, &inside);
	const wp_core *core = inside ? core_of_body(call, bodies, body) : NULL;
	return core != NULL ? core->kind : WP_CORE_BOX;
}

uint32_t wp_bucket_of_row(const wp_call *call, uint32_t row)
{
	const size_t at = call->first + row;
	return 2 * kind_of_side(call, &call->a, call->pair_a, at) + kind_of_side(call, &call->b, call->pair_b, at);
}

bool wp_kernels_reach(const wp_input *input)
{
	double size = (double)(input->a->bound > input->b->bound ? input->a->bound : input->b->bound);
	for (int i = 0; i < 3; i++) {
		const double offset = input->position_b[i] - input->position_a[i];
		size = offset > size ? offset : -offset > size ? -offset : size;
	}
	const double radii = (double)input->a->radius + (double)input->b->radius;
	return size >= 1.0 / (double)WP_SCALE_MAX && size <= (double)WP_SCALE_MAX && radii <= size * (double)WP_RADIUS_RATIO_MAX;
}

/* ---- jobs --------------------------------------------------------------------------------------- */

void wp_pack_job(wp_jobs *jobs, uint32_t row, const wp_input *input)
{
	const uint32_t job = jobs->count++;
	const wp_core *a = input->a, *b = input->b;
	jobs->row[job] = row;
	for (int i = 0; i < 4; i++) {
		jobs->rotation_a[i][job] = input->rotation_a[i];
		jobs->rotation_b[i][job] = input->rotation_b[i];
	}
	for (int i = 0; i < 3; i++) {
		jobs->offset[i][job] = (float)(input->position_b[i] - input->position_a[i]);
		jobs->half_a[i][job] = a->half[i];
		jobs->half_b[i][job] = b->half[i];
	}
	jobs->radius_a[job] = a->radius;
	jobs->radius_b[job] = b->radius;
	jobs->bound[job] = a->bound > b->bound ? a->bound : b->bound;
	const float reach_a = a->bound + a->radius, reach_b = b->bound + b->radius;
	jobs->reach[job] = reach_a > reach_b ? reach_a : reach_b;
	jobs->vertices_a[job] = a->vertices;
	jobs->vertices_b[job] = b->vertices;
	jobs->count_a[job] = a->count;
	jobs->count_b[job] = b->count;
	jobs->padded_a[job] = a->padded;
	jobs->padded_b[job] = b->padded;
	jobs->epa_steps[job] = 0;
}

void wp_unpack_job(const wp_jobs *jobs, uint32_t job, wp_output *output)
{
	output->separation = jobs->separation[job];
	output->lower = jobs->lower[job];
	output->upper = jobs->upper[job];
	for (int i = 0; i < 3; i++) {
		output->normal[i] = jobs->normal[i][job];
		output->point_a[i] = (double)jobs->point_a[i][job];
		output->point_b[i] = (double)jobs->point_b[i][job];
	}
	output->status = (uint32_t)jobs->status[job];
	output->iterations = (uint32_t)(jobs->gjk_steps[job] + jobs->epa_steps[job]);
}

/* ---- the strong path ---------------------------------------------------------------------------- */

/* Bounds are rounded outwards, so that the bracket stays one. The rounded value is volatile because GCC 12
 * is known to drop a conversion to float and back when it vectorises two of them. */
static float round_down(double value)
{
	const volatile float rounded = (float)value;
	const float nearest = rounded;
	return (double)nearest <= value ? nearest : wp_next_below(nearest);
}

static float round_up(double value) { return -round_down(-value); }

static void zero_vectors(wp_output *output)
{
	for (int i = 0; i < 3; i++) {
		output->normal[i] = 0.0f;
		output->point_a[i] = output->point_b[i] = 0.0;
	}
}

/* The state that a bracket proves. */
static uint32_t state_of(double lower, double upper)
{
	return lower > 0.0 ? WP_STATUS_SEPARATED : upper < 0.0 ? WP_STATUS_PENETRATING : WP_STATUS_TOUCHING;
}

void wp_solve_strong(const wp_input *input, wp_query query, float max_separation, wp_strong_memory *memory,
	wp_output *output)
{
	wp_strong_pair pair = {.a = input->a, .b = input->b};
	memcpy(pair.rotation_a, input->rotation_a, sizeof pair.rotation_a);
	memcpy(pair.rotation_b, input->rotation_b, sizeof pair.rotation_b);
	for (int i = 0; i < 3; i++)
		pair.offset[i] = input->position_b[i] - input->position_a[i];
	wp_strong_answer answer;
	wp_strong_solve(&pair, memory, &answer);

	output->separation = (float)answer.separation;
	output->lower = round_down(answer.lower);
	output->upper = round_up(answer.upper);
	for (int i = 0; i < 3; i++) {
		output->normal[i] = (float)answer.normal[i];
		output->point_a[i] = answer.point_a[i];
		output->point_b[i] = answer.point_b[i];
	}
	output->status = answer.status | WP_STATUS_STRONG | state_of(answer.lower, answer.upper);
	output->iterations = answer.iterations;
	if (query == WP_QUERY_CONTACT && answer.lower > (double)max_separation)
		output->status |= WP_STATUS_BEYOND;
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

static void write_float(float *field, size_t stride, size_t row, float value)
{
	if (field != NULL)
		memcpy((char *)field + row * stride, &value, sizeof value);
}

static void write_word(uint32_t *field, size_t stride, size_t row, uint32_t value)
{
	if (field != NULL)
		memcpy((char *)field + row * stride, &value, sizeof value);
}

void wp_write_row(const wp_call *call, uint32_t row, const double position_a[3], const wp_output *output)
{
	const wp_results *r = &call->results;
	const size_t at = call->first + row;
	const bool has_points = !(output->status & WP_STATUS_INVALID) && call->query != WP_QUERY_OVERLAP;
	write_float(r->separation, r->separation_stride, at, output->separation);
	write_float(r->lower, r->lower_stride, at, output->lower);
	write_float(r->upper, r->upper_stride, at, output->upper);
	if (r->normal != NULL)
		memcpy((char *)r->normal + at * r->normal_stride, output->normal, sizeof output->normal);
	write_point(r->point_a, r->point_a_stride, r->point_real, at, position_a, output->point_a, has_points);
	write_point(r->point_b, r->point_b_stride, r->point_real, at, position_a, output->point_b, has_points);
	write_word(r->status, r->status_stride, at, output->status);
	write_word(r->iterations, r->iterations_stride, at, output->iterations);
	if (r->overlap != NULL)
		*((uint8_t *)r->overlap + at * r->overlap_stride) =
			!(output->status & (WP_STATUS_SEPARATED | WP_STATUS_INVALID));
}
