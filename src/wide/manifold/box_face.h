/* The side of a box that looks most along the normal, as a rectangle in its own axes: the first across it and outwards, the
 * second and the third along it, in the order of the box's axes. */
#ifndef WP_WIDE_MANIFOLD_BOX_FACE_H
#define WP_WIDE_MANIFOLD_BOX_FACE_H

#include "wide/lane/vec3.h"
#include "wide/manifold/point.h"

/* Numbers of vertices have a bit for each axis, set where its sign is positive. */
typedef struct wp_box_face {
	vm is_x, is_y, is_z; /* the axis across it */
	vf sign;             /* of that axis: which of both sides */
	vf3 half;            /* in the face's axes, scaled */
	vi base;             /* what all its vertices have in their numbers, */
	vi bit_y, bit_z;     /* and what those on the positive sides of the second and third axis have */
} wp_box_face;

/* A vector from the box's axes to the face's without regard to the sign, and back with it. */
WP_INLINE vf3 wp_turn_to_face(const wp_box_face *f, vf3 a)
{
	return (vf3){vf_select(f->is_x, a.x, vf_select(f->is_y, a.y, a.z)),
		vf_select(f->is_x, a.y, vf_select(f->is_y, a.z, a.x)), vf_select(f->is_x, a.z, vf_select(f->is_y, a.x, a.y))};
}

WP_INLINE vf3 wp_to_face(const wp_box_face *f, vf3 a)
{
	const vf3 turned = wp_turn_to_face(f, a);
	return vf3_set(vf_mul(turned.x, f->sign), turned.y, turned.z);
}

WP_INLINE vf3 wp_from_face(const wp_box_face *f, vf3 a)
{
	const vf x = vf_mul(a.x, f->sign);
	return (vf3){vf_select(f->is_x, x, vf_select(f->is_y, a.z, a.y)),
		vf_select(f->is_x, a.y, vf_select(f->is_y, x, a.z)), vf_select(f->is_x, a.z, vf_select(f->is_y, a.y, x))};
}

/* The side across the axis that is nearest to a direction, or is as near and comes first. */
WP_INLINE wp_box_face wp_box_face_toward(vf3 toward, vf3 half)
{
	const vf x = vf_abs(toward.x), y = vf_abs(toward.y), z = vf_abs(toward.z);
	const vf alike = vf_set(WP_PATCH_ALIKE), x_or = vf_add(x, alike), y_or = vf_add(y, alike);
	wp_box_face f;
	f.is_x = vm_and(vf_ge(x_or, y), vf_ge(x_or, z));
	f.is_y = vm_andnot(vf_ge(y_or, z), f.is_x);
	f.is_z = vm_not(vm_or(f.is_x, f.is_y));
	f.sign = vf_with_sign(vf_set(1.0f), wp_turn_to_face(&f, toward).x);
	f.half = wp_turn_to_face(&f, half);
	const vi one = vi_set(1), two = vi_set(2), four = vi_set(4);
	f.base = vi_select(f.is_x, one, vi_select(f.is_y, two, four));
	f.base = vi_select(vf_gt(f.sign, vf_zero()), f.base, vi_zero());
	f.bit_y = vi_select(f.is_x, two, vi_select(f.is_y, four, one));
	f.bit_z = vi_select(f.is_x, four, vi_select(f.is_y, one, two));
	return f;
}

/* What of the face a place in it is on: the vertex within the tolerance, else the edge, else the face. */
WP_INLINE vi wp_feature_of_box(const wp_box_face *f, vf y, vf z, vf tolerance)
{
	const vf beside_y = vf_sub(vf_abs(y), f->half.y), beside_z = vf_sub(vf_abs(z), f->half.z);
	const vm near_y = vf_le(vf_abs(beside_y), tolerance), near_z = vf_le(vf_abs(beside_z), tolerance);
	const vf away2 = vf_add(vf_mul(beside_y, beside_y), vf_mul(beside_z, beside_z));
	const vm is_vertex = vf_le(away2, vf_mul(tolerance, tolerance));
	const vi plus_y = vi_select(vf_gt(y, vf_zero()), f->bit_y, vi_zero());
	const vi plus_z = vi_select(vf_gt(z, vf_zero()), f->bit_z, vi_zero());
	const vi vertex = vi_or(f->base, vi_or(plus_y, plus_z));

	/* An edge goes from the vertex without the bit of its axis to the one with it, a vertex to itself. */
	const vi bit = vi_select(is_vertex, vi_zero(), vi_select(near_y, f->bit_z, f->bit_y)), last = vi_or(vertex, bit);
	const vi feature = vi_or(vi_xor(last, bit), vi_shift_left(last, 16));
	return vi_select(vm_or(near_y, near_z), feature, vi_set(-1));
}

#endif
