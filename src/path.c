#include "path.h"
#include "motion/gap.h"
#include "half_space.h"

/* Chords that look for the end of a smooth core's time above a plane, and how near they come, relative. */
#define CHORD_MAX 8
#define CHORD_PRECISION 0x1p-6

static double length_of(const double v[3]) { return __builtin_sqrt(wp_dot3(v, v)); }

static void cross(const double u[3], const double v[3], double w[3])
{
	w[0] = u[1] * v[2] - u[2] * v[1];
	w[1] = u[2] * v[0] - u[0] * v[2];
	w[2] = u[0] * v[1] - u[1] * v[0];
}

static double dot4(const float a[4], const float b[4])
{
	return ((double)a[0] * (double)b[0] + (double)a[1] * (double)b[1]) +
	       ((double)a[2] * (double)b[2] + (double)a[3] * (double)b[3]);
}

/* ---- turning ------------------------------------------------------------------------------------ */

/* A blend turns about one axis, that of the vector part of q times the inverse of p, whose length is that of p times
 * that of q times the sine of the angle between them. */
void wp_path_find_turn(wp_cast_path *path)
{
	const float *const p = path->from, *const q = path->to;
	path->turn = path->axis[0] = path->axis[1] = path->axis[2] = 0.0;
	if (memcmp(p, q, sizeof path->from) == 0)
		return;
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		path->axis[i] = ((double)q[i] * (double)p[3] - (double)q[3] * (double)p[i]) +
		                ((double)q[k] * (double)p[j] - (double)q[j] * (double)p[k]);
	}
	path->turn = length_of(path->axis);
	for (int i = 0; i < 3; i++)
		path->axis[i] = path->turn > 0.0 ? path->axis[i] / path->turn : 0.0;
}

/* Of two quaternions for one rotation, that of the end which is the shorter way round. */
static double side_of(const wp_cast_path *path) { return dot4(path->from, path->to) < 0.0 ? -1.0 : 1.0; }

/* The blend of both rotations, not of unit length. Returns its length squared. */
static double blend(const wp_cast_path *path, double fraction, double q[4])
{
	const double side = side_of(path);
	double squared = 0.0;
	for (int i = 0; i < 4; i++) {
		q[i] = (1.0 - fraction) * (double)path->from[i] + fraction * side * (double)path->to[i];
		squared += q[i] * q[i];
	}
	return squared;
}

void wp_path_move(const wp_cast_path *path, double fraction, wp_cast_body *body)
{
	for (int i = 0; i < 3; i++)
		body->position[i] = path->start[i] + fraction * path->way[i];
	if (path->turn == 0.0)
		return;
	double q[4];
	const double length = __builtin_sqrt(blend(path, fraction, q));
	for (int i = 0; i < 4; i++)
		body->rotation[i] = (float)(q[i] / length);
}

/* ---- a body at a fraction of its path ------------------------------------------------------------ */

/* What a body does from there on: how far it reaches along a direction, how it turns now, how fast at most, and by how
 * much that changes at most, in radians a cast. */
typedef struct stance {
	const wp_core *core;
	double q[4], twice; /* its rotation; 2 over the length squared */
	double reach;
	double spin[3], fastest, change;
} stance;

/* A direction seen from a body. */
static void turn_back(const stance *body, const double direction[3], double local[3])
{
	double t[3], u[3];
	const double back[3] = {-body->q[0], -body->q[1], -body->q[2]};
	cross(back, direction, t);
	cross(back, t, u);
	for (int i = 0; i < 3; i++)
		local[i] = direction[i] + body->twice * (body->q[3] * t[i] + u[i]);
}

static double reach_of_smooth(const wp_core *core, const double direction[3])
{
	double s[3];
	for (int i = 0; i < 3; i++)
		s[i] = (double)core->half[i] * direction[i];
	if (core->count == WP_FORM_ELLIPSOID)
		return length_of(s);
	const double rim = __builtin_sqrt(s[0] * s[0] + s[2] * s[2]);
	if (core->count == WP_FORM_CYLINDER)
		return rim + __builtin_fabs(s[1]);
	return s[1] > rim - s[1] ? s[1] : rim - s[1];
}

/* Where the function fails, all the way: a cast then ends with the contact, which says so. */
static double reach_of_custom(const wp_core *core, const double direction[3])
{
	double point[3];
	if (!wp_custom_point(core, direction, point))
		return (double)core->bound * length_of(direction);
	return wp_dot3(point, direction);
}

/* The most that a core reaches along a direction in its own frame. */
static double reach(const wp_core *core, const double direction[3])
{
	if (core->kind == WP_CORE_SMOOTH)
		return reach_of_smooth(core, direction);
	if (core->kind == WP_CORE_CUSTOM)
		return reach_of_custom(core, direction);
	if (core->kind != WP_CORE_HULL)
		return ((double)core->half[0] * __builtin_fabs(direction[0]) +
				   (double)core->half[1] * __builtin_fabs(direction[1])) +
		       (double)core->half[2] * __builtin_fabs(direction[2]);
	const float *const x = core->vertices, *const y = x + core->padded, *const z = y + core->padded;
	double most = -__builtin_inf();
	for (uint32_t i = 0; i < core->count; i++) {
		const double along = ((double)x[i] * direction[0] + (double)y[i] * direction[1]) + (double)z[i] * direction[2];
		most = along > most ? along : most;
	}
	return most;
}

/* The blend goes along a straight line, and turns the faster the nearer it is to the origin: by 2 turn / length^2,
 * which changes by 4 turn / length^3 times its way at most. */
static void find_spin(const wp_cast_path *path, double fraction, double squared, stance *body)
{
	const double side = side_of(path);
	double along = 0.0, way2 = 0.0, q[4];
	for (int i = 0; i < 4; i++) {
		const double way = side * (double)path->to[i] - (double)path->from[i];
		along -= (double)path->from[i] * way;
		way2 += way * way;
	}
	double nearest = along > 0.0 ? along / way2 : 0.0;
	nearest = nearest < fraction ? fraction : nearest > 1.0 ? 1.0 : nearest;
	const double least2 = blend(path, nearest, q);
	body->fastest = 2.0 * path->turn / least2;
	body->change = 4.0 * path->turn * __builtin_sqrt(way2 / least2) / least2;
	for (int i = 0; i < 3; i++)
		body->spin[i] = 2.0 * side * path->turn / squared * path->axis[i];
}

static stance look(const wp_mover *mover, double fraction, const double n[3])
{
	const wp_cast_path *const path = mover->path;
	stance body = {.core = mover->core, .spin = {0.0, 0.0, 0.0}};
	double local[3];
	const double squared = blend(path, path->turn != 0.0 ? fraction : 0.0, body.q);
	body.twice = 2.0 / squared;
	turn_back(&body, n, local);
	body.reach = reach(mover->core, local);
	if (path->turn != 0.0)
		find_spin(path, fraction, squared, &body);
	return body;
}

/* ---- directions that stand still ----------------------------------------------------------------- */

static wp_growth growth_of(const stance *body, const wp_cast_path *path, const double n[3])
{
	if (path->turn == 0.0)
		return (wp_growth){.speed = 0.0};
	/* The direction's own way about the axis is shorter by the sine of the angle between them. */
	double across[3];
	cross(path->axis, n, across);
	wp_growth growth = wp_growth_by_angle((double)body->core->bound, body->reach);
	growth.speed = body->fastest * growth.speed * length_of(across);
	return growth;
}

/* ---- directions that turn with a body ------------------------------------------------------------ */

/* A plane that the vertices of a core are above: vertex v by height + dot(v, up), rising at a speed of
 * rising + dot(v, faster) and falling short of that by bend / 2 times the time squared; both in the core's frame. */
typedef struct plane {
	double height, rising, bend, up[3], faster[3];
} plane;

/* Shorten a time to that which a vertex stays above a plane. */
static void keep_above(const plane *p, const double v[3], double *time)
{
	*time = wp_time_above(p->height + wp_dot3(v, p->up), p->rising + wp_dot3(v, p->faster), p->bend, *time);
}

/* How high the lowest point of a smooth core is above a plane at a time, at least: a concave function of time, since
 * reach is a convex one of direction. */
static double height_of_smooth(const plane *p, const wp_core *core, double time)
{
	double down[3];
	for (int k = 0; k < 3; k++)
		down[k] = -(p->up[k] + time * p->faster[k]);
	return ((p->height + time * p->rising) - reach(core, down)) - 0.5 * p->bend * time * time;
}

/* A chord of a concave function is below it and, further on, above it. So its zero between a time at which the core is
 * above the plane and one at which it is not is safe, and that of the chord of two safe times comes too late. */
static double time_above_of_smooth(const plane *p, const wp_core *core)
{
	double time = 0.0, height = height_of_smooth(p, core, 0.0), late = 1.0, depth = -height_of_smooth(p, core, 1.0);
	if (!(height > 0.0))
		return 0.0;
	for (int chord = 0; chord < CHORD_MAX && depth >= 0.0 && late - time > CHORD_PRECISION * late; chord++) {
		const double before = time, height_before = height;
		time += (late - time) * (height / (height + depth));
		height = height_of_smooth(p, core, time);
		if (!(height > 0.0))
			return before;
		if (!(height < height_before))
			continue;
		const double next = time + (time - before) * (height / (height_before - height));
		late = next < late ? next : late;
		depth = -height_of_smooth(p, core, late);
	}
	return depth >= 0.0 ? time : late;
}

static double time_above(const plane *p, const wp_core *core)
{
	double time = 1.0;
	if (core->kind == WP_CORE_SMOOTH || core->kind == WP_CORE_CUSTOM)
		return time_above_of_smooth(p, core);
	for (uint32_t i = 0; i < 8 && core->kind != WP_CORE_HULL; i++) {
		const double x = (double)core->half[0], y = (double)core->half[1], z = (double)core->half[2];
		const double v[3] = {i & 1 ? -x : x, i & 2 ? -y : y, i & 4 ? -z : z};
		keep_above(p, v, &time);
	}
	for (uint32_t i = 0; i < core->count && core->kind == WP_CORE_HULL; i++) {
		const float *const x = core->vertices + i, *const y = x + core->padded, *const z = y + core->padded;
		const double v[3] = {(double)*x, (double)*y, (double)*z};
		keep_above(p, v, &time);
	}
	return time;
}

/* How long the support plane of `holder` across n, which turns with it, keeps the other body above it; the gap is that
 * from the plane to the other's origin, which lies at an offset and goes by `way`.
 *
 * Seen from the holder the plane stands still. While the holder turns by r and the other by s, its vertex at x from the
 * holder's origin moves by x' = way + s cross (x - offset) - r cross x there, and no change of that is larger than the
 * sum of s^2 + |s'| times the bound, 2 r times the speed of the vertex, and r^2 + |r'| times its distance. */
static double time_held(const stance *holder, const stance *other, const double n[3], double gap,
	const double offset[3], const double way[3])
{
	const double bound = (double)other->core->bound;
	double spin[3], held[3], faster[3];
	for (int k = 0; k < 3; k++)
		spin[k] = other->spin[k] - holder->spin[k];
	cross(n, holder->spin, held);
	cross(n, spin, faster);
	const double r = holder->fastest, s = other->fastest, pace = length_of(way);
	const double speed = pace + s * bound, distance = (length_of(offset) + pace) + bound;
	plane p = {.height = gap,
		.rising = wp_dot3(n, way) - wp_dot3(held, offset),
		.bend = ((s * s + other->change) * bound + 2.0 * r * speed) + (r * r + holder->change) * distance};
	turn_back(other, n, p.up);
	turn_back(other, faster, p.faster);
	return time_above(&p, other->core);
}

/* ---- staying apart ------------------------------------------------------------------------------ */

/* The same of a half-space and another shape: no plane but its own surface proves anything, and that turns with it. */
static double free_of_half_space(const wp_mover *space, const wp_mover *other, double fraction)
{
	const bool turns = space->path->turn > 0.0;
	double q[4], n[3], way[3], offset[3], back[3];
	blend(space->path, turns ? fraction : 0.0, q);
	wp_half_space_up(q, n);
	for (int k = 0; k < 3; k++) {
		way[k] = other->path->way[k] - space->path->way[k];
		offset[k] = (other->path->start[k] - space->path->start[k]) + fraction * way[k];
		back[k] = -n[k];
	}
	const stance surface = look(space, fraction, n), body = look(other, fraction, back);
	const double radii = (double)space->core->radius + (double)other->core->radius;
	const double along = wp_dot3(offset, n) - radii, gap = along - body.reach;
	if (!(gap > WP_PATH_ROUNDING * ((radii + (double)other->core->bound) + length_of(offset))))
		return fraction;
	double time = 0.0;
	if (!turns)
		time = wp_time_apart(gap, -wp_dot3(n, way), (wp_growth){.speed = 0.0}, growth_of(&body, other->path, back));
	if ((turns || other->path->turn > 0.0) && fraction + time < 1.0) {
		const double held = time_held(&surface, &body, n, along, offset, way);
		time = held > time ? held : time;
	}
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
	const double sizes = radii + ((double)mover[0].core->bound + (double)mover[1].core->bound);
	double n[3], way[3], offset[3], back[3], way_back[3], offset_back[3];
	for (int k = 0; k < 3; k++)
		n[k] = (double)direction[k];
	const double length = length_of(n);
	for (int k = 0; k < 3; k++) {
		n[k] /= length;
		way[k] = path_b->way[k] - path_a->way[k];
		offset[k] = (path_b->start[k] - path_a->start[k]) + fraction * way[k];
		back[k] = -n[k];
		way_back[k] = -way[k];
		offset_back[k] = -offset[k];
	}
	const stance a = look(&mover[0], fraction, n), b = look(&mover[1], fraction, back);
	const double along = wp_dot3(offset, n) - radii, gap = (along - a.reach) - b.reach;
	if (!(gap > WP_PATH_ROUNDING * (sizes + length_of(offset))))
		return fraction;
	double time = wp_time_apart(gap, -wp_dot3(n, way), growth_of(&a, path_a, n), growth_of(&b, path_b, back));
	if (path_a->turn + path_b->turn > 0.0 && fraction + time < 1.0) {
		const double by_a = time_held(&a, &b, n, along - a.reach, offset, way);
		const double by_b = time_held(&b, &a, back, along - b.reach, offset_back, way_back);
		time = by_a > time ? by_a : time;
		time = by_b > time ? by_b : time;
	}
	return fraction + time < 1.0 ? fraction + time : 1.0;
}
