#include "motion/sweep.h"
#include "batch/bucket.h"
#include "batch/write.h"
#include "motion/ask.h"
#include "motion/gap.h"
#include "motion/path.h"
#include "strong/internal.h"

/* How wide the bracket of a guess may be, and how far its points may be off, as a share of what the contract allows. */
#define GUESS_SHARE 0.75

/* ---- guesses ------------------------------------------------------------------------------------ */

static bool is_swept(const wp_core *core) { return core->kind < WP_CORE_HALF_SPACE; }

/* Kinds of a row for the kernels of searches. */
#define CLASS_COUNT 7

/* The number of a row's kinds; CLASS_COUNT: no kernel sweeps them. */
static uint32_t class_of(const wp_call *call, const wp_cast_memory *cast, uint32_t i)
{
	const wp_cast_path *const path = &cast->path[2 * i];
	if (call->dimension != WP_3D || !cast->is_valid[i] || cast->is_clear[i] || path[0].turn != 0.0 ||
		path[1].turn != 0.0 || wp_has_mount(call, cast->row[i]))
		return CLASS_COUNT;
	const wp_core *const a = &call->cores[cast->body[2 * i].shape],
						 *const b = &call->cores[cast->body[2 * i + 1].shape];
	if (!is_swept(a) || !is_swept(b))
		return CLASS_COUNT;
	const bool smooth = wp_is_smooth((int)a->kind, (int)b->kind);
	return (smooth ? 4u : 0u) + (a->kind == WP_CORE_HULL ? 2u : 0u) + (b->kind == WP_CORE_HULL ? 1u : 0u);
}

/* How B goes beside A from where the row stands, as kernels take it. */
static void put_way(const wp_cast_memory *cast, uint32_t i, float way[4])
{
	const wp_cast_path *const path = &cast->path[2 * i];
	const wp_d3 whole = wp_d3_sub(wp_d3_at(path[1].way), wp_d3_at(path[0].way));
	const double length = wp_d3_length(whole);
	const wp_d3 along = length > 0.0 ? wp_d3_scale(whole, 1.0 / length) : wp_d3_zero();
	way[0] = (float)along.x;
	way[1] = (float)along.y;
	way[2] = (float)along.z;
	way[3] = (float)(length * (1.0 - cast->fraction[i]));
}

/* Make the row job `job`. */
static void put_row(wp_workspace *workspace, const wp_call *call, uint32_t i, uint32_t job)
{
	wp_cast_memory *const cast = &workspace->cast;
	wp_cast_put_job(workspace, call, i, job, i);
	put_way(cast, i, cast->way + 4 * (size_t)job);
}

/* Let kernels guess. */
static void run_jobs(wp_workspace *workspace, uint32_t count, wp_statistics *work)
{
	wp_jobs *const jobs = &workspace->jobs;
	wp_take_running(workspace, count);
	wp_kernel_work done = {0, 0};
	jobs->kind_a = jobs->core_a[0]->kind;
	jobs->kind_b = jobs->core_b[0]->kind;
	jobs->way = workspace->cast.way;
	const wp_kernels *const kernels = wp_kernels_for(workspace, count);
	kernels->sweep(jobs, workspace->scratch, &done);
	work->lanes_issued += done.lanes_issued;
	work->lanes_live += done.lanes_live;
}

/* ---- proofs ------------------------------------------------------------------------------------- */

/* A guess: a normal from A to B, and points of both cores, relative to the positions. */
typedef struct guess {
	wp_d3 normal, on_a, on_b;
} guess;

/* Rounding of points and radii, and the error that is allowed. */
static double rounding_of(const wp_core *a, const wp_core *b, double *allowed)
{
	const bool smooth = wp_is_smooth((int)a->kind, (int)b->kind);
	const double bounds = (double)a->bound + (double)b->bound, radii = (double)a->radius + (double)b->radius;
	*allowed = wp_path_accuracy(a, b, GUESS_SHARE);
	return (double)(smooth ? WP_SMOOTH_SHAPE_ROUNDING : WP_SHAPE_ROUNDING) * bounds +
	       (double)WP_OFFSET_ROUNDING * (bounds + radii) + (double)WP_RADIUS_ROUNDING * radii;
}

/* Take a guess for the contact where the row stands, the support planes along the normal being together there: where the
 * points bound the gap from above by next to nothing. */
static bool take_contact(const wp_call *call, wp_cast_memory *cast, uint32_t i, const guess *g)
{
	const wp_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	const wp_core *const core_a = &call->cores[a->shape], *const core_b = &call->cores[b->shape];
	const double radius_a = wp_strong_radius(core_a), radius_b = wp_strong_radius(core_b);
	const wp_d3 at_a = wp_d3_at(a->position), at_b = wp_d3_at(b->position), offset = wp_d3_sub(at_b, at_a);
	const wp_d3 between = wp_d3_add(offset, wp_d3_sub(g->on_b, g->on_a));
	const double gap = wp_d3_length(between) - (radius_a + radius_b);
	double allowed;
	const double rounding = rounding_of(core_a, core_b, &allowed);
	const double error = WP_PATH_ROUNDING * (allowed / (GUESS_SHARE * WP_CONTRACT) + wp_d3_length(offset));
	const wp_d3 from_a = wp_d3_add(g->on_a, wp_d3_scale(g->normal, radius_a));
	const wp_d3 from_b = wp_d3_sub(g->on_b, wp_d3_scale(g->normal, radius_b));
	const wp_d3 apart = wp_d3_add(offset, wp_d3_sub(from_b, from_a));
	const double upper = (gap > 0.0 ? gap : 0.0) + rounding;
	if (!(upper + error <= allowed && wp_d3_length(apart) <= allowed))
		return false;
	wp_cast_contact *const c = &cast->answer[i];
	c->separation = (float)(gap > 0.0 ? gap : 0.0);
	c->lower = wp_round_down(-error);
	c->upper = -wp_round_down(-upper);
	c->normal[0] = (float)g->normal.x;
	c->normal[1] = (float)g->normal.y;
	c->normal[2] = (float)g->normal.z;
	c->status = WP_STATUS_TOUCHING;
	wp_d3_put(wp_d3_add(at_a, from_a), c->point[0]);
	wp_d3_put(wp_d3_add(at_b, from_b), c->point[1]);
	if (wp_wants_details(&call->results)) {
		double from[2][3];
		wp_d3_put(from_a, from[0]);
		wp_d3_put(from_b, from[1]);
		wp_to_local(a->rotation, from[0], c->local[0]);
		wp_to_local(b->rotation, from[1], c->local[1]);
	}
	return true;
}

static bool is_zero(const float v[3]) { return v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f; }

/* How far the planes of a guess prove that a row is free: the one that B comes to at last or, where that does not keep the
 * pair apart at the start, the one before it, and it from there on. `*normal` is the one that does so last. */
static double free_until(
	const wp_mover mover[2], const float output[WP_OUTPUT_COUNT], double fraction, const float **normal)
{
	const float *const last = output + WP_SWEEP_NORMAL, *const before = output + WP_SWEEP_CLIP;
	*normal = last;
	if (is_zero(last))
		return fraction;
	const wp_reaches along_last = wp_path_reaches(mover, last);
	const double until = wp_path_free_straight(mover, &along_last, fraction);
	if (until > fraction || is_zero(before))
		return until;
	const wp_reaches along_before = wp_path_reaches(mover, before);
	const double between = wp_path_free_straight(mover, &along_before, fraction);
	const double end = wp_path_free_straight(mover, &along_last, between);
	*normal = end > between ? last : before;
	return end;
}

/* Move a row on to where the planes of a guess prove that it is free until, and decide it where it touches there. */
static bool decide(const wp_call *call, wp_cast_memory *cast, uint32_t i, const float output[WP_OUTPUT_COUNT])
{
	const wp_mover mover[2] = {{&call->cores[cast->body[2 * i].shape], &cast->path[2 * i], NULL},
		{&call->cores[cast->body[2 * i + 1].shape], &cast->path[2 * i + 1], NULL}};
	const float *normal;
	const double until = free_until(mover, output, cast->fraction[i], &normal);
	if (!(until > cast->fraction[i]))
		return false;
	if (until == 1.0) {
		cast->is_clear[i] = true;
		return false;
	}
	const guess g = {wp_d3_unit(wp_d3_of_floats(normal)), wp_d3_of_floats(output + WP_SWEEP_ON_A),
		wp_d3_of_floats(output + WP_SWEEP_ON_B)};
	wp_cast_move(call, cast, i, until);
	if (!take_contact(call, cast, i, &g))
		return false;
	cast->status[i] = WP_STATUS_HIT;
	return true;
}

static void count_steps(uint64_t steps, wp_statistics *work)
{
	work->gjk_iterations += steps;
	work->gjk_iterations_max = steps > work->gjk_iterations_max ? steps : work->gjk_iterations_max;
}

/* Let kernels guess the answers of rows that are jobs, and decide the rows whose guess is proven. */
static void sweep_jobs(
	wp_workspace *workspace, const wp_call *call, uint32_t count, bool is_done[WP_CAST_ROWS], wp_statistics *work)
{
	wp_cast_memory *const cast = &workspace->cast;
	run_jobs(workspace, count, work);
	for (uint32_t job = 0; job < count; job++) {
		const float *const output = workspace->jobs.output + (size_t)WP_OUTPUT_COUNT * job;
		const uint32_t i = workspace->running.row[job], steps = (uint32_t)output[WP_SWEEP_NORMAL + 3];
		count_steps(steps, work);
		cast->iterations[i] += steps;
		is_done[i] = decide(call, cast, i, output);
	}
}

uint32_t wp_sweep_rows(
	wp_workspace *workspace, const wp_call *call, uint32_t first, uint32_t count, wp_statistics *work)
{
	wp_cast_memory *const cast = &workspace->cast;
	uint32_t decided[WP_CAST_ROWS], done = 0;
	bool is_done[WP_CAST_ROWS] = {false};
	uint8_t class[WP_CAST_ROWS];
	uint32_t rows[CLASS_COUNT + 1] = {0};
	for (uint32_t k = first; k < count; k++) {
		class[k] = (uint8_t)class_of(call, cast, cast->open[k]);
		rows[class[k]]++;
	}
	for (uint32_t c = 0; c < CLASS_COUNT; c++) {
		uint32_t jobs = 0;
		for (uint32_t k = first; jobs < rows[c]; k++)
			if (class[k] == c)
				put_row(workspace, call, cast->open[k], jobs++);
		if (jobs != 0)
			sweep_jobs(workspace, call, jobs, is_done, work);
	}
	uint32_t left = first;
	for (uint32_t k = first; k < count; k++) {
		const uint32_t i = cast->open[k];
		if (is_done[i])
			decided[done++] = i;
		else
			cast->open[left++] = i;
	}
	memcpy(cast->open + left, decided, done * sizeof *decided);
	return left;
}
