/* What widephase compare counts: one counts per answerer (a variant or the reference), and a list of the
 * worst pairs of all. */
#ifndef WP_TOOLS_CLI_COMPARE_COUNTS_H
#define WP_TOOLS_CLI_COMPARE_COUNTS_H

#include "judge.h"
#include "runner.h"

/* The four calls whose bits are compared. */
typedef enum answer { ANSWER_CONTACT = 0, ANSWER_SPECULATIVE, ANSWER_DISTANCE, ANSWER_OVERLAP, ANSWER_COUNT } answer;

/* max_separation of ANSWER_SPECULATIVE: of the order that engines use for bodies of a metre. */
#define SPECULATIVE_SEPARATION 0.02f

typedef struct compare_counts {
	unsigned variant;
	uint64_t differing[ANSWER_COUNT]; /* rows with other bits than scalar */
	double *errors;                   /* [judged] relative separation errors, for the quantile */
	uint64_t judged, over_typical, wrong_overlaps;
	double error_sum, error_max, support_gap_max, point_max, angle_max;
	uint64_t angles; /* rows whose normal was compared */
	uint64_t violations[VIOLATION_COUNT];
	uint64_t statuses[32];
} compare_counts;

/* `capacity`: rows that may come. */
void compare_counts_start(compare_counts *counts, unsigned variant, size_t capacity);
void compare_counts_add(compare_counts *counts, const verdict *result);
void compare_counts_free(compare_counts *counts);

/* Whether everything added keeps the contract, its share of typical errors included. */
bool compare_counts_holds(const compare_counts *counts);

void compare_counts_print_header(void);
void compare_counts_print(compare_counts *counts);
void compare_counts_print_violations(const compare_counts *counts);

typedef struct worst_pair {
	uint64_t index; /* in the pair file */
	unsigned variant;
	capture_pair record;
	capture_truth truth;
	capture_cache cache;
	double separation;
	verdict result;
} worst_pair;

#define WORST_MAX 16

typedef struct worst_list {
	worst_pair pairs[WORST_MAX]; /* worst first, each pair once */
	size_t count;
} worst_list;

void worst_add(worst_list *list, const worst_pair *pair);
void worst_print(const worst_list *list, const capture_file *capture, bool broken_only);

/* Whether worst_save with this path leaves both files alone that are read; the truth may be NULL. If not, error[CAPTURE_ERROR_MAX]
 * has the reason. */
bool worst_may_save(const char *path, const char *pairs_path, const char *truth_path, char *error);

/* Write the pairs as a pair file that replays them, with their caches where `capture` has some, and their truth beside it (".pairs" becoming
 * ".truth") where there is one. */
bool worst_save(const worst_list *list, const capture_file *capture, bool with_truth, const char *path, char *error);

#endif
