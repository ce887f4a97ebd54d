/* Depths of tracked pairs that the last polytope proves again.
 *
 * EPA's last polytope proves the depth again where its nearest face still is the nearest. Its faces are a closed surface of points
 * of the difference, a of A less b of B, wherever the bodies are. Two of them are looked at where they are now: that face, a
 * triangle, and the face beside it. Of all others it is known that they were `room` from the origin, at least, along their normals
 * then; no vertex is further from where it was than the motion, |t - t0| + |R - R0| |b|, so they are at least so far less the
 * motion away. Two rotations differ by 2 sin(angle / 2) in two directions and not at all in the third, which is their Frobenius
 * norm over the root of 2. Let d be the least of these three distances, and s the slack.
 *
 * d bounds the depth if the surface winds around the origin (epa.h): that is as often as faces cover a direction, those that turn
 * their backs on the origin less those that face it. Let y be the triangle's normal now. The other faces, which all turned their
 * backs on the origin then, covered y no less than 0 times. Let all vertices go straight to where they are now. No other face
 * meets the origin on the way, so they cover y as often now, unless a point p of their rim passes it, as p = x y. Let p come from
 * p0 and go to p1. As a point of these faces it has |p0| >= room, so that |p1 - p0| <= |p0| - d - s and |p0| <= x + |p - p0|;
 * together |p1 - p| <= x - d - s. Then y.p1 >= d + s, but nothing is proven unless the support along y is within EPA's tolerance
 * of d. So the others cover y 0 times or more, the face beside, which turns its back on the origin now, 0 times or once, and the
 * triangle once, since the origin projects into it.
 *
 * Rounding, u being half a unit in the last place, in kernel units: cores reach 1, the way between them 1.8, vertices 3.8. Heights
 * of other faces: 27u, of their dot products and of the lengths of normals. Vertices, then and now: 28u. Of a matrix each part of
 * an entry is off by 8u, the whole by 33u: of both, and of the norm, 113u. The motion, which is no more than 3.8 where anything
 * is proven: 31u. Two differences: 8u. Together 207u. */
#ifndef WP_WIDE_SEARCH_PROVEN_DEPTH_H
#define WP_WIDE_SEARCH_PROVEN_DEPTH_H

#include "wide/job/kept_faces.h"
#include "wide/job/prepare.h"
#include "wide/search/polytope.h"
#include "wide/search/recall.h"

/* The kept polytopes of the lanes' jobs, and what their shapes are known by. */
typedef struct wp_polytope_places {
	const unsigned char *at[WP_WIDTH];
	WP_VECTOR_ALIGN int32_t shape[2][WP_WIDTH];
	WP_VECTOR_ALIGN int32_t last[2][WP_WIDTH]; /* vertices of hulls */
	WP_VECTOR_ALIGN float bound_b[WP_WIDTH];   /* of B's core */
} wp_polytope_places;

WP_INLINE uint32_t wp_name_of_shape(const wp_jobs *jobs, const wp_core *core)
{
	const size_t at = (size_t)(core - jobs->shapes);
	return jobs->serials != NULL ? jobs->serials[at] : (uint32_t)at;
}

WP_INLINE void wp_find_polytopes(wp_polytope_places *places, const wp_jobs *jobs, const wp_lanes *lanes)
{
	WP_ROLLED
	for (int lane = 0; lane < WP_WIDTH; lane++) {
		const int32_t job = lanes->job[lane];
		const wp_core *const core[2] = {jobs->core_a[job], jobs->core_b[job]};
		places->at[lane] = jobs->polytopes + sizeof(wp_kept_polytope) * jobs->cache_of[job];
		for (int side = 0; side < 2; side++) {
			places->shape[side][lane] = (int32_t)wp_name_of_shape(jobs, core[side]);
			places->last[side][lane] = (int32_t)core[side]->count - 1;
		}
		places->bound_b[lane] = core[1]->bound;
	}
}

/* The third corner of the face beside, which may be any number, where it is now. */
WP_INLINE vf3 wp_vertex_beside(
	const wp_lanes *lanes, const wp_polytope_places *p, int kind_a, int kind_b, vm known, vi id)
{
	const vi safe = wp_safe_vertex(lanes, kind_a, kind_b, p->last[0], p->last[1], &id);
	return wp_named_vertex(lanes, vm_bits(known), kind_a, kind_b, &safe).w;
}

/* How deep the origin is at least by the kept polytopes, if the support along the triangle's normal is no further; 0 where
 * the triangle v is not their nearest face now. */
WP_INLINE vf wp_recall_polytope(
	const wp_recall *r, const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b, const wp_vertex v[3])
{
	wp_polytope_places p;
	wp_find_polytopes(&p, jobs, lanes);
	vf4 row[WP_POLYTOPE_ROWS];
	WP_ROLLED
	for (int i = 0; i < WP_POLYTOPE_ROWS; i++)
		row[i] = vf4_take(p.at, 1, WP_POLYTOPE_ROW * i);
	const vf4 vertices = row[0], position = row[1], rotation = row[2], names = row[3];
	const vi edge = vi_from_bits(names.z);
	const vm same_face = vm_and(vi_eq(vi_from_bits(vertices.x), v[0].id),
		vm_and(vi_eq(vi_from_bits(vertices.y), v[1].id), vi_eq(vi_from_bits(vertices.z), v[2].id)));
	const vm same_shapes = vm_and(
		vi_eq(vi_from_bits(names.x), vi_load(p.shape[0])), vi_eq(vi_from_bits(names.y), vi_load(p.shape[1])));
	const vm same_scale = vi_eq(vi_from_bits(names.w), vi_from_bits(lanes->scale));
	const vm known = vm_and(vm_and(same_face, r->in_face), vm_and(same_shapes, same_scale));

	const vf bound = vf_mul(vf_load(p.bound_b), lanes->scale);
	const vf3 w = wp_vertex_beside(lanes, &p, kind_a, kind_b, known, vi_from_bits(vertices.w));
	const vf motion = wp_motion_since(
		&lanes->rotation, lanes->translation, bound, (vf3){position.x, position.y, position.z}, vfq_of(rotation));
	const vf others = vf_sub(vf_sub(position.w, motion), vf_set(WP_POLYTOPE_SLACK));

	const vf low = wp_height_beside(v[0].w, v[1].w, v[2].w, w, edge);
	const vf beside = vf_select(vi_eq(edge, vi_set(WP_POLYTOPE_ALONE)), vf_set(WP_NO_FACE), low);

	const vf nearest = vf_min(r->upper, vf_min(others, beside));
	/* As it was wound, the face still turns its back on the origin. */
	const vm outwards = vi_eq(r->simplex.v[1].id, v[2].id);
	const vm holds = vf_ge(nearest, vf_sub(r->upper, vf_set(jobs->terms->depth_tolerance)));
	return vf_select(vm_and(vm_and(known, outwards), holds), nearest, vf_zero());
}

/* The two faces of each lane that are nearest to the origin but for the one in `own`: the slot of the nearer one, and their
 * distances. A face too thin for a normal may be any distance away. */
WP_INLINE vi wp_other_faces(const wp_polytopes *p, vi count, vi own, vf nearest[2])
{
	const vf none = vf_set(WP_NO_FACE);
	const int32_t top = vi_top(count);
	vi slot = vi_zero(), number = vi_zero();
	vf second = none, third = none;
	for (int32_t f = 0; f < top; f++) {
		const vf rank = vf_load(p->rank + f * WP_WIDTH);
		const vm is_other = vm_andnot(vi_gt(count, number), vi_eq(number, own));
		const vf distance = vf_select(is_other, vf_select(vf_lt(rank, none), rank, vf_zero()), none);
		slot = vi_select(vf_lt(distance, second), number, slot);
		third = vf_min(third, vf_max(second, distance));
		second = vf_min(second, distance);
		number = vi_add(number, vi_set(1));
	}
	nearest[0] = second;
	nearest[1] = third;
	return slot;
}

/* The corners of a face in one lane. */
WP_INLINE void wp_corners_of_lane(const wp_polytopes *p, int32_t slot, uint32_t lane, uint32_t corner[3])
{
	const uint32_t corners = (uint32_t)p->corners[(uint32_t)slot * WP_WIDTH + lane];
	for (int i = 0; i < 3; i++)
		corner[i] = corners >> 8 * i & 0xffu;
}

/* Which edge of a face another one has too, the other way round: the corner that it begins at, WP_POLYTOPE_ALONE where there
 * is none. `third`: the other one's corner that is not at it. */
WP_INLINE uint32_t wp_shared_edge(const uint32_t own[3], const uint32_t other[3], uint32_t *third)
{
	uint32_t edge = WP_POLYTOPE_ALONE;
	*third = other[0];
	WP_ROLLED
	for (uint32_t at = 0; at < 9; at++) {
		const uint32_t i = at / 3, k = at % 3;
		if (own[i] == other[(k + 1) % 3] && own[(i + 1) % 3] == other[k]) {
			edge = i;
			*third = other[(k + 2) % 3];
		}
	}
	return edge;
}

/* Keep of the closed lanes' polytopes what proves the faces in `own` to be the nearest again. Few lanes close at a time. */
WP_INLINE void wp_keep_polytopes(
	const wp_polytopes *p, vi face_count, uint32_t closed, const wp_jobs *jobs, const wp_lanes *lanes, const vi *own)
{
	WP_VECTOR_ALIGN int32_t face[2][WP_WIDTH];
	WP_VECTOR_ALIGN float second[WP_WIDTH], third[WP_WIDTH], rotation[4 * WP_WIDTH];
	vf distance[2];
	vi_store(face[0], *own);
	vi_store(face[1], wp_other_faces(p, vi_select(vm_from_bits(closed), face_count, vi_zero()), *own, distance));
	vf_store(second, distance[0]);
	vf_store(third, distance[1]);
	const wp_inputs in = wp_inputs_of_lanes(jobs, lanes->job);
	const vfq turn = vfq_relative(in.turn_a, in.turn_b);
	vf4_store(rotation, 1, (vf4){turn.x, turn.y, turn.z, turn.w});
	for (uint32_t m = closed; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m), job = (uint32_t)lanes->job[lane];
		const float *const pose = jobs->pose + (size_t)16 * job;
		uint32_t corner[4], other[3];
		wp_corners_of_lane(p, face[0][lane], lane, corner);
		wp_corners_of_lane(p, face[1][lane], lane, other);
		wp_kept_polytope kept;
		kept.edge = wp_shared_edge(corner, other, &corner[3]);
		WP_ROLLED
		for (int i = 0; i < 4; i++)
			wp_copy_bytes(&kept.vertex[i], p->vertex + 4 * (corner[i] * WP_WIDTH + lane) + 3, sizeof kept.vertex[i]);
		for (int i = 0; i < 3; i++)
			kept.position[i] = pose[4 * i + 3];
		const float own_rank = p->rank[(uint32_t)face[0][lane] * WP_WIDTH + lane];
		const bool surrounds = own_rank > WP_POLYTOPE_SLACK && second[lane] > WP_POLYTOPE_SLACK;
		kept.room = !surrounds ? 0.0f : kept.edge == WP_POLYTOPE_ALONE ? second[lane] : third[lane];
		wp_copy_bytes(kept.rotation, rotation + 4 * lane, sizeof kept.rotation);
		kept.shape[0] = wp_name_of_shape(jobs, jobs->core_a[job]);
		kept.shape[1] = wp_name_of_shape(jobs, jobs->core_b[job]);
		kept.scale = pose[12];
		wp_copy_bytes(jobs->polytopes + sizeof kept * jobs->cache_of[job], &kept, sizeof kept);
	}
}

#endif
