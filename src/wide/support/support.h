/* Support points of the core kinds and of their Minkowski difference A - B.
 *
 * An id names a support vertex: for a box the signs of its coordinates (bits 0 to 2, set for a negative one, clear where
 * the extent is zero, so that equal points have equal ids), for a hull the index of the vertex. Ties go to the lowest index,
 * so that every way of searching agrees. A smooth core has infinitely many support points, and ids that are the places where
 * they are kept (vertex.h). */
#ifndef WP_WIDE_SUPPORT_SUPPORT_H
#define WP_WIDE_SUPPORT_SUPPORT_H

#include "wide/support/vertex.h"

WP_INLINE vi wp_sign_bit_at(vf extent, vf direction, int bit)
{
	const vi sign = vi_shift_left(vi_shift_right(vi_from_bits(direction), 31), bit);
	return vi_select(vf_gt(extent, vf_zero()), sign, vi_zero());
}

WP_INLINE vf3 wp_support_box(vf3 half, vf3 direction, vi *id)
{
	*id = vi_or(wp_sign_bit_at(half.x, direction.x, 0),
		vi_or(wp_sign_bit_at(half.y, direction.y, 1), wp_sign_bit_at(half.z, direction.z, 2)));
	return vf3_set(
		vf_with_sign(half.x, direction.x), vf_with_sign(half.y, direction.y), vf_with_sign(half.z, direction.z));
}

#if WP_WIDTH == 1

#if WP_HAS_QUADS

/* Above all indices, which have 16 bits. */
#define WP_NO_VERTEX 65536.0f

/* The values of four vertices along d. */
WP_INLINE wp_quad wp_vertex_values(const float *x, uint32_t stride, vf3 d)
{
	const wp_quad y = wp_quad_scale(wp_quad_load(x + stride), d.y),
				  z = wp_quad_scale(wp_quad_load(x + 2 * stride), d.z);
	return wp_quad_add(wp_quad_add(wp_quad_scale(wp_quad_load(x), d.x), y), z);
}

/* The vertex of the largest value, four vertices at a time: each place of a quad keeps the first of those that were there.
 * Indices are floats, which hold them exactly. Hulls are padded to whole quads with their first vertex. */
WP_INLINE uint32_t wp_support_index(const float *x, uint32_t count, uint32_t stride, vf3 d)
{
	const float *const end = x + count;
	const wp_quad four = wp_quad_set(4.0f), none = wp_quad_set(WP_NO_VERTEX);
	wp_quad place = wp_quad_of(0, 1, 2, 3), index = place, best = wp_vertex_values(x, stride, d);
	for (x += 4; x < end; x += 4) {
		const wp_quad value = wp_vertex_values(x, stride, d);
		place = wp_quad_add(place, four);
		index = wp_quad_max(wp_quad_where(wp_quad_above(value, best), place), index);
		best = wp_quad_max(value, best);
	}
	const float top = vf_max(
		vf_max(wp_quad_get(best, 0), wp_quad_get(best, 1)), vf_max(wp_quad_get(best, 2), wp_quad_get(best, 3)));
	const wp_quad found = wp_quad_max(wp_quad_where(wp_quad_above(wp_quad_set(top), best), none), index);
	return (uint32_t)vf_min(
		vf_min(wp_quad_get(found, 0), wp_quad_get(found, 1)), vf_min(wp_quad_get(found, 2), wp_quad_get(found, 3)));
}

#else

/* The vertex of the largest value, of several the first. */
WP_INLINE uint32_t wp_support_index(const float *x, uint32_t count, uint32_t stride, vf3 d)
{
	const float *const y = x + stride, *const z = y + stride;
	float best = (x[0] * d.x + y[0] * d.y) + z[0] * d.z;
	uint32_t index = 0;
	for (uint32_t i = 1; i < count; i++) {
		const float value = (x[i] * d.x + y[i] * d.y) + z[i] * d.z;
		index = value > best ? i : index;
		best = vf_max(value, best);
	}
	return index;
}

#endif

/* The hull vertex farthest along d, and its index. */
WP_INLINE vf3 wp_support_hull(const wp_lane_side *side, uint32_t wanted, vf3 d, vi *id)
{
	const float *x = side->vertices[0];
	const uint32_t count = side->most, stride = side->stride[0];
	*id = 0;
	if (!wanted)
		return vf3_zero();
	/* Only x86 has vectors of eight. */
	if (WP_IS_X86 && stride == WP_FARTHEST_PADDED && side->find_farthest != NULL)
		*id = (int32_t)side->find_farthest(x, d.x, d.y, d.z);
	else
		*id = (int32_t)wp_support_index(x, count, stride, d);
	x += *id;
	return vf3_load(x, x + stride, x + 2 * stride);
}

/* Both sides of a pair of hulls. */
WP_INLINE void wp_support_hulls(const wp_lanes *lanes, uint32_t wanted, vf3 n, vf3 n_b, vf3 point[2], vi id[2])
{
	point[0] = wp_support_hull(&lanes->a, wanted, n, &id[0]);
	point[1] = wp_support_hull(&lanes->b, wanted, n_b, &id[1]);
}

#else

/* Vectors of vertices of a short hull, at most. */
#define WP_SUPPORT_VECTORS 4
#define WP_SUPPORT_SHORT (WP_SUPPORT_VECTORS * WP_WIDTH)

/* Where one side looks. */
typedef struct wp_support_direction {
	WP_VECTOR_ALIGN float at[3][WP_WIDTH];
} wp_support_direction;

/* One side's search: where it looks; of each lane's hull the values of its vertices along its direction if it is short, and the
 * largest of them, element by element of the vectors. */
typedef struct wp_support_search {
	const wp_support_direction *direction;
	union {
		WP_VECTOR_ALIGN float value[WP_WIDTH][WP_SUPPORT_SHORT];
		WP_VECTOR_ALIGN float place[WP_WIDTH][WP_WIDTH]; /* of the largest in a long hull: minus its index */
	};
	WP_VECTOR_ALIGN float largest[WP_WIDTH][WP_WIDTH];
	WP_VECTOR_ALIGN float top[WP_WIDTH];
	float *found; /* of each lane a vertex and its index */
} wp_support_search;

WP_INLINE void wp_support_aim(wp_support_direction *to, vf3 direction)
{
	vf3_store(to->at[0], to->at[1], to->at[2], direction);
}

WP_INLINE vf3 wp_search_direction(const wp_support_search *s, uint32_t lane)
{
	return vf3_set(
		vf_set(s->direction->at[0][lane]), vf_set(s->direction->at[1][lane]), vf_set(s->direction->at[2][lane]));
}

/* The values of one lane's vertices along its direction d, its vertices across the vector. A hull that is shorter repeats its
 * last vector, which loses ties to itself. */
WP_INLINE void wp_support_measure(wp_support_search *s, const wp_lane_side *side, uint32_t lane, vf3 d, int vectors)
{
	const float *const x = side->vertices[lane];
	const size_t stride = side->stride[lane], last = stride - WP_WIDTH;
	vf best = vf_zero();
	for (int k = 0; k < vectors; k++) {
		const size_t from = (size_t)k * WP_WIDTH;
		const float *const at = x + (from < last ? from : last);
		const vf v = vf3_dot(vf3_load(at, at + stride, at + 2 * stride), d);
		if (vectors > 1)
			vf_store(s->value[lane] + k * WP_WIDTH, v);
		best = k == 0 ? v : vf_max(best, v);
	}
	vf_store(s->largest[lane], best);
}

/* Where the largest of one lane's values is, the lowest index of several; of no numbers the first. */
WP_INLINE uint32_t wp_index_of_top(const wp_support_search *s, uint32_t lane, vf top, int vectors)
{
	/* One vector of values is the largest itself. */
	const float *const value = vectors > 1 ? s->value[lane] : s->largest[lane];
	const int count = vectors * WP_WIDTH;
	uint64_t equal = 0;
	for (int k = 0; k < vectors; k++)
		equal |= (uint64_t)vm_bits(vf_ge(vf_load(value + k * WP_WIDTH), top)) << (k * WP_WIDTH);
	if (count < 32)
		return wp_lowest_bit((uint32_t)equal | 1u << count) & (uint32_t)(count - 1);
	if (count < 64)
		return wp_lowest_bit_64(equal | UINT64_C(1) << count) & (uint32_t)(count - 1);
	return equal != 0 ? wp_lowest_bit_64(equal) : 0;
}

/* Keep a vertex of one lane's hull. */
WP_INLINE void wp_support_keep(wp_support_search *s, const wp_lane_side *side, uint32_t lane, uint32_t index)
{
	const float *const x = side->vertices[lane] + index;
	const size_t stride = side->stride[lane];
	wp_put_four(s->found + 4 * lane, x[0], x[stride], x[2 * stride], (int32_t)index);
}

/* What a scan of a long hull has come to: the largest values, element by element of the vectors, and where each was first; where
 * it is. Places are minus their indices, so that the largest number of several is the lowest index. */
typedef struct wp_support_best {
	vf value, place, at;
} wp_support_best;

/* The next vector of vertices. */
WP_INLINE void wp_support_look(wp_support_best *best, const float *x, size_t stride, vf3 d)
{
	const vf v = vf3_dot(vf3_load(x, x + stride, x + 2 * stride), d);
	best->at = vf_add(best->at, vf_set((float)-WP_WIDTH));
	const vf value = vf_max(v, best->value);
	best->place = vf_select_where_larger(v, best->value, value, best->at, best->place);
	best->value = value;
}

/* The largest of one lane's vertices. */
WP_INLINE void wp_support_scan(wp_support_search *s, const wp_lane_side *side, uint32_t lane)
{
	const float *const x = side->vertices[lane];
	const size_t stride = side->stride[lane];
	const vf3 d = wp_search_direction(s, lane);
	wp_support_best best;
	best.value = vf3_dot(vf3_load(x, x + stride, x + 2 * stride), d);
	best.place = best.at = vf_neg(vf_from_int(vi_lanes()));
	size_t k = WP_WIDTH;
	/* Two a round; not in the module for JavaScript, which is to be small. */
	for (; !WP_WASM && k + WP_WIDTH < stride; k += 2 * WP_WIDTH) {
		wp_support_look(&best, x + k, stride, d);
		wp_support_look(&best, x + k + WP_WIDTH, stride, d);
	}
	for (; k < stride; k += WP_WIDTH)
		wp_support_look(&best, x + k, stride, d);
	vf_store(s->largest[lane], best.value);
	vf_store(s->place[lane], best.place);
}

/* What no index is: indices are below 2^16. */
#define WP_NO_INDEX 65536.0f

/* Where the largest of one lane's vertices is, the lowest index of several. A direction that is no number has no farthest
 * vertex: the first. */
WP_INLINE uint32_t wp_support_lowest(const wp_support_search *s, uint32_t lane)
{
	const vm is_top = vf_ge(vf_load(s->largest[lane]), vf_set(s->top[lane]));
	const float index = -vf_top_number(vf_select(is_top, vf_load(s->place[lane]), vf_set(-WP_NO_INDEX)));
	return index < WP_NO_INDEX ? (uint32_t)index : 0;
}

/* Long hulls: each step of all sides before the next one, so that no lane waits for the one before. */
WP_INLINE void wp_support_long(wp_support_search *s, const wp_lane_side *const *side, int sides, uint32_t wanted)
{
	for (int i = 0; i < sides; i++) {
		/* Numbers for unused lanes. */
		for (uint32_t m = WP_ALL_LANES & ~wanted; m != 0; m &= m - 1) {
			vf_store(s[i].largest[wp_lowest_bit(m)], vf_zero());
			vf_store(s[i].place[wp_lowest_bit(m)], vf_zero());
			wp_put_four(s[i].found + (size_t)4 * wp_lowest_bit(m), 0.0f, 0.0f, 0.0f, 0);
		}
		for (uint32_t m = wanted; m != 0; m &= m - 1)
			wp_support_scan(&s[i], side[i], wp_lowest_bit(m));
		vf_store(s[i].top, vf_tops(s[i].largest[0]));
	}
	for (int i = 0; i < sides; i++)
		for (uint32_t m = wanted; m != 0; m &= m - 1) {
			const uint32_t lane = wp_lowest_bit(m);
			wp_support_keep(&s[i], side[i], lane, wp_support_lowest(&s[i], lane));
		}
}

#if WP_WIDTH == 4 && WP_IS_X86
/* The direction of a lane, a constant. */
WP_INLINE vf3 wp_lane_direction(const wp_support_search *s, int lane)
{
	return vf3_set(vf_spread(s->direction->at[0], lane), vf_spread(s->direction->at[1], lane),
		vf_spread(s->direction->at[2], lane));
}

WP_INLINE void wp_support_measure_all(wp_support_search *s, const wp_lane_side *side, int vectors)
{
	wp_support_measure(s, side, 0, wp_lane_direction(s, 0), vectors);
	wp_support_measure(s, side, 1, wp_lane_direction(s, 1), vectors);
	wp_support_measure(s, side, 2, wp_lane_direction(s, 2), vectors);
	wp_support_measure(s, side, 3, wp_lane_direction(s, 3), vectors);
}

WP_INLINE void wp_support_keep_all(wp_support_search *s, const wp_lane_side *side, int vectors)
{
	wp_support_keep(s, side, 0, wp_index_of_top(s, 0, vf_spread(s->top, 0), vectors));
	wp_support_keep(s, side, 1, wp_index_of_top(s, 1, vf_spread(s->top, 1), vectors));
	wp_support_keep(s, side, 2, wp_index_of_top(s, 2, vf_spread(s->top, 2), vectors));
	wp_support_keep(s, side, 3, wp_index_of_top(s, 3, vf_spread(s->top, 3), vectors));
}
#else
WP_INLINE void wp_support_measure_all(wp_support_search *s, const wp_lane_side *side, int vectors)
{
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		wp_support_measure(s, side, lane, wp_search_direction(s, lane), vectors);
}

WP_INLINE void wp_support_keep_all(wp_support_search *s, const wp_lane_side *side, int vectors)
{
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		wp_support_keep(s, side, lane, wp_index_of_top(s, lane, vf_set(s->top[lane]), vectors));
}
#endif

/* Short hulls, in all lanes: a loop without surprises is worth more than the lanes it could leave out. */
WP_INLINE void wp_support_short_pairs(wp_support_search s[2], const wp_lane_side *const side[2], int vectors)
{
	for (int i = 0; i < 2; i++) {
		wp_support_measure_all(&s[i], side[i], vectors);
		vf_store(s[i].top, vf_tops(s[i].largest[0]));
	}
	for (int i = 0; i < 2; i++)
		wp_support_keep_all(&s[i], side[i], vectors);
}

/* One side in less code, since most hulls meet hulls. */
WP_INLINE void wp_support_short_side(wp_support_search *s, const wp_lane_side *side, int vectors)
{
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		wp_support_measure(s, side, lane, wp_search_direction(s, lane), vectors);
	vf_store(s->top, vf_tops(s->largest[0]));
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		wp_support_keep(s, side, lane, wp_index_of_top(s, lane, vf_set(s->top[lane]), vectors));
}

WP_INLINE void wp_support_short(wp_support_search *s, const wp_lane_side *const *side, int sides, int vectors)
{
	if (sides == 2)
		wp_support_short_pairs(s, side, vectors);
	else
		wp_support_short_side(s, side[0], vectors);
}

/* The number of vectors is a constant in each call, so that they stay in registers. */
WP_INLINE void wp_support_run(wp_support_search *s, const wp_lane_side *const *side, int sides, uint32_t wanted)
{
	const uint32_t most = sides == 2 && side[1]->most > side[0]->most ? side[1]->most : side[0]->most;
	if (most <= WP_WIDTH)
		wp_support_short(s, side, sides, 1);
	else if (most <= 2 * WP_WIDTH)
		wp_support_short(s, side, sides, 2);
	else if (most <= 4 * WP_WIDTH)
		wp_support_short(s, side, sides, 4);
	else
		wp_support_long(s, side, sides, wanted);
}

WP_INLINE vf3 wp_support_end(const float found[4 * WP_WIDTH], vi *id)
{
	const vf4 f = vf4_load(found, 1);
	*id = vi_from_bits(f.w);
	return vf3_set(f.x, f.y, f.z);
}

/* Hulls: the farthest vertices of the lanes `wanted`, and their indices. */
WP_NOINLINE vf3 wp_support_hull(const wp_lane_side *side, uint32_t wanted, vf3 direction, vi *id)
{
	WP_VECTOR_ALIGN float found[4 * WP_WIDTH];
	wp_support_direction aim;
	wp_support_search s;
	wp_support_aim(&aim, direction);
	s.direction = &aim;
	s.found = found;
	wp_support_run(&s, &side, 1, wanted);
	return wp_support_end(found, id);
}

/* What both sides of pairs of hulls found: of each lane a vertex and its index. */
typedef struct wp_support_pairs {
	WP_VECTOR_ALIGN float found[2][4 * WP_WIDTH];
} wp_support_pairs;

/* Both sides of pairs of hulls. */
WP_NOINLINE void wp_support_along(
	const wp_lanes *lanes, uint32_t wanted, const wp_support_direction aim[2], wp_support_pairs *pairs)
{
	wp_support_search s[2];
	const wp_lane_side *const side[2] = {&lanes->a, &lanes->b};
	for (int i = 0; i < 2; i++) {
		s[i].direction = &aim[i];
		s[i].found = pairs->found[i];
	}
	wp_support_run(s, side, 2, wanted);
}

/* Directions are stored where they are read lane by lane, not handed over as vectors. */
WP_INLINE_NATIVE void wp_support_hulls(const wp_lanes *lanes, uint32_t wanted, vf3 n, vf3 n_b, vf3 point[2], vi id[2])
{
	wp_support_direction aim[2];
	wp_support_pairs pairs;
	wp_support_aim(&aim[0], n);
	wp_support_aim(&aim[1], n_b);
	wp_support_along(lanes, wanted, aim, &pairs);
	point[0] = wp_support_end(pairs.found[0], &id[0]);
	point[1] = wp_support_end(pairs.found[1], &id[1]);
}

#endif

/* The same with the vertices in lanes, `rows` of them. */
WP_NOINLINE vf3 wp_support_rows(const wp_lane_hulls *hulls, int32_t rows, vf3 direction, vi *id)
{
	vf3 point = vf3_load(hulls->x, hulls->y, hulls->z);
	vf best = vf3_dot(point, direction);
	vi row = vi_set(1), found = vi_zero();
	for (int32_t at = WP_WIDTH; at < rows * WP_WIDTH; at += WP_WIDTH) {
		const vf3 vertex = vf3_load(hulls->x + at, hulls->y + at, hulls->z + at);
		const vf value = vf3_dot(vertex, direction);
		const vm farther = vf_gt(value, best);
		found = vi_select(farther, row, found);
		if (WP_WIDTH > 4)
			point = vf3_select(farther, vertex, point);
		best = vf_max(value, best);
		row = vi_add(row, vi_set(1));
	}
	*id = found;
	/* Few lanes are looked up faster than they are carried along. */
	return WP_WIDTH > 4 ? point : vf3_gather(hulls->x, hulls->y, hulls->z, vi_element(found));
}

_Static_assert(WP_FORM_COUNT == 4, "each has its support here");

/* Any core but a hull by its form: all of them are computed, and the one of each lane is taken. */
WP_INLINE_NATIVE vf3 wp_support_form(vf3 half, vi form, vf3 d)
{
	const vm is_ellipsoid = vi_eq(form, vi_set(WP_FORM_ELLIPSOID)), is_cone = vi_eq(form, vi_set(WP_FORM_CONE));
	const vf zero = vf_zero(), one = vf_set(1.0f);
	const vf3 corner = vf3_set(vf_with_sign(half.x, d.x), vf_with_sign(half.y, d.y), vf_with_sign(half.z, d.z));

	/* An ellipsoid with the semi-axes E is farthest at E E d / |E d|, a circle of radius r at r E d / |E d| in its plane. */
	const vf3 stretched = {vf_mul(half.x, d.x), vf_mul(half.y, d.y), vf_mul(half.z, d.z)};
	const vf radial2 = vf_add(vf_mul(stretched.x, stretched.x), vf_mul(stretched.z, stretched.z));
	const vf length2 = vf_select(is_ellipsoid, vf3_dot(stretched, stretched), radial2);
	const vm usable = vf_gt(length2, vf_set(WP_DIRECTION_MIN_SQUARED));
	const vf length = vf_sqrt(vf_select(usable, length2, one)), inverse = vf_div(one, length);
	const vf3 ellipsoid = {vf_mul(half.x, vf_mul(stretched.x, inverse)), vf_mul(half.y, vf_mul(stretched.y, inverse)),
		vf_mul(half.z, vf_mul(stretched.z, inverse))};

	/* All of an ellipsoid that is flat across d is as far as its centre; of a circle across d any point is. */
	const vf out_x = vf_select(usable, vf_mul(stretched.x, inverse), one);
	const vf out_z = vf_select(usable, vf_mul(stretched.z, inverse), zero);
	const vf reach = vf_select(usable, length, zero);
	const vm is_apex = vm_and(is_cone, vf_gt(vf_mul(vf_add(half.y, half.y), d.y), reach));
	const vf rim = vf_select(is_apex, zero, half.x);
	const vf base = vf_select(is_apex, half.y, vf_neg(half.y));
	const vf3 turned = {vf_mul(rim, out_x), vf_select(is_cone, base, corner.y), vf_mul(rim, out_z)};
	const vf3 round = vf3_select(is_ellipsoid, vf3_select(usable, ellipsoid, vf3_zero()), turned);
	return vf3_select(vi_eq(form, vi_set(WP_FORM_BOX)), corner, round);
}

/* Whether the vertices of a side are in lanes; one lane has none. */
WP_INLINE bool wp_has_rows(const wp_lane_side *side) { return WP_LANE_ROW_MAX != 0 && side->rows != 0; }

/* Support points of one side, each in its own frame, scaled. */
WP_INLINE vf3 wp_support_side(
	const wp_lanes *lanes, uint32_t wanted, int kind, vf3 half, const wp_lane_side *side, vf3 direction, vi *id)
{
	if (kind == WP_CORE_BOX)
		return wp_support_box(half, direction, id);
	if (kind == WP_CORE_SMOOTH) {
		*id = vi_zero();
		/* Without the ball of an ellipsoid. */
		return vf3_sub(wp_support_form(half, side->form, direction), vf3_scale(direction, side->ball));
	}
	const vf3 point = wp_has_rows(side) ? wp_support_rows(side->hulls, side->rows, direction, id)
	                                    : wp_support_hull(side, wanted, direction, id);
	return vf3_scale(point, lanes->hull_scale);
}

/* Support of A - B along n, in A's frame, of the lanes `wanted`, and the point of A there. */
WP_INLINE wp_vertex wp_support(const wp_lanes *lanes, uint32_t wanted, int kind_a, int kind_b, vf3 n, vf3 *a)
{
	const vf3 n_b = vf33_apply_transposed(&lanes->rotation, vf3_neg(n));
	vf3 point[2];
	vi id[2];
	if (kind_a == WP_CORE_HULL && kind_b == WP_CORE_HULL && !wp_has_rows(&lanes->a) && !wp_has_rows(&lanes->b)) {
		wp_support_hulls(lanes, wanted, n, n_b, point, id);
		point[0] = vf3_scale(point[0], lanes->hull_scale);
		point[1] = vf3_scale(point[1], lanes->hull_scale);
	} else {
		point[0] = wp_support_side(lanes, wanted, kind_a, lanes->half_a, &lanes->a, n, &id[0]);
		point[1] = wp_support_side(lanes, wanted, kind_b, lanes->half_b, &lanes->b, n_b, &id[1]);
	}
	const vf3 b_in_a = vf3_add(vf33_apply(&lanes->rotation, point[1]), lanes->translation);
	*a = point[0];
	return (wp_vertex){vf3_sub(point[0], b_in_a), vi_or(vi_shift_left(id[0], 16), id[1])};
}

/* The same, called, where a search is not in its loop. */
WP_NOINLINE void wp_support_called(
	const wp_lanes *lanes, uint32_t wanted, int kind_a, int kind_b, const vf3 *n, wp_vertex *v, vf3 *a)
{
	*v = wp_support(lanes, wanted, kind_a, kind_b, *n, a);
}

/* A support vertex and the row of its points: with a smooth core it is named by that. */
WP_INLINE wp_vertex wp_keep_support(bool smooth, wp_vertex v, vf3 a, wp_points_a *points, int32_t row)
{
	if (smooth) {
		wp_keep_points(points, row, a);
		v.id = vi_set(row);
	}
	return v;
}

#if WP_WIDTH == 1

/* The vertex of the hull of one side by its index, unscaled. */
WP_INLINE void wp_lane_side_vertices(const wp_lane_side *side, uint32_t wanted, const vi *index, vf3 *point)
{
	const float *const x = side->vertices[0] + *index;
	const uint32_t stride = side->stride[0];
	*point = wanted ? vf3_load(x, x + stride, x + 2 * stride) : vf3_zero();
}

#else

WP_INLINE void wp_put_hull_vertex(const wp_lane_side *side, uint32_t lane, int32_t index, float *found)
{
	const float *const x = side->vertices[lane] + index;
	const size_t stride = side->stride[lane];
	wp_put_four(found + 4 * lane, x[0], x[stride], x[2 * stride], 0);
}

/* The vertices of the hulls of one side by their indices, of the lanes `wanted`, unscaled. */
WP_NOINLINE void wp_lane_side_vertices(const wp_lane_side *side, uint32_t wanted, const vi *indices, vf3 *points)
{
	WP_VECTOR_ALIGN int32_t index[WP_WIDTH];
	WP_VECTOR_ALIGN float found[4 * WP_WIDTH];
	vi_store(index, *indices);
	if (wanted == WP_ALL_LANES) {
		for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
			wp_put_hull_vertex(side, lane, index[lane], found);
	} else {
		for (int k = 0; k < 4; k++)
			vf_store(found + k * WP_WIDTH, vf_zero());
		for (uint32_t m = wanted; m != 0; m &= m - 1)
			wp_put_hull_vertex(side, wp_lowest_bit(m), index[wp_lowest_bit(m)], found);
	}
	const vf4 f = vf4_load(found, 1);
	*points = vf3_set(f.x, f.y, f.z);
}

#endif

/* Core point of A, or of B in B's frame, from its id: the point that support gave, up to the sign of a
 * zero. */
WP_INLINE vf3 wp_point_of_id(
	const wp_lanes *lanes, uint32_t wanted, int kind, vf3 half, const wp_lane_side *side, vi id)
{
	if (kind != WP_CORE_HULL) {
		const vf sx = vf_from_bits(vi_shift_left(id, 31));
		const vf sy = vf_from_bits(vi_shift_left(id, 30));
		const vf sz = vf_from_bits(vi_shift_left(id, 29));
		return vf3_set(vf_with_sign(half.x, sx), vf_with_sign(half.y, sy), vf_with_sign(half.z, sz));
	}
	vf3 point;
	wp_lane_side_vertices(side, wanted, &id, &point);
	return vf3_scale(point, lanes->hull_scale);
}

/* The vertex a - b of an id, with its two points in A's frame. */
WP_INLINE wp_vertex wp_vertex_of_id(
	const wp_lanes *lanes, uint32_t wanted, int kind_a, int kind_b, vi id, vf3 *a, vf3 *b_in_a)
{
	*a = wp_point_of_id(lanes, wanted, kind_a, lanes->half_a, &lanes->a, vi_shift_right(id, 16));
	const vf3 b = wp_point_of_id(lanes, wanted, kind_b, lanes->half_b, &lanes->b, vi_and(id, vi_set(0xffff)));
	*b_in_a = vf3_add(vf33_apply(&lanes->rotation, b), lanes->translation);
	return (wp_vertex){vf3_sub(*a, *b_in_a), id};
}

#endif
