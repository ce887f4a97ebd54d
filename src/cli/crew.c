#include "crew.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct member {
	pthread_t thread;
	crew_task *task;
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

void crew_run(uint32_t members, size_t count, crew_task *task, void *context)
{
	member crew[CREW_MAX];
	for (uint32_t number = 0; number < members; number++) {
		const size_t first = count * number / members;
		crew[number] = (member){.task = task,
			.context = context,
			.number = number,
			.first = first,
			.count = count * (number + 1) / members - first};
	}
	for (uint32_t number = 1; number < members; number++)
		crew[number].started = pthread_create(&crew[number].thread, NULL, work, &crew[number]) == 0;
	for (uint32_t number = 0; number < members; number++)
		if (!crew[number].started)
			work(&crew[number]);
	for (uint32_t number = 1; number < members; number++)
		if (crew[number].started)
			pthread_join(crew[number].thread, NULL);
}

bool crew_parse(const char *text, uint32_t *members)
{
	if (strcmp(text, "all") == 0) {
		const long processors = sysconf(_SC_NPROCESSORS_ONLN);
		*members = processors < 1 ? 1 : processors > CREW_MAX ? CREW_MAX : (uint32_t)processors;
		return true;
	}
	char *end;
	const long value = strtol(text, &end, 10);
	*members = (uint32_t)value;
	return end != text && *end == '\0' && value >= 1 && value <= CREW_MAX;
}
