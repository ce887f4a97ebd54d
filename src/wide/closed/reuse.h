/* Pairs that touched, their points found anew from the poses, with a proven bracket of the separation.
 *
 * From below the plane bounds the separation (kept.h), which may be negative. From above: moving one shape moves the
 * separation by no more than any of its points. Seen from the body with the larger core, the other one has been moved from p0,
 * where a bound was known, to p, and turned from q0 to q, which moves a point of its core by at most
 * |p - p0| + 2 R sin(angle / 2), and
 *     2 sin(angle / 2) <= 2 |q - q0|,   where q is of the sign that makes this least;
 * points of its ball move as their centres do. Nor are shapes further apart than a point of one from a point of the other,
 * and each pair of kept points is that, but on either side for WP_CONTRACT_MANIFOLD of the size, of which the separation that
 * they were found with is a part: no more than twice the slack.
 * Rounding: p is off by 47u D, |p - p0| by 4u of itself besides, the components of q by 9u each, their distance by 18u: 36u R.
 * WP_KEPT_SLACK covers that as it covers the plane's. Arms are turned by matrices: their entries are off by 17u on the diagonal
 * and by 8u elsewhere, which is 33u of a vector, with its products and sums 39u.
 *
 * Where an end of this bracket is too far, the shapes themselves sharpen it. From below: along a unit vector n the shapes are apart
 * by n.t less the reach of A along n and the reach of B along -n, one support each; no box that holds a core reaches less than it.
 * The normal is carried by the larger body; where the face is the smaller one's, the normal as that carries it bounds them better.
 * From above: if a ball about a point of B lies in A, B must move by its radius, or more, to leave A. The ball is as deep as the
 * point is below the nearest side of a box. In a hull it is as deep as the point is below all planes of the faces: each point of a
 * face is as far out along the normal as the plane (shape.c has checked that), and faces close, so none comes into the ball.
 * Outside of a box or a segment the distance to it bounds the separation. Of a hull a place further inwards along the normal is
 * looked at where the point is outside, or hardly inside: shapes are no further apart than the way to it less its depth. Kept
 * points mostly lie where sides of the other body meet its face, so the ball about the deepest one is small; further in, between it
 * and the mean of all, is a point of the body as well, for the body is convex, and off by no more than the kept points are. A bound
 * from above that was found so is known from then on: p and q become p0 and q0, which are off as p and q are, so the bound is
 * raised by one slack. Where no point is deep enough, what was kept of EPA's last polytope bounds the depth (kept_polytope.h).
 *
 * A point keeps its places in both bodies. Where they have slid apart across the normal, a solver would push at the wrong place:
 * beyond a limit the pair is queried. Lengths whose squares overflow have no such limit.
 *
 * Boxes have lists of their own. They are at least as far apart as along the best of their 15 axes (boxes.h), and no further where
 * they overlap: no way that they moved and no point bounds them better, so neither is looked at then. These bounds do not change what
 * is told, for the deepest of the kept points is to be as deep as the pair is, too.
 * Rounding from below: n.t 7u D; n seen by a body 43u, which with its products takes 47u of each bound; lengths and sums 7u (D +
 * S). From above: the arm 43u S, the way to the point 2u (D + S), that way seen by the other body 43u (D + S), planes 7u (D + S)
 * and WP_PLANE_SLACK, 17u S, the point further in 9u S (the mean 5u, the way to it 2u, with its part of that 1u, the sum 1u),
 * the way inwards, a quarter of S at most, 11u S, its sums 3u (D + S): together 55u D + 135u S, one slack, and two for what the
 * points were off when they were kept. Of boxes: let B' have the axes f' that are found, not quite at right angles. They are off
 * by 33u as B turns them, as A sees them by 73u, the way by 41u D; half lengths sum up to 1.74 S at most, so B' is where B is
 * within 127u S + 41u D, and no two shapes are nearer or deeper by more than they are moved. Crosses of A's axes with f' are
 * exact, and so are A's axes. Normals of the faces of B' are crosses of two f', which are off from the third by 220u: of the way
 * 220u D, of A 381u S, of B 80u S. Products and sums 7u (D + S). Together 268u D + 595u S: four slacks. Along A's edge i and an
 * f' that are nearly parallel there is no axis; without the edge f' of B', those of the other two with A's edge i are the best,
 * and the edge adds its half length times the sine, 1e-7, at most. */
#ifndef WP_WIDE_CLOSED_REUSE_H
#define WP_WIDE_CLOSED_REUSE_H

#include "wide/closed/boxes_one.h"
#include "wide/closed/kept.h"

/* The body with the smaller core, seen from the larger one: its position, and the rotation between them, of length 1. */
typedef struct wp_seen_pose {
	vf3 at;
	vfq turn;
} wp_seen_pose;

/* The upper bound that was found last, and how far any point of the smaller body may have moved since then, seen from the larger
 * one, where it is now. */
WP_INLINE vf wp_moved_to(const wp_kept_rows *t, uint32_t at, const wp_kept *s, wp_seen_pose *now)
{
	vf4 p0, q0;
	vf4_take_two(wp_elements_of(t->anchors, WP_TRACKED_BYTES), t->tracked + at, WP_KEPT_POSITION, &p0, &q0);
	const vfq a = s->a.turn, b = s->b.turn, q = vfq_relative(a, b);
	const vfq back = {vf_neg(vf_select(s->turns_a, b.x, a.x)), vf_neg(vf_select(s->turns_a, b.y, a.y)),
		vf_neg(vf_select(s->turns_a, b.z, a.z)), vf_select(s->turns_a, b.w, a.w)};
	const vf twice = vf_select(s->turns_a, s->b.twice, s->a.twice);
	const vf3 p = wp_turn_by(back, twice, vf3_select(s->turns_a, vf3_neg(s->way), s->way));
	/* The relative rotation of the other way about is the conjugate, at the same distance from the conjugate of then. */
	const vf unit = vf_div(vf_set(1.0f), vf_sqrt(vfq_length2(q)));
	const vf same = vf_add(vf_add(vf_mul(q.x, q0.x), vf_mul(q.y, q0.y)), vf_add(vf_mul(q.z, q0.z), vf_mul(q.w, q0.w)));
	const vf scale = vf_with_sign(unit, same);
	const vfq r = {vf_mul(q.x, scale), vf_mul(q.y, scale), vf_mul(q.z, scale), vf_mul(q.w, scale)};
	const vfq turned = {vf_sub(r.x, q0.x), vf_sub(r.y, q0.y), vf_sub(r.z, q0.z), vf_sub(r.w, q0.w)};
	*now = (wp_seen_pose){p, r};
	const vf turn = vf_mul(vf_mul(vf_set(2.0f), vf_abs(s->reach)), vf_sqrt(vfq_length2(turned)));
	return vf_add(p0.w, vf_add(vf3_length(vf3_sub(p, (vf3){p0.x, p0.y, p0.z})), turn));
}

/* The points of a block. */
typedef struct wp_reuse_points {
	int most; /* points of a pair; all have so many, or the block is mixed */
	bool is_mixed;
	vf33 turn[2]; /* of A and B */
	vf3 arm_a[WP_KEPT_POINT_MAX], arm_b[WP_KEPT_POINT_MAX];
	vf separation[WP_KEPT_POINT_MAX]; /* infinite where a pair has no such point */
	vf least, nearest2;               /* separation; squared distance of a point of A from the one of B */
	vf slid2;                         /* the largest square of its part across the normal */
} wp_reuse_points;

/* The pairs that have a point. In one lane there is a loop for as many as the pair has. */
WP_INLINE vm wp_has_point(vi count, int k) { return WP_WIDTH == 1 ? vm_all() : vi_gt(count, vi_set(k)); }

/* Read the points, and find where they are now. A manifold has room for all points, so what is read of a point that a pair does
 * not have is any number. */
WP_INLINE void wp_reuse_points_of(
	const wp_kept *s, const unsigned char *const manifolds[WP_WIDTH], vf3 n, wp_reuse_points *p)
{
	p->turn[0] = vfq_to_matrix_by(s->a.turn, s->a.twice);
	p->turn[1] = vfq_to_matrix_by(s->b.turn, s->b.twice);
	while (p->is_mixed && p->most < WP_KEPT_POINT_MAX && vm_any(vi_gt(s->count, vi_set(p->most))))
		p->most++;
	p->least = p->nearest2 = vf_set(WP_INFINITY);
	p->slid2 = vf_zero();
	WP_ROLLED
	for (int k = 0; k < p->most; k++) {
		const vm has = wp_has_point(s->count, k);
		vf4 a, b;
		vf4_take_rows(manifolds, WP_KEPT_PLACES + k * WP_KEPT_POINT_BYTES, &a, &b);
		p->arm_a[k] = vf33_apply(&p->turn[0], (vf3){a.x, a.y, a.z});
		p->arm_b[k] = vf33_apply(&p->turn[1], (vf3){b.x, b.y, b.z});
		const vf3 between = vf3_add(s->way, vf3_sub(p->arm_b[k], p->arm_a[k]));
		const vf along = vf3_dot(between, n), between2 = vf3_dot(between, between);
		const vf slid2 = vf_sub(between2, vf_mul(along, along));
		p->separation[k] = vf_select(has, along, vf_set(WP_INFINITY));
		p->least = vf_min(p->least, p->separation[k]);
		p->nearest2 = vf_min(p->nearest2, vf_select(has, between2, vf_set(WP_INFINITY)));
		p->slid2 = vf_max(p->slid2, vf_select(has, slid2, vf_zero()));
	}
}

/* Write what changed of the points of the lanes in `keeps`. Lanes without a point write elsewhere. */
WP_INLINE void wp_move_kept(
	unsigned char *const manifolds[WP_WIDTH], vi count, vm keeps, vf3 n, const wp_reuse_points *p)
{
	unsigned char unused[WP_KEPT_MANIFOLD_BYTES], *redirected[WP_WIDTH];
	unsigned char *const *to = manifolds;
	if (vm_bits(keeps) != WP_ALL_LANES || p->is_mixed) {
		wp_redirect(manifolds, keeps, unused, redirected);
		to = redirected;
	}
	vf4_put(to, WP_KEPT_COUNT, (vf4){n.x, n.y, n.z, vf_from_bits(count)});
	WP_ROLLED
	for (int k = 0; k < p->most; k++) {
		const vf3 a = p->arm_a[k], b = p->arm_b[k];
		const int first = WP_KEPT_POINTS + k * WP_KEPT_POINT_BYTES, second = first + 16;
		const vi age = vi_from_bits(vf4_take((const unsigned char *const *)manifolds, 1, second).w);
		const vi older = vi_select(vi_eq(age, vi_set(-1)), age, vi_add(age, vi_set(1)));
		if (p->is_mixed)
			wp_redirect(manifolds, vm_and(keeps, wp_has_point(count, k)), unused, redirected);
		vf4_put_rows(to, first, (vf4){a.x, a.y, a.z, p->separation[k]}, (vf4){b.x, b.y, b.z, vf_from_bits(older)});
	}
}

/* The largest of `count` values: how far out vertices are along a direction, or how far a place is above planes. Columns are
 * `stride` numbers apart, and padded by repetitions to whole vectors. */
WP_NOINLINE float wp_top_of_columns(const float *x, uint32_t count, uint32_t stride, const float to[3], bool are_planes)
{
	const float *const y = x + stride, *const z = y + stride;
	const vf3 d = {vf_set(to[0]), vf_set(to[1]), vf_set(to[2])};
	vf most = vf_set(-WP_INFINITY);
	for (uint32_t i = 0; i < count; i += WP_WIDTH) {
		const vf along = vf3_dot(vf3_load(x + i, y + i, z + i), d);
		most = vf_max(most, are_planes ? vf_sub(along, vf_load(z + stride + i)) : along);
	}
	return vf_top_number(most);
}

/* What the pairs' bodies of one side see: the other body, and the deepest point of it. */
typedef struct wp_sight {
	WP_VECTOR_ALIGN float direction[3][WP_WIDTH]; /* towards the other body */
	WP_VECTOR_ALIGN float place[3][WP_WIDTH];     /* further inwards than that point */
	WP_VECTOR_ALIGN float reach[WP_WIDTH];        /* of the core along the direction, at most */
	WP_VECTOR_ALIGN float
		depth[WP_WIDTH]; /* of the place in the core, at least; of boxes and segments, also outside, of the
	                                             point, and the way inwards more */
} wp_sight;

WP_INLINE void wp_put_seen(float column[3][WP_WIDTH], vf3 v)
{
	vf_store(column[0], v.x);
	vf_store(column[1], v.y);
	vf_store(column[2], v.z);
}

/* How far a place is inside of a box, by its sides; outside, less its distance. */
WP_INLINE vf wp_depth_in_box(vf3 half, vf3 place)
{
	const vf3 beside = {
		vf_sub(vf_abs(place.x), half.x), vf_sub(vf_abs(place.y), half.y), vf_sub(vf_abs(place.z), half.z)};
	const vf3 out = {vf_max(beside.x, vf_zero()), vf_max(beside.y, vf_zero()), vf_max(beside.z, vf_zero())};
	const vf most = vf_max(vf_max(beside.x, beside.y), beside.z);
	return vf_neg(vf_select(vf_gt(most, vf_zero()), vf3_length(out), most));
}

/* Which ends of the brackets of a block are to be found, a bit for each lane. */
typedef struct wp_bracket_ends {
	uint32_t lower, upper;
} wp_bracket_ends;

/* The numbers of a core that is no box, as far as they are wanted. A hull bounds the depth of what is inside all planes of its
 * faces. */
WP_INLINE void wp_see_core(const wp_core *core, uint32_t lane, wp_bracket_ends wanted, wp_sight *sight)
{
	if (core->kind == WP_CORE_BOX || core->kind == WP_CORE_SEGMENT)
		return;
	const float at[3] = {sight->place[0][lane], sight->place[1][lane], sight->place[2][lane]};
	sight->depth[lane] = core->kind == WP_CORE_HALF_SPACE ? -at[1] : -WP_INFINITY;
	if (core->kind == WP_CORE_HALF_SPACE)
		sight->reach[lane] = WP_INFINITY;
	if (core->kind != WP_CORE_HULL)
		return;
	if ((wanted.lower >> lane & 1) != 0) {
		const float to[3] = {sight->direction[0][lane], sight->direction[1][lane], sight->direction[2][lane]};
		sight->reach[lane] = wp_top_of_columns(core->vertices, core->count, core->padded, to, false);
	}
	if (core->has_planes == 0 || (wanted.upper >> lane & 1) == 0)
		return;
	const float above = wp_top_of_columns(core->normals, core->face_count, wp_padded_faces(core), at, true);
	if (above <= 0.0f)
		sight->depth[lane] = -above;
}

/* What the bodies of a side (0: A) see, where it is wanted, of bodies along n, which have a point at `way` from them, both in
 * world axes, and look at a place so far inwards from it. Reach and depth include their radii. Vectors by their addresses: as arguments
 * they would be copied by halves, and whole loads would wait for both. */
WP_NOINLINE void wp_see(const wp_kept *s, const wp_core *const *cores, int side, wp_bracket_ends wanted, const vf3 *n,
	const vf3 *way, const vf *inwards, wp_sight *sight)
{
	const vfq q = side ? s->b.turn : s->a.turn, back = {vf_neg(q.x), vf_neg(q.y), vf_neg(q.z), q.w};
	const vf twice = side ? s->b.twice : s->a.twice;
	const vf4 head = vf4_take((const unsigned char *const *)cores, 1, offsetof(wp_core, half));
	const vf3 half = {head.x, head.y, head.z}, point = wp_turn_by(back, twice, *way);
	const vf3 d = wp_turn_by(back, twice, *n);
	wp_put_seen(sight->direction, d);
	wp_put_seen(sight->place, vf3_sub(point, vf3_scale(d, *inwards)));
	vf_store(sight->reach, vf3_dot(half, (vf3){vf_abs(d.x), vf_abs(d.y), vf_abs(d.z)}));
	vf_store(sight->depth, vf_add(wp_depth_in_box(half, point), *inwards));
	for (uint32_t bits = wanted.lower | wanted.upper; bits != 0; bits &= bits - 1) {
		const uint32_t lane = wp_lowest_bit(bits);
		wp_see_core(cores[lane], lane, wanted, sight);
	}
	vf_store(sight->reach, vf_add(vf_load(sight->reach), head.w));
	vf_store(sight->depth, vf_add(vf_load(sight->depth), head.w));
}

/* A point of each body, as arms. */
typedef struct wp_reuse_spot {
	vf3 arm_a, arm_b;
} wp_reuse_spot;

WP_INLINE wp_reuse_spot wp_deepest_of(const wp_reuse_points *p)
{
	wp_reuse_spot spot = {p->arm_a[0], p->arm_b[0]};
	vf least = p->separation[0];
	WP_ROLLED
	for (int k = 1; k < p->most; k++) {
		const vm deeper = vf_lt(p->separation[k], least);
		least = vf_min(p->separation[k], least);
		spot.arm_a = vf3_select(deeper, p->arm_a[k], spot.arm_a);
		spot.arm_b = vf3_select(deeper, p->arm_b[k], spot.arm_b);
	}
	return spot;
}

/* Points between the deepest ones and the means of all: so far from where sides meet squarely that a ball of the pair's depth
 * touches none of them. */
WP_INLINE wp_reuse_spot wp_inner_of(const wp_reuse_points *p, vi count, const wp_reuse_spot *deepest)
{
	const vf way = vf_mul(vf_set(WP_REUSE_INWARD), p->least);
	vf number = vf_set(1.0f);
	vf3 sum_a = p->arm_a[0], sum_b = p->arm_b[0];
	WP_ROLLED
	for (int k = 1; k < p->most; k++) {
		const vm has = wp_has_point(count, k);
		number = vf_select(has, vf_add(number, vf_set(1.0f)), number);
		sum_a = vf3_select(has, vf3_add(sum_a, p->arm_a[k]), sum_a);
		sum_b = vf3_select(has, vf3_add(sum_b, p->arm_b[k]), sum_b);
	}
	const vf share = vf_div(vf_set(1.0f), number);
	const vf3 in_a = vf3_sub(vf3_scale(sum_a, share), deepest->arm_a);
	const vf3 in_b = vf3_sub(vf3_scale(sum_b, share), deepest->arm_b);
	const vf length = vf_max(vf3_length(in_a), vf_set(WP_KEPT_REACH_MIN));
	const vf part = vf_min(vf_max(vf_neg(vf_div(way, length)), vf_zero()), vf_set(1.0f));
	return (wp_reuse_spot){
		vf3_add(deepest->arm_a, vf3_scale(in_a, part)), vf3_add(deepest->arm_b, vf3_scale(in_b, part))};
}

WP_INLINE vf wp_reuse_told(const wp_reuse_points *p, vf lower, vf upper)
{
	return vf_min(vf_max(p->least, lower), upper);
}

/* Sharper ends of brackets, where they are in `wide`, from the shapes: from below by the supports of both along the normal, from above
 * by how deep the deepest point of either body is in the other one; and where that is not enough, by the normal as the smaller body
 * carries it, whose face it may be, and by a point further in. */
WP_INLINE void wp_sharpen_bracket(const wp_kept *s, const wp_kept_rows *t, const wp_kept_names *names, vm wide_lower,
	vm wide_upper, vf3 n, const wp_reuse_points *p, vf slack, vf *lower, vf *upper)
{
	const vf error = vf_set(t->limits.error), size = s->a.beside;
	const vf longest = vf_mul(size, vf_set(WP_REUSE_INWARDS_MAX));
	const vf inside = vf_mul(vf_min(error, longest), vf_set(WP_REUSE_INSIDE));
	const vf3 carried[2] = {n, wp_sharpen(vf3_select(s->turns_a, s->a.normal, s->b.normal))};
	const wp_reuse_spot deepest = wp_deepest_of(p);
	wp_reuse_spot spot = deepest;
	WP_ROLLED
	for (int look = 0; look < 2; look++) {
		const wp_bracket_ends wanted = {vm_bits(wide_lower), vm_bits(wide_upper)};
		const vf3 axis = carried[look], between = vf3_add(s->way, vf3_sub(spot.arm_b, spot.arm_a));
		const vf across = vf_max(vf_add(vf3_dot(between, axis), inside), vf_zero());
		const vf inwards = vf_select(vf_le(across, longest), across, vf_zero());
		vf apart = vf_sub(vf3_dot(axis, s->way), slack), depth = vf_set(-WP_INFINITY);
		WP_ROLLED
		for (int side = 0; side < 2; side++) {
			const wp_core *cores[WP_WIDTH];
			wp_sight sight;
			for (int lane = 0; lane < WP_WIDTH; lane++)
				cores[lane] = t->limits.cores + names->shape[side][lane];
			const vf3 along = side ? vf3_neg(axis) : axis;
			const vf3 way = side ? vf3_sub(spot.arm_a, s->way) : vf3_add(s->way, spot.arm_b);
			wp_see(s, cores, side, wanted, &along, &way, &inwards, &sight);
			apart = vf_sub(apart, vf_load(sight.reach));
			depth = vf_max(depth, vf_load(sight.depth));
		}
		const vf beyond = vf_add(inwards, vf_mul(slack, vf_set(3.0f)));
		*lower = vf_select(wide_lower, vf_max(*lower, apart), *lower);
		*upper = vf_select(wide_upper, vf_min(*upper, vf_sub(beyond, depth)), *upper);
		const vf told = wp_reuse_told(p, *lower, *upper);
		wide_lower = vm_andnot(wide_lower, vf_le(vf_sub(told, *lower), error));
		wide_upper = vm_andnot(wide_upper, vf_le(vf_sub(*upper, told), error));
		/* Of a pair's only point nothing is further in, whatever other pairs of the block have. */
		wide_upper = vm_and(wide_upper, vi_gt(s->count, vi_set(1)));
		if (!vm_any(vm_or(wide_lower, wide_upper)))
			return;
		spot = wp_inner_of(p, s->count, &deepest);
	}
}

/* Two boxes in the frame of A, in units of the reach of both. Returns the sum of their radii. */
WP_INLINE vf wp_see_boxes(
	const wp_kept *s, const wp_kept_rows *t, const wp_kept_names *names, const vf33 turn[2], wp_boxes *b)
{
	const wp_elements cores = wp_elements_of((const unsigned char *)t->limits.cores, sizeof *t->limits.cores);
	const vf4 a = vf4_take_four(cores, names->shape[0]), c = vf4_take_four(cores, names->shape[1]);
	const vf unit = vf_div(vf_set(1.0f), s->a.beside);
	const vf3 half_a = vf3_scale((vf3){a.x, a.y, a.z}, unit), half_b = vf3_scale((vf3){c.x, c.y, c.z}, unit);
	const vf3 offset = vf3_scale(vf33_apply_transposed(&turn[0], s->way), unit);
	*b = (wp_boxes){.half_a = {half_a.x, half_a.y, half_a.z},
		.half_b = {half_b.x, half_b.y, half_b.z},
		.offset = {offset.x, offset.y, offset.z}};
	for (int j = 0; j < 3; j++) {
		const vf3 axis = vf33_apply_transposed(&turn[0], vf33_axis(&turn[1], j));
		b->axis_b[j][0] = axis.x;
		b->axis_b[j][1] = axis.y;
		b->axis_b[j][2] = axis.z;
	}
	return vf_add(a.w, c.w);
}

/* The largest separation along the 15 axes. */
#if WP_ONE_LANE_QUADS
WP_INLINE float wp_top_of_axes(const wp_boxes *b)
{
	wp_box_choice best;
	float top;
	const wp_quad axis[3] = {wp_quad_of(b->axis_b[0][0], b->axis_b[0][1], b->axis_b[0][2], 0.0f),
		wp_quad_of(b->axis_b[1][0], b->axis_b[1][1], b->axis_b[1][2], 0.0f),
		wp_quad_of(b->axis_b[2][0], b->axis_b[2][1], b->axis_b[2][2], 0.0f)};
	const wp_box_quads quads = {.half_a = wp_quad_of(b->half_a[0], b->half_a[1], b->half_a[2], 0.0f),
		.half_b = wp_quad_of(b->half_b[0], b->half_b[1], b->half_b[2], 0.0f),
		.offset = wp_quad_of(b->offset[0], b->offset[1], b->offset[2], 0.0f),
		.axis_b = {axis[0], axis[1], axis[2]},
		.row = {wp_quad_of(b->axis_b[0][0], b->axis_b[1][0], b->axis_b[2][0], 0.0f),
			wp_quad_of(b->axis_b[0][1], b->axis_b[1][1], b->axis_b[2][1], 0.0f),
			wp_quad_of(b->axis_b[0][2], b->axis_b[1][2], b->axis_b[2][2], 0.0f)}};
	wp_box_choose_axis(&quads, &best, &top);
	return top;
}
#else
WP_INLINE vf wp_top_of_axes(const wp_boxes *b)
{
	wp_box_axis face;
	wp_box_cross best;
	wp_box_faces(b, &face);
	wp_box_best_cross(b, &best);
	const vf inverse = vf_div(vf_set(1.0f), vf_sqrt(best.length2));
	return vf_max(vf_mul(best.excess, inverse), face.separation);
}
#endif

/* The largest separation of the cores of boxes along their 15 axes, and the sum of their radii. */
WP_NOINLINE void wp_top_of_boxes(
	const wp_kept *s, const wp_kept_rows *t, const wp_kept_names *names, const vf33 turn[2], vf *top, vf *radii)
{
	wp_boxes b;
	*radii = wp_see_boxes(s, t, names, turn, &b);
	*top = vf_mul(wp_top_of_axes(&b), s->a.beside);
}

/* Sharper ends of the brackets of boxes, by their axes, but not beyond what is told. Returns where boxes overlap: no other look does
 * better there. */
WP_INLINE vm wp_bound_boxes(const wp_kept *s, const wp_kept_rows *t, const wp_kept_names *names,
	const wp_reuse_points *p, vf slack, vf *lower, vf *upper)
{
	vf top, radii;
	wp_top_of_boxes(s, t, names, p->turn, &top, &radii);
	const vf told = wp_reuse_told(p, *lower, *upper), off = vf_mul(slack, vf_set(4.0f)), apart = vf_sub(top, radii);
	const vm overlap = vf_lt(top, vf_neg(off));
	*lower = vf_max(*lower, vf_min(vf_sub(apart, off), told));
	*upper = vf_select(overlap, vf_min(*upper, vf_max(vf_add(apart, off), told)), *upper);
	return overlap;
}

/* Lower upper bounds in the lanes `wanted` by kept polytopes, to what is enough. */
WP_NOINLINE void wp_bound_deep(const wp_kept_rows *t, uint32_t at, const wp_kept *s, const wp_kept_names *names,
	uint32_t wanted, const vf *slack, const vf *enough, vf *upper)
{
	const vfq turn[2] = {s->a.turn, s->b.turn};
	wp_deep_pairs pairs;
	pairs.wanted = wanted;
	pairs.tracked = t->tracked + at;
	for (int side = 0; side < 2; side++) {
		pairs.shape[side] = names->shape[side];
		pairs.known_by[side] = t->serial.data != NULL ? names->serial[side] : names->shape[side];
		vf_store(pairs.turn[side][0], turn[side].x);
		vf_store(pairs.turn[side][1], turn[side].y);
		vf_store(pairs.turn[side][2], turn[side].z);
		vf_store(pairs.turn[side][3], turn[side].w);
	}
	vf3_store(pairs.way[0], pairs.way[1], pairs.way[2], s->way);
	vf_store(pairs.slack, *slack);
	vf_store(pairs.enough, *enough);
	vf_store(pairs.upper, *upper);
	WP_KEPT_POLYTOPE_TABLE.bound(t, &pairs);
	*upper = vf_load(pairs.upper);
}

/* The status of pairs whose separation is within a bracket, which is wider than a query's. */
WP_INLINE vi wp_status_of_bracket(vf lower, vf upper)
{
	const vm apart = vf_gt(lower, vf_zero()), overlaps = vf_lt(upper, vf_zero());
	const vi touching = vi_set(WP_JOB_TOUCHING | WP_JOB_WIDE_BRACKET);
	const vi status = vi_select(overlaps, vi_set(WP_JOB_PENETRATING | WP_JOB_WIDE_BRACKET), touching);
	return vi_select(apart, vi_set(WP_JOB_SEPARATED | WP_JOB_WIDE_BRACKET), status);
}

_Static_assert((int)WP_KEPT_ROTATION == (int)WP_KEPT_POSITION + 16, "one row after the other");

#define WP_ANCHOR_BYTES 32 /* of both rows */

/* Keep where the smaller body is in the lanes of `sharp`, which are some, and the upper bound there, from which it may move. */
WP_NOINLINE void wp_move_anchor(const wp_kept_rows *t, uint32_t at, vm sharp, const wp_seen_pose *now, vf upper)
{
	const vf4 position = {now->at.x, now->at.y, now->at.z, upper};
	const vf4 rotation = {now->turn.x, now->turn.y, now->turn.z, now->turn.w};
#if WP_WASM
	wp_put_row(t->anchors, t->tracked + at, sharp, WP_KEPT_POSITION, position);
	wp_put_row(t->anchors, t->tracked + at, sharp, WP_KEPT_ROTATION, rotation);
#else
	/* Few lanes are: no address is found for the others. */
	WP_VECTOR_ALIGN unsigned char rows[WP_WIDTH][WP_ANCHOR_BYTES];
	unsigned char *to[WP_WIDTH];
	for (int lane = 0; lane < WP_WIDTH; lane++)
		to[lane] = rows[lane];
	vf4_put_rows(to, 0, position, rotation);
	for (uint32_t bits = WP_WIDTH > 1 ? vm_bits(sharp) : 1; bits != 0; bits &= bits - 1) {
		const uint32_t lane = wp_lowest_bit(bits);
		const wp_elements anchors = wp_elements_of(t->anchors, WP_TRACKED_BYTES);
		unsigned char *const anchor = (unsigned char *)wp_element(anchors, t->tracked[at + lane]);
		wp_copy_bytes(anchor + WP_KEPT_POSITION, rows[lane], WP_ANCHOR_BYTES);
	}
#endif
}

/* Find the points of a block anew. Returns the pairs that keep them. */
WP_INLINE uint32_t wp_reuse_block(const wp_kept_rows *t, uint32_t at, float *known)
{
	wp_kept_names names;
	wp_kept kept;
	wp_reuse_points points;
	const uint32_t *const tracked = t->tracked + at;
	unsigned char *manifolds[WP_WIDTH];
	wp_seen_pose now;
	vf3 axis;
	vf moved = vf_set(WP_INFINITY);
	if (!wp_kept_of(t, at, t->anchors, &names, &kept))
		return 0;
	const vf slack = wp_slack_of(kept.way, kept.a.beside), error = vf_set(t->limits.error);
	vf lower = wp_kept_lower(&kept, slack, &axis);
	if (!t->are_boxes)
		moved = wp_moved_to(t, at, &kept, &now);
	const vf3 n = wp_sharpen(axis);
	wp_find_elements(wp_elements_of(t->manifolds, WP_KEPT_MANIFOLD_BYTES), tracked, manifolds);
	points.most = (int)t->points;
	points.is_mixed = t->points == 0;
	wp_reuse_points_of(&kept, (const unsigned char *const *)manifolds, n, &points);
	const vf apart = vf_add(vf_sqrt(points.nearest2), vf_add(slack, slack));
	vf upper = vf_add(vf_min(moved, apart), slack);
	/* Where a corner goes over an edge the separation tells nothing of the normal. */
	const vf3 lean = vf3_sub(kept.a.normal, kept.b.normal);
	const vm valid = vm_andnot(kept.valid, vf_gt(vf3_dot(lean, lean), vf_set(t->limits.lean2)));
	vm open = valid;
	if (t->are_boxes)
		open = vm_andnot(open, wp_bound_boxes(&kept, t, &names, &points, slack, &lower, &upper));
	vf told = wp_reuse_told(&points, lower, upper);
	const vm wide_lower = vm_andnot(open, vf_le(vf_sub(told, lower), error));
	const vm wide_upper = vm_andnot(open, vf_le(vf_sub(upper, told), error));
	if (vm_any(vm_or(wide_lower, wide_upper))) {
		wp_sharpen_bracket(&kept, t, &names, wide_lower, wide_upper, n, &points, slack, &lower, &upper);
		told = wp_reuse_told(&points, lower, upper);
		if (t->polytopes != NULL && !t->are_boxes) {
			/* A polytope bounds pairs that moved by less than they are deep: hardly any that are as shallow as the error. */
			const vf enough = vf_add(told, error);
			const vm deep = vm_and(vm_andnot(wide_upper, vf_le(upper, enough)), vf_lt(enough, vf_zero()));
			if (vm_any(deep))
				wp_bound_deep(t, at, &kept, &names, vm_bits(deep), &slack, &enough, &upper);
			told = wp_reuse_told(&points, lower, upper);
		}
	}
	/* The deepest point itself is as near to the truth: bounds by balls or along another axis tell nothing of the points. */
	const vm near = vm_and(vf_le(vf_sub(points.least, lower), error), vf_le(vf_sub(upper, points.least), error));
	const vm in_place = vm_andnot(valid, vf_gt(points.slid2, vf_set(t->limits.slide2)));
	const vm keeps = vm_and(vm_and(near, in_place), vf_le(told, vf_set(t->limits.max_separation)));
	const vm sharp = vm_and(keeps, wide_upper);
	if (!t->are_boxes && vm_any(sharp))
		wp_move_anchor(t, at, sharp, &now, vf_add(upper, slack));
	const vf status = vf_from_bits(wp_status_of_bracket(lower, upper));
	if (vm_any(keeps)) {
		wp_move_kept(manifolds, kept.count, keeps, n, &points);
		wp_put_told(t, at, keeps, (vf4){kept.reach, told, status, vf_from_bits(wp_word_of(WP_JOB_REUSED, kept.count))});
	}
	if (known != NULL)
		wp_put_known(known, (vf4){told, lower, upper, status}, n);
	return vm_bits(keeps);
}

/* Find the points of all pairs anew. */
WP_INLINE uint64_t wp_reuse_run(const wp_kept_rows *t, uint32_t count, float *known)
{
	uint64_t keeps = 0;
	for (uint32_t at = 0; at < count; at += WP_WIDTH)
		keeps |= (uint64_t)wp_reuse_block(t, at, known == NULL ? NULL : known + WP_KNOWN_OUTPUT_COUNT * at) << at;
	return keeps;
}

#endif
