/* The surface of a rounded hull over a place in one of its faces.
 *
 * Where the normal leans from the face, the line along it through the place leaves the balls around the face's points, and
 * may go on through balls around points of other faces: of one in the same plane, or of one whose normal is as near. The
 * surface is where the line leaves the last ball. That is between the highest ball around the face and the plane of the
 * face, moved outwards; its centre is on a face that is seen from there. So only places where these two are apart have
 * other faces looked at, one lane after the other, the corners of each of them in lanes. */
#ifndef WP_WIDE_MANIFOLD_ROUND_HULL_H
#define WP_WIDE_MANIFOLD_ROUND_HULL_H

#include "wide/manifold/face.h"

/* How far under the plane of the face, moved outwards, balls may end for it to be the surface: a share of
 * WP_PATCH_TOLERANCE. */
#define WP_ROUND_NEAR 0.25f

/* The line over a place of a hull, in the frame of that, the same in all lanes; lengths are scaled. */
typedef struct wp_shaft {
	vf3 foot, up; /* the place, on the core; unit */
	vf radius, scale;
} wp_shaft;

/* How far above the foot the balls around the points of an edge reach, an edge in each lane; 0 where none does. The edge
 * starts at `start`, seen from the foot. */
WP_INLINE vf wp_shaft_in_edge(const wp_shaft *s, vf3 start, vf3 way)
{
	const vf zero = vf_zero();
	const vf base = vf3_dot(start, s->up), rise = vf3_dot(way, s->up);
	const vf3 from = vf3_sub(start, vf3_scale(s->up, base)), seen = vf3_sub(way, vf3_scale(s->up, rise));
	const vf length2 = vf_max(vf3_dot(seen, seen), vf_set(WP_DIRECTION_MIN_SQUARED)), length = vf_sqrt(length2);
	const vf inverse = vf_div(vf_set(1.0f), length);

	/* As over the edges of a face: how far before its start the line is along the edge, how much of the radius is left beside
	 * it, and the best ball, which is ahead by as much as the edge rises. */
	const vf back = vf_mul(vf3_dot(from, seen), inverse);
	const vf3 aside = vf3_sub(from, vf3_scale(seen, vf_mul(back, inverse)));
	const vf left2 = vf_sub(vf_mul(s->radius, s->radius), vf3_dot(aside, aside));
	const vf sine = vf_div(rise, vf_sqrt(vf_add(length2, vf_mul(rise, rise))));
	const vf ahead = vf_mul(vf_sqrt(vf_max(left2, zero)), sine);
	const vf best = vf_min(vf_max(vf_sub(ahead, back), zero), length), off = vf_add(best, back);
	const vf under = vf_sub(left2, vf_mul(off, off));
	const vf at = vf_add(base, vf_mul(rise, vf_mul(best, inverse)));
	return vf_select(vf_ge(under, zero), vf_add(at, vf_sqrt(vf_max(under, zero))), zero);
}

/* Vertices, seen from the foot. */
WP_INLINE vf3 wp_shaft_sees(const wp_core *core, vi vertex, const wp_shaft *s)
{
	const float *const x = core->vertices;
	const size_t apart = core->padded;
	return vf3_sub(vf3_scale(vf3_gather(x, x + apart, x + 2 * apart, vertex), s->scale), s->foot);
}

/* How far above the foot the balls around the points of a face reach: the highest lane counts. Lanes past the last edge have that
 * again, so that no width looks at any other. */
WP_INLINE vf wp_shaft_in_face(const wp_core *core, uint32_t face, const wp_shaft *s)
{
	WP_VECTOR_ALIGN int32_t from[WP_WIDTH], to[WP_WIDTH];
	const float *const n = core->normals + face;
	const size_t stride = wp_padded_faces(core);
	const uint32_t *const vertex = core->faces + core->face_count + 1 + core->faces[face];
	const uint32_t count = core->faces[face + 1] - core->faces[face];
	const vf3 normal = {vf_set(n[0]), vf_set(n[stride]), vf_set(n[2 * stride])};
	const vf lean = vf3_dot(normal, s->up), plane = vf_mul(vf_set(n[3 * stride]), s->scale);

	/* The plane moved outwards, and the centre of the ball that touches it there. */
	const vf least = vf_set(WP_PATCH_SLOPE_MIN);
	vm inside = vf_gt(lean, least);
	const vf above = vf_add(vf_sub(plane, vf3_dot(normal, s->foot)), s->radius);
	const vf lift = vf_div(above, vf_max(lean, least));
	const vf3 centre = vf3_sub(vf3_scale(s->up, lift), vf3_scale(normal, s->radius));
	vf top = vf_zero();
	for (uint32_t k = 0; k < count; k += WP_WIDTH) {
		WP_ROLLED
		for (uint32_t i = 0; i < WP_WIDTH; i++) {
			const uint32_t at = k + i < count ? k + i : count - 1;
			from[i] = (int32_t)vertex[at];
			to[i] = (int32_t)vertex[at + 1 < count ? at + 1 : 0];
		}
		const vf3 start = wp_shaft_sees(core, vi_load(from), s);
		const vf3 way = vf3_sub(wp_shaft_sees(core, vi_load(to), s), start);
		const vf turn = vf3_dot(normal, vf3_cross(way, vf3_sub(centre, start)));
		inside = vm_and(inside, vf_ge(turn, vf_zero()));
		top = vf_max(wp_shaft_in_edge(s, start, way), top);
	}
	return vm_bits(inside) == WP_ALL_LANES ? vf_max(lift, top) : top;
}

/* What is kept of shafts, a row of each number. */
typedef enum wp_shaft_row {
	WP_SHAFT_FOOT,
	WP_SHAFT_UP = 3,
	WP_SHAFT_RADIUS = 6,
	WP_SHAFT_SCALE,
	WP_SHAFT_LOW, /* the surface is between */
	WP_SHAFT_HIGH,
	WP_SHAFT_ROWS
} wp_shaft_row;

WP_INLINE vf wp_shaft_number(const float *rows, int row) { return vf_set(rows[row * WP_WIDTH]); }

WP_INLINE vf3 wp_shaft_vector(const float *rows, int row)
{
	return vf3_set(wp_shaft_number(rows, row), wp_shaft_number(rows, row + 1), wp_shaft_number(rows, row + 2));
}

/* How far above the foot the surface of a hull is: a face that is seen from where it may be is seen from the lowest or from the
 * highest place. `rows` begins with the lane's number. */
WP_NOINLINE float wp_shaft_in_hull(const wp_core *core, const float *rows)
{
	WP_VECTOR_ALIGN float tops[WP_WIDTH];
	const wp_shaft s = {.foot = wp_shaft_vector(rows, WP_SHAFT_FOOT),
		.up = wp_shaft_vector(rows, WP_SHAFT_UP),
		.radius = wp_shaft_number(rows, WP_SHAFT_RADIUS),
		.scale = wp_shaft_number(rows, WP_SHAFT_SCALE)};
	const vf low = wp_shaft_number(rows, WP_SHAFT_LOW), high = wp_shaft_number(rows, WP_SHAFT_HIGH);
	const size_t stride = wp_padded_faces(core);
	const float *const x = core->normals;
	vf top = low;
	for (uint32_t at = 0; at < core->face_count; at += WP_WIDTH) {
		const vf3 n = vf3_load(x + at, x + at + stride, x + at + 2 * stride);
		const vf under = vf_sub(vf_mul(vf_load(x + at + 3 * stride), s.scale), vf3_dot(n, s.foot));
		const vf rise = vf3_dot(n, s.up);
		const vm is_seen = vf_gt(vf_max(vf_mul(rise, low), vf_mul(rise, high)), under);
		for (uint32_t bits = vm_bits(is_seen); bits != 0; bits &= bits - 1) {
			const uint32_t face = at + wp_lowest_bit(bits);
			if (face < core->face_count)
				top = vf_max(wp_shaft_in_face(core, face, &s), top);
		}
	}
	vf_store(tops, top);
	float highest = tops[0];
	WP_ROLLED
	for (uint32_t i = 1; i < WP_WIDTH; i++)
		highest = tops[i] > highest ? tops[i] : highest;
	return highest;
}

/* How far above the plane of their faces the surfaces of hulls are over a place in these, where `lift` is how far the balls
 * around the faces reach. */
WP_NOINLINE vf wp_lift_over_hulls(const wp_face *f, vf u, vf v, vf lift, vf tolerance, vm wanted)
{
	WP_VECTOR_ALIGN float rows[WP_SHAFT_ROWS][WP_WIDTH], top[WP_WIDTH];
	const wp_whole_hulls *const w = f->whole;
	const vf least = vf_mul(vf_set(WP_ROUND_NEAR), tolerance);
	const vm is_under = vf_gt(vf_sub(f->radius, vf_mul(lift, f->lean)), least);
	uint32_t bits = vm_bits(vm_and(wanted, is_under));
	if (bits == 0)
		return lift;
	const vf3 across = vf3_add(vf3_scale(w->seen[0], u), vf3_scale(w->seen[1], v));
	const vf3 above = vf3_scale(w->up, vf_mul(f->outward, wp_height_at(f, u, v)));
	vf3_store(rows[0], rows[1], rows[2], vf3_add(w->seen[2], vf3_add(across, above)));
	vf3_store(rows[3], rows[4], rows[5], w->up);
	vf_store(rows[WP_SHAFT_RADIUS], f->radius);
	vf_store(rows[WP_SHAFT_SCALE], w->scale);
	vf_store(rows[WP_SHAFT_LOW], lift);
	vf_store(rows[WP_SHAFT_HIGH], vf_div(f->radius, f->lean));
	vf_store(top, lift);
	for (; bits != 0; bits &= bits - 1) {
		const uint32_t lane = wp_lowest_bit(bits);
		top[lane] = wp_shaft_in_hull(w->core[lane], &rows[0][lane]);
	}
	return vf_load(top);
}

/* Keep how the hulls of a side are seen. */
WP_INLINE void wp_see_whole_hulls(
	const wp_view *view, const wp_view_side *side, const wp_core *const core[WP_WIDTH], wp_whole_hulls *w)
{
	w->seen[0] = view->across[0];
	w->seen[1] = view->across[1];
	w->seen[2] = vf3_sub(view->eye, side->translation);
	WP_ROLLED
	for (int k = 0; k < 3; k++)
		w->seen[k] = vf33_apply_transposed(&side->rotation, w->seen[k]);
	w->up = side->toward;
	w->scale = view->p.scale;
	memcpy(w->core, core, sizeof w->core);
}

#endif
