/* Bad input of wp_cook_points, in tables: each argument with each kind of bad value, the error it must give,
 * and nothing handed out. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "widephase/cook.h"
#include "widephase/query.h"

enum { POINTS = 9, NO_INDEX = 77 };

/* A cube and a point within. */
static const float good_points[POINTS][3] = {
	{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}, {0, 0.25f, 0}};

/* Makes the call twice, with and without a place for the index; hull and index must be as expected. */
static void check(
	const char *name, const float *points, size_t stride, size_t count, wp_error expected, size_t expected_bad)
{
	for (int i = 0; i < 2; i++) {
		const wp_hull *hull = (const wp_hull *)(const void *)good_points;
		size_t bad = NO_INDEX;
		const wp_error error = wp_cook_points(points, stride, count, &hull, i == 0 ? &bad : NULL);
		cr_assert_eq(error, expected, "%s: %s", name, wp_error_text(error));
		cr_assert_eq(hull != NULL, error == WP_OK, "%s", name);
		cr_assert_eq(bad, i == 0 ? expected_bad : NO_INDEX, "%s: %zu is at fault", name, bad);
		wp_cook_free(hull);
	}
}

/* Counts are refused before a point is read. */
static const struct {
	const char *name;
	const float *points;
	size_t stride, count;
	wp_error expected;
} argument_cases[] = {
	{"nothing wrong", good_points[0], 0, POINTS, WP_OK},
	{"stride said", good_points[0], 12, POINTS, WP_OK},
	{"points NULL", NULL, 0, POINTS, WP_ERROR_NULL_POINTS},
	{"points NULL and none", NULL, 0, 0, WP_ERROR_NULL_POINTS},
	{"no points", good_points[0], 0, 0, WP_ERROR_HULL_VERTEX_COUNT},
	{"2^31 points", good_points[0], 0, (size_t)1 << 31, WP_ERROR_HULL_COOK},
	{"2^32 + 9 points", good_points[0], 0, ((size_t)1 << 32) + POINTS, WP_ERROR_HULL_COOK},
	{"the largest number of points", good_points[0], 0, SIZE_MAX, WP_ERROR_HULL_COOK},
	{"one point", good_points[0], 0, 1, WP_OK},
	{"two points", good_points[0], 0, 2, WP_OK},
	{"three points", good_points[0], 0, 3, WP_OK},
};

Test(bad_cook, arguments)
{
	size_t bad = NO_INDEX;
	for (size_t i = 0; i < COUNT_OF(argument_cases); i++)
		check(argument_cases[i].name, argument_cases[i].points, argument_cases[i].stride, argument_cases[i].count,
			argument_cases[i].expected, NO_INDEX);
	cr_assert_eq(wp_cook_points(good_points[0], 0, POINTS, NULL, &bad), WP_ERROR_NULL_HULL);
	cr_assert_eq(bad, (size_t)NO_INDEX);
	wp_cook_free(NULL);
}

static const struct {
	const char *name;
	float value;
	wp_error expected;
} number_cases[] = {
	{"NaN", NAN, WP_ERROR_HULL_VERTEX},
	{"-NaN", -NAN, WP_ERROR_HULL_VERTEX},
	{"infinity", INFINITY, WP_ERROR_HULL_VERTEX},
	{"-infinity", -INFINITY, WP_ERROR_HULL_VERTEX},
	{"just too large", 1.0001e30f, WP_ERROR_HULL_VERTEX},
	{"just too low", -1.0001e30f, WP_ERROR_HULL_VERTEX},
	{"far too large", FLT_MAX, WP_ERROR_HULL_VERTEX},
	{"far too low", -FLT_MAX, WP_ERROR_HULL_VERTEX},
	{"the largest coordinate", WP_COORDINATE_MAX, WP_OK},
	{"the lowest coordinate", -WP_COORDINATE_MAX, WP_OK},
	{"the least above 0", FLT_TRUE_MIN, WP_OK},
	{"-0", -0.0f, WP_OK},
};

/* Each number of each point; points as they are and strewn over bytes at odd addresses. */
Test(bad_cook, numbers)
{
	enum { STRIDE = 19 };
	for (size_t at = 0; at < 3 * POINTS; at++) {
		for (size_t i = 0; i < COUNT_OF(number_cases); i++) {
			char name[80];
			float points[POINTS][3];
			unsigned char bytes[1 + STRIDE * POINTS];
			memcpy(points, good_points, sizeof points);
			points[at / 3][at % 3] = number_cases[i].value;
			for (size_t k = 0; k < POINTS; k++)
				memcpy(bytes + 1 + STRIDE * k, points[k], sizeof points[k]);
			const wp_error expected = number_cases[i].expected;
			const size_t bad = expected == WP_OK ? NO_INDEX : at / 3;
			snprintf(name, sizeof name, "point %zu, axis %zu, %s", at / 3, at % 3, number_cases[i].name);
			check(name, points[0], 0, POINTS, expected, bad);
			check(name, (const float *)(const void *)(bytes + 1), STRIDE, POINTS, expected, bad);
		}
	}
}

/* The first of several bad points is named. */
Test(bad_cook, first_of_several)
{
	float points[POINTS][3];
	memcpy(points, good_points, sizeof points);
	points[8][2] = NAN;
	check("the last", points[0], 0, POINTS, WP_ERROR_HULL_VERTEX, 8);
	points[3][0] = INFINITY;
	check("two", points[0], 0, POINTS, WP_ERROR_HULL_VERTEX, 3);
	check("none within the count", points[0], 0, 3, WP_OK, NO_INDEX);
}
