#include "work_clock.h"
#include "progress.h"

#include <math.h>
#include <stdbool.h>
#include <time.h>

/* Windows counts a thread's time in steps of 16 ms. */
#if defined(CLOCK_THREAD_CPUTIME_ID) && !defined(_WIN32)

/* Larger steps would show in samples of milliseconds. */
#define STEP_MAX_SECONDS 2e-5
#define PATIENCE_SECONDS 0.05
#define TRIES 4

static double thread_now(void)
{
	struct timespec now;
	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
		return NAN;
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The step by which the clock moves next; infinite if it does not. */
static double next_step(void)
{
	const double start = thread_now(), end = clock_now() + PATIENCE_SECONDS;
	while (clock_now() < end) {
		const double step = thread_now() - start;
		if (step > 0.0)
			return step;
	}
	return INFINITY;
}

/* Some systems count a thread's time in ticks of milliseconds, though clock_getres promises more. */
static bool has_thread_clock(void)
{
	double step = INFINITY;
	for (int i = 0; i < TRIES; i++)
		step = fmin(step, next_step());
	return step <= STEP_MAX_SECONDS;
}

work_clock work_clock_choose(void)
{
	return has_thread_clock() ? (work_clock){"thread", thread_now} : (work_clock){"wall", clock_now};
}

#else

work_clock work_clock_choose(void) { return (work_clock){"wall", clock_now}; }

#endif
