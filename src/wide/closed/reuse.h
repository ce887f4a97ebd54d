/* Pairs that touched, their points found anew from the poses, with a proven bracket of the separation.
 *
 * From below the plane bounds the separation (kept.h), which may be negative. From above: moving one shape moves the
 * separation by no more than any of its points. Seen from the body with the larger core, the other one has been moved from p0
 * to p, and turned from q0 to q, which moves a point of its core by at most |p - p0| + 2 R sin(angle / 2), and
 *     2 sin(angle / 2) <= 2 |q - q0|,   where q is of the sign that makes this least;
 * points of its ball move as their centres do. Nor are shapes further apart than a point of one from a point of the other,
 * and each pair of kept points is that, but on either side for WP_CONTRACT_MANIFOLD of the size, of which the separation that
 * they were found with is a part: no more than twice the slack.
 * Rounding: p is off by 47u D, |p - p0| by 4u of itself besides, the components of q by 9u each, their distance by 18u: 36u R.
 * WP_KEPT_SLACK covers that as it covers the plane's. */
#ifndef WP_WIDE_CLOSED_REUSE_H
#define WP_WIDE_CLOSED_REUSE_H

#include "wide/closed/kept.h"

/* How far any point of the smaller body may have moved, seen from the larger one. */
WP_INLINE vf wp_moved_by(const wp_kept *s, vf4 p0, vf4 q0)
{
	const vfq a = s->turn_a, b = s->turn_b;
	const vfq back_a = {vf_neg(a.x), vf_neg(a.y), vf_neg(a.z), a.w},
			  back_b = {vf_neg(b.x), vf_neg(b.y), vf_neg(b.z), b.w};
	const vf3 p = vf3_select(
		s->turns_a, wp_turn_by(back_b, s->twice_b, vf3_neg(s->way)), wp_turn_by(back_a, s->twice_a, s->way));
	const vfq q = vfq_relative(a, b);
	/* The relative rotation of the other way about is the conjugate, at the same distance from the conjugate of then. */
	const vf unit = vf_div(vf_set(1.0f), vf_sqrt(vfq_length2(q)));
	const vf same = vf_add(vf_add(vf_mul(q.x, q0.x), vf_mul(q.y, q0.y)), vf_add(vf_mul(q.z, q0.z), vf_mul(q.w, q0.w)));
	const vf scale = vf_with_sign(unit, same);
	const vfq turned = {vf_sub(vf_mul(q.x, scale), q0.x), vf_sub(vf_mul(q.y, scale), q0.y),
		vf_sub(vf_mul(q.z, scale), q0.z), vf_sub(vf_mul(q.w, scale), q0.w)};
	const vf turn = vf_mul(vf_mul(vf_set(2.0f), s->lever), vf_sqrt(vfq_length2(turned)));
	return vf_add(vf3_length(vf3_sub(p, (vf3){p0.x, p0.y, p0.z})), turn);
}

/* The points of a block. */
typedef struct wp_reuse_points {
	int most; /* points of a pair */
	/* Where each is, in bytes from the manifold; the first one stands for those that a pair does not have. */
	WP_VECTOR_ALIGN int32_t offset[WP_KEPT_POINT_MAX][WP_WIDTH];
	vf3 arm_a[WP_KEPT_POINT_MAX], arm_b[WP_KEPT_POINT_MAX];
	vf separation[WP_KEPT_POINT_MAX];
	vf least, nearest2; /* separation; squared distance of a point of A from the one of B */
} wp_reuse_points;

/* Read the points, and find where they are now. */
WP_INLINE void wp_reuse_points_of(const wp_kept *s, const wp_kept_pairs *pairs, uint32_t at, vf3 n, wp_reuse_points *p)
{
	const vi count = vi_load(pairs->count + at), first = vi_set(WP_KEPT_POINTS);
	p->most = vi_top(count);
	p->least = p->nearest2 = vf_set(WP_INFINITY);
	for (int k = 0; k < p->most; k++) {
		const unsigned char *from[WP_WIDTH];
		const vi it = vi_set(WP_KEPT_POINTS + k * WP_KEPT_POINT_BYTES);
		vi_store(p->offset[k], vi_select(vi_gt(count, vi_set(k)), it, first));
		for (int lane = 0; lane < WP_WIDTH; lane++)
			from[lane] = pairs->manifold[at + (uint32_t)lane] + p->offset[k][lane];
		const vf4 a = vf4_take(from, WP_KEPT_LOCAL_A), b = vf4_take(from, WP_KEPT_LOCAL_B - 4);
		p->arm_a[k] = wp_turn_by(s->turn_a, s->twice_a, (vf3){a.x, a.y, a.z});
		p->arm_b[k] = wp_turn_by(s->turn_b, s->twice_b, (vf3){b.y, b.z, b.w});
		const vf3 between = vf3_add(s->way, vf3_sub(p->arm_b[k], p->arm_a[k]));
		p->separation[k] = vf3_dot(between, n);
		p->least = vf_min(p->least, p->separation[k]);
		p->nearest2 = vf_min(p->nearest2, vf3_dot(between, between));
	}
}

/* Write what changed of the points of the lanes in `keeps`, but for their ages. */
WP_INLINE void wp_move_kept(const wp_kept_pairs *pairs, uint32_t at, uint32_t keeps, vf3 n, const wp_reuse_points *p)
{
	unsigned char unused[WP_KEPT_POINTS + WP_KEPT_POINT_MAX * WP_KEPT_POINT_BYTES], *manifold[WP_WIDTH];
	for (int lane = 0; lane < WP_WIDTH; lane++)
		manifold[lane] = keeps >> lane & 1 ? pairs->manifold[at + (uint32_t)lane] : unused;
	vf4_put(manifold, WP_KEPT_COUNT, (vf4){vf_from_bits(vi_load(pairs->count + at)), n.x, n.y, n.z});
	for (int k = 0; k < p->most; k++) {
		unsigned char *to[WP_WIDTH];
		for (int lane = 0; lane < WP_WIDTH; lane++)
			to[lane] = manifold[lane] + p->offset[k][lane];
		const vf3 a = p->arm_a[k], b = p->arm_b[k];
		vf4_put(to, WP_KEPT_ARM_A, (vf4){a.x, a.y, a.z, b.x});
		vf4_put(to, WP_KEPT_ARM_B, (vf4){b.x, b.y, b.z, p->separation[k]});
	}
}

/* The status of pairs whose separation is within a bracket, which is wider than a query's. */
WP_INLINE vi wp_status_of_bracket(vf lower, vf upper)
{
	const vm apart = vf_gt(lower, vf_zero()), overlaps = vf_lt(upper, vf_zero());
	const vi touching = vi_set(WP_JOB_TOUCHING | WP_JOB_WIDE_BRACKET);
	const vi status = vi_select(overlaps, vi_set(WP_JOB_PENETRATING | WP_JOB_WIDE_BRACKET), touching);
	return vi_select(apart, vi_set(WP_JOB_SEPARATED | WP_JOB_WIDE_BRACKET), status);
}

/* Find the points of a block anew. */
WP_INLINE void wp_reuse_block(const wp_kept_pairs *pairs, uint32_t at, const wp_reuse_limits *limits, float *output)
{
	wp_kept kept;
	wp_reuse_points points;
	vf3 axis;
	wp_kept_of(pairs, at, &kept);
	const vf4 position = vf4_take(pairs->plane + at, WP_KEPT_POSITION);
	const vf slack = wp_kept_slack(&kept, position.w), lower = wp_kept_lower(&kept, slack, &axis);
	const vf moved = vf_add(kept.beside_a, wp_moved_by(&kept, position, vf4_take(pairs->plane + at, WP_KEPT_ROTATION)));
	const vf3 n = vf3_unit(vf3_add(kept.m, kept.k), axis);
	wp_reuse_points_of(&kept, pairs, at, n, &points);
	const vf apart = vf_add(vf_sqrt(points.nearest2), vf_add(slack, slack));
	const vf upper = vf_add(vf_min(moved, apart), slack);
	const vf told = vf_min(vf_max(points.least, lower), upper), error = vf_set(limits->error);
	const vm near = vm_and(vf_le(vf_sub(told, lower), error), vf_le(vf_sub(upper, told), error));
	const vm keeps = vm_and(vm_and(near, kept.valid), vf_le(told, vf_set(limits->max_separation)));
	const vi status = vi_select(keeps, wp_status_of_bracket(lower, upper), vi_zero());
	vf4_store(output, WP_REUSE_OUTPUT_COUNT / 4, (vf4){told, lower, upper, vf_from_bits(status)});
	if (vm_any(keeps))
		wp_move_kept(pairs, at, vm_bits(keeps), n, &points);
}

/* Find the points of all pairs anew. */
WP_INLINE void wp_reuse_run(wp_kept_pairs *pairs, uint32_t count, const wp_reuse_limits *limits, float *output)
{
	wp_repeat_last(pairs, count);
	for (uint32_t at = 0; at < count; at += WP_WIDTH)
		wp_reuse_block(pairs, at, limits, output + (size_t)WP_REUSE_OUTPUT_COUNT * at);
}

#endif
