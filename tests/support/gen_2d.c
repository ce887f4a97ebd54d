#include "support/gen_2d.h"
#include "support/gen_random.h"
#include "support/vector_2d.h"

#include <stdbool.h>
#include <string.h>

/* ---- shapes ------------------------------------------------------------------------------------- */

static const uint32_t counts[] = {1, 2, 3, 3, 4, 4, 5, 6, 8, 8, 12, 16, 33, 64};

static void ellipse(gen_random *random, uint32_t count, v2 *points)
{
	const double flat = gen_below(random, 3) == 0 ? gen_magnitude(random, 1e-7, 1) : gen_range(random, 0.3, 1);
	const bool even = gen_below(random, 3) == 0;
	double share[WP2D_POLYGON_VERTEX_MAX];
	for (uint32_t i = 0; i < count; i++) {
		const double next = even ? (double)i / count : gen_range(random, 0, 1);
		uint32_t at = i;
		for (; at > 0 && share[at - 1] > next; at--)
			share[at] = share[at - 1];
		share[at] = next;
	}
	for (uint32_t i = 0; i < count; i++) {
		points[i] = v2_on_circle(share[i]);
		points[i].y *= flat;
	}
}

static uint32_t box(gen_random *random, bool grid, v2 *points)
{
	const double x = grid ? 1 + gen_below(random, 3) : gen_range(random, 0.1, 1);
	const double y = grid                 ? 1 + gen_below(random, 3)
	               : gen_below(random, 4) ? gen_range(random, 0.1, 1)
	                                      : gen_magnitude(random, 1e-6, 1);
	const v2 corners[4] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
	memcpy(points, corners, sizeof corners);
	return 4;
}

/* Vertices twice, or in the middle of edges: neither is a corner. */
static uint32_t with_idle_vertices(gen_random *random, uint32_t count, v2 *points)
{
	uint32_t made = 0;
	v2 from[WP2D_POLYGON_VERTEX_MAX];
	memcpy(from, points, sizeof from);
	for (uint32_t i = 0; i < count && made + 2 <= WP2D_POLYGON_VERTEX_MAX; i++) {
		const v2 p = from[i], q = from[(i + 1) % count];
		points[made++] = p;
		if (gen_below(random, 2))
			points[made++] = gen_below(random, 2) ? p : (v2){(p.x + q.x) / 2, (p.y + q.y) / 2};
	}
	return made;
}

static void make_polygon(gen_random *random, bool grid, double size, float to[][2], wp2d_shape *shape)
{
	v2 points[WP2D_POLYGON_VERTEX_MAX] = {{0, 0}}, centre = {0, 0};
	uint32_t count = counts[gen_below(random, sizeof counts / sizeof counts[0])];
	if (grid || gen_below(random, 3) == 0)
		count = box(random, grid, points);
	else
		ellipse(random, count, points);
	if (grid && gen_below(random, 3) == 0)
		count = 3;
	if (gen_below(random, 4) == 0 && count <= WP2D_POLYGON_VERTEX_MAX / 2)
		count = with_idle_vertices(random, count, points);
	if (gen_below(random, 4) == 0 && !grid)
		centre = (v2){gen_range(random, -5, 5), gen_range(random, -5, 5)};
	for (uint32_t i = 0; i < count; i++) {
		to[i][0] = gen_rounded(size * (centre.x + points[i].x));
		to[i][1] = gen_rounded(size * (centre.y + points[i].y));
	}
	*shape = wp2d_shape_polygon(to[0], count);
}

static bool is_before(v2 p, v2 q) { return p.x < q.x || (p.x == q.x && p.y < q.y); }

/* One side of the convex hull of points in order, forwards or back (Andrew 1979). Returns how many corners there are then. */
static uint32_t add_chain(const v2 *points, uint32_t count, bool back, v2 *corners, uint32_t made)
{
	const uint32_t first = made;
	for (uint32_t i = 0; i < count; i++) {
		const v2 p = points[back ? count - 1 - i : i];
		while (made >= first + 2) {
			const v2 q = corners[made - 1], r = corners[made - 2];
			if ((q.x - r.x) * (p.y - r.y) - (q.y - r.y) * (p.x - r.x) > 0)
				break;
			made--;
		}
		corners[made++] = p;
	}
	return made - 1;
}

/* Corners about 1 large, and one to three up to 1e6 times as far away, a third of them with another beside them. */
static void make_far_polygon(gen_random *random, double size, float to[][2], wp2d_shape *shape)
{
	v2 points[WP2D_POLYGON_VERTEX_MAX], corners[2 * WP2D_POLYGON_VERTEX_MAX];
	uint32_t count = 2 + gen_below(random, 6);
	for (uint32_t i = 0; i < count; i++)
		points[i] = v2_on_circle(gen_range(random, 0, 1));
	const double ratio = gen_magnitude(random, 1e1, 1e6);
	for (uint32_t far = 1 + gen_below(random, 3); far > 0; far--) {
		const v2 way = v2_on_circle(gen_range(random, 0, 1)), aside = v2_on_circle(gen_range(random, 0, 1));
		points[count++] = (v2){ratio * way.x, ratio * way.y};
		if (gen_below(random, 3) == 0)
			points[count++] = (v2){ratio * way.x + aside.x, ratio * way.y + aside.y};
	}
	for (uint32_t i = 1; i < count; i++) {
		const v2 p = points[i];
		uint32_t at = i;
		for (; at > 0 && is_before(p, points[at - 1]); at--)
			points[at] = points[at - 1];
		points[at] = p;
	}
	uint32_t made = add_chain(points, count, false, corners, 0);
	made = add_chain(points, count, true, corners, made);
	for (uint32_t i = 0; i < made; i++) {
		to[i][0] = gen_rounded(size * corners[i].x);
		to[i][1] = gen_rounded(size * corners[i].y);
	}
	*shape = wp2d_shape_polygon(to[0], made);
	if (gen_below(random, 4) == 0)
		shape->radius = gen_rounded(size * gen_magnitude(random, 1e-3, 1));
}

static void make_shape(gen_random *random, bool grid, double size, float vertices[][2], wp2d_shape *shape)
{
	const float half = grid ? (float)(1 + gen_below(random, 3)) : gen_rounded(size * gen_range(random, 0, 1));
	const float ends[2][2] = {{-half, gen_rounded(grid ? 0 : size * gen_range(random, -1, 1))}, {half, 0.0f}};
	switch (gen_below(random, 8)) {
	case 0:
		*shape = wp2d_shape_circle(0.0f);
		break;
	case 1:
		*shape = wp2d_shape_capsule(0.0f, half);
		break;
	case 2:
		*shape = wp2d_shape_segment(ends[0], ends[1]);
		break;
	default:
		make_polygon(random, grid, size, vertices, shape);
		break;
	}
	const bool is_round = shape->kind <= WP2D_SHAPE_CAPSULE ? gen_below(random, 4) != 0 : gen_below(random, 3) == 0;
	if (is_round)
		shape->radius = grid ? 0.5f * (float)(1 + gen_below(random, 4))
		                     : gen_rounded(size * gen_magnitude(random, 1e-3, 3));
}

/* ---- poses -------------------------------------------------------------------------------------- */

/* The points of a shape's core, in its own frame. */
static uint32_t core_of(const wp2d_shape *s, v2 points[WP2D_POLYGON_VERTEX_MAX])
{
	const uint32_t count = s->kind == WP2D_SHAPE_CIRCLE ? 1 : s->kind == WP2D_SHAPE_POLYGON ? s->vertex_count : 2;
	points[0] = (v2){0, 0};
	for (uint32_t i = 0; i < count; i++) {
		if (s->kind == WP2D_SHAPE_CAPSULE)
			points[i] = (v2){0, i == 0 ? -(double)s->half_height : (double)s->half_height};
		if (s->kind == WP2D_SHAPE_SEGMENT)
			points[i] = (v2){(double)s->points[i][0], (double)s->points[i][1]};
		if (s->kind == WP2D_SHAPE_POLYGON)
			points[i] = (v2){(double)s->vertices[2 * i], (double)s->vertices[2 * i + 1]};
	}
	return count;
}

static v2 edge_normal(gen_random *random, const wp2d_shape *s)
{
	v2 points[WP2D_POLYGON_VERTEX_MAX];
	const uint32_t count = core_of(s, points), i = gen_below(random, count);
	const v2 p = points[i], q = points[(i + 1) % count];
	return v2_unit((v2){q.y - p.y, p.x - q.x});
}

static double reach(const wp2d_shape *s, v2 turn, v2 n)
{
	v2 points[WP2D_POLYGON_VERTEX_MAX];
	const uint32_t count = core_of(s, points);
	double most = v2_dot(v2_turned(turn, points[0]), n);
	for (uint32_t i = 1; i < count; i++) {
		const double along = v2_dot(v2_turned(turn, points[i]), n);
		most = along > most ? along : most;
	}
	return most + (double)s->radius;
}

static v2 any_turn(gen_random *random)
{
	return gen_below(random, 3) == 0 ? v2_on_circle(gen_below(random, 4) / 4.0) : v2_on_circle(gen_range(random, 0, 1));
}

/* None, or of some order of magnitude, either way. */
static double little(gen_random *random, double low, double high)
{
	const double size = gen_below(random, 3) == 0 ? 0 : gen_magnitude(random, low, high);
	return gen_below(random, 2) ? size : -size;
}

static void set_pose(wp2d_pose *pose, v2 position, v2 turn)
{
	*pose = (wp2d_pose){{gen_rounded(position.x), gen_rounded(position.y)}, {gen_rounded(turn.x), gen_rounded(turn.y)}};
}

/* Put B so that its gap to A along n is a small one, somewhere across it. */
static v2 beside(gen_random *random, const wp2d_shape shape[2], v2 turn_a, v2 turn_b, v2 n, double size)
{
	const v2 opposite = {-n.x, -n.y};
	const double gap = size * little(random, 1e-9, 1), aside = size * gen_range(random, -1, 1);
	const double along = reach(&shape[0], turn_a, n) + reach(&shape[1], turn_b, opposite) + gap;
	return (v2){along * n.x - aside * n.y, along * n.y + aside * n.x};
}

/* The farthest point of a shape along n, from its position. */
static v2 tip(const wp2d_shape *s, v2 turn, v2 n)
{
	v2 points[WP2D_POLYGON_VERTEX_MAX];
	const uint32_t count = core_of(s, points);
	v2 best = v2_turned(turn, points[0]);
	for (uint32_t i = 1; i < count; i++) {
		const v2 p = v2_turned(turn, points[i]);
		best = v2_dot(p, n) > v2_dot(best, n) ? p : best;
	}
	return (v2){best.x + (double)s->radius * n.x, best.y + (double)s->radius * n.y};
}

/* Put B so that the farthest points of both along n and against it meet, or nearly. */
static v2 tip_to_tip(gen_random *random, const wp2d_shape shape[2], v2 turn_a, v2 turn_b, v2 n, double size)
{
	const v2 opposite = {-n.x, -n.y}, from = tip(&shape[0], turn_a, n), to = tip(&shape[1], turn_b, opposite);
	const double gap = size * little(random, 1e-9, 1),
				 aside = gen_below(random, 2) ? 0 : size * gen_range(random, -1, 1);
	return (v2){from.x - to.x + gap * n.x - aside * n.y, from.y - to.y + gap * n.y + aside * n.x};
}

static void place(gen_random *random, gen_2d_pair *p, double size)
{
	v2 turn_a = any_turn(random), turn_b = any_turn(random), n = v2_on_circle(gen_range(random, 0, 1));
	v2 at = {size * gen_range(random, -4, 4), size * gen_range(random, -4, 4)}, origin = {0, 0};
	switch (p->scenario) {
	case GEN_2D_EDGE_ON_EDGE: {
		const v2 m = edge_normal(random, &p->shape[1]), back = {-m.x, m.y};
		const v2 tilt = v2_unit((v2){1, little(random, 1e-8, 1e-3)});
		n = v2_turned(turn_a, edge_normal(random, &p->shape[0]));
		turn_b = v2_turned(tilt, v2_turned(n, back));
		at = beside(random, p->shape, turn_a, turn_b, n, size);
		break;
	}
	case GEN_2D_ALONG_NORMAL:
		n = v2_turned(turn_a, edge_normal(random, &p->shape[0]));
		at = beside(random, p->shape, turn_a, turn_b, n, size);
		break;
	case GEN_2D_IDENTICAL:
		turn_b = v2_turned(v2_unit((v2){1, little(random, 1e-8, 1e-3)}), turn_a);
		at = (v2){size * little(random, 1e-8, 1e-2), size * little(random, 1e-8, 1e-2)};
		break;
	case GEN_2D_INSIDE:
		at = (v2){size * gen_range(random, -0.3, 0.3), size * gen_range(random, -0.3, 0.3)};
		break;
	case GEN_2D_GRID:
		turn_a = v2_on_circle(0.25 * gen_below(random, 4));
		turn_b = v2_on_circle(0.25 * gen_below(random, 4));
		at = (v2){gen_below(random, 13) - 6.0, gen_below(random, 13) - 6.0};
		break;
	case GEN_2D_FAR_AWAY:
		origin = (v2){size * gen_range(random, -1e4, 1e4), size * gen_range(random, -1e4, 1e4)};
		at = gen_below(random, 2) ? at : (v2){size * gen_range(random, -100, 100), size * gen_range(random, -100, 100)};
		break;
	case GEN_2D_FAR_VERTEX:
		at = tip_to_tip(random, p->shape, turn_a, turn_b, n, size);
		break;
	default:
		break;
	}
	set_pose(&p->pose[0], origin, turn_a);
	set_pose(&p->pose[1], (v2){origin.x + at.x, origin.y + at.y}, turn_b);
}

void gen_2d(uint64_t seed, uint64_t number, gen_2d_pair *p)
{
	gen_random random;
	uint64_t mixed = seed ^ number * 0x9e3779b97f4a7c15u;
	gen_seed(&random, gen_splitmix(&mixed));
	memset(p, 0, sizeof *p);
	p->scenario = (gen_2d_scenario)(number % GEN_2D_SCENARIO_COUNT);
	const bool grid = p->scenario == GEN_2D_GRID, extreme = p->scenario == GEN_2D_EXTREME;
	const double size = grid ? 1 : extreme ? gen_magnitude(&random, 1e-42, 1e28) : gen_magnitude(&random, 1e-3, 1e3);
	const double ratio = grid || gen_below(&random, 3) ? 1 : gen_magnitude(&random, 1e-4, 1);
	make_shape(&random, grid, size, p->vertices[0], &p->shape[0]);
	make_shape(&random, grid, size * ratio, p->vertices[1], &p->shape[1]);
	if (p->scenario == GEN_2D_IDENTICAL) {
		p->shape[1] = p->shape[0];
		memcpy(p->vertices[1], p->vertices[0], sizeof p->vertices[0]);
		p->shape[1].vertices = p->shape[0].vertices == NULL ? NULL : p->vertices[1][0];
	}
	if (p->scenario == GEN_2D_FAR_VERTEX) {
		make_far_polygon(&random, size, p->vertices[0], &p->shape[0]);
		if (gen_below(&random, 2))
			make_far_polygon(&random, size, p->vertices[1], &p->shape[1]);
	}
	place(&random, p, size);
}
