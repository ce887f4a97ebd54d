/* Contacts by sampled directions, one pair per lane: the widest gap of the support planes across any of them.
 *
 * The separation of convex shapes is the largest gap of two support planes across any direction, gaps and overlaps alike.
 * So each direction bounds it from below. From above: let n be within an angle t of a direction d whose support point of
 * the difference A - B is w, g = -d . w its gap and p = |w + g d| how far w is from the line along d. The plane across n
 * cannot be behind w, so its gap is at most -n . w, which is at most g cos(t) + p sin(t), or |w| where w itself is within
 * that angle. Directions that come as near as t to every n bound all gaps so; and no gap is larger than any |w|. */
#ifndef WP_WIDE_METHOD_SAMPLED_H
#define WP_WIDE_METHOD_SAMPLED_H

#include "wide/job/method_table.h"
#include "wide/job/store.h"
#include "wide/support/support.h"

/* What the sums of caps add to the rounding of supports, in units of it: the products above, and lengths of w. */
#define WP_CAP_ROUNDINGS 3.0f

/* What the directions so far have shown. */
typedef struct wp_sampled {
	vf gap;   /* the widest */
	vf3 n;    /* across which */
	vf cap;   /* bound of all gaps within the angle that directions cover */
	vf near2; /* square of the smallest |w| */
	/* Support of cores of any kinds: the search's own, since it is large. */
	wp_find_support *support;
} wp_sampled;

/* The support point of A - B along n. */
WP_INLINE vf3 wp_sampled_support(const wp_sampled *s, const wp_lanes *lanes, int kind_a, int kind_b, vf3 n)
{
	wp_vertex v;
	vf3 a;
	s->support(lanes, lanes->live, kind_a, kind_b, &n, &v, &a);
	return v.w;
}

/* What the support point w along n shows of the lanes `wanted`. */
WP_INLINE void wp_sample(wp_sampled *s, vf3 n, vf3 w, vm wanted, vf *gap)
{
	*gap = vf_neg(vf3_dot(n, w));
	const vm wider = vm_and(vf_gt(*gap, s->gap), wanted);
	const vf length2 = vf3_dot(w, w);
	s->gap = vf_select(wider, *gap, s->gap);
	s->n = vf3_select(wider, n, s->n);
	s->near2 = vf_select(wanted, vf_min(length2, s->near2), s->near2);
}

/* The directions that cover all others. `s` is copied, so that it can be kept in registers. */
WP_INLINE void wp_sample_covering(
	wp_sampled *result, const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b, bool are_boxes)
{
	const wp_directions *const d = &jobs->directions;
	const vf cosine = vf_set(d->cosine), cosine2 = vf_set(d->cosine2), sine = vf_set(d->sine), zero = vf_zero();
	wp_sampled s = *result;
	for (uint32_t i = 0; i < d->count; i++) {
		const vf3 n = vf3_set(vf_set(d->at[i][0]), vf_set(d->at[i][1]), vf_set(d->at[i][2]));
		vf gap;
		vf3 a;
		const vf3 w = are_boxes ? wp_support(lanes, lanes->live, WP_CORE_BOX, WP_CORE_BOX, n, &a).w
		                        : wp_sampled_support(result, lanes, kind_a, kind_b, n);
		wp_sample(&s, n, w, vm_all(), &gap);
		const vf3 aside = vf3_add(w, vf3_scale(n, gap));
		const vf aside2 = vf3_dot(aside, aside), to_sine = vf_mul(gap, sine);
		const vm holds = vm_and(vf_gt(gap, zero), vf_ge(vf_mul(to_sine, to_sine), vf_mul(aside2, cosine2)));
		const vf root = vf_sqrt(vf_select(holds, vf3_dot(w, w), aside2));
		s.cap = vf_max(s.cap, vf_select(holds, root, vf_add(vf_mul(gap, cosine), vf_mul(root, sine))));
	}
	*result = s;
}

/* The same of any kinds. The loop of two boxes is one without calls. */
WP_INLINE void wp_sample_all_covering(wp_sampled *s, const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b)
{
	if (kind_a == WP_CORE_BOX && kind_b == WP_CORE_BOX)
		wp_sample_covering(s, jobs, lanes, kind_a, kind_b, true);
	else
		wp_sample_covering(s, jobs, lanes, kind_a, kind_b, false);
}

/* Look along one of a few directions. */
WP_NOINLINE void wp_sample_one(
	wp_sampled *s, const wp_lanes *lanes, int kind_a, int kind_b, const vf3 *n, const vm *wanted)
{
	vf gap;
	wp_sample(s, *n, wp_sampled_support(s, lanes, kind_a, kind_b, *n), *wanted, &gap);
}

/* Axes of B, both ways, and the line of the origins. The axes of A are among the covering ones. */
WP_INLINE void wp_sample_axes(wp_sampled *s, const wp_lanes *lanes, int kind_a, int kind_b)
{
	const vm all = vm_all();
	for (int i = 0; i < 3; i++) {
		const vf3 axis = vf33_axis(&lanes->rotation, i), back = vf3_neg(axis);
		wp_sample_one(s, lanes, kind_a, kind_b, &axis, &all);
		wp_sample_one(s, lanes, kind_a, kind_b, &back, &all);
	}
	const vf3 line = vf3_unit(lanes->translation, vf3_up());
	wp_sample_one(s, lanes, kind_a, kind_b, &line, &all);
}

#define WP_SAMPLED_AXES 7

/* Faces of the hulls of one side, no more than there are covering directions. Faces of B look towards A. Returns how many
 * they are. */
WP_NOINLINE vi wp_sample_faces(wp_sampled *s, const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b,
	const wp_core *const *cores, bool of_b)
{
	WP_VECTOR_ALIGN int32_t count[WP_WIDTH];
	uint32_t most = 0;
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		const uint32_t faces = cores[lanes->job[lane]]->face_count;
		count[lane] = (int32_t)(faces < jobs->directions.count ? faces : jobs->directions.count);
		most = (uint32_t)count[lane] > most ? (uint32_t)count[lane] : most;
	}
	const vi counts = vi_load(count);
	for (uint32_t face = 0; face < most; face++) {
		WP_VECTOR_ALIGN float x[WP_WIDTH], y[WP_WIDTH], z[WP_WIDTH];
		vf3_store(x, y, z, vf3_up());
		WP_ROLLED
		for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
			if (face >= (uint32_t)count[lane])
				continue;
			const wp_core *const core = cores[lanes->job[lane]];
			const float *const normal = core->normals + face;
			const size_t stride = wp_padded_faces(core);
			x[lane] = normal[0];
			y[lane] = normal[stride];
			z[lane] = normal[2 * stride];
		}
		const vf3 own = vf3_unit(vf3_load(x, y, z), vf3_up());
		const vf3 n = of_b ? vf3_neg(vf33_apply(&lanes->rotation, own)) : own;
		const vm has = vi_gt(counts, vi_set((int32_t)face));
		wp_sample_one(s, lanes, kind_a, kind_b, &n, &has);
	}
	return counts;
}

WP_INLINE wp_answer wp_sampled_answer(const wp_jobs *jobs, const wp_prepared *p, const wp_sampled *s, vf3 a, vf3 b)
{
	const vf unscale = wp_inverse_scale(p->scale), max_separation = vf_set(jobs->max_separation);
	const vf radius_a = vf_mul(p->radius_a, p->scale), radius_b = vf_mul(p->radius_b, p->scale);
	const vf radii = vf_add(radius_a, radius_b);
	const vf capped = vf_add(s->cap, vf_mul(p->rounding, vf_set(WP_CAP_ROUNDINGS)));
	const vf core_upper = vf_min(capped, vf_sqrt(s->near2));
	const wp_solved best = {vi_zero(), s->gap, core_upper, s->n, wp_witness_of(a, b)};
	const vf below = vf_sub(wp_credible_lower(&best, core_upper), radii), above = vf_sub(core_upper, radii);
	const vf lower = vf_mul(vf_sub(below, wp_rounding_of(p, radii, s->gap)), unscale);
	const vf upper = vf_mul(vf_add(above, wp_rounding_of(p, radii, core_upper)), unscale);

	const vm beyond = vf_gt(lower, max_separation);
	const vf separation = vf_select(beyond, lower, vf_mul(vf_sub(s->gap, radii), unscale));
	const vf3 point_a = vf3_add(a, vf3_scale(s->n, radius_a)), point_b = vf3_sub(b, vf3_scale(s->n, radius_b));
	return (wp_answer){.separation = separation,
		.lower = lower,
		.upper = upper,
		.normal = wp_sharpen(vf33_apply(&p->frame, s->n)),
		.point_a = vf3_scale(vf33_apply(&p->frame, point_a), unscale),
		.point_b = vf3_scale(vf33_apply(&p->frame, point_b), unscale),
		.state = vi_select(p->fit, vi_set(WP_JOB_GAP), vi_set(WP_JOB_STRONG)),
		.status = wp_loose_bits(p, separation, lower, upper, beyond)};
}

/* Put the jobs of the block at `at` into lanes; lanes past the last one have the block's first. */
WP_INLINE void wp_sampled_open(
	wp_lanes *lanes, const wp_jobs *jobs, uint32_t at, wp_scratch *scratch, int kind_a, int kind_b)
{
	int32_t list[WP_WIDTH];
	const uint32_t present = wp_present_lanes(jobs->count, at);
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		list[lane] = (int32_t)(present >> lane & 1 ? at + lane : at);
	wp_lanes_open(lanes, scratch->hulls, jobs, list, WP_WIDTH, kind_a, kind_b);
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		lanes->job[lane] = list[lane];
	lanes->job_v = vi_load(lanes->job);
	lanes->live = present;
	wp_lanes_load(lanes, jobs, kind_a, kind_b);
	wp_lanes_copy_hulls(lanes, kind_a, kind_b);
}

WP_NOINLINE void wp_sampled_block(wp_jobs *jobs, uint32_t at, wp_scratch *scratch, int kind_a, int kind_b,
	wp_find_support *support, wp_kernel_work *work)
{
	wp_prepared p = wp_prepare_block(jobs, jobs->terms, at);
	wp_store_prepared(jobs, at, &p, p.translation);
	p.radius_a = vf_load(jobs->radius_a + at);
	p.radius_b = vf_load(jobs->radius_b + at);
	wp_lanes lanes;
	wp_sampled_open(&lanes, jobs, at, scratch, kind_a, kind_b);

	const vf least = vf_set(-WP_INFINITY);
	wp_sampled s = {.gap = least, .n = vf3_up(), .cap = least, .near2 = vf_set(WP_INFINITY), .support = support};
	wp_sample_all_covering(&s, jobs, &lanes, kind_a, kind_b);
	wp_sample_axes(&s, &lanes, kind_a, kind_b);
	vi looked = vi_set((int32_t)jobs->directions.count + WP_SAMPLED_AXES);
	if (kind_a == WP_CORE_HULL)
		looked = vi_add(looked, wp_sample_faces(&s, jobs, &lanes, kind_a, kind_b, jobs->core_a, false));
	if (kind_b == WP_CORE_HULL)
		looked = vi_add(looked, wp_sample_faces(&s, jobs, &lanes, kind_a, kind_b, jobs->core_b, true));
	/* The points that the planes go through. */
	vf3 a, b;
	wp_vertex v;
	support(&lanes, lanes.live, kind_a, kind_b, &s.n, &v, &a);
	if (jobs->terms->smooth)
		b = vf3_sub(a, v.w);
	else
		wp_vertex_of_id(&lanes, lanes.live, kind_a, kind_b, v.id, &a, &b);
	wp_answer answer = wp_sampled_answer(jobs, &p, &s, a, b);
	vi_store(jobs->gjk_steps + at, looked);
	vi_store(jobs->epa_steps + at, vi_zero());
	vi_store(jobs->vertex_count + at, vi_set(WP_NO_FEATURE));
	wp_store_answer(jobs, at, WP_ALL_LANES, &p, &answer);
	work->lanes_issued += (uint64_t)WP_WIDTH * jobs->directions.count;
	work->lanes_live += (uint64_t)wp_live_count(&lanes) * jobs->directions.count;
}

/* Answer all jobs of a bucket. */
WP_INLINE void wp_sampled_run(
	wp_jobs *jobs, wp_scratch *scratch, wp_kernel_work *work, int kind_a, int kind_b, wp_find_support *support)
{
	for (uint32_t at = 0; at < jobs->count; at += WP_WIDTH)
		wp_sampled_block(jobs, at, scratch, kind_a, kind_b, support, work);
}

#endif
