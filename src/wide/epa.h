/* W3: EPA, one pair per lane: depth of the origin inside the Minkowski difference A - B.
 *
 * van den Bergen 2001, with these rules, each of which was measured to matter:
 *  - the polytope is an inner body with signed face distances, so the origin need not be inside the
 *    start tetrahedron: the face of smallest distance is expanded until its support plane meets it;
 *  - a face is visible strictly (n . w > distance), its plane comes from its two shortest sides;
 *  - the horizon must be one closed loop, else only the visible faces connected to the chosen one go;
 *  - what is reported is a support plane, a bound exact to rounding, and of the faces on it the one that
 *    the origin projects into: coplanar faces are the rule for boxes and hulls.
 * Finding the face, planes, visibility and supports run in lanes; only the horizon is walked per lane. */
#ifndef WP_WIDE_EPA_H
#define WP_WIDE_EPA_H

#include "wide/simplex.h"

/* Distance and rank of a slot that holds no face: never visible, never expanded. Also the rank of a face
 * too thin for a normal worth a search; its plane still decides whether it is visible. */
#define WP_NO_FACE 1e30f

typedef struct wp_epa {
	uint64_t free_faces[WP_WIDTH];    /* slots below face_count that hold no face */
	uint32_t face_count[WP_WIDTH];    /* slots in use, holes included */
	uint32_t vertex_count[WP_WIDTH];
	vf depth;                         /* best upper bound of the depth: -lower bound of the separation */
	vf3 n;                            /* its direction */
	vi steps;
	uint32_t closed;                  /* lanes whose bracket is closed, waiting to be handed over */
	vi result_slot;                   /* of those: the nearest face, the direction and the bracket */
	vf3 result_n;
	vf result_depth, result_nearest;
} wp_epa;

/* A plane through three points: unit normal and signed distance from the origin. */
typedef struct wp_plane {
	vf3 n;
	vf distance, rank;
} wp_plane;

/* Plane of a face, wound counter-clockwise seen from outside. The normal is the cross product of the two
 * shortest sides, which loses least to cancellation. */
WP_INLINE wp_plane wp_plane_of_face(vf3 a, vf3 b, vf3 c)
{
	const vf3 ab = vf3_sub(b, a), bc = vf3_sub(c, b), ca = vf3_sub(a, c);
	const vf ab2 = vf3_dot(ab, ab), bc2 = vf3_dot(bc, bc), ca2 = vf3_dot(ca, ca);
	const vm ab_longest = vm_and(vf_ge(ab2, bc2), vf_ge(ab2, ca2));
	const vm bc_longest = vm_andnot(vf_ge(bc2, ca2), ab_longest);
	const vf3 u = vf3_select(ab_longest, bc, vf3_select(bc_longest, ca, ab));
	const vf3 v = vf3_select(ab_longest, ca, vf3_select(bc_longest, ab, bc));
	const vf3 corner = vf3_select(ab_longest, c, vf3_select(bc_longest, a, b));
	const vf longest2 = vf_select(ab_longest, ab2, vf_select(bc_longest, bc2, ca2));

	const vf3 cross = vf3_cross(u, v);
	const vf cross2 = vf3_dot(cross, cross);
	const vf thin = vf_mul(vf_set(WP_EPA_FACE_HEIGHT_MIN), longest2);
	wp_plane plane;
	plane.n = vf3_unit(cross, vf3_zero());
	plane.distance = vf3_dot(plane.n, corner);
	plane.rank = vf_select(vf_gt(cross2, vf_mul(thin, thin)), plane.distance, vf_set(WP_NO_FACE));
	return plane;
}

/* ---- the start tetrahedron ---------------------------------------------------------------------- */

typedef struct wp_tetrahedron {
	wp_vertex v[4];
} wp_tetrahedron;

/* Keep the candidate where its measure (squared height above the feature so far) is larger. */
WP_INLINE void wp_keep_higher(vm wanted, wp_vertex candidate, vf measure, wp_vertex *best, vf *best_measure)
{
	const vm higher = vm_and(wanted, vf_gt(measure, *best_measure));
	*best = wp_vertex_select(higher, candidate, *best);
	*best_measure = vf_select(higher, measure, *best_measure);
}

/* A second vertex: of the supports along the six axes, the one farthest from the first. */
WP_INLINE void wp_start_edge(const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b, vm wanted,
	wp_tetrahedron *t)
{
	vf best = vf_set(-1.0f);
	for (int i = 0; i < 6; i++) {
		const vf s = vf_set(i & 1 ? -1.0f : 1.0f), o = vf_zero();
		const vf3 n = vf3_set(i / 2 == 0 ? s : o, i / 2 == 1 ? s : o, i / 2 == 2 ? s : o);
		const wp_vertex v = wp_support(jobs, lanes, kind_a, kind_b, n);
		const vf3 e = vf3_sub(v.w, t->v[0].w);
		wp_keep_higher(wanted, v, vf3_dot(e, e), &t->v[1], &best);
	}
}

/* A unit vector across e: its cross product with the axis it leans on least. */
WP_INLINE vf3 wp_across(vf3 e)
{
	const vf ax = vf_abs(e.x), ay = vf_abs(e.y), az = vf_abs(e.z);
	const vm x_least = vm_and(vf_le(ax, ay), vf_le(ax, az));
	const vm y_least = vm_andnot(vf_le(ay, az), x_least);
	const vf one = vf_set(1.0f), zero = vf_zero();
	const vf3 axis = vf3_select(x_least, vf3_set(one, zero, zero),
		vf3_select(y_least, vf3_set(zero, one, zero), vf3_set(zero, zero, one)));
	return vf3_unit(vf3_cross(e, axis), axis);
}

/* A third vertex: of four supports around the edge, the one farthest from its line. */
WP_INLINE void wp_start_face(const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b, vm wanted,
	wp_tetrahedron *t)
{
	const vf3 e = vf3_sub(t->v[1].w, t->v[0].w);
	const vf3 u = wp_across(e);
	const vf3 around[2] = {u, vf3_unit(vf3_cross(e, u), u)};
	vf best = vf_set(-1.0f);
	for (int i = 0; i < 4; i++) {
		const vf3 n = i & 1 ? vf3_neg(around[i / 2]) : around[i / 2];
		const wp_vertex s = wp_support(jobs, lanes, kind_a, kind_b, n);
		const vf3 c = vf3_cross(e, vf3_sub(s.w, t->v[0].w));
		wp_keep_higher(wanted, s, vf3_dot(c, c), &t->v[2], &best);
	}
}

/* A fourth vertex: of the supports to both sides of the face, the one farther from its plane. */
WP_INLINE void wp_start_apex(const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b, vm wanted,
	wp_tetrahedron *t)
{
	const wp_plane plane = wp_plane_of_face(t->v[0].w, t->v[1].w, t->v[2].w);
	vf best = vf_set(-1.0f);
	for (int i = 0; i < 2; i++) {
		const wp_vertex s = wp_support(jobs, lanes, kind_a, kind_b, i ? vf3_neg(plane.n) : plane.n);
		const vf height = vf_abs(vf3_dot(plane.n, vf3_sub(s.w, t->v[0].w)));
		wp_keep_higher(wanted, s, height, &t->v[3], &best);
	}
}

/* Smallest height of the tetrahedron, and its largest face moved to the first three corners. */
WP_INLINE vf wp_smallest_height(wp_tetrahedron *t)
{
	const vf3 e1 = vf3_sub(t->v[1].w, t->v[0].w), e2 = vf3_sub(t->v[2].w, t->v[0].w),
		e3 = vf3_sub(t->v[3].w, t->v[0].w);
	const vf3 n[4] = {vf3_cross(e1, e2), vf3_cross(e2, e3), vf3_cross(e3, e1),
		vf3_cross(vf3_sub(e2, e1), vf3_sub(e3, e1))};
	const vf volume = vf_abs(vf3_dot(n[0], e3));
	/* Corner opposite to face i of the list above. */
	static const int opposite[4] = {3, 1, 2, 0};
	vf largest = vf3_dot(n[0], n[0]);
	wp_tetrahedron sorted = *t;
	for (int i = 1; i < 4; i++) {
		const vf area = vf3_dot(n[i], n[i]);
		const vm larger = vf_gt(area, largest);
		largest = vf_select(larger, area, largest);
		for (int j = 0; j < 4; j++) {
			const int from = j == 3 ? opposite[i] : j == opposite[i] ? 3 : j;
			sorted.v[j] = wp_vertex_select(larger, t->v[from], sorted.v[j]);
		}
	}
	*t = sorted;
	const vm flat = vm_not(vf_gt(largest, vf_set(WP_DIRECTION_MIN_SQUARED)));
	return vf_select(flat, vf_zero(), vf_div(volume, vf_sqrt(vf_select(flat, vf_set(1.0f), largest))));
}

/* A tetrahedron of good heights for the lanes in `fresh`, from the simplex GJK left; `flat` says where
 * the difference is too thin for one. */
WP_INLINE wp_tetrahedron wp_start_tetrahedron(const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b,
	uint32_t fresh, vm *flat)
{
	const vi size = vi_gather(jobs->vertex_count, lanes->job_v);
	wp_tetrahedron t;
	const vi first_id = vi_gather(jobs->vertex[0], lanes->job_v);
	for (int i = 0; i < 4; i++) {
		const vi id = vi_select(vi_gt(size, vi_set(i)), vi_gather(jobs->vertex[i], lanes->job_v), first_id);
		vf3 a, b;
		t.v[i] = wp_vertex_of_id(jobs, lanes, kind_a, kind_b, id, &a, &b);
	}
	const vm is_new = vm_from_bits(fresh);
	const vf good = vf_set(WP_EPA_HEIGHT_GOOD);
	const vf3 e = vf3_sub(t.v[1].w, t.v[0].w);
	const vm no_edge = vm_and(is_new, vm_or(vi_gt(vi_set(2), size), vm_not(vf_gt(vf3_dot(e, e), vf_mul(good, good)))));
	if (vm_any(no_edge))
		wp_start_edge(jobs, lanes, kind_a, kind_b, no_edge, &t);

	/* A simplex of 4 with a bad height keeps its largest face; a face of 3 is judged by its own height. */
	vf height = wp_smallest_height(&t);
	const vm whole = vm_andnot(vi_eq(size, vi_set(4)), no_edge);
	const vm bad = vm_andnot(is_new, vm_and(whole, vf_ge(height, good)));
	if (vm_any(bad)) {
		const vm three = vm_andnot(vi_gt(size, vi_set(2)), no_edge);
		const vf3 e1 = vf3_sub(t.v[1].w, t.v[0].w), e2 = vf3_sub(t.v[2].w, t.v[0].w);
		const vf3 c = vf3_cross(e1, e2);
		const vm wide = vf_gt(vf3_dot(c, c), vf_mul(vf_mul(good, good), vf3_dot(e1, e1)));
		const vm no_face = vm_andnot(bad, vm_and(three, wide));
		if (vm_any(no_face))
			wp_start_face(jobs, lanes, kind_a, kind_b, no_face, &t);
		wp_start_apex(jobs, lanes, kind_a, kind_b, bad, &t);
		height = wp_smallest_height(&t);
	}
	*flat = vm_and(is_new, vf_lt(height, vf_set(WP_EPA_HEIGHT_MIN)));
	return t;
}

/* ---- the polytope ------------------------------------------------------------------------------- */

#define WP_LANE_SHIFT (WP_WIDTH == 1 ? 0 : WP_WIDTH == 4 ? 2 : WP_WIDTH == 8 ? 3 : 4)

/* Element of [slot][lane] for each lane. */
WP_INLINE vi wp_slot_index(vi slot) { return vi_add(vi_shift_left(slot, WP_LANE_SHIFT), vi_lanes()); }

WP_INLINE int32_t wp_corners(uint32_t a, uint32_t b, uint32_t c) { return (int32_t)(a | b << 8 | c << 16); }

/* Every slot empty, so that a vector scan may run past the faces of a lane, and numbers for
 * lanes without an edge to compute on. */
WP_INLINE void wp_polytopes_clear(wp_polytopes *p)
{
	for (uint32_t i = 0; i < WP_EPA_FACE_MAX * WP_WIDTH; i += WP_WIDTH) {
		vf_store(p->distance + i, vf_set(WP_NO_FACE));
		vf_store(p->rank + i, vf_set(WP_NO_FACE));
		vf3_store(p->normal_x + i, p->normal_y + i, p->normal_z + i, vf3_zero());
		vi_store(p->corners + i, vi_zero());
	}
	for (uint32_t i = 0; i < WP_EPA_VERTEX_MAX * WP_WIDTH; i += WP_WIDTH) {
		vf3_store(p->vertex_x + i, p->vertex_y + i, p->vertex_z + i, vf3_zero());
		vi_store(p->vertex_id + i, vi_zero());
	}
	for (uint32_t i = 0; i <= WP_EPA_HORIZON_MAX * WP_WIDTH; i += WP_WIDTH)
		vf3_store(p->horizon_x + i, p->horizon_y + i, p->horizon_z + i, vf3_zero());
}

WP_INLINE void wp_empty_slot(wp_polytopes *p, uint32_t slot, uint32_t lane)
{
	p->distance[slot * WP_WIDTH + lane] = WP_NO_FACE;
	p->rank[slot * WP_WIDTH + lane] = WP_NO_FACE;
}

/* Write one face per lane of `lanes_out`, into the slot of each. */
WP_INLINE void wp_put_faces(wp_polytopes *p, uint32_t lanes_out, const int32_t slot[WP_WIDTH],
	const int32_t corners[WP_WIDTH], wp_plane plane)
{
	WP_VECTOR_ALIGN float nx[WP_WIDTH], ny[WP_WIDTH], nz[WP_WIDTH];
	WP_VECTOR_ALIGN float distance[WP_WIDTH], rank[WP_WIDTH];
	vf3_store(nx, ny, nz, plane.n);
	vf_store(distance, plane.distance);
	vf_store(rank, plane.rank);
	for (uint32_t m = lanes_out; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const size_t i = (size_t)slot[lane] * WP_WIDTH + lane;
		p->normal_x[i] = nx[lane];
		p->normal_y[i] = ny[lane];
		p->normal_z[i] = nz[lane];
		p->distance[i] = distance[lane];
		p->rank[i] = rank[lane];
		p->corners[i] = corners[lane];
	}
}

/* Write one vertex per lane of `lanes_out`, into the slot of each. */
WP_INLINE void wp_put_vertex(wp_polytopes *p, uint32_t lanes_out, const uint32_t slot[WP_WIDTH], wp_vertex v)
{
	WP_VECTOR_ALIGN float x[WP_WIDTH], y[WP_WIDTH], z[WP_WIDTH];
	WP_VECTOR_ALIGN int32_t id[WP_WIDTH];
	vf3_store(x, y, z, v.w);
	vi_store(id, v.id);
	for (uint32_t m = lanes_out; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const size_t i = (size_t)slot[lane] * WP_WIDTH + lane;
		p->vertex_x[i] = x[lane];
		p->vertex_y[i] = y[lane];
		p->vertex_z[i] = z[lane];
		p->vertex_id[i] = id[lane];
	}
}

/* Put start tetrahedra, wound outwards, into the lanes of `fresh`. */
WP_INLINE void wp_epa_place(wp_epa *e, wp_polytopes *p, uint32_t fresh, wp_tetrahedron t)
{
	/* With the fourth vertex below the face of the first three, the four triples below face outwards. */
	const vf3 e1 = vf3_sub(t.v[1].w, t.v[0].w), e2 = vf3_sub(t.v[2].w, t.v[0].w),
		e3 = vf3_sub(t.v[3].w, t.v[0].w);
	const vm above = vf_gt(vf3_dot(vf3_cross(e1, e2), e3), vf_zero());
	const wp_vertex v1 = wp_vertex_select(above, t.v[2], t.v[1]);
	t.v[2] = wp_vertex_select(above, t.v[1], t.v[2]);
	t.v[1] = v1;

	static const uint8_t triple[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
	for (uint32_t i = 0; i < 4; i++) {
		int32_t slot[WP_WIDTH], corners[WP_WIDTH];
		uint32_t vertex_slot[WP_WIDTH];
		for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
			slot[lane] = (int32_t)i;
			vertex_slot[lane] = i;
			corners[lane] = wp_corners(triple[i][0], triple[i][1], triple[i][2]);
		}
		const wp_plane plane = wp_plane_of_face(t.v[triple[i][0]].w, t.v[triple[i][1]].w, t.v[triple[i][2]].w);
		wp_put_faces(p, fresh, slot, corners, plane);
		wp_put_vertex(p, fresh, vertex_slot, t.v[i]);
	}
	for (uint32_t m = fresh; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		e->face_count[lane] = 4;
		e->vertex_count[lane] = 4;
		e->free_faces[lane] = 0;
	}
	const vm is_new = vm_from_bits(fresh);
	e->depth = vf_select(is_new, vf_set(WP_NO_FACE), e->depth);
	e->steps = vi_select(is_new, vi_zero(), e->steps);
}

/* ---- the horizon, walked per lane --------------------------------------------------------------- */

/* The closed loop of edges between visible and hidden faces: its vertex slots in order, with the visible
 * faces on the left. */
typedef struct wp_horizon {
	uint32_t count;
	uint8_t vertex[WP_EPA_HORIZON_MAX];
} wp_horizon;

WP_INLINE uint32_t wp_lowest_bit64(uint64_t bits) { return (uint32_t)__builtin_ctzll(bits); }

/* Corner `i` of a face, i below 6 and taken modulo 3. */
WP_INLINE uint32_t wp_corner(int32_t corners, uint32_t i)
{
	return (uint32_t)corners >> (i < 3 ? i : i - 3) * 8 & 0xffu;
}

/* The horizon of any number of visible faces: their directed edges without an opposite, which must make
 * one closed loop that meets no vertex twice; then the visible set is a disc. False where they do not.
 * The edges are kept as one set of end vertices for each start, so that no list is searched. */
WP_INLINE bool wp_horizon_of_many(const wp_polytopes *p, uint32_t lane, uint64_t visible, wp_horizon *h)
{
	uint64_t ends[WP_EPA_VERTEX_MAX];
	uint8_t following[WP_EPA_VERTEX_MAX];
	for (uint32_t i = 0; i < WP_EPA_VERTEX_MAX; i++)
		following[i] = 0;
	for (uint64_t m = visible; m != 0; m &= m - 1) {
		const int32_t corners = p->corners[wp_lowest_bit64(m) * WP_WIDTH + lane];
		for (uint32_t i = 0; i < 3; i++)
			ends[wp_corner(corners, i)] = 0;
	}
	for (uint64_t m = visible; m != 0; m &= m - 1) {
		const int32_t corners = p->corners[wp_lowest_bit64(m) * WP_WIDTH + lane];
		for (uint32_t i = 0; i < 3; i++)
			ends[wp_corner(corners, i)] |= (uint64_t)1 << wp_corner(corners, i + 1);
	}
	uint64_t starts = 0, twice = 0;
	uint32_t first = 0, edges = 0;
	for (uint64_t m = visible; m != 0; m &= m - 1) {
		const int32_t corners = p->corners[wp_lowest_bit64(m) * WP_WIDTH + lane];
		for (uint32_t i = 0; i < 3; i++) {
			const uint32_t start = wp_corner(corners, i), end = wp_corner(corners, i + 1);
			const uint64_t open = ~(ends[end] >> start) & 1;
			twice |= starts & open << start;
			starts |= open << start;
			edges += (uint32_t)open;
			following[start] = open ? (uint8_t)end : following[start];
			first = open ? start : first;
		}
	}
	h->count = 0;
	if (twice != 0 || edges < 3 || edges > WP_EPA_HORIZON_MAX)
		return false;
	uint32_t at = first;
	do {
		if (!(starts >> at & 1))
			return false;
		h->vertex[h->count++] = (uint8_t)at;
		at = following[at];
	} while (at != first && h->count < edges);
	return at == first && h->count == edges;
}

/* The horizon of two faces that share an edge: f = (s, t, u) and g = (t, s, v) leave the loop t u s v. */
WP_INLINE bool wp_horizon_of_two(int32_t f, int32_t g, wp_horizon *h)
{
	for (uint32_t i = 0; i < 3; i++) {
		for (uint32_t j = 0; j < 3; j++) {
			if (wp_corner(f, i) == wp_corner(g, j + 1) && wp_corner(f, i + 1) == wp_corner(g, j)) {
				h->vertex[0] = (uint8_t)wp_corner(f, i + 1);
				h->vertex[1] = (uint8_t)wp_corner(f, i + 2);
				h->vertex[2] = (uint8_t)wp_corner(f, i);
				h->vertex[3] = (uint8_t)wp_corner(g, j + 2);
				h->count = 4;
				return true;
			}
		}
	}
	return false;
}

/* The horizon of the visible faces of one lane. False where it is not one closed loop. One or two faces
 * are the rule, and need no search. */
WP_INLINE bool wp_horizon_of(const wp_polytopes *p, uint32_t lane, uint64_t visible, wp_horizon *h)
{
	const int32_t first = p->corners[wp_lowest_bit64(visible) * WP_WIDTH + lane];
	const uint64_t others = visible & (visible - 1);
	if (others == 0) {
		for (uint32_t i = 0; i < 3; i++)
			h->vertex[i] = (uint8_t)wp_corner(first, i);
		h->count = 3;
		return true;
	}
	if ((others & (others - 1)) == 0)
		return wp_horizon_of_two(first, p->corners[wp_lowest_bit64(others) * WP_WIDTH + lane], h);
	return wp_horizon_of_many(p, lane, visible, h);
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

/* The visible faces that are connected to the chosen one through edges. */
WP_INLINE uint64_t wp_connected(const wp_polytopes *p, uint32_t lane, uint64_t visible, uint32_t chosen)
{
	uint64_t component = (uint64_t)1 << chosen, frontier = component;
	while (frontier != 0) {
		const int32_t f = p->corners[wp_lowest_bit64(frontier) * WP_WIDTH + lane];
		frontier &= frontier - 1;
		for (uint64_t m = visible & ~component; m != 0; m &= m - 1) {
			const uint32_t g = wp_lowest_bit64(m);
			if (wp_faces_adjoin(f, p->corners[g * WP_WIDTH + lane])) {
				component |= (uint64_t)1 << g;
				frontier |= (uint64_t)1 << g;
			}
		}
	}
	return component;
}

/* Take the visible faces of one lane out, and give each horizon edge a slot for its new face. Returns
 * the number of edges, 0 where rounding made the visible set no disc or the faces are full. */
WP_INLINE uint32_t wp_open_polytope(wp_epa *e, wp_polytopes *p, uint32_t lane, uint64_t visible, uint32_t chosen)
{
	wp_horizon h;
	visible |= (uint64_t)1 << chosen;
	if (!wp_horizon_of(p, lane, visible, &h)) {
		visible = wp_connected(p, lane, visible, chosen);
		if (!wp_horizon_of(p, lane, visible, &h))
			return 0;
	}
	uint64_t free_faces = e->free_faces[lane] | visible;
	const uint32_t apex = e->vertex_count[lane];
	for (uint32_t i = 0; i < h.count; i++) {
		uint32_t slot;
		if (free_faces != 0) {
			slot = wp_lowest_bit64(free_faces);
			free_faces &= free_faces - 1;
		} else {
			if (e->face_count[lane] == WP_EPA_FACE_MAX)
				return 0;
			slot = e->face_count[lane]++;
		}
		const uint32_t end = i + 1 < h.count ? h.vertex[i + 1] : h.vertex[0];
		p->edge_corners[i * WP_WIDTH + lane] = wp_corners(h.vertex[i], end, apex);
		p->edge_slot[i * WP_WIDTH + lane] = (int32_t)slot;
	}
	for (uint32_t i = 0; i <= h.count; i++) {
		const uint32_t at = i * WP_WIDTH + lane;
		const uint32_t from = (i < h.count ? h.vertex[i] : h.vertex[0]) * WP_WIDTH + lane;
		p->horizon_x[at] = p->vertex_x[from];
		p->horizon_y[at] = p->vertex_y[from];
		p->horizon_z[at] = p->vertex_z[from];
	}
	for (uint64_t m = free_faces & visible; m != 0; m &= m - 1)
		wp_empty_slot(p, wp_lowest_bit64(m), lane);
	e->free_faces[lane] = free_faces;
	return h.count;
}

/* ---- one expansion ------------------------------------------------------------------------------ */

/* Slots to scan: the largest face count of the live lanes. */
WP_INLINE uint32_t wp_face_range(const wp_epa *e, uint32_t live)
{
	uint32_t range = 0;
	for (uint32_t m = live; m != 0; m &= m - 1) {
		const uint32_t count = e->face_count[wp_lowest_bit(m)];
		range = count > range ? count : range;
	}
	return range;
}

/* Smallest distance of a face to expand, of each lane, and its slot, the lowest where several are equal. */
WP_INLINE vf wp_nearest_face(const wp_polytopes *p, uint32_t range, vi *slot)
{
	vf nearest = vf_load(p->rank);
	*slot = vi_zero();
	for (uint32_t f = 1; f < range; f++) {
		const vf distance = vf_load(p->rank + f * WP_WIDTH);
		const vm nearer = vf_lt(distance, nearest);
		nearest = vf_select(nearer, distance, nearest);
		*slot = vi_select(nearer, vi_set((int32_t)f), *slot);
	}
	return nearest;
}

/* Faces that see w, as one 64-bit mask per lane. */
WP_INLINE void wp_visible_faces(const wp_polytopes *p, uint32_t range, vf3 w, uint64_t visible[WP_WIDTH])
{
	vi half[2] = {vi_zero(), vi_zero()};
	for (uint32_t f = 0; f < range; f++) {
		const uint32_t at = f * WP_WIDTH;
		const vf3 n = vf3_load(p->normal_x + at, p->normal_y + at, p->normal_z + at);
		const vm sees = vf_gt(vf3_dot(n, w), vf_load(p->distance + at));
		const vi bit = vi_set((int32_t)(1u << (f % 32)));
		half[f / 32] = vi_or(half[f / 32], vi_select(sees, bit, vi_zero()));
	}
	WP_VECTOR_ALIGN int32_t low[WP_WIDTH], high[WP_WIDTH];
	vi_store(low, half[0]);
	vi_store(high, half[1]);
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		visible[lane] = (uint32_t)low[lane] | (uint64_t)(uint32_t)high[lane] << 32;
}

/* Close the opened polytopes of the lanes in `open` with faces from the horizon edges to w. */
WP_INLINE void wp_close_polytopes(wp_epa *e, wp_polytopes *p, uint32_t open, const uint32_t edge_count[WP_WIDTH],
	wp_vertex w)
{
	uint32_t range = 0;
	for (uint32_t m = open; m != 0; m &= m - 1) {
		const uint32_t count = edge_count[wp_lowest_bit(m)];
		range = count > range ? count : range;
	}
	vf3 end = vf3_load(p->horizon_x, p->horizon_y, p->horizon_z);
	for (uint32_t k = 0; k < range; k++) {
		const uint32_t at = k * WP_WIDTH, after = at + WP_WIDTH;
		uint32_t with_edge = 0;
		for (uint32_t m = open; m != 0; m &= m - 1) {
			const uint32_t lane = wp_lowest_bit(m);
			with_edge |= (uint32_t)(k < edge_count[lane]) << lane;
		}
		const vf3 start = end;
		end = vf3_load(p->horizon_x + after, p->horizon_y + after, p->horizon_z + after);
		wp_put_faces(p, with_edge, p->edge_slot + at, p->edge_corners + at, wp_plane_of_face(start, end, w.w));
	}
	wp_put_vertex(p, open, e->vertex_count, w);
	for (uint32_t m = open; m != 0; m &= m - 1)
		e->vertex_count[wp_lowest_bit(m)]++;
}

/* The three corners of the face in `slot` of each lane, as indices into the vertex arrays. */
WP_INLINE void wp_face_corners(const wp_polytopes *p, vi slot, vi corner[3])
{
	const vi corners = vi_gather(p->corners, wp_slot_index(slot));
	for (int i = 0; i < 3; i++)
		corner[i] = wp_slot_index(vi_and(vi_shift_right(corners, 8 * i), vi_set(0xff)));
}

/* The smallest of the origin's three barycentric weights on a face, projected along n: how deep inside it
 * the origin's projection lies, negative outside. */
WP_INLINE vf wp_containment(const wp_polytopes *p, vi slot, vf3 n)
{
	vi corner[3];
	vf3 w[3];
	wp_face_corners(p, slot, corner);
	for (int i = 0; i < 3; i++)
		w[i] = vf3_gather(p->vertex_x, p->vertex_y, p->vertex_z, corner[i]);
	const vf a0 = vf3_dot(n, vf3_cross(w[1], w[2])), a1 = vf3_dot(n, vf3_cross(w[2], w[0])),
		a2 = vf3_dot(n, vf3_cross(w[0], w[1]));
	const vf sum = vf_add(vf_add(a0, a1), a2);
	const vm proper = vf_gt(sum, vf_zero());
	return vf_select(proper, vf_div(vf_min(a0, vf_min(a1, a2)), vf_select(proper, sum, vf_set(1.0f))),
		vf_set(-WP_NO_FACE));
}

/* Of the faces as near as the nearest one, those that the origin projects into, where the nearest one is
 * not among them (`outside`). Few lanes need it, and few of their faces are near enough, so lanes look
 * for candidates one by one; the test itself runs on all of them at once. */
WP_INLINE vi wp_containing_face(const wp_polytopes *p, const wp_epa *e, uint32_t outside, vf3 n, vf nearest, vi slot)
{
	WP_VECTOR_ALIGN float limit[WP_WIDTH];
	WP_VECTOR_ALIGN int32_t candidate[WP_WIDTH];
	uint32_t next[WP_WIDTH] = {0};
	vf_store(limit, vf_add(nearest, vf_set(WP_EPA_TOLERANCE)));
	vf best = wp_containment(p, slot, n);
	while (outside != 0) {
		vi_store(candidate, slot);
		for (uint32_t m = outside; m != 0; m &= m - 1) {
			const uint32_t lane = wp_lowest_bit(m);
			uint32_t f = next[lane];
			while (f < e->face_count[lane] && !(p->rank[f * WP_WIDTH + lane] <= limit[lane]))
				f++;
			if (f < e->face_count[lane])
				candidate[lane] = (int32_t)f;
			else
				outside &= ~(1u << lane);
			next[lane] = f + 1;
		}
		const vi tried = vi_load(candidate);
		const vf containment = wp_containment(p, tried, n);
		const vm better = vf_gt(containment, best);
		best = vf_select(better, containment, best);
		slot = vi_select(better, tried, slot);
	}
	return slot;
}

/* Empty the slots of the lanes `out`; they leave. */
WP_INLINE void wp_epa_drop(wp_lanes *lanes, wp_epa *e, wp_polytopes *p, uint32_t out)
{
	for (uint32_t m = out; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		for (uint32_t f = 0; f < e->face_count[lane]; f++)
			wp_empty_slot(p, f, lane);
		e->face_count[lane] = 0;
	}
	lanes->live &= ~out;
}

/* Leave the lanes `out` to the strong path. */
WP_INLINE void wp_epa_give_up(wp_jobs *jobs, wp_lanes *lanes, wp_epa *e, wp_polytopes *p, uint32_t out)
{
	wp_lanes_put_int(lanes, out, jobs->state, vi_set(WP_JOB_STRONG));
	wp_lanes_put_int(lanes, out, jobs->epa_steps, e->steps);
	wp_epa_drop(lanes, e, p, out);
}

/* Keep what the lanes `done`, whose bracket is closed, have found. `n` and `reach` are those of the
 * nearest face; they are the result unless an earlier support plane was clearly better. */
WP_INLINE void wp_epa_close(wp_epa *e, wp_lanes *lanes, vm done, vi slot, vf3 n, vf reach, vf nearest)
{
	const vm own = vf_le(reach, vf_add(e->depth, vf_set(WP_EPA_TOLERANCE)));
	e->result_slot = vi_select(done, slot, e->result_slot);
	e->result_n = vf3_select(done, vf3_select(own, n, e->n), e->result_n);
	e->result_depth = vf_select(done, vf_select(own, reach, e->depth), e->result_depth);
	e->result_nearest = vf_select(done, nearest, e->result_nearest);
	e->closed |= vm_bits(done);
	lanes->live &= ~vm_bits(done);
}

/* Hand the closed lanes over to the jobs. Done for many at a time: the corners are gathered. */
WP_INLINE void wp_epa_put(wp_jobs *jobs, wp_lanes *lanes, wp_epa *e, wp_polytopes *p)
{
	const uint32_t out = e->closed;
	vi slot = e->result_slot;
	const uint32_t outside = vm_bits(vf_lt(wp_containment(p, slot, e->result_n), vf_set(-WP_EPA_OUTSIDE))) & out;
	if (outside)
		slot = wp_containing_face(p, e, outside, e->result_n, e->result_nearest, slot);
	vi corner[3];
	wp_face_corners(p, slot, corner);
	for (int i = 0; i < 3; i++)
		wp_lanes_put_int(lanes, out, jobs->vertex[i], vi_gather(p->vertex_id, corner[i]));
	wp_lanes_put(lanes, out, jobs->direction[0], e->result_n.x);
	wp_lanes_put(lanes, out, jobs->direction[1], e->result_n.y);
	wp_lanes_put(lanes, out, jobs->direction[2], e->result_n.z);
	wp_lanes_put(lanes, out, jobs->core_lower, vf_neg(e->result_depth));
	wp_lanes_put(lanes, out, jobs->core_upper, vf_neg(e->result_nearest));
	wp_lanes_put_int(lanes, out, jobs->vertex_count, vi_set(3));
	wp_lanes_put_int(lanes, out, jobs->state, vi_set(WP_JOB_DEPTH));
	wp_lanes_put_int(lanes, out, jobs->epa_steps, e->steps);
	wp_epa_drop(lanes, e, p, out);
	e->closed = 0;
}

/* One expansion of all lanes; finished ones are handed over and leave. */
WP_INLINE void wp_epa_step(wp_epa *e, wp_jobs *jobs, wp_lanes *lanes, wp_polytopes *p, int kind_a, int kind_b)
{
	const uint32_t range = wp_face_range(e, lanes->live);
	vi slot;
	const vf nearest = wp_nearest_face(p, range, &slot);
	const vi at = wp_slot_index(slot);
	const vf3 n = vf3_gather(p->normal_x, p->normal_y, p->normal_z, at);
	const wp_vertex w = wp_support(jobs, lanes, kind_a, kind_b, n);
	e->steps = vi_select(vm_from_bits(lanes->live), vi_add(e->steps, vi_set(1)), e->steps);

	/* The support plane bounds the depth from above, the nearest face from below. */
	const vf reach = vf3_dot(n, w.w);
	const vm has_face = vf_lt(nearest, vf_set(WP_NO_FACE));
	const vm better = vm_and(vf_lt(reach, e->depth), has_face);
	e->depth = vf_select(better, reach, e->depth);
	e->n = vf3_select(better, n, e->n);
	const vm closed = vm_and(has_face, vm_not(vf_gt(vf_sub(e->depth, nearest), vf_set(WP_EPA_TOLERANCE))));
	wp_epa_close(e, lanes, vm_and(closed, vm_from_bits(lanes->live)), slot, n, reach, nearest);

	uint64_t visible[WP_WIDTH];
	uint32_t edge_count[WP_WIDTH], failed = lanes->live & ~vm_bits(has_face);
	WP_VECTOR_ALIGN int32_t chosen[WP_WIDTH];
	wp_visible_faces(p, range, w.w, visible);
	vi_store(chosen, slot);
	for (uint32_t m = lanes->live & ~failed; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		edge_count[lane] = e->vertex_count[lane] < WP_EPA_VERTEX_MAX
			? wp_open_polytope(e, p, lane, visible[lane], (uint32_t)chosen[lane]) : 0;
		failed |= (uint32_t)(edge_count[lane] == 0) << lane;
	}
	if (failed)
		wp_epa_give_up(jobs, lanes, e, p, failed);
	wp_close_polytopes(e, p, lanes->live, edge_count, w);
}

/* EPA on the jobs in `list`, which GJK left inside. */
WP_INLINE void wp_epa_run(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_polytopes *p, int kind_a,
	int kind_b, wp_kernel_work *work)
{
	wp_lanes lanes;
	wp_epa e;
	uint32_t next = 0;
	if (total == 0)
		return;
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		e.free_faces[lane] = 0;
		e.face_count[lane] = e.vertex_count[lane] = 0;
	}
	e.depth = vf_zero();
	e.n = vf3_zero();
	e.steps = e.result_slot = vi_zero();
	e.result_n = vf3_zero();
	e.result_depth = e.result_nearest = vf_zero();
	e.closed = 0;
	wp_polytopes_clear(p);
	wp_lanes_start(&lanes);
	for (;;) {
		if (e.closed != 0 && (wp_lanes_want_refill(&lanes) || lanes.live == 0))
			wp_epa_put(jobs, &lanes, &e, p);
		while (wp_lanes_want_refill(&lanes) && next < total) {
			const uint32_t fresh = wp_lanes_fill(&lanes, list, total, &next);
			wp_lanes_load(&lanes, jobs, kind_a, kind_b);
			vm flat;
			const wp_tetrahedron t = wp_start_tetrahedron(jobs, &lanes, kind_a, kind_b, fresh, &flat);
			wp_epa_place(&e, p, fresh, t);
			if (vm_any(flat))
				wp_epa_give_up(jobs, &lanes, &e, p, vm_bits(flat));
		}
		if (lanes.live == 0)
			break;
		work->lanes_issued += WP_WIDTH;
		work->lanes_live += wp_count_bits(lanes.live);
		wp_epa_step(&e, jobs, &lanes, p, kind_a, kind_b);
	}
}

#endif
