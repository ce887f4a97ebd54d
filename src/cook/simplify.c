/* Hulls of few vertices: of the full hull's vertices, those that leave the least outside. */
#include <math.h>
#include <stdlib.h>

#include "core/environment.h"
#include "internal.h"
#include "nearest.h"
#include "widephase/query.h"

/* Fewest vertices of a solid. */
#define VERTICES_MIN 4

/* A frame in which all inputs are within [0, 2], the largest extent above 1: tolerances are plain numbers
 * there. Unlike the box frame of the points it keeps distances, but for a factor that is a power of two. */
typedef struct frame {
	double low[3];
	double scale;
} frame;

/* A vertex of the full hull, and what is known of its distance to the chosen ones. */
typedef struct candidate {
	double at[3];
	nearest nearest;
	uint32_t id;
	bool chosen;
} candidate;

typedef struct simplifier {
	const cook *c;
	frame frame;
	candidate *candidates;
	uint32_t candidate_count;
	double (*chosen)[3]; /* in the frame, in the order of choice */
	uint32_t chosen_count;
} simplifier;

static void into_frame(const frame *f, const float point[3], double at[3])
{
	for (int axis = 0; axis < 3; axis++)
		at[axis] = ((double)point[axis] - f->low[axis]) * f->scale;
}

static frame frame_of(const cook *c)
{
	frame f = {.scale = 1.0};
	double extent = 0.0;
	for (int axis = 0; axis < 3; axis++) {
		double high = -INFINITY;
		f.low[axis] = INFINITY;
		for (uint32_t i = 0; i < c->point_count; i++) {
			float point[3];
			load_point(c, c->points[i].source, point);
			f.low[axis] = fmin(f.low[axis], (double)point[axis]);
			high = fmax(high, (double)point[axis]);
		}
		extent = fmax(extent, high - f.low[axis]);
	}
	int exponent = 0;
	if (extent > 0.0) {
		(void)frexp(extent, &exponent);
		f.scale = ldexp(1.0, 1 - exponent);
	}
	return f;
}

static void begin(simplifier *s)
{
	for (uint32_t id = 0; id < s->c->point_count; id++) {
		if (!s->c->is_extreme[id])
			continue;
		float point[3];
		candidate *const to = &s->candidates[s->candidate_count++];
		*to = (candidate){.id = id};
		load_point(s->c, s->c->points[id].source, point);
		into_frame(&s->frame, point, to->at);
	}
}

static void choose(simplifier *s, candidate *which)
{
	memcpy(s->chosen[s->chosen_count++], which->at, sizeof which->at);
	which->chosen = true;
	which->nearest.square = 0.0;
}

/* The candidate farthest from the middle of the inputs. */
static candidate *first_choice(const simplifier *s)
{
	candidate *best = &s->candidates[0];
	double middle[3] = {0.0, 0.0, 0.0}, most = -1.0;
	for (int axis = 0; axis < 3; axis++) {
		for (uint32_t i = 0; i < s->candidate_count; i++)
			middle[axis] = fmax(middle[axis], 0.5 * s->candidates[i].at[axis]);
	}
	for (uint32_t i = 0; i < s->candidate_count; i++) {
		double d[3];
		subtract(s->candidates[i].at, middle, d);
		if (wp_dot3(d, d) > most) {
			most = wp_dot3(d, d);
			best = &s->candidates[i];
		}
	}
	return best;
}

static candidate *farthest(const simplifier *s)
{
	candidate *best = &s->candidates[0];
	for (uint32_t i = 1; i < s->candidate_count; i++) {
		if (s->candidates[i].nearest.square > best->nearest.square)
			best = &s->candidates[i];
	}
	return best;
}

/* Choose `wanted` vertices, each the one farthest from the hull of those before, or fewer where nothing is
 * left outside. A new vertex changes the nearest point of a candidate only where it lies beyond the plane
 * across the way there. */
static void choose_vertices(simplifier *s, size_t wanted)
{
	choose(s, first_choice(s));
	for (uint32_t i = 0; i < s->candidate_count; i++) {
		if (!s->candidates[i].chosen)
			s->candidates[i].nearest = wp_nearest_begin((const double(*)[3])s->chosen, 0, s->candidates[i].at);
	}
	while (s->chosen_count < wanted) {
		candidate *const next = farthest(s);
		if (!(next->nearest.square > NEAREST_ROUNDING * NEAREST_ROUNDING))
			return;
		choose(s, next);
		for (uint32_t i = 0; i < s->candidate_count; i++) {
			candidate *const other = &s->candidates[i];
			if (!other->chosen && wp_nearest_gains(&other->nearest, next->at, other->at))
				wp_nearest_improve((const double(*)[3])s->chosen, s->chosen_count, other->at, 0.0, &other->nearest);
		}
	}
}

static int compare_sources(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a;
	const uint32_t y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* Cook what was chosen, in the order of the input. */
static wp_error cook_chosen(const simplifier *s, const wp_hull **hull)
{
	uint32_t *const sources = malloc(s->chosen_count * sizeof *sources);
	float(*const points)[3] = malloc(s->chosen_count * sizeof *points);
	wp_error error = WP_ERROR_HULL_COOK;
	if (sources != NULL && points != NULL) {
		uint32_t count = 0;
		for (uint32_t i = 0; i < s->candidate_count; i++) {
			if (s->candidates[i].chosen)
				sources[count++] = s->c->points[s->candidates[i].id].source;
		}
		qsort(sources, count, sizeof *sources, compare_sources);
		for (uint32_t i = 0; i < count; i++)
			load_point(s->c, sources[i], points[i]);
		error = wp_cook_points(points[0], 0, count, hull, NULL);
	}
	free(sources);
	free(points);
	return error;
}

/* Choose among the extreme points that were found, and cook these. */
static wp_error reduce(cook *c, size_t extreme_count, size_t wanted, const wp_hull **hull)
{
	simplifier s = {.c = c, .frame = frame_of(c)};
	wp_error error = WP_ERROR_HULL_COOK;
	s.candidates = malloc(extreme_count * sizeof *s.candidates);
	s.chosen = malloc(wanted * sizeof *s.chosen);
	if (s.candidates != NULL && s.chosen != NULL) {
		begin(&s);
		choose_vertices(&s, wanted);
		error = cook_chosen(&s, hull);
	}
	free(s.candidates);
	free(s.chosen);
	return error;
}

/* ---- the error ---------------------------------------------------------------------------------- */

/* Upper bound of a point's distance from the hull of the vertices, or `known` where it is not above that.
 * `*from` is the vertex to begin at, and becomes one near the point. */
static double distance_bound(
	const wp_hull *hull, const double (*vertex)[3], const frame *f, const float point[3], double known, uint32_t *from)
{
	const double room = known - NEAREST_ROUNDING;
	double at[3];
	into_frame(f, point, at);
	nearest found = wp_nearest_begin(vertex, *from, at);
	wp_nearest_improve(vertex, (uint32_t)wp_hull_vertex_count(hull), at, room > 0.0 ? room * room : 0.0, &found);
	*from = found.corner[0];
	if (found.count == 1) {
		float corner[3];
		wp_hull_vertex(hull, found.corner[0], corner);
		if (corner[0] == point[0] && corner[1] == point[1] && corner[2] == point[2])
			return known;
	}
	return fmax(known, sqrt(found.square) + NEAREST_ROUNDING);
}

/* Largest distance of an input point from the hull, rounded up. The extreme points come first: the others are
 * nearer, but for rounding, so that a first rough bound of theirs is enough. */
static bool measure(const cook *c, const wp_hull *hull, float *error)
{
	const frame f = frame_of(c);
	const size_t count = wp_hull_vertex_count(hull);
	double(*const vertex)[3] = malloc(count * sizeof *vertex);
	if (vertex == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		float corner[3];
		wp_hull_vertex(hull, i, corner);
		into_frame(&f, corner, vertex[i]);
	}
	double most = 0.0;
	uint32_t from = 0;
	for (int extreme = 1; extreme >= 0; extreme--) {
		for (uint32_t id = 0; id < c->point_count; id++) {
			float point[3];
			if (c->is_extreme[id] != (extreme == 1))
				continue;
			load_point(c, c->points[id].source, point);
			most = distance_bound(hull, (const double(*)[3])vertex, &f, point, most, &from);
		}
	}
	free(vertex);
	*error = -wp_round_down(-most / f.scale);
	return true;
}

wp_error wp_cook_simplified(const float *points, size_t point_stride, size_t count, size_t max_vertices,
	const wp_hull **hull, float *error, size_t *bad_index)
{
	if (hull == NULL)
		return WP_ERROR_NULL_HULL;
	*hull = NULL;
	if (max_vertices < VERTICES_MIN)
		return WP_ERROR_MAX_VERTICES;
	const wp_environment before = wp_environment_enter();
	cook c;
	wp_error code = wp_cook_find(&c, points, point_stride, count, bad_index);
	if (code == WP_OK) {
		const size_t wanted = max_vertices < WP_HULL_VERTEX_MAX ? max_vertices : WP_HULL_VERTEX_MAX;
		size_t extreme_count = 0;
		for (uint32_t id = 0; id < c.point_count; id++)
			extreme_count += c.is_extreme[id];
		code = extreme_count > wanted ? reduce(&c, extreme_count, wanted, hull) : wp_cook_build(&c, hull);
	}
	if (code == WP_OK && error != NULL && !measure(&c, *hull, error)) {
		wp_cook_free(*hull);
		*hull = NULL;
		code = WP_ERROR_HULL_COOK;
	}
	wp_cook_release(&c);
	wp_environment_leave(before);
	return code;
}
