/* One row, read: both bodies from the position of A on, and one in the frame of the other; and which pairs of their children
 * count. */
#include "compound/internal.h"
#include "motion/entry.h"
#include "motion/path.h"

/* Rounding of a place that was turned and moved, relative to how far that is: some hundred times the spacing of doubles. */
#define PLACE_ROUNDING 1e-13

/* ---- bodies ------------------------------------------------------------------------------------- */

/* A body's shape or compound. Returns the reasons of A why it is invalid, or 0. */
static uint32_t read_side(const wp_compound_call *call, const wp_bodies *bodies, wp_side *side, wp_compound_side *to)
{
	uint32_t invalid = wp_read_side(&call->rows, WP_3D, bodies->position_real, bodies, side);
	if (!side->has_body)
		return invalid;
	const uint32_t shape = wp_shape_of_body(bodies, side->body, side->body * bodies->shape.stride);
	if (shape >= WP_COMPOUND) {
		to->compound = wp_compound_at(call->compounds, call->compound_count, shape - WP_COMPOUND);
		invalid &= ~(uint32_t)WP_STATUS_INVALID_SHAPE_A;
		invalid |= to->compound == NULL ? WP_STATUS_INVALID_SHAPE_A : 0;
	} else if (side->shape == WP_NO_SHAPE) {
		invalid |= WP_STATUS_INVALID_SHAPE_A;
	} else {
		to->core = &call->rows.cores[side->shape];
		to->place.shape = side->shape;
	}
	memcpy(to->place.rotation, side->rotation, sizeof to->place.rotation);
	return invalid;
}

/* The box of a body with a shape, and how large children are. */
static void measure(wp_compound_side *side)
{
	const wp_core *const core = side->core;
	side->reach = wp_compound_size_of_children(side);
	if (side->compound != NULL)
		return;
	for (int k = 0; k < 3; k++) {
		const double half = side->turns ? side->reach : (double)core->half[k] + (double)core->radius;
		side->lower[k] = wp_round_down(-half);
		side->upper[k] = -side->lower[k];
	}
}

/* ---- both --------------------------------------------------------------------------------------- */

static wp_d3 way_of(const wp_compound_side *side) { return wp_d3_of_floats(side->place.way); }

/* The largest coordinate of a body's box. */
static double extent_of(const wp_compound_side *side)
{
	const float *const lower = side->compound != NULL ? side->compound->lower : side->lower;
	const float *const upper = side->compound != NULL ? side->compound->upper : side->upper;
	double most = 0;
	for (int k = 0; k < 3; k++) {
		most = -(double)lower[k] > most ? -(double)lower[k] : most;
		most = (double)upper[k] > most ? (double)upper[k] : most;
	}
	return most;
}

/* B in the frame of A. */
static wp_compound_stand stand_of(const float rotation_a[4], const float rotation_b[4], wp_d3 between, wp_d3 way)
{
	const wp_d33 axes = wp_d33_of_rotation(rotation_a), other = wp_d33_of_rotation(rotation_b);
	wp_compound_stand stand;
	for (int i = 0; i < 3; i++)
		stand.turn.row[i] = wp_d33_turn_back(&other, wp_d33_axis(&axes, i));
	stand.offset = wp_d33_turn_back(&axes, between);
	stand.way = wp_d33_turn_back(&axes, way);
	return stand;
}

/* Both bodies where each part of the time begins. A shape has a box for however it turns: it does not turn here. */
static void put_parts(const wp_compound_row *row, wp_d3 between, wp_d3 way, wp_compound_turn parts[WP_COMPOUND_PARTS])
{
	wp_cast_path path[2] = {{.start = {0, 0, 0}}, {.start = {0, 0, 0}}};
	wp_cast_body at[2] = {{.position = {0, 0, 0}}, {.position = {0, 0, 0}}}, next[2] = {at[0], at[1]};
	const wp_d3 part_of_way = wp_d3_scale(way, 1.0 / WP_COMPOUND_PARTS);
	for (int k = 0; k < 2; k++) {
		const wp_mesh_query_place *const place = &row->side[k].place;
		const bool is_turned = row->side[k].compound != NULL;
		memcpy(at[k].rotation, place->rotation, sizeof at[k].rotation);
		memcpy(next[k].rotation, place->rotation, sizeof at[k].rotation);
		wp_path_find_turn(&path[k], place->rotation, is_turned ? place->end : place->rotation);
	}
	for (int i = 0; i < WP_COMPOUND_PARTS; i++) {
		const wp_d3 from = wp_d3_add(between, wp_d3_scale(way, (double)i / WP_COMPOUND_PARTS));
		wp_compound_turn *const part = &parts[i];
		part->stand = stand_of(at[0].rotation, at[1].rotation, from, part_of_way);
		for (int k = 0; k < 2; k++) {
			wp_path_move(&path[k], NULL, (double)(i + 1) / WP_COMPOUND_PARTS, &next[k]);
			part->chord[k] = 2 * wp_path_half_sine(at[k].rotation, next[k].rotation) +
			                 (path[k].turn > 0 ? WP_PATH_TURN_ROUNDING : 0);
			at[k] = next[k];
		}
	}
}

void wp_compound_place_row(const wp_compound_call *call, wp_compound_row *row)
{
	wp_compound_side *const a = &row->side[0], *const b = &row->side[1];
	measure(a);
	measure(b);
	const wp_d3 between = wp_d3_at(b->place.position), way = wp_d3_sub(way_of(b), way_of(a));
	row->stand = stand_of(a->place.rotation, b->place.rotation, between, way);
	row->rounding = PLACE_ROUNDING *
	                (extent_of(a) + extent_of(b) + wp_d3_length(between) + wp_d3_length(row->stand.way));
	row->turns = (a->turns && a->compound != NULL) || (b->turns && b->compound != NULL);
	if (row->turns)
		put_parts(row, between, way, call->workspace->compound.part);
}

uint32_t wp_compound_read_row(const wp_compound_call *call, uint32_t number, wp_compound_row *row)
{
	const wp_call *const c = &call->rows;
	const size_t at = c->first + number;
	wp_compound_side *const to = row->side;
	wp_side a = {0}, b = {0};
	a.body = wp_body_of_row(c->pair_a.data, c->pair_a.stride, at, c->a.count, &a.has_body);
	b.body = wp_body_of_row(c->pair_b.data, c->pair_b.stride, at, c->b.count, &b.has_body);
	uint32_t invalid = read_side(call, &c->a, &a, &to[0]);
	invalid |= read_side(call, &c->b, &b, &to[1]) << 4;
	if (invalid == 0 && wp_compound_is_half_space(&to[0]) && wp_compound_is_half_space(&to[1]))
		invalid = WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_SHAPE_B;
	if (invalid != 0)
		return invalid;
	invalid = wp_entry_read_way(&call->motions[0], &a, &to[0].place, &to[0].turns);
	invalid |= wp_entry_read_way(&call->motions[1], &b, &to[1].place, &to[1].turns) << 4;
	if (invalid != 0)
		return invalid;
	memcpy(row->position, a.position, sizeof row->position);
	wp_d3_put(wp_d3_sub(wp_d3_at(b.position), wp_d3_at(a.position)), to[1].place.position);
	return 0;
}

/* ---- pairs of children -------------------------------------------------------------------------- */

bool wp_compound_is_before(const wp_compound_found *found, const wp_compound_found *other)
{
	return found->key != other->key ? found->key < other->key : wp_choice_is_lower(found->child, other->child);
}

bool wp_compound_counts(const wp_compound_call *call, const wp_compound_row *row, double key, const uint32_t child[2])
{
	const wp_choice *const choice = &row->choice;
	if (key > choice->limit)
		return false;
	const bool ends_at_zero = call->query == WP_COMPOUND_OVERLAP || call->query == WP_COMPOUND_DISTANCE;
	return !ends_at_zero || !wp_choice_is_least(choice) || wp_choice_is_lower(child, choice->order);
}
