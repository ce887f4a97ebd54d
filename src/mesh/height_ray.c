/* The first triangle of a height field on a straight way: cell by cell below it. */
#include "core/environment.h"
#include "mesh/height.h"
#include "mesh/ray.h"
#include "mesh/way.h"

/* Of a coordinate of the way, how far beside it cells are looked at: more than what the place of a fraction rounds. */
#define CELL_SLACK 0x1p-44

typedef struct ray {
	const wp_height_field *field;
	wp_way way;
} ray;

/* The coordinate axis of a field's axis: columns go along x, rows along z. */
static int coordinate_of(int axis) { return 2 * axis; }

/* ---- one cell ----------------------------------------------------------------------------------- */

static void meet_triangle(ray *r, wp_height_triangle t)
{
	const wp_height_field *const field = r->field;
	double corner[3][3], side[3], sum, fraction;
	for (uint32_t i = 0; i < 3; i++)
		wp_d3_put(wp_height_corner_of(field, t, i), corner[i]);
	const uint32_t number = 2 * (t.row * (field->columns - 1) + t.column) + t.half;
	if (wp_way_meets(&r->way, corner, side, &sum, &fraction))
		wp_way_keep(&r->way, number, NULL, fraction, side, sum);
}

/* Meet both triangles of a cell, unless they are above or below all of the way from `low` to `high`. */
static void meet_cell(ray *r, uint32_t column, uint32_t row, double low, double high)
{
	const char *const near = wp_height_row(r->field, row), *const far = wp_height_row(r->field, row + 1);
	const float height[4] = {wp_height_in_row(r->field, near, column), wp_height_in_row(r->field, near, column + 1),
		wp_height_in_row(r->field, far, column), wp_height_in_row(r->field, far, column + 1)};
	bool is_above = true, is_below = true;
	for (int i = 0; i < 4; i++) {
		is_above &= !((double)height[i] <= high);
		is_below &= !((double)height[i] >= low);
	}
	if (is_above || is_below)
		return;
	for (uint32_t half = 0; half < 2; half++) {
		const wp_height_triangle t = {column, row, half};
		if (wp_height_has(r->field, t))
			meet_triangle(r, t);
	}
}

/* ---- the walk ----------------------------------------------------------------------------------- */

/* The places of the way along a coordinate between two fractions, and what rounds them. */
static void places_between(const wp_way *w, int k, const double fraction[2], double *low, double *high)
{
	const double slack = CELL_SLACK * (wp_abs(w->start[k]) + wp_abs(w->way[k]));
	const double one = w->start[k] + w->way[k] * fraction[0], other = w->start[k] + w->way[k] * fraction[1];
	*low = (one < other ? one : other) - slack;
	*high = (one < other ? other : one) + slack;
}

/* Meet the cells of a strip between the fractions where the way enters and leaves it. */
static void meet_strip(ray *r, int major, uint32_t strip, wp_height_range across, const double fraction[2])
{
	const int minor = 1 - major, k = coordinate_of(minor);
	double low, high;
	if (r->way.inverse[k] != 0.0) {
		places_between(&r->way, k, fraction, &low, &high);
		const wp_height_range cells = wp_height_cells(r->field, minor, low, high);
		across.first = cells.first > across.first ? cells.first : across.first;
		across.last = cells.last < across.last ? cells.last : across.last;
	}
	places_between(&r->way, 1, fraction, &low, &high);
	for (uint32_t i = across.first; i <= across.last; i++)
		meet_cell(r, major == 0 ? strip : i, major == 0 ? i : strip, low, high);
}

static double clamp(double fraction) { return fraction > 0.0 ? fraction < 1.0 ? fraction : 1.0 : 0.0; }

/* Meet strip by strip along the axis that has most of them. A triangle is met no sooner than the way enters its strip, as
 * wp_way_entry computes it: so the walk ends where that is beyond the hit. */
static void walk(ray *r, int major, const wp_height_range range[2])
{
	const int k = coordinate_of(major);
	const double inverse = r->way.inverse[k], start = r->way.start[k];
	const uint32_t count = range[major].last - range[major].first + 1;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t strip = inverse < 0.0 ? range[major].last - i : range[major].first + i;
		double fraction[2] = {0.0, 1.0};
		if (inverse != 0.0) {
			const double lower = (wp_height_place(r->field, major, strip) - start) * inverse;
			const double upper = (wp_height_place(r->field, major, strip + 1) - start) * inverse;
			fraction[0] = clamp(inverse < 0.0 ? upper : lower);
			fraction[1] = clamp(inverse < 0.0 ? lower : upper);
		}
		const volatile float entry = (float)fraction[0];
		if (entry > r->way.best.fraction)
			return;
		meet_strip(r, major, strip, range[1 - major], fraction);
	}
}

static void run(ray *r)
{
	wp_height_range range[2];
	for (int axis = 0; axis < 2; axis++) {
		const int k = coordinate_of(axis);
		range[axis] = wp_height_cells(r->field, axis, (double)r->way.lower[k], (double)r->way.upper[k]);
		if (range[axis].first > range[axis].last)
			return;
	}
	walk(r, range[1].last - range[1].first > range[0].last - range[0].first, range);
}

double wp_height_ray_in_double(
	const wp_height_field *field, const double start[3], const double way[3], wp_mesh_hit *hit)
{
	ray r = {.field = field};
	wp_way_begin(&r.way, start, way);
	wp_way_set_box(&r.way);
	run(&r);
	*hit = wp_way_end(&r.way);
	return r.way.best_fraction;
}

wp_error wp_height_field_ray(const wp_height_field *field, const float start[3], const float way[3], wp_mesh_hit *hit)
{
	const wp_error error = field == NULL ? WP_ERROR_NULL_HEIGHT_FIELD
	                     : start == NULL ? WP_ERROR_NULL_START
	                     : way == NULL   ? WP_ERROR_NULL_WAY
	                     : hit == NULL   ? WP_ERROR_NULL_HIT
	                                     : WP_OK;
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	wp_error found = wp_height_check_numbers(field);
	if (found == WP_OK && !(wp_are_coordinates(start) && wp_are_coordinates(way)))
		found = WP_ERROR_MESH_RAY;
	if (found == WP_OK) {
		*hit = (wp_mesh_hit){.triangle = WP_MESH_MISS};
		if (wp_is_way(way)) {
			double from[3], along[3];
			wp_d3_put(wp_d3_of_floats(start), from);
			wp_d3_put(wp_d3_of_floats(way), along);
			(void)wp_height_ray_in_double(field, from, along, hit);
		}
	}
	wp_environment_leave(before);
	return found;
}
