/* Two boxes in one lane: the same as in boxes.h, with the same bits, the three axes of each box side by side in a quad. */
#ifndef WP_WIDE_CLOSED_BOXES_ONE_H
#define WP_WIDE_CLOSED_BOXES_ONE_H

#include "wide/closed/boxes.h"
#include "wide/job/one.h"

#if WP_ONE_LANE_QUADS

/* Two boxes in the frame of A. Of B's axes each one, and each coordinate of all of them. */
typedef struct wp_box_quads {
	wp_quad half_a, half_b, offset;
	wp_quad axis_b[3], row[3];
} wp_box_quads;

/* The best axis, and the edges of an edge axis. */
typedef struct wp_box_choice {
	float separation;
	wp_quad n;
	bool face_a, edges;
	int edge_a, edge_b;
} wp_box_choice;

WP_INLINE wp_box_quads wp_box_quads_of(const wp_one_prepared *p)
{
	const wp_quad33 *const r = &p->rotation;
	return (wp_box_quads){.half_a = wp_quad_scale(p->core_a, p->scale),
		.half_b = wp_quad_scale(p->core_b, p->scale),
		.offset = p->translation,
		.axis_b = {r->column[0], r->column[1], r->column[2]},
		.row = {r->row[0], r->row[1], r->row[2]}};
}

/* ---- the best axis ------------------------------------------------------------------------------ */

/* Of each axis the unit vector along it. */
static const _Alignas(16) float wp_box_unit[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

/* Of the six normals of faces the first that separates most. */
WP_INLINE void wp_box_choose_face(const wp_box_quads *b, wp_box_choice *best)
{
	const wp_quad along = wp_quad_mixed(b->row, b->offset);
	const wp_quad extent_a = wp_quad_extents(b->row, b->half_a), extent_b = wp_quad_extents(b->axis_b, b->half_b);
	const wp_quad a = wp_quad_sub(wp_quad_abs(b->offset), wp_quad_add(b->half_a, extent_b));
	const wp_quad c = wp_quad_sub(wp_quad_abs(along), wp_quad_add(b->half_b, extent_a));
	const float separation[6] = {wp_quad_get(a, 0), wp_quad_get(a, 1), wp_quad_get(a, 2), wp_quad_get(c, 0),
		wp_quad_get(c, 1), wp_quad_get(c, 2)};
	int chosen = 0;
	best->separation = separation[0];
	for (int i = 1; i < 6; i++) {
		chosen = separation[i] > best->separation ? i : chosen;
		best->separation = vf_max(separation[i], best->separation);
	}
	best->face_a = chosen < 3;
	best->edges = false;
	best->edge_a = best->edge_b = 0;
	if (best->face_a) {
		const wp_quad one = wp_quad_load(wp_box_unit[chosen]);
		best->n = wp_quad_where(wp_quad_above(one, wp_quad_zero()), wp_quad_with_sign(wp_quad_set(1.0f), b->offset));
	} else {
		float t[4];
		wp_quad_store(t, along);
		best->n = wp_quad_flip_sign(b->axis_b[chosen - 3], wp_quad_set(t[chosen - 3]));
	}
}

/* The cross products of an edge of A with the edges of B. */
typedef struct wp_box_crosses {
	float excess[12], length2[12], along[12], square[12]; /* four for each edge of A, of which three count */
} wp_box_crosses;

WP_INLINE void wp_box_cross_edge(const wp_box_quads *b, int i, wp_box_crosses *c)
{
	const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
	const wp_quad u = wp_quad_neg(b->row[i2]), v = b->row[i1];
	const wp_quad length2 = wp_quad_add(wp_quad_mul(u, u), wp_quad_mul(v, v));
	const wp_quad t = wp_quad_add(
		wp_quad_mul(wp_quad_spread(b->offset, i1), u), wp_quad_mul(wp_quad_spread(b->offset, i2), v));
	const wp_quad extent_a = wp_quad_add(wp_quad_mul(wp_quad_spread(b->half_a, i1), wp_quad_abs(u)),
		wp_quad_mul(wp_quad_spread(b->half_a, i2), wp_quad_abs(v)));
	const wp_quad along_f = wp_quad_add(
		wp_quad_mul(wp_quad_next(b->row[i1]), u), wp_quad_mul(wp_quad_next(b->row[i2]), v));
	const wp_quad along_g = wp_quad_add(
		wp_quad_mul(wp_quad_last(b->row[i1]), u), wp_quad_mul(wp_quad_last(b->row[i2]), v));
	const wp_quad extent_b = wp_quad_add(wp_quad_mul(wp_quad_next(b->half_b), wp_quad_abs(along_f)),
		wp_quad_mul(wp_quad_last(b->half_b), wp_quad_abs(along_g)));
	const wp_quad excess = wp_quad_sub(wp_quad_abs(t), wp_quad_add(extent_a, extent_b));
	wp_quad_store(c->excess + 4 * i, excess);
	wp_quad_store(c->square + 4 * i, wp_quad_mul(excess, wp_quad_abs(excess)));
	wp_quad_store(c->length2 + 4 * i, length2);
	wp_quad_store(c->along + 4 * i, t);
}

/* Of the nine cross products the first that separates most, where there is one that is more than rounding. */
WP_INLINE int wp_box_choose_cross(const wp_box_crosses *c)
{
	float square = WP_NO_AXIS * -WP_NO_AXIS, length2 = 1.0f;
	int chosen = -1;
	for (int i = 0; i < 3; i++)
		for (int k = 4 * i; k < 4 * i + 3; k++) {
			const vf ours = c->square[k] * length2, theirs = square * c->length2[k];
			if (c->length2[k] > WP_BOX_PARALLEL2 && ours > theirs) {
				square = c->square[k];
				length2 = c->length2[k];
				chosen = k;
			}
		}
	return chosen;
}

/* The cross product of edge i of A with e, by its parts alone. */
WP_INLINE wp_quad wp_box_cross_of(int i, wp_quad e)
{
	const wp_quad minus = wp_quad_neg(e), zero = wp_quad_zero();
	const wp_quad_mask next = wp_quad_above(wp_quad_load(wp_box_unit[(i + 1) % 3]), zero);
	const wp_quad_mask last = wp_quad_above(wp_quad_load(wp_box_unit[(i + 2) % 3]), zero);
	return wp_quad_select(next, wp_quad_next(minus), wp_quad_where(last, wp_quad_last(e)));
}

/* The best of the 15 axes. `best->separation` belongs to the axis taken, `top` the largest of all. */
WP_INLINE void wp_box_choose_axis(const wp_box_quads *b, wp_box_choice *best, float *top)
{
	wp_box_crosses c;
	wp_box_choose_face(b, best);
	*top = best->separation;
	for (int i = 0; i < 3; i++)
		wp_box_cross_edge(b, i, &c);
	const int k = wp_box_choose_cross(&c);
	if (k < 0)
		return;
	const float inverse = 1.0f / wp_sqrt_float(c.length2[k]), separation = c.excess[k] * inverse;
	*top = vf_max(separation, best->separation);
	const bool apart = separation > 0.0f && c.length2[k] > WP_BOX_SLOPE_MIN * WP_BOX_SLOPE_MIN;
	if (!(separation > best->separation + (apart ? 0.0f : WP_BOX_FACE_BIAS)))
		return;
	const wp_quad n = wp_box_cross_of(k / 4, b->axis_b[k % 4]);
	best->n = wp_quad_scale(wp_quad_flip_sign(n, wp_quad_set(c.along[k])), inverse);
	best->separation = separation;
	best->face_a = false;
	best->edges = true;
	best->edge_a = k / 4;
	best->edge_b = k % 4;
}

/* ---- witness points ----------------------------------------------------------------------------- */

/* Coordinates of the farthest point of a box along a normal with these shares. */
WP_INLINE wp_quad wp_box_corner(wp_quad half, wp_quad along)
{
	const wp_quad_mask clear = wp_quad_above(wp_quad_abs(along), wp_quad_set(WP_BOX_LEVEL));
	return wp_quad_where(clear, wp_quad_with_sign(half, along));
}

WP_INLINE wp_quad wp_box_clamp(wp_quad value, wp_quad half)
{
	return wp_quad_min(wp_quad_max(value, wp_quad_neg(half)), half);
}

/* Point of B at the given coordinates of its own axes. */
WP_INLINE wp_quad wp_box_place_b(const wp_box_quads *b, wp_quad at)
{
	wp_quad p = b->offset;
	for (int j = 0; j < 3; j++)
		p = wp_quad_add(p, wp_quad_mul(b->axis_b[j], wp_quad_spread(at, j)));
	return p;
}

WP_INLINE wp_quad wp_box_clamp_to_b(const wp_box_quads *b, wp_quad p)
{
	return wp_box_place_b(b, wp_box_clamp(wp_quad_mixed(b->row, wp_quad_sub(p, b->offset)), b->half_b));
}

/* Where the two edges of an edge axis pass each other, from points p and q on their lines, as wp_box_cross_edges. */
WP_INLINE bool wp_box_pass_edges(const wp_box_quads *b, const wp_box_choice *axis, wp_quad *p, wp_quad *q)
{
	const wp_quad edge_a = wp_quad_load(wp_box_unit[axis->edge_a]), edge_b = b->axis_b[axis->edge_b];
	const float half_a = wp_quad_place(b->half_a, axis->edge_a), half_b = wp_quad_place(b->half_b, axis->edge_b);
	const wp_quad d = wp_quad_sub(*q, *p), across = wp_quad_cross(axis->n, edge_a);
	const float slope = wp_quad_dot(edge_b, across);
	if (!(wp_abs_float(slope) > 0.0f))
		return false;
	const float along_b = -(wp_quad_dot(d, across) / slope);
	const wp_quad on_b = wp_quad_add(*q, wp_quad_scale(edge_b, wp_clamp(along_b, half_b)));
	const float along_a = wp_quad_dot(wp_quad_sub(on_b, *p), edge_a);
	*p = wp_quad_add(*p, wp_quad_scale(edge_a, wp_clamp(along_a, half_a)));
	*q = on_b;
	return wp_abs_float(along_a) <= half_a && wp_abs_float(along_b) <= half_b && wp_abs_float(slope) > WP_BOX_SLOPE_MIN;
}

WP_INLINE bool wp_box_same(wp_quad p, wp_quad q)
{
	const wp_quad d = wp_quad_sub(p, q);
	return wp_quad_dot(d, d) <= WP_BOX_MISS_MAX * WP_BOX_MISS_MAX;
}

/* Two points, one of each box, that lie `separation` apart along n, as in boxes.h. */
WP_INLINE bool wp_box_points(const wp_box_quads *b, const wp_box_choice *axis, wp_quad *p, wp_quad *q)
{
	const wp_quad n = axis->n, shift = wp_quad_scale(n, axis->separation);
	*q = wp_box_place_b(b, wp_box_corner(b->half_b, wp_quad_neg(wp_quad_mixed(b->row, n))));
	*p = wp_box_corner(b->half_a, n);
	bool proven = false;
	if (axis->edges)
		proven = wp_box_pass_edges(b, axis, p, q);
	if (axis->face_a) {
		const wp_quad below = wp_quad_sub(*q, shift);
		*p = wp_box_clamp(below, b->half_a);
		proven = wp_box_same(*p, below);
	}
	const wp_quad above = wp_quad_add(*p, shift);
	*q = wp_box_clamp_to_b(b, above);
	if (!axis->face_a && !axis->edges)
		proven = wp_box_same(*q, above);
	*p = wp_box_clamp(wp_quad_sub(*q, shift), b->half_a);
	*q = wp_box_clamp_to_b(b, wp_quad_add(*p, shift));
	*p = wp_box_clamp(wp_quad_sub(*q, shift), b->half_a);
	return proven;
}

/* ---- a job -------------------------------------------------------------------------------------- */

/* wp_boxes_solve */
WP_INLINE bool wp_one_boxes_solve(const wp_jobs *jobs, const wp_one_prepared *p, bool has_gaps, wp_one_solved *solved)
{
	const wp_box_quads b = wp_box_quads_of(p);
	wp_box_choice axis;
	float top;
	wp_box_choose_axis(&b, &axis, &top);
	const bool proven = wp_box_points(&b, &axis, &solved->a, &solved->b);
	solved->between = wp_quad_sub(solved->b, solved->a);
	const float radii = wp_radii_of(p->scale, p->radius_a, p->radius_b);
	const bool beyond = axis.separation > wp_limit_of(jobs, p->terms, p->scale, radii);
	const bool met = wp_box_same(solved->between, wp_quad_scale(axis.n, axis.separation));
	const int32_t overlap = jobs->query == WP_QUERY_OVERLAP ? WP_JOB_INSIDE : WP_JOB_DEPTH;
	const bool gap = has_gaps && axis.separation > WP_GJK_TOUCH && proven && met;
	solved->state = beyond ? WP_JOB_BEYOND : gap ? WP_JOB_GAP : overlap;
	solved->core_lower = axis.separation;
	solved->core_upper = beyond || gap ? wp_quad_length(solved->between) : top;
	solved->n = axis.n;
	return beyond || gap || (top < -WP_GJK_TOUCH && met);
}

#endif

#endif
