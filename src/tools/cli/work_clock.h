/* The clock of measurements. Processor time of the thread leaves out the time in which other work has the core. */
#ifndef WP_TOOLS_CLI_WORK_CLOCK_H
#define WP_TOOLS_CLI_WORK_CLOCK_H

typedef struct work_clock {
	const char *name;    /* "thread": processor time of the calling thread; "wall": the time that passes */
	double (*now)(void); /* seconds */
} work_clock;

/* The thread's clock where the system has one with small steps, else the wall clock. */
work_clock work_clock_choose(void);

#endif
