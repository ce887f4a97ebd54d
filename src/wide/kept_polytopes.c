/* The entry points of one variant for kept polytopes of pairs whose points are reused: this file is compiled once per variant, and
 * exports one table. */
#include "wide/closed/kept_polytope.h"

static void bound(const wp_kept_rows *t, uint32_t at, const wp_kept *s, const wp_kept_names *names, uint32_t wanted,
	const vf *slack, const vf *enough, vf *upper)
{
	wp_bound_by_polytopes(t, at, s, names, wanted, slack, enough, upper);
}

const wp_kept_polytope_table WP_KEPT_POLYTOPE_TABLE = {.bound = bound};
