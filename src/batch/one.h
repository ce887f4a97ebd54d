/* One pair by the kernels, without buckets: most pairs of a call for one pair, and of batches of a row or two. */
#ifndef WP_BATCH_ONE_H
#define WP_BATCH_ONE_H

#include "batch/call.h"
#include "batch/workspace.h"

/* A pair in 3D. */
typedef struct wp_one {
	const wp_core *core_a, *core_b;      /* NULL: invalid */
	const void *position_a, *position_b; /* of position_real */
	const void *rotation_a, *rotation_b;
	void *cache;            /* its wp_cache; NULL: none */
	uint32_t position_real; /* a wp_real */
} wp_one;

/* What is asked about it: few words, since the calls of one pair fill them each time. */
typedef struct wp_one_question {
	wp_query query;
	float max_separation;
	const wp_point_rows *manifold; /* where it goes; NULL: none is requested */
} wp_one_question;

/* Contacts by these options; NULL: all zero. */
WP_INLINE wp_one_question wp_question_of_contact(const wp_contact_options *options)
{
	return (wp_one_question){
		.query = WP_QUERY_CONTACT, .max_separation = options != NULL ? options->max_separation : 0.0f};
}

/* Whether wp_run_one may take the question; wp_run_batch returns the error of any other. */
WP_INLINE bool wp_is_in_order(const wp_workspace *workspace, const wp_one_question *question)
{
	return workspace != NULL && wp_workspace_is_made(workspace) && wp_is_length(question->max_separation);
}

/* Answer the pair by the automatic method, into `row`, a wp_row, with the bits that buckets give. False, and nothing
 * written, where the kernels have no answer: then wp_run_batch has it. `statistics` may be NULL. */
bool wp_run_one(
	wp_workspace *workspace, const wp_one_question *question, const wp_one *one, void *row, wp_statistics *statistics);

/* Whether the rows of a checked batch run one by one: they are few, and each fills a wp_row. */
bool wp_are_few_rows(
	const wp_workspace *workspace, const wp_batch *batch, const wp_request *request, const wp_results *results);

/* Answer row `row` of such a batch, counted from its start. False, and nothing written, as wp_run_one. */
bool wp_run_row(wp_workspace *workspace, const wp_batch *batch, const wp_request *request, const wp_results *results,
	size_t row, wp_statistics *statistics);

#endif
