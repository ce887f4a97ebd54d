/* A vertex of the difference A - B, and what of it is kept: ids, or where a core is smooth the places themselves. */
#ifndef WP_WIDE_SUPPORT_VERTEX_H
#define WP_WIDE_SUPPORT_VERTEX_H

#include "wide/job/refill.h"

/* A support vertex of the difference: w = a - b, and an id: of a and b as A << 16 | B; where a core is smooth, of the row
 * that the point a is kept in. */
typedef struct wp_vertex {
	vf3 w;
	vi id;
} wp_vertex;

WP_INLINE wp_vertex wp_vertex_zero(void) { return (wp_vertex){vf3_zero(), vi_zero()}; }

WP_INLINE wp_vertex wp_vertex_select(vm m, wp_vertex a, wp_vertex b)
{
	return (wp_vertex){vf3_select(m, a.w, b.w), vi_select(m, a.id, b.id)};
}

WP_INLINE void wp_move_vertex(const wp_move *m, const wp_vertex *staged, wp_vertex *own)
{
	own->w = vf3_moved(m, &staged->w, own->w);
	own->id = vi_moved(m, &staged->id, own->id);
}

/* Whether two vertices are the same: of equal ids, or where ids are of rows, in one place. */
WP_INLINE vm wp_vertex_is(bool smooth, wp_vertex a, wp_vertex b)
{
	if (!smooth)
		return vi_eq(a.id, b.id);
	const vf3 apart = vf3_sub(a.w, b.w);
	return vf_not_gt(vf_max(vf_max(vf_abs(apart.x), vf_abs(apart.y)), vf_abs(apart.z)), vf_zero());
}

/* ---- points of A -------------------------------------------------------------------------------- */

WP_INLINE float *wp_point_row(wp_points_a *points, int32_t row) { return points->at + 3 * WP_WIDTH * row; }

/* Keep the points of a row. */
WP_INLINE void wp_keep_points(wp_points_a *points, int32_t row, vf3 a)
{
	float *const at = wp_point_row(points, row);
	vf3_store(at, at + WP_WIDTH, at + 2 * WP_WIDTH, a);
}

/* The points of one row each. */
WP_INLINE vf3 wp_points_of(const wp_points_a *points, vi row)
{
	const vi at = vi_element(vi_add(row, vi_add(row, row)));
	return vf3_gather(points->at, points->at + WP_WIDTH, points->at + 2 * WP_WIDTH, at);
}

/* ---- of jobs ------------------------------------------------------------------------------------ */

/* Vertices on their way to the jobs. */
typedef struct wp_kept_vertices {
	WP_VECTOR_ALIGN int32_t id[4][WP_WIDTH];
	WP_VECTOR_ALIGN float w[4][3][WP_WIDTH];
} wp_kept_vertices;

WP_INLINE void wp_keep_vertex(wp_kept_vertices *kept, const wp_terms *terms, int i, wp_vertex v)
{
	vi_store(kept->id[i], v.id);
	if (terms->smooth)
		vf3_store(kept->w[i][0], kept->w[i][1], kept->w[i][2], v.w);
}

/* Hand vertex i of a lane over to its job. */
WP_INLINE void wp_give_vertex(
	wp_jobs *jobs, int32_t job, int i, const wp_kept_vertices *kept, uint32_t lane, const wp_points_a *points)
{
	const int32_t id = kept->id[i][lane];
	if (!jobs->terms->smooth) {
		jobs->vertex[i][job] = id;
		return;
	}
	for (int k = 0; k < 3; k++) {
		jobs->place[i][k][job] = kept->w[i][k][lane];
		jobs->place_a[i][k][job] = points->at[(3 * id + k) * WP_WIDTH + (int32_t)lane];
	}
}

/* The fourth vertex of the lanes' jobs. */
WP_NOINLINE void wp_give_fourth(
	wp_jobs *jobs, const int32_t *job, uint32_t out, const wp_kept_vertices *kept, const wp_points_a *points)
{
	for (uint32_t m = out; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		wp_give_vertex(jobs, job[lane], 3, kept, lane, points);
	}
}

/* Vertex i of each lane's job, and the point of A under it, where a core is smooth. */
WP_INLINE vf3 wp_place_of_job(const wp_jobs *jobs, vi job, int i, vf3 *a)
{
	*a = vf3_gather(jobs->place_a[i][0], jobs->place_a[i][1], jobs->place_a[i][2], job);
	return vf3_gather(jobs->place[i][0], jobs->place[i][1], jobs->place[i][2], job);
}

#endif
