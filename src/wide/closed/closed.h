/* The closed forms of a bucket: which of them its core kinds have, and which jobs they leave to GJK. */
#ifndef WP_WIDE_CLOSED_CLOSED_H
#define WP_WIDE_CLOSED_CLOSED_H

#include "wide/closed/segments.h"
#include "wide/job/store.h"

/* What a bucket has a closed form for; by their boxes all others are proven apart. */
typedef enum wp_closed_form {
	WP_CLOSED_BOXES,
	WP_CLOSED_BOX_SEGMENT,
	WP_CLOSED_SEGMENTS,
	WP_CLOSED_APART
} wp_closed_form;

/* Hulls whose boxes are far enough apart along one of their six axes: the cheapest proof there is (the nine
 * crosses of their axes were measured to cost what they bring). It says nothing of the nearest points. */
WP_INLINE vm wp_closed_apart(const wp_jobs *jobs, const wp_prepared *prepared, const wp_boxes *boxes, wp_solved *solved)
{
	wp_box_axis axis;
	wp_box_faces(boxes, &axis);
	const vf radii = wp_radii_of(prepared->scale, prepared->radius_a, prepared->radius_b);
	*solved = (wp_solved){.state = vi_set(WP_JOB_BEYOND),
		.core_lower = axis.separation,
		.core_upper = vf_set(__builtin_inff()),
		.n = axis.n,
		.witness = wp_witness_of(vf3_zero(), prepared->translation)};
	return vf_gt(axis.separation, wp_limit_of(jobs, prepared->terms, prepared->scale, radii));
}

/* Solve a block as far as closed forms go. Returns the lanes that are done. */
WP_INLINE vm wp_closed_solve(
	const wp_jobs *jobs, const wp_prepared *prepared, uint32_t present, wp_closed_form form, wp_solved *solved)
{
	const wp_boxes boxes = wp_boxes_of(prepared);
	if (form == WP_CLOSED_APART)
		return wp_closed_apart(jobs, prepared, &boxes, solved);
	if (form == WP_CLOSED_BOXES)
		return wp_boxes_solve(jobs, prepared, &boxes, solved);
	const bool has_box = form == WP_CLOSED_BOX_SEGMENT;
	const vm done = wp_segments_solve(jobs, prepared, &boxes, has_box, jobs->kind_b == WP_CORE_SEGMENT, solved);

	/* A segment inside a box; one that crosses another has no volume for axes to measure. */
	if (!has_box || jobs->query == WP_QUERY_DISTANCE || (present & ~vm_bits(done)) == 0)
		return done;
	wp_solved deep;
	const vm more = vm_andnot(wp_boxes_solve(jobs, prepared, &boxes, &deep), done);
	solved->state = vi_select(more, deep.state, solved->state);
	solved->core_lower = vf_select(more, deep.core_lower, solved->core_lower);
	solved->core_upper = vf_select(more, deep.core_upper, solved->core_upper);
	solved->n = vf3_select(more, deep.n, solved->n);
	solved->witness.a = vf3_select(more, deep.witness.a, solved->witness.a);
	solved->witness.b = vf3_select(more, deep.witness.b, solved->witness.b);
	solved->witness.between = vf3_select(more, deep.witness.between, solved->witness.between);
	return vm_or(done, more);
}

/* Where GJK looks first: along the best axis, which costs it fewer steps than the line of the two origins does. Not
 * where that axis says that the shapes just touch: so do flats in one plane, which overlap there. */
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
		wp_answer_block(jobs, at, &prepared, &solved);
		if (jobs->cache != NULL)
			vi_store(jobs->vertex_count + at, vi_set(WP_NO_FEATURE));
		const uint32_t open = present & fit & ~vm_bits(done);
		if (open != 0)
			wp_store_prepared(jobs, at, &prepared, wp_first_direction(&prepared, &solved));
		left = wp_list_jobs(list, left, at, open);
	}
	return left;
}

#endif
