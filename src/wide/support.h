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

#if WP_WIDTH == 1

/* Index of the vertex farthest along d. */
WP_INLINE int32_t wp_support_vertex(const float *x, uint32_t count, uint32_t padded, vf3 d)
{
	int32_t index = 0;
	float best = vf3_dot(vf3_load(x, x + padded, x + 2 * padded), d);
	for (uint32_t i = 1; i < count; i++) {
		const float value = vf3_dot(vf3_load(x + i, x + padded + i, x + 2 * padded + i), d);
		index = value > best ? (int32_t)i : index;
		best = value > best ? value : best;
	}
	return index;
}

/* The farthest vertices of the lanes `wanted`. */
WP_INLINE void wp_support_vertices(const wp_lanes *lanes, uint32_t wanted, const float *const *vertices,
	const uint32_t *count, const uint32_t *padded, vf3 direction, int32_t index[WP_WIDTH])
{
	const int32_t job = lanes->job[0];
	index[0] = wanted ? wp_support_vertex(vertices[job], count[job], padded[job], direction) : 0;
}

#else

/* Vectors of vertices that are looked at together. */
#define WP_SUPPORT_VECTORS (WP_WIDTH == WP_WIDTH_MAX ? 4 : 8)
#define WP_SUPPORT_BLOCK (WP_SUPPORT_VECTORS * WP_WIDTH)

/* The values of each lane's vertices of one block along its direction, and the largest of them. */
typedef struct wp_support_values {
	WP_VECTOR_ALIGN float value[WP_WIDTH][WP_SUPPORT_BLOCK];
	WP_VECTOR_ALIGN float largest[WP_WIDTH][WP_WIDTH]; /* of the vectors, element by element */
	WP_VECTOR_ALIGN float top[WP_WIDTH];
} wp_support_values;

/* Fill in one lane. A hull that is shorter repeats its last vector, which loses ties to itself. */
WP_INLINE void wp_support_lane(const float *x, uint32_t padded, uint32_t base, vf3 d, int vectors, float *value,
	float *largest)
{
	vf best = vf_zero();
	for (int k = 0; k < vectors; k++) {
		const uint32_t from = base + (uint32_t)k * WP_WIDTH, last = padded - WP_WIDTH;
		const float *at = x + (from < last ? from : last);
		const vf v = vf3_dot(vf3_load(at, at + padded, at + 2 * padded), d);
		vf_store(value + k * WP_WIDTH, v);
		best = k == 0 ? v : vf_max(best, v);
	}
	vf_store(largest, best);
}

/* Where the largest of some vectors of values is, the lowest index of several. */
WP_INLINE int32_t wp_index_of_top(const float *value, float top, int vectors)
{
	uint64_t equal = 0;
	for (int k = 0; k < vectors; k++)
		equal |= (uint64_t)vm_bits(vf_ge(vf_load(value + k * WP_WIDTH), vf_set(top))) << (k * WP_WIDTH);
	return equal != 0 ? (int32_t)__builtin_ctzll(equal) : 0;
}

/* Look at one block of vertices of the lanes `wanted`: one lane after the other, its vertices across the
 * vector. All lanes' values come first and all searches after, so that no lane waits for the one before. */
WP_INLINE void wp_support_block(const wp_lanes *lanes, uint32_t wanted, const float *const *vertices,
	const uint32_t *padded, vf3 direction, uint32_t base, int vectors, float best[WP_WIDTH], int32_t index[WP_WIDTH])
{
	WP_VECTOR_ALIGN float dx[WP_WIDTH], dy[WP_WIDTH], dz[WP_WIDTH];
	wp_support_values values;
	vf3_store(dx, dy, dz, direction);
	for (int lane = 0; lane < WP_WIDTH; lane++)
		vf_store(values.largest[lane], vf_zero());
	for (uint32_t m = wanted; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const int32_t job = lanes->job[lane];
		wp_support_lane(vertices[job], padded[job], base, vf3_set(vf_set(dx[lane]), vf_set(dy[lane]), vf_set(dz[lane])),
			vectors, values.value[lane], values.largest[lane]);
	}
	vf_store(values.top, vf_tops(values.largest[0]));
	for (uint32_t m = wanted; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const float top = values.top[lane];
		const int32_t found = (int32_t)base + wp_index_of_top(values.value[lane], top, vectors);
		const bool better = base == 0 || top > best[lane];
		index[lane] = better ? found : index[lane];
		best[lane] = better ? top : best[lane];
	}
}

/* The farthest vertices of the lanes `wanted`. */
WP_INLINE void wp_support_vertices(const wp_lanes *lanes, uint32_t wanted, const float *const *vertices,
	const uint32_t *count, const uint32_t *padded, vf3 direction, int32_t index[WP_WIDTH])
{
	float best[WP_WIDTH];
	uint32_t most = 0;
	for (uint32_t m = wanted; m != 0; m &= m - 1) {
		const uint32_t vertex_count = count[lanes->job[wp_lowest_bit(m)]];
		most = vertex_count > most ? vertex_count : most;
	}
	/* The number of vectors is a constant in each call, so that they stay in registers. */
	if (most <= WP_WIDTH)
		wp_support_block(lanes, wanted, vertices, padded, direction, 0, 1, best, index);
	else if (most <= 2 * WP_WIDTH)
		wp_support_block(lanes, wanted, vertices, padded, direction, 0, 2, best, index);
	else if (most <= 4 * WP_WIDTH)
		wp_support_block(lanes, wanted, vertices, padded, direction, 0, 4, best, index);
	else
		for (uint32_t base = 0; wanted != 0; base += WP_SUPPORT_BLOCK) {
			wp_support_block(lanes, wanted, vertices, padded, direction, base, WP_SUPPORT_VECTORS, best, index);
			for (uint32_t m = wanted; m != 0; m &= m - 1) {
				const uint32_t lane = wp_lowest_bit(m);
				wanted &= ~((uint32_t)(count[lanes->job[lane]] <= base + WP_SUPPORT_BLOCK) << lane);
			}
		}
}

#endif

/* Hulls: the farthest vertices of the lanes `wanted`, and their indices. */
WP_NOINLINE vf3 wp_support_hull(const wp_lanes *lanes, uint32_t wanted, const float *const *vertices,
	const uint32_t *count, const uint32_t *padded, vf3 direction, vi *id)
{
	WP_VECTOR_ALIGN float px[WP_WIDTH], py[WP_WIDTH], pz[WP_WIDTH];
	WP_VECTOR_ALIGN int32_t index[WP_WIDTH];
	vf3_store(px, py, pz, vf3_zero());
	vi_store(index, vi_zero());
	wp_support_vertices(lanes, wanted, vertices, count, padded, direction, index);
	for (uint32_t m = wanted; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const float *x = vertices[lanes->job[lane]] + index[lane];
		const size_t stride = padded[lanes->job[lane]];
		px[lane] = x[0];
		py[lane] = x[stride];
		pz[lane] = x[2 * stride];
	}
	*id = vi_load(index);
	return vf3_scale(vf3_load(px, py, pz), lanes->scale);
}

/* The same with the vertices in lanes, `rows` of them. */
WP_NOINLINE vf3 wp_support_rows(const wp_lane_hulls *hulls, int32_t rows, vf3 direction, vf scale, vi *id)
{
	vf best = vf3_dot(vf3_load(hulls->x, hulls->y, hulls->z), direction);
	vi row = vi_set(1);
	*id = vi_zero();
	for (int32_t at = WP_WIDTH; at < rows * WP_WIDTH; at += WP_WIDTH) {
		const vf value = vf3_dot(vf3_load(hulls->x + at, hulls->y + at, hulls->z + at), direction);
		*id = vi_select(vf_gt(value, best), row, *id);
		best = vf_max(value, best);
		row = vi_add(row, vi_set(1));
	}
	return vf3_scale(vf3_gather(hulls->x, hulls->y, hulls->z, vi_element(*id)), scale);
}

/* Support of A - B along n, in A's frame, of the lanes `wanted`. */
WP_INLINE wp_vertex wp_support(const wp_jobs *jobs, const wp_lanes *lanes, uint32_t wanted, int kind_a, int kind_b,
	vf3 n)
{
	const vf3 n_b = vf33_apply_transposed(&lanes->rotation, vf3_neg(n));
	vi id_a, id_b;
	const vf3 a = kind_a == WP_KIND_BOX
		? wp_support_box(lanes->half_a, n, &id_a)
		: lanes->rows_a != 0 ? wp_support_rows(lanes->hulls_a, lanes->rows_a, n, lanes->scale, &id_a)
		: wp_support_hull(lanes, wanted, jobs->vertices_a, jobs->count_a, jobs->padded_a, n, &id_a);
	const vf3 b = kind_b == WP_KIND_BOX
		? wp_support_box(lanes->half_b, n_b, &id_b)
		: lanes->rows_b != 0 ? wp_support_rows(lanes->hulls_b, lanes->rows_b, n_b, lanes->scale, &id_b)
		: wp_support_hull(lanes, wanted, jobs->vertices_b, jobs->count_b, jobs->padded_b, n_b, &id_b);
	const vf3 b_in_a = vf3_add(vf33_apply(&lanes->rotation, b), lanes->translation);
	return (wp_vertex){vf3_sub(a, b_in_a), vi_or(vi_shift_left(id_a, 16), id_b)};
}

/* Core point of A, or of B in B's frame, from its id: the point that support gave, up to the sign of a
 * zero. */
WP_INLINE vf3 wp_point_of_id(const wp_lanes *lanes, uint32_t wanted, int kind, vf3 half,
	const float *const *vertices, const uint32_t *padded, vi id)
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
	for (uint32_t m = wanted; m != 0; m &= m - 1) {
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
WP_INLINE wp_vertex wp_vertex_of_id(const wp_jobs *jobs, const wp_lanes *lanes, uint32_t wanted, int kind_a,
	int kind_b, vi id, vf3 *a, vf3 *b_in_a)
{
	*a = wp_point_of_id(lanes, wanted, kind_a, lanes->half_a, jobs->vertices_a, jobs->padded_a, vi_shift_right(id, 16));
	const vf3 b = wp_point_of_id(lanes, wanted, kind_b, lanes->half_b, jobs->vertices_b, jobs->padded_b,
		vi_and(id, vi_set(0xffff)));
	*b_in_a = vf3_add(vf33_apply(&lanes->rotation, b), lanes->translation);
	return (wp_vertex){vf3_sub(*a, *b_in_a), id};
}

#endif
