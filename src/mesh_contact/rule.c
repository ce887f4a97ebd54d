/* No ghosts: which normals a contact at an edge or a corner may have, and what becomes of the others.
 *
 * The normals of a surface at an edge or a corner are the directions that lean towards none of the faces around it: its
 * cone. Above each face is its prism. Prisms and cones fill the outside of a surface without overlap, so that a contact
 * whose normal is in no cone of its own feature is one of a neighbour, unless the body's face lies above its triangle. Where
 * there is no neighbour, or the body is behind it, none has it: a row that would have no contact for that keeps one. */
#include "mesh_contact/internal.h"

/* Share of WP_RULE_ASIDE that is taken from how far outside of a triangle a point may be: an edge is up to 2 L, and in a corner of
 * 60 degrees a point is twice as far from the triangle as it is outside of both edges. */
#define ABOVE_SPARE 0.75

/* ---- cones -------------------------------------------------------------------------------------- */

/* The next corner or edge of a triangle, and the one before. */
static uint32_t next_of(uint32_t corner) { return corner == 2 ? 0 : corner + 1; }
static uint32_t last_of(uint32_t corner) { return corner == 0 ? 2 : corner - 1; }

/* Whether a normal leans towards a vector of any length. */
static bool leans(wp_d3 normal, wp_d3 toward)
{
	return wp_d3_dot(normal, toward) > WP_RULE_LEAN * wp_d3_length(toward);
}

/* Where a walk around a corner is: at which corner of a triangle. */
typedef struct sector {
	wp_surface_triangle triangle;
	uint32_t corner;
} sector;

/* Step across an edge at the corner: the one that leaves it (0), or the one that comes to it (2). `far`: the corner of the next
 * triangle that is not on that edge. False at a border. */
static bool step(const wp_surface *surface, sector *at, uint32_t side, wp_d3 *far)
{
	wp_surface_triangle neighbour;
	uint32_t number;
	const uint32_t edge = side == 0 ? at->corner : last_of(at->corner);
	if (!wp_surface_across(surface, &at->triangle, edge, &neighbour, &number, far))
		return false;
	/* The edge goes the other way there. */
	*at = (sector){neighbour, side == 0 ? next_of(number) : number};
	return true;
}

/* Whether a normal does not come from behind another triangle, seen from the side of the surface that the judged one faces. */
static bool is_from_front_of(const wp_mesh_judged *judged, uint32_t triangle)
{
	wp_d3 v[3];
	const bool is_back = wp_mesh_shows_back(judged->surface, judged->triangle, judged->face);
	const wp_d3 face = wp_d3_unit(wp_surface_normal(judged->surface, triangle, v));
	return wp_mesh_is_from_front(judged->normal, is_back ? wp_d3_negate(face) : face);
}

/* At a place on the border of the mesh. */
static wp_mesh_objection border_objects(const wp_mesh_judged *judged, wp_d3 place)
{
	return judged->is_soup                                     ? wp_mesh_soup_objects(judged, place)
	     : wp_mesh_is_from_front(judged->normal, judged->face) ? WP_MESH_NO_OBJECTION
	                                                           : WP_MESH_BEHIND_BORDER;
}

/* The place on an edge from a to b that is nearest to the witness point. */
static wp_d3 witness_on(const wp_mesh_judged *judged, wp_d3 a, wp_d3 b)
{
	const wp_d3 way = wp_d3_sub(b, a);
	const double share = wp_d3_dot(wp_d3_sub(judged->witness, a), way) / wp_d3_dot(way, way);
	return wp_d3_add(a, wp_d3_scale(way, share > 0 ? share < 1 ? share : 1 : 0));
}

/* At an edge: whether the normal leans to neither side, and is in front of one. It does not lean to its own triangle. */
static wp_mesh_objection edge_objects(const wp_mesh_judged *judged, uint32_t edge)
{
	const wp_surface *const surface = judged->surface;
	const wp_surface_triangle own = wp_surface_triangle_of(surface, judged->triangle);
	sector at = {own, edge};
	wp_d3 far;
	const wp_d3 a = wp_surface_corner_of(surface, &own, edge), b = wp_surface_corner_of(surface, &own, next_of(edge));
	if (!step(surface, &at, 0, &far))
		return border_objects(judged, witness_on(judged, a, b));
	const wp_d3 along = wp_d3_unit(wp_d3_sub(b, a)), out = wp_d3_sub(far, a);
	if (leans(judged->normal, wp_d3_sub(out, wp_d3_scale(along, wp_d3_dot(out, along)))))
		return WP_MESH_LEANS;
	return wp_mesh_is_from_front(judged->normal, judged->face) || is_from_front_of(judged, at.triangle.number)
	         ? WP_MESH_NO_OBJECTION
	         : WP_MESH_FROM_BEHIND;
}

bool wp_mesh_edge_allows(const wp_mesh_judged *judged, uint32_t edge)
{
	return edge_objects(judged, edge) == WP_MESH_NO_OBJECTION;
}

/* A unit vector from a corner along an edge, and how far a normal leans along it. */
typedef struct spoke {
	wp_d3 way;
	double lean;
} spoke;

static spoke spoke_to(wp_d3 end, wp_d3 corner, wp_d3 normal)
{
	const wp_d3 way = wp_d3_unit(wp_d3_sub(end, corner));
	return (spoke){way, wp_d3_dot(normal, way)};
}

/* Whether a normal leans into the sector between two spokes: along one of them, or, across a blunt one, between them. Of a
 * sharp one it leans along a spoke if it does between them. */
static bool leans_into(const spoke *x, const spoke *y, wp_d3 normal)
{
	if (x->lean > WP_RULE_LEAN || y->lean > WP_RULE_LEAN)
		return true;
	if (wp_d3_dot(x->way, y->way) >= 0)
		return false;
	const wp_d3 across = wp_d3_cross(x->way, y->way);
	const double sine = wp_d3_length(across);
	if (!(sine > 0))
		return false;
	const wp_d3 g = wp_d3_scale(across, 1 / sine);
	return wp_d3_dot(normal, wp_d3_cross(g, x->way)) > WP_RULE_LEAN &&
	       wp_d3_dot(normal, wp_d3_cross(y->way, g)) > WP_RULE_LEAN;
}

/* At a corner: whether the normal leans into none of the triangles around it, and is in front of one. */
static wp_mesh_objection corner_objects(const wp_mesh_judged *judged, uint32_t corner)
{
	const wp_surface *const surface = judged->surface;
	const wp_surface_triangle own = wp_surface_triangle_of(surface, judged->triangle);
	const wp_d3 place = wp_surface_corner_of(surface, &own, corner);
	bool has_front = wp_mesh_is_from_front(judged->normal, judged->face);
	uint32_t steps = 0;
	for (uint32_t side = 0; side <= 2; side += 2) {
		sector at = {own, corner};
		const uint32_t end = side == 0 ? next_of(corner) : last_of(corner);
		wp_d3 far = wp_surface_corner_of(surface, &own, end);
		spoke known = spoke_to(far, place, judged->normal);
		for (; steps < WP_RULE_SECTORS && step(surface, &at, side, &far); steps++) {
			if (at.triangle.number == judged->triangle)
				return has_front ? WP_MESH_NO_OBJECTION : WP_MESH_FROM_BEHIND;
			const spoke next = spoke_to(far, place, judged->normal);
			if (side == 0 ? leans_into(&next, &known, judged->normal) : leans_into(&known, &next, judged->normal))
				return WP_MESH_LEANS;
			has_front = has_front || is_from_front_of(judged, at.triangle.number);
			known = next;
		}
		if (steps == WP_RULE_SECTORS)
			return WP_MESH_NO_OBJECTION;
	}
	return border_objects(judged, place);
}

bool wp_mesh_corner_allows(const wp_mesh_judged *judged, uint32_t corner)
{
	return corner_objects(judged, corner) == WP_MESH_NO_OBJECTION;
}

/* Of a triangle so thin that all its corners are about as far along a normal, the edge from which it falls off most steeply,
 * or 3: none, the normal is the face's. One that is the back's falls off from no edge, but for rounding. */
static uint32_t edge_of_sliver(const wp_d3 v[3], wp_d3 normal, wp_d3 face)
{
	uint32_t steepest = 3;
	double least = wp_d3_dot(normal, face) < 0 ? -WP_RULE_LEAN : 0;
	for (uint32_t edge = 0; edge < 3; edge++) {
		const wp_d3 along = wp_d3_unit(wp_d3_sub(v[(edge + 1) % 3], v[edge]));
		const wp_d3 in = wp_d3_sub(v[(edge + 2) % 3], v[edge]);
		const double rise = wp_d3_dot(normal, wp_d3_unit(wp_d3_sub(in, wp_d3_scale(along, wp_d3_dot(in, along)))));
		if (rise < least) {
			least = rise;
			steepest = edge;
		}
	}
	return steepest;
}

/* The corners of a triangle that are farthest along a normal, a bit for each. */
static uint32_t farthest_corners(const wp_d3 v[3], wp_d3 normal)
{
	double height[3];
	uint32_t top = 0, joined = 0;
	for (uint32_t i = 0; i < 3; i++) {
		height[i] = wp_d3_dot(normal, wp_d3_sub(v[i], v[0]));
		top = height[i] > height[top] ? i : top;
	}
	for (uint32_t i = 0; i < 3; i++)
		if (i == top || height[top] - height[i] < WP_RULE_LEAN * wp_d3_length(wp_d3_sub(v[top], v[i])))
			joined |= 1u << i;
	return joined;
}

/* What is to be said against a normal at the feature of the triangle that is farthest along it. */
static wp_mesh_objection objection_to(const wp_mesh_judged *judged)
{
	wp_d3 v[3];
	wp_surface_corners(judged->surface, judged->triangle, v);
	const uint32_t corners = farthest_corners(v, judged->normal);
	switch (corners) {
	case 1:
	case 2:
	case 4:
		return corner_objects(judged, corners >> 1);
	case 3:
		return edge_objects(judged, 0);
	case 6:
		return edge_objects(judged, 1);
	case 5:
		return edge_objects(judged, 2);
	default: {
		const uint32_t edge = edge_of_sliver(v, judged->normal, judged->face);
		return edge < 3 ? edge_objects(judged, edge) : WP_MESH_LEANS;
	}
	}
}

bool wp_mesh_allows(const wp_mesh_judged *judged) { return objection_to(judged) == WP_MESH_NO_OBJECTION; }

/* ---- contacts ----------------------------------------------------------------------------------- */

/* Take over what the kernels found. False where the triangle is too far, or the pair has no answer. */
static bool take_contact(const wp_call *call, const wp_jobs *jobs, uint32_t job, wp_mesh_candidate *c)
{
	const float *const output = jobs->output + (size_t)WP_OUTPUT_COUNT * job;
	const float *const detail = jobs->detail + (size_t)WP_DETAIL_COUNT * job;
	const uint32_t status = (uint32_t)jobs->status[job];
	const float separation = output[WP_OUTPUT_SEPARATION];
	c->status = status;
	c->outcome = WP_MESH_APART;
	c->is_turned = c->has_witness = c->witness_is_above = false;
	if ((status & (WP_STATUS_BEYOND | WP_STATUS_INVALID)) != 0 || !(separation <= call->max_separation))
		return false;
	c->outcome = WP_MESH_KEPT;
	c->normal = c->found = wp_d3_negate(wp_d3_unit(wp_d3_of_floats(output + WP_OUTPUT_NORMAL)));
	c->separation = (double)separation;
	c->witness = wp_d3_of_floats(output + WP_OUTPUT_POINT_A);
	const wp_d3 on_mesh = wp_d3_sub(c->witness, wp_d3_scale(c->normal, c->separation));
	const wp_d3 miss = wp_d3_sub(wp_d3_of_floats(output + WP_OUTPUT_POINT_B), on_mesh);
	c->miss2 = (float)wp_d3_dot(miss, miss);
	memcpy(c->witness_local, detail + WP_DETAIL_LOCAL_A, sizeof c->witness_local);
	return true;
}

/* Whether a place is above or below a triangle, or `slack` aside of that. A place far beyond a sharp corner is beside both edges
 * there, but beyond the longest edge. */
static bool is_above(const wp_mesh_candidate *c, wp_d3 place, double slack)
{
	double longest = 0, beyond = 0;
	for (int i = 0; i < 3; i++) {
		const wp_d3 a = c->corner[i], edge = wp_d3_sub(c->corner[(i + 1) % 3], a), along = wp_d3_unit(edge);
		const wp_d3 inward = wp_mesh_inward(c->face, along, wp_d3_sub(c->corner[(i + 2) % 3], a));
		const wp_d3 way = wp_d3_sub(place, a);
		if (wp_d3_dot(inward, way) < -slack)
			return false;
		const double length = wp_d3_dot(along, edge), at = wp_d3_dot(along, way);
		beyond = !(length > longest) ? beyond : at < 0 ? -at : at - length;
		longest = length > longest ? length : longest;
	}
	return beyond <= slack;
}

static double size_of(const wp_mesh_row *row, const wp_mesh_candidate *c)
{
	double size = row->reach;
	for (int i = 0; i < 3; i++) {
		const double edge = wp_d3_length(wp_d3_sub(c->corner[(i + 1) % 3], c->corner[i]));
		size = edge > size ? edge : size;
	}
	return size;
}

/* Give a contact the normal of the triangle, and the body's lowest point along it for its witness: the manifold that kernels
 * make of it is what the body's face and the triangle have in common. */
static void turn_to_face(const wp_mesh_memory *memory, const wp_mesh_row *row, wp_mesh_candidate *c, double slack,
	wp_jobs *jobs, uint32_t job)
{
	float *const output = jobs->output + (size_t)WP_OUTPUT_COUNT * job;
	float *const detail = jobs->detail + (size_t)WP_DETAIL_COUNT * job;
	const wp_mesh_place *const place = &memory->place[jobs->row[job]];
	const wp_d3 lowest = wp_mesh_support(row, wp_d3_negate(c->face));
	const double gap = wp_d3_dot(c->face, wp_d3_sub(lowest, c->corner[0]));
	const wp_d3 below = wp_d3_sub(lowest, wp_d3_scale(c->face, gap));
	c->outcome = WP_MESH_FACE;
	c->normal = c->face;
	c->witness_is_above = is_above(c, lowest, slack);
	output[WP_OUTPUT_SEPARATION] = (float)gap;
	wp_d3_put_floats(wp_d3_negate(c->face), output + WP_OUTPUT_NORMAL);
	wp_d3_put_floats(lowest, output + WP_OUTPUT_POINT_A);
	wp_d3_put_floats(below, output + WP_OUTPUT_POINT_B);
	wp_d3_put_floats(wp_dq_turn_back(row->body_turn, lowest), detail + WP_DETAIL_LOCAL_A);
	wp_d3_put_floats(wp_d3_sub(below, wp_d3_of_floats(place->position)), detail + WP_DETAIL_LOCAL_B);
}

void wp_mesh_leave(const wp_call *call, wp_jobs *jobs)
{
	for (uint32_t job = 0; job < jobs->count; job++)
		(void)take_contact(call, jobs, job, &call->mesh->candidate[jobs->row[job]]);
}

/* What else is needed of a contact with a mesh whose borders may be none. Corners may be off each other by the rounding of
 * their coordinates, whatever the sizes. */
void wp_mesh_judge_as_soup(const wp_mesh_row *row, wp_d3 place, wp_mesh_judged *judged)
{
	double at[3];
	judged->is_soup = true;
	judged->witness = wp_d3_add(row->origin, place);
	wp_d3_put(judged->witness, at);
	double farthest = 0;
	for (int k = 0; k < 3; k++)
		farthest = wp_abs(at[k]) > farthest ? wp_abs(at[k]) : farthest;
	judged->slack += WP_RULE_ROUNDING * farthest;
}

/* What is to be said against the normal that was found of a candidate, as a soup's or not. */
static wp_mesh_objection objection_to_found(
	const wp_surface *surface, bool is_soup, const wp_mesh_row *row, const wp_mesh_candidate *c)
{
	wp_mesh_judged judged = {surface, c->triangle, c->found, c->face, 0, false, wp_d3_zero()};
	if (is_soup) {
		judged.slack = WP_RULE_ASIDE * size_of(row, c);
		wp_mesh_judge_as_soup(row, wp_d3_sub(c->witness, wp_d3_scale(c->found, c->separation)), &judged);
	}
	return objection_to(&judged);
}

bool wp_mesh_keeps(
	const wp_mesh_call *call, const wp_mesh_row *row, const wp_surface *surface, const wp_mesh_candidate *c)
{
	return objection_to_found(surface, (call->flags & WP_MESH_SOUP) != 0, row, c) == WP_MESH_NO_OBJECTION;
}

void wp_mesh_turn(const wp_call *call, wp_jobs *jobs)
{
	wp_mesh_memory *const memory = call->mesh;
	for (uint32_t job = 0; job < jobs->count; job++) {
		const uint32_t at = jobs->row[job];
		wp_mesh_candidate *const c = &memory->candidate[at];
		const wp_mesh_row *const row = &memory->row[memory->body[at] - WP_MESH_RING];
		if (!take_contact(call, jobs, job, c))
			continue;
		const wp_surface surface = wp_surface_of(row->mesh, row->field);
		wp_mesh_judged judged = {.surface = &surface,
			.triangle = c->triangle,
			.normal = c->normal,
			.face = c->face,
			.slack = WP_RULE_ASIDE * size_of(row, c)};
		/* Points are nearer to their triangle than places are that are one. */
		const double spare = ABOVE_SPARE * judged.slack;
		if (memory->is_soup)
			wp_mesh_judge_as_soup(
				row, wp_d3_of_floats(jobs->output + (size_t)WP_OUTPUT_COUNT * job + WP_OUTPUT_POINT_B), &judged);
		const bool is_face = wp_d3_length(wp_d3_sub(c->normal, c->face)) < WP_RULE_SAME;
		const bool allowed = wp_mesh_allows(&judged);
		if (!is_face && allowed)
			continue;
		c->is_turned = !is_face;
		c->has_witness = is_face && allowed;
		turn_to_face(memory, row, c, judged.slack - spare, jobs, job);
	}
}

/* ---- contacts from behind ----------------------------------------------------------------------- */

/* Whether the body's centre is in front of the triangles that share an edge with the contact's, as it is of that one. */
static bool is_in_front_of_all(const wp_surface *surface, const wp_mesh_row *row, const wp_mesh_candidate *c)
{
	wp_d3 v[3], far;
	const wp_d3 centre = wp_d3_add(row->origin, row->centre);
	const bool is_back = wp_mesh_shows_back(surface, c->triangle, c->face);
	for (uint32_t edge = 0; edge < 3; edge++) {
		sector at = {wp_surface_triangle_of(surface, c->triangle), edge};
		if (!step(surface, &at, 0, &far))
			continue;
		const wp_d3 normal = wp_surface_normal(surface, at.triangle.number, v);
		const double height = wp_d3_dot(normal, wp_d3_sub(centre, v[0]));
		if (is_back ? height > 0 : height < 0)
			return false;
	}
	return true;
}

/* At a border, leaning to no triangle, it is the contact of a body beside the triangle, unless that would be pushed behind the
 * triangle: by its centre. Then, and elsewhere, the body came from the front and is so deep that the back is nearer; but not
 * elsewhere where its centre is behind a neighbour, too: it is behind the surface. */
wp_mesh_stay wp_mesh_stay_of(const wp_mesh_memory *memory, const wp_mesh_row *row, const wp_mesh_candidate *c)
{
	const wp_surface surface = wp_surface_of(row->mesh, row->field);
	/* Across a gap nothing is pushed. */
	const double overlap = c->separation < 0 ? c->separation : 0;
	const wp_d3 pushed = wp_d3_sub(row->centre, wp_d3_scale(c->found, overlap));
	if (objection_to_found(&surface, memory->is_soup, row, c) == WP_MESH_BEHIND_BORDER)
		return wp_d3_dot(c->face, wp_d3_sub(pushed, c->corner[0])) < 0 ? WP_MESH_STAYS_ABOVE : WP_MESH_STAYS;
	return c->separation < 0 && is_in_front_of_all(&surface, row, c) ? WP_MESH_STAYS_ABOVE : WP_MESH_GOES;
}

bool wp_mesh_is_below_neighbours(const wp_mesh_row *row, const wp_mesh_candidate *c)
{
	const wp_surface surface = wp_surface_of(row->mesh, row->field);
	return c->separation < 0 && objection_to_found(&surface, false, row, c) == WP_MESH_LEANS &&
	       is_in_front_of_all(&surface, row, c);
}
