/* Which clock `widephase time` takes, on systems whose clocks are made up here: the build renames clock_gettime to
 * made_clock. */
#include "progress.h"
#include "work_clock.h"

#include <criterion/criterion.h>
#include <time.h>

/* Nanoseconds. Each reading of a clock takes one microsecond of both. */
static long passed, thread_step;

static void set(struct timespec *to, long nanoseconds)
{
	to->tv_sec = nanoseconds / 1000000000;
	to->tv_nsec = nanoseconds % 1000000000;
}

/* The thread's clock counts whole steps; with none, the system lacks it. */
int made_clock(clockid_t which, struct timespec *now)
{
	passed += 1000;
	if (which != CLOCK_THREAD_CPUTIME_ID)
		set(now, passed);
	else if (thread_step > 0)
		set(now, passed - passed % thread_step);
	else
		return -1;
	return 0;
}

static void expect(long step, const char *name)
{
	thread_step = step;
	const work_clock chosen = work_clock_choose();
	cr_expect_str_eq(chosen.name, name, "steps of %ld ns: %s, not %s", step, chosen.name, name);
	const double start = chosen.now(), end = chosen.now();
	cr_expect(end > start && end - start < 1e-4, "steps of %ld ns: from %a to %a", step, start, end);
}

Test(work_clock, is_of_the_thread_if_its_steps_are_small)
{
	expect(1, "thread");
	expect(1000, "thread");
	expect(1000000, "wall");
	expect(10000000, "wall");
	expect(0, "wall");
}
