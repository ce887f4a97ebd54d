/* One row, read: both bodies from the position of A on, and one in the frame of the other; and which pairs of their children
 * count. */
#include "batch/read.h"
#include "compound/internal.h"

/* ---- bodies ------------------------------------------------------------------------------------- */

/* What is no compound at all fails by its magic. */
static const wp_compound *compound_at(const wp_compound_call *call, uint32_t index)
{
	const wp_compound *const found = index < call->compound_count ? call->compounds[index] : NULL;
	const bool is_one = found != NULL && wp_is_aligned(found, WP_ALIGNMENT) && found->magic == WP_COMPOUND_MAGIC &&
	                    found->version == WP_COMPOUND_VERSION;
	return is_one ? found : NULL;
}

/* A body's shape or compound. Returns the reasons of A why it is invalid, or 0. */
static uint32_t read_side(const wp_compound_call *call, const wp_bodies *bodies, wp_side *side, wp_compound_side *to)
{
	uint32_t invalid = wp_read_side(&call->rows, WP_3D, bodies->position_real, bodies, side);
	if (!side->has_body)
		return invalid;
	const uint32_t shape = wp_shape_of_body(bodies, side->body, side->body * bodies->shape.stride);
	if (shape >= WP_COMPOUND) {
		to->compound = compound_at(call, shape - WP_COMPOUND);
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

/* Read where a body goes. Returns the reasons of A why it goes nowhere, or 0. */
static uint32_t read_way(const wp_motions *motions, const wp_side *side, wp_compound_side *to)
{
	wp_asked_place *const place = &to->place;
	uint32_t invalid = 0;
	memcpy(place->end, place->rotation, sizeof place->end);
	if (motions->translation.data != NULL)
		memcpy(place->way, wp_offset(motions->translation.data, side->body * motions->translation.stride),
			sizeof place->way);
	if (motions->rotation.data != NULL)
		memcpy(place->end, wp_offset(motions->rotation.data, side->body * motions->rotation.stride), sizeof place->end);
	to->turns = memcmp(place->end, place->rotation, sizeof place->end) != 0;
	for (int k = 0; k < 3; k++)
		if (!(wp_abs(side->position[k] + (double)place->way[k]) <= (double)WP_COORDINATE_MAX))
			invalid |= WP_STATUS_INVALID_POSITION_A;
	if (!wp_rotation_holds(place->end, WP_3D) || (to->compound != NULL && to->turns))
		invalid |= WP_STATUS_INVALID_ROTATION_A;
	return invalid;
}

/* The box of a body with a shape, and how large children are. */
static void measure(wp_compound_side *side)
{
	if (side->compound != NULL) {
		side->reach = (double)side->compound->reach;
		return;
	}
	const wp_core *const core = side->core;
	side->reach = (double)core->bound + (double)core->radius;
	for (int k = 0; k < 3; k++) {
		const double half = side->turns ? side->reach : (double)core->half[k] + (double)core->radius;
		side->lower[k] = wp_round_down(-half);
		side->upper[k] = -side->lower[k];
	}
}

/* ---- both --------------------------------------------------------------------------------------- */

static bool is_half_space(const wp_compound_side *side)
{
	return side->core != NULL && side->core->kind == WP_CORE_HALF_SPACE;
}

static wp_d3 way_of(const wp_compound_side *side)
{
	const float *const way = side->place.way;
	return wp_d3_of((double)way[0], (double)way[1], (double)way[2]);
}

/* B in the frame of A. */
static void put_beside(wp_compound_row *row, const double position_a[3], const double position_b[3])
{
	wp_compound_side *const a = &row->side[0], *const b = &row->side[1];
	const wp_d33 axes = wp_d33_of_rotation(a->place.rotation), other = wp_d33_of_rotation(b->place.rotation);
	const wp_d3 between = wp_d3_sub(wp_d3_at(position_b), wp_d3_at(position_a));
	for (int i = 0; i < 3; i++)
		row->turn.row[i] = wp_d33_turn_back(&other, wp_d33_axis(&axes, i));
	row->offset = wp_d33_turn_back(&axes, between);
	row->way = wp_d33_turn_back(&axes, wp_d3_sub(way_of(b), way_of(a)));
	wp_d3_put(between, b->place.position);
	memcpy(row->position, position_a, sizeof row->position);
}

uint32_t wp_compound_read_row(const wp_compound_call *call, uint32_t number, wp_compound_row *row)
{
	const wp_call *const c = &call->rows;
	const size_t at = c->first + number;
	wp_compound_side *const to = row->side;
	wp_side a = {0}, b = {0};
	row->row = number;
	a.body = wp_body_of_row(c->pair_a.data, c->pair_a.stride, at, c->a.count, &a.has_body);
	b.body = wp_body_of_row(c->pair_b.data, c->pair_b.stride, at, c->b.count, &b.has_body);
	uint32_t invalid = read_side(call, &c->a, &a, &to[0]);
	invalid |= read_side(call, &c->b, &b, &to[1]) << 4;
	if (invalid == 0 && is_half_space(&to[0]) && is_half_space(&to[1]))
		invalid = WP_STATUS_INVALID_SHAPE_A | WP_STATUS_INVALID_SHAPE_B;
	if (invalid != 0)
		return invalid;
	invalid = read_way(&call->motions[0], &a, &to[0]);
	invalid |= read_way(&call->motions[1], &b, &to[1]) << 4;
	if (invalid != 0)
		return invalid;
	measure(&to[0]);
	measure(&to[1]);
	put_beside(row, a.position, b.position);
	return 0;
}

/* ---- pairs of children -------------------------------------------------------------------------- */

bool wp_compound_is_lower(const uint32_t pair[2], const uint32_t other[2])
{
	return pair[0] != other[0] ? pair[0] < other[0] : pair[1] < other[1];
}

bool wp_compound_is_before(const wp_compound_found *found, const wp_compound_found *other)
{
	return found->key != other->key ? found->key < other->key : wp_compound_is_lower(found->child, other->child);
}

bool wp_compound_counts(const wp_compound_call *call, const wp_compound_row *row, const wp_compound_found *found)
{
	if (found->key > row->limit)
		return false;
	const bool may_tie = call->query == WP_COMPOUND_OVERLAP || call->query == WP_COMPOUND_DISTANCE;
	return !may_tie || !row->has_best || row->value > 0 || wp_compound_is_lower(found->child, row->child);
}

void wp_compound_note_invalid(wp_compound_row *row, const wp_compound_found *found, uint32_t status)
{
	if (row->invalid != 0 && !wp_compound_is_before(found, &row->spoilt))
		return;
	row->invalid = status;
	row->spoilt = *found;
}
