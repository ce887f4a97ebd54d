/* What is proven of the answers of pairs of children, before any is asked. */
#include "compound/internal.h"
#include "core/contract.h"
#include "shape/vertices.h"

/* Share of sizes and distances that answers may be off, twice the widest bracket of the contract. */
#define SHARE (2 * WP_CONTRACT_SMOOTH_WIDE)

/* Room for rounding of a way, relative to it. */
#define WAY_ROUNDING 1e-9

/* ---- two boxes ---------------------------------------------------------------------------------- */

/* A box of a body's frame by its middle and half of its sides. */
typedef struct block {
	wp_d3 middle, half;
} block;

static block block_of(const wp_compound_box *box)
{
	double middle[3], half[3];
	for (int k = 0; k < 3; k++) {
		middle[k] = ((double)box->lower[k] + (double)box->upper[k]) / 2;
		half[k] = ((double)box->upper[k] - (double)box->lower[k]) / 2;
	}
	return (block){wp_d3_at(middle), wp_d3_at(half)};
}

static double reach_along(wp_d3 axis, wp_d3 half)
{
	return (wp_abs(axis.x) * half.x + wp_abs(axis.y) * half.y) + wp_abs(axis.z) * half.z;
}

/* The six planes of two boxes: along axis k of A and of B, how far the middle of B is from the middle of A, by how much it
 * moves, and up to which distance the boxes meet. */
typedef struct beside {
	double at[6], way[6], meet[6];
} beside;

static beside beside_of(const wp_compound_row *row, const wp_compound_box box[2])
{
	const block a = block_of(&box[0]), b = block_of(&box[1]);
	const wp_d3 from = wp_d3_sub(wp_d3_add(row->offset, wp_d33_turn(&row->turn, b.middle)), a.middle);
	double half_a[3], half_b[3];
	beside s;
	wp_d3_put(from, s.at);
	wp_d3_put(row->way, s.way);
	wp_d3_put(wp_d33_turn_back(&row->turn, from), s.at + 3);
	wp_d3_put(wp_d33_turn_back(&row->turn, row->way), s.way + 3);
	wp_d3_put(a.half, half_a);
	wp_d3_put(b.half, half_b);
	for (int k = 0; k < 3; k++) {
		s.meet[k] = half_a[k] + reach_along(row->turn.row[k], b.half);
		s.meet[k + 3] = half_b[k] + reach_along(wp_d33_axis(&row->turn, k), a.half);
	}
	return s;
}

/* How far two boxes are apart, at least: seen along the axes of either. */
static double distance_of(const beside *s)
{
	double squared[2] = {0, 0};
	for (int k = 0; k < 6; k++) {
		const double gap = wp_abs(s->at[k]) - s->meet[k];
		squared[k / 3] += gap > 0 ? gap * gap : 0;
	}
	return wp_sqrt(squared[0] > squared[1] ? squared[0] : squared[1]);
}

/* When two boxes first meet that are grown. */
static double entry_of(const beside *s, double grown)
{
	double entry = 0, exit = 1;
	for (int k = 0; k < 6; k++) {
		const double way = s->way[k], meet = s->meet[k] + grown + WAY_ROUNDING * wp_abs(way);
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

static bool is_half_space(const wp_compound_side *side)
{
	return side->compound == NULL && side->core->kind == WP_CORE_HALF_SPACE;
}

/* Which side is one; 2: none. */
static int half_space_of(const wp_compound_row *row)
{
	return is_half_space(&row->side[0]) ? 0 : is_half_space(&row->side[1]) ? 1 : 2;
}

/* The normal of a half-space in the frame of A. */
static wp_d3 up_of(const wp_compound_row *row, int space)
{
	return space == 0 ? wp_d3_of(0, 1, 0) : wp_d33_axis(&row->turn, 1);
}

/* How high a place in the frame of the other body is above a half-space. */
static double height_of(const wp_compound_row *row, int space, wp_d3 place)
{
	const wp_d3 up = up_of(row, space);
	const wp_d3 above = space == 0 ? wp_d3_add(row->offset, wp_d33_turn(&row->turn, place))
	                               : wp_d3_sub(place, row->offset);
	return wp_d3_dot(up, above) - (double)row->side[space].core->radius;
}

/* How high a box is above a half-space, by its lowest corner. */
static double height_of_box(const wp_compound_row *row, int space, const wp_compound_box box[2])
{
	const block other = block_of(&box[1 - space]);
	const wp_d3 up = up_of(row, space);
	const wp_d3 axis = space == 0 ? wp_d33_turn_back(&row->turn, up) : up;
	return height_of(row, space, other.middle) - reach_along(axis, other.half);
}

/* When a box that moves straight first comes to the plane. */
static double entry_of_plane(const wp_compound_row *row, int space, const wp_compound_box box[2], double grown)
{
	const double along = wp_d3_dot(up_of(row, space), row->way), rising = space == 0 ? along : -along;
	const double height = height_of_box(row, space, box) - (grown + WAY_ROUNDING * wp_abs(rising));
	if (!(height > 0))
		return 0;
	return rising < 0 ? height / -rising : (double)WP_INFINITY;
}

/* ---- keys --------------------------------------------------------------------------------------- */

/* A proven distance, less what answers may be off. */
static double key_of_distance(const wp_compound_call *call, double distance, double sizes)
{
	const double key = distance - SHARE * (sizes + distance);
	if (call->query == WP_COMPOUND_OVERLAP)
		return key > 0 ? (double)WP_INFINITY : 0;
	return key > 0 ? key : 0;
}

/* Rounded down as fractions are. */
static double key_of_entry(double entry) { return entry <= 1 ? (double)wp_round_down(entry) : (double)WP_INFINITY; }

/* When two boxes meet at the soonest, sizes grown by what answers may be off. */
static double key_of_way(const wp_compound_row *row, const wp_compound_box box[2], double sizes)
{
	const double grown = SHARE * sizes;
	const int space = half_space_of(row);
	if (space == 2) {
		const beside s = beside_of(row, box);
		return key_of_entry(entry_of(&s, grown));
	}
	return row->side[space].turns ? 0 : key_of_entry(entry_of_plane(row, space, box, grown));
}

double wp_compound_key_of_boxes(const wp_compound_call *call, const wp_compound_row *row, const wp_compound_box box[2])
{
	const double sizes = row->side[0].reach + row->side[1].reach;
	if (call->query == WP_COMPOUND_CAST)
		return key_of_way(row, box, sizes);
	const int space = half_space_of(row);
	if (space != 2)
		return key_of_distance(call, height_of_box(row, space, box), sizes);
	const beside s = beside_of(row, box);
	return key_of_distance(call, distance_of(&s), sizes);
}

/* ---- pairs of children -------------------------------------------------------------------------- */

/* A place in the frame of a leaf's shape, in the frame of its body. */
static wp_d3 place_in_body(const wp_compound_leaf *leaf, wp_d3 place)
{
	if (leaf->child == NULL)
		return place;
	const float *const p = leaf->child->position;
	return wp_d3_add(wp_d3_of((double)p[0], (double)p[1], (double)p[2]),
		wp_dq_turn(wp_dq_of_rotation(leaf->child->rotation), place));
}

/* A place that a leaf's core surely holds, in the frame of its body. False where none is known. */
static bool place_inside(const wp_compound_leaf *leaf, wp_d3 *place)
{
	const wp_core *const core = leaf->core;
	if (core->kind == WP_CORE_CUSTOM)
		return false;
	*place = place_in_body(leaf, core->kind == WP_CORE_HULL ? wp_core_vertex(core, 0) : wp_d3_zero());
	return true;
}

/* How far two children are apart at most. */
static double distance_at_most(const wp_compound_row *row, const wp_compound_leaf leaf[2])
{
	const int space = half_space_of(row);
	const double radii = (double)leaf[0].core->radius + (double)leaf[1].core->radius;
	wp_d3 place[2];
	double most = (double)WP_INFINITY;
	if (space != 2 && place_inside(&leaf[1 - space], &place[1 - space]))
		most = height_of(row, space, place[1 - space]) - (double)leaf[1 - space].core->radius;
	else if (space == 2 && place_inside(&leaf[0], &place[0]) && place_inside(&leaf[1], &place[1]))
		most = wp_d3_length(wp_d3_sub(wp_d3_add(row->offset, wp_d33_turn(&row->turn, place[1])), place[0])) - radii;
	return most > 0 ? most : 0;
}

static double size_of(const wp_core *core) { return (double)core->bound + (double)core->radius; }

/* How far the balls about the origins of two children are apart. */
static double gap_of_balls(const wp_compound_row *row, const wp_compound_leaf leaf[2], double sizes)
{
	const wp_d3 a = place_in_body(&leaf[0], wp_d3_zero()), b = place_in_body(&leaf[1], wp_d3_zero());
	return wp_d3_length(wp_d3_sub(wp_d3_add(row->offset, wp_d33_turn(&row->turn, b)), a)) - sizes;
}

double wp_compound_key_of_pair(const wp_compound_call *call, wp_compound_row *row, const wp_compound_leaf leaf[2])
{
	const wp_compound_box box[2] = {leaf[0].box, leaf[1].box};
	const double sizes = size_of(leaf[0].core) + size_of(leaf[1].core);
	if (call->query == WP_COMPOUND_CAST)
		return key_of_way(row, box, sizes);
	const int space = half_space_of(row);
	double least;
	if (space != 2) {
		least = height_of_box(row, space, box);
	} else {
		const beside s = beside_of(row, box);
		const double boxes = distance_of(&s), balls = gap_of_balls(row, leaf, sizes);
		least = balls > boxes ? balls : boxes;
	}
	const double key = key_of_distance(call, least, sizes);
	if (key > row->limit || (call->query != WP_COMPOUND_DISTANCE && call->query != WP_COMPOUND_CONTACT))
		return key;
	const double most = distance_at_most(row, leaf), limit = most + SHARE * (sizes + most);
	row->limit = limit < row->limit ? limit : row->limit;
	return key;
}
