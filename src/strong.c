/* GJK (Gilbert, Johnson, Keerthi 1988; van den Bergen 2003, ch. 4), then EPA (van den Bergen 2001), in
 * double. The pair is scaled by a power of two to a size near 1; lengths below are in that unit.
 *
 * One fact carries everything: for any unit n, -n . w of the support vertex w along n is a lower bound of
 * the separation, gap or overlap alike. Whatever goes wrong, a direction and its support are an answer
 * with an honest bound. */
#include "strong.h"
#include "widephase/query.h"

/* GJK: brackets narrower than this are closed. */
#define STRONG_TOLERANCE 1e-13

/* A simplex nearer to the origin than this holds it. */
#define STRONG_TOUCH 1e-12

/* A difference thinner than this is flat: its depth is below it, which is far inside the contract, while
 * plane normals of thicker ones are still right to about 1e-8. */
#define STRONG_FLAT 1e-8

/* EPA: brackets narrower than this are closed. Far below the contract; the rest is for good normals. */
#define STRONG_EPA_TOLERANCE 1e-11

/* Height of a face relative to its longest side below which it is not expanded. */
#define STRONG_THIN 1e-12

/* Rounding of supports and planes, added to every bracket. */
#define STRONG_ROUNDING 4e-15

#define STRONG_NONE 1e300

typedef struct vec {
	double x, y, z;
} vec;

static vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec scaled(vec a, double s) { return (vec){a.x * s, a.y * s, a.z * s}; }
static double dot(vec a, vec b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
static vec cross(vec a, vec b)
{
	return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double length(vec a) { return __builtin_sqrt(dot(a, a)); }

/* a at length 1; `fallback` where it has none. */
static vec unit(vec a, vec fallback)
{
	const double l = length(a);
	return l > 0.0 ? scaled(a, 1.0 / l) : fallback;
}

/* A unit vector across e: its cross product with the axis it leans on least. */
static vec across(vec e)
{
	const double x = e.x < 0.0 ? -e.x : e.x, y = e.y < 0.0 ? -e.y : e.y, z = e.z < 0.0 ? -e.z : e.z;
	const vec axis = x <= y && x <= z ? (vec){1.0, 0.0, 0.0} : y <= z ? (vec){0.0, 1.0, 0.0} : (vec){0.0, 0.0, 1.0};
	return unit(cross(e, axis), axis);
}

/* ---- the pair ----------------------------------------------------------------------------------- */

typedef struct matrix {
	vec row[3];
} matrix;

static vec apply(const matrix *m, vec v) { return (vec){dot(m->row[0], v), dot(m->row[1], v), dot(m->row[2], v)}; }

static matrix transposed(const matrix *m)
{
	return (matrix){{{m->row[0].x, m->row[1].x, m->row[2].x}, {m->row[0].y, m->row[1].y, m->row[2].y},
		{m->row[0].z, m->row[1].z, m->row[2].z}}};
}

/* Rotation matrix of a quaternion of any length near 1. */
static matrix rotation_of(const float q[4])
{
	const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
	const double s = 2.0 / ((x * x + y * y) + (z * z + w * w));
	return (matrix){{{1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
		{s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)},
		{s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)}}};
}

/* A support vertex of the difference A - B: w = a - b in A's frame, and where it comes from. */
typedef struct vertex {
	vec a, b, w;
	uint32_t id_a, id_b;
} vertex;

typedef struct face {
	vec n;
	double distance;      /* of the plane from the origin */
	double rank;          /* the same, STRONG_NONE where it must not be expanded or the slot is empty */
	uint16_t corner[3];
	bool alive, visible;
} face;

struct wp_strong_memory {
	vertex vertices[WP_STRONG_VERTEX_MAX];
	face faces[WP_STRONG_FACE_MAX];
	uint16_t start[WP_STRONG_HORIZON_MAX], end[WP_STRONG_HORIZON_MAX];
	uint16_t following[WP_STRONG_VERTEX_MAX];
	uint16_t stack[WP_STRONG_FACE_MAX];
};

size_t wp_strong_memory_size(void) { return sizeof(wp_strong_memory); }

typedef struct solver {
	const wp_core *a, *b;
	matrix to_world;      /* from A's frame */
	matrix rotation;      /* from B's frame to A's */
	matrix rotation_back;
	vec translation;      /* origin of B in A's frame, scaled */
	double scale;
	uint32_t supports;    /* evaluations so far */
	uint32_t status;
	wp_strong_memory *memory;
} solver;

/* A power of two near 1 / size. */
static double scale_for(double size)
{
	double scale = 1.0;
	for (int i = 0; i < 1100 && size * scale < 0.5; i++)
		scale *= 2.0;
	for (int i = 0; i < 1100 && size * scale >= 1.0; i++)
		scale *= 0.5;
	return scale;
}

static vec vertex_of(const wp_core *core, uint32_t i)
{
	const float *x = core->vertices + i;
	return (vec){(double)x[0], (double)x[core->padded], (double)x[2 * (size_t)core->padded]};
}

/* Farthest core point along n, in the core's own frame and unit; ties go to the lowest index. */
static vec support_core(const wp_core *core, vec n, uint32_t *id)
{
	if (core->kind == WP_CORE_BOX) {
		const vec h = {(double)core->half[0], (double)core->half[1], (double)core->half[2]};
		*id = (uint32_t)(n.x < 0.0 && h.x > 0.0) | (uint32_t)(n.y < 0.0 && h.y > 0.0) << 1 |
			(uint32_t)(n.z < 0.0 && h.z > 0.0) << 2;
		return (vec){n.x < 0.0 ? -h.x : h.x, n.y < 0.0 ? -h.y : h.y, n.z < 0.0 ? -h.z : h.z};
	}
	vec best = vertex_of(core, 0);
	double reach = dot(best, n);
	*id = 0;
	for (uint32_t i = 1; i < core->count; i++) {
		const vec v = vertex_of(core, i);
		const double r = dot(v, n);
		if (r > reach) {
			reach = r;
			best = v;
			*id = i;
		}
	}
	return best;
}

static vertex support(solver *s, vec n)
{
	vertex v;
	s->supports++;
	v.a = scaled(support_core(s->a, n, &v.id_a), s->scale);
	const vec n_b = apply(&s->rotation_back, scaled(n, -1.0));
	v.b = add(apply(&s->rotation, scaled(support_core(s->b, n_b, &v.id_b), s->scale)), s->translation);
	v.w = sub(v.a, v.b);
	return v;
}

static bool is_same(const vertex *v, const vertex *u) { return v->id_a == u->id_a && v->id_b == u->id_b; }

/* ---- nearest point of a simplex ----------------------------------------------------------------- */

typedef struct feature {
	vertex v[4];
	double weight[4];
	int size;
	vec nearest;          /* point of the feature nearest to the origin */
	vec n;                /* unit, from the feature to the origin; unset where the origin is inside */
	double distance;
} feature;

/* Weights of the origin's projection on the affine hull of 1 to 4 points. False where it falls outside
 * them or they are degenerate; a part of them is then nearer or as near. */
static bool project(feature *f)
{
	const vec p = f->v[0].w;
	if (f->size == 1) {
		f->weight[0] = 1.0;
	} else if (f->size == 2) {
		const vec e = sub(f->v[1].w, p);
		const double l2 = dot(e, e), t = -dot(p, e);
		if (!(l2 > 0.0) || t <= 0.0 || t >= l2)
			return false;
		f->weight[1] = t / l2;
		f->weight[0] = 1.0 - f->weight[1];
		f->n = cross(e, cross(p, e));
		f->n = scaled(f->n, -1.0);
	} else if (f->size == 3) {
		const vec q = f->v[1].w, r = f->v[2].w, n = cross(sub(q, p), sub(r, p));
		const double area2 = dot(n, n);
		const double wp = dot(n, cross(q, r)), wq = dot(n, cross(r, p)), wr = dot(n, cross(p, q));
		if (!(area2 > 0.0) || wp <= 0.0 || wq <= 0.0 || wr <= 0.0)
			return false;
		const double sum = (wp + wq) + wr;
		f->weight[0] = wp / sum;
		f->weight[1] = wq / sum;
		f->weight[2] = wr / sum;
		f->n = dot(n, p) > 0.0 ? scaled(n, -1.0) : n;
	} else {
		const vec q = f->v[1].w, r = f->v[2].w, t = f->v[3].w;
		const double volume = dot(cross(sub(q, p), sub(r, p)), sub(t, p));
		const double sign = volume < 0.0 ? -1.0 : 1.0;
		const double wp = sign * dot(cross(q, r), t), wq = -sign * dot(cross(p, r), t), wr = sign * dot(cross(p, q), t),
			wt = -sign * dot(cross(p, q), r);
		if (volume == 0.0 || wp < 0.0 || wq < 0.0 || wr < 0.0 || wt < 0.0)
			return false;
		const double sum = (wp + wq) + (wr + wt);
		if (!(sum > 0.0))
			return false;
		f->weight[0] = wp / sum;
		f->weight[1] = wq / sum;
		f->weight[2] = wr / sum;
		f->weight[3] = wt / sum;
	}
	return true;
}

static vec weighted_w(const feature *f)
{
	vec p = {0.0, 0.0, 0.0};
	for (int i = 0; i < f->size; i++)
		p = add(p, scaled(f->v[i].w, f->weight[i]));
	return p;
}

/* Of all parts of the simplex (its vertices, edges, faces, itself), the one nearest to the origin; the
 * smallest of those equally near. */
static feature nearest_part(const feature *simplex)
{
	feature best = {.distance = STRONG_NONE};
	for (int size = 1; size <= simplex->size; size++) {
		for (int subset = 1; subset < 1 << simplex->size; subset++) {
			feature f = {.size = 0};
			for (int i = 0; i < simplex->size; i++)
				if (subset >> i & 1)
					f.v[f.size++] = simplex->v[i];
			if (f.size != size || !project(&f))
				continue;
			f.nearest = weighted_w(&f);
			f.distance = size == 4 ? 0.0 : length(f.nearest);
			if (f.distance < best.distance)
				best = f;
		}
	}
	if (best.size == 1)
		best.n = scaled(best.v[0].w, -1.0);
	return best;
}

/* ---- GJK ---------------------------------------------------------------------------------------- */

typedef struct gap {
	feature nearest;
	vec n;                /* direction of the best lower bound */
	double lower;
	bool inside;
} gap;

static bool holds(const feature *f, const vertex *v)
{
	for (int i = 0; i < f->size; i++)
		if (is_same(&f->v[i], v))
			return true;
	return false;
}

/* Distance of the origin from the difference. */
static gap find_gap(solver *s)
{
	const vec up = {0.0, 1.0, 0.0};
	gap g = {.n = unit(s->translation, up)};
	vertex w = support(s, g.n);
	g.lower = -dot(g.n, w.w);
	g.nearest = nearest_part(&(feature){.v = {w}, .size = 1});
	for (int step = 0;; step++) {
		g.inside = g.nearest.size == 4 || g.nearest.distance <= STRONG_TOUCH;
		if (g.inside)
			return g;
		const vec n = unit(g.nearest.n, g.n);
		w = support(s, n);
		const double lower = -dot(n, w.w);
		const bool settled = holds(&g.nearest, &w) || g.nearest.distance - lower <= STRONG_TOLERANCE;
		if (lower > g.lower || settled) {
			g.lower = lower;
			g.n = n;
		}
		if (settled)
			return g;
		if (step == WP_STRONG_GJK_STEP_MAX) {
			s->status |= WP_STATUS_ITERATION_CAP;
			return g;
		}

		/* A vertex that brings the simplex no nearer stays out of it. */
		feature larger = g.nearest;
		larger.v[larger.size++] = w;
		const feature next = nearest_part(&larger);
		if (!(next.distance < g.nearest.distance))
			return g;
		g.nearest = next;
	}
}

/* ---- EPA ---------------------------------------------------------------------------------------- */

typedef struct depth {
	feature nearest;
	vec n;
	double reach;         /* support along n: upper bound of the depth */
	double inner;         /* distance of the nearest face: lower bound of the depth */
} depth;

/* Keep the candidate where it is higher above the feature so far. */
static void keep_higher(vertex candidate, double height, vertex *best, double *best_height)
{
	if (height > *best_height) {
		*best = candidate;
		*best_height = height;
	}
}

/* Start vertices of the polytope by height: as many of 4 as the difference has dimensions, plus 1. The
 * direction `n` is that of the flat, of the line's side, or unset for a point. */
static int start_vertices(solver *s, vec *n)
{
	vertex *v = s->memory->vertices;
	const vec axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
	v[0] = support(s, axes[0]);
	double height = 0.0;
	for (int i = 0; i < 6; i++) {
		const vertex c = support(s, i & 1 ? scaled(axes[i / 2], -1.0) : axes[i / 2]);
		keep_higher(c, length(sub(c.w, v[0].w)), &v[1], &height);
	}
	if (height < STRONG_FLAT)
		return 1;
	const vec e = unit(sub(v[1].w, v[0].w), axes[0]);
	const vec u = across(e), t = cross(e, u);
	height = 0.0;
	for (int i = 0; i < 8; i++) {
		/* Eight directions around the edge: the axes and the diagonals of its cross section. */
		const vec d = i < 4 ? (i & 2 ? t : u) : (i & 2 ? add(u, t) : sub(u, t));
		const vertex c = support(s, i & 1 ? scaled(d, -1.0) : d);
		keep_higher(c, length(cross(e, sub(c.w, v[0].w))), &v[2], &height);
	}
	*n = u;
	if (height < STRONG_FLAT)
		return 2;
	*n = unit(cross(sub(v[1].w, v[0].w), sub(v[2].w, v[0].w)), u);
	height = 0.0;
	for (int i = 0; i < 2; i++) {
		const vertex c = support(s, i ? scaled(*n, -1.0) : *n);
		const double h = dot(*n, sub(c.w, v[0].w));
		keep_higher(c, h < 0.0 ? -h : h, &v[3], &height);
	}
	return height < STRONG_FLAT ? 3 : 4;
}

/* Plane from the two shortest sides, which lose least to cancellation. */
static void set_plane(const vertex *v, face *f)
{
	const vec p[3] = {v[f->corner[0]].w, v[f->corner[1]].w, v[f->corner[2]].w};
	double l2[3];
	int longest = 0;
	for (int i = 0; i < 3; i++) {
		const vec e = sub(p[(i + 1) % 3], p[i]);
		l2[i] = dot(e, e);
		if (l2[i] > l2[longest])
			longest = i;
	}
	const vec corner = p[(longest + 2) % 3];
	const vec c = cross(sub(p[longest], corner), sub(p[(longest + 1) % 3], corner));
	const double area = length(c);
	const vec none = {0.0, 0.0, 0.0};
	f->n = unit(c, none);
	f->distance = dot(f->n, corner);
	f->rank = area > STRONG_THIN * l2[longest] ? f->distance : STRONG_NONE;
	f->alive = true;
	f->visible = false;
}

static void start_polytope(vertex *v, face *faces)
{
	static const uint16_t triple[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
	const vec e1 = sub(v[1].w, v[0].w), e2 = sub(v[2].w, v[0].w), e3 = sub(v[3].w, v[0].w);
	if (dot(cross(e1, e2), e3) > 0.0) {
		const vertex swapped = v[1];
		v[1] = v[2];
		v[2] = swapped;
	}
	for (int i = 0; i < 4; i++) {
		memcpy(faces[i].corner, triple[i], sizeof triple[i]);
		set_plane(v, &faces[i]);
	}
}

/* Edges of the visible faces whose other side is hidden, into the memory's horizon. Their number, or 0
 * where they are more than fit or not one closed loop that meets no vertex twice. */
static uint32_t find_horizon(wp_strong_memory *m, uint32_t face_count, uint32_t vertex_count)
{
	uint32_t count = 0;
	for (uint32_t f = 0; f < face_count; f++) {
		for (int i = 0; i < 3 && m->faces[f].visible; i++) {
			const uint16_t start = m->faces[f].corner[i], end = m->faces[f].corner[(i + 1) % 3];
			uint32_t twin = 0;
			while (twin < count && !(m->start[twin] == end && m->end[twin] == start))
				twin++;
			if (twin < count) {
				count--;
				m->start[twin] = m->start[count];
				m->end[twin] = m->end[count];
			} else if (count < WP_STRONG_HORIZON_MAX) {
				m->start[count] = start;
				m->end[count++] = end;
			} else {
				return 0;
			}
		}
	}
	for (uint32_t i = 0; i < vertex_count; i++)
		m->following[i] = UINT16_MAX;
	for (uint32_t i = 0; i < count; i++) {
		if (m->following[m->start[i]] != UINT16_MAX)
			return 0;
		m->following[m->start[i]] = m->end[i];
	}
	uint32_t steps = 0;
	uint16_t at = m->start[0];
	do
		at = m->following[at];
	while (++steps < count && at != UINT16_MAX && at != m->start[0]);
	return count >= 3 && steps == count && at == m->start[0] ? count : 0;
}

static bool share_edge(const face *f, const face *g)
{
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			if (f->corner[i] == g->corner[(j + 1) % 3] && f->corner[(i + 1) % 3] == g->corner[j])
				return true;
	return false;
}

/* Of the visible faces keep those connected to the chosen one through edges. */
static void keep_connected(wp_strong_memory *m, uint32_t face_count, uint32_t chosen)
{
	uint32_t top = 0;
	bool was_visible[WP_STRONG_FACE_MAX];
	for (uint32_t f = 0; f < face_count; f++) {
		was_visible[f] = m->faces[f].visible;
		m->faces[f].visible = false;
	}
	m->faces[chosen].visible = true;
	m->stack[top++] = (uint16_t)chosen;
	while (top > 0) {
		const uint32_t f = m->stack[--top];
		for (uint32_t g = 0; g < face_count; g++) {
			if (was_visible[g] && !m->faces[g].visible && share_edge(&m->faces[f], &m->faces[g])) {
				m->faces[g].visible = true;
				m->stack[top++] = (uint16_t)g;
			}
		}
	}
}

/* Replace the faces that see the last vertex by faces from the horizon to it. Returns the new number of
 * slots, 0 where rounding left no proper horizon or the faces are full. */
static uint32_t expand(wp_strong_memory *m, uint32_t face_count, uint32_t vertex_count, uint32_t chosen)
{
	const vec w = m->vertices[vertex_count - 1].w;
	for (uint32_t f = 0; f < face_count; f++)
		m->faces[f].visible = m->faces[f].alive && dot(m->faces[f].n, w) > m->faces[f].distance;
	m->faces[chosen].visible = true;
	uint32_t edges = find_horizon(m, face_count, vertex_count);
	if (edges == 0) {
		keep_connected(m, face_count, chosen);
		edges = find_horizon(m, face_count, vertex_count);
	}
	if (edges == 0)
		return 0;
	for (uint32_t f = 0; f < face_count; f++) {
		if (m->faces[f].visible) {
			m->faces[f].alive = m->faces[f].visible = false;
			m->faces[f].rank = STRONG_NONE;
		}
	}
	uint32_t slot = 0;
	for (uint32_t i = 0; i < edges; i++) {
		while (slot < face_count && m->faces[slot].alive)
			slot++;
		if (slot == WP_STRONG_FACE_MAX)
			return 0;
		face *f = &m->faces[slot];
		f->corner[0] = m->start[i];
		f->corner[1] = m->end[i];
		f->corner[2] = (uint16_t)(vertex_count - 1);
		set_plane(m->vertices, f);
		face_count = slot == face_count ? face_count + 1 : face_count;
	}
	return face_count;
}

/* Smallest barycentric weight of the origin's projection along n on a face: negative outside. */
static double containment(const vertex *v, const face *f, vec n, double weight[3])
{
	const vec p = v[f->corner[0]].w, q = v[f->corner[1]].w, r = v[f->corner[2]].w;
	weight[0] = dot(n, cross(q, r));
	weight[1] = dot(n, cross(r, p));
	weight[2] = dot(n, cross(p, q));
	const double sum = (weight[0] + weight[1]) + weight[2];
	if (!(sum > 0.0))
		return -STRONG_NONE;
	double least = STRONG_NONE;
	for (int i = 0; i < 3; i++) {
		weight[i] /= sum;
		least = weight[i] < least ? weight[i] : least;
	}
	return least;
}

/* The face that the origin projects into, of those as near as the nearest one, as the feature of d. */
static void choose_feature(const wp_strong_memory *m, uint32_t face_count, uint32_t chosen, depth *d)
{
	double weight[3], best = containment(m->vertices, &m->faces[chosen], d->n, weight);
	for (uint32_t f = 0; f < face_count; f++) {
		if (m->faces[f].rank <= d->inner + 10.0 * STRONG_EPA_TOLERANCE) {
			const double c = containment(m->vertices, &m->faces[f], d->n, weight);
			if (c > best) {
				best = c;
				chosen = f;
			}
		}
	}
	const face *f = &m->faces[chosen];
	if (containment(m->vertices, f, d->n, weight) == -STRONG_NONE)
		weight[0] = weight[1] = weight[2] = 1.0;
	double sum = 0.0;
	d->nearest.size = 3;
	for (int i = 0; i < 3; i++) {
		d->nearest.v[i] = m->vertices[f->corner[i]];
		d->nearest.weight[i] = weight[i] > 0.0 ? weight[i] : 0.0;
		sum += d->nearest.weight[i];
	}
	for (int i = 0; i < 3; i++)
		d->nearest.weight[i] /= sum;
}

static uint32_t nearest_face(const face *faces, uint32_t count)
{
	uint32_t nearest = 0;
	for (uint32_t f = 1; f < count; f++)
		if (faces[f].rank < faces[nearest].rank)
			nearest = f;
	return nearest;
}

/* Depth of the origin in a difference with volume, whose start vertices stand in the memory. */
static depth find_depth(solver *s)
{
	wp_strong_memory *m = s->memory;
	uint32_t face_count = 4, vertex_count = 4;
	depth d = {.reach = STRONG_NONE};
	start_polytope(m->vertices, m->faces);
	for (;;) {
		const uint32_t chosen = nearest_face(m->faces, face_count);
		const face f = m->faces[chosen];
		const vertex w = support(s, f.n);
		const double reach = dot(f.n, w.w);
		d.inner = f.rank;
		/* Among support planes that are equally good the last wins: its face is at hand. */
		if (reach <= d.reach + STRONG_EPA_TOLERANCE) {
			d.reach = reach;
			d.n = f.n;
		}
		const bool full = vertex_count == WP_STRONG_VERTEX_MAX;
		const bool closed = !(d.reach - d.inner > STRONG_EPA_TOLERANCE);
		uint32_t grown = 0;
		if (!closed && !full) {
			m->vertices[vertex_count++] = w;
			grown = expand(m, face_count, vertex_count, chosen);
		}
		if (grown == 0) {
			if (!closed)
				s->status |= full ? WP_STATUS_CAPACITY : WP_STATUS_ITERATION_CAP;
			choose_feature(m, face_count, chosen, &d);
			return d;
		}
		face_count = grown;
	}
}

/* ---- the answer --------------------------------------------------------------------------------- */

typedef struct answer {
	vec n, a, b;          /* in A's frame, scaled, without radii */
	double separation, lower, upper;
} answer;

static vec weighted_a(const feature *f)
{
	vec p = {0.0, 0.0, 0.0};
	for (int i = 0; i < f->size; i++)
		p = add(p, scaled(f->v[i].a, f->weight[i]));
	return p;
}

static vec weighted_b(const feature *f)
{
	vec p = {0.0, 0.0, 0.0};
	for (int i = 0; i < f->size; i++)
		p = add(p, scaled(f->v[i].b, f->weight[i]));
	return p;
}

/* A difference without volume that holds the origin: its depth is its thickness, next to nothing. */
static answer solve_flat(solver *s, const gap *g, int dimensions, vec n)
{
	const vec up = {0.0, 1.0, 0.0};
	if (dimensions == 1)
		n = up;
	s->status |= WP_STATUS_DEGENERATE;
	const double front = -dot(n, support(s, n).w), back = dot(n, support(s, scaled(n, -1.0)).w);
	answer r = {.n = back > front ? scaled(n, -1.0) : n, .lower = back > front ? back : front};
	r.separation = r.lower;
	r.upper = g->nearest.distance;
	r.a = weighted_a(&g->nearest);
	r.b = add(r.a, scaled(r.n, r.separation));
	return r;
}

static answer solve_cores(solver *s, gap *g)
{
	*g = find_gap(s);
	answer r;
	if (!g->inside && g->lower > 0.0) {
		r = (answer){.n = g->n, .a = weighted_a(&g->nearest), .b = weighted_b(&g->nearest), .lower = g->lower,
			.upper = g->nearest.distance, .separation = g->nearest.distance};
		return r;
	}
	vec n;
	const int dimensions = start_vertices(s, &n);
	if (dimensions < 4)
		return solve_flat(s, g, dimensions, n);
	const depth d = find_depth(s);
	r = (answer){.n = d.n, .a = weighted_a(&d.nearest), .b = weighted_b(&d.nearest), .lower = -d.reach,
		.upper = -d.inner, .separation = -d.reach};

	/* Where GJK knew better, from either side, its bound counts too. */
	if (!g->inside && g->nearest.distance < r.upper)
		r.upper = g->nearest.distance;
	return r;
}

static void to_world(const solver *s, vec v, double factor, double out[3])
{
	const vec world = scaled(apply(&s->to_world, v), factor);
	out[0] = world.x;
	out[1] = world.y;
	out[2] = world.z;
}

/* Both cores are one and the same point. */
static void answer_coincident(const solver *s, double radius_a, double radius_b, wp_strong_answer *out)
{
	const vec up = {0.0, 1.0, 0.0};
	to_world(s, up, 1.0, out->normal);
	to_world(s, up, radius_a, out->point_a);
	to_world(s, up, -radius_b, out->point_b);
	memset(out->common, 0, sizeof out->common);
	out->separation = out->lower = out->upper = -(radius_a + radius_b);
	out->core_separation = 0.0;
	out->status = WP_STATUS_DEGENERATE;
	out->iterations = 0;
}

static double larger(double a, double b) { return a > b ? a : b; }

void wp_strong_solve(const wp_strong_pair *pair, wp_strong_memory *memory, wp_strong_answer *out)
{
	solver s = {.a = pair->a, .b = pair->b, .to_world = rotation_of(pair->rotation_a), .memory = memory};
	const matrix to_a = transposed(&s.to_world), b_to_world = rotation_of(pair->rotation_b);
	const matrix columns = transposed(&b_to_world);
	for (int i = 0; i < 3; i++)
		s.rotation_back.row[i] = apply(&to_a, columns.row[i]);
	s.rotation = transposed(&s.rotation_back);
	const vec offset = {pair->offset[0], pair->offset[1], pair->offset[2]};
	const double bound = larger((double)pair->a->bound, (double)pair->b->bound);
	const double far = larger(larger(offset.x, -offset.x), larger(larger(offset.y, -offset.y), larger(offset.z, -offset.z)));
	const double size = larger(bound, far), radius_a = (double)pair->a->radius, radius_b = (double)pair->b->radius;
	if (size == 0.0) {
		answer_coincident(&s, radius_a, radius_b, out);
		return;
	}
	s.scale = scale_for(size);
	s.translation = apply(&to_a, scaled(offset, s.scale));

	gap g;
	const answer r = solve_cores(&s, &g);
	const double unscale = 1.0 / s.scale, radii = radius_a + radius_b;
	const double rounding = STRONG_ROUNDING * (unscale + radii);
	out->core_separation = r.separation * unscale;
	out->separation = out->core_separation - radii;
	out->lower = r.lower * unscale - radii - rounding;
	out->upper = larger(r.upper, r.lower) * unscale - radii + rounding;
	to_world(&s, r.n, 1.0, out->normal);
	to_world(&s, add(r.a, scaled(r.n, radius_a * s.scale)), unscale, out->point_a);
	to_world(&s, sub(r.b, scaled(r.n, radius_b * s.scale)), unscale, out->point_b);

	/* A point in both shapes: of the cores where they meet, else of the stretch between their witness
	 * points that both radii cover. */
	const vec core_a = weighted_a(&g.nearest), core_b = weighted_b(&g.nearest);
	const double from = larger(out->core_separation - radius_b, 0.0);
	const double to = radius_a < out->core_separation ? radius_a : out->core_separation;
	const double share = !g.inside && out->core_separation > 0.0 ? 0.5 * (from + to) / out->core_separation : 0.0;
	to_world(&s, add(core_a, scaled(sub(core_b, core_a), share)), unscale, out->common);

	const double reach = larger((double)pair->a->bound + radius_a, (double)pair->b->bound + radius_b);
	const double e = reach + larger(out->separation, -out->separation);
	if (out->upper - out->lower > WP_CONTRACT * e)
		s.status |= WP_STATUS_WIDE_BRACKET;
	out->status = s.status;
	out->iterations = s.supports;
}
