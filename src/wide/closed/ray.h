/* Rays: casts of a point or a sphere against a shape that does not turn, in double. What all closed forms share: a block of
 * rays in the frame of their shapes, where they end, and the answers. */
#ifndef WP_WIDE_CLOSED_RAY_H
#define WP_WIDE_CLOSED_RAY_H

#include "wide/job/prepare.h"
#include "wide/lane/vecd.h"

/* How far off a round surface rounding may put the point where a ray comes to it, relative to the radius there. */
#define WP_RAY_RADIUS_GAP 1e-3

/* The same of a cone's slope, across its axis and relative to the radius of the base. */
#define WP_RAY_SLOPE_GAP 1e-6

/* How long a ray may be, with the way to the shape, relative to the sizes of both: a sum of coordinates, so up to sqrt(3) times
 * the length. WP_RAY_ROUNDING times that is below what contacts are accurate to. */
#define WP_RAY_LENGTH_MAX 1.8e7

/* Rounding of a gap in double, relative to the length of the ray and the sizes of both. */
#define WP_RAY_ROUNDING 1e-14

/* Steps of a half of a block. Inline they are faster, but two halves of eight lanes are 2 kB more. In one lane GCC warns of axes
 * that balls do not have, and do not take. */
#if WP_WIDTH == 8
#define WP_RAY_STEP WP_NOINLINE
#else
#define WP_RAY_STEP WP_INLINE
#endif
#if WP_WIDTH == 8 || (WP_WIDTH == 1 && !defined(__clang__))
#define WP_RAY_ENTRY WP_NOINLINE
#else
#define WP_RAY_ENTRY WP_INLINE
#endif
/* In one lane Clang would write what comes between twice: where another block follows, and where none does. */
#if WP_WIDTH == 1
#define WP_RAY_STAGE WP_NOINLINE
#else
#define WP_RAY_STAGE WP_INLINE
#endif

/* A block of rays, a lane each: seen from the shape's origin, the centre of a ball starts at `from` and goes by `way`, along the
 * axes of the world first, and then, at shapes with other directions than one, along their own. */
typedef struct wp_ray {
	vd3 half;
	vd radius; /* of the ball and of the shape together */
	vd bound;  /* of the shape's core */
	vd error;  /* by how much rounding may put a gap off */
	vd3 from, way;
	const wp_core *const *core; /* [WP_WIDTH_D], of the shapes; as many lanes have a ray as are `present` */
	uint32_t present;

	/* What the answer takes. */
	vd_axes axes; /* of the shape */
	vd3 ball_start, ball_way;
	vd ball_radius;
	vd length; /* of both ways, to the start and from there: sums of coordinates, which are no less */
	vdm valid; /* the row is */
} wp_ray;

/* Where rays end: at `time` the ball touches, or it is `gap` away there along `normal`, or at least that far away (beyond), or
 * it is clear up to there (none of these; `time` 0: nothing is known). The normal points from the shape to the ball, unit. */
typedef struct wp_ray_end {
	vdm hits, misses, beyond;
	vd time, gap;
	vd3 normal;
} wp_ray_end;

WP_INLINE vd3 wp_ray_at(const wp_ray *r, vd time) { return vd3_add(r->from, vd3_scale(r->way, time)); }

/* The times at which a ray is looked at: where it enters, or, of one that misses, the end. */
WP_INLINE vd wp_ray_time(vdm missed, vd enters) { return vd_select(missed, vd_set(1.0), enters); }

/* ---- times inside ------------------------------------------------------------------------------- */

/* The times at which a ray is inside of something convex; empty where `leaves` is before `enters`. */
typedef struct wp_ray_span {
	vd enters, leaves;
} wp_ray_span;

WP_INLINE wp_ray_span wp_ray_span_always(void)
{
	return (wp_ray_span){vd_set(-(double)WP_INFINITY), vd_set((double)WP_INFINITY)};
}

/* A span where the mask is set, elsewhere none. */
WP_INLINE wp_ray_span wp_ray_span_where(vdm m, wp_ray_span s)
{
	return (wp_ray_span){
		vd_select(m, s.enters, vd_set((double)WP_INFINITY)), vd_select(m, s.leaves, vd_set(-(double)WP_INFINITY))};
}

/* The part of a span that is within another too, whose times may be no numbers: those count as endless. Returns where the
 * other is entered last. */
WP_INLINE vdm wp_ray_span_both(wp_ray_span *s, wp_ray_span other)
{
	const vdm later = vd_gt(other.enters, s->enters);
	s->enters = vd_max(other.enters, s->enters);
	s->leaves = vd_min(other.leaves, s->leaves);
	return later;
}

/* The times within |x| <= half, of a coordinate that starts at `from` and goes by `way`. Of a way of 0 the products are endless
 * from inside, no numbers from the border, and on one side both from outside. */
WP_INLINE wp_ray_span wp_ray_span_slab(vd half, vd from, vd way)
{
	const vd far = vd_with_sign(half, way), inverse = vd_div(vd_set(1.0), way);
	return (wp_ray_span){vd_mul(vd_sub(vd_neg(far), from), inverse), vd_mul(vd_sub(far, from), inverse)};
}

/* The side that a slab is entered from, 1 or -1. */
WP_INLINE vd wp_slab_side(vd way) { return vd_neg(vd_with_sign(vd_set(1.0), way)); }

/* The times within a ball about the origin; no numbers where the ray misses it. The square of the least distance is found from
 * the way across, not as a difference of squares, which loses what is small beside the distance. Without a way the start is
 * nearest, and the root from inside is endless, as the inverse is. */
WP_INLINE_NATIVE wp_ray_span wp_ray_span_ball(vd radius, vd3 from, vd3 way)
{
	const vd way2 = vd3_dot(way, way), inverse = vd_div(vd_set(1.0), way2);
	const vd nearest = vd_where(vd_gt(way2, vd_zero()), vd_mul(vd_neg(vd3_dot(from, way)), inverse));
	const vd3 across = vd3_add(from, vd3_scale(way, nearest));
	const vd left2 = vd_sub(vd_mul(radius, radius), vd3_dot(across, across)), half = vd_sqrt(vd_mul(left2, inverse));
	return (wp_ray_span){vd_sub(nearest, half), vd_add(nearest, half)};
}

/* Where the ray is never inside, also if its times are no numbers, or not within its time. */
WP_INLINE vdm wp_ray_span_missed(wp_ray_span s)
{
	const vdm within = vdm_andnot(vd_le(s.enters, s.leaves), vd_gt(s.enters, vd_set(1.0)));
	return vdm_not(vdm_andnot(within, vd_lt(s.leaves, vd_zero())));
}

/* ---- ends --------------------------------------------------------------------------------------- */

WP_INLINE vd wp_within(vd x, vd half) { return vd_max(vd_neg(half), vd_min(half, x)); }

WP_INLINE vd wp_beyond(vd x, vd half) { return vd_sub(x, wp_within(x, half)); }

/* How far a point is out of the box of some extents. */
WP_INLINE vd3 wp_out_of_box(vd3 p, vd3 half)
{
	return vd3_set(wp_beyond(p.x, half.x), wp_beyond(p.y, half.y), wp_beyond(p.z, half.z));
}

/* The lanes `missed` are `apart` from the nearest point of the core at their ends. A root times the inverse of its square is its
 * inverse, which waits for no root. */
WP_INLINE wp_ray_end wp_ray_missed(const wp_ray *r, vdm missed, vd3 apart)
{
	const vd distance2 = vd3_dot(apart, apart), inverse2 = vd_div(vd_set(1.0), distance2),
			 distance = vd_sqrt(distance2);
	const vdm misses = vdm_and(missed, vd_gt(distance, r->radius));
	return (wp_ray_end){.hits = vdm_false(),
		.misses = misses,
		.beyond = vdm_false(),
		.time = vd_where(misses, vd_set(1.0)),
		.gap = vd_sub(distance, r->radius),
		.normal = vd3_scale(apart, vd_mul(distance, inverse2))};
}

/* The lanes `missed` end above a support plane of the core, by `height`, and so at least that far away; if that is no more than
 * rounding, they are open. */
WP_INLINE wp_ray_end wp_ray_above(const wp_ray *r, vdm missed, vd height, vd3 normal)
{
	const vd gap = vd_sub(height, r->radius);
	const vdm beyond = vdm_and(missed, vd_gt(gap, r->error));
	return (wp_ray_end){.hits = vdm_false(),
		.misses = vdm_false(),
		.beyond = beyond,
		.time = vd_where(beyond, vd_set(1.0)),
		.gap = gap,
		.normal = normal};
}

/* The lanes `m` touch at a time across the normal that they have. */
WP_INLINE void wp_ray_touch(wp_ray_end *end, vdm m, vd time)
{
	end->hits = vdm_or(end->hits, m);
	end->time = vd_select(m, time, end->time);
	end->gap = vd_except(m, end->gap);
}

/* The same across another one. */
WP_INLINE void wp_ray_hit(wp_ray_end *end, vdm m, vd time, vd3 normal)
{
	wp_ray_touch(end, m, time);
	end->normal = vd3_select(m, normal, end->normal);
}

/* The lanes `m` are open, and clear up to a time. */
WP_INLINE void wp_ray_free(wp_ray_end *end, vdm m, vd time) { end->time = vd_select(m, time, end->time); }

/* Where a hit on a round surface is on it: far away, or at a needle, rounding leaves no such point. */
WP_INLINE vdm wp_ray_is_there(vd3 radial, vd radius)
{
	return vd_le(vd_abs(vd_sub(vd3_length(radial), radius)), vd_mul(vd_set(WP_RAY_RADIUS_GAP), radius));
}

/* ---- inputs ------------------------------------------------------------------------------------- */

/* Numbers of the shapes of as many rays as there are lanes of floats, or of their balls: three and a fourth. */
enum wp_ray_number {
	WP_RAY_TURN,  /* rotation: x, y, z, w */
	WP_RAY_START, /* where they are at the start; bound of the core */
	WP_RAY_WAY,   /* how far they move */
	WP_RAY_CORE,  /* half extents; radius */
	WP_RAY_NUMBER_COUNT
};

typedef struct wp_ray_numbers {
	WP_VECTOR_ALIGN float at[4 * WP_RAY_NUMBER_COUNT][WP_WIDTH];
} wp_ray_numbers;

/* Inputs of these rays, and where they are ones of a valid row: 1, else 0. */
typedef struct wp_ray_block {
	wp_ray_numbers shape, ball;
	WP_VECTOR_ALIGN float is_valid[WP_WIDTH];
} wp_ray_block;

WP_INLINE void wp_ray_keep(wp_ray_numbers *numbers, enum wp_ray_number number, vf4 four)
{
	vf_store(numbers->at[4 * number], four.x);
	vf_store(numbers->at[4 * number + 1], four.y);
	vf_store(numbers->at[4 * number + 2], four.z);
	vf_store(numbers->at[4 * number + 3], four.w);
}

WP_INLINE wp_elements wp_ray_elements(const wp_kept_column *column)
{
	return (wp_elements){column->data, column->stride};
}

WP_INLINE vf wp_ray_sum(vf4 v) { return vf_add(vf_add(vf_abs(v.x), vf_abs(v.y)), vf_abs(v.z)); }

_Static_assert(offsetof(wp_core, bound) == offsetof(wp_core, half) + 16, "one row after the other");

WP_INLINE_NATIVE vf4 wp_ray_rotations(const wp_kept_column *column, const uint32_t *body)
{
	return vf4_take_four(wp_ray_elements(column), body);
}

WP_INLINE vi wp_ray_difference(vf a, vf b) { return vi_xor(vi_from_bits(a), vi_from_bits(b)); }

/* Where rotations differ, bit by bit, from those at the end: not 0. */
WP_INLINE vi wp_ray_turned(vf4 from, vf4 to)
{
	return vi_or(vi_or(wp_ray_difference(from.x, to.x), wp_ray_difference(from.y, to.y)),
		vi_or(wp_ray_difference(from.z, to.z), wp_ray_difference(from.w, to.w)));
}

/* Take the bodies of a block of rays; `turned` gets bits where they turn. Returns the sum of all coordinates and ways, which is
 * no less than the largest coordinate at the end; infinite where a rotation is none. */
WP_NOINLINE vf wp_ray_take(
	const wp_ray_bodies *bodies, uint32_t at, bool has_doubles, wp_ray_numbers *numbers, vi *turned)
{
	const uint32_t *const body = bodies->body + at;
	const unsigned char *const *const core = (const unsigned char *const *)(const void *)(bodies->core + at);
	const vf4 turn = wp_ray_rotations(&bodies->rotation, body);
	const vf4 way = vf4_take_three(wp_ray_elements(&bodies->way), body);
	vf4 start = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
	if (!has_doubles)
		start = vf4_take_three(wp_ray_elements(&bodies->position), body);
	vf4 extents, rest;
	vf4_take_rows(core, offsetof(wp_core, half), &extents, &rest);
	start.w = rest.x;
	wp_ray_keep(numbers, WP_RAY_TURN, turn);
	wp_ray_keep(numbers, WP_RAY_START, start);
	wp_ray_keep(numbers, WP_RAY_WAY, way);
	wp_ray_keep(numbers, WP_RAY_CORE, extents);
	if (bodies->end.data != NULL)
		*turned = vi_or(*turned, wp_ray_turned(turn, wp_ray_rotations(&bodies->end, body)));
	const vm is_rotation = wp_is_about_unit(vfq_length2(vfq_of(turn)));
	return vf_select(is_rotation, vf_add(wp_ray_sum(start), wp_ray_sum(way)), vf_set(WP_INFINITY));
}

/* Take the shapes of the block at `at`, if there is one; `turned` gets bits where they turn. */
WP_RAY_STAGE void wp_ray_stage_shapes(const wp_rays *rays, uint32_t at, wp_ray_block *block, vi *turned)
{
	if (at >= rays->count)
		return;
	*turned = vi_zero();
	vf_store(block->is_valid, wp_ray_take(&rays->shape, at, rays->has_doubles, &block->shape, turned));
}

/* Then its balls. False where bodies turn. */
WP_RAY_STAGE bool wp_ray_stage_balls(const wp_rays *rays, uint32_t at, wp_ray_block *block, vi *turned)
{
	if (at >= rays->count)
		return true;
	const vf of_ball = wp_ray_take(&rays->ball, at, rays->has_doubles, &block->ball, turned);
	const vm valid = vf_lt(vf_add(vf_load(block->is_valid), of_ball), vf_set(0.5f * WP_POSITION_MAX));
	vf_store(block->is_valid, vf_select(valid, vf_set(1.0f), vf_zero()));
	return vm_bits(vi_eq(*turned, vi_zero())) == WP_ALL_LANES;
}

WP_INLINE vd wp_ray_load_number(const wp_ray_numbers *numbers, enum wp_ray_number number, int k, uint32_t lane)
{
	return vd_from_floats(numbers->at[4 * number + k] + lane);
}

WP_INLINE vd3 wp_ray_load_numbers(const wp_ray_numbers *numbers, enum wp_ray_number number, uint32_t lane)
{
	return vd3_set(wp_ray_load_number(numbers, number, 0, lane), wp_ray_load_number(numbers, number, 1, lane),
		wp_ray_load_number(numbers, number, 2, lane));
}

WP_INLINE vd wp_ray_sum_of_doubles(vd3 v) { return vd_add(vd_add(vd_abs(v.x), vd_abs(v.y)), vd_abs(v.z)); }

/* Load the rays of a half of the block at `at`. */
WP_INLINE void wp_ray_load(const wp_rays *rays, uint32_t at, const wp_ray_block *block, uint32_t half, wp_ray *r)
{
	const uint32_t lane = half * WP_WIDTH_D, place = at + lane, left = rays->count - place;
	const wp_ray_numbers *const shape = &block->shape, *const ball = &block->ball;
	r->core = rays->shape.core + place;
	r->present = left < WP_WIDTH_D ? left : WP_WIDTH_D;
	r->valid = vd_gt(vd_from_floats(block->is_valid + lane), vd_zero());
	r->half = wp_ray_load_numbers(shape, WP_RAY_CORE, lane);
	r->ball_way = wp_ray_load_numbers(ball, WP_RAY_WAY, lane);
	r->ball_radius = wp_ray_load_number(ball, WP_RAY_CORE, 3, lane);
	r->radius = vd_add(wp_ray_load_number(shape, WP_RAY_CORE, 3, lane), r->ball_radius);
	r->bound = wp_ray_load_number(shape, WP_RAY_START, 3, lane);
	vd3 shape_start = wp_ray_load_numbers(shape, WP_RAY_START, lane);
	r->ball_start = wp_ray_load_numbers(ball, WP_RAY_START, lane);
	if (rays->has_doubles) {
		const double(*const start)[WP_RAY_MAX] = rays->start;
		shape_start = vd3_set(vd_load(start[0] + place), vd_load(start[1] + place), vd_load(start[2] + place));
		r->ball_start = vd3_set(vd_load(start[3] + place), vd_load(start[4] + place), vd_load(start[5] + place));
		const vd space = vd_add(wp_ray_sum_of_doubles(shape_start), wp_ray_sum_of_doubles(r->ball_start));
		r->valid = vdm_and(r->valid, vd_lt(space, vd_set(0.5 * (double)WP_POSITION_MAX)));
	}
	r->from = vd3_sub(r->ball_start, shape_start);
	r->way = vd3_sub(r->ball_way, wp_ray_load_numbers(shape, WP_RAY_WAY, lane));
	r->length = vd_add(wp_ray_sum_of_doubles(r->from), wp_ray_sum_of_doubles(r->way));
	r->error = vd_mul(vd_set(WP_RAY_ROUNDING), vd_add(vd_add(r->bound, r->radius), r->length));
}

/* Whether rays of a kind are seen in the frame of the shape: one with one direction, or none, needs no turning. */
WP_INLINE bool wp_ray_has_frame(wp_ray_kind kind)
{
	return kind != WP_RAY_BALL && kind != WP_RAY_SEGMENT && kind != WP_RAY_HALF_SPACE;
}

/* Find the axes of the shapes, and turn rays to them. Without a frame the axis Y is all that shapes have. */
WP_RAY_ENTRY void wp_ray_enter_frame(const wp_ray_block *block, uint32_t half, wp_ray_kind kind, wp_ray *r)
{
	if (kind == WP_RAY_BALL)
		return;
	const uint32_t lane = half * WP_WIDTH_D;
	const vdq turn = {
		wp_ray_load_numbers(&block->shape, WP_RAY_TURN, lane), wp_ray_load_number(&block->shape, WP_RAY_TURN, 3, lane)};
	if (!wp_ray_has_frame(kind)) {
		r->axes.y = vd_axes_of(turn).y;
		return;
	}
	r->axes = vd_axes_of(turn);
	r->from = vd3_along_axes(r->axes, r->from);
	r->way = vd3_along_axes(r->axes, r->way);
}

/* ---- answers ------------------------------------------------------------------------------------ */

/* What is known of each answer besides its numbers. */
enum wp_ray_flag {
	WP_RAY_LOWER_DOWN, /* the bound is below the float nearest to it */
	WP_RAY_UPPER_DOWN, /* the same of minus the upper bound, which is where that bound goes */
	WP_RAY_FRACTION_DOWN,
	WP_RAY_IS_HIT,
	WP_RAY_IS_BEYOND,
	WP_RAY_IS_DECIDED,
	WP_RAY_FLAG_COUNT
};

/* The place of a ray's fraction, behind its outputs. */
#define WP_RAY_FRACTION (WP_OUTPUT_UPPER + 1)
#define WP_RAY_ANSWER_COUNT (WP_RAY_FRACTION + 1)

/* The answers of as many rays as there are lanes of floats: numbers where outputs are. */
typedef struct wp_ray_answers {
	vd at[WP_RAY_ANSWER_COUNT][WP_HALVES];
	vdm flag[WP_RAY_FLAG_COUNT][WP_HALVES];
} wp_ray_answers;

/* Lanes past the last ray repeat the answers before them. */
WP_INLINE void wp_ray_repeat(wp_ray_answers *answers)
{
	WP_ROLLED
	for (int k = 0; k < (int)WP_COUNT_OF(answers->at); k++)
		answers->at[k][WP_HALVES - 1] = answers->at[k][0];
	WP_ROLLED
	for (int k = 0; k < WP_RAY_FLAG_COUNT; k++)
		answers->flag[k][WP_HALVES - 1] = answers->flag[k][0];
}

WP_INLINE void wp_ray_put3(wp_ray_answers *answers, int number, uint32_t half, vd3 v)
{
	answers->at[number][half] = v.x;
	answers->at[number + 1][half] = v.y;
	answers->at[number + 2][half] = v.z;
}

/* A number that will be rounded down. */
WP_INLINE void wp_ray_put_down(wp_ray_answers *answers, int number, int down, uint32_t half, vd value)
{
	answers->at[number][half] = value;
	answers->flag[down][half] = vd_gt(vd_as_float(value), value);
}

/* The answers of rays that end. `world`: normals along the axes of the world; `more`: by how much gaps may be larger. Points of
 * the ball and the shape are along the normal from the centre of the ball. */
WP_INLINE void wp_ray_answer(const wp_rays *rays, const wp_ray *r, const wp_ray_end *end, vd3 world, vd more,
	uint32_t at, uint32_t half, wp_ray_answers *answers, wp_ray_ends *ends)
{
	const vd3 centre = vd3_add(r->ball_start, vd3_scale(r->ball_way, end->time));
	const vd3 of_ball = vd3_sub(centre, vd3_scale(world, r->ball_radius));
	const vd3 of_shape = vd3_sub(centre, vd3_scale(world, vd_add(r->ball_radius, end->gap)));
	const bool is_shape_a = rays->is_shape_a;
	answers->at[WP_OUTPUT_SEPARATION][half] = end->gap;
	wp_ray_put3(answers, WP_OUTPUT_NORMAL, half, vd3_scale(world, vd_set(is_shape_a ? 1.0 : -1.0)));
	wp_ray_put3(answers, is_shape_a ? WP_OUTPUT_POINT_A : WP_OUTPUT_POINT_B, half, of_shape);
	wp_ray_put3(answers, is_shape_a ? WP_OUTPUT_POINT_B : WP_OUTPUT_POINT_A, half, of_ball);
	wp_ray_put_down(answers, WP_OUTPUT_LOWER, WP_RAY_LOWER_DOWN, half, vd_sub(end->gap, r->error));
	wp_ray_put_down(
		answers, WP_OUTPUT_UPPER, WP_RAY_UPPER_DOWN, half, vd_neg(vd_add(vd_add(end->gap, r->error), more)));
	wp_ray_put_down(answers, WP_RAY_FRACTION, WP_RAY_FRACTION_DOWN, half, end->time);
	vd_store(ends->gap + at, end->gap);
	vd_store(ends->normal[0] + at, world.x);
	vd_store(ends->normal[1] + at, world.y);
	vd_store(ends->normal[2] + at, world.z);
}

/* Where rays of a half of the block at `at` end, but for those that are too long, unless at half-spaces: what is near one may be far from its
 * origin. A hit at the start is left open. */
WP_RAY_STEP void wp_ray_put(const wp_rays *rays, const wp_ray *r, const wp_ray_end *end, vd more, wp_ray_kind kind,
	uint32_t at, uint32_t half, wp_ray_answers *answers, wp_ray_ends *ends)
{
	const vd reach = vd_mul(vd_set(WP_RAY_LENGTH_MAX), vd_add(r->bound, r->radius));
	const vdm fits = kind == WP_RAY_HALF_SPACE ? r->valid : vdm_and(r->valid, vd_le(r->length, reach));
	const vd time = vd_where(fits, end->time);
	const vdm known = vdm_or(end->hits, vdm_or(end->misses, end->beyond));
	const uint32_t place = at + half * WP_WIDTH_D;
	vd_store(ends->time + place, time);
	answers->flag[WP_RAY_IS_HIT][half] = end->hits;
	answers->flag[WP_RAY_IS_BEYOND][half] = end->beyond;
	answers->flag[WP_RAY_IS_DECIDED][half] = vdm_and(known, vd_gt(time, vd_zero()));
	const vd3 world = wp_ray_has_frame(kind) ? vd3_from_axes(r->axes, end->normal) : end->normal;
	wp_ray_answer(rays, r, end, world, more, place, half, answers, ends);
}

/* ---- outputs ------------------------------------------------------------------------------------ */

WP_INLINE vf wp_ray_output(const wp_ray_answers *answers, int number) { return vf_from_doubles(answers->at[number]); }

WP_INLINE vm wp_ray_mask(const wp_ray_answers *answers, int flag) { return vm_from_halves(answers->flag[flag]); }

/* The float below, where a number was rounded up. */
WP_INLINE vf wp_ray_down(const wp_ray_answers *answers, int number, int down)
{
	const vf nearest = wp_ray_output(answers, number);
	const vi bits = vi_from_bits(nearest), one = vi_set(1);
	const vm is_negative = vf_lt(nearest, vf_zero()), is_positive = vf_gt(nearest, vf_zero());
	const vi below = vi_select(is_negative, vi_add(bits, one), vi_sub(bits, one));
	const vi next = vi_select(vm_or(is_negative, is_positive), below, vi_set(INT32_MIN + 1));
	return vf_from_bits(vi_select(wp_ray_mask(answers, down), next, bits));
}

/* The rows of the block that begins with the ray `at`. Returns which of its rays are decided. */
WP_INLINE uint32_t wp_ray_outputs(const wp_rays *rays, const wp_ray_answers *answers, uint32_t at, wp_ray_ends *ends)
{
	unsigned char *const *const row = rays->row + at;
	const vf lower = wp_ray_down(answers, WP_OUTPUT_LOWER, WP_RAY_LOWER_DOWN);
	const vf upper = vf_neg(wp_ray_down(answers, WP_OUTPUT_UPPER, WP_RAY_UPPER_DOWN));
	vf_store(ends->fraction + at, wp_ray_down(answers, WP_RAY_FRACTION, WP_RAY_FRACTION_DOWN));
	const vm beyond = wp_ray_mask(answers, WP_RAY_IS_BEYOND);
	vi status = vi_select(vf_gt(lower, vf_zero()), vi_set(WP_JOB_SEPARATED), vi_set(WP_JOB_TOUCHING));
	status = vi_or(status, vi_select(beyond, vi_set(WP_JOB_PROVEN_BEYOND), vi_zero()));
	status = vi_or(status, vi_select(wp_ray_mask(answers, WP_RAY_IS_HIT), vi_set(WP_JOB_HIT), vi_zero()));
	vf number[WP_OUTPUT_LOWER];
	for (int k = 0; k < WP_OUTPUT_LOWER; k++)
		number[k] = wp_ray_output(answers, k);
	number[0] = vf_select(beyond, lower, number[0]);
	vf4_put_rows(
		row, 0, (vf4){number[0], number[1], number[2], number[3]}, (vf4){number[4], number[5], number[6], number[7]});
	vf4_put(row, 32, (vf4){number[8], number[9], lower, upper});
	vf4_put(row, WP_RAY_ROW_BYTES - 16, (vf4){lower, upper, vf_from_bits(status), vf_zero()});
	return vm_bits(wp_ray_mask(answers, WP_RAY_IS_DECIDED));
}

#endif
