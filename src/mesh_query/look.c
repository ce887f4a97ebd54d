/* One triangle of a row: noted among those that may have the answer, the least first. */
#include "mesh_query/internal.h"

/* Answer what a row has found, so that there is room for more. */
static void answer_found(const wp_mesh_ask *ask, uint32_t place)
{
	wp_mesh_query_memory *const memory = &ask->workspace->asked;
	wp_mesh_asked *const row = &memory->row[place];
	for (uint32_t i = 0; i < row->found_count; i++) {
		if (!wp_mesh_query_counts(ask, row, &row->found[i]))
			continue;
		wp_mesh_query_push(ask, place, &row->found[i]);
		if (memory->count == memory->capacity)
			wp_mesh_query_run_ring(ask);
	}
	wp_mesh_query_run_ring(ask);
	row->found_count = 0;
}

static void note(const wp_mesh_ask *ask, uint32_t place, const wp_mesh_found *found)
{
	wp_mesh_asked *const row = &ask->workspace->asked.row[place];
	while (row->found_count != 0 && row->found[row->found_count - 1].key > row->answer->choice.limit)
		row->found_count--;
	if (row->found_count == WP_MESH_QUERY_FOUND)
		answer_found(ask, place);
	if (!wp_mesh_query_counts(ask, row, found))
		return;
	uint32_t at = row->found_count++;
	for (; at > 0 && (row->found[at - 1].key > found->key ||
						 (row->found[at - 1].key == found->key && row->found[at - 1].triangle > found->triangle));
		 at--)
		row->found[at] = row->found[at - 1];
	row->found[at] = *found;
}

void wp_mesh_query_look_at(const wp_mesh_ask *ask, uint32_t place, const wp_surface *surface, uint32_t triangle)
{
	wp_mesh_asked *const row = &ask->workspace->asked.row[place];
	const wp_mesh_found found = {wp_mesh_query_key_of_triangle(ask, row, surface, triangle), triangle};
	ask->statistics->triangles++;
	if (wp_mesh_query_counts(ask, row, &found))
		note(ask, place, &found);
	else
		ask->statistics->beyond++;
}
