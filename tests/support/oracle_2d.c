#include "oracle_2d.h"

#include <math.h>
#include <stdlib.h>

#define DIFFERENCE_MAX (ORACLE_2D_VERTEX_MAX * ORACLE_2D_VERTEX_MAX)

static int in_order(const void *left, const void *right)
{
	const v2 *const p = left, *const q = right;
	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return p->y < q->y ? -1 : p->y > q->y;
}

/* One chain below, one above. */
size_t oracle_2d_hull(v2 *points, size_t count)
{
	static _Thread_local v2 chain[2 * DIFFERENCE_MAX + 1];
	qsort(points, count, sizeof *points, in_order);
	size_t made = 0;
	for (size_t i = 0; i < count; i++) {
		while (made >= 2 && v2_cross(v2_sub(chain[made - 1], chain[made - 2]), v2_sub(points[i], chain[made - 1])) <= 0)
			made--;
		chain[made++] = points[i];
	}
	const size_t below = made + 1;
	for (size_t i = count - 1; i-- > 0;) {
		while (made >= below &&
			   v2_cross(v2_sub(chain[made - 1], chain[made - 2]), v2_sub(points[i], chain[made - 1])) <= 0)
			made--;
		chain[made++] = points[i];
	}
	made = made > 1 ? made - 1 : made;
	for (size_t i = 0; i < made; i++)
		points[i] = chain[i];
	return made;
}

/* Distance of the origin from a segment, and the way there. */
static double segment_distance(v2 p, v2 q, v2 *way)
{
	const v2 e = v2_sub(q, p), end = v2_dot(p, p) < v2_dot(q, q) ? p : q;
	const double length2 = v2_dot(e, e), along = -v2_dot(p, e), to_end = sqrt(v2_dot(end, end));
	*way = end;
	if (!(along > 0 && along < length2))
		return to_end;
	const double area = v2_cross(end, e), distance = fabs(area) / sqrt(length2);
	if (!(distance < to_end))
		return to_end;
	*way = area > 0 ? (v2){e.y, -e.x} : (v2){-e.y, e.x};
	return distance;
}

/* Whether the origin is in the box around points. */
static int is_in_box(const v2 *points, size_t count)
{
	v2 low = points[0], high = points[0];
	for (size_t i = 1; i < count; i++) {
		low = (v2){fmin(low.x, points[i].x), fmin(low.y, points[i].y)};
		high = (v2){fmax(high.x, points[i].x), fmax(high.y, points[i].y)};
	}
	return low.x <= 0 && low.y <= 0 && high.x >= 0 && high.y >= 0;
}

/* Signed distance of the origin from the hull of points, which are sorted on the way; and the way to the
 * nearest of them, of any length. */
static double signed_distance(v2 *points, size_t count, v2 *way)
{
	const size_t size = oracle_2d_hull(points, count);
	double nearest = INFINITY;
	/* A ring without area has a line's worth of points on no side of its edges, most of them beyond its ends. */
	int inside = size > 2 && is_in_box(points, size);
	for (size_t i = 0; i < size; i++) {
		const v2 p = points[i], q = points[(i + 1) % size];
		v2 there;
		const double distance = segment_distance(p, q, &there);
		*way = distance < nearest ? there : *way;
		nearest = fmin(nearest, distance);
		inside &= v2_cross(v2_sub(q, p), p) <= 0;
	}
	return inside ? -nearest : nearest;
}

oracle_2d_shape oracle_2d_of_shape(const wp2d_shape *s)
{
	const double half = (double)s->half_height;
	oracle_2d_shape made = {.points = {{0, 0}}, .count = 1, .radius = (double)s->radius};
	if (s->kind == WP2D_SHAPE_CIRCLE)
		return made;
	made.count = s->kind == WP2D_SHAPE_POLYGON ? s->vertex_count : 2;
	for (size_t i = 0; i < made.count; i++) {
		const float *const v = s->kind == WP2D_SHAPE_POLYGON ? s->vertices + 2 * i : s->points[i];
		made.points[i] = s->kind == WP2D_SHAPE_CAPSULE ? (v2){0, i == 0 ? -half : half}
		                                               : (v2){(double)v[0], (double)v[1]};
	}
	return made;
}

void oracle_2d_move(oracle_2d_shape *shape, const double rotation[2], const double position[2])
{
	const double length = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1]);
	const v2 r = {rotation[0] / length, rotation[1] / length};
	for (size_t i = 0; i < shape->count; i++) {
		const v2 p = v2_turned(r, shape->points[i]);
		shape->points[i] = (v2){p.x + position[0], p.y + position[1]};
	}
}

double oracle_2d_nearest(const oracle_2d_shape *a, const oracle_2d_shape *b, double normal[2])
{
	static _Thread_local v2 difference[DIFFERENCE_MAX];
	size_t count = 0;
	v2 way = {0, 0};
	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < b->count; k++)
			difference[count++] = v2_sub(a->points[i], b->points[k]);
	const double distance = signed_distance(difference, count, &way), length = sqrt(v2_dot(way, way));
	if (distance > 0 && length > 0) {
		normal[0] = -way.x / length;
		normal[1] = -way.y / length;
	}
	return distance - a->radius - b->radius;
}

double oracle_2d_separation(const oracle_2d_shape *a, const oracle_2d_shape *b)
{
	double unused[2];
	return oracle_2d_nearest(a, b, unused);
}

double oracle_2d_gap(const oracle_2d_shape *a, const oracle_2d_shape *b, const double normal[2])
{
	const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
	const v2 n = {normal[0] / length, normal[1] / length};
	double end = -INFINITY, start = INFINITY;
	for (size_t i = 0; i < a->count; i++)
		end = fmax(end, v2_dot(a->points[i], n));
	for (size_t i = 0; i < b->count; i++)
		start = fmin(start, v2_dot(b->points[i], n));
	return start - end - a->radius - b->radius;
}

double oracle_2d_outside(const oracle_2d_shape *shape, const double at[2])
{
	v2 points[ORACLE_2D_VERTEX_MAX];
	for (size_t i = 0; i < shape->count; i++)
		points[i] = v2_sub(shape->points[i], (v2){at[0], at[1]});
	v2 way;
	return signed_distance(points, shape->count, &way) - shape->radius;
}

double oracle_2d_bound(const oracle_2d_shape *shape)
{
	double bound = 0;
	for (size_t i = 0; i < shape->count; i++)
		bound = fmax(bound, sqrt(v2_dot(shape->points[i], shape->points[i])));
	return bound + shape->radius;
}
