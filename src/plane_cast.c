/* Casts of the plane, by conservative advancement over batches of contacts. */
#include "advance.h"
#include "batch.h"
#include "environment.h"
#include "plane_batch.h"
#include "plane_path.h"

#define NO_BODY UINT32_MAX

/* ---- rows --------------------------------------------------------------------------------------- */

/* Read where body `index` goes. What leads nowhere spoils the pose, which the contact then refuses by name.
 */
static void read_path(const wp2_motions *motions, uint32_t index, wp2_cast_body *body, wp2_cast_path *path)
{
	float way[2] = {0.0f, 0.0f}, to[2];
	memcpy(to, body->rotation, sizeof to);
	if (motions->translation != NULL)
		memcpy(way, wp_offset(motions->translation, index * motions->translation_stride), sizeof way);
	if (motions->rotation != NULL)
		memcpy(to, wp_offset(motions->rotation, index * motions->rotation_stride), sizeof to);
	wp2_path_find_turn(path, body->rotation, to);
	for (int i = 0; i < 2; i++) {
		path->start[i] = body->position[i];
		path->way[i] = (double)way[i];
		if (!(__builtin_fabs(path->start[i] + path->way[i]) <= (double)WP_COORDINATE_MAX))
			body->position[i] = (double)__builtin_nanf("");
	}
	if (!wp2_rotation_holds(to))
		body->rotation[0] = __builtin_nanf("");
}

static void read_side(
	const wp2_call *call, const wp2_core *core, const double position[2], const float rotation[2], wp2_cast_body *body)
{
	memcpy(body->position, position, sizeof body->position);
	memcpy(body->rotation, rotation, sizeof body->rotation);
	body->shape = core != NULL ? (uint32_t)(core - call->cores) : NO_BODY;
}

/* Put row `row` of the call at place `i` of the cast. */
static void read_row(const wp2_call *call, uint32_t row, const wp2_motions *motions_a, const wp2_motions *motions_b,
	wp2_cast_memory *cast, uint32_t i)
{
	wp2_input input = {.invalid = 0};
	wp2_read_row(call, row, &input);
	const bool has_a = input.has_a, has_b = input.has_b;
	wp2_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	cast->pair[2 * i] = has_a ? 2 * i : NO_BODY;
	cast->pair[2 * i + 1] = has_b ? 2 * i + 1 : NO_BODY;
	cast->fraction[i] = 0.0;
	cast->iterations[i] = 0;
	cast->status[i] = 0;
	if (has_a) {
		read_side(call, input.pair.a, input.position_a, input.pair.rotation_a, a);
		read_path(motions_a, input.body_a, a, &cast->path[2 * i]);
	}
	if (has_b) {
		read_side(call, input.pair.b, input.position_b, input.pair.rotation_b, b);
		read_path(motions_b, input.body_b, b, &cast->path[2 * i + 1]);
	}
}

/* ---- steps -------------------------------------------------------------------------------------- */

/* The contacts of the open rows where they are. */
static void ask_contacts(wp_workspace *workspace, const wp2_shape_table *shapes, uint32_t count, wp_statistics *work)
{
	wp2_cast_memory *const cast = &workspace->plane_cast;
	const wp2_cast_body *const body = cast->body;
	wp2_cast_contact *const to = cast->contact;
	for (uint32_t k = 0; k < count; k++)
		memcpy(&cast->open_pair[2 * k], &cast->pair[2 * cast->open[k]], 2 * sizeof *cast->pair);
	const wp2_batch batch = {.shapes = shapes,
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
	wp2_results r = wp2_results_of_rows(&to->row);
	r.point_a = to->point[0];
	r.point_b = to->point[1];
	r.point_real = WP_REAL_DOUBLE;
	r.local_a = to->local[0];
	r.local_b = to->local[1];
	r.separation_stride = r.normal_stride = r.point_a_stride = r.point_b_stride = r.lower_stride = r.upper_stride =
		r.status_stride = r.iterations_stride = r.local_a_stride = r.local_b_stride = sizeof *to;
	wp2_contact(workspace, &batch, __builtin_inff(), &r, work);
}

/* The fraction up to which a row is free, by its contact where it is. A gap as small as the rounding of where
 * the bodies are is none. */
static double free_until(const wp2_call *call, const wp2_cast_memory *cast, uint32_t i, const wp2_row *row)
{
	const wp2_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	const wp2_cast_path *const path = &cast->path[2 * i];
	const wp2_mover mover[2] = {{&call->cores[a->shape], &path[0]}, {&call->cores[b->shape], &path[1]}};
	const double bounds = (double)mover[0].core->bound + (double)mover[1].core->bound;
	const bool turns = path[0].half.y != 0.0 || path[1].half.y != 0.0;
	const wp2_d2 offset = {b->position[0] - a->position[0], b->position[1] - a->position[1]};
	const double rounding = WP_WAY_ROUNDING * wp2_d2_length(offset) + (turns ? WP_TURN_ROUNDING * bounds : 0.0);
	if (!(row->status & WP_STATUS_SEPARATED) || (double)row->lower <= rounding)
		return cast->fraction[i];
	return wp2_path_free_until(mover, row->normal, cast->fraction[i]);
}

/* Decide a row by its contact, or move it on. True where it stays open. */
static bool advance(const wp2_call *call, wp2_cast_memory *cast, uint32_t i, const wp2_row *row, bool last)
{
	cast->iterations[i] += row->iterations;
	if (row->status & WP_STATUS_INVALID)
		return false;
	const double until = free_until(call, cast, i, row);
	if (!wp_cast_goes_on(until, last, &cast->fraction[i], &cast->status[i]))
		return false;
	for (uint32_t side = 0; side < 2; side++)
		wp2_path_move(&cast->path[2 * i + side], until, &cast->body[2 * i + side]);
	return true;
}

/* All steps of the first rows. */
static void run_steps(
	wp_workspace *workspace, const wp2_call *call, const wp2_shape_table *shapes, uint32_t count, wp_statistics *work)
{
	wp2_cast_memory *const cast = &workspace->plane_cast;
	for (uint32_t i = 0; i < count; i++)
		cast->open[i] = i;
	for (int step = 1; step <= WP_CAST_STEP_MAX && count != 0; step++) {
		ask_contacts(workspace, shapes, count, work);
		uint32_t left = 0;
		for (uint32_t k = 0; k < count; k++) {
			const uint32_t i = cast->open[k];
			if (advance(call, cast, i, &cast->contact[k].row, step == WP_CAST_STEP_MAX))
				cast->open[left++] = i;
			else
				cast->answer[i] = cast->contact[k];
		}
		count = left;
	}
}

/* ---- results ------------------------------------------------------------------------------------ */

/* The answer of a row as it is written, points counted from the position of A. */
static wp2_output output_of(const wp2_cast_memory *cast, uint32_t i)
{
	const wp2_cast_contact *const answer = &cast->answer[i];
	const wp2_row *const r = &answer->row;
	const bool has_points = !(r->status & WP_STATUS_INVALID);
	wp2_output output = {.separation = r->separation,
		.lower = r->lower,
		.upper = r->upper,
		.status = r->status | cast->status[i],
		.iterations = cast->iterations[i]};
	for (int k = 0; k < 2; k++) {
		output.normal[k] = r->normal[k];
		output.local_a[k] = answer->local[0][k];
		output.local_b[k] = answer->local[1][k];
		output.point_a[k] = has_points ? answer->point[0][k] - cast->body[2 * i].position[k] : 0.0;
		output.point_b[k] = has_points ? answer->point[1][k] - cast->body[2 * i].position[k] : 0.0;
	}
	return output;
}

/* A fraction is rounded down: before it there is no contact. */
static void write_cast(
	const wp2_call *call, uint32_t row, const wp2_cast_memory *cast, uint32_t i, wp_statistics *statistics)
{
	const wp2_results *const r = &call->results;
	const wp2_output output = output_of(cast, i);
	wp2_write_row(call, row, cast->body[2 * i].position, &output);
	wp_count_row(statistics, (uint64_t)call->first + row, output.status);
	const float fraction = output.status & WP_STATUS_INVALID ? __builtin_nanf("") : wp_round_down(cast->fraction[i]);
	if (r->fraction != NULL)
		memcpy((char *)r->fraction + (call->first + row) * r->fraction_stride, &fraction, sizeof fraction);
}

/* ---- calls -------------------------------------------------------------------------------------- */

static void cast_chunk(wp_workspace *workspace, const wp2_call *call, const wp2_shape_table *shapes,
	const wp2_motions *motions_a, const wp2_motions *motions_b, uint32_t first, uint32_t count,
	wp_statistics *statistics)
{
	wp2_cast_memory *const cast = &workspace->plane_cast;
	wp_statistics work = {0};
	for (uint32_t i = 0; i < count; i++)
		read_row(call, first + i, motions_a, motions_b, cast, i);
	run_steps(workspace, call, shapes, count, &work);
	for (uint32_t i = 0; i < count; i++)
		write_cast(call, first + i, cast, i, statistics);
	wp_add_work(statistics, &work);
}

static wp2_motions with_strides(const wp2_motions *motions)
{
	wp2_motions m = {.translation = NULL};
	if (motions != NULL)
		m = *motions;
	m.translation_stride = m.translation_stride != 0 ? m.translation_stride : 2 * sizeof(float);
	m.rotation_stride = m.rotation_stride != 0 ? m.rotation_stride : 2 * sizeof(float);
	return m;
}

wp_error wp2_cast(wp_workspace *workspace, const wp2_batch *batch, const wp2_motions *motions_a,
	const wp2_motions *motions_b, const wp2_results *results, wp_statistics *statistics)
{
	const wp_environment before = wp_environment_enter();
	wp_error error = wp2_check_call(workspace, batch, results, 0.0f);
	if (error == WP_OK && batch->count != 0)
		error = wp_check_motions(motions_a, wp_is_no_view(&batch->b) ? NULL : motions_b, 2);
	if (error == WP_OK && batch->count != 0) {
		wp_statistics unused = {0};
		const wp2_call call = wp2_make_call(batch, results, NULL, WP_QUERY_CONTACT, 0.0f);
		const wp2_motions a = with_strides(motions_a),
						  b = with_strides(wp_is_no_view(&batch->b) ? motions_a : motions_b);
		for (uint64_t first = 0; first < batch->count; first += WP_CAST_ROWS) {
			const uint64_t left = batch->count - first;
			cast_chunk(workspace, &call, batch->shapes, &a, &b, (uint32_t)first,
				left < WP_CAST_ROWS ? (uint32_t)left : WP_CAST_ROWS, statistics != NULL ? statistics : &unused);
		}
	}
	wp_environment_leave(before);
	return error;
}

wp_error wp2_cast_pair(wp_workspace *workspace, const wp2_shape *shape_a, const wp2_pose *start_a,
	const wp2_pose *end_a, const wp2_shape *shape_b, const wp2_pose *start_b, const wp2_pose *end_b, float *fraction,
	wp2_row *row)
{
	wp_error error = wp_check_cast_pair(shape_a, start_a, shape_b, start_b, fraction, row);
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	const wp2_pose *const start[2] = {start_a, start_b}, *const end[2] = {end_a, end_b};
	float way[2][2];
	wp2_motions motions[2] = {{.translation = NULL}, {.translation = NULL}};
	for (int side = 0; side < 2; side++) {
		if (end[side] == NULL)
			continue;
		for (int i = 0; i < 2; i++)
			way[side][i] = end[side]->position[i] - start[side]->position[i];
		motions[side] = (wp2_motions){.translation = way[side], .rotation = end[side]->rotation};
	}
	wp2_pair pair;
	wp2_pair_make(&pair, shape_a, start_a, shape_b, start_b);
	wp2_results results = wp2_results_of_rows(row);
	results.fraction = fraction;
	error = wp2_cast(workspace, &pair.batch, &motions[0], &motions[1], &results, NULL);
	wp_environment_leave(before);
	return error;
}
