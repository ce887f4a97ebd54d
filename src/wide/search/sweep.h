/* Where a pair that does not turn first touches, one pair per lane: the ray of the origin, which moves as B does, against
 * the Minkowski difference.
 *
 * van den Bergen 2004, Ray casting against general convex objects with application to continuous collision detection: a
 * support plane between the origin and the difference clips the ray, and the search goes on from there. Rounding adds up
 * along the way, so what is found is a guess, for motion/sweep.c to prove. */
#ifndef WP_WIDE_SEARCH_SWEEP_H
#define WP_WIDE_SEARCH_SWEEP_H

#include "wide/search/recall.h"

/* Supports of one pair at most: pairs of hulls take 12 on average. A cylinder that meets another shape at a rim takes many
 * more, and a contact is found sooner from where it has come to. */
#define WP_SWEEP_STEP_MAX 40
#define WP_SWEEP_SMOOTH_STEP_MAX 24

/* A gap this small ends the search, in kernel units; of smooth cores, whose bracket closes slowly. */
#define WP_SWEEP_TOUCH WP_GJK_TOUCH
#define WP_SWEEP_SMOOTH_TOUCH (2.0f * WP_SMOOTH_TOLERANCE)

/* Radii above this, in kernel units, leave a gap between the cores that has a direction. */
#define WP_SWEEP_RADIUS_MIN 1e-5f

_Static_assert(WP_SWEEP_STEP_MAX + 1 < WP_POINT_ROWS, "each support has a row for its point of A");

/* When a search ends. */
typedef struct wp_sweep_end {
	vf touch;
	vi step_max;
} wp_sweep_end;

/* What is known of the lanes' pairs where B has come to. */
typedef struct wp_sweep {
	wp_simplex simplex; /* vertices are named by the rows of their points of A */
	vf3 n;              /* search direction, unit */
	vf upper;           /* distance of the simplex from the origin */
	vf3 clip, plane;    /* normals of the plane that clipped the ray last, and of the one in the way now; zero: none */
	vf3 way;            /* the direction that B moves in, unit, in A's frame */
	vf left, radii;     /* how far it goes on; both radii: scaled */
	vi steps;
} wp_sweep;

/* What it starts with: the first support, along the line of the origins, over the point a. */
typedef struct wp_sweep_start {
	wp_vertex v;
	vf3 a, b, n, way;
	vf upper, left, radii;
} wp_sweep_start;

/* The points of both cores under the vertices: A's from A's position, B's from B's. Vertices are moved in each step, and
 * rounding adds up in them, in their points not. */
typedef struct wp_sweep_points {
	wp_points_a *a, *b;
} wp_sweep_points;

/* B's point, from B's position. */
WP_INLINE vf3 wp_sweep_point_b(const wp_lanes *lanes, wp_vertex v, vf3 a)
{
	return vf3_sub(vf3_sub(a, v.w), lanes->translation);
}

/* Dead lanes compute on too; this gives those that never lived numbers to compute on. */
WP_INLINE void wp_sweep_clear(wp_sweep *s)
{
	for (int i = 0; i < 3; i++)
		s->simplex.v[i] = wp_vertex_zero();
	s->simplex.size = s->steps = vi_zero();
	s->n = s->clip = s->plane = s->way = vf3_zero();
	s->upper = s->left = s->radii = vf_zero();
}

WP_INLINE void wp_sweep_look(wp_sweep_start *s, const wp_jobs *jobs, const wp_lanes *stage, int kind_a, int kind_b)
{
	const vf4 row = vf4_gather(jobs->way, stage->job_v);
	vf33 frame;
	for (int i = 0; i < 3; i++)
		frame.row[i] = vf3_gather(
			jobs->frame_a[3 * i], jobs->frame_a[3 * i + 1], jobs->frame_a[3 * i + 2], stage->job_v);
	const vf3 n = vf3_unit(stage->translation, vf3_up());
	wp_support_called(stage, stage->live, kind_a, kind_b, &n, &s->v, &s->a);
	s->way = vf33_apply_transposed(&frame, vf3_set(row.x, row.y, row.z));
	s->left = vf_mul(row.w, stage->scale);
	s->radii = wp_radii_of(stage->scale, stage->radius_a, stage->radius_b);
	s->b = wp_sweep_point_b(stage, s->v, s->a);
	s->upper = vf3_length(s->v.w);
	s->n = vf3_unit(vf3_neg(s->v.w), n);
}

WP_INLINE void wp_move_point(const wp_move *m, const vf3 *staged, wp_points_a *points, int32_t row)
{
	const float *const at = wp_point_row(points, row);
	wp_keep_points(points, row, vf3_moved(m, staged, vf3_load(at, at + WP_WIDTH, at + 2 * WP_WIDTH)));
}

/* Start in the lanes just filled. Those had nothing to keep in the row of the step before. */
WP_INLINE void wp_sweep_take(
	wp_sweep *s, const wp_move *m, const wp_sweep_start *start, const wp_sweep_points *points, int32_t row)
{
	wp_move_point(m, &start->a, points->a, row);
	wp_move_point(m, &start->b, points->b, row);
	wp_move_vertex(m, &start->v, &s->simplex.v[0]);
	s->simplex.v[0].id = vi_select(m->lanes, vi_set(row), s->simplex.v[0].id);
	s->simplex.size = vi_select(m->lanes, vi_set(1), s->simplex.size);
	s->steps = vi_select(m->lanes, vi_set(1), s->steps);
	s->n = vf3_moved(m, &start->n, s->n);
	s->way = vf3_moved(m, &start->way, s->way);
	s->upper = vf_moved(m, &start->upper, s->upper);
	s->left = vf_moved(m, &start->left, s->left);
	s->radii = vf_moved(m, &start->radii, s->radii);
	s->clip = vf3_select(m->lanes, vf3_zero(), s->clip);
	s->plane = vf3_select(m->lanes, vf3_zero(), s->plane);
}

/* ---- steps -------------------------------------------------------------------------------------- */

WP_INLINE wp_vertex wp_vertex_moved(wp_vertex v, vf3 shift) { return (wp_vertex){vf3_sub(v.w, shift), v.id}; }

/* Clip the ray by the support plane through w, where that is in the way, and move the pair there. Returns the lanes that
 * move; `ends` those whose ray never comes to the plane. */
WP_INLINE vm wp_sweep_clip(wp_sweep *s, wp_lanes *lanes, vf touch, wp_vertex *w, vm *ends)
{
	const vf gap = vf_sub(vf_neg(vf3_dot(s->n, w->w)), s->radii), closing = vf_neg(vf3_dot(s->n, s->way));
	const vm apart = vm_and(vm_from_bits(lanes->live), vf_gt(gap, touch));
	const vm reaches = vm_and(vf_gt(closing, vf_zero()), vf_lt(gap, vf_mul(closing, s->left)));
	const vm moves = vm_and(apart, reaches);
	const vf on = vf_select(moves, vf_div(gap, vf_select(moves, closing, vf_set(1.0f))), vf_zero());
	const vf3 shift = vf3_scale(s->way, on);
	s->plane = vf3_select(apart, s->n, s->plane);
	s->clip = vf3_select(moves, s->n, s->clip);
	s->left = vf_sub(s->left, on);
	lanes->translation = vf3_add(lanes->translation, shift);
	*w = wp_vertex_moved(*w, shift);
	for (int i = 0; i < 3; i++)
		s->simplex.v[i] = wp_vertex_moved(s->simplex.v[i], shift);
	*ends = vm_andnot(apart, reaches);
	return moves;
}

WP_INLINE void wp_sweep_move_to(wp_sweep *s, vm m, const wp_simplex *simplex, vf3 n, vf upper)
{
	for (int i = 0; i < 3; i++)
		s->simplex.v[i] = wp_vertex_select(m, simplex->v[i], s->simplex.v[i]);
	s->simplex.size = vi_select(m, simplex->size, s->simplex.size);
	s->n = vf3_select(m, n, s->n);
	s->upper = vf_select(m, upper, s->upper);
}

/* Where the origin has come to the feature nearest to it is one of the new vertex and the two newest ones. */
WP_NOINLINE void wp_sweep_restart(wp_sweep *s, vm moves, const wp_vertex *w)
{
	const vm has2 = vi_gt(s->simplex.size, vi_set(1));
	const wp_vertex v[3] = {*w, s->simplex.v[0], wp_vertex_select(has2, s->simplex.v[1], s->simplex.v[0])};
	wp_recall r;
	wp_recall_nearest(&r, v);
	wp_sweep_move_to(s, moves, &r.simplex, r.n, r.upper);
}

/* One step of all lanes, with the support w along the search direction. Returns those that are done: that come to the
 * difference, or no nearer to it, or never to the plane in the way. */
WP_INLINE uint32_t wp_sweep_step(wp_sweep *s, wp_lanes *lanes, const wp_sweep_end *end, wp_vertex *w)
{
	vm ends;
	s->steps = vi_add(s->steps, vi_set(1));
	const vm moves = wp_sweep_clip(s, lanes, end->touch, w, &ends);
	const vm stays = vm_andnot(vm_from_bits(lanes->live), vm_or(moves, ends));
	if (vm_any(stays)) {
		const vf lower = vf_neg(vf3_dot(s->n, w->w));
		const wp_simplex_step next = wp_simplex_next(&s->simplex, *w, s->n, vf_le(lower, vf_zero()));
		const vm falls = vm_andnot(vm_and(stays, vf_lt(next.upper, s->upper)), vm_or(next.inside, next.touching));
		const vm inside = vm_and(stays, next.inside);
		s->simplex.size = vi_select(inside, vi_set(4), s->simplex.size);
		wp_simplex_move(&s->simplex, falls, *w, &next);
		s->n = vf3_select(falls, next.direction, s->n);
		s->upper = vf_select(falls, next.upper, s->upper);
		ends = vm_or(ends, vm_andnot(stays, falls));
	}
	if (vm_any(moves))
		wp_sweep_restart(s, moves, w);
	const vm there = vm_andnot(vf_le(s->upper, vf_add(s->radii, end->touch)), ends);
	s->plane = vf3_select(vm_and(there, vf_gt(s->radii, vf_set(WP_SWEEP_RADIUS_MIN))), s->n, s->plane);
	const vm capped = vm_not(vi_gt(end->step_max, s->steps));
	return vm_bits(vm_or(vm_or(there, ends), capped)) & lanes->live;
}

/* ---- from lanes to answers ---------------------------------------------------------------------- */

/* What lanes hand over to their jobs: vertices, and numbers of the output, in the frame of A and scaled until wp_sweep_put. */
typedef struct wp_sweep_left {
	WP_VECTOR_ALIGN float w[4][3][WP_WIDTH], output[WP_SWEEP_ON_A][WP_WIDTH];
	WP_VECTOR_ALIGN int32_t row[4][WP_WIDTH], size[WP_WIDTH];
} wp_sweep_left;

WP_NOINLINE void wp_sweep_give(
	wp_jobs *jobs, const wp_lanes *lanes, uint32_t out, const wp_sweep_left *left, const wp_sweep_points *points)
{
	for (uint32_t m = out; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const int32_t job = lanes->job[lane];
		float *const output = jobs->output + (size_t)WP_OUTPUT_COUNT * (uint32_t)job;
		float *const detail = jobs->detail + (size_t)WP_DETAIL_COUNT * (uint32_t)job;
		WP_ROLLED
		for (int i = 0; i < 4; i++)
			for (int k = 0; k < 3; k++) {
				const int32_t at = (3 * left->row[i][lane] + k) * WP_WIDTH + (int32_t)lane;
				jobs->place[i][k][job] = left->w[i][k][lane];
				jobs->place_a[i][k][job] = points->a->at[at];
				detail[3 * i + k] = points->b->at[at];
			}
		WP_ROLLED
		for (int i = 0; i < WP_SWEEP_ON_A; i++)
			output[i] = left->output[i][lane];
		jobs->vertex_count[job] = left->size[lane];
		jobs->state[job] = WP_JOB_GAP;
	}
}

WP_INLINE void wp_sweep_keep(wp_sweep_left *left, int at, vf3 v, vf last)
{
	vf3_store(left->output[at], left->output[at + 1], left->output[at + 2], v);
	vf_store(left->output[at + 3], last);
}

/* Lanes that are done are handed over and leave. */
WP_INLINE void wp_sweep_leave(
	wp_jobs *jobs, wp_lanes *lanes, uint32_t out, const wp_sweep *s, wp_vertex w, const wp_sweep_points *points)
{
	wp_sweep_left left;
	for (int i = 0; i < 4; i++) {
		const wp_vertex v = i < 3 ? s->simplex.v[i] : w;
		vf3_store(left.w[i][0], left.w[i][1], left.w[i][2], v.w);
		vi_store(left.row[i], v.id);
	}
	wp_sweep_keep(&left, WP_SWEEP_NORMAL, s->plane, vf_from_int(s->steps));
	wp_sweep_keep(&left, WP_SWEEP_CLIP, s->clip, vf_zero());
	vi_store(left.size, s->simplex.size);
	wp_sweep_give(jobs, lanes, out, &left, points);
	lanes->live &= ~out;
}

/* Vertices of a block, w = a - b, and the points of both. */
typedef struct wp_sweep_corners {
	vf3 w[4], a[4], b[4];
} wp_sweep_corners;

WP_INLINE void wp_sweep_load(wp_sweep_corners *c, wp_jobs *jobs, uint32_t at)
{
	for (int i = 0; i < 4; i++) {
		c->w[i] = vf3_load(jobs->place[i][0] + at, jobs->place[i][1] + at, jobs->place[i][2] + at);
		c->a[i] = vf3_load(jobs->place_a[i][0] + at, jobs->place_a[i][1] + at, jobs->place_a[i][2] + at);
	}
	const float *const detail = jobs->detail + (size_t)WP_DETAIL_COUNT * at;
	const int quads = WP_DETAIL_COUNT / 4;
	const vf4 x = vf4_load(detail, quads), y = vf4_load(detail + 4, quads), z = vf4_load(detail + 8, quads);
	c->b[0] = vf3_set(x.x, x.y, x.z);
	c->b[1] = vf3_set(x.w, y.x, y.y);
	c->b[2] = vf3_set(y.z, y.w, z.x);
	c->b[3] = vf3_set(z.y, z.z, z.w);
}

/* A tetrahedron holds the origin, which touches one of its faces: the nearest of those with its newest vertex, or the one
 * opposite. */
WP_NOINLINE void wp_sweep_choose_face(wp_sweep_corners *c, vi *size)
{
	const vm inside = vi_gt(*size, vi_set(3));
	wp_recall best = {.upper = vf_set(WP_INFINITY)};
	best.simplex.v[0] = best.simplex.v[1] = best.simplex.v[2] = wp_vertex_zero();
	best.simplex.size = vi_set(1);
	WP_ROLLED
	for (int i = 0; i < 4; i++) {
		wp_vertex v[3];
		for (int k = 0; k < 3; k++)
			v[k] = (wp_vertex){c->w[(i + k) % 4], vi_set((i + k) % 4)};
		wp_recall r;
		wp_recall_nearest(&r, v);
		const vm nearer = vf_lt(r.upper, best.upper);
		for (int k = 0; k < 3; k++)
			best.simplex.v[k] = wp_vertex_select(nearer, r.simplex.v[k], best.simplex.v[k]);
		best.simplex.size = vi_select(nearer, r.simplex.size, best.simplex.size);
		best.upper = vf_select(nearer, r.upper, best.upper);
	}
	wp_sweep_corners chosen = *c;
	WP_ROLLED
	for (int k = 0; k < 3; k++) {
		WP_ROLLED
		for (int i = 0; i < 4; i++) {
			const vm is_it = vi_eq(best.simplex.v[k].id, vi_set(i));
			chosen.a[k] = vf3_select(is_it, c->a[i], chosen.a[k]);
			chosen.b[k] = vf3_select(is_it, c->b[i], chosen.b[k]);
		}
		chosen.a[k] = vf3_select(inside, chosen.a[k], c->a[k]);
		chosen.b[k] = vf3_select(inside, chosen.b[k], c->b[k]);
		chosen.w[k] = vf3_select(inside, best.simplex.v[k].w, c->w[k]);
	}
	*c = chosen;
	*size = vi_select(inside, best.simplex.size, *size);
}

/* The guesses of a block, as wp_job_sweep has them; of a job that was not searched no normal. */
WP_INLINE void wp_sweep_put(wp_jobs *jobs, uint32_t at)
{
	const vm found = vi_eq(vi_load(jobs->state + at), vi_set(WP_JOB_GAP));
	float *const output = jobs->output + (size_t)WP_OUTPUT_COUNT * at;
	const int quads = WP_OUTPUT_COUNT / 4;
	const vf zero = vf_zero();
	if (!vm_any(found)) {
		vf4_store(output + WP_SWEEP_NORMAL, quads, (vf4){zero, zero, zero, zero});
		return;
	}
	const wp_prepared p = wp_load_prepared(jobs, at);
	const vf unscale = wp_inverse_scale(p.scale);
	vi size = vi_load(jobs->vertex_count + at);
	wp_sweep_corners c;
	wp_sweep_load(&c, jobs, at);
	if (vm_any(vm_and(found, vi_gt(size, vi_set(3)))))
		wp_sweep_choose_face(&c, &size);
	vf weight[3];
	wp_feature_weights_called(c.w, &size, weight);
	vf3 a = vf3_zero(), b = a;
	for (int i = 0; i < 3; i++) {
		a = vf3_add(a, vf3_scale(c.a[i], weight[i]));
		b = vf3_add(b, vf3_scale(c.b[i], weight[i]));
	}
	const vf4 plane = vf4_load(output + WP_SWEEP_NORMAL, quads), before = vf4_load(output + WP_SWEEP_CLIP, quads);
	const vf3 normal = vf3_select(found, vf33_apply(&p.frame, vf3_set(plane.x, plane.y, plane.z)), vf3_zero());
	const vf3 clip = vf33_apply(&p.frame, vf3_set(before.x, before.y, before.z));
	const vf3 on_a = vf3_scale(vf33_apply(&p.frame, a), unscale), on_b = vf3_scale(vf33_apply(&p.frame, b), unscale);
	vf4_store(output + WP_SWEEP_NORMAL, quads, (vf4){normal.x, normal.y, normal.z, vf_select(found, plane.w, zero)});
	vf4_store(output + WP_SWEEP_CLIP, quads, (vf4){clip.x, clip.y, clip.z, zero});
	vf4_store(output + WP_SWEEP_ON_A, quads, (vf4){on_a.x, on_a.y, on_a.z, zero});
	vf4_store(output + WP_SWEEP_ON_B, quads, (vf4){on_b.x, on_b.y, on_b.z, zero});
}

/* ---- buckets ------------------------------------------------------------------------------------ */

/* Search for all jobs of a list. */
WP_NOINLINE void wp_sweep_search(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch, int kind_a,
	int kind_b, wp_kernel_work *work)
{
	const bool smooth = jobs->terms->smooth;
	const wp_sweep_end end = {vf_set(smooth ? WP_SWEEP_SMOOTH_TOUCH : WP_SWEEP_TOUCH),
		vi_set(smooth ? WP_SWEEP_SMOOTH_STEP_MAX : WP_SWEEP_STEP_MAX)};
	const wp_sweep_points points = {&scratch->points_a, &scratch->points_b};
	wp_lanes lanes, stage;
	wp_sweep s;
	wp_sweep_start start;
	uint32_t next = 0;
	int32_t row = 0;
	wp_sweep_clear(&s);
	wp_lanes_open(&lanes, scratch->hulls, jobs, list, total, kind_a, kind_b);
	wp_stage_open(&stage, &lanes, scratch->staged_hulls);
	for (;;) {
		while (wp_lanes_want_refill(&lanes) && (stage.live != 0 || next < total)) {
			if (stage.live == 0) {
				wp_lanes_stage(&stage, jobs, list, total, &next, kind_a, kind_b);
				wp_sweep_look(&start, jobs, &stage, kind_a, kind_b);
			}
			const wp_move m = wp_lanes_take(&lanes, &stage, kind_a, kind_b);
			wp_sweep_take(&s, &m, &start, &points, row);
		}
		if (lanes.live == 0)
			break;
		work->lanes_issued += WP_WIDTH;
		work->lanes_live += wp_live_count(&lanes);
		row = row + 1 < WP_POINT_ROWS ? row + 1 : 0;
		vf3 a;
		wp_vertex v;
		/* In WebAssembly one copy of all supports less is 1 kB. */
		if (WP_WASM)
			wp_support_called(&lanes, lanes.live, kind_a, kind_b, &s.n, &v, &a);
		else
			v = wp_support(&lanes, lanes.live, kind_a, kind_b, s.n, &a);
		wp_vertex w = wp_keep_support(true, v, a, points.a, row);
		wp_keep_points(points.b, row, wp_sweep_point_b(&lanes, v, a));
		const uint32_t out = wp_sweep_step(&s, &lanes, &end, &w);
		if (out)
			wp_sweep_leave(jobs, &lanes, out, &s, w, &points);
	}
}

/* Guess of every job of a bucket where it touches. All are prepared; those in `list` are fit. */
WP_INLINE void wp_sweep_run(wp_jobs *jobs, const int32_t *list, uint32_t total, wp_scratch *scratch,
	wp_kernel_work *work, int kind_a, int kind_b)
{
	if (total != 0)
		wp_sweep_search(jobs, list, total, scratch, kind_a, kind_b, work);
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH)
		wp_sweep_put(jobs, at);
}

#endif
