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

/* The status of a cast that may hit a triangle before that fraction which rounding hides. */
static uint32_t doubt_of(const wp_mesh_ask *ask, const wp_mesh_query_answer *answer, double fraction)
{
	return ask->query == WP_MESH_QUERY_CAST && (double)answer->lowest <= fraction ? WP_STATUS_WIDE_BRACKET : 0;
}

/* A row without an answer. */
static void write_none(const wp_mesh_ask *ask, const wp_mesh_query_answer *answer)
{
	wp_output output;
	memset(&output, 0, sizeof output);
	output.separation = output.upper = WP_INFINITY;
	output.status = WP_STATUS_SEPARATED | doubt_of(ask, answer, 1);
	if (ask->query == WP_MESH_QUERY_DISTANCE) {
		const float most = (float)ask->max_distance;
		output.lower = answer->lowest < most ? answer->lowest : most;
		output.status |= WP_STATUS_BEYOND;
	}
	write_output(ask, answer->row, nowhere, &output, WP_COMPOUND_MISS, WP_MESH_MISS, 1.0f);
}

/* The bounds of a distance hold for all triangles; the status is what they prove. */
static void put_bounds(const wp_mesh_query_answer *answer, wp_output *output)
{
	if (!(answer->lowest < output->lower))
		return;
	output->lower = answer->lowest;
	output->status |= answer->lowest_status & WP_STATUS_WIDE_BRACKET;
	if (!(output->lower > 0.0f) && (output->status & WP_STATUS_SEPARATED) != 0)
		output->status = (output->status & ~(uint32_t)WP_STATUS_SEPARATED) | WP_STATUS_TOUCHING;
}

void wp_mesh_query_write_row(const wp_mesh_ask *ask, const wp_mesh_query_answer *answer)
{
	const wp_cast_contact *const c = &answer->contact;
	if (wp_mesh_query_is_spoilt(ask, answer)) {
		wp_mesh_query_write_invalid(ask, answer->row, answer->invalid);
		return;
	}
	if (!answer->has_best) {
		write_none(ask, answer);
		return;
	}
	wp_output output = {.separation = c->separation,
		.lower = c->lower,
		.upper = c->upper,
		.status = c->status | doubt_of(ask, answer, answer->value),
		.iterations = c->iterations};
	double middle[3];
	wp_d3_put(answer->middle, middle);
	const bool has_points = ask->query != WP_MESH_QUERY_OVERLAP;
	for (int k = 0; k < 3; k++) {
		output.normal[k] = c->normal[k];
		output.point_a[k] = c->point[0][k];
		output.point_b[k] = c->point[1][k];
		output.local_a[k] = c->local[0][k];
		output.local_b[k] = has_points ? (float)(middle[k] + (double)c->local[1][k]) : 0.0f;
	}
	if (has_points && answer->part != NULL)
		wp_mount_to_body(answer->part, c->local[0], output.local_a);
	if (ask->query == WP_MESH_QUERY_DISTANCE)
		put_bounds(answer, &output);
	ask->statistics->touching += (output.status & WP_STATUS_SEPARATED) == 0;
	write_output(ask, answer->row, answer->position, &output, answer->order[0], answer->triangle, (float)answer->value);
}
