/* W1: the lanes of a kernel that is running: which job each lane holds, what stays constant for it,
 * and how lanes are filled again when enough of them are done. */
#ifndef WP_WIDE_LANES_H
#define WP_WIDE_LANES_H

#include "bundle.h"
#include "wide/vec3.h"

typedef struct wp_lanes {
	WP_VECTOR_ALIGN int32_t job[WP_WIDTH]; /* index into the jobs; a dead lane keeps its last one */
	uint32_t live;                         /* bit per lane */
	vi job_v;                              /* job[] as a vector */
	vf33 rotation;                         /* from B's frame to A's */
	vf3 translation;                       /* origin of B in A's frame, scaled */
	vf3 half_a, half_b;                    /* box sides: scaled extents */
	vf scale;                              /* hull sides: factor of their vertices */
	const wp_lane_hulls *hulls_a, *hulls_b; /* hull sides: their vertices in lanes, unscaled */
	int32_t rows_a, rows_b;                /* vertices there; 0 where some hull has too many */
} wp_lanes;

/* No lane live, and numbers to compute on for those that never will be. */
WP_INLINE void wp_lanes_start(wp_lanes *lanes)
{
	vi_store(lanes->job, vi_zero());
	lanes->live = 0;
	lanes->job_v = vi_zero();
	for (int i = 0; i < 3; i++)
		lanes->rotation.row[i] = vf3_zero();
	lanes->translation = lanes->half_a = lanes->half_b = vf3_zero();
	lanes->scale = vf_zero();
	lanes->hulls_a = lanes->hulls_b = NULL;
	lanes->rows_a = lanes->rows_b = 0;
}

/* Whether half of the lanes or more are dead: refilling then, not at every death, was measured best. */
WP_INLINE bool wp_lanes_want_refill(const wp_lanes *lanes)
{
	return 2 * wp_count_bits(lanes->live) <= WP_WIDTH;
}

/* Put the jobs list[*next ...], of `total`, into the dead lanes. Returns the lanes filled. */
WP_INLINE uint32_t wp_lanes_fill(wp_lanes *lanes, const int32_t *list, uint32_t total, uint32_t *next)
{
	uint32_t filled = 0;
	uint32_t dead = WP_ALL_LANES & ~lanes->live;
	while (dead != 0 && *next < total) {
		const uint32_t lane = wp_lowest_bit(dead);
		dead &= dead - 1;
		lanes->job[lane] = list[(*next)++];
		filled |= 1u << lane;
	}
	lanes->live |= filled;
	lanes->job_v = vi_load(lanes->job);
	return filled;
}

#if WP_WIDTH == 1

/* A hull's own arrays are the vertices of one lane. */
WP_INLINE int32_t wp_lanes_load_hulls(const wp_lanes *lanes, const float *const *vertices, const uint32_t *count,
	const uint32_t *padded, wp_lane_hulls *hulls)
{
	(void)lanes, (void)vertices, (void)count, (void)padded, (void)hulls;
	return 0;
}

#else

/* Vertices up to which the copy was measured to pay: the wider the vector, the fewer of them it takes to
 * look at one hull. */
#define WP_LANE_ROW_MAX (WP_WIDTH == WP_WIDTH_MAX ? 8 : WP_WIDTH == 8 ? 16 : WP_LANE_HULL_MAX)

/* Copy the vertices of all lanes' hulls. Returns the rows that were needed, 0 where a hull has too many. A
 * hull shorter than that repeats its last vertices, which lose ties to themselves. */
WP_NOINLINE int32_t wp_lanes_load_hulls(const wp_lanes *lanes, const float *const *vertices, const uint32_t *count,
	const uint32_t *padded, wp_lane_hulls *hulls)
{
	uint32_t rows = 0;
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		const uint32_t vertex_count = lanes->live >> lane & 1 ? count[lanes->job[lane]] : 0;
		rows = vertex_count > rows ? vertex_count : rows;
	}
	if (rows > WP_LANE_ROW_MAX)
		return 0;
	for (uint32_t row = 0; row < rows; row += 4) {
		const float *x[WP_WIDTH], *y[WP_WIDTH], *z[WP_WIDTH];
		for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
			const uint32_t stride = padded[lanes->job[lane]], last = stride - 4;
			x[lane] = vertices[lanes->job[lane]] + (row < last ? row : last);
			y[lane] = x[lane] + stride;
			z[lane] = y[lane] + stride;
		}
		vf_transpose_rows(x, hulls->x + row * WP_WIDTH);
		vf_transpose_rows(y, hulls->y + row * WP_WIDTH);
		vf_transpose_rows(z, hulls->z + row * WP_WIDTH);
	}
	return (int32_t)rows;
}

#endif

/* Load what stays constant. Live lanes get the same values again. */
WP_INLINE void wp_lanes_load(wp_lanes *lanes, const wp_jobs *jobs, int kind_a, int kind_b)
{
	const vi job = lanes->job_v;
	for (int i = 0; i < 3; i++)
		lanes->rotation.row[i] = vf3_gather(jobs->rotation[3 * i], jobs->rotation[3 * i + 1],
			jobs->rotation[3 * i + 2], job);
	lanes->translation = vf3_gather(jobs->translation[0], jobs->translation[1], jobs->translation[2], job);
	lanes->scale = vf_gather(jobs->scale, job);
	if (kind_a == WP_KIND_BOX)
		lanes->half_a = vf3_scale(vf3_gather(jobs->half_a[0], jobs->half_a[1], jobs->half_a[2], job),
			lanes->scale);
	if (kind_b == WP_KIND_BOX)
		lanes->half_b = vf3_scale(vf3_gather(jobs->half_b[0], jobs->half_b[1], jobs->half_b[2], job),
			lanes->scale);
}

/* Copy the vertices of hull sides to where supports look for them. */
WP_INLINE void wp_lanes_load_vertices(wp_lanes *lanes, const wp_jobs *jobs, wp_scratch *scratch, int kind_a, int kind_b)
{
	lanes->hulls_a = &scratch->hulls_a;
	lanes->hulls_b = &scratch->hulls_b;
	if (kind_a == WP_KIND_HULL)
		lanes->rows_a = wp_lanes_load_hulls(lanes, jobs->vertices_a, jobs->count_a, jobs->padded_a, &scratch->hulls_a);
	if (kind_b == WP_KIND_HULL)
		lanes->rows_b = wp_lanes_load_hulls(lanes, jobs->vertices_b, jobs->count_b, jobs->padded_b, &scratch->hulls_b);
}

/* field[job of lane] = value of lane, for the lanes in `lanes_out`. */
WP_INLINE void wp_lanes_put(const wp_lanes *lanes, uint32_t lanes_out, float *field, vf value)
{
	WP_VECTOR_ALIGN float v[WP_WIDTH];
	vf_store(v, value);
	for (uint32_t m = lanes_out; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		field[lanes->job[lane]] = v[lane];
	}
}

WP_INLINE void wp_lanes_put_int(const wp_lanes *lanes, uint32_t lanes_out, int32_t *field, vi value)
{
	WP_VECTOR_ALIGN int32_t v[WP_WIDTH];
	vi_store(v, value);
	for (uint32_t m = lanes_out; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		field[lanes->job[lane]] = v[lane];
	}
}

#endif
