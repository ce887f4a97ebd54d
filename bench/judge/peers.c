/* The benchmark's peers as plug-ins: the mode is the name of the peer. */
#include "narrowphase.h"
#include "../peers/peer.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(narrowphase_shape) == sizeof(peer_shape), "the same layout");
_Static_assert(sizeof(narrowphase_pair) == sizeof(peer_pair), "the same layout");
_Static_assert(sizeof(narrowphase_row) == sizeof(peer_row), "the same layout");
_Static_assert((int)NARROWPHASE_SEPARATION == (int)PEER_SEPARATION, "the same order");

typedef struct opened_peer {
	const peer *of;
	void *scene;
	peer_input input; /* outlives the scene */
} opened_peer;

static const peer *find(const char *name)
{
	for (size_t index = 0; peer_list[index]; index++)
		if (strcmp(peer_list[index]->name, name) == 0)
			return peer_list[index];
	return NULL;
}

static peer_run *run_of(const peer *of)
{
	return of->run[PEER_QUERY_CONTACT] ? of->run[PEER_QUERY_CONTACT] : of->run[PEER_QUERY_SIGNED];
}

void *narrowphase_open(const narrowphase_input *input)
{
	const peer *of = find(input->mode);
	opened_peer *made = of && run_of(of) ? calloc(1, sizeof *made) : NULL;
	if (!made)
		return NULL;
	made->of = of;
	made->input = (peer_input){(const peer_shape *)input->shapes, input->vertices, (const peer_pair *)input->pairs,
		input->shape_count, input->vertex_count, input->pair_count, NULL};
	made->scene = of->create(&made->input);
	if (made->scene)
		return made;
	free(made);
	return NULL;
}

void narrowphase_query(void *opened, narrowphase_row *rows)
{
	const opened_peer *on = opened;
	run_of(on->of)(on->scene, (peer_row *)rows);
}

void narrowphase_close(void *opened)
{
	opened_peer *on = opened;
	on->of->destroy(on->scene);
	free(on);
}
