/* The nearest feature of a simplex in one lane: the same as in simplex.h, with the same bits. What is found of each of the three
 * edges, and of each of the three faces at the newest vertex, is side by side in quads. */
#ifndef WP_WIDE_SEARCH_SIMPLEX_ONE_H
#define WP_WIDE_SEARCH_SIMPLEX_ONE_H

#include "wide/support/support.h"
#include "wide/support/vertex_one.h"

#if WP_ONE_LANE_QUADS

/* The edges from w to the vertices of a simplex; without a vertex there is none. */
WP_INLINE wp_vectors wp_one_edges(const wp_vertex v[3], vi size, vf3 w)
{
	static const _Alignas(16) float has[4][4] = {{0}, {1, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}};
	const wp_vectors vertices = wp_one_triangle(v), newest = wp_vectors_of(w);
	const wp_vectors edge = wp_vectors_sub(&vertices, &newest);
	const wp_quad_mask there = wp_quad_above(wp_quad_load(has[size & 3]), wp_quad_zero());
	return (wp_vectors){wp_quad_where(there, edge.x), wp_quad_where(there, edge.y), wp_quad_where(there, edge.z)};
}

/* The edge whose ray is nearest to the origin, as wp_nearest_ray_of; -1: w is nearest. */
WP_INLINE int wp_one_nearest_ray(const wp_vectors *edge, vf3 to_origin)
{
	const wp_vectors x = wp_vectors_of(to_origin);
	const wp_quad along = wp_vectors_dot(edge, &x), length2 = wp_vectors_dot(edge, edge);
	const wp_quad squares = wp_quad_mul(along, along);
	const float p[3] = {wp_quad_get(along, 0), wp_quad_get(along, 1), wp_quad_get(along, 2)};
	const float p2[3] = {wp_quad_get(squares, 0), wp_quad_get(squares, 1), wp_quad_get(squares, 2)};
	const float q[3] = {wp_quad_get(length2, 0), wp_quad_get(length2, 1), wp_quad_get(length2, 2)};
	float best_p2 = 0.0f, best_q = 1.0f;
	int nearest = -1;
	for (int i = 0; i < 3; i++)
		if (p[i] > 0.0f && p2[i] * best_q > best_p2 * q[i]) {
			best_p2 = p2[i];
			best_q = q[i];
			nearest = i;
		}
	return nearest;
}

/* The features of a simplex and a new vertex w that the origin may be nearest to. */
typedef struct wp_one_features {
	wp_vectors edge, moment, normal; /* face i is between edges i and i + 1 */
	wp_vectors unit;                 /* the normals, unit where they are directions, or as they are */
	wp_quad normal2;
	uint32_t out, face; /* of each face a bit: the origin is above it; is nearest to it */
} wp_one_features;

/* The normals of all faces are made unit while it is found which one is of use. */
WP_INLINE void wp_one_features_of(const wp_vertex v[3], vi size, vf3 w, wp_one_features *f)
{
	const wp_quad zero = wp_quad_zero();
	const wp_vectors x = wp_vectors_of(vf3_neg(w));
	f->edge = wp_one_edges(v, size, w);
	f->moment = wp_vectors_cross(&f->edge, &x);
	const wp_vectors next = wp_vectors_next(&f->edge), next_moment = wp_vectors_next(&f->moment);
	f->normal = wp_vectors_cross(&f->edge, &next);
	f->normal2 = wp_vectors_dot(&f->normal, &f->normal);
	const wp_quad one = wp_quad_set(1.0f), least2 = wp_quad_set(WP_DIRECTION_MIN_SQUARED);
	const wp_quad inverse = wp_quad_over(
		one, wp_quad_sqrt(wp_quad_select(wp_quad_above(f->normal2, least2), f->normal2, one)));
	f->unit = (wp_vectors){
		wp_quad_mul(f->normal.x, inverse), wp_quad_mul(f->normal.y, inverse), wp_quad_mul(f->normal.z, inverse)};
	f->out = wp_quad_bits(wp_quad_above(wp_vectors_dot(&f->normal, &x), zero)) & 7u;
	const uint32_t past = wp_quad_bits(wp_quad_above(wp_vectors_dot(&f->normal, &f->moment), zero));
	const uint32_t before = wp_quad_bits(wp_quad_above(zero, wp_vectors_dot(&f->normal, &next_moment)));
	/* A lone triangle is seen from both sides. */
	f->face = past & before & (f->out | (uint32_t)(size < 3));
}

#endif

#endif
