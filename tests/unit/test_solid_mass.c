/* Mass of shapes against sums over slices, and of compounds against sums over points that have the moments of their children. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support/block.h"
#include "support/check.h"
#include "support/gen_random.h"
#include "support/vector.h"
#include "widephase/widephase.h"
#ifdef HAVE_COOK
#include "widephase/cook.h"
#endif

enum { SLICES = 20000, COLUMNS = 1200 };

/* Relative errors of sums over slices, over columns, and of formulas. */
#define SLICE_ERROR 1e-5
#define COLUMN_ERROR 1e-4
#define FORMULA_ERROR 1e-13

static const double pi = 3.14159265358979323846;

static wp_mass mass_of(wp_shape shape)
{
	wp_mass mass;
	const wp_error error = wp_shape_mass(&shape, &mass);
	cr_assert_eq(error, WP_OK, "%s: %s", wp_shape_kind_name(shape.kind), wp_error_text(error));
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			cr_assert_eq(mass.inertia[i][k], mass.inertia[k][i]);
	return mass;
}

static wp_shape round_off(wp_shape shape, float radius)
{
	shape.radius = radius;
	return shape;
}

static void check_close(const char *what, double found, double expected, double allowed)
{
	CHECK(fabs(found - expected) <= allowed, "%s: %.17g (%a), not %.17g (%a), allowed %g", what, found, found, expected,
		expected, allowed);
}

/* All numbers of a mass, within shares of the largest of their kind; centroids of `size`. */
static void check_mass(const char *name, const wp_mass *found, const wp_mass *expected, double size, double share)
{
	double most = 0;
	for (int i = 0; i < 3; i++)
		most = fmax(most, fabs(expected->inertia[i][i]));
	check_close(name, found->volume, expected->volume, share * expected->volume);
	for (int i = 0; i < 3; i++) {
		check_close(name, found->centroid[i], expected->centroid[i], share * size);
		for (int k = 0; k < 3; k++)
			check_close(name, found->inertia[i][k], expected->inertia[i][k], share * most);
	}
}

/* ---- solids of revolution ----------------------------------------------------------------------- */

/* How far a place of a profile is from the cone between both radii at -h and +h. */
static double distance_to_profile(double h, double bottom, double top, double x, double y)
{
	const double at[2] = {x, y};
	const double corner[3][2] = {{bottom, -h}, {top, h}, {0, 0}};
	if (fabs(y) <= h && h > 0 && x <= bottom + (top - bottom) * (y + h) / (2 * h))
		return 0;
	/* From the lower disc, the slant, the upper disc. */
	const double ends[3][2][2] = {
		{{0, -h}, {corner[0][0], corner[0][1]}}, {{bottom, -h}, {top, h}}, {{top, h}, {0, h}}};
	double least = INFINITY;
	for (int i = 0; i < 3; i++) {
		const double way[2] = {ends[i][1][0] - ends[i][0][0], ends[i][1][1] - ends[i][0][1]};
		const double from[2] = {at[0] - ends[i][0][0], at[1] - ends[i][0][1]};
		const double squared = way[0] * way[0] + way[1] * way[1];
		double t = squared > 0 ? (way[0] * from[0] + way[1] * from[1]) / squared : 0;
		t = t < 0 ? 0 : t > 1 ? 1 : t;
		least = fmin(least, hypot(from[0] - t * way[0], from[1] - t * way[1]));
	}
	return least;
}

static double radius_at(double h, double bottom, double top, double r, double y)
{
	double low = 0, high = fmax(bottom, top) + r;
	for (int i = 0; i < 50; i++) {
		const double middle = (low + high) / 2;
		if (distance_to_profile(h, bottom, top, middle, y) <= r)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static wp_mass mass_of_slices(double h, double bottom, double top, double r)
{
	double volume = 0, first = 0, second = 0, across = 0;
	const double thickness = 2 * (h + r) / SLICES;
	for (int i = 0; i < SLICES; i++) {
		const double y = (i + 0.5) * thickness - (h + r);
		const double squared = pow(radius_at(h, bottom, top, r, y), 2), part = pi * squared * thickness;
		volume += part;
		first += y * part;
		second += y * y * part;
		across += squared / 4 * part;
	}
	wp_mass mass = {.volume = volume, .centroid = {0, first / volume, 0}};
	mass.inertia[1][1] = 2 * across;
	mass.inertia[0][0] = mass.inertia[2][2] = across + second - first * first / volume;
	return mass;
}

Test(solid_mass, of_revolution)
{
	static const float numbers[][3] = {/* radius of the base, half of the height, rounding radius */
		{0.5f, 0.75f, 0}, {0.5f, 0.75f, 0.25f}, {2, 0.05f, 0.3f}, {0.05f, 2, 0.3f}, {1, 0, 0.5f}, {0, 1, 0.5f},
		{0.25f, 0.25f, 2}, {3, 0.01f, 0.001f}};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const float base = numbers[i][0], h = numbers[i][1], r = numbers[i][2];
		const double size = (double)base + (double)h + (double)r;
		const wp_mass cylinder = mass_of(round_off(wp_shape_cylinder(base, h), r));
		const wp_mass cone = mass_of(round_off(wp_shape_cone(base, h), r));
		const wp_mass slices = mass_of_slices((double)h, (double)base, (double)base, (double)r);
		const wp_mass slices_of_cone = mass_of_slices((double)h, (double)base, 0, (double)r);
		check_mass("cylinder", &cylinder, &slices, size, SLICE_ERROR);
		check_mass("cone", &cone, &slices_of_cone, size, SLICE_ERROR);
		if (r == 0)
			continue;
		const wp_mass capsule = mass_of(wp_shape_capsule(r, h));
		const wp_mass slices_of_capsule = mass_of_slices((double)h, 0, 0, (double)r);
		check_mass("capsule", &capsule, &slices_of_capsule, size, SLICE_ERROR);
	}
}

/* Formulas of any book. */
Test(solid_mass, of_plain_shapes)
{
	const wp_mass ball = mass_of(wp_shape_sphere(2)), box = mass_of(wp_shape_box(1, 2, 3));
	const wp_mass cylinder = mass_of(wp_shape_cylinder(2, 3)), cone = mass_of(wp_shape_cone(2, 3));
	const wp_mass ellipsoid = mass_of(wp_shape_ellipsoid(1, 2, 3)), point = mass_of(round_off(wp_shape_point(), 2));
	const double v = 4.0 / 3 * pi * 8;
	const wp_mass ball_expected = {v, {0, 0, 0}, {{1.6 * v, 0, 0}, {0, 1.6 * v, 0}, {0, 0, 1.6 * v}}};
	const wp_mass box_expected = {48, {0, 0, 0}, {{16 * 13, 0, 0}, {0, 16 * 10, 0}, {0, 0, 16 * 5}}};
	const double c = pi * 24, k = pi * 8;
	const wp_mass cylinder_expected = {c, {0, 0, 0}, {{c * 4, 0, 0}, {0, c * 2, 0}, {0, 0, c * 4}}};
	const double across = 3.0 / 20 * 4 * k + 3.0 / 80 * 36 * k;
	const wp_mass cone_expected = {k, {0, -1.5, 0}, {{across, 0, 0}, {0, 0.3 * 4 * k, 0}, {0, 0, across}}};
	const double e = 4.0 / 3 * pi * 6;
	const wp_mass ellipsoid_expected = {e, {0, 0, 0}, {{e * 13 / 5, 0, 0}, {0, e * 2, 0}, {0, 0, e}}};
	check_mass("ball", &ball, &ball_expected, 2, FORMULA_ERROR);
	check_mass("point", &point, &ball_expected, 2, FORMULA_ERROR);
	check_mass("box", &box, &box_expected, 3, FORMULA_ERROR);
	check_mass("cylinder", &cylinder, &cylinder_expected, 3, FORMULA_ERROR);
	check_mass("cone", &cone, &cone_expected, 3, FORMULA_ERROR);
	check_mass("ellipsoid", &ellipsoid, &ellipsoid_expected, 3, FORMULA_ERROR);
}

/* The largest and the smallest sizes lose nothing. */
Test(solid_mass, of_any_size)
{
	for (float size = 0x1p-98f; size <= 0x1p98f; size *= 0x1p28f) {
		const wp_mass mass = mass_of(round_off(wp_shape_cone(2 * size, 3 * size), size));
		const wp_mass unit = mass_of(round_off(wp_shape_cone(2, 3), 1));
		const double s = (double)size, cube = s * s * s;
		cr_assert(mass.volume == unit.volume * cube && mass.centroid[1] == unit.centroid[1] * s, "%a", s);
		cr_assert_eq(mass.inertia[0][0], unit.inertia[0][0] * cube * s * s);
	}
}

/* ---- rounded boxes ------------------------------------------------------------------------------ */

Test(solid_mass, of_rounded_boxes)
{
	static const double numbers[][4] = {
		{0.5, 0.25, 0.75, 0.5}, {1, 0, 0.5, 0.25}, {0, 0, 0.5, 1}, {2, 1, 0.125, 0.0625}};
	for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
		const double a = numbers[n][0], b = numbers[n][1], c = numbers[n][2], r = numbers[n][3];
		const double step[2] = {2 * (a + r) / COLUMNS, 2 * (b + r) / COLUMNS};
		double volume = 0, second[3] = {0, 0, 0};
		for (int i = 0; i < COLUMNS; i++) {
			for (int k = 0; k < COLUMNS; k++) {
				const double x = (i + 0.5) * step[0] - (a + r), y = (k + 0.5) * step[1] - (b + r);
				const double out = hypot(fmax(fabs(x) - a, 0), fmax(fabs(y) - b, 0));
				if (out > r)
					continue;
				const double high = c + sqrt(r * r - out * out), part = 2 * high * step[0] * step[1];
				volume += part;
				second[0] += x * x * part;
				second[1] += y * y * part;
				second[2] += high * high / 3 * part;
			}
		}
		const wp_mass box = mass_of(round_off(wp_shape_box((float)a, (float)b, (float)c), (float)r));
		wp_mass columns = {.volume = volume};
		for (int i = 0; i < 3; i++)
			columns.inertia[i][i] = second[(i + 1) % 3] + second[(i + 2) % 3];
		check_mass("box", &box, &columns, 3, COLUMN_ERROR);
	}
	/* A box without extent along two axes is a capsule. */
	const wp_mass rod = mass_of(round_off(wp_shape_box(0, 1, 0), 0.5f)), capsule = mass_of(wp_shape_capsule(0.5f, 1));
	check_mass("rod", &rod, &capsule, 1, FORMULA_ERROR);
}

/* A segment between two points is a capsule, wherever it lies. */
Test(solid_mass, of_segments)
{
	const float from[3] = {1, 2, -1}, to[3] = {3, 3, 1}, along[3] = {2.0f / 3, 1.0f / 3, 2.0f / 3};
	const wp_mass segment = mass_of(round_off(wp_shape_segment(from, to), 0.5f));
	const wp_mass capsule = mass_of(wp_shape_capsule(0.5f, 1.5f));
	wp_mass expected = {.volume = capsule.volume, .centroid = {2, 2.5, 0}};
	const double across = capsule.inertia[0][0], about = capsule.inertia[1][1];
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			expected.inertia[i][k] = (i == k ? across : 0) + (about - across) * (double)along[i] * (double)along[k];
	check_mass("segment", &segment, &expected, 3, 1e-6);
	const wp_mass point = mass_of(round_off(wp_shape_segment(from, from), 0.5f)), ball = mass_of(wp_shape_sphere(0.5f));
	cr_assert(point.volume == ball.volume && point.centroid[0] == 1 && point.inertia[2][2] == ball.inertia[2][2]);
}

/* ---- hulls -------------------------------------------------------------------------------------- */

static const wp_hull *make_box(bool has_faces)
{
	static float corners[8][3];
	static const uint32_t sizes[6] = {4, 4, 4, 4, 4, 4};
	static const uint32_t faces[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
	for (int i = 0; i < 8; i++)
		for (int k = 0; k < 3; k++)
			corners[i][k] = (float)(k + 1) * (i >> k & 1 ? 1.0f : -1.0f);
	const wp_hull_input input = {.vertices.data = corners[0],
		.vertex_count = 8,
		.face_sizes = sizes,
		.face_indices = faces,
		.face_count = has_faces ? 6 : 0};
	const size_t size = wp_hull_size(8, 6, 24);
	const wp_hull *hull = NULL;
	const wp_error error = wp_hull_build(&input, block(size), size, &hull, NULL);
	cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
	return hull;
}

Test(solid_mass, of_hulls)
{
	const wp_hull *const hull = make_box(true);
	const wp_mass of_shape = mass_of(wp_shape_hull(hull)), box = mass_of(wp_shape_box(1, 2, 3));
	wp_mass of_hull;
	cr_assert_eq(wp_hull_mass(hull, &of_hull), WP_OK);
	cr_assert_eq(memcmp(&of_hull, &of_shape, sizeof of_hull), 0);
	check_mass("hull", &of_hull, &box, 3, FORMULA_ERROR);
#ifdef HAVE_COOK
	wp_mass cooked;
	cr_assert_eq(wp_cook_mass(hull, &cooked), WP_OK);
	cr_assert_eq(memcmp(&of_hull, &cooked, sizeof cooked), 0);
#endif
}

/* ---- errors ------------------------------------------------------------------------------------- */

static void support_nothing(const void *context, const double direction[3], double point[3])
{
	(void)context;
	memcpy(point, direction, 3 * sizeof(double));
}

Test(solid_mass, errors)
{
	static const wp_custom custom = {.support = support_nothing, .bound = 1};
	const float corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
	const wp_shape triangle = wp_shape_triangle(corner[0], corner[1], corner[2]), ball = wp_shape_sphere(1);
	const struct {
		wp_shape shape;
		wp_error error;
	} bad[] = {{wp_shape_half_space(), WP_ERROR_SHAPE_MASS}, {wp_shape_custom(&custom), WP_ERROR_SHAPE_MASS},
		{round_off(wp_shape_ellipsoid(1, 2, 3), 0.5f), WP_ERROR_SHAPE_MASS},
		{round_off(triangle, 0.5f), WP_ERROR_SHAPE_MASS},
		{round_off(wp_shape_hull(make_box(true)), 0.5f), WP_ERROR_SHAPE_MASS},
		{wp_shape_hull(make_box(false)), WP_ERROR_HULL_VOLUME}, {wp_shape_hull(NULL), WP_ERROR_SHAPE},
		{wp_shape_sphere(-1), WP_ERROR_SHAPE}, {wp_shape_sphere(NAN), WP_ERROR_SHAPE},
		{triangle, WP_ERROR_SHAPE_VOLUME}, {wp_shape_point(), WP_ERROR_SHAPE_VOLUME},
		{wp_shape_box(1, 0, 1), WP_ERROR_SHAPE_VOLUME}, {wp_shape_segment(corner[1], corner[2]), WP_ERROR_SHAPE_VOLUME},
		{wp_shape_cone(0, 1), WP_ERROR_SHAPE_VOLUME}, {wp_shape_ellipsoid(1, 1, 0), WP_ERROR_SHAPE_VOLUME}};
	static const wp_mass zero;
	wp_mass mass;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		memset(&mass, 0x5a, sizeof mass);
		const wp_error error = wp_shape_mass(&bad[i].shape, &mass);
		cr_assert_eq(error, bad[i].error, "shape %zu: %s", i, wp_error_text(error));
		cr_assert_eq(memcmp(&mass, &zero, sizeof mass), 0, "shape %zu", i);
	}
	cr_assert_eq(wp_shape_mass(NULL, &mass), WP_ERROR_NULL_SHAPE);
	cr_assert_eq(wp_shape_mass(&ball, NULL), WP_ERROR_NULL_MASS);
	cr_assert_eq(wp_hull_mass(NULL, &mass), WP_ERROR_NULL_HULL);
	cr_assert_eq(wp_hull_mass(make_box(true), NULL), WP_ERROR_NULL_MASS);
	static _Alignas(WP_ALIGNMENT) unsigned char nothing[1024];
	cr_assert_eq(wp_hull_mass((const wp_hull *)(const void *)nothing, &mass), WP_ERROR_HULL_CORRUPT);
}

/* ---- compounds ---------------------------------------------------------------------------------- */

enum { BOX, BALL, FLAT, ROUNDED_FLAT, SHAPES, CHILDREN = 7 };

static const wp_shape_table *table;
static const wp_compound *compound;
static wp_compound_child children[CHILDREN];

static void make_compound(void)
{
	const float corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
	const wp_shape flat = wp_shape_triangle(corner[0], corner[1], corner[2]);
	const wp_shape shapes[SHAPES] = {wp_shape_box(0.5f, 1, 2), wp_shape_sphere(0.75f), flat, round_off(flat, 0.5f)};
	gen_random random;
	gen_seed(&random, 6);
	const size_t size = wp_shape_table_size(SHAPES), bytes = wp_compound_size(CHILDREN);
	cr_assert_eq(wp_shape_table_build(shapes, SHAPES, block(size), size, &table, NULL), WP_OK);
	for (uint32_t i = 0; i < CHILDREN; i++) {
		children[i].shape = i % 3;
		gen_rotation(&random, children[i].rotation);
		for (int k = 0; k < 3; k++)
			children[i].position[k] = gen_rounded(gen_range(&random, 100, 104));
	}
	children[CHILDREN - 1].shape = ROUNDED_FLAT;
	cr_assert_eq(wp_compound_build(children, CHILDREN, table, block(bytes), bytes, &compound, NULL), WP_OK);
}

/* Points that have the mass and the moments of a box, at its points of Gauss, or of a ball. */
static size_t put_points(uint32_t shape, v3 points[8], double *mass)
{
	const double root = 1 / sqrt(3), out = 0.75 * sqrt(0.6);
	if (shape == BOX)
		for (int i = 0; i < 8; i++)
			points[i] = v3_of((i & 1 ? 0.5 : -0.5) * root, (i & 2 ? 1 : -1) * root, (i & 4 ? 2 : -2) * root);
	if (shape == BALL)
		for (int i = 0; i < 6; i++) {
			const double at = i % 2 ? out : -out;
			points[i] = v3_of(i / 2 == 0 ? at : 0, i / 2 == 1 ? at : 0, i / 2 == 2 ? at : 0);
		}
	const size_t count = shape == BOX ? 8 : shape == BALL ? 6 : 0;
	*mass = shape == BOX ? 1 : 4.0 / 3 * pi * 0.421875 / 6;
	return count;
}

static wp_mass mass_of_points(const float density[CHILDREN])
{
	v3 points[8 * CHILDREN], centre = v3_of(0, 0, 0);
	double masses[8 * CHILDREN], whole = 0;
	size_t count = 0;
	for (int i = 0; i < CHILDREN; i++) {
		double mass;
		const size_t more = put_points(children[i].shape, points + count, &mass);
		for (size_t p = count; p < count + more; p++) {
			points[p] = v3_add(
				v3_of_floats(children[i].position), m3_apply(m3_of_quaternion(children[i].rotation), points[p]));
			masses[p] = mass * (double)density[i];
			whole += masses[p];
			centre = v3_add(centre, v3_scale(points[p], masses[p]));
		}
		count += more;
	}
	centre = v3_scale(centre, 1 / whole);
	wp_mass sum = {.volume = whole, .centroid = {centre.x, centre.y, centre.z}};
	for (size_t p = 0; p < count; p++) {
		const v3 at = v3_sub(points[p], centre);
		const double x[3] = {at.x, at.y, at.z};
		for (int i = 0; i < 3; i++)
			for (int k = 0; k < 3; k++)
				sum.inertia[i][k] += masses[p] * ((i == k ? v3_dot(at, at) : 0) - x[i] * x[k]);
	}
	return sum;
}

Test(solid_mass, of_compounds, .init = make_compound)
{
	static const float densities[2][CHILDREN] = {{1, 1, 1, 1, 1, 1, 0}, {0.5f, 7, 3, 0, 1000, 2, 0}};
	for (int i = 0; i < 2; i++) {
		const wp_const_float_column column = {densities[i], 0};
		const wp_mass expected = mass_of_points(densities[i]);
		wp_mass found;
		const wp_error error = wp_compound_mass(compound, table, &column, &found, NULL);
		cr_assert_eq(error, WP_OK, "%s", wp_error_text(error));
		check_mass("compound", &found, &expected, 100, 1e-12);
		for (int row = 0; row < 3; row++)
			for (int k = 0; k < 3; k++)
				cr_assert_eq(found.inertia[row][k], found.inertia[k][row]);
	}
}

/* A compound of one child has the child's mass. */
Test(solid_mass, of_one_child, .init = make_compound)
{
	const wp_compound_child child = {.rotation = {0, 0, 0, 1}, .shape = BOX};
	const size_t size = wp_compound_size(1);
	const wp_compound *one = NULL;
	wp_mass found;
	cr_assert_eq(wp_compound_build(&child, 1, table, block(size), size, &one, NULL), WP_OK);
	cr_assert_eq(wp_compound_mass(one, table, NULL, &found, NULL), WP_OK);
	const wp_mass expected = mass_of(wp_shape_box(0.5f, 1, 2));
	cr_assert_eq(memcmp(&found, &expected, sizeof found), 0);
}

Test(solid_mass, errors_of_compounds, .init = make_compound)
{
	float density[CHILDREN] = {1, 1, 1, 1, 1, 1, 1};
	static const wp_mass zero;
	static const float none[CHILDREN];
	const wp_const_float_column column = {density, 0}, nothing = {none, 0}, narrow = {density, 3};
	wp_mass mass;
	size_t bad = 99;
	memset(&mass, 0x5a, sizeof mass);
	cr_assert_eq(wp_compound_mass(compound, table, &column, &mass, &bad), WP_ERROR_SHAPE_MASS);
	cr_assert_eq(bad, CHILDREN - 1);
	cr_assert_eq(memcmp(&mass, &zero, sizeof mass), 0);
	for (int i = 0; i < 3; i++) {
		density[3] = i == 0 ? NAN : i == 1 ? -1.0f : INFINITY;
		cr_assert_eq(wp_compound_mass(compound, table, &column, &mass, &bad), WP_ERROR_DENSITY);
		cr_assert_eq(bad, 3u);
	}
	cr_assert_eq(wp_compound_mass(compound, table, &nothing, &mass, &bad), WP_ERROR_SHAPE_VOLUME);
	cr_assert_eq(wp_compound_mass(compound, table, &narrow, &mass, &bad), WP_ERROR_DENSITY_STRIDE);
	cr_assert_eq(wp_compound_mass(NULL, table, NULL, &mass, NULL), WP_ERROR_NULL_COMPOUND);
	cr_assert_eq(wp_compound_mass(compound, NULL, NULL, &mass, NULL), WP_ERROR_NULL_SHAPES);
	cr_assert_eq(wp_compound_mass(compound, table, NULL, NULL, NULL), WP_ERROR_NULL_MASS);

	const wp_shape ball = wp_shape_sphere(1);
	const size_t size = wp_shape_table_size(1);
	const wp_shape_table *small;
	cr_assert_eq(wp_shape_table_build(&ball, 1, block(size), size, &small, NULL), WP_OK);
	cr_assert_eq(wp_compound_mass(compound, small, NULL, &mass, &bad), WP_ERROR_COMPOUND_SHAPE);
	cr_assert_eq(bad, 1u);
}
