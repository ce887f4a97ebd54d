/* Vertices of the difference by their ids in one lane: as wp_vertex_of_id, with the same bits, coordinates in quads. */
#ifndef WP_WIDE_SUPPORT_VERTEX_ONE_H
#define WP_WIDE_SUPPORT_VERTEX_ONE_H

#include "wide/lane/quad3.h"
#include "wide/support/vertex.h"

#if WP_ONE_LANE_QUADS

_Static_assert(sizeof(wp_vertex) == sizeof(wp_quad), "a vertex is moved as a quad");

/* Where B is in A's frame: the rotation by columns, and the origin, scaled. */
typedef struct wp_one_pose {
	wp_quad column[3], translation;
} wp_one_pose;

WP_INLINE wp_one_pose wp_one_pose_of(const wp_jobs *jobs, int32_t job)
{
	wp_quad r[4];
	for (int i = 0; i < 4; i++)
		r[i] = wp_quad_load(jobs->pose + 16 * job + 4 * i);
	wp_quad_turn(r);
	return (wp_one_pose){.column = {r[0], r[1], r[2]}, .translation = r[3]};
}

/* The same of lanes that have just been loaded. */
WP_INLINE wp_one_pose wp_one_pose_of_lanes(const wp_lanes *lanes)
{
	const vf3 *const r = lanes->rotation.row;
	return (wp_one_pose){.column = {wp_quad_of(r[0].x, r[1].x, r[2].x, 0.0f), wp_quad_of(r[0].y, r[1].y, r[2].y, 0.0f),
							 wp_quad_of(r[0].z, r[1].z, r[2].z, 0.0f)},
		.translation = wp_quad_of_vf3(lanes->translation)};
}

/* Core point of one side, in its own frame. */
WP_INLINE wp_quad wp_one_point_of_id(const wp_lanes *lanes, int kind, vf3 half, const wp_lane_side *side, uint32_t id)
{
	if (kind == WP_CORE_HULL) {
		const float *const x = side->vertices[0] + id;
		const uint32_t stride = side->stride[0];
		return wp_quad_scale(wp_quad_of(x[0], x[stride], x[2 * stride], 0.0f), lanes->hull_scale);
	}
	const wp_quad signs = wp_quad_of(
		vf_from_bits((vi)(id << 31)), vf_from_bits((vi)(id << 30)), vf_from_bits((vi)(id << 29)), 0.0f);
	return wp_quad_with_sign(wp_quad_of_vf3(half), signs);
}

/* A vertex and its points of both cores, in A's frame. */
typedef struct wp_one_vertex {
	wp_quad w, a, b;
} wp_one_vertex;

WP_INLINE wp_one_vertex wp_one_vertex_of_id(
	const wp_lanes *lanes, const wp_one_pose *pose, int kind_a, int kind_b, uint32_t id)
{
	const wp_quad a = wp_one_point_of_id(lanes, kind_a, lanes->half_a, &lanes->a, id >> 16);
	const wp_quad b = wp_one_point_of_id(lanes, kind_b, lanes->half_b, &lanes->b, id & 0xffffu);
	const wp_quad b_in_a = wp_quad_add(wp_quad_mixed(pose->column, b), pose->translation);
	return (wp_one_vertex){.w = wp_quad_sub(a, b_in_a), .a = a, .b = b_in_a};
}

/* The vertex with its id, as a wp_vertex lies in memory. */
WP_INLINE wp_quad wp_one_named(wp_quad w, vi id)
{
	const wp_quad name = wp_quad_set(vf_from_bits(id));
	return WP_QUAD_MIX(w, WP_QUAD_MIX(w, name, 2, 2, 0, 0), 0, 1, 0, 2);
}

WP_INLINE void wp_one_put_vertex(wp_vertex *v, wp_quad named) { wp_copy_bytes(v, &named, sizeof *v); }

/* Three vertices side by side, the first one again behind them. */
WP_INLINE wp_vectors wp_one_triangle(const wp_vertex v[3])
{
	const wp_quad first = wp_quad_read(&v[0]);
	const wp_quad vertex[4] = {first, wp_quad_read(&v[1]), wp_quad_read(&v[2]), first};
	return wp_vectors_of_quads(vertex);
}

/* Four vertices side by side. */
WP_INLINE wp_vectors wp_one_vectors(const wp_vertex v[4])
{
	const wp_quad vertex[4] = {wp_quad_read(&v[0]), wp_quad_read(&v[1]), wp_quad_read(&v[2]), wp_quad_read(&v[3])};
	return wp_vectors_of_quads(vertex);
}

#endif

#endif
