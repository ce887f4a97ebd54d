/* What the subcommands share: variants and queries by name, one call that answers pairs by any of them,
 * errors, a clock. */
#ifndef WP_TOOLS_CLI_RUNNER_H
#define WP_TOOLS_CLI_RUNNER_H

#include "options.h"
#include "scene.h"

/* Exit codes of the program. */
#define EXIT_BROKEN 1                /* compare: the contract does not hold */
#define EXIT_ERROR OPTIONS_EXIT_CODE /* usage, files, memory */

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

/* All names, for the help and the errors of options. */
#define QUERY_NAMES "overlap, distance, contact, manifold, cast or depth-along"
#define KERNEL_NAMES "scalar, sse2, avx2, avx512, neon, wasm"
#define VARIANT_NAMES "auto, " KERNEL_NAMES

const char *query_name(query which);
bool query_from_name(const char *name, query *which);
bool query_moves(query which);    /* whether it needs motions */
bool query_is_plain(query which); /* whether a row is all that it answers */

/* As the library's functions, with "reference" added. */
const char *variant_name(unsigned variant);
bool variant_from_name(const char *name, unsigned *variant);

/* Most patches of a pair with a mesh: what the library makes unless more are requested. */
#define RUNNER_PATCH_MAX 4

typedef struct mesh_rows mesh_rows; /* memory of mesh_rows.h */

/* Answers pairs. The reference has the contact query without max_separation alone, and no meshes. */
typedef struct runner {
	unsigned variant; /* a wp_variant, never WP_VARIANT_AUTO, or VARIANT_REFERENCE */
	wp_workspace *workspace;
	void *memory;
	wp_reference_row *reference_rows;
	size_t reference_capacity;
	capture_cache *caches; /* of the pairs that are answered next, where the file has them; queries that need
	                          motions, and the reference, do without */
	mesh_rows *meshes;     /* of scenes that have some; else NULL */
} runner;

wp_error runner_init(runner *run, unsigned variant);
void runner_free(runner *run);

typedef struct request {
	query which;
	float max_separation; /* contact, manifold; NaN = not given: infinity, of pairs with meshes MESH_ROWS_SEPARATION */
	uint32_t point_max;   /* manifold; 0 = not given */
	bool two_sided, ghosts,
		soup; /* contact and manifold with meshes: WP_MESH_TWO_SIDED, WP_MESH_GHOSTS, WP_MESH_SOUP */
} request;

/* Whether a request has one of the options that are for meshes alone. */
#define REQUEST_MESH_OPTIONS "--two-sided, --ghosts and --soup"
bool request_is_for_meshes(const request *wanted);

/* Where answers go: row i of each array is of pairs[i]. */
typedef struct answers {
	wp_row *rows;
	uint8_t *overlap;          /* may be NULL */
	float *fractions;          /* casts; may be NULL */
	uint32_t *counts;          /* manifolds: points of a pair */
	wp_manifold_point *points; /* manifolds: [..][wanted->point_max] */
	wp_mesh_patch *patches;    /* contacts and manifolds of scenes with meshes: [..][RUNNER_PATCH_MAX] */
	uint32_t *patch_counts;    /* the same: patches of a pair */
	uint32_t *triangles;       /* of pairs with meshes, WP_MESH_MISS for none; may be NULL */
} answers;

/* Answer pairs. `motions` are read by the queries that need them: a depth is the one along the motion of B as A sees it.
 * Of a pair whose B is a mesh, contact and manifold leave counts and points alone. The reference fills rows alone, and its
 * doubles are rounded to float; pairs with meshes are invalid there. */
wp_error runner_answer(runner *run, const request *wanted, const capture_scene *scene, const capture_pair *pairs,
	const capture_motion *motions, size_t count, const answers *to);

/* The same of any batch into any results, by the library. */
wp_error runner_query(runner *run, const request *wanted, const wp_batch *batch, const capture_motion *motions,
	const wp_results *results, const wp_float_column *fraction, const wp_manifolds *manifolds);

/* Readers of options. */
bool option_query(const option_row *row, const char *argument, void *to);   /* into a query, by name */
bool option_variant(const option_row *row, const char *argument, void *to); /* into an unsigned, by name */
bool option_length(const option_row *row, const char *argument, void *to);  /* into a float: 0 to infinity */

/* Rows that the tables of several commands have: `type` is the struct of a table's values, with a request `wanted`, and, for a
 * variant, an unsigned `variant`. `usual` is the text of the default. */
#define OPTION_VARIANT(type)                                                                                 \
	{                                                                                                        \
		.name = "variant", .letter = 'v', .argument = "V",                                                   \
		.help = "auto (the default), " KERNEL_NAMES ", which all have the same bits, or reference, "         \
				"which has contacts alone",                                                                  \
		.read = option_variant, .offset = offsetof(type, variant), .possible = VARIANT_NAMES " or reference" \
	}
#define OPTION_MAX_SEPARATION(type, usual)                                                                           \
	{                                                                                                                \
		.name = "max-separation", .letter = 'm', .argument = "X",                                                    \
		.help =                                                                                                      \
			"contact: pairs proven further apart are answered by that proof alone; manifold: points further apart "  \
			"are left out, too (default: " usual ")",                                                                \
		.read = option_length, .offset = offsetof(type, wanted.max_separation), .possible = "a number from 0 to inf" \
	}
#define OPTION_POINTS(type)                                                                                  \
	{                                                                                                        \
		.name = "points", .letter = 'n', .argument = "N",                                                    \
		.help = "manifold: most points of a pair without a mesh, 1 to 8 (default: 4)", .read = option_count, \
		.offset = offsetof(type, wanted.point_max), .least = 1, .most = WP_MANIFOLD_POINT_MAX                \
	}

#define OPTION_TWO_SIDED(type)                                                                                \
	{                                                                                                         \
		.name = "two-sided", .help = "contact, manifold: triangles of meshes face the body from either side", \
		.offset = offsetof(type, wanted.two_sided)                                                            \
	}
#define OPTION_GHOSTS(type)                                                                                 \
	{                                                                                                       \
		.name = "ghosts", .help = "contact, manifold: leave normals at edges inside of meshes as they are", \
		.offset = offsetof(type, wanted.ghosts)                                                             \
	}
#define OPTION_SOUP(type)                                                                                         \
	{                                                                                                             \
		.name = "soup",                                                                                           \
		.help = "contact, manifold: an edge of a mesh with another triangle along it does not count as a border", \
		.offset = offsetof(type, wanted.soup)                                                                     \
	}

/* Once all options are taken: end the program where they do not go together, or the reference lacks them; and choose how
 * many points there are if none was given. */
void request_finish(request *wanted, unsigned variant, const command_line *line);

/* Two doubles, for qsort. */
int ascending(const void *left, const void *right);

/* malloc that ends the program with a message. */
void *allocate(size_t count, size_t size);

/* "widephase: " and the message on standard error; returns EXIT_ERROR. */
SYSTEM_PRINTF(1, 2) int report_error(const char *format, ...);

/* Whether a file that is to be written is one that is read; this is reported then. */
bool report_same_file(const char *written, const char *read);

/* Say on standard error how many hulls of a file have no faces, where a manifold would need them, and which meshes could
 * not be cooked. */
void report_scene(const capture_scene *scene, const char *path);

#endif
