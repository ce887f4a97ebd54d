/* From rows to triangles: those whose boxes meet the body's, in the cells of a height field below the body. Samples of a row are
 * compared four at a time, a bit each, so that a few operations on sets tell which cells meet the box. */
#include "mesh_contact/internal.h"

/* Cells of a row that are read at once: both halves of all of them wait for the cull together, and quads may reach three places
 * beyond. */
#define STRIP 30
#define PLACES (STRIP + 4)
/* Rows of samples that are fetched ahead, at most. */
#define ROWS_FETCHED 16
_Static_assert(2 * STRIP + 4 <= WP_CULL_MAX && STRIP < 32, "a row fits, and a bit for each sample");

/* The samples of a row: where they are in the field and from the body's origin on; and a bit for each that is above the body's
 * box, 32 places on one for each that is below it, and one for each hole. */
typedef struct samples {
	double place;
	float z;
	float level[PLACES], height[PLACES];
	uint64_t outside;
	uint32_t hole;
} samples;

/* What cells below a body are read by: its box, and where each column is, in the field and from the body's origin on. */
typedef struct strip {
	const wp_height_field *field;
	wp_quad lower, upper; /* of its box */
	wp_d3 origin;
	wp_quad origin_high, origin_low; /* its height in two parts, since their sum is too long for a float */
	uint32_t first, count;           /* cells */
	uint32_t diagonal;
	double place[PLACES];
	float x[PLACES];
	/* What cells are told by that are far from the body: of a sphere the square of its radius, and of how far each cell is from
	 * it along x. Of another body's axes the parts along y and along z, of the box around it in these how far it reaches, its parts
	 * along x and z of a cell included, and where the middle of each cell is along x by each of the axes. */
	bool is_ball;
	wp_quad reach2;
	float away2[PLACES];
	float axis_x[3], axis_z[3];
	wp_quad axis_y[3], slope[3], reach[3];
	float middle[3][PLACES];
} strip;

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
	const wp_quad most = wp_quad_set(WP_COORDINATE_MAX);
	uint32_t above = 0, below = 0, hole = 0;
	out->place = wp_height_place(s->field, 1, row);
	out->z = (float)(out->place - s->origin.z);
	/* Of floats whole quads, where their last places are in the row. */
	const char *from = (const char *)out->level;
	if (s->field->format == WP_HEIGHT_FLOAT && s->first + s->count + 4 <= s->field->columns)
		from = wp_height_row(s->field, row) + s->first * sizeof(float);
	else
		read_levels(s, row, out->level);
	for (uint32_t i = 0; i <= s->count; i += 4) {
		const wp_quad level = wp_quad_read(from + i * sizeof(float));
		wp_quad_store(out->level + i, level);
		wp_quad_store(out->height + i, wp_quad_sub(wp_quad_sub(level, s->origin_high), s->origin_low));
		above |= wp_quad_bits(wp_quad_above(level, s->upper)) << i;
		below |= wp_quad_bits(wp_quad_above(s->lower, level)) << i;
		hole |= (15 & ~wp_quad_bits(wp_quad_at_most(wp_quad_abs(level), most))) << i;
	}
	out->outside = above | (uint64_t)below << 32;
	out->hole = hole;
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
	for (uint32_t i = 0; i < s->count && s->is_ball; i++) {
		const float away = gap_of(s->x[i], s->x[i + 1]);
		s->away2[i] = away * away;
	}
	for (uint32_t i = 0; i < s->count && !s->is_ball; i++)
		for (int k = 0; k < 3; k++)
			s->middle[k][i] = s->axis_x[k] * ((s->x[i] + s->x[i + 1]) * 0.5f);
}

/* ---- cells -------------------------------------------------------------------------------------- */

/* Cells of which each half meets the box of the body: no corner of it is a hole, one at least is no higher than the box, and one
 * no lower. Both halves have the two corners on the diagonal. */
static void find_met(const strip *s, const samples *near, const samples *far, uint32_t met[2])
{
	const uint32_t is_other = s->diagonal, all = ((uint32_t)1 << s->count) - 1;
	const samples *const first = is_other ? far : near, *const second = is_other ? near : far;
	const uint64_t both = near->outside >> (1 - is_other) & far->outside >> is_other;
	const uint64_t out[2] = {both & first->outside, both & second->outside >> 1};
	const uint32_t any = near->hole >> (1 - is_other) | far->hole >> is_other;
	met[0] = all & ~((uint32_t)(out[0] | out[0] >> 32) | any | first->hole);
	met[1] = all & ~((uint32_t)(out[1] | out[1] >> 32) | any | second->hole >> 1);
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
	const wp_quad aside2 = wp_quad_set(aside * aside), zero = wp_quad_set(0.0f);
	uint32_t cells = 0;
	for (uint32_t i = 0; i < s->count; i += 4) {
		wp_quad least, most;
		heights_of(near, far, i, &least, &most);
		const wp_quad up = wp_quad_max(wp_quad_max(least, wp_quad_sub(zero, most)), zero);
		const wp_quad away2 = wp_quad_add(wp_quad_read(s->away2 + i), aside2);
		cells |= wp_quad_bits(wp_quad_above(wp_quad_add(away2, wp_quad_mul(up, up)), s->reach2)) << i;
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
			const wp_quad place = wp_quad_add(wp_quad_read(s->middle[k] + i), wp_quad_set(s->axis_z[k] * z));
			const wp_quad away = wp_quad_abs(wp_quad_add(place, wp_quad_mul(middle, s->axis_y[k])));
			const wp_quad reach = wp_quad_add(wp_quad_mul(half, s->slope[k]), s->reach[k]);
			cells |= wp_quad_bits(wp_quad_above(away, reach)) << i;
		}
	}
	return cells;
}

/* ---- triangles ---------------------------------------------------------------------------------- */

/* Take halves of a row of cells whose first one has that number, of a row with a sphere or a capsule. */
WP_INLINE void take_halves(wp_mesh_walk *walk, const strip *s, const samples *const rows[2], uint32_t cell,
	const uint32_t near[2], uint32_t diagonal)
{
	wp_measure *const measure = &walk->call->workspace->mesh.measure;
	for (uint32_t left = near[0] | near[1]; left != 0; left &= left - 1) {
		const uint32_t i = wp_lowest_bit(left);
		for (uint32_t half = 0; half < 2; half++) {
			if ((near[half] >> i & 1) == 0)
				continue;
			const uint32_t at = wp_mesh_next_round(walk, 2 * (cell + i) + half);
			for (int k = 0; k < 3; k++) {
				const wp_height_corner corner = wp_height_corners[diagonal][half][k];
				const samples *const row = rows[corner.row];
				measure->corner[3 * k][at] = s->place[i + corner.column];
				measure->corner[3 * k + 1][at] = (double)row->level[i + corner.column];
				measure->corner[3 * k + 2][at] = row->place;
			}
		}
	}
}

/* Let half of up to four cells wait for the cull, from cell `i` on, which is near; `near` has a bit for each. Places past the last
 * of these are written, too, and belong to the next half. */
WP_INLINE void put_half(wp_mesh_walk *walk, const strip *s, const samples *const rows[2],
	const wp_height_corner corner[3], uint32_t triangle, uint32_t i, uint32_t near)
{
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	const uint32_t at = walk->waiting;
	for (int k = 0; k < 3; k++) {
		const samples *const row = rows[corner[k].row];
		const uint32_t column = i + corner[k].column;
		wp_quad_store(memory->cull.place[3 * k] + at, wp_quad_read(s->x + column));
		wp_quad_store(memory->cull.place[3 * k + 1] + at, wp_quad_read(row->height + column));
		wp_quad_store(memory->cull.place[3 * k + 2] + at, wp_quad_set(row->z));
	}
	for (uint32_t k = 0; k < 4; k++)
		memory->found[at + k] = triangle + 2 * k;
	walk->met |= (uint64_t)near << at;
	walk->waiting = at + wp_highest_bit_64(near) + 1;
}

/* The same of a row of cells whose body is not round. They go to the cull together. */
WP_INLINE void wait_for_cull(wp_mesh_walk *walk, const strip *s, const samples *const rows[2], uint32_t cell,
	const uint32_t near[2], uint32_t diagonal)
{
	const uint32_t any = near[0] | near[1];
	if (any == 0)
		return;
	if (walk->waiting + 2 * (wp_highest_bit_64(any) + 1 - wp_lowest_bit(any)) + 4 > WP_CULL_MAX)
		wp_mesh_judge_waiting(walk);
	for (uint32_t half = 0; half < 2; half++)
		for (uint32_t left = near[half], i; left != 0; left &= ~(15u << i)) {
			i = wp_lowest_bit(left);
			put_half(walk, s, rows, wp_height_corners[diagonal][half], 2 * (cell + i) + half, i, left >> i & 15);
		}
}

WP_INLINE void take_row(wp_mesh_walk *walk, const strip *s, const samples *const rows[2], uint32_t cell,
	const uint32_t near[2], uint32_t diagonal)
{
	if (walk->is_round)
		take_halves(walk, s, rows, cell, near, diagonal);
	else
		wait_for_cull(walk, s, rows, cell, near, diagonal);
}

static uint32_t count_of(const uint32_t halves[2]) { return wp_count_bits_64((uint64_t)halves[0] << 32 | halves[1]); }

/* Take what is near the body of the cells between two rows. */
static void take_cells(wp_mesh_walk *walk, const strip *s, const samples *const rows[2], uint32_t cell)
{
	uint32_t met[2];
	find_met(s, rows[0], rows[1], met);
	if ((met[0] | met[1]) == 0)
		return;
	const uint32_t far = s->is_ball ? cells_beyond_ball(s, rows[0], rows[1]) : cells_beyond_box(s, rows[0], rows[1]);
	const uint32_t near[2] = {met[0] & ~far, met[1] & ~far}, beyond[2] = {met[0] & far, met[1] & far};
	walk->call->statistics->triangles += count_of(met);
	if ((beyond[0] | beyond[1]) != 0)
		walk->call->statistics->beyond += count_of(beyond);
	/* Corners of halves are constants for each diagonal. */
	if (s->diagonal != 0)
		take_row(walk, s, rows, cell, near, 1);
	else
		take_row(walk, s, rows, cell, near, 0);
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
	/* All triangles of this strip come before the next strip, wherever the cull was full. */
	if (!walk->is_round)
		wp_mesh_judge_waiting(walk);
}

/* How far the body reaches, a ball and along its axes, the parts of cells along x and z included. */
static void set_reach(const wp_mesh_walk *walk, strip *s)
{
	const wp_mesh_row *const row = walk->row;
	const double wide = (double)s->field->spacing[0], deep = (double)s->field->spacing[1];
	const double more = wp_mesh_far_more(row, walk->max_separation, row->reach + walk->max_separation + wide + deep);
	s->is_ball = wp_mesh_is_ball(row->core);
	s->reach2 = wp_quad_set(wp_mesh_far_reach2(row, more));
	for (int k = 0; k < 3 && !s->is_ball; k++) {
		const wp_d3 axis = wp_d33_axis(&row->axes, k);
		const double slope = (double)WP_MESH_FAR_SLOPE;
		const double cell = (wp_abs(axis.x) + slope) * wide + (wp_abs(axis.z) + slope) * deep;
		s->axis_x[k] = (float)axis.x;
		s->axis_z[k] = (float)axis.z;
		s->axis_y[k] = wp_quad_set((float)axis.y);
		s->slope[k] = wp_quad_set((float)wp_abs(axis.y) + WP_MESH_FAR_SLOPE);
		s->reach[k] = wp_quad_set((float)((double)row->core->half[k] + (double)row->core->radius + more + cell / 2));
	}
}

/* What does not depend on columns. */
static void begin_strip(const wp_mesh_walk *walk, const wp_mesh_box *box, strip *s)
{
	const wp_mesh_row *const row = walk->row;
	const float high = (float)row->origin.y;
	s->field = row->field;
	s->lower = wp_quad_set(box->lower[1]);
	s->upper = wp_quad_set(box->upper[1]);
	s->origin = row->origin;
	s->origin_high = wp_quad_set(high);
	s->origin_low = wp_quad_set((float)(row->origin.y - (double)high));
	s->diagonal = wp_height_diagonal(row->field);
	set_reach(walk, s);
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

void wp_mesh_fetch_cells(const wp_height_field *field, const wp_mesh_box *box)
{
	const wp_height_range columns = wp_height_cells(field, 0, (double)box->lower[0], (double)box->upper[0]);
	const wp_height_range rows = wp_height_cells(field, 1, (double)box->lower[2], (double)box->upper[2]);
	if (columns.first > columns.last || rows.first > rows.last)
		return;
	const size_t size = wp_height_sample_size(field), width = (columns.last + 1 - columns.first) * size;
	const uint32_t end = rows.last + 1 < rows.first + ROWS_FETCHED ? rows.last + 1 : rows.first + ROWS_FETCHED;
	for (uint32_t row = rows.first; row <= end; row++) {
		const char *const first = wp_height_row(field, row) + columns.first * size;
		wp_prefetch(first);
		wp_prefetch(first + width);
	}
}
