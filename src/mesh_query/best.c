/* The best answer of a row: which triangle has it, and what is proven of all. */
#include "mesh_query/internal.h"
#include "motion/gap.h"

/* The number of a triangle by which it goes before others with an answer as good: the input's, but for overlaps; a height field
 * has no other than its own. */
static uint32_t number_of(const wp_mesh_ask *ask, const wp_mesh_asked *row, uint32_t triangle)
{
	const bool is_own = ask->query == WP_MESH_QUERY_OVERLAP || row->body.field != NULL;
	return is_own ? triangle : wp_mesh_view_of(row->body.mesh).sources[triangle];
}

static bool is_lower(const uint32_t order[2], const uint32_t other[2])
{
	return order[0] != other[0] ? order[0] < other[0] : order[1] < other[1];
}

/* Whether no answer is better than the best one, so that only lower ones count that are as good. */
static bool is_least(const wp_mesh_ask *ask, const wp_mesh_query_answer *best)
{
	return ask->query != WP_MESH_QUERY_CAST && best->has_best && !(best->value > 0);
}

bool wp_mesh_query_counts(const wp_mesh_ask *ask, const wp_mesh_asked *row, const wp_mesh_found *found)
{
	const wp_mesh_query_answer *const best = row->answer;
	if (found->key > best->limit)
		return false;
	if (!is_least(ask, best))
		return true;
	const uint32_t order[2] = {row->body.child, number_of(ask, row, found->triangle)};
	return is_lower(order, best->order);
}

bool wp_mesh_query_is_spoilt(const wp_mesh_ask *ask, const wp_mesh_query_answer *answer)
{
	return answer->invalid != 0 && answer->spoilt_key <= answer->limit &&
	       (!is_least(ask, answer) || is_lower(answer->spoilt, answer->order));
}

/* A triangle has no answer: of several the nearest stays. If it counts at the end, the row is invalid. */
static void note_invalid(wp_mesh_query_answer *answer, double key, const uint32_t order[2], uint32_t status)
{
	const bool is_before = key != answer->spoilt_key ? key < answer->spoilt_key : is_lower(order, answer->spoilt);
	if (answer->invalid != 0 && !is_before)
		return;
	answer->invalid = status;
	answer->spoilt_key = key;
	memcpy(answer->spoilt, order, sizeof answer->spoilt);
}

/* Whether an answer is better than the best of a row. */
static bool is_better(
	const wp_mesh_ask *ask, const wp_mesh_query_answer *best, double value, double separation, const uint32_t order[2])
{
	if (!best->has_best)
		return value < (double)WP_INFINITY;
	if (value != best->value)
		return value < best->value;
	if (ask->query != WP_MESH_QUERY_OVERLAP && separation != best->separation)
		return separation < best->separation;
	return is_lower(order, best->order);
}

/* What all triangles together are proven to be apart. An answer's bound is no better than what was proven before it, which
 * stands for the triangles that no kernel has looked at. */
static void keep_bound(wp_mesh_query_answer *answer, const wp_cast_contact *contact, double key)
{
	const float before = wp_round_down(key);
	const float lower = contact->lower > before ? contact->lower : before;
	if (lower < answer->lowest) {
		answer->lowest = lower;
		answer->lowest_status = contact->status;
	} else if (lower == answer->lowest) {
		answer->lowest_status |= contact->status;
	}
}

void wp_mesh_query_take(const wp_mesh_ask *ask, const wp_mesh_asked *row, const wp_mesh_query_triangle *asked,
	const wp_cast_contact *contact, double value)
{
	wp_mesh_query_answer *const best = row->answer;
	const uint32_t order[2] = {row->body.child, number_of(ask, row, asked->triangle)};
	if ((contact->status & WP_STATUS_INVALID) != 0) {
		note_invalid(best, asked->key, order, contact->status);
		return;
	}
	if (ask->query == WP_MESH_QUERY_CAST)
		best->lowest = wp_cast_lowest_doubt(best->lowest, contact->status, asked->key);
	else
		keep_bound(best, contact, asked->key);
	if (!is_better(ask, best, value, (double)contact->separation, order))
		return;
	best->has_best = true;
	best->value = value;
	best->separation = (double)contact->separation;
	memcpy(best->order, order, sizeof best->order);
	best->part = row->body.part;
	best->triangle = asked->triangle;
	best->middle = asked->middle;
	memcpy(best->position, row->body.position, sizeof best->position);
	best->contact = *contact;
	best->contact.status &= ~WP_CAST_DOUBTFUL;
	best->limit = value < best->limit ? value : best->limit;
}
