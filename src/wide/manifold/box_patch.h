/* Manifolds of sharp boxes.
 *
 * Seen along the normal onto the plane of A's face, A's face is a rectangle about the origin and B's a parallelogram. Each
 * corner of the polygon that they have in common is where one of their eight edges, gone round counter-clockwise, begins to
 * be inside the other one: so eight places hold all corners. An edge is cut by the two slabs that are the other face (Kay
 * and Kajiya 1986), of which each has one of two directions: four divisions serve all edges. Separation is linear over the
 * plane. As in clip.h slabs count as wider by a tolerance when a point is tested, but edges are cut where they cross. */
#ifndef WP_WIDE_MANIFOLD_BOX_PATCH_H
#define WP_WIDE_MANIFOLD_BOX_PATCH_H

#include "wide/lane/vec2.h"
#include "wide/manifold/box_face.h"
#include "wide/manifold/reduce_eight.h"

/* Two faces in the plane of A's, whose axes are the second and the third of A's face. */
typedef struct wp_boxes {
	wp_box_face a, b;
	vf3 n;               /* in the axes of A's face */
	vf slope_y, slope_z; /* of n: how far it goes aside for each step up */
	vf2 middle, p, q;    /* of B's face: its middle, and its second and third axis, p and then q counter-clockwise */
	vf turn;             /* negative where q is the third axis turned back */
	vf inverse;          /* of the area of p and q */
	vf base, rise_y, rise_z; /* separation over place */
} wp_boxes;

/* A vector's place in the plane, along the normal. */
WP_INLINE vf2 wp_seen_in_plane(const wp_boxes *c, vf3 a)
{
	return (vf2){vf_sub(a.y, vf_mul(c->slope_y, a.x)), vf_sub(a.z, vf_mul(c->slope_z, a.x))};
}

/* The axes of B's face, in the axes of A's. */
WP_INLINE void wp_face_axes(const wp_boxes *c, const vf33 *rotation, vf3 axis[3])
{
	const vf3 *const row = rotation->row;
	const vm is_x = c->a.is_x, is_y = c->a.is_y;
	const vf3 first = vf3_select(is_x, row[0], vf3_select(is_y, row[1], row[2]));
	const vf3 x = wp_turn_to_face(&c->b, vf3_scale(first, c->a.sign));
	const vf3 y = wp_turn_to_face(&c->b, vf3_select(is_x, row[1], vf3_select(is_y, row[2], row[0])));
	const vf3 z = wp_turn_to_face(&c->b, vf3_select(is_x, row[2], vf3_select(is_y, row[0], row[1])));
	axis[0] = vf3_set(x.x, y.x, z.x);
	axis[1] = vf3_set(x.y, y.y, z.y);
	axis[2] = vf3_set(x.z, y.z, z.z);
}

WP_INLINE void wp_see_boxes(const wp_scene *s, wp_boxes *c)
{
	const wp_prepared *const p = &s->p;
	const vf one = vf_set(1.0f);
	const vf3 toward = wp_toward_a(p, s->n);
	c->a = wp_box_face_toward(s->n, vf3_scale(p->half_a, p->scale));
	c->b = wp_box_face_toward(toward, vf3_scale(p->half_b, p->scale));
	c->n = wp_to_face(&c->a, s->n);
	const vf upright = vf_div(one, c->n.x), lean = wp_to_face(&c->b, toward).x, inverse = vf_div(one, lean);
	c->slope_y = vf_mul(c->n.y, upright);
	c->slope_z = vf_mul(c->n.z, upright);

	vf3 axis[3];
	wp_face_axes(c, &p->rotation, axis);
	const vf3 outward = vf3_scale(axis[0], c->b.sign);
	const vf3 centre = vf3_add(wp_to_face(&c->a, p->translation), vf3_scale(outward, c->b.half.x));
	const vf3 from = vf3_set(vf_sub(centre.x, c->a.half.x), centre.y, centre.z);
	c->middle = wp_seen_in_plane(c, from);
	c->p = wp_seen_in_plane(c, axis[1]);
	const vf2 q = wp_seen_in_plane(c, axis[2]);
	c->turn = vf2_cross(c->p, q);
	c->q = (vf2){vf_flip_sign(q.x, c->turn), vf_flip_sign(q.y, c->turn)};
	c->inverse = vf_mul(c->n.x, inverse);
	c->base = vf_neg(vf_mul(vf3_dot(outward, from), inverse));
	c->rise_y = vf_mul(outward.y, inverse);
	c->rise_z = vf_mul(outward.z, inverse);
}

/* Where along an edge a slab is: its middle, and how far it goes both ways, as it is and as it counts. */
typedef struct wp_slab {
	vf middle, reach, wide;
} wp_slab;

WP_INLINE wp_slab wp_make_slab(vf middle, vf half, vf tolerance, vf inverse)
{
	const vf size = vf_abs(inverse);
	return (wp_slab){middle, vf_mul(half, size), vf_mul(vf_add(half, tolerance), size)};
}

/* Where an edge that goes from -half to half begins to be inside two slabs; `turn` is 1, or -1 where it goes back. */
typedef struct wp_beginning {
	vf place;
	vm is_inside, is_cut; /* it is at all; not where the edge itself begins */
} wp_beginning;

WP_INLINE wp_beginning wp_begin_inside(vf half, const wp_slab *first, const wp_slab *second, bool goes_back)
{
	const vf start = vf_neg(half);
	const vf m1 = goes_back ? vf_neg(first->middle) : first->middle;
	const vf m2 = goes_back ? vf_neg(second->middle) : second->middle;
	const vf from1 = vf_sub(m1, first->wide), from2 = vf_sub(m2, second->wide), from = vf_max(from1, from2);
	const vf to = vf_min(vf_min(vf_add(m1, first->wide), vf_add(m2, second->wide)), half);
	const vf cut = vf_select(vf_gt(from2, from1), vf_sub(m2, second->reach), vf_sub(m1, first->reach));
	wp_beginning r;
	r.is_cut = vf_gt(from, start);
	r.is_inside = vf_le(vf_max(from, start), to);
	r.place = vf_min(vf_select(r.is_cut, cut, start), to);
	r.place = goes_back ? vf_neg(r.place) : r.place;
	return r;
}

/* Keep a place if it is a corner that both faces have, near enough. */
WP_INLINE void wp_put_place(
	const wp_scene *s, const wp_boxes *c, const wp_beginning *r, vf weight, vf2 at, int k, wp_eight *e)
{
	const vf separation = vf_add(c->base, vf_add(vf_mul(at.x, c->rise_y), vf_mul(at.y, c->rise_z)));
	const vm is_near = vm_and(vf_ge(separation, s->least), vf_le(separation, s->limit));
	const vm is_point = vm_and(r->is_inside, is_near);
	const vf preferred = vf_select(r->is_cut, vf_set(WP_PATCH_WEIGHT_CROSSING), weight);
	e->y[k] = at.x;
	e->z[k] = at.y;
	e->separation[k] = vf_select(is_point, separation, vf_set(WP_INFINITY));
	e->weight[k] = vf_select(is_point, preferred, vf_zero());
}

/* The reciprocals of the components of B's axes. */
typedef struct wp_box_inverses {
	vf p_y, p_z, q_y, q_z;
} wp_box_inverses;

/* Where A's edges begin to be inside B, those along y and those along z: places 0 to 3. */
WP_INLINE void wp_begin_edges_of_a(const wp_scene *s, const wp_boxes *c, const wp_box_inverses *i, wp_eight *e)
{
	const vf area = vf2_cross(c->p, c->q), tolerance = s->tolerance, one = vf_set(1.0f);
	const vf reach_p = vf_mul(c->b.half.y, area), reach_q = vf_mul(c->b.half.z, area), more = vf_mul(tolerance, area);
	for (int k = 0; k < 4; k++) {
		const bool is_y = k == 0 || k == 2, goes_back = k >= 2, is_low = k == 0 || k == 3;
		const vf side = is_y ? c->a.half.z : c->a.half.y, at = is_low ? vf_neg(side) : side;
		const vf off = vf_sub(at, is_y ? c->middle.y : c->middle.x), from = is_y ? c->middle.x : c->middle.y;
		const vf by_q = is_y ? vf_mul(c->q.x, i->q_z) : vf_mul(c->q.y, i->q_y);
		const vf by_p = is_y ? vf_mul(c->p.x, i->p_z) : vf_mul(c->p.y, i->p_y);
		const wp_slab beside_p = wp_make_slab(vf_add(from, vf_mul(off, by_q)), reach_p, more, is_y ? i->q_z : i->q_y);
		const wp_slab beside_q = wp_make_slab(vf_add(from, vf_mul(off, by_p)), reach_q, more, is_y ? i->p_z : i->p_y);
		const wp_beginning r = wp_begin_inside(is_y ? c->a.half.y : c->a.half.z, &beside_p, &beside_q, goes_back);
		wp_put_place(s, c, &r, one, is_y ? (vf2){r.place, at} : (vf2){at, r.place}, k, e);
	}
}

/* Where B's edges begin to be inside A, those along p and those along q: places 4 to 7. */
WP_INLINE void wp_begin_edges_of_b(const wp_scene *s, const wp_boxes *c, const wp_box_inverses *i, wp_eight *e)
{
	const vf weight = vf_set(WP_PATCH_WEIGHT_B), tolerance = s->tolerance;
	for (int k = 0; k < 4; k++) {
		const bool is_p = k == 0 || k == 2, goes_back = k >= 2, is_low = k == 0 || k == 3;
		const vf side = is_p ? c->b.half.z : c->b.half.y, off = is_low ? vf_neg(side) : side;
		const vf2 way = is_p ? c->p : c->q, from = vf2_add(c->middle, vf2_scale(is_p ? c->q : c->p, off));
		const vf by_y = is_p ? i->p_y : i->q_y, by_z = is_p ? i->p_z : i->q_z;
		const wp_slab in_y = wp_make_slab(vf_neg(vf_mul(from.x, by_y)), c->a.half.y, tolerance, by_y);
		const wp_slab in_z = wp_make_slab(vf_neg(vf_mul(from.y, by_z)), c->a.half.z, tolerance, by_z);
		const wp_beginning r = wp_begin_inside(is_p ? c->b.half.y : c->b.half.z, &in_y, &in_z, goes_back);
		wp_put_place(s, c, &r, weight, vf2_add(from, vf2_scale(way, r.place)), 4 + k, e);
	}
}

WP_INLINE void wp_clip_boxes(const wp_scene *s, const wp_boxes *c, wp_eight *e)
{
	const vf one = vf_set(1.0f);
	const wp_box_inverses i = {.p_y = vf_div(one, wp_clear_component(c->p.x)),
		.p_z = vf_div(one, wp_clear_component(c->p.y)),
		.q_y = vf_div(one, wp_clear_component(c->q.x)),
		.q_z = vf_div(one, wp_clear_component(c->q.y))};
	wp_begin_edges_of_a(s, c, &i, e);
	wp_begin_edges_of_b(s, c, &i, e);
}

WP_INLINE void wp_reduce_boxes(
	const wp_scene *s, const wp_boxes *c, const wp_eight *e, uint32_t most, wp_eight_chosen *chosen)
{
	const vf one = vf_set(1.0f), twice = vf_set(-2.0f);
	const wp_plane_measure m = {.yy = vf_sub(one, vf_mul(c->n.y, c->n.y)),
		.yz = vf_mul(vf_mul(c->n.y, c->n.z), twice),
		.zz = vf_sub(one, vf_mul(c->n.z, c->n.z)),
		.area = c->n.x};
	const vf3 eye = wp_to_face(&c->a, s->eye);
	const vf2 witness = wp_seen_in_plane(c, vf3_set(vf_sub(eye.x, c->a.half.x), eye.y, eye.z));
	const vf far = vf_mul(vf_mul(vf_set(4.0f), s->p.reach), s->p.scale);
	wp_reduce_eight(s, e, &m, witness.x, witness.y, far, most, chosen);
}

WP_INLINE wp_point wp_point_of_boxes(const wp_scene *s, const wp_boxes *c, vf y, vf z, vf separation)
{
	const vf2 off = {vf_sub(y, c->middle.x), vf_sub(z, c->middle.y)};
	const vf along_p = vf_mul(vf2_cross(off, c->q), c->inverse), along_q = vf_mul(vf2_cross(c->p, off), c->inverse);
	const vf third = vf_flip_sign(along_q, c->turn);
	wp_point point;
	wp_place_point(s, wp_from_face(&c->a, vf3_set(c->a.half.x, y, z)), separation, &point);
	point.local_b = vf3_scale(wp_from_face(&c->b, vf3_set(c->b.half.x, along_p, third)), s->unscale);
	point.feature_a = wp_feature_of_box(&c->a, y, z, s->tolerance);
	point.feature_b = wp_feature_of_box(&c->b, along_p, third, s->tolerance);
	return point;
}

WP_INLINE void wp_box_block(const wp_jobs *jobs, const int32_t *job, uint32_t most, wp_manifold_scratch *scratch)
{
	wp_scene s;
	wp_boxes c;
	wp_eight places;
	wp_eight_chosen chosen;
	wp_load_scene(jobs, job, &s);
	wp_see_boxes(&s, &c);
	wp_clip_boxes(&s, &c, &places);
	wp_reduce_boxes(&s, &c, &places, most, &chosen);
	for (int32_t k = wp_last_point(chosen.count, most); k >= 0; k--) {
		wp_point point = wp_point_of_boxes(&s, &c, chosen.y[k], chosen.z[k], chosen.separation[k]);
		wp_finish_point(jobs, job, k == 0 ? chosen.is_witness : vm_false(), &point);
		wp_put_point(&point, k, chosen.count, scratch);
	}
	vi_store(scratch->count, chosen.count);
}

#endif
