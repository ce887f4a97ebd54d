#include "plane_pack.h"

/* ---- reading ------------------------------------------------------------------------------------ */

/* False for NaN, infinity and what is too large to answer for. */
WP_INLINE bool read_position(const wp2_bodies *bodies, size_t body, uint32_t real, double position[2])
{
	const void *at = wp_offset(bodies->position, body * bodies->position_stride);
	float single[2];
	if (real == WP_REAL_DOUBLE) {
		memcpy(position, at, 2 * sizeof(double));
	} else {
		memcpy(single, at, sizeof single);
		position[0] = (double)single[0];
		position[1] = (double)single[1];
	}
	const double most = (double)WP_COORDINATE_MAX;
	return __builtin_fabs(position[0]) <= most && __builtin_fabs(position[1]) <= most;
}

WP_INLINE bool read_rotation(const wp2_bodies *bodies, size_t body, float rotation[2])
{
	memcpy(rotation, wp_offset(bodies->rotation, body * bodies->rotation_stride), 2 * sizeof(float));
	return wp2_rotation_holds(rotation);
}

WP_INLINE const wp2_core *core_of_body(const wp2_call *call, const wp2_bodies *bodies, uint32_t body)
{
	uint32_t shape = body;
	if (bodies->shape != NULL)
		shape = wp_read_once(wp_offset(bodies->shape, body * bodies->shape_stride));
	return shape < call->core_count && call->cores[shape].count != 0 ? &call->cores[shape] : NULL;
}

/* One side of a row. The reasons of side B are those of side A, 4 bits up. */
WP_INLINE uint32_t read_side(const wp2_call *call, const wp2_bodies *bodies, uint32_t body, bool inside, uint32_t real,
	const wp2_core **core, double position[2], float rotation[2])
{
	*core = inside ? core_of_body(call, bodies, body) : NULL;
	if (!inside)
		return WP_STATUS_INVALID_BODY_A;
	uint32_t invalid = *core == NULL ? WP_STATUS_INVALID_SHAPE_A : 0;
	if (!read_position(bodies, body, real, position))
		invalid |= WP_STATUS_INVALID_POSITION_A;
	if (!read_rotation(bodies, body, rotation))
		invalid |= WP_STATUS_INVALID_ROTATION_A;
	return invalid;
}

WP_INLINE void read_row(const wp2_call *call, uint32_t row, uint32_t real, wp2_input *input)
{
	const size_t at = call->first + row;
	wp2_strong_pair *const pair = &input->pair;
	input->body_a = wp_body_of_row(call->pair_a, call->pair_stride, at, call->a.count, &input->has_a);
	input->body_b = wp_body_of_row(call->pair_b, call->pair_stride, at, call->b.count, &input->has_b);
	const uint32_t a = read_side(
		call, &call->a, input->body_a, input->has_a, real, &pair->a, input->position_a, pair->rotation_a);
	const uint32_t b = read_side(
		call, &call->b, input->body_b, input->has_b, real, &pair->b, input->position_b, pair->rotation_b);
	input->invalid = a | b << 4;
	if (input->invalid) {
		input->invalid |= WP_STATUS_INVALID;
		return;
	}
	for (int i = 0; i < 2; i++)
		pair->offset[i] = input->position_b[i] - input->position_a[i];
}

void wp2_read_row(const wp2_call *call, uint32_t row, wp2_input *input)
{
	read_row(call, row, call->a.position_real, input);
}

/* ---- jobs --------------------------------------------------------------------------------------- */

WP_INLINE enum wp2_bucket bucket_of(const wp2_strong_pair *pair)
{
	const uint32_t most = pair->a->count > pair->b->count ? pair->a->count : pair->b->count;
	if (most > 2)
		return most <= WP2_FEW_VERTICES ? WP2_BUCKET_FEW : WP2_BUCKET_MANY;
	return pair->a->bound == 0.0f && pair->b->bound == 0.0f ? WP2_BUCKET_CIRCLES : WP2_BUCKET_SEGMENTS;
}

/* Add a valid row to the jobs, which have room for it. */
WP_INLINE void pack_job(wp2_jobs *jobs, uint32_t row, const wp2_input *input)
{
	WP_ASSERT(jobs->count < WP2_JOB_MAX);
	const uint32_t job = jobs->count++;
	const wp2_strong_pair *const pair = &input->pair;
	jobs->row[job] = row;
	memcpy(jobs->origin[job], input->position_a, sizeof input->position_a);
	jobs->core[0][job] = pair->a;
	jobs->core[1][job] = pair->b;
	jobs->vertices[0][job] = (int32_t)pair->a->count;
	jobs->vertices[1][job] = (int32_t)pair->b->count;
	jobs->input[WP2_INPUT_COSINE_A][job] = pair->rotation_a[0];
	jobs->input[WP2_INPUT_SINE_A][job] = pair->rotation_a[1];
	jobs->input[WP2_INPUT_COSINE_B][job] = pair->rotation_b[0];
	jobs->input[WP2_INPUT_SINE_B][job] = pair->rotation_b[1];
	jobs->input[WP2_INPUT_OFFSET_X][job] = (float)pair->offset[0];
	jobs->input[WP2_INPUT_OFFSET_Y][job] = (float)pair->offset[1];
	jobs->input[WP2_INPUT_RADIUS_A][job] = pair->a->radius;
	jobs->input[WP2_INPUT_RADIUS_B][job] = pair->b->radius;
	jobs->input[WP2_INPUT_BOUND_A][job] = pair->a->bound;
	jobs->input[WP2_INPUT_BOUND_B][job] = pair->b->bound;
}

WP_INLINE uint32_t pack_rows(const wp2_call *call, uint32_t row, uint32_t count, wp2_jobs buckets[WP2_BUCKET_COUNT],
	uint32_t real, wp2_jobs **full)
{
	for (*full = NULL; row < count; row++) {
		wp2_input input;
		read_row(call, row, real, &input);
		if (input.invalid)
			return row;
		wp2_jobs *const jobs = &buckets[bucket_of(&input.pair)];
		pack_job(jobs, row, &input);
		if (jobs->count == WP2_JOB_MAX) {
			*full = jobs;
			return row + 1;
		}
	}
	return row;
}

/* Both forms of positions compiled on their own: a row is read in one go. */
uint32_t wp2_pack_rows(
	const wp2_call *call, uint32_t row, uint32_t count, wp2_jobs buckets[WP2_BUCKET_COUNT], wp2_jobs **full)
{
	const wp2_call own = *call;
	return own.a.position_real == WP_REAL_FLOAT ? pack_rows(&own, row, count, buckets, WP_REAL_FLOAT, full)
	                                            : pack_rows(&own, row, count, buckets, WP_REAL_DOUBLE, full);
}

_Static_assert(WP2_JOB_MAX % WP_WIDTH_MAX == 0, "the last block is a whole one");

void wp2_fill_block(wp2_jobs *jobs)
{
	const size_t end = wp_round_up(jobs->count, WP_WIDTH_MAX);
	for (size_t job = jobs->count; job < end; job++) {
		for (int i = 0; i < WP2_INPUT_COUNT; i++)
			jobs->input[i][job] = 0.0f;
		jobs->input[WP2_INPUT_COSINE_A][job] = jobs->input[WP2_INPUT_COSINE_B][job] = 1.0f;
		jobs->vertices[0][job] = jobs->vertices[1][job] = 1;
	}
}

void wp2_read_output(const wp2_jobs *jobs, uint32_t job, wp2_output *output)
{
	output->separation = jobs->output[WP2_OUTPUT_SEPARATION][job];
	output->lower = jobs->output[WP2_OUTPUT_LOWER][job];
	output->upper = jobs->output[WP2_OUTPUT_UPPER][job];
	for (int i = 0; i < 2; i++) {
		output->normal[i] = jobs->output[WP2_OUTPUT_NORMAL + i][job];
		output->point_a[i] = (double)jobs->output[WP2_OUTPUT_POINT_A + i][job];
		output->point_b[i] = (double)jobs->output[WP2_OUTPUT_POINT_B + i][job];
		output->local_a[i] = jobs->output[WP2_OUTPUT_LOCAL_A + i][job];
		output->local_b[i] = jobs->output[WP2_OUTPUT_LOCAL_B + i][job];
	}
	output->status = (uint32_t)jobs->status[job];
	output->iterations = (uint32_t)jobs->iterations[job];
}

/* ---- the strong path ---------------------------------------------------------------------------- */

/* Bounds are rounded outwards, so that the bracket stays one. */
static float round_up(double value) { return -wp_round_down(-value); }

static void zero_vectors(wp2_output *output)
{
	for (int i = 0; i < 2; i++) {
		output->normal[i] = output->local_a[i] = output->local_b[i] = 0.0f;
		output->point_a[i] = output->point_b[i] = 0.0;
	}
}

static void take_points(wp2_output *output, wp2_d2 a, wp2_d2 b)
{
	output->point_a[0] = a.x;
	output->point_a[1] = a.y;
	output->point_b[0] = b.x;
	output->point_b[1] = b.y;
}

/* The points once more, in their own bodies' frames. */
static void localize(const wp2_strong_pair *pair, wp2_output *output)
{
	const wp2_d2 a = {output->point_a[0], output->point_a[1]};
	const wp2_d2 b = {output->point_b[0] - pair->offset[0], output->point_b[1] - pair->offset[1]};
	const wp2_d2 local_a = wp2_d2_turn_back(wp2_d2_rotation(pair->rotation_a), a);
	const wp2_d2 local_b = wp2_d2_turn_back(wp2_d2_rotation(pair->rotation_b), b);
	output->local_a[0] = (float)local_a.x;
	output->local_a[1] = (float)local_a.y;
	output->local_b[0] = (float)local_b.x;
	output->local_b[1] = (float)local_b.y;
}

/* What an overlap asks of a full answer: the bound that decides. */
static void keep_proof(const wp2_strong_answer *answer, wp2_output *output)
{
	const float normal[2] = {output->normal[0], output->normal[1]};
	const bool apart = answer->lower > 0.0;
	zero_vectors(output);
	if (apart)
		memcpy(output->normal, normal, sizeof normal);
	output->separation = apart ? output->lower : output->upper;
}

/* What a distance asks where shapes overlap or touch. */
static void end_at_zero(const wp2_strong_answer *answer, wp2_output *output)
{
	output->lower = 0.0f;
	if (answer->separation > 0.0)
		return;
	zero_vectors(output);
	output->separation = 0.0f;
	output->upper = answer->upper > 0.0 ? output->upper : 0.0f;
	take_points(output, answer->common, answer->common);
	output->status = (output->status & ~(uint32_t)WP_STATUS_TOUCHING) | WP_STATUS_PENETRATING;
}

void wp2_solve_strong(const wp2_call *call, const wp2_input *input, wp2_output *output)
{
	wp2_strong_answer answer;
	wp2_strong_solve(&input->pair, &answer);
	output->separation = (float)answer.separation;
	output->lower = wp_round_down(answer.lower);
	output->upper = round_up(answer.upper);
	output->normal[0] = (float)answer.normal.x;
	output->normal[1] = (float)answer.normal.y;
	take_points(output, answer.point_a, answer.point_b);
	output->iterations = 1;
	output->status = answer.status | WP_STATUS_STRONG |
	                 (output->lower > 0.0f      ? WP_STATUS_SEPARATED
						 : output->upper < 0.0f ? WP_STATUS_PENETRATING
												: WP_STATUS_TOUCHING);
	if (call->query == WP_QUERY_CONTACT && output->lower > call->max_separation) {
		output->status |= WP_STATUS_BEYOND;
		output->separation = output->lower;
	}
	if (call->query == WP_QUERY_OVERLAP) {
		keep_proof(&answer, output);
		return;
	}
	if (call->query == WP_QUERY_DISTANCE && answer.lower <= 0.0)
		end_at_zero(&answer, output);
	localize(&input->pair, output);
}

void wp2_invalid_output(uint32_t invalid, wp2_output *output)
{
	zero_vectors(output);
	output->separation = output->lower = output->upper = __builtin_nanf("");
	output->status = invalid;
	output->iterations = 0;
}

/* ---- writing ------------------------------------------------------------------------------------ */

static void write_bytes(void *field, size_t stride, size_t row, const void *value, size_t size)
{
	if (field != NULL)
		memcpy((char *)field + row * stride, value, size);
}

static void write_point(const wp2_call *call, void *points, size_t stride, size_t row, const double origin[2],
	const double point[2], bool absolute)
{
	const double value[2] = {absolute ? origin[0] + point[0] : 0.0, absolute ? origin[1] + point[1] : 0.0};
	const float single[2] = {(float)value[0], (float)value[1]};
	if (call->results.point_real == WP_REAL_DOUBLE)
		write_bytes(points, stride, row, value, sizeof value);
	else
		write_bytes(points, stride, row, single, sizeof single);
}

void wp2_write_row(const wp2_call *call, uint32_t row, const double position_a[2], const wp2_output *output)
{
	const wp2_results *const r = &call->results;
	const size_t at = call->first + row;
	const bool has_points = !(output->status & WP_STATUS_INVALID) && call->query != WP_QUERY_OVERLAP;
	const uint8_t overlap = !(output->status & (WP_STATUS_SEPARATED | WP_STATUS_INVALID));
	write_bytes(r->separation, r->separation_stride, at, &output->separation, sizeof output->separation);
	write_bytes(r->normal, r->normal_stride, at, output->normal, sizeof output->normal);
	write_point(call, r->point_a, r->point_a_stride, at, position_a, output->point_a, has_points);
	write_point(call, r->point_b, r->point_b_stride, at, position_a, output->point_b, has_points);
	write_bytes(r->lower, r->lower_stride, at, &output->lower, sizeof output->lower);
	write_bytes(r->upper, r->upper_stride, at, &output->upper, sizeof output->upper);
	write_bytes(r->status, r->status_stride, at, &output->status, sizeof output->status);
	write_bytes(r->iterations, r->iterations_stride, at, &output->iterations, sizeof output->iterations);
	write_bytes(r->overlap, r->overlap_stride, at, &overlap, sizeof overlap);
	const float none[2] = {0.0f, 0.0f};
	write_bytes(r->local_a, r->local_a_stride, at, has_points ? output->local_a : none, sizeof none);
	write_bytes(r->local_b, r->local_b_stride, at, has_points ? output->local_b : none, sizeof none);
}

/* Where a field of a job's row lies. */
WP_INLINE char *at_job(void *field, size_t stride, const wp2_call *call, const wp2_jobs *jobs, uint32_t job)
{
	return (char *)field + (call->first + jobs->row[job]) * stride;
}

static void write_words(void *field, size_t stride, const wp2_call *call, const wp2_jobs *jobs, const void *values)
{
	for (uint32_t job = 0; field != NULL && job < jobs->count; job++)
		memcpy(at_job(field, stride, call, jobs, job), (const uint32_t *)values + job, sizeof(uint32_t));
}

static void write_vectors(float *field, size_t stride, const wp2_call *call, const wp2_jobs *jobs, int output)
{
	for (uint32_t job = 0; field != NULL && job < jobs->count; job++) {
		const float v[2] = {jobs->output[output][job], jobs->output[output + 1][job]};
		memcpy(at_job(field, stride, call, jobs, job), v, sizeof v);
	}
}

static void write_points(void *field, size_t stride, const wp2_call *call, const wp2_jobs *jobs, int output)
{
	for (uint32_t job = 0; field != NULL && job < jobs->count; job++) {
		const double *const origin = jobs->origin[job];
		const double wide[2] = {
			origin[0] + (double)jobs->output[output][job], origin[1] + (double)jobs->output[output + 1][job]};
		const float single[2] = {(float)wide[0], (float)wide[1]};
		char *const to = at_job(field, stride, call, jobs, job);
		if (call->results.point_real == WP_REAL_DOUBLE)
			memcpy(to, wide, sizeof wide);
		else
			memcpy(to, single, sizeof single);
	}
}

static void write_zeros(void *field, size_t stride, const wp2_call *call, const wp2_jobs *jobs, size_t size)
{
	for (uint32_t job = 0; field != NULL && job < jobs->count; job++)
		memset(at_job(field, stride, call, jobs, job), 0, size);
}

static void write_overlaps(const wp2_call *call, const wp2_jobs *jobs)
{
	const wp2_results *const r = &call->results;
	for (uint32_t job = 0; r->overlap != NULL && job < jobs->count; job++) {
		const uint8_t overlap = !(jobs->status[job] & WP_STATUS_SEPARATED);
		memcpy(at_job(r->overlap, r->overlap_stride, call, jobs, job), &overlap, sizeof overlap);
	}
}

static void count_jobs(const wp2_jobs *jobs, wp_statistics *s)
{
	uint32_t rows = 0, separated = 0, touching = 0, penetrating = 0, beyond = 0, steps = 0, most = 0;
	for (uint32_t job = 0; job < jobs->count; job++) {
		const uint32_t status = (uint32_t)jobs->status[job];
		const uint32_t taken = status != 0 ? (uint32_t)jobs->iterations[job] : 0;
		rows += status != 0;
		separated += (status & WP_STATUS_SEPARATED) != 0;
		touching += (status & WP_STATUS_TOUCHING) != 0;
		penetrating += (status & WP_STATUS_PENETRATING) != 0;
		beyond += (status & WP_STATUS_BEYOND) != 0;
		steps += taken;
		most = taken > most ? taken : most;
	}
	s->rows += rows;
	s->separated += separated;
	s->touching += touching;
	s->penetrating += penetrating;
	s->beyond += beyond;
	s->gjk_iterations += steps;
	s->gjk_iterations_max = most > s->gjk_iterations_max ? most : s->gjk_iterations_max;
}

void wp2_write_jobs(const wp2_call *call, const wp2_jobs *jobs, wp_statistics *statistics)
{
	const wp2_results *const r = &call->results;
	write_words(r->separation, r->separation_stride, call, jobs, jobs->output[WP2_OUTPUT_SEPARATION]);
	write_words(r->lower, r->lower_stride, call, jobs, jobs->output[WP2_OUTPUT_LOWER]);
	write_words(r->upper, r->upper_stride, call, jobs, jobs->output[WP2_OUTPUT_UPPER]);
	write_words(r->status, r->status_stride, call, jobs, jobs->status);
	write_words(r->iterations, r->iterations_stride, call, jobs, jobs->iterations);
	write_vectors(r->normal, r->normal_stride, call, jobs, WP2_OUTPUT_NORMAL);
	write_overlaps(call, jobs);
	if (call->query == WP_QUERY_OVERLAP) {
		const size_t point = wp2_point_size(r->point_real);
		write_zeros(r->point_a, r->point_a_stride, call, jobs, point);
		write_zeros(r->point_b, r->point_b_stride, call, jobs, point);
		write_zeros(r->local_a, r->local_a_stride, call, jobs, 2 * sizeof(float));
		write_zeros(r->local_b, r->local_b_stride, call, jobs, 2 * sizeof(float));
	} else {
		write_points(r->point_a, r->point_a_stride, call, jobs, WP2_OUTPUT_POINT_A);
		write_points(r->point_b, r->point_b_stride, call, jobs, WP2_OUTPUT_POINT_B);
		write_vectors(r->local_a, r->local_a_stride, call, jobs, WP2_OUTPUT_LOCAL_A);
		write_vectors(r->local_b, r->local_b_stride, call, jobs, WP2_OUTPUT_LOCAL_B);
	}
	count_jobs(jobs, statistics);
}
