/* Boxes on triangles: contacts and points by a closed form, which has the points along the triangle's normal too. So no batch
 * of pairs is needed but for those that it leaves open. */
#include "mesh_contact/internal.h"

bool wp_mesh_is_sharp_box(const wp_core *core) { return core->kind == WP_CORE_BOX && core->radius == 0.0f; }

/* Where a triangle's core has its origin: the middle of its box. */
static void middle_of(const wp_d3 corner[3], float middle[3])
{
	double at[3][3];
	for (int i = 0; i < 3; i++)
		wp_d3_put(corner[i], at[i]);
	for (int k = 0; k < 3; k++) {
		double low = at[0][k], high = at[0][k];
		for (int i = 1; i < 3; i++) {
			low = at[i][k] < low ? at[i][k] : low;
			high = at[i][k] > high ? at[i][k] : high;
		}
		middle[k] = (float)(low + (high - low) / 2);
	}
}

/* Make the core of a triangle, relative to the middle of its box as that is rounded. */
void wp_mesh_put_triangle(wp_mesh_memory *memory, uint32_t at)
{
	const wp_d3 *const corner = memory->candidate[at].corner;
	wp_mesh_place *const place = &memory->place[at];
	float local[3][3];
	middle_of(corner, place->position);
	for (int i = 0; i < 3; i++)
		wp_d3_put_floats(wp_d3_sub(corner[i], wp_d3_of_floats(place->position)), local[i]);
	wp_core_of_triangle((const float(*)[3])local, &memory->core[at], memory->small[at]);
	place->rotation[0] = place->rotation[1] = place->rotation[2] = 0.0f;
	place->rotation[3] = 1.0f;
	place->shape = at;
}

/* Describe a candidate to the kernel. */
static void load_lane(const wp_mesh_row *row, const wp_mesh_candidate *c, uint32_t lane, wp_box_triangles *pairs)
{
	for (int i = 0; i < 3; i++) {
		pairs->corner[3 * i][lane] = (float)c->corner[i].x;
		pairs->corner[3 * i + 1][lane] = (float)c->corner[i].y;
		pairs->corner[3 * i + 2][lane] = (float)c->corner[i].z;
		/* The axes are the columns of the matrix. */
		pairs->axis[i][lane] = (float)row->axes.row[i].x;
		pairs->axis[3 + i][lane] = (float)row->axes.row[i].y;
		pairs->axis[6 + i][lane] = (float)row->axes.row[i].z;
		pairs->half[i][lane] = row->core->half[i];
	}
	pairs->face[0][lane] = (float)c->face.x;
	pairs->face[1][lane] = (float)c->face.y;
	pairs->face[2][lane] = (float)c->face.z;
}

/* Lanes past the last pair repeat it. */
static void repeat_last(wp_box_triangles *pairs, uint32_t count, uint32_t width)
{
	for (uint32_t lane = count; lane < width; lane++) {
		for (int k = 0; k < 9; k++) {
			pairs->corner[k][lane] = pairs->corner[k][count - 1];
			pairs->axis[k][lane] = pairs->axis[k][count - 1];
		}
		for (int k = 0; k < 3; k++) {
			pairs->face[k][lane] = pairs->face[k][count - 1];
			pairs->half[k][lane] = pairs->half[k][count - 1];
		}
	}
}

/* Keep the points of a candidate. */
static void keep_places(const wp_touch_places *places, uint32_t lane, wp_mesh_points *points)
{
	uint32_t count = 0;
	for (uint32_t k = 0; k < WP_TOUCH_PLACES; k++) {
		if (!(places->separation[k][lane] < WP_INFINITY))
			continue;
		wp_mesh_touch_point *const point = &points->touch[count++];
		for (int i = 0; i < 3; i++)
			point->local[i] = places->at[k][i][lane];
		point->separation = places->separation[k][lane];
		point->feature_a = (uint32_t)places->feature[k][0][lane];
		point->feature_b = (uint32_t)places->feature[k][1][lane];
	}
	points->count = count;
}

/* Whether a point is as deep as the contact. */
static bool has_as_deep(const wp_mesh_points *points, float separation)
{
	bool has = false;
	for (uint32_t i = 0; i < points->count; i++)
		has |= points->touch[i].separation <= separation;
	return has;
}

/* The deepest of the contact's own points as its witness. */
static void find_witness(const wp_mesh_row *row, const wp_touch_places *places, uint32_t lane, wp_mesh_candidate *c)
{
	uint32_t deepest = 0;
	for (uint32_t k = 1; k < WP_TOUCH_PLACES; k++)
		deepest = places->separation[k][lane] < places->separation[deepest][lane] ? k : deepest;
	for (int i = 0; i < 3; i++)
		c->witness_local[i] = places->at[deepest][i][lane];
	c->witness = wp_d33_turn(&row->axes, wp_d3_of_floats(c->witness_local));
}

/* A row of the ring and its surface: candidates that follow one another mostly have the same. */
typedef struct seen {
	const wp_mesh_row *row;
	wp_surface surface;
} seen;

static const wp_surface *surface_of(seen *last, const wp_mesh_row *row)
{
	if (last->row != row)
		wp_surface_set(&last->surface, row->mesh, row->field);
	last->row = row;
	return &last->surface;
}

/* Decide what becomes of a contact, as wp_mesh_turn does, and which points it has. */
static void take_contact(const wp_mesh_call *call, const wp_mesh_row *row, seen *last, const wp_box_touches *touches,
	uint32_t lane, wp_mesh_candidate *c, wp_mesh_points *points)
{
	const float normal[3] = {touches->normal[0][lane], touches->normal[1][lane], touches->normal[2][lane]};
	c->normal = c->found = wp_d3_unit(wp_d3_of_floats(normal));
	c->separation = (double)touches->separation[lane];
	c->outcome = WP_MESH_FACE;
	c->is_face = touches->is_face[lane] != 0;
	bool is_allowed = false, is_same = true;
	if ((call->flags & WP_MESH_GHOSTS) != 0) {
		c->outcome = WP_MESH_KEPT;
	} else if (!c->is_face) {
		find_witness(row, &touches->own, lane, c);
		is_same = wp_d3_length(wp_d3_sub(c->normal, c->face)) < WP_RULE_SAME;
		is_allowed = wp_mesh_keeps(call, row, surface_of(last, row), c);
		if (!is_same && is_allowed)
			c->outcome = WP_MESH_KEPT;
	}
	if (c->outcome == WP_MESH_KEPT) {
		keep_places(&touches->own, lane, points);
		return;
	}
	c->is_turned = !is_same;
	c->normal = c->face;
	keep_places(c->is_face ? &touches->own : &touches->face, lane, points);
	c->has_witness = is_same && is_allowed && !has_as_deep(points, touches->separation[lane]);
}

static void take_lane(const wp_mesh_call *call, wp_mesh_memory *memory, seen *last, uint32_t at, uint32_t lane)
{
	const wp_box_touches *const touches = &call->workspace->touch->touches;
	const wp_mesh_row *const row = &memory->row[memory->body[at] - WP_MESH_RING];
	wp_mesh_candidate *const c = &memory->candidate[at];
	wp_mesh_points *const points = &memory->points[at];
	if (touches->state[lane] == WP_TOUCH_OPEN) {
		wp_mesh_put_triangle(memory, at);
		memory->open[memory->open_count++] = at;
		return;
	}
	c->is_answered = true;
	c->status = 0;
	c->is_turned = c->has_witness = c->witness_is_above = false;
	points->count = 0;
	if (touches->state[lane] == WP_TOUCH_MET)
		take_contact(call, row, last, touches, lane, c, points);
}

/* Answer the candidates of a block. */
static void run_block(const wp_mesh_call *call, const wp_kernels *kernels, const uint32_t *candidate, uint32_t count)
{
	wp_mesh_memory *const memory = &call->workspace->mesh;
	wp_box_triangles *const pairs = &call->workspace->touch->pairs;
	for (uint32_t lane = 0; lane < count; lane++) {
		const uint32_t at = candidate[lane];
		load_lane(&memory->row[memory->body[at] - WP_MESH_RING], &memory->candidate[at], lane, pairs);
	}
	repeat_last(pairs, count, kernels->width);
	pairs->max_separation = call->call.max_separation;
	kernels->meshes->touch_boxes(pairs, &call->workspace->touch->touches);
	seen last;
	last.row = NULL;
	for (uint32_t lane = 0; lane < count; lane++)
		take_lane(call, memory, &last, candidate[lane], lane);
}

void wp_mesh_touch_boxes(const wp_mesh_call *call)
{
	const wp_workspace *const workspace = call->workspace;
	wp_mesh_memory *const memory = &call->workspace->mesh;
	const wp_kernels *const kernels = wp_kernels_for(workspace, memory->count);
	uint32_t block[WP_WIDTH_MAX], count = 0;
	memory->open_count = 0;
	for (uint32_t at = 0; at < memory->count; at++) {
		wp_mesh_candidate *const c = &memory->candidate[at];
		/* Rows that no kernel sees, since their numbers are none, have this answer. */
		c->outcome = WP_MESH_APART;
		c->status = WP_STATUS_INVALID;
		c->is_answered = false;
		if (!wp_mesh_is_sharp_box(memory->row[memory->body[at] - WP_MESH_RING].core)) {
			memory->open[memory->open_count++] = at;
			continue;
		}
		block[count++] = at;
		if (count == kernels->width) {
			run_block(call, kernels, block, count);
			count = 0;
		}
	}
	if (count != 0)
		run_block(call, kernels, block, count);
}
