/* widephase-cook: convex hulls of points by qhull.
 *
 * The hull of points does not change when an axis is scaled, so everything here happens in a box frame:
 * per axis, the lowest input at 0 and the extent scaled by a power of two into [1, 2). Tolerances are
 * plain numbers there, and bodies of any size or slenderness look alike. */
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <libqhull_r/qhull_ra.h>

#include "core/environment.h"
#include "internal.h"
#include "memory.h"
#include "shape/hull.h"
#include "widephase/query.h"

/* Thickness below which points count as coplanar or collinear, in the box frame: arithmetic in double
 * cannot separate less from zero. */
#define FLAT_TOLERANCE 1e-12

/* Rounding of the inputs, relative to the largest coordinate of their axis, that facets may differ by
 * and still be one polygon: a box that was rotated in float keeps its six faces. */
#define INPUT_NOISE 0x1p-22

#ifdef _WIN32
#define SINK "NUL"
#elif defined(__EMSCRIPTEN__) /* a module without files, whose host drops what it writes */
#define SINK "/dev/stderr"
#else
#define SINK "/dev/null"
#endif

#define NONE UINT32_MAX

/* ---- small tools -------------------------------------------------------------------------------- */

static bool push(list *to, uint32_t value)
{
	if (to->count == to->capacity) {
		const size_t capacity = to->capacity != 0 ? 2 * to->capacity : 64;
		uint32_t *const data = realloc(to->data, capacity * sizeof *data);
		if (data == NULL)
			return false;
		to->data = data;
		to->capacity = capacity;
	}
	to->data[to->count++] = value;
	return true;
}

static void mesh_free(mesh *m)
{
	free(m->start.data);
	free(m->vertex.data);
}

static uint32_t face_count(const mesh *m) { return m->start.count != 0 ? (uint32_t)m->start.count - 1 : 0; }

/* Close the face made of the vertices pushed since the last one. */
static bool end_face(mesh *m) { return push(&m->start, (uint32_t)m->vertex.count); }

static bool begin_mesh(mesh *m)
{
	m->start.count = 0;
	m->vertex.count = 0;
	return push(&m->start, 0);
}

/* ---- input to distinct points in the box frame -------------------------------------------------- */

static wp_error check_points(const cook *c, size_t count, size_t *bad_index)
{
	for (size_t i = 0; i < count; i++) {
		float p[3];
		load_point(c, i, p);
		for (int axis = 0; axis < 3; axis++) {
			if (wp_is_finite_float(p[axis]) && p[axis] <= WP_COORDINATE_MAX && p[axis] >= -WP_COORDINATE_MAX)
				continue;
			if (bad_index != NULL)
				*bad_index = i;
			return WP_ERROR_HULL_VERTEX;
		}
	}
	return WP_OK;
}

/* Order by coordinates, then by index in the input, so that the first of equal points comes first. */
static int compare_points(const void *a, const void *b)
{
	const cook_point *const p = a;
	const cook_point *const q = b;
	for (int axis = 0; axis < 3; axis++) {
		if (p->at[axis] != q->at[axis])
			return p->at[axis] < q->at[axis] ? -1 : 1;
	}
	return (p->source > q->source) - (p->source < q->source);
}

/* Bring one axis into the box frame. Differences of floats and products by powers of two are exact in
 * double, but for parts far below FLAT_TOLERANCE. Returns the largest magnitude of the input along the axis. */
static double frame_axis(cook *c, int axis)
{
	double low = c->points[0].at[axis];
	double high = low;
	for (uint32_t i = 0; i < c->point_count; i++) {
		low = c->points[i].at[axis] < low ? c->points[i].at[axis] : low;
		high = c->points[i].at[axis] > high ? c->points[i].at[axis] : high;
	}
	int exponent = 0;
	if (high > low)
		(void)frexp(high - low, &exponent);
	const double scale = high > low ? ldexp(1.0, 1 - exponent) : 0.0;
	for (uint32_t i = 0; i < c->point_count; i++)
		c->points[i].at[axis] = (c->points[i].at[axis] - low) * scale;
	const double most = -low > high ? -low : high;
	c->noise[axis] = INPUT_NOISE * scale * most;
	return most;
}

static void keep_distinct(cook *c)
{
	uint32_t kept = 1;
	for (uint32_t i = 1; i < c->point_count; i++) {
		const double *const p = c->points[i].at;
		const double *const last = c->points[kept - 1].at;
		if (p[0] != last[0] || p[1] != last[1] || p[2] != last[2])
			c->points[kept++] = c->points[i];
	}
	c->point_count = kept;
}

static wp_error take_points(cook *c, size_t count)
{
	c->points = malloc(count * sizeof *c->points);
	c->is_extreme = calloc(count, sizeof *c->is_extreme);
	if (c->points == NULL || c->is_extreme == NULL)
		return WP_ERROR_HULL_COOK;
	c->point_count = (uint32_t)count;
	for (uint32_t i = 0; i < c->point_count; i++) {
		float p[3];
		load_point(c, i, p);
		c->points[i].source = i;
		for (int axis = 0; axis < 3; axis++)
			c->points[i].at[axis] = p[axis];
	}
	double most[3];
	for (int axis = 0; axis < 3; axis++)
		most[axis] = frame_axis(c, axis);
	c->rounding = WP_HULL_PLACE_ROUNDING * wp_length3(most) + WP_HULL_PLACE_SPACING;
	qsort(c->points, c->point_count, sizeof *c->points, compare_points);
	keep_distinct(c);
	return WP_OK;
}

/* ---- sets without volume ------------------------------------------------------------------------ */

/* Longest vector to a point from the line along `axis` through point 0 or, where axis is NULL, from
 * point 0. */
static void farthest_from_line(const cook *c, const double *axis, double away[3])
{
	double best_square = -1.0;
	memset(away, 0, 3 * sizeof *away);
	for (uint32_t i = 0; i < c->point_count; i++) {
		double d[3];
		subtract(c->points[i].at, c->points[0].at, d);
		const double along = axis != NULL ? wp_dot3(d, axis) / wp_dot3(axis, axis) : 0.0;
		for (int k = 0; k < 3 && axis != NULL; k++)
			d[k] -= along * axis[k];
		if (wp_dot3(d, d) > best_square) {
			best_square = wp_dot3(d, d);
			memcpy(away, d, sizeof d);
		}
	}
}

/* Dimension of the set, 0 to 3. For 2, *normal is the normal of the plane. */
static int dimension_of(const cook *c, double normal[3])
{
	double axis[3];
	double across[3];
	farthest_from_line(c, NULL, axis);
	if (!(wp_dot3(axis, axis) > 0.0))
		return 0;
	farthest_from_line(c, axis, across);
	if (!(wp_dot3(across, across) > FLAT_TOLERANCE * FLAT_TOLERANCE))
		return 1;
	wp_cross3(axis, across, normal);
	const double limit = FLAT_TOLERANCE * FLAT_TOLERANCE * wp_dot3(normal, normal);
	for (uint32_t i = 0; i < c->point_count; i++) {
		double d[3];
		subtract(c->points[i].at, c->points[0].at, d);
		const double height = wp_dot3(d, normal);
		if (height * height > limit)
			return 3;
	}
	return 2;
}

typedef struct flat_point {
	double u, v;
	uint32_t id;
} flat_point;

static int compare_flat_points(const void *a, const void *b)
{
	const flat_point *const p = a;
	const flat_point *const q = b;
	if (p->u != q->u)
		return p->u < q->u ? -1 : 1;
	return (p->v > q->v) - (p->v < q->v);
}

static bool turns_left(const flat_point *a, const flat_point *b, const flat_point *c)
{
	return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u) > 0.0;
}

/* Andrew's monotone chain (1979): the corners of the convex polygon of sorted points, counter-clockwise,
 * into corner[0 .. 2 count). */
static size_t chain(const flat_point *points, size_t count, flat_point *corner)
{
	size_t used = 0;
	for (size_t i = 0; i < count; i++) {
		while (used >= 2 && !turns_left(&corner[used - 2], &corner[used - 1], &points[i]))
			used--;
		corner[used++] = points[i];
	}
	const size_t lower = used + 1;
	for (size_t i = count - 1; i-- > 0;) {
		while (used >= lower && !turns_left(&corner[used - 2], &corner[used - 1], &points[i]))
			used--;
		corner[used++] = points[i];
	}
	return used - 1;
}

static bool push_both_sides(cook *c, const flat_point *corner, size_t count)
{
	bool done = begin_mesh(&c->faces);
	for (size_t i = 0; i < count; i++) {
		c->is_extreme[corner[i].id] = true;
		done = done && push(&c->faces.vertex, corner[i].id);
	}
	done = done && end_face(&c->faces);
	for (size_t i = count; i-- > 0;)
		done = done && push(&c->faces.vertex, corner[i].id);
	return done && end_face(&c->faces);
}

/* The polygon of a coplanar set, found in its projection along the axis nearest to the normal. */
static wp_error cook_flat(cook *c, const double normal[3])
{
	int drop = 0;
	for (int axis = 1; axis < 3; axis++) {
		if (normal[axis] * normal[axis] > normal[drop] * normal[drop])
			drop = axis;
	}
	flat_point *const points = malloc(3 * (size_t)c->point_count * sizeof *points);
	if (points == NULL)
		return WP_ERROR_HULL_COOK;
	for (uint32_t i = 0; i < c->point_count; i++) {
		points[i].u = c->points[i].at[(drop + 1) % 3];
		points[i].v = c->points[i].at[(drop + 2) % 3];
		points[i].id = i;
	}
	qsort(points, c->point_count, sizeof *points, compare_flat_points);
	flat_point *const corner = points + c->point_count;
	const size_t count = chain(points, c->point_count, corner);
	const bool done = count >= 3 && push_both_sides(c, corner, count);
	free(points);
	return done ? WP_OK : WP_ERROR_HULL_COOK;
}

/* ---- qhull -------------------------------------------------------------------------------------- */

/* Qhull lists the vertices clockwise seen from outside. */
static bool read_facet(qhT *qh, facetT *facet, mesh *m)
{
	setT *vertices = qh_facet3vertex(qh, facet);
	bool done = true;
	for (int i = qh_setsize(qh, vertices); i-- > 0;)
		done = done && push(&m->vertex, (uint32_t)qh_pointid(qh, SETelemt_(vertices, i, vertexT)->point));
	qh_settempfree(qh, &vertices);
	return done && end_face(m);
}

static bool read_facets(qhT *qh, mesh *m)
{
	facetT *facet;
	bool done = begin_mesh(m);
	FORALLfacets { done = done && read_facet(qh, facet, m); }
	return done;
}

/* Qhull reports errors by longjmp once a target is set. */
static bool read_facets_guarded(qhT *qh, mesh *m)
{
	if (setjmp(qh->errexit) != 0) {
		qh->NOerrexit = True;
		return false;
	}
	qh->NOerrexit = False;
	const bool done = read_facets(qh, m);
	qh->NOerrexit = True;
	return done;
}

static bool run_qhull(coordT *coordinates, uint32_t count, mesh *m)
{
	FILE *const sink = fopen(SINK, "w");
	qhT *const qh = malloc(sizeof *qh);
	bool done = false;
	if (sink != NULL && qh != NULL) {
		char command[] = "qhull Pp";
		qh_zero(qh, sink);
		done = qh_new_qhull(qh, 3, (int)count, coordinates, False, command, NULL, sink) == 0;
		done = done && read_facets_guarded(qh, m);
		int leaked_blocks;
		int leaked_bytes;
		qh_freeqhull(qh, qh_ALL);
		qh_memfreeshort(qh, &leaked_blocks, &leaked_bytes);
	}
	free(qh);
	if (sink != NULL)
		fclose(sink);
	return done;
}

/* ---- merging coplanar facets -------------------------------------------------------------------- */

/* The facets as a closed surface, and the polygons grown on it. */
typedef struct surface {
	const cook *c;
	const mesh *m;
	uint32_t *face_of;   /* [edges] */
	uint32_t *twin;      /* [edges] the same edge seen from the neighbour */
	uint64_t *keys;      /* [edges] scratch of sorting */
	uint32_t *region;    /* [faces] seed of the polygon that took the face, or NONE */
	uint32_t *mark;      /* [points] seed of the last polygon whose outline passed */
	double (*normal)[3]; /* [faces] of twice the face's area */
	list members;        /* faces of the polygon being grown */
} surface;

static void surface_free(surface *s)
{
	free(s->face_of);
	free(s->twin);
	free(s->keys);
	free(s->region);
	free(s->mark);
	free(s->normal);
	free(s->members.data);
}

static uint32_t next_edge(const surface *s, uint32_t edge)
{
	const uint32_t *const start = &s->m->start.data[s->face_of[edge]];
	return edge + 1 == start[1] ? start[0] : edge + 1;
}

static uint32_t origin(const surface *s, uint32_t edge) { return s->m->vertex.data[edge]; }

/* Sum of the cross products of a polygon's triangles (Newell): exact in direction for a planar polygon,
 * a mean for one that is not. */
static void polygon_normal(const cook *c, const uint32_t *vertex, size_t count, double normal[3])
{
	const double *const base = c->points[vertex[0]].at;
	memset(normal, 0, 3 * sizeof normal[0]);
	for (size_t i = 1; i + 1 < count; i++) {
		double a[3];
		double b[3];
		double product[3];
		subtract(c->points[vertex[i]].at, base, a);
		subtract(c->points[vertex[i + 1]].at, base, b);
		wp_cross3(a, b, product);
		for (int k = 0; k < 3; k++)
			normal[k] += product[k];
	}
}

static bool surface_allocate(surface *s)
{
	const size_t edges = s->m->vertex.count;
	const size_t faces = face_count(s->m);
	s->face_of = malloc(edges * sizeof *s->face_of);
	s->twin = malloc(edges * sizeof *s->twin);
	s->keys = malloc(2 * edges * sizeof *s->keys);
	s->region = malloc(faces * sizeof *s->region);
	s->mark = malloc(s->c->point_count * sizeof *s->mark);
	s->normal = malloc(faces * sizeof *s->normal);
	if (!s->face_of || !s->twin || !s->keys || !s->region || !s->mark || !s->normal)
		return false;
	memset(s->region, 0xff, faces * sizeof *s->region);
	memset(s->mark, 0xff, s->c->point_count * sizeof *s->mark);
	for (uint32_t face = 0; face < faces; face++) {
		const uint32_t first = s->m->start.data[face];
		const uint32_t end = s->m->start.data[face + 1];
		for (uint32_t edge = first; edge < end; edge++)
			s->face_of[edge] = face;
		polygon_normal(s->c, s->m->vertex.data + first, end - first, s->normal[face]);
	}
	return true;
}

bool wp_cook_pair_edges(
	const uint32_t *start, uint32_t face_count, const uint32_t *vertex, uint64_t *keys, uint32_t *twin)
{
	const size_t edges = start[face_count];
	for (uint32_t face = 0; face < face_count; face++) {
		for (uint32_t edge = start[face]; edge < start[face + 1]; edge++) {
			const uint64_t a = vertex[edge];
			const uint64_t b = vertex[edge + 1 == start[face + 1] ? start[face] : edge + 1];
			keys[2 * edge] = a < b ? a << 32 | b : b << 32 | a;
			keys[2 * edge + 1] = edge;
		}
	}
	qsort(keys, edges, 2 * sizeof *keys, cook_compare_keys);
	for (size_t i = 0; i + 1 < edges; i += 2) {
		const uint32_t edge = (uint32_t)keys[2 * i + 1];
		const uint32_t other = (uint32_t)keys[2 * i + 3];
		if (keys[2 * i] != keys[2 * i + 2] || vertex[edge] == vertex[other])
			return false;
		if (i + 2 < edges && keys[2 * i] == keys[2 * i + 4])
			return false;
		twin[edge] = other;
		twin[other] = edge;
	}
	return edges % 2 == 0;
}

static bool surface_join(surface *s)
{
	return wp_cook_pair_edges(s->m->start.data, face_count(s->m), s->m->vertex.data, s->keys, s->twin);
}

/* Whether `face` lies in the plane of `seed`, but for the rounding of the inputs, and faces its way. */
static bool is_coplanar(const surface *s, uint32_t seed, uint32_t face)
{
	const double *const n = s->normal[seed];
	if (!(wp_dot3(n, s->normal[face]) > 0.0))
		return false;
	const double *const base = s->c->points[origin(s, s->m->start.data[seed])].at;
	double limit = 0.0; /* a height times the length of n */
	for (int i = 0; i < 3; i++)
		limit += (n[i] < 0.0 ? -n[i] : n[i]) * s->c->noise[i];
	for (uint32_t edge = s->m->start.data[face]; edge < s->m->start.data[face + 1]; edge++) {
		double d[3];
		subtract(s->c->points[origin(s, edge)].at, base, d);
		const double height = wp_dot3(d, n);
		if (!(height <= limit && height >= -limit))
			return false;
	}
	return true;
}

/* Collect the connected faces in the plane of the seed. */
static bool grow(surface *s, uint32_t seed)
{
	s->members.count = 0;
	s->region[seed] = seed;
	if (!push(&s->members, seed))
		return false;
	for (size_t i = 0; i < s->members.count; i++) {
		const uint32_t *const start = &s->m->start.data[s->members.data[i]];
		for (uint32_t edge = start[0]; edge < start[1]; edge++) {
			const uint32_t face = s->face_of[s->twin[edge]];
			if (s->region[face] != NONE || !is_coplanar(s, seed, face))
				continue;
			s->region[face] = seed;
			if (!push(&s->members, face))
				return false;
		}
	}
	return true;
}

static bool is_boundary(const surface *s, uint32_t edge, uint32_t seed)
{
	return s->region[s->face_of[s->twin[edge]]] != seed;
}

/* Next edge along the outline of a region: turn about the end point through the region's faces. */
static uint32_t next_boundary(const surface *s, uint32_t edge, uint32_t seed)
{
	uint32_t next = next_edge(s, edge);
	while (!is_boundary(s, next, seed))
		next = next_edge(s, s->twin[next]);
	return next;
}

/* Push the outline of the grown region. *simple is set if that is one closed polygon that passes each
 * vertex of the region once: no hole, no pinch, no vertex inside. */
static bool push_outline(surface *s, uint32_t seed, mesh *out, bool *simple)
{
	uint32_t first = NONE;
	size_t boundary = 0;
	for (size_t i = 0; i < s->members.count; i++) {
		const uint32_t *const start = &s->m->start.data[s->members.data[i]];
		for (uint32_t edge = start[0]; edge < start[1]; edge++) {
			if (!is_boundary(s, edge, seed))
				continue;
			boundary++;
			first = edge;
		}
	}
	*simple = first != NONE;
	for (uint32_t edge = first; *simple;) {
		*simple = s->mark[origin(s, edge)] != seed;
		s->mark[origin(s, edge)] = seed;
		boundary--;
		if (!push(&out->vertex, origin(s, edge)))
			return false;
		edge = next_boundary(s, edge, seed);
		if (edge == first)
			break;
	}
	*simple = *simple && boundary == 0;
	for (size_t i = 0; i < s->members.count && *simple; i++) {
		const uint32_t *const start = &s->m->start.data[s->members.data[i]];
		for (uint32_t edge = start[0]; edge < start[1]; edge++)
			*simple = *simple && s->mark[origin(s, edge)] == seed;
	}
	return true;
}

/* How far a point may move the height of an edge's end over the other end across n, a height times the length of n. */
static double noise_across(const cook *c, const double edge[3], const double n[3])
{
	double across[3], sum = 0.0;
	wp_cross3(edge, n, across);
	for (int i = 0; i < 3; i++)
		sum += (across[i] < 0.0 ? -across[i] : across[i]) * c->noise[i];
	return sum;
}

/* Whether a polygon turns left at each corner as the seed is seen, but for the rounding of the inputs. Facets in the plane
 * of a seed need not make such a one: of a slightly domed surface they are some in the middle, with an outline of zigzag. */
static bool is_convex(const surface *s, uint32_t seed, const uint32_t *vertex, size_t count)
{
	const double *const n = s->normal[seed];
	for (size_t i = 0; i < count; i++) {
		const double *const corner = s->c->points[vertex[i]].at;
		double before[3], after[3], turn[3];
		subtract(corner, s->c->points[vertex[i != 0 ? i - 1 : count - 1]].at, before);
		subtract(s->c->points[vertex[i + 1 < count ? i + 1 : 0]].at, corner, after);
		wp_cross3(before, after, turn);
		/* Both edges change by twice the rounding of a point. */
		const double limit = 2.0 * (noise_across(s->c, before, n) + noise_across(s->c, after, n));
		if (!(wp_dot3(turn, n) >= -limit))
			return false;
	}
	return true;
}

/* The way along edge i of a polygon, in the frame of the input. */
static void edge_in_place(const cook *c, const uint32_t *vertex, size_t count, size_t i, double edge[3])
{
	float from[3], to[3];
	load_point(c, c->points[vertex[i]].source, from);
	load_point(c, c->points[vertex[i + 1 < count ? i + 1 : 0]].source, to);
	for (int k = 0; k < 3; k++)
		edge[k] = (double)to[k] - (double)from[k];
}

/* Twice the vector area of a polygon in the frame of the input; false where rounding leaves it no normal. */
static bool find_area_in_place(const cook *c, const uint32_t *vertex, size_t count, double area[3])
{
	double edge[3], product[3], way[3] = {0.0, 0.0, 0.0}, perimeter = 0.0;
	memset(area, 0, 3 * sizeof area[0]);
	for (size_t i = 0; i < count; i++) {
		edge_in_place(c, vertex, count, i, edge);
		wp_cross3(way, edge, product);
		for (int k = 0; k < 3; k++) {
			area[k] += product[k];
			way[k] += edge[k];
		}
		perimeter += wp_length3(edge) + 2.0 * c->rounding;
	}
	return 0.5 * wp_length3(area) > c->rounding * perimeter;
}

/* Whether wp_hull_build takes a polygon for a convex one: each corner turns left, as its own normal in the frame of the input
 * sees it, but for rounding. A set that is nearly flat is stretched in the box frame, where its polygons lean: a corner that
 * turns right may count as rounding there. */
static bool is_convex_in_place(const cook *c, const uint32_t *vertex, size_t count)
{
	double area[3], before[3], after[3], turn[3];
	if (!find_area_in_place(c, vertex, count, area))
		return true;
	const double twice = wp_length3(area);
	edge_in_place(c, vertex, count, count - 1, before);
	for (size_t i = 0; i < count; i++) {
		edge_in_place(c, vertex, count, i, after);
		wp_cross3(before, after, turn);
		const double lengths = wp_length3(before) + wp_length3(after) + 2.0 * c->rounding;
		if (!(wp_dot3(turn, area) >= -2.0 * c->rounding * lengths * twice))
			return false;
		memcpy(before, after, sizeof before);
	}
	return true;
}

/* The faces of the grown region as they are. */
static bool push_members(surface *s, mesh *out)
{
	for (size_t i = 0; i < s->members.count; i++) {
		const uint32_t face = s->members.data[i];
		s->region[face] = face;
		for (uint32_t edge = s->m->start.data[face]; edge < s->m->start.data[face + 1]; edge++) {
			if (!push(&out->vertex, origin(s, edge)))
				return false;
		}
		if (!end_face(out))
			return false;
	}
	return true;
}

/* One polygon of the seed and its coplanar neighbours; if it is not simple or not convex, the separate faces. */
static bool push_region(surface *s, uint32_t seed, mesh *out)
{
	const size_t before = out->vertex.count;
	bool simple;
	if (!grow(s, seed) || !push_outline(s, seed, out, &simple))
		return false;
	const uint32_t *const outline = out->vertex.data + before;
	const size_t count = out->vertex.count - before;
	if (simple && is_convex(s, seed, outline, count) && is_convex_in_place(s->c, outline, count))
		return end_face(out);
	out->vertex.count = before;
	return push_members(s, out);
}

typedef struct seed_order {
	double square; /* of twice the area */
	uint32_t face;
} seed_order;

static int compare_seeds(const void *a, const void *b)
{
	const seed_order *const p = a;
	const seed_order *const q = b;
	if (p->square != q->square)
		return p->square > q->square ? -1 : 1;
	return (p->face > q->face) - (p->face < q->face);
}

/* Merge coplanar facets into polygons, from the largest on: its plane is the best known. */
static bool merge_facets(surface *s, mesh *out)
{
	const uint32_t faces = face_count(s->m);
	seed_order *const order = malloc(faces * sizeof *order);
	if (order == NULL)
		return false;
	for (uint32_t face = 0; face < faces; face++)
		order[face] = (seed_order){wp_dot3(s->normal[face], s->normal[face]), face};
	qsort(order, faces, sizeof *order, compare_seeds);
	bool done = begin_mesh(out);
	for (uint32_t i = 0; i < faces && done; i++) {
		if (s->region[order[i].face] == NONE)
			done = push_region(s, order[i].face, out);
	}
	free(order);
	return done;
}

static wp_error cook_solid(cook *c)
{
	coordT *const coordinates = malloc(3 * (size_t)c->point_count * sizeof *coordinates);
	if (coordinates == NULL)
		return WP_ERROR_HULL_COOK;
	for (uint32_t i = 0; i < c->point_count; i++) {
		for (int axis = 0; axis < 3; axis++)
			coordinates[3 * (size_t)i + (size_t)axis] = c->points[i].at[axis];
	}
	bool done = run_qhull(coordinates, c->point_count, &c->facets);
	free(coordinates);
	if (!done)
		return WP_ERROR_HULL_COOK;

	surface s = {.c = c, .m = &c->facets};
	done = surface_allocate(&s) && surface_join(&s) && merge_facets(&s, &c->faces);
	surface_free(&s);
	for (size_t i = 0; i < c->faces.vertex.count; i++)
		c->is_extreme[c->faces.vertex.data[i]] = true;
	return done ? WP_OK : WP_ERROR_HULL_COOK;
}

/* ---- the result --------------------------------------------------------------------------------- */

static wp_error find_hull(cook *c)
{
	double normal[3];
	switch (dimension_of(c, normal)) {
	case 0:
		c->is_extreme[0] = true;
		return WP_OK;
	case 1:
		/* Along a line the order by place is the order along the line. */
		c->is_extreme[0] = true;
		c->is_extreme[c->point_count - 1] = true;
		return WP_OK;
	case 2:
		return cook_flat(c, normal);
	default:
		return cook_solid(c);
	}
}

/* Gather the extreme points, in the order of the input, and let the faces' indices follow. */
static wp_error gather(cook *c, float (*vertices)[3], uint64_t *order, uint32_t *new_index, size_t *count)
{
	size_t extreme = 0;
	for (uint32_t id = 0; id < c->point_count; id++) {
		if (c->is_extreme[id])
			order[extreme++] = (uint64_t)c->points[id].source << 32 | id;
	}
	if (extreme > WP_HULL_VERTEX_MAX)
		return WP_ERROR_HULL_VERTEX_COUNT;
	qsort(order, extreme, sizeof *order, cook_compare_keys);
	for (size_t i = 0; i < extreme; i++) {
		load_point(c, (size_t)(order[i] >> 32), vertices[i]);
		new_index[order[i] & UINT32_MAX] = (uint32_t)i;
	}
	for (size_t i = 0; i < c->faces.vertex.count; i++)
		c->faces.vertex.data[i] = new_index[c->faces.vertex.data[i]];
	*count = extreme;
	return WP_OK;
}

static wp_error build(cook *c, const float (*vertices)[3], size_t vertex_count, const wp_hull **hull)
{
	const size_t faces = face_count(&c->faces);
	const size_t size = wp_hull_size(vertex_count, faces, c->faces.vertex.count);
	void *const memory = size != 0 ? cook_allocate(size) : NULL;
	if (memory == NULL)
		return WP_ERROR_HULL_COOK;
	/* From the edges where faces start to the sizes of the faces. */
	for (size_t face = 0; face < faces; face++)
		c->faces.start.data[face] = c->faces.start.data[face + 1] - c->faces.start.data[face];
	const wp_hull_input input = {
		.vertices.data = vertices[0],
		.vertex_count = vertex_count,
		.face_sizes = c->faces.start.data,
		.face_indices = c->faces.vertex.data,
		.face_count = faces,
	};
	const wp_error error = wp_hull_build(&input, memory, size, hull, NULL);
	if (error != WP_OK)
		cook_release(memory);
	return error;
}

wp_error wp_cook_build(cook *c, const wp_hull **hull)
{
	float(*const vertices)[3] = malloc(c->point_count * sizeof *vertices);
	uint64_t *const order = malloc(c->point_count * sizeof *order);
	uint32_t *const new_index = malloc(c->point_count * sizeof *new_index);
	wp_error error = WP_ERROR_HULL_COOK;
	if (vertices != NULL && order != NULL && new_index != NULL) {
		size_t count = 0;
		error = gather(c, vertices, order, new_index, &count);
		if (error == WP_OK)
			error = build(c, (const float(*)[3])vertices, count, hull);
	}
	free(vertices);
	free(order);
	free(new_index);
	return error;
}

wp_error wp_cook_find(cook *c, const float *points, size_t point_stride, size_t count, size_t *bad_index)
{
	memset(c, 0, sizeof *c);
	if (points == NULL)
		return WP_ERROR_NULL_POINTS;
	if (point_stride != 0 && point_stride < 3 * sizeof(float))
		return WP_ERROR_POINT_STRIDE;
	if (count == 0)
		return WP_ERROR_HULL_VERTEX_COUNT;
	if (count > INT32_MAX)
		return WP_ERROR_HULL_COOK;

	c->input = points;
	c->stride = point_stride != 0 ? point_stride : 3 * sizeof(float);
	wp_error error = check_points(c, count, bad_index);
	if (error == WP_OK)
		error = take_points(c, count);
	return error == WP_OK ? find_hull(c) : error;
}

void wp_cook_release(cook *c)
{
	free(c->points);
	free(c->is_extreme);
	mesh_free(&c->facets);
	mesh_free(&c->faces);
}

wp_error wp_cook_points(const float *points, size_t point_stride, size_t count, const wp_hull **hull, size_t *bad_index)
{
	if (hull == NULL)
		return WP_ERROR_NULL_HULL;
	*hull = NULL;
	const wp_environment before = wp_environment_enter();
	cook c;
	wp_error error = wp_cook_find(&c, points, point_stride, count, bad_index);
	if (error == WP_OK)
		error = wp_cook_build(&c, hull);
	wp_cook_release(&c);
	wp_environment_leave(before);
	return error;
}

void wp_cook_free(const wp_hull *hull) { cook_release((void *)hull); }

wp_error wp_cook_mass(const wp_hull *hull, wp_mass *mass) { return wp_hull_mass(hull, mass); }
