/* Height fields, read: samples, and of the triangles between them the corners and the neighbours, which follow from their
 * numbers. */
#ifndef WP_MESH_HEIGHT_H
#define WP_MESH_HEIGHT_H

#include "core/base.h"
#include "core/double3.h"
#include "core/length.h"
#include "widephase/mesh.h"

/* A corner of a triangle, from the first sample of its cell on. */
typedef struct wp_height_corner {
	uint32_t column, row;
} wp_height_corner;

/* Corners by diagonal and half of the cell. */
static const wp_height_corner wp_height_corners[2][2][3] = {
	{{{0, 0}, {0, 1}, {1, 0}}, {{1, 0}, {0, 1}, {1, 1}}},
	{{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}},
};

/* What lies across an edge: how many columns and rows on, the half of that cell, and its edge. */
typedef struct wp_height_step {
	int32_t column, row;
	uint32_t half, edge;
} wp_height_step;

static const wp_height_step wp_height_steps[2][2][3] = {
	{{{-1, 0, 1, 2}, {0, 0, 1, 0}, {0, -1, 1, 1}}, {{0, 0, 0, 1}, {0, 1, 0, 2}, {1, 0, 0, 0}}},
	{{{-1, 0, 1, 1}, {0, 1, 1, 2}, {0, 0, 1, 0}}, {{0, 0, 0, 2}, {1, 0, 0, 0}, {0, -1, 0, 1}}},
};

WP_INLINE uint32_t wp_height_diagonal(const wp_height_field *field) { return field->flags & WP_HEIGHT_OTHER_DIAGONAL; }

WP_INLINE size_t wp_height_sample_size(const wp_height_field *field)
{
	return field->format == WP_HEIGHT_FLOAT ? sizeof(float) : sizeof(int16_t);
}

/* The first sample of a row. */
WP_INLINE const char *wp_height_row(const wp_height_field *field, uint32_t row)
{
	const size_t packed = field->columns * wp_height_sample_size(field);
	return (const char *)field->samples + row * (field->row_stride != 0 ? field->row_stride : packed);
}

/* The height of a sample of a row, or WP_HEIGHT_HOLE. */
WP_INLINE float wp_height_in_row(const wp_height_field *field, const char *row, uint32_t column)
{
	if (field->format == WP_HEIGHT_FLOAT) {
		float height;
		memcpy(&height, row + column * sizeof height, sizeof height);
		return height;
	}
	int16_t sample;
	memcpy(&sample, row + column * sizeof sample, sizeof sample);
	return sample == WP_HEIGHT_HOLE_INT16 ? WP_HEIGHT_HOLE
	                                      : (float)((double)field->offset + (double)field->scale * (double)sample);
}

/* Whether there is a surface at a sample: holes are beyond all coordinates. */
WP_INLINE bool wp_is_height(float height) { return wp_is_coordinate(height); }

/* The place of a column or a row: exact, since both factors have 52 bits together. */
WP_INLINE double wp_height_place(const wp_height_field *field, int axis, uint32_t index)
{
	return (double)index * (double)field->spacing[axis];
}

/* A triangle by its number. */
typedef struct wp_height_triangle {
	uint32_t column, row, half;
} wp_height_triangle;

/* Whether no corner of a triangle is a hole. */
WP_INLINE bool wp_height_has(const wp_height_field *field, wp_height_triangle t)
{
	bool has = true;
	for (int i = 0; i < 3; i++) {
		const wp_height_corner at = wp_height_corners[wp_height_diagonal(field)][t.half][i];
		has &= wp_is_height(wp_height_in_row(field, wp_height_row(field, t.row + at.row), t.column + at.column));
	}
	return has;
}

/* What is read of a field for every triangle: where its samples are, bytes from a row to the next, the numbers of cells, and
 * the corners and neighbours of each half of a cell. */
typedef struct wp_height_view {
	const wp_height_field *field;
	const char *samples;
	size_t stride;
	double spacing[2];
	uint32_t columns, rows;
	const wp_height_corner (*corners)[3];
	const wp_height_step (*steps)[3];
} wp_height_view;

WP_INLINE wp_height_view wp_height_view_of(const wp_height_field *field)
{
	const uint32_t diagonal = wp_height_diagonal(field);
	return (wp_height_view){field, wp_height_row(field, 0), (size_t)(wp_height_row(field, 1) - wp_height_row(field, 0)),
		{(double)field->spacing[0], (double)field->spacing[1]}, field->columns - 1, field->rows - 1,
		wp_height_corners[diagonal], wp_height_steps[diagonal]};
}

WP_INLINE wp_height_triangle wp_height_triangle_of(const wp_height_view *view, uint32_t triangle)
{
	const uint32_t cell = triangle / 2, row = cell / view->columns;
	return (wp_height_triangle){cell - row * view->columns, row, triangle % 2};
}

WP_INLINE uint32_t wp_height_number(const wp_height_view *view, wp_height_triangle t)
{
	return 2 * (t.row * view->columns + t.column) + t.half;
}

/* One corner of a triangle. False where it is a hole. */
WP_INLINE bool wp_height_read_corner(const wp_height_view *view, wp_height_triangle t, uint32_t corner, wp_d3 *place)
{
	const wp_height_corner at = view->corners[t.half][corner];
	const uint32_t column = t.column + at.column, row = t.row + at.row;
	const float height = wp_height_in_row(view->field, view->samples + row * view->stride, column);
	*place = wp_d3_of((double)column * view->spacing[0], (double)height, (double)row * view->spacing[1]);
	return wp_is_height(height);
}

/* The triangle across an edge of another without holes, which of its edges that is, and its corner that is not on it. False at a
 * border: there are no cells beyond, or that corner is a hole. */
WP_INLINE bool wp_height_across(const wp_height_view *view, wp_height_triangle t, uint32_t edge,
	wp_height_triangle *other, uint32_t *number, wp_d3 *far)
{
	const wp_height_step step = view->steps[t.half][edge];
	/* One below zero is beyond all. */
	*other = (wp_height_triangle){t.column + (uint32_t)step.column, t.row + (uint32_t)step.row, step.half};
	*number = step.edge;
	return other->column < view->columns && other->row < view->rows &&
	       wp_height_read_corner(view, *other, step.edge == 0 ? 2 : step.edge - 1, far);
}

/* Cells along an axis, the first to the last; none where the first is above the last. */
typedef struct wp_height_range {
	uint32_t first, last;
} wp_height_range;

/* Cells that touch the places from `lower` to `upper`, of `count` samples. A quotient is rounded past no integer: the last
 * cell is never too low, and the first at most one too high. */
WP_INLINE wp_height_range wp_height_cells(const wp_height_field *field, int axis, double lower, double upper)
{
	const uint32_t count = (axis == 0 ? field->columns : field->rows) - 1;
	const double spacing = (double)field->spacing[axis], end = wp_height_place(field, axis, count);
	if (!(upper >= 0.0 && lower <= end))
		return (wp_height_range){1, 0};
	const double from = lower > 0.0 ? lower / spacing : 0.0, to = upper < end ? upper / spacing : (double)count;
	wp_height_range range = {(uint32_t)from, (uint32_t)to};
	range.first -= range.first > 0 && wp_height_place(field, axis, range.first) >= lower;
	range.last -= range.last == count;
	return range;
}

/* What is wrong with the numbers of a field, its samples aside. */
wp_error wp_height_check_numbers(const wp_height_field *field);

#endif
