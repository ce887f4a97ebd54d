/* W2: support points of the two core kinds and of their Minkowski difference A - B.
 *
 * A support vertex is named by an id: of a box the signs of its coordinates (bits 0 to 2, set for a
 * negative one, clear where the extent is zero, so that equal points have equal ids), of a hull the
 * index of the vertex. Ties go to the lowest index, so that every way of searching agrees. */
#ifndef WP_WIDE_SUPPORT_H
#define WP_WIDE_SUPPORT_H

#include "wide/lanes.h"

/* A support vertex of the difference: w = a - b, and the ids of a and b as A << 16 | B. */
typedef struct wp_vertex {
	vf3 w;
	vi id;
} wp_vertex;

WP_INLINE vi wp_sign_bit_at(vf extent, vf direction, int bit)
{
	const vi sign = vi_shift_left(vi_shift_right(vi_from_bits(direction), 31), bit);
	return vi_select(vf_gt(extent, vf_zero()), sign, vi_zero());
}

WP_INLINE vf3 wp_support_box(vf3 half, vf3 direction, vi *id)
{
	*id = vi_or(wp_sign_bit_at(half.x, direction.x, 0),
		vi_or(wp_sign_bit_at(half.y, direction.y, 1), wp_sign_bit_at(half.z, direction.z, 2)));
	return vf3_set(vf_with_sign(half.x, direction.x), vf_with_sign(half.y, direction.y),
		vf_with_sign(half.z, direction.z));
}

/* Index of the vertex farthest along (dx, dy, dz). The vertices fill the vector; one pair's direction
 * is broadcast. The arrays are padded with vertex 0, which loses ties to itself. */
WP_INLINE int32_t wp_support_vertex(const float *x, uint32_t count, uint32_t padded, float dx, float dy, float dz)
{
	const float *y = x + padded, *z = y + padded;
	const vf3 d = vf3_set(vf_set(dx), vf_set(dy), vf_set(dz));
	vf best = vf3_dot(vf3_load(x, y, z), d);
	vi best_base = vi_zero();
	for (uint32_t base = WP_WIDTH; base < count; base += WP_WIDTH) {
		const vf value = vf3_dot(vf3_load(x + base, y + base, z + base), d);
		const vm better = vf_gt(value, best);
		best = vf_select(better, value, best);
		best_base = vi_select(better, vi_set((int32_t)base), best_base);
	}
	return vf_argmax(best, vi_add(best_base, vi_lanes()));
}

/* Hulls: one pair after the other, its vertices across the vector. */
WP_INLINE vf3 wp_support_hull(const wp_lanes *lanes, const float *const *vertices, const uint32_t *count,
	const uint32_t *padded, vf3 direction, vi *id)
{
	WP_VECTOR_ALIGN float dx[WP_WIDTH], dy[WP_WIDTH], dz[WP_WIDTH];
	WP_VECTOR_ALIGN float px[WP_WIDTH], py[WP_WIDTH], pz[WP_WIDTH];
	WP_VECTOR_ALIGN int32_t index[WP_WIDTH];
	vf3_store(dx, dy, dz, direction);
	vf3_store(px, py, pz, vf3_zero());
	vi_store(index, vi_zero());
	for (uint32_t m = lanes->live; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const int32_t job = lanes->job[lane];
		const float *x = vertices[job];
		const uint32_t stride = padded[job];
		const int32_t i = wp_support_vertex(x, count[job], stride, dx[lane], dy[lane], dz[lane]);
		index[lane] = i;
		px[lane] = x[i];
		py[lane] = x[i + (int32_t)stride];
		pz[lane] = x[i + 2 * (int32_t)stride];
	}
	*id = vi_load(index);
	return vf3_scale(vf3_load(px, py, pz), lanes->scale);
}

/* Support of A - B along n, in A's frame. */
WP_INLINE wp_vertex wp_support(const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b, vf3 n)
{
	const vf3 n_b = vf33_apply_transposed(&lanes->rotation, vf3_neg(n));
	vi id_a, id_b;
	const vf3 a = kind_a == WP_KIND_BOX
		? wp_support_box(lanes->half_a, n, &id_a)
		: wp_support_hull(lanes, jobs->vertices_a, jobs->count_a, jobs->padded_a, n, &id_a);
	const vf3 b = kind_b == WP_KIND_BOX
		? wp_support_box(lanes->half_b, n_b, &id_b)
		: wp_support_hull(lanes, jobs->vertices_b, jobs->count_b, jobs->padded_b, n_b, &id_b);
	const vf3 b_in_a = vf3_add(vf33_apply(&lanes->rotation, b), lanes->translation);
	return (wp_vertex){vf3_sub(a, b_in_a), vi_or(vi_shift_left(id_a, 16), id_b)};
}

/* Core point of A, or of B in B's frame, from its id: the point that support gave, up to the sign of a
 * zero. */
WP_INLINE vf3 wp_point_of_id(const wp_lanes *lanes, int kind, vf3 half, const float *const *vertices,
	const uint32_t *padded, vi id)
{
	if (kind == WP_KIND_BOX) {
		const vf sx = vf_from_bits(vi_shift_left(id, 31));
		const vf sy = vf_from_bits(vi_shift_left(id, 30));
		const vf sz = vf_from_bits(vi_shift_left(id, 29));
		return vf3_set(vf_with_sign(half.x, sx), vf_with_sign(half.y, sy), vf_with_sign(half.z, sz));
	}
	WP_VECTOR_ALIGN int32_t index[WP_WIDTH];
	WP_VECTOR_ALIGN float px[WP_WIDTH], py[WP_WIDTH], pz[WP_WIDTH];
	vi_store(index, id);
	vf3_store(px, py, pz, vf3_zero());
	for (uint32_t m = lanes->live; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const float *x = vertices[lanes->job[lane]];
		const size_t stride = padded[lanes->job[lane]], i = (size_t)index[lane];
		px[lane] = x[i];
		py[lane] = x[i + stride];
		pz[lane] = x[i + 2 * stride];
	}
	return vf3_scale(vf3_load(px, py, pz), lanes->scale);
}

/* The vertex a - b of an id, with its two points in A's frame. */
WP_INLINE wp_vertex wp_vertex_of_id(const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b, vi id,
	vf3 *a, vf3 *b_in_a)
{
	*a = wp_point_of_id(lanes, kind_a, lanes->half_a, jobs->vertices_a, jobs->padded_a, vi_shift_right(id, 16));
	const vf3 b = wp_point_of_id(lanes, kind_b, lanes->half_b, jobs->vertices_b, jobs->padded_b,
		vi_and(id, vi_set(0xffff)));
	*b_in_a = vf3_add(vf33_apply(&lanes->rotation, b), lanes->translation);
	return (wp_vertex){vf3_sub(*a, *b_in_a), id};
}

#endif
