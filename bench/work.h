/* What cells share: the queries, the library answering a batch, memory for its answers, counters of a set. */
#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include "bench.h"
#include "sets.h"

typedef enum work_query {
	WORK_OVERLAP = 0,
	WORK_DISTANCE,
	WORK_CONTACT, /* contact with max_separation 0.02 */
	WORK_SIGNED,  /* contact without limit */
	WORK_QUERY_COUNT
} work_query;

#define WORK_MAX_SEPARATION 0.02f

const char *work_query_name(work_query which);

/* The reference, named like a variant, after the library's variants; answers WORK_SIGNED only. */
#define WORK_REFERENCE WP_VARIANT_COUNT

const char *work_variant_name(unsigned variant);

/* Rows that every cell may write to while it runs: [count], aligned, the same memory for all cells. NULL when
 * memory ran out. Grows in prepare functions alone. */
wp_row *work_rows(size_t count);
uint8_t *work_overlaps(size_t count);
wp_reference_row *work_reference_rows(size_t count);

#define WORK_THREADS_MAX 256

/* The workspace of a variant and thread. NULL, *error set, where there cannot be one. */
wp_workspace *work_workspace(wp_variant variant, unsigned thread, wp_error *error);

/* A workspace for the cell of one thread, and room in work_rows. NULL, and report->error has the reason. */
wp_workspace *work_prepare(wp_variant variant, size_t count, bench_report *report);

/* Say why a cell cannot be timed. Returns false. */
bool work_fail(bench_report *report, const char *reason);

/* Answer a batch by the library, all outputs of the query written. `overlaps` is for WORK_OVERLAP, `rows` for
 * the others. */
wp_error work_answer(wp_workspace *workspace, work_query which, const wp_batch *batch, wp_row *rows, uint8_t *overlaps,
	wp_statistics *statistics);

/* Counters of a set answered once: iterations, lane use, errors against the exact answers. */
bool work_count(pair_set *set, work_query which, unsigned variant, bench_report *report);

/* Counters from the statistics. */
void work_count_statistics(const wp_statistics *statistics, bench_report *report);

/* Counters of errors: err_max and err_p999 where there is a separation, wrong, and none where there are such.
 */
void work_count_errors(const set_errors *errors, bench_report *report);

void work_free(void);

#endif
