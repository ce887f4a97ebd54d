/* Vectors and rotations of one lane, the coordinates of each in a quad: what wide/lane/vec3.h has, with the same bits. The last
 * place of a vector is whatever it is. */
#ifndef WP_WIDE_LANE_QUAD3_H
#define WP_WIDE_LANE_QUAD3_H

#include "wide/lane/vec3.h"

/* Whether one lane has its vectors in quads. */
#define WP_ONE_LANE_QUADS (WP_WIDTH == 1 && WP_HAS_QUADS)

#if WP_ONE_LANE_QUADS

WP_INLINE wp_quad wp_quad_zero(void) { return wp_quad_set(0.0f); }
WP_INLINE wp_quad wp_quad_neg(wp_quad a) { return wp_quad_flip_sign(a, wp_quad_set(-0.0f)); }
WP_INLINE wp_quad wp_quad_of_vf3(vf3 a) { return wp_quad_of(a.x, a.y, a.z, 0.0f); }
WP_INLINE vf3 vf3_of_quad(wp_quad a) { return vf3_set(wp_quad_get(a, 0), wp_quad_get(a, 1), wp_quad_get(a, 2)); }

/* A coordinate, a constant, in all places. */
WP_INLINE wp_quad wp_quad_spread(wp_quad a, int place)
{
	return place == 0 ? WP_QUAD_PICK(a, 0, 0, 0, 0)
	     : place == 1 ? WP_QUAD_PICK(a, 1, 1, 1, 1)
	     : place == 2 ? WP_QUAD_PICK(a, 2, 2, 2, 2)
	                  : WP_QUAD_PICK(a, 3, 3, 3, 3);
}

/* Any coordinate. */
WP_INLINE float wp_quad_place(wp_quad a, int place)
{
	float number[4];
	wp_quad_store(number, a);
	return number[place];
}

/* All four numbers by an operation of two, the early ones and the late ones first. */
#define WP_QUAD_FOLD(a, operation) \
	operation(operation(wp_quad_get(a, 0), wp_quad_get(a, 1)), operation(wp_quad_get(a, 2), wp_quad_get(a, 3)))

/* In the place of each coordinate the next one, and the one after. */
WP_INLINE wp_quad wp_quad_next(wp_quad a) { return WP_QUAD_PICK(a, 1, 2, 0, 3); }
WP_INLINE wp_quad wp_quad_last(wp_quad a) { return WP_QUAD_PICK(a, 2, 0, 1, 3); }

WP_INLINE float wp_quad_dot(wp_quad a, wp_quad b)
{
	const wp_quad ab = wp_quad_mul(a, b);
	return (wp_quad_get(ab, 0) + wp_quad_get(ab, 1)) + wp_quad_get(ab, 2);
}

WP_INLINE float wp_quad_length(wp_quad a) { return wp_sqrt_float(wp_quad_dot(a, a)); }

WP_INLINE wp_quad wp_quad_cross(wp_quad a, wp_quad b)
{
	return wp_quad_sub(wp_quad_mul(wp_quad_next(a), wp_quad_last(b)), wp_quad_mul(wp_quad_last(a), wp_quad_next(b)));
}

/* The sum of three vectors, each times a coordinate of `by`: a matrix of these columns applied to it. */
WP_INLINE wp_quad wp_quad_mixed(const wp_quad v[3], wp_quad by)
{
	const wp_quad xy = wp_quad_add(wp_quad_mul(v[0], wp_quad_spread(by, 0)), wp_quad_mul(v[1], wp_quad_spread(by, 1)));
	return wp_quad_add(xy, wp_quad_mul(v[2], wp_quad_spread(by, 2)));
}

/* The same of their magnitudes. */
WP_INLINE wp_quad wp_quad_extents(const wp_quad v[3], wp_quad by)
{
	const wp_quad magnitude[3] = {wp_quad_abs(v[0]), wp_quad_abs(v[1]), wp_quad_abs(v[2])};
	return wp_quad_mixed(magnitude, by);
}

/* vfq_length2 */
WP_INLINE float wp_quad_length2_of_turn(wp_quad q)
{
	const wp_quad q2 = wp_quad_mul(q, q), pairs = wp_quad_add(q2, WP_QUAD_PICK(q2, 1, 0, 3, 2));
	return wp_quad_get(pairs, 0) + wp_quad_get(pairs, 2);
}

/* vfq_relative */
WP_INLINE wp_quad wp_quad_relative(wp_quad a, wp_quad b)
{
	const wp_quad scaled = wp_quad_mul(b, wp_quad_spread(a, 3));
	const wp_quad v = wp_quad_sub(wp_quad_sub(scaled, wp_quad_mul(a, wp_quad_spread(b, 3))), wp_quad_cross(a, b));
	const wp_quad w = wp_quad_set(wp_quad_get(scaled, 3) + wp_quad_dot(a, b));
	return WP_QUAD_MIX(v, WP_QUAD_MIX(v, w, 2, 2, 0, 0), 0, 1, 0, 2);
}

/* A rotation by rows and by columns. */
typedef struct wp_quad33 {
	wp_quad row[3], column[3];
} wp_quad33;

/* vfq_to_matrix */
WP_INLINE wp_quad33 wp_quad_matrix(wp_quad q)
{
	const wp_quad s = wp_quad_scale(q, 2.0f / wp_quad_length2_of_turn(q));
	const wp_quad squares = wp_quad_mul(q, s);
	const wp_quad xy_xz_yz = wp_quad_mul(WP_QUAD_PICK(q, 0, 0, 1, 3), WP_QUAD_PICK(s, 1, 2, 2, 3));
	const wp_quad wz_wy_wx = wp_quad_mul(wp_quad_spread(q, 3), WP_QUAD_PICK(s, 2, 1, 0, 3));
	const wp_quad d = wp_quad_sub(
		wp_quad_set(1.0f), wp_quad_add(WP_QUAD_PICK(squares, 1, 0, 0, 3), WP_QUAD_PICK(squares, 2, 2, 1, 3)));
	const wp_quad p = wp_quad_add(xy_xz_yz, wz_wy_wx), m = wp_quad_sub(xy_xz_yz, wz_wy_wx);
	const wp_quad d_next = wp_quad_next(d);
	return (wp_quad33){
		.row = {WP_QUAD_MIX(wp_quad_zip(d, m), p, 0, 1, 1, 3), WP_QUAD_MIX(wp_quad_zip(p, d_next), m, 0, 1, 2, 3),
			WP_QUAD_MIX(WP_QUAD_MIX(m, p, 1, 1, 2, 2), d, 0, 2, 2, 3)},
		.column = {WP_QUAD_MIX(wp_quad_zip(d, p), m, 0, 1, 1, 3), WP_QUAD_MIX(wp_quad_zip(m, d_next), p, 0, 1, 2, 3),
			WP_QUAD_MIX(WP_QUAD_MIX(p, m, 1, 1, 2, 2), d, 0, 2, 2, 3)}};
}

/* Rows become columns. */
WP_INLINE void wp_quad_turn(wp_quad r[4])
{
	const wp_quad early[2] = {WP_QUAD_MIX(r[0], r[1], 0, 1, 0, 1), WP_QUAD_MIX(r[2], r[3], 0, 1, 0, 1)};
	const wp_quad late[2] = {WP_QUAD_MIX(r[0], r[1], 2, 3, 2, 3), WP_QUAD_MIX(r[2], r[3], 2, 3, 2, 3)};
	r[0] = WP_QUAD_MIX(early[0], early[1], 0, 2, 0, 2);
	r[1] = WP_QUAD_MIX(early[0], early[1], 1, 3, 1, 3);
	r[2] = WP_QUAD_MIX(late[0], late[1], 0, 2, 0, 2);
	r[3] = WP_QUAD_MIX(late[0], late[1], 1, 3, 1, 3);
}

/* Up to four vectors, the same coordinate of each side by side: of edges, of faces. */
typedef struct wp_vectors {
	wp_quad x, y, z;
} wp_vectors;

/* Of four vectors as they lie in memory. */
WP_INLINE wp_vectors wp_vectors_of_quads(const wp_quad of[4])
{
	wp_quad at[3];
	wp_quad_transpose(of, at);
	return (wp_vectors){at[0], at[1], at[2]};
}

WP_INLINE wp_quad wp_vectors_dot(const wp_vectors *a, const wp_vectors *b)
{
	return wp_quad_add(wp_quad_add(wp_quad_mul(a->x, b->x), wp_quad_mul(a->y, b->y)), wp_quad_mul(a->z, b->z));
}

WP_INLINE wp_vectors wp_vectors_cross(const wp_vectors *a, const wp_vectors *b)
{
	return (wp_vectors){wp_quad_sub(wp_quad_mul(a->y, b->z), wp_quad_mul(a->z, b->y)),
		wp_quad_sub(wp_quad_mul(a->z, b->x), wp_quad_mul(a->x, b->z)),
		wp_quad_sub(wp_quad_mul(a->x, b->y), wp_quad_mul(a->y, b->x))};
}

/* Of each the next one's. */
WP_INLINE wp_vectors wp_vectors_next(const wp_vectors *a)
{
	return (wp_vectors){wp_quad_next(a->x), wp_quad_next(a->y), wp_quad_next(a->z)};
}

/* One of them in all places. */
WP_INLINE wp_vectors wp_vectors_spread(const wp_vectors *a, int place)
{
	return (wp_vectors){wp_quad_spread(a->x, place), wp_quad_spread(a->y, place), wp_quad_spread(a->z, place)};
}

WP_INLINE wp_vectors wp_vectors_where(wp_quad_mask m, const wp_vectors *a)
{
	return (wp_vectors){wp_quad_where(m, a->x), wp_quad_where(m, a->y), wp_quad_where(m, a->z)};
}

WP_INLINE wp_vectors wp_vectors_of(vf3 a) { return (wp_vectors){wp_quad_set(a.x), wp_quad_set(a.y), wp_quad_set(a.z)}; }

WP_INLINE vf3 wp_vectors_get(const wp_vectors *a, int which)
{
	return vf3_set(wp_quad_place(a->x, which), wp_quad_place(a->y, which), wp_quad_place(a->z, which));
}

WP_INLINE wp_vectors wp_vectors_sub(const wp_vectors *a, const wp_vectors *b)
{
	return (wp_vectors){wp_quad_sub(a->x, b->x), wp_quad_sub(a->y, b->y), wp_quad_sub(a->z, b->z)};
}

WP_INLINE wp_vectors wp_vectors_select(wp_quad_mask m, const wp_vectors *a, const wp_vectors *b)
{
	return (wp_vectors){wp_quad_select(m, a->x, b->x), wp_quad_select(m, a->y, b->y), wp_quad_select(m, a->z, b->z)};
}

#endif

#endif
