#include "track_planes.h"

#include "support/block.h"
#include "support/gen_random.h"
#include "support/shape_core.h"
#include "track_motion.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pairs of a batch, and poses that each plane meets. */
#define PLANES 256
#define POSES 64
#define REPORTED_MAX 10

/* WP_KEPT_SLACK of src/core/capacity.h: what is taken from a bound, of |x| + |y| + |z| of the way and both sizes, when a plane
 * is kept and again when it is used. */
#define SLACK 1e-5

/* What double may do to the gap found here, of the same lengths. */
#define ROUNDING 1e-13

/* How a pose comes about. */
enum { POSE_TURNED_TOGETHER, POSE_TURNED_APART, POSE_ANY, POSE_COUNT };

typedef struct pose_tally {
	uint64_t poses, kept, broken;
	double then_max, now_max; /* share of the slack that rounding took when planes were kept, and when they were used */
} pose_tally;

typedef struct planes {
	wp_workspace *workspace;
	gen_random random;
	wp_shape shapes[2 * PLANES];
	wp_shape_table *table;
	size_t table_size;
	track_body bodies[2 * PLANES];
	float positions[2 * PLANES][3];
	uint32_t pairs[PLANES][2];
	wp_tracked then[PLANES], now[PLANES];
	wp_persistent_manifold manifolds[PLANES];
	wp_row rows[PLANES];
	double used_then[PLANES]; /* of the slack when a plane was kept */
	uint32_t how[PLANES];
	pose_tally tallies[POSE_COUNT];
	uint64_t reported;
} planes;

/* The plane of a pair as wp_tracked keeps it. */
typedef struct plane {
	float normal_b[3], own, normal_a[3], reach;
} plane;

_Static_assert(sizeof(plane) == sizeof(wp_cache), "a plane is kept in the place of a cache");

static plane plane_of(const wp_tracked *pair)
{
	plane p;
	memcpy(&p, &pair->known, sizeof p);
	return p;
}

/* ---- shapes ------------------------------------------------------------------------------------- */

static wp_shape some_shape(gen_random *random, double size)
{
	const float s = gen_rounded(size), t = gen_rounded(size * gen_magnitude(random, 1e-3, 1));
	switch (gen_below(random, 8)) {
	case 0:
		return wp_shape_sphere(s);
	case 1:
		return wp_shape_capsule(t, s);
	case 2:
		return wp_shape_box(s, t, s);
	case 3:
		return wp_shape_cylinder(s, t);
	case 4:
		return wp_shape_cone(t, s);
	case 5:
		return wp_shape_ellipsoid(s, t, s);
	case 6:
		return wp_shape_point();
	default:
		return wp_shape_capsule(0, s);
	}
}

/* Both shapes of a pair: levers from nothing to a million times each other. */
static void make_shapes(gen_random *random, wp_shape shapes[2])
{
	const double size = gen_magnitude(random, 1e-6, 1e6);
	const uint32_t large = gen_below(random, 2);
	shapes[large] = some_shape(random, size);
	shapes[!large] = some_shape(random, size * gen_magnitude(random, 1e-6, 1));
	if (gen_below(random, 8) == 0)
		shapes[large] = wp_shape_half_space();
}

static double bound_of(const planes *p, uint32_t shape)
{
	const float bound = wp_shape_table_bound(p->table, shape);
	return isinf(bound) ? 0 : (double)bound;
}

/* ---- poses -------------------------------------------------------------------------------------- */

static void take_floats(track_body *body, float position[3])
{
	for (int k = 0; k < 3; k++) {
		position[k] = gen_rounded(body->position[k]);
		body->position[k] = (double)position[k];
	}
}

/* The bodies of a pair, B from A along `way`, A anywhere. */
static void place_pair(planes *p, uint32_t i, v3 way, double far)
{
	const v3 from = v3_scale(gen_direction(&p->random), far), to = v3_add(from, way);
	track_body *const b = &p->bodies[2 * i];
	memcpy(b[0].position, &(double[3]){from.x, from.y, from.z}, sizeof b[0].position);
	memcpy(b[1].position, &(double[3]){to.x, to.y, to.z}, sizeof b[1].position);
	take_floats(&b[0], p->positions[2 * i]);
	take_floats(&b[1], p->positions[2 * i + 1]);
}

static void any_rotation(gen_random *random, float rotation[4])
{
	const double off = gen_below(random, 2) ? 9.9e-3 : 0;
	gen_rotation(random, rotation);
	track_turn(v3_of(1, 0, 0), 0, 1 + gen_range(random, -off, off), rotation);
}

/* A rotation that takes +Y to a unit vector, or across it. */
static void rotation_of_y(v3 to, float rotation[4])
{
	const v3 axis = v3_cross(v3_of(0, 1, 0), to);
	const double w = 1 + to.y, length = sqrt(v3_dot(axis, axis) + w * w);
	const float q[4] = {gen_rounded(axis.x / length), gen_rounded(axis.y / length), gen_rounded(axis.z / length),
		gen_rounded(w / length)};
	memcpy(rotation, q, sizeof q);
}

/* Apart by any gap, along any direction; half of all shapes lie across it, where half-spaces face it. */
static void place_at_first(planes *p, uint32_t i)
{
	gen_random *const random = &p->random;
	const v3 n = gen_direction(random);
	const double size = bound_of(p, 2 * i) + bound_of(p, 2 * i + 1);
	for (uint32_t side = 0; side < 2; side++) {
		float *const rotation = p->bodies[2 * i + side].rotation;
		if (p->shapes[2 * i + side].kind == WP_SHAPE_HALF_SPACE)
			rotation_of_y(v3_scale(n, side == 0 ? 1 : -1), rotation);
		else if (gen_below(random, 2))
			rotation_of_y(v3_across(n), rotation);
		else
			any_rotation(random, rotation);
	}
	place_pair(p, i, v3_scale(n, size * (1 + gen_magnitude(random, 1e-4, 1e3))),
		gen_below(random, 2) ? 0 : size * gen_magnitude(random, 1e-2, 1e3));
}

static double extent_of(v3 way) { return fabs(way.x) + fabs(way.y) + fabs(way.z); }

static v3 way_of(const track_body bodies[2])
{
	const double *const a = bodies[0].position, *const b = bodies[1].position;
	return v3_of(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
}

/* The normals of a plane as both bodies carry it, not made unit. */
static void carry_normals(const plane *kept, const track_body bodies[2], v3 *m, v3 *k)
{
	*m = m3_apply(m3_of_quaternion(bodies[0].rotation), v3_of_floats(kept->normal_a));
	*k = m3_apply(m3_of_quaternion(bodies[1].rotation), v3_of_floats(kept->normal_b));
}

/* Turn both bodies together, and one of them besides: about an axis across the normal and the way to its farthest point, which
 * so comes nearest. */
static void turn_pair(planes *p, uint32_t i, const plane *kept, uint32_t how)
{
	gen_random *const random = &p->random;
	track_body *const bodies = &p->bodies[2 * i];
	const v3 axis = gen_direction(random);
	const double half = track_any_turn(random);
	v3 m, k;
	for (int side = 0; side < 2; side++) {
		const double off = gen_below(random, 2) ? 9.9e-3 : 0;
		if (how == POSE_ANY)
			any_rotation(random, bodies[side].rotation);
		else
			track_turn(axis, half, 1 + gen_range(random, -off, off), bodies[side].rotation);
	}
	if (how != POSE_TURNED_APART)
		return;
	const uint32_t who = gen_below(random, 8) == 0 ? gen_below(random, 2) : p->then[i].lever > 0;
	carry_normals(kept, bodies, &m, &k);
	const v3 end = shape_core_point(&p->shapes[2 * i + who], gen_direction(random));
	const v3 lever = m3_apply(m3_of_quaternion(bodies[who].rotation), end);
	const v3 across = v3_unit(v3_cross(k, v3_unit(lever)));
	track_turn(v3_length(across) > 0.5 ? across : axis,
		gen_magnitude(random, 1e-7, 1) * (gen_below(random, 2) ? 1 : -1), 1, bodies[who].rotation);
}

/* Place a turned pair so that the plane's bound is hardly above zero, and far off across the normal. */
static void place_near_bound(planes *p, uint32_t i, const plane *kept)
{
	gen_random *const random = &p->random;
	const double size = (double)kept->reach, lever = (double)p->then[i].lever;
	v3 m, k;
	carry_normals(kept, &p->bodies[2 * i], &m, &k);
	const v3 n = v3_unit(lever < 0 ? k : m), across = v3_unit(v3_cross(n, gen_direction(random)));
	const double aside = gen_below(random, 2) ? 0 : size * gen_magnitude(random, 1e-3, 1e6);
	const double lean = fabs(lever) * v3_length(v3_sub(m, k)), about = fabs((double)kept->own) + lean;
	const double slack = SLACK * (1.8 * (aside + about) + size), over = slack * gen_magnitude(random, 1e-3, 10);
	const v3 way = v3_add(v3_scale(across, aside), v3_scale(n, lean - (double)kept->own + slack + over));
	place_pair(p, i, way, gen_below(random, 2) ? 0 : (size + aside) * gen_magnitude(random, 1e-2, 10));
}

/* ---- asking ------------------------------------------------------------------------------------- */

static void ask(planes *p)
{
	const wp_batch batch = {.shapes = p->table,
		.a = {.position = {p->positions},
			.rotation = {p->bodies[0].rotation, sizeof *p->bodies},
			.count = 2 * (size_t)PLANES},
		.pair_a = {&p->pairs[0][0], sizeof p->pairs[0]},
		.pair_b = {&p->pairs[0][1], sizeof p->pairs[0]},
		.count = PLANES};
	const wp_track_options options = {.max_separation = 0.0f};
	const wp_tracked_pairs tracked = {.pairs = p->now, .manifolds = p->manifolds, .count = PLANES};
	const wp_results results = wp_results_of_rows(p->rows);
	if (wp_track(p->workspace, &batch, &options, &tracked, &results, NULL, NULL) != WP_OK)
		exit(2);
}

/* How far a shape reaches along a direction of its own frame, from its origin; for a half-space, along its normal. */
static double reach_of(const wp_shape *shape, v3 direction)
{
	if (shape->kind == WP_SHAPE_HALF_SPACE)
		return (double)shape->radius;
	return v3_dot(direction, shape_core_point(shape, direction)) + v3_length(direction) * (double)shape->radius;
}

static double reach_along(const wp_shape *shape, const track_body *body, v3 direction)
{
	return reach_of(shape, m3_apply_inverse(m3_of_quaternion(body->rotation), direction));
}

/* How far apart shapes are along the normals of their plane, without the positions. */
static double own_gap(const planes *p, uint32_t i, const plane *kept)
{
	return -reach_of(&p->shapes[2 * i], v3_of_floats(kept->normal_a)) -
	       reach_of(&p->shapes[2 * i + 1], v3_scale(v3_of_floats(kept->normal_b), -1));
}

/* Planes of new pairs. */
static void make_planes(planes *p)
{
	const wp_shape_table *built;
	for (uint32_t i = 0; i < PLANES; i++)
		make_shapes(&p->random, &p->shapes[2 * i]);
	if (wp_shape_table_build(p->shapes, 2 * PLANES, p->table, p->table_size, &built, NULL) != WP_OK)
		exit(2);
	for (uint32_t i = 0; i < PLANES; i++)
		place_at_first(p, i);
	memset(p->now, 0, sizeof p->now);
	ask(p);
	memcpy(p->then, p->now, sizeof p->then);
	for (uint32_t i = 0; i < PLANES; i++) {
		const plane kept = plane_of(&p->then[i]);
		const double slack = SLACK * (extent_of(way_of(&p->bodies[2 * i])) + (double)kept.reach);
		p->used_then[i] = ((double)kept.own + slack - own_gap(p, i, &kept)) / slack;
	}
}

/* ---- judging ------------------------------------------------------------------------------------ */

static void report(planes *p, uint32_t i, double gap)
{
	if (p->reported++ >= REPORTED_MAX)
		return;
	const plane kept = plane_of(&p->then[i]);
	printf("broken: a plane says %a, the gap is %a; normals %a %a %a and %a %a %a, own %a, lever %a, size %a\n",
		(double)p->rows[i].separation, gap, (double)kept.normal_a[0], (double)kept.normal_a[1],
		(double)kept.normal_a[2], (double)kept.normal_b[0], (double)kept.normal_b[1], (double)kept.normal_b[2],
		(double)kept.own, (double)p->then[i].lever, (double)kept.reach);
	for (uint32_t side = 0; side < 2; side++) {
		const wp_shape *const s = &p->shapes[2 * i + side];
		const track_body *const b = &p->bodies[2 * i + side];
		printf("  kind %u radius %a half_height %a half_extents %a %a %a base_radius %a\n  position %a %a %a rotation "
			   "%a %a %a "
			   "%a\n",
			(unsigned)s->kind, (double)s->radius, (double)s->half_height, (double)s->half_extents[0],
			(double)s->half_extents[1], (double)s->half_extents[2], (double)s->base_radius, b->position[0],
			b->position[1], b->position[2], (double)b->rotation[0], (double)b->rotation[1], (double)b->rotation[2],
			(double)b->rotation[3]);
	}
}

static void judge_plane(planes *p, uint32_t i)
{
	const track_body *const bodies = &p->bodies[2 * i];
	const plane kept = plane_of(&p->then[i]);
	pose_tally *const t = &p->tallies[p->how[i]];
	t->poses++;
	if (p->now[i].event != WP_TRACK_KEPT)
		return;
	v3 m, k;
	carry_normals(&kept, bodies, &m, &k);
	const v3 way = way_of(bodies), n = v3_unit(p->then[i].lever < 0 ? k : m);
	const double gap = v3_dot(n, way) - reach_along(&p->shapes[2 * i], &bodies[0], n) -
	                   reach_along(&p->shapes[2 * i + 1], &bodies[1], v3_scale(n, -1));
	const double lengths = extent_of(way) + (double)kept.reach, said = (double)p->rows[i].separation;
	const double told = (double)kept.own + v3_dot(p->then[i].lever < 0 ? k : m, way) -
	                    fabs((double)p->then[i].lever) * v3_length(v3_sub(m, k));
	t->kept++;
	t->now_max = fmax(t->now_max, (said + SLACK * lengths - told) / (SLACK * lengths));
	t->then_max = fmax(t->then_max, p->used_then[i]);
	if (said > gap + ROUNDING * lengths) {
		t->broken++;
		report(p, i, gap);
	}
}

static void meet_poses(planes *p)
{
	track_body then[2 * PLANES];
	memcpy(then, p->bodies, sizeof then);
	for (int pose = 0; pose < POSES; pose++) {
		memcpy(p->bodies, then, sizeof then);
		memcpy(p->now, p->then, sizeof p->now);
		for (uint32_t i = 0; i < PLANES; i++) {
			const plane kept = plane_of(&p->then[i]);
			if (p->then[i].lever == 0)
				continue;
			p->how[i] = gen_below(&p->random, POSE_COUNT);
			turn_pair(p, i, &kept, p->how[i]);
			place_near_bound(p, i, &kept);
		}
		ask(p);
		for (uint32_t i = 0; i < PLANES; i++)
			if (p->then[i].lever != 0)
				judge_plane(p, i);
	}
}

uint64_t track_planes_judge(wp_workspace *workspace, uint64_t seed, uint64_t poses)
{
	static const char *const names[POSE_COUNT] = {"turned together", "turned apart", "any rotations"};
	static planes p;
	uint64_t broken = 0;
	p = (planes){.workspace = workspace, .table_size = wp_shape_table_size(2 * PLANES)};
	p.table = block(p.table_size);
	for (int how = 0; how < POSE_COUNT; how++)
		p.tallies[how].then_max = p.tallies[how].now_max = -INFINITY;
	gen_seed(&p.random, seed);
	for (uint32_t i = 0; i < 2 * PLANES; i++)
		p.pairs[i / 2][i % 2] = i;
	for (uint64_t done = 0; done < poses; done += PLANES * POSES) {
		make_planes(&p);
		meet_poses(&p);
	}
	printf("%-16s %10s %8s %9s %12s %12s\n", "planes", "poses", "broken", "kept %", "slack then %", "slack now %");
	for (int how = 0; how < POSE_COUNT; how++) {
		const pose_tally *const t = &p.tallies[how];
		printf("%-16s %10" PRIu64 " %8" PRIu64 " %9.2f %12.2f %12.2f\n", names[how], t->poses, t->broken,
			100 * (double)t->kept / fmax(1, (double)t->poses), 100 * t->then_max, 100 * t->now_max);
		broken += t->broken;
	}
	block_free(p.table);
	return broken;
}
