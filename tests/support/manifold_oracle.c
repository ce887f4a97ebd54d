#include "manifold_oracle.h"

#include <math.h>
#include <string.h>

static const v3 zero = {0, 0, 0};

/* ---- faces ---------------------------------------------------------------------------------------- */

static v3 hull_vertex(const wp_hull *hull, size_t i)
{
	float v[3];
	wp_hull_vertex(hull, i, v);
	return v3_of_floats(v);
}

/* Twice the area of a polygon, as a vector (Newell). */
static v3 area_vector(const v3 *corner, size_t count)
{
	v3 sum = zero;
	for (size_t i = 0; i < count; i++)
		sum = v3_add(sum, v3_cross(v3_sub(corner[i], corner[0]), v3_sub(corner[(i + 1) % count], corner[0])));
	return sum;
}

/* Take a face if it looks more along the direction than the one so far. */
static void offer(manifold_face *best, const uint32_t *id, const v3 *corner, size_t count, v3 direction)
{
	if (count > MANIFOLD_FACE_MAX)
		return;
	const v3 normal = v3_unit(area_vector(corner, count));
	const double gain = v3_dot(normal, direction) - v3_dot(best->normal, direction);
	if (best->count != 0 && gain <= 0) {
		best->margin = fmin(best->margin, -gain);
		return;
	}
	best->margin = best->count != 0 ? gain : INFINITY;
	best->count = count;
	best->normal = normal;
	memcpy(best->id, id, count * sizeof *id);
	memcpy(best->corner, corner, count * sizeof *corner);
}

static void find_box_face(const wp_shape *shape, v3 direction, manifold_face *face)
{
	for (uint32_t axis = 0; axis < 3; axis++) {
		for (uint32_t side = 0; side < 2; side++) {
			const uint32_t u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3, base = side << axis;
			const uint32_t up[4] = {base, base | u, base | u | v, base | v};
			const uint32_t down[4] = {base, base | v, base | u | v, base | u};
			const uint32_t *const id = side ? up : down;
			v3 corner[4];
			for (int i = 0; i < 4; i++) {
				const float *const h = shape->half_extents;
				corner[i] = v3_of(id[i] & 1 ? h[0] : -h[0], id[i] & 2 ? h[1] : -h[1], id[i] & 4 ? h[2] : -h[2]);
			}
			offer(face, id, corner, 4, direction);
		}
	}
}

/* The margin counts against the next face, so that it must see them all. */
static void find_hull_face(const wp_hull *hull, v3 direction, manifold_face *face)
{
	for (size_t f = 0; f < wp_hull_face_count(hull); f++) {
		size_t count;
		const uint32_t *const id = wp_hull_face(hull, f, &count);
		v3 corner[MANIFOLD_FACE_MAX];
		for (size_t i = 0; i < count && i < MANIFOLD_FACE_MAX; i++)
			corner[i] = hull_vertex(hull, id[i]);
		offer(face, id, corner, count, direction);
	}
}

/* A shape that is one face, seen from either side. */
static void take_flat(const v3 *corner, size_t count, v3 direction, manifold_face *face)
{
	face->count = count;
	face->margin = INFINITY;
	for (size_t i = 0; i < count; i++) {
		face->id[i] = (uint32_t)i;
		face->corner[i] = corner[i];
	}
	face->normal = count == 3 ? v3_unit(area_vector(corner, 3)) : zero;
	if (v3_dot(face->normal, direction) < 0)
		face->normal = v3_scale(face->normal, -1);
}

/* The line along the side where the direction is about the axis, whose normal is across it, or the corners of a cap,
 * which of a rounded shape is further out by its radius. What has no height has a cap on either side, what has no radius
 * none. */
static void find_turned_face(const wp_shape *shape, v3 direction, manifold_face *face)
{
	const double radius = (double)shape->base_radius, half = (double)shape->half_height;
	const bool is_cone = shape->kind == WP_SHAPE_CONE && half > 0, is_upper = !is_cone && direction.y > 0;
	const double out = hypot(direction.x, direction.z), top = is_cone ? 0 : radius, up = is_upper ? 1 : -1;
	const v3 from_axis = out > 0 ? v3_of(direction.x / out, 0, direction.z / out) : v3_of(1, 0, 0);
	const v3 foot = v3_add(v3_scale(from_axis, radius), v3_of(0, -half, 0));
	const v3 head = v3_add(v3_scale(from_axis, top), v3_of(0, half, 0)), way = v3_sub(head, foot);
	const v3 side = v3_unit(v3_add(v3_scale(from_axis, way.y), v3_of(0, radius - top, 0)));
	const double gain = up * direction.y - v3_dot(side, direction);
	if (radius > 0 && gain >= 0) {
		face->count = WP_CAP_VERTEX_COUNT;
		face->radius = 0;
		face->normal = v3_of(0, up, 0);
		for (uint32_t k = 0; k < WP_CAP_VERTEX_COUNT; k++) {
			const double angle = 6.283185307179586 * k / WP_CAP_VERTEX_COUNT;
			face->id[k] = k + (is_upper ? WP_CAP_VERTEX_COUNT : 0);
			face->corner[k] = v3_of(radius * cos(angle), up * (half + (double)shape->radius), radius * sin(angle));
		}
	} else if (v3_length(way) > 0) {
		const v3 corner[2] = {foot, head};
		take_flat(corner, 2, direction, face);
		face->id[0] = 2 * WP_CAP_VERTEX_COUNT;
		face->id[1] = 2 * WP_CAP_VERTEX_COUNT + 1;
	}
	face->margin = fabs(gain);
}

/* In the shape's own frame. */
static void find_face(const wp_shape *shape, v3 direction, manifold_face *face)
{
	v3 corner[3] = {zero, zero, zero};
	face->count = 0;
	face->normal = zero;
	face->margin = 0;
	switch ((wp_shape_kind)shape->kind) {
	case WP_SHAPE_SEGMENT:
	case WP_SHAPE_TRIANGLE:
		for (int i = 0; i < 3; i++)
			corner[i] = v3_of_floats(shape->points[i]);
		take_flat(corner, shape->kind == WP_SHAPE_SEGMENT ? 2 : 3, direction, face);
		break;
	case WP_SHAPE_CAPSULE:
		corner[1].y = (double)shape->half_height;
		corner[0].y = -corner[1].y;
		take_flat(corner, 2, direction, face);
		break;
	case WP_SHAPE_BOX:
		find_box_face(shape, direction, face);
		break;
	case WP_SHAPE_HULL:
		if (wp_hull_vertex_count(shape->hull) > 3) {
			find_hull_face(shape->hull, direction, face);
			break;
		}
		for (size_t i = 0; i < wp_hull_vertex_count(shape->hull); i++)
			corner[i] = hull_vertex(shape->hull, i);
		take_flat(corner, wp_hull_vertex_count(shape->hull), direction, face);
		break;
	case WP_SHAPE_CYLINDER:
	case WP_SHAPE_CONE:
		find_turned_face(shape, direction, face);
		break;
	case WP_SHAPE_ELLIPSOID:
		break;
	case WP_SHAPE_POINT:
	case WP_SHAPE_SPHERE:
	case WP_SHAPE_CUSTOM: /* in no pair of the oracle, as half-spaces */
	case WP_SHAPE_HALF_SPACE:
	case WP_SHAPE_KIND_COUNT:
		take_flat(corner, 1, direction, face);
		break;
	}
}

static void pose_face(const wp_shape *shape, const oracle_pose *pose, v3 offset, v3 direction, manifold_face *face)
{
	const m3 rotation = m3_of_quaternion(pose->rotation);
	face->radius = (double)shape->radius;
	find_face(shape, m3_apply_inverse(rotation, direction), face);
	for (size_t i = 0; i < face->count; i++)
		face->corner[i] = v3_add(offset, m3_apply(rotation, face->corner[i]));
	face->normal = m3_apply(rotation, face->normal);
}

/* ---- the plane across the normal ------------------------------------------------------------------ */

v3 manifold_flat(const manifold_oracle *m, v3 point)
{
	return v3_of(v3_dot(point, m->across[0]), v3_dot(point, m->across[1]), 0);
}

static double cross_2d(v3 a, v3 b) { return a.x * b.y - a.y * b.x; }

/* The corners of a face as they are seen along the normal, counter-clockwise. */
static void flatten(const manifold_oracle *m, int side, v3 flat[MANIFOLD_FACE_MAX])
{
	const manifold_face *const face = &m->face[side];
	double area = 0;
	for (size_t i = 0; i < face->count; i++)
		flat[i] = manifold_flat(m, face->corner[i]);
	for (size_t i = 0; i < face->count; i++)
		area += cross_2d(v3_sub(flat[i], flat[0]), v3_sub(flat[(i + 1) % face->count], flat[0]));
	for (size_t i = 0; area < 0 && i < face->count / 2; i++) {
		const v3 other = flat[face->count - 1 - i];
		flat[face->count - 1 - i] = flat[i];
		flat[i] = other;
	}
}

/* Distance of a point from the line through an edge, positive to its right: outside of a polygon that goes
 * counter-clockwise. */
static double right_of(v3 start, v3 end, v3 p)
{
	const v3 edge = v3_sub(end, start);
	return -cross_2d(edge, v3_sub(p, start)) / v3_length(edge);
}

double manifold_outside(const manifold_oracle *m, int side, v3 p)
{
	const manifold_face *const face = &m->face[side];
	v3 flat[MANIFOLD_FACE_MAX];
	flatten(m, side, flat);
	if (face->count < 3) {
		const v3 edge = face->count == 2 ? v3_sub(flat[1], flat[0]) : zero, to = v3_sub(p, flat[0]);
		const double along = v3_dot(to, edge) / fmax(v3_dot(edge, edge), 1e-300);
		return v3_length(v3_sub(to, v3_scale(edge, fmin(fmax(along, 0), 1))));
	}
	double most = -INFINITY;
	for (size_t i = 0; i < face->count; i++)
		most = fmax(most, right_of(flat[i], flat[(i + 1) % face->count], p));
	return most;
}

/* Height of the core's face. */
static double core_height(const manifold_oracle *m, int side, v3 flat)
{
	const manifold_face *const face = &m->face[side];
	const v3 n = v3_cross(m->across[0], m->across[1]);
	const v3 at = v3_add(v3_scale(m->across[0], flat.x), v3_scale(m->across[1], flat.y));
	if (face->count >= 3)
		return v3_dot(face->normal, v3_sub(face->corner[0], at)) / v3_dot(face->normal, n);
	if (face->count == 1)
		return v3_dot(face->corner[0], n);
	const v3 start = manifold_flat(m, face->corner[0]), way = v3_sub(manifold_flat(m, face->corner[1]), start);
	const double along = v3_dot(v3_sub(flat, start), way) / fmax(v3_dot(way, way), 1e-300);
	return v3_dot(v3_add(face->corner[0], v3_scale(v3_sub(face->corner[1], face->corner[0]), along)), n);
}

/* How high the ball around a point of the face reaches over a place, towards the other shape. */
static double ball_height(const manifold_oracle *m, int side, v3 ball, v3 flat)
{
	const double radius = m->face[side].radius, away = v3_length(v3_sub(ball, flat));
	const double core = core_height(m, side, ball) * (side ? -1 : 1);
	/* Where no ball is over the place, the nearest is the best. */
	return away <= radius ? core + sqrt(radius * radius - away * away) : core - 1e3 * (away - radius + 1);
}

/* The highest ball on a way: its height is a concave function, so thirds close in on it, until the way is at its last bit. */
static double highest_on_way(const manifold_oracle *m, int side, v3 start, v3 end, v3 flat)
{
	double low = 0, high = 1;
	const v3 way = v3_sub(end, start);
	for (int i = 0; i < 96; i++) {
		const double third = (high - low) / 3;
		const double at_low = ball_height(m, side, v3_add(start, v3_scale(way, low + third)), flat);
		const double at_high = ball_height(m, side, v3_add(start, v3_scale(way, high - third)), flat);
		if (at_low < at_high)
			low += third;
		else
			high -= third;
	}
	return ball_height(m, side, v3_add(start, v3_scale(way, (low + high) / 2)), flat);
}

double manifold_height(const manifold_oracle *m, int side, v3 flat)
{
	const manifold_face *const face = &m->face[side];
	const double sign = side ? -1 : 1;
	if (face->radius == 0)
		return core_height(m, side, flat);
	v3 corner[MANIFOLD_FACE_MAX];
	flatten(m, side, corner);
	double most = -INFINITY;
	for (size_t i = 0; i < face->count; i++)
		most = fmax(most, highest_on_way(m, side, corner[i], corner[(i + 1) % face->count], flat));

	/* Inside of the face the best is straight up the slope. */
	const double here = core_height(m, side, flat) * sign;
	const v3 slope = v3_of(core_height(m, side, v3_add(flat, v3_of(1, 0, 0))) * sign - here,
		core_height(m, side, v3_add(flat, v3_of(0, 1, 0))) * sign - here, 0);
	const double steep = v3_length(slope), aside = face->radius * steep / sqrt(1 + steep * steep);
	const v3 top = steep > 0 ? v3_add(flat, v3_scale(slope, aside / steep)) : flat;
	if (face->count >= 3 && manifold_outside(m, side, top) <= 0)
		most = fmax(most, ball_height(m, side, top, flat));
	return sign * most;
}

double manifold_area(const v3 *flat, size_t count)
{
	double area = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++) {
			/* An edge of the hull: nothing to its right, nor further along than its end or before its start. */
			const v3 edge = v3_sub(flat[k], flat[i]);
			bool is_edge = edge.x != 0 || edge.y != 0;
			for (size_t o = 0; o < count && is_edge; o++) {
				const v3 to = v3_sub(flat[o], flat[i]);
				const double side = cross_2d(edge, to), along = edge.x * to.x + edge.y * to.y;
				is_edge = side > 0 || (side == 0 && along >= 0 && along <= edge.x * edge.x + edge.y * edge.y);
			}
			for (size_t o = 0; o < i && is_edge; o++)
				is_edge = flat[o].x != flat[i].x || flat[o].y != flat[i].y;
			for (size_t o = 0; o < k && is_edge; o++)
				is_edge = flat[o].x != flat[k].x || flat[o].y != flat[k].y;
			if (is_edge)
				area += 0.5 * cross_2d(v3_sub(flat[i], flat[0]), v3_sub(flat[k], flat[0]));
		}
	return area;
}

/* ---- the polygon in common ------------------------------------------------------------------------ */

/* What of a polygon lies to the left of an edge. */
static size_t clip(const v3 *in, size_t count, v3 start, v3 end, v3 *out)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		const v3 p = in[i], q = in[(i + 1) % count];
		const double at_p = right_of(start, end, p), at_q = right_of(start, end, q);
		if (at_p <= 0 && kept < MANIFOLD_CORNER_MAX)
			out[kept++] = p;
		/* A segment is no loop: its one edge is not gone back. */
		if (((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) && (count > 2 || i == 0) && kept < MANIFOLD_CORNER_MAX)
			out[kept++] = v3_add(p, v3_scale(v3_sub(q, p), at_p / (at_p - at_q)));
	}
	return kept;
}

/* Two segments: where they cross, or what they share where they are parallel. */
static size_t cross_segments(const v3 *a, const v3 *b, v3 *out)
{
	const v3 way_a = v3_sub(a[1], a[0]), way_b = v3_sub(b[1], b[0]), between = v3_sub(b[0], a[0]);
	const double sine = cross_2d(way_a, way_b), size = v3_length(way_a) * v3_length(way_b);
	if (fabs(sine) > 1e-6 * size) {
		const double s = cross_2d(between, way_b) / sine, t = cross_2d(between, way_a) / sine;
		out[0] = v3_add(a[0], v3_scale(way_a, s));
		return s >= 0 && s <= 1 && t >= 0 && t <= 1;
	}
	const double length2 = fmax(v3_dot(way_a, way_a), 1e-300);
	const double first = v3_dot(between, way_a) / length2, second = v3_dot(v3_sub(b[1], a[0]), way_a) / length2;
	const double low = fmax(0, fmin(first, second)), high = fmin(1, fmax(first, second));
	out[0] = v3_add(a[0], v3_scale(way_a, low));
	out[1] = v3_add(a[0], v3_scale(way_a, high));
	return low <= high ? 2 : 0;
}

static void find_polygon(manifold_oracle *m)
{
	v3 flat[2][MANIFOLD_CORNER_MAX], other[MANIFOLD_CORNER_MAX];
	flatten(m, 0, flat[0]);
	flatten(m, 1, flat[1]);
	/* The one that is less than a polygon is clipped by the other. */
	const int clipped = m->face[1].count < m->face[0].count ? 1 : 0;
	const v3 *const by = flat[1 - clipped];
	const size_t by_count = m->face[1 - clipped].count;
	m->count = m->face[clipped].count;
	memcpy(m->point, flat[clipped], m->count * sizeof *flat[0]);
	for (size_t i = 0; i < by_count && by_count > 2; i++) {
		m->count = clip(m->point, m->count, by[i], by[(i + 1) % by_count], other);
		memcpy(m->point, other, m->count * sizeof *other);
	}
	if (by_count == 2 && m->count == 2)
		m->count = cross_segments(flat[0], flat[1], m->point);
	m->area = m->count > 2 ? manifold_area(m->point, m->count) : 0;
	for (size_t i = 0; i < m->count; i++)
		m->point[i].z = manifold_height(m, 1, m->point[i]) - manifold_height(m, 0, m->point[i]);
}

/* ---- features ------------------------------------------------------------------------------------- */

static void add_feature(manifold_oracle *m, uint32_t a, uint32_t b)
{
	if (m->feature_count < MANIFOLD_CORNER_MAX) {
		m->feature[m->feature_count][0] = a;
		m->feature[m->feature_count++][1] = b;
	}
}

static uint32_t edge_id(uint32_t i, uint32_t k) { return i < k ? i | k << 16 : k | i << 16; }

/* Corners of one side that lie in the face of the other. */
static void find_corners(manifold_oracle *m, int side)
{
	const manifold_face *const face = &m->face[side];
	if (m->face[1 - side].count < 3)
		return;
	for (size_t i = 0; i < face->count; i++) {
		const double outside = manifold_outside(m, 1 - side, manifold_flat(m, face->corner[i]));
		const uint32_t id = face->id[i] | face->id[i] << 16;
		m->doubt = fmin(m->doubt, fabs(outside));
		if (outside < 0)
			add_feature(m, side == 0 ? id : WP_FEATURE_FACE, side == 0 ? WP_FEATURE_FACE : id);
	}
}

/* Edges that cross; how near an end of one comes to the other is the doubt. */
static void find_crossings(manifold_oracle *m)
{
	const manifold_face *const a = &m->face[0], *const b = &m->face[1];
	const size_t edges_a = a->count > 2 ? a->count : a->count - 1, edges_b = b->count > 2 ? b->count : b->count - 1;
	for (size_t i = 0; i < edges_a; i++) {
		const size_t i_end = (i + 1) % a->count;
		const v3 p = manifold_flat(m, a->corner[i]), q = manifold_flat(m, a->corner[i_end]);
		for (size_t k = 0; k < edges_b; k++) {
			const size_t k_end = (k + 1) % b->count;
			const v3 r = manifold_flat(m, b->corner[k]), s = manifold_flat(m, b->corner[k_end]);
			const double at_r = right_of(p, q, r), at_s = right_of(p, q, s);
			const double at_p = right_of(r, s, p), at_q = right_of(r, s, q);
			if (at_r * at_s < 0 && at_p * at_q < 0) {
				add_feature(m, edge_id(a->id[i], a->id[i_end]), edge_id(b->id[k], b->id[k_end]));
				m->doubt = fmin(m->doubt, fmin(fmin(fabs(at_r), fabs(at_s)), fmin(fabs(at_p), fabs(at_q))));
			}
		}
	}
}

/* Corners near each other, or near the line between their neighbours, may count as one, or as none. */
static void judge_corners(manifold_oracle *m)
{
	for (size_t i = 0; i < m->count && m->count > 1; i++) {
		v3 p = m->point[i], next = m->point[(i + 1) % m->count], last = m->point[(i + m->count - 1) % m->count];
		p.z = next.z = last.z = 0;
		const double apart = v3_length(v3_sub(next, p)), width = v3_length(v3_sub(next, last));
		m->doubt = fmin(m->doubt, apart);
		if (m->count > 2)
			m->doubt = fmin(m->doubt, width > 0 ? fabs(right_of(last, next, p)) : 0);
	}
}

bool manifold_oracle_solve(const wp_shape *a, const oracle_pose *pose_a, const wp_shape *b, const oracle_pose *pose_b,
	v3 normal, manifold_oracle *m)
{
	pose_face(a, pose_a, zero, normal, &m->face[0]);
	pose_face(b, pose_b, v3_sub(pose_b->position, pose_a->position), v3_scale(normal, -1), &m->face[1]);
	m->count = m->feature_count = 0;
	m->area = 0;
	m->doubt = INFINITY;
	if (m->face[0].count == 0 || m->face[1].count == 0)
		return false;
	m->across[0] = v3_across(normal);
	m->across[1] = v3_cross(normal, m->across[0]);
	find_polygon(m);
	find_corners(m, 0);
	find_corners(m, 1);
	if (m->face[0].count > 1 && m->face[1].count > 1)
		find_crossings(m);
	judge_corners(m);
	return true;
}
