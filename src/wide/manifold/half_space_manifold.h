/* Manifolds of half-spaces: the corners of the face that the other shape has nearest to the surface. */
#ifndef WP_WIDE_MANIFOLD_HALF_SPACE_MANIFOLD_H
#define WP_WIDE_MANIFOLD_HALF_SPACE_MANIFOLD_H

#include "wide/closed/half_space.h"
#include "wide/manifold/manifold.h"

/* How each lane's job is seen from the other shape, in whose frame all is: faces need only its size and scale, and whether
 * it fits; how far away the half-space's position is does not matter to them. */
WP_INLINE void wp_ground_view(const wp_ground *g, const wp_touch *touch, wp_view *view)
{
	view->p.scale = g->p.scale;
	view->p.reach = g->p.reach;
	view->p.fit = g->sound;
	view->n = wp_sharpen(g->down);
	wp_lane_tangents(view->n, view->across);
	view->eye = vf3_scale(vf3_select(g->turned, touch->local_b, touch->local_a), g->p.scale);
}

/* All candidates but the witness points. The surface is level, at the height of the contact. */
WP_INLINE int32_t wp_ground_candidates(
	const wp_lane_polygons *polygon, const wp_face *f, vf contact, vf limit, vf tolerance, wp_lane_candidates *c)
{
	const vf nowhere = vf_set(WP_INFINITY);
	const int32_t own = wp_own_places(f);
	for (int32_t k = 0; k < own; k++) {
		const int32_t at = k * WP_WIDTH;
		const vf u = vf_load(polygon->u + at), v = vf_load(polygon->v + at);
		/* The contact proves where the shape ends, which heights of faces that lean much may miss. */
		const vm is_corner = vi_gt(f->count, vi_set(k));
		const vf height = vf_min(wp_surface_at(polygon, f, u, v, tolerance, is_corner), vf_zero());
		const vf separation = vf_sub(contact, height);
		const vm near = vm_and(is_corner, vf_le(separation, limit));
		vf_store(c->u + at, u);
		vf_store(c->v + at, v);
		vf_store(c->height + at, height);
		vf_store(c->separation + at, vf_select(near, separation, nowhere));
		vf_store(c->weight + at, vf_select(near, vf_set(1.0f), vf_zero()));
	}
	return own;
}

/* Point `k` of each lane. */
WP_INLINE void wp_ground_point(const wp_ground *g, const wp_view *view, const wp_face *f, const wp_touch *touch,
	const wp_chosen *chosen, int32_t k, wp_manifold_scratch *scratch)
{
	const wp_prepared *const p = &g->p;
	wp_place place;
	const vm is_witness = wp_load_place(view, chosen, k, &scratch->candidates, &place);
	const vf unscale = wp_inverse_scale(p->scale);
	const vf3 own = vf3_scale(place.on_a, unscale), from_other = vf33_apply(&p->frame, own);
	const vf3 on_surface = vf33_apply(&p->frame, vf3_scale(place.on_b, unscale));
	const vf3 local = wp_ground_local(g, on_surface, vm_all());
	const vf3 world = vf3_add(p->origin, from_other), below = vf3_add(p->origin, on_surface);
	const vm turned = g->turned;
	const vf tolerance = vf_mul(vf_set(WP_PATCH_TOLERANCE), vf_mul(vf_mul(p->reach, p->scale), f->lean));
	const vi feature = wp_feature_at(&scratch->polygons[0], f, place.u, place.v, tolerance), surface = vi_set(-1);
	wp_point point = {.a = vf3_select(turned, below, world),
		.b = vf3_select(turned, world, below),
		.local_a = vf3_select(turned, local, own),
		.local_b = vf3_select(turned, own, local),
		.separation = vf_mul(place.separation, unscale),
		.feature_a = vi_select(turned, surface, feature),
		.feature_b = vi_select(turned, feature, surface)};
	if (vm_any(is_witness))
		wp_take_witness(touch, is_witness, &point);
	wp_put_point(&point, k, chosen->count, scratch);
}

WP_INLINE void wp_ground_clip(const wp_jobs *jobs, const int32_t *job, uint32_t most, wp_manifold_scratch *scratch)
{
	const wp_touch touch = wp_load_touch(jobs, vi_load(job));
	wp_ground g;
	wp_view view;
	wp_face face;
	wp_whole_hulls whole;
	wp_ground_prepare(jobs, job, &g);
	wp_ground_view(&g, &touch, &view);
	const vf scale = g.p.scale, reach = vf_mul(g.p.reach, scale);
	const wp_view_side side = wp_view_side_of_a(&view, vf_mul(g.p.radius_a, scale));
	wp_lane_polygons *const polygon = &scratch->polygons[0];
	const uint32_t kind = g.other[0]->kind;
	const vi found = kind == WP_CORE_HULL ? wp_faces_toward(g.other, side.toward) : vi_zero();
	wp_take_face(&view, &side, kind, g.p.half_a, g.other, found, scratch, polygon, &face);
	wp_name_edges(polygon, &face);
	wp_round_face(&view, &side, kind, g.other, polygon, &face, &whole);
	const vf contact = vf_mul(touch.separation, scale), limit = vf_mul(vf_set(jobs->max_separation), scale);
	const int32_t candidates = wp_ground_candidates(
		polygon, &face, contact, limit, vf_mul(vf_set(WP_PATCH_TOLERANCE), reach), &scratch->candidates);
	wp_chosen chosen;
	wp_reduce(&scratch->candidates, candidates, wp_patch_most(kind == WP_CORE_SEGMENT, most), contact, reach, &chosen);
	for (int32_t k = wp_last_point(chosen.count, most); k >= 0; k--)
		wp_ground_point(&g, &view, &face, &touch, &chosen, k, scratch);
	vi_store(scratch->count, chosen.count);
}

#endif
