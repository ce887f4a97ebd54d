/* The expanding polytope algorithm of van den Bergen, Collision Detection in Interactive 3D Environments,
 * 2003, ch. 4.3.8.
 *
 * The origin lies in the difference, and its boundary point nearest to the origin is wanted. EPA grows a
 * polytope inside the difference, around the origin. Each step takes the face nearest to the origin and
 * finds the support point along its normal. If that lies on the face, the face is on the boundary of
 * the difference, and its nearest point is the answer. If it lies beyond, the polytope grows by it: the
 * faces that see the new vertex from outside are removed, which leaves a hole bounded by the horizon, and
 * each edge of the horizon makes a new face with the vertex. Again two bounds close in on the depth:
 *  - the nearest face: the ball around the origin that reaches it is inside the difference;
 *  - the support plane: the difference ends there, so moving that far parts the shapes. */
#include "epa.h"

#include "widephase/query.h"

/* A point no higher than this above a face lies on it and does not see it. The pair's largest coordinate
 * is about 1, so this is some hundred roundings: a point in the plane of a face is never taken for one above
 * it, so every edge of a horizon is at least this far from the new vertex, and every new face has a
 * normal. */
#define FACE_TOLERANCE 3e-14

typedef struct face {
	uint16_t vertex[3]; /* counter-clockwise seen from outside */
	bool open;          /* may still be expanded */
	bool removed;       /* seen by the vertex that is being added */
	vec3 normal;        /* unit, outward; zero where the face has no area */
	double offset;      /* of its plane from the origin, along the normal */
	double distance;    /* of the triangle from the origin */
} face;

typedef struct edge {
	uint16_t from, to;
} edge;

typedef struct polytope {
	int vertex_count;
	int face_count;
	difference_vertex vertex[WP_REFERENCE_VERTEX_MAX];
	face face[WP_REFERENCE_FACE_MAX];
} polytope;

static feature closest_on_face(const polytope *p, const face *f)
{
	difference_vertex corners[3] = {p->vertex[f->vertex[0]], p->vertex[f->vertex[1]], p->vertex[f->vertex[2]]};
	return wp_reference_closest(corners, 3);
}

/* Appends the face (i, j, k); the caller has checked that there is room. */
static void add_face(polytope *p, uint16_t i, uint16_t j, uint16_t k)
{
	WP_ASSERT(p->face_count < WP_REFERENCE_FACE_MAX);
	face f = {.vertex = {i, j, k}};
	vec3 a = p->vertex[i].w, b = p->vertex[j].w, c = p->vertex[k].w;
	double height;
	f.normal = vec3_normalize(wp_reference_triangle_normal(a, b, c, &height));
	f.offset = vec3_dot(f.normal, a);
	f.distance = closest_on_face(p, &f).distance;
	f.open = height > WP_REFERENCE_TOLERANCE;
	p->face[p->face_count++] = f;
}

static double height_above(const face *f, const polytope *p, vec3 w)
{
	return vec3_dot(f->normal, vec3_sub(w, p->vertex[f->vertex[0]].w));
}

/* Whether a face that is being removed has the directed edge from -> to. Neighbours run along their
 * common edge in opposite directions, so this looks for the neighbour across to -> from. */
static bool removed_across(const polytope *p, uint16_t from, uint16_t to)
{
	for (int i = 0; i < p->face_count; i++) {
		const face *f = &p->face[i];
		if (!f->removed)
			continue;
		for (int k = 0; k < 3; k++)
			if (f->vertex[k] == from && f->vertex[(k + 1) % 3] == to)
				return true;
	}
	return false;
}

static bool removed_at(const polytope *p, uint16_t vertex)
{
	for (int i = 0; i < p->face_count; i++) {
		const face *f = &p->face[i];
		if (f->removed && (f->vertex[0] == vertex || f->vertex[1] == vertex || f->vertex[2] == vertex))
			return true;
	}
	return false;
}

/* Whether the removed faces, which form a disc, stay one if `f` joins them: they share with it two edges,
 * or one edge and not the corner opposite. */
static bool keeps_disc(const polytope *p, const face *f)
{
	int shared = 0;
	uint16_t opposite = 0;
	for (int k = 0; k < 3; k++) {
		uint16_t from = f->vertex[k], to = f->vertex[(k + 1) % 3];
		if (removed_across(p, to, from)) {
			shared++;
			opposite = f->vertex[(k + 2) % 3];
		}
	}
	return shared == 2 || (shared == 1 && !removed_at(p, opposite));
}

/* Marks the faces that see w from outside, spreading from face `seed`. In exact arithmetic they form a
 * disc, and its rim, the horizon, is one loop. Rounding can make a lone face out of reach look visible,
 * and a hole or a second loop would tear the surface, so the region grows only as long as it is a disc. */
static void mark_visible(polytope *p, int seed, vec3 w)
{
	p->face[seed].removed = true;
	bool grown = true;
	while (grown) {
		grown = false;
		for (int i = 0; i < p->face_count; i++) {
			face *f = &p->face[i];
			if (!f->removed && height_above(f, p, w) > FACE_TOLERANCE && keeps_disc(p, f)) {
				f->removed = true;
				grown = true;
			}
		}
	}
}

/* Lists the edges between removed and kept faces, in the direction of the removed side. Returns how many:
 * no more than vertices, because the rim of a disc visits each of them at most once. */
static int find_horizon(const polytope *p, edge horizon[WP_REFERENCE_VERTEX_MAX])
{
	int count = 0;
	for (int i = 0; i < p->face_count; i++) {
		const face *f = &p->face[i];
		for (int k = 0; k < 3 && f->removed; k++) {
			edge e = {f->vertex[k], f->vertex[(k + 1) % 3]};
			if (!removed_across(p, e.to, e.from) && count < WP_REFERENCE_VERTEX_MAX)
				horizon[count++] = e;
		}
	}
	return count;
}

/* Grows the polytope to the convex hull of itself and `vertex`, which must lie above face `seed`. False,
 * the polytope unchanged, where the buffers are full. */
static bool expand(polytope *p, int seed, const difference_vertex *vertex)
{
	edge horizon[WP_REFERENCE_VERTEX_MAX];
	mark_visible(p, seed, vertex->w);
	int new_faces = find_horizon(p, horizon);
	int kept = 0;
	for (int i = 0; i < p->face_count; i++)
		kept += !p->face[i].removed;
	if (p->vertex_count == WP_REFERENCE_VERTEX_MAX || kept + new_faces > WP_REFERENCE_FACE_MAX) {
		for (int i = 0; i < p->face_count; i++)
			p->face[i].removed = false;
		return false;
	}

	kept = 0;
	for (int i = 0; i < p->face_count; i++)
		if (!p->face[i].removed)
			p->face[kept++] = p->face[i];
	p->face_count = kept;
	uint16_t apex = (uint16_t)p->vertex_count;
	p->vertex[p->vertex_count++] = *vertex;
	for (int i = 0; i < new_faces; i++)
		add_face(p, horizon[i].from, horizon[i].to, apex);
	return true;
}

static bool has_vertex(const polytope *p, const difference_vertex *vertex)
{
	for (int i = 0; i < p->vertex_count; i++)
		if (wp_reference_same_vertex(&p->vertex[i], vertex))
			return true;
	return false;
}

/* ---- the first polytope --------------------------------------------------------------------------- */

/* The end of the difference along +direction or -direction that is farther from the plane through w. */
static difference_vertex farther_end(difference *pair, vec3 direction, vec3 w)
{
	difference_vertex up = wp_reference_support(pair, direction);
	difference_vertex down = wp_reference_support(pair, vec3_negate(direction));
	double up_height = vec3_dot(direction, vec3_sub(up.w, w));
	double down_height = -vec3_dot(direction, vec3_sub(down.w, w));
	return down_height > up_height ? down : up;
}

/* A large tetrahedron of the difference: a long edge, the point farthest from its line, the point
 * farthest from their plane. Returns how many vertices were found: fewer than 4 where the difference is
 * a point (1), a segment (2) or flat (3). */
static int find_tetrahedron(difference *pair, difference_vertex vertex[4])
{
	static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	double longest = -1;
	for (int i = 0; i < 3; i++) {
		difference_vertex up = wp_reference_support(pair, axes[i]);
		difference_vertex down = wp_reference_support(pair, vec3_negate(axes[i]));
		double extent = vec3_dot(axes[i], vec3_sub(up.w, down.w));
		if (extent > longest) {
			longest = extent;
			vertex[0] = down;
			vertex[1] = up;
		}
	}
	if (longest <= WP_REFERENCE_TOLERANCE)
		return 1;

	vec3 line = vec3_normalize(vec3_sub(vertex[1].w, vertex[0].w));
	vec3 across = vec3_across(line);
	double farthest = -1;
	for (int i = 0; i < 2; i++) {
		difference_vertex end = farther_end(pair, across, vertex[0].w);
		double height = vec3_length(vec3_cross(line, vec3_sub(end.w, vertex[0].w)));
		if (height > farthest) {
			farthest = height;
			vertex[2] = end;
		}
		across = vec3_cross(line, across);
	}
	if (farthest <= WP_REFERENCE_TOLERANCE)
		return 2;

	double least_height;
	vec3 normal = vec3_normalize(wp_reference_triangle_normal(vertex[0].w, vertex[1].w, vertex[2].w, &least_height));
	vertex[3] = farther_end(pair, normal, vertex[0].w);
	double height = vec3_dot(normal, vec3_sub(vertex[3].w, vertex[0].w));
	return fabs(height) <= WP_REFERENCE_TOLERANCE ? 3 : 4;
}

/* Grows the polytope by a point, unless it contains it already. */
static void include(polytope *p, const difference_vertex *vertex)
{
	int highest = 0;
	for (int i = 1; i < p->face_count; i++)
		if (height_above(&p->face[i], p, vertex->w) > height_above(&p->face[highest], p, vertex->w))
			highest = i;
	if (height_above(&p->face[highest], p, vertex->w) > FACE_TOLERANCE && !has_vertex(p, vertex))
		expand(p, highest, vertex);
}

/* The first polytope is the large tetrahedron, grown by GJK's last simplex. (Van den Bergen extends the
 * simplex instead; but that may be a sliver, whose faces have no good normals to extend it along.) It
 * contains the origin, because the simplex does. */
static void start_polytope(polytope *p, const difference_vertex tetrahedron[4], const feature *simplex)
{
	memcpy(p->vertex, tetrahedron, 4 * sizeof tetrahedron[0]);
	p->vertex_count = 4;
	p->face_count = 0;
	double height;
	vec3 normal = wp_reference_triangle_normal(tetrahedron[0].w, tetrahedron[1].w, tetrahedron[2].w, &height);
	bool apex_above = vec3_dot(normal, vec3_sub(tetrahedron[3].w, tetrahedron[0].w)) > 0;
	uint16_t i = 1, j = 2;
	if (apex_above) {
		i = 2;
		j = 1;
	}
	add_face(p, 0, i, j);
	add_face(p, 0, 3, i);
	add_face(p, i, 3, j);
	add_face(p, j, 3, 0);
	for (int k = 0; k < simplex->count; k++)
		include(p, &simplex->vertex[k]);
}

/* ---- the answer ----------------------------------------------------------------------------------- */

/* A difference without volume: its depth is 0. The normal is the normal of the flat, any normal to a
 * segment, or the local Y axis of A for a point. */
static void answer_flat(difference *pair, const difference_vertex *vertex, int count, core_answer *answer)
{
	double height;
	answer->normal = (vec3){0, 1, 0};
	if (count == 2)
		answer->normal = vec3_across(vec3_sub(vertex[1].w, vertex[0].w));
	if (count == 3)
		answer->normal = vec3_normalize(wp_reference_triangle_normal(vertex[0].w, vertex[1].w, vertex[2].w, &height));
	answer->lower = -vec3_dot(answer->normal, wp_reference_support(pair, answer->normal).w);
	answer->upper = answer->closest.distance;
	answer->separation = 0;
	answer->status = WP_STATUS_DEGENERATE;
}

/* The open face nearest to the origin; -1 if none is open. The distance is measured to the triangle, not
 * to its plane: among several faces in one plane this selects the face with the nearest point, from which
 * the witness points come. */
static int nearest_open_face(const polytope *p)
{
	int nearest = -1;
	for (int i = 0; i < p->face_count; i++)
		if (p->face[i].open && (nearest < 0 || p->face[i].distance < p->face[nearest].distance))
			nearest = i;
	return nearest;
}

/* On which side of a ray an edge passes, seen along it. The two faces of an edge have it in opposite directions, and get
 * opposite answers, also where it meets the ray. */
static bool passes_left(const polytope *p, vec3 ray, uint16_t from, uint16_t to)
{
	const uint16_t low = from < to ? from : to, high = from < to ? to : from;
	const bool left = vec3_dot(ray, vec3_cross(p->vertex[low].w, p->vertex[high].w)) >= 0;
	return left == (from < to);
}

/* How often the surface winds around the origin: crossings of a ray, outwards less inwards. It is once where the origin
 * is inside, however the faces fold. */
static int winding_number(const polytope *p)
{
	static const vec3 ray = {0.5257311121, 0.3249196962, 0.7861513777};
	int winding = 0;
	for (int i = 0; i < p->face_count; i++) {
		const uint16_t *v = p->face[i].vertex;
		const bool left = passes_left(p, ray, v[0], v[1]);
		if (passes_left(p, ray, v[1], v[2]) != left || passes_left(p, ray, v[2], v[0]) != left)
			continue;
		/* The line crosses the face; in front of the origin where it does so from the side that the face shows. */
		const double volume = vec3_dot(p->vertex[v[0]].w, vec3_cross(p->vertex[v[1]].w, p->vertex[v[2]].w));
		winding += left && volume > 0 ? 1 : !left && volume < 0 ? -1 : 0;
	}
	return winding;
}

/* The radius of the ball around the origin that the polytope contains: no face is nearer, and the surface winds around
 * all points of the ball as it does around the origin. Slivers thinner than the tolerances can make it lose the origin;
 * it proves nothing then. */
static double inner_radius(const polytope *p)
{
	double least = INFINITY;
	for (int i = 0; i < p->face_count; i++)
		least = smaller(least, p->face[i].distance);
	return winding_number(p) == 1 ? least : 0;
}

static void grow(difference *pair, polytope *p, core_answer *answer)
{
	double depth = INFINITY;
	answer->status = WP_STATUS_ITERATION_CAP;
	for (int step = 0; step < WP_REFERENCE_EPA_STEP_MAX; step++) {
		int nearest = nearest_open_face(p);
		if (nearest < 0) {
			answer->status = 0;
			break;
		}

		/* The difference ends at this support plane. Keep the nearest such plane, and of equal ones the
		 * last, whose face lies in it. */
		face *f = &p->face[nearest];
		difference_vertex vertex = wp_reference_support(pair, f->normal);
		double support = vec3_dot(f->normal, vertex.w);
		if (support <= depth + WP_REFERENCE_TOLERANCE) {
			depth = support;
			answer->normal = f->normal;
			answer->closest = closest_on_face(p, f);
		}

		/* The nearest face lies in its support plane, or as near as a face of a core that curves ever does: the bounds
		 * have met. A face whose support point is
		 * a vertex already, and yet higher, is a sliver with a poor normal; others decide. */
		if (support - f->offset <= FACE_TOLERANCE + pair->tolerance) {
			answer->status = 0;
			break;
		}
		if (has_vertex(p, &vertex)) {
			f->open = false;
		} else if (!expand(p, nearest, &vertex)) {
			answer->status = WP_STATUS_CAPACITY;
			break;
		}
	}
	answer->lower = -depth;
	answer->upper = -inner_radius(p);
	answer->separation = answer->lower;
}

void wp_reference_epa(difference *pair, core_answer *answer)
{
	polytope p;
	difference_vertex tetrahedron[4];
	int count = find_tetrahedron(pair, tetrahedron);
	if (count < 4) {
		answer_flat(pair, tetrahedron, count, answer);
		return;
	}
	start_polytope(&p, tetrahedron, &answer->closest);
	grow(pair, &p, answer);
}
