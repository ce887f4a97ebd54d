/* What is known of a pair from another call: GJK on the few vertices that it left, before any support. */
#ifndef WP_WIDE_SEARCH_RECALL_H
#define WP_WIDE_SEARCH_RECALL_H

#include "wide/lane/scale.h"
#include "wide/search/tetrahedron.h"

/* What the caches of the lanes' jobs hold; ids are not safe to use yet. */
typedef struct wp_known {
	vi word[4];        /* of vertices */
	vi count;          /* how many of them are known: up to 4, */
	vm all;            /* or all, by short ids */
	vi last_a, last_b; /* vertices of the shapes */
	vf3 axis;          /* unit within 1e-2, else zero */
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
WP_INLINE void wp_known_of(wp_known *known, const wp_jobs *jobs, const wp_lanes *lanes)
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
		wp_copy_bytes(cache, jobs->cache + jobs->cache_of[job] * jobs->cache_stride, sizeof cache);
		WP_ROLLED
		for (int i = 0; i < WP_CACHE_WORDS; i++)
			word[i][lane] = cache[i];
		last_a[lane] = (int32_t)jobs->core_a[job]->count - 1;
		last_b[lane] = (int32_t)jobs->core_b[job]->count - 1;
	}
	for (int i = 0; i < 4; i++)
		known->word[i] = vi_load(word[WP_CACHE_VERTEX + i]);
	known->last_a = vi_load(last_a);
	known->last_b = vi_load(last_b);
	const vi count = vi_load(word[WP_CACHE_COUNT]);
	known->all = vi_eq(count, vi_set(WP_KNOWN_MAX));
	known->count = vi_select(vm_andnot(vi_gt(count, vi_set(4)), known->all), vi_zero(), count);
	const vf3 axis = {vf_from_bits(vi_load(word[WP_CACHE_AXIS])), vf_from_bits(vi_load(word[WP_CACHE_AXIS + 1])),
		vf_from_bits(vi_load(word[WP_CACHE_AXIS + 2]))};
	known->axis = vf3_select(wp_is_about_unit(vf3_dot(axis, axis)), axis, vf3_zero());
}

/* Id `i` of each lane, made safe to use. */
WP_INLINE vi wp_known_id(const wp_known *known, const wp_lanes *lanes, int kind_a, int kind_b, int i)
{
	/* The second half word after the face is empty. */
	const int place = i < 3 ? i : i + 1;
	const vi half = vi_and(vi_shift_right(known->word[place / 2], 16 * (place % 2)), vi_set(0xffff));
	const vi full = vi_or(vi_shift_left(vi_shift_right(half, 8), 16), vi_and(half, vi_set(0xff)));
	const vi id = vi_select(known->all, full, known->word[i < 3 ? i : 3]);
	const vi a = wp_safe_id(kind_a, lanes->half_a, known->last_a, vi_shift_right(id, 16));
	const vi b = wp_safe_id(kind_b, lanes->half_b, known->last_b, vi_and(id, vi_set(0xffff)));
	return vi_or(vi_shift_left(a, 16), b);
}

/* Known vertex `i` of each lane, where it is now. Past the last one are the first again, or the fourth. */
WP_NOINLINE void wp_known_vertex(
	const wp_known *known, const wp_lanes *lanes, int kind_a, int kind_b, int i, wp_vertex v[WP_KNOWN_MAX])
{
	const vm has = vi_gt(known->count, vi_set(i));
	const vi id = wp_known_id(known, lanes, kind_a, kind_b, i);
	vf3 a, b;
	const wp_vertex found = wp_vertex_of_id(lanes, vm_bits(has), kind_a, kind_b, id, &a, &b);
	v[i] = i == 0 ? found : wp_vertex_select(has, found, v[i < 4 ? 0 : 3]);
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
	vm is_nearest; /* so, and no face of it, if its heights are good, or of a surface is nearer than `upper`, which the
	                  triangle is */
} wp_recall;

/* The corner of a triangle, or the inside of an edge, that is nearest to the origin; `moment` of its edges in turn is
 * twice the area that each spans with the origin. */
WP_INLINE void wp_recall_rim(wp_recall *r, const wp_vertex v[3], vf3 moment[3])
{
	vf best = vf3_dot(v[0].w, v[0].w);
	vf3 way = vf3_neg(v[0].w);
	r->simplex.v[0] = r->simplex.v[1] = r->simplex.v[2] = v[0];
	r->simplex.size = vi_set(1);
	WP_ROLLED
	for (int i = 0; i < 3; i++) {
		const wp_vertex p = v[i], q = v[i == 2 ? 0 : i + 1];
		const vf3 edge = vf3_sub(q.w, p.w);
		moment[i] = vf3_cross(p.w, edge);
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
	wp_recall_rim(r, v, moment);
	const wp_plane plane = wp_plane_of_face(v[0].w, v[1].w, v[2].w);
	const vf3 side = {vf3_dot(moment[0], plane.n), vf3_dot(moment[1], plane.n), vf3_dot(moment[2], plane.n)};
	const vm within = vf_gt(vf_min(side.x, vf_min(side.y, side.z)), vf_zero());
	r->in_face = vm_and(within, vf_lt(plane.rank, vf_set(WP_NO_FACE)));
	const vm below = vf_gt(plane.rank, vf_zero());
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
	const vm touching = vm_not(vf_gt(r->upper, vf_set(WP_GJK_TOUCH)));
	r->simplex.v[0] = wp_vertex_select(touching, v[0], r->simplex.v[0]);
	r->simplex.size = vi_select(touching, vi_set(1), r->simplex.size);
	r->n = vf3_select(touching, vf3_unit(vf3_neg(v[0].w), vf3_up()), r->n);
	r->upper = vf_select(touching, vf3_length(v[0].w), r->upper);
	r->in_face = vm_andnot(r->in_face, touching);
}

WP_INLINE vm wp_has_equal(wp_vertex a, wp_vertex b, wp_vertex c)
{
	return vm_or(vi_eq(a.id, b.id), vm_or(vi_eq(b.id, c.id), vi_eq(c.id, a.id)));
}

/* What faces of a surface span with the origin must be above rounding to the square. */
#define WP_RECALL_SPAN_MIN 1e-12f

/* Faces of a tetrahedron, and of the surface of all known vertices, which its first one is of: the faces beside its edges, one
 * between each two of these around its corners, and three up to the fourth vertex. */
#define WP_RECALL_SOLID 4
#define WP_RECALL_TOP 10
#define WP_RECALL_FACES 13

static const uint8_t wp_recall_corners[WP_RECALL_FACES][3] = {{0, 1, 2}, {3, 1, 0}, {3, 2, 1}, {3, 0, 2}, {4, 1, 0},
	{5, 2, 1}, {6, 0, 2}, {1, 4, 5}, {2, 5, 6}, {0, 6, 4}, {5, 4, 3}, {6, 5, 3}, {4, 6, 3}};

/* What faces are. */
typedef struct wp_recall_faces {
	vf volume[WP_RECALL_FACES]; /* that each spans with the origin; negative where it is wound unlike the first one */
	vf largest2;                /* the largest area, squared */
	vm behind;  /* none but the first is nearer than the triangle, each by its lowest corner, as EPA's are */
	vm surface; /* the same, where faces between equal vertices are none */
} wp_recall_faces;

WP_NOINLINE void wp_recall_look(
	wp_recall_faces *f, const wp_recall *r, const wp_vertex v[WP_KNOWN_MAX], int from, int end)
{
	const vf upper2 = vf_mul(r->upper, r->upper);
	const vf sign = vf3_dot(vf3_normal_of(v[0].w, v[1].w, v[2].w), v[0].w);
	/* Where two vertices beside the triangle are the same, the last three faces are none together. */
	const vm flat = from == 0 ? vm_false() : wp_has_equal(v[4], v[5], v[6]);
	f->largest2 = vf_zero();
	f->behind = f->surface = vm_all();
	WP_ROLLED
	for (int i = from; i < end; i++) {
		const wp_vertex a = v[wp_recall_corners[i][0]], b = v[wp_recall_corners[i][1]], c = v[wp_recall_corners[i][2]];
		const vf3 n = vf3_normal_of(a.w, b.w, c.w);
		const vf along_a = vf_flip_sign(vf3_dot(n, a.w), sign), area2 = vf3_dot(n, n);
		const vf along_b = vf_flip_sign(vf3_dot(n, b.w), sign), along_c = vf_flip_sign(vf3_dot(n, c.w), sign);
		const vf low = vf_min(along_a, vf_min(along_b, along_c));
		const vm behind = vf_ge(vf_mul(low, vf_abs(low)), vf_mul(upper2, area2));
		f->volume[i] = along_a;
		f->largest2 = vf_max(f->largest2, area2);
		f->behind = vm_and(f->behind, vm_or(behind, vi_eq(vi_set(i), vi_zero())));
		const vm proven = vm_and(behind, vf_gt(low, vf_set(WP_RECALL_SPAN_MIN)));
		const vm none = vm_or(wp_has_equal(a, b, c), vm_and(flat, vi_gt(vi_set(i + 1), vi_set(WP_RECALL_TOP))));
		f->surface = vm_and(f->surface, vm_or(none, proven));
	}
}

/* Whether the fourth vertex and the triangle hold the origin: seen from there all four faces are wound alike. */
WP_INLINE void wp_recall_tetrahedron(wp_recall *r, const wp_vertex v[WP_KNOWN_MAX])
{
	wp_recall_faces f;
	wp_recall_look(&f, r, v, 0, WP_RECALL_SOLID);
	const vf *const volume = f.volume;
	const vf least = vf_min(vf_min(volume[0], volume[1]), vf_min(volume[2], volume[3]));
	r->inside = vf_gt(least, vf_zero());
	r->surely = vf_gt(least, vf_set(WP_VOLUME_ROUNDING));

	/* distance = volume / area of each face, height = whole / area, without the roots. */
	const vf whole = vf_add(vf_add(volume[0], volume[1]), vf_add(volume[2], volume[3]));
	const vf good = vf_set(WP_EPA_HEIGHT_GOOD * WP_EPA_HEIGHT_GOOD);
	const vm high = vf_ge(vf_mul(whole, whole), vf_mul(good, f.largest2));
	r->is_nearest = vm_and(vm_and(r->inside, r->in_face), vm_and(high, f.behind));
}

/* Where GJK stands, by the first four vertices. */
WP_INLINE void wp_recall_of(
	wp_recall *r, const wp_known *known, const wp_lanes *lanes, int kind_a, int kind_b, wp_vertex v[WP_KNOWN_MAX])
{
	WP_ROLLED
	for (int i = 0; i < 4; i++)
		wp_known_vertex(known, lanes, kind_a, kind_b, i, v);
	wp_recall_triangle(r, v);
	r->inside = r->surely = r->is_nearest = vm_false();
	if (vm_any(vi_gt(known->count, vi_set(3))))
		wp_recall_tetrahedron(r, v);
}

/* The lanes whose triangle is the nearest face of the tetrahedron, or of the surface that all vertices make. If all faces of
 * that turn their backs on the origin, it winds around it (epa.h); it need not be convex. */
WP_INLINE vm wp_recall_nearest_faces(
	const wp_recall *r, const wp_known *known, const wp_lanes *lanes, int kind_a, int kind_b, wp_vertex v[WP_KNOWN_MAX])
{
	const vm open = vm_andnot(vm_and(known->all, vm_and(r->inside, r->in_face)), r->is_nearest);
	if ((vm_bits(open) & lanes->live) == 0)
		return r->is_nearest;
	WP_ROLLED
	for (int i = 4; i < WP_KNOWN_MAX; i++)
		wp_known_vertex(known, lanes, kind_a, kind_b, i, v);
	wp_recall_faces f;
	wp_recall_look(&f, r, v, WP_RECALL_SOLID, WP_RECALL_FACES);
	return vm_or(r->is_nearest, vm_and(open, f.surface));
}

#endif
