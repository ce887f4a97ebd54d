/* How lanes are filled again. Jobs start in a stage, all lanes of it at once, and move one by one to
 * lanes whose own job is done: so neither starts nor steps run with half of their lanes dead. */
#ifndef WP_WIDE_JOB_REFILL_H
#define WP_WIDE_JOB_REFILL_H

#include "wide/job/lanes.h"

/* Dead lanes that are worth a refill, measured: a move costs about the same for one lane as for all. */
#define WP_REFILL_MIN (WP_WIDTH >= 4 ? WP_WIDTH / 4 : 1)

WP_INLINE bool wp_lanes_want_refill(const wp_lanes *lanes)
{
	return WP_REFILL_MIN == 1 ? lanes->live != WP_ALL_LANES : wp_live_count(lanes) <= WP_WIDTH - WP_REFILL_MIN;
}

/* SSE2 has no permutation by a vector: one lane is filled at a time there, for which the stage's value is loaded to all. */
#define WP_MOVES_ONE (WP_WIDTH == 4 && WP_IS_X86)

/* Which lanes were filled, and from which lanes of the stage. */
typedef struct wp_move {
	uint32_t filled;
	vm lanes;
	uint8_t source[WP_WIDTH];
#if WP_MOVES_ONE
	size_t from; /* of the one lane, in bytes */
#else
	vi from;
#endif
} wp_move;

/* A value of the stage where the lane was filled, else the lane's own. One lane is always filled. */
WP_INLINE vf vf_moved(const wp_move *m, const vf *staged, vf own)
{
#if WP_WIDTH == 1
	(void)m;
	(void)own;
	return *staged;
#elif WP_MOVES_ONE
	return vf_select(m->lanes, vf_set(wp_float_at((const unsigned char *)staged + m->from)), own);
#else
	return vf_select(m->lanes, vf_pick(*staged, m->from), own);
#endif
}

WP_INLINE vi vi_moved(const wp_move *m, const vi *staged, vi own)
{
#if WP_MOVES_ONE
	return vi_from_bits(vf_moved(m, (const vf *)staged, vf_from_bits(own)));
#else
	const vf bits = vf_from_bits(*staged);
	return vi_from_bits(vf_moved(m, &bits, vf_from_bits(own)));
#endif
}

WP_INLINE vf3 vf3_moved(const wp_move *m, const vf3 *staged, vf3 own)
{
	return vf3_set(vf_moved(m, &staged->x, own.x), vf_moved(m, &staged->y, own.y), vf_moved(m, &staged->z, own.z));
}

/* Give a lane the job of a staged one, which leaves the stage, and where its hulls are. */
WP_INLINE void wp_match_lane(
	wp_move *m, wp_lanes *to, uint32_t lane, wp_lanes *stage, uint32_t source, int kind_a, int kind_b)
{
	stage->live &= stage->live - 1;
	m->filled |= 1u << lane;
	m->source[lane] = (uint8_t)source;
	to->job[lane] = stage->job[source];
	if (kind_a == WP_CORE_HULL)
		wp_lane_side_take(&to->a, lane, &stage->a, source);
	if (kind_b == WP_CORE_HULL)
		wp_lane_side_take(&to->b, lane, &stage->b, source);
}

/* Pair dead lanes with staged ones: all of them, or one. */
WP_INLINE wp_move wp_match_lanes(wp_lanes *to, wp_lanes *stage, int kind_a, int kind_b)
{
	wp_move m;
	m.filled = 0;
#if WP_MOVES_ONE
	const uint32_t dead = WP_ALL_LANES & ~to->live;
	m.from = 0;
	if (dead != 0 && stage->live != 0) {
		const uint32_t source = wp_lowest_bit(stage->live);
		m.from = sizeof(float) * source;
		wp_match_lane(&m, to, wp_lowest_bit(dead), stage, source, kind_a, kind_b);
	}
#else
	/* Gathered in registers: what is stored byte by byte cannot be loaded as a vector soon after. */
	uint64_t bytes[(WP_WIDTH + 7) / 8] = {0};
	for (uint32_t dead = WP_ALL_LANES & ~to->live; dead != 0 && stage->live != 0; dead &= dead - 1) {
		const uint32_t lane = wp_lowest_bit(dead), source = wp_lowest_bit(stage->live);
		bytes[lane / 8] |= (uint64_t)source << lane % 8 * 8;
		wp_match_lane(&m, to, lane, stage, source, kind_a, kind_b);
	}
	m.from = vi_from_bytes(bytes);
#endif
	m.lanes = vm_from_bits(m.filled);
	to->live |= m.filled;
	return m;
}

/* The copies of hulls that are held in rows. */
WP_INLINE void wp_lane_rows_move(const wp_move *m, const wp_lane_side *stage, wp_lane_side *to)
{
	for (int32_t at = 0; at < to->rows * WP_WIDTH; at += WP_WIDTH) {
		const float *const from[3] = {stage->hulls->x + at, stage->hulls->y + at, stage->hulls->z + at};
		float *const own[3] = {to->hulls->x + at, to->hulls->y + at, to->hulls->z + at};
		for (int k = 0; k < 3; k++)
			vf_store(own[k], vf_moved(m, (const vf *)from[k], vf_load(own[k])));
	}
}

/* Supports look at as many vertices as the largest hull has. Of a list with the small hulls first these are few for long. */
WP_INLINE void wp_lane_side_grow(wp_lane_side *side, const wp_lane_side *stage)
{
	if (WP_WIDTH > 1 && stage->most > side->most)
		side->most = stage->most;
}

/* Fill dead lanes from the stage, with all that supports need of their jobs. */
WP_INLINE wp_move wp_lanes_take(wp_lanes *to, wp_lanes *stage, int kind_a, int kind_b)
{
	const wp_move m = wp_match_lanes(to, stage, kind_a, kind_b);
	for (int i = 0; i < 3; i++)
		to->rotation.row[i] = vf3_moved(&m, &stage->rotation.row[i], to->rotation.row[i]);
	to->translation = vf3_moved(&m, &stage->translation, to->translation);
	if (kind_a == WP_CORE_HULL || kind_b == WP_CORE_HULL)
		to->hull_scale = vf_moved(&m, &stage->hull_scale, to->hull_scale);
	if (kind_a != WP_CORE_HULL)
		to->half_a = vf3_moved(&m, &stage->half_a, to->half_a);
	if (kind_b != WP_CORE_HULL)
		to->half_b = vf3_moved(&m, &stage->half_b, to->half_b);
	if (kind_a == WP_CORE_SMOOTH) {
		to->a.form = vi_moved(&m, &stage->a.form, to->a.form);
		to->a.ball = vf_moved(&m, &stage->a.ball, to->a.ball);
	}
	if (kind_b == WP_CORE_SMOOTH) {
		to->b.form = vi_moved(&m, &stage->b.form, to->b.form);
		to->b.ball = vf_moved(&m, &stage->b.ball, to->b.ball);
	}
	if (kind_a == WP_CORE_HULL) {
		wp_lane_side_grow(&to->a, &stage->a);
		wp_lane_rows_move(&m, &stage->a, &to->a);
	}
	if (kind_b == WP_CORE_HULL) {
		wp_lane_side_grow(&to->b, &stage->b);
		wp_lane_rows_move(&m, &stage->b, &to->b);
	}
	return m;
}

/* A stage for `lanes`. */
WP_INLINE void wp_stage_open(wp_lanes *stage, const wp_lanes *lanes, wp_lane_hulls *hulls)
{
	wp_lanes_start(stage);
	vi_store(stage->job, vi_load(lanes->job));
	stage->a.hulls = &hulls[0];
	stage->b.hulls = &hulls[1];
	stage->a.rows = lanes->a.rows;
	stage->b.rows = lanes->b.rows;
}

/* Put jobs of the list from *next on into the stage, whose lanes are all dead. */
WP_INLINE void wp_lanes_stage(
	wp_lanes *stage, const wp_jobs *jobs, const int32_t *list, uint32_t total, uint32_t *next, int kind_a, int kind_b)
{
	wp_lanes_fill(stage, list, total, next);
	wp_lanes_load(stage, jobs, kind_a, kind_b);
	wp_lanes_copy_hulls(stage, kind_a, kind_b);
}

#endif
