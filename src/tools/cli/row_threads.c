#include "row_threads.h"
#include "system.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct member {
	pthread_t thread;
	row_threads_task *task;
	void *context;
	uint32_t number;
	size_t first, count;
	bool started;
} member;

static void *work(void *argument)
{
	const member *self = argument;
	self->task(self->context, self->number, self->first, self->count);
	return NULL;
}

void row_threads_run(uint32_t members, size_t count, row_threads_task *task, void *context)
{
	member team[ROW_THREADS_MAX];
	for (uint32_t number = 0; number < members; number++) {
		const size_t first = count * number / members;
		team[number] = (member){.task = task,
			.context = context,
			.number = number,
			.first = first,
			.count = count * (number + 1) / members - first};
	}
	for (uint32_t number = 1; number < members; number++)
		team[number].started = pthread_create(&team[number].thread, NULL, work, &team[number]) == 0;
	for (uint32_t number = 0; number < members; number++)
		if (!team[number].started)
			work(&team[number]);
	for (uint32_t number = 1; number < members; number++)
		if (team[number].started)
			pthread_join(team[number].thread, NULL);
}

bool row_threads_parse(const char *text, uint32_t *members)
{
	if (strcmp(text, "all") == 0) {
		const unsigned processors = system_processor_count();
		*members = processors < ROW_THREADS_MAX ? processors : ROW_THREADS_MAX;
		return true;
	}
	char *end;
	const long value = strtol(text, &end, 10);
	*members = (uint32_t)value;
	return isdigit((unsigned char)*text) && *end == '\0' && value >= 1 && value <= ROW_THREADS_MAX;
}
