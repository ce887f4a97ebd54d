/* Borders of a mesh that are none, where triangles lie along each other that share no vertices: unwelded seams, and corners
 * that lie on the edge of another triangle. Which triangles these are is read from the tree, around one place. */
#include "mesh_contact/internal.h"

/* Triangles that are read at once. */
#define PART 16

/* A triangle that holds a place: unit vectors of its face, of its edges, and across these inwards. */
typedef struct holder {
	wp_d3 face, along[3], inward[3];
	bool is_on[3]; /* the place is on that edge; on two of them: at a corner */
} holder;

/* Whether a triangle holds a place, or nearly so. */
static bool holds(const wp_mesh_judged *judged, uint32_t triangle, wp_d3 place, holder *h)
{
	wp_d3 v[3];
	h->face = wp_d3_unit(wp_surface_normal(judged->surface, triangle, v));
	if (!(wp_abs(wp_d3_dot(h->face, wp_d3_sub(place, v[0]))) <= judged->slack))
		return false;
	for (int i = 0; i < 3; i++) {
		h->along[i] = wp_d3_unit(wp_d3_sub(v[(i + 1) % 3], v[i]));
		h->inward[i] = wp_d3_cross(h->face, h->along[i]);
		const double in = wp_d3_dot(h->inward[i], wp_d3_sub(place, v[i]));
		if (!(in >= -judged->slack))
			return false;
		h->is_on[i] = in <= judged->slack;
	}
	return true;
}

/* Whether a direction along an edge stays in the triangle: another edge that the place is on does not end it. */
static bool stays(const holder *h, int edge, wp_d3 direction)
{
	bool does = true;
	for (int i = 0; i < 3; i++)
		does &= i == edge || !h->is_on[i] || wp_d3_dot(h->inward[i], direction) >= 0;
	return does;
}

/* Whether a normal leans into a triangle from a place that it holds: along its edges there, or between them. */
static bool leans_into(const holder *h, wp_d3 normal)
{
	const wp_d3 flat = wp_d3_sub(normal, wp_d3_scale(h->face, wp_d3_dot(normal, h->face)));
	bool is_between = wp_d3_length(flat) > WP_RULE_LEAN, is_along = false;
	for (int i = 0; i < 3; i++) {
		if (!h->is_on[i])
			continue;
		const wp_d3 back = wp_d3_negate(h->along[i]);
		is_between &= wp_d3_dot(normal, h->inward[i]) > WP_RULE_LEAN;
		is_along |= wp_d3_dot(normal, h->along[i]) > WP_RULE_LEAN && stays(h, i, h->along[i]);
		is_along |= wp_d3_dot(normal, back) > WP_RULE_LEAN && stays(h, i, back);
	}
	return is_between || is_along;
}

/* A box around a place, in floats. */
static wp_mesh_box box_around(wp_d3 place, double slack)
{
	double at[3];
	wp_mesh_box box;
	wp_d3_put(place, at);
	for (int k = 0; k < 3; k++) {
		box.lower[k] = wp_round_down(at[k] - slack);
		box.upper[k] = -wp_round_down(-(at[k] + slack));
	}
	return box;
}

wp_mesh_objection wp_mesh_soup_objects(const wp_mesh_judged *judged, wp_d3 place)
{
	const wp_mesh_box box = box_around(place, judged->slack);
	const uint32_t end = judged->soup->triangle_count;
	bool has_front = wp_mesh_is_from_front(judged->normal, judged->face);
	uint32_t cursor = 0;
	for (uint32_t seen = 0; cursor < end && seen < WP_RULE_SECTORS;) {
		uint32_t found[PART];
		size_t count = 0;
		(void)wp_mesh_overlap_box(judged->soup, box.lower, box.upper, &cursor, found, PART, &count);
		seen += (uint32_t)count;
		for (size_t i = 0; i < count; i++) {
			holder h;
			if (found[i] == judged->triangle || !holds(judged, found[i], place, &h))
				continue;
			if (leans_into(&h, judged->normal))
				return WP_MESH_LEANS;
			has_front |= wp_mesh_is_from_front(judged->normal, h.face);
		}
	}
	return has_front ? WP_MESH_NO_OBJECTION : WP_MESH_BEHIND_BORDER;
}
