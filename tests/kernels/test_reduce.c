/* The points that are chosen of a patch: where the witness points are the first of them, and beside other patches. */
#include "wide/manifold/reduce.h"

#include "support/variant.h"

#include <math.h>

static wp_lane_candidates candidates;

/* Candidates of a convex patch about the origin, where the witness points are: places on an ellipse, not in order. */
static void make_patch(uint64_t *seed, int32_t count)
{
	for (int32_t slot = 0; slot < count; slot++)
		for (int32_t lane = 0; lane < WP_WIDTH; lane++) {
			const int32_t at = slot * WP_WIDTH + lane;
			const double half = random_between(seed, -1, 1), by = 1 + half * half;
			const double sign = random_below(seed, 2) != 0 ? 1 : -1;
			candidates.u[at] = (float)(sign * (1 - half * half) / by);
			candidates.v[at] = (float)(sign * half / by);
			candidates.separation[at] = 0;
			candidates.weight[at] = (float)random_between(seed, 0.98, 1);
		}
}

static void check_lane(int32_t lane, const wp_chosen *chosen)
{
	WP_VECTOR_ALIGN int32_t count[WP_WIDTH], slot[WP_POINT_MAX][WP_WIDTH];
	vi_store(count, chosen->count);
	for (int32_t k = 0; k < WP_POINT_MAX; k++)
		vi_store(slot[k], chosen->slot[k]);
	CHECK(slot[0][lane] == -1, "lane %d: the witness points are not chosen", lane);
	for (int32_t k = 1; k < count[lane]; k++)
		for (int32_t j = 0; j < k; j++)
			CHECK(slot[j][lane] != slot[k][lane], "lane %d: choices %d and %d of %d are one", lane, j, k, count[lane]);
}

/* Witness points that are deeper than all others, with a normal that is not of these faces, lie inside of the patch: once four
 * points were chosen, those were chosen again. */
VARIANT_TEST(reduce, no_point_is_chosen_twice)
{
	uint64_t seed = 1;
	for (int32_t count = 1; count <= 12; count++)
		for (int round = 0; round < 100; round++) {
			wp_chosen chosen;
			make_patch(&seed, count);
			wp_reduce(&candidates, count, WP_POINT_MAX, vf_set(-0.1f), vf_set(1.0f), &chosen);
			for (int32_t lane = 0; lane < WP_WIDTH; lane++)
				check_lane(lane, &chosen);
		}
}

/* Candidates of a patch beside the origin, in each lane `corners` of them far out on a circle, the others within; all as deep within
 * what bodies at rest rock by. */
static void make_lane(uint64_t *seed, int32_t lane, int32_t count, int32_t corners)
{
	for (int32_t slot = 0; slot < count; slot++) {
		const int32_t at = slot * WP_WIDTH + lane;
		const double half = random_between(seed, -1, 1), by = 1 + half * half, sign = random_below(seed, 2) ? 1 : -1;
		const double out = slot < corners ? 1 : random_between(seed, 0, 0.3);
		candidates.u[at] = (float)(1.5 + out * sign * (1 - half * half) / by);
		candidates.v[at] = (float)(out * sign * 2 * half / by);
		candidates.separation[at] = (float)random_between(seed, 0, 1e-3);
		candidates.weight[at] = 1;
	}
}

/* A lane whose patch has few points waits for one with more, and one of the deepest is among its points all the same. */
VARIANT_TEST(reduce, one_of_the_deepest_is_chosen_beside_larger_patches)
{
	uint64_t seed = 2;
	for (int32_t count = 1; count <= 12; count++)
		for (int round = 0; round < 1000; round++) {
			WP_VECTOR_ALIGN int32_t chosen_count[WP_WIDTH], slot[WP_POINT_MAX][WP_WIDTH];
			wp_chosen chosen;
			for (int32_t lane = 0; lane < WP_WIDTH; lane++)
				make_lane(&seed, lane, count, 2 + (int32_t)random_below(&seed, 6));
			wp_reduce(&candidates, count, WP_POINT_MAX, vf_set(1.0f), vf_set(1.0f), &chosen);
			vi_store(chosen_count, chosen.count);
			for (int k = 0; k < WP_POINT_MAX; k++)
				vi_store(slot[k], chosen.slot[k]);
			for (int32_t lane = 0; lane < WP_WIDTH; lane++) {
				float least = 1, deepest = 1;
				for (int32_t k = 0; k < count; k++)
					least = fminf(least, candidates.separation[k * WP_WIDTH + lane]);
				for (int32_t k = 0; k < chosen_count[lane]; k++)
					deepest = fminf(deepest, candidates.separation[slot[k][lane] * WP_WIDTH + lane]);
				CHECK(deepest <= least + WP_PATCH_TOLERANCE, "lane %d of %d points: %g, not %g", lane,
					chosen_count[lane], (double)deepest, (double)least);
			}
		}
}
