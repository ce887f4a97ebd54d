/* The closed forms of a bucket: which of them its core kinds have, and which jobs they leave to GJK. */
#ifndef WP_WIDE_CLOSED_CLOSED_H
#define WP_WIDE_CLOSED_CLOSED_H

#include "wide/closed/hulls.h"
#include "wide/closed/points.h"
#include "wide/closed/segments.h"
#include "wide/closed/segments_one.h"
#include "wide/closed/strays.h"
#include "wide/job/store.h"

/* What a bucket has a closed form for; by their boxes all others are proven apart. */
typedef enum wp_closed_form { WP_CLOSED_BOXES, WP_CLOSED_BOX_SEGMENT, WP_CLOSED_SEGMENTS } wp_closed_form;

/* Hulls whose boxes are far enough apart along one of their six axes: the cheapest proof there is (the nine
 * crosses of their axes were measured to cost what they bring). It does not find the nearest points. */
WP_INLINE vm wp_closed_apart(const wp_prepared *prepared, vf limit, wp_solved *solved)
{
	const wp_boxes boxes = wp_boxes_of(prepared);
	wp_box_axis axis;
	wp_box_faces(&boxes, &axis);
	*solved = (wp_solved){.state = vi_set(WP_JOB_BEYOND),
		.core_lower = axis.separation,
		.core_upper = vf_set(WP_INFINITY),
		.n = axis.n,
		.witness = wp_witness_of(vf3_zero(), prepared->translation)};
	return vf_gt(axis.separation, limit);
}

/* In the lanes `m`, what another form found. */
WP_INLINE void wp_take_solved(vm m, const wp_solved *found, wp_solved *solved)
{
	solved->state = vi_select(m, found->state, solved->state);
	solved->core_lower = vf_select(m, found->core_lower, solved->core_lower);
	solved->core_upper = vf_select(m, found->core_upper, solved->core_upper);
	solved->n = vf3_select(m, found->n, solved->n);
	solved->witness.a = vf3_select(m, found->witness.a, solved->witness.a);
	solved->witness.b = vf3_select(m, found->witness.b, solved->witness.b);
	solved->witness.between = vf3_select(m, found->witness.between, solved->witness.between);
}

/* Solve a block as far as closed forms go. Returns the lanes that are done. */
WP_INLINE vm wp_closed_solve(
	const wp_jobs *jobs, const wp_prepared *prepared, uint32_t present, wp_closed_form form, wp_solved *solved)
{
	const wp_boxes boxes = wp_boxes_of(prepared);
	if (form == WP_CLOSED_BOXES)
		return wp_boxes_solve(jobs, prepared, &boxes, true, solved);
	const bool has_box = form == WP_CLOSED_BOX_SEGMENT;
	const vm done = wp_segments_solve(jobs, prepared, &boxes, has_box, jobs->kind_b == WP_CORE_SEGMENT, solved);

	/* A segment inside a box; one that crosses another has no volume for axes to measure. */
	if (!has_box || jobs->query == WP_QUERY_DISTANCE || (present & ~vm_bits(done)) == 0)
		return done;
	wp_solved deep;
	const vm more = vm_andnot(wp_boxes_solve(jobs, prepared, &boxes, false, &deep), done);
	wp_take_solved(more, &deep, solved);
	return vm_or(done, more);
}

/* GJK's first direction: the best axis, which costs it fewer steps than the line of the two origins does. Not where the
 * shapes just touch along that axis: so do flats in one plane, which overlap there. */
WP_INLINE vf3 wp_first_direction(const wp_prepared *prepared, const wp_solved *solved)
{
	const vm clear = vf_gt(vf_abs(solved->core_lower), vf_set(WP_GJK_TOUCH));
	return vf3_select(clear, solved->n, prepared->translation);
}

/* Answer the jobs of a bucket that are solved in closed form; list the others, prepared. Returns how many
 * they are. `terms` are the bucket's: where kinds decide, constants. */
WP_INLINE uint32_t wp_closed_run(wp_jobs *jobs, const wp_terms *terms, int32_t list[WP_JOB_MAX], wp_closed_form form)
{
	uint32_t left = 0;
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH) {
		const wp_prepared prepared = wp_prepare_block(jobs, terms, at);
		const uint32_t present = wp_present_lanes(jobs->count, at), fit = vm_bits(prepared.fit);
		wp_solved solved;
		const vm done = wp_closed_solve(jobs, &prepared, present & fit, form, &solved);
		solved.state = vi_select(prepared.fit, solved.state, vi_set(WP_JOB_STRONG));
		const wp_features only = form == WP_CLOSED_SEGMENTS && jobs->wants_points != 0
		                           ? wp_name_only_points(&prepared, &solved)
		                           : wp_no_features();
		/* The distance of two boxes has no closed form. */
		wp_answer_block(jobs, at, &prepared, &solved, only, form != WP_CLOSED_BOXES);
		if (jobs->cache != NULL)
			vi_store(jobs->vertex_count + at, vi_set(WP_NO_FEATURE));
		const uint32_t open = present & fit & ~vm_bits(done);
		if (open != 0)
			wp_store_prepared(jobs, at, &prepared, wp_first_direction(&prepared, &solved));
		left = wp_list_jobs(list, left, at, open);
	}
	return left;
}

/* What the boxes around hulls and smooth cores prove, and two hulls themselves: not worth a look for distances of smooth
 * cores. */
WP_INLINE uint32_t wp_closed_boxes(
	const wp_jobs *jobs, uint32_t at, const wp_prepared *prepared, uint32_t lanes, wp_solved *solved)
{
	if (lanes != 0 && !(jobs->terms->smooth && jobs->query == WP_QUERY_DISTANCE)) {
		const vf radii = wp_radii_of(prepared->scale, prepared->radius_a, prepared->radius_b);
		const vf limit = wp_limit_of(jobs, prepared->terms, prepared->scale, radii);
		const uint32_t done = vm_bits(wp_closed_apart(prepared, limit, solved)) & lanes;
		if (jobs->kind_a != WP_CORE_HULL || jobs->kind_b != WP_CORE_HULL || done == lanes)
			return done;
		return done | wp_hulls_solve(jobs, at, prepared, limit, lanes & ~done, solved);
	}
	*solved = (wp_solved){.state = vi_set(WP_JOB_GAP),
		.core_lower = vf_zero(),
		.core_upper = vf_zero(),
		.n = vf3_zero(),
		.witness = wp_witness_of(vf3_zero(), prepared->translation)};
	return 0;
}

/* Solve a block as far as closed forms go: `points` of its lanes that are fit as points with smooth cores, the others by boxes.
 * Returns the lanes that are done. */
WP_INLINE uint32_t wp_closed_block(const wp_jobs *jobs, const wp_block *block, const wp_prepared *prepared,
	uint32_t fit, uint32_t points, wp_solved *solved)
{
	if (points != 0 && points == fit)
		return wp_points_solve(jobs, block->core_a, block->core_b, prepared, points, solved);
	uint32_t done = wp_closed_boxes(jobs, block->at, prepared, fit & ~points, solved);
	if (points != 0) {
		wp_solved found;
		done |= wp_points_solve(jobs, block->core_a, block->core_b, prepared, points, &found);
		wp_take_solved(vm_from_bits(points), &found, solved);
	}
	return done;
}

/* The same as wp_closed_run for buckets with hulls or smooth cores. Where GJK looks first must not depend on where a point
 * stands. */
WP_INLINE uint32_t wp_closed_run_hulls(wp_jobs *jobs, int32_t list[WP_JOB_MAX])
{
	const bool may_be_points = jobs->kind_a == WP_CORE_SMOOTH && jobs->kind_b == WP_CORE_SMOOTH;
	const uint32_t end = wp_end_of_blocks(jobs);
	wp_strays strays = {.total = 0};
	wp_stray_inputs stray_inputs;
	uint32_t left = 0;
	for (uint32_t at = 0; at < end + strays.total; at += WP_WIDTH) {
		wp_block block;
		wp_prepared prepared;
		wp_solved solved;
		wp_block_of(jobs, &strays, at, &stray_inputs, &block);
		const wp_inputs in = wp_inputs_from(block.input, block.core_a, block.core_b);
		wp_prepare_inputs(jobs->terms, &in, &prepared);
		const uint32_t fit = vm_bits(prepared.fit) & block.present;
		const uint32_t points = may_be_points ? wp_points_among(&prepared) & fit : 0;
		const bool waits = points != 0 && wp_put_off(&block, points, &strays);
		const uint32_t wanted = waits ? fit & ~points : fit;
		const uint32_t done = wp_closed_block(jobs, &block, &prepared, wanted, wanted & points, &solved);
		solved.state = vi_select(prepared.fit, solved.state, vi_set(WP_JOB_STRONG));
		wp_put_block(jobs, &strays, &block, &prepared, done != 0, &solved);
		/* Strays had it where they stood. */
		if (jobs->cache != NULL && !block.strays)
			vi_store(jobs->vertex_count + at, vi_set(WP_NO_FEATURE));
		const uint32_t open = fit & ~done;
		const vf3 first = wp_first_direction(&prepared, &solved);
		if (open != 0 && !block.strays)
			wp_store_prepared(jobs, at, &prepared, vf3_select(vm_from_bits(points), prepared.translation, first));
		for (uint32_t m = open & wanted; m != 0; m &= m - 1) {
			const uint32_t lane = wp_lowest_bit(m);
			list[left++] = block.strays ? strays.job[block.at + lane] : (int32_t)(at + lane);
		}
	}
	return left;
}

/* ---- what a bucket calls ------------------------------------------------------------------------ */

#if WP_ONE_LANE_QUADS

/* Solve a job as far as closed forms go, as wp_closed_solve. */
WP_INLINE bool wp_one_solve(
	const wp_jobs *jobs, const wp_one_prepared *prepared, wp_closed_form form, wp_one_solved *solved)
{
	if (form == WP_CLOSED_BOXES)
		return wp_one_boxes_solve(jobs, prepared, true, solved);
	const bool has_box = form == WP_CLOSED_BOX_SEGMENT;
	if (wp_one_segments_solve(jobs, prepared, has_box, jobs->kind_b == WP_CORE_SEGMENT, solved))
		return true;
	wp_one_solved deep;
	if (!has_box || jobs->query == WP_QUERY_DISTANCE || !wp_one_boxes_solve(jobs, prepared, false, &deep))
		return false;
	*solved = deep;
	return true;
}

/* Answer the jobs of a bucket in one lane. */
WP_INLINE uint32_t wp_closed_run_cores(wp_jobs *jobs, int32_t list[WP_JOB_MAX], wp_closed_form form)
{
	uint32_t left = 0;
	for (uint32_t job = 0; job < jobs->count; job++) {
		wp_one_prepared prepared;
		wp_one_solved solved;
		wp_one_prepare(jobs, &wp_exact_terms, job, &prepared);
		wp_one_begin(jobs, job);
		if (!wp_one_solve(jobs, &prepared, form, &solved) || !prepared.fit) {
			left = wp_one_leave(jobs, job, &prepared, wp_one_first(&prepared, &solved), list, left);
			continue;
		}
		wp_one_answer_job(jobs, job, &prepared, &solved);
		if (form == WP_CLOSED_SEGMENTS && jobs->wants_points != 0)
			wp_one_name_only_point(jobs, job, &prepared, &solved);
	}
	return left;
}

/* wp_hulls_direction */
WP_INLINE wp_quad wp_one_hulls_direction(const wp_one_prepared *p)
{
	const wp_quad half_a = wp_quad_scale(p->core_a, p->scale), half_b = wp_quad_scale(p->core_b, p->scale);
	const wp_quad square = wp_quad_mul(half_a, half_a), way = p->translation;
	const wp_quad *const row = p->rotation.row;
	const wp_quad r[3] = {wp_quad_mul(row[0], half_b), wp_quad_mul(row[1], half_b), wp_quad_mul(row[2], half_b)};
	const float xy = wp_quad_dot(r[0], r[1]), xz = wp_quad_dot(r[0], r[2]), yz = wp_quad_dot(r[1], r[2]);
	const wp_quad x = wp_quad_of(wp_quad_dot(r[0], r[0]) + wp_quad_get(square, 0), xy, xz, 0.0f);
	const wp_quad y = wp_quad_of(xy, wp_quad_dot(r[1], r[1]) + wp_quad_get(square, 1), yz, 0.0f);
	const wp_quad z = wp_quad_of(xz, yz, wp_quad_dot(r[2], r[2]) + wp_quad_get(square, 2), 0.0f);
	const vf3 n = {wp_quad_dot(wp_quad_cross(y, z), way), wp_quad_dot(wp_quad_cross(z, x), way),
		wp_quad_dot(wp_quad_cross(x, y), way)};
	return wp_quad_of_vf3(vf3_unit(n, vf3_zero()));
}

/* wp_hulls_solve */
WP_INLINE bool wp_one_hulls_solve(
	const wp_jobs *jobs, uint32_t job, const wp_one_prepared *p, float limit, wp_one_solved *solved)
{
	const wp_quad n = wp_one_hulls_direction(p), back = wp_quad_neg(wp_quad_mixed(p->rotation.row, n));
	const float reach_a = wp_hulls_reach(
		jobs->core_a + job, 1, wp_quad_get(n, 0), wp_quad_get(n, 1), wp_quad_get(n, 2));
	const float reach_b = wp_hulls_reach(
		jobs->core_b + job, 1, wp_quad_get(back, 0), wp_quad_get(back, 1), wp_quad_get(back, 2));
	const float separation = wp_quad_dot(n, p->translation) - (reach_a + reach_b) * p->scale;
	if (!(separation > limit))
		return false;
	solved->core_lower = separation;
	solved->n = n;
	return true;
}

/* Hulls, as wp_closed_apart has them. */
WP_INLINE bool wp_one_apart(const wp_one_prepared *p, float limit, wp_one_solved *solved)
{
	const wp_box_quads b = wp_box_quads_of(p);
	wp_box_choice axis;
	wp_box_choose_face(&b, &axis);
	*solved = (wp_one_solved){.state = WP_JOB_BEYOND,
		.core_lower = axis.separation,
		.core_upper = WP_INFINITY,
		.n = axis.n,
		.a = wp_quad_zero(),
		.b = p->translation,
		.between = p->translation};
	return axis.separation > limit;
}

/* A point and a smooth core. */
WP_INLINE bool wp_one_point_solve(const wp_jobs *jobs, uint32_t job, const wp_one_prepared *p, wp_one_solved *solved)
{
	wp_prepared prepared = wp_one_numbers(p);
	prepared.rotation = vf33_of_quads(p->rotation.row);
	prepared.translation = vf3_of_quad(p->translation);
	prepared.half_a = vf3_of_quad(p->core_a);
	prepared.half_b = vf3_of_quad(p->core_b);
	wp_solved found;
	const bool done = wp_points_solve(jobs, jobs->core_a + job, jobs->core_b + job, &prepared, WP_ALL_LANES, &found) !=
	                  0;
	*solved = (wp_one_solved){.state = found.state,
		.core_lower = found.core_lower,
		.core_upper = found.core_upper,
		.n = wp_quad_of_vf3(found.n),
		.a = wp_quad_of_vf3(found.witness.a),
		.b = wp_quad_of_vf3(found.witness.b),
		.between = wp_quad_of_vf3(found.witness.between)};
	return done;
}

WP_INLINE bool wp_one_is_point(const wp_one_prepared *p)
{
	const wp_quad zero = wp_quad_zero();
	return (wp_quad_bits(wp_quad_at_most(p->core_a, zero)) & 7u) == 7u ||
	       (wp_quad_bits(wp_quad_at_most(p->core_b, zero)) & 7u) == 7u;
}

/* wp_closed_run_hulls in one lane. */
WP_INLINE uint32_t wp_closed_run_others(wp_jobs *jobs, int32_t list[WP_JOB_MAX])
{
	const bool may_be_points = jobs->kind_a == WP_CORE_SMOOTH && jobs->kind_b == WP_CORE_SMOOTH;
	const bool has_boxes = !(jobs->terms->smooth && jobs->query == WP_QUERY_DISTANCE);
	const bool are_hulls = jobs->kind_a == WP_CORE_HULL && jobs->kind_b == WP_CORE_HULL;
	uint32_t left = 0;
	for (uint32_t job = 0; job < jobs->count; job++) {
		wp_one_prepared prepared;
		wp_one_solved solved;
		wp_one_prepare(jobs, jobs->terms, job, &prepared);
		wp_one_begin(jobs, job);
		wp_quad first = prepared.translation;
		bool done = false;
		if (may_be_points && prepared.fit && wp_one_is_point(&prepared)) {
			done = wp_one_point_solve(jobs, job, &prepared, &solved);
		} else if (has_boxes) {
			const float radii = wp_radii_of(prepared.scale, prepared.radius_a, prepared.radius_b);
			const float limit = wp_limit_of(jobs, prepared.terms, prepared.scale, radii);
			done = wp_one_apart(&prepared, limit, &solved) && prepared.fit;
			first = wp_one_first(&prepared, &solved);
			if (!done && are_hulls && prepared.fit)
				done = wp_one_hulls_solve(jobs, job, &prepared, limit, &solved);
		}
		if (done)
			wp_one_answer_job(jobs, job, &prepared, &solved);
		else
			left = wp_one_leave(jobs, job, &prepared, first, list, left);
	}
	return left;
}

WP_INLINE uint32_t wp_prepare_run_cores(wp_jobs *jobs, int32_t list[WP_JOB_MAX])
{
	return wp_one_prepare_run(jobs, list);
}

#else

WP_INLINE uint32_t wp_closed_run_cores(wp_jobs *jobs, int32_t list[WP_JOB_MAX], wp_closed_form form)
{
	return wp_closed_run(jobs, &wp_exact_terms, list, form);
}

WP_INLINE uint32_t wp_closed_run_others(wp_jobs *jobs, int32_t list[WP_JOB_MAX])
{
	return wp_closed_run_hulls(jobs, list);
}

WP_INLINE uint32_t wp_prepare_run_cores(wp_jobs *jobs, int32_t list[WP_JOB_MAX]) { return wp_prepare_run(jobs, list); }

#endif

#endif
