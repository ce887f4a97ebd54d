/* Pairs that the plane of an earlier proof still separates, by their poses alone: no shape is looked at.
 *
 * The plane was kept as a normal in the frame of A, a, and in the frame of B, b, with a number c: along a, A's shape reaches no
 * further than some h from A's own origin, along b, B's shape no less far than h + c from B's, whatever their poses. Let m
 * be a turned to the world with A, k be b turned with B, t the way from A's position to B's. Along m, A ends h behind its
 * position. A point x of B's core, in world axes from B's position, has m.x >= k.x - |m - k| |x|, so along m the shapes are
 * apart by at least
 *     c + m.t - R |m - k|,   R being the bound of B's core,
 * and by symmetry along k by at least c + k.t - R |m - k| with the bound of A's core. B's ball counts along m as along k, but
 * for their lengths.
 *
 * Rounding, u being half a unit in the last place, D = |t.x| + |t.y| + |t.z|, S both bounds and both radii. Turning a vector
 * of length 1 by a quaternion of length 0.99 to 1.01: its squared length is off by 4u, 2 over that by 5u; each cross product
 * adds 3.5u of the lengths of its factors, so that q x v is off by 3.6u, q x (q x v) by 7.2u, their sum, with w, by 14u; times
 * the factor of at most 2.04 it is off by 41u, with the sum 43u. So m and k are off by 43u, in length too. Of m.t that is 43u D,
 * and 3u D for the products and sums, 1u D for t itself. |m - k| is off by 86u, and by 4u of its length of at most 2: 94u R.
 * B's ball: 86u of its radius. Lengths of m other than 1: 43u of the distance, which is no more than D + S. Three sums: 6u
 * (D + S). Together no more than 96u D + 143u S. When the plane is kept, a and b are found in double and rounded, 1u each, from
 * a normal that is off by 30u: 32u S and 32u D, and c is rounded down. WP_KEPT_SLACK, 167u, is taken from both. */
#ifndef WP_WIDE_CLOSED_KEPT_H
#define WP_WIDE_CLOSED_KEPT_H

#include "wide/job/prepare.h"

/* A vector turned to world axes by a quaternion, `twice` being 2 over its squared length. */
WP_INLINE vf3 wp_turn_by(vfq q, vf twice, vf3 v)
{
	const vf3 axis = {q.x, q.y, q.z}, across = vf3_cross(axis, v);
	const vf3 way = vf3_add(vf3_scale(across, q.w), vf3_cross(axis, across));
	return vf3_add(v, vf3_scale(way, twice));
}

/* Poses, and the kept normal as both bodies carry it. */
typedef struct wp_kept {
	vfq turn_a, turn_b;
	vf twice_a, twice_b; /* 2 over their squared lengths */
	vf3 way;             /* from A's position to B's */
	vf3 m, k;            /* unit but for rounding */
	vf own;              /* how far apart the shapes are along the plane, without the positions */
	vf beside_a;         /* the number after the normal in A's frame */
	vf lever;            /* what may turn against the plane */
	vi count;            /* of points */
	vm turns_a, valid;
} wp_kept;

/* From pair to pair, in addresses and in quads. */
#define WP_KEPT_ADDRESSES ((int)(sizeof(wp_kept_pair) / sizeof(unsigned char *)))
#define WP_KEPT_QUADS ((int)(sizeof(wp_kept_pair) / (4 * sizeof(float))))

WP_INLINE vf4 wp_take_plane(const wp_kept_pair *pairs, int offset)
{
	return vf4_take(&pairs->plane, WP_KEPT_ADDRESSES, offset);
}

/* Of the pairs of a block. Called by both kernels, for the size of the code. */
WP_NOINLINE void wp_kept_of(const wp_kept_pair *pairs, wp_kept *s)
{
	const vf4 pa = vf4_load(pairs->position, WP_KEPT_QUADS), pb = vf4_load(pairs->position + 4, WP_KEPT_QUADS);
	const vf4 b = wp_take_plane(pairs, WP_KEPT_NORMAL_B), a = wp_take_plane(pairs, WP_KEPT_NORMAL_A);
	const vf3 from = {pa.x, pa.y, pa.z}, to = {pb.x, pb.y, pb.z};
	const vf two = vf_set(2.0f);
	s->turn_a = vfq_of(vf4_take(&pairs->rotation_a, WP_KEPT_ADDRESSES, 0));
	s->turn_b = vfq_of(vf4_take(&pairs->rotation_b, WP_KEPT_ADDRESSES, 0));
	const vf length2_a = vfq_length2(s->turn_a), length2_b = vfq_length2(s->turn_b);
	s->valid = vm_and(vm_and(wp_is_position(from), wp_is_position(to)),
		vm_and(wp_is_about_unit(length2_a), wp_is_about_unit(length2_b)));
	s->twice_a = vf_div(two, length2_a);
	s->twice_b = vf_div(two, length2_b);
	s->way = vf3_sub(to, from);
	s->m = wp_turn_by(s->turn_a, s->twice_a, (vf3){a.x, a.y, a.z});
	s->k = wp_turn_by(s->turn_b, s->twice_b, (vf3){b.x, b.y, b.z});
	s->own = b.w;
	s->beside_a = a.w;
	s->lever = vf_abs(pa.w);
	s->turns_a = vf_lt(pa.w, vf_zero());
	s->count = vi_from_bits(pb.w);
}

/* What rounding may have done to a bound. `size` is of both shapes. */
WP_INLINE vf wp_kept_slack(const wp_kept *s, vf size)
{
	const vf extent = vf_add(vf_add(vf_abs(s->way.x), vf_abs(s->way.y)), vf_abs(s->way.z));
	return vf_mul(vf_set(WP_KEPT_SLACK), vf_add(extent, size));
}

/* What the plane proves, and along which normal. */
WP_INLINE vf wp_kept_lower(const wp_kept *s, vf slack, vf3 *axis)
{
	*axis = vf3_select(s->turns_a, s->k, s->m);
	const vf leans = vf_mul(s->lever, vf3_length(vf3_sub(s->m, s->k)));
	return vf_sub(vf_sub(vf_add(s->own, vf3_dot(*axis, s->way)), leans), slack);
}

WP_INLINE vf4 wp_kept_bound(const wp_kept_pair *pairs)
{
	wp_kept kept;
	vf3 axis;
	wp_kept_of(pairs, &kept);
	const vf lower = wp_kept_lower(&kept, wp_kept_slack(&kept, kept.beside_a), &axis);
	const vf3 n = vf3_scale(axis, wp_inverse_near_one(vf3_dot(axis, axis)));
	return (vf4){vf_select(kept.valid, lower, vf_set(-WP_INFINITY)), n.x, n.y, n.z};
}

/* Lanes past the last pair have the last one's. */
WP_NOINLINE void wp_repeat_last(wp_kept_pair *pairs, uint32_t count)
{
	for (uint32_t at = count; at % WP_WIDTH != 0; at++)
		wp_copy_bytes(&pairs[at], &pairs[count - 1], sizeof *pairs);
}

/* Bound all pairs. */
WP_INLINE void wp_kept_run(wp_kept_pair *pairs, uint32_t count, float *bound)
{
	wp_repeat_last(pairs, count);
	for (uint32_t at = 0; at < count; at += WP_WIDTH)
		vf4_store(bound + 4 * at, 1, wp_kept_bound(pairs + at));
}

#endif
