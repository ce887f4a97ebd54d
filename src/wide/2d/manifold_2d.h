/* The manifolds of a block of solved contacts: of each core the edge that looks most along the normal, and the ends of what
 * both have in common across it.
 *
 * In the frame of A, scaled: t along A's edge, counter-clockwise, and heights along the normal, each side's own way
 * outwards. Each side is looked at in its own frame, where differences of vertices are right however short they are. */
#ifndef WP_WIDE_2D_MANIFOLD_2D_H
#define WP_WIDE_2D_MANIFOLD_2D_H

#include "wide/2d/answer_2d.h"

/* A side of the pairs in its own frame, and where the origin of that is. */
typedef struct wp2d_view {
	const wp2d_lane_core *rows;   /* the vertices, scaled */
	const wp2d_core *const *core; /* of each lane */
	vi vertices;                  /* how many it has */
	vi top;                       /* the vertex farthest outwards */
	vf2 along, outward;           /* directions of t and of height */
	vf t, height;
	vf radius;
} wp2d_view;

/* The edge of a core whose normal is nearest to the contact's, its ends in ascending order of t. Both ends of a point are the
 * point. */
typedef struct wp2d_facing {
	vf t[2], height[2]; /* of the ends */
	vi name[2];         /* the caller's numbers of their vertices */
	vf slope;           /* height over t; 0 without an edge */
	vf radius;
	vf rise, aside; /* of the rounded edge: how much higher it is than the core's, and how far along t */
	vm faces;       /* there is an edge, and its normal leans no further from the contact's than 84 degrees */
} wp2d_facing;

/* The caller's numbers of one vertex of each lane. */
WP_INLINE vi wp2d_names_of(const wp2d_core *const *core, vi index)
{
	WP_VECTOR_ALIGN int32_t name[WP_WIDTH];
	vi_store(name, index);
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		name[lane] = core[lane]->names[name[lane]];
	return vi_load(name);
}

/* An edge from the top vertex to one beside it. */
typedef struct wp2d_way {
	vi other; /* the vertex there */
	vf t, height;
} wp2d_way;

WP_INLINE wp2d_way wp2d_way_to(const wp2d_view *view, vf2 peak, vi other)
{
	const vf2 e = vf2_sub(wp2d_point_of(view->rows, other), peak);
	return (wp2d_way){other, vf2_dot(e, view->along), vf2_dot(e, view->outward)};
}

/* The edge, of the two that meet at the top vertex, that is more across the normal: by tangents, as fractions. Cosines of
 * two flat edges would be one to the last digit. */
WP_INLINE wp2d_way wp2d_way_across(const wp2d_view *view, vf2 peak)
{
	const vi one = vi_set(1), after = vi_add(view->top, one);
	const vi last = vi_sub(vi_select(vi_gt(view->top, vi_zero()), view->top, view->vertices), one);
	const wp2d_way next = wp2d_way_to(view, peak, vi_select(vi_gt(view->vertices, after), after, vi_zero()));
	const wp2d_way before = wp2d_way_to(view, peak, last);
	const vm by_before = vf_lt(vf_abs(vf_mul(before.height, next.t)), vf_abs(vf_mul(next.height, before.t)));
	return (wp2d_way){vi_select(by_before, before.other, next.other), vf_select(by_before, before.t, next.t),
		vf_select(by_before, before.height, next.height)};
}

WP_INLINE void wp2d_find_facing(wp2d_facing *f, const wp2d_view *view)
{
	const vf zero = vf_zero(), one = vf_set(1.0f), cosine2 = vf_set(WP_PATCH_SLOPE_MIN * WP_PATCH_SLOPE_MIN);
	const vf2 peak = wp2d_point_of(view->rows, view->top);
	const wp2d_way way = wp2d_way_across(view, peak);
	const vf t = vf_add(vf2_dot(peak, view->along), view->t), end_t = vf_add(t, way.t);
	const vf height = vf_add(vf2_dot(peak, view->outward), view->height), end_height = vf_add(height, way.height);
	const vi name = wp2d_names_of(view->core, view->top);
	const vi end_name = wp2d_names_of(view->core, way.other);
	const vf across2 = vf_mul(way.t, way.t), length2 = vf_add(across2, vf_mul(way.height, way.height));
	const vm is_low = vf_lt(way.t, zero);
	f->t[0] = vf_select(is_low, end_t, t);
	f->t[1] = vf_select(is_low, t, end_t);
	f->height[0] = vf_select(is_low, end_height, height);
	f->height[1] = vf_select(is_low, height, end_height);
	f->name[0] = vi_select(is_low, end_name, name);
	f->name[1] = vi_select(is_low, name, end_name);
	f->faces = vm_and(vf_gt(across2, zero), vf_ge(across2, vf_mul(cosine2, length2)));
	f->slope = vf_select(f->faces, vf_div(way.height, vf_select(f->faces, way.t, one)), zero);
	f->radius = view->radius;
	const vf lengthen = vf_sqrt(vf_add(one, vf_mul(f->slope, f->slope)));
	f->rise = vf_mul(f->radius, lengthen);
	f->aside = vf_neg(vf_div(vf_mul(f->radius, f->slope), lengthen));
}

/* Height of a rounded edge over t: the edge moved outwards, or the circles around its ends. */
WP_INLINE vf wp2d_surface_at(const wp2d_facing *f, vf t)
{
	const vf edge = vf_add(f->height[0], vf_mul(f->slope, vf_sub(t, f->t[0])));
	const vm is_round = vf_gt(f->radius, vf_zero());
	if (!vm_any(is_round))
		return edge;
	const vm low = vf_lt(t, vf_add(f->t[0], f->aside)), high = vf_gt(t, vf_add(f->t[1], f->aside));
	const vf away = vf_sub(t, vf_select(low, f->t[0], f->t[1]));
	const vf left2 = vf_mul(vf_sub(f->radius, away), vf_add(f->radius, away));
	const vf circle = vf_add(vf_select(low, f->height[0], f->height[1]), vf_sqrt(vf_max(left2, vf_zero())));
	return vf_select(is_round, vf_select(vm_or(low, high), circle, vf_add(edge, f->rise)), edge);
}

/* Vertex i is i | i << 16, the edge between vertices i < j is i | j << 16. */
WP_INLINE vi wp2d_edge_id(const wp2d_facing *f)
{
	const vm descends = vi_gt(f->name[0], f->name[1]);
	return vi_or(
		vi_select(descends, f->name[1], f->name[0]), vi_shift_left(vi_select(descends, f->name[0], f->name[1]), 16));
}

/* The vertex at t, or the edge where there is none. */
WP_INLINE vi wp2d_feature_at(const wp2d_facing *f, vf t, vf near)
{
	vi feature = wp2d_edge_id(f);
	for (int i = 1; i >= 0; i--) {
		const vm is_here = vf_le(vf_abs(vf_sub(t, f->t[i])), near);
		feature = vi_select(is_here, vi_or(f->name[i], vi_shift_left(f->name[i], 16)), feature);
	}
	return feature;
}

/* ---- the points ---------------------------------------------------------------------------------- */

/* Both edges, and what they have in common. */
typedef struct wp2d_patch {
	vf2 n, along; /* in A's frame */
	wp2d_facing a, b;
	vf low, high; /* of t */
	vf near;      /* ends as near as this along t are one */
	vm is_wide;   /* there is more in common than that */
} wp2d_patch;

/* An end of what the edges have in common: both heights along the normal. */
typedef struct wp2d_end {
	vf t, height_a, height_b, separation;
	vm is_kept; /* it is no further apart than max_separation */
} wp2d_end;

WP_INLINE wp2d_end wp2d_end_select(vm m, wp2d_end u, wp2d_end v)
{
	return (wp2d_end){.t = vf_select(m, u.t, v.t),
		.height_a = vf_select(m, u.height_a, v.height_a),
		.height_b = vf_select(m, u.height_b, v.height_b),
		.separation = vf_select(m, u.separation, v.separation),
		.is_kept = vm_or(vm_and(m, u.is_kept), vm_andnot(v.is_kept, m))};
}

/* A point of a manifold, as wp2d_manifold_point. */
typedef struct wp2d_point {
	vf2 a, b, local_a, local_b;
	vf separation;
	vi feature_a, feature_b;
} wp2d_point;

/* A contact's pair of witness points; the features may be others. */
WP_INLINE wp2d_point wp2d_witness_of(const wp2d_result *contact, vi feature_a, vi feature_b)
{
	return (wp2d_point){.a = contact->a,
		.b = contact->b,
		.local_a = contact->local_a,
		.local_b = contact->local_b,
		.separation = contact->separation,
		.feature_a = feature_a,
		.feature_b = feature_b};
}

WP_INLINE wp2d_point wp2d_point_select(vm m, wp2d_point u, wp2d_point v)
{
	return (wp2d_point){.a = vf2_select(m, u.a, v.a),
		.b = vf2_select(m, u.b, v.b),
		.local_a = vf2_select(m, u.local_a, v.local_a),
		.local_b = vf2_select(m, u.local_b, v.local_b),
		.separation = vf_select(m, u.separation, v.separation),
		.feature_a = vi_select(m, u.feature_a, v.feature_a),
		.feature_b = vi_select(m, u.feature_b, v.feature_b)};
}

WP_INLINE void wp2d_find_patch(wp2d_patch *p, const wp2d_jobs *jobs, uint32_t at, const wp2d_block *b, vf2 n, vi top)
{
	const vf2 along = vf2_neg(vf2_right(n)), back = vf2_neg(n);
	const wp2d_view a = {.rows = &b->core[0],
		.core = jobs->core[0] + at,
		.vertices = b->vertices[0],
		.top = vi_shift_right(top, 16),
		.along = along,
		.outward = n,
		.t = vf_zero(),
		.height = vf_zero(),
		.radius = b->radius_a};
	const wp2d_view other = {.rows = &b->core[2],
		.core = jobs->core[1] + at,
		.vertices = b->vertices[1],
		.top = vi_and(top, vi_set(0xffff)),
		.along = vf2_turn_back(b->turn, along),
		.outward = vf2_turn_back(b->turn, back),
		.t = vf2_dot(b->translation, along),
		.height = vf2_dot(b->translation, back),
		.radius = b->radius_b};
	p->n = n;
	p->along = along;
	wp2d_find_facing(&p->a, &a);
	wp2d_find_facing(&p->b, &other);
	p->low = vf_max(p->a.t[0], p->b.t[0]);
	p->high = vf_min(p->a.t[1], p->b.t[1]);
	p->near = vf_mul(vf_set(WP_PATCH_APART), b->reach);
	p->is_wide = vf_gt(vf_sub(p->high, p->low), p->near);
}

WP_INLINE wp2d_end wp2d_end_at(const wp2d_patch *p, vf t, vf unscale, vf max_separation)
{
	const vf height_a = wp2d_surface_at(&p->a, t), height_b = vf_neg(wp2d_surface_at(&p->b, t));
	const vf separation = vf_sub(height_b, height_a);
	const vm faces = vm_and(vm_and(p->a.faces, p->b.faces), p->is_wide);
	return (wp2d_end){.t = t,
		.height_a = height_a,
		.height_b = height_b,
		.separation = separation,
		.is_kept = vm_and(faces, vf_le(vf_mul(separation, unscale), max_separation))};
}

/* The point of an end. Where corners of both shapes are on top of each other, A's counts. */
WP_INLINE wp2d_point wp2d_point_at(const wp2d_jobs *jobs, const wp2d_block *b, const wp2d_patch *p, const wp2d_end *end)
{
	const vf unscale = wp_inverse_scale(b->scale);
	const vf2 aside = vf2_scale(p->along, end->t);
	const vf2 on_a = vf2_scale(vf2_add(aside, vf2_scale(p->n, end->height_a)), unscale);
	const vf2 on_b = vf2_add(aside, vf2_scale(p->n, end->height_b));
	const vi feature_a = wp2d_feature_at(&p->a, end->t, p->near), edge_b = wp2d_edge_id(&p->b);
	const vm is_edge_a = vi_eq(feature_a, wp2d_edge_id(&p->a));
	return (wp2d_point){.a = wp2d_counted(jobs, b, vf2_turn(b->frame, on_a)),
		.b = wp2d_counted(jobs, b, vf2_turn(b->frame, vf2_scale(on_b, unscale))),
		.local_a = on_a,
		.local_b = vf2_scale(vf2_turn_back(b->turn, vf2_sub(on_b, b->translation)), unscale),
		.separation = vf_mul(end->separation, unscale),
		.feature_a = feature_a,
		.feature_b = vi_select(is_edge_a, wp2d_feature_at(&p->b, end->t, p->near), edge_b)};
}

/* Store two points of each lane's job, in the order of a wp2d_manifold_point. */
WP_INLINE void wp2d_store_points(wp2d_jobs *jobs, uint32_t at, const wp2d_point *p, const wp2d_point *q)
{
	const int quads = WP2D_POINTS_FLOATS / 4;
	float *const to = jobs->points + (size_t)WP2D_POINTS_FLOATS * at;
	vf4_store(to, quads, (vf4){p->a.x, p->a.y, p->b.x, p->b.y});
	vf4_store(to + 4, quads, (vf4){p->local_a.x, p->local_a.y, p->local_b.x, p->local_b.y});
	vf4_store(to + 8, quads, (vf4){p->separation, vf_from_bits(p->feature_a), vf_from_bits(p->feature_b), q->a.x});
	vf4_store(to + 12, quads, (vf4){q->a.y, q->b.x, q->b.y, q->local_a.x});
	vf4_store(to + 16, quads, (vf4){q->local_a.y, q->local_b.x, q->local_b.y, q->separation});
	vf4_store(to + 20, quads, (vf4){vf_from_bits(q->feature_a), vf_from_bits(q->feature_b), vf_zero(), vf_zero()});
}

/* Lanes whose contact stands and is not proven to be beyond max_separation. */
WP_INLINE vm wp2d_may_touch(const wp2d_result *contact)
{
	const vm proven = vi_gt(vi_and(contact->status, vi_set(WP_JOB_PROVEN_BEYOND)), vi_zero());
	return vm_andnot(vi_gt(contact->status, vi_zero()), proven);
}

/* Which points a manifold has: both ends; but first the witness points, where these are deeper than both, and then the
 * deeper end. */
WP_INLINE void wp2d_choose_points(wp2d_jobs *jobs, uint32_t at, const wp2d_block *b, const wp2d_solved *s,
	const wp2d_answer *r, const wp2d_result *contact, const wp2d_patch *p)
{
	const vf unscale = wp_inverse_scale(b->scale), reach = vf_set(jobs->max_separation);
	const vi one = vi_set(1), none = vi_zero();
	const wp2d_end low = wp2d_end_at(p, p->low, unscale, reach), high = wp2d_end_at(p, p->high, unscale, reach);
	const vm second = vm_andnot(high.is_kept, vm_andnot(low.is_kept, vf_lt(high.separation, low.separation)));
	const wp2d_end best = wp2d_end_select(second, high, low);
	const vf deepest = vf_add(r->separation, vf_mul(vf_set(WP_PATCH_DEEPER), b->reach));
	const vm by_ends = vm_and(best.is_kept, vf_le(best.separation, deepest));

	const wp2d_end last = wp2d_end_select(by_ends, high, best), first = wp2d_end_select(low.is_kept, low, high);
	const wp2d_point at_first = wp2d_point_at(jobs, b, p, &first), at_last = wp2d_point_at(jobs, b, p, &last);
	const vf t = vf2_dot(s->a, p->along);
	const wp2d_point witness = wp2d_witness_of(
		contact, wp2d_feature_at(&p->a, t, p->near), wp2d_feature_at(&p->b, t, p->near));
	const wp2d_point chosen = wp2d_point_select(by_ends, at_first, witness);

	/* Beyond max_separation only ends can be points: the separation of the contact's bracket may be less. */
	const vm is_near = vm_or(by_ends, vf_le(contact->separation, reach));
	const vm has_second = vm_or(vm_and(by_ends, vm_and(low.is_kept, high.is_kept)), vm_andnot(best.is_kept, by_ends));
	const vi count = vi_add(one, vi_select(has_second, one, none));
	vi_store(jobs->point_count + at, vi_select(vm_and(is_near, wp2d_may_touch(contact)), count, none));
	wp2d_store_points(jobs, at, &chosen, &at_last);
}

/* Make the manifolds of the block at `at`. */
WP_INLINE void wp2d_make_manifolds(wp2d_jobs *jobs, uint32_t at, const wp2d_block *b, const wp2d_solved *s,
	const wp2d_answer *r, const wp2d_result *contact)
{
	if (!vm_any(vm_and(b->present, wp2d_may_touch(contact)))) {
		vi_store(jobs->point_count + at, vi_zero());
		return;
	}
	const vf2 n = vf2_scale(r->n, wp_inverse_near_one(vf2_dot(r->n, r->n)));
	wp2d_patch patch;
	wp2d_find_patch(&patch, jobs, at, b, n, s->top);
	wp2d_choose_points(jobs, at, b, s, r, contact, &patch);
}

#endif
