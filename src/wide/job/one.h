/* A job in one lane: prepared and answered as a block is, with the same bits, its vectors in quads. */
#ifndef WP_WIDE_JOB_ONE_H
#define WP_WIDE_JOB_ONE_H

#include "wide/job/store.h"
#include "wide/lane/quad3.h"

#if WP_ONE_LANE_QUADS

/* A job made ready, as wp_prepared. */
typedef struct wp_one_prepared {
	wp_quad33 frame, rotation;
	wp_quad translation;    /* scaled */
	wp_quad core_a, core_b; /* extents and radius, unscaled */
	wp_quad origin;
	float scale, radius_a, radius_b, reach, rounding;
	bool fit;
	const wp_terms *terms;
} wp_one_prepared;

/* wp_solved */
typedef struct wp_one_solved {
	int32_t state;
	float core_lower, core_upper;
	wp_quad n;
	wp_quad a, b, between; /* of the witness */
} wp_one_solved;

/* ---- preparing ---------------------------------------------------------------------------------- */

/* Whether all coordinates are within WP_POSITION_MAX; the last place has a bound. */
WP_INLINE bool wp_one_is_position(wp_quad p)
{
	return (wp_quad_bits(wp_quad_at_most(wp_quad_abs(p), wp_quad_set(WP_POSITION_MAX))) & 7u) == 7u;
}

WP_INLINE void wp_one_prepare(const wp_jobs *jobs, const wp_terms *terms, uint32_t job, wp_one_prepared *p)
{
	const float *const input = wp_input_of_job(jobs, job);
	const wp_quad turn_a = wp_quad_load(input + 4 * WP_INPUT_ROTATION_A);
	const wp_quad turn_b = wp_quad_load(input + 4 * WP_INPUT_ROTATION_B);
	const wp_quad from = wp_quad_load(input + 4 * WP_INPUT_POSITION_A);
	const wp_quad to = wp_quad_load(input + 4 * WP_INPUT_POSITION_B);
	const wp_quad offset = wp_quad_add(wp_quad_sub(to, from), wp_quad_zero());
	const float bound_a = input[4 * WP_INPUT_POSITION_A + 3], bound_b = input[4 * WP_INPUT_POSITION_B + 3];
	const float size = wp_size_of(bound_a, bound_b, vf3_of_quad(offset));
	p->terms = terms;
	p->core_a = wp_quad_load(jobs->core_a[job]->half);
	p->core_b = wp_quad_load(jobs->core_b[job]->half);
	p->radius_a = wp_quad_get(p->core_a, 3);
	p->radius_b = wp_quad_get(p->core_b, 3);
	p->origin = from;
	p->frame = wp_quad_matrix(turn_a);
	p->rotation = wp_quad_matrix(wp_quad_relative(turn_a, turn_b));
	p->scale = wp_scale_of(size);
	p->translation = wp_quad_mixed(p->frame.row, wp_quad_scale(offset, p->scale));
	p->reach = vf_max(bound_a + p->radius_a, bound_b + p->radius_b);
	p->rounding = wp_pose_rounding(terms, (bound_a + bound_b) * p->scale, wp_quad_length(p->translation));
	p->fit = wp_one_is_position(from) && wp_one_is_position(to) && wp_is_about_unit(wp_quad_length2_of_turn(turn_a)) &&
	         wp_is_about_unit(wp_quad_length2_of_turn(turn_b)) && wp_are_in_range(size, p->radius_a + p->radius_b);
}

/* The numbers of a job that answers need besides vectors. */
WP_INLINE wp_prepared wp_one_numbers(const wp_one_prepared *p)
{
	return (wp_prepared){.scale = p->scale,
		.radius_a = p->radius_a,
		.radius_b = p->radius_b,
		.reach = p->reach,
		.rounding = p->rounding,
		.terms = p->terms};
}

WP_INLINE vf33 vf33_of_quads(const wp_quad row[3])
{
	return (vf33){{vf3_of_quad(row[0]), vf3_of_quad(row[1]), vf3_of_quad(row[2])}};
}

/* All that wp_prepare_block gives. */
WP_INLINE wp_prepared wp_one_spelled(const wp_one_prepared *p)
{
	wp_prepared all = wp_one_numbers(p);
	all.frame = vf33_of_quads(p->frame.row);
	all.rotation = vf33_of_quads(p->rotation.row);
	all.translation = vf3_of_quad(p->translation);
	all.half_a = vf3_of_quad(p->core_a);
	all.half_b = vf3_of_quad(p->core_b);
	all.origin = vf3_of_quad(p->origin);
	return all;
}

/* Keep a job for GJK, EPA and witness points. `first` is where GJK looks first. */
WP_INLINE void wp_one_store(wp_jobs *jobs, uint32_t job, const wp_one_prepared *p, wp_quad first)
{
	const wp_prepared all = wp_one_spelled(p);
	wp_store_prepared(jobs, job, &all, vf3_of_quad(first));
}

/* wp_prepare_run */
WP_NOINLINE uint32_t wp_one_prepare_run(wp_jobs *jobs, int32_t list[WP_JOB_MAX])
{
	uint32_t total = 0;
	for (uint32_t job = 0; job < jobs->count; job++) {
		wp_one_prepared p;
		wp_one_prepare(jobs, jobs->terms, job, &p);
		wp_one_store(jobs, job, &p, p.translation);
		jobs->epa_steps[job] = 0;
		jobs->state[job] = WP_JOB_STRONG;
		list[total] = (int32_t)job;
		total += p.fit ? 1 : 0;
	}
	return total;
}

/* ---- answers ------------------------------------------------------------------------------------ */

/* An answer, its points relative to the position of A. */
typedef struct wp_one_answer {
	float separation, lower, upper;
	wp_quad normal, point_a, point_b;
	int32_t state, status;
} wp_one_answer;

WP_INLINE wp_quad wp_one_sharpen(wp_quad n) { return wp_quad_scale(n, wp_inverse_near_one(wp_quad_dot(n, n))); }

WP_INLINE wp_quad wp_one_world(const wp_one_prepared *p, wp_quad v) { return wp_quad_mixed(p->frame.column, v); }

/* wp_points_meet */
WP_INLINE bool wp_one_points_meet(const wp_one_prepared *p, const wp_one_solved *s, float core_separation, float unit)
{
	const wp_quad miss = wp_quad_sub(wp_quad_sub(s->b, s->a), wp_quad_scale(s->n, core_separation));
	const float allowed = p->terms->residual_max * unit;
	return wp_quad_dot(miss, miss) <= allowed * allowed;
}

/* wp_contact_answer */
WP_INLINE wp_one_answer wp_one_contact_answer(const wp_one_prepared *p, const wp_one_solved *s, float max_separation)
{
	const wp_prepared numbers = wp_one_numbers(p);
	const float unscale = wp_inverse_scale(p->scale);
	const float radius_a = p->radius_a * p->scale, radius_b = p->radius_b * p->scale, radii = radius_a + radius_b;
	const bool beyond = s->state == WP_JOB_BEYOND, is_gap = s->state == WP_JOB_GAP;
	const float core_upper = is_gap ? wp_quad_length(s->between) : s->core_upper;
	const float core_separation = is_gap ? core_upper : s->core_lower;
	const float rounding = wp_rounding_of(&numbers, radii, core_separation);
	const float separation = core_separation - radii;
	const float believed = wp_believe_lower(s->core_lower, wp_quad_dot(s->n, s->n), core_upper);
	const float lower = (believed - radii) - rounding, upper = (core_upper - radii) + rounding;
	const wp_quad point_a = wp_quad_add(s->a, wp_quad_scale(s->n, radius_a));
	const wp_quad point_b = wp_quad_sub(s->b, wp_quad_scale(s->n, radius_b));

	const float unit = p->reach * p->scale + wp_abs_float(separation);
	const bool closed = lower <= upper && upper - lower <= p->terms->bracket_max * unit;
	const bool stands = closed && wp_one_points_meet(p, s, core_separation, unit);
	const bool proven = lower > max_separation * p->scale;
	const int32_t bits = wp_state_bits(lower, upper);
	return (wp_one_answer){.separation = (beyond ? lower : separation) * unscale,
		.lower = lower * unscale,
		.upper = upper * unscale,
		.normal = wp_one_sharpen(wp_one_world(p, s->n)),
		.point_a = wp_quad_scale(wp_one_world(p, point_a), unscale),
		.point_b = wp_quad_scale(wp_one_world(p, point_b), unscale),
		.state = (beyond ? proven : stands) ? s->state : WP_JOB_STRONG,
		.status = beyond ? bits | WP_JOB_PROVEN_BEYOND : bits};
}

/* wp_overlap_answer */
WP_INLINE wp_one_answer wp_one_overlap_answer(const wp_one_prepared *p, const wp_one_solved *s)
{
	const wp_prepared numbers = wp_one_numbers(p);
	const float unscale = wp_inverse_scale(p->scale), radii = (p->radius_a + p->radius_b) * p->scale;
	const float rounding = wp_rounding_of(&numbers, radii, s->core_lower);
	const float believed = wp_believe_lower(s->core_lower, wp_quad_dot(s->n, s->n), s->core_upper);
	const float lower = (believed - radii) - rounding;
	const bool apart = lower > 0.0f;
	const float upper = apart ? WP_INFINITY : (s->core_upper - radii) + rounding;
	const bool overlap = s->state == WP_JOB_INSIDE || upper < 0.0f;
	const float allowed = p->terms->bracket_max * (p->reach * p->scale);
	const bool stands = apart || overlap || upper - lower <= allowed;
	return (wp_one_answer){.separation = (apart ? lower : upper) * unscale,
		.lower = lower * unscale,
		.upper = upper * unscale,
		.normal = apart ? wp_one_sharpen(wp_one_world(p, s->n)) : wp_quad_zero(),
		.point_a = wp_quad_zero(),
		.point_b = wp_quad_zero(),
		.state = stands ? s->state : WP_JOB_STRONG,
		.status = wp_state_of(apart, overlap)};
}

/* wp_distance_answer of cores whose common points, if they have some, are one and the same in `s`. */
WP_INLINE wp_one_answer wp_one_distance_answer(const wp_one_prepared *p, const wp_one_solved *s)
{
	const float radius_a = p->radius_a * p->scale, radius_b = p->radius_b * p->scale;
	wp_one_answer answer = wp_one_contact_answer(p, s, 0.0f);
	const bool inside = s->state == WP_JOB_INSIDE;
	if (inside || answer.upper <= 0.0f) {
		const float unscale = wp_inverse_scale(p->scale), gap = wp_quad_length(s->between);
		const float met = ((gap - (radius_a + radius_b)) + p->rounding) * unscale;
		const float share = inside ? 0.0f : wp_common_share(gap, radius_a, radius_b);
		const wp_quad common = wp_quad_add(s->a, wp_quad_scale(s->between, share));
		const wp_quad world = wp_quad_scale(wp_one_world(p, common), unscale);
		return (wp_one_answer){.separation = 0.0f,
			.lower = 0.0f,
			.upper = inside ? vf_max(met, 0.0f) : 0.0f,
			.normal = wp_quad_zero(),
			.point_a = world,
			.point_b = world,
			.state = WP_JOB_GAP,
			.status = WP_JOB_PENETRATING};
	}
	/* Where shapes touch, the points must be where a separation of zero puts them. */
	if (answer.separation < 0.0f && !wp_one_points_meet(p, s, radius_a + radius_b, p->reach * p->scale))
		answer.state = WP_JOB_STRONG;
	answer.lower = vf_max(answer.lower, 0.0f);
	answer.separation = vf_max(answer.separation, 0.0f);
	return answer;
}

WP_INLINE wp_one_answer wp_one_answer_of(const wp_jobs *jobs, const wp_one_prepared *p, const wp_one_solved *s)
{
	if (jobs->query == WP_QUERY_OVERLAP)
		return wp_one_overlap_answer(p, s);
	return jobs->query == WP_QUERY_DISTANCE ? wp_one_distance_answer(p, s)
	                                        : wp_one_contact_answer(p, s, jobs->max_separation);
}

WP_INLINE void wp_one_put_details(wp_jobs *jobs, uint32_t job, const wp_one_prepared *p, const wp_one_answer *r)
{
	wp_quad local_a = wp_quad_zero(), local_b = local_a;
	if (jobs->query != WP_QUERY_OVERLAP) {
		const wp_quad b_in_a = wp_quad_mixed(p->frame.row, r->point_b);
		const wp_quad offset = wp_quad_scale(p->translation, wp_inverse_scale(p->scale));
		local_a = wp_quad_mixed(p->frame.row, r->point_a);
		/* By columns: closed forms that have no use of the rows need not make them. */
		const wp_quad *const column = p->rotation.column, from_b = wp_quad_sub(b_in_a, offset);
		local_b = wp_quad_of(
			wp_quad_dot(column[0], from_b), wp_quad_dot(column[1], from_b), wp_quad_dot(column[2], from_b), 0.0f);
	}
	wp_put_details(jobs, job, WP_ALL_LANES, vf3_of_quad(local_a), vf3_of_quad(local_b), vf3_of_quad(r->normal));
}

/* Hand an answer over that took so many steps, quad by quad: so they can be loaded as vectors soon after. */
WP_INLINE void wp_one_put(wp_jobs *jobs, uint32_t job, const wp_one_prepared *p, const wp_one_answer *r, int32_t steps)
{
	float *const output = jobs->output + (size_t)WP_OUTPUT_COUNT * job;
	const bool has_points = jobs->query != WP_QUERY_OVERLAP;
	if (jobs->wants_details)
		wp_one_put_details(jobs, job, p, r);
	const wp_quad n = r->normal, a = has_points ? wp_quad_add(p->origin, r->point_a) : r->point_a;
	const wp_quad b = has_points ? wp_quad_add(p->origin, r->point_b) : r->point_b;
	const wp_quad bounds = wp_quad_zip(wp_quad_set(r->lower), wp_quad_set(r->upper));
	wp_quad_store(output, WP_QUAD_MIX(wp_quad_zip(wp_quad_set(r->separation), n), n, 0, 1, 1, 2));
	wp_quad_store(output + 4, WP_QUAD_MIX(a, WP_QUAD_MIX(a, b, 2, 2, 0, 0), 0, 1, 0, 2));
	wp_quad_store(output + 8, WP_QUAD_MIX(b, bounds, 1, 2, 0, 1));
	wp_quad_store(output + 12, wp_quad_of(vf_from_bits(r->status), vf_from_bits(steps), 0.0f, 0.0f));
	jobs->state[job] = r->state;
	jobs->status[job] = r->status;
}

/* GJK's first direction, as wp_first_direction. */
WP_INLINE wp_quad wp_one_first(const wp_one_prepared *p, const wp_one_solved *s)
{
	return wp_abs_float(s->core_lower) > WP_GJK_TOUCH ? s->n : p->translation;
}

/* What is known of a job before its closed form. */
WP_INLINE void wp_one_begin(wp_jobs *jobs, uint32_t job)
{
	jobs->gjk_steps[job] = jobs->epa_steps[job] = 0;
	jobs->state[job] = WP_JOB_STRONG;
	if (jobs->cache != NULL)
		jobs->vertex_count[job] = WP_NO_FEATURE;
}

/* Answer a job that its closed form has solved. */
WP_INLINE void wp_one_answer_job(wp_jobs *jobs, uint32_t job, const wp_one_prepared *p, const wp_one_solved *s)
{
	const wp_one_answer answer = wp_one_answer_of(jobs, p, s);
	wp_one_put(jobs, job, p, &answer, 0);
}

/* List any other, if it is fit, `left` being listed; GJK looks along `first`. Returns how many are then. */
WP_INLINE uint32_t wp_one_leave(
	wp_jobs *jobs, uint32_t job, const wp_one_prepared *p, wp_quad first, int32_t *list, uint32_t left)
{
	if (!p->fit)
		return left;
	wp_one_store(jobs, job, p, first);
	list[left] = (int32_t)job;
	return left + 1;
}

#endif

#endif
