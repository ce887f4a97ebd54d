/* Points of a tracked pair in two frames: those that go on, with the number of an old point as their impulse. */
#ifndef TESTS_SUPPORT_TRACK_POINTS_H
#define TESTS_SUPPORT_TRACK_POINTS_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "support/vector.h"

enum { SEEN_MAX = 32 };

/* A point, in the frame of both bodies; what names it; its arms, and where it has its impulse. */
typedef struct seen_point {
	const float *normal, *local_a, *local_b;
	uint32_t key[4], age;
	const float *arm_a, *arm_b;
	float *impulse;
} seen_point;

static inline double seen_distance2(const float a[3], const float b[3])
{
	double sum = 0;
	for (int k = 0; k < 3; k++)
		sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
	return sum;
}

static inline bool have_seen_key(const seen_point *a, const seen_point *b)
{
	bool same = true;
	for (int i = 0; i < 4; i++)
		same &= a->key[i] == b->key[i];
	return same;
}

static inline double seen_moved2(const seen_point *a, const seen_point *b)
{
	return fmin(seen_distance2(a->local_a, b->local_a), seen_distance2(a->local_b, b->local_b));
}

/* Whether distance makes one point of two, where each limit is wider by a share. */
static inline bool are_seen_near(const seen_point *a, const seen_point *b, double merging, double more)
{
	double cosine = 0;
	for (int k = 0; k < 3; k++)
		cosine += (double)a->normal[k] * (double)b->normal[k];
	return cosine > 0.9 * (1 - more) && sqrt(seen_moved2(a, b)) <= merging * (1 + more);
}

/* An arm is a local point, turned as its body is. */
static inline void check_arm(const float rotation[4], const float local[3], const float arm[3])
{
	const v3 from = v3_of_floats(local), turned = m3_apply(m3_of_quaternion(rotation), from);
	const double off = v3_length(v3_sub(v3_of_floats(arm), turned));
	cr_assert(off <= 1e-6 * v3_length(from), "an arm is off by %g", off);
}

static inline void check_arms(
	const seen_point *points, uint32_t count, const float rotation_a[4], const float rotation_b[4])
{
	for (uint32_t i = 0; i < count; i++) {
		check_arm(rotation_a, points[i].local_a, points[i].arm_a);
		check_arm(rotation_b, points[i].local_b, points[i].arm_b);
	}
}

/* Before a frame. */
static inline void number_points(const seen_point *points, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		points[i].impulse[0] = (float)(i + 1);
}

/* After it: a point that goes on has the number of one old point, which no other has, with its key or near it; no new point could
 * be an old one that is left, and none with the key of such a one is nearer to it. Returns how many have gone on by distance. */
static inline uint32_t check_points(
	const seen_point *old, uint32_t old_count, const seen_point *found, uint32_t count, double merging)
{
	bool is_taken[SEEN_MAX] = {false};
	uint32_t near_ones = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t number = (uint32_t)found[i].impulse[0];
		if (number == 0) {
			cr_assert_eq(found[i].age, 0);
			continue;
		}
		cr_assert(number <= old_count && !is_taken[number - 1], "two points are old point %u", number);
		const seen_point *const from = &old[number - 1];
		cr_assert_eq(found[i].age, from->age + 1);
		cr_assert(have_seen_key(from, &found[i]) || are_seen_near(from, &found[i], merging, 1e-6));
		near_ones += !have_seen_key(from, &found[i]);
		is_taken[number - 1] = true;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t number = (uint32_t)found[i].impulse[0];
		for (uint32_t o = 0; o < old_count; o++) {
			const bool same = have_seen_key(&old[o], &found[i]);
			if (is_taken[o])
				continue;
			cr_assert(number != 0 || !(same || are_seen_near(&old[o], &found[i], merging, -1e-6)),
				"point %u is new, old point %u is left", i, o);
			cr_assert(number == 0 || !same ||
						  (have_seen_key(&old[number - 1], &found[i]) &&
							  seen_moved2(&old[o], &found[i]) >= seen_moved2(&old[number - 1], &found[i])),
				"point %u has the features of old point %u, and is the further one %u", i, o, number - 1);
		}
	}
	return near_ones;
}

#endif
