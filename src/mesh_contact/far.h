/* Which triangles are surely far from a body though their boxes meet its own. However a row finds its triangles, it leaves out the
 * same ones: of those that are much larger than the body, kernels know little of how far they are. */
#ifndef WP_MESH_CONTACT_FAR_H
#define WP_MESH_CONTACT_FAR_H

#include "mesh_contact/internal.h"

/* What boxes are told by that the body is far from, which meet its own: the ball around a sphere; of other bodies the box around
 * them in their own axes, by x, y and z of each axis, the same without signs, and how far the body reaches along each. The fourth
 * places of quads are zero. */
typedef struct wp_mesh_reach {
	bool is_ball;
	float reach2;
	wp_quad middle, axis[3], slope[3], reach;
} wp_mesh_reach;

/* Of the body of a row, grown by how far apart contacts may be. */
wp_mesh_reach wp_mesh_reach_of(const wp_mesh_row *row, double max_separation);

WP_INLINE bool wp_mesh_misses_ball(const wp_mesh_reach *r, wp_quad least, wp_quad most)
{
	const wp_quad below = wp_quad_sub(least, r->middle), above = wp_quad_sub(r->middle, most);
	const wp_quad gap = wp_quad_max(wp_quad_max(below, above), wp_quad_set(0.0f)), square = wp_quad_mul(gap, gap);
	return (wp_quad_get(square, 0) + wp_quad_get(square, 1)) + wp_quad_get(square, 2) > r->reach2;
}

WP_INLINE wp_quad wp_mesh_along_axes(const wp_quad axis[3], wp_quad v)
{
	const wp_quad x = wp_quad_scale(axis[0], wp_quad_get(v, 0)), y = wp_quad_scale(axis[1], wp_quad_get(v, 1));
	return wp_quad_add(wp_quad_add(x, y), wp_quad_scale(axis[2], wp_quad_get(v, 2)));
}

WP_INLINE bool wp_mesh_misses_box(const wp_mesh_reach *r, wp_quad least, wp_quad most)
{
	const wp_quad middle = wp_quad_scale(wp_quad_add(least, most), 0.5f);
	const wp_quad half = wp_quad_scale(wp_quad_sub(most, least), 0.5f);
	const wp_quad away = wp_quad_abs(wp_mesh_along_axes(r->axis, wp_quad_sub(middle, r->middle)));
	const wp_quad reach = wp_quad_add(wp_mesh_along_axes(r->slope, half), r->reach);
	return (wp_quad_bits(wp_quad_above(away, reach)) & 7) != 0;
}

/* Whether a box that meets the body's box is surely far from the body. The fourth places of its corners are of no meaning. */
WP_INLINE bool wp_mesh_is_far(const wp_mesh_reach *r, wp_quad least, wp_quad most)
{
	return r->is_ball ? wp_mesh_misses_ball(r, least, most) : wp_mesh_misses_box(r, least, most);
}

/* Leave out the triangles that are far, and count them; move the others to the front. Returns how many they are. */
WP_INLINE uint32_t wp_mesh_leave_near(const wp_mesh_walk *walk, const wp_mesh_reach *r, uint32_t *found, uint32_t count)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t triangle = found[i];
		wp_quad least, most;
		wp_triangle_box(&walk->surface.view, triangle, &least, &most);
		found[left] = triangle;
		left += !wp_mesh_is_far(r, least, most);
	}
	walk->call->statistics->triangles += count - left;
	walk->call->statistics->beyond += count - left;
	return left;
}

#endif
