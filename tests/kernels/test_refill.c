/* Jobs that move from a stage to dead lanes: each once, in order, with all that belongs to it. */
#include "wide/job/refill.h"
#include "wide/support/support.h"

#include "support/solids.h"
#include "support/variant.h"

static wp_scratch scratch;
static int32_t list[JOBS];

static bool equal_bits(float a, float b) { return wp_float_bits(a) == wp_float_bits(b); }

/* The same jobs loaded the plain way, hulls looked at where they lie, give the same supports. */
static void check_supports(const wp_lanes *lanes, vf3 n)
{
	const int kind_a = (int)jobs.kind_a, kind_b = (int)jobs.kind_b;
	wp_lanes plain;
	wp_lanes_start(&plain);
	for (int lane = 0; lane < WP_WIDTH; lane++)
		plain.job[lane] = lanes->job[lane];
	plain.job_v = vi_load(plain.job);
	plain.live = lanes->live;
	wp_lanes_load(&plain, &jobs, kind_a, kind_b);
	vf3 a;
	const wp_vertex moved = wp_support(lanes, lanes->live, kind_a, kind_b, n, &a);
	const wp_vertex loaded = wp_support(&plain, plain.live, kind_a, kind_b, n, &a);
	const lane_points w = points_of(moved.w), w2 = points_of(loaded.w);
	const lane_integers id = integers_of(moved.id), id2 = integers_of(loaded.id);
	for (uint32_t m = lanes->live; m != 0; m &= m - 1) {
		const int lane = (int)wp_lowest_bit(m), job = lanes->job[lane];
		CHECK(id.at[lane] == id2.at[lane], "job %d: id %x, not %x", job, (uint32_t)id.at[lane], (uint32_t)id2.at[lane]);
		CHECK(equal_bits(w.x.at[lane], w2.x.at[lane]) && equal_bits(w.y.at[lane], w2.y.at[lane]) &&
				  equal_bits(w.z.at[lane], w2.z.at[lane]),
			"job %d: its support", job);
	}
}

/* Lengths that starts read stay in the stage. */
static void check_stage(const wp_lanes *stage)
{
	const lane_floats radius_a = floats_of(stage->radius_a), radius_b = floats_of(stage->radius_b);
	const lane_floats scale = floats_of(stage->scale);
	for (uint32_t m = stage->live; m != 0; m &= m - 1) {
		const int lane = (int)wp_lowest_bit(m), job = stage->job[lane];
		CHECK(equal_bits(radius_a.at[lane], jobs.pose[16 * job + 13]) &&
				  equal_bits(radius_b.at[lane], jobs.pose[16 * job + 14]),
			"job %d: its radii", job);
		CHECK(equal_bits(scale.at[lane], jobs.pose[16 * job + 12]), "job %d: its scale", job);
	}
}

static void check_move(const wp_move *m, const wp_lanes *lanes, uint32_t dead, vi staged_jobs, int *expected)
{
	const lane_integers moved = integers_of(vi_moved(m, &staged_jobs, vi_set(-1)));
	CHECK((m->filled & ~dead) == 0, "live lanes of %x were filled by %x", ~dead & WP_ALL_LANES, m->filled);
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		const bool filled = m->filled >> lane & 1;
		CHECK(
			moved.at[lane] == (filled ? lanes->job[lane] : -1), "lane %u got a value of job %d", lane, moved.at[lane]);
		if (filled)
			CHECK(lanes->job[lane] == list[(*expected)++], "lane %u got job %d", lane, lanes->job[lane]);
	}
}

/* Lanes die at random until every job has been in one. */
static void check_all_jobs(uint64_t seed, uint32_t total)
{
	const int kind_a = (int)jobs.kind_a, kind_b = (int)jobs.kind_b;
	wp_lanes lanes, stage;
	uint32_t next = 0;
	int expected = 0;
	wp_lanes_open(&lanes, scratch.hulls, &jobs, list, total, kind_a, kind_b);
	wp_stage_open(&stage, &lanes, scratch.staged_hulls);
	for (;;) {
		lanes.live &= (uint32_t)next_random(&seed) & (uint32_t)next_random(&seed);
		while (wp_lanes_want_refill(&lanes) && (stage.live != 0 || next < total)) {
			if (stage.live == 0) {
				wp_lanes_stage(&stage, &jobs, list, total, &next, kind_a, kind_b);
				check_stage(&stage);
			}
			const uint32_t before = lanes.live, staged = stage.live;
			const wp_move m = wp_lanes_take(&lanes, &stage, kind_a, kind_b);
			check_move(&m, &lanes, WP_ALL_LANES & ~before, stage.job_v, &expected);
			CHECK(lanes.live == (before | m.filled), "lanes %x live", lanes.live);
			CHECK(wp_count_bits(staged & ~stage.live) == wp_count_bits(m.filled), "stage %x became %x", staged,
				stage.live);
		}
		if (lanes.live == 0)
			break;
		const vf3 n = vf3_set(vf_set((float)random_between(&seed, -1, 1)), vf_set((float)random_between(&seed, -1, 1)),
			vf_set((float)random_between(&seed, -1, 1)));
		check_supports(&lanes, n);
	}
	CHECK(expected == (int)total, "%d of %u jobs", expected, total);
}

static void check_kinds(uint32_t kind_a, uint32_t kind_b)
{
	static const uint32_t vertices[] = {4, 8, 16, 17, 33, 64, 65, VERTICES_MAX};
	for (uint32_t i = 0; i < WP_COUNT_OF(vertices); i++)
		for (uint64_t seed = 1; seed <= 20; seed++) {
			make_solids(seed, kind_a, kind_b, vertices[i]);
			for (int k = 0; k < JOBS; k++) {
				list[k] = JOBS - 1 - k;
				jobs.pose[16 * k + 13] = (float)random_between(&seed, 0, 1);
				jobs.pose[16 * k + 14] = (float)random_between(&seed, 0, 1);
				jobs.pose[16 * k + 15] *= (float)random_between(&seed, 0.5, 1);
			}
			check_all_jobs(seed, 1 + (uint32_t)(seed * 7 % JOBS));
			check_all_jobs(seed, JOBS);
		}
}

VARIANT_TEST(refill, boxes) { check_kinds(WP_CORE_BOX, WP_CORE_BOX); }
VARIANT_TEST(refill, box_and_hull) { check_kinds(WP_CORE_BOX, WP_CORE_HULL); }
VARIANT_TEST(refill, hull_and_box) { check_kinds(WP_CORE_HULL, WP_CORE_BOX); }
VARIANT_TEST(refill, hulls) { check_kinds(WP_CORE_HULL, WP_CORE_HULL); }

/* One small hull among large ones, and the reverse: each is looked at by its own size. */
VARIANT_TEST(refill, one_of_another_size)
{
	for (int odd = 0; odd < JOBS; odd++) {
		uint64_t seed = 100 + (uint64_t)odd;
		make_solids(seed, WP_CORE_HULL, WP_CORE_HULL, odd % 2 ? 8 : VERTICES_MAX);
		make_solid_hull(&hulls_a[odd], &seed, odd % 2 ? VERTICES_MAX : 4);
		make_solid_hull(&hulls_b[JOBS - 1 - odd], &seed, odd % 2 ? 70 : 5);
		set_hulls(odd);
		set_hulls(JOBS - 1 - odd);
		for (int k = 0; k < JOBS; k++)
			list[k] = k;
		check_all_jobs(seed, JOBS);
	}
}

static void check_extents(const int32_t job[WP_WIDTH])
{
	wp_lanes lanes;
	wp_lanes_start(&lanes);
	for (int lane = 0; lane < WP_WIDTH; lane++)
		lanes.job[lane] = job[lane];
	lanes.job_v = vi_load(lanes.job);
	lanes.live = WP_ALL_LANES;
	wp_lanes_load(&lanes, &jobs, WP_CORE_BOX, WP_CORE_BOX);
	const lane_floats x = floats_of(lanes.half_a.x), z = floats_of(lanes.half_b.z), scale = floats_of(lanes.scale);
	for (int lane = 0; lane < WP_WIDTH; lane++)
		CHECK(equal_bits(x.at[lane], jobs.half_a[0][job[lane]] * scale.at[lane]) &&
				  equal_bits(z.at[lane], jobs.half_b[2][job[lane]] * scale.at[lane]),
			"lane %d: extents of job %d", lane, job[lane]);
}

/* Lanes that have all jobs of a block, that skip some and repeat the last one, that end in jobs put off before: of the first
 * and the last of a block each. Of such as skip, by AVX2, lanes once got the extents of others. */
VARIANT_TEST(refill, extents_of_jobs_that_are_skipped)
{
	make_solids(7, WP_CORE_BOX, WP_CORE_BOX, 8);
	for (int first = 0; first + WP_WIDTH <= JOBS; first += WP_WIDTH)
		for (int kept = 1; kept <= WP_WIDTH; kept++) {
			int32_t job[WP_WIDTH];
			for (int lane = 0; lane < WP_WIDTH; lane++)
				job[lane] = first + (lane < kept ? lane : WP_WIDTH - 1);
			check_extents(job);
			for (int lane = 1; lane < kept && lane < WP_WIDTH - 1; lane++)
				job[lane] = (first + 5 * lane) % JOBS;
			check_extents(job);
		}
}
