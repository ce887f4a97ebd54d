/* The first triangle of a height field on a straight way: cell by cell below it. */
#include "core/environment.h"
#include "mesh/height.h"
#include "mesh/ray.h"
#include "mesh/ray_rows.h"
#include "mesh/way.h"

/* Of a coordinate of the way, how far beside it cells are looked at: more than what the place of a fraction rounds. */
#define CELL_SLACK 0x1p-44

/* Of a fraction, by what more is beyond it after it was rounded to float; and by what at least. */
#define FRACTION_ROUNDING 0x1p-22
#define FRACTION_LEAST 0x1p-140

/* Places along an axis. */
typedef struct span {
	double low, high;
} span;

typedef struct ray {
	wp_height_view view;
	size_t size; /* of a sample */
	wp_way way;
	double limit; /* hits beyond this fraction do not come first */
} ray;

/* The coordinate axis of a field's axis: columns go along x, rows along z. */
static int coordinate_of(int axis) { return 2 * axis; }

/* ---- one cell ----------------------------------------------------------------------------------- */

static void meet_triangle(ray *r, wp_height_triangle t)
{
	double corner[3][3], side[3], sum, fraction;
	for (uint32_t i = 0; i < 3; i++) {
		wp_d3 place;
		(void)wp_height_read_corner(&r->view, t, i, &place);
		wp_d3_put(place, corner[i]);
	}
	if (!wp_way_meets(&r->way, corner, side, &sum, &fraction))
		return;
	wp_way_keep(&r->way, wp_height_number(&r->view, t), NULL, fraction, side, sum);
	r->limit = (double)r->way.best.fraction * (1.0 + FRACTION_ROUNDING) + FRACTION_LEAST;
}

/* Whether a cell has heights between two others. Holes are above all. */
static inline bool has_heights(const ray *r, uint32_t column, uint32_t row, span height)
{
	const wp_height_view *const view = &r->view;
	const char *const near = view->samples + row * view->stride + column * r->size, *const far = near + view->stride;
	const float a = wp_height_in_row(view->field, near, 0), b = wp_height_in_row(view->field, near, 1);
	const float c = wp_height_in_row(view->field, far, 0), d = wp_height_in_row(view->field, far, 1);
	const bool is_above = !((double)a <= height.high) & !((double)b <= height.high) & !((double)c <= height.high) &
	                      !((double)d <= height.high);
	const bool is_below = !((double)a >= height.low) & !((double)b >= height.low) & !((double)c >= height.low) &
	                      !((double)d >= height.low);
	return !is_above & !is_below;
}

WP_NOINLINE void meet_triangles(ray *r, uint32_t column, uint32_t row)
{
	for (uint32_t half = 0; half < 2; half++) {
		const wp_height_triangle t = {column, row, half};
		if (wp_height_has(r->view.field, t))
			meet_triangle(r, t);
	}
}

/* Meet both triangles of a cell, unless they are above or below all of the way between two heights. */
static inline void meet_cell(ray *r, uint32_t column, uint32_t row, span height)
{
	if (has_heights(r, column, row, height))
		meet_triangles(r, column, row);
}

/* ---- the walk ----------------------------------------------------------------------------------- */

/* A coordinate on the way, in some unit: `start` and `way` times a fraction, and what these round. */
typedef struct line {
	double start, way, slack;
} line;

static line line_along(const wp_way *w, int k, double unit)
{
	const double start = w->start[k] / unit, way = w->way[k] / unit;
	return (line){start, way, CELL_SLACK * (wp_abs(start) + wp_abs(way))};
}

static double place_on(const line *l, double fraction) { return l->start + l->way * fraction; }

static span span_of(const line *l, double one, double other)
{
	return (span){(one < other ? one : other) - l->slack, (one < other ? other : one) + l->slack};
}

/* Cells of a range that touch a span of places, in cells. */
static wp_height_range cells_at(span at, wp_height_range range)
{
	wp_height_range cells = range;
	if (!(at.high >= (double)range.first && at.low <= (double)range.last + 1))
		return (wp_height_range){1, 0};
	if (at.low > (double)range.first)
		cells.first = (uint32_t)at.low;
	if (at.high < (double)range.last)
		cells.last = (uint32_t)at.high;
	return cells;
}

static double clamp(double fraction) { return fraction > 0.0 ? fraction < 1.0 ? fraction : 1.0 : 0.0; }

/* Meet cells of a strip, between two heights of the way. */
static void meet_strip(ray *r, int major, uint32_t strip, wp_height_range cells, span height)
{
	for (uint32_t i = cells.first; i <= cells.last; i++)
		meet_cell(r, major == 0 ? strip : i, major == 0 ? i : strip, height);
}

/* Meet strip by strip along an axis that the way is not parallel to. A triangle is met no sooner than the way enters its
 * strip, as wp_way_entry computes it: so the walk ends where that is beyond the hit. */
static void walk(ray *r, int major, const wp_height_range range[2])
{
	const wp_height_field *const field = r->view.field;
	const int minor = 1 - major, k = coordinate_of(major), across = coordinate_of(minor);
	const double inverse = r->way.inverse[k], start = r->way.start[k];
	const line aside = line_along(&r->way, across, (double)field->spacing[minor]), height = line_along(&r->way, 1, 1.0);
	const bool down = inverse < 0.0, is_parallel = r->way.inverse[across] == 0.0;
	const uint32_t count = range[major].last - range[major].first + 1;
	const uint32_t side = down ? range[major].last + 1 : range[major].first;
	const double entry = clamp((wp_height_place(field, major, side) - start) * inverse);
	double cell = place_on(&aside, entry), up = place_on(&height, entry);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t strip = down ? side - 1 - i : side + i;
		const double exit = clamp((wp_height_place(field, major, down ? strip : strip + 1) - start) * inverse);
		const double next_cell = place_on(&aside, exit), next_up = place_on(&height, exit);
		const wp_height_range cells = is_parallel ? range[minor]
		                                          : cells_at(span_of(&aside, cell, next_cell), range[minor]);
		meet_strip(r, major, strip, cells, span_of(&height, up, next_up));
		/* The next strip is entered where this one is left. */
		if (exit > r->limit)
			return;
		cell = next_cell;
		up = next_up;
	}
}

static void run(ray *r)
{
	wp_height_range range[2];
	for (int axis = 0; axis < 2; axis++) {
		const int k = coordinate_of(axis);
		range[axis] = wp_height_cells(r->view.field, axis, (double)r->way.lower[k], (double)r->way.upper[k]);
		if (range[axis].first > range[axis].last)
			return;
	}
	const int major = range[1].last - range[1].first > range[0].last - range[0].first;
	if (r->way.inverse[coordinate_of(major)] != 0.0) {
		walk(r, major, range);
		return;
	}
	/* Along an axis that the way is parallel to it has a cell or two, and no more along the other. */
	const line height = line_along(&r->way, 1, 1.0);
	for (uint32_t strip = range[major].first; strip <= range[major].last; strip++)
		meet_strip(r, major, strip, range[1 - major], span_of(&height, place_on(&height, 0.0), place_on(&height, 1.0)));
}

double wp_height_ray_in_double(
	const wp_height_field *field, const double start[3], const double way[3], wp_mesh_hit *hit)
{
	ray r = {.view = wp_height_view_of(field), .size = wp_height_sample_size(field), .limit = 1.0};
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

wp_error wp_height_field_rays(const wp_height_field *field, const wp_const_float_column *start,
	const wp_const_float_column *way, size_t count, const wp_mesh_hit_column *hit)
{
	wp_ray_rows rows;
	wp_error error = field == NULL ? WP_ERROR_NULL_HEIGHT_FIELD : wp_ray_rows_set(&rows, start, way, count, hit);
	if (error != WP_OK)
		return error;
	const wp_environment before = wp_environment_enter();
	error = wp_height_check_numbers(field);
	double from[3], along[3];
	while (error == WP_OK && wp_ray_rows_next(&rows, from, along)) {
		wp_mesh_hit found;
		(void)wp_height_ray_in_double(field, from, along, &found);
		wp_ray_rows_write(&rows, rows.next - 1, &found);
	}
	wp_environment_leave(before);
	return error;
}
