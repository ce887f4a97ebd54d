/* One triangle of a row: noted among those that may have the answer, the least first. */
#include "mesh_query/internal.h"

/* Triangles of a full list that are answered before the others. */
#define NEAREST 4

/* Answer so many of what a row has found, the nearest ones, and leave out what counts no more. */
static void answer_nearest(const wp_mesh_ask *ask, uint32_t place, uint32_t most)
{
	wp_mesh_asked *const row = &ask->workspace->asked.row[place];
	while (most != 0 && row->found_count != 0) {
		most -= wp_mesh_query_push_found(ask, place, most);
		wp_mesh_query_run_ring(ask);
	}
	uint32_t left = 0;
	for (uint32_t i = 0; i < row->found_count; i++)
		if (wp_mesh_query_counts(ask, row, &row->found[i]))
			row->found[left++] = row->found[i];
	row->found_count = left;
}

/* Make room for more: after the nearest ones few others count, as a rule; else these are answered together. */
static void answer_found(const wp_mesh_ask *ask, uint32_t place)
{
	answer_nearest(ask, place, NEAREST);
	if (ask->workspace->asked.row[place].found_count > WP_MESH_QUERY_FOUND / 2)
		answer_nearest(ask, place, WP_MESH_QUERY_FOUND);
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
