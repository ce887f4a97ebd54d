#include "batch/strong_row.h"
#include "batch/cache.h"
#include "core/double3.h"
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

/* ---- the pair in double precision --------------------------------------------------------------- */

static void solve_strongly(const wp_call *call, const wp_input *input, const double offset[3], wp_strong_memory *memory,
	wp_strong_answer *answer)
{
	const size_t rotation_size = wp_rotation_numbers(call->dimension) * sizeof(float);
	const uint32_t a = input->a.shape, b = input->b.shape;
	wp_strong_pair pair = {.offset = {offset[0], offset[1], offset[2]}};
	memcpy(pair.rotation_a, input->a.rotation, rotation_size);
	memcpy(pair.rotation_b, input->b.rotation, rotation_size);
	if (call->dimension == WP_3D) {
		pair.a = &call->cores[a];
		pair.b = &call->cores[b];
		wp_strong_solve(&pair, memory, answer);
	} else {
		pair.a_2d = &call->cores_2d[a];
		pair.b_2d = &call->cores_2d[b];
		wp2d_strong_solve(&pair, answer);
	}
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
	solve_strongly(call, input, offset, memory, &answer);
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

void wp_run_strong_row(wp_workspace *workspace, const wp_call *call, uint32_t row, wp_input *input, wp_output *output,
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
	/* In 2D the iterations of rows add up to the sum of the call, whichever path a row took. */
	const wp_statistics work = {.gjk_iterations = output->iterations, .gjk_iterations_max = output->iterations};
	if (call->dimension == WP_2D)
		wp_add_work(statistics, &work);
}
