/* New faces of a polytope in one lane, four at a time: the same as wp_plane_of_face, with the same bits. */
#ifndef WP_WIDE_SEARCH_PLANES_ONE_H
#define WP_WIDE_SEARCH_PLANES_ONE_H

#include "wide/lane/quad3.h"
#include "wide/search/tetrahedron.h"

#if WP_ONE_LANE_QUADS

/* The planes of four faces, as wp_plane has one. */
typedef struct wp_planes {
	wp_vectors n;
	wp_quad rank, top;
} wp_planes;

/* Of the sides of four triangles, the two that follow the longest, and its squared length: as vf3_sides_of. */
typedef struct wp_one_sides {
	wp_vectors next, last;
	wp_quad longest2;
} wp_one_sides;

WP_INLINE wp_one_sides wp_one_sides_of(const wp_vectors *ab, const wp_vectors *bc, const wp_vectors *ca)
{
	const wp_quad ab2 = wp_vectors_dot(ab, ab), bc2 = wp_vectors_dot(bc, bc), ca2 = wp_vectors_dot(ca, ca);
	const wp_quad_mask is_bc = wp_quad_at_most(ca2, bc2);
	const wp_quad_mask is_ab = wp_quad_both(wp_quad_at_most(bc2, ab2), wp_quad_at_most(ca2, ab2));
	const wp_vectors next = wp_vectors_select(is_bc, ca, ab), last = wp_vectors_select(is_bc, ab, bc);
	return (wp_one_sides){.next = wp_vectors_select(is_ab, bc, &next),
		.last = wp_vectors_select(is_ab, ca, &last),
		.longest2 = wp_quad_select(is_ab, ab2, wp_quad_select(is_bc, bc2, ca2))};
}

WP_INLINE wp_planes wp_planes_of_faces(const wp_vectors *a, const wp_vectors *b, const wp_vectors *c)
{
	const wp_vectors ab = wp_vectors_sub(b, a), bc = wp_vectors_sub(c, b), ca = wp_vectors_sub(a, c);
	const wp_one_sides sides = wp_one_sides_of(&ab, &bc, &ca);
	const wp_vectors cross = wp_vectors_cross(&sides.next, &sides.last);
	const wp_quad cross2 = wp_vectors_dot(&cross, &cross), one = wp_quad_set(1.0f);
	const wp_quad thin = wp_quad_mul(wp_quad_set(WP_EPA_FACE_HEIGHT_MIN), sides.longest2);
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

/* Vectors of four vertices as they lie in a polytope. */
WP_INLINE wp_vectors wp_vectors_of_vertices(const wp_quad vertex[4])
{
	wp_quad at[3];
	wp_quad_transpose(vertex, at);
	return (wp_vectors){at[0], at[1], at[2]};
}

/* The normal and the top of each of four planes together, as a polytope has them. */
WP_INLINE void wp_planes_apart(const wp_planes *p, wp_quad plane[4])
{
	const wp_quad xy = wp_quad_zip(p->n.x, p->n.y), zt = wp_quad_zip(p->n.z, p->top);
	const wp_quad xy_late = wp_quad_zip(WP_QUAD_PICK(p->n.x, 2, 3, 2, 3), WP_QUAD_PICK(p->n.y, 2, 3, 2, 3));
	const wp_quad zt_late = wp_quad_zip(WP_QUAD_PICK(p->n.z, 2, 3, 2, 3), WP_QUAD_PICK(p->top, 2, 3, 2, 3));
	plane[0] = WP_QUAD_MIX(xy, zt, 0, 1, 0, 1);
	plane[1] = WP_QUAD_MIX(xy, zt, 2, 3, 2, 3);
	plane[2] = WP_QUAD_MIX(xy_late, zt_late, 0, 1, 0, 1);
	plane[3] = WP_QUAD_MIX(xy_late, zt_late, 2, 3, 2, 3);
}

#endif

#endif
