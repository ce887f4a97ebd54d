/* W2: what is known of a pair from another call: GJK on the few vertices that it left, before any support. */
#ifndef WP_WIDE_RECALL_H
#define WP_WIDE_RECALL_H

#include "wide/tetrahedron.h"

/* What the caches of the lanes' jobs say, made safe to use. */
typedef struct wp_known {
	vi id[4];         /* of vertices that the shapes have */
	vi count;         /* how many of them are known */
	vf3 axis;         /* unit within 1e-2, else zero */
} wp_known;

/* An id of one side that support might give: a hull has that vertex, and signs of extents that are zero are clear, so
 * that equal points have equal ids. */
WP_INLINE vi wp_safe_id(int kind, vf3 half, vi last, vi id)
{
	if (kind == WP_CORE_HULL)
		return vi_select(vi_gt(id, last), last, id);
	const vi zero = vi_zero();
	const vi signs = vi_or(vi_select(vf_gt(half.x, vf_zero()), vi_set(1), zero),
		vi_or(vi_select(vf_gt(half.y, vf_zero()), vi_set(2), zero), vi_select(vf_gt(half.z, vf_zero()), vi_set(4), zero)));
	return vi_and(id, signs);
}

/* Read the caches of the live lanes' jobs, which may hold any bytes. Other lanes know nothing. */
WP_INLINE void wp_known_of(wp_known *known, const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b)
{
	WP_VECTOR_ALIGN int32_t word[WP_CACHE_WORDS][WP_WIDTH];
	WP_VECTOR_ALIGN int32_t last_a[WP_WIDTH], last_b[WP_WIDTH];
	for (int i = 0; i < WP_CACHE_WORDS; i++)
		vi_store(word[i], vi_zero());
	vi_store(last_a, vi_zero());
	vi_store(last_b, vi_zero());
	for (uint32_t m = lanes->live; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const int32_t job = lanes->job[lane];
		int32_t cache[WP_CACHE_WORDS];
		memcpy(cache, jobs->cache + jobs->row[job] * jobs->cache_stride, sizeof cache);
		for (int i = 0; i < WP_CACHE_WORDS; i++)
			word[i][lane] = cache[i];
		last_a[lane] = (int32_t)jobs->core_a[job]->count - 1;
		last_b[lane] = (int32_t)jobs->core_b[job]->count - 1;
	}
	for (int i = 0; i < 4; i++) {
		const vi id = vi_load(word[WP_CACHE_VERTEX + i]);
		const vi a = wp_safe_id(kind_a, lanes->half_a, vi_load(last_a), vi_shift_right(id, 16));
		const vi b = wp_safe_id(kind_b, lanes->half_b, vi_load(last_b), vi_and(id, vi_set(0xffff)));
		known->id[i] = vi_or(vi_shift_left(a, 16), b);
	}
	const vi count = vi_load(word[WP_CACHE_COUNT]);
	known->count = vi_select(vi_gt(count, vi_set(4)), vi_zero(), count);
	const vf3 axis = {vf_from_bits(vi_load(word[WP_CACHE_AXIS])), vf_from_bits(vi_load(word[WP_CACHE_AXIS + 1])),
		vf_from_bits(vi_load(word[WP_CACHE_AXIS + 2]))};
	const vf length2 = vf3_dot(axis, axis);
	const vm is_unit = vm_and(vf_ge(length2, vf_set(0.99f * 0.99f)), vf_le(length2, vf_set(1.01f * 1.01f)));
	known->axis = vf3_select(is_unit, axis, vf3_zero());
}

/* Where GJK stands after it has run on known vertices alone. Whatever they are, this is a state that it may be in:
 * a feature of the difference, the direction from it to the origin, its distance. */
typedef struct wp_recall {
	wp_simplex simplex;
	vf3 n;
	vf upper;
	vm inside;        /* the simplex and `last` hold the origin */
	wp_vertex last;
} wp_recall;

WP_INLINE vf3 wp_up(void) { return (vf3){vf_zero(), vf_set(1.0f), vf_zero()}; }

/* The known vertex that is farthest along n. */
WP_INLINE wp_vertex wp_known_support(const wp_vertex known[4], vf3 n)
{
	wp_vertex best = known[0];
	vf most = vf3_dot(n, known[0].w);
	for (int i = 1; i < 4; i++) {
		const vf along = vf3_dot(n, known[i].w);
		best = wp_vertex_select(vf_gt(along, most), known[i], best);
		most = vf_max(along, most);
	}
	return best;
}

/* One step of it, of the lanes `open`. A vertex that brings no progress beyond rounding stays out, and so does one that puts the simplex on
 * the origin: that is for supports to decide. Returns the lanes that go on. */
WP_INLINE vm wp_recall_step(wp_recall *r, const wp_vertex known[4], vm open)
{
	const wp_vertex w = wp_known_support(known, r->n);
	const vf lower = vf_neg(vf3_dot(r->n, w.w));
	const vm progress = vm_and(open, vf_gt(vf_sub(r->upper, lower), vf_set(WP_GJK_SLACK)));
	if (!vm_any(progress))
		return progress;
	const wp_simplex_step next = wp_simplex_next(&r->simplex, w, r->n, vf_le(lower, vf_zero()));
	const vm inside = vm_and(progress, next.inside);
	r->inside = vm_or(r->inside, inside);
	r->last = wp_vertex_select(inside, w, r->last);
	const vm clear = vm_andnot(vf_gt(next.upper, vf_set(WP_GJK_TOUCH)), next.touching);
	const vm moves = vm_andnot(vm_and(progress, vm_and(clear, vf_lt(next.upper, r->upper))), inside);
	for (int i = 0; i < 3; i++)
		r->simplex.v[i] = wp_vertex_select(moves, next.feature.v[i], r->simplex.v[i]);
	r->simplex.size = vi_select(moves, next.feature.size, r->simplex.size);
	r->n = vf3_select(moves, next.direction, r->n);
	r->upper = vf_select(moves, next.upper, r->upper);
	return moves;
}

/* GJK on the known vertices of the lanes that have any, where these are now. */
WP_INLINE void wp_recall_simplex(wp_recall *r, const wp_lanes *lanes, const wp_known *known, int kind_a, int kind_b)
{
	wp_vertex v[4];
	for (int i = 0; i < 4; i++) {
		const vm has = vi_gt(known->count, vi_set(i));
		vf3 a, b;
		v[i] = wp_vertex_of_id(lanes, vm_bits(has), kind_a, kind_b, known->id[i], &a, &b);
		v[i] = wp_vertex_select(has, v[i], v[0]);
	}
	r->n = vf3_unit(vf3_neg(v[0].w), wp_up());
	r->upper = vf_sqrt(vf3_dot(v[0].w, v[0].w));
	r->inside = vm_false();
	r->simplex.v[0] = r->simplex.v[1] = r->simplex.v[2] = r->last = v[0];
	r->simplex.size = vi_set(1);
	vm open = vi_gt(known->count, vi_zero());
	for (int i = 0; i < WP_RECALL_STEP_MAX && vm_any(open); i++)
		open = wp_recall_step(r, v, open);
}

/* The face nearest to the origin of the tetrahedra that hold it, and the vertex opposite to it. */
typedef struct wp_recalled_face {
	wp_vertex v[3], apex;
	vf3 n;            /* outwards */
	vf nearest;       /* distance */
	vm sound;         /* the tetrahedron has good heights, and the origin projects into the face */
} wp_recalled_face;

/* What EPA does first with a tetrahedron. Where the face is sound and its support plane is as far as it is, it is the
 * answer. */
WP_INLINE void wp_recall_face(wp_recalled_face *face, const wp_recall *r)
{
	/* Corners of the faces, wound outwards with the fourth vertex below the face of the first three, and the vertex
	 * opposite. */
	static const uint8_t corner[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
	wp_tetrahedron t = {{r->simplex.v[0], r->simplex.v[1], r->simplex.v[2], r->last}};
	const vf height = wp_smallest_height(r->inside, &t);
	const vf3 e1 = vf3_sub(t.v[1].w, t.v[0].w), e2 = vf3_sub(t.v[2].w, t.v[0].w), e3 = vf3_sub(t.v[3].w, t.v[0].w);
	const vm above = vf_gt(vf3_dot(vf3_cross(e1, e2), e3), vf_zero());
	const wp_vertex v[4] = {t.v[0], wp_vertex_select(above, t.v[2], t.v[1]), wp_vertex_select(above, t.v[1], t.v[2]), t.v[3]};
	for (int i = 0; i < 4; i++) {
		const uint8_t *const c = corner[i];
		const wp_plane plane = wp_plane_of_face(v[c[0]].w, v[c[1]].w, v[c[2]].w);
		const vm nearer = i == 0 ? vm_all() : vf_lt(plane.rank, face->nearest);
		face->nearest = i == 0 ? plane.rank : vf_select(nearer, plane.rank, face->nearest);
		face->n = i == 0 ? plane.n : vf3_select(nearer, plane.n, face->n);
		for (int k = 0; k < 3; k++)
			face->v[k] = i == 0 ? v[c[k]] : wp_vertex_select(nearer, v[c[k]], face->v[k]);
		face->apex = i == 0 ? v[c[3]] : wp_vertex_select(nearer, v[c[3]], face->apex);
	}
	const vm in_face = vf_ge(wp_containment(face->v, face->n), vf_set(-WP_EPA_OUTSIDE));
	face->sound = vm_and(vm_and(r->inside, vf_ge(height, vf_set(WP_EPA_HEIGHT_GOOD))),
		vm_and(in_face, vf_lt(face->nearest, vf_set(WP_NO_FACE))));
}

#endif
