/* Samples of one time, in the order in which they were taken. The least one is what the code can do, because other work
 * only adds to a time. Whether the samples found it decides what a ratio of two such times is worth. */
#ifndef WP_TOOLS_CLI_SAMPLES_H
#define WP_TOOLS_CLI_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#define SAMPLES_MAX 1024

/* A least time counts if the first and the second half of the samples find it alike: where one half never ran
 * undisturbed, their least times differ by more than this share. A quiet machine stays below 0.02. */
#define SAMPLES_DRIFT_MAX 0.05
/* It does not count if half of the samples took longer by more than this share: then samples without other work are
 * rare, and another code may have had none. A quiet machine stays below 0.05, a shared one below 0.15. */
#define SAMPLES_NOISE_MAX 0.25

typedef struct samples {
	size_t count;
	double taken[SAMPLES_MAX];
} samples;

typedef struct samples_summary {
	double least, median;
	double noise; /* how far the median lies above the least, as a share of the least */
	double drift; /* how far the least of the worse half lies above the least of the better half; of one sample 0 */
	bool is_steady;
} samples_summary;

/* A sample more, unless there are SAMPLES_MAX. */
void samples_add(samples *of, double sample);

/* There must be one sample at least. */
samples_summary samples_summarize(const samples *of);

#endif
