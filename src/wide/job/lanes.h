/* The lanes of a kernel that is running: which job each lane holds, and what stays constant for it. */
#ifndef WP_WIDE_JOB_LANES_H
#define WP_WIDE_JOB_LANES_H

#include "wide/job/form.h"
#include "wide/job/terms.h"
#include "wide/lane/vec3.h"

/* The hulls of one side. */
typedef struct wp_lane_side {
	const float *vertices[WP_WIDTH]; /* x, y, z arrays, `stride` apart */
	uint32_t stride[WP_WIDTH];
	uint32_t most;                   /* vertices of the largest hull that has been in a lane */
	wp_lane_hulls *hulls;            /* the same in lanes, unscaled */
	int32_t rows;                    /* vertices there; 0 where some hull has too many for that */
	vi form;                         /* wp_form of what is no hull, with a smooth core on either side */
	vf ball;                         /* there: wp_ball_of it, scaled */
	wp_find_farthest *find_farthest; /* in one lane: of the jobs */
} wp_lane_side;

typedef struct wp_lanes {
	WP_VECTOR_ALIGN int32_t job[WP_WIDTH]; /* index into the jobs; a dead lane keeps its last one */
	uint32_t live;                         /* bit per lane */
	vi job_v;                              /* job[] as a vector */
	vf33 rotation;                         /* from B's frame to A's */
	vf3 translation;                       /* origin of B in A's frame, scaled */
	vf3 half_a, half_b;                    /* box sides: scaled extents */
	vf scale;                              /* power of two from world to kernel lengths; refills do not move it */
	vf hull_scale;                         /* hull sides: factor of their vertices */
	vf radius_a, radius_b;                 /* unscaled; refills do not move them */
	wp_lane_side a, b;                     /* hull sides */
} wp_lanes;

/* How many lanes are live. SSE2 has no count of bits; that of four is looked up. */
WP_INLINE uint32_t wp_live_count(const wp_lanes *lanes)
{
	if (WP_WIDTH == 1)
		return lanes->live;
	if (WP_WIDTH == 4 && WP_IS_X86)
		return (uint32_t)(UINT64_C(0x4332322132212110) >> 4 * lanes->live) & 0xfu;
	return wp_count_bits(lanes->live);
}

WP_INLINE void wp_lane_side_start(wp_lane_side *side)
{
	for (int lane = 0; lane < WP_WIDTH; lane++) {
		side->vertices[lane] = NULL;
		side->stride[lane] = 0;
	}
	side->most = 0;
	side->hulls = NULL;
	side->rows = 0;
	side->form = vi_zero();
	side->ball = vf_zero();
	if (WP_WIDTH == 1)
		side->find_farthest = NULL;
}

/* No lane live, and numbers to compute on for those that never will be: in one lane none but those that only some kinds of
 * cores have, which GCC for other machines than x86 does not see. */
WP_INLINE void wp_lanes_start(wp_lanes *lanes)
{
	vi_store(lanes->job, vi_zero());
	lanes->live = 0;
	lanes->job_v = vi_zero();
	lanes->half_a = lanes->half_b = vf3_zero();
	if (WP_WIDTH > 1 || !WP_IS_X86) {
		for (int i = 0; i < 3; i++)
			lanes->rotation.row[i] = vf3_zero();
		lanes->translation = vf3_zero();
		lanes->scale = lanes->hull_scale = lanes->radius_a = lanes->radius_b = vf_zero();
	}
	wp_lane_side_start(&lanes->a);
	wp_lane_side_start(&lanes->b);
}

/* Put the jobs list[*next ...], of `total`, into the lanes, which are all dead. A vector of jobs just stored one by one would wait
 * for these stores. */
WP_INLINE void wp_lanes_fill(wp_lanes *lanes, const int32_t *list, uint32_t total, uint32_t *next)
{
	const uint32_t left = total - *next, count = left < WP_WIDTH ? left : WP_WIDTH;
	if (count == WP_WIDTH) {
		wp_copy_bytes(&lanes->job_v, list + *next, sizeof lanes->job_v);
		vi_store(lanes->job, lanes->job_v);
	} else {
		for (uint32_t lane = 0; lane < count; lane++)
			lanes->job[lane] = list[*next + lane];
		lanes->job_v = vi_load(lanes->job);
	}
	*next += count;
	lanes->live = (1u << count) - 1;
}

/* Vertices up to which a copy was measured to pay: the wider the vector, the fewer of them it takes to look
 * at one hull where it is. */
#define WP_LANE_ROW_MAX (WP_WIDTH == 16 ? 8 : WP_WIDTH > 1 ? 4 : 0)

_Static_assert(WP_LANE_ROW_MAX <= WP_LANE_HULL_MAX && WP_LANE_HULL_MAX % 4 == 0, "rows are copied four at a time");

#if WP_WIDTH > 1
/* Copy the vertices of all lanes' hulls into rows. A hull shorter than the longest repeats its last vertices,
 * which lose ties to themselves. */
WP_NOINLINE void wp_lane_side_copy(const wp_lane_side *side)
{
	wp_lane_hulls *const hulls = side->hulls;
	for (uint32_t row = 0; row < (uint32_t)side->rows; row += 4) {
		const float *x[WP_WIDTH], *y[WP_WIDTH], *z[WP_WIDTH];
		for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
			const uint32_t stride = side->stride[lane], last = stride - 4;
			x[lane] = side->vertices[lane] + (row < last ? row : last);
			y[lane] = x[lane] + stride;
			z[lane] = y[lane] + stride;
		}
		vf_transpose_rows(x, hulls->x + row * WP_WIDTH);
		vf_transpose_rows(y, hulls->y + row * WP_WIDTH);
		vf_transpose_rows(z, hulls->z + row * WP_WIDTH);
	}
}
#else
WP_INLINE void wp_lane_side_copy(const wp_lane_side *side) { (void)side; }
#endif

WP_INLINE void wp_lane_side_set(wp_lane_side *side, uint32_t lane, const wp_core *core)
{
	side->vertices[lane] = core->vertices;
	side->stride[lane] = core->padded;
}

/* Look up where the hulls of all lanes are. */
WP_INLINE void wp_lane_side_load(wp_lane_side *side, const wp_lanes *lanes, const wp_core *const *cores)
{
	uint32_t most = 0;
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		const wp_core *const core = cores[lanes->job[lane]];
		const uint32_t live_count = lanes->live >> lane & 1 ? core->count : 0;
		wp_lane_side_set(side, lane, core);
		most = live_count > most ? live_count : most;
	}
	side->most = most;
}

/* Look up where the hull of one lane is, in a lane of another state. Not needed where hulls are held in rows. */
WP_INLINE void wp_lane_side_take(wp_lane_side *side, uint32_t lane, const wp_lane_side *from, uint32_t source)
{
	if (side->rows != 0)
		return;
	side->vertices[lane] = from->vertices[source];
	side->stride[lane] = from->stride[source];
	if (WP_WIDTH == 1) {
		side->most = from->most;
		side->find_farthest = from->find_farthest;
	}
}

/* Load the poses of the jobs `job`. */
WP_INLINE void wp_lanes_load_poses(wp_lanes *lanes, const wp_jobs *jobs, vi job)
{
	const vi at = vi_shift_left(job, 2);
	const vf4 x = vf4_gather(jobs->pose, at), y = vf4_gather(jobs->pose + 4, at), z = vf4_gather(jobs->pose + 8, at);
	const vf4 lengths = vf4_gather(jobs->pose + 12, at);
	lanes->rotation = (vf33){{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
	lanes->translation = vf3_set(x.w, y.w, z.w);
	lanes->scale = lengths.x;
	lanes->radius_a = lengths.y;
	lanes->radius_b = lengths.z;
	lanes->hull_scale = lengths.w;
}

/* The forms of what is no hull on one side, and their balls. */
WP_NOINLINE void wp_lane_side_load_forms(
	wp_lane_side *side, const wp_lanes *lanes, const wp_core *const *cores, const vf3 *half)
{
	WP_VECTOR_ALIGN int32_t form[WP_WIDTH];
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		form[lane] = (int32_t)cores[lanes->job[lane]]->count;
	side->form = vi_load(form);
	side->ball = wp_ball_of(*half, side->form);
}

/* Three numbers of each lane's job. Where the lanes have all jobs of a block in order, as lists of queries without closed forms
 * do, the numbers lie side by side; others skip jobs, and repeat the last one. The module for JavaScript is to be small. */
WP_INLINE vf3 wp_lanes_numbers(const wp_lanes *lanes, const float *x, const float *y, const float *z)
{
	const int32_t first = lanes->job[0];
	if (WP_WIDTH > 1 && !WP_WASM && ((uint32_t)first & (WP_WIDTH - 1)) == 0 &&
		vm_bits(vi_eq(lanes->job_v, vi_add(vi_set(first), vi_lanes()))) == WP_ALL_LANES)
		return vf3_load(x + first, y + first, z + first);
	return vf3_gather(x, y, z, lanes->job_v);
}

/* Load what stays constant. Live lanes get the same values again. */
WP_INLINE void wp_lanes_load(wp_lanes *lanes, const wp_jobs *jobs, int kind_a, int kind_b)
{
	const vi job = lanes->job_v;
	wp_lanes_load_poses(lanes, jobs, job);
	if (kind_a != WP_CORE_HULL)
		lanes->half_a = vf3_scale(
			wp_lanes_numbers(lanes, jobs->half_a[0], jobs->half_a[1], jobs->half_a[2]), lanes->scale);
	if (kind_b != WP_CORE_HULL)
		lanes->half_b = vf3_scale(
			wp_lanes_numbers(lanes, jobs->half_b[0], jobs->half_b[1], jobs->half_b[2]), lanes->scale);
	if (kind_a == WP_CORE_SMOOTH)
		wp_lane_side_load_forms(&lanes->a, lanes, jobs->core_a, &lanes->half_a);
	if (kind_b == WP_CORE_SMOOTH)
		wp_lane_side_load_forms(&lanes->b, lanes, jobs->core_b, &lanes->half_b);
	if (kind_a == WP_CORE_HULL)
		wp_lane_side_load(&lanes->a, lanes, jobs->core_a);
	if (kind_b == WP_CORE_HULL)
		wp_lane_side_load(&lanes->b, lanes, jobs->core_b);
	if (WP_WIDTH == 1)
		lanes->a.find_farthest = lanes->b.find_farthest = jobs->find_farthest;
}

/* Hold hulls of up to `most` vertices in rows, if these are few. */
WP_INLINE void wp_lane_side_hold(wp_lane_side *side, uint32_t most)
{
	side->rows = most <= WP_LANE_ROW_MAX ? (int32_t)most : 0;
}

/* How the hulls of the jobs in `list` are held, by the one of most vertices. Lanes that no job fills read
 * the first one, or rows of zeros; one lane has what its job has. */
WP_INLINE void wp_lane_side_open(
	wp_lane_side *side, wp_lane_hulls *hulls, const wp_core *const *cores, const int32_t *list, uint32_t total)
{
	if (WP_WIDTH == 1)
		return;
	uint32_t most = 0;
	for (uint32_t i = 0; i < total; i++)
		most = cores[list[i]]->count > most ? cores[list[i]]->count : most;
	WP_ROLLED
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++)
		wp_lane_side_set(side, lane, cores[list[0]]);
	side->hulls = hulls;
	wp_lane_side_hold(side, most);
	for (int32_t at = 0; at < side->rows * WP_WIDTH; at += WP_WIDTH)
		vf3_store(hulls->x + at, hulls->y + at, hulls->z + at, vf3_zero());
}

/* No lane live, all of them looking at the first job of `list`; `hulls`, one of each side, takes the copies of
 * the hulls of the jobs in it. */
WP_INLINE void wp_lanes_open(wp_lanes *lanes, wp_lane_hulls *hulls, const wp_jobs *jobs, const int32_t *list,
	uint32_t total, int kind_a, int kind_b)
{
	wp_lanes_start(lanes);
	vi_store(lanes->job, vi_set(list[0]));
	if (kind_a == WP_CORE_HULL)
		wp_lane_side_open(&lanes->a, &hulls[0], jobs->core_a, list, total);
	if (kind_b == WP_CORE_HULL)
		wp_lane_side_open(&lanes->b, &hulls[1], jobs->core_b, list, total);
}

/* Copy the vertices of small hulls to where supports look for them. */
WP_INLINE void wp_lanes_copy_hulls(wp_lanes *lanes, int kind_a, int kind_b)
{
	if (kind_a == WP_CORE_HULL)
		wp_lane_side_copy(&lanes->a);
	if (kind_b == WP_CORE_HULL)
		wp_lane_side_copy(&lanes->b);
}

/* field[job of lane] = value of lane, for the lanes in `lanes_out`. */
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
