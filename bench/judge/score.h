/* What the answers of a plug-in are worth: against the exact separation, and by the normals themselves. */
#ifndef BENCH_JUDGE_SCORE_H
#define BENCH_JUDGE_SCORE_H

#include "trial.h"

#include <stdio.h>

/* An error above this, in units of e = L + |separation| (query.h), counts as wrong: hundreds of times the library's bound. */
#define SCORE_OFF 1e-3

/* The pairs of a set that are remembered as the worst. */
#define SCORE_WORST_MAX 10

/* A pair that was answered badly. */
typedef struct score_worst {
	const pair_set *set;
	size_t row;
	double
		badness; /* the larger of both errors; infinite on the wrong side, without an answer or where the plug-in ended */
	double truth, said, gap;
	char reason[24];
} score_worst;

/* Counts and errors over one set or several. */
typedef struct score {
	size_t pairs;   /* with a known answer */
	size_t refused; /* of these: the plug-in has not the shapes */
	size_t ended, none, wrong_side;
	size_t measured;   /* pairs with a separation */
	size_t off;        /* of these: its error is above SCORE_OFF */
	size_t misleading; /* of these: the gap along the normal is off by more than SCORE_OFF */
	double separation_max, gap_max, point_max;
	double *separations; /* [measured] all errors, for quantiles */
	size_t capacity;
	double seconds;
	size_t timed; /* pairs in `seconds` */
	score_worst worst[SCORE_WORST_MAX];
	int worst_count;
} score;

/* Add a trial on a set, whose exact answers are loaded. False if memory runs out. */
bool score_add(score *to, const pair_set *set, const trial *of);

/* Add one score to another. False if memory runs out. */
bool score_join(score *to, const score *of);

/* The error that this share of the pairs does not exceed; NaN without any. */
double score_quantile(score *of, double share);

void score_free(score *of);

#endif
