/* Patches along a line: what a segment has in common with another face is a stretch of it, so there are two points at most,
 * where the stretch begins and where it ends.
 *
 * A segment that leans less than 84 degrees from the normal is cut by slabs: each leaves the places of the segment that are
 * inside it. As in clip.h slabs count as wider by a tolerance when a point is tested, but segments are cut where they
 * cross. Over a place the surface of a capsule is as high as the highest ball round a point of its segment
 * (round.h): ahead of the place, seen along the normal, by as much as the segment rises. */
#ifndef WP_WIDE_MANIFOLD_STRETCH_H
#define WP_WIDE_MANIFOLD_STRETCH_H

#include "wide/manifold/point.h"

/* A segment and its radius as they are seen along the normal; lengths are scaled. */
typedef struct wp_rod {
	vf half, radius;
	vf rise; /* of its direction, along the normal */
	vf lean; /* length of its direction across the normal, WP_PATCH_SLOPE_MIN or more; */
	vm fits; /* of those that lean further it is less */
} wp_rod;

WP_INLINE wp_rod wp_make_rod(vf half, vf radius, vf rise, vf lean)
{
	const vf least = vf_set(WP_PATCH_SLOPE_MIN);
	return (wp_rod){
		.half = half, .radius = radius, .rise = rise, .lean = vf_max(lean, least), .fits = vf_ge(lean, least)};
}

/* How high the highest ball reaches over a place, above the segment there; `side` is 1, or -1 for how low it reaches.
 * `room` is the radius, or what is left of it beside the segment. */
WP_INLINE vf wp_lift_over_rod(const wp_rod *rod, vf place, vf room, vf side)
{
	const vf zero = vf_zero(), ahead = vf_mul(side, vf_div(vf_mul(room, rod->rise), rod->lean));
	const vf best = vf_min(vf_max(vf_add(place, ahead), vf_neg(rod->half)), rod->half), off = vf_sub(best, place);
	const vf across = vf_mul(off, rod->lean), under2 = vf_sub(vf_mul(room, room), vf_mul(across, across));
	return vf_add(vf_mul(off, rod->rise), vf_mul(side, vf_sqrt(vf_max(under2, zero))));
}

/* What of a segment is inside all slabs so far: between `from` and `to`, cut at `first` and `last`. */
typedef struct wp_stretch {
	vf from, to, first, last;
} wp_stretch;

WP_INLINE wp_stretch wp_whole_stretch(vf half)
{
	const vf back = vf_neg(half);
	return (wp_stretch){back, half, back, half};
}

/* Cut a stretch by a slab: a place p is at `start` + p `way` of it, and it goes as far as `half` both ways, or by `more`
 * further when a point is tested. */
WP_INLINE void wp_cut_stretch(wp_stretch *s, vf start, vf way, vf half, vf more)
{
	const vf inverse = vf_div(vf_set(1.0f), wp_clear_component(way)), middle = vf_neg(vf_mul(start, inverse));
	const vf reach = vf_abs(vf_mul(half, inverse)), wide = vf_abs(vf_mul(vf_add(half, more), inverse));
	const vf from = vf_sub(middle, wide), to = vf_add(middle, wide);
	const vm enters = vf_gt(from, s->from), leaves = vf_lt(to, s->to);
	s->from = vf_select(enters, from, s->from);
	s->first = vf_select(enters, vf_sub(middle, reach), s->first);
	s->to = vf_select(leaves, to, s->to);
	s->last = vf_select(leaves, vf_add(middle, reach), s->last);
}

/* One end of a stretch. */
typedef struct wp_end {
	vf place;      /* along the segment */
	vf lift;       /* of A's surface above its core, where that is the segment */
	vf separation; /* infinite where it is no point */
} wp_end;

/* Where a stretch begins and ends across the normal, seen from the witness points: along it and, both alike, aside. */
typedef struct wp_line_seen {
	vf along[2], aside;
} wp_line_seen;

/* The points in their order: which are the last end of the stretch, and whether the first are the witness points. */
typedef struct wp_ends {
	vm is_last[3], is_witness;
	vi count;
} wp_ends;

/* Of as deep ends the last, which is the one farther along a direction that is fixed in the segment, then the other. If the
 * witness points are deeper, they come first, then the end farther from them, then the other if it spans a triangle. */
WP_INLINE void wp_choose_ends(
	const wp_scene *s, const wp_end end[2], const wp_line_seen *line, uint32_t most, wp_ends *chosen)
{
	const vf never = vf_set(WP_INFINITY), apart2 = vf_mul(s->apart, s->apart);
	const vf first = end[0].separation, last = end[1].separation, least = vf_min(first, last);
	const vm is_point[2] = {vf_lt(first, never), vf_lt(last, never)}, both = vm_and(is_point[0], is_point[1]);
	const vm is_patch = vf_le(vf_sub(least, s->deeper), s->contact);
	const vf aside2 = vf_mul(line->aside, line->aside), length = vf_sub(line->along[1], line->along[0]);
	vf away2[2];
	for (int i = 0; i < 2; i++)
		away2[i] = vf_select(is_point[i], vf_add(vf_mul(line->along[i], line->along[i]), aside2), vf_zero());
	const vf farthest2 = vf_max(away2[0], away2[1]), area = vf_mul(length, line->aside);
	const vm is_long = vm_and(both, vf_gt(vf_mul(length, length), apart2));
	const vm is_wide = vm_and(both, vf_gt(vf_mul(area, area), vf_mul(apart2, farthest2)));

	chosen->is_witness = vm_not(is_patch);
	chosen->is_last[0] = vf_le(last, vf_add(least, s->tolerance));
	const vm last_is_farther = vf_gt(away2[1], vf_mul(away2[0], vf_set(WP_PATCH_BETTER)));
	chosen->is_last[1] = vm_or(vm_andnot(is_patch, chosen->is_last[0]), vm_andnot(last_is_farther, is_patch));
	chosen->is_last[2] = vm_not(chosen->is_last[1]);
	const vm has_second = vm_or(vm_and(is_patch, is_long), vm_andnot(vf_gt(farthest2, apart2), is_patch));
	const vm has_third = vm_and(has_second, vm_andnot(is_wide, is_patch));
	const vi one = vi_set(1), room = vi_set((int32_t)most);
	const vi count = vi_select(has_third, vi_set(3), vi_select(has_second, vi_set(2), one));
	chosen->count = vi_select(vi_gt(count, room), room, count);
}

/* End `k` in the order of choice. */
WP_INLINE wp_end wp_chosen_end(const wp_end end[2], const wp_ends *chosen, int32_t k)
{
	const vm is_last = chosen->is_last[k];
	return (wp_end){.place = vf_select(is_last, end[1].place, end[0].place),
		.lift = vf_select(is_last, end[1].lift, end[0].lift),
		.separation = vf_select(is_last, end[1].separation, end[0].separation)};
}

/* The lanes whose choice `k` are the witness points. */
WP_INLINE vm wp_is_witness_end(const wp_ends *chosen, int32_t k) { return k == 0 ? chosen->is_witness : vm_false(); }

/* What of a segment a place is on. `aside2` is how far beside it, squared and seen along the normal. */
WP_INLINE vi wp_feature_of_rod(const wp_rod *rod, vf place, vf aside2, vf tolerance)
{
	const vf reach = vf_mul(tolerance, rod->lean), near2 = vf_sub(vf_mul(reach, reach), aside2);
	const vf to_end = vf_mul(vf_sub(place, rod->half), rod->lean),
			 to_start = vf_mul(vf_add(place, rod->half), rod->lean);
	const vm is_end = vf_le(vf_mul(to_end, to_end), near2), is_start = vf_le(vf_mul(to_start, to_start), near2);
	return wp_feature_of_ends(is_end, is_start);
}

#endif
