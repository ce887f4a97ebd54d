/* Two boxes, in closed form, one pair per lane.
 *
 * The 15 axes of Gottschalk, Lin and Manocha 1996: the Minkowski difference of two boxes has no other face
 * normals, so the axis of largest separation proves boxes apart, and where none separates them it is the
 * direction of least depth, with the depth exact. Two things are done otherwise than usual: extents along
 * a cross axis are measured with that axis itself, not with an identity that holds for exact rotations
 * only, so that nearly parallel edges cost nothing; and a depth counts only with two witness points that
 * bear it out. Boxes apart by less than the limit are answered where the features prove the best axis to be the
 * direction between the nearest points; points as far apart as the axis shows do not prove it, for rounding e
 * leaves a direction open by sqrt(2 e / gap). The others are left to GJK, and so is what has no volume. */
#ifndef WP_WIDE_CLOSED_BOXES_H
#define WP_WIDE_CLOSED_BOXES_H

#include "wide/job/answer.h"

/* Squared sine between two edges below which their cross product is rounding; the plane that it stands for
 * is then as near to a face's as rounding is. */
#define WP_BOX_PARALLEL2 1e-14f

/* A face is preferred to a pair of edges that is better by no more than this: not of boxes apart whose edges are far from
 * parallel, because there the nearest points tell one from the other. */
#define WP_BOX_FACE_BIAS 2e-7f

/* Shares of a unit normal below which it does not separate the two ends of an edge. */
#define WP_BOX_LEVEL 1e-6f

/* Largest distance of two witness points from where the separation puts them. */
#define WP_BOX_MISS_MAX 1e-6f

/* Smallest sine between two edges whose cross product is a normal: rounding turns it by some 1e-7 over the sine. */
#define WP_BOX_SLOPE_MIN 1e-2f

/* Two boxes in the frame of A. */
typedef struct wp_boxes {
	vf half_a[3], half_b[3];
	vf axis_b[3][3]; /* [axis][coordinate] */
	vf offset[3];    /* centre of B */
} wp_boxes;

/* The axis of largest separation. */
typedef struct wp_box_axis {
	vf separation;      /* along it, negative where no axis separates */
	vf3 n;              /* unit, from A to B */
	vm face_a;          /* a face of A against B */
	vm edges;           /* one edge each; neither: a face of B against A */
	vf3 edge_a, edge_b; /* their directions, and half their lengths */
	vf half_a, half_b;
} wp_box_axis;

WP_INLINE vf wp_box_dot(const vf a[3], const vf b[3])
{
	return vf_add(vf_add(vf_mul(a[0], b[0]), vf_mul(a[1], b[1])), vf_mul(a[2], b[2]));
}

WP_INLINE vf wp_box_extent(const vf half[3], const vf along[3])
{
	const vf magnitude[3] = {vf_abs(along[0]), vf_abs(along[1]), vf_abs(along[2])};
	return wp_box_dot(half, magnitude);
}

/* The best of the faces' six normals. */
WP_INLINE_NATIVE void wp_box_faces(const wp_boxes *b, wp_box_axis *best)
{
	const vf zero = vf_zero(), one = vf_set(1.0f);
	best->separation = vf_set(-WP_INFINITY);
	best->n = vf3_zero();
	best->face_a = vm_false();
	for (int i = 0; i < 3; i++) {
		const vf along[3] = {b->axis_b[0][i], b->axis_b[1][i], b->axis_b[2][i]};
		const vf s = vf_sub(vf_abs(b->offset[i]), vf_add(b->half_a[i], wp_box_extent(b->half_b, along)));
		const vm better = vf_gt(s, best->separation);
		const vf sign = vf_flip_sign(one, b->offset[i]);
		best->n = vf3_select(
			better, vf3_set(i == 0 ? sign : zero, i == 1 ? sign : zero, i == 2 ? sign : zero), best->n);
		best->separation = vf_max(s, best->separation);
		best->face_a = vm_or(best->face_a, better);
	}
	for (int j = 0; j < 3; j++) {
		const vf *axis = b->axis_b[j];
		const vf t = wp_box_dot(b->offset, axis);
		const vf s = vf_sub(vf_abs(t), vf_add(b->half_b[j], wp_box_extent(b->half_a, axis)));
		const vm better = vf_gt(s, best->separation);
		best->n = vf3_select(better, vf3_flip_sign(vf3_set(axis[0], axis[1], axis[2]), t), best->n);
		best->separation = vf_max(s, best->separation);
		best->face_a = vm_andnot(best->face_a, better);
	}
}

/* The best of the nine cross products, kept unnormalised: its separation is excess / sqrt(length2). */
typedef struct wp_box_cross {
	vf excess, length2;
	vf along; /* the offset along it */
	vi edges; /* bit i for edge i of A, bit 3 + j for edge j of B */
} wp_box_cross;

WP_INLINE void wp_box_try_cross(const wp_boxes *b, int i, int j, wp_box_cross *best)
{
	const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
	const vf *e = b->axis_b[j], *f = b->axis_b[j1], *g = b->axis_b[j2];
	/* Axis i of A crossed with e: nothing along i, -e[i2] along i1, e[i1] along i2. */
	const vf u = vf_neg(e[i2]), v = e[i1];
	const vf length2 = vf_add(vf_mul(u, u), vf_mul(v, v));
	const vf t = vf_add(vf_mul(b->offset[i1], u), vf_mul(b->offset[i2], v));
	const vf extent_a = vf_add(vf_mul(b->half_a[i1], vf_abs(u)), vf_mul(b->half_a[i2], vf_abs(v)));
	const vf along_f = vf_add(vf_mul(f[i1], u), vf_mul(f[i2], v)), along_g = vf_add(vf_mul(g[i1], u), vf_mul(g[i2], v));
	const vf extent_b = vf_add(vf_mul(b->half_b[j1], vf_abs(along_f)), vf_mul(b->half_b[j2], vf_abs(along_g)));
	const vf excess = vf_sub(vf_abs(t), vf_add(extent_a, extent_b));

	/* a / sqrt(b) > c / sqrt(d), without the roots. */
	const vf ours = vf_mul(vf_mul(excess, vf_abs(excess)), best->length2);
	const vf theirs = vf_mul(vf_mul(best->excess, vf_abs(best->excess)), length2);
	const vm better = vm_and(vf_gt(length2, vf_set(WP_BOX_PARALLEL2)), vf_gt(ours, theirs));
	best->excess = vf_select(better, excess, best->excess);
	best->length2 = vf_select(better, length2, best->length2);
	best->along = vf_select(better, t, best->along);
	best->edges = vi_select(better, vi_set(1 << i | 8 << j), best->edges);
}

/* A separation, in kernel units, below any two boxes' along any axis. */
#define WP_NO_AXIS (-1e9f)

WP_INLINE_NATIVE void wp_box_best_cross(const wp_boxes *b, wp_box_cross *best)
{
	*best = (wp_box_cross){vf_set(WP_NO_AXIS), vf_set(1.0f), vf_zero(), vi_zero()};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			wp_box_try_cross(b, i, j, best);
}

WP_INLINE vm wp_box_has_edge(vi edges, int bit) { return vi_eq(vi_and(edges, vi_set(1 << bit)), vi_set(1 << bit)); }

/* The edges of a cross product, and itself along `axis->n`, from A to B. */
WP_INLINE void wp_box_take_cross(const wp_boxes *b, const wp_box_cross *cross, wp_box_axis *axis)
{
	const vf zero = vf_zero(), one = vf_set(1.0f);
	const vm x = wp_box_has_edge(cross->edges, 0), y = wp_box_has_edge(cross->edges, 1);
	const vm z = wp_box_has_edge(cross->edges, 2), j0 = wp_box_has_edge(cross->edges, 3);
	const vm j1 = wp_box_has_edge(cross->edges, 4);
	vf e[3];
	for (int k = 0; k < 3; k++)
		e[k] = vf_select(j0, b->axis_b[0][k], vf_select(j1, b->axis_b[1][k], b->axis_b[2][k]));
	axis->edge_a = vf3_set(vf_select(x, one, zero), vf_select(y, one, zero), vf_select(z, one, zero));
	axis->edge_b = vf3_set(e[0], e[1], e[2]);
	axis->half_a = vf_select(x, b->half_a[0], vf_select(y, b->half_a[1], b->half_a[2]));
	axis->half_b = vf_select(j0, b->half_b[0], vf_select(j1, b->half_b[1], b->half_b[2]));
	const vf3 n = vf3_set(vf_select(y, e[2], vf_select(z, vf_neg(e[1]), zero)),
		vf_select(z, e[0], vf_select(x, vf_neg(e[2]), zero)), vf_select(x, e[1], vf_select(y, vf_neg(e[0]), zero)));
	axis->n = vf3_flip_sign(n, cross->along);
}

/* The best of the 15 axes. `best->separation` belongs to the axis taken, `top` the largest of all. */
WP_INLINE wp_box_axis wp_box_best_axis(const wp_boxes *b, vf *top)
{
	wp_box_axis best, crossed;
	wp_box_faces(b, &best);
	wp_box_cross cross;
	wp_box_best_cross(b, &cross);
	wp_box_take_cross(b, &cross, &crossed);
	const vf inverse = vf_div(vf_set(1.0f), vf_sqrt(cross.length2));
	crossed.separation = vf_mul(cross.excess, inverse);
	const vm apart = vm_and(
		vf_gt(crossed.separation, vf_zero()), vf_gt(cross.length2, vf_set(WP_BOX_SLOPE_MIN * WP_BOX_SLOPE_MIN)));
	const vf bias = vf_select(apart, vf_zero(), vf_set(WP_BOX_FACE_BIAS));
	crossed.edges = vf_gt(crossed.separation, vf_add(best.separation, bias));
	crossed.face_a = vm_andnot(best.face_a, crossed.edges);
	*top = vf_max(crossed.separation, best.separation);
	crossed.n = vf3_select(crossed.edges, vf3_scale(crossed.n, inverse), best.n);
	crossed.separation = vf_select(crossed.edges, crossed.separation, best.separation);
	return crossed;
}

/* ---- witness points ----------------------------------------------------------------------------- */

/* Coordinate of the farthest point of an edge along a normal with share `along`: its end, or its middle
 * where the edge is level. */
WP_INLINE vf wp_box_end(vf half, vf along)
{
	const vm level = vf_not_gt(vf_abs(along), vf_set(WP_BOX_LEVEL));
	return vf_select(level, vf_zero(), vf_with_sign(half, along));
}

WP_INLINE vf wp_clamp(vf value, vf half) { return vf_min(vf_max(value, vf_neg(half)), half); }

WP_INLINE vf3 wp_box_axis_b(const wp_boxes *b, int j)
{
	return vf3_set(b->axis_b[j][0], b->axis_b[j][1], b->axis_b[j][2]);
}

/* Point of B at the given coordinates of its own axes. */
WP_INLINE vf3 wp_box_point_b(const wp_boxes *b, const vf at[3])
{
	vf3 p = vf3_set(b->offset[0], b->offset[1], b->offset[2]);
	for (int j = 0; j < 3; j++)
		p = vf3_add(p, vf3_scale(wp_box_axis_b(b, j), at[j]));
	return p;
}

WP_INLINE vf3 wp_box_nearest_of_a(const wp_boxes *b, vf3 p)
{
	return vf3_set(wp_clamp(p.x, b->half_a[0]), wp_clamp(p.y, b->half_a[1]), wp_clamp(p.z, b->half_a[2]));
}

WP_INLINE vf3 wp_box_nearest_of_b(const wp_boxes *b, vf3 p)
{
	const vf3 from = vf3_sub(p, vf3_set(b->offset[0], b->offset[1], b->offset[2]));
	vf at[3];
	for (int j = 0; j < 3; j++)
		at[j] = wp_clamp(vf3_dot(from, wp_box_axis_b(b, j)), b->half_b[j]);
	return wp_box_point_b(b, at);
}

/* Where the two edges of an edge axis pass each other, from points p and q on their lines. Returns the lanes where they
 * do so between their ends, at an angle that leaves no doubt about the direction across both. */
WP_INLINE vm wp_box_cross_edges(const wp_box_axis *axis, vf3 *p, vf3 *q)
{
	const vf3 d = vf3_sub(*q, *p), across = vf3_cross(axis->n, axis->edge_a);
	const vf slope = vf3_dot(axis->edge_b, across);
	const vm crossing = vm_and(axis->edges, vf_gt(vf_abs(slope), vf_zero()));
	const vf along_b = vf_neg(vf_div(vf3_dot(d, across), vf_select(crossing, slope, vf_set(1.0f))));
	const vf y = wp_clamp(along_b, axis->half_b);
	const vf3 on_b = vf3_add(*q, vf3_scale(axis->edge_b, y));
	const vf along_a = vf3_dot(vf3_sub(on_b, *p), axis->edge_a), x = wp_clamp(along_a, axis->half_a);
	*p = vf3_select(crossing, vf3_add(*p, vf3_scale(axis->edge_a, x)), *p);
	*q = vf3_select(crossing, on_b, *q);
	const vm between = vm_and(vf_le(vf_abs(along_a), axis->half_a), vf_le(vf_abs(along_b), axis->half_b));
	return vm_and(between, vm_and(axis->edges, vf_gt(vf_abs(slope), vf_set(WP_BOX_SLOPE_MIN))));
}

/* Whether two points are one but for rounding. */
WP_INLINE vm wp_box_meets(vf3 p, vf3 q)
{
	const vf3 d = vf3_sub(p, q);
	return vf_le(vf3_dot(d, d), vf_set(WP_BOX_MISS_MAX * WP_BOX_MISS_MAX));
}

/* Two points, one of each box, that lie `separation` apart along n: the boxes, moved by that much, only
 * touch, and alternating projections from one to the other find a point of both. Returns the lanes where n is
 * proven to be the direction between the nearest points: it is the normal of a face, and the other box's corner
 * nearest to that face's plane lies over the face; or it is perpendicular to two edges that cross. */
WP_INLINE vm wp_box_witnesses(const wp_boxes *b, const wp_box_axis *axis, vf3 *point_a, vf3 *point_b)
{
	const vf3 n = axis->n, shift = vf3_scale(n, axis->separation);
	vf at[3];
	for (int j = 0; j < 3; j++)
		at[j] = wp_box_end(b->half_b[j], vf_neg(vf3_dot(n, wp_box_axis_b(b, j))));
	vf3 q = wp_box_point_b(b, at);
	vf3 p = vf3_set(wp_box_end(b->half_a[0], n.x), wp_box_end(b->half_a[1], n.y), wp_box_end(b->half_a[2], n.z));
	const vm crossed = wp_box_cross_edges(axis, &p, &q);
	const vf3 below = vf3_sub(q, shift), under = wp_box_nearest_of_a(b, below);
	p = vf3_select(axis->face_a, under, p);
	const vf3 above = vf3_add(p, shift);
	q = wp_box_nearest_of_b(b, above);
	const vm over_a = vm_and(axis->face_a, wp_box_meets(under, below));
	const vm over_b = vm_andnot(wp_box_meets(q, above), vm_or(axis->edges, axis->face_a));
	p = wp_box_nearest_of_a(b, vf3_sub(q, shift));
	q = wp_box_nearest_of_b(b, vf3_add(p, shift));
	*point_a = wp_box_nearest_of_a(b, vf3_sub(q, shift));
	*point_b = q;
	return vm_or(crossed, vm_or(over_a, over_b));
}

/* ---- a block ------------------------------------------------------------------------------------ */

WP_INLINE wp_boxes wp_boxes_of(const wp_prepared *p)
{
	const vf3 half_a = vf3_scale(p->half_a, p->scale), half_b = vf3_scale(p->half_b, p->scale);
	const vf3 *const row = p->rotation.row, t = p->translation;
	return (wp_boxes){.half_a = {half_a.x, half_a.y, half_a.z},
		.half_b = {half_b.x, half_b.y, half_b.z},
		.axis_b = {{row[0].x, row[1].x, row[2].x}, {row[0].y, row[1].y, row[2].y}, {row[0].z, row[1].z, row[2].z}},
		.offset = {t.x, t.y, t.z}};
}

/* Solve one block of jobs as far as the axes go. Returns the lanes that are done. */
WP_INLINE vm wp_boxes_solve(
	const wp_jobs *jobs, const wp_prepared *prepared, const wp_boxes *b, bool has_gaps, wp_solved *solved)
{
	vf top;
	const wp_box_axis axis = wp_box_best_axis(b, &top);
	vf3 point_a, point_b;
	const vm proven = wp_box_witnesses(b, &axis, &point_a, &point_b);
	solved->witness = wp_witness_of(point_a, point_b);

	const vf radii = wp_radii_of(prepared->scale, prepared->radius_a, prepared->radius_b);
	const vm beyond = vf_gt(axis.separation, wp_limit_of(jobs, prepared->terms, prepared->scale, radii));
	const vf3 between = solved->witness.between;
	const vm met = wp_box_meets(between, vf3_scale(axis.n, axis.separation));
	const vm deep = vm_and(vf_lt(top, vf_set(-WP_GJK_TOUCH)), met);
	const int32_t overlap = jobs->query == WP_QUERY_OVERLAP ? WP_JOB_INSIDE : WP_JOB_DEPTH;
	solved->core_lower = axis.separation;
	solved->n = axis.n;
	if (!has_gaps) {
		solved->state = vi_select(beyond, vi_set(WP_JOB_BEYOND), vi_set(overlap));
		solved->core_upper = vf_select(beyond, vf3_length(between), top);
		return vm_or(beyond, deep);
	}
	/* Points as far apart as an axis proves the boxes to be are the nearest ones, within rounding. */
	const vm gap = vm_and(vf_gt(axis.separation, vf_set(WP_GJK_TOUCH)), vm_and(proven, met));
	const vi near = vi_select(gap, vi_set(WP_JOB_GAP), vi_set(overlap));
	solved->state = vi_select(beyond, vi_set(WP_JOB_BEYOND), near);
	solved->core_upper = vf_select(vm_or(beyond, gap), vf3_length(between), top);
	return vm_or(vm_or(beyond, gap), deep);
}

#endif
