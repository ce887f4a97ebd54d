/* Where rays end at hulls with faces. Faces only guess, because corners may lie a little above the planes of other faces.
 * Supports prove: along the face by which the ray comes in, it is clear until it comes down to the support plane; along the
 * face by which it goes out, it is clear again from there on. The face by which it comes in has a point as near as the plane,
 * or else the row is left to the contact.
 *
 * Each ray searches its faces and vertices in lanes, several of them at once; what follows from them is computed with one
 * lane for each ray. */
#ifndef WP_WIDE_CLOSED_RAY_HULL_H
#define WP_WIDE_CLOSED_RAY_HULL_H

#include "wide/closed/ray.h"

/* How far from a face of a hull its support plane may be where a ray hits it, relative to the hull's size: normals of faces
 * are in float. */
#define WP_RAY_FACE_GAP 5e-7

/* Numbers that a block of rays finds of its hulls. */
enum wp_ray_face {
	WP_RAY_IN = 0,     /* normal of the face whose plane the ray comes through last, inwards */
	WP_RAY_OUT = 3,    /* and of the one that it comes through first, outwards */
	WP_RAY_ENTERS = 6, /* when it does */
	WP_RAY_LEAVES,
	WP_RAY_REACH_IN, /* how far the hull reaches along both; the second where the ray may pass the hull */
	WP_RAY_REACH_OUT,
	WP_RAY_FACE_COUNT
};

typedef struct wp_ray_faces {
	WP_VECTOR_ALIGN_D double at[WP_RAY_FACE_COUNT][WP_WIDTH_D];
	uint32_t in[WP_WIDTH_D]; /* the face that it comes in by */
} wp_ray_faces;

/* The largest value of all lanes, and the least index of those that have it, which is mostly one: lanes meet others at twice the
 * distance in each step. */
WP_INLINE_NATIVE uint32_t wp_ray_first_top(vf value, vi index, float *top)
{
	WP_VECTOR_ALIGN float tops[WP_WIDTH];
	WP_VECTOR_ALIGN int32_t indices[WP_WIDTH];
	vf most = value;
	for (int32_t step = 1; step < WP_WIDTH; step *= 2)
		most = vf_max(most, vf_pick(most, vi_xor(vi_lanes(), vi_set(step))));
	vf_store(tops, most);
	vi_store(indices, index);
	uint32_t first = UINT32_MAX;
	for (uint32_t bits = vm_bits(vf_ge(value, most)); bits != 0; bits &= bits - 1) {
		const uint32_t other = (uint32_t)indices[wp_lowest_bit(bits)];
		first = other < first ? other : first;
	}
	*top = tops[0];
	return first;
}

/* The two faces, and when the ray comes through the planes, in float: inwards, or never before; outwards, or never. A ray
 * beside a face that it is parallel to never comes inwards: it sinks by +0, so the quotient is endless above the plane, never
 * below it, and in it no number, which is no later than any. */
WP_INLINE void wp_ray_look(
	const wp_core *core, const float from[3], const float way[3], uint32_t lane, wp_ray_faces *faces)
{
	const size_t stride = wp_padded_faces(core);
	const float *const x = core->normals, *const y = x + stride, *const z = y + stride, *const offset = z + stride;
	const vf3 start = {vf_set(from[0]), vf_set(from[1]), vf_set(from[2])};
	const vf3 back = {vf_set(-way[0]), vf_set(-way[1]), vf_set(-way[2])};
	const vf endless = vf_set(WP_INFINITY), never = vf_neg(endless), zero = vf_zero();
	vf enters = never, leaves = endless;
	vi in = vi_zero(), out = vi_zero(), number = vi_lanes();
	for (uint32_t face = 0; face < core->face_count; face += WP_WIDTH) {
		const vf3 n = vf3_load(x + face, y + face, z + face);
		const vf height = vf_sub(vf3_dot(n, start), vf_load(offset + face)), sinks = vf_add(vf3_dot(n, back), zero);
		const vf time = vf_div(height, sinks);
		const vm climbs = vf_lt(sinks, zero);
		const vf in_at = vf_select(climbs, never, time), out_at = vf_select(climbs, time, endless);
		in = vi_select(vf_gt(in_at, enters), number, in);
		out = vi_select(vf_lt(out_at, leaves), number, out);
		enters = vf_max(in_at, enters);
		leaves = vf_min(out_at, leaves);
		number = vi_add(number, vi_set(WP_WIDTH));
	}
	const vf stays = vf_neg(leaves); /* the largest of them is of the face that it leaves by first */
	float last, first;
	faces->in[lane] = wp_ray_first_top(enters, in, &last);
	const uint32_t leaving = wp_ray_first_top(stays, out, &first), entering = faces->in[lane];
	for (int k = 0; k < 3; k++) {
		faces->at[WP_RAY_IN + k][lane] = (double)x[k * stride + entering];
		faces->at[WP_RAY_OUT + k][lane] = (double)x[k * stride + leaving];
	}
	faces->at[WP_RAY_ENTERS][lane] = (double)last;
	faces->at[WP_RAY_LEAVES][lane] = -(double)first;
}

/* The largest of the lanes. */
WP_INLINE double wp_ray_top(vd value)
{
	WP_VECTOR_ALIGN_D double values[WP_WIDTH_D];
	vd_store(values, value);
	double top = values[0];
	for (int lane = 1; lane < WP_WIDTH_D; lane++)
		top = values[lane] > top ? values[lane] : top;
	return top;
}

WP_INLINE vd3 wp_ray_normal_at(const wp_ray_faces *faces, int number, uint32_t lane)
{
	return vd3_set(
		vd_set(faces->at[number][lane]), vd_set(faces->at[number + 1][lane]), vd_set(faces->at[number + 2][lane]));
}

/* How far a hull reaches along the normal of a lane. Vertices are padded by copies of the first. */
WP_INLINE_NATIVE double wp_ray_reach(const wp_core *core, const wp_ray_faces *faces, int number, uint32_t lane)
{
	const vd3 normal = wp_ray_normal_at(faces, number, lane);
	const float *const x = core->vertices, *const y = x + core->padded, *const z = y + core->padded;
	vd most = vd_set(-(double)WP_INFINITY);
	for (uint32_t i = 0; i < core->count; i += WP_WIDTH)
		for (uint32_t half = 0; half < WP_HALVES; half++) {
			const uint32_t k = i + half * WP_WIDTH_D;
			const vd3 v = {vd_from_floats(x + k), vd_from_floats(y + k), vd_from_floats(z + k)};
			most = vd_max(vd3_dot(v, normal), most);
		}
	return wp_ray_top(most);
}

/* The same of the face that a ray comes in by, and, where it may pass the hull, of the one that it goes out by. */
WP_INLINE void wp_ray_find_reach(const wp_core *core, uint32_t lane, wp_ray_faces *faces)
{
	const double enters = faces->at[WP_RAY_ENTERS][lane], leaves = faces->at[WP_RAY_LEAVES][lane];
	faces->at[WP_RAY_REACH_IN][lane] = wp_ray_reach(core, faces, WP_RAY_IN, lane);
	if (leaves < enters || leaves < 0.0)
		faces->at[WP_RAY_REACH_OUT][lane] = wp_ray_reach(core, faces, WP_RAY_OUT, lane);
}

/* Rounded to floats, in the lanes of doubles. */
WP_INLINE vf wp_ray_floats(vd a)
{
	vd halves[WP_HALVES];
	for (int half = 0; half < WP_HALVES; half++)
		halves[half] = a;
	return vf_from_doubles(halves);
}

/* Search the hulls of the block's rays: first all for faces, so that the search for one does not wait for the end of another. */
WP_INLINE void wp_ray_find_faces(const wp_ray *r, wp_ray_faces *faces)
{
	WP_VECTOR_ALIGN float number[6][WP_WIDTH];
	const vd of_rays[6] = {r->from.x, r->from.y, r->from.z, r->way.x, r->way.y, r->way.z};
	for (int k = 0; k < 6; k++)
		vf_store(number[k], wp_ray_floats(of_rays[k]));
	memset(faces, 0, sizeof *faces);
	for (uint32_t lane = 0; lane < r->present; lane++) {
		const float start_of[3] = {number[0][lane], number[1][lane], number[2][lane]};
		const float way_of[3] = {number[3][lane], number[4][lane], number[5][lane]};
		wp_ray_look(r->core[lane], start_of, way_of, lane, faces);
	}
	for (uint32_t lane = 0; lane < r->present; lane++)
		wp_ray_find_reach(r->core[lane], lane, faces);
}

WP_INLINE vd3 wp_ray_normals(const wp_ray_faces *faces, int number)
{
	return vd3_set(vd_load(faces->at[number]), vd_load(faces->at[number + 1]), vd_load(faces->at[number + 2]));
}

/* Corner `k` of the face of each lane, or its last. */
WP_INLINE vd3 wp_ray_corner(const wp_ray *r, const wp_ray_faces *faces, uint32_t k)
{
	WP_VECTOR_ALIGN float corner[3][WP_WIDTH];
	for (uint32_t lane = 0; lane < WP_WIDTH_D; lane++) {
		const wp_core *const core = r->core[lane];
		const uint32_t *const start = core->faces + faces->in[lane], last = start[1] - start[0] - 1;
		const uint32_t *const index = core->faces + core->face_count + 1 + start[0];
		const float *const x = core->vertices + index[k < last ? k : last];
		corner[0][lane] = x[0];
		corner[1][lane] = x[core->padded];
		corner[2][lane] = x[2 * (size_t)core->padded];
	}
	return vd3_set(vd_from_floats(corner[0]), vd_from_floats(corner[1]), vd_from_floats(corner[2]));
}

/* The most corners of the lanes' faces. */
WP_INLINE uint32_t wp_ray_corner_max(const wp_ray *r, const wp_ray_faces *faces)
{
	uint32_t most = 0;
	for (uint32_t lane = 0; lane < WP_WIDTH_D; lane++) {
		const uint32_t *const start = r->core[lane]->faces + faces->in[lane], count = start[1] - start[0];
		most = count > most ? count : most;
	}
	return most;
}

WP_INLINE vdm wp_ray_is_left(vd3 a, vd3 b, vd3 p, vd3 n)
{
	return vd_ge(vd3_dot(vd3_cross(vd3_sub(b, a), vd3_sub(p, a)), n), vd_zero());
}

/* How far points over faces are from them at most: from a triangle of their corners, the first that a point is over. Infinite
 * where it is over none. Lanes outside `m` do not matter. */
WP_INLINE vd wp_ray_distance_from_faces(const wp_ray *r, const wp_ray_faces *faces, vdm m, vd3 p)
{
	const uint32_t count = wp_ray_corner_max(r, faces);
	const vd3 a = wp_ray_corner(r, faces, 0);
	vd3 b = wp_ray_corner(r, faces, 1);
	vd height = vd_set((double)WP_INFINITY);
	vdm left = m;
	for (uint32_t i = 2; i < count && vdm_bits(left) != 0; i++) {
		const vd3 c = wp_ray_corner(r, faces, i), n = vd3_cross(vd3_sub(b, a), vd3_sub(c, a));
		const vd area = vd3_length(n);
		const vdm over = vdm_and(vdm_and(vd_gt(area, vd_zero()), wp_ray_is_left(a, b, p, n)),
			vdm_and(wp_ray_is_left(b, c, p, n), wp_ray_is_left(c, a, p, n)));
		const vd above = vd_div(vd_abs(vd3_dot(vd3_sub(p, a), n)), area);
		height = vd_select(vdm_and(left, over), above, height);
		left = vdm_andnot(left, over);
		b = c;
	}
	return height;
}

/* `more`: by how much gaps may be larger. */
WP_INLINE wp_ray_end wp_ray_at_hull(const wp_ray *r, vd *more)
{
	wp_ray_faces faces;
	wp_ray_find_faces(r, &faces);
	const vd zero = vd_zero(), last = vd_load(faces.at[WP_RAY_ENTERS]), first = vd_load(faces.at[WP_RAY_LEAVES]);
	const vd3 in = wp_ray_normals(&faces, WP_RAY_IN), out = wp_ray_normals(&faces, WP_RAY_OUT);

	/* Above the face that it comes in by. */
	const vdm outside = vd_gt(last, zero);
	const vd height = vd_sub(vd3_dot(in, r->from), vd_load(faces.at[WP_RAY_REACH_IN]));
	const vd sinks = vd_neg(vd3_dot(in, r->way));
	const vdm is_above = vd_gt(height, zero), stays_above = vdm_andnot(is_above, vd_lt(height, sinks));
	const vd enters = vd_where(outside, vd_div(height, sinks));
	wp_ray_end end = wp_ray_above(r, vdm_and(outside, stays_above), vd_sub(height, sinks), in);
	const vdm goes_on = vdm_or(vdm_not(outside), vdm_andnot(is_above, stays_above));

	/* Above the face that it goes out by, from there on. */
	const vd3 p = wp_ray_at(r, enters);
	const vd past = vd_sub(vd3_dot(out, p), vd_load(faces.at[WP_RAY_REACH_OUT])), rises = vd3_dot(out, r->way);
	const vdm passes = vdm_or(vd_lt(first, last), vd_lt(first, zero));
	const vdm is_past = vdm_and(vdm_and(goes_on, passes), vdm_and(vd_gt(past, zero), vd_gt(rises, zero)));
	const vd at_end = vd_add(past, vd_mul(vd_sub(vd_set(1.0), enters), rises));
	const wp_ray_end later = wp_ray_above(r, is_past, at_end, out);
	end.beyond = vdm_or(end.beyond, later.beyond);
	end.time = vd_select(is_past, later.time, end.time);
	end.gap = vd_select(is_past, later.gap, end.gap);
	end.normal = vd3_select(is_past, out, end.normal);

	const vdm comes = vdm_andnot(vdm_andnot(goes_on, is_past), vd_is_zero(enters));
	const vd above = wp_ray_distance_from_faces(r, &faces, comes, p);
	const vdm is_near = vd_le(above, vd_mul(vd_set(WP_RAY_FACE_GAP), r->bound));
	wp_ray_hit(&end, vdm_and(comes, is_near), enters, vd3_unit(in));
	*more = vd_select(end.hits, above, vd_set((double)WP_INFINITY));
	wp_ray_free(&end, vdm_andnot(comes, is_near), enters);
	return end;
}

#endif
