/* EPA, one pair per lane: depth of the origin inside the Minkowski difference A - B.
 *
 * van den Bergen 2001, with these rules, each of which was measured to matter:
 *  - the polytope is an inner body with signed face distances, so the origin need not be inside the
 *    start tetrahedron: the face of smallest distance is expanded until its support plane meets it;
 *  - a face is visible strictly (n . w > distance), its plane comes from its two shortest sides;
 *  - the horizon must be one closed loop, else only the visible faces connected to the chosen one go;
 *  - the answer is a support plane, a bound exact to rounding, and the face on it that the origin
 *    projects into: coplanar faces are the rule for boxes and hulls.
 *
 * Why the bracket holds though faces are slivers. From above: the support along any unit n is a plane in front of the
 * whole difference, so it bounds the depth. From below: let m be the smallest n_f . v over the corners v of each face f,
 * with any unit vectors n_f. A face is in front of the plane across n_f at its lowest corner, so where m > 0 no face is
 * nearer to the origin than m, and each turns its back on it: seen from there, all corners in order go round the same
 * way, and the solid angles of all faces have one sign. Their sum is a whole number of turns, since the surface is
 * closed, and not none. So the surface winds around the origin and around the ball of radius m, which lies in the convex
 * hull of the vertices whether or not rounding left the surface convex. Normals need no accuracy in this, and a face
 * counts by its lowest corner. Faces too thin for a normal have next to no solid angle; how near they come is looked at
 * when a lane closes (wp_epa_unproven).
 *
 * The dot products round by a length r, WP_HEIGHT_ROUNDING of the vertices'. Where m is no larger the origin may be outside,
 * of a sharp corner by much more than r (wp_epa_upper). Then there are two bounds. The nearest face has a point p: the
 * origin is no further outside than |p|. And a point c inside sees all faces at least h away: seen from s c, on the way
 * there, they are (1 - s) (m - r) + s h away, which is positive beyond s = (r - m) / (h + r - m): no further than s |c|. */
#ifndef WP_WIDE_SEARCH_EPA_H
#define WP_WIDE_SEARCH_EPA_H

#include "wide/job/refill.h"
#include "wide/search/polytope.h"
#include "wide/search/recall.h"

typedef struct wp_epa {
	vi face_count; /* slots in use */
	vi vertex_count;
	int32_t clean; /* slots of faces that have numbers in all lanes */
	vf depth;      /* best upper bound of the depth: -lower bound of the separation */
	vf3 n;         /* its direction */
	vi steps;
	uint32_t closed; /* lanes whose bracket is closed, waiting to be handed over */
	vi result_slot;  /* of those: the nearest face, the direction and the bracket */
	vf3 result_n;
	vf result_depth, result_nearest;
} wp_epa;

/* The three corners of the face in `slot` of each lane. */
WP_INLINE void wp_face_vertices(const wp_polytopes *p, vi slot, wp_vertex v[3])
{
	const vi corners = vi_gather(p->corners, vi_element(slot));
	for (int i = 0; i < 3; i++)
		v[i] = wp_polytope_vertex(p, vi_and(vi_shift_right(corners, 8 * i), vi_set(0xff)));
}

/* A face, as near as the nearest one, that the origin projects into, for lanes where it does not project
 * into the nearest (`outside`). Few lanes need it, and few of their faces are near enough, so lanes search
 * for candidates one by one; the test itself runs on all of them at once. */
WP_INLINE void wp_containing_face(const wp_terms *terms, const wp_polytopes *p, const wp_epa *e, uint32_t outside,
	vf3 n, vf nearest, vi *slot, wp_vertex face[3])
{
	WP_VECTOR_ALIGN float limit[WP_WIDTH];
	WP_VECTOR_ALIGN int32_t candidate[WP_WIDTH], count[WP_WIDTH], next[WP_WIDTH];
	vf_store(limit, vf_add(nearest, vf_set(terms->depth_tolerance)));
	vi_store(count, e->face_count);
	vi_store(next, vi_zero());
	vf best = wp_containment(face, n);
	while (outside != 0) {
		vi_store(candidate, *slot);
		for (uint32_t m = outside; m != 0; m &= m - 1) {
			const uint32_t lane = wp_lowest_bit(m);
			int32_t f = next[lane];
			while (f < count[lane] && !(p->rank[f * WP_WIDTH + (int32_t)lane] <= limit[lane]))
				f++;
			if (f < count[lane])
				candidate[lane] = f;
			else
				outside &= ~(1u << lane);
			next[lane] = f + 1;
		}
		const vi tried = vi_load(candidate);
		wp_vertex other[3];
		wp_face_vertices(p, tried, other);
		const vf containment = wp_containment(other, n);
		const vm better = vf_gt(containment, best);
		best = vf_select(better, containment, best);
		*slot = vi_select(better, tried, *slot);
		for (int i = 0; i < 3; i++)
			face[i] = wp_vertex_select(better, other[i], face[i]);
	}
}

/* Leave the lanes `out` to the strong path. */
WP_NOINLINE void wp_epa_give_up(wp_jobs *jobs, wp_lanes *lanes, vi steps, uint32_t out)
{
	wp_lanes_put_int(lanes, out, jobs->state, vi_set(WP_JOB_STRONG));
	wp_lanes_put_int(lanes, out, jobs->epa_steps, steps);
	lanes->live &= ~out;
}

/* Keep what the lanes `done`, whose bracket is closed, have found. `n` and `reach` belong to the
 * nearest face; they are the result unless an earlier support plane was clearly better. With a smooth core that one's
 * witness points would be as far apart as a normal can be off, the root of the bracket. */
WP_INLINE void wp_epa_close(
	const wp_terms *terms, bool smooth, wp_epa *e, wp_lanes *lanes, vm done, vi slot, vf3 n, vf reach, vf nearest)
{
	const vm own = smooth ? vm_all() : vf_le(reach, vf_add(e->depth, vf_set(terms->depth_tolerance)));
	e->result_slot = vi_select(done, slot, e->result_slot);
	e->result_n = vf3_select(done, vf3_select(own, n, e->n), e->result_n);
	e->result_depth = vf_select(done, vf_select(own, reach, e->depth), e->result_depth);
	e->result_nearest = vf_select(done, nearest, e->result_nearest);
	e->closed |= vm_bits(done);
	lanes->live &= ~vm_bits(done);
}

/* Copy the corners of the nearest faces of the closed lanes to where they can be loaded together. */
WP_INLINE void wp_epa_result_face(const wp_epa *e, const wp_polytopes *p, wp_vertex v[3])
{
	/* What other lanes compute on. */
	WP_VECTOR_ALIGN float corner[3][4 * WP_WIDTH] = {0};
	WP_VECTOR_ALIGN int32_t slot[WP_WIDTH];
	vi_store(slot, e->result_slot);
	for (uint32_t m = e->closed; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const uint32_t corners = (uint32_t)p->corners[(uint32_t)slot[lane] * WP_WIDTH + lane];
		for (uint32_t i = 0; i < 3; i++) {
			const uint32_t at = 4 * ((corners >> 8 * i & 0xffu) * WP_WIDTH + lane);
			wp_copy_quad(corner[i] + 4 * lane, p->vertex + at);
		}
	}
	for (int i = 0; i < 3; i++) {
		const vf4 c = vf4_load(corner[i], 1);
		v[i] = (wp_vertex){vf3_set(c.x, c.y, c.z), vi_from_bits(c.w)};
	}
}

/* How deep the origin lies inside the three sides that the tetrahedron w has beside its face of the first three, which is
 * wound outwards: the square of the smallest distance; negative outside. */
WP_INLINE vf wp_depth_within_sides(const vf3 w[4])
{
	vf depth2 = vf_zero();
	for (int i = 0; i < 3; i++) {
		const vf3 p = w[i], n = vf3_normal_of(p, w[3], w[(i + 1) % 3]);
		const vf volume = vf3_dot(n, p), area2 = vf3_dot(n, n);
		const vm has_area = vf_gt(area2, vf_zero());
		const vf distance2 = vf_div(vf_mul(volume, vf_abs(volume)), vf_select(has_area, area2, vf_set(1.0f)));
		depth2 = i == 0 ? distance2 : vf_min(depth2, distance2);
	}
	return depth2;
}

/* The id of the vertex, among the first `count` of each lane's polytope, that makes with the face v the tetrahedron in which
 * the origin lies deepest, seen along its sides: with it the next query of the pair finds the overlap and this face at once.
 * The face's first vertex if no tetrahedron has a good height; 0 in lanes without vertices. */
WP_NOINLINE vi wp_epa_apex(const wp_polytopes *p, vi count, const wp_vertex v[3], vf3 n, vf nearest)
{
	const vf enough = vf_sub(nearest, vf_set(WP_EPA_APEX_HEIGHT));
	const int32_t top = vi_top(count);
	vf best = vf_zero();
	vi id = vi_select(vi_gt(count, vi_zero()), v[0].id, vi_zero());
	for (int32_t slot = 0; slot < top; slot++) {
		const wp_vertex apex = wp_polytope_vertex(p, vi_set(slot));
		const vf3 w[4] = {v[0].w, v[1].w, v[2].w, apex.w};
		const vm high = vm_and(vf_lt(vf3_dot(n, apex.w), enough), vi_gt(count, vi_set(slot)));
		/* Few lanes close at a time, and three of their vertices are the face's. */
		if (!vm_any(high))
			continue;
		const vf depth = wp_depth_within_sides(w);
		const vm deeper = vm_and(high, vf_gt(depth, best));
		best = vf_select_evenly(deeper, depth, best);
		id = vi_select_evenly(deeper, apex.id, id);
	}
	return id;
}

/* The squared distance from the origin to the longest side of a triangle. */
WP_INLINE vf wp_longest_side_distance2(const wp_vertex v[3])
{
	vf longest2 = vf_set(-1.0f), distance2 = vf_zero();
	for (int i = 0; i < 3; i++) {
		const vf3 p = v[i].w, e = vf3_sub(v[(i + 1) % 3].w, p);
		const vf length2 = vf3_dot(e, e), zero = vf_zero(), one = vf_set(1.0f);
		const vf t = vf_div(vf_neg(vf3_dot(p, e)), vf_select(vf_gt(length2, zero), length2, one));
		const vf3 nearest = vf3_add(p, vf3_scale(e, vf_min(vf_max(t, zero), one)));
		const vm longer = vf_gt(length2, longest2);
		longest2 = vf_select(longer, length2, longest2);
		distance2 = vf_select(longer, vf3_dot(nearest, nearest), distance2);
	}
	return distance2;
}

/* Closed lanes whose nearest face proves nothing: the nearest was chosen of the faces that have a normal, and one of
 * the others, which are as thin as rounding, comes as near to the origin. The origin may be nearer to that one, or even
 * outside of it, where a corner of the polytope is cut off that its neighbours make without it. */
WP_INLINE uint32_t wp_epa_unproven(const wp_polytopes *p, const wp_epa *e)
{
	const vf limit = vf_add(vf_max(e->result_nearest, vf_zero()), vf_set(WP_EPA_THIN_REACH));
	const vf limit2 = vf_mul(limit, limit), none = vf_set(WP_NO_FACE);
	const vi count = vi_select(vm_from_bits(e->closed), e->face_count, vi_zero());
	const int32_t top = vi_top(count);
	uint32_t unproven = 0;
	/* Mostly no face is thin, not even one that a slot behind those in use still has. */
#if WP_ONE_LANE_QUADS
	if (!wp_has_large(p->rank, top, WP_NO_FACE))
		return 0;
#elif !WP_WASM
	vf largest = vf_zero();
	for (int32_t slot = 0; slot < top; slot++)
		largest = vf_max(vf_load(p->rank + slot * WP_WIDTH), largest);
	if (!vm_any(vf_ge(largest, none)))
		return 0;
#endif
	for (int32_t slot = 0; slot < top; slot++) {
		const vm thin = vm_and(vf_ge(vf_load(p->rank + slot * WP_WIDTH), none), vi_gt(count, vi_set(slot)));
		if (!vm_any(thin))
			continue;
		wp_vertex v[3];
		wp_face_vertices(p, vi_set(slot), v);
		unproven |= vm_bits(vm_and(thin, vf_not_gt(wp_longest_side_distance2(v), limit2)));
	}
	return unproven;
}

/* The length of the longest vertex of each lane's polytope, squared. */
WP_INLINE vf wp_longest_vertex2(const wp_polytopes *p, vi count)
{
	vf longest2 = vf_zero();
	for (int32_t slot = 0; slot < vi_top(count); slot++) {
		const vf3 w = wp_polytope_vertex(p, vi_set(slot)).w;
		longest2 = vf_select(vi_gt(count, vi_set(slot)), vf_max(vf3_dot(w, w), longest2), longest2);
	}
	return longest2;
}

/* How far a point is from the planes of the faces, at least. */
WP_INLINE vf wp_room_around(const wp_polytopes *p, vi count, vf3 point)
{
	vf room = vf_set(WP_NO_FACE);
	for (int32_t slot = 0; slot < vi_top(count); slot++) {
		const vf4 plane = vf4_row_load(p->plane, slot);
		const vf rank = vf_load(p->rank + slot * WP_WIDTH);
		const vf height = vf_sub(rank, vf3_dot((vf3){plane.x, plane.y, plane.z}, point));
		const vm is_face = vm_and(vi_gt(count, vi_set(slot)), vf_lt(rank, vf_set(WP_NO_FACE)));
		room = vf_select(is_face, vf_min(height, room), room);
	}
	return room;
}

/* How far outside the origin of the closed lanes may be where the nearest face is below it by less than rounding. */
WP_INLINE vf wp_epa_outside(const wp_polytopes *p, const wp_epa *e, vf rounding)
{
	const vf quarter = vf_set(0.25f), zero = vf_zero();
	vf3 middle = vf3_zero();
	for (int32_t slot = 0; slot < 4; slot++)
		middle = vf3_add(middle, vf3_scale(wp_polytope_vertex(p, vi_set(slot)).w, quarter));
	const vi count = vi_select(vm_from_bits(e->closed), e->face_count, vi_zero());
	const vf room = vf_sub(wp_room_around(p, count, middle), rounding);
	const vf doubt = vf_max(vf_sub(rounding, e->result_nearest), zero);
	const vm has_room = vf_gt(room, zero);
	const vf share = vf_div(doubt, vf_select(has_room, vf_add(room, doubt), vf_set(1.0f)));
	const vf outside = vf_mul(share, vf3_length(middle));
	/* Further out thin faces may be in the way. */
	return vf_select(vm_and(has_room, vf_lt(outside, vf_set(WP_GJK_TOUCH))), outside, vf_set(WP_DEPTH_MAX));
}

/* Upper bound of the separation of the closed lanes, whose nearest faces are v. */
WP_INLINE vf wp_epa_upper(const wp_polytopes *p, const wp_epa *e, const wp_vertex v[3])
{
	const vf nearest = e->result_nearest, upper = vf_neg(nearest);
	const vm shallow = vf_not_gt(nearest, vf_set(WP_HEIGHT_ROUNDING * WP_VERTEX_REACH));
	if ((vm_bits(shallow) & e->closed) == 0)
		return upper;
	const vf longest2 = wp_longest_vertex2(p, vi_select(vm_from_bits(e->closed), e->vertex_count, vi_zero()));
	const vf rounding = vf_mul(vf_set(WP_HEIGHT_ROUNDING), vf_sqrt(longest2));
	const vf3 corner[3] = {v[0].w, v[1].w, v[2].w};
	const vi three = vi_set(3);
	vf weight[3];
	wp_feature_weights_called(corner, &three, weight);
	const vf3 point = vf3_add(
		vf3_add(vf3_scale(corner[0], weight[0]), vf3_scale(corner[1], weight[1])), vf3_scale(corner[2], weight[2]));
	const vf outside = vf_min(wp_epa_outside(p, e, rounding), vf3_length(point));
	return vf_select(vf_gt(nearest, rounding), upper, outside);
}

/* Hand the closed lanes over to the jobs, many at a time. */
WP_INLINE void wp_epa_put(wp_jobs *jobs, wp_lanes *lanes, wp_epa *e, const wp_polytopes *p, const wp_points_a *points)
{
	const uint32_t unproven = wp_epa_unproven(p, e);
	if (unproven) {
		wp_epa_give_up(jobs, lanes, e->steps, unproven);
		e->closed &= ~unproven;
		if (e->closed == 0)
			return;
	}
	wp_vertex v[3];
	vi slot = e->result_slot;
	wp_epa_result_face(e, p, v);
	const uint32_t outside = vm_bits(vf_lt(wp_containment(v, e->result_n), vf_set(-WP_EPA_OUTSIDE))) & e->closed;
	if (outside)
		wp_containing_face(jobs->terms, p, e, outside, e->result_n, e->result_nearest, &slot, v);
	if (jobs->polytopes != NULL)
		WP_POLYTOPE_TABLE.keep(p, &e->face_count, e->closed, jobs, lanes, &slot);
	if (jobs->cache != NULL && !jobs->terms->smooth)
		wp_lanes_put_int(lanes, e->closed, jobs->vertex[3],
			wp_epa_apex(
				p, vi_select(vm_from_bits(e->closed), e->vertex_count, vi_zero()), v, e->result_n, e->result_nearest));

	WP_VECTOR_ALIGN float nx[WP_WIDTH], ny[WP_WIDTH], nz[WP_WIDTH], lower[WP_WIDTH], upper[WP_WIDTH];
	WP_VECTOR_ALIGN int32_t steps[WP_WIDTH];
	wp_kept_vertices kept;
	vf3_store(nx, ny, nz, e->result_n);
	vf_store(lower, vf_neg(e->result_depth));
	vf_store(upper, wp_epa_upper(p, e, v));
	vi_store(steps, e->steps);
	for (int i = 0; i < 3; i++)
		wp_keep_vertex(&kept, jobs->terms, i, v[i]);
	for (uint32_t m = e->closed; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const int32_t job = lanes->job[lane];
		jobs->direction[0][job] = nx[lane];
		jobs->direction[1][job] = ny[lane];
		jobs->direction[2][job] = nz[lane];
		jobs->core_lower[job] = lower[lane];
		jobs->core_upper[job] = upper[lane];
		for (int i = 0; i < 3; i++)
			wp_give_vertex(jobs, job, i, &kept, lane, points);
		jobs->vertex_count[job] = 3;
		jobs->state[job] = WP_JOB_DEPTH;
		jobs->epa_steps[job] = steps[lane];
	}
	e->closed = 0;
}

/* Start in the lanes just filled. */
WP_INLINE void wp_epa_take(wp_epa *e, const wp_jobs *jobs, wp_scratch *scratch, const wp_move *m, const wp_start *start)
{
	wp_polytopes_take(&scratch->polytopes, m, start);
	if (jobs->terms->smooth)
		wp_points_take(&scratch->points_a, m, start);
	e->face_count = vi_select(m->lanes, vi_set(4), e->face_count);
	e->vertex_count = vi_select(m->lanes, vi_set(4), e->vertex_count);
	e->depth = vf_select(m->lanes, vf_set(WP_NO_FACE), e->depth);
	e->steps = vi_select(m->lanes, vi_zero(), e->steps);
}

/* Expand the polytopes of all live lanes to w; lanes where that cannot be done are given up. */
WP_INLINE void wp_epa_expand(
	wp_epa *e, wp_jobs *jobs, wp_lanes *lanes, wp_polytopes *p, int32_t rows, vi chosen, wp_vertex w)
{
	wp_horizon h;
	/* One lane has bits for the vertices of a polytope that is not full. */
	if (WP_WIDTH == 1 && vm_any(vi_gt(e->vertex_count, vi_set(jobs->terms->vertex_max - 1)))) {
		wp_epa_give_up(jobs, lanes, e->steps, lanes->live);
		return;
	}
	wp_face_set visible = wp_visible_faces(p, vm_from_bits(lanes->live), rows, e->face_count, w.w);
	vm loop = vm_false();
	/* Twice where a horizon is torn: in a loop, so that this code is there once. */
	for (int look = 0; look < 2; look++) {
		loop = wp_find_horizon(p, rows, visible, &h);
		const uint32_t torn = lanes->live & ~vm_bits(loop);
		if (torn == 0)
			break;
		wp_face_set connected = visible;
		wp_keep_connected(p, torn, &chosen, &connected);
		visible = connected;
	}
	const vi faces = vi_add(e->face_count, vi_sub(h.count, h.face_count));
	const vm full = vm_or(
		vi_gt(faces, vi_set(jobs->terms->face_max)), vi_gt(e->vertex_count, vi_set(jobs->terms->vertex_max - 1)));
	const uint32_t failed = lanes->live & ~vm_bits(vm_andnot(loop, full));
	if (failed)
		wp_epa_give_up(jobs, lanes, e->steps, failed);
	/* New faces are in slots before `end`. Most polytopes have few faces, so that most slots need no numbers. */
	const int32_t most = rows + h.top, end = most < jobs->terms->face_max ? most : jobs->terms->face_max;
	if (WP_WIDTH > 1 && end > e->clean)
		e->clean = wp_polytopes_clear(p, e->clean, end);
	wp_close_horizon(p, &h, vm_from_bits(lanes->live), w, &e->face_count, &e->vertex_count);
}

/* The support that the polytopes are expanded to. With a smooth core it is named by the slot it will have. */
WP_INLINE wp_vertex wp_epa_support(
	const wp_epa *e, const wp_lanes *lanes, int kind_a, int kind_b, vf3 n, wp_points_a *points)
{
	vf3 a;
	wp_vertex w = wp_support(lanes, lanes->live, kind_a, kind_b, n, &a);
	if (wp_is_smooth(kind_a, kind_b)) {
		const vi slot = e->vertex_count;
		wp_put_point_a(points, lanes->live, &slot, &a);
		w.id = slot;
	}
	return w;
}

/* One expansion of all lanes; finished ones leave. */
WP_INLINE void wp_epa_step(wp_epa *e, wp_jobs *jobs, wp_lanes *lanes, wp_scratch *scratch, int kind_a, int kind_b)
{
	wp_polytopes *const p = &scratch->polytopes;
	const bool smooth = wp_is_smooth(kind_a, kind_b);
	const vm live = vm_from_bits(lanes->live);
	const int32_t rows = vi_top(vi_select(live, e->face_count, vi_zero()));
	vi slot;
	vf3 n;
	vf top;
	const vf nearest = wp_nearest_face(p, rows, e->face_count, &slot, &n, &top);
	const wp_vertex w = wp_epa_support(e, lanes, kind_a, kind_b, n, &scratch->points_a);
	e->steps = vi_select(live, vi_add(e->steps, vi_set(1)), e->steps);

	/* The support plane bounds the depth from above, the nearest face from below. */
	const vf reach = vf3_dot(n, w.w);
	const vm has_face = vf_lt(nearest, vf_set(WP_NO_FACE));
	const vm better = vm_and(vf_lt(reach, e->depth), has_face);
	e->depth = vf_select_evenly(better, reach, e->depth);
	e->n = vf3_select_evenly(better, n, e->n);
	const vf bound = smooth ? reach : e->depth;
	/* A polytope around a smooth core that is full is good enough where its bracket is nearly as narrow. A support plane no
	 * further out than the face itself leaves nothing to expand to, however the face is turned. */
	const vm full = smooth ? vi_gt(e->vertex_count, vi_set(jobs->terms->vertex_max - 1)) : vm_false();
	const vf tolerance = vf_set(jobs->terms->depth_tolerance);
	const vf allowed = smooth ? vf_select(full, vf_set(jobs->terms->full_tolerance), tolerance) : tolerance;
	const vm narrow = vf_not_gt(vf_sub(bound, nearest), allowed);
	const vm closed = vm_and(has_face, vm_or(narrow, vf_not_gt(reach, top)));
	wp_epa_close(jobs->terms, smooth, e, lanes, vm_and(closed, live), slot, n, reach, nearest);

	/* Only faces without a height are left: nothing to expand. */
	const uint32_t failed = lanes->live & ~vm_bits(has_face);
	if (failed)
		wp_epa_give_up(jobs, lanes, e->steps, failed);
	if (lanes->live)
		wp_epa_expand(e, jobs, lanes, p, rows, slot, w);
}

WP_INLINE void wp_epa_clear(wp_epa *e)
{
	e->face_count = e->vertex_count = e->steps = e->result_slot = vi_zero();
	e->depth = e->result_depth = e->result_nearest = vf_zero();
	e->n = e->result_n = vf3_zero();
	e->clean = 0;
	e->closed = 0;
}

/* Put jobs into the stage, with start tetrahedra; those too flat for one are given up. */
WP_INLINE void wp_epa_stage(wp_jobs *jobs, wp_lanes *stage, const int32_t *list, uint32_t total, uint32_t *next,
	int kind_a, int kind_b, wp_points_a *points, wp_start *start)
{
	wp_lanes_stage(stage, jobs, list, total, next, kind_a, kind_b);
	vm flat;
	wp_tetrahedron t;
	wp_start_tetrahedron(jobs, stage, kind_a, kind_b, stage->live, points, &t, &flat);
	wp_start_of(jobs->terms, &t, points, start);
	if (vm_any(flat))
		wp_epa_give_up(jobs, stage, vi_zero(), vm_bits(flat));
}

/* EPA on the jobs in `list`, which GJK left inside. */
WP_NOINLINE void wp_epa_run(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, int kind_a,
	int kind_b, wp_kernel_work *work)
{
	wp_lanes lanes, stage;
	wp_epa e;
	wp_start start;
	uint32_t next = 0;
	if (total == 0)
		return;
	wp_epa_clear(&e);
	if (WP_WIDTH > 1)
		e.clean = wp_polytopes_start(&scratch->polytopes);
	wp_lanes_open(&lanes, scratch->hulls, jobs, list, total, kind_a, kind_b);
	wp_stage_open(&stage, &lanes, scratch->staged_hulls);
	for (;;) {
		/* Closed lanes wait for each other while no job waits for them. */
		const bool has_more = stage.live != 0 || next < total;
		if (e.closed != 0 && (lanes.live == 0 || (has_more && wp_lanes_want_refill(&lanes))))
			wp_epa_put(jobs, &lanes, &e, &scratch->polytopes, &scratch->points_a);
		while (wp_lanes_want_refill(&lanes) && (stage.live != 0 || next < total)) {
			if (stage.live == 0)
				wp_epa_stage(jobs, &stage, list, total, &next, kind_a, kind_b, &scratch->staged_points_a, &start);
			const wp_move m = wp_lanes_take(&lanes, &stage, kind_a, kind_b);
			wp_epa_take(&e, jobs, scratch, &m, &start);
		}
		if (lanes.live == 0)
			break;
		work->lanes_issued += WP_WIDTH;
		work->lanes_live += wp_live_count(&lanes);
		wp_epa_step(&e, jobs, &lanes, scratch, kind_a, kind_b);
	}
}

#endif
