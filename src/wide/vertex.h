/* W2: a vertex of the difference A - B, and what of it is kept: where a core is smooth the places themselves, else ids. */
#ifndef WP_WIDE_VERTEX_H
#define WP_WIDE_VERTEX_H

#include "wide/refill.h"

#ifdef WP_SMOOTH

/* A support vertex of the difference: w = a - b, and its point a of A. */
typedef struct wp_vertex {
	vf3 w, a;
} wp_vertex;

WP_INLINE wp_vertex wp_vertex_zero(void) { return (wp_vertex){vf3_zero(), vf3_zero()}; }

WP_INLINE wp_vertex wp_vertex_select(vm m, wp_vertex a, wp_vertex b)
{
	return (wp_vertex){vf3_select(m, a.w, b.w), vf3_select(m, a.a, b.a)};
}

WP_INLINE void wp_move_vertex(const wp_move *m, const wp_vertex *staged, wp_vertex *own)
{
	own->w = vf3_moved(m, staged->w, own->w);
	own->a = vf3_moved(m, staged->a, own->a);
}

WP_INLINE vm wp_vertex_is(wp_vertex a, wp_vertex b)
{
	const vf3 apart = vf3_sub(a.w, b.w);
	return vm_not(vf_gt(vf_max(vf_max(vf_abs(apart.x), vf_abs(apart.y)), vf_abs(apart.z)), vf_zero()));
}

/* Vertices on their way to the jobs. */
typedef struct wp_kept_vertices {
	WP_VECTOR_ALIGN float w[3][3][WP_WIDTH], a[3][3][WP_WIDTH];
} wp_kept_vertices;

WP_INLINE void wp_keep_vertex(wp_kept_vertices *kept, int i, wp_vertex v)
{
	vf3_store(kept->w[i][0], kept->w[i][1], kept->w[i][2], v.w);
	vf3_store(kept->a[i][0], kept->a[i][1], kept->a[i][2], v.a);
}

WP_INLINE void wp_give_vertices(wp_jobs *jobs, int32_t job, const wp_kept_vertices *kept, uint32_t lane)
{
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			jobs->place[i][k][job] = kept->w[i][k][lane];
			jobs->place_a[i][k][job] = kept->a[i][k][lane];
		}
	}
}

/* Vertex i of each lane's job. */
WP_INLINE wp_vertex wp_vertex_of_job(const wp_jobs *jobs, vi job, int i)
{
	return (wp_vertex){vf3_gather(jobs->place[i][0], jobs->place[i][1], jobs->place[i][2], job),
		vf3_gather(jobs->place_a[i][0], jobs->place_a[i][1], jobs->place_a[i][2], job)};
}

/* The fourth vertex of the lanes' jobs. */
WP_INLINE void wp_give_fourth(wp_jobs *jobs, const wp_lanes *lanes, uint32_t out, wp_vertex v)
{
	WP_VECTOR_ALIGN float w[3][WP_WIDTH], a[3][WP_WIDTH];
	vf3_store(w[0], w[1], w[2], v.w);
	vf3_store(a[0], a[1], a[2], v.a);
	for (uint32_t m = out; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const int32_t job = lanes->job[lane];
		for (int k = 0; k < 3; k++) {
			jobs->place[3][k][job] = w[k][lane];
			jobs->place_a[3][k][job] = a[k][lane];
		}
	}
}

#else

/* A support vertex of the difference: w = a - b, and the ids of a and b as A << 16 | B. */
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
	own->w = vf3_moved(m, staged->w, own->w);
	own->id = vi_moved(m, staged->id, own->id);
}

WP_INLINE vm wp_vertex_is(wp_vertex a, wp_vertex b) { return vi_eq(a.id, b.id); }

/* Vertices on their way to the jobs. */
typedef struct wp_kept_vertices {
	WP_VECTOR_ALIGN int32_t id[3][WP_WIDTH];
} wp_kept_vertices;

WP_INLINE void wp_keep_vertex(wp_kept_vertices *kept, int i, wp_vertex v) { vi_store(kept->id[i], v.id); }

WP_INLINE void wp_give_vertices(wp_jobs *jobs, int32_t job, const wp_kept_vertices *kept, uint32_t lane)
{
	jobs->vertex[0][job] = kept->id[0][lane];
	jobs->vertex[1][job] = kept->id[1][lane];
	jobs->vertex[2][job] = kept->id[2][lane];
}

/* The fourth vertex of the lanes' jobs. */
WP_INLINE void wp_give_fourth(wp_jobs *jobs, const wp_lanes *lanes, uint32_t out, wp_vertex v)
{
	wp_lanes_put_int(lanes, out, jobs->vertex[3], v.id);
}

#endif

#endif
