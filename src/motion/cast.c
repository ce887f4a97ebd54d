/* Casts: rows that no closed form answers advance together, as many as there are places. */
#include "batch/pair.h"
#include "core/environment.h"
#include "motion/advance.h"
#include "motion/ray.h"
#include "motion/sweep.h"

/* More new rows enter before the next step as long as so many places are taken at most. */
#define FRESH_MAX (WP_CAST_ROWS / 2)

/* A fraction is rounded down: before it there is no contact. */
static void write_cast(
	const wp_call *call, uint32_t row, const wp_cast_memory *cast, uint32_t i, wp_statistics *statistics)
{
	const wp_results *const r = &call->results;
	wp_output output;
	wp_cast_output(call, cast, i, &output);
	output.status |= cast->status[i];
	wp_write_row(call, row, cast->body[2 * i].position, &output, statistics);
	const float fraction = output.status & WP_STATUS_INVALID ? __builtin_nanf("") : wp_round_down(cast->fraction[i]);
	if (r->fraction != NULL)
		memcpy((char *)r->fraction + (call->first + row) * r->fraction_stride, &fraction, sizeof fraction);
}

/* Rows of a call on their way. */
typedef struct casting {
	wp_workspace *workspace;
	const wp_call *call;
	const wp_motions *motions_a, *motions_b;
	uint64_t next, count; /* the first row that has no place yet, and all rows */
	uint32_t open;        /* rows that are not decided */
	wp_statistics *statistics, work;
} casting;

/* Write the rows past the first `left` ones, which are decided. */
static void leave(casting *c, uint32_t left)
{
	const wp_cast_memory *const cast = &c->workspace->cast;
	for (uint32_t k = left; k < c->open; k++)
		write_cast(c->call, cast->row[cast->open[k]], cast, cast->open[k], c->statistics);
	c->open = left;
}

/* Give the free places to the next rows. Rays that are answered leave theirs at once. */
static void enter(casting *c)
{
	wp_cast_memory *const cast = &c->workspace->cast;
	for (; c->open < WP_CAST_ROWS && c->next < c->count; c->next++) {
		const uint32_t i = cast->open[c->open];
		cast->row[i] = (uint32_t)c->next;
		wp_cast_read_row(c->call, cast->row[i], c->motions_a, c->motions_b, cast, i);
		if (wp_ray_run(c->call, cast, i)) {
			write_cast(c->call, cast->row[i], cast, i, c->statistics);
			continue;
		}
		wp_cast_start(c->call, cast, i);
		c->open++;
	}
}

/* Rows take the places of those that are decided, so that each step has about as many as there are places. */
static void cast_rows(casting *c)
{
	wp_cast_memory *const cast = &c->workspace->cast;
	for (uint32_t i = 0; i < WP_CAST_ROWS; i++)
		cast->open[i] = i;
	do {
		do {
			const uint32_t before = c->open;
			enter(c);
			leave(c, wp_sweep_rows(c->workspace, c->call, before, c->open, &c->work));
		} while (c->next < c->count && c->open <= FRESH_MAX);
		leave(c, wp_cast_step(c->workspace, c->call, c->open, false, &c->work));
	} while (c->next < c->count || c->open != 0);
	wp_add_work(c->statistics, &c->work);
}

static wp_motions with_strides(const wp_motions *motions, size_t dimension)
{
	wp_motions m = {.translation = NULL};
	if (motions != NULL)
		m = *motions;
	m.translation_stride = m.translation_stride != 0 ? m.translation_stride : dimension * sizeof(float);
	m.rotation_stride = m.rotation_stride != 0 ? m.rotation_stride : wp_rotation_numbers(dimension) * sizeof(float);
	return m;
}

static wp_error run_casts(wp_workspace *workspace, const wp_batch *batch, size_t dimension, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, wp_statistics *statistics)
{
	const wp_environment before = wp_environment_enter();
	const wp_request request = {.dimension = dimension, .query = WP_QUERY_CONTACT};
	wp_error error = wp_check_call(workspace, batch, results, &request);
	const bool has_rows = error == WP_OK && batch->count != 0, has_one_view = has_rows && wp_has_one_view(batch);
	if (has_rows)
		error = wp_check_motions(motions_a, has_one_view ? NULL : motions_b, dimension);
	if (has_rows && error == WP_OK) {
		wp_statistics unused = {0};
		const wp_call call = wp_make_call(batch, results, &request);
		const wp_motions a = with_strides(motions_a, dimension);
		const wp_motions b = with_strides(has_one_view ? motions_a : motions_b, dimension);
		casting c = {.workspace = workspace,
			.call = &call,
			.motions_a = &a,
			.motions_b = &b,
			.count = batch->count,
			.statistics = statistics != NULL ? statistics : &unused};
		cast_rows(&c);
	}
	wp_environment_leave(before);
	return error;
}

wp_error wp_cast(wp_workspace *workspace, const wp_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, wp_statistics *statistics)
{
	return run_casts(workspace, batch, WP_3D, motions_a, motions_b, results, statistics);
}

wp_error wp2d_cast(wp_workspace *workspace, const wp2d_batch *batch, const wp2d_motions *motions_a,
	const wp2d_motions *motions_b, const wp2d_results *results, wp_statistics *statistics)
{
	wp_batch memory;
	return run_casts(workspace, wp_batch_of_2d(batch, &memory), WP_2D, motions_a, motions_b, results, statistics);
}

/* ---- one pair ----------------------------------------------------------------------------------- */

static wp_error check_cast_pair(const void *shape_a, const void *start_a, const void *shape_b, const void *start_b,
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

/* The motion from a pose to another; one that ends nowhere stands still. `way` takes its translation. */
static wp_motions motion_of(size_t dimension, const float *start, const float *end, float way[3])
{
	if (end == NULL)
		return (wp_motions){.translation = NULL};
	for (size_t i = 0; i < dimension; i++)
		way[i] = end[i] - start[i];
	return (wp_motions){.translation = way, .rotation = end + dimension};
}

/* A batch of one, whose poses are the starts. Ends and row are of the dimension. */
static wp_error cast_one(wp_workspace *workspace, size_t dimension, const wp_batch *batch, const void *end_a,
	const void *end_b, float *fraction, void *row)
{
	const wp_environment before = wp_environment_enter();
	float way[2][3];
	const wp_motions a = motion_of(dimension, batch->a.position, end_a, way[0]);
	const wp_motions b = motion_of(dimension, batch->b.position, end_b, way[1]);
	wp_results results = wp_results_of(dimension, row);
	results.fraction = fraction;
	const wp_error error = run_casts(workspace, batch, dimension, &a, &b, &results, NULL);
	wp_environment_leave(before);
	return error;
}

/* Shapes, poses and row are of the dimension. */
WP_INLINE wp_error cast_pair(wp_workspace *workspace, size_t dimension, const void *shape_a, const void *start_a,
	const void *end_a, const void *shape_b, const void *start_b, const void *end_b, float *fraction, void *row)
{
	const wp_error error = check_cast_pair(shape_a, start_a, shape_b, start_b, fraction, row);
	if (error != WP_OK)
		return error;
	wp_pair_batch pair;
	wp_pair_make(&pair, dimension, shape_a, start_a, shape_b, start_b);
	return cast_one(workspace, dimension, &pair.batch, end_a, end_b, fraction, row);
}

wp_error wp_cast_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *start_a, const wp_pose *end_a,
	const wp_shape *shape_b, const wp_pose *start_b, const wp_pose *end_b, float *fraction, wp_row *row)
{
	return cast_pair(workspace, WP_3D, shape_a, start_a, end_a, shape_b, start_b, end_b, fraction, row);
}

wp_error wp_cast_prepared(wp_workspace *workspace, const wp_pair *pair, const wp_pose *end_a, const wp_pose *end_b,
	float *fraction, wp_row *row)
{
	const wp_error error = wp_check_pair_of_table(pair, row);
	if (error != WP_OK)
		return error;
	if (fraction == NULL)
		return WP_ERROR_NULL_FRACTION;
	const wp_batch batch = wp_batch_of_pair(pair);
	return cast_one(workspace, WP_3D, &batch, end_a, end_b, fraction, row);
}

wp_error wp2d_cast_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *start_a,
	const wp2d_pose *end_a, const wp2d_shape *shape_b, const wp2d_pose *start_b, const wp2d_pose *end_b,
	float *fraction, wp2d_row *row)
{
	return cast_pair(workspace, WP_2D, shape_a, start_a, end_a, shape_b, start_b, end_b, fraction, row);
}
