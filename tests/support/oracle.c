#include "oracle.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Angle below which two faces are one, and edge between them none. */
#define FLAT_ANGLE 1e-12

/* Distance from a line, in sizes of the core, below which a vertex lies on it. */
#define ON_LINE 1e-14

/* Distance of two unit vectors below which they are one. */
#define SAME_DIRECTION 1e-14

static const double pi = 3.14159265358979323846;

/* ---- the core of a shape -------------------------------------------------------------------------- */

static v3 v3_of_float(const float a[3]) { return v3_of(a[0], a[1], a[2]); }

static size_t count_vertices(const wp_shape *shape)
{
	switch ((wp_shape_kind)shape->kind) {
	case WP_SHAPE_POINT:
	case WP_SHAPE_SPHERE:
		return 1;
	case WP_SHAPE_SEGMENT:
	case WP_SHAPE_CAPSULE:
		return 2;
	case WP_SHAPE_TRIANGLE:
		return 3;
	case WP_SHAPE_BOX:
		return 8;
	case WP_SHAPE_HULL:
		return shape->hull != NULL ? wp_hull_vertex_count(shape->hull) : 0;
	case WP_SHAPE_CYLINDER: /* no polytopes, which are not for this oracle */
	case WP_SHAPE_CONE:
	case WP_SHAPE_ELLIPSOID:
	case WP_SHAPE_CUSTOM:
	case WP_SHAPE_HALF_SPACE:
	case WP_SHAPE_KIND_COUNT:
		break;
	}
	return 0;
}

static v3 vertex_of(const wp_shape *shape, size_t i)
{
	const float *h = shape->half_extents;
	float vertex[3];
	switch ((wp_shape_kind)shape->kind) {
	case WP_SHAPE_SEGMENT:
	case WP_SHAPE_TRIANGLE:
		return v3_of_float(shape->points[i]);
	case WP_SHAPE_CAPSULE:
		return v3_of(0, i == 0 ? -(double)shape->half_height : (double)shape->half_height, 0);
	case WP_SHAPE_BOX:
		return v3_of(i & 1 ? h[0] : -h[0], i & 2 ? h[1] : -h[1], i & 4 ? h[2] : -h[2]);
	case WP_SHAPE_HULL:
		wp_hull_vertex(shape->hull, i, vertex);
		return v3_of_float(vertex);
	case WP_SHAPE_POINT:
	case WP_SHAPE_SPHERE:
	case WP_SHAPE_CYLINDER:
	case WP_SHAPE_CONE:
	case WP_SHAPE_ELLIPSOID:
	case WP_SHAPE_CUSTOM:
	case WP_SHAPE_HALF_SPACE:
	case WP_SHAPE_KIND_COUNT:
		break;
	}
	return v3_of(0, 0, 0);
}

/* Append to a list of unit vectors unless it is there. */
static void add_distinct(v3 *list, size_t *count, v3 direction)
{
	for (size_t i = 0; i < *count; i++) {
		if (v3_length(v3_sub(list[i], direction)) <= SAME_DIRECTION)
			return;
	}
	list[(*count)++] = direction;
}

/* Seen along the line from vertex `start` to vertex `end`: whether the others lie within less than half
 * a turn. `low` and `high` become the vertices at the ends of that angle, or SIZE_MAX where all vertices
 * are on the line. */
static bool spans_edge(const oracle_shape *core, size_t start, size_t end, v3 along, size_t *low, size_t *high)
{
	v3 u = v3_across(along), v = v3_cross(along, u);
	double first_x = 0, first_y = 0, low_x = 0, low_y = 0, high_x = 0, high_y = 0, least = 0, most = 0;
	*low = *high = SIZE_MAX;
	for (size_t k = 0; k < core->vertex_count; k++) {
		v3 w = v3_sub(core->vertices[k], core->vertices[start]);
		double x = v3_dot(w, u), y = v3_dot(w, v);
		if (k == start || k == end || sqrt(x * x + y * y) <= ON_LINE * core->bound)
			continue;
		if (*low == SIZE_MAX) {
			first_x = low_x = high_x = x;
			first_y = low_y = high_y = y;
			*low = *high = k;
		}
		/* Between both ends of the angle, which is less than half a turn. */
		if (*low != *high && low_x * y >= low_y * x && x * high_y >= y * high_x)
			continue;
		double angle = atan2(first_x * y - first_y * x, first_x * x + first_y * y);
		if (angle < least) {
			least = angle;
			low_x = x;
			low_y = y;
			*low = k;
		}
		if (angle > most) {
			most = angle;
			high_x = x;
			high_y = y;
			*high = k;
		}
		if (most - least >= pi - FLAT_ANGLE)
			return false;
	}
	return true;
}

static void find_features(oracle_shape *core)
{
	for (size_t i = 0; i < core->vertex_count; i++) {
		for (size_t j = i + 1; j < core->vertex_count; j++) {
			v3 edge = v3_sub(core->vertices[j], core->vertices[i]);
			v3 along = v3_unit(edge);
			size_t low, high;
			if (v3_length(edge) <= ON_LINE * core->bound || !spans_edge(core, i, j, along, &low, &high))
				continue;
			core->edges[core->edge_count++] = (oracle_edge){(uint32_t)i, (uint32_t)j};
			add_distinct(core->directions, &core->direction_count, along);
			if (low == SIZE_MAX)
				continue;
			v3 to_low = v3_sub(core->vertices[low], core->vertices[i]);
			v3 to_high = v3_sub(core->vertices[high], core->vertices[i]);
			add_distinct(core->normals, &core->normal_count, v3_unit(v3_cross(to_low, along)));
			add_distinct(core->normals, &core->normal_count, v3_unit(v3_cross(along, to_high)));
		}
	}
	if (core->edge_count == 0)
		core->edges[core->edge_count++] = (oracle_edge){0, 0};
}

oracle_shape *oracle_shape_new(const wp_shape *shape)
{
	size_t count = count_vertices(shape);
	oracle_shape *core = calloc(1, sizeof *core);
	if (core == NULL || count == 0) {
		free(core);
		return NULL;
	}
	size_t pairs = count <= ORACLE_FEATURE_MAX ? count * (count - 1) / 2 + 1 : 0;
	core->radius = shape->radius;
	core->vertex_count = count;
	core->has_features = pairs > 0;
	core->vertices = calloc(count, sizeof *core->vertices);
	core->edges = calloc(pairs + 1, sizeof *core->edges);
	core->directions = calloc(pairs + 1, sizeof *core->directions);
	core->normals = calloc(2 * pairs + 1, sizeof *core->normals);
	if (core->vertices == NULL || core->edges == NULL || core->directions == NULL || core->normals == NULL) {
		oracle_shape_free(core);
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		core->vertices[i] = vertex_of(shape, i);
		core->bound = fmax(core->bound, v3_length(core->vertices[i]));
	}
	if (core->has_features)
		find_features(core);
	return core;
}

void oracle_shape_free(oracle_shape *shape)
{
	if (shape == NULL)
		return;
	free(shape->vertices);
	free(shape->edges);
	free(shape->directions);
	free(shape->normals);
	free(shape);
}

double oracle_support(const oracle_shape *shape, const oracle_pose *pose, v3 direction)
{
	v3 local = m3_apply_inverse(m3_of_quaternion(pose->rotation), direction);
	double most = -DBL_MAX;
	for (size_t i = 0; i < shape->vertex_count; i++)
		most = fmax(most, v3_dot(shape->vertices[i], local));
	return most + shape->radius + v3_dot(pose->position, direction);
}

double oracle_gap_along(
	const oracle_shape *a, const oracle_pose *pose_a, const oracle_shape *b, const oracle_pose *pose_b, v3 direction)
{
	/* Positions are taken relative to A, or they would drown the difference far from the origin. */
	oracle_pose at_origin = *pose_a, relative = *pose_b;
	at_origin.position = v3_of(0, 0, 0);
	relative.position = v3_sub(pose_b->position, pose_a->position);
	double near_b = -oracle_support(b, &relative, v3_scale(direction, -1));
	return near_b - oracle_support(a, &at_origin, direction);
}

/* ---- a pair --------------------------------------------------------------------------------------- */

/* A core posed in world axes, relative to the position of A. */
typedef struct posed {
	const oracle_shape *core;
	m3 rotation;
	v3 *vertices;
} posed;

/* A unit direction and the separation of the cores along it. */
typedef struct candidate {
	v3 normal;
	double separation;
} candidate;

typedef struct candidates {
	candidate *items;
	size_t count;
	candidate best;
	double least_cross; /* sine of the two most parallel edges that were crossed */
} candidates;

/* Two points, one of each core, and a direction across both features where there is one. */
typedef struct closest {
	v3 a, b;
	v3 across;
	double distance;
} closest;

static void project(const posed *shape, v3 direction, double *least, double *most)
{
	double low = DBL_MAX, high = -DBL_MAX;
	for (size_t i = 0; i < shape->core->vertex_count; i++) {
		double value = v3_dot(shape->vertices[i], direction);
		low = value < low ? value : low;
		high = value > high ? value : high;
	}
	*least = low;
	*most = high;
}

/* Separation of the cores along a unit direction, from A to B. */
static double separation_along(const posed *a, const posed *b, v3 direction)
{
	double a_least, a_most, b_least, b_most;
	project(a, direction, &a_least, &a_most);
	project(b, direction, &b_least, &b_most);
	return b_least - a_most;
}

static void add_candidate(candidates *list, v3 normal, double separation)
{
	candidate item = {normal, separation};
	list->items[list->count++] = item;
	if (list->count == 1 || separation > list->best.separation)
		list->best = item;
}

/* Both senses of an axis: one projection serves both. */
static void try_axis(const posed *a, const posed *b, v3 axis, candidates *list)
{
	double a_least, a_most, b_least, b_most;
	project(a, axis, &a_least, &a_most);
	project(b, axis, &b_least, &b_most);
	add_candidate(list, axis, b_least - a_most);
	add_candidate(list, v3_scale(axis, -1), a_least - b_most);
}

static void try_faces(const posed *a, const posed *b, candidates *list)
{
	for (size_t i = 0; i < a->core->normal_count; i++)
		try_axis(a, b, m3_apply(a->rotation, a->core->normals[i]), list);
	for (size_t i = 0; i < b->core->normal_count; i++)
		try_axis(a, b, m3_apply(b->rotation, b->core->normals[i]), list);
}

static void try_edge_crosses(const posed *a, const posed *b, candidates *list)
{
	for (size_t i = 0; i < a->core->direction_count; i++) {
		v3 along = m3_apply(a->rotation, a->core->directions[i]);
		for (size_t j = 0; j < b->core->direction_count; j++) {
			v3 cross = v3_cross(along, m3_apply(b->rotation, b->core->directions[j]));
			if (v3_length(cross) <= SAME_DIRECTION)
				continue;
			list->least_cross = fmin(list->least_cross, v3_length(cross));
			try_axis(a, b, v3_unit(cross), list);
		}
	}
}

/* A flat core has two opposite normals. Beside one that lies in its plane, no face and no two edges look along that plane. */
static void try_flat_edges(const posed *flat, const posed *a, const posed *b, candidates *list)
{
	const posed *both[2] = {a, b};
	if (flat->core->normal_count != 2 ||
		v3_length(v3_add(flat->core->normals[0], flat->core->normals[1])) > SAME_DIRECTION)
		return;
	v3 normal = m3_apply(flat->rotation, flat->core->normals[0]);
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < both[k]->core->direction_count; i++) {
			v3 across = v3_cross(m3_apply(both[k]->rotation, both[k]->core->directions[i]), normal);
			if (v3_length(across) > SAME_DIRECTION)
				try_axis(a, b, v3_unit(across), list);
		}
	}
}

/* Cores without faces (points, lines) can have a difference that is a line or a point: every direction
 * across it is as good as another. */
static void try_across_lines(const posed *a, const posed *b, candidates *list)
{
	const posed *both[2] = {a, b};
	if (a->core->normal_count + b->core->normal_count > 0)
		return;
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < both[k]->core->direction_count; i++) {
			v3 along = m3_apply(both[k]->rotation, both[k]->core->directions[i]);
			v3 across = v3_across(along);
			try_axis(a, b, across, list);
			try_axis(a, b, v3_cross(along, across), list);
		}
	}
	try_axis(a, b, v3_of(1, 0, 0), list);
	try_axis(a, b, v3_of(0, 1, 0), list);
	try_axis(a, b, v3_of(0, 0, 1), list);
}

static void keep_closer(closest *best, v3 a, v3 b, v3 across)
{
	double distance = v3_length(v3_sub(b, a));
	if (distance < best->distance)
		*best = (closest){a, b, across, distance};
}

static v3 closest_on_segment(v3 start, v3 end, v3 point)
{
	v3 edge = v3_sub(end, start);
	double squared = v3_dot(edge, edge);
	double t = squared > 0 ? v3_dot(v3_sub(point, start), edge) / squared : 0;
	return t <= 0 ? start : t >= 1 ? end : v3_add(start, v3_scale(edge, t));
}

/* Least distance of two segments: at an end of one of them, or between inner points of both, where the
 * shortest way is across both. The cross product keeps that exact for nearly parallel segments. */
static void try_segments(v3 a, v3 a_end, v3 b, v3 b_end, closest *best)
{
	const v3 none = {0, 0, 0};
	v3 along_a = v3_sub(a_end, a), along_b = v3_sub(b_end, b), between = v3_sub(b, a);
	v3 cross = v3_cross(along_a, along_b);
	double squared = v3_dot(cross, cross);
	keep_closer(best, a, closest_on_segment(b, b_end, a), none);
	keep_closer(best, a_end, closest_on_segment(b, b_end, a_end), none);
	keep_closer(best, closest_on_segment(a, a_end, b), b, none);
	keep_closer(best, closest_on_segment(a, a_end, b_end), b_end, none);
	if (!(squared > 0))
		return;
	double s = v3_dot(v3_cross(between, along_b), cross) / squared;
	double t = v3_dot(v3_cross(between, along_a), cross) / squared;
	if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
		keep_closer(best, v3_add(a, v3_scale(along_a, s)), v3_add(b, v3_scale(along_b, t)), v3_unit(cross));
}

static closest closest_edges(const posed *a, const posed *b)
{
	closest best = {.distance = DBL_MAX};
	for (size_t i = 0; i < a->core->edge_count; i++) {
		oracle_edge edge_a = a->core->edges[i];
		for (size_t j = 0; j < b->core->edge_count; j++) {
			oracle_edge edge_b = b->core->edges[j];
			try_segments(a->vertices[edge_a.start], a->vertices[edge_a.end], b->vertices[edge_b.start],
				b->vertices[edge_b.end], &best);
		}
	}
	return best;
}

/* Best proof of a gap for the two closest edge points: along their difference, or, which is better
 * conditioned where they nearly touch, across the two edges. */
static candidate gap_of_edges(const posed *a, const posed *b, const closest *points)
{
	v3 difference = v3_sub(points->b, points->a);
	candidate best = {v3_unit(difference), separation_along(a, b, v3_unit(difference))};
	v3 across = v3_dot(difference, points->across) < 0 ? v3_scale(points->across, -1) : points->across;
	double separation = v3_length(across) > 0 ? separation_along(a, b, across) : -DBL_MAX;
	return separation > best.separation ? (candidate){across, separation} : best;
}

/* Keep the better proof of a gap, of two points that are as close as any up to rounding. */
static void keep_better_gap(const posed *a, const posed *b, v3 point_a, v3 point_b, double limit, candidate *best)
{
	const closest points = {.a = point_a, .b = point_b, .distance = v3_length(v3_sub(point_b, point_a))};
	if (points.distance > limit)
		return;
	candidate gap = gap_of_edges(a, b, &points);
	*best = gap.separation > best->separation ? gap : *best;
}

/* The best proof over all ends of edges and what is closest to them: just beside the end of an edge, the
 * edges that meet there are equally close up to rounding, and only the right one's point gives the
 * direction. */
static candidate gap_of_close_edges(const posed *a, const posed *b, candidate best, double limit)
{
	for (size_t i = 0; i < a->core->edge_count; i++) {
		v3 a0 = a->vertices[a->core->edges[i].start], a1 = a->vertices[a->core->edges[i].end];
		for (size_t j = 0; j < b->core->edge_count; j++) {
			v3 b0 = b->vertices[b->core->edges[j].start], b1 = b->vertices[b->core->edges[j].end];
			keep_better_gap(a, b, a0, closest_on_segment(b0, b1, a0), limit, &best);
			keep_better_gap(a, b, a1, closest_on_segment(b0, b1, a1), limit, &best);
			keep_better_gap(a, b, closest_on_segment(a0, a1, b0), b0, limit, &best);
			keep_better_gap(a, b, closest_on_segment(a0, a1, b1), b1, limit, &best);
		}
	}
	return best;
}

static bool is_unique(const candidates *list, double smaller_bound)
{
	const double five_degrees = 0.99619469809174555;
	for (size_t i = 0; i < list->count; i++) {
		if (v3_dot(list->items[i].normal, list->best.normal) < five_degrees &&
			list->items[i].separation > list->best.separation - 1e-3 * smaller_bound)
			return false;
	}
	return true;
}

static bool proves_gap(const candidate *gap, const closest *points, double scale)
{
	return gap->separation > 0 && (points->distance - gap->separation) * points->distance <= 1e-13 * scale * scale;
}

/* The cores: a gap between edges that a support plane proves; else a gap of a vertex over a face; else
 * the shallowest of all directions. Far below rounding the kinds of gap cannot be distinguished, and the
 * difference becomes uncertainty. */
static void solve_posed(const posed *a, const posed *b, candidates *list, oracle_answer *answer)
{
	closest points = closest_edges(a, b);
	double scale = a->core->bound + b->core->bound + points.distance;
	double smaller = fmin(a->core->bound, b->core->bound);
	candidate gap = gap_of_edges(a, b, &points);
	double hard_to_tell = points.distance <= 1e-7 * scale ? points.distance : 0;
	answer->unique = points.distance > 1e-6 * scale;
	answer->separation = points.distance;
	answer->doubt = 0;
	if (!proves_gap(&gap, &points, scale))
		gap = gap_of_close_edges(a, b, gap, points.distance * (1 + 1e-12));
	answer->normal = gap.normal;
	if (proves_gap(&gap, &points, scale)) {
		/* The truth lies between the support planes' gap and the points' distance. */
		answer->doubt = fmax(0, points.distance - gap.separation);
		return;
	}
	try_faces(a, b, list);
	/* Where the closest edges prove more than any face does, no vertex is nearest over a face: beside the end of nearly
	 * parallel edges the points are right to more digits than the direction between them. */
	if (gap.separation > 0 && list->count > 0 && gap.separation > list->best.separation) {
		answer->doubt = fmax(0, points.distance - gap.separation);
		return;
	}
	if (list->count > 0 && list->best.separation > 0) {
		answer->normal = list->best.normal;
		answer->separation = list->best.separation;
		answer->doubt = fmax(0, hard_to_tell - list->best.separation);
		answer->unique = answer->separation > 1e-6 * scale;
		return;
	}
	try_edge_crosses(a, b, list);
	try_flat_edges(a, a, b, list);
	try_flat_edges(b, a, b, list);
	try_across_lines(a, b, list);
	if (list->best.separation > 1e-14 * scale) {
		answer->doubt = fmax(0, hard_to_tell - list->best.separation);
		answer->unique = false;
		return;
	}
	/* The cross product of nearly parallel edges has as few digits as its sine leaves. */
	answer->normal = list->best.normal;
	answer->separation = list->best.separation;
	answer->doubt = 4 * DBL_EPSILON * scale / list->least_cross;
	answer->unique = is_unique(list, smaller);
}

static v3 *pose_vertices(const oracle_shape *core, m3 rotation, v3 offset)
{
	v3 *vertices = malloc(core->vertex_count * sizeof *vertices);
	for (size_t i = 0; vertices != NULL && i < core->vertex_count; i++)
		vertices[i] = v3_add(m3_apply(rotation, core->vertices[i]), offset);
	return vertices;
}

bool oracle_solve(const oracle_shape *a, const oracle_pose *pose_a, const oracle_shape *b, const oracle_pose *pose_b,
	oracle_answer *answer)
{
	m3 rotation_a = m3_of_quaternion(pose_a->rotation), rotation_b = m3_of_quaternion(pose_b->rotation);
	v3 offset = v3_sub(pose_b->position, pose_a->position);
	size_t lines = 4 * (a->direction_count + b->direction_count) + 3;
	size_t axes = a->normal_count + b->normal_count + a->direction_count * b->direction_count + lines;
	posed posed_a = {a, rotation_a, pose_vertices(a, rotation_a, v3_of(0, 0, 0))};
	posed posed_b = {b, rotation_b, pose_vertices(b, rotation_b, offset)};
	candidates list = {.items = malloc(2 * axes * sizeof *list.items), .least_cross = 1};
	bool done = a->has_features && b->has_features && posed_a.vertices != NULL && posed_b.vertices != NULL &&
	            list.items != NULL;
	if (done) {
		solve_posed(&posed_a, &posed_b, &list, answer);
		answer->separation -= a->radius + b->radius;
	}
	free(posed_a.vertices);
	free(posed_b.vertices);
	free(list.items);
	return done;
}

double oracle_point_separation(const oracle_shape *shape, const oracle_pose *pose, v3 point)
{
	v3 origin = {0, 0, 0};
	oracle_edge self = {0, 0};
	oracle_shape dot = {.has_features = true, .vertex_count = 1, .edge_count = 1, .vertices = &origin, .edges = &self};
	oracle_pose at = {.position = point, .rotation = {0, 0, 0, 1}};
	oracle_answer answer;
	return oracle_solve(shape, pose, &dot, &at, &answer) ? answer.separation : NAN;
}
