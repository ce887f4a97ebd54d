/* Answers on their way out: the numbers of each job together in memory, as rows are. */
#ifndef WP_WIDE_JOB_STORE_H
#define WP_WIDE_JOB_STORE_H

#include "wide/job/answer.h"

/* Four of the `count` numbers that each lane of a block has together in memory, for the lanes in `lanes`. */
WP_INLINE void wp_store_four(float *four, int count, uint32_t lanes, vf x, vf y, vf z, vf w)
{
	const int apart = count / 4;
	vf4 out = {x, y, z, w};
	if (lanes != WP_ALL_LANES) {
		const vf4 there = vf4_load(four, apart);
		const vm ours = vm_from_bits(lanes);
		out = (vf4){vf_select(ours, x, there.x), vf_select(ours, y, there.y), vf_select(ours, z, there.z),
			vf_select(ours, w, there.w)};
	}
	vf4_store(four, apart, out);
}

WP_INLINE void wp_store_output(float *quarter, uint32_t lanes, vf x, vf y, vf z, vf w)
{
	wp_store_four(quarter, WP_OUTPUT_COUNT, lanes, x, y, z, w);
}

/* wp_tangents, operation for operation. */
WP_INLINE void wp_lane_tangents(vf3 n, vf3 tangent[2])
{
	const vm has_normal = vf_gt(vf_max(vf_max(vf_abs(n.x), vf_abs(n.y)), vf_abs(n.z)), vf_zero());
	vf3 across[2];
	vf3_basis(n, across);
	tangent[0] = vf3_select(has_normal, across[0], vf3_zero());
	tangent[1] = vf3_select(has_normal, across[1], vf3_zero());
}

/* Where the answers of a block go. */
typedef struct wp_answer_places {
	float *output, *detail; /* of each lane its wp_job_output and wp_job_detail */
	int32_t *state, *status, *gjk_steps, *epa_steps;
} wp_answer_places;

WP_INLINE wp_answer_places wp_answer_places_of(wp_jobs *jobs, uint32_t at)
{
	return (wp_answer_places){.output = jobs->output + (size_t)WP_OUTPUT_COUNT * at,
		.detail = jobs->detail + (size_t)WP_DETAIL_COUNT * at,
		.state = jobs->state + at,
		.status = jobs->status + at,
		.gjk_steps = jobs->gjk_steps + at,
		.epa_steps = jobs->epa_steps + at};
}

/* Hand the details of the lanes in `lanes` over. */
WP_INLINE void wp_put_details_at(
	const wp_jobs *jobs, float *detail, uint32_t lanes, vf3 local_a, vf3 local_b, vf3 normal)
{
	vf3 tangent[2] = {vf3_zero(), vf3_zero()};
	if (jobs->wants_tangents)
		wp_lane_tangents(normal, tangent);
	wp_store_four(detail, WP_DETAIL_COUNT, lanes, local_a.x, local_a.y, local_a.z, local_b.x);
	wp_store_four(detail + 4, WP_DETAIL_COUNT, lanes, local_b.y, local_b.z, tangent[0].x, tangent[0].y);
	if (jobs->wants_tangents)
		wp_store_four(detail + 8, WP_DETAIL_COUNT, lanes, tangent[0].z, tangent[1].x, tangent[1].y, tangent[1].z);
}

WP_INLINE void wp_put_details(wp_jobs *jobs, uint32_t at, uint32_t lanes, vf3 local_a, vf3 local_b, vf3 normal)
{
	wp_put_details_at(jobs, jobs->detail + (size_t)WP_DETAIL_COUNT * at, lanes, local_a, local_b, normal);
}

/* Find the details of answers whose points are still relative to the position of A. */
WP_INLINE void wp_store_details(
	const wp_jobs *jobs, float *detail, uint32_t lanes, const wp_prepared *p, const wp_answer *r)
{
	vf3 local_a = vf3_zero(), local_b = vf3_zero();
	if (jobs->query != WP_QUERY_OVERLAP) {
		const vf3 b_in_a = vf33_apply_transposed(&p->frame, r->point_b);
		local_a = vf33_apply_transposed(&p->frame, r->point_a);
		local_b = vf33_apply_transposed(
			&p->rotation, vf3_sub(b_in_a, vf3_scale(p->translation, wp_inverse_scale(p->scale))));
	}
	wp_put_details_at(jobs, detail, lanes, local_a, local_b, r->normal);
}

/* Count points from the origin that the caller requested. */
WP_INLINE void wp_move_points(const wp_prepared *p, wp_answer *answer)
{
	answer->point_a = vf3_add(p->origin, answer->point_a);
	answer->point_b = vf3_add(p->origin, answer->point_b);
}

/* Hand the answers of the lanes in `lanes` over but for details; their points are relative to the position of A until
 * then. */
WP_INLINE void wp_put_answer_at(
	const wp_jobs *jobs, const wp_answer_places *to, uint32_t lanes, const wp_prepared *p, wp_answer *r)
{
	if (jobs->query != WP_QUERY_OVERLAP)
		wp_move_points(p, r);
	float *const output = to->output;
	const vm ours = vm_from_bits(lanes);
	const vi steps = vi_add(vi_load(to->gjk_steps), vi_load(to->epa_steps));
	wp_store_output(output, lanes, r->separation, r->normal.x, r->normal.y, r->normal.z);
	wp_store_output(output + 4, lanes, r->point_a.x, r->point_a.y, r->point_a.z, r->point_b.x);
	wp_store_output(output + 8, lanes, r->point_b.y, r->point_b.z, r->lower, r->upper);
	wp_store_output(output + 12, lanes, vf_from_bits(r->status), vf_from_bits(steps), vf_from_bits(r->feature_a),
		vf_from_bits(r->feature_b));
	vi_store(to->state, vi_select(ours, r->state, vi_load(to->state)));
	vi_store(to->status, vi_select(ours, r->status, vi_load(to->status)));
}

WP_INLINE void wp_put_answer(wp_jobs *jobs, uint32_t at, uint32_t lanes, const wp_prepared *p, wp_answer *r)
{
	const wp_answer_places to = wp_answer_places_of(jobs, at);
	wp_put_answer_at(jobs, &to, lanes, p, r);
}

WP_INLINE void wp_store_answer_at(
	const wp_jobs *jobs, const wp_answer_places *to, uint32_t lanes, const wp_prepared *p, wp_answer *r)
{
	if (jobs->wants_details)
		wp_store_details(jobs, to->detail, lanes, p, r);
	wp_put_answer_at(jobs, to, lanes, p, r);
}

WP_INLINE void wp_store_answer(wp_jobs *jobs, uint32_t at, uint32_t lanes, const wp_prepared *p, wp_answer *r)
{
	const wp_answer_places to = wp_answer_places_of(jobs, at);
	wp_store_answer_at(jobs, &to, lanes, p, r);
}

/* The answers of a query for a block that was solved in closed form; a constant says whether that may be a distance. */
WP_INLINE wp_answer wp_closed_answer(
	const wp_jobs *jobs, const wp_prepared *p, const wp_solved *solved, bool may_be_distance)
{
	if (jobs->query == WP_QUERY_OVERLAP)
		return wp_overlap_answer(p, solved);
	/* Contacts have code of their own: sharing it with distances takes them two instructions more. */
	if (!may_be_distance || jobs->query != WP_QUERY_DISTANCE)
		return wp_contact_answer(p, solved, vf_set(jobs->max_separation));
	wp_answer answer = wp_contact_answer(p, solved, vf_zero());
	wp_make_distance(p, solved, &solved->witness, &answer);
	return answer;
}

/* Features of the only points of a block's manifolds, as wp_job_output has them. */
typedef struct wp_features {
	vi a, b;
} wp_features;

WP_INLINE wp_features wp_no_features(void) { return (wp_features){vi_zero(), vi_zero()}; }

/* What of a segment a place is on: an end, the upper one first, or all of it. */
WP_INLINE vi wp_feature_of_ends(vm is_end, vm is_start)
{
	return vi_select(is_end, vi_set(1 | 1 << 16), vi_select(is_start, vi_zero(), vi_set(1 << 16)));
}

/* Answer such a block. */
WP_INLINE_NATIVE void wp_answer_at(const wp_jobs *jobs, const wp_answer_places *to, const wp_prepared *p,
	const wp_solved *solved, wp_features only, bool may_be_distance)
{
	wp_answer answer = wp_closed_answer(jobs, p, solved, may_be_distance);
	answer.feature_a = only.a;
	answer.feature_b = only.b;
	vi_store(to->gjk_steps, vi_zero());
	vi_store(to->epa_steps, vi_zero());
	wp_store_answer_at(jobs, to, WP_ALL_LANES, p, &answer);
}

WP_INLINE void wp_answer_block(
	wp_jobs *jobs, uint32_t at, const wp_prepared *p, const wp_solved *solved, wp_features only, bool may_be_distance)
{
	const wp_answer_places to = wp_answer_places_of(jobs, at);
	wp_answer_at(jobs, &to, p, solved, only, may_be_distance);
}

#endif
