/* Ranges of a batch by the job system of an engine: a callback for items [start, end) by one of its workers,
 * the form that Box2D's b2WorldDef.enqueueTask and many other schedulers have. */
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- what the engine hands to its scheduler --------------------------------------------------------- */

typedef struct contact_job {
	world *in;
	wp_statistics counts[WORKERS]; /* each worker its own, added up afterwards */
	atomic_int failures;
} contact_job;

static void contact_task(int start, int end, uint32_t worker, void *context)
{
	contact_job *const job = context;
	wp_batch range = job->in->batch;
	range.first = (size_t)start;
	range.count = (size_t)(end - start);
	if (wp_contact(job->in->spaces[worker], &range, &(wp_contact_options){.max_separation = MAX_SEPARATION},
			&job->in->results, &job->counts[worker]) != WP_OK)
		atomic_fetch_add(&job->failures, 1);
}

/* ---- a scheduler, as small as can be ----------------------------------------------------------------- */

typedef void task_callback(int start, int end, uint32_t worker, void *context);

typedef struct scheduler {
	task_callback *task;
	void *context;
	int items, range;
	atomic_int next;
	atomic_uint workers;
} scheduler;

static void *run_worker(void *argument)
{
	scheduler *const all = argument;
	const uint32_t worker = atomic_fetch_add(&all->workers, 1);
	for (int start = atomic_fetch_add(&all->next, all->range); start < all->items;
		 start = atomic_fetch_add(&all->next, all->range))
		all->task(start, start + all->range < all->items ? start + all->range : all->items, worker, all->context);
	return NULL;
}

static int run_task(task_callback *task, int items, int range, void *context)
{
	scheduler all = {.task = task, .context = context, .items = items, .range = range};
	pthread_t threads[WORKERS];
	int started = 0;
	while (started < WORKERS && pthread_create(&threads[started], NULL, run_worker, &all) == 0)
		started++;
	for (int worker = 0; worker < started; worker++)
		pthread_join(threads[worker], NULL);
	return started;
}

static world engine;
static contact_job job;

int main(void)
{
	uint64_t rows = 0;
	if (world_make(&engine) != WP_OK)
		return 1;
	job.in = &engine;
	if (run_task(contact_task, PAIRS, RANGE, &job) == 0)
		return 1;
	for (int worker = 0; worker < WORKERS; worker++)
		rows += job.counts[worker].rows;
	return job.failures != 0 || rows != PAIRS || world_check(&engine, "tasks");
}
