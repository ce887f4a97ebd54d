/* The entry points of one variant for kept polytopes of pairs whose points are reused: this file is compiled once per variant, and
 * exports one table. */
#include "wide/closed/kept_polytope.h"

static void bound(const wp_kept_rows *rows, wp_deep_pairs *pairs) { wp_bound_by_polytopes(rows, pairs); }

const wp_kept_polytope_table WP_KEPT_POLYTOPE_TABLE = {.bound = bound};
