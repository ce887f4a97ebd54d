/* Blocks of a bucket whose jobs need not stand one behind the other.
 *
 * A closed form takes as long for one lane of a block as for all. Jobs that are few in their blocks stray: they are put off,
 * and solved together after the others, in blocks of their own. */
#ifndef WP_WIDE_CLOSED_STRAYS_H
#define WP_WIDE_CLOSED_STRAYS_H

#include "wide/job/store.h"

/* The jobs that were put off. */
typedef struct wp_strays {
	WP_VECTOR_ALIGN int32_t job[WP_JOB_MAX];
	uint32_t total;
} wp_strays;

/* A block of jobs: of a bucket from `at` on, or of those that were put off. Where none is present, lanes have the first one. */
typedef struct wp_block {
	uint32_t at, present;
	bool strays;
	const float *input; /* of each lane its wp_job_input */
	const wp_core *const *core_a, *const *core_b;
} wp_block;

/* What a block of strays is made of, or one that is not full, in one place. */
typedef struct wp_stray_inputs {
	WP_VECTOR_ALIGN float input[4 * WP_INPUT_COUNT * WP_WIDTH];
	const wp_core *core_a[WP_WIDTH], *core_b[WP_WIDTH];
} wp_stray_inputs;

/* Answers of strays, to be moved to their places. */
typedef struct wp_stray_answers {
	WP_VECTOR_ALIGN float output[WP_OUTPUT_COUNT * WP_WIDTH], detail[WP_DETAIL_COUNT * WP_WIDTH];
	WP_VECTOR_ALIGN int32_t state[WP_WIDTH], status[WP_WIDTH], gjk_steps[WP_WIDTH], epa_steps[WP_WIDTH];
} wp_stray_answers;

/* Where the blocks of a bucket end, and the blocks of strays begin. */
WP_INLINE uint32_t wp_end_of_blocks(const wp_jobs *jobs) { return (jobs->count + WP_WIDTH - 1) & ~(WP_WIDTH - 1u); }

/* Copy a block to one place: of strays, or, where these are NULL, of a bucket. */
WP_NOINLINE void wp_copy_block(
	const wp_jobs *jobs, const wp_strays *strays, uint32_t at, wp_stray_inputs *inputs, wp_block *block)
{
	const uint32_t present = wp_present_lanes(strays != NULL ? strays->total : jobs->count, at);
	for (uint32_t lane = 0; lane < WP_WIDTH; lane++) {
		const uint32_t place = present >> lane & 1 ? at + lane : at;
		const uint32_t job = strays != NULL ? (uint32_t)strays->job[place] : place;
		memcpy(inputs->input + (size_t)4 * WP_INPUT_COUNT * lane, wp_input_of_job(jobs, job),
			4 * WP_INPUT_COUNT * sizeof(float));
		inputs->core_a[lane] = jobs->core_a[job];
		inputs->core_b[lane] = jobs->core_b[job];
	}
	*block = (wp_block){at, present, strays != NULL, inputs->input, inputs->core_a, inputs->core_b};
}

WP_INLINE void wp_block_of(
	const wp_jobs *jobs, const wp_strays *strays, uint32_t at, wp_stray_inputs *inputs, wp_block *block)
{
	const uint32_t end = wp_end_of_blocks(jobs);
	if (at + WP_WIDTH <= jobs->count)
		*block = (wp_block){at, WP_ALL_LANES, false, wp_input_of_job(jobs, at), jobs->core_a + at, jobs->core_b + at};
	else
		wp_copy_block(jobs, at < end ? NULL : strays, at < end ? at : at - end, inputs, block);
}

/* Put jobs of a block off, if they are few there. */
WP_INLINE bool wp_put_off(const wp_block *block, uint32_t lanes, wp_strays *strays)
{
	if (block->strays || 2 * wp_count_bits(lanes) > wp_count_bits(block->present))
		return false;
	strays->total = wp_list_jobs(strays->job, strays->total, block->at, lanes);
	return true;
}

/* Answer a block, if only a lane of it is known. */
WP_INLINE void wp_put_block(wp_jobs *jobs, const wp_strays *strays, const wp_block *block, const wp_prepared *prepared,
	bool is_known, const wp_solved *solved)
{
	wp_stray_answers apart;
	wp_answer_places to = wp_answer_places_of(jobs, block->at);
	if (block->strays)
		to = (wp_answer_places){
			apart.output, apart.detail, apart.state, apart.status, apart.gjk_steps, apart.epa_steps};
	if (!is_known) {
		vi_store(to.gjk_steps, vi_zero());
		vi_store(to.epa_steps, vi_zero());
		vi_store(to.state, vi_set(WP_JOB_STRONG));
		return;
	}
	wp_answer_at(jobs, &to, prepared, solved, wp_no_features(), true);
	for (uint32_t m = block->strays ? block->present : 0; m != 0; m &= m - 1) {
		const uint32_t lane = wp_lowest_bit(m);
		const wp_answer_places of_job = wp_answer_places_of(jobs, (uint32_t)strays->job[block->at + lane]);
		memcpy(of_job.output, apart.output + WP_OUTPUT_COUNT * lane, WP_OUTPUT_COUNT * sizeof(float));
		if (jobs->wants_details)
			memcpy(of_job.detail, apart.detail + WP_DETAIL_COUNT * lane, WP_DETAIL_COUNT * sizeof(float));
		*of_job.state = apart.state[lane];
		*of_job.status = apart.status[lane];
	}
}

#endif
