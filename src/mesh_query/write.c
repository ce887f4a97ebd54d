/* Rows as the caller gets them. */
#include "batch/write.h"
#include "mesh_query/internal.h"
#include "motion/mount.h"

static void write_output(const wp_mesh_ask *ask, uint32_t row, const double position[3], const wp_output *output,
	uint32_t child, uint32_t triangle, float fraction)
{
	const wp_call *const call = &ask->rows.call;
	const size_t at = call->first + row;
	wp_statistics unused = {0};
	wp_write_row(call, row, position, output, &unused);
	wp_write_word(ask->triangle, at, triangle);
	if (ask->frame != NULL)
		wp_write_word(ask->frame->child, at, child);
	if (call->fraction.data != NULL)
		memcpy((char *)call->fraction.data + at * call->fraction.stride, &fraction, sizeof fraction);
	ask->statistics->rows++;
}

/* From where points are counted that are none. */
static const double nowhere[3] = {0, 0, 0};

void wp_mesh_query_write_invalid(const wp_mesh_ask *ask, uint32_t row, uint32_t status)
{
	wp_mesh_statistics *const s = ask->statistics;
	const uint64_t at = ask->rows.call.first + row;
	wp_output output;
	if (s->invalid == 0 || at < s->first_invalid_row)
		s->first_invalid_row = at;
	s->invalid++;
	wp_invalid_output(status | WP_STATUS_INVALID, &output);
	write_output(ask, row, nowhere, &output, WP_COMPOUND_MISS, WP_MESH_MISS, WP_NAN);
}

/* A row without an answer. */
static void write_none(const wp_mesh_ask *ask, const wp_mesh_query_answer *answer)
{
	const float most = (float)ask->max_distance, lowest = answer->choice.lowest;
	wp_output output;
	if (ask->query == WP_MESH_QUERY_DISTANCE)
		wp_choice_put_beyond(lowest < most ? lowest : most, &output);
	else
		wp_choice_put_none(&answer->choice, ask->query == WP_MESH_QUERY_CAST, &output);
	write_output(ask, answer->row, nowhere, &output, WP_COMPOUND_MISS, WP_MESH_MISS, 1.0f);
}

/* Whether a triangle without an answer may be the row's. */
static bool is_spoilt(const wp_mesh_ask *ask, const wp_choice *choice)
{
	return choice->invalid != 0 && choice->spoilt_key <= choice->limit &&
	       (!wp_mesh_query_is_least(ask, choice) || wp_choice_is_lower(choice->spoilt, choice->order));
}

void wp_mesh_query_write_row(const wp_mesh_ask *ask, const wp_mesh_query_answer *answer)
{
	const wp_choice *const choice = &answer->choice;
	const wp_cast_contact *const c = &choice->contact;
	if (is_spoilt(ask, choice)) {
		wp_mesh_query_write_invalid(ask, answer->row, choice->invalid);
		return;
	}
	if (!choice->has_best) {
		write_none(ask, answer);
		return;
	}
	wp_output output;
	wp_choice_put_best(choice, ask->query == WP_MESH_QUERY_CAST, &output);
	if (ask->query != WP_MESH_QUERY_OVERLAP) {
		memcpy(output.local_a, c->local[0], sizeof output.local_a);
		wp_d3_put_floats(wp_d3_add(answer->middle, wp_d3_of_floats(c->local[1])), output.local_b);
		if (answer->part != NULL)
			wp_mount_to_body(answer->part, c->local[0], output.local_a);
	}
	if (ask->query == WP_MESH_QUERY_DISTANCE)
		wp_choice_put_bounds(choice, &output);
	ask->statistics->touching += (output.status & WP_STATUS_SEPARATED) == 0;
	write_output(ask, answer->row, answer->position, &output, choice->order[0], answer->triangle, (float)choice->value);
}
