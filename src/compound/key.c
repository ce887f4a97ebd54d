/* Keys: what is proven of the answers of pairs of children before any is asked. */
#include "compound/internal.h"
#include "motion/entry.h"
#include "shape/vertices.h"

/* Room for rounding of a squared distance, relative to its root. */
#define FAR_ROUNDING 1e-12

/* ---- boxes on their way -------------------------------------------------------------------------- */

/* The six planes of two boxes: along axis k of A and of B, how far the middle of B is from the middle of A, by how much it
 * moves, and up to which distance the boxes meet. */
typedef struct beside {
	double at[6], way[6], meet[6];
} beside;

static beside beside_of(const wp_compound_stand *stand, const wp_compound_box box[2])
{
	const wp_compound_block a = wp_compound_block_of(stand, 0, box[0]), b = wp_compound_block_of(stand, 1, box[1]);
	const wp_d3 between = wp_d3_sub(b.middle, a.middle);
	beside s;
	wp_d3_put(between, s.at);
	wp_d3_put(stand->way, s.way);
	wp_d3_put(wp_d3_add(a.half[0], b.half[0]), s.meet);
	wp_d3_put(wp_d33_turn_back(&stand->turn, between), s.at + 3);
	wp_d3_put(wp_d33_turn_back(&stand->turn, stand->way), s.way + 3);
	wp_d3_put(wp_d3_add(wp_compound_half_beside(stand, 0, a.half[0]), b.half[1]), s.meet + 3);
	return s;
}

/* When two boxes first meet that are grown. */
static double entry_of(const beside *s, double grown)
{
	double entry = 0, exit = 1;
	for (int k = 0; k < 6; k++) {
		const double way = s->way[k], meet = s->meet[k] + grown + WP_ENTRY_ROUNDING * wp_abs(way);
		if (way == 0) {
			if (wp_abs(s->at[k]) > meet)
				return (double)WP_INFINITY;
			continue;
		}
		const double below = (-meet - s->at[k]) / way, above = (meet - s->at[k]) / way;
		const double from = below < above ? below : above, to = below < above ? above : below;
		entry = from > entry ? from : entry;
		exit = to < exit ? to : exit;
	}
	return entry <= exit ? entry : (double)WP_INFINITY;
}

/* ---- half-spaces -------------------------------------------------------------------------------- */

/* Which side is one; 2: none. */
static int half_space_of(const wp_compound_row *row)
{
	return wp_compound_is_half_space(&row->side[0]) ? 0 : wp_compound_is_half_space(&row->side[1]) ? 1 : 2;
}

/* The normal of a half-space in the frame of A. */
static wp_d3 up_of(const wp_compound_stand *stand, int space)
{
	return space == 0 ? wp_d3_of(0, 1, 0) : wp_d33_axis(&stand->turn, 1);
}

/* How high a place in the frame of A is above a half-space. */
static double height_of(const wp_compound_row *row, const wp_compound_stand *stand, int space, wp_d3 place)
{
	const wp_d3 above = space == 0 ? place : wp_d3_sub(place, stand->offset);
	return wp_d3_dot(up_of(stand, space), above) - (double)row->side[space].core->radius;
}

/* How high a box is above a half-space, by its lowest corner. */
static double height_of_box(
	const wp_compound_row *row, const wp_compound_stand *stand, int space, const wp_compound_box box[2])
{
	const wp_compound_block other = wp_compound_block_of(stand, 1 - space, box[1 - space]);
	return height_of(row, stand, space, other.middle) - wp_compound_reach_along(up_of(stand, space), other.half[0]);
}

/* When a box that moves straight first comes to the plane. */
static double entry_of_plane(
	const wp_compound_row *row, const wp_compound_stand *stand, int space, const wp_compound_box box[2], double grown)
{
	const double along = wp_d3_dot(up_of(stand, space), stand->way), rising = space == 0 ? along : -along;
	const double height = height_of_box(row, stand, space, box) - (grown + WP_ENTRY_ROUNDING * wp_abs(rising));
	if (!(height > 0))
		return 0;
	return rising < 0 ? height / -rising : (double)WP_INFINITY;
}

/* ---- keys --------------------------------------------------------------------------------------- */

/* A proven distance, less what answers may be off. */
static double key_of_distance(const wp_compound_call *call, const wp_compound_row *row, double distance, double sizes)
{
	const double key = (distance - WP_COMPOUND_SHARE * (sizes + distance)) - row->rounding;
	if (call->query == WP_COMPOUND_OVERLAP)
		return key > 0 ? (double)WP_INFINITY : 0;
	return key > 0 ? key : 0;
}

/* Where the key of a distance is above the limit, with room for rounding. */
double wp_compound_far(const wp_compound_row *row)
{
	const double sizes = row->side[0].reach + row->side[1].reach;
	const double far = (1 + FAR_ROUNDING) * (row->choice.limit + WP_COMPOUND_SHARE * sizes + row->rounding) /
	                   (1 - WP_COMPOUND_SHARE);
	return far * far;
}

double wp_compound_key_of_apart(const wp_compound_call *call, const wp_compound_row *row, double squared)
{
	if (!(squared < (double)WP_INFINITY))
		return squared;
	return key_of_distance(call, row, wp_sqrt(squared), row->side[0].reach + row->side[1].reach);
}

/* When two boxes meet at the soonest that go straight from where they stand, or a box and a half-space. */
static double entry_from(
	const wp_compound_row *row, const wp_compound_stand *stand, const wp_compound_box box[2], double grown)
{
	const int space = half_space_of(row);
	if (space != 2)
		return entry_of_plane(row, stand, space, box, grown);
	const beside s = beside_of(stand, box);
	return entry_of(&s, grown);
}

/* The same of boxes that turn with their bodies: from part to part of the time grown by how far their corners come by that. */
static double entry_of_parts(
	const wp_compound_call *call, const wp_compound_row *row, const wp_compound_box box[2], double grown)
{
	double reach[2] = {0, 0};
	for (int k = 0; k < 2; k++)
		reach[k] = row->side[k].compound != NULL ? wp_compound_reach_of_box(box[k].lower, box[k].upper) : 0;
	for (int i = 0; i < WP_COMPOUND_PARTS; i++) {
		const wp_compound_turn *const part = &call->workspace->compound.part[i];
		const double turned = part->chord[0] * reach[0] + part->chord[1] * reach[1];
		const double entry = entry_from(row, &part->stand, box, grown + turned);
		if (entry <= 1)
			return (i + entry) / WP_COMPOUND_PARTS;
	}
	return (double)WP_INFINITY;
}

/* When two boxes meet at the soonest, sizes grown by what answers may be off. */
static double key_of_way(
	const wp_compound_call *call, const wp_compound_row *row, const wp_compound_box box[2], double sizes)
{
	const double grown = WP_COMPOUND_SHARE * sizes + row->rounding;
	const int space = half_space_of(row);
	if (space != 2 && row->side[space].turns)
		return 0;
	return wp_entry_key(row->turns ? entry_of_parts(call, row, box, grown) : entry_from(row, &row->stand, box, grown));
}

bool wp_compound_is_plain(const wp_compound_call *call, const wp_compound_row *row)
{
	return call->query != WP_COMPOUND_CAST && half_space_of(row) == 2;
}

double wp_compound_key_of_boxes(const wp_compound_call *call, const wp_compound_row *row, const wp_compound_box box[2])
{
	const double sizes = row->side[0].reach + row->side[1].reach;
	if (call->query == WP_COMPOUND_CAST)
		return key_of_way(call, row, box, sizes);
	return key_of_distance(call, row, height_of_box(row, &row->stand, half_space_of(row), box), sizes);
}

/* ---- pairs of children -------------------------------------------------------------------------- */

/* The origin of a leaf's shape, in the frame of its body. */
static wp_d3 origin_of(const wp_compound_leaf *leaf)
{
	if (leaf->child == NULL)
		return wp_d3_zero();
	const float *const p = leaf->child->position;
	return wp_d3_of((double)p[0], (double)p[1], (double)p[2]);
}

/* A place that a leaf's core surely holds, in the frame of its body. False where none is known. */
static bool place_inside(const wp_compound_leaf *leaf, wp_d3 *place)
{
	const wp_core *const core = leaf->core;
	if (core->kind == WP_CORE_CUSTOM)
		return false;
	*place = origin_of(leaf);
	if (core->kind != WP_CORE_HULL)
		return true;
	const wp_d3 vertex = wp_core_vertex(core, 0);
	const bool is_turned = leaf->child != NULL;
	*place = wp_d3_add(*place, is_turned ? wp_dq_turn(wp_dq_of_rotation(leaf->child->rotation), vertex) : vertex);
	return true;
}

/* A place in the frame of side k, in the frame of A. */
static wp_d3 place_in_a(const wp_compound_row *row, int k, wp_d3 place)
{
	return k == 0 ? place : wp_d3_add(row->stand.offset, wp_d33_turn(&row->stand.turn, place));
}

/* How far two children are apart at most. */
static double distance_at_most(const wp_compound_row *row, const wp_compound_leaf leaf[2])
{
	const int space = half_space_of(row), other = 1 - space;
	wp_d3 place[2];
	double most = (double)WP_INFINITY;
	if (space != 2 && place_inside(&leaf[other], &place[other]))
		most = height_of(row, &row->stand, space, place_in_a(row, other, place[other])) -
		       (double)leaf[other].core->radius;
	else if (space == 2 && place_inside(&leaf[0], &place[0]) && place_inside(&leaf[1], &place[1]))
		most = wp_d3_length(wp_d3_sub(place_in_a(row, 1, place[1]), place[0])) -
		       ((double)leaf[0].core->radius + (double)leaf[1].core->radius);
	return most > 0 ? most : 0;
}

static double sizes_of(const wp_compound_leaf leaf[2])
{
	return ((double)leaf[0].core->bound + (double)leaf[0].core->radius) +
	       ((double)leaf[1].core->bound + (double)leaf[1].core->radius);
}

/* The key of children that are so far apart. */
static double key_of_children(
	const wp_compound_call *call, wp_compound_row *row, const wp_compound_leaf leaf[2], double distance, double sizes)
{
	const double key = key_of_distance(call, row, distance, sizes);
	if (key > row->choice.limit || (call->query != WP_COMPOUND_DISTANCE && call->query != WP_COMPOUND_CONTACT))
		return key;
	const double most = distance_at_most(row, leaf), limit = most + WP_COMPOUND_SHARE * (sizes + most) + row->rounding;
	row->choice.limit = limit < row->choice.limit ? limit : row->choice.limit;
	return key;
}

double wp_compound_key_of_near(
	const wp_compound_call *call, wp_compound_row *row, const wp_compound_leaf leaf[2], double squared)
{
	const double sizes = sizes_of(leaf), boxes = wp_sqrt(squared);
	const double balls = wp_d3_length(wp_d3_sub(place_in_a(row, 1, origin_of(&leaf[1])), origin_of(&leaf[0]))) - sizes;
	return key_of_children(call, row, leaf, balls > boxes ? balls : boxes, sizes);
}

double wp_compound_key_of_pair(const wp_compound_call *call, wp_compound_row *row, const wp_compound_leaf leaf[2])
{
	const wp_compound_box box[2] = {leaf[0].box, leaf[1].box};
	const double sizes = sizes_of(leaf);
	if (call->query == WP_COMPOUND_CAST)
		return key_of_way(call, row, box, sizes);
	return key_of_children(call, row, leaf, height_of_box(row, &row->stand, half_space_of(row), box), sizes);
}
