/* The answers to a pair file as CSV: what is asked for, the lines of a chunk of pairs, the counts for the
 * end. Who reads the pairs and writes the lines, and in how many processes, is the caller's. */
#ifndef WP_CLI_SHEET_H
#define WP_CLI_SHEET_H

#include "runner.h"

/* Pairs that are answered at once, whatever the number of threads. */
#define SHEET_CHUNK 16384

/* What a line of arguments asks for. */
typedef struct sheet_order {
	request wanted;
	bool query_said;
	unsigned variant;
	uint32_t thread_count;
} sheet_order;

/* Contacts by the fastest variant and one thread. */
sheet_order sheet_order_default(void);

/* The options of an order, as a child of a parser that hands it a sheet_order, and calls request_finish at its end. */
extern const struct argp sheet_parser;

/* What one thread has of its own. */
typedef struct sheet_share {
	runner run;
	FILE *text;  /* into `bytes`, while it answers */
	char *bytes; /* the lines of its rows, `size` bytes */
	size_t size;
	const char *error;
	uint64_t counts[32]; /* rows by status bit */
	double seconds;      /* of the chunk, in the query alone */
} sheet_share;

typedef struct answer_sheet {
	const sheet_order *order;
	const capture_file *capture;
	capture_scene scene;
	sheet_share *shares; /* [order->thread_count], in the order of their rows */
	uint64_t first;      /* number of the chunk's first pair */
	/* [SHEET_CHUNK] each. Before a chunk is answered the caller fills pairs, and, where the file has them,
	 * motions and caches. */
	capture_pair *pairs;
	capture_motion *motions;
	capture_cache *caches;
	wp_row *rows;
	float *fractions;
	uint32_t *point_counts;
	wp_manifold_point *points; /* [SHEET_CHUNK][wanted.point_max] */
	double seconds;            /* in the query alone, of the slowest thread of each chunk */
	char error[CAPTURE_ERROR_MAX];
} answer_sheet;

/* Prepare to answer the pairs of a capture, of which columns, shapes and vertices are read here. On failure
 * false, and `error` says why. sheet_free is needed either way; order and capture must live until then. */
bool sheet_init(answer_sheet *sheet, const sheet_order *order, const capture_file *capture);
void sheet_free(answer_sheet *sheet);

/* Say on standard error how many hulls have no faces, where a manifold would need them. */
void sheet_print_notes(const answer_sheet *sheet);

/* The first line, of names. */
void sheet_print_heading(FILE *out, query which);

/* Answer `count` pairs, up to SHEET_CHUNK, that start with pair `first` of the file: their lines are those of
 * all shares, one after the other, until sheet_drop_lines. On failure false, and `error` says why. */
bool sheet_answer(answer_sheet *sheet, uint64_t first, size_t count);
void sheet_drop_lines(answer_sheet *sheet);

/* What the summary says. */
typedef struct sheet_totals {
	uint64_t counts[32]; /* rows by status bit */
	double seconds;      /* in the query alone */
	const char *variant;
} sheet_totals;

sheet_totals sheet_sum(const answer_sheet *sheet);

/* Print it on standard error; `how` ends its first line. */
void sheet_print_summary(const answer_sheet *sheet, const sheet_totals *totals, const char *how);

#endif
