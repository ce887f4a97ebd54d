/* A sphere or a capsule against triangles, in closed form and in double, one triangle per lane.
 *
 * The core is a point or a segment through the origin. The nearest features of a point and a triangle are the face, where the
 * point projects into it, or the nearest place of an edge, corners included (Ericson 2005, Real-Time Collision Detection, sec.
 * 5.1.5). A segment that does not cross the triangle is nearest to it at an end, above the face, or at an edge (sec. 5.1.9,
 * 5.1.10). A segment that crosses it has a depth: the difference of both is a prism, whose caps are the triangle moved to
 * both ends and whose sides are edges swept along the segment. The origin is nearest to a cap, which is as far as the lower end
 * is deep, or to a side, which is as far as the segment is from that edge: all other distances are larger. */
#ifndef WP_WIDE_CLOSED_TRIANGLES_H
#define WP_WIDE_CLOSED_TRIANGLES_H

#include "wide/job/prepare.h"
#include "wide/lane/vecd.h"

/* Triangles of a block, from the middle of the core on. */
typedef struct wp_triangles {
	vd3 corner[3], edge[3]; /* edge k goes from corner k to the next one */
	vd3 inward[3];          /* across each edge in the plane, of any length */
	vd at[3], way[3];       /* how far inwards the core's middle is, in these lengths, and what each half of it adds */
	vd3 face;               /* unit normal towards the core's middle; zero for a triangle without an area */
	vd length2[3], longest2;
	vd area2;   /* the square of twice the area */
	vd height;  /* of the core's middle above the plane, >= 0 */
	vdm behind; /* the core's middle is behind the plane */
	vdm has_area;
} wp_triangles;

/* The edge place that is nearest to the core so far. */
typedef struct wp_edge_found {
	vd3 gap; /* from the triangle to the core */
	vd gap2;
	vd place; /* on the core: -1 to 1 from end to end */
	vd feature;
	vd3 edge, inward;
} wp_edge_found;

/* A loop over the edges, which is repeated for each where there is more than one lane. */
#if WP_WIDTH == 1
#define WP_FOR_EDGES \
	WP_ROLLED        \
	for (int k = 0; k < 3; k++)
#else
#define WP_FOR_EDGES for (int k = 0; k < 3; k++)
#endif

WP_INLINE vd vd_clamp(vd a, vd low, vd high) { return vd_min(vd_max(a, low), high); }

WP_INLINE void wp_load_triangles(const wp_measure *m, uint32_t at, bool is_ball, vd3 along, wp_triangles *t)
{
	const vd3 origin = vd3_set(vd_set(m->origin[0]), vd_set(m->origin[1]), vd_set(m->origin[2]));
	for (int k = 0; k < 3; k++) {
		const double *const x = m->corner[3 * k] + at;
		t->corner[k] = vd3_sub(
			vd3_set(vd_load(x), vd_load(x + WP_MEASURE_MAX), vd_load(x + 2 * WP_MEASURE_MAX)), origin);
	}
	for (int k = 0; k < 3; k++) {
		t->edge[k] = vd3_sub(t->corner[k == 2 ? 0 : k + 1], t->corner[k]);
		t->length2[k] = vd3_dot(t->edge[k], t->edge[k]);
	}
	const vd3 area = vd3_cross(t->edge[0], t->edge[1]);
	const vd area2 = vd3_dot(area, area), zero = vd_zero();
	const vd volume = vd_neg(vd3_dot(area, t->corner[0]));
	t->has_area = vd_gt(area2, zero);
	t->behind = vd_lt(volume, zero);
	const vd inverse = vd_where(t->has_area, vd_div(vd_set(1.0), vd_sqrt(area2)));
	t->face = vd3_scale(area, vd_select(t->behind, vd_neg(inverse), inverse));
	t->height = vd_mul(vd_abs(volume), inverse);
	t->longest2 = vd_max(vd_max(t->length2[0], t->length2[1]), t->length2[2]);
	for (int k = 0; k < 3; k++) {
		t->inward[k] = vd3_cross(area, t->edge[k]);
		t->at[k] = vd_neg(vd3_dot(t->inward[k], t->corner[k]));
		t->way[k] = is_ball ? zero : vd3_dot(t->inward[k], along);
	}
}

/* Whether a place of the core is above or below the face. */
WP_INLINE vdm wp_is_over_face(const wp_triangles *t, vd place)
{
	vdm inside = t->has_area;
	for (int k = 0; k < 3; k++)
		inside = vdm_and(inside, vd_ge(vd_add(t->at[k], vd_mul(t->way[k], place)), vd_zero()));
	return inside;
}

/* The place on edge `k`, 0 to 1, that is nearest to the core, and the place on the core. */
WP_INLINE vd wp_places_of_edge(const wp_triangles *t, int k, bool is_ball, vd3 along, vd along2, vd *on_core)
{
	const vd zero = vd_zero(), one = vd_set(1.0), back = vd_set(-1.0);
	const vd start = vd_neg(vd3_dot(t->edge[k], t->corner[k])), length2 = t->length2[k];
	*on_core = zero;
	if (is_ball)
		return vd_clamp(vd_div(start, length2), zero, one);
	const vd across = vd3_dot(along, t->edge[k]), ahead = vd3_dot(along, t->corner[k]);
	const vd both = vd_mul(along2, length2), spread = vd_sub(both, vd_mul(across, across));
	const vdm crosses = vd_gt(spread, vd_mul(both, vd_set(WP_MEASURE_PARALLEL)));
	const vd best = vd_div(vd_add(vd_mul(across, start), vd_mul(ahead, length2)), spread);
	const vd first = vd_where(crosses, vd_clamp(best, back, one));
	const vd near = vd_clamp(vd_div(vd_add(vd_mul(across, first), start), length2), zero, one);
	*on_core = vd_clamp(vd_div(vd_add(vd_mul(across, near), ahead), along2), back, one);
	return vd_clamp(vd_div(vd_add(vd_mul(across, *on_core), start), length2), zero, one);
}

/* The nearest place of all edges. */
WP_INLINE wp_edge_found wp_find_edge(const wp_triangles *t, bool is_ball, vd3 along, vd along2)
{
	const vd zero = vd_zero(), one = vd_set(1.0);
	wp_edge_found found = {.gap2 = vd_set((double)WP_INFINITY)};
	WP_FOR_EDGES
	{
		vd on_core;
		const vd place = wp_places_of_edge(t, k, is_ball, along, along2, &on_core);
		const vd3 on_edge = vd3_add(t->corner[k], vd3_scale(t->edge[k], place));
		const vd3 gap = is_ball ? vd3_neg(on_edge) : vd3_sub(vd3_scale(along, on_core), on_edge);
		const vd next = vd_set((double)(k == 2 ? WP_MEASURE_CORNER : WP_MEASURE_CORNER + k + 1));
		const vd end = vd_select(vd_ge(place, one), next, vd_set((double)(WP_MEASURE_EDGE + k)));
		const vd feature = vd_select(vd_le(place, zero), vd_set((double)(WP_MEASURE_CORNER + k)), end);
		const vd gap2 = vd3_dot(gap, gap);
		const vdm nearer = vd_lt(gap2, found.gap2);
		found.gap = vd3_select(nearer, gap, found.gap);
		found.gap2 = vd_min(gap2, found.gap2);
		found.feature = vd_select(nearer, feature, found.feature);
		if (is_ball)
			continue;
		found.place = vd_select(nearer, on_core, found.place);
		found.edge = vd3_select(nearer, t->edge[k], found.edge);
		found.inward = vd3_select(nearer, t->inward[k], found.inward);
	}
	return found;
}

/* What was found of a block. */
typedef struct wp_measured_block {
	vd3 normal;
	vd distance, place, feature;
} wp_measured_block;

/* Where the face is nearest instead. */
WP_INLINE void wp_take_face(vdm m, vd3 normal, vd distance, vd place, wp_measured_block *b)
{
	b->normal = vd3_select(m, normal, b->normal);
	b->distance = vd_select(m, distance, b->distance);
	b->place = vd_select(m, place, b->place);
	b->feature = vd_except(m, b->feature);
}

WP_INLINE wp_measured_block wp_measure_ball_block(const wp_triangles *t)
{
	const vd3 none = vd3_zero();
	const wp_edge_found edge = wp_find_edge(t, true, none, vd_zero());
	const vd distance = vd_sqrt(edge.gap2);
	const vdm touches = vd_le(edge.gap2, vd_mul(t->longest2, vd_set(WP_MEASURE_TOUCH * WP_MEASURE_TOUCH)));
	const vd inverse = vd_div(vd_set(1.0), distance);
	wp_measured_block b = {.normal = vd3_select(touches, t->face, vd3_scale(edge.gap, inverse)),
		.distance = distance,
		.place = vd_zero(),
		.feature = edge.feature};
	const vdm over = wp_is_over_face(t, vd_zero());
	wp_take_face(vdm_and(over, vd_le(t->height, distance)), t->face, t->height, vd_zero(), &b);
	return b;
}

/* The direction of a gap, or, where it has none, across the edge and the segment, away from the triangle; and the face's
 * where these are parallel too. A segment that crosses the triangle comes out the other way. */
WP_INLINE vd3 wp_direction_of_gap(const wp_triangles *t, const wp_edge_found *edge, vd3 along, vdm touches, vdm crosses)
{
	const vd one = vd_set(1.0), zero = vd_zero();
	const vd3 side = vd3_cross(edge->edge, along);
	const vdm is_inward = vd_gt(vd3_dot(side, edge->inward), zero);
	const vdm turns = vdm_or(vdm_and(touches, is_inward), vdm_andnot(crosses, touches));
	const vd3 way = vd3_select(touches, side, edge->gap);
	const vd length2 = vd3_dot(way, way);
	const vd both = vd_mul(vd3_dot(edge->edge, edge->edge), vd3_dot(along, along));
	const vdm has_way = vd_gt(length2, vd_where(touches, vd_mul(both, vd_set(WP_MEASURE_PARALLEL))));
	const vd inverse = vd_div(one, vd_sqrt(vd_select(has_way, length2, one)));
	return vd3_select(has_way, vd3_scale(way, vd_select(turns, vd_neg(inverse), inverse)), t->face);
}

/* Where a segment crosses the plane, and whether that is inside the triangle. */
WP_INLINE vdm wp_crosses_face(const wp_triangles *t, vd rise)
{
	const vd place = vd_div(vd_neg(t->height), rise);
	return vdm_and(vd_gt(vd_abs(rise), t->height), wp_is_over_face(t, place));
}

WP_INLINE wp_measured_block wp_measure_segment_block(const wp_triangles *t, vd3 along, vd along2, vd rise)
{
	const vd one = vd_set(1.0), back = vd_set(-1.0), zero = vd_zero();
	const wp_edge_found edge = wp_find_edge(t, false, along, along2);
	const vdm crosses = wp_crosses_face(t, rise);
	const vd distance = vd_sqrt(edge.gap2), lowest = vd_sub(t->height, vd_abs(rise));
	const vd small2 = vd_mul(vd_max(t->longest2, along2), vd_set(WP_MEASURE_TOUCH * WP_MEASURE_TOUCH));
	const vdm touches = vd_le(edge.gap2, small2);
	wp_measured_block b = {.normal = wp_direction_of_gap(t, &edge, along, touches, crosses),
		.distance = vd_select(crosses, vd_neg(distance), distance),
		.place = edge.place,
		.feature = edge.feature};

	/* The upper end first: of ends as high the lower one stays. Below the plane an end is nearest to the back of the face. */
	const vd lower = vd_select(vd_gt(rise, zero), back, one), upper = vd_neg(lower);
	const vd highest = vd_add(t->height, vd_abs(rise));
	const vdm is_deep = vd_lt(lowest, zero), is_shallow = vd_lt(vd_abs(lowest), distance);
	const vdm from_upper = vdm_and(wp_is_over_face(t, upper), vd_le(highest, distance));
	wp_take_face(vdm_andnot(from_upper, crosses), t->face, highest, upper, &b);
	const vdm over = wp_is_over_face(t, lower);
	const vdm nearest = vdm_and(over, vd_le(vd_abs(lowest), b.distance));
	const vd3 below = vd3_select(is_deep, vd3_neg(t->face), t->face);
	wp_take_face(vdm_andnot(nearest, crosses), below, vd_abs(lowest), lower, &b);

	/* Out of the front, or where an edge is only touched and the segment is not behind the plane. */
	const vdm rests = vdm_and(touches, vd_ge(vd_mul(lowest, vd_abs(lowest)), vd_neg(small2)));
	wp_take_face(vdm_and(crosses, is_shallow), t->face, lowest, lower, &b);
	b.normal = vd3_select(vdm_andnot(rests, crosses), t->face, b.normal);
	return b;
}

WP_INLINE void wp_put_measured(const wp_triangles *t, const wp_measured_block *b, uint32_t at, wp_measured *to)
{
	const vd face[3] = {t->face.x, t->face.y, t->face.z}, normal[3] = {b->normal.x, b->normal.y, b->normal.z};
	for (int i = 0; i < 3; i++) {
		vd_store(to->face[i] + at, face[i]);
		vd_store(to->normal[i] + at, normal[i]);
	}
	vd_store(to->distance + at, b->distance);
	vd_store(to->place + at, b->place);
	vd_store(to->feature + at, b->feature);
	vd_store(to->longest2 + at, t->longest2);
}

/* Measure all triangles, in blocks. A segment without length has the bits of a ball, but for its place. A block is not looked at
 * further where all of its triangles face away or their planes are too far; such triangles are not near in other blocks either,
 * whatever rounding says. */
WP_INLINE void wp_measure_run(const wp_measure *m, uint32_t count, bool is_ball, wp_measured *to)
{
	const uint64_t all = wp_first_bits_64(count);
	const vd3 along = vd3_set(vd_set(m->along[0]), vd_set(m->along[1]), vd_set(m->along[2]));
	const vd along2 = vd3_dot(along, along), most = vd_set(m->most);
	to->behind = to->near = 0;
	for (uint32_t at = 0; at < count; at += WP_WIDTH_D) {
		wp_triangles t;
		wp_load_triangles(m, at, is_ball, along, &t);
		const vd rise = is_ball ? vd_zero() : vd3_dot(t.face, along);
		const vdm is_out = m->is_two_sided ? vdm_false() : t.behind;
		to->behind |= (uint64_t)vdm_bits(is_out) << at;
		const vdm reaches = vdm_andnot(vd_le(vd_sub(t.height, vd_abs(rise)), most), is_out);
		if (vdm_bits(reaches) == 0)
			continue;
		const wp_measured_block b = is_ball ? wp_measure_ball_block(&t)
		                                    : wp_measure_segment_block(&t, along, along2, rise);
		to->near |= (uint64_t)vdm_bits(vdm_and(vd_le(b.distance, most), reaches)) << at;
		wp_put_measured(&t, &b, at, to);
	}
	to->behind &= all;
	to->near &= all;
}

#endif
