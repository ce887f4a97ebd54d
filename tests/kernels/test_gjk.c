/* GJK of a whole bucket: its answers for a gap, an overlap and a limit are checked by their own proofs,
 * against every point of the difference. */
#include "wide/search/witness.h"
#include "wide/search/gjk.h"

#include "support/solids.h"

static const double rounding = 1e-6;

static int32_t list[JOBS];
static wp_scratch scratch;
static wp_kernel_work work;

static void run_gjk(void)
{
	for (int i = 0; i < JOBS; i++)
		list[i] = i;
	wp_gjk_run(&jobs, list, JOBS, &scratch, (int)jobs.kind_a, (int)jobs.kind_b, &work);
}

/* No point of the difference lies nearer than the bound along the direction. */
static void check_lower(int job)
{
	const v3 n = direction_of(job);
	CHECK(fabs(v3_length(n) - 1) < rounding, "direction of job %d has length %g", job, v3_length(n));
	const double plane = -farthest_difference(job, n);
	CHECK(fabs(plane - (double)jobs.core_lower[job]) < rounding, "job %d: bound %g, plane %g", job,
		(double)jobs.core_lower[job], plane);
}

/* The feature's nearest point is as near as the upper bound says. */
static void check_gap(int job)
{
	vf3 w[3];
	vf weight[3];
	for (int i = 0; i < 3; i++) {
		const int used = i < jobs.vertex_count[job] ? i : 0;
		const v3 p = difference_point(job, jobs.vertex[used][job]);
		w[i] = vf3_set(vf_set((float)p.x), vf_set((float)p.y), vf_set((float)p.z));
	}
	wp_feature_weights(w, vi_set(jobs.vertex_count[job]), weight);
	v3 nearest = v3_of(0, 0, 0);
	for (int i = 0; i < jobs.vertex_count[job]; i++) {
		WP_VECTOR_ALIGN float share[WP_WIDTH];
		vf_store(share, weight[i]);
		nearest = v3_add(nearest, v3_scale(difference_point(job, jobs.vertex[i][job]), (double)share[0]));
	}
	CHECK(fabs(v3_length(nearest) - (double)jobs.core_upper[job]) < rounding, "job %d: nearest point at %g, not %g",
		job, v3_length(nearest), (double)jobs.core_upper[job]);
	CHECK((double)jobs.core_upper[job] - (double)jobs.core_lower[job] < 2 * rounding, "job %d: bracket %g to %g", job,
		(double)jobs.core_lower[job], (double)jobs.core_upper[job]);
}

/* The origin is in the tetrahedron: the four volumes it makes with the faces have one sign. */
static void check_inside(int job)
{
	if (jobs.vertex_count[job] < 4) {
		CHECK((double)jobs.core_upper[job] <= rounding, "job %d touches at %g", job, (double)jobs.core_upper[job]);
		return;
	}
	v3 p[4];
	for (int i = 0; i < 4; i++)
		p[i] = difference_point(job, jobs.vertex[i][job]);
	const double volume = v3_dot(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])), v3_sub(p[3], p[0]));
	const double sign = volume < 0 ? -1 : 1;
	const double part[4] = {v3_dot(v3_cross(p[2], p[1]), p[3]), v3_dot(v3_cross(p[0], p[2]), p[3]),
		v3_dot(v3_cross(p[1], p[0]), p[3]), v3_dot(v3_cross(p[0], p[1]), p[2])};
	for (int i = 0; i < 4; i++)
		CHECK(-part[i] * sign > -rounding || i == 3, "job %d: corner %d has %g of %g", job, i, part[i], volume);
	CHECK(fabs(fabs(volume) - fabs(part[0]) - fabs(part[1]) - fabs(part[2]) - fabs(part[3])) < rounding,
		"job %d: the origin is outside of its tetrahedron", job);
}

static void check_bucket(uint32_t kind_a, uint32_t kind_b, uint32_t vertex_max)
{
	int gaps = 0, overlaps = 0;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		make_solids(seed, kind_a, kind_b, vertex_max);
		run_gjk();
		for (int job = 0; job < JOBS; job++) {
			const int32_t state = jobs.state[job];
			CHECK(state == WP_JOB_GAP || state == WP_JOB_INSIDE, "job %d ends as %d", job, state);
			CHECK(jobs.gjk_steps[job] > 0 && jobs.gjk_steps[job] < WP_GJK_STEP_MAX, "%d steps", jobs.gjk_steps[job]);
			check_lower(job);
			if (state == WP_JOB_GAP)
				check_gap(job);
			else
				check_inside(job);
			gaps += state == WP_JOB_GAP;
			overlaps += state == WP_JOB_INSIDE;
		}
	}
	CHECK(gaps > 100 && overlaps > 100, "%d gaps, %d overlaps", gaps, overlaps);
}

VARIANT_TEST(gjk, boxes) { check_bucket(WP_CORE_BOX, WP_CORE_BOX, 8); }
VARIANT_TEST(gjk, box_and_hull) { check_bucket(WP_CORE_BOX, WP_CORE_HULL, 20); }
VARIANT_TEST(gjk, hull_and_box) { check_bucket(WP_CORE_HULL, WP_CORE_BOX, 20); }
VARIANT_TEST(gjk, hulls) { check_bucket(WP_CORE_HULL, WP_CORE_HULL, 40); }

VARIANT_TEST(gjk, stops_where_the_limit_is_proven)
{
	int beyond = 0;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		make_solids(seed, WP_CORE_HULL, WP_CORE_BOX, 12);
		jobs.max_separation = 0.05f;
		run_gjk();
		for (int job = 0; job < JOBS; job++) {
			check_lower(job);
			if (jobs.state[job] == WP_JOB_BEYOND) {
				beyond++;
				CHECK(jobs.core_lower[job] > 0.05f, "job %d: %g", job, (double)jobs.core_lower[job]);
			}
		}
	}
	CHECK(beyond > 20, "%d", beyond);
}
