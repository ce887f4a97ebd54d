/* The points of a row, merged by normal and reduced. */
#include "mesh_contact/internal.h"

/* Normals that differ from the first one of a patch by less are in it: so no two in it differ by more than WP_RULE_SAME. */
#define PATCH_SAME (WP_RULE_SAME / 2)

/* Points nearer than this share of the body's size are one. */
#define SPOT_APART 1e-5

/* Of the body's size: points that are deeper by no more are as deep. */
#define SPOT_ALIKE 5e-6

/* Of the body's size: by how much a body may be deeper behind a plane than the contact there, for that to limit others. */
#define LIMIT_SLACK 1e-4

/* Cosine of the angle between normals up to which a contact limits none of the other: 25 degrees. */
#define LIMIT_COSINE 0.9

/* Of the body's size: by how much a contact overlaps that is not there for the rounding of others. */
#define LAST_SLACK 1e-5

/* Points of a candidate: its own, and a witness point besides. */
#define SPOT_MAX (WP_TOUCH_PLACES + 1)

_Static_assert(WP_MANIFOLD_POINT_MAX <= WP_TOUCH_PLACES, "any candidate's");

/* Bits of contacts that are told of rows. */
#define STATUS_TOLD \
	(WP_STATUS_STRONG | WP_STATUS_ITERATION_CAP | WP_STATUS_CAPACITY | WP_STATUS_DEGENERATE | WP_STATUS_WIDE_BRACKET)

void wp_mesh_begin_patches(wp_mesh_memory *memory)
{
	memory->patches.count = memory->turned.count = memory->triangle_count = 0;
	memory->status = 0;
	memory->has_last = false;
}

/* ---- the points of a candidate ------------------------------------------------------------------ */

/* A point of a candidate as a spot. False where it is beyond max_separation: along the triangle's normal where the contact has
 * that. */
static bool put_spot(const wp_mesh_candidate *c, wp_d3 at, const float local[3], float separation,
	const uint32_t feature[2], double max_separation, wp_mesh_spot *spot)
{
	spot->at = at;
	memcpy(spot->local, local, sizeof spot->local);
	spot->separation = c->outcome == WP_MESH_FACE ? wp_d3_dot(c->face, wp_d3_sub(at, c->corner[0]))
	                                              : (double)separation;
	spot->triangle = c->triangle;
	spot->feature_a = feature[0];
	spot->feature_b = feature[1];
	return spot->separation <= max_separation;
}

/* A point of the manifold that kernels made. The witness of another triangle is none. */
static bool take_point(const wp_mesh_row *row, const wp_mesh_candidate *c, const wp_manifold_point *point,
	double max_separation, wp_mesh_spot *spot)
{
	const bool is_witness = point->feature_a == WP_FEATURE_FACE && point->feature_b == WP_FEATURE_FACE;
	if (c->outcome == WP_MESH_FACE && is_witness && !c->witness_is_above)
		return false;
	const wp_d3 at = wp_dq_turn(row->body_turn, wp_d3_of_floats(point->local_a));
	return put_spot(c, at, point->local_a, point->separation, (const uint32_t[2]){point->feature_a, point->feature_b},
		max_separation, spot);
}

/* A point that a closed form found. */
static bool take_touch_point(const wp_mesh_row *row, const wp_mesh_candidate *c, const wp_mesh_touch_point *point,
	double max_separation, wp_mesh_spot *spot)
{
	const wp_d3 at = wp_d33_turn(&row->axes, wp_d3_of_floats(point->local));
	return put_spot(c, at, point->local, point->separation, (const uint32_t[2]){point->feature_a, point->feature_b},
		max_separation, spot);
}

/* The witness points of the contact as it was. */
static void take_witness(const wp_mesh_candidate *c, wp_mesh_spot *spot)
{
	spot->at = c->witness;
	memcpy(spot->local, c->witness_local, sizeof spot->local);
	spot->separation = c->separation;
	spot->triangle = c->triangle;
	spot->feature_a = spot->feature_b = WP_FEATURE_FACE;
}

static uint32_t take_points(const wp_mesh_memory *memory, const wp_mesh_row *row, uint32_t candidate,
	double max_separation, wp_mesh_spot spot[SPOT_MAX])
{
	const wp_mesh_candidate *const c = &memory->candidate[candidate];
	const wp_mesh_points *const points = &memory->points[candidate];
	uint32_t count = 0;
	for (uint32_t i = 0; i < points->count; i++)
		count += c->is_answered ? take_touch_point(row, c, &points->touch[i], max_separation, &spot[count])
		                        : take_point(row, c, &points->manifold[i], max_separation, &spot[count]);
	if (c->has_witness && !c->witness_is_above)
		take_witness(c, &spot[count++]);
	return count;
}

/* ---- reduction ---------------------------------------------------------------------------------- */

/* The spots of a patch across its normal, and which are chosen: counter-clockwise, and in the order of choice. */
typedef struct choice {
	double u[WP_MESH_SPOTS], v[WP_MESH_SPOTS];
	uint32_t polygon[WP_MESH_SPOTS], order[WP_MESH_SPOTS], count;
} choice;

/* The deepest spot; of several that are as deep within the rounding of manifolds, the farthest along a direction that is
 * fixed across the normal: a corner. */
static uint32_t deepest_of(const wp_mesh_patch_spots *patch, const choice *c, double reach)
{
	double least = patch->spot[0].separation;
	for (uint32_t i = 1; i < patch->count; i++)
		least = patch->spot[i].separation < least ? patch->spot[i].separation : least;
	uint32_t best = 0;
	double most = -(double)WP_INFINITY;
	for (uint32_t i = 0; i < patch->count; i++) {
		const double sideways = 0.8 * c->u[i] + 0.6 * c->v[i];
		if (patch->spot[i].separation <= least + SPOT_ALIKE * reach && sideways > most) {
			most = sideways;
			best = i;
		}
	}
	return best;
}

/* Put a spot behind corner `place` of the polygon. */
static void choose(choice *c, uint32_t spot, uint32_t place)
{
	for (uint32_t k = c->count; k > place; k--)
		c->polygon[k] = c->polygon[k - 1];
	c->polygon[place] = spot;
	c->order[c->count++] = spot;
}

/* Twice the area of a spot's triangle with an edge of the polygon, positive outside. */
static double area_beyond(const choice *c, uint32_t spot, uint32_t edge)
{
	const uint32_t a = c->polygon[edge], b = c->polygon[edge + 1 < c->count ? edge + 1 : 0];
	return (c->u[spot] - c->u[a]) * (c->v[b] - c->v[a]) - (c->v[spot] - c->v[a]) * (c->u[b] - c->u[a]);
}

static double distance2(const choice *c, uint32_t a, uint32_t b)
{
	const double u = c->u[a] - c->u[b], v = c->v[a] - c->v[b];
	return u * u + v * v;
}

/* The farthest spot from the first. False where all are there. */
static bool choose_farthest(const wp_mesh_patch_spots *patch, double apart, choice *c)
{
	uint32_t best = 0;
	double most = apart * apart;
	bool has_any = false;
	for (uint32_t i = 0; i < patch->count; i++) {
		const double away = distance2(c, i, c->polygon[0]);
		if (away > most) {
			most = away;
			best = i;
			has_any = true;
		}
	}
	if (has_any)
		choose(c, best, 1);
	return has_any;
}

/* The spot that adds most to the area. False where none does. */
static bool choose_widest(const wp_mesh_patch_spots *patch, double least, choice *c)
{
	uint32_t best = 0, place = 0;
	double most = least;
	for (uint32_t i = 0; i < patch->count; i++) {
		for (uint32_t edge = 0; edge < c->count; edge++) {
			const double area = area_beyond(c, i, edge);
			if (area > most) {
				most = area;
				best = i;
				place = edge + 1;
			}
		}
	}
	if (place == 0)
		return false;
	choose(c, best, place);
	return true;
}

void wp_mesh_reduce(wp_mesh_patch_spots *patch, uint32_t most, double reach)
{
	choice c;
	if (patch->count == 1)
		return;
	const wp_d3 u = wp_d3_across(patch->normal), v = wp_d3_cross(patch->normal, u);
	for (uint32_t i = 0; i < patch->count; i++) {
		c.u[i] = wp_d3_dot(u, patch->spot[i].at);
		c.v[i] = wp_d3_dot(v, patch->spot[i].at);
	}
	c.count = 0;
	choose(&c, deepest_of(patch, &c, reach), 0);
	const double apart = SPOT_APART * reach;
	if (most > 1 && choose_farthest(patch, apart, &c)) {
		const double span = wp_sqrt(distance2(&c, c.polygon[0], c.polygon[1]));
		while (c.count < most && choose_widest(patch, apart * span, &c))
			;
	}
	wp_mesh_spot kept[WP_MESH_SPOTS];
	for (uint32_t i = 0; i < c.count; i++)
		kept[i] = patch->spot[c.order[i]];
	memcpy(patch->spot, kept, c.count * sizeof *kept);
	patch->count = c.count;
}

/* ---- patches ------------------------------------------------------------------------------------ */

/* Add a spot, or let it take the place of one that is there already. */
static void add_spot(wp_mesh_patch_spots *patch, const wp_mesh_spot *spot, double reach)
{
	const double apart = SPOT_APART * reach;
	for (uint32_t i = 0; i < patch->count; i++) {
		const wp_d3 away = wp_d3_sub(patch->spot[i].at, spot->at);
		if (!(wp_d3_dot(away, away) < apart * apart))
			continue;
		if (spot->separation < patch->spot[i].separation)
			patch->spot[i] = *spot;
		return;
	}
	if (patch->count == WP_MESH_SPOTS)
		wp_mesh_reduce(patch, WP_MESH_SPOTS / 2, reach);
	patch->spot[patch->count++] = *spot;
}

/* The patch for a normal: one that has it, a new one, or the one with the least depth where that is less than `separation`
 * has; NULL: all are deeper. */
static wp_mesh_patch_spots *patch_for(wp_mesh_patches *patches, wp_d3 normal, double separation)
{
	wp_mesh_patch_spots *least = &patches->patch[0];
	for (uint32_t i = 0; i < patches->count; i++) {
		wp_mesh_patch_spots *const patch = &patches->patch[i];
		const wp_d3 off = wp_d3_sub(patch->first_normal, normal);
		if (wp_d3_dot(off, off) < PATCH_SAME * PATCH_SAME)
			return patch;
		least = patch->separation > least->separation ? patch : least;
	}
	if (patches->count < WP_MESH_PATCH_MAX)
		least = &patches->patch[patches->count++];
	else if (!(separation < least->separation))
		return NULL;
	least->first_normal = least->normal = normal;
	least->separation = (double)WP_INFINITY;
	least->count = 0;
	return least;
}

/* Add spots of one normal and their separation to the patch for them. */
static void add_spots(
	wp_mesh_patches *patches, wp_d3 normal, double separation, double reach, const wp_mesh_spot *spot, uint32_t count)
{
	wp_mesh_patch_spots *const patch = patch_for(patches, normal, separation);
	if (patch == NULL)
		return;
	if (separation < patch->separation) {
		patch->separation = separation;
		patch->normal = normal;
	}
	for (uint32_t i = 0; i < count; i++)
		add_spot(patch, &spot[i], reach);
}

double wp_mesh_least_separation(const wp_mesh_spot *spot, uint32_t count)
{
	double least = (double)WP_INFINITY;
	for (uint32_t i = 0; i < count; i++)
		least = spot[i].separation < least ? spot[i].separation : least;
	return least;
}

/* Whether a contact pushes the body towards the front of its triangle. */
static bool is_from_front(const wp_mesh_candidate *c) { return !(wp_d3_dot(c->found, c->face) < 0); }

/* Whether a contact overlaps by more than rounding. */
static bool overlaps(const wp_mesh_candidate *c, const wp_mesh_row *row)
{
	return c->separation < -LAST_SLACK * row->reach;
}

bool wp_mesh_may_be_last(const wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c,
	const wp_mesh_spot *spot, uint32_t count)
{
	const wp_mesh_candidate *const last = &memory->last_of;
	if (c->outcome != WP_MESH_FACE || (count != 0 && !overlaps(c, row)))
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
	return c->separation < last->separation;
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

void wp_mesh_add_contact(wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c,
	const wp_mesh_spot *spot, uint32_t count)
{
	memory->triangle_count++;
	memory->status |= c->status & STATUS_TOLD;
	/* The contact's separation is nearer to the truth than points are; along the triangle's normal they are exact. */
	const double separation = c->outcome == WP_MESH_KEPT ? c->separation : wp_mesh_least_separation(spot, count);
	add_spots(c->is_turned ? &memory->turned : &memory->patches, c->normal, separation, row->reach, spot, count);
}

bool wp_mesh_collect(wp_mesh_memory *memory, const wp_mesh_row *row, uint32_t candidate, double max_separation)
{
	const wp_mesh_candidate *const c = &memory->candidate[candidate];
	if ((c->status & WP_STATUS_INVALID) != 0)
		memory->status |= WP_STATUS_INVALID | WP_STATUS_INVALID_SHAPE_B;
	if (c->outcome == WP_MESH_APART)
		return false;
	wp_mesh_spot spot[SPOT_MAX];
	const uint32_t count = take_points(memory, row, candidate, max_separation, spot);
	if (count != 0)
		wp_mesh_add_contact(memory, row, c, spot, count);
	if (wp_mesh_may_be_last(memory, row, c, spot, count)) {
		take_witness(c, &spot[0]);
		wp_mesh_keep_last(memory, row, c, &spot[0], count != 0);
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
		const double place = wp_d3_dot(patch->normal, patch->spot[i].at) - patch->spot[i].separation;
		most = place > most ? place : most;
	}
	return most;
}

/* The planes of contacts that hold the whole body: its lowest point along the normal is no deeper than the contact. */
static uint32_t find_limits(const wp_mesh_patches *patches, const wp_mesh_row *row, limit limits[WP_MESH_PATCH_MAX])
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < patches->count; i++) {
		const wp_mesh_patch_spots *const patch = &patches->patch[i];
		const wp_d3 lowest = wp_mesh_support(row, wp_d3_negate(patch->normal));
		const double place = highest_place(patch);
		if (wp_d3_dot(patch->normal, lowest) - place >= patch->separation - LIMIT_SLACK * row->reach)
			limits[count++] = (limit){patch->normal, place};
	}
	return count;
}

/* Whether a spot along `normal` is behind a plane at an angle to it. */
static bool is_void(const wp_mesh_spot *spot, wp_d3 normal, const limit *limits, uint32_t limit_count, double reach)
{
	for (uint32_t i = 0; i < limit_count; i++)
		if (wp_d3_dot(limits[i].normal, normal) < LIMIT_COSINE &&
			wp_d3_dot(limits[i].normal, spot->at) - limits[i].place <= SPOT_APART * reach)
			return true;
	return false;
}

/* Add the turned contacts to the others, but what is only as deep as it is since the body overlaps something else: beside a
 * kerb that a body touches with its side, what of it lies above the kerb, by no more than that overlap, would be as deep as
 * the kerb is high. Where normals are near each other the depths are, too: by one over their cosine. */
static void fold_turned(wp_mesh_memory *memory, const wp_mesh_row *row)
{
	limit limits[WP_MESH_PATCH_MAX];
	if (memory->turned.count == 0)
		return;
	const uint32_t limit_count = find_limits(&memory->patches, row, limits);
	for (uint32_t i = 0; i < memory->turned.count; i++) {
		wp_mesh_patch_spots *const patch = &memory->turned.patch[i];
		uint32_t kept = 0;
		for (uint32_t k = 0; k < patch->count; k++)
			if (!is_void(&patch->spot[k], patch->normal, limits, limit_count, row->reach))
				patch->spot[kept++] = patch->spot[k];
		if (kept != 0)
			add_spots(&memory->patches, patch->normal, wp_mesh_least_separation(patch->spot, kept), row->reach,
				patch->spot, kept);
	}
}

/* Whether a row needs a contact that has no point: no other overlaps while that one does, or there is none at all. */
static bool needs_last(const wp_mesh_memory *memory, const wp_mesh_row *row)
{
	if (!memory->has_last || memory->triangle_count == 0)
		return memory->has_last;
	bool any = false;
	for (uint32_t i = 0; i < memory->patches.count; i++)
		any |= memory->patches.patch[i].separation <= 0;
	return !any && overlaps(&memory->last_of, row);
}

/* Let the contact that stays have the triangle's normal, and the body's lowest point along it there. False where it has none. */
static bool turn_last(wp_mesh_memory *memory, const wp_mesh_row *row)
{
	wp_mesh_candidate *const c = &memory->last_of;
	wp_mesh_spot *const spot = &memory->last;
	if (!wp_mesh_find_lowest(row, c, &spot->at))
		return false;
	c->found = c->face;
	spot->separation = wp_d3_dot(c->face, wp_d3_sub(spot->at, c->corner[0]));
	wp_d3_put_floats(wp_d33_turn_back(&row->axes, spot->at), spot->local);
	return spot->separation < 0;
}

/* A row whose contacts all lean towards triangles that have none, or come from behind a border, keeps one: the body is so deep
 * that its centre is behind those, or it is beside the border. */
static void use_last(wp_mesh_memory *memory, const wp_mesh_row *row)
{
	if (!needs_last(memory, row) || (memory->last_stay == WP_MESH_STAYS_ABOVE && !turn_last(memory, row)))
		return;
	memory->triangle_count += !memory->last_has_points;
	memory->status |= memory->last_of.status & STATUS_TOLD;
	add_spots(&memory->patches, memory->last_of.found, memory->last.separation, row->reach, &memory->last, 1);
}

void wp_mesh_finish_patches(wp_mesh_memory *memory, const wp_mesh_row *row)
{
	fold_turned(memory, row);
	use_last(memory, row);
}

/* ---- compounds ---------------------------------------------------------------------------------- */

/* A spot of a child as one of its body: places from the body's origin on. */
static wp_mesh_spot spot_of_body(const wp_mesh_memory *memory, const wp_mesh_row *child, const wp_mesh_spot *spot)
{
	const float *const p = child->part->position;
	const wp_d3 local = wp_dq_turn(wp_dq_of_rotation(child->part->rotation), wp_d3_of_floats(spot->local));
	wp_mesh_spot moved = *spot;
	moved.at = wp_d3_add(spot->at, wp_d3_sub(child->origin, memory->whole[child->whole].origin));
	wp_d3_put_floats(wp_d3_add(wp_d3_of_floats(p), local), moved.local);
	moved.child = child->child;
	return moved;
}

void wp_mesh_gather_patches(wp_mesh_memory *memory, const wp_mesh_row *child)
{
	const bool is_first = memory->gathered.count == 0;
	memory->gathered_status |= memory->status;
	memory->gathered_count += memory->triangle_count;
	for (uint32_t i = 0; i < memory->patches.count; i++) {
		wp_mesh_patch_spots *const patch = &memory->patches.patch[i];
		for (uint32_t k = 0; k < patch->count; k++)
			patch->spot[k] = spot_of_body(memory, child, &patch->spot[k]);
		/* Those of the first child that has any stay what they are. */
		if (is_first)
			wp_mesh_copy_patch(&memory->gathered.patch[memory->gathered.count++], patch);
		else
			add_spots(&memory->gathered, patch->normal, patch->separation, memory->whole[child->whole].reach,
				patch->spot, patch->count);
	}
}
