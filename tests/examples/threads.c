/* Ranges of a batch by plain threads: each takes an equal share of the rows. */
#include "world.h"

#include <pthread.h>

typedef struct share {
	world *in;
	int worker;
	pthread_t thread;
	wp_error error;
} share;

static world engine;

static void *work(void *argument)
{
	share *const own = argument;
	wp_batch range = own->in->batch;
	range.first = (size_t)own->worker * PAIRS / WORKERS;
	range.count = (size_t)(own->worker + 1) * PAIRS / WORKERS - range.first;
	own->error = wp_contact(own->in->spaces[own->worker], &range,
		&(wp_contact_options){.max_separation = MAX_SEPARATION}, &own->in->results, NULL);
	return NULL;
}

int main(void)
{
	share shares[WORKERS];
	if (world_make(&engine) != WP_OK)
		return 1;
	for (int worker = 0; worker < WORKERS; worker++) {
		shares[worker] = (share){.in = &engine, .worker = worker};
		if (pthread_create(&shares[worker].thread, NULL, work, &shares[worker]) != 0)
			return 1;
	}
	for (int worker = 0; worker < WORKERS; worker++)
		if (pthread_join(shares[worker].thread, NULL) != 0 || shares[worker].error != WP_OK)
			return 1;
	return world_check(&engine, "threads");
}
