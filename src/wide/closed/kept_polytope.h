/* Depths of pairs whose points are reused, bounded by what was kept of EPA's last polytope.
 *
 * When EPA ran, the polytope's faces were a closed surface of points of the difference, a of A less b of B, and all turned their
 * backs on the origin: it wound around the origin. Its vertices still are points of the difference, wherever the bodies are. None
 * is further from where it was than the motion m, |t - t0| + |R - R0| |b|. Two faces are looked at where they are now, as far
 * from the origin as their lowest corners along their normals; all others were `room` away, and are room - m away now, at least.
 * Let all vertices go straight to where they are now. No face meets the origin on the way where both faces are further than m
 * from it now, and all others were then. So the surface still winds around the origin, and so it does around each point that is
 * nearer to the origin than all faces: such points lie in the hull of its vertices, which is part of the difference. So the pair
 * is as deep as the nearest face is far, at least.
 *
 * Rounding, in kernel units: as in search/proven_depth.h, but for the way, which a quaternion turns (reuse.h): 48u D more, which one
 * slack of the pair covers, with the division by the scale. */
#ifndef WP_WIDE_CLOSED_KEPT_POLYTOPE_H
#define WP_WIDE_CLOSED_KEPT_POLYTOPE_H

#include "wide/closed/kept.h"
#include "wide/job/kept_faces.h"

/* A vertex of a core by its id (wp_point_of_id). */
WP_INLINE void wp_put_corner(const wp_core *core, uint32_t id, uint32_t lane, float to[3][WP_WIDTH])
{
	const bool is_hull = core->kind == WP_CORE_HULL;
	const uint32_t last = core->count - 1;
	for (uint32_t i = 0; i < 3; i++) {
		const float extent = core->half[i];
		to[i][lane] = is_hull            ? core->vertices[(size_t)core->padded * i + (id < last ? id : last)]
		            : (id >> i & 1) != 0 ? -extent
		                                 : extent;
	}
}

/* The corners of both faces in the body of a side. */
typedef struct wp_kept_corners {
	WP_VECTOR_ALIGN float at[WP_POLYTOPE_CORNERS][3][WP_WIDTH];
} wp_kept_corners;

/* In the lanes `wanted`, whose ids are `shift` bits up; zero in others. */
WP_INLINE void wp_take_corners(
	const wp_core *cores, const uint32_t *shape, vf4 ids, uint32_t shift, uint32_t wanted, wp_kept_corners *c)
{
	WP_VECTOR_ALIGN float id[WP_POLYTOPE_CORNERS * WP_WIDTH];
	vf4_store(id, 1, ids);
	for (int k = 0; k < WP_POLYTOPE_CORNERS; k++)
		for (int i = 0; i < 3; i++)
			vf_store(c->at[k][i], vf_zero());
	for (uint32_t bits = wanted; bits != 0; bits &= bits - 1) {
		const uint32_t lane = wp_lowest_bit(bits);
		uint32_t of_lane[WP_POLYTOPE_CORNERS];
		wp_copy_bytes(of_lane, id + WP_POLYTOPE_CORNERS * lane, sizeof of_lane);
		WP_ROLLED
		for (int k = 0; k < WP_POLYTOPE_CORNERS; k++)
			wp_put_corner(cores + shape[lane], of_lane[k] >> shift & 0xffffu, lane, c->at[k]);
	}
}

/* What was kept of the pairs' polytopes, and how all lies now: how B is turned, seen by A, and the way to it, in kernel units; how far
 * any point of the difference has moved; the radii of both. */
typedef struct wp_kept_faces {
	vf4 ids, then;
	vi edge;
	vf scale, motion, radii;
	vf33 turn;
	vf3 way;
} wp_kept_faces;

/* The pairs that their kept polytopes are of. `about`: the last row of these. */
WP_INLINE vm wp_have_polytopes(const wp_deep_pairs *pairs, vf4 about)
{
	const vm same = vm_and(vi_eq(vi_load(wp_as_lanes(pairs->known_by[0])), vi_from_bits(about.x)),
		vi_eq(vi_load(wp_as_lanes(pairs->known_by[1])), vi_from_bits(about.y)));
	return vm_and(same, vf_gt(about.w, vf_zero()));
}

WP_INLINE vfq wp_turn_of(const wp_deep_pairs *pairs, int side)
{
	const float(*const q)[WP_WIDTH_MAX] = pairs->turn[side];
	return (vfq){vf_load(q[0]), vf_load(q[1]), vf_load(q[2]), vf_load(q[3])};
}

/* Read the polytopes of the lanes in `known`. */
WP_INLINE void wp_read_polytopes(const wp_core *cores, const unsigned char *const kept[WP_WIDTH],
	const wp_deep_pairs *pairs, vm known, vf4 about, wp_kept_faces *f)
{
	WP_VECTOR_ALIGN float bound[WP_WIDTH], radius[2][WP_WIDTH];
	vf4 row[WP_POLYTOPE_ROWS - 1];
	WP_ROLLED
	for (int i = 0; i < WP_POLYTOPE_ROWS - 1; i++)
		row[i] = vf4_take(kept, 1, WP_POLYTOPE_ROW * i);
	WP_ROLLED
	for (int lane = 0; lane < WP_WIDTH; lane++) {
		const wp_core *const a = cores + pairs->shape[0][lane], *const b = cores + pairs->shape[1][lane];
		bound[lane] = b->bound;
		radius[0][lane] = a->radius;
		radius[1][lane] = b->radius;
	}
	const vf scale = vf_select(known, about.w, vf_set(1.0f));
	const vfq a = wp_turn_of(pairs, 0), back = {vf_neg(a.x), vf_neg(a.y), vf_neg(a.z), a.w};
	const vf twice = vf_div(vf_set(2.0f), vfq_length2(a));
	const vf3 way = wp_turn_by(back, twice, vf3_load(pairs->way[0], pairs->way[1], pairs->way[2]));
	*f = (wp_kept_faces){.ids = row[0],
		.then = row[1],
		.edge = vi_from_bits(about.z),
		.scale = scale,
		.radii = vf_add(vf_load(radius[0]), vf_load(radius[1])),
		.turn = vfq_to_matrix(vfq_relative(a, wp_turn_of(pairs, 1))),
		.way = vf3_scale(way, scale)};
	f->motion = wp_motion_since(
		&f->turn, f->way, vf_mul(vf_load(bound), scale), (vf3){f->then.x, f->then.y, f->then.z}, vfq_of(row[2]));
}

/* The nearer one of both faces in the lanes `wanted`, where they are now. */
WP_INLINE vf wp_height_of_both(
	const wp_core *cores, const wp_deep_pairs *pairs, const wp_kept_faces *f, uint32_t wanted)
{
	wp_kept_corners corners[2];
	vf3 v[WP_POLYTOPE_CORNERS];
	WP_ROLLED
	for (int side = 0; side < 2; side++)
		wp_take_corners(cores, pairs->shape[side], f->ids, side ? 0 : 16, wanted, &corners[side]);
	for (int k = 0; k < WP_POLYTOPE_CORNERS; k++) {
		float(*const a)[WP_WIDTH] = corners[0].at[k], (*const b)[WP_WIDTH] = corners[1].at[k];
		const vf3 on_a = vf3_load(a[0], a[1], a[2]), on_b = vf33_apply(&f->turn, vf3_load(b[0], b[1], b[2]));
		v[k] = vf3_sub(vf3_scale(vf3_sub(on_a, on_b), f->scale), f->way);
	}
	const vf own = wp_height_of_face(v[0], v[1], v[2]), beside = wp_height_beside(v[0], v[1], v[2], v[3], f->edge);
	return vf_min(own, vf_select(vi_eq(f->edge, vi_set(WP_POLYTOPE_ALONE)), own, beside));
}

/* Lower the upper bounds of pairs to what their kept polytopes prove, where that is enough. */
WP_INLINE void wp_bound_by_polytopes(const wp_kept_rows *t, wp_deep_pairs *pairs)
{
	const wp_core *const cores = t->limits.cores;
	unsigned char *kept[WP_WIDTH];
	wp_find_elements(wp_elements_of(t->polytopes, sizeof(wp_kept_polytope)), pairs->tracked, kept);
	const unsigned char *const *const from = (const unsigned char *const *)kept;
	const vf4 about = vf4_take(from, 1, WP_POLYTOPE_ROW * (WP_POLYTOPE_ROWS - 1));
	const vm known = vm_and(wp_have_polytopes(pairs, about), vm_from_bits(pairs->wanted));
	if (!vm_any(known))
		return;
	wp_kept_faces f;
	wp_read_polytopes(cores, from, pairs, known, about, &f);
	const vf rounding = vf_set(WP_POLYTOPE_SLACK), others = vf_sub(vf_sub(f.then.w, f.motion), rounding);
	const vf slack = vf_load(pairs->slack), upper = vf_load(pairs->upper);
	const vf least = vf_mul(vf_sub(slack, vf_add(vf_load(pairs->enough), f.radii)), f.scale); /* depth that is enough */
	const vm may = vm_and(vf_ge(others, least), vf_gt(others, vf_zero()));
	const uint32_t lanes = vm_bits(vm_and(known, may));
	if (lanes == 0)
		return;
	const vf both = vf_sub(wp_height_of_both(cores, pairs, &f, lanes), rounding), depth = vf_min(both, others);
	const vm holds = vm_and(vm_from_bits(lanes), vf_gt(both, f.motion));
	const vf bound = vf_sub(vf_sub(slack, vf_div(depth, f.scale)), f.radii);
	vf_store(pairs->upper, vf_select(holds, vf_min(upper, bound), upper));
}

#endif
