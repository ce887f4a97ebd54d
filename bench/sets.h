/* The pairs that cells are timed on: made from a seed, recorded, or from a folder of pair files; with the
 * exact answers and the error of others against them. Loaded at the first request, kept until the end. */
#ifndef BENCH_SETS_H
#define BENCH_SETS_H

#include "pairs.h"
#include "scene.h"

#define SET_NAME_MAX 64

typedef struct pair_set {
	char kind[SET_NAME_MAX];
	char regime[SET_NAME_MAX]; /* "recorded" for pairs of bench/data, "sequence" for pairs of several frames */
	capture_shape *shapes;
	float (*vertices)[3];
	capture_pair *pairs; /* [count] */
	uint32_t shape_count, vertex_count;
	size_t count;
	char *path; /* of the pair file; NULL where pairs were made */
	capture_scene scene;
	double *truth; /* [count] signed separation; NaN where not known well enough */
	double *unit;  /* [count] of errors: larger bounding radius plus |truth| */
} pair_set;

/* Pairs in each frame of a set whose regime is "sequence": pair i of frame f is pairs[f * SET_FRAME_PAIRS + i]. */
#define SET_FRAME_PAIRS 1024

/* Folder that is searched for KIND.REGIME.pairs, rec_KIND.pairs and, of sequences, KIND.pairs (with .truth beside them), itself and
 * its folders generated, recorded and sequences, before pairs are made and bench/data is read. NULL: none. Borrowed. */
void sets_use_folder(const char *folder);

/* The set of that name, not loaded yet; always the same one for the same name. NULL when memory ran out. */
pair_set *sets_find(const char *kind, const char *regime);

/* Shapes, pairs and scene; then the exact answers. Cheap where it is done already. */
bool set_load(pair_set *set, char error[CAPTURE_ERROR_MAX]);
bool set_load_truth(pair_set *set, char error[CAPTURE_ERROR_MAX]);

void sets_free(void);

/* ---- errors --------------------------------------------------------------------------------------- */

typedef enum answer_kind {
	ANSWER_NONE = 0, /* failed: neither */
	ANSWER_APART,    /* apart, without a separation, or with a bound only */
	ANSWER_SIGNED,   /* signed separation */
	ANSWER_UNSIGNED, /* 0 where the shapes overlap */
	ANSWER_OVERLAP   /* overlapping, without a depth */
} answer_kind;

/* What a set's errors come to. */
typedef struct set_errors {
	double err_max, err_p999; /* of the separation in units of L + |truth|; NaN without any separation */
	double wrong;             /* rows on the wrong side where |truth| > 1e-4 of that unit */
	double none;              /* rows without an answer */
} set_errors;

/* `said(context, row, separation)` returns the answer for a row. Returns false if memory runs out. */
typedef answer_kind (*set_answer)(const void *context, size_t row, double *separation);
bool set_judge(const pair_set *set, set_answer said, const void *context, set_errors *errors);

#endif
