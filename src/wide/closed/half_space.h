/* A half-space against any other shape, in closed form, one pair per lane.
 *
 * The Minkowski difference of a half-space and a bounded core is a half-space: the lowest point of the core
 * along the normal decides all, for gaps and overlaps alike. Pack has found in double how high the other
 * shape's origin is above the surface and which way is down in its frame, so the place of the surface is
 * known to a rounding of that height, however far away its position is. Kernels have the other shape as A, in
 * whose frame they work, and the half-space as B, and turn answers round at the end where the caller has them
 * the other way. */
#ifndef WP_WIDE_CLOSED_HALF_SPACE_H
#define WP_WIDE_CLOSED_HALF_SPACE_H

#include "wide/job/store.h"
#include "wide/support/support.h"

/* Where the position of the half-space is further from the other shape than this many sizes, double rounds
 * its height visibly, and the strong path bounds by how much. */
#define WP_HALF_SPACE_FAR 1e7f

/* A block of pairs, prepared: `frame` and `origin` of p are the other shape's, its rotation is the
 * half-space's own, from its frame to the world, and its translation is not used. */
typedef struct wp_ground {
	wp_prepared p;
	vf3 down;  /* from the other shape to the half-space, unit, in the other's frame */
	vf3 place; /* of the other's origin in the half-space's frame, unscaled */
	vf height; /* of that above the core's surface, scaled */
	vm turned; /* A is the half-space */
	vm sound;  /* fit, or would be if the half-space's position were near */
	const wp_core *other[WP_WIDTH];
} wp_ground;

/* The jobs of a block; lanes past the last job do what the first one does. */
WP_INLINE void wp_ground_jobs(int32_t job[WP_WIDTH], uint32_t at, uint32_t count)
{
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		job[lane] = (int32_t)(at + lane < count ? at + lane : at);
}

/* Which side of each lane's job is which. */
WP_INLINE void wp_ground_sides(const wp_jobs *jobs, const int32_t job[WP_WIDTH], wp_ground *g)
{
	uint32_t turned = 0;
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		const wp_core *const a = jobs->core_a[job[lane]], *const b = jobs->core_b[job[lane]];
		const bool is_a = a->kind == WP_CORE_HALF_SPACE;
		g->other[lane] = is_a ? b : a;
		turned |= (is_a ? 1u : 0u) << lane;
	}
	g->turned = vm_from_bits(turned);
}

WP_INLINE void wp_ground_prepare(const wp_jobs *jobs, const int32_t job[WP_WIDTH], wp_ground *g)
{
	wp_prepared *const p = &g->p;
	wp_ground_sides(jobs, job, g);
	const float *input[WP_WIDTH];
	wp_input_of_lanes(jobs, job, input);
	const vfq turn_a = vfq_of(vf4_get(input, 4 * WP_INPUT_ROTATION_A)),
			  turn_b = vfq_of(vf4_get(input, 4 * WP_INPUT_ROTATION_B));
	const vf4 pa = vf4_get(input, 4 * WP_INPUT_POSITION_A), pb = vf4_get(input, 4 * WP_INPUT_POSITION_B);
	const vf4 other = wp_load_cores(g->other), down = vf4_gather(jobs->down, vi_load(job));
	const vf3 from = {pa.x, pa.y, pa.z};
	const vf bound = pa.w, height = pb.y;
	p->frame = vfq_to_matrix(turn_a);
	p->rotation = vfq_to_matrix(turn_b);
	p->terms = jobs->terms;
	p->translation = p->half_b = vf3_zero();
	p->half_a = vf3_set(other.x, other.y, other.z);
	p->origin = from;
	p->radius_a = other.w;
	p->radius_b = pb.w;
	g->down = vf3_set(down.x, down.y, down.z);
	g->place = vf3_set(pb.x, pb.y, pb.z);

	const vf size = vf_max(vf_abs(height), bound);
	p->scale = wp_scale_of(size);
	g->height = vf_mul(height, p->scale);
	p->reach = vf_max(vf_add(bound, p->radius_a), p->radius_b);
	const vf support = vf_select(
		vi_eq(wp_forms_of(g->other), vi_zero()), vf_set(WP_SHAPE_ROUNDING), vf_set(WP_SMOOTH_SHAPE_ROUNDING));
	const vf rounding = jobs->kind_b == WP_CORE_HULL ? vf_set(WP_SHAPE_ROUNDING) : support;
	p->rounding = vf_add(
		vf_mul(vf_mul(bound, p->scale), rounding), vf_mul(vf_abs(g->height), vf_set(WP_OFFSET_ROUNDING)));

	const vf far = vf_mul(size, vf_set(WP_HALF_SPACE_FAR));
	const vm near = vm_and(vf_le(vf_abs(g->place.x), far), vf_le(vf_abs(g->place.z), far));
	const vm valid = vm_and(wp_is_position(from), wp_are_rotations(turn_a, turn_b));
	g->sound = vm_and(valid, wp_are_in_range(size, vf_add(p->radius_a, p->radius_b)));
	p->fit = vm_and(g->sound, near);
}

_Static_assert(WP_FORM_BOX == 0, "what forms are exact");

/* The lowest points of the other cores, in their frames, scaled. */
WP_INLINE vf3 wp_ground_support(const wp_ground *g, uint32_t kind)
{
	if (kind != WP_CORE_HULL)
		return wp_support_form(vf3_scale(g->p.half_a, g->p.scale), wp_forms_of(g->other), g->down);
	wp_lane_side side;
	wp_lane_side_start(&side);
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		wp_lane_side_set(&side, lane, g->other[lane]);
		side.most = g->other[lane]->count > side.most ? g->other[lane]->count : side.most;
	}
	vi id;
	return vf3_scale(wp_support_hull(&side, WP_ALL_LANES, g->down, &id), g->p.scale);
}

/* What is known of both cores: everything. A distance needs one common point of those that surely overlap. */
WP_INLINE void wp_ground_solve(const wp_jobs *jobs, const wp_ground *g, uint32_t kind, wp_solved *solved)
{
	const wp_prepared *const p = &g->p;
	const vf3 lowest = wp_ground_support(g, kind);
	const vf separation = vf_sub(g->height, vf3_dot(g->down, lowest));
	const vf radii = wp_radii_of(p->scale, p->radius_a, p->radius_b);
	const vm beyond = vf_gt(separation, wp_limit_of(jobs, p->terms, p->scale, radii));
	vm inside = vm_false();
	if (jobs->query == WP_QUERY_DISTANCE)
		inside = vf_lt(vf_add(separation, wp_rounding_of(p, radii, separation)), vf_zero());
	const int32_t open = jobs->query == WP_QUERY_CONTACT ? WP_JOB_DEPTH : WP_JOB_GAP;
	solved->state = vi_select(beyond, vi_set(WP_JOB_BEYOND), vi_select(inside, vi_set(WP_JOB_INSIDE), vi_set(open)));
	solved->core_lower = solved->core_upper = separation;
	solved->n = g->down;
	solved->witness = wp_witness_of(
		lowest, vf3_select(inside, lowest, vf3_add(lowest, vf3_scale(g->down, separation))));
}

/* The outward normal, world axes. */
WP_INLINE vf3 wp_ground_normal(const wp_ground *g) { return wp_sharpen(vf33_axis(&g->p.rotation, 1)); }

/* A world point, counted from the position of the other shape, in the half-space's own frame, unscaled: where
 * it is on the surface, that is known better than by turning it. */
WP_INLINE vf3 wp_ground_local(const wp_ground *g, vf3 point, vm on_surface)
{
	const vf3 local = vf3_add(g->place, vf33_apply_transposed(&g->p.rotation, point));
	return vf3_set(local.x, vf_select(on_surface, g->p.radius_b, local.y), local.z);
}

/* The point of the half-space is on its surface but where there is no normal: then both are one that the
 * shapes share. */
WP_INLINE void wp_ground_details(wp_jobs *jobs, uint32_t at, const wp_ground *g, const wp_answer *r)
{
	vf3 local_a = vf3_zero(), local_b = vf3_zero();
	if (jobs->query != WP_QUERY_OVERLAP) {
		local_a = vf33_apply_transposed(&g->p.frame, r->point_a);
		local_b = wp_ground_local(g, r->point_b, vf_gt(vf3_dot(r->normal, r->normal), vf_zero()));
	}
	wp_put_details(jobs, at, WP_ALL_LANES, vf3_select(g->turned, local_b, local_a),
		vf3_select(g->turned, local_a, local_b), r->normal);
}

/* Answer one block of jobs. */
WP_INLINE void wp_ground_block(wp_jobs *jobs, uint32_t at, uint32_t kind)
{
	WP_VECTOR_ALIGN int32_t job[WP_WIDTH];
	wp_ground g;
	wp_solved solved;
	wp_ground_jobs(job, at, jobs->count);
	wp_ground_prepare(jobs, job, &g);
	wp_ground_solve(jobs, &g, kind, &solved);
	wp_answer r = wp_closed_answer(jobs, &g.p, &solved, true);
	r.state = vi_select(g.p.fit, r.state, vi_set(WP_JOB_STRONG));

	/* The surface's own normal, to the last digit; none where the query gives none. */
	const vf3 up = wp_ground_normal(&g), normal = vf3_select(g.turned, up, vf3_neg(up));
	r.normal = vf3_select(vf_gt(vf3_dot(r.normal, r.normal), vf_zero()), normal, vf3_zero());
	vi_store(jobs->gjk_steps + at, vi_zero());
	vi_store(jobs->epa_steps + at, vi_zero());
	vi_store(jobs->vertex_count + at, vi_set(WP_NO_FEATURE));
	if (jobs->wants_details)
		wp_ground_details(jobs, at, &g, &r);
	const vf3 point_a = r.point_a;
	r.point_a = vf3_select(g.turned, r.point_b, point_a);
	r.point_b = vf3_select(g.turned, point_a, r.point_b);
	wp_put_answer(jobs, at, WP_ALL_LANES, &g.p, &r);
}

WP_INLINE void wp_ground_run(wp_jobs *jobs, uint32_t kind)
{
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH)
		wp_ground_block(jobs, at, kind);
}

#endif
