/* Casts: rays are answered in closed form, by kinds; all other rows advance together, as many as there are places. */
#include "batch/pair.h"
#include "core/environment.h"
#include "motion/advance.h"
#include "motion/gap.h"
#include "motion/mount.h"
#include "motion/ray.h"
#include "motion/sweep.h"

/* More new rows enter before the next step as long as so many places are taken at most. */
#define FRESH_MAX (WP_CAST_ROWS / 2)

/* The answer of a row in 3D as wp_cast_output and wp_write_row have it, where results are an array of wp_row: points are
 * rounded twice, as there. */
static void copy_row(const wp_call *call, uint32_t row, const wp_cast_memory *cast, uint32_t i, uint32_t status)
{
	const wp_cast_contact *const from = &cast->answer[i];
	const double *const origin = cast->body[2 * i].position;
	wp_row *const to = (wp_row *)(void *)call->results.separation.data + (call->first + row);
	const bool has_points = !(from->status & WP_STATUS_INVALID);
	wp_row found = {.separation = from->separation,
		.lower = from->lower,
		.upper = from->upper,
		.status = status,
		.iterations = cast->iterations[i]};
	for (int k = 0; k < 3; k++) {
		found.normal[k] = from->normal[k];
		found.point_a[k] = has_points ? (float)(origin[k] + (from->point[0][k] - origin[k])) : 0.0f;
		found.point_b[k] = has_points ? (float)(origin[k] + (from->point[1][k] - origin[k])) : 0.0f;
	}
	memcpy(to, &found, sizeof found);
}

static uint32_t status_of(const wp_call *call, const wp_cast_memory *cast, uint32_t i)
{
	const uint32_t status = cast->answer[i].status | cast->status[i];
	const bool is_wide = !(status & WP_STATUS_INVALID) && wp_cast_is_doubtful(call, cast, i);
	return status | (is_wide ? WP_STATUS_WIDE_BRACKET | call->marks_doubt : 0);
}

/* A fraction is rounded down: before it there is no contact. */
static void write_cast(
	const wp_call *call, uint32_t row, const wp_cast_memory *cast, uint32_t i, bool copies, wp_statistics *statistics)
{
	const wp_float_column *const to = &call->fraction;
	const uint32_t status = status_of(call, cast, i);
	const float fraction = status & WP_STATUS_INVALID ? WP_NAN : wp_round_down(cast->fraction[i]);
	if (copies) {
		copy_row(call, row, cast, i, status);
		if (statistics != NULL)
			wp_count_row(statistics, call->first + row, status);
	} else {
		wp_output output;
		wp_cast_output(call, cast, i, &output);
		output.status = status;
		wp_write_row(call, row, cast->body[2 * i].position, &output, statistics);
	}
	if (to->data != NULL)
		memcpy((char *)to->data + (call->first + row) * to->stride, &fraction, sizeof fraction);
}

/* A call under way. */
typedef struct casts {
	wp_workspace *workspace;
	const wp_call *call;
	wp_ray_side sides[2]; /* of A and B */
	wp_statistics *statistics, work;
	uint64_t next, count; /* the first row that is not read yet, and all rows */
	uint32_t open;        /* rows in places, that are not decided */
	uint32_t waiting;     /* rays on lists */
	bool copies;          /* results are an array of wp_row */
} casts;

/* Write the rows past the first `left` ones, which are decided. */
static void leave(casts *c, uint32_t left)
{
	const wp_cast_memory *const cast = &c->workspace->cast;
	wp_statistics *const counts = c->call->counts_rows ? c->statistics : NULL;
	for (uint32_t k = left; k < c->open; k++)
		write_cast(c->call, cast->row[cast->open[k]], cast, cast->open[k], c->copies, counts);
	c->open = left;
}

/* Give a row that is proven free up to a time a place. */
static void open_row(casts *c, uint32_t row, double time)
{
	wp_cast_memory *const cast = &c->workspace->cast;
	const uint32_t i = cast->open[c->open++];
	cast->row[i] = row;
	if (wp_cast_read_row(c->call, row, &c->sides[0].motions, &c->sides[1].motions, cast, i) && time > 0.0)
		wp_cast_move(c->call, cast, i, time);
	wp_cast_start(c->call, cast, i);
}

/* Answer rays of a list, and give those that stay open places. False where bodies turn that may. */
static bool answer_rays(casts *c, uint32_t list, bool may_turn, wp_waiting_rays *rays)
{
	const wp_ray_ends *const ends = &c->workspace->cast.ray_ends;
	if (!wp_ray_run(c->workspace, c->call, c->sides, list, may_turn, c->copies, rays, c->statistics))
		return false;
	for (uint32_t open = ends->open; open != 0; open &= open - 1) {
		const uint32_t i = wp_lowest_bit(open);
		open_row(c, rays->row[i], ends->time[i]);
	}
	return true;
}

static void answer_waiting(casts *c, uint32_t list)
{
	wp_waiting_rays *const rays = &c->workspace->cast.waiting[list];
	if (rays->count != 0)
		answer_rays(c, list, false, rays);
	c->waiting -= rays->count;
	rays->count = 0;
}

/* Answer the next rows that are rays, or let them wait, and give the others places. */
static void enter_rows(casts *c, uint32_t count)
{
	wp_cast_memory *const cast = &c->workspace->cast;
	const uint32_t first = (uint32_t)c->next;
	wp_ray_rows rows;
	wp_ray_look(c->call, c->sides, first, count, &rows);
	c->next += count;
	const bool is_block = count == WP_RAY_MAX || c->next == c->count;
	if (is_block && rows.are_one_list && answer_rays(c, rows.list[0], true, &rows.rays))
		return;
	wp_ray_look_at_turns(c->sides, &rows);
	if (is_block && rows.are_one_list) {
		answer_rays(c, rows.list[0], false, &rows.rays);
		return;
	}
	for (uint32_t k = 0; k < count; k++) {
		if (rows.list[k] == WP_RAY_NO_LIST) {
			open_row(c, first + k, 0.0);
			continue;
		}
		c->waiting++;
		if (wp_ray_wait(&rows, k, &cast->waiting[rows.list[k]]))
			answer_waiting(c, rows.list[k]);
	}
}

/* Give free places to the next rows, of which rays that wait for others like them need one at most. True where there are no
 * more. */
static bool enter(casts *c)
{
	wp_cast_memory *const cast = &c->workspace->cast;
	for (uint32_t list = 0; list < WP_RAY_LISTS; list++)
		cast->waiting[list].count = 0;
	c->waiting = 0;
	while (c->next < c->count && c->open + c->waiting < WP_CAST_ROWS) {
		const uint32_t room = WP_CAST_ROWS - (c->open + c->waiting), most = room < WP_RAY_MAX ? room : WP_RAY_MAX;
		enter_rows(c, c->count - c->next < most ? (uint32_t)(c->count - c->next) : most);
	}
	for (uint32_t list = 0; list < WP_RAY_LISTS; list++)
		answer_waiting(c, list);
	return c->next == c->count;
}

/* Rows take the places of those that are decided, so that each step has about as many as there are places. */
static void cast_rows(casts *c)
{
	wp_cast_memory *const cast = &c->workspace->cast;
	for (uint32_t i = 0; i < WP_CAST_ROWS; i++)
		cast->open[i] = i;
	bool all;
	do {
		do {
			const uint32_t before = c->open;
			all = enter(c);
			leave(c, wp_sweep_rows(c->workspace, c->call, before, c->open, &c->work));
		} while (!all && c->open <= FRESH_MAX);
		leave(c, wp_cast_step(c->workspace, c->call, c->open, false, &c->work));
	} while (!all || c->open != 0);
	wp_add_work(c->statistics, &c->work);
}

static wp_error run_casts(wp_workspace *workspace, const wp_batch *batch, size_t dimension, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_compound_child *const *mounts, uint32_t marks_doubt,
	const wp_results *results, const wp_float_column *fraction, wp_statistics *statistics)
{
	const wp_environment before = wp_environment_enter();
	const wp_request request = {.dimension = dimension, .query = WP_QUERY_CONTACT};
	wp_error error = wp_check_call(workspace, batch, results, &request);
	const bool has_rows = error == WP_OK && batch->count != 0, has_one_view = has_rows && wp_has_one_view(batch);
	if (has_rows)
		error = wp_check_motions(motions_a, has_one_view ? NULL : motions_b, dimension);
	if (has_rows && error == WP_OK && fraction != NULL && WP_IS_SHORT(*fraction, sizeof *fraction->data))
		error = WP_ERROR_FRACTION_STRIDE;
	if (has_rows && error == WP_OK) {
		wp_statistics unused = {0};
		wp_call call = wp_make_call(batch, results, &request);
		if (fraction != NULL)
			call.fraction = (wp_float_column){fraction->data, wp_or_packed(fraction->stride, sizeof *fraction->data)};
		const wp_motions a = wp_motions_with_strides(motions_a, dimension);
		const wp_motions b = wp_motions_with_strides(has_one_view ? motions_a : motions_b, dimension);
		call.counts_rows = statistics != NULL;
		call.mounts = mounts;
		call.marks_doubt = marks_doubt;
		casts c = {.workspace = workspace,
			.call = &call,
			.sides = {wp_ray_side_of(&call.a, &call.pair_a, &a), wp_ray_side_of(&call.b, &call.pair_b, &b)},
			.count = batch->count,
			.copies = wp_cast_copies(&call),
			.statistics = statistics != NULL ? statistics : &unused};
		cast_rows(&c);
	}
	wp_environment_leave(before);
	return error;
}

wp_error wp_cast(wp_workspace *workspace, const wp_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, const wp_float_column *fraction, wp_statistics *statistics)
{
	return run_casts(workspace, batch, WP_3D, motions_a, motions_b, NULL, 0, results, fraction, statistics);
}

wp_error wp_cast_mounted(wp_workspace *workspace, const wp_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_compound_child *const *mounts, const wp_results *results,
	const wp_float_column *fraction, wp_statistics *statistics)
{
	return run_casts(
		workspace, batch, WP_3D, motions_a, motions_b, mounts, WP_CAST_DOUBTFUL, results, fraction, statistics);
}

wp_error wp2d_cast(wp_workspace *workspace, const wp2d_batch *batch, const wp2d_motions *motions_a,
	const wp2d_motions *motions_b, const wp2d_results *results, const wp_float_column *fraction,
	wp_statistics *statistics)
{
	wp_batch memory;
	return run_casts(
		workspace, wp_batch_of_2d(batch, &memory), WP_2D, motions_a, motions_b, NULL, 0, results, fraction, statistics);
}

/* ---- one pair ----------------------------------------------------------------------------------- */

/* The motion from a pose to another; one that ends nowhere stands still. `way` takes its translation. */
static wp_motions motion_of(size_t dimension, const float *start, const float *end, float way[3])
{
	if (end == NULL)
		return (wp_motions){.translation.data = NULL};
	for (size_t i = 0; i < dimension; i++)
		way[i] = end[i] - start[i];
	return (wp_motions){.translation.data = way, .rotation.data = end + dimension};
}

/* A pair in 3D that is a ray. False where it is none, stays open, or the workspace is none. */
static bool cast_ray(wp_workspace *workspace, const wp_ray_body body[2], float *fraction, wp_row *row)
{
	if (workspace == NULL || !wp_workspace_is_made(workspace))
		return false;
	const wp_environment before = wp_environment_enter();
	const bool done = wp_ray_one(workspace, body, fraction, row);
	wp_environment_leave(before);
	return done;
}

/* A body that starts at a pose, of 3 and 4 numbers. */
static wp_ray_body ray_body_of(const wp_core *core, const float *pose, const wp_motions *motion)
{
	return (wp_ray_body){core, pose, pose + WP_3D, motion->translation.data, motion->rotation.data};
}

/* Shapes, poses and row are of the dimension. */
WP_INLINE wp_error cast_pair(wp_workspace *workspace, size_t dimension, const void *shape_a, const void *pose_a,
	const void *shape_b, const void *pose_b, const void *end_a, const void *end_b, void *row, float *fraction)
{
	wp_error error = wp_check_pair(shape_a, pose_a, shape_b, pose_b, row);
	if (error == WP_OK && fraction == NULL)
		error = WP_ERROR_NULL_FRACTION;
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	wp_pair_batch pair;
	float way[2][3];
	wp_pair_make(&pair, dimension, shape_a, pose_a, shape_b, pose_b);
	const wp_motions a = motion_of(dimension, pose_a, end_a, way[0]), b = motion_of(dimension, pose_b, end_b, way[1]);
	const wp_ray_body body[2] = {ray_body_of(&pair.cores[0], pose_a, &a), ray_body_of(&pair.cores[1], pose_b, &b)};
	if (dimension != WP_3D || !cast_ray(workspace, body, fraction, row)) {
		const wp_results results = wp_results_of(dimension, row);
		error = run_casts(
			workspace, &pair.batch, dimension, &a, &b, NULL, 0, &results, &(wp_float_column){fraction, 0}, NULL);
	}
	wp_environment_leave(before);
	return error;
}

wp_error wp_cast_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a, const wp_shape *shape_b,
	const wp_pose *pose_b, const wp_pose *end_a, const wp_pose *end_b, wp_row *row, float *fraction)
{
	return cast_pair(workspace, WP_3D, shape_a, pose_a, shape_b, pose_b, end_a, end_b, row, fraction);
}

/* A pair of a table that is a ray, with positions in float. */
static bool cast_prepared_ray(wp_workspace *workspace, const wp_pair *pair, const wp_motions *motion_a,
	const wp_motions *motion_b, wp_row *row, float *fraction)
{
	if (!wp_is_table(pair->shapes, WP_3D) || pair->position_real != WP_REAL_FLOAT ||
		wp_check_motions(motion_a, motion_b, WP_3D) != WP_OK)
		return false;
	const wp_motions still = {.translation.data = NULL};
	const wp_motions *const a = motion_a != NULL ? motion_a : &still, *const b = motion_b != NULL ? motion_b : &still;
	const wp_ray_body body[2] = {{wp_core_of_table(pair->shapes, pair->shape_a), pair->position_a, pair->rotation_a,
									 a->translation.data, a->rotation.data},
		{wp_core_of_table(pair->shapes, pair->shape_b), pair->position_b, pair->rotation_b, b->translation.data,
			b->rotation.data}};
	return cast_ray(workspace, body, fraction, row);
}

wp_error wp_cast_prepared(wp_workspace *workspace, const wp_pair *pair, const wp_motions *motion_a,
	const wp_motions *motion_b, wp_row *row, float *fraction)
{
	const wp_error error = wp_check_pair_of_table(pair, row);
	if (error != WP_OK)
		return error;
	if (fraction == NULL)
		return WP_ERROR_NULL_FRACTION;
	if (cast_prepared_ray(workspace, pair, motion_a, motion_b, row, fraction))
		return WP_OK;
	const wp_batch batch = wp_batch_of_pair(pair);
	const wp_results results = wp_results_of_rows(row);
	return run_casts(
		workspace, &batch, WP_3D, motion_a, motion_b, NULL, 0, &results, &(wp_float_column){fraction, 0}, NULL);
}

wp_error wp2d_cast_pair(wp_workspace *workspace, const wp2d_shape *shape_a, const wp2d_pose *pose_a,
	const wp2d_shape *shape_b, const wp2d_pose *pose_b, const wp2d_pose *end_a, const wp2d_pose *end_b, wp2d_row *row,
	float *fraction)
{
	return cast_pair(workspace, WP_2D, shape_a, pose_a, shape_b, pose_b, end_a, end_b, row, fraction);
}
