/* The points that are chosen of a patch: where the witness points are the first of them, and beside other patches. */
#include "wide/manifold/reduce.h"
#include "wide/manifold/reduce_eight.h"

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

/* ---- eight places of a plane ---------------------------------------------------------------------- */

/* The places of each lane, and where its witness points are. */
typedef struct plane_lane {
	double normal[3]; /* across which its plane is seen; the first is positive */
	float y[8], z[8], separation[8], weight[8], witness[2], contact;
} plane_lane;

/* What is chosen of a lane: places by number, -1 for the witness points. */
typedef struct plane_choice {
	int32_t count, place[WP_POINT_MAX];
} plane_choice;

#define PUT_LANES(vector, field)                                 \
	do {                                                         \
		WP_VECTOR_ALIGN float of_lanes[WP_WIDTH];                \
		for (int32_t of_lane = 0; of_lane < WP_WIDTH; of_lane++) \
			of_lanes[of_lane] = (float)lanes[of_lane].field;     \
		vector = vf_load(of_lanes);                              \
	} while (0)

static int32_t place_of(const plane_lane *lane, float y, float z, float separation)
{
	for (int32_t k = 0; k < 8; k++)
		if (lane->y[k] == y && lane->z[k] == z && lane->separation[k] == separation)
			return k;
	CHECK(lane->witness[0] == y && lane->witness[1] == z, "no place at %a, %a", (double)y, (double)z);
	return -1;
}

/* Reach and scale are 1. */
static void choose(const plane_lane lanes[WP_WIDTH], uint32_t most, plane_choice choices[WP_WIDTH])
{
	wp_scene s;
	wp_eight e;
	vf normal[3], y, z;
	wp_eight_chosen chosen;
	memset(&s, 0, sizeof s);
	for (int32_t k = 0; k < 8; k++) {
		PUT_LANES(e.y[k], y[k]);
		PUT_LANES(e.z[k], z[k]);
		PUT_LANES(e.separation[k], separation[k]);
		PUT_LANES(e.weight[k], weight[k]);
	}
	for (int k = 0; k < 3; k++)
		PUT_LANES(normal[k], normal[k]);
	PUT_LANES(y, witness[0]);
	PUT_LANES(z, witness[1]);
	PUT_LANES(s.contact, contact);
	s.tolerance = vf_set(WP_PATCH_TOLERANCE);
	s.rest = vf_set(WP_PATCH_REST);
	s.apart = vf_set(WP_PATCH_APART);
	s.deeper = vf_set(WP_PATCH_DEEPER);
	const vf one = vf_set(1.0f), twice = vf_set(-2.0f);
	const wp_plane_measure m = {vf_sub(one, vf_mul(normal[1], normal[1])), vf_mul(vf_mul(normal[1], normal[2]), twice),
		vf_sub(one, vf_mul(normal[2], normal[2])), normal[0]};
	wp_reduce_eight(&s, &e, &m, y, z, vf_set(8.0f), most, &chosen);
	WP_VECTOR_ALIGN int32_t count[WP_WIDTH];
	WP_VECTOR_ALIGN float at_y[WP_WIDTH], at_z[WP_WIDTH], separation[WP_WIDTH];
	vi_store(count, chosen.count);
	for (int32_t k = 0; k < (int32_t)most; k++) {
		vf_store(at_y, chosen.y[k]);
		vf_store(at_z, chosen.z[k]);
		vf_store(separation, chosen.separation[k]);
		for (int32_t lane = 0; lane < WP_WIDTH; lane++) {
			plane_choice *const choice = &choices[lane];
			choice->count = count[lane];
			CHECK(count[lane] >= 1 && count[lane] <= (int32_t)most, "%d places, of %u at most", count[lane], most);
			if (k >= count[lane])
				continue;
			choice->place[k] = place_of(&lanes[lane], at_y[lane], at_z[lane], separation[lane]);
		}
	}
}

/* Places on an ellipse about the witness points, of which some are none. */
static void make_ellipse(uint64_t *seed, plane_lane *lane)
{
	*lane = (plane_lane){.normal = {1, 0, 0}, .contact = -0.1f};
	for (int32_t k = 0; k < 8; k++) {
		const double half = random_between(seed, -1, 1), by = 1 + half * half, sign = random_below(seed, 2) ? 1 : -1;
		lane->y[k] = (float)(sign * (1 - half * half) / by);
		lane->z[k] = (float)(half / by);
		lane->weight[k] = random_below(seed, 4) ? (float)random_between(seed, 0.98, 1) : 0.0f;
		lane->separation[k] = lane->weight[k] > 0.0f ? 0.0f : WP_INFINITY;
	}
}

/* Where the witness points are the first, inside of the others, none of these is chosen twice, and none that is no place. */
VARIANT_TEST(reduce, no_place_is_chosen_twice)
{
	uint64_t seed = 3;
	for (int round = 0; round < 2000; round++) {
		plane_lane lanes[WP_WIDTH];
		plane_choice choices[WP_WIDTH];
		for (int32_t lane = 0; lane < WP_WIDTH; lane++)
			make_ellipse(&seed, &lanes[lane]);
		choose(lanes, WP_POINT_MAX, choices);
		for (int32_t lane = 0; lane < WP_WIDTH; lane++) {
			const int32_t *const place = choices[lane].place;
			CHECK(place[0] == -1, "lane %d: the witness points are not chosen", lane);
			for (int32_t k = 1; k < choices[lane].count; k++) {
				CHECK(place[k] >= 0 && lanes[lane].weight[place[k]] > 0.0f, "lane %d: choice %d is none", lane, k);
				for (int32_t j = 1; j < k; j++)
					CHECK(place[j] != place[k], "lane %d: choices %d and %d are one", lane, j, k);
			}
		}
	}
}

/* Places beside the origin of a plane that leans, all of the same separation: on a line, within what is one place, or anywhere. */
static void make_leaning(uint64_t *seed, plane_lane *lane)
{
	const uint32_t form = random_below(seed, 4);
	const double middle = random_below(seed, 2) ? 1.5 : -1.5, size = form != 1 ? 1 : 0.4 * (double)WP_PATCH_APART;
	*lane = (plane_lane){.contact = 1};
	lane->normal[1] = random_between(seed, -0.6, 0.6);
	lane->normal[2] = random_between(seed, -0.6, 0.6);
	lane->normal[0] = sqrt(1 - lane->normal[1] * lane->normal[1] - lane->normal[2] * lane->normal[2]);
	for (int32_t k = 0; k < 8; k++) {
		lane->y[k] = (float)(middle + size * random_between(seed, -1, 1));
		lane->z[k] = form == 0 ? 0.5f : (float)(0.5 + size * random_between(seed, -1, 1));
		lane->weight[k] = k == 0 || random_below(seed, 4) ? (float)random_between(seed, 0.98, 1) : 0.0f;
		lane->separation[k] = lane->weight[k] > 0.0f ? 0.0f : WP_INFINITY;
	}
}

/* The square of the distance of two places across the normal. */
static double distance2_across(const plane_lane *lane, int32_t i, int32_t j)
{
	const double y = (double)lane->y[i] - (double)lane->y[j], z = (double)lane->z[i] - (double)lane->z[j];
	const double along = lane->normal[1] * y + lane->normal[2] * z;
	return y * y + z * z - along * along;
}

/* Twice the area of a triangle of places across the normal, negative if it turns the other way. */
static double area_across(const plane_lane *lane, int32_t i, int32_t j, int32_t k)
{
	const double y = (double)lane->y[j] - (double)lane->y[i], z = (double)lane->z[j] - (double)lane->z[i];
	const double to_y = (double)lane->y[k] - (double)lane->y[i], to_z = (double)lane->z[k] - (double)lane->z[i];
	return (y * to_z - z * to_y) * lane->normal[0];
}

/* Whether choice k is outside of those before it: beyond a line through two of these that has the others on its other side. */
static bool is_outside(const plane_lane *lane, const int32_t *place, int32_t k)
{
	for (int32_t i = 0; i < k; i++)
		for (int32_t j = 0; j < k; j++) {
			bool is = i != j && area_across(lane, place[i], place[j], place[k]) > 0;
			for (int32_t other = 0; other < k && is; other++)
				is = area_across(lane, place[i], place[j], place[other]) <= 0;
			if (is)
				return true;
		}
	return false;
}

static void check_leaning(const plane_lane *lane, uint32_t most, const plane_choice *choice)
{
	const double apart = (double)WP_PATCH_APART, better = (double)WP_PATCH_BETTER * (1 + 1e-4);
	const int32_t *const place = choice->place;
	double farthest = apart * apart, widest = 0;
	CHECK(place[0] >= 0 && lane->weight[place[0]] > 0.0f, "the first choice is none");
	for (int32_t k = 0; k < 8; k++)
		farthest = fmax(farthest, distance2_across(lane, k, place[0]) * (double)lane->weight[k]);
	if (choice->count == 1) {
		CHECK(most == 1 || farthest <= apart * apart * better, "no place is chosen as far as %g", sqrt(farthest));
		return;
	}
	const double away2 = distance2_across(lane, place[1], place[0]), span = sqrt(away2);
	CHECK(away2 * (double)lane->weight[place[1]] * better >= farthest && away2 * better > apart * apart,
		"the second is %g away, another one %g", span, sqrt(farthest));
	for (int32_t k = 0; k < 8; k++)
		widest = fmax(widest, fabs(area_across(lane, place[0], place[1], k)) * (double)lane->weight[k]);
	if (choice->count == 2) {
		CHECK(most == 2 || widest <= apart * span * better + 1e-6, "no place is chosen for an area of %g", widest);
		return;
	}
	const double area = fabs(area_across(lane, place[0], place[1], place[2])) * (double)lane->weight[place[2]];
	CHECK(area * better + 1e-6 >= widest && area + 1e-6 > apart * span, "the third makes an area of %g, another one %g",
		area, widest);
	for (int32_t k = 3; k < choice->count; k++)
		CHECK(is_outside(lane, place, k), "choice %d is inside of those before it", k);
}

/* Distances and areas are as they are seen along the normal; places that are as good as one are one. */
VARIANT_TEST(reduce, places_are_chosen_across_the_normal)
{
	uint64_t seed = 4;
	for (int round = 0; round < 2000; round++) {
		plane_lane lanes[WP_WIDTH];
		plane_choice choices[WP_WIDTH];
		for (int32_t lane = 0; lane < WP_WIDTH; lane++)
			make_leaning(&seed, &lanes[lane]);
		const uint32_t most = 1 + random_below(&seed, WP_POINT_MAX);
		choose(lanes, most, choices);
		for (int32_t lane = 0; lane < WP_WIDTH; lane++)
			check_leaning(&lanes[lane], most, &choices[lane]);
	}
}

static float least_of(const plane_lane *lane)
{
	float least = WP_INFINITY;
	for (int32_t k = 0; k < 8; k++)
		least = fminf(least, lane->separation[k]);
	return least;
}

/* The same with separations, and a contact that is deeper than all of them by half or twice of what makes its points the first. */
static void make_deep(uint64_t *seed, plane_lane *lane)
{
	make_leaning(seed, lane);
	for (int32_t k = 0; k < 8; k++)
		if (lane->weight[k] > 0.0f)
			lane->separation[k] = (float)random_between(seed, 0, 3 * (double)WP_PATCH_REST);
	lane->contact = least_of(lane) - (random_below(seed, 8) ? 0.5f : 2.0f) * WP_PATCH_DEEPER;
}

static double sideways_of(const plane_lane *lane, int32_t k)
{
	return 0.8 * (double)lane->y[k] + 0.6 * (double)lane->z[k];
}

/* Whether the first choice rests on more than the deepest places. */
static bool check_deep(const plane_lane *lane, const plane_choice *choice)
{
	const float least = least_of(lane);
	const int32_t first = choice->place[0];
	CHECK((first < 0) == (lane->contact < least - WP_PATCH_DEEPER),
		"the first is %d, the contact %g beyond the deepest", first, (double)(least - lane->contact));
	if (first < 0)
		return false;
	float deepest = WP_INFINITY;
	for (int32_t k = 0; k < choice->count; k++) {
		deepest = fminf(deepest, lane->separation[choice->place[k]]);
		for (int32_t j = 0; j < k; j++)
			CHECK(choice->place[j] != choice->place[k], "choices %d and %d are one", j, k);
	}
	CHECK(deepest <= least + WP_PATCH_TOLERANCE, "%g among %d, not %g", (double)deepest, choice->count, (double)least);
	if (lane->separation[first] <= least + WP_PATCH_TOLERANCE)
		return false;
	CHECK(lane->separation[first] <= least + WP_PATCH_REST, "the first is at %g", (double)lane->separation[first]);
	for (int32_t k = 0; k < 8; k++)
		CHECK(lane->separation[k] > least + WP_PATCH_REST || sideways_of(lane, k) < sideways_of(lane, first) + 2e-3,
			"place %d is farther out than the first, %d", k, first);
	return true;
}

/* The first is the outermost of those that bodies at rest rock by, and one of the deepest is among the chosen ones, whatever
 * other lanes have. */
VARIANT_TEST(reduce, one_of_the_deepest_places_is_chosen)
{
	uint64_t seed = 5;
	int resting = 0;
	for (int round = 0; round < 2000; round++) {
		plane_lane lanes[WP_WIDTH];
		plane_choice choices[WP_WIDTH];
		for (int32_t lane = 0; lane < WP_WIDTH; lane++)
			make_deep(&seed, &lanes[lane]);
		choose(lanes, 1 + random_below(&seed, WP_POINT_MAX), choices);
		for (int32_t lane = 0; lane < WP_WIDTH; lane++)
			resting += check_deep(&lanes[lane], &choices[lane]);
	}
	CHECK(resting > 100, "%d rest on more than the deepest places", resting);
}
