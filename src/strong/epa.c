/* The strong path's EPA: a polytope within the Minkowski difference, grown from a fat tetrahedron at
 * its face nearest to the origin, by signed distance, so that the origin may lie outside at first.
 *
 * van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", 2001.
 *
 * Why the bracket is sound though faces are rounded: the support n . w along any unit n is an upper
 * bound of the depth. And the distance of a triangle from the origin is at least the least n . v of its
 * vertices, for any unit n. So where this is positive for every face of the closed surface, each face
 * turns its back on the origin, the surface winds around it, and no face is nearer than the least of
 * them: a lower bound of the depth, whether or not rounding left the surface convex. For that n points
 * outwards, but for slivers, which may face either way (face_as_edge): where no other face sees the
 * origin, it is no further outside than the wedge between a sliver's neighbours is high above it. */
#include "strong/internal.h"

typedef struct strong_face {
	wp_d3 normal;
	double distance;      /* least of normal . vertex: lower bound of the face's distance */
	uint16_t vertex[3];   /* counter-clockwise seen from outside */
	uint16_t adjacent[3]; /* face across the edge from vertex i to vertex i + 1 */
	uint16_t next;        /* of the visible or of the free faces */
	bool alive : 1;
	bool visible : 1;
	bool spent : 1; /* could not be expanded: counts for the bound, is not chosen again */
} strong_face;

/* The core points that a vertex is made of; it is their difference. */
typedef struct strong_corner {
	wp_d3 a, b;
} strong_corner;

/* Which faces a tournament is of: all that are alive, or only faces that can be expanded. */
enum { TREE_ALIVE, TREE_OPEN, TREES };

#define NO_FACE UINT16_MAX

struct wp_strong_memory {
	strong_corner vertices[WP_STRONG_VERTEX_MAX];
	strong_face faces[WP_STRONG_FACE_MAX];
	uint16_t horizon[WP_STRONG_VERTEX_MAX]; /* by start vertex: edge of the horizon, encoded */
	uint16_t loop[WP_STRONG_HORIZON_MAX];   /* hidden faces along the horizon, in order */
	uint16_t loop_start[WP_STRONG_HORIZON_MAX];
	uint16_t created[WP_STRONG_HORIZON_MAX];
	/* Tournaments by distance: a node names the better of its two; the last nodes are of two faces each. */
	uint16_t least[TREES][WP_STRONG_FACE_MAX];
	uint16_t first_visible; /* faces that the new vertex sees; a queue while it is filled */
	uint16_t first_free;    /* NO_FACE: none */
	uint32_t vertex_count, face_count, free_count, visible_count, loop_count;
};

_Static_assert((WP_STRONG_FACE_MAX & (WP_STRONG_FACE_MAX - 1)) == 0, "leaves of the tournaments");
_Static_assert(WP_STRONG_VERTEX_MAX <= UINT16_MAX && WP_STRONG_FACE_MAX <= UINT16_MAX / 4,
	"indices, and a face with an edge number, fit 16 bits");

size_t wp_strong_memory_size(void) { return sizeof(wp_strong_memory); }

/* ---- faces -------------------------------------------------------------------------------------- */

static wp_strong_vertex vertex_at(const wp_strong_memory *memory, uint32_t index)
{
	const strong_corner *const at = &memory->vertices[index];
	return (wp_strong_vertex){wp_d3_sub(at->a, at->b), at->a, at->b};
}

static void put_vertex(wp_strong_memory *memory, uint32_t index, const wp_strong_vertex *vertex)
{
	memory->vertices[index] = (strong_corner){vertex->a, vertex->b};
}

static wp_d3 corner(const wp_strong_memory *memory, const strong_face *face, int i)
{
	return vertex_at(memory, face->vertex[i]).w;
}

/* Distances of a face whose normal is set. */
static void measure_face(const wp_strong_memory *memory, strong_face *face)
{
	face->distance = wp_d3_dot(face->normal, corner(memory, face, 0));
	for (int i = 1; i < 3; i++) {
		const double along = wp_d3_dot(face->normal, corner(memory, face, i));
		face->distance = along < face->distance ? along : face->distance;
	}
}

/* Whether a point is above a face: further along its normal than each of its corners. */
static bool sees(const wp_strong_memory *memory, wp_d3 point, const strong_face *face)
{
	const double along = wp_d3_dot(face->normal, point);
	for (int i = 0; i < 3; i++)
		if (!(along > wp_d3_dot(face->normal, corner(memory, face, i)) + WP_STRONG_COPLANAR))
			return false;
	return true;
}

static wp_strong_plane plane_of(const wp_strong_memory *memory, const strong_face *face)
{
	return wp_strong_plane_of(corner(memory, face, 0), corner(memory, face, 1), corner(memory, face, 2));
}

/* Returns the height of the face, whose distance is left to be measured, and which plays in no tournament before it enters. */
static double make_face(wp_strong_memory *memory, uint32_t index, uint32_t v0, uint32_t v1, uint32_t v2)
{
	strong_face *face = &memory->faces[index];
	face->vertex[0] = (uint16_t)v0;
	face->vertex[1] = (uint16_t)v1;
	face->vertex[2] = (uint16_t)v2;
	face->alive = face->visible = face->spent = false;
	const wp_strong_plane plane = plane_of(memory, face);
	const double length = wp_d3_length(plane.normal);
	face->normal = length > 0 ? wp_d3_scale(plane.normal, 1 / length) : wp_d3_zero();
	return plane.height;
}

/* The nearer of two faces, the first of equals. */
static uint16_t nearer(const wp_strong_memory *memory, uint16_t first, uint16_t second)
{
	if (first == NO_FACE || second == NO_FACE)
		return first == NO_FACE ? second : first;
	return memory->faces[second].distance < memory->faces[first].distance ? second : first;
}

/* A face where it plays in a tournament. */
static uint16_t entrant(const wp_strong_memory *memory, int tree, uint32_t index)
{
	const strong_face *const face = &memory->faces[index];
	const bool plays = index < memory->face_count && face->alive && !(tree == TREE_OPEN && face->spent);
	return plays ? (uint16_t)index : NO_FACE;
}

/* Play a face's matches again, up to where another face has won and still does: its distance is set, or it has died or is
 * spent. */
static void rank_face(wp_strong_memory *memory, uint32_t index)
{
	for (int tree = 0; tree < TREES; tree++) {
		uint16_t *least = memory->least[tree];
		const uint32_t first = index & ~1u;
		uint16_t winner = nearer(memory, entrant(memory, tree, first), entrant(memory, tree, first + 1));
		for (uint32_t node = (WP_STRONG_FACE_MAX + index) / 2; winner != least[node] || winner == index;) {
			least[node] = winner;
			if (node == 1)
				break;
			winner = nearer(memory, least[node & ~1u], least[node | 1]);
			node /= 2;
		}
	}
}

static void enter_face(wp_strong_memory *memory, uint32_t index)
{
	memory->faces[index].alive = true;
	rank_face(memory, index);
}

/* A sliver between faces that do not hold it has no plane. Towards its closest point is the direction
 * that gives its distance best; it is not worth a search. */
static void face_as_edge(const wp_strong_memory *memory, strong_face *face)
{
	wp_strong_simplex simplex = {.count = 3};
	for (int i = 0; i < 3; i++)
		simplex.vertices[i] = vertex_at(memory, face->vertex[i]);
	wp_strong_closest(&simplex, 0);
	if (simplex.distance > 0)
		face->normal = wp_d3_scale(simplex.closest, 1 / simplex.distance);
	face->spent = true;
	measure_face(memory, face);
}

/* A face whose far vertex lies in the plane of its higher neighbour is part of the same facet, and a
 * sliver is part of its longest edge: both take the neighbour's normal, which is the better one.
 * Facets so keep one normal, and all their faces are seen or hidden together. */
static void share_plane(wp_strong_memory *memory, strong_face *face, double height)
{
	const strong_face *best = NULL;
	double highest = height;
	for (int i = 0; i < 3; i++) {
		const strong_face *other = &memory->faces[face->adjacent[i]];
		const double off = wp_d3_dot(
			other->normal, wp_d3_sub(corner(memory, face, (i + 2) % 3), corner(memory, face, i)));
		const double size = off < 0 ? -off : off;
		if (!(size <= WP_STRONG_COPLANAR || (height <= WP_STRONG_SLIVER && size <= 2 * WP_STRONG_SLIVER)))
			continue;
		const double other_height = plane_of(memory, other).height;
		if (other_height <= highest)
			continue;
		best = other;
		highest = other_height;
	}
	if (best == NULL) {
		if (height <= WP_STRONG_SLIVER)
			face_as_edge(memory, face);
		return;
	}
	/* Folded back onto its neighbour it is not the same facet, but a sliver has no side of its own. */
	if (height > WP_STRONG_SLIVER && wp_d3_dot(best->normal, face->normal) < 0)
		return;
	face->normal = best->normal;
	measure_face(memory, face);
}

/* ---- start -------------------------------------------------------------------------------------- */

/* Keeps the candidate if its height is the largest so far. */
static void keep_highest(wp_strong_vertex candidate, double height, wp_strong_vertex *best, double *best_height)
{
	if (height > *best_height) {
		*best = candidate;
		*best_height = height;
	}
}

/* Start vertices by height over what there is: the farthest two of the supports along the axes, the
 * farthest from their line, the farthest from that plane on either side. Returns how many have a
 * height: 4 for a solid, 3 for a flat, 2 for a line, 1 for a point. `normal` is the flat's, or across
 * the line, or +Y. */
static int start_vertices(wp_strong_frame *frame, wp_strong_vertex v[4], wp_d3 *normal)
{
	wp_strong_vertex axis[6];
	double height = 0;
	for (int i = 0; i < 6; i++) {
		const double sign = i % 2 ? -1 : 1;
		axis[i] = wp_strong_support(
			frame, wp_d3_of(i / 2 == 0 ? sign : 0, i / 2 == 1 ? sign : 0, i / 2 == 2 ? sign : 0));
	}
	v[0] = v[1] = axis[0];
	for (int i = 0; i < 6; i++)
		for (int k = i + 1; k < 6; k++) {
			const double apart = wp_d3_length(wp_d3_sub(axis[k].w, axis[i].w));
			if (apart > height)
				v[0] = axis[i];
			keep_highest(axis[k], apart, &v[1], &height);
		}
	*normal = wp_d3_of(0, 1, 0);
	if (height <= WP_STRONG_FLAT)
		return 1;

	const wp_d3 edge = wp_d3_sub(v[1].w, v[0].w);
	const wp_d3 unit = wp_d3_unit(edge);
	const wp_d3 right = wp_d3_across(unit);
	const wp_d3 up = wp_d3_cross(unit, right);
	height = 0;
	for (int i = 0; i < 8; i++) {
		const wp_d3 way = i / 2 == 0 ? right
		                : i / 2 == 1 ? up
		                : i / 2 == 2 ? wp_d3_add(right, up)
		                             : wp_d3_sub(right, up);
		const wp_strong_vertex candidate = wp_strong_support(frame, i % 2 ? wp_d3_negate(way) : way);
		keep_highest(candidate, wp_d3_length(wp_d3_cross(unit, wp_d3_sub(candidate.w, v[0].w))), &v[2], &height);
	}
	*normal = right;
	if (height <= WP_STRONG_FLAT)
		return 2;

	const wp_d3 across = wp_strong_plane_of(v[0].w, v[1].w, v[2].w).normal;
	*normal = wp_d3_unit(across);
	height = 0;
	for (int i = 0; i < 2; i++) {
		const wp_strong_vertex candidate = wp_strong_support(frame, i ? wp_d3_negate(*normal) : *normal);
		const double along = wp_d3_dot(*normal, wp_d3_sub(candidate.w, v[0].w));
		keep_highest(candidate, along < 0 ? -along : along, &v[3], &height);
	}
	return height <= WP_STRONG_FLAT ? 3 : 4;
}

static void start_polytope(wp_strong_memory *memory, const wp_strong_vertex v[4])
{
	static const unsigned char vertex[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
	static const unsigned char adjacent[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
	const wp_d3 base = wp_d3_cross(wp_d3_sub(v[1].w, v[0].w), wp_d3_sub(v[2].w, v[0].w));
	const int second = wp_d3_dot(base, wp_d3_sub(v[3].w, v[0].w)) > 0 ? 2 : 1;
	put_vertex(memory, 0, &v[0]);
	put_vertex(memory, 1, &v[second]);
	put_vertex(memory, 2, &v[3 - second]);
	put_vertex(memory, 3, &v[3]);
	memset(memory->least, 0xff, sizeof memory->least);
	memory->vertex_count = memory->face_count = 4;
	memory->free_count = 0;
	memory->first_free = NO_FACE;
	for (uint32_t f = 0; f < 4; f++) {
		make_face(memory, f, vertex[f][0], vertex[f][1], vertex[f][2]);
		measure_face(memory, &memory->faces[f]);
		for (int i = 0; i < 3; i++)
			memory->faces[f].adjacent[i] = adjacent[f][i];
	}
	for (uint32_t f = 0; f < 4; f++)
		enter_face(memory, f);
}

/* ---- expansion ---------------------------------------------------------------------------------- */

static void see_alone(wp_strong_memory *memory, uint32_t index)
{
	memory->faces[index].visible = true;
	memory->faces[index].next = NO_FACE;
	memory->first_visible = (uint16_t)index;
	memory->visible_count = 1;
}

/* Flood from the chosen face over edges: only faces connected to it are taken as visible, however rounding
 * places faces elsewhere. */
static void find_visible(wp_strong_memory *memory, uint32_t chosen, wp_d3 w)
{
	see_alone(memory, chosen);
	uint16_t last = memory->first_visible;
	for (uint16_t at = last; at != NO_FACE; at = memory->faces[at].next) {
		for (int i = 0; i < 3; i++) {
			const uint16_t index = memory->faces[at].adjacent[i];
			strong_face *other = &memory->faces[index];
			if (other->visible || !sees(memory, w, other))
				continue;
			other->visible = true;
			other->next = NO_FACE;
			memory->faces[last].next = index;
			memory->visible_count++;
			last = index;
		}
	}
}

/* Edges between visible and hidden faces as one loop, in order; false where they are not one, or more
 * than fit. */
static bool find_horizon(wp_strong_memory *memory)
{
	uint32_t count = 0, first = 0;
	for (uint32_t v = 0; v < memory->vertex_count; v++)
		memory->horizon[v] = UINT16_MAX;
	for (uint32_t index = memory->first_visible; index != NO_FACE; index = memory->faces[index].next) {
		const strong_face *face = &memory->faces[index];
		for (uint32_t i = 0; i < 3; i++) {
			if (memory->faces[face->adjacent[i]].visible)
				continue;
			if (memory->horizon[face->vertex[i]] != UINT16_MAX)
				return false;
			memory->horizon[face->vertex[i]] = (uint16_t)(4 * index + i);
			first = face->vertex[i];
			count++;
		}
	}
	if (count < 3 || count > WP_STRONG_HORIZON_MAX)
		return false;

	uint32_t start = first;
	for (memory->loop_count = 0; memory->loop_count < count; memory->loop_count++) {
		const uint32_t edge = memory->horizon[start];
		if (edge == UINT16_MAX || (start == first && memory->loop_count > 0))
			return false;
		const strong_face *face = &memory->faces[edge / 4];
		memory->loop_start[memory->loop_count] = (uint16_t)start;
		memory->loop[memory->loop_count] = face->adjacent[edge % 4];
		start = face->vertex[(edge % 4 + 1) % 3];
	}
	return start == first;
}

static uint32_t take_face(wp_strong_memory *memory)
{
	if (memory->first_free == NO_FACE)
		return memory->face_count++;
	const uint16_t index = memory->first_free;
	memory->free_count--;
	memory->first_free = memory->faces[index].next;
	return index;
}

/* The visible faces are the first free ones then. */
static void free_visible(wp_strong_memory *memory)
{
	uint16_t last = NO_FACE;
	for (uint16_t at = memory->first_visible; at != NO_FACE; at = memory->faces[at].next) {
		memory->faces[at].alive = memory->faces[at].visible = false;
		rank_face(memory, at);
		last = at;
	}
	memory->faces[last].next = memory->first_free;
	memory->first_free = memory->first_visible;
	memory->free_count += memory->visible_count;
}

/* Faces from every edge of the horizon to the new vertex take the place of the visible ones. A created face has its height in
 * the place of its distance until it enters. */
static void replace_visible(wp_strong_memory *memory, uint32_t apex)
{
	free_visible(memory);
	const uint32_t count = memory->loop_count;
	for (uint32_t i = 0; i < count; i++)
		memory->created[i] = (uint16_t)take_face(memory);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t index = memory->created[i], hidden = memory->loop[i];
		const uint32_t start = memory->loop_start[i], end = memory->loop_start[(i + 1) % count];
		memory->faces[index].distance = make_face(memory, index, start, end, apex);
		memory->faces[index].adjacent[0] = (uint16_t)hidden;
		memory->faces[index].adjacent[1] = memory->created[(i + 1) % count];
		memory->faces[index].adjacent[2] = memory->created[(i + count - 1) % count];
		for (int e = 0; e < 3; e++)
			if (memory->faces[hidden].vertex[e] == end && memory->faces[hidden].vertex[(e + 1) % 3] == start)
				memory->faces[hidden].adjacent[e] = (uint16_t)index;
	}
	for (uint32_t i = 0; i < count; i++) {
		strong_face *face = &memory->faces[memory->created[i]];
		const double height = face->distance;
		measure_face(memory, face);
		share_plane(memory, face, height);
		enter_face(memory, memory->created[i]);
	}
}

static void hide_all(wp_strong_memory *memory)
{
	for (uint16_t at = memory->first_visible; at != NO_FACE; at = memory->faces[at].next)
		memory->faces[at].visible = false;
}

/* Along X alone most points are apart. */
WP_INLINE bool are_one(wp_d3 v, wp_d3 w)
{
	const double least2 = WP_STRONG_COPLANAR * WP_STRONG_COPLANAR, x = v.x - w.x;
	if (x * x > least2)
		return false;
	const wp_d3 u = wp_d3_sub(v, w);
	return wp_d3_dot(u, u) <= least2;
}

/* Adds the support point that the chosen face has found. False, and nothing changed, where it is a
 * vertex already (rounding left the surface not convex there) or the faces do not fit. */
static bool expand(wp_strong_memory *memory, uint32_t chosen, wp_strong_vertex vertex)
{
	for (uint32_t v = 0; v < memory->vertex_count; v++)
		if (are_one(vertex_at(memory, v).w, vertex.w))
			return false;
	find_visible(memory, chosen, vertex.w);
	if (!find_horizon(memory)) {
		/* A hole in the visible part: rounding. The chosen face alone is always a disc. */
		hide_all(memory);
		see_alone(memory, chosen);
		if (!find_horizon(memory)) {
			hide_all(memory);
			return false;
		}
	}
	const uint32_t free_faces = memory->free_count + (WP_STRONG_FACE_MAX - memory->face_count);
	if (memory->loop_count > free_faces + memory->visible_count) {
		hide_all(memory);
		return false;
	}
	put_vertex(memory, memory->vertex_count, &vertex);
	replace_visible(memory, memory->vertex_count++);
	return true;
}

/* ---- the search --------------------------------------------------------------------------------- */

/* The best support plane found, and what the faces prove. */
typedef struct strong_depth {
	wp_d3 normal;
	double outer; /* support along the normal: upper bound of the depth */
	double inner; /* smallest distance of a face: lower bound of the depth if positive */
	bool any;     /* a support plane has been found */
	uint32_t status;
} strong_depth;

/* Simplex of a face, and in its `distance` how near the face comes to the target. */
static wp_strong_simplex near_target(const wp_strong_memory *memory, const strong_face *face, wp_d3 target)
{
	wp_strong_simplex simplex = {.count = 3};
	for (int i = 0; i < 3; i++) {
		simplex.vertices[i] = vertex_at(memory, face->vertex[i]);
		simplex.vertices[i].w = wp_d3_sub(simplex.vertices[i].w, target);
	}
	wp_strong_closest(&simplex, 0);
	return simplex;
}

/* The face, of all as near as the nearest, that best holds the foot of the origin on its own plane. A
 * facet has several faces, and nearly parallel facets differ by rounding; only one holds the foot. */
static uint32_t face_of_foot(const wp_strong_memory *memory, uint32_t chosen)
{
	const double limit = memory->faces[chosen].distance + WP_STRONG_ROUNDING;
	double least = 0;
	uint32_t best = NO_FACE;
	for (uint32_t f = 0; f < memory->face_count; f++) {
		const strong_face *face = &memory->faces[f];
		if (!face->alive || face->spent || face->distance > limit)
			continue;
		const wp_d3 foot = wp_d3_scale(face->normal, face->distance);
		const double distance = near_target(memory, face, foot).distance;
		if (best == NO_FACE || distance < least) {
			least = distance;
			best = f;
		}
	}
	return best;
}

/* Simplex whose closest point is the deepest point: of all faces the one that comes nearest to where
 * the normal meets its support plane. */
static wp_strong_simplex find_witness(const wp_strong_memory *memory, const strong_depth *depth)
{
	const wp_d3 target = wp_d3_scale(depth->normal, depth->outer);
	wp_strong_simplex witness = {.count = 0};
	for (uint32_t f = 0; f < memory->face_count; f++) {
		const strong_face *face = &memory->faces[f];
		if (!face->alive)
			continue;
		double top = wp_d3_dot(depth->normal, corner(memory, face, 0));
		for (int i = 1; i < 3; i++) {
			const double along = wp_d3_dot(depth->normal, corner(memory, face, i));
			top = along > top ? along : top;
		}
		if (witness.count > 0 && depth->outer - top > witness.distance)
			continue;
		const wp_strong_simplex simplex = near_target(memory, face, target);
		if (witness.count == 0 || simplex.distance < witness.distance)
			witness = simplex;
	}
	return witness;
}

/* Keeps the support plane along a normal if it is the best, or must be taken. */
static void keep_plane(strong_depth *best, wp_d3 normal, double outer, bool must)
{
	if (!best->any || must || outer < best->outer) {
		best->normal = normal;
		best->outer = outer;
		best->any = true;
	}
}

static strong_depth search(wp_strong_frame *frame, wp_strong_memory *memory)
{
	strong_depth best = {.any = false, .status = 0};
	for (;;) {
		const uint16_t chosen = memory->least[TREE_OPEN][1], nearest = memory->least[TREE_ALIVE][1];
		if (nearest != NO_FACE)
			best.inner = memory->faces[nearest].distance;
		if (chosen == NO_FACE) {
			best.status = WP_STATUS_ITERATION_CAP;
			return best;
		}
		const wp_d3 normal = memory->faces[chosen].normal;
		const wp_strong_vertex vertex = wp_strong_support(frame, normal);
		const double outer = wp_d3_dot(normal, vertex.w);
		const bool closed = outer - best.inner <= frame->depth_tolerance;
		keep_plane(&best, normal, outer, closed);
		if (closed) {
			/* As good a face that holds the foot better, if its own support plane closes the bracket too. */
			const wp_d3 other = memory->faces[face_of_foot(memory, chosen)].normal;
			const double reach = wp_d3_dot(other, wp_strong_support(frame, other).w);
			keep_plane(&best, other, reach, reach - best.inner <= frame->depth_tolerance);
			return best;
		}
		if (frame->is_smooth && memory->vertex_count >= WP_STRONG_PATIENCE &&
			best.outer - best.inner <= WP_STRONG_ENOUGH * WP_CONTRACT_SMOOTH * (frame->extent + best.outer))
			return best;
		if (memory->vertex_count == WP_STRONG_VERTEX_MAX) {
			best.status = WP_STATUS_CAPACITY;
			return best;
		}
		if (!expand(memory, chosen, vertex)) {
			memory->faces[chosen].spent = true;
			rank_face(memory, chosen);
		}
	}
}

/* A difference without volume: its depth is its thickness, along the flat's normal, from its nearer
 * side. GJK's simplex, which is within its upper bound of the origin, gives the witness points. */
static void settle_flat(wp_strong_frame *frame, wp_d3 normal, wp_strong_finding *finding)
{
	const double front = -wp_d3_dot(normal, wp_strong_support(frame, normal).w);
	const double back = wp_d3_dot(normal, wp_strong_support(frame, wp_d3_negate(normal)).w);
	finding->normal = back > front ? wp_d3_negate(normal) : normal;
	finding->separation = finding->lower = back > front ? back : front;
	finding->status |= WP_STATUS_DEGENERATE;
}

/* ---- depths without a nearest face -------------------------------------------------------------- */

/* The support along a normal falls fastest where that turns against what of the support vertex lies across it. Goes
 * down so, with turns that double after each success, to a plane at least as near as the one found. */
static void descend(wp_strong_frame *frame, strong_depth *depth)
{
	wp_strong_vertex vertex = wp_strong_support(frame, depth->normal);
	double turn = 0.125;
	for (int i = 0; i < WP_STRONG_DESCENT_MAX && turn > WP_STRONG_TURN_MIN; i++) {
		const wp_d3 aside = wp_d3_sub(vertex.w, wp_d3_scale(depth->normal, depth->outer));
		const double length = wp_d3_length(aside);
		if (!(length > WP_STRONG_SMOOTH_TOLERANCE))
			return;
		const wp_d3 turned = wp_d3_sub(depth->normal, wp_d3_scale(aside, turn / length));
		const wp_d3 normal = wp_d3_unit(turned);
		const wp_strong_vertex next = wp_strong_support(frame, normal);
		const double outer = wp_d3_dot(normal, next.w);
		if (outer < depth->outer) {
			depth->normal = normal;
			depth->outer = outer;
			vertex = next;
			turn *= 2;
		} else {
			turn /= 4;
		}
	}
}

/* The points of both cores that are nearest to where the normal meets its support plane: GJK from there. */
static void find_touch(const wp_strong_frame *frame, wp_d3 target, wp_strong_finding *finding)
{
	wp_strong_frame moved = *frame;
	wp_strong_finding nearest;
	moved.offset = wp_d3_add(frame->offset, target);
	wp_strong_gjk(&moved, &nearest);
	finding->simplex = nearest.simplex;
	for (int i = 0; i < finding->simplex.count; i++) {
		wp_strong_vertex *const v = &finding->simplex.vertices[i];
		v->b = wp_d3_sub(v->b, target);
		v->w = wp_d3_add(v->w, target);
	}
}

void wp_strong_epa(wp_strong_frame *frame, wp_strong_memory *memory, wp_strong_finding *finding)
{
	wp_strong_vertex start[4];
	wp_d3 normal;
	if (start_vertices(frame, start, &normal) < 4) {
		settle_flat(frame, normal, finding);
		return;
	}
	start_polytope(memory, start);
	strong_depth depth = search(frame, memory);
	const bool is_open = frame->is_smooth && !(depth.outer - depth.inner <= frame->depth_tolerance);
	if (is_open)
		descend(frame, &depth);
	finding->normal = depth.normal;
	finding->separation = finding->lower = -depth.outer;
	if (depth.inner > 0)
		finding->upper = -depth.inner;
	finding->status |= depth.status;

	/* Where the origin lies about on the boundary GJK's simplex, which ends there, can be the better one. */
	const wp_strong_simplex witness = find_witness(memory, &depth);
	const wp_d3 target = wp_d3_scale(depth.normal, depth.outer);
	if (witness.distance < wp_d3_length(wp_d3_sub(finding->simplex.closest, target)))
		finding->simplex = witness;
	if (is_open)
		find_touch(frame, target, finding);
}
