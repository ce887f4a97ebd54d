/* From rows to triangles: those whose boxes meet the body's, in the cells of a height field below the body. */
#include "mesh_contact/internal.h"

/* Cells of a row that are read at once. */
#define STRIP 32

/* Where a sample is beside the box of the body; a bit for each of the lower three. */
enum { IS_LOW = 1, IS_HIGH = 2, IS_HOLE = 4, MEETS = IS_LOW | IS_HIGH };

/* The samples of a row: how high they are, from the body's origin on, and beside its box. */
typedef struct samples {
	double place; /* of the row */
	float z;      /* of it, from the body's origin on */
	float whole[STRIP + 1], height[STRIP + 1];
	uint8_t side[STRIP + 1];
} samples;

/* What cells below a body are read by: its box, and of each column how far it is from the body's origin. */
typedef struct strip {
	const wp_height_field *field;
	const wp_mesh_box *box;
	wp_d3 origin;
	uint32_t first, count; /* cells */
	uint8_t sample[2][3];  /* of each half of a cell its corners */
	float x[STRIP + 1];
} strip;

static void read_samples(const strip *s, uint32_t row, samples *out)
{
	const char *const from = wp_height_row(s->field, row);
	out->place = wp_height_place(s->field, 1, row);
	out->z = (float)(out->place - s->origin.z);
	for (uint32_t i = 0; i <= s->count; i++) {
		const float height = wp_height_in_row(s->field, from, s->first + i);
		out->whole[i] = height;
		out->height[i] = (float)((double)height - s->origin.y);
		out->side[i] = (uint8_t)((height <= s->box->upper[1] ? IS_LOW : 0) |
								 (height >= s->box->lower[1] ? IS_HIGH : 0) | (wp_is_height(height) ? 0 : IS_HOLE));
	}
}

/* Hand a triangle of a cell to the measure of spheres and capsules: its corners are samples. */
static void take_round(wp_mesh_walk *walk, const strip *s, uint32_t triangle, const uint8_t sample[3],
	const samples *near, const samples *far, uint32_t i)
{
	wp_d3 corner[3];
	for (int k = 0; k < 3; k++) {
		const uint32_t column = i + (sample[k] & 1);
		const samples *const row = sample[k] > 1 ? far : near;
		corner[k] = wp_d3_of(wp_height_place(s->field, 0, s->first + column), (double)row->whole[column], row->place);
	}
	wp_mesh_take_round(walk, triangle, corner);
}

/* Take the triangles of a cell that meet the box, and count them: no corner of them is a hole, one at least is no higher than the box, and one
 * no lower. The samples of a cell are a, b, c, d, as in wp_height_field. */
WP_INLINE uint32_t take_cell(
	wp_mesh_walk *walk, const strip *s, uint32_t cell, const samples *near, const samples *far, uint32_t i)
{
	const uint8_t side[4] = {near->side[i], near->side[i + 1], far->side[i], far->side[i + 1]};
	if (((side[0] | side[1] | side[2] | side[3]) & MEETS) != MEETS)
		return 0;
	uint32_t count = 0;
	const float x[4] = {s->x[i], s->x[i + 1], s->x[i], s->x[i + 1]}, z[4] = {near->z, near->z, far->z, far->z};
	const float y[4] = {near->height[i], near->height[i + 1], far->height[i], far->height[i + 1]};
	wp_cull *const cull = &walk->call->workspace->mesh.cull;
	for (uint32_t half = 0; half < 2; half++) {
		const uint8_t *const sample = s->sample[half];
		if ((side[sample[0]] | side[sample[1]] | side[sample[2]]) != MEETS)
			continue;
		count++;
		if (walk->is_round) {
			take_round(walk, s, 2 * cell + half, sample, near, far, i);
			continue;
		}
		const uint32_t at = wp_mesh_next(walk, 2 * cell + half);
		for (int k = 0; k < 3; k++) {
			cull->place[3 * k][at] = x[sample[k]];
			cull->place[3 * k + 1][at] = y[sample[k]];
			cull->place[3 * k + 2][at] = z[sample[k]];
		}
	}
	return count;
}

/* Take the cells of some columns and rows. */
static void walk_strip(wp_mesh_walk *walk, strip *s, wp_height_range rows)
{
	const uint32_t wide = s->field->columns - 1;
	uint32_t count = 0;
	samples row[2];
	for (uint32_t i = 0; i <= s->count; i++)
		s->x[i] = (float)(wp_height_place(s->field, 0, s->first + i) - s->origin.x);
	read_samples(s, rows.first, &row[0]);
	for (uint32_t at = rows.first; at <= rows.last; at++) {
		const uint32_t near = (at - rows.first) % 2;
		read_samples(s, at + 1, &row[1 - near]);
		for (uint32_t i = 0; i < s->count; i++)
			count += take_cell(walk, s, at * wide + s->first + i, &row[near], &row[1 - near], i);
	}
	walk->call->statistics->triangles += count;
}

void wp_mesh_walk_cells(wp_mesh_walk *walk, const wp_mesh_box *box)
{
	const wp_height_field *const field = walk->row->field;
	const wp_height_range columns = wp_height_cells(field, 0, (double)box->lower[0], (double)box->upper[0]);
	const wp_height_range rows = wp_height_cells(field, 1, (double)box->lower[2], (double)box->upper[2]);
	if (columns.first > columns.last || rows.first > rows.last)
		return;
	strip s = {.field = field, .box = box, .origin = walk->row->origin};
	for (int half = 0; half < 2; half++)
		for (int k = 0; k < 3; k++) {
			const wp_height_corner corner = wp_height_corners[wp_height_diagonal(field)][half][k];
			s.sample[half][k] = (uint8_t)(corner.column + 2 * corner.row);
		}
	for (s.first = columns.first; s.first <= columns.last; s.first += s.count) {
		const uint32_t left = columns.last - s.first + 1;
		s.count = left < STRIP ? left : STRIP;
		walk_strip(walk, &s, rows);
	}
}
