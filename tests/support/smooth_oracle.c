/* The separation of two convex bodies is the largest gap between their support planes along any direction n,
 * whether it is positive or not: g(n) = -n . w, with w = a - b farthest along n. So any g(n) is a lower
 * bound. And as h(m) >= m . w for every m, each w bounds g from above all around: within an angle t of n, g
 * is no larger than the largest of -m . w there, which lies on the great circle through n and the part of w
 * across n. That part vanishes at an optimum, so cells around one need not become small. Rounding
 * radii are the same along all directions. */
#include "smooth_oracle.h"

#include "shape_core.h"

#include <stdlib.h>
#include <string.h>

typedef struct solid {
	const wp_shape *shape;
	m3 rotation;
	v3 origin; /* relative to the position of A */
} solid;

static v3 point_of(const solid *s, v3 n)
{
	return v3_add(m3_apply(s->rotation, shape_core_point(s->shape, m3_apply_inverse(s->rotation, n))), s->origin);
}

/* A part of one side of a cube around the sphere. */
typedef struct cell {
	double upper; /* no direction of it has a larger gap */
	double u, v, half;
	int side;
} cell;

typedef struct search {
	solid solids[2];
	double lower;
	cell *heap; /* largest upper bound first */
	size_t count;
} search;

static v3 direction_of(int side, double u, double v)
{
	const double s = side % 2 ? -1 : 1;
	return v3_unit(side / 2 == 0 ? v3_of(s, u, v) : side / 2 == 1 ? v3_of(u, s, v) : v3_of(u, v, s));
}

/* Points of the difference that are farthest along the middle of a cell and its corners; how far the corners
 * are, as an angle of less than a quarter of a turn. */
typedef struct samples {
	v3 n, w[5];
	double reach_sine, reach_cosine;
} samples;

static samples sample(search *s, const cell *c)
{
	samples found = {.n = direction_of(c->side, c->u, c->v), .reach_cosine = 1};
	for (int k = 0; k < 5; k++) {
		const double du = k == 0 ? 0 : k & 1 ? c->half : -c->half, dv = k == 0 ? 0 : k & 2 ? c->half : -c->half;
		const v3 n = direction_of(c->side, c->u + du, c->v + dv);
		found.w[k] = v3_sub(point_of(&s->solids[0], n), point_of(&s->solids[1], v3_scale(n, -1)));
		const double sine = v3_length(v3_cross(n, found.n)), gap = -v3_dot(n, found.w[k]);
		if (sine > found.reach_sine) {
			found.reach_sine = sine;
			found.reach_cosine = v3_dot(n, found.n);
		}
		s->lower = gap > s->lower ? gap : s->lower;
	}
	return found;
}

/* The largest -m . w of all m within the reach of n: along -w itself, where that is within reach. */
static double largest_gap(const samples *around, v3 w)
{
	const double along = -v3_dot(around->n, w), across = v3_length(v3_add(w, v3_scale(around->n, along)));
	const bool is_within = across * around->reach_cosine < along * around->reach_sine;
	return is_within ? sqrt(along * along + across * across)
	                 : along * around->reach_cosine + across * around->reach_sine;
}

/* Any point between two of the difference is one of it too. Where w jumps, along an edge, a point between
 * both ends of the jump has no part across n. */
static void bound(search *s, cell *c)
{
	const samples around = sample(s, c);
	c->upper = INFINITY;
	for (int i = 0; i < 5; i++) {
		for (int k = 0; k <= i; k++) {
			const v3 way = v3_sub(around.w[k], around.w[i]);
			const v3 aside = v3_sub(way, v3_scale(around.n, v3_dot(around.n, way)));
			const double length2 = v3_dot(aside, aside),
						 share = length2 > 0 ? -v3_dot(aside, around.w[i]) / length2 : 0;
			const double kept = share < 0 ? 0 : share > 1 ? 1 : share;
			const double upper = largest_gap(&around, v3_add(around.w[i], v3_scale(way, kept)));
			c->upper = upper < c->upper ? upper : c->upper;
		}
	}
}

static void push(search *s, cell c)
{
	size_t at = s->count++;
	for (; at > 0 && s->heap[(at - 1) / 2].upper < c.upper; at = (at - 1) / 2)
		s->heap[at] = s->heap[(at - 1) / 2];
	s->heap[at] = c;
}

static cell pop(search *s)
{
	const cell top = s->heap[0], last = s->heap[--s->count];
	size_t at = 0;
	for (size_t child = 1; child < s->count; child = 2 * at + 1) {
		child += child + 1 < s->count && s->heap[child + 1].upper > s->heap[child].upper;
		if (s->heap[child].upper <= last.upper)
			break;
		s->heap[at] = s->heap[child];
		at = child;
	}
	s->heap[at] = last;
	return top;
}

bool smooth_oracle_solve(const wp_shape *a, const wp_pose *pose_a, const wp_shape *b, const wp_pose *pose_b,
	double tolerance, double *lower, double *upper)
{
	search s = {.solids = {{a, m3_of_quaternion(pose_a->rotation), v3_of(0, 0, 0)},
					{b, m3_of_quaternion(pose_b->rotation),
						v3_sub(v3_of_floats(pose_b->position), v3_of_floats(pose_a->position))}},
		.lower = -INFINITY,
		.heap = malloc((SMOOTH_ORACLE_CELL_MAX + 8) * sizeof(cell))};
	if (s.heap == NULL)
		return false;
	for (int side = 0; side < 6; side++) {
		cell c = {.half = 1, .side = side};
		bound(&s, &c);
		push(&s, c);
	}
	*upper = INFINITY;
	for (size_t cells = 0; cells < SMOOTH_ORACLE_CELL_MAX / 3 && s.count > 0; cells++) {
		const cell top = pop(&s);
		*upper = top.upper > s.lower ? top.upper : s.lower;
		if (*upper - s.lower <= tolerance)
			break;
		for (int k = 0; k < 4; k++) {
			const double half = top.half / 2;
			cell c = {.u = top.u + (k & 1 ? half : -half),
				.v = top.v + (k & 2 ? half : -half),
				.half = half,
				.side = top.side};
			bound(&s, &c);
			c.upper = c.upper < top.upper ? c.upper : top.upper;
			push(&s, c);
		}
	}
	free(s.heap);
	const double radii = (double)a->radius + (double)b->radius;
	*lower = s.lower - radii;
	*upper -= radii;
	return *upper - *lower <= tolerance;
}
