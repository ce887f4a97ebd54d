#include "trial.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(narrowphase_shape) == sizeof(capture_shape), "the same layout");
_Static_assert(sizeof(narrowphase_pair) == sizeof(capture_pair), "the same layout");
_Static_assert((int)NARROWPHASE_ELLIPSOID == (int)CAPTURE_ELLIPSOID, "the same order");

/* Most processes for one set: a plug-in that ends on a pair gets halves of the pairs until that pair is alone. */
#define PROCESS_MAX 400

/* Most passes over a set. */
#define PASS_MAX 1000

/* What the children write: one mapping, shared. */
typedef struct shared {
	double seconds; /* of the last child's fastest pass */
	char error[CAPTURE_ERROR_MAX];
} shared;

typedef struct job {
	const plugin *with;
	const pair_set *set;
	double max_separation, least_seconds;
	shared *common;
	uint8_t *has_shape; /* [shapes], in the mapping */
	narrowphase_row *rows;
	uint32_t *chosen; /* pairs of which the plug-in has the shapes */
	size_t chosen_count;
	trial *to;
	int processes;
} job;

typedef struct loaded {
	void *handle;
	void *(*open)(const narrowphase_input *);
	void (*query)(void *, narrowphase_row *);
	void (*close)(void *);
} loaded;

bool plugin_parse(plugin *made, const char *argument)
{
	const char *colon = strrchr(argument, ':'), *slash;
	const size_t length = colon ? (size_t)(colon - argument) : strlen(argument);
	made->path = malloc(length + 1);
	made->mode = malloc(strlen(argument) + 1);
	made->name = malloc(strlen(argument) + 1);
	if (!made->path || !made->mode || !made->name)
		return false;
	memcpy(made->path, argument, length);
	made->path[length] = '\0';
	strcpy(made->mode, colon ? colon + 1 : "");
	slash = strrchr(made->path, '/');
	strcpy(made->name, slash ? slash + 1 : made->path);
	made->name[strcspn(made->name, ".")] = '\0';
	if (*made->mode != '\0')
		strcpy(made->name, made->mode);
	return true;
}

void plugin_free(plugin *of)
{
	free(of->path);
	free(of->mode);
	free(of->name);
}

/* ---- in the child ---------------------------------------------------------------------------------- */

static double seconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A function pointer of a symbol, by way of bytes: C has no cast for it. */
static bool load_symbol(void *handle, const char *name, void *to)
{
	void *symbol = dlsym(handle, name);
	memcpy(to, &symbol, sizeof symbol);
	return symbol != NULL;
}

static bool load(const job *on, loaded *made)
{
	made->handle = dlopen(on->with->path, RTLD_NOW | RTLD_LOCAL);
	if (!made->handle) {
		snprintf(on->common->error, sizeof on->common->error, "%s", dlerror());
		return false;
	}
	if (load_symbol(made->handle, "narrowphase_open", &made->open) &&
		load_symbol(made->handle, "narrowphase_query", &made->query) &&
		load_symbol(made->handle, "narrowphase_close", &made->close))
		return true;
	snprintf(on->common->error, sizeof on->common->error, "%s: not all of narrowphase_open, _query and _close",
		on->with->path);
	return false;
}

static narrowphase_input input_of(const job *on)
{
	const pair_set *set = on->set;
	return (narrowphase_input){.shapes = (const narrowphase_shape *)set->shapes,
		.vertices = (const float(*)[3])set->vertices,
		.shape_count = set->shape_count,
		.vertex_count = set->vertex_count,
		.max_separation = on->max_separation,
		.mode = on->with->mode};
}

/* Which shapes the plug-in has: each is opened alone. */
static void probe_shapes(const job *on, const loaded *plugin_of)
{
	for (uint32_t index = 0; index < on->set->shape_count; index++) {
		narrowphase_input input = input_of(on);
		input.shapes += index;
		input.shape_count = 1;
		void *opened = input.shapes->kind <= NARROWPHASE_ELLIPSOID ? plugin_of->open(&input) : NULL;
		on->has_shape[index] = opened != NULL;
		if (opened)
			plugin_of->close(opened);
	}
}

/* A shape that the plug-in lacks is in no chosen pair: a sphere stands for it. */
static narrowphase_shape *stand_ins(const job *on)
{
	narrowphase_shape *shapes = malloc((on->set->shape_count + 1) * sizeof *shapes);
	for (uint32_t index = 0; shapes && index < on->set->shape_count; index++) {
		memcpy(&shapes[index], &on->set->shapes[index], sizeof *shapes);
		if (!on->has_shape[index])
			shapes[index] = (narrowphase_shape){.kind = NARROWPHASE_SPHERE, .param = {1.0f}};
	}
	return shapes;
}

/* Answer chosen[first .. first + count) and time it; the rows of one pass go to the mapping. */
static bool answer_chosen(const job *on, const loaded *plugin_of, size_t first, size_t count)
{
	narrowphase_input input = input_of(on);
	narrowphase_pair *pairs = malloc((count + 1) * sizeof *pairs);
	narrowphase_row *rows = calloc(count + 1, sizeof *rows);
	input.shapes = stand_ins(on);
	if (!pairs || !rows || !input.shapes)
		return false;
	for (size_t index = 0; index < count; index++)
		memcpy(&pairs[index], &on->set->pairs[on->chosen[first + index]], sizeof *pairs);
	input.pairs = pairs;
	input.pair_count = count;
	void *opened = plugin_of->open(&input);
	if (!opened)
		return false;
	double least = 1e30, total = 0.0;
	for (int pass = 0; pass == 0 || (total < on->least_seconds && pass < PASS_MAX); pass++) {
		const double start = seconds_now();
		plugin_of->query(opened, rows);
		const double taken = seconds_now() - start;
		least = taken < least ? taken : least;
		total += taken;
	}
	for (size_t index = 0; index < count; index++)
		on->rows[on->chosen[first + index]] = rows[index];
	on->common->seconds = least;
	plugin_of->close(opened);
	return true;
}

/* `count` 0 probes the shapes. What a plug-in prints would be in the table. */
static void child(const job *on, size_t first, size_t count)
{
	loaded plugin_of;
	alarm(TRIAL_PATIENCE);
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr) || !load(on, &plugin_of))
		_exit(1);
	if (count == 0)
		probe_shapes(on, &plugin_of);
	else if (!answer_chosen(on, &plugin_of, first, count))
		_exit(1);
	_exit(0);
}

/* ---- in the judge ---------------------------------------------------------------------------------- */

static bool survives(job *on, size_t first, size_t count)
{
	int status = 1;
	on->processes++;
	fflush(NULL);
	const pid_t made = fork();
	if (made == 0)
		child(on, first, count);
	return made > 0 && waitpid(made, &status, 0) == made && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void mark(const job *on, size_t first, size_t count, trial_state state)
{
	for (size_t index = 0; index < count; index++)
		on->to->states[on->chosen[first + index]] = (uint8_t)state;
}

/* Halve what a plug-in ends on, until the pair that it ends on is alone. */
static void answer(job *on, size_t first, size_t count)
{
	if (count == 0)
		return;
	if (on->processes < PROCESS_MAX && survives(on, first, count)) {
		on->to->seconds += on->common->seconds;
		on->to->answered += count;
		mark(on, first, count, TRIAL_ANSWERED);
	} else if (count == 1 || on->processes >= PROCESS_MAX) {
		mark(on, first, count, TRIAL_ENDED);
	} else {
		answer(on, first, count / 2);
		answer(on, first + count / 2, count - count / 2);
	}
}

static void choose(job *on)
{
	for (size_t row = 0; row < on->set->count; row++) {
		const capture_pair *pair = &on->set->pairs[row];
		if (on->has_shape[pair->a] && on->has_shape[pair->b])
			on->chosen[on->chosen_count++] = (uint32_t)row;
	}
}

bool trial_run(trial *made, const plugin *with, const pair_set *set, double max_separation, double least_seconds)
{
	const size_t row_bytes = (set->count + 1) * sizeof(narrowphase_row);
	const size_t bytes = sizeof(shared) + row_bytes + set->shape_count + 1;
	*made = (trial){.states = calloc(set->count + 1, 1), .rows = malloc(row_bytes)};
	uint32_t *chosen = malloc((set->count + 1) * sizeof *chosen);
	void *mapping = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!made->states || !made->rows || !chosen || mapping == MAP_FAILED) {
		snprintf(made->error, sizeof made->error, "no memory for the answers");
		free(chosen);
		return false;
	}
	job on = {.with = with,
		.set = set,
		.max_separation = max_separation,
		.least_seconds = least_seconds,
		.common = mapping,
		.rows = (narrowphase_row *)((char *)mapping + sizeof(shared)),
		.has_shape = (uint8_t *)mapping + sizeof(shared) + row_bytes,
		.chosen = chosen,
		.to = made};
	const bool is_loaded = survives(&on, 0, 0);
	if (is_loaded) {
		choose(&on);
		answer(&on, 0, on.chosen_count);
		memcpy(made->rows, on.rows, row_bytes);
	} else {
		snprintf(made->error, sizeof made->error, "%s",
			on.common->error[0] != '\0' ? on.common->error : "it ends when it opens a shape");
	}
	munmap(mapping, bytes);
	free(chosen);
	return is_loaded;
}

void trial_free(trial *of)
{
	free(of->states);
	free(of->rows);
}
