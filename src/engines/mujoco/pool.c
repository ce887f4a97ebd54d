/* The workspaces: one block of memory, each place marked by an atomic flag of its own cache line. */
#include "pool.h"

#include <stdlib.h>
#include <string.h>

static place *places;
static uint32_t place_count;
static void *place_memory;

/* Where this thread found a place last. */
static _Thread_local uint32_t own_place;

void *allocate_aligned(size_t size)
{
	/* The pointer that free() needs stands right before what is returned. */
	unsigned char *const block = malloc(size + WP_ALIGNMENT + sizeof(void *));
	if (!block)
		return NULL;
	unsigned char *at = block + sizeof(void *);
	at += (WP_ALIGNMENT - (uintptr_t)at % WP_ALIGNMENT) % WP_ALIGNMENT;
	memcpy(at - sizeof(void *), &(void *){block}, sizeof(void *));
	return at;
}

void free_aligned(void *memory)
{
	if (!memory)
		return;
	void *block;
	memcpy(&block, (unsigned char *)memory - sizeof block, sizeof block);
	free(block);
}

static size_t aligned(size_t size) { return (size + WP_ALIGNMENT - 1) / WP_ALIGNMENT * WP_ALIGNMENT; }

bool pool_make(uint32_t count)
{
	const size_t workspace_size = wp_workspace_size(), table_size = aligned(wp_shape_table_size(2));
	const size_t each = aligned(workspace_size) + table_size;
	places = allocate_aligned(count * sizeof *places);
	place_memory = allocate_aligned(count * each);
	place_count = places && place_memory ? count : 0;
	for (uint32_t i = 0; i < place_count; i++) {
		unsigned char *const memory = (unsigned char *)place_memory + i * each;
		atomic_init(&places[i].is_taken, false);
		places[i].pair_table = memory;
		if (wp_workspace_init(memory + table_size, workspace_size, WP_VARIANT_AUTO, &places[i].workspace) != WP_OK)
			place_count = 0;
	}
	if (place_count == 0)
		pool_release();
	return place_count != 0;
}

void pool_release(void)
{
	free_aligned(places);
	free_aligned(place_memory);
	places = NULL;
	place_memory = NULL;
	place_count = 0;
}

place *pool_take(void)
{
	uint32_t at = own_place < place_count ? own_place : 0;
	while (atomic_exchange_explicit(&places[at].is_taken, true, memory_order_acquire))
		at = at + 1 < place_count ? at + 1 : 0;
	own_place = at;
	return &places[at];
}

void pool_give_back(place *taken) { atomic_store_explicit(&taken->is_taken, false, memory_order_release); }
