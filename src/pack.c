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
		inside &= __builtin_fabs(position[i]) <= (double)WP_COORDINATE_MAX;
	return inside;
}

/* False for NaN and infinity, and for a length further than 1e-2 from 1. */
static bool rotation_holds(const float rotation[4])
{
	const float length2 = (rotation[0] * rotation[0] + rotation[1] * rotation[1]) +
		(rotation[2] * rotation[2] + rotation[3] * rotation[3]);
	return length2 >= 0.99f * 0.99f && length2 <= 1.01f * 1.01f;
}

static bool read_rotation(const wp_bodies *bodies, size_t body, float rotation[4])
{
	memcpy(rotation, wp_offset(bodies->rotation, body * bodies->rotation_stride), 4 * sizeof(float));
	return rotation_holds(rotation);
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

/* ---- jobs --------------------------------------------------------------------------------------- */

bool wp_sort_row(const wp_call *call, uint32_t row, wp_bucket buckets[WP_BUCKET_COUNT])
{
	const size_t at = call->first + row;
	bool inside_a, inside_b;
	const uint32_t body_a = body_of_row(call->pair_a, call->pair_stride, at, call->a.count, &inside_a);
	const uint32_t body_b = body_of_row(call->pair_b, call->pair_stride, at, call->b.count, &inside_b);
	if (!inside_a || !inside_b)
		return false;
	const wp_core *core_a = core_of_body(call, &call->a, body_a), *core_b = core_of_body(call, &call->b, body_b);
	if (core_a == NULL || core_b == NULL)
		return false;
	wp_bucket *bucket = &buckets[2 * core_a->kind + core_b->kind];
	const uint32_t i = bucket->count++;
	bucket->row[i] = row;
	bucket->body_a[i] = body_a;
	bucket->body_b[i] = body_b;
	bucket->core_a[i] = core_a;
	bucket->core_b[i] = core_b;
	return true;
}

/* Whether the kernels' range holds a pair of this size; the rest goes to the strong path. */
static bool kernels_reach(float size, float radii)
{
	return size >= 1.0f / WP_SCALE_MAX && size <= WP_SCALE_MAX && radii <= size * WP_RADIUS_RATIO_MAX;
}

/* Rotations of one side. */
static void pack_rotations(const wp_bodies *bodies, const uint32_t *body, uint32_t count,
	float rotation[4][WP_JOB_MAX], uint8_t *unfit)
{
	for (uint32_t i = 0; i < count; i++) {
		float r[4];
		unfit[i] |= !read_rotation(bodies, body[i], r);
		for (int k = 0; k < 4; k++)
			rotation[k][i] = r[k];
	}
}

/* Positions of A, kept for the outputs, and those of B relative to them. */
static void pack_offsets(const wp_call *call, const wp_bucket *bucket, wp_jobs *jobs, double position_a[][3],
	uint8_t *unfit)
{
	for (uint32_t i = 0; i < bucket->count; i++) {
		double b[3];
		unfit[i] |= !read_position(&call->a, bucket->body_a[i], position_a[i]);
		unfit[i] |= !read_position(&call->b, bucket->body_b[i], b);
		for (int k = 0; k < 3; k++)
			jobs->offset[k][i] = (float)(b[k] - position_a[i][k]);
	}
}

/* What kernels need of the cores, and whether they reach. Offsets must be there. */
static void pack_cores(const wp_bucket *bucket, wp_jobs *jobs, uint8_t *unfit)
{
	for (uint32_t i = 0; i < bucket->count; i++) {
		const wp_core *a = bucket->core_a[i], *b = bucket->core_b[i];
		for (int k = 0; k < 3; k++) {
			jobs->half_a[k][i] = a->half[k];
			jobs->half_b[k][i] = b->half[k];
		}
		jobs->radius_a[i] = a->radius;
		jobs->radius_b[i] = b->radius;
		const float reach_a = a->bound + a->radius, reach_b = b->bound + b->radius;
		jobs->reach[i] = reach_a > reach_b ? reach_a : reach_b;
		float size = a->bound > b->bound ? a->bound : b->bound;
		jobs->bound[i] = size;
		jobs->bounds[i] = a->bound + b->bound;
		for (int k = 0; k < 3; k++) {
			const float offset = __builtin_fabsf(jobs->offset[k][i]);
			size = offset > size ? offset : size;
		}
		unfit[i] |= !kernels_reach(size, a->radius + b->radius);
	}
}

static void pack_hulls(const wp_core *const *core, uint32_t count, const float **vertices, uint32_t *vertex_count,
	uint32_t *padded)
{
	for (uint32_t i = 0; i < count; i++) {
		vertices[i] = core[i]->vertices;
		vertex_count[i] = core[i]->count;
		padded[i] = core[i]->padded;
	}
}

uint32_t wp_pack_jobs(const wp_call *call, const wp_bucket *bucket, wp_jobs *jobs, double position_a[][3],
	uint8_t unfit[WP_JOB_MAX])
{
	const uint32_t count = bucket->count;
	jobs->count = count;
	memset(unfit, 0, WP_JOB_MAX);
	pack_rotations(&call->a, bucket->body_a, count, jobs->rotation_a, unfit);
	pack_rotations(&call->b, bucket->body_b, count, jobs->rotation_b, unfit);
	pack_offsets(call, bucket, jobs, position_a, unfit);
	pack_cores(bucket, jobs, unfit);
	if (jobs->kind_a == WP_KIND_HULL)
		pack_hulls(bucket->core_a, count, jobs->vertices_a, jobs->count_a, jobs->padded_a);
	if (jobs->kind_b == WP_KIND_HULL)
		pack_hulls(bucket->core_b, count, jobs->vertices_b, jobs->count_b, jobs->padded_b);
	memcpy(jobs->row, bucket->row, count * sizeof jobs->row[0]);
	memset(jobs->epa_steps, 0, count * sizeof jobs->epa_steps[0]);
	uint32_t unfit_count = 0;
	for (uint32_t i = 0; i < count; i++)
		unfit_count += unfit[i];
	return unfit_count;
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

/* The state that a bracket proves, as it is handed out: tiny bounds may have been rounded to zero. */
static uint32_t state_of(float lower, float upper)
{
	return lower > 0.0f ? WP_STATUS_SEPARATED : upper < 0.0f ? WP_STATUS_PENETRATING : WP_STATUS_TOUCHING;
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
}

static void write_job_points(void *points, size_t stride, const wp_call *call, const wp_jobs *jobs, uint32_t job,
	const double origin[3], const float point[3][WP_JOB_MAX])
{
	const double p[3] = {(double)point[0][job], (double)point[1][job], (double)point[2][job]};
	write_point(points, stride, call->results.point_real, call->first + jobs->row[job], origin, p,
		call->query != WP_QUERY_OVERLAP);
}

static void count_job(wp_statistics *s, uint32_t status, uint64_t gjk, uint64_t epa)
{
	s->separated += (status & WP_STATUS_SEPARATED) != 0;
	s->touching += (status & WP_STATUS_TOUCHING) != 0;
	s->penetrating += (status & WP_STATUS_PENETRATING) != 0;
	s->beyond += (status & WP_STATUS_BEYOND) != 0;
	s->iteration_cap += (status & WP_STATUS_ITERATION_CAP) != 0;
	s->gjk_iterations += gjk;
	s->epa_iterations += epa;
	s->epa_rows += epa != 0;
	s->gjk_iterations_max = gjk > s->gjk_iterations_max ? gjk : s->gjk_iterations_max;
	s->epa_iterations_max = epa > s->epa_iterations_max ? epa : s->epa_iterations_max;
}

void wp_write_jobs(const wp_call *call, const wp_jobs *jobs, const double position_a[][3], wp_statistics *statistics)
{
	const wp_results *r = &call->results;
	wp_statistics counts = *statistics;
	for (uint32_t job = 0; job < jobs->count; job++) {
		const size_t at = call->first + jobs->row[job];
		const uint32_t status = (uint32_t)jobs->status[job];
		const uint32_t iterations = (uint32_t)(jobs->gjk_steps[job] + jobs->epa_steps[job]);
		const uint8_t overlap = !(status & WP_STATUS_SEPARATED);
		const float normal[3] = {jobs->normal[0][job], jobs->normal[1][job], jobs->normal[2][job]};
		if (jobs->state[job] == WP_JOB_STRONG)
			continue;
		write_bytes(r->separation, r->separation_stride, at, &jobs->separation[job], sizeof(float));
		write_bytes(r->lower, r->lower_stride, at, &jobs->lower[job], sizeof(float));
		write_bytes(r->upper, r->upper_stride, at, &jobs->upper[job], sizeof(float));
		write_bytes(r->normal, r->normal_stride, at, normal, sizeof normal);
		write_job_points(r->point_a, r->point_a_stride, call, jobs, job, position_a[job], jobs->point_a);
		write_job_points(r->point_b, r->point_b_stride, call, jobs, job, position_a[job], jobs->point_b);
		write_bytes(r->status, r->status_stride, at, &status, sizeof status);
		write_bytes(r->iterations, r->iterations_stride, at, &iterations, sizeof iterations);
		write_bytes(r->overlap, r->overlap_stride, at, &overlap, sizeof overlap);
		counts.rows++;
		count_job(&counts, status, (uint64_t)jobs->gjk_steps[job], (uint64_t)jobs->epa_steps[job]);
	}
	*statistics = counts;
}
