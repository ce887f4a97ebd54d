/* Segments against boxes and segments in closed form, against the least distance by search, with normals and
 * witness points that bear it out; and hulls told apart by the boxes around them. */
#include "wide/closed.h"

#include "support/closed_forms.h"

static const double rounding = 1e-6;

/* Jobs of boxes of which those of a segment's side have no extent but along Y. Helpers see boxes. */
static void make_jobs(uint64_t seed, int kind_a, int kind_b)
{
	make_solids(seed, WP_CORE_BOX, WP_CORE_BOX, 8);
	for (int job = 0; job < JOBS; job++)
		for (int axis = 0; axis < 3; axis += 2) {
			jobs.half_a[axis][job] *= (float)(kind_a == WP_CORE_BOX);
			jobs.half_b[axis][job] *= (float)(kind_b == WP_CORE_BOX);
		}
}

/* Distance of the point c + s u from a box. */
static double distance_at(v3 c, v3 u, double s, v3 half)
{
	const v3 p = v3_add(c, v3_scale(u, s));
	return v3_length(v3_of(fmax(fabs(p.x) - half.x, 0), fmax(fabs(p.y) - half.y, 0), fmax(fabs(p.z) - half.z, 0)));
}

/* The least of them, which is convex in s, by a search that takes a third away each time. */
static double least_distance(v3 c, v3 u, double reach, v3 half)
{
	double low = -reach, high = reach;
	for (int i = 0; i < 200; i++) {
		const double left = low + (high - low) / 3, right = high - (high - low) / 3;
		if (distance_at(c, u, left, half) < distance_at(c, u, right, half))
			high = right;
		else
			low = left;
	}
	return distance_at(c, u, (low + high) / 2, half);
}

/* Distance of the cores of a job, B a segment, or A where B is a box. */
static double exact_distance(int job, int kind_b)
{
	const v3 half_a = v3_of((double)jobs.half_a[0][job], (double)jobs.half_a[1][job], (double)jobs.half_a[2][job]);
	const v3 half_b = v3_of((double)jobs.half_b[0][job], (double)jobs.half_b[1][job], (double)jobs.half_b[2][job]);
	const float *const pose = jobs.pose + 16 * job;
	const v3 origin = v3_of((double)pose[3], (double)pose[7], (double)pose[11]);
	if (kind_b == WP_CORE_SEGMENT)
		return least_distance(origin, transform(job, v3_of(0, 1, 0)), half_b.y, half_a);
	v3 axis[3];
	for (int j = 0; j < 3; j++)
		axis[j] = transform(job, v3_of(j == 0, j == 1, j == 2));
	const v3 centre = v3_of(-v3_dot(axis[0], origin), -v3_dot(axis[1], origin), -v3_dot(axis[2], origin));
	return least_distance(centre, v3_of(axis[0].y, axis[1].y, axis[2].y), half_a.y, half_b);
}

static void check_job(int job, int kind_b)
{
	const v3 n = direction_of(job), a = point_of(witness_a, job), b = point_of(witness_b, job);
	const double lower = (double)jobs.core_lower[job], upper = (double)jobs.core_upper[job];
	const double truth = exact_distance(job, kind_b);
	CHECK(fabs(v3_length(n) - 1) < rounding, "direction of job %d has length %g", job, v3_length(n));
	CHECK(fabs(farthest_difference(job, n) + lower) < rounding, "job %d: support plane at %g, not %g", job,
		-farthest_difference(job, n), lower);
	CHECK(lower <= truth + rounding && truth <= upper + rounding, "job %d: %.9g, not from %.9g to %.9g", job, truth, lower,
		upper);
	if (jobs.state[job] == WP_JOB_BEYOND) {
		CHECK(lower > (double)jobs.max_separation, "job %d: beyond at %g", job, lower);
		return;
	}
	CHECK(jobs.state[job] == WP_JOB_GAP && upper - lower <= rounding, "job %d: state %d, %.9g to %.9g", job,
		jobs.state[job], lower, upper);
	CHECK(outside_a(job, a) < rounding && outside_b(job, b) < rounding, "job %d: points outside by %g, %g", job,
		outside_a(job, a), outside_b(job, b));
	CHECK(v3_length(v3_sub(v3_sub(b, a), v3_scale(n, upper))) < 2 * rounding, "job %d: points do not match: %g", job, v3_length(v3_sub(v3_sub(b, a), v3_scale(n, upper))));
}

/* Returns how many jobs are solved; those that are not touch, or nearly. */
static int check_bucket(int kind_a, int kind_b, float max_separation)
{
	int solved = 0;
	jobs.max_separation = max_separation;
	for (uint32_t at = 0; at < JOBS; at += WP_WIDTH) {
		const wp_prepared p = prepared_block(at);
		const wp_boxes boxes = wp_boxes_of(&p);
		wp_solved s;
		const uint32_t done = vm_bits(wp_segments_solve(&jobs, &p, &boxes, kind_a, kind_b, &s));
		keep_solved(at, &s);
		for (uint32_t lane = 0; lane < WP_WIDTH && at + lane < JOBS; lane++) {
			const int job = (int)(at + lane);
			const double truth = exact_distance(job, kind_b);
			if (done >> lane & 1)
				check_job(job, kind_b);
			else
				CHECK(truth < 1e-2 || (double)(jobs.core_upper[job] - jobs.core_lower[job]) < rounding, "job %d at %g is left: %.9g to %.9g", job, truth, (double)jobs.core_lower[job],
					(double)jobs.core_upper[job]);
			solved += done >> lane & 1;
		}
	}
	return solved;
}

static void check_kinds(int kind_a, int kind_b, int enough)
{
	int solved = 0;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		make_jobs(seed, kind_a, kind_b);
		solved += check_bucket(kind_a, kind_b, seed % 2 ? 0.05f : __builtin_inff());
	}
	CHECK(solved >= enough * 40 * JOBS / 100, "%d of %d", solved, 40 * JOBS);
}

VARIANT_TEST(segments, segments) { check_kinds(WP_CORE_SEGMENT, WP_CORE_SEGMENT, 99); }
VARIANT_TEST(segments, box_and_segment) { check_kinds(WP_CORE_BOX, WP_CORE_SEGMENT, 65); }
VARIANT_TEST(segments, segment_and_box) { check_kinds(WP_CORE_SEGMENT, WP_CORE_BOX, 65); }

/* Put every job at a place where what is nearest changes or is more than one: axes and positions that stand
 * on each other or almost do, from no tilt to one far above rounding, and from lengths of zero. */
static void make_special(uint64_t seed, int kind_a, int kind_b, double tilt)
{
	static const float turns[4][4] = {{0, 0, 0, 1}, {0.70710678f, 0, 0, 0.70710678f}, {0, 0, 0.70710678f, 0.70710678f},
		{0.38268343f, 0, 0, 0.92387953f}};
	make_jobs(seed, kind_a, kind_b);
	for (int job = 0; job < JOBS; job++) {
		float q[4];
		for (int i = 0; i < 4; i++)
			q[i] = (float)((double)turns[job % 4][i] + tilt * random_between(&seed, -1, 1));
		for (int axis = 0; axis < 3; axis++) {
			jobs.half_a[axis][job] *= 0.5f;
			jobs.half_b[axis][job] *= 0.5f;
		}
		if (job % 5 == 0)
			jobs.half_a[1][job] = 0.0f;
		if (job % 7 == 0)
			jobs.half_b[1][job] = 0.0f;
		if (job % 11 == 0)
			jobs.half_b[1][job] *= 1e-4f;
		/* A gap along one axis; along the others ends are level with each other, or faces and middles. */
		const int axis = job % 3, level = job % 2;
		double at[3];
		for (int i = 0; i < 3; i++)
			at[i] = level ? (double)(jobs.half_a[i][job] + (i == 1 ? jobs.half_b[1][job] : 0.0f)) : 0.0;
		at[axis] = (double)jobs.half_a[axis][job] + 0.35 + 0.1 * (job % 4);
		set_pose(job, q, v3_of(at[0], at[1], at[2]), 1.0f);
	}
}

static const double tilts[] = {0, 1e-9, 3e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};

static void check_special(int kind_a, int kind_b)
{
	int solved = 0;
	for (size_t i = 0; i < WP_COUNT_OF(tilts); i++)
		for (uint64_t seed = 100; seed < 110; seed++) {
			make_special(seed + 10 * i, kind_a, kind_b, tilts[i]);
			solved += check_bucket(kind_a, kind_b, __builtin_inff());
		}
	CHECK(solved >= 95 * 10 * JOBS * (int)WP_COUNT_OF(tilts) / 100, "%d", solved);
}

VARIANT_TEST(segments, parallel_segments) { check_special(WP_CORE_SEGMENT, WP_CORE_SEGMENT); }
VARIANT_TEST(segments, parallel_to_box) { check_special(WP_CORE_BOX, WP_CORE_SEGMENT); }
VARIANT_TEST(segments, box_parallel_to_segment) { check_special(WP_CORE_SEGMENT, WP_CORE_BOX); }

/* Cores that cross, or have a point in common, have no gap to tell of. */
VARIANT_TEST(segments, touching_ones_are_left)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		make_jobs(seed, WP_CORE_BOX, WP_CORE_SEGMENT);
		for (int job = 0; job < JOBS; job++) {
			float q[4];
			for (int i = 0; i < 4; i++)
				q[i] = (float)random_between(&seed, -1, 1);
			set_pose(job, q, v3_of(0, 0, 0), 1.0f);
		}
		const int solved = check_bucket(WP_CORE_BOX, WP_CORE_SEGMENT, __builtin_inff());
		CHECK(solved == 0, "%d solved", solved);
	}
}

/* Hulls proven apart by their boxes are, along the direction that is told. */
VARIANT_TEST(segments, hulls_apart)
{
	int beyond = 0;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		make_solids(seed, WP_CORE_HULL, WP_CORE_HULL, 12);
		jobs.max_separation = 0.01f;
		for (int job = 0; job < JOBS; job++) {
			for (int axis = 0; axis < 3; axis++) {
				float most_a = 0.0f, most_b = 0.0f;
				for (uint32_t i = 0; i < hulls_a[job].count; i++)
					most_a = fmaxf(most_a, fabsf(hulls_a[job].x[(uint32_t)axis * hulls_a[job].padded + i]));
				for (uint32_t i = 0; i < hulls_b[job].count; i++)
					most_b = fmaxf(most_b, fabsf(hulls_b[job].x[(uint32_t)axis * hulls_b[job].padded + i]));
				jobs.half_a[axis][job] = most_a;
				jobs.half_b[axis][job] = most_b;
			}
			/* Further apart than solids are made. */
			for (int i = 0; i < 3; i++)
				jobs.pose[16 * job + 4 * i + 3] *= 2.0f;
		}
		for (uint32_t at = 0; at < JOBS; at += WP_WIDTH) {
			const wp_prepared p = prepared_block(at);
			const wp_boxes boxes = wp_boxes_of(&p);
			wp_solved s;
			const uint32_t done = vm_bits(wp_closed_apart(&jobs, &p, &boxes, &s));
			keep_solved(at, &s);
			for (uint32_t lane = 0; lane < WP_WIDTH && at + lane < JOBS; lane++) {
				const int job = (int)(at + lane);
				const double gap = -farthest_difference(job, direction_of(job));
				if (done >> lane & 1)
					CHECK(gap > (double)jobs.max_separation && (double)jobs.core_lower[job] <= gap + rounding,
						"job %d: %g apart, not %g", job, gap, (double)jobs.core_lower[job]);
				beyond += done >> lane & 1;
			}
		}
	}
	CHECK(beyond > 20 * JOBS / 10, "%d", beyond);
}
