/* From rows to triangles: those whose boxes meet the body's, in the cells of a height field below the body. */
#include "mesh_contact/internal.h"

/* The four samples of a cell, as in wp_height_field: a, b, c, d. */
typedef struct samples {
	float height[4];
} samples;

/* Which of the samples a corner is. */
static uint32_t sample_of(wp_height_corner corner) { return corner.column + 2 * corner.row; }

/* Whether the heights of a triangle, none of them a hole, meet the height of a box. */
static bool half_meets(const samples *s, const wp_height_corner corner[3], const wp_mesh_box *box)
{
	bool has = true, is_low = false, is_high = false;
	for (int i = 0; i < 3; i++) {
		const float height = s->height[sample_of(corner[i])];
		has &= wp_is_height(height);
		is_low |= height <= box->upper[1];
		is_high |= height >= box->lower[1];
	}
	return has & is_low & is_high;
}

/* Take the triangles of a cell that meet the box. */
static void take_cell(wp_mesh_walk *walk, const wp_mesh_box *box, uint32_t column, uint32_t row, const samples *s)
{
	const wp_height_field *const field = walk->row->field;
	const double x = wp_height_place(field, 0, column), z = wp_height_place(field, 1, row);
	const double next_x = wp_height_place(field, 0, column + 1), next_z = wp_height_place(field, 1, row + 1);
	for (uint32_t half = 0; half < 2; half++) {
		const wp_height_corner *const corner = wp_height_corners[wp_height_diagonal(field)][half];
		if (!half_meets(s, corner, box))
			continue;
		wp_d3 v[3];
		for (int i = 0; i < 3; i++)
			v[i] = wp_d3_of(corner[i].column != 0 ? next_x : x, (double)s->height[sample_of(corner[i])],
				corner[i].row != 0 ? next_z : z);
		walk->call->statistics->triangles++;
		wp_mesh_take(walk, 2 * (row * (field->columns - 1) + column) + half, v);
	}
}

void wp_mesh_walk_cells(wp_mesh_walk *walk, const wp_mesh_box *box)
{
	const wp_height_field *const field = walk->row->field;
	const wp_height_range columns = wp_height_cells(field, 0, (double)box->lower[0], (double)box->upper[0]);
	const wp_height_range rows = wp_height_cells(field, 1, (double)box->lower[2], (double)box->upper[2]);
	if (columns.first > columns.last)
		return;
	for (uint32_t row = rows.first; row <= rows.last; row++) {
		const char *const near = wp_height_row(field, row), *const far = wp_height_row(field, row + 1);
		samples s;
		s.height[1] = wp_height_in_row(field, near, columns.first);
		s.height[3] = wp_height_in_row(field, far, columns.first);
		for (uint32_t column = columns.first; column <= columns.last; column++) {
			s.height[0] = s.height[1];
			s.height[2] = s.height[3];
			s.height[1] = wp_height_in_row(field, near, column + 1);
			s.height[3] = wp_height_in_row(field, far, column + 1);
			take_cell(walk, box, column, row, &s);
		}
	}
}
