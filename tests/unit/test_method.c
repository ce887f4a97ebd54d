/* Methods of wp_contact: what each of them refuses and promises, by every variant, against the oracle and the
 * reference. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/contract.h"
#include "job/directions.h"
#include "support/block.h"
#include "support/gen.h"
#include "support/oracle.h"
#include "support/unit.h"
#include "support/vector.h"
#include "widephase/widephase.h"
#ifdef HAVE_COOK
#include "widephase/cook.h"
#endif

enum {
	CORPUS = 20 * GEN_CONSTRUCTION_COUNT,
	SMOOTH_CORPUS = 5 * GEN_CONSTRUCTION_COUNT,
	RANDOM = 400,
	ROWS_MAX = CORPUS
};

/* Pairs 2 i, 2 i + 1, and what is known of their separations. */
static wp_shape shapes[2 * ROWS_MAX];
static wp_pose poses[2 * ROWS_MAX];
static double truth[ROWS_MAX], doubt[ROWS_MAX], unit[ROWS_MAX];
static bool is_plain[ROWS_MAX];
static size_t row_count;
static wp_row rows[ROWS_MAX];
static gen_corpus corpus;
static gen_random random_numbers;

/* ---- asking ------------------------------------------------------------------------------------- */

static wp_method_options by(wp_method method, double margin, uint32_t directions)
{
	return (wp_method_options){(uint32_t)method, directions, (float)margin};
}

static wp_batch make_batch(void)
{
	static uint32_t pairs[2 * ROWS_MAX];
	for (uint32_t i = 0; i < 2 * ROWS_MAX; i++)
		pairs[i] = i;
	const size_t size = wp_shape_table_size(2 * row_count);
	wp_batch batch = {.a = {.position = {poses[0].position, sizeof *poses},
						  .rotation = {poses[0].rotation, sizeof *poses},
						  .count = 2 * row_count},
		.pair_a = {pairs, 2 * sizeof *pairs},
		.pair_b = {pairs + 1, 2 * sizeof *pairs},
		.count = row_count};
	cr_assert_eq(wp_shape_table_build(shapes, 2 * row_count, block(size), size, &batch.shapes, NULL), WP_OK);
	return batch;
}

/* Contacts of all pairs, the same bits from every variant. */
static void ask(wp_method method, double margin, uint32_t directions, float max_separation)
{
	static wp_row other[ROWS_MAX];
	const wp_batch batch = make_batch();
	const wp_contact_options options = {.max_separation = max_separation};
	const wp_method_options way = by(method, margin, directions);
	for (uint32_t v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		const wp_results results = wp_results_of_rows(v == WP_VARIANT_SCALAR ? rows : other);
		cr_assert_eq(wp_contact_by_method(workspace_of((wp_variant)v), &batch, &options, &way, &results, NULL), WP_OK);
		for (size_t i = 0; v != WP_VARIANT_SCALAR && i < row_count; i++)
			CHECK(memcmp(&rows[i], &other[i], sizeof rows[i]) == 0, "row %zu differs by %s", i,
				wp_variant_name((wp_variant)v));
	}
}

/* ---- pairs and what is true of them ------------------------------------------------------------- */

static oracle_pose oracle_pose_of(size_t body)
{
	oracle_pose pose = {.position = v3_of_floats(poses[body].position)};
	memcpy(pose.rotation, poses[body].rotation, sizeof pose.rotation);
	return pose;
}

/* The gap of the support planes of a plain pair across a direction. */
static double gap_along(size_t row, const float normal[3])
{
	oracle_shape *const a = oracle_shape_new(&shapes[2 * row]), *const b = oracle_shape_new(&shapes[2 * row + 1]);
	const oracle_pose at_a = oracle_pose_of(2 * row), at_b = oracle_pose_of(2 * row + 1);
	const double gap = oracle_gap_along(a, &at_a, b, &at_b, v3_unit(v3_of_floats(normal)));
	oracle_shape_free(a);
	oracle_shape_free(b);
	return gap;
}

static void find_truth(size_t row)
{
	double position[2][3];
	for (int i = 0; i < 6; i++)
		position[i / 3][i % 3] = (double)poses[2 * row + (size_t)(i / 3)].position[i % 3];
	wp_reference_row known;
	cr_assert_eq(wp_reference_contact_pair(&shapes[2 * row], position[0], poses[2 * row].rotation, &shapes[2 * row + 1],
					 position[1], poses[2 * row + 1].rotation, &known),
		WP_OK);
	truth[row] = known.separation;
	doubt[row] = fmax(known.upper - known.lower, 0);
	is_plain[row] = shapes[2 * row].kind <= WP_SHAPE_HULL && shapes[2 * row + 1].kind <= WP_SHAPE_HULL;
	if (!is_plain[row])
		return;
	oracle_shape *const a = oracle_shape_new(&shapes[2 * row]), *const b = oracle_shape_new(&shapes[2 * row + 1]);
	const oracle_pose at_a = oracle_pose_of(2 * row), at_b = oracle_pose_of(2 * row + 1);
	oracle_answer answer;
	if (a->vertex_count * b->vertex_count <= 400 && oracle_solve(a, &at_a, b, &at_b, &answer)) {
		truth[row] = answer.separation;
		doubt[row] = answer.doubt;
	}
	oracle_shape_free(a);
	oracle_shape_free(b);
}

static void find_truths(void)
{
	const wp_batch batch = make_batch();
	for (size_t i = 0; i < row_count; i++) {
		find_truth(i);
		unit[i] = fmax((double)wp_shape_table_bound(batch.shapes, 2 * i),
					  (double)wp_shape_table_bound(batch.shapes, 2 * i + 1)) +
		          fabs(truth[i]);
	}
}

static void take_corpus(bool smooth)
{
	const gen_options options = {.seed = 77, .vertex_max = 20, .smooth = smooth};
	row_count = smooth ? SMOOTH_CORPUS : CORPUS;
	cr_assert(gen_corpus_make(&options, 0, row_count, &corpus));
	memcpy(shapes, corpus.shapes, 2 * row_count * sizeof *shapes);
	memcpy(poses, corpus.poses, 2 * row_count * sizeof *poses);
	find_truths();
}

static double between(double low, double high) { return gen_range(&random_numbers, low, high); }

static wp_shape any_box(void)
{
	return wp_shape_box((float)between(0.2, 1), (float)between(0.2, 1), (float)between(0.2, 1));
}

/* The corners of a box, with its faces or without. */
static wp_shape box_as_hull(const float half[3], bool has_faces)
{
	static const uint32_t sizes[6] = {4, 4, 4, 4, 4, 4};
	static const uint32_t indices[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
	float corners[8][3];
	for (uint32_t i = 0; i < 24; i++)
		corners[i / 3][i % 3] = i / 3 >> i % 3 & 1 ? half[i % 3] : -half[i % 3];
	const uint32_t faces = has_faces ? 6 : 0;
	const wp_hull_input input = {
		.vertices = {corners[0]}, .vertex_count = 8, .face_sizes = sizes, .face_indices = indices, .face_count = faces};
	const size_t size = wp_hull_size(8, faces, 4 * faces);
	const wp_hull *hull;
	cr_assert_eq(wp_hull_build(&input, block(size), size, &hull, NULL), WP_OK);
	return wp_shape_hull(hull);
}

static wp_shape any_hull(void)
{
#ifdef HAVE_COOK
	float points[20][3];
	const double size = between(0.3, 1);
	for (int i = 0; i < 20; i++) {
		const v3 p = v3_scale(gen_direction(&random_numbers), size);
		points[i][0] = gen_rounded(p.x);
		points[i][1] = gen_rounded(p.y);
		points[i][2] = gen_rounded(p.z);
	}
	const wp_hull *hull;
	cr_assert_eq(wp_cook_points(points[0], 0, 20, &hull, NULL), WP_OK);
	return wp_shape_hull(hull);
#else
	return box_as_hull((const float[3]){(float)between(0.2, 1), (float)between(0.2, 1), (float)between(0.2, 1)}, true);
#endif
}

/* Boxes and hulls that are nearly touching: B stands where a direction brings it to A, and then a bit to or fro. */
static void take_random(void)
{
	gen_seed(&random_numbers, 5);
	row_count = RANDOM;
	for (size_t i = 0; i < row_count; i++) {
		shapes[2 * i] = i % 3 == 1 ? any_hull() : any_box();
		shapes[2 * i + 1] = i % 3 != 0 ? any_hull() : any_box();
		if (i % 5 == 0)
			shapes[2 * i].radius = (float)between(0, 0.1);
		const v3 n = gen_direction(&random_numbers);
		const float normal[3] = {(float)n.x, (float)n.y, (float)n.z};
		for (size_t side = 0; side < 2; side++) {
			gen_rotation(&random_numbers, poses[2 * i + side].rotation);
			memset(poses[2 * i + side].position, 0, sizeof poses[2 * i + side].position);
		}
		const v3 at = v3_scale(n, between(-0.25, 0.1) - gap_along(i, normal));
		poses[2 * i + 1].position[0] = gen_rounded(at.x);
		poses[2 * i + 1].position[1] = gen_rounded(at.y);
		poses[2 * i + 1].position[2] = gen_rounded(at.z);
	}
	find_truths();
}

/* ---- what all methods promise ------------------------------------------------------------------- */

static double slack_of(size_t row) { return doubt[row] + 1e-9 * unit[row] + 0x1p-146; }

static double contract_of(size_t row)
{
	return (is_plain[row] ? WP_CONTRACT : WP_CONTRACT_SMOOTH_WIDE) * unit[row] + 0x1p-146;
}

/* The bracket holds the truth, and the status is right. */
static void check_brackets(const char *what, float max_separation)
{
	for (size_t i = 0; i < row_count; i++) {
		const wp_row *const r = &rows[i];
		const double lower = (double)r->lower, upper = (double)r->upper, slack = slack_of(i);
		CHECK(lower <= truth[i] + slack && upper >= truth[i] - slack, "%s, row %zu: [%a, %a] without %a (status %x)",
			what, i, lower, upper, truth[i], r->status);
		const uint32_t state = lower > 0 ? WP_STATUS_SEPARATED : upper < 0 ? WP_STATUS_PENETRATING : WP_STATUS_TOUCHING;
		CHECK((r->status & 7) == state, "%s, row %zu: status %x of [%a, %a]", what, i, r->status, lower, upper);
		if (r->status & WP_STATUS_BEYOND) {
			CHECK(r->lower > max_separation && memcmp(&r->lower, &r->separation, sizeof r->lower) == 0,
				"%s, row %zu: %a, %a", what, i, lower, (double)r->separation);
			continue;
		}
		const double contract = contract_of(i) + slack;
		CHECK(upper - lower <= contract || r->status & WP_STATUS_WIDE_BRACKET, "%s, row %zu: [%a, %a], status %x", what,
			i, lower, upper, r->status);
		CHECK((double)r->separation >= lower - contract && (double)r->separation <= upper + contract, "%s, row %zu",
			what, i);
	}
}

/* The normal of a plain pair proves the lower bound. */
static void check_planes(const char *what)
{
	for (size_t i = 0; i < row_count; i++) {
		if (!is_plain[i])
			continue;
		const double gap = gap_along(i, rows[i].normal);
		CHECK((double)rows[i].lower <= gap + 1e-6 * unit[i] + 0x1p-146, "%s, row %zu: %a, planes %a", what, i,
			(double)rows[i].lower, gap);
		CHECK((double)rows[i].lower >= gap - contract_of(i), "%s, row %zu: %a, planes %a", what, i,
			(double)rows[i].lower, gap);
	}
}

static void take_pairs(int which)
{
	if (which == 2)
		take_random();
	else
		take_corpus(which == 1);
}

/* ---- GJK and EPA alone -------------------------------------------------------------------------- */

Test(method, gjk_and_epa_meet_the_closed_forms)
{
	static wp_row closed[ROWS_MAX];
	static const size_t least[] = {50, 5, 20};
	for (int which = 0; which < 3; which++) {
		take_pairs(which);
		ask(WP_METHOD_AUTO, 0, 0, INFINITY);
		check_brackets("auto", INFINITY);
		memcpy(closed, rows, sizeof rows);
		ask(WP_METHOD_GJK_EPA, 0, 0, INFINITY);
		check_brackets("gjk_epa", INFINITY);
		size_t searched = 0;
		for (size_t i = 0; i < row_count; i++) {
			const double apart = fabs((double)rows[i].separation - (double)closed[i].separation);
			CHECK(apart <= 2 * contract_of(i), "row %zu: %a and %a", i, (double)rows[i].separation,
				(double)closed[i].separation);
			CHECK(rows[i].lower <= closed[i].upper && closed[i].lower <= rows[i].upper, "row %zu", i);
			searched += closed[i].iterations == 0 && rows[i].iterations != 0;
		}
		cr_assert(searched > least[which], "%zu of pairs %d", searched, which);
		ask(WP_METHOD_GJK_EPA, 0, 0, 0.02f);
		check_brackets("gjk_epa", 0.02f);
	}
}

/* ---- shrunken cores ----------------------------------------------------------------------------- */

/* The ball about its origin that a shape is known to hold. */
static double inner_of(const wp_shape *s)
{
	double inner = INFINITY;
	for (int i = 0; i < 3 && s->kind == WP_SHAPE_BOX; i++)
		inner = fmin(inner, (double)s->half_extents[i]);
	for (size_t i = 0; s->kind == WP_SHAPE_HULL && i < wp_hull_face_count(s->hull); i++) {
		float normal[3], vertex[3];
		size_t size;
		wp_hull_face_normal(s->hull, i, normal);
		wp_hull_vertex(s->hull, wp_hull_face(s->hull, i, &size)[0], vertex);
		inner = fmin(inner, v3_dot(v3_of_floats(normal), v3_of_floats(vertex)));
	}
	return isinf(inner) ? 0 : fmax(inner, 0);
}

/* How much at most the separation of a pair may be above the truth. */
static double lost_by(size_t row, const wp_batch *batch, double margin)
{
	const wp_shape *const s = &shapes[2 * row];
	const bool both = s[0].kind == WP_SHAPE_HULL && s[1].kind == WP_SHAPE_HULL;
	double lost = 0;
	for (size_t side = 0; side < 2; side++) {
		const double inner = inner_of(&s[side]), r = both ? fmax(inner_of(&s[0]), inner_of(&s[1])) : inner;
		const double bound = (double)wp_shape_table_bound(batch->shapes, 2 * row + side) - (double)s[side].radius;
		if (s[side].kind == WP_SHAPE_BOX)
			lost += (sqrt(3) - 1) * fmin(margin, inner / 2);
		else if (inner > 0)
			lost += fmin(margin / r, 0.5) * (bound - inner);
	}
	return lost;
}

static void check_lost(double margin)
{
	const wp_batch batch = make_batch();
	for (size_t i = 0; i < row_count; i++) {
		if (rows[i].status & WP_STATUS_BEYOND)
			continue;
		const double over = (double)rows[i].separation - truth[i], contract = contract_of(i) + slack_of(i);
		const double lost = is_plain[i] ? lost_by(i, &batch, margin) : 0;
		CHECK(over >= -contract, "margin %g, row %zu: %a is below %a", margin, i, (double)rows[i].separation, truth[i]);
		CHECK(over <= lost + contract, "margin %g, row %zu: %a is above %a by %g, not %g", margin, i,
			(double)rows[i].separation, truth[i], over, lost);
	}
}

Test(method, cores_lose_edges_and_corners_and_no_more)
{
	static const double margins[] = {0, 0.01, 0.04, 10};
	for (int which = 0; which < 3; which++) {
		take_pairs(which);
		for (size_t i = 0; i < sizeof margins / sizeof margins[0]; i++) {
			ask(WP_METHOD_CORE, margins[i], 0, INFINITY);
			check_brackets("core", INFINITY);
			check_planes("core");
			check_lost(margins[i]);
			ask(WP_METHOD_CORE, margins[i], 0, 0.02f);
			check_brackets("core, near", 0.02f);
			check_lost(margins[i]);
		}
	}
}

/* What overlaps by less than both margins is answered by GJK. */
Test(method, cores_spare_epa)
{
	static const wp_method methods[] = {WP_METHOD_GJK_EPA, WP_METHOD_CORE};
	take_random();
	uint64_t epa_rows[2];
	for (int i = 0; i < 2; i++) {
		const wp_batch batch = make_batch();
		const wp_contact_options options = {.max_separation = INFINITY};
		const wp_method_options method = by(methods[i], 0.1, 0);
		const wp_results results = wp_results_of_rows(rows);
		wp_statistics statistics = {0};
		wp_workspace *const w = workspace_of(WP_VARIANT_AUTO);
		cr_assert_eq(wp_contact_by_method(w, &batch, &options, &method, &results, &statistics), WP_OK);
		epa_rows[i] = statistics.epa_rows;
		uint64_t wide = 0;
		for (size_t row = 0; row < row_count; row++)
			wide += (rows[row].status & WP_STATUS_WIDE_BRACKET) != 0;
		cr_assert_eq(statistics.wide_bracket, wide);
	}
	cr_assert(2 * epa_rows[1] < epa_rows[0], "%u and %u rows of EPA", (unsigned)epa_rows[0], (unsigned)epa_rows[1]);
}

static wp_row one_contact(const wp_shape *a, const wp_shape *b, const wp_pose *at_b, double margin)
{
	row_count = 1;
	shapes[0] = *a;
	shapes[1] = *b;
	poses[0] = (wp_pose){{0, 0, 0}, {0, 0, 0, 1}};
	poses[1] = *at_b;
	ask(WP_METHOD_CORE, margin, 0, INFINITY);
	return rows[0];
}

/* A face on a face is as exact as ever, an edge is off by what it has lost. */
Test(method, faces_of_cores_are_exact)
{
	const wp_shape box = wp_shape_box(1, 1, 1), hull = box_as_hull((const float[3]){1, 1, 1}, true);
	const wp_shape faceless = box_as_hull((const float[3]){1, 1, 1}, false);
	const wp_pose on_face = {{1.9375f, 0.25f, 0}, {0, 0, 0, 1}},
				  by_edge = {{2.375f, 0, 0}, {0, 0, 0.38268343f, 0.92387953f}};
	const wp_shape *const all[] = {&box, &hull};
	for (int i = 0; i < 4; i++) {
		const wp_row face = one_contact(all[i & 1], all[i >> 1], &on_face, 0.125);
		cr_assert(fabs((double)face.separation + 0.0625) < 6e-6 && !(face.status & WP_STATUS_WIDE_BRACKET),
			"%d: %a, %x", i, (double)face.separation, face.status);
		/* The face of one, and an edge of the other, which has lost sqrt(2) - 1 margins. */
		const wp_row edge = one_contact(all[i & 1], all[i >> 1], &by_edge, 0.125);
		const double sharp = 2.375 - 1 - sqrt(2), expected = sharp + (sqrt(2) - 1) * 0.125;
		cr_assert(
			fabs((double)edge.separation - expected) < 6e-6, "%d: %a, not %a", i, (double)edge.separation, expected);
		cr_assert(fabs((double)edge.lower - sharp) < 1e-5 && edge.status & WP_STATUS_WIDE_BRACKET, "%d: %a, %x", i,
			(double)edge.lower, edge.status);
	}
	/* A hull without faces stays as it is. */
	const wp_row exact = one_contact(&faceless, &faceless, &by_edge, 0.125);
	cr_assert(
		fabs((double)exact.separation - (2.375 - 1 - sqrt(2))) < 6e-6 && !(exact.status & WP_STATUS_WIDE_BRACKET));
}

/* ---- sampled directions ------------------------------------------------------------------------- */

Test(method, sampled_directions_bound_the_truth)
{
	static const uint32_t counts[] = {WP_METHOD_DIRECTIONS_MIN, 32, WP_METHOD_DIRECTIONS_MAX};
	for (int which = 0; which < 3; which++) {
		take_pairs(which);
		for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
			ask(WP_METHOD_SAMPLED, 0, counts[k], INFINITY);
			check_brackets("sampled", INFINITY);
			check_planes("sampled");
			for (size_t i = 0; i < row_count; i++) {
				const bool strong = rows[i].status & WP_STATUS_STRONG;
				CHECK((double)rows[i].separation <= truth[i] + contract_of(i) + slack_of(i), "row %zu: %a is above %a",
					i, (double)rows[i].separation, truth[i]);
				CHECK(strong || rows[i].iterations >= counts[k] + 7, "row %zu: %u directions", i, rows[i].iterations);
			}
			ask(WP_METHOD_SAMPLED, 0, counts[k], 0.02f);
			check_brackets("sampled, near", 0.02f);
		}
	}
}

/* More directions bring both bounds closer, in the mean. */
Test(method, more_directions_are_better)
{
	static const uint32_t counts[] = {6, 32, 128, 256};
	double error_before = INFINITY, width_before = INFINITY;
	take_random();
	for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
		double error = 0, width = 0;
		ask(WP_METHOD_SAMPLED, 0, counts[k], INFINITY);
		for (size_t i = 0; i < row_count; i++) {
			error += (truth[i] - (double)rows[i].separation) / unit[i];
			width += ((double)rows[i].upper - (double)rows[i].lower) / unit[i];
		}
		cr_assert(error < error_before && width < width_before, "%u directions: %g, %g", counts[k], error, width);
		error_before = error;
		width_before = width;
	}
}

/* Where a face decides, the best direction is known. */
Test(method, sampled_faces_are_exact)
{
	take_random();
	ask(WP_METHOD_SAMPLED, 0, 64, INFINITY);
	size_t exact = 0;
	for (size_t i = 0; i < row_count; i++)
		exact += fabs((double)rows[i].separation - truth[i]) <= contract_of(i);
	cr_assert_gt(exact, row_count / 10);
}

/* The cosine of the covering angle is the distance of the nearest face of the directions' hull: of all triangles that have
 * no direction beyond them. */
static double cover_of(const v3 *d, uint32_t count)
{
	double least = INFINITY;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = i + 1; j < count; j++)
			for (uint32_t k = j + 1; k < count; k++) {
				const v3 across = v3_cross(v3_sub(d[j], d[i]), v3_sub(d[k], d[i]));
				if (v3_length(across) < 1e-9)
					continue;
				v3 n = v3_unit(across);
				n = v3_dot(n, d[i]) < 0 ? v3_scale(n, -1) : n;
				const double out = v3_dot(n, d[i]);
				uint32_t q = 0;
				while (out < least && q < count && v3_dot(n, d[q]) <= out + 1e-7)
					q++;
				least = q == count ? out : least;
			}
	return least;
}

Test(method, directions_cover_the_sphere)
{
	static const uint32_t counts[] = {6, 7, 13, 14, 25, 26, 32, 50, 64, 99, 128, 181, 256};
	for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
		const wp_directions table = wp_directions_of(counts[c]);
		v3 d[WP_METHOD_DIRECTIONS_MAX];
		cr_assert_eq(table.count, counts[c]);
		for (uint32_t i = 0; i < table.count; i++) {
			d[i] = v3_of_floats(table.at[i]);
			CHECK(fabs(v3_length(d[i]) - 1) < 1e-7, "direction %u", i);
			d[i] = v3_unit(d[i]);
		}
		const double cover = cover_of(d, table.count), cosine = (double)table.cosine, sine = (double)table.sine;
		cr_assert(cosine <= cover && cosine > cover - 3e-6, "%u: %.9f, not %.9f", counts[c], cosine, cover);
		cr_assert(sine >= sqrt(1 - cosine * cosine) && sine < sqrt(1 - cosine * cosine) + 3e-6, "%u", counts[c]);
	}
}

/* ---- what is refused ---------------------------------------------------------------------------- */

static wp_error contact_with(uint32_t method, float margin, uint32_t directions)
{
	const wp_batch batch = make_batch();
	const wp_results results = wp_results_of_rows(rows);
	const wp_contact_options options = {.max_separation = 1};
	const wp_method_options way = by((wp_method)method, (double)margin, directions);
	return wp_contact_by_method(workspace_of(WP_VARIANT_AUTO), &batch, &options, &way, &results, NULL);
}

Test(method, bad_arguments_are_named)
{
	take_random();
	row_count = 3;
	cr_assert_eq(contact_with(WP_METHOD_COUNT, 0, 32), WP_ERROR_METHOD);
	cr_assert_eq(contact_with(UINT32_MAX, 0, 32), WP_ERROR_METHOD);
	cr_assert_eq(wp_contact_by_method(NULL, NULL, NULL, NULL, NULL, NULL), WP_ERROR_NULL_METHOD);
	static const float margins[] = {-0x1p-149f, -1, INFINITY, 1.0001e30f, NAN};
	for (size_t i = 0; i < sizeof margins / sizeof margins[0]; i++)
		cr_assert_eq(contact_with(WP_METHOD_CORE, margins[i], 0), WP_ERROR_METHOD_MARGIN);
	cr_assert_eq(contact_with(WP_METHOD_CORE, 0, 0), WP_OK);
	cr_assert_eq(contact_with(WP_METHOD_CORE, 1e30f, UINT32_MAX), WP_OK);
	static const uint32_t counts[] = {0, WP_METHOD_DIRECTIONS_MIN - 1, WP_METHOD_DIRECTIONS_MAX + 1, UINT32_MAX};
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		cr_assert_eq(contact_with(WP_METHOD_SAMPLED, 0, counts[i]), WP_ERROR_METHOD_DIRECTIONS);
	cr_assert_eq(contact_with(WP_METHOD_SAMPLED, NAN, WP_METHOD_DIRECTIONS_MAX), WP_OK);
	cr_assert_eq(contact_with(WP_METHOD_AUTO, NAN, UINT32_MAX), WP_OK);
	cr_assert_eq(contact_with(WP_METHOD_GJK_EPA, NAN, UINT32_MAX), WP_OK);
}

/* A row alone has the bits of the batch by every method, though fewer lanes answer it. */
Test(method, one_row_has_the_bits_of_the_batch)
{
	static wp_row alone[ROWS_MAX];
	take_random();
	wp_batch batch = make_batch();
	const wp_results results = wp_results_of_rows(alone);
	const wp_contact_options options = {.max_separation = 0.5f};
	wp_workspace *const w = workspace_of(WP_VARIANT_AUTO);
	batch.count = 1;
	for (uint32_t m = WP_METHOD_AUTO; m < WP_METHOD_COUNT; m++) {
		const wp_method_options method = by((wp_method)m, 0.03, 32);
		ask((wp_method)m, 0.03, 32, 0.5f);
		for (uint32_t i = 0; i < row_count; i++) {
			batch.first = i;
			cr_assert_eq(wp_contact_by_method(w, &batch, &options, &method, &results, NULL), WP_OK);
			CHECK(memcmp(&rows[i], &alone[i], sizeof rows[i]) == 0, "method %u, row %u", m, i);
		}
	}
}

/* Caches are left alone, or used, and promise nothing less. */
Test(method, caches_and_methods_agree)
{
	static wp_cache caches[ROWS_MAX], before[ROWS_MAX];
	static const wp_method methods[] = {WP_METHOD_GJK_EPA, WP_METHOD_CORE, WP_METHOD_SAMPLED};
	take_random();
	for (int i = 0; i < 3; i++) {
		const wp_batch batch = make_batch();
		const wp_contact_options options = {.max_separation = INFINITY};
		const wp_method_options method = by(methods[i], 0.03, 32);
		for (int frame = 0; frame < 3; frame++) {
			wp_results results = wp_results_of_rows(rows);
			results.cache.data = caches;
			memcpy(before, caches, sizeof caches);
			cr_assert_eq(
				wp_contact_by_method(workspace_of(WP_VARIANT_AUTO), &batch, &options, &method, &results, NULL), WP_OK);
			check_brackets("cached", INFINITY);
			cr_assert((memcmp(before, caches, sizeof caches) == 0) >= (methods[i] == WP_METHOD_SAMPLED));
		}
	}
}
