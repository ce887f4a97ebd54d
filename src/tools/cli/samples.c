#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void samples_add(samples *of, double sample)
{
	if (of->count < SAMPLES_MAX)
		of->taken[of->count++] = sample;
}

static int ascending(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

static double median(const samples *of)
{
	double sorted[SAMPLES_MAX];
	const size_t count = of->count, middle = count / 2;
	memcpy(sorted, of->taken, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, ascending);
	return count % 2 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
}

static double least(const double *taken, size_t count)
{
	double found = INFINITY;
	for (size_t i = 0; i < count; i++)
		found = fmin(found, taken[i]);
	return found;
}

samples_summary samples_summarize(const samples *of)
{
	const size_t half = of->count / 2;
	const double second = least(of->taken + half, of->count - half);
	const double first = half > 0 ? least(of->taken, half) : second;
	samples_summary made = {.least = fmin(first, second), .median = median(of)};
	made.noise = made.median / made.least - 1.0;
	made.drift = fmax(first, second) / made.least - 1.0;
	made.is_steady = made.noise <= SAMPLES_NOISE_MAX && made.drift <= SAMPLES_DRIFT_MAX;
	return made;
}
