/* Contacts of exact cores in one lane, from where GJK and EPA left them: as wp_witness_block, with the same bits, points in
 * quads. */
#ifndef WP_WIDE_SEARCH_WITNESS_ONE_H
#define WP_WIDE_SEARCH_WITNESS_ONE_H

#include "wide/job/one.h"
#include "wide/search/simplex.h"

#if WP_ONE_LANE_QUADS

/* The nearest feature of a job, its vertices past the last one its first again. */
typedef struct wp_one_feature {
	wp_one_vertex v[3];
	vi size;
} wp_one_feature;

WP_INLINE void wp_one_load_feature(
	const wp_jobs *jobs, int32_t job, const wp_one_pose *pose, int kind_a, int kind_b, wp_one_feature *f)
{
	wp_lanes lanes;
	lanes.job[0] = lanes.job_v = job;
	lanes.live = 1;
	wp_lanes_load(&lanes, jobs, kind_a, kind_b);
	f->size = jobs->vertex_count[job];
	for (int i = 0; i < 3; i++) {
		const int32_t id = jobs->vertex[i < f->size ? i : 0][job];
		f->v[i] = wp_one_vertex_of_id(&lanes, pose, kind_a, kind_b, (uint32_t)id);
	}
}

/* wp_weighted, of a feature without a fourth vertex. */
WP_INLINE wp_quad wp_one_weighted(wp_quad a, wp_quad b, wp_quad c, const vf weight[3])
{
	const wp_quad ab = wp_quad_add(wp_quad_scale(a, weight[0]), wp_quad_scale(b, weight[1]));
	return wp_quad_add(ab, wp_quad_add(wp_quad_scale(c, weight[2]), wp_quad_scale(a, 0.0f)));
}

WP_INLINE void wp_one_witness_of(const wp_one_feature *f, wp_one_solved *solved)
{
	const wp_one_vertex *const v = f->v;
	const vf3 w[3] = {vf3_of_quad(v[0].w), vf3_of_quad(v[1].w), vf3_of_quad(v[2].w)};
	vf weight[3];
	wp_feature_weights(w, f->size, weight);
	solved->a = wp_one_weighted(v[0].a, v[1].a, v[2].a, weight);
	solved->b = wp_one_weighted(v[0].b, v[1].b, v[2].b, weight);
	solved->between = wp_quad_neg(wp_one_weighted(v[0].w, v[1].w, v[2].w, weight));
}

/* What answers need of a job that was kept. */
WP_INLINE void wp_one_load_prepared(const wp_jobs *jobs, int32_t job, const wp_one_pose *pose, wp_one_prepared *p)
{
	const float *const input = wp_input_of_job(jobs, (uint32_t)job), *const row = jobs->pose + 16 * job;
	p->frame = wp_quad_matrix(wp_quad_load(input + 4 * WP_INPUT_ROTATION_A));
	for (int i = 0; i < 3; i++) {
		p->rotation.row[i] = wp_quad_load(row + 4 * i);
		p->rotation.column[i] = pose->column[i];
	}
	p->translation = pose->translation;
	p->origin = wp_quad_load(input + 4 * WP_INPUT_POSITION_A);
	p->scale = jobs->scale[job];
	p->radius_a = jobs->radius_a[job];
	p->radius_b = jobs->radius_b[job];
	p->reach = jobs->reach[job];
	p->rounding = jobs->rounding[job];
	p->terms = &wp_exact_terms;
}

/* Whether jobs are answered so: those that are proven apart have another way, and so has what shrinks cores. */
WP_INLINE bool wp_one_has_witness(const wp_jobs *jobs, int32_t job)
{
	const int32_t state = jobs->state[job];
	return jobs->query == WP_QUERY_CONTACT && jobs->method != WP_JOB_CORE && !jobs->terms->smooth &&
	       (state == WP_JOB_GAP || state == WP_JOB_DEPTH);
}

WP_NOINLINE void wp_one_witness(wp_jobs *jobs, int32_t job, int kind_a, int kind_b)
{
	const wp_one_pose pose = wp_one_pose_of(jobs, job);
	wp_one_feature feature;
	wp_one_prepared p;
	wp_one_solved solved = {.state = jobs->state[job],
		.core_lower = jobs->core_lower[job],
		.core_upper = jobs->core_upper[job],
		.n = wp_quad_of(jobs->direction[0][job], jobs->direction[1][job], jobs->direction[2][job], 0.0f)};
	wp_one_load_feature(jobs, job, &pose, kind_a, kind_b, &feature);
	wp_one_witness_of(&feature, &solved);
	wp_one_load_prepared(jobs, job, &pose, &p);
	wp_one_answer answer = wp_one_contact_answer(&p, &solved, jobs->max_separation);
	answer.status |= jobs->status[job];
	wp_one_put(jobs, (uint32_t)job, &p, &answer, jobs->gjk_steps[job] + jobs->epa_steps[job]);
}

#endif

#endif
