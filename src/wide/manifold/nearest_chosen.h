/* Which of the points chosen so far is the nearest to one. */
#ifndef WP_WIDE_MANIFOLD_NEAREST_CHOSEN_H
#define WP_WIDE_MANIFOLD_NEAREST_CHOSEN_H

#include "wide/lane/vec.h"

typedef struct wp_nearest {
	vf away2; /* the square of its distance */
	vi place; /* in the order of choice; of those as near the first */
} wp_nearest;

WP_INLINE wp_nearest wp_none_near(void) { return (wp_nearest){vf_set(WP_INFINITY), vi_zero()}; }

/* Look at choice `k` of lanes that have `count`. */
WP_INLINE void wp_keep_nearest(wp_nearest *nearest, vf away2, vi count, int32_t k)
{
	const vm nearer = vm_and(vi_gt(count, vi_set(k)), vf_lt(away2, nearest->away2));
	nearest->away2 = vf_select(nearer, away2, nearest->away2);
	nearest->place = vi_select(nearer, vi_set(k), nearest->place);
}

#endif
