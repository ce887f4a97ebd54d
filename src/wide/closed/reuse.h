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
WP_INLINE vf wp_moved_by(const wp_kept *s, const float *input, vi quad)
{
	const vf4 p0 = wp_load_kept(input, quad, WP_REUSE_POSITION), q0 = wp_load_kept(input, quad, WP_REUSE_ROTATION);
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

/* Four floats of each lane's points, from number `at` of them on. */
WP_INLINE vf4 wp_load_points(const float *input, vi quad, uint32_t at)
{
	return wp_load_kept(input, quad, WP_REUSE_POINTS + at);
}

/* The points of a pair on A and on B, in the frames of their bodies. */
typedef struct wp_reuse_points {
	vf3 a[WP_REUSE_POINT_MAX], b[WP_REUSE_POINT_MAX];
} wp_reuse_points;

WP_INLINE void wp_reuse_points_of(const float *input, vi quad, wp_reuse_points *p)
{
	for (uint32_t k = 0; k < WP_REUSE_POINT_MAX; k += 2) {
		const vf4 x = wp_load_points(input, quad, 3 * k / 2), y = wp_load_points(input, quad, 3 * k / 2 + 1);
		const vf4 z = wp_load_points(input, quad, 3 * k / 2 + 2);
		p->a[k] = (vf3){x.x, x.y, x.z};
		p->b[k] = (vf3){x.w, y.x, y.y};
		p->a[k + 1] = (vf3){y.z, y.w, z.x};
		p->b[k + 1] = (vf3){z.y, z.z, z.w};
	}
}

WP_INLINE void wp_put_reused(float *output, uint32_t row, vf4 four)
{
	vf4_store(output + 4 * row, WP_REUSE_OUTPUT_COUNT, four);
}

/* Find the points of a block anew. */
WP_INLINE void wp_reuse_block(const float *input, vi quad, vf error, float *output)
{
	wp_kept kept;
	wp_reuse_points points;
	vf3 axis;
	wp_kept_of(input, quad, &kept);
	wp_reuse_points_of(input, quad, &points);
	const vf lower = wp_kept_lower(&kept, &axis);
	const vf3 n = vf3_unit(vf3_add(kept.m, kept.k), axis);
	vf least = vf_set(__builtin_inff()), nearest2 = least;
	for (uint32_t i = 0; i < WP_REUSE_POINT_MAX; i++) {
		const vf3 a = wp_turn_by(kept.turn_a, kept.twice_a, points.a[i]);
		const vf3 b = wp_turn_by(kept.turn_b, kept.twice_b, points.b[i]);
		const vf3 between = vf3_add(kept.way, vf3_sub(b, a));
		const vf separation = vf3_dot(between, n);
		least = vf_min(least, separation);
		nearest2 = vf_min(nearest2, vf3_dot(between, between));
		wp_put_reused(output, WP_REUSE_ARMS + 2 * i, (vf4){a.x, a.y, a.z, separation});
		wp_put_reused(output, WP_REUSE_ARMS + 2 * i + 1, (vf4){b.x, b.y, b.z, vf_zero()});
	}
	const vf moved = vf_add(kept.upper, wp_moved_by(&kept, input, quad));
	const vf apart = vf_add(vf_sqrt(nearest2), vf_add(kept.slack, kept.slack));
	const vf upper = vf_add(vf_min(moved, apart), kept.slack);
	const vf told = vf_min(vf_max(least, lower), upper);
	const vm near = vm_and(vf_le(vf_sub(told, lower), error), vf_le(vf_sub(upper, told), error));
	const vf keeps = vf_select(vm_and(near, kept.valid), vf_set(1.0f), vf_zero());
	wp_put_reused(output, WP_REUSE_SEPARATION, (vf4){told, lower, upper, keeps});
	wp_put_reused(output, WP_REUSE_NORMAL, (vf4){n.x, n.y, n.z, vf_zero()});
}

/* Find the points of all pairs anew. */
WP_INLINE void wp_reuse_run(const float *input, uint32_t count, float error, float *output)
{
	for (uint32_t at = 0; at < count; at += WP_WIDTH) {
		const vi quad = wp_kept_rows(WP_REUSE_COUNT, count - at);
		wp_reuse_block(input + (size_t)4 * WP_REUSE_COUNT * at, quad, vf_set(error),
			output + (size_t)4 * WP_REUSE_OUTPUT_COUNT * at);
	}
}

#endif
