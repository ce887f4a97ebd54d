/* EPA's polytopes, one per lane: faces in slots, the faces that see a point, and the horizon around
 * them. All of it runs in lanes but the search for connected faces, which rounding makes necessary once in
 * thousands of steps. */
#ifndef WP_WIDE_SEARCH_POLYTOPE_H
#define WP_WIDE_SEARCH_POLYTOPE_H

#include "wide/job/refill.h"
#include "wide/search/planes_one.h"
#include "wide/search/tetrahedron.h"

/* Three vertex slots, a byte each. */
WP_INLINE vi wp_corners(vi a, vi b, vi c) { return vi_or(a, vi_or(vi_shift_left(b, 8), vi_shift_left(c, 16))); }

/* A vertex in memory lies with its id, whose bits take the place of a float. */
WP_INLINE vf4 wp_vertex_quad(wp_vertex v) { return (vf4){v.w.x, v.w.y, v.w.z, vf_from_bits(v.id)}; }

WP_INLINE wp_vertex wp_polytope_vertex(const wp_polytopes *p, vi slot)
{
	const vf4 v = vf4_gather(p->vertex, vi_element(slot));
	return (wp_vertex){{v.x, v.y, v.z}, vi_from_bits(v.w)};
}

WP_INLINE void wp_put_vertex(wp_polytopes *p, vm m, vi slot, wp_vertex v)
{
	const vi slot_or_spare = vi_select(m, slot, vi_set(WP_VERTEX_SLOTS - 1));
	vf4_scatter(p->vertex, vi_element(slot_or_spare), wp_vertex_quad(v));
}

/* The point of A under a new vertex. */
WP_NOINLINE void wp_put_point_a(wp_points_a *points, uint32_t lanes, const vi *slots, const vf3 *a)
{
	WP_VECTOR_ALIGN int32_t slot[WP_WIDTH];
	WP_VECTOR_ALIGN float at[3][WP_WIDTH];
	vi_store(slot, *slots);
	vf3_store(at[0], at[1], at[2], *a);
	for (uint32_t m = lanes; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		float *const row = wp_point_row(points, slot[lane]) + lane;
		for (int k = 0; k < 3; k++)
			row[k * WP_WIDTH] = at[k][lane];
	}
}

/* Numbers for lanes without faces there to compute on, in the slots of faces from `clean` up to `end`. Returns `end`. */
WP_NOINLINE int32_t wp_polytopes_clear(wp_polytopes *p, int32_t clean, int32_t end)
{
	for (int32_t i = clean * WP_WIDTH; i < end * WP_WIDTH; i += WP_WIDTH) {
		vf_store(p->rank + i, vf_zero());
		vi_store(p->corners + i, vi_zero());
		for (int32_t k = 0; k < 4 * WP_WIDTH; k += WP_WIDTH)
			vf_store(p->plane + 4 * i + k, vf_zero());
	}
	return end;
}

/* The same for tetrahedra. Further vertices are read only of lanes that have them. */
WP_INLINE int32_t wp_polytopes_start(wp_polytopes *p)
{
	for (int32_t i = 0; i < 4 * 4 * WP_WIDTH; i += WP_WIDTH)
		vf_store(p->vertex + i, vf_zero());
	return wp_polytopes_clear(p, 0, 4);
}

/* Start tetrahedra of a stage, wound outwards. */
typedef struct wp_start {
	WP_VECTOR_ALIGN float vertex[4][4 * WP_WIDTH]; /* a quad of each lane */
	WP_VECTOR_ALIGN float point_a[4][3][WP_WIDTH]; /* under them, with a smooth core */
#if WP_ONE_LANE_QUADS
	wp_planes planes;
#else
	wp_plane plane[4];
#endif
} wp_start;

/* The corners of its faces. */
static const uint8_t wp_start_corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};

#if WP_ONE_LANE_QUADS

WP_INLINE void wp_start_planes(const wp_quad v[4], wp_start *s)
{
	const wp_vectors all = wp_vectors_of_quads(v);
	/* The corners of wp_start_corners, one of each face. */
	const wp_vectors a = {
		WP_QUAD_PICK(all.x, 0, 0, 0, 1), WP_QUAD_PICK(all.y, 0, 0, 0, 1), WP_QUAD_PICK(all.z, 0, 0, 0, 1)};
	const wp_vectors b = {
		WP_QUAD_PICK(all.x, 1, 3, 2, 3), WP_QUAD_PICK(all.y, 1, 3, 2, 3), WP_QUAD_PICK(all.z, 1, 3, 2, 3)};
	const wp_vectors c = {
		WP_QUAD_PICK(all.x, 2, 1, 3, 2), WP_QUAD_PICK(all.y, 2, 1, 3, 2), WP_QUAD_PICK(all.z, 2, 1, 3, 2)};
	s->planes = wp_planes_of_faces(&a, &b, &c);
}

WP_INLINE void wp_take_planes(wp_polytopes *p, const wp_move *m, const wp_start *s)
{
	const wp_planes *const planes = &s->planes;
	wp_quad plane[4] = {planes->n.x, planes->n.y, planes->n.z, planes->top};
	(void)m;
	wp_quad_turn(plane);
	for (int i = 0; i < 4; i++)
		wp_quad_store(p->plane + 4 * i, plane[i]);
	wp_quad_store(p->rank, planes->rank);
}

#else

WP_INLINE void wp_start_planes(const wp_vertex v[4], wp_start *s)
{
	for (int i = 0; i < 4; i++) {
		const uint8_t *c = wp_start_corners[i];
		s->plane[i] = wp_plane_of_face(v[c[0]].w, v[c[1]].w, v[c[2]].w);
	}
}

WP_INLINE void wp_take_planes(wp_polytopes *p, const wp_move *m, const wp_start *s)
{
	for (int32_t i = 0; i < 4; i++) {
		const int32_t at = i * WP_WIDTH;
		const wp_plane *plane = &s->plane[i];
		const vf4 own = vf4_row_load(p->plane, i);
		const vf3 n = vf3_moved(m, &plane->n, (vf3){own.x, own.y, own.z});
		vf4_row_store(p->plane, i, (vf4){n.x, n.y, n.z, vf_moved(m, &plane->top, own.w)});
		vf_store(p->rank + at, vf_moved(m, &plane->rank, vf_load(p->rank + at)));
	}
}

#endif

/* The points of A under a vertex, where a core is smooth: the slots of its vertices name them from now on. */
WP_INLINE vi wp_start_point(const wp_points_a *points, vi id, int i, wp_start *s)
{
	vf3_store(s->point_a[i][0], s->point_a[i][1], s->point_a[i][2], wp_points_of(points, id));
	return vi_set(i);
}

/* With the fourth vertex below the face of the first three, the four triples face outwards. */
#if WP_ONE_LANE_QUADS

/* Vertices are moved as quads: what is stored as one number after the other cannot be loaded as a quad soon after. */
WP_INLINE void wp_start_of(const wp_terms *terms, const wp_tetrahedron *t, const wp_points_a *points, wp_start *s)
{
	/* With the largest face first, as it is, and turned where the apex is above it: see wp_turn_largest. */
	static const uint8_t orders[8][4] = {
		{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 2, 1}, {0, 2, 3, 1}, {0, 1, 3, 2}, {0, 3, 1, 2}, {3, 1, 2, 0}, {3, 2, 1, 0}};
	const uint8_t *const turned = orders[2 * t->largest];
	bool above = t->largest == 0 ? t->volume > 0.0f : t->volume < 0.0f;
	/* By other edges it may have another sign, but for rounding of both; the edges are no longer than those of
	 * WP_VOLUME_ROUNDING. */
	if (wp_abs_float(t->volume) < 4.0f * WP_VOLUME_ROUNDING)
		above = vf3_volume_of(t->v[turned[0]].w, t->v[turned[1]].w, t->v[turned[2]].w, t->v[turned[3]].w) > 0.0f;
	const uint8_t *const order = orders[2 * t->largest + above];
	wp_quad v[4];
	for (int i = 0; i < 4; i++) {
		v[i] = wp_quad_read(&t->v[order[i]]);
		if (terms->smooth)
			v[i] = wp_one_named(v[i], wp_start_point(points, t->v[order[i]].id, i, s));
		wp_quad_store(s->vertex[i], v[i]);
	}
	wp_start_planes(v, s);
}

#else

WP_INLINE void wp_start_of(const wp_terms *terms, const wp_tetrahedron *t, const wp_points_a *points, wp_start *s)
{
	const vm above = vf_gt(vf3_volume_of(t->v[0].w, t->v[1].w, t->v[2].w, t->v[3].w), vf_zero());
	const wp_vertex v[4] = {
		t->v[0], wp_vertex_select(above, t->v[2], t->v[1]), wp_vertex_select(above, t->v[1], t->v[2]), t->v[3]};
	wp_start_planes(v, s);
	for (int i = 0; i < 4; i++) {
		const vi id = terms->smooth ? wp_start_point(points, v[i].id, i, s) : v[i].id;
		vf4_store(s->vertex[i], 1, wp_vertex_quad((wp_vertex){v[i].w, id}));
	}
}

#endif

/* The points of A under the vertices of staged tetrahedra. */
WP_NOINLINE void wp_points_take(wp_points_a *points, const wp_move *m, const wp_start *s)
{
	for (uint32_t bits = m->filled; bits != 0; bits &= bits - 1) {
		const uint32_t lane = wp_lowest_bit(bits);
		for (int32_t i = 0; i < 4; i++)
			for (int k = 0; k < 3; k++)
				wp_point_row(points, i)[k * WP_WIDTH + (int32_t)lane] = s->point_a[i][k][m->source[lane]];
	}
}

/* Put staged tetrahedra into the first four slots of the lanes just filled. */
WP_INLINE void wp_polytopes_take(wp_polytopes *p, const wp_move *m, const wp_start *s)
{
	wp_take_planes(p, m, s);
	for (int32_t i = 0; i < 4; i++) {
		const int32_t at = i * WP_WIDTH;
		const uint8_t *c = wp_start_corners[i];
		vi_store(p->corners + at, vi_select(m->lanes, vi_set(c[0] | c[1] << 8 | c[2] << 16), vi_load(p->corners + at)));
	}
	for (uint32_t bits = m->filled; bits != 0; bits &= bits - 1) {
		const int32_t lane = (int32_t)wp_lowest_bit(bits);
		for (int32_t i = 0; i < 4; i++)
			wp_copy_quad(p->vertex + 4 * (i * WP_WIDTH + lane), s->vertex[i] + 4 * m->source[lane]);
	}
}

/* The nearest face to expand, of each lane: returns its rank and gives its slot, the lowest where several are equal, its
 * normal and how far its highest corner is along that. */
#if WP_ONE_LANE_QUADS

WP_INLINE vf wp_nearest_face(wp_polytopes *p, int32_t rows, vi face_count, vi *slot, vf3 *n, vf *top)
{
	(void)face_count;
	for (int32_t i = 4; i < WP_FEW_FACES; i += 4)
		wp_quad_store(p->rank + rows + i - 4, wp_quad_set(WP_NO_FACE));
	*slot = wp_least_of(p->rank, rows);
	const float *const plane = p->plane + 4 * *slot;
	*n = vf3_set(plane[0], plane[1], plane[2]);
	*top = plane[3];
	return p->rank[*slot];
}

#else

WP_INLINE vf wp_nearest_face(const wp_polytopes *p, int32_t rows, vi face_count, vi *slot, vf3 *n, vf *top)
{
	vf nearest = vf_load(p->rank);
	*n = vf3_load(p->plane, p->plane + WP_WIDTH, p->plane + 2 * WP_WIDTH);
	*top = vf_load(p->plane + 3 * WP_WIDTH);
	*slot = vi_zero();
	vi number = vi_zero();
	for (int32_t f = 1; f < rows; f++) {
		const float *const plane = p->plane + 4 * f * WP_WIDTH;
		const vf distance = vf_load(p->rank + f * WP_WIDTH);
		number = vi_add(number, vi_set(1));
		const vm nearer = vm_and(vf_lt(distance, nearest), vi_gt(face_count, number));
		nearest = vf_select(nearer, distance, nearest);
		*slot = vi_select(nearer, number, *slot);
		if (WP_WIDTH == 8) {
			*n = vf3_select(nearer, vf3_load(plane, plane + WP_WIDTH, plane + 2 * WP_WIDTH), *n);
			*top = vf_select(nearer, vf_load(plane + 3 * WP_WIDTH), *top);
		}
	}
	/* Few lanes are looked up faster than they are carried along; rows of quads cannot be. */
	if (WP_WIDTH != 8) {
		const vf4 plane = vf4_row_gather(p->plane, *slot, vi_lanes());
		*n = (vf3){plane.x, plane.y, plane.z};
		*top = plane.w;
	}
	return nearest;
}

#endif

/* Words of 32 bits of a set of faces. */
#define WP_FACE_WORDS ((WP_SMOOTH_FACE_MAX + 31) / 32)
_Static_assert(WP_FACE_WORDS % 2 == 0, "one lane takes two words at a time");

/* A set of faces per lane: bit f of all words stands for the face in slot f. */
typedef struct wp_face_set {
	vi word[WP_FACE_WORDS];
} wp_face_set;

/* Faces that see w, strictly, of the lanes `m`. */
#if WP_ONE_LANE_QUADS

WP_INLINE wp_face_set wp_visible_faces(const wp_polytopes *p, vm m, int32_t rows, vi face_count, vf3 w)
{
	wp_face_set set = {{0}};
	const wp_vectors point = wp_vectors_of(w);
	(void)face_count;
	for (int32_t first = 0; m && first < rows; first += 64) {
		const int32_t count = rows - first < 64 ? rows - first : 64;
		/* Mostly there are no more than eight. */
		uint64_t bits = wp_planes_below(p->plane + 4 * first, &point);
		bits |= (uint64_t)wp_planes_below(p->plane + 4 * (first + 4), &point) << 4;
		for (int32_t f = 8; f < count; f += 4)
			bits |= (uint64_t)wp_planes_below(p->plane + 4 * (first + f), &point) << f;
		bits &= wp_first_bits_64((uint32_t)count);
		set.word[first / 32] = (int32_t)(uint32_t)bits;
		set.word[first / 32 + 1] = (int32_t)(uint32_t)(bits >> 32);
	}
	return set;
}

#else

WP_INLINE wp_face_set wp_visible_faces(const wp_polytopes *p, vm m, int32_t rows, vi face_count, vf3 w)
{
	wp_face_set set;
	for (int32_t i = 0; i < WP_FACE_WORDS; i++) {
		const int32_t end = rows < 32 * i + 32 ? rows : 32 * i + 32;
		vi word = vi_zero(), bit = vi_set(1), left = vi_sub(face_count, vi_set(32 * i));
		for (int32_t f = 32 * i; f < end; f++) {
			const vf4 plane = vf4_row_load(p->plane, f);
			const vf height = vf3_dot((vf3){plane.x, plane.y, plane.z}, w);
			const vm sees = vm_and(vf_gt(height, plane.w), vi_gt(left, vi_zero()));
			word = vi_or(word, vi_select(sees, bit, vi_zero()));
			bit = vi_add(bit, bit);
			left = vi_sub(left, vi_set(1));
		}
		set.word[i] = vi_select(m, word, vi_zero());
	}
	return set;
}

#endif

/* Take the lowest face out of each set of the first 64 faces. Returns its slot; `any` is set where there was one. */
WP_INLINE vi wp_take_early_face(wp_face_set *set, vm *any)
{
	const vm upper = vi_eq(set->word[0], vi_zero());
	const vi half = vi_select(upper, set->word[1], set->word[0]);
	const vi rest = vi_and(half, vi_sub(half, vi_set(1)));
	*any = vm_not(vi_eq(half, vi_zero()));
	set->word[0] = vi_select(upper, set->word[0], rest);
	set->word[1] = vi_select(upper, rest, set->word[1]);
	return vi_add(vi_lowest_bit(half), vi_select(upper, vi_set(32), vi_zero()));
}

/* The same of sets of any faces. */
WP_INLINE vi wp_take_any_face(wp_face_set *set, vm *any)
{
	vm is_later[WP_FACE_WORDS]; /* the face is in a later word than this */
	vi word = set->word[WP_FACE_WORDS - 1], base = vi_set(32 * (WP_FACE_WORDS - 1));
	for (int i = WP_FACE_WORDS - 2; i >= 0; i--) {
		is_later[i] = vi_eq(set->word[i], vi_zero());
		word = vi_select(is_later[i], word, set->word[i]);
		base = vi_select(is_later[i], base, vi_set(32 * i));
	}
	const vi rest = vi_and(word, vi_sub(word, vi_set(1)));
	*any = vm_not(vi_eq(word, vi_zero()));
	vm earlier = vm_all();
	for (int i = 0; i < WP_FACE_WORDS; i++) {
		const vm is_here = i == WP_FACE_WORDS - 1 ? earlier : vm_andnot(earlier, is_later[i]);
		set->word[i] = vi_select(is_here, rest, set->word[i]);
		earlier = i == WP_FACE_WORDS - 1 ? earlier : vm_and(earlier, is_later[i]);
	}
	return vi_add(vi_lowest_bit(word), base);
}

/* The same where `rows` slots are in use. */
WP_INLINE vi wp_take_face(wp_face_set *set, int32_t rows, vm *any)
{
	return rows <= 64 ? wp_take_early_face(set, any) : wp_take_any_face(set, any);
}

/* ---- the horizon -------------------------------------------------------------------------------- */

#define WP_NO_EDGE (-1)
#define WP_NO_OPPOSITE (-2)

/* Vertices of a loop: a disc of faces has two edges more around it than faces, and its first vertex comes again. One lane
 * rounds up to a multiple of four edges. */
#define WP_HORIZON_SLOTS (WP_EPA_VISIBLE_MAX + 3 + 3)

/* The closed loop of edges between visible and hidden faces. */
typedef struct wp_horizon {
	/* Slots of the visible faces; in one lane, then of the new ones. */
	vi face[WP_HORIZON_SLOTS];
	vi face_count;
	int32_t face_top; /* largest of the lanes */
	/* Vertex slots of the loop in order, the first one again at its end; in one lane up to three more, as the loop goes on. */
	vi vertex[WP_HORIZON_SLOTS];
	vi count;    /* edges of the loop */
	int32_t top; /* largest of the lanes */
} wp_horizon;

#if WP_WIDTH == 1

/* Vertex slots that a horizon may have: the last slot of the largest polytope is taken by its last vertex, after which there
 * is no horizon. A step that leads nowhere leads to the place behind them and the dead edges. */
#define WP_HORIZON_VERTEX_MAX 64
#define WP_HORIZON_NOWHERE (2 * WP_HORIZON_VERTEX_MAX)

_Static_assert(WP_SMOOTH_VERTEX_MAX <= WP_HORIZON_VERTEX_MAX + 1, "a bit for each vertex");

/* What is known of the visible faces' edges. Of each vertex: where its edges lead to, a bit each; where the one of the horizon
 * does. Dead edges, which have an opposite, are kept where nobody looks. */
typedef struct wp_edges {
	uint64_t ends[WP_HORIZON_VERTEX_MAX];
	int32_t next[WP_HORIZON_NOWHERE + 1];
	int32_t start[3 * WP_EPA_VISIBLE_MAX + 1]; /* of the edges of the horizon, in the order of their faces */
	int32_t count;
} wp_edges;

WP_INLINE void wp_edges_clear(wp_edges *e, int32_t corners)
{
	for (int i = 0; i < 3; i++) {
		e->ends[corners >> 8 * i & 0xff] = 0;
		e->next[corners >> 8 * i & 0xff] = WP_HORIZON_NOWHERE;
	}
}

WP_INLINE void wp_edges_add(wp_edges *e, int32_t corners)
{
	const int32_t a = corners & 0xff, b = corners >> 8 & 0xff, c = corners >> 16;
	e->ends[a] |= (uint64_t)1 << b;
	e->ends[b] |= (uint64_t)1 << c;
	e->ends[c] |= (uint64_t)1 << a;
}

/* Whether an edge has an opposite is not to be guessed by the machine. */
WP_INLINE void wp_edges_link(wp_edges *e, int32_t from, int32_t to)
{
	const int32_t dead = (int32_t)(e->ends[to] >> from & 1);
	e->next[from + WP_HORIZON_VERTEX_MAX * dead] = to;
	e->start[e->count] = from;
	e->count += 1 - dead;
}

/* Walk the edges from the first one on, as many steps as there are edges. True where this makes one closed loop that comes
 * back to its start only at its end: then the visible faces are a disc. */
WP_INLINE vm wp_walk_horizon(wp_edges *e, wp_horizon *h)
{
	const int32_t count = e->count;
	int32_t returns = 0;
	h->count = h->top = 0;
	if (count < 3 || count >= WP_EPA_VISIBLE_MAX + 3)
		return false;
	h->count = h->top = count;
	h->vertex[0] = e->start[0];
	e->next[WP_HORIZON_NOWHERE] = WP_HORIZON_NOWHERE;
	/* Four steps at a time, as new faces are made. */
	for (int32_t from = 0; from < count; from += 4) {
		for (int32_t i = from + 1; i <= from + 4; i++) {
			h->vertex[i] = e->next[h->vertex[i - 1]];
			returns += (h->vertex[i] == h->vertex[0]) & (i <= count);
		}
	}
	return returns == 1 && h->vertex[count] == h->vertex[0];
}

/* The horizon of one face or of two, which most points see: of those in `bits`, told without guesses. Two faces are a disc where
 * they share two corners. The loop begins with the first edge of the first face that the other one does not share. */
WP_INLINE vm wp_horizon_of_few(const wp_polytopes *p, uint64_t bits, wp_horizon *h)
{
	const uint64_t rest = bits & (bits - 1);
	const bool one = rest == 0;
	const int32_t first = (int32_t)wp_lowest_bit_64(bits), second = (int32_t)wp_lowest_bit_64(one ? bits : rest);
	const int32_t f = p->corners[first], g = p->corners[second];
	const int32_t a = f & 0xff, b = f >> 8 & 0xff, c = f >> 16, i = g & 0xff, j = g >> 8 & 0xff, k = g >> 16;
	const bool has_a = (a == i) | (a == j) | (a == k), has_b = (b == i) | (b == j) | (b == k);
	const bool has_c = (c == i) | (c == j) | (c == k);
	/* The corner of the second face that the first one lacks: all but the two that both have. */
	const int32_t other = (i ^ j ^ k) ^ (has_a ? a : 0) ^ (has_b ? b : 0) ^ (has_c ? c : 0);
	const bool from_b = !has_c, is_third = one | !has_b;
	h->face[0] = first;
	h->face[1] = second;
	h->face_count = h->face_top = 2 - one;
	h->count = h->top = 4 - one;
	h->vertex[0] = from_b ? b : a;
	h->vertex[1] = from_b ? c : b;
	h->vertex[2] = from_b ? a : is_third ? c : other;
	h->vertex[3] = one ? a : !has_a ? c : other;
	h->vertex[4] = (one | from_b) ? b : a;
	return one | (has_a + has_b + has_c == 2);
}

/* The horizon of the faces in `visible`, whose corners are below WP_HORIZON_VERTEX_MAX. True where it is one closed loop. */
WP_INLINE vm wp_find_horizon(const wp_polytopes *p, int32_t rows, wp_face_set visible, wp_horizon *h)
{
	const uint64_t early = (uint32_t)visible.word[0] | (uint64_t)(uint32_t)visible.word[1] << 32,
				   rest = early & (early - 1);
	if (rows <= 64 && early != 0 && (rest & (rest - 1)) == 0)
		return wp_horizon_of_few(p, early, h);
	int32_t corners[WP_EPA_VISIBLE_MAX], faces = 0;
	bool more = false;
	wp_edges edges;
	edges.count = 0;
	for (int32_t first = 0; first < rows; first += 64) {
		uint64_t bits = (uint32_t)visible.word[first / 32] | (uint64_t)(uint32_t)visible.word[first / 32 + 1] << 32;
		for (; bits != 0 && faces < WP_EPA_VISIBLE_MAX; bits &= bits - 1) {
			h->face[faces] = first + (int32_t)wp_lowest_bit_64(bits);
			corners[faces] = p->corners[h->face[faces]];
			wp_edges_clear(&edges, corners[faces++]);
		}
		more |= bits != 0;
	}
	h->face_count = h->face_top = faces;
	for (int32_t i = 0; i < faces; i++)
		wp_edges_add(&edges, corners[i]);
	for (int32_t i = 0; i < faces; i++) {
		const int32_t a = corners[i] & 0xff, b = corners[i] >> 8 & 0xff, c = corners[i] >> 16;
		wp_edges_link(&edges, a, b);
		wp_edges_link(&edges, b, c);
		wp_edges_link(&edges, c, a);
	}
	const vm loop = wp_walk_horizon(&edges, h);
	return loop && !more;
}

#else

/* The visible faces' directed edges, of which those that have no opposite make the horizon. */
typedef struct wp_edges {
	vi code[3 * WP_EPA_VISIBLE_MAX]; /* start | end << 8 */
	int32_t count;
} wp_edges;

/* Add the edges of one face per lane; where one meets its opposite, both vanish. */
WP_INLINE void wp_add_face_edges(wp_edges *e, vm has_face, vi corners)
{
	const vi byte = vi_set(0xff), none = vi_set(WP_NO_EDGE), unmet = vi_set(WP_NO_OPPOSITE);
	const vi a = vi_and(corners, byte), b = vi_and(vi_shift_right(corners, 8), byte), c = vi_shift_right(corners, 16);
	const vi a8 = vi_shift_left(a, 8), b8 = vi_shift_left(b, 8), c8 = vi_shift_left(c, 8);
	/* A lane without a face has no edge to add, nor an opposite that meets one. */
	vi ab = vi_select(has_face, vi_or(a, b8), none), bc = vi_select(has_face, vi_or(b, c8), none),
	   ca = vi_select(has_face, vi_or(c, a8), none);
	const vi ba = vi_select(has_face, vi_or(b, a8), unmet), cb = vi_select(has_face, vi_or(c, b8), unmet),
			 ac = vi_select(has_face, vi_or(a, c8), unmet);
	/* An edge meets one of the three at most. */
	for (int32_t k = 0; k < e->count; k++) {
		const vi code = e->code[k];
		const vm met_ab = vi_eq(code, ba), met_bc = vi_eq(code, cb), met_ca = vi_eq(code, ac);
		e->code[k] = vi_ones_where(vm_or(vm_or(met_ab, met_bc), met_ca), code);
		ab = vi_ones_where(met_ab, ab);
		bc = vi_ones_where(met_bc, bc);
		ca = vi_ones_where(met_ca, ca);
	}
	e->code[e->count] = ab;
	e->code[e->count + 1] = bc;
	e->code[e->count + 2] = ca;
	e->count += 3;
}

/* Faces have three edges; the module for JavaScript is to be small. */
#define WP_EDGES_A_ROUND (WP_WASM ? 1 : 3)

/* From the loop's first vertex along the edges. A dead edge starts at 255, which is no vertex. */
WP_INLINE void wp_follow_edges(const wp_edges *e, wp_horizon *h)
{
	const vi none = vi_set(WP_NO_EDGE), byte = vi_set(0xff);
	vi start[3 * WP_EPA_VISIBLE_MAX];
	WP_ROLLED
	for (int32_t k = 0; k < e->count; k++)
		start[k] = vi_and(e->code[k], byte);
	for (int32_t i = 1; i <= h->top; i++) {
		vi next = none;
		WP_ROLLED
		for (int32_t k = 0; k < e->count; k += WP_EDGES_A_ROUND)
			for (int32_t j = k; j < k + WP_EDGES_A_ROUND; j++)
				next = vi_select(vi_eq(start[j], h->vertex[i - 1]), e->code[j], next);
		h->vertex[i] = vi_ones_where(vi_eq(next, none), vi_shift_right(next, 8));
	}
}

/* Walk the edges from the first one on, as many steps as there are edges. True where this makes one closed
 * loop that comes back to its start only at its end: then the visible faces are a disc. */
WP_INLINE vm wp_walk_horizon(const wp_edges *e, wp_horizon *h)
{
	const vi none = vi_set(WP_NO_EDGE), byte = vi_set(0xff), one = vi_set(1);
	vi first = none;
	h->count = vi_set(e->count);
	for (int32_t k = e->count - 1; k >= 0; k--) {
		const vm dead = vi_eq(e->code[k], none);
		first = vi_select(dead, first, e->code[k]);
		h->count = vi_add(h->count, vi_ones_where(dead, vi_zero()));
	}
	const vm fits = vm_and(vi_gt(h->count, vi_set(2)), vi_gt(vi_set(WP_EPA_VISIBLE_MAX + 3), h->count));
	h->count = vi_select(fits, h->count, vi_zero());
	h->top = vi_top(h->count);
	first = vi_ones_where(vi_eq(first, none), vi_and(first, byte));
	h->vertex[0] = first;
	vm loop = fits;
	wp_follow_edges(e, h);
	vi step = vi_zero();
	for (int32_t i = 1; i <= h->top; i++) {
		step = vi_add(step, one);
		const vm back = vi_eq(h->vertex[i], first), due = vi_eq(h->count, step), over = vi_gt(step, h->count);
		loop = vm_andnot(loop, vm_andnot(vm_xor(back, due), over));
	}
	return loop;
}

/* The horizon of the faces in `visible`. True where it is one closed loop. */
WP_INLINE vm wp_find_horizon(const wp_polytopes *p, int32_t rows, wp_face_set visible, wp_horizon *h)
{
	wp_edges edges;
	edges.count = 0;
	h->face_count = vi_zero();
	h->face_top = 0;
	vm any;
	vi slot = wp_take_face(&visible, rows, &any);
	while (vm_any(any) && h->face_top < WP_EPA_VISIBLE_MAX) {
		h->face[h->face_top++] = slot;
		h->face_count = vi_add(h->face_count, vi_select(any, vi_set(1), vi_zero()));
		wp_add_face_edges(&edges, any, vi_gather(p->corners, vi_element(slot)));
		slot = wp_take_face(&visible, rows, &any);
	}
	return vm_andnot(wp_walk_horizon(&edges, h), any);
}

#endif

/* Corner `i` of a face, i below 6 and taken modulo 3. */
WP_INLINE uint32_t wp_corner(int32_t corners, uint32_t i)
{
	return (uint32_t)corners >> (i < 3 ? i : i - 3) * 8 & 0xffu;
}

/* Whether two faces share an edge. */
WP_INLINE bool wp_faces_adjoin(int32_t f, int32_t g)
{
	for (uint32_t i = 0; i < 3; i++)
		for (uint32_t j = 0; j < 3; j++)
			if (wp_corner(f, i) == wp_corner(g, j + 1) && wp_corner(f, i + 1) == wp_corner(g, j))
				return true;
	return false;
}

/* A set of faces of one lane. */
typedef struct wp_lane_faces {
	uint32_t word[WP_FACE_WORDS];
} wp_lane_faces;

WP_INLINE bool wp_lane_has_face(const wp_lane_faces *set, uint32_t f) { return set->word[f / 32] >> f % 32 & 1; }

/* The visible faces of one lane that are connected to the chosen one through edges. */
WP_INLINE wp_lane_faces wp_connected(
	const wp_polytopes *p, uint32_t lane, const wp_lane_faces *visible, uint32_t chosen)
{
	wp_lane_faces component = {{0}};
	uint8_t queue[WP_SMOOTH_FACE_MAX];
	uint32_t count = 0;
	component.word[chosen / 32] = 1u << chosen % 32;
	queue[count++] = (uint8_t)chosen;
	for (uint32_t at = 0; at < count; at++) {
		const int32_t f = p->corners[queue[at] * WP_WIDTH + lane];
		for (uint32_t g = 0; g < WP_SMOOTH_FACE_MAX; g++) {
			if (!wp_lane_has_face(visible, g) || wp_lane_has_face(&component, g) ||
				!wp_faces_adjoin(f, p->corners[g * WP_WIDTH + lane]))
				continue;
			component.word[g / 32] |= 1u << g % 32;
			queue[count++] = (uint8_t)g;
		}
	}
	return component;
}

/* In the lanes `torn`, keep of the visible faces those connected to the chosen one. */
WP_NOINLINE void wp_keep_connected(const wp_polytopes *p, uint32_t torn, const vi *chosen, wp_face_set *visible)
{
	WP_VECTOR_ALIGN int32_t word[WP_FACE_WORDS][WP_WIDTH], slot[WP_WIDTH];
	for (int i = 0; i < WP_FACE_WORDS; i++)
		vi_store(word[i], visible->word[i]);
	vi_store(slot, *chosen);
	for (uint32_t m = torn; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		wp_lane_faces faces;
		for (int i = 0; i < WP_FACE_WORDS; i++)
			faces.word[i] = (uint32_t)word[i][lane];
		const wp_lane_faces kept = wp_connected(p, lane, &faces, (uint32_t)slot[lane]);
		for (int i = 0; i < WP_FACE_WORDS; i++)
			word[i][lane] = (int32_t)kept.word[i];
	}
	for (int i = 0; i < WP_FACE_WORDS; i++)
		visible->word[i] = vi_load(word[i]);
}

/* Slot of the i-th new face: the slots of visible faces first, then fresh ones. */
WP_INLINE vi wp_new_slot(const wp_horizon *h, vi face_count, int32_t i)
{
	const vi fresh = vi_add(face_count, vi_sub(vi_set(i), h->face_count));
	return i < h->face_top ? vi_select(vi_gt(h->face_count, vi_set(i)), h->face[i], fresh) : fresh;
}

/* Write faces, each to its own slot of its own lane. */
WP_INLINE void wp_scatter_face(wp_polytopes *p, vi slot, vi lane, vi corners, const wp_plane *plane)
{
	const vi at = vi_add(vi_shift_left(slot, WP_LANE_SHIFT), lane);
	vf4_row_scatter(p->plane, slot, lane, (vf4){plane->n.x, plane->n.y, plane->n.z, plane->top});
	vf_scatter(p->rank, at, plane->rank);
	vi_scatter(p->corners, at, corners);
}

#if WP_ONE_LANE_QUADS

/* The slots of the new faces: of the visible ones first, then fresh ones; behind the last the slot that is never read. */
WP_INLINE void wp_list_slots(wp_horizon *h, int32_t face_count)
{
	for (int32_t i = h->face_count; i < h->top; i++)
		h->face[i] = face_count + i - h->face_count;
	for (int32_t i = 0; i < 3; i++)
		h->face[h->top + i] = WP_FACE_SLOTS - 1;
}

/* Four faces between the horizon and the new vertex. Behind the last one the loop goes on to its first vertices. */
WP_INLINE void wp_make_four(wp_polytopes *p, const int32_t *vertex, const int32_t *slot, const wp_vectors *tip, vi apex)
{
	wp_quad from[5];
	float rank[4];
	for (int32_t i = 0; i < 5; i++)
		from[i] = wp_quad_load(p->vertex + 4 * vertex[i]);
	const wp_vectors a = wp_vectors_of_quads(from), b = wp_vectors_of_quads(from + 1);
	const wp_planes planes = wp_planes_of_faces(&a, &b, tip);
	wp_quad plane[4] = {planes.n.x, planes.n.y, planes.n.z, planes.top};
	wp_quad_turn(plane);
	wp_quad_store(rank, planes.rank);
	for (int32_t i = 0; i < 4; i++) {
		wp_quad_store(p->plane + 4 * slot[i], plane[i]);
		p->rank[slot[i]] = rank[i];
		p->corners[slot[i]] = wp_corners(vertex[i], vertex[i + 1], apex);
	}
}

/* Replace the visible faces by faces from the horizon's edges to w. A horizon shorter than the visible faces, which swallowed
 * two vertices or more, leaves slots empty for good. */
WP_INLINE void wp_close_horizon(wp_polytopes *p, wp_horizon *h, vm open, wp_vertex w, vi *face_count, vi *vertex_count)
{
	if (!open)
		return;
	const wp_plane none = {vf3_zero(), WP_NO_FACE, WP_NO_FACE};
	const wp_vectors tip = wp_vectors_of(w.w);
	for (int32_t i = h->count; i < h->face_count; i++)
		wp_scatter_face(p, h->face[i], 0, 0, &none);
	const int32_t grown = h->count > h->face_count ? h->count - h->face_count : 0;
	wp_list_slots(h, *face_count);
	for (int32_t first = 0; first < h->top; first += 4)
		wp_make_four(p, h->vertex + first, h->face + first, &tip, *vertex_count);
	wp_put_vertex(p, open, *vertex_count, w);
	*face_count += grown;
	*vertex_count += 1;
}

#elif WP_WIDTH > 4

/* Bits of a slot, of a face or a vertex, the last one included. */
#define WP_SLOT_BITS 7
#define WP_SLOT_MASK ((1 << WP_SLOT_BITS) - 1)

_Static_assert(WP_FACE_SLOTS <= 1 << WP_SLOT_BITS && WP_VERTEX_SLOTS <= 1 << WP_SLOT_BITS, "slots have so many bits");

/* A face to be made, in one integer: three vertex slots, its own slot, its lane. */
WP_INLINE vi wp_face_code(vi a, vi b, vi c, vi slot)
{
	return vi_or(vi_or(a, vi_shift_left(b, WP_SLOT_BITS)),
		vi_or(vi_shift_left(c, 2 * WP_SLOT_BITS),
			vi_or(vi_shift_left(slot, 3 * WP_SLOT_BITS), vi_shift_left(vi_lanes(), 4 * WP_SLOT_BITS))));
}

/* List the faces between the horizons of the lanes `open` and their new vertices. Lanes differ in how many
 * they have; listed one after the other, they fill their vectors. The list ends in faces for the slot that is
 * never read. Returns its length. */
WP_INLINE int32_t wp_list_faces(wp_horizon *h, vm open, vi face_count, vi apex, int32_t *list)
{
	int32_t total = 0;
	vi last = vi_zero(), fresh = vi_sub(face_count, h->face_count), from = h->vertex[0];
	/* Numbers where no lane has a visible face, so that the loop below is one. */
	for (int32_t i = h->face_top; i < h->top; i++)
		h->face[i] = fresh;
	WP_ROLLED
	for (int32_t i = 0; i < h->top; i++) {
		const vm has = vm_and(open, vi_gt(h->count, vi_set(i)));
		const vi slot = vi_select(vi_gt(h->face_count, vi_set(i)), h->face[i], fresh);
		const vi to = h->vertex[i + 1], code = wp_face_code(from, to, apex, slot);
		from = to;
		fresh = vi_add(fresh, vi_set(1));
		total = vi_append(list, total, &last, has, code);
	}
	vi_append_rest(list, total, last, wp_face_code(vi_zero(), vi_zero(), vi_zero(), vi_set(WP_FACE_SLOTS - 1)));
	return total;
}

/* Make the faces of a list; w has each lane's new vertex. */
WP_INLINE void wp_make_faces(wp_polytopes *p, const int32_t *list, int32_t total, vf3 w)
{
	const vi slot_bits = vi_set(WP_SLOT_MASK);
	for (int32_t k = 0; k < total; k += WP_WIDTH) {
		const vi code = vi_load(list + k), lane = vi_shift_right(code, 4 * WP_SLOT_BITS);
		const vi a = vi_and(code, slot_bits), b = vi_and(vi_shift_right(code, WP_SLOT_BITS), slot_bits),
				 c = vi_and(vi_shift_right(code, 2 * WP_SLOT_BITS), slot_bits);
		const vi slot = vi_and(vi_shift_right(code, 3 * WP_SLOT_BITS), slot_bits);
		const vf4 corner_a = vf4_gather(p->vertex, vi_add(vi_shift_left(a, WP_LANE_SHIFT), lane));
		const vf4 corner_b = vf4_gather(p->vertex, vi_add(vi_shift_left(b, WP_LANE_SHIFT), lane));
		const wp_plane plane = wp_plane_of_face((vf3){corner_a.x, corner_a.y, corner_a.z},
			(vf3){corner_b.x, corner_b.y, corner_b.z},
			(vf3){vf_pick(w.x, lane), vf_pick(w.y, lane), vf_pick(w.z, lane)});
		wp_scatter_face(p, slot, lane, wp_corners(a, b, c), &plane);
	}
}

/* The faces between the horizons of the lanes `open` and their new vertices. */
WP_INLINE void wp_add_faces(wp_polytopes *p, wp_horizon *h, vm open, vf3 w, vi face_count, vi apex)
{
	WP_VECTOR_ALIGN int32_t list[(WP_EPA_VISIBLE_MAX + 3) * WP_WIDTH];
	wp_make_faces(p, list, wp_list_faces(h, open, face_count, apex, list), w);
}

#else

/* The same, one face of each lane at a time: few lanes differ little in how many they have. */
WP_INLINE void wp_add_faces(wp_polytopes *p, wp_horizon *h, vm open, vf3 w, vi face_count, vi apex)
{
	vf3 corner[WP_EPA_VISIBLE_MAX + 3];
	for (int32_t i = 0; i <= h->top; i++)
		corner[i] = wp_polytope_vertex(p, vi_max(h->vertex[i], vi_zero())).w;
	for (int32_t i = 0; i < h->top; i++) {
		const wp_plane plane = wp_plane_of_face(corner[i], corner[i + 1], w);
		const vm has = vm_and(open, vi_gt(h->count, vi_set(i)));
		const vi slot = vi_select(has, wp_new_slot(h, face_count, i), vi_set(WP_FACE_SLOTS - 1));
		wp_scatter_face(p, slot, vi_lanes(), wp_corners(h->vertex[i], h->vertex[i + 1], apex), &plane);
	}
}

#endif

#if !WP_ONE_LANE_QUADS

/* Replace the visible faces of the lanes `open` by faces from the horizon's edges to w. A horizon shorter
 * than the visible faces, which swallowed two vertices or more, leaves slots empty for good. */
WP_INLINE void wp_close_horizon(wp_polytopes *p, wp_horizon *h, vm open, wp_vertex w, vi *face_count, vi *vertex_count)
{
	wp_add_faces(p, h, open, w.w, *face_count, *vertex_count);
	const vm shrunk = vm_and(open, vi_gt(h->face_count, h->count));
	for (int32_t i = 0; vm_any(shrunk) && i < h->face_top; i++) {
		const vm left = vm_and(shrunk, vm_and(vi_gt(h->face_count, vi_set(i)), vm_not(vi_gt(h->count, vi_set(i)))));
		const vi slot = vi_select(left, h->face[i], vi_set(WP_FACE_SLOTS - 1));
		const wp_plane none = {vf3_zero(), vf_set(WP_NO_FACE), vf_set(WP_NO_FACE)};
		wp_scatter_face(p, slot, vi_lanes(), vi_zero(), &none);
	}
	wp_put_vertex(p, open, *vertex_count, w);
	const vi grown = vi_add(*face_count, vi_sub(h->count, h->face_count));
	*face_count = vi_select(vm_andnot(open, shrunk), grown, *face_count);
	*vertex_count = vi_select(open, vi_add(*vertex_count, vi_set(1)), *vertex_count);
}

#endif

#endif
