/* What the subcommands share: variants and queries by name, one call that answers pairs by any of them,
 * errors, a clock. */
#ifndef WP_TOOLS_CLI_RUNNER_H
#define WP_TOOLS_CLI_RUNNER_H

#include "scene.h"

#include <argp.h>

/* Exit codes of the program. */
#define EXIT_BROKEN 1 /* compare: the contract does not hold */
#define EXIT_ERROR 2  /* usage, files, memory */

/* The reference path, named like a variant, after the library's variants. */
#define VARIANT_REFERENCE WP_VARIANT_COUNT

typedef enum query {
	QUERY_CONTACT = 0,
	QUERY_DISTANCE,
	QUERY_OVERLAP,
	QUERY_CAST,
	QUERY_DEPTH_ALONG,
	QUERY_MANIFOLD,
	QUERY_COUNT
} query;

const char *query_name(query which);
bool query_from_name(const char *name, query *which);
bool query_moves(query which);    /* whether it needs motions */
bool query_is_plain(query which); /* whether a row is all that it answers */

/* The program's version text, and its exit code for wrong arguments. */
void program_start(void);

/* As the library's functions, with "reference" added. */
const char *variant_name(unsigned variant);
bool variant_from_name(const char *name, unsigned *variant);

/* Answers pairs. The reference has the contact query without max_separation alone. */
typedef struct runner {
	unsigned variant; /* a wp_variant, never WP_VARIANT_AUTO, or VARIANT_REFERENCE */
	wp_workspace *workspace;
	void *memory;
	wp_reference_row *reference_rows;
	size_t reference_capacity;
	capture_cache *caches; /* of the pairs that are answered next, where the file has them; queries that need
	                          motions, and the reference, do without */
} runner;

wp_error runner_init(runner *run, unsigned variant);
void runner_free(runner *run);

typedef struct request {
	query which;
	float max_separation; /* contact, manifold */
	uint32_t point_max;   /* manifold; 0 = not given */
} request;

/* Where answers go: row i of each array is of pairs[i]. */
typedef struct answers {
	wp_row *rows;
	uint8_t *overlap;          /* may be NULL */
	float *fractions;          /* casts; may be NULL */
	uint32_t *counts;          /* manifolds: points of a pair */
	wp_manifold_point *points; /* manifolds: [..][wanted->point_max] */
} answers;

/* Answer pairs. `motions` are read by the queries that need them: a depth is the one along the motion of B as A sees it.
 * The reference fills rows alone, and its doubles are rounded to float. */
wp_error runner_answer(runner *run, const request *wanted, const capture_scene *scene, const capture_pair *pairs,
	const capture_motion *motions, size_t count, const answers *to);

/* The same of any batch into any results, by the library. */
wp_error runner_query(runner *run, const request *wanted, const wp_batch *batch, const capture_motion *motions,
	const wp_results *results, const wp_float_column *fraction, const wp_manifolds *manifolds);

/* Keys of the options of a request. */
enum request_key { REQUEST_QUERY = 'q', REQUEST_VARIANT = 'v', REQUEST_MAX_SEPARATION = 'm', REQUEST_POINTS = 'n' };

/* Take one of them. ARGP_ERR_UNKNOWN for any other key. */
error_t request_parse(int key, const char *argument, request *wanted, unsigned *variant, struct argp_state *state);

/* Once all are taken: end the program where they do not go together, or the reference lacks them; and choose how many
 * points there are if none was given. */
void request_finish(request *wanted, unsigned variant, struct argp_state *state);

/* Take the one argument that is no option, the path of a `what` ("pair file"), which has to be there.
 * ARGP_ERR_UNKNOWN for any other key. */
error_t path_parse(int key, const char *argument, const char *what, const char **path, struct argp_state *state);

/* Read a float completely, infinity included, NaN and negative numbers not. */
bool parse_length(const char *text, float *value);

/* Read a whole number from `least` to `most`, completely. */
bool parse_count(const char *text, long least, long most, uint32_t *count);

/* Two doubles, for qsort. */
int ascending(const void *left, const void *right);

/* malloc that ends the program with a message. */
void *allocate(size_t count, size_t size);

/* "widephase: " and the message on standard error; returns EXIT_ERROR. */
__attribute__((format(printf, 1, 2))) int report_error(const char *format, ...);

/* Say on standard error how many hulls of a file have no faces, where a manifold would need them. */
void report_faceless(const capture_scene *scene, const char *path);

#endif
