#include "outline.h"
#include "runner.h"

#include <math.h>
#include <stdlib.h>

/* Pixels around a frame that are kept, so that no line along the cut is seen. */
#define MARGIN 8.0

/* How far a chord may be off the arc that it stands for, pixels. */
#define CHORD_ERROR 0.05

/* An outline between two of its points is halved as often at most: each time an arc is a quarter as far from
 * its chords. */
#define DEPTH_MAX 60

/* How far places may be off by rounding, of the largest of them. */
#define ROUNDING 1e-14

void view_back(const view *seen, double back[3])
{
	const double *r = seen->right, *u = seen->up;
	back[0] = r[1] * u[2] - r[2] * u[1];
	back[1] = r[2] * u[0] - r[0] * u[2];
	back[2] = r[0] * u[1] - r[1] * u[0];
}

void view_project(const view *seen, const double point[3], double at[2])
{
	double right = 0.0, up = 0.0;
	for (int axis = 0; axis < 3; axis++) {
		right += (point[axis] - seen->centre[axis]) * seen->right[axis];
		up += (point[axis] - seen->centre[axis]) * seen->up[axis];
	}
	at[0] = seen->left + 0.5 * seen->size + seen->scale * right;
	at[1] = seen->top + 0.5 * seen->size - seen->scale * up;
}

bool view_holds(const view *seen, const double at[2])
{
	return at[0] >= seen->left && at[0] <= seen->left + seen->size && at[1] >= seen->top &&
	       at[1] <= seen->top + seen->size;
}

/* ---- cutting ---------------------------------------------------------------------------------------- */

/* How far inside side `side` of the frame, margin included, a point is. */
static double inside(const view *seen, int side, const double at[2])
{
	const double low[2] = {seen->left - MARGIN, seen->top - MARGIN};
	const int axis = side % 2;
	return side < 2 ? at[axis] - low[axis] : low[axis] + seen->size + 2.0 * MARGIN - at[axis];
}

/* The point of a line at which it crosses the side. */
static void cross_side(double from_inside, double to_inside, const double from[2], const double to[2], double at[2])
{
	const double share = from_inside / (from_inside - to_inside);
	for (int axis = 0; axis < 2; axis++)
		at[axis] = from[axis] + share * (to[axis] - from[axis]);
}

bool view_clip(const view *seen, double from[2], double to[2])
{
	for (int side = 0; side < 4; side++) {
		const double first = inside(seen, side, from), last = inside(seen, side, to);
		if (first < 0.0 && last < 0.0)
			return false;
		if (first < 0.0)
			cross_side(first, last, from, to, from);
		else if (last < 0.0)
			cross_side(first, last, from, to, to);
	}
	return true;
}

static void push(outline *made, double x, double y)
{
	if (made->count == made->capacity) {
		const size_t capacity = 2 * made->capacity + 16;
		double(*const points)[2] = allocate(capacity, sizeof *points);
		for (size_t point = 0; point < made->count; point++) {
			points[point][0] = made->points[point][0];
			points[point][1] = made->points[point][1];
		}
		free(made->points);
		made->points = points;
		made->capacity = capacity;
	}
	made->points[made->count][0] = x;
	made->points[made->count][1] = y;
	made->count++;
}

/* A convex polygon cut by one side of the frame (Sutherland, Hodgman 1974). */
static outline cut(const view *seen, int side, const outline *whole)
{
	outline left = {0};
	for (size_t index = 0; index < whole->count; index++) {
		const double *from = whole->points[index], *to = whole->points[(index + 1) % whole->count];
		const double first = inside(seen, side, from), last = inside(seen, side, to);
		if (first >= 0.0)
			push(&left, from[0], from[1]);
		if ((first < 0.0) != (last < 0.0)) {
			double at[2];
			cross_side(first, last, from, to, at);
			push(&left, at[0], at[1]);
		}
	}
	return left;
}

/* ---- outlines --------------------------------------------------------------------------------------- */

/* A point of an outline, pixels, and the direction outwards there, unit. */
typedef struct rim {
	double at[2], outwards[2];
} rim;

static rim rim_at(const view *seen, const model *body, double x, double y)
{
	const double length = sqrt(x * x + y * y);
	rim found = {.outwards = {x / length, y / length}};
	double direction[3], point[3];
	for (int axis = 0; axis < 3; axis++)
		direction[axis] = found.outwards[0] * seen->right[axis] - found.outwards[1] * seen->up[axis];
	model_support(body, direction, point);
	view_project(seen, point, found.at);
	for (int axis = 0; axis < 2; axis++)
		found.at[axis] += seen->scale * body->radius * found.outwards[axis];
	return found;
}

/* How far a point is beyond the line through `from` with the direction `outwards`. */
static double beyond(const double outwards[2], const double from[2], const double at[2])
{
	return (at[0] - from[0]) * outwards[0] + (at[1] - from[1]) * outwards[1];
}

/* Whether the frame sees nothing of an outline between two of its points: it lies in the triangle of them and
 * the point where the lines across their directions meet. */
static bool is_outside(const view *seen, const rim *from, const rim *to)
{
	const double *n = from->outwards, *m = to->outwards, sine = n[0] * m[1] - n[1] * m[0];
	if (sine < 1e-6)
		return false;
	const double reach = beyond(m, from->at, to->at) / sine;
	const double tip[2] = {from->at[0] - reach * n[1], from->at[1] + reach * n[0]};
	bool outside = false;
	for (int side = 0; side < 4; side++)
		outside = outside || (inside(seen, side, from->at) < 0.0 && inside(seen, side, to->at) < 0.0 &&
								 inside(seen, side, tip) < 0.0);
	return outside;
}

/* The outline after `from`, up to `to`, at most a quarter turn further: halved where it is furthest from the
 * chord, until it is nowhere further than `error` (the sandwich algorithm by its chord rule: Rote 1992). */
static void push_between(
	const view *seen, const model *body, outline *made, const rim *from, const rim *to, double error, int depth)
{
	const double x = to->at[0] - from->at[0], y = to->at[1] - from->at[1];
	if ((x != 0.0 || y != 0.0) && depth < DEPTH_MAX && !is_outside(seen, from, to)) {
		const rim furthest = rim_at(seen, body, y, -x);
		if (beyond(furthest.outwards, from->at, furthest.at) > error) {
			push_between(seen, body, made, from, &furthest, error, depth + 1);
			push_between(seen, body, made, &furthest, to, error, depth + 1);
			return;
		}
	}
	const double *last = made->count > 0 ? made->points[made->count - 1] : NULL;
	if (!last || last[0] != to->at[0] || last[1] != to->at[1])
		push(made, to->at[0], to->at[1]);
}

outline outline_make(const view *seen, const model *body)
{
	static const double quarters[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
	outline made = {0};
	rim rims[5];
	double size = 0.0;
	for (int quarter = 0; quarter < 5; quarter++) {
		rims[quarter] = rim_at(seen, body, quarters[quarter][0], quarters[quarter][1]);
		size = fmax(size, fmax(fabs(rims[quarter].at[0]), fabs(rims[quarter].at[1])));
	}
	for (int axis = 0; axis < 3; axis++)
		size = fmax(size, seen->scale * fabs(seen->centre[axis]));
	for (int quarter = 0; quarter < 4; quarter++)
		push_between(seen, body, &made, &rims[quarter], &rims[quarter + 1], CHORD_ERROR + ROUNDING * size, 0);
	if (made.count > 1 && made.points[0][0] == rims[0].at[0] && made.points[0][1] == rims[0].at[1])
		made.count--;
	for (int side = 0; side < 4; side++) {
		outline whole = made;
		made = cut(seen, side, &whole);
		outline_free(&whole);
	}
	return made;
}

void outline_free(outline *made)
{
	free(made->points);
	*made = (outline){0};
}
