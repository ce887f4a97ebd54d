#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH 40
#define FIRST_AFTER_SECONDS 1.0
#define NEXT_AFTER_SECONDS 0.1

double clock_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

progress progress_start(uint64_t total)
{
	return (progress){
		.total = total,
		.terminal = isatty(STDERR_FILENO) != 0,
		.drawn_at = clock_now() + FIRST_AFTER_SECONDS - NEXT_AFTER_SECONDS,
	};
}

void progress_step(progress *bar, uint64_t done)
{
	static const char full[BAR_WIDTH + 1] = "########################################";
	if (!bar->terminal || bar->total == 0 || clock_now() < bar->drawn_at + NEXT_AFTER_SECONDS)
		return;
	double share = (double)done / (double)bar->total;
	fprintf(stderr, "\r[%-*.*s] %3.0f %%", BAR_WIDTH, (int)(share * BAR_WIDTH), full, share * 100.0);
	fflush(stderr);
	bar->drawn = true;
	bar->drawn_at = clock_now();
}

void progress_end(progress *bar)
{
	if (bar->drawn)
		fprintf(stderr, "\r%*s\r", BAR_WIDTH + 10, "");
	bar->drawn = false;
}
