/* Shapes by support functions of the caller's: the same answers as of the kinds that the library has, what goes wrong
 * with functions, and every query. */
#include "core/contract.h"
#include "support/certify.h"
#include "support/gen_random.h"
#include "support/unit.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <widephase/widephase.h>

static const wp_pose origin = {{0, 0, 0}, {0, 0, 0, 1}};

/* ---- functions that are right ------------------------------------------------------------------------------- */

static void support_box(const void *context, const double direction[3], double point[3])
{
	const wp_shape *const box = context;
	cr_assert(direction[0] != 0 || direction[1] != 0 || direction[2] != 0);
	for (int i = 0; i < 3; i++)
		point[i] = copysign((double)box->half_extents[i], direction[i]);
}

static void support_ellipsoid(const void *context, const double direction[3], double point[3])
{
	const wp_shape *const ellipsoid = context;
	double s[3], length = 0;
	for (int i = 0; i < 3; i++) {
		s[i] = (double)ellipsoid->half_extents[i] * direction[i];
		length = hypot(length, s[i]);
	}
	for (int i = 0; i < 3; i++)
		point[i] = length > 0 ? (double)ellipsoid->half_extents[i] * s[i] / length : 0;
}

static void support_cylinder(const void *context, const double direction[3], double point[3])
{
	const wp_shape *const cylinder = context;
	const double out = hypot(direction[0], direction[2]), radius = (double)cylinder->base_radius;
	point[0] = out > 0 ? radius * direction[0] / out : 0;
	point[1] = copysign((double)cylinder->half_height, direction[1]);
	point[2] = out > 0 ? radius * direction[2] / out : 0;
}

/* A shape of the library's, and the same by a function. */
typedef struct twin {
	wp_shape known, custom;
	wp_custom function;
} twin;

static void make_twin(gen_random *random, twin *t)
{
	const float x = (float)gen_range(random, 0.25, 2), y = (float)gen_range(random, 0.25, 2),
				z = (float)gen_range(random, 0.25, 2);
	const uint32_t kind = gen_below(random, 3);
	t->known = kind == 0 ? wp_shape_box(x, y, z) : kind == 1 ? wp_shape_ellipsoid(x, y, z) : wp_shape_cylinder(x, y);
	t->known.radius = gen_below(random, 2) ? 0.0f : x / 8;
	const double bound = kind == 0 ? hypot(hypot(x, y), z) : kind == 1 ? fmax(fmax(x, y), z) : hypot(x, y);
	t->function = (wp_custom){.support = kind == 0 ? support_box
	                                   : kind == 1 ? support_ellipsoid
	                                               : support_cylinder,
		.context = &t->known,
		.bound = nextafterf((float)bound, INFINITY)};
	t->custom = wp_shape_custom(&t->function);
	t->custom.radius = t->known.radius;
}

static wp_pose any_pose(gen_random *random, double reach)
{
	wp_pose pose;
	double q[4], length = 0;
	for (int i = 0; i < 4; i++) {
		q[i] = gen_range(random, -1, 1);
		length += q[i] * q[i];
	}
	for (int i = 0; i < 4; i++)
		pose.rotation[i] = (float)(q[i] / sqrt(length));
	for (int i = 0; i < 3; i++)
		pose.position[i] = (float)gen_range(random, -reach, reach);
	return pose;
}

Test(custom, agrees_with_the_kinds_of_the_library)
{
	gen_random random;
	gen_seed(&random, 20);
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	unsigned deep = 0;
	for (int i = 0; i < 3000; i++) {
		twin a, b;
		make_twin(&random, &a);
		make_twin(&random, &b);
		const wp_pose at_a = any_pose(&random, 1.5), at_b = any_pose(&random, 1.5);
		const wp_shape *const other = i % 2 ? &b.known : &b.custom;
		wp_row known, row, distance, overlap;
		wp_contact_pair(
			workspace, &a.known, &at_a, &b.known, &at_b, &(wp_contact_options){.max_separation = INFINITY}, &known);
		cr_assert_eq(wp_contact_pair(workspace, &a.custom, &at_a, other, &at_b,
						 &(wp_contact_options){.max_separation = INFINITY}, &row),
			WP_OK);
		wp_distance_pair(workspace, &a.custom, &at_a, other, &at_b, &distance);
		wp_overlap_pair(workspace, &a.custom, &at_a, other, &at_b, &overlap);
		deep += (row.status & WP_STATUS_PENETRATING) != 0;
		cr_assert(
			row.status & WP_STATUS_STRONG && !(row.status & WP_STATUS_INVALID), "pair %d: status %x", i, row.status);
		cr_assert(row.lower <= known.upper && known.lower <= row.upper, "pair %d: [%.9g, %.9g] and [%.9g, %.9g]", i,
			(double)row.lower, (double)row.upper, (double)known.lower, (double)known.upper);
		/* Certificates have the shapes of the library: the same bodies. */
		const certify_pair p = certify_prepare(&a.known, &at_a, &b.known, &at_b, &row);
		const double limit = (row.status & WP_STATUS_WIDE_BRACKET ? WP_CONTRACT_SMOOTH_WIDE : WP_CONTRACT_SMOOTH) *
		                     (p.length + fabs((double)row.separation));
		cr_assert(fabs((double)row.separation - (double)known.separation) <= 2 * limit, "pair %d: %.9g and %.9g", i,
			(double)row.separation, (double)known.separation);
		cr_assert((double)row.upper - (double)row.lower <= limit, "pair %d: a bracket of %g", i,
			(double)row.upper - (double)row.lower);
		const char *broken = a.known.kind == WP_SHAPE_BOX && b.known.kind == WP_SHAPE_BOX ? NULL
		                                                                                  : certify_contact(&p, &row);
		broken = broken != NULL ? broken : certify_distance(&p, &distance, &row);
		broken = broken != NULL ? broken : certify_overlap(&p, &overlap, &row);
		cr_assert(broken == NULL, "pair %d: broken: %s", i, broken);

		const double far_a[3] = {at_a.position[0], at_a.position[1], at_a.position[2]};
		const double far_b[3] = {at_b.position[0], at_b.position[1], at_b.position[2]};
		wp_reference_row reference;
		if (i % 8 != 0)
			continue;
		wp_reference_contact_pair(&a.custom, far_a, at_a.rotation, other, far_b, at_b.rotation, &reference);
		cr_assert(reference.lower <= (double)row.upper && (double)row.lower <= reference.upper, "pair %d", i);
	}
	cr_assert(deep > 500 && deep < 2500, "%u deep", deep);
}

/* ---- in batches ---------------------------------------------------------------------------------------------- */

Test(custom, leaves_the_rest_of_a_batch_alone)
{
	enum { BODIES = 40 };
	gen_random random;
	gen_seed(&random, 21);
	twin twins[BODIES];
	wp_shape shapes[BODIES];
	wp_pose poses[BODIES];
	uint32_t pairs[BODIES * BODIES][2];
	_Alignas(WP_ALIGNMENT) static unsigned char memory[1 << 16];
	const wp_shape_table *table;
	for (uint32_t i = 0; i < BODIES; i++) {
		make_twin(&random, &twins[i]);
		shapes[i] = i % 5 == 0 ? twins[i].custom : twins[i].known;
		poses[i] = any_pose(&random, 3);
	}
	cr_assert_eq(wp_shape_table_build(shapes, BODIES, memory, sizeof memory, &table, NULL), WP_OK);
	cr_assert_float_eq(wp_shape_table_bound(table, 0), twins[0].function.bound + twins[0].custom.radius, 1e-6);
	for (uint32_t i = 0; i < BODIES * BODIES; i++) {
		pairs[i][0] = i / BODIES;
		pairs[i][1] = i % BODIES;
	}
	const wp_batch batch = {.shapes = table,
		.a = {.position = {poses[0].position, sizeof(wp_pose)},
			.rotation = {poses[0].rotation, sizeof(wp_pose)},
			.count = BODIES},
		.pair_a = {&pairs[0][0], sizeof pairs[0]},
		.pair_b = {&pairs[0][1], sizeof pairs[0]},
		.count = BODIES * BODIES};
	static wp_row rows[BODIES * BODIES];
	const wp_results results = wp_results_of_rows(rows);
	for (int v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		wp_statistics counts = {0};
		cr_assert_eq(wp_contact(workspace_of((wp_variant)v), &batch, &(wp_contact_options){.max_separation = INFINITY},
						 &results, &counts),
			WP_OK);
		cr_assert_eq(counts.rows, batch.count);
		cr_assert(counts.strong >= 8 * BODIES);
		wp_workspace *const workspace = workspace_of(WP_VARIANT_SCALAR);
		for (size_t i = 0; i < batch.count; i++) {
			wp_row row;
			const uint32_t *const pair = pairs[i];
			wp_contact_pair(workspace, &shapes[pair[0]], &poses[pair[0]], &shapes[pair[1]], &poses[pair[1]],
				&(wp_contact_options){.max_separation = INFINITY}, &row);
			cr_assert_eq(memcmp(&row, &rows[i], sizeof row), 0, "row %zu, %s", i, wp_variant_name((wp_variant)v));
		}
	}
}

/* ---- functions that are not --------------------------------------------------------------------------------- */

static void give_context(const void *context, const double direction[3], double point[3])
{
	(void)direction;
	memcpy(point, context, 3 * sizeof *point);
}

/* Right along most directions. */
static void fail_upwards(const void *context, const double direction[3], double point[3])
{
	for (int i = 0; i < 3; i++)
		point[i] = direction[i] < 0 ? -1 : 1;
	if (direction[1] > 0)
		point[1] = *(const double *)context;
}

static void check_invalid(const wp_custom *function, const char *what)
{
	const wp_shape box = wp_shape_box(1, 1, 1), shape = wp_shape_custom(function);
	const wp_pose beside = {{1.5f, 0, 0}, {0, 0, 0, 1}};
	for (int v = WP_VARIANT_SCALAR; v < WP_VARIANT_COUNT; v++) {
		if (wp_variant_available((wp_variant)v) != WP_OK)
			continue;
		wp_workspace *const workspace = workspace_of((wp_variant)v);
		wp_manifold_point point[4];
		uint32_t count = 7;
		wp_row row;
		wp_contact_pair(
			workspace, &shape, &origin, &box, &beside, &(wp_contact_options){.max_separation = INFINITY}, &row);
		cr_assert_eq(row.status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A, "%s: %x", what, row.status);
		cr_assert(isnan(row.separation) && isnan(row.lower) && row.normal[0] == 0 && row.point_a[0] == 0);
		wp_contact_manifold_pair(workspace, &box, &beside, &shape, &origin,
			&(wp_contact_options){.max_separation = INFINITY}, &row, point, 4, &count);
		cr_assert_eq(row.status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_B, "%s: %x", what, row.status);
		cr_assert_eq(count, 0);
	}
	wp_reference_row reference;
	const double at[3] = {0, 0, 0}, off[3] = {1.5, 0, 0};
	wp_reference_contact_pair(&shape, at, origin.rotation, &box, off, origin.rotation, &reference);
	cr_assert_eq(reference.status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_A, "%s", what);
}

Test(custom, points_that_are_none_make_rows_invalid)
{
	const double points[][3] = {
		{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -INFINITY}, {1.25, 1, 1}, {1e300, 1e300, 0}, {1.7501, 0, 0}};
	const double heights[] = {NAN, INFINITY, 1.25};
	for (int i = 0; i < 6; i++)
		check_invalid(&(wp_custom){.support = give_context, .context = points[i], .bound = 1.75f}, "always");
	for (int i = 0; i < 3; i++)
		check_invalid(&(wp_custom){.support = fail_upwards, .context = &heights[i], .bound = 1.75f}, "upwards");

	const wp_custom function = {.support = give_context, .context = points[0], .bound = 1.75f};
	const wp_shape box = wp_shape_box(1, 1, 1), shape = wp_shape_custom(&function);
	const wp_pose start = {{9, 0, 0}, {0, 0, 0, 1}};
	float fraction;
	wp_row row;
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	cr_assert_eq(wp_cast_pair(workspace, &box, &origin, &shape, &start, NULL, &origin, &row, &fraction), WP_OK);
	cr_assert(row.status & WP_STATUS_INVALID && !(row.status & WP_STATUS_HIT), "%x", row.status);
}

/* Not a body at all: points without sense, but within the bound. There is an answer, and an end. */
static void give_anything(const void *context, const double direction[3], double point[3])
{
	gen_random random;
	uint64_t bits[3];
	memcpy(bits, direction, sizeof bits);
	gen_seed(&random, *(const uint64_t *)context + bits[0] * 3 + bits[1] * 5 + bits[2] * 7);
	for (int i = 0; i < 3; i++)
		point[i] = gen_range(&random, -1, 1);
}

Test(custom, functions_without_sense_have_an_end)
{
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	const wp_shape box = wp_shape_box(0.5f, 0.5f, 0.5f);
	for (uint64_t i = 0; i < 300; i++) {
		const wp_custom function = {.support = give_anything, .context = &i, .bound = 2};
		const wp_shape shape = wp_shape_custom(&function);
		gen_random random;
		gen_seed(&random, i);
		const wp_pose at = any_pose(&random, 1);
		wp_row row;
		cr_assert_eq(wp_contact_pair(workspace, &shape, &at, &box, &origin,
						 &(wp_contact_options){.max_separation = INFINITY}, &row),
			WP_OK);
		cr_assert(isfinite(row.separation) && isfinite(row.lower) && !isnan(row.upper));
		cr_assert(fabs(hypot(hypot((double)row.normal[0], (double)row.normal[1]), (double)row.normal[2]) - 1) < 1e-5);
		float fraction;
		wp_cast_pair(workspace, &shape, &at, &box, &at, NULL, &origin, &row, &fraction);
		cr_assert(fraction >= 0 && fraction <= 1);
	}
}

Test(custom, what_is_no_function_is_named)
{
	const wp_custom none = {.bound = 1}, negative = {.support = give_context, .bound = -1},
					endless = {.support = give_context, .bound = INFINITY},
					nothing = {.support = give_context, .bound = NAN};
	const struct {
		const wp_custom *custom;
		const char *reason;
	} cases[] = {{NULL, "custom is NULL"}, {&none, "custom->support is NULL"}, {&negative, "custom->bound is negative"},
		{&endless, "custom->bound is not finite"}, {&nothing, "custom->bound is not finite"}};
	for (int i = 0; i < 5; i++) {
		const wp_shape shapes[2] = {wp_shape_box(1, 1, 1), wp_shape_custom(cases[i].custom)};
		_Alignas(WP_ALIGNMENT) unsigned char memory[1024];
		const wp_shape_table *table;
		wp_shape_report report;
		cr_assert_eq(wp_shape_table_build(shapes, 2, memory, sizeof memory, &table, &report), WP_OK);
		cr_assert(report.invalid_count == 1 && report.first_invalid == 1);
		cr_assert_str_eq(report.reason, cases[i].reason);
		wp_row row;
		wp_contact_pair(workspace_of(WP_VARIANT_AUTO), &shapes[0], &origin, &shapes[1], &origin,
			&(wp_contact_options){.max_separation = 1}, &row);
		cr_assert_eq(row.status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_B);
		const double at[3] = {0, 0, 0};
		wp_reference_row reference;
		wp_reference_contact_pair(&shapes[0], at, origin.rotation, &shapes[1], at, origin.rotation, &reference);
		cr_assert_eq(reference.status, WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_B);
	}
}

/* ---- the other queries --------------------------------------------------------------------------------------- */

Test(custom, every_query)
{
	const wp_shape ball = wp_shape_ellipsoid(1, 0.5f, 0.75f), box = wp_shape_box(4, 1, 4);
	const wp_custom function = {.support = support_ellipsoid, .context = &ball, .bound = 1};
	const wp_shape custom = wp_shape_custom(&function);
	const wp_pose above = {{1, 1.75f, 0}, {0, 0, 0, 1}}, high = {{1, 9.5f, 0}, {0, 0, 0, 1}};
	const wp_pose within = {{1, 1.25f, 0}, {0, 0, 0, 1}};
	wp_workspace *const workspace = workspace_of(WP_VARIANT_AUTO);
	wp_manifold_point points[4];
	uint32_t count = 0;
	float fraction;
	wp_row row;
	wp_contact_manifold_pair(
		workspace, &box, &origin, &custom, &above, &(wp_contact_options){.max_separation = 1}, &row, points, 4, &count);
	cr_assert(count == 1 && points[0].separation == row.separation);
	cr_assert(fabs((double)row.separation - 0.25) < 1e-5 && row.normal[1] > 0.999f);
	cr_assert(fabs((double)points[0].local_b[1] + 0.5) < 1e-4 && fabs((double)points[0].point_a[1] - 1) < 1e-4);
	wp_contact_manifold_pair(
		workspace, &box, &origin, &custom, &high, &(wp_contact_options){.max_separation = 1}, &row, points, 4, &count);
	cr_assert(count == 0 && row.status & WP_STATUS_BEYOND && row.lower > 1);

	wp_cast_pair(workspace, &box, &origin, &custom, &high, NULL, &within, &row, &fraction);
	cr_assert(row.status & WP_STATUS_HIT && fabs((double)fraction - 8 / 8.25) < 1e-4, "%.9g", (double)fraction);
	const float up[3] = {0, 1, 0};
	cr_assert_eq(wp_depth_along_pair(workspace, &box, &origin, &custom, &within, up, &row), WP_OK);
	cr_assert(fabs((double)row.separation + 0.25) < 1e-4, "%.9g", (double)row.separation);
}
