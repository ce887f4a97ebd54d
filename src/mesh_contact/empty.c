/* Boxes around a body that no triangle meets: while the body stays in one, a walk finds nothing. */
#include "mesh_contact/internal.h"

/* Triangles that are read at once, and how often; samples of a height field. More are not worth it. */
#define PART 64
#define PARTS 8
#define SAMPLES 2048

/* Shares of the largest growth that are tried. */
#define TRIES 2
#define NEXT_SHARE 0.25

static float next_above(float value) { return -wp_next_below(-value); }

static bool boxes_meet(const wp_mesh_box *a, const wp_mesh_box *b)
{
	bool meet = true;
	for (int k = 0; k < 3; k++)
		meet &= a->lower[k] <= b->upper[k] && a->upper[k] >= b->lower[k];
	return meet;
}

/* Make a box around `body` smaller, where it is furthest from another box, so that it does not meet that one. False where the
 * other one meets the body. */
static bool cut(wp_mesh_box *box, const wp_mesh_box *body, const wp_mesh_box *other)
{
	float most = 0.0f;
	int axis = 0;
	bool is_above = false;
	for (int k = 0; k < 3; k++) {
		const float above = other->lower[k] - body->upper[k], below = body->lower[k] - other->upper[k];
		if (above > most || below > most) {
			is_above = above > most;
			most = is_above ? above : below;
			axis = k;
		}
	}
	if (!(most > 0.0f))
		return false;
	if (is_above)
		box->upper[axis] = wp_next_below(other->lower[axis]);
	else
		box->lower[axis] = next_above(other->upper[axis]);
	return true;
}

static wp_mesh_box box_of_triangle(const wp_mesh_view *view, uint32_t triangle)
{
	const wp_mesh_triangle_row *const t = &view->triangles[triangle];
	const float *const first = view->vertices[wp_row_corner(t, 0)];
	wp_mesh_box box;
	for (int k = 0; k < 3; k++) {
		box.lower[k] = box.upper[k] = first[k];
		for (int i = 1; i < 3; i++) {
			const float at = view->vertices[wp_row_corner(t, i)][k];
			box.lower[k] = at < box.lower[k] ? at : box.lower[k];
			box.upper[k] = at > box.upper[k] ? at : box.upper[k];
		}
	}
	return box;
}

static wp_mesh_box box_without_end(void)
{
	wp_mesh_box box;
	for (int k = 0; k < 3; k++) {
		box.lower[k] = -WP_INFINITY;
		box.upper[k] = WP_INFINITY;
	}
	return box;
}

/* Cut the box wherever a triangle meets it. A walk goes on from triangle to triangle, so those before it met none but larger
 * boxes. False where one meets the body, or there are too many. */
static bool cut_by_triangles(const wp_mesh *mesh, const wp_mesh_box *body, wp_mesh_box *box)
{
	const wp_mesh_view view = wp_mesh_view_of(mesh);
	uint32_t cursor = 0;
	for (int part = 0; part < PARTS && cursor < mesh->triangle_count; part++) {
		uint32_t found[PART];
		size_t count = 0;
		(void)wp_mesh_overlap_box(mesh, box->lower, box->upper, &cursor, found, PART, &count);
		for (size_t i = 0; i < count; i++) {
			const wp_mesh_box triangle = box_of_triangle(&view, found[i]);
			if (boxes_meet(box, &triangle) && !cut(box, body, &triangle))
				return false;
		}
	}
	return cursor == mesh->triangle_count;
}

/* Cut the box at the highest or the lowest sample below it, whichever side of all of them the body is on: then it has no other
 * end upwards, or downwards. False where the body is on neither, or there are too many samples. */
static bool cut_by_samples(const wp_height_field *field, const wp_mesh_box *body, wp_mesh_box *box)
{
	const wp_height_range columns = wp_height_cells(field, 0, (double)box->lower[0], (double)box->upper[0]);
	const wp_height_range rows = wp_height_cells(field, 1, (double)box->lower[2], (double)box->upper[2]);
	float low = WP_INFINITY, high = -WP_INFINITY;
	box->lower[1] = -WP_INFINITY;
	box->upper[1] = WP_INFINITY;
	if (columns.first > columns.last || rows.first > rows.last)
		return true;
	if ((uint64_t)(columns.last - columns.first + 2) * (rows.last - rows.first + 2) > SAMPLES)
		return false;
	for (uint32_t row = rows.first; row <= rows.last + 1; row++) {
		const char *const samples = wp_height_row(field, row);
		for (uint32_t column = columns.first; column <= columns.last + 1; column++) {
			const float height = wp_height_in_row(field, samples, column);
			low = wp_is_height(height) && height < low ? height : low;
			high = wp_is_height(height) && height > high ? height : high;
		}
	}
	if (body->lower[1] > high)
		box->lower[1] = high > -WP_INFINITY ? next_above(high) : high;
	else if (body->upper[1] < low)
		box->upper[1] = wp_next_below(low);
	else
		return false;
	return true;
}

static wp_mesh_box box_grown(const wp_mesh_box *body, double more)
{
	wp_mesh_box box;
	for (int k = 0; k < 3; k++) {
		box.lower[k] = wp_round_down((double)body->lower[k] - more);
		box.upper[k] = -wp_round_down(-((double)body->upper[k] + more));
	}
	return box;
}

bool wp_mesh_grow_empty(const wp_mesh_row *row, const wp_mesh_box *body, double more, wp_mesh_box *empty)
{
	if (row->field == NULL) {
		wp_mesh_box all;
		memcpy(all.lower, row->mesh->lower, sizeof all.lower);
		memcpy(all.upper, row->mesh->upper, sizeof all.upper);
		*empty = box_without_end();
		if (cut(empty, body, &all))
			return true;
	}
	for (int i = 0; i < TRIES; i++, more *= NEXT_SHARE) {
		*empty = box_grown(body, more);
		if (row->field != NULL ? cut_by_samples(row->field, body, empty) : cut_by_triangles(row->mesh, body, empty))
			return true;
	}
	return false;
}
