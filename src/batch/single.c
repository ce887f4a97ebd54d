#include "batch/single.h"
#include "batch/cache.h"
#include "core/double3.h"
#include "strong/strong.h"
#include "strong/strong_2d.h"

/* Bounds are rounded outwards, so that the bracket stays one. */
static float round_up(double value) { return -wp_round_down(-value); }

/* The state that a bracket proves, as it is handed out: tiny bounds may have been rounded to zero. */
static uint32_t state_of(float lower, float upper)
{
	return lower > 0.0f ? WP_STATUS_SEPARATED : upper < 0.0f ? WP_STATUS_PENETRATING : WP_STATUS_TOUCHING;
}

static void zero_vectors(wp_output *output)
{
	for (int i = 0; i < 3; i++) {
		output->normal[i] = output->local_a[i] = output->local_b[i] = 0.0f;
		output->point_a[i] = output->point_b[i] = 0.0;
	}
}

/* ---- in 3D -------------------------------------------------------------------------------------- */

void wp_to_local(const float rotation[4], const double v[3], float local[3])
{
	const wp_dq q = wp_dq_of_rotation(rotation);
	const wp_d3 axis = wp_d3_negate(q.v), at = wp_d3_at(v), t = wp_d3_scale(wp_d3_cross(axis, at), q.twice);
	const wp_d3 turned = wp_d3_add(at, wp_d3_add(wp_d3_scale(t, q.w), wp_d3_cross(axis, t)));
	local[0] = (float)turned.x;
	local[1] = (float)turned.y;
	local[2] = (float)turned.z;
}

static void solve_3d(const wp_call *call, const wp_input *input, const double offset[3], wp_strong_memory *memory,
	wp_strong_answer *answer)
{
	wp_strong_pair pair = {.a = &call->cores[input->a.shape], .b = &call->cores[input->b.shape]};
	memcpy(pair.rotation_a, input->a.rotation, sizeof pair.rotation_a);
	memcpy(pair.rotation_b, input->b.rotation, sizeof pair.rotation_b);
	memcpy(pair.offset, offset, sizeof pair.offset);
	wp_strong_solve(&pair, memory, answer);
}

/* ---- in 2D -------------------------------------------------------------------------------------- */

static void put(wp_d2 v, double to[3])
{
	to[0] = v.x;
	to[1] = v.y;
	to[2] = 0.0;
}

static void solve_2d(const wp_call *call, const wp_input *input, const double offset[3], wp_strong_answer *answer)
{
	wp2d_strong_pair pair = {.a = &call->cores_2d[input->a.shape], .b = &call->cores_2d[input->b.shape]};
	memcpy(pair.rotation_a, input->a.rotation, sizeof pair.rotation_a);
	memcpy(pair.rotation_b, input->b.rotation, sizeof pair.rotation_b);
	memcpy(pair.offset, offset, sizeof pair.offset);
	wp2d_strong_answer found;
	wp2d_strong_solve(&pair, &found);
	*answer = (wp_strong_answer){.separation = found.separation,
		.lower = found.lower,
		.upper = found.upper,
		.status = found.status,
		.iterations = 1};
	put(found.normal, answer->normal);
	put(found.point_a, answer->point_a);
	put(found.point_b, answer->point_b);
	put(found.common, answer->common);
}

static void to_local_2d(const float rotation[2], const double v[2], float local[3])
{
	const wp_d2 turned = wp_d2_turn_back(wp_d2_rotation(rotation), (wp_d2){v[0], v[1]});
	local[0] = (float)turned.x;
	local[1] = (float)turned.y;
}

/* ---- what the query wants of an answer ---------------------------------------------------------- */

/* The points once more, in their own bodies' frames. */
static void localize(const wp_call *call, const wp_input *input, const double offset[3], wp_output *output)
{
	double from_b[3];
	for (int i = 0; i < 3; i++)
		from_b[i] = output->point_b[i] - offset[i];
	if (call->dimension == WP_3D) {
		wp_to_local(input->a.rotation, output->point_a, output->local_a);
		wp_to_local(input->b.rotation, from_b, output->local_b);
	} else {
		to_local_2d(input->a.rotation, output->point_a, output->local_a);
		to_local_2d(input->b.rotation, from_b, output->local_b);
	}
}

/* An overlap wants the bound that decides. */
static void keep_proof(const wp_strong_answer *answer, wp_output *output)
{
	const bool apart = answer->lower > 0.0;
	const float normal[3] = {output->normal[0], output->normal[1], output->normal[2]};
	zero_vectors(output);
	if (apart)
		memcpy(output->normal, normal, sizeof normal);
	output->separation = apart ? output->lower : output->upper;
}

/* A distance ends at zero, where shapes overlap or touch. */
static void end_at_zero(const wp_strong_answer *answer, wp_output *output)
{
	output->lower = 0.0f;
	if (answer->separation > 0.0)
		return;
	zero_vectors(output);
	output->separation = 0.0f;
	output->upper = answer->upper > 0.0 ? output->upper : 0.0f;
	for (int i = 0; i < 3; i++)
		output->point_a[i] = output->point_b[i] = answer->common[i];
	output->status = (output->status & ~(uint32_t)WP_STATUS_TOUCHING) | WP_STATUS_PENETRATING;
}

static void take_answer(const wp_strong_answer *answer, wp_output *output)
{
	memset(output, 0, sizeof *output);
	output->separation = (float)answer->separation;
	output->lower = wp_round_down(answer->lower);
	output->upper = round_up(answer->upper);
	for (int i = 0; i < 3; i++) {
		output->normal[i] = (float)answer->normal[i];
		output->point_a[i] = answer->point_a[i];
		output->point_b[i] = answer->point_b[i];
	}
	output->status = answer->status | WP_STATUS_STRONG | state_of(output->lower, output->upper);
	output->iterations = answer->iterations;
}

static void solve(const wp_call *call, const wp_input *input, wp_strong_memory *memory, wp_output *output)
{
	double offset[3] = {0.0, 0.0, 0.0};
	wp_strong_answer answer;
	for (size_t i = 0; i < call->dimension; i++)
		offset[i] = input->b.position[i] - input->a.position[i];
	if (call->dimension == WP_3D)
		solve_3d(call, input, offset, memory, &answer);
	else
		solve_2d(call, input, offset, &answer);
	if (answer.status & WP_STATUS_INVALID) {
		wp_invalid_output(answer.status, output);
		return;
	}
	take_answer(&answer, output);
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
	localize(call, input, offset, output);
}

void wp_run_single(wp_workspace *workspace, const wp_call *call, uint32_t row, wp_input *input, wp_output *output,
	wp_statistics *statistics)
{
	wp_cache_clear(call, row);
	wp_read_row(call, row, input);
	if (input->invalid) {
		memset(input->a.position, 0, sizeof input->a.position);
		wp_invalid_output(input->invalid, output);
	} else {
		solve(call, input, workspace->strong, output);
	}
	wp_write_row(call, row, input->a.position, output, statistics);
	/* In 2D the iterations of rows add up to those of the call, whichever path a row took. */
	const wp_statistics work = {.gjk_iterations = output->iterations, .gjk_iterations_max = output->iterations};
	if (call->dimension == WP_2D)
		wp_add_work(statistics, &work);
}
