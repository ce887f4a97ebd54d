/* Bodies on their paths in 2D: how they turn, and how long they stay apart. */
#include "motion/gap.h"
#include "motion/path.h"

/* ---- turning ------------------------------------------------------------------------------------ */

/* A quarter turn counter-clockwise: where a turning vector goes. */
static wp_d2 ahead(wp_d2 v) { return (wp_d2){-v.y, v.x}; }

void wp2d_path_find_turn(wp_cast_path *path, const float from[2], const float to[2])
{
	path->from_2d = wp_d2_rotation(from);
	path->half = (wp_d2){1.0, 0.0};
	if (memcmp(from, to, 2 * sizeof *from) == 0)
		return;
	/* Of floats the sign of the sine is exact. Half of the angle comes from whichever of cos + 1 and cos - 1
	 * loses no digits. */
	const wp_d2 p = {(double)from[0], (double)from[1]}, q = {(double)to[0], (double)to[1]};
	const wp_d2 whole = wp_d2_unit(wp_d2_turn_back(p, q));
	const double side = whole.y < 0.0 ? -1.0 : 1.0;
	const wp_d2 half = whole.x > 0.0 ? (wp_d2){1.0 + whole.x, whole.y}
	                                 : (wp_d2){side * whole.y, side * (1.0 - whole.x)};
	path->half = wp_d2_unit(half);
}

/* The blend of no turn and half of it, not of unit length. */
static wp_d2 blend(const wp_cast_path *path, double fraction)
{
	return (wp_d2){(1.0 - fraction) + fraction * path->half.x, fraction * path->half.y};
}

/* Twice the angle of the blend, from the start. */
static wp_d2 rotation_at(const wp_cast_path *path, double fraction)
{
	const wp_d2 half = wp_d2_unit(blend(path, fraction));
	return wp_d2_turn(path->from_2d, wp_d2_turn(half, half));
}

void wp2d_path_move(const wp_cast_path *path, double fraction, wp_cast_body *body)
{
	for (int i = 0; i < 2; i++)
		body->position[i] = path->start[i] + fraction * path->way[i];
	if (path->half.y == 0.0)
		return;
	const wp_d2 rotation = rotation_at(path, fraction);
	body->rotation[0] = (float)rotation.x;
	body->rotation[1] = (float)rotation.y;
}

/* ---- a body at a fraction of its path ------------------------------------------------------------ */

/* What a body does from there on: how far it reaches along a direction, how it turns now, how fast at most,
 * and by how much that changes at most, in radians a cast. */
typedef struct stance {
	const wp2d_core *core;
	wp_d2 rotation;
	double reach;
	double spin, fastest, change;
} stance;

/* The most that a core reaches along a direction in its own frame. */
static double reach_of(const wp2d_core *core, wp_d2 direction)
{
	double most = wp_d2_dot(wp_d2_vertex(core, 0), direction);
	for (uint32_t i = 1; i < core->count; i++) {
		const double along = wp_d2_dot(wp_d2_vertex(core, i), direction);
		most = along > most ? along : most;
	}
	return most;
}

/* How fast a body turns, in radians a cast. */
static double spin_at(const wp_cast_path *path, double fraction)
{
	const wp_d2 now = blend(path, fraction);
	return 2.0 * path->half.y / wp_d2_dot(now, now);
}

/* The blend goes along a chord of the unit circle, and turns the faster the nearer it is to the origin, most
 * of all half way: by 2 sin / length^2, which changes by 4 sin / length^3 times the chord at most. */
static void find_spin(const wp_cast_path *path, double fraction, stance *body)
{
	const wp_d2 most = blend(path, fraction > 0.5 ? fraction : 0.5);
	const double least2 = wp_d2_dot(most, most), sine = wp_abs(path->half.y);
	const wp_d2 chord = {path->half.x - 1.0, path->half.y};
	body->spin = spin_at(path, fraction);
	body->fastest = 2.0 * sine / least2;
	body->change = 4.0 * sine * wp_d2_length(chord) / (least2 * wp_sqrt(least2));
}

static stance look(const wp2d_mover *mover, double fraction, wp_d2 n)
{
	const wp_cast_path *const path = mover->path;
	stance body = {.core = mover->core, .rotation = path->from_2d};
	if (path->half.y != 0.0) {
		body.rotation = rotation_at(path, fraction);
		find_spin(path, fraction, &body);
	}
	body.reach = reach_of(mover->core, wp_d2_turn_back(body.rotation, n));
	return body;
}

static wp_growth growth_of(const stance *body)
{
	if (body->fastest == 0.0)
		return (wp_growth){.speed = 0.0};
	wp_growth growth = wp_growth_by_angle((double)body->core->bound, body->reach, 1.0);
	growth.speed *= body->fastest;
	return growth;
}

/* ---- staying apart ------------------------------------------------------------------------------ */

/* How long the support line of `holder` across n, which turns with it, keeps the other body above it; the gap
 * is that from the line to the other's origin, which lies at an offset and goes by `way`.
 *
 * Seen from the holder the line stands still. While the holder turns by r and the other by s, a vertex of the
 * other at v from its origin moves there by way + s ahead(v) - r ahead(offset + v), and no change of that is
 * larger than the sum of s^2 + |s'| times the bound, 2 r times the speed of the vertex, and r^2 + |r'| times
 * its distance. */
static double time_held(const stance *holder, const stance *other, wp_d2 n, double gap, wp_d2 offset, wp_d2 way)
{
	const double bound = (double)other->core->bound, r = holder->fastest, s = other->fastest;
	const double pace = wp_d2_length(way), distance = (wp_d2_length(offset) + pace) + bound;
	const double bend = ((s * s + other->change) * bound + 2.0 * r * (pace + s * bound)) +
	                    (r * r + holder->change) * distance;
	const double rising = wp_d2_dot(n, way) - holder->spin * wp_d2_dot(n, ahead(offset));
	const wp_d2 up = wp_d2_turn_back(other->rotation, n);
	const wp_d2 faster = wp_d2_scale(wp_d2_right(up), other->spin - holder->spin);
	double time = 1.0;
	for (uint32_t i = 0; i < other->core->count; i++) {
		const wp_d2 v = wp_d2_vertex(other->core, i);
		time = wp_time_above(gap + wp_d2_dot(v, up), rising + wp_d2_dot(v, faster), bend, time);
	}
	return time;
}

/* Two bodies at a fraction of their paths, along a unit direction from A to B: how B's origin lies and goes from A's, what both
 * do, and how far apart supports prove them. */
typedef struct view {
	wp_d2 n, back, way, offset;
	stance a, b;
	double along, gap; /* from A's origin to B's less both radii; less what both reach, too */
	double sizes;
} view;

static view look_along(const wp2d_mover mover[2], wp_d2 n, double fraction)
{
	const wp_cast_path *const path_a = mover[0].path, *const path_b = mover[1].path;
	const wp2d_core *const a = mover[0].core, *const b = mover[1].core;
	const double radii = (double)a->radius + (double)b->radius;
	const wp_d2 start = {path_b->start[0] - path_a->start[0], path_b->start[1] - path_a->start[1]};
	view v = {.n = n, .back = wp_d2_scale(n, -1.0), .sizes = radii + ((double)a->bound + (double)b->bound)};
	v.way = (wp_d2){path_b->way[0] - path_a->way[0], path_b->way[1] - path_a->way[1]};
	v.offset = wp_d2_add(start, wp_d2_scale(v.way, fraction));
	v.a = look(&mover[0], fraction, n);
	v.b = look(&mover[1], fraction, v.back);
	v.along = wp_d2_dot(v.offset, n) - radii;
	v.gap = (v.along - v.a.reach) - v.b.reach;
	return v;
}

double wp2d_path_free_until(const wp2d_mover mover[2], const float direction[2], double fraction)
{
	const view v = look_along(mover, wp_d2_rotation(direction), fraction);
	const stance *const a = &v.a, *const b = &v.b;
	if (!(v.gap > WP_PATH_ROUNDING * (v.sizes + wp_d2_length(v.offset))))
		return fraction;
	double time = wp_time_apart(v.gap, -wp_d2_dot(v.n, v.way), growth_of(a), growth_of(b));
	if (a->fastest + b->fastest > 0.0 && fraction + time < 1.0) {
		const wp_d2 offset_back = wp_d2_scale(v.offset, -1.0), way_back = wp_d2_scale(v.way, -1.0);
		const double by_a = time_held(a, b, v.n, v.along - a->reach, v.offset, v.way);
		const double by_b = time_held(b, a, v.back, v.along - b->reach, offset_back, way_back);
		time = by_a > time ? by_a : time;
		time = by_b > time ? by_b : time;
	}
	return fraction + time < 1.0 ? fraction + time : 1.0;
}

/* How a place of a body goes, at a fraction. */
static wp_d2 way_of(const wp_cast_path *path, double fraction, const double place[2])
{
	const wp_d2 way = {path->way[0], path->way[1]};
	const wp_d2 arm = {place[0] - (path->start[0] + fraction * way.x), place[1] - (path->start[1] + fraction * way.y)};
	return wp_d2_add(way, wp_d2_scale(ahead(arm), spin_at(path, fraction)));
}

void wp2d_path_face_the_way(const wp2d_mover mover[2], double fraction, const double point[2], float normal[2])
{
	const wp2d_core *const a = mover[0].core, *const b = mover[1].core;
	const wp_d2 back = wp_d2_scale(wp_d2_rotation(normal), -1.0);
	const wp_d2 of_a = way_of(mover[0].path, fraction, point), of_b = way_of(mover[1].path, fraction, point);
	if (!(fraction > 0.0 && wp_d2_dot(back, wp_d2_sub(of_a, of_b)) > 0.0))
		return;
	const double size_a = (double)a->bound + (double)a->radius, size_b = (double)b->bound + (double)b->radius;
	const double size = size_a > size_b ? size_a : size_b;
	if (look_along(mover, back, fraction).gap < -WP_CONTRACT * size)
		return;
	normal[0] = -normal[0];
	normal[1] = -normal[1];
}
