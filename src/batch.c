/* The queries. Validate the call, sort rows into buckets of like core kinds, run each bucket through
 * the kernels as it fills, solve again what they left open, write every row. */
#include "batch.h"
#include "cache.h"
#include "directions.h"
#include "environment.h"
#include "manifold.h"
#include "workspace.h"

/* ---- the call's own arguments ------------------------------------------------------------------- */

static size_t or_packed(size_t stride, size_t packed) { return stride != 0 ? stride : packed; }

static bool is_real(uint32_t real) { return real == WP_REAL_FLOAT || real == WP_REAL_DOUBLE; }

static size_t point_size(uint32_t real) { return real == WP_REAL_DOUBLE ? 3 * sizeof(double) : 3 * sizeof(float); }

bool wp_is_no_view(const wp_bodies *b)
{
	return b->position == NULL && b->rotation == NULL && b->shape == NULL && b->position_stride == 0 &&
	       b->rotation_stride == 0 && b->shape_stride == 0 && b->count == 0 && b->position_real == 0;
}

static bool is_short_position(const wp_bodies *bodies, size_t dimension)
{
	const size_t number = bodies->position_real == WP_REAL_DOUBLE ? sizeof(double) : sizeof(float);
	return wp_is_short(bodies->position, bodies->position_stride, dimension * number);
}

static wp_error check_bodies_of_b(const wp_bodies *a, const wp_bodies *b, size_t dimension)
{
	if (b->position == NULL)
		return WP_ERROR_BODIES_B_POSITION;
	if (b->rotation == NULL)
		return WP_ERROR_BODIES_B_ROTATION;
	if (b->position_real != a->position_real)
		return WP_ERROR_BODIES_B_REAL;
	if (is_short_position(b, dimension))
		return WP_ERROR_BODIES_B_POSITION_STRIDE;
	if (wp_is_short(b->rotation, b->rotation_stride, wp_rotation_size(dimension)))
		return WP_ERROR_BODIES_B_ROTATION_STRIDE;
	return wp_is_short(b->shape, b->shape_stride, sizeof(uint32_t)) ? WP_ERROR_BODIES_B_SHAPE_STRIDE : WP_OK;
}

wp_error wp_check_bodies(const wp_bodies *a, const wp_bodies *b, size_t dimension)
{
	if (!is_real(a->position_real))
		return WP_ERROR_BODIES_A_REAL;
	if (a->position == NULL)
		return WP_ERROR_BODIES_A_POSITION;
	if (a->rotation == NULL)
		return WP_ERROR_BODIES_A_ROTATION;
	if (is_short_position(a, dimension))
		return WP_ERROR_BODIES_A_POSITION_STRIDE;
	if (wp_is_short(a->rotation, a->rotation_stride, wp_rotation_size(dimension)))
		return WP_ERROR_BODIES_A_ROTATION_STRIDE;
	if (wp_is_short(a->shape, a->shape_stride, sizeof(uint32_t)))
		return WP_ERROR_BODIES_A_SHAPE_STRIDE;
	return wp_is_no_view(b) ? WP_OK : check_bodies_of_b(a, b, dimension);
}

/* Two arrays whose starts are one index apart are columns of one array of pairs, so they are not packed. */
wp_error wp_check_pairs(const uint32_t *pair_a, const uint32_t *pair_b, size_t stride, size_t end)
{
	const bool are_both = pair_a != NULL && pair_b != NULL;
	const bool are_beside = are_both && (pair_b == pair_a + 1 || pair_a == pair_b + 1);
	const bool is_short = wp_is_short(pair_a, stride, sizeof *pair_a) || wp_is_short(pair_b, stride, sizeof *pair_b);
	return is_short || (stride == 0 && are_beside && end > 1) ? WP_ERROR_PAIR_STRIDE : WP_OK;
}

wp_error wp_check_motions(const wp_motions *a, const wp_motions *b, size_t dimension)
{
	const size_t way = dimension * sizeof(float), rotation = wp_rotation_size(dimension);
	if (a != NULL && wp_is_short(a->translation, a->translation_stride, way))
		return WP_ERROR_MOTIONS_A_TRANSLATION_STRIDE;
	if (a != NULL && wp_is_short(a->rotation, a->rotation_stride, rotation))
		return WP_ERROR_MOTIONS_A_ROTATION_STRIDE;
	if (b != NULL && wp_is_short(b->translation, b->translation_stride, way))
		return WP_ERROR_MOTIONS_B_TRANSLATION_STRIDE;
	if (b != NULL && wp_is_short(b->rotation, b->rotation_stride, rotation))
		return WP_ERROR_MOTIONS_B_ROTATION_STRIDE;
	return WP_OK;
}

wp_error wp_check_ranges(
	const wp_workspace *workspace, size_t first, size_t count, uint32_t point_real, float max_separation)
{
	if (!wp_workspace_is_made(workspace))
		return WP_ERROR_WORKSPACE_INVALID;
	if (!(max_separation >= 0.0f))
		return WP_ERROR_MAX_SEPARATION;
	if (!is_real(point_real))
		return WP_ERROR_RESULTS_REAL;
	return first + count < first || count > UINT32_MAX ? WP_ERROR_PAIR_RANGE : WP_OK;
}

static wp_error check_method(const wp_batch *batch)
{
	const float margin = batch->method_margin;
	const uint32_t directions = batch->method_directions;
	if (batch->method >= WP_METHOD_COUNT)
		return WP_ERROR_METHOD;
	if (batch->method == WP_METHOD_CORE && !(margin >= 0.0f && margin <= WP_COORDINATE_MAX))
		return WP_ERROR_METHOD_MARGIN;
	const bool in_range = directions >= WP_METHOD_DIRECTIONS_MIN && directions <= WP_METHOD_DIRECTIONS_MAX;
	return batch->method == WP_METHOD_SAMPLED && !in_range ? WP_ERROR_METHOD_DIRECTIONS : WP_OK;
}

static wp_error check_results(const wp_results *r)
{
	const size_t number = sizeof(float), vector = 3 * sizeof(float), word = sizeof(uint32_t);
	const size_t point = point_size(r->point_real);
	return wp_is_short(r->separation, r->separation_stride, number) ? WP_ERROR_RESULTS_SEPARATION_STRIDE
	     : wp_is_short(r->normal, r->normal_stride, vector)         ? WP_ERROR_RESULTS_NORMAL_STRIDE
	     : wp_is_short(r->point_a, r->point_a_stride, point)        ? WP_ERROR_RESULTS_POINT_A_STRIDE
	     : wp_is_short(r->point_b, r->point_b_stride, point)        ? WP_ERROR_RESULTS_POINT_B_STRIDE
	     : wp_is_short(r->lower, r->lower_stride, number)           ? WP_ERROR_RESULTS_LOWER_STRIDE
	     : wp_is_short(r->upper, r->upper_stride, number)           ? WP_ERROR_RESULTS_UPPER_STRIDE
	     : wp_is_short(r->status, r->status_stride, word)           ? WP_ERROR_RESULTS_STATUS_STRIDE
	     : wp_is_short(r->iterations, r->iterations_stride, word)   ? WP_ERROR_RESULTS_ITERATIONS_STRIDE
	     : wp_is_short(r->local_a, r->local_a_stride, vector)       ? WP_ERROR_RESULTS_LOCAL_A_STRIDE
	     : wp_is_short(r->local_b, r->local_b_stride, vector)       ? WP_ERROR_RESULTS_LOCAL_B_STRIDE
	     : wp_is_short(r->tangent_1, r->tangent_1_stride, vector)   ? WP_ERROR_RESULTS_TANGENT_1_STRIDE
	     : wp_is_short(r->tangent_2, r->tangent_2_stride, vector)   ? WP_ERROR_RESULTS_TANGENT_2_STRIDE
	     : wp_is_short(r->fraction, r->fraction_stride, number)     ? WP_ERROR_RESULTS_FRACTION_STRIDE
	                                                                : WP_OK;
}

wp_error wp_check_call(const wp_workspace *workspace, const wp_batch *batch, const wp_results *results,
	float max_separation, bool takes_methods)
{
	if (workspace == NULL)
		return WP_ERROR_NULL_WORKSPACE;
	if (batch == NULL)
		return WP_ERROR_NULL_BATCH;
	if (results == NULL)
		return WP_ERROR_NULL_RESULTS;
	wp_error error = wp_check_ranges(workspace, batch->first, batch->count, results->point_real, max_separation);
	if (error == WP_OK)
		error = check_method(batch);
	if (error == WP_OK && batch->method != WP_METHOD_AUTO && !takes_methods)
		error = WP_ERROR_METHOD_QUERY;
	if (error != WP_OK || batch->count == 0)
		return error;
	if (batch->shapes == NULL)
		return WP_ERROR_NULL_BATCH_SHAPES;
	if (batch->shapes->magic != WP_SHAPE_TABLE_MAGIC)
		return WP_ERROR_SHAPE_TABLE_INVALID;
	error = wp_check_bodies(&batch->a, &batch->b, 3);
	if (error == WP_OK)
		error = wp_check_pairs(batch->pair_a, batch->pair_b, batch->pair_stride, batch->first + batch->count);
	if (error == WP_OK && wp_is_short(batch->cache, batch->cache_stride, sizeof(wp_cache)))
		error = WP_ERROR_CACHE_STRIDE;
	return error == WP_OK ? check_results(results) : error;
}

/* ---- the call with its defaults filled in ------------------------------------------------------- */

static void fill_bodies(wp_bodies *bodies)
{
	bodies->position_stride = or_packed(bodies->position_stride, point_size(bodies->position_real));
	bodies->rotation_stride = or_packed(bodies->rotation_stride, 4 * sizeof(float));
	bodies->shape_stride = or_packed(bodies->shape_stride, sizeof(uint32_t));
}

bool wp_has_one_view(const wp_batch *batch) { return wp_is_no_view(&batch->b); }

wp_call wp_make_call(const wp_batch *batch, const wp_results *results, wp_query query, float max_separation)
{
	wp_call call = {.cores = batch->shapes->cores,
		.core_count = batch->shapes->count,
		.a = batch->a,
		.b = wp_is_no_view(&batch->b) ? batch->a : batch->b,
		.pair_a = batch->pair_a,
		.pair_b = batch->pair_b,
		.pair_stride = or_packed(batch->pair_stride, sizeof(uint32_t)),
		.first = batch->first,
		.cache = batch->cache,
		.cache_stride = or_packed(batch->cache_stride, sizeof(wp_cache)),
		.results = *results,
		.query = query,
		.max_separation = max_separation,
		.method = (wp_job_method)batch->method,
		.margin = batch->method_margin};
	if (batch->method == WP_METHOD_SAMPLED)
		call.directions = wp_directions_of(batch->method_directions);
	fill_bodies(&call.a);
	fill_bodies(&call.b);
	wp_results *r = &call.results;
	r->separation_stride = or_packed(r->separation_stride, sizeof(float));
	r->normal_stride = or_packed(r->normal_stride, 3 * sizeof(float));
	r->point_a_stride = or_packed(r->point_a_stride, point_size(r->point_real));
	r->point_b_stride = or_packed(r->point_b_stride, point_size(r->point_real));
	r->lower_stride = or_packed(r->lower_stride, sizeof(float));
	r->upper_stride = or_packed(r->upper_stride, sizeof(float));
	r->status_stride = or_packed(r->status_stride, sizeof(uint32_t));
	r->iterations_stride = or_packed(r->iterations_stride, sizeof(uint32_t));
	r->overlap_stride = or_packed(r->overlap_stride, sizeof(uint8_t));
	r->local_a_stride = or_packed(r->local_a_stride, 3 * sizeof(float));
	r->local_b_stride = or_packed(r->local_b_stride, 3 * sizeof(float));
	r->tangent_1_stride = or_packed(r->tangent_1_stride, 3 * sizeof(float));
	r->tangent_2_stride = or_packed(r->tangent_2_stride, 3 * sizeof(float));
	r->fraction_stride = or_packed(r->fraction_stride, sizeof(float));
	return call;
}

/* ---- statistics --------------------------------------------------------------------------------- */

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

/* ---- running ------------------------------------------------------------------------------------ */

static void finish_row(
	const wp_call *call, uint32_t row, const double position_a[3], const wp_output *output, wp_statistics *statistics)
{
	wp_write_row(call, row, position_a, output);
	wp_count_row(statistics, (uint64_t)call->first + row, output->status);
}

/* A row that is no job for the kernels: invalid, custom, or left to the strong path. `position_a` takes what the points of
 * the output are counted from. */
static void run_single(wp_workspace *workspace, const wp_call *call, uint32_t row, wp_statistics *statistics,
	wp_output *output, double position_a[3])
{
	wp_input input;
	wp_cache_clear(call, row);
	wp_read_row(call, row, &input);
	for (int k = 0; k < 3; k++)
		position_a[k] = input.invalid ? 0.0 : input.position_a[k];
	if (input.invalid)
		wp_invalid_output(input.invalid, output);
	else
		wp_solve_strong(&input, call->query, call->max_separation, workspace->strong, output);
	finish_row(call, row, position_a, output, statistics);
}

/* What the kernels left open. */
static void run_open_jobs(wp_workspace *workspace, const wp_call *call, wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	for (uint32_t i = 0; i < jobs->count; i++) {
		if (jobs->state[i] != WP_JOB_STRONG)
			continue;
		wp_output output;
		double position_a[3];
		run_single(workspace, call, jobs->row[i], statistics, &output, position_a);
		if (call->manifolds.points != NULL)
			wp_keep_output(call, position_a, &output, jobs, i);
	}
}

static bool is_half_space(const wp_jobs *jobs) { return jobs->kind_a == WP_CORE_HALF_SPACE; }

static bool is_smooth(const wp_jobs *jobs) { return jobs->kind_a == WP_CORE_SMOOTH || jobs->kind_b == WP_CORE_SMOOTH; }

/* Hand the jobs of a bucket from `first` on to the kernels. */
static void take_jobs(wp_jobs *jobs, const wp_call *call, const wp_bucket *bucket, uint32_t first, uint32_t count)
{
	jobs->count = count;
	jobs->query = call->query;
	jobs->wants_details = wp_wants_details(&call->results) || call->manifolds.points != NULL;
	jobs->max_separation = call->max_separation;
	jobs->method = (uint32_t)call->method;
	jobs->margin = call->margin;
	jobs->directions = call->directions;
	jobs->input = bucket->input + (size_t)4 * WP_INPUT_COUNT * first;
	jobs->core_a = bucket->core_a + first;
	jobs->core_b = bucket->core_b + first;
	jobs->row = bucket->row + first;
	jobs->origin_body = bucket->origin_body + first;
}

/* Run them. */
static void run_jobs(wp_workspace *workspace, const wp_call *call, bool are_apart, wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	wp_kernel_work work = {0, 0};
	/* Wide kernels take as long for one pair as for many; one lane has the same bits. */
	const wp_kernels *kernels = jobs->count <= WP_FEW_JOBS ? workspace->few : workspace->kernels;
	if (are_apart)
		kernels->solve_apart(jobs);
	else if (is_half_space(jobs))
		kernels->solve_half_space(jobs);
	else
		kernels->solve(jobs, workspace->scratch, &work);
	statistics->lanes_issued += work.lanes_issued;
	statistics->lanes_live += work.lanes_live;
	wp_write_jobs(call, jobs, statistics);
	if (jobs->cache != NULL)
		wp_cache_keep(call, jobs);
	run_open_jobs(workspace, call, statistics);
	if (call->manifolds.points != NULL) {
		const wp_manifold_kernels *const manifolds = kernels->manifolds;
		wp_clip *const clip = is_half_space(jobs) ? manifolds->clip_half_space : manifolds->clip;
		wp_write_manifolds(call, jobs, clip, kernels->width, workspace->manifold);
	}
}

/* Whether spheres may spare jobs steps of GJK. What has a closed form is not looked at before: that was measured to cost
 * boxes and capsules more than it saves. */
static bool has_search(const wp_call *call, const wp_jobs *jobs)
{
	const bool has_form = jobs->kind_a != WP_CORE_HULL && jobs->kind_b != WP_CORE_HULL && !is_smooth(jobs);
	return !has_form && !is_half_space(jobs) && call->query != WP_QUERY_DISTANCE && call->method != WP_JOB_GJK_EPA;
}

/* Run a bucket through the kernels and empty it. */
static void run_bucket(wp_workspace *workspace, const wp_call *call, wp_bucket *bucket, wp_statistics *statistics)
{
	wp_jobs *const jobs = &workspace->jobs;
	const uint32_t count = bucket->count;
	wp_kinds_of_bucket((uint32_t)(bucket - workspace->buckets), &jobs->kind_a, &jobs->kind_b);
	const uint32_t near = has_search(call, jobs) ? wp_put_apart_last(bucket, call->max_separation) : count;
	jobs->is_sorted = near == count;
	if (near != 0) {
		take_jobs(jobs, call, bucket, 0, near);
		wp_cache_offer(call, jobs);
		run_jobs(workspace, call, false, statistics);
	}
	if (near != count) {
		take_jobs(jobs, call, bucket, near, count - near);
		jobs->cache = NULL;
		run_jobs(workspace, call, true, statistics);
	}
	bucket->count = 0;
}

static void run_rows(wp_workspace *workspace, const wp_call *call, uint32_t count, wp_statistics *statistics)
{
	for (uint32_t row = 0; row < count;) {
		wp_bucket *full;
		row = wp_pack_rows(call, row, count, workspace->buckets, &full);
		if (full != NULL) {
			run_bucket(workspace, call, full, statistics);
		} else if (row < count) {
			wp_output output;
			double position_a[3];
			run_single(workspace, call, row, statistics, &output, position_a);
			wp_write_manifold_of_single(call, row++, position_a, &output);
		}
	}
	for (uint32_t i = 0; i < WP_BUCKET_COUNT; i++)
		if (workspace->buckets[i].count != 0)
			run_bucket(workspace, call, &workspace->buckets[i], statistics);
}

static wp_error run_query(wp_workspace *workspace, const wp_batch *batch, wp_query query, float max_separation,
	const wp_results *results, const wp_manifolds *manifolds, wp_statistics *statistics)
{
	const wp_environment before = wp_environment_enter();
	const bool takes_methods = query == WP_QUERY_CONTACT && manifolds == NULL;
	const wp_error error = wp_check_call(workspace, batch, results, max_separation, takes_methods);
	if (error == WP_OK && batch->count != 0) {
		wp_statistics unused = {0};
		wp_call call = wp_make_call(batch, results, query, max_separation);
		if (manifolds != NULL)
			wp_ask_manifolds(&call, manifolds);
		run_rows(workspace, &call, (uint32_t)batch->count, statistics != NULL ? statistics : &unused);
	}
	wp_environment_leave(before);
	return error;
}

wp_error wp_overlap(
	wp_workspace *workspace, const wp_batch *batch, const wp_results *results, wp_statistics *statistics)
{
	return run_query(workspace, batch, WP_QUERY_OVERLAP, 0.0f, results, NULL, statistics);
}

wp_error wp_distance(
	wp_workspace *workspace, const wp_batch *batch, const wp_results *results, wp_statistics *statistics)
{
	return run_query(workspace, batch, WP_QUERY_DISTANCE, 0.0f, results, NULL, statistics);
}

wp_error wp_contact(wp_workspace *workspace, const wp_batch *batch, float max_separation, const wp_results *results,
	wp_statistics *statistics)
{
	return run_query(workspace, batch, WP_QUERY_CONTACT, max_separation, results, NULL, statistics);
}

wp_error wp_contact_manifold(wp_workspace *workspace, const wp_batch *batch, float max_separation,
	const wp_results *results, const wp_manifolds *manifolds, wp_statistics *statistics)
{
	const wp_error error = wp_check_manifolds(manifolds);
	return error != WP_OK
	         ? error
	         : run_query(workspace, batch, WP_QUERY_CONTACT, max_separation, results, manifolds, statistics);
}

/* ---- one pair ----------------------------------------------------------------------------------- */

void wp_pair_make(
	wp_pair *pair, const wp_shape *shape_a, const wp_pose *pose_a, const wp_shape *shape_b, const wp_pose *pose_b)
{
	wp_core_of_shape(shape_a, &pair->cores[0], pair->small[0]);
	wp_core_of_shape(shape_b, &pair->cores[1], pair->small[1]);
	pair->table = (wp_shape_table){.magic = WP_SHAPE_TABLE_MAGIC, .count = 2, .cores = pair->cores};
	pair->shape[0] = 0;
	pair->shape[1] = 1;
	pair->batch = (wp_batch){.shapes = &pair->table,
		.a = {.position = pose_a->position, .rotation = pose_a->rotation, .shape = &pair->shape[0], .count = 1},
		.b = {.position = pose_b->position, .rotation = pose_b->rotation, .shape = &pair->shape[1], .count = 1},
		.count = 1};
}

wp_error wp_check_pair(
	const void *shape_a, const void *pose_a, const void *shape_b, const void *pose_b, const void *row)
{
	return shape_a == NULL ? WP_ERROR_NULL_SHAPE_A
	     : pose_a == NULL  ? WP_ERROR_NULL_POSE_A
	     : shape_b == NULL ? WP_ERROR_NULL_SHAPE_B
	     : pose_b == NULL  ? WP_ERROR_NULL_POSE_B
	     : row == NULL     ? WP_ERROR_NULL_ROW
	                       : WP_OK;
}

wp_error wp_check_cast_pair(const void *shape_a, const void *start_a, const void *shape_b, const void *start_b,
	const void *fraction, const void *row)
{
	return shape_a == NULL  ? WP_ERROR_NULL_SHAPE_A
	     : start_a == NULL  ? WP_ERROR_NULL_START_A
	     : shape_b == NULL  ? WP_ERROR_NULL_SHAPE_B
	     : start_b == NULL  ? WP_ERROR_NULL_START_B
	     : fraction == NULL ? WP_ERROR_NULL_FRACTION
	     : row == NULL      ? WP_ERROR_NULL_ROW
	                        : WP_OK;
}

static wp_error run_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, wp_query query, float max_separation, wp_row *row,
	const wp_manifolds *manifolds)
{
	const wp_error error = wp_check_pair(shape_a, pose_a, shape_b, pose_b, row);
	if (error != WP_OK)
		return error;
	wp_pair pair;
	wp_pair_make(&pair, shape_a, pose_a, shape_b, pose_b);
	const wp_results results = wp_results_of_rows(row);
	return run_query(workspace, &pair.batch, query, max_separation, &results, manifolds, NULL);
}

wp_error wp_overlap_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, wp_row *row)
{
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, WP_QUERY_OVERLAP, 0.0f, row, NULL);
}

wp_error wp_distance_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, wp_row *row)
{
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, WP_QUERY_DISTANCE, 0.0f, row, NULL);
}

wp_error wp_contact_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, float max_separation, wp_row *row)
{
	return run_pair(workspace, shape_a, pose_a, shape_b, pose_b, WP_QUERY_CONTACT, max_separation, row, NULL);
}

wp_error wp_contact_manifold_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, float max_separation, wp_row *row, wp_manifold_point *points,
	uint32_t point_max, uint32_t *count)
{
	const wp_manifolds manifolds = {.count = count, .points = points, .point_max = point_max};
	const wp_error error = points == NULL ? WP_ERROR_NULL_POINTS
	                     : count == NULL  ? WP_ERROR_NULL_COUNT
	                                      : wp_check_manifolds(&manifolds);
	return error != WP_OK
	         ? error
	         : run_pair(workspace, shape_a, pose_a, shape_b, pose_b, WP_QUERY_CONTACT, max_separation, row, &manifolds);
}

wp_results wp_results_of_rows(wp_row *rows)
{
	wp_results results = {0};
	if (rows == NULL)
		return results;
	results.separation = &rows->separation;
	results.normal = rows->normal;
	results.point_a = rows->point_a;
	results.point_b = rows->point_b;
	results.lower = &rows->lower;
	results.upper = &rows->upper;
	results.status = &rows->status;
	results.iterations = &rows->iterations;
	results.separation_stride = results.normal_stride = results.point_a_stride = results.point_b_stride =
		results.lower_stride = results.upper_stride = results.status_stride = results.iterations_stride = sizeof *rows;
	return results;
}
