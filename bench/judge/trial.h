/* One plug-in on one set of pairs, in processes of its own. */
#ifndef BENCH_JUDGE_TRIAL_H
#define BENCH_JUDGE_TRIAL_H

#include "narrowphase.h"
#include "../sets.h"

/* A plug-in as the command line names it: PATH or PATH:MODE. */
typedef struct plugin {
	char *path, *mode, *name; /* the name is the mode, or the file's without folder and ending */
} plugin;

/* What became of a pair. */
typedef enum trial_state {
	TRIAL_REFUSED = 0, /* the plug-in has not the shapes */
	TRIAL_ANSWERED,
	TRIAL_ENDED /* the plug-in ended its process, or did not end within TRIAL_PATIENCE */
} trial_state;

/* Seconds for one pass over a set. */
#define TRIAL_PATIENCE 60

typedef struct trial {
	uint8_t *states;       /* [pairs of the set] trial_state */
	narrowphase_row *rows; /* [pairs of the set], of those that were answered */
	double seconds;        /* the least of several passes over those */
	size_t answered;
	char error[CAPTURE_ERROR_MAX]; /* why there is nothing at all, or "" */
} trial;

/* Splits the name at the last colon. False if memory runs out. */
bool plugin_parse(plugin *made, const char *argument);
void plugin_free(plugin *of);

/* Run a plug-in on a loaded set, for at least `least_seconds`. False, with trial->error, if it cannot be loaded. */
bool trial_run(trial *made, const plugin *with, const pair_set *set, double max_separation, double least_seconds);
void trial_free(trial *of);

#endif
