/* Manifolds of capsules and segments.
 *
 * Seen along the normal two segments have a stretch of A in common: what of it is beside B's length and no further beside
 * B's line than the tolerance. Where they cross that is one point, which mostly the closed form has found to be the contact
 * (segments.h): such pairs do not come here. It is A's segment cut by two slabs (stretch.h): as clip.h cuts two rectangles
 * without width. */
#ifndef WP_WIDE_MANIFOLD_CAPSULE_PATCH_H
#define WP_WIDE_MANIFOLD_CAPSULE_PATCH_H

#include "wide/manifold/stretch.h"

/* Two segments seen along the normal: a place of A is over place `start` + place * `way` of B's line, and beside it by
 * `aside` + place * `away`. */
typedef struct wp_capsules {
	wp_rod a, b;
	vf start, way, aside, away;
	vf rise; /* of B's middle over A's */
} wp_capsules;

/* B's direction across the normal is made right angled to it once more: where B is steep, what is left of the direction is
 * small beside its rounding, and heights would show as places. */
WP_INLINE wp_capsules wp_see_capsules(const wp_scene *s)
{
	const wp_prepared *const p = &s->p;
	const vf scale = p->scale;
	const vf3 n = s->n, t = p->translation, d = vf33_axis(&p->rotation, 1);
	const vf rise_b = vf3_dot(d, n), lean_a = vf_sqrt(vf_add(vf_mul(n.x, n.x), vf_mul(n.z, n.z)));
	const vf3 rest = vf3_sub(d, vf3_scale(n, rise_b)), across = vf3_sub(rest, vf3_scale(n, vf3_dot(rest, n)));
	wp_capsules c = {.a = wp_make_rod(vf_mul(p->half_a.y, scale), vf_mul(p->radius_a, scale), n.y, lean_a),
		.b = wp_make_rod(vf_mul(p->half_b.y, scale), vf_mul(p->radius_b, scale), rise_b, vf3_length(across)),
		.rise = vf3_dot(t, n)};
	const vf inverse = vf_div(vf_set(1.0f), c.b.lean);
	const vf3 along = vf3_scale(across, inverse), beside = vf3_cross(along, n);
	c.way = vf_mul(along.y, inverse);
	c.start = vf_neg(vf_mul(vf3_dot(t, along), inverse));
	c.away = beside.y;
	c.aside = vf_neg(vf3_dot(t, beside));
	return c;
}

/* The point over a place of A. The contact proves where both shapes end, which heights of segments that lean much may
 * miss: `eye` is how high that is. */
WP_INLINE wp_end wp_end_of_capsules(const wp_scene *s, const wp_capsules *c, vf eye, vm inside, vf place)
{
	const vf on_b = vf_add(c->start, vf_mul(place, c->way)), aside = vf_add(c->aside, vf_mul(place, c->away));
	const vf room2 = vf_sub(vf_mul(c->b.radius, c->b.radius), vf_mul(aside, aside));
	const vf core = vf_mul(place, c->a.rise), core_b = vf_add(c->rise, vf_mul(on_b, c->b.rise));
	const vf lift = wp_lift_over_rod(&c->a, place, c->a.radius, vf_set(1.0f));
	const vf lift_b = wp_lift_over_rod(&c->b, on_b, vf_sqrt(vf_max(room2, vf_zero())), vf_set(-1.0f));
	const vf height_a = vf_sub(vf_add(core, lift), eye), height_b = vf_sub(vf_add(core_b, lift_b), eye);
	const vf height = vf_min(height_a, s->tolerance);
	const vf separation = vf_sub(vf_max(height_b, vf_sub(s->contact, s->tolerance)), height);
	const vm is_near = vm_and(vf_ge(vf_sub(height_b, height_a), s->least), vf_le(separation, s->limit));
	return (wp_end){.place = place,
		.lift = vf_sub(vf_add(height, eye), core),
		.separation = vf_select(vm_and(inside, is_near), separation, vf_set(WP_INFINITY))};
}

/* Both ends of the stretch that two segments have in common. */
WP_INLINE void wp_clip_capsules(const wp_scene *s, const wp_capsules *c, vf eye, wp_end end[2])
{
	wp_stretch cut = wp_whole_stretch(c->a.half);
	wp_cut_stretch(&cut, c->start, c->way, c->b.half, s->tolerance);
	wp_cut_stretch(&cut, c->aside, c->away, vf_zero(), vf_mul(s->tolerance, c->b.lean));
	const vm inside = vm_and(vm_and(c->a.fits, c->b.fits), vf_le(cut.from, cut.to));
	end[0] = wp_end_of_capsules(s, c, eye, inside, vf_min(cut.first, cut.to));
	end[1] = wp_end_of_capsules(s, c, eye, inside, vf_max(cut.last, cut.from));
}

/* How A's line is seen from the witness points. */
WP_INLINE wp_line_seen wp_see_line_of_a(const wp_scene *s, const wp_capsules *c, const wp_end end[2])
{
	const vf inverse = vf_div(vf_set(1.0f), c->a.lean);
	const vf start = vf_mul(vf_sub(s->eye.y, vf_mul(vf3_dot(s->eye, s->n), s->n.y)), inverse);
	const vf aside = vf_sub(vf_mul(s->eye.x, s->n.z), vf_mul(s->eye.z, s->n.x));
	return (wp_line_seen){
		.along = {vf_sub(vf_mul(end[0].place, c->a.lean), start), vf_sub(vf_mul(end[1].place, c->a.lean), start)},
		.aside = vf_mul(aside, inverse)};
}

WP_INLINE wp_point wp_point_of_capsules(const wp_scene *s, const wp_capsules *c, const wp_end *end)
{
	wp_point point;
	const vf3 over = vf3_scale(s->n, end->lift), on_a = vf3_set(over.x, vf_add(over.y, end->place), over.z);
	const vf3 on_b = vf3_sub(vf3_add(on_a, vf3_scale(s->n, end->separation)), s->p.translation);
	const vf place_b = vf_add(c->start, vf_mul(end->place, c->way));
	const vf aside = vf_add(c->aside, vf_mul(end->place, c->away));
	wp_place_point(s, on_a, end->separation, &point);
	point.local_b = vf3_scale(vf33_apply_transposed(&s->p.rotation, on_b), s->unscale);
	point.feature_a = wp_feature_of_rod(&c->a, end->place, vf_zero(), s->tolerance);
	point.feature_b = wp_feature_of_rod(&c->b, place_b, vf_mul(aside, aside), s->tolerance);
	return point;
}

WP_INLINE void wp_capsule_block(const wp_jobs *jobs, const int32_t *job, uint32_t most, wp_manifold_scratch *scratch)
{
	wp_scene s;
	wp_load_scene(jobs, job, &s);
	const wp_capsules c = wp_see_capsules(&s);
	wp_end end[2];
	wp_ends chosen;
	wp_clip_capsules(&s, &c, vf3_dot(s.eye, s.n), end);
	const wp_line_seen line = wp_see_line_of_a(&s, &c, end);
	wp_choose_ends(&s, end, &line, most, &chosen);
	for (int32_t k = wp_last_point(chosen.count, most); k >= 0; k--) {
		const wp_end at = wp_chosen_end(end, &chosen, k);
		wp_point point = wp_point_of_capsules(&s, &c, &at);
		wp_finish_point(jobs, job, wp_is_witness_end(&chosen, k), &point);
		wp_put_point(&point, k, chosen.count, scratch);
	}
	vi_store(scratch->count, chosen.count);
}

#endif
