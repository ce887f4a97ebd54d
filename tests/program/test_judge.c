/* The judge of `widephase compare`: the library's answers to pairs of exact separations hold, and each number that is
 * wrong in them breaks the promises that it is of. */
#include <criterion/criterion.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/contract.h"
#include "judge.h"
#include "support/unit.h"
#include "widephase/widephase.h"

#define NEAR 0.02f /* the largest separation of the speculative query */

enum { APART, DEEP, TOUCHING, SMOOTH, GROUND, INVALID, PAIRS };
enum { CONTACT, SPECULATIVE, DISTANCE, OVERLAP, QUERIES };

#define STILL      \
	{              \
		0, 0, 0, 1 \
	}

/* clang-format off */
static capture_shape shapes[] = {{CAPTURE_BOX, {1, 1, 1, 0}, 0, 0}, {CAPTURE_CONE, {1, 1, 0, 0}, 0, 0},
	{CAPTURE_SPHERE, {0.5f, 0, 0, 0}, 0, 0}, {CAPTURE_HALF_SPACE, {0, 0, 0, 0}, 0, 0}, {CAPTURE_SPHERE, {-1, 0, 0, 0}, 0, 0}};
static const capture_pair pairs[PAIRS] = {
	[APART] = {0, 0, {8, 0, 0}, STILL, {10.5f, 0.25f, 0}, STILL},
	[DEEP] = {0, 0, {8, 0, 0}, STILL, {9.75f, 0.25f, 0}, STILL},
	[TOUCHING] = {0, 0, {8, 0, 0}, STILL, {10, 0.25f, 0}, STILL},
	[SMOOTH] = {1, 2, {0, 0, 0}, STILL, {0, 2.5f, 0}, STILL},
	[GROUND] = {3, 2, {0, 0, 0}, STILL, {0, 0.25f, 0}, STILL},
	[INVALID] = {0, 0, {0, 0, 0}, STILL, {1, 0, 0}, {0, 0, 0, 2}},
};
static const capture_truth truth[PAIRS] = {
	[APART] = {0.5, {1, 0, 0}, 1}, [DEEP] = {-0.25, {1, 0, 0}, 1}, [TOUCHING] = {0, {1, 0, 0}, 0},
	[SMOOTH] = {1, {0, 1, 0}, 1}, [GROUND] = {-0.25, {0, 1, 0}, 1}, [INVALID] = {0, {1, 0, 0}, 0}};
/* clang-format on */

static wp_row rows[QUERIES][PAIRS];
static uint8_t overlap[PAIRS];
static judged_pair judged[PAIRS];
static capture_scene scene;
static wp_workspace *workspace;

static void answer(void)
{
	workspace = workspace_of(WP_VARIANT_AUTO);
	const capture_file capture = {.shapes = shapes, .shape_count = COUNT_OF(shapes), .path = "here"};
	char error[CAPTURE_ERROR_MAX];
	cr_assert(scene_build(&scene, &capture, error), "%s", error);
	const wp_batch batch = scene_batch(&scene, pairs, PAIRS);
	const wp_contact_options all = {.max_separation = INFINITY}, close = {.max_separation = NEAR};
	wp_results to[QUERIES];
	for (int query = 0; query < QUERIES; query++)
		to[query] = wp_results_of_rows(rows[query]);
	to[OVERLAP].overlap.data = overlap;
	cr_assert_eq(wp_contact(workspace, &batch, &all, &to[CONTACT], NULL), WP_OK);
	cr_assert_eq(wp_contact(workspace, &batch, &close, &to[SPECULATIVE], NULL), WP_OK);
	cr_assert_eq(wp_distance(workspace, &batch, &to[DISTANCE], NULL), WP_OK);
	cr_assert_eq(wp_overlap(workspace, &batch, &to[OVERLAP], NULL), WP_OK);
	for (int pair = 0; pair < PAIRS; pair++)
		judge_prepare(&judged[pair], &capture, &scene, &pairs[pair], &truth[pair]);
}

static void forget(void) { scene_free(&scene); }

TestSuite(judge, .init = answer, .fini = forget);

static uint32_t violations_of(int pair, int query, const wp_row *row, uint8_t together)
{
	const wp_reference_row wide = judge_widen(row);
	switch (query) {
	case CONTACT:
		return judge_contact(&judged[pair], &wide, 0x1p-24).violations;
	case SPECULATIVE:
		return judge_speculative(&judged[pair], row, NEAR);
	case DISTANCE:
		return judge_distance(&judged[pair], row);
	default:
		return judge_overlap(&judged[pair], row, together);
	}
}

Test(judge, answers_hold)
{
	for (int pair = 0; pair < PAIRS; pair++)
		for (int query = 0; query < QUERIES; query++) {
			const uint32_t broken = violations_of(pair, query, &rows[query][pair], overlap[pair]);
			cr_expect_eq(broken, 0, "pair %d, query %d: violations %#x", pair, query, broken);
		}
	cr_expect(!judged[INVALID].valid && judged[APART].valid);
}

#define AT(field) offsetof(wp_row, field)
#define X(field) (AT(field) + 0 * sizeof(float))
#define Y(field) (AT(field) + 1 * sizeof(float))
#define NONE AT(iterations) /* which nothing judges */

/* An answer with `more` at one place or two, and some bits of its status the other way. */
static const struct {
	const char *name;
	int pair, query;
	size_t at[2];
	float more;
	uint32_t flipped, violations;
} wrong[] = {
	{"separation", APART, CONTACT, {AT(separation), NONE}, 0.01f, 0, VIOLATION_SEPARATION | VIOLATION_WITNESS},
	{"separation NaN", APART, CONTACT, {AT(separation), NONE}, NAN, 0, VIOLATION_SEPARATION | VIOLATION_WITNESS},
	{"a long normal", APART, CONTACT, {X(normal), NONE}, 0.01f, 0, VIOLATION_UNIT},
	{"a normal that leans", APART, CONTACT, {Y(normal), NONE}, 0.01f, 0,
		VIOLATION_UNIT | VIOLATION_SUPPORT_GAP | VIOLATION_ANGLE | VIOLATION_WITNESS},
	{"the other way", DEEP, CONTACT, {X(normal), NONE}, -2, 0,
		VIOLATION_SUPPORT_GAP | VIOLATION_ANGLE | VIOLATION_WITNESS},
	{"point of A", APART, CONTACT, {X(point_a), NONE}, -0.01f, 0, VIOLATION_WITNESS | VIOLATION_SURFACE},
	{"point of B", APART, CONTACT, {X(point_b), NONE}, 0.01f, 0, VIOLATION_WITNESS | VIOLATION_SURFACE},
	{"both points", APART, CONTACT, {X(point_a), X(point_b)}, 0.01f, 0, VIOLATION_SURFACE},
	{"points elsewhere on the faces", APART, CONTACT, {Y(point_a), Y(point_b)}, 0.001f, 0, 0},
	{"lower above", APART, CONTACT, {AT(lower), NONE}, 0.01f, 0, VIOLATION_BRACKET},
	{"lower far below", APART, CONTACT, {AT(lower), NONE}, -0.01f, 0, VIOLATION_WIDE},
	{"a wide bracket", APART, CONTACT, {AT(lower), NONE}, -0.01f, WP_STATUS_WIDE_BRACKET, 0},
	{"lower NaN", APART, CONTACT, {AT(lower), NONE}, NAN, 0, VIOLATION_BRACKET | VIOLATION_WIDE | VIOLATION_STATUS},
	{"upper below", APART, CONTACT, {AT(upper), NONE}, -0.01f, 0, VIOLATION_BRACKET},
	{"upper far above", APART, CONTACT, {AT(upper), NONE}, 0.01f, 0, VIOLATION_WIDE},
	{"apart called together", APART, CONTACT, {NONE, NONE}, 0, WP_STATUS_SEPARATED | WP_STATUS_PENETRATING,
		VIOLATION_OVERLAP | VIOLATION_STATUS},
	{"together called apart", DEEP, CONTACT, {NONE, NONE}, 0, WP_STATUS_SEPARATED | WP_STATUS_PENETRATING,
		VIOLATION_OVERLAP | VIOLATION_STATUS},
	{"apart and touching", APART, CONTACT, {NONE, NONE}, 0, WP_STATUS_TOUCHING, VIOLATION_STATUS},
	{"touching", APART, CONTACT, {NONE, NONE}, 0, WP_STATUS_TOUCHING | WP_STATUS_SEPARATED, VIOLATION_STATUS},
	{"touching, lower above", TOUCHING, CONTACT, {AT(lower), NONE}, 0.0001f, 0, VIOLATION_BRACKET | VIOLATION_STATUS},
	{"neither", DEEP, CONTACT, {NONE, NONE}, 0, WP_STATUS_PENETRATING, VIOLATION_STATUS},
	{"a valid pair refused", APART, CONTACT, {NONE, NONE}, 0, WP_STATUS_INVALID, VIOLATION_STATUS},
	{"an invalid pair answered", INVALID, CONTACT, {NONE, NONE}, 0, WP_STATUS_INVALID, VIOLATION_STATUS},
	{"an invalid pair with a normal", INVALID, CONTACT, {X(normal), NONE}, 1, 0, VIOLATION_STATUS},
	{"a smooth pair's bound", SMOOTH, CONTACT, {AT(separation), NONE}, 0x1p-16f, 0, 0},
	{"beyond a smooth pair's bound", SMOOTH, CONTACT, {AT(separation), NONE}, 0x1p-15f, 0, VIOLATION_SEPARATION},
	{"the ground's normal leans", GROUND, CONTACT, {X(normal), NONE}, 0.0001f, 0,
		VIOLATION_SUPPORT_GAP | VIOLATION_WITNESS},
	{"a point under ground", GROUND, CONTACT, {Y(point_a), NONE}, -0.01f, 0, VIOLATION_WITNESS | VIOLATION_SURFACE},

	{"beyond, separation", APART, SPECULATIVE, {AT(separation), NONE}, 0.01f, 0, VIOLATION_SPECULATIVE},
	{"beyond, no more than asked", APART, SPECULATIVE, {AT(separation), AT(lower)}, -0.48f, 0, VIOLATION_SPECULATIVE},
	{"beyond, a little more", APART, SPECULATIVE, {AT(separation), AT(lower)}, -0.0001f, 0, 0},
	{"beyond, above the truth", APART, SPECULATIVE, {AT(separation), AT(lower)}, 0.01f, 0, VIOLATION_SPECULATIVE},
	{"beyond, not apart", APART, SPECULATIVE, {NONE, NONE}, 0, WP_STATUS_SEPARATED, VIOLATION_SPECULATIVE},
	{"near, separation", DEEP, SPECULATIVE, {AT(separation), NONE}, 0.01f, 0, VIOLATION_SPECULATIVE},
	{"near, upper below", DEEP, SPECULATIVE, {AT(upper), NONE}, -0.01f, 0, VIOLATION_SPECULATIVE},
	{"near, called apart", DEEP, SPECULATIVE, {NONE, NONE}, 0, WP_STATUS_SEPARATED | WP_STATUS_PENETRATING,
		VIOLATION_SPECULATIVE},
	{"near, an invalid pair", INVALID, SPECULATIVE, {NONE, NONE}, 0, WP_STATUS_INVALID, VIOLATION_SPECULATIVE},

	{"distance", APART, DISTANCE, {AT(separation), NONE}, 0.01f, 0, VIOLATION_DISTANCE},
	{"distance, lower above", APART, DISTANCE, {AT(lower), NONE}, 0.01f, 0, VIOLATION_DISTANCE},
	{"distance, a point", APART, DISTANCE, {X(point_b), NONE}, 0.01f, 0, VIOLATION_DISTANCE},
	{"distance, a long normal", APART, DISTANCE, {X(normal), NONE}, 0.01f, 0, VIOLATION_DISTANCE},
	{"distance, no normal", APART, DISTANCE, {X(normal), NONE}, -1, 0, VIOLATION_DISTANCE},
	{"no distance, separation", DEEP, DISTANCE, {AT(separation), NONE}, 1e-7f, 0, VIOLATION_DISTANCE},
	{"no distance, lower", DEEP, DISTANCE, {AT(lower), NONE}, -1e-7f, 0, VIOLATION_DISTANCE},
	{"no distance, upper", DEEP, DISTANCE, {AT(upper), NONE}, 0.01f, 0, VIOLATION_DISTANCE},
	{"no distance, two points", DEEP, DISTANCE, {X(point_a), NONE}, 0.01f, 0, VIOLATION_DISTANCE},
	{"no distance, a point of A alone", DEEP, DISTANCE, {X(point_a), X(point_b)}, -1, 0, VIOLATION_DISTANCE},
	{"no distance, a point of B alone", DEEP, DISTANCE, {X(point_a), X(point_b)}, 1, 0, VIOLATION_DISTANCE},
	{"no distance, called apart", DEEP, DISTANCE, {NONE, NONE}, 0, WP_STATUS_SEPARATED, VIOLATION_DISTANCE},
	{"distance of an invalid pair", INVALID, DISTANCE, {NONE, NONE}, 0, WP_STATUS_INVALID, VIOLATION_DISTANCE},

	{"overlap, called apart", DEEP, OVERLAP, {NONE, NONE}, 0, WP_STATUS_SEPARATED | WP_STATUS_PENETRATING,
		VIOLATION_BOOLEAN},
	{"overlap, called together", APART, OVERLAP, {NONE, NONE}, 0, WP_STATUS_SEPARATED | WP_STATUS_PENETRATING,
		VIOLATION_BOOLEAN},
	{"overlap, lower above", APART, OVERLAP, {AT(lower), NONE}, 1, 0, VIOLATION_BOOLEAN},
	{"overlap of an invalid pair", INVALID, OVERLAP, {NONE, NONE}, 0, WP_STATUS_INVALID, VIOLATION_BOOLEAN},
};

Test(judge, wrong_answers_break_promises)
{
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		wp_row row = rows[wrong[i].query][wrong[i].pair];
		for (int k = 0; k < 2; k++) {
			float number;
			if (wrong[i].at[k] == NONE)
				continue;
			memcpy(&number, (const char *)&row + wrong[i].at[k], sizeof number);
			number += wrong[i].more;
			memcpy((char *)&row + wrong[i].at[k], &number, sizeof number);
		}
		row.status ^= wrong[i].flipped;
		const uint32_t broken = violations_of(wrong[i].pair, wrong[i].query, &row, overlap[wrong[i].pair]);
		cr_expect_eq(
			broken, wrong[i].violations, "%s: violations %#x, not %#x", wrong[i].name, broken, wrong[i].violations);
	}
}

/* The word of an overlap query, beside rows that are right. */
Test(judge, overlaps_that_are_wrong)
{
	for (int pair = 0; pair < PAIRS; pair++) {
		const uint32_t broken = violations_of(pair, OVERLAP, &rows[OVERLAP][pair], !overlap[pair]);
		cr_expect_eq(broken, pair == INVALID ? 0 : VIOLATION_BOOLEAN, "pair %d: violations %#x", pair, broken);
	}
}

/* Pairs that the library must answer, and pairs that it must refuse. */
static const struct {
	const char *name;
	capture_pair pair;
	bool valid;
} records[] = {
	{"two balls", {2, 2, {0, 0, 0}, STILL, {0, 0, 0}, STILL}, true},
	{"the ground below a ball", {3, 2, {0, 0, 0}, STILL, {0, 0, 0}, STILL}, true},
	{"a ball above the ground", {2, 3, {0, 0, 0}, STILL, {0, 0, 0}, STILL}, true},
	{"two half-spaces", {3, 3, {0, 0, 0}, STILL, {0, 0, 0}, STILL}, false},
	{"A without a radius", {4, 2, {0, 0, 0}, STILL, {0, 0, 0}, STILL}, false},
	{"B without a radius", {2, 4, {0, 0, 0}, STILL, {0, 0, 0}, STILL}, false},
	{"A farther than there is", {2, 2, {0, 0, -2e30f}, STILL, {0, 0, 0}, STILL}, false},
	{"B farther than there is", {2, 2, {0, 0, 0}, STILL, {0, 2e30f, 0}, STILL}, false},
	{"A nowhere", {2, 2, {NAN, 0, 0}, STILL, {0, 0, 0}, STILL}, false},
	{"A with a rotation of length 2", {2, 2, {0, 0, 0}, {0, 0, 0, 2}, {0, 0, 0}, STILL}, false},
	{"B with no rotation", {2, 2, {0, 0, 0}, STILL, {0, 0, 0}, {0, 0, 0, 0}}, false},
};

Test(judge, pairs_that_are_to_be_answered)
{
	const capture_file capture = {.shapes = shapes, .shape_count = COUNT_OF(shapes)};
	const wp_contact_options all = {.max_separation = INFINITY};
	for (size_t i = 0; i < COUNT_OF(records); i++) {
		wp_row row;
		const wp_results to = wp_results_of_rows(&row);
		const wp_batch one = scene_batch(&scene, &records[i].pair, 1);
		cr_expect_eq(judge_is_valid(&scene, &capture, &records[i].pair), records[i].valid, "%s", records[i].name);
		cr_assert_eq(wp_contact(workspace, &one, &all, &to, NULL), WP_OK);
		cr_expect_eq(!(row.status & WP_STATUS_INVALID), records[i].valid, "%s", records[i].name);
	}
}

/* How large an error is, in units of size plus distance, and the angle. */
Test(judge, sizes_of_errors)
{
	const double unit = 0.5 + sqrt(3);
	wp_reference_row row = judge_widen(&rows[CONTACT][APART]);
	row.separation += 0.25;
	row.point_b[0] += 0.125;
	row.normal[0] = 0.8;
	row.normal[1] = 0.6;
	const verdict found = judge_contact(&judged[APART], &row, 0x1p-24);
	const double gap = 0.8 * 2.5 + 0.6 * 0.25 - 2 * (0.8 + 0.6), angle = acos(0.8) * 180 / acos(-1);
	const double rest = hypot(0.625 - 0.75 * 0.8, 0.75 * 0.6);
	cr_expect(
		found.judged && found.typical == WP_CONTRACT_TYPICAL, "judged: %d, typical %a", found.judged, found.typical);
	cr_expect_float_eq(found.separation_error, 0.25 / unit, 1e-6, "%a, not %a", found.separation_error, 0.25 / unit);
	cr_expect_float_eq(
		found.support_gap_error, (0.5 - gap) / unit, 1e-6, "%a, not %a", found.support_gap_error, (0.5 - gap) / unit);
	cr_expect_float_eq(found.point_error, rest / unit, 1e-6, "%a, not %a", found.point_error, rest / unit);
	cr_expect_float_eq(found.angle, angle, 1e-6, "%a, not %a", found.angle, angle);
}
