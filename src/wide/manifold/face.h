/* The face of each shape whose normal is nearest to the contact's, as a polygon across that.
 *
 * A patch is what two faces have in common, seen along the normal n: a point has its place (u, v) across n and its
 * height along it, both counted from the witness point of A. */
#ifndef WP_WIDE_MANIFOLD_FACE_H
#define WP_WIDE_MANIFOLD_FACE_H

#include "wide/job/store.h"
#include "wide/lane/vec2.h"
#include "wide/support/support.h"

/* How points are seen. */
typedef struct wp_view {
	wp_prepared p;
	vf3 n, across[2]; /* right-handed, in A's frame */
	vf3 eye;          /* what places and heights are counted from, in A's frame, scaled */
} wp_view;

/* A side of the pairs: from its own frame to A's. */
typedef struct wp_view_side {
	vf33 rotation;
	vf3 translation; /* scaled */
	vf3 toward;      /* from this shape to the other, unit, in its own frame */
	vf3 witness;     /* of cylinders and cones: where the shapes touch, in its own frame, scaled */
	vf outward;      /* +1 for A, -1 for B: how the face that is looked for lies to n */
	vf radius;       /* scaled */
} wp_view_side;

/* The hulls of one side whose rounding may be needed as a whole, and how each is seen: in its own frame, scaled. */
typedef struct wp_whole_hulls {
	const wp_core *core[WP_WIDTH];
	vf3 seen[3]; /* the directions across the normal, and what is counted from */
	vf3 up;      /* from this shape to the other */
	vf scale;
} wp_whole_hulls;

/* The face of the core of one side; its corners are among the polygons. */
typedef struct wp_face {
	vi count;            /* corners; 0 without a face */
	int32_t most;        /* of all lanes */
	bool is_line;        /* corners 2 and 3 are 1 and 0 again, and its edges the way from 0 to 1 and back */
	vf u, v, height;     /* its first corner */
	vf slope_u, slope_v; /* height over place */
	vf lean;             /* cosine between its normal and n, without its sign */
	vf blunt;            /* twice the sine of half the sharpest angle, at most 1: what is outside of both edges of a
	                            sharp corner by a length is outside of the corner by more, */
	vf along_u, along_v; /* so where that is below 1: the direction of the longest edge, */
	vf low, high;        /* and how far the corners reach along it */
	vf radius, outward;  /* of its side */
	const wp_whole_hulls *whole; /* of hulls of which some have a radius, else NULL */
} wp_face;

/* The side of A, in whose frame all is seen; its radius is scaled. */
WP_INLINE wp_view_side wp_view_side_of_a(const wp_view *view, vf radius)
{
	return (wp_view_side){.rotation = vf33_identity(),
		.translation = vf3_zero(),
		.toward = view->n,
		.witness = view->eye,
		.outward = vf_set(1.0f),
		.radius = radius};
}

WP_INLINE vf wp_height_at(const wp_face *f, vf u, vf v)
{
	return vf_add(f->height, vf_add(vf_mul(f->slope_u, vf_sub(u, f->u)), vf_mul(f->slope_v, vf_sub(v, f->v))));
}

WP_INLINE vf3 wp_to_view(const wp_view *view, const wp_view_side *side, vf3 local)
{
	const vf3 at = vf3_add(vf33_apply(&side->rotation, vf3_scale(local, view->p.scale)), side->translation);
	return vf3_sub(at, view->eye);
}

/* A vector as it is seen along the normal. */
WP_INLINE vf2 wp_seen(const wp_view *view, vf3 a)
{
	return (vf2){vf3_dot(a, view->across[0]), vf3_dot(a, view->across[1])};
}

/* Keep an edge along `way` of a polygon that turns left, or right where `turn` is negative. */
WP_INLINE void wp_put_edge(wp_lane_polygons *polygon, int32_t k, vf2 way, vf turn)
{
	const vf length2 = vf2_dot(way, way);
	const vm usable = vf_gt(length2, vf_set(WP_DIRECTION_MIN_SQUARED));
	const vf inverse = vf_div(vf_set(1.0f), vf_sqrt(vf_select(usable, length2, vf_set(1.0f))));
	const vf share = vf_flip_sign(vf_select(usable, inverse, vf_zero()), turn);
	vf_store(polygon->inward_u + k * WP_WIDTH, vf_neg(vf_mul(way.y, share)));
	vf_store(polygon->inward_v + k * WP_WIDTH, vf_mul(way.x, share));
}

/* Keep an edge against the way of another. */
WP_INLINE void wp_put_edge_back(wp_lane_polygons *polygon, int32_t k, int32_t of)
{
	vf_store(polygon->inward_u + k * WP_WIDTH, vf_neg(vf_load(polygon->inward_u + of * WP_WIDTH)));
	vf_store(polygon->inward_v + k * WP_WIDTH, vf_neg(vf_load(polygon->inward_v + of * WP_WIDTH)));
}

/* The corners of a face that repeat no others, and the edges that others do not go back along. */
WP_INLINE int32_t wp_own_places(const wp_face *f) { return f->is_line ? 2 : f->most; }

WP_INLINE int32_t wp_own_edges(const wp_face *f) { return f->is_line ? 1 : f->most; }

/* The number of the corner after corner k. */
WP_INLINE int32_t wp_after(int32_t k, int32_t most) { return k + 1 < most ? k + 1 : 0; }

/* The way from corner k to the next. */
WP_INLINE void wp_edge_way(const wp_lane_polygons *polygon, const wp_face *f, int32_t k, vf *du, vf *dv)
{
	const int32_t at = k * WP_WIDTH, next = wp_after(k, f->most) * WP_WIDTH;
	*du = vf_sub(vf_load(polygon->u + next), vf_load(polygon->u + at));
	*dv = vf_sub(vf_load(polygon->v + next), vf_load(polygon->v + at));
}

/* How far a place is inside edge k; 0 for an edge without a direction. */
WP_INLINE vf wp_inside_by(const wp_lane_polygons *polygon, int32_t k, vf u, vf v)
{
	const int32_t at = k * WP_WIDTH;
	const vf du = vf_sub(u, vf_load(polygon->u + at)), dv = vf_sub(v, vf_load(polygon->v + at));
	return vf_add(vf_mul(du, vf_load(polygon->inward_u + at)), vf_mul(dv, vf_load(polygon->inward_v + at)));
}

/* How far along the longest edge of a polygon with a sharp corner a place is. */
WP_INLINE vf wp_place_along(const wp_face *f, vf u, vf v)
{
	return vf_add(vf_mul(u, f->along_u), vf_mul(v, f->along_v));
}

/* Whether a place is inside a polygon, or no further out than a length. */
WP_INLINE vm wp_is_inside(const wp_lane_polygons *polygon, const wp_face *f, vf u, vf v, vf tolerance)
{
	const vf outside = vf_neg(tolerance);
	vm inside = vm_all();
	for (int32_t k = 0; k < f->most; k++)
		inside = vm_andnot(inside, vf_lt(wp_inside_by(polygon, k, u, v), outside));
	if (!vm_any(vf_lt(f->blunt, vf_set(1.0f))))
		return inside;
	const vf place = wp_place_along(f, u, v);
	return vm_andnot(inside, vm_or(vf_lt(vf_sub(place, f->low), outside), vf_lt(vf_sub(f->high, place), outside)));
}

/* How far faces reach along their longest edge where this is not needed: further than any corner. */
#define WP_FACE_REACH_MAX 1e30f

/* The plane of a face with this unit normal, of either direction, through its first corner. Faces that lean too far
 * are none. */
WP_INLINE void wp_take_plane(
	wp_face *f, const wp_view *view, const wp_view_side *side, const wp_lane_polygons *polygon, vf3 normal, vf3 first)
{
	const vf along = vf3_dot(normal, view->n);
	const vm leans = vm_not(vf_ge(vf_abs(along), vf_set(WP_PATCH_SLOPE_MIN)));
	const vf inverse = vf_div(vf_set(-1.0f), vf_select(leans, vf_set(1.0f), along));
	f->is_line = false;
	f->lean = vf_abs(along);
	f->blunt = vf_set(1.0f);
	f->along_u = f->along_v = vf_zero();
	f->low = vf_set(-WP_FACE_REACH_MAX);
	f->high = vf_set(WP_FACE_REACH_MAX);
	f->radius = side->radius;
	f->outward = side->outward;
	f->whole = NULL;
	f->u = vf_load(polygon->u);
	f->v = vf_load(polygon->v);
	f->height = vf3_dot(first, view->n);
	const vf2 slope = vf2_scale(wp_seen(view, normal), inverse);
	f->slope_u = slope.x;
	f->slope_v = slope.y;
	f->count = vi_select(vm_or(leans, vm_not(view->p.fit)), vi_zero(), f->count);
}

WP_INLINE void wp_put_corner(wp_lane_polygons *polygon, const wp_view *view, int32_t k, vf3 at, vi vertex)
{
	vf2_store(polygon->u + k * WP_WIDTH, polygon->v + k * WP_WIDTH, wp_seen(view, at));
	vi_store(polygon->vertex + k * WP_WIDTH, vertex);
}

/* A rectangle: its centre, the directions of its sides, b x c being its normal, and half their lengths; numbers of
 * the vertices at (+,+), (-,+), (-,-), (+,-). */
typedef struct wp_rectangle {
	vf3 centre, b, c, normal;
	vf half_b, half_c;
	vi vertex[4];
} wp_rectangle;

WP_INLINE void wp_put_rectangle(
	const wp_view *view, const wp_view_side *side, const wp_rectangle *r, wp_lane_polygons *polygon, wp_face *f)
{
	const vf3 b = vf3_scale(r->b, r->half_b), c = vf3_scale(r->c, r->half_c);
	const vf3 plus = vf3_add(b, c), minus = vf3_sub(b, c);
	const vf3 corner[4] = {
		vf3_add(r->centre, plus), vf3_sub(r->centre, minus), vf3_sub(r->centre, plus), vf3_add(r->centre, minus)};
	const vf back = vf_neg(vf3_dot(r->normal, view->n));
	for (int k = 0; k < 4; k++)
		wp_put_corner(polygon, view, k, corner[k], r->vertex[k]);
	wp_put_edge(polygon, 0, wp_seen(view, r->b), back);
	wp_put_edge(polygon, 1, wp_seen(view, r->c), back);
	wp_put_edge_back(polygon, 2, 0);
	wp_put_edge_back(polygon, 3, 1);
	f->count = vi_set(4);
	f->most = 4;
	wp_take_plane(f, view, side, polygon, r->normal, corner[0]);
}

/* The component of a vector that each lane's axis 0, 1 or 2 names. */
WP_INLINE vf wp_component(vf3 a, vm is_x, vm is_y) { return vf_select(is_x, a.x, vf_select(is_y, a.y, a.z)); }

WP_INLINE vf3 wp_column(const vf33 *m, vm is_x, vm is_y)
{
	return vf3_set(
		wp_component(m->row[0], is_x, is_y), wp_component(m->row[1], is_x, is_y), wp_component(m->row[2], is_x, is_y));
}

/* Boxes: the side across the axis that is nearest to the normal. */
WP_INLINE void wp_face_of_box(
	const wp_view *view, const wp_view_side *side, vf3 half, wp_lane_polygons *polygon, wp_face *f)
{
	const vf3 t = side->toward;
	const vf x = vf_abs(t.x), y = vf_abs(t.y), z = vf_abs(t.z);
	const vf alike = vf_set(WP_PATCH_ALIKE), x_or = vf_add(x, alike), y_or = vf_add(y, alike);
	const vm is_x = vm_and(vf_ge(x_or, y), vf_ge(x_or, z)), is_y = vm_andnot(vf_ge(y_or, z), is_x);
	const vm is_z = vm_not(vm_or(is_x, is_y));
	const vf sign = vf_with_sign(vf_set(1.0f), wp_component(t, is_x, is_y));

	/* Axes in turn: the normal's, and the next two. */
	const vf3 normal = wp_column(&side->rotation, is_x, is_y);
	const vf reach = vf_mul(wp_component(half, is_x, is_y), sign);
	wp_rectangle r = {.b = wp_column(&side->rotation, is_z, is_x),
		.c = wp_column(&side->rotation, is_y, is_z),
		.normal = normal,
		.half_b = vf_mul(wp_component(half, is_z, is_x), view->p.scale),
		.half_c = vf_mul(wp_component(half, is_y, is_z), view->p.scale)};
	r.centre = vf3_sub(vf3_add(vf3_scale(normal, vf_mul(reach, view->p.scale)), side->translation), view->eye);

	/* A vertex's number has bit k set where its sign along axis k is positive. */
	const vi bit_n = vi_select(is_x, vi_set(1), vi_select(is_y, vi_set(2), vi_set(4)));
	const vi bit_b = vi_select(is_x, vi_set(2), vi_select(is_y, vi_set(4), vi_set(1)));
	const vi bit_c = vi_select(is_x, vi_set(4), vi_select(is_y, vi_set(1), vi_set(2)));
	const vi base = vi_select(vf_gt(sign, vf_zero()), bit_n, vi_zero());
	r.vertex[0] = vi_or(base, vi_or(bit_b, bit_c));
	r.vertex[1] = vi_or(base, bit_c);
	r.vertex[2] = base;
	r.vertex[3] = vi_or(base, bit_b);
	wp_put_rectangle(view, side, &r, polygon, f);
}

/* A unit vector across another one, from a vector of any length that is across it but for rounding. */
WP_INLINE vf3 wp_unit_across(vf3 n, vf3 direction)
{
	return vf3_unit(vf3_sub(n, vf3_scale(direction, vf3_dot(direction, n))), vf3_zero());
}

/* The normal nearest to n of the planes through a segment; zero where the segment lies so nearly along n that they all
 * lean too far, and that what is left of n across it may be rounding. The part along the segment is taken out of a small rest
 * once more: heights over a plane that leans change by 1 + slope^2 times what its normal turns. */
WP_INLINE vf3 wp_normal_of_segment(vf3 n, vf3 direction)
{
	const vf3 across = vf3_sub(n, vf3_scale(direction, vf3_dot(n, direction)));
	const vf3 normal = wp_unit_across(across, direction);
	const vf least = vf_set(0.25f * WP_PATCH_SLOPE_MIN * WP_PATCH_SLOPE_MIN);
	return vf3_select(vf_gt(vf3_dot(across, across), least), normal, vf3_zero());
}

/* Segments along Y: a side without width. A point has none. */
WP_INLINE void wp_face_of_segment(
	const wp_view *view, const wp_view_side *side, vf3 half, wp_lane_polygons *polygon, wp_face *f)
{
	const vf3 along = vf33_axis(&side->rotation, 1);
	const vf3 normal = wp_normal_of_segment(view->n, along);
	const vi start = vi_zero(), end = vi_set(1);
	const wp_rectangle r = {.centre = vf3_sub(side->translation, view->eye),
		.b = along,
		.c = vf3_cross(normal, along),
		.normal = normal,
		.half_b = vf_mul(half.y, view->p.scale),
		.half_c = vf_zero(),
		.vertex = {end, start, start, end}};
	wp_put_rectangle(view, side, &r, polygon, f);
	f->is_line = true;
	f->count = vi_select(vf_gt(half.y, vf_zero()), f->count, vi_zero());
}

#endif
