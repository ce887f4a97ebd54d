/* From where GJK and EPA left a job to its answer: the witness points of the features they found. */
#ifndef WP_WIDE_SEARCH_WITNESS_H
#define WP_WIDE_SEARCH_WITNESS_H

#include "wide/job/method_table.h"
#include "wide/job/store.h"
#include "wide/search/simplex.h"
#include "wide/search/witness_one.h"

/* Volumes up to this are none: one over them may be no float. */
#define WP_VOLUME_MIN 0x1p-126f

/* The nearest feature of a job, in A's frame, scaled. */
typedef struct wp_feature {
	vf3 a[4], b[4], w[4];
	vi size;
} wp_feature;

/* Vertices past the feature's are its first one again. A contact has at most three: a tetrahedron
 * around the origin has become a face or is left to the strong path. */
WP_NOINLINE void wp_load_feature(
	wp_feature *f, const wp_jobs *jobs, const wp_lanes *lanes, uint32_t at, int kind_a, int kind_b)
{
	f->size = vi_load(jobs->vertex_count + at);
	const int most = jobs->query == WP_QUERY_CONTACT ? 3 : 4;
	const bool smooth = jobs->terms->smooth;
	for (int i = 0; i < most; i++) {
		const vm has = vi_gt(f->size, vi_set(i));
		/* Of shapes far apart GJK mostly has one vertex. */
		if (i != 0 && (vm_bits(has) & lanes->live) == 0) {
			f->a[i] = f->a[0];
			f->b[i] = f->b[0];
			f->w[i] = f->w[0];
		} else if (smooth) {
			vf3 a;
			const vf3 w = wp_place_of_job(jobs, lanes->job_v, i, &a);
			f->w[i] = i == 0 ? w : vf3_select(has, w, f->w[0]);
			f->a[i] = i == 0 ? a : vf3_select(has, a, f->a[0]);
			f->b[i] = vf3_sub(f->a[i], f->w[i]);
		} else {
			const vi id = vi_select(has, vi_load(jobs->vertex[i] + at), vi_load(jobs->vertex[0] + at));
			f->w[i] = wp_vertex_of_id(lanes, lanes->live, kind_a, kind_b, id, &f->a[i], &f->b[i]).w;
		}
	}
	if (most == 3) {
		f->a[3] = f->a[0];
		f->b[3] = f->b[0];
		f->w[3] = f->w[0];
	}
}

/* Weights of a tetrahedron's corners for the origin, as shares of its volume; none is negative. */
WP_INLINE void wp_tetrahedron_weights(const vf3 w[4], vf weight[4])
{
	const vf3 n01 = vf3_cross(w[0], w[1]), n23 = vf3_cross(w[2], w[3]);
	/* Signed volumes of the four tetrahedra that the origin makes with the faces. */
	const vf v0 = vf3_dot(n23, w[1]), v1 = vf_neg(vf3_dot(n23, w[0]));
	const vf v2 = vf3_dot(n01, w[3]), v3 = vf_neg(vf3_dot(n01, w[2]));
	const vf volume = vf3_dot(vf3_normal_of(w[0], w[1], w[2]), vf3_sub(w[3], w[2]));
	const vf zero = vf_zero(), one = vf_set(1.0f);
	const vf part[4] = {vf_max(vf_flip_sign(v0, volume), zero), vf_max(vf_flip_sign(v1, volume), zero),
		vf_max(vf_flip_sign(v2, volume), zero), vf_max(vf_flip_sign(v3, volume), zero)};
	const vf sum = vf_add(vf_add(part[0], part[1]), vf_add(part[2], part[3]));
	const vm flat = vf_not_gt(sum, vf_set(WP_VOLUME_MIN));
	const vf inverse = vf_div(one, vf_select(flat, one, sum));
	for (int i = 0; i < 4; i++)
		weight[i] = vf_select(flat, i == 0 ? one : zero, vf_mul(part[i], inverse));
}

WP_INLINE vf3 wp_weighted(const vf3 p[4], const vf weight[4])
{
	return vf3_add(vf3_add(vf3_scale(p[0], weight[0]), vf3_scale(p[1], weight[1])),
		vf3_add(vf3_scale(p[2], weight[2]), vf3_scale(p[3], weight[3])));
}

/* Weights with which a tetrahedron's corners miss the origin, corrected by what they miss it by. */
WP_INLINE void wp_correct_weights(const vf3 w[4], vf weight[4])
{
	const vf3 miss = wp_weighted(w, weight);
	const vf3 n1 = vf3_normal_of(w[0], w[2], w[3]), n2 = vf3_normal_of(w[0], w[3], w[1]),
			  n3 = vf3_normal_of(w[0], w[1], w[2]);
	const vf volume = vf3_volume_of(w[0], w[2], w[3], w[1]), zero = vf_zero(), one = vf_set(1.0f);
	const vm flat = vf_not_gt(vf_abs(volume), zero);
	const vf inverse = vf_select(flat, zero, vf_div(one, vf_select(flat, one, volume)));
	const vf d1 = vf_mul(vf3_dot(miss, n1), inverse), d2 = vf_mul(vf3_dot(miss, n2), inverse);
	const vf d3 = vf_mul(vf3_dot(miss, n3), inverse);
	weight[0] = vf_max(vf_add(weight[0], vf_add(vf_add(d1, d2), d3)), zero);
	weight[1] = vf_max(vf_sub(weight[1], d1), zero);
	weight[2] = vf_max(vf_sub(weight[2], d2), zero);
	weight[3] = vf_max(vf_sub(weight[3], d3), zero);
	const vf sum = vf_add(vf_add(weight[0], weight[1]), vf_add(weight[2], weight[3]));
	const vf share = vf_div(one, vf_select(vf_gt(sum, zero), sum, one));
	for (int i = 0; i < 4; i++)
		weight[i] = vf_mul(weight[i], share);
}

/* Weights for the origin of tetrahedra that hold it. Weights of slivers are corrected where it helps. */
WP_INLINE void wp_volume_weights(const wp_terms *terms, const vf3 w[4], vm wanted, vf weight[4])
{
	const vf small2 = vf_set(terms->common_good2);
	wp_tetrahedron_weights(w, weight);
	for (int i = 0; i < 3; i++) {
		const vf3 miss = wp_weighted(w, weight);
		const vf miss2 = vf3_dot(miss, miss);
		const vm poor = vm_and(wanted, vf_gt(miss2, small2));
		if (!vm_any(poor))
			return;
		vf better[4];
		for (int k = 0; k < 4; k++)
			better[k] = weight[k];
		wp_correct_weights(w, better);
		const vf3 left = wp_weighted(w, better);
		const vm helps = vm_and(poor, vf_lt(vf3_dot(left, left), miss2));
		for (int k = 0; k < 4; k++)
			weight[k] = vf_select(helps, better[k], weight[k]);
	}
}

/* The points of both cores that a feature is made of. */
WP_INLINE wp_witness wp_witness_of_feature(const wp_feature *f, const vf weight[4])
{
	return (wp_witness){wp_weighted(f->a, weight), wp_weighted(f->b, weight), vf3_neg(wp_weighted(f->w, weight))};
}

/* What GJK and EPA found out about a block. */
WP_INLINE wp_solved wp_load_solved(const wp_jobs *jobs, uint32_t at)
{
	return (wp_solved){.state = vi_load(jobs->state + at),
		.core_lower = vf_load(jobs->core_lower + at),
		.core_upper = vf_load(jobs->core_upper + at),
		.n = vf3_load(jobs->direction[0] + at, jobs->direction[1] + at, jobs->direction[2] + at),
		.witness = wp_witness_of(vf3_zero(), vf3_zero())};
}

/* The nearest points of both cores by the jobs' features, for which they have weights. Tetrahedra count too: of cores that
 * overlap they are one and the same point of both. */
WP_NOINLINE void wp_common_points(
	const wp_terms *terms, const wp_feature *f, uint32_t live, const vf weight[4], wp_witness *common)
{
	vf flat[4], volume[4];
	const vm whole = vi_gt(f->size, vi_set(3));
	wp_volume_weights(terms, f->w, vm_and(whole, vm_from_bits(live)), volume);
	for (int i = 0; i < 4; i++)
		flat[i] = vf_select(whole, volume[i], weight[i]);
	*common = wp_witness_of_feature(f, flat);
}

/* The distance of the simplex, as GJK has it, is no bound where its edges are nearly parallel, and the faces of a sliver
 * do not prove that the tetrahedron holds the origin: two points of the cores are the proof. Shapes that are apart, or
 * whose cores surely overlap, need none: their lanes are not live afterwards, and nothing bounds the separation of shapes
 * that are apart from above. */
WP_INLINE void wp_prove_overlap(
	const wp_jobs *jobs, wp_lanes *lanes, uint32_t at, const wp_prepared *p, wp_solved *s, int kind_a, int kind_b)
{
	const vm inside = vi_eq(s->state, vi_set(WP_JOB_INSIDE));
	const vm whole = vi_gt(vi_load(jobs->vertex_count + at), vi_set(3));
	const vm surely = vm_andnot(vm_and(inside, whole), vf_gt(s->core_upper, vf_zero()));
	const vf radii = vf_mul(vf_add(p->radius_a, p->radius_b), p->scale);
	s->core_upper = vf_select(surely, s->core_upper, vf_set(WP_INFINITY));
	const vm apart = vf_gt(wp_overlap_lower(p, s, radii), vf_zero());
	const vm open = vm_andnot(vm_from_bits(lanes->live), vm_or(apart, surely));
	lanes->live = vm_bits(open);
	if (lanes->live == 0)
		return;
	wp_feature f;
	wp_load_feature(&f, jobs, lanes, at, kind_a, kind_b);
	vf weight[4];
	wp_witness common;
	wp_feature_weights_called(f.w, &f.size, weight);
	weight[3] = vf_zero();
	wp_common_points(jobs->terms, &f, lanes->live, weight, &common);
	s->core_upper = vf_select(open, vf3_length(common.between), s->core_upper);
	const vf allowed = vf_mul(vf_set(jobs->terms->common_tolerance), vf_mul(p->reach, p->scale));
	const vm missed = vm_and(inside, vf_gt(s->core_upper, allowed));
	s->state = vi_select(missed, vi_set(WP_JOB_GAP), s->state);
}

/* Whether jobs are proven further apart than a contact requests: their answer is only the bound along the normal, with
 * points that are found from the origins of both cores. Not where cores are shrunk: points count on their feature there. */
WP_INLINE vm wp_are_beyond(const wp_jobs *jobs, uint32_t at)
{
	if (jobs->query != WP_QUERY_CONTACT || jobs->method == WP_JOB_CORE)
		return vm_false();
	return vi_eq(vi_load(jobs->state + at), vi_set(WP_JOB_BEYOND));
}

WP_INLINE void wp_forget_feature(const wp_prepared *p, vm beyond, wp_solved *s)
{
	const vf3 zero = vf3_zero();
	const vf infinity = vf_set(WP_INFINITY);
	s->core_upper = vf_select(beyond, infinity, s->core_upper);
	s->witness.a = vf3_select(beyond, zero, s->witness.a);
	s->witness.b = vf3_select(beyond, p->translation, s->witness.b);
	s->witness.between = vf3_select(beyond, p->translation, s->witness.between);
}

/* Finish the jobs of one block that are in `live`, all of them beyond: no feature is loaded. */
WP_NOINLINE void wp_beyond_block(wp_jobs *jobs, uint32_t at, uint32_t live)
{
	wp_prepared p = wp_load_prepared(jobs, at);
	const float *const pose = jobs->pose + 16 * (size_t)at;
	const vf4 x = vf4_load(pose, 4), y = vf4_load(pose + 4, 4), z = vf4_load(pose + 8, 4);
	p.rotation = (vf33){{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
	p.translation = vf3_set(x.w, y.w, z.w);
	wp_solved solved = wp_load_solved(jobs, at);
	wp_forget_feature(&p, vm_all(), &solved);
	wp_answer answer = wp_contact_answer(&p, &solved, vf_set(jobs->max_separation));
	wp_store_answer(jobs, at, live, &p, &answer);
}

/* From the answer for shrunk shapes to that for the true ones. Number by number: what no other method has the address of
 * stays in registers. */
WP_INLINE void wp_make_whole(
	const wp_jobs *jobs, wp_lanes *lanes, uint32_t at, int kind_a, int kind_b, wp_answer *answer)
{
	wp_answer whole = {
		.separation = answer->separation, .lower = answer->lower, .upper = answer->upper, .state = answer->state};
	const wp_method_table *const methods = jobs->methods;
	methods->answer_whole(jobs, lanes, at, kind_a, kind_b, &whole);
	answer->separation = whole.separation;
	answer->lower = whole.lower;
	answer->upper = whole.upper;
	answer->state = whole.state;
	answer->status = whole.status;
}

/* Finish the jobs of one block that are in `live`. */
WP_NOINLINE void wp_witness_block(wp_jobs *jobs, uint32_t at, uint32_t live, int kind_a, int kind_b)
{
	wp_lanes lanes;
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		lanes.job[lane] = (int32_t)(at + (live >> lane & 1 ? lane : wp_lowest_bit(live)));
	lanes.job_v = vi_load(lanes.job);
	lanes.live = live;
	wp_lanes_load(&lanes, jobs, kind_a, kind_b);
	wp_prepared p = wp_load_prepared(jobs, at);
	p.rotation = lanes.rotation;
	p.translation = lanes.translation;
	wp_solved solved = wp_load_solved(jobs, at);
	wp_answer answer;
	if (jobs->query == WP_QUERY_OVERLAP) {
		wp_prove_overlap(jobs, &lanes, at, &p, &solved, kind_a, kind_b);
		answer = wp_overlap_answer(&p, &solved);
	} else {
		const vm told = wp_are_beyond(jobs, at), beyond = vi_eq(solved.state, vi_set(WP_JOB_BEYOND));
		wp_feature f;
		vf weight[4];
		lanes.live = live & ~vm_bits(told);
		wp_load_feature(&f, jobs, &lanes, at, kind_a, kind_b);
		wp_feature_weights(f.w, f.size, weight);
		weight[3] = vf_zero();
		solved.witness = wp_witness_of_feature(&f, weight);
		solved.core_upper = vf_select(beyond, vf3_length(solved.witness.between), solved.core_upper);
		wp_forget_feature(&p, told, &solved);
		const bool is_distance = jobs->query == WP_QUERY_DISTANCE;
		answer = wp_contact_answer(&p, &solved, vf_set(is_distance ? 0.0f : jobs->max_separation));
		if (is_distance) {
			/* A tetrahedron has a common point; the nearest points of a smaller feature are all there is. */
			const bool has_whole = (vm_bits(vi_gt(f.size, vi_set(3))) & live) != 0;
			wp_witness meeting = solved.witness;
			if (has_whole) {
				const vf flat[4] = {weight[0], weight[1], weight[2], weight[3]};
				wp_witness common;
				wp_common_points(jobs->terms, &f, live, flat, &common);
				meeting = common;
			}
			wp_make_distance(&p, &solved, &meeting, &answer);
		}
		if (jobs->method == WP_JOB_CORE && !jobs->terms->smooth)
			wp_make_whole(jobs, &lanes, at, kind_a, kind_b, &answer);
	}
	answer.status = vi_or(vi_load(jobs->status + at), answer.status);
	wp_store_answer(jobs, at, live, &p, &answer);
}

/* Finish every job of a list, which is in ascending order: block by block those that are in it. */
#if WP_ONE_LANE_QUADS

WP_INLINE void wp_witness_run(wp_jobs *jobs, const int32_t *list, uint32_t total, int kind_a, int kind_b)
{
	for (uint32_t i = 0; i < total; i++) {
		const uint32_t at = (uint32_t)list[i];
		if (wp_one_has_witness(jobs, list[i]))
			wp_one_witness(jobs, list[i], kind_a, kind_b);
		else if (vm_any(wp_are_beyond(jobs, at)))
			wp_beyond_block(jobs, at, 1);
		else
			wp_witness_block(jobs, at, 1, kind_a, kind_b);
	}
}

#else

WP_INLINE void wp_witness_run(wp_jobs *jobs, const int32_t *list, uint32_t total, int kind_a, int kind_b)
{
	for (uint32_t i = 0; i < total;) {
		const uint32_t at = (uint32_t)list[i] & ~(uint32_t)(WP_WIDTH - 1);
		uint32_t live = 0;
		for (; i < total && (uint32_t)list[i] - at < WP_WIDTH; i++)
			live |= 1u << ((uint32_t)list[i] - at);
		if ((live & ~vm_bits(wp_are_beyond(jobs, at))) == 0)
			wp_beyond_block(jobs, at, live);
		else
			wp_witness_block(jobs, at, live, kind_a, kind_b);
	}
}

#endif

#endif
