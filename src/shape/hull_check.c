/* Whether the faces of a hull are a closed convex surface seen from outside, up to the rounding of the vertices.
 *
 * Faces pass if some exactly convex polyhedron has its vertices within `rounding` of the hull's. Each bound below follows
 * from that: the vector area of a polygon of perimeter P moves by at most rounding * P when its corners move by rounding
 * each, so the normal of a face of area A leans by an angle of sine rounding * P / A at most. A face whose area is not
 * above rounding * P has no reliable normal and passes. */
#include "core/double3.h"
#include "shape/hull.h"

/* Sums by which edges without a twin are found: a face is named after looking at E / EDGE_BINS wrong edges at most. */
#define EDGE_BINS 1024

/* Vertices, one bit each. */
typedef struct vertex_set {
	uint64_t bits[WP_HULL_VERTEX_MAX / 64 + 1];
} vertex_set;

typedef struct surface {
	const wp_hull *hull;
	double middle[3]; /* mean of the vertices: inside */
	double rounding;  /* how far a vertex may be out of place */
} surface;

typedef struct plane {
	double centre[3], normal[3]; /* mean of the corners; unit */
	double lean;                 /* perimeter over area */
	bool is_sure;                /* the normal is right within less than a right angle */
} plane;

/* The way from a point to a vertex. */
static void way_to(const wp_hull *hull, uint32_t vertex, const double from[3], double way[3])
{
	float to[3];
	wp_hull_vertex(hull, vertex, to);
	for (int k = 0; k < 3; k++)
		way[k] = (double)to[k] - from[k];
}

/* The way along edge i of a face. */
static void edge_of(const wp_hull *hull, const uint32_t *index, size_t size, size_t i, double edge[3])
{
	wp_hull_edge(hull, index[i], index[i + 1 < size ? i + 1 : 0], edge);
}

static surface surface_of(const wp_hull *hull)
{
	surface s = {.hull = hull};
	double most[3];
	for (size_t axis = 0; axis < 3; axis++) {
		const float *const x = wp_hull_vertices(hull) + axis * hull->vertex_padded;
		double sum = 0.0;
		most[axis] = 0.0;
		for (size_t i = 0; i < hull->vertex_count; i++) {
			const double magnitude = wp_abs((double)x[i]);
			most[axis] = magnitude > most[axis] ? magnitude : most[axis];
			sum += (double)x[i];
		}
		s.middle[axis] = sum / (double)hull->vertex_count;
	}
	s.rounding = WP_HULL_PLACE_ROUNDING * wp_length3(most) + WP_HULL_PLACE_SPACING;
	return s;
}

static plane plane_of(const surface *s, size_t face)
{
	size_t size;
	const uint32_t *const index = wp_hull_face(s->hull, face, &size);
	plane p = {.lean = 0.0};
	double perimeter = 0.0, area[3];
	for (size_t i = 0; i < size; i++) {
		double edge[3];
		float corner[3];
		edge_of(s->hull, index, size, i, edge);
		wp_hull_vertex(s->hull, index[i], corner);
		perimeter += wp_length3(edge) + 2.0 * s->rounding;
		for (int k = 0; k < 3; k++)
			p.centre[k] += (double)corner[k] / (double)size;
	}
	wp_hull_area(s->hull, face, area);
	const double twice = wp_length3(area);
	p.is_sure = 0.5 * twice > s->rounding * perimeter;
	if (!p.is_sure)
		return p;
	p.lean = perimeter / (0.5 * twice);
	for (int k = 0; k < 3; k++)
		p.normal[k] = area[k] / twice;
	return p;
}

/* How high a point may be above the plane of a face, or one of its corners below: it and the centre may each be out of
 * place by `rounding`, and the normal leans. */
static double slack(const surface *s, const plane *p, const double from_centre[3])
{
	return s->rounding * (2.0 + (wp_length3(from_centre) + 2.0 * s->rounding) * p->lean);
}

/* ---- one face ----------------------------------------------------------------------------------- */

static bool repeats_vertex(const wp_hull *hull, size_t face, vertex_set *seen)
{
	size_t size;
	const uint32_t *const index = wp_hull_face(hull, face, &size);
	bool repeats = false;
	for (size_t i = 0; i < size; i++) {
		uint64_t *const word = &seen->bits[index[i] / 64];
		const uint64_t bit = (uint64_t)1 << index[i] % 64;
		repeats = repeats || (*word & bit) != 0;
		*word |= bit;
	}
	for (size_t i = 0; i < size; i++)
		seen->bits[index[i] / 64] = 0;
	return repeats;
}

static bool is_plane(const surface *s, const plane *p, size_t face)
{
	size_t size;
	const uint32_t *const index = wp_hull_face(s->hull, face, &size);
	for (size_t i = 0; i < size; i++) {
		double way[3];
		way_to(s->hull, index[i], p->centre, way);
		if (!(wp_abs(wp_dot3(way, p->normal)) <= slack(s, p, way)))
			return false;
	}
	return true;
}

/* Whether no corner of a face turns inwards by more than moving its three vertices can explain. */
static bool turns_left(const surface *s, const plane *p, size_t face)
{
	size_t size;
	const uint32_t *const index = wp_hull_face(s->hull, face, &size);
	double before[3], after[3], turn[3];
	edge_of(s->hull, index, size, size - 1, before);
	for (size_t i = 0; i < size; i++) {
		edge_of(s->hull, index, size, i, after);
		wp_cross3(before, after, turn);
		const double lengths = wp_length3(before) + wp_length3(after) + 2.0 * s->rounding;
		if (!(wp_dot3(turn, p->normal) >= -2.0 * s->rounding * lengths))
			return false;
		memcpy(before, after, sizeof before);
	}
	return true;
}

/* The largest scalar product of a vertex and a normal, in float: within 2^-22 of the lengths' product. */
static float highest(const wp_hull *hull, const float normal[3])
{
	const size_t padded = hull->vertex_padded;
	const float *const x = wp_hull_vertices(hull), *const y = x + padded, *const z = y + padded;
	float most[WP_WIDTH_MAX];
	for (size_t k = 0; k < WP_WIDTH_MAX; k++)
		most[k] = -WP_INFINITY;
	for (size_t i = 0; i < padded; i += WP_WIDTH_MAX) {
		for (size_t k = 0; k < WP_WIDTH_MAX; k++) {
			const float along = (normal[0] * x[i + k] + normal[1] * y[i + k]) + normal[2] * z[i + k];
			most[k] = along > most[k] ? along : most[k];
		}
	}
	float found = most[0];
	for (size_t k = 1; k < WP_WIDTH_MAX; k++)
		found = most[k] > found ? most[k] : found;
	return found;
}

/* Whether no vertex is above the plane of a face. Most faces are decided in float: its error, less than half of `rounding`,
 * and `rounding` are less than the least slack. */
static bool is_below(const surface *s, const plane *p)
{
	const float normal[3] = {(float)p->normal[0], (float)p->normal[1], (float)p->normal[2]};
	if ((double)highest(s->hull, normal) - wp_dot3(p->centre, p->normal) <= s->rounding)
		return true;
	for (uint32_t i = 0; i < s->hull->vertex_count; i++) {
		double way[3];
		way_to(s->hull, i, p->centre, way);
		if (!(wp_dot3(way, p->normal) <= slack(s, p, way)))
			return false;
	}
	return true;
}

static wp_error check_face(const surface *s, size_t face)
{
	const plane p = plane_of(s, face);
	double inwards[3];
	if (!p.is_sure)
		return WP_OK;
	for (int k = 0; k < 3; k++)
		inwards[k] = s->middle[k] - p.centre[k];
	if (!(wp_dot3(inwards, p.normal) <= slack(s, &p, inwards)))
		return WP_ERROR_HULL_FACE_WINDING;
	if (!is_plane(s, &p, face))
		return WP_ERROR_HULL_FACE_PLANE;
	return turns_left(s, &p, face) ? WP_OK : WP_ERROR_HULL_FACE_CONVEX;
}

static wp_error check_each_face(const wp_hull *hull, size_t *bad_face)
{
	const surface s = surface_of(hull);
	vertex_set seen = {{0}};
	for (size_t face = 0; face < hull->face_count; face++) {
		const wp_error error = repeats_vertex(hull, face, &seen) ? WP_ERROR_HULL_FACE_REPEATS : check_face(&s, face);
		if (error != WP_OK) {
			*bad_face = face;
			return error;
		}
	}
	return WP_OK;
}

/* ---- all faces ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t word)
{
	word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
	word = (word ^ word >> 27) * 0x94d049bb133111ebu;
	return word ^ word >> 31;
}

/* An edge, the same from both of its faces. */
static uint64_t edge_key(uint64_t from, uint64_t to) { return mix(from < to ? from << 32 | to : to << 32 | from); }

/* How often faces go along an edge, less how often they go back. */
static int64_t surplus_of(const wp_hull *hull, uint32_t from, uint32_t to)
{
	int64_t surplus = 0;
	for (size_t face = 0; face < hull->face_count; face++) {
		size_t size;
		const uint32_t *const index = wp_hull_face(hull, face, &size);
		for (size_t i = 0; i < size; i++) {
			const uint32_t a = index[i], b = index[i + 1 < size ? i + 1 : 0];
			surplus += (a == from && b == to) - (a == to && b == from);
		}
	}
	return surplus;
}

/* The first face with an edge that faces do not go along as often as back; the face count if there is none. The hashes of
 * edges add up to zero then, and by a chance of 2^-64 else. */
static size_t open_face(const wp_hull *hull)
{
	uint64_t sums[EDGE_BINS] = {0};
	for (int pass = 0; pass < 2; pass++) {
		for (size_t face = 0; face < hull->face_count; face++) {
			size_t size;
			const uint32_t *const index = wp_hull_face(hull, face, &size);
			for (size_t i = 0; i < size; i++) {
				const uint32_t from = index[i], to = index[i + 1 < size ? i + 1 : 0];
				const uint64_t key = edge_key(from, to);
				uint64_t *const sum = &sums[key % EDGE_BINS];
				if (pass == 0)
					*sum += from < to ? key : 0 - key;
				else if (*sum != 0 && surplus_of(hull, from, to) != 0)
					return face;
			}
		}
	}
	return hull->face_count;
}

/* Whether faces that close are one sphere, by Euler's formula: V - E + F = 2. What is there twice, or apart, has another
 * sum. */
static bool is_sphere(const wp_hull *hull)
{
	vertex_set used = {{0}};
	int64_t vertices = 0;
	for (size_t face = 0; face < hull->face_count; face++) {
		size_t size;
		const uint32_t *const index = wp_hull_face(hull, face, &size);
		for (size_t i = 0; i < size; i++) {
			uint64_t *const word = &used.bits[index[i] / 64];
			vertices += (*word >> index[i] % 64 & 1) == 0;
			*word |= (uint64_t)1 << index[i] % 64;
		}
	}
	return 2 * vertices - (int64_t)hull->face_index_count + 2 * (int64_t)hull->face_count == 4;
}

static bool has_area(const wp_hull *hull)
{
	for (size_t face = 0; face < hull->face_count; face++) {
		double area[3];
		wp_hull_area(hull, face, area);
		if (wp_dot3(area, area) > 0.0)
			return true;
	}
	return false;
}

wp_error wp_hull_check_faces(const wp_hull *hull, size_t *bad_face)
{
	if (hull->face_count == 0)
		return WP_OK;
	/* A polyhedron of V corners has 3 V - 6 edges at most. */
	if (hull->face_index_count > 6 * (uint64_t)hull->vertex_count)
		return WP_ERROR_HULL_FACES;
	const wp_error error = check_each_face(hull, bad_face);
	if (error != WP_OK)
		return error;
	const size_t open = open_face(hull);
	if (open < hull->face_count) {
		*bad_face = open;
		return WP_ERROR_HULL_FACE_OPEN;
	}
	return is_sphere(hull) && has_area(hull) ? WP_OK : WP_ERROR_HULL_FACES;
}

wp_error wp_hull_check_outside(const wp_hull *hull, size_t *bad_face)
{
	const surface s = surface_of(hull);
	for (size_t face = 0; face < hull->face_count; face++) {
		const plane p = plane_of(&s, face);
		if (p.is_sure && !is_below(&s, &p)) {
			*bad_face = face;
			return WP_ERROR_HULL_FACE_CONVEX;
		}
	}
	return WP_OK;
}
