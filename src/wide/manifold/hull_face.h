/* Faces of hulls, which lie in memory: found like supports, copied lane by lane. */
#ifndef WP_WIDE_MANIFOLD_HULL_FACE_H
#define WP_WIDE_MANIFOLD_HULL_FACE_H

#include "wide/manifold/face.h"

/* Corners that are copied without a look at how many there are. */
#define WP_CORNERS_COPIED 3

/* Where the corners of a face come from. */
typedef struct wp_corner_list {
	const float *vertices; /* of the hull: x, y, z arrays, `stride` apart */
	uint32_t stride, count;
	const uint32_t *vertex; /* WP_CORNERS_COPIED at least, be there fewer to count */
	uint32_t extreme[WP_FACE_CORNER_MAX];
} wp_corner_list;

/* Direction k of WP_FACE_CORNER_MAX evenly spread ones, as its cosine and sine. */
WP_INLINE void wp_spread_direction(uint32_t k, float *c, float *s)
{
	static const float cosine[WP_FACE_CORNER_MAX / 4 + 1] = {
		1.0f, 0.98078528f, 0.923879533f, 0.831469612f, 0.707106781f, 0.555570233f, 0.382683432f, 0.195090322f, 0.0f};
	const uint32_t quarter = WP_FACE_CORNER_MAX / 4, turn = k / quarter;
	const float x = cosine[k % quarter], y = cosine[quarter - k % quarter];
	*c = turn == 0 ? x : turn == 1 ? -y : turn == 2 ? -x : y;
	*s = turn == 0 ? y : turn == 1 ? x : turn == 2 ? -y : -x;
}

/* The places in `index` of the vertices farthest along each lane's direction, of several the first. */
WP_INLINE vi wp_extreme_corners(const wp_corner_list *list, const uint32_t *index, uint32_t count, vf3 way)
{
	const size_t stride = list->stride;
	vi best = vi_zero(), place = vi_zero();
	vf most = vf_zero();
	for (uint32_t i = 0; i < count; i++) {
		const float *const at = list->vertices + index[i];
		const vf value = vf3_dot(vf3_set(vf_set(at[0]), vf_set(at[stride]), vf_set(at[2 * stride])), way);
		const vm farther = vf_gt(value, most);
		most = i == 0 ? value : vf_select(farther, value, most);
		best = i == 0 ? best : vi_select(farther, place, best);
		place = vi_add(place, vi_set(1));
	}
	return best;
}

/* The corners of a face with too many that are extreme in WP_FACE_CORNER_MAX directions across its normal, in their
 * order: from one direction to the next the extreme corner stays or moves on. */
WP_NOINLINE void wp_list_extremes(const uint32_t *index, uint32_t count, const float n[3], wp_corner_list *list)
{
	WP_VECTOR_ALIGN float cosine[WP_FACE_CORNER_MAX], sine[WP_FACE_CORNER_MAX];
	WP_VECTOR_ALIGN int32_t place[WP_FACE_CORNER_MAX];
	vf3 across[2];
	vf3_basis(vf3_set(vf_set(n[0]), vf_set(n[1]), vf_set(n[2])), across);
	for (uint32_t k = 0; k < WP_FACE_CORNER_MAX; k++)
		wp_spread_direction(k, &cosine[k], &sine[k]);
	for (uint32_t k = 0; k < WP_FACE_CORNER_MAX; k += WP_WIDTH) {
		const vf3 way = vf3_add(vf3_scale(across[0], vf_load(cosine + k)), vf3_scale(across[1], vf_load(sine + k)));
		vi_store(place + k, wp_extreme_corners(list, index, count, way));
	}
	list->count = 0;
	for (uint32_t k = 0; k < WP_FACE_CORNER_MAX; k++) {
		const uint32_t vertex = index[place[k]];
		if (list->count == 0 || list->extreme[list->count - 1] != vertex)
			list->extreme[list->count++] = vertex;
	}
	if (list->count > 1 && list->extreme[list->count - 1] == list->extreme[0])
		list->count--;
	for (uint32_t k = list->count; k < WP_CORNERS_COPIED; k++)
		list->extreme[k] = list->extreme[0];
	list->vertex = list->extreme;
}

/* The corners of a hull that is no more than a face. A segment is its own way back. */
WP_INLINE uint32_t wp_own_corners(const wp_core *core) { return core->count == 2 ? 4 : core->count == 3 ? 3 : 0; }

/* The corners of a face of a hull, or of a hull that is no more than a face. */
WP_INLINE void wp_list_corners(const wp_core *core, uint32_t face, wp_corner_list *list)
{
	static const uint32_t segment[4] = {0, 1, 1, 0}, triangle[3] = {0, 1, 2};
	list->vertices = core->vertices;
	list->stride = core->padded;
	if (core->face_count == 0) {
		list->count = wp_own_corners(core);
		list->vertex = core->count == 2 ? segment : triangle;
		return;
	}
	list->vertex = core->faces + core->face_count + 1 + core->faces[face];
	list->count = core->faces[face + 1] - core->faces[face];
	if (list->count > WP_FACE_CORNER_MAX) {
		const float *const n = core->normals + face;
		const size_t stride = wp_padded_faces(core);
		const float normal[3] = {n[0], n[stride], n[2 * stride]};
		wp_list_extremes(list->vertex, list->count, normal, list);
	}
}

/* Copy the corners of one lane to rows, as many as the lane with most has: the first one in the place of those that this one
 * lacks. All lanes go round as often, which branches are predicted by. */
WP_INLINE void wp_copy_corners(const wp_corner_list *list, uint32_t most, float *corner)
{
	const uint32_t *const vertex = list->vertex;
	const float *const x = list->vertices, *const y = x + list->stride, *const z = y + list->stride;
	for (uint32_t k = 0; k < WP_CORNERS_COPIED; k++)
		wp_put_four(corner + (size_t)4 * WP_WIDTH * k, x[vertex[k]], y[vertex[k]], z[vertex[k]], (int32_t)vertex[k]);
	for (uint32_t k = WP_CORNERS_COPIED; k < most; k++) {
		const uint32_t v = vertex[k < list->count ? k : 0];
		wp_put_four(corner + (size_t)4 * WP_WIDTH * k, x[v], y[v], z[v], (int32_t)v);
	}
}

/* Normals that are looked at between two branches: they are padded to whole lots. One lane stops at the first. */
#define WP_NORMAL_LOT (WP_WIDTH == 1 ? 1 : WP_WIDTH_MAX)

/* The first of `count` normals that is as far along a direction as `least`, or the last. */
WP_INLINE uint32_t wp_first_alike(const float *normals, size_t stride, uint32_t count, const float way[3], float least)
{
	const vf3 d = vf3_set(vf_set(way[0]), vf_set(way[1]), vf_set(way[2]));
	for (uint32_t at = 0; at < count; at += WP_NORMAL_LOT) {
		uint32_t alike = 0;
		for (uint32_t i = 0; i < WP_NORMAL_LOT; i += WP_WIDTH) {
			const float *const x = normals + at + i;
			const vf along = vf3_dot(vf3_load(x, x + stride, x + 2 * stride), d);
			alike |= vm_bits(vf_ge(along, vf_set(least))) << i;
		}
		if (alike != 0) {
			const uint32_t first = at + wp_lowest_bit(alike);
			return first < count ? first : count - 1;
		}
	}
	return count - 1;
}

/* How far along a direction the farthest normal of a hull with faces is. One lane has quads. */
WP_INLINE vf wp_farthest_normal(const wp_core *core, vf3 d)
{
	const float *x = core->normals;
	const size_t stride = wp_padded_faces(core);
#if WP_WIDTH == 1
	x += wp_support_index(x, core->face_count, (uint32_t)stride, d);
	return vf3_dot(vf3_load(x, x + stride, x + 2 * stride), d);
#else
	vf most = vf_set(-WP_INFINITY);
	for (const float *const end = x + stride; x < end; x += WP_WIDTH)
		most = vf_max(vf3_dot(vf3_load(x, x + stride, x + 2 * stride), d), most);
	return vf_top(most);
#endif
}

/* The face of a hull whose normal is nearest to a direction, the first of those that are alike. */
WP_INLINE uint32_t wp_face_toward(const wp_core *core, const float way[3])
{
	WP_VECTOR_ALIGN float least[WP_WIDTH];
	if (core->face_count == 0)
		return 0;
	const vf farthest = wp_farthest_normal(core, vf3_set(vf_set(way[0]), vf_set(way[1]), vf_set(way[2])));
	vf_store(least, vf_sub(farthest, vf_set(WP_PATCH_ALIKE)));
	return wp_first_alike(core->normals, wp_padded_faces(core), core->face_count, way, least[0]);
}

#if WP_WIDTH > 4
/* Lots of normals of which it is kept how far they are along a direction. */
#define WP_LOTS_KEPT 8

/* The faces of hulls that have some, up to `lots` lots of them. All lanes go round as often: past its last lot a lane looks at that
 * again. What is found of normals is kept for a second look, so no branch depends on where a face is. */
WP_INLINE void wp_faces_of_few(
	const wp_core *const core[WP_WIDTH], float way[3][WP_WIDTH], uint32_t lots, int32_t found[WP_WIDTH])
{
	WP_VECTOR_ALIGN float along[WP_WIDTH][WP_LOTS_KEPT * WP_NORMAL_LOT], row[WP_WIDTH][WP_WIDTH], top[WP_WIDTH];
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		const float *x = core[lane]->normals;
		const size_t stride = wp_padded_faces(core[lane]);
		const float *const last = x + stride - WP_NORMAL_LOT;
		const vf3 d = vf3_set(vf_set(way[0][lane]), vf_set(way[1][lane]), vf_set(way[2][lane]));
		float *to = along[lane];
		vf most = vf_set(-WP_INFINITY);
		for (uint32_t lot = 0; lot < lots; lot++) {
			for (uint32_t i = 0; i < WP_NORMAL_LOT; i += WP_WIDTH, to += WP_WIDTH) {
				const vf value = vf3_dot(vf3_load(x + i, x + i + stride, x + i + 2 * stride), d);
				vf_store(to, value);
				most = vf_max(value, most);
			}
			x = x < last ? x + WP_NORMAL_LOT : last;
		}
		vf_store(row[lane], most);
	}
	vf_store(top, vf_sub(vf_tops(row[0]), vf_set(WP_PATCH_ALIKE)));

	/* Places are minus numbers of faces, so the largest is the first face; past the last and of no numbers it is the last one. */
	const vf behind = vf_neg(vf_from_int(vi_add(vi_lanes(), vi_set((int32_t)(lots * WP_NORMAL_LOT)))));
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		const vf least = vf_set(top[lane]), last = vf_set(1.0f - (float)core[lane]->face_count);
		vf place = last, at = behind;
		for (const float *from = along[lane] + lots * WP_NORMAL_LOT; from > along[lane];) {
			for (uint32_t i = 0; i < WP_NORMAL_LOT; i += WP_WIDTH) {
				from -= WP_WIDTH;
				at = vf_add(at, vf_set((float)WP_WIDTH));
				place = vf_select(vf_ge(vf_load(from), least), at, place);
			}
		}
		vf_store(row[lane], vf_max(place, last));
	}
	vf_store(top, vf_tops(row[0]));
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		found[lane] = (int32_t)-top[lane];
}
#endif

/* The faces whose normals are nearest to the direction of the other shape, the first of those that are alike. */
WP_NOINLINE vi wp_faces_toward(const wp_core *const core[WP_WIDTH], vf3 toward)
{
	WP_VECTOR_ALIGN float way[3][WP_WIDTH];
	WP_VECTOR_ALIGN int32_t found[WP_WIDTH];
	vf3_store(way[0], way[1], way[2], toward);
#if WP_WIDTH > 4
	uint32_t most = 0, fewest = 1;
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		const uint32_t lots = (core[lane]->face_count + WP_NORMAL_LOT - 1) / WP_NORMAL_LOT;
		most = lots > most ? lots : most;
		fewest = lots < fewest ? lots : fewest;
	}
	if (fewest > 0 && most <= WP_LOTS_KEPT) {
		wp_faces_of_few(core, way, most, found);
		return vi_load(found);
	}
#endif
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		const float toward_lane[3] = {way[0][lane], way[1][lane], way[2][lane]};
		found[lane] = (int32_t)wp_face_toward(core[lane], toward_lane);
	}
	return vi_load(found);
}

/* How many corners such a face has: nearly right if there are too many, which is enough to sort by. */
WP_INLINE int32_t wp_count_corners(const wp_core *core, uint32_t face)
{
	if (core->face_count == 0)
		return (int32_t)wp_own_corners(core);
	const uint32_t count = core->faces[face + 1] - core->faces[face];
	return count < WP_FACE_CORNER_MAX ? (int32_t)count : WP_FACE_CORNER_MAX;
}

/* What faces of hulls are besides their corners. */
typedef struct wp_hull_faces {
	vf3 normal;                   /* in the frame of the hull; zero for a hull without faces */
	uint32_t segments, triangles; /* lanes whose hull is its own face, of 2 or 3 vertices */
} wp_hull_faces;

/* The normal of a face of a hull that has faces, as four numbers. */
WP_INLINE void wp_put_face_normal(const wp_core *core, uint32_t face, float *to)
{
	const float *const n = core->normals + face;
	const size_t stride = wp_padded_faces(core);
	wp_put_four(to, n[0], n[stride], n[2 * stride], 0);
}

/* Take the faces `face` of hulls, and copy their corners. */
WP_INLINE void wp_copy_faces(
	const wp_core *const core[WP_WIDTH], vi found, float *corner, wp_face *f, wp_hull_faces *faces)
{
	WP_VECTOR_ALIGN int32_t face[WP_WIDTH], count[WP_WIDTH];
	WP_VECTOR_ALIGN float normal[4 * WP_WIDTH];
	wp_corner_list list[WP_WIDTH];
	int32_t most = 1;
	vi_store(face, found);
	faces->segments = faces->triangles = 0;
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		wp_list_corners(core[lane], (uint32_t)face[lane], &list[lane]);
		count[lane] = (int32_t)list[lane].count;
		most = count[lane] > most ? count[lane] : most;
		if (core[lane]->face_count != 0) {
			wp_put_face_normal(core[lane], (uint32_t)face[lane], normal + 4 * lane);
		} else {
			faces->segments |= (core[lane]->count == 2 ? 1u : 0u) << lane;
			faces->triangles |= (core[lane]->count == 3 ? 1u : 0u) << lane;
			wp_put_four(normal + 4 * lane, 0.0f, 0.0f, 0.0f, 0);
		}
	}
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		wp_copy_corners(&list[lane], (uint32_t)most, corner + (size_t)4 * lane);
	const vf4 n = vf4_load(normal, 1);
	faces->normal = vf3_set(n.x, n.y, n.z);
	f->count = vi_load(count);
	f->most = most;
}

/* Corner k of each lane, and the number of its vertex. */
WP_INLINE vf3 wp_load_corner(const wp_view *view, const wp_view_side *side, const float *corner, int32_t k, vi *vertex)
{
	const vf4 c = vf4_load(corner + 4 * k * WP_WIDTH, 1);
	*vertex = vi_from_bits(c.w);
	return wp_to_view(view, side, vf3_set(c.x, c.y, c.z));
}

/* Where a polygon with a sharp corner ends along its longest edge: beside the corner its edges bound that poorly. */
WP_INLINE void wp_find_ends(const wp_lane_polygons *polygon, wp_face *f)
{
	const vm is_sharp = vf_lt(f->blunt, vf_set(1.0f));
	vf longest2 = vf_zero();
	for (int32_t k = 0; k < f->most; k++) {
		vf du, dv;
		wp_edge_way(polygon, f, k, &du, &dv);
		const vf length2 = vf_add(vf_mul(du, du), vf_mul(dv, dv));
		const vm longer = vm_and(is_sharp, vf_gt(length2, longest2));
		longest2 = vf_select(longer, length2, longest2);
		f->along_u = vf_select(longer, du, f->along_u);
		f->along_v = vf_select(longer, dv, f->along_v);
	}
	const vm has_length = vf_gt(longest2, vf_zero());
	const vf inverse = vf_div(vf_set(1.0f), vf_sqrt(vf_select(has_length, longest2, vf_set(1.0f))));
	f->along_u = vf_mul(f->along_u, inverse);
	f->along_v = vf_mul(f->along_v, inverse);
	vf low = wp_place_along(f, f->u, f->v), high = low;
	for (int32_t k = 1; k < f->most; k++) {
		const vf u = vf_load(polygon->u + k * WP_WIDTH), v = vf_load(polygon->v + k * WP_WIDTH);
		const vf place = wp_place_along(f, u, v);
		low = vf_min(low, place);
		high = vf_max(high, place);
	}
	f->low = vf_select(is_sharp, low, f->low);
	f->high = vf_select(is_sharp, high, f->high);
}

WP_INLINE vm wp_has_way(vf2 a) { return vf_gt(vf_add(vf_abs(a.x), vf_abs(a.y)), vf_zero()); }

/* Find how sharp the sharpest corner of a polygon is. Returns whether its edges go round: not the edges of a segment of no
 * length, nor of a face of no width, whose ends are too short to have a direction and would bound nothing. */
WP_INLINE vm wp_goes_round(const wp_lane_polygons *polygon, wp_face *f)
{
	vf2 last = vf2_zero(), first = vf2_zero();
	vf turn = vf_zero(), back = vf_set(1.0f);
	vm seen = vm_false();
	for (int32_t k = 0; k < f->most; k++) {
		const vf2 inward = vf2_load(polygon->inward_u + k * WP_WIDTH, polygon->inward_v + k * WP_WIDTH);
		const vm is_edge = wp_has_way(inward), is_first = vm_andnot(is_edge, seen);
		seen = vm_or(seen, is_edge);
		turn = vf_select(is_edge, vf_max(vf_abs(vf2_cross(last, inward)), turn), turn);
		back = vf_select(is_edge, vf_min(vf2_dot(last, inward), back), back);
		first = vf2_select(is_first, inward, first);
		last = vf2_select(is_edge, inward, last);
	}
	back = vf_min(vf2_dot(last, first), back);

	/* The cosine between edges is minus the cosine of the angle they make. */
	const vf blunt2 = vf_max(vf_add(vf_set(2.0f), vf_add(back, back)), vf_zero());
	f->blunt = vf_min(vf_sqrt(blunt2), vf_set(1.0f));
	return vf_gt(turn, vf_set(WP_PATCH_TURN_MIN));
}

/* The normal of a triangle. Across its longest side, however thin it is: heights along that are right then. */
WP_INLINE vf3 wp_normal_of_triangle(vf3 ab, vf3 ac)
{
	const vf3_sides sides = vf3_sides_of(vf3_sub(ac, ab), vf3_neg(ac), ab);
	const vf3 side = vf3_unit(sides.longest, vf3_zero()), n = vf3_unit(vf3_cross(ab, ac), vf3_zero());
	return wp_unit_across(n, side);
}

/* Hulls: the face whose normal is nearest to n, which was found; a triangle, or a segment, is its own. */
WP_INLINE void wp_face_of_hull(const wp_view *view, const wp_view_side *side, const wp_core *const core[WP_WIDTH],
	vi found, wp_manifold_scratch *scratch, wp_lane_polygons *polygon, wp_face *f)
{
	const float *const corners = scratch->corner;
	wp_hull_faces faces;
	wp_copy_faces(core, found, scratch->corner, f, &faces);
	vf3 normal = vf33_apply(&side->rotation, faces.normal), along = vf3_zero(), width = vf3_zero();
	const vm is_segment = vm_from_bits(faces.segments), is_triangle = vm_from_bits(faces.triangles);
	vi first_vertex, vertex;
	const vf3 first = wp_load_corner(view, side, corners, 0, &first_vertex);
	if (faces.segments | faces.triangles) {
		const vf3 edge = vf3_sub(wp_load_corner(view, side, corners, f->most > 1, &vertex), first);
		const vf3 other = vf3_sub(wp_load_corner(view, side, corners, f->most > 2 ? 2 : 0, &vertex), first);
		along = vf3_unit(edge, vf3_zero());
		normal = vf3_select(is_triangle, wp_normal_of_triangle(edge, other), normal);
		normal = vf3_select(is_segment, wp_normal_of_segment(view->n, along), normal);
		width = vf3_cross(normal, along);
	}

	/* Past the last corner the first one follows again, so that ways there are zero. The edges of a segment are its own
	 * direction, the way across, and both back. */
	const vf turn = vf3_dot(normal, view->n);
	vf3 corner = first;
	vertex = first_vertex;
	for (int32_t k = 0; k < f->most; k++) {
		const bool ends = k + 1 == f->most;
		vi next_vertex = first_vertex;
		const vf3 next = ends ? first : wp_load_corner(view, side, corners, k + 1, &next_vertex);
		vf3 d = vf3_sub(next, corner);
		if (faces.segments != 0 && k < 4) {
			const vf3 way = k & 1 ? width : along, turned = k & 2 ? vf3_neg(way) : way;
			d = vf3_select(is_segment, turned, d);
		}
		wp_put_corner(polygon, view, k, corner, vertex);
		wp_put_edge(polygon, k, wp_seen(view, d), turn);
		corner = next;
		vertex = next_vertex;
	}
	wp_take_plane(f, view, side, polygon, normal, first);
	f->count = vi_select(wp_goes_round(polygon, f), f->count, vi_zero());
	if (vm_any(vf_lt(f->blunt, vf_set(1.0f))))
		wp_find_ends(polygon, f);
}

#endif
