/* Directed depths: how far B must go along a direction to be free of A, by a cast that brings it back. */
#include "batch/pair.h"
#include "core/contract.h"
#include "core/environment.h"
#include "motion/ask.h"
#include "motion/path.h"
#include "motion/sweep.h"
#include "shape/half_space.h"

/* A distance that may be further off than such a share of what the contract allows is in doubt. */
#define DOUBT_SHARE 0.75

/* Times the bounds and the distance: clear of A by far more than rounding. */
#define CLEAR_SHARE 1.0625

static const wp_motions still = {.translation.data = NULL};

/* The direction of a row at length 1. False where it has none. */
static bool read_direction(const wp_const_float_column *direction, size_t row, double u[3])
{
	float d[3];
	memcpy(d, wp_offset(direction->data, row * direction->stride), sizeof d);
	for (int k = 0; k < 3; k++)
		u[k] = (double)d[k];
	const double length = wp_length3(u);
	if (!(wp_is_finite_double(length) && length > 0.0))
		return false;
	for (int k = 0; k < 3; k++)
		u[k] /= length;
	return true;
}

/* Count both positions of a row from A's on: there nothing loses digits to how far the origin of the world is. */
static void count_from_a(wp_cast_memory *cast, uint32_t i)
{
	wp_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	for (int k = 0; k < 3; k++) {
		b->position[k] -= a->position[k];
		a->position[k] = cast->path[2 * i].start[k] = 0.0;
	}
}

/* Whether the way between two positions is surely not beyond all coordinates. Of invalid ones it never is. */
static bool are_near(const double a[3], const double b[3])
{
	bool near = true;
	for (int k = 0; k < 3; k++)
		near &= wp_abs(a[k]) + wp_abs(b[k]) <= (double)WP_COORDINATE_MAX;
	return near;
}

/* Send B of a row off along u, to where its bounding ball is clear of A's, for a cast that brings it back. False where that leads
 * beyond all coordinates. */
static bool send_off(const wp_call *call, const double u[3], const double origin[3], wp_cast_memory *cast, uint32_t i)
{
	bool inside = true;
	const wp_cast_body *const a = &cast->body[2 * i];
	wp_cast_body *const b = &cast->body[2 * i + 1];
	wp_cast_path *const path = &cast->path[2 * i + 1];
	const wp_core *const core_a = &call->cores[a->shape], *const core_b = &call->cores[b->shape];
	const double bounds = ((double)core_a->bound + (double)core_a->radius) +
	                      ((double)core_b->bound + (double)core_b->radius);
	count_from_a(cast, i);
	const double far = CLEAR_SHARE * (bounds + wp_length3(b->position));
	for (int k = 0; k < 3; k++) {
		path->way[k] = -far * u[k];
		path->start[k] = b->position[k] - path->way[k];
		inside &= wp_abs(origin[k] + path->start[k]) <= (double)WP_COORDINATE_MAX;
	}
	wp_path_move(path, NULL, 0.0, b);
	return inside;
}

/* A row whose B has no place to come back from has no answer. */
static void refuse(wp_cast_memory *cast, uint32_t i)
{
	const float nan = WP_NAN;
	cast->answer[i] = (wp_cast_contact){
		.separation = nan, .lower = nan, .upper = nan, .status = WP_STATUS_INVALID | WP_STATUS_INVALID_POSITION_B};
	cast->iterations[i] = 0;
}

/* How far B must go along u to be free of A, where one of them is a half-space: as far as it takes to rise by the depth, if
 * it rises at all. The point of the other shape is its lowest one, there or back. */
static void rise_free(const wp_cast_memory *cast, uint32_t i, int space, const double u[3], wp_cast_contact *answer)
{
	const wp_cast_body *const body = &cast->body[2 * i + (uint32_t)space];
	const double sign = space == 0 ? 1.0 : -1.0;
	double normal[3], from[3];
	float local[3];
	wp_cast_contact *const r = answer;
	wp_half_space_normal(body->rotation, normal);
	/* A direction in the surface leans on the normal by what that was rounded by. */
	const double lean = sign * wp_dot3(normal, u);
	const double way = lean > WP_CONTRACT_FAR ? (double)r->lower / lean : -(double)WP_INFINITY;
	r->separation = r->lower = way >= -(double)WP_COORDINATE_MAX ? wp_round_down(way) : -WP_INFINITY;
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

/* ---- whether a distance is right ----------------------------------------------------------------- */

/* How much further B of a row that hit may be from the true touch, by the lean of the reported normal. */
static double allowed_of(const wp_call *call, const wp_cast_memory *cast, uint32_t i, double whole, double distance)
{
	const wp_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	const double of_a = wp_cast_ball(call, a), of_b = wp_cast_ball(call, b), size = of_a > of_b ? of_a : of_b;
	const bool smooth = wp_is_smooth((int)call->cores[a->shape].kind, (int)call->cores[b->shape].kind);
	const double *const way = cast->path[2 * i + 1].way;
	const float *const n = cast->answer[i].normal;
	const double closing = -(((double)n[0] * way[0] + (double)n[1] * way[1]) + (double)n[2] * way[2]);
	return DOUBT_SHARE * (smooth ? WP_CONTRACT_SMOOTH : WP_CONTRACT) * (size + distance) * whole / closing;
}

/* Whether a row that hit is proven to end as near to the true touch as it is allowed to. Otherwise move B on by as much.
 * `overlap` is how far the shapes overlap at least where the caller has them.
 *
 * Along the normal of the true touch they overlap by no less than that: it leans on the way by the overlap over the distance
 * at least. And the gap where B is, at most the contact's upper bound, closes along the way within that bound over the lean. */
static bool is_right(const wp_call *call, wp_cast_memory *cast, uint32_t i, double overlap)
{
	const wp_cast_path *const path = &cast->path[2 * i + 1];
	const wp_cast_contact *const touch = &cast->answer[i];
	if (touch->status & WP_STATUS_STRONG || cast->status[i] & WP_STATUS_ITERATION_CAP)
		return true;
	const double whole = wp_length3(path->way), distance = (1.0 - cast->fraction[i]) * whole;
	const double allowed = allowed_of(call, cast, i, whole, distance);
	if (allowed >= distance || (allowed > 0.0 && (double)touch->upper * distance <= allowed * overlap))
		return true;
	wp_path_move(path, NULL, cast->fraction[i] + allowed / whole, &cast->body[2 * i + 1]);
	return false;
}

/* Rows that hit, of which it is not proven how near they end to the true touch, and whose shapes do not overlap further on, go
 * on by the strong path. `overlap` as above, row by row. */
static void check_distances(
	wp_workspace *workspace, const wp_call *call, const double *overlap, uint32_t count, wp_statistics *work)
{
	wp_cast_memory *const cast = &workspace->cast;
	uint32_t doubted[WP_CAST_ROWS], asked = 0, left = 0;
	for (uint32_t i = 0; i < count; i++)
		if (cast->status[i] & WP_STATUS_HIT && !is_right(call, cast, i, overlap[i]))
			cast->open[asked++] = i;
	wp_cast_ask(workspace, call, asked, work);
	for (uint32_t k = 0; k < asked; k++) {
		const uint32_t i = cast->open[k];
		cast->iterations[i] += cast->contact[k].iterations;
		wp_cast_move(call, cast, i, cast->fraction[i]);
		if (!(cast->contact[k].status & WP_STATUS_PENETRATING))
			doubted[left++] = i;
	}
	for (uint32_t k = 0; k < left; k++)
		wp_cast_run_strongly(workspace, call, doubted[k], work);
}

/* ---- rows --------------------------------------------------------------------------------------- */

/* B was moved off and met A on its way back: write the contact relative to where B is. */
static void write_depth(const wp_call *call, uint32_t row, const wp_cast_memory *cast, uint32_t i,
	const double origin[3], wp_statistics *statistics)
{
	const wp_cast_path *const path = &cast->path[2 * i + 1];
	wp_output output;
	wp_cast_output(call, cast, i, &output);
	if (cast->status[i] & WP_STATUS_HIT) {
		const double left = 1.0 - cast->fraction[i];
		for (int k = 0; k < 3; k++)
			output.point_b[k] += left * path->way[k];
		output.separation = output.lower = wp_round_down(-left * wp_length3(path->way));
		output.upper = 0.0f;
		output.status = WP_STATUS_PENETRATING | (output.status & WP_STATUS_STRONG) |
		                (cast->status[i] & WP_STATUS_ITERATION_CAP);
	}
	wp_write_row(call, row, origin, &output, statistics);
}

/* The rows that overlap go through a cast. One that meets nothing on its way back only touches where it is. */
static void depth_chunk(wp_workspace *workspace, const wp_call *call, const wp_const_float_column *direction,
	uint32_t first, uint32_t count, wp_statistics *statistics)
{
	wp_cast_memory *const cast = &workspace->cast;
	const size_t base = call->first + first;
	wp_statistics work = {0};
	double u[3], overlap[WP_CAST_ROWS], origin[WP_CAST_ROWS][3];
	for (uint32_t i = 0; i < count; i++) {
		cast->open[i] = i;
		if (wp_cast_read_row(call, first + i, &still, &still, cast, i) && !read_direction(direction, base + i, u))
			cast->body[2 * i + 1].position[0] = (double)WP_NAN;
		memcpy(origin[i], cast->body[2 * i].position, sizeof origin[i]);
		if (are_near(cast->body[2 * i].position, cast->body[2 * i + 1].position))
			count_from_a(cast, i);
	}
	wp_cast_ask(workspace, call, count, &work);
	uint32_t open = 0;
	for (uint32_t i = 0; i < count; i++) {
		cast->answer[i] = cast->contact[i];
		cast->iterations[i] = cast->contact[i].iterations;
		overlap[i] = -(double)cast->contact[i].upper;
		if (!(cast->contact[i].status & WP_STATUS_PENETRATING) || !read_direction(direction, base + i, u))
			continue;
		const int space = wp_cast_half_space(call, cast, i);
		if (space >= 0) {
			rise_free(cast, i, space, u, &cast->answer[i]);
			continue;
		}
		if (!send_off(call, u, origin[i], cast, i)) {
			refuse(cast, i);
			continue;
		}
		wp_cast_start(call, cast, i);
		cast->open[open++] = i;
	}
	open = wp_sweep_rows(workspace, call, 0, open, &work);
	while (open != 0)
		open = wp_cast_step(workspace, call, open, true, &work);
	check_distances(workspace, call, overlap, count, &work);
	for (uint32_t i = 0; i < count; i++)
		write_depth(call, first + i, cast, i, origin[i], statistics);
	wp_add_work(statistics, &work);
}

wp_error wp_depth_along(wp_workspace *workspace, const wp_batch *batch, const wp_const_float_column *direction,
	const wp_results *results, wp_statistics *statistics)
{
	const wp_environment before = wp_environment_enter();
	const wp_request request = {.dimension = WP_3D, .query = WP_QUERY_CONTACT};
	wp_error error = wp_check_call(workspace, batch, results, &request);
	if (error == WP_OK && batch->count != 0 && (direction == NULL || direction->data == NULL))
		error = direction == NULL ? WP_ERROR_NULL_DIRECTION : WP_ERROR_NULL_DIRECTION_DATA;
	if (error == WP_OK && batch->count != 0 && WP_IS_SHORT(*direction, 3 * sizeof *direction->data))
		error = WP_ERROR_DIRECTION_STRIDE;
	if (error == WP_OK && batch->count != 0) {
		wp_statistics unused = {0};
		wp_call call = wp_make_call(batch, results, &request);
		call.counts_rows = statistics != NULL;
		const wp_const_float_column ways = {
			direction->data, wp_or_packed(direction->stride, 3 * sizeof *direction->data)};
		for (uint64_t first = 0; first < batch->count; first += WP_CAST_ROWS) {
			const uint64_t left = batch->count - first;
			depth_chunk(workspace, &call, &ways, (uint32_t)first, left < WP_CAST_ROWS ? (uint32_t)left : WP_CAST_ROWS,
				statistics != NULL ? statistics : &unused);
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
	wp_pair_batch pair;
	wp_pair_make(&pair, WP_3D, shape_a, pose_a, shape_b, pose_b);
	const wp_results results = wp_results_of_rows(row);
	return wp_depth_along(workspace, &pair.batch, &(wp_const_float_column){direction, 0}, &results, NULL);
}

wp_error wp_depth_along_prepared(wp_workspace *workspace, const wp_pair *pair, const float direction[3], wp_row *row)
{
	const wp_error error = wp_check_pair_of_table(pair, row);
	if (error != WP_OK)
		return error;
	if (direction == NULL)
		return WP_ERROR_NULL_DIRECTION;
	const wp_batch batch = wp_batch_of_pair(pair);
	const wp_results results = wp_results_of_rows(row);
	return wp_depth_along(workspace, &batch, &(wp_const_float_column){direction, 0}, &results, NULL);
}
