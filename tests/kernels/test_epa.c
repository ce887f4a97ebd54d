/* EPA of a whole bucket against the exact depth: the smallest distance of all supporting planes. */
#include "wide/search/epa.h"
#include "wide/search/gjk.h"

#include "support/solids.h"

#include <string.h>

static const double rounding = 1e-6;

static wp_scratch scratch;
static wp_kernel_work work;

/* Returns how many jobs overlap; they are the first of `list`. */
static uint32_t run_both(int32_t list[JOBS])
{
	uint32_t deep = 0;
	for (int i = 0; i < JOBS; i++)
		list[i] = i;
	wp_gjk_run(&jobs, list, JOBS, &scratch, (int)jobs.kind_a, (int)jobs.kind_b, &work);
	for (int i = 0; i < JOBS; i++)
		if (jobs.state[i] == WP_JOB_INSIDE)
			list[deep++] = i;
	/* What polytopes' memory holds counts for nothing. */
	memset(&scratch.polytopes, 0xff, sizeof scratch.polytopes);
	wp_epa_run(&jobs, list, deep, &scratch, (int)jobs.kind_a, (int)jobs.kind_b, &work);
	return deep;
}

static void check_depth(int job)
{
	const v3 n = direction_of(job);
	const double depth = exact_depth(job), reach = farthest_difference(job, n);
	CHECK(fabs(v3_length(n) - 1) < rounding, "direction of job %d has length %g", job, v3_length(n));
	CHECK(fabs(reach + (double)jobs.core_lower[job]) < rounding, "job %d: support plane at %g, not %g", job, reach,
		-(double)jobs.core_lower[job]);
	CHECK(fabs(depth + (double)jobs.core_lower[job]) < rounding, "job %d: depth %g, not %g", job,
		-(double)jobs.core_lower[job], depth);
	CHECK(jobs.core_lower[job] <= jobs.core_upper[job] + 2e-7f && (double)jobs.core_upper[job] + depth < rounding,
		"job %d: bracket %g to %g", job, (double)jobs.core_lower[job], (double)jobs.core_upper[job]);

	/* The face lies on that plane. */
	for (int i = 0; i < 3; i++) {
		const double height = v3_dot(difference_point(job, jobs.vertex[i][job]), n);
		CHECK(fabs(height - reach) < 2 * rounding, "job %d: corner %d at %g, not %g", job, i, height, reach);
	}
}

static void check_bucket(uint32_t kind_a, uint32_t kind_b, uint32_t vertex_max, uint64_t rounds)
{
	uint32_t overlaps = 0;
	for (uint64_t seed = 1; seed <= rounds; seed++) {
		int32_t list[JOBS];
		make_solids(seed, kind_a, kind_b, vertex_max);
		const uint32_t deep = run_both(list);
		for (uint32_t i = 0; i < deep; i++) {
			const int job = list[i];
			CHECK(jobs.state[job] == WP_JOB_DEPTH, "job %d ends as %d", job, jobs.state[job]);
			CHECK(jobs.epa_steps[job] > 0 && jobs.epa_steps[job] < WP_EPA_VERTEX_MAX, "%d steps", jobs.epa_steps[job]);
			check_depth(job);
		}
		overlaps += deep;
	}
	CHECK(overlaps > 10 * rounds / 2, "%u overlaps", overlaps);
}

VARIANT_TEST(epa, boxes) { check_bucket(WP_CORE_BOX, WP_CORE_BOX, 8, 3); }
VARIANT_TEST(epa, box_and_hull) { check_bucket(WP_CORE_BOX, WP_CORE_HULL, 6, 10); }
VARIANT_TEST(epa, hull_and_box) { check_bucket(WP_CORE_HULL, WP_CORE_BOX, 6, 10); }
VARIANT_TEST(epa, hulls) { check_bucket(WP_CORE_HULL, WP_CORE_HULL, 7, 20); }

/* ---- horizons ----------------------------------------------------------------------------------- */

/* One polytope in every lane: a fan of triangles around vertex 0, with rim 1 .. count. */
static void make_fan(wp_polytopes *p, int count)
{
	(void)wp_polytopes_clear(p, 0, WP_EPA_FACE_MAX);
	for (int i = 0; i < count; i++)
		vi_store(p->corners + i * WP_WIDTH, vi_set((1 + i) << 8 | (1 + (i + 1) % count) << 16));
}

static wp_face_set faces_of(uint32_t low)
{
	return (wp_face_set){{vi_set((int32_t)low), vi_zero(), vi_zero(), vi_zero()}};
}

static int32_t first_lane(vi a)
{
	WP_VECTOR_ALIGN int32_t v[WP_WIDTH];
	vi_store(v, a);
	return v[0];
}

/* A lane keeps what the pair before it left in its slots. */
VARIANT_TEST(epa, slots_past_a_lanes_faces_count_for_nothing)
{
	static wp_polytopes p;
	WP_VECTOR_ALIGN int32_t count[WP_WIDTH], found[WP_WIDTH], low[WP_WIDTH], high[WP_WIDTH];
	WP_VECTOR_ALIGN float distance[WP_WIDTH], normal_y[WP_WIDTH], highest[WP_WIDTH];
	for (int first = 4; first <= WP_EPA_FACE_MAX; first++) {
		(void)wp_polytopes_clear(&p, 0, WP_EPA_FACE_MAX);
		for (int lane = 0; lane < WP_WIDTH; lane++)
			count[lane] = first + lane < WP_EPA_FACE_MAX ? first + lane : WP_EPA_FACE_MAX;
		/* The later a face the nearer it is, and each sees the origin of a plane behind it. */
		for (int f = 0; f < WP_EPA_FACE_MAX; f++) {
			vf_store(p.rank + f * WP_WIDTH, vf_set((float)-f));
			vf4_row_store(p.plane, f, (vf4){vf_zero(), vf_set((float)f), vf_zero(), vf_set(-1.0f - (float)f)});
		}
		/* One lane looks at its own faces alone. */
		const int32_t rows = WP_WIDTH == 1 ? count[0] : WP_EPA_FACE_MAX;
		vi slot;
		vf3 n;
		vf top;
		vf_store(distance, wp_nearest_face(&p, rows, vi_load(count), &slot, &n, &top));
		vi_store(found, slot);
		vf_store(normal_y, n.y);
		vf_store(highest, top);
		const wp_face_set set = wp_visible_faces(&p, vm_all(), rows, vi_load(count), vf3_zero());
		vi_store(low, set.word[0]);
		vi_store(high, set.word[1]);
		for (int lane = 0; lane < WP_WIDTH; lane++) {
			const uint64_t visible = (uint32_t)low[lane] | (uint64_t)(uint32_t)high[lane] << 32;
			CHECK(found[lane] == count[lane] - 1 && (int)-distance[lane] == found[lane] &&
					  (int)normal_y[lane] == found[lane] && (int)-highest[lane] == found[lane] + 1,
				"slot %d of %d", found[lane], count[lane]);
			CHECK(visible == UINT64_MAX >> (64 - count[lane]), "%llx of %d", (unsigned long long)visible, count[lane]);
		}
	}
}

VARIANT_TEST(epa, horizon_of_a_closed_fan_is_its_rim)
{
	static wp_polytopes p;
	wp_horizon h;
	for (int count = 3; count <= WP_EPA_VISIBLE_MAX; count++) {
		make_fan(&p, count);
		CHECK(vm_bits(wp_find_horizon(&p, WP_EPA_FACE_MAX, faces_of((1u << count) - 1), &h)) == WP_ALL_LANES,
			"fan of %d", count);
		CHECK(first_lane(h.count) == count && first_lane(h.face_count) == count, "%d edges", first_lane(h.count));
		for (int i = 0; i < count; i++)
			CHECK(first_lane(h.vertex[i + 1]) == first_lane(h.vertex[i]) % count + 1, "edge %d of %d", i, count);
	}
}

VARIANT_TEST(epa, horizon_of_part_of_a_fan_is_one_loop)
{
	static wp_polytopes p;
	wp_horizon h;
	make_fan(&p, 9);
	for (int count = 1; count < 9; count++) {
		CHECK(vm_bits(wp_find_horizon(&p, WP_EPA_FACE_MAX, faces_of((1u << count) - 1), &h)) == WP_ALL_LANES,
			"%d faces", count);
		CHECK(first_lane(h.count) == count + 2, "%d edges around %d faces", first_lane(h.count), count);
	}
}

/* Where the loop around two faces that share an edge begins decides which slots new faces take: with the first edge of the
 * first face that is not shared. */
VARIANT_TEST(epa, horizon_of_two_faces_begins_with_the_first_edge)
{
	static wp_polytopes p;
	wp_horizon h;
	for (int turn = 0; turn < 9; turn++) {
		/* Faces 1 2 3 and 2 1 4, their corners turned; edge 1 2 is number `shared` of the first. */
		static const int32_t first[3] = {1, 2, 3}, second[3] = {2, 1, 4}, rim[4] = {2, 3, 1, 4};
		const int a = turn % 3, b = turn / 3, shared = (3 - a) % 3;
		(void)wp_polytopes_clear(&p, 0, WP_EPA_FACE_MAX);
		vi_store(p.corners + 2 * WP_WIDTH, vi_set(first[a] | first[(a + 1) % 3] << 8 | first[(a + 2) % 3] << 16));
		vi_store(p.corners + 5 * WP_WIDTH, vi_set(second[b] | second[(b + 1) % 3] << 8 | second[(b + 2) % 3] << 16));
		CHECK(vm_bits(wp_find_horizon(&p, WP_EPA_FACE_MAX, faces_of(1u << 2 | 1u << 5), &h)) == WP_ALL_LANES,
			"two faces");
		CHECK(first_lane(h.count) == 4 && first_lane(h.face_count) == 2, "%d edges", first_lane(h.count));
		CHECK(first_lane(h.face[0]) == 2 && first_lane(h.face[1]) == 5, "faces in order");
		const int32_t start = first[(a + (shared == 0 ? 1 : 0)) % 3];
		int at = 0;
		while (rim[at] != start)
			at++;
		for (int i = 0; i < 5; i++)
			CHECK(first_lane(h.vertex[i]) == rim[(at + i) % 4], "turn %d, vertex %d: %d", turn, i,
				first_lane(h.vertex[i]));
	}
}

/* Two faces that only share vertex 0 make two loops; the chosen one alone makes one. */
VARIANT_TEST(epa, torn_visible_faces_are_no_horizon)
{
	static wp_polytopes p;
	wp_horizon h;
	make_fan(&p, 9);
	wp_face_set torn = faces_of(1u << 1 | 1u << 5 | 1u << 6);
	CHECK(vm_bits(wp_find_horizon(&p, WP_EPA_FACE_MAX, torn, &h)) == 0, "torn");
	const vi chosen = vi_set(6);
	wp_keep_connected(&p, WP_ALL_LANES, &chosen, &torn);
	CHECK(first_lane(torn.word[0]) == (1 << 5 | 1 << 6), "kept %x", (uint32_t)first_lane(torn.word[0]));
	CHECK(vm_bits(wp_find_horizon(&p, WP_EPA_FACE_MAX, torn, &h)) == WP_ALL_LANES, "kept");
	CHECK(vm_bits(wp_find_horizon(&p, WP_EPA_FACE_MAX, faces_of(0), &h)) == 0, "nothing visible");
}

/* Sets of faces are taken apart from the lowest face on, whether they are looked at as sets of 64 or of all. */
VARIANT_TEST(epa, faces_are_taken_from_the_lowest_on)
{
	static const int32_t faces[] = {0, 5, 31, 32, 63, 64, 95, 96, 126};
	for (size_t count = 0; count <= WP_COUNT_OF(faces); count++) {
		uint32_t words[WP_FACE_WORDS] = {0};
		for (size_t i = 0; i < count; i++)
			words[faces[i] / 32] |= 1u << faces[i] % 32;
		wp_face_set set;
		for (int i = 0; i < WP_FACE_WORDS; i++)
			set.word[i] = vi_set((int32_t)words[i]);
		const int32_t rows = count == 0 ? 0 : faces[count - 1] + 1;
		vm any;
		for (size_t i = 0; i < count; i++) {
			const int32_t slot = first_lane(wp_take_face(&set, rows, &any));
			CHECK(slot == faces[i] && vm_bits(any) == WP_ALL_LANES, "face %d, not %d", slot, faces[i]);
		}
		wp_take_face(&set, rows, &any);
		CHECK(vm_bits(any) == 0, "more than %zu faces", count);
	}
}

VARIANT_TEST(epa, more_visible_faces_than_fit_are_refused)
{
	static wp_polytopes p;
	wp_horizon h;
	make_fan(&p, 30);
	CHECK(vm_bits(wp_find_horizon(&p, WP_EPA_FACE_MAX, faces_of((1u << (WP_EPA_VISIBLE_MAX + 1)) - 1), &h)) == 0,
		"too many");
}
