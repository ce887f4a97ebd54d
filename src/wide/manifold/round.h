/* The surface of a rounded shape over a face of its core.
 *
 * Over a place x it is as high as the highest ball around a point of the face: the largest h(p) + sqrt(r^2 - |x - p|^2)
 * over the points p of the face, a concave function of p. Where that p is inside the face, the surface is its plane,
 * moved outwards; else p is on an edge. Of hulls the faces beside it may be higher there (round_hull.h). */
#ifndef WP_WIDE_MANIFOLD_ROUND_H
#define WP_WIDE_MANIFOLD_ROUND_H

#include "wide/manifold/round_hull.h"

/* How the plane of a face rises towards the other shape. */
WP_INLINE vf2 wp_rise_of(const wp_face *f)
{
	return (vf2){vf_mul(f->outward, f->slope_u), vf_mul(f->outward, f->slope_v)};
}

/* Keep what is needed of the edges of rounded shapes. */
WP_INLINE void wp_measure_edges(wp_lane_polygons *polygon, const wp_face *f)
{
	const vf2 rise = wp_rise_of(f);
	const vf zero = vf_zero(), one = vf_set(1.0f);
	for (int32_t k = 0, own = wp_own_edges(f); k < own; k++) {
		const int32_t at = k * WP_WIDTH;
		vf du, dv;
		wp_edge_way(polygon, f, k, &du, &dv);
		const vf length2 = vf_add(vf_mul(du, du), vf_mul(dv, dv));
		const vm has_length = vf_gt(length2, vf_set(WP_DIRECTION_MIN_SQUARED));
		const vf length = vf_sqrt(vf_select(has_length, length2, zero));
		const vf inverse = vf_select(has_length, vf_div(one, vf_select(has_length, length, one)), zero);
		const vf along_u = vf_mul(du, inverse), along_v = vf_mul(dv, inverse);
		const vf slope = vf_add(vf_mul(rise.x, along_u), vf_mul(rise.y, along_v));
		vf_store(polygon->along_u + at, along_u);
		vf_store(polygon->along_v + at, along_v);
		vf_store(polygon->length + at, length);
		vf_store(polygon->sine + at, vf_div(slope, vf_sqrt(vf_add(one, vf_mul(slope, slope)))));
	}
}

/* How far above the plane the balls around the points of edge k reach over a place; 0 where none does. */
WP_INLINE vf wp_lift_over_edge(const wp_lane_polygons *polygon, const wp_face *f, int32_t k, vf2 rise, vf u, vf v)
{
	const int32_t at = k * WP_WIDTH;
	const vf zero = vf_zero(), length = vf_load(polygon->length + at);
	const vf2 edge = vf2_load(polygon->along_u + at, polygon->along_v + at);
	const vf slope = vf2_dot(rise, edge);

	/* Where the place is beside the edge: along it, and how much of the radius is left across it. */
	const vf2 way = {vf_sub(u, vf_load(polygon->u + at)), vf_sub(v, vf_load(polygon->v + at))};
	const vf along = vf2_dot(way, edge), across = vf2_cross(way, edge), from2 = vf2_dot(way, way);
	const vf across2 = vf_select(vf_gt(length, zero), vf_mul(across, across), from2);
	const vf left2 = vf_sub(vf_mul(f->radius, f->radius), across2);

	/* The best ball is ahead by as much as the edge rises. */
	const vf ahead = vf_mul(vf_sqrt(vf_max(left2, zero)), vf_load(polygon->sine + at));
	const vf best = vf_min(vf_max(vf_add(along, ahead), zero), length), off = vf_sub(best, along);
	const vf under = vf_sub(left2, vf_mul(off, off));
	const vf base = vf_sub(vf_mul(slope, best), vf2_dot(rise, way));
	return vf_select(vf_ge(under, zero), vf_add(base, vf_sqrt(vf_max(under, zero))), zero);
}

/* How far above the plane of a face the surface of a rounded shape is over a place in it, in the lanes where it is wanted. */
WP_NOINLINE vf wp_lift_over_face(const wp_lane_polygons *polygon, const wp_face *f, vf u, vf v, vf tolerance, vm wanted)
{
	/* The best ball of the whole plane is where its normal through the surface meets it. If that is outside by as
	 * little as a rounding, and as little beside the radius, the height is off by 5e-3 / lean of that. */
	const vm is_round = vf_gt(f->radius, vf_zero());
	const vf2 rise = wp_rise_of(f);
	const vf aside = vf_mul(f->radius, f->lean);
	const vf top_u = vf_add(u, vf_mul(rise.x, aside)), top_v = vf_add(v, vf_mul(rise.y, aside));
	const vf little = vf_mul(vf_mul(vf_set(0.01f), aside), f->lean);
	const vm inside = f->is_line ? vm_false() : wp_is_inside(polygon, f, top_u, top_v, vf_min(tolerance, little));
	vf lift = vf_select(inside, vf_div(f->radius, f->lean), f->radius);
	const vm on_edge = vm_andnot(is_round, inside);
	if (vm_any(on_edge)) {
		for (int32_t k = 0, own = wp_own_edges(f); k < own; k++) {
			const vm is_edge = vm_and(on_edge, vi_gt(f->count, vi_set(k)));
			lift = vf_select(is_edge, vf_max(wp_lift_over_edge(polygon, f, k, rise, u, v), lift), lift);
		}
	}
	return f->whole != NULL ? wp_lift_over_hulls(f, u, v, lift, tolerance, vm_and(wanted, is_round)) : lift;
}

/* Height of the surface of a shape over a place in its face, in the lanes where it is wanted. */
WP_INLINE vf wp_surface_at(const wp_lane_polygons *polygon, const wp_face *f, vf u, vf v, vf tolerance, vm wanted)
{
	const vf plane = wp_height_at(f, u, v);
	const vm is_round = vf_gt(f->radius, vf_zero());
	if (!vm_any(is_round))
		return plane;
	const vf lift = wp_lift_over_face(polygon, f, u, v, tolerance, wanted);
	return vf_select(is_round, vf_add(plane, vf_mul(f->outward, lift)), plane);
}

#endif
