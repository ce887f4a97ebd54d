/* The answers to a pair file as CSV: the request, the lines of a chunk of pairs, the counts for the
 * end. Who reads the pairs and writes the lines, and in how many processes, is the caller's. */
#ifndef WP_TOOLS_CLI_CSV_H
#define WP_TOOLS_CLI_CSV_H

#include "runner.h"

/* Pairs that are answered at once, whatever the number of threads. */
#define CSV_CHUNK 16384

/* What a line of arguments requests. */
typedef struct csv_order {
	request wanted;
	bool query_said;
	unsigned variant;
	uint32_t thread_count;
} csv_order;

/* Contacts by the fastest variant and one thread. */
csv_order csv_order_default(void);

/* The options of an order: a table whose values are a csv_order. After parsing, request_finish is due. */
extern const option_row csv_options[];

/* What one thread has of its own. */
typedef struct csv_share {
	runner run;
	char *bytes; /* the lines of its rows, `size` bytes of `capacity` */
	size_t size, capacity;
	const char *error;
	uint64_t counts[32]; /* rows by status bit */
	double seconds;      /* of the chunk, in the query alone */
} csv_share;

typedef struct csv_answers {
	const csv_order *order;
	const capture_file *capture;
	capture_scene scene;
	csv_share *shares; /* [order->thread_count], in the order of their rows */
	uint64_t first;    /* number of the chunk's first pair */
	/* [CSV_CHUNK] each. Before a chunk is answered the caller fills pairs, and, where the file has them,
	 * motions and caches. */
	capture_pair *pairs;
	capture_motion *motions;
	capture_cache *caches;
	wp_row *rows;
	float *fractions;
	uint32_t *point_counts;
	wp_manifold_point *points; /* [CSV_CHUNK][wanted.point_max] */
	uint32_t *triangles;       /* where the file has meshes, as are the next two; else NULL */
	uint32_t *patch_counts;
	wp_mesh_patch *patches; /* [CSV_CHUNK][RUNNER_PATCH_MAX] */
	double seconds;         /* in the query alone, of the slowest thread of each chunk */
	char error[CAPTURE_ERROR_MAX];
} csv_answers;

/* Prepare to answer the pairs of a capture, of which columns, shapes and vertices are read here. On failure
 * false, and `error` has the reason. csv_free is needed either way; order and capture must live until then. */
bool csv_init(csv_answers *csv, const csv_order *order, const capture_file *capture);
void csv_free(csv_answers *csv);

/* The first line, of names. */
void csv_print_heading(FILE *out, query which, bool has_meshes);

/* Answer `count` pairs, up to CSV_CHUNK, that start with pair `first` of the file: their lines are in
 * the shares, one after the other, until csv_drop_lines. On failure false, and `error` has the reason. */
bool csv_answer(csv_answers *csv, uint64_t first, size_t count);
void csv_drop_lines(csv_answers *csv);

/* The figures of the summary. */
typedef struct csv_totals {
	uint64_t counts[32]; /* rows by status bit */
	double seconds;      /* in the query alone */
	const char *variant;
} csv_totals;

csv_totals csv_sum(const csv_answers *csv);

/* Print it on standard error; `how` ends its first line. */
void csv_print_summary(const csv_answers *csv, const csv_totals *totals, const char *how);

#endif
