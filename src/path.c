#include "path.h"

/* Places looked at along one direction: a row whose bounds are loose is given a new direction then. */
#define PLACE_MAX 12

/* A gap this small, relative to distance and sizes, is none: rounding in double. */
#define GAP_ROUNDING 1e-14

/* How far a gap must fall, relative to what it was, for its direction to be done with. */
#define GAP_LEFT 0x1p-10

static double dot3(const double a[3], const double b[3]) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }

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
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		path->axis[i] = ((double)q[i] * (double)p[3] - (double)q[3] * (double)p[i]) +
			((double)q[k] * (double)p[j] - (double)q[j] * (double)p[k]);
	}
	path->turn = __builtin_sqrt(dot3(path->axis, path->axis));
	for (int i = 0; i < 3; i++)
		path->axis[i] = path->turn > 0.0 ? path->axis[i] / path->turn : 0.0;
}

/* The blend of both rotations, not of unit length. Returns its length squared. */
static double blend(const wp_cast_path *path, double fraction, double q[4])
{
	const double side = dot4(path->from, path->to) < 0.0 ? -1.0 : 1.0;
	double squared = 0.0;
	for (int i = 0; i < 4; i++) {
		q[i] = (1.0 - fraction) * (double)path->from[i] + fraction * side * (double)path->to[i];
		squared += q[i] * q[i];
	}
	return squared;
}

/* The fastest that a body turns from a fraction on, in radians a cast: its blend goes along a straight line, and the
 * angle fastest where that is nearest to the origin. */
static double fastest_turn(const wp_cast_path *path, double fraction)
{
	if (path->turn == 0.0)
		return 0.0;
	const double side = dot4(path->from, path->to) < 0.0 ? -1.0 : 1.0;
	double along = 0.0, squared = 0.0, q[4];
	for (int i = 0; i < 4; i++) {
		const double way = side * (double)path->to[i] - (double)path->from[i];
		along -= (double)path->from[i] * way;
		squared += way * way;
	}
	double nearest = along > 0.0 ? along / squared : 0.0;
	nearest = nearest < fraction ? fraction : nearest > 1.0 ? 1.0 : nearest;
	return 2.0 * path->turn / blend(path, nearest, q);
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

/* ---- reaching ----------------------------------------------------------------------------------- */

/* A direction seen from a body at a fraction of its path. */
static void turn_back(const wp_cast_path *path, double fraction, const double direction[3], double local[3])
{
	double q[4], t[3];
	const double twice = 2.0 / blend(path, path->turn != 0.0 ? fraction : 0.0, q);
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		t[i] = twice * (q[k] * direction[j] - q[j] * direction[k]);
	}
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		local[i] = direction[i] + (q[3] * t[i] + (q[k] * t[j] - q[j] * t[k]));
	}
}

/* The most that a core reaches along a direction in its own frame. */
static double reach(const wp_core *core, const double direction[3])
{
	if (core->kind != WP_CORE_HULL)
		return ((double)core->half[0] * __builtin_fabs(direction[0]) + (double)core->half[1] * __builtin_fabs(direction[1])) +
			(double)core->half[2] * __builtin_fabs(direction[2]);
	const float *const x = core->vertices, *const y = x + core->padded, *const z = y + core->padded;
	double most = -__builtin_inf();
	for (uint32_t i = 0; i < core->count; i++) {
		const double along = ((double)x[i] * direction[0] + (double)y[i] * direction[1]) + (double)z[i] * direction[2];
		most = along > most ? along : most;
	}
	return most;
}

/* How far a body reaches along a direction, and what turning can add: at most `speed` times the fraction, and at most
 * `rest` ever.
 *
 * Why: turned by an angle, a core reaches along n as far as it did along a direction at most that angle away. It lies
 * in the ball of its bound and below its support plane at height h. With cos x = h / bound that cap of the ball
 * reaches bound * cos(x - y) along a direction at an angle y, and the bound from y = x on; as a function of y that is
 * below its tangent at 0, whose slope is bound * sin x where h >= 0, and no steeper than the bound. */
typedef struct reaching {
	double reach, speed, rest;
} reaching;

static reaching look(const wp_mover *mover, double fraction, const double n[3])
{
	const wp_cast_path *const path = mover->path;
	const double *const a = path->axis;
	const double bound = (double)mover->core->bound;
	double local[3];
	turn_back(path, fraction, n, local);
	const double h = reach(mover->core, local);
	if (path->turn == 0.0)
		return (reaching){.reach = h};
	/* The direction's own way about the axis is shorter by the sine of the angle between them. */
	const double across[3] = {a[1] * n[2] - a[2] * n[1], a[2] * n[0] - a[0] * n[2], a[0] * n[1] - a[1] * n[0]};
	const double below = bound * (1.0 + GAP_ROUNDING) - h, above = bound + h;
	const double slope = h > 0.0 ? __builtin_sqrt(below * above) : bound;
	return (reaching){.reach = h, .speed = fastest_turn(path, fraction) * slope * __builtin_sqrt(dot3(across, across)),
		.rest = below};
}

/* ---- staying apart ------------------------------------------------------------------------------ */

/* How long a gap lasts that closes at a speed. */
static double time_of(double gap, double closing)
{
	return gap <= 0.0 ? 0.0 : closing > 0.0 ? gap / closing : 1.0;
}

/* How long two bodies stay apart: what each adds by turning is bounded in two ways, and any choice holds. */
static double safe_time(double gap, double closing, const reaching *a, const reaching *b)
{
	const double times[4] = {time_of(gap, (closing + a->speed) + b->speed), time_of(gap - a->rest, closing + b->speed),
		time_of(gap - b->rest, closing + a->speed), time_of(gap - (a->rest + b->rest), closing)};
	double most = times[0];
	for (int i = 1; i < 4; i++)
		most = times[i] > most ? times[i] : most;
	return most;
}

double wp_path_free_until(const wp_mover mover[2], const float direction[3], double fraction)
{
	const wp_cast_path *const a = mover[0].path, *const b = mover[1].path;
	const double radii = (double)mover[0].core->radius + (double)mover[1].core->radius;
	const double sizes = radii + ((double)mover[0].core->bound + (double)mover[1].core->bound);
	double n[3], back[3], way[3], start[3], first = 0.0;
	for (int k = 0; k < 3; k++) {
		n[k] = (double)direction[k];
		way[k] = b->way[k] - a->way[k];
		start[k] = b->start[k] - a->start[k];
	}
	const double length = __builtin_sqrt(dot3(n, n));
	for (int k = 0; k < 3; k++) {
		n[k] /= length;
		back[k] = -n[k];
	}
	for (int place = 0; place < PLACE_MAX; place++) {
		const double offset[3] = {start[0] + fraction * way[0], start[1] + fraction * way[1], start[2] + fraction * way[2]};
		const reaching of_a = look(&mover[0], fraction, n), of_b = look(&mover[1], fraction, back);
		const double gap = ((dot3(offset, n) - of_a.reach) - of_b.reach) - radii;
		first = place == 0 ? gap : first;
		if (!(gap > GAP_ROUNDING * (sizes + __builtin_sqrt(dot3(offset, offset))) && gap >= GAP_LEFT * first))
			break;
		fraction += safe_time(gap, -dot3(n, way), &of_a, &of_b);
		if (fraction >= 1.0)
			return 1.0;
		if (a->turn + b->turn == 0.0)
			break;
	}
	return fraction;
}
