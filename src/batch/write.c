#include "batch/write.h"
#include "batch/read.h"

#define IS_OUTPUT(field, output) (offsetof(wp_row, field) == sizeof(float) * output)
_Static_assert(IS_OUTPUT(separation, WP_OUTPUT_SEPARATION) && IS_OUTPUT(normal, WP_OUTPUT_NORMAL) &&
				   IS_OUTPUT(point_a, WP_OUTPUT_POINT_A) && IS_OUTPUT(point_b, WP_OUTPUT_POINT_B) &&
				   IS_OUTPUT(lower, WP_OUTPUT_LOWER) && IS_OUTPUT(upper, WP_OUTPUT_UPPER) &&
				   IS_OUTPUT(status, WP_OUTPUT_STATUS) && IS_OUTPUT(iterations, WP_OUTPUT_ITERATIONS),
	"the outputs of a job begin with a wp_row");

/* ---- one row ------------------------------------------------------------------------------------ */

void wp_invalid_output(uint32_t invalid, wp_output *output)
{
	memset(output, 0, sizeof *output);
	output->separation = output->lower = output->upper = WP_NAN;
	output->status = invalid;
}

static void write_bytes(void *field, size_t stride, size_t row, const void *value, size_t size)
{
	if (field != NULL)
		memcpy((char *)field + row * stride, value, size);
}

/* A point that is counted from `origin`; zero where it is not `present`. */
WP_INLINE_LARGE void write_point(const wp_call *call, void *points, size_t stride, size_t row, size_t dimension,
	const double origin[3], const double point[3], bool present)
{
	double to[3];
	float single[3];
	if (points == NULL)
		return;
	for (size_t i = 0; i < dimension; i++) {
		to[i] = present ? origin[i] + point[i] : 0.0;
		single[i] = (float)to[i];
	}
	if (call->results.point_real == WP_REAL_DOUBLE)
		memcpy((char *)points + row * stride, to, dimension * sizeof *to);
	else
		memcpy((char *)points + row * stride, single, dimension * sizeof *single);
}

void wp_write_word(wp_uint32_column column, size_t at, uint32_t word)
{
	if (column.data != NULL)
		memcpy((char *)column.data + at * column.stride, &word, sizeof word);
}

void wp_count_row(wp_statistics *s, uint64_t row, uint32_t status)
{
	s->rows++;
	s->separated += (status & WP_STATUS_SEPARATED) != 0;
	s->touching += (status & WP_STATUS_TOUCHING) != 0;
	s->penetrating += (status & WP_STATUS_PENETRATING) != 0;
	s->beyond += (status & WP_STATUS_BEYOND) != 0;
	s->strong += (status & WP_STATUS_STRONG) != 0;
	s->iteration_cap += (status & WP_STATUS_ITERATION_CAP) != 0;
	s->capacity += (status & WP_STATUS_CAPACITY) != 0;
	s->degenerate += (status & WP_STATUS_DEGENERATE) != 0;
	s->wide_bracket += (status & WP_STATUS_WIDE_BRACKET) != 0;
	if (status & WP_STATUS_INVALID) {
		if (s->invalid == 0 || row < s->first_invalid_row)
			s->first_invalid_row = row;
		s->invalid++;
	}
}

_Static_assert(WP_RESULT_COLUMNS == 14, "each is written here, by rows and by columns, but for caches");

WP_INLINE_LARGE void write_row_of(
	size_t dimension, const wp_call *call, uint32_t row, const double position_a[3], const wp_output *output)
{
	const wp_results *const r = &call->results;
	const size_t at = call->first + row, vector = dimension * sizeof(float);
	const bool has_points = !(output->status & WP_STATUS_INVALID) && call->query != WP_QUERY_OVERLAP;
	const uint8_t overlap = !(output->status & (WP_STATUS_SEPARATED | WP_STATUS_INVALID));
	write_bytes(r->separation.data, r->separation.stride, at, &output->separation, sizeof output->separation);
	write_bytes(r->lower.data, r->lower.stride, at, &output->lower, sizeof output->lower);
	write_bytes(r->upper.data, r->upper.stride, at, &output->upper, sizeof output->upper);
	write_bytes(r->normal.data, r->normal.stride, at, output->normal, vector);
	write_point(call, r->point_a.data, r->point_a.stride, at, dimension, position_a, output->point_a, has_points);
	write_point(call, r->point_b.data, r->point_b.stride, at, dimension, position_a, output->point_b, has_points);
	write_bytes(r->status.data, r->status.stride, at, &output->status, sizeof output->status);
	write_bytes(r->iterations.data, r->iterations.stride, at, &output->iterations, sizeof output->iterations);
	write_bytes(r->overlap.data, r->overlap.stride, at, &overlap, sizeof overlap);
	write_bytes(r->local_a.data, r->local_a.stride, at, output->local_a, vector);
	write_bytes(r->local_b.data, r->local_b.stride, at, output->local_b, vector);
	if (r->tangent_1.data != NULL || r->tangent_2.data != NULL) {
		float tangent_1[3], tangent_2[3];
		wp_tangents(output->normal, tangent_1, tangent_2);
		write_bytes(r->tangent_1.data, r->tangent_1.stride, at, tangent_1, vector);
		write_bytes(r->tangent_2.data, r->tangent_2.stride, at, tangent_2, vector);
	}
}

void wp_write_row(
	const wp_call *call, uint32_t row, const double position_a[3], const wp_output *output, wp_statistics *statistics)
{
	if (call->dimension == WP_3D)
		write_row_of(WP_3D, call, row, position_a, output);
	else
		write_row_of(WP_2D, call, row, position_a, output);
	if (statistics != NULL)
		wp_count_row(statistics, (uint64_t)(call->first + row), output->status);
}

/* ---- the jobs of a bucket ----------------------------------------------------------------------- */

bool wp_has_float_points(const wp_call *call)
{
	return call->a.position_real == WP_REAL_FLOAT && call->results.point_real == WP_REAL_FLOAT &&
	       call->tracked.pairs == NULL;
}

bool wp_wants_details(const wp_results *results)
{
	return results->local_a.data != NULL || results->local_b.data != NULL || results->tangent_1.data != NULL ||
	       results->tangent_2.data != NULL;
}

/* The rows of solved jobs. */
typedef struct rows {
	const uint32_t *row; /* [count], of the call */
	uint32_t count;
	bool are_consecutive;
} rows;

/* Where kernels left a number or a vector of each job: of the first one at `values`, and so many floats from one to the next. */
typedef struct column {
	const float *values;
	size_t next_job;
} column;

/* One output of all jobs, numbers of 4 bytes each. Rows mostly follow one another. */
WP_INLINE void write_column(
	void *field, size_t stride, const wp_call *call, const rows *to, column from, size_t numbers)
{
	if (field == NULL)
		return;
	const float *values = from.values;
	char *at = (char *)field + call->first * stride;
	if (to->are_consecutive) {
		at += to->row[0] * stride;
		for (uint32_t i = 0; i < to->count; i++, at += stride, values += from.next_job)
			memcpy(at, values, numbers * sizeof *values);
	} else {
		for (uint32_t i = 0; i < to->count; i++, values += from.next_job)
			memcpy(at + to->row[i] * stride, values, numbers * sizeof *values);
	}
}

/* The same of constant counts, for each of which the loop stands once where code is to be small. */
WP_INLINE_LARGE void write_numbers(void *field, size_t stride, const wp_call *call, const rows *to, column from)
{
	write_column(field, stride, call, to, from, 1);
}

WP_INLINE_LARGE void write_vectors_3d(void *field, size_t stride, const wp_call *call, const rows *to, column from)
{
	write_column(field, stride, call, to, from, WP_3D);
}

WP_INLINE_LARGE void write_vectors_2d(void *field, size_t stride, const wp_call *call, const rows *to, column from)
{
	write_column(field, stride, call, to, from, WP_2D);
}

WP_INLINE void write_vectors(
	void *field, size_t stride, const wp_call *call, const rows *to, column from, size_t dimension)
{
	if (dimension == WP_3D)
		write_vectors_3d(field, stride, call, to, from);
	else
		write_vectors_2d(field, stride, call, to, from);
}

/* Points that are wanted in double, or counted from positions in double. */
WP_INLINE_LARGE void write_points(void *points, size_t stride, const wp_call *call, const rows *to, column from,
	size_t dimension, const double *origin)
{
	const float *values = from.values;
	const bool present = call->query != WP_QUERY_OVERLAP;
	for (uint32_t i = 0; i < to->count; i++, values += from.next_job) {
		double point[3];
		for (size_t k = 0; k < dimension; k++)
			point[k] = (double)values[k];
		write_point(call, points, stride, call->first + to->row[i], dimension, origin + 3 * i, point, present);
	}
}

static void write_overlaps(const wp_call *call, const rows *to, const int32_t *status)
{
	const wp_results *const r = &call->results;
	for (uint32_t i = 0; r->overlap.data != NULL && i < to->count; i++) {
		const uint8_t overlap = !(status[i] & WP_STATUS_SEPARATED);
		write_bytes(r->overlap.data, r->overlap.stride, call->first + to->row[i], &overlap, sizeof overlap);
	}
}

/* Steps of jobs, and which of them are answered. */
typedef struct steps {
	const int32_t *status, *gjk_steps;
	const int32_t *epa_steps; /* NULL: counted as steps of GJK */
	const int32_t *state;     /* NULL: a status of 0 is no answer */
} steps;

WP_INLINE void count_jobs(const steps *w, uint32_t count, wp_statistics *s)
{
	uint32_t answered = 0, separated = 0, touching = 0, penetrating = 0, beyond = 0, capped = 0, wide = 0;
	uint32_t gjk = 0, epa = 0, epa_rows = 0, gjk_max = 0, epa_max = 0;
	for (uint32_t job = 0; job < count; job++) {
		const uint32_t is_answer = w->state != NULL ? w->state[job] != WP_JOB_STRONG : w->status[job] != 0;
		const uint32_t all = 0u - is_answer, status = (uint32_t)w->status[job] & all;
		const uint32_t gjk_steps = (uint32_t)w->gjk_steps[job] & all;
		const uint32_t epa_steps = w->epa_steps != NULL ? (uint32_t)w->epa_steps[job] & all : 0;
		answered += is_answer;
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
	const wp_statistics all = {.gjk_iterations = gjk,
		.gjk_iterations_max = gjk_max,
		.epa_rows = epa_rows,
		.epa_iterations = epa,
		.epa_iterations_max = epa_max};
	s->rows += answered;
	s->separated += separated;
	s->touching += touching;
	s->penetrating += penetrating;
	s->beyond += beyond;
	s->iteration_cap += capped;
	s->wide_bracket += wide;
	wp_add_work(s, &all);
}

void wp_add_work(wp_statistics *to, const wp_statistics *work)
{
	to->gjk_iterations += work->gjk_iterations;
	to->epa_rows += work->epa_rows;
	to->epa_iterations += work->epa_iterations;
	to->lanes_issued += work->lanes_issued;
	to->lanes_live += work->lanes_live;
	if (work->gjk_iterations_max > to->gjk_iterations_max)
		to->gjk_iterations_max = work->gjk_iterations_max;
	if (work->epa_iterations_max > to->epa_iterations_max)
		to->epa_iterations_max = work->epa_iterations_max;
}

/* Where a row has its outputs, in bytes from the separation. Kernels leave them so, too. */
typedef struct row_layout {
	size_t size, normal, point_a, point_b, lower, upper, status, iterations;
} row_layout;

#define ROW_LAYOUT(type)                                                                                               \
	{                                                                                                                  \
		sizeof(type), offsetof(type, normal), offsetof(type, point_a), offsetof(type, point_b), offsetof(type, lower), \
			offsetof(type, upper), offsetof(type, status), offsetof(type, iterations)                                  \
	}

static const row_layout row_3d = ROW_LAYOUT(wp_row), row_2d = ROW_LAYOUT(wp2d_row);

/* Whether the results are the fields of an array of such structs. */
WP_INLINE bool are_fields(const wp_results *r, const row_layout *row)
{
	const char *const base = (const char *)r->separation.data;
	const size_t strides[] = {r->separation.stride, r->normal.stride, r->point_a.stride, r->point_b.stride,
		r->lower.stride, r->upper.stride, r->status.stride, r->iterations.stride};
	bool together = base != NULL && (const char *)r->normal.data == base + row->normal &&
	                (const char *)r->point_a.data == base + row->point_a &&
	                (const char *)r->point_b.data == base + row->point_b &&
	                (const char *)r->lower.data == base + row->lower &&
	                (const char *)r->upper.data == base + row->upper &&
	                (const char *)r->status.data == base + row->status &&
	                (const char *)r->iterations.data == base + row->iterations;
	for (size_t i = 0; i < WP_COUNT_OF(strides); i++)
		together &= strides[i] == row->size;
	return together;
}

/* The output at an offset of each row. */
WP_INLINE column output_at(column outputs, size_t offset)
{
	return (column){outputs.values + offset / sizeof(float), outputs.next_job};
}

/* Write all outputs of jobs, each to its own array. `origin`: where points are counted from, if they go to doubles or come from
 * there. */
WP_INLINE void write_columns(
	const wp_call *call, const rows *to, column outputs, const row_layout *row, size_t dimension, const double *origin)
{
	const wp_results *const r = &call->results;
	const column point_a = output_at(outputs, row->point_a), point_b = output_at(outputs, row->point_b);
	write_numbers(r->separation.data, r->separation.stride, call, to, outputs);
	write_vectors(r->normal.data, r->normal.stride, call, to, output_at(outputs, row->normal), dimension);
	write_numbers(r->lower.data, r->lower.stride, call, to, output_at(outputs, row->lower));
	write_numbers(r->upper.data, r->upper.stride, call, to, output_at(outputs, row->upper));
	write_numbers(r->status.data, r->status.stride, call, to, output_at(outputs, row->status));
	write_numbers(r->iterations.data, r->iterations.stride, call, to, output_at(outputs, row->iterations));
	if (origin != NULL) {
		write_points(r->point_a.data, r->point_a.stride, call, to, point_a, dimension, origin);
		write_points(r->point_b.data, r->point_b.stride, call, to, point_b, dimension, origin);
	} else {
		write_vectors(r->point_a.data, r->point_a.stride, call, to, point_a, dimension);
		write_vectors(r->point_b.data, r->point_b.stride, call, to, point_b, dimension);
	}
}

/* ---- in 3D -------------------------------------------------------------------------------------- */

/* Where points of a job are counted from: the position of A, or of B where A is a half-space. */
WP_INLINE_LARGE void read_origin(const wp_call *call, const wp_jobs *jobs, uint32_t job, double origin[3])
{
	const bool is_of_b = jobs->kind_a == WP_CORE_HALF_SPACE && jobs->core_a[job]->kind == WP_CORE_HALF_SPACE;
	const wp_bodies *const bodies = is_of_b ? &call->b : &call->a;
	const wp_const_uint32_column *const pair = is_of_b ? &call->pair_b : &call->pair_a;
	bool inside;
	const uint32_t body = wp_body_of_row(
		pair->data, pair->stride, call->first + jobs->row[job], bodies->count, &inside);
	origin[0] = origin[1] = origin[2] = 0.0;
	if (inside) /* it was, when the row was packed */
		wp_read_position(bodies, body, WP_3D, bodies->position_real, origin);
}

void wp_read_origin(const wp_call *call, const wp_jobs *jobs, uint32_t job, double origin[3])
{
	read_origin(call, jobs, job, origin);
}

/* Points counted from positions in double, or wanted in it. */
static void write_columns_3d(const wp_call *call, const wp_jobs *jobs, const rows *to, column outputs)
{
	double origin[3 * WP_JOB_MAX];
	const bool has_points = call->results.point_a.data != NULL || call->results.point_b.data != NULL;
	const bool needs_origin = has_points && !wp_has_float_points(call);
	for (uint32_t i = 0; needs_origin && i < to->count; i++)
		read_origin(call, jobs, i, origin + 3 * i);
	write_columns(call, to, outputs, &row_3d, WP_3D, needs_origin ? origin : NULL);
}

static void write_detail(
	float *field, size_t stride, const wp_call *call, const wp_jobs *jobs, const rows *to, int detail)
{
	write_vectors(field, stride, call, to, (column){jobs->detail + detail, WP_DETAIL_COUNT}, WP_3D);
}

static void write_details(const wp_call *call, const wp_jobs *jobs, const rows *to)
{
	const wp_results *const r = &call->results;
	write_detail(r->local_a.data, r->local_a.stride, call, jobs, to, WP_DETAIL_LOCAL_A);
	write_detail(r->local_b.data, r->local_b.stride, call, jobs, to, WP_DETAIL_LOCAL_B);
	write_detail(r->tangent_1.data, r->tangent_1.stride, call, jobs, to, WP_DETAIL_TANGENT_1);
	write_detail(r->tangent_2.data, r->tangent_2.stride, call, jobs, to, WP_DETAIL_TANGENT_2);
}

bool wp_are_rows(const wp_results *results) { return are_fields(results, &row_3d); }

void wp_count_jobs(const wp_jobs *jobs, wp_statistics *statistics)
{
	count_jobs(&(steps){jobs->status, jobs->gjk_steps, jobs->epa_steps, jobs->state}, jobs->count, statistics);
}

void wp_write_jobs(const wp_call *call, const wp_jobs *jobs, wp_statistics *statistics)
{
	const wp_results *const r = &call->results;
	const uint32_t count = jobs->count;
	const bool ascend = call->tracked.pairs == NULL;
	const rows to = {jobs->row, count, ascend && jobs->row[count - 1] - jobs->row[0] == count - 1};
	const column outputs = {jobs->output, WP_OUTPUT_COUNT};
	if (wp_has_float_points(call) && wp_are_rows(r))
		write_column(r->separation.data, sizeof(wp_row), call, &to, outputs, sizeof(wp_row) / sizeof(float));
	else
		write_columns_3d(call, jobs, &to, outputs);
	write_overlaps(call, &to, jobs->status);
	if (jobs->wants_details)
		write_details(call, jobs, &to);
	if (call->counts_rows)
		wp_count_jobs(jobs, statistics);
}

/* ---- in 2D -------------------------------------------------------------------------------------- */

#define IS_OUTPUT_2D(field, output) (offsetof(wp2d_row, field) == sizeof(float) * output)
_Static_assert(IS_OUTPUT_2D(separation, WP2D_OUTPUT_SEPARATION) && IS_OUTPUT_2D(normal, WP2D_OUTPUT_NORMAL) &&
				   IS_OUTPUT_2D(point_a, WP2D_OUTPUT_POINT_A) && IS_OUTPUT_2D(point_b, WP2D_OUTPUT_POINT_B) &&
				   IS_OUTPUT_2D(lower, WP2D_OUTPUT_LOWER) && IS_OUTPUT_2D(upper, WP2D_OUTPUT_UPPER) &&
				   IS_OUTPUT_2D(status, WP2D_OUTPUT_STATUS) && IS_OUTPUT_2D(iterations, WP2D_OUTPUT_ITERATIONS) &&
				   sizeof(wp2d_row) == WP2D_OUTPUT_COUNT * sizeof(float),
	"the outputs of a job are a wp2d_row");

WP_INLINE column detail_of(const wp2d_jobs *jobs, int detail)
{
	return (column){jobs->detail + detail, WP2D_DETAIL_COUNT};
}

WP_NOINLINE void write_columns_2d(const wp_call *call, const wp2d_jobs *jobs, const rows *to, column outputs)
{
	write_columns(call, to, outputs, &row_2d, WP_2D, jobs->has_float_points ? NULL : jobs->origin[0]);
}

static bool are_rows_2d(const wp_call *call, const wp2d_jobs *jobs)
{
	return jobs->has_float_points && are_fields(&call->results, &row_2d);
}

static rows rows_of_jobs_2d(const wp2d_jobs *jobs)
{
	return (rows){jobs->row, jobs->count, jobs->row[jobs->count - 1] - jobs->row[0] == jobs->count - 1};
}

/* The first of rows that follow one another. */
static wp2d_row *row_of_caller(const wp_call *call, const rows *to)
{
	return (wp2d_row *)(void *)call->results.separation.data + call->first + to->row[0];
}

float *wp2d_rows_of_jobs(const wp_call *call, wp2d_jobs *jobs)
{
	const rows to = rows_of_jobs_2d(jobs);
	if (to.count % WP_WIDTH_MAX != 0 || !to.are_consecutive || !are_rows_2d(call, jobs))
		return jobs->output;
	return &row_of_caller(call, &to)->separation;
}

void wp2d_write_jobs(const wp_call *call, const wp2d_jobs *jobs, wp_statistics *statistics)
{
	const wp_results *const r = &call->results;
	const rows to = rows_of_jobs_2d(jobs);
	const steps all = {.status = jobs->status, .gjk_steps = jobs->iterations};
	const column outputs = {jobs->output, WP2D_OUTPUT_COUNT};
	const bool are_rows = are_rows_2d(call, jobs);
	if (are_rows && to.are_consecutive && jobs->rows == jobs->output)
		memcpy(row_of_caller(call, &to), jobs->output, to.count * sizeof(wp2d_row));
	else if (are_rows && !to.are_consecutive)
		write_column(r->separation.data, sizeof(wp2d_row), call, &to, outputs, WP2D_OUTPUT_COUNT);
	else if (!are_rows)
		write_columns_2d(call, jobs, &to, outputs);
	write_overlaps(call, &to, jobs->status);
	if (jobs->wants_details) {
		write_vectors(r->local_a.data, r->local_a.stride, call, &to, detail_of(jobs, WP2D_DETAIL_LOCAL_A), WP_2D);
		write_vectors(r->local_b.data, r->local_b.stride, call, &to, detail_of(jobs, WP2D_DETAIL_LOCAL_B), WP_2D);
	}
	if (call->counts_rows)
		count_jobs(&all, jobs->count, statistics);
}
