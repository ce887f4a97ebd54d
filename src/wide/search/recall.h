/* What is known of a pair from another call: GJK on the few vertices that it left, before any support. */
#ifndef WP_WIDE_SEARCH_RECALL_H
#define WP_WIDE_SEARCH_RECALL_H

#include "wide/lane/scale.h"
#include "wide/search/tetrahedron.h"

/* What the caches of the lanes' jobs hold, made safe to use. */
typedef struct wp_known {
	vi id[4]; /* of vertices that the shapes have */
	vi count; /* how many of them are known */
	vf3 axis; /* unit within 1e-2, else zero */
} wp_known;

/* An id of one side that support might give: a hull has that vertex, and signs of extents that are zero are clear, so
 * that equal points have equal ids. */
WP_INLINE vi wp_safe_id(int kind, vf3 half, vi last, vi id)
{
	if (kind == WP_CORE_HULL)
		return vi_select(vi_gt(id, last), last, id);
	const vf none = vf_zero();
	const vi x = vi_select(vf_gt(half.x, none), vi_set(1), vi_zero()),
			 y = vi_select(vf_gt(half.y, none), vi_set(2), vi_zero());
	const vi z = vi_select(vf_gt(half.z, none), vi_set(4), vi_zero());
	return vi_and(id, vi_or(x, vi_or(y, z)));
}

/* Read the caches of the live lanes' jobs, which may hold any bytes. Other lanes get nothing. */
WP_INLINE void wp_known_of(wp_known *known, const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b)
{
	WP_VECTOR_ALIGN float word[WP_CACHE_WORDS * WP_WIDTH]; /* a cache of each lane */
	WP_VECTOR_ALIGN int32_t last_a[WP_WIDTH], last_b[WP_WIDTH];
	for (int i = 0; i < WP_CACHE_WORDS; i++)
		vf_store(word + i * WP_WIDTH, vf_zero());
	vi_store(last_a, vi_zero());
	vi_store(last_b, vi_zero());
	for (uint32_t m = lanes->live; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const int32_t job = lanes->job[lane];
		wp_copy_bytes(word + WP_CACHE_WORDS * lane, jobs->cache + jobs->cache_of[job] * jobs->cache_stride,
			WP_CACHE_WORDS * sizeof *word);
		last_a[lane] = (int32_t)jobs->core_a[job]->count - 1;
		last_b[lane] = (int32_t)jobs->core_b[job]->count - 1;
	}
	WP_VECTOR_ALIGN int32_t column[WP_CACHE_WORDS][WP_WIDTH];
	WP_ROLLED
	for (int i = 0; i < WP_CACHE_WORDS; i += 4) {
		const vf4 quad = vf4_load(word + i, WP_CACHE_WORDS / 4);
		vi_store(column[i], vi_from_bits(quad.x));
		vi_store(column[i + 1], vi_from_bits(quad.y));
		vi_store(column[i + 2], vi_from_bits(quad.z));
		vi_store(column[i + 3], vi_from_bits(quad.w));
	}
	WP_ROLLED
	for (int i = 0; i < 4; i++) {
		const vi id = vi_load(column[WP_CACHE_VERTEX + i]);
		const vi a = wp_safe_id(kind_a, lanes->half_a, vi_load(last_a), vi_shift_right(id, 16));
		const vi b = wp_safe_id(kind_b, lanes->half_b, vi_load(last_b), vi_and(id, vi_set(0xffff)));
		known->id[i] = vi_or(vi_shift_left(a, 16), b);
	}
	const vi count = vi_load(column[WP_CACHE_COUNT]);
	known->count = vi_select(vi_gt(count, vi_set(4)), vi_zero(), count);
	const vf3 axis = {vf_from_bits(vi_load(column[WP_CACHE_AXIS])), vf_from_bits(vi_load(column[WP_CACHE_AXIS + 1])),
		vf_from_bits(vi_load(column[WP_CACHE_AXIS + 2]))};
	known->axis = vf3_select(wp_is_about_unit(vf3_dot(axis, axis)), axis, vf3_zero());
}

/* The known vertices of each lane, where they are now; those past the last one are the first again. */
WP_INLINE void wp_known_vertices(const wp_known *known, const wp_lanes *lanes, int kind_a, int kind_b, wp_vertex v[4])
{
	for (int i = 0; i < 4; i++) {
		const vm has = vi_gt(known->count, vi_set(i));
		vf3 a, b;
		if (WP_WIDTH == 1) {
			/* How many there are is not to be guessed by the machine. */
			const vi id = vi_select_evenly(has, known->id[i], known->id[0]);
			v[i] = wp_vertex_of_id(lanes, vm_bits(vi_gt(known->count, vi_zero())), kind_a, kind_b, id, &a, &b);
			continue;
		}
		v[i] = wp_vertex_of_id(lanes, vm_bits(has), kind_a, kind_b, known->id[i], &a, &b);
		v[i] = i == 0 ? v[0] : wp_vertex_select(has, v[i], v[0]);
	}
}

/* Where GJK stands by known vertices alone. Whatever they are, this is a state that it may be in: the nearest feature
 * of a triangle in the difference, the direction from it to the origin, its distance. */
typedef struct wp_recall {
	wp_simplex simplex;
	vf3 n;
	vf upper;
	vm in_face;    /* the feature is the whole triangle */
	vm inside;     /* it and the fourth vertex hold the origin: a tetrahedron */
	vm surely;     /* whatever rounding did */
	vm is_nearest; /* so, with good heights, and no face is nearer than `upper`, which the triangle is */
} wp_recall;

/* The corner of a triangle, or the inside of an edge, that is nearest to the origin; `moment` of its edges in turn is
 * twice the area that each spans with the origin. */
WP_INLINE void wp_recall_rim(wp_recall *r, const wp_vertex v[3], const vf3 moment[3])
{
	vf best = vf3_dot(v[0].w, v[0].w);
	vf3 way = vf3_neg(v[0].w);
	r->simplex.v[0] = r->simplex.v[1] = r->simplex.v[2] = v[0];
	r->simplex.size = vi_set(1);
	for (int i = 0; i < 3; i++) {
		const wp_vertex p = v[i], q = v[(i + 1) % 3];
		const vf3 edge = vf3_sub(q.w, p.w);
		const vm between = vm_and(vf_lt(vf3_dot(edge, p.w), vf_zero()), vf_gt(vf3_dot(edge, q.w), vf_zero()));
		const vf length2 = vf_select(between, vf3_dot(edge, edge), vf_set(1.0f));
		const vf distance2 = vf_select(between, vf_div(vf3_dot(moment[i], moment[i]), length2), vf3_dot(q.w, q.w));
		const vm nearer = vf_lt(distance2, best);
		best = vf_select(nearer, distance2, best);
		way = vf3_select(nearer, vf3_select(between, vf3_cross(moment[i], edge), vf3_neg(q.w)), way);
		r->simplex.v[0] = wp_vertex_select(nearer, q, r->simplex.v[0]);
		r->simplex.v[1] = wp_vertex_select(nearer, p, r->simplex.v[1]);
		r->simplex.size = vi_select(nearer, vi_select(between, vi_set(2), vi_set(1)), r->simplex.size);
	}
	r->n = vf3_unit(way, vf3_up());
	r->upper = vf_neg(vf3_dot(r->n, r->simplex.v[0].w));
}

/* The nearest feature of the first three vertices: the triangle where the origin lies on the inner side of its three
 * edges, else of its rim. One body for GJK and sweeps. */
WP_NOINLINE void wp_recall_nearest(wp_recall *r, const wp_vertex v[3])
{
	vf3 moment[3];
	for (int i = 0; i < 3; i++)
		moment[i] = vf3_cross(v[i].w, vf3_sub(v[(i + 1) % 3].w, v[i].w));
	const wp_plane plane = wp_plane_of_face(v[0].w, v[1].w, v[2].w);
	const vf3 side = {vf3_dot(moment[0], plane.n), vf3_dot(moment[1], plane.n), vf3_dot(moment[2], plane.n)};
	const vm within = vf_gt(vf_min(side.x, vf_min(side.y, side.z)), vf_zero());
	r->in_face = vm_and(within, vf_lt(plane.rank, vf_set(WP_NO_FACE)));
	const vm below = vf_gt(plane.rank, vf_zero());
	if (WP_WIDTH > 1 || !vm_any(r->in_face))
		wp_recall_rim(r, v, moment);
	r->simplex.v[0] = wp_vertex_select(r->in_face, v[0], r->simplex.v[0]);
	r->simplex.v[1] = wp_vertex_select(r->in_face, wp_vertex_select(below, v[2], v[1]), r->simplex.v[1]);
	r->simplex.v[2] = wp_vertex_select(r->in_face, wp_vertex_select(below, v[1], v[2]), r->simplex.v[2]);
	r->simplex.size = vi_select(r->in_face, vi_set(3), r->simplex.size);
	r->n = vf3_select(r->in_face, vf3_select(below, vf3_neg(plane.n), plane.n), r->n);
	r->upper = vf_select(r->in_face, vf_select(below, plane.rank, vf_neg(plane.top)), r->upper);
}

/* The same for GJK. A simplex on the origin is for supports to decide: there the first vertex is what is left. */
WP_INLINE void wp_recall_triangle(wp_recall *r, const wp_vertex v[3])
{
	wp_recall_nearest(r, v);
	const vm touching = vf_not_gt(r->upper, vf_set(WP_GJK_TOUCH));
	r->simplex.v[0] = wp_vertex_select(touching, v[0], r->simplex.v[0]);
	r->simplex.size = vi_select(touching, vi_set(1), r->simplex.size);
	r->n = vf3_select(touching, vf3_unit(vf3_neg(v[0].w), vf3_up()), r->n);
	r->upper = vf_select(touching, vf3_length(v[0].w), r->upper);
	r->in_face = vm_andnot(r->in_face, touching);
}

/* Whether the fourth vertex and the triangle hold the origin: seen from there all four faces are wound alike. */
WP_INLINE void wp_recall_tetrahedron(wp_recall *r, const wp_vertex v[4])
{
	static const uint8_t corner[4][3] = {{0, 1, 2}, {3, 1, 0}, {3, 2, 1}, {3, 0, 2}};
	vf volume[4], low[4], area2[4], sign = vf_zero();
	for (int i = 0; i < 4; i++) {
		const vf3 a = v[corner[i][0]].w, b = v[corner[i][1]].w, c = v[corner[i][2]].w;
		const vf3 n = vf3_normal_of(a, b, c);
		const vf along_a = vf3_dot(n, a);
		sign = i == 0 ? along_a : sign;
		volume[i] = vf_flip_sign(along_a, sign);
		/* By its lowest corner, as EPA's faces are. */
		low[i] = vf_min(volume[i], vf_min(vf_flip_sign(vf3_dot(n, b), sign), vf_flip_sign(vf3_dot(n, c), sign)));
		area2[i] = vf3_dot(n, n);
	}
	const vf least = vf_min(vf_min(volume[0], volume[1]), vf_min(volume[2], volume[3]));
	r->inside = vf_gt(least, vf_zero());
	r->surely = vf_gt(least, vf_set(WP_VOLUME_ROUNDING));

	/* distance = volume / area of each face, height = whole / area, without the roots. */
	const vf whole = vf_add(vf_add(volume[0], volume[1]), vf_add(volume[2], volume[3]));
	const vf largest2 = vf_max(vf_max(area2[0], area2[1]), vf_max(area2[2], area2[3]));
	const vf good = vf_set(WP_EPA_HEIGHT_GOOD * WP_EPA_HEIGHT_GOOD);
	vm nearest = vm_and(r->in_face, vf_ge(vf_mul(whole, whole), vf_mul(good, largest2)));
	for (int i = 1; i < 4; i++)
		nearest = vm_and(nearest, vf_ge(vf_mul(low[i], vf_abs(low[i])), vf_mul(vf_mul(r->upper, r->upper), area2[i])));
	r->is_nearest = vm_and(r->inside, nearest);
}

WP_INLINE void wp_recall_of(wp_recall *r, const wp_vertex v[4], vi count)
{
	wp_recall_triangle(r, v);
	r->inside = r->surely = r->is_nearest = vm_false();
	if (vm_any(vi_gt(count, vi_set(3))))
		wp_recall_tetrahedron(r, v);
}

#endif
