/* GJK, one pair per lane: distance of the origin from the Minkowski difference A - B.
 *
 * Gilbert, Johnson, Keerthi 1988; van den Bergen 2003, ch. 4. Search directions come from feature
 * normals, never from the weighted nearest point, and are unit: then -n . w of a support vertex bounds
 * the separation from below and the distance of the simplex from above, and both bounds decide. */
#ifndef WP_WIDE_SEARCH_GJK_H
#define WP_WIDE_SEARCH_GJK_H

#include "wide/job/prepare.h"
#include "wide/job/refill.h"
#include "wide/search/recall.h"

typedef struct wp_gjk {
	wp_simplex simplex;
	vf3 n;    /* search direction, from the simplex to the origin, from A to B */
	vf upper; /* distance of the simplex from the origin */
	vf lower; /* best lower bound so far, and its direction */
	vf3 lower_n;
	vf limit;  /* a lower bound above it ends the search: proven far enough apart */
	vf enough; /* an upper bound below it ends the search: proven near enough */
	vi steps;
} wp_gjk;

/* Why lanes end in a step; `moved`: with the new feature. */
typedef struct wp_gjk_exit {
	vm beyond, inside, touching, capped, moved;
} wp_gjk_exit;

/* Dead lanes compute on too; this gives those that never lived numbers to compute on. */
WP_INLINE void wp_gjk_clear(wp_gjk *g)
{
	for (int i = 0; i < 3; i++)
		g->simplex.v[i] = wp_vertex_zero();
	g->simplex.size = vi_zero();
	g->n = g->lower_n = vf3_zero();
	g->upper = g->lower = g->limit = g->enough = vf_zero();
	g->steps = vi_zero();
}

WP_INLINE vf wp_enough_of(const wp_jobs *jobs, vf radii)
{
	return wp_query_enough(jobs->query, radii, jobs->terms->kernel_rounding);
}

/* Where GJK looks first when nothing is known. */
WP_INLINE vf3 wp_gjk_first_of(const wp_jobs *jobs, const wp_lanes *stage)
{
	return wp_lanes_numbers(stage, jobs->direction[0], jobs->direction[1], jobs->direction[2]);
}

/* What GJK starts with: the first support vertex. */
typedef struct wp_gjk_start {
	wp_vertex v;
	vf3 a;
	vf3 n, to_origin;
	vf upper, lower;
	vf limit, enough;
} wp_gjk_start;

/* Where it looks: `first`, of any length. */
WP_INLINE vf3 wp_gjk_look(vf3 first) { return vf3_unit(first, vf3_up()); }

/* With the support v along n, over the point a. */
WP_INLINE wp_gjk_start wp_gjk_start_of(const wp_jobs *jobs, const wp_lanes *stage, vf3 n, wp_vertex v, vf3 a)
{
	wp_gjk_start s = {.v = v, .a = a, .n = n};
	s.to_origin = vf3_unit(vf3_neg(s.v.w), s.n);
	s.upper = vf3_length(s.v.w);
	s.lower = vf_neg(vf3_dot(s.n, s.v.w));

	const vf radii = wp_radii_of(stage->scale, stage->radius_a, stage->radius_b);
	s.limit = wp_limit_of(jobs, jobs->terms, stage->scale, radii);
	s.enough = wp_enough_of(jobs, radii);
	return s;
}

/* Start in the lanes just filled. Those had nothing to keep in the row of the step before. */
WP_INLINE void wp_gjk_take(
	wp_gjk *g, bool smooth, const wp_move *m, const wp_gjk_start *s, wp_points_a *points, int32_t row)
{
	wp_move_vertex(m, &s->v, &g->simplex.v[0]);
	if (smooth) {
		const float *const at = wp_point_row(points, row);
		wp_keep_points(points, row, vf3_moved(m, &s->a, vf3_load(at, at + WP_WIDTH, at + 2 * WP_WIDTH)));
		g->simplex.v[0].id = vi_select(m->lanes, vi_set(row), g->simplex.v[0].id);
	}
	g->simplex.size = vi_select(m->lanes, vi_set(1), g->simplex.size);
	g->n = vf3_moved(m, &s->to_origin, g->n);
	g->lower_n = vf3_moved(m, &s->n, g->lower_n);
	g->upper = vf_moved(m, &s->upper, g->upper);
	g->lower = vf_moved(m, &s->lower, g->lower);
	g->limit = vf_moved(m, &s->limit, g->limit);
	g->enough = vf_moved(m, &s->enough, g->enough);
	g->steps = vi_select(m->lanes, vi_set(1), g->steps);
}

/* Whether the support vertex is one the simplex has: then the simplex holds the nearest point. */
WP_INLINE vm wp_gjk_is_repeat(bool smooth, const wp_simplex *s, wp_vertex w)
{
	const vm second = vm_and(wp_vertex_is(smooth, w, s->v[1]), vi_gt(s->size, vi_set(1)));
	const vm third = vm_and(wp_vertex_is(smooth, w, s->v[2]), vi_gt(s->size, vi_set(2)));
	return vm_or(wp_vertex_is(smooth, w, s->v[0]), vm_or(second, third));
}

/* What lanes hand over to their jobs. */
typedef struct wp_gjk_left {
	WP_VECTOR_ALIGN float n[3][WP_WIDTH], lower[WP_WIDTH], upper[WP_WIDTH];
	WP_VECTOR_ALIGN int32_t job[WP_WIDTH], size[WP_WIDTH], state[WP_WIDTH], status[WP_WIDTH], steps[WP_WIDTH];
	wp_kept_vertices vertices;
} wp_gjk_left;

WP_NOINLINE void wp_gjk_give(wp_jobs *jobs, uint32_t out, const wp_gjk_left *left, const wp_points_a *points)
{
	for (uint32_t m = out; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const int32_t job = left->job[lane];
		jobs->direction[0][job] = left->n[0][lane];
		jobs->direction[1][job] = left->n[1][lane];
		jobs->direction[2][job] = left->n[2][lane];
		jobs->core_lower[job] = left->lower[lane];
		jobs->core_upper[job] = left->upper[lane];
		for (int i = 0; i < 3; i++)
			wp_give_vertex(jobs, job, i, &left->vertices, lane, points);
		jobs->vertex_count[job] = left->size[lane];
		jobs->state[job] = left->state[lane];
		jobs->status[job] = left->status[lane];
		jobs->gjk_steps[job] = left->steps[lane];
	}
}

/* Hand the lanes `out` over to the jobs. The search itself is handed to no function, so that it is kept in registers. */
WP_INLINE void wp_gjk_put(wp_jobs *jobs, const wp_lanes *lanes, uint32_t out, const wp_gjk *g,
	const wp_simplex *simplex, vf upper, vi size, vf3 n, vf lower, vi state, vi status, const wp_points_a *points)
{
	wp_gjk_left left;
	vf3_store(left.n[0], left.n[1], left.n[2], n);
	vf_store(left.lower, lower);
	vf_store(left.upper, upper);
	for (int i = 0; i < 3; i++)
		wp_keep_vertex(&left.vertices, jobs->terms, i, simplex->v[i]);
	vi_store(left.job, vi_load(lanes->job));
	vi_store(left.size, size);
	vi_store(left.state, state);
	vi_store(left.status, status);
	vi_store(left.steps, g->steps);
	wp_gjk_give(jobs, out, &left, points);
}

WP_INLINE void wp_gjk_give_fourth(
	wp_jobs *jobs, const wp_lanes *lanes, uint32_t out, wp_vertex v, const wp_points_a *points)
{
	wp_kept_vertices kept;
	WP_VECTOR_ALIGN int32_t job[WP_WIDTH];
	wp_keep_vertex(&kept, jobs->terms, 3, v);
	vi_store(job, vi_load(lanes->job));
	wp_give_fourth(jobs, job, out, &kept, points);
}

/* Lanes that their best lower bound proves far enough apart are handed over and leave. */
WP_INLINE void wp_gjk_leave_beyond(
	wp_jobs *jobs, wp_lanes *lanes, uint32_t out, const wp_gjk *g, const wp_points_a *points)
{
	wp_gjk_put(jobs, lanes, out, g, &g->simplex, g->upper, g->simplex.size, g->lower_n, g->lower, vi_set(WP_JOB_BEYOND),
		vi_zero(), points);
	lanes->live &= ~out;
}

/* So do lanes of the stage by their first support: most pairs of a batch that are apart need no second one. */
WP_INLINE void wp_gjk_leave_at_start(
	wp_jobs *jobs, wp_lanes *stage, const wp_gjk_start *s, bool smooth, wp_points_a *points)
{
	const uint32_t out = vm_bits(vf_gt(s->lower, s->limit)) & stage->live;
	if (!out)
		return;
	const wp_gjk g = {.simplex = {.v = {wp_keep_support(smooth, s->v, s->a, points, 0)}, .size = vi_set(1)},
		.upper = s->upper,
		.lower = s->lower,
		.lower_n = s->n,
		.steps = vi_set(1)};
	wp_gjk_leave_beyond(jobs, stage, out, &g, points);
}

/* Lanes that end in a step, in which their best support vertex had the bound `lower`, are handed over and leave: those that
 * touch with the new feature, all others with the one before. */
WP_INLINE void wp_gjk_leave(const wp_gjk *g, wp_jobs *jobs, wp_lanes *lanes, uint32_t out, const wp_gjk_exit *exit,
	wp_vertex w, vf lower, const wp_simplex_step *next, const wp_points_a *points)
{
	const vm inside = exit->inside, beyond = exit->beyond;
	vf upper = vf_select(exit->moved, next->upper, g->upper);
	/* The tetrahedron's fourth vertex, for EPA. */
	const uint32_t out_inside = out & vm_bits(vm_andnot(inside, beyond));
	if (out_inside)
		wp_gjk_give_fourth(jobs, lanes, out_inside, w, points);
	/* Other queries find a common point or a depth, whether the tetrahedron is in doubt or not. */
	if (out_inside && jobs->query == WP_QUERY_OVERLAP) {
		const vm surely = wp_surely_holds(&g->simplex, w.w);
		upper = vf_select(inside, vf_select(surely, vf_zero(), vf_set(WP_DEPTH_MAX)), upper);
	}

	/* The feature's own normal is the better one unless its bound is the worse one: with a smooth core points lie far off
	 * another normal, by the root of what the bounds differ by. A simplex on the origin with a bound that proves it already
	 * is a touch; otherwise EPA finds the depth. */
	const vf slack = vf_set(WP_GJK_SLACK);
	const vm own = vm_andnot(vf_ge(vf_add(lower, vf_set(jobs->terms->gap_slack)), g->lower), beyond);
	const vm is_inside = vm_andnot(
		vm_or(inside, vm_and(exit->touching, vf_gt(vf_sub(upper, g->lower), slack))), beyond);
	const vi state = vi_select(
		beyond, vi_set(WP_JOB_BEYOND), vi_select(is_inside, vi_set(WP_JOB_INSIDE), vi_set(WP_JOB_GAP)));
	const vi status = vi_select(exit->capped, vi_set(WP_JOB_ITERATION_CAP), vi_zero());
	const vf3 n = vf3_select(own, g->n, g->lower_n);
	const vf proven = vf_select(own, lower, g->lower);
	/* Few lanes touch: they are handed over again, where that is not too much code. */
	const bool at_once = WP_WIDTH == 1 || WP_WASM;
	const uint32_t out_moved = out & vm_bits(exit->moved);
	wp_simplex left = g->simplex;
	if (at_once)
		wp_simplex_move(&left, exit->moved, w, next);
	wp_gjk_put(
		jobs, lanes, out, g, &left, upper, vi_select(inside, vi_set(4), left.size), n, proven, state, status, points);
	if (!at_once && out_moved) {
		wp_simplex_move(&left, vm_all(), w, next);
		wp_gjk_put(jobs, lanes, out_moved, g, &left, upper, left.size, n, proven, state, status, points);
	}
	lanes->live &= ~out;
}

/* One step of all lanes; finished ones leave. */
WP_INLINE void wp_gjk_step(
	wp_gjk *g, wp_jobs *jobs, wp_lanes *lanes, int kind_a, int kind_b, wp_points_a *points, int32_t row)
{
	const bool smooth = wp_is_smooth(kind_a, kind_b);
	vf3 a;
	const wp_vertex v = wp_support(lanes, lanes->live, kind_a, kind_b, g->n, &a);
	const wp_vertex w = wp_keep_support(smooth, v, a, points, row);
	const vf lower = vf_neg(vf3_dot(g->n, w.w));
	const vm rose = vf_gt(lower, g->lower);
	g->lower = vf_max(lower, g->lower);
	g->lower_n = vf3_select_evenly(rose, g->n, g->lower_n);
	g->steps = vi_add(g->steps, vi_set(1));

	const vf tolerance = vf_set(jobs->terms->gap_tolerance);
	const vm beyond = vf_gt(g->lower, g->limit);
	/* Settled by this direction's own bound only: an older one may be as good a bound, but the witness
	 * points would not lie along it. */
	const vm settled = vm_or(vm_or(wp_gjk_is_repeat(smooth, &g->simplex, w), vf_lt(g->upper, g->enough)),
		vf_not_gt(vf_sub(g->upper, lower), tolerance));
	/* What follows counts only in lanes that go on, or end inside. */
	const vm passed = vf_le(lower, vf_zero()), is_over = vm_or(settled, vm_andnot(beyond, passed));
	wp_simplex_step next = {.size = g->simplex.size};
	if (WP_WIDTH > 1 || !vm_any(is_over))
		next = wp_simplex_next(&g->simplex, w, g->n, passed);
	const vm inside = vm_andnot(next.inside, settled);
	const vm touching = vm_andnot(
		vm_or(next.touching, vf_le(next.upper, vf_set(WP_GJK_TOUCH))), vm_or(settled, inside));

	/* No progress: the distance did not fall and the bound did not rise, or the distance rose. The new
	 * vertex then stays out of the simplex. */
	const vm fell = vf_lt(next.upper, g->upper);
	const vm rebound = vf_gt(next.upper, vf_add(g->upper, vf_set(jobs->terms->gap_rebound)));
	const vm stalled = vm_andnot(vm_or(vm_not(vm_or(fell, rose)), rebound), inside);
	const vm capped = vi_gt(g->steps, vi_set(WP_GJK_STEP_MAX));
	const vm stays = vm_or(vm_or(beyond, settled), vm_or(vm_andnot(stalled, touching), capped));
	const vm ends = vm_or(stays, vm_or(inside, touching));
	const uint32_t out = vm_bits(ends) & lanes->live;
	if (out) {
		const wp_gjk_exit exit = {beyond, inside, touching, capped, vm_not(vm_or(stays, inside))};
		wp_gjk_leave(g, jobs, lanes, out, &exit, w, lower, &next, points);
		if (WP_WIDTH == 1)
			return;
	}
	/* Lanes that left take the step too, so that those that stay do not wait for what decides that. */
	wp_simplex_move(&g->simplex, vm_all(), w, &next);
	g->n = next.direction;
	g->upper = next.upper;
}

/* ---- warm buckets ------------------------------------------------------------------------------- */

/* What the stage of a warm bucket has from its caches, and one support of it. */
typedef struct wp_warm {
	wp_vertex v[4];
	wp_recall recall;
	vm has_vertices, has_face; /* has_face: the nearest one of a tetrahedron or of a kept polytope, of a contact */
	vf nearest;                /* how deep the origin is then, at least */
	wp_gjk_start start; /* along the face's normal; of lanes without vertices along the axis, or as in cold ones */
} wp_warm;

WP_INLINE void wp_warm_look(wp_warm *s, const wp_jobs *jobs, wp_lanes *stage, int kind_a, int kind_b)
{
	wp_known known;
	wp_known_of(&known, jobs, stage, kind_a, kind_b);
	wp_known_vertices(&known, stage, kind_a, kind_b, s->v);
	wp_recall_of(&s->recall, s->v, known.count);
	s->has_vertices = vi_gt(known.count, vi_zero());
	s->has_face = jobs->query == WP_QUERY_CONTACT ? s->recall.is_nearest : vm_false();
	s->nearest = s->recall.upper;
	/* The normal then and the way to the origin now differ for the face of an overlap alone. */
	const vm within = vm_and(s->recall.in_face, vf_lt(vf3_dot(known.axis, s->recall.n), vf_zero()));
	const vm open = vm_andnot(within, s->recall.is_nearest);
	if (jobs->polytopes != NULL && (vm_bits(open) & stage->live) != 0) {
		vf depth;
		WP_POLYTOPE_TABLE.recall(&s->recall, jobs, stage, kind_a, kind_b, s->v, &depth);
		const vm proven = vm_and(open, vf_gt(depth, vf_zero()));
		s->nearest = vf_select(proven, depth, s->nearest);
		s->has_face = vm_or(s->has_face, proven);
	}

	const uint32_t all = stage->live;
	stage->live = all & vm_bits(vm_or(s->has_face, vm_not(s->has_vertices)));
	if (stage->live != 0) {
		const vm has_axis = vf_gt(vf3_dot(known.axis, known.axis), vf_zero());
		const vf3 first = vf3_select(has_axis, known.axis, wp_gjk_first_of(jobs, stage));
		const vf3 outwards = vf3_neg(s->recall.n);
		const vf3 n = wp_gjk_look(vf3_select(s->has_face, outwards, first));
		wp_vertex v;
		vf3 a;
		wp_support_called(stage, stage->live, kind_a, kind_b, &n, &v, &a);
		s->start = wp_gjk_start_of(jobs, stage, n, v, a);
	} else {
		const vf3 zero = vf3_zero();
		s->start = (wp_gjk_start){s->v[0], zero, zero, zero, vf_zero(), vf_zero(), vf_zero(), vf_zero()};
	}
	stage->live = all;
}

/* The state of GJK after that. No two cores overlap deeper than the lower bound of cores that have had no support. */
WP_INLINE void wp_gjk_start_from(wp_gjk *g, const wp_jobs *jobs, const wp_lanes *stage, const wp_warm *s)
{
	const vm warm = s->has_vertices;
	const wp_simplex *const simplex = &s->recall.simplex;
	g->simplex.v[0] = wp_vertex_select(warm, simplex->v[0], s->start.v);
	g->simplex.v[1] = simplex->v[1];
	g->simplex.v[2] = simplex->v[2];
	g->simplex.size = vi_select(warm, simplex->size, vi_set(1));
	g->n = vf3_select(warm, s->recall.n, s->start.to_origin);
	g->lower_n = vf3_select(warm, s->recall.n, s->start.n);
	g->upper = vf_select(warm, s->recall.upper, s->start.upper);
	g->lower = vf_select(warm, vf_set(-WP_DEPTH_MAX), s->start.lower);
	g->steps = vi_select(warm, vi_zero(), vi_set(1));
	const vf radii = wp_radii_of(stage->scale, stage->radius_a, stage->radius_b);
	g->limit = wp_limit_of(jobs, jobs->terms, stage->scale, radii);
	g->enough = wp_enough_of(jobs, radii);
}

/* Lanes of the stage with tetrahedra around the origin are handed over and leave, as do those with a proven depth. Where the
 * support along the nearest face's normal is as far as that face, it is the depth. */
WP_INLINE void wp_warm_leave_inside(wp_jobs *jobs, wp_lanes *stage, const wp_warm *s)
{
	const vf reach = vf_neg(s->start.lower), nearest = s->nearest;
	const vm proven = vm_and(s->has_face, vf_gt(nearest, vf_set(WP_HEIGHT_ROUNDING * WP_VERTEX_REACH)));
	const vm depth = vm_andnot(proven, vf_gt(vf_sub(reach, nearest), vf_set(jobs->terms->depth_tolerance)));
	const uint32_t out = vm_bits(vm_or(s->recall.inside, depth)) & stage->live;
	const wp_gjk g = {.simplex = {{s->v[0], s->v[1], s->v[2]}, vi_set(3)},
		.upper = vf_select(depth, vf_neg(nearest), vf_select(s->recall.surely, vf_zero(), nearest)),
		.steps = vi_select(s->has_face, vi_set(1), vi_zero())};
	const vf3 n = vf3_select(s->has_face, s->start.n, vf3_neg(s->recall.n));
	const vf lower = vf_select(s->has_face, s->start.lower, vf_set(-WP_DEPTH_MAX));
	wp_gjk_put(jobs, stage, out, &g, &g.simplex, g.upper, vi_select(depth, vi_set(3), vi_set(4)), n, lower,
		vi_select(depth, vi_set(WP_JOB_DEPTH), vi_set(WP_JOB_INSIDE)), vi_zero(), NULL);
	wp_gjk_give_fourth(jobs, stage, out, s->v[3], NULL);
	stage->live &= ~out;
}

/* Lanes that their axis proves far enough apart once more, or the first direction of those without one. */
WP_INLINE void wp_warm_leave_beyond(wp_jobs *jobs, wp_lanes *stage, const wp_warm *s, const wp_gjk *g)
{
	const vm beyond = vm_andnot(vf_gt(g->lower, g->limit), s->has_vertices);
	const uint32_t out = vm_bits(beyond) & stage->live;
	if (out)
		wp_gjk_leave_beyond(jobs, stage, out, g, NULL);
}

/* Start all lanes of the stage of a warm bucket. Those that this answers leave at once. Returns those that stay.
 * It is handed a copy of the stage, so that the one of cold buckets can be kept in registers. */
WP_NOINLINE uint32_t wp_gjk_start_warm(wp_gjk *g, wp_jobs *jobs, wp_lanes *stage, int kind_a, int kind_b)
{
	wp_warm s;
	wp_warm_look(&s, jobs, stage, kind_a, kind_b);
	if (vm_any(vm_or(s.recall.inside, s.has_face)))
		wp_warm_leave_inside(jobs, stage, &s);
	wp_gjk_start_from(g, jobs, stage, &s);
	wp_warm_leave_beyond(jobs, stage, &s, g);
	return stage->live;
}

/* Start in the lanes just filled, from all that the stage has. */
WP_INLINE void wp_gjk_take_warm(wp_gjk *g, const wp_move *m, const wp_gjk *s)
{
	for (int i = 0; i < 3; i++)
		wp_move_vertex(m, &s->simplex.v[i], &g->simplex.v[i]);
	g->simplex.size = vi_moved(m, &s->simplex.size, g->simplex.size);
	g->n = vf3_moved(m, &s->n, g->n);
	g->lower_n = vf3_moved(m, &s->lower_n, g->lower_n);
	g->upper = vf_moved(m, &s->upper, g->upper);
	g->lower = vf_moved(m, &s->lower, g->lower);
	g->limit = vf_moved(m, &s->limit, g->limit);
	g->enough = vf_moved(m, &s->enough, g->enough);
	g->steps = vi_moved(m, &s->steps, g->steps);
}

/* GJK on every job of the bucket. Caches name vertices, which smooth cores have none of: with one every bucket is cold. */
WP_INLINE void wp_gjk_run_of(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, int kind_a,
	int kind_b, wp_kernel_work *work)
{
	const bool smooth = wp_is_smooth(kind_a, kind_b), is_warm = jobs->cache != NULL && !smooth;
	wp_points_a *const points = &scratch->points_a;
	wp_lanes lanes, stage;
	wp_gjk g, warm;
	wp_gjk_start start;
	uint32_t next = 0;
	int32_t row = 0;
	wp_gjk_clear(&g);
	wp_lanes_open(&lanes, scratch->hulls, jobs, list, total, kind_a, kind_b);
	wp_stage_open(&stage, &lanes, scratch->staged_hulls);
	for (;;) {
		while (wp_lanes_want_refill(&lanes) && (stage.live != 0 || next < total)) {
			if (stage.live == 0) {
				wp_lanes_stage(&stage, jobs, list, total, &next, kind_a, kind_b);
				if (is_warm) {
					wp_lanes known = stage;
					stage.live = wp_gjk_start_warm(&warm, jobs, &known, kind_a, kind_b);
				} else {
					const vf3 n = wp_gjk_look(wp_gjk_first_of(jobs, &stage));
					vf3 a;
					const wp_vertex v = wp_support(&stage, stage.live, kind_a, kind_b, n, &a);
					start = wp_gjk_start_of(jobs, &stage, n, v, a);
					wp_gjk_leave_at_start(jobs, &stage, &start, smooth, &scratch->staged_points_a);
				}
				if (stage.live == 0)
					continue;
			}
			const wp_move m = wp_lanes_take(&lanes, &stage, kind_a, kind_b);
			if (is_warm)
				wp_gjk_take_warm(&g, &m, &warm);
			else
				wp_gjk_take(&g, smooth, &m, &start, points, row);
		}
		if (lanes.live == 0)
			break;
		work->lanes_issued += WP_WIDTH;
		work->lanes_live += wp_live_count(&lanes);
		row = smooth && row + 1 < WP_POINT_ROWS ? row + 1 : 0;
		wp_gjk_step(&g, jobs, &lanes, kind_a, kind_b, points, row);
	}
}

WP_NOINLINE void wp_gjk_run_boxes(
	wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, wp_kernel_work *work)
{
	wp_gjk_run_of(jobs, list, total, scratch, WP_CORE_BOX, WP_CORE_BOX, work);
}

WP_NOINLINE void wp_gjk_run_hulls(
	wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, wp_kernel_work *work)
{
	wp_gjk_run_of(jobs, list, total, scratch, WP_CORE_HULL, WP_CORE_HULL, work);
}

WP_NOINLINE void wp_gjk_run_any(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, int kind_a,
	int kind_b, wp_kernel_work *work)
{
	wp_gjk_run_of(jobs, list, total, scratch, kind_a, kind_b, work);
}

/* A search of boxes without calls takes 0.9 of the time; in one lane, one of hulls does. */
WP_INLINE void wp_gjk_run(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, int kind_a,
	int kind_b, wp_kernel_work *work)
{
	if (kind_a == WP_CORE_BOX && kind_b == WP_CORE_BOX)
		wp_gjk_run_boxes(jobs, list, total, scratch, work);
	else if (WP_WIDTH == 1 && kind_a == WP_CORE_HULL && kind_b == WP_CORE_HULL)
		wp_gjk_run_hulls(jobs, list, total, scratch, work);
	else
		wp_gjk_run_any(jobs, list, total, scratch, kind_a, kind_b, work);
}

#endif
