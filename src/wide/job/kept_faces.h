/* What both ways to prove a depth by a kept polytope ask of it: search/proven_depth.h, and closed/kept_polytope.h. */
#ifndef WP_WIDE_JOB_KEPT_FACES_H
#define WP_WIDE_JOB_KEPT_FACES_H

#include "wide/lane/vec3.h"

/* How far any point of the difference may have moved since B lay at `position` in A's frame, turned by `rotation`; now it lies at `way`,
 * turned by `turn`, all scaled (search/proven_depth.h has the norm of the turn). */
WP_INLINE vf wp_motion_since(const vf33 *turn, vf3 way, vf bound, vf3 position, vfq rotation)
{
	const vf33 then = vfq_to_matrix(rotation);
	vf turned2 = vf_zero();
	for (int i = 0; i < 3; i++) {
		const vf3 d = vf3_sub(turn->row[i], then.row[i]);
		turned2 = vf_add(turned2, vf3_dot(d, d));
	}
	return vf_add(vf3_length(vf3_sub(way, position)), vf_mul(bound, vf_sqrt(vf_mul(vf_set(0.5f), turned2))));
}

/* How far a triangle is from the origin, at least, wound so that its back is to it; negative where it faces the origin. */
WP_INLINE vf wp_height_of_face(vf3 a, vf3 b, vf3 c)
{
	const vf3 n = vf3_unit(vf3_normal_of(a, b, c), vf3_zero());
	return vf_min(vf_min(vf3_dot(n, b), vf3_dot(n, a)), vf3_dot(n, c));
}

/* The same of the face beside the triangle v, whose third corner is w: it goes along the edge that both have, which begins at that
 * corner of v, the other way. */
WP_INLINE vf wp_height_beside(vf3 v0, vf3 v1, vf3 v2, vf3 w, vi edge)
{
	const vm first = vi_eq(edge, vi_zero()), second = vi_eq(edge, vi_set(1));
	const vf3 begin = vf3_select(first, v0, vf3_select(second, v1, v2));
	const vf3 end = vf3_select(first, v1, vf3_select(second, v2, v0));
	return wp_height_of_face(end, begin, w);
}

#endif
