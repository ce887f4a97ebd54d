/* The cells of a height field that may have the answer of a row. Nothing is known of heights before they are read, so cells
 * are chosen by their places alone; what is proven of their triangles, or answered, leaves out no cell, but that some triangle
 * is surely within a distance leaves out those beyond. */
#include "mesh_query/internal.h"
#include "motion/entry.h"

/* A row under way through the cells of its field. */
typedef struct walk {
	const wp_mesh_ask *ask;
	uint32_t place;
	const wp_mesh_asked *row;
	const wp_surface *surface;
} walk;

/* Cells from one column and row to another. */
typedef struct block {
	wp_height_range columns, rows;
} block;

static bool is_empty(wp_height_range range) { return range.first > range.last; }

static void look_at_cell(const walk *w, uint32_t column, uint32_t row)
{
	const wp_height_field *const field = w->surface->field;
	for (uint32_t half = 0; half < 2; half++)
		if (wp_height_has(field, (wp_height_triangle){column, row, half}))
			wp_mesh_query_look_at(w->ask, w->place, w->surface, 2 * (row * (field->columns - 1) + column) + half);
}

/* ---- overlaps ----------------------------------------------------------------------------------- */

/* Triangles come in ascending order, so the first overlap is the answer. */
static void walk_below(const walk *w)
{
	const wp_height_field *const field = w->surface->field;
	const float *const lower = w->row->lower, *const upper = w->row->upper;
	const wp_height_range columns = wp_height_cells(field, 0, (double)lower[0], (double)upper[0]);
	const wp_height_range rows = wp_height_cells(field, 1, (double)lower[2], (double)upper[2]);
	if (is_empty(columns) || is_empty(rows))
		return;
	for (uint32_t row = rows.first; row <= rows.last; row++)
		for (uint32_t column = columns.first; column <= columns.last && !wp_mesh_query_is_settled(w->row); column++)
			look_at_cell(w, column, row);
}

/* ---- distances ---------------------------------------------------------------------------------- */

/* The coordinate axis of a field's axis: columns go along x, rows along z. */
static int coordinate_of(int axis) { return 2 * axis; }

/* The cells below the body along an axis, the nearest one if there are none. */
static wp_height_range nearest_cells(const walk *w, int axis)
{
	const wp_height_field *const field = w->surface->field;
	const uint32_t last = (axis == 0 ? field->columns : field->rows) - 2;
	const int k = coordinate_of(axis);
	const wp_height_range range = wp_height_cells(field, axis, (double)w->row->lower[k], (double)w->row->upper[k]);
	if (!is_empty(range))
		return range;
	return w->row->upper[k] < 0.0f ? (wp_height_range){0, 0} : (wp_height_range){last, last};
}

/* How far the body is along an axis from cells in a range. */
static double gap_to(const walk *w, int axis, uint32_t first, uint32_t last)
{
	const wp_height_field *const field = w->surface->field;
	const int k = coordinate_of(axis);
	const double below = (double)w->row->lower[k] - wp_height_place(field, axis, last + 1);
	const double above = wp_height_place(field, axis, first) - (double)w->row->upper[k];
	const double gap = below > above ? below : above;
	return gap > 0 ? gap : 0;
}

/* Look at the cells of a row from one column to another, but for those that are too far aside. */
static void look_along(const walk *w, uint32_t row, wp_height_range columns)
{
	const double z = gap_to(w, 1, row, row);
	for (uint32_t column = columns.first; column <= columns.last && z <= w->row->proven; column++) {
		const double x = gap_to(w, 0, column, column);
		if (x * x + z * z <= w->row->proven * w->row->proven)
			look_at_cell(w, column, row);
	}
}

/* Look at the cells around a block. */
static void look_around(const walk *w, const block *inner, const block *outer)
{
	for (uint32_t row = outer->rows.first; row <= outer->rows.last; row++) {
		if (row < inner->rows.first || row > inner->rows.last) {
			look_along(w, row, outer->columns);
			continue;
		}
		if (outer->columns.first < inner->columns.first)
			look_along(w, row, (wp_height_range){outer->columns.first, outer->columns.first});
		if (outer->columns.last > inner->columns.last)
			look_along(w, row, (wp_height_range){outer->columns.last, outer->columns.last});
	}
}

/* A range, and one cell more on each side that has any within what is proven. */
static wp_height_range grown(const walk *w, int axis, wp_height_range range)
{
	const wp_height_field *const field = w->surface->field;
	const uint32_t last = (axis == 0 ? field->columns : field->rows) - 2;
	wp_height_range more = range;
	more.first -= range.first > 0 && gap_to(w, axis, range.first - 1, range.first - 1) <= w->row->proven;
	more.last += range.last < last && gap_to(w, axis, range.last + 1, range.last + 1) <= w->row->proven;
	return more;
}

static void walk_outwards(const walk *w)
{
	block done = {nearest_cells(w, 0), nearest_cells(w, 1)};
	for (uint32_t row = done.rows.first; row <= done.rows.last; row++)
		look_along(w, row, done.columns);
	for (;;) {
		const block more = {grown(w, 0, done.columns), grown(w, 1, done.rows)};
		if (memcmp(&more, &done, sizeof more) == 0)
			return;
		look_around(w, &done, &more);
		done = more;
	}
}

/* ---- casts -------------------------------------------------------------------------------------- */

/* Places along an axis, none where `low` is above `high`. */
typedef struct span {
	double low, high;
} span;

/* Where the box of a body that moves straight is along an axis, between two fractions of its way. */
static span places_between(const wp_mesh_asked *row, int k, double from, double to)
{
	double way[3];
	wp_d3_put(row->motion.way, way);
	const double low = (double)row->lower[k], high = (double)row->upper[k];
	const double slack = WP_ENTRY_ROUNDING * (wp_abs(way[k]) + wp_abs(low) + wp_abs(high));
	const double one = way[k] * from, other = way[k] * to;
	return (span){low + (one < other ? one : other) - slack, high + (one < other ? other : one) + slack};
}

/* Where it is along x while it is above a strip of cells, which is along z. */
static span above_strip(const wp_mesh_asked *row, span strip)
{
	double way[3], enter = 0, leave = 1;
	wp_d3_put(row->motion.way, way);
	if (way[2] != 0) {
		const double up = (strip.high - (double)row->lower[2]) / way[2];
		const double down = (strip.low - (double)row->upper[2]) / way[2];
		const double first = (way[2] > 0 ? down : up) - WP_ENTRY_ROUNDING,
					 last = (way[2] > 0 ? up : down) + WP_ENTRY_ROUNDING;
		enter = first > 0 ? first : 0;
		leave = last < 1 ? last : 1;
	}
	return enter <= leave ? places_between(row, 0, enter, leave) : (span){1, 0};
}

/* The same for one on a bent way: its balls of parts of the time. */
static span above_strip_in_parts(const wp_mesh_query_motion *m, span strip)
{
	span x = {(double)WP_INFINITY, -(double)WP_INFINITY};
	for (int part = 0; part < WP_MESH_QUERY_PARTS; part++) {
		const wp_d3 at = m->centre[part];
		const double reach = m->reach[part];
		if (!(at.z - reach <= strip.high && at.z + reach >= strip.low))
			continue;
		x.low = at.x - reach < x.low ? at.x - reach : x.low;
		x.high = at.x + reach > x.high ? at.x + reach : x.high;
	}
	return x;
}

/* Where it is along z on all of its way. */
static span along_way(const wp_mesh_asked *row)
{
	if (!row->motion.is_bent)
		return places_between(row, 2, 0, 1);
	span z = {(double)WP_INFINITY, -(double)WP_INFINITY};
	for (int part = 0; part < WP_MESH_QUERY_PARTS; part++) {
		const double at = row->motion.centre[part].z, reach = row->motion.reach[part];
		const double low = at - reach, high = at + reach;
		z.low = low < z.low ? low : z.low;
		z.high = high > z.high ? high : z.high;
	}
	return z;
}

/* Look at the cells of a row below the way, the first ones first. */
static void look_below_way(const walk *w, uint32_t row, double slack)
{
	const wp_height_field *const field = w->surface->field;
	const span strip = {wp_height_place(field, 1, row) - slack, wp_height_place(field, 1, row + 1) + slack};
	const span x = w->row->motion.is_bent ? above_strip_in_parts(&w->row->motion, strip) : above_strip(w->row, strip);
	if (!(x.low <= x.high))
		return;
	const wp_height_range columns = wp_height_cells(field, 0, x.low - slack, x.high + slack);
	for (uint32_t i = columns.first; i <= columns.last; i++)
		look_at_cell(w, w->row->motion.way.x < 0 ? columns.last - (i - columns.first) : i, row);
}

static void walk_way(const walk *w)
{
	const wp_height_field *const field = w->surface->field;
	const double wide = (double)field->spacing[0], deep = (double)field->spacing[1];
	const double slack = wp_mesh_query_growth(w->row, wp_sqrt(wide * wide + deep * deep) / 2);
	const span z = along_way(w->row);
	const wp_height_range rows = wp_height_cells(field, 1, z.low - slack, z.high + slack);
	for (uint32_t i = rows.first; i <= rows.last; i++)
		look_below_way(w, w->row->motion.way.z < 0 ? rows.last - (i - rows.first) : i, slack);
}

void wp_mesh_query_walk_cells(const wp_mesh_ask *ask, uint32_t place, const wp_surface *surface)
{
	const walk w = {ask, place, &ask->workspace->asked.row[place], surface};
	switch (ask->query) {
	case WP_MESH_QUERY_OVERLAP:
		walk_below(&w);
		return;
	case WP_MESH_QUERY_DISTANCE:
		walk_outwards(&w);
		return;
	default:
		walk_way(&w);
	}
}
