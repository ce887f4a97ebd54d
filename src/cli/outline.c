#include "outline.h"
#include "runner.h"

#include <math.h>
#include <stdlib.h>

/* Pixels around a frame that are kept, so that no line along the cut is seen. */
#define MARGIN 8.0

/* How far a chord may be off the arc that it stands for, pixels. */
#define CHORD_ERROR 0.05

/* An arc is halved as often at most: its chords are then far below a pixel at any scale that doubles can
 * tell. */
#define ARC_DEPTH_MAX 60

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
static void cross_side(
    double from_inside, double to_inside, const double from[2], const double to[2], double at[2])
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

static int by_place(const void *left, const void *right)
{
	const double *a = left, *b = right;
	if (a[0] != b[0])
		return a[0] < b[0] ? -1 : 1;
	return (a[1] > b[1]) - (a[1] < b[1]);
}

static double turn_of(const double a[2], const double b[2], const double c[2])
{
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* The convex hull of points on the page, in the sense in which turn_of is positive (Andrew 1979). The points
 * are sorted on the way. */
static outline convex_hull(double (*points)[2], size_t count)
{
	outline hull = {0};
	qsort(points, count, sizeof *points, by_place);
	for (int half = 0; half < 2; half++) {
		const size_t start = hull.count;
		for (size_t step = 0; step < count; step++) {
			const double *next = points[half == 0 ? step : count - 1 - step];
			while (hull.count >= start + 2 &&
			       turn_of(hull.points[hull.count - 2], hull.points[hull.count - 1], next) <= 0.0)
				hull.count--;
			push(&hull, next[0], next[1]);
		}
		/* The last of this half is the first of the other. */
		hull.count--;
	}
	if (hull.count == 0 || (hull.count == 2 && by_place(hull.points[0], hull.points[1]) == 0)) {
		hull.count = 0;
		push(&hull, points[0][0], points[0][1]);
	}
	return hull;
}

/* Chords of an arc about `centre`, from just behind direction `from` to direction `to`, at most half a turn
 * further. An arc of which the frame sees nothing is one chord. */
static void push_arc(const view *seen, outline *made, const double centre[2], double radius,
    const double from[2], const double to[2], int depth)
{
	const double apart = (to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]);
	const double end[2] = {centre[0] + radius * to[0], centre[1] + radius * to[1]};
	bool whole = radius * apart <= 8.0 * CHORD_ERROR || depth == ARC_DEPTH_MAX;
	double middle[2] = {-from[1], from[0]};
	const double sum[2] = {from[0] + to[0], from[1] + to[1]},
	             length = sqrt(sum[0] * sum[0] + sum[1] * sum[1]);
	if (length > 0.1) {
		/* The arc lies in the triangle of its ends and the point where the tangents there meet. */
		const double reach = 2.0 * radius / (length * length);
		const double tip[2] = {centre[0] + reach * sum[0], centre[1] + reach * sum[1]};
		const double start[2] = {centre[0] + radius * from[0], centre[1] + radius * from[1]};
		for (int side = 0; side < 4; side++)
			whole = whole || (inside(seen, side, start) < 0.0 && inside(seen, side, end) < 0.0 &&
			                     inside(seen, side, tip) < 0.0);
		middle[0] = sum[0] / length;
		middle[1] = sum[1] / length;
	}
	if (whole) {
		push(made, end[0], end[1]);
		return;
	}
	push_arc(seen, made, centre, radius, from, middle, depth + 1);
	push_arc(seen, made, centre, radius, middle, to, depth + 1);
}

/* Direction outwards of the side of a polygon that starts at `index`. */
static void outwards(const outline *polygon, size_t index, double direction[2])
{
	const double *from = polygon->points[index], *to = polygon->points[(index + 1) % polygon->count];
	const double x = to[1] - from[1], y = from[0] - to[0], length = sqrt(x * x + y * y);
	direction[0] = x / length;
	direction[1] = y / length;
}

static outline rounded(const view *seen, const outline *core, double radius)
{
	static const double quarters[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
	outline made = {0};
	for (int quarter = 0; core->count == 1 && quarter < 4; quarter++)
		push_arc(seen, &made, core->points[0], radius, quarters[quarter], quarters[quarter + 1], 0);
	for (size_t index = 0; core->count > 1 && index < core->count; index++) {
		double before[2], after[2];
		const double *corner = core->points[index];
		outwards(core, (index + core->count - 1) % core->count, before);
		outwards(core, index, after);
		push(&made, corner[0] + radius * before[0], corner[1] + radius * before[1]);
		push_arc(seen, &made, corner, radius, before, after, 0);
	}
	return made;
}

outline outline_make(const view *seen, const solid *body)
{
	double(*const flat)[2] = allocate(body->point_count, sizeof *flat);
	for (size_t point = 0; point < body->point_count; point++)
		view_project(seen, body->points[point], flat[point]);
	outline made = convex_hull(flat, body->point_count);
	free(flat);
	if (body->radius > 0.0) {
		outline core = made;
		made = rounded(seen, &core, body->radius * seen->scale);
		outline_free(&core);
	}
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
