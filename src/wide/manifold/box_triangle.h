/* Contacts of sharp boxes with triangles, in closed form, one pair per lane, and the points of each.
 *
 * The Minkowski difference of a box and a triangle has the normal of the triangle, of the sides of the box, and the nine cross
 * products of their edges: as in boxes.h the one of largest separation is the normal, and extents along a cross axis are
 * measured with that axis itself. Seen along the normal, the side of the box that looks most along it is a rectangle. The
 * corners of what it has in common with the triangle are where edges of the triangle come in and go out, and corners of the
 * side: ten places hold all of them. Separation is linear over the triangle, so one of them is as near as the axis says
 * wherever the axis is the direction of the nearest points. That is the proof: the axis bounds the separation from below, the
 * place from above. Pairs without it, whose nearest points are elsewhere, are left open. */
#ifndef WP_WIDE_MANIFOLD_BOX_TRIANGLE_H
#define WP_WIDE_MANIFOLD_BOX_TRIANGLE_H

#include "wide/manifold/box_face.h"

/* Squared sine between an edge of the triangle and an axis of the box below which their cross product is rounding, and the
 * length, in kernel units, squared too, of edges so short that theirs are. */
#define WP_TOUCH_PARALLEL2 1e-14f
#define WP_TOUCH_SHORT2 1e-24f
#define WP_TOUCH_SHORT 1e-12f

/* An axis must be better than the axes before it by more than this, in kernel units: the triangle's normal comes first, then
 * the axes of the box. */
#define WP_TOUCH_BIAS 2e-7f

/* How far from the axis' separation, and how far outside of either face, the place that proves it may be, in units of L. */
#define WP_TOUCH_MISS 1e-6f

/* A pair in the axes of the box, scaled. */
typedef struct wp_touch_pair {
	vf half[3], corner[3][3], edge[3][3]; /* of each corner, and of the edge to the next one, its coordinates */
	vf3 face;
	vf scale, reach; /* reach: L */
	vm fit;          /* sizes are in range, and the box is no sliver */
} wp_touch_pair;

/* The axis of largest separation so far, from the triangle to the box. */
typedef struct wp_touch_axis {
	vf separation;
	vf3 n;
	vm is_face; /* the triangle's */
} wp_touch_axis;

WP_INLINE vf3 wp_load_row(const float (*rows)[WP_WIDTH_MAX]) { return vf3_load(rows[0], rows[1], rows[2]); }

WP_INLINE void wp_put_coordinates(vf3 v, vf out[3])
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

WP_INLINE vf wp_largest_of(vf3 v) { return vf3_most(vf3_set(vf_abs(v.x), vf_abs(v.y), vf_abs(v.z))); }

WP_INLINE void wp_load_touch_pair(const wp_box_triangles *pairs, const vf33 *axes, wp_touch_pair *p)
{
	const vf3 half = wp_load_row(pairs->half);
	vf3 corner[3];
	vf size = vf3_most(half);
	WP_ROLLED
	for (int k = 0; k < 3; k++) {
		corner[k] = vf33_apply(axes, wp_load_row(pairs->corner + 3 * k));
		size = vf_max(size, wp_largest_of(corner[k]));
	}
	p->scale = wp_scale_of(size);
	p->face = vf33_apply(axes, wp_load_row(pairs->face));
	const vf3 scaled = vf3_scale(half, p->scale);
	wp_put_coordinates(scaled, p->half);
	WP_ROLLED
	for (int k = 0; k < 3; k++)
		wp_put_coordinates(vf3_scale(corner[k], p->scale), p->corner[k]);
	vf longest2 = vf_zero();
	WP_ROLLED
	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < 3; i++)
			p->edge[k][i] = vf_sub(p->corner[k == 2 ? 0 : k + 1][i], p->corner[k][i]);
		const vf3 edge = vf3_set(p->edge[k][0], p->edge[k][1], p->edge[k][2]);
		longest2 = vf_max(longest2, vf3_dot(edge, edge));
	}
	p->reach = vf_max(vf3_length(scaled), vf_mul(vf_set(0.5f), vf_sqrt(longest2)));
	const vf least = vf_min(vf_min(scaled.x, scaled.y), scaled.z);
	p->fit = vm_and(wp_is_in_range(size), vf_gt(least, vf_mul(vf_set(WP_PATCH_SLIVER), p->reach)));
}

/* ---- the normal --------------------------------------------------------------------------------- */

WP_INLINE vf wp_lower_of(vf a, vf b, vf c) { return vf_min(vf_min(a, b), c); }
WP_INLINE vf wp_upper_of(vf a, vf b, vf c) { return vf_max(vf_max(a, b), c); }

/* The triangle's normal. */
WP_INLINE void wp_try_face(const wp_touch_pair *p, wp_touch_axis *best)
{
	const vf3 f = p->face;
	vf along[3];
	for (int k = 0; k < 3; k++)
		along[k] = vf3_dot(f, vf3_set(p->corner[k][0], p->corner[k][1], p->corner[k][2]));
	const vf out = vf3_dot(vf3_set(p->half[0], p->half[1], p->half[2]), vf3_set(vf_abs(f.x), vf_abs(f.y), vf_abs(f.z)));
	best->separation = vf_neg(vf_add(out, wp_upper_of(along[0], along[1], along[2])));
	best->n = f;
	best->is_face = vm_all();
}

WP_INLINE void wp_take_axis(wp_touch_axis *best, vm better, vf separation, vf3 n)
{
	best->separation = vf_select(better, separation, best->separation);
	best->n = vf3_select(better, n, best->n);
	best->is_face = vm_andnot(best->is_face, better);
}

/* The normals of the box. */
WP_INLINE void wp_try_sides(const wp_touch_pair *p, wp_touch_axis *best)
{
	WP_ROLLED
	for (int i = 0; i < 3; i++) {
		const vf a = p->corner[0][i], b = p->corner[1][i], c = p->corner[2][i];
		const vf above = wp_lower_of(a, b, c), below = vf_neg(wp_upper_of(a, b, c));
		const vf separation = vf_sub(vf_max(above, below), p->half[i]), zero = vf_zero();
		const vf sign = vf_select(vf_gt(above, below), vf_set(-1.0f), vf_set(1.0f));
		const vm better = vf_gt(separation, vf_add(best->separation, vf_set(WP_TOUCH_BIAS)));
		vf n[3] = {zero, zero, zero};
		n[i] = sign;
		wp_take_axis(best, better, separation, vf3_set(n[0], n[1], n[2]));
	}
}

/* The best of the nine cross products, kept unnormalised: its separation is excess / sqrt(length2). */
typedef struct wp_touch_cross {
	vf excess, length2, n[3];
} wp_touch_cross;

/* Axis i of the box crossed with edge k. */
WP_INLINE void wp_try_cross(const wp_touch_pair *p, int i, int k, wp_touch_cross *best)
{
	const int y = i == 2 ? 0 : i + 1, z = i == 0 ? 2 : i - 1, across = k == 0 ? 2 : k - 1;
	const vf u = vf_neg(p->edge[k][z]), v = p->edge[k][y];
	const vf length2 = vf_add(vf_mul(u, u), vf_mul(v, v));
	const vf one = vf_add(vf_mul(u, p->corner[k][y]), vf_mul(v, p->corner[k][z]));
	const vf other = vf_add(vf_mul(u, p->corner[across][y]), vf_mul(v, p->corner[across][z]));
	const vf above = vf_min(one, other), below = vf_neg(vf_max(one, other));
	const vf out = vf_add(vf_mul(p->half[y], vf_abs(u)), vf_mul(p->half[z], vf_abs(v)));
	const vf excess = vf_sub(vf_max(above, below), out);

	/* a / sqrt(b) > c / sqrt(d), without the roots. */
	const vf ours = vf_mul(vf_mul(excess, vf_abs(excess)), best->length2);
	const vf theirs = vf_mul(vf_mul(best->excess, vf_abs(best->excess)), length2);
	const vf whole = vf_add(length2, vf_mul(p->edge[k][i], p->edge[k][i]));
	const vf least = vf_max(vf_mul(whole, vf_set(WP_TOUCH_PARALLEL2)), vf_set(WP_TOUCH_SHORT2));
	const vm better = vm_and(vf_gt(length2, least), vf_gt(ours, theirs));
	const vf side = vf_sub(below, above); /* negative: the triangle is on the positive side */
	best->excess = vf_select(better, excess, best->excess);
	best->length2 = vf_select(better, length2, best->length2);
	best->n[i] = vf_select(better, vf_zero(), best->n[i]);
	best->n[y] = vf_select(better, vf_flip_sign(u, side), best->n[y]);
	best->n[z] = vf_select(better, vf_flip_sign(v, side), best->n[z]);
}

/* A separation, in kernel units, below any along an axis. */
#define WP_TOUCH_NO_AXIS (-1e9f)

WP_INLINE wp_touch_axis wp_best_touch_axis(const wp_touch_pair *p)
{
	wp_touch_axis best;
	wp_touch_cross cross = {
		.excess = vf_set(WP_TOUCH_NO_AXIS), .length2 = vf_set(1.0f), .n = {vf_zero(), vf_zero(), vf_zero()}};
	wp_try_face(p, &best);
	wp_try_sides(p, &best);
	WP_ROLLED
	for (int k = 0; k < 3; k++) {
		WP_ROLLED
		for (int i = 0; i < 3; i++)
			wp_try_cross(p, i, k, &cross);
	}
	const vf inverse = vf_div(vf_set(1.0f), vf_sqrt(cross.length2)), separation = vf_mul(cross.excess, inverse);
	const vm better = vf_gt(separation, vf_add(best.separation, vf_set(WP_TOUCH_BIAS)));
	wp_take_axis(&best, better, separation, vf3_scale(vf3_set(cross.n[0], cross.n[1], cross.n[2]), inverse));
	return best;
}

/* ---- places ------------------------------------------------------------------------------------- */

/* The pair seen along a normal: in the axes of the side of the box, whose plane is the first one's. */
typedef struct wp_touch_view {
	wp_box_face side;
	vf y[3], z[3], separation[3]; /* of the corners, where they are seen on that plane */
	vf tolerance, miss;           /* outside by so much is inside, and proves something */
	vf limit;
	vf nearest; /* the least separation of places that prove something */
} wp_touch_view;

WP_INLINE void wp_see_triangle(const wp_touch_pair *p, vf3 n, vf limit, wp_touch_view *view)
{
	const vf3 down = vf3_neg(n);
	view->side = wp_box_face_toward(down, vf3_set(p->half[0], p->half[1], p->half[2]));
	const vf3 way = wp_to_face(&view->side, down);
	const vf upright = vf_div(vf_set(1.0f), way.x);
	const vf slope_y = vf_mul(way.y, upright), slope_z = vf_mul(way.z, upright);
	WP_ROLLED
	for (int k = 0; k < 3; k++) {
		const vf3 w = wp_to_face(&view->side, vf3_set(p->corner[k][0], p->corner[k][1], p->corner[k][2]));
		const vf up = vf_sub(w.x, view->side.half.x);
		view->y[k] = vf_sub(w.y, vf_mul(slope_y, up));
		view->z[k] = vf_sub(w.z, vf_mul(slope_z, up));
		view->separation[k] = vf_mul(up, upright);
	}
	view->tolerance = vf_mul(vf_set(WP_PATCH_TOLERANCE), p->reach);
	view->miss = vf_mul(vf_set(WP_TOUCH_MISS), p->reach);
	view->limit = limit;
	view->nearest = vf_set(WP_INFINITY);
}

/* Put a place that is a point where `is_point`, and proves something where `is_proof`. */
WP_INLINE_NATIVE void wp_put_touch(const wp_touch_pair *p, wp_touch_view *view, vm is_point, vm is_proof,
	const vf at[3], vi feature_a, vi feature_b, int place, wp_touch_places *places)
{
	const vf unscale = wp_inverse_scale(p->scale);
	const vm is_near = vm_and(is_point, vf_le(at[2], view->limit));
	const vf3 local = vf3_scale(wp_from_face(&view->side, vf3_set(view->side.half.x, at[0], at[1])), unscale);
	vf3_store(places->at[place][0], places->at[place][1], places->at[place][2], local);
	vf_store(places->separation[place], vf_select(is_near, vf_mul(at[2], unscale), vf_set(WP_INFINITY)));
	vi_store(places->feature[place][0], feature_a);
	vi_store(places->feature[place][1], feature_b);
	view->nearest = vf_min(view->nearest, vf_select(is_proof, at[2], vf_set(WP_INFINITY)));
}

/* Where a line from `from` on is inside of |x| <= half: from `near` to `far`, in shares of the way. */
typedef struct wp_touch_slab {
	vf near, far, more; /* more: share of the way to a place that is outside by 1 */
	vm is_high;         /* it comes in at the positive end */
} wp_touch_slab;

WP_INLINE wp_touch_slab wp_cut_slab(vf from, vf way, vf half)
{
	const vf inverse = vf_div(vf_set(1.0f), wp_clear_component(way)), size = vf_abs(inverse);
	const vf middle = vf_neg(vf_mul(from, inverse)), reach = vf_mul(half, size);
	return (wp_touch_slab){vf_sub(middle, reach), vf_add(middle, reach), size, vf_lt(inverse, vf_zero())};
}

/* The edge of a side that is across its second axis (true) or its third, at that end. */
WP_INLINE vi wp_edge_of_side(const wp_box_face *f, vm is_second, vm is_high)
{
	const vi across = vi_select(is_second, f->bit_y, f->bit_z), along = vi_select(is_second, f->bit_z, f->bit_y);
	const vi first = vi_or(f->base, vi_select(is_high, across, vi_zero()));
	return vi_or(first, vi_shift_left(vi_or(first, along), 16));
}

/* A mask's choice of two masks. */
WP_INLINE vm wp_either(vm m, vm a, vm b) { return vm_or(vm_and(a, m), vm_andnot(b, m)); }

/* Where an edge of the triangle comes into the side, and where it leaves it before its end: places 2 k and 2 k + 1. */
WP_INLINE void wp_cut_box_edge(const wp_touch_pair *p, wp_touch_view *view, int k, wp_touch_places *places)
{
	static const int32_t edges[3] = {1 << 16, 1 | 2 << 16, 2 << 16};
	const int next = k == 2 ? 0 : k + 1;
	const vf zero = vf_zero(), one = vf_set(1.0f), none = view->separation[k];
	const vf way_y = vf_sub(view->y[next], view->y[k]), way_z = vf_sub(view->z[next], view->z[k]);
	const vf rise = vf_sub(view->separation[next], none);
	const wp_touch_slab y = wp_cut_slab(view->y[k], way_y, view->side.half.y);
	const wp_touch_slab z = wp_cut_slab(view->z[k], way_z, view->side.half.z);
	const vf wide_y = vf_mul(y.more, view->tolerance), wide_z = vf_mul(z.more, view->tolerance);
	const vf near_y = vf_sub(y.near, wide_y), near_z = vf_sub(z.near, wide_z);
	const vf far_y = vf_add(y.far, wide_y), far_z = vf_add(z.far, wide_z);
	const vm enters_y = vf_gt(near_y, near_z), leaves_y = vf_lt(far_y, far_z);
	const vf near = vf_max(near_y, near_z), far = vf_min(far_y, far_z);
	const vf from = vf_max(near, zero), to = vf_min(far, one);
	const vm is_inside = vf_le(from, to);
	const vf strict = vf_mul(vf_max(y.more, z.more), view->miss);
	const vm is_proof = vf_le(vf_max(vf_max(y.near, z.near), zero), vf_add(vf_min(vf_min(y.far, z.far), one), strict));
	const vm is_cut = vf_gt(near, zero), is_left = vf_lt(far, one);
	/* If the part inside is no longer than the tolerance, its cuts may lie outside: beside a corner, by far where the edge
	 * goes along a side. */
	const vf last = vf_min(vf_max(vf_select(leaves_y, y.far, z.far), from), one);
	const vf cut = vf_min(vf_max(vf_select(enters_y, y.near, z.near), zero), to);
	const vf begin = vf_select(is_cut, cut, zero);

	/* Both cuts are the edge's: only an uncut beginning is a corner. */
	const vi edge = vi_set(edges[k]);
	const vf first[3] = {vf_add(view->y[k], vf_mul(way_y, begin)), vf_add(view->z[k], vf_mul(way_z, begin)),
		vf_add(none, vf_mul(rise, begin))};
	const vi side = wp_edge_of_side(&view->side, enters_y, wp_either(enters_y, y.is_high, z.is_high));
	wp_put_touch(p, view, is_inside, vm_and(is_proof, is_inside), first, vi_select(is_cut, side, vi_set(-1)),
		vi_select(is_cut, edge, vi_set(k | k << 16)), 2 * k, places);
	const vf end[3] = {vf_add(view->y[k], vf_mul(way_y, last)), vf_add(view->z[k], vf_mul(way_z, last)),
		vf_add(none, vf_mul(rise, last))};
	const vm is_end = vm_and(is_inside, is_left);
	const vi other = wp_edge_of_side(&view->side, leaves_y, vm_not(wp_either(leaves_y, y.is_high, z.is_high)));
	wp_put_touch(p, view, is_end, vm_and(is_proof, is_end), end, other, edge, 2 * k + 1, places);
}

/* The corners of the side that are above the triangle: places 6 to 9. None where it leans so much that heights over it are
 * rounding. */
WP_INLINE void wp_put_corners(const wp_touch_pair *p, vf3 n, wp_touch_view *view, wp_touch_places *places)
{
	const vf3 face = wp_to_face(&view->side, p->face);
	const vf3 from = wp_to_face(&view->side, vf3_set(p->corner[0][0], p->corner[0][1], p->corner[0][2]));
	const vf lean = vf3_dot(p->face, n);
	const vm is_seen = vf_ge(lean, vf_set(WP_PATCH_SLOPE_MIN));
	const vf inverse = vf_div(vf_set(-1.0f), vf_select(is_seen, lean, vf_set(1.0f)));
	const vf rise_y = vf_neg(vf_mul(face.y, inverse)), rise_z = vf_neg(vf_mul(face.z, inverse));
	const vf base = vf_mul(vf_sub(vf3_dot(face, from), vf_mul(face.x, view->side.half.x)), inverse);
	vf across_y[3], across_z[3], place[3], unit[3];
	vf low_y = view->y[0], low_z = view->z[0], most_y = low_y, most_z = low_z;
	WP_ROLLED
	for (int k = 0; k < 3; k++) {
		const int next = k == 2 ? 0 : k + 1;
		low_y = vf_min(low_y, view->y[next]);
		low_z = vf_min(low_z, view->z[next]);
		most_y = vf_max(most_y, view->y[next]);
		most_z = vf_max(most_z, view->z[next]);
		across_y[k] = vf_sub(view->z[k], view->z[next]);
		across_z[k] = vf_sub(view->y[next], view->y[k]);
		place[k] = vf_neg(vf_add(vf_mul(across_y[k], view->y[k]), vf_mul(across_z[k], view->z[k])));
		const vf size = vf_sqrt(vf_add(vf_mul(across_y[k], across_y[k]), vf_mul(across_z[k], across_z[k])));
		unit[k] = vf_div(vf_set(1.0f), vf_max(size, vf_set(WP_TOUCH_SHORT)));
	}
	const vf area = vf_add(vf_add(vf_mul(across_y[0], view->y[2]), vf_mul(across_z[0], view->z[2])), place[0]);
	WP_ROLLED
	for (int i = 0; i < 4; i++) {
		const vi high_y = vi_set(-(i & 1)), high_z = vi_set(-(i >> 1));
		const vf y = vf_mul(view->side.half.y, vf_set((float)(2 * (i & 1) - 1)));
		const vf z = vf_mul(view->side.half.z, vf_set((float)(2 * (i >> 1) - 1)));
		/* A place far beyond a sharp corner, too, is beside both of its edges, but outside of what holds the triangle. */
		const vf in_y = vf_min(vf_sub(y, low_y), vf_sub(most_y, y)), in_z = vf_min(vf_sub(z, low_z), vf_sub(most_z, z));
		vf in = vf_min(in_y, in_z);
		WP_ROLLED
		for (int k = 0; k < 3; k++) {
			const vf by = vf_add(vf_add(vf_mul(across_y[k], y), vf_mul(across_z[k], z)), place[k]);
			in = vf_min(in, vf_mul(vf_flip_sign(by, area), unit[k]));
		}
		/* Measured along the triangle, which is seen narrower than it is. */
		const vf out = vf_mul(in, inverse);
		const vm is_point = vm_and(is_seen, vf_le(out, view->tolerance)),
				 is_proof = vm_and(is_seen, vf_le(out, view->miss));
		const vi high = vi_or(vi_and(view->side.bit_y, high_y), vi_and(view->side.bit_z, high_z));
		const vi vertex = vi_or(view->side.base, high);
		const vf at[3] = {y, z, vf_add(base, vf_add(vf_mul(rise_y, y), vf_mul(rise_z, z)))};
		wp_put_touch(
			p, view, is_point, is_proof, at, vi_or(vertex, vi_shift_left(vertex, 16)), vi_set(-1), 6 + i, places);
	}
}

/* Find the places along a normal. Returns the least separation of those that prove something. */
WP_NOINLINE vf wp_find_places(const wp_touch_pair *p, const vf3 *n, vf limit, wp_touch_places *places)
{
	wp_touch_view view;
	wp_see_triangle(p, *n, limit, &view);
	WP_ROLLED
	for (int k = 0; k < 3; k++)
		wp_cut_box_edge(p, &view, k, places);
	wp_put_corners(p, *n, &view, places);
	return view.nearest;
}

/* ---- a block ------------------------------------------------------------------------------------ */

WP_INLINE void wp_touch_run(const wp_box_triangles *pairs, wp_box_touches *touches)
{
	const vf33 axes = {{wp_load_row(pairs->axis), wp_load_row(pairs->axis + 3), wp_load_row(pairs->axis + 6)}};
	wp_touch_pair p;
	wp_load_touch_pair(pairs, &axes, &p);
	const wp_touch_axis best = wp_best_touch_axis(&p);
	const vf limit = vf_mul(vf_set(pairs->max_separation), p.scale);
	const vm apart = vf_gt(best.separation, limit);
	const vf nearest = wp_find_places(&p, &best.n, limit, &touches->own);
	const vf miss = vf_mul(vf_set(WP_TOUCH_MISS), p.reach);
	/* Of a pair that is as far as the limit no place may be near enough. */
	const vm met = vm_and(vf_le(vf_sub(nearest, best.separation), miss), vf_le(nearest, limit));
	const vi open = vi_set(WP_TOUCH_OPEN), state = vi_select(apart, vi_set(WP_TOUCH_APART), vi_set(WP_TOUCH_MET));
	vi_store(touches->state, vi_select(vm_and(p.fit, vm_or(apart, met)), state, open));
	vf_store(touches->separation, vf_mul(best.separation, wp_inverse_scale(p.scale)));
	vf3_store(touches->normal[0], touches->normal[1], touches->normal[2], vf33_apply_transposed(&axes, best.n));
	vi_store(touches->is_face, vi_select(best.is_face, vi_set(1), vi_zero()));
	touches->has_face = vm_any(vm_not(vm_or(best.is_face, apart)));
	if (touches->has_face)
		(void)wp_find_places(&p, &p.face, limit, &touches->face);
}

#endif
