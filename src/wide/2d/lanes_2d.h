/* A block of 2D pairs in lanes: one relative pose in the frame of A, scaled, both cores as rows
 * of vertices in that frame, and their support vertices. */
#ifndef WP_WIDE_2D_LANES_2D_H
#define WP_WIDE_2D_LANES_2D_H

#include "job/job_2d.h"
#include "wide/job/bracket.h"
#include "wide/lane/scale.h"
#include "wide/lane/vec2.h"

typedef struct wp2d_block {
	const wp2d_lane_core *core; /* as in wp2d_scratch */
	int32_t most[2];            /* vertices of the largest core of each side */
	vi vertices[2];             /* how many each core has */
	vm present;                 /* the lane holds a job */
	vm fit;                     /* that is valid and within the kernels' range */
	vm thin;                    /* neither core has an area */
	vf2 origin;                 /* position of A */
	vf2 frame;                  /* rotation of A: local to world */
	vf2 turn;                   /* from B's frame to A's */
	vf2 translation;            /* origin of B in A's frame, scaled */
	vf scale;                   /* power of two from world to kernel lengths */
	vf radius_a, radius_b;      /* scaled */
	vf reach;                   /* larger bounding radius, rounding radius included, scaled */
	vf rounding;                /* kernel rounding of these pairs, scaled */
	vf limit;                   /* cores proven further apart are far enough apart for the query */
	vf enough;                  /* cores nearer than this are near enough for the query */
} wp2d_block;

/* The bodies of a block, unscaled. */
typedef struct wp2d_bodies {
	vf2 position_a, turn_a, turn_b;
	vf2 offset; /* from A's position to B's */
	vm valid;   /* positions and rotations are */
} wp2d_bodies;

/* Its cores. */
typedef struct wp2d_sizes {
	vf radius_a, radius_b, bound_a, bound_b;
	vi vertices_a, vertices_b;
} wp2d_sizes;

/* Whether coordinates are within WP_POSITION_MAX; not where one is NaN. */
WP_INLINE vm wp2d_is_position(vf2 p)
{
	const vf most = vf_set(WP_POSITION_MAX);
	return vm_and(vf_le(vf_abs(p.x), most), vf_le(vf_abs(p.y), most));
}

/* The rows of one side, of which each job has one. */
WP_INLINE vf4 wp2d_load_side(const float *rows, uint32_t at, enum wp2d_job_side side)
{
	return vf4_load(rows + 4 * (WP2D_SIDE_COUNT * (size_t)at + (size_t)side), WP2D_SIDE_COUNT);
}

WP_INLINE wp2d_bodies wp2d_load_bodies(const wp2d_jobs *jobs, uint32_t at)
{
	const vf4 a = wp2d_load_side(jobs->body, at, WP2D_SIDE_A), b = wp2d_load_side(jobs->body, at, WP2D_SIDE_B);
	const vf2 from = {a.x, a.y}, to = {b.x, b.y}, turn_a = {a.z, a.w}, turn_b = {b.z, b.w};
	const vm positions = vm_and(wp2d_is_position(from), wp2d_is_position(to));
	const vm rotations = vm_and(wp_is_about_unit(vf2_dot(turn_a, turn_a)), wp_is_about_unit(vf2_dot(turn_b, turn_b)));
	return (wp2d_bodies){.position_a = from,
		.turn_a = turn_a,
		.turn_b = turn_b,
		.offset = vf2_sub(to, from),
		.valid = vm_and(positions, rotations)};
}

WP_INLINE wp2d_sizes wp2d_load_sizes(const wp2d_jobs *jobs, uint32_t at)
{
	const vf4 a = wp2d_load_side(jobs->core_row, at, WP2D_SIDE_A), b = wp2d_load_side(jobs->core_row, at, WP2D_SIDE_B);
	return (wp2d_sizes){.radius_a = a.x,
		.radius_b = b.x,
		.bound_a = a.y,
		.bound_b = b.y,
		.vertices_a = vi_from_bits(a.z),
		.vertices_b = vi_from_bits(b.z)};
}

/* Copy the vertices of all lanes' cores into rows. A core shorter than the longest repeats its last ones,
 * which lose ties to themselves. */
WP_INLINE void wp2d_copy_rows(wp2d_lane_core *to, const wp2d_core *const *core, int32_t most)
{
	for (uint32_t row = 0; row < (uint32_t)most; row += 4) {
		const float *x[WP_WIDTH], *y[WP_WIDTH];
		for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
			const uint32_t last = core[lane]->padded - 4;
			x[lane] = core[lane]->vertices + (row < last ? row : last);
			y[lane] = x[lane] + core[lane]->padded;
		}
#if WP_WIDTH > 1
		vf_transpose_rows(x, to->x + row * WP_WIDTH);
		vf_transpose_rows(y, to->y + row * WP_WIDTH);
#else
		wp_copy_quad(to->x + row, x[0]);
		wp_copy_quad(to->y + row, y[0]);
#endif
	}
}

/* The vertices of both sides, in the frame of A and scaled; if `keeps_own`, also of B in its own frame. */
WP_INLINE void wp2d_load_cores(const wp2d_block *b, wp2d_lane_core core[3], bool keeps_own)
{
	for (int32_t at = 0; at < b->most[0] * WP_WIDTH; at += WP_WIDTH)
		vf2_store(core[0].x + at, core[0].y + at, vf2_scale(vf2_load(core[0].x + at, core[0].y + at), b->scale));
	for (int32_t at = 0; at < b->most[1] * WP_WIDTH; at += WP_WIDTH) {
		const vf2 v = vf2_scale(vf2_load(core[1].x + at, core[1].y + at), b->scale);
		if (keeps_own)
			vf2_store(core[2].x + at, core[2].y + at, v);
		vf2_store(core[1].x + at, core[1].y + at, vf2_add(vf2_turn(b->turn, v), b->translation));
	}
}

/* Which gaps of the cores are far enough apart, and near enough, for the query. */
WP_INLINE void wp2d_set_limits(wp2d_block *b, const wp2d_jobs *jobs)
{
	const vf radii = vf_add(b->radius_a, b->radius_b);
	b->limit = wp_query_limit(
		jobs->query, jobs->max_separation, b->scale, radii, WP_KERNEL_ROUNDING, WP2D_RADIUS_ROUNDING);
	b->enough = wp_query_enough(jobs->query, radii, WP_KERNEL_ROUNDING);
}

/* Make the jobs from `at` on ready. */
WP_INLINE void wp2d_load_block(wp2d_block *b, const wp2d_jobs *jobs, uint32_t at, wp2d_lane_core core[3])
{
	const wp2d_bodies in = wp2d_load_bodies(jobs, at);
	const wp2d_sizes of = wp2d_load_sizes(jobs, at);
	const vf2 unturned = {vf_set(1.0f), vf_zero()};
	const vf bounds = vf_add(of.bound_a, of.bound_b), radii = vf_add(of.radius_a, of.radius_b);
	b->core = core;
	b->vertices[0] = of.vertices_a;
	b->vertices[1] = of.vertices_b;
	b->present = vm_from_bits(wp_present_lanes(jobs->count, at));
	b->thin = vm_not(vm_or(vi_gt(of.vertices_a, vi_set(2)), vi_gt(of.vertices_b, vi_set(2))));
	b->origin = in.position_a;
	b->frame = vf2_unit(in.turn_a, unturned);
	b->turn = vf2_unit(vf2_turn_back(in.turn_a, in.turn_b), unturned);

	const vf size = vf_max(vf_max(of.bound_a, of.bound_b), vf_max(vf_abs(in.offset.x), vf_abs(in.offset.y)));
	b->scale = wp_scale_of(size);
	b->translation = vf2_turn_back(b->frame, vf2_scale(in.offset, b->scale));
	b->radius_a = vf_mul(of.radius_a, b->scale);
	b->radius_b = vf_mul(of.radius_b, b->scale);
	b->reach = vf_mul(vf_max(vf_add(of.bound_a, of.radius_a), vf_add(of.bound_b, of.radius_b)), b->scale);
	b->rounding = vf_add(vf_mul(vf_mul(bounds, b->scale), vf_set(WP_SHAPE_ROUNDING)),
		vf_mul(vf2_length(b->translation), vf_set(WP_OFFSET_ROUNDING)));
	b->fit = vm_and(in.valid, wp_are_in_range(size, radii));
	wp2d_set_limits(b, jobs);

	b->most[0] = vi_top(of.vertices_a);
	b->most[1] = vi_top(of.vertices_b);
	wp2d_copy_rows(&core[0], jobs->core[0] + at, b->most[0]);
	wp2d_copy_rows(&core[1], jobs->core[1] + at, b->most[1]);
	wp2d_load_cores(b, core, jobs->wants_manifolds);
}

/* ---- support ------------------------------------------------------------------------------------ */

/* A vertex of the difference: a - b, and the vertices of A << 16 | of B that it is made of. */
typedef struct wp2d_vertex {
	vf2 w;
	vi id;
} wp2d_vertex;

WP_INLINE wp2d_vertex wp2d_vertex_select(vm m, wp2d_vertex a, wp2d_vertex b)
{
	return (wp2d_vertex){vf2_select(m, a.w, b.w), vi_select(m, a.id, b.id)};
}

WP_INLINE vf2 wp2d_row_of(const wp2d_lane_core *core, int32_t k)
{
	return vf2_load(core->x + k * WP_WIDTH, core->y + k * WP_WIDTH);
}

WP_INLINE vf2 wp2d_point_of(const wp2d_lane_core *core, vi index)
{
	const vi at = vi_element(index);
	return (vf2){vf_gather(core->x, at), vf_gather(core->y, at)};
}

/* Cores of so few vertices carry the farthest one along; of more it is loaded when it is found. Measured: the other way boxes
 * take up to 20 % longer, and with 8 lanes and more polygons of 8 vertices 10 to 20 %; this way polygons of 64 take 4 % longer. */
#define WP2D_CARRIED_MAX (WP_WIDTH > 4 ? 8 : 4)

/* The vertex of a core that is farthest along n; the first of equals. */
WP_INLINE wp2d_vertex wp2d_farthest(const wp2d_lane_core *core, int32_t most, vf2 n)
{
	wp2d_vertex best = {wp2d_row_of(core, 0), vi_zero()};
	const bool carries = most <= WP2D_CARRIED_MAX;
	vf farthest = vf2_dot(best.w, n);
	for (int32_t k = 1; carries && k < most; k++) {
		const vf2 v = wp2d_row_of(core, k);
		const vf along = vf2_dot(v, n);
		best = wp2d_vertex_select(vf_gt(along, farthest), (wp2d_vertex){v, vi_set(k)}, best);
		farthest = vf_max(along, farthest);
	}
	for (int32_t k = 1; !carries && k < most; k++) {
		const vf along = vf2_dot(wp2d_row_of(core, k), n);
		best.id = vi_select(vf_gt(along, farthest), vi_set(k), best.id);
		farthest = vf_max(along, farthest);
	}
	if (!carries)
		best.w = wp2d_point_of(core, best.id);
	return best;
}

WP_INLINE wp2d_vertex wp2d_support(const wp2d_block *b, vf2 n)
{
	const wp2d_vertex on_a = wp2d_farthest(&b->core[0], b->most[0], n);
	const wp2d_vertex on_b = wp2d_farthest(&b->core[1], b->most[1], vf2_neg(n));
	return (wp2d_vertex){vf2_sub(on_a.w, on_b.w), vi_or(vi_shift_left(on_a.id, 16), on_b.id)};
}

/* The points of A and B that make a vertex of the difference. */
WP_INLINE vf2 wp2d_point_a(const wp2d_block *b, vi id) { return wp2d_point_of(&b->core[0], vi_shift_right(id, 16)); }
WP_INLINE vf2 wp2d_point_b(const wp2d_block *b, vi id)
{
	return wp2d_point_of(&b->core[1], vi_and(id, vi_set(0xffff)));
}

#endif
