#include "motion/advance.h"
#include "core/contract.h"
#include "motion/ask.h"
#include "motion/gap.h"
#include "motion/path.h"

/* Bodies that do not turn move on to where their balls meet only where they are further apart than so many times the radii:
 * nearer ones are found as fast without it. */
#define NEAR 2.0

/* By how much a simple bound of the rounding of a gap is above what rounding_of computes. */
#define SIMPLE_BOUND 1.001

/* ---- rows --------------------------------------------------------------------------------------- */

WP_INLINE void read_path(
	size_t dimension, const wp_motions *motions, uint32_t index, wp_cast_body *body, wp_cast_path *path)
{
	float along[3] = {0.0f, 0.0f, 0.0f}, to[4];
	memcpy(to, body->rotation, sizeof to);
	if (motions->translation.data != NULL)
		memcpy(along, wp_offset(motions->translation.data, index * motions->translation.stride),
			dimension * sizeof *along);
	if (motions->rotation.data != NULL)
		memcpy(to, wp_offset(motions->rotation.data, index * motions->rotation.stride),
			wp_rotation_numbers(dimension) * sizeof *to);
	for (size_t i = 0; i < 3; i++) {
		const double start = body->position[i], part = (double)along[i];
		path->start[i] = start;
		path->way[i] = part;
		if (!(wp_abs(start + part) <= (double)WP_COORDINATE_MAX))
			body->position[i] = (double)WP_NAN;
	}
	if (dimension == WP_3D)
		wp_path_find_turn(path, body->rotation, to);
	else
		wp2d_path_find_turn(path, body->rotation, to);
	if (!wp_rotation_holds(to, dimension))
		body->rotation[0] = WP_NAN;
}

/* Read a body of row `at` of the batch. False where it has none. */
WP_INLINE bool read_body(const wp_call *call, size_t dimension, const wp_bodies *bodies,
	const wp_const_uint32_column *pair, const wp_motions *motions, size_t at, wp_cast_body *body, wp_cast_path *path)
{
	wp_side side = {.shape = WP_NO_SHAPE};
	side.body = wp_body_of_row(pair->data, pair->stride, at, bodies->count, &side.has_body);
	if (!side.has_body)
		return false;
	/* Contacts name what is wrong with it. */
	(void)wp_read_side(call, dimension, bodies->position_real, bodies, &side);
	*body = (wp_cast_body){.shape = side.shape};
	memcpy(body->position, side.position, dimension * sizeof *body->position);
	memcpy(body->rotation, side.rotation, wp_rotation_numbers(dimension) * sizeof *body->rotation);
	read_path(dimension, motions, side.body, body, path);
	return true;
}

WP_INLINE_LARGE bool read_row_of(const wp_call *call, size_t dimension, uint32_t row, const wp_motions *motions_a,
	const wp_motions *motions_b, wp_cast_memory *cast, uint32_t i)
{
	wp_cast_body *const body = &cast->body[2 * i];
	wp_cast_path *const path = &cast->path[2 * i];
	const size_t at = call->first + row;
	bool has_both = true;
	for (uint32_t side = 0; side < 2; side++) {
		const bool has = read_body(call, dimension, side == 0 ? &call->a : &call->b,
			side == 0 ? &call->pair_a : &call->pair_b, side == 0 ? motions_a : motions_b, at, &body[side], &path[side]);
		cast->pair[2 * i + side] = has ? 2 * i + side : WP_NO_BODY;
		has_both &= has;
	}
	cast->fraction[i] = 0.0;
	cast->is_clear[i] = false;
	cast->steps[i] = cast->iterations[i] = 0;
	cast->status[i] = has_both ? 0 : WP_STATUS_INVALID;
	return has_both;
}

bool wp_cast_read_row(const wp_call *call, uint32_t row, const wp_motions *motions_a, const wp_motions *motions_b,
	wp_cast_memory *cast, uint32_t i)
{
	if (call->dimension == WP_3D) {
		const bool has_both = read_row_of(call, WP_3D, row, motions_a, motions_b, cast, i);
		if (has_both && wp_has_mount(call, row))
			wp_cast_move(call, cast, i, 0.0);
		return has_both;
	}
	return read_row_of(call, WP_2D, row, motions_a, motions_b, cast, i);
}

/* ---- steps -------------------------------------------------------------------------------------- */

int wp_cast_half_space(const wp_call *call, const wp_cast_memory *cast, uint32_t i)
{
	for (int side = 0; side < 2; side++)
		if (call->dimension == WP_3D &&
			call->cores[cast->body[2 * i + (uint32_t)side].shape].kind == WP_CORE_HALF_SPACE)
			return side;
	return -1;
}

static bool turns(const wp_call *call, const wp_cast_path *path)
{
	return call->dimension == WP_3D ? path->turn > 0.0 : path->half.y != 0.0;
}

static double bound_of(const wp_call *call, const wp_cast_body *body)
{
	return (double)(call->dimension == WP_3D ? call->cores[body->shape].bound : call->cores_2d[body->shape].bound);
}

/* What rounding does to where the bodies of a row are. The distance of a half-space from another shape is in double, unless
 * its surface turns, about its own position. */
static double rounding_of(const wp_call *call, const wp_cast_memory *cast, uint32_t i)
{
	const wp_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	const wp_cast_path *const path = &cast->path[2 * i];
	const int space = wp_cast_half_space(call, cast, i);
	double offset[3], sizes = bound_of(call, a) + bound_of(call, b);
	for (int k = 0; k < 3; k++)
		offset[k] = b->position[k] - a->position[k];
	double distance = wp_length3(offset);
	if (space >= 0 && turns(call, &path[space]))
		sizes += distance;
	else if (space >= 0)
		distance = 0.0;
	const bool any_turns = turns(call, &path[0]) || turns(call, &path[1]);
	return WP_WAY_ROUNDING * distance + (any_turns ? WP_TURN_ROUNDING * sizes : 0.0);
}

static const wp_compound_child *mount_of(const wp_call *call, const wp_cast_memory *cast, uint32_t i, uint32_t side)
{
	return wp_mount_of(call, cast->row[i], side);
}

double wp_cast_ball(const wp_call *call, const wp_cast_body *body)
{
	const double radius = (double)(call->dimension == WP_3D ? call->cores[body->shape].radius
															: call->cores_2d[body->shape].radius);
	return bound_of(call, body) + radius;
}

static bool is_valid(const wp_call *call, const wp_cast_body *body)
{
	bool valid = body->shape < call->core_count && wp_rotation_holds(body->rotation, call->dimension);
	for (int k = 0; k < 3; k++)
		valid = valid && wp_abs(body->position[k]) <= (double)WP_COORDINATE_MAX;
	return valid;
}

void wp_cast_move(const wp_call *call, wp_cast_memory *cast, uint32_t i, double fraction)
{
	cast->fraction[i] = fraction;
	for (uint32_t k = 2 * i; k < 2 * i + 2; k++) {
		if (call->dimension == WP_3D)
			wp_path_move(&cast->path[k], mount_of(call, cast, i, k & 1), fraction, &cast->body[k]);
		else
			wp2d_path_move(&cast->path[k], fraction, &cast->body[k]);
	}
}

/* The length of a vector or more. */
static double size_of(wp_d3 v) { return (wp_abs(v.x) + wp_abs(v.y)) + wp_abs(v.z); }

/* The radius of the ball around the origin of a row's body that holds what it moves. */
WP_NOINLINE double ball_of(const wp_call *call, const wp_cast_memory *cast, uint32_t i, uint32_t side)
{
	const wp_compound_child *const mount = mount_of(call, cast, i, side);
	const double ball = wp_cast_ball(call, &cast->body[2 * i + side]);
	return mount != NULL ? ball + wp_d3_length(wp_mount_offset(mount)) : ball;
}

/* However bodies turn, they stay in balls, which are apart until a ray comes into the ball of both radii. A row whose balls
 * never meet has its contact where it starts. */
void wp_cast_start(const wp_call *call, wp_cast_memory *cast, uint32_t i)
{
	const wp_cast_body *const body = &cast->body[2 * i];
	const wp_cast_path *const a = &cast->path[2 * i], *const b = a + 1;
	cast->is_valid[i] = cast->status[i] == 0 && is_valid(call, &body[0]) && is_valid(call, &body[1]);
	if (!cast->is_valid[i] || wp_cast_half_space(call, cast, i) >= 0)
		return;
	const wp_d3 offset = wp_d3_sub(wp_d3_at(b->start), wp_d3_at(a->start));
	const wp_d3 way = wp_way_between(a, b);
	const double rounding = WP_PATH_ROUNDING * (size_of(offset) + size_of(way));
	const double reach = (1.0 + (double)WP_APART_SLACK) * (ball_of(call, cast, i, 0) + ball_of(call, cast, i, 1));
	const bool is_straight = !turns(call, a) && !turns(call, b);
	if (is_straight && wp_d3_dot(offset, offset) < (NEAR * NEAR) * (reach * reach))
		return;
	const double clear = wp_time_to_ball(offset, way, reach + rounding);
	if (!(clear > cast->fraction[i]))
		return;
	cast->is_clear[i] = clear == 1.0;
	if (clear < 1.0)
		wp_cast_move(call, cast, i, clear);
}

/* Whether a gap is more than rounding; mostly it is more than a simple bound of that. */
static bool is_gap(const wp_call *call, const wp_cast_memory *cast, uint32_t i, double gap)
{
	const wp_cast_body *const a = &cast->body[2 * i], *const b = a + 1;
	const double distance = size_of(wp_d3_sub(wp_d3_at(b->position), wp_d3_at(a->position)));
	const double sizes = bound_of(call, a) + bound_of(call, b);
	return gap > SIMPLE_BOUND * (WP_WAY_ROUNDING + WP_TURN_ROUNDING) * (distance + sizes) ||
	       gap > rounding_of(call, cast, i);
}

/* The bodies of a row. */
static void find_movers(const wp_call *call, const wp_cast_memory *cast, uint32_t i, wp_mover mover[2])
{
	for (uint32_t side = 0; side < 2; side++)
		mover[side] = (wp_mover){
			&call->cores[cast->body[2 * i + side].shape], &cast->path[2 * i + side], mount_of(call, cast, i, side)};
}

/* The same in 2D. */
static void find_movers_2d(const wp_call *call, const wp_cast_memory *cast, uint32_t i, wp2d_mover mover[2])
{
	for (uint32_t side = 0; side < 2; side++)
		mover[side] = (wp2d_mover){&call->cores_2d[cast->body[2 * i + side].shape], &cast->path[2 * i + side]};
}

/* The fraction up to which a row is free, by its contact where it is. A gap as small as the rounding of where the
 * bodies are is none, unless any gap counts. */
static double free_until(
	const wp_call *call, const wp_cast_memory *cast, uint32_t i, const wp_cast_contact *contact, bool any_gap)
{
	const double gap = (double)contact->lower;
	if (!(contact->status & WP_STATUS_SEPARATED) || !(any_gap ? gap > 0.0 : is_gap(call, cast, i, gap)))
		return cast->fraction[i];
	if (cast->is_clear[i])
		return 1.0;
	if (call->dimension == WP_2D) {
		wp2d_mover mover[2];
		find_movers_2d(call, cast, i, mover);
		return wp2d_path_free_until(mover, contact->normal, cast->fraction[i]);
	}
	wp_mover mover[2];
	find_movers(call, cast, i, mover);
	return wp_path_free_until(mover, contact->normal, cast->fraction[i]);
}

/* Where shapes have no thickness, either side is a contact's: a hit has the one that B comes from. */
static void face_the_way(const wp_call *call, const wp_cast_memory *cast, uint32_t i, wp_cast_contact *contact)
{
	if (call->dimension == WP_2D) {
		wp2d_mover mover[2];
		find_movers_2d(call, cast, i, mover);
		wp2d_path_face_the_way(mover, cast->fraction[i], contact->point[0], contact->normal);
		return;
	}
	wp_mover mover[2];
	find_movers(call, cast, i, mover);
	wp_path_face_the_way(mover, cast->fraction[i], contact->point[0], contact->normal);
}

/* ---- doubts ------------------------------------------------------------------------------------- */

/* Whether children are so far from the origins of their bodies, which turn, that gaps count as none which the contract
 * does not allow. */
static bool has_long_arms(const wp_call *call, const wp_cast_memory *cast, uint32_t i)
{
	double arms = 0.0, size = 0.0;
	for (uint32_t side = 0; side < 2; side++) {
		const double ball = wp_cast_ball(call, &cast->body[2 * i + side]);
		arms += ball_of(call, cast, i, side) - ball;
		size = ball > size ? ball : size;
	}
	return 2.0 * WP_PATH_ROUNDING * arms > WP_CONTRACT * size;
}

/* Where a hit is, or where a miss comes nearest; from a half-space at the end. */
bool wp_cast_is_doubtful(const wp_call *call, const wp_cast_memory *cast, uint32_t i)
{
	const wp_cast_path *const a = &cast->path[2 * i], *const b = a + 1;
	const wp_d3 offset = wp_d3_sub(wp_d3_at(b->start), wp_d3_at(a->start));
	const double apart = size_of(offset), gone = size_of(wp_d3_at(a->way)) + size_of(wp_d3_at(b->way));
	const double share = WP_CONTRACT / WP_DIFFERENCE_ROUNDING, place = size_of(wp_d3_at(a->start));
	if (wp_has_mount(call, cast->row[i]) && has_long_arms(call, cast, i))
		return true;
	if ((apart + gone) + place <= share * wp_cast_ball(call, &cast->body[2 * i]))
		return false;
	/* Points have no size but how far apart they are. */
	const double of_a = ball_of(call, cast, i, 0), of_b = ball_of(call, cast, i, 1), larger = of_a > of_b ? of_a : of_b;
	const double size = larger > 0.0 ? larger : apart;
	const wp_d3 way = wp_way_between(a, b);
	const int space = wp_cast_half_space(call, cast, i);
	const double along = -wp_d3_dot(offset, way), way2 = wp_d3_dot(way, way);
	double time = space >= 0 || along >= way2 ? 1.0 : along > 0.0 ? along / way2 : 0.0;
	if (cast->status[i] & WP_STATUS_HIT)
		time = cast->fraction[i];
	/* Where bodies start, nothing is rounded. */
	const double far = time * gone > 0.0 ? place : 0.0;
	/* Contacts with a half-space count how far its position is. */
	if (space >= 0 && !turns(call, &cast->path[2 * i + (uint32_t)space]))
		return far + time * gone > share * size;
	return (apart + far) + time * gone > share * (size + size_of(wp_d3_add(offset, wp_d3_scale(way, time))));
}

/* ---- steps of all rows -------------------------------------------------------------------------- */

/* Whether a row that is free until a fraction has come no further. */
static bool is_no_step(const wp_call *call, const wp_cast_memory *cast, uint32_t i, double until)
{
	const double step = until - cast->fraction[i];
	const wp_cast_path *const path = &cast->path[2 * i];
	if (!(step < WP_STEP_MIN))
		return false;
	const wp_cast_body *const body = &cast->body[2 * i];
	const double least = WP_STEP_OF_SIZES * (wp_cast_ball(call, &body[0]) + wp_cast_ball(call, &body[1]));
	const double way = size_of(wp_way_between(&path[0], &path[1]));
	return way * WP_STEP_MIN <= least || step * way <= least || step <= WP_STEP_OF_FRACTION * until;
}

/* Decide a row by its contact, or move it on. True where it stays open. */
static bool advance(const wp_call *call, wp_cast_memory *cast, uint32_t i, wp_cast_contact *contact, bool any_gap)
{
	cast->iterations[i] += contact->iterations;
	cast->steps[i]++;
	if (contact->status & WP_STATUS_INVALID) {
		cast->status[i] = WP_STATUS_INVALID;
		return false;
	}
	const double until = free_until(call, cast, i, contact, any_gap);
	if (!wp_cast_goes_on(until, is_no_step(call, cast, i, until), cast->steps[i] == WP_CAST_STEP_MAX,
			&cast->fraction[i], &cast->status[i])) {
		if (cast->status[i] & WP_STATUS_HIT)
			face_the_way(call, cast, i, contact);
		return false;
	}
	wp_cast_move(call, cast, i, until);
	return true;
}

uint32_t wp_cast_step(
	wp_workspace *workspace, const wp_call *call, uint32_t count, bool keeps_answer, wp_statistics *work)
{
	wp_cast_memory *const cast = &workspace->cast;
	uint32_t decided[WP_CAST_ROWS], left = 0, done = 0;
	wp_cast_ask(workspace, call, count, work);
	for (uint32_t k = 0; k < count; k++) {
		const uint32_t i = cast->open[k];
		if (advance(call, cast, i, &cast->contact[k], false)) {
			cast->open[left++] = i;
			continue;
		}
		decided[done++] = i;
		if (cast->status[i] & WP_STATUS_HIT || !keeps_answer)
			cast->answer[i] = cast->contact[k];
	}
	memcpy(cast->open + left, decided, done * sizeof *decided);
	return left;
}

void wp_cast_run_strongly(wp_workspace *workspace, const wp_call *call, uint32_t i, wp_statistics *work)
{
	wp_cast_memory *const cast = &workspace->cast;
	wp_cast_contact *const contact = &cast->contact[0];
	cast->open[0] = i;
	cast->status[i] = 0;
	do {
		wp_cast_ask_strongly(workspace, call, work);
	} while (advance(call, cast, i, contact, true));
	cast->answer[i] = *contact;
}

WP_INLINE void output_of(size_t dimension, const wp_cast_memory *cast, uint32_t i, wp_output *output)
{
	const wp_cast_contact *const r = &cast->answer[i];
	const double *const origin = cast->body[2 * i].position;
	const bool has_points = !(r->status & WP_STATUS_INVALID);
	output->separation = r->separation;
	output->lower = r->lower;
	output->upper = r->upper;
	output->status = r->status;
	output->iterations = cast->iterations[i];
	for (size_t k = 0; k < dimension; k++) {
		output->normal[k] = r->normal[k];
		output->local_a[k] = r->local[0][k];
		output->local_b[k] = r->local[1][k];
		output->point_a[k] = has_points ? r->point[0][k] - origin[k] : 0.0;
		output->point_b[k] = has_points ? r->point[1][k] - origin[k] : 0.0;
	}
}

void wp_cast_output(const wp_call *call, const wp_cast_memory *cast, uint32_t i, wp_output *output)
{
	if (call->dimension == WP_3D)
		output_of(WP_3D, cast, i, output);
	else
		output_of(WP_2D, cast, i, output);
}
