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

/* The same for both sides, whose hulls have these last vertices. */
WP_NOINLINE vi wp_safe_vertex(
	const wp_lanes *lanes, int kind_a, int kind_b, const int32_t *last_a, const int32_t *last_b, const vi *id)
{
	const vi a = wp_safe_id(kind_a, lanes->half_a, vi_load(last_a), vi_shift_right(*id, 16));
	const vi b = wp_safe_id(kind_b, lanes->half_b, vi_load(last_b), vi_and(*id, vi_set(0xffff)));
	return vi_or(vi_shift_left(a, 16), b);
}

/* The caches of the lanes' jobs word by word; of each side the last vertex of its hull. */
typedef struct wp_cache_columns {
	WP_VECTOR_ALIGN int32_t word[WP_CACHE_WORDS][WP_WIDTH], last_a[WP_WIDTH], last_b[WP_WIDTH];
} wp_cache_columns;

#if WP_WIDTH == 1

WP_INLINE void wp_read_caches(wp_cache_columns *c, const wp_jobs *jobs, const wp_lanes *lanes)
{
	const int32_t job = lanes->job[0];
	wp_copy_bytes(c->word, jobs->cache + jobs->cache_of[job] * jobs->cache_stride, sizeof c->word);
	c->last_a[0] = (int32_t)jobs->core_a[job]->count - 1;
	c->last_b[0] = (int32_t)jobs->core_b[job]->count - 1;
}

#else

/* Lanes that are not live have caches of zeros. */
WP_INLINE void wp_read_caches(wp_cache_columns *c, const wp_jobs *jobs, const wp_lanes *lanes)
{
	WP_VECTOR_ALIGN float word[WP_CACHE_WORDS * WP_WIDTH]; /* a cache of each lane */
	for (int i = 0; i < WP_CACHE_WORDS; i++)
		vf_store(word + i * WP_WIDTH, vf_zero());
	vi_store(c->last_a, vi_zero());
	vi_store(c->last_b, vi_zero());
	for (uint32_t m = lanes->live; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const int32_t job = lanes->job[lane];
		wp_copy_bytes(word + WP_CACHE_WORDS * lane, jobs->cache + jobs->cache_of[job] * jobs->cache_stride,
			WP_CACHE_WORDS * sizeof *word);
		c->last_a[lane] = (int32_t)jobs->core_a[job]->count - 1;
		c->last_b[lane] = (int32_t)jobs->core_b[job]->count - 1;
	}
	WP_ROLLED
	for (int i = 0; i < WP_CACHE_WORDS; i += 4) {
		const vf4 quad = vf4_load(word + i, WP_CACHE_WORDS / 4);
		vi_store(c->word[i], vi_from_bits(quad.x));
		vi_store(c->word[i + 1], vi_from_bits(quad.y));
		vi_store(c->word[i + 2], vi_from_bits(quad.z));
		vi_store(c->word[i + 3], vi_from_bits(quad.w));
	}
}

#endif

/* Read the caches of the live lanes' jobs, which may hold any bytes. Other lanes get nothing. */
WP_INLINE void wp_known_of(wp_known *known, const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b)
{
	wp_cache_columns c;
	wp_read_caches(&c, jobs, lanes);
	WP_ROLLED
	for (int i = 0; i < 4; i++) {
		const vi id = vi_load(c.word[WP_CACHE_VERTEX + i]);
		known->id[i] = wp_safe_vertex(lanes, kind_a, kind_b, c.last_a, c.last_b, &id);
	}
	const vi count = vi_load(c.word[WP_CACHE_COUNT]);
	known->count = vi_select(vi_gt(count, vi_set(4)), vi_zero(), count);
	const vf3 axis = {vf_from_bits(vi_load(c.word[WP_CACHE_AXIS])), vf_from_bits(vi_load(c.word[WP_CACHE_AXIS + 1])),
		vf_from_bits(vi_load(c.word[WP_CACHE_AXIS + 2]))};
	known->axis = vf3_select(wp_is_about_unit(vf3_dot(axis, axis)), axis, vf3_zero());
}

/* A vertex by its id, where it is now. */
WP_NOINLINE wp_vertex wp_named_vertex(const wp_lanes *lanes, uint32_t wanted, int kind_a, int kind_b, const vi *id)
{
	vf3 a, b;
	return wp_vertex_of_id(lanes, wanted, kind_a, kind_b, *id, &a, &b);
}

/* The known vertices of each lane, where they are now; those past the last one are the first again. */
#if WP_ONE_LANE_QUADS

WP_INLINE void wp_known_vertices(const wp_known *known, const wp_lanes *lanes, int kind_a, int kind_b, wp_vertex v[4])
{
	const wp_one_pose pose = wp_one_pose_of_lanes(lanes);
	for (int i = 0; i < 4; i++) {
		/* How many there are is not to be guessed by the machine. */
		const vi id = vi_select_evenly(known->count > i, known->id[i], known->id[0]);
		const wp_quad w = wp_one_vertex_of_id(lanes, &pose, kind_a, kind_b, (uint32_t)id).w;
		wp_one_put_vertex(&v[i], wp_one_named(w, id));
	}
}

#else

WP_INLINE void wp_known_vertices(const wp_known *known, const wp_lanes *lanes, int kind_a, int kind_b, wp_vertex v[4])
{
	for (int i = 0; i < 4; i++) {
		const vm has = vi_gt(known->count, vi_set(i));
		v[i] = wp_named_vertex(lanes, vm_bits(has), kind_a, kind_b, &known->id[i]);
		v[i] = i == 0 ? v[0] : wp_vertex_select(has, v[i], v[0]);
	}
}

#endif

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

/* The plane of a triangle, the moments of its edges, and on which side of each, seen along the normal, the origin lies. */
typedef struct wp_recall_face {
	wp_plane plane;
	vf3 moment[3], side;
} wp_recall_face;

#if WP_ONE_LANE_QUADS

/* wp_plane_of_face, of a triangle whose corners, and the edges from each to the next one, are side by side. */
WP_INLINE wp_plane wp_one_plane_of(const wp_vectors *v, const wp_vectors *edge)
{
	const wp_vectors next = wp_vectors_next(edge), last = wp_vectors_next(&next);
	const wp_vectors crosses = wp_vectors_cross(&next, &last);
	const wp_quad lengths2 = wp_vectors_dot(edge, edge);
	const float ab2 = wp_quad_get(lengths2, 0), bc2 = wp_quad_get(lengths2, 1), ca2 = wp_quad_get(lengths2, 2);
	const int longest = ab2 >= bc2 && ab2 >= ca2 ? 0 : bc2 >= ca2 ? 1 : 2;
	const vf3 cross = wp_vectors_get(&crosses, longest);
	const float thin = WP_EPA_FACE_HEIGHT_MIN * wp_quad_place(lengths2, longest);
	wp_plane plane = {.n = vf3_unit(cross, vf3_zero())};
	const wp_vectors n = wp_vectors_of(plane.n);
	const wp_quad along = wp_vectors_dot(&n, v);
	const float a = wp_quad_get(along, 0), b = wp_quad_get(along, 1), c = wp_quad_get(along, 2);
	plane.top = vf_max(vf_max(a, b), c);
	plane.rank = vf3_dot(cross, cross) > thin * thin ? vf_min(vf_min(a, b), c) : WP_NO_FACE;
	return plane;
}

WP_INLINE void wp_recall_face_of(const wp_vertex corner[3], wp_recall_face *f)
{
	const wp_vectors v = wp_one_triangle(corner), next = wp_vectors_next(&v), edge = wp_vectors_sub(&next, &v);
	const wp_vectors moment = wp_vectors_cross(&v, &edge);
	f->plane = wp_one_plane_of(&v, &edge);
	const wp_vectors n = wp_vectors_of(f->plane.n);
	f->side = vf3_of_quad(wp_vectors_dot(&moment, &n));
	for (int i = 0; i < 3; i++)
		f->moment[i] = wp_vectors_get(&moment, i);
}

#else

WP_INLINE void wp_recall_face_of(const wp_vertex v[3], wp_recall_face *f)
{
	for (int i = 0; i < 3; i++)
		f->moment[i] = vf3_cross(v[i].w, vf3_sub(v[(i + 1) % 3].w, v[i].w));
	f->plane = wp_plane_of_face(v[0].w, v[1].w, v[2].w);
	const vf3 n = f->plane.n;
	f->side = vf3_set(vf3_dot(f->moment[0], n), vf3_dot(f->moment[1], n), vf3_dot(f->moment[2], n));
}

#endif

/* The nearest feature of the first three vertices: the triangle where the origin lies on the inner side of its three
 * edges, else of its rim. One body for GJK and sweeps. */
WP_NOINLINE void wp_recall_nearest(wp_recall *r, const wp_vertex v[3])
{
	wp_recall_face face;
	wp_recall_face_of(v, &face);
	const wp_plane plane = face.plane;
	const vf3 side = face.side;
	const vm within = vf_gt(vf_min(side.x, vf_min(side.y, side.z)), vf_zero());
	r->in_face = vm_and(within, vf_lt(plane.rank, vf_set(WP_NO_FACE)));
	const vm below = vf_gt(plane.rank, vf_zero());
	if (WP_WIDTH > 1 || !vm_any(r->in_face))
		wp_recall_rim(r, v, face.moment);
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
#if WP_ONE_LANE_QUADS

WP_INLINE void wp_recall_tetrahedron(wp_recall *r, const wp_vertex v[4])
{
	const wp_vectors w = wp_one_vectors(v);
	/* The corners of four faces, the triangle first. */
	const wp_vectors a = {WP_QUAD_PICK(w.x, 0, 3, 3, 3), WP_QUAD_PICK(w.y, 0, 3, 3, 3), WP_QUAD_PICK(w.z, 0, 3, 3, 3)};
	const wp_vectors b = {WP_QUAD_PICK(w.x, 1, 1, 2, 0), WP_QUAD_PICK(w.y, 1, 1, 2, 0), WP_QUAD_PICK(w.z, 1, 1, 2, 0)};
	const wp_vectors c = {WP_QUAD_PICK(w.x, 2, 0, 1, 2), WP_QUAD_PICK(w.y, 2, 0, 1, 2), WP_QUAD_PICK(w.z, 2, 0, 1, 2)};
	const wp_vectors ab = wp_vectors_sub(&b, &a), ac = wp_vectors_sub(&c, &a), n = wp_vectors_cross(&ab, &ac);
	const wp_quad along_a = wp_vectors_dot(&n, &a), sign = wp_quad_spread(along_a, 0);
	const wp_quad volume = wp_quad_flip_sign(along_a, sign), area2 = wp_vectors_dot(&n, &n);
	/* By its lowest corner, as EPA's faces are. */
	const wp_quad low = wp_quad_min(volume,
		wp_quad_min(wp_quad_flip_sign(wp_vectors_dot(&n, &b), sign), wp_quad_flip_sign(wp_vectors_dot(&n, &c), sign)));
	const vf least = WP_QUAD_FOLD(volume, vf_min), largest2 = WP_QUAD_FOLD(area2, vf_max);
	r->inside = least > 0.0f;
	r->surely = least > WP_VOLUME_ROUNDING;

	/* distance = volume / area of each face, height = whole / area, without the roots. */
	const vf whole = WP_QUAD_FOLD(volume, vf_add);
	const wp_quad distances2 = wp_quad_scale(area2, r->upper * r->upper);
	const uint32_t far = wp_quad_bits(wp_quad_at_most(distances2, wp_quad_mul(low, wp_quad_abs(low))));
	const bool is_high = whole * whole >= WP_EPA_HEIGHT_GOOD * WP_EPA_HEIGHT_GOOD * largest2;
	r->is_nearest = r->inside && r->in_face && is_high && (far | 1u) == 15u;
}

#else

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

#endif

WP_INLINE void wp_recall_of(wp_recall *r, const wp_vertex v[4], vi count)
{
	wp_recall_triangle(r, v);
	r->inside = r->surely = r->is_nearest = vm_false();
	if (vm_any(vi_gt(count, vi_set(3))))
		wp_recall_tetrahedron(r, v);
}

/* Kernels for kept polytopes (wide/search/proven_depth.h), apart from others because only tracked pairs need them. */
typedef struct wp_polytope_table {
	/* How deep the origin is at least, if the support along the triangle's normal is no further; 0 where the triangle v is not
	 * the nearest face of the kept polytope now. */
	void (*recall)(const wp_recall *r, const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b,
		const wp_vertex v[3], vf *depth);
	/* Keep of the `closed` lanes' polytopes, of so many faces, what proves the faces in `own` to be the nearest again. */
	void (*keep)(const wp_polytopes *p, const vi *face_count, uint32_t closed, const wp_jobs *jobs,
		const wp_lanes *lanes, const vi *own);
} wp_polytope_table;

#define WP_POLYTOPE_TABLE WP_JOIN(wp_polytope_kernels_, WP_VARIANT)

extern const wp_polytope_table WP_POLYTOPE_TABLE; /* proven_depths.c */

#endif
