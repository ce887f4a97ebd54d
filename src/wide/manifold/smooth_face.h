/* Faces of cylinders and cones: the cap, as a polygon on its rim, or a line along the side.
 *
 * Everything between the corners of a cap is in its plane, and everything between the ends of a line along
 * the side, from rim to rim or from the rim to the apex, is on the side: no point of either is beside the
 * surface by more than rounding. The rim between two corners is in neither; where a shape touches there, the
 * witness points are the touch. */
#ifndef WP_WIDE_MANIFOLD_SMOOTH_FACE_H
#define WP_WIDE_MANIFOLD_SMOOTH_FACE_H

#include "wide/manifold/hull_face.h"

_Static_assert(WP_FACE_CORNER_MAX % (2 * WP_CAP_CORNERS) == 0 && WP_CAP_CORNERS > 4,
	"corners, and the middles between them, are spread directions; a line has four");

/* a + b x + c y */
WP_INLINE vf2 wp_seen_sum(vf2 a, vf b, vf2 x, vf c, vf2 y)
{
	return vf2_add(a, vf2_add(vf2_scale(x, b), vf2_scale(y, c)));
}

/* A cylinder or a cone as it looks towards the other shape; lengths are scaled. */
typedef struct wp_turned_side {
	vf radius, top; /* at the foot, which is at -Y, and at the top */
	vf half;        /* of the height */
	vm is_cap;      /* the cap is the face, else a line along the side */
	vm is_upper;    /* the cap is the one at +Y */
	vf x, z;        /* where the line is about the axis, unit */
} wp_turned_side;

/* Where the line is about the axis: where the normal is. Or where the witness point is, if that is all but
 * the same: lines of two shapes side by side then lie upon each other though the normal is turned a little. For a
 * normal along the axis, at an apex, no line is nearer: then it is the one at +X. */
WP_INLINE void wp_find_line(const wp_view *view, const wp_view_side *side, wp_turned_side *r)
{
	const vf least = vf_set(WP_PATCH_ALIKE * WP_PATCH_ALIKE), one = vf_set(1.0f);
	const vf from_axis = vf_mul(vf_set(WP_PATCH_APART), vf_mul(view->p.reach, view->p.scale));
	const vf3 t = side->toward;
	const vf3 core = vf3_sub(side->witness, vf3_scale(t, side->radius));
	const vf along = vf_add(vf_mul(core.x, t.x), vf_mul(core.z, t.z));
	const vf across = vf_sub(vf_mul(core.x, t.z), vf_mul(core.z, t.x));
	const vf normal2 = vf_add(vf_mul(t.x, t.x), vf_mul(t.z, t.z));
	const vf witness2 = vf_add(vf_mul(core.x, core.x), vf_mul(core.z, core.z));
	const vm is_near = vf_le(vf_abs(across), vf_mul(vf_set(WP_PATCH_ASIDE), along));
	const vm is_witness = vm_and(is_near, vf_gt(witness2, vf_mul(from_axis, from_axis))),
			 usable = vm_or(is_witness, vf_gt(normal2, least));
	const vf length2 = vf_select(is_witness, witness2, normal2);
	const vf inverse = vf_div(one, vf_sqrt(vf_select(usable, length2, one)));
	r->x = vf_select(usable, vf_mul(vf_select(is_witness, core.x, t.x), inverse), one);
	r->z = vf_select(usable, vf_mul(vf_select(is_witness, core.z, t.z), inverse), vf_zero());
}

/* Of cap and side that whose normal is nearer to n. What has no height has a cap on either side, be it a
 * cone; what has no radius has none. */
WP_INLINE void wp_see_turned_side(const wp_view *view, const wp_view_side *side, vf3 half, vi form, wp_turned_side *r)
{
	const vf zero = vf_zero();
	const vf3 t = side->toward;
	r->radius = vf_mul(half.x, view->p.scale);
	r->half = vf_mul(half.y, view->p.scale);
	const vm is_cone = vm_and(vi_eq(form, vi_set(WP_FORM_CONE)), vf_gt(r->half, zero));
	r->top = vf_select(is_cone, zero, r->radius);
	wp_find_line(view, side, r);

	/* For a cone both cosines times the length of its side, which goes out by the radius and down by the
	 * height. */
	const vf height = vf_add(r->half, r->half), out = vf_sqrt(vf_add(vf_mul(t.x, t.x), vf_mul(t.z, t.z)));
	const vf length = vf_sqrt(vf_add(vf_mul(height, height), vf_mul(r->radius, r->radius)));
	const vf along_side = vf_select(is_cone, vf_add(vf_mul(height, out), vf_mul(r->radius, t.y)), out);
	const vf along_cap = vf_select(is_cone, vf_neg(vf_mul(t.y, length)), vf_abs(t.y));
	const vf alike = vf_mul(vf_set(WP_PATCH_ALIKE), vf_select(is_cone, length, vf_set(1.0f)));
	r->is_cap = vm_and(vf_gt(r->radius, zero), vf_ge(vf_add(along_cap, alike), along_side));
	r->is_upper = vm_andnot(vf_gt(t.y, zero), is_cone);
}

/* A face of either sort: where its middle is, how far it reaches from there along two directions, and its
 * normal, of either sign. */
typedef struct wp_turned_face {
	vf2 centre, x, y;  /* the last two unit before they are seen */
	vf reach;          /* of lines along x alone */
	vf3 normal, first; /* first: its corner 0 */
	vm has_length;     /* lines alone */
} wp_turned_face;

WP_INLINE void wp_line_of_side(
	const wp_view *view, const wp_view_side *side, const wp_turned_side *r, wp_turned_face *line)
{
	const vf one = vf_set(1.0f), share = vf_set(0.5f);
	const vf middle = vf_mul(vf_add(r->top, r->radius), share), outward = vf_mul(vf_sub(r->top, r->radius), share);
	const vf3 half = vf33_apply(&side->rotation, vf3_set(vf_mul(outward, r->x), r->half, vf_mul(outward, r->z)));
	const vf3 from = vf33_apply(&side->rotation, vf3_set(vf_mul(middle, r->x), vf_zero(), vf_mul(middle, r->z)));
	const vf3 centre = vf3_sub(vf3_add(from, side->translation), view->eye);
	const vf length2 = vf3_dot(half, half);
	const vm has_length = vf_gt(length2, vf_set(WP_DIRECTION_MIN_SQUARED));
	const vf length = vf_sqrt(vf_select(has_length, length2, one));
	const vf3 along = vf3_scale(half, vf_div(one, length)), normal = wp_normal_of_segment(view->n, along);
	line->centre = wp_seen(view, centre);
	line->x = wp_seen(view, along);
	line->y = wp_seen(view, vf3_cross(normal, along));
	line->reach = length;
	line->normal = normal;
	line->first = vf3_add(centre, half);
	line->has_length = has_length;
}

/* The cap of a rounded shape is further out by its radius. */
WP_INLINE void wp_cap_of_side(
	const wp_view *view, const wp_view_side *side, const wp_turned_side *r, wp_turned_face *cap)
{
	const vf33 *const m = &side->rotation;
	const vf3 x = vf33_axis(m, 0), y = vf33_axis(m, 1), z = vf33_axis(m, 2);
	const vf up = vf_add(r->half, side->radius);
	const vf3 above = vf3_scale(y, vf_select(r->is_upper, up, vf_neg(up)));
	const vf3 centre = vf3_sub(vf3_add(above, side->translation), view->eye);
	cap->centre = wp_seen(view, centre);
	cap->x = wp_seen(view, x);
	cap->y = wp_seen(view, z);
	cap->reach = r->radius;
	cap->normal = vf3_neg(y);
	cap->first = vf3_add(centre, vf3_scale(x, r->radius));
}

/* Corner and edge k: of caps from +X towards +Z about the axis, of lines as segments have them. A line has four. */
WP_INLINE void wp_lay_turned(const wp_turned_side *r, const wp_turned_face *cap, const wp_turned_face *line, vf turn,
	int32_t k, wp_lane_polygons *polygon)
{
	const uint32_t step = WP_FACE_CORNER_MAX / WP_CAP_CORNERS;
	const bool is_head = k == 0 || k >= 3;
	const vf zero = vf_zero(), forth = vf_set(k < 2 ? -1.0f : 1.0f), end = is_head ? line->reach : vf_neg(line->reach);
	const vf2 none = vf2_zero();
	float cosine, sine, next_cosine, next_sine;
	wp_spread_direction((uint32_t)k * step, &cosine, &sine);
	wp_spread_direction((uint32_t)k * step + step / 2, &next_cosine, &next_sine);
	const vf2 on_cap = wp_seen_sum(
		cap->centre, vf_mul(cap->reach, vf_set(cosine)), cap->x, vf_mul(cap->reach, vf_set(sine)), cap->y);
	const vf2 on_line = wp_seen_sum(line->centre, end, line->x, zero, line->y);
	const vf2 way_of_cap = wp_seen_sum(none, vf_set(-next_sine), cap->x, vf_set(next_cosine), cap->y);
	const vf2 way_on = wp_seen_sum(none, k & 1 ? zero : forth, line->x, k & 1 ? forth : zero, line->y);
	const vf2 way_of_line = k < 4 ? way_on : none;
	const vf2 at = vf2_select(r->is_cap, on_cap, on_line), way = vf2_select(r->is_cap, way_of_cap, way_of_line);
	const vi on_rim = vi_add(vi_set(k), vi_select(r->is_upper, vi_set(WP_CAP_CORNERS), vi_zero()));
	const vi of_line = vi_set(2 * WP_CAP_CORNERS + is_head);
	vf_store(polygon->u + k * WP_WIDTH, at.x);
	vf_store(polygon->v + k * WP_WIDTH, at.y);
	vi_store(polygon->vertex + k * WP_WIDTH, vi_select(r->is_cap, on_rim, of_line));
	wp_put_edge(polygon, k, way, turn);
}

_Static_assert(WP_FORM_COUNT == 4, "smooth cores that are no ellipsoids are cylinders or cones");

/* Cylinders and cones; an ellipsoid has no faces. Along a line the balls around it are the surface, as they
 * are along a segment; a cap is all surface. */
WP_NOINLINE void wp_face_of_form(const wp_view *view, const wp_view_side *side, vf3 half,
	const wp_core *const core[WP_WIDTH], wp_lane_polygons *polygon, wp_face *f)
{
	const vi form = wp_forms_of(core);
	wp_turned_side r;
	wp_turned_face cap, line;
	wp_see_turned_side(view, side, half, form, &r);
	wp_cap_of_side(view, side, &r, &cap);
	wp_line_of_side(view, side, &r, &line);
	const vf3 normal = vf3_select(r.is_cap, cap.normal, line.normal),
			  first = vf3_select(r.is_cap, cap.first, line.first);
	const vf turn = vf3_dot(normal, view->n);
	f->most = vm_any(r.is_cap) ? WP_CAP_CORNERS : 4;
	for (int32_t k = 0; k < f->most; k++)
		wp_lay_turned(&r, &cap, &line, turn, k, polygon);
	const vm has_face = vm_andnot(vm_or(r.is_cap, line.has_length), vi_eq(form, vi_set(WP_FORM_ELLIPSOID)));
	f->count = vi_select(has_face, vi_select(r.is_cap, vi_set(WP_CAP_CORNERS), vi_set(4)), vi_zero());
	wp_take_plane(f, view, side, polygon, normal, first);
	f->radius = vf_select(r.is_cap, vf_zero(), side->radius);
	f->count = vi_select(wp_goes_round(polygon, f), f->count, vi_zero());
	if (vm_any(vf_lt(f->blunt, vf_set(1.0f))))
		wp_find_ends(polygon, f);
}

#endif
