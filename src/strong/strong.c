/* The strong path: a pair made ready (frame of A, scaled), GJK then EPA, and the answer in world axes with radii. */
#include "core/rounded.h"
#include "shape/half_space.h"
#include "strong/internal.h"

/* Of the sums with radii, relative to these: a few roundings. */
#define RADII_ROUNDING 1e-15

/* ---- the pair made ready ------------------------------------------------------------------------ */

static double larger(double u, double v) { return u > v ? u : v; }

/* 2 to the given power, |power| <= 1000. */
static double power_of_two(int power)
{
	const uint64_t bits = (uint64_t)(1023 + power) << 52;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* The power of two that brings a length into [1/2, 1). Beyond 1e301 and below 1e-301 it stops short,
 * so that it and its inverse are normal numbers. */
static int power_of_length(double length)
{
	uint64_t bits;
	memcpy(&bits, &length, sizeof bits);
	const int power = 1022 - (int)(bits >> 52 & 0x7ff);
	return power < -1000 ? -1000 : power > 1000 ? 1000 : power;
}

/* L of the contract. */
static double length_of(const wp_strong_pair *pair)
{
	return larger((double)pair->a->bound + (double)pair->a->radius, (double)pair->b->bound + (double)pair->b->radius);
}

static bool is_smooth(const wp_core *core) { return core->kind == WP_CORE_SMOOTH || core->kind == WP_CORE_CUSTOM; }

/* The frame of a pair; false where both cores are one and the same point. `world` takes the rotation
 * from the frame of A to world axes, *power the scale's exponent. */
static bool make_frame(const wp_strong_pair *pair, wp_strong_frame *frame, wp_d33 *world, int *power)
{
	const wp_d33 world_b = wp_d33_of_rotation(pair->rotation_b);
	*world = wp_d33_of_rotation(pair->rotation_a);
	frame->a = pair->a;
	frame->b = pair->b;
	frame->iterations = 0;
	frame->invalid = 0;
	frame->is_smooth = is_smooth(pair->a) || is_smooth(pair->b);
	frame->gap_tolerance = frame->is_smooth ? WP_STRONG_SMOOTH_TOLERANCE : WP_STRONG_GJK_TOLERANCE;
	frame->depth_tolerance = frame->is_smooth ? WP_STRONG_SMOOTH_TOLERANCE : WP_STRONG_EPA_TOLERANCE;

	/* Row i of the product of A's transposed matrix with B's: entry j is column i of A with column j
	 * of B. */
	for (int i = 0; i < 3; i++)
		frame->rotation.row[i] = wp_d33_turn_back(&world_b, wp_d33_axis(world, i));

	double size = larger((double)pair->a->bound, (double)pair->b->bound);
	for (int axis = 0; axis < 3; axis++)
		size = larger(size, wp_abs(pair->offset[axis]));
	*power = power_of_length(size);
	frame->scale = power_of_two(*power);
	frame->extent = (length_of(pair) + wp_strong_radius(pair->a) + wp_strong_radius(pair->b)) * frame->scale;
	frame->offset = wp_d33_turn_back(world, wp_d3_scale(wp_d3_at(pair->offset), frame->scale));
	return size > 0;
}

/* ---- the answer --------------------------------------------------------------------------------- */

/* Witness points of the cores: one simplex, its vertices taken in A and in B. */
static void witness_points(const wp_strong_simplex *simplex, wp_d3 *a, wp_d3 *b)
{
	*a = *b = wp_d3_zero();
	for (int i = 0; i < simplex->count; i++) {
		const wp_strong_vertex *v = &simplex->vertices[i];
		*a = wp_d3_add(*a, wp_d3_scale(v->a, simplex->weights[i]));
		*b = wp_d3_add(*b, wp_d3_scale(v->b, simplex->weights[i]));
	}
}

/* A point of both shapes, if they overlap: where GJK's simplex meets the origin, or, of cores that are
 * apart, the middle of what both radii cover of the way between their witness points. */
static wp_d3 common_point(
	const wp_strong_pair *pair, double unscale, const wp_strong_finding *finding, const wp_strong_simplex *nearest)
{
	const double gap = finding->separation * unscale;
	const double radius_a = wp_strong_radius(pair->a), radius_b = wp_strong_radius(pair->b);
	wp_d3 a, b;
	witness_points(nearest, &a, &b);
	a = wp_d3_scale(a, unscale);
	b = wp_d3_scale(b, unscale);
	if (!(gap > 0))
		return a;
	return wp_d3_add(a, wp_d3_scale(wp_d3_sub(b, a), wp_common_depth(gap, radius_a, radius_b) / gap));
}

/* Unscaled, with radii, in world axes. Witness points of the cores come from the weights of one
 * simplex and move along the normal by the radii. */
static void finish(const wp_strong_pair *pair, const wp_strong_frame *frame, const wp_d33 *world, double unscale,
	const wp_strong_finding *finding, wp_strong_answer *answer)
{
	const double radius_a = wp_strong_radius(pair->a), radius_b = wp_strong_radius(pair->b);
	const double radii = radius_a + radius_b;
	wp_d3 a, b;
	witness_points(&finding->simplex, &a, &b);
	a = wp_d3_add(wp_d3_scale(a, unscale), wp_d3_scale(finding->normal, radius_a));
	b = wp_d3_sub(wp_d3_scale(b, unscale), wp_d3_scale(finding->normal, radius_b));

	answer->separation = finding->separation * unscale - radii;
	wp_d3_put(wp_d33_turn(world, finding->normal), answer->normal);
	wp_d3_put(wp_d33_turn(world, a), answer->point_a);
	wp_d3_put(wp_d33_turn(world, b), answer->point_b);
	const double rounding = WP_STRONG_ROUNDING * unscale + RADII_ROUNDING * radii;
	answer->lower = finding->lower * unscale - radii - rounding;
	answer->upper = finding->upper * unscale - radii + rounding;
	answer->iterations = frame->iterations;
	answer->status = finding->status;
	const double extent = length_of(pair) + wp_abs(answer->separation);
	const double contract = frame->is_smooth ? WP_CONTRACT_SMOOTH : WP_CONTRACT;
	if (answer->upper - answer->lower > (contract - WP_STRONG_STORED) * extent)
		answer->status |= WP_STATUS_WIDE_BRACKET;
}

/* ---- half-spaces -------------------------------------------------------------------------------- */

/* One side of a pair with a half-space: its lowest core point along a direction, from its position, world axes. */
static wp_d3 lowest_point(const wp_core *core, const float rotation[4], wp_d3 down, uint32_t side, uint32_t *invalid)
{
	const wp_d33 m = wp_d33_of_rotation(rotation);
	return wp_d33_turn(&m, wp_strong_core_point(core, wp_d33_turn_back(&m, down), side, invalid));
}

/* The surface is a plane, so the other shape's lowest point decides everything. */
static void solve_half_space(const wp_strong_pair *pair, wp_strong_answer *answer)
{
	const bool turned = pair->a->kind == WP_CORE_HALF_SPACE;
	const wp_core *const other = turned ? pair->b : pair->a, *const space = turned ? pair->a : pair->b;
	const double sign = turned ? 1 : -1;
	const wp_d3 n = wp_half_space_up(wp_dq_of_rotation(turned ? pair->rotation_a : pair->rotation_b));
	const wp_d3 between = wp_d3_at(pair->offset), origin = turned ? between : wp_d3_zero();
	uint32_t invalid = 0;
	const wp_d3 from = lowest_point(other, turned ? pair->rotation_b : pair->rotation_a, wp_d3_scale(n, -1),
		turned ? WP_STATUS_INVALID_SHAPE_B : WP_STATUS_INVALID_SHAPE_A, &invalid);
	const double radius = wp_strong_radius(other), surface = (double)space->radius, radii = radius + surface;
	const double gap = sign * wp_d3_dot(n, between) + wp_d3_dot(n, from);
	const wp_d3 lowest = wp_d3_add(origin, from);
	const wp_d3 on_other = wp_d3_sub(lowest, wp_d3_scale(n, radius));
	const wp_d3 on_surface = wp_d3_add(lowest, wp_d3_scale(n, surface - gap));

	memset(answer, 0, sizeof *answer);
	if (invalid != 0) {
		answer->status = WP_STATUS_INVALID | invalid;
		return;
	}
	answer->separation = gap - radii;
	wp_d3_put(wp_d3_scale(n, sign), answer->normal);
	wp_d3_put(turned ? on_surface : on_other, answer->point_a);
	wp_d3_put(turned ? on_other : on_surface, answer->point_b);
	/* A point of both shapes, if they overlap: the lowest one of a core that reaches below the surface, or below there. */
	wp_d3_put(wp_d3_sub(lowest, wp_d3_scale(n, wp_common_depth(gap, radius, surface))), answer->common);
	const double rounding = WP_CONTRACT_FAR * (((double)other->bound + wp_d3_length(between)) + radii);
	answer->lower = answer->separation - rounding;
	answer->upper = answer->separation + rounding;
	answer->iterations = 1;
	const double extent = larger((double)other->bound + (double)other->radius, surface) + wp_abs(answer->separation);
	/* Both ends are rounded once more on their way out. */
	const double contract = is_smooth(other) ? WP_CONTRACT_SMOOTH : WP_CONTRACT;
	if (answer->upper - answer->lower + WP_STRONG_STORED * wp_abs(answer->separation) > contract * extent)
		answer->status |= WP_STATUS_WIDE_BRACKET;
}

void wp_strong_solve(const wp_strong_pair *pair, wp_strong_memory *memory, wp_strong_answer *answer)
{
	WP_ASSERT(pair->a->kind < WP_CORE_INVALID && pair->b->kind < WP_CORE_INVALID);
	if (pair->a->kind == WP_CORE_HALF_SPACE || pair->b->kind == WP_CORE_HALF_SPACE) {
		solve_half_space(pair, answer);
		return;
	}
	wp_strong_frame frame;
	wp_strong_finding finding;
	wp_strong_simplex nearest = {.count = 0};
	wp_d33 world;
	int power;
	double unscale = 0;
	if (make_frame(pair, &frame, &world, &power)) {
		unscale = power_of_two(-power);
		const bool apart = wp_strong_gjk(&frame, &finding);
		nearest = finding.simplex;
		if (!apart)
			wp_strong_epa(&frame, memory, &finding);
	} else {
		/* Two coincident points, exactly: no direction is better than another, nothing is rounded. */
		memset(&finding, 0, sizeof finding);
		finding.normal = wp_d3_of(0, 1, 0);
		finding.status = WP_STATUS_DEGENERATE;
	}
	if (frame.invalid != 0) {
		memset(answer, 0, sizeof *answer);
		answer->status = WP_STATUS_INVALID | frame.invalid;
		return;
	}
	finish(pair, &frame, &world, unscale, &finding, answer);
	wp_d3_put(wp_d33_turn(&world, common_point(pair, unscale, &finding, &nearest)), answer->common);
}
