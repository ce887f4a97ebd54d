#include "batch/bucket_2d.h"
#include "batch/manifold_2d.h"

/* ---- packing ------------------------------------------------------------------------------------ */

/* How the bodies of a call are read. */
typedef enum reading {
	READ_POSES, /* floats, each rotation right behind its position */
	READ_FLOATS,
	READ_DOUBLES /* positions or points are in double */
} reading;

static bool are_poses(const wp_bodies *bodies)
{
	return bodies->rotation.data == wp_offset(bodies->position.data, WP_2D * sizeof(float)) &&
	       bodies->rotation.stride == bodies->position.stride;
}

static reading reading_of(const wp_call *call)
{
	if (!wp_has_float_points(call))
		return READ_DOUBLES;
	return are_poses(&call->a) && are_poses(&call->b) ? READ_POSES : READ_FLOATS;
}

/* The core of the body that a row names; NULL where the body or its shape is invalid. */
WP_INLINE const wp2d_core *core_of_row(
	const wp_call *call, const wp_bodies *bodies, const wp_const_uint32_column *pair, size_t row, size_t *body)
{
	*body = pair->data != NULL ? wp_read_index(wp_offset(pair->data, row * pair->stride)) : row;
	if (*body >= bodies->count)
		return NULL;
	const size_t shape = bodies->shape.data != NULL
	                       ? wp_read_index(wp_offset(bodies->shape.data, *body * bodies->shape.stride))
	                       : *body;
	if (shape >= call->core_count || call->cores_2d[shape].bucket == WP2D_BUCKET_COUNT)
		return NULL;
	return &call->cores_2d[shape];
}

/* The positions of both bodies relative to A's, and that. */
WP_INLINE_LARGE void put_doubles(
	const wp_call *call, size_t body_a, size_t body_b, double origin[3], float *row_a, float *row_b)
{
	const wp_bodies *const a = &call->a, *const b = &call->b;
	double to[3];
	const bool inside_a = wp_read_position(a, body_a, WP_2D, a->position_real, origin);
	const bool inside_b = wp_read_position(b, body_b, WP_2D, b->position_real, to);
	for (int i = 0; i < WP_2D; i++) {
		row_a[i] = 0.0f;
		row_b[i] = inside_a && inside_b ? (float)(to[i] - origin[i]) : WP_NAN;
	}
}

/* Copy a pose of floats: the differences and sums of floats have the bits of double ones rounded. */
WP_INLINE void copy_pose(const wp_bodies *bodies, size_t body, reading how, float *row)
{
	const size_t vector = WP_2D * sizeof(float);
	const void *const position = wp_offset(bodies->position.data, body * bodies->position.stride);
	if (how == READ_POSES) {
		memcpy(row, position, 2 * vector);
		return;
	}
	if (how == READ_FLOATS)
		memcpy(row, position, vector);
	memcpy(row + WP_2D, wp_offset(bodies->rotation.data, body * bodies->rotation.stride), vector);
}

/* Make a row the job `job`. Kernels leave jobs with invalid positions and rotations open. */
WP_INLINE void put_job(const wp_call *call, uint32_t row, const size_t body[2], const wp2d_core *a, const wp2d_core *b,
	wp2d_jobs *jobs, uint32_t job, bool are_circles, reading how)
{
	float *const body_a = jobs->body + (size_t)4 * WP2D_SIDE_COUNT * job, *const body_b = body_a + 4;
	jobs->row[job] = row;
	if (how == READ_DOUBLES)
		put_doubles(call, body[0], body[1], jobs->origin[job], body_a, body_b);
	copy_pose(&call->a, body[0], how, body_a);
	copy_pose(&call->b, body[1], how, body_b);
	wp2d_put_core(jobs, job, WP2D_SIDE_A, a, are_circles);
	wp2d_put_core(jobs, job, WP2D_SIDE_B, b, are_circles);
}

/* Make a row a job. Returns its bucket; NULL, and nothing done, where a body or a shape is invalid. */
WP_INLINE_LARGE wp2d_jobs *pack_row(
	const wp_call *call, uint32_t row, wp2d_jobs buckets[WP2D_BUCKET_COUNT], reading how)
{
	size_t body[2];
	const wp2d_core *const a = core_of_row(call, &call->a, &call->pair_a, call->first + row, &body[0]);
	const wp2d_core *const b = core_of_row(call, &call->b, &call->pair_b, call->first + row, &body[1]);
	if (a == NULL || b == NULL)
		return NULL;
	wp2d_jobs *const jobs = &buckets[a->bucket > b->bucket ? a->bucket : b->bucket];
	WP_ASSERT(jobs->count < WP2D_JOB_MAX);
	const uint32_t job = jobs->count++;
	if (jobs == &buckets[WP2D_BUCKET_CIRCLES])
		put_job(call, row, body, a, b, jobs, job, true, how);
	else
		put_job(call, row, body, a, b, jobs, job, false, how);
	return jobs;
}

/* ---- packing circles ---------------------------------------------------------------------------- */

/* Pairs of circles take so few steps that reading them is most of the work: so a run of rows is read column by column. */

static void number_rows(uint32_t first, uint32_t count, uint32_t *to)
{
	for (uint32_t i = 0; i < count; i++)
		to[i] = first + i;
}

/* The bodies of one side of a run: they follow one another, or are listed. */
typedef struct run_bodies {
	bool are_listed;
	size_t first;
	uint32_t list[WP2D_JOB_MAX];
} run_bodies;

WP_INLINE size_t body_of_run(const run_bodies *bodies, uint32_t i, bool are_listed)
{
	return are_listed ? bodies->list[i] : bodies->first + i;
}

/* Name the bodies of one side of a run; returns how many rows have one. */
static uint32_t name_bodies(const wp_call *call, const wp_bodies *bodies, const wp_const_uint32_column *pair,
	uint32_t row, uint32_t count, run_bodies *to)
{
	const size_t first = call->first + row, stride = pair->stride;
	const size_t last = bodies->count < UINT32_MAX ? bodies->count : UINT32_MAX;
	to->are_listed = pair->data != NULL;
	to->first = first;
	if (!to->are_listed)
		return first >= last ? 0 : last - first < count ? (uint32_t)(last - first) : count;
	const char *at = wp_offset(pair->data, first * stride);
	uint32_t inside = 0;
	for (; inside < count; inside++, at += stride) {
		const size_t named = wp_read_index(at);
		if (named >= last)
			break;
		to->list[inside] = (uint32_t)named;
	}
	return inside;
}

/* One side of a run of circles: the radii, and the poses as they are in rows of jobs. Returns how many rows from the first on
 * have a circle there. */
WP_INLINE uint32_t take_side_of(const wp_call *call, const wp_bodies *bodies, const run_bodies *body, uint32_t count,
	float *radius, float *rows, bool are_listed, reading how)
{
	const wp_bodies of = *bodies;
	const wp2d_core *const cores = call->cores_2d;
	const size_t end = call->core_count;
	uint32_t circles = 0;
	for (; circles < count; circles++, rows += 4 * WP2D_SIDE_COUNT) {
		const size_t named = body_of_run(body, circles, are_listed);
		const size_t shape = of.shape.data != NULL ? wp_read_index(wp_offset(of.shape.data, named * of.shape.stride))
		                                           : named;
		if (shape >= end || cores[shape].bucket != WP2D_BUCKET_CIRCLES)
			break;
		radius[circles] = cores[shape].radius;
		copy_pose(&of, named, how, rows);
	}
	return circles;
}

WP_INLINE_LARGE uint32_t take_side_as(const wp_call *call, const wp_bodies *bodies, const run_bodies *body,
	uint32_t count, float *radius, float *rows, reading how)
{
	return body->are_listed ? take_side_of(call, bodies, body, count, radius, rows, true, how)
	                        : take_side_of(call, bodies, body, count, radius, rows, false, how);
}

static uint32_t take_side(const wp_call *call, const wp_bodies *bodies, const run_bodies *body, uint32_t count,
	float *radius, float *rows, reading how)
{
	return how == READ_POSES  ? take_side_as(call, bodies, body, count, radius, rows, READ_POSES)
	     : how == READ_FLOATS ? take_side_as(call, bodies, body, count, radius, rows, READ_FLOATS)
	                          : take_side_as(call, bodies, body, count, radius, rows, READ_DOUBLES);
}

/* Whether a row has two circles. */
static bool has_circles(const wp_call *call, uint32_t row)
{
	size_t body[2];
	const wp2d_core *const a = core_of_row(call, &call->a, &call->pair_a, call->first + row, &body[0]);
	const wp2d_core *const b = core_of_row(call, &call->b, &call->pair_b, call->first + row, &body[1]);
	return a != NULL && b != NULL && a->bucket == WP2D_BUCKET_CIRCLES && b->bucket == WP2D_BUCKET_CIRCLES;
}

/* Make jobs of the rows from `row` on that have two circles, up to the first one that does not, while there is room.
 * Returns the row after them. */
static uint32_t pack_circles(const wp_call *call, uint32_t row, uint32_t count, wp2d_jobs *jobs, reading how)
{
	const uint32_t job = jobs->count, room = WP2D_JOB_MAX - job;
	run_bodies body_a, body_b;
	uint32_t run = count - row < room ? count - row : room;
	if (run == 0 || !has_circles(call, row))
		return row;
	float *const rows = jobs->body + (size_t)4 * WP2D_SIDE_COUNT * job;
	run = name_bodies(call, &call->a, &call->pair_a, row, run, &body_a);
	run = name_bodies(call, &call->b, &call->pair_b, row, run, &body_b);
	run = take_side(call, &call->a, &body_a, run, jobs->radius[WP2D_SIDE_A] + job, rows, how);
	run = take_side(call, &call->b, &body_b, run, jobs->radius[WP2D_SIDE_B] + job, rows + 4, how);
	number_rows(row, run, jobs->row + job);
	for (uint32_t i = 0; how == READ_DOUBLES && i < run; i++) {
		float *const at = rows + (size_t)4 * WP2D_SIDE_COUNT * i;
		put_doubles(call, body_of_run(&body_a, i, body_a.are_listed), body_of_run(&body_b, i, body_b.are_listed),
			jobs->origin[job + i], at, at + 4);
	}
	jobs->count = job + run;
	return row + run;
}

/* ---- packing rows ------------------------------------------------------------------------------- */

/* Make jobs of the rows from `row` on, `count` being the end of them, until a bucket is full or a row has no job.
 * Returns the row after the last job; *full is the bucket, or NULL. */
WP_INLINE_LARGE uint32_t pack_rows(const wp_call *call, uint32_t row, uint32_t count,
	wp2d_jobs buckets[WP2D_BUCKET_COUNT], reading how, wp2d_jobs **full)
{
	wp2d_jobs *const circles = &buckets[WP2D_BUCKET_CIRCLES];
	row = pack_circles(call, row, count, circles, how);
	for (*full = circles->count == WP2D_JOB_MAX ? circles : NULL; *full == NULL && row < count; row++) {
		wp2d_jobs *const jobs = pack_row(call, row, buckets, how);
		if (jobs == NULL)
			return row;
		if (jobs->count == WP2D_JOB_MAX)
			*full = jobs;
	}
	return row;
}

_Static_assert(WP2D_JOB_MAX % WP_WIDTH_MAX == 0, "the last block is a whole one");

/* The lanes past the last job do what the first one does. */
static void fill_block(wp2d_jobs *jobs, size_t width)
{
	/* A width is a power of two, and machines without a division call for one. */
	const size_t size = (size_t)4 * WP2D_SIDE_COUNT, end = (jobs->count + width - 1) & ~(width - 1);
	for (size_t job = jobs->count; job < end; job++) {
		memcpy(jobs->body + size * job, jobs->body, size * sizeof(float));
		if (jobs->are_circles) {
			jobs->radius[WP2D_SIDE_A][job] = jobs->radius[WP2D_SIDE_A][0];
			jobs->radius[WP2D_SIDE_B][job] = jobs->radius[WP2D_SIDE_B][0];
			continue;
		}
		memcpy(jobs->core_row + size * job, jobs->core_row, size * sizeof(float));
		jobs->core[WP2D_SIDE_A][job] = jobs->core[WP2D_SIDE_A][0];
		jobs->core[WP2D_SIDE_B][job] = jobs->core[WP2D_SIDE_B][0];
	}
}

/* ---- running ------------------------------------------------------------------------------------ */

/* Solve a job that the kernels left open. */
static void run_strongly(wp_workspace *workspace, const wp_call *call, uint32_t row, wp_statistics *statistics)
{
	wp_input input;
	wp_output output;
	wp_run_strong_row(workspace, call, row, &input, &output, statistics);
	if (call->manifolds.points != NULL)
		wp2d_write_manifold(call, row, &input, &output);
}

void wp2d_solve_jobs(wp_workspace *workspace, wp2d_jobs *jobs, wp_kernel_work *work)
{
	/* Wide kernels take as long for one pair as for many; one lane has the same bits. */
	const wp2d_kernels *const kernels = jobs->count <= WP_FEW_JOBS ? workspace->few_2d
	                                  : wp_fill_half(jobs->count)  ? workspace->half_2d
	                                                               : workspace->kernels_2d;
	jobs->open = jobs->unwritten[0] = jobs->unwritten[1] = 0;
	fill_block(jobs, kernels->width);
	if (jobs->are_circles)
		kernels->solve_circles(jobs);
	else
		kernels->solve(jobs, &workspace->memory_2d->scratch, work);
}

/* Run a bucket through the kernels and empty it. */
static void run_bucket(wp_workspace *workspace, const wp_call *call, wp2d_jobs *jobs, wp_statistics *statistics)
{
	wp_kernel_work work = {0, 0};
	jobs->query = call->query;
	jobs->max_separation = call->max_separation;
	jobs->are_circles = jobs == &workspace->memory_2d->buckets[WP2D_BUCKET_CIRCLES];
	jobs->has_float_points = wp_has_float_points(call);
	jobs->wants_manifolds = call->manifolds.points != NULL;
	jobs->wants_details = wp_wants_details(&call->results);
	jobs->rows = wp2d_rows_of_jobs(call, jobs);
	jobs->point_rows = wp2d_point_rows_of_jobs(call, jobs);
	jobs->points_stride = call->manifolds.points_stride;
	wp2d_solve_jobs(workspace, jobs, &work);
	statistics->lanes_issued += work.lanes_issued;
	statistics->lanes_live += work.lanes_live;
	wp2d_write_jobs(call, jobs, statistics);
	if (jobs->wants_manifolds)
		wp2d_write_manifolds(call, jobs);
	for (uint32_t job = 0; jobs->open != 0 && job < jobs->count; job++)
		if (jobs->status[job] == 0)
			run_strongly(workspace, call, jobs->row[job], statistics);
	jobs->count = 0;
}

void wp2d_empty_buckets(wp2d_memory *memory)
{
	for (uint32_t i = 0; i < WP2D_BUCKET_COUNT; i++)
		memory->buckets[i].count = 0;
}

uint32_t wp2d_run_jobs(
	wp_workspace *workspace, const wp_call *call, uint32_t row, uint32_t count, wp_statistics *statistics)
{
	/* A copy that no function is given: its fields need not be read again for each row. */
	const wp_call own = *call;
	const reading how = reading_of(call);
	wp2d_jobs *const buckets = workspace->memory_2d->buckets, *full = NULL;
	do {
		row = how == READ_POSES  ? pack_rows(&own, row, count, buckets, READ_POSES, &full)
		    : how == READ_FLOATS ? pack_rows(&own, row, count, buckets, READ_FLOATS, &full)
		                         : pack_rows(&own, row, count, buckets, READ_DOUBLES, &full);
		if (full != NULL)
			run_bucket(workspace, call, full, statistics);
	} while (full != NULL);
	return row;
}

void wp2d_run_waiting(wp_workspace *workspace, const wp_call *call, wp_statistics *statistics)
{
	for (uint32_t i = 0; i < WP2D_BUCKET_COUNT; i++)
		if (workspace->memory_2d->buckets[i].count != 0)
			run_bucket(workspace, call, &workspace->memory_2d->buckets[i], statistics);
}
