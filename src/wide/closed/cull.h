/* Triangles of a mesh that are surely behind a body or too far from it, before any is looked at in double.
 *
 * A direction n separates a triangle from a body by more than a limit where each corner v of it has n.v > h + limit |n|, h
 * being how far the body reaches along n: for a box around its core half.|n| and the radius, for the ball around it its
 * radius. That holds for any n, so n needs no accuracy: the axes of the box, the triangle's normal, the nine cross products
 * of their edges (Akenine-Moeller 2001, Fast 3D Triangle-Box Overlap Testing), and the place on the triangle's edges that is
 * nearest to the body.
 *
 * Rounding, u being half a unit in the last place, S the sum of what all corners and the body's centre are away along the
 * axes, and of 2^-24 of what the body's origin is from the mesh's: corners are off by 5u S, by 10u S once they are turned to
 * the body's axes by rounded axes; n.v and h together by 18u |n| S. The limit grows by WP_CULL_SLACK S, 128u S. Numbers so
 * small that they lose digits are below WP_CULL_GUARD. */
#ifndef WP_WIDE_CLOSED_CULL_H
#define WP_WIDE_CLOSED_CULL_H

#include "wide/job/prepare.h"

#define WP_CULL_SLACK 0x1p-17f
#define WP_CULL_GUARD 1e-30f

/* Triangles of a block, in the body's axes from its origin on. */
typedef struct wp_cull_block {
	vf3 corner[3], edge[3]; /* edge k goes from corner k to the next one */
	vf3 centre, normal;     /* a place inside the body; the normal's length is twice the area */
	vf slack;               /* of places */
} wp_cull_block;

/* The same by axes. */
typedef struct wp_cull_axes {
	vf corner[3][3], edge[3][3];
} wp_cull_axes;

WP_INLINE void wp_put_axes(vf3 v, vf out[3])
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

/* A place inside the body: in its axes, and the sum of what it is away along the mesh's. */
typedef struct wp_cull_centre {
	vf3 place;
	vf size;
} wp_cull_centre;

WP_INLINE vf wp_sum_of_abs(vf3 v) { return vf_add(vf_add(vf_abs(v.x), vf_abs(v.y)), vf_abs(v.z)); }

WP_INLINE vf3 wp_to_body(const wp_cull *cull, vf3 v)
{
	vf along[3];
	for (int i = 0; i < 3; i++)
		along[i] = vf3_dot(vf3_set(vf_set(cull->axis[i][0]), vf_set(cull->axis[i][1]), vf_set(cull->axis[i][2])), v);
	return vf3_set(along[0], along[1], along[2]);
}

/* In one lane, code is small rather than fast. */
#if WP_WIDTH == 1
#define WP_CULL_LOAD WP_NOINLINE
#else
#define WP_CULL_LOAD WP_INLINE
#endif

/* Load a block; `centre` is what of it all blocks have in common. */
WP_CULL_LOAD void wp_cull_load(const wp_cull *cull, uint32_t at, const wp_cull_centre *centre, wp_cull_block *b)
{
	vf3 place[3];
	vf size = centre->size;
	WP_ROLLED
	for (int k = 0; k < 3; k++) {
		const float *const x = cull->place[3 * k] + at;
		const vf3 v = vf3_load(x, x + WP_CULL_MAX, x + 2 * WP_CULL_MAX);
		size = vf_add(size, wp_sum_of_abs(v));
		place[k] = wp_to_body(cull, v);
	}
	for (int k = 0; k < 3; k++) {
		b->corner[k] = place[k];
		b->edge[k] = vf3_sub(place[k == 2 ? 0 : k + 1], place[k]);
	}
	b->centre = centre->place;
	b->normal = vf3_cross(b->edge[0], b->edge[1]);
	b->slack = vf_mul(vf_set(WP_CULL_SLACK), size);
}

WP_INLINE vf3 wp_half_of(const wp_cull *cull)
{
	return vf3_set(vf_set(cull->half[0]), vf_set(cull->half[1]), vf_set(cull->half[2]));
}

/* Whether the corners, of which these are the ends along an axis, are on one side of what reaches out to `out`. */
WP_INLINE vm wp_is_beyond(vf low, vf high, vf out)
{
	const vf end = vf_add(out, vf_set(WP_CULL_GUARD));
	return vm_or(vf_gt(low, end), vf_lt(high, vf_neg(end)));
}

WP_INLINE vf wp_least_of(vf a, vf b, vf c) { return vf_min(vf_min(a, b), c); }
WP_INLINE vf wp_most_of(vf a, vf b, vf c) { return vf_max(vf_max(a, b), c); }

/* Apart along an axis of the box. */
WP_INLINE vm wp_axis_beyond(vf a, vf b, vf c, vf out)
{
	return wp_is_beyond(wp_least_of(a, b, c), wp_most_of(a, b, c), out);
}

/* Apart along the triangle's normal. */
WP_INLINE vm wp_plane_beyond(const wp_cull *cull, const wp_cull_block *b)
{
	const vf3 half = wp_half_of(cull);
	const vf round = vf_add(vf_set(cull->round), b->slack);
	const vf3 n = b->normal, size = vf3_set(vf_abs(n.x), vf_abs(n.y), vf_abs(n.z));
	const vf out = vf_add(vf3_dot(size, half), vf_mul(round, vf3_length(n)));
	return wp_axis_beyond(vf3_dot(n, b->corner[0]), vf3_dot(n, b->corner[1]), vf3_dot(n, b->corner[2]), out);
}

/* Apart along the cross product of edge `k` and an axis of the box, `y` and `z` being the other two. */
WP_INLINE vm wp_cross_beyond(const wp_cull *cull, const wp_cull_axes *axes, int k, int y, int z, vf round)
{
	const int across = k == 0 ? 2 : k - 1;
	const vf edge_y = axes->edge[k][y], edge_z = axes->edge[k][z];
	const vf half_y = vf_set(cull->half[y]), half_z = vf_set(cull->half[z]);
	const vf box = vf_add(vf_mul(half_y, vf_abs(edge_z)), vf_mul(half_z, vf_abs(edge_y)));
	const vf length = vf_sqrt(vf_add(vf_mul(edge_y, edge_y), vf_mul(edge_z, edge_z)));
	const vf one = vf_sub(vf_mul(edge_y, axes->corner[k][z]), vf_mul(edge_z, axes->corner[k][y]));
	const vf other = vf_sub(vf_mul(edge_y, axes->corner[across][z]), vf_mul(edge_z, axes->corner[across][y]));
	return wp_is_beyond(vf_min(one, other), vf_max(one, other), vf_add(box, vf_mul(round, length)));
}

WP_INLINE void wp_put_cull_axes(const wp_cull_block *b, wp_cull_axes *axes)
{
	for (int k = 0; k < 3; k++) {
		wp_put_axes(b->corner[k], axes->corner[k]);
		wp_put_axes(b->edge[k], axes->edge[k]);
	}
}

/* Apart along an axis of the box around the body's core. */
WP_INLINE vm wp_sides_beyond(const wp_cull *cull, const wp_cull_block *b)
{
	const vf round = vf_add(vf_set(cull->round), b->slack);
	wp_cull_axes axes;
	vm beyond = vm_false();
	wp_put_cull_axes(b, &axes);
	WP_ROLLED
	for (int i = 0; i < 3; i++)
		beyond = vm_or(beyond, wp_axis_beyond(axes.corner[0][i], axes.corner[1][i], axes.corner[2][i],
								   vf_add(vf_set(cull->half[i]), round)));
	return beyond;
}

/* Apart across edges of that box and of the triangle. */
WP_INLINE vm wp_edges_beyond(const wp_cull *cull, const wp_cull_block *b)
{
	const vf round = vf_add(vf_set(cull->round), b->slack);
	wp_cull_axes axes;
	vm beyond = vm_false();
	wp_put_cull_axes(b, &axes);
	WP_ROLLED
	for (int i = 0; i < 3; i++) {
		const int y = i == 2 ? 0 : i + 1, z = i == 0 ? 2 : i - 1;
		WP_ROLLED
		for (int k = 0; k < 3; k++)
			beyond = vm_or(beyond, wp_cross_beyond(cull, &axes, k, y, z, round));
	}
	return beyond;
}

/* Apart along the way to the place on the edges that is nearest to the body's origin. */
WP_INLINE vm wp_ball_beyond(const wp_cull *cull, const wp_cull_block *b)
{
	const vf3 *const v = b->corner;
	vf3 nearest = v[0];
	vf least = vf3_dot(v[0], v[0]);
	WP_ROLLED
	for (int k = 0; k < 3; k++) {
		/* Of an edge without length, any place of it. */
		const vf along = vf_div(vf_neg(vf3_dot(v[k], b->edge[k])), vf3_dot(b->edge[k], b->edge[k]));
		const vf fraction = vf_max(vf_min(along, vf_set(1.0f)), vf_zero());
		const vf3 place = vf3_add(v[k], vf3_scale(b->edge[k], fraction));
		const vf distance2 = vf3_dot(place, place);
		nearest = vf3_select(vf_lt(distance2, least), place, nearest);
		least = vf_min(distance2, least);
	}
	const vf out = vf_mul(vf_add(vf_set(cull->reach), b->slack), vf3_length(nearest));
	const vf low = wp_least_of(vf3_dot(nearest, v[0]), vf3_dot(nearest, v[1]), vf3_dot(nearest, v[2]));
	return vf_gt(low, vf_add(out, vf_set(WP_CULL_GUARD)));
}

/* On which side of the triangle the body's centre surely is. The volume that both span is off by no more than places are off,
 * times the areas of its sides. */
WP_INLINE void wp_sides_of(const wp_cull_block *b, vm *in_front, vm *behind)
{
	const vf3 way = vf3_sub(b->centre, b->corner[0]);
	const vf edges = vf_add(wp_sum_of_abs(b->edge[0]), wp_sum_of_abs(b->edge[1]));
	const vf sides = vf_mul(edges, vf_add(edges, wp_sum_of_abs(way)));
	const vf doubt = vf_add(vf_mul(vf_mul(vf_set(8.0f), b->slack), sides), vf_set(WP_CULL_GUARD));
	const vf volume = vf3_dot(b->normal, way);
	*in_front = vf_gt(volume, doubt);
	*behind = vf_lt(volume, vf_neg(doubt));
}

WP_INLINE wp_cull_centre wp_cull_centre_of(const wp_cull *cull)
{
	const vf3 inside = vf3_set(vf_set(cull->centre[0]), vf_set(cull->centre[1]), vf_set(cull->centre[2]));
	return (wp_cull_centre){wp_to_body(cull, inside), vf_set(cull->size)};
}

WP_INLINE void wp_cull_run(const wp_cull *cull, uint32_t count, uint64_t *behind, uint64_t *beyond)
{
	const wp_cull_centre centre = wp_cull_centre_of(cull);
	*behind = *beyond = 0;
	for (uint32_t at = 0; at < count; at += WP_WIDTH) {
		wp_cull_block block;
		vm in_front, is_behind;
		wp_cull_load(cull, at, &centre, &block);
		wp_sides_of(&block, &in_front, &is_behind);
		vm far = wp_plane_beyond(cull, &block);
		if (cull->has_ball)
			far = vm_or(far, wp_ball_beyond(cull, &block));
		if (cull->has_box)
			far = vm_or(far, wp_sides_beyond(cull, &block));
		if (!cull->is_two_sided) {
			far = vm_and(far, in_front);
			*behind |= (uint64_t)vm_bits(is_behind) << at;
		}
		*beyond |= (uint64_t)vm_bits(far) << at;
	}
	*behind &= wp_first_bits_64(count);
	*beyond &= wp_first_bits_64(count);
}

/* Those that are left, across edges. */
WP_INLINE void wp_cull_edges_run(const wp_cull *cull, uint32_t count, uint64_t *beyond)
{
	const wp_cull_centre centre = wp_cull_centre_of(cull);
	*beyond = 0;
	for (uint32_t at = 0; at < count; at += WP_WIDTH) {
		wp_cull_block block;
		wp_cull_load(cull, at, &centre, &block);
		*beyond |= (uint64_t)vm_bits(wp_edges_beyond(cull, &block)) << at;
	}
	*beyond &= wp_first_bits_64(count);
}

#endif
