/* Borders of a mesh that are none, where triangles lie along each other that share no vertices: unwelded seams, and corners
 * that lie on the edge of another triangle. Which triangles these are is read from the tree, around one place, in a height
 * field from the cells there. */
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

/* ---- triangles around a place ------------------------------------------------------------------- */

/* A walk through the triangles whose boxes meet a box around a place: how many it has seen, whether the normal leans into one
 * that holds the place, and whether it is in front of one. */
typedef struct around {
	const wp_mesh_judged *judged;
	wp_d3 place;
	wp_mesh_box box;
	uint32_t seen;
	bool is_back; /* the judged triangle faces the body with its back, and so do the others */
	bool leans, has_front;
} around;

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

/* Look at a triangle. False if nothing else can change what is known. */
static bool look_at(around *a, uint32_t triangle)
{
	holder h;
	a->seen++;
	if (triangle != a->judged->triangle && holds(a->judged, triangle, a->place, &h)) {
		a->leans = leans_into(&h, a->judged->normal);
		a->has_front |= wp_mesh_is_from_front(a->judged->normal, a->is_back ? wp_d3_negate(h.face) : h.face);
	}
	return !a->leans && a->seen < WP_RULE_SECTORS;
}

static void look_in_mesh(around *a)
{
	const wp_mesh *const mesh = a->judged->surface->view.mesh;
	for (uint32_t cursor = 0; cursor < mesh->triangle_count;) {
		uint32_t found[PART];
		size_t count = 0;
		(void)wp_mesh_overlap_box(mesh, a->box.lower, a->box.upper, &cursor, found, PART, &count);
		for (size_t i = 0; i < count; i++)
			if (!look_at(a, found[i]))
				return;
	}
}

/* Whether a triangle of a height field is one, and its box meets the box. */
static bool meets(const wp_height_view *heights, wp_height_triangle t, const wp_mesh_box *box)
{
	bool is_above[3] = {true, true, true}, is_below[3] = {true, true, true};
	for (uint32_t i = 0; i < 3; i++) {
		wp_d3 corner;
		double at[3];
		if (!wp_height_read_corner(heights, t, i, &corner))
			return false;
		wp_d3_put(corner, at);
		for (int k = 0; k < 3; k++) {
			is_above[k] &= at[k] > (double)box->upper[k];
			is_below[k] &= at[k] < (double)box->lower[k];
		}
	}
	return !(is_above[0] || is_above[1] || is_above[2] || is_below[0] || is_below[1] || is_below[2]);
}

static void look_in_cells(around *a)
{
	const wp_height_view *const heights = &a->judged->surface->heights;
	const wp_mesh_box *const box = &a->box;
	const wp_height_range columns = wp_height_cells(heights->field, 0, (double)box->lower[0], (double)box->upper[0]);
	const wp_height_range rows = wp_height_cells(heights->field, 1, (double)box->lower[2], (double)box->upper[2]);
	for (uint32_t row = rows.first; row <= rows.last; row++)
		for (uint32_t column = columns.first; column <= columns.last; column++)
			for (uint32_t half = 0; half < 2; half++) {
				const wp_height_triangle t = {column, row, half};
				if (meets(heights, t, box) && !look_at(a, wp_height_number(heights, t)))
					return;
			}
}

wp_mesh_objection wp_mesh_soup_objects(const wp_mesh_judged *judged, wp_d3 place)
{
	around a = {.judged = judged,
		.place = place,
		.is_back = wp_mesh_shows_back(judged->surface, judged->triangle, judged->face),
		.box = box_around(place, judged->slack),
		.has_front = wp_mesh_is_from_front(judged->normal, judged->face)};
	if (judged->surface->field != NULL)
		look_in_cells(&a);
	else
		look_in_mesh(&a);
	return a.leans ? WP_MESH_LEANS : a.has_front ? WP_MESH_NO_OBJECTION : WP_MESH_BEHIND_BORDER;
}
