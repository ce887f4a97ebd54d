/* Casts, by conservative advancement over batches of contacts, and directed depths, by casts. */
#include "advance.h"
#include "batch.h"
#include "environment.h"
#include "half_space.h"
#include "path.h"
#include "workspace.h"
#include "widephase/cast.h"

#define NO_BODY UINT32_MAX

/* ---- paths -------------------------------------------------------------------------------------- */

/* Read where body `index` goes. What leads nowhere spoils the pose, which the contact then refuses by name. */
static void read_path(const wp_motions *motions, uint32_t index, wp_cast_body *body, wp_cast_path *path)
{
	float way[3] = {0.0f, 0.0f, 0.0f};
	memcpy(path->from, body->rotation, sizeof path->from);
	memcpy(path->to, body->rotation, sizeof path->to);
	if (motions->translation != NULL)
		memcpy(way, wp_offset(motions->translation, index * motions->translation_stride), sizeof way);
	if (motions->rotation != NULL)
		memcpy(path->to, wp_offset(motions->rotation, index * motions->rotation_stride), sizeof path->to);
	for (int i = 0; i < 3; i++) {
		path->start[i] = body->position[i];
		path->way[i] = (double)way[i];
		if (!(__builtin_fabs(path->start[i] + path->way[i]) <= (double)WP_COORDINATE_MAX))
			body->position[i] = (double)__builtin_nanf("");
	}
	if (!wp_rotation_holds(path->to))
		body->rotation[0] = __builtin_nanf("");
	wp_path_find_turn(path);
}

/* ---- steps -------------------------------------------------------------------------------------- */

static void read_side(
	const wp_call *call, const wp_core *core, const double position[3], const float rotation[4], wp_cast_body *body)
{
	memcpy(body->position, position, sizeof body->position);
	memcpy(body->rotation, rotation, sizeof body->rotation);
	body->shape = core != NULL ? (uint32_t)(core - call->cores) : NO_BODY;
}

static const wp_motions still = {.translation = NULL};

/* Put row `row` of the call at place `i` of the cast. True where it has two bodies. */
static bool read_row(const wp_call *call, uint32_t row, const wp_motions *motions_a, const wp_motions *motions_b,
	wp_cast_memory *cast, uint32_t i)
{
	wp_input input = {0};
	wp_read_row(call, row, &input);
	const bool has_a = input.has_a, has_b = input.has_b;
	wp_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	cast->pair[2 * i] = has_a ? 2 * i : NO_BODY;
	cast->pair[2 * i + 1] = has_b ? 2 * i + 1 : NO_BODY;
	cast->fraction[i] = 0.0;
	cast->iterations[i] = 0;
	cast->status[i] = has_a && has_b ? 0 : WP_STATUS_INVALID;
	if (has_a) {
		read_side(call, input.a, input.position_a, input.rotation_a, a);
		read_path(motions_a, input.body_a, a, &cast->path[2 * i]);
	}
	if (has_b) {
		read_side(call, input.b, input.position_b, input.rotation_b, b);
		read_path(motions_b, input.body_b, b, &cast->path[2 * i + 1]);
	}
	return has_a && has_b;
}

/* The contacts of the open rows where they are. */
static void ask_contacts(wp_workspace *workspace, const wp_shape_table *shapes, uint32_t count, wp_statistics *work)
{
	wp_cast_memory *const cast = &workspace->cast;
	const wp_cast_body *const body = cast->body;
	wp_cast_contact *const to = cast->contact;
	for (uint32_t k = 0; k < count; k++)
		memcpy(&cast->open_pair[2 * k], &cast->pair[2 * cast->open[k]], 2 * sizeof *cast->pair);
	const wp_batch batch = {.shapes = shapes,
		.a = {.position = body->position,
			.rotation = body->rotation,
			.shape = &body->shape,
			.position_stride = sizeof *body,
			.rotation_stride = sizeof *body,
			.shape_stride = sizeof *body,
			.count = (size_t)2 * WP_CAST_ROWS,
			.position_real = WP_REAL_DOUBLE},
		.pair_a = cast->open_pair,
		.pair_b = cast->open_pair + 1,
		.pair_stride = 2 * sizeof *cast->open_pair,
		.count = count};
	wp_results r = wp_results_of_rows(&to->row);
	r.point_a = to->point[0];
	r.point_b = to->point[1];
	r.point_real = WP_REAL_DOUBLE;
	r.local_a = to->local[0];
	r.local_b = to->local[1];
	r.separation_stride = r.normal_stride = r.point_a_stride = r.point_b_stride = r.lower_stride = r.upper_stride =
		r.status_stride = r.iterations_stride = r.local_a_stride = r.local_b_stride = sizeof *to;
	wp_contact(workspace, &batch, __builtin_inff(), &r, work);
}

/* Which body of a row is a half-space; -1: none. */
static int half_space_of(const wp_call *call, const wp_cast_memory *cast, uint32_t i)
{
	for (int side = 0; side < 2; side++)
		if (call->cores[cast->body[2 * i + (uint32_t)side].shape].kind == WP_CORE_HALF_SPACE)
			return side;
	return -1;
}

/* What rounding does to where the bodies of a row are. A half-space knows its distance from another shape in double, unless
 * its surface turns, about its own position. */
static double rounding_of(const wp_call *call, const wp_cast_memory *cast, uint32_t i, const wp_mover mover[2])
{
	const wp_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	const int space = half_space_of(call, cast, i);
	const bool turns = mover[0].path->turn + mover[1].path->turn > 0.0;
	double offset[3], sizes = (double)mover[0].core->bound + (double)mover[1].core->bound;
	for (int k = 0; k < 3; k++)
		offset[k] = b->position[k] - a->position[k];
	double distance = __builtin_sqrt(wp_dot3(offset, offset));
	if (space >= 0 && mover[space].path->turn > 0.0)
		sizes += distance;
	else if (space >= 0)
		distance = 0.0;
	return WP_WAY_ROUNDING * distance + (turns ? WP_TURN_ROUNDING * sizes : 0.0);
}

/* The fraction up to which a row is free, by its contact where it is. A gap as small as the rounding of where the
 * bodies are is none. */
static double free_until(const wp_call *call, const wp_cast_memory *cast, uint32_t i, const wp_row *row)
{
	const wp_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	const wp_cast_path *const path = &cast->path[2 * i];
	const wp_mover mover[2] = {{&call->cores[a->shape], &path[0]}, {&call->cores[b->shape], &path[1]}};
	if (!(row->status & WP_STATUS_SEPARATED) || (double)row->lower <= rounding_of(call, cast, i, mover))
		return cast->fraction[i];
	return wp_path_free_until(mover, row->normal, cast->fraction[i]);
}

/* Decide a row by its contact, or move it on. True where it stays open. */
static bool advance(const wp_call *call, wp_cast_memory *cast, uint32_t i, const wp_row *row, bool last)
{
	cast->iterations[i] += row->iterations;
	if (row->status & WP_STATUS_INVALID) {
		cast->status[i] = WP_STATUS_INVALID;
		return false;
	}
	const double until = free_until(call, cast, i, row);
	if (!wp_cast_goes_on(until, last, &cast->fraction[i], &cast->status[i]))
		return false;
	for (uint32_t side = 0; side < 2; side++)
		wp_path_move(&cast->path[2 * i + side], until, &cast->body[2 * i + side]);
	return true;
}

/* All steps of the rows listed in cast->open. A row that hits nothing keeps the answer it has, or the last contact. */
static void run_steps(wp_workspace *workspace, const wp_call *call, const wp_shape_table *shapes, uint32_t count,
	bool keeps_answer, wp_statistics *work)
{
	wp_cast_memory *const cast = &workspace->cast;
	for (int step = 1; step <= WP_CAST_STEP_MAX && count != 0; step++) {
		ask_contacts(workspace, shapes, count, work);
		uint32_t left = 0;
		for (uint32_t k = 0; k < count; k++) {
			const uint32_t i = cast->open[k];
			if (advance(call, cast, i, &cast->contact[k].row, step == WP_CAST_STEP_MAX))
				cast->open[left++] = i;
			else if (cast->status[i] & WP_STATUS_HIT || !keeps_answer)
				cast->answer[i] = cast->contact[k];
		}
		count = left;
	}
}

/* ---- results ------------------------------------------------------------------------------------ */

/* The answer of a row as it is written, points counted from the position of A. */
static wp_output output_of(const wp_cast_memory *cast, uint32_t i)
{
	const wp_cast_contact *const answer = &cast->answer[i];
	const wp_row *const r = &answer->row;
	const bool has_points = !(r->status & WP_STATUS_INVALID);
	wp_output output = {.separation = r->separation,
		.lower = r->lower,
		.upper = r->upper,
		.status = r->status,
		.iterations = cast->iterations[i]};
	for (int k = 0; k < 3; k++) {
		output.normal[k] = r->normal[k];
		output.local_a[k] = answer->local[0][k];
		output.local_b[k] = answer->local[1][k];
		output.point_a[k] = has_points ? answer->point[0][k] - cast->body[2 * i].position[k] : 0.0;
		output.point_b[k] = has_points ? answer->point[1][k] - cast->body[2 * i].position[k] : 0.0;
	}
	return output;
}

static void write_output(const wp_call *call, uint32_t row, const wp_cast_memory *cast, uint32_t i,
	const wp_output *output, wp_statistics *statistics)
{
	wp_write_row(call, row, cast->body[2 * i].position, output);
	wp_count_row(statistics, (uint64_t)call->first + row, output->status);
}

/* ---- casts -------------------------------------------------------------------------------------- */

/* A fraction is rounded down: before it there is no contact. */
static void write_cast(
	const wp_call *call, uint32_t row, const wp_cast_memory *cast, uint32_t i, wp_statistics *statistics)
{
	const wp_results *const r = &call->results;
	wp_output output = output_of(cast, i);
	output.status |= cast->status[i];
	write_output(call, row, cast, i, &output, statistics);
	const float fraction = output.status & WP_STATUS_INVALID ? __builtin_nanf("") : wp_round_down(cast->fraction[i]);
	if (r->fraction != NULL)
		memcpy((char *)r->fraction + (call->first + row) * r->fraction_stride, &fraction, sizeof fraction);
}

static void cast_chunk(wp_workspace *workspace, const wp_call *call, const wp_shape_table *shapes,
	const wp_motions *motions_a, const wp_motions *motions_b, uint32_t first, uint32_t count, wp_statistics *statistics)
{
	wp_cast_memory *const cast = &workspace->cast;
	wp_statistics work = {0};
	for (uint32_t i = 0; i < count; i++) {
		cast->open[i] = i;
		read_row(call, first + i, motions_a, motions_b, cast, i);
	}
	run_steps(workspace, call, shapes, count, false, &work);
	for (uint32_t i = 0; i < count; i++)
		write_cast(call, first + i, cast, i, statistics);
	wp_add_work(statistics, &work);
}

static wp_motions with_strides(const wp_motions *motions)
{
	wp_motions m = {.translation = NULL};
	if (motions != NULL)
		m = *motions;
	m.translation_stride = m.translation_stride != 0 ? m.translation_stride : 3 * sizeof(float);
	m.rotation_stride = m.rotation_stride != 0 ? m.rotation_stride : 4 * sizeof(float);
	return m;
}

wp_error wp_cast(wp_workspace *workspace, const wp_batch *batch, const wp_motions *motions_a,
	const wp_motions *motions_b, const wp_results *results, wp_statistics *statistics)
{
	const wp_environment before = wp_environment_enter();
	wp_error error = wp_check_call(workspace, batch, results, 0.0f, false);
	if (error == WP_OK && batch->count != 0)
		error = wp_check_motions(motions_a, wp_has_one_view(batch) ? NULL : motions_b, 3);
	if (error == WP_OK && batch->count != 0) {
		wp_statistics unused = {0};
		const wp_call call = wp_make_call(batch, results, WP_QUERY_CONTACT, 0.0f);
		const wp_motions a = with_strides(motions_a), b = with_strides(wp_has_one_view(batch) ? motions_a : motions_b);
		for (uint64_t first = 0; first < batch->count; first += WP_CAST_ROWS) {
			const uint64_t left = batch->count - first;
			cast_chunk(workspace, &call, batch->shapes, &a, &b, (uint32_t)first,
				left < WP_CAST_ROWS ? (uint32_t)left : WP_CAST_ROWS, statistics != NULL ? statistics : &unused);
		}
	}
	wp_environment_leave(before);
	return error;
}

wp_error wp_cast_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *start_a, const wp_pose *end_a,
	const wp_shape *shape_b, const wp_pose *start_b, const wp_pose *end_b, float *fraction, wp_row *row)
{
	wp_error error = wp_check_cast_pair(shape_a, start_a, shape_b, start_b, fraction, row);
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	const wp_pose *const start[2] = {start_a, start_b}, *const end[2] = {end_a, end_b};
	float way[2][3];
	wp_motions motions[2] = {{.translation = NULL}, {.translation = NULL}};
	for (int side = 0; side < 2; side++) {
		if (end[side] == NULL)
			continue;
		for (int i = 0; i < 3; i++)
			way[side][i] = end[side]->position[i] - start[side]->position[i];
		motions[side] = (wp_motions){.translation = way[side], .rotation = end[side]->rotation};
	}
	wp_pair pair;
	wp_pair_make(&pair, shape_a, start_a, shape_b, start_b);
	wp_results results = wp_results_of_rows(row);
	results.fraction = fraction;
	error = wp_cast(workspace, &pair.batch, &motions[0], &motions[1], &results, NULL);
	wp_environment_leave(before);
	return error;
}

/* ---- directed depths ---------------------------------------------------------------------------- */

/* The direction of a row at length 1. False where it has none. */
static bool read_direction(const float *direction, size_t stride, size_t row, double u[3])
{
	float d[3];
	memcpy(d, wp_offset(direction, row * stride), sizeof d);
	for (int k = 0; k < 3; k++)
		u[k] = (double)d[k];
	const double length = __builtin_sqrt(wp_dot3(u, u));
	if (!(wp_is_finite_double(length) && length > 0.0))
		return false;
	for (int k = 0; k < 3; k++)
		u[k] /= length;
	return true;
}

/* Send B of a row off along u, to where its bounding ball is clear of A's, for a cast that brings it back. */
static void send_off(const wp_call *call, const double u[3], wp_cast_memory *cast, uint32_t i)
{
	wp_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	wp_cast_path *const path = &cast->path[2 * i + 1];
	const wp_core *const core_a = &call->cores[a->shape], *const core_b = &call->cores[b->shape];
	const double bounds = ((double)core_a->bound + (double)core_a->radius) +
	                      ((double)core_b->bound + (double)core_b->radius);
	double offset[3];
	for (int k = 0; k < 3; k++)
		offset[k] = b->position[k] - a->position[k];
	const double far = 1.0625 * (bounds + __builtin_sqrt(wp_dot3(offset, offset)));
	for (int k = 0; k < 3; k++) {
		path->way[k] = -far * u[k];
		path->start[k] = b->position[k] - path->way[k];
	}
	wp_path_move(path, 0.0, b);
}

/* How far B must go along u to be free of A, where one of them is a half-space: as far as it takes to rise by the depth, if
 * it rises at all. The point of the other shape is its lowest one, there or back. */
static void rise_free(const wp_cast_memory *cast, uint32_t i, int space, const double u[3], wp_cast_contact *answer)
{
	const wp_cast_body *const body = &cast->body[2 * i + (uint32_t)space];
	const double sign = space == 0 ? 1.0 : -1.0;
	double normal[3], from[3];
	float local[3];
	wp_row *const r = &answer->row;
	wp_half_space_normal(body->rotation, normal);
	const double lean = sign * wp_dot3(normal, u), way = lean > 0.0 ? (double)r->lower / lean : -__builtin_inf();
	r->separation = r->lower = way >= -(double)WP_COORDINATE_MAX ? wp_round_down(way) : -__builtin_inff();
	r->upper = 0.0f;
	r->status = WP_STATUS_PENETRATING | (r->status & WP_STATUS_STRONG);
	if (!wp_is_finite_double((double)r->separation))
		return;
	/* Off the surface by rounding at most, which its local point does not show. */
	double *const on_surface = answer->point[space];
	for (int k = 0; k < 3; k++) {
		on_surface[k] = answer->point[1 - space][k] - sign * (double)r->separation * u[k];
		from[k] = on_surface[k] - body->position[k];
	}
	wp_to_local(body->rotation, from, local);
	answer->local[space][0] = local[0];
	answer->local[space][2] = local[2];
}

/* Where B was sent off and met A on its way back, tell the contact from where B is. */
static void write_depth(
	const wp_call *call, uint32_t row, const wp_cast_memory *cast, uint32_t i, wp_statistics *statistics)
{
	const wp_cast_path *const path = &cast->path[2 * i + 1];
	wp_output output = output_of(cast, i);
	if (cast->status[i] & WP_STATUS_HIT) {
		const double left = 1.0 - cast->fraction[i];
		for (int k = 0; k < 3; k++)
			output.point_b[k] += left * path->way[k];
		output.separation = output.lower = wp_round_down(-left * __builtin_sqrt(wp_dot3(path->way, path->way)));
		output.upper = 0.0f;
		output.status = WP_STATUS_PENETRATING | (output.status & WP_STATUS_STRONG) |
		                (cast->status[i] & WP_STATUS_ITERATION_CAP);
	}
	write_output(call, row, cast, i, &output, statistics);
}

/* The rows that overlap go through a cast. One that meets nothing on its way back only touches where it is. */
static void depth_chunk(wp_workspace *workspace, const wp_call *call, const wp_shape_table *shapes,
	const float *direction, size_t stride, uint32_t first, uint32_t count, wp_statistics *statistics)
{
	wp_cast_memory *const cast = &workspace->cast;
	const size_t base = call->first + first;
	wp_statistics work = {0};
	double u[3];
	for (uint32_t i = 0; i < count; i++) {
		cast->open[i] = i;
		if (read_row(call, first + i, &still, &still, cast, i) && !read_direction(direction, stride, base + i, u))
			cast->body[2 * i + 1].position[0] = (double)__builtin_nanf("");
	}
	ask_contacts(workspace, shapes, count, &work);
	uint32_t open = 0;
	for (uint32_t i = 0; i < count; i++) {
		cast->answer[i] = cast->contact[i];
		cast->iterations[i] = cast->contact[i].row.iterations;
		if (!(cast->contact[i].row.status & WP_STATUS_PENETRATING) || !read_direction(direction, stride, base + i, u))
			continue;
		const int space = half_space_of(call, cast, i);
		if (space >= 0) {
			rise_free(cast, i, space, u, &cast->answer[i]);
			continue;
		}
		send_off(call, u, cast, i);
		cast->open[open++] = i;
	}
	run_steps(workspace, call, shapes, open, true, &work);
	for (uint32_t i = 0; i < count; i++)
		write_depth(call, first + i, cast, i, statistics);
	wp_add_work(statistics, &work);
}

wp_error wp_depth_along(wp_workspace *workspace, const wp_batch *batch, const float *direction, size_t direction_stride,
	const wp_results *results, wp_statistics *statistics)
{
	const wp_environment before = wp_environment_enter();
	wp_error error = wp_check_call(workspace, batch, results, 0.0f, false);
	if (error == WP_OK && batch->count != 0 && direction == NULL)
		error = WP_ERROR_NULL_DIRECTION;
	if (error == WP_OK && batch->count != 0 && wp_is_short(direction, direction_stride, 3 * sizeof *direction))
		error = WP_ERROR_DIRECTION_STRIDE;
	if (error == WP_OK && batch->count != 0) {
		wp_statistics unused = {0};
		const wp_call call = wp_make_call(batch, results, WP_QUERY_CONTACT, 0.0f);
		const size_t stride = direction_stride != 0 ? direction_stride : 3 * sizeof(float);
		for (uint64_t first = 0; first < batch->count; first += WP_CAST_ROWS) {
			const uint64_t left = batch->count - first;
			depth_chunk(workspace, &call, batch->shapes, direction, stride, (uint32_t)first,
				left < WP_CAST_ROWS ? (uint32_t)left : WP_CAST_ROWS, statistics != NULL ? statistics : &unused);
		}
	}
	wp_environment_leave(before);
	return error;
}

wp_error wp_depth_along_pair(wp_workspace *workspace, const wp_shape *shape_a, const wp_pose *pose_a,
	const wp_shape *shape_b, const wp_pose *pose_b, const float direction[3], wp_row *row)
{
	const wp_error error = wp_check_pair(shape_a, pose_a, shape_b, pose_b, row);
	if (error != WP_OK)
		return error;
	if (direction == NULL)
		return WP_ERROR_NULL_DIRECTION;
	wp_pair pair;
	wp_pair_make(&pair, shape_a, pose_a, shape_b, pose_b);
	const wp_results results = wp_results_of_rows(row);
	return wp_depth_along(workspace, &pair.batch, direction, 0, &results, NULL);
}
