/* Manifolds of sharp boxes with capsules and segments.
 *
 * All is seen in the box's frame, whichever side it is. Its side, projected along the normal onto the line of the segment,
 * is two slabs: the part of the segment inside both is what they have in common (stretch.h). Straight below each of its
 * two ends is a place in the side's plane, which is the surface there. */
#ifndef WP_WIDE_MANIFOLD_BOX_CAPSULE_PATCH_H
#define WP_WIDE_MANIFOLD_BOX_CAPSULE_PATCH_H

#include "wide/manifold/box_face.h"
#include "wide/manifold/stretch.h"

/* A segment over the side of a box: its place p is `height` + p `climb` above the plane along the normal, over y = start_y
 * + p way_y and z = start_z + p way_z. */
typedef struct wp_box_capsule {
	wp_rod rod;
	wp_box_face face;
	vf3 n; /* from the box to the segment, in the box's frame */
	vf height, climb, start_y, way_y, start_z, way_z;
	wp_line_seen line;
} wp_box_capsule;

/* The segment in the box's frame. */
typedef struct wp_posed_segment {
	vf3 middle, along;
	vf half, radius;
} wp_posed_segment;

WP_INLINE void wp_see_side(const wp_posed_segment *segment, wp_box_capsule *c)
{
	const vf3 n = wp_to_face(&c->face, c->n), middle = wp_to_face(&c->face, segment->middle),
			  along = wp_to_face(&c->face, segment->along);
	const vf inverse = vf_div(vf_set(1.0f), n.x);
	c->height = vf_mul(vf_sub(middle.x, c->face.half.x), inverse);
	c->climb = vf_mul(along.x, inverse);
	c->start_y = vf_sub(middle.y, vf_mul(n.y, c->height));
	c->start_z = vf_sub(middle.z, vf_mul(n.z, c->height));
	c->way_y = vf_sub(along.y, vf_mul(n.y, c->climb));
	c->way_z = vf_sub(along.z, vf_mul(n.z, c->climb));
}

/* The part of the segment that is beside the side of the box. */
WP_INLINE wp_stretch wp_clip_box_capsule(const wp_scene *s, const wp_box_capsule *c)
{
	wp_stretch cut = wp_whole_stretch(c->rod.half);
	wp_cut_stretch(&cut, c->start_y, c->way_y, c->face.half.y, s->tolerance);
	wp_cut_stretch(&cut, c->start_z, c->way_z, c->face.half.z, s->tolerance);
	return cut;
}

/* The point below a place of the segment. The contact proves that no place is deeper than it, which heights of segments
 * that lean much may miss. */
WP_INLINE wp_end wp_end_of_box_capsule(const wp_scene *s, const wp_box_capsule *c, vm inside, vf place)
{
	const vf lift = wp_lift_over_rod(&c->rod, place, c->rod.radius, vf_set(-1.0f));
	const vf height = vf_add(vf_add(c->height, vf_mul(place, c->climb)), lift);
	const vf separation = vf_max(height, vf_sub(s->contact, s->tolerance));
	const vm is_near = vm_and(vf_ge(height, s->least), vf_le(separation, s->limit));
	return (wp_end){.place = place,
		.lift = vf_zero(),
		.separation = vf_select(vm_and(inside, is_near), separation, vf_set(WP_INFINITY))};
}

/* How the segment's line is seen from the witness points. */
WP_INLINE wp_line_seen wp_see_line(
	const wp_box_capsule *c, const wp_posed_segment *segment, vf3 witness, const wp_end end[2])
{
	const vf3 from = vf3_sub(segment->middle, witness);
	const vf inverse = vf_div(vf_set(1.0f), c->rod.lean);
	const vf start = vf_mul(vf_sub(vf3_dot(from, segment->along), vf_mul(vf3_dot(from, c->n), c->rod.rise)), inverse);
	return (wp_line_seen){
		.along = {vf_add(start, vf_mul(end[0].place, c->rod.lean)), vf_add(start, vf_mul(end[1].place, c->rod.lean))},
		.aside = vf_mul(vf3_dot(from, vf3_cross(segment->along, c->n)), inverse)};
}

/* The box in its own frame, and the segment in it. */
WP_INLINE wp_posed_segment wp_see_box_capsule(const wp_scene *s, bool is_box_a, wp_box_capsule *c)
{
	const wp_prepared *const p = &s->p;
	const vf scale = p->scale;
	wp_posed_segment segment;
	if (is_box_a) {
		segment = (wp_posed_segment){p->translation, vf33_axis(&p->rotation, 1), p->half_b.y, p->radius_b};
		c->n = s->n;
		c->face = wp_box_face_toward(c->n, vf3_scale(p->half_a, scale));
	} else {
		const vf3 middle = vf3_neg(vf33_apply_transposed(&p->rotation, p->translation));
		segment = (wp_posed_segment){middle, p->rotation.row[1], p->half_a.y, p->radius_a};
		c->n = wp_toward_a(p, s->n);
		c->face = wp_box_face_toward(c->n, vf3_scale(p->half_b, scale));
	}
	const vf rise = vf3_dot(segment.along, c->n), lean = vf3_length(vf3_cross(segment.along, c->n));
	c->rod = wp_make_rod(vf_mul(segment.half, scale), vf_mul(segment.radius, scale), rise, lean);
	wp_see_side(&segment, c);
	return segment;
}

WP_INLINE wp_point wp_point_of_box_capsule(const wp_scene *s, const wp_box_capsule *c, bool is_box_a, const wp_end *end)
{
	const wp_prepared *const p = &s->p;
	const vf y = vf_add(c->start_y, vf_mul(end->place, c->way_y)), z = vf_add(c->start_z, vf_mul(end->place, c->way_z));
	const vf3 on_box = wp_from_face(&c->face, vf3_set(c->face.half.x, y, z));
	const vf3 above = vf3_add(on_box, vf3_scale(c->n, end->separation));
	const vi of_box = wp_feature_of_box(&c->face, y, z, s->tolerance);
	const vi of_rod = wp_feature_of_rod(&c->rod, end->place, vf_zero(), s->tolerance);
	wp_point point;
	if (is_box_a) {
		wp_place_point(s, on_box, end->separation, &point);
		point.local_b = vf3_scale(vf33_apply_transposed(&p->rotation, vf3_sub(above, p->translation)), s->unscale);
	} else {
		wp_place_point(s, vf3_add(vf33_apply(&p->rotation, above), p->translation), end->separation, &point);
		point.local_b = vf3_scale(on_box, s->unscale);
	}
	point.feature_a = is_box_a ? of_box : of_rod;
	point.feature_b = is_box_a ? of_rod : of_box;
	return point;
}

WP_INLINE void wp_box_capsule_block(
	const wp_jobs *jobs, const int32_t *job, uint32_t most, wp_manifold_scratch *scratch)
{
	const bool is_box_a = jobs->core_a[job[0]]->kind == WP_CORE_BOX;
	wp_scene s;
	wp_box_capsule c;
	wp_load_scene(jobs, job, &s);
	const wp_posed_segment segment = wp_see_box_capsule(&s, is_box_a, &c);
	const wp_stretch cut = wp_clip_box_capsule(&s, &c);
	const vm inside = vm_and(c.rod.fits, vf_le(cut.from, cut.to));
	const wp_end end[2] = {wp_end_of_box_capsule(&s, &c, inside, vf_min(cut.first, cut.to)),
		wp_end_of_box_capsule(&s, &c, inside, vf_max(cut.last, cut.from))};
	const vf3 witness = is_box_a ? s.eye : vf33_apply_transposed(&s.p.rotation, vf3_sub(s.eye, s.p.translation));
	const wp_line_seen line = wp_see_line(&c, &segment, witness, end);
	wp_ends chosen;
	wp_choose_ends(&s, end, &line, most, &chosen);
	for (int32_t k = wp_last_point(chosen.count, most); k >= 0; k--) {
		const wp_end at = wp_chosen_end(end, &chosen, k);
		wp_point point = wp_point_of_box_capsule(&s, &c, is_box_a, &at);
		wp_finish_point(jobs, job, wp_is_witness_end(&chosen, k), &point);
		wp_put_point(&point, k, chosen.count, scratch);
	}
	vi_store(scratch->count, chosen.count);
}

#endif
