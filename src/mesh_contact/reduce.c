/* The points of a patch: which are kept of many, and which are written.
 *
 * Triangles come in the order of their numbers, which another tree changes. So what is kept is a function of the set of points
 * alone. Up to WP_MESH_SPOTS of them are kept as they come. Of more, each direction keeps its farthest point, by a total order:
 * the larger of two is the same whichever comes first, and so is the largest of many. It does not matter either when a patch
 * became wide, since all points were there until then. Where numbers are equal, places decide, then the triangles' places;
 * numbers of triangles only where even these are equal. */
#include "mesh_contact/internal.h"

/* Points nearer than this share of the body's size are one. */
#define SPOT_APART WP_MESH_SPOT_APART

/* Of the body's size: a cylinder or a cone that lies on a plane touches along a line, which each triangle has for itself, aside
 * from the others' by the error of its normal. */
#define SPOT_WIDE_SMOOTH 2e-3

/* Of the body's size: points that are deeper by no more are as deep. */
#define SPOT_ALIKE 5e-6

/* Of the body's size: points that are no further apart, or no further than the deepest by more, touch. */
#define SPOT_TOUCHES 1e-3

/* A point that does not touch counts as less, the higher it is: as half where it is so much of the body's size above those that
 * do; and as less far on its way, by so much for each length. The higher ones of the feet of a table hold nothing up. */
#define SPOT_HALF 5e-3
#define WAY_SLOPE 50.0

/* Of a measure: a point must be worse by more to be no rival of the best one. Bodies at rest move by less. */
#define SPOT_RIVAL 1e-4

/* Where a wide patch has its deepest points, and the one of its lead. */
#define DEEPEST WP_MESH_WAYS
#define OF_LEAD (DEEPEST + WP_MESH_DEEPEST)

/* Cells of normals are cubes, of which none has normals that differ by more than 7.5e-4. Their sides are where the
 * coordinates of level, upright and diagonal normals are not. */
#define CELL_SHARES 2310.0
#define CELL_START 4096.37
#define CELL_BITS 13

/* ---- order -------------------------------------------------------------------------------------- */

/* By their coordinates: less than zero if the first one is first, zero if both are one. */
static int compare_vectors(const wp_d3 *a, const wp_d3 *b)
{
	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	if (a->y != b->y)
		return a->y < b->y ? -1 : 1;
	return a->z != b->z ? a->z < b->z ? -1 : 1 : 0;
}

/* The sum of a triangle's corners. */
static wp_d3 sum_of_corners(const wp_mesh_row *row, uint32_t triangle)
{
	wp_surface surface;
	wp_d3 corner[3];
	wp_surface_set(&surface, row->mesh, row->field);
	wp_surface_corners(&surface, triangle, corner);
	return wp_d3_add(wp_d3_add(corner[0], corner[1]), corner[2]);
}

static bool is_first_triangle(const wp_mesh_row *row, uint32_t a, float slant_a, uint32_t b, float slant_b)
{
	if (slant_a != slant_b || a == b)
		return slant_a < slant_b;
	const wp_d3 sum_a = sum_of_corners(row, a), sum_b = sum_of_corners(row, b);
	const int order = compare_vectors(&sum_a, &sum_b);
	return order != 0 ? order < 0 : a < b;
}

bool wp_mesh_is_first(const wp_mesh_row *row, const wp_mesh_lead *a, const wp_mesh_lead *b)
{
	if (a->separation != b->separation)
		return a->separation < b->separation;
	const int order = compare_vectors(&a->normal, &b->normal);
	return order != 0 ? order < 0 : is_first_triangle(row, a->triangle, a->slant, b->triangle, b->slant);
}

/* Whether a spot is before another one: the deeper one, and then as said above. Those of one triangle always come in the same
 * order. */
static bool is_before(const wp_mesh_row *row, const wp_mesh_spot *a, const wp_mesh_spot *b)
{
	if (a->separation != b->separation)
		return a->separation < b->separation;
	const int order = compare_vectors(&a->at, &b->at);
	if (order != 0)
		return order < 0;
	return is_first_triangle(row, a->triangle, a->slant, b->triangle, b->slant);
}

static void copy(wp_mesh_spot *to, const wp_mesh_spot *from) { memcpy(to, from, sizeof *to); }

/* ---- reduction ---------------------------------------------------------------------------------- */

/* The spots of a patch across its normal, and which are chosen: counter-clockwise, and in the order of choice. */
typedef struct choice {
	const wp_mesh_row *row;
	const wp_mesh_spot *spot;
	double u[WP_MESH_SPOTS], v[WP_MESH_SPOTS];
	double weight[WP_MESH_SPOTS]; /* how much they count */
	uint32_t spot_count, polygon[WP_MESH_POINT_MAX], order[WP_MESH_POINT_MAX], count;
} choice;

double wp_mesh_least_separation(const wp_mesh_spot *spot, uint32_t count)
{
	double least = (double)WP_INFINITY;
	for (uint32_t i = 0; i < count; i++)
		least = spot[i].separation < least ? spot[i].separation : least;
	return least;
}

/* How high a spot is above those that touch, of a patch whose least separation is `least`. */
static double height_of(const wp_mesh_row *row, const wp_mesh_spot *spot, double least)
{
	const double height = spot->separation - (least > 0 ? least : 0) - SPOT_TOUCHES * row->reach;
	return height > 0 ? height : 0;
}

/* Of the spots whose value is near the largest, the farthest along a direction that is fixed across the normal: of many that are as
 * good rounding would choose, another one in each frame of a body at rest. None has a value below `least`. */
static uint32_t best_of(const choice *c, const double value[WP_MESH_SPOTS], double least)
{
	double most = least, far = -(double)WP_INFINITY;
	uint32_t best = WP_MESH_SPOTS;
	for (uint32_t i = 0; i < c->spot_count; i++)
		most = value[i] > most ? value[i] : most;
	const double bar = most - SPOT_RIVAL * most;
	for (uint32_t i = 0; i < c->spot_count; i++) {
		const double sideways = 0.8 * c->u[i] + 0.6 * c->v[i];
		if (!(value[i] > least && value[i] >= bar) || sideways < far)
			continue;
		if (sideways > far || is_before(c->row, &c->spot[i], &c->spot[best])) {
			far = sideways;
			best = i;
		}
	}
	return best;
}

/* Of the spots up to a separation the farthest along that direction: a corner. */
static uint32_t outermost_of(const choice *c, double limit)
{
	double value[WP_MESH_SPOTS] = {0};
	for (uint32_t i = 0; i < c->spot_count; i++)
		value[i] = c->spot[i].separation <= limit;
	return best_of(c, value, 0);
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
static bool choose_farthest(double apart, choice *c)
{
	double away[WP_MESH_SPOTS];
	for (uint32_t i = 0; i < c->spot_count; i++)
		away[i] = distance2(c, i, c->polygon[0]) * (c->weight[i] * c->weight[i]);
	const uint32_t best = best_of(c, away, apart * apart);
	if (best != WP_MESH_SPOTS)
		choose(c, best, 1);
	return best != WP_MESH_SPOTS;
}

/* The spot that adds most to the area. False where none does. */
static bool choose_widest(double least, choice *c)
{
	double most[WP_MESH_SPOTS];
	uint32_t place[WP_MESH_SPOTS];
	for (uint32_t i = 0; i < c->spot_count; i++) {
		most[i] = 0;
		place[i] = 0;
		for (uint32_t edge = 0; edge < c->count; edge++) {
			const double area = area_beyond(c, i, edge) * c->weight[i];
			place[i] = area > most[i] ? edge + 1 : place[i];
			most[i] = area > most[i] ? area : most[i];
		}
	}
	const uint32_t best = best_of(c, most, least);
	if (best != WP_MESH_SPOTS)
		choose(c, best, place[best]);
	return best != WP_MESH_SPOTS;
}

/* Leave the first out of the polygon, and choose in its place what adds most: along an edge that is at right angles to the fixed
 * direction rounding chose. */
static void choose_first_again(double area, choice *c)
{
	choice others = *c;
	others.count = 0;
	for (uint32_t k = 0; k < c->count; k++)
		if (c->polygon[k] != c->order[0])
			others.polygon[others.count++] = c->polygon[k];
	memmove(others.order, others.order + 1, others.count * sizeof *others.order);
	if (choose_widest(area, &others))
		*c = others;
}

/* Choose one of the deepest spots, which are up to a separation, if none was, in the place of the nearest one; and let it be the
 * first. */
static void choose_deepest(double apart, double limit, choice *c)
{
	uint32_t at = 0;
	while (at < c->count && !(c->spot[c->order[at]].separation <= limit))
		at++;
	if (at == c->count) {
		const uint32_t deepest = outermost_of(c, limit);
		uint32_t nearest = 0;
		for (uint32_t k = 1; k < c->count; k++)
			if (distance2(c, c->order[k], deepest) < distance2(c, c->order[nearest], deepest))
				nearest = k;
		const bool is_there = distance2(c, c->order[nearest], deepest) <= apart * apart;
		at = is_there || c->count == WP_MESH_POINT_MAX ? nearest : c->count++;
		c->order[at] = deepest;
	}
	const uint32_t first = c->order[at];
	memmove(c->order + 1, c->order, at * sizeof *c->order);
	c->order[0] = first;
}

/* How far a point must be from the line between two others to be one. Of several children nothing is known. */
static double width_of(const wp_mesh_row *row)
{
	const bool is_smooth = row->core != NULL && row->core->kind == WP_CORE_SMOOTH;
	return (is_smooth ? SPOT_WIDE_SMOOTH : SPOT_APART) * row->reach;
}

static double distance2_of(const wp_mesh_spot *a, const wp_mesh_spot *b)
{
	const wp_d3 way = wp_d3_sub(a->at, b->at);
	return wp_d3_dot(way, way);
}

/* Whether all spots are one, the deepest, which goes to the front: as at a corner, of all triangles there. */
static bool is_one(const wp_mesh_row *row, wp_mesh_spot *spot, uint32_t count)
{
	const double apart = SPOT_APART * row->reach;
	uint32_t first = 0;
	for (uint32_t i = 1; i < count; i++) {
		/* Nearly always there is a spot that is far from all others. */
		if (!(distance2_of(&spot[i], &spot[0]) < 4 * (apart * apart)))
			return false;
		first = is_before(row, &spot[i], &spot[first]) ? i : first;
	}
	for (uint32_t i = 0; i < count; i++)
		if (!(distance2_of(&spot[i], &spot[first]) < apart * apart))
			return false;
	copy(&spot[0], &spot[first]);
	return true;
}

uint32_t wp_mesh_reduce(const wp_mesh_row *row, wp_d3 normal, wp_mesh_spot *spot, uint32_t count)
{
	choice c;
	if (is_one(row, spot, count))
		return 1;
	const wp_d3 u = wp_d3_across(normal), v = wp_d3_cross(normal, u);
	for (uint32_t i = 0; i < count; i++) {
		c.u[i] = wp_d3_dot(u, spot[i].at);
		c.v[i] = wp_d3_dot(v, spot[i].at);
	}
	c.row = row;
	c.spot = spot;
	c.spot_count = count;
	c.count = 0;
	const double apart = SPOT_APART * row->reach, width = width_of(row), least = wp_mesh_least_separation(spot, count);
	for (uint32_t i = 0; i < count; i++)
		c.weight[i] = 1 / (1 + height_of(row, &spot[i], least) / (SPOT_HALF * row->reach));
	choose(&c, outermost_of(&c, (least > 0 ? least : 0) + SPOT_TOUCHES * row->reach), 0);
	if (choose_farthest(apart, &c)) {
		const double area = width * wp_sqrt(distance2(&c, c.polygon[0], c.polygon[1]));
		while (c.count < WP_MESH_POINT_MAX && choose_widest(area, &c))
			;
		if (c.count > 2)
			choose_first_again(area, &c);
	}
	choose_deepest(apart, least + SPOT_ALIKE * row->reach, &c);
	wp_mesh_spot chosen[WP_MESH_POINT_MAX];
	for (uint32_t i = 0; i < c.count; i++)
		copy(&chosen[i], &spot[c.order[i]]);
	memcpy(spot, chosen, c.count * sizeof *chosen);
	return c.count;
}

/* ---- wide patches ------------------------------------------------------------------------------- */

static uint64_t share_of(double x)
{
	const double share = CELL_SHARES * x + CELL_START;
	return (uint32_t)(share >= 0 ? share : 0);
}

uint64_t wp_mesh_cell_of(wp_d3 normal)
{
	return share_of(normal.x) << 2 * CELL_BITS | share_of(normal.y) << CELL_BITS | share_of(normal.z);
}

static double middle_of_share(uint64_t share)
{
	return ((double)(uint32_t)(share & ((1u << CELL_BITS) - 1)) + 0.5 - CELL_START) / CELL_SHARES;
}

static wp_d3 middle_of_cell(uint64_t cell)
{
	return wp_d3_of(middle_of_share(cell >> 2 * CELL_BITS), middle_of_share(cell >> CELL_BITS), middle_of_share(cell));
}

/* Put a spot where it is deeper than what is there: by its contact first, if it is one of a row's. */
static void put_by_depth(wp_mesh_patch_spots *patch, const wp_mesh_row *row, const wp_mesh_spot *spot)
{
	wp_mesh_spot *const list = patch->spot + DEEPEST;
	uint32_t at = WP_MESH_DEEPEST;
	for (; at > 0; at--) {
		const wp_mesh_spot *const other = &list[at - 1];
		const bool by_contact = patch->lead.triangle != WP_MESH_MISS && spot->contact != other->contact;
		if (!(by_contact ? spot->contact < other->contact : is_before(row, spot, other)))
			break;
		if (at < WP_MESH_DEEPEST)
			copy(&list[at], other);
	}
	if (at < WP_MESH_DEEPEST)
		copy(&list[at], spot);
}

_Static_assert(WP_MESH_WAYS == WP_MESH_DEEPEST + 1, "as many places are emptied");

/* Put a spot where it is farther than what is there, or touches as what is there does not. */
static void put_by_ways(wp_mesh_patch_spots *patch, const wp_mesh_row *row, const wp_mesh_spot *spot)
{
	const double at[3] = {spot->at.x, spot->at.y, spot->at.z}, u = at[patch->axis[0]], v = at[patch->axis[1]];
	const double along[WP_MESH_WAYS / 2] = {u, v, u + v, u - v}, back = WAY_SLOPE * height_of(row, spot, 0);
	for (uint32_t k = 0; k < WP_MESH_WAYS; k++) {
		const double far = (k % 2 == 0 ? along[k / 2] : -along[k / 2]) - back;
		if (far < patch->farthest[k] || (far == patch->farthest[k] && !is_before(row, spot, &patch->spot[k])))
			continue;
		patch->farthest[k] = far;
		copy(&patch->spot[k], spot);
	}
}

/* Put spots into a wide patch. Of several children all spots are the lead's. */
static void put_all(wp_mesh_patch_spots *patch, const wp_mesh_row *row, const wp_mesh_spot *spot, uint32_t count)
{
	const uint32_t lead = patch->lead.triangle;
	for (uint32_t i = 0; i < count; i++) {
		put_by_ways(patch, row, &spot[i]);
		put_by_depth(patch, row, &spot[i]);
		if ((spot[i].triangle == lead || lead == WP_MESH_MISS) && is_before(row, &spot[i], &patch->spot[OF_LEAD]))
			copy(&patch->spot[OF_LEAD], &spot[i]);
	}
}

/* If there are few spots, some of the deepest ones are none: infinitely far. Where no spot of the lead was left, the deepest one
 * stands for it. */
static void make_wide(wp_mesh_patch_spots *patch, const wp_mesh_row *row)
{
	wp_mesh_spot spot[WP_MESH_SPOTS];
	memcpy(spot, patch->spot, sizeof spot);
	const wp_d3 middle = middle_of_cell(patch->cell);
	const double x = wp_abs(middle.x), y = wp_abs(middle.y), z = wp_abs(middle.z);
	const bool is_along_x = x >= y && x >= z;
	patch->axis[0] = is_along_x ? 1 : 0;
	patch->axis[1] = !is_along_x && z > y ? 1 : 2;
	patch->is_wide = true;
	for (uint32_t k = 0; k < WP_MESH_WAYS; k++) {
		patch->farthest[k] = -(double)WP_INFINITY;
		patch->spot[DEEPEST + k].separation = (double)WP_INFINITY;
		patch->spot[DEEPEST + k].contact = WP_INFINITY;
	}
	put_all(patch, row, spot, patch->count);
	if (!(patch->spot[OF_LEAD].separation < (double)WP_INFINITY))
		copy(&patch->spot[OF_LEAD], &patch->spot[DEEPEST]);
	patch->count = WP_MESH_SPOTS;
}

void wp_mesh_add_spots(wp_mesh_patch_spots *patch, const wp_mesh_row *row, const wp_mesh_spot *spot, uint32_t count,
	const wp_mesh_lead *lead)
{
	const bool fits = !patch->is_wide && patch->count + count <= WP_MESH_SPOTS;
	if (!fits && !patch->is_wide)
		make_wide(patch, row);
	if (lead != NULL)
		patch->lead = *lead;
	if (!fits) {
		if (lead != NULL)
			patch->spot[OF_LEAD].separation = (double)WP_INFINITY;
		put_all(patch, row, spot, count);
		return;
	}
	memcpy(patch->spot + patch->count, spot, count * sizeof *spot);
	patch->count += count;
}

void wp_mesh_leave_deepest(wp_mesh_patch_spots *patch, const wp_mesh_row *row, float least)
{
	bool are_left = !patch->is_wide && patch->count <= WP_MESH_DEEPEST;
	for (uint32_t i = 0; i < patch->count && are_left; i++)
		are_left = patch->spot[i].contact < least;
	if (are_left)
		return;
	if (!patch->is_wide)
		make_wide(patch, row);
	copy(&patch->spot[0], &patch->spot[OF_LEAD]);
	patch->count = 0;
	for (uint32_t i = 0; i < WP_MESH_DEEPEST; i++)
		if (patch->spot[DEEPEST + i].contact < least)
			copy(&patch->spot[patch->count++], &patch->spot[DEEPEST + i]);
	patch->count += patch->count == 0;
	patch->is_wide = false;
}
