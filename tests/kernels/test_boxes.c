/* Boxes in closed form against the exact depth, with witness points that bear it out. */
#include "wide/closed/boxes_one.h"

#include "support/one_lane.h"
#include "support/solved.h"

static const double rounding = 1e-6;

static vm solve_block(const wp_prepared *p, wp_solved *s)
{
	const wp_boxes boxes = wp_boxes_of(p);
	const vm done = wp_boxes_solve(&jobs, p, &boxes, true, s);
#if WP_ONE_LANE_QUADS
	const wp_one_prepared one = one_prepared(p);
	wp_one_solved quads;
	const bool one_done = wp_one_boxes_solve(&jobs, &one, true, &quads);
	check_same_solved(done, s, one_done, &quads);
#endif
	return done;
}

static void check_solved(int job)
{
	const v3 n = direction_of(job), a = point_of(witness_a, job), b = point_of(witness_b, job);
	const double separation = (double)jobs.core_lower[job];
	CHECK(fabs(v3_length(n) - 1) < rounding, "direction of job %d has length %g", job, v3_length(n));
	CHECK(fabs(farthest_difference(job, n) + separation) < rounding, "job %d: support plane at %g, not %g", job,
		farthest_difference(job, n), -separation);
	if (jobs.state[job] == WP_JOB_BEYOND) {
		CHECK(separation > (double)jobs.max_separation, "job %d: beyond at %g", job, separation);
		return;
	}
	/* The support plane and the points prove a gap. */
	CHECK(jobs.state[job] == WP_JOB_GAP || fabs(exact_depth(job) + separation) < rounding, "job %d: depth %g, not %g",
		job, -separation, exact_depth(job));
	CHECK(outside_a(job, a) < rounding && outside_b(job, b) < rounding, "job %d: points outside by %g, %g", job,
		outside_a(job, a), outside_b(job, b));
	CHECK(v3_length(v3_sub(v3_sub(b, a), v3_scale(n, separation))) < 2 * rounding, "job %d: points do not match", job);
}

/* Returns how many jobs the axes solved. */
static int check_bucket(float max_separation)
{
	bool left[JOBS];
	int solved = 0;
	jobs.max_separation = max_separation;
	solve_jobs(solve_block, left);
	for (int job = 0; job < JOBS; job++) {
		if (left[job])
			CHECK((double)jobs.core_lower[job] > -1e-4 && jobs.core_lower[job] <= max_separation + 1e-6f,
				"job %d at %g is left", job, (double)jobs.core_lower[job]);
		else
			check_solved(job);
		solved += !left[job];
	}
	return solved;
}

VARIANT_TEST(boxes, random_poses)
{
	int solved = 0;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		make_solids(seed, WP_CORE_BOX, WP_CORE_BOX, 8);
		solved += check_bucket(0.01f);
	}
	CHECK(solved > 3 * JOBS / 2, "%d", solved);
}

/* Boxes that rest on each other: parallel up to a tilt from none to the rounding's size and beyond, where
 * the cross axes of parallel edges are made of rounding. */
VARIANT_TEST(boxes, nearly_parallel)
{
	static const double tilts[] = {0, 1e-9, 3e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
	int solved = 0;
	for (size_t i = 0; i < WP_COUNT_OF(tilts); i++) {
		make_solids(50 + i, WP_CORE_BOX, WP_CORE_BOX, 8);
		uint64_t seed = 90 + i;
		for (int job = 0; job < JOBS; job++) {
			const float turned = job % 3 == 0 ? 0.70710678f : 0.0f;
			const float q[4] = {(float)(tilts[i] * random_between(&seed, -1, 1)), turned,
				(float)(tilts[i] * random_between(&seed, -1, 1)), job % 3 == 0 ? 0.70710678f : 1.0f};
			const double depth = job % 4 == 0 ? 1e-4 : 0.02, x = random_between(&seed, -0.3, 0.3);
			const double height = (double)jobs.half_a[1][job] + (double)jobs.half_b[1][job] - depth;
			set_pose(job, q, v3_of(x, height, job % 5 == 0 ? 0 : random_between(&seed, -0.3, 0.3)), jobs.scale[job]);
		}
		solved += check_bucket(0.01f);
	}
	CHECK(solved > 7 * JOBS, "%d of %zu", solved, JOBS * WP_COUNT_OF(tilts));
}

/* Points, segments and plates: what has no volume overlaps nothing by an axis, and is left. */
VARIANT_TEST(boxes, flat_ones_are_left_or_apart)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		bool left[JOBS];
		make_solids(seed, WP_CORE_BOX, WP_CORE_BOX, 8);
		for (int job = 0; job < JOBS; job++)
			for (int axis = 0; axis < 3; axis++) {
				jobs.half_a[axis][job] *= (float)(axis == 1 && job % 2);
				jobs.half_b[axis][job] *= (float)(axis == 1);
			}
		jobs.max_separation = 0.01f;
		const uint32_t count = solve_jobs(solve_block, left);
		uint32_t beyond = 0;
		for (int job = 0; job < JOBS; job++)
			beyond += jobs.state[job] == WP_JOB_BEYOND;
		CHECK(beyond + count == JOBS, "%u apart, %u left", beyond, count);
	}
}
