/* Segments against segments and boxes in closed form: brackets around the distance that a search along the
 * segment finds in double, with normals and witness points that bear them out. And the boxes around hulls,
 * which may call apart only what is. */
#include "wide/closed/closed.h"

#include "support/one_lane.h"
#include "support/solved.h"

static const double rounding = 1e-6;

typedef struct kind_pair {
	uint32_t a, b;
} kind_pair;

static const kind_pair segment_pairs[] = {
	{WP_CORE_SEGMENT, WP_CORE_SEGMENT}, {WP_CORE_BOX, WP_CORE_SEGMENT}, {WP_CORE_SEGMENT, WP_CORE_BOX}};

enum { PAIR_JOBS = (int)WP_COUNT_OF(segment_pairs) * JOBS };

/* The form of a bucket of the kinds that the jobs have. */
static wp_closed_form form_of_jobs(void)
{
	return jobs.kind_a == WP_CORE_BOX || jobs.kind_b == WP_CORE_BOX ? WP_CLOSED_BOX_SEGMENT : WP_CLOSED_SEGMENTS;
}

static vm solve_segments(const wp_prepared *p, wp_solved *s)
{
	const wp_boxes boxes = wp_boxes_of(p);
	const bool has_box = form_of_jobs() == WP_CLOSED_BOX_SEGMENT;
	const vm done = wp_segments_solve(&jobs, p, &boxes, has_box, jobs.kind_b == WP_CORE_SEGMENT, s);
#if WP_ONE_LANE_QUADS
	const wp_one_prepared one = one_prepared(p);
	wp_one_solved quads;
	const bool one_done = wp_one_segments_solve(&jobs, &one, has_box, jobs.kind_b == WP_CORE_SEGMENT, &quads);
	check_same_solved(done, s, one_done, &quads);
#endif
	return done;
}

static bool has_hulls(void) { return jobs.kind_a == WP_CORE_HULL || jobs.kind_b == WP_CORE_HULL; }

static vf limit_of_apart(const wp_prepared *p)
{
	return wp_limit_of(&jobs, p->terms, p->scale, wp_radii_of(p->scale, p->radius_a, p->radius_b));
}

static vm solve_closed(const wp_prepared *p, wp_solved *s)
{
	const vm done = has_hulls() ? wp_closed_apart(p, limit_of_apart(p), s)
	                            : wp_closed_solve(&jobs, p, WP_ALL_LANES, form_of_jobs(), s);
#if WP_ONE_LANE_QUADS
	const wp_one_prepared one = one_prepared(p);
	wp_one_solved quads;
	const bool one_done = has_hulls() ? wp_one_apart(&one, limit_of_apart(p), &quads)
	                                  : wp_one_solve(&jobs, &one, form_of_jobs(), &quads);
	check_same_solved(done, s, one_done, &quads);
#endif
	return done;
}

/* ---- the oracle --------------------------------------------------------------------------------- */

/* A segment in the frame of the box, which may be a segment too. */
typedef struct placed {
	v3 half, centre, along;
	double reach;
} placed;

static v3 half_of(float (*half)[WP_JOB_MAX], int job)
{
	const double scale = (double)jobs.scale[job];
	return v3_scale(v3_of((double)half[0][job], (double)half[1][job], (double)half[2][job]), scale);
}

static placed placed_of(int job)
{
	const float *const x = jobs.pose + 16 * job, *const y = x + 4, *const z = y + 4;
	const v3 half_a = half_of(jobs.half_a, job), half_b = half_of(jobs.half_b, job);
	if (jobs.kind_b == WP_CORE_SEGMENT)
		return (placed){half_a, v3_of((double)x[3], (double)y[3], (double)z[3]),
			v3_of((double)x[1], (double)y[1], (double)z[1]), half_b.y};
	return (placed){
		half_b, to_frame_of_b(job, v3_of(0, 0, 0)), v3_of((double)y[0], (double)y[1], (double)y[2]), half_a.y};
}

static double distance_at(const placed *p, double s)
{
	const v3 at = v3_add(p->centre, v3_scale(p->along, s));
	const double x = fabs(at.x) - p->half.x, y = fabs(at.y) - p->half.y, z = fabs(at.z) - p->half.z;
	return v3_length(v3_of(fmax(x, 0), fmax(y, 0), fmax(z, 0)));
}

/* The distance from a box is convex along a segment, so its least value is found by thirds. */
static double least_distance(const placed *p)
{
	double low = -p->reach, high = p->reach;
	for (int i = 0; i < 100; i++) {
		const double s = low + (high - low) / 3, t = high - (high - low) / 3;
		if (distance_at(p, s) <= distance_at(p, t))
			high = t;
		else
			low = s;
	}
	return distance_at(p, (low + high) / 2);
}

static double exact_distance(int job)
{
	const placed p = placed_of(job);
	return least_distance(&p);
}

/* Cores further apart than this are beyond what the query requests. */
static double limit_of(int job)
{
	const double radii = (double)jobs.scale[job] * ((double)jobs.radius_a[job] + (double)jobs.radius_b[job]);
	return jobs.query == WP_QUERY_CONTACT ? radii + (double)jobs.scale[job] * (double)jobs.max_separation
	     : jobs.query == WP_QUERY_OVERLAP ? radii
	                                      : INFINITY;
}

/* ---- what is done ------------------------------------------------------------------------------- */

static void check_plane(int job)
{
	const v3 n = direction_of(job);
	const double plane = -farthest_difference(job, n), lower = (double)jobs.core_lower[job];
	CHECK(fabs(v3_length(n) - 1) < rounding, "direction of job %d has length %g", job, v3_length(n));
	CHECK(fabs(plane - lower) < rounding, "job %d: support plane at %a, not %a", job, plane, lower);
}

/* Returns whether the points are where the separation along the normal puts them; where they are not, the answer
 * does not stand. */
static bool check_gap(int job)
{
	const v3 n = direction_of(job), a = point_of(witness_a, job), b = point_of(witness_b, job), between = v3_sub(b, a);
	const double lower = (double)jobs.core_lower[job], upper = (double)jobs.core_upper[job],
				 truth = exact_distance(job);
	CHECK(lower > 0 && fabs(upper - lower) < rounding && truth < upper + rounding, "job %d: bracket %a to %a around %a",
		job, lower, upper, truth);
	CHECK(truth < limit_of(job) + rounding, "job %d at %a is not beyond %a", job, truth, limit_of(job));
	CHECK(outside_a(job, a) < rounding && outside_b(job, b) < rounding, "job %d: points outside by %g, %g", job,
		outside_a(job, a), outside_b(job, b));
	CHECK(
		fabs(v3_length(between) - upper) < rounding, "job %d: points %a apart, not %a", job, v3_length(between), upper);
	return v3_length(v3_sub(between, v3_scale(n, upper))) < 2 * rounding;
}

/* Returns whether the answer stands. */
static bool check_done(int job)
{
	const double lower = (double)jobs.core_lower[job], truth = exact_distance(job);
	check_plane(job);
	CHECK(lower < truth + rounding, "job %d: at least %a, which is %a", job, lower, truth);
	if (jobs.state[job] == WP_JOB_GAP)
		return check_gap(job);
	CHECK(jobs.state[job] == WP_JOB_BEYOND, "job %d ends as %d", job, jobs.state[job]);
	CHECK(lower > limit_of(job), "job %d: %a is not beyond %a", job, lower, limit_of(job));
	return true;
}

/* Returns how many answers stand. */
static int check_bucket(void)
{
	bool left[JOBS];
	int stand = 0;
	solve_jobs(solve_segments, left);
	for (int job = 0; job < JOBS; job++)
		stand += !left[job] && check_done(job);
	return stand;
}

/* ---- random poses ------------------------------------------------------------------------------- */

static int count_apart(void)
{
	int apart = 0;
	for (int job = 0; job < JOBS; job++)
		apart += exact_distance(job) > rounding;
	return apart;
}

/* Every other pair four times as large in the caller's lengths. */
static void vary_scales(void)
{
	for (int job = 1; job < JOBS; job += 2) {
		jobs.scale[job] = jobs.pose[16 * job + 12] = 0.25f;
		for (int axis = 0; axis < 3; axis++) {
			jobs.half_a[axis][job] *= 4;
			jobs.half_b[axis][job] *= 4;
		}
	}
}

static void check_random_poses(uint32_t query)
{
	for (size_t k = 0; k < WP_COUNT_OF(segment_pairs); k++) {
		int apart = 0, beyond = 0;
		for (uint64_t seed = 1; seed <= 30; seed++) {
			make_solids(seed, segment_pairs[k].a, segment_pairs[k].b, 8);
			vary_scales();
			jobs.query = query;
			uint64_t random = 70 + seed;
			for (int job = 0; job < JOBS; job++) {
				jobs.radius_a[job] = (float)random_between(&random, 0, 0.1);
				jobs.radius_b[job] = (float)random_between(&random, 0, 0.1);
			}
			jobs.max_separation = seed % 2 ? INFINITY : 0.05f;
			CHECK(check_bucket() == count_apart(), "seed %d: not all are solved that are apart", (int)seed);
			apart += count_apart();
			for (int job = 0; job < JOBS; job++)
				beyond += jobs.state[job] == WP_JOB_BEYOND && exact_distance(job) > rounding;
		}
		CHECK(apart > 30 * JOBS / 2, "%d apart", apart);
		CHECK(query == WP_QUERY_DISTANCE ? beyond == 0 : beyond > apart / 8 && beyond < apart, "%d of %d beyond",
			beyond, apart);
	}
}

VARIANT_TEST(segments, contact_in_random_poses) { check_random_poses(WP_QUERY_CONTACT); }
VARIANT_TEST(segments, distance_in_random_poses) { check_random_poses(WP_QUERY_DISTANCE); }
VARIANT_TEST(segments, overlap_in_random_poses) { check_random_poses(WP_QUERY_OVERLAP); }

/* ---- hard poses --------------------------------------------------------------------------------- */

/* Half size of the box, which may be a segment. */
static v3 box_of(int job) { return half_of(jobs.kind_b == WP_CORE_SEGMENT ? jobs.half_a : jobs.half_b, job); }

static double reach_of(int job) { return half_of(jobs.kind_b == WP_CORE_SEGMENT ? jobs.half_b : jobs.half_a, job).y; }

/* Lay the segment along a direction of the box's frame, or against it. */
static void lay(int job, v3 along, v3 centre)
{
	const bool turns = along.y < -fabs(along.x) - fabs(along.z);
	const v3 d = v3_scale(v3_unit(along), turns ? -1 : 1);
	float q[4] = {(float)d.z, 0, (float)-d.x, (float)(1 + d.y)};
	if (jobs.kind_b != WP_CORE_SEGMENT) {
		centre = v3_scale(m3_apply_inverse(m3_of_quaternion(q), centre), -1);
		for (int i = 0; i < 3; i++)
			q[i] = -q[i];
	}
	set_pose(job, q, centre, jobs.scale[job]);
}

static double random_sign(uint64_t *seed) { return random_below(seed, 2) ? 1.0 : -1.0; }

static v3 random_direction(uint64_t *seed)
{
	const double x = random_between(seed, -1, 1), y = random_between(seed, -1, 1);
	return v3_unit(v3_of(x, y, random_between(seed, -1, 1)));
}

/* Lays one job; `value` is a tilt or a gap. */
typedef void layer(uint64_t *seed, int job, double value);

/* Lay all jobs of each pair of kinds, and check them. Returns how many answers stand. */
static int check_laid(uint64_t seed, layer *lay_job, double value)
{
	int stand = 0;
	for (size_t k = 0; k < WP_COUNT_OF(segment_pairs); k++) {
		make_solids(seed, segment_pairs[k].a, segment_pairs[k].b, 8);
		for (int job = 0; job < JOBS; job++)
			lay_job(&seed, job, value);
		stand += check_bucket();
	}
	return stand;
}

/* Along an axis of the box but for a tilt, beside a face, an edge or a vertex, or in the very plane of a face. */
static void lay_parallel(uint64_t *seed, int job, double tilt)
{
	const v3 half = box_of(job);
	const double h[3] = {half.x, half.y, half.z};
	const uint32_t axis = random_below(seed, 3);
	double along[3], centre[3];
	for (uint32_t i = 0; i < 3; i++) {
		const uint32_t place = random_below(seed, 4);
		const double gap = place == 1 ? 0 : place == 2 ? random_between(seed, 0, 1e-3) : random_between(seed, 0, 0.3);
		along[i] = i == axis ? random_sign(seed) : tilt * random_between(seed, -1, 1);
		centre[i] = place == 0 ? random_between(seed, -h[i], h[i]) : random_sign(seed) * (h[i] + gap);
		if (i == axis)
			centre[i] = random_between(seed, -1.2, 1.2) * (h[i] + reach_of(job));
	}
	lay(job, v3_of(along[0], along[1], along[2]), v3_of(centre[0], centre[1], centre[2]));
}

/* Tilts of the rounding's size take the normal its digits: some of those jobs are left. */
VARIANT_TEST(segments, nearly_parallel)
{
	static const double tilts[] = {0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
	for (size_t i = 0; i < WP_COUNT_OF(tilts); i++) {
		int stand = 0;
		for (uint64_t seed = 1; seed <= 10; seed++)
			stand += check_laid(100 * i + seed, lay_parallel, tilts[i]);
		CHECK(stand > 10 * PAIR_JOBS * 6 / 10, "%d of %d with a tilt of %g", stand, 10 * PAIR_JOBS, tilts[i]);
	}
}

static double component(v3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

/* The points are in the middle of what a box and a segment along its axis share, where they do. Returns whether. */
static bool check_middle(int job)
{
	const placed p = placed_of(job);
	const int axis = fabs(p.along.x) > 0.5 ? 0 : fabs(p.along.y) > 0.5 ? 1 : 2;
	const double half = component(p.half, axis), centre = component(p.centre, axis);
	const double low = fmax(-half, centre - p.reach), high = fmin(half, centre + p.reach), middle = (low + high) / 2;
	const bool in_a = jobs.kind_b == WP_CORE_SEGMENT;
	const double at = component(in_a ? point_of(witness_a, job) : to_frame_of_b(job, point_of(witness_b, job)), axis);
	CHECK(low > high || fabs(at - middle) < rounding, "job %d at %a, not %a", job, at, middle);
	return low < high;
}

VARIANT_TEST(segments, middle_of_level_stretches)
{
	for (size_t k = 0; k < WP_COUNT_OF(segment_pairs); k++) {
		int checked = 0;
		for (uint64_t seed = 1; seed <= 20; seed++) {
			bool left[JOBS];
			uint64_t random = 300 + seed;
			make_solids(seed, segment_pairs[k].a, segment_pairs[k].b, 8);
			for (int job = 0; job < JOBS; job++)
				lay_parallel(&random, job, 0);
			solve_jobs(solve_segments, left);
			for (int job = 0; job < JOBS; job++)
				checked += !left[job] && check_middle(job);
		}
		CHECK(checked > 20 * JOBS / 6, "%d checked", checked);
	}
}

/* A point of a random feature of the box, and a direction in which it is the farthest one. */
static v3 random_feature(uint64_t *seed, int job, v3 *out)
{
	const v3 half = box_of(job);
	const double h[3] = {half.x, half.y, half.z};
	const uint32_t first = random_below(seed, 3);
	double p[3], n[3];
	for (uint32_t i = 0; i < 3; i++) {
		const bool at_side = i == first || random_below(seed, 2), leans = i == first || random_below(seed, 4);
		const double side = random_sign(seed);
		p[i] = at_side ? side * h[i] : random_between(seed, -h[i], h[i]);
		n[i] = at_side && leans ? side * random_between(seed, 0.01, 1) : 0;
	}
	*out = v3_unit(v3_of(n[0], n[1], n[2]));
	return v3_of(p[0], p[1], p[2]);
}

static void check_is_laid(int job, double gap)
{
	CHECK(fabs(exact_distance(job) - gap) < rounding, "job %d lies at %a, not %a", job, exact_distance(job), gap);
}

/* An end of the segment at a distance from a feature, the rest of it further away. */
static void lay_end(uint64_t *seed, int job, double gap)
{
	v3 out;
	const v3 feature = random_feature(seed, job, &out), p = v3_add(feature, v3_scale(out, gap));
	const v3 d = random_direction(seed);
	const double away = v3_dot(d, out) < 0 ? -1 : 1;
	lay(job, d, v3_add(p, v3_scale(d, away * reach_of(job))));
	check_is_laid(job, gap);
}

/* The inside of the segment at a distance from a feature, upright on the way there. */
static void lay_inside(uint64_t *seed, int job, double gap)
{
	v3 out;
	const v3 feature = random_feature(seed, job, &out), p = v3_add(feature, v3_scale(out, gap));
	const v3 d = random_direction(seed), across = v3_unit(v3_sub(d, v3_scale(out, v3_dot(d, out))));
	lay(job, across, v3_add(p, v3_scale(across, reach_of(job) * random_between(seed, -0.9, 0.9))));
	check_is_laid(job, gap);
}

static void check_near_features(layer *lay_job)
{
	static const double gaps[] = {1e-5, 1e-4, 1e-3, 1e-2, 0.2};
	for (size_t i = 0; i < WP_COUNT_OF(gaps); i++) {
		int stand = 0;
		for (uint64_t seed = 1; seed <= 10; seed++)
			stand += check_laid(100 * i + seed, lay_job, gaps[i]);
		CHECK(stand > 10 * PAIR_JOBS * 98 / 100, "%d of %d at %g", stand, 10 * PAIR_JOBS, gaps[i]);
	}
}

VARIANT_TEST(segments, ends_over_features) { check_near_features(lay_end); }
VARIANT_TEST(segments, insides_over_features) { check_near_features(lay_inside); }

/* Through a point of the box. */
static void lay_through(uint64_t *seed, int job, double unused)
{
	(void)unused;
	const v3 half = box_of(job), d = random_direction(seed);
	const double x = random_between(seed, -1, 1), y = random_between(seed, -1, 1), z = random_between(seed, -1, 1);
	const v3 p = v3_of(x * half.x, y * half.y, z * half.z);
	lay(job, d, v3_add(p, v3_scale(d, reach_of(job) * random_between(seed, -1, 1))));
	check_is_laid(job, 0);
}

VARIANT_TEST(segments, what_touches_or_crosses_is_left)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		int stand = check_laid(seed, lay_through, 0);
		for (int i = 0; i < 3; i++) {
			const double gap = i * 5e-8;
			stand += check_laid(100 + seed, lay_end, gap) + check_laid(200 + seed, lay_inside, gap);
		}
		CHECK(stand == 0, "seed %d: %d are done", (int)seed, stand);
	}
}

/* ---- sizes -------------------------------------------------------------------------------------- */

/* Points, plates, and boxes that are points or segments. */
VARIANT_TEST(segments, without_extent)
{
	for (size_t k = 0; k < WP_COUNT_OF(segment_pairs); k++)
		for (uint64_t seed = 1; seed <= 16; seed++) {
			uint64_t random = 40 + seed;
			make_solids(seed, segment_pairs[k].a, segment_pairs[k].b, 8);
			for (int job = 0; job < JOBS; job++)
				for (int i = 0; i < 6; i++)
					(i < 3 ? jobs.half_a[i] : jobs.half_b[i - 3])[job] *= (float)random_below(&random, 2);
			const int apart = count_apart(), stand = check_bucket();
			CHECK(stand == apart, "%d of %d", stand, apart);
		}
}

/* Bracket and points of sizes that differ 10000 times. */
static void check_sizes(layer *lay_job, bool long_segment)
{
	int stand = 0;
	for (size_t k = 0; k < WP_COUNT_OF(segment_pairs); k++)
		for (uint64_t seed = 1; seed <= 10; seed++) {
			make_solids(seed, segment_pairs[k].a, segment_pairs[k].b, 8);
			const bool shrink_b = (jobs.kind_b == WP_CORE_SEGMENT) != long_segment;
			for (int job = 0; job < JOBS; job++) {
				for (int axis = 0; axis < 3; axis++)
					(shrink_b ? jobs.half_b : jobs.half_a)[axis][job] *= 1e-4f;
				uint64_t random = 1000 * seed + (uint64_t)job;
				lay_job(&random, job, 1e-3);
			}
			stand += check_bucket();
		}
	CHECK(stand > 10 * PAIR_JOBS * 97 / 100, "%d of %d", stand, 10 * PAIR_JOBS);
}

VARIANT_TEST(segments, long_beside_small)
{
	check_sizes(lay_end, true);
	check_sizes(lay_inside, true);
}

VARIANT_TEST(segments, short_beside_large)
{
	check_sizes(lay_end, false);
	check_sizes(lay_inside, false);
}

/* ---- overlaps ----------------------------------------------------------------------------------- */

static void check_depth(int job)
{
	const v3 n = direction_of(job), a = point_of(witness_a, job), b = point_of(witness_b, job);
	const double separation = (double)jobs.core_lower[job], depth = exact_depth(job);
	check_plane(job);
	CHECK(fabs(depth + separation) < rounding, "job %d: depth %a, not %a", job, -separation, depth);
	CHECK(fabs((double)jobs.core_upper[job] - separation) < rounding, "job %d: bracket %a to %a", job, separation,
		(double)jobs.core_upper[job]);
	CHECK(outside_a(job, a) < rounding && outside_b(job, b) < rounding, "job %d: points outside by %g, %g", job,
		outside_a(job, a), outside_b(job, b));
	CHECK(v3_length(v3_sub(v3_sub(b, a), v3_scale(n, separation))) < 2 * rounding, "job %d: points do not match", job);
}

/* Axes answer overlaps of a segment and a box. No closed form answers overlaps of two segments, or distances. */
static int check_overlaps(uint64_t seed, const kind_pair *pair, uint32_t query)
{
	bool left[JOBS];
	int done = 0;
	make_solids(seed, pair->a, pair->b, 8);
	jobs.query = query;
	for (int job = 0; job < JOBS; job++)
		lay_through(&seed, job, 0);
	solve_jobs(solve_closed, left);
	for (int job = 0; job < JOBS; job++) {
		if (left[job])
			continue;
		CHECK(jobs.state[job] == (query == WP_QUERY_CONTACT ? WP_JOB_DEPTH : WP_JOB_INSIDE), "job %d ends as %d", job,
			jobs.state[job]);
		check_depth(job);
		done++;
	}
	return done;
}

VARIANT_TEST(segments, overlaps_with_a_box)
{
	for (size_t k = 0; k < WP_COUNT_OF(segment_pairs); k++) {
		const kind_pair *const pair = &segment_pairs[k];
		const bool has_box = pair->a != pair->b;
		for (uint64_t seed = 1; seed <= 2; seed++) {
			const int contact = check_overlaps(seed, pair, WP_QUERY_CONTACT);
			const int overlap = check_overlaps(seed, pair, WP_QUERY_OVERLAP);
			const int distance = check_overlaps(seed, pair, WP_QUERY_DISTANCE);
			CHECK(has_box ? contact > JOBS / 2 && overlap > JOBS / 2 : contact + overlap == 0, "%d, %d done", contact,
				overlap);
			CHECK(distance == 0, "%d distances", distance);
		}
	}
}

/* Gaps and overlaps in one block: each keeps its own answer. */
VARIANT_TEST(segments, gaps_beside_overlaps)
{
	int gaps = 0, depths = 0;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		bool left[JOBS];
		make_solids(seed, WP_CORE_BOX, WP_CORE_SEGMENT, 8);
		solve_jobs(solve_closed, left);
		for (int job = 0; job < JOBS; job++) {
			if (left[job])
				continue;
			gaps += jobs.state[job] == WP_JOB_GAP;
			depths += jobs.state[job] == WP_JOB_DEPTH;
			if (jobs.state[job] == WP_JOB_DEPTH)
				check_depth(job);
			else
				CHECK(check_done(job), "job %d: points do not match", job);
		}
	}
	CHECK(gaps > JOBS && depths > JOBS / 2, "%d gaps, %d depths", gaps, depths);
}

/* ---- a whole bucket ----------------------------------------------------------------------------- */

static WP_VECTORS float input[4 * WP_INPUT_COUNT * WP_JOB_MAX];

static float *input_row(int job, enum wp_job_input row) { return input + 4 * (WP_INPUT_COUNT * job + (int)row); }

static wp_core cores[2][WP_JOB_MAX];
static const wp_core *of_a[WP_JOB_MAX], *of_b[WP_JOB_MAX];

/* Extents and radius of one side. */
static float *core_row(int job, int side) { return (float *)&cores[side][job]; }

static void random_rotation(uint64_t *seed, float q[4])
{
	double length2 = 0;
	for (int i = 0; i < 4; i++) {
		q[i] = (float)random_between(seed, -1, 1);
		length2 += (double)q[i] * (double)q[i];
	}
	for (int i = 0; i < 4; i++)
		q[i] = (float)((double)q[i] / sqrt(length2));
}

/* Sizes and radii of the jobs at poses of the world, as they come from pack. */
static void give_input(uint64_t seed)
{
	for (size_t chunk = 0; chunk < WP_COUNT_OF(jobs.input); chunk++)
		jobs.input[chunk] = input + 4 * WP_INPUT_COUNT * WP_CHUNK_JOBS * chunk;
	jobs.core_a = of_a;
	jobs.core_b = of_b;
	for (int job = 0; job < JOBS + WP_WIDTH_MAX; job++) {
		of_a[job] = &cores[0][job % JOBS];
		of_b[job] = &cores[1][job % JOBS];
	}
	for (int job = 0; job < JOBS; job++) {
		float *const a = input_row(job, WP_INPUT_POSITION_A), *const b = input_row(job, WP_INPUT_POSITION_B);
		float *const shape_a = core_row(job, 0), *const shape_b = core_row(job, 1);
		random_rotation(&seed, input_row(job, WP_INPUT_ROTATION_A));
		random_rotation(&seed, input_row(job, WP_INPUT_ROTATION_B));
		for (int i = 0; i < 3; i++) {
			a[i] = (float)random_between(&seed, -4, 4);
			b[i] = a[i] + (float)random_between(&seed, -0.6, 0.6);
			shape_a[i] = jobs.half_a[i][job];
			shape_b[i] = jobs.half_b[i][job];
		}
		a[3] = (float)v3_length(v3_of_floats(shape_a)) * 1.000001f;
		b[3] = (float)v3_length(v3_of_floats(shape_b)) * 1.000001f;
		shape_a[3] = (float)random_between(&seed, 0, 0.1);
		shape_b[3] = (float)random_between(&seed, 0, 0.1);
	}

	/* What lies past the last job is no job, though it overlaps. */
	for (int job = JOBS; job < JOBS + WP_WIDTH_MAX; job++) {
		memcpy(input_row(job, WP_INPUT_ROTATION_A), input_row(0, WP_INPUT_ROTATION_A), 16 * WP_INPUT_COUNT);
		memcpy(input_row(job, WP_INPUT_POSITION_B), input_row(0, WP_INPUT_POSITION_A), 3 * sizeof *input);
	}
}

static m3 rotation_of(int job, enum wp_job_input row) { return m3_of_quaternion(input_row(job, row)); }

static v3 position_of(int job, enum wp_job_input row) { return v3_of_floats(input_row(job, row)); }

/* The exact distance of a job's cores in the world. */
static double world_distance(int job)
{
	const m3 a = rotation_of(job, WP_INPUT_ROTATION_A), b = rotation_of(job, WP_INPUT_ROTATION_B);
	const v3 offset = v3_sub(position_of(job, WP_INPUT_POSITION_B), position_of(job, WP_INPUT_POSITION_A));
	const v3 half_a = v3_of_floats(core_row(job, 0)), half_b = v3_of_floats(core_row(job, 1));
	if (jobs.kind_b == WP_CORE_SEGMENT) {
		const placed p = {half_a, m3_apply_inverse(a, offset), m3_apply_inverse(a, b.y), half_b.y};
		return least_distance(&p);
	}
	const placed p = {half_b, m3_apply_inverse(b, v3_scale(offset, -1)), m3_apply_inverse(b, a.y), half_a.y};
	return least_distance(&p);
}

static double radii_of(int job) { return (double)core_row(job, 0)[3] + (double)core_row(job, 1)[3]; }

/* How far a point of the world lies outside of a shape. */
static double outside_shape(v3 p, v3 position, m3 rotation, const float core[4])
{
	const placed box = {v3_of_floats(core), m3_apply_inverse(rotation, v3_sub(p, position)), v3_of(0, 0, 0), 0};
	return distance_at(&box, 0) - (double)core[3];
}

static void check_points(int job, double separation, v3 n)
{
	const float *const output = jobs.output + WP_OUTPUT_COUNT * job;
	const v3 a = v3_of_floats(output + WP_OUTPUT_POINT_A), b = v3_of_floats(output + WP_OUTPUT_POINT_B);
	const double out_a = outside_shape(
		a, position_of(job, WP_INPUT_POSITION_A), rotation_of(job, WP_INPUT_ROTATION_A), core_row(job, 0));
	const double out_b = outside_shape(
		b, position_of(job, WP_INPUT_POSITION_B), rotation_of(job, WP_INPUT_ROTATION_B), core_row(job, 1));
	CHECK(fabs(out_a) < 3 * rounding && fabs(out_b) < 3 * rounding, "job %d: points outside by %g, %g", job, out_a,
		out_b);
	CHECK(v3_length(v3_sub(v3_sub(b, a), v3_scale(n, separation))) < 4 * rounding, "job %d: points do not match", job);
}

/* The answer of a contact whose cores are apart. */
static void check_answer(int job)
{
	const float *const output = jobs.output + WP_OUTPUT_COUNT * job;
	const v3 n = v3_of_floats(output + WP_OUTPUT_NORMAL);
	const double separation = (double)output[WP_OUTPUT_SEPARATION], truth = world_distance(job) - radii_of(job);
	const double lower = (double)output[WP_OUTPUT_LOWER], upper = (double)output[WP_OUTPUT_UPPER];
	const int32_t bits = lower > 0 ? WP_JOB_SEPARATED : upper < 0 ? WP_JOB_PENETRATING : WP_JOB_TOUCHING;
	const int32_t beyond = jobs.state[job] == WP_JOB_BEYOND ? WP_JOB_PROVEN_BEYOND : 0;
	CHECK(lower <= truth && truth <= upper, "job %d: bracket %a to %a around %a", job, lower, upper, truth);
	CHECK(fabs(v3_length(n) - 1) < rounding, "normal of job %d has length %g", job, v3_length(n));
	CHECK(jobs.status[job] == (bits | beyond), "job %d: status %x", job, (uint32_t)jobs.status[job]);
	CHECK(memcmp(output + WP_OUTPUT_STATUS, &jobs.status[job], 4) == 0, "job %d: another status", job);
	CHECK(memcmp(output + WP_OUTPUT_ITERATIONS, &(int32_t){0}, 4) == 0, "job %d took steps", job);
	if (beyond) {
		CHECK(lower > (double)jobs.max_separation && separation == lower, "job %d: beyond at %a, %a", job, lower,
			separation);
		return;
	}
	CHECK(jobs.state[job] == WP_JOB_GAP, "job %d ends as %d", job, jobs.state[job]);
	CHECK(fabs(separation - truth) < 2 * rounding, "job %d: separation %a, not %a", job, separation, truth);
	check_points(job, separation, n);
}

/* Run the bucket. Jobs that are answered or left to the strong path are marked in `answered`. */
static void run_bucket(bool answered[JOBS])
{
	int32_t list[WP_JOB_MAX];
	memset(jobs.state, 0x7f, sizeof jobs.state);
	const uint32_t left = wp_closed_run(&jobs, &wp_exact_terms, list, form_of_jobs());
	for (int job = 0; job < JOBS; job++)
		answered[job] = true;
	for (uint32_t i = 0; i < left; i++) {
		CHECK(list[i] < JOBS && (i == 0 || list[i] > list[i - 1]), "job %d is at %u", list[i], i);
		answered[list[i]] = false;
	}
}

VARIANT_TEST(segments, answers_in_the_world)
{
	for (size_t k = 0; k < WP_COUNT_OF(segment_pairs); k++) {
		int beyond = 0;
		for (uint64_t seed = 1; seed <= 20; seed++) {
			bool answered[JOBS];
			make_solids(seed, segment_pairs[k].a, segment_pairs[k].b, 8);
			give_input(seed);
			jobs.max_separation = 0.1f;
			run_bucket(answered);
			for (int job = 0; job < JOBS; job++) {
				const bool apart = world_distance(job) > rounding;
				CHECK(answered[job] || !apart, "job %d is left at %a", job, world_distance(job));
				if (apart)
					check_answer(job);
				beyond += jobs.state[job] == WP_JOB_BEYOND;
			}
		}
		CHECK(beyond > 20 * JOBS / 8 && beyond < 20 * JOBS * 9 / 10, "%d", beyond);
	}
}

/* At the limit, up to rounding, an answer is beyond or is not, and stands. */
VARIANT_TEST(segments, answers_at_the_limit)
{
	for (size_t k = 0; k < WP_COUNT_OF(segment_pairs); k++) {
		int beyond = 0, within = 0;
		for (uint64_t seed = 1; seed <= 20; seed++) {
			bool answered[JOBS];
			uint64_t random = 50 + seed;
			make_solids(seed, segment_pairs[k].a, segment_pairs[k].b, 8);
			give_input(seed);
			jobs.max_separation = 0.01f;
			for (int job = 0; job < JOBS; job++) {
				const double radius = world_distance(job) - 0.01 - random_between(&random, -4e-6, 4e-6);
				core_row(job, 0)[3] = (float)fmax(radius, 0);
				core_row(job, 1)[3] = 0;
			}
			run_bucket(answered);
			for (int job = 0; job < JOBS; job++) {
				if (world_distance(job) < 0.02)
					continue;
				check_answer(job);
				beyond += jobs.state[job] == WP_JOB_BEYOND;
				within += jobs.state[job] == WP_JOB_GAP;
			}
		}
		CHECK(beyond > 20 && within > 20, "%d beyond, %d within", beyond, within);
	}
}

/* Jobs that kernels are not to answer are neither solved nor listed, and harm no neighbour. */
VARIANT_TEST(segments, unfit_jobs)
{
	for (size_t k = 0; k < WP_COUNT_OF(segment_pairs); k++) {
		bool answered[JOBS];
		make_solids(1, segment_pairs[k].a, segment_pairs[k].b, 8);
		give_input(1);
		input_row(3, WP_INPUT_POSITION_A)[1] = NAN;
		input_row(4, WP_INPUT_POSITION_B)[2] = -INFINITY;
		input_row(9, WP_INPUT_POSITION_B)[0] = 1.01e30f;
		input_row(10, WP_INPUT_ROTATION_A)[3] = 2;
		input_row(17, WP_INPUT_ROTATION_B)[0] = NAN;
		core_row(18, 0)[3] = 1e7f;
		run_bucket(answered);
		for (int job = 0; job < JOBS; job++) {
			const bool fit = !(job == 3 || job == 4 || job == 9 || job == 10 || job == 17 || job == 18);
			CHECK(
				fit || (answered[job] && jobs.state[job] == WP_JOB_STRONG), "job %d ends as %d", job, jobs.state[job]);
			if (fit && world_distance(job) > rounding)
				check_answer(job);
		}
	}
}

/* ---- hulls -------------------------------------------------------------------------------------- */

/* Around a hull's origin, as cores have it. */
static void set_hull_box(float (*half)[WP_JOB_MAX], int job, const test_hull *hull)
{
	for (uint32_t axis = 0; axis < 3; axis++) {
		half[axis][job] = 0.0f;
		for (uint32_t i = 0; i < hull->count; i++)
			half[axis][job] = fmaxf(half[axis][job], fabsf(hull->x[axis * hull->padded + i]));
	}
}

static void shrink_hull(test_hull *hull)
{
	for (uint32_t i = 0; i < 3 * hull->padded; i++)
		hull->x[i] *= 0.4f;
}

static void make_hulls(uint64_t seed, const kind_pair *pair)
{
	make_solids(seed, pair->a, pair->b, 12);
	for (int job = 0; job < JOBS; job++) {
		shrink_hull(&hulls_a[job]);
		shrink_hull(&hulls_b[job]);
		if (pair->a == WP_CORE_HULL)
			set_hull_box(jobs.half_a, job, &hulls_a[job]);
		if (pair->b == WP_CORE_HULL)
			set_hull_box(jobs.half_b, job, &hulls_b[job]);
		jobs.radius_a[job] = jobs.radius_b[job] = (float)(job % 3) * 0.01f;
	}
}

/* The widest gap of the boxes of both cores along one of their six axes, by their corners. */
static double gap_of_boxes(int job)
{
	const float *const x = jobs.pose + 16 * job, *const y = x + 4, *const z = y + 4;
	const kind_pair kinds = {jobs.kind_a, jobs.kind_b};
	double gap = -INFINITY;
	jobs.kind_a = jobs.kind_b = WP_CORE_BOX;
	for (int i = 0; i < 6; i++) {
		const v3 axis = i < 3 ? v3_of(i == 0, i == 1, i == 2)
		                      : v3_of((double)x[i - 3], (double)y[i - 3], (double)z[i - 3]);
		gap = fmax(gap, fmax(-farthest_difference(job, axis), -farthest_difference(job, v3_scale(axis, -1))));
	}
	jobs.kind_a = kinds.a;
	jobs.kind_b = kinds.b;
	return gap;
}

static void check_apart(int job)
{
	const v3 n = direction_of(job);
	const double lower = (double)jobs.core_lower[job];
	CHECK(jobs.state[job] == WP_JOB_BEYOND && lower > limit_of(job), "job %d ends as %d at %a", job, jobs.state[job],
		lower);
	CHECK(fabs(v3_length(n) - 1) < rounding, "direction of job %d has length %g", job, v3_length(n));
	CHECK(-farthest_difference(job, n) > lower - rounding, "job %d: support planes %a apart, not %a", job,
		-farthest_difference(job, n), lower);
	CHECK(fabs(gap_of_boxes(job) - lower) < rounding, "job %d: boxes %a apart, not %a", job, gap_of_boxes(job), lower);
}

/* Returns how many are proven separated. */
static int check_hulls(uint64_t seed, const kind_pair *pair, uint32_t query)
{
	bool left[JOBS];
	make_hulls(seed, pair);
	jobs.query = query;
	jobs.max_separation = 0.03f;
	const int count = (int)solve_jobs(solve_closed, left);
	for (int job = 0; job < JOBS; job++)
		if (left[job])
			CHECK(gap_of_boxes(job) < limit_of(job) + 2 * rounding, "job %d is left at %a", job, gap_of_boxes(job));
		else
			check_apart(job);
	return JOBS - count;
}

VARIANT_TEST(segments, boxes_around_hulls)
{
	static const kind_pair pairs[] = {{WP_CORE_HULL, WP_CORE_HULL}, {WP_CORE_HULL, WP_CORE_BOX},
		{WP_CORE_BOX, WP_CORE_HULL}, {WP_CORE_HULL, WP_CORE_SEGMENT}, {WP_CORE_SEGMENT, WP_CORE_HULL}};
	for (size_t k = 0; k < WP_COUNT_OF(pairs); k++) {
		int contact = 0, overlap = 0;
		for (uint64_t seed = 1; seed <= 20; seed++) {
			contact += check_hulls(seed, &pairs[k], WP_QUERY_CONTACT);
			overlap += check_hulls(seed, &pairs[k], WP_QUERY_OVERLAP);
		}
		CHECK(contact > 20 * JOBS / 8 && overlap > contact && overlap < 20 * JOBS, "pair %zu: %d, %d apart", k, contact,
			overlap);
	}
}
