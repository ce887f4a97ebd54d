/* The entry points of one variant for depths that kept polytopes prove again: this file is compiled once per variant, and exports
 * one table. */
#include "wide/search/proven_depth.h"

static void recall(const wp_recall *r, const wp_jobs *jobs, const wp_lanes *lanes, int kind_a, int kind_b,
	const wp_vertex v[3], vf *depth)
{
	*depth = wp_recall_polytope(r, jobs, lanes, kind_a, kind_b, v);
}

static void keep_polytopes(const wp_polytopes *p, const vi *face_count, uint32_t closed, const wp_jobs *jobs,
	const wp_lanes *lanes, const vi *own)
{
	wp_keep_polytopes(p, *face_count, closed, jobs, lanes, own);
}

const wp_polytope_table WP_POLYTOPE_TABLE = {.recall = recall, .keep = keep_polytopes};
