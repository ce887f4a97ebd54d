/* The best answer of a row: which triangle has it, and which may still. */
#include "mesh_query/internal.h"

/* The number of a triangle by which it goes before others with an answer as good: the input's, but for overlaps; a height field
 * has no other than its own. */
static uint32_t number_of(const wp_mesh_ask *ask, const wp_mesh_asked *row, uint32_t triangle)
{
	const bool is_own = ask->query == WP_MESH_QUERY_OVERLAP || row->body.field != NULL;
	return is_own ? triangle : wp_mesh_view_of(row->body.mesh).sources[triangle];
}

bool wp_mesh_query_counts(const wp_mesh_ask *ask, const wp_mesh_asked *row, const wp_mesh_found *found)
{
	const wp_choice *const choice = &row->answer->choice;
	if (found->key > choice->limit)
		return false;
	if (!wp_mesh_query_is_least(ask, choice))
		return true;
	const uint32_t order[2] = {row->body.child, number_of(ask, row, found->triangle)};
	return wp_choice_is_lower(order, choice->order);
}

void wp_mesh_query_take(const wp_mesh_ask *ask, const wp_mesh_asked *row, const wp_mesh_query_triangle *asked,
	const wp_cast_contact *contact, double value)
{
	wp_mesh_query_answer *const best = row->answer;
	wp_choice *const choice = &best->choice;
	const uint32_t order[2] = {row->body.child, number_of(ask, row, asked->triangle)};
	if ((contact->status & WP_STATUS_INVALID) != 0) {
		wp_choice_spoil(choice, asked->key, order, contact->status);
		return;
	}
	if (!wp_choice_take(choice, ask->query == WP_MESH_QUERY_CAST, contact, value, asked->key, order))
		return;
	choice->limit = value < choice->limit ? value : choice->limit;
	best->part = row->body.part;
	best->triangle = asked->triangle;
	best->middle = asked->middle;
	memcpy(best->position, row->body.position, sizeof best->position);
}
