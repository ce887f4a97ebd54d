#include "batch/one.h"
#include "batch/cache.h"
#include "batch/ground.h"
#include "batch/manifold.h"
#include "batch/pack.h"
#include "batch/read.h"
#include "batch/write.h"

static bool is_ground(const wp_core *core) { return core->kind == WP_CORE_HALF_SPACE; }

/* Whether there is a kernel for the pair: custom shapes and two half-spaces have none. */
static bool has_kernel(const wp_one *one)
{
	const wp_core *const a = one->core_a, *const b = one->core_b;
	return a != NULL && b != NULL && a->kind <= WP_CORE_HALF_SPACE && b->kind <= WP_CORE_HALF_SPACE &&
	       (!is_ground(a) || !is_ground(b));
}

static bool has_doubles(const wp_one *one) { return one->position_real == WP_REAL_DOUBLE; }

WP_INLINE_LARGE bool read_position(const wp_one *one, const void *from, double position[3])
{
	const wp_bodies of = {.position.data = from};
	return wp_read_position(&of, 0, WP_3D, one->position_real, position);
}

static wp_positions positions_of(const wp_one *one)
{
	double a[3], b[3];
	if (!has_doubles(one))
		return wp_float_positions(one->position_a, one->position_b);
	const bool inside_a = read_position(one, one->position_a, a), inside_b = read_position(one, one->position_b, b);
	return wp_relative_positions(a, b, inside_a && inside_b);
}

/* Make the pair the only job, whose inputs are there. All buckets are empty, and stay so. */
static void take_job(wp_workspace *workspace, const wp_one_question *question, const wp_one *one, float *input)
{
	wp_jobs *const jobs = &workspace->jobs;
	wp_running *const running = &workspace->running;
	running->core_a[0] = one->core_a;
	running->core_b[0] = one->core_b;
	running->row[0] = 0;
	jobs->count = 1;
	jobs->query = question->query;
	jobs->wants_details = question->manifold != NULL;
	jobs->wants_points = question->manifold != NULL;
	jobs->wants_tangents = 0;
	jobs->max_separation = question->max_separation;
	jobs->method = WP_JOB_AUTOMATIC;
	jobs->find_farthest = workspace->find_farthest;
	jobs->few = jobs->half = NULL;
	jobs->input[0] = input;
	jobs->core_a = running->core_a;
	jobs->core_b = running->core_b;
	jobs->row = running->row;
	if (workspace->few->width > 1)
		wp_pad_cores(running, 1);
}

/* Memory for the inputs of the only job. */
static float *input_of(const wp_workspace *workspace) { return workspace->buckets.last[0]->input; }

/* Solve a pair with a half-space. */
static void solve_ground(wp_workspace *workspace, const wp_one_question *question, const wp_one *one)
{
	wp_jobs *const jobs = &workspace->jobs;
	float *const input = input_of(workspace);
	wp_ground_side side[2] = {
		{.core = one->core_a, .rotation = one->rotation_a}, {.core = one->core_b, .rotation = one->rotation_b}};
	const bool inside_a = read_position(one, one->position_a, side[0].position);
	const bool inside_b = read_position(one, one->position_b, side[1].position);
	const int space = is_ground(one->core_a) ? 0 : 1;
	wp_pack_half_space(input, &side[space], &side[1 - space], inside_a && inside_b, !has_doubles(one));
	take_job(workspace, question, one, input);
	wp_kinds_of_bucket(wp_bucket_of_kinds(one->core_a->kind, one->core_b->kind), &jobs->kind_a, &jobs->kind_b);
	wp_cache_lend(jobs, one->cache, sizeof(wp_cache));
	wp_find_down(jobs);
	workspace->few->solve_half_space(jobs);
}

/* Solve any other pair. */
WP_INLINE void solve_pair(
	wp_workspace *workspace, const wp_one_question *question, const wp_one *one, wp_kernel_work *work)
{
	wp_jobs *const jobs = &workspace->jobs;
	float *const input = input_of(workspace);
	const wp_positions positions = positions_of(one);
	const wp_places at = wp_places_of(&positions, one->core_a, one->core_b);
	const bool is_apart = wp_spheres_suffice(question->query, WP_JOB_AUTOMATIC) &&
	                      wp_are_apart(&at, one->core_a, one->core_b, question->max_separation);
	wp_pack_input(input, &at, one->rotation_a, one->rotation_b);
	take_job(workspace, question, one, input);
	wp_kinds_of_pair(one->core_a->kind, one->core_b->kind, is_apart, &jobs->kind_a, &jobs->kind_b);
	wp_cache_lend(jobs, one->cache, sizeof(wp_cache));
	if (is_apart)
		workspace->few->closed->solve_spheres(jobs);
	else
		workspace->few->solve(jobs, workspace->scratch, work);
}

/* Points that are counted from a position in double, A's or that of the shape on a half-space, go to where they are. */
static void move_points(const wp_one *one, wp_row *row)
{
	double origin[3];
	read_position(one, is_ground(one->core_a) ? one->position_b : one->position_a, origin);
	wp_move_point(origin, row->point_a);
	wp_move_point(origin, row->point_b);
}

static void write_row(const wp_jobs *jobs, const wp_one *one, void *to)
{
	if (!has_doubles(one) || jobs->query == WP_QUERY_OVERLAP) {
		memcpy(to, jobs->output, sizeof(wp_row));
		return;
	}
	wp_row row;
	memcpy(&row, jobs->output, sizeof row);
	move_points(one, &row);
	memcpy(to, &row, sizeof row);
}

static void write_manifold(wp_workspace *workspace, const wp_one_question *question, const wp_one *one)
{
	const wp_kernels *const kernels = workspace->few;
	const wp_call call = {.dimension = WP_3D,
		.a = {.position.data = one->position_a, .count = 1, .position_real = one->position_real},
		.b = {.position.data = one->position_b, .count = 1, .position_real = one->position_real},
		.query = question->query,
		.max_separation = question->max_separation,
		.manifolds = *question->manifold};
	wp_write_manifolds(&call, &workspace->jobs, kernels, kernels, workspace->manifold);
}

bool wp_run_one(
	wp_workspace *workspace, const wp_one_question *question, const wp_one *one, void *row, wp_statistics *statistics)
{
	if (!has_kernel(one))
		return false;
	wp_jobs *const jobs = &workspace->jobs;
	wp_kernel_work work = {0, 0};
	if (is_ground(one->core_a) || is_ground(one->core_b))
		solve_ground(workspace, question, one);
	else
		solve_pair(workspace, question, one, &work);
	if (jobs->state[0] == WP_JOB_STRONG)
		return false;
	write_row(jobs, one, row);
	if (jobs->cache != NULL)
		wp_cache_take(jobs, 0, one->cache);
	if (question->manifold != NULL)
		write_manifold(workspace, question, one);
	if (statistics != NULL) {
		statistics->lanes_issued += work.lanes_issued;
		statistics->lanes_live += work.lanes_live;
		wp_count_jobs(jobs, statistics);
	}
	return true;
}

/* ---- rows of short batches ---------------------------------------------------------------------- */

bool wp_are_few_rows(
	const wp_workspace *workspace, const wp_batch *batch, const wp_request *request, const wp_results *results)
{
	/* A build may have the kernels of 2D alone. */
	if (request->dimension != WP_3D)
		return false;
	/* Several rows take one step together in many lanes. */
	const bool are_few = batch->count == 1 || (batch->count <= WP_FEW_JOBS && workspace->few->width == 1);
	return are_few && results->point_real == WP_REAL_FLOAT && request->by.method == WP_JOB_AUTOMATIC &&
	       wp_are_rows(results) && results->overlap.data == NULL && !wp_wants_details(results);
}

/* One side of a row: false where there is no such body. */
static bool read_body(const wp_batch *batch, const wp_bodies *bodies, const wp_const_uint32_column *pair, size_t row,
	const wp_core **core, const void **position, const void **rotation)
{
	bool inside;
	const size_t stride = wp_or_packed(pair->stride, sizeof *pair->data);
	const uint32_t body = wp_body_of_row(pair->data, stride, row, bodies->count, &inside);
	if (!inside)
		return false;
	const size_t shape_at = body * wp_or_packed(bodies->shape.stride, sizeof(uint32_t));
	*core = wp_core_of_table(batch->shapes, wp_shape_of_body(bodies, body, shape_at));
	const size_t packed = wp_point_size(bodies->position_real, WP_3D);
	*position = wp_offset(bodies->position.data, body * wp_or_packed(bodies->position.stride, packed));
	*rotation = wp_offset(bodies->rotation.data, body * wp_or_packed(bodies->rotation.stride, 4 * sizeof(float)));
	return true;
}

/* Where the manifold of one row goes: the memory of that row becomes the first. */
static wp_point_rows points_of_row(const wp_point_rows *rows, size_t row)
{
	wp_point_rows m = *rows;
	const size_t packed = m.point_max * (sizeof(wp_manifold_point) - m.left_out);
	m.points += row * wp_or_packed(m.points_stride, packed);
	m.count = (uint32_t *)((char *)m.count + row * wp_or_packed(m.count_stride, sizeof *m.count));
	return m;
}

bool wp_run_row(wp_workspace *workspace, const wp_batch *batch, const wp_request *request, const wp_results *results,
	size_t row, wp_statistics *statistics)
{
	wp_one one = {.position_real = batch->a.position_real};
	const wp_bodies *const a = &batch->a, *const b = wp_has_one_view(batch) ? a : &batch->b;
	if (!read_body(batch, a, &batch->pair_a, row, &one.core_a, &one.position_a, &one.rotation_a) ||
		!read_body(batch, b, &batch->pair_b, row, &one.core_b, &one.position_b, &one.rotation_b))
		return false;
	wp_point_rows points;
	wp_one_question question = {.query = request->query, .max_separation = request->max_separation};
	if (request->manifolds.points != NULL) {
		points = points_of_row(&request->manifolds, row);
		question.manifold = &points;
	}
	const wp_cache_column *const cache = &results->cache;
	const size_t cache_at = row * wp_or_packed(cache->stride, sizeof *cache->data);
	one.cache = cache->data != NULL ? (char *)cache->data + cache_at : NULL;
	return wp_run_one(workspace, &question, &one, (char *)results->separation.data + row * sizeof(wp_row), statistics);
}
