#include "motion/path.h"
#include "core/contract.h"
#include "motion/gap.h"
#include "shape/half_space.h"
#include "shape/vertices.h"

/* Chords that look for the end of a smooth core's time above a plane, and how near they come, relative. */
#define CHORD_MAX 8
#define CHORD_PRECISION 0x1p-6

/* How much sooner than the zero of a chord that rounding puts too late, of the chord: far above rounding in double, and far
 * below what a contact counts as a gap. */
#define CHORD_BACK 0x1p-30

/* How far a plane that turns with a body looks ahead first, in times that are known without it: the less, the tighter is its
 * bound. */
#define HELD_REACH 4.0

/* Planes that turn with a body are asked across gaps of such a share of the sizes at most: beyond, another contact finds as much
 * for less. */
#define HELD_GAP 0.1

static double dot4(const float a[4], const float b[4])
{
	return ((double)a[0] * (double)b[0] + (double)a[1] * (double)b[1]) +
	       ((double)a[2] * (double)b[2] + (double)a[3] * (double)b[3]);
}

/* ---- turning ------------------------------------------------------------------------------------ */

/* The blend of both rotations, not of unit length. Returns its length squared. */
static double blend(const wp_cast_path *path, double fraction, double q[4])
{
	double squared = 0.0;
	for (int i = 0; i < 4; i++) {
		q[i] = (1.0 - fraction) * (double)path->from[i] + fraction * (double)path->to[i];
		squared += q[i] * q[i];
	}
	return squared;
}

/* The blend q goes along a straight line by a way w, and turns the faster the nearer it is to the origin: by
 * 2 turn / length^2, which changes by 4 turn (q . w) / length^4. q . w is at most what it is at one of the ends. */
static void find_spin(wp_cast_path *path)
{
	double along = 0.0, way2 = 0.0, q[4];
	for (int i = 0; i < 4; i++) {
		const double way = (double)path->to[i] - (double)path->from[i];
		along -= (double)path->from[i] * way;
		way2 += way * way;
	}
	const double nearest = along > 0.0 ? along / way2 : 0.0, least2 = blend(path, nearest < 1.0 ? nearest : 1.0, q);
	const double first = wp_abs(along), last = wp_abs(way2 - along);
	path->fastest = 2.0 * path->turn / least2;
	path->change = 4.0 * path->turn * (first > last ? first : last) / (least2 * least2);
}

/* Two quaternions stand for the rotation at the end; `to` is the one with the shorter way round. A blend turns about one
 * axis, the axis of the vector part of q times the inverse of p, whose length is the length of p times the length of q times
 * the sine of the angle between them. */
void wp_path_find_turn(wp_cast_path *path, const float p[4], const float end[4])
{
	float *const q = path->to;
	memcpy(path->from, p, sizeof path->from);
	memcpy(path->to, end, sizeof path->to);
	path->turn = path->axis[0] = path->axis[1] = path->axis[2] = path->fastest = path->change = 0.0;
	if (memcmp(p, end, sizeof path->from) == 0)
		return;
	if (dot4(p, end) < 0.0)
		for (int i = 0; i < 4; i++)
			q[i] = -q[i];
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		path->axis[i] = ((double)q[i] * (double)p[3] - (double)q[3] * (double)p[i]) +
		                ((double)q[k] * (double)p[j] - (double)q[j] * (double)p[k]);
	}
	path->turn = wp_length3(path->axis);
	for (int i = 0; i < 3; i++)
		path->axis[i] = path->turn > 0.0 ? path->axis[i] / path->turn : 0.0;
	find_spin(path);
}

double wp_path_half_sine(const float from[4], const float to[4])
{
	const wp_dq p = wp_dq_of_rotation(from), q = wp_dq_of_rotation(to);
	const wp_d3 v = wp_d3_sub(wp_d3_sub(wp_d3_scale(q.v, p.w), wp_d3_scale(p.v, q.w)), wp_d3_cross(p.v, q.v));
	return wp_d3_length(v) * wp_sqrt(p.twice * q.twice) / 2;
}

void wp_path_move(const wp_cast_path *path, const wp_compound_child *mount, double fraction, wp_cast_body *body)
{
	double q[4];
	for (int i = 0; i < 3; i++)
		body->position[i] = path->start[i] + fraction * path->way[i];
	if (mount != NULL) {
		blend(path, path->turn != 0.0 ? fraction : 0.0, q);
		wp_mount_place(mount, wp_d3_at(body->position), wp_dq_of(q), body->position, body->rotation);
		return;
	}
	if (path->turn == 0.0)
		return;
	const double scale = 1.0 / wp_sqrt(blend(path, fraction, q));
	for (int i = 0; i < 4; i++)
		body->rotation[i] = (float)(q[i] * scale);
}

void wp_mount_to_body(const wp_compound_child *mount, const float local[3], float to[3])
{
	const wp_d3 turned = wp_dq_turn(wp_dq_of_rotation(mount->rotation), wp_d3_of_floats(local));
	wp_d3_put_floats(wp_d3_add(wp_mount_offset(mount), turned), to);
}

/* ---- a body at a fraction of its path ------------------------------------------------------------ */

/* What a body does from there on along a direction: how far it reaches along it, `along` in the body's frame, and how it turns
 * about its axis, in radians a cast. `across` is the direction's own way as it turns with the body by one radian, and `sine`
 * the length of that. */
typedef struct stance {
	const wp_mover *mover;
	const wp_cast_path *path;
	wp_dq rotation;
	wp_d3 along, across;
	double reach, rate, sine;
} stance;

_Static_assert(WP_FORM_COUNT == 4, "each has its reach here");

static double reach_of_smooth(const wp_core *core, wp_d3 direction)
{
	const double x = (double)core->half[0], y = (double)core->half[1], z = (double)core->half[2];
	const wp_d3 s = wp_d3_of(x * direction.x, y * direction.y, z * direction.z);
	if (core->count == WP_FORM_ELLIPSOID)
		return wp_d3_length(s);
	const double rim = wp_sqrt(s.x * s.x + s.z * s.z);
	if (core->count == WP_FORM_CYLINDER)
		return rim + wp_abs(s.y);
	return s.y > rim - s.y ? s.y : rim - s.y;
}

/* The whole bound where the function fails: a cast then ends with the contact, whose status has the failure. */
static double reach_of_custom(const wp_core *core, wp_d3 direction)
{
	double way[3], point[3];
	wp_d3_put(direction, way);
	if (!wp_custom_point(core, way, point))
		return (double)core->bound * wp_d3_length(direction);
	return wp_d3_dot(wp_d3_at(point), direction);
}

/* A coordinate of each of two vertices. */
WP_INLINE wp_two two_at(const float *at)
{
	float f[2];
	memcpy(f, at, sizeof f);
	return wp_two_of((double)f[0], (double)f[1]);
}

/* A vertex of a hull, whose x is at `x`, and the next one along a direction; past the last vertex lies a copy of the first. */
WP_INLINE wp_two two_along(const float *x, size_t padded, wp_d3 direction)
{
	const wp_two across = wp_two_add(
		wp_two_scale(two_at(x), direction.x), wp_two_scale(two_at(x + padded), direction.y));
	return wp_two_add(across, wp_two_scale(two_at(x + 2 * padded), direction.z));
}

static double reach_of_hull(const wp_core *core, wp_d3 direction)
{
	const size_t padded = core->padded;
	const float *x = core->vertices;
	const float *const end = x + core->count;
	wp_two most = two_along(x, padded, direction);
	while ((x += 2) < end)
		most = wp_two_max(two_along(x, padded, direction), most);
	const double first = wp_two_get(most, 0), second = wp_two_get(most, 1);
	return first > second ? first : second;
}

double wp_core_reach(const wp_core *core, wp_d3 direction)
{
	if (core->kind == WP_CORE_SMOOTH)
		return reach_of_smooth(core, direction);
	if (core->kind == WP_CORE_CUSTOM)
		return reach_of_custom(core, direction);
	if (core->kind != WP_CORE_HULL)
		return ((double)core->half[0] * wp_abs(direction.x) + (double)core->half[1] * wp_abs(direction.y)) +
		       (double)core->half[2] * wp_abs(direction.z);
	return reach_of_hull(core, direction);
}

/* Of a vector in the frame of a mover's body, what it is in the frame of its core. */
static wp_d3 in_core(const wp_mover *mover, wp_d3 v)
{
	return mover->mount != NULL ? wp_dq_turn_back(wp_dq_of_rotation(mover->mount->rotation), v) : v;
}

/* The most that a mover reaches along a direction in the frame of its body. */
static double reach_of(const wp_mover *mover, wp_d3 direction)
{
	const double reach = wp_core_reach(mover->core, in_core(mover, direction));
	return mover->mount != NULL ? reach + wp_d3_dot(wp_mount_offset(mover->mount), direction) : reach;
}

/* The radius of the ball around its body's origin that holds a mover. */
static double bound_of(const wp_mover *mover)
{
	const double bound = (double)mover->core->bound;
	return mover->mount != NULL ? bound + wp_d3_length(wp_mount_offset(mover->mount)) : bound;
}

static stance look(const wp_mover *mover, double fraction, wp_d3 n)
{
	const wp_cast_path *const path = mover->path;
	stance body = {.mover = mover, .path = path};
	double q[4];
	const double twice = 2.0 / blend(path, path->turn != 0.0 ? fraction : 0.0, q);
	body.rotation = (wp_dq){wp_d3_at(q), q[3], twice};
	body.along = wp_dq_turn_back(body.rotation, n);
	body.reach = reach_of(mover, body.along);
	body.rate = path->turn * twice;
	body.across = wp_d3_cross(wp_d3_at(path->axis), n);
	body.sine = wp_d3_length(body.across);
	return body;
}

/* ---- directions that stand still ----------------------------------------------------------------- */

/* A child grows as its core does about its own origin, and as this origin does, a point. */
static wp_growth growth_of(const stance *body)
{
	const wp_mover *const mover = body->mover;
	if (body->path->turn == 0.0)
		return (wp_growth){.speed = 0.0};
	wp_growth growth;
	if (mover->mount == NULL) {
		growth = wp_growth_by_angle((double)mover->core->bound, body->reach, body->sine);
	} else {
		const wp_d3 offset = wp_mount_offset(mover->mount);
		const double along = wp_d3_dot(offset, body->along);
		const wp_growth arm = wp_growth_by_angle(wp_d3_length(offset), along, body->sine);
		growth = wp_growth_by_angle((double)mover->core->bound, body->reach - along, body->sine);
		growth.speed += arm.speed;
		growth.rest += arm.rest;
	}
	growth.speed *= body->path->fastest;
	return growth;
}

/* ---- directions that turn with a body ------------------------------------------------------------ */

/* A plane that the vertices of a core are above: vertex v by height + dot(v, up), rising at a speed of
 * rising + dot(v, faster) and falling short of that by bend / 2 times the time squared; both in the core's frame. */
typedef struct plane {
	double height, rising, bend;
	wp_d3 up, faster;
} plane;

/* How much of a time a vertex stays above a plane. */
WP_INLINE double keep_above(const plane *p, wp_d3 v, double time)
{
	return wp_time_above(p->height + wp_d3_dot(v, p->up), p->rising + wp_d3_dot(v, p->faster), p->bend, time);
}

/* The same of two vertices of a hull, which mostly are above. */
WP_INLINE double keep_two_above(const plane *p, const float *x, size_t padded, double time)
{
	const wp_two height = wp_two_add(wp_two_set(p->height), two_along(x, padded, p->up));
	const wp_two speed = wp_two_add(wp_two_set(p->rising), two_along(x, padded, p->faster));
	const wp_two at = wp_two_add(height, wp_two_scale(wp_two_sub(speed, wp_two_set(0.5 * p->bend * time)), time));
	if (wp_two_get(at, 0) > 0.0 && wp_two_get(at, 1) > 0.0)
		return time;
	const double sooner = wp_time_above(wp_two_get(height, 0), wp_two_get(speed, 0), p->bend, time);
	return wp_time_above(wp_two_get(height, 1), wp_two_get(speed, 1), p->bend, sooner);
}

/* How high the lowest point of a smooth core is above a plane at a time, at least: a concave function of time, since
 * reach is a convex one of direction. */
static double height_of_smooth(const plane *p, const wp_core *core, double time)
{
	const wp_d3 down = wp_d3_negate(wp_d3_add(p->up, wp_d3_scale(p->faster, time)));
	return ((p->height + time * p->rising) - wp_core_reach(core, down)) - 0.5 * p->bend * time * time;
}

/* A chord of a concave function is below it and, further on, above it. So its zero between a time at which the core is
 * above the plane and one at which it is not is safe, and the time of the chord of two safe times comes too late. */
static double time_above_of_smooth(const plane *p, const wp_core *core)
{
	double time = 0.0, height = height_of_smooth(p, core, 0.0), late = 1.0, depth = -height_of_smooth(p, core, 1.0);
	if (!(height > 0.0))
		return 0.0;
	for (int chord = 0; chord < CHORD_MAX && depth >= 0.0 && late - time > CHORD_PRECISION * late; chord++) {
		const double before = time, height_before = height;
		time += (late - time) * (height / (height + depth));
		height = height_of_smooth(p, core, time);
		/* Of a straight line the chord's zero is its own, up to rounding: sooner it is still above. */
		if (!(height > 0.0))
			return time - CHORD_BACK * (time - before);
		if (!(height < height_before))
			continue;
		const double next = time + (time - before) * (height / (height_before - height));
		late = next < late ? next : late;
		depth = -height_of_smooth(p, core, late);
	}
	return depth >= 0.0 ? time : late;
}

/* The corner of a box that is lowest along a direction. */
static wp_d3 lowest_corner(wp_d3 half, wp_d3 up)
{
	return wp_d3_of(up.x > 0.0 ? -half.x : half.x, up.y > 0.0 ? -half.y : half.y, up.z > 0.0 ? -half.z : half.z);
}

/* The lowest corner of a box, at the time until which the corners before it are above the plane, shortens that time most; if
 * it does not, all corners are above the plane until then. */
static double time_above_of_box(const plane *p, const wp_core *core, double enough)
{
	const wp_d3 half = wp_d3_of((double)core->half[0], (double)core->half[1], (double)core->half[2]);
	double time = 1.0, before = 2.0;
	for (int corner = 0; corner < 8 && time < before && time > enough; corner++) {
		before = time;
		time = keep_above(p, lowest_corner(half, wp_d3_add(p->up, wp_d3_scale(p->faster, time))), time);
	}
	return time;
}

/* The same plane in the frame of a mover's core. */
static plane plane_at(const plane *p, const wp_mover *mover)
{
	if (mover->mount == NULL)
		return *p;
	const wp_d3 offset = wp_mount_offset(mover->mount);
	return (plane){.height = p->height + wp_d3_dot(offset, p->up),
		.rising = p->rising + wp_d3_dot(offset, p->faster),
		.bend = p->bend,
		.up = in_core(mover, p->up),
		.faster = in_core(mover, p->faster)};
}

/* How long a mover stays above a plane; any time that is not longer where it is not above `enough`. */
static double time_above(const plane *beside_body, const wp_mover *mover, double enough)
{
	const wp_core *const core = mover->core;
	const plane at_core = plane_at(beside_body, mover), *const p = &at_core;
	double time = 1.0;
	if (core->kind == WP_CORE_SMOOTH || core->kind == WP_CORE_CUSTOM)
		return time_above_of_smooth(p, core);
	if (core->kind != WP_CORE_HULL)
		return time_above_of_box(p, core, enough);
	const float *const end = core->vertices + core->count;
	for (const float *x = core->vertices; x < end && time > enough; x += 2)
		time = keep_two_above(p, x, core->padded, time);
	return time;
}

/* The way from body a to body b, which goes by `way` beside it, at a fraction. */
static wp_d3 offset_between(const wp_cast_path *a, const wp_cast_path *b, wp_d3 way, double fraction)
{
	return wp_d3_add(wp_d3_sub(wp_d3_at(b->start), wp_d3_at(a->start)), wp_d3_scale(way, fraction));
}

/* Where a body is beside another one, how far it goes beside it, the lengths of both, and the share of the cast that is
 * left. */
typedef struct beside {
	wp_d3 offset, way;
	double distance, pace, left;
} beside;

static beside beside_of(const wp_cast_path *a, const wp_cast_path *b, double fraction)
{
	const wp_d3 way = wp_way_between(a, b), offset = offset_between(a, b, way, fraction);
	return (beside){offset, way, wp_d3_length(offset), wp_d3_length(way), 1.0 - fraction};
}

static beside from_other_side(const beside *at)
{
	return (beside){wp_d3_negate(at->offset), wp_d3_negate(at->way), at->distance, at->pace, at->left};
}

static double positive(double x) { return x > 0.0 ? x : 0.0; }

/* How fast at most the height of a vertex of the other body falls faster and faster, until a time, above a plane across n that
 * turns with its holder.
 *
 * A vertex at x = offset + p from the holder's origin is at n . x and goes by x' = way + s cross p. The second derivative of
 * its height is n'' . x + 2 n' . x' + n . x''. The holder turns at a rate r about a fixed axis k, so n' = r u for u = k cross
 * n, which is as long as the sine of the angle between them, and n'' = r' u + r^2 m for m = k cross u. What u . way and m .
 * offset are now changes as u and m turn, at r times that sine, and with the offset. All that goes with p is bounded by the
 * ball that p is in. */
static double bend_of(const stance *holder, const stance *other, const beside *at, double until)
{
	const double bound = bound_of(other->mover), r = holder->path->fastest, s = other->path->fastest;
	const double own = (s * s + other->path->change) * bound;
	if (r == 0.0)
		return own;
	const wp_d3 u = holder->across, m = wp_d3_cross(wp_d3_at(holder->path->axis), u);
	const double sine = holder->sine, distance = at->distance + until * at->pace;
	const double across = positive(until * sine * r * at->pace - wp_d3_dot(u, at->way)) + sine * s * bound;
	const double inwards = positive(until * sine * (r * distance + at->pace) - wp_d3_dot(m, at->offset)) + sine * bound;
	return own + 2.0 * r * across + r * r * inwards + holder->path->change * sine * (distance + bound);
}

/* How long the support plane of `holder` across n, which turns with it, keeps the other body above it, which was looked at
 * along -n; the gap is that from the plane to the other's origin, which is `at` beside it. `enough` is known without it.
 * Seen from the holder the plane stands still. */
static double time_held(const stance *holder, const stance *other, wp_d3 n, double gap, const beside *at, double enough)
{
	const double far = HELD_REACH * enough;
	const double until = holder->rate != 0.0 && far > 0.0 && far < at->left ? far : at->left;
	const wp_d3 turned = wp_d3_scale(holder->across, holder->rate);
	const wp_d3 faster = wp_d3_add(wp_d3_scale(other->across, other->rate), turned);
	plane p = {.height = gap,
		.rising = wp_d3_dot(n, at->way) + wp_d3_dot(turned, at->offset),
		.bend = bend_of(holder, other, at, until),
		.up = wp_d3_negate(other->along),
		.faster = wp_dq_turn_back(other->rotation, faster)};
	const double time = time_above(&p, other->mover, enough);
	if (time < until || until == at->left)
		return time;
	p.bend = bend_of(holder, other, at, at->left);
	const double further = time_above(&p, other->mover, until);
	return further > until ? further : until;
}

/* ---- staying apart ------------------------------------------------------------------------------ */

/* The same of a half-space and another shape: no plane but its own surface proves anything, and that turns with it. */
static double free_of_half_space(const wp_mover *space, const wp_mover *other, double fraction)
{
	const bool turns = space->path->turn > 0.0;
	double q[4];
	blend(space->path, turns ? fraction : 0.0, q);
	const wp_d3 n = wp_half_space_up(wp_dq_of(q)), back = wp_d3_negate(n);
	const beside at = beside_of(space->path, other->path, fraction);
	const stance surface = look(space, fraction, n), body = look(other, fraction, back);
	const double radii = (double)space->core->radius + (double)other->core->radius;
	const double along = wp_d3_dot(at.offset, n) - radii, gap = along - body.reach;
	/* A surface that does not turn is as near to its place as contacts find it, however far that is. */
	const double far = turns ? WP_PATH_ROUNDING : WP_CONTRACT_FAR;
	if (!(gap > WP_PATH_ROUNDING * (radii + bound_of(other)) + far * at.distance))
		return fraction;
	double time = 0.0;
	if (!turns)
		time = wp_time_apart(gap, -wp_d3_dot(n, at.way), (wp_growth){.speed = 0.0}, growth_of(&body));
	if ((turns || other->path->turn > 0.0) && fraction + time < 1.0) {
		const double held = time_held(&surface, &body, n, along, &at, time);
		time = held > time ? held : time;
	}
	return fraction + time < 1.0 ? fraction + time : 1.0;
}

/* How far a body reaches along a direction in world axes that does not turn. */
static double reach_along(const wp_mover *mover, wp_d3 direction)
{
	return reach_of(mover, wp_dq_turn_back(wp_dq_of_rotation(mover->path->from), direction));
}

wp_reaches wp_path_reaches(const wp_mover mover[2], const float direction[3])
{
	const wp_d3 n = wp_d3_of((double)direction[0], (double)direction[1], (double)direction[2]);
	return (wp_reaches){n, reach_along(&mover[0], n), reach_along(&mover[1], wp_d3_negate(n))};
}

double wp_path_free_straight(const wp_mover mover[2], const wp_reaches *reaches, double fraction)
{
	const wp_core *const a = mover[0].core, *const b = mover[1].core;
	const wp_d3 n = reaches->direction;
	const double radii = (double)a->radius + (double)b->radius,
				 sizes = radii + (bound_of(&mover[0]) + bound_of(&mover[1]));
	const wp_d3 way = wp_way_between(mover[0].path, mover[1].path);
	const wp_d3 offset = offset_between(mover[0].path, mover[1].path, way, fraction);
	const double length = wp_d3_length(n), along = wp_d3_dot(offset, n) - radii * length;
	const double gap = (along - reaches->a) - reaches->b;
	if (!(gap > WP_PATH_ROUNDING * length * (sizes + wp_d3_length(offset))))
		return fraction;
	const double time = wp_time_of(gap, -wp_d3_dot(n, way));
	return fraction + time < 1.0 ? fraction + time : 1.0;
}

double wp_path_free_until(const wp_mover mover[2], const float direction[3], double fraction)
{
	if (mover[0].core->kind == WP_CORE_HALF_SPACE)
		return free_of_half_space(&mover[0], &mover[1], fraction);
	if (mover[1].core->kind == WP_CORE_HALF_SPACE)
		return free_of_half_space(&mover[1], &mover[0], fraction);
	const wp_cast_path *const path_a = mover[0].path, *const path_b = mover[1].path;
	const double radii = (double)mover[0].core->radius + (double)mover[1].core->radius;
	const double sizes = radii + (bound_of(&mover[0]) + bound_of(&mover[1]));
	if (path_a->turn == 0.0 && path_b->turn == 0.0) {
		const wp_reaches reaches = wp_path_reaches(mover, direction);
		return wp_path_free_straight(mover, &reaches, fraction);
	}
	const wp_d3 given = wp_d3_of((double)direction[0], (double)direction[1], (double)direction[2]);
	const wp_d3 n = wp_d3_unit(given), back = wp_d3_negate(n);
	const beside at = beside_of(path_a, path_b, fraction);
	const stance a = look(&mover[0], fraction, n), b = look(&mover[1], fraction, back);
	const double along = wp_d3_dot(at.offset, n) - radii, gap = (along - a.reach) - b.reach;
	if (!(gap > WP_PATH_ROUNDING * (sizes + at.distance)))
		return fraction;
	double time = wp_time_apart(gap, -wp_d3_dot(n, at.way), growth_of(&a), growth_of(&b));
	const bool is_near = gap < HELD_GAP * sizes;
	if (is_near && fraction + time < 1.0) {
		const double by_a = time_held(&a, &b, n, along - a.reach, &at, time);
		time = by_a > time ? by_a : time;
	}
	if (is_near && fraction + time < 1.0) {
		const beside back_at = from_other_side(&at);
		const double by_b = time_held(&b, &a, back, along - b.reach, &back_at, time);
		time = by_b > time ? by_b : time;
	}
	return fraction + time < 1.0 ? fraction + time : 1.0;
}

/* ---- hits --------------------------------------------------------------------------------------- */

double wp_path_accuracy(const wp_core *a, const wp_core *b, double share)
{
	const double of_a = (double)a->bound + (double)a->radius, of_b = (double)b->bound + (double)b->radius;
	const double contract = wp_is_smooth((int)a->kind, (int)b->kind) ? WP_CONTRACT_SMOOTH : WP_CONTRACT;
	return share * contract * (of_a > of_b ? of_a : of_b);
}

/* How a place of a body goes, at a fraction. */
WP_NOINLINE wp_d3 way_of(const wp_cast_path *path, double fraction, const double place[3])
{
	const wp_d3 way = wp_d3_at(path->way);
	double q[4];
	const double rate = path->turn * (2.0 / blend(path, path->turn != 0.0 ? fraction : 0.0, q));
	const wp_d3 origin = wp_d3_add(wp_d3_at(path->start), wp_d3_scale(way, fraction));
	const wp_d3 turns = wp_d3_cross(wp_d3_at(path->axis), wp_d3_sub(wp_d3_at(place), origin));
	return wp_d3_add(way, wp_d3_scale(turns, rate));
}

void wp_path_face_the_way(const wp_mover mover[2], double fraction, const double point[3], float normal[3])
{
	const wp_core *const a = mover[0].core, *const b = mover[1].core;
	const wp_d3 back = wp_d3_negate(wp_d3_unit(wp_d3_of_floats(normal)));
	const wp_d3 of_a = way_of(mover[0].path, fraction, point), of_b = way_of(mover[1].path, fraction, point);
	if (!(fraction > 0.0 && wp_d3_dot(back, of_a) > wp_d3_dot(back, of_b)) || a->kind == WP_CORE_HALF_SPACE ||
		b->kind == WP_CORE_HALF_SPACE)
		return;
	const double reach_a = look(&mover[0], fraction, back).reach,
				 reach_b = look(&mover[1], fraction, wp_d3_negate(back)).reach;
	const double along = wp_d3_dot(beside_of(mover[0].path, mover[1].path, fraction).offset, back);
	if (((along - ((double)a->radius + (double)b->radius)) - reach_a) - reach_b < -wp_path_accuracy(a, b, 1.0))
		return;
	for (int k = 0; k < 3; k++)
		normal[k] = -normal[k];
}
