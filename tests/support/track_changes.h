/* What tests of frames ask of the rows that changed. */
#ifndef TESTS_SUPPORT_TRACK_CHANGES_H
#define TESTS_SUPPORT_TRACK_CHANGES_H

#include "support/check.h"
#include "widephase/track.h"

#include <stdbool.h>

/* The rows that changed are the ones whose pair has other than no points, or none any more, each once. `order`: of each of `count`
 * rows its pair; `before`: of each pair how many points, or patches, it had. */
static inline void check_changes(const wp_tracked *pairs, const uint32_t *order, uint32_t count,
	const wp_track_changes *changes, const uint16_t *before)
{
	size_t told = 0;
	for (uint32_t row = 0; row < count; row++) {
		const wp_tracked *const pair = &pairs[order[row]];
		const bool had = before[order[row]] != 0, has = pair->count != 0;
		uint32_t times = 0;
		for (size_t i = 0; i < changes->count; i++)
			times += changes->rows[i] == row;
		cr_assert_eq(times, had != has ? 1u : 0u);
		told += times;
		cr_assert_eq((pair->event & WP_TRACK_BEGAN) != 0, has && !had);
		cr_assert_eq((pair->event & WP_TRACK_ENDED) != 0, had && !has);
	}
	cr_assert_eq(told, changes->count);
}

#endif
