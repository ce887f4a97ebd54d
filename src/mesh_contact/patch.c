/* The points of a row, merged by normal.
 *
 * Triangles come in an order that another tree changes, as many as there are; the patches of a row follow from the set of its
 * contacts, in whatever order they came. First each contact goes into the cell of its normal, of cells that are fixed in the
 * mesh's axes. What a cell keeps does not depend on the order: the deepest contact is its lead, and of its points see reduce.c.
 * If there are more cells than places, those with the deepest leads stay: the lead of such a cell finds a place whenever it
 * comes, and stays, since there are fewer deeper ones than places. Contacts that are less deep than the first lead without a
 * place may have come while their cell had none, in some orders, but no others: so of such a row they are left out. When all
 * have come, cells are merged, the deepest first, since a boundary between cells may go through a floor. */
#include "mesh_contact/internal.h"

/* Cells whose leads have normals that differ by less make a patch. */
#define PATCH_SAME (WP_RULE_SAME / 2)

/* Of the body's size: by how much a body may be deeper behind a plane than the contact there, for that to limit others. */
#define LIMIT_SLACK 1e-4

/* Cosine of the angle between normals up to which a contact limits none of the other: 25 degrees. */
#define LIMIT_COSINE 0.9

/* Of the body's size: by how much a contact overlaps that is not there for the rounding of others. */
#define LAST_SLACK 1e-5

/* Of L: how much less deep than a contact its points may be. Where they are chosen, the first one may be less deep than all by
 * 5e-6 of the body's size; both together are what a patch promises, 1e-5. */
#define POINTS_AS_DEEP 4e-6

/* Of L: by how much witness points may miss each other along the normal. */
#define STRAIGHT 4e-6

/* Points of a candidate: its own, and a witness point besides. */
#define SPOT_MAX (WP_TOUCH_PLACES + 1)

_Static_assert(WP_MANIFOLD_POINT_MAX <= WP_TOUCH_PLACES, "any candidate's");

/* Bits of contacts that are told of rows. */
#define STATUS_TOLD \
	(WP_STATUS_STRONG | WP_STATUS_ITERATION_CAP | WP_STATUS_CAPACITY | WP_STATUS_DEGENERATE | WP_STATUS_WIDE_BRACKET)

void wp_mesh_begin_patches(wp_mesh_memory *memory)
{
	for (int k = 0; k < 2; k++) {
		memory->cells[k].count = 0;
		memory->cells[k].over = WP_INFINITY;
	}
	memory->triangle_count = memory->passed_count = memory->status = memory->patch_count = 0;
	memory->has_last = memory->overlaps = memory->touches = false;
}

/* ---- the points of a candidate ------------------------------------------------------------------ */

/* L of a candidate. */
static double length_of(const wp_mesh_memory *memory, const wp_mesh_row *row, uint32_t candidate)
{
	const double bound = (double)memory->core[candidate].bound;
	return row->reach > bound ? row->reach : bound;
}

/* Make witness points that miss each other straight along their normal: kernels promise less of smooth bodies than of points. */
static void straighten(const wp_mesh_memory *memory, const wp_mesh_row *row, uint32_t candidate, wp_mesh_spot *spot)
{
	const wp_mesh_candidate *const c = &memory->candidate[candidate];
	const double least = STRAIGHT * length_of(memory, row, candidate);
	if (!c->is_answered && (double)c->miss2 > least * least)
		(void)wp_mesh_find_lowest(row, c, &c->found, spot);
}

/* The witness points of the contact as it was. */
static void take_witness(const wp_mesh_memory *memory, const wp_mesh_row *row, uint32_t candidate, wp_mesh_spot *spot)
{
	const wp_mesh_candidate *const c = &memory->candidate[candidate];
	spot->at = c->witness;
	memcpy(spot->local, c->witness_local, sizeof spot->local);
	spot->slant = wp_mesh_slant_of(c->face);
	spot->separation = c->separation;
	spot->triangle = c->triangle;
	spot->feature_a = spot->feature_b = WP_FEATURE_FACE;
	straighten(memory, row, candidate, spot);
}

/* Of a box that has the triangle's normal the deepest point is the witness, which hardly any contact needs. */
static void find_witness_of_face(const wp_mesh_row *row, const wp_mesh_points *points, wp_mesh_candidate *c)
{
	const wp_mesh_touch_point *deepest = &points->touch[0];
	for (uint32_t i = 1; i < points->count; i++)
		deepest = points->touch[i].separation < deepest->separation ? &points->touch[i] : deepest;
	memcpy(c->witness_local, deepest->local, sizeof c->witness_local);
	c->witness = wp_d33_turn(&row->axes, wp_d3_of_floats(c->witness_local));
}

/* Whether points that kernels made of a contact as it is are less deep than that is: the faces of manifolds are alike those that
 * face each other most. */
static bool lacks_witness(
	const wp_mesh_memory *memory, const wp_mesh_row *row, uint32_t candidate, const wp_mesh_spot *spot, uint32_t count)
{
	const wp_mesh_candidate *const c = &memory->candidate[candidate];
	if (c->is_answered || c->outcome != WP_MESH_KEPT)
		return false;
	return !(
		wp_mesh_least_separation(spot, count) <= c->separation + POINTS_AS_DEEP * length_of(memory, row, candidate));
}

/* Its own points, of the manifold that kernels made, or that a closed form found: up to max_separation, along the triangle's
 * normal where the contact has that, and its witness if they are less deep. The witness of another triangle is none. */
static uint32_t take_points(const wp_mesh_memory *memory, const wp_mesh_row *row, uint32_t candidate,
	double max_separation, wp_mesh_spot spot[SPOT_MAX])
{
	const wp_mesh_candidate *const c = &memory->candidate[candidate];
	const wp_mesh_points *const points = &memory->points[candidate];
	const bool is_face = c->outcome == WP_MESH_FACE;
	uint32_t count = 0;
	for (uint32_t i = 0; i < points->count; i++) {
		const wp_mesh_touch_point *const touch = &points->touch[i];
		const wp_manifold_point *const made = &points->manifold[i];
		const float *const local = c->is_answered ? touch->local : made->local_a;
		const bool is_witness = !c->is_answered && made->feature_a == WP_FEATURE_FACE &&
		                        made->feature_b == WP_FEATURE_FACE;
		const wp_d3 place = wp_d3_of_floats(local);
		wp_mesh_spot *const to = &spot[count];
		to->feature_a = c->is_answered ? touch->feature_a : made->feature_a;
		to->feature_b = c->is_answered ? touch->feature_b : made->feature_b;
		if (is_witness && is_face && !c->witness_is_above)
			continue;
		to->at = c->is_answered ? wp_d33_turn(&row->axes, place) : wp_dq_turn(row->body_turn, place);
		memcpy(to->local, local, sizeof to->local);
		to->separation = is_face ? wp_d3_dot(c->face, wp_d3_sub(to->at, c->corner[0]))
		                         : (double)(c->is_answered ? touch->separation : made->separation);
		to->triangle = c->triangle;
		to->slant = wp_mesh_slant_of(c->face);
		if (is_witness && !is_face)
			straighten(memory, row, candidate, to);
		count += to->separation <= max_separation;
	}
	if ((c->has_witness && !c->witness_is_above) || lacks_witness(memory, row, candidate, spot, count))
		take_witness(memory, row, candidate, &spot[count++]);
	return count;
}

/* ---- cells -------------------------------------------------------------------------------------- */

static void begin_patch(wp_mesh_patch_spots *patch, uint64_t cell)
{
	patch->lead.separation = (double)WP_INFINITY;
	patch->cell = cell;
	patch->count = 0;
	patch->is_wide = false;
}

/* The cell with the least deep lead. */
static wp_mesh_patch_spots *last_of(wp_mesh_cells *cells, const wp_mesh_row *row)
{
	wp_mesh_patch_spots *last = &cells->patch[0];
	for (uint32_t i = 1; i < cells->count; i++)
		last = wp_mesh_is_first(row, &last->lead, &cells->patch[i].lead) ? &cells->patch[i] : last;
	return last;
}

/* The place of a contact in the cell of its normal: one that is there, a new one, or the place of the last cell if this contact
 * is deeper; NULL: all are deeper. */
static wp_mesh_patch_spots *place_in(wp_mesh_cells *cells, const wp_mesh_row *row, const wp_mesh_lead *lead)
{
	const uint64_t cell = wp_mesh_cell_of(lead->normal);
	for (uint32_t i = 0; i < cells->count; i++)
		if (cells->patch[i].cell == cell)
			return &cells->patch[i];
	wp_mesh_patch_spots *place = &cells->patch[cells->count];
	if (cells->count < WP_MESH_CELLS) {
		cells->count++;
	} else {
		place = last_of(cells, row);
		const bool is_deeper = wp_mesh_is_first(row, lead, &place->lead);
		const float over = (float)(is_deeper ? place->lead.separation : lead->separation);
		cells->over = over < cells->over ? over : cells->over;
		if (!is_deeper)
			return NULL;
	}
	begin_patch(place, cell);
	return place;
}

/* Add the spots of a contact, or of a child's patch. */
static void add_patch(
	wp_mesh_cells *cells, const wp_mesh_row *row, const wp_mesh_lead *lead, const wp_mesh_spot *spot, uint32_t count)
{
	wp_mesh_patch_spots *const patch = place_in(cells, row, lead);
	if (patch != NULL)
		wp_mesh_add_spots(patch, row, spot, count, wp_mesh_is_first(row, lead, &patch->lead) ? lead : NULL);
}

static void add_contact(
	wp_mesh_cells *cells, const wp_mesh_row *row, const wp_mesh_lead *lead, wp_mesh_spot *spot, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		spot[i].contact = (float)lead->separation;
	add_patch(cells, row, lead, spot, count);
}

/* Whether a contact pushes the body towards the front of its triangle. */
static bool is_from_front(const wp_mesh_candidate *c) { return !(wp_d3_dot(c->found, c->face) < 0); }

/* Whether a contact overlaps by more than rounding. */
static bool overlaps(const wp_mesh_candidate *c, const wp_mesh_row *row)
{
	return c->separation < -LAST_SLACK * row->reach;
}

/* Whether a contact is across a gap by more than rounding. */
static bool is_gap(const wp_mesh_candidate *c, const wp_mesh_row *row)
{
	return c->separation > LAST_SLACK * row->reach;
}

/* Whether a point is behind a triangle. Of one that the body does not touch it passes its border, unless the body came through
 * another one. */
static bool is_behind(const wp_mesh_spot *spot, const wp_mesh_row *row)
{
	return spot->separation < -LAST_SLACK * row->reach;
}

uint32_t wp_mesh_note_points(wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c,
	const wp_mesh_spot *spot, uint32_t count)
{
	const bool touches = !is_gap(c, row);
	bool passes = count != 0 && c->is_turned && !touches;
	for (uint32_t i = 0; i < count; i++)
		passes &= is_behind(&spot[i], row);
	memory->touches |= touches;
	memory->passed_count += passes;
	return passes ? 0 : count;
}

static wp_mesh_lead lead_of(const wp_mesh_candidate *c)
{
	return (wp_mesh_lead){c->found, c->separation, c->triangle, wp_mesh_slant_of(c->face)};
}

bool wp_mesh_may_be_last(const wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c,
	const wp_mesh_spot *spot, uint32_t count)
{
	const wp_mesh_candidate *const last = &memory->last_of;
	if (memory->overlaps || c->outcome != WP_MESH_FACE || (count != 0 && !overlaps(c, row)))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (spot[i].separation <= 0)
			return false;
	if (!memory->has_last)
		return true;
	if (overlaps(c, row) != overlaps(last, row))
		return overlaps(c, row);
	if (is_from_front(c) != is_from_front(last))
		return is_from_front(c);
	const wp_mesh_lead lead = lead_of(c), other = lead_of(last);
	return wp_mesh_is_first(row, &lead, &other);
}

void wp_mesh_keep_last(wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c,
	const wp_mesh_spot *witness, bool has_points)
{
	const wp_mesh_stay stay = is_from_front(c) ? WP_MESH_STAYS : wp_mesh_stay_of(memory, row, c);
	if (stay == WP_MESH_GOES)
		return;
	memory->has_last = true;
	memory->last_has_points = has_points;
	memory->last_stay = stay;
	memory->last_of = *c;
	memory->last = *witness;
}

void wp_mesh_add_contact(
	wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c, wp_mesh_spot *spot, uint32_t count)
{
	memory->triangle_count++;
	memory->status |= c->status & STATUS_TOLD;
	/* The contact's separation is nearer to the truth than points are; along the triangle's normal they are exact. */
	const double separation = c->outcome == WP_MESH_KEPT ? c->separation : wp_mesh_least_separation(spot, count);
	const wp_mesh_lead lead = {c->normal, separation, spot->triangle, spot->slant};
	memory->overlaps |= !c->is_turned && separation <= 0;
	add_contact(&memory->cells[c->is_turned], row, &lead, spot, count);
}

bool wp_mesh_collect(wp_mesh_memory *memory, const wp_mesh_row *row, uint32_t candidate, double max_separation)
{
	wp_mesh_candidate *const c = &memory->candidate[candidate];
	if ((c->status & WP_STATUS_INVALID) != 0)
		memory->status |= WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_B;
	if (c->outcome == WP_MESH_APART)
		return false;
	wp_mesh_spot spot[SPOT_MAX];
	const uint32_t count = take_points(memory, row, candidate, max_separation, spot);
	if (count != 0)
		wp_mesh_add_contact(memory, row, c, spot, count);
	const uint32_t sound = wp_mesh_note_points(memory, row, c, spot, count);
	if (wp_mesh_may_be_last(memory, row, c, spot, sound)) {
		if (c->is_answered && c->is_face)
			find_witness_of_face(row, &memory->points[candidate], c);
		take_witness(memory, row, candidate, &spot[0]);
		wp_mesh_keep_last(memory, row, c, &spot[0], sound != 0);
	}
	return count != 0;
}

/* ---- turned contacts ---------------------------------------------------------------------------- */

/* A plane that the body is behind by no more than the separation of the contact that has it. */
typedef struct limit {
	wp_d3 normal;
	double place; /* along it */
} limit;

/* How far along its normal the triangles of a patch are: the farthest of its points on them, in whatever order they came. */
static double highest_place(const wp_mesh_patch_spots *patch)
{
	double most = -(double)WP_INFINITY;
	for (uint32_t i = 0; i < patch->count; i++) {
		const double place = wp_d3_dot(patch->lead.normal, patch->spot[i].at) - patch->spot[i].separation;
		most = place > most ? place : most;
	}
	return most;
}

/* The planes of contacts that hold the whole body: its lowest point along the normal is no deeper than the contact. */
static uint32_t find_limits(const wp_mesh_cells *cells, const wp_mesh_row *row, limit limits[WP_MESH_CELLS])
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < cells->count; i++) {
		const wp_mesh_patch_spots *const patch = &cells->patch[i];
		const wp_d3 lowest = wp_mesh_support(row, wp_d3_negate(patch->lead.normal));
		const double place = highest_place(patch);
		if (wp_d3_dot(patch->lead.normal, lowest) - place >= patch->lead.separation - LIMIT_SLACK * row->reach)
			limits[count++] = (limit){patch->lead.normal, place};
	}
	return count;
}

/* Whether a spot along `normal` is behind a plane at an angle to it. */
static bool is_void(
	const wp_mesh_spot *spot, const wp_d3 *normal, const limit *limits, uint32_t limit_count, double reach)
{
	for (uint32_t i = 0; i < limit_count; i++)
		if (wp_d3_dot(limits[i].normal, *normal) < LIMIT_COSINE &&
			wp_d3_dot(limits[i].normal, spot->at) - limits[i].place <= WP_MESH_SPOT_APART * reach)
			return true;
	return false;
}

/* Leave out of turned contacts what is only as deep as it is since the body overlaps something else: beside a kerb that a body
 * touches with its side, what of it lies above the kerb, by no more than that overlap, would be as deep as the kerb is high.
 * Where normals are near each other the depths are, too: by one over their cosine. And of a body that touches no triangle what
 * is behind one: it passes the border. */
static void leave_void(wp_mesh_memory *memory, const wp_mesh_row *row)
{
	limit limits[WP_MESH_CELLS];
	wp_mesh_cells *const turned = &memory->cells[1];
	if (turned->count == 0)
		return;
	const uint32_t limit_count = find_limits(&memory->cells[0], row, limits);
	memory->triangle_count -= memory->touches ? 0 : memory->passed_count;
	for (uint32_t i = 0; i < turned->count; i++) {
		wp_mesh_patch_spots *const patch = &turned->patch[i];
		uint32_t left = 0;
		for (uint32_t k = 0; k < patch->count; k++)
			if (!is_void(&patch->spot[k], &patch->lead.normal, limits, limit_count, row->reach) &&
				(memory->touches || !is_behind(&patch->spot[k], row)))
				memmove(&patch->spot[left++], &patch->spot[k], sizeof patch->spot[k]);
		if (left == patch->count)
			continue;
		patch->count = left;
		patch->is_wide = false;
		patch->lead.separation = wp_mesh_least_separation(patch->spot, left);
	}
}

/* Whether a row needs a contact that has no point: no other overlaps while that one does, or there is none at all. */
static bool needs_last(const wp_mesh_memory *memory, const wp_mesh_row *row)
{
	bool any = memory->overlaps;
	for (uint32_t i = 0; i < memory->cells[1].count; i++)
		any |= memory->cells[1].patch[i].lead.separation <= 0;
	return memory->has_last && !any && (memory->triangle_count == 0 || overlaps(&memory->last_of, row));
}

/* Let the contact that stays have the triangle's normal, and the body's lowest point along it there. False where it has none. */
static bool turn_last(wp_mesh_memory *memory, const wp_mesh_row *row)
{
	wp_mesh_candidate *const c = &memory->last_of;
	wp_mesh_spot spot = memory->last;
	if (!wp_mesh_find_lowest(row, c, &c->face, &spot) || !(spot.separation < 0))
		return false;
	c->found = c->face;
	memory->last = spot;
	return true;
}

/* A row whose contacts all lean towards triangles that have none, or come from behind a border, keeps one: the body is so deep
 * that its centre is behind those, or that it is below those without touching them, or it is beside the border. */
static void use_last(wp_mesh_memory *memory, const wp_mesh_row *row)
{
	if (!needs_last(memory, row))
		return;
	const bool is_front = is_from_front(&memory->last_of);
	const bool turns = is_front ? wp_mesh_is_below_neighbours(row, &memory->last_of)
	                            : memory->last_stay == WP_MESH_STAYS_ABOVE;
	if (turns && !turn_last(memory, row) && !is_front)
		return;
	memory->triangle_count += !memory->last_has_points;
	memory->status |= memory->last_of.status & STATUS_TOLD;
	wp_mesh_lead lead = lead_of(&memory->last_of);
	lead.separation = memory->last.separation;
	add_contact(&memory->cells[0], row, &lead, &memory->last, 1);
}

/* ---- patches ------------------------------------------------------------------------------------ */

/* Add a patch to a list, the deepest first. */
static void put_in_order(wp_mesh_patch_spots **list, uint32_t count, const wp_mesh_row *row, wp_mesh_patch_spots *patch)
{
	for (; count > 0 && wp_mesh_is_first(row, &patch->lead, &list[count - 1]->lead); count--)
		list[count] = list[count - 1];
	list[count] = patch;
}

static bool is_same_normal(const wp_d3 *a, const wp_d3 *b)
{
	const wp_d3 off = wp_d3_sub(*a, *b);
	return wp_d3_dot(off, off) < PATCH_SAME * PATCH_SAME;
}

void wp_mesh_merge_cells(wp_mesh_memory *memory, const wp_mesh_row *row, wp_mesh_cells *cells, const wp_mesh_cells *end)
{
	wp_mesh_patch_spots *list[2 * WP_MESH_CELLS];
	uint32_t count = 0, made = 0;
	for (; cells < end; cells++)
		for (uint32_t i = 0; i < cells->count; i++)
			if (cells->patch[i].count != 0)
				put_in_order(list, count++, row, &cells->patch[i]);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t k = 0;
		while (k < made && !is_same_normal(&memory->patch[k]->lead.normal, &list[i]->lead.normal))
			k++;
		if (k < made)
			wp_mesh_add_spots(memory->patch[k], row, list[i]->spot, list[i]->count, NULL);
		else if (k < WP_MESH_PATCH_MAX)
			memory->patch[made++] = list[i];
	}
	memory->patch_count = made;
}

void wp_mesh_finish_patches(wp_mesh_memory *memory, const wp_mesh_row *row)
{
	for (wp_mesh_cells *cells = memory->cells; cells < memory->cells + 2; cells++)
		for (uint32_t i = 0; i < cells->count && cells->over < WP_INFINITY; i++)
			wp_mesh_leave_deepest(&cells->patch[i], row, cells->over);
	leave_void(memory, row);
	use_last(memory, row);
	wp_mesh_merge_cells(memory, row, memory->cells, memory->cells + 2);
}

/* ---- compounds ---------------------------------------------------------------------------------- */

/* Make a spot of a child one of its body: places from the body's origin on. */
static void give_to_body(const wp_mesh_memory *memory, const wp_mesh_row *child, wp_mesh_spot *spot)
{
	const float *const p = child->part->position;
	const wp_d3 local = wp_dq_turn(wp_dq_of_rotation(child->part->rotation), wp_d3_of_floats(spot->local));
	spot->at = wp_d3_add(spot->at, wp_d3_sub(child->origin, memory->whole[child->whole].origin));
	wp_d3_put_floats(wp_d3_add(wp_d3_of_floats(p), local), spot->local);
	spot->child = child->child;
}

void wp_mesh_gather_patches(wp_mesh_memory *memory, const wp_mesh_row *child)
{
	wp_mesh_whole *const whole = &memory->whole[child->whole];
	wp_mesh_row row = *child;
	row.reach = whole->reach;
	whole->mesh = child->mesh;
	whole->field = child->field;
	memory->gathered_status |= memory->status;
	memory->gathered_count += memory->triangle_count;
	for (uint32_t i = 0; i < memory->patch_count; i++) {
		wp_mesh_patch_spots *const patch = memory->patch[i];
		for (uint32_t k = 0; k < patch->count; k++)
			give_to_body(memory, child, &patch->spot[k]);
		patch->lead.triangle = WP_MESH_MISS;
		add_patch(&memory->gathered, &row, &patch->lead, patch->spot, patch->count);
	}
}
