/* Where rays end at hulls with faces. Faces only guess, because corners may lie a little above the planes of other faces.
 * Supports prove: along the face by which the ray comes in last, it is clear until it comes down to the support plane, where
 * it hits if that face has a point as near. If not, the plane that it is highest above there keeps it clear from there on, or
 * else the row is left to the contact. What stays out of the ball about a hull needs no faces.
 *
 * Each ray searches its faces and vertices in lanes, several of them at once; what follows from them is computed with one
 * lane for each ray. */
#ifndef WP_WIDE_CLOSED_RAY_HULL_H
#define WP_WIDE_CLOSED_RAY_HULL_H

#include "wide/closed/ray.h"

/* How far from a face of a hull its support plane may be where a ray hits it, relative to the hull's size: normals of faces
 * are in float. */
#define WP_RAY_FACE_GAP 5e-7

/* Faces of the hulls of a block of rays. */
typedef struct wp_ray_faces {
	WP_VECTOR_ALIGN_D double normal[3][WP_WIDTH_D];
	WP_VECTOR_ALIGN_D double reach[WP_WIDTH_D];   /* how far the hull reaches along it */
	WP_VECTOR_ALIGN_D double time[WP_WIDTH_D];    /* when the ray comes through the plane */
	WP_VECTOR_ALIGN float corner[3][3][WP_WIDTH]; /* of a triangle of the face's corners, of which the first is one */
	uint32_t face[WP_WIDTH_D];
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

/* The face whose plane a ray comes through inwards last, in float, and when it does. A ray beside a face that it is parallel to
 * never comes inwards: it sinks by +0, so the quotient is endless above the plane, never below it, and in it no number, which
 * is no later than any. */
WP_INLINE uint32_t wp_ray_last_face(const wp_core *core, const float from[3], const float way[3], float *time)
{
	const size_t stride = wp_padded_faces(core);
	const float *const x = core->normals, *const y = x + stride, *const z = y + stride, *const offset = z + stride;
	const vf3 start = {vf_set(from[0]), vf_set(from[1]), vf_set(from[2])};
	const vf3 back = {vf_set(-way[0]), vf_set(-way[1]), vf_set(-way[2])};
	const vf never = vf_set(-WP_INFINITY), zero = vf_zero();
	vf enters = never;
	vi in = vi_zero(), number = vi_lanes();
	for (uint32_t face = 0; face < core->face_count; face += WP_WIDTH) {
		const vf3 n = vf3_load(x + face, y + face, z + face);
		const vf height = vf_sub(vf3_dot(n, start), vf_load(offset + face)), sinks = vf_add(vf3_dot(n, back), zero);
		const vf in_at = vf_select(vf_lt(sinks, zero), never, vf_div(height, sinks));
		in = vi_select(vf_gt(in_at, enters), number, in);
		enters = vf_max(in_at, enters);
		number = vi_add(number, vi_set(WP_WIDTH));
	}
	return wp_ray_first_top(enters, in, time);
}

/* The face whose plane a point is highest above, in float. */
WP_INLINE uint32_t wp_ray_highest_face(const wp_core *core, const float point[3])
{
	const size_t stride = wp_padded_faces(core);
	const float *const x = core->normals, *const y = x + stride, *const z = y + stride, *const offset = z + stride;
	const vf3 p = {vf_set(point[0]), vf_set(point[1]), vf_set(point[2])};
	vf most = vf_set(-WP_INFINITY);
	vi top = vi_zero(), number = vi_lanes();
	for (uint32_t face = 0; face < core->face_count; face += WP_WIDTH) {
		const vf height = vf_sub(vf3_dot(vf3_load(x + face, y + face, z + face), p), vf_load(offset + face));
		top = vi_select(vf_gt(height, most), number, top);
		most = vf_max(height, most);
		number = vi_add(number, vi_set(WP_WIDTH));
	}
	float height;
	return wp_ray_first_top(most, top, &height);
}

WP_INLINE_NATIVE void wp_ray_put_normal(const wp_core *core, uint32_t face, uint32_t lane, wp_ray_faces *faces)
{
	for (int k = 0; k < 3; k++)
		faces->normal[k][lane] = (double)core->normals[k * wp_padded_faces(core) + face];
}

/* The corners of a face, as indices. */
WP_INLINE const uint32_t *wp_ray_corners(const wp_core *core, uint32_t face, uint32_t *count)
{
	const uint32_t *const start = core->faces + face;
	*count = start[1] - start[0];
	return core->faces + core->face_count + 1 + start[0];
}

WP_INLINE_NATIVE void wp_ray_put_corner(const wp_core *core, uint32_t vertex, uint32_t lane, float corner[3][WP_WIDTH])
{
	const float *const x = core->vertices + vertex;
	corner[0][lane] = x[0];
	corner[1][lane] = x[core->padded];
	corner[2][lane] = x[2 * (size_t)core->padded];
}

/* A triangle of a face: its first corner, and number `k` with the one before. */
WP_INLINE_NATIVE void wp_ray_put_triangle(
	const wp_core *core, const uint32_t *index, uint32_t k, uint32_t lane, wp_ray_faces *faces)
{
	wp_ray_put_corner(core, index[0], lane, faces->corner[0]);
	wp_ray_put_corner(core, index[k - 1], lane, faces->corner[1]);
	wp_ray_put_corner(core, index[k], lane, faces->corner[2]);
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

/* How far a hull reaches along the normal of a lane. Vertices are padded by copies of the first. */
WP_INLINE_NATIVE void wp_ray_find_reach(const wp_core *core, uint32_t lane, wp_ray_faces *faces)
{
	const vd3 normal = {vd_set(faces->normal[0][lane]), vd_set(faces->normal[1][lane]), vd_set(faces->normal[2][lane])};
	const float *const x = core->vertices, *const y = x + core->padded, *const z = y + core->padded;
	vd most = vd_set(-(double)WP_INFINITY);
	for (uint32_t i = 0; i < core->count; i += WP_WIDTH)
		for (uint32_t half = 0; half < WP_HALVES; half++) {
			const uint32_t k = i + half * WP_WIDTH_D;
			const vd3 v = {vd_from_floats(x + k), vd_from_floats(y + k), vd_from_floats(z + k)};
			most = vd_max(vd3_dot(v, normal), most);
		}
	faces->reach[lane] = wp_ray_top(most);
}

/* Rounded to floats, in the lanes of doubles. */
WP_INLINE vf wp_ray_floats(vd a)
{
	vd halves[WP_HALVES];
	for (int half = 0; half < WP_HALVES; half++)
		halves[half] = a;
	return vf_from_doubles(halves);
}

/* Find the reaches of hulls of the lanes whose bits are set. */
WP_INLINE void wp_ray_find_reaches(const wp_ray *r, uint32_t lanes, wp_ray_faces *faces)
{
	for (uint32_t left = lanes; left != 0; left &= left - 1) {
		const uint32_t lane = wp_lowest_bit(left);
		wp_ray_find_reach(r->core[lane], lane, faces);
	}
}

/* Find the faces that rays come in by, of the lanes whose bits are set: first all faces, so that the search for one does not
 * wait for the end of another. */
WP_INLINE void wp_ray_find_faces(const wp_ray *r, uint32_t lanes, wp_ray_faces *faces)
{
	WP_VECTOR_ALIGN float number[6][WP_WIDTH];
	const vd of_rays[6] = {r->from.x, r->from.y, r->from.z, r->way.x, r->way.y, r->way.z};
	for (int k = 0; k < 6; k++)
		vf_store(number[k], wp_ray_floats(of_rays[k]));
	memset(faces, 0, sizeof *faces);
	for (uint32_t left = lanes; left != 0; left &= left - 1) {
		const uint32_t lane = wp_lowest_bit(left);
		const wp_core *const core = r->core[lane];
		const float start_of[3] = {number[0][lane], number[1][lane], number[2][lane]};
		const float way_of[3] = {number[3][lane], number[4][lane], number[5][lane]};
		float time;
		const uint32_t face = wp_ray_last_face(core, start_of, way_of, &time);
		faces->face[lane] = face;
		faces->time[lane] = (double)time;
		wp_ray_put_normal(core, face, lane, faces);
		uint32_t count;
		const uint32_t *const index = wp_ray_corners(core, face, &count);
		wp_ray_put_triangle(core, index, 2, lane, faces);
	}
	wp_ray_find_reaches(r, lanes, faces);
}

/* Find the faces that points are highest above. */
WP_INLINE void wp_ray_find_highest(const wp_ray *r, uint32_t lanes, vd3 p, wp_ray_faces *faces)
{
	WP_VECTOR_ALIGN float number[3][WP_WIDTH];
	vf_store(number[0], wp_ray_floats(p.x));
	vf_store(number[1], wp_ray_floats(p.y));
	vf_store(number[2], wp_ray_floats(p.z));
	for (uint32_t left = lanes; left != 0; left &= left - 1) {
		const uint32_t lane = wp_lowest_bit(left);
		const float point[3] = {number[0][lane], number[1][lane], number[2][lane]};
		wp_ray_put_normal(r->core[lane], wp_ray_highest_face(r->core[lane], point), lane, faces);
	}
	wp_ray_find_reaches(r, lanes, faces);
}

WP_INLINE vd3 wp_ray_normals(const wp_ray_faces *faces)
{
	return vd3_set(vd_load(faces->normal[0]), vd_load(faces->normal[1]), vd_load(faces->normal[2]));
}

WP_INLINE vd3 wp_ray_corner(const wp_ray_faces *faces, int k)
{
	const float(*const corner)[WP_WIDTH] = faces->corner[k];
	return vd3_set(vd_from_floats(corner[0]), vd_from_floats(corner[1]), vd_from_floats(corner[2]));
}

/* Whether a point is to the left of the side from a vertex to another: `left_of` times that side is not below 0. */
WP_INLINE bool wp_ray_is_left_of_side(const wp_core *core, uint32_t from, uint32_t to, const double left_of[3])
{
	const float *const x = core->vertices, *const y = x + core->padded, *const z = y + core->padded;
	const double by_x = ((double)x[to] - (double)x[from]) * left_of[0];
	const double by_y = ((double)y[to] - (double)y[from]) * left_of[1];
	const double by_z = ((double)z[to] - (double)z[from]) * left_of[2];
	return (by_x + by_y) + by_z >= 0.0;
}

/* Take the triangle of each face that a point may be over, of those around its first corner: the point is to the left of the
 * sides that come before it there. A triangle has one. */
WP_NOINLINE void wp_ray_choose_triangles(const wp_ray *r, uint32_t lanes, vd3 p, vd3 normal, wp_ray_faces *faces)
{
	WP_VECTOR_ALIGN_D double number[3][WP_WIDTH_D];
	const vd3 left = vd3_cross(vd3_sub(p, wp_ray_corner(faces, 0)), normal);
	vd_store(number[0], left.x);
	vd_store(number[1], left.y);
	vd_store(number[2], left.z);
	for (uint32_t others = lanes; others != 0; others &= others - 1) {
		const uint32_t lane = wp_lowest_bit(others);
		const wp_core *const core = r->core[lane];
		const double left_of[3] = {number[0][lane], number[1][lane], number[2][lane]};
		uint32_t count, k = 2;
		const uint32_t *const index = wp_ray_corners(core, faces->face[lane], &count);
		while (k + 1 < count && wp_ray_is_left_of_side(core, index[0], index[k], left_of))
			k++;
		if (k != 2)
			wp_ray_put_triangle(core, index, k, lane, faces);
	}
}

WP_INLINE vdm wp_ray_is_left(vd3 a, vd3 b, vd3 p, vd3 n)
{
	return vd_ge(vd3_dot(vd3_cross(vd3_sub(b, a), vd3_sub(p, a)), n), vd_zero());
}

/* How far points over triangles are from them. Infinite where they are not over them. */
WP_INLINE vd wp_ray_distance_from_triangles(const wp_ray_faces *faces, vd3 p)
{
	const vd3 a = wp_ray_corner(faces, 0), b = wp_ray_corner(faces, 1), c = wp_ray_corner(faces, 2);
	const vd3 n = vd3_cross(vd3_sub(b, a), vd3_sub(c, a));
	const vd area = vd3_length(n);
	const vdm over = vdm_and(vdm_and(vd_gt(area, vd_zero()), wp_ray_is_left(a, b, p, n)),
		vdm_and(wp_ray_is_left(b, c, p, n), wp_ray_is_left(c, a, p, n)));
	return vd_select(over, vd_div(vd_abs(vd3_dot(vd3_sub(p, a), n)), area), vd_set((double)WP_INFINITY));
}

/* Where the rays are clear at the end, or what is known of that: how far above a support plane, and its normal. */
typedef struct wp_ray_clear {
	vdm is_clear;
	vd height;
	vd3 normal;
} wp_ray_clear;

WP_INLINE void wp_ray_clear_too(wp_ray_clear *c, vdm m, vd height, vd3 normal)
{
	c->is_clear = vdm_or(c->is_clear, m);
	c->height = vd_select(m, height, c->height);
	c->normal = vd3_select(m, normal, c->normal);
}

/* Rays that stay out of the ball about the hull's origin that holds all of it. */
WP_INLINE wp_ray_clear wp_ray_around(const wp_ray *r)
{
	const vd one = vd_set(1.0), time = vd_div(vd_neg(vd3_dot(r->from, r->way)), vd3_dot(r->way, r->way));
	const vd3 nearest = wp_ray_at(r, vd_max(vd_min(time, one), vd_zero())), last = vd3_add(r->from, r->way);
	const vd distance = vd3_length(last);
	return (wp_ray_clear){.is_clear = vd_gt(vd3_dot(nearest, nearest), vd_mul(r->bound, r->bound)),
		.height = vd_sub(distance, r->bound),
		.normal = vd3_scale(last, vd_div(one, distance))};
}

/* Of rays in `m`, whose lanes have their bits set, those that are above some face from `p` on, where they are at a time, by more than
 * rounding. */
WP_NOINLINE void wp_ray_pass(
	const wp_ray *r, vdm m, uint32_t lanes, vd3 p, vd time, wp_ray_faces *faces, wp_ray_clear *c)
{
	wp_ray_find_highest(r, lanes, p, faces);
	const vd3 out = wp_ray_normals(faces);
	const vd past = vd_sub(vd3_dot(out, p), vd_load(faces->reach)), rises = vd3_dot(out, r->way);
	const vdm is_past = vdm_and(m, vdm_and(vd_gt(past, r->error), vd_gt(rises, vd_zero())));
	wp_ray_clear_too(c, is_past, vd_add(past, vd_mul(vd_sub(vd_set(1.0), time), rises)), out);
}

/* What a block of rays finds of its hulls before it ends. */
typedef struct wp_ray_found {
	wp_ray_faces faces;
	wp_ray_clear clear;
} wp_ray_found;

WP_INLINE uint32_t wp_ray_present(const wp_ray *r) { return (1u << r->present) - 1; }

WP_NOINLINE void wp_ray_search_hull(const wp_ray *r, wp_ray_found *found)
{
	found->clear = wp_ray_around(r);
	wp_ray_find_faces(r, vdm_bits(vdm_not(found->clear.is_clear)) & wp_ray_present(r), &found->faces);
}

/* `more`: by how much gaps may be larger. */
WP_INLINE wp_ray_end wp_ray_at_hull(const wp_ray *r, wp_ray_found *found, vd *more)
{
	wp_ray_clear c = found->clear;
	const uint32_t present = wp_ray_present(r);
	const vd3 in = wp_ray_normals(&found->faces);

	/* Above the face that it comes in by. */
	const vd zero = vd_zero(), height = vd_sub(vd3_dot(in, r->from), vd_load(found->faces.reach));
	const vd sinks = vd_neg(vd3_dot(in, r->way));
	const vdm outside = vd_gt(vd_load(found->faces.time), zero);
	const vdm is_above = vd_gt(height, zero), stays_above = vdm_andnot(is_above, vd_lt(height, sinks));
	const vd enters = vd_where(outside, vd_div(height, sinks));
	wp_ray_clear_too(&c, vdm_and(outside, stays_above), vd_sub(height, sinks), in);
	const vdm goes_on = vdm_andnot(vdm_or(vdm_not(outside), vdm_andnot(is_above, stays_above)), c.is_clear);

	const vd3 p = wp_ray_at(r, enters);
	const vdm comes = vdm_andnot(goes_on, vd_is_zero(enters));
	wp_ray_choose_triangles(r, vdm_bits(comes) & present, p, in, &found->faces);
	const vd above = wp_ray_distance_from_triangles(&found->faces, p);
	const vdm hits = vdm_and(comes, vd_le(above, vd_mul(vd_set(WP_RAY_FACE_GAP), r->bound)));
	const vdm passes = vdm_andnot(goes_on, hits);
	const uint32_t others = vdm_bits(passes) & present;
	if (others != 0)
		wp_ray_pass(r, passes, others, p, enters, &found->faces, &c);

	wp_ray_end end = wp_ray_above(r, c.is_clear, c.height, c.normal);
	wp_ray_hit(&end, hits, enters, vd3_unit(in));
	*more = vd_select(hits, above, vd_set((double)WP_INFINITY));
	wp_ray_free(&end, vdm_andnot(vdm_andnot(comes, hits), end.beyond), enters);
	return end;
}

#endif
