/* The rules of reduce.h for eight places in one plane, of which those that are none have no weight. */
#ifndef WP_WIDE_MANIFOLD_REDUCE_EIGHT_H
#define WP_WIDE_MANIFOLD_REDUCE_EIGHT_H

#include "wide/manifold/nearest_chosen.h"
#include "wide/manifold/point.h"

/* What a plane that leans measures across the normal: the squared length of a step (y, z) is yy y^2 + yz y z + zz z^2. */
typedef struct wp_plane_measure {
	vf yy, yz, zz;
	vf area; /* of a square of side 1 */
} wp_plane_measure;

typedef struct wp_eight {
	vf y[8], z[8];
	vf separation[8]; /* infinite where it is none */
	vf weight[8];     /* how much it is preferred, 0 where it is none */
} wp_eight;

/* The places chosen so far. */
typedef struct wp_eight_chosen {
	vf y[WP_POINT_MAX], z[WP_POINT_MAX], separation[WP_POINT_MAX]; /* in the order of choice */
	vf corner_y[WP_POINT_MAX + 1], corner_z[WP_POINT_MAX + 1];     /* the same, with their right to the outside */
	vm is_witness;                                                 /* the first are the witness points */
	vi count;
	vf span; /* across the normal, from the first to the second */
	vm open; /* more may follow */
} wp_eight_chosen;

/* The best of the places by some measure, which is not negative; of those as good the first. What is better exceeds the
 * bar; where it is as it was, none is good enough. */
typedef struct wp_best_of_eight {
	vf bar, y, z, separation;
} wp_best_of_eight;

WP_INLINE wp_best_of_eight wp_none_of_eight(vf bar) { return (wp_best_of_eight){bar, vf_zero(), vf_zero(), vf_zero()}; }

WP_INLINE void wp_keep_of_eight(wp_best_of_eight *best, const wp_eight *e, int k, vf value)
{
	const vm better = vf_gt(value, best->bar);
	best->bar = vf_select(better, vf_mul(value, vf_set(WP_PATCH_BETTER)), best->bar);
	best->y = vf_select(better, e->y[k], best->y);
	best->z = vf_select(better, e->z[k], best->z);
	best->separation = vf_select(better, e->separation[k], best->separation);
}

WP_INLINE vf wp_least_of_eight(const wp_eight *e)
{
	vf least = e->separation[0];
	WP_ROLLED
	for (int k = 1; k < 8; k++)
		least = vf_min(e->separation[k], least);
	return least;
}

/* Of the places up to a separation the one farthest along a direction that is fixed in the plane, counted from `far` behind all of
 * them. */
WP_NOINLINE wp_best_of_eight wp_outermost_of_eight(const wp_eight *e, vf limit, vf far)
{
	wp_best_of_eight best = wp_none_of_eight(vf_zero());
	WP_ROLLED
	for (int k = 0; k < 8; k++) {
		const vf sideways = vf_add(vf_mul(e->y[k], vf_set(0.8f)), vf_mul(e->z[k], vf_set(0.6f)));
		const vm is_deep = vf_le(e->separation[k], limit);
		wp_keep_of_eight(&best, e, k, vf_select(is_deep, vf_add(far, sideways), vf_zero()));
	}
	return best;
}

/* One of the deepest, see wp_choose_first; or the witness points, which are at (y, z), where they are deeper than all. */
WP_INLINE void wp_choose_first_of_eight(
	const wp_scene *s, const wp_eight *e, vf least, vf y, vf z, vf far, wp_eight_chosen *chosen)
{
	const wp_best_of_eight best = wp_outermost_of_eight(e, vf_add(least, s->rest), far);
	chosen->is_witness = vm_not(vf_le(vf_sub(least, s->deeper), s->contact));
	chosen->y[0] = chosen->corner_y[0] = vf_select(chosen->is_witness, y, best.y);
	chosen->z[0] = chosen->corner_z[0] = vf_select(chosen->is_witness, z, best.z);
	chosen->separation[0] = best.separation;
	chosen->count = vi_set(1);
	chosen->open = vm_all();
}

WP_INLINE vf wp_length2_across(const wp_plane_measure *m, vf y, vf z)
{
	return vf_add(vf_mul(y, vf_add(vf_mul(m->yy, y), vf_mul(m->yz, z))), vf_mul(m->zz, vf_mul(z, z)));
}

WP_INLINE void wp_take_of_eight(const wp_best_of_eight *best, vf bar, int32_t count, wp_eight_chosen *chosen)
{
	chosen->y[count] = best->y;
	chosen->z[count] = best->z;
	chosen->separation[count] = best->separation;
	chosen->open = vm_and(chosen->open, vf_gt(best->bar, bar));
	chosen->count = vi_select(chosen->open, vi_set(count + 1), chosen->count);
}

/* The one farthest from the first. */
WP_INLINE void wp_choose_farthest_of_eight(
	const wp_scene *s, const wp_eight *e, const wp_plane_measure *m, wp_eight_chosen *chosen)
{
	const vf bar = vf_mul(vf_mul(s->apart, s->apart), vf_set(WP_PATCH_BETTER));
	wp_best_of_eight best = wp_none_of_eight(bar);
	WP_ROLLED
	for (int k = 0; k < 8; k++) {
		const vf length2 = wp_length2_across(m, vf_sub(e->y[k], chosen->y[0]), vf_sub(e->z[k], chosen->z[0]));
		wp_keep_of_eight(&best, e, k, vf_mul(length2, e->weight[k]));
	}
	wp_take_of_eight(&best, bar, 1, chosen);
	chosen->corner_y[1] = best.y;
	chosen->corner_z[1] = best.z;
	const vf length2 = wp_length2_across(m, vf_sub(best.y, chosen->y[0]), vf_sub(best.z, chosen->z[0]));
	chosen->span = vf_sqrt(length2);
}

/* Of an edge of the chosen ones: twice the area of the triangle with a place to its right, y y' + z z' + base. */
typedef struct wp_edge_area {
	vf y, z, base;
} wp_edge_area;

WP_INLINE wp_edge_area wp_area_right_of(
	const wp_plane_measure *m, const wp_eight_chosen *chosen, int32_t k, int32_t count)
{
	const int32_t next = k + 1 < count ? k + 1 : 0;
	const vf y = chosen->corner_y[k], z = chosen->corner_z[k];
	const vf by_y = vf_mul(vf_sub(chosen->corner_z[next], z), m->area);
	const vf by_z = vf_mul(vf_sub(y, chosen->corner_y[next]), m->area);
	return (wp_edge_area){by_y, by_z, vf_neg(vf_add(vf_mul(by_y, y), vf_mul(by_z, z)))};
}

WP_INLINE vf wp_area_at(const wp_edge_area *edge, vf y, vf z)
{
	return vf_add(vf_add(vf_mul(edge->y, y), vf_mul(edge->z, z)), edge->base);
}

/* Make a place a corner of the chosen ones, of which there were `count`, behind the edge that it adds most to. */
WP_INLINE void wp_insert_of_eight(
	const wp_best_of_eight *best, const wp_edge_area *edge, int32_t count, wp_eight_chosen *chosen)
{
	vf most = wp_area_at(&edge[0], best->y, best->z);
	vi place = vi_zero();
	for (int32_t k = 1; k < count; k++) {
		const vf area = wp_area_at(&edge[k], best->y, best->z);
		place = vi_select(vf_gt(area, most), vi_set(k), place);
		most = vf_max(area, most);
	}
	chosen->corner_y[count] = best->y;
	chosen->corner_z[count] = best->z;
	for (int32_t k = count; k > 0; k--) {
		const vm here = vi_eq(place, vi_set(k - 1)), behind = vi_gt(vi_set(k - 1), place);
		chosen->corner_y[k] = vf_select(here, best->y, vf_select(behind, chosen->corner_y[k - 1], chosen->corner_y[k]));
		chosen->corner_z[k] = vf_select(here, best->z, vf_select(behind, chosen->corner_z[k - 1], chosen->corner_z[k]));
	}
}

/* The weight of a place among the `count` chosen ones: none where one of them is, see wp_weight_apart. */
WP_INLINE vf wp_weight_apart_of_eight(const wp_scene *s, const wp_eight *e, const wp_plane_measure *m,
	const wp_eight_chosen *chosen, int32_t count, int i)
{
	const vf apart2 = vf_mul(s->apart, s->apart);
	vf weight = e->weight[i];
	for (int32_t k = 0; k < count; k++) {
		const vf y = vf_sub(e->y[i], chosen->y[k]), z = vf_sub(e->z[i], chosen->z[k]);
		weight = vf_select(vf_gt(wp_length2_across(m, y, z), apart2), weight, vf_zero());
	}
	return weight;
}

/* The one that adds the largest triangle beyond an edge of the `count` chosen ones. Two have an edge there and one back. */
WP_INLINE void wp_choose_widest_of_eight(const wp_scene *s, const wp_eight *e, const wp_plane_measure *m, int32_t count,
	bool is_last, wp_eight_chosen *chosen)
{
	const vf bar = vf_mul(vf_mul(s->apart, chosen->span), vf_set(WP_PATCH_BETTER));
	wp_best_of_eight best = wp_none_of_eight(bar);
	wp_edge_area edge[WP_POINT_MAX];
	for (int32_t k = 0; k < count; k++)
		edge[k] = wp_area_right_of(m, chosen, k, count);
	WP_ROLLED
	for (int i = 0; i < 8; i++) {
		vf most = wp_area_at(&edge[0], e->y[i], e->z[i]);
		for (int32_t k = 1; k < count && count > 2; k++)
			most = vf_max(wp_area_at(&edge[k], e->y[i], e->z[i]), most);
		const vf weight = count > 3 ? wp_weight_apart_of_eight(s, e, m, chosen, count, i) : e->weight[i];
		wp_keep_of_eight(&best, e, i, vf_mul(count > 2 ? most : vf_abs(most), weight));
	}
	wp_take_of_eight(&best, bar, count, chosen);
	if (!is_last)
		wp_insert_of_eight(&best, edge, count, chosen);
}

/* Whether none of the chosen ones, of which no lane has more than `most`, is up to a separation. */
WP_INLINE vm wp_lacks_of_eight(const wp_eight_chosen *chosen, int32_t most, vf limit)
{
	vm lacks = vm_not(chosen->is_witness);
	WP_ROLLED
	for (int32_t k = 0; k < most; k++)
		lacks = vm_and(lacks, vm_or(vf_gt(chosen->separation[k], limit), vi_gt(vi_set(k + 1), chosen->count)));
	return lacks;
}

/* Let one of the deepest, which are up to a separation, take the place of the nearest one in lanes that lack one. */
WP_NOINLINE void wp_choose_deepest_of_eight(
	const wp_eight *e, const wp_plane_measure *m, int32_t most, vf limit, vf far, vm lacks, wp_eight_chosen *chosen)
{
	const wp_best_of_eight best = wp_outermost_of_eight(e, limit, far);
	wp_nearest nearest = wp_none_near();
	WP_ROLLED
	for (int32_t k = 0; k < most; k++) {
		const vf away2 = wp_length2_across(m, vf_sub(best.y, chosen->y[k]), vf_sub(best.z, chosen->z[k]));
		wp_keep_nearest(&nearest, away2, chosen->count, k);
	}
	WP_ROLLED
	for (int32_t k = 0; k < most; k++) {
		const vm here = vm_and(lacks, vi_eq(nearest.place, vi_set(k)));
		chosen->y[k] = vf_select(here, best.y, chosen->y[k]);
		chosen->z[k] = vf_select(here, best.z, chosen->z[k]);
		chosen->separation[k] = vf_select(here, best.separation, chosen->separation[k]);
	}
}

/* Choose up to `most`; the witness points are at (y, z), and `far` is more than any place is from the plane's origin. */
WP_INLINE void wp_reduce_eight(const wp_scene *s, const wp_eight *e, const wp_plane_measure *m, vf y, vf z, vf far,
	uint32_t most, wp_eight_chosen *chosen)
{
	const vf least = wp_least_of_eight(e), as_deep = vf_add(least, s->tolerance);
	wp_choose_first_of_eight(s, e, least, y, z, far, chosen);
	if (most > 1)
		wp_choose_farthest_of_eight(s, e, m, chosen);
	if (most > 2)
		wp_choose_widest_of_eight(s, e, m, 2, most == 3, chosen);
	if (most > 3)
		wp_choose_widest_of_eight(s, e, m, 3, most == 4, chosen);
	int32_t count = most < 4 ? (int32_t)most : 4;
	for (; count < (int32_t)most && vm_any(chosen->open); count++)
		wp_choose_widest_of_eight(s, e, m, count, false, chosen);
	const vm lacks = wp_lacks_of_eight(chosen, count, as_deep);
	if (vm_any(lacks))
		wp_choose_deepest_of_eight(e, m, count, as_deep, far, lacks, chosen);
}

#endif
