/* Queries of compounds: what the files of this room share.
 *
 * A row has the best answer of all pairs of children of its bodies, and of answers that are as good, the lowest pair's. walk.c
 * goes down both trees and notes the pairs that may be it, by what bound.c proves of them. query.c puts the nearest of these
 * of all rows under way into the ring, ring.c has the kernels answer it, and whatever is proven worse than the best answer is
 * left out. What is proven leaves room for the error of answers, so the best one is never left out, and neither the size of the
 * ring nor the order changes a bit. */
#ifndef WP_COMPOUND_INTERNAL_H
#define WP_COMPOUND_INTERNAL_H

#include "batch/call.h"
#include "batch/workspace.h"
#include "compound/compound.h"

typedef enum wp_compound_query {
	WP_COMPOUND_OVERLAP, /* an answer is 0, or infinity where children are apart */
	WP_COMPOUND_DISTANCE,
	WP_COMPOUND_CONTACT,
	WP_COMPOUND_MANIFOLD, /* the answers of contacts, and patches */
	WP_COMPOUND_CAST      /* an answer is a fraction, or infinity */
} wp_compound_query;

/* One call. */
typedef struct wp_compound_call {
	wp_workspace *workspace;
	wp_compound_query query;
	wp_call rows; /* whose statistics are not used */
	const wp_compound *const *compounds;
	size_t compound_count;
	float most;            /* children further apart do not count: max_distance or max_separation */
	wp_motions motions[2]; /* of casts: of A and B, with strides */
	wp_child_columns children;
	wp_compound_patches patches; /* strides and patch_max never 0 */
	wp_compound_statistics *statistics;
} wp_compound_call;

/* A box that a row meets on its way down a tree: a node's or a child's, in the frame of its body. */
typedef struct wp_compound_box {
	const float *lower, *upper;
} wp_compound_box;

/* What the answer of all pairs of children in two boxes is at least. */
double wp_compound_key_of_boxes(const wp_compound_call *call, const wp_compound_row *row, const wp_compound_box box[2]);

/* A child: its core, its pose in the frame of its body, which is NULL for a body with a shape, and its box. */
typedef struct wp_compound_leaf {
	const wp_core *core;
	const wp_compound_child *child;
	wp_compound_box box;
} wp_compound_leaf;

/* What the answer of a pair is at least; it may also lower the row's limit. */
double wp_compound_key_of_pair(const wp_compound_call *call, wp_compound_row *row, const wp_compound_leaf leaf[2]);

/* Read a row. Returns why it is invalid, or 0. */
uint32_t wp_compound_read_row(const wp_compound_call *call, uint32_t number, wp_compound_row *row);

/* Whether a pair may still be the row's answer, or be as good. */
bool wp_compound_counts(const wp_compound_call *call, const wp_compound_row *row, const wp_compound_found *found);

/* Whether a pair of children is lower than another one. */
bool wp_compound_is_lower(const uint32_t pair[2], const uint32_t other[2]);

/* Whether a pair comes before another one: by what is proven, then by its children. */
bool wp_compound_is_before(const wp_compound_found *found, const wp_compound_found *other);

/* A pair of the row has no answer: of several the first one stays. If it counts at the end, the row is invalid. */
void wp_compound_note_invalid(wp_compound_row *row, const wp_compound_found *found, uint32_t status);

/* Put a pair of the row at that place into the ring, which has room. */
void wp_compound_push(const wp_compound_call *call, uint32_t place, const wp_compound_found *found);

/* Answer the pairs in the ring: each row keeps the best one, and patches. */
void wp_compound_run_ring(const wp_compound_call *call);

/* Find the pairs of the row at that place. The ring is empty, before and after. */
void wp_compound_walk(const wp_compound_call *call, uint32_t place);

/* Write the patch of a pair in the ring to its row, unless the row has enough that are deeper. */
void wp_compound_write_patch(const wp_compound_call *call, wp_compound_row *row, uint32_t at);

/* Write a row that is answered, or an invalid one, and count it. */
void wp_compound_write_row(const wp_compound_call *call, const wp_compound_row *row);
void wp_compound_write_invalid(const wp_compound_call *call, uint32_t row, uint32_t status);

/* What a call asks besides its batch. */
typedef struct wp_compound_request {
	wp_compound_query query;
	float most;
	const wp_motions *motions[2];
	const wp_float_column *fraction;
	const wp_child_columns *children;
	const wp_compound_patches *patches;
} wp_compound_request;

/* Answer all rows, by a ring that takes so many pairs, 1 .. WP_COMPOUND_RING, which changes no bit. */
wp_error wp_compound_run(wp_workspace *workspace, const wp_compound_batch *batch, const wp_compound_request *request,
	const wp_results *results, wp_compound_statistics *statistics, uint32_t capacity);

#endif
