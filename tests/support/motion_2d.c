#include "motion_2d.h"

#include <math.h>
#include <string.h>

/* Most separations computed in one search, and the narrowest span of time that is halved. */
#define ASKED_MAX 4000
#define SPAN_MIN 1e-11

/* Spans that wait: each halving leaves one. */
#define SPANS_MAX 64

/* ---- where bodies are --------------------------------------------------------------------------- */

/* The angle that a body has turned by at a time. */
static double turned_by(const motion_2d_pair *pair, int side, double time)
{
	const double half = pair->turn[side] / 2;
	return 2 * atan2(time * sin(half), 1 - time + time * cos(half));
}

/* From the origin of A to the origin of B. */
static v2 offset_at(const motion_2d_pair *pair, double time)
{
	const motion_2d *const a = &pair->motion[0], *const b = &pair->motion[1];
	const v2 start = v2_sub(v2_of_floats(b->start.position), v2_of_floats(a->start.position));
	const v2 back = v2_sub(v2_of_floats(a->translation), v2_of_floats(b->translation));
	return v2_sub(start, v2_scale(back, time));
}

/* The shape of a side, turned as it is at a time, about its own origin. */
static oracle_2d_shape turned_shape(const motion_2d_pair *pair, int side, double time)
{
	oracle_2d_shape shape = pair->shape[side];
	const v2 r = v2_of_floats(pair->motion[side].start.rotation);
	const double angle = turned_by(pair, side, time), c = cos(angle), s = sin(angle);
	const double rotation[2] = {r.x * c - r.y * s, r.y * c + r.x * s}, nowhere[2] = {0, 0};
	oracle_2d_move(&shape, rotation, nowhere);
	return shape;
}

void motion_2d_make(const oracle_2d_shape shape[2], const motion_2d motion[2], motion_2d_pair *pair)
{
	*pair = (motion_2d_pair){.motion = {motion[0], motion[1]}};
	const v2 way = v2_sub(v2_of_floats(motion[1].translation), v2_of_floats(motion[0].translation));
	pair->speed = sqrt(v2_dot(way, way));
	for (int side = 0; side < 2; side++) {
		static _Thread_local v2 corners[ORACLE_2D_VERTEX_MAX];
		const v2 p = v2_of_floats(motion[side].start.rotation), q = v2_of_floats(motion[side].rotation);
		const bool turns = memcmp(motion[side].start.rotation, motion[side].rotation, sizeof motion->rotation) != 0;
		memcpy(corners, shape[side].points, sizeof corners);
		pair->shape[side] = (oracle_2d_shape){.points = {{0, 0}}, .radius = shape[side].radius};
		pair->shape[side].count = oracle_2d_hull(corners, shape[side].count);
		memcpy(pair->shape[side].points, corners, pair->shape[side].count * sizeof corners[0]);
		pair->turn[side] = turns ? atan2(v2_cross(p, q) + 0.0, v2_dot(p, q)) : 0;
		/* A blend of half a turn is twice as fast as it is in the mean half way, others are not. */
		const double bound = oracle_2d_bound(&pair->shape[side]);
		pair->speed += 2 * fabs(pair->turn[side]) * (bound - shape[side].radius);
		pair->size = fmax(pair->size, bound);
	}
}

double motion_2d_separation(const motion_2d_pair *pair, double time, double normal[2])
{
	const oracle_2d_shape a = turned_shape(pair, 0, time);
	oracle_2d_shape b = turned_shape(pair, 1, time);
	const v2 offset = offset_at(pair, time);
	for (size_t i = 0; i < b.count; i++)
		b.points[i] = v2_sub(b.points[i], v2_scale(offset, -1));
	return oracle_2d_nearest(&a, &b, normal);
}

/* ---- where nothing turns ------------------------------------------------------------------------ */

/* When a point that starts at the origin and goes by `way` comes into a circle; infinite where it does not.
 */
static double enters_circle(v2 centre, double radius, v2 way)
{
	const double way2 = v2_dot(way, way), aside = v2_cross(way, centre), along = v2_dot(way, centre);
	const double left = radius * radius * way2 - aside * aside;
	if (!(left >= 0) || !(way2 > 0))
		return INFINITY;
	const double time = (along - sqrt(left)) / way2;
	return time >= 0 ? time : INFINITY;
}

/* When it comes in through the edge from p to q, moved outwards; infinite where it does not. */
static double enters_edge(v2 p, v2 q, double outwards, v2 way)
{
	const v2 e = v2_sub(q, p);
	const double length = sqrt(v2_dot(e, e)), closing = v2_cross(e, way) / length;
	const double time = (v2_cross(e, p) / length - outwards) / closing;
	if (!(closing > 0) || !(time >= 0))
		return INFINITY;
	const double along = v2_dot(v2_sub(v2_scale(way, time), p), e);
	return along >= 0 && along <= length * length ? time : INFINITY;
}

/* When it is first behind all edges moved inwards. */
static double enters_shrunk(const v2 *corners, size_t count, double inwards, v2 way)
{
	double enters = 0, leaves = INFINITY;
	for (size_t i = 0; i < count; i++) {
		const v2 p = corners[i], e = v2_sub(corners[(i + 1) % count], p);
		const double length = sqrt(v2_dot(e, e)), closing = v2_cross(e, way) / length;
		const double outside = v2_cross(e, p) / length + inwards;
		if (closing > 0)
			enters = fmax(enters, outside / closing);
		else if (closing < 0)
			leaves = fmin(leaves, outside / closing);
		else if (outside > 0)
			return INFINITY;
	}
	return count > 2 && enters <= leaves ? enters : INFINITY;
}

/* The difference A - B at the start holds the way of B where they touch. */
static double straight_touch(const motion_2d_pair *pair, double level)
{
	static _Thread_local v2 corners[ORACLE_2D_VERTEX_MAX * ORACLE_2D_VERTEX_MAX];
	const oracle_2d_shape a = turned_shape(pair, 0, 0), b = turned_shape(pair, 1, 0);
	const v2 offset = offset_at(pair, 0), way = v2_sub(offset_at(pair, 1), offset);
	const double radius = a.radius + b.radius + level;
	size_t count = 0;
	for (size_t i = 0; i < a.count; i++)
		for (size_t k = 0; k < b.count; k++)
			corners[count++] = v2_sub(v2_sub(a.points[i], b.points[k]), offset);
	count = oracle_2d_hull(corners, count);
	double hit = INFINITY;
	if (radius < 0)
		return enters_shrunk(corners, count, -radius, way);
	for (size_t i = 0; i < count; i++) {
		hit = fmin(hit, enters_circle(corners[i], radius, way));
		if (count > 1)
			hit = fmin(hit, enters_edge(corners[i], corners[(i + 1) % count], radius, way));
	}
	return hit;
}

/* ---- spans of time ------------------------------------------------------------------------------ */

typedef struct span {
	double start, end;
	double normal[2]; /* a direction to try */
} span;

/* The most that a core reaches along a direction from its body's origin during a span. */
static double reach_during(const motion_2d_pair *pair, int side, const span *s, v2 direction)
{
	const oracle_2d_shape start = turned_shape(pair, side, s->start);
	const double angle = turned_by(pair, side, s->end) - turned_by(pair, side, s->start);
	double most = -INFINITY;
	for (size_t i = 0; i < start.count; i++) {
		/* It reaches along cos x + ahead sin x, x from 0 up to half a turn or less. */
		const double along = v2_dot(start.points[i], direction),
					 ahead = (angle < 0 ? -1 : 1) * v2_cross(start.points[i], direction);
		const double x = fabs(angle), end = along * cos(x) + ahead * sin(x);
		const bool peaks = ahead > 0 && ahead * cos(x) - along * sin(x) < 0;
		most = fmax(most, peaks ? sqrt(along * along + ahead * ahead) : fmax(along, end));
	}
	return most;
}

/* A bound below the separation all through a span. */
static double least_gap(const motion_2d_pair *pair, const span *s, const double normal[2])
{
	const v2 n = {normal[0], normal[1]};
	const double offset = fmin(v2_dot(offset_at(pair, s->start), n), v2_dot(offset_at(pair, s->end), n));
	return offset - reach_during(pair, 0, s, n) - reach_during(pair, 1, s, v2_scale(n, -1)) -
	       (pair->shape[0].radius + pair->shape[1].radius);
}

static motion_2d_touch touch_by_halves(const motion_2d_pair *pair, double level)
{
	span spans[SPANS_MAX];
	size_t count = 1;
	motion_2d_touch touch = {.free = INFINITY, .hit = INFINITY};
	double last[2] = {0, 1};
	spans[0] = (span){.end = 1, .normal = {0, 1}};
	while (count > 0) {
		const span s = spans[--count];
		if (least_gap(pair, &s, s.normal) > level || least_gap(pair, &s, last) > level)
			continue;
		const double middle = s.start + (s.end - s.start) / 2;
		const bool is_narrow = (s.end - s.start) * pair->speed < 1e-6 * pair->size || s.end - s.start < SPAN_MIN;
		double normal[2] = {s.normal[0], s.normal[1]};
		const double separation = motion_2d_separation(pair, middle, normal);
		touch.asked++;
		if (separation <= level) {
			touch.hit = middle;
			count = 0;
		} else if (least_gap(pair, &s, normal) > level) {
			memcpy(last, normal, sizeof last);
			continue;
		}
		touch.gave_up = touch.asked >= ASKED_MAX;
		if (is_narrow || touch.gave_up) {
			touch.free = fmin(touch.free, s.start);
			if (touch.gave_up)
				break;
			continue;
		}
		if (!(separation <= level))
			spans[count++] = (span){middle, s.end, {normal[0], normal[1]}};
		spans[count++] = (span){s.start, middle, {normal[0], normal[1]}};
	}
	touch.free = fmin(touch.free, fmin(touch.hit, 1));
	return touch;
}

motion_2d_touch motion_2d_first_touch(const motion_2d_pair *pair, double level)
{
	double normal[2];
	if (motion_2d_separation(pair, 0, normal) <= level)
		return (motion_2d_touch){.asked = 1};
	if (pair->turn[0] == 0 && pair->turn[1] == 0) {
		const double hit = straight_touch(pair, level);
		return (motion_2d_touch){.free = fmin(hit, 1), .hit = hit <= 1 ? hit : INFINITY, .asked = 1};
	}
	return touch_by_halves(pair, level);
}
