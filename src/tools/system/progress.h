/* A progress bar on standard error: only where that is a terminal, and only once the work has taken
 * longer than a second. */
#ifndef WP_TOOLS_SYSTEM_PROGRESS_H
#define WP_TOOLS_SYSTEM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Seconds of the monotonic clock. */
double clock_now(void);

typedef struct progress {
	uint64_t total;
	double drawn_at;
	bool terminal, drawn;
} progress;

progress progress_start(uint64_t total);
void progress_step(progress *bar, uint64_t done);
void progress_end(progress *bar);

#endif
