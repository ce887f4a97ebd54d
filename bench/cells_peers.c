/* Cells of other libraries, each of which answers once in a process of its own before it is timed. */
#include "cells.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds that a peer gets for one pass over a set. */
#define PATIENCE 60

_Static_assert(sizeof(peer_shape) == sizeof(capture_shape), "the same layout");
_Static_assert(sizeof(peer_pair) == sizeof(capture_pair), "the same layout");
_Static_assert((int)PEER_QUERY_SIGNED == (int)WORK_SIGNED, "the same order");

/* A peer and what it made. */
typedef struct made_scene {
	const peer *of;
	void *scene;
	struct made_scene *next;
} made_scene;

/* One peer on one set, shared by its queries. */
typedef struct peer_scene {
	const peer *of;
	pair_set *set;
	void *scene;
} peer_scene;

typedef struct peer_cell {
	peer_scene *on;
	work_query which;
	bench_report counted; /* once */
	bool is_counted;
} peer_cell;

typedef struct peer_answers {
	const peer_row *rows;
	work_query which;
} peer_answers;

/* ---- what peers hold ------------------------------------------------------------------------------ */

static made_scene *scenes;
static peer_row *answer_rows;
static size_t answer_capacity;

peer_row *cells_peer_rows(size_t count)
{
	if (count <= answer_capacity)
		return answer_rows;
	free(answer_rows);
	answer_rows = calloc(count, sizeof *answer_rows);
	answer_capacity = answer_rows ? count : 0;
	return answer_rows;
}

void *cells_peer_scene(const peer *of, const pair_set *set, const peer_motion *motions, bench_report *report)
{
	/* The input is read while the scene lives. */
	peer_input *input = cells_allocate(sizeof *input);
	made_scene *made = cells_allocate(sizeof *made);
	if (!input || !made || !cells_peer_rows(set->count)) {
		work_fail(report, "no memory for the peer's scene");
		return NULL;
	}
	*input = (peer_input){(const peer_shape *)set->shapes, (const float(*)[3])set->vertices,
		(const peer_pair *)set->pairs, set->shape_count, set->vertex_count, set->count, motions};
	void *scene = of->create(input);
	if (!scene) {
		work_fail(report, "the peer cannot build the shapes");
		return NULL;
	}
	*made = (made_scene){.of = of, .scene = scene, .next = scenes};
	scenes = made;
	return scene;
}

void cells_free_peers(void)
{
	for (; scenes; scenes = scenes->next)
		scenes->of->destroy(scenes->scene);
	free(answer_rows);
	answer_rows = NULL;
	answer_capacity = 0;
}

/* ---- cells ---------------------------------------------------------------------------------------- */

static answer_kind said_by_peer(const void *context, size_t row, double *separation)
{
	const peer_answers *all = context;
	const peer_row *answer = &all->rows[row];
	*separation = answer->separation;
	switch (answer->answer) {
	case PEER_APART:
		return ANSWER_APART;
	case PEER_OVERLAP:
		return ANSWER_OVERLAP;
	case PEER_SEPARATION:
		return all->which == WORK_DISTANCE ? ANSWER_UNSIGNED : ANSWER_SIGNED;
	default:
		return ANSWER_NONE;
	}
}

static bool load_scene(peer_scene *on, bench_report *report)
{
	pair_set *set = on->set;
	if (!set_load(set, report->error) || !set_load_truth(set, report->error))
		return false;
	if (!on->scene)
		on->scene = cells_peer_scene(on->of, set, NULL, report);
	return on->scene != NULL;
}

/* Answers once in a process of its own, for peers that end the process (failed assertions) or never end. */
static bool survives(const peer_cell *cell)
{
	int status = 1;
	const pid_t child = fork();
	if (child == 0) {
		alarm(PATIENCE);
		cell->on->of->run[cell->which](cell->on->scene, answer_rows);
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
}

static bool prepare_peer(void *context, unsigned thread, unsigned threads, bench_report *report)
{
	peer_cell *cell = context;
	set_errors errors;
	(void)thread;
	(void)threads;
	if (!load_scene(cell->on, report))
		return false;
	if (!cell->is_counted) {
		if (!survives(cell))
			return work_fail(report, "the peer ends the process on these pairs, or does not end itself");
		cell->on->of->run[cell->which](cell->on->scene, answer_rows);
		const peer_answers all = {answer_rows, cell->which};
		if (!set_judge(cell->on->set, said_by_peer, &all, &errors))
			return work_fail(report, "no memory for the errors");
		work_count_errors(&errors, &cell->counted);
		cell->counted.items = (double)cell->on->set->count;
		cell->is_counted = true;
	}
	*report = cell->counted;
	return true;
}

static void run_peer(void *context, unsigned thread, unsigned threads, uint64_t iterations)
{
	peer_cell *cell = context;
	(void)thread;
	(void)threads;
	for (uint64_t pass = 0; pass < iterations; pass++)
		cell->on->of->run[cell->which](cell->on->scene, answer_rows);
}

static bool add_peer(pair_set *set, void *context)
{
	const peer *of = context;
	char name[CELLS_NAME_MAX];
	for (size_t index = 0; index < sizeof of->refuses / sizeof *of->refuses; index++)
		if (of->refuses[index] && strcmp(of->refuses[index], set->kind) == 0)
			return true;
	peer_scene *on = cells_allocate(sizeof *on);
	if (!on)
		return false;
	*on = (peer_scene){.of = of, .set = set};
	for (int which = 0; which < WORK_QUERY_COUNT; which++) {
		peer_cell *cell = of->run[which] ? cells_allocate(sizeof *cell) : NULL;
		if (!of->run[which])
			continue;
		if (!cell)
			return false;
		*cell = (peer_cell){.on = on, .which = (work_query)which};
		snprintf(name, sizeof name, "%s/%s/%s/%s", work_query_name(cell->which), set->kind, set->regime, of->name);
		bench_add(&(bench_cell){.name = name, .context = cell, .prepare = prepare_peer, .run = run_peer});
	}
	return true;
}

bool cells_add_peers(void)
{
	for (size_t index = 0; peer_list[index]; index++) {
		/* The list is constant; cells_each_set hands the context on as it is. */
		peer *of = cells_allocate(sizeof *of);
		if (!of)
			return false;
		*of = *peer_list[index];
		if (!cells_each_set(add_peer, of))
			return false;
	}
	return true;
}
