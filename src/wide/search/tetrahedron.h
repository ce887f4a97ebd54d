/* The tetrahedron that EPA starts from: GJK's simplex where its heights are good, else one built from
 * what is good of it and supports chosen by height. */
#ifndef WP_WIDE_SEARCH_TETRAHEDRON_H
#define WP_WIDE_SEARCH_TETRAHEDRON_H

#include "wide/search/simplex.h"

/* Heights of a slot that holds no face: never visible, never expanded. Also the rank of a face
 * too thin for a normal worth a search; its plane still decides whether it is visible. */
#define WP_NO_FACE 1e30f

/* A plane through three points. Its unit normal is rounded, and of a sliver turned by much more than that, so that the
 * corners are not equally far along it. A point must be beyond the highest to see the face; the face's distance from the
 * origin is no less than the lowest corner's along any unit vector. */
typedef struct wp_plane {
	vf3 n;
	vf top;  /* of the highest corner along n */
	vf rank; /* of the lowest, signed */
} wp_plane;

/* Plane of a face, wound counter-clockwise seen from outside. The normal is the cross product of the two
 * shortest sides, which loses least to cancellation. */
WP_INLINE wp_plane wp_plane_of_face(vf3 a, vf3 b, vf3 c)
{
	const vf3 ab = vf3_sub(b, a), bc = vf3_sub(c, b), ca = vf3_sub(a, c);
	const vf3_sides sides = vf3_sides_of(ab, bc, ca);
	const vf3 cross = vf3_cross(sides.next, sides.last);
	const vf cross2 = vf3_dot(cross, cross);
	const vf thin = vf_mul(vf_set(WP_EPA_FACE_HEIGHT_MIN), sides.longest2);
	wp_plane plane;
	plane.n = vf3_unit(cross, vf3_zero());
	const vf along_a = vf3_dot(plane.n, a), along_b = vf3_dot(plane.n, b), along_c = vf3_dot(plane.n, c);
	plane.top = vf_max(vf_max(along_a, along_b), along_c);
	const vf low = vf_min(vf_min(along_a, along_b), along_c);
	plane.rank = vf_select(vf_gt(cross2, vf_mul(thin, thin)), low, vf_set(WP_NO_FACE));
	return plane;
}

/* The smallest of the origin's three barycentric weights on a face, projected along n: how deep inside it
 * the origin's projection lies, negative outside. */
WP_INLINE vf wp_containment(const wp_vertex v[3], vf3 n)
{
	const vf a0 = vf3_dot(n, vf3_cross(v[1].w, v[2].w)), a1 = vf3_dot(n, vf3_cross(v[2].w, v[0].w)),
			 a2 = vf3_dot(n, vf3_cross(v[0].w, v[1].w));
	const vf sum = vf_add(vf_add(a0, a1), a2);
	const vm proper = vf_gt(sum, vf_zero());
	return vf_select(
		proper, vf_div(vf_min(a0, vf_min(a1, a2)), vf_select(proper, sum, vf_set(1.0f))), vf_set(-WP_NO_FACE));
}

typedef struct wp_tetrahedron {
	wp_vertex v[4];
#if WP_ONE_LANE_QUADS
	int32_t largest; /* of its faces, as wp_smallest_height has them */
	vf volume;       /* six times the signed one */
#endif
} wp_tetrahedron;

/* Rows of the points of A under vertices that a start is chosen of: GJK's, then supports along axes, around an edge, to
 * both sides of a face. */
#define WP_START_EDGE_ROW 4
#define WP_START_FACE_ROW (WP_START_EDGE_ROW + 6)
#define WP_START_APEX_ROW (WP_START_FACE_ROW + 4)

_Static_assert(WP_START_APEX_ROW + 2 <= WP_START_ROWS, "there is a row for each of them");

/* Keep the candidate where its measure (squared height above the feature so far) is larger. */
WP_INLINE void wp_keep_higher(vm wanted, wp_vertex candidate, vf measure, wp_vertex *best, vf *best_measure)
{
	const vm higher = vm_and(wanted, vf_gt(measure, *best_measure));
	*best = wp_vertex_select(higher, candidate, *best);
	*best_measure = vf_select(higher, measure, *best_measure);
}

/* A support along n, with a row for its points. */
WP_INLINE wp_vertex wp_start_support(
	const wp_lanes *lanes, vm wanted, int kind_a, int kind_b, vf3 n, wp_points_a *points, int32_t row)
{
	wp_vertex v;
	vf3 a;
	wp_support_called(lanes, vm_bits(wanted), kind_a, kind_b, &n, &v, &a);
	return wp_keep_support(wp_is_smooth(kind_a, kind_b), v, a, points, row);
}

/* A second vertex: of the supports along the six axes, the one farthest from the first. */
WP_NOINLINE void wp_start_edge(
	const wp_lanes *lanes, int kind_a, int kind_b, vm wanted, wp_points_a *points, wp_tetrahedron *t)
{
	vf best = vf_set(-1.0f);
	for (int i = 0; i < 6; i++) {
		const vf s = vf_set(i & 1 ? -1.0f : 1.0f), o = vf_zero();
		const vf3 n = vf3_set(i / 2 == 0 ? s : o, i / 2 == 1 ? s : o, i / 2 == 2 ? s : o);
		const wp_vertex v = wp_start_support(lanes, wanted, kind_a, kind_b, n, points, WP_START_EDGE_ROW + i);
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
	const vf3 axis = vf3_select(
		x_least, vf3_set(one, zero, zero), vf3_select(y_least, vf3_set(zero, one, zero), vf3_set(zero, zero, one)));
	return vf3_unit(vf3_cross(e, axis), axis);
}

/* A third vertex: of four supports around the edge, the one farthest from its line. */
WP_NOINLINE void wp_start_face(
	const wp_lanes *lanes, int kind_a, int kind_b, vm wanted, wp_points_a *points, wp_tetrahedron *t)
{
	const vf3 e = vf3_sub(t->v[1].w, t->v[0].w);
	const vf3 u = wp_across(e);
	const vf3 around[2] = {u, vf3_unit(vf3_cross(e, u), u)};
	vf best = vf_set(-1.0f);
	for (int i = 0; i < 4; i++) {
		const vf3 n = i & 1 ? vf3_neg(around[i / 2]) : around[i / 2];
		const wp_vertex s = wp_start_support(lanes, wanted, kind_a, kind_b, n, points, WP_START_FACE_ROW + i);
		const vf3 c = vf3_cross(e, vf3_sub(s.w, t->v[0].w));
		wp_keep_higher(wanted, s, vf3_dot(c, c), &t->v[2], &best);
	}
}

/* A fourth vertex: of the supports to both sides of the face, the one farther from its plane. */
WP_NOINLINE void wp_start_apex(
	const wp_lanes *lanes, int kind_a, int kind_b, vm wanted, wp_points_a *points, wp_tetrahedron *t)
{
	const wp_plane plane = wp_plane_of_face(t->v[0].w, t->v[1].w, t->v[2].w);
	vf best = vf_set(-1.0f);
	for (int i = 0; i < 2; i++) {
		const vf3 n = i ? vf3_neg(plane.n) : plane.n;
		const wp_vertex s = wp_start_support(lanes, wanted, kind_a, kind_b, n, points, WP_START_APEX_ROW + i);
		const vf height = vf_abs(vf3_dot(plane.n, vf3_sub(s.w, t->v[0].w)));
		wp_keep_higher(wanted, s, height, &t->v[3], &best);
	}
}

/* Smallest height of the tetrahedron; in the lanes `wanted` its largest face is moved to the first three
 * corners. Only there: done twice, rounding may order two equal faces one way and then the other. */
#if WP_ONE_LANE_QUADS

/* One lane moves nothing yet (wp_turn_largest), but finds which face is the largest. */
WP_INLINE vf wp_smallest_height(vm wanted, wp_tetrahedron *t)
{
	static const _Alignas(16) float only_last[4] = {0, 0, 0, 1};
	const wp_vectors v = wp_one_vectors(t->v), first = wp_vectors_spread(&v, 0), e = wp_vectors_sub(&v, &first);
	const wp_quad_mask is_last = wp_quad_above(wp_quad_load(only_last), wp_quad_zero());
	/* The edges from the first corner, and in the last place those of the face opposite to it. */
	const wp_vectors e1 = wp_vectors_spread(&e, 1), from = wp_vectors_where(is_last, &e1);
	const wp_vectors ahead = {
		WP_QUAD_PICK(e.x, 1, 2, 3, 2), WP_QUAD_PICK(e.y, 1, 2, 3, 2), WP_QUAD_PICK(e.z, 1, 2, 3, 2)};
	const wp_vectors behind = {
		WP_QUAD_PICK(e.x, 2, 3, 1, 3), WP_QUAD_PICK(e.y, 2, 3, 1, 3), WP_QUAD_PICK(e.z, 2, 3, 1, 3)};
	const wp_vectors s = wp_vectors_sub(&ahead, &from), r = wp_vectors_sub(&behind, &from),
					 n = wp_vectors_cross(&s, &r);
	const wp_vectors apex = wp_vectors_spread(&e, 3);
	const wp_quad areas = wp_vectors_dot(&n, &n);
	const wp_quad halves = wp_quad_max(areas, WP_QUAD_PICK(areas, 2, 3, 0, 1));
	const wp_quad area = wp_quad_max(halves, WP_QUAD_PICK(halves, 1, 0, 3, 2));
	const uint32_t largest = wp_quad_bits(wp_quad_at_most(area, areas));
	const float most = wp_quad_get(area, 0);
	(void)wanted;
	t->volume = wp_quad_get(wp_vectors_dot(&n, &apex), 0);
	t->largest = (int32_t)wp_lowest_bit(largest | 8u);
	return most > WP_DIRECTION_MIN_SQUARED ? wp_abs_float(t->volume) / wp_sqrt_float(most) : 0.0f;
}

WP_INLINE void wp_turn_largest(wp_tetrahedron *t)
{
	/* Corner opposite to face i above. */
	static const uint8_t opposite[4] = {3, 1, 2, 0};
	const uint32_t place = opposite[t->largest];
	const wp_vertex last = t->v[3];
	t->v[3] = t->v[place];
	t->v[place] = last;
}

#else

WP_INLINE vf wp_smallest_height(vm wanted, wp_tetrahedron *t)
{
	const vf3 e1 = vf3_sub(t->v[1].w, t->v[0].w), e2 = vf3_sub(t->v[2].w, t->v[0].w),
			  e3 = vf3_sub(t->v[3].w, t->v[0].w);
	const vf3 n[4] = {
		vf3_cross(e1, e2), vf3_cross(e2, e3), vf3_cross(e3, e1), vf3_cross(vf3_sub(e2, e1), vf3_sub(e3, e1))};
	const vf volume = vf_abs(vf3_dot(n[0], e3));
	/* Corner opposite to face i of the list above. */
	static const int opposite[4] = {3, 1, 2, 0};
	vf largest = vf3_dot(n[0], n[0]);
	wp_tetrahedron sorted = *t;
	for (int i = 1; i < 4; i++) {
		const vf area = vf3_dot(n[i], n[i]);
		const vm larger = vm_and(wanted, vf_gt(area, largest));
		largest = vf_select(larger, area, largest);
		for (int j = 0; j < 4; j++) {
			const int from = j == 3 ? opposite[i] : j == opposite[i] ? 3 : j;
			sorted.v[j] = wp_vertex_select(larger, t->v[from], sorted.v[j]);
		}
	}
	*t = sorted;
	const vm flat = vf_not_gt(largest, vf_set(WP_DIRECTION_MIN_SQUARED));
	return vf_select(flat, vf_zero(), vf_div(volume, vf_sqrt(vf_select(flat, vf_set(1.0f), largest))));
}

#endif

#if WP_ONE_LANE_QUADS
/* Those of exact cores, which have ids. Called, so that they are stored as quads. */
WP_NOINLINE void wp_one_load_simplex(
	const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b, vi size, wp_tetrahedron *t)
{
	const int32_t job = lanes->job_v;
	const wp_one_pose pose = wp_one_pose_of(jobs, job);
	for (int i = 0; i < 4; i++) {
		const int32_t id = jobs->vertex[i < size ? i : 0][job];
		const wp_quad w = wp_one_vertex_of_id(lanes, &pose, kind_a, kind_b, (uint32_t)id).w;
		wp_one_put_vertex(&t->v[i], wp_one_named(w, id));
	}
}
#endif

/* The vertices that GJK left; those past the last one are the first again. */
WP_INLINE void wp_load_simplex(const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b, uint32_t fresh,
	vi size, wp_points_a *points, wp_tetrahedron *t)
{
#if WP_ONE_LANE_QUADS
	if (!jobs->terms->smooth) {
		wp_one_load_simplex(jobs, lanes, kind_a, kind_b, size, t);
		return;
	}
#endif
	vi first_id = vi_zero();
	for (int i = 0; i < 4; i++) {
		const vm has = vi_gt(size, vi_set(i));
		vf3 a, b;
		if (jobs->terms->smooth) {
			const vf3 w = wp_place_of_job(jobs, lanes->job_v, i, &a);
			wp_keep_points(points, i, a);
			const wp_vertex v = {w, vi_set(i)};
			t->v[i] = i == 0 ? v : wp_vertex_select(has, v, t->v[0]);
			continue;
		}
		const vi own_id = vi_gather(jobs->vertex[i], lanes->job_v);
		first_id = i == 0 ? own_id : first_id;
		const vi id = vi_select(has, own_id, first_id);
		t->v[i] = wp_vertex_of_id(lanes, fresh, kind_a, kind_b, id, &a, &b);
	}
}

/* A tetrahedron of good heights for the lanes in `fresh`, from the simplex GJK left; `flat` is set where
 * the difference is too thin for one. */
WP_INLINE void wp_start_tetrahedron(const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b, uint32_t fresh,
	wp_points_a *points, wp_tetrahedron *t, vm *flat)
{
	const vi size = vi_gather(jobs->vertex_count, lanes->job_v);
	wp_load_simplex(jobs, lanes, kind_a, kind_b, fresh, size, points, t);
	const vm is_new = vm_from_bits(fresh);
	const vf good = vf_set(WP_EPA_HEIGHT_GOOD);
	const vf3 e = vf3_sub(t->v[1].w, t->v[0].w);
	const vm no_edge = vm_and(is_new, vm_or(vi_gt(vi_set(2), size), vf_not_gt(vf3_dot(e, e), vf_mul(good, good))));
	if (vm_any(no_edge))
		wp_start_edge(lanes, kind_a, kind_b, no_edge, points, t);

	/* A simplex of 4 with a bad height keeps its largest face; a face of 3 is judged by its own height. */
	vf height = wp_smallest_height(is_new, t);
	const vm whole = vm_andnot(vi_eq(size, vi_set(4)), no_edge);
	const vm bad = vm_andnot(is_new, vm_and(whole, vf_ge(height, good)));
	if (vm_any(bad)) {
#if WP_ONE_LANE_QUADS
		wp_turn_largest(t);
#endif
		const vm three = vm_andnot(vi_gt(size, vi_set(2)), no_edge);
		const vf3 edge = vf3_sub(t->v[1].w, t->v[0].w), n = vf3_normal_of(t->v[0].w, t->v[1].w, t->v[2].w);
		const vm wide = vf_gt(vf3_dot(n, n), vf_mul(vf_mul(good, good), vf3_dot(edge, edge)));
		const vm no_face = vm_andnot(bad, vm_and(three, wide));
		if (vm_any(no_face))
			wp_start_face(lanes, kind_a, kind_b, no_face, points, t);
		wp_start_apex(lanes, kind_a, kind_b, bad, points, t);
		height = vf_select(bad, wp_smallest_height(bad, t), height);
	}
	*flat = vm_and(is_new, vf_lt(height, vf_set(WP_EPA_HEIGHT_MIN)));
}

#endif
