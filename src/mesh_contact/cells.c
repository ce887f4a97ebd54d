/* From rows to triangles: those whose boxes meet the body's, in the cells of a height field below the body. Samples of a row are
 * compared four at a time, a bit each, so that a few operations on sets tell which cells meet the box. */
#include "mesh_contact/internal.h"

/* Cells of a row that are read at once: both halves of all of them wait for the cull together, and quads may reach three places
 * beyond. */
#define STRIP 30
#define PLACES (STRIP + 4)
_Static_assert(2 * STRIP + 4 <= WP_CULL_MAX && STRIP < 32, "a row fits, and a bit for each sample");

/* The samples of a row: where they are in the field and from the body's origin on; and a bit for each that is above the body's
 * box, below it, or a hole. */
typedef struct samples {
	double place;
	float z;
	float level[PLACES], height[PLACES];
	uint32_t above, below, hole;
} samples;

/* What cells below a body are read by: its box, and where each column is, in the field and from the body's origin on. */
typedef struct strip {
	const wp_height_field *field;
	const wp_mesh_box *box;
	wp_d3 origin;
	wp_quad origin_high, origin_low; /* its height in two parts, since their sum is too long for a float */
	uint32_t first, count;           /* cells */
	uint8_t sample[2][3];            /* of each half its corners: the column, and 2 for the far row */
	uint8_t other[2];                /* and the corner that it lacks */
	double place[PLACES];
	float x[PLACES];
	/* What cells are told by that are far from the body: of a sphere the square of its radius, and of how far each cell is from
	 * it along x. Of another body its axes, of the box around it in these how far it reaches, its parts along x and z of a cell
	 * included, and where the middle of each cell is along x by each of the axes. */
	bool is_ball;
	float reach2, away2[PLACES];
	float axis[3][3], reach[3], middle[3][PLACES];
} strip;

/* One of the corners that half a cell has, of all cells from column `i` on. */
WP_INLINE const float *corner_heights(const strip *s, const samples *const rows[2], uint32_t half, int k, uint32_t i)
{
	return rows[s->sample[half][k] / 2]->height + s->sample[half][k] % 2 + i;
}

/* ---- samples ------------------------------------------------------------------------------------ */

static void read_levels(const strip *s, uint32_t row, float level[PLACES])
{
	const char *const from = wp_height_row(s->field, row);
	const uint32_t count = s->count + 1;
	if (s->field->format == WP_HEIGHT_FLOAT)
		memcpy(level, from + s->first * sizeof *level, count * sizeof *level);
	else
		for (uint32_t i = 0; i < count; i++)
			level[i] = wp_height_in_row(s->field, from, s->first + i);
	for (uint32_t i = count; i % 4 != 0; i++)
		level[i] = WP_HEIGHT_HOLE;
}

static void read_samples(const strip *s, uint32_t row, samples *out)
{
	const wp_quad upper = wp_quad_set(s->box->upper[1]), lower = wp_quad_set(s->box->lower[1]);
	const wp_quad most = wp_quad_set(WP_COORDINATE_MAX);
	out->place = wp_height_place(s->field, 1, row);
	out->z = (float)(out->place - s->origin.z);
	read_levels(s, row, out->level);
	out->above = out->below = out->hole = 0;
	for (uint32_t i = 0; i <= s->count; i += 4) {
		const wp_quad level = wp_quad_read(out->level + i);
		wp_quad_store(out->height + i, wp_quad_sub(wp_quad_sub(level, s->origin_high), s->origin_low));
		out->above |= wp_quad_bits(wp_quad_above(level, upper)) << i;
		out->below |= wp_quad_bits(wp_quad_above(lower, level)) << i;
		out->hole |= wp_quad_bits(wp_quad_above(wp_quad_abs(level), most)) << i;
	}
}

/* How far a stretch along an axis is from the body's origin. */
WP_INLINE float gap_of(float from, float to)
{
	const float gap = from > -to ? from : -to;
	return gap > 0.0f ? gap : 0.0f;
}

/* The columns of a strip. */
static void read_columns(strip *s)
{
	for (uint32_t i = 0; i <= s->count; i++) {
		s->place[i] = wp_height_place(s->field, 0, s->first + i);
		s->x[i] = (float)(s->place[i] - s->origin.x);
	}
	for (uint32_t i = 0; i < s->count; i++) {
		const float middle = (s->x[i] + s->x[i + 1]) * 0.5f, away = gap_of(s->x[i], s->x[i + 1]);
		s->away2[i] = away * away;
		for (int k = 0; k < 3; k++)
			s->middle[k][i] = s->axis[k][0] * middle;
	}
}

/* ---- cells -------------------------------------------------------------------------------------- */

/* Of each cell the bits of its four corners. */
typedef struct corner_bits {
	uint32_t of[4];
} corner_bits;

WP_INLINE corner_bits corners_of(uint32_t near, uint32_t far)
{
	return (corner_bits){{near, near >> 1, far, far >> 1}};
}

/* In all of the corners that half a cell has, and in any of them; `other` is the corner that it lacks. */
WP_INLINE uint32_t in_all(const corner_bits *c, uint32_t other)
{
	return c->of[(other + 1) % 4] & c->of[(other + 2) % 4] & c->of[(other + 3) % 4];
}
WP_INLINE uint32_t in_any(const corner_bits *c, uint32_t other)
{
	return c->of[(other + 1) % 4] | c->of[(other + 2) % 4] | c->of[(other + 3) % 4];
}

/* Cells of which each half meets the box of the body: no corner of it is a hole, one at least is no higher than the box, and one
 * no lower. */
static void find_met(const strip *s, const samples *const rows[2], uint32_t met[2])
{
	const corner_bits above = corners_of(rows[0]->above, rows[1]->above);
	const corner_bits below = corners_of(rows[0]->below, rows[1]->below);
	const corner_bits hole = corners_of(rows[0]->hole, rows[1]->hole);
	const uint32_t all = ((uint32_t)1 << s->count) - 1;
	for (uint32_t half = 0; half < 2; half++) {
		const uint32_t other = s->other[half];
		met[half] = all & ~(in_all(&above, other) | in_all(&below, other) | in_any(&hole, other));
	}
}

/* The heights of a cell's corners, of four cells: the least and the most. */
WP_INLINE void heights_of(const samples *near, const samples *far, uint32_t i, wp_quad *least, wp_quad *most)
{
	const wp_quad a = wp_quad_read(near->height + i), b = wp_quad_read(near->height + i + 1);
	const wp_quad c = wp_quad_read(far->height + i), d = wp_quad_read(far->height + i + 1);
	*least = wp_quad_min(wp_quad_min(a, b), wp_quad_min(c, d));
	*most = wp_quad_max(wp_quad_max(a, b), wp_quad_max(c, d));
}

/* Cells whose boxes are farther from a sphere than triangles may be. */
static uint32_t cells_beyond_ball(const strip *s, const samples *near, const samples *far)
{
	const float aside = gap_of(near->z, far->z);
	const wp_quad aside2 = wp_quad_set(aside * aside), reach2 = wp_quad_set(s->reach2), zero = wp_quad_set(0.0f);
	uint32_t cells = 0;
	for (uint32_t i = 0; i < s->count; i += 4) {
		wp_quad least, most;
		heights_of(near, far, i, &least, &most);
		const wp_quad up = wp_quad_max(wp_quad_max(least, wp_quad_sub(zero, most)), zero);
		const wp_quad away2 = wp_quad_add(wp_quad_read(s->away2 + i), aside2);
		cells |= wp_quad_bits(wp_quad_above(wp_quad_add(away2, wp_quad_mul(up, up)), reach2)) << i;
	}
	return cells;
}

/* Cells whose boxes are so far from another body along one of its axes. */
static uint32_t cells_beyond_box(const strip *s, const samples *near, const samples *far)
{
	const float z = (near->z + far->z) * 0.5f;
	uint32_t cells = 0;
	for (uint32_t i = 0; i < s->count; i += 4) {
		wp_quad least, most;
		heights_of(near, far, i, &least, &most);
		const wp_quad middle = wp_quad_scale(wp_quad_add(least, most), 0.5f);
		const wp_quad half = wp_quad_scale(wp_quad_sub(most, least), 0.5f);
		for (int k = 0; k < 3; k++) {
			const float *const axis = s->axis[k];
			const wp_quad place = wp_quad_add(wp_quad_read(s->middle[k] + i), wp_quad_set(axis[2] * z));
			const wp_quad away = wp_quad_abs(wp_quad_add(place, wp_quad_scale(middle, axis[1])));
			const wp_quad slope = wp_quad_set(wp_abs_float(axis[1]) + WP_MESH_FAR_SLOPE);
			const wp_quad reach = wp_quad_add(wp_quad_mul(half, slope), wp_quad_set(s->reach[k]));
			cells |= wp_quad_bits(wp_quad_above(away, reach)) << i;
		}
	}
	return cells;
}

/* ---- triangles ---------------------------------------------------------------------------------- */

/* Take half a cell, of a row with a sphere or a capsule. */
WP_INLINE void take_round(
	wp_mesh_walk *walk, const strip *s, const samples *const rows[2], uint32_t half, uint32_t cell, uint32_t i)
{
	wp_measure *const measure = &walk->call->workspace->mesh.measure;
	const uint32_t at = wp_mesh_next_round(walk, 2 * cell + half);
	for (int k = 0; k < 3; k++) {
		const samples *const row = rows[s->sample[half][k] / 2];
		const uint32_t column = i + s->sample[half][k] % 2;
		measure->corner[3 * k][at] = s->place[column];
		measure->corner[3 * k + 1][at] = (double)row->level[column];
		measure->corner[3 * k + 2][at] = row->place;
	}
}

/* Take halves of a row of cells whose first one has that number. */
static void take_round_row(
	wp_mesh_walk *walk, const strip *s, const samples *const rows[2], uint32_t cell, const uint32_t near[2])
{
	for (uint32_t left = near[0] | near[1]; left != 0; left &= left - 1) {
		const uint32_t i = wp_lowest_bit(left);
		if ((near[0] >> i & 1) != 0)
			take_round(walk, s, rows, 0, cell + i, i);
		if ((near[1] >> i & 1) != 0)
			take_round(walk, s, rows, 1, cell + i, i);
	}
}

/* Put a number of floats into a column, and up to three more. */
WP_INLINE void put_column(float *to, const float *from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i += 4)
		wp_quad_store(to + i, wp_quad_read(from + i));
}

WP_INLINE void fill_column(float *to, float value, uint32_t count)
{
	for (uint32_t i = 0; i < count; i += 4)
		wp_quad_store(to + i, wp_quad_set(value));
}

/* Let half of some cells wait for the cull, from column `i` on. */
static void put_half(wp_mesh_walk *walk, const strip *s, const samples *const rows[2], uint32_t half, uint32_t cell,
	uint32_t i, uint32_t count)
{
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	const uint32_t at = walk->waiting;
	for (int k = 0; k < 3; k++) {
		const uint32_t sample = s->sample[half][k];
		put_column(memory->cull.place[3 * k] + at, s->x + i + sample % 2, count);
		put_column(memory->cull.place[3 * k + 1] + at, corner_heights(s, rows, half, k, i), count);
		fill_column(memory->cull.place[3 * k + 2] + at, rows[sample / 2]->z, count);
	}
	for (uint32_t k = 0; k < count; k++)
		memory->found[at + k] = 2 * (cell + k) + half;
	walk->waiting += count;
}

/* The same of a row of cells whose body is not round: from the first cell that meets the box to the last. */
static void take_row(
	wp_mesh_walk *walk, const strip *s, const samples *const rows[2], uint32_t cell, const uint32_t met[2])
{
	const uint32_t any = met[0] | met[1], from = wp_lowest_bit(any), count = wp_highest_bit_64(any) + 1 - from;
	if (walk->waiting + 2 * count + 4 > WP_CULL_MAX)
		wp_mesh_judge_waiting(walk);
	for (uint32_t half = 0; half < 2; half++) {
		walk->met |= (uint64_t)(met[half] >> from) << walk->waiting;
		put_half(walk, s, rows, half, cell + from, from, count);
	}
}

static uint32_t count_of(const uint32_t halves[2]) { return wp_count_bits_64((uint64_t)halves[0] << 32 | halves[1]); }

/* Take what is near the body of the cells between two rows. */
static void take_cells(wp_mesh_walk *walk, const strip *s, const samples *const rows[2], uint32_t cell)
{
	uint32_t met[2];
	find_met(s, rows, met);
	if ((met[0] | met[1]) == 0)
		return;
	const uint32_t far = s->is_ball ? cells_beyond_ball(s, rows[0], rows[1]) : cells_beyond_box(s, rows[0], rows[1]);
	const uint32_t near[2] = {met[0] & ~far, met[1] & ~far}, count = count_of(met);
	walk->call->statistics->triangles += count;
	walk->call->statistics->beyond += count - count_of(near);
	if ((near[0] | near[1]) != 0)
		(walk->is_round ? take_round_row : take_row)(walk, s, rows, cell, near);
}

/* Take the cells of some columns and rows. */
static void walk_strip(wp_mesh_walk *walk, strip *s, wp_height_range range)
{
	samples row[2];
	read_columns(s);
	read_samples(s, range.first, &row[0]);
	for (uint32_t at = range.first; at <= range.last; at++) {
		const uint32_t near = (at - range.first) % 2;
		read_samples(s, at + 1, &row[1 - near]);
		const samples *const rows[2] = {&row[near], &row[1 - near]};
		take_cells(walk, s, rows, at * (s->field->columns - 1) + s->first);
	}
}

/* How far the body reaches, a ball and along its axes, the parts of cells along x and z included. */
static void set_reach(const wp_mesh_walk *walk, strip *s)
{
	const wp_mesh_row *const row = walk->row;
	const double size = row->reach + walk->max_separation + (double)s->field->spacing[0] + (double)s->field->spacing[1];
	const double more = wp_mesh_far_more(row, walk->max_separation, size);
	s->is_ball = wp_mesh_is_ball(row->core);
	s->reach2 = wp_mesh_far_reach2(row, more);
	for (int k = 0; k < 3; k++) {
		wp_d3_put_floats(wp_d33_axis(&row->axes, k), s->axis[k]);
		const double along_x = wp_abs((double)s->axis[k][0]) + (double)WP_MESH_FAR_SLOPE;
		const double along_z = wp_abs((double)s->axis[k][2]) + (double)WP_MESH_FAR_SLOPE;
		const double cell = along_x * (double)s->field->spacing[0] + along_z * (double)s->field->spacing[1];
		s->reach[k] = (float)((double)row->core->half[k] + (double)row->core->radius + more + cell / 2);
	}
}

/* What does not depend on columns. */
static void begin_strip(const wp_mesh_walk *walk, const wp_mesh_box *box, strip *s)
{
	const wp_mesh_row *const row = walk->row;
	const float high = (float)row->origin.y;
	s->field = row->field;
	s->box = box;
	s->origin = row->origin;
	s->origin_high = wp_quad_set(high);
	s->origin_low = wp_quad_set((float)(row->origin.y - (double)high));
	set_reach(walk, s);
	for (int half = 0; half < 2; half++)
		for (int k = 0; k < 3; k++) {
			const wp_height_corner corner = wp_height_corners[wp_height_diagonal(row->field)][half][k];
			s->sample[half][k] = (uint8_t)(corner.column + 2 * corner.row);
		}
	/* The numbers of all four are 6 together. */
	for (int half = 0; half < 2; half++)
		s->other[half] = (uint8_t)(6 - s->sample[half][0] - s->sample[half][1] - s->sample[half][2]);
}

void wp_mesh_walk_cells(wp_mesh_walk *walk, const wp_mesh_box *box)
{
	const wp_height_field *const field = walk->row->field;
	const wp_height_range columns = wp_height_cells(field, 0, (double)box->lower[0], (double)box->upper[0]);
	const wp_height_range rows = wp_height_cells(field, 1, (double)box->lower[2], (double)box->upper[2]);
	if (columns.first > columns.last || rows.first > rows.last)
		return;
	strip s;
	begin_strip(walk, box, &s);
	for (s.first = columns.first; s.first <= columns.last; s.first += s.count) {
		const uint32_t left = columns.last - s.first + 1;
		s.count = left < STRIP ? left : STRIP;
		walk_strip(walk, &s, rows);
	}
}
