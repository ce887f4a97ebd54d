/* Spheres and capsules: their triangles need no ring. Kernels measure which feature of each is nearest, and how far; what is
 * left of a contact, its normal by the rule and its points, is made here. */
#include "mesh_contact/far.h"

/* Cosine of the angle between a normal and a triangle's up to which the triangle gives points besides the nearest ones; and
 * the least sine of the angle between a normal and a capsule's segment. */
#define FACE_COSINE 0.1
#define SEGMENT_SINE 0.1

/* How far from an end or an edge a point may be and still be on it, of L or less: of half the longest edge or the body. */
#define ON_FEATURE 5e-6

/* How far outside of each bound of a triangle a point may be and still be above it, of the same. A segment along a bound is
 * twice as far outside at one end, and as far off the plane of a triangle that leans; in a corner of 60 degrees all of that comes
 * to 3.7 times as much, and points promise 1e-5. */
#define POINT_ASIDE 2.5e-6

/* How far from a triangle a ball's lowest point may be, of the same. */
#define BALL_ASIDE 9e-6

/* By how much points may be less deep than the nearest ones and still be as deep, in the same way; the larger of triangle and
 * body is up to 2 L. Where a contact has its own separation, its points have 4e-6 of L: a patch promises 1e-5, of which the
 * choice of points takes 5e-6. Where the deepest point is its separation, it is a third of what the contract allows: 3e-6 of L. */
#define POINTS_AS_DEEP 2e-6
#define CONTACT_AS_DEEP 5e-7

/* Gaps shorter than this, relative to the longest edge, are measured again: kernels round places on edges by 1e-16 of their
 * length, and of two edges whose gaps differ by no more take either, so that a normal at their corner may be off by the square root
 * of twice that over the gap. Along one at this the triangle reaches 0.5 of the contract out of its plane. */
#define MEASURED_AGAIN 1e-4

/* What bounds a triangle: its edges, and both ends of it along the longest one, since a place far beyond a sharp corner is beside
 * both edges there. */
#define BOUNDS 5

#define END_LOW 0u
#define END_HIGH (1u | 1u << 16)
#define SIDE (1u << 16)

/* A triangle that is near, as it was measured. Places are from the body's origin on. */
typedef struct nearest {
	const wp_mesh_walk *walk;
	wp_mesh_memory *memory;
	uint32_t at, triangle; /* among the measured triangles, and in the mesh */
	uint32_t feature;      /* a wp_measure_feature */
	wp_d3 face, normal;
	double radius, distance, separation, place;
	double size;      /* the larger of triangle and body */
	double slack;     /* places that are no further apart are one */
	double aside, on; /* by how much a point may be outside of the triangle, or off a feature that it is on */
} nearest;

static wp_d3 vector_of(const double *x, uint32_t at)
{
	return wp_d3_of(x[at], x[WP_MEASURE_MAX + at], x[2 * WP_MEASURE_MAX + at]);
}

static wp_d3 corner_of(const nearest *n, uint32_t k)
{
	return wp_d3_sub(vector_of(n->memory->measure.corner[3 * k], n->at), n->walk->row->origin);
}

static void read_corners(const nearest *n, wp_d3 corner[3])
{
	for (uint32_t k = 0; k < 3; k++)
		corner[k] = corner_of(n, k);
}

/* A place on the core, from -1 to 1. */
static wp_d3 core_at(const nearest *n, double place) { return wp_d3_scale(wp_d3_at(n->memory->measure.along), place); }

static bool has_segment(const wp_core *core) { return core->half[1] > 0.0f; }

/* ---- points ------------------------------------------------------------------------------------- */

static void put_spot(
	const nearest *n, wp_d3 at, double separation, uint32_t feature_a, uint32_t feature_b, wp_mesh_spot *spot)
{
	const wp_d3 local = wp_d33_turn_back(&n->walk->row->axes, at);
	spot->at = at;
	spot->local[0] = (float)local.x;
	spot->local[1] = (float)local.y;
	spot->local[2] = (float)local.z;
	spot->slant = wp_mesh_slant_of(n->face);
	spot->separation = separation;
	spot->triangle = n->triangle;
	spot->feature_a = feature_a;
	spot->feature_b = feature_b;
}

/* The nearest points themselves. */
static void put_witness(const nearest *n, wp_mesh_spot *spot)
{
	const wp_d3 at = wp_d3_sub(core_at(n, n->place), wp_d3_scale(n->normal, n->radius));
	put_spot(n, at, n->separation, WP_FEATURE_FACE, WP_FEATURE_FACE, spot);
}

/* The lowest point of a sphere along the face, where it is above the triangle and near enough. */
static uint32_t find_lowest(const nearest *n, wp_mesh_spot *spot)
{
	double height = n->distance;
	if (n->feature != WP_MEASURE_FACE) {
		const double cosine = wp_d3_dot(n->normal, n->face);
		const wp_d3 aside = wp_d3_sub(n->normal, wp_d3_scale(n->face, cosine));
		if (n->distance * wp_d3_length(aside) > BALL_ASIDE / POINT_ASIDE * n->aside)
			return 0;
		height = n->distance * cosine;
	}
	put_spot(n, wp_d3_scale(n->face, -n->radius), height - n->radius, WP_FEATURE_FACE, WP_FEATURE_FACE, spot);
	return spot->separation <= n->walk->max_separation;
}

/* A capsule seen along a normal, and where its segment is over each bound of a triangle: `inside` of it, `across` for each of
 * the segment's halves. */
typedef struct rod {
	wp_d3 normal, unit, aside; /* of the segment: its direction, and across the normal */
	double half, rise, lean;   /* the direction's parts along the normal and across it */
	double cosine;             /* of the angle between the normal and the triangle's */
	double inside[BOUNDS], across[BOUNDS];
	double least;       /* no point is deeper: the contact's separation, along its normal */
	wp_d3 corner;       /* the first one of the triangle */
	double first, last; /* the stretch over the triangle */
} rod;

/* A direction in the plane of the triangle, as places are measured by that are seen on it. */
static wp_d3 seen_on_face(const nearest *n, const rod *r, wp_d3 direction)
{
	return wp_d3_sub(direction, wp_d3_scale(n->face, wp_d3_dot(direction, r->normal) / r->cosine));
}

/* Where the segment is over the ends of the triangle along an edge. False if all of it is beyond one. */
static bool see_ends(const nearest *n, rod *r, wp_d3 along, wp_d3 start, wp_d3 edge, double inverse)
{
	const wp_d3 seen = seen_on_face(n, r, wp_d3_scale(edge, inverse));
	const double low = wp_d3_dot(seen, start);
	r->inside[3] = -low;
	r->inside[4] = low + wp_d3_dot(seen, edge);
	r->across[3] = wp_d3_dot(seen, along);
	r->across[4] = -r->across[3];
	const double reach = wp_abs(r->across[3]) + n->aside;
	return r->inside[3] + reach >= 0 && r->inside[4] + reach >= 0;
}

/* Where the segment is over the bounds, seen along the normal. False if all of it is outside of one. */
static bool see_bounds(const nearest *n, rod *r)
{
	const wp_d3 along = core_at(n, 1.0);
	wp_d3 corner[3];
	double length2[3], inverse[3];
	int longest = 0;
	read_corners(n, corner);
	r->corner = corner[0];
	for (int k = 0; k < 3; k++) {
		const wp_d3 edge = wp_d3_sub(corner[k == 2 ? 0 : k + 1], corner[k]);
		const wp_d3 inward = wp_mesh_inward(n->face, edge, wp_d3_sub(corner[k == 0 ? 2 : k - 1], corner[k]));
		const wp_d3 seen = seen_on_face(n, r, inward);
		r->inside[k] = -wp_d3_dot(seen, corner[k]);
		r->across[k] = wp_d3_dot(seen, along);
		length2[k] = wp_d3_dot(edge, edge);
		longest = length2[k] > length2[longest] ? k : longest;
		const double most = r->inside[k] + wp_abs(r->across[k]);
		if (most < 0 && most * most > n->aside * n->aside * length2[k])
			return false;
	}
	for (int k = 0; k < 3; k++) {
		inverse[k] = 1 / wp_sqrt(length2[k]);
		r->inside[k] *= inverse[k];
		r->across[k] *= inverse[k];
	}
	const wp_d3 edge = wp_d3_sub(corner[longest == 2 ? 0 : longest + 1], corner[longest]);
	return see_ends(n, r, along, corner[longest], edge, inverse[longest]);
}

/* Cut the segment where it crosses the edges, and where it is beyond an end by more than the slack. False if nothing is over the
 * triangle, or within the slack of that. */
static bool cut_stretch(rod *r, double slack)
{
	double from = -1, to = 1;
	r->first = -1;
	r->last = 1;
	for (int k = 0; k < BOUNDS; k++) {
		if (wp_abs(r->across[k]) <= slack) {
			if (r->inside[k] < -slack)
				return false;
			continue;
		}
		const double cut = -r->inside[k] / r->across[k], wide = slack / wp_abs(r->across[k]);
		if (r->across[k] > 0 && cut - wide > from) {
			from = cut - wide;
			r->first = k < 3 ? cut : r->first > from ? r->first : from;
		} else if (r->across[k] < 0 && cut + wide < to) {
			to = cut + wide;
			r->last = k < 3 ? cut : r->last < to ? r->last : to;
		}
	}
	r->first = r->first < to ? r->first : to;
	r->last = r->last > from ? r->last : from;
	return from <= to;
}

/* What of the triangle is below a place above it: the first corner, else the first edge, else the face. Of a sliver a place may
 * be on the lines of several edges, and far from where they end. */
static uint32_t triangle_feature_at(const nearest *n, const rod *r, double place, wp_d3 above, double separation)
{
	const wp_d3 at = wp_d3_sub(above, wp_d3_scale(r->normal, separation));
	const double near2 = n->on * n->on;
	wp_d3 way[3];
	read_corners(n, way);
	for (uint32_t k = 0; k < 3; k++) {
		way[k] = wp_d3_sub(way[k], at);
		if (wp_d3_dot(way[k], way[k]) <= near2)
			return k | k << 16;
	}
	for (uint32_t k = 0, next; k < 3; k++) {
		next = k == 2 ? 0 : k + 1;
		if (wp_abs(r->inside[k] + r->across[k] * place) <= n->on && wp_d3_dot(way[k], way[next]) <= near2)
			return k == 2 ? 2 << 16 : k | next << 16;
	}
	return WP_FEATURE_FACE;
}

/* How far from the triangle a place over it is, seen along the normal: its plane is higher beside an edge that it rises to. */
static double separation_at(const nearest *n, const rod *r, wp_d3 at)
{
	const double separation = wp_d3_dot(n->face, wp_d3_sub(at, r->corner)) / r->cosine;
	return separation > r->least ? separation : r->least;
}

/* The point of the surface over a place of the segment: of the ball that is lowest there, which is ahead of the place where
 * the segment goes down. False if it is too far from the triangle. */
static bool put_stretch_end(const nearest *n, const rod *r, double place, wp_mesh_spot *spot)
{
	const double best = place - n->radius * r->rise / (r->lean * r->half);
	const double centre = best < -1 ? -1 : best > 1 ? 1 : best, off = (place - centre) * r->half * r->lean;
	const double under2 = n->radius * n->radius - off * off, on = n->on;
	const wp_d3 lateral = wp_d3_add(core_at(n, centre), wp_d3_scale(r->aside, off));
	const wp_d3 at = wp_d3_sub(lateral, wp_d3_scale(r->normal, wp_sqrt(under2 > 0 ? under2 : 0)));
	const double separation = separation_at(n, r, at);
	const double reach = r->half * r->lean, to_end = (1 - place) * reach, to_start = (1 + place) * reach;
	const uint32_t feature_a = to_end <= on ? END_HIGH : to_start <= on ? END_LOW : SIDE;
	if (separation > n->walk->max_separation)
		return false;
	put_spot(n, at, separation, feature_a, triangle_feature_at(n, r, place, at, separation), spot);
	return true;
}

/* The lowest end of a capsule that stands on the triangle. */
static uint32_t put_low_end(const nearest *n, const rod *r, wp_mesh_spot *spot)
{
	const double place = r->rise > 0 ? -1 : 1;
	for (int k = 0; k < BOUNDS; k++)
		if (r->inside[k] + r->across[k] * place < -n->aside)
			return 0;
	const wp_d3 at = wp_d3_sub(core_at(n, place), wp_d3_scale(r->normal, n->radius));
	const double separation = separation_at(n, r, at);
	if (separation > n->walk->max_separation)
		return 0;
	const uint32_t feature_b = triangle_feature_at(n, r, place, at, separation);
	put_spot(n, at, separation, place > 0 ? END_HIGH : END_LOW, feature_b, spot);
	return 1;
}

/* Points of a capsule over the triangle, seen along a normal: both ends of the stretch there, or one where it is short. */
static uint32_t find_stretch(const nearest *n, wp_d3 normal, double least, wp_mesh_spot spot[2])
{
	const wp_d3 along = core_at(n, 1.0);
	rod r = {.normal = normal, .cosine = wp_d3_dot(normal, n->face), .least = least};
	if (!(r.cosine > FACE_COSINE) || !see_bounds(n, &r))
		return 0;
	r.half = wp_d3_length(along);
	r.unit = wp_d3_scale(along, 1 / r.half);
	r.rise = wp_d3_dot(r.unit, normal);
	const wp_d3 across = wp_d3_sub(r.unit, wp_d3_scale(normal, r.rise));
	r.lean = wp_d3_length(across);
	if (r.lean < SEGMENT_SINE)
		return put_low_end(n, &r, spot);
	r.aside = wp_d3_scale(across, 1 / r.lean);
	if (!cut_stretch(&r, n->aside))
		return 0;
	uint32_t count = put_stretch_end(n, &r, r.first, &spot[0]);
	if ((r.last - r.first) * r.half > n->slack)
		count += put_stretch_end(n, &r, r.last, &spot[count]);
	return count;
}

/* Points above the triangle along its own normal. */
static uint32_t find_points_above(const nearest *n, wp_mesh_spot spot[2])
{
	return has_segment(n->walk->row->core) ? find_stretch(n, n->face, -(double)WP_INFINITY, spot)
	                                       : find_lowest(n, spot);
}

/* ---- contacts ----------------------------------------------------------------------------------- */

/* Whether a contact at an edge or a corner keeps its normal. */
static bool stands(const nearest *n)
{
	const wp_mesh_row *const row = n->walk->row;
	if (n->feature == WP_MEASURE_FACE)
		return false;
	wp_mesh_judged judged = {&n->walk->surface, n->triangle, n->normal, n->face, n->slack, false, wp_d3_zero()};
	if (n->memory->is_soup)
		wp_mesh_judge_as_soup(row, wp_d3_sub(core_at(n, n->place), wp_d3_scale(n->normal, n->distance)), &judged);
	return n->feature < WP_MEASURE_CORNER ? wp_mesh_edge_allows(&judged, n->feature - WP_MEASURE_EDGE)
	                                      : wp_mesh_corner_allows(&judged, n->feature - WP_MEASURE_CORNER);
}

/* Whether a normal that is not the face's surely leans to a neighbour: across a flat edge, or where no edge is convex. */
static bool surely_leans(const nearest *n)
{
	if (n->walk->row->field != NULL)
		return false;
	const wp_mesh_triangle_row *const row = &n->walk->surface.view.triangles[n->triangle];
	const bool is_edge = n->feature != WP_MEASURE_FACE && n->feature < WP_MEASURE_CORNER;
	return (row->corner[0] & WP_TRIANGLE_FACE_ONLY) != 0 ||
	       (is_edge && wp_edge_kind_of(row->edge[n->feature - WP_MEASURE_EDGE]) == WP_EDGE_FLAT);
}

/* Whether the nearest points are deeper than others, by more than a share of the larger of triangle and body. */
static bool is_deeper(const nearest *n, const wp_mesh_spot *spot, uint32_t count, double share)
{
	return !(wp_mesh_least_separation(spot, count) <= n->separation + share * n->size);
}

/* A contact as it is, and what else of a capsule is over the triangle. */
static uint32_t find_kept(const nearest *n, wp_mesh_spot spot[3])
{
	uint32_t count = has_segment(n->walk->row->core)
	                   ? find_stretch(n, n->normal, n->separation - CONTACT_AS_DEEP * n->size, spot)
	                   : 0;
	if (is_deeper(n, spot, count, POINTS_AS_DEEP))
		put_witness(n, &spot[count++]);
	return count;
}

/* The contact of a triangle: what becomes of it, and its points. */
static uint32_t find_contact(const nearest *n, wp_mesh_candidate *c, wp_mesh_spot spot[3])
{
	const wp_d3 off = wp_d3_sub(n->normal, n->face);
	const bool is_face = wp_d3_dot(off, off) < WP_RULE_SAME * WP_RULE_SAME;
	c->outcome = WP_MESH_KEPT;
	c->normal = n->normal;
	c->is_turned = false;
	if ((n->walk->call->flags & WP_MESH_GHOSTS) != 0 || (!is_face && !surely_leans(n) && stands(n)))
		return find_kept(n, spot);
	c->outcome = WP_MESH_FACE;
	c->normal = n->face;
	c->is_turned = !is_face;
	uint32_t count = find_points_above(n, spot);
	if (is_face && is_deeper(n, spot, count, CONTACT_AS_DEEP) && stands(n))
		put_witness(n, &spot[count++]);
	return count;
}

/* An edge from an end on, places from the nearest one of the core on, and where it and the core are nearest to each other. */
typedef struct stretch {
	wp_d3 end, way;
	double on_edge, on_core; /* 0 to 1, and how far along the core */
} stretch;

static double clamp(double a, double low, double high) { return a < low ? low : a > high ? high : a; }

/* Find the nearest places of an edge and the core. That of the core is at most so far from its last one. */
static void meet(stretch *s, wp_d3 along, double low, double high)
{
	const double length2 = wp_d3_dot(s->way, s->way), along2 = wp_d3_dot(along, along);
	const double start = -wp_d3_dot(s->way, s->end);
	s->on_core = 0;
	s->on_edge = clamp(start / length2, 0, 1);
	if (along2 == 0)
		return;
	const double across = wp_d3_dot(along, s->way), ahead = wp_d3_dot(along, s->end), both = along2 * length2;
	const double spread = both - across * across;
	if (spread > WP_MEASURE_PARALLEL * both) {
		const double best = clamp((across * start + ahead * length2) / spread, low, high);
		s->on_edge = clamp((across * best + start) / length2, 0, 1);
	}
	s->on_core = clamp((across * s->on_edge + ahead) / along2, low, high);
	s->on_edge = clamp((across * s->on_core + start) / length2, 0, 1);
}

/* Measure a short gap to an edge or a corner again, from the nearest place on and from the nearer end of each edge: what rounding
 * leaves of it is as small as that is near. */
static void measure_again(nearest *n)
{
	const wp_d3 along = core_at(n, 1.0), from = core_at(n, n->place);
	const double place = n->place;
	double least2 = (double)WP_INFINITY;
	wp_d3 corner[3];
	read_corners(n, corner);
	for (uint32_t k = 0; k < 3; k++)
		corner[k] = wp_d3_sub(corner[k], from);
	for (uint32_t k = 0; k < 3; k++) {
		const uint32_t next = k == 2 ? 0 : k + 1;
		const bool is_back = wp_d3_dot(corner[next], corner[next]) < wp_d3_dot(corner[k], corner[k]);
		const uint32_t near = is_back ? next : k, far = is_back ? k : next;
		stretch s = {corner[near], wp_d3_sub(corner[far], corner[near]), 0, 0};
		meet(&s, along, -1 - place, 1 - place);
		const wp_d3 on_edge = wp_d3_add(s.end, wp_d3_scale(s.way, s.on_edge));
		const wp_d3 gap = wp_d3_sub(wp_d3_scale(along, s.on_core), on_edge);
		const double gap2 = wp_d3_dot(gap, gap);
		if (!(gap2 < least2))
			continue;
		least2 = gap2;
		n->normal = wp_d3_unit(gap);
		n->place = place + s.on_core;
		n->feature = s.on_edge == 0 ? WP_MEASURE_CORNER + near
		           : s.on_edge == 1 ? WP_MEASURE_CORNER + far
		                            : WP_MEASURE_EDGE + k;
	}
}

/* Whether it is one: not so short that it has no direction of its own. */
static bool is_measured_again(const nearest *n)
{
	const double longest2 = n->memory->measured.longest2[n->at], gap2 = n->distance * n->distance;
	const wp_d3 along = core_at(n, 1.0);
	const double along2 = wp_d3_dot(along, along), size2 = longest2 > along2 ? longest2 : along2;
	return n->feature != WP_MEASURE_FACE && n->distance > 0 && gap2 < MEASURED_AGAIN * MEASURED_AGAIN * longest2 &&
	       gap2 > WP_MEASURE_TOUCH * WP_MEASURE_TOUCH * size2;
}

static nearest nearest_of(const wp_mesh_walk *walk, uint32_t at)
{
	const wp_mesh_row *const row = walk->row;
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	const wp_measured *const m = &memory->measured;
	const double radius = (double)row->core->radius, longest = wp_sqrt(m->longest2[at]);
	const double size = longest > row->reach ? longest : row->reach;
	const double length = longest > 2 * row->reach ? longest / 2 : row->reach;
	return (nearest){.walk = walk,
		.memory = memory,
		.at = at,
		.triangle = memory->found[at],
		.feature = (uint32_t)m->feature[at],
		.face = vector_of(m->face[0], at),
		.normal = vector_of(m->normal[0], at),
		.radius = radius,
		.distance = m->distance[at],
		.separation = m->distance[at] - radius,
		.place = has_segment(row->core) ? m->place[at] : 0,
		.size = size,
		.slack = WP_RULE_ASIDE * size,
		.aside = POINT_ASIDE * length,
		.on = ON_FEATURE * length};
}

static bool is_zero(wp_d3 v) { return v.x == 0 && v.y == 0 && v.z == 0; }

/* A unit normal across a triangle without an area and the core that touches it: both are segments or points. */
static wp_d3 normal_across(wp_d3 edge, wp_d3 along)
{
	const wp_d3 both = wp_d3_cross(edge, along);
	if (!is_zero(both))
		return wp_d3_unit(both);
	const wp_d3 one = is_zero(along) ? edge : along;
	return is_zero(one) ? wp_d3_of(0, 1, 0) : wp_d3_across(wp_d3_unit(one));
}

/* A triangle without an area, in double, faces the core. */
static void find_any_face(nearest *n)
{
	wp_d3 corner[3];
	read_corners(n, corner);
	const wp_d3 edge = wp_d3_sub(corner[1], corner[0]), other = wp_d3_sub(corner[2], corner[0]);
	if (is_zero(n->normal))
		n->normal = normal_across(
			wp_d3_dot(edge, edge) > wp_d3_dot(other, other) ? edge : other, wp_d3_at(n->memory->measure.along));
	n->face = n->normal;
}

static void take_nearest(const wp_mesh_walk *walk, uint32_t at)
{
	wp_mesh_statistics *const statistics = walk->call->statistics;
	nearest n = nearest_of(walk, at);
	if (is_measured_again(&n))
		measure_again(&n);
	const bool is_degenerate = is_zero(n.face);
	if (is_degenerate)
		find_any_face(&n);
	wp_mesh_candidate c;
	wp_mesh_spot spot[3];
	const uint32_t count = find_contact(&n, &c, spot);
	c.status = is_degenerate ? WP_STATUS_DEGENERATE : 0;
	c.face = n.face;
	c.found = n.normal;
	c.separation = n.separation;
	c.triangle = n.triangle;
	statistics->touched += count != 0;
	statistics->turned += c.is_turned;
	statistics->dropped += c.is_turned && count == 0;
	if (count != 0)
		wp_mesh_add_contact(n.memory, walk->row, &c, spot, count);
	const uint32_t sound = wp_mesh_note_points(n.memory, walk->row, &c, spot, count);
	if (wp_mesh_may_be_last(n.memory, walk->row, &c, spot, sound)) {
		put_witness(&n, &spot[0]);
		c.witness = spot[0].at;
		read_corners(&n, c.corner);
		wp_mesh_keep_last(n.memory, walk->row, &c, &spot[0], sound != 0);
	}
}

/* ---- triangles ---------------------------------------------------------------------------------- */

/* Measure `count` triangles, and take those that are near. */
static void measure(const wp_mesh_walk *walk, uint32_t count)
{
	wp_workspace *const workspace = walk->call->workspace;
	wp_mesh_memory *const memory = &workspace->mesh;
	wp_mesh_statistics *const statistics = walk->call->statistics;
	const wp_mesh_kernels *const kernels = wp_kernels_for(workspace, count)->meshes;
	if (count == 0)
		return;
	for (uint32_t at = count; at % (WP_WIDTH_MAX / 2) != 0; at++)
		for (int k = 0; k < 9; k++)
			memory->measure.corner[k][at] = memory->measure.corner[k][count - 1];
	if (has_segment(walk->row->core))
		kernels->measure_segment(&memory->measure, count, &memory->measured);
	else
		kernels->measure_ball(&memory->measure, count, &memory->measured);
	uint64_t near = memory->measured.near;
	const uint32_t behind = wp_count_bits_64(memory->measured.behind), found = wp_count_bits_64(near);
	statistics->behind += behind;
	statistics->beyond += count - behind - found;
	statistics->solved += found;
	for (; near != 0; near &= near - 1)
		take_nearest(walk, wp_lowest_bit_64(near));
}

void wp_mesh_open_round(wp_mesh_walk *walk)
{
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	const wp_core *const core = walk->row->core;
	/* The row before may have points already while others of its triangles wait in the ring. */
	if (memory->is_in_row)
		wp_mesh_run_ring(walk->call);
	wp_d3_put(walk->row->origin, memory->measure.origin);
	const wp_d3 along = wp_d3_scale(wp_d33_axis(&walk->row->axes, 1), (double)core->half[1]);
	wp_d3_put(has_segment(core) ? along : wp_d3_zero(), memory->measure.along);
	memory->measure.most = (double)core->radius + walk->max_separation;
	memory->measure.is_two_sided = (walk->call->flags & WP_MESH_TWO_SIDED) != 0;
	walk->waiting = 0;
}

/* Put the corners of triangles that were found into the columns, and measure them. */
static void measure_found(const wp_mesh_walk *walk, uint32_t count)
{
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	const wp_mesh_view *const view = &walk->surface.view;
	walk->call->statistics->triangles += count;
	for (uint32_t i = 0; i < count; i++) {
		const wp_mesh_triangle_row *const row = &view->triangles[memory->found[i]];
		for (int k = 0; k < 3; k++) {
			const float *const corner = view->vertices[wp_row_corner(row, k)];
			for (int axis = 0; axis < 3; axis++)
				memory->measure.corner[3 * k + axis][i] = (double)corner[axis];
		}
	}
	measure(walk, count);
}

void wp_mesh_find_round(const wp_mesh_walk *walk, const float lower[3], const float upper[3])
{
	wp_mesh_memory *const memory = &walk->call->workspace->mesh;
	const wp_mesh *const mesh = walk->row->mesh;
	const wp_mesh_reach reach = wp_mesh_reach_of(walk->row, walk->max_separation);
	for (uint32_t cursor = 0; cursor < mesh->triangle_count;) {
		size_t count = 0;
		(void)wp_mesh_overlap_box(mesh, lower, upper, &cursor, memory->found, WP_MEASURE_MAX, &count);
		measure_found(walk, wp_mesh_leave_near(walk, &reach, memory->found, (uint32_t)count));
	}
}

void wp_mesh_measure_waiting(wp_mesh_walk *walk)
{
	measure(walk, walk->waiting);
	walk->waiting = 0;
}

void wp_mesh_close_round(wp_mesh_walk *walk)
{
	wp_mesh_measure_waiting(walk);
	wp_mesh_write_row(walk->call, walk->row);
	wp_mesh_begin_patches(&walk->call->workspace->mesh);
}

void wp_mesh_measure_row(const wp_mesh_call *call, const wp_mesh_descent *descent)
{
	wp_mesh_memory *const memory = &call->workspace->mesh;
	wp_mesh_walk walk = wp_mesh_walk_of(call, &descent->row);
	wp_mesh_open_round(&walk);
	if (descent->is_long)
		wp_mesh_find_round(&walk, descent->lower, descent->upper);
	else
		for (uint32_t at = 0, count; at < descent->count; at += count) {
			count = descent->count - at < WP_MEASURE_MAX ? descent->count - at : WP_MEASURE_MAX;
			memcpy(memory->found, descent->found + at, count * sizeof *memory->found);
			measure_found(&walk, count);
		}
	wp_mesh_close_round(&walk);
}
