/* The strong path in 2D: separating axes (Gottschalk 1996) for whether and how deep, nearest
 * features for how far. All in the frame of A. */
#include "strong/strong_2d.h"
#include "core/capacity.h"
#include "core/rounded.h"
#include "widephase/query.h"

/* Rounding of the pose, the vertices and their dot products, relative to the size of the pair. */
#define ROUNDING 4e-15

/* Distance, relative to the size of the pair, up to which a point lies on a line. */
#define ON_LINE 1e-12

/* A core in the frame of A, with the outward normals of its faces. The normals of a segment are across it and
 * beyond its ends, the normals of a point are the axes: so the half planes of the faces always have the core in
 * common. */
typedef struct side {
	wp_d2 v[WP2D_VERTEX_MAX];
	wp_d2 normal[WP2D_VERTEX_MAX + 4];
	uint32_t count, face_count;
} side;

/* Normals come from the vertices as they were given, whose differences are exact. */
static void make_side(const wp2d_core *core, wp_d2 turn, wp_d2 offset, side *s)
{
	static const wp_d2 axes[4] = {{0.0, 1.0}, {0.0, -1.0}, {1.0, 0.0}, {-1.0, 0.0}};
	s->count = core->count;
	s->face_count = core->count > 2 ? core->count : 4;
	wp_d2 along = {1.0, 0.0};
	if (core->count == 2)
		along = wp_d2_unit(wp_d2_sub(wp_d2_vertex(core, 1), wp_d2_vertex(core, 0)));
	for (uint32_t i = 0; i < core->count; i++)
		s->v[i] = wp_d2_add(wp_d2_turn(turn, wp_d2_vertex(core, i)), offset);
	for (uint32_t i = 0; i < s->face_count; i++) {
		const wp_d2 from = wp_d2_vertex(core, i < core->count ? i : 0);
		const wp_d2 to = wp_d2_vertex(core, i + 1 < core->count ? i + 1 : 0);
		const bool is_edge = core->count > 2;
		const wp_d2 normal = is_edge ? wp_d2_unit(wp_d2_right(wp_d2_sub(to, from))) : wp_d2_turn(along, axes[i % 4]);
		s->normal[i] = wp_d2_turn(turn, normal);
	}
}

/* How far a core goes along a direction. */
static double reach_of(const side *s, wp_d2 n)
{
	double reach = wp_d2_dot(s->v[0], n);
	for (uint32_t i = 1; i < s->count; i++) {
		const double along = wp_d2_dot(s->v[i], n);
		reach = along > reach ? along : reach;
	}
	return reach;
}

static double gap_along(const side *a, const side *b, wp_d2 n)
{
	return -reach_of(b, wp_d2_scale(n, -1.0)) - reach_of(a, n);
}

/* What is found out about the cores. */
typedef struct finding {
	wp_d2 normal, point_a, point_b;
	double lower, upper;
} finding;

static void try_axes(const side *a, const side *b, finding *f)
{
	f->lower = -(double)WP_INFINITY;
	for (uint32_t i = 0; i < a->face_count + b->face_count; i++) {
		const wp_d2 n = i < a->face_count ? a->normal[i] : wp_d2_scale(b->normal[i - a->face_count], -1.0);
		const double gap = gap_along(a, b, n);
		if (gap > f->lower) {
			f->lower = gap;
			f->normal = n;
		}
	}
}

static wp_d2 nearest_on_edge(const side *s, uint32_t i, wp_d2 p)
{
	const wp_d2 from = s->v[i], e = wp_d2_sub(s->v[i + 1 < s->count ? i + 1 : 0], from);
	const double length2 = wp_d2_dot(e, e), along = wp_d2_dot(wp_d2_sub(p, from), e);
	const double share = along <= 0.0 || length2 == 0.0 ? 0.0 : along >= length2 ? 1.0 : along / length2;
	return wp_d2_add(from, wp_d2_scale(e, share));
}

/* The nearest points of cores that are apart: a vertex of one, a point on an edge of the other. */
static void find_nearest(const side *a, const side *b, finding *f)
{
	f->upper = (double)WP_INFINITY;
	for (uint32_t i = 0; i < a->count; i++) {
		for (uint32_t k = 0; k < b->count; k++) {
			const wp_d2 on_a = nearest_on_edge(a, i, b->v[k]), on_b = nearest_on_edge(b, k, a->v[i]);
			const double from_edge = wp_d2_length(wp_d2_sub(b->v[k], on_a));
			const double from_vertex = wp_d2_length(wp_d2_sub(on_b, a->v[i]));
			if (from_edge < f->upper) {
				f->upper = from_edge;
				f->point_a = on_a;
				f->point_b = b->v[k];
			}
			if (from_vertex < f->upper) {
				f->upper = from_vertex;
				f->point_a = a->v[i];
				f->point_b = on_b;
			}
		}
	}
	/* If the points are too near to have a direction, the axis decides. */
	if (f->upper == 0.0)
		return;
	const wp_d2 n = wp_d2_scale(wp_d2_sub(f->point_b, f->point_a), 1.0 / f->upper);
	const double gap = gap_along(a, b, n);
	if (gap >= f->lower) {
		f->lower = gap;
		f->normal = n;
	}
}

/* The vertices that are farthest along n, as what they cover along t. */
typedef struct span {
	wp_d2 low_point, high_point;
	double low, high;
} span;

static span farthest_span(const side *s, wp_d2 n, wp_d2 t, double tolerance)
{
	const double reach = reach_of(s, n);
	span found = {.low = (double)WP_INFINITY, .high = -(double)WP_INFINITY};
	for (uint32_t i = 0; i < s->count; i++) {
		if (wp_d2_dot(s->v[i], n) < reach - tolerance)
			continue;
		const double at = wp_d2_dot(s->v[i], t);
		if (at < found.low) {
			found.low = at;
			found.low_point = s->v[i];
		}
		if (at > found.high) {
			found.high = at;
			found.high_point = s->v[i];
		}
	}
	return found;
}

static wp_d2 point_of_span(const span *s, double at)
{
	const double length = s->high - s->low;
	const double share = length > 0.0 ? (at - s->low) / length : 0.0;
	const double inside = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
	return wp_d2_add(s->low_point, wp_d2_scale(wp_d2_sub(s->high_point, s->low_point), inside));
}

/* Witness points of cores that overlap: the middle of what their farthest edges have in common. */
static void find_deepest(const side *a, const side *b, double tolerance, finding *f)
{
	const wp_d2 t = wp_d2_right(f->normal);
	const span on_a = farthest_span(a, f->normal, t, tolerance);
	const span on_b = farthest_span(b, wp_d2_scale(f->normal, -1.0), t, tolerance);
	const double low = on_a.low > on_b.low ? on_a.low : on_b.low;
	const double high = on_a.high < on_b.high ? on_a.high : on_b.high;
	f->point_a = point_of_span(&on_a, 0.5 * (low + high));
	f->point_b = point_of_span(&on_b, 0.5 * (low + high));
	f->upper = f->lower;
}

/* ---- a point in common -------------------------------------------------------------------------- */

/* The part of an edge from p that is in a core, as shares of it; false where none is. */
static bool clip_edge(const side *s, wp_d2 p, wp_d2 e, double share[2])
{
	share[0] = 0.0;
	share[1] = 1.0;
	for (uint32_t i = 0; i < s->face_count; i++) {
		const wp_d2 n = s->normal[i];
		const double outside = wp_d2_dot(p, n) - reach_of(s, n), rise = wp_d2_dot(e, n);
		if (rise > 0.0 && -outside < share[1] * rise)
			share[1] = -outside / rise;
		if (rise < 0.0 && -outside < share[0] * rise)
			share[0] = -outside / rise;
		if (rise == 0.0 && outside > 0.0)
			return false;
	}
	return share[0] <= share[1];
}

static bool holds(const side *s, wp_d2 p)
{
	for (uint32_t i = 0; i < s->face_count; i++)
		if (wp_d2_dot(p, s->normal[i]) > reach_of(s, s->normal[i]))
			return false;
	return true;
}

/* A point of two cores that overlap: the middle of the longest part of an edge of A that is in B. If there is no such part,
 * B is inside A, or they touch, so that their deepest points are one up to rounding. No tolerance makes B larger: beyond a
 * sharp corner a point would be further away than the tolerance. */
static wp_d2 common_of_cores(const side *a, const side *b, const finding *f)
{
	wp_d2 common = holds(a, b->v[0]) ? b->v[0] : f->point_a;
	double longest = -1.0;
	for (uint32_t i = 0; i < a->count; i++) {
		const wp_d2 p = a->v[i], e = wp_d2_sub(a->v[i + 1 < a->count ? i + 1 : 0], p);
		double share[2];
		if (!clip_edge(b, p, e, share))
			continue;
		const double length = (share[1] - share[0]) * wp_d2_length(e);
		if (length > longest) {
			longest = length;
			common = wp_d2_add(p, wp_d2_scale(e, 0.5 * (share[0] + share[1])));
		}
	}
	return common;
}

/* Of cores that are apart, the middle of what both radii cover of the way between their witness points. */
static wp_d2 common_of_radii(const finding *f, double radius_a, double radius_b)
{
	if (!(f->upper > 0.0))
		return f->point_a;
	const double share = wp_common_depth(f->upper, radius_a, radius_b) / f->upper;
	return wp_d2_add(f->point_a, wp_d2_scale(wp_d2_sub(f->point_b, f->point_a), share));
}

/* ---- the answer --------------------------------------------------------------------------------- */

static wp_d2 direction_of(const side *s)
{
	const wp_d2 none = {0.0, 0.0};
	return s->count == 2 ? wp_d2_unit(wp_d2_sub(s->v[1], s->v[0])) : none;
}

/* Whether the difference has no area and holds the origin. */
static bool is_degenerate(const side *a, const side *b, double gap, double tolerance)
{
	const bool is_flat = a->count <= 2 && b->count <= 2 &&
	                     wp_abs(wp_d2_cross(direction_of(a), direction_of(b))) <= ON_LINE;
	return is_flat && wp_abs(gap) <= tolerance;
}

static void put(wp_d2 v, double to[3])
{
	to[0] = v.x;
	to[1] = v.y;
	to[2] = 0.0;
}

void wp2d_strong_solve(const wp_strong_pair *pair, wp_strong_answer *answer)
{
	const wp2d_core *const core_a = pair->a_2d, *const core_b = pair->b_2d;
	WP_ASSERT(core_a->count != 0 && core_b->count != 0);
	const wp_d2 turn_a = wp_d2_rotation(pair->rotation_a), turn_b = wp_d2_rotation(pair->rotation_b);
	const wp_d2 away = {pair->offset[0], pair->offset[1]}, offset = wp_d2_turn_back(turn_a, away);
	const wp_d2 origin = {0.0, 0.0}, unturned = {1.0, 0.0};
	const double bound_a = (double)core_a->bound, bound_b = (double)core_b->bound;
	const double size = bound_a + bound_b + wp_d2_length(offset), tolerance = ON_LINE * size;
	const double radius_a = (double)core_a->radius, radius_b = (double)core_b->radius, radii = radius_a + radius_b;
	side a, b;
	finding f = {.normal = {0.0, 1.0}};
	make_side(core_a, unturned, origin, &a);
	make_side(core_b, wp_d2_turn_back(turn_a, turn_b), offset, &b);
	try_axes(&a, &b, &f);
	const bool apart = f.lower > 0.0;
	answer->iterations = 1;
	answer->status = is_degenerate(&a, &b, f.lower, tolerance) ? WP_STATUS_DEGENERATE : 0;
	if (apart)
		find_nearest(&a, &b, &f);
	else
		find_deepest(&a, &b, tolerance, &f);

	const wp_d2 common = apart ? common_of_radii(&f, radius_a, radius_b) : common_of_cores(&a, &b, &f);
	put(wp_d2_turn(turn_a, common), answer->common);
	put(wp_d2_turn(turn_a, f.normal), answer->normal);
	put(wp_d2_turn(turn_a, wp_d2_add(f.point_a, wp_d2_scale(f.normal, radius_a))), answer->point_a);
	put(wp_d2_turn(turn_a, wp_d2_sub(f.point_b, wp_d2_scale(f.normal, radius_b))), answer->point_b);
	const double rounding = ROUNDING * (size + radii);
	answer->separation = f.upper - radii;
	answer->lower = f.lower - radii - rounding;
	answer->upper = f.upper - radii + rounding;
	const double reach = bound_a + radius_a > bound_b + radius_b ? bound_a + radius_a : bound_b + radius_b;
	if (answer->upper - answer->lower > WP_CONTRACT * (reach + wp_abs(answer->separation)))
		answer->status |= WP_STATUS_WIDE_BRACKET;
}
