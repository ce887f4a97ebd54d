#include "pairs_2d.h"
#include "support/gen_random.h"
#include "support/vector_2d.h"

#include <math.h>
#include <stdbool.h>

#define SEED 20240601u

/* One of the alternatives of a regime. */
#define TILT_MIN 1e-4
#define TILT_MAX 0.03

static const char *const kind_names[KIND_COUNT_2D] = {"circle", "capsule", "polygon8", "polygon64"};
static const char *const regime_names[REGIME_COUNT_2D] = {"separated", "near", "shallow", "deep"};

const char *kind_2d_name(kind_2d kind) { return kind_names[kind]; }

const char *regime_2d_name(regime_2d regime) { return regime_names[regime]; }

static v2 turned_back(v2 turn, v2 v) { return (v2){turn.x * v.x + turn.y * v.y, turn.x * v.y - turn.y * v.x}; }

static v2 any_direction(gen_random *random)
{
	const v3 any = gen_direction(random);
	return v2_unit((v2){any.x, any.y});
}

/* ---- shapes --------------------------------------------------------------------------------------- */

/* On an ellipse, no two of them nearer than two fifths of an even share. */
static void make_polygon(gen_random *random, uint32_t count, float (*vertices)[2], wp2d_shape *shape)
{
	const double width = gen_range(random, 0.4, 1.0), height = gen_range(random, 0.4, 1.0);
	for (uint32_t index = 0; index < count; index++) {
		const v2 on = v2_on_circle((index + gen_range(random, 0.2, 0.8)) / count);
		vertices[index][0] = gen_rounded(width * on.x);
		vertices[index][1] = gen_rounded(height * on.y);
	}
	*shape = wp2d_shape_polygon(vertices[0], count);
}

static void make_shape(gen_random *random, kind_2d kind, float (*vertices)[2], wp2d_shape *shape)
{
	const float radius = gen_rounded(gen_range(random, 0.2, 0.6)), half = gen_rounded(gen_range(random, 0.2, 0.8));
	if (kind == CIRCLE_2D)
		*shape = wp2d_shape_circle(radius);
	else if (kind == CAPSULE_2D)
		*shape = wp2d_shape_capsule(radius, half);
	else
		make_polygon(random, kind == POLYGON8_2D ? 8 : WP2D_POLYGON_VERTEX_MAX, vertices, shape);
}

static double bound_of(const wp2d_shape *shape)
{
	double bound = shape->kind == WP2D_SHAPE_CAPSULE ? (double)shape->half_height : 0.0;
	for (uint32_t index = 0; index < shape->vertex_count; index++) {
		const double x = shape->vertices[2 * index], y = shape->vertices[2 * index + 1];
		bound = fmax(bound, sqrt(x * x + y * y));
	}
	return bound + (double)shape->radius;
}

/* ---- places --------------------------------------------------------------------------------------- */

/* A place on the surface and the normal there, in the shape's own frame. */
typedef struct spot {
	v2 at, normal;
} spot;

/* In the middle three fifths of an edge; of a circle anywhere. */
static spot spot_on_edge(gen_random *random, const wp2d_shape *shape)
{
	const double share = gen_range(random, 0.2, 0.8), radius = shape->radius;
	if (shape->kind == WP2D_SHAPE_CIRCLE) {
		const v2 normal = any_direction(random);
		return (spot){{radius * normal.x, radius * normal.y}, normal};
	}
	if (shape->kind == WP2D_SHAPE_CAPSULE) {
		const double side = gen_below(random, 2) ? 1.0 : -1.0, half = shape->half_height;
		return (spot){{side * radius, half * (2.0 * share - 1.0)}, {side, 0.0}};
	}
	const uint32_t index = gen_below(random, shape->vertex_count);
	const float *p = shape->vertices + (size_t)2 * index,
				*q = shape->vertices + (size_t)2 * ((index + 1) % shape->vertex_count);
	const double x = (double)q[0] - (double)p[0], y = (double)q[1] - (double)p[1];
	return (spot){{(double)p[0] + share * x, (double)p[1] + share * y}, v2_unit((v2){y, -x})};
}

/* Where a shape goes furthest along a direction. */
static spot spot_along(const wp2d_shape *shape, v2 normal)
{
	v2 most = {0.0, 0.0};
	double along = -INFINITY;
	if (shape->kind == WP2D_SHAPE_CAPSULE)
		most.y = normal.y < 0.0 ? -(double)shape->half_height : (double)shape->half_height;
	for (uint32_t index = 0; index < shape->vertex_count; index++) {
		const v2 v = {shape->vertices[2 * index], shape->vertices[2 * index + 1]};
		if (v2_dot(v, normal) > along) {
			along = v2_dot(v, normal);
			most = v;
		}
	}
	return (spot){{most.x + (double)shape->radius * normal.x, most.y + (double)shape->radius * normal.y}, normal};
}

static double gap_of(gen_random *random, regime_2d regime)
{
	switch (regime) {
	case SEPARATED_2D:
		return gen_range(random, 0.05, 1.0);
	case NEAR_2D:
		return gen_range(random, -0.02, 0.02);
	case SHALLOW_2D:
		return gen_range(random, -0.05, 0.0);
	default:
		return gen_range(random, -0.6, -0.05);
	}
}

static void place(gen_random *random, regime_2d regime, const wp2d_shape *a, const wp2d_shape *b, wp2d_pose poses[2])
{
	const double gap = 2.0 * fmin(bound_of(a), bound_of(b)) * gap_of(random, regime);
	const v2 turn_a = any_direction(random);
	v2 turn_b = any_direction(random);
	const spot on_a = spot_on_edge(random, a);
	const v2 at_a = v2_turned(turn_a, on_a.at), n = v2_turned(turn_a, on_a.normal), back = {-n.x, -n.y};
	spot on_b = spot_along(b, turned_back(turn_b, back));
	if ((regime == NEAR_2D || regime == SHALLOW_2D) && gen_below(random, 2)) {
		const double angle = gen_magnitude(random, TILT_MIN, TILT_MAX), tilt = gen_below(random, 2) ? angle : -angle;
		on_b = spot_on_edge(random, b);
		turn_b = v2_turned(v2_unit((v2){1.0, tilt}), turned_back(on_b.normal, back));
	}
	const v2 at_b = v2_turned(turn_b, on_b.at);
	const double x = gen_range(random, -10.0, 10.0), y = gen_range(random, -10.0, 10.0);
	const v2 offset = {at_a.x + gap * n.x - at_b.x, at_a.y + gap * n.y - at_b.y};
	poses[0] = (wp2d_pose){{gen_rounded(x), gen_rounded(y)}, {gen_rounded(turn_a.x), gen_rounded(turn_a.y)}};
	poses[1] = (wp2d_pose){
		{gen_rounded(x + offset.x), gen_rounded(y + offset.y)}, {gen_rounded(turn_b.x), gen_rounded(turn_b.y)}};
}

void pairs_2d_make(kind_2d kind, regime_2d regime, pairs_2d *pairs)
{
	gen_random random;
	gen_seed(&random, SEED + REGIME_COUNT_2D * (unsigned)kind + (unsigned)regime);
	for (uint32_t index = 0; index < SHAPES_2D; index++)
		make_shape(&random, kind, pairs->vertices[index], &pairs->shapes[index]);
	for (uint32_t row = 0; row < PAIRS_2D; row++) {
		uint32_t *of = &pairs->shape_of[2 * row];
		of[0] = gen_below(&random, SHAPES_2D);
		of[1] = gen_below(&random, SHAPES_2D);
		place(&random, regime, &pairs->shapes[of[0]], &pairs->shapes[of[1]], &pairs->poses[2 * row]);
	}
}
