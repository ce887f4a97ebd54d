/* Ranges of a batch by OpenMP: a parallel loop over ranges, a workspace for each thread of the team. */
#include "world.h"

#include <omp.h>

static world engine;

int main(void)
{
	int failures = 0;
	if (world_make(&engine) != WP_OK)
		return 1;
#pragma omp parallel for schedule(dynamic) num_threads(WORKERS) reduction(+ : failures)
	for (int start = 0; start < PAIRS; start += RANGE) {
		wp_batch range = engine.batch;
		range.first = (size_t)start;
		range.count = (size_t)(start + RANGE < PAIRS ? RANGE : PAIRS - start);
		failures += wp_contact(engine.spaces[omp_get_thread_num()], &range,
						&(wp_contact_options){.max_separation = MAX_SEPARATION}, &engine.results, NULL) != WP_OK;
	}
	return failures + world_check(&engine, "OpenMP");
}
