/* Hulls proven apart by one plane, without a search.
 *
 * The boxes around two hulls, taken for ellipsoids, have matrices H and R G R', of their squared half extents. The plane across
 * (H + R G R')^-1 t, t being the way between their centres, is the one that such ellipsoids leave the most room to, relative
 * to how far both of them reach (Fisher's linear discriminant). Any direction would be a proof; of pairs that are apart by a
 * good part of their size this one proves nine of ten, more than the best of the boxes' axes or the line of the centres
 * do. */
#ifndef WP_WIDE_CLOSED_HULLS_H
#define WP_WIDE_CLOSED_HULLS_H

#include "wide/job/answer.h"
#include "wide/lane/quad3.h"
#include "wide/support/support.h"

/* The direction, of length 1, or no vector: the adjoint of the matrix applied to the way. */
WP_NOINLINE vf3 wp_hulls_direction(const wp_prepared *p)
{
	const vf3 half_a = vf3_scale(p->half_a, p->scale), half_b = vf3_scale(p->half_b, p->scale), way = p->translation;
	vf3 r[3];
	for (int i = 0; i < 3; i++)
		r[i] = vf3_times(p->rotation.row[i], half_b);
	const vf xy = vf3_dot(r[0], r[1]), xz = vf3_dot(r[0], r[2]), yz = vf3_dot(r[1], r[2]);
	const vf3 x = {vf_add(vf3_dot(r[0], r[0]), vf_mul(half_a.x, half_a.x)), xy, xz};
	const vf3 y = {xy, vf_add(vf3_dot(r[1], r[1]), vf_mul(half_a.y, half_a.y)), yz};
	const vf3 z = {xz, yz, vf_add(vf3_dot(r[2], r[2]), vf_mul(half_a.z, half_a.z))};
	const vf3 n = {vf3_dot(vf3_cross(y, z), way), vf3_dot(vf3_cross(z, x), way), vf3_dot(vf3_cross(x, y), way)};
	return vf3_unit(n, vf3_zero());
}

#if WP_WIDTH > 1

/* How far vertices reach along d, element by element of the vectors. */
WP_INLINE vf wp_hulls_measure(const wp_core *core, vf3 d)
{
	const float *const x = core->vertices, *const y = x + core->padded, *const z = y + core->padded;
	const size_t count = core->count;
	vf most = vf3_dot(vf3_load(x, y, z), d);
	WP_ROLLED
	for (size_t at = WP_WIDTH; at < count; at += WP_WIDTH)
		most = vf_max(vf3_dot(vf3_load(x + at, y + at, z + at), d), most);
	return most;
}

/* How far one side reaches along a direction in the lanes `wanted`; without end in others. Coordinates are handed over one by
 * one, in registers. */
WP_NOINLINE vf wp_hulls_reach(const wp_core *const *cores, uint32_t wanted, vf x, vf y, vf z)
{
	WP_VECTOR_ALIGN float d[3][WP_WIDTH], most[WP_WIDTH][WP_WIDTH];
	vf3_store(d[0], d[1], d[2], vf3_set(x, y, z));
	WP_ROLLED
	for (uint32_t m = WP_ALL_LANES & ~wanted; m != 0; m &= m - 1)
		vf_store(most[wp_lowest_bit(m)], vf_set(WP_INFINITY));
	WP_ROLLED
	for (uint32_t m = wanted; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const vf3 own = {vf_set(d[0][lane]), vf_set(d[1][lane]), vf_set(d[2][lane])};
		vf_store(most[lane], wp_hulls_measure(cores[lane], own));
	}
	return vf_tops(most[0]);
}

#elif WP_HAS_QUADS

WP_NOINLINE vf wp_hulls_reach(const wp_core *const *cores, uint32_t wanted, vf x, vf y, vf z)
{
	(void)wanted;
	const float *at = cores[0]->vertices, *const end = at + cores[0]->count;
	const vf3 d = {x, y, z};
	wp_quad most = wp_vertex_values(at, cores[0]->padded, d);
	for (at += 4; at < end; at += 4)
		most = wp_quad_max(wp_vertex_values(at, cores[0]->padded, d), most);
	return WP_QUAD_FOLD(most, vf_max);
}

#else

WP_NOINLINE vf wp_hulls_reach(const wp_core *const *cores, uint32_t wanted, vf x, vf y, vf z)
{
	(void)wanted;
	const float *const at = cores[0]->vertices;
	const size_t stride = cores[0]->padded, count = cores[0]->count;
	vf most = -WP_INFINITY;
	WP_ROLLED
	for (size_t i = 0; i < count; i++)
		most = vf_max((at[i] * x + at[i + stride] * y) + at[i + 2 * stride] * z, most);
	return most;
}

#endif

/* Prove hulls of the lanes `wanted` of the block at `at` further apart than `limit`. Returns the lanes where that went, whose bound
 * and normal are put into `solved`. */
WP_NOINLINE uint32_t wp_hulls_solve(
	const wp_jobs *jobs, uint32_t at, const wp_prepared *p, vf limit, uint32_t wanted, wp_solved *solved)
{
	const vf3 n = wp_hulls_direction(p), back = vf3_neg(vf33_apply_transposed(&p->rotation, n));
	const vf reach_a = wp_hulls_reach(jobs->core_a + at, wanted, n.x, n.y, n.z);
	const vf reach = vf_add(reach_a, wp_hulls_reach(jobs->core_b + at, wanted, back.x, back.y, back.z));
	const vf separation = vf_sub(vf3_dot(n, p->translation), vf_mul(reach, p->scale));
	const vm proven = vf_gt(separation, limit);
	solved->core_lower = vf_select(proven, separation, solved->core_lower);
	solved->n = vf3_select(proven, n, solved->n);
	return vm_bits(proven);
}

#endif
