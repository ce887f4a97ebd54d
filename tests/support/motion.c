#include "motion.h"

#include "half_space_oracle.h"
#include "smooth_oracle.h"
#include "shape_core.h"
#include "widephase/reference.h"

#include <math.h>

/* Most separations computed in one search, and the narrowest span of time that is halved. */
#define ASKED_MAX 4000
#define SPAN_MIN 1e-11

/* Spans that wait: each halving leaves one. */
#define SPANS_MAX 64

/* Pairs of edges up to which brute force answers. */
#define BRUTE_FORCE_MAX 150

/* Of lengths that are denormal numbers. */
#define SPACING 1e-44

/* How near proven bounds must be, of size plus distance. */
#define BRACKET_MAX 1e-6

/* ---- where bodies are --------------------------------------------------------------------------- */

typedef struct quaternion {
	double q[4];
} quaternion;

static quaternion blend(const motion *m, double time)
{
	quaternion r;
	quaternion_between(m->start.rotation, m->rotation, time, r.q);
	return r;
}

static m3 matrix_of(quaternion r)
{
	const double x = r.q[0], y = r.q[1], z = r.q[2], w = r.q[3];
	return (m3){v3_of(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
		v3_of(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
		v3_of(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))};
}

/* The turn from one rotation to another: sine times axis, and cosine, of half its angle. */
static v3 turn_between(quaternion from, quaternion to, double *cosine)
{
	const v3 u = v3_of(from.q[0], from.q[1], from.q[2]), v = v3_of(to.q[0], to.q[1], to.q[2]);
	*cosine = v3_dot(u, v) + from.q[3] * to.q[3];
	return v3_sub(v3_sub(v3_scale(v, from.q[3]), v3_scale(u, to.q[3])), v3_cross(v, u));
}

static bool turns(const motion *m)
{
	for (int i = 0; i < 4; i++)
		if (m->rotation[i] != m->start.rotation[i])
			return true;
	return false;
}

/* From the origin of A to the origin of B. */
static v3 offset_at(const motion_pair *pair, double time)
{
	const motion *a = &pair->motion[0], *b = &pair->motion[1];
	const v3 start = v3_sub(v3_of_floats(b->start.position), v3_of_floats(a->start.position));
	const v3 way = v3_sub(v3_of_floats(b->translation), v3_of_floats(a->translation));
	return v3_add(start, v3_scale(way, time));
}

/* ---- pairs -------------------------------------------------------------------------------------- */

/* A blend of half a turn is four times as fast half way as its sine of half the angle says, and no other is faster; its
 * speed changes by 16 a cast at most. Both with room for rotations that are not quite unit. */
#define SPIN 4.1
#define SPIN_CHANGE 17.0

/* A height is the height of x = offset + r above the plane: n . x, with n turning and r turning with the other body. */
static void bound_heights(motion_pair *pair)
{
	const double reach = pair->bound[1 - pair->space], way = v3_length(v3_sub(offset_at(pair, 1), offset_at(pair, 0)));
	const double far = fmax(v3_length(offset_at(pair, 0)), v3_length(offset_at(pair, 1)));
	const double spin = turns(&pair->motion[pair->space]) ? SPIN : 0,
				 own = turns(&pair->motion[1 - pair->space]) ? SPIN : 0;
	const double change = spin > 0 ? SPIN_CHANGE : 0, own_change = own > 0 ? SPIN_CHANGE : 0;
	pair->bend = (spin * spin + change) * (far + reach) + 2 * spin * (way + own * reach) +
	             (own * own + own_change) * reach;
	pair->rounding = 2e-15 * far;
	pair->speed += spin * (far + reach);
	if (spin > 0)
		pair->size += far;
}

bool motion_pair_make(const wp_shape *a, const motion *of_a, const wp_shape *b, const motion *of_b, motion_pair *pair)
{
	*pair = (motion_pair){.shape = {a, b}, .motion = {*of_a, *of_b}};
	pair->space = a->kind == WP_SHAPE_HALF_SPACE ? 0 : b->kind == WP_SHAPE_HALF_SPACE ? 1 : -1;
	pair->speed = v3_length(v3_sub(offset_at(pair, 1), offset_at(pair, 0)));
	for (int i = 0; i < 2; i++) {
		if (shape_core_is_smooth(pair->shape[i])) {
			pair->smooth = pair->space < 0;
			pair->bound[i] = shape_core_bound(pair->shape[i]);
		} else if (pair->space != i) {
			pair->core[i] = oracle_shape_new(pair->shape[i]);
			if (pair->core[i] == NULL) {
				motion_pair_free(pair);
				return false;
			}
			pair->bound[i] = pair->core[i]->bound;
		}
		pair->radius[i] = (double)pair->shape[i]->radius;
		pair->size = fmax(pair->size, pair->bound[i] + pair->radius[i]);
		if (turns(&pair->motion[i]))
			pair->speed += SPIN * pair->bound[i];
	}
	if (pair->space >= 0)
		bound_heights(pair);
	return true;
}

void motion_pair_free(motion_pair *pair)
{
	oracle_shape_free(pair->core[0]);
	oracle_shape_free(pair->core[1]);
}

static void rotations_at(const motion_pair *pair, double time, float rotation[2][4])
{
	for (int side = 0; side < 2; side++) {
		const quaternion r = blend(&pair->motion[side], time);
		for (int i = 0; i < 4; i++)
			rotation[side][i] = turns(&pair->motion[side]) ? (float)r.q[i] : pair->motion[side].start.rotation[i];
	}
}

/* For a half-space and another shape. */
static double height_of(const motion_pair *pair, float rotation[2][4], v3 offset, v3 *normal)
{
	const int space = pair->space, other = 1 - space;
	const double sign = space == 0 ? 1 : -1;
	const v3 up = half_space_normal(rotation[space]),
			 lowest = half_space_lowest(pair->shape[other], rotation[other], up);
	*normal = v3_scale(up, sign);
	return sign * v3_dot(up, offset) + v3_dot(up, lowest) - (double)pair->shape[space]->radius;
}

/* The separation of the shapes with B at an offset from A, turned as they are at a time. */
static double separation_of(const motion_pair *pair, double time, v3 offset, v3 *normal)
{
	float rotation[2][4];
	rotations_at(pair, time, rotation);
	if (pair->space >= 0)
		return height_of(pair, rotation, offset, normal);
	if (!pair->smooth && pair->core[0]->edge_count * pair->core[1]->edge_count <= BRUTE_FORCE_MAX) {
		oracle_pose at_a = {.position = {0, 0, 0}}, at_b = {.position = offset};
		oracle_answer answer = {.separation = 0};
		for (int i = 0; i < 4; i++) {
			at_a.rotation[i] = rotation[0][i];
			at_b.rotation[i] = rotation[1][i];
		}
		if (oracle_solve(pair->core[0], &at_a, pair->core[1], &at_b, &answer)) {
			*normal = answer.normal;
			return answer.separation;
		}
	}
	const double origin[3] = {0, 0, 0}, position[3] = {offset.x, offset.y, offset.z};
	wp_reference_row row;
	if (wp_reference_contact_pair(pair->shape[0], origin, rotation[0], pair->shape[1], position, rotation[1], &row) !=
		WP_OK)
		return NAN;
	*normal = v3_of(row.normal[0], row.normal[1], row.normal[2]);
	return row.separation;
}

double motion_separation(const motion_pair *pair, double time, v3 *normal)
{
	return separation_of(pair, time, offset_at(pair, time), normal);
}

bool motion_bounds(const motion_pair *pair, double time, v3 moved, double *lower, double *upper)
{
	const v3 offset = v3_add(offset_at(pair, time), moved);
	float rotation[2][4];
	rotations_at(pair, time, rotation);
	wp_pose at_a = {.position = {0, 0, 0}}, at_b = {.position = {(float)offset.x, (float)offset.y, (float)offset.z}};
	for (int i = 0; i < 4; i++) {
		at_a.rotation[i] = rotation[0][i];
		at_b.rotation[i] = rotation[1][i];
	}
	const double tolerance = BRACKET_MAX * (pair->size + v3_length(offset));
	return smooth_oracle_solve(pair->shape[0], &at_a, pair->shape[1], &at_b, tolerance, lower, upper);
}

/* ---- spans of time ------------------------------------------------------------------------------ */

typedef struct span {
	double start, end;
	v3 normal; /* a direction to try */
} span;

/* How far a core reaches along a direction of its own frame. */
static double reach_of(const motion_pair *pair, int side, v3 local)
{
	const oracle_shape *const core = pair->core[side];
	if (core == NULL)
		return v3_dot(shape_core_point(pair->shape[side], local), local);
	double most = -INFINITY;
	for (size_t i = 0; i < core->vertex_count; i++)
		most = fmax(most, v3_dot(core->vertices[i], local));
	return most;
}

/* The most of a cos x + b sin x, x from 0 up to less than half a turn. */
static double arc_peak(double a, double b, double sine, double cosine)
{
	const bool peaks = b > 0 && b * cosine - a * sine < 0;
	return peaks ? sqrt(a * a + b * b) : fmax(a, a * cosine + b * sine);
}

/* Directions that turn about an axis, as a body sees them: from `local`, through sine and cosine, a quarter at most. */
typedef struct fan {
	v3 local, axis;
	double along, sine, cosine;
} fan;

/* The most that a convex core reaches along any direction of a fan, by the reaches along both ends, p and q: the
 * direction at x is (sin(t - x) p + sin x q) / sin t and a part along the axis, which is no longer than p's part times
 * 1 / cos(t / 2) - 1. Reach is a convex function of direction. */
static double reach_of_fan(const motion_pair *pair, int side, const fan *f)
{
	const v3 fixed = v3_scale(f->axis, f->along), aside = v3_sub(f->local, fixed);
	const v3 across = v3_cross(f->local, f->axis);
	const v3 end = v3_add(fixed, v3_add(v3_scale(aside, f->cosine), v3_scale(across, f->sine)));
	const double p = reach_of(pair, side, f->local), q = reach_of(pair, side, end);
	const double rest = fabs(f->along) * (1 / sqrt((1 + f->cosine) / 2) - 1);
	const double of_rest = reach_of(pair, side, v3_scale(f->axis, f->along > 0 ? -1 : 1));
	const double b = f->sine > 0 ? (q - f->cosine * p) / f->sine : 0;
	return arc_peak(p, b, f->sine, f->cosine) + rest * fmax(of_rest, 0);
}

/* The most that a core reaches along a direction from its body's origin during a span. */
static double reach_during(const motion_pair *pair, int side, const span *s, v3 direction)
{
	const motion *const m = &pair->motion[side];
	const quaternion start = blend(m, s->start);
	const m3 rotation = matrix_of(start);
	const v3 local = m3_apply_inverse(rotation, direction);
	if (!turns(m))
		return reach_of(pair, side, local);
	double half_cosine;
	const v3 half = turn_between(start, blend(m, s->end), &half_cosine), axis = v3_unit(half);
	const double half_sine = v3_length(half), sine = 2 * half_sine * half_cosine,
				 cosine = 1 - 2 * half_sine * half_sine;
	const v3 local_axis = m3_apply_inverse(rotation, axis);
	const double along = v3_dot(local, local_axis);
	if (pair->core[side] == NULL) {
		const fan f = {.local = local, .axis = local_axis, .along = along, .sine = sine, .cosine = cosine};
		return cosine > 0 && sine >= 0 ? reach_of_fan(pair, side, &f) : pair->bound[side];
	}
	const v3 across = v3_cross(local, local_axis);
	double most = -INFINITY;
	for (size_t i = 0; i < pair->core[side]->vertex_count; i++) {
		/* It reaches fixed + a cos x + b sin x. */
		const v3 v = pair->core[side]->vertices[i];
		const double fixed = along * v3_dot(v, local_axis);
		most = fmax(most, fixed + arc_peak(v3_dot(v, local) - fixed, v3_dot(v, across), sine, cosine));
	}
	return most;
}

/* A bound below the separation all through a span. */
static double least_gap(const motion_pair *pair, const span *s, v3 normal)
{
	if (pair->space >= 0) {
		v3 unused;
		const double ends = fmin(motion_separation(pair, s->start, &unused), motion_separation(pair, s->end, &unused));
		return ends - 0.125 * pair->bend * (s->end - s->start) * (s->end - s->start);
	}
	const double offset = fmin(v3_dot(offset_at(pair, s->start), normal), v3_dot(offset_at(pair, s->end), normal));
	return offset - reach_during(pair, 0, s, normal) - reach_during(pair, 1, s, v3_scale(normal, -1)) -
	       (pair->radius[0] + pair->radius[1]);
}

/* Prove that a smooth pair comes down to a level, if it does. */
static void prove_hit(const motion_pair *pair, double level, motion_touch *touch)
{
	if (!pair->smooth || isinf(touch->hit))
		return;
	double lower, upper;
	const double slack = BRACKET_MAX * (pair->size + v3_length(offset_at(pair, touch->hit))) + SPACING;
	motion_bounds(pair, touch->hit, v3_of(0, 0, 0), &lower, &upper);
	touch->refuted = lower > level + slack;
	touch->gave_up = touch->gave_up || upper > level + slack;
}

motion_touch motion_first_touch(const motion_pair *pair, double level)
{
	span spans[SPANS_MAX];
	size_t count = 1;
	motion_touch touch = {.free = INFINITY, .hit = INFINITY, .asked = 1};
	spans[0] = (span){.end = 1};
	if (motion_separation(pair, 0, &spans[0].normal) <= level) {
		touch.free = touch.hit = 0;
		prove_hit(pair, level, &touch);
		return touch;
	}
	v3 last = spans[0].normal;
	while (count > 0) {
		const span s = spans[--count];
		if (least_gap(pair, &s, s.normal) > level || least_gap(pair, &s, last) > level)
			continue;
		const double middle = s.start + (s.end - s.start) / 2;
		const bool is_narrow = (s.end - s.start) * pair->speed < 1e-6 * pair->size || s.end - s.start < SPAN_MIN;
		v3 normal;
		const double separation = motion_separation(pair, middle, &normal);
		touch.asked++;
		if (separation <= level) {
			touch.hit = middle;
			count = 0;
		} else if (least_gap(pair, &s, normal) > level) {
			last = normal;
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
			spans[count++] = (span){middle, s.end, normal};
		spans[count++] = (span){s.start, middle, normal};
	}
	touch.free = fmin(touch.free, fmin(touch.hit, 1));
	prove_hit(pair, level, &touch);
	return touch;
}

/* ---- directed depths ---------------------------------------------------------------------------- */

/* The separation is a convex function of the way, and its slope the lean of its normal: so Newton's steps from far
 * out come down to where it is zero, and never past it. */
double motion_depth_along(const motion_pair *pair, v3 direction)
{
	const v3 start = offset_at(pair, 0);
	if (pair->space >= 0) {
		v3 normal;
		const double depth = -motion_separation(pair, 0, &normal), lean = v3_dot(normal, direction);
		return lean > 0 ? depth / lean : INFINITY;
	}
	double way = 1.5 * v3_length(start);
	for (int side = 0; side < 2; side++)
		way += 1.5 * (pair->bound[side] + pair->radius[side]);
	for (int step = 0; step < 200; step++) {
		v3 normal;
		const double gap = separation_of(pair, 0, v3_add(start, v3_scale(direction, way)), &normal);
		const double lean = v3_dot(normal, direction);
		if (!(gap > 1e-13 * (pair->size + way)) || !(lean > 0))
			return way;
		way -= gap / lean;
	}
	return way;
}
