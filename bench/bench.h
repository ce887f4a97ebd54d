/* Google Benchmark for cells written in C. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_COUNTER_MAX 12
#define BENCH_ERROR_MAX 640

typedef struct bench_counter {
	const char *name; /* static storage */
	double value;     /* averaged over the threads of a cell */
} bench_counter;

/* The facts of a cell before it is timed. */
typedef struct bench_report {
	double items; /* pairs that one iteration of this thread answers; the counter per_pair follows from it */
	size_t counter_count;
	bench_counter counters[BENCH_COUNTER_MAX];
	char error[BENCH_ERROR_MAX];
} bench_report;

typedef struct bench_cell {
	const char *name; /* copied */
	void *context;    /* borrowed until bench_run returns */
	/* Outside the timed region, before each measurement and on each thread, one thread at a time: loads what
	 * is not loaded yet and fills the report. False skips the cell, report->error says why. */
	bool (*prepare)(void *context, unsigned thread, unsigned threads, bench_report *report);
	/* The timed region: the cell's work `iterations` times over. */
	void (*run)(void *context, unsigned thread, unsigned threads, uint64_t iterations);
	/* NULL, or outside the timed region before each of the iterations, which then run one by one: takes back what the last one
	 * changed. */
	void (*rewind)(void *context);
	unsigned threads; /* 0: one thread, by its CPU time; else that many, by wall clock */
} bench_cell;

void bench_add(const bench_cell *cell);

/* Add a counter to a report; beyond BENCH_COUNTER_MAX it is dropped. */
void bench_count(bench_report *report, const char *name, double value);

/* A line of the JSON output's context. */
void bench_note(const char *key, const char *value);

/* Take the command line of Google Benchmark, with the defaults of bench/README.md for missing options, and
 * run the cells that --benchmark_filter names. Returns the exit code of the program. */
int bench_run(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
