/* New faces of a polytope in one lane, four at a time: the same as wp_plane_of_face, with the same bits. */
#ifndef WP_WIDE_SEARCH_PLANES_ONE_H
#define WP_WIDE_SEARCH_PLANES_ONE_H

#include "wide/lane/quad3.h"
#include "wide/search/tetrahedron.h"

#if WP_ONE_LANE_QUADS

/* Slots of faces that are looked at in any polytope. */
#define WP_FEW_FACES 16

/* The planes of four faces, as wp_plane has one. */
typedef struct wp_planes {
	wp_vectors n;
	wp_quad rank, top;
} wp_planes;

/* Across four triangles: the cross products of the two sides that follow the longest, their squared lengths, and that of the
 * longest side. All three products are made while the lengths are compared: new faces wait for both. */
typedef struct wp_one_across {
	wp_vectors cross;
	wp_quad cross2, longest2;
} wp_one_across;

WP_INLINE wp_one_across wp_one_across_of(const wp_vectors *ab, const wp_vectors *bc, const wp_vectors *ca)
{
	const wp_quad ab2 = wp_vectors_dot(ab, ab), bc2 = wp_vectors_dot(bc, bc), ca2 = wp_vectors_dot(ca, ca);
	const wp_vectors by_ab = wp_vectors_cross(bc, ca), by_bc = wp_vectors_cross(ca, ab),
					 by_ca = wp_vectors_cross(ab, bc);
	const wp_quad_mask is_bc = wp_quad_at_most(ca2, bc2);
	const wp_quad_mask is_ab = wp_quad_both(wp_quad_at_most(bc2, ab2), wp_quad_at_most(ca2, ab2));
	const wp_vectors other = wp_vectors_select(is_bc, &by_bc, &by_ca);
	const wp_quad other2 = wp_quad_select(is_bc, wp_vectors_dot(&by_bc, &by_bc), wp_vectors_dot(&by_ca, &by_ca));
	return (wp_one_across){.cross = wp_vectors_select(is_ab, &by_ab, &other),
		.cross2 = wp_quad_select(is_ab, wp_vectors_dot(&by_ab, &by_ab), other2),
		.longest2 = wp_quad_select(is_ab, ab2, wp_quad_select(is_bc, bc2, ca2))};
}

WP_INLINE wp_planes wp_planes_of_faces(const wp_vectors *a, const wp_vectors *b, const wp_vectors *c)
{
	const wp_vectors ab = wp_vectors_sub(b, a), bc = wp_vectors_sub(c, b), ca = wp_vectors_sub(a, c);
	const wp_one_across across = wp_one_across_of(&ab, &bc, &ca);
	const wp_vectors cross = across.cross;
	const wp_quad cross2 = across.cross2, one = wp_quad_set(1.0f);
	const wp_quad thin = wp_quad_mul(wp_quad_set(WP_EPA_FACE_HEIGHT_MIN), across.longest2);
	const wp_quad_mask usable = wp_quad_above(cross2, wp_quad_set(WP_DIRECTION_MIN_SQUARED));
	const wp_quad inverse = wp_quad_over(one, wp_quad_sqrt(wp_quad_select(usable, cross2, one)));
	wp_planes planes = {.n = {wp_quad_where(usable, wp_quad_mul(cross.x, inverse)),
							wp_quad_where(usable, wp_quad_mul(cross.y, inverse)),
							wp_quad_where(usable, wp_quad_mul(cross.z, inverse))}};
	const wp_quad along_a = wp_vectors_dot(&planes.n, a), along_b = wp_vectors_dot(&planes.n, b);
	const wp_quad along_c = wp_vectors_dot(&planes.n, c);
	planes.top = wp_quad_max(wp_quad_max(along_a, along_b), along_c);
	const wp_quad low = wp_quad_min(wp_quad_min(along_a, along_b), along_c);
	const wp_quad_mask is_face = wp_quad_above(cross2, wp_quad_mul(thin, thin));
	planes.rank = wp_quad_select(is_face, low, wp_quad_set(WP_NO_FACE));
	return planes;
}

/* Of four planes as a polytope has them, the normal and the top of each, those that a point is above: a bit each. */
WP_INLINE uint32_t wp_planes_below(const float *planes, const wp_vectors *point)
{
	wp_quad r[4];
	for (int i = 0; i < 4; i++)
		r[i] = wp_quad_load(planes + 4 * i);
	wp_quad_turn(r);
	const wp_vectors n = {r[0], r[1], r[2]};
	return wp_quad_bits(wp_quad_above(wp_vectors_dot(&n, point), r[3]));
}

/* Four numbers that were stored one by one just now: to read them at once, a machine would wait until all are in memory. */
WP_INLINE wp_quad wp_quad_of_stored(const float *p) { return wp_quad_of(p[0], p[1], p[2], p[3]); }

/* Which of `count` numbers, 4 or more, is the smallest, of several the first; WP_FEW_FACES - 4 behind them are large. Most
 * polytopes have no more than WP_FEW_FACES, whose ranks are kept: the first that equals the smallest is found by its bit. */
WP_INLINE int32_t wp_least_of(const float *numbers, int32_t count)
{
	wp_quad few[WP_FEW_FACES / 4];
	for (int32_t i = 0; i < WP_FEW_FACES / 4; i++)
		few[i] = wp_quad_of_stored(numbers + 4 * i);
	wp_quad best = wp_quad_min(wp_quad_min(few[0], few[1]), wp_quad_min(few[2], few[3]));
	for (int32_t i = WP_FEW_FACES; i < count; i += 4)
		best = wp_quad_min(wp_quad_load(numbers + i), best);
	const wp_quad halves = wp_quad_min(best, WP_QUAD_PICK(best, 2, 3, 0, 1));
	const wp_quad least = wp_quad_min(halves, WP_QUAD_PICK(halves, 1, 0, 3, 2));
	uint32_t bits = 0;
	for (int32_t i = 0; i < WP_FEW_FACES; i += 4)
		bits |= wp_quad_bits(wp_quad_at_most(few[i / 4], least)) << i;
	int32_t before = 0;
	for (int32_t i = WP_FEW_FACES; bits == 0 && i < count; i += 4) {
		bits = wp_quad_bits(wp_quad_at_most(wp_quad_load(numbers + i), least));
		before = i;
	}
	return bits != 0 ? before + (int32_t)wp_lowest_bit(bits) : 0;
}

/* Whether one of `count` numbers is as large as `limit`. */
WP_INLINE bool wp_has_large(const float *numbers, int32_t count, float limit)
{
	const wp_quad least = wp_quad_set(limit);
	uint32_t bits = 0;
	for (int32_t i = 0; i < WP_FEW_FACES; i += 4)
		bits |= wp_quad_bits(wp_quad_at_most(least, wp_quad_load(numbers + i))) << i;
	if (count < WP_FEW_FACES)
		bits &= (1u << count) - 1;
	for (int32_t i = WP_FEW_FACES; i < count; i++)
		bits |= numbers[i] >= limit;
	return bits != 0;
}

#endif

#endif
